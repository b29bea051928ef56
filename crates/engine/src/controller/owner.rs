//! What controllers do for the sake of ownership: find the owner of a child that changed, wait until their own writes
//! have come back, take in orphans, let go of what matches no more.
//!
//! Left out: the live read before an adoption.

use super::pods;
use crate::api::object;
use crate::api::resource::{PatchKind, Resource};
use crate::base::{BTreeMap, Span, Value};
use crate::informer::{Caches, Io, Stop};
use crate::map;
use crate::store::{Change, Key};

/// The object of a kind that controls a child.
pub fn of(child: &Value, resource: &Resource, kind: &str) -> Option<Key> {
    let owner = object::controller_of(child).filter(|owner| owner["kind"].str() == kind)?;
    Some(Key {
        resource: resource.clone(),
        namespace: child["metadata"]["namespace"].smol(),
        name: owner["name"].smol(),
    })
}

/// Whether a label selector selects; an empty one selects nothing.
pub fn selects(owner: &Value, labels: &Value) -> bool {
    let selector = owner["spec"].get("selector");
    !selector.is_empty() && object::matches(selector, labels)
}

/// A kind whose objects own the children they select, as the owner references of those children name it.
#[derive(Clone, Debug)]
pub struct Family {
    pub resource: Resource,
    pub api_version: &'static str,
    pub kind: &'static str,
    /// Whether an owner selects a child with these labels.
    pub selects: fn(&Value, &Value) -> bool,
}

impl Family {
    pub fn owner(&self, child: &Value) -> Option<Key> {
        of(child, &self.resource, self.kind)
    }

    /// A child has changed: the owner it had, the one it has, or, when it is an orphan, all that would take it in.
    pub fn wakes(&self, see: &Caches, change: &Change, add: &mut dyn FnMut(Key, Span)) {
        let (before, after) = (self.owner(&change.before), self.owner(&change.after));
        if before != after
            && let Some(key) = before
        {
            add(key, Span::ZERO);
        }
        if let Some(key) = after {
            add(key, Span::ZERO);
        } else if !change.after.is_null() && object::controller_of(&change.after).is_none() {
            let labels = change.after["metadata"].get("labels");
            for (key, owner) in see.list(&self.resource, Some(&change.key.namespace)) {
                if (self.selects)(owner, labels) {
                    add(key.clone(), Span::ZERO);
                }
            }
        }
    }

    /// A pod that has just become ready is available after a while.
    pub fn wakes_when_available(&self, see: &Caches, change: &Change, add: &mut dyn FnMut(Key, Span)) {
        if pods::is_ready(&change.before) || !pods::is_ready(&change.after) {
            return;
        }
        let Some(key) = self.owner(&change.after) else { return };
        let min_ready = see.get(&key).map_or(0, |owner| owner["spec"]["minReadySeconds"].int());
        if min_ready > 0 {
            add(key, Span::seconds(min_ready.saturating_add(1)));
        }
    }

    /// Children of nobody that an owner selects.
    pub fn orphans<'a>(
        &'a self,
        see: &'a Caches,
        owner: &'a Value,
        children: &'a str,
    ) -> impl Iterator<Item = &'a Value> {
        let namespace = object::namespace(owner);
        let orphans = see.owned("", children).filter(move |(at, _)| at.namespace == namespace);
        orphans.map(|(_, child)| child).filter(|child| (self.selects)(owner, child["metadata"].get("labels")))
    }

    /// Takes in orphans that match, lets go of what matches no more.
    pub fn claim(
        &self,
        owner: &Value,
        resource: &Resource,
        children: &[Value],
        io: &mut Io<'_>,
    ) -> Result<Vec<Value>, Stop> {
        let mut mine = Vec::with_capacity(children.len());
        for child in children {
            let fits = (self.selects)(owner, child["metadata"].get("labels"));
            let owned = object::controller_of(child).is_some();
            if owned && fits {
                mine.push(child.clone());
                continue;
            }
            // Only pods finish.
            let is_over = object::is_deleting(child) || object::is_finished(child);
            if object::is_deleting(owner) || (!owned && is_over) {
                continue;
            }
            let reference = match owned {
                true => map! { "$patch" => "delete", "uid" => object::uid(owner) },
                false => object::owned_by(owner, self.api_version, self.kind),
            };
            let body = map! { "metadata" => map! {
                "ownerReferences" => vec![reference], "uid" => object::uid(child),
            } };
            let (namespace, name) = (object::namespace(child), object::name(child));
            let answer = io.send(io.client.patch(resource, namespace, name, "", PatchKind::Strategic, body))?;
            match (answer.ok(), answer.code) {
                (true, _) if owned => {}
                (true, _) => mine.push(answer.value().clone()),
                (false, 404 | 422) => {}
                _ => return Err(Stop::Retry(answer.value()["message"].str().into())),
            }
        }
        Ok(mine)
    }
}

/// The revision the caches must have reached before the children of an object are counted again (client-go's
/// expectations).
#[derive(Clone, Debug, Default)]
pub struct Expected(BTreeMap<Key, u64>);

impl Expected {
    pub fn expect(&mut self, key: &Key, revision: u64) {
        self.0.insert(key.clone(), revision);
    }

    pub fn forget(&mut self, key: &Key) {
        self.0.remove(key);
    }

    /// Whether the caches hold all that earlier syncs did; what is still on its way wakes the object when it comes.
    pub fn is_met(&mut self, see: &Caches, key: &Key) -> bool {
        let met = self.0.get(key).is_none_or(|expected| *expected <= see.revision());
        if met {
            self.forget(key);
        }
        met
    }
}
