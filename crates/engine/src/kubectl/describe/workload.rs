//! Workloads and their pod templates.

use super::pod;
use super::{Page, date};
use crate::api::object::controller_of;
use crate::base::{Value, duration, goquote};
use crate::kubectl::io::{Io, Outcome};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select::{self, Found};

/// A LabelSelector as text.
pub fn selector(selector: &Value) -> String {
    // A replication controller's selector is the labels alone.
    let bare = selector["matchLabels"].is_null() && selector["matchExpressions"].is_null();
    let labels = if bare { selector.entries() } else { selector["matchLabels"].entries() };
    let mut parts: Vec<String> = labels.iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
    for term in selector["matchExpressions"].items() {
        let values: Vec<&str> = term["values"].items().iter().map(Value::str).collect();
        let key = term["key"].str();
        parts.push(match term["operator"].str() {
            "In" => format!("{key} in ({})", values.join(",")),
            "NotIn" => format!("{key} notin ({})", values.join(",")),
            "Exists" => key.to_string(),
            _ => format!("!{key}"),
        });
    }
    if parts.is_empty() { "<none>".into() } else { parts.join(",") }
}

pub fn template(page: &mut Page, template: &Value) {
    page.put(0, "Pod Template:");
    if template.is_null() {
        page.text.push_str("  <unset>");
        return;
    }
    // The indent is part of the title: lines that go on have only a tab.
    page.pairs(0, "  Labels", template.at(&["metadata", "labels"]), "=");
    if !template.at(&["metadata", "annotations"]).entries().is_empty() {
        page.annotations_at(1, template.at(&["metadata", "annotations"]));
    }
    let spec = &template["spec"];
    if !spec["serviceAccountName"].str().is_empty() {
        page.put(1, format!("Service Account:\t{}", spec["serviceAccountName"].str()));
    }
    if !spec["initContainers"].items().is_empty() {
        containers(page, "Init Containers", &spec["initContainers"]);
    }
    containers(page, "Containers", &spec["containers"]);
    pod::volumes(page, &spec["volumes"], "  ");
    if !spec["priorityClassName"].str().is_empty() {
        page.put(1, format!("Priority Class Name:\t{}", spec["priorityClassName"].str()));
    }
    page.pairs(1, "Node-Selectors", &spec["nodeSelector"], "=");
    pod::tolerations(page, 1, &spec["tolerations"]);
}

fn containers(page: &mut Page, title: &str, list: &Value) {
    // The title stands at indent 2, the names at 3, the fields at 4.
    page.put(1, format!("{title}:"));
    let mut inner = Page::default();
    pod::containers(&mut inner, title, list, &Value::Null, &Value::Null, " ");
    let body = inner.text.split_once('\n').map_or("", |(_, rest)| rest);
    page.text.push_str(body);
}

fn pods_status(io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome<String> {
    let mapping = mapper.find("pods")?.clone();
    let labels = selector(item.object.at(&["spec", "selector"]));
    let pods = select::list(io, &mapping, item.namespace(), &labels, "")?.unwrap_or_default();
    let uid = item.object.at(&["metadata", "uid"]).str();
    let mut counts = [0usize; 4];
    for pod in pods.iter().filter(|pod| controller_of(pod).is_some_and(|owner| owner["uid"].str() == uid)) {
        let place = match pod.at(&["status", "phase"]).str() {
            "Running" => 0,
            "Pending" => 1,
            "Succeeded" => 2,
            "Failed" => 3,
            _ => continue,
        };
        if let Some(count) = counts.get_mut(place) {
            *count += 1;
        }
    }
    let [running, waiting, succeeded, failed] = counts;
    Ok(format!("{running} Running / {waiting} Waiting / {succeeded} Succeeded / {failed} Failed"))
}

fn conditions(page: &mut Page, object: &Value) {
    let conditions = object.at(&["status", "conditions"]).items();
    if conditions.is_empty() {
        return;
    }
    page.put(0, "Conditions:\n  Type\tStatus\tReason");
    page.put(1, "----\t------\t------");
    for condition in conditions {
        let (kind, status) = (condition["type"].str(), condition["status"].str());
        page.put(1, format!("{kind} \t{status}\t{}", condition["reason"].str()));
    }
}

pub fn deployment(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome {
    let object = &item.object;
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("CreationTimestamp:\t{}", date(meta["creationTimestamp"].str())));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    page.put(0, format!("Selector:\t{}", selector(&spec["selector"])));
    page.put(
        0,
        format!(
            "Replicas:\t{} desired | {} updated | {} total | {} available | {} unavailable",
            spec["replicas"].int(),
            status["updatedReplicas"].int(),
            status["replicas"].int(),
            status["availableReplicas"].int(),
            status["unavailableReplicas"].int()
        ),
    );
    page.put(0, format!("StrategyType:\t{}", spec["strategy"]["type"].str()));
    page.put(0, format!("MinReadySeconds:\t{}", spec["minReadySeconds"].int()));
    let rolling = &spec["strategy"]["rollingUpdate"];
    if !rolling.is_null() {
        page.put(
            0,
            format!(
                "RollingUpdateStrategy:\t{} max unavailable, {} max surge",
                goquote::plain(&rolling["maxUnavailable"]),
                goquote::plain(&rolling["maxSurge"])
            ),
        );
    }
    template(page, &spec["template"]);
    conditions(page, object);
    let sets = mapper.find("replicasets.apps")?.clone();
    let labels = selector(&spec["selector"]);
    let all = select::list(io, &sets, item.namespace(), &labels, "")?.unwrap_or_default();
    let uid = meta["uid"].str();
    let mut own: Vec<&Value> =
        all.iter().filter(|set| controller_of(set).is_some_and(|owner| owner["uid"].str() == uid)).collect();
    own.sort_by(|a, b| {
        let key = |set: &Value| {
            (set["metadata"]["creationTimestamp"].str().to_string(), set["metadata"]["name"].str().to_string())
        };
        key(a).cmp(&key(b))
    });
    let plain = |set: &Value| {
        let mut template = set.at(&["spec", "template"]).clone();
        template.remove(&["metadata", "labels", "pod-template-hash"]);
        template
    };
    let wanted = plain(object);
    let new = own.iter().position(|set| plain(set) == wanted);
    let text = |set: &Value| {
        format!(
            "{} ({}/{} replicas created)",
            set["metadata"]["name"].str(),
            set["status"]["replicas"].int(),
            set["spec"]["replicas"].int()
        )
    };
    let old: Vec<String> =
        own.iter().enumerate().filter(|(index, _)| Some(*index) != new).map(|(_, set)| text(set)).collect();
    let old = if old.is_empty() { "<none>".to_string() } else { old.join(", ") };
    page.put(0, format!("OldReplicaSets:\t{old}"));
    let new = new.and_then(|index| own.get(index)).map_or("<none>".to_string(), |set| text(set));
    page.put(0, format!("NewReplicaSet:\t{new}"));
    Ok(())
}

pub fn replica_set(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome {
    let object = &item.object;
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("Selector:\t{}", selector(&spec["selector"])));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    if let Some(owner) = controller_of(object) {
        page.put(0, format!("Controlled By:\t{}/{}", owner["kind"].str(), owner["name"].str()));
    }
    let (have, want) = (status["replicas"].int(), spec["replicas"].int());
    page.put(0, format!("Replicas:\t{have} current / {want} desired"));
    let counts = pods_status(io, mapper, item)?;
    page.put(0, format!("Pods Status:\t{counts}"));
    template(page, &spec["template"]);
    conditions(page, object);
    Ok(())
}

pub fn daemon_set(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome {
    let object = &item.object;
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("Selector:\t{}", selector(&spec["selector"])));
    let nodes = spec.at(&["template", "spec", "nodeSelector"]).entries();
    let nodes: Vec<String> = nodes.iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
    page.put(0, format!("Node-Selector:\t{}", super::list_or_none(&nodes)));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    for (title, field) in [
        ("Desired Number of Nodes Scheduled", "desiredNumberScheduled"),
        ("Current Number of Nodes Scheduled", "currentNumberScheduled"),
        ("Number of Nodes Scheduled with Up-to-date Pods", "updatedNumberScheduled"),
        ("Number of Nodes Scheduled with Available Pods", "numberAvailable"),
        ("Number of Nodes Misscheduled", "numberMisscheduled"),
    ] {
        page.put(0, format!("{title}: {}", status[field].int()));
    }
    let counts = pods_status(io, mapper, item)?;
    page.put(0, format!("Pods Status:\t{counts}"));
    template(page, &spec["template"]);
    Ok(())
}

pub fn stateful_set(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome {
    let object = &item.object;
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("CreationTimestamp:\t{}", date(meta["creationTimestamp"].str())));
    page.put(0, format!("Selector:\t{}", selector(&spec["selector"])));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    page.put(0, format!("Service Name:\t{}", spec["serviceName"].str()));
    page.put(0, format!("Pod Management Policy:\t{}", spec["podManagementPolicy"].str()));
    let (want, have) = (spec["replicas"].int(), status["replicas"].int());
    page.put(0, format!("Replicas:\t{want} desired | {have} total"));
    page.put(0, format!("Update Strategy:\t{}", spec["updateStrategy"]["type"].str()));
    let rolling = &spec["updateStrategy"]["rollingUpdate"];
    if !rolling["partition"].is_null() {
        page.put(1, format!("Partition:\t{}", rolling["partition"].int()));
    }
    if !rolling["maxUnavailable"].is_null() {
        page.put(1, format!("MaxUnavailable:\t{}", goquote::plain(&rolling["maxUnavailable"])));
    }
    let retention = &spec["persistentVolumeClaimRetentionPolicy"];
    if !retention.is_null() {
        page.put(0, "Persistent Volume Claim Retention Policy:");
        page.put(1, format!("WhenDeleted:\t{}", retention["whenDeleted"].str()));
        page.put(1, format!("WhenScaled:\t{}", retention["whenScaled"].str()));
    }
    let counts = pods_status(io, mapper, item)?;
    page.put(0, format!("Pods Status:\t{counts}"));
    template(page, &spec["template"]);
    let claims = spec["volumeClaimTemplates"].items();
    if claims.is_empty() {
        page.put(0, "Volume Claims:\t<none>");
    } else {
        page.put(0, "Volume Claims:");
    }
    for claim in claims {
        page.put(1, format!("Name:\t{}", claim["metadata"]["name"].str()));
        page.put(1, format!("StorageClass:\t{}", claim["spec"]["storageClassName"].str()));
        page.pairs(1, "Labels", claim.at(&["metadata", "labels"]), "=");
        page.annotations_at(1, claim.at(&["metadata", "annotations"]));
        let size = claim.at(&["spec", "resources", "requests", "storage"]);
        let size = if size.is_null() { "<default>".to_string() } else { super::amount(size) };
        page.put(1, format!("Capacity:\t{size}"));
        let modes: Vec<&str> = claim["spec"]["accessModes"].items().iter().map(Value::str).collect();
        page.put(1, format!("Access Modes:\t[{}]", modes.join(" ")));
    }
    Ok(())
}

pub fn job(page: &mut Page, object: &Value) {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("Selector:\t{}", selector(&spec["selector"])));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    if let Some(owner) = controller_of(object) {
        page.put(0, format!("Controlled By:\t{}/{}", owner["kind"].str(), owner["name"].str()));
    }
    if !spec["parallelism"].is_null() {
        page.put(0, format!("Parallelism:\t{}", spec["parallelism"].int()));
    }
    match spec["completions"].as_int() {
        Some(count) => page.put(0, format!("Completions:\t{count}")),
        None => page.put(0, "Completions:\t<unset>"),
    }
    if !spec["completionMode"].is_null() {
        page.put(0, format!("Completion Mode:\t{}", spec["completionMode"].str()));
    }
    if !spec["suspend"].is_null() {
        page.put(0, format!("Suspend:\t{}", spec["suspend"].is_true()));
    }
    if !spec["backoffLimit"].is_null() {
        page.put(0, format!("Backoff Limit:\t{}", spec["backoffLimit"].int()));
    }
    if !spec["ttlSecondsAfterFinished"].is_null() {
        page.put(0, format!("TTL Seconds After Finished:\t{}", spec["ttlSecondsAfterFinished"].int()));
    }
    let (start, end) = (status["startTime"].str(), status["completionTime"].str());
    if !start.is_empty() {
        page.put(0, format!("Start Time:\t{}", date(start)));
    }
    if !end.is_empty() {
        page.put(0, format!("Completed At:\t{}", date(end)));
    }
    if let (Some(start), Some(end)) = (crate::base::Time::parse(start), crate::base::Time::parse(end)) {
        page.put(0, format!("Duration:\t{}", duration::human(end - start)));
    }
    if !spec["activeDeadlineSeconds"].is_null() {
        page.put(0, format!("Active Deadline Seconds:\t{}s", spec["activeDeadlineSeconds"].int()));
    }
    let ready = status["ready"].as_int().map_or(String::new(), |ready| format!(" ({ready} Ready)"));
    page.put(
        0,
        format!(
            "Pods Statuses:\t{} Active{ready} / {} Succeeded / {} Failed",
            status["active"].int(),
            status["succeeded"].int(),
            status["failed"].int()
        ),
    );
    if spec["completionMode"].str() == "Indexed" {
        let text = status["completedIndexes"].str();
        // A long list ends at the first comma after 50 characters.
        let cut = text.char_indices().skip(50).find(|(_, letter)| *letter == ',').and_then(|(at, _)| text.get(..=at));
        let shown = match cut {
            Some(start) => format!("{start}..."),
            None => if text.is_empty() { "<none>" } else { text }.to_owned(),
        };
        page.put(0, format!("Completed Indexes:\t{shown}"));
    }
    template(page, &spec["template"]);
}

pub fn cron_job(page: &mut Page, object: &Value) {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    let unset = |value: &Value| value.as_int().map_or("<unset>".to_string(), |n| n.to_string());
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    page.put(0, format!("Schedule:\t{}", spec["schedule"].str()));
    page.put(0, format!("Concurrency Policy:\t{}", spec["concurrencyPolicy"].str()));
    page.put(0, format!("Suspend:\t{}", if spec["suspend"].is_true() { "True" } else { "False" }));
    let zone = spec["timeZone"].str();
    page.put(0, format!("Time Zone:\t{}", if zone.is_empty() { "<unset>" } else { zone }));
    page.put(0, format!("Successful Job History Limit:\t{}", unset(&spec["successfulJobsHistoryLimit"])));
    page.put(0, format!("Failed Job History Limit:\t{}", unset(&spec["failedJobsHistoryLimit"])));
    let deadline = spec["startingDeadlineSeconds"].as_int().map_or("<unset>".to_string(), |n| format!("{n}s"));
    page.put(0, format!("Starting Deadline Seconds:\t{deadline}"));
    let job = spec.at(&["jobTemplate", "spec"]);
    let chosen = if job["selector"].is_null() { "<unset>".to_string() } else { selector(&job["selector"]) };
    page.put(0, format!("Selector:\t{chosen}"));
    page.put(0, format!("Parallelism:\t{}", unset(&job["parallelism"])));
    page.put(0, format!("Completions:\t{}", unset(&job["completions"])));
    if let Some(seconds) = job["activeDeadlineSeconds"].as_int() {
        page.put(0, format!("Active Deadline Seconds:\t{seconds}s"));
    }
    template(page, &job["template"]);
    match status["lastScheduleTime"].str() {
        "" => page.put(0, "Last Schedule Time:\t<unset>"),
        time => page.put(0, format!("Last Schedule Time:\t{}", date(time))),
    }
    let active: Vec<String> = status["active"].items().iter().map(|job| job["name"].str().to_string()).collect();
    page.put(0, format!("Active Jobs:\t{}", if active.is_empty() { "<none>".into() } else { active.join(", ") }));
}
