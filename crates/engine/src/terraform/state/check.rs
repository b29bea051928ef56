//! Whether a state file is one: what the reader says of a file it cannot use (upstream: terraform's statefile).

use crate::base::SmolStr;
use crate::base::goquote::quote;
use crate::terraform::command::VERSION;
use crate::terraform::hcl::Diagnostic;
use crate::terraform::value::{Kind, Value, decode_at, type_from_json};

const UNSUPPORTED: &str = "Unsupported state file format";

/// What a field of the file must be.
enum Of {
    Text,
    Whole,
    Bool,
    Map(&'static [(&'static str, Of)]),
    Object(&'static [(&'static str, Of)]),
    Many(&'static [(&'static str, Of)]),
}

const OUTPUT: &[(&str, Of)] = &[("sensitive", Of::Bool)];
const INSTANCE: &[(&str, Of)] = &[
    ("status", Of::Text),
    ("deposed", Of::Text),
    ("schema_version", Of::Whole),
    ("private", Of::Text),
    ("create_before_destroy", Of::Bool),
];
const RESOURCE: &[(&str, Of)] = &[
    ("module", Of::Text),
    ("mode", Of::Text),
    ("type", Of::Text),
    ("name", Of::Text),
    ("each", Of::Text),
    ("provider", Of::Text),
    ("instances", Of::Many(INSTANCE)),
];
const FILE: &[(&str, Of)] = &[
    ("terraform_version", Of::Text),
    ("serial", Of::Whole),
    ("lineage", Of::Text),
    ("outputs", Of::Map(OUTPUT)),
    ("resources", Of::Many(RESOURCE)),
];

fn wrong(summary: &str, detail: impl Into<String>) -> Diagnostic {
    Diagnostic::sourceless(summary, detail)
}

/// As Go's JSON names what it met.
fn what(value: &Value, of: Option<&Of>) -> String {
    match &value.kind {
        Kind::Number(_) if of.is_some_and(|of| !matches!(of, Of::Whole)) => "number".into(),
        Kind::Bool(_) => "bool".into(),
        Kind::String(_) => "string".into(),
        Kind::Number(number) => format!("number {number}"),
        _ if value.entries().is_some() => "object".into(),
        _ => "array".into(),
    }
}

/// Where something is not what it must be, and what it is instead.
fn mismatch(path: &str, value: &Value, of: &Of) -> Option<(String, String)> {
    let refused = || Some((path.to_string(), what(value, Some(of))));
    let fields = |inside: &str, value: &Value, of: &'static [(&'static str, Of)]| {
        of.iter().find_map(|(name, of)| mismatch(&format!("{inside}{name}"), value.get(name)?, of))
    };
    let inside = if path.is_empty() { String::new() } else { format!("{path}.") };
    match of {
        _ if value.is_null() => None,
        Of::Text => value.as_str().is_none().then(refused)?,
        Of::Bool => value.as_bool().is_none().then(refused)?,
        Of::Whole => value.as_int().is_none_or(|number| number < 0).then(refused)?,
        Of::Object(of) if value.entries().is_some() => fields(&inside, value, of),
        Of::Map(of) if value.entries().is_some() => {
            value.entries().into_iter().flatten().find_map(|(_, entry)| entry_of(path, entry, of))
        }
        Of::Many(of) if value.entries().is_none() => match value.items() {
            Some(items) => items.iter().find_map(|item| entry_of(path, item, of)),
            None => refused(),
        },
        _ => refused(),
    }
}

fn entry_of(path: &str, value: &Value, of: &'static [(&'static str, Of)]) -> Option<(String, String)> {
    mismatch(path, value, &Of::Object(of))
}

/// The file as JSON of version 4; or all that is wrong.
pub fn sound(text: &str) -> Result<Value, Vec<Diagnostic>> {
    if text.starts_with("tfstate") {
        let detail = "The state is stored in a legacy binary format that is not supported since Terraform v0.7. To continue, first upgrade the state using Terraform 0.6.16 or earlier.";
        return Err(vec![wrong(UNSUPPORTED, detail)]);
    }
    let mut found = Vec::new();
    let json = decode_at(text)
        .map_err(|(_, at)| format!("The state file could not be parsed as JSON: syntax error at byte offset {at}."));
    let version = match &json {
        Err(detail) => {
            found.push(wrong(UNSUPPORTED, detail.as_str()));
            None
        }
        Ok(json) => {
            let given = if json.entries().is_some() { json.get("version") } else { Some(json) };
            let given = given.filter(|given| !given.is_null());
            let version = given.and_then(Value::as_int).filter(|version| *version >= 0 && json.entries().is_some());
            if let Some(given) = given.filter(|_| version.is_none()) {
                let detail = format!(
                    "The version in the state file is {}. A positive whole number is required.",
                    what(given, None)
                );
                found.push(wrong(UNSUPPORTED, detail));
                // A number that does not fit leaves the field set.
                if json.entries().is_some() {
                    return Err(found);
                }
            }
            version
        }
    };
    let (Ok(json), Some(version)) = (json, version) else {
        let detail =
            "The state file does not have a \"version\" attribute, which is required to identify the format version.";
        found.push(wrong(UNSUPPORTED, detail));
        return Err(found);
    };
    match version {
        // Older ones without content say nothing; those with are left out.
        1..=3 => {
            if json.get("modules").is_some() {
                return Err(vec![older(version)]);
            }
            let said = |name: &str| Some((SmolStr::from(name), json.get(name)?.clone()));
            return Ok(Value::object(["serial", "lineage"].into_iter().filter_map(said).collect()));
        }
        4 => {}
        0 => {
            let detail = "The state file uses JSON syntax but has a version number of zero. There was never a JSON-based state format zero, so this state file is invalid and cannot be processed.";
            return Err(vec![wrong(UNSUPPORTED, detail)]);
        }
        other => {
            let by = match json.get("terraform_version").and_then(Value::as_str).filter(|text| is_version(text)) {
                Some(text) => format!("was created by Terraform {text}"),
                None => "may have been created by a newer version of Terraform".into(),
            };
            let detail = format!(
                "The state file uses format version {other}, which is not supported by Terraform {VERSION}. This state file {by}."
            );
            return Err(vec![wrong(UNSUPPORTED, detail)]);
        }
    }
    if let Some((path, what)) = mismatch("", &json, &Of::Object(FILE)) {
        let detail = format!("The state file field {} has invalid value {what}", quote(&path));
        return Err(vec![wrong("Invalid state file format", detail)]);
    }
    if let Some(text) = json.get("terraform_version").and_then(Value::as_str).filter(|text| !is_version(text)) {
        // Nothing at all is a version of the past.
        if !text.is_empty() {
            let detail = format!(
                "State file claims to have been written by Terraform version {}, which is not a valid version string.",
                quote(text)
            );
            return Err(vec![wrong("Invalid Terraform version string", detail)]);
        }
    }
    for resource in json.get("resources").and_then(Value::items).into_iter().flatten() {
        found.extend(unknown_mode(resource));
        found.extend(wrong_instances(resource));
    }
    for (name, output) in json.get("outputs").and_then(Value::entries).into_iter().flatten() {
        let Some(ty) = output.get("type").filter(|ty| type_from_json(ty).is_none()) else { continue };
        let reason = match ty.as_str() {
            Some(name) => format!("invalid primitive type name {}", quote(name)),
            None => "invalid complex type description".into(),
        };
        let detail = format!("The state file has an invalid type specification for output {}: {reason}.", quote(name));
        found.push(wrong("Invalid output value type in state", detail));
    }
    if found.is_empty() { Ok(json) } else { Err(found) }
}

fn older(version: i64) -> Diagnostic {
    wrong("Not simulated", format!("State files of version {version} are not read here."))
}

/// Instances with keys or a status that there is not.
fn wrong_instances(resource: &Value) -> Vec<Diagnostic> {
    let text = |name: &str| resource.get(name).and_then(Value::as_str).unwrap_or_default();
    let data = if text("mode") == "data" { "data." } else { "" };
    let module = if text("module").is_empty() { String::new() } else { format!("{}.", text("module")) };
    let address = format!("{module}{data}{}.{}", text("type"), text("name"));
    let mut found = Vec::new();
    for instance in resource.get("instances").and_then(Value::items).into_iter().flatten() {
        let mut tell = |detail: String| found.push(wrong("Invalid resource instance metadata in state", detail));
        let key = instance.get("index_key").filter(|key| !key.is_null());
        let shown = match key.map(|key| (key.as_int(), key.as_str(), key.as_bool())) {
            None => String::new(),
            Some((Some(index), ..)) => format!("[{index}]"),
            Some((_, Some(text), _)) => format!("[{}]", quote(text)),
            Some((.., Some(truth))) => {
                tell(format!("Resource {address} has an instance with the invalid instance key {truth}."));
                continue;
            }
            Some(_) => continue,
        };
        let status = instance.get("status").and_then(Value::as_str).unwrap_or_default();
        if !matches!(status, "" | "tainted") {
            tell(format!("Instance {address}{shown} has invalid status {}.", quote(status)));
        }
    }
    found
}

fn unknown_mode(resource: &Value) -> Option<Diagnostic> {
    let text = |name: &str| resource.get(name).and_then(Value::as_str).unwrap_or_default();
    let mode = text("mode");
    let detail = format!(
        "State contains a resource with mode {} ({} {}) which is not supported.",
        quote(mode),
        quote(text("type")),
        quote(text("name"))
    );
    (!matches!(mode, "managed" | "data")).then(|| wrong("Invalid resource mode in state", detail))
}

/// `1.2`, `v1.2.3-beta+x`
fn is_version(text: &str) -> bool {
    let numbers = text.strip_prefix('v').unwrap_or(text).split(['-', '+']).next().unwrap_or_default();
    numbers.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}
