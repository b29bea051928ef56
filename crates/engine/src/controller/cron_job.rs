//! The CronJob controller (batch/v1): Jobs by the clock.

use crate::api::object;
use crate::api::resource::{CRON_JOBS, JOBS};
use crate::api::validation::cron::{self, Schedule};
use crate::base::{Span, Time, Value, zone};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

use super::job::is_finished;
use super::owner::{self, Expected};
use super::pods;

const KIND: &str = "CronJob";
const STAMP: &str = "batch.kubernetes.io/cronjob-scheduled-timestamp";
/// How long after the minute a Job is made.
const LATE: Span = Span::millis(100);
/// More missed times than this are told.
const MANY: i64 = 100;

#[derive(Clone, Debug, Default)]
pub struct CronJobs {
    expected: Expected,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    cron_job: Value,
    jobs: Vec<Value>,
    now: Time,
}

impl Reconciler for CronJobs {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == CRON_JOBS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == JOBS {
            let job = if change.after.is_null() { &change.before } else { &change.after };
            if let Some(key) = owner::of(job, &CRON_JOBS, KIND) {
                add(key, Span::ZERO);
            }
        }
    }

    fn expect(&mut self, key: &Key, revision: u64) {
        self.expected.expect(key, revision);
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let Some(cron_job) = see.get(key).cloned() else {
            self.expected.forget(key);
            return None;
        };
        if !self.expected.is_met(see, key) {
            return None;
        }
        let jobs = see.owned(object::uid(&cron_job), &JOBS).map(|(_, job)| job.clone()).collect();
        Some(Inputs { cron_job, jobs, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let mut sync = Sync { inputs, status: inputs.cron_job["status"].clone() };
        let done = sync.run(io)?;
        sync.tidy(io)?;
        if sync.status != inputs.cron_job["status"] {
            let mut body = inputs.cron_job.clone();
            body.set(&["status"], sync.status);
            let answer = io.send(io.client.update(&CRON_JOBS, "status", body))?;
            if !answer.ok() && answer.code != 404 {
                return Err(Stop::Retry(answer.value()["message"].str().into()));
            }
            io.expect(answer.value());
        }
        done.map_err(Stop::Retry)
    }
}

struct Sync<'a> {
    inputs: &'a Inputs,
    status: Value,
}

impl Sync<'_> {
    fn active(&self) -> Vec<Value> {
        self.status["active"].items().to_vec()
    }

    fn set_active(&mut self, active: Vec<Value>) {
        if active.is_empty() {
            self.status.remove(&["active"]);
        } else {
            self.status.set(&["active"], active);
        }
    }

    fn forget(&mut self, uid: &str) {
        let mut active = self.active();
        active.retain(|one| one["uid"].str() != uid);
        self.set_active(active);
    }

    /// The inner error is a refused Job.
    fn run(&mut self, io: &mut Io<'_>) -> Result<Result<(), String>, Stop> {
        let (own, now) = (&self.inputs.cron_job, self.inputs.now);
        self.look_at_jobs(io)?;
        if object::is_deleting(own) || own["spec"]["suspend"].is_true() {
            return Ok(Ok(()));
        }
        let spec = &own["spec"];
        let place = spec["timeZone"].str();
        if !place.is_empty() && !cron::is_time_zone(place) {
            let text = format!("invalid timeZone: \"{place}\": unknown time zone {place}");
            io.event(own, EventType::Warning, "UnknownTimeZone", text);
            return Ok(Ok(()));
        }
        let place = if place.is_empty() { "UTC" } else { place };
        let line = spec["schedule"].str();
        let schedule = match cron::parse(line) {
            Ok(schedule) => schedule,
            Err(error) => {
                let text = format!("unparseable schedule: \"{line}\" : {error}");
                io.event(own, EventType::Warning, "UnparseableSchedule", text);
                return Ok(Ok(()));
            }
        };
        let last = object::time(&self.status["lastScheduleTime"]);
        let begun = last.unwrap_or_else(|| object::created(own));
        let deadline = spec["startingDeadlineSeconds"].as_int().map(|n| Span::seconds(n.clamp(0, 1 << 40)));
        let earliest = deadline.map_or(begun, |deadline| begun.max(Time(now.0 - deadline.0)));
        let (missed, count) = missed(&schedule, place, earliest, now);
        if count > MANY {
            let text = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
            io.event(own, EventType::Warning, "TooManyMissedTimes", text);
        }
        let from = self::missed(&schedule, place, begun, now).0.unwrap_or(begun);
        if let Some(next) = schedule.next(from, place) {
            io.again_after((next + LATE - now).max(Span::millis(1)));
        }
        let Some(due) = missed else { return Ok(Ok(())) };
        if deadline.is_some_and(|deadline| due + deadline < now) {
            let text = format!("Missed scheduled time to start a job: {}", rfc1123(due));
            io.event(own, EventType::Warning, "MissSchedule", text);
            return Ok(Ok(()));
        }
        let name = format!("{}-{}", object::name(own), due.as_seconds() / 60);
        let active = self.active();
        if last == Some(due) || active.iter().any(|one| one["name"].str() == name) {
            return Ok(Ok(()));
        }
        match spec["concurrencyPolicy"].str() {
            "Forbid" if !active.is_empty() => {
                let text = "Not starting job because prior execution is running and concurrency policy is Forbid";
                io.event(own, EventType::Normal, "JobAlreadyActive", text);
                return Ok(Ok(()));
            }
            "Replace" => {
                for one in &active {
                    self.delete(one["name"].str(), one["uid"].str(), io)?;
                }
            }
            _ => {}
        }
        self.start(&name, due, place, io)
    }

    /// Takes in what has become of the Jobs.
    fn look_at_jobs(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let own = &self.inputs.cron_job;
        for job in &self.inputs.jobs {
            let uid = object::uid(job);
            let found = self.active().iter().any(|one| one["uid"].str() == uid);
            if !found && !is_finished(job) {
                let text = format!("Saw a job that the controller did not create or forgot: {}", object::name(job));
                io.event(own, EventType::Warning, "UnexpectedJob", text);
                continue;
            }
            let succeeded = object::condition_is(job, "Complete", "True");
            if found && is_finished(job) {
                let how = if succeeded { "Complete" } else { "Failed" };
                self.forget(uid);
                let text = format!("Saw completed job: {}, condition: {how}", object::name(job));
                io.event(own, EventType::Normal, "SawCompletedJob", text);
            }
            let end = &job["status"]["completionTime"];
            if succeeded && !end.is_null() && object::time(end) > object::time(&self.status["lastSuccessfulTime"]) {
                self.status.set(&["lastSuccessfulTime"], end);
            }
        }
        for one in self.active() {
            if self.inputs.jobs.iter().any(|job| object::uid(job) == one["uid"].str()) {
                continue;
            }
            let answer = io.send(io.client.get(&JOBS, object::namespace(own), one["name"].str()))?;
            if answer.code == 404 {
                let text = format!("Active job went missing: {}", one["name"].str());
                io.event(own, EventType::Normal, "MissingJob", text);
                self.forget(one["uid"].str());
            }
        }
        Ok(())
    }

    fn start(&mut self, name: &str, due: Time, place: &str, io: &mut Io<'_>) -> Result<Result<(), String>, Stop> {
        let own = &self.inputs.cron_job;
        let template = &own["spec"]["jobTemplate"];
        let mut meta = map! {
            "name" => name, "namespace" => object::namespace(own),
            "ownerReferences" => vec![object::owned_by(own, "batch/v1", KIND)],
        };
        for key in ["labels", "annotations"] {
            if !template["metadata"][key].is_empty() {
                meta.set(&[key], template["metadata"].get(key));
            }
        }
        meta.set(&["annotations", STAMP], local(due, place));
        let job = map! {
            "apiVersion" => "batch/v1", "kind" => "Job", "metadata" => meta, "spec" => template.get("spec"),
        };
        let answer = io.send(io.client.create(&JOBS, object::namespace(own), job))?;
        let made = answer.value();
        if !answer.ok() {
            let message = made["message"].str().to_owned();
            if made["reason"].str() == "AlreadyExists" || pods::namespace_is_terminating(made) {
                return Ok(Ok(()));
            }
            io.event(own, EventType::Warning, "FailedCreate", format!("Error creating job: {message}"));
            return Ok(Err(message));
        }
        io.event(own, EventType::Normal, "SuccessfulCreate", format!("Created job {name}"));
        let mut active = self.active();
        active.push(map! {
            "apiVersion" => "batch/v1", "kind" => "Job", "name" => name, "namespace" => object::namespace(own),
            "resourceVersion" => made.at(&["metadata", "resourceVersion"]), "uid" => object::uid(made),
        });
        self.set_active(active);
        self.status.set(&["lastScheduleTime"], due.rfc3339());
        Ok(Ok(()))
    }

    fn delete(&mut self, name: &str, uid: &str, io: &mut Io<'_>) -> Result<(), Stop> {
        let own = &self.inputs.cron_job;
        let options = map! { "kind" => "DeleteOptions", "apiVersion" => "v1", "propagationPolicy" => "Background" };
        let answer = io.send(io.client.delete(&JOBS, object::namespace(own), name, options))?;
        if answer.ok() || answer.code == 404 {
            self.forget(uid);
            io.event(own, EventType::Normal, "SuccessfulDelete", format!("Deleted job {name}"));
        } else {
            let message = answer.value()["message"].str();
            io.event(own, EventType::Warning, "FailedDelete", format!("Deleted job: {message}"));
        }
        Ok(())
    }

    /// Finished Jobs beyond the limits of the history go, the oldest first.
    fn tidy(&mut self, io: &mut Io<'_>) -> Result<(), Stop> {
        let spec = &self.inputs.cron_job["spec"];
        for (field, kind) in [("successfulJobsHistoryLimit", "Complete"), ("failedJobsHistoryLimit", "Failed")] {
            let Some(limit) = spec[field].as_int() else { continue };
            let ended = self.inputs.jobs.iter().filter(|job| object::condition_is(job, kind, "True"));
            let mut ended: Vec<&Value> = ended.filter(|job| !object::is_deleting(job)).collect();
            ended.sort_by_key(|job| (object::time(&job["status"]["startTime"]), object::name(job).to_owned()));
            let surplus = ended.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
            for job in ended.into_iter().take(surplus) {
                self.delete(object::name(job), object::uid(job), io)?;
            }
        }
        Ok(())
    }
}

/// The latest due time from `earliest` (not counted) to now, and about how many there were.
fn missed(schedule: &Schedule, place: &str, earliest: Time, now: Time) -> (Option<Time>, i64) {
    let Some(first) = schedule.next(earliest, place).filter(|first| *first <= now) else { return (None, 0) };
    let Some(second) = schedule.next(first, place).filter(|second| *second <= now) else { return (Some(first), 1) };
    let apart = (second - first).0.max(1_000_000);
    let count = (now - first).0 / apart + 1;
    let mut latest = None;
    let mut at = Time(first.0.saturating_add(apart.saturating_mul(count - 2)));
    // One step before the last by the first two's distance; uneven schedules take a few steps more.
    for _ in 0..2000 {
        match schedule.next(at, place).filter(|next| *next <= now) {
            Some(next) => (latest, at) = (Some(next), next),
            None => break,
        }
    }
    (latest.or(Some(second)), count)
}

/// `2026-01-05T18:15:00+09:00`.
fn local(at: Time, place: &str) -> String {
    let (offset, _) = zone::at(place, at);
    let text = (at + Span::seconds(offset)).rfc3339();
    if offset == 0 {
        return text;
    }
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!("{}{sign}{:02}:{:02}", text.trim_end_matches('Z'), minutes / 60, minutes % 60)
}

/// `Mon, 05 Jan 2026 09:00:00 +0000`.
fn rfc1123(at: Time) -> String {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    let (year, month, day, hour, minute, second) = at.civil();
    let weekday = DAYS.get(at.weekday() as usize).copied().unwrap_or_default();
    let month = crate::base::time::MONTHS.get(month.saturating_sub(1) as usize).copied().unwrap_or_default();
    format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} +0000")
}
