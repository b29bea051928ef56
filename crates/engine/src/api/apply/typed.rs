//! Configurations along their types: checking, field sets, merging into the live object, and taking fields out.

use crate::base::{BTreeMap, BTreeSet};

use super::compare::field_name;
use super::fields::{built, element, is_member, leaf};
use super::spot::{Shape, Spot};
use crate::api::schema::Ty;
use crate::base::{Map, SmolStr, Value, format_smolstr, json};

/// What the schema has against a configuration: `.nope: field not declared in schema`.
pub(super) fn errors(value: &Value, root: Spot) -> Vec<String> {
    let mut out = Vec::new();
    check(value, root, "", &mut out);
    out
}

fn check(value: &Value, spot: Spot, path: &str, out: &mut Vec<String>) {
    let Spot::Typed(place) = spot else {
        for (key, inner) in value.entries().iter() {
            if let Some(spot) = spot.key(key) {
                check(inner, spot, &format!("{path}.{key}"), out);
            }
        }
        return;
    };
    let mut refuse = |expected: &str| {
        // Each is printed another way.
        let got = match expected {
            "numeric (int or float)" => crate::base::template::go_type(value).to_string(),
            "string" => format!("&value.valueUnstructured{{Value:{}}}", json::compact(value)),
            _ => format!("&{{{}}}", crate::base::goquote::plain(value)),
        };
        let text = format!("{path}: expected {expected}, got {got}");
        out.push(text.strip_prefix(": ").unwrap_or(&text).to_owned());
    };
    match (place.ty, value) {
        (_, Value::Null) | (Ty::Any(_) | Ty::IntOrString | Ty::Quantity, _) => {}
        (Ty::Text(_) | Ty::Bytes | Ty::Time | Ty::MicroTime, Value::Text(_)) => {}
        (Ty::Text(_) | Ty::Bytes | Ty::Time | Ty::MicroTime, _) => refuse("string"),
        (Ty::Bool, Value::Bool(_)) => {}
        (Ty::Bool, _) => refuse("boolean"),
        (Ty::Int32 | Ty::Int64 | Ty::Double, Value::Int(_) | Value::Float(_)) => {}
        (Ty::Int32 | Ty::Int64 | Ty::Double, _) => refuse("numeric (int or float)"),
        (Ty::Struct(_) | Ty::Map(_), Value::Map(map)) => {
            for (key, inner) in map.iter() {
                let path = format!("{path}.{key}");
                match spot.key(key) {
                    Some(spot) => check(inner, spot, &path, out),
                    None => out.push(format!("{path}: field not declared in schema")),
                }
            }
        }
        (Ty::Struct(_) | Ty::Map(_), _) => refuse("map"),
        (Ty::List(_), Value::List(items)) => {
            let shape = spot.shape(value);
            let mut seen = BTreeSet::new();
            let mut names = Vec::new();
            for (index, item) in items.iter().enumerate() {
                let name =
                    if shape == Shape::Leaf { format_smolstr!("i:{index}") } else { spot.item_name(shape, item) };
                if !seen.insert(name.clone()) {
                    let what = if matches!(shape, Shape::Set) { "set item" } else { "key" };
                    out.push(format!("{path}: duplicate entries for {what} {}", element(&name)));
                }
                names.push(name);
            }
            for (item, name) in items.iter().zip(&names) {
                check(item, spot.item(), &format!("{path}{}", element(name)), out);
            }
        }
        (Ty::List(_), _) => refuse("list"),
    }
}

/// The fields a configuration states.
pub(super) fn field_set(value: &Value, spot: Spot) -> Value {
    inside(value, spot).unwrap_or(Value::Null)
}

/// What a value owns below its spot; a leaf owns itself.
fn inside(value: &Value, spot: Spot) -> Option<Value> {
    let shape = spot.shape(value);
    let mut out = Map::new();
    match shape {
        Shape::Leaf => return Some(leaf()),
        Shape::Map => {
            for (key, item) in value.entries().iter() {
                let Some(inner) = spot.key(key) else { continue };
                let empty = item.is_null() || matches!(item, Value::Map(map) if map.is_empty());
                let set = inside(item, inner);
                let set = if empty || !spot.has_fields() { joined(true, set) } else { set.unwrap_or_default() };
                if !set.is_null() {
                    out.insert(field_name(key), set);
                }
            }
        }
        Shape::Set | Shape::Keyed(_) => {
            for item in value.items() {
                out.insert(spot.item_name(shape, item), joined(true, inside(item, spot.item())));
            }
        }
    }
    Some(built(false, out))
}

fn joined(member: bool, set: Option<Value>) -> Value {
    let set = set.unwrap_or_default();
    let member = member || is_member(&set);
    let mut map = set.entries().clone();
    map.remove(super::fields::SELF);
    built(member, map)
}

/// The configuration laid over the live object.
pub(super) fn merge(live: &Value, config: &Value, spot: Spot) -> Value {
    if live.is_null() || live.same(config) {
        return config.clone();
    }
    match (spot.shape(config), live, config) {
        (Shape::Map, Value::Map(_), Value::Map(changes)) => {
            let mut out = live.clone();
            for (key, change) in changes.iter() {
                let old = live.get(key);
                let value = spot.key(key).map_or_else(|| change.clone(), |inner| merge(old, change, inner));
                if *old != value || !live.has(key) {
                    out.map_mut().insert(key.clone(), value);
                }
            }
            out
        }
        (Shape::Map, Value::Map(_), Value::Null) => live.clone(),
        (shape @ (Shape::Set | Shape::Keyed(_)), Value::List(old), Value::List(new)) => {
            let merged = merge_lists(old, new, spot, shape);
            if merged == **old { live.clone() } else { Value::list(merged) }
        }
        (Shape::Set | Shape::Keyed(_), Value::List(_), Value::Null) => live.clone(),
        _ if live == config => live.clone(),
        _ => config.clone(),
    }
}

/// Items of both: the configuration's order, with the live object's own items where they stood.
fn merge_lists(old: &[Value], new: &[Value], spot: Spot, shape: Shape) -> Vec<Value> {
    let named = |list: &[Value]| -> Vec<SmolStr> { list.iter().map(|item| spot.item_name(shape, item)).collect() };
    let (old_names, new_names) = (named(old), named(new));
    let index = |names: &[SmolStr]| -> BTreeMap<SmolStr, usize> {
        names.iter().enumerate().rev().map(|(index, name)| (name.clone(), index)).collect()
    };
    let (in_old, in_new) = (index(&old_names), index(&new_names));
    let mut shared = new_names.iter().filter(|name| in_old.contains_key(*name)).peekable();
    let mut merged: BTreeSet<&SmolStr> = BTreeSet::new();
    let mut out = Vec::with_capacity(old.len().saturating_add(new.len()));
    let both = |name: &SmolStr| {
        let live = in_old.get(name).and_then(|index| old.get(*index)).unwrap_or(&Value::Null);
        let config = in_new.get(name).and_then(|index| new.get(*index)).unwrap_or(&Value::Null);
        merge(live, config, spot.item())
    };
    let (mut left, mut right) = (0usize, 0usize);
    while left < old.len() || right < new.len() {
        if let (Some(mine), Some(theirs)) = (old_names.get(left), new_names.get(right)) {
            if mine == theirs {
                merged.insert(theirs);
                out.push(both(theirs));
                left = left.saturating_add(1);
                right = right.saturating_add(1);
                shared.next();
                continue;
            }
            if in_new.contains_key(mine) && shared.peek().is_some_and(|next| *next != mine) {
                left = left.saturating_add(1);
                continue;
            }
        }
        if let Some(mine) = old_names.get(left) {
            if !in_new.contains_key(mine) {
                out.extend(old.get(left).cloned());
                left = left.saturating_add(1);
                continue;
            }
            if merged.contains(mine) {
                left = left.saturating_add(1);
            }
        }
        if let Some(theirs) = new_names.get(right) {
            merged.insert(theirs);
            out.push(both(theirs));
            right = right.saturating_add(1);
            if shared.peek() == Some(&theirs) {
                shared.next();
            }
        }
    }
    out
}

/// Takes out what the applier owned before (`last`) and nobody owns now; what it defaulted inside goes along.
pub(super) fn prune(value: &Value, spot: Spot, last: &Value, owned: &Value) -> Value {
    if last.is_null() {
        return value.clone();
    }
    let shape = spot.shape(value);
    let gone = |name: &str| {
        let has = |set: &Value| {
            let inner = set.entries().get(name);
            inner.is_some_and(|inner| is_member(inner) || name.starts_with("f:") && spot.has_fields())
        };
        has(last) && !has(owned)
    };
    match shape {
        Shape::Map => {
            let mut out = value.clone();
            for (key, item) in value.entries().iter() {
                let name = field_name(key);
                if gone(&name) {
                    out.remove(&[key]);
                    continue;
                }
                let (Some(inner), Some(last)) = (spot.key(key), last.entries().get(&name)) else { continue };
                let rest = prune(item, inner, last, owned.get(&name));
                if rest.same(item) || rest == *item {
                    continue;
                }
                if rest.is_empty() {
                    out.remove(&[key]);
                } else {
                    out.map_mut().insert(key.clone(), rest);
                }
            }
            out
        }
        Shape::Set | Shape::Keyed(_) => {
            let mut changed = false;
            let mut out = Vec::with_capacity(value.items().len());
            for item in value.items() {
                let name = spot.item_name(shape, item);
                if gone(&name) {
                    changed = true;
                    continue;
                }
                let rest = prune(item, spot.item(), last.get(&name), owned.get(&name));
                changed |= !rest.same(item);
                out.push(rest);
            }
            if changed { Value::list(out) } else { value.clone() }
        }
        Shape::Leaf => value.clone(),
    }
}
