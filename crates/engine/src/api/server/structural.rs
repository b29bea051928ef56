//! Structural schemas of custom resources: fields that no schema knows are pruned (or refused), defaults are put in, and
//! values are checked, then rules in CEL. What an update leaves as it was is not looked at again. Left out: formats that
//! few people use, rules on types beyond JSON (`has_unchecked` tells of them).

use super::body::field_validation;
use super::schema_rules::{self, formatted};
use super::{Call, Result, Server};
use crate::api::decode::{self, FieldValidation};
use crate::api::status::Status;
use crate::base::cel;
use crate::base::go_regex::Regex;
use crate::base::{Value, goquote, json};

pub(super) const DEEPEST: usize = 60;
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

pub(super) type Errors = Vec<(String, String, &'static str)>;

impl Server {
    /// The object as its definition's schema makes it; built-in kinds are left as they are.
    pub(super) fn structural(&self, call: &mut Call<'_, '_>, mut object: Value, old: &Value) -> Result<Value> {
        let resource = call.target.resource.clone();
        if resource.known.is_some() {
            return Ok(object);
        }
        let (schema, scale) = match self.definition_of(&resource) {
            Some((_, version)) => {
                (version.at(&["schema", "openAPIV3Schema"]).clone(), version["subresources"]["scale"].clone())
            }
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
        check(&schema, &object, old, "", 0, &mut errors);
        if !scale.is_null() {
            schema_rules::scale(&scale, &object, &mut errors);
        }
        let stops = |reason: &str| !matches!(reason, "FieldValueInvalid" | "FieldValueDuplicate");
        if !errors.iter().any(|(_, _, reason)| stops(reason)) {
            schema_rules::rules(&schema, &object, old, "", 0, &mut errors);
        } else if has_rules(&schema, 0) {
            let text = "Invalid value: null: some validation rules were not checked because the object was invalid; \
                        correct the existing errors to complete validation";
            errors.push(("<nil>".into(), text.into(), "FieldValueInvalid"));
        }
        if errors.is_empty() {
            return Ok(object);
        }
        let name = object["metadata"]["name"].str();
        Err(Status::invalid(&resource.group, &resource.kind, name, &errors))
    }
}

pub(super) fn join(path: &str, field: &str) -> String {
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

fn check(schema: &Value, value: &Value, old: &Value, path: &str, depth: usize, errors: &mut Errors) {
    if depth > DEEPEST || value.is_null() || value == old {
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
    composed(schema, value, path, depth, errors);
    let mut say = |body: String, reason: &'static str| errors.push((path.to_string(), body, reason));
    let allowed = schema["enum"].items();
    if !allowed.is_empty() && !allowed.contains(value) {
        let list: Vec<String> = allowed.iter().map(json::compact).collect();
        say(
            format!("Unsupported value: {}: supported values: {}", json::compact(value), list.join(", ")),
            "FieldValueNotSupported",
        );
    }
    let shown = || json::compact(value);
    let limits = [
        ("maximum", "exclusiveMaximum", "should be less than"),
        ("minimum", "exclusiveMinimum", "should be greater than"),
    ];
    for (bound, exclusive, words) in limits {
        let (Some(limit), Some(have)) = (number(&schema[bound]), number(value)) else { continue };
        let strict = schema[exclusive].is_true();
        let past = if bound == "maximum" { have > limit } else { have < limit };
        if past || (strict && have == limit) {
            let (equal, limit) = (if strict { "" } else { " or equal to" }, json::compact(&schema[bound]));
            say(format!("Invalid value: {}: {path} in body {words}{equal} {limit}", shown()), "FieldValueInvalid");
        }
    }
    if let (Some(part), Some(have)) = (number(&schema["multipleOf"]), number(value))
        && part != 0.0
        && have % part != 0.0
    {
        let part = json::compact(&schema["multipleOf"]);
        let text = format!("Invalid value: {}: {path} in body should be a multiple of {part}", shown());
        say(text, "FieldValueInvalid");
    }
    if let Value::Text(text) = value {
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        if let Some(most) = schema["maxLength"].as_int().filter(|most| length > *most) {
            say(format!("Too long: may not be more than {most} characters"), "FieldValueTooLong");
        }
        if let Some(least) = schema["minLength"].as_int().filter(|least| length < *least) {
            let text = format!("Invalid value: {}: {path} in body should be at least {least} chars long", shown());
            say(text, "FieldValueInvalid");
        }
        let pattern = schema["pattern"].str();
        if !pattern.is_empty() && Regex::new(pattern).is_ok_and(|regex| !regex.is_match(text)) {
            say(format!("Invalid value: {}: {path} in body should match '{pattern}'", shown()), "FieldValueInvalid");
        }
        let format = schema["format"].str();
        if formatted(format, text) == Some(false) {
            let text = format!("Invalid value: {0}: {path} in body must be of type {format}: {0}", shown());
            say(text, "FieldValueTypeInvalid");
        }
    }
    for (index, item) in value.items().iter().enumerate() {
        check(&schema["items"], item, &Value::Null, &format!("{path}[{index}]"), depth + 1, errors);
    }
    let mut say = |body: String, reason: &'static str| errors.push((path.to_string(), body, reason));
    let (count, most, least, noun, word) = match value {
        Value::Map(map) => (map.len(), "maxProperties", "minProperties", "properties", "property"),
        value => (value.items().len(), "maxItems", "minItems", "items", "item"),
    };
    if matches!(value, Value::Map(_) | Value::List(_)) {
        let size = i64::try_from(count).unwrap_or(i64::MAX);
        if let Some(limit) = schema[most].as_int().filter(|limit| size > *limit) {
            let noun = if limit == 1 { word } else { noun };
            say(format!("Too many: {count}: must have at most {limit} {noun}"), "FieldValueTooMany");
        }
        if let Some(limit) = schema[least].as_int().filter(|limit| size < *limit) {
            let text = format!("Invalid value: {count}: {path} in body should have at least {limit} {noun}");
            say(text, "FieldValueInvalid");
        }
    }
    doubles(schema, value, path, errors);
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
        check(below, inner, old.get(key), &join(path, key), depth + 1, errors);
    }
}

/// `allOf`, `anyOf`, `oneOf`, `not`.
fn composed(schema: &Value, value: &Value, path: &str, depth: usize, errors: &mut Errors) {
    let tried = |schema: &Value| {
        let mut errors = Errors::new();
        check(schema, value, &Value::Null, path, depth + 1, &mut errors);
        errors
    };
    let mut say = |text: String, found: Errors| {
        let body = format!("Invalid value: \"\": {} {text}", goquote::quote(path));
        errors.push((path.to_string(), body, "FieldValueInvalid"));
        errors.extend(found);
    };
    for (word, rule) in [("anyOf", "at least one schema (anyOf)"), ("oneOf", "one and only one schema (oneOf)")] {
        let all: Vec<Errors> = schema[word].items().iter().map(tried).collect();
        let valid = all.iter().filter(|errors| errors.is_empty()).count();
        if all.is_empty() || valid == 1 || (valid > 1 && word == "anyOf") {
            continue;
        }
        let found = match (word, valid) {
            ("anyOf", _) => String::new(),
            (_, 0) => ". Found none valid".to_string(),
            (_, valid) => format!(". Found {valid} valid alternatives"),
        };
        let best = if valid == 0 { all.into_iter().next().unwrap_or_default() } else { Errors::new() };
        say(format!("must validate {rule}{found}"), best);
    }
    let all: Vec<Errors> = schema["allOf"].items().iter().map(tried).collect();
    if all.iter().any(|errors| !errors.is_empty()) {
        let none = if all.iter().any(Vec::is_empty) { "" } else { ". None validated" };
        say(format!("must validate all the schemas (allOf){none}"), all.into_iter().flatten().collect());
    }
    if schema["not"].as_map().is_some() && tried(&schema["not"]).is_empty() {
        say("must not validate the schema (not)".into(), Errors::new());
    }
}

/// Members of sets, keys of maps in the form of a list, are there once.
fn doubles(schema: &Value, value: &Value, path: &str, errors: &mut Errors) {
    let keys = &schema["x-kubernetes-list-map-keys"];
    let mut seen: Vec<Value> = Vec::new();
    for (index, item) in value.items().iter().enumerate() {
        let key = match schema["x-kubernetes-list-type"].str() {
            "set" => item.clone(),
            "map" => {
                let mut key = Value::empty_map();
                for name in keys.items() {
                    key.set(&[name.str()], item.get(name.str()));
                }
                key
            }
            _ => return,
        };
        if seen.contains(&key) {
            let body = format!("Duplicate value: {}", json::compact(&key));
            errors.push((format!("{path}[{index}]"), body, "FieldValueDuplicate"));
        } else {
            seen.push(key);
        }
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
    fn look(value: &Value, depth: usize) -> bool {
        const NUMBERS: [&str; 5] = ["", "int32", "int64", "float", "double"];
        let format = value["format"].str();
        let pattern = value["pattern"].str();
        let unknown = |rule: &Value| {
            !cel::is_known(rule["rule"].str())
                || (rule.has("messageExpression") && !cel::is_known(rule["messageExpression"].str()))
        };
        let below = |word: &str| value[word].items().iter().any(|inner| look(inner, depth + 1));
        depth < DEEPEST
            && value.as_map().is_some()
            && (!(NUMBERS.contains(&format) || formatted(format, "").is_some())
                || (!pattern.is_empty() && Regex::new(pattern).is_err())
                || value["x-kubernetes-validations"].items().iter().any(unknown)
                || ["allOf", "anyOf", "oneOf"].iter().any(|word| below(word))
                || ["items", "additionalProperties", "not"].iter().any(|field| look(&value[*field], depth + 1))
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
