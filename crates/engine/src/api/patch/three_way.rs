//! The patches kubectl makes: three-way for apply, two-way for edit and set.

use super::diff::{Parts, diff_maps};
use super::lists::{Items, items_of};
use super::strategic::{PATCH, RETAIN_KEYS, Side, list_place, merge_map, struct_place};
use super::{PatchError, PatchReason, merge};
use crate::api::schema::{Place, TypeId};
use crate::base::{Map, Value, yaml_emit};

/// Apply's patch: what differs between `current` and `modified`, and the deletion of what `original` (the last applied
/// configuration, null when there is none) had and `modified` has not. Without `overwrite`, fields that somebody
/// else changed since are a `Conflict`.
pub fn three_way(
    ty: Option<TypeId>,
    original: &Value,
    modified: &Value,
    current: &Value,
    overwrite: bool,
) -> Result<Value, PatchError> {
    let Some(ty) = ty else {
        return merge::three_way(original, modified, current).map_err(|(ours, theirs)| conflict(&ours, &theirs));
    };
    let place = Place::root(ty);
    let diff = |from: &Value, to: &Value, parts| diff_maps(from.entries(), to.entries(), place, parts).map(Value::from);
    let mut changes = diff(current, modified, Parts { order: true, without_deletions: true, ..Parts::default() })?;
    let mut patch = diff(original, modified, Parts { order: true, without_changes: true, ..Parts::default() })?;
    merge_map(&mut patch, &mut changes, place, Side::Client)?;
    if !overwrite {
        let theirs = diff(original, current, Parts::default())?;
        if maps_conflict(patch.entries(), theirs.entries(), place)? {
            return Err(conflict(&patch, &theirs));
        }
    }
    Ok(patch)
}

/// The patch from one object to another; a JSON merge patch for custom resources.
pub fn two_way(ty: Option<TypeId>, original: &Value, modified: &Value) -> Result<Value, PatchError> {
    let Some(ty) = ty else { return Ok(merge::merge_diff(original, modified)) };
    let parts = Parts { order: true, ..Parts::default() };
    diff_maps(original.entries(), modified.entries(), Place::root(ty), parts).map(Value::from)
}

fn conflict(ours: &Value, theirs: &Value) -> PatchError {
    let text = yaml_emit::emit;
    let message =
        format!("patch:\n{}\nconflicts with changes made from original to current:\n{}\n", text(ours), text(theirs));
    PatchError::new(PatchReason::Conflict, message)
}

/// Whether two patches change a key differently.
fn maps_conflict(left: &Map, right: &Map, place: Place) -> Result<bool, PatchError> {
    for (key, ours) in left.iter().filter(|(key, _)| *key != PATCH && *key != RETAIN_KEYS) {
        let Some(theirs) = right.get(key) else { continue };
        let differs = match (ours, theirs) {
            (Value::Map(ours), theirs) => {
                let (inner, field) = struct_place(place, key)?;
                let Value::Map(theirs) = theirs else { return Ok(true) };
                let replace = field.is_some_and(|field| field.replace);
                map_values_conflict(ours, theirs, inner, replace)?
            }
            (Value::List(ours), theirs) => {
                let (item, field) = list_place(place, key)?;
                let Value::List(theirs) = theirs else { return Ok(true) };
                let merged = field.is_some_and(|field| field.merge);
                lists_conflict(ours, theirs, item, merged.then(|| field.map_or("", |field| field.merge_key)))?
            }
            (ours, theirs) => ours != theirs,
        };
        if differs {
            return Ok(true);
        }
    }
    Ok(false)
}

fn map_values_conflict(left: &Map, right: &Map, place: Place, replace: bool) -> Result<bool, PatchError> {
    match (left.get(PATCH), right.get(PATCH)) {
        (None, None) => {}
        (Some(a), Some(b)) if a == b => {}
        _ => return Ok(true),
    }
    if replace { Ok(false) } else { maps_conflict(left, right, place) }
}

/// `merged` carries the merge key of a merged list.
fn lists_conflict(left: &[Value], right: &[Value], item: Place, merged: Option<&str>) -> Result<bool, PatchError> {
    let items = items_of(&[left, right])?;
    if let Some(key) = merged {
        if items == Items::Scalars {
            return Ok(false);
        }
        for ours in left {
            // The last one with a key counts.
            let theirs = right.iter().rev().find(|theirs| theirs.get(key) == ours.get(key));
            if let Some(theirs) = theirs
                && map_values_conflict(ours.entries(), theirs.entries(), item, false)?
            {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    if left.len() != right.len() {
        return Ok(true);
    }
    for (ours, theirs) in left.iter().zip(right) {
        let differs = match (ours, theirs) {
            (Value::Map(ours), Value::Map(theirs)) => map_values_conflict(ours, theirs, item, false)?,
            (ours, theirs) => ours != theirs,
        };
        if differs {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::patch::strategic;
    use crate::api::schema::type_of;
    use crate::base::json;

    fn parse(text: &str) -> Value {
        json::parse(text).unwrap()
    }

    #[test]
    fn apply_sends_what_kubectl_was_recorded_to_send() {
        let deployment = type_of("apps", "v1", "Deployment").map(|ty| ty.id);
        let old = parse(
            r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"w","namespace":"default"},"spec":{"replicas":5,"selector":{"matchLabels":{"app":"w"}},"template":{"metadata":{"labels":{"app":"w"}},"spec":{"containers":[{"args":["nginx","-g","daemon off;"],"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],"image":"nginx:1","name":"c"}],"terminationGracePeriodSeconds":1}}}}"#,
        );
        let mut new = old.clone();
        new.remove(&["spec", "replicas"]);
        new.set(
            &["spec", "template", "spec", "containers"],
            parse(r#"[{"env":[{"name":"A","value":"1"}],"image":"nginx:1","name":"c"}]"#),
        );
        let mut live = old.clone();
        live.set(&["spec", "replicas"], 8);
        live.set(&["spec", "template", "spec", "restartPolicy"], "Always");
        let patch = three_way(deployment, &old, &new, &live, true).unwrap();
        assert_eq!(
            json::compact(&patch),
            r#"{"spec":{"replicas":null,"template":{"spec":{"$setElementOrder/containers":[{"name":"c"}],"containers":[{"$setElementOrder/env":[{"name":"A"}],"args":null,"env":[{"$patch":"delete","name":"B"}],"name":"c"}]}}}}"#
        );
        let after = strategic(deployment.unwrap(), &live, &patch).unwrap();
        assert_eq!(
            json::compact(&after["spec"]["template"]["spec"]["containers"][0]["env"]),
            r#"[{"name":"A","value":"1"}]"#
        );
        assert_eq!(after["spec"]["template"]["spec"]["restartPolicy"].str(), "Always");
        assert_eq!(three_way(deployment, &new, &new, &after, true), Ok(Value::empty_map()));
        let error = three_way(deployment, &old, &new, &live, false).unwrap_err();
        assert_eq!(error.reason, PatchReason::Conflict);
    }
}
