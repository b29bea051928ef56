//! Tests of the engine as a whole: one binary.

mod facts;
mod sources;
