//! The Deployment controller: one ReplicaSet per template, and the way from the old ones to the new one.
//!
//! A sync keeps its own copy of the Deployment as the Go original does: a second status write in one sync carries a
//! stale resourceVersion, is refused, and comes from the next sync.

mod maths;
mod rollout;
mod sets;
mod status;

use crate::api::object;
use crate::api::resource::{DEPLOYMENTS, PODS, PatchKind, REPLICA_SETS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::store::{Change, Key};

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

/// The Deployment a ReplicaSet belongs to.
fn owner(set: &Value) -> Option<Key> {
    let owner = object::controller_of(set).filter(|owner| owner["kind"].str() == "Deployment")?;
    Some(Key { resource: DEPLOYMENTS, namespace: object::namespace(set).into(), name: owner["name"].smol() })
}

impl Reconciler for Deployment {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == DEPLOYMENTS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == REPLICA_SETS {
            let (before, after) = (owner(&change.before), owner(&change.after));
            if before != after
                && let Some(key) = before
            {
                add(key, Span::ZERO);
            }
            if let Some(key) = after {
                add(key, Span::ZERO);
            } else if !change.after.is_null() && object::controller_of(&change.after).is_none() {
                let labels = change.after["metadata"].get("labels");
                for (key, deployment) in see.list(&DEPLOYMENTS, Some(&change.key.namespace)) {
                    if object::matches(&deployment["spec"]["selector"], labels) {
                        add(key.clone(), Span::ZERO);
                    }
                }
            }
        } else if change.key.resource == PODS && change.after.is_null() {
            // Recreate waits for the last old pod to go.
            let set = object::controller_of(&change.before).filter(|owner| owner["kind"].str() == "ReplicaSet");
            let set = set.and_then(|set| see.find(&REPLICA_SETS, &change.key.namespace, set["name"].str()));
            if let Some(key) = set.and_then(owner)
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
        let resource = REPLICA_SETS;
        let orphans = see.owned("", &resource).filter(|(at, set)| {
            at.namespace == key.namespace
                && object::matches(&deployment["spec"]["selector"], set["metadata"].get("labels"))
        });
        sets.extend(orphans.map(|(_, set)| set.clone()));
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
        let sets = claim(inputs, io)?;
        Sync::new(deployment.clone(), sets, &inputs.running, inputs.now).run(io)
    }
}

/// Takes in orphans that match, lets go of what matches no more; oldest first.
fn claim(inputs: &Inputs, io: &mut Io<'_>) -> Result<Vec<Value>, Stop> {
    let deployment = &inputs.deployment;
    let mut mine = Vec::new();
    for set in &inputs.sets {
        let fits = object::matches(&deployment["spec"]["selector"], set["metadata"].get("labels"));
        let owned = object::controller_of(set).is_some();
        if owned && fits {
            mine.push(set.clone());
            continue;
        }
        if object::is_deleting(deployment) || (!owned && object::is_deleting(set)) {
            continue;
        }
        let body = match owned {
            true => pods::release(deployment, set),
            false => pods::adopt(deployment, "apps/v1", "Deployment", set),
        };
        let (namespace, name) = (object::namespace(set), object::name(set));
        let answer = io.send(io.client.patch(&REPLICA_SETS, namespace, name, "", PatchKind::Strategic, body))?;
        match (answer.ok(), answer.code) {
            (true, _) if owned => {}
            (true, _) => mine.push(answer.value().clone()),
            (false, 404 | 422) => {}
            _ => return Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
    sets::sort_by_age(&mut mine);
    Ok(mine)
}
