//! ConfigMaps and Secrets from literals, files and lists of variables; hashes of their content.

use super::{Resource, Trouble, missing, text};
use crate::api::decode::encode_base64;
use crate::base::digest::{hex, sha256_of};
use crate::base::{Value, json};
use crate::map;
use crate::process::{Files, clean};

pub fn generate(
    files: &Files,
    root: &str,
    kind: &str,
    entry: &Value,
    common: &Value,
    resources: &mut Vec<Resource>,
) -> Result<(), Trouble> {
    let name = entry["name"].str();
    let mut object = map! { "apiVersion" => "v1", "kind" => kind, "metadata" => map! { "name" => name } };
    if !entry["namespace"].is_empty() {
        object.set(&["metadata", "namespace"], entry["namespace"].str());
    }
    for (key, bytes) in pairs(files, root, entry)? {
        let plain = String::from_utf8(bytes.clone()).ok();
        match (kind, plain) {
            ("Secret", _) => object.set(&["data", &key], encode_base64(&bytes)),
            (_, Some(plain)) => object.set(&["data", &key], plain),
            (_, None) => object.set(&["binaryData", &key], encode_base64(&bytes)),
        }
    }
    if kind == "Secret" {
        let ty = entry["type"].str();
        object.set(&["type"], if ty.is_empty() { "Opaque" } else { ty });
    }
    for options in [common, &entry["options"]] {
        for field in ["labels", "annotations"] {
            for (key, value) in options[field].entries().iter() {
                object.set(&["metadata", field, key], value);
            }
        }
        if options["immutable"].is_true() {
            object.set(&["immutable"], true);
        }
    }
    let hashed =
        ![common, &entry["options"]].iter().any(|options| options["disableNameSuffixHash"].is_true());
    let known = resources.iter().position(|one| one.kind() == kind && one.was_called(name));
    match (entry["behavior"].str(), known) {
        ("merge" | "replace", None) => text(format!(
            "merging from generator: id {} does not exist; cannot merge or replace",
            super::id(&object)
        )),
        (behavior @ ("merge" | "replace"), Some(at)) => {
            let Some(one) = resources.get_mut(at) else { return Ok(()) };
            if behavior == "replace" {
                for field in ["data", "binaryData"] {
                    one.object.remove(&[field]);
                }
            }
            for field in ["data", "binaryData"] {
                for (key, value) in object[field].entries().iter() {
                    one.object.set(&[field, key], value);
                }
            }
            for field in ["labels", "annotations"] {
                for (key, value) in object["metadata"][field].entries().iter() {
                    one.object.set(&["metadata", field, key], value);
                }
            }
            one.hashed = hashed;
            Ok(())
        }
        (_, Some(at)) if resources.get(at).is_some_and(|one| super::id(&one.object) == super::id(&object)) => {
            text(format!(
                "may not add resource with an already registered id: {}",
                super::id(&object)
            ))
        }
        _ => {
            resources.push(Resource { hashed, ..Resource::new(object) });
            Ok(())
        }
    }
}

fn pairs(files: &Files, root: &str, entry: &Value) -> Result<Vec<(String, Vec<u8>)>, Trouble> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    let read = |what: &str, list: &str, path: &str| {
        let full = clean(root, path);
        files.read("/", &full).map(|bytes| bytes.to_vec()).map_err(|_| {
            Trouble::Text(format!("loading KV pairs: {what} sources: [{list}]: {}", missing(&full, &full)))
        })
    };
    let words = |field: &str| -> Vec<String> { entry[field].items().iter().map(|v| v.str().to_string()).collect() };
    let mut envs = words("envs");
    envs.extend((!entry["env"].is_empty()).then(|| entry["env"].str().to_string()));
    for path in &envs {
        let bytes = read("env", &envs.join(" "), path)?;
        for line in String::from_utf8_lossy(&bytes).lines().map(str::trim_start) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            out.push((key.to_string(), value.as_bytes().to_vec()));
        }
    }
    for literal in words("literals") {
        let Some((key, value)) = literal.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return text(format!(
                "loading KV pairs: literal sources [{}]: invalid literal source {literal}, expected key=value",
                words("literals").join(" ")
            ));
        };
        let quoted = value.len() > 1 && ['"', '\''].iter().any(|q| value.starts_with(*q) && value.ends_with(*q));
        let value = if quoted { value.get(1..value.len() - 1).unwrap_or_default() } else { value };
        out.push((key.to_string(), value.as_bytes().to_vec()));
    }
    for source in words("files") {
        let (key, path) = match source.split_once('=') {
            Some((key, path)) => (key.to_string(), path.to_string()),
            None => (source.rsplit('/').next().unwrap_or_default().to_string(), source.clone()),
        };
        let bytes = read("file", &words("files").join(" "), &path)?;
        out.push((key, bytes));
    }
    Ok(out)
}

/// Ten characters of the content's SHA-256, without letters that make words.
pub fn hash(object: &Value) -> String {
    let data = if object["data"].is_empty() { Value::text("") } else { object["data"].clone() };
    let mut content = map! { "kind" => object["kind"].clone(), "name" => "", "data" => data };
    if object["kind"].str() == "Secret" {
        content.set(&["type"], object["type"].str());
    }
    if !object["binaryData"].is_empty() {
        content.set(&["binaryData"], &object["binaryData"]);
    }
    let plain = json::compact(&content);
    let escaped = plain.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let digest = hex(&sha256_of(escaped.as_bytes()));
    let letter = |c: char| match c {
        '0' => 'g',
        '1' => 'h',
        '3' => 'k',
        'a' => 'm',
        'e' => 't',
        other => other,
    };
    digest.chars().take(10).map(letter).collect()
}
