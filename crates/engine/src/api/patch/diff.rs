//! The strategic merge patch that makes one object of another: what kubectl computes before it sends a patch.

use super::PatchError;
use super::go_text::go_text;
use super::lists::{Items, deduplicated, in_order_of, items_of, key_of, same_key};
use super::strategic::{DELETE_LIST, PATCH, RETAIN_KEYS, SET_ORDER, list_place, struct_place};
use crate::api::schema::Place;
use crate::base::{Map, Value, format_smolstr};
use crate::map;

/// What goes into a patch.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    /// Write `$setElementOrder` lists.
    pub order: bool,
    pub without_changes: bool,
    pub without_deletions: bool,
    /// Write `$retainKeys`: asked for by the field the map stands in.
    pub retain_keys: bool,
}

/// The patch from one map to another, empty when there is nothing to do.
pub(super) fn diff_maps(original: &Map, modified: &Map, place: Place, parts: Parts) -> Result<Map, PatchError> {
    let mut patch = Map::new();
    for (key, new) in modified.iter() {
        let Some(old) = original.get(key) else {
            if !parts.without_changes {
                patch.insert(key.clone(), new);
            }
            continue;
        };
        if key == PATCH {
            if old.as_str().is_none() || new.as_str().is_none() {
                return Err(PatchError::internal("invalid value for special key: $patch"));
            }
            if old != new {
                patch.insert(key.clone(), new);
            }
            continue;
        }
        match (old, new) {
            (Value::Map(old_map), Value::Map(new_map)) => {
                let (inner, field) = match struct_place(place, key) {
                    Err(_) if old == new => continue,
                    found => found?,
                };
                if field.is_some_and(|field| field.replace) {
                    // Even without a difference: kubectl always finds such objects changed.
                    if !parts.without_changes {
                        patch.insert(key.clone(), new);
                    }
                    continue;
                }
                let parts = Parts { retain_keys: field.is_some_and(|field| field.retain_keys), ..parts };
                let change = diff_maps(old_map, new_map, inner, parts)?;
                if !change.is_empty() {
                    patch.insert(key.clone(), change);
                }
            }
            (Value::List(old_list), Value::List(new_list)) => {
                let (item, field) = match list_place(place, key) {
                    Err(_) if old == new => continue,
                    found => found?,
                };
                if let Some(field) = field.filter(|field| field.merge) {
                    let parts = Parts { retain_keys: field.retain_keys, ..parts };
                    let change = diff_lists(old_list, new_list, item, field.merge_key, parts)?;
                    change.write(&mut patch, key);
                } else if !parts.without_changes && old != new {
                    patch.insert(key.clone(), new);
                }
            }
            _ if !parts.without_changes && old != new => {
                patch.insert(key.clone(), new);
            }
            _ => {}
        }
    }
    if !parts.without_deletions {
        for key in original.keys().filter(|key| !modified.contains(key)) {
            patch.insert(key.clone(), Value::Null);
        }
    }
    if parts.retain_keys {
        let kept: Vec<Value> =
            modified.iter().filter(|(_, value)| !value.is_null()).map(|(key, _)| Value::from(key)).collect();
        let gone = original.iter().any(|(key, value)| !value.is_null() && !modified.contains(key));
        if !kept.is_empty() && (!patch.is_empty() || gone) {
            patch.insert(RETAIN_KEYS, kept);
        }
    }
    Ok(patch)
}

/// What a merged list becomes in a patch.
#[derive(Default)]
struct ListChange {
    changes: Vec<Value>,
    deletions: Vec<Value>,
    order: Vec<Value>,
}

impl ListChange {
    fn write(self, patch: &mut Map, key: &str) {
        let mut put = |key: &str, list: Vec<Value>| {
            if !list.is_empty() {
                patch.insert(key, list);
            }
        };
        put(key, self.changes);
        put(&format_smolstr!("{DELETE_LIST}/{key}"), self.deletions);
        put(&format_smolstr!("{SET_ORDER}/{key}"), self.order);
    }
}

fn diff_lists(
    original: &[Value],
    modified: &[Value],
    item: Place,
    key: &str,
    parts: Parts,
) -> Result<ListChange, PatchError> {
    if original.is_empty() {
        let changes = if parts.without_changes { Vec::new() } else { modified.to_vec() };
        return Ok(ListChange { changes, ..ListChange::default() });
    }
    match items_of(&[original, modified])? {
        Items::Maps => {
            let (changes, deletions) = diff_maps_lists(original, modified, item, key, parts)?;
            let mut changes = in_order_of(changes, modified, key, Items::Maps)?;
            let mut same_order = original.len() == modified.len();
            for (old, new) in original.iter().zip(modified) {
                if !same_order {
                    break;
                }
                same_order = same_key(old, new, key)?;
            }
            changes.extend(deletions);
            let ordered = parts.order
                && (!changes.is_empty() && (!parts.without_changes || !parts.without_deletions)
                    || !parts.without_changes && !same_order);
            let order =
                if ordered { modified.iter().map(|item| map! { key => item.get(key) }).collect() } else { vec![] };
            Ok(ListChange { changes, deletions: Vec::new(), order })
        }
        Items::Scalars => {
            let (sorted, changes, deletions) = diff_scalars(original, modified, parts);
            let changes = in_order_of(changes, modified, key, Items::Scalars)?;
            // Compared with the sorted original: an unsorted list counts as changed.
            let ordered = parts.order
                && (!parts.without_deletions && !deletions.is_empty() || !parts.without_changes && sorted != modified);
            let order = if ordered { modified.to_vec() } else { Vec::new() };
            Ok(ListChange { changes, deletions, order })
        }
    }
}

/// Sorted as Go's sort does short lists with a comparison that also holds for equal items: those change places.
fn sorted(list: &[Value], text: impl Fn(&Value) -> String) -> Vec<(String, Value)> {
    let mut out: Vec<(String, Value)> = list.iter().rev().map(|item| (text(item), item.clone())).collect();
    out.sort_by(|(a, _), (b, _)| a.cmp(b));
    out
}

/// The sorted original, what is new, and what is gone.
fn diff_scalars(original: &[Value], modified: &[Value], parts: Parts) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let (old, new) = (sorted(original, go_text), sorted(modified, go_text));
    let (mut changes, mut deletions) = (Vec::new(), Vec::new());
    for step in steps(&old, &new) {
        match step {
            (Some(_), Some(_)) => {}
            (None, Some(new)) if !parts.without_changes => changes.push(new.clone()),
            (Some(old), None) if !parts.without_deletions => deletions.push(old.clone()),
            _ => {}
        }
    }
    (old.into_iter().map(|(_, item)| item).collect(), changes, deduplicated(deletions))
}

fn diff_maps_lists(
    original: &[Value],
    modified: &[Value],
    item: Place,
    key: &str,
    parts: Parts,
) -> Result<(Vec<Value>, Vec<Value>), PatchError> {
    for item in original.iter().chain(modified) {
        key_of(item, key)?;
    }
    let name = |item: &Value| go_text(item.get(key));
    let (old, new) = (sorted(original, name), sorted(modified, name));
    let (mut changes, mut deletions) = (Vec::new(), Vec::new());
    for step in steps(&old, &new) {
        match step {
            (Some(old), Some(new)) => {
                let mut change = diff_maps(old.entries(), new.entries(), item, parts)?;
                if !change.is_empty() {
                    change.insert(key, new.get(key));
                    changes.push(change.into());
                }
            }
            (None, Some(new)) if !parts.without_changes => changes.push(new.clone()),
            (Some(old), None) if !parts.without_deletions => {
                deletions.push(map! { key => old.get(key), PATCH => "delete" });
            }
            _ => {}
        }
    }
    Ok((changes, deletions))
}

/// Walks two sorted lists side by side.
fn steps<'a>(old: &'a [(String, Value)], new: &'a [(String, Value)]) -> Vec<(Option<&'a Value>, Option<&'a Value>)> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut out = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return out,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let left = if order.is_le() { old.next() } else { None };
        let right = if order.is_ge() { new.next() } else { None };
        out.push((left.map(|(_, item)| item), right.map(|(_, item)| item)));
    }
}
