//! The managedFields list: one entry per manager, operation, version and subresource.

use std::sync::LazyLock;

use super::Writer;
use super::compare::{Changes, compare};
use super::fields::{built, difference, is_nothing, union};
use super::spot::{Root, Spot};
use crate::api::schema;
use crate::base::{Map, Value};

/// At most this many entries of updates.
const UPDATERS: usize = 10;

const ANCIENT: &str = "ancient-changes";

/// Credits a write that is no apply: `after` gets the managedFields of `before` (or those the writer put into it),
/// brought up to date. `before` is `None` for a create. An object that lost its managedFields stays without.
pub fn update_managed_fields(root: Root, before: Option<&Value>, after: &mut Value, writer: &Writer) {
    const MANAGED: [&str; 2] = ["metadata", "managedFields"];
    let live = before.map_or(&Value::Null, |object| object.at(&MANAGED));
    let sent = after.at(&MANAGED);
    let reset = sent.items().len() == 1 && sent[0].entries().iter().all(|(_, value)| value.is_empty());
    let base = match before {
        Some(_) if reset && writer.subresource.is_empty() => Value::Null,
        Some(_) if !writer.subresource.is_empty() || sent.items().is_empty() => live.clone(),
        _ if reset => Value::Null,
        _ => sent.clone(),
    };
    let managed = if base.items().is_empty() && before.is_some() {
        Value::Null
    } else {
        let changes = compare(before.unwrap_or(&Value::Null), after, Spot::root(root));
        let changes = Changes {
            changed: without_reset(&changes.changed, root, writer),
            removed: without_reset(&changes.removed, root, writer),
        };
        // A Scale to nothing has no field that its writer could own.
        let changes = match writer.subresource == "scale" && after.at(&["spec", "replicas"]).int() == 0 {
            true => Changes { removed: union(&changes.changed, &changes.removed), changed: Value::empty_map() },
            false => changes,
        };
        updated(&base, &changes, writer)
    };
    if managed.items().is_empty() {
        after.remove(&MANAGED);
    } else if !after.at(&MANAGED).same(&managed) {
        *after.at_mut(&MANAGED) = managed;
    }
}

/// The list after an update that changed these fields.
pub(super) fn updated(list: &Value, changes: &Changes, writer: &Writer) -> Value {
    let own = without_meta(&changes.changed);
    let touched = union(&changes.changed, &changes.removed);
    let mut entries = without(list, &touched, |_| true);
    if !is_nothing(&own) {
        entries.retain(|entry| !is_of(entry, writer, "Update"));
        let previous = list.items().iter().find(|entry| is_of(entry, writer, "Update"));
        let kept = previous.map_or(Value::Null, |entry| difference(&entry["fieldsV1"], &touched));
        // What goes through a Scale carries no time.
        entries.push(entry(writer, "Update", union(&own, &kept), writer.subresource != "scale"));
        cap(&mut entries);
    } else if entries.len() == list.items().len() && entries.iter().zip(list.items()).all(|(a, b)| a.same(b)) {
        return list.clone();
    }
    sort(&mut entries);
    Value::list(entries)
}

/// The entries less some fields; those left with nothing go.
pub(super) fn without(list: &Value, fields: &Value, of: impl Fn(&Value) -> bool) -> Vec<Value> {
    let mut out = Vec::with_capacity(list.items().len().saturating_add(1));
    for entry in list.items() {
        let rest = if of(entry) { difference(&entry["fieldsV1"], fields) } else { entry["fieldsV1"].clone() };
        if rest.is_null() || rest.entries().is_empty() {
            continue;
        }
        let mut entry = entry.clone();
        if !rest.same(&entry["fieldsV1"]) {
            entry.map_mut().insert("fieldsV1", rest);
        }
        out.push(entry);
    }
    out
}

pub(super) fn is_of(entry: &Value, writer: &Writer, operation: &str) -> bool {
    entry["manager"].str() == name(writer)
        && entry["operation"].str() == operation
        && entry["subresource"].str() == writer.subresource
        // An applier is the same in every version.
        && (operation == "Apply" || entry["apiVersion"].str() == writer.api_version)
}

fn name<'a>(writer: &Writer<'a>) -> &'a str {
    if writer.manager.is_empty() { "unknown" } else { writer.manager }
}

pub(super) fn entry(writer: &Writer, operation: &str, fields: Value, timed: bool) -> Value {
    let mut entry = Map::new();
    entry.insert("manager", name(writer));
    entry.insert("operation", operation);
    entry.insert("apiVersion", writer.api_version);
    entry.insert("fieldsType", "FieldsV1");
    entry.insert("fieldsV1", fields);
    if !writer.subresource.is_empty() {
        entry.insert("subresource", writer.subresource);
    }
    if timed {
        entry.insert("time", writer.now.rfc3339());
    }
    entry.into()
}

/// Merges the oldest updaters, per version, until there are not too many.
fn cap(entries: &mut Vec<Value>) {
    let is_update = |entry: &Value| entry["operation"].str() == "Update";
    let mut count = entries.iter().filter(|entry| is_update(entry)).count();
    if count <= UPDATERS {
        return;
    }
    sort(entries);
    let updaters: Vec<Value> = entries.iter().filter(|entry| is_update(entry)).cloned().collect();
    let mut firsts: Vec<Value> = Vec::new();
    for updater in &updaters {
        if count <= UPDATERS {
            break;
        }
        let version = updater["apiVersion"].str();
        let Some(first) = firsts.iter().find(|first| first["apiVersion"].str() == version).cloned() else {
            firsts.push(updater.clone());
            continue;
        };
        let is_bucket = |entry: &Value| {
            entry["manager"].str() == ANCIENT
                && is_update(entry)
                && entry["apiVersion"].str() == version
                && entry["subresource"].is_null()
        };
        if !entries.iter().any(is_bucket)
            && let Some(entry) = entries.iter_mut().find(|entry| **entry == first)
        {
            entry.set(&["manager"], ANCIENT);
            entry.remove(&["subresource"]);
        }
        entries.retain(|entry| entry != updater);
        if let Some(bucket) = entries.iter_mut().find(|entry| is_bucket(entry)) {
            let fields = union(&updater["fieldsV1"], &bucket["fieldsV1"]);
            bucket.set(&["fieldsV1"], fields);
            bucket.remove(&["time"]);
            if updater.has("time") {
                bucket.set(&["time"], &updater["time"]);
            }
        }
        count = count.saturating_sub(1);
    }
}

/// Appliers first; then by time (none is oldest), manager, version and subresource.
pub(super) fn sort(entries: &mut [Value]) {
    let key =
        |entry: &Value| ["operation", "time", "manager", "apiVersion", "subresource"].map(|field| entry[field].smol());
    entries.sort_by_cached_key(key);
}

/// Less the fields the endpoint resets: status at the object itself, spec (and what else the kind's strategy takes from
/// the stored object) at /status.
pub(super) fn without_reset(set: &Value, root: Root, writer: &Writer) -> Value {
    let mut out = set.clone();
    let mut reset = |path: &[&str]| {
        out.remove(path);
        if let Some((_, parent)) = path.split_last().filter(|(_, parent)| !parent.is_empty())
            && out.at(parent).as_map().is_some_and(Map::is_empty)
        {
            out.remove(parent);
        }
    };
    match writer.subresource {
        "" if set.has("f:status") => {
            let has_status = |kind: &schema::Kind| Some(kind.ty) == root && kind.subresource("status").is_some();
            if schema::kinds().iter().any(has_status) {
                reset(&["f:status"]);
            }
        }
        "status" => {
            reset(&["f:spec"]);
            match root.map(|ty| ty.get().name) {
                Some("Deployment") => reset(&["f:metadata", "f:labels"]),
                Some("Pod") => {
                    reset(&["f:metadata", "f:deletionTimestamp"]);
                    reset(&["f:metadata", "f:ownerReferences"]);
                }
                _ => {}
            }
        }
        _ => {}
    }
    if out.entries().is_empty() { Value::Null } else { out }
}

/// Fields nobody owns.
pub(super) fn without_meta(set: &Value) -> Value {
    static STRIPPED: LazyLock<Value> = LazyLock::new(|| {
        let mut meta = Map::new();
        for field in [
            "clusterName",
            "creationTimestamp",
            "generation",
            "managedFields",
            "name",
            "namespace",
            "resourceVersion",
            "selfLink",
            "uid",
        ] {
            meta.insert(format!("f:{field}"), Value::empty_map());
        }
        let mut strip = Map::new();
        strip.insert("f:apiVersion", Value::empty_map());
        strip.insert("f:kind", Value::empty_map());
        strip.insert("f:metadata", built(true, meta));
        strip.into()
    });
    // The object itself is no field.
    let mut rest = difference(set, &STRIPPED);
    if rest.has(super::fields::SELF) {
        rest.remove(&[super::fields::SELF]);
    }
    if rest.entries().is_empty() { Value::Null } else { rest }
}
