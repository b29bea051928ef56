//! Where pods may run: affinity, tolerations, spread, gates.

use crate::base::BTreeSet;

use super::common::Errors;
use super::{names, selector};
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;

const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";

pub fn affinity(errors: &mut Errors, at: &Path, affinity: &Value) {
    node_affinity(errors, &at.child("nodeAffinity"), &affinity["nodeAffinity"]);
    for key in ["podAffinity", "podAntiAffinity"] {
        let (at, terms) = (at.child(key), &affinity[key]);
        for (index, term) in terms[REQUIRED].items().iter().enumerate() {
            pod_term(errors, &at.child(REQUIRED).index(index), term);
        }
        for (index, term) in terms[PREFERRED].items().iter().enumerate() {
            let at = at.child(PREFERRED).index(index);
            weight(errors, &at, term);
            pod_term(errors, &at.child("podAffinityTerm"), &term["podAffinityTerm"]);
        }
    }
}

fn weight(errors: &mut Errors, at: &Path, term: &Value) {
    if !(1..=100).contains(&term["weight"].int()) {
        errors.invalid(&at.child("weight"), term["weight"].int(), "must be in the range 1-100");
    }
}

fn node_affinity(errors: &mut Errors, at: &Path, affinity: &Value) {
    if !affinity[REQUIRED].is_null() {
        node_selector(errors, &at.child(REQUIRED), &affinity[REQUIRED]);
    }
    for (index, term) in affinity[PREFERRED].items().iter().enumerate() {
        let at = at.child(PREFERRED).index(index);
        weight(errors, &at, term);
        node_term(errors, &at.child("preference"), &term["preference"]);
    }
}

pub fn node_selector(errors: &mut Errors, at: &Path, selector: &Value) {
    let at = at.child("nodeSelectorTerms");
    let terms = selector["nodeSelectorTerms"].items();
    if terms.is_empty() {
        return errors.required(&at, "must have at least one node selector term");
    }
    for (index, term) in terms.iter().enumerate() {
        node_term(errors, &at.index(index), term);
    }
}

fn node_term(errors: &mut Errors, at: &Path, term: &Value) {
    for (index, expression) in term["matchExpressions"].items().iter().enumerate() {
        let at = at.child("matchExpressions").index(index);
        selector::operator(errors, &at, expression, true);
        errors.label_key(&at.child("key"), expression["key"].str());
    }
    for (index, field) in term["matchFields"].items().iter().enumerate() {
        let at = at.child("matchFields").index(index);
        let values = field["values"].items();
        match field["operator"].str() {
            "In" | "NotIn" if values.len() != 1 => {
                let detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
                errors.required(&at.child("values"), detail);
            }
            "In" | "NotIn" => {}
            other => errors.invalid(&at.child("operator"), other, "not a valid selector operator"),
        }
        if field["key"].str() != "metadata.name" {
            errors.invalid(&at.child("key"), field["key"].str(), "not a valid field selector key");
        }
    }
}

fn pod_term(errors: &mut Errors, at: &Path, term: &Value) {
    if !term["labelSelector"].is_null() {
        selector::label_selector(errors, &at.child("labelSelector"), &term["labelSelector"]);
    }
    if !term["namespaceSelector"].is_null() {
        selector::label_selector(errors, &at.child("namespaceSelector"), &term["namespaceSelector"]);
    }
    for (index, namespace) in term["namespaces"].items().iter().enumerate() {
        let name = namespace.str();
        errors.complain(&at.child("namespaces").index(index), name, names::label(name));
    }
    let key = term["topologyKey"].str();
    if key.is_empty() {
        errors.required(&at.child("topologyKey"), "can not be empty");
    }
    errors.label_key(&at.child("topologyKey"), key);
}

pub fn tolerations(errors: &mut Errors, at: &Path, tolerations: &Value) {
    for (index, toleration) in tolerations.items().iter().enumerate() {
        let at = at.index(index);
        let (key, operator) = (toleration["key"].str(), toleration["operator"].str());
        let effect = &toleration["effect"];
        if !key.is_empty() {
            errors.label_key(&at.child("key"), key);
        }
        if key.is_empty() && operator != "Exists" {
            let detail = "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
            errors.invalid(&at.child("operator"), operator, detail);
        }
        if !toleration["tolerationSeconds"].is_null() && effect.str() != "NoExecute" {
            let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
            errors.invalid(&at.child("effect"), effect.str(), detail);
        }
        let value = toleration["value"].str();
        match operator {
            "" | "Equal" => errors.complain(&at.child("operator"), value, names::label_value(value)),
            "Exists" => {
                if !value.is_empty() {
                    errors.invalid(&at.child("operator"), value, "value must be empty when `operator` is 'Exists'");
                }
            }
            _ => errors.one_of(&at.child("operator"), &toleration["operator"], &["Equal", "Exists"]),
        }
        if !effect.is_empty() {
            errors.one_of(&at.child("effect"), effect, &["NoSchedule", "PreferNoSchedule", "NoExecute"]);
        }
    }
}

pub fn spread(errors: &mut Errors, at: &Path, constraints: &Value) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (index, constraint) in constraints.items().iter().enumerate() {
        let at = at.index(index);
        if constraint["maxSkew"].int() <= 0 {
            errors.invalid(&at.child("maxSkew"), constraint["maxSkew"].int(), "must be greater than zero");
        }
        let (key, when) = (constraint["topologyKey"].str(), constraint["whenUnsatisfiable"].str());
        if key.is_empty() {
            errors.required(&at.child("topologyKey"), "can not be empty");
        } else {
            errors.label_key(&at.child("topologyKey"), key);
        }
        let choices = ["DoNotSchedule", "ScheduleAnyway"];
        errors.one_of(&at.child("whenUnsatisfiable"), &constraint["whenUnsatisfiable"], &choices);
        let pair = format!("{{{key}, {when}}}");
        if !seen.insert(pair.clone()) {
            errors.push(FieldError::duplicate(&at.child("{topologyKey, whenUnsatisfiable}"), pair));
        }
        let domains = &constraint["minDomains"];
        if !domains.is_null() {
            let at = at.child("minDomains");
            if domains.int() <= 0 {
                errors.invalid(&at, domains, "must be greater than zero");
            }
            if when != "DoNotSchedule" {
                let detail = format!("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {when}");
                errors.invalid(&at, domains, &detail);
            }
        }
        for key in ["nodeAffinityPolicy", "nodeTaintsPolicy"] {
            errors.one_of_if_set(&at.child(key), &constraint[key], &["Honor", "Ignore"]);
        }
        if !constraint["labelSelector"].is_null() {
            selector::label_selector(errors, &at.child("labelSelector"), &constraint["labelSelector"]);
        }
    }
}

pub fn gates(errors: &mut Errors, at: &Path, spec: &Value) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let gates = spec["schedulingGates"].items();
    for (index, gate) in gates.iter().enumerate() {
        let at = at.child("schedulingGates").index(index);
        let name = gate["name"].str();
        errors.label_key(&at, name);
        if !seen.insert(name) {
            errors.push(FieldError::duplicate(&at, name));
        }
    }
    if !gates.is_empty() && !spec["nodeName"].is_empty() {
        errors.forbidden(&at.child("nodeName"), "cannot be set until all schedulingGates have been cleared");
    }
}
