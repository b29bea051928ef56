//! Field sets as FieldsV1 trees: `{}` is a member, "." a member with members inside, anything else only leads to some.

use crate::base::{Map, SmolStr, Value};

/// The member itself, nothing inside.
pub(super) fn leaf() -> Value {
    Value::empty_map()
}

pub(super) const SELF: &str = ".";

/// Whether the tree's own place is a member.
pub(super) fn is_member(set: &Value) -> bool {
    matches!(set, Value::Map(map) if map.is_empty() || map.contains(SELF))
}

pub(super) fn is_nothing(set: &Value) -> bool {
    set.is_null()
}

/// Both together.
pub(super) fn union(a: &Value, b: &Value) -> Value {
    if a.is_null() || a.same(b) {
        return b.clone();
    }
    if b.is_null() || a == b {
        return a.clone();
    }
    let mut out = open(a);
    for (key, theirs) in open(b).entries().iter() {
        let merged = union(out.get(key), theirs);
        if *out.get(key) != merged {
            out.map_mut().insert(key.clone(), merged);
        }
    }
    close(out)
}

/// What is in `a` and not in `b`; null when nothing is left.
pub(super) fn difference(a: &Value, b: &Value) -> Value {
    if a.is_null() || b.is_null() {
        return a.clone();
    }
    let (ours, theirs) = (a.entries(), b.entries());
    let member = is_member(a) && !is_member(b);
    if is_member(a) == member && !theirs.keys().any(|key| key != SELF && ours.contains(key)) {
        return a.clone();
    }
    let mut out = Map::new();
    let mut touched = is_member(a) != member;
    for (key, inner) in ours.iter().filter(|(key, _)| *key != SELF) {
        let rest = difference(inner, theirs.get(key).unwrap_or(&Value::Null));
        touched |= !rest.same(inner);
        if !rest.is_null() {
            out.insert(key.clone(), rest);
        }
    }
    if touched { built(member, out) } else { a.clone() }
}

/// What is in both; null when that is nothing.
pub(super) fn intersection(a: &Value, b: &Value) -> Value {
    if a.is_null() || b.is_null() {
        return Value::Null;
    }
    let mut out = Map::new();
    for (key, inner) in a.entries().iter().filter(|(key, _)| *key != SELF) {
        let both = intersection(inner, b.get(key));
        if !both.is_null() {
            out.insert(key.clone(), both);
        }
    }
    built(is_member(a) && is_member(b), out)
}

/// A tree of a place that is a member or not, and what is inside.
pub(super) fn built(member: bool, mut inside: Map) -> Value {
    match (member, inside.is_empty()) {
        (false, true) => Value::Null,
        (true, false) => {
            inside.insert(SELF, leaf());
            inside.into()
        }
        _ => inside.into(),
    }
}

/// With "." written out even for a lone member.
fn open(set: &Value) -> Value {
    if set.entries().is_empty() {
        Value::from(Map::from_iter([(SmolStr::new_static(&SELF), leaf())]))
    } else {
        set.clone()
    }
}

fn close(set: Value) -> Value {
    if set.entries().len() == 1 && set.has(SELF) { leaf() } else { set }
}

/// Every path in the set: members of a place first, then what is inside them.
pub(super) fn paths(set: &Value) -> Vec<String> {
    let mut out = Vec::new();
    walk(set, "", &mut out);
    out
}

fn walk(set: &Value, prefix: &str, out: &mut Vec<String>) {
    let inner = || set.entries().iter().filter(|(key, _)| *key != SELF);
    for (key, value) in inner() {
        if is_member(value) {
            out.push(format!("{prefix}{}", element(key)));
        }
    }
    for (key, value) in inner() {
        walk(value, &format!("{prefix}{}", element(key)), out);
    }
}

/// `f:spec` → `.spec`, `k:{"name":"c"}` → `[name="c"]`, `v:"x"` → `[="x"]`.
pub(super) fn element(key: &str) -> String {
    match key.split_at_checked(2) {
        Some(("f:", name)) => format!(".{name}"),
        Some(("k:", keys)) => {
            let keys = crate::base::json::parse(keys).unwrap_or_default();
            let text =
                |value: &Value| value.as_str().map_or_else(|| crate::base::json::compact(value), |s| format!("{s:?}"));
            let parts: Vec<String> =
                keys.entries().iter().map(|(key, value)| format!("{key}={}", text(value))).collect();
            format!("[{}]", parts.join(","))
        }
        Some(("v:", value)) => format!("[={value}]"),
        Some(("i:", index)) => format!("[{index}]"),
        _ => key.to_owned(),
    }
}
