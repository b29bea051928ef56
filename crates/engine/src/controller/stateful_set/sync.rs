//! One sync of a StatefulSet: every wanted pod in order, then those beyond the count, then the next step of an update.

use super::super::history::History;
use super::super::pods::{self, Done};
use super::{Inputs, identity};
use crate::api::object;
use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PODS, STATEFUL_SETS};
use crate::base::{Span, Value};
use crate::informer::{EventType, Io, Stop};
use crate::map;

/// Whether the sync ends here.
type Step = Result<Result<bool, String>, Stop>;

pub struct Sync<'a> {
    inputs: &'a Inputs,
    set: &'a Value,
    /// The pods as they were seen.
    pods: Vec<Value>,
    /// The wanted pods by number; those yet to be made have no phase.
    replicas: Vec<Value>,
    /// Pods beyond the count, highest number first.
    condemned: Vec<Value>,
    current: String,
    update: String,
    status: Value,
    /// Strictly one after another.
    ordered: bool,
}

fn is_created(pod: &Value) -> bool {
    !pod["status"]["phase"].str().is_empty()
}

fn is_running_and_ready(pod: &Value) -> bool {
    pod["status"]["phase"].str() == "Running" && pods::is_ready(pod)
}

impl<'a> Sync<'a> {
    pub fn new(inputs: &'a Inputs, pods: Vec<Value>, history: &History) -> Sync<'a> {
        let set = &inputs.set;
        let known = set["status"]["currentRevision"].str();
        let current = history.old.iter().find(|one| object::name(one) == known).unwrap_or(&history.current);
        let template = |revision: &Value| {
            let mut template = revision.at(&["data", "spec", "template"]).clone();
            template.remove(&["$patch"]);
            template
        };
        let (old, new) = (template(current), template(&history.current));
        let (current, update) = (object::name(current).to_owned(), object::name(&history.current).to_owned());
        let (start, count) = (identity::start(set), set["spec"]["replicas"].int().clamp(0, 1 << 20));
        let rolling = set.at(&["spec", "updateStrategy", "rollingUpdate"]);
        let is_rolling = set.at(&["spec", "updateStrategy", "type"]).str() == "RollingUpdate";
        let kept = match (is_rolling, rolling.is_null()) {
            (true, true) => set["status"]["currentReplicas"].int(),
            _ => rolling["partition"].int(),
        };
        let number = |pod: &Value| identity::ordinal(set, pod);
        let wanted = start..start.saturating_add(count);
        let replicas = wanted.clone().map(|at| {
            let found = pods.iter().find(|pod| number(pod) == Some(at));
            found.cloned().unwrap_or_else(|| match at < start.saturating_add(kept) {
                true => identity::pod(set, &old, &current, at),
                false => identity::pod(set, &new, &update, at),
            })
        });
        let replicas = replicas.collect();
        let beyond = |pod: &&Value| number(pod).is_some_and(|at| !wanted.contains(&at));
        let mut condemned: Vec<Value> = pods.iter().filter(beyond).cloned().collect();
        condemned.sort_by_key(|pod| std::cmp::Reverse(number(pod)));
        let ordered = set["spec"]["podManagementPolicy"].str() != "Parallel";
        Sync { inputs, set, pods, replicas, condemned, current, update, status: Value::Null, ordered }
    }

    /// Whether a revision is in use.
    pub fn lives(&self, name: &str) -> bool {
        name == self.current
            || name == self.update
            || self.pods.iter().any(|pod| object::label(pod, identity::REVISION) == name)
    }

    pub fn run(&mut self, io: &mut Io<'_>) -> Done {
        self.status = self.counted(&self.pods);
        if object::is_deleting(self.set) {
            return Ok(Ok(()));
        }
        let stopped = match self.make_all(io)? {
            Ok(false) => self.take_away(io)?,
            other => other,
        };
        let all: Vec<Value> = self.replicas.iter().chain(&self.condemned).cloned().collect();
        self.status = self.counted(&all);
        match stopped {
            Ok(false) if self.set.at(&["spec", "updateStrategy", "type"]).str() != "OnDelete" => self.roll(io),
            other => Ok(other.map(|_| ())),
        }
    }

    fn is_available(&self, pod: &Value) -> bool {
        let min_ready = self.set["spec"]["minReadySeconds"].int();
        is_running_and_ready(pod) && pods::available_at(pod, min_ready).is_some_and(|at| at <= self.inputs.now)
    }

    /// The wanted pods, from the lowest number on.
    fn make_all(&mut self, io: &mut Io<'_>) -> Step {
        let count = self.replicas.len();
        if self.ordered {
            for at in 0..count {
                match self.make(at, io)? {
                    Ok(false) => {}
                    other => return Ok(other),
                }
            }
            return Ok(Ok(false));
        }
        // All at once, as far as nothing is refused.
        for at in 0..count {
            if let Err(error) = self.make(at, io)? {
                return Ok(Err(error));
            }
        }
        Ok(Ok(false))
    }

    fn make(&mut self, at: usize, io: &mut Io<'_>) -> Step {
        let Some(pod) = self.replicas.get(at).cloned() else { return Ok(Ok(true)) };
        if pods::is_finished(&pod) {
            if object::is_deleting(&pod) {
                return Ok(Ok(true));
            }
            return Ok(self.delete(&pod, io)?.map(|()| true));
        }
        if !is_created(&pod) {
            if let Err(error) = self.create(&pod, io)? {
                return Ok(Err(error));
            }
            return Ok(Ok(self.ordered));
        }
        if pod["status"]["phase"].str() == "Pending"
            && let Err(error) = self.claim(&pod, io)?
        {
            return Ok(Err(error));
        }
        Ok(Ok(self.ordered && (object::is_deleting(&pod) || !self.is_available(&pod))))
    }

    /// Pods beyond the count, from the highest number on.
    fn take_away(&mut self, io: &mut Io<'_>) -> Step {
        let unhealthy = |pod: &&Value| !self.is_available(pod) || object::is_deleting(pod);
        let first = self.replicas.iter().chain(self.condemned.iter().rev()).find(unhealthy).cloned();
        for pod in self.condemned.clone() {
            if object::is_deleting(&pod) {
                if self.ordered {
                    return Ok(Ok(true));
                }
                continue;
            }
            let is_first = first.as_ref().is_some_and(|first| object::uid(first) == object::uid(&pod));
            if self.ordered && !self.is_available(&pod) && !is_first {
                return Ok(Ok(true));
            }
            if let Err(error) = self.let_claims_follow(&pod, io)? {
                return Ok(Err(error));
            }
            match self.delete(&pod, io)? {
                Ok(()) if self.ordered => return Ok(Ok(true)),
                Ok(()) => {}
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(false))
    }

    /// Old pods make room, from the highest number down to the partition.
    fn roll(&mut self, io: &mut Io<'_>) -> Done {
        let rolling = self.set.at(&["spec", "updateStrategy", "rollingUpdate"]);
        let from = usize::try_from(rolling["partition"].int()).unwrap_or(usize::MAX);
        let most = match rolling["maxUnavailable"].as_str().and_then(|text| text.strip_suffix('%')) {
            Some(percent) => percent.parse::<i64>().unwrap_or(0).saturating_mul(self.replicas.len() as i64) / 100,
            None => rolling["maxUnavailable"].int(),
        };
        let is_old = |pod: &Value| object::label(pod, identity::REVISION) != self.update;
        let is_out = |pod: &Value| object::is_deleting(pod) || !self.is_available(pod);
        // Unavailable pods of the old revision are in nobody's way when pods need not wait for each other.
        let blocks = |pod: &&Value| is_out(pod) && (self.ordered || object::is_deleting(pod) || !is_old(pod));
        let out = self.replicas.iter().filter(blocks).count();
        let room = usize::try_from(most.max(1)).unwrap_or(1).saturating_sub(out);
        let candidates = self.replicas.iter().enumerate().rev().take_while(|(at, _)| *at >= from);
        let doomed: Vec<Value> = candidates
            .map(|(_, pod)| pod)
            .filter(|pod| is_old(pod) && !object::is_deleting(pod))
            .take(room)
            .cloned()
            .collect();
        for pod in doomed {
            if let Err(error) = self.delete(&pod, io)? {
                return Ok(Err(error));
            }
            let left = self.status["currentReplicas"].int() - 1;
            self.set_count("currentReplicas", left);
        }
        Ok(Ok(()))
    }

    /// Claims first, then the pod.
    fn create(&mut self, pod: &Value, io: &mut Io<'_>) -> Done {
        if let Err(error) = self.claim(pod, io)? {
            return self.say("create", pod, Err(error), io);
        }
        let answer = io.send(io.client.create(&PODS, object::namespace(self.set), pod.clone()))?;
        if answer.ok() {
            io.expect(answer.value());
            return self.say("create", pod, Ok(()), io);
        }
        let message = answer.value()["message"].str().to_owned();
        if answer.value()["reason"].str() == "AlreadyExists" {
            return Ok(Err(message));
        }
        if pods::namespace_is_terminating(answer.value()) {
            return Ok(Ok(()));
        }
        self.say("create", pod, Err(message), io)
    }

    fn delete(&mut self, pod: &Value, io: &mut Io<'_>) -> Done {
        let answer = io.send(io.client.delete(&PODS, object::namespace(pod), object::name(pod), Value::Null))?;
        let done = match answer.ok() || answer.code == 404 {
            true => Ok(()),
            false => Err(answer.value()["message"].str().to_owned()),
        };
        if answer.ok() {
            io.expect(answer.value());
        }
        self.say("delete", pod, done, io)
    }

    fn say(&self, verb: &str, pod: &Value, done: Result<(), String>, io: &mut Io<'_>) -> Done {
        let what = if verb == "create" { "Create" } else { "Delete" };
        let whose = format!("{what} Pod {} in StatefulSet {}", object::name(pod), object::name(self.set));
        match (&done, verb) {
            (Ok(()), "create") => {
                io.event(self.set, EventType::Normal, "SuccessfulCreate", format!("{whose} successful"));
            }
            (Ok(()), _) => io.event(self.set, EventType::Normal, "SuccessfulDelete", format!("{whose} successful")),
            (Err(error), "create") => {
                io.event(self.set, EventType::Warning, "FailedCreate", format!("{whose} failed error: {error}"));
            }
            (Err(error), _) => {
                io.event(self.set, EventType::Warning, "FailedDelete", format!("{whose} failed error: {error}"));
            }
        }
        Ok(done)
    }

    /// Makes the claims of a pod that are not there.
    fn claim(&self, pod: &Value, io: &mut Io<'_>) -> Done {
        let Some(ordinal) = identity::ordinal(self.set, pod) else { return Ok(Ok(())) };
        for claim in identity::claims(self.set, ordinal) {
            let name = object::name(&claim).to_owned();
            match self.inputs.claims.iter().find(|known| object::name(known) == name) {
                Some(known) if object::is_deleting(known) => return Ok(Err(format!("pvc {name} is being deleted"))),
                Some(_) => continue,
                None => {}
            }
            let answer = io.send(io.client.create(&PERSISTENT_VOLUME_CLAIMS, object::namespace(self.set), claim))?;
            let (pod, set) = (object::name(pod), object::name(self.set));
            if answer.ok() {
                io.expect(answer.value());
                let text = format!("Create Claim {name} Pod {pod} in StatefulSet {set} success");
                io.event(self.set, EventType::Normal, "SuccessfulCreate", text);
            } else if answer.value()["reason"].str() != "AlreadyExists" {
                let error = answer.value()["message"].str();
                let text = format!("Create Claim {name} for Pod {pod} in StatefulSet {set} failed error: {error}");
                io.event(self.set, EventType::Warning, "FailedCreate", text);
                return Ok(Err(format!("failed to create PVC {name}: {error}")));
            }
        }
        Ok(Ok(()))
    }

    /// With retention `whenScaled: Delete` the claims of a pod that goes belong to it.
    fn let_claims_follow(&self, pod: &Value, io: &mut Io<'_>) -> Done {
        let policy = self.set.at(&["spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"]).str();
        let Some(ordinal) = identity::ordinal(self.set, pod).filter(|_| policy == "Delete") else { return Ok(Ok(())) };
        for claim in identity::claims(self.set, ordinal) {
            let Some(known) = self.inputs.claims.iter().find(|known| object::name(known) == object::name(&claim))
            else {
                continue;
            };
            let owners = known["metadata"]["ownerReferences"].items();
            if owners.iter().any(|owner| owner["uid"].str() == object::uid(pod)) {
                continue;
            }
            let mut changed = known.clone();
            changed.set(&["metadata", "ownerReferences"], vec![object::owned_by(pod, "v1", "Pod")]);
            let answer = io.send(io.client.update(&PERSISTENT_VOLUME_CLAIMS, "", changed))?;
            if !answer.ok() && answer.code != 404 {
                return Ok(Err(answer.value()["message"].str().to_owned()));
            }
        }
        Ok(Ok(()))
    }

    fn counted(&self, pods: &[Value]) -> Value {
        let count = |fits: &dyn Fn(&Value) -> bool| pods.iter().filter(|pod| fits(pod)).count();
        let of = |revision: &str| {
            count(&|pod| {
                is_created(pod) && !object::is_deleting(pod) && object::label(pod, identity::REVISION) == revision
            })
        };
        let mut status = map! {
            "replicas" => count(&is_created), "availableReplicas" => count(&|pod| self.is_available(pod)),
            "observedGeneration" => self.set["metadata"].get("generation"),
            "currentRevision" => self.current.as_str(), "updateRevision" => self.update.as_str(),
            "collisionCount" => self.set["status"]["collisionCount"].int(),
        };
        for (key, value) in [
            ("readyReplicas", count(&is_running_and_ready)),
            ("currentReplicas", of(&self.current)),
            ("updatedReplicas", of(&self.update)),
        ] {
            if value > 0 {
                status.set(&[key], value);
            }
        }
        status
    }

    fn set_count(&mut self, key: &str, count: i64) {
        if count > 0 {
            self.status.set(&[key], count);
        } else {
            self.status.remove(&[key]);
        }
    }

    pub fn write_status(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let wanted = self.replicas.len() as i64;
        let count = |key: &str| self.status[key].int();
        if count("updatedReplicas") == wanted && count("readyReplicas") == wanted && count("replicas") == wanted {
            self.set_count("currentReplicas", wanted);
            self.status.set(&["currentRevision"], self.update.as_str());
        }
        if self.set["status"].has("conditions") {
            self.status.set(&["conditions"], self.set["status"].get("conditions"));
        }
        if self.status != self.set["status"] {
            let mut body = self.set.clone();
            body.set(&["status"], self.status.clone());
            let answer = io.send(io.client.update(&STATEFUL_SETS, "status", body))?;
            if !answer.ok() && answer.code != 404 {
                return Err(Stop::Retry(answer.value()["message"].str().into()));
            }
        }
        let min_ready = self.set["spec"]["minReadySeconds"].int();
        if min_ready > 0 && self.status["availableReplicas"].int() != self.status["readyReplicas"].int() {
            io.again_after(Span::seconds(min_ready));
        }
        Ok(())
    }
}
