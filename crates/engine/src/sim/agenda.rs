//! The agenda: items due at instants; equal instants keep the order in which items were added.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::base::Time;
use crate::trace::Seq;

#[derive(Clone, Debug)]
pub struct Agenda<W> {
    heap: BinaryHeap<Reverse<Due<W>>>,
    added: u64,
}

#[derive(Clone, Debug)]
pub struct Due<W> {
    pub at: Time,
    order: u64,
    pub cause: Seq,
    pub wake: W,
}

impl<W> Default for Agenda<W> {
    fn default() -> Agenda<W> {
        Agenda { heap: BinaryHeap::new(), added: 0 }
    }
}

impl<W> Agenda<W> {
    pub fn add(&mut self, at: Time, cause: Seq, wake: W) {
        self.added += 1;
        self.heap.push(Reverse(Due { at, order: self.added, cause, wake }));
    }

    pub fn next_at(&self) -> Option<Time> {
        self.heap.peek().map(|due| due.0.at)
    }

    /// Takes the earliest item that is due by `until`.
    pub fn take(&mut self, until: Time) -> Option<Due<W>> {
        if self.next_at()? > until {
            return None;
        }
        self.heap.pop().map(|due| due.0)
    }

    pub fn len(&self) -> usize {
        self.heap.len()
    }

    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// What is due, in no particular order: for questions such as "is anything but background left?".
    pub fn iter(&self) -> impl Iterator<Item = &Due<W>> {
        self.heap.iter().map(|due| &due.0)
    }
}

impl<W> PartialEq for Due<W> {
    fn eq(&self, other: &Due<W>) -> bool {
        (self.at, self.order) == (other.at, other.order)
    }
}
impl<W> Eq for Due<W> {}
impl<W> PartialOrd for Due<W> {
    fn partial_cmp(&self, other: &Due<W>) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<W> Ord for Due<W> {
    fn cmp(&self, other: &Due<W>) -> std::cmp::Ordering {
        (self.at, self.order).cmp(&(other.at, other.order))
    }
}
