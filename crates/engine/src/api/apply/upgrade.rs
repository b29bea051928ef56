//! kubectl's step from client-side to server-side apply: what its updates own goes to its apply entry (csaupgrade).

use super::fields::{difference, union};
use crate::base::{Value, json};

/// The managedFields after the step; the very same list when there is nothing to take over.
///
/// kubectl sends it as a JSON patch that replaces `/metadata/managedFields` and `/metadata/resourceVersion`.
pub fn upgraded(managed: &Value, client_side: &[&str], server_side: &str, subresource: &str) -> Value {
    client_side.iter().fold(managed.clone(), |managed, name| upgrade_one(managed, name, server_side, subresource))
}

fn upgrade_one(managed: Value, client_side: &str, server_side: &str, subresource: &str) -> Value {
    let is = |entry: &Value, name: &str, operation: &str| {
        entry["manager"].str() == name
            && entry["operation"].str() == operation
            && entry["subresource"].str() == subresource
    };
    let old = |entry: &Value| is(entry, client_side, "Update");
    let list = managed.items();
    let Some(first) = list.iter().position(old) else {
        return managed;
    };
    let index = list.iter().position(|entry| is(entry, server_side, "Apply")).unwrap_or(first);
    let Some(mut target) = list.get(index).cloned() else { return managed };
    let same_version = list.iter().find(|entry| old(entry) && entry["apiVersion"] == target["apiVersion"]);
    let fields = same_version.map_or(Value::Null, |entry| union(&target["fieldsV1"], &entry["fieldsV1"]));
    let fields = if fields.is_null() { target["fieldsV1"].clone() } else { fields };
    let annotation =
        json::parse(r#"{"f:metadata":{"f:annotations":{"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}"#);
    target.set(&["manager"], server_side);
    target.set(&["operation"], "Apply");
    target.set(&["fieldsV1"], difference(&fields, &annotation.unwrap_or_default()));
    let entries = list.iter().enumerate().filter(|(at, entry)| *at == index || !old(entry));
    Value::list(entries.map(|(at, entry)| if at == index { target.clone() } else { entry.clone() }).collect())
}
