//! Where in an object labels, annotations and references stand: kustomize's default field specifications.

use super::Item;
use crate::base::Value;

/// Kinds with a pod template at `spec/template`.
pub const TEMPLATED: [&str; 6] =
    ["ReplicationController", "Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job"];

/// Selectors: group (empty: any), kind, path, and whether it is made where it is missing.
const SELECTORS: [(&str, &str, &str, bool); 12] = [
    ("", "Service", "spec/selector", true),
    ("", "ReplicationController", "spec/selector", true),
    ("", "Deployment", "spec/selector/matchLabels", true),
    ("", "ReplicaSet", "spec/selector/matchLabels", true),
    ("", "DaemonSet", "spec/selector/matchLabels", true),
    ("apps", "StatefulSet", "spec/selector/matchLabels", true),
    ("batch", "Job", "spec/selector/matchLabels", false),
    ("batch", "CronJob", "spec/jobTemplate/spec/selector/matchLabels", false),
    ("policy", "PodDisruptionBudget", "spec/selector/matchLabels", false),
    ("networking.k8s.io", "NetworkPolicy", "spec/podSelector/matchLabels", false),
    ("networking.k8s.io", "NetworkPolicy", "spec/ingress/from/podSelector/matchLabels", false),
    ("networking.k8s.io", "NetworkPolicy", "spec/egress/to/podSelector/matchLabels", false),
];
/// More selectors in the templates of Deployments and StatefulSets.
const AFFINITIES: [&str; 5] = [
    "affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
    "affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
    "affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
    "affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
    "topologySpreadConstraints/labelSelector/matchLabels",
];

/// Visits the places a path leads to; lists are walked through. What is missing is made if `create`.
pub fn visit(value: &mut Value, path: &[&str], create: bool, act: &mut dyn FnMut(&mut Value)) {
    if let (Value::List(_), [_, ..]) = (&*value, path) {
        for item in value.list_mut() {
            visit(item, path, create, act);
        }
        return;
    }
    let [first, rest @ ..] = path else { return act(value) };
    let first = first.trim_end_matches("[]");
    if !value.has(first) {
        if !create || !(value.is_null() || value.as_map().is_some()) {
            return;
        }
        value.set(&[first], Value::empty_map());
    }
    visit(value.at_mut(&[first]), rest, create, act);
}

fn at(item: &mut Item, path: &str, create: bool, act: &mut dyn FnMut(&mut Value)) {
    let parts: Vec<&str> = path.split('/').collect();
    visit(&mut item.value, &parts, create, act);
}

/// Puts pairs into a map of the metadata and of the templates' metadata.
pub fn metadata(item: &mut Item, field: &str, templates: bool, act: &mut dyn FnMut(&mut Value)) {
    at(item, &format!("metadata/{field}"), true, act);
    if !templates {
        return;
    }
    let kind = item.kind().to_string();
    if TEMPLATED.contains(&kind.as_str()) {
        at(item, &format!("spec/template/metadata/{field}"), true, act);
    }
    if kind == "StatefulSet" && field == "labels" && item.value["spec"].has("volumeClaimTemplates") {
        at(item, "spec/volumeClaimTemplates/metadata/labels", true, act);
    }
    if kind == "CronJob" {
        at(item, &format!("spec/jobTemplate/metadata/{field}"), true, act);
        at(item, &format!("spec/jobTemplate/spec/template/metadata/{field}"), true, act);
    }
}

/// Puts pairs into selectors.
pub fn selectors(item: &mut Item, act: &mut dyn FnMut(&mut Value)) {
    let kind = item.kind().to_string();
    let group = item.group_version().0.to_string();
    for (of, named, path, create) in SELECTORS {
        if named == kind && (of.is_empty() || of == group) {
            at(item, path, create, act);
        }
    }
    if group == "apps" && matches!(kind.as_str(), "Deployment" | "StatefulSet") {
        for path in AFFINITIES {
            at(item, &format!("spec/template/spec/{path}"), false, act);
        }
    }
}

/// Where a kind keeps a pod's spec.
pub fn pod_spec(kind: &str) -> Option<&'static str> {
    match kind {
        "Pod" => Some("spec"),
        "PodTemplate" => Some("template/spec"),
        "CronJob" => Some("spec/jobTemplate/spec/template/spec"),
        kind => TEMPLATED.contains(&kind).then_some("spec/template/spec"),
    }
}
