//! Requests and limits.

use super::common::Errors;
use super::names;
use crate::api::field_error::Path;
use crate::base::Value;
use crate::base::quantity::Quantity;

const STANDARD: [&str; 4] = ["cpu", "memory", "ephemeral-storage", "storage"];

/// `requests` and `limits` of a container.
pub fn container(errors: &mut Errors, at: &Path, resources: &Value) {
    let (limits, requests) = (&resources["limits"], &resources["requests"]);
    let (limits_at, requests_at) = (at.child("limits"), at.child("requests"));
    for (name, given) in limits.entries().iter() {
        one(errors, &limits_at.key(name), name, given);
    }
    for (name, given) in requests.entries().iter() {
        one(errors, &requests_at.key(name), name, given);
        let limit = &limits[name.as_str()];
        let request = Quantity::of(given);
        if limit.is_null() {
            if is_extended(name) || name.starts_with("hugepages-") {
                errors.required(&limits_at, "Limit must be set for non overcommitable resources");
            }
        } else if (is_extended(name) || name.starts_with("hugepages-")) && request != Quantity::of(limit) {
            errors.invalid(&requests_at, given, &format!("must be equal to {name} limit of {}", limit.str()));
        } else if request > Quantity::of(limit) {
            let detail = format!("must be less than or equal to {name} limit of {}", limit.str());
            errors.invalid(&requests_at, given, &detail);
        }
    }
    let names = || limits.entries().keys().chain(requests.entries().keys());
    if names().any(|name| name.starts_with("hugepages-")) && !names().any(|n| matches!(n.as_str(), "cpu" | "memory")) {
        errors.forbidden(at, "HugePages require cpu or memory");
    }
}

fn one(errors: &mut Errors, at: &Path, name: &str, quantity: &Value) {
    let complaints = names::qualified(name);
    let sound = complaints.is_empty();
    errors.complain(at, name, complaints);
    if sound && !name.contains('/') {
        let known = STANDARD.contains(&name) || name.starts_with("hugepages-");
        if !known && !is_quota_name(name) {
            errors.invalid(at, name, "must be a standard resource type or fully qualified");
        }
        if !known || name == "storage" {
            errors.invalid(at, name, "must be a standard resource for containers");
        }
    }
    amount(errors, at, name, quantity);
}

pub fn is_container_name(name: &str) -> bool {
    STANDARD.contains(&name) || name.starts_with("hugepages-")
}

/// Not negative; whole where the resource comes in pieces.
pub fn amount(errors: &mut Errors, at: &Path, name: &str, quantity: &Value) {
    let value = Quantity::of(quantity);
    if value.sign() < 0 {
        errors.invalid(at, quantity, names::NOT_NEGATIVE);
    }
    if is_integer(name) && value.milli() % 1000 != 0 {
        errors.invalid(at, quantity, "must be an integer");
    }
}

fn is_integer(name: &str) -> bool {
    is_extended(name) || COUNTED.contains(&name)
}

/// Counted objects of a quota.
const COUNTED: [&str; 10] = [
    "pods",
    "services",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "configmaps",
    "persistentvolumeclaims",
    "services.nodeports",
    "services.loadbalancers",
    "count",
];

/// Resources of vendors: with a prefix that is not Kubernetes' own.
pub fn is_extended(name: &str) -> bool {
    match name.split_once('/') {
        Some((prefix, _)) => {
            prefix != "kubernetes.io" && !prefix.ends_with(".kubernetes.io") && !name.starts_with("requests.")
        }
        None => false,
    }
}

/// Names a quota may limit.
pub fn is_quota_name(name: &str) -> bool {
    let stem = name.strip_prefix("requests.").or_else(|| name.strip_prefix("limits.")).unwrap_or(name);
    let prefixed = stem != name;
    if stem.starts_with("hugepages-") {
        return true;
    }
    if prefixed && name.starts_with("limits.") {
        return ["cpu", "memory", "ephemeral-storage"].contains(&stem);
    }
    if prefixed {
        return STANDARD.contains(&stem);
    }
    ["cpu", "memory", "ephemeral-storage", "storage"].contains(&name) && name != "storage" || COUNTED.contains(&name)
}
