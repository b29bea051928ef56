//! CustomResourceDefinitions: names, versions, and that schemas are structural.
//!
//! Left out: what a schema may not combine, defaults that do not fit, the compilation of CEL rules, printer columns.

use super::common::Errors;
use super::names;
use crate::api::field_error::{FieldError, Path};
use crate::base::{Value, json};

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
const DEEPEST: usize = 60;

pub fn definition(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let names = &spec["names"];
    let name = object["metadata"]["name"].str();
    if format!("{}.{}", names["plural"].str(), spec["group"].str()) != name {
        errors.invalid(&Path::new("metadata").child("name"), name, "must be spec.names.plural+\".\"+spec.group");
    }
    match spec["group"].str() {
        "" => errors.required(&at.child("group"), ""),
        group => {
            errors.complain(&at.child("group"), group, names::subdomain(group));
            if !group.contains('.') {
                errors.invalid(&at.child("group"), group, "should be a domain with at least one dot");
            }
        }
    }
    errors.one_of(&at.child("scope"), &spec["scope"], &["Cluster", "Namespaced"]);
    let versions = spec["versions"].items();
    let all_at = at.child("versions");
    for (index, version) in versions.iter().enumerate() {
        let name = version["name"].str();
        errors.complain(&all_at.index(index).child("name"), name, names::label_1035(name));
        if versions.iter().take(index).any(|other| other["name"].str() == name) {
            let detail = "must contain unique version names";
            errors.push(FieldError::shown(&all_at, &shown(versions), detail));
        }
    }
    let stored = versions.iter().filter(|version| version["storage"].is_true()).count();
    if stored != 1 {
        let detail = "must have exactly one version marked as storage version";
        errors.push(FieldError::shown(&all_at, &shown(versions), detail));
    }
    let names_at = at.child("names");
    for (key, must) in [("plural", true), ("singular", false), ("kind", true), ("listKind", true)] {
        let text = names[key].str();
        let own = names_at.child(key);
        if text.is_empty() {
            if must {
                errors.required(&own, "");
            }
            continue;
        }
        let checked = if key.ends_with("ind") { text.to_lowercase() } else { text.to_string() };
        let complaints = names::label_1035(&checked);
        if key.ends_with("ind") && !complaints.is_empty() {
            errors.invalid(
                &own,
                text,
                &format!("may have mixed case, but should otherwise match: {}", complaints.join(", ")),
            );
        } else {
            errors.complain(&own, text, complaints);
        }
    }
    for list in ["shortNames", "categories"] {
        for (index, text) in names[list].items().iter().enumerate() {
            let text = text.str();
            errors.complain(&names_at.child(list).index(index), text, names::label_1035(text));
        }
    }
    if names["kind"].str() == names["listKind"].str() && !names["kind"].is_empty() {
        let detail = "kind and listKind may not be the same";
        errors.invalid(&names_at.child("listKind"), names["listKind"].str(), detail);
    }
    // A schema all versions share stands at the top of the server's own form.
    let first = versions.first().map_or(&Value::Null, |version| &version["schema"]);
    let shared = versions.iter().all(|version| version["schema"] == *first);
    for (index, version) in versions.iter().enumerate().take(if shared { 1 } else { versions.len() }) {
        let own = &version["schema"]["openAPIV3Schema"];
        let own_at = if shared { at.child("validation") } else { all_at.index(index).child("schema") };
        let own_at = own_at.child("openAPIV3Schema");
        if own.is_null() {
            errors.required(&all_at.index(index).child("schema").child("openAPIV3Schema"), "schemas are required");
        } else {
            schema(errors, &own_at, own, 0);
        }
    }
    if stored == 0 && object["status"]["storedVersions"].items().is_empty() {
        let at = Path::new("status").child("storedVersions");
        errors.push(FieldError::shown(&at, "null", "must have at least one stored version"));
    }
}

fn schema(errors: &mut Errors, at: &Path, own: &Value, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    let free = own["x-kubernetes-int-or-string"].is_true() || own["x-kubernetes-preserve-unknown-fields"].is_true();
    match own["type"].str() {
        "" if depth == 0 => errors.required(&at.child("type"), "must not be empty at the root"),
        "" if !free => {
            errors.required(&at.child("type"), "must not be empty for specified object fields");
        }
        "" => {}
        kind if depth == 0 && kind != "object" => errors.invalid(&at.child("type"), kind, "must be object at the root"),
        _ => errors.one_of(&at.child("type"), &own["type"], &TYPES),
    }
    if own["type"].str() == "array" && own["items"].is_null() {
        errors.required(&at.child("items"), "must be specified");
    }
    for (name, below) in own["properties"].entries().iter() {
        schema(errors, &at.child("properties").key(name), below, depth + 1);
    }
    for word in ["items", "additionalProperties"] {
        if own[word].as_map().is_some() {
            schema(errors, &at.child(word), &own[word], depth + 1);
        }
    }
}

/// The versions as the server's internal form has them.
fn shown(versions: &[Value]) -> String {
    let one = |version: &Value| {
        let text = |key: &str| if version[key].is_null() { Value::Null } else { version[key].clone() };
        let flag = |key: &str| version[key].is_true();
        let fields = [
            ("Name", version["name"].clone()),
            ("Served", flag("served").into()),
            ("Storage", flag("storage").into()),
            ("Deprecated", flag("deprecated").into()),
            ("DeprecationWarning", text("deprecationWarning")),
            ("Schema", Value::Null),
            ("Subresources", Value::Null),
            ("AdditionalPrinterColumns", Value::Null),
            ("SelectableFields", Value::Null),
        ];
        let parts: Vec<String> =
            fields.iter().map(|(key, value)| format!("\"{key}\":{}", json::compact(value))).collect();
        format!("{{{}}}", parts.join(","))
    };
    let all: Vec<String> = versions.iter().map(one).collect();
    format!("[{}]", all.join(","))
}
