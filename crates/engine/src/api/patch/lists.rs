//! Lists in strategic merge patches: merging by key or value, and the order of what comes out.

use super::PatchError;
use super::go_text::go_text;
use super::strategic::{PATCH, SET_ORDER, Side, bad_patch_type, bad_type, go_kind, merge_map, without_directives};
use crate::api::schema::{Field, Place};
use crate::base::Value;

/// What the items of a list are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Items {
    Maps,
    Scalars,
}

/// Merges a patch list into a list.
pub(super) fn merge_lists(
    original: Vec<Value>,
    patch: &mut [Value],
    item: Place,
    key: &str,
    side: Side,
    deletes: bool,
) -> Result<Vec<Value>, PatchError> {
    if original.is_empty() && patch.is_empty() {
        return Ok(original);
    }
    if items_of(&[&original, patch])? == Items::Scalars {
        if side == Side::Server && deletes {
            return Ok(original.into_iter().filter(|value| !patch.contains(value)).collect());
        }
        let mut both = original.clone();
        both.extend_from_slice(patch);
        let merged = deduplicated(both);
        let (patched, rest) = if key.is_empty() {
            merged.into_iter().partition(|value| patch.contains(value))
        } else {
            partition_maps(merged, patch, key)?
        };
        return arranged(patched, rest, patch, &original, key, Items::Scalars);
    }
    if key.is_empty() {
        let message = format!("cannot merge lists without merge key for {}", go_kind(item.ty));
        return Err(PatchError::internal(message));
    }
    let (original, mut patch) = obey_directives(original, patch, key)?;
    let merged = merge_maps(original.clone(), &mut patch, item, key, side)?;
    let patch: Vec<Value> = patch.into_iter().map(|change| change.clone()).collect();
    let (patched, rest) = partition_maps(merged, &patch, key)?;
    arranged(patched, rest, &patch, &original, key, Items::Maps)
}

/// A list under `$setElementOrder`; `None` when there is nothing to order.
pub(super) fn order_list(
    old: Option<Vec<Value>>,
    new: Option<Value>,
    order: &[Value],
    item: Place,
    field: Option<&'static Field>,
    side: Side,
) -> Result<Option<Vec<Value>>, PatchError> {
    let key = field.map_or("", |field| field.merge_key);
    let patch = new.as_ref().map_or(&[][..], Value::items);
    in_order(patch, order, key)?;
    let live = old.clone().unwrap_or_default();
    let merged = match (old, &new) {
        (None, None) => return Ok(None),
        (Some(old), None) => old,
        (None, Some(new)) => without_directives(new).map_or_else(Vec::new, |list| list.items().to_vec()),
        (Some(old), Some(new)) if field.is_some_and(|field| field.merge) => {
            merge_lists(old, new.clone().list_mut(), item, key, side, false)?
        }
        (Some(_), Some(new)) => new.items().to_vec(),
    };
    let (patched, rest) = if key.is_empty() {
        merged.into_iter().partition(|value| order.contains(value))
    } else {
        partition_maps(merged, order, key)?
    };
    let items = items_of(&[&live, patch])?;
    arranged(patched, rest, order, &live, key, items).map(Some)
}

/// Items of the patch must stand in the order list, in that order; deletions are free.
fn in_order(patch: &[Value], order: &[Value], key: &str) -> Result<(), PatchError> {
    if patch.is_empty() || order.is_empty() {
        return Ok(());
    }
    let mut kept = Vec::new();
    for item in patch {
        let map = item.as_map();
        if !key.is_empty() && map.is_none() {
            return Err(bad_type("map[string]interface {}", item));
        }
        if !map.is_some_and(|map| map.contains(PATCH)) {
            kept.push(item);
        }
    }
    let mut at = 0;
    for place in order {
        let Some(item) = kept.get(at) else { break };
        if same_key(item, place, key)? {
            at += 1;
        }
    }
    if at < kept.len() {
        return Err(PatchError::internal(format!(
            "The order in patch list:\n{}\n doesn't match {SET_ORDER} list:\n{}\n",
            go_text(&Value::list(patch.to_vec())),
            go_text(&Value::list(order.to_vec()))
        )));
    }
    Ok(())
}

/// Whether two items have the same merge key (or are equal, without one).
pub(super) fn same_key(left: &Value, right: &Value, key: &str) -> Result<bool, PatchError> {
    if key.is_empty() {
        return Ok(left == right);
    }
    Ok(key_of(left, key)? == key_of(right, key)?)
}

/// The merge key of an item.
pub(super) fn key_of<'a>(item: &'a Value, key: &str) -> Result<&'a Value, PatchError> {
    let map = item.as_map().ok_or_else(|| bad_type("map[string]interface {}", item))?;
    map.get(key).ok_or_else(|| no_merge_key(item, key))
}

fn no_merge_key(item: &Value, key: &str) -> PatchError {
    PatchError::internal(format!("map: {} does not contain declared merge key: {key}", go_text(item)))
}

/// All items are maps, or all are scalars of one type.
pub(super) fn items_of(lists: &[&[Value]]) -> Result<Items, PatchError> {
    let mut first: Option<&Value> = None;
    for item in lists.iter().flat_map(|list| list.iter()) {
        match (first, item) {
            (None, Value::List(_)) => {
                let message = "lists of lists are not supported";
                return Err(PatchError::new(super::PatchReason::Unprocessable, message));
            }
            // The real server trips over its own feet here.
            (None, Value::Null) => {
                return Err(PatchError::internal(
                    "This request caused apiserver to panic. Look in the logs for details.",
                ));
            }
            (None, _) => first = Some(item),
            (Some(first), _) if std::mem::discriminant(first) != std::mem::discriminant(item) => {
                let all = Value::list(lists.iter().map(|list| Value::list(list.to_vec())).collect());
                let message = format!("list element types are not identical: {}", go_text(&all));
                return Err(PatchError::internal(message));
            }
            _ => {}
        }
    }
    match first {
        Some(Value::Map(_)) => Ok(Items::Maps),
        Some(_) => Ok(Items::Scalars),
        None => Err(PatchError::internal("no elements in any of the given slices")),
    }
}

/// `$patch` items: `delete` takes items out of the original, `replace` empties it.
fn obey_directives<'a>(
    mut original: Vec<Value>,
    patch: &'a mut [Value],
    key: &str,
) -> Result<(Vec<Value>, Vec<&'a mut Value>), PatchError> {
    let mut plain = Vec::new();
    let mut replace = false;
    for item in patch {
        let Some(directive) = item.entries().get(PATCH) else {
            plain.push(item);
            continue;
        };
        match directive.as_str() {
            Some("delete") => {
                let gone = key_of(item, key)?;
                if let Some(odd) = original.iter().position(|old| old.as_map().is_none()) {
                    return Err(PatchError::internal(format!("value for key {odd} is not a map")));
                }
                original.retain(|old| old.entries().get(key) != Some(gone));
            }
            Some("replace") => replace = true,
            Some("merge") => {
                return Err(PatchError::internal("merging lists cannot yet be specified in the patch"));
            }
            _ => return Err(bad_patch_type(directive, item)),
        }
    }
    if replace {
        let items = plain.into_iter().map(|item| item.clone()).collect();
        return Ok((items, Vec::new()));
    }
    Ok((original, plain))
}

/// Each item of the patch into the first item with its key, or behind the others.
fn merge_maps(
    mut original: Vec<Value>,
    patch: &mut [&mut Value],
    item: Place,
    key: &str,
    side: Side,
) -> Result<Vec<Value>, PatchError> {
    for change in patch {
        let wanted = key_of(change, key)?;
        match original.iter().position(|old| old.entries().get(key) == Some(wanted)) {
            Some(at) => {
                if let Some(old) = original.get_mut(at) {
                    merge_map(old, change, item, side)?;
                }
            }
            None => original.push(change.clone()),
        }
    }
    Ok(original)
}

/// Items whose key stands in the other list, and the rest.
fn partition_maps(list: Vec<Value>, by: &[Value], key: &str) -> Result<(Vec<Value>, Vec<Value>), PatchError> {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for item in list {
        let wanted = key_of(&item, key)?;
        let mut found = false;
        for (at, other) in by.iter().enumerate() {
            if other.as_map().is_none() {
                return Err(PatchError::internal(format!("value for key {at} is not a map")));
            }
            if other.entries().get(key) == Some(wanted) {
                found = true;
                break;
            }
        }
        if found { inside.push(item) } else { outside.push(item) }
    }
    Ok((inside, outside))
}

/// Items of the patch in the patch's order, the others in the server's, woven together by the server's order.
fn arranged(
    patched: Vec<Value>,
    rest: Vec<Value>,
    patch_order: &[Value],
    server_order: &[Value],
    key: &str,
    items: Items,
) -> Result<Vec<Value>, PatchError> {
    let patched = in_order_of(patched, patch_order, key, items)?;
    let rest = in_order_of(rest, server_order, key, items)?;
    let place = |item: &Value| place_of(server_order, item, key, items);
    let mut out = Vec::with_capacity(patched.len().saturating_add(rest.len()));
    let (mut left, mut right) = (rest.into_iter().peekable(), patched.into_iter().peekable());
    loop {
        let take_left = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(l), Some(r)) => matches!((place(l), place(r)), (Some(l), Some(r)) if l < r),
        };
        out.extend(if take_left { left.next() } else { right.next() });
    }
    Ok(out)
}

/// Sorts by another list; items to delete go last.
pub(super) fn in_order_of(
    list: Vec<Value>,
    order: &[Value],
    key: &str,
    items: Items,
) -> Result<Vec<Value>, PatchError> {
    let (mut list, deleted) = match items {
        Items::Scalars => (list, Vec::new()),
        Items::Maps => {
            for item in list.iter().chain(order) {
                key_of(item, key)?;
            }
            list.into_iter().partition(|item| item.get(PATCH).str() != "delete")
        }
    };
    let mut placed: Vec<(Option<usize>, Value)> =
        list.drain(..).map(|item| (place_of(order, &item, key, items), item)).collect();
    if placed.iter().all(|(place, _)| place.is_some()) {
        placed.sort_by_key(|(place, _)| *place);
    } else {
        // Go's comparison calls whatever is not found smaller: each such item jumps to the front, and so does the next
        // found one behind it. An insertion sort (Go's for short lists) is reproduced step by step.
        for i in 1..placed.len() {
            let mut j = i;
            while j > 0 && goes_before(&placed, j) {
                placed.swap(j, j.saturating_sub(1));
                j = j.saturating_sub(1);
            }
        }
    }
    let mut out: Vec<Value> = placed.into_iter().map(|(_, item)| item).collect();
    out.extend(deleted);
    Ok(out)
}

fn goes_before(placed: &[(Option<usize>, Value)], at: usize) -> bool {
    let place = |index: usize| placed.get(index).and_then(|(place, _)| *place);
    match (place(at), place(at.saturating_sub(1))) {
        (Some(this), Some(before)) => this < before,
        _ => true,
    }
}

fn place_of(list: &[Value], item: &Value, key: &str, items: Items) -> Option<usize> {
    match items {
        Items::Maps => list.iter().position(|other| other.get(key) == item.get(key)),
        Items::Scalars => list.iter().position(|other| other == item),
    }
}

/// Without repetitions: the last item takes the place of a repeated one.
pub(super) fn deduplicated(mut list: Vec<Value>) -> Vec<Value> {
    let mut i = 0;
    while i < list.len() {
        let mut j = i.saturating_add(1);
        while j < list.len() {
            if list.get(i) == list.get(j) {
                list.swap_remove(j);
            } else {
                j = j.saturating_add(1);
            }
        }
        i = i.saturating_add(1);
    }
    list
}
