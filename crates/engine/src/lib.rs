//! Drydock's engine: a Kubernetes cluster, its workstation and their clock as one value, moved only by `lab`.
//!
//! Modules stand in layers (docs/ARCHITECTURE.md); a module uses lower layers only.

pub mod base;

pub mod trace;

pub mod sim;

pub mod process;
pub mod store;

pub mod api;
pub mod shell;

pub mod informer;

pub mod runtime;

pub mod controller;
pub mod docker;
pub mod node;
pub mod scheduler;

pub mod cluster;
pub mod kubectl;
pub mod terraform;

pub mod workstation;

pub mod scenario;

pub mod lab;
