//! The status a kubelet reports for a pod: computed whole from what the runtime was last seen doing and from what the
//! previous sync ran into (kubelet's status generation).

use super::resize::Resize;
use super::worker::{Seen, Slot, SlotKind, Worker};
use crate::api::object;
use crate::base::{Time, Value};
use crate::{list, map};

/// The words of one condition.
struct Word {
    kind: &'static str,
    status: bool,
    reason: &'static str,
    message: String,
}

fn word(kind: &'static str, status: bool, reason: &'static str, message: impl Into<String>) -> Word {
    Word { kind, status, reason, message: message.into() }
}

/// The whole status as of now.
pub fn status(worker: &Worker, now: Time) -> Value {
    let old = &worker.status;
    let mut status = old.clone();
    let pod = &worker.pod;
    let (init, regular, ephemeral) = statuses(worker);
    let phase = phase(worker);
    status.set(&["phase"], phase);
    status.set(&["observedGeneration"], object_generation(pod));
    status.set(&["hostIP"], worker.host_ip.clone());
    status.set(&["hostIPs"], list![map! { "ip" => worker.host_ip.clone() }]);
    if !status.has("startTime") {
        status.set(&["startTime"], now.rfc3339());
    }
    status.set(
        &["qosClass"],
        if pod.at(&["status", "qosClass"]).is_null() {
            qos(pod).into()
        } else {
            pod.at(&["status", "qosClass"]).clone()
        },
    );
    if worker.shows_ip() {
        status.set(&["podIP"], worker.ip.clone());
        status.set(&["podIPs"], list![map! { "ip" => worker.ip.clone() }]);
    }
    if !init.is_empty() {
        status.set(&["initContainerStatuses"], Value::list(init));
    }
    status.set(&["containerStatuses"], Value::list(regular));
    if !ephemeral.is_empty() {
        status.set(&["ephemeralContainerStatuses"], Value::list(ephemeral));
    }
    status.set(&["resources"], super::resources::pod_resources(worker));
    let allocated = super::resources::requests(pod);
    if !allocated.is_empty() {
        status.set(&["allocatedResources"], allocated);
    }
    for (key, text) in [("reason", worker.reason.as_str()), ("message", worker.message.as_str())] {
        if !text.is_empty() {
            status.set(&[key], text);
        }
    }
    let words = conditions(worker, &status, phase);
    let merged = merge_conditions(old, &words, worker, now);
    status.set(&["conditions"], merged);
    status
}

pub fn object_generation(pod: &Value) -> Value {
    pod.at(&["metadata", "generation"]).clone()
}

fn statuses(worker: &Worker) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let (mut init, mut regular, mut ephemeral) = (Vec::new(), Vec::new(), Vec::new());
    for slot in &worker.slots {
        let mut value = container_status(worker, slot);
        match slot.kind {
            SlotKind::Regular => regular.push(value),
            SlotKind::Ephemeral => {
                value.remove(&["started"]);
                ephemeral.push(value);
            }
            SlotKind::Init | SlotKind::Sidecar => init.push(value),
        }
    }
    // Init containers keep their order.
    for list in [&mut regular, &mut ephemeral] {
        list.sort_by_key(|value| value["name"].smol());
    }
    (init, regular, ephemeral)
}

fn container_status(worker: &Worker, slot: &Slot) -> Value {
    let has_init = worker.has_init();
    let mut value = map! {
        "name" => slot.name.clone(), "ready" => false, "restartCount" => i64::from(slot.restarts), "started" => false,
        "image" => slot.spec["image"].clone(), "imageID" => "", "lastState" => Value::empty_map(),
    };
    let mounts = super::volumes::mounts(&slot.spec);
    if !mounts.is_empty() {
        value.set(&["volumeMounts"], Value::list(mounts));
    }
    if let Some(made) = &slot.made {
        value.set(&["containerID"], format!("containerd://{}", made.id));
        value.set(&["image"], made.image.clone());
        value.set(&["imageID"], made.image_id.clone());
        value.set(
            &["resources"],
            match &slot.actual {
                Some(actual) => super::resources::filled(actual),
                None => super::resources::of(&slot.spec),
            },
        );
        let requests = slot.spec.at(&["resources", "requests"]);
        if !requests.is_empty() {
            value.set(&["allocatedResources"], requests.clone());
        }
        if !made.user.is_null() {
            value.set(&["user"], made.user.clone());
        }
    }
    if !slot.last.is_null() {
        value.set(&["lastState"], map! { "terminated" => slot.last.clone() });
    }
    match &slot.seen {
        Seen::Running(at) => {
            value.set(&["state"], map! { "running" => map! { "startedAt" => at.rfc3339() } });
            value.set(&["started"], slot.is_started());
            value.set(&["ready"], slot.is_ready());
        }
        Seen::Ended(terminated) if !worker.shows_waiting(slot) => {
            value.set(&["state"], map! { "terminated" => terminated.clone() });
            let good = slot.kind == SlotKind::Init && terminated["exitCode"].int() == 0;
            value.set(&["ready"], good);
        }
        _ => {
            let (reason, message) = match &slot.waiting {
                Some((reason, message)) if worker.shows_waiting(slot) => (reason.as_str(), message.as_str()),
                _ if worker.lost && worker.slots.iter().all(|slot| slot.made.is_none()) => {
                    value.set(&["state"], map! { "terminated" => lost() });
                    return value;
                }
                _ if has_init && slot.kind != SlotKind::Ephemeral => ("PodInitializing", ""),
                _ => ("ContainerCreating", ""),
            };
            let mut waiting = map! { "reason" => reason };
            if !message.is_empty() {
                waiting.set(&["message"], message);
            }
            value.set(&["state"], map! { "waiting" => waiting });
            if let Seen::Ended(terminated) = &slot.seen {
                value.set(&["lastState"], map! { "terminated" => terminated.clone() });
            }
        }
    }
    value
}

/// A container that never ran, when its pod goes.
fn lost() -> Value {
    map! {
        "exitCode" => 137, "reason" => "ContainerStatusUnknown", "startedAt" => Value::Null, "finishedAt" => Value::Null,
        "message" => "The container could not be located when the pod was terminated",
    }
}

/// Pending, Running, Succeeded or Failed; terminal phases never change back.
fn phase(worker: &Worker) -> &'static str {
    match worker.status["phase"].str() {
        "Succeeded" => return "Succeeded",
        "Failed" => return "Failed",
        _ => {}
    }
    if !worker.reason.is_empty() && worker.rejected {
        return "Failed";
    }
    let policy = worker.pod.at(&["spec", "restartPolicy"]).str();
    let (mut init_open, mut init_failed) = (false, false);
    let (mut waiting, mut running, mut stopped, mut succeeded, mut count) = (0, 0, 0, 0, 0);
    for slot in &worker.slots {
        match slot.kind {
            SlotKind::Init => match &slot.seen {
                Seen::Ended(end) if end["exitCode"].int() == 0 => {}
                Seen::Ended(_) if policy == "Never" => init_failed = true,
                _ => init_open = true,
            },
            SlotKind::Sidecar => init_open |= !slot.is_started() && !worker.has_run(),
            SlotKind::Ephemeral => {}
            SlotKind::Regular => {
                count += 1;
                match &slot.seen {
                    Seen::Running(_) => running += 1,
                    Seen::Ended(end) => {
                        stopped += 1;
                        succeeded += usize::from(end["exitCode"].int() == 0);
                    }
                    Seen::Nothing if !slot.last.is_null() => stopped += 1,
                    Seen::Nothing => waiting += 1,
                }
            }
        }
    }
    if init_failed {
        return if worker.is_final() { "Failed" } else { "Pending" };
    }
    if worker.lost {
        return "Failed";
    }
    if init_open && !worker.has_run() || waiting > 0 {
        return "Pending";
    }
    if running > 0 {
        return "Running";
    }
    let ended = if stopped < count {
        return "Pending";
    } else if worker.is_terminating() {
        if succeeded == count { "Succeeded" } else { "Failed" }
    } else {
        match policy {
            "Always" => return "Running",
            _ if succeeded == count => "Succeeded",
            "Never" => "Failed",
            _ => return "Running",
        }
    };
    // The terminal phase is written once the sandbox has been stopped.
    match (worker.is_final(), worker.status["phase"].str()) {
        (true, _) => ended,
        (false, "Running") => "Running",
        (false, _) if worker.slots.iter().any(|slot| slot.kind == SlotKind::Regular && slot.shown_running) => "Running",
        (false, _) => "Pending",
    }
}

fn conditions(worker: &Worker, status: &Value, phase: &str) -> Vec<Word> {
    let names = |open: &dyn Fn(&Slot) -> bool| {
        worker.slots.iter().filter(|slot| open(slot)).map(|slot| slot.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let sandbox = match (worker.sandbox_shown, worker.sandbox_stopped) {
        (true, false) => word("PodReadyToStartContainers", true, "", ""),
        (true, true) => word("PodReadyToStartContainers", false, "PodSandboxNotReady", "pod sandbox is not ready"),
        _ => word("PodReadyToStartContainers", false, "PodSandboxNotReady", "no pod sandbox exists"),
    };
    let regular = || worker.slots.iter().filter(|slot| slot.kind == SlotKind::Regular);
    let all_ended = regular().all(|slot| matches!(slot.seen, Seen::Ended(_)) && !worker.shows_waiting(slot))
        && !worker.restarts()
        && !worker.slots.iter().any(|slot| slot.kind == SlotKind::Sidecar && matches!(slot.seen, Seen::Running(_)));
    let ended = phase == "Succeeded" || phase == "Failed";
    let all_good = regular().all(|slot| matches!(&slot.seen, Seen::Ended(end) if end["exitCode"].int() == 0));
    let done = all_ended || ended;
    let never_ran = worker.slots.iter().all(|slot| matches!(slot.seen, Seen::Nothing));
    let init_failed = worker.init_failed();
    let open_init = names(&|slot| match slot.kind {
        SlotKind::Init => !matches!(&slot.seen, Seen::Ended(end) if end["exitCode"].int() == 0),
        SlotKind::Sidecar => !slot.is_started() || slot.just_started,
        SlotKind::Regular | SlotKind::Ephemeral => false,
    });
    let initialized = if done && all_good && !never_ran && !init_failed {
        word("Initialized", true, "PodCompleted", "")
    } else if open_init.is_empty() || worker.has_run() {
        word("Initialized", true, "", "")
    } else {
        let message = format!("containers with incomplete status: [{open_init}]");
        word("Initialized", false, "ContainersNotInitialized", message)
    };
    let unready = names(&|slot| {
        !matches!(slot.kind, SlotKind::Init | SlotKind::Ephemeral)
            && !(slot.is_ready() && matches!(slot.seen, Seen::Running(_)))
    });
    let ready_words = |kind: &'static str| {
        if init_failed && !never_ran || worker.deadline_over && !worker.is_final() {
            word(kind, false, "PodFailed", "")
        } else if done && !never_ran && !worker.lost && (ended || !worker.slots_waiting()) {
            word(kind, false, if all_good { "PodCompleted" } else { "PodFailed" }, "")
        } else if unready.is_empty() {
            word(kind, true, "", "")
        } else {
            word(kind, false, "ContainersNotReady", format!("containers with unready status: [{unready}]"))
        }
    };
    let containers_ready = ready_words("ContainersReady");
    let mut ready = ready_words("Ready");
    if ready.status
        && let Some(message) = gate(worker, status)
    {
        ready = word("Ready", false, "ReadinessGatesNotReady", message);
    }
    let resize = match &worker.resize {
        Resize::None => None,
        Resize::Deferred { message, .. } => Some(word("PodResizePending", true, "Deferred", message.clone())),
        Resize::Doing { .. } => Some(word("PodResizeInProgress", true, "", "")),
    };
    let rest = [sandbox, initialized, ready, containers_ready, word("PodScheduled", true, "", "")];
    resize.into_iter().chain(rest).collect()
}

/// Why a readiness gate holds the pod back.
fn gate(worker: &Worker, _status: &Value) -> Option<String> {
    worker.pod.at(&["spec", "readinessGates"]).items().iter().find_map(|gate| {
        let kind = gate["conditionType"].str();
        match object::condition(&worker.pod, kind).map(|condition| condition["status"].str()) {
            Some("True") => None,
            Some(other) => Some(format!("the status of pod readiness gate \"{kind}\" is not \"True\", but {other}")),
            None => Some(format!("corresponding condition of pod readiness gate \"{kind}\" does not exist.")),
        }
    })
}

/// Conditions of others first, then ours in their order; a transition is stamped when the status flips.
fn merge_conditions(old: &Value, words: &[Word], worker: &Worker, now: Time) -> Value {
    let known = worker.pod.at(&["status", "conditions"]).items();
    let ours = |kind: &str| kind.starts_with("PodResize") || words.iter().any(|word| word.kind == kind);
    let mut all: Vec<Value> = known.iter().filter(|condition| !ours(condition["type"].str())).cloned().collect();
    for word in words {
        let before = |list: &[Value]| list.iter().find(|condition| condition["type"].str() == word.kind).cloned();
        let before = before(old["conditions"].items()).or_else(|| before(known));
        let status = if word.status { "True" } else { "False" };
        let since = before
            .filter(|before| before["status"].str() == status)
            .map_or_else(|| Value::text(now.rfc3339()), |before| before["lastTransitionTime"].clone());
        let mut condition = map! {
            "type" => word.kind, "status" => status, "lastProbeTime" => Value::Null, "lastTransitionTime" => since,
            "observedGeneration" => object_generation(&worker.pod),
        };
        if let (true, Resize::Deferred { since, .. } | Resize::Doing { since, .. }) =
            (word.kind.starts_with("PodResize"), &worker.resize)
        {
            condition.set(&["lastProbeTime"], since.rfc3339());
        }
        if !word.reason.is_empty() {
            condition.set(&["reason"], word.reason);
        }
        if !word.message.is_empty() {
            condition.set(&["message"], word.message.clone());
        }
        all.push(condition);
    }
    Value::list(all)
}

/// Guaranteed, Burstable or BestEffort.
fn qos(pod: &Value) -> &'static str {
    super::resources::qos(pod)
}
