//! Replacements: a field's value copied into fields of other objects.

use super::patch::selected;
use super::{Resource, Trouble, text};
use crate::base::Value;

pub fn replacements(file: &Value, resources: &mut [Resource]) -> Result<(), Trouble> {
    for entry in file["replacements"].items() {
        if entry.has("path") {
            return Err(Trouble::Gap("replacements in a file of their own".into()));
        }
        let source = &entry["source"];
        let field = if source["fieldPath"].is_empty() { "metadata.name" } else { source["fieldPath"].str() };
        let value = match resources.iter().filter(|one| selected(one, source)).collect::<Vec<_>>().as_slice() {
            [one] => find(&one.object, &steps(field)).cloned(),
            [] => return text(format!("nothing selected by {}", told(source))),
            _ => return text(format!("multiple matches for selector {}", told(source))),
        };
        let Some(mut value) = value else {
            return text(format!("fieldPath `{field}` is missing for replacement source {}", told(source)));
        };
        value = part(&value, &source["options"]);
        for target in entry["targets"].items() {
            let rejected = |one: &Resource| target["reject"].items().iter().any(|reject| selected(one, reject));
            for one in resources.iter_mut().filter(|one| selected(one, &target["select"]) && !rejected(one)) {
                for path in target["fieldPaths"].items() {
                    let make = target["options"]["create"].is_true();
                    if !put(&mut one.object, &steps(path.str()), &value, &target["options"], make) {
                        return text(format!(
                            "unable to find field \"{}\" in replacement target",
                            path.str()
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

fn told(selector: &Value) -> String {
    let group = selector["group"].str();
    let or = |text: &str, other: &str| if text.is_empty() { other.to_string() } else { text.to_string() };
    format!(
        "{}.{}.{}/{}.{}:{}",
        or(selector["kind"].str(), "[noKind]"),
        or(selector["version"].str(), "[noVer]"),
        or(group, "[noGrp]"),
        or(selector["name"].str(), "[noName]"),
        or(selector["namespace"].str(), "[noNs]"),
        selector["fieldPath"].str()
    )
}

/// `spec.containers.[name=web].env.0`: dots inside brackets do not part.
fn steps(path: &str) -> Vec<String> {
    let (mut out, mut step, mut depth) = (Vec::new(), String::new(), 0u32);
    for c in path.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == '.' && depth == 0 {
            out.push(std::mem::take(&mut step));
        } else {
            step.push(c);
        }
    }
    out.push(step);
    out.retain(|step| !step.is_empty());
    out
}

/// Which item of a list a step means.
fn item(list: &[Value], step: &str) -> Option<usize> {
    let inner = step.trim_start_matches('[').trim_end_matches(']');
    match inner.split_once('=') {
        Some((key, value)) => list.iter().position(|one| one[key].str() == value),
        None => inner.parse().ok().filter(|at| *at < list.len()),
    }
}

fn find<'a>(value: &'a Value, steps: &[String]) -> Option<&'a Value> {
    let Some((first, rest)) = steps.split_first() else { return Some(value) };
    let next = match value.as_list() {
        Some(list) => list.get(item(list, first)?)?,
        None => value.as_map()?.get(first)?,
    };
    find(next, rest)
}

fn part(value: &Value, options: &Value) -> Value {
    let delimiter = options["delimiter"].str();
    if delimiter.is_empty() {
        return value.clone();
    }
    let index = usize::try_from(options["index"].int()).unwrap_or_default();
    Value::text(value.str().split(delimiter).nth(index).unwrap_or_default())
}

fn put(target: &mut Value, steps: &[String], value: &Value, options: &Value, make: bool) -> bool {
    let Some((first, rest)) = steps.split_first() else {
        let delimiter = options["delimiter"].str();
        if delimiter.is_empty() {
            *target = value.clone();
            return true;
        }
        let mut parts: Vec<String> = target.str().split(delimiter).map(str::to_string).collect();
        let index = options["index"].int();
        match usize::try_from(index) {
            Ok(at) if at < parts.len() => parts[at] = value.str().to_string(),
            Ok(_) => parts.push(value.str().to_string()),
            Err(_) => parts.insert(0, value.str().to_string()),
        }
        *target = Value::text(parts.join(delimiter));
        return true;
    };
    if let Some(list) = target.as_list() {
        if first == "*" {
            return target.list_mut().iter_mut().all(|one| put(one, rest, value, options, make));
        }
        let Some(at) = item(list, first) else { return false };
        return target.list_mut().get_mut(at).is_some_and(|one| put(one, rest, value, options, make));
    }
    if !target.has(first) && !make {
        return false;
    }
    put(target.at_mut(&[first]), rest, value, options, make)
}
