//! Roles and bindings.

use super::common::{Errors, same};
use super::internal;
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;

const GROUP: &str = "rbac.authorization.k8s.io";

pub fn role(errors: &mut Errors, object: &Value, namespaced: bool) {
    for (index, rule) in object["rules"].items().iter().enumerate() {
        let at = Path::new("rules").index(index);
        let urls = &rule["nonResourceURLs"];
        if rule["verbs"].is_empty() {
            errors.required(&at.child("verbs"), "");
        }
        if !urls.is_empty() {
            if namespaced {
                let detail = "namespaced rules cannot apply to non-resource URLs";
                errors.invalid(&at.child("nonResourceURLs"), urls, detail);
            }
            if ["apiGroups", "resources", "resourceNames"].iter().any(|key| !rule[*key].is_empty()) {
                let detail = "rules cannot apply to both regular resources and non-resource URLs";
                errors.invalid(&at.child("nonResourceURLs"), urls, detail);
            }
            continue;
        }
        if rule["apiGroups"].is_empty() {
            errors.required(&at.child("apiGroups"), "resource rules must supply at least one api group");
        }
        if rule["resources"].is_empty() {
            errors.required(&at.child("resources"), "resource rules must supply at least one resource");
        }
    }
}

pub fn binding(errors: &mut Errors, object: &Value, namespaced: bool) {
    let (at, role) = (Path::new("roleRef"), &object["roleRef"]);
    errors.one_of(&at.child("apiGroup"), &role["apiGroup"], &[GROUP]);
    let kinds: &[&str] = if namespaced { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    errors.one_of(&at.child("kind"), &role["kind"], kinds);
    match role["name"].str() {
        "" => errors.required(&at.child("name"), ""),
        name => errors.complain(&at.child("name"), name, super::names::path_segment(name)),
    }
    for (index, subject) in object["subjects"].items().iter().enumerate() {
        let at = Path::new("subjects").index(index);
        let name = subject["name"].str();
        match subject["kind"].str() {
            "ServiceAccount" => {
                if !name.is_empty() {
                    errors.complain(&at.child("name"), name, super::names::subdomain(name));
                }
                if !subject["apiGroup"].is_empty() {
                    errors.one_of(&at.child("apiGroup"), &subject["apiGroup"], &[""]);
                }
                if !namespaced && subject["namespace"].is_empty() {
                    errors.required(&at.child("namespace"), "");
                }
            }
            "User" | "Group" => errors.one_of(&at.child("apiGroup"), &subject["apiGroup"], &[GROUP]),
            _ => errors.one_of(&at.child("kind"), &subject["kind"], &["ServiceAccount", "User", "Group"]),
        }
        if name.is_empty() {
            errors.required(&at.child("name"), "");
        }
    }
}

pub fn binding_update(errors: &mut Errors, new: &Value, old: &Value) {
    if !same(&new["roleRef"], &old["roleRef"]) {
        let shown = internal::compact("rbac.v1", "RoleRef", &new["roleRef"]);
        errors.push(FieldError::shown(&Path::new("roleRef"), &shown, super::names::IMMUTABLE));
    }
}
