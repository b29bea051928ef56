//! The ReplicaSet controller, which is also the ReplicationController controller: as many pods as asked for.
//!
//! Left out: the live read before an adoption.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use super::pods::{self, Owner, Rank};
use super::tally::Tally;
use crate::api::object;
use crate::api::resource::{PODS, REPLICA_SETS, REPLICATION_CONTROLLERS, Resource};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// Pods made or deleted in one sync.
const BURST: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    ReplicaSet,
    ReplicationController,
}

impl Flavour {
    fn kind(self) -> &'static str {
        match self {
            Flavour::ReplicaSet => "ReplicaSet",
            Flavour::ReplicationController => "ReplicationController",
        }
    }

    fn api_version(self) -> &'static str {
        match self {
            Flavour::ReplicaSet => "apps/v1",
            Flavour::ReplicationController => "v1",
        }
    }

    fn resource(self) -> Resource {
        match self {
            Flavour::ReplicaSet => REPLICA_SETS,
            Flavour::ReplicationController => REPLICATION_CONTROLLERS,
        }
    }

    fn selects(self, set: &Value, labels: &Value) -> bool {
        let selector = set["spec"].get("selector");
        !selector.is_empty()
            && match self {
                Flavour::ReplicaSet => object::matches(selector, labels),
                Flavour::ReplicationController => object::contains(selector, labels),
            }
    }
}

#[derive(Clone, Debug)]
pub struct ReplicaSet {
    flavour: Flavour,
    /// The revision the caches must have reached before a set's pods are counted again.
    expected: BTreeMap<Key, u64>,
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
    pub fn new(flavour: Flavour) -> ReplicaSet {
        ReplicaSet { flavour, expected: BTreeMap::new(), tallies: BTreeMap::new() }
    }

    /// The key of the set that controls a pod.
    fn owner(&self, pod: &Value) -> Option<Key> {
        let owner = object::controller_of(pod).filter(|owner| owner["kind"].str() == self.flavour.kind())?;
        Some(Key {
            resource: self.flavour.resource(),
            namespace: object::namespace(pod).into(),
            name: owner["name"].smol(),
        })
    }
}

impl Reconciler for ReplicaSet {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == self.flavour.resource() {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == PODS {
            self.count(&change.before, Tally::remove);
            self.count(&change.after, Tally::add);
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
                for (key, set) in see.list(&self.flavour.resource(), Some(&change.key.namespace)) {
                    if self.flavour.selects(set, labels) {
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
        let settled = self.expected.get(key).is_none_or(|expected| *expected <= see.revision());
        if settled {
            self.expected.remove(key);
        }
        let deleting = object::is_deleting(set);
        let tally = self.tallies.get(object::uid(set)).filter(|tally| {
            let want = usize::try_from(set["spec"]["replicas"].int()).unwrap_or(0);
            let none_must_go = !settled || deleting || tally.active() <= want;
            none_must_go
                && tally.all_fit(|labels| self.flavour.selects(set, labels))
                && self.orphans(see, set).next().is_none()
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
        pods.extend(self.orphans(see, set).cloned());
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
                let owner = Owner { object: set, api_version: self.flavour.api_version(), kind: self.flavour.kind() };
                let pods = pods::claim(&owner, &inputs.pods, |labels| self.flavour.selects(set, labels), io)?;
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
        let Some(owner) = object::controller_of(pod).filter(|owner| owner["kind"].str() == self.flavour.kind()) else {
            return;
        };
        let uid = owner["uid"].smol();
        let tally = self.tallies.entry(uid.clone()).or_default();
        count(tally, pod);
        if tally.is_empty() {
            self.tallies.remove(&uid);
        }
    }

    /// Pods of nobody that a set selects.
    fn orphans<'a>(&'a self, see: &'a Caches, set: &'a Value) -> impl Iterator<Item = &'a Value> {
        let namespace = object::namespace(set);
        let orphans = see.owned("", "pods").filter(move |(at, _)| at.namespace == namespace);
        orphans.map(|(_, pod)| pod).filter(|pod| self.flavour.selects(set, pod["metadata"].get("labels")))
    }

    /// Makes or deletes pods. The inner error is the first refusal, which the status tells.
    fn manage(&self, inputs: &Inputs, active: &[&Value], io: &mut Io<'_>) -> Result<Result<(), String>, Stop> {
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

    /// Slow start: batches of 1, 2, 4 …, until one has an error.
    fn create(&self, set: &Value, mut missing: usize, io: &mut Io<'_>) -> Result<Result<(), String>, Stop> {
        let pod =
            pods::from_template(set["spec"].get("template"), set, self.flavour.api_version(), self.flavour.kind());
        let mut batch = 1;
        while missing > 0 {
            batch = batch.min(missing);
            let request = io.client.create(&PODS, object::namespace(set), pod.clone());
            let answers = io.send_all(vec![request; batch])?;
            let mut first = None;
            for answer in &answers {
                let value = answer.value();
                if answer.ok() {
                    io.expect(value);
                    let text = format!("Created pod: {}", object::name(value));
                    io.event(set, EventType::Normal, "SuccessfulCreate", text);
                } else if !pods::namespace_is_terminating(value) {
                    let message = value["message"].str();
                    io.event(set, EventType::Warning, "FailedCreate", format!("Error creating: {message}"));
                    first.get_or_insert_with(|| message.to_owned());
                }
            }
            if let Some(error) = first {
                return Ok(Err(error));
            }
            if answers.iter().any(|answer| !answer.ok()) {
                return Ok(Ok(()));
            }
            missing -= batch;
            batch *= 2;
        }
        Ok(Ok(()))
    }

    fn delete(
        &self,
        inputs: &Inputs,
        active: &[&Value],
        count: usize,
        io: &mut Io<'_>,
    ) -> Result<Result<(), String>, Stop> {
        let set = &inputs.set;
        let beside = |pod: &Value| inputs.related.get(pod["spec"]["nodeName"].str()).copied().unwrap_or(0);
        let mut ranked: Vec<(Rank, &Value)> =
            active.iter().map(|pod| (Rank::of(pod, beside(pod), inputs.now), *pod)).collect();
        ranked.sort_by(|a, b| a.0.compare(&b.0));
        let doomed: Vec<&Value> = ranked.into_iter().take(count).map(|(_, pod)| pod).collect();
        let requests = doomed
            .iter()
            .map(|pod| io.client.delete(&PODS, object::namespace(pod), object::name(pod), Value::Null))
            .collect();
        let answers = io.send_all(requests)?;
        let mut first = Ok(());
        for (answer, pod) in answers.iter().zip(&doomed) {
            if answer.ok() {
                io.expect(answer.value());
                io.event(set, EventType::Normal, "SuccessfulDelete", format!("Deleted pod: {}", object::name(pod)));
            } else if answer.code != 404 {
                let message = answer.value()["message"].str();
                io.event(set, EventType::Warning, "FailedDelete", format!("Error deleting: {message}"));
                if first.is_ok() {
                    first = Err(message.to_owned());
                }
            }
        }
        Ok(first)
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
        if self.flavour == Flavour::ReplicaSet {
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
        let resource = self.flavour.resource();
        let with = |set: &Value| {
            let mut set = set.clone();
            set.set(&["status"], status.clone());
            set
        };
        let answer = io.send(io.client.update(&resource, "status", with(set)))?;
        if answer.ok() {
            return Ok(());
        }
        let fresh = io.must(io.client.get(&resource, object::namespace(set), object::name(set)))?;
        io.must(io.client.update(&resource, "status", with(&fresh)))?;
        Ok(())
    }
}
