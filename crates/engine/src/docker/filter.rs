//! The `filters` parameter: `{"status": ["running"]}`, or the older `{"status": {"running": true}}`.

use super::{Outcome, fail};
use crate::base::http::Request;
use crate::base::{Value, json};

pub struct Filters(Value);

impl Filters {
    /// The filters of a request; a key not among `known` is refused.
    pub fn read(request: &Request, known: &[&str]) -> Outcome<Filters> {
        let text = request.query("filters");
        let value = if text.is_empty() { Value::empty_map() } else { json::parse(text).unwrap_or_default() };
        let unknown = value.entries().keys().find(|key| !known.contains(&key.as_str())).cloned();
        match unknown {
            Some(key) => fail(400, format!("invalid filter '{key}'")),
            None => Ok(Filters(value)),
        }
    }

    pub fn of(&self, key: &str) -> Vec<String> {
        match &self.0[key] {
            Value::Map(map) => map.keys().map(|key| key.to_string()).collect(),
            list => list.items().iter().map(|item| item.str().to_string()).collect(),
        }
    }

    pub fn has(&self, key: &str) -> bool {
        !self.of(key).is_empty()
    }

    /// Whether a key is not asked for, or one of its values holds.
    pub fn any(&self, key: &str, holds: impl Fn(&str) -> bool) -> bool {
        let wanted = self.of(key);
        wanted.is_empty() || wanted.iter().any(|value| holds(value))
    }

    /// Whether the labels are all there: `key` or `key=value`.
    pub fn labels(&self, labels: &Value) -> bool {
        self.of("label").iter().all(|wanted| match wanted.split_once('=') {
            Some((key, value)) => labels.has(key) && labels[key].str() == value,
            None => labels.has(wanted),
        })
    }
}

/// A name against a pattern: a regular expression, or a part of the name.
pub fn name_fits(pattern: &str, name: &str) -> bool {
    match crate::shell::Regex::new(pattern, true, false) {
        Ok(regex) => regex.is_match(name.as_bytes()),
        Err(_) => name.contains(pattern),
    }
}
