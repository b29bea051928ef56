//! Strategic merge: a patch along a Go type, whose fields say how lists merge.
//!
//! Directives: `$patch`, `$retainKeys`, `$setElementOrder/<list>`, `$deleteFromPrimitiveList/<list>`; null deletes.

use super::lists::{merge_lists, order_list};
use super::{PatchError, PatchReason, go_text::go_string, go_text::go_text, go_text::go_type};
use crate::api::schema::{Field, Place, Ty, TypeId};
use crate::base::{SmolStr, Value};

pub(super) const PATCH: &str = "$patch";
pub(super) const RETAIN_KEYS: &str = "$retainKeys";
pub(super) const DELETE_LIST: &str = "$deleteFromPrimitiveList";
pub(super) const SET_ORDER: &str = "$setElementOrder";

/// Which side merges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Directives are obeyed and disappear, unmatched nulls are dropped.
    Server,
    /// Both are patches: directives and nulls are kept for the server.
    Client,
}

/// The target after a strategic merge patch.
pub fn strategic(ty: TypeId, target: &Value, patch: &Value) -> Result<Value, PatchError> {
    strategic_leaving(ty, target, &mut patch.clone())
}

/// The same, leaving in `patch` what the server quotes when the result cannot be decoded: the patch without its
/// obeyed directives and merged ordered lists.
pub fn strategic_leaving(ty: TypeId, target: &Value, patch: &mut Value) -> Result<Value, PatchError> {
    if patch.is_null() {
        return Ok(target.clone());
    }
    if patch.as_map().is_none() {
        let got = patch.type_name();
        let message = format!("json: cannot unmarshal {got} into Go value of type map[string]interface {{}}");
        return Err(PatchError::new(PatchReason::BadRequest, message));
    }
    let mut out = target.clone();
    merge_map(&mut out, patch, Place::root(ty), Side::Server)?;
    Ok(out)
}

/// Merges a patch into a map.
pub(super) fn merge_map(original: &mut Value, patch: &mut Value, place: Place, side: Side) -> Result<(), PatchError> {
    if let Some(directive) = patch.entries().get(PATCH) {
        match directive.str() {
            "replace" => {
                patch.remove(&[PATCH]);
                *original = patch.clone();
            }
            "delete" => *original = Value::empty_map(),
            _ => return Err(bad_patch_type(directive, patch)),
        }
        return Ok(());
    }
    retain_keys(original, patch, side)?;
    order_lists(original, patch, place, side)?;
    for (key, change) in patch.map_mut().iter_mut() {
        let deletes = key.starts_with(DELETE_LIST);
        let mut name = key.as_str();
        if deletes {
            if side == Side::Client {
                original.map_mut().insert(key.clone(), &*change);
                continue;
            }
            let target = list_of(key, DELETE_LIST).ok_or_else(bad_primitive_list)?;
            name = if target.is_empty() { key } else { target };
        }
        merge_key(original, name, change, place, side, deletes)?;
    }
    Ok(())
}

fn merge_key(
    original: &mut Value,
    key: &str,
    change: &mut Value,
    place: Place,
    side: Side,
    deletes: bool,
) -> Result<(), PatchError> {
    if change.is_null() {
        original.remove(&[key]);
        if side == Side::Server {
            return Ok(());
        }
    }
    let same_type =
        original.entries().get(key).is_some_and(|old| std::mem::discriminant(old) == std::mem::discriminant(change));
    if !same_type {
        if !deletes {
            if side == Side::Server {
                drop_nulls(change);
            }
            put(original, key, without_directives(change));
        }
        return Ok(());
    }
    match change {
        Value::Map(_) => {
            let (inner, field) = struct_place(place, key)?;
            let Some(old) = original.map_mut().get_mut(key) else { return Ok(()) };
            if field.is_some_and(|field| field.replace) {
                *old = change.clone();
                return Ok(());
            }
            merge_map(old, change, inner, side)
        }
        Value::List(_) => {
            let (item, field) = list_place(place, key)?;
            let Some(old) = original.map_mut().get_mut(key) else { return Ok(()) };
            if deletes || field.is_some_and(|field| field.merge) {
                let merge_key = field.map_or("", |field| field.merge_key);
                let items = std::mem::take(old.list_mut());
                *old = Value::list(merge_lists(items, change.list_mut(), item, merge_key, side, deletes)?);
            } else {
                *old = change.clone();
            }
            Ok(())
        }
        _ => {
            if original.get(key) != change {
                put(original, key, Some(change.clone()));
            }
            Ok(())
        }
    }
}

fn put(map: &mut Value, key: &str, value: Option<Value>) {
    match value {
        Some(value) => {
            map.map_mut().insert(key, value);
        }
        None => {
            map.remove(&[key]);
        }
    }
}

/// `$retainKeys`: keys of the original that are not listed go; the patch may only set listed ones.
fn retain_keys(original: &mut Value, patch: &mut Value, side: Side) -> Result<(), PatchError> {
    let Some(listed) = patch.remove(&[RETAIN_KEYS]) else { return Ok(()) };
    if side == Side::Client {
        match original.entries().get(RETAIN_KEYS) {
            Some(other) if *other != listed => {
                let message = format!(
                    "{} and {} are not deep equal: this may happen when calculating the 3-way diff patch",
                    go_text(other),
                    go_text(&listed)
                );
                return Err(PatchError::internal(message));
            }
            Some(_) => {}
            None => put(original, RETAIN_KEYS, Some(listed)),
        }
        return Ok(());
    }
    let refused = || PatchError::new(PatchReason::BadRequest, "invalid patch format of retainKeys");
    let listed = listed.as_list().map(<[Value]>::to_vec).ok_or_else(refused)?;
    let is_listed = |key: &str| listed.iter().any(|item| item.as_str() == Some(key));
    for (key, value) in patch.entries().iter() {
        if !value.is_null() && !key.starts_with(DELETE_LIST) && !key.starts_with(SET_ORDER) && !is_listed(key) {
            return Err(refused());
        }
    }
    if original.entries().keys().any(|key| !is_listed(key)) {
        original.map_mut().retain(|key, _| is_listed(key));
    }
    Ok(())
}

/// `$setElementOrder/<list>`: merges the list with that order and takes both keys out of the patch.
fn order_lists(original: &mut Value, patch: &mut Value, place: Place, side: Side) -> Result<(), PatchError> {
    let keys: Vec<SmolStr> = patch.entries().keys().filter(|key| key.starts_with(SET_ORDER)).cloned().collect();
    for key in keys {
        let Some(order) = patch.remove(&[&key]) else { continue };
        if side == Side::Client {
            match original.entries().get(&key) {
                Some(other) if *other != order => return Err(bad_order_list()),
                Some(_) => {}
                None => put(original, &key, Some(order.clone())),
            }
        }
        let order = as_list(&order)?;
        let name = list_of(&key, SET_ORDER).ok_or_else(bad_order_list)?;
        let old = original.entries().get(name).map(as_list).transpose()?.map(<[Value]>::to_vec);
        patch.entries().get(name).map(as_list).transpose()?;
        let (item, field) = list_place(place, name)?;
        let new = patch.entries().get(name).cloned();
        if let Some(merged) = order_list(old, new, order, item, field, side)? {
            put(original, name, Some(Value::list(merged)));
            patch.remove(&[name]);
        }
    }
    Ok(())
}

/// `prefix/name` → name.
fn list_of<'a>(key: &'a str, prefix: &str) -> Option<&'a str> {
    key.strip_prefix(prefix)?.strip_prefix('/')
}

fn as_list(value: &Value) -> Result<&[Value], PatchError> {
    value.as_list().ok_or_else(|| bad_type("[]interface {}", value))
}

/// Where a key of a struct leads; a map or a free-form value has no fields to look up.
pub(super) fn struct_place(place: Place, key: &str) -> Result<(Place, Option<&'static Field>), PatchError> {
    let unknown = |name: &str| {
        Err(PatchError::internal(format!("unable to find api field in struct {name} for the json field {key:?}")))
    };
    match place.ty {
        Ty::Struct(id) => match place.key(key) {
            Some(inner) => Ok((inner, inner.field)),
            None => unknown(id.get().name),
        },
        Ty::Any(name) => unknown(name),
        _ => Err(PatchError::internal(format!(
            "merging an object in json but data type is not struct, instead is: {}",
            go_kind(place.ty)
        ))),
    }
}

/// Where the items of a list under a key stand.
pub(super) fn list_place(place: Place, key: &str) -> Result<(Place, Option<&'static Field>), PatchError> {
    let (inner, field) = struct_place(place, key)?;
    match inner.ty {
        Ty::List(Ty::List(_)) => Err(PatchError::internal("unexpected slice of slice")),
        Ty::List(item) => Ok((Place::of(*item), field)),
        _ => Err(PatchError::internal(format!("expected slice or array type, but got: {}", go_kind(place.ty)))),
    }
}

/// Go's word for the kind of a type.
pub(super) fn go_kind(ty: Ty) -> &'static str {
    match ty {
        Ty::Text(_) => "string",
        Ty::Bool => "bool",
        Ty::Int32 => "int32",
        Ty::Int64 => "int64",
        Ty::Double => "float64",
        Ty::Bytes | Ty::List(_) => "slice",
        Ty::Map(_) => "map",
        Ty::Quantity | Ty::IntOrString | Ty::Time | Ty::MicroTime | Ty::Any(_) | Ty::Struct(_) => "struct",
    }
}

/// Drops null keys at any depth.
fn drop_nulls(value: &mut Value) {
    if !has_null(value) {
        return;
    }
    match value {
        Value::Map(_) => value.map_mut().retain(|_, item| {
            drop_nulls(item);
            !item.is_null()
        }),
        Value::List(_) => value.list_mut().iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Map(map) => map.values().any(|item| item.is_null() || has_null(item)),
        Value::List(items) => items.iter().any(has_null),
        _ => false,
    }
}

/// The value without maps that carry `$patch`; `None` when it is one itself.
pub(super) fn without_directives(value: &Value) -> Option<Value> {
    match value {
        Value::Map(map) if map.contains(PATCH) => None,
        Value::Map(_) | Value::List(_) if !has_directive(value) => Some(value.clone()),
        Value::Map(map) => {
            let kept = map.iter().filter_map(|(key, item)| Some((key.clone(), without_directives(item)?)));
            Some(Value::from(kept.collect::<crate::base::Map>()))
        }
        Value::List(items) => Some(Value::list(items.iter().filter_map(without_directives).collect())),
        other => Some(other.clone()),
    }
}

fn has_directive(value: &Value) -> bool {
    match value {
        Value::Map(map) => map.contains(PATCH) || map.values().any(has_directive),
        Value::List(items) => items.iter().any(has_directive),
        _ => false,
    }
}

pub(super) fn bad_patch_type(directive: &Value, map: &Value) -> PatchError {
    PatchError::internal(format!("unknown patch type: {} in map: {}", go_string(directive), go_text(map)))
}

pub(super) fn bad_type(expected: &str, got: &Value) -> PatchError {
    PatchError::internal(format!("expected a {expected}, but received a {}", go_type(got)))
}

pub(super) fn bad_order_list() -> PatchError {
    PatchError::new(PatchReason::BadRequest, "invalid patch format of setElementOrder list")
}

fn bad_primitive_list() -> PatchError {
    PatchError::new(PatchReason::BadRequest, "invalid patch format of primitive list")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::schema::named;
    use crate::base::json;

    fn check(ty: &str, target: &str, patch: &str, want: &str) {
        let ty = named("core.v1", ty).or_else(|| named("meta.v1", ty)).unwrap().id;
        let got = match strategic(ty, &json::parse(target).unwrap(), &json::parse(patch).unwrap()) {
            Ok(value) => json::compact(&value),
            Err(error) => format!("{:?}: {}", error.reason, error.message),
        };
        assert_eq!(got, want, "{patch}");
    }

    #[test]
    fn lists_of_maps() {
        let env = r#"{"env":[{"name":"EX","value":"1"},{"name":"WHY","value":"2"}]}"#;
        let check = |patch: &str, want: &str| check("Container", env, patch, want);
        check(
            r#"{"env":[{"name":"ZED","value":"3"}]}"#,
            r#"{"env":[{"name":"ZED","value":"3"},{"name":"EX","value":"1"},{"name":"WHY","value":"2"}]}"#,
        );
        check(r#"{"env":[{"name":"EX","$patch":"delete"}]}"#, r#"{"env":[{"name":"WHY","value":"2"}]}"#);
        check(r#"{"env":[{"$patch":"replace"},{"name":"A"}]}"#, r#"{"env":[{"name":"A"}]}"#);
        check(
            r#"{"$setElementOrder/env":[{"name":"WHY"},{"name":"NEW"},{"name":"EX"}],"env":[{"name":"NEW","value":"3"}]}"#,
            r#"{"env":[{"name":"WHY","value":"2"},{"name":"NEW","value":"3"},{"name":"EX","value":"1"}]}"#,
        );
        check(r#"{"env":null}"#, "{}");
        check(r#"{"env":[{"value":"x"}]}"#, "Internal: map: map[value:x] does not contain declared merge key: name");
        check(
            r#"{"$setElementOrder/env":[{"name":"EX"}],"env":[{"name":"NEW","value":"3"}]}"#,
            "Internal: The order in patch list:\n[map[name:NEW value:3]]\n doesn't match $setElementOrder list:\n[map[name:EX]]\n",
        );
        check(
            r#"{"env":[{"name":"A","$patch":"fly"}]}"#,
            "Internal: unknown patch type: fly in map: map[$patch:fly name:A]",
        );
    }

    #[test]
    fn other_directives() {
        check(
            "ObjectMeta",
            r#"{"finalizers":["a","b","c"],"labels":{"x":"1"}}"#,
            r#"{"$deleteFromPrimitiveList/finalizers":["b"],"labels":{"$patch":"replace","y":"2"}}"#,
            r#"{"finalizers":["a","c"],"labels":{"y":"2"}}"#,
        );
        check("ObjectMeta", r#"{"finalizers":["a"]}"#, r#"{"finalizers":["b","a"]}"#, r#"{"finalizers":["b","a"]}"#);
        check(
            "PodSpec",
            r#"{"volumes":[{"name":"v","emptyDir":{}}]}"#,
            r#"{"volumes":[{"name":"v","hostPath":{"path":"/x"},"$retainKeys":["name","hostPath"]}]}"#,
            r#"{"volumes":[{"hostPath":{"path":"/x"},"name":"v"}]}"#,
        );
        check(
            "PodSpec",
            r#"{"volumes":[{"name":"v","emptyDir":{}}]}"#,
            r#"{"volumes":[{"name":"v","hostPath":{"path":"/x"},"$retainKeys":["name"]}]}"#,
            "BadRequest: invalid patch format of retainKeys",
        );
        check(
            "PodSpec",
            "{}",
            r#"{"securityContext":{"runAsUser":null,"x":{"$patch":"delete"}}}"#,
            r#"{"securityContext":{}}"#,
        );
        check(
            "PodSpec",
            r#"{"securityContext":{"a":{}}}"#,
            r#"{"securityContext":{"a":{"b":1}}}"#,
            "Internal: unable to find api field in struct PodSecurityContext for the json field \"a\"",
        );
        check("PodSpec", r#"{"tolerations":[{"key":"a"}]}"#, r#"{"tolerations":[]}"#, r#"{"tolerations":[]}"#);
        check(
            "PodSpec",
            "{}",
            "\"x\"",
            "BadRequest: json: cannot unmarshal string into Go value of type map[string]interface {}",
        );
    }
}
