//! Objects as the server's internal types print: Go field names, every field, in order of declaration.
//!
//! Errors that show a whole struct, and the differences under immutable specs, show this form. Types whose internal
//! twin has JSON tags (label selectors, object metadata) keep their JSON names and leave out what is empty.

use crate::api::schema::{Field, Ty, Type, named};
use crate::base::{Value, json};

/// One line.
pub fn compact(package: &str, name: &str, value: &Value) -> String {
    text(package, name, value, None)
}

/// One blank of indent a level, as the differences show it.
pub fn indented(package: &str, name: &str, value: &Value) -> String {
    text(package, name, value, Some(0))
}

/// A list of such structs on one line.
pub fn compact_list(package: &str, name: &str, items: &Value) -> String {
    match items {
        Value::Null => "null".into(),
        _ => {
            let all: Vec<String> = items.items().iter().map(|item| compact(package, name, item)).collect();
            format!("[{}]", all.join(","))
        }
    }
}

fn text(package: &str, name: &str, value: &Value, indent: Option<usize>) -> String {
    let mut out = String::new();
    if let Some(ty) = named(package, name) {
        object(&mut out, ty, value, indent);
    }
    out
}

fn line(out: &mut String, indent: Option<usize>) {
    if let Some(depth) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', depth));
    }
}

fn deeper(indent: Option<usize>) -> Option<usize> {
    indent.map(|depth| depth.saturating_add(1))
}

/// Entries between brackets.
fn bracketed(out: &mut String, brackets: [char; 2], indent: Option<usize>, entries: &[String]) {
    out.push(brackets[0]);
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        line(out, deeper(indent));
        out.push_str(entry);
    }
    if !entries.is_empty() {
        line(out, indent);
    }
    out.push(brackets[1]);
}

fn colon(indent: Option<usize>) -> &'static str {
    if indent.is_some() { ": " } else { ":" }
}

fn object(out: &mut String, ty: &'static Type, value: &Value, indent: Option<usize>) {
    let mut entries = Vec::new();
    let tagged = ty.short_package == "meta.v1";
    for field in ordered(ty) {
        let given = value.get(field.name);
        if tagged {
            if given.is_empty() {
                continue;
            }
            entries.push(entry(field.name, field.ty, given, false, indent));
        } else if matches!(field.name, "apiVersion" | "kind") && ty.field("metadata").is_some() {
            // Type metadata is embedded and has JSON tags.
            if !given.is_empty() && ty.name != "PersistentVolumeClaim" {
                entries.push(entry(field.name, field.ty, given, false, indent));
            }
        } else if field.name == "metadata" {
            embedded_meta(&mut entries, field.ty, given, indent);
        } else {
            let pointer = field.empty == crate::api::schema::Empty::Kept;
            entries.push(entry(field.go, field.ty, given, pointer, indent));
        }
    }
    bracketed(out, ['{', '}'], indent, &entries);
}

/// Types whose fields the table holds by name, in the order of their declaration.
const DECLARED: [(&str, &[&str]); 8] = [
    ("DeploymentStrategy", &["type", "rollingUpdate"]),
    ("DaemonSetUpdateStrategy", &["type", "rollingUpdate"]),
    ("RollingUpdateStatefulSetStrategy", &["partition", "maxUnavailable"]),
    ("SuccessPolicyRule", &["succeededIndexes", "succeededCount"]),
    ("PodDisruptionBudgetSpec", &["minAvailable", "selector", "maxUnavailable", "unhealthyPodEvictionPolicy"]),
    ("ServicePort", &["name", "protocol", "appProtocol", "port", "targetPort", "nodePort"]),
    ("Taint", &["key", "value", "effect", "timeAdded"]),
    (
        "PersistentVolumeClaimStatus",
        &[
            "phase",
            "accessModes",
            "capacity",
            "conditions",
            "allocatedResources",
            "allocatedResourceStatuses",
            "currentVolumeAttributesClassName",
            "modifyVolumeStatus",
        ],
    ),
];

fn ordered(ty: &'static Type) -> Vec<&'static Field> {
    match DECLARED.iter().find(|(name, _)| *name == ty.name) {
        Some((_, names)) => names.iter().filter_map(|name| ty.field(name)).collect(),
        None => ty.fields.iter().collect(),
    }
}

fn embedded_meta(entries: &mut Vec<String>, ty: Ty, meta: &Value, indent: Option<usize>) {
    if let Ty::Struct(id) = ty {
        for field in &id.get().fields {
            let given = meta.get(field.name);
            if !given.is_empty() {
                entries.push(entry(field.name, field.ty, given, false, indent));
            }
        }
    }
}

fn entry(name: &str, ty: Ty, value: &Value, pointer: bool, indent: Option<usize>) -> String {
    let mut out = format!("\"{name}\"{}", colon(indent));
    content(&mut out, ty, value, pointer, deeper(indent));
    out
}

fn content(out: &mut String, ty: Ty, value: &Value, pointer: bool, indent: Option<usize>) {
    match (ty, value) {
        (_, Value::Null) if pointer => out.push_str("null"),
        (Ty::Struct(id), _) => object(out, id.get(), value, indent),
        (Ty::List(_) | Ty::Map(_) | Ty::Bytes | Ty::Any(_) | Ty::Time | Ty::MicroTime, Value::Null) => {
            out.push_str("null");
        }
        (Ty::Text(_), Value::Null) => out.push_str("\"\""),
        (Ty::Quantity, Value::Null) => out.push_str("\"0\""),
        (Ty::Bool, Value::Null) => out.push_str("false"),
        (_, Value::Null) => out.push('0'),
        (Ty::List(item), Value::List(items)) => {
            let entries: Vec<String> = items
                .iter()
                .map(|each| {
                    let mut out = String::new();
                    content(&mut out, *item, each, false, deeper(indent));
                    out
                })
                .collect();
            bracketed(out, ['[', ']'], indent, &entries);
        }
        (Ty::Map(item), Value::Map(map)) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, each)| {
                    let mut out = String::new();
                    json::quote(key, &mut out);
                    out.push_str(colon(indent));
                    content(&mut out, *item, each, false, deeper(indent));
                    out
                })
                .collect();
            bracketed(out, ['{', '}'], indent, &entries);
        }
        _ => out.push_str(&json::compact(value)),
    }
}
