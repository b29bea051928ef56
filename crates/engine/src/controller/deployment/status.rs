//! A Deployment's status: counts, and the conditions Available, Progressing and ReplicaFailure.

use super::maths::max_unavailable;
use super::sets::{replicas, sum, total};
use crate::api::object;
use crate::base::{Span, Time, Value};
use crate::map;

/// `progressDeadlineSeconds` of this size means: no deadline.
const NO_DEADLINE: i64 = 2_147_483_647;

/// What a count of the status was and is.
fn count(status: &Value, key: &str) -> i64 {
    status.get(key).int()
}

pub fn has_deadline(deployment: &Value) -> bool {
    let deadline = deployment["spec"].get("progressDeadlineSeconds");
    !deadline.is_null() && deadline.int() != NO_DEADLINE
}

pub fn progressing(status: &Value) -> Option<&Value> {
    status["conditions"].items().iter().find(|condition| condition["type"].str() == "Progressing")
}

pub fn condition(kind: &str, status: &str, reason: &str, message: &str, now: Time) -> Value {
    map! {
        "type" => kind, "status" => status, "reason" => reason, "message" => message,
        "lastUpdateTime" => now.rfc3339(), "lastTransitionTime" => now.rfc3339(),
    }
}

/// Adds a condition unless one with the same status and reason stands; a kept status keeps its transition time.
pub fn set_condition(status: &mut Value, mut condition: Value) {
    let kind = condition["type"].smol();
    let mut all = status["conditions"].items().to_vec();
    if let Some(current) = all.iter().find(|current| current["type"].str() == kind)
        && current["status"] == condition["status"]
    {
        if current["reason"] == condition["reason"] {
            return;
        }
        condition.set(&["lastTransitionTime"], &current["lastTransitionTime"]);
    }
    all.retain(|current| current["type"].str() != kind);
    all.push(condition);
    status.set(&["conditions"], all);
}

pub fn remove_condition(status: &mut Value, kind: &str) {
    let mut all = status["conditions"].items().to_vec();
    all.retain(|current| current["type"].str() != kind);
    match all.is_empty() {
        true => drop(status.remove(&["conditions"])),
        false => status.set(&["conditions"], all),
    }
}

/// Counts and Available, from the ReplicaSets (`all` includes the new one).
pub fn calculate(deployment: &Value, all: &[&Value], new: Option<&Value>, now: Time) -> Value {
    let available = sum(all, "availableReplicas");
    let old = deployment.get("status");
    let mut status = map! {
        "observedGeneration" => deployment["metadata"].get("generation"),
        "terminatingReplicas" => sum(all, "terminatingReplicas"),
    };
    for (key, n) in [
        ("replicas", sum(all, "replicas")),
        ("updatedReplicas", new.map_or(0, |new| new["status"]["replicas"].int())),
        ("readyReplicas", sum(all, "readyReplicas")),
        ("availableReplicas", available),
        ("unavailableReplicas", (total(all) - available).max(0)),
    ] {
        if n != 0 {
            status.set(&[key], n);
        }
    }
    for key in ["collisionCount", "conditions"] {
        if !old.get(key).is_null() {
            status.set(&[key], old.get(key));
        }
    }
    let enough = available >= replicas(deployment) - max_unavailable(deployment);
    let condition = match enough {
        true => {
            let text = "Deployment has minimum availability.";
            condition("Available", "True", "MinimumReplicasAvailable", text, now)
        }
        false => {
            let text = "Deployment does not have minimum availability.";
            condition("Available", "False", "MinimumReplicasUnavailable", text, now)
        }
    };
    set_condition(&mut status, condition);
    status
}

/// Every replica is updated and available, and no other is left.
pub fn is_complete(deployment: &Value, status: &Value) -> bool {
    let want = replicas(deployment);
    ["updatedReplicas", "replicas", "availableReplicas"].iter().all(|key| count(status, key) == want)
        && count(status, "observedGeneration") >= deployment["metadata"]["generation"].int()
}

fn is_progressing(old: &Value, new: &Value) -> bool {
    let former = |status: &Value| count(status, "replicas") - count(status, "updatedReplicas");
    count(new, "updatedReplicas") > count(old, "updatedReplicas")
        || former(new) < former(old)
        || count(new, "readyReplicas") > count(old, "readyReplicas")
        || count(new, "availableReplicas") > count(old, "availableReplicas")
}

fn deadline(deployment: &Value, condition: &Value) -> Option<Time> {
    let seconds = deployment["spec"]["progressDeadlineSeconds"].int();
    Some(object::time(&condition["lastUpdateTime"])? + Span::seconds(seconds))
}

fn is_timed_out(deployment: &Value, status: &Value, now: Time) -> bool {
    let Some(condition) = progressing(status) else { return false };
    match condition["reason"].str() {
        "NewReplicaSetAvailable" => false,
        "ProgressDeadlineExceeded" => true,
        _ => deadline(deployment, condition).is_some_and(|at| at < now),
    }
}

/// The status a rollout reports in the end: complete, in progress, or timed out.
pub fn of_rollout(deployment: &Value, all: &[&Value], new: Option<&Value>, now: Time) -> Value {
    let mut status = calculate(deployment, all, new, now);
    if !has_deadline(deployment) {
        remove_condition(&mut status, "Progressing");
    }
    let old = deployment.get("status");
    let current = progressing(old);
    let was_complete = count(&status, "replicas") == count(&status, "updatedReplicas")
        && current.is_some_and(|current| current["reason"].str() == "NewReplicaSetAvailable");
    if has_deadline(deployment) && !was_complete {
        let subject = match new {
            Some(new) => format!("ReplicaSet \"{}\"", object::name(new)),
            None => format!("Deployment \"{}\"", object::name(deployment)),
        };
        if is_complete(deployment, &status) {
            let text = format!("{subject} has successfully progressed.");
            set_condition(&mut status, condition("Progressing", "True", "NewReplicaSetAvailable", &text, now));
        } else if is_progressing(old, &status) {
            let text = format!("{subject} is progressing.");
            let mut condition = condition("Progressing", "True", "ReplicaSetUpdated", &text, now);
            if let Some(current) = current {
                if current["status"].str() == "True" {
                    condition.set(&["lastTransitionTime"], &current["lastTransitionTime"]);
                }
                remove_condition(&mut status, "Progressing");
            }
            set_condition(&mut status, condition);
        } else if is_timed_out(deployment, &status, now) {
            let text = format!("{subject} has timed out progressing.");
            set_condition(&mut status, condition("Progressing", "False", "ProgressDeadlineExceeded", &text, now));
        }
    }
    match replica_failure(all, new) {
        Some(failure) => set_condition(&mut status, failure),
        None => remove_condition(&mut status, "ReplicaFailure"),
    }
    status
}

/// The new ReplicaSet's failure, else that of another.
fn replica_failure(all: &[&Value], new: Option<&Value>) -> Option<Value> {
    let failure =
        new.into_iter().chain(all.iter().copied()).find_map(|set| object::condition(set, "ReplicaFailure"))?;
    let mut failure = failure.clone();
    let at = failure["lastTransitionTime"].clone();
    failure.set(&["lastUpdateTime"], at);
    Some(failure)
}

/// When to look again at a rollout that stands still.
pub fn look_again(deployment: &Value, status: &Value, now: Time) -> Option<Span> {
    let current = progressing(deployment.get("status")).filter(|_| has_deadline(deployment))?;
    if is_complete(deployment, status) || current["reason"].str() == "ProgressDeadlineExceeded" {
        return None;
    }
    let left = deadline(deployment, current)? - now;
    Some(if left < Span::seconds(1) { Span::millis(5) } else { left + Span::seconds(1) })
}
