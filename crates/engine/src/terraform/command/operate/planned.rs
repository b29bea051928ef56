//! When the planning walk is over: what is shown of the plan, and what comes next.

use super::{Operation, Stage, Verb};
use crate::process::Sys;
use crate::terraform::address::Mode;
use crate::terraform::command::Screen;
use crate::terraform::command::environment::automated;
use crate::terraform::command::plan_file::Saved;
use crate::terraform::core::{Options, Phase, Walk};
use crate::terraform::hcl::{Diagnostic, Severity, has_errors};
use crate::terraform::render::{self, log};

impl Operation {
    /// What a destroy found there is what it destroys; errors end it.
    pub(super) fn looked(&mut self, screen: &mut Screen) -> Option<i32> {
        self.looking = false;
        let mut walk = self.walk.take()?;
        let cycles = walk.graph.cycles(false);
        if !cycles.is_empty() || walk.refused || has_errors(&walk.diagnostics) {
            let mut found = std::mem::take(&mut walk.diagnostics);
            if !cycles.is_empty() {
                found = cycles;
            }
            found.retain(|each| each.is_error() || each.subject.is_none());
            found.extend(self.warnings(false));
            screen.diagnostics(found);
            return Some(1);
        }
        self.walk = Some(walk);
        self.conclude_declared_outputs();
        let walk = self.walk.take()?;
        // Where something has moved, it has moved before.
        let options = Options { refresh: false, ..self.options.clone() };
        let mut next = Walk::new(Phase::Plan, self.config.clone(), self.providers.clone(), walk.state.clone(), options);
        let kept = walk.diagnostics.into_iter().filter(|each| each.summary.starts_with("Value"));
        next.diagnostics.extend(kept);
        self.walk = Some(next);
        None
    }

    /// After the planning walk.
    pub(super) fn planned(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Option<i32> {
        let walk = self.walk.as_mut()?;
        let cycles = walk.graph.cycles(false);
        if !cycles.is_empty() {
            screen.diagnostics(cycles);
            return Some(1);
        }
        let mut diagnostics = std::mem::take(&mut walk.diagnostics);
        if walk.refused {
            diagnostics.extend(self.warnings(false));
            screen.diagnostics(diagnostics);
            return Some(1);
        }
        let failed = walk.plan.errored;
        let stopped = walk.stopping;
        if let Some(file) = &self.file {
            walk.set_drift(&file.before(&self.providers));
            if self.verb == Verb::Show {
                let text = if self.arguments.has("json") {
                    log::plan_file(walk, &self.providers)
                } else {
                    render::plan(&walk.plan, screen.paint)
                };
                screen.json = false;
                screen.out(text);
                return Some(0);
            }
            if failed {
                let detail = "Terraform encountered an error when generating this plan, so it cannot be applied.";
                screen.diagnostics(vec![Diagnostic::sourceless("Cannot apply incomplete plan", detail)]);
                return Some(1);
            }
            if screen.json {
                log::changes(&walk.plan, sys.now).into_iter().for_each(|line| screen.out(line));
            }
            self.begin_apply();
            return None;
        }
        if self.verb == Verb::Refresh {
            diagnostics.retain(|each| each.summary != "Check block assertion known after apply");
            if self.saved.objects().iter().all(|(address, ..)| address.resource.mode != Mode::Managed) {
                let detail =
                    "There are currently no remote objects tracked in the state, so there is nothing to refresh.";
                let warning = Diagnostic::sourceless("Empty or non-existent state", detail);
                diagnostics.push(Diagnostic { severity: Severity::Warning, ..warning });
            }
            diagnostics.extend(self.warnings(false));
            screen.diagnostics(diagnostics);
            if failed {
                return Some(1);
            }
            self.refreshed(screen, sys);
            return Some(0);
        }
        let has_changes = walk.plan.is_applicable();
        let out = self.arguments.get("out").filter(|path| !path.is_empty());
        if let Some(path) = out
            && !stopped
        {
            let saved = Saved::of(walk, &self.config, &self.arguments, &self.saved, &self.options, &self.providers);
            let cwd = sys.cwd.clone();
            if sys.files.write(sys.now, &cwd, path, saved.as_bytes()).is_err() {
                let detail = format!("The plan file could not be written: open {path}: no such file or directory.");
                screen.diagnostics(vec![Diagnostic::sourceless("Failed to write plan file", detail)]);
                return Some(1);
            }
        }
        let nothing = walk.plan.changes.iter().all(|change| change.action == crate::terraform::plan::Action::NoOp)
            && walk.plan.outputs.is_empty();
        if screen.json {
            if !failed || !nothing {
                log::plan(&walk.plan, sys.now).into_iter().for_each(|line| screen.out(line));
            }
        } else if self.verb == Verb::Plan || !failed || !nothing {
            screen.out(render::plan(&walk.plan, screen.paint));
        }
        diagnostics.extend(self.warnings(false));
        if stopped {
            diagnostics.push(Diagnostic::sourceless("execution halted", ""));
            screen.diagnostics(diagnostics);
            return Some(1);
        }
        if failed {
            screen.diagnostics(diagnostics);
            return Some(1);
        }
        if self.verb == Verb::Plan {
            screen.diagnostics(diagnostics);
            if has_changes && !screen.json && !automated(sys) {
                screen.out(render::note(screen.paint, out));
            }
            let detailed = self.arguments.has("detailed-exitcode");
            return Some(if detailed && has_changes { 2 } else { 0 });
        }
        if has_changes && !self.arguments.has("auto-approve") {
            screen.diagnostics(diagnostics);
            self.stage = Stage::Approval { asked: false };
            return None;
        }
        diagnostics.retain(|each| !each.summary.starts_with("Check block assertion"));
        self.later = diagnostics;
        self.begin_apply();
        None
    }

    pub(super) fn warnings(&self, applied: bool) -> Vec<Diagnostic> {
        let warning = |summary: &str, detail: &str| Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::sourceless(summary, detail)
        };
        let mut found = Vec::new();
        let plan = self.walk.iter().flat_map(|walk| &walk.plan.changes);
        let gone = plan.filter(|change| change.action == crate::terraform::plan::Action::Forget);
        let gone: String = gone.map(|change| format!("\n - {}", change.address)).collect();
        if !gone.is_empty() && !applied {
            let detail = format!(
                "If you apply this plan, Terraform will discard its tracking information for the following objects, but it will not delete them:{gone}\n\nAfter applying this plan, Terraform will no longer manage these objects. You will need to import them into Terraform to manage them again."
            );
            found.push(warning("Some objects will no longer be managed by Terraform", &detail));
        }
        if self.options.targets.is_empty() {
            return found;
        }
        if applied {
            found.push(warning(
                "Applied changes may be incomplete",
                "The plan was created with the -target option in effect, so some changes requested in the configuration may have been ignored and the output values may not be fully updated. Run the following command to verify that no other changes are pending:\n    terraform plan\n\nNote that the -target option is not suitable for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.",
            ));
            return found;
        }
        found.push(warning(
            "Resource targeting is in effect",
            "You are creating a plan with the -target option, which means that the result of this plan may not represent all of the changes requested by the current configuration.\n\nThe -target option is not for routine use, and is provided only for exceptional situations such as recovering from errors or mistakes, or when Terraform specifically suggests to use it as part of an error message.",
        ));
        found
    }
}
