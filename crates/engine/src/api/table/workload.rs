//! Cells of workloads: Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob, autoscalers, budgets.

use super::cells::{age, bool_word, labels, name, none, number, or, or_none, selector, since, text};
use crate::api::object;
use crate::base::{Time, Value};

/// Containers and Images of a pod template.
fn containers(template: &Value) -> [Value; 2] {
    let all = template.at(&["spec", "containers"]).items();
    let join = |field: &str| text(all.iter().map(|c| c[field].str()).collect::<Vec<_>>().join(","));
    [join("name"), join("image")]
}

fn ratio(have: &Value, want: &Value) -> Value {
    text(format!("{}/{}", have.int(), want.int()))
}

pub fn deployment(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [containers, images] = containers(&spec["template"]);
    vec![
        name(object),
        ratio(&status["readyReplicas"], &spec["replicas"]),
        number(&status["updatedReplicas"]),
        number(&status["availableReplicas"]),
        age(object, now),
        containers,
        images,
        selector(&spec["selector"], ""),
    ]
}

pub fn replica_set(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [containers, images] = containers(&spec["template"]);
    let is_plain = object["kind"].str() == "ReplicationController";
    vec![
        name(object),
        number(&spec["replicas"]),
        number(&status["replicas"]),
        number(&status["readyReplicas"]),
        age(object, now),
        containers,
        images,
        if is_plain { labels(&spec["selector"]) } else { selector(&spec["selector"], "<none>") },
    ]
}

pub fn stateful_set(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [containers, images] = containers(&spec["template"]);
    vec![name(object), ratio(&status["readyReplicas"], &spec["replicas"]), age(object, now), containers, images]
}

pub fn daemon_set(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let [containers, images] = containers(&spec["template"]);
    vec![
        name(object),
        number(&status["desiredNumberScheduled"]),
        number(&status["currentNumberScheduled"]),
        number(&status["numberReady"]),
        number(&status["updatedNumberScheduled"]),
        number(&status["numberAvailable"]),
        labels(spec.at(&["template", "spec", "nodeSelector"])),
        age(object, now),
        containers,
        images,
        selector(&spec["selector"], "<none>"),
    ]
}

pub fn job(job: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&job["spec"], &job["status"]);
    let [containers, images] = containers(&spec["template"]);
    let succeeded = status["succeeded"].int();
    let completions = match (spec["completions"].as_int(), spec["parallelism"].int()) {
        (Some(want), _) => format!("{succeeded}/{want}"),
        (None, side_by_side) if side_by_side > 1 => format!("{succeeded}/1 of {side_by_side}"),
        _ => format!("{succeeded}/1"),
    };
    let started = object::time(&status["startTime"]);
    let ended = object::time(&status["completionTime"]).unwrap_or(now);
    vec![
        name(job),
        text(job_status(job)),
        text(completions),
        text(started.map(|started| since(started, ended)).unwrap_or_default()),
        age(job, now),
        containers,
        images,
        selector(&spec["selector"], "<none>"),
    ]
}

fn job_status(job: &Value) -> &'static str {
    let is = |kind| object::condition_is(job, kind, "True");
    if is("Complete") {
        "Complete"
    } else if is("Failed") {
        "Failed"
    } else if object::is_deleting(job) {
        "Terminating"
    } else if is("Suspended") {
        "Suspended"
    } else if is("FailureTarget") {
        "FailureTarget"
    } else if is("SuccessCriteriaMet") {
        "SuccessCriteriaMet"
    } else {
        "Running"
    }
}

pub fn cron_job(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let job = spec.at(&["jobTemplate", "spec"]);
    let [containers, images] = containers(&job["template"]);
    let last = object::time(&status["lastScheduleTime"]).map(|at| text(since(at, now)));
    vec![
        name(object),
        spec["schedule"].clone(),
        or_none(&spec["timeZone"]),
        spec["suspend"].as_bool().map_or_else(|| text("<unset>"), bool_word),
        Value::from(status["active"].items().len() as i64),
        last.unwrap_or_else(none),
        age(object, now),
        containers,
        images,
        selector(&job["selector"], "<none>"),
    ]
}

pub fn controller_revision(object: &Value, now: Time) -> Vec<Value> {
    let owner = object::controller_of(object).map(|owner| {
        let (group, _) = owner["apiVersion"].str().rsplit_once('/').unwrap_or_default();
        let kind = owner["kind"].str().to_lowercase();
        let dot = if group.is_empty() { "" } else { "." };
        text(format!("{kind}{dot}{group}/{}", owner["name"].str()))
    });
    vec![name(object), owner.unwrap_or_else(none), number(&object["revision"]), age(object, now)]
}

pub fn pod_template(object: &Value) -> Vec<Value> {
    let template = &object["template"];
    let [containers, images] = containers(template);
    vec![name(object), containers, images, labels(template.at(&["metadata", "labels"]))]
}

pub fn disruption_budget(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let share = |value: &Value| match value {
        Value::Null => text("N/A"),
        Value::Int(n) => text(n.to_string()),
        other => other.clone(),
    };
    vec![
        name(object),
        share(&spec["minAvailable"]),
        share(&spec["maxUnavailable"]),
        number(&status["disruptionsAllowed"]),
        age(object, now),
    ]
}

pub fn autoscaler(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let target = &spec["scaleTargetRef"];
    let minimum = spec["minReplicas"].as_int().map_or("<unset>".to_string(), |n| n.to_string());
    vec![
        name(object),
        text(format!("{}/{}", target["kind"].str(), target["name"].str())),
        text(targets(spec, status)),
        text(minimum),
        number(&spec["maxReplicas"]),
        number(&status["currentReplicas"]),
        age(object, now),
    ]
}

fn targets(spec: &Value, status: &Value) -> String {
    let metrics = spec["metrics"].items();
    if metrics.is_empty() {
        return "<none>".into();
    }
    let current = status["currentMetrics"].items();
    let texts: Vec<String> =
        metrics.iter().enumerate().map(|(i, metric)| target(metric, current.get(i).unwrap_or(&Value::Null))).collect();
    match texts.len() {
        0..=2 => texts.join(", "),
        more => format!("{} + {} more...", texts[..2].join(", "), more - 2),
    }
}

fn target(metric: &Value, status: &Value) -> String {
    let kind = metric["type"].str();
    let mut source = kind.to_string();
    if let Some(first) = source.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    let (want, have) = (&metric[source.as_str()], status[source.as_str()].get("current"));
    let goal = &want["target"];
    let shown = |value: &Value| if value.is_empty() { "<unknown>".to_string() } else { value.str().to_string() };
    let pair = |field: &str| format!("{}/{}", shown(&have[field]), goal[field].str());
    match kind {
        "Resource" | "ContainerResource" => {
            let prefix = format!("{}: ", want["name"].str());
            if goal.has("averageValue") {
                prefix + &pair("averageValue")
            } else {
                let have = have["averageUtilization"].as_int().map_or("<unknown>".into(), |n| format!("{n}%"));
                let want = goal["averageUtilization"].as_int().map_or("<auto>".into(), |n| format!("{n}%"));
                format!("{prefix}{have}/{want}")
            }
        }
        "Pods" => pair("averageValue"),
        "Object" | "External" if goal.has("averageValue") => pair("averageValue") + " (avg)",
        "Object" | "External" => pair("value"),
        _ => "<unknown type>".into(),
    }
}

pub fn scale(object: &Value, now: Time) -> Vec<Value> {
    let replicas = |part: &str| number(object.at(&[part, "replicas"]));
    vec![name(object), replicas("spec"), replicas("status"), age(object, now)]
}

pub fn priority_class(object: &Value, now: Time) -> Vec<Value> {
    vec![
        name(object),
        number(&object["value"]),
        Value::Bool(object["globalDefault"].is_true()),
        age(object, now),
        or(&object["preemptionPolicy"], ""),
    ]
}
