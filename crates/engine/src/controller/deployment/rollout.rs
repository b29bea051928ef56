//! One sync of a Deployment: pause, scale, rolling update, recreate, clean-up, status.

use super::maths::{self, max_surge, max_unavailable};
use super::sets::{self, DESIRED, HASH, REVISION, replicas, same_template, sum, total};
use super::status::{self, condition, has_deadline, is_complete, progressing, set_condition};
use crate::api::object;
use crate::api::resource::{DEPLOYMENTS, REPLICA_SETS};
use crate::base::{Time, Value};
use crate::controller::{hash, pods};
use crate::informer::{EventType, Io, Stop};
use crate::map;

pub struct Sync<'a> {
    /// The copy this sync works on; its resourceVersion grows stale with the first write.
    deployment: Value,
    sets: Vec<Value>,
    running: &'a [Value],
    now: Time,
}

/// The new ReplicaSet, if there is one, and all others, oldest first.
#[derive(Clone)]
struct Split {
    new: Option<Value>,
    old: Vec<Value>,
}

impl Split {
    fn all(&self) -> Vec<&Value> {
        self.old.iter().chain(&self.new).collect()
    }

    /// Writes a changed set back into its place.
    fn put(&mut self, set: Value) {
        for place in self.old.iter_mut().chain(&mut self.new) {
            if object::uid(place) == object::uid(&set) {
                *place = set;
                return;
            }
        }
    }
}

impl<'a> Sync<'a> {
    pub fn new(deployment: Value, sets: Vec<Value>, running: &'a [Value], now: Time) -> Sync<'a> {
        Sync { deployment, sets, running, now }
    }

    pub fn run(mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        if object::is_deleting(&self.deployment) {
            let split = self.split(false, io)?;
            return self.report(&split, io);
        }
        self.check_pause(io)?;
        if self.deployment["spec"]["paused"].is_true() {
            return self.scale_only(io);
        }
        if self.deployment["metadata"]["annotations"].has(sets::ROLLBACK_TO) {
            return self.roll_back(io);
        }
        if self.is_scaling(io)? {
            return self.scale_only(io);
        }
        if maths::is_rolling(&self.deployment) { self.roll(io) } else { self.recreate(io) }
    }

    /// Progressing says when a rollout is paused or resumed, so that no deadline runs meanwhile.
    fn check_pause(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let current = progressing(self.deployment.get("status")).map(|current| current["reason"].smol());
        let current = current.unwrap_or_default();
        if !has_deadline(&self.deployment) || current == "ProgressDeadlineExceeded" {
            return Ok(());
        }
        let was_paused = current == "DeploymentPaused";
        let (reason, text) = match (self.deployment["spec"]["paused"].is_true(), was_paused) {
            (true, false) => ("DeploymentPaused", "Deployment is paused"),
            (false, true) => ("DeploymentResumed", "Deployment is resumed"),
            _ => return Ok(()),
        };
        self.add_condition(condition("Progressing", "Unknown", reason, text, self.now));
        self.write_status(io)
    }

    fn add_condition(&mut self, condition: Value) {
        let mut status = self.deployment["status"].clone();
        set_condition(&mut status, condition);
        self.deployment.set(&["status"], status);
    }

    fn write_status(&self, io: &mut Io<'_>) -> Result<(), Stop> {
        io.must(io.client.update(&DEPLOYMENTS, "status", self.deployment.clone())).map(drop)
    }

    /// The new and the old ReplicaSets; keeps the new one's annotations and the Deployment's revision in step.
    fn split(&mut self, create: bool, io: &mut Io<'_>) -> Result<Split, Stop> {
        let template = self.deployment["spec"]["template"].clone();
        let at = self.sets.iter().position(|set| same_template(set["spec"].get("template"), &template));
        let mut old = self.sets.clone();
        let new = at.map(|at| old.remove(at));
        let revision = old.iter().map(sets::revision).max().unwrap_or(0).saturating_add(1);
        let new = match new {
            Some(new) => Some(self.keep(new, revision, io)?),
            None if create => Some(self.create(&old, revision, io)?),
            None => None,
        };
        Ok(Split { new, old })
    }

    fn keep(&mut self, mut new: Value, revision: i64, io: &mut Io<'_>) -> Result<Value, Stop> {
        let annotated = sets::set_annotations(&self.deployment, &mut new, revision);
        let min_ready = self.deployment["spec"]["minReadySeconds"].int();
        if annotated || new["spec"]["minReadySeconds"].int() != min_ready {
            match min_ready {
                0 => drop(new.remove(&["spec", "minReadySeconds"])),
                _ => new.set(&["spec", "minReadySeconds"], min_ready),
            }
            return io.must(io.client.update(&REPLICA_SETS, "", new));
        }
        let mut write = self.set_revision(object::annotation(&new, REVISION));
        if has_deadline(&self.deployment) && progressing(self.deployment.get("status")).is_none() {
            let text = format!("Found new replica set \"{}\"", object::name(&new));
            self.add_condition(condition("Progressing", "True", "FoundNewReplicaSet", &text, self.now));
            write = true;
        }
        if write {
            self.write_status(io)?;
        }
        Ok(new)
    }

    fn set_revision(&mut self, revision: &str) -> bool {
        let changed = object::annotation(&self.deployment, REVISION) != revision;
        if changed {
            self.deployment.set(&["metadata", "annotations", REVISION], revision);
        }
        changed
    }

    fn create(&mut self, old: &[Value], revision: i64, io: &mut Io<'_>) -> Result<Value, Stop> {
        let wanted = self.new_set(old, revision);
        let (name, size) = (object::name(&wanted).to_owned(), replicas(&wanted));
        let namespace = object::namespace(&self.deployment).to_owned();
        let answer = io.send(io.client.create(&REPLICA_SETS, &namespace, wanted.clone()))?;
        let message = answer.value()["message"].str().to_owned();
        let mut existed = false;
        let made = match answer.value()["reason"].str() {
            _ if answer.ok() => answer.value().clone(),
            "AlreadyExists" => {
                let found = io.must(io.client.get(&REPLICA_SETS, &namespace, &name))?;
                let mine = object::controller_of(&found)
                    .is_some_and(|owner| owner["uid"].str() == object::uid(&self.deployment));
                if !mine || !same_template(&found["spec"]["template"], &wanted["spec"]["template"]) {
                    let count = self.deployment["status"]["collisionCount"].int().saturating_add(1);
                    self.deployment.set(&["status", "collisionCount"], count);
                    self.write_status(io)?;
                    return Err(Stop::Retry(message));
                }
                existed = true;
                found
            }
            _ if pods::namespace_is_terminating(answer.value()) => return Err(Stop::Retry(message)),
            _ => {
                let text = format!("Failed to create new replica set \"{name}\": {message}");
                if has_deadline(&self.deployment) {
                    self.add_condition(condition("Progressing", "False", "ReplicaSetCreateError", &text, self.now));
                    // The sync fails anyway: a refused status write changes nothing.
                    io.send(io.client.update(&DEPLOYMENTS, "status", self.deployment.clone()))?;
                }
                io.event(&self.deployment, EventType::Warning, "ReplicaSetCreateError", text);
                return Err(Stop::Retry(message));
            }
        };
        if !existed && size > 0 {
            let text = format!("Scaled up replica set {name} from 0 to {size}");
            io.event(&self.deployment, EventType::Normal, "ScalingReplicaSet", text);
        }
        let mut write = self.set_revision(&revision.to_string());
        if !existed && has_deadline(&self.deployment) {
            let text = format!("Created new replica set \"{name}\"");
            self.add_condition(condition("Progressing", "True", "NewReplicaSetCreated", &text, self.now));
            write = true;
        }
        if write {
            self.write_status(io)?;
        }
        Ok(made)
    }

    /// The ReplicaSet of the Deployment's template, with its first size.
    fn new_set(&self, old: &[Value], revision: i64) -> Value {
        let deployment = &self.deployment;
        let collisions = deployment["status"]["collisionCount"].as_int();
        let hash = hash::of_template(&deployment["spec"]["template"], collisions);
        let mut template = deployment["spec"]["template"].clone();
        template.set(&["metadata", "labels", HASH], &hash);
        let mut selector = deployment["spec"]["selector"].clone();
        selector.set(&["matchLabels", HASH], &hash);
        let mut spec = map! { "selector" => selector, "template" => &template };
        if deployment["spec"]["minReadySeconds"].int() != 0 {
            spec.set(&["minReadySeconds"], &deployment["spec"]["minReadySeconds"]);
        }
        spec.set(&["replicas"], maths::new_size(deployment, &old.iter().collect::<Vec<_>>(), 0));
        let mut set = map! {
            "apiVersion" => "apps/v1", "kind" => "ReplicaSet",
            "metadata" => map! {
                "name" => format!("{}-{hash}", object::name(deployment)),
                "namespace" => object::namespace(deployment),
                "labels" => &template["metadata"]["labels"],
                "ownerReferences" => vec![object::owned_by(deployment, "apps/v1", "Deployment")],
            },
            "spec" => spec,
        };
        sets::set_annotations(deployment, &mut set, revision);
        self.annotate_sizes(&mut set);
        set
    }

    fn annotate_sizes(&self, set: &mut Value) -> bool {
        let want = replicas(&self.deployment);
        sets::set_replicas(set, want, want.saturating_add(max_surge(&self.deployment)))
    }

    /// Gives a set a size (and the annotations that go with it); answers with the set when something was written.
    /// The status of the same sync still counts the sizes from before, as in the original.
    fn resize(&self, set: &Value, size: i64, io: &mut Io<'_>) -> Result<Option<Value>, Stop> {
        let before = replicas(set);
        let mut resized = set.clone();
        let annotated = self.annotate_sizes(&mut resized);
        if before == size && !annotated {
            return Ok(None);
        }
        resized.set(&["spec", "replicas"], size);
        let answer = io.must(io.client.update(&REPLICA_SETS, "", resized))?;
        if before != size {
            let direction = if before < size { "up" } else { "down" };
            let text = format!("Scaled {direction} replica set {} from {before} to {size}", object::name(set));
            io.event(&self.deployment, EventType::Normal, "ScalingReplicaSet", text);
        }
        Ok(Some(answer))
    }

    /// As `resize`, but leaves a set of the right size alone.
    fn scale_to(&self, set: &Value, size: i64, io: &mut Io<'_>) -> Result<Option<Value>, Stop> {
        if replicas(set) == size { Ok(None) } else { self.resize(set, size, io) }
    }

    /// Whether `spec.replicas` has changed since an active set was last sized.
    fn is_scaling(&mut self, io: &mut Io<'_>) -> Result<bool, Stop> {
        let split = self.split(false, io)?;
        let want = replicas(&self.deployment);
        let active = split.all().into_iter().filter(|set| replicas(set) > 0);
        Ok(active.filter_map(|set| sets::number(set, DESIRED)).any(|desired| desired != want))
    }

    fn scale_only(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let split = self.split(false, io)?;
        self.scale(&split, io)?;
        if self.deployment["spec"]["paused"].is_true() {
            self.clean_up(&split, io)?;
        }
        self.report(&split, io)
    }

    fn scale(&self, split: &Split, io: &mut Io<'_>) -> Result<(), Stop> {
        let want = replicas(&self.deployment);
        let mut active: Vec<Value> = split.all().into_iter().filter(|set| replicas(set) > 0).cloned().collect();
        if active.len() <= 1 {
            let only = active.pop().or_else(|| split.new.clone()).or_else(|| split.old.last().cloned());
            if let Some(set) = only {
                self.scale_to(&set, want, io)?;
            }
            return Ok(());
        }
        let saturated = split.new.as_ref().is_some_and(|new| {
            replicas(new) == want
                && sets::number(new, DESIRED) == Some(want)
                && new["status"]["availableReplicas"].int() == want
        });
        if saturated {
            for old in split.old.iter().filter(|set| replicas(set) > 0) {
                self.scale_to(old, 0, io)?;
            }
            return Ok(());
        }
        if !maths::is_rolling(&self.deployment) {
            return Ok(());
        }
        let most = if want > 0 { want.saturating_add(max_surge(&self.deployment)) } else { 0 };
        let to_add = most - active.iter().map(replicas).fold(0, i64::saturating_add);
        active.sort_by(|a, b| {
            let age = object::created(a).cmp(&object::created(b)).then_with(|| object::name(a).cmp(object::name(b)));
            replicas(b).cmp(&replicas(a)).then(if to_add > 0 { age.reverse() } else { age })
        });
        let sizes = maths::proportions(&self.deployment, &active.iter().collect::<Vec<_>>(), to_add);
        for (set, size) in active.iter().zip(sizes) {
            self.resize(set, size, io)?;
        }
        Ok(())
    }

    fn roll(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let split = self.split(true, io)?;
        if !self.grow_new(&split, io)? && !self.shrink_old(&split, io)? {
            let status = self.deployment["status"].clone();
            if is_complete(&self.deployment, &status) {
                self.clean_up(&split, io)?;
            }
        }
        self.report_rollout(&split, io)
    }

    fn grow_new(&self, split: &Split, io: &mut Io<'_>) -> Result<bool, Stop> {
        let Some(new) = split.new.clone() else { return Ok(false) };
        let (size, want) = (replicas(&new), replicas(&self.deployment));
        let next = match size.cmp(&want) {
            std::cmp::Ordering::Equal => return Ok(false),
            std::cmp::Ordering::Greater => want,
            std::cmp::Ordering::Less => maths::new_size(&self.deployment, &split.all(), size),
        };
        Ok(self.scale_to(&new, next, io)?.is_some())
    }

    fn shrink_old(&self, split: &Split, io: &mut Io<'_>) -> Result<bool, Stop> {
        let mut split = split.clone();
        let old: Vec<Value> = split.old.iter().filter(|set| replicas(set) > 0).cloned().collect();
        let Some(new) = split.new.clone().filter(|_| !old.is_empty()) else { return Ok(false) };
        let minimum = replicas(&self.deployment) - max_unavailable(&self.deployment);
        let coming = replicas(&new) - new["status"]["availableReplicas"].int();
        let most = total(&split.all()) - minimum - coming;
        if most <= 0 {
            return Ok(false);
        }
        // Pods that do not work go first, without counting against availability.
        let mut gone = 0;
        for set in &old {
            if gone >= most {
                break;
            }
            let broken = replicas(set) - set["status"]["availableReplicas"].int();
            // A status from before the last scaling would count pods that are on their way out: wait for the next one.
            if broken < 0 {
                return Ok(false);
            }
            let take = broken.min(most - gone);
            if take > 0 {
                if let Some(smaller) = self.scale_to(set, replicas(set) - take, io)? {
                    split.put(smaller);
                }
                gone += take;
            }
        }
        let available = sum(&split.all(), "availableReplicas");
        let spare = available - minimum;
        let mut taken = 0;
        for set in split.old.iter().filter(|set| replicas(set) > 0) {
            let take = replicas(set).min(spare - taken);
            if take > 0 {
                self.scale_to(set, replicas(set) - take, io)?;
                taken += take;
            }
        }
        Ok(gone + taken > 0)
    }

    fn recreate(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let mut split = self.split(false, io)?;
        let mut scaled = false;
        for old in split.old.iter().filter(|set| replicas(set) > 0) {
            scaled |= self.scale_to(old, 0, io)?.is_some();
        }
        if scaled || self.old_pods_run(&split) {
            return self.report_rollout(&split, io);
        }
        if split.new.is_none() {
            split = self.split(true, io)?;
        }
        if let Some(new) = split.new.clone() {
            self.scale_to(&new, replicas(&self.deployment), io)?;
        }
        let status = self.deployment["status"].clone();
        if is_complete(&self.deployment, &status) {
            self.clean_up(&split, io)?;
        }
        self.report_rollout(&split, io)
    }

    fn old_pods_run(&self, split: &Split) -> bool {
        let new = split.new.as_ref().map(object::uid);
        sum(&split.old.iter().collect::<Vec<_>>(), "replicas") > 0
            || self.running.iter().any(|uid| Some(uid.str()) != new)
    }

    /// Deletes the oldest empty ReplicaSets beyond the history limit.
    fn clean_up(&self, split: &Split, io: &mut Io<'_>) -> Result<(), Stop> {
        let limit = self.deployment["spec"].get("revisionHistoryLimit");
        if limit.is_null() {
            return Ok(());
        }
        let mut old: Vec<&Value> = split.old.iter().filter(|set| !object::is_deleting(set)).collect();
        let beyond = old.len().saturating_sub(usize::try_from(limit.int()).unwrap_or(0));
        old.sort_by_key(|set| sets::revision(set));
        for set in old.into_iter().take(beyond) {
            let stale = set["metadata"]["generation"].int() > set["status"]["observedGeneration"].int();
            if set["status"]["replicas"].int() != 0 || replicas(set) != 0 || stale {
                continue;
            }
            let request = io.client.delete(&REPLICA_SETS, object::namespace(set), object::name(set), Value::Null);
            let answer = io.send(request)?;
            if !answer.ok() && answer.code != 404 {
                return Err(Stop::Retry(answer.value()["message"].str().into()));
            }
        }
        Ok(())
    }

    /// The status outside a rollout: Progressing is left alone.
    fn report(&mut self, split: &Split, io: &mut Io<'_>) -> Result<(), Stop> {
        let status = status::calculate(&self.deployment, &split.all(), split.new.as_ref(), self.now);
        if *self.deployment.get("status") == status {
            return Ok(());
        }
        self.deployment.set(&["status"], status);
        self.write_status(io)
    }

    fn report_rollout(&mut self, split: &Split, io: &mut Io<'_>) -> Result<(), Stop> {
        let status = status::of_rollout(&self.deployment, &split.all(), split.new.as_ref(), self.now);
        if *self.deployment.get("status") == status {
            if let Some(wait) = status::look_again(&self.deployment, &status, io.now()) {
                io.again_after(wait);
            }
            return Ok(());
        }
        self.deployment.set(&["status"], status);
        self.write_status(io)
    }

    /// The annotation that asks the server to go back to a revision (0: the one before).
    fn roll_back(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let split = self.split(true, io)?;
        let mut wanted = sets::number(&self.deployment, sets::ROLLBACK_TO).unwrap_or(0);
        if wanted == 0 {
            let mut numbers: Vec<i64> = split.all().iter().map(|set| sets::revision(set)).collect();
            numbers.sort_unstable();
            wanted = numbers.iter().rev().nth(1).copied().unwrap_or(0);
        }
        let target = split.all().into_iter().find(|set| wanted != 0 && sets::revision(set) == wanted).cloned();
        let (reason, kind, text) = match target {
            None if wanted == 0 => {
                ("DeploymentRollbackRevisionNotFound", EventType::Warning, "Unable to find last revision.".to_owned())
            }
            None => {
                let text = "Unable to find the revision to rollback to.".to_owned();
                ("DeploymentRollbackRevisionNotFound", EventType::Warning, text)
            }
            Some(set) if same_template(&set["spec"]["template"], &self.deployment["spec"]["template"]) => {
                let text = format!(
                    "The rollback revision contains the same template as current deployment \"{}\"",
                    object::name(&self.deployment)
                );
                ("DeploymentRollbackTemplateUnchanged", EventType::Warning, text)
            }
            Some(set) => {
                let mut template = set["spec"]["template"].clone();
                template.remove(&["metadata", "labels", HASH]);
                self.deployment.set(&["spec", "template"], template);
                let text =
                    format!("Rolled back deployment \"{}\" to revision {wanted}", object::name(&self.deployment));
                ("DeploymentRollback", EventType::Normal, text)
            }
        };
        io.event(&self.deployment, kind, reason, text);
        self.deployment.remove(&["metadata", "annotations", sets::ROLLBACK_TO]);
        io.must(io.client.update(&DEPLOYMENTS, "", self.deployment.clone())).map(drop)
    }
}
