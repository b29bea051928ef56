//! What a write changed: field sets of the values that are new or different, and of those that are gone.

use crate::base::BTreeMap;

use super::fields::{built, leaf};
use super::spot::{Shape, Spot};
use crate::base::{Map, SmolStr, Value};

/// Field sets, null when empty.
#[derive(Default)]
pub(super) struct Changes {
    /// Added or modified.
    pub changed: Value,
    pub removed: Value,
}

/// Compares two objects.
pub(super) fn compare(before: &Value, after: &Value, root: Spot) -> Changes {
    compare_at(Some(before), Some(after), root)
}

/// `None` is absent, null is present without content.
fn compare_at(before: Option<&Value>, after: Option<&Value>, spot: Spot) -> Changes {
    if let (Some(before), Some(after)) = (before, after)
        && before.same(after)
    {
        return Changes::default();
    }
    let some = after.filter(|value| !value.is_null()).or(before).unwrap_or(&Value::Null);
    let shape = spot.shape(some);
    let empty = |side: Option<&Value>| side.is_none_or(|value| value.entries().is_empty() && value.items().is_empty());
    if shape == Shape::Leaf || empty(before) && empty(after) {
        return compare_leaf(before, after);
    }
    let (mut changed, mut removed) = (Map::new(), Map::new());
    let mut note = |name: SmolStr, inner: Changes| {
        if !inner.changed.is_null() {
            changed.insert(name.clone(), inner.changed);
        }
        if !inner.removed.is_null() {
            removed.insert(name, inner.removed);
        }
    };
    match shape {
        Shape::Map => compare_maps(before, after, spot, &mut note),
        _ => compare_lists(before, after, spot, shape, &mut note),
    }
    Changes { changed: built(before.is_none(), changed), removed: built(after.is_none(), removed) }
}

fn compare_leaf(before: Option<&Value>, after: Option<&Value>) -> Changes {
    let mut changes = Changes::default();
    match (before, after) {
        (Some(_), None) => changes.removed = leaf(),
        (Some(before), Some(after)) if before == after => {}
        _ => changes.changed = leaf(),
    }
    changes
}

fn compare_maps(before: Option<&Value>, after: Option<&Value>, spot: Spot, note: &mut impl FnMut(SmolStr, Changes)) {
    let (old, new) = (before.unwrap_or(&Value::Null).entries(), after.unwrap_or(&Value::Null).entries());
    let mut one = |key: &SmolStr, old: Option<&Value>, new: Option<&Value>| {
        if let (Some(old), Some(new)) = (old, new)
            && old.same(new)
        {
            return;
        }
        if old.is_none_or(Value::is_null) && new.is_none_or(Value::is_null) {
            return;
        }
        let Some(inner) = spot.key(key) else { return };
        let (mut old, mut new) = (old, new);
        if inner.is_written() {
            // Absent is the same as empty, on a side where the object itself is there.
            if old.or(new).is_none_or(Value::is_empty) && new.or(old).is_none_or(Value::is_empty) {
                if before.is_some() && after.is_some() {
                    return;
                }
            } else {
                old = old.or(before.map(|_| &Value::Null));
                new = new.or(after.map(|_| &Value::Null));
            }
        }
        let changes = compare_at(old, new, inner);
        if !changes.changed.is_null() || !changes.removed.is_null() {
            note(field_name(key), changes);
        }
    };
    // Both maps are sorted: one walk.
    let (mut left, mut right) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (left.peek(), right.peek()) {
            (None, None) => break,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some((a, _)), Some((b, _))) => a.cmp(b),
        };
        let l = if order.is_le() { left.next() } else { None };
        let r = if order.is_ge() { right.next() } else { None };
        if let Some((key, _)) = l.or(r) {
            one(key, l.map(|(_, value)| value), r.map(|(_, value)| value));
        }
    }
}

/// `f:spec`
pub(super) fn field_name(key: &str) -> SmolStr {
    SmolStr::from(["f:", key].concat())
}

fn compare_lists(
    before: Option<&Value>,
    after: Option<&Value>,
    spot: Spot,
    shape: Shape,
    note: &mut impl FnMut(SmolStr, Changes),
) {
    let (old, new) = (before.unwrap_or(&Value::Null).items(), after.unwrap_or(&Value::Null).items());
    let mut by_name: BTreeMap<SmolStr, (Vec<&Value>, Vec<&Value>)> = BTreeMap::new();
    // Items at the same index that are the same need no name.
    let shared = |index: usize| matches!((old.get(index), new.get(index)), (Some(a), Some(b)) if a.same(b));
    for (_, item) in old.iter().enumerate().filter(|(index, _)| !shared(*index)) {
        by_name.entry(spot.item_name(shape, item)).or_default().0.push(item);
    }
    for (_, item) in new.iter().enumerate().filter(|(index, _)| !shared(*index)) {
        by_name.entry(spot.item_name(shape, item)).or_default().1.push(item);
    }
    for (name, (old, new)) in by_name {
        match (old.as_slice(), new.as_slice()) {
            ([old], [new]) => note(name, compare_at(Some(old), Some(new), spot.item())),
            ([], [new]) => note(name, compare_at(None, Some(new), spot.item())),
            ([old], []) => note(name, compare_at(Some(old), None, spot.item())),
            // Duplicates are owned as a whole.
            (old, new) if old == new => {}
            ([], _) => note(name, Changes { changed: leaf(), removed: Value::Null }),
            (_, []) => note(name, Changes { changed: Value::Null, removed: leaf() }),
            (_, _) => note(name, Changes { changed: leaf(), removed: Value::Null }),
        }
    }
}
