//! Patches: parts of objects laid over them, and lists of operations.

use super::{Resource, Trouble, id, missing, text};
use crate::api::patch as apply;
use crate::api::schema::type_of;
use crate::base::{Value, yaml};
use crate::process::{Files, clean};

pub fn patches(files: &Files, root: &str, file: &Value, resources: &mut Vec<Resource>) -> Result<(), Trouble> {
    for entry in file["patchesStrategicMerge"].items() {
        let word = entry.str();
        let content = if word.contains('\n') { word.to_string() } else { read(files, root, word)? };
        one(&content, &Value::Null, resources)?;
    }
    for entry in file["patches"].items().iter().chain(file["patchesJson6902"].items()) {
        let content = match entry["path"].str() {
            "" => entry["patch"].str().to_string(),
            path => read(files, root, path)?,
        };
        one(&content, &entry["target"], resources)?;
    }
    Ok(())
}

fn read(files: &Files, root: &str, path: &str) -> Result<String, Trouble> {
    let full = clean(root, path);
    files.read_text("/", &full).map_err(|_| {
        Trouble::Text(format!(
            "trouble configuring builtin PatchTransformer with config: `\npath: {path}\n`: failed to get the patch file \
             from path({path}): {}",
            missing(&full, &full)
        ))
    })
}

fn one(content: &str, target: &Value, resources: &mut Vec<Resource>) -> Result<(), Trouble> {
    let stream = yaml::read(content);
    if let Some(error) = stream.error {
        return text(format!("unable to parse SM or JSON patch from [{content}]: {}", error.text));
    }
    for patch in stream.documents.into_iter().map(|document| document.value) {
        if patch.as_list().is_some() {
            if target.is_null() {
                return text(format!("must specify a target for JSON patch {content}"));
            }
            for resource in resources.iter_mut().filter(|resource| selected(resource, target)) {
                resource.object = apply::json(&resource.object, &patch).map_err(|error| Trouble::Text(error.message))?;
            }
            continue;
        }
        let own = |resource: &Resource| match target.is_null() {
            true => is_meant(resource, &patch),
            false => selected(resource, target),
        };
        if target.is_null() && !resources.iter().any(own) {
            let id = id(&patch);
            return text(format!("no matches for Id {id}; failed to find unique target for patch {id}"));
        }
        if patch["$patch"].str() == "delete" {
            resources.retain(|resource| !own(resource));
            continue;
        }
        for resource in resources.iter_mut().filter(|resource| own(resource)) {
            overlay(resource, &patch)?;
        }
    }
    Ok(())
}

fn overlay(resource: &mut Resource, patch: &Value) -> Result<(), Trouble> {
    let (group, version) = resource.group_version();
    let ty = type_of(group, version, resource.kind()).map(|ty| ty.id);
    let kept = ["name", "namespace"].map(|field| resource.object.at(&["metadata", field]).clone());
    let mut patched = match ty {
        Some(ty) => {
            apply::strategic(ty, &resource.object, patch).map_err(|error| Trouble::Text(error.message))?
        }
        None => apply::merge(&resource.object, patch),
    };
    // A patch names what it is for; it does not rename it.
    for (field, value) in ["name", "namespace"].into_iter().zip(kept) {
        if value.is_null() {
            patched.remove(&["metadata", field]);
        } else {
            patched.set(&["metadata", field], value);
        }
    }
    for field in ["apiVersion", "kind"] {
        patched.set(&[field], &resource.object[field]);
    }
    resource.object = patched;
    Ok(())
}

fn is_meant(resource: &Resource, patch: &Value) -> bool {
    let meta = &patch["metadata"];
    let group = |object: &Value| object["apiVersion"].str().split_once('/').map_or("", |(group, _)| group).to_string();
    let namespace = meta["namespace"].str();
    resource.kind() == patch["kind"].str()
        && group(&resource.object) == group(patch)
        && resource.was_called(meta["name"].str())
        && (resource.namespace() == namespace || resource.former.iter().any(|(_, former)| former == namespace))
}

/// Whether a selector (of a patch or a replacement) speaks of an object; names are regular expressions upstream, here
/// plain words, alternatives and `.*`.
pub fn selected(resource: &Resource, target: &Value) -> bool {
    let (group, version) = resource.group_version();
    let is = |field: &str, value: &str| target[field].is_empty() || matches(target[field].str(), value);
    let named = target["name"].is_empty()
        || matches(target["name"].str(), resource.name())
        || resource.former.iter().any(|(name, _)| matches(target["name"].str(), name));
    let spaced = target["namespace"].is_empty()
        || matches(target["namespace"].str(), resource.namespace())
        || resource.former.iter().any(|(_, namespace)| matches(target["namespace"].str(), namespace));
    let chosen = |field: &str, of: &str| {
        target[field].str().split(',').filter(|term| !term.trim().is_empty()).all(|term| {
            let pairs = resource.object.at(&["metadata", of]);
            match term.trim().split_once('=') {
                Some((key, value)) => pairs.get(key.trim()).str() == value.trim_start_matches('=').trim(),
                None => pairs.has(term.trim()),
            }
        })
    };
    is("group", group)
        && is("version", version)
        && is("kind", resource.kind())
        && named
        && spaced
        && chosen("labelSelector", "labels")
        && chosen("annotationSelector", "annotations")
}

fn matches(pattern: &str, text: &str) -> bool {
    pattern.trim_start_matches('^').trim_end_matches('$').split('|').any(|one| {
        let parts: Vec<&str> = one.split(".*").collect();
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
        if parts.len() == 1 {
            return one == text;
        }
        let Some(mut rest) = text.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
        for middle in parts.iter().skip(1).take(parts.len() - 2) {
            match rest.find(middle) {
                Some(at) => rest = rest.get(at + middle.len()..).unwrap_or_default(),
                None => return false,
            }
        }
        true
    })
}
