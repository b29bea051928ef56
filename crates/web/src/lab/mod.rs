//! The only code that touches the engine: a session that moves the Lab, and the snapshots the panes read.

pub mod bench;
pub mod inspect;
pub mod keep;
pub mod lanes;
pub mod owners;
pub mod pace;
pub mod roster;
pub mod screen;
pub mod session;
pub mod sides;
pub mod story;
pub mod view;
pub mod why;

pub use session::{Command, Session};
