//! Applying, and when it is over: outputs, counts, what goes into the state.

use super::{Operation, Stage, Verb};
use crate::base::Time;
use crate::process::Sys;
use crate::terraform::command::Screen;
use crate::terraform::core::Walk;
use crate::terraform::hcl::{Diagnostic, has_errors};
use crate::terraform::render::{self, log};

impl Operation {
    pub(super) fn begin_apply(&mut self) {
        if let Some(plan) = self.walk.take() {
            self.walk = Some(Walk::apply(plan));
        }
        self.stage = Stage::Apply;
    }

    pub(super) fn refreshed(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) {
        self.conclude_outputs();
        self.save(sys);
        self.save_first(sys);
        self.print_outputs(screen, sys.now);
    }

    /// Outputs of the configuration become the state's, where they are known.
    pub(super) fn conclude_declared_outputs(&mut self) {
        let Some(walk) = &mut self.walk else { return };
        for output in walk.plan.outputs.clone() {
            if let Some(old) = walk.state.outputs.get_mut(&output.name)
                && output.after.is_wholly_known()
                && !output.after.is_null()
            {
                old.value = output.after;
            }
        }
    }

    /// The refreshed outputs become the state's.
    pub(super) fn conclude_outputs(&mut self) {
        let Some(walk) = &mut self.walk else { return };
        for output in walk.plan.outputs.clone() {
            use crate::terraform::plan::Action;
            match output.action {
                Action::Delete => drop(walk.state.outputs.remove(&output.name)),
                _ if output.after.is_wholly_known() && !output.after.is_null() => {
                    let value =
                        crate::terraform::state::OutputValue { value: output.after, sensitive: output.sensitive };
                    walk.state.outputs.insert(output.name, value);
                }
                _ => {}
            }
        }
    }

    pub(super) fn print_outputs(&self, screen: &mut Screen, now: Time) {
        let Some(walk) = &self.walk else { return };
        if screen.json {
            screen.out(log::outputs(&walk.state, now));
            return;
        }
        if walk.state.outputs.is_empty() {
            return;
        }
        let title = screen.paint.tags("[reset][bold][green]\nOutputs:\n\n", &[]);
        let outputs = walk.state.outputs.iter().map(|(name, output)| (name.as_str(), &output.value, output.sensitive));
        screen.out(format!("{title}{}", render::outputs(outputs)));
    }

    pub(super) fn applied(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> i32 {
        let Some(walk) = &mut self.walk else { return 1 };
        let mut diagnostics = std::mem::take(&mut self.later);
        diagnostics.extend(std::mem::take(&mut walk.diagnostics));
        let failed = has_errors(&diagnostics);
        let (added, changed, destroyed, imported) = (walk.added, walk.changed, walk.destroyed, walk.imported);
        let stopped = walk.stopping;
        self.save(sys);
        self.save_first(sys);
        if self.store.failed {
            let why = format!("Error saving state: write {}: no space left on device", self.store.to);
            diagnostics.push(Diagnostic::sourceless("Failed to save state", why));
        }
        let failed = failed || self.store.failed;
        diagnostics.extend(self.warnings(true));
        if stopped {
            diagnostics.insert(0, Diagnostic::sourceless("execution halted", ""));
            diagnostics.insert(0, Diagnostic::sourceless("execution halted", ""));
        }
        screen.diagnostics(diagnostics);
        if failed || stopped {
            return 1;
        }
        let destroy = self.verb == Verb::Destroy;
        if screen.json {
            screen.out(log::applied(destroy, added, changed, destroyed, imported, sys.now));
        } else {
            let text = if destroy {
                format!("[reset][bold][green]\nDestroy complete! Resources: {destroyed} destroyed.")
            } else {
                let imported = if imported > 0 { format!("{imported} imported, ") } else { String::new() };
                format!(
                    "[reset][bold][green]\nApply complete! Resources: {imported}{added} added, {changed} changed, {destroyed} destroyed."
                )
            };
            let line = screen.paint.tags(&text, &[]);
            screen.out(line + "\n");
            if let Some(path) = self.arguments.get("state-out")
                && added + changed > 0
            {
                let note = "The state of your infrastructure has been saved to the path below. This state is required to modify and destroy your infrastructure, so keep it safe. To inspect the complete state use the `terraform show` command.";
                let note = screen.paint.wrap(note);
                screen.out(format!("\n{note}\n\nState path: {path}\n"));
            }
        }
        if !destroy {
            self.print_outputs(screen, sys.now);
        }
        0
    }
}
