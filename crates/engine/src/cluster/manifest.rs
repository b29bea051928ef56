//! Objects the API server itself brings along.

use crate::api::{Config, schema};
use crate::base::{Time, Value};
use crate::{list, map};

pub fn namespace(name: &str) -> Value {
    map! { "apiVersion" => "v1", "kind" => "Namespace", "metadata" => map! { "name" => name } }
}

/// What the API server says of a FlowSchema whose priority level is there.
pub fn flow_status(schema: &Value, now: Time) -> Value {
    let level = schema["spec"]["priorityLevelConfiguration"]["name"].str();
    let message =
        format!("This FlowSchema references the PriorityLevelConfiguration object named \"{level}\" and it exists");
    let condition = map! { "type" => "Dangling", "status" => "False", "reason" => "Found", "message" => message,
    "lastTransitionTime" => now.rfc3339() };
    map! { "apiVersion" => &schema["apiVersion"], "kind" => "FlowSchema",
    "metadata" => map! { "name" => &schema["metadata"]["name"] }, "status" => map! { "conditions" => vec![condition] } }
}

/// How groups are ranked; the rest has 15800.
const PRIORITIES: [(&str, i64); 20] = [
    ("", 18_000),
    ("admissionregistration.k8s.io", 16_700),
    ("apiextensions.k8s.io", 16_700),
    ("apps", 17_800),
    ("authentication.k8s.io", 17_700),
    ("authorization.k8s.io", 17_600),
    ("autoscaling", 17_500),
    ("batch", 17_400),
    ("certificates.k8s.io", 17_300),
    ("coordination.k8s.io", 16_500),
    ("discovery.k8s.io", 16_200),
    ("events.k8s.io", 17_750),
    ("flowcontrol.apiserver.k8s.io", 16_100),
    ("networking.k8s.io", 17_200),
    ("node.k8s.io", 16_300),
    ("policy", 17_100),
    ("rbac.authorization.k8s.io", 17_000),
    ("resource.k8s.io", 16_200),
    ("scheduling.k8s.io", 16_600),
    ("storage.k8s.io", 16_800),
];

/// The APIServices of what the API server serves itself, but for its aggregator's own group.
pub fn api_services() -> impl Iterator<Item = Value> {
    let mut seen: Vec<(&str, &str)> = schema::kinds().iter().map(|kind| (kind.group, kind.version)).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.into_iter().filter(|(group, _)| *group != "apiregistration.k8s.io").map(|(group, version)| {
        let known = PRIORITIES.iter().find(|(name, _)| *name == group);
        let within = match (group, version) {
            ("", _) => 1,
            ("autoscaling", "v2") => 30,
            ("flowcontrol.apiserver.k8s.io" | "resource.k8s.io", _) => 21,
            _ => 15,
        };
        map! { "apiVersion" => "apiregistration.k8s.io/v1", "kind" => "APIService",
        "metadata" => map! { "name" => format!("{version}.{group}"),
            "labels" => map! { "kube-aggregator.kubernetes.io/automanaged" => "onstart" } },
        "spec" => map! { "group" => group, "version" => version, "versionPriority" => within,
            "groupPriorityMinimum" => known.map_or(15_800, |(_, priority)| *priority) } }
    })
}

/// The Service `kubernetes` with its endpoints (kube-apiserver's own controller).
pub fn apiserver(config: &Config) -> Vec<Value> {
    let (address, port) = config.address.rsplit_once(':').unwrap_or((config.address.as_str(), "6443"));
    let port: i64 = port.parse().unwrap_or(6443);
    let first =
        config.service_cidr.split('/').next().and_then(|net| net.rsplit_once('.')).map(|(net, _)| format!("{net}.1"));
    let https = map! { "name" => "https", "port" => port, "protocol" => "TCP" };
    let mut service = map! {
        "apiVersion" => "v1", "kind" => "Service",
        "metadata" => map! {
            "name" => "kubernetes", "namespace" => "default",
            "labels" => map! { "component" => "apiserver", "provider" => "kubernetes" },
        },
        "spec" => map! {
            "type" => "ClusterIP", "sessionAffinity" => "None",
            "ports" => list![map! { "name" => "https", "port" => 443, "protocol" => "TCP", "targetPort" => port }],
        },
    };
    if let Some(first) = first {
        service.set(&["spec", "clusterIP"], first.clone());
        service.set(&["spec", "clusterIPs"], list![first]);
    }
    let endpoints = map! {
        "apiVersion" => "v1", "kind" => "Endpoints",
        "metadata" => map! {
            "name" => "kubernetes", "namespace" => "default",
            "labels" => map! { "endpointslice.kubernetes.io/skip-mirror" => "true" },
        },
        "subsets" => list![map! { "addresses" => list![map! { "ip" => address }], "ports" => list![https.clone()] }],
    };
    let slice = map! {
        "apiVersion" => "discovery.k8s.io/v1", "kind" => "EndpointSlice", "addressType" => "IPv4",
        "metadata" => map! {
            "name" => "kubernetes", "namespace" => "default",
            "labels" => map! { "kubernetes.io/service-name" => "kubernetes" },
        },
        "endpoints" => list![map! { "addresses" => list![address], "conditions" => map! { "ready" => true } }],
        "ports" => list![https],
    };
    vec![service, endpoints, slice]
}
