//! A plan as text (upstream: terraform's jsonformat plan renderer).

use super::difference::{Differ, Difference};
use super::human::Human;
use super::paint::Paint;
use crate::terraform::address::Mode;
use crate::terraform::plan::{Action, OutputChange, Plan, PlanMode, Reason, ResourceChange};
use crate::terraform::value::{Path, PathStep, Value};

const INTRO: &str = "Terraform used the selected providers to generate the following execution plan. \
    Resource actions are indicated with the following symbols:";

/// The whole plan, from the blank line before it to its last output.
pub fn plan(plan: &Plan, paint: Paint) -> String {
    let human = Human { paint, plain: false, all: false };
    let mut out = String::new();
    let changes: Vec<&ResourceChange> = plan.changes.iter().filter(|change| visible(change)).collect();
    let counted = |wanted: &dyn Fn(Action) -> bool| plan.changes.iter().filter(|change| wanted(change.action)).count();
    let outputs: Vec<&OutputChange> = plan.outputs.iter().filter(|output| output.action != Action::NoOp).collect();
    let drifted = drift(plan, &changes, &outputs);
    if !drifted.is_empty() {
        out.push_str(&drift_note(plan, &drifted, human));
    }
    if plan.mode == PlanMode::RefreshOnly && !drifted.is_empty() && plan.errored && changes.is_empty() {
        // The line stands before and after.
        let rule = paint.rule();
        out.push_str(&format!("{rule}{}{rule}", failed(paint)));
        return out;
    }
    if plan.mode == PlanMode::RefreshOnly && !drifted.is_empty() {
        if plan.errored {
            out.push_str(&format!("{}{}{}", paint.rule(), failed(paint), paint.rule()));
        } else if !outputs.is_empty() {
            out.push_str(&paint.rule());
            out.push_str(&output_changes(&plan.outputs, human));
            out.push_str(&only_outputs(paint));
        }
        return out;
    }
    if changes.is_empty() && outputs.is_empty() {
        if plan.errored {
            out.push_str(&failed(paint));
        } else {
            out.push_str(&no_changes(plan.mode, paint));
        }
        return out;
    }
    let acts: Vec<Action> = changes.iter().map(|change| change.action).filter(|a| *a != Action::NoOp).collect();
    if !acts.is_empty() {
        out.push_str(&format!("\n{}\n", paint.wrap(INTRO)));
        for (action, text) in LEGEND {
            if acts.contains(&action) {
                out.push_str(&paint.tags(text, &[]));
                out.push('\n');
            }
        }
    }
    if !changes.is_empty() {
        out.push_str(if plan.errored {
            "\nTerraform planned the following actions, but then encountered a problem:\n"
        } else {
            "\nTerraform will perform the following actions:\n"
        });
        for change in &changes {
            out.push('\n');
            out.push_str(&resource(change, human, None, false));
        }
        let add = counted(&|action| action == Action::Create || action.is_replace());
        let update = counted(&|action| action == Action::Update);
        let destroy = counted(&|action| action == Action::Delete || action.is_replace());
        let import = plan.changes.iter().filter(|change| change.importing.is_some()).count();
        let import = if import > 0 { format!("{import} to import, ") } else { String::new() };
        out.push_str(&paint.tags("\n[bold]Plan:[reset] ", &[]));
        out.push_str(&format!("{import}{add} to add, {update} to change, {destroy} to destroy.\n"));
    }
    if !outputs.is_empty() {
        out.push_str(&output_changes(&plan.outputs, human));
        if changes.is_empty() {
            out.push_str(&only_outputs(paint));
        }
    }
    out
}

fn only_outputs(paint: Paint) -> String {
    let text = "You can apply this plan to save these new output values to the Terraform state, \
        without changing any real infrastructure.";
    format!("\n{}\n", paint.wrap(text))
}

/// What follows a plan that is not applied: how to apply exactly it.
pub fn note(paint: Paint, saved: Option<&str>) -> String {
    let rule = paint.rule();
    match saved {
        None => {
            let text = "\nNote: You didn't use the -out option to save this plan, so Terraform can't guarantee to take \
                exactly these actions if you run \"terraform apply\" now.";
            format!("{rule}{}\n", paint.wrap(text))
        }
        Some(path) => format!(
            "{rule}\nSaved the plan to: {path}\n\nTo perform exactly these actions, run the following command to apply:\n    terraform apply {}\n",
            crate::base::goquote::quote(path)
        ),
    }
}

const LEGEND: [(Action, &str); 6] = [
    (Action::Create, "  [green]+[reset] create"),
    (Action::Update, "  [yellow]~[reset] update in-place"),
    (Action::Delete, "  [red]-[reset] destroy"),
    (Action::DeleteThenCreate, "[red]-[reset]/[green]+[reset] destroy and then create replacement"),
    (Action::CreateThenDelete, "[green]+[reset]/[red]-[reset] create replacement and then destroy"),
    (Action::Read, " [cyan]<=[reset] read (data resources)"),
];

fn visible(change: &ResourceChange) -> bool {
    if change.address.resource.mode == Mode::Data {
        return change.action == Action::Read;
    }
    change.action != Action::NoOp || change.previous != change.address || change.importing.is_some()
}

/// The drifted objects worth a note, each with the paths that matter (none: all of them).
fn drift<'a>(
    plan: &'a Plan,
    changes: &[&ResourceChange],
    outputs: &[&OutputChange],
) -> Vec<(&'a ResourceChange, Option<Vec<Path>>)> {
    if plan.mode == PlanMode::RefreshOnly {
        let moved = |change: &&ResourceChange| change.action != Action::NoOp || change.previous != change.address;
        return plan.drift.iter().filter(moved).map(|change| (change, None)).collect();
    }
    if plan.mode == PlanMode::Destroy || changes.is_empty() && outputs.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for change in &plan.drift {
        let paths =
            plan.relevant.iter().filter(|(address, _)| *address == change.address).map(|(_, path)| path.clone());
        let paths: Vec<Path> = paths.collect();
        if paths.is_empty() {
            continue;
        }
        if change.action == Action::Delete || paths.iter().any(|path| differs(change, path)) {
            found.push((change, Some(paths)));
        }
    }
    found
}

/// Whether what stands at a path has changed.
fn differs(change: &ResourceChange, path: &Path) -> bool {
    fn at<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
        path.iter().try_fold(value, |value, step| match step {
            PathStep::Attribute(name) => value.get(name),
            PathStep::Index(key) => match key.as_str() {
                Some(name) => value.get(name),
                None => value.items()?.get(usize::try_from(key.as_int()?).ok()?),
            },
        })
    }
    let (before, after) = (at(&change.before, path), at(&change.after, path));
    before.filter(|value| !value.is_null()) != after.filter(|value| !value.is_null())
}

fn drift_note(plan: &Plan, drifted: &[(&ResourceChange, Option<Vec<Path>>)], human: Human) -> String {
    let paint = human.paint;
    let mut out = String::from("\n");
    out.push_str(&paint.tags("[bold][cyan]Note:[reset][bold] Objects have changed outside of Terraform\n", &[]));
    let text = "Terraform detected the following changes made outside of Terraform since the last \"terraform apply\" \
        which may have affected this plan:";
    out.push_str(&format!("\n{}\n", paint.wrap(text)));
    for (change, paths) in drifted {
        out.push('\n');
        out.push_str(&resource(change, human, paths.as_deref(), true));
    }
    let text = if plan.mode == PlanMode::RefreshOnly {
        "This is a refresh-only plan, so Terraform will not take any actions to undo these. If you were expecting \
         these changes then you can apply this plan to record the updated values in the Terraform state without \
         changing any remote objects."
    } else {
        "Unless you have made equivalent changes to your configuration, or ignored the relevant attributes using \
         ignore_changes, the following plan may include actions to undo or respond to these changes."
    };
    out.push_str(&format!("\n\n{}\n", paint.wrap(text)));
    if plan.mode != PlanMode::RefreshOnly {
        out.push_str(&paint.rule());
    }
    out
}

fn no_changes(mode: PlanMode, paint: Paint) -> String {
    let (title, text) = match mode {
        PlanMode::Normal => (
            "[bold][green]No changes.[reset][bold] Your infrastructure matches the configuration.",
            "Terraform has compared your real infrastructure against your configuration and found no differences, \
             so no changes are needed.",
        ),
        PlanMode::Destroy => (
            "[bold][green]No changes.[reset][bold] No objects need to be destroyed.",
            "Either you have not created any objects yet or the existing objects were already deleted outside of \
             Terraform.",
        ),
        PlanMode::RefreshOnly => (
            "[bold][green]No changes.[reset][bold] Your infrastructure still matches the configuration.",
            "Terraform has checked that the real remote objects still match the result of your most recent changes, \
             and found no differences.",
        ),
    };
    let title = paint.tags(&format!("\n[reset]{title}[reset]\n\n"), &[]);
    format!("{title}{}\n", paint.wrap(text))
}

fn output_changes(outputs: &[OutputChange], human: Human) -> String {
    let mut out = String::from("\nChanges to Outputs:\n");
    let width = outputs.iter().map(|output| output.name.chars().count()).max().unwrap_or_default();
    let differ = Differ { replace_paths: &[], legacy: false, relevant: None };
    for output in outputs.iter().filter(|output| output.action != Action::NoOp) {
        let difference = differ.output(&output.before, &output.after, output.sensitive);
        let padding = " ".repeat(width.saturating_sub(output.name.chars().count()));
        let symbol = human.symbol(difference.action);
        out.push_str(&format!("{symbol}{}{padding} = {}\n", output.name, human.value(&difference, 0)));
    }
    out
}

fn difference(change: &ResourceChange, relevant: Option<&[Path]>) -> Difference {
    let differ = Differ { replace_paths: &change.replace_paths, legacy: change.schema.legacy, relevant };
    let after = if change.action == Action::Forget { &change.before } else { &change.after };
    differ.block(&change.schema.block, &change.before, after, &mut Vec::new())
}

fn resource(change: &ResourceChange, human: Human, relevant: Option<&[Path]>, drifted: bool) -> String {
    let paint = human.paint;
    let difference = difference(change, relevant);
    let imported = change.importing.is_some() && change.action == Action::NoOp;
    let human = Human { all: imported, ..human };
    let resource = &change.address.resource;
    let mut out = comment(change, paint, drifted);
    let kind = if resource.mode == Mode::Data { "data" } else { "resource" };
    let keeps = matches!(change.action, Action::Delete | Action::NoOp);
    let action = if drifted && !keeps { Action::Update } else { change.action };
    out.push_str(&human.symbol(action));
    out.push_str(&format!("{kind} \"{}\" \"{}\" {}\n", resource.kind, resource.name, human.value(&difference, 0)));
    out
}

/// The lines above a resource: what will happen to it, and why.
fn comment(change: &ResourceChange, paint: Paint, drifted: bool) -> String {
    let mut address = change.address.to_string();
    if let Some(deposed) = &change.deposed {
        address.push_str(&format!(" (deposed object {deposed})"));
    }
    let previous = change.previous.to_string();
    let moved = change.previous != change.address;
    let mut arguments: Vec<String> = vec![address.clone()];
    let mut text = match change.action {
        Action::Delete if drifted => "[bold]  # %[reset] has been deleted".to_string(),
        _ if drifted && change.action != Action::NoOp => "[bold]  # %[reset] has changed".into(),
        Action::Create => "[bold]  # %[reset] will be created".into(),
        Action::Read => "[bold]  # %[reset] will be read during apply".into(),
        Action::Update => "[bold]  # %[reset] will be updated in-place".into(),
        Action::DeleteThenCreate | Action::CreateThenDelete => match change.reason {
            Reason::Tainted => "[bold]  # %[reset] is tainted, so must be [bold][red]replaced[reset]",
            Reason::Requested => "[bold]  # %[reset] will be [bold][red]replaced[reset], as requested",
            Reason::ReplaceTriggeredBy => {
                "[bold]  # %[reset] will be [bold][red]replaced[reset] due to changes in replace_triggered_by"
            }
            _ => "[bold]  # %[reset] must be [bold][red]replaced[reset]",
        }
        .into(),
        Action::Delete => "[bold]  # %[reset] will be [bold][red]destroyed[reset]".into(),
        Action::Forget if change.deposed.is_some() => "[bold] # %[reset] will be removed from Terraform state, but [bold][red]will not be destroyed[reset]\n[bold] # (left over from a partially-failed replacement of this instance)\n # (destroy = false is set in the configuration)".into(),
        Action::Forget => "[bold] # %[reset] will no longer be managed by Terraform, but [bold][red]will not be destroyed[reset]\n # (destroy = false is set in the configuration)".into(),
        Action::NoOp if moved => {
            arguments = vec![previous.clone(), address];
            "[bold]  # %[reset] has moved to [bold]%[reset]".into()
        }
        Action::NoOp => "[bold]  # %[reset] will be imported".into(),
    };
    if !drifted {
        if let Some(reason) = reason(change).filter(|_| change.action != Action::Forget) {
            text.push_str("\n  # %");
            arguments.push(reason);
        }
        if moved && change.action != Action::NoOp {
            text.push_str("\n  # [reset](moved from %)");
            arguments.push(previous);
        }
        if let Some(id) = &change.importing {
            if change.action != Action::NoOp || moved {
                text.push_str("\n  # [reset](imported from \"%\")");
                arguments.push(id.to_string());
            }
            if change.action.is_replace() {
                text.push_str("\n  # [reset][yellow]Warning: this will destroy the imported resource[reset]");
            }
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    paint.tags(&(text + "\n"), &arguments)
}

fn reason(change: &ResourceChange) -> Option<String> {
    let resource = &change.address.resource;
    let key = change.address.key.as_ref().map(|key| key.to_string()).unwrap_or_default();
    if change.action == Action::Forget {
        return None;
    }
    Some(match change.reason {
        Reason::NoResourceConfig => format!("(because {}.{} is not in configuration)", resource.kind, resource.name),
        Reason::NoModule => format!("(because {} is not in configuration)", resource.module),
        Reason::WrongRepetition if change.address.key.is_none() => "(because resource uses count or for_each)".into(),
        Reason::WrongRepetition if key.starts_with("[\"") => "(because resource does not use for_each)".into(),
        Reason::WrongRepetition => "(because resource does not use count)".into(),
        Reason::CountIndex => format!("(because index {key} is out of range for count)"),
        Reason::EachKey => format!("(because key {key} is not in for_each map)"),
        Reason::NoMoveTarget => {
            format!("(because {} was moved to {}, which is not in configuration)", change.previous, change.address)
        }
        Reason::ConfigUnknown => "(config refers to values not yet known)".into(),
        Reason::DependencyPending => "(depends on a resource or a module with changes pending)".into(),
        Reason::CheckNested => "(config will be reloaded to verify a check block)".into(),
        _ if change.deposed.is_some() => "(left over from a partially-failed replacement of this instance)".into(),
        _ => return None,
    })
}

/// What stands for a plan that could not be made.
pub fn failed(paint: Paint) -> String {
    let text = "\n[reset][bold][red]Planning failed.[reset][bold] Terraform encountered an error while generating this plan.[reset]\n\n";
    paint.tags(text, &[])
}
