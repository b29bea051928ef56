//! What makes a StatefulSet's pods unlike each other: number, name, host name, claims.

use super::super::pods;
use super::FAMILY;
use crate::api::object;
use crate::base::Value;
use crate::map;

pub const REVISION: &str = "controller-revision-hash";

/// The number in a pod's name; `None` when it is no name of this set's.
pub fn ordinal(set: &Value, pod: &Value) -> Option<i64> {
    let number = object::name(pod).strip_prefix(object::name(set))?.strip_prefix('-')?;
    number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.parse().ok()).flatten()
}

/// The first number.
pub fn start(set: &Value) -> i64 {
    set.at(&["spec", "ordinals", "start"]).int()
}

/// The pod of a number, from the template of a revision.
pub fn pod(set: &Value, template: &Value, revision: &str, ordinal: i64) -> Value {
    let mut pod = pods::from_template(template, set, "apps/v1", FAMILY.kind);
    let name = format!("{}-{ordinal}", object::name(set));
    pod.set(&["metadata", "name"], &name);
    pod.set(&["metadata", "labels", REVISION], revision);
    pod.set(&["metadata", "labels", "apps.kubernetes.io/pod-index"], ordinal.to_string());
    pod.set(&["metadata", "labels", "statefulset.kubernetes.io/pod-name"], &name);
    pod.set(&["spec", "hostname"], &name);
    let service = set["spec"]["serviceName"].str();
    if !service.is_empty() {
        pod.set(&["spec", "subdomain"], service);
    }
    let templates = set["spec"]["volumeClaimTemplates"].items();
    if !templates.is_empty() {
        let is_claimed = |volume: &&Value| templates.iter().any(|one| object::name(one) == volume["name"].str());
        let claimed = templates.iter().map(|one| {
            let claim = claim_name(set, one, ordinal);
            map! { "name" => object::name(one), "persistentVolumeClaim" => map! { "claimName" => claim } }
        });
        let others = template["spec"]["volumes"].items().iter().filter(|volume| !is_claimed(volume)).cloned();
        let volumes: Vec<Value> = claimed.chain(others).collect();
        pod.set(&["spec", "volumes"], volumes);
    }
    pod
}

pub fn claim_name(set: &Value, template: &Value, ordinal: i64) -> String {
    format!("{}-{}-{ordinal}", object::name(template), object::name(set))
}

/// The claims of a number's pod.
pub fn claims(set: &Value, ordinal: i64) -> Vec<Value> {
    let selector = set.at(&["spec", "selector", "matchLabels"]);
    let retained = set.at(&["spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"]).str() != "Delete";
    let one = |template: &Value| {
        let mut claim = template.clone();
        claim.set(&["apiVersion"], "v1");
        claim.set(&["kind"], "PersistentVolumeClaim");
        claim.remove(&["status"]);
        claim.set(&["metadata", "name"], claim_name(set, template, ordinal));
        claim.set(&["metadata", "namespace"], object::namespace(set));
        for (key, value) in selector.entries().iter() {
            claim.set(&["metadata", "labels", key], value);
        }
        if !retained {
            claim.set(&["metadata", "ownerReferences"], vec![object::owned_by(set, "apps/v1", FAMILY.kind)]);
        }
        claim
    };
    set["spec"]["volumeClaimTemplates"].items().iter().map(one).collect()
}
