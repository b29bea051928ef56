//! What an update may change of a pod, and how the rest is refused.

use super::common::{Errors, same};
use super::{internal, pod};
use crate::api::field_error::Path;
use crate::base::Value;

const ONLY: &str = "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

pub fn update(errors: &mut Errors, new: &Value, old: &Value) {
    let at = Path::new("spec");
    let (now, was) = (&new["spec"], &old["spec"]);
    if same(now, was) {
        return;
    }
    pod::spec(errors, &at, now, false);
    let mut counted = true;
    for list in ["containers", "initContainers"] {
        if now[list].items().len() != was[list].items().len() {
            errors.forbidden(&at.child(list), "pod updates may not add or remove containers");
            counted = false;
        }
    }
    if !counted {
        return;
    }
    deadline(errors, &at, now, was);
    tolerations(errors, &at, now, was);
    gates(errors, &at, now, was);
    let allowed = allowed(now, was);
    if !same(&allowed, was) {
        let shown = |spec: &Value| internal::indented("core.v1", "PodSpec", spec);
        let detail = format!("{ONLY}\n{}", crate::base::diff::unified(&shown(was), &shown(&allowed)));
        errors.forbidden(&at, &detail);
    }
}

/// The subresource `ephemeralcontainers`: containers come, and never go or change.
pub fn ephemeral(errors: &mut Errors, new: &Value, old: &Value) {
    let at = Path::new("spec");
    pod::spec(errors, &at, &new["spec"], false);
    let at = at.child("ephemeralContainers");
    for was in old["spec"]["ephemeralContainers"].items() {
        let name = was["name"].str();
        let shown = crate::base::goquote::quote(name);
        match new["spec"]["ephemeralContainers"].items().iter().find(|now| now["name"].str() == name) {
            None => errors.forbidden(&at, &format!("existing ephemeral containers {shown} may not be removed\n")),
            Some(now) if !same(now, was) => {
                let text = |container: &Value| internal::indented("core.v1", "EphemeralContainer", container);
                let difference = crate::base::diff::unified(&text(was), &text(now));
                errors
                    .forbidden(&at, &format!("existing ephemeral containers {shown} may not be changed\n{difference}"));
            }
            Some(_) => {}
        }
    }
}

/// The subresource `resize`: cpu and memory of the same containers.
pub fn resize(errors: &mut Errors, new: &Value, old: &Value) {
    let at = Path::new("spec");
    let lists = ["containers", "initContainers"];
    if let Some(list) = lists.iter().find(|list| new[**list].items().len() != old[**list].items().len()) {
        return errors.forbidden(&at.child(list), &format!("{list} may not be added or removed on resize"));
    }
    let mut kept = new.clone();
    for list in lists {
        for (index, (now, was)) in new[list].items().iter().zip(old[list].items()).enumerate() {
            let at = at.child(list).index(index);
            if now["name"] != was["name"] {
                errors.forbidden(&at.child("name"), &format!("{list} may not be renamed or reordered on resize"));
            }
            for part in ["requests", "limits"] {
                let (now, was) = (&now["resources"][part], &was["resources"][part]);
                if was.entries().keys().any(|name| !now.has(name)) {
                    let text = format!("resource {part} cannot be removed");
                    errors.forbidden(&at.child("resources").child(part), &text);
                }
                let Some(container) = kept.at_mut(&[list]).list_mut().get_mut(index) else { continue };
                for name in ["cpu", "memory"] {
                    match &was[name] {
                        Value::Null => drop(container.remove(&["resources", part, name])),
                        amount => container.set(&["resources", part, name], amount),
                    }
                }
                if container.at(&["resources", part]).is_empty() {
                    container.remove(&["resources", part]);
                }
            }
        }
    }
    if errors.0.is_empty() && !same(&kept, old) {
        errors.forbidden(&at, "only cpu and memory resources are mutable");
    }
}

/// The new spec with everything that may change as it was.
fn allowed(now: &Value, was: &Value) -> Value {
    let mut spec = now.clone();
    let mut keep = |key: &str| match &was[key] {
        Value::Null => {
            spec.remove(&[key]);
        }
        value => spec.set(&[key], value),
    };
    keep("activeDeadlineSeconds");
    keep("tolerations");
    keep("schedulingGates");
    if was["terminationGracePeriodSeconds"].int() < 0 && now["terminationGracePeriodSeconds"].int() == 1 {
        keep("terminationGracePeriodSeconds");
    }
    if !was["schedulingGates"].is_empty() {
        // A gated pod may be steered more narrowly.
        let narrower = was["nodeSelector"].entries().iter().all(|(key, value)| now["nodeSelector"].get(key) == value);
        if narrower {
            keep("nodeSelector");
        }
        if was["affinity"]["nodeAffinity"].is_null() {
            keep("affinity");
        }
    }
    for list in ["containers", "initContainers"] {
        for index in 0..now[list].items().len() {
            let image = &was[list][index]["image"];
            if let Some(container) = spec.at_mut(&[list]).list_mut().get_mut(index) {
                container.set(&["image"], image);
            }
        }
        if now[list].is_null() {
            spec.remove(&[list]);
        }
    }
    spec
}

fn deadline(errors: &mut Errors, at: &Path, now: &Value, was: &Value) {
    let (at, now, was) =
        (at.child("activeDeadlineSeconds"), &now["activeDeadlineSeconds"], &was["activeDeadlineSeconds"]);
    if was.is_null() {
        return;
    }
    if now.is_null() {
        errors.invalid(&at, Value::Null, "must not update from a positive integer to nil value");
    } else if now.int() > was.int() {
        errors.invalid(&at, now, "must be less than or equal to previous value");
    }
}

fn tolerations(errors: &mut Errors, at: &Path, now: &Value, was: &Value) {
    let kept = was["tolerations"].items().iter().all(|old| {
        now["tolerations"]
            .items()
            .iter()
            .any(|new| ["key", "operator", "value", "effect"].iter().all(|key| new[*key] == old[*key]))
    });
    if !kept {
        errors.forbidden(
            &at.child("tolerations"),
            "existing toleration can not be modified except its tolerationSeconds",
        );
    }
}

fn gates(errors: &mut Errors, at: &Path, now: &Value, was: &Value) {
    for (index, gate) in now["schedulingGates"].items().iter().enumerate() {
        if !was["schedulingGates"].items().contains(gate) {
            let at = at.child("schedulingGates").index(index).child("name");
            let detail = format!("only deletion is allowed, but found new scheduling gate '{}'", gate["name"].str());
            errors.forbidden(&at, &detail);
        }
    }
}
