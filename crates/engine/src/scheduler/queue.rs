//! Pods that want a node: ready to be tried, backing off, or waiting for an event that can help.

use crate::base::{BTreeMap, BTreeSet};
use std::cmp::Reverse;

use crate::base::{Span, Time};
use crate::store::Key;

use super::filter::Plugin;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Queue {
    pods: BTreeMap<Key, Pod>,
    active: BTreeSet<(Reverse<i64>, Time, u64, Key)>,
    backoff: BTreeSet<(Time, Key)>,
    waiting: BTreeSet<Key>,
    added: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Pod {
    place: Place,
    priority: i64,
    attempts: u32,
    tried: Time,
    /// The plugins that rejected it; none means that any event may help.
    plugins: BTreeSet<Plugin>,
}

#[derive(Clone, Debug, PartialEq)]
enum Place {
    Active(Time, u64),
    /// Until when; after an error the whole time is waited.
    Backoff(Time, bool),
    Waiting,
    /// Being tried, or waiting for its binding.
    Out,
}

impl Queue {
    pub fn contains(&self, key: &Key) -> bool {
        self.pods.contains_key(key)
    }

    /// A new pod.
    pub fn add(&mut self, key: &Key, priority: i64, now: Time) {
        let pod = Pod { place: Place::Out, priority, attempts: 0, tried: now, plugins: BTreeSet::new() };
        self.pods.insert(key.clone(), pod);
        self.activate(key, now);
    }

    pub fn remove(&mut self, key: &Key) {
        self.unplace(key);
        self.pods.remove(key);
    }

    fn unplace(&mut self, key: &Key) {
        let Some(pod) = self.pods.get_mut(key) else { return };
        match std::mem::replace(&mut pod.place, Place::Out) {
            Place::Active(at, order) => drop(self.active.remove(&(Reverse(pod.priority), at, order, key.clone()))),
            Place::Backoff(until, _) => drop(self.backoff.remove(&(until, key.clone()))),
            Place::Waiting => drop(self.waiting.remove(key)),
            Place::Out => {}
        }
    }

    fn activate(&mut self, key: &Key, now: Time) {
        self.unplace(key);
        self.added += 1;
        if let Some(pod) = self.pods.get_mut(key) {
            pod.place = Place::Active(now, self.added);
            self.active.insert((Reverse(pod.priority), now, self.added, key.clone()));
        }
    }

    /// The next pod to try. An idle scheduler does not wait for back-offs, except after errors.
    pub fn take(&mut self, now: Time) -> Option<Key> {
        let due: Vec<Key> = self.backoff.iter().take_while(|(at, _)| *at <= now).map(|(_, key)| key.clone()).collect();
        for key in due {
            self.activate(&key, now);
        }
        let early = |(_, key): &&(Time, Key)| {
            self.pods.get(key).is_some_and(|pod| matches!(pod.place, Place::Backoff(_, false)))
        };
        let first = self.active.first().map(|(_, _, _, key)| key.clone());
        let key = first.or_else(|| self.backoff.iter().find(early).map(|(_, key)| key.clone()))?;
        self.unplace(&key);
        Some(key)
    }

    /// When the next back-off ends.
    pub fn next_backoff(&self) -> Option<Time> {
        self.backoff.first().map(|(at, _)| *at)
    }

    fn backoff_end(pod: &Pod) -> Time {
        let wait = Span::seconds(1i64 << pod.attempts.saturating_sub(1).min(4)).min(Span::seconds(10));
        pod.tried + wait
    }

    /// The pod found no node: it waits for help.
    pub fn wait(&mut self, key: &Key, plugins: BTreeSet<Plugin>, now: Time) {
        self.unplace(key);
        if let Some(pod) = self.pods.get_mut(key) {
            pod.attempts = pod.attempts.saturating_add(1);
            pod.tried = now;
            pod.plugins = plugins;
            pod.place = Place::Waiting;
            self.waiting.insert(key.clone());
        }
    }

    /// Something went wrong: the pod comes back after its back-off.
    pub fn retry(&mut self, key: &Key, now: Time) {
        self.unplace(key);
        if let Some(pod) = self.pods.get_mut(key) {
            pod.attempts = pod.attempts.saturating_add(1);
            pod.tried = now;
            let until = Queue::backoff_end(pod);
            pod.place = Place::Backoff(until, true);
            self.backoff.insert((until, key.clone()));
        }
    }

    /// Moves waiting pods that an event can help.
    pub fn wake(&mut self, now: Time, helps: impl Fn(&Key, &BTreeSet<Plugin>) -> bool) {
        let woken = |key: &&Key| self.pods.get(*key).is_some_and(|pod| helps(key, &pod.plugins));
        let keys: Vec<Key> = self.waiting.iter().filter(woken).cloned().collect();
        for key in keys {
            self.wake_one(&key, now);
        }
    }

    pub fn wake_one(&mut self, key: &Key, now: Time) {
        let Some(pod) = self.pods.get(key).filter(|pod| pod.place == Place::Waiting) else { return };
        let until = Queue::backoff_end(pod);
        if until <= now {
            self.activate(key, now);
            return;
        }
        self.unplace(key);
        if let Some(pod) = self.pods.get_mut(key) {
            pod.place = Place::Backoff(until, false);
            self.backoff.insert((until, key.clone()));
        }
    }

    /// Moves pods that waited for more than five minutes; says whether any still waits.
    pub fn flush(&mut self, now: Time) -> bool {
        let long = |key: &&Key| self.pods.get(*key).is_some_and(|pod| now - pod.tried > Span::seconds(300));
        let keys: Vec<Key> = self.waiting.iter().filter(long).cloned().collect();
        for key in keys {
            self.wake_one(&key, now);
        }
        self.is_waiting()
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }
}
