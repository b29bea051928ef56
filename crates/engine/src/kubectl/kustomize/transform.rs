//! What a kustomization does to the objects it has gathered, in kustomize's order.

use super::{Build, Item, fields, merge};
use crate::api::patch;
use crate::api::schema::{self, Type};
use crate::base::{Value, yaml};
use crate::shell::Regex;

impl Build<'_> {
    pub(super) fn transform(&mut self, root: &str, file: &Value, items: &mut Vec<Item>) -> Result<(), String> {
        for patch in file["patchesStrategicMerge"].items() {
            let text = match self.text(root, patch.str()) {
                Ok(text) => text,
                Err(_) if patch.str().contains('\n') => patch.str().to_string(),
                Err(why) => return Err(why),
            };
            apply(items, &text, &Value::Null, &Value::Null)?;
        }
        for entry in file["patches"].items() {
            self.patch(root, entry, items)?;
        }
        namespace(file["namespace"].str(), items)?;
        let (prefix, suffix) = (file["namePrefix"].str(), file["nameSuffix"].str());
        if !prefix.is_empty() || !suffix.is_empty() {
            for item in items.iter_mut() {
                if !matches!(item.kind(), "CustomResourceDefinition" | "APIService" | "Namespace") {
                    item.affixes.push(format!("{prefix}|{suffix}"));
                    item.rename(format!("{prefix}{}{suffix}", item.name()));
                }
            }
        }
        labels(file, items);
        let notes = &file["commonAnnotations"];
        if !notes.is_empty() {
            for item in items.iter_mut() {
                fields::metadata(item, "annotations", true, &mut |place| put(place, notes));
            }
        }
        for entry in file["patchesJson6902"].items() {
            self.patch(root, entry, items)?;
        }
        replicas(file, items)?;
        for image in file["images"].items().iter().chain(file["imageTags"].items()) {
            for item in items.iter_mut() {
                images(&mut item.value, image, 0);
            }
        }
        for entry in file["replacements"].items() {
            if entry["path"].is_null() {
                super::replace::replace(entry, items)?;
                continue;
            }
            let text = self.text(root, entry["path"].str())?;
            let inner = yaml::parse(&text).map_err(|error| error.text)?;
            match &inner {
                Value::List(all) => all.iter().try_for_each(|one| super::replace::replace(one, items))?,
                one => super::replace::replace(one, items)?,
            }
        }
        Ok(())
    }

    fn patch(&self, root: &str, entry: &Value, items: &mut Vec<Item>) -> Result<(), String> {
        let path = entry["path"].str();
        let text = if path.is_empty() {
            entry["patch"].str().to_string()
        } else {
            self.text(root, path)
                .map_err(|why| trouble(entry, &format!("failed to get the patch file from path({path}): {why}")))?
        };
        let (field, source) = if path.is_empty() { ("patch", text.as_str()) } else { ("path", path) };
        let shown = format!("[{field}: {}]", crate::base::goquote::quote(source));
        if !readable(&text) {
            return Err(trouble(entry, &format!("unable to parse SM or JSON patch from {shown}")));
        }
        apply(items, &text, &entry["target"], &entry["options"])
            .map_err(|why| if why.starts_with("must specify a target") { format!("{why} {shown}") } else { why })
    }
}

fn trouble(entry: &Value, why: &str) -> String {
    let mut shown = entry.clone();
    if shown["options"].is_empty() {
        shown.remove(&["options"]);
    }
    let shown = crate::base::yaml_emit::emit(&shown);
    format!("trouble configuring builtin PatchTransformer with config: `\n{shown}`: {why}")
}

/// Objects with kind and name, or a list of operations; what begins with a bracket must be JSON.
fn readable(text: &str) -> bool {
    if text.trim_start().starts_with('[') {
        return crate::base::json::parse(text).is_ok();
    }
    let stream = yaml::read(text);
    stream.error.is_none()
        && stream.documents.iter().all(|document| {
            let value = &document.value;
            let operation = |value: &Value| value.has("op") && value.has("path");
            value.is_null()
                || value.items().iter().any(operation)
                || (!value["kind"].is_null() && !value.at(&["metadata", "name"]).is_null())
        })
}

fn put(place: &mut Value, pairs: &Value) {
    for (key, value) in pairs.entries().iter() {
        place.set(&[key], value.clone());
    }
}

fn type_of(item: &Item) -> Option<&'static Type> {
    let (group, version) = item.group_version();
    schema::type_of(group, version, item.kind())
}

/// Applies a patch (strategic merge, or a list of JSON operations) to what it names or to its targets.
fn apply(items: &mut Vec<Item>, text: &str, target: &Value, options: &Value) -> Result<(), String> {
    let stream = yaml::read(text);
    if let Some(error) = stream.error {
        return Err(format!("unable to parse SM or JSON patch from [{text}]: {}", error.text));
    }
    let patches: Vec<Value> =
        stream.documents.into_iter().map(|document| document.value).filter(|value| !value.is_null()).collect();
    for patch in patches {
        let operations = patch.as_list().is_some() || (patch.has("op") && patch.has("path"));
        if target.is_null() {
            if operations {
                return Err("must specify a target for JSON patch".into());
            }
            let named = Item::new(patch.clone());
            let fits = |item: &Item| {
                item.kind() == named.kind()
                    && item.group_version() == named.group_version()
                    && item.ids().any(|(name, namespace)| {
                        name == named.name()
                            && (namespace == named.namespace()
                                || (namespace.is_empty() && named.namespace() == "default")
                                || (namespace == "default" && named.namespace().is_empty()))
                    })
            };
            let Some(index) = items.iter().position(fits) else {
                let id = named.id();
                return Err(format!("no matches for Id {id}; failed to find unique target for patch {id}"));
            };
            change(items, index, &patch, options)?;
            continue;
        }
        let mut index = 0;
        while index < items.len() {
            let before = items.len();
            if items.get(index).is_some_and(|item| selected(item, target)) {
                if operations {
                    let list = if patch.as_list().is_some() { patch.clone() } else { Value::list(vec![patch.clone()]) };
                    if let Some(item) = items.get_mut(index) {
                        item.remember();
                        item.value = patch::json(&item.value, &list).map_err(|error| error.to_string())?;
                    }
                } else {
                    change(items, index, &patch, options)?;
                }
            }
            // A patch may take its object away.
            index += usize::from(items.len() == before);
        }
    }
    Ok(())
}

fn change(items: &mut Vec<Item>, index: usize, patch: &Value, options: &Value) -> Result<(), String> {
    let Some(item) = items.get_mut(index) else { return Ok(()) };
    let (name, namespace) = (item.name().to_string(), item.value.at(&["metadata", "namespace"]).clone());
    let (kind, version) = (item.value["kind"].clone(), item.value["apiVersion"].clone());
    let ty = type_of(item);
    let mut new = item.value.clone();
    if !merge::merge(&mut new, patch, ty) {
        items.remove(index);
        return Ok(());
    }
    item.remember();
    if !options["allowNameChange"].is_true() {
        new.set(&["metadata", "name"], name);
        match namespace {
            Value::Null => {
                new.remove(&["metadata", "namespace"]);
            }
            namespace => new.set(&["metadata", "namespace"], namespace),
        }
    }
    if !options["allowKindChange"].is_true() {
        new.set(&["kind"], kind);
        new.set(&["apiVersion"], version);
    }
    item.value = new;
    Ok(())
}

/// Whether a selector (of a patch or a replacement) means an object. Names are regular expressions.
pub(super) fn selected(item: &Item, selector: &Value) -> bool {
    let (group, version) = item.group_version();
    let full = |pattern: &str, text: &str| {
        pattern.is_empty()
            || Regex::new(&format!("^({pattern})$"), true, false).is_ok_and(|regex| regex.is_match(text.as_bytes()))
    };
    let labels = |key: &str, field: &str| {
        let text = selector[key].str();
        text.is_empty()
            || crate::api::selector::Labels::parse(text)
                .is_ok_and(|parsed| parsed.matches(item.value.at(&["metadata", field])))
    };
    full(selector["group"].str(), group)
        && full(selector["version"].str(), version)
        && full(selector["kind"].str(), item.kind())
        && item
            .ids()
            .any(|(name, namespace)| full(selector["name"].str(), name) && full(selector["namespace"].str(), namespace))
        && labels("labelSelector", "labels")
        && labels("annotationSelector", "annotations")
}

fn namespace(namespace: &str, items: &mut [Item]) -> Result<(), String> {
    if namespace.is_empty() {
        return Ok(());
    }
    for item in items.iter_mut() {
        item.remember();
        match item.kind() {
            "Namespace" if item.value["apiVersion"].str() == "v1" => item.value.set(&["metadata", "name"], namespace),
            "RoleBinding" | "ClusterRoleBinding" => {
                for subject in item.value.at_mut(&["subjects"]).list_mut() {
                    if subject["name"].str() == "default" {
                        subject.set(&["namespace"], namespace);
                    }
                }
                if item.value["subjects"].is_empty() {
                    item.value.remove(&["subjects"]);
                }
            }
            "APIService" => item.value.set(&["spec", "service", "namespace"], namespace),
            _ => {}
        }
        if !item.is_cluster_scoped() {
            item.value.set(&["metadata", "namespace"], namespace);
        }
    }
    Ok(())
}

fn labels(file: &Value, items: &mut [Item]) {
    for entry in file["labels"].items() {
        let pairs = &entry["pairs"];
        for item in items.iter_mut() {
            let everywhere = entry["includeSelectors"].is_true();
            fields::metadata(item, "labels", everywhere || entry["includeTemplates"].is_true(), &mut |at| {
                put(at, pairs)
            });
            if everywhere {
                fields::selectors(item, &mut |at| put(at, pairs));
            }
        }
    }
    let common = &file["commonLabels"];
    if !common.is_empty() {
        for item in items.iter_mut() {
            fields::metadata(item, "labels", true, &mut |at| put(at, common));
            fields::selectors(item, &mut |at| put(at, common));
        }
    }
}

fn replicas(file: &Value, items: &mut [Item]) -> Result<(), String> {
    for entry in file["replicas"].items() {
        let name = entry["name"].str();
        let mut found = false;
        for item in items.iter_mut() {
            let scales = matches!(item.kind(), "Deployment" | "ReplicationController" | "ReplicaSet" | "StatefulSet");
            if scales && item.ids().any(|(own, _)| own == name) {
                item.value.set(&["spec", "replicas"], entry["count"].clone());
                found = true;
            }
        }
        if !found {
            return Err(format!(
                "resource with name {name} does not match a config with the following GVK [Deployment.[noVer].[noGrp] \
                 StatefulSet.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] ReplicationController.[noVer].[noGrp]]"
            ));
        }
    }
    Ok(())
}

/// Changes images of containers wherever they stand.
fn images(value: &mut Value, image: &Value, depth: usize) {
    if depth > 60 {
        return;
    }
    match value {
        Value::List(_) => value.list_mut().iter_mut().for_each(|item| images(item, image, depth + 1)),
        Value::Map(_) => {
            for (key, inner) in value.map_mut().iter_mut() {
                if matches!(key.as_str(), "containers" | "initContainers") && inner.as_list().is_some() {
                    for container in inner.list_mut() {
                        if let Some(new) = container["image"].as_str().and_then(|old| changed(old, image)) {
                            container.set(&["image"], new);
                        }
                    }
                }
                images(inner, image, depth + 1);
            }
        }
        _ => {}
    }
}

fn changed(old: &str, image: &Value) -> Option<String> {
    let (rest, digest) = old.split_once('@').map_or((old, ""), |(rest, digest)| (rest, digest));
    let colon = rest.rfind(':').filter(|at| !rest.get(*at..).unwrap_or_default().contains('/'));
    let (name, tag) =
        colon.map_or((rest, ""), |at| (rest.get(..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default()));
    if name != image["name"].str() {
        return None;
    }
    let text = |field: &str| match &image[field] {
        Value::Text(text) => text.to_string(),
        _ => String::new(),
    };
    let (new_name, new_tag, new_digest) = (text("newName"), text("newTag"), text("digest"));
    let mut out = if new_name.is_empty() { name.to_string() } else { new_name };
    let (tag, digest) = match (new_tag.is_empty(), new_digest.is_empty()) {
        (false, false) => (new_tag, new_digest),
        (false, true) => (new_tag, String::new()),
        (true, false) => (String::new(), new_digest),
        (true, true) => (tag.to_string(), digest.to_string()),
    };
    let tag = tag + &text("tagSuffix");
    if !tag.is_empty() {
        out.push_str(&format!(":{tag}"));
    }
    if !digest.is_empty() {
        out.push_str(&format!("@{digest}"));
    }
    Some(out)
}
