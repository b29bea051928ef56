//! What an operation asks the user: values of variables, and whether to go on.

use super::{Operation, Stage, Verb};
use crate::base::SmolStr;
use crate::process::{Sys, Wait};
use crate::terraform::command::environment::asks;
use crate::terraform::command::validate::check;
use crate::terraform::command::{Screen, read_line, settings};
use crate::terraform::core::{Phase, Walk};
use crate::terraform::hcl::{Diagnostic, has_errors};
use crate::terraform::plan::PlanMode;

impl Operation {
    pub(super) fn ask_variable(
        &mut self,
        left: Vec<SmolStr>,
        asked: bool,
        screen: &mut Screen,
        sys: &mut Sys<'_>,
    ) -> Result<Option<i32>, Vec<Wait>> {
        let root = &self.config.root;
        let Some(name) = left.first().cloned() else {
            let values = settings::convert(&mut self.given, root);
            if has_errors(&self.given.diagnostics) {
                screen.diagnostics(std::mem::take(&mut self.given.diagnostics));
                return Ok(Some(1));
            }
            self.options.variables = values;
            self.options.unfit = std::mem::take(&mut self.given.unfit);
            let at = |(name, given): (&SmolStr, &(_, _, Option<settings::From>))| match &given.2 {
                Some(settings::From::File(range)) => Some((name.clone(), range.clone())),
                _ => None,
            };
            self.options.given = self.given.values.iter().filter_map(at).collect();
            let mut found = check(self.config.clone(), &self.providers, sys);
            if has_errors(&found) {
                found.extend(std::mem::take(&mut self.given.diagnostics));
                screen.diagnostics(found);
                return Ok(Some(1));
            }
            let empty = self.state.resources.is_empty() && self.state.outputs.is_empty();
            self.looking = self.options.mode == PlanMode::Destroy && self.options.refresh && !empty;
            let mut options = self.options.clone();
            if self.looking {
                (options.mode, options.before_destroy) = (PlanMode::Normal, true);
                options.replace.clear();
            }
            let mut walk =
                Walk::new(Phase::Plan, self.config.clone(), self.providers.clone(), self.state.clone(), options);
            walk.diagnostics.extend(std::mem::take(&mut self.given.diagnostics));
            if self.verb == Verb::Refresh || self.options.mode != PlanMode::RefreshOnly {
                walk.check_removals();
            }
            walk.check_absent_providers();
            self.walk = Some(walk);
            self.stage = Stage::Walk;
            return Ok(None);
        };
        let Some(variable) = root.variables.get(&name) else { return Ok(Some(1)) };
        if !asks(&self.arguments, sys) || screen.json {
            let mut found: Vec<Diagnostic> =
                left.iter().filter_map(|name| root.variables.get(name)).map(settings::not_given).collect();
            found.extend(std::mem::take(&mut self.given.diagnostics));
            screen.diagnostics(found);
            return Ok(Some(1));
        }
        if !asked {
            let description = variable.description.clone().unwrap_or_default();
            screen.question(&format!("var.{name}"), &description);
            self.stage = Stage::Variables { left, asked: true };
            return Ok(None);
        }
        match read_line(sys)? {
            Some(text) => {
                screen.out("\n");
                let (value, found) = settings::from_text(variable, &text);
                self.given.diagnostics.extend(found);
                self.given.values.insert(name, (value, None, Some(settings::From::Typed)));
                self.stage = Stage::Variables { left: left.get(1..).unwrap_or_default().to_vec(), asked: false };
                Ok(None)
            }
            None => {
                let all = left.iter().filter_map(|name| root.variables.get(name)).map(settings::not_given);
                screen.diagnostics(all.collect());
                Ok(Some(1))
            }
        }
    }

    pub(super) fn approve(
        &mut self,
        asked: bool,
        screen: &mut Screen,
        sys: &mut Sys<'_>,
    ) -> Result<Option<i32>, Vec<Wait>> {
        let mode = self.options.mode;
        let no_input = !asks(&self.arguments, sys);
        if !asked {
            let workspace = &self.options.workspace;
            let place = if workspace == "default" { String::new() } else { format!(" in workspace \"{workspace}\"") };
            let (question, lines) = match mode {
                PlanMode::Destroy => (
                    format!("Do you really want to destroy all resources{place}?"),
                    "Terraform will destroy all your managed infrastructure, as shown above.\nThere is no undo. Only 'yes' will be accepted to confirm.",
                ),
                PlanMode::RefreshOnly => (
                    match workspace.as_str() {
                        "default" => {
                            "Would you like to update the Terraform state to reflect these detected changes?".into()
                        }
                        other => format!(
                            "Would you like to update the Terraform state for \"{other}\" to reflect these detected changes?"
                        ),
                    },
                    "Terraform will write these changes to the state without modifying any real infrastructure.\nThere is no undo. Only 'yes' will be accepted to confirm.",
                ),
                PlanMode::Normal => (
                    format!("Do you want to perform these actions{place}?"),
                    "Terraform will perform the actions described above.\nOnly 'yes' will be accepted to approve.",
                ),
            };
            screen.question(&format!("\n{question}"), lines);
            self.stage = Stage::Approval { asked: true };
            return Ok(None);
        }
        if no_input {
            screen.diagnostics(vec![Diagnostic::sourceless("error asking for approval: EOF", "")]);
            return Ok(Some(1));
        }
        match read_line(sys)? {
            Some(answer) if answer == "yes" => {
                screen.out("\n");
                self.begin_apply();
                Ok(None)
            }
            Some(_) => {
                let text = if mode == PlanMode::Destroy { "Destroy" } else { "Apply" };
                screen.out(format!("\n{text} cancelled.\n"));
                Ok(Some(1))
            }
            None => {
                screen.diagnostics(vec![Diagnostic::sourceless("error asking for approval: EOF", "")]);
                Ok(Some(1))
            }
        }
    }
}
