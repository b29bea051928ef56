//! One sync of a DaemonSet: the pods missing and too many on each node, the next step of a rolling update, the status.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use super::super::pods;
use super::place::{self, Fit};
use super::{HASH, Inputs};
use crate::api::object;
use crate::api::resource::DAEMON_SETS;
use crate::base::{Span, Value};
use crate::informer::{EventType, Io, Stop};
use crate::map;

/// Pods made or deleted in one sync.
const BURST: usize = 250;

pub struct Sync<'a> {
    inputs: &'a Inputs,
    hash: &'a str,
    /// The spec of every pod, tolerations included.
    spec: Value,
    fits: BTreeMap<SmolStr, Fit>,
    pods: Vec<Value>,
    /// Pods were made or told to go.
    acted: bool,
}

impl<'a> Sync<'a> {
    pub fn new(inputs: &'a Inputs, pods: Vec<Value>, hash: &'a str) -> Sync<'a> {
        let spec = place::tolerant(inputs.set.at(&["spec", "template", "spec"]));
        let fits = inputs.nodes.iter().map(|node| (object::name(node).into(), place::fit(&spec, node))).collect();
        Sync { inputs, hash, spec, fits, pods, acted: false }
    }

    /// Whether a pod of the revision with this hash is left.
    pub fn lives(&self, hash: &str) -> bool {
        self.pods.iter().any(|pod| object::label(pod, HASH) == hash)
    }

    /// The inner error is the first refusal.
    pub fn run(&mut self, io: &mut Io<'_>) -> pods::Done {
        let managed = self.manage(io)?;
        if managed.is_err() || self.acted {
            return Ok(managed);
        }
        match self.inputs.set["spec"]["updateStrategy"]["type"].str() {
            "OnDelete" => Ok(Ok(())),
            _ => self.roll(io),
        }
    }

    /// The pods of each node, oldest first; those that have ended on their way out no longer count.
    fn by_node(&self) -> BTreeMap<SmolStr, Vec<Value>> {
        let mut by_node: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
        for pod in &self.pods {
            let node = place::node_of(pod);
            if !node.is_empty() && !(object::is_deleting(pod) && pods::is_finished(pod)) {
                by_node.entry(node.into()).or_default().push(pod.clone());
            }
        }
        let unbound = |pod: &Value| pod["spec"]["nodeName"].str().is_empty();
        for pods in by_node.values_mut() {
            pods.sort_by(|a, b| {
                (unbound(a), object::created(a), object::name(a)).cmp(&(
                    unbound(b),
                    object::created(b),
                    object::name(b),
                ))
            });
        }
        by_node
    }

    fn is_updated(&self, pod: &Value) -> bool {
        object::label(pod, HASH) == self.hash
    }

    fn is_available(&self, pod: &Value) -> bool {
        let min_ready = self.inputs.set["spec"]["minReadySeconds"].int();
        pods::available_at(pod, min_ready).is_some_and(|at| at <= self.inputs.now)
    }

    /// A count or percentage of the desired pods, rounded up.
    fn limit(&self, field: &str) -> i64 {
        let value = self.inputs.set.at(&["spec", "updateStrategy", "rollingUpdate", field]);
        let desired = self.fits.values().filter(|fit| fit.runs).count() as i64;
        match value.as_str().and_then(|text| text.strip_suffix('%')) {
            Some(percent) => {
                let percent: i64 = percent.parse().unwrap_or(0);
                percent.saturating_mul(desired).saturating_add(99) / 100
            }
            None => value.int(),
        }
    }

    /// Pods where they are missing; none where they are too many, have ended or do not belong.
    fn manage(&mut self, io: &mut Io<'_>) -> pods::Done {
        let set = &self.inputs.set;
        let mut by_node = self.by_node();
        let (mut missing, mut doomed): (Vec<SmolStr>, Vec<Value>) = (Vec::new(), Vec::new());
        for (node, fit) in &self.fits {
            let pods = by_node.remove(node).unwrap_or_default();
            if fit.runs && pods.is_empty() {
                missing.push(node.clone());
            } else if !fit.stays {
                doomed.extend(pods.into_iter().filter(|pod| !object::is_deleting(pod)));
            } else {
                let mut running = Vec::new();
                for pod in pods.into_iter().filter(|pod| !object::is_deleting(pod)) {
                    let phase = pod["status"]["phase"].str();
                    let whose = format!("{}/{} on node {node}", object::namespace(&pod), object::name(&pod));
                    match phase {
                        "Failed" if self.inputs.waits.contains_key(node) => {
                            let wait = self.inputs.waits.get(node).copied().unwrap_or_default();
                            io.again_after(wait.max(Span::millis(1)));
                        }
                        "Failed" => {
                            let text = format!("Found failed daemon pod {whose}, will try to kill it");
                            io.event(set, EventType::Warning, "FailedDaemonPod", text);
                            doomed.push(pod);
                        }
                        "Succeeded" => {
                            let text = format!("Found succeeded daemon pod {whose}, will try to delete it");
                            io.event(set, EventType::Normal, "SucceededDaemonPod", text);
                            doomed.push(pod);
                        }
                        _ => running.push(pod),
                    }
                }
                doomed.extend(self.surplus(running));
            }
        }
        // What is left was meant for nodes that are no more.
        let lost = by_node.into_values().flatten();
        doomed.extend(lost.filter(|pod| pod["spec"]["nodeName"].str().is_empty() && !object::is_deleting(pod)));
        self.carry_out(&doomed, &missing, io)
    }

    /// Of the running pods of one node, those that are too many.
    fn surplus(&self, running: Vec<Value>) -> Vec<Value> {
        if self.limit("maxSurge") == 0 {
            return running.into_iter().skip(1).collect();
        }
        let (new, old): (Vec<Value>, Vec<Value>) = running.into_iter().partition(|pod| self.is_updated(pod));
        let mut doomed: Vec<Value> = new.iter().skip(1).chain(old.iter().skip(1)).cloned().collect();
        if let (Some(new), Some(old)) = (new.first(), old.first())
            && (!pods::is_ready(old) || self.is_available(new))
        {
            doomed.push(old.clone());
        }
        doomed
    }

    /// The only new and the only old pod of a node; `None` when there are several of a kind.
    fn pair<'p>(&self, pods: &'p [Value]) -> Option<(Option<&'p Value>, Option<&'p Value>)> {
        let (new, old): (Vec<&Value>, Vec<&Value>) =
            pods.iter().filter(|pod| !object::is_deleting(pod)).partition(|pod| self.is_updated(pod));
        (new.len() <= 1 && old.len() <= 1).then(|| (new.first().copied(), old.first().copied()))
    }

    /// The next step of a rolling update.
    fn roll(&mut self, io: &mut Io<'_>) -> pods::Done {
        let (surge, mut unavailable) = (self.limit("maxSurge"), self.limit("maxUnavailable"));
        if surge == 0 && unavailable == 0 {
            unavailable = 1;
        }
        let by_node = self.by_node();
        let (mut used, mut at_once, mut candidates) = (0, Vec::new(), Vec::new());
        let mut replaced = Vec::new();
        for (node, pods) in &by_node {
            match self.pair(pods) {
                // The next sync clears such a node up.
                None => used += 1,
                Some((None, None) | (Some(_), Some(_))) if surge == 0 => used += 1,
                Some((Some(new), _)) if surge == 0 => used += i64::from(!self.is_available(new)),
                Some((None, Some(old))) if surge == 0 => match self.is_available(old) {
                    false => at_once.push((node, old)),
                    true => candidates.push((node, old)),
                },
                Some((_, None)) => {}
                Some((None, Some(old))) => match self.is_available(old) {
                    false => at_once.push((node, old)),
                    true => candidates.push((node, old)),
                },
                Some((Some(new), Some(old))) => match self.is_available(new) {
                    false => used += 1,
                    true => replaced.push(old.clone()),
                },
            }
        }
        let room = usize::try_from(unavailable.max(surge) - used).unwrap_or(0);
        let chosen = at_once.into_iter().chain(candidates.into_iter().take(room));
        let (nodes, doomed): (Vec<SmolStr>, Vec<Value>) = match surge {
            0 => (Vec::new(), chosen.map(|(_, old)| old.clone()).collect()),
            _ => (chosen.map(|(node, _)| node.clone()).collect(), replaced),
        };
        self.carry_out(&doomed, &nodes, io)
    }

    fn carry_out(&mut self, doomed: &[Value], missing: &[SmolStr], io: &mut Io<'_>) -> pods::Done {
        let set = &self.inputs.set;
        self.acted |= !doomed.is_empty() || !missing.is_empty();
        let missing = missing.iter().take(BURST).map(|node| place::pod(set, &self.spec, self.hash, node));
        let (made, created) = pods::create(set, missing, io)?;
        self.pods.extend(made);
        let doomed: Vec<&Value> = doomed.iter().take(BURST).collect();
        let deleted = pods::delete(set, &doomed, io)?;
        Ok(created.and(deleted))
    }

    pub fn write_status(&self, io: &mut Io<'_>) -> Result<(), Stop> {
        let set = &self.inputs.set;
        let by_node = self.by_node();
        let (mut desired, mut current, mut misplaced, mut ready, mut available, mut updated) = (0, 0, 0, 0, 0, 0);
        for (node, fit) in &self.fits {
            let first = by_node.get(node).and_then(|pods| pods.first());
            desired += i64::from(fit.runs);
            match first {
                Some(pod) if fit.runs => {
                    current += 1;
                    let is_ready = pods::is_ready(pod);
                    ready += i64::from(is_ready);
                    available += i64::from(is_ready && self.is_available(pod));
                    updated += i64::from(self.is_updated(pod));
                }
                Some(_) => misplaced += 1,
                None => {}
            }
        }
        let mut status = map! {
            "currentNumberScheduled" => current, "numberMisscheduled" => misplaced,
            "desiredNumberScheduled" => desired, "numberReady" => ready,
        };
        let old = set.get("status");
        for key in ["collisionCount", "conditions"] {
            if old.has(key) {
                status.set(&[key], old.get(key));
            }
        }
        // A sync that must not act yet leaves the generation as it was.
        let generation = match self.inputs.settled {
            true => set["metadata"].get("generation"),
            false => old.get("observedGeneration"),
        };
        if !generation.is_null() {
            status.set(&["observedGeneration"], generation);
        }
        let counts = [
            ("updatedNumberScheduled", updated),
            ("numberAvailable", available),
            ("numberUnavailable", desired - available),
        ];
        for (key, count) in counts.into_iter().filter(|(_, count)| *count != 0) {
            status.set(&[key], count);
        }
        if status != *old {
            let mut body = set.clone();
            body.set(&["status"], status);
            let answer = io.send(io.client.update(&DAEMON_SETS, "status", body))?;
            if !answer.ok() && answer.code != 404 {
                return Err(Stop::Retry(answer.value()["message"].str().into()));
            }
        }
        let min_ready = set["spec"]["minReadySeconds"].int();
        if min_ready > 0 && ready != available {
            io.again_after(Span::seconds(min_ready));
        }
        Ok(())
    }
}
