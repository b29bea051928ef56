//! Which volume suits a claim: asked by the volume controller, and by the scheduler for claims that wait for a pod.

use std::cmp::Ordering;

use super::{object, placement};
use crate::base::Value;
use crate::base::quantity::Quantity;

pub const SELECTED_NODE: &str = "volume.kubernetes.io/selected-node";
pub const BOUND_BY_CONTROLLER: &str = "pv.kubernetes.io/bound-by-controller";
const BETA_CLASS: &str = "volume.beta.kubernetes.io/storage-class";

/// The class of a claim or volume.
pub fn class(object: &Value) -> &str {
    match object::annotation(object, BETA_CLASS) {
        "" => object["spec"]["storageClassName"].str(),
        class => class,
    }
}

/// Whether a class waits for a pod before it binds.
pub fn waits(class: &Value) -> bool {
    class["volumeBindingMode"].str() == "WaitForFirstConsumer"
}

/// Whether a volume names this claim (and, if it says so, this very one).
pub fn belongs_to(volume: &Value, claim: &Value) -> bool {
    let reference = &volume["spec"]["claimRef"];
    reference["name"].str() == object::name(claim)
        && reference["namespace"].str() == object::namespace(claim)
        && (reference["uid"].is_empty() || reference["uid"].str() == object::uid(claim))
}

fn size(of: &Value) -> Quantity {
    Quantity::of(of)
}

/// Whether a node may use a volume.
pub fn reaches(volume: &Value, name: &str, labels: &Value) -> bool {
    let required = volume.at(&["spec", "nodeAffinity", "required"]);
    required.is_null()
        || required["nodeSelectorTerms"].items().iter().any(|term| placement::holds_term(term, name, labels))
}

/// Whether a volume has all the access modes a claim asks for.
pub fn grants(volume: &Value, claim: &Value) -> bool {
    let have = volume["spec"]["accessModes"].items();
    claim["spec"]["accessModes"].items().iter().all(|mode| have.contains(mode))
}

/// Whether a volume is as large as a claim asks.
pub fn is_large_enough(volume: &Value, claim: &Value) -> bool {
    let wanted = size(claim.at(&["spec", "resources", "requests", "storage"]));
    size(volume.at(&["spec", "capacity", "storage"])).cmp(&wanted) != Ordering::Less
}

pub fn same_mode(volume: &Value, claim: &Value) -> bool {
    let mode = |of: &Value| of["spec"]["volumeMode"].as_str().unwrap_or("Filesystem").to_owned();
    mode(volume) == mode(claim)
}

/// The volume that is promised to a claim, or else the smallest free one that fits. `node` is the one the scheduler
/// considers; without it a claim that waits for a pod is given only what is promised to it.
pub fn find<'a>(
    claim: &Value,
    volumes: impl Iterator<Item = &'a Value>,
    node: Option<(&str, &Value)>,
    waits: bool,
    taken: &[&str],
) -> Option<&'a Value> {
    let mut best: Option<&Value> = None;
    let fewest = |volume: &Value| volume["spec"]["accessModes"].items().len();
    for volume in volumes {
        let spec = &volume["spec"];
        let promised = belongs_to(volume, claim);
        if taken.contains(&object::name(volume))
            || (!spec["claimRef"].is_null() && !promised)
            || !is_large_enough(volume, claim)
            || !same_mode(volume, claim)
            || object::is_deleting(volume)
        {
            continue;
        }
        let in_reach = node.is_none_or(|(name, labels)| reaches(volume, name, labels));
        if promised {
            return in_reach.then_some(volume);
        }
        let selector = &claim["spec"]["selector"];
        if (node.is_none() && waits)
            || volume["status"]["phase"].str() != "Available"
            || (!selector.is_null() && !object::matches(selector, volume["metadata"].get("labels")))
            || class(volume) != class(claim)
            || !in_reach
            || !grants(volume, claim)
        {
            continue;
        }
        let capacity = |of: &Value| size(of.at(&["spec", "capacity", "storage"]));
        // The controller looks at volumes with few access modes first, the scheduler at all together.
        let better = best.is_none_or(|best| match node.is_none() && fewest(volume) != fewest(best) {
            true => fewest(volume) < fewest(best),
            false => capacity(volume).cmp(&capacity(best)) == Ordering::Less,
        });
        if better {
            best = Some(volume);
        }
    }
    best
}

/// A volume promised to a claim.
pub fn promise(volume: &Value, claim: &Value) -> Value {
    let mut volume = volume.clone();
    if volume["spec"]["claimRef"].is_null() {
        volume.set(&["metadata", "annotations", BOUND_BY_CONTROLLER], "yes");
    }
    let meta = &claim["metadata"];
    volume.set(&["spec", "claimRef"], reference(meta));
    volume
}

/// The reference to a claim, from its metadata.
pub fn reference(meta: &Value) -> Value {
    crate::map! {
        "apiVersion" => "v1", "kind" => "PersistentVolumeClaim", "name" => meta.get("name"),
        "namespace" => meta.get("namespace"), "resourceVersion" => meta.get("resourceVersion"), "uid" => meta.get("uid"),
    }
}
