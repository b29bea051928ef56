//! Structural schemas of custom resources: fields that no schema knows are pruned (or refused), defaults are put in, and
//! values are checked. Left out: patterns, formats, `allOf`, `anyOf`, `not` and CEL rules.

use super::body::field_validation;
use super::{Call, Result, Server};
use crate::api::decode::{self, FieldValidation};
use crate::api::status::Status;
use crate::base::{Value, goquote, json};

const DEEPEST: usize = 60;
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

type Errors = Vec<(String, String, &'static str)>;

impl Server {
    /// The object as its definition's schema makes it; built-in kinds are left as they are.
    pub(super) fn structural(&self, call: &mut Call<'_, '_>, mut object: Value) -> Result<Value> {
        let resource = call.target.resource.clone();
        if resource.known.is_some() {
            return Ok(object);
        }
        let schema = match self.definition_of(&resource) {
            Some((_, version)) => version.at(&["schema", "openAPIV3Schema"]).clone(),
            None => return Ok(object),
        };
        if schema["properties"].is_null() {
            return Ok(object);
        }
        let mut unknown = Vec::new();
        prune(&schema, &mut object, "", 0, &mut unknown);
        let problems: Vec<String> =
            unknown.iter().map(|path| format!("unknown field {}", goquote::quote(path))).collect();
        match field_validation(call.request.query("fieldValidation")) {
            FieldValidation::Strict if !problems.is_empty() => {
                let (kind, version) = (&resource.kind, &resource.version);
                let why = decode::strict(&problems);
                return Err(Status::bad_request(format!(
                    "{kind} in version \"{version}\" cannot be handled as a {kind}: {why}"
                )));
            }
            FieldValidation::Warn => problems.into_iter().for_each(|problem| call.warn(problem)),
            _ => {}
        }
        fill(&schema, &mut object, 0);
        let mut errors = Errors::new();
        check(&schema, &object, "", 0, &mut errors);
        if errors.is_empty() {
            return Ok(object);
        }
        let stops = |reason: &str| reason != "FieldValueInvalid";
        if has_rules(&schema, 0) && errors.iter().any(|(_, _, reason)| stops(reason)) {
            let text = "Invalid value: null: some validation rules were not checked because the object was invalid; \
                        correct the existing errors to complete validation";
            errors.push(("<nil>".into(), text.into(), "FieldValueInvalid"));
        }
        let name = object["metadata"]["name"].str();
        Err(Status::invalid(&resource.group, &resource.kind, name, &errors))
    }
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() { field.to_string() } else { format!("{path}.{field}") }
}

fn prune(schema: &Value, value: &mut Value, path: &str, depth: usize, unknown: &mut Vec<String>) {
    if depth > DEEPEST {
        return;
    }
    if let Value::List(_) = value {
        let mut items = value.items().to_vec();
        for (index, item) in items.iter_mut().enumerate() {
            prune(&schema["items"], item, &format!("{path}[{index}]"), depth + 1, unknown);
        }
        *value = Value::list(items);
        return;
    }
    let Some(map) = value.as_map() else { return };
    let each = &schema["additionalProperties"];
    let own = &schema["properties"];
    let root = path.is_empty() && depth == 0;
    let mut out = value.clone();
    for (key, inner) in map.iter() {
        if root && matches!(key.as_str(), "apiVersion" | "kind" | "metadata") {
            continue;
        }
        let below = match own.get(key) {
            Value::Null => each,
            found => found,
        };
        let below_path = join(path, key);
        if below.is_null() {
            if !schema[PRESERVE].is_true() {
                unknown.push(below_path);
                out.remove(&[key.as_str()]);
            }
            continue;
        }
        let mut inner = inner.clone();
        prune(below, &mut inner, &below_path, depth + 1, unknown);
        out.set(&[key.as_str()], inner);
    }
    *value = out;
}

fn fill(schema: &Value, value: &mut Value, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    if let Value::List(_) = value {
        let mut items = value.items().to_vec();
        items.iter_mut().for_each(|item| fill(&schema["items"], item, depth + 1));
        *value = Value::list(items);
        return;
    }
    if value.as_map().is_none() {
        return;
    }
    for (key, below) in schema["properties"].entries().iter() {
        let given = value.get(key);
        let missing = given.is_null() && (!value.has(key) || !below["nullable"].is_true());
        let mut inner = if missing { below["default"].clone() } else { given.clone() };
        if inner.is_null() {
            continue;
        }
        fill(below, &mut inner, depth + 1);
        value.set(&[key.as_str()], inner);
    }
}

fn check(schema: &Value, value: &Value, path: &str, depth: usize, errors: &mut Errors) {
    if depth > DEEPEST || value.is_null() {
        return;
    }
    let mut say = |body: String, reason: &'static str| errors.push((path.to_string(), body, reason));
    let want = schema["type"].str();
    let is = match value {
        Value::Int(_) => "integer",
        Value::Float(_) => "number",
        Value::Bool(_) => "boolean",
        Value::Text(_) => "string",
        Value::List(_) => "array",
        _ => "object",
    };
    let fits = want.is_empty() || want == is || (want == "number" && is == "integer");
    if !fits {
        say(
            format!("Invalid value: \"{is}\": {path} in body must be of type {want}: \"{is}\""),
            "FieldValueTypeInvalid",
        );
        return;
    }
    let allowed = schema["enum"].items();
    if !allowed.is_empty() && !allowed.contains(value) {
        let list: Vec<String> = allowed.iter().map(json::compact).collect();
        say(
            format!("Unsupported value: {}: supported values: {}", json::compact(value), list.join(", ")),
            "FieldValueNotSupported",
        );
    }
    for (bound, words) in [("maximum", "less than or equal to"), ("minimum", "greater than or equal to")] {
        let (Some(limit), Some(number)) = (number(&schema[bound]), number(value)) else { continue };
        if (bound == "maximum" && number > limit) || (bound == "minimum" && number < limit) {
            let (shown, limit) = (json::compact(value), json::compact(&schema[bound]));
            say(format!("Invalid value: {shown}: {path} in body should be {words} {limit}"), "FieldValueInvalid");
        }
    }
    let most = &schema["maxItems"];
    let count = value.items().len();
    if !most.is_null() && i64::try_from(count).is_ok_and(|count| count > most.int()) {
        let limit = most.int();
        let noun = if limit == 1 { "item" } else { "items" };
        say(format!("Too many: {count}: must have at most {limit} {noun}"), "FieldValueTooMany");
    }
    for (index, item) in value.items().iter().enumerate() {
        check(&schema["items"], item, &format!("{path}[{index}]"), depth + 1, errors);
    }
    if value.as_map().is_none() {
        return;
    }
    for field in schema["required"].items() {
        if !value.has(field.str()) {
            errors.push((join(path, field.str()), "Required value".into(), "FieldValueRequired"));
        }
    }
    for (key, inner) in value.entries().iter() {
        let below = match schema["properties"].get(key) {
            Value::Null => &schema["additionalProperties"],
            found => found,
        };
        check(below, inner, &join(path, key), depth + 1, errors);
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// Whether a schema (or what holds one) asks for what is not checked here.
pub(super) fn has_unchecked(value: &Value) -> bool {
    const WORDS: [&str; 6] = ["pattern", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-validations"];
    fn look(value: &Value, depth: usize) -> bool {
        let known_format = ["", "int32", "int64", "float", "double"].contains(&value["format"].str());
        depth < DEEPEST
            && value.as_map().is_some()
            && (WORDS.iter().any(|word| value.has(word))
                || !known_format
                || ["items", "additionalProperties"].iter().any(|field| look(&value[*field], depth + 1))
                || value["properties"].entries().values().any(|below| look(below, depth + 1)))
    }
    look(value.at(&["schema", "openAPIV3Schema"]), 0)
}

fn has_rules(schema: &Value, depth: usize) -> bool {
    depth < DEEPEST
        && (!schema["x-kubernetes-validations"].is_null()
            || ["items", "additionalProperties"]
                .iter()
                .any(|field| schema[*field].as_map().is_some() && has_rules(&schema[*field], depth + 1))
            || schema["properties"].entries().values().any(|below| has_rules(below, depth + 1)))
}
