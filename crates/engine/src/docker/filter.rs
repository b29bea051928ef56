//! The `filters` parameter: `{"status": ["running"]}`, or the older `{"status": {"running": true}}`.

use super::{Outcome, fail};
use crate::base::http::Request;
use crate::base::{Time, Value, json};

pub struct Filters(Value);

impl Filters {
    /// The filters of a request; a key not among `known` is refused.
    pub fn read(request: &Request, known: &[&str]) -> Outcome<Filters> {
        let Filters(value) = Filters::of_any_key(request);
        let unknown = value.entries().keys().find(|key| !known.contains(&key.as_str())).cloned();
        match unknown {
            Some(key) if key.is_empty() => fail(400, "invalid filter"),
            Some(key) => fail(400, format!("invalid filter '{key}'")),
            None => Ok(Filters(value)),
        }
    }

    pub fn of_any_key(request: &Request) -> Filters {
        let text = request.query("filters");
        Filters(if text.is_empty() { Value::empty_map() } else { json::parse(text).unwrap_or_default() })
    }

    /// A filter that is true or false; anything else, and several that differ, are refused.
    pub fn switch(&self, key: &str) -> Outcome<Option<bool>> {
        let given = self.of(key);
        let yes = |text: &String| matches!(text.as_str(), "1" | "true");
        let no = |text: &String| matches!(text.as_str(), "0" | "false");
        match given.as_slice() {
            [] => Ok(None),
            [one] if yes(one) => Ok(Some(true)),
            [one] if no(one) => Ok(Some(false)),
            all => fail(400, format!("invalid filter '{key}=[{}]'", all.join(" "))),
        }
    }

    /// The instant of `until`: a date, seconds since 1970, or a span before now.
    pub fn until(&self, now: Time) -> Outcome<Option<Time>> {
        let given = self.of("until");
        let Some(text) = given.first() else { return Ok(None) };
        if let Ok(span) = crate::base::duration::parse(text) {
            return Ok(Some(Time(now.0.saturating_sub(span.0))));
        }
        let padded = match text.len() {
            10 => format!("{text}T00:00:00Z"),
            16 => format!("{text}:00Z"),
            19 => format!("{text}Z"),
            _ => text.to_string(),
        };
        match Time::parse(&padded).or_else(|| super::events::point(text)) {
            Some(at) => Ok(Some(at)),
            None => {
                fail(400, format!("failed to parse value as time or duration: {}", crate::base::goquote::quote(text)))
            }
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

    /// Whether the labels are all there (`key` or `key=value`), and none that must not be (`label!`).
    pub fn labels(&self, labels: &Value) -> bool {
        let is = |wanted: &String| match wanted.split_once('=') {
            Some((key, value)) => labels.has(key) && labels[key].str() == value,
            None => labels.has(wanted),
        };
        self.of("label").iter().all(is) && !self.of("label!").iter().any(is)
    }
}

/// A name against a pattern: a regular expression, or a part of the name.
pub fn name_fits(pattern: &str, name: &str) -> bool {
    match crate::shell::Regex::new(pattern, true, false) {
        Ok(regex) => regex.is_match(name.as_bytes()),
        Err(_) => name.contains(pattern),
    }
}
