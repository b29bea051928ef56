//! HorizontalPodAutoscalers (autoscaling/v2).

use super::common::Errors;
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;
use crate::base::quantity::Quantity;

const SOURCES: [(&str, &str); 5] = [
    ("ContainerResource", "containerResource"),
    ("External", "external"),
    ("Object", "object"),
    ("Pods", "pods"),
    ("Resource", "resource"),
];

pub fn autoscaler(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let (least, most) = (&spec["minReplicas"], spec["maxReplicas"].int());
    errors.not_negative(&at.child("minReplicas"), least);
    if !least.is_null() && most < least.int() {
        errors.invalid(&at.child("maxReplicas"), most, "must be greater than or equal to `minReplicas`");
    }
    let (target_at, target) = (at.child("scaleTargetRef"), &spec["scaleTargetRef"]);
    for key in ["kind", "name"] {
        match target[key].str() {
            "" => errors.required(&target_at.child(key), ""),
            text => errors.complain(&target_at.child(key), text, super::names::path_segment(text)),
        }
    }
    let version = target["apiVersion"].str();
    if !version.contains('/') {
        errors.invalid(&target_at.child("apiVersion"), version, "apiVersion must specify API group");
    }
    let metrics = spec["metrics"].items();
    let external = metrics.iter().any(|metric| matches!(metric["type"].str(), "Object" | "External"));
    for (index, metric) in metrics.iter().enumerate() {
        self::metric(errors, &at.child("metrics").index(index), metric);
    }
    if !least.is_null() && least.int() == 0 && !external {
        let detail = "must specify at least one Object or External metric to support scaling to zero replicas";
        errors.forbidden(&at.child("metrics"), detail);
    }
    for key in ["scaleUp", "scaleDown"] {
        let rules = &spec["behavior"][key];
        if !rules.is_null() {
            behavior(errors, &at.child("behavior").child(key), rules);
        }
    }
    if most == 0 {
        errors.required(&at.child("maxReplicas"), "");
    } else if most < 0 {
        errors.invalid(&at.child("maxReplicas"), most, "must be greater than or equal to 1");
    }
}

fn metric(errors: &mut Errors, at: &Path, metric: &Value) {
    let kind = metric["type"].str();
    if kind.is_empty() {
        errors.required(&at.child("type"), "must specify a metric source type");
    }
    let names = SOURCES.map(|(name, _)| name);
    errors.one_of(&at.child("type"), &metric["type"], &names);
    let wanted = SOURCES.iter().find(|(name, _)| *name == kind);
    let Some((_, key)) = wanted else { return };
    for (_, other) in SOURCES.iter().filter(|(_, other)| other != key && !metric[*other].is_null()) {
        errors.forbidden(&at.child(other), "must populate the given metric source only");
    }
    let (at, source) = (at.child(key), &metric[*key]);
    if source.is_null() {
        return errors.required(&at, "must populate information for the given metric source");
    }
    match *key {
        "resource" | "containerResource" => {
            if source["name"].is_empty() {
                errors.required(&at.child("name"), "must specify a resource name");
            }
            target(errors, &at.child("target"), &source["target"]);
            let target = &source["target"];
            let (percent, value) = (&target["averageUtilization"], &target["averageValue"]);
            if percent.is_null() && value.is_null() {
                let detail = "must set either a target raw value or a target utilization";
                errors.required(&at.child("target").child("averageUtilization"), detail);
            }
            if !percent.is_null() && !value.is_null() {
                let detail = "may not set both a target raw value and a target utilization";
                errors.forbidden(&at.child("target").child("averageValue"), detail);
            }
        }
        _ => {
            if source["metric"]["name"].is_empty() {
                errors.required(&at.child("metric").child("name"), "must specify a metric name");
            }
            target(errors, &at.child("target"), &source["target"]);
        }
    }
}

fn target(errors: &mut Errors, at: &Path, target: &Value) {
    let kind = target["type"].str();
    if kind.is_empty() {
        errors.required(&at.child("type"), "must specify a metric target type");
    }
    if !matches!(kind, "Utilization" | "Value" | "AverageValue") {
        errors.invalid(&at.child("type"), kind, "must be either Utilization, Value, or AverageValue");
    }
    for key in ["value", "averageValue"] {
        if !target[key].is_null() && Quantity::of(&target[key]).sign() <= 0 {
            errors.invalid(&at.child(key), &target[key], "must be positive");
        }
    }
    let percent = &target["averageUtilization"];
    if !percent.is_null() && percent.int() < 1 {
        errors.invalid(&at.child("averageUtilization"), percent, "must be greater than 0");
    }
}

fn behavior(errors: &mut Errors, at: &Path, rules: &Value) {
    let window = &rules["stabilizationWindowSeconds"];
    errors.not_negative(&at.child("stabilizationWindowSeconds"), window);
    if window.int() > 3600 {
        errors.invalid(&at.child("stabilizationWindowSeconds"), window, "must be less than or equal to 3600");
    }
    errors.one_of_if_set(&at.child("selectPolicy"), &rules["selectPolicy"], &["Disabled", "Max", "Min"]);
    let policies = rules["policies"].items();
    if policies.is_empty() {
        errors.required(&at.child("policies"), "must specify at least one Policy");
    }
    for (index, policy) in policies.iter().enumerate() {
        let at = at.child("policies").index(index);
        if !matches!(policy["type"].str(), "Pods" | "Percent") {
            errors.push(FieldError::not_supported(&at.child("type"), policy["type"].str(), &["Percent", "Pods"]));
        }
        for (key, most) in [("value", i64::MAX), ("periodSeconds", 1800)] {
            if policy[key].int() <= 0 {
                errors.invalid(&at.child(key), policy[key].int(), "must be greater than zero");
            } else if policy[key].int() > most {
                errors.invalid(&at.child(key), policy[key].int(), &format!("must be less than or equal to {most}"));
            }
        }
    }
}
