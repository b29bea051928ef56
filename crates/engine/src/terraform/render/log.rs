//! What the commands say with `-json`: one object per line while they work, whole documents for states and plans
//! (upstream: terraform's command/views, jsonstate and jsonplan).

use super::event::{begun, done, span};
use crate::base::{SmolStr, Time};
use crate::terraform::address::{InstanceAddress, Key, Mode, ModulePath};
use crate::terraform::command::VERSION;
use crate::terraform::core::{Event, Happening, Walk};
use crate::terraform::hcl::{Diagnostic, Pages, report};
use crate::terraform::json::Json;
use crate::terraform::plan::{Action, Plan, PlanMode, Reason, ResourceChange};
use crate::terraform::provider::{Doing, Providers};
use crate::terraform::state::{Object, State};
use crate::terraform::value::{self, Kind, Value};

fn line<const N: usize>(level: &str, message: &str, now: Time, kind: &str, fields: [(&str, Json); N]) -> String {
    let mut all = vec![
        ("@level".to_string(), Json::text(level)),
        ("@message".to_string(), Json::text(message)),
        ("@module".to_string(), Json::text("terraform.ui")),
        ("@timestamp".to_string(), Json::text(&now.rfc3339_micros())),
    ];
    let mut more: Vec<(String, Json)> =
        fields.into_iter().chain([("type", Json::text(kind))]).map(|(n, v)| (n.to_string(), v)).collect();
    more.sort_by(|a, b| a.0.cmp(&b.0));
    all.extend(more);
    Json::Object(all).compact() + "\n"
}

pub fn version(now: Time) -> String {
    let fields = [("terraform", Json::text(VERSION)), ("ui", Json::text("1.2"))];
    line("info", &format!("Terraform {VERSION}"), now, "version", fields)
}

/// A test without any.
pub fn no_tests(now: Time) -> [String; 2] {
    let nothing = || Json::number(0);
    let summary = Json::of([
        ("status", Json::text("pass")),
        ("passed", nothing()),
        ("failed", nothing()),
        ("errored", nothing()),
        ("skipped", nothing()),
    ]);
    let found = line("info", "Found 0 files and 0 run blocks", now, "test_abstract", [("test_abstract", Json::of([]))]);
    [found, line("info", "Success! 0 passed, 0 failed.", now, "test_summary", [("test_summary", summary)])]
}

pub fn message(text: &str, now: Time) -> String {
    line("info", text, now, "log", [])
}

pub fn diagnostic(diagnostic: &Diagnostic, pages: &Pages, now: Time) -> String {
    let (level, word) = if diagnostic.is_error() { ("error", "Error") } else { ("warn", "Warning") };
    let json = report::json(diagnostic, pages);
    line(level, &format!("{word}: {}", diagnostic.summary), now, "diagnostic", [("diagnostic", json)])
}

fn resource(address: &InstanceAddress) -> Json {
    let kind = &address.resource.kind;
    let relative = InstanceAddress {
        resource: crate::terraform::address::ResourceAddress {
            module: ModulePath::default(),
            ..address.resource.clone()
        },
        key: address.key.clone(),
    };
    Json::of([
        ("addr", Json::text(&address.to_string())),
        ("module", Json::text(&address.resource.module.to_string())),
        ("resource", Json::text(&relative.to_string())),
        ("implied_provider", Json::text(kind.split('_').next().unwrap_or_default())),
        ("resource_type", Json::text(kind)),
        ("resource_name", Json::text(&address.resource.name)),
        ("resource_key", key(address.key.as_ref())),
    ])
}

fn key(key: Option<&Key>) -> Json {
    match key {
        None => Json::null(),
        Some(Key::Int(index)) => Json::number(index),
        Some(Key::Text(text)) => Json::text(text),
    }
}

fn action_name(action: Action) -> &'static str {
    match action {
        Action::NoOp => "noop",
        Action::Create => "create",
        Action::Read => "read",
        Action::Update => "update",
        Action::DeleteThenCreate | Action::CreateThenDelete => "replace",
        Action::Delete => "delete",
        Action::Forget => "remove",
    }
}

fn doing_name(doing: Doing) -> &'static str {
    match doing {
        Doing::Create => "create",
        Doing::Update => "update",
        Doing::Delete => "delete",
        _ => "read",
    }
}

/// The lines of an event.
pub fn event(event: &Event, now: Time) -> String {
    let address = event.address.to_string();
    let id = event.id.as_ref().map(|(name, value)| format!(" [{name}={value}]")).unwrap_or_default();
    let mut hook = Json::of([("resource", resource(&event.address))]);
    let with_id = |hook: &mut Json| {
        if let Some((name, value)) = &event.id {
            hook.push("id_key", Json::text(name));
            hook.push("id_value", Json::text(value));
        }
    };
    let (text, kind) = match &event.what {
        Happening::Refreshing => {
            with_id(&mut hook);
            (format!("{address}: Refreshing state...{id}"), "refresh_start")
        }
        Happening::Refreshed => {
            with_id(&mut hook);
            (format!("{address}: Refresh complete{id}"), "refresh_complete")
        }
        Happening::Begun(doing) => {
            hook.push("action", Json::text(doing_name(*doing)));
            with_id(&mut hook);
            (format!("{address}: {}...{id}", begun(*doing)), "apply_start")
        }
        Happening::Still(doing, seconds) => {
            hook.push("action", Json::text(doing_name(*doing)));
            hook.push("elapsed_seconds", Json::number(seconds));
            let word = begun(*doing).to_lowercase();
            (format!("{address}: Still {word}... [{} elapsed]", span(*seconds)), "apply_progress")
        }
        Happening::Done(doing, seconds) => {
            hook.push("action", Json::text(doing_name(*doing)));
            with_id(&mut hook);
            hook.push("elapsed_seconds", Json::number(seconds));
            (format!("{address}: {} after {}{id}", done(*doing), span(*seconds)), "apply_complete")
        }
        Happening::Failed(doing, seconds) => {
            hook.push("action", Json::text(doing_name(*doing)));
            hook.push("elapsed_seconds", Json::number(seconds));
            let noun = done(*doing).trim_end_matches(" complete");
            (format!("{address}: {noun} errored after {}", span(*seconds)), "apply_errored")
        }
        Happening::Provisioning(kind) => {
            hook.push("provisioner", Json::text(kind));
            (format!("{address}: Provisioning with '{kind}'..."), "provision_start")
        }
        Happening::Said(kind, text) => {
            let lines = text.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.is_empty());
            return lines
                .map(|said| {
                    let mut hook = hook.clone();
                    hook.push("provisioner", Json::text(kind));
                    hook.push("output", Json::text(said));
                    line("info", &format!("{address}: ({kind}): {said}"), now, "provision_progress", [("hook", hook)])
                })
                .collect();
        }
        Happening::Provisioned(kind) => {
            hook.push("provisioner", Json::text(kind));
            (format!("{address}: ({kind}) Provisioning complete"), "provision_complete")
        }
        Happening::NotProvisioned(kind) => {
            hook.push("provisioner", Json::text(kind));
            (format!("{address}: ({kind}) Provisioning errored"), "provision_errored")
        }
        Happening::PreparingImport(_)
        | Happening::Importing(_)
        | Happening::Imported(_)
        | Happening::ImportFrom(_)
        | Happening::ImportPrepared => return String::new(),
    };
    line("info", &text, now, kind, [("hook", hook)])
}

fn change(change: &ResourceChange) -> (String, Json) {
    let moved = change.previous != change.address;
    let name = match change.action {
        Action::NoOp if moved => "move",
        Action::NoOp if change.importing.is_some() => "import",
        action => action_name(action),
    };
    let mut json = Json::of([("resource", resource(&change.address))]);
    if moved {
        json.push("previous_resource", resource(&change.previous));
    }
    json.push("action", Json::text(name));
    if let Some(reason) = reason_name(&change.reason) {
        json.push("reason", Json::text(reason));
    }
    if let Some(id) = &change.importing {
        json.push("importing", Json::of([("id", Json::text(id))]));
    }
    (name.to_string(), json)
}

fn reason_name(reason: &Reason) -> Option<&'static str> {
    Some(match reason {
        Reason::None => return None,
        Reason::Tainted => "tainted",
        Reason::Requested => "requested",
        Reason::ReplaceTriggeredBy => "replace_triggered_by",
        Reason::CannotUpdate => "cannot_update",
        Reason::NoResourceConfig => "delete_because_no_resource_config",
        Reason::NoModule => "delete_because_no_module",
        Reason::WrongRepetition => "delete_because_wrong_repetition",
        Reason::CountIndex => "delete_because_count_index",
        Reason::EachKey => "delete_because_each_key",
        Reason::NoMoveTarget => "delete_because_no_move_target",
        Reason::ConfigUnknown => "read_because_config_unknown",
        Reason::DependencyPending => "read_because_dependency_pending",
        Reason::CheckNested => "read_because_check_nested",
    })
}

/// What a plan changes, a line each.
pub fn changes(plan: &Plan, now: Time) -> Vec<String> {
    let told = |each: &&ResourceChange| {
        let gone_data = each.action == Action::Delete && each.address.resource.mode == Mode::Data;
        !gone_data && (each.action != Action::NoOp || each.previous != each.address || each.importing.is_some())
    };
    let one = |each: &ResourceChange| {
        let (name, json) = change(each);
        line("info", &format!("{}: Plan to {name}", each.address), now, "planned_change", [("change", json)])
    };
    plan.changes.iter().filter(told).map(one).collect()
}

/// The lines of a plan.
pub fn plan(plan: &Plan, now: Time) -> Vec<String> {
    let mut lines = Vec::new();
    for each in &plan.drift {
        if each.action != Action::NoOp || plan.mode == PlanMode::RefreshOnly {
            let (name, json) = change(each);
            let text = format!("{}: Drift detected ({name})", each.address);
            lines.push(line("info", &text, now, "resource_drift", [("change", json)]));
        }
    }
    lines.extend(changes(plan, now));
    let managed = |each: &&ResourceChange| each.address.resource.mode == Mode::Managed;
    let count = |wanted: &dyn Fn(Action) -> bool| {
        plan.changes.iter().filter(managed).filter(|each| wanted(each.action)).count()
    };
    let add = count(&|action| action == Action::Create || action.is_replace());
    let update = count(&|action| action == Action::Update);
    let remove = count(&|action| action == Action::Delete || action.is_replace());
    let import = plan.changes.iter().filter(|each| each.importing.is_some()).count();
    let imported = if import > 0 { format!("{import} to import, ") } else { String::new() };
    let text = format!("Plan: {imported}{add} to add, {update} to change, {remove} to destroy.");
    lines.push(line("info", &text, now, "change_summary", [("changes", summary(add, update, import, remove, "plan"))]));
    if !plan.outputs.is_empty() {
        let outputs = Json::map(plan.outputs.iter().map(|output| {
            let fields =
                [("sensitive", Json::bool(output.sensitive)), ("action", Json::text(action_name(output.action)))];
            (output.name.clone(), Json::of(fields))
        }));
        let text = format!("Outputs: {}", plan.outputs.len());
        lines.push(line("info", &text, now, "outputs", [("outputs", outputs)]));
    }
    lines
}

fn summary(add: usize, update: usize, import: usize, remove: usize, operation: &str) -> Json {
    Json::of([
        ("add", Json::number(add)),
        ("change", Json::number(update)),
        ("import", Json::number(import)),
        ("remove", Json::number(remove)),
        ("operation", Json::text(operation)),
    ])
}

/// The closing line of an apply.
pub fn applied(destroy: bool, added: usize, changed: usize, destroyed: usize, imported: usize, now: Time) -> String {
    let (text, operation) = if destroy {
        (format!("Destroy complete! Resources: {destroyed} destroyed."), "destroy")
    } else {
        let import = if imported > 0 { format!("{imported} imported, ") } else { String::new() };
        let text =
            format!("Apply complete! Resources: {import}{added} added, {changed} changed, {destroyed} destroyed.");
        (text, "apply")
    };
    let fields = [("changes", summary(added, changed, imported, destroyed, operation))];
    line("info", &text, now, "change_summary", fields)
}

pub fn outputs(state: &State, now: Time) -> String {
    let all = Json::map(state.outputs.iter().map(|(name, output)| {
        let plain = output.value.clone().unmark_deep().0;
        let mut json = Json::of([
            ("sensitive", Json::bool(output.sensitive)),
            ("type", Json::Value(value::type_json(&plain.ty()))),
        ]);
        if !output.sensitive {
            json.push("value", Json::Value(plain));
        }
        (name.clone(), json)
    }));
    line("info", &format!("Outputs: {}", state.outputs.len()), now, "outputs", [("outputs", all)])
}

/// `validate -json`
pub fn validation(found: &[Diagnostic], pages: &Pages) -> String {
    let errors = found.iter().filter(|each| each.is_error()).count();
    let json = Json::of([
        ("format_version", Json::text("1.0")),
        ("valid", Json::bool(errors == 0)),
        ("error_count", Json::number(errors)),
        ("warning_count", Json::number(found.len() - errors)),
        ("diagnostics", Json::Array(found.iter().map(|each| report::json(each, pages)).collect())),
    ]);
    json.pretty() + "\n"
}

/// `show -json` of a state.
pub fn state(state: Option<&State>, providers: &Providers) -> String {
    let mut json = Json::of([("format_version", Json::text("1.0"))]);
    if let Some(state) = state {
        json.push("terraform_version", Json::text(VERSION));
        json.push("values", values(state, providers, true));
        if let Some(checks) = &state.checks {
            let _ = checks;
        }
    }
    json.compact() + "\n"
}

/// `state show -json` of an object.
pub fn object(address: &InstanceAddress, object: &Object, provider: &str, providers: &Providers) -> String {
    shown(instance(address, None, object, provider, providers, true), Vec::new())
}

/// And of none.
pub fn no_object(error: &Diagnostic) -> String {
    let nothing = Json::of([("provider_name", Json::text("")), ("schema_version", Json::number(0))]);
    shown(nothing, vec![report::json(error, &Pages::of(&Default::default(), &[]))])
}

fn shown(resource: Json, diagnostics: Vec<Json>) -> String {
    let fields =
        [("format_version", Json::text("1.0")), ("resource", resource), ("diagnostics", Json::Array(diagnostics))];
    Json::of(fields).pretty() + "\n"
}

fn values(state: &State, providers: &Providers, dependencies: bool) -> Json {
    let mut json = Json::Object(Vec::new());
    if !state.outputs.is_empty() {
        let outputs = state.outputs.iter().map(|(name, output)| {
            let plain = output.value.clone().unmark_deep().0;
            let ty = value::type_json(&plain.ty());
            let fields =
                [("sensitive", Json::bool(output.sensitive)), ("value", Json::Value(plain)), ("type", Json::Value(ty))];
            (name.clone(), Json::of(fields))
        });
        json.push("outputs", Json::map(outputs));
    }
    json.push("root_module", module(state, &ModulePath::default(), providers, dependencies));
    json
}

fn module(state: &State, path: &ModulePath, providers: &Providers, dependencies: bool) -> Json {
    let mut json = Json::Object(Vec::new());
    let objects = state.objects();
    let own: Vec<Json> = objects
        .iter()
        .filter(|(address, ..)| address.resource.module == *path)
        .map(|(address, deposed, object)| {
            let provider = state.resources.get(&address.resource).map(|of| of.provider.clone()).unwrap_or_default();
            instance(address, deposed.as_ref(), object, &provider, providers, dependencies)
        })
        .collect();
    if !own.is_empty() {
        json.push("resources", Json::Array(own));
    }
    if !path.is_root() {
        json.push("address", Json::text(&path.to_string()));
    }
    let mut below: Vec<ModulePath> = objects
        .iter()
        .map(|(address, ..)| &address.resource.module)
        .filter(|module| module.0.len() > path.0.len() && module.0.starts_with(&path.0))
        .map(|module| ModulePath(module.0.iter().take(path.0.len() + 1).cloned().collect()))
        .collect();
    below.sort();
    below.dedup();
    if !below.is_empty() {
        let children = below.iter().map(|child| module(state, child, providers, dependencies));
        json.push("child_modules", Json::Array(children.collect()));
    }
    json
}

/// Address, mode, type, name and index: the head of every resource in a document.
fn head(address: &InstanceAddress) -> Json {
    let mode = if address.resource.mode == Mode::Data { "data" } else { "managed" };
    let mut json = Json::of([
        ("address", Json::text(&address.to_string())),
        ("mode", Json::text(mode)),
        ("type", Json::text(&address.resource.kind)),
        ("name", Json::text(&address.resource.name)),
    ]);
    if address.key.is_some() {
        json.push("index", key(address.key.as_ref()));
    }
    json
}

fn instance(
    address: &InstanceAddress,
    deposed: Option<&SmolStr>,
    object: &Object,
    provider: &str,
    providers: &Providers,
    dependencies: bool,
) -> Json {
    let schema = providers.schema(address.resource.mode, &address.resource.kind);
    let mut json = head(address);
    json.push("provider_name", Json::text(provider));
    json.push("schema_version", Json::number(object.schema_version));
    json.push("values", Json::Value(object.value.clone().unmark_deep().0));
    json.push("sensitive_values", sensitive(&object.value, schema.as_deref()));
    if dependencies && !object.dependencies.is_empty() {
        let names = object.dependencies.iter().map(|name| Json::text(name));
        json.push("depends_on", Json::Array(names.collect()));
    }
    if object.tainted {
        json.push("tainted", Json::bool(true));
    }
    if let Some(key) = deposed {
        json.push("deposed_key", Json::text(key));
    }
    json
}

fn sensitive(value: &Value, schema: Option<&crate::terraform::schema::Schema>) -> Json {
    let mut json = shape(value, &|value| value.is_sensitive()).unwrap_or_else(|| Json::Object(Vec::new()));
    if let (Json::Object(fields), Some(schema)) = (&mut json, schema) {
        for attribute in schema.block.attributes.iter().filter(|attribute| attribute.sensitive) {
            fields.retain(|(name, _)| *name != attribute.name);
            fields.push((attribute.name.to_string(), Json::bool(true)));
        }
        fields.sort_by(|a, b| a.0.cmp(&b.0));
    }
    json
}

/// Where something holds: `true` there, the containers above it, empty containers elsewhere.
fn shape(value: &Value, holds: &dyn Fn(&Value) -> bool) -> Option<Json> {
    if holds(value) {
        return Some(Json::bool(true));
    }
    match &value.kind {
        Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => Some(Json::Array(
            items.iter().map(|item| shape(item, holds).unwrap_or_else(|| Json::bool(false))).collect(),
        )),
        Kind::Map(_, items) | Kind::Object(items) => {
            let fields = items.iter().filter_map(|(name, item)| Some((name.clone(), shape(item, holds)?)));
            Some(Json::map(fields))
        }
        _ => None,
    }
}

/// What is known of a value; unknown parts are left out.
fn known(value: &Value) -> Option<Json> {
    if !value.is_known() {
        return None;
    }
    Some(match &value.kind {
        Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => {
            Json::Array(items.iter().map(|item| known(item).unwrap_or_else(Json::null)).collect())
        }
        Kind::Map(_, items) | Kind::Object(items) => {
            Json::map(items.iter().filter_map(|(name, item)| Some((name.clone(), known(item)?))))
        }
        _ => Json::Value(value.clone().unmark_deep().0),
    })
}

/// `show -json` of a saved plan.
pub fn plan_file(walk: &Walk, providers: &Providers) -> String {
    let plan = &walk.plan;
    let mut json = Json::of([("format_version", Json::text("1.2")), ("terraform_version", Json::text(VERSION))]);
    let variables = walk
        .options
        .variables
        .iter()
        .map(|(name, value)| (name.clone(), Json::of([("value", Json::Value(value.clone().unmark_deep().0))])));
    let variables = Json::map(variables);
    if !matches!(&variables, Json::Object(fields) if fields.is_empty()) {
        json.push("variables", variables);
    }
    if !plan.drift.is_empty() {
        json.push("resource_drift", Json::Array(plan.drift.iter().map(planned).collect()));
    }
    if !plan.changes.is_empty() {
        json.push("resource_changes", Json::Array(plan.changes.iter().map(planned).collect()));
    }
    if !plan.outputs.is_empty() {
        let outputs = plan.outputs.iter().map(|output| {
            let json = difference(output.action, &output.before, &output.after, output.sensitive, None);
            (output.name.clone(), json)
        });
        json.push("output_changes", Json::map(outputs));
    }
    if !walk.before.resources.is_empty() {
        let prior = Json::of([
            ("format_version", Json::text("1.0")),
            ("terraform_version", Json::text(VERSION)),
            ("values", values(&walk.before, providers, true)),
        ]);
        json.push("prior_state", prior);
    }
    let changed = plan.has_changes();
    json.push("timestamp", Json::text("1970-01-01T00:00:00Z"));
    json.push("applyable", Json::bool(changed));
    json.push("complete", Json::bool(true));
    json.push("errored", Json::bool(plan.errored));
    json.compact() + "\n"
}

fn planned(change: &ResourceChange) -> Json {
    let mut json = Json::of([("address", Json::text(&change.address.to_string()))]);
    if change.previous != change.address {
        json.push("previous_address", Json::text(&change.previous.to_string()));
    }
    if !change.address.resource.module.is_root() {
        json.push("module_address", Json::text(&change.address.resource.module.to_string()));
    }
    if let Json::Object(fields) = head(&change.address) {
        fields.into_iter().skip(1).for_each(|(name, value)| json.push(&name, value));
    }
    json.push("provider_name", Json::text(&change.provider));
    if let Some(key) = &change.deposed {
        json.push("deposed", Json::text(key));
    }
    json.push("change", difference(change.action, &change.before, &change.after, false, Some(change)));
    let reason = match change.reason {
        Reason::Tainted => Some("replace_because_tainted"),
        Reason::Requested => Some("replace_by_request"),
        Reason::ReplaceTriggeredBy => Some("replace_by_triggers"),
        Reason::CannotUpdate => Some("replace_because_cannot_update"),
        _ => reason_name(&change.reason),
    };
    if let Some(reason) = reason {
        json.push("action_reason", Json::text(reason));
    }
    json
}

fn difference(action: Action, before: &Value, after: &Value, is_sensitive: bool, of: Option<&ResourceChange>) -> Json {
    let actions: &[&str] = match action {
        Action::NoOp => &["no-op"],
        Action::Create => &["create"],
        Action::Read => &["read"],
        Action::Update => &["update"],
        Action::DeleteThenCreate => &["delete", "create"],
        Action::CreateThenDelete => &["create", "delete"],
        Action::Delete => &["delete"],
        Action::Forget => &["forget"],
    };
    let marks = |value: &Value| {
        if is_sensitive || value.is_null() {
            return Json::bool(is_sensitive);
        }
        let schema = of.map(|change| &*change.schema);
        match of {
            Some(_) => sensitive(value, schema),
            None => Json::bool(value.is_sensitive()),
        }
    };
    let unknown = match of {
        Some(_) if after.is_null() => Json::bool(false),
        Some(_) => shape(after, &|value| !value.is_known()).unwrap_or_else(|| Json::bool(false)),
        None => Json::bool(!after.is_wholly_known()),
    };
    let mut json = Json::of([
        ("actions", Json::Array(actions.iter().map(|name| Json::text(name)).collect())),
        ("before", known(before).unwrap_or_else(Json::null)),
    ]);
    if of.is_some() || after.is_known() {
        json.push("after", known(after).unwrap_or_else(|| Json::Object(Vec::new())));
    }
    json.push("after_unknown", unknown);
    json.push("before_sensitive", marks(before));
    json.push("after_sensitive", marks(after));
    if let Some(change) = of.filter(|change| !change.replace_paths.is_empty()) {
        let step = |step: &value::PathStep| match step {
            value::PathStep::Attribute(name) => Json::text(name),
            value::PathStep::Index(key) => Json::Value(key.clone()),
        };
        let paths = change.replace_paths.iter().map(|path| Json::Array(path.iter().map(step).collect()));
        json.push("replace_paths", Json::Array(paths.collect()));
    }
    if let Some(id) = of.and_then(|change| change.importing.as_ref()) {
        json.push("importing", Json::of([("id", Json::text(id))]));
    }
    json
}
