//! Compares every write of a recorded section with the trace of ours, by the rule which parts of two runs on real
//! clusters were alike: per object the sequence of writers, the sequence of distinct states, and the set of events.
//!
//! Objects of one generateName form a group and are compared as a multiset. Of trees that the user changed while they
//! had not settled only the end is compared.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::normalise::{Names, Numbers};

#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    pub t: f64,
    pub verb: String,
    pub by: Vec<String>,
    /// The whole object after the write (before it, for a removal).
    pub state: Value,
}

#[derive(Clone, Debug, Default)]
pub struct Object {
    pub resource: String,
    pub namespace: String,
    pub name: String,
    pub writes: Vec<Write>,
    pub events: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id(String, String, String);

#[derive(Clone, Debug, Default)]
pub struct Timeline {
    objects: Vec<Object>,
    /// Objects that stood before the section and that only events or patches speak of.
    index: BTreeMap<(String, String, String), usize>,
    pub names: Names,
}

pub struct Report {
    pub equal: usize,
    pub total: usize,
    pub differences: Vec<String>,
}

impl Timeline {
    /// Adds a write; `base` is the object before this section, when it stood already.
    fn write(&mut self, resource: &str, namespace: &str, name: &str, write: Write) {
        let key = (resource.to_string(), namespace.to_string(), name.to_string());
        if let Some(base) = write.state["metadata"]["generateName"].as_str() {
            self.names.add(base, name);
        }
        self.names.note_restart(&write.state);
        if let Some(at) = self.index.get(&key) {
            let gone = self.objects[*at].writes.last().is_some_and(|last| last.verb == "DELETED");
            if !gone {
                self.objects[*at].writes.push(write);
                return;
            }
        }
        self.index.insert(key, self.objects.len());
        self.objects.push(Object {
            resource: resource.into(),
            namespace: namespace.into(),
            name: name.into(),
            writes: vec![write],
            events: BTreeSet::new(),
        });
    }

    pub fn read(file: &str, text: &str) -> Result<Timeline, String> {
        let mut timeline = Timeline::default();
        let mut states: BTreeMap<Id, Value> = BTreeMap::new();
        let mut events = Vec::new();
        for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let value: Value = serde_json::from_str(line).map_err(|e| format!("{file}:{}: {e}", n + 1))?;
            if value["event"].is_object() {
                events.push((value["t"].as_f64().unwrap_or(f64::MAX), value["event"].clone()));
                continue;
            }
            let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
            let id = Id(text("resource"), text("namespace"), text("name"));
            let old = states.get(&id).cloned().unwrap_or(Value::Null);
            let state =
                if value["object"].is_object() { value["object"].clone() } else { merge(&old, &value["patch"]) };
            if text("verb") == "DELETED" {
                states.remove(&id);
            } else {
                states.insert(id.clone(), state.clone());
            }
            let by =
                value["by"].as_array().into_iter().flatten().filter_map(|b| b.as_str().map(str::to_string)).collect();
            let write = Write { t: value["t"].as_f64().unwrap_or(0.0), verb: text("verb"), by, state };
            timeline.write(&id.0, &id.1, &id.2, write);
        }
        for (t, event) in events {
            timeline.event(t, &event);
        }
        Ok(timeline)
    }

    /// Takes what was written later to objects that were being removed.
    pub fn finish_removals(&mut self, later: Timeline) {
        let removed = |object: &Object| {
            object.writes.last().is_some_and(|w| w.state["metadata"]["deletionTimestamp"].is_string())
        };
        for object in self.objects.iter_mut().filter(|object| removed(object)) {
            let same = later.objects.iter().find(|o| {
                (&o.resource, &o.namespace, &o.name) == (&object.resource, &object.namespace, &object.name)
                    && o.writes.starts_with(&object.writes)
            });
            if let Some(same) = same {
                *object = same.clone();
            }
        }
    }

    /// Every write in order of time, as the recordings show them to eyes.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for object in &self.objects {
            let mut before = Value::Null;
            for write in &object.writes {
                let (by, name) = (write.by.join("+"), format!("{}/{}", object.namespace, object.name));
                let what = fields(&write.state, &before);
                lines.push((
                    write.t,
                    format!("+{:.3} {} {} {name} by {by} {what}", write.t, write.verb, object.resource),
                ));
                before = write.state.clone();
            }
        }
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Leaves out what kubelets wrote.
    pub fn without_kubelets(&mut self) {
        for object in self.objects.iter_mut().filter(|object| object.resource == "pods") {
            object.writes = super::simulated::writes(&object.writes);
            object.events.retain(|event| !event.starts_with("kubelet "));
        }
        self.objects.retain(|object| !object.writes.is_empty());
        self.index.clear();
    }

    /// Whether it speaks of workloads that stood before.
    pub fn finds(&self) -> bool {
        let owned = |object: &Object| {
            ["pods", "replicasets.apps", "deployments.apps", "statefulsets.apps"].contains(&object.resource.as_str())
                && object.namespace != "kube-system"
        };
        self.objects.iter().any(|object| owned(object) && object.writes[0].verb != "ADDED")
    }

    /// When the last write came.
    pub fn end(&self) -> f64 {
        self.objects.iter().flat_map(|object| &object.writes).map(|write| write.t).fold(0.0, f64::max)
    }

    /// Adds a committed write of ours; `before` and `after` are whole objects as stored (`after` null for a removal).
    pub fn commit(&mut self, t: f64, resource: &str, before: &Value, after: &Value) {
        let whole = if after.is_null() { before } else { after };
        let text = |key: &str| whole["metadata"][key].as_str().unwrap_or_default().to_string();
        if resource.starts_with("events") {
            if !after.is_null() {
                let on =
                    if after["involvedObject"].is_object() { &after["involvedObject"] } else { &after["regarding"] };
                let from = after["source"]["component"].as_str().filter(|s| !s.is_empty());
                self.event(t, &json!({
                    "on": format!("{}/{}", on["kind"].as_str().unwrap_or_default(), on["name"].as_str().unwrap_or_default()),
                    "namespace": on["namespace"], "fieldPath": on["fieldPath"], "type": after["type"], "reason": after["reason"],
                    "message": if after["message"].is_string() { &after["message"] } else { &after["note"] },
                    "from": from.map_or(after["reportingComponent"].clone(), Value::from),
                }));
            }
            return;
        }
        let verb = if after.is_null() {
            "DELETED"
        } else if before.is_null() {
            "ADDED"
        } else {
            "MODIFIED"
        };
        let by = match moved(before, after) {
            by if by.is_empty() => vec!["-".to_string()],
            by => by,
        };
        let write = Write { t, verb: verb.into(), by, state: clean(whole) };
        self.write(resource, &text("namespace"), &text("name"), write);
    }

    /// Of several objects that had one name after another it is the one that was there.
    fn event(&mut self, t: f64, event: &Value) {
        let text = |key: &str| event[key].as_str().unwrap_or_default().to_string();
        let (kind, name) = event["on"].as_str().and_then(|on| on.split_once('/')).unwrap_or_default();
        let line =
            format!("{} {} {} {}: {}", text("from"), text("type"), text("reason"), text("fieldPath"), text("message"));
        let is_named = |object: &&mut Object| {
            object.name == name && object.namespace == text("namespace") && is_kind(&object.resource, kind)
        };
        let mut named: Vec<&mut Object> = self.objects.iter_mut().filter(is_named).collect();
        let there = named.iter().rposition(|object| object.writes[0].t <= t).unwrap_or(0);
        if let Some(object) = named.get_mut(there) {
            object.events.insert(line);
        }
    }
}

fn is_kind(resource: &str, kind: &str) -> bool {
    let plural = resource.split('.').next().unwrap_or_default();
    let kind = kind.to_lowercase();
    plural == format!("{kind}s")
        || plural == format!("{kind}es")
        || plural == kind
        || plural.trim_end_matches("ies") == kind.trim_end_matches('y')
}

/// RFC 7386.
fn merge(target: &Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut out = target.as_object().cloned().unwrap_or_default();
    for (key, value) in patch {
        if value.is_null() {
            out.remove(key);
        } else {
            let merged = merge(out.get(key).unwrap_or(&Value::Null), value);
            out.insert(key.clone(), merged);
        }
    }
    Value::Object(out)
}

/// The managers whose entry is new or has moved.
fn moved(before: &Value, after: &Value) -> Vec<String> {
    let entries = |object: &Value| -> BTreeMap<(String, String), String> {
        object["metadata"]["managedFields"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|e| {
                let text = |key: &str| e[key].as_str().unwrap_or_default().to_string();
                ((text("manager"), text("subresource")), format!("{} {}", text("time"), e["fieldsV1"]))
            })
            .collect()
    };
    let old = entries(before);
    let mut by: Vec<String> = entries(after)
        .into_iter()
        .filter(|(key, value)| old.get(key) != Some(value))
        .map(|((manager, sub), _)| if sub.is_empty() { manager } else { format!("{manager}/{sub}") })
        .collect();
    by.sort();
    by
}

fn clean(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(map) = object.as_object_mut() {
        map.remove("apiVersion");
        map.remove("kind");
    }
    if let Some(meta) = object["metadata"].as_object_mut() {
        for key in ["managedFields", "resourceVersion", "uid", "selfLink"] {
            meta.remove(key);
        }
        if let Some(annotations) = meta.get_mut("annotations").and_then(Value::as_object_mut) {
            annotations.remove("kubectl.kubernetes.io/last-applied-configuration");
        }
        for owner in meta.get_mut("ownerReferences").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(owner) = owner.as_object_mut() {
                owner.remove("uid");
            }
        }
    }
    object
}

/// Numbers in a status that go up and down by what happens in between.
const STEPS: &[(&str, &[&str])] = &[
    (
        "deployments.apps",
        &["replicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "terminatingReplicas"],
    ),
    ("replicasets.apps", &["readyReplicas", "availableReplicas", "terminatingReplicas"]),
    ("replicationcontrollers", &["readyReplicas", "availableReplicas"]),
    ("jobs.batch", &["active", "ready", "terminating"]),
    ("poddisruptionbudgets.policy", &["currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods"]),
    ("resourcequotas", &["used", "hard"]),
    ("statefulsets.apps", &["replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"]),
    (
        "daemonsets.apps",
        &[
            "currentNumberScheduled",
            "desiredNumberScheduled",
            "numberAvailable",
            "numberMisscheduled",
            "numberReady",
            "numberUnavailable",
            "updatedNumberScheduled",
        ],
    ),
];

/// A state as it is compared: without what is loose, and (unless `whole`) without the steps.
fn comparable(names: &Names, resource: &str, state: &Value, whole: bool) -> String {
    let mut state = clean(state);
    if let Some(status) = state["status"].as_object_mut() {
        if resource == "pods" {
            status.remove("resources");
            status.remove("allocatedResources");
            if names.simulated_nodes {
                without_kubelet(status);
            }
            for condition in status.get_mut("conditions").and_then(Value::as_array_mut).into_iter().flatten() {
                if condition["type"] == "PodReadyToStartContainers"
                    && let Some(condition) = condition.as_object_mut()
                {
                    condition.remove("message");
                }
            }
        }
        if !whole && let Some((_, fields)) = STEPS.iter().find(|(r, _)| *r == resource) {
            for field in *fields {
                status.remove(*field);
            }
        }
        if status.is_empty() {
            state.as_object_mut().map(|s| s.remove("status"));
        }
    }
    if let Some(annotations) = state["metadata"]["annotations"].as_object_mut() {
        annotations.remove("endpoints.kubernetes.io/last-change-trigger-time");
    }
    if let Some(meta) = state["metadata"].as_object_mut() {
        if meta.get("annotations").is_some_and(|all| all.is_null() || all.as_object().is_some_and(Map::is_empty)) {
            meta.remove("annotations");
        }
        if resource.starts_with("endpointslices") {
            meta.remove("generation");
        }
    }
    // Each cluster has a certificate of its own.
    if let Some(text) = state["data"]["ca.crt"].as_str().filter(|text| text.starts_with("-----BEGIN CERTIFICATE")) {
        state["data"]["ca.crt"] = Value::from(text.lines().next().unwrap_or_default());
    }
    // A merge patch cannot tell nothing from null.
    if let Some(map) = state.as_object_mut().filter(|_| resource.starts_with("endpointslices")) {
        map.retain(|key, value| !value.is_null() || !["ports", "endpoints"].contains(&key.as_str()));
    }
    if !whole && let Some(map) = state.as_object_mut() {
        map.remove("endpoints");
        map.remove("subsets");
    }
    if resource == "endpoints" || resource.starts_with("endpointslices") {
        sort_addresses(&mut state);
    }
    let text = super::normalise::text(names, &mut Numbers::default(), &state.to_string());
    plain_names(&without_unborn(&text))
}

/// A pod's status without what kubelets say in words of their own.
fn without_kubelet(status: &mut Map<String, Value>) {
    for field in ["hostIP", "hostIPs", "podIP", "podIPs", "observedGeneration"] {
        status.remove(field);
    }
    for (list, fields) in [
        ("conditions", ["observedGeneration"].as_slice()),
        ("containerStatuses", &["containerID", "image", "imageID", "resources", "volumeMounts", "user"]),
    ] {
        for item in status.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(item) = item.as_object_mut() {
                item.retain(|key, _| !fields.contains(&key.as_str()));
            }
        }
    }
}

/// Names of pods that never came to be: `pods "web-5fd8ffbc7f-vgrhd" is forbidden`.
fn without_unborn(text: &str) -> String {
    let mut parts = text.split("pods \\\"");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out.push_str("pods \\\"");
        match part.split_once("\\\" is forbidden") {
            Some((name, rest)) if !name.contains('"') && name.len() > 6 => {
                let base = name.rsplit_once('-').map_or(name, |(base, _)| base);
                out.push_str(&format!("{base}-{{}}\\\" is forbidden{rest}"));
            }
            _ => out.push_str(part),
        }
    }
    out
}

/// Which of several equal pods comes first is chance.
fn sort_addresses(state: &mut Value) {
    for key in ["endpoints", "subsets"] {
        if let Some(list) = state[key].as_array_mut() {
            list.sort_by_key(ToString::to_string);
        }
    }
}

/// Drops the numbers of placeholders: the members of a group are compared as a multiset.
fn plain_names(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("-{") {
        let end = rest[at..].find('}').map_or(rest.len(), |e| at + e + 1);
        let digits = &rest[at + 2..end.saturating_sub(1).max(at + 2)];
        out.push_str(&rest[..at + 1]);
        if digits.chars().all(|c| c.is_ascii_digit()) {
            out.push_str("{}");
        } else {
            out.push_str(&rest[at + 1..end]);
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// What of an object is compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    writers: Vec<String>,
    states: Vec<String>,
    last: String,
    events: BTreeSet<String>,
    /// Every state with all its fields.
    wholes: BTreeSet<String>,
    /// It was being removed when the recording ended.
    cut: bool,
}

fn shape(timeline: &Timeline, object: &Object) -> Shape {
    let mut writers: Vec<String> = Vec::new();
    let mut states: Vec<String> = Vec::new();
    let mut before = &Value::Null;
    for write in &object.writes {
        if write.verb == "DELETED" {
            states.push("DELETED".into());
            continue;
        }
        if object.resource == "pods" && without_resources(before) == without_resources(&write.state) {
            before = &write.state;
            continue;
        }
        let by = match write.by.join("+") {
            by if by == "-" => unmoved(before, &write.state, &writers),
            by if timeline.names.simulated_nodes => by.replace("unknown/status", "kubelet/status"),
            by => by,
        };
        if writers.last() != Some(&by) {
            writers.push(by);
        }
        before = &write.state;
        let state = comparable(&timeline.names, &object.resource, &write.state, false);
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    let whole = |w: &Write| comparable(&timeline.names, &object.resource, &w.state, true);
    let last = object.writes.iter().rev().find(|w| w.verb != "DELETED").map(whole).unwrap_or_default();
    let cut = object
        .writes
        .last()
        .is_some_and(|w| w.verb != "DELETED" && w.state["metadata"]["deletionTimestamp"].is_string());
    let wholes = object.writes.iter().map(whole).collect();
    let events = object
        .events
        .iter()
        .filter(|e| !is_loose_event(e))
        .map(|e| plain_names(&super::normalise::text(&timeline.names, &mut Numbers::default(), e)))
        .collect();
    Shape { writers, states, last, events, wholes, cut }
}

/// A pod without what the recordings made come and go.
fn without_resources(pod: &Value) -> Value {
    let mut pod = clean(pod);
    if let Some(status) = pod["status"].as_object_mut() {
        status.remove("resources");
        status.remove("allocatedResources");
    }
    pod
}

/// Whose a write was that moved no entry: a binding, a removal (neither has managed fields), or the second write of a
/// manager in one second, which is the last one known to write that part of the object.
fn unmoved(before: &Value, after: &Value, writers: &[String]) -> String {
    let meta = |key: &str| before["metadata"][key] != after["metadata"][key];
    if before["spec"]["nodeName"] != after["spec"]["nodeName"] {
        return "binding".into();
    }
    if meta("deletionTimestamp") || meta("deletionGracePeriodSeconds") {
        return "removal".into();
    }
    let of_status = before["status"] != after["status"];
    let known = writers.iter().rev().find(|by| by.contains("/status") == of_status);
    known.cloned().unwrap_or_else(|| "-".into())
}

/// Events whose coming or text depends on the cache, on races or on intervals.
fn is_loose_event(event: &str) -> bool {
    let reason = event.split(' ').nth(2).unwrap_or_default();
    depends_on_cache_or_races(reason)
        || ["BackOff", "FailedScheduling", "FailedCreate"].contains(&reason)
        || event.contains("connection refused")
        || event.contains("errored and resulted in unknown state")
        || event.contains("combined from similar events")
}

pub fn depends_on_cache_or_races(reason: &str) -> bool {
    ["Pulling", "Pulled", "FailedMount", "ResizeCompleted"].contains(&reason)
}

/// Recorded states are ours with at most one left out (two neighbours may come in one write).
fn is_path(recorded: &[String], ours: &[String]) -> bool {
    if recorded == ours {
        return true;
    }
    ours.len() == recorded.len() + 1
        && (0..ours.len())
            .any(|skip| ours.iter().enumerate().filter(|(i, _)| *i != skip).map(|(_, s)| s).eq(recorded.iter()))
}

/// Names of objects whose tree the user changed before it had settled.
fn unsettled(timeline: &Timeline) -> BTreeSet<(String, String)> {
    // The root of an object: follow the names of owners.
    let owner_of = |object: &Object| -> Option<(String, String)> {
        let owner = object.writes.last()?.state["metadata"]["ownerReferences"].get(0)?.clone();
        Some((owner["kind"].as_str()?.to_string(), owner["name"].as_str()?.to_string()))
    };
    let root = |object: &Object| -> String {
        let mut at = object;
        for _ in 0..8 {
            let Some((kind, name)) = owner_of(at) else { break };
            match timeline
                .objects
                .iter()
                .find(|o| o.name == name && o.namespace == object.namespace && is_kind(&o.resource, &kind))
            {
                Some(next) => at = next,
                None => return format!("{kind}/{name}"),
            }
        }
        format!("{}/{}", at.resource, at.name)
    };
    let mut trees: BTreeMap<(String, String), Vec<(f64, bool, usize)>> = BTreeMap::new();
    for (index, object) in timeline.objects.iter().enumerate() {
        let key = (object.namespace.clone(), root(object));
        for write in &object.writes {
            let by_user = write.by.iter().any(|by| by.starts_with("kubectl"));
            trees.entry(key.clone()).or_default().push((write.t, by_user, index));
        }
    }
    let mut out = BTreeSet::new();
    for writes in trees.values_mut() {
        writes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let raced = writes.windows(2).any(|pair| pair[1].1 && pair[1].0 - pair[0].0 < 2.0 && !pair[0].1);
        if raced {
            for (_, _, index) in writes.iter() {
                let object = &timeline.objects[*index];
                out.insert((object.resource.clone(), object.name.clone()));
            }
        }
    }
    out
}

fn group(timeline: &Timeline, object: &Object) -> (String, String, String) {
    let state = &object.writes[0].state;
    let name = state["metadata"]["generateName"].as_str();
    let name = name.map(|base| timeline.names.without_restarts(format!("{base}{{}}")));
    let name = name.unwrap_or_else(|| {
        plain_names(&super::normalise::text(&timeline.names, &mut Numbers::default(), &object.name))
    });
    (object.resource.clone(), object.namespace.clone(), name)
}

/// A container that restarts with back-offs: the waits are random, so how far it gets is chance.
fn backs_off(shape: &Shape) -> bool {
    shape.states.iter().any(|state| state.contains("\"reason\":\"CrashLoopBackOff\""))
}

/// A pod of a Job whose removal and the end of its finalizer stand side by side: "two writers that answer the same event:
/// after the Job controller's DELETE at a limit its finalizer PATCH and the kubelet's observedGeneration write come in
/// either order; compare field by field".
fn meets_a_job(shape: &Shape) -> bool {
    let counted = |state: &String| state.contains("\"batch.kubernetes.io/job-tracking\"");
    let removed = shape.states.iter().position(|state| state.contains("\"deletionTimestamp\""));
    let let_go = shape.states.iter().position(|state| !counted(state)).filter(|at| *at > 0);
    matches!((removed, let_go), (Some(removed), Some(let_go)) if removed.abs_diff(let_go) <= 2)
}

/// Each field of a recording that broke off takes the values that ours begins with.
fn fields_begin(want: &Shape, have: &Shape) -> bool {
    let (theirs, ours) = (sequences(want), sequences(have));
    theirs.iter().all(|(path, values)| ours.get(path).is_some_and(|ours| ours.starts_with(values)))
}

/// Each field takes the same values in the same order.
fn field_paths_agree(want: &Shape, have: &Shape) -> bool {
    let (theirs, ours) = (sequences(want), sequences(have));
    theirs.len() == ours.len()
        && theirs.iter().all(|(path, values)| ours.get(path).is_some_and(|ours| is_path(values, ours)))
        && want.states.last() == have.states.last()
}

/// The same writers, whoever came first.
fn same_writers(want: &Shape, have: &Shape) -> bool {
    let all = |shape: &Shape| shape.writers.iter().cloned().collect::<BTreeSet<String>>();
    all(want) == all(have)
}

/// What restarts move: each field's values are the same in order, up to the end of the shorter sequence. All other
/// fields have the whole sequence in common.
fn fields_agree(want: &Shape, have: &Shape) -> bool {
    let (want, have) = (sequences(want), sequences(have));
    want.iter().all(|(path, values)| have.get(path).is_some_and(|ours| values_agree(path, values, ours)))
        && have.keys().all(|path| want.contains_key(path))
}

fn values_agree(path: &str, want: &[String], have: &[String]) -> bool {
    let restarts = [".status.containerStatuses", ".status.initContainerStatuses", ".status.conditions"];
    match restarts.iter().any(|part| path.starts_with(part)) {
        true => want.iter().zip(have).all(|(a, b)| a == b),
        false => is_path(want, have),
    }
}

/// The events, but for those of waiting.
fn steps_agree(want: &Shape, have: &Shape) -> bool {
    want.events == have.events
}

fn sequences(shape: &Shape) -> BTreeMap<String, Vec<String>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for state in shape.states.iter().filter_map(|state| serde_json::from_str::<Value>(state).ok()) {
        let mut leaves = BTreeMap::new();
        flatten("", &state, &mut leaves);
        for (path, value) in leaves {
            let values = out.entry(path).or_default();
            if values.last() != Some(&value) {
                values.push(value);
            }
        }
    }
    out
}

/// Leaves by path; items of lists by their name or type. Numbers of placeholders say nothing across states.
fn flatten(path: &str, value: &Value, out: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter().filter(|(key, _)| *key != "containerID" && *key != "imageID") {
                flatten(&format!("{path}.{key}"), inner, out);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let name = item["name"].as_str().or(item["type"].as_str());
                let name = name.map_or(index.to_string(), str::to_string);
                flatten(&format!("{path}[{name}]"), item, out);
            }
        }
        other => {
            out.insert(path.to_string(), other.to_string());
        }
    }
}

impl Timeline {
    /// Leaves out namespaces that came while this was recorded and that no command asked for, with all in them.
    pub fn without_strangers(&mut self, asked: &str) {
        let made =
            |o: &&Object| o.resource == "namespaces" && o.writes[0].verb == "ADDED" && !asked.contains(o.name.as_str());
        let strange: Vec<String> = self.objects.iter().filter(made).map(|o| o.name.clone()).collect();
        let is_strange =
            |o: &Object| strange.contains(&o.namespace) || o.resource == "namespaces" && strange.contains(&o.name);
        self.objects.retain(|o| !is_strange(o));
    }
}

pub fn compare(recorded: &Timeline, ours: &Timeline) -> Report {
    let raced = unsettled(recorded);
    let mut theirs: BTreeMap<_, Vec<(&Object, Shape)>> = BTreeMap::new();
    let mut mine: BTreeMap<_, Vec<Shape>> = BTreeMap::new();
    for object in recorded.objects.iter().filter(|o| is_compared(o)) {
        theirs.entry(group(recorded, object)).or_default().push((object, shape(recorded, object)));
    }
    for object in ours.objects.iter().filter(|o| is_compared(o) && is_built_in(&o.resource)) {
        mine.entry(group(ours, object)).or_default().push(shape(ours, object));
    }
    let mut report = Report { equal: 0, total: 0, differences: Vec::new() };
    for (key, objects) in theirs {
        let mut candidates = mine.remove(&key).unwrap_or_default();
        let extra = candidates.len().saturating_sub(objects.len());
        for (object, want) in objects {
            report.total += 1;
            let loose = raced.contains(&(object.resource.clone(), object.name.clone()));
            let fits = |have: &Shape| {
                if want.cut && have.last != want.last && have.wholes.contains(&want.last) {
                    // Ours was played on: the recording shows the beginning of its removal.
                    let met = have.states.len().min(want.states.len());
                    loose
                        || have.writers.starts_with(&want.writers)
                            && (is_path(&want.states, &have.states[..met])
                                || is_path(&want.states, &have.states[..have.states.len().min(met + 1)]))
                            && want.events.is_subset(&have.events)
                        || meets_a_job(&want)
                            && meets_a_job(have)
                            && fields_begin(&want, have)
                            && want.events.is_subset(&have.events)
                } else if loose {
                    have.last == want.last
                } else if meets_a_job(&want) && meets_a_job(have) {
                    field_paths_agree(&want, have)
                        && same_writers(&want, have)
                        && have.last == want.last
                        && have.events == want.events
                } else if backs_off(&want) {
                    have.writers == want.writers && fields_agree(&want, have) && steps_agree(&want, have)
                } else {
                    have.writers == want.writers
                        && is_path(&want.states, &have.states)
                        && have.last == want.last
                        && have.events == want.events
                }
            };
            match candidates.iter().position(fits) {
                Some(at) => {
                    candidates.remove(at);
                    report.equal += 1;
                }
                None => report.differences.push(explain(&key, object, &want, candidates.first(), loose)),
            }
        }
        if extra > 0 && !candidates.is_empty() {
            report.total += 1;
            report.differences.push(format!("{}/{}: {extra} more of ours", key.0, key.2));
        }
    }
    for (key, objects) in mine {
        report.total += objects.len();
        report.differences.push(format!("{}/{}: ours only ({})", key.0, key.2, objects.len()));
    }
    report
}

/// Leases and heartbeats of nodes are background; what stood before the section is only patched in it.
fn is_compared(object: &Object) -> bool {
    object.writes[0].verb == "ADDED"
        && object.resource != "leases.coordination.k8s.io"
        && object.resource != "ipaddresses.networking.k8s.io"
}

/// The recordings hold no objects of kinds that were defined while they ran.
fn is_built_in(resource: &str) -> bool {
    let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
    engine::api::schema::kinds().iter().any(|kind| kind.resource == plural && kind.group == group)
}

fn explain(key: &(String, String, String), object: &Object, want: &Shape, have: Option<&Shape>, loose: bool) -> String {
    let mut out = format!("{} {}/{}{}", key.0, key.1, object.name, if loose { " (end only)" } else { "" });
    let Some(have) = have else {
        out.push_str(": missing in ours");
        return out;
    };
    if !loose && backs_off(want) {
        let (theirs, ours) = (sequences(want), sequences(have));
        let paths: BTreeSet<_> = theirs.keys().chain(ours.keys()).collect();
        for path in paths {
            let none = Vec::new();
            let (a, b) = (theirs.get(path).unwrap_or(&none), ours.get(path).unwrap_or(&none));
            if a.is_empty() || b.is_empty() || !values_agree(path, a, b) {
                out.push_str(&format!("\n  field {path}:\n    recorded {a:?}\n    ours     {b:?}"));
            }
        }
    }
    if !loose && want.writers != have.writers {
        out.push_str(&format!("\n  writers: recorded {:?}\n           ours     {:?}", want.writers, have.writers));
    }
    if !loose && !backs_off(want) && !is_path(&want.states, &have.states) {
        let same = want.states.iter().zip(&have.states).take_while(|(a, b)| a == b).count();
        let none = String::from("(no more)");
        out.push_str(&format!(
            "\n  state {same} of {}/{}:\n    recorded {}\n    ours     {}",
            want.states.len(),
            have.states.len(),
            difference(want.states.get(same).unwrap_or(&none), have.states.get(same).unwrap_or(&none)),
            difference(have.states.get(same).unwrap_or(&none), want.states.get(same).unwrap_or(&none)),
        ));
    }
    if want.last != have.last && !backs_off(want) {
        out.push_str(&format!(
            "\n  last: recorded {}\n        ours     {}",
            difference(&want.last, &have.last),
            difference(&have.last, &want.last)
        ));
    }
    if !loose {
        for event in want.events.difference(&have.events) {
            out.push_str(&format!("\n  event only recorded: {event}"));
        }
        for event in have.events.difference(&want.events) {
            out.push_str(&format!("\n  event only ours:     {event}"));
        }
    }
    out
}

/// The fields of `a` that differ from `b`.
fn difference(a: &str, b: &str) -> String {
    match (serde_json::from_str::<Value>(a), serde_json::from_str::<Value>(b)) {
        (Ok(a), Ok(b)) => fields(&a, &b).to_string(),
        _ => a.chars().take(1000).collect(),
    }
}

fn fields(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => Value::Object(
            x.iter()
                .filter(|(k, v)| y.get(*k) != Some(v))
                .map(|(k, v)| (k.clone(), y.get(k).map_or_else(|| v.clone(), |w| fields(v, w))))
                .chain(y.keys().filter(|k| !x.contains_key(*k)).map(|k| (k.clone(), Value::Null)))
                .collect(),
        ),
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            Value::Array(x.iter().zip(y).filter(|(a, b)| a != b).map(|(a, b)| fields(a, b)).collect())
        }
        (a, _) => a.clone(),
    }
}
