//! One sync of a Job: what has ended, what is to run, and the two writes that count it.

use crate::base::BTreeSet;

use super::super::pods::{self, Rank};
use super::per_index::PerIndex;
use super::{FINALIZER, Inputs, STEP, Verdict, indexes, is_failed, is_tracked, let_go, policy, replaces_failed_only};
use crate::api::object;
use crate::api::resource::{JOBS, PODS};
use crate::base::{Span, Time, Value};
use crate::informer::{EventType, Io, Stop};
use crate::map;

const BURST: usize = 500;

/// One sync.
pub(super) struct Sync<'a> {
    job: &'a Value,
    pods: &'a [Value],
    now: Time,
    back_off: Option<Time>,
    completions: i64,
    status: Value,
    /// Pods that run on.
    active: Vec<&'a Value>,
    made: usize,
    terminating: usize,
    /// Ended pods that still carry the finalizer.
    succeeded: Vec<&'a Value>,
    failed: Vec<&'a Value>,
    /// Pods that lose the finalizer and are not counted.
    ignored: Vec<&'a Value>,
    /// Completed indexes of an Indexed Job.
    indexes: Option<BTreeSet<i64>>,
    per_index: Option<PerIndex<'a>>,
}

impl<'a> Sync<'a> {
    pub(super) fn new(inputs: &'a Inputs) -> Sync<'a> {
        let Inputs { job, pods, back_off, now } = inputs;
        let completions = job["spec"]["completions"].int();
        let is_indexed = job["spec"]["completionMode"].str() == "Indexed";
        let active: Vec<&Value> = pods.iter().filter(|pod| pods::is_active(pod)).collect();
        let is_success = |pod: &Value| pod["status"]["phase"].str() == "Succeeded";
        let ended = pods.iter().filter(|pod| is_tracked(pod) && (is_success(pod) || is_failed(job, pod)));
        let (mut succeeded, mut failed, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
        for pod in ended {
            let is_stray = is_indexed && indexes::of_pod(pod, completions).is_none();
            if is_stray || (!is_success(pod) && policy::ignores(job, pod)) {
                ignored.push(pod);
            } else if is_success(pod) {
                succeeded.push(pod);
            } else {
                failed.push(pod);
            }
        }
        let indexes = is_indexed.then(|| {
            let mut done = indexes::parse(job["status"]["completedIndexes"].str(), completions);
            done.extend(succeeded.iter().filter_map(|pod| indexes::of_pod(pod, completions)));
            done
        });
        let per_index = indexes.as_ref().and_then(|done| PerIndex::of(job, pods, done, &active));
        Sync {
            job,
            pods,
            now: *now,
            back_off: *back_off,
            completions,
            status: job["status"].clone(),
            active,
            made: 0,
            terminating: pods.iter().filter(|pod| pods::is_terminating(pod)).count(),
            succeeded,
            failed,
            ignored,
            indexes,
            per_index,
        }
    }

    pub(super) fn run(mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let spec = &self.job["spec"];
        let is_suspended = spec["suspend"].is_true();
        let mut failure = None;
        let mut turned = false;
        let mut verdict = self.standing();
        if verdict.is_none() {
            verdict = self.failure();
            let start = object::time(&self.status["startTime"]);
            if verdict.is_none()
                && !is_suspended
                && let (Some(start), Some(seconds)) = (start, spec["activeDeadlineSeconds"].as_int())
            {
                io.again_after(start + Span::seconds(seconds) - self.now);
            }
        }
        if verdict.is_some() {
            let doomed = std::mem::take(&mut self.active);
            self.delete(&doomed, io)?;
        } else {
            let is_managed = !object::is_deleting(self.job);
            if is_managed && is_suspended {
                self.remove(self.active.len(), io)?;
            } else if is_managed {
                failure = self.manage(io)?;
            }
            if self.is_complete() {
                verdict = Some(Verdict::reached());
            } else if is_managed {
                turned = self.set_suspended(is_suspended);
                if is_suspended {
                    self.status.remove(&["startTime"]);
                }
            }
        }
        self.sort_out(verdict.as_ref());
        if !is_suspended && self.status["startTime"].is_null() {
            self.status.set(&["startTime"], self.now.rfc3339());
        }
        self.count();
        if let Some(verdict) = &verdict
            && !self.has(verdict.first)
        {
            self.condition(verdict.first, verdict);
        }
        let mut job = self.write(self.job.clone(), io)?;
        if turned {
            let (reason, message) =
                if is_suspended { ("Suspended", "Job suspended") } else { ("Resumed", "Job resumed") };
            io.event(self.job, EventType::Normal, reason, message);
        }
        // What is noted loses its finalizer and is counted.
        let ended: Vec<&Value> =
            self.succeeded.iter().chain(&self.failed).chain(&self.ignored).copied().filter(|p| is_tracked(p)).collect();
        let_go(&ended, io)?;
        self.settle();
        let over = verdict.filter(|_| self.terminating == 0);
        if let Some(verdict) = &over {
            self.condition(verdict.last, verdict);
            if verdict.last == "Complete" {
                self.status.set(&["completionTime"], io.now().rfc3339());
            }
        }
        job = self.write(job, io)?;
        if let Some(verdict) = &over {
            match verdict.last {
                "Complete" => io.event(&job, EventType::Normal, "Completed", "Job completed"),
                _ => io.event(&job, EventType::Warning, word(&verdict.reason), verdict.message.as_str()),
            }
        }
        match failure {
            Some(_) => {
                io.again_after(STEP);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What an earlier sync has decided.
    fn standing(&self) -> Option<Verdict> {
        let found = self.status["conditions"].items().iter().find(|one| {
            matches!(one["type"].str(), "FailureTarget" | "SuccessCriteriaMet") && one["status"].str() == "True"
        });
        found.map(Verdict::of)
    }

    fn failures(&self) -> i64 {
        let noted = self.status["uncountedTerminatedPods"]["failed"].items();
        let new = self.failed.iter().filter(|pod| !noted.iter().any(|uid| uid.str() == object::uid(pod))).count();
        self.status["failed"].int().saturating_add((noted.len() + new) as i64)
    }

    fn successes(&self) -> i64 {
        if let Some(indexes) = &self.indexes {
            return indexes.len() as i64;
        }
        let noted = self.status["uncountedTerminatedPods"]["succeeded"].items();
        let new = self.succeeded.iter().filter(|pod| !noted.iter().any(|uid| uid.str() == object::uid(pod))).count();
        self.status["succeeded"].int().saturating_add((noted.len() + new) as i64)
    }

    fn failure(&self) -> Option<Verdict> {
        if let Some(message) = self.failed.iter().find_map(|pod| policy::ends(self.job, pod)) {
            return Some(Verdict::failed("PodFailurePolicy", &message));
        }
        self.exceeds().or_else(|| self.per_index()).or_else(|| {
            let message = indexes::suffice(self.job, self.indexes.as_ref()?)?;
            Some(Verdict::suffices(&message))
        })
    }

    /// Too many failures in all, or too long a time.
    fn exceeds(&self) -> Option<Verdict> {
        let spec = &self.job["spec"];
        let limit = spec["backoffLimit"].as_int().unwrap_or(6);
        let restarts = || -> i64 {
            let statuses = self.active.iter().flat_map(|pod| {
                let status = &pod["status"];
                status["initContainerStatuses"].items().iter().chain(status["containerStatuses"].items())
            });
            statuses.map(|status| status["restartCount"].int()).fold(0, i64::saturating_add)
        };
        let in_place = spec["template"]["spec"]["restartPolicy"].str() == "OnFailure";
        let past = |restarts: i64| if limit == 0 { restarts > 0 } else { restarts >= limit };
        if self.failures() > limit || (in_place && past(restarts())) {
            return Some(Verdict::failed("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        }
        let start = object::time(&self.status["startTime"])?;
        let seconds = spec["activeDeadlineSeconds"].as_int()?;
        let over = !spec["suspend"].is_true() && start + Span::seconds(seconds) <= self.now;
        over.then(|| Verdict::failed("DeadlineExceeded", "Job was active longer than specified deadline"))
    }

    /// Too many failed indexes, or no other left.
    fn per_index(&self) -> Option<Verdict> {
        let failed = self.per_index.as_ref()?.failed.len() as i64;
        if self.job["spec"]["maxFailedIndexes"].as_int().is_some_and(|most| failed > most) {
            let message = "Job has exceeded the specified maximal number of failed indexes";
            return Some(Verdict::failed("MaxFailedIndexesExceeded", message));
        }
        let is_over = failed > 0 && failed.saturating_add(self.successes()) >= self.completions;
        is_over.then(|| Verdict::failed("FailedIndexes", "Job has failed indexes"))
    }

    /// Which pods lose their finalizer besides those that have ended, and which of these keep it for now.
    fn sort_out(&mut self, verdict: Option<&Verdict>) {
        if verdict.is_none() && !object::is_deleting(self.job) {
            if let Some(per_index) = &self.per_index {
                self.failed.retain(|pod| !per_index.holds(pod));
                self.ignored.retain(|pod| !per_index.holds(pod));
            }
            return;
        }
        // The end of a Job is the end of all its pods: they have failed with it.
        let fails = verdict.is_some_and(|verdict| verdict.last == "Failed");
        for pod in self.pods.iter().filter(|pod| is_tracked(pod)) {
            if pods::is_finished(pod) || is_failed(self.job, pod) {
                continue;
            }
            let is_stray = self.indexes.is_some() && indexes::of_pod(pod, self.completions).is_none();
            let list = if fails && !is_stray && !policy::ignores(self.job, pod) {
                &mut self.failed
            } else {
                &mut self.ignored
            };
            list.push(pod);
        }
    }

    /// Makes and deletes pods until as many run as should; the first refusal.
    fn manage(&mut self, io: &mut Io<'_>) -> Result<Option<String>, Stop> {
        let spec = &self.job["spec"];
        let parallelism = spec["parallelism"].as_int().unwrap_or(1).max(0);
        let active = self.active.len() as i64;
        let want = match spec["completions"].as_int() {
            Some(completions) => completions.saturating_sub(self.successes()).clamp(0, parallelism),
            None if self.successes() > 0 => active.min(parallelism),
            None => parallelism,
        };
        if self.remove(usize::try_from(active.saturating_sub(want)).unwrap_or(0), io)? {
            return Ok(None);
        }
        let leaving = if replaces_failed_only(self.job) { self.terminating as i64 } else { 0 };
        let missing = want.saturating_sub(leaving).saturating_sub(active);
        if missing <= 0 {
            return Ok(None);
        }
        if self.per_index.is_none()
            && let Some(at) = self.back_off.filter(|at| *at > self.now)
        {
            io.again_after(at - self.now);
            return Ok(None);
        }
        let missing = usize::try_from(missing).unwrap_or(0).min(BURST);
        self.create(missing, io)
    }

    /// Deletes active pods, uncounted: at least that many, and all whose index another one has or none should have.
    fn remove(&mut self, least: usize, io: &mut Io<'_>) -> Result<bool, Stop> {
        let mut ranked: Vec<(Rank, &Value)> =
            self.active.iter().map(|pod| (Rank::of(pod, 0, self.now), *pod)).collect();
        ranked.sort_by(|a, b| a.0.compare(&b.0));
        let mut doomed: Vec<&Value> = Vec::new();
        if self.indexes.is_some() {
            // The last of the rank stays.
            let mut taken = BTreeSet::new();
            for (_, pod) in ranked.iter().rev() {
                if !indexes::of_pod(pod, self.completions).is_some_and(|index| taken.insert(index)) {
                    doomed.push(pod);
                }
            }
        }
        for (_, pod) in ranked {
            if doomed.len() < least && !doomed.iter().any(|gone| object::uid(gone) == object::uid(pod)) {
                doomed.push(pod);
            }
        }
        doomed.truncate(BURST);
        if doomed.is_empty() {
            return Ok(false);
        }
        let tracked: Vec<&Value> = doomed.iter().copied().filter(|pod| is_tracked(pod)).collect();
        let_go(&tracked, io)?;
        self.delete(&doomed, io)?;
        self.active.retain(|pod| !doomed.iter().any(|gone| object::uid(gone) == object::uid(pod)));
        Ok(true)
    }

    /// The next indexes to run, and the waits of those that failed.
    fn next_indexes(&self, done: &BTreeSet<i64>, missing: usize, io: &mut Io<'_>) -> Vec<i64> {
        let leaving = self.pods.iter().filter(|pod| replaces_failed_only(self.job) && pods::is_terminating(pod));
        let taken = self.active.iter().copied().chain(leaving);
        let taken: BTreeSet<i64> = taken.filter_map(|pod| indexes::of_pod(pod, self.completions)).collect();
        let failed = |index: &i64| self.per_index.as_ref().is_some_and(|one| one.failed.contains(index));
        let free = (0..self.completions).filter(|i| !done.contains(i) && !taken.contains(i) && !failed(i));
        let mut next: Vec<i64> = free.take(missing).collect();
        if let Some(per_index) = &self.per_index {
            let wait = |index: &i64| per_index.until(*index).filter(|at| *at > self.now);
            let first = next.iter().filter_map(wait).min();
            next.retain(|index| wait(index).is_none());
            if let (true, Some(at)) = (next.is_empty(), first) {
                io.again_after(at - self.now);
            }
        }
        next
    }

    fn create(&mut self, missing: usize, io: &mut Io<'_>) -> Result<Option<String>, Stop> {
        let mut base = pods::from_template(self.job["spec"].get("template"), self.job, "batch/v1", "Job");
        base.at_mut(&["metadata", "finalizers"]).list_mut().push(FINALIZER.into());
        let mut wanted: Vec<Value> = match &self.indexes {
            None => vec![base; missing],
            Some(done) => {
                let pod = |index: i64| {
                    let mut pod = indexes::pod(&base, self.job, index);
                    if let Some(per_index) = &self.per_index {
                        per_index.note(self.job, index, &mut pod);
                    }
                    pod
                };
                self.next_indexes(done, missing, io).into_iter().map(pod).collect()
            }
        };
        let mut batch = 1;
        while !wanted.is_empty() {
            batch = batch.min(wanted.len());
            let some: Vec<Value> = wanted.drain(..batch).collect();
            let namespace = object::namespace(self.job);
            let answers = io.send_all(some.into_iter().map(|pod| io.client.create(&PODS, namespace, pod)).collect())?;
            let mut first = None;
            for answer in &answers {
                let value = answer.value();
                if answer.ok() {
                    self.made += 1;
                    io.expect(value);
                    let text = format!("Created pod: {}", object::name(value));
                    io.event(self.job, EventType::Normal, "SuccessfulCreate", text);
                } else {
                    let message = value["message"].str();
                    if !pods::namespace_is_terminating(value) {
                        io.event(self.job, EventType::Warning, "FailedCreate", format!("Error creating: {message}"));
                    }
                    first.get_or_insert_with(|| message.to_owned());
                }
            }
            if first.is_some() {
                return Ok(first);
            }
            batch *= 2;
        }
        Ok(None)
    }

    fn delete(&mut self, doomed: &[&Value], io: &mut Io<'_>) -> Result<(), Stop> {
        let delete = |pod: &&Value| io.client.delete(&PODS, object::namespace(pod), object::name(pod), Value::Null);
        let requests = doomed.iter().map(delete).collect();
        for (answer, pod) in io.send_all(requests)?.iter().zip(doomed) {
            let name = object::name(pod);
            if answer.ok() {
                self.terminating += usize::from(pods::is_terminating(answer.value()));
                io.expect(answer.value());
                io.event(self.job, EventType::Normal, "SuccessfulDelete", format!("Deleted pod: {name}"));
            } else if answer.code != 404 {
                return Err(Stop::Retry(answer.value()["message"].str().into()));
            }
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        let none_runs = self.active.is_empty() && self.made == 0;
        none_runs
            && match self.job["spec"]["completions"].as_int() {
                Some(completions) => self.successes() >= completions,
                None => self.successes() > 0,
            }
    }

    /// The numbers, and the ended pods that are not counted yet.
    fn count(&mut self) {
        let active = self.active.len() + self.made;
        match active {
            0 => drop(self.status.remove(&["active"])),
            _ => self.status.set(&["active"], active),
        }
        let ready = self.active.iter().filter(|pod| pods::is_ready(pod)).count();
        self.status.set(&["ready"], ready);
        self.status.set(&["terminating"], self.terminating);
        let mut uncounted = self.status["uncountedTerminatedPods"].clone();
        if uncounted.is_null() {
            uncounted = Value::empty_map();
        }
        let mut note = |list: &str, ended: &[&Value]| {
            let known: Vec<Value> = uncounted[list].items().to_vec();
            let new = ended.iter().map(|pod| Value::from(object::uid(pod))).filter(|uid| !known.contains(uid));
            let all: Vec<Value> = known.iter().cloned().chain(new).collect();
            if !all.is_empty() {
                uncounted.set(&[list], all);
            }
        };
        if let Some(indexes) = &self.indexes {
            if indexes.is_empty() {
                self.status.remove(&["completedIndexes"]);
                self.status.remove(&["succeeded"]);
            } else {
                self.status.set(&["completedIndexes"], indexes::text(indexes));
                self.status.set(&["succeeded"], indexes.len());
            }
            if let Some(per_index) = &self.per_index {
                self.status.set(&["failedIndexes"], indexes::text(&per_index.failed));
            }
        } else {
            note("succeeded", &self.succeeded);
        }
        note("failed", &self.failed);
        self.status.set(&["uncountedTerminatedPods"], uncounted);
    }

    /// Counts what was noted.
    fn settle(&mut self) {
        for list in ["succeeded", "failed"] {
            let noted = self.status["uncountedTerminatedPods"][list].items().len() as i64;
            if noted > 0 {
                let sum = self.status[list].int().saturating_add(noted);
                self.status.set(&[list], sum);
            }
        }
        self.status.set(&["uncountedTerminatedPods"], Value::empty_map());
    }

    fn has(&self, kind: &str) -> bool {
        self.status["conditions"].items().iter().any(|one| one["type"].str() == kind)
    }

    fn condition(&mut self, kind: &str, verdict: &Verdict) {
        self.set_condition(kind, "True", &verdict.reason, &verdict.message);
    }

    fn set_condition(&mut self, kind: &str, status: &str, reason: &str, message: &str) {
        let now = self.now.rfc3339();
        let made = map! {
            "type" => kind, "status" => status, "reason" => reason, "message" => message,
            "lastProbeTime" => now.as_str(), "lastTransitionTime" => now.as_str(),
        };
        let all = self.status.at_mut(&["conditions"]).list_mut();
        match all.iter_mut().find(|one| one["type"].str() == kind) {
            Some(old) => *old = made,
            None => all.push(made),
        }
    }

    /// The Suspended condition; true when it turned.
    fn set_suspended(&mut self, yes: bool) -> bool {
        let is = self.status["conditions"].items().iter().find(|one| one["type"].str() == "Suspended");
        let is = is.is_some_and(|one| one["status"].str() == "True");
        if is == yes {
            return false;
        }
        match yes {
            true => self.set_condition("Suspended", "True", "JobSuspended", "Job suspended"),
            false => {
                self.set_condition("Suspended", "False", "JobResumed", "Job resumed");
                self.status.set(&["startTime"], self.now.rfc3339());
            }
        }
        true
    }

    /// Writes the status when it differs; the Job as it is then.
    fn write(&self, job: Value, io: &mut Io<'_>) -> Result<Value, Stop> {
        if job["status"] == self.status {
            return Ok(job);
        }
        let mut new = job;
        new.map_mut().insert("status", self.status.clone());
        io.must(io.client.update(&JOBS, "status", new))
    }
}

/// The reasons a Job fails for, as events name them.
fn word(reason: &str) -> &'static str {
    match reason {
        "DeadlineExceeded" => "DeadlineExceeded",
        "PodFailurePolicy" => "PodFailurePolicy",
        "FailedIndexes" => "FailedIndexes",
        "MaxFailedIndexesExceeded" => "MaxFailedIndexesExceeded",
        _ => "BackoffLimitExceeded",
    }
}
