//! Where a DaemonSet's pods belong, and what such a pod looks like.

use super::super::pods;
use super::{FAMILY, HASH};
use crate::api::{object, placement};
use crate::base::Value;
use crate::{list, map};

/// Taints of nodes in trouble that every daemon lives with.
const TOLERATED: [(&str, &str); 6] = [
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
];
const NO_NETWORK: (&str, &str) = ("node.kubernetes.io/network-unavailable", "NoSchedule");
const REQUIRED: [&str; 3] = ["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];

/// What a set wants of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// A pod should be there.
    pub runs: bool,
    /// A pod that is there may stay.
    pub stays: bool,
}

/// The template's spec with the tolerations of every daemon.
pub fn tolerant(spec: &Value) -> Value {
    let mut all = spec["tolerations"].items().to_vec();
    let on_host = spec["hostNetwork"].is_true().then_some(NO_NETWORK);
    for (key, effect) in TOLERATED.into_iter().chain(on_host) {
        let one = map! { "key" => key, "operator" => "Exists", "effect" => effect };
        let same = |known: &&mut Value| {
            let value = |field: &str| (known.get(field).smol(), one.get(field).smol());
            ["key", "effect", "operator", "value"].iter().map(|field| value(field)).all(|(a, b)| a == b)
        };
        match all.iter_mut().find(same) {
            Some(known) => *known = one,
            None => all.push(one),
        }
    }
    let mut spec = spec.clone();
    spec.set(&["tolerations"], all);
    spec
}

/// Whether a pod with this (tolerant) spec belongs on a node.
pub fn fit(spec: &Value, node: &Value) -> Fit {
    let name = object::name(node);
    let wanted = spec["nodeName"].str();
    if (!wanted.is_empty() && wanted != name) || !placement::fits(spec, name, node["metadata"].get("labels")) {
        return Fit { runs: false, stays: false };
    }
    let tolerations = spec["tolerations"].items();
    let open = |effect: &str| {
        node["spec"]["taints"].items().iter().any(|taint| {
            taint["effect"].str() == effect && !tolerations.iter().any(|one| placement::tolerates(one, taint))
        })
    };
    let evicted = open("NoExecute");
    Fit { runs: !evicted && !open("NoSchedule"), stays: !evicted }
}

/// The pod for a node.
pub fn pod(set: &Value, spec: &Value, hash: &str, node: &str) -> Value {
    let mut template = set["spec"]["template"].clone();
    template.set(&["spec"], spec);
    let fields = map! { "key" => "metadata.name", "operator" => "In", "values" => list![node] };
    // Whatever the template requires has been tried on the node already.
    let terms = vec![map! { "matchFields" => vec![fields] }];
    let [a, b, c] = REQUIRED;
    template.set(&["spec", a, b, c], map! { "nodeSelectorTerms" => terms });
    template.set(&["metadata", "labels", HASH], hash);
    let generation = object::annotation(set, "deprecated.daemonset.template.generation");
    if !generation.is_empty() {
        template.set(&["metadata", "labels", "pod-template-generation"], generation);
    }
    pods::from_template(&template, set, "apps/v1", FAMILY.kind)
}

/// The node a pod is on or is meant for; "" when it says neither.
pub fn node_of(pod: &Value) -> &str {
    let bound = pod["spec"]["nodeName"].str();
    if !bound.is_empty() {
        return bound;
    }
    let terms = pod["spec"].at(&REQUIRED)["nodeSelectorTerms"].items();
    let fields = terms.iter().flat_map(|term| term["matchFields"].items());
    let mut names = fields
        .filter(|field| field["key"].str() == "metadata.name" && field["operator"].str() == "In")
        .filter_map(|field| field["values"].items().first());
    names.next().map_or("", Value::str)
}
