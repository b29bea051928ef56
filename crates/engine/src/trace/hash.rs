//! A running hash over everything pushed: two runs are the same when it is. Of a write only the difference between
//! before and after is read, so shared subtrees cost nothing.

use super::{Entry, ObjectRef, What};
use crate::base::Value;

/// FNV-1a, 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub fn value(self) -> u64 {
        self.0
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(&[0xff]);
    }

    fn number(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }

    fn object(&mut self, object: &ObjectRef) {
        for part in [&object.resource, &object.namespace, &object.name] {
            self.text(part);
        }
    }

    pub(super) fn entry(&mut self, entry: &Entry) {
        self.number(entry.at.0 as u64);
        self.number(entry.cause);
        self.text(&entry.actor.name());
        match &entry.what {
            What::Write(write) => {
                self.text(write.verb);
                self.object(&write.object);
                self.text(&write.subresource);
                self.text(&write.manager);
                self.number(write.revision);
                self.difference(&write.before, &write.after);
            }
            What::Refused { verb, object, code, message } => {
                self.text(verb);
                self.object(object);
                self.number(u64::from(*code));
                self.text(message);
            }
            What::Sync { object } => self.object(object),
            What::Begin { name, object, detail } | What::End { name, object, detail } => {
                self.text(name);
                self.object(object);
                self.text(detail);
            }
            What::Started { object, container } => {
                self.object(object);
                self.text(container);
            }
            What::Stopped { object, container, code } => {
                self.object(object);
                self.text(container);
                self.number(*code as u64);
            }
            What::Command { line } | What::Converged { line } => self.text(line),
            What::Returned { line, code } => {
                self.text(line);
                self.number(*code as u64);
            }
            What::Mark { kind, text } => {
                self.text(kind);
                self.text(text);
            }
        }
    }

    fn difference(&mut self, before: &Value, after: &Value) {
        if before.same(after) {
            return;
        }
        match (before, after) {
            (Value::Map(a), Value::Map(b)) => {
                for (key, value) in b.iter() {
                    let old = before.get(key);
                    if !old.same(value) {
                        self.text(key);
                        self.difference(old, value);
                    }
                }
                for key in a.keys().filter(|key| !b.contains(key)) {
                    self.text(key);
                    self.bytes(b"-");
                }
            }
            (_, after) => self.value_of(after),
        }
    }

    fn value_of(&mut self, value: &Value) {
        match value {
            Value::Null => self.bytes(b"n"),
            Value::Bool(b) => self.bytes(&[b'b', u8::from(*b)]),
            Value::Int(n) => self.number(*n as u64),
            Value::Float(n) => self.number(n.to_bits()),
            Value::Text(text) => self.text(text),
            Value::List(items) => {
                self.number(items.len() as u64);
                items.iter().for_each(|item| self.value_of(item));
            }
            Value::Map(map) => {
                self.number(map.len() as u64);
                for (key, value) in map.iter() {
                    self.text(key);
                    self.value_of(value);
                }
            }
        }
    }
}
