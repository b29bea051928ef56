//! The kubelet: pod workers, probes, volumes, status.
