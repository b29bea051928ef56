//! What Terraform prints of plans and states.

mod difference;
mod event;
mod human;
pub mod log;
mod paint;
mod plan;
mod state;

pub use event::event;
pub use human::is_identifier;
pub use paint::Paint;
pub use plan::{failed, note, plan};
pub use state::{instance, outputs, plain_value};
