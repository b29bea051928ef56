//! Plans: what they are (`change`).

mod change;

pub use change::{Action, OutputChange, Plan, PlanMode, Reason, ResourceChange};
