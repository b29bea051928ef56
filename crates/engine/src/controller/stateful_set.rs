//! The StatefulSet controller: pods with fixed names, made, replaced and taken away in the order of their numbers.
//!
//! Left out: repair of pods whose identity or volumes were changed by hand.

mod identity;
mod sync;

use super::hash;
use super::history::{self, History};
use super::owner::{self, Expected, Family};
use crate::api::object;
use crate::api::resource::{CONTROLLER_REVISIONS, PODS, STATEFUL_SETS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::store::{Change, Key};

const FAMILY: Family =
    Family { resource: STATEFUL_SETS, api_version: "apps/v1", kind: "StatefulSet", selects: owner::selects };
const HASH: &str = "controller.kubernetes.io/hash";

#[derive(Clone, Debug, Default)]
pub struct StatefulSets {
    expected: Expected,
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

impl Reconciler for StatefulSets {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == STATEFUL_SETS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == PODS {
            FAMILY.wakes_when_available(see, change, add);
            FAMILY.wakes(see, change, add);
        }
    }

    fn expect(&mut self, key: &Key, revision: u64) {
        self.expected.expect(key, revision);
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let Some(set) = see.get(key) else {
            self.expected.forget(key);
            return None;
        };
        if !self.expected.is_met(see, key) {
            return None;
        }
        let uid = object::uid(set);
        let is_member = |pod: &Value| identity::ordinal(set, pod).is_some();
        let mut pods: Vec<Value> = see.owned(uid, &PODS).map(|(_, pod)| pod.clone()).collect();
        pods.extend(FAMILY.orphans(see, set, &PODS).filter(|pod| is_member(pod)).cloned());
        let templates = set["spec"]["volumeClaimTemplates"].items();
        let claims = see.list("persistentvolumeclaims", Some(&key.namespace)).map(|(_, claim)| claim.clone());
        let claims = if templates.is_empty() { Vec::new() } else { claims.collect() };
        let revisions = history::revisions(&FAMILY, see, set);
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
        let revisions = FAMILY.claim(set, &CONTROLLER_REVISIONS, &inputs.revisions, io)?;
        let mine = FAMILY.claim(set, &PODS, &inputs.pods, io)?;
        let template = set["spec"].get("template");
        let of_template = hash::of_revision(template, Some(set["status"]["collisionCount"].int()));
        let snapshot = history::snapshot(&FAMILY, set, &of_template, HASH, hash::revision_data(template));
        let history = History::bring_up(&FAMILY, set, revisions, snapshot, io)?;
        let mut sync = sync::Sync::new(inputs, mine, &history);
        let done = sync.run(io)?;
        sync.write_status(io)?;
        done.map_err(Stop::Retry)?;
        let limit = set["spec"]["revisionHistoryLimit"].as_int().unwrap_or(10);
        history.cut(limit, |one| sync.lives(object::name(one)), io)
    }
}
