//! client-go's work queue: a key waits once however often it is added; a key added while its worker runs waits until
//! the worker is done; failures come back after 5 ms · 2ⁿ, at most 1000 s.

use std::collections::VecDeque;

use crate::base::{BTreeMap, BTreeSet};

use crate::base::{Span, Time};
use crate::store::Key;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Queue {
    ready: VecDeque<Key>,
    dirty: BTreeSet<Key>,
    running: BTreeSet<Key>,
    delayed: BTreeMap<Key, Time>,
    failures: BTreeMap<Key, u32>,
}

impl Queue {
    pub fn add(&mut self, key: Key) {
        if self.dirty.insert(key.clone()) && !self.running.contains(&key) {
            self.ready.push_back(key);
        }
    }

    /// Adds at a time; an earlier time already planned for the key stays.
    pub fn add_at(&mut self, key: Key, at: Time) -> bool {
        match self.delayed.get(&key) {
            Some(planned) if *planned <= at => false,
            _ => {
                self.delayed.insert(key, at);
                true
            }
        }
    }

    /// The wait before the next attempt of a key that failed again.
    pub fn failed(&mut self, key: &Key) -> Span {
        let failures = self.failures.entry(key.clone()).or_default();
        let wait = Span::millis(5i64 << (*failures).min(18));
        *failures += 1;
        wait.min(Span::seconds(1000))
    }

    pub fn forget(&mut self, key: &Key) {
        self.failures.remove(key);
    }

    /// Moves what is due into the queue.
    pub fn release(&mut self, now: Time) {
        let due: Vec<Key> = self.delayed.iter().filter(|(_, at)| **at <= now).map(|(key, _)| key.clone()).collect();
        for key in due {
            self.delayed.remove(&key);
            self.add(key);
        }
    }

    /// The next key to work on; it counts as running until `done`.
    pub fn take(&mut self) -> Option<Key> {
        let key = self.ready.pop_front()?;
        self.dirty.remove(&key);
        self.running.insert(key.clone());
        Some(key)
    }

    pub fn done(&mut self, key: &Key) {
        self.running.remove(key);
        if self.dirty.contains(key) {
            self.ready.push_back(key.clone());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }
}
