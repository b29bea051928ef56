//! Defaults of what decides about requests: webhooks, admission policies, flow control, device requests.

use super::{Lists, fill, fill_at, fill_zero, under};
use crate::base::{Map, Value};

fn fill_map(object: &mut Value, key: &str) {
    if object.get(key).is_null() {
        object.set(&[key], Map::new());
    }
}

/// What a webhook, or a policy's constraints, match by default.
fn matching(object: &mut Value, rules: &str) {
    fill(object, "matchPolicy", "Equivalent");
    fill_map(object, "namespaceSelector");
    fill_map(object, "objectSelector");
    for list in [rules, "excludeResourceRules"] {
        object.at_mut_list(&[list]).for_each(|rule| fill(rule, "scope", "*"));
    }
}

pub fn webhooks(object: &mut Value) {
    let mutating = object["kind"].str() == "MutatingWebhookConfiguration";
    for hook in object.at_mut_list(&["webhooks"]) {
        fill(hook, "failurePolicy", "Fail");
        matching(hook, "rules");
        fill(hook, "timeoutSeconds", 10);
        if mutating {
            fill(hook, "reinvocationPolicy", "Never");
        }
        under(hook, &["clientConfig", "service"], |service| fill(service, "port", 443));
    }
}

pub fn admission_policy(object: &mut Value) {
    fill_at(object, &["spec", "failurePolicy"], "Fail");
    under(object, &["spec", "matchConstraints"], |constraints| matching(constraints, "resourceRules"));
}

pub fn admission_policy_binding(object: &mut Value) {
    under(object, &["spec", "matchResources"], |resources| matching(resources, "resourceRules"));
}

pub fn flow_schema(object: &mut Value) {
    under(object, &["spec"], |spec| fill_zero(spec, "matchingPrecedence", 1000));
}

pub fn priority_level(object: &mut Value) {
    under(object, &["spec", "limited"], |limited| {
        fill(limited, "nominalConcurrencyShares", 30);
        fill(limited, "lendablePercent", 0);
    });
}

/// `spec` of a ResourceClaim.
pub fn resource_claim(spec: &mut Value) {
    for request in spec.at_mut_list(&["devices", "requests"]) {
        under(request, &["exactly"], device_count);
        request.at_mut_list(&["firstAvailable"]).for_each(device_count);
    }
}

fn device_count(request: &mut Value) {
    fill(request, "allocationMode", "ExactCount");
    if request["allocationMode"].str() == "ExactCount" {
        fill_zero(request, "count", 1);
    }
}
