//! `kubectl describe`.
use super::args::Args;
use super::io::{Io, Outcome};
use crate::base::Value;
pub fn describe(_args: &Args, _io: &mut Io<'_, '_>) -> Outcome { super::manifest::gap("kubectl describe", "use get -o yaml") }
pub fn template_unaligned(_template: &Value) -> String { String::new() }
