//! Commands that look: version, show, output, providers, modules, graph.

use super::arguments::Arguments;
use super::backend::{self, Store, Unread};
use super::configuration::{configuration, of_older, read};
use super::init::{LOCK_FILE, constraints, locked};
use super::operate::{Verb, carry_out};
use super::plan_file::Saved;
use super::{Screen, State as Next, VERSION};
use crate::base::{BTreeMap, BTreeSet, SmolStr, goquote};
use crate::process::Sys;
use crate::terraform::address::Mode;
use crate::terraform::config::{BUILTIN, Module, ResourceName};
use crate::terraform::core::{Graph, Item};
use crate::terraform::hcl::{Diagnostic, Severity, has_errors};
use crate::terraform::json::Json;
use crate::terraform::provider::Providers;
use crate::terraform::render::{self, log};
use crate::terraform::state::State;
use crate::terraform::value::{self, Kind};

pub fn version(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let locked = locked(&sys.files.read_text(sys.cwd, LOCK_FILE).unwrap_or_default());
    let locked = locked.iter().filter(|(source, _)| providers.get(source).is_some());
    if arguments.has("json") {
        let selections = locked.map(|(source, version)| (source.clone(), Json::text(version)));
        let json = Json::of([
            ("terraform_version", Json::text(VERSION)),
            ("platform", Json::text("linux_amd64")),
            ("provider_selections", Json::map(selections)),
            ("terraform_outdated", Json::bool(false)),
        ]);
        screen.out(json.pretty() + "\n");
        return Next::Exit(0);
    }
    screen.out(format!("Terraform v{VERSION}\non linux_amd64\n"));
    for (source, version) in locked {
        screen.out(format!("+ provider {source} v{version}\n"));
    }
    Next::Exit(0)
}

pub fn show(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    if let Some(path) = arguments.words.first() {
        return match Saved::load(path, sys) {
            Ok(saved) => carry_out(saved, Verb::Show, arguments, screen, sys, providers),
            Err(error) => show_file(path, *error, arguments, screen, sys, providers),
        };
    }
    if configuration(screen, sys).is_none() {
        let warning = Diagnostic::sourceless(UNDESCRIBED, "");
        screen.diagnostics(vec![Diagnostic { severity: Severity::Warning, ..warning }]);
        return Next::Exit(1);
    }
    let store = Store::of(arguments, sys);
    let Some(state) = store.load(Unread::Boxes, screen, sys, providers) else { return Next::Exit(1) };
    let state = store.exists(sys).then_some(&state);
    show_state(state, arguments, screen, providers)
}

const UNDESCRIBED: &str = "\nWarning: Failed to update data for external integrations\n\nTerraform was unable to generate a description of the updated\nstate for use with external integrations in HCP Terraform or Terraform Enterprise.\nAny integrations configured for this workspace which depend on\ninformation from the state may not work correctly when using the\nresult of this action.\n\nThis problem occurs when Terraform cannot read the schema for\none or more of the providers used in the state. The next successful\napply will correct the problem by re-generating the JSON description\nof the state:\n    terraform apply\n";

/// A path that is no plan: perhaps a state.
fn show_file(
    path: &str,
    error: Diagnostic,
    arguments: &Arguments,
    screen: &mut Screen,
    sys: &Sys<'_>,
    providers: &Providers,
) -> Next {
    let told = error.detail.trim_start_matches("Error: ").to_string();
    let Ok(text) = sys.files.read_text(sys.cwd, path) else {
        let _ = told;
        let open = format!("open {path}: no such file or directory");
        let detail = format!(
            "State read error: Error loading statefile: {open}\n\nPlan read error: couldn't load the provided path as either a local plan file ({open}) or a saved cloud plan ({open})"
        );
        let summary = "Failed to read the given file as a state or plan file";
        screen.diagnostics(vec![Diagnostic::sourceless(summary, detail)]);
        return Next::Exit(1);
    };
    match backend::parse(&text, providers) {
        Ok(state) => show_state(Some(&state), arguments, screen, providers),
        Err(found) => {
            let detail = format!(
                "State read error: Error reading {path} as a statefile: {}\n\nPlan read error: {told}",
                backend::joined(&found)
            );
            let summary = "Failed to read the given file as a state or plan file";
            screen.diagnostics(vec![Diagnostic::sourceless(summary, detail)]);
            Next::Exit(1)
        }
    }
}

/// What keeps a state from being shown: objects that no schema here describes.
pub(super) fn beyond(state: &State, providers: &Providers) -> Option<String> {
    let found = state.objects().into_iter().find_map(|(address, _, object)| {
        let resource = &address.resource;
        let Some(schema) = providers.schema(resource.mode, &resource.kind) else {
            let source = state.resources.get(resource).map(|resource| resource.provider.clone()).unwrap_or_default();
            return Some(format!("no schema found for {address} (in provider {source})"));
        };
        let (of, version) = (object.schema_version, schema.version);
        (of > version).then(|| {
            format!("schema version {of} for {address} in state does not match version {version} from the provider")
        })
    });
    let unknown = || state.unknown.as_ref().map(|name| format!("unsupported attribute {}", goquote::quote(name)));
    found.or_else(unknown).map(|reason| format!("Failed to marshal state to json: {reason}"))
}

fn show_state(state: Option<&State>, arguments: &Arguments, screen: &mut Screen, providers: &Providers) -> Next {
    if let Some(reason) = state.and_then(|state| beyond(state, providers)) {
        screen.err(reason);
        return Next::Exit(1);
    }
    if arguments.has("json") {
        screen.out(log::state(state, providers));
        return Next::Exit(0);
    }
    let Some(state) = state else {
        screen.out("No state.\n");
        return Next::Exit(0);
    };
    if state.resources.is_empty() && state.outputs.is_empty() {
        screen.out("The state file is empty. No resources are represented.\n");
        return Next::Exit(0);
    }
    let mut out = String::new();
    let mut last = None;
    let mut first = true;
    let mut objects = state.objects();
    // Modules stand right behind those that call them.
    objects.sort_by(|(a, ..), (b, ..)| a.resource.module.0.cmp(&b.resource.module.0));
    for (address, deposed, object) in objects {
        let Some(schema) = providers.schema(address.resource.mode, &address.resource.kind) else { continue };
        let note = match (&deposed, object.tainted) {
            (Some(id), _) => format!(" (deposed object {id})"),
            (None, true) => " (tainted)".into(),
            _ => String::new(),
        };
        // Modules are set apart by one more line.
        if !first {
            let apart = last.as_ref() != Some(&address.resource.module);
            out.push_str(if apart { "\n\n" } else { "\n" });
        }
        first = false;
        last = Some(address.resource.module.clone());
        out.push_str(&render::instance(&address, &note, &object.value, &schema, screen.paint));
    }
    screen.out(out);
    if !state.outputs.is_empty() {
        screen.out("\n\nOutputs:\n\n");
        for (name, output) in &state.outputs {
            let text = render::plain_value(&output.value, output.sensitive, screen.paint);
            screen.out(format!("{name} = {text}\n"));
        }
    }
    Next::Exit(0)
}

pub fn output(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let raw = arguments.has("raw");
    if raw && arguments.has("json") {
        let detail = "The -raw and -json options are mutually-exclusive.";
        screen.diagnostics(vec![Diagnostic::sourceless("Invalid output format", detail)]);
        screen.err("\nFor more help on using this command, run:\n  terraform output -help\n");
        return Next::Exit(1);
    }
    if raw && arguments.words.is_empty() {
        let detail = "You must give the name of a single output value when using the -raw option.";
        screen.diagnostics(vec![Diagnostic::sourceless("Output name required", detail)]);
        screen.err("\nFor more help on using this command, run:\n  terraform output -help\n");
        return Next::Exit(1);
    }
    let store = Store::of(arguments, sys);
    let Some(state) = store.load(Unread::Boxes, screen, sys, providers) else { return Next::Exit(1) };
    if state.outputs.is_empty() && !arguments.has("json") && !arguments.words.is_empty() {
        if !raw {
            no_outputs(screen);
        }
        return Next::Exit(0);
    }
    let Some(name) = arguments.words.first() else {
        if arguments.has("json") {
            let all = state.outputs.iter().map(|(name, output)| {
                let plain = output.value.clone().unmark_deep().0;
                let fields = [
                    ("sensitive".into(), value::Value::bool(output.sensitive)),
                    ("type".into(), value::type_json(&plain.ty())),
                    ("value".into(), plain),
                ];
                (name.clone(), value::Value::object(fields.into_iter().collect()))
            });
            screen.out(value::encode_pretty(&value::Value::object(all.collect())) + "\n");
            return Next::Exit(0);
        }
        if state.outputs.is_empty() {
            no_outputs(screen);
            return Next::Exit(0);
        }
        let outputs = state.outputs.iter().map(|(name, output)| (name.as_str(), &output.value, output.sensitive));
        screen.out(render::outputs(outputs));
        return Next::Exit(0);
    };
    let Some(output) = state.outputs.get(name.as_str()) else {
        let detail = "The output variable requested could not be found in the state file. If you recently added this to your configuration, be sure to run `terraform apply`, since the state won't be updated with new output variables until that command is run.";
        screen.diagnostics(vec![Diagnostic::sourceless(format!("Output \"{name}\" not found"), detail)]);
        return Next::Exit(1);
    };
    let plain = output.value.clone().unmark_deep().0;
    if arguments.has("json") {
        screen.out(value::encode(&plain) + "\n");
    } else if raw {
        match &plain.kind {
            Kind::String(text) => screen.out(text.as_str()),
            Kind::Number(_) | Kind::Bool(_) => screen.out(value::encode(&plain)),
            Kind::Null(_) => {
                let detail = format!("The value for output value \"{name}\" is null, so -raw mode cannot print it.");
                screen.diagnostics(vec![Diagnostic::sourceless("Unsupported value for raw output", detail)]);
                return Next::Exit(1);
            }
            _ => {
                let detail = format!(
                    "The -raw option only supports strings, numbers, and boolean values, but output value \"{name}\" is {}.\n\nUse the -json option for machine-readable representations of output values that have complex types.",
                    plain.ty().friendly()
                );
                screen.diagnostics(vec![Diagnostic::sourceless("Unsupported value for raw output", detail)]);
                return Next::Exit(1);
            }
        }
    } else {
        screen.out(value::text::console(&plain) + "\n");
    }
    Next::Exit(0)
}

fn no_outputs(screen: &mut Screen) {
    let detail = "The state file either has no outputs defined, or all the defined outputs are empty. Please define an output in your configuration with the `output` keyword and run `terraform refresh` for it to become available. If you are using interpolation, please verify the interpolated value is not empty. You can use the `terraform console` command to assist.";
    let warning = Diagnostic::sourceless("No outputs found", detail);
    screen.diagnostics(vec![Diagnostic { severity: Severity::Warning, ..warning }]);
}

/// `terraform providers`: which module needs which.
pub fn providers_command(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let Some(loaded) = of_older(screen, sys) else { return Next::Exit(1) };
    let store = Store::of(arguments, sys);
    let words = Unread::Words("Failed to load state");
    let Some(state) = store.load(words, screen, sys, providers) else { return Next::Exit(1) };
    let mut tree = String::from(".\n");
    branch(&loaded.root, "", &mut tree);
    screen.out(format!("\nProviders required by configuration:\n{tree}\n"));
    let mut used: Vec<&SmolStr> = state.resources.values().map(|resource| &resource.provider).collect();
    used.sort();
    used.dedup();
    if !used.is_empty() {
        screen.out("Providers required by state:\n\n");
        for source in used {
            screen.out(format!("    provider[{source}]\n\n"));
        }
    }
    Next::Exit(0)
}

fn branch(module: &Module, indent: &str, out: &mut String) {
    let mut sources: BTreeSet<SmolStr> = module.required.keys().map(|name| module.provider_source(name)).collect();
    sources.extend(module.providers.iter().map(|provider| module.provider_source(&provider.name)));
    sources.extend(module.resources.values().map(|resource| module.provider_source(&resource.provider.0)));
    let alone = Module { children: BTreeMap::new(), ..module.clone() };
    let mut lines: Vec<(String, Option<&Module>)> = Vec::new();
    for source in &sources {
        let wanted = if source == BUILTIN { String::new() } else { constraints(&alone, source) };
        let wanted = if wanted.is_empty() { wanted } else { format!(" {wanted}") };
        lines.push((format!("provider[{source}]{wanted}"), None));
    }
    lines.extend(module.children.iter().map(|(name, child)| (format!("module.{name}"), Some(child))));
    let count = lines.len();
    for (i, (line, child)) in lines.into_iter().enumerate() {
        let last = i + 1 == count;
        out.push_str(&format!("{indent}{} {line}\n", if last { "└──" } else { "├──" }));
        if let Some(child) = child {
            branch(child, &format!("{indent}{}   ", if last { " " } else { "│" }), out);
        }
    }
}

pub fn modules(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let Some(loaded) = configuration(screen, sys) else { return Next::Exit(1) };
    let mut calls = Vec::new();
    for (path, module) in loaded.root.walk() {
        for (name, call) in &module.calls {
            let key: Vec<&str> = path.iter().map(SmolStr::as_str).chain([name.as_str()]).collect();
            calls.push((key.join("."), call.source.clone().unwrap_or_default(), path.len()));
        }
    }
    calls.sort();
    if arguments.has("json") {
        let one = |(key, source, _): &(String, String, usize)| {
            Json::of([("key", Json::text(key)), ("source", Json::text(source)), ("version", Json::text(""))])
        };
        let json = Json::of([
            ("format_version", Json::text("1.0")),
            ("modules", if calls.is_empty() { Json::null() } else { Json::Array(calls.iter().map(one).collect()) }),
        ]);
        screen.out(json.compact() + "\n");
        return Next::Exit(0);
    }
    if calls.is_empty() {
        screen.out("No modules found in configuration.\n");
        return Next::Exit(0);
    }
    screen.out("\nModules declared by configuration:\n");
    let mut out = String::from(".\n");
    module_branch(&loaded.root, "", &mut out);
    screen.out(out + "\n");
    Next::Exit(0)
}

fn module_branch(module: &Module, indent: &str, out: &mut String) {
    let count = module.calls.len();
    for (i, (name, call)) in module.calls.iter().enumerate() {
        let last = i + 1 == count;
        out.push_str(&format!(
            "{indent}{} {}[{}]\n",
            if last { "└──" } else { "├──" },
            goquote::quote(name),
            call.source.as_deref().unwrap_or_default()
        ));
        if let Some(child) = module.children.get(name) {
            module_branch(child, &format!("{indent}{}   ", if last { " " } else { "│" }), out);
        }
    }
}

/// `terraform graph`: resources and what they need of each other.
pub fn graph(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    if let Some(path) = arguments.get("plan").filter(|path| !path.is_empty()) {
        if sys.files.exists(sys.cwd, path) {
            screen.gap("terraform graph -plan");
        } else {
            screen.ui_error(&format!("stat {path}: no such file or directory"));
        }
        return Next::Exit(1);
    }
    let mermaid = match arguments.get("format") {
        None | Some("" | "dot") => false,
        Some("mermaid") => true,
        Some(other) => {
            screen.ui_error(&format!("Unsupported graph format: {other}"));
            return Next::Exit(1);
        }
    };
    let loaded = match read(".", screen, sys) {
        (loaded, found) if !has_errors(&found) => loaded,
        (_, mut found) => {
            // It reads the folder by its full path.
            for range in found.iter_mut().filter_map(|each| each.subject.as_mut()) {
                let full = format!("{}/{}", sys.cwd, range.file);
                if let Some(text) = screen.texts.get(&range.file).cloned() {
                    screen.texts.insert(full.as_str().into(), text);
                }
                range.file = full.into();
            }
            screen.ui_diagnostics(found);
            return Next::Exit(1);
        }
    };
    match arguments.get("type").unwrap_or_default() {
        "" => {}
        "plan" | "plan-refresh-only" | "plan-destroy" | "apply" => {
            screen.gap("terraform graph -type");
            return Next::Exit(1);
        }
        other => {
            let (summary, detail) = match other {
                "validate" => (
                    "Graph type no longer available",
                    "The graph type \"validate\" is no longer available. Use -type=plan instead to get a similar result.",
                ),
                _ => (
                    "Unsupported graph type",
                    "The -type=... argument must be either \"plan\", \"plan-refresh-only\", \"plan-destroy\", or \"apply\".",
                ),
            };
            screen.ui_diagnostics(vec![Diagnostic::sourceless(summary, detail)]);
            return Next::Exit(1);
        }
    }
    if Store::of(arguments, sys).load(Unread::Older, screen, sys, providers).is_none() {
        return Next::Exit(1);
    }
    let graph = Graph::of(&loaded.root);
    let cycles = if arguments.has("draw-cycles") { Vec::new() } else { graph.cycles(true) };
    if !cycles.is_empty() {
        screen.ui_diagnostics(cycles);
        return Next::Exit(1);
    }
    let resources: Vec<(usize, &Vec<SmolStr>, &ResourceName)> = graph
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(i, node)| match &node.item {
            Item::Resource(name) => Some((i, &node.module, name)),
            _ => None,
        })
        .collect();
    let mut order = resources;
    order.sort_by_key(|(_, module, name)| {
        (module_text(module), name.mode != Mode::Data, name.kind.clone(), name.name.clone())
    });
    let needs: BTreeMap<usize, BTreeSet<usize>> = order
        .iter()
        .map(|(i, ..)| {
            let is_resource = |node: &usize| matches!(graph.nodes.get(*node).map(|n| &n.item), Some(Item::Resource(_)));
            (*i, graph.needed(*i).into_iter().filter(|node| node != i && is_resource(node)).collect())
        })
        .collect();
    // What is needed by something that is needed too is left out.
    let direct = |i: usize| -> BTreeSet<usize> {
        let all = needs.get(&i).cloned().unwrap_or_default();
        let through: BTreeSet<usize> = all.iter().flat_map(|j| needs.get(j).cloned().unwrap_or_default()).collect();
        all.difference(&through).copied().collect()
    };
    let name = |module: &[SmolStr], name: &ResourceName| {
        let data = if name.mode == Mode::Data { "data." } else { "" };
        let own = format!("{data}{}.{}", name.kind, name.name);
        let path = module_text(module);
        if path.is_empty() { (own.clone(), own) } else { (format!("{path}.{own}"), own) }
    };
    let mut out = String::new();
    if mermaid {
        out.push_str("flowchart LR\n");
        if order.is_empty() {
            out.push_str("  %% This configuration does not contain any resources.\n  %% For a more detailed graph, try: terraform graph -type=plan\n");
        }
    } else {
        out.push_str("digraph G {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n");
        if order.is_empty() {
            out.push_str("  /* This configuration does not contain any resources.         */\n  /* For a more detailed graph, try: terraform graph -type=plan */\n");
        }
    }
    let mut current: &[SmolStr] = &[];
    let close = if mermaid { "  end\n" } else { "  }\n" };
    for (_, module, resource) in &order {
        if module.as_slice() != current {
            if !current.is_empty() {
                out.push_str(close);
            }
            current = module;
            let path = module_text(module);
            out.push_str(&if mermaid {
                format!("  subgraph {path}\n")
            } else {
                format!(
                    "  subgraph \"cluster_{path}\" {{\n    label = {}\n    fontname = \"sans-serif\"\n",
                    goquote::quote(&path)
                )
            });
        }
        let (full, own) = name(module, resource);
        let indent = if current.is_empty() { "  " } else { "    " };
        out.push_str(&if mermaid {
            format!("{indent}{full}[\"{own}\"]\n")
        } else {
            format!("{indent}{} [label={}];\n", goquote::quote(&full), goquote::quote(&own))
        });
    }
    if !current.is_empty() {
        out.push_str(close);
    }
    for (i, module, resource) in &order {
        let direct = direct(*i);
        let from = name(module, resource).0;
        for (_, module, resource) in order.iter().filter(|(j, ..)| direct.contains(j)) {
            let to = name(module, resource).0;
            out.push_str(&if mermaid {
                format!("  {from} --> {to}\n")
            } else {
                format!("  {} -> {};\n", goquote::quote(&from), goquote::quote(&to))
            });
        }
    }
    if !mermaid {
        out.push_str("}\n");
    }
    screen.out(out);
    Next::Exit(0)
}

fn module_text(path: &[SmolStr]) -> String {
    path.iter().map(|name| format!("module.{name}")).collect::<Vec<_>>().join(".")
}
