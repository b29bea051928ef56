//! All functions by name.

use super::{Function};

pub static FUNCTIONS: &[Function] = &[];
