//! What shows the world. A pane reads snapshots and sends commands; it never changes anything itself.

pub mod clock;
pub mod cluster;
pub mod compare;
pub mod editor;
pub mod guide;
pub mod help;
pub mod inspector;
pub mod legend;
pub mod objects;
pub mod obstacle;
pub mod plan;
pub mod sights;
pub mod story;
pub mod terminal;
pub mod timeline;
