//! Strategic merge as kustomize does it: what a patch adds to a list stands in front of what is there.

use crate::api::schema::{Field, Type};
use crate::base::Value;

/// Merges a patch into a value; false when the value is to go.
pub fn merge(target: &mut Value, patch: &Value, ty: Option<&'static Type>) -> bool {
    match patch["$patch"].str() {
        "delete" => return false,
        "replace" => {
            let mut new = patch.clone();
            new.remove(&["$patch"]);
            *target = new;
            return true;
        }
        _ => {}
    }
    if patch.as_map().is_none() || target.as_map().is_none() {
        let mut empty = Value::empty_map();
        if patch.as_map().is_some() {
            merge(&mut empty, patch, ty);
            *target = empty;
        } else {
            *target = patch.clone();
        }
        return true;
    }
    for (key, new) in patch.entries().iter() {
        if key.starts_with('$') {
            continue;
        }
        if new.is_null() {
            target.remove(&[key]);
            continue;
        }
        let field = ty.and_then(|ty| ty.field(key));
        let inner = field.and_then(|field| field.ty.inner());
        match new {
            Value::List(items) => match field.filter(|field| field.merge) {
                Some(field) => {
                    let merged = list(target[key.as_str()].items(), items, field, inner);
                    target.set(&[key], merged);
                }
                None => target.set(&[key], new.clone()),
            },
            Value::Map(_) => {
                let mut own = target[key.as_str()].clone();
                if own.is_null() {
                    own = Value::empty_map();
                }
                if merge(&mut own, new, inner) {
                    target.set(&[key], own);
                } else {
                    target.remove(&[key]);
                }
            }
            _ => target.set(&[key], new.clone()),
        }
    }
    true
}

fn list(old: &[Value], patch: &[Value], field: &Field, inner: Option<&'static Type>) -> Value {
    if field.merge_key.is_empty() {
        let mut all = patch.to_vec();
        all.extend(old.iter().filter(|item| !patch.contains(item)).cloned());
        return Value::list(all);
    }
    let keys: &[&str] = if field.keys.is_empty() { std::slice::from_ref(&field.merge_key) } else { field.keys };
    let fits = |a: &Value, b: &Value| {
        // A key both leave out (a port's protocol) tells nothing.
        keys.iter().all(|key| a[*key] == b[*key] || a[*key].is_null() || b[*key].is_null())
            && a[field.merge_key] == b[field.merge_key]
    };
    if patch.iter().any(|item| item["$patch"].str() == "replace" && item.entries().len() == 1) {
        return Value::list(patch.iter().filter(|item| item["$patch"].is_null()).cloned().collect());
    }
    let mut out = Vec::new();
    for item in patch {
        let known = old.iter().find(|own| fits(own, item));
        let mut merged = known.cloned().unwrap_or_else(Value::empty_map);
        if merge(&mut merged, item, inner) {
            out.push(merged);
        }
    }
    out.extend(old.iter().filter(|own| !patch.iter().any(|item| fits(own, item))).cloned());
    Value::list(out)
}
