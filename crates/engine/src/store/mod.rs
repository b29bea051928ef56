//! The cluster's memory, as etcd is: keys, values, one revision for everything, a log of changes to watch from any
//! revision that has not been compacted. It knows nothing of kinds; only the API server writes here.

use std::collections::VecDeque;

use crate::base::BTreeMap;

use crate::base::SmolStr;

use crate::base::Value;
use crate::trace::Seq;

/// Resource with group (`deployments.apps`), namespace (empty for cluster scope), name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Key {
    pub resource: SmolStr,
    pub namespace: SmolStr,
    pub name: SmolStr,
}

/// One committed change; `before` is null for a create, `after` for a removal.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub revision: u64,
    pub key: Key,
    pub before: Value,
    /// For a removal: null; what watchers see then is `before` with the removal's resourceVersion.
    pub after: Value,
    /// The trace entry of the write.
    pub entry: Seq,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    revision: u64,
    compacted: u64,
    objects: BTreeMap<Key, Value>,
    /// How many objects each resource has.
    counts: BTreeMap<SmolStr, usize>,
    log: VecDeque<Change>,
    log_limit: usize,
}

/// The watcher asked for changes that are no longer kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compacted {
    pub oldest: u64,
}

impl Store {
    /// `first` is the revision before the first write; `log_limit` changes are kept for watchers.
    pub fn new(first: u64, log_limit: usize) -> Store {
        Store {
            revision: first,
            compacted: first,
            objects: BTreeMap::new(),
            counts: BTreeMap::new(),
            log: VecDeque::new(),
            log_limit,
        }
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The revision the next write will get: objects carry it inside themselves.
    pub fn next_revision(&self) -> u64 {
        self.revision + 1
    }

    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.objects.get(key)
    }

    /// Objects of a resource, in a namespace or in all, sorted by namespace and name.
    pub fn list<'a>(
        &'a self,
        resource: &'a str,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        let start = Key {
            resource: resource.into(),
            namespace: namespace.unwrap_or_default().into(),
            name: SmolStr::default(),
        };
        self.objects
            .range(start..)
            .take_while(move |(key, _)| key.resource == resource && namespace.is_none_or(|ns| key.namespace == ns))
    }

    /// Writes (`Some`) or removes (`None`) an object; the caller has compared what stood there before. Returns the
    /// revision of the change.
    pub fn write(&mut self, key: Key, after: Option<Value>, entry: Seq) -> u64 {
        self.revision += 1;
        let before = match &after {
            Some(value) => self.objects.insert(key.clone(), value.clone()),
            None => self.objects.remove(&key),
        };
        match (&before, &after) {
            (None, Some(_)) => *self.counts.entry(key.resource.clone()).or_default() += 1,
            (Some(_), None) => {
                if let Some(count) = self.counts.get_mut(&key.resource) {
                    *count = count.saturating_sub(1);
                }
            }
            _ => {}
        }
        let change = Change {
            revision: self.revision,
            key,
            before: before.unwrap_or_default(),
            after: after.unwrap_or_default(),
            entry,
        };
        crate::base::grow(&mut self.log, self.log_limit.saturating_add(1));
        self.log.push_back(change);
        while self.log.len() > self.log_limit {
            if let Some(old) = self.log.pop_front() {
                self.compacted = old.revision;
            }
        }
        self.revision
    }

    /// Changes after a revision, oldest first.
    pub fn since(&self, revision: u64) -> Result<impl Iterator<Item = &Change>, Compacted> {
        if revision < self.compacted {
            return Err(Compacted { oldest: self.compacted });
        }
        let at = self.log.partition_point(|change| change.revision <= revision);
        Ok(self.log.range(at..))
    }

    /// Objects of a resource.
    pub fn count(&self, resource: &str) -> usize {
        self.counts.get(resource).copied().unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn key(name: &str) -> Key {
        Key { resource: "pods".into(), namespace: "default".into(), name: name.into() }
    }

    #[test]
    fn watch_from_a_revision() {
        let mut store = Store::new(10, 3);
        store.write(key("a"), Some(map! { "n" => 1 }), 0);
        let from = store.revision();
        store.write(key("b"), Some(map! { "n" => 2 }), 0);
        store.write(key("a"), None, 0);
        let seen: Vec<_> = store.since(from).unwrap().map(|c| (c.key.name.clone(), c.after.is_null())).collect();
        assert_eq!(seen, [("b".into(), false), ("a".into(), true)]);
        store.write(key("c"), Some(map! {}), 0);
        assert!(store.since(10).is_err());
        assert_eq!(store.list("pods", Some("default")).count(), 2);
        assert_eq!(store.list("pods", None).count(), 2);
        assert_eq!(store.list("pod", None).count(), 0);
    }
}
