//! Cells of a Pod: the words of its STATUS column are decided here.

use super::cells::{age, first, none, or_none, text};
use crate::api::object;
use crate::base::{Time, Value};

pub fn pod(object: &Value, now: Time) -> Vec<Value> {
    let summary = summary(object);
    let status = &object["status"];
    let restarts = match summary.restarted.filter(|_| summary.restarts > 0) {
        Some(at) => format!("{} ({} ago)", summary.restarts, super::cells::since(at, now)),
        None => summary.restarts.to_string(),
    };
    let gates = object.at(&["spec", "readinessGates"]).items();
    let open = gates.iter().filter(|gate| object::condition_is(object, gate["conditionType"].str(), "True")).count();
    vec![
        object.at(&["metadata", "name"]).clone(),
        text(format!("{}/{}", summary.ready, summary.total)),
        text(summary.reason),
        text(restarts),
        age(object, now),
        or_none(&first(&status["podIPs"])["ip"]),
        or_none(object.at(&["spec", "nodeName"])),
        or_none(&status["nominatedNodeName"]),
        if gates.is_empty() { none() } else { text(format!("{open}/{}", gates.len())) },
    ]
}

pub struct Summary {
    pub reason: String,
    pub ready: usize,
    pub total: usize,
    pub restarts: i64,
    /// When the latest counted container ended last.
    restarted: Option<Time>,
}

/// READY, STATUS and RESTARTS of a pod, in the order the real printer looks at things.
pub fn summary(pod: &Value) -> Summary {
    let (spec, status) = (&pod["spec"], &pod["status"]);
    let init = spec["initContainers"].items();
    let mut it = Summary {
        reason: if status["reason"].is_empty() { status["phase"].str() } else { status["reason"].str() }.to_string(),
        ready: 0,
        total: spec["containers"].items().len() + init.iter().filter(|container| restarts_always(container)).count(),
        restarts: 0,
        restarted: None,
    };
    if object::condition(pod, "PodScheduled").is_some_and(|condition| condition["reason"].str() == "SchedulingGated") {
        it.reason = "SchedulingGated".into();
    }
    let mut sidecars = (0, None);
    let mut initializing = false;
    for (index, container) in status["initContainerStatuses"].items().iter().enumerate() {
        let sidecar = init.iter().any(|spec| spec["name"] == container["name"] && restarts_always(spec));
        it.count(container);
        if sidecar {
            sidecars.0 += container["restartCount"].int();
            sidecars.1 = latest(sidecars.1, container);
        }
        let state = &container["state"];
        let terminated = &state["terminated"];
        if !terminated.is_null() && terminated["exitCode"].int() == 0 {
            continue;
        }
        if sidecar && container["started"].is_true() {
            it.ready += usize::from(container["ready"].is_true());
            continue;
        }
        it.reason = if !terminated.is_null() {
            format!("Init:{}", ended(terminated))
        } else {
            match state.at(&["waiting", "reason"]).str() {
                "" | "PodInitializing" => format!("Init:{index}/{}", init.len()),
                reason => format!("Init:{reason}"),
            }
        };
        initializing = true;
        break;
    }
    if !initializing || object::condition_is(pod, "Initialized", "True") {
        (it.restarts, it.restarted) = sidecars;
        it.containers(pod);
    }
    if object::is_deleting(pod) {
        if status["reason"].str() == "NodeLost" {
            it.reason = "Unknown".into();
        } else if !matches!(status["phase"].str(), "Succeeded" | "Failed") {
            it.reason = "Terminating".into();
        }
    }
    it
}

impl Summary {
    fn count(&mut self, container: &Value) {
        self.restarts += container["restartCount"].int();
        self.restarted = latest(self.restarted, container);
    }

    /// From the last container to the first: the first one with something to say wins.
    fn containers(&mut self, pod: &Value) {
        let mut running = false;
        let mut error = None;
        for container in pod.at(&["status", "containerStatuses"]).items().iter().rev() {
            self.count(container);
            let state = &container["state"];
            let terminated = &state["terminated"];
            if !state.at(&["waiting", "reason"]).is_empty() {
                self.reason = state.at(&["waiting", "reason"]).str().into();
            } else if !terminated.is_null() {
                self.reason = ended(terminated);
                if terminated["exitCode"].int() != 0 {
                    error = Some(self.reason.clone());
                }
            } else if container["ready"].is_true() && state.has("running") {
                running = true;
                self.ready += 1;
            }
        }
        if self.reason == "Completed" {
            if running && object::condition_is(pod, "Ready", "True") {
                self.reason = "Running".into();
            } else if let Some(error) = error {
                self.reason = error;
            } else if running {
                self.reason = "NotReady".into();
            }
        }
    }
}

fn restarts_always(container: &Value) -> bool {
    container["restartPolicy"].str() == "Always"
}

fn ended(terminated: &Value) -> String {
    match (terminated["reason"].str(), terminated["signal"].int()) {
        ("", 0) => format!("ExitCode:{}", terminated["exitCode"].int()),
        ("", signal) => format!("Signal:{signal}"),
        (reason, _) => reason.into(),
    }
}

fn latest(so_far: Option<Time>, container: &Value) -> Option<Time> {
    let ended = object::time(container.at(&["lastState", "terminated", "finishedAt"]));
    so_far.max(ended)
}
