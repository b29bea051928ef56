//! The API server: a function from request to response over the store. Nothing else writes objects.

pub mod claims;
pub mod object;
pub mod placement;
pub mod resource;
pub mod schema;

pub mod decode;
pub mod defaults;
pub mod validation;

pub mod field_error;
pub mod selector;
pub mod status;

pub mod apply;
pub mod patch;
pub mod table;

pub(crate) mod server;

pub use server::allocate::range_holds;
pub use server::{Answer, Config, Cx, NodeCall, NodeCallKind, Server};
