//! ConfigMaps, Secrets, Namespaces, Nodes.

use super::common::{Errors, same};
use super::{meta, names};
use crate::api::decode::decode_base64;
use crate::api::field_error::{FieldError, Path};
use crate::base::{Value, json};

const MOST: usize = 1024 * 1024;

pub fn config_map(errors: &mut Errors, object: &Value) {
    let (data, binary) = (&object["data"], &object["binaryData"]);
    let mut size = 0_usize;
    for (key, value) in data.entries().iter() {
        let at = Path::new("data").key(key);
        errors.complain(&at, key, names::config_key(key));
        if binary.has(key) {
            errors.invalid(&at, key, "duplicate of key present in binaryData");
        }
        size = size.saturating_add(value.str().len());
    }
    for (key, value) in binary.entries().iter() {
        errors.complain(&Path::new("binaryData").key(key), key, names::config_key(key));
        size = size.saturating_add(decode_base64(value.str()).map_or(0, |bytes| bytes.len()));
    }
    if size > MOST {
        errors.push(FieldError::too_long(&Path::root(), MOST));
    }
}

fn frozen(errors: &mut Errors, new: &Value, old: &Value, keys: &[&str]) {
    if !old["immutable"].is_true() {
        return;
    }
    let detail = "field is immutable when `immutable` is set";
    if !new["immutable"].is_true() {
        errors.forbidden(&Path::new("immutable"), detail);
    }
    for key in keys {
        let (new, old) = (&new[*key], &old[*key]);
        if !same(new, old) {
            errors.forbidden(&Path::new(key), detail);
        }
    }
}

pub fn config_map_update(errors: &mut Errors, new: &Value, old: &Value) {
    frozen(errors, new, old, &["data", "binaryData"]);
    config_map(errors, new);
}

pub fn secret(errors: &mut Errors, object: &Value) {
    let data = &object["data"];
    let mut size = 0_usize;
    for (key, value) in data.entries().iter() {
        errors.complain(&Path::new("data").key(key), key, names::config_key(key));
        size = size.saturating_add(decode_base64(value.str()).map_or(0, |bytes| bytes.len()));
    }
    if size > MOST {
        errors.push(FieldError::too_long(&Path::new("data"), MOST));
    }
    let require = |errors: &mut Errors, key: &str| {
        if !data.has(key) {
            errors.required(&Path::new("data").key(key), "");
        }
    };
    match object["type"].str() {
        "kubernetes.io/service-account-token" => {
            let key = "kubernetes.io/service-account.name";
            if crate::api::object::annotation(object, key).is_empty() {
                errors.required(&Path::new("metadata").child("annotations").key(key), "");
            }
        }
        "kubernetes.io/dockercfg" => docker(errors, data, ".dockercfg"),
        "kubernetes.io/dockerconfigjson" => docker(errors, data, ".dockerconfigjson"),
        "kubernetes.io/basic-auth" if !data.has("username") && !data.has("password") => {
            require(errors, "username");
            require(errors, "password");
        }
        "kubernetes.io/ssh-auth" if data["ssh-privatekey"].is_empty() => {
            errors.required(&Path::new("data").key("ssh-privatekey"), "");
        }
        "kubernetes.io/tls" => {
            require(errors, "tls.crt");
            require(errors, "tls.key");
        }
        _ => {}
    }
}

fn docker(errors: &mut Errors, data: &Value, key: &str) {
    let at = Path::new("data").key(key);
    if !data.has(key) {
        return errors.required(&at, "");
    }
    let bytes = decode_base64(data[key].str()).unwrap_or_default();
    if let Some(detail) = go_json_error(&String::from_utf8_lossy(&bytes)) {
        errors.invalid(&at, "<secret contents redacted>", &detail);
    }
}

/// What Go's decoder says of a text that is not a JSON object.
fn go_json_error(text: &str) -> Option<String> {
    let trimmed = text.trim_start();
    let Err(_) = json::parse(text) else {
        let value = json::parse(text).unwrap_or_default();
        let map = value.is_null() || value.as_map().is_some();
        return (!map).then(|| {
            format!("json: cannot unmarshal {} into Go value of type map[string]interface {{}}", value.type_name())
        });
    };
    let Some(first) = trimmed.chars().next() else { return Some("unexpected end of JSON input".into()) };
    for literal in ["null", "true", "false"] {
        if literal.starts_with(first) {
            let wrong = trimmed.chars().zip(literal.chars()).find(|(a, b)| a != b);
            return Some(match wrong {
                Some((have, want)) => {
                    format!("invalid character '{have}' in literal {literal} (expecting '{want}')")
                }
                None if trimmed.len() < literal.len() => "unexpected end of JSON input".into(),
                None => "invalid character after top-level value".into(),
            });
        }
    }
    let value = first.is_ascii_digit() || matches!(first, '{' | '[' | '"' | '-');
    Some(if value {
        "unexpected end of JSON input".into()
    } else {
        format!("invalid character '{first}' looking for beginning of value")
    })
}

pub fn secret_update(errors: &mut Errors, new: &Value, old: &Value) {
    errors.immutable(&Path::new("type"), &new["type"], &old["type"]);
    frozen(errors, new, old, &["data"]);
    secret(errors, new);
}

pub fn namespace(errors: &mut Errors, object: &Value) {
    for finalizer in object["spec"]["finalizers"].items() {
        // The server names no index here.
        meta::finalizer_name(errors, &Path::new("spec").child("finalizers"), finalizer.str());
    }
}

/// Events of core/v1: in the namespace of what they tell about.
pub fn event(errors: &mut Errors, object: &Value) {
    let own = object["metadata"]["namespace"].str();
    let of = object["involvedObject"]["namespace"].str();
    let fits = if of.is_empty() { matches!(own, "" | "default") } else { own == of };
    if !fits {
        errors.invalid(&Path::new("involvedObject").child("namespace"), of, "does not match event.namespace");
    }
}

pub fn node(errors: &mut Errors, object: &Value) {
    let mut seen = crate::base::BTreeSet::new();
    for (index, taint) in object["spec"]["taints"].items().iter().enumerate() {
        let at = Path::new("spec").child("taints").index(index);
        let (key, value, effect) = (taint["key"].str(), taint["value"].str(), &taint["effect"]);
        errors.label_key(&at.child("key"), key);
        errors.complain(&at.child("value"), value, names::label_value(value));
        match effect.str() {
            "" => errors.required(&at.child("effect"), ""),
            _ => errors.one_of(&at.child("effect"), effect, &["NoSchedule", "PreferNoSchedule", "NoExecute"]),
        }
        if !seen.insert((key.to_owned(), effect.str().to_owned())) {
            let shown = super::internal::compact("core.v1", "Taint", taint);
            errors.push(FieldError::duplicate_shown(&at, &shown));
        }
    }
}

pub fn node_update(errors: &mut Errors, new: &Value, old: &Value) {
    node(errors, new);
    let at = Path::new("spec");
    let (was, now) = (&old["spec"], &new["spec"]);
    // The first of the list and the single one are the same field.
    let moved = ["podCIDR", "podCIDRs"].iter().any(|key| was[*key] != now[*key]);
    if !was["podCIDRs"].is_empty() && moved {
        errors.forbidden(&at.child("podCIDRs"), "node updates may not change podCIDR except from \"\" to valid");
    }
    if !was["providerID"].is_empty() && was["providerID"] != now["providerID"] {
        errors.forbidden(&at.child("providerID"), "node updates may not change providerID except from \"\" to valid");
    }
}
