//! What everything stands on: values, time, chance, names, texts.
//!
//! Nothing here knows of Kubernetes, of components or of the agenda.

pub mod chance;
pub mod diagnostic;
pub mod gap;
pub mod http;
pub mod json;
pub mod time;
pub mod value;

pub use chance::Chance;
pub use diagnostic::Diagnostic;
pub use gap::Gap;
pub use smol_str::{SmolStr, ToSmolStr, format_smolstr};
pub use time::{Span, Time};
pub use value::{Map, Value};
