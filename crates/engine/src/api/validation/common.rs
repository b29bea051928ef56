//! What all validators share: a list of errors that grows, and the small rules behind many fields.

use super::names::{self, Complaints};
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;

/// The errors found so far.
#[derive(Debug, Default)]
pub struct Errors(pub Vec<FieldError>);

impl Errors {
    pub fn push(&mut self, error: FieldError) {
        self.0.push(error);
    }

    pub fn required(&mut self, path: &Path, detail: &str) {
        self.push(FieldError::required(path, detail));
    }

    pub fn invalid(&mut self, path: &Path, value: impl Into<Value>, detail: &str) {
        self.push(FieldError::invalid(path, value, detail));
    }

    pub fn forbidden(&mut self, path: &Path, detail: &str) {
        self.push(FieldError::forbidden(path, detail));
    }

    /// One error for each complaint about a text.
    pub fn complain(&mut self, path: &Path, text: &str, complaints: Complaints) {
        for complaint in complaints {
            self.invalid(path, text, &complaint);
        }
    }

    /// A text out of a list, told in this order; "" counts as a value.
    pub fn one_of(&mut self, path: &Path, value: &Value, supported: &[&str]) {
        if !supported.contains(&value.str()) {
            self.push(FieldError::not_supported(path, value.str(), supported));
        }
    }

    /// The same for a field that may be absent.
    pub fn one_of_if_set(&mut self, path: &Path, value: &Value, supported: &[&str]) {
        if !value.is_null() {
            self.one_of(path, value, supported);
        }
    }

    pub fn not_negative(&mut self, path: &Path, value: &Value) {
        if value.int() < 0 {
            self.invalid(path, value, names::NOT_NEGATIVE);
        }
    }

    pub fn port(&mut self, path: &Path, number: i64) {
        if !(1..=65535).contains(&number) {
            self.invalid(path, number, names::PORT);
        }
    }

    /// A named or numbered port.
    pub fn port_or_name(&mut self, path: &Path, port: &Value) {
        match port {
            Value::Text(name) => self.complain(path, name, names::port_name(name)),
            other => self.port(path, other.int()),
        }
    }

    pub fn label_key(&mut self, path: &Path, key: &str) {
        self.complain(path, key, names::qualified(key));
    }

    /// Labels: keys and values.
    pub fn labels(&mut self, path: &Path, labels: &Value) {
        for (key, value) in labels.entries().iter() {
            self.label_key(path, key);
            self.complain(path, value.str(), names::label_value(value.str()));
        }
    }

    /// A count or a percentage.
    pub fn count_or_percent(&mut self, path: &Path, value: &Value) {
        match value {
            Value::Text(text) => {
                if names::percent(text).is_none() {
                    self.invalid(path, value, names::PERCENT);
                }
            }
            other => self.not_negative(path, other),
        }
    }

    pub fn at_most_full(&mut self, path: &Path, value: &Value) {
        if names::percent(value.str()).is_some_and(|percent| percent > 100) {
            self.invalid(path, value, "must not be greater than 100%");
        }
    }

    /// A field an update may not change; the new value is told.
    pub fn immutable(&mut self, path: &Path, new: &Value, old: &Value) {
        if !same(new, old) {
            self.invalid(path, new, names::IMMUTABLE);
        }
    }
}

/// Equal as the server's semantic comparison has it: a field without content is one that is absent.
pub fn same(a: &Value, b: &Value) -> bool {
    let hollow = |value: &Value| match value {
        Value::Null => true,
        Value::List(items) => items.is_empty(),
        Value::Map(map) => map.is_empty(),
        _ => false,
    };
    match (a, b) {
        _ if a.same(b) || (hollow(a) && hollow(b)) => true,
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        (Value::Map(_), Value::Map(_)) => {
            let within = |a: &Value, b: &Value| a.entries().iter().all(|(key, value)| same(value, b.get(key)));
            within(a, b) && b.entries().iter().all(|(key, value)| a.has(key) || same(&Value::Null, value))
        }
        // A map of nothing but hollow fields is hollow, too (`metadata: {}` against `metadata: {labels: {}}`).
        (Value::Map(map), Value::Null) | (Value::Null, Value::Map(map)) => {
            map.values().all(|value| same(value, &Value::Null))
        }
        _ => a == b,
    }
}
