//! What structural schemas ask beyond single fields: CEL rules, the paths of a Scale; and the formats of texts.

use super::structural::{DEEPEST, Errors, join};
use crate::api::selector::Labels;
use crate::api::validation::names;
use crate::base::cel::{self, Failure};
use crate::base::go_regex::Regex;
use crate::base::{Value, json};

/// Runs the rules of a schema and of all below it; a rule on the old value runs where there is one.
pub fn rules(schema: &Value, value: &Value, old: &Value, path: &str, depth: usize, errors: &mut Errors) {
    if depth > DEEPEST || value.is_null() || value == old {
        return;
    }
    for rule in schema["x-kubernetes-validations"].items() {
        one(rule, value, old, path, errors);
    }
    for (index, item) in value.items().iter().enumerate() {
        let before = same_key(schema, item, old);
        rules(&schema["items"], item, before, &format!("{path}[{index}]"), depth + 1, errors);
    }
    for (key, inner) in value.entries().iter() {
        let below = match schema["properties"].get(key) {
            Value::Null => &schema["additionalProperties"],
            found => found,
        };
        rules(below, inner, old.get(key), &join(path, key), depth + 1, errors);
    }
}

/// The item of the old list with the same keys, where the list is a map.
fn same_key<'a>(schema: &Value, item: &Value, old: &'a Value) -> &'a Value {
    let keys = schema["x-kubernetes-list-map-keys"].items();
    let same = |have: &&Value| !keys.is_empty() && keys.iter().all(|key| have[key.str()] == item[key.str()]);
    old.items().iter().find(same).unwrap_or(&Value::Null)
}

fn one(rule: &Value, value: &Value, old: &Value, path: &str, errors: &mut Errors) {
    let text = rule["rule"].str();
    let of_change = cel::speaks_of(text, "oldSelf");
    if of_change && old.is_null() {
        return;
    }
    let names = [("self", value), ("oldSelf", old)];
    let names = if of_change { &names[..] } else { &names[..1] };
    let said = rule["message"].str().trim();
    let detail = match cel::evaluate(text, names) {
        Ok(Value::Bool(true)) | Err(Failure::Unknown) => return,
        Err(Failure::Error(error)) => {
            let rule = if said.is_empty() { text.trim() } else { said };
            format!("{error} evaluating rule: {rule}")
        }
        Ok(_) => {
            let worked_out = match cel::evaluate(rule["messageExpression"].str(), names) {
                Ok(Value::Text(text)) if !text.trim().is_empty() => text.trim().to_string(),
                _ => String::new(),
            };
            match (worked_out.is_empty(), said.is_empty()) {
                (false, _) => worked_out,
                (_, false) => said.to_string(),
                _ => format!("failed rule: {}", text.trim()),
            }
        }
    };
    let (words, reason) = match rule["reason"].str() {
        "FieldValueForbidden" => ("Forbidden", "FieldValueForbidden"),
        "FieldValueRequired" => ("Required value", "FieldValueRequired"),
        "FieldValueDuplicate" => ("Duplicate value", "FieldValueDuplicate"),
        _ => ("Invalid value", "FieldValueInvalid"),
    };
    let field = rule["fieldPath"].str();
    let at = if path.is_empty() { field.trim_start_matches('.').to_string() } else { format!("{path}{field}") };
    let at = if at.is_empty() { "<nil>".into() } else { at };
    errors.push((at, format!("{words}: {detail}"), reason));
}

/// Where the numbers of a Scale stand, there are numbers.
pub fn scale(places: &Value, object: &Value, errors: &mut Errors) {
    let steps = |path: &str| path.split('.').filter(|step| !step.is_empty()).map(String::from).collect::<Vec<_>>();
    for place in ["specReplicasPath", "statusReplicasPath"] {
        let path = places[place].str();
        let names = steps(path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let value = object.at(&names);
        let problem = match value {
            Value::Null => continue,
            Value::Int(number) if *number < 0 => format!("{number}: should be a non-negative integer"),
            Value::Int(number) if *number > i64::from(i32::MAX) => {
                format!("{number}: should be less than or equal to {}", i32::MAX)
            }
            Value::Int(_) => continue,
            other => {
                let (shown, kind) = match other {
                    Value::Text(text) => (text.to_string(), "string"),
                    Value::Float(_) => (json::compact(other), "float64"),
                    Value::Bool(_) => (json::compact(other), "bool"),
                    Value::List(_) => (json::compact(other), "[]interface {}"),
                    _ => (json::compact(other), "map[string]interface {}"),
                };
                format!("0: .{} accessor error: {shown} is of the type {kind}, expected int64", names.join("."))
            }
        };
        errors.push((path.to_string(), format!("Invalid value: {problem}"), "FieldValueInvalid"));
    }
    let path = places["labelSelectorPath"].str();
    let names = steps(path);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let Value::Text(text) = object.at(&names)
        && !path.is_empty()
        && let Err(error) = Labels::parse(text)
    {
        let body = format!("Invalid value: {}: {error}", json::compact(object.at(&names)));
        errors.push((path.to_string(), body, "FieldValueInvalid"));
    }
}

/// Whether a text has a format; `None` where the format is not known.
pub fn formatted(format: &str, text: &str) -> Option<bool> {
    const FORMATS: [(&str, &str); 9] = [
        ("date", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"),
        (
            "date-time",
            "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)\
             (\\.[0-9]+)?([Zz]|[+-][0-9]{2}:?[0-9]{2})$",
        ),
        ("uuid", "^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$"),
        ("email", "^[^@ <>]+@[^@ <>]+$"),
        ("hostname", "^[a-zA-Z0-9]([-a-zA-Z0-9]{0,62}\\.)*[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$"),
        ("uri", "^([a-zA-Z][-+.a-zA-Z0-9]*:|/).*$"),
        ("byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"),
        ("duration", "^([0-9]+ *(ns|us|µs|ms|s|m|h|d|w|[a-z]+) *)+$"),
        ("mac", "^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$"),
    ];
    Some(match format {
        "" | "password" => true,
        "ipv4" => names::is_ip(text) && !text.contains(':'),
        "ipv6" => names::is_ip(text) && text.contains(':'),
        "cidr" => names::is_cidr(text),
        format => {
            let (_, pattern) = FORMATS.iter().find(|(name, _)| *name == format)?;
            Regex::new(pattern).is_ok_and(|regex| regex.is_match(text))
        }
    })
}
