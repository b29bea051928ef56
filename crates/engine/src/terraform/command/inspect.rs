//! Commands that look: version, show, output, state, taint, fmt.

use super::arguments::Arguments;
use super::operate::{STATE, parse_target, read_state, write_state};
use super::{Screen, State as Next, VERSION};
use crate::process::Sys;
use crate::terraform::address::{InstanceAddress, Mode};
use crate::terraform::core::Target;
use crate::terraform::hcl::{Diagnostic, Severity};
use crate::terraform::provider::Providers;
use crate::terraform::render;
use crate::terraform::state::State;
use crate::terraform::value::{self, Kind};

pub fn version(_: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    screen.out(format!("Terraform v{VERSION}\non linux_amd64\n"));
    let lock = sys.files.read_text(sys.cwd, super::init::LOCK_FILE).unwrap_or_default();
    for line in lock.lines() {
        if let Some(source) = line.strip_prefix("provider \"").and_then(|rest| rest.split('"').next())
            && let Some(provider) = providers.get(source)
        {
            screen.out(format!("+ provider {source} v{}\n", provider.version()));
        }
    }
    Next::Exit(0)
}

fn load(screen: &mut Screen, sys: &Sys<'_>, providers: &Providers) -> Option<State> {
    match read_state(STATE, sys, providers) {
        Ok(state) => Some(state),
        Err(error) => {
            screen.diagnostics(vec![*error]);
            None
        }
    }
}

pub fn show(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    if arguments.has("json") || !arguments.words.is_empty() {
        screen.gap("terraform show of saved plans and -json");
        return Next::Exit(1);
    }
    if !sys.files.exists(sys.cwd, STATE) {
        screen.out("No state.\n");
        return Next::Exit(0);
    }
    let Some(state) = load(screen, sys, providers) else { return Next::Exit(1) };
    if state.resources.is_empty() && state.outputs.is_empty() {
        screen.out("The state file is empty. No resources are represented.\n");
        return Next::Exit(0);
    }
    let mut parts = Vec::new();
    for (address, deposed, object) in state.objects() {
        if let Some(schema) = providers.schema(address.resource.mode, &address.resource.kind) {
            let note = match (&deposed, object.tainted) {
                (Some(id), _) => format!(" (deposed object {id})"),
                (None, true) => " (tainted)".into(),
                _ => String::new(),
            };
            parts.push(render::instance(&address, &note, &object.value, &schema, screen.paint));
        }
    }
    screen.out(parts.join("\n"));
    if !state.outputs.is_empty() {
        let outputs = state.outputs.iter().map(|(name, output)| (name.as_str(), &output.value, output.sensitive));
        let text = render::outputs(outputs).replace("<sensitive>", "(sensitive value)");
        screen.out(format!("\n\nOutputs:\n\n{text}"));
    }
    Next::Exit(0)
}

pub fn output(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let Some(state) = load(screen, sys, providers) else { return Next::Exit(1) };
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
            let detail = "The state file either has no outputs defined, or all the defined outputs are empty. Please define an output in your configuration with the `output` keyword and run `terraform refresh` for it to become available. If you are using interpolation, please verify the interpolated value is not empty. You can use the `terraform console` command to assist.";
            screen.diagnostics(vec![Diagnostic {
                severity: Severity::Warning,
                ..Diagnostic::sourceless("No outputs found", detail)
            }]);
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
    } else if arguments.has("raw") {
        match &plain.kind {
            Kind::String(text) => screen.out(text.as_str()),
            Kind::Number(_) | Kind::Bool(_) => screen.out(value::encode(&plain)),
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

fn matches(target: &Target, address: &InstanceAddress) -> bool {
    target.covers(address)
}

pub fn state(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let mut words = arguments.words.iter().map(String::as_str);
    let Some(verb) = words.next() else {
        screen.gap("help of terraform state");
        return Next::Exit(1);
    };
    let rest: Vec<&str> = words.collect();
    let Some(mut state) = load(screen, sys, providers) else { return Next::Exit(1) };
    let bad = |screen: &mut Screen, text: &str| {
        let detail = "Resource specification must include a resource type and name.";
        screen.diagnostics(vec![Diagnostic::sourceless(format!("Invalid target \"{text}\""), detail)]);
        Next::Exit(1)
    };
    match verb {
        "list" => {
            if !sys.files.exists(sys.cwd, STATE) {
                screen.diagnostics(vec![Diagnostic::sourceless("No state file was found!", "State management commands require a state file. Run this command\nin a directory where Terraform has been run or use the -state flag\nto point the command to a specific state location.")]);
                return Next::Exit(1);
            }
            let mut targets = Vec::new();
            for text in &rest {
                match parse_target(text) {
                    Some(target) => targets.push(target),
                    None => return bad(screen, text),
                }
            }
            for (address, deposed, _) in state.objects() {
                if deposed.is_none() && (targets.is_empty() || targets.iter().any(|target| matches(target, &address))) {
                    screen.out(format!("{address}\n"));
                }
            }
            Next::Exit(0)
        }
        "show" => {
            let Some(text) = rest.first() else {
                screen.diagnostics(vec![Diagnostic::sourceless("Exactly one argument expected", "")]);
                return Next::Exit(1);
            };
            let found = match parse_target(text) {
                Some(Target::Instance(address)) => Some(address),
                Some(Target::Resource(resource)) => Some(resource.instance(None)),
                _ => return bad(screen, text),
            };
            let object = found.as_ref().and_then(|address| state.get(address));
            let (Some(address), Some(object)) = (&found, object) else {
                let detail = "No instance found for the given address!\n\nThis command requires that the address references one specific instance.\nTo view the available instances, use \"terraform state list\". Please modify \nthe address to reference a specific instance.";
                screen.diagnostics(vec![Diagnostic::sourceless(detail, "")]);
                return Next::Exit(1);
            };
            if let Some(schema) = providers.schema(address.resource.mode, &address.resource.kind) {
                let note = if object.tainted { " (tainted)" } else { "" };
                screen.out(render::instance(address, note, &object.value, &schema, screen.paint));
            }
            Next::Exit(0)
        }
        "rm" => {
            let mut gone = Vec::new();
            for text in &rest {
                let Some(target) = parse_target(text) else { return bad(screen, text) };
                gone.extend(
                    state
                        .objects()
                        .into_iter()
                        .filter(|(address, ..)| matches(&target, address))
                        .map(|(address, deposed, _)| (address, deposed)),
                );
            }
            if gone.is_empty() {
                let detail = "No matching objects found. To view the available instances, use \"terraform state list\". Please modify the address to reference a specific instance.";
                screen.diagnostics(vec![Diagnostic::sourceless("Invalid target address", detail)]);
                return Next::Exit(1);
            }
            let saved = state.clone();
            let dry = arguments.has("dry-run");
            for (address, deposed) in &gone {
                let of = state.resources.get(&address.resource).cloned().unwrap_or_default();
                state.set(address, deposed.as_ref(), None, &of);
                screen.out(format!("{} {address}\n", if dry { "Would remove" } else { "Removed" }));
            }
            if dry {
                return Next::Exit(0);
            }
            let backup = format!("{STATE}.{}.backup", sys.now.as_seconds());
            save(&mut state, &saved, &backup, sys, providers);
            let count = gone.len();
            screen.out(format!("Successfully removed {count} resource instance(s).\n"));
            Next::Exit(0)
        }
        "mv" => {
            let [from, to] = rest.as_slice() else {
                screen.diagnostics(vec![Diagnostic::sourceless("Exactly two arguments expected.", "")]);
                return Next::Exit(1);
            };
            let (Some(source), Some(target)) = (parse_target(from), parse_target(to)) else { return bad(screen, from) };
            let saved = state.clone();
            let pairs: Vec<(InstanceAddress, InstanceAddress)> = state
                .objects()
                .into_iter()
                .filter(|(address, deposed, _)| deposed.is_none() && matches(&source, address))
                .filter_map(|(address, ..)| {
                    let new = match &target {
                        Target::Instance(new) => new.clone(),
                        Target::Resource(new) => {
                            new.instance(if matches!(source, Target::Instance(_)) { None } else { address.key.clone() })
                        }
                        Target::Module(_) => return None,
                    };
                    Some((address, new))
                })
                .collect();
            if pairs.is_empty() {
                let detail = format!("Cannot move {from}: does not match anything in the current state.");
                screen.diagnostics(vec![Diagnostic::sourceless("Invalid source address", detail)]);
                return Next::Exit(1);
            }
            for (old, new) in &pairs {
                let of = state.resources.get(&old.resource).cloned().unwrap_or_default();
                let object = state.get(old).cloned();
                state.set(new, None, object, &of);
                state.set(old, None, None, &of);
                screen.out(format!("Move \"{old}\" to \"{new}\"\n"));
            }
            let backup = format!("{STATE}.{}.backup", sys.now.as_seconds());
            save(&mut state, &saved, &backup, sys, providers);
            screen.out(format!("Successfully moved {} object(s).\n", pairs.len()));
            Next::Exit(0)
        }
        "pull" => {
            let text = sys.files.read_text(sys.cwd, STATE).unwrap_or_default();
            screen.out(text);
            Next::Exit(0)
        }
        other => {
            screen.gap(&format!("terraform state {other}"));
            Next::Exit(1)
        }
    }
}

fn save(state: &mut State, saved: &State, backup: &str, sys: &mut Sys<'_>, providers: &Providers) {
    if let Ok(old) = sys.files.read(sys.cwd, STATE) {
        let _ = sys.files.write(sys.now, &sys.cwd.clone(), backup, &old);
    }
    write_state(STATE, state, saved, sys, providers);
}

pub fn taint(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let tainting = arguments.command == "taint";
    let Some(text) = arguments.words.first() else {
        screen.err(format!("The {} command expects exactly one argument.\n", arguments.command));
        return Next::Exit(1);
    };
    let address = match parse_target(text) {
        Some(Target::Instance(address)) => address,
        Some(Target::Resource(resource)) if resource.mode == Mode::Managed => resource.instance(None),
        _ => {
            screen.diagnostics(vec![Diagnostic::sourceless(
                "Invalid address",
                "Resource specification must include a resource type and name.",
            )]);
            return Next::Exit(1);
        }
    };
    let Some(mut state) = load(screen, sys, providers) else { return Next::Exit(1) };
    let saved = state.clone();
    let Some(mut object) = state.get(&address).cloned() else {
        let detail = format!(
            "There is no resource instance in the state with the address {address}. If the resource configuration has just been added, you must run \"terraform apply\" once to create the corresponding instance(s) before they can be tainted."
        );
        screen.diagnostics(vec![Diagnostic::sourceless("No such resource instance", detail)]);
        return Next::Exit(1);
    };
    if !tainting && !object.tainted {
        let detail = format!("Resource instance {address} is not currently tainted, and so it cannot be untainted.");
        screen.diagnostics(vec![Diagnostic::sourceless("Resource instance is not tainted", detail)]);
        return Next::Exit(1);
    }
    object.tainted = tainting;
    let of = state.resources.get(&address.resource).cloned().unwrap_or_default();
    state.set(&address, None, Some(object), &of);
    save(&mut state, &saved, &format!("{STATE}.backup"), sys, providers);
    screen.out(if tainting {
        format!("Resource instance {address} has been marked as tainted.\n")
    } else {
        format!("Resource instance {address} has been successfully untainted.\n")
    });
    Next::Exit(0)
}

pub fn fmt(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let flag = |name: &str, default: bool| arguments.get(name).map_or(default, |value| value != "false");
    let (list, write) = (flag("list", true), flag("write", true) && !arguments.has("check"));
    if arguments.has("diff") {
        screen.gap("terraform fmt -diff");
        return Next::Exit(1);
    }
    let cwd = sys.cwd.clone();
    let mut files = Vec::new();
    let mut folders: Vec<String> = Vec::new();
    for word in &arguments.words {
        if sys.files.is_directory(&cwd, word) {
            folders.push(word.clone());
        } else if sys.files.exists(&cwd, word) {
            files.push(word.clone());
        } else {
            screen.diagnostics(vec![Diagnostic::sourceless(format!("No file or directory at {word}"), "")]);
            return Next::Exit(2);
        }
    }
    if arguments.words.is_empty() {
        folders.push(".".into());
    }
    while let Some(folder) = folders.pop() {
        let mut names = sys.files.list(&cwd, &folder).unwrap_or_default();
        names.sort();
        for name in names.into_iter().filter(|name| !name.starts_with('.')) {
            let path = if folder == "." { name.clone() } else { format!("{folder}/{name}") };
            if sys.files.is_directory(&cwd, &path) {
                if arguments.has("recursive") {
                    folders.push(path);
                }
            } else if [".tf", ".tfvars", ".tftest.hcl", ".tfquery.hcl"].iter().any(|end| name.ends_with(end)) {
                files.push(path);
            }
        }
    }
    files.sort();
    let (mut failed, mut changed) = (false, false);
    for file in files {
        let text = sys.files.read_text(&cwd, &file).unwrap_or_default();
        screen.texts.insert(file.as_str().into(), text.clone());
        match crate::terraform::hcl::format(&file, &text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                changed = true;
                if list {
                    screen.out(format!("{file}\n"));
                }
                if write {
                    let _ = sys.files.write(sys.now, &cwd, &file, new.as_bytes());
                }
            }
            Err(found) => {
                failed = true;
                screen.diagnostics(found);
            }
        }
    }
    Next::Exit(match (failed, changed && arguments.has("check")) {
        (true, _) => 2,
        (_, true) => 3,
        _ => 0,
    })
}
