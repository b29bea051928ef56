//! kube-scheduler: queue, filters, scores, binding.
