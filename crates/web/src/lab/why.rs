//! Why something is as it is: the chain of causes in the trace, from an object, a condition or an entry back to the
//! command that a person typed. Looks that led to a write by the same component are left out: the write tells it.

use engine::api::{object, resource};
use engine::base::Time;
use engine::trace::{ObjectRef, Seq, Trace, What};

use super::story::{Kind, Mark, mark};

#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Why is it as it is?
    Object(ObjectRef),
    /// Why does a condition have its status?
    Condition(ObjectRef, String),
    /// Why did this happen?
    Entry(Seq),
}

/// Steps told at most.
const MOST: usize = 60;

/// Newest first; nothing when the trace no longer remembers.
pub fn why(trace: &Trace, question: &Question, at: Option<Time>) -> Vec<Mark> {
    let first = match question {
        Question::Entry(seq) => Some(*seq),
        Question::Object(of) => changed(trace, of, at, None),
        Question::Condition(of, kind) => changed(trace, of, at, Some(kind)),
    };
    let mut chain: Vec<Mark> = Vec::new();
    for entry in first.map(|seq| trace.why(seq)).unwrap_or_default() {
        let step = mark(entry);
        let is_aside = matches!(step.kind, Kind::Look | Kind::Refused(409));
        if !(is_aside && chain.last().is_some_and(|last| last.actor == step.actor)) && chain.len() < MOST {
            chain.push(step);
        }
    }
    chain
}

/// The last write of an object (that changed a condition).
fn changed(trace: &Trace, of: &ObjectRef, at: Option<Time>, condition: Option<&str>) -> Option<Seq> {
    let entries = trace.entries().rev().filter(|entry| at.is_none_or(|at| entry.at <= at));
    let mut entries = entries.filter_map(|entry| match &entry.what {
        What::Write(write) if write.object.uid == of.uid && write.object.resource == of.resource => {
            Some((entry.seq, write))
        }
        _ => None,
    });
    let found = entries.find(|(_, write)| match condition {
        Some(kind) => object::condition(&write.before, kind) != object::condition(&write.after, kind),
        None if of.resource == resource::EVENTS => true,
        None => write.before["status"] != write.after["status"] || write.before["spec"] != write.after["spec"],
    });
    found.map(|(seq, _)| seq)
}
