//! Object metadata (apimachinery's `api/validation`).

use super::common::Errors;
use super::names::{self, Complaints};
use crate::api::field_error::Path;
use crate::base::goquote::quote;
use crate::base::{Map, Value, json};

const ANNOTATIONS: usize = 256 * 1024;

/// Metadata of a new object.
pub fn create(errors: &mut Errors, meta: &Value, name_rule: fn(&str) -> Complaints) {
    let at = Path::new("metadata");
    let name = meta["name"].str();
    let base = meta["generateName"].str();
    if !base.is_empty() {
        // A trailing dash is what generated names continue.
        let stem = base.strip_suffix('-').map_or(base.to_owned(), |stem| format!("{stem}a"));
        for complaint in name_rule(&stem) {
            errors.invalid(&at.child("generateName"), base, &complaint);
        }
    }
    if name.is_empty() {
        errors.required(&at.child("name"), "name or generateName is required");
    } else {
        errors.complain(&at.child("name"), name, name_rule(name));
    }
    common(errors, meta);
}

/// Metadata of an object after an update.
pub fn update(errors: &mut Errors, new: &Value, old: &Value) {
    let at = Path::new("metadata");
    if !old["deletionTimestamp"].is_null() {
        no_new_finalizers(errors, &at.child("finalizers"), &new["finalizers"], &old["finalizers"]);
    }
    for key in ["name", "namespace", "uid", "creationTimestamp"] {
        errors.immutable(&at.child(key), &new[key], &old[key]);
    }
    for key in ["deletionTimestamp", "deletionGracePeriodSeconds"] {
        if !new[key].is_null() {
            errors.immutable(&at.child(key), &new[key], &old[key]);
        }
    }
    common(errors, new);
}

/// What is being deleted is held back by nothing new.
fn no_new_finalizers(errors: &mut Errors, at: &Path, new: &Value, old: &Value) {
    let is_new = |name: &&Value| !old.items().contains(name);
    let mut extra: Vec<&str> = new.items().iter().filter(is_new).map(Value::str).collect();
    if extra.is_empty() {
        return;
    }
    extra.sort_unstable();
    extra.dedup();
    let names: Vec<String> = extra.into_iter().map(quote).collect();
    let text = "no new finalizers can be added if the object is being deleted, found new finalizers";
    errors.forbidden(at, &format!("{text} []string{{{}}}", names.join(", ")));
}

fn common(errors: &mut Errors, meta: &Value) {
    let at = Path::new("metadata");
    errors.labels(&at.child("labels"), &meta["labels"]);
    annotations(errors, &at.child("annotations"), &meta["annotations"]);
    owners(errors, &at.child("ownerReferences"), &meta["ownerReferences"]);
    for (index, finalizer) in meta["finalizers"].items().iter().enumerate() {
        finalizer_name(errors, &at.child("finalizers").index(index), finalizer.str());
    }
}

/// Labels and annotations of a pod template: told without `metadata`.
pub fn template(errors: &mut Errors, at: &Path, meta: &Value) {
    errors.labels(&at.child("labels"), &meta["labels"]);
    annotations(errors, &at.child("annotations"), &meta["annotations"]);
}

pub fn annotations(errors: &mut Errors, at: &Path, annotations: &Value) {
    let mut size = 0_usize;
    for (key, value) in annotations.entries().iter() {
        errors.complain(at, key, names::qualified(&key.to_lowercase()));
        size = size.saturating_add(key.len()).saturating_add(value.str().len());
    }
    if size > ANNOTATIONS {
        errors.push(crate::api::field_error::FieldError::too_long(at, ANNOTATIONS));
    }
}

pub fn finalizer_name(errors: &mut Errors, at: &Path, name: &str) {
    let complaints = names::qualified(name);
    let fine = complaints.is_empty();
    errors.complain(at, name, complaints);
    if fine && !name.contains('/') && !matches!(name, "foregroundDeletion" | "orphan" | "kubernetes") {
        errors.invalid(at, name, "name is neither a standard finalizer name nor is it fully qualified");
    }
}

fn owners(errors: &mut Errors, at: &Path, owners: &Value) {
    let mut controller: Option<&Value> = None;
    for (index, owner) in owners.items().iter().enumerate() {
        let here = at.index(index);
        let api_version = owner["apiVersion"].str();
        let (group, version) = crate::api::schema::group_version(api_version);
        if version.is_empty() {
            errors.invalid(&here.child("apiVersion"), api_version, "version must not be empty");
        }
        for key in ["kind", "name", "uid"] {
            if owner[key].is_empty() {
                errors.required(&here.child(key), "must not be empty");
            }
        }
        if owner["kind"].str() == "Event" && matches!(group, "" | "events.k8s.io") {
            let detail = format!("{group}/{version}, Kind=Event is disallowed from being an owner");
            errors.push(crate::api::field_error::FieldError::shown(&here, &owner_text(owner), &detail));
        }
        if owner["controller"].is_true() {
            if let Some(first) = controller {
                let label = |owner: &Value| format!("{}/{}", owner["kind"].str(), owner["name"].str());
                let all: Vec<String> = owners.items().iter().map(owner_text).collect();
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {} and {}",
                    label(first),
                    label(owner)
                );
                let shown = format!("[{}]", all.join(","));
                errors.push(crate::api::field_error::FieldError::shown(at, &shown, &detail));
            } else {
                controller = Some(owner);
            }
        }
    }
}

/// An owner in the order of its Go fields.
fn owner_text(owner: &Value) -> String {
    let mut parts = Vec::new();
    for key in ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"] {
        let value = &owner[key];
        if !value.is_null() {
            let one: Map = [(key.into(), value.clone())].into_iter().collect();
            let text = json::compact(&one.into());
            parts.push(text.trim_start_matches('{').trim_end_matches('}').to_owned());
        }
    }
    format!("{{{}}}", parts.join(","))
}
