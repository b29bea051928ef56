//! Quotas, limit ranges, disruption budgets, priority classes, leases.

use super::common::{Errors, same};
use super::{internal, names, resources, selector};
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;
use crate::base::quantity::Quantity;

pub fn quota(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    for (name, quantity) in spec["hard"].entries().iter() {
        let at = at.child("hard").key(name);
        let complaints = names::qualified(name);
        let sound = complaints.is_empty();
        errors.complain(&at, name, complaints);
        if !name.contains('/') && !resources::is_quota_name(name) {
            if sound {
                errors.invalid(&at, name, "must be a standard resource type or fully qualified");
            }
            errors.invalid(&at, name, "must be a standard resource for quota");
        }
        resources::amount(errors, &at, name, quantity);
    }
    let scopes = &spec["scopes"];
    let known =
        ["Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity"];
    for scope in scopes.items() {
        if !known.contains(&scope.str()) {
            errors.invalid(&at.child("scopes"), scopes, "unsupported scope");
        } else if spec["hard"].entries().keys().any(|name| !scope_fits(scope.str(), name)) {
            errors.invalid(&at.child("scopes"), scopes, "unsupported scope applied to resource");
        }
    }
}

/// Whether a scope can go with a resource.
fn scope_fits(scope: &str, resource: &str) -> bool {
    match scope {
        "BestEffort" => resource == "pods",
        _ => {
            resource == "pods"
                || ["cpu", "memory"].iter().any(|stem| {
                    resource == *stem
                        || resource.strip_prefix("requests.") == Some(*stem)
                        || resource.strip_prefix("limits.") == Some(*stem)
                })
        }
    }
}

pub fn quota_update(errors: &mut Errors, new: &Value, old: &Value) {
    let (new, old) = (&new["spec"]["scopes"], &old["spec"]["scopes"]);
    if !same(new, old) {
        errors.invalid(&Path::new("spec").child("scopes"), new, names::IMMUTABLE);
    }
}

pub fn limit_range(errors: &mut Errors, object: &Value) {
    let mut seen = crate::base::BTreeSet::new();
    for (index, limit) in object["spec"]["limits"].items().iter().enumerate() {
        let at = Path::new("spec").child("limits").index(index);
        let kind = limit["type"].str();
        let known = ["Pod", "Container", "PersistentVolumeClaim"].contains(&kind);
        let complaints = names::qualified(kind);
        if complaints.is_empty() && !kind.contains('/') && !known {
            errors.invalid(&at.child("type"), kind, "must be a standard limit type or fully qualified");
        }
        errors.complain(&at.child("type"), kind, complaints);
        if !seen.insert(kind) {
            errors.push(FieldError::duplicate(&at.child("type"), kind));
        }
        limit_item(errors, &at, limit, kind);
    }
}

fn limit_item(errors: &mut Errors, at: &Path, limit: &Value, kind: &str) {
    let mut keys = crate::base::BTreeSet::new();
    for list in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
        let skip = kind == "Pod" && list.starts_with("default");
        if skip && !limit[list].is_empty() {
            errors.forbidden(&at.child(list), "may not be specified when `type` is 'Pod'");
        }
        for name in limit[list].entries().keys() {
            if !skip {
                keys.insert(name.clone());
                let at = at.child(list).key(name);
                limit_name(errors, &at, name, kind);
            }
        }
    }
    if kind == "PersistentVolumeClaim" && limit["min"]["storage"].is_null() && limit["max"]["storage"].is_null() {
        let detail = "either minimum or maximum storage value is required, but neither was provided";
        errors.required(&at.child("limits"), detail);
    }
    for key in &keys {
        let key = key.as_str();
        let value = |list: &str| (!limit[list][key].is_null()).then(|| limit[list][key].clone());
        let mut above = |list: &str, low: (&str, Option<Value>), high: (&str, Option<Value>), shown: &Value| {
            if let (Some(a), Some(b)) = (&low.1, &high.1)
                && Quantity::of(a) > Quantity::of(b)
            {
                let detail = format!("{} {} is greater than {} {}", low.0, a.str(), high.0, b.str());
                errors.invalid(&at.child(list).key(key), shown, &detail);
            }
        };
        let (max, min) = (value("max"), value("min"));
        let (default, request) = (value("default"), value("defaultRequest"));
        let null = Value::Null;
        let of = |value: &Option<Value>| value.clone().unwrap_or(null.clone());
        above("min", ("min value", min.clone()), ("max value", max.clone()), &of(&min));
        above("defaultRequest", ("min value", min.clone()), ("default request value", request.clone()), &of(&request));
        above("defaultRequest", ("default request value", request.clone()), ("max value", max.clone()), &of(&request));
        above(
            "defaultRequest",
            ("default request value", request.clone()),
            ("default limit value", default.clone()),
            &of(&request),
        );
        above("default", ("min value", min.clone()), ("default value", default.clone()), &of(&min));
        above("default", ("default value", default.clone()), ("max value", max.clone()), &of(&max));
        if let Some(ratio) = value("maxLimitRequestRatio")
            && Quantity::of(&ratio) < Quantity::new(1, crate::base::quantity::Format::Decimal)
        {
            let detail = format!("ratio {} is less than 1", ratio.str());
            errors.invalid(&at.child("maxLimitRequestRatio").key(key), &ratio, &detail);
        }
    }
}

/// The name of a limited resource.
fn limit_name(errors: &mut Errors, at: &Path, name: &str, kind: &str) {
    let complaints = names::qualified(name);
    let sound = complaints.is_empty();
    errors.complain(at, name, complaints);
    if name.contains('/') {
        return;
    }
    let known = resources::is_container_name(name);
    if sound && !known && !resources::is_quota_name(name) {
        errors.invalid(at, name, "must be a standard resource type or fully qualified");
    }
    if kind == "Container" && !known {
        errors.invalid(at, name, "must be a standard resource for containers");
    }
}

pub fn budget(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let (least, most) = (&spec["minAvailable"], &spec["maxUnavailable"]);
    if !least.is_null() && !most.is_null() {
        let shown = internal::compact("policy.v1", "PodDisruptionBudgetSpec", spec);
        errors.push(FieldError::shown(&at, &shown, "minAvailable and maxUnavailable cannot be both set"));
    }
    for (key, value) in [("minAvailable", least), ("maxUnavailable", most)] {
        if !value.is_null() {
            errors.count_or_percent(&at.child(key), value);
            errors.at_most_full(&at.child(key), value);
        }
    }
    if !spec["selector"].is_null() {
        selector::label_selector(errors, &at.child("selector"), &spec["selector"]);
    }
    let policy = &spec["unhealthyPodEvictionPolicy"];
    errors.one_of_if_set(&at.child("unhealthyPodEvictionPolicy"), policy, &["AlwaysAllow", "IfHealthyBudget"]);
}

const MOST: i64 = 1_000_000_000;

pub fn priority_class(errors: &mut Errors, object: &Value) {
    let name = object["metadata"]["name"].str();
    let value = object["value"].int();
    let system = [("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)];
    if name.starts_with("system-") {
        if !system.contains(&(name, value)) {
            let detail = format!(
                "priority class names with 'system-' prefix are reserved for system use only. error: {name} is not a known system priority class"
            );
            errors.forbidden(&Path::new("metadata").child("name"), &detail);
        }
    } else if value > MOST {
        let detail = format!("maximum allowed value of a user defined priority is {MOST}");
        errors.forbidden(&Path::new("value"), &detail);
    }
    let policy = &object["preemptionPolicy"];
    errors.one_of_if_set(&Path::new("preemptionPolicy"), policy, &["PreemptLowerPriority", "Never"]);
}

pub fn priority_class_update(errors: &mut Errors, new: &Value, old: &Value) {
    if new["value"].int() != old["value"].int() {
        errors.forbidden(&Path::new("value"), "may not be changed in an update.");
    }
    errors.immutable(&Path::new("preemptionPolicy"), &new["preemptionPolicy"], &old["preemptionPolicy"]);
}

pub fn lease(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let seconds = &spec["leaseDurationSeconds"];
    if !seconds.is_null() && seconds.int() <= 0 {
        errors.invalid(&at.child("leaseDurationSeconds"), seconds, "must be greater than 0");
    }
    let moves = &spec["leaseTransitions"];
    errors.not_negative(&at.child("leaseTransitions"), moves);
}
