//! One sync of a Job: what has ended, what is to run, and the two writes that count it.

use crate::base::BTreeSet;

use super::super::pods::{self, Rank};
use super::{FINALIZER, Inputs, STEP, Verdict, indexes, is_tracked, let_go, policy};
use crate::api::object;
use crate::api::resource::{JOBS, PODS};
use crate::base::{SmolStr, Span, Time, Value};
use crate::informer::{EventType, Io, Stop};
use crate::map;

const BURST: usize = 500;
const BACK_OFF: Span = Span::seconds(10);
const MOST_BACK_OFF: Span = Span::seconds(600);

/// One sync.
pub(super) struct Sync<'a> {
    job: &'a Value,
    pods: &'a [Value],
    now: Time,
    status: Value,
    /// Pods that run on.
    active: Vec<&'a Value>,
    made: usize,
    terminating: usize,
    /// Ended pods that still carry the finalizer.
    succeeded: Vec<&'a Value>,
    failed: Vec<&'a Value>,
    /// Failed pods that the policy does not count.
    ignored: Vec<&'a Value>,
    /// Completed indexes of an Indexed Job.
    indexes: Option<BTreeSet<i64>>,
}

impl<'a> Sync<'a> {
    pub(super) fn new(inputs: &'a Inputs) -> Sync<'a> {
        let Inputs { job, pods, now } = inputs;
        let tracked = || pods.iter().filter(|pod| is_tracked(pod));
        let phase = |pod: &Value, want: &str| pod["status"]["phase"].str() == want;
        let succeeded: Vec<&Value> = tracked().filter(|pod| phase(pod, "Succeeded")).collect();
        let failed =
            tracked().filter(|pod| phase(pod, "Failed") || (object::is_deleting(pod) && !phase(pod, "Succeeded")));
        let (ignored, failed) = failed.partition(|pod| policy::ignores(job, pod));
        let indexes = (job["spec"]["completionMode"].str() == "Indexed").then(|| {
            let mut done = indexes::parse(job["status"]["completedIndexes"].str());
            done.extend(succeeded.iter().filter_map(|pod| indexes::of_pod(pod)));
            done
        });
        Sync {
            job,
            pods,
            now: *now,
            status: job["status"].clone(),
            active: pods.iter().filter(|pod| pods::is_active(pod)).collect(),
            made: 0,
            terminating: pods.iter().filter(|pod| pods::is_terminating(pod)).count(),
            succeeded,
            failed,
            ignored,
            indexes,
        }
    }

    pub(super) fn run(mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let spec = &self.job["spec"];
        let is_suspended = spec["suspend"].is_true();
        let mut notes: Vec<(EventType, SmolStr, SmolStr)> = Vec::new();
        let mut failure = None;
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
            self.failed.extend(doomed.into_iter().filter(|pod| is_tracked(pod)));
        } else if is_suspended {
            let doomed = std::mem::take(&mut self.active);
            let tracked: Vec<&Value> = doomed.iter().copied().filter(|pod| is_tracked(pod)).collect();
            let_go(&tracked, io)?;
            self.delete(&doomed, io)?;
            if self.set_suspended(true) {
                notes.push((EventType::Normal, "Suspended".into(), "Job suspended".into()));
            }
            self.status.remove(&["startTime"]);
        } else if !object::is_deleting(self.job) {
            failure = self.manage(io)?;
            if self.set_suspended(false) {
                notes.push((EventType::Normal, "Resumed".into(), "Job resumed".into()));
            }
            if self.is_complete() {
                verdict = Some(Verdict::reached());
            }
        }
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
        for (kind, reason, message) in notes {
            let reason = if reason == "Suspended" { "Suspended" } else { "Resumed" };
            io.event(self.job, kind, reason, message.as_str());
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
        let spec = &self.job["spec"];
        if let Some(message) = self.failed.iter().find_map(|pod| policy::ends(self.job, pod)) {
            return Some(Verdict::failed("PodFailurePolicy", &message));
        }
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
        if active > want {
            let mut ranked: Vec<(Rank, &Value)> =
                self.active.iter().map(|pod| (Rank::of(pod, 0, self.now), *pod)).collect();
            ranked.sort_by(|a, b| a.0.compare(&b.0));
            let count = usize::try_from(active - want).unwrap_or(0).min(BURST);
            let doomed: Vec<&Value> = ranked.into_iter().take(count).map(|(_, pod)| pod).collect();
            self.delete(&doomed, io)?;
            self.active.retain(|pod| !doomed.iter().any(|gone| object::uid(gone) == object::uid(pod)));
            self.failed.extend(doomed.into_iter().filter(|pod| is_tracked(pod)));
            return Ok(None);
        }
        if active == want {
            return Ok(None);
        }
        if let Some(at) = self.back_off().filter(|at| *at > self.now) {
            io.again_after(at - self.now);
            return Ok(None);
        }
        let missing = usize::try_from(want - active).unwrap_or(0).min(BURST);
        self.create(missing, io)
    }

    /// When the next pod may be made after failures.
    fn back_off(&self) -> Option<Time> {
        let finished = |pod: &&Value| {
            let ended = pod["status"]["containerStatuses"].items().iter();
            let ended = ended.filter_map(|one| object::time(&one["state"]["terminated"]["finishedAt"]));
            ended.max().or_else(|| object::time(&pod["metadata"]["deletionTimestamp"]))
        };
        let of_phase = |phase: &'static str| self.pods.iter().filter(move |pod| pod["status"]["phase"].str() == phase);
        let success = of_phase("Succeeded").filter_map(|pod| finished(&pod)).max();
        let failures: Vec<Time> = of_phase("Failed")
            .filter_map(|pod| finished(&pod))
            .filter(|at| success.is_none_or(|success| *at > success))
            .collect();
        let last = *failures.iter().max()?;
        let doubled = failures.len().saturating_sub(1).min(16) as u32;
        Some(last + Span(BACK_OFF.0.saturating_mul(1 << doubled)).min(MOST_BACK_OFF))
    }

    fn create(&mut self, missing: usize, io: &mut Io<'_>) -> Result<Option<String>, Stop> {
        let mut base = pods::from_template(self.job["spec"].get("template"), self.job, "batch/v1", "Job");
        base.at_mut(&["metadata", "finalizers"]).list_mut().push(FINALIZER.into());
        let mut wanted: Vec<Value> = match &self.indexes {
            None => vec![base; missing],
            Some(done) => {
                let taken: BTreeSet<i64> = self.active.iter().filter_map(|pod| indexes::of_pod(pod)).collect();
                let completions = self.job["spec"]["completions"].int();
                let free = (0..completions).filter(|index| !done.contains(index) && !taken.contains(index));
                free.take(missing).map(|index| indexes::pod(&base, self.job, index)).collect()
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
            if !indexes.is_empty() {
                self.status.set(&["completedIndexes"], indexes::text(indexes));
                self.status.set(&["succeeded"], indexes.len());
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
        _ => "BackoffLimitExceeded",
    }
}
