//! Drydock's engine: a Kubernetes cluster, its workstation and their clock as one value, moved only by `lab`.
//!
//! Modules stand in layers (docs/ARCHITECTURE.md); a module uses lower layers only.

pub mod base;
