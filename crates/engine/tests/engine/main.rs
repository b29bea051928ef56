//! Tests of the engine as a whole: one binary.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests read the sources and the clock")]
#![allow(unsafe_code, reason = "an allocator that counts")]

mod facts;
mod gaps;
mod limits;
mod sources;
mod terraform;
mod terraform_peer;
mod yaml_peer;
