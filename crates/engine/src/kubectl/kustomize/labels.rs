//! Labels and annotations for objects, their templates and their selectors.

use super::Resource;
use crate::base::Value;

const WORKLOADS: [&str; 4] = ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"];

pub fn apply(file: &Value, resource: &mut Resource) {
    add(resource, &["metadata", "labels"], &file["commonLabels"], true);
    templates(resource, "labels", &file["commonLabels"]);
    selectors(resource, &file["commonLabels"]);
    for entry in file["labels"].items() {
        let pairs = &entry["pairs"];
        add(resource, &["metadata", "labels"], pairs, true);
        if entry["includeSelectors"].is_true() || entry["includeTemplates"].is_true() {
            templates(resource, "labels", pairs);
        }
        if entry["includeSelectors"].is_true() {
            selectors(resource, pairs);
        }
    }
    add(resource, &["metadata", "annotations"], &file["commonAnnotations"], true);
    templates(resource, "annotations", &file["commonAnnotations"]);
}

/// Adds pairs to a map, which is made when it may be.
fn add(resource: &mut Resource, path: &[&str], pairs: &Value, make: bool) {
    if pairs.is_empty() || !make && resource.object.at(path).is_null() {
        return;
    }
    for (key, value) in pairs.entries().iter() {
        let path = [path, &[key.as_str()]].concat();
        resource.object.set(&path, value);
    }
}

fn templates(resource: &mut Resource, field: &str, pairs: &Value) {
    let kind = resource.kind().to_string();
    if WORKLOADS.contains(&kind.as_str()) || kind == "Job" || kind == "ReplicationController" {
        add(resource, &["spec", "template", "metadata", field], pairs, true);
    }
    if kind == "CronJob" {
        add(resource, &["spec", "jobTemplate", "metadata", field], pairs, true);
        add(resource, &["spec", "jobTemplate", "spec", "template", "metadata", field], pairs, true);
    }
    if kind == "StatefulSet" && !pairs.is_empty() && resource.object["spec"].has("volumeClaimTemplates") {
        for claim in resource.object.at_mut(&["spec", "volumeClaimTemplates"]).list_mut() {
            for (key, value) in pairs.entries().iter() {
                claim.set(&["metadata", field, key], value);
            }
        }
    }
}

fn selectors(resource: &mut Resource, pairs: &Value) {
    let kind = resource.kind().to_string();
    match kind.as_str() {
        "Service" | "ReplicationController" => add(resource, &["spec", "selector"], pairs, true),
        "Job" | "PodDisruptionBudget" => add(resource, &["spec", "selector", "matchLabels"], pairs, false),
        "NetworkPolicy" => add(resource, &["spec", "podSelector", "matchLabels"], pairs, false),
        "CronJob" => add(resource, &["spec", "jobTemplate", "spec", "selector", "matchLabels"], pairs, false),
        kind if WORKLOADS.contains(&kind) => add(resource, &["spec", "selector", "matchLabels"], pairs, true),
        _ => {}
    }
}
