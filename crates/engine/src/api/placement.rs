//! Whether a pod may stand on a node: tolerations, node selectors and required node affinity, in the words of the API.

use super::object;
use crate::base::Value;

/// Whether one toleration tolerates a taint.
pub fn tolerates(toleration: &Value, taint: &Value) -> bool {
    let (key, effect) = (toleration["key"].str(), toleration["effect"].str());
    let exists = toleration["operator"].str() == "Exists";
    (effect.is_empty() || effect == taint["effect"].str())
        && (key == taint["key"].str() || (key.is_empty() && exists))
        && (exists || toleration["value"].str() == taint["value"].str())
}

/// Whether a pod's spec has a nodeSelector or required node affinity: without, it fits every node.
pub fn is_choosy(spec: &Value) -> bool {
    !spec["nodeSelector"].is_empty()
        || spec["affinity"]["nodeAffinity"].has("requiredDuringSchedulingIgnoredDuringExecution")
}

/// nodeSelector and required node affinity of a pod's spec.
pub fn fits(spec: &Value, name: &str, labels: &Value) -> bool {
    let required = spec.at(&["affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
    object::contains(spec.get("nodeSelector"), labels)
        && (required.is_null()
            || required["nodeSelectorTerms"].items().iter().any(|term| holds_term(term, name, labels)))
}

/// One node selector term: all of its expressions and fields.
pub fn holds_term(term: &Value, name: &str, labels: &Value) -> bool {
    let expressions = term["matchExpressions"].items();
    let fields = term["matchFields"].items();
    let holds = |rule: &Value, have: Option<&str>| {
        let values = rule["values"].items();
        let listed = have.is_some_and(|have| values.iter().any(|value| value.str() == have));
        let numbers = || Some((have?.parse::<i64>().ok()?, values.first()?.str().parse::<i64>().ok()?));
        match rule["operator"].str() {
            "In" => listed,
            "NotIn" => !listed,
            "Exists" => have.is_some(),
            "DoesNotExist" => have.is_none(),
            "Gt" => numbers().is_some_and(|(have, limit)| have > limit),
            "Lt" => numbers().is_some_and(|(have, limit)| have < limit),
            _ => false,
        }
    };
    !(expressions.is_empty() && fields.is_empty())
        && expressions.iter().all(|rule| holds(rule, labels.get(rule["key"].str()).as_str()))
        && fields.iter().all(|rule| holds(rule, Some(name)))
}
