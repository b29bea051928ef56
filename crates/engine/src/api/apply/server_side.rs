//! Server-side apply: merge the configuration, drop what it no longer states, refuse what others own.

use super::compare::{Changes, compare};
use super::fields::{difference, intersection, paths, union};
use super::managed::{entry, is_of, sort, updated, without, without_meta, without_reset};
use super::spot::Spot;
use super::typed::{errors, field_set, merge, prune};
use super::{Root, Writer};
use crate::api::object;
use crate::base::{Value, json};

const MANAGED: [&str; 2] = ["metadata", "managedFields"];
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// 409 Conflict; the message and the causes (`FieldManagerConflict`).
    Conflicts { message: String, causes: Vec<Conflict> },
    /// 400 BadRequest.
    BadRequest(String),
    /// 500 without a reason.
    Internal(String),
}

/// A cause: `conflict with "x" using apps/v1` at `.spec.replicas`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    pub message: String,
    pub field: String,
}

/// The live object (`None` creates) after the configuration, with managedFields, before defaulting.
///
/// An apply that changes no value answers the live object with its managedFields brought up to date.
pub fn apply(
    root: Root,
    live: Option<&Value>,
    config: &Value,
    force: bool,
    writer: &Writer,
) -> Result<Value, ApplyError> {
    let version = config["apiVersion"].str();
    if version != writer.api_version && writer.subresource != "scale" {
        let (sent, wanted) = (version, writer.api_version);
        return Err(ApplyError::BadRequest(format!(
            "Incorrect version specified in apply patch. Specified patch version: {sent}, expected: {wanted}"
        )));
    }
    if config.at(&MANAGED).as_list().is_some() {
        return Err(ApplyError::BadRequest("metadata.managedFields must be nil".into()));
    }
    let spot = Spot::root(root);
    refuse_untyped(config, spot)?;
    let bare = |object: &Value| {
        let mut object = object.clone();
        object.remove(&MANAGED);
        object
    };
    let before = live.map(bare).unwrap_or_default();
    let mut list = live.map_or(Value::Null, |object| object.at(&MANAGED).clone());
    if let (Some(_), true) = (live, list.items().is_empty()) {
        let first = Writer { manager: "before-first-apply", ..*writer };
        list = updated(&Value::Null, &compare(&Value::Null, &before, spot), &first);
    }

    let state = State { spot, root, before: &before, list: &list, writer };
    let mut outcome = state.apply(config, force);
    if let Err(conflicts) = &outcome
        && writer.manager == "kubectl"
    {
        let allowed = last_applied_fields(&before, spot);
        let left: Vec<_> = conflicts
            .iter()
            .map(|(manager, set)| (manager.clone(), difference(set, &allowed)))
            .filter(|(_, set)| !set.is_null())
            .collect();
        outcome = if left.is_empty() { state.apply(config, true) } else { Err(left) };
    }
    let (mut object, managed) = outcome.map_err(conflict_error)?;
    if writer.manager == "kubectl" && object.at(&["metadata", "annotations"]).has(LAST_APPLIED) {
        object.set(&["metadata", "annotations", LAST_APPLIED], last_applied(config));
    }
    if managed.items().is_empty() {
        object.remove(&MANAGED);
    } else {
        object.set(&MANAGED, managed);
    }
    Ok(object)
}

fn refuse_untyped(config: &Value, spot: Spot) -> Result<(), ApplyError> {
    let found = errors(config, spot);
    let text = match found.as_slice() {
        [] => return Ok(()),
        [one] => one.clone(),
        many => format!("errors:\n  {}", many.join("\n  ")),
    };
    let version = config["apiVersion"].str();
    let version = if version.contains('/') { version.to_owned() } else { format!("/{version}") };
    Err(ApplyError::Internal(format!(
        "failed to create typed patch object ({}/{}; {version}, Kind={}): {text}",
        object::namespace(config),
        object::name(config),
        config["kind"].str()
    )))
}

struct State<'a> {
    spot: Spot,
    root: Root,
    before: &'a Value,
    list: &'a Value,
    writer: &'a Writer<'a>,
}

/// An entry and the fields it defends.
type Conflicts = Vec<(Value, Value)>;

impl State<'_> {
    fn apply(&self, config: &Value, force: bool) -> Result<(Value, Value), Conflicts> {
        let own = |entry: &Value| is_of(entry, self.writer, "Apply");
        let set = without_reset(&field_set(config, self.spot), self.root, self.writer);
        let last = self.list.items().iter().find(|entry| own(entry));
        let mut after = merge(self.before, config, self.spot);
        if let Some(last) = last {
            let others = self.list.items().iter().filter(|entry| !own(entry));
            let owned = others.fold(set.clone(), |all, entry| union(&all, &entry["fieldsV1"]));
            after = prune(&after, self.spot, &last["fieldsV1"], &owned);
        }
        let Changes { changed, removed } = compare(self.before, &after, self.spot);
        let (changed, removed) =
            (without_reset(&changed, self.root, self.writer), without_reset(&removed, self.root, self.writer));
        let others = || self.list.items().iter().filter(|entry| !own(entry));
        if !force {
            let conflicts: Conflicts = others()
                .map(|entry| (entry.clone(), intersection(&entry["fieldsV1"], &changed)))
                .filter(|(_, set)| !set.is_null())
                .collect();
            if !conflicts.is_empty() {
                return Err(conflicts);
            }
        }
        let mut entries = without(self.list, &union(&changed, &removed), |entry| !own(entry));
        entries.retain(|entry| !own(entry));
        let same = changed.is_null() && removed.is_null();
        let set = without_meta(&set);
        if !set.is_null() {
            let mut new = entry(self.writer, "Apply", set, !same);
            if let (true, Some(last)) = (same, last)
                && last.has("time")
            {
                new.set(&["time"], &last["time"]);
            }
            entries.push(new);
        }
        sort(&mut entries);
        let list = if entries == self.list.items() { self.list.clone() } else { Value::list(entries) };
        Ok((if same { self.before.clone() } else { after }, list))
    }
}

/// What client-side apply last stated and still stands: kubectl may take it over.
fn last_applied_fields(live: &Value, spot: Spot) -> Value {
    let Ok(stated) = json::parse(object::annotation(live, LAST_APPLIED)) else { return Value::Null };
    let changes = compare(live, &stated, spot);
    difference(&difference(&field_set(&stated, spot), &changes.changed), &changes.removed)
}

/// The annotation kept in step with a server-side apply of kubectl.
fn last_applied(config: &Value) -> String {
    let mut config = config.clone();
    if config.at(&["metadata", "annotations"]).has(LAST_APPLIED) {
        config.remove(&["metadata", "annotations", LAST_APPLIED]);
    }
    format!("{}\n", json::compact(&config))
}

fn conflict_error(mut conflicts: Conflicts) -> ApplyError {
    conflicts.sort_by_cached_key(|(entry, _)| {
        ["manager", "operation", "apiVersion", "subresource"].map(|field| entry[field].smol())
    });
    let mut causes = Vec::new();
    let mut lines = Vec::new();
    for (entry, set) in &conflicts {
        let mut manager = format!("{:?}", entry["manager"].str());
        if !entry["subresource"].is_null() {
            manager.push_str(&format!(" with subresource {:?}", entry["subresource"].str()));
        }
        if entry["operation"].str() == "Update" {
            manager.push_str(&format!(" using {}", entry["apiVersion"].str()));
        }
        lines.push(format!("conflicts with {manager}:"));
        for field in paths(set) {
            lines.push(format!("- {field}"));
            causes.push(Conflict { message: format!("conflict with {manager}"), field });
        }
    }
    let message = match causes.as_slice() {
        [one] => format!("Apply failed with 1 conflict: {}: {}", one.message, one.field),
        many => format!("Apply failed with {} conflicts: {}", many.len(), lines.join("\n")),
    };
    ApplyError::Conflicts { message, causes }
}
