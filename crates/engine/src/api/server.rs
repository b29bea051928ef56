//! The request handler.
