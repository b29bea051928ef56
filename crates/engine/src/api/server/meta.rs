//! What the server itself writes into objects: names, uid, times, generation, and what a create or an update may not
//! bring along (the strategies' PrepareForCreate and PrepareForUpdate).

use super::kinds::{Generation, Resource};
use super::{Call, Result};
use crate::api::object;
use crate::api::status::Status;
use crate::api::{decode, defaults, schema};
use crate::base::{Time, Value};
use crate::map;

/// Longest part of a generateName that is kept.
const GENERATE_BASE: usize = 58;

/// A decoded object in the version of the store, with defaults.
pub fn complete(call: &Call<'_, '_>, object: Value) -> Value {
    let resource = call.resource();
    let mut object = resource.stored(object);
    if matches!(call.target.subresource.as_str(), "" | "ephemeralcontainers" | "resize") {
        defaults::apply(&resource.store, &mut object);
    }
    object
}

/// The object with empty fields as the server writes them. Pods and Events of the cluster's own components are
/// well-formed as they come; so is what it shares with `known`.
pub fn encoded(call: &Call<'_, '_>, object: &Value, known: &Value) -> Value {
    let resource = call.resource();
    if resource.known.is_none() || (call.trusted && matches!(resource.store.as_str(), "pods" | "events")) {
        return object.clone();
    }
    let (group, version) = schema::group_version(object["apiVersion"].str());
    decode::encode_beside(group, version, &resource.kind, object, known)
}

/// Puts the parts of `old` that are equal in place of those of `new`, so that they are one piece of memory.
pub fn share(old: &Value, new: &mut Value) {
    for (key, value) in old.entries().iter() {
        let other = new.get(key);
        if !other.same(value) && other == value {
            *new.at_mut(&[key]) = value.clone();
        }
    }
    let template = &old["spec"]["template"];
    let other = &new["spec"]["template"];
    if !template.is_null() && !other.same(template) && other == template {
        *new.at_mut(&["spec", "template"]) = template.clone();
    }
}

/// Namespace of the object and of the URL must agree.
pub fn check_namespace(call: &Call<'_, '_>, object: &mut Value) -> Result<()> {
    let target = &call.target;
    if !target.resource.namespaced {
        object.remove(&["metadata", "namespace"]);
        return Ok(());
    }
    let sent = object::namespace(object);
    if !sent.is_empty() && sent != target.namespace {
        let message = "the namespace of the provided object does not match the namespace sent on the request";
        return Err(Status::bad_request(message));
    }
    object.set(&["metadata", "namespace"], &target.namespace);
    Ok(())
}

/// A name from generateName: its first 58 characters and five of chance.
pub fn generate_name(call: &mut Call<'_, '_>, base: &str) -> String {
    let mut end = base.len().min(GENERATE_BASE);
    while !base.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{}", base.get(..end).unwrap_or_default(), call.cx.chance.suffix("generateName", 5))
}

/// uid, creationTimestamp and what a client cannot set.
pub fn fill(call: &mut Call<'_, '_>, object: &mut Value) {
    let uid = call.cx.chance.uuid("uid");
    let meta = object.at_mut(&["metadata"]).map_mut();
    for key in ["selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "generation"] {
        meta.remove(key);
    }
    meta.insert("uid", uid);
    meta.insert("creationTimestamp", call.cx.now.rfc3339());
}

/// What a strategy resets of a new object.
pub fn prepare_create(resource: &Resource, object: &mut Value, now: Time) {
    drop_disabled(object);
    if resource.generation() != Generation::Absent {
        object.set(&["metadata", "generation"], 1);
    }
    match resource.store.as_str() {
        "daemonsets.apps" => {
            let key = "deprecated.daemonset.template.generation";
            if !object::annotation(object, key).parse::<i64>().is_ok_and(|n| n >= 1) {
                object.set(&["metadata", "annotations", key], "1");
            }
        }
        "jobs.batch" => defaults::job_selector(object),
        "namespaces" => {
            let name = object.at(&["metadata", "name"]).smol();
            object.set(&["metadata", "labels", "kubernetes.io/metadata.name"], name);
            let finalizers = &object["spec"]["finalizers"];
            if !finalizers.items().iter().any(|item| item.str() == "kubernetes") {
                let mut all = finalizers.items().to_vec();
                all.push("kubernetes".into());
                object.set(&["spec", "finalizers"], all);
            }
        }
        _ => {}
    }
    if resource.has_status() && !resource.is("nodes") {
        match initial_status(resource, object, now) {
            Some(status) => object.set(&["status"], status),
            None => {
                object.remove(&["status"]);
            }
        }
    }
}

/// Fields of features that are off by default are dropped before anybody looks at them: stop signals of containers.
fn drop_disabled(object: &mut Value) {
    const SPECS: [&[&str]; 3] =
        [&["spec"], &["spec", "template", "spec"], &["spec", "jobTemplate", "spec", "template", "spec"]];
    for spec in SPECS {
        for list in ["containers", "initContainers", "ephemeralContainers"] {
            let path = [spec, &[list]].concat();
            let has = |container: &Value| !container.at(&["lifecycle", "stopSignal"]).is_null();
            if !object.at(&path).items().iter().any(has) {
                continue;
            }
            let mut all = object.at(&path).items().to_vec();
            for container in all.iter_mut().filter(|container| has(container)) {
                container.remove(&["lifecycle", "stopSignal"]);
                if container["lifecycle"].is_empty() {
                    container.remove(&["lifecycle"]);
                }
            }
            object.set(&path, all);
        }
    }
}

fn initial_status(resource: &Resource, object: &Value, now: Time) -> Option<Value> {
    Some(match resource.store.as_str() {
        "pods" => {
            let mut status = map! { "phase" => "Pending", "qosClass" => qos_class(object) };
            if !object["spec"]["schedulingGates"].items().is_empty() {
                let gated = map! {
                    "type" => "PodScheduled", "status" => "False", "reason" => "SchedulingGated",
                    "message" => "Scheduling is blocked due to non-empty scheduling gates",
                    "lastProbeTime" => Value::Null, "lastTransitionTime" => now.rfc3339(),
                };
                status.set(&["conditions"], Value::list(vec![gated]));
            }
            status
        }
        "deployments.apps" | "jobs.batch" | "cronjobs.batch" | "resourcequotas" => Value::empty_map(),
        "replicasets.apps" | "replicationcontrollers" => map! { "replicas" => 0 },
        "statefulsets.apps" => map! { "replicas" => 0, "availableReplicas" => 0 },
        "daemonsets.apps" => map! {
            "currentNumberScheduled" => 0, "numberMisscheduled" => 0, "desiredNumberScheduled" => 0,
            "numberReady" => 0,
        },
        "horizontalpodautoscalers.autoscaling" => map! { "desiredReplicas" => 0, "currentMetrics" => Value::Null },
        "poddisruptionbudgets.policy" => map! {
            "disruptionsAllowed" => 0, "currentHealthy" => 0, "desiredHealthy" => 0, "expectedPods" => 0,
        },
        "services" | "ingresses.networking.k8s.io" => map! { "loadBalancer" => Value::empty_map() },
        "persistentvolumes" => map! { "phase" => "Pending", "lastPhaseTransitionTime" => now.rfc3339() },
        "persistentvolumeclaims" => map! { "phase" => "Pending" },
        "namespaces" => map! { "phase" => "Active" },
        "apiservices.apiregistration.k8s.io" if object["spec"]["service"].is_null() => map! {
            "conditions" => vec![map! {
                "type" => "Available", "status" => "True", "reason" => "Local",
                "message" => "Local APIServices are always available", "lastTransitionTime" => now.rfc3339(),
            }],
        },
        "apiservices.apiregistration.k8s.io"
        | "certificatesigningrequests.certificates.k8s.io"
        | "flowschemas.flowcontrol.apiserver.k8s.io"
        | "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io"
        | "validatingadmissionpolicies.admissionregistration.k8s.io"
        | "resourceclaims.resource.k8s.io" => Value::empty_map(),
        super::custom::DEFINITIONS => {
            let stored = object["spec"]["versions"].items().iter().filter(|version| version["storage"].is_true());
            map! {
                "acceptedNames" => map! { "kind" => "", "plural" => "" }, "conditions" => Value::Null,
                "storedVersions" => stored.map(|version| version["name"].clone()).collect::<Vec<_>>(),
            }
        }
        "volumeattachments.storage.k8s.io" => map! { "attached" => false },
        _ => return None,
    })
}

/// The quality-of-service class a pod's requests and limits give it.
pub fn qos_class(pod: &Value) -> &'static str {
    let spec = &pod["spec"];
    let mut any = false;
    let mut guaranteed = true;
    let containers = spec["containers"].items().iter().chain(spec["initContainers"].items());
    let pod_level = (!spec["resources"].is_empty()).then_some(spec);
    let all: Vec<&Value> = match pod_level {
        Some(spec) => vec![spec],
        None => containers.collect(),
    };
    for holder in all {
        let resources = &holder["resources"];
        for name in ["cpu", "memory"] {
            let quantity = |list: &str| crate::base::quantity::Quantity::of(&resources[list][name]);
            let (request, limit) = (quantity("requests"), quantity("limits"));
            any |= !request.is_zero() || !limit.is_zero();
            let requests = &resources["requests"][name];
            guaranteed &= !limit.is_zero() && (requests.is_null() || request == limit);
        }
    }
    match (any, guaranteed) {
        (false, _) => "BestEffort",
        (true, true) => "Guaranteed",
        (true, false) => "Burstable",
    }
}

/// What a strategy resets of an object sent as an update of `old`.
pub fn prepare_update(resource: &Resource, old: &Value, new: &mut Value) {
    drop_disabled(new);
    carry(old, new);
    if resource.has_status() {
        restore(old, new, &["status"]);
    }
    match resource.store.as_str() {
        "namespaces" => restore(old, new, &["spec", "finalizers"]),
        "certificatesigningrequests.certificates.k8s.io" => restore(old, new, &["spec"]),
        "daemonsets.apps" => {
            let key = "deprecated.daemonset.template.generation";
            let current: i64 = object::annotation(old, key).parse().unwrap_or(1);
            let changed = old["spec"]["template"] != new["spec"]["template"];
            let next = if changed { current.saturating_add(1) } else { current };
            new.set(&["metadata", "annotations", key], next.to_string());
        }
        _ => {}
    }
}

/// Metadata that a sent object may leave out.
fn carry(old: &Value, new: &mut Value) {
    for key in ["uid", "creationTimestamp"] {
        if new["metadata"][key].is_empty() {
            restore(old, new, &["metadata", key]);
        }
    }
    // A deletion never goes back.
    for key in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
        if !old["metadata"][key].is_null() || new["metadata"][key].is_null() {
            restore(old, new, &["metadata", key]);
        }
    }
    for key in ["generation", "resourceVersion", "selfLink"] {
        restore(old, new, &["metadata", key]);
    }
}

/// Puts back what stood at a path.
pub fn restore(old: &Value, new: &mut Value, path: &[&str]) {
    let value = old.at(path);
    if value.is_null() {
        new.remove(path);
    } else {
        new.set(path, value);
    }
}

/// Whether the change from `old` to `new` is one that bumps the generation.
pub fn bumps_generation(rule: Generation, old: &Value, new: &Value) -> bool {
    match rule {
        Generation::Absent | Generation::Never => false,
        Generation::Spec => old["spec"] != new["spec"],
        Generation::SpecOrAnnotations => {
            old["spec"] != new["spec"] || old["metadata"]["annotations"] != new["metadata"]["annotations"]
        }
        Generation::Field(field) => old[field] != new[field],
        Generation::AllButMetadata => {
            old["metadata"]["labels"] != new["metadata"]["labels"]
                || bumps_generation(Generation::Content { status: true }, old, new)
        }
        Generation::Content { status } => {
            let counts = |key: &str| key != "metadata" && (status || key != "status");
            old.entries().iter().any(|(key, value)| counts(key) && new.get(key) != value)
                || new.entries().keys().any(|key| counts(key) && !old.has(key))
        }
    }
}

pub fn bump_generation(object: &mut Value) {
    let generation = object["metadata"]["generation"].int();
    if generation > 0 {
        object.set(&["metadata", "generation"], generation.saturating_add(1));
    }
}
