//! Before an operation begins: flags, the configuration or the saved plan, values of variables.

use super::options::options;
use super::{Operation, Verb};
use crate::process::Sys;
use crate::terraform::command::arguments::Arguments;
use crate::terraform::command::backend;
use crate::terraform::command::configuration::{configuration, uninitialised};
use crate::terraform::command::plan_file::Saved;
use crate::terraform::command::{Screen, State as Next, settings};
use crate::terraform::config;
use crate::terraform::core::Options;
use crate::terraform::hcl::{Diagnostic, Severity, has_errors};
use crate::terraform::plan::PlanMode;
use crate::terraform::provider::Providers;
use crate::terraform::render::log;

pub fn operation(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let verb = match arguments.command.as_str() {
        "plan" => Verb::Plan,
        "destroy" => Verb::Destroy,
        "refresh" => Verb::Refresh,
        _ => Verb::Apply,
    };
    let command = &arguments.command;
    if screen.json {
        screen.out(log::version(sys.now));
    }
    if arguments.get("state").is_some() {
        let detail = "Use the \"path\" attribute within the \"local\" backend to specify a file for state storage";
        let warning = Diagnostic::sourceless("Deprecated flag: -state", detail);
        screen.diagnostics(vec![Diagnostic { severity: Severity::Warning, ..warning }]);
    }
    let fail = |screen: &mut Screen, error: Diagnostic| {
        screen.diagnostics(vec![error]);
        Next::Exit(1)
    };
    let usage = |screen: &mut Screen, found: Vec<Diagnostic>| {
        screen.diagnostics(found);
        screen.err(format!("\nFor more help on using this command, run:\n  terraform {command} -help\n"));
        Next::Exit(1)
    };
    if arguments.get("generate-config-out").is_some() {
        screen.gap(&format!("terraform {command} -generate-config-out"));
        return Next::Exit(1);
    }
    if let Some(path) = arguments.words.first().filter(|_| verb == Verb::Destroy) {
        if !sys.files.exists(sys.cwd, path) {
            let detail = format!("Error: stat {path}: no such file or directory");
            return fail(screen, Diagnostic::sourceless(format!("Failed to load \"{path}\" as a plan file"), detail));
        }
        let detail = "The destroy command does not accept a plan file: use \"terraform apply\" with a plan created by \"terraform plan -destroy\".";
        return usage(screen, vec![Diagnostic::sourceless("Destroy can't be called with a plan file", detail)]);
    }
    let (mode, options) = match options(arguments, verb) {
        Ok(options) => (options.mode, options),
        Err(found) => return usage(screen, found),
    };
    if let Some(count) = arguments.number("parallelism").filter(|count| *count < 0) {
        let detail = format!("The parallelism must be a positive value. Not {count}.");
        return fail(screen, Diagnostic::sourceless("Invalid parallelism value", detail));
    }
    if mode != PlanMode::Normal && !options.replace.is_empty() {
        let detail =
            "Forcing resource instance replacement (with -replace=...) is allowed only in normal planning mode.";
        return fail(screen, Diagnostic::sourceless("Unsupported plan mode", detail));
    }
    let approves = matches!(verb, Verb::Apply | Verb::Destroy);
    if screen.json && approves && !arguments.has("auto-approve") && arguments.words.is_empty() {
        let detail = "Terraform cannot ask for interactive approval when -json is set. You can either apply a saved plan file, or enable the -auto-approve option.";
        return fail(screen, Diagnostic::sourceless("Plan file or auto-approve required", detail));
    }
    if let Some(path) = arguments.words.first() {
        return match Saved::load(path, sys) {
            Ok(saved) => carry_out(saved, verb, arguments, screen, sys, providers),
            Err(error) => fail(screen, *error),
        };
    }
    let Some(loaded) = configuration(screen, sys) else { return Next::Exit(1) };
    if loaded.empty && mode == PlanMode::Normal {
        let detail = match verb {
            Verb::Plan => {
                "Plan requires configuration to be present. Planning without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run plan with the -destroy option. Otherwise, create a Terraform configuration file (.tf file) and try again."
            }
            _ => {
                "Apply requires configuration to be present. Applying without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run 'terraform destroy' instead."
            }
        };
        return fail(screen, Diagnostic::sourceless("No configuration files", detail));
    }
    if let Some(error) = uninitialised(&loaded, sys) {
        return fail(screen, error);
    }
    let mut given = settings::gather(arguments, &loaded.root, sys);
    given.diagnostics.splice(0..0, loaded.diagnostics.iter().cloned());
    screen.texts.extend(given.texts.clone());
    if has_errors(&given.early) {
        screen.diagnostics(given.early);
        return Next::Exit(1);
    }
    let options = Options { workspace: backend::workspace(sys).0.as_str().into(), ..options };
    Next::Run(Box::new(Operation::new(verb, arguments, loaded, providers, given, options, sys)))
}

/// The operation that carries out, or shows, a saved plan.
pub fn carry_out(
    saved: Saved,
    verb: Verb,
    arguments: &Arguments,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let loaded = config::load(&saved.snapshot(), ".");
    screen.texts.extend(loaded.texts.clone());
    let mut given = settings::Given::default();
    if verb != Verb::Show {
        // What is asked for again must be what was planned.
        given = settings::gather(arguments, &loaded.root, sys);
        given.diagnostics.retain(Diagnostic::is_error);
        let asked = arguments.flags.iter().any(|(flag, _)| flag == "var" || flag == "var-file");
        if asked {
            for (name, (value, text, _)) in &given.values {
                let planned = saved.variables.get(name);
                if let (Some(planned), Some(_)) = (planned, text)
                    && planned != value
                {
                    let detail = format!(
                        "The variable {name} cannot be set using the -var and -var-file options when applying a saved plan file, because a saved plan includes the variable values that were set when it was created. The saved plan specifies {} as the value whereas during apply the value {} was set by the command line. To declare an ephemeral variable which is not saved in the plan file, use ephemeral = true.",
                        crate::terraform::value::text::short(planned),
                        crate::terraform::value::text::short(value)
                    );
                    let summary = "Can't change variable when applying a saved plan";
                    given.diagnostics.push(Diagnostic::sourceless(summary, detail));
                }
            }
        }
    }
    let options = saved.options();
    let mut operation = Operation::new(verb, arguments, loaded, providers, given, options, sys);
    operation.file = Some(Box::new(saved));
    Next::Run(Box::new(operation))
}
