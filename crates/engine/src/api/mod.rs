//! The API server: a function from request to response over the store. Nothing else writes objects.

pub mod object;
pub mod resource;
