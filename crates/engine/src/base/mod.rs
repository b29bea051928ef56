//! What everything stands on: values, time, chance, names, texts.
//!
//! Nothing here knows of Kubernetes, of components or of the agenda.

pub mod cel;
pub mod chance;
pub mod columns;
pub mod diagnostic;
pub mod diff;
pub mod digest;
pub mod duration;
pub mod float;
pub mod gap;
pub mod go_regex;
pub mod goquote;
pub mod http;
pub mod json;
pub mod order;
pub mod ordered;
pub mod quantity;
pub mod share;
pub mod smol_str;
pub mod tar;
pub mod template;
pub mod time;
pub mod value;
mod words;
pub mod yaml;
pub mod yaml_emit;
pub mod zone;

/// Room for one more entry in a queue that never holds more than `limit`, and none for more than those.
pub fn grow<T>(queue: &mut std::collections::VecDeque<T>, limit: usize) {
    let held = queue.len();
    if held == queue.capacity() && held < limit {
        queue.reserve_exact(held.max(32).min(limit - held));
    }
}

pub use chance::Chance;
pub use diagnostic::Diagnostic;
pub use gap::Gap;
pub use ordered::{BTreeMap, BTreeSet};
pub use smol_str::{SmolStr, format_smolstr};
pub use time::{Span, Time};
pub use value::{Map, Value};
