//! What a Deployment reads from its ReplicaSets and writes into their annotations.

use crate::api::object;
use crate::base::Value;

pub const REVISION: &str = "deployment.kubernetes.io/revision";
pub const REVISION_HISTORY: &str = "deployment.kubernetes.io/revision-history";
pub const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
pub const MAX: &str = "deployment.kubernetes.io/max-replicas";
pub const ROLLBACK_TO: &str = "deprecated.deployment.rollback.to";
pub const HASH: &str = "pod-template-hash";
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
/// Characters of the list of former revisions.
const HISTORY_LIMIT: usize = 2000;

pub fn replicas(object: &Value) -> i64 {
    object["spec"]["replicas"].int()
}

pub fn total(sets: &[&Value]) -> i64 {
    sets.iter().map(|set| replicas(set)).fold(0, i64::saturating_add)
}

/// A count of the status, summed.
pub fn sum(sets: &[&Value], count: &str) -> i64 {
    sets.iter().map(|set| set["status"].get(count).int()).fold(0, i64::saturating_add)
}

pub fn revision(set: &Value) -> i64 {
    object::annotation(set, REVISION).parse().unwrap_or(0)
}

/// The number in an annotation; `None` when missing or no number.
pub fn number(set: &Value, annotation: &str) -> Option<i64> {
    object::annotation(set, annotation).parse().ok()
}

/// By age, then by name.
pub fn sort_by_age(sets: &mut [Value]) {
    sets.sort_by(|a, b| object::created(a).cmp(&object::created(b)).then_with(|| object::name(a).cmp(object::name(b))));
}

/// Whether two templates are equal apart from the hash label.
pub fn same_template(a: &Value, b: &Value) -> bool {
    plain(a) == plain(b)
}

fn plain(template: &Value) -> Value {
    let mut template = template.clone();
    template.remove(&["metadata", "labels", HASH]);
    for key in ["labels", "annotations"] {
        if template["metadata"].get(key).is_empty() {
            template.remove(&["metadata", key]);
        }
    }
    template
}

/// Writes desired and maximal replicas; says whether that changed anything.
pub fn set_replicas(set: &mut Value, desired: i64, max: i64) -> bool {
    let mut changed = false;
    for (key, value) in [(DESIRED, desired.to_string()), (MAX, max.to_string())] {
        if object::annotation(set, key) != value {
            set.set(&["metadata", "annotations", key], value);
            changed = true;
        }
    }
    changed
}

/// Copies the Deployment's annotations and moves the revision; says whether that changed anything.
pub fn set_annotations(deployment: &Value, set: &mut Value, revision: i64) -> bool {
    let mut changed = false;
    for (key, value) in deployment["metadata"]["annotations"].entries().iter() {
        let own = [LAST_APPLIED, REVISION, REVISION_HISTORY, DESIRED, MAX, ROLLBACK_TO];
        if !own.contains(&key.as_str()) && set["metadata"]["annotations"].get(key) != value {
            set.set(&["metadata", "annotations", key], value);
            changed = true;
        }
    }
    let old = object::annotation(set, REVISION).to_owned();
    if old.parse().unwrap_or(0) >= revision {
        return changed;
    }
    set.set(&["metadata", "annotations", REVISION], revision.to_string());
    if !old.is_empty() {
        let history = object::annotation(set, REVISION_HISTORY);
        let mut numbers: Vec<&str> = history.split(',').filter(|number| !number.is_empty()).collect();
        numbers.push(&old);
        while numbers.len() > 1 && numbers.iter().map(|n| n.len() + 1).sum::<usize>() > HISTORY_LIMIT + 1 {
            numbers.remove(0);
        }
        let history = numbers.join(",");
        set.set(&["metadata", "annotations", REVISION_HISTORY], history);
    }
    true
}
