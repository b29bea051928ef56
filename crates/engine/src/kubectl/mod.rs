//! kubectl 1.37: arguments to requests to text, one file per verb.

pub mod output;
