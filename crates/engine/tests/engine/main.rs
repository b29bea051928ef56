//! Tests of the engine as a whole: one binary.

#![expect(clippy::disallowed_methods, reason = "tests read the sources")]

mod facts;
mod gaps;
mod sources;
mod terraform;
mod terraform_peer;
