//! Typed views on objects: what every client reads from and writes into the untyped tree.

use crate::base::SmolStr;

use crate::base::{Time, Value};
use crate::map;
use crate::trace::ObjectRef;

pub fn name(object: &Value) -> &str {
    object.at(&["metadata", "name"]).str()
}

pub fn namespace(object: &Value) -> &str {
    object.at(&["metadata", "namespace"]).str()
}

pub fn uid(object: &Value) -> &str {
    object.at(&["metadata", "uid"]).str()
}

pub fn label<'a>(object: &'a Value, key: &str) -> &'a str {
    object.at(&["metadata", "labels"]).get(key).str()
}

pub fn annotation<'a>(object: &'a Value, key: &str) -> &'a str {
    object.at(&["metadata", "annotations"]).get(key).str()
}

pub fn is_deleting(object: &Value) -> bool {
    object.at(&["metadata"]).has("deletionTimestamp")
}

pub fn resource_version(object: &Value) -> u64 {
    object.at(&["metadata", "resourceVersion"]).str().parse().unwrap_or(0)
}

pub fn time(value: &Value) -> Option<Time> {
    Time::parse(value.as_str()?)
}

pub fn created(object: &Value) -> Time {
    time(object.at(&["metadata", "creationTimestamp"])).unwrap_or_default()
}

pub fn reference(resource: &str, object: &Value) -> ObjectRef {
    let meta = object.get("metadata");
    ObjectRef {
        resource: resource.into(),
        namespace: meta["namespace"].smol(),
        name: meta["name"].smol(),
        uid: meta["uid"].smol(),
    }
}

/// The owner reference with `controller: true`.
pub fn controller_of(object: &Value) -> Option<&Value> {
    object.at(&["metadata", "ownerReferences"]).items().iter().find(|owner| owner["controller"].is_true())
}

/// A reference that makes `owner` the controller of what carries it.
pub fn owned_by(owner: &Value, api_version: &str, kind: &str) -> Value {
    map! {
        "apiVersion" => api_version, "kind" => kind, "name" => owner.at(&["metadata", "name"]),
        "uid" => owner.at(&["metadata", "uid"]), "controller" => true, "blockOwnerDeletion" => true,
    }
}

/// A condition of `status.conditions` by type.
pub fn condition<'a>(object: &'a Value, kind: &str) -> Option<&'a Value> {
    object.at(&["status", "conditions"]).items().iter().find(|condition| condition["type"].str() == kind)
}

pub fn condition_is(object: &Value, kind: &str, status: &str) -> bool {
    condition(object, kind).is_some_and(|condition| condition["status"].str() == status)
}

/// A strategic patch of the status that puts a condition behind those an object has (as client-go makes it of the
/// status before and after).
pub fn condition_patch(object: &Value, condition: Value) -> Value {
    let others = object.at(&["status", "conditions"]).items().iter().filter(|one| one["type"] != condition["type"]);
    let order: Vec<Value> = others.chain([&condition]).map(|one| crate::map! { "type" => &one["type"] }).collect();
    crate::map! { "$setElementOrder/conditions" => order, "conditions" => vec![condition] }
}

/// Whether labels satisfy a LabelSelector (`matchLabels`, `matchExpressions`); an empty one matches everything, a
/// missing one nothing.
pub fn matches(selector: &Value, labels: &Value) -> bool {
    if selector.is_null() {
        return false;
    }
    let equal = selector["matchLabels"].entries().iter().all(|(key, want)| labels.get(key) == want);
    equal
        && selector["matchExpressions"].items().iter().all(|term| {
            let have = labels.get(term["key"].str()).as_str();
            let listed = have.is_some_and(|have| term["values"].items().iter().any(|v| v.str() == have));
            match term["operator"].str() {
                "In" => listed,
                "NotIn" => !listed,
                "Exists" => have.is_some(),
                "DoesNotExist" => have.is_none(),
                _ => false,
            }
        })
}

/// Whether labels contain every pair of a plain selector (Service, ReplicationController, nodeSelector).
pub fn contains(selector: &Value, labels: &Value) -> bool {
    selector.entries().iter().all(|(key, want)| labels.get(key) == want)
}

pub fn text(value: &Value) -> SmolStr {
    value.smol()
}

/// Whether a pod has come to its end.
pub fn is_finished(pod: &Value) -> bool {
    matches!(pod["status"]["phase"].str(), "Succeeded" | "Failed")
}
