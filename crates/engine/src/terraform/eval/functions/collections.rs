//! Functions on maps, objects and sets, and questions about collections.

use crate::base::BTreeMap;

use super::{Arguments, Outcome, fail, wrong};
use crate::base::{SmolStr, goquote};
use crate::terraform::eval::operators::equals;
use crate::terraform::value::{Kind, Marks, Type, Value, clusters, convert, unify, unify_values};

pub fn alltrue(arguments: &mut Arguments) -> Outcome {
    every(arguments, true)
}

pub fn anytrue(arguments: &mut Arguments) -> Outcome {
    every(arguments, false)
}

/// Whether all are true, or whether not all are false.
fn every(arguments: &Arguments, wanted: bool) -> Outcome {
    let mut open = false;
    for item in arguments.value(0).items().unwrap_or_default() {
        match &item.kind {
            Kind::Unknown(..) => open = true,
            Kind::Bool(truth) if *truth == wanted => {}
            Kind::Null(_) if !wanted => {}
            _ => return Ok(Value::bool(!wanted)),
        }
    }
    Ok(if open { Value::unknown_not_null(Type::Bool) } else { Value::bool(wanted) })
}

pub fn coalesce(arguments: &mut Arguments) -> Outcome {
    let types: Vec<Type> = arguments.values.iter().map(Value::ty).collect();
    let Some(ty) = unify(&types, true) else { return fail("all arguments must have the same type") };
    for value in arguments.values {
        let value = if ty == Type::Dynamic { Ok(value.clone()) } else { convert(value, &ty) };
        let Ok(value) = value else { continue };
        if !value.is_known() {
            return Ok(Value::unknown_not_null(ty));
        }
        if !value.is_null() && value.as_str() != Some("") {
            return Ok(value);
        }
    }
    fail("no non-null, non-empty-string arguments")
}

pub fn coalescelist(arguments: &mut Arguments) -> Outcome {
    if arguments.values.is_empty() {
        return fail("at least one argument is required");
    }
    for value in arguments.values {
        if !value.is_known() {
            return Ok(Value::dynamic());
        }
        if !matches!(value.ty(), Type::List(_) | Type::Tuple(_)) {
            return fail("coalescelist arguments must be lists or tuples");
        }
    }
    match arguments.values.iter().find(|value| value.len().is_some_and(|length| length > 0)) {
        Some(value) => Ok(value.clone()),
        None => fail("no non-null arguments"),
    }
}

pub fn compact(arguments: &mut Arguments) -> Outcome {
    let items = arguments.value(0).items().unwrap_or_default();
    let kept = items.iter().filter(|item| item.as_str().is_some_and(|text| !text.is_empty())).cloned();
    Ok(Value::list(Type::String, kept.collect()))
}

pub fn contains(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let Some(items) = list.items() else { return fail("argument must be list, tuple, or set") };
    let mut open = false;
    for item in items {
        match equals(item, arguments.value(1)).as_bool() {
            Some(true) => return Ok(Value::bool(true)),
            Some(false) => {}
            None => open = true,
        }
    }
    Ok(if open { Value::unknown_not_null(Type::Bool) } else { Value::bool(false) })
}

pub fn index(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let items = match &list.kind {
        Kind::List(_, items) | Kind::Tuple(items) => items,
        _ => return fail("argument must be a list or tuple"),
    };
    if items.is_empty() {
        return fail("cannot search an empty list");
    }
    match items.iter().position(|item| equals(item, arguments.value(1)).as_bool() == Some(true)) {
        Some(at) => Ok(Value::int(at as i64)),
        None => fail("item not found"),
    }
}

pub fn keys(arguments: &mut Arguments) -> Outcome {
    let map = arguments.value(0);
    let strings = |names: &mut dyn Iterator<Item = &SmolStr>| names.map(|key| Value::string(key.clone())).collect();
    let value = match (&map.kind, map.ty()) {
        (_, Type::Object(object)) => Value::tuple(strings(&mut object.attributes.keys())),
        (Kind::Map(_, items), _) => Value::list(Type::String, strings(&mut items.keys())),
        (Kind::Unknown(..), Type::Map(_)) => Value::unknown_not_null(Type::list(Type::String)),
        (Kind::Unknown(..), Type::Dynamic) => Value::dynamic(),
        _ => return wrong(0, "must have map or object type"),
    };
    Ok(value.with_marks(map.marks))
}

pub fn values(arguments: &mut Arguments) -> Outcome {
    let map = arguments.value(0);
    let value = match &map.kind {
        Kind::Map(element, items) => Value::list(element.clone(), items.values().cloned().collect()),
        Kind::Object(items) => Value::tuple(items.values().cloned().collect()),
        _ => return fail("values() requires a map as the first argument"),
    };
    Ok(value.with_marks(map.marks))
}

pub fn length(arguments: &mut Arguments) -> Outcome {
    let value = arguments.value(0);
    let ty = value.ty();
    let known = match (&value.kind, &ty) {
        (_, Type::Tuple(types)) => Some(types.len()),
        (_, Type::Object(object)) => Some(object.attributes.len()),
        (Kind::String(text), _) => Some(clusters(text).len()),
        (Kind::Set(_, items), _) if items.len() > 1 && !value.is_wholly_known() => None,
        (Kind::Unknown(..), ty) if *ty == Type::String || ty.is_collection() || *ty == Type::Dynamic => None,
        _ => match value.len() {
            Some(length) => Some(length),
            None => return fail("argument must be a string, a collection type, or a structural type"),
        },
    };
    let count = match known {
        Some(length) => Value::int(length as i64),
        None => Value::unknown_not_null(Type::Number),
    };
    Ok(count.with_marks(value.marks))
}

pub fn lookup(arguments: &mut Arguments) -> Outcome {
    let (map, key, default) = (arguments.value(0), arguments.value(1), arguments.values.get(2));
    if arguments.values.len() > 3 {
        return fail(format!("lookup() takes two or three arguments, got {}", arguments.values.len()));
    }
    let marks = map.marks | key.marks;
    let name = key.as_str();
    let element = match map.ty() {
        Type::Object(object) => match name.map(|name| object.attributes.get(name)) {
            Some(Some(ty)) => ty.clone(),
            Some(None) => match (default, name) {
                (Some(default), _) => return Ok(default.clone().with_marks(marks)),
                (None, name) => {
                    let quoted = goquote::quote(name.unwrap_or_default());
                    return wrong(0, format!("the given object has no attribute {quoted}"));
                }
            },
            None => Type::Dynamic,
        },
        Type::Map(element) => {
            if default.is_some_and(|default| convert(default, &element).is_err()) {
                return wrong(2, "the default value must have the same type as the map elements");
            }
            (*element).clone()
        }
        Type::Dynamic => Type::Dynamic,
        _ => return wrong(0, "lookup() requires a map as the first argument"),
    };
    let (Some(name), true) = (name, map.is_known()) else { return Ok(Value::unknown(element).with_marks(marks)) };
    if let Some(found) = map.get(name) {
        return Ok(found.clone().with_marks(marks));
    }
    match default {
        Some(default) => Ok(convert(default, &element).unwrap_or_else(|_| default.clone()).with_marks(marks)),
        None => {
            let shown = if key.is_sensitive() { "(sensitive value)".into() } else { goquote::quote(name) };
            fail(format!("lookup failed to find key {shown}"))
        }
    }
}

pub fn matchkeys(arguments: &mut Arguments) -> Outcome {
    let (values, keys, wanted) = (arguments.value(0), arguments.value(1), arguments.value(2));
    let Some((_, pair)) = unify_values(&[keys.clone(), wanted.clone()], true) else {
        return fail("keys and searchset must be of the same type");
    };
    let element = values.ty().element().cloned().unwrap_or_default();
    let items = values.items().unwrap_or_default();
    let (Some(keys), Some(wanted)) = (pair.first().and_then(Value::items), pair.get(1).and_then(Value::items)) else {
        return Ok(Value::unknown(values.ty()));
    };
    if keys.len() != items.len() {
        return fail("length of keys and values should be equal");
    }
    arguments.spend(keys.len().saturating_mul(wanted.len()))?;
    let kept = items.iter().zip(keys).filter(|(_, key)| wanted.contains(key)).map(|(item, _)| item.clone());
    Ok(Value::list(element, kept.collect()))
}

pub fn merge(arguments: &mut Arguments) -> Outcome {
    let mut merged: BTreeMap<SmolStr, Value> = BTreeMap::new();
    let mut marks = Marks::NONE;
    for value in arguments.values {
        if !matches!(value.ty(), Type::Map(_) | Type::Object(_) | Type::Dynamic) {
            return fail(format!("arguments must be maps or objects, got {}", goquote::quote(&value.ty().friendly())));
        }
        marks = marks | value.marks;
        if let Some(entries) = value.entries() {
            merged.extend(entries.iter().map(|(key, item)| (key.clone(), item.clone())));
        }
    }
    let first = arguments.values.first().map(Value::ty);
    let same = arguments.values.iter().all(|value| Some(value.ty()) == first);
    let value = match first {
        Some(Type::Map(element)) if same => Value::map((*element).clone(), merged),
        _ => Value::object(merged),
    };
    Ok(value.with_marks(marks))
}

pub fn transpose(arguments: &mut Arguments) -> Outcome {
    let mut out: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
    for (key, list) in arguments.value(0).entries().into_iter().flatten() {
        let Some(items) = list.items() else { return fail("input must not contain null list") };
        for item in items {
            let Some(text) = item.as_str() else { return fail("input list must not contain null string") };
            out.entry(text.into()).or_default().push(Value::string(key.clone()));
        }
    }
    let lists = out.into_iter().map(|(key, items)| (key, Value::list(Type::String, items))).collect();
    Ok(Value::map(Type::list(Type::String), lists))
}

pub fn zipmap(arguments: &mut Arguments) -> Outcome {
    let (keys, values) = (arguments.value(0), arguments.value(1));
    let names = keys.items().unwrap_or_default();
    let items = match &values.kind {
        Kind::List(_, items) | Kind::Tuple(items) => items,
        _ => return fail("values argument must be a list or tuple value"),
    };
    if names.len() != items.len() {
        return fail(format!("number of keys ({}) does not match number of values ({})", names.len(), items.len()));
    }
    let mut marks = keys.marks | values.marks;
    let mut entries = BTreeMap::new();
    for (at, (name, item)) in names.iter().zip(items.iter()).enumerate() {
        let Some(name_text) = name.as_str() else { return fail(format!("keys list has null value at index {at}")) };
        marks = marks | name.marks;
        entries.insert(SmolStr::from(name_text), item.clone());
    }
    let value = match &values.kind {
        Kind::List(element, _) => Value::map(element.clone(), entries),
        _ => Value::object(entries),
    };
    Ok(value.with_marks(marks))
}

/// Sets of one element type, or what is wrong with them.
fn sets(arguments: &Arguments) -> Result<(Type, Vec<Value>), super::Fault> {
    // An empty set of no type goes with any other.
    let untyped = |set: &Value| set.is_empty() && set.ty().has_dynamic();
    let filled: Vec<Value> = arguments.values.iter().filter(|set| !untyped(set)).cloned().collect();
    let given = if filled.is_empty() { arguments.values.to_vec() } else { filled };
    let types: Vec<Type> = given.iter().filter_map(|set| set.ty().element().cloned()).collect();
    let Some(element) = unify(&types, true) else {
        return fail("given sets must all have compatible element types");
    };
    let set = Type::set(element.clone());
    let converted = arguments
        .values
        .iter()
        .map(|value| if untyped(value) { Ok(Value::set(element.clone(), Vec::new())) } else { convert(value, &set) });
    match converted.collect::<Result<Vec<Value>, _>>() {
        Ok(converted) => Ok((element, converted)),
        Err(error) => fail(error.to_string()),
    }
}

fn combine(arguments: &Arguments, keep: fn(&Value, &[&[Value]]) -> bool) -> Outcome {
    let (element, sets) = sets(arguments)?;
    let all: Vec<&[Value]> = sets.iter().map(|set| set.items().unwrap_or_default()).collect();
    let first = all.first().copied().unwrap_or_default();
    let rest = all.get(1..).unwrap_or_default();
    arguments.spend(first.len().saturating_mul(rest.iter().map(|set| set.len()).sum()))?;
    Ok(Value::set(element, first.iter().filter(|item| keep(item, rest)).cloned().collect()))
}

pub fn setunion(arguments: &mut Arguments) -> Outcome {
    let (element, sets) = sets(arguments)?;
    let items = sets.iter().flat_map(|set| set.items().unwrap_or_default()).cloned().collect();
    Ok(Value::set(element, items))
}

pub fn setintersection(arguments: &mut Arguments) -> Outcome {
    combine(arguments, |item, rest| rest.iter().all(|set| set.contains(item)))
}

pub fn setsubtract(arguments: &mut Arguments) -> Outcome {
    combine(arguments, |item, rest| !rest.iter().any(|set| set.contains(item)))
}

pub fn old_list(_: &mut Arguments) -> Outcome {
    fail(
        "the \"list\" function was deprecated in Terraform v0.12 and is no longer available; use tolist([ ... ]) syntax to write a literal list",
    )
}

pub fn old_map(_: &mut Arguments) -> Outcome {
    fail(
        "the \"map\" function was deprecated in Terraform v0.12 and is no longer available; use tomap({ ... }) syntax to write a literal map",
    )
}
