//! The two resources that are served in two versions, and how one becomes the other: Events (stored as core/v1) and
//! HorizontalPodAutoscalers (stored as autoscaling/v2). Of the latter v1 shows the CPU target only; further metrics
//! are kept by an update through v1, as the annotation of the real server does.

use crate::api::decode;
use crate::base::{Map, Value};
use crate::{list, map};

/// core/v1 and events.k8s.io/v1 names of the same fields.
const EVENT_FIELDS: [(&str, &str); 7] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];

fn renamed(event: &Value, api_version: &str, name: impl Fn(&str) -> Option<&'static str>) -> Value {
    let mut out = Map::new();
    for (key, value) in event.entries().iter() {
        match name(key) {
            Some(other) => out.insert(other, value),
            None => out.insert(key.clone(), value),
        };
    }
    out.insert("apiVersion", api_version);
    out.into()
}

/// An Event in the version asked for.
pub fn event(event: Value, api_version: &str) -> Value {
    if event["apiVersion"].str() == api_version {
        return event;
    }
    if api_version == "v1" {
        let name = |key: &str| EVENT_FIELDS.iter().find(|(_, new)| *new == key).map(|(old, _)| *old);
        return decode::encode("", "v1", "Event", &renamed(&event, api_version, name));
    }
    let name = |key: &str| EVENT_FIELDS.iter().find(|(old, _)| *old == key).map(|(_, new)| *new);
    decode::encode("events.k8s.io", "v1", "Event", &renamed(&event, api_version, name))
}

const CPU: &str = "targetCPUUtilizationPercentage";
const OTHERS: &str = "autoscaling.alpha.kubernetes.io/metrics";

fn is_cpu(metric: &Value) -> bool {
    metric["type"].str() == "Resource"
        && metric["resource"]["name"].str() == "cpu"
        && metric["resource"]["target"]["type"].str() == "Utilization"
}

/// A HorizontalPodAutoscaler in the version asked for.
pub fn autoscaler(mut object: Value, api_version: &str) -> Value {
    if object["apiVersion"].str() == api_version {
        return object;
    }
    object.set(&["apiVersion"], api_version);
    if api_version == "autoscaling/v1" {
        let metrics = object["spec"]["metrics"].items().to_vec();
        if let Some(cpu) = metrics.iter().find(|metric| is_cpu(metric)) {
            object.set(&["spec", CPU], &cpu["resource"]["target"]["averageUtilization"]);
        }
        let others: Vec<Value> = metrics.into_iter().filter(|metric| !is_cpu(metric)).collect();
        if !others.is_empty() {
            object.set(&["metadata", "annotations", OTHERS], crate::base::json::compact(&others.into()));
        }
        object.remove(&["spec", "metrics"]);
        object.remove(&["spec", "behavior"]);
        let current = object["status"]["currentMetrics"].items().iter().find(|m| m["resource"]["name"].str() == "cpu");
        let percent = current.map(|metric| metric["resource"]["current"]["averageUtilization"].clone());
        for key in ["currentMetrics", "conditions"] {
            object.remove(&["status", key]);
        }
        if let Some(percent) = percent {
            object.set(&["status", "currentCPUUtilizationPercentage"], percent);
        }
        return object;
    }
    let mut metrics = Vec::new();
    if let Some(percent) = object.remove(&["spec", CPU]).filter(|percent| !percent.is_null()) {
        let target = map! { "type" => "Utilization", "averageUtilization" => percent };
        metrics.push(map! { "type" => "Resource", "resource" => map! { "name" => "cpu", "target" => target } });
    }
    if let Some(others) = object.remove(&["metadata", "annotations", OTHERS]) {
        metrics.extend(crate::base::json::parse(others.str()).unwrap_or(list![]).items().iter().cloned());
    }
    if !metrics.is_empty() {
        object.set(&["spec", "metrics"], metrics);
    }
    object
}
