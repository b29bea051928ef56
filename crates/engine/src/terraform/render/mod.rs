//! What Terraform prints of plans and states.

mod difference;
mod event;
mod human;
mod paint;
mod plan;
mod state;

pub use event::event;
pub use human::is_identifier;
pub use paint::Paint;
pub use plan::{note, plan};
pub use state::{instance, outputs};
