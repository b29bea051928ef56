//! What happened, in order, and why: every entry knows the entry that caused it.
//!
//! The trace is append-only and bounded; its hash covers everything ever pushed. It draws no conclusions about
//! Kubernetes: the time line and the inspector ask it questions.

mod actor;
mod hash;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::SmolStr;

use crate::base::{Time, Value};

pub use actor::{Actor, Controller, Role};
pub use hash::Hash;

/// The number of an entry; 0 is "no cause" (setup, or a cause older than the trace keeps).
pub type Seq = u64;

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub seq: Seq,
    pub at: Time,
    pub actor: Actor,
    pub cause: Seq,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The API server committed a write.
    Write(Arc<Write>),
    /// The API server refused a write.
    Refused {
        verb: &'static str,
        object: Arc<ObjectRef>,
        code: u16,
        message: String,
    },
    /// A controller, the scheduler or a kubelet began to work on an object.
    Sync {
        object: Arc<ObjectRef>,
    },
    /// A span with a name began or ended: an image pull, a back-off, a start.
    Begin {
        name: SmolStr,
        object: Arc<ObjectRef>,
        detail: String,
    },
    End {
        name: SmolStr,
        object: Arc<ObjectRef>,
        detail: String,
    },
    /// A process started or stopped in a container.
    Started {
        object: Arc<ObjectRef>,
        container: SmolStr,
    },
    Stopped {
        object: Arc<ObjectRef>,
        container: SmolStr,
        code: i32,
    },
    /// The user entered a line; the prompt came back; its objects are as declared.
    Command {
        line: String,
    },
    Returned {
        line: String,
        code: i32,
    },
    Converged {
        line: String,
    },
    /// Anything else worth a mark: `kind` is a stable word, `text` for people.
    Mark {
        kind: SmolStr,
        text: String,
    },
}

/// A committed write, with the object before and after (shared with the store).
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// `create`, `update`, `patch`, `delete` (the object left the store), `mark` (a deletion that has only begun).
    pub verb: &'static str,
    pub object: ObjectRef,
    pub subresource: SmolStr,
    pub manager: SmolStr,
    pub revision: u64,
    pub before: Value,
    pub after: Value,
}

/// Which object; `resource` is the plural with its group (`deployments.apps`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ObjectRef {
    pub resource: SmolStr,
    pub namespace: SmolStr,
    pub name: SmolStr,
    pub uid: SmolStr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    entries: VecDeque<Entry>,
    next: Seq,
    limit: usize,
    hash: Hash,
}

impl Trace {
    /// Keeps the newest `limit` entries.
    pub fn new(limit: usize) -> Trace {
        Trace { entries: VecDeque::new(), next: 1, limit, hash: Hash::default() }
    }

    pub fn push(&mut self, at: Time, actor: Actor, cause: Seq, what: What) -> Seq {
        self.push_shared(at, actor, cause, what, |_| {})
    }

    /// The same; what is kept goes through `share` first, which changes nothing but where equal content stands.
    pub fn push_shared(
        &mut self,
        at: Time,
        actor: Actor,
        cause: Seq,
        what: What,
        share: impl FnOnce(&mut What),
    ) -> Seq {
        let seq = self.next;
        self.next += 1;
        let mut entry = Entry { seq, at, actor, cause, what };
        self.hash.entry(&entry);
        share(&mut entry.what);
        if self.entries.len() == self.limit {
            self.entries.pop_front();
        }
        crate::base::grow(&mut self.entries, self.limit);
        self.entries.push_back(entry);
        seq
    }

    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> + ExactSizeIterator {
        self.entries.iter()
    }

    pub fn get(&self, seq: Seq) -> Option<&Entry> {
        let first = self.entries.front()?.seq;
        self.entries.get(usize::try_from(seq.checked_sub(first)?).ok()?)
    }

    /// Entries with a number above `seq`, oldest first.
    pub fn since(&self, seq: Seq) -> impl DoubleEndedIterator<Item = &Entry> {
        let first = self.entries.front().map_or(0, |e| e.seq);
        let skip = usize::try_from((seq + 1).saturating_sub(first)).unwrap_or(usize::MAX);
        self.entries.range(skip.min(self.entries.len())..)
    }

    /// The entry, what caused it, what caused that, …
    pub fn why(&self, seq: Seq) -> Vec<&Entry> {
        let mut chain = Vec::new();
        let mut next = self.get(seq);
        while let Some(entry) = next {
            chain.push(entry);
            next = if entry.cause < entry.seq { self.get(entry.cause) } else { None };
        }
        chain
    }

    /// The number of the newest entry.
    pub fn last(&self) -> Seq {
        self.next - 1
    }

    pub fn hash(&self) -> u64 {
        self.hash.value()
    }
}
