//! `terraform workspace`: list, show, new, select, delete.

use super::arguments::Arguments;
use super::backend::{self, DEFAULT, Store};
use super::{Screen, State as Next};
use crate::process::Sys;
use crate::terraform::address::Mode;
use crate::terraform::hcl::{Diagnostic, Severity};
use crate::terraform::json::Json;
use crate::terraform::provider::Providers;

const CREATED: &str = "[reset][green][bold]Created and switched to workspace \"%\"![reset][green]\n\nYou're now on a new, empty workspace. Workspaces isolate their state,\nso if you run \"terraform plan\" Terraform will not see any existing state\nfor this configuration.";

pub fn run(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let verb = arguments.command.split_once(' ').map_or("", |(_, verb)| verb);
    let (current, overridden) = backend::workspace(sys);
    match verb {
        "show" => {
            screen.out(format!("{current}\n"));
            return Next::Exit(0);
        }
        "list" => return list(arguments, &current, overridden, screen, sys),
        _ => {}
    }
    let Some(name) = arguments.words.first() else { return Next::Exit(1) };
    let quoted = crate::base::goquote::quote(name);
    if overridden && verb != "delete" {
        screen.ui_error(if verb == "new" {
            "\nThe workspace is currently overridden using the TF_WORKSPACE environment\nvariable. You cannot create a new workspace when using this setting.\n\nTo create a new workspace, either unset this environment variable or update it\nto match the workspace name you are trying to create, and then run this command\nagain.\n"
        } else {
            "\nThe selected workspace is currently overridden using the TF_WORKSPACE\nenvironment variable.\n\nTo select a new workspace, either update this environment variable or unset\nit and then run this command again.\n"
        });
        return Next::Exit(1);
    }
    if verb != "delete" && !is_valid(name) {
        let text = format!(
            "\nThe workspace name {quoted} is not allowed. The name must contain only URL safe\ncharacters, contain no path separators, and not be an empty string.\n"
        );
        if verb == "new" {
            screen.ui_diagnostics(vec![Diagnostic::sourceless(text, "")]);
            screen.out(super::help::help("workspace new").unwrap_or_default());
        } else {
            screen.ui_error(&text);
        }
        return Next::Exit(1);
    }
    let exists = backend::workspaces(sys).contains(name);
    let missing = format!(
        "\nWorkspace {quoted} doesn't exist.\n\nYou can create this workspace with the \"new\" subcommand \nor include the \"-or-create\" flag with the \"select\" subcommand."
    );
    match verb {
        "new" if exists => {
            screen.ui_error(&format!("Workspace {quoted} already exists"));
            Next::Exit(1)
        }
        "new" => {
            backend::create(name, sys);
            backend::select(name, sys);
            screen.ui_output(CREATED, &[name]);
            if let Some(path) = arguments.get("state") {
                let Ok(text) = sys.files.read_text(sys.cwd, path) else {
                    screen.ui_error(&format!("open {path}: no such file or directory"));
                    return Next::Exit(1);
                };
                let state = backend::parse(&text, providers);
                let mut plain = arguments.clone();
                plain.flags.retain(|(flag, _)| flag != "state");
                let mut store = Store::of(&plain, sys);
                match state {
                    Ok(mut state) => {
                        let saved = state.clone();
                        store.write(
                            &mut state,
                            &crate::terraform::state::State { serial: 0, ..saved },
                            0,
                            sys,
                            providers,
                        );
                    }
                    Err(found) => {
                        screen.ui_error(&backend::joined(&found));
                        return Next::Exit(1);
                    }
                }
            }
            Next::Exit(0)
        }
        "select" if *name == current => Next::Exit(0),
        "select" if !exists && !arguments.has("or-create") => {
            screen.ui_error(&missing);
            Next::Exit(1)
        }
        "select" => {
            if !exists {
                backend::create(name, sys);
            }
            backend::select(name, sys);
            let text = if exists { "[reset][green]Switched to workspace \"%\"." } else { CREATED };
            screen.ui_output(text, &[name]);
            Next::Exit(0)
        }
        _ => delete(name, &quoted, exists, &missing, &current, arguments, screen, sys, providers),
    }
}

fn list(arguments: &Arguments, current: &str, overridden: bool, screen: &mut Screen, sys: &Sys<'_>) -> Next {
    let names = backend::workspaces(sys);
    if arguments.has("json") {
        let each = |name: &String| {
            let mut fields = vec![("name".to_string(), Json::text(name))];
            if name == current {
                fields.push(("is_current".into(), Json::bool(true)));
            }
            Json::Object(fields)
        };
        let all = Json::Object(vec![
            ("format_version".into(), Json::text("1.0")),
            ("workspaces".into(), Json::Array(names.iter().map(each).collect())),
            ("diagnostics".into(), Json::Array(Vec::new())),
        ]);
        screen.out(all.pretty() + "\n");
        return Next::Exit(0);
    }
    if overridden {
        let note = "\n\nThe active workspace is being overridden using the TF_WORKSPACE environment\nvariable.\n";
        screen.diagnostics(vec![Diagnostic { severity: Severity::Warning, ..Diagnostic::sourceless(note, "") }]);
    }
    let line = |name: &String| format!("{} {name}\n", if name == current { "*" } else { " " });
    screen.out(names.iter().map(line).collect::<String>() + "\n");
    Next::Exit(0)
}

#[allow(clippy::too_many_arguments, reason = "one arm of the command above")]
fn delete(
    name: &str,
    quoted: &str,
    exists: bool,
    missing: &str,
    current: &str,
    arguments: &Arguments,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let refuse = |screen: &mut Screen, text: &str| {
        screen.ui_error(text);
        Next::Exit(1)
    };
    if !exists {
        return refuse(screen, missing.trim());
    }
    if name == current {
        return refuse(
            screen,
            &format!(
                "Workspace {quoted} is your active workspace.\n\nYou cannot delete the currently active workspace. Please switch\nto another workspace and try again."
            ),
        );
    }
    if name == DEFAULT {
        return refuse(screen, "Cannot delete the default workspace");
    }
    let text = sys.files.read_text(sys.cwd, &backend::state_path(name, sys)).unwrap_or_default();
    let state = match backend::parse(&text, providers) {
        Ok(state) => state,
        Err(found) => {
            screen.ui_error(&backend::joined(&found));
            return Next::Exit(1);
        }
    };
    let tracked: Vec<String> = state
        .objects()
        .into_iter()
        .filter(|(address, ..)| address.resource.mode == Mode::Managed)
        .map(|(address, deposed, _)| match deposed {
            Some(key) => format!("\n  - {address} (deposed object {key})"),
            None => format!("\n  - {address}"),
        })
        .collect();
    if !tracked.is_empty() && !arguments.has("force") {
        let detail = format!(
            "Workspace {quoted} is currently tracking the following resource instances:{}\n\nDeleting this workspace would cause Terraform to lose track of any associated remote objects, which would then require you to delete them manually outside of Terraform. You should destroy these objects with Terraform before deleting the workspace.\n\nIf you want to delete this workspace anyway, and have Terraform forget about these managed objects, use the -force option to disable this safety check.",
            tracked.concat()
        );
        screen.ui_diagnostics(vec![Diagnostic::sourceless("Workspace is not empty", detail)]);
        return Next::Exit(1);
    }
    backend::delete(name, sys);
    screen.ui_output("[reset][green]Deleted workspace \"%\"!", &[name]);
    if !tracked.is_empty() {
        screen.ui_output(
            "[reset][yellow]WARNING: \"%\" was non-empty.\nThe resources managed by the deleted workspace may still exist,\nbut are no longer manageable by Terraform since the state has\nbeen deleted.\n",
            &[name],
        );
    }
    Next::Exit(0)
}

/// What the list says of itself where it cannot be had.
pub fn no_list() -> Diagnostic {
    let detail = "The \"\" workspace is selected in your working directory. You can create this workspace by using the \"terraform workspace new\" subcommand or including the \"-or-create\" flag with the \"terraform workspace select\" subcommand.";
    let warning = Diagnostic::sourceless("Terraform cannot find any existing workspaces.", detail);
    Diagnostic { severity: Severity::Warning, ..warning }
}

/// A name that stands in an address unchanged.
pub fn is_valid(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.~$&+=:@".contains(c);
    !name.is_empty() && name.chars().all(plain)
}
