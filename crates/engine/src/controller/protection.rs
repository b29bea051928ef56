//! Protection of claims and volumes in use: one that was told to go stays as long as a pod uses the claim, or a claim
//! the volume. The other half, the finalizers themselves, is admission's.
//!
//! Left out: the live list of pods before a finalizer comes off.

use super::volume::usage::claims_of;
use crate::api::object;
use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::store::{Change, Key};

const OF_CLAIMS: &str = "kubernetes.io/pvc-protection";
const OF_VOLUMES: &str = "kubernetes.io/pv-protection";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    Claims,
    Volumes,
}

impl Protection {
    fn resource(self) -> crate::api::resource::Resource {
        match self {
            Protection::Claims => PERSISTENT_VOLUME_CLAIMS,
            Protection::Volumes => PERSISTENT_VOLUMES,
        }
    }

    fn finalizer(self) -> &'static str {
        match self {
            Protection::Claims => OF_CLAIMS,
            Protection::Volumes => OF_VOLUMES,
        }
    }
}

impl Reconciler for Protection {
    type Inputs = Value;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == self.resource() {
            if object::is_deleting(&change.after) {
                add(change.key.clone(), Span::ZERO);
            }
        } else if *self == Protection::Claims && change.key.resource == PODS && change.after.is_null() {
            for claim in claims_of(&change.before) {
                let namespace = change.key.namespace.clone();
                add(Key { resource: PERSISTENT_VOLUME_CLAIMS, namespace, name: claim.into() }, Span::ZERO);
            }
        }
    }

    /// The object, when its finalizer may come off.
    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<Value> {
        let found = see.get(key).filter(|found| object::is_deleting(found))?;
        let finalizers = found["metadata"]["finalizers"].items();
        if !finalizers.iter().any(|one| one.str() == self.finalizer()) {
            return None;
        }
        let in_use = match self {
            Protection::Claims => see.list(&PODS, Some(&key.namespace)).any(|(_, pod)| {
                !pod["spec"]["nodeName"].str().is_empty() && claims_of(pod).any(|claim| claim == key.name)
            }),
            Protection::Volumes => found["status"]["phase"].str() == "Bound",
        };
        (!in_use).then(|| found.clone())
    }

    fn reconcile(&self, found: &Value, io: &mut Io<'_>) -> Result<(), Stop> {
        let mut new = found.clone();
        let rest: Vec<Value> = found["metadata"]["finalizers"].items().to_vec();
        let rest: Vec<Value> = rest.into_iter().filter(|one| one.str() != self.finalizer()).collect();
        match rest.is_empty() {
            true => drop(new.remove(&["metadata", "finalizers"])),
            false => new.set(&["metadata", "finalizers"], rest),
        }
        let answer = io.send(io.client.update(&self.resource(), "", new))?;
        match answer.ok() || answer.code == 404 {
            true => Ok(()),
            false => Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
}
