//! The ReplicaSet controller, which is also the ReplicationController controller: as many pods as asked for.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use super::owner::{self, Expected, Family};
use super::pods::{self, Done, Rank};
use super::tally::Tally;
use crate::api::object;
use crate::api::resource::{PODS, REPLICA_SETS, REPLICATION_CONTROLLERS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// Pods made or deleted in one sync.
const BURST: usize = 500;

pub const REPLICA_SET: Family =
    Family { resource: REPLICA_SETS, api_version: "apps/v1", kind: "ReplicaSet", selects: owner::selects };
pub const REPLICATION_CONTROLLER: Family = Family {
    resource: REPLICATION_CONTROLLERS,
    api_version: "v1",
    kind: "ReplicationController",
    selects: |set, labels| {
        let selector = set["spec"].get("selector");
        !selector.is_empty() && object::contains(selector, labels)
    },
};

#[derive(Clone, Debug)]
pub struct ReplicaSet {
    family: Family,
    expected: Expected,
    /// The pods of each set, by the set's uid.
    tallies: BTreeMap<SmolStr, Tally>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    set: Value,
    /// Its pods and orphans it may take in; none when the tally alone tells all: no pod is to be claimed or to go.
    pods: Vec<Value>,
    tally: Option<Tally>,
    /// The caches hold all that earlier syncs did.
    settled: bool,
    /// Active pods of the same owner on each node; only filled when pods must go.
    related: BTreeMap<SmolStr, usize>,
    now: Time,
}

impl ReplicaSet {
    pub fn new(family: Family) -> ReplicaSet {
        ReplicaSet { family, expected: Expected::default(), tallies: BTreeMap::new() }
    }
}

impl Reconciler for ReplicaSet {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == self.family.resource {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == PODS {
            self.count(&change.before, Tally::remove);
            self.count(&change.after, Tally::add);
            self.family.wakes(see, change, add);
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
        let settled = self.expected.is_met(see, key);
        let deleting = object::is_deleting(set);
        let tally = self.tallies.get(object::uid(set)).filter(|tally| {
            let want = usize::try_from(set["spec"]["replicas"].int()).unwrap_or(0);
            let none_must_go = !settled || deleting || tally.active() <= want;
            none_must_go
                && tally.all_fit(|labels| (self.family.selects)(set, labels))
                && self.family.orphans(see, set, &PODS).next().is_none()
        });
        if let Some(tally) = tally {
            return Some(Inputs {
                set: set.clone(),
                pods: Vec::new(),
                tally: Some(tally.clone()),
                settled,
                related: BTreeMap::new(),
                now,
            });
        }
        let mut pods: Vec<Value> = see.owned(object::uid(set), &PODS).map(|(_, pod)| pod.clone()).collect();
        pods.extend(self.family.orphans(see, set, &PODS).cloned());
        let mut related = BTreeMap::new();
        let active = pods.iter().filter(|pod| pods::is_active(pod)).count();
        if active as i64 > set["spec"]["replicas"].int() {
            let owner = object::controller_of(set).map(|owner| owner["uid"].smol());
            let sets: Vec<SmolStr> = match &owner {
                Some(owner) => see.owned(owner, &key.resource).map(|(_, set)| object::uid(set).into()).collect(),
                None => vec![object::uid(set).into()],
            };
            for uid in sets {
                for (_, pod) in see.owned(&uid, &PODS).filter(|(_, pod)| pods::is_active(pod)) {
                    *related.entry(pod["spec"]["nodeName"].smol()).or_default() += 1;
                }
            }
        }
        Some(Inputs { set: set.clone(), pods, tally: None, settled, related, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let Inputs { set, settled, now, .. } = inputs;
        let (tally, managed) = match &inputs.tally {
            Some(tally) => {
                let missing =
                    usize::try_from(set["spec"]["replicas"].int()).unwrap_or(0).saturating_sub(tally.active());
                let managed = match *settled && !object::is_deleting(set) && missing > 0 {
                    true => self.create(set, missing.min(BURST), io)?,
                    false => Ok(()),
                };
                (tally.clone(), managed)
            }
            None => {
                let pods = self.family.claim(set, &PODS, &inputs.pods, io)?;
                let active: Vec<&Value> = pods.iter().filter(|pod| pods::is_active(pod)).collect();
                let managed = match *settled && !object::is_deleting(set) {
                    true => self.manage(inputs, &active, io)?,
                    false => Ok(()),
                };
                (Tally::of(&pods), managed)
            }
        };
        let status = self.status(set, &tally, &managed, *now);
        self.write_status(set, status, io)?;
        if let Err(error) = managed {
            return Err(Stop::Retry(error));
        }
        let min_ready = set["spec"]["minReadySeconds"].int();
        let next = tally.available_at(min_ready).map(|(at, _)| at).filter(|at| at > now).min();
        if let Some(at) = next {
            io.again_after((at - io.now()).max(Span::millis(1)));
        }
        Ok(())
    }
}

impl ReplicaSet {
    /// Counts a pod of a set in or out.
    fn count(&mut self, pod: &Value, count: impl Fn(&mut Tally, &Value)) {
        let Some(owner) = object::controller_of(pod).filter(|owner| owner["kind"].str() == self.family.kind) else {
            return;
        };
        let uid = owner["uid"].smol();
        let tally = self.tallies.entry(uid.clone()).or_default();
        count(tally, pod);
        if tally.is_empty() {
            self.tallies.remove(&uid);
        }
    }

    /// Makes or deletes pods. The inner error is the first refusal, which the status tells.
    fn manage(&self, inputs: &Inputs, active: &[&Value], io: &mut Io<'_>) -> Done {
        let set = &inputs.set;
        let want = usize::try_from(set["spec"]["replicas"].int()).unwrap_or(0);
        if active.len() < want {
            self.create(set, (want - active.len()).min(BURST), io)
        } else if active.len() > want {
            let count = (active.len() - want).min(BURST);
            self.delete(inputs, active, count, io)
        } else {
            Ok(Ok(()))
        }
    }

    fn create(&self, set: &Value, missing: usize, io: &mut Io<'_>) -> Done {
        let pod = pods::from_template(set["spec"].get("template"), set, self.family.api_version, self.family.kind);
        let (_, done) = pods::create(set, std::iter::repeat_n(pod, missing), io)?;
        Ok(done)
    }

    fn delete(&self, inputs: &Inputs, active: &[&Value], count: usize, io: &mut Io<'_>) -> Done {
        let beside = |pod: &Value| inputs.related.get(pod["spec"]["nodeName"].str()).copied().unwrap_or(0);
        let mut ranked: Vec<(Rank, &Value)> =
            active.iter().map(|pod| (Rank::of(pod, beside(pod), inputs.now), *pod)).collect();
        ranked.sort_by(|a, b| a.0.compare(&b.0));
        let doomed: Vec<&Value> = ranked.into_iter().take(count).map(|(_, pod)| pod).collect();
        pods::delete(&inputs.set, &doomed, io)
    }

    fn status(&self, set: &Value, tally: &Tally, managed: &Result<(), String>, now: Time) -> Value {
        let spec = set.get("spec");
        let (labels, min_ready) = (spec.at(&["template", "metadata", "labels"]), spec["minReadySeconds"].int());
        let labeled = tally.labelled(|of_pod| object::contains(labels, of_pod));
        let (mut ready, mut available) = (0, 0);
        for (at, count) in tally.available_at(min_ready) {
            ready += count;
            available += if at <= now { count } else { 0 };
        }
        let mut status =
            map! { "replicas" => tally.active(), "observedGeneration" => set["metadata"].get("generation") };
        for (key, count) in
            [("fullyLabeledReplicas", labeled), ("readyReplicas", ready), ("availableReplicas", available)]
        {
            if count > 0 {
                status.set(&[key], count);
            }
        }
        if self.family.resource == REPLICA_SETS {
            status.set(&["terminatingReplicas"], tally.terminating());
        }
        let mut conditions = set["status"]["conditions"].items().to_vec();
        match managed {
            Err(error) if object::condition(set, "ReplicaFailure").is_none() => {
                let short = tally.active() as i64 <= spec["replicas"].int();
                conditions.push(map! {
                    "type" => "ReplicaFailure", "status" => "True", "lastTransitionTime" => now.rfc3339(),
                    "reason" => if short { "FailedCreate" } else { "FailedDelete" }, "message" => error,
                });
            }
            Err(_) => {}
            Ok(()) => conditions.retain(|condition| condition["type"].str() != "ReplicaFailure"),
        }
        if !conditions.is_empty() {
            status.set(&["conditions"], conditions);
        }
        status
    }

    /// Writes a status that changed; a stale copy is read again and written once more.
    fn write_status(&self, set: &Value, status: Value, io: &mut Io<'_>) -> Result<(), Stop> {
        if *set.get("status") == status {
            return Ok(());
        }
        let resource = &self.family.resource;
        let with = |set: &Value| {
            let mut set = set.clone();
            set.set(&["status"], status.clone());
            set
        };
        let answer = io.send(io.client.update(resource, "status", with(set)))?;
        if answer.ok() {
            return Ok(());
        }
        let fresh = io.must(io.client.get(resource, object::namespace(set), object::name(set)))?;
        io.must(io.client.update(resource, "status", with(&fresh)))?;
        Ok(())
    }
}
