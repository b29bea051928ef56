//! One file per verb, or per family of verbs that share their ways.

mod apply;
mod apply_set;
mod auth;
mod change;
mod config;
mod cp;
mod create;
mod debug;
mod delete;
mod diff;
mod edit;
mod explain;
mod forward;
mod generate;
mod get;
pub mod info;
mod logs;
mod rollout;
mod set;
mod wait;

pub use create::LAST_APPLIED;

use super::args::Args;
use super::io::{Io, Outcome, Stop, fail, usage};
use super::manifest::gap;

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.as_str() {
        "get" => get::get(args, io),
        "create" => create::create(args, io),
        "apply" => apply::apply(args, io),
        "apply view-last-applied" => apply::view_last_applied(args, io),
        "apply edit-last-applied" => edit::last_applied(args, io),
        "apply set-last-applied" => apply::set_last_applied(args, io),
        "edit" => edit::edit(args, io),
        "diff" => diff::run(args, io),
        "explain" => explain::explain(args, io),
        "delete" => delete::delete(args, io),
        "label" | "annotate" => change::label(args, io),
        "scale" => change::scale(args, io),
        "patch" => change::patch(args, io),
        "replace" => change::replace(args, io),
        "set image" | "set env" | "set resources" | "set serviceaccount" | "set selector" => set::set(args, io),
        "cordon" | "uncordon" => change::cordon(args, io),
        "taint" => change::taint(args, io),
        "logs" => logs::logs(args, io),
        "exec" => logs::exec(args, io),
        "attach" => logs::attach(args, io),
        "kustomize" => super::kustomize::kustomize(args, io),
        "debug" => debug::debug(args, io),
        "cp" => cp::cp(args, io),
        "port-forward" => forward::port_forward(args, io),
        "proxy" => forward::proxy(args, io),
        "wait" => wait::wait(args, io),
        "rollout status" => wait::rollout_status(args, io),
        "run" => generate::run(args, io),
        "expose" => generate::expose(args, io),
        "autoscale" => generate::autoscale(args, io),
        name if name.starts_with("create ") => generate::create(args, io),
        "rollout history" | "rollout undo" | "rollout restart" | "rollout pause" | "rollout resume" => {
            rollout::rollout(args, io)
        }
        "drain" => rollout::drain(args, io),
        "describe" => super::describe::describe(args, io),
        "version" => info::version(args, io),
        "api-versions" => info::api_versions(args, io),
        "api-resources" => info::api_resources(args, io),
        "cluster-info" => info::cluster_info(args, io),
        "top pod" | "top node" => info::top(args, io),
        "events" => info::events(args, io),
        "set subject" => auth::set_subject(args, io),
        "auth reconcile" => auth::reconcile(args, io),
        "certificate approve" | "certificate deny" => auth::certificate(args, io),
        "auth can-i" if args.is("list") => auth::can_list(args, io),
        "auth can-i" => info::can_i(args, io),
        "auth whoami" => info::whoami(args, io),
        name if name == "config" || name.starts_with("config ") => config::config(args, io),
        group @ ("set" | "top" | "auth" | "rollout" | "certificate" | "plugin") => bare_group(group, args, io),
        "plugin list" => plugin_list(io),
        "options" => super::help::help(&args.with_words(vec!["options".into()]), io),
        "completion" => completion(args),
        other => gap(&format!("kubectl {other}"), ""),
    }
}

fn completion(args: &Args) -> Outcome {
    match args.words.as_slice() {
        [] => usage("completion", "Shell not specified."),
        [_, _, ..] => usage("completion", "Too many arguments. Expected only the shell type."),
        [shell] if !matches!(shell.as_str(), "bash" | "zsh" | "fish" | "powershell") => {
            usage("completion", format!("Unsupported shell type \"{shell}\"."))
        }
        _ => gap("kubectl completion", "Tab completes here without it"),
    }
}

fn plugin_list(io: &mut Io<'_, '_>) -> Outcome {
    let path = io.sys.env.get("PATH").cloned().unwrap_or_default();
    let mut found = Vec::new();
    for folder in path.split(':').filter(|folder| !folder.is_empty()) {
        let mut names = io.sys.files.list(io.sys.cwd, folder).unwrap_or_default();
        names.sort();
        found.extend(names.iter().filter(|n| n.starts_with("kubectl-")).map(|name| format!("{folder}/{name}")));
    }
    if found.is_empty() {
        return fail("unable to find any kubectl plugins in your PATH");
    }
    io.out(format!("The following compatible plugins are available:\n\n{}\n", found.join("\n")));
    Ok(())
}

/// A group command without one of its sub-commands.
fn bare_group(group: &str, args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        let words = args.words.join(" ");
        return fail(format!("unknown command \"{words}\"\nSee 'kubectl {group} -h' for help and examples"));
    }
    let text = super::help::text(group);
    match group {
        "rollout" => io.out(text),
        "plugin" => io.out(text),
        "certificate" => {
            io.out(text);
            return Ok(());
        }
        _ => io.err(text),
    }
    Err(Stop::Exit(1))
}
