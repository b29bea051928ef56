//! The garbage collector: deletes what lost its owners, carries foreground deletions from the leaves up, and lets go
//! of dependents when a deletion orphans them.
//!
//! Left out: owners named in another namespace (their event), the periodic resync.

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::{PatchKind, path_of};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// The resource of keys that stand for "the owner with this uid is gone".
const GONE: &str = "owners";
const FOREGROUND: &str = "foregroundDeletion";
const ORPHAN: &str = "orphan";

#[derive(Clone, Debug, Default)]
pub struct Garbage {
    known: BTreeMap<SmolStr, Key>,
    dependents: BTreeMap<SmolStr, BTreeSet<Key>>,
    /// How many of them are being deleted.
    going: BTreeMap<SmolStr, usize>,
}

#[derive(Clone, Debug)]
pub enum Inputs {
    /// Dependents of an owner that is gone, each with the uids of its owners that still exist.
    Orphaned(Vec<(Key, Value, Vec<SmolStr>)>),
    /// An owner that waits for its dependents, each with whether it has dependents itself.
    Waiting(Key, Value, Vec<(Key, Value, bool)>),
}

fn owners(object: &Value) -> &[Value] {
    object["metadata"]["ownerReferences"].items()
}

/// The uids of the owners of an object that is being deleted.
fn left_by(object: &Value) -> BTreeSet<SmolStr> {
    match object::is_deleting(object) {
        true => owners(object).iter().map(|owner| owner["uid"].smol()).collect(),
        false => BTreeSet::new(),
    }
}

/// Whether a dependent keeps the owner with this uid from going.
fn blocks(dependent: &Value, uid: &str) -> bool {
    owners(dependent).iter().any(|owner| owner["uid"].str() == uid && owner["blockOwnerDeletion"].is_true())
}

fn has_finalizer(object: &Value, name: &str) -> bool {
    object["metadata"]["finalizers"].items().iter().any(|finalizer| finalizer.str() == name)
}

fn is_waiting(object: &Value) -> bool {
    object::is_deleting(object) && (has_finalizer(object, FOREGROUND) || has_finalizer(object, ORPHAN))
}

impl Reconciler for Garbage {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let (before, after) = (&change.before, &change.after);
        for uid in left_by(after) {
            *self.going.entry(uid).or_default() += 1;
        }
        for uid in left_by(before) {
            if let Some(count) = self.going.get_mut(&uid) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.going.remove(&uid);
                }
            }
        }
        if before["metadata"]["ownerReferences"] != after["metadata"]["ownerReferences"] || before.is_null() {
            for owner in owners(before) {
                if let Some(keys) = self.dependents.get_mut(owner["uid"].str()) {
                    keys.remove(&change.key);
                    if keys.is_empty() {
                        self.dependents.remove(owner["uid"].str());
                    }
                }
            }
            for owner in owners(after) {
                let uid = owner["uid"].smol();
                self.dependents.entry(uid.clone()).or_default().insert(change.key.clone());
                if !self.known.contains_key(&uid) {
                    add(gone(&uid), Span::ZERO);
                }
            }
        }
        if before.is_null() {
            self.known.insert(after["metadata"]["uid"].smol(), change.key.clone());
        }
        if after.is_null() {
            let uid = before["metadata"]["uid"].smol();
            self.known.remove(&uid);
            if self.dependents.contains_key(&uid) {
                add(gone(&uid), Span::ZERO);
            }
            for owner in owners(before) {
                if let Some(key) = self.known.get(owner["uid"].str()) {
                    add(key.clone(), Span::ZERO);
                }
            }
        } else if is_waiting(after) && !is_waiting(before) {
            add(change.key.clone(), Span::ZERO);
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<Inputs> {
        if key.resource == GONE {
            if self.known.contains_key(&key.name) {
                return None;
            }
            let lost = self.dependents.get(&key.name)?.iter().filter_map(|key| {
                let object = see.get(key)?;
                let uids = owners(object).iter().map(|owner| owner["uid"].smol());
                Some((key.clone(), object.clone(), uids.filter(|uid| self.known.contains_key(uid)).collect()))
            });
            return Some(Inputs::Orphaned(lost.collect()));
        }
        let object = see.get(key).filter(|object| is_waiting(object))?;
        let uid = object::uid(object);
        let all = self.dependents.get(uid);
        // When all of them are going, the first that blocks tells as much as all.
        if let Some(all) = all
            && self.going.get(uid) == Some(&all.len())
            && !has_finalizer(object, ORPHAN)
        {
            let found = all.iter().find_map(|key| Some((key, see.get(key).filter(|one| blocks(one, uid))?)));
            let first = found.map(|(key, one)| (key.clone(), one.clone(), false));
            return Some(Inputs::Waiting(key.clone(), object.clone(), first.into_iter().collect()));
        }
        let dependents = all.into_iter().flatten().filter_map(|key| {
            let dependent = see.get(key)?;
            Some((key.clone(), dependent.clone(), self.dependents.contains_key(object::uid(dependent))))
        });
        Some(Inputs::Waiting(key.clone(), object.clone(), dependents.collect()))
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        match inputs {
            Inputs::Orphaned(lost) => {
                let mut requests = Vec::new();
                for (key, object, left) in lost {
                    if !left.is_empty() {
                        requests.push(drop_owners(io, key, object, |uid| left.iter().any(|one| one == uid)));
                    } else if !object::is_deleting(object) {
                        let policy = match (has_finalizer(object, ORPHAN), has_finalizer(object, FOREGROUND)) {
                            (true, _) => "Orphan",
                            (false, true) => "Foreground",
                            (false, false) => "Background",
                        };
                        requests.push(delete(io, key, object, policy));
                    }
                }
                settle(io, requests)
            }
            Inputs::Waiting(key, object, dependents) if has_finalizer(object, ORPHAN) => {
                let uid = object::uid(object);
                let requests =
                    dependents.iter().map(|(key, one, _)| drop_owners(io, key, one, |other| other != uid)).collect();
                settle(io, requests)?;
                remove_finalizer(io, key, object, ORPHAN)
            }
            Inputs::Waiting(key, object, dependents) => {
                let uid = object::uid(object);
                if !dependents.iter().any(|(_, one, _)| blocks(one, uid)) {
                    return remove_finalizer(io, key, object, FOREGROUND);
                }
                let alive = dependents.iter().filter(|(_, one, _)| !object::is_deleting(one));
                let requests = alive.map(|(key, one, has_dependents)| {
                    delete(io, key, one, if *has_dependents { "Foreground" } else { "Background" })
                });
                let requests = requests.collect();
                settle(io, requests)
            }
        }
    }
}

fn gone(uid: &SmolStr) -> Key {
    Key { resource: SmolStr::new_static(&GONE), namespace: SmolStr::default(), name: uid.clone() }
}

fn delete(io: &Io<'_>, key: &Key, object: &Value, policy: &str) -> crate::base::http::Request {
    let options = map! {
        "kind" => "DeleteOptions", "apiVersion" => "v1", "propagationPolicy" => policy,
        "preconditions" => map! { "uid" => object::uid(object) },
    };
    at(io.client.delete(&key.resource, &key.namespace, &key.name, options), key, object)
}

/// The request at the address of the object, whatever its kind.
fn at(mut request: crate::base::http::Request, key: &Key, object: &Value) -> crate::base::http::Request {
    request.path = path_of(object, key);
    request
}

/// Takes owners from an object; those with a uid that `keep` accepts stay.
fn drop_owners(io: &Io<'_>, key: &Key, object: &Value, keep: impl Fn(&str) -> bool) -> crate::base::http::Request {
    let left: Vec<Value> = owners(object).iter().filter(|owner| keep(owner["uid"].str())).cloned().collect();
    let left = if left.is_empty() { Value::Null } else { Value::from(left) };
    let body = map! { "metadata" => map! { "uid" => object::uid(object), "ownerReferences" => left } };
    at(io.client.patch(&key.resource, &key.namespace, &key.name, "", PatchKind::Merge, body), key, object)
}

fn remove_finalizer(io: &mut Io<'_>, key: &Key, object: &Value, name: &str) -> Result<(), Stop> {
    let all = object["metadata"]["finalizers"].items().iter();
    let left: Vec<Value> = all.filter(|finalizer| finalizer.str() != name).cloned().collect();
    let left = if left.is_empty() { Value::Null } else { Value::from(left) };
    // Not bound to a resourceVersion: the owner's controller writes its status at the same time.
    let body = map! { "metadata" => map! { "uid" => object::uid(object), "finalizers" => left } };
    let request = io.client.patch(&key.resource, &key.namespace, &key.name, "", PatchKind::Merge, body);
    let request = at(request, key, object);
    settle(io, vec![request])
}

/// Sends requests side by side; what is gone already is fine, what was stale is tried again.
fn settle(io: &mut Io<'_>, requests: Vec<crate::base::http::Request>) -> Result<(), Stop> {
    let answers = io.send_all(requests)?;
    match answers.iter().find(|answer| !answer.ok() && answer.code != 404) {
        Some(answer) => Err(Stop::Retry(answer.value()["message"].str().into())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependents_on_their_way_out_are_counted_once() {
        let child = |deleting: bool, owners: &[&str]| {
            let owners: Vec<Value> = owners.iter().map(|uid| map! { "uid" => *uid }).collect();
            let mut child = map! { "metadata" => map! { "uid" => "child", "ownerReferences" => owners } };
            if deleting {
                child.set(&["metadata", "deletionTimestamp"], "2026-01-05T09:00:00Z");
            }
            child
        };
        let mut garbage = Garbage::default();
        let mut before = Value::Null;
        for (after, of_a, of_b) in [
            (child(false, &["a", "a"]), 0, 0),
            (child(true, &["a", "a"]), 1, 0),
            (child(true, &["a", "b"]), 1, 1),
            (child(true, &["b"]), 0, 1),
            (child(false, &["b"]), 0, 0),
            (child(true, &["a", "b"]), 1, 1),
            (Value::Null, 0, 0),
        ] {
            let key = Key { resource: "pods".into(), namespace: "default".into(), name: "child".into() };
            let change = Change { revision: 1, key, before, after: after.clone(), entry: 0 };
            garbage.wakes(&Caches::default(), &change, Time::default(), &mut |_, _| {});
            let count = |uid: &str| garbage.going.get(uid).copied().unwrap_or(0);
            assert_eq!((count("a"), count("b")), (of_a, of_b), "{after:?}");
            before = after;
        }
    }
}
