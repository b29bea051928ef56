//! The Deployment controller: one ReplicaSet per template, and the way from the old ones to the new one.
//!
//! A sync keeps its own copy of the Deployment as the Go original does: a second status write in one sync carries a
//! stale resourceVersion, is refused, and comes from the next sync.

mod maths;
mod rollout;
mod sets;
mod status;

use crate::api::object;
use crate::api::resource::{DEPLOYMENTS, PODS, REPLICA_SETS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::store::{Change, Key};

use super::owner::Family;
use super::pods;
use rollout::Sync;

#[derive(Clone, Debug, Default)]
pub struct Deployment;

#[derive(Clone, Debug)]
pub struct Inputs {
    deployment: Value,
    /// Its ReplicaSets, and orphans of the namespace that match.
    sets: Vec<Value>,
    /// Whether a pod of each set (by uid) still runs; only looked at by Recreate.
    running: Vec<Value>,
    now: Time,
}

const FAMILY: Family = Family {
    resource: DEPLOYMENTS,
    api_version: "apps/v1",
    kind: "Deployment",
    selects: |deployment, labels| object::matches(&deployment["spec"]["selector"], labels),
};

impl Reconciler for Deployment {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == DEPLOYMENTS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == REPLICA_SETS {
            FAMILY.wakes(see, change, add);
        } else if change.key.resource == PODS && change.after.is_null() {
            // Recreate waits for the last old pod to go.
            let set = object::controller_of(&change.before).filter(|owner| owner["kind"].str() == "ReplicaSet");
            let set = set.and_then(|set| see.find(&REPLICA_SETS, &change.key.namespace, set["name"].str()));
            if let Some(key) = set.and_then(|set| FAMILY.owner(set))
                && see.get(&key).is_some_and(|deployment| !maths::is_rolling(deployment))
            {
                add(key, Span::ZERO);
            }
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let deployment = see.get(key)?.clone();
        let mut sets: Vec<Value> =
            see.owned(object::uid(&deployment), &REPLICA_SETS).map(|(_, set)| set.clone()).collect();
        sets.extend(FAMILY.orphans(see, &deployment, &REPLICA_SETS).cloned());
        let mut running = Vec::new();
        if !maths::is_rolling(&deployment) {
            for set in &sets {
                let uid = object::uid(set);
                if see.owned(uid, &PODS).any(|(_, pod)| !pods::is_finished(pod)) {
                    running.push(Value::text(uid));
                }
            }
        }
        Some(Inputs { deployment, sets, running, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let deployment = &inputs.deployment;
        if deployment["spec"]["selector"].is_empty() {
            let text = "This deployment is selecting all pods. A non-empty selector is required.";
            io.event(deployment, EventType::Warning, "SelectingAll", text);
            return Ok(());
        }
        let mut sets = FAMILY.claim(deployment, &REPLICA_SETS, &inputs.sets, io)?;
        sets::sort_by_age(&mut sets);
        Sync::new(deployment.clone(), sets, &inputs.running, inputs.now).run(io)
    }
}
