//! The controllers of kube-controller-manager, one file each.
