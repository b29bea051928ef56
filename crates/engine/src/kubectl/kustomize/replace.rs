//! Replacements: a field of one object copied into fields of others.
//!
//! Left out: targets inside a text that is itself JSON or YAML.

use super::Item;
use super::transform::selected;
use crate::base::{Value, json};

pub(super) fn replace(entry: &Value, items: &mut [Item]) -> Result<(), String> {
    let (source, targets) = (&entry["source"], &entry["targets"]);
    if (source.is_null() && entry["sourceValue"].is_null()) || targets.is_null() {
        return Err("replacements must specify a source and at least one target".into());
    }
    let value = match &entry["sourceValue"] {
        Value::Null => of_source(source, items)?,
        value => value.clone(),
    };
    for target in targets.items() {
        let select = &target["select"];
        if select.is_null() {
            return Err("target must specify resources to select".into());
        }
        for item in items.iter_mut() {
            let rejected = target["reject"].items().iter().any(|reject| selected(item, reject));
            if !selected(item, select) || rejected {
                continue;
            }
            let paths = target["fieldPaths"].items();
            let default = [Value::text("metadata.name")];
            for path in if paths.is_empty() { &default[..] } else { paths } {
                let (path, options) = (path.str(), &target["options"]);
                let create = options["create"].is_true();
                let mut count = 0;
                let mut failure = None;
                walk(&mut item.value, &split(path), create, &mut |place| {
                    count += 1;
                    if let Err(why) = set(place, &value, options) {
                        failure = Some(why);
                    }
                });
                for field in ["labels", "annotations"] {
                    for (_, value) in
                        item.value.at_mut(&["metadata"]).map_mut().iter_mut().filter(|(key, _)| *key == field)
                    {
                        for (_, value) in value.map_mut().iter_mut().filter(|(_, value)| value.as_str().is_none()) {
                            *value = Value::text(text_of(value));
                        }
                    }
                }
                if let Some(why) = failure {
                    return Err(why);
                }
                if count == 0 {
                    let how = if create { "find or create" } else { "find" };
                    return Err(format!("unable to {how} field \"{path}\" in replacement target"));
                }
            }
        }
    }
    Ok(())
}

fn of_source(source: &Value, items: &mut [Item]) -> Result<Value, String> {
    let shown = || {
        let or = |field: &str, none: &str| {
            let text = source[field].str();
            if text.is_empty() { none.to_string() } else { text.to_string() }
        };
        format!(
            "{}.{}.{}/{}.{}",
            or("kind", "[noKind]"),
            or("version", "[noVer]"),
            or("group", "[noGrp]"),
            or("name", "[noName]"),
            or("namespace", "[noNs]")
        )
    };
    let mut found = items.iter_mut().filter(|item| exactly(item, source));
    let Some(item) = found.next() else { return Err(format!("nothing selected by {}", shown())) };
    if found.next().is_some() {
        let path = source["fieldPath"].str();
        let path = if path.is_empty() { String::new() } else { format!(":{path}") };
        return Err(format!("multiple matches for selector {}{path}", shown()));
    }
    let path = source["fieldPath"].str();
    let path = if path.is_empty() { "metadata.name" } else { path };
    let mut value = Value::Null;
    walk(&mut item.value, &split(path), false, &mut |place| value = place.clone());
    if value.is_null() {
        return Err(format!("fieldPath `{path}` is missing for replacement source {}", shown()));
    }
    let delimiter = source.at(&["options", "delimiter"]).str();
    if delimiter.is_empty() {
        return Ok(value);
    }
    let text = text_of(&value);
    let index = source.at(&["options", "index"]).int();
    let part = usize::try_from(index).ok().and_then(|index| text.split(delimiter).nth(index));
    part.map(Value::text).ok_or_else(|| format!("options.index {index} is out of bounds for value {text}"))
}

/// A source is named to the letter.
fn exactly(item: &Item, source: &Value) -> bool {
    let (group, version) = item.group_version();
    let fits = |field: &str, text: &str| source[field].str().is_empty() || source[field].str() == text;
    fits("group", group)
        && fits("version", version)
        && fits("kind", item.kind())
        && item.ids().any(|(name, namespace)| fits("name", name) && fits("namespace", namespace))
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| json::compact(value), str::to_string)
}

fn set(place: &mut Value, value: &Value, options: &Value) -> Result<(), String> {
    let mut value = value.clone();
    let delimiter = options["delimiter"].str();
    let scalar = place.as_map().is_none() && place.as_list().is_none();
    if !delimiter.is_empty() {
        if !scalar {
            return Err("delimiter option can only be used with scalar nodes".into());
        }
        let old = text_of(place);
        let mut parts: Vec<String> = old.split(delimiter).map(str::to_string).collect();
        let index = options["index"].int();
        match usize::try_from(index) {
            Err(_) => parts.insert(0, text_of(&value)),
            Ok(index) => match parts.get_mut(index) {
                Some(part) => *part = text_of(&value),
                None => parts.push(text_of(&value)),
            },
        }
        value = Value::text(parts.join(delimiter));
    }
    // A scalar keeps its own type: "9" put in place of a text stays a text.
    *place = match (place.as_str().is_some(), &value) {
        (true, Value::Map(_) | Value::List(_)) | (false, _) => value,
        (true, value) => Value::text(text_of(value)),
    };
    Ok(())
}

/// `a.b.[name=c].d`, with `\.` and `[a.b]` for keys that hold points.
fn split(path: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut part, mut depth) = (String::new(), 0);
    let mut letters = path.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' if letters.peek() == Some(&'.') => part.extend(letters.next()),
            '[' if part.is_empty() => {
                depth += 1;
                part.push(c);
            }
            ']' if depth > 0 => {
                depth -= 1;
                part.push(c);
            }
            '.' if depth == 0 => out.push(std::mem::take(&mut part)),
            c => part.push(c),
        }
    }
    out.push(part);
    let unwrap = |part: String| {
        let inner = part.strip_prefix('[').and_then(|part| part.strip_suffix(']'));
        match inner {
            Some(inner) if !inner.contains('=') => inner.to_string(),
            _ => part,
        }
    };
    out.into_iter().map(unwrap).collect()
}

fn walk(value: &mut Value, path: &[String], create: bool, act: &mut dyn FnMut(&mut Value)) {
    let [first, rest @ ..] = path else { return act(value) };
    if let Some((key, wanted)) = first.strip_prefix('[').and_then(|part| part.strip_suffix(']')?.split_once('=')) {
        if value.as_list().is_none() {
            return;
        }
        let fits = |item: &Value| if key.is_empty() { text_of(item) == wanted } else { text_of(&item[key]) == wanted };
        if create && !value.items().iter().any(fits) {
            value.list_mut().push(crate::map! { key => wanted });
        }
        for item in value.list_mut().iter_mut().filter(|item| fits(item)) {
            walk(item, rest, create, act);
        }
        return;
    }
    if value.as_list().is_some() {
        let index = first.parse::<usize>().ok();
        for (at, item) in value.list_mut().iter_mut().enumerate() {
            if first == "*" || index == Some(at) {
                walk(item, rest, create, act);
            }
        }
        return;
    }
    if first == "*" {
        for (_, item) in value.map_mut().iter_mut() {
            walk(item, rest, create, act);
        }
        return;
    }
    if !value.has(first) {
        if !create {
            return;
        }
        value.set(&[first], if rest.is_empty() { Value::Null } else { Value::empty_map() });
    }
    walk(value.at_mut(&[first]), rest, create, act);
}
