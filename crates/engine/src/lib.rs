//! Drydock's engine: a Kubernetes cluster, its workstation and their clock as one value, moved only by `lab`.
//!
//! Modules stand in layers (docs/ARCHITECTURE.md); a module uses lower layers only.

pub mod api;
pub mod base;
pub mod informer;
pub mod process;
pub mod sim;
pub mod store;
pub mod trace;
