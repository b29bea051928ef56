//! The StatefulSet controller: pods with fixed names, made, replaced and taken away in the order of their numbers.
//!
//! Left out: adoption of ControllerRevisions, repair of pods whose identity or volumes were changed by hand.

mod identity;
mod sync;

use crate::base::BTreeMap;

use super::hash;
use super::history::{self, History};
use super::pods::{self, Owner};
use crate::api::object;
use crate::api::resource::{CONTROLLER_REVISIONS, PODS, STATEFUL_SETS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::store::{Change, Key};

const KIND: &str = "StatefulSet";
const HASH: &str = "controller.kubernetes.io/hash";

#[derive(Clone, Debug, Default)]
pub struct StatefulSets {
    /// The revision the caches must have reached before a set's pods are looked at again.
    expected: BTreeMap<Key, u64>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    set: Value,
    /// Its pods and orphans it may take in.
    pods: Vec<Value>,
    revisions: Vec<Value>,
    /// Claims its pods have or would have.
    claims: Vec<Value>,
    now: Time,
}

fn owner(child: &Value) -> Option<Key> {
    let owner = object::controller_of(child).filter(|owner| owner["kind"].str() == KIND)?;
    Some(Key { resource: STATEFUL_SETS, namespace: object::namespace(child).into(), name: owner["name"].smol() })
}

fn selects(set: &Value, labels: &Value) -> bool {
    let selector = set["spec"].get("selector");
    !selector.is_empty() && object::matches(selector, labels)
}

impl Reconciler for StatefulSets {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let (before, after) = (&change.before, &change.after);
        if change.key.resource == STATEFUL_SETS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == PODS {
            let (was, is) = (owner(before), owner(after));
            if was != is
                && let Some(key) = was
            {
                add(key, Span::ZERO);
            }
            if let Some(key) = is {
                let turned_ready = !pods::is_ready(before) && pods::is_ready(after);
                let min_ready = see.get(&key).map_or(0, |set| set["spec"]["minReadySeconds"].int());
                if turned_ready && min_ready > 0 {
                    add(key.clone(), Span::seconds(min_ready.saturating_add(1)));
                }
                add(key, Span::ZERO);
            } else if !after.is_null() && object::controller_of(after).is_none() {
                let labels = after["metadata"].get("labels");
                for (key, set) in see.list(&STATEFUL_SETS, Some(&change.key.namespace)) {
                    if selects(set, labels) {
                        add(key.clone(), Span::ZERO);
                    }
                }
            }
        }
    }

    fn expect(&mut self, key: &Key, revision: u64) {
        self.expected.insert(key.clone(), revision);
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let Some(set) = see.get(key) else {
            self.expected.remove(key);
            return None;
        };
        // What is still on its way wakes this set when it comes.
        if self.expected.get(key).is_some_and(|expected| *expected > see.revision()) {
            return None;
        }
        self.expected.remove(key);
        let uid = object::uid(set);
        let is_member = |pod: &Value| identity::ordinal(set, pod).is_some();
        let mut pods: Vec<Value> = see.owned(uid, &PODS).map(|(_, pod)| pod.clone()).collect();
        let orphans = see.owned("", "pods").filter(|(at, _)| at.namespace == key.namespace).map(|(_, pod)| pod);
        pods.extend(orphans.filter(|pod| is_member(pod) && selects(set, pod["metadata"].get("labels"))).cloned());
        let templates = set["spec"]["volumeClaimTemplates"].items();
        let claims = see.list("persistentvolumeclaims", Some(&key.namespace)).map(|(_, claim)| claim.clone());
        let claims = if templates.is_empty() { Vec::new() } else { claims.collect() };
        let revisions = see.owned(uid, &CONTROLLER_REVISIONS).map(|(_, revision)| revision.clone()).collect();
        Some(Inputs { set: set.clone(), pods, revisions, claims, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let set = &inputs.set;
        let selector = set["spec"].get("selector");
        if selector["matchLabels"].is_empty() && selector["matchExpressions"].is_empty() {
            let text = "This stateful set is selecting all pods. A non-empty selector is required.";
            io.event(set, EventType::Warning, "SelectingAll", text);
            return Ok(());
        }
        let owner = Owner { object: set, api_version: "apps/v1", kind: KIND };
        let mine = pods::claim(&owner, &inputs.pods, |labels| selects(set, labels), io)?;
        let template = set["spec"].get("template");
        let of_template = hash::of_revision(template, Some(set["status"]["collisionCount"].int()));
        let snapshot = history::snapshot(&owner, &of_template, HASH, hash::revision_data(template));
        let history = History::bring_up(&owner, &STATEFUL_SETS, inputs.revisions.clone(), snapshot, io)?;
        let mut sync = sync::Sync::new(inputs, mine, &history);
        let done = sync.run(io)?;
        sync.write_status(io)?;
        if let Err(error) = done {
            return Err(Stop::Retry(error));
        }
        let limit = set["spec"]["revisionHistoryLimit"].as_int().unwrap_or(10);
        history.cut(limit, |one| sync.lives(object::name(one)), io)
    }
}
