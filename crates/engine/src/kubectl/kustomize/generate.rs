//! ConfigMaps and Secrets made from literals and files, and the hash in their names.

use super::{Build, Item};
use crate::api::decode::encode_base64;
use crate::base::{Value, digest, json};
use crate::map;

/// The ending of a ConfigMap's or Secret's name that tells its content.
pub fn hash_suffix(object: &Value, name: &str) -> String {
    let kind = object["kind"].str();
    let mut content = map! { "kind" => kind, "name" => name };
    content.set(&["data"], if object["data"].is_null() { Value::text("") } else { object["data"].clone() });
    if kind == "Secret" {
        content.set(&["type"], object["type"].str());
    }
    for field in ["binaryData", "stringData"] {
        if !object[field].is_empty() {
            content.set(&[field], object[field].clone());
        }
    }
    let hash = digest::hex(&digest::sha256_of(json::compact(&content).as_bytes()));
    let letter = |c| match c {
        '0' => 'g',
        '1' => 'h',
        '3' => 'k',
        'a' => 'm',
        'e' => 't',
        c => c,
    };
    hash.chars().take(10).map(letter).collect()
}

impl Build<'_> {
    pub(super) fn generators(&mut self, root: &str, file: &Value, items: &mut Vec<Item>) -> Result<(), String> {
        for (field, kind) in [("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")] {
            for spec in file[field].items() {
                let new = self.generated(root, file, spec, kind)?;
                take(items, new, spec["behavior"].str(), kind)?;
            }
        }
        Ok(())
    }

    fn generated(&self, root: &str, file: &Value, spec: &Value, kind: &str) -> Result<Item, String> {
        let mut object =
            map! { "apiVersion" => "v1", "kind" => kind, "metadata" => map! { "name" => spec["name"].clone() } };
        if !spec["namespace"].str().is_empty() {
            object.set(&["metadata", "namespace"], spec["namespace"].clone());
        }
        let (common, own) = (&file["generatorOptions"], &spec["options"]);
        for field in ["labels", "annotations"] {
            for (key, value) in common[field].entries().iter().chain(own[field].entries().iter()) {
                object.set(&["metadata", field, key], value.clone());
            }
        }
        for (key, bytes) in self.pairs(root, spec).map_err(|why| format!("loading KV pairs: {why}"))? {
            let (field, text) = match (kind, String::from_utf8(bytes)) {
                ("Secret", Ok(text)) => ("data", encode_base64(text.as_bytes())),
                ("Secret", Err(error)) => ("data", encode_base64(error.as_bytes())),
                (_, Ok(text)) => ("data", text),
                (_, Err(error)) => ("binaryData", encode_base64(error.as_bytes())),
            };
            if object[field].has(&key) {
                return Err(format!("configmap {} illegally repeats the key `{key}`", spec["name"].str()));
            }
            object.set(&[field, &key], text);
        }
        if kind == "Secret" {
            object.set(&["type"], if spec["type"].str().is_empty() { "Opaque" } else { spec["type"].str() });
        }
        if own["immutable"].is_true() || common["immutable"].is_true() {
            object.set(&["immutable"], true);
        }
        let plain = own["disableNameSuffixHash"].is_true() || common["disableNameSuffixHash"].is_true();
        Ok(Item { hashed: !plain, ..Item::new(object) })
    }

    fn pairs(&self, root: &str, spec: &Value) -> Result<Vec<(String, Vec<u8>)>, String> {
        let mut out = Vec::new();
        let envs = spec["envs"].items().iter().chain(Some(&spec["env"]).filter(|env| !env.is_null()));
        for path in envs.map(Value::str) {
            let text = self.text(root, path).map_err(|why| format!("env source files: [{path}]: {why}"))?;
            for line in text.trim_start_matches('\u{feff}').lines().map(str::trim_start) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                let (key, value) = match line.split_once('=') {
                    Some((key, value)) => (key.to_string(), value.to_string()),
                    None => (line.to_string(), self.env.get(line).cloned().unwrap_or_default()),
                };
                out.push((key, value.into_bytes()));
            }
        }
        for literal in spec["literals"].items().iter().map(Value::str) {
            match literal.split_once('=') {
                Some((key, value)) if !key.is_empty() => {
                    let value = value.trim_matches(['"', '\'']);
                    out.push((key.into(), value.as_bytes().to_vec()));
                }
                _ => {
                    return Err(format!(
                        "literal sources [{literal}]: invalid literal source {literal}, expected key=value"
                    ));
                }
            }
        }
        for source in spec["files"].items().iter().map(Value::str) {
            let (key, path) = source.split_once('=').unwrap_or(("", source));
            let base = path.rsplit('/').next().unwrap_or_default();
            let bytes = self.file(root, path).map_err(|why| format!("file sources: [{source}]: {why}"))?;
            out.push((if key.is_empty() { base.into() } else { key.into() }, bytes));
        }
        Ok(out)
    }
}

/// Adds a generated object, or changes one that is there.
fn take(items: &mut Vec<Item>, new: Item, behavior: &str, kind: &str) -> Result<(), String> {
    let fits = |item: &Item| {
        item.kind() == kind
            && item.ids().any(|(name, namespace)| {
                name == new.name() && (namespace == new.namespace() || new.namespace().is_empty())
            })
    };
    let known = items.iter().position(fits);
    match (behavior, known) {
        ("" | "create" | "unspecified", Some(_)) => {
            let behavior = if behavior.is_empty() { "unspecified" } else { behavior };
            Err(format!(
                "merging from generator &{{0xc0005a2d80 <nil>}}: {} exists; can not use behavior: '{behavior}', behavior \
                 must be merge or replace",
                shown(&new)
            ))
        }
        ("" | "create" | "unspecified", None) => {
            items.push(new);
            Ok(())
        }
        ("merge" | "replace", Some(at)) => {
            let Some(old) = items.get_mut(at) else { return Ok(()) };
            old.hashed |= new.hashed;
            if kind == "Secret" {
                old.value.set(&["type"], new.value["type"].clone());
            }
            for field in ["data", "binaryData"] {
                if behavior == "replace" {
                    old.value.remove(&[field]);
                }
                for (key, value) in new.value[field].entries().iter() {
                    old.value.set(&[field, key], value.clone());
                }
            }
            for field in ["labels", "annotations"] {
                for (key, value) in new.value.at(&["metadata", field]).entries().iter() {
                    old.value.set(&["metadata", field, key], value.clone());
                }
            }
            Ok(())
        }
        (_, _) => Err(format!(
            "merging from generator &{{0xc0005a2d80 <nil>}}: {} does not exist; cannot merge or replace",
            shown(&new)
        )),
    }
}

fn shown(item: &Item) -> String {
    format!(
        "id resid.ResId{{Gvk:resid.Gvk{{Group:\"\", Version:\"v1\", Kind:\"{}\", isClusterScoped:false}}, Name:\"{}\", \
         Namespace:\"{}\"}}",
        item.kind(),
        item.name(),
        item.namespace()
    )
}
