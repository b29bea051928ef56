//! JSON merge patch (RFC 7386) and its making: null deletes a key, maps merge, everything else is replaced.

use crate::base::{Map, Value};

/// The target after the patch.
///
/// Nulls that meet nothing are dropped, in lists too; only a list that replaces a map keeps the nulls of its items'
/// keys, as in the server's library.
pub fn merge(target: &Value, patch: &Value) -> Value {
    let Value::Map(changes) = patch else { return patch.clone() };
    if !matches!(target, Value::Map(_)) {
        return pruned(patch);
    }
    let mut out = target.clone();
    for (key, change) in changes.iter() {
        let current = out.get(key);
        if change.is_null() {
            out.remove(&[key]);
            continue;
        }
        let value = match current {
            Value::Null => pruned(change),
            Value::Map(_) => merge(current, change),
            _ => pruned(change),
        };
        if *current != value {
            out.map_mut().insert(key.clone(), value);
        }
    }
    out
}

/// Without null keys, at any depth; null items of lists stay.
fn pruned(value: &Value) -> Value {
    match value {
        Value::Map(map) => {
            let kept = map.iter().filter(|(_, item)| !item.is_null());
            Value::from(kept.map(|(key, item)| (key.clone(), pruned(item))).collect::<Map>())
        }
        Value::List(items) => Value::list(items.iter().map(pruned).collect()),
        other => other.clone(),
    }
}

/// The merge patch that makes `modified` of `original`.
pub fn merge_diff(original: &Value, modified: &Value) -> Value {
    let mut out = Map::new();
    if original.same(modified) {
        return out.into();
    }
    for (key, new) in modified.entries().iter() {
        match (original.entries().get(key), new) {
            (Some(old @ Value::Map(_)), Value::Map(_)) => {
                let inner = merge_diff(old, new);
                if !inner.is_empty() {
                    out.insert(key.clone(), inner);
                }
            }
            (Some(old), new) if same_json(old, new) => {}
            _ => {
                out.insert(key.clone(), new);
            }
        }
    }
    for key in original.entries().keys().filter(|key| !modified.has(key)) {
        out.insert(key.clone(), Value::Null);
    }
    out.into()
}

/// Numbers are one type here: 1 and 1.0 are equal.
fn same_json(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Float(b)) | (Value::Float(b), Value::Int(a)) => *a as f64 == *b,
        (Value::List(x), Value::List(y)) => x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| same_json(x, y)),
        (Value::Map(x), Value::Map(y)) => {
            x.len() == y.len() && x.iter().zip(y.iter()).all(|((k, x), (l, y))| k == l && same_json(x, y))
        }
        (a, b) => a == b,
    }
}

/// kubectl apply's patch for custom resources: changes from current to modified, deletions from original to modified.
pub(super) fn three_way(original: &Value, modified: &Value, current: &Value) -> Result<Value, (Value, Value)> {
    let changes = nulls(&merge_diff(current, modified), false);
    let deletions = nulls(&merge_diff(original, modified), true);
    if conflict(&changes, &deletions) {
        return Err((changes, deletions));
    }
    Ok(merge(&deletions, &changes))
}

/// Only the nulls of a patch, or everything but them. An empty map is a value, a map left empty is not.
fn nulls(patch: &Value, keep: bool) -> Value {
    let mut out = Map::new();
    for (key, value) in patch.entries().iter() {
        match value {
            Value::Null if keep => {
                out.insert(key.clone(), Value::Null);
            }
            Value::Null => {}
            Value::Map(map) if map.is_empty() => {
                if !keep {
                    out.insert(key.clone(), value);
                }
            }
            Value::Map(_) => {
                let inner = nulls(value, keep);
                if !inner.is_empty() {
                    out.insert(key.clone(), inner);
                }
            }
            _ if keep => {}
            _ => {
                out.insert(key.clone(), value);
            }
        }
    }
    out.into()
}

fn conflict(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Map(left), Value::Map(right)) => {
            left.iter().any(|(key, value)| right.get(key).is_some_and(|other| conflict(value, other)))
        }
        (Value::List(left), Value::List(right)) => {
            left.len() != right.len() || left.iter().zip(right.iter()).any(|(left, right)| conflict(left, right))
        }
        (left, right) => left != right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json;

    #[test]
    fn merging_and_back() {
        let check = |target: &str, patch: &str, want: &str| {
            let (target, patch) = (json::parse(target).unwrap(), json::parse(patch).unwrap());
            let merged = merge(&target, &patch);
            assert_eq!(json::compact(&merged), want);
            assert_eq!(merge(&target, &merge_diff(&target, &merged)), merged);
        };
        check(r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#);
        check(r#"{"a":"b"}"#, r#"{"b":{"x":null,"y":[{"z":null}]}}"#, r#"{"a":"b","b":{"y":[{}]}}"#);
        check(r#"{"a":"b","b":1}"#, r#"{"a":null}"#, r#"{"b":1}"#);
        check(r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#);
        check(r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#);
        check(r#"{"a":{"b":1}}"#, r#"{"a":{"b":null}}"#, r#"{"a":{}}"#);
    }
}
