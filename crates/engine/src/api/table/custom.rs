//! Columns that a CustomResourceDefinition gives its resource (apiextensions-apiserver's table convertor). Paths are the
//! simple ones a definition may have: fields, quoted fields, indices, and filters that compare with a text.

use super::Column;
use crate::base::{Time, Value, duration, json};

/// Name, then the definition's own.
pub fn columns(custom: &Value) -> Vec<Column> {
    let name = Column { name: "Name".into(), kind: "string".into(), format: "name".into(), priority: 0 };
    let own = custom.items().iter().map(|column| Column {
        name: column["name"].smol(),
        kind: column["type"].smol(),
        format: column["format"].smol(),
        priority: column["priority"].int(),
    });
    std::iter::once(name).chain(own).collect()
}

pub fn cells(custom: &Value, object: &Value, now: Time) -> Vec<Value> {
    let own = custom.items().iter().map(|column| {
        let path = column["jsonPath"].str();
        find(object, path).map_or(Value::Null, |found| cell(column["type"].str(), found, now))
    });
    std::iter::once(object["metadata"]["name"].clone()).chain(own).collect()
}

fn cell(kind: &str, value: &Value, now: Time) -> Value {
    match (kind, value) {
        ("string", Value::Text(_)) => value.clone(),
        ("string", _) => json::compact(value).into(),
        ("integer", Value::Float(number)) => Value::Float(*number).as_int().map_or(Value::Null, Value::from),
        ("integer" | "number", Value::Int(_)) | ("number", Value::Float(_)) | ("boolean", Value::Bool(_)) => {
            value.clone()
        }
        ("date", Value::Text(text)) => match Time::parse(text) {
            Some(at) => duration::human(now - at).into(),
            None => "<invalid>".into(),
        },
        _ => Value::Null,
    }
}

/// The first value at a path.
fn find<'a>(object: &'a Value, path: &str) -> Option<&'a Value> {
    let mut at = object;
    let mut rest = path.trim().trim_start_matches('$');
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (step, after) = inside.split_once(']')?;
            // The end of a filter's own brackets is that of `)]`.
            let (step, after) = match step.strip_prefix("?(") {
                Some(_) => inside.split_once(")]")?,
                None => (step, after),
            };
            at = indexed(at, step)?;
            rest = after;
        } else {
            let (field, after) = field(rest.strip_prefix('.').unwrap_or(rest));
            at = at.get(&field);
            rest = after;
        }
        if at.is_null() {
            return None;
        }
    }
    Some(at)
}

/// A field's name, with `\.` for a dot in it, and what follows.
fn field(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => name.extend(letters.next().map(|(_, letter)| letter)),
            '.' | '[' => return (name, text.get(at..).unwrap_or_default()),
            letter => name.push(letter),
        }
    }
    (name, "")
}

fn indexed<'a>(at: &'a Value, step: &str) -> Option<&'a Value> {
    let quoted = |text: &str| text.trim().trim_matches(['"', '\'']).to_string();
    if let Some(filter) = step.strip_prefix("?(") {
        let (path, want) = filter.split_once("==")?;
        let (path, want) = (path.trim().trim_start_matches('@').to_string(), quoted(want));
        return at.items().iter().find(|item| {
            find(item, &path).is_some_and(|have| match have {
                Value::Text(text) => text.as_str() == want,
                other => json::compact(other) == want,
            })
        });
    }
    match step.parse::<i64>() {
        Ok(index) if index < 0 => at.items().len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
        Ok(index) => usize::try_from(index).ok(),
        Err(_) => return Some(at.get(&quoted(step))),
    }
    .and_then(|index| at.items().get(index))
}
