//! What became of conditions, as the state keeps it (upstream: terraform's checks). Their order there is chance in the
//! real program; here it is that of addresses.

use super::walk::Walk;
use crate::base::{BTreeMap, SmolStr};
use crate::terraform::address::{ModulePath, ResourceAddress};
use crate::terraform::config::{Condition, ResourceName};
use crate::terraform::json::Json;
use crate::terraform::plan::PlanMode;

/// Of what a condition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    Variable,
    Resource,
    Output,
    Check,
}

impl Of {
    fn text(self) -> &'static str {
        match self {
            Of::Variable => "var",
            Of::Resource => "resource",
            Of::Output => "output",
            Of::Check => "check",
        }
    }
}

/// Whether a condition held, and what it said where not.
type Outcome = (Option<bool>, String);

/// By kind and address in the configuration, then by that of the object, then by place of the condition.
#[derive(Clone, Debug, Default)]
pub struct Results(BTreeMap<(Of, String), BTreeMap<String, BTreeMap<usize, Outcome>>>);

impl Results {
    pub fn record(&mut self, of: Of, object: String, condition: &Condition, state: Option<bool>, message: &str) {
        let object_of = self.0.entry((of, keyless(&object))).or_default().entry(object).or_default();
        object_of.insert(condition.range.start.byte, (state, message.to_string()));
    }
}

/// An address without the keys of its instances.
fn keyless(address: &str) -> String {
    let (mut out, mut depth, mut quoted, mut escaped) = (String::new(), 0_u32, false, false);
    for c in address.chars() {
        match c {
            _ if std::mem::take(&mut escaped) => {}
            '\\' if quoted => escaped = true,
            '"' if depth > 0 => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

fn status(fails: bool, unknown: bool) -> Json {
    Json::text(match (fails, unknown) {
        (true, _) => "fail",
        (_, true) => "unknown",
        _ => "pass",
    })
}

impl Walk {
    /// `module.a.var.x`
    pub(super) fn part(path: &ModulePath, kind: &str, name: &str) -> String {
        if path.is_root() { format!("{kind}.{name}") } else { format!("{path}.{kind}.{name}") }
    }

    /// All that conditions were about, as the state has it; `None` without any.
    pub(super) fn check_results(&self) -> Option<String> {
        let mut all: Vec<(Of, String, bool)> = Vec::new();
        for (names, module) in self.config.root.walk() {
            let path = names.iter().fold(ModulePath::default(), |path, name: &SmolStr| path.child(name, None));
            let part = |kind: &str, name: &str| Walk::part(&path, kind, name);
            let variables = module.variables.iter().filter(|(_, variable)| !variable.validations.is_empty());
            all.extend(variables.map(|(name, _)| (Of::Variable, part("var", name), false)));
            let outputs = module.outputs.iter().filter(|(_, output)| !output.preconditions.is_empty());
            all.extend(outputs.map(|(name, _)| (Of::Output, part("output", name), path.is_root())));
            all.extend(module.checks.keys().map(|name| (Of::Check, part("check", name), false)));
            for resource in module.resources.values() {
                let lifecycle = &resource.lifecycle;
                if !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty() {
                    let ResourceName { mode, kind, name } = resource.name.clone();
                    let address = ResourceAddress { module: path.clone(), mode, kind, name };
                    all.push((Of::Resource, address.to_string(), false));
                }
            }
        }
        if all.is_empty() {
            return None;
        }
        let destroying = self.options.mode == PlanMode::Destroy;
        let entry = |(of, address, at_root): (Of, String, bool)| {
            let found = self.results.0.get(&(of, address.clone())).filter(|_| !destroying);
            let objects: Vec<Json> = match found {
                None if at_root && destroying => {
                    vec![Json::of([("object_addr", Json::text(&address)), ("status", Json::text("unknown"))])]
                }
                None => Vec::new(),
                Some(objects) => objects.iter().map(|(object, outcomes)| object_json(object, outcomes)).collect(),
            };
            let any = |wanted: Option<bool>| {
                found
                    .into_iter()
                    .flat_map(|all| all.values())
                    .flat_map(|all| all.values())
                    .any(|(state, _)| *state == wanted)
            };
            Json::of([
                ("object_kind", Json::text(of.text())),
                ("config_addr", Json::text(&address)),
                ("status", status(any(Some(false)), found.is_none() || any(None))),
                ("objects", if objects.is_empty() { Json::null() } else { Json::Array(objects) }),
            ])
        };
        Some(Json::Array(all.into_iter().map(entry).collect()).pretty())
    }
}

fn object_json(object: &str, outcomes: &BTreeMap<usize, Outcome>) -> Json {
    let failed: Vec<Json> =
        outcomes.values().filter(|(state, _)| *state == Some(false)).map(|(_, message)| Json::text(message)).collect();
    let unknown = outcomes.values().any(|(state, _)| state.is_none());
    let mut json = Json::of([("object_addr", Json::text(object)), ("status", status(!failed.is_empty(), unknown))]);
    if !failed.is_empty() {
        json.push("failure_messages", Json::Array(failed));
    }
    json
}
