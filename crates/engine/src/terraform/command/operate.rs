//! validate, plan, apply, destroy, refresh: from the configuration to the last line printed.

use std::sync::Arc;

use super::arguments::Arguments;
use super::{Disk, Screen, State as Next, VERSION, read_line, settings};
use crate::base::SmolStr;
use crate::process::{Sys, Wait};
use crate::terraform::address::{InstanceAddress, Mode, ResourceAddress};
use crate::terraform::config::{self, Loaded};
use crate::terraform::core::{Options, Phase, Progress, Target, Walk};
use crate::terraform::hcl::{Diagnostic, Severity, has_errors};
use crate::terraform::plan::PlanMode;
use crate::terraform::provider::Providers;
use crate::terraform::render;
use crate::terraform::state::{State, parse_key, parse_module};

pub const STATE: &str = "terraform.tfstate";
const LOCK: &str = ".terraform.tfstate.lock.info";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Plan,
    Apply,
    Destroy,
    Refresh,
}

#[derive(Clone)]
enum Stage {
    /// Names of variables still to be asked for.
    Variables {
        left: Vec<SmolStr>,
        asked: bool,
    },
    Walk,
    Approval {
        asked: bool,
    },
    Apply,
}

/// A command in the middle of its run.
#[derive(Clone)]
pub struct Operation {
    verb: Verb,
    arguments: Arguments,
    config: Arc<Loaded>,
    providers: Providers,
    given: settings::Given,
    options: Options,
    state: State,
    stage: Stage,
    walk: Option<Walk>,
    saved: State,
    interrupted: bool,
    backed_up: bool,
}

/// The configuration of the working folder; `None` after errors, which are printed.
pub fn configuration(screen: &mut Screen, sys: &Sys<'_>) -> Option<Loaded> {
    let loaded = config::load(&Disk { files: sys.files, cwd: sys.cwd }, ".");
    screen.texts.extend(loaded.texts.clone());
    if has_errors(&loaded.diagnostics) {
        screen.diagnostics(loaded.diagnostics);
        return None;
    }
    Some(loaded)
}

pub fn read_state(path: &str, sys: &Sys<'_>, providers: &Providers) -> Result<State, Box<Diagnostic>> {
    let Ok(text) = sys.files.read_text(sys.cwd, path) else { return Ok(State::default()) };
    if text.trim().is_empty() {
        return Ok(State::default());
    }
    State::from_json(&text, &|mode, kind| providers.type_of(mode, kind)).map_err(|error| {
        Box::new(Diagnostic::sourceless("Error loading state", format!("The state file could not be read: {error}")))
    })
}

/// Writes the state with a new serial, the old one as its backup.
pub fn write_state(path: &str, state: &mut State, saved: &State, sys: &mut Sys<'_>, providers: &Providers) {
    if state.lineage.is_empty() {
        state.lineage = crate::terraform::provider::uuid_of(&mut || sys.chance.below("terraform lineage", 1 << 32));
    }
    state.serial = saved.serial + 1;
    let text = state.to_json(VERSION, &|mode, kind| providers.type_of(mode, kind));
    let _ = sys.files.write(sys.now, &sys.cwd.clone(), path, text.as_bytes());
}

/// What the root module needs that `terraform init` brings, and is not there.
pub fn uninitialised(config: &Loaded, sys: &Sys<'_>) -> Option<Diagnostic> {
    let needed = super::init::providers_needed(&config.root);
    let lock = sys.files.read_text(sys.cwd, super::init::LOCK_FILE).unwrap_or_default();
    let missing: Vec<String> = needed
        .iter()
        .filter(|source| !lock.contains(&format!("provider \"{source}\"")))
        .map(|source| format!("  - provider {source}: required by this configuration but no version is selected"))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let detail = format!(
        "The following dependency selections recorded in the lock file are inconsistent with the current configuration:\n{}\n\nTo make the initial dependency selections that will initialize the dependency lock file, run:\n  terraform init",
        missing.join("\n")
    );
    Some(Diagnostic::sourceless("Inconsistent dependency lock file", detail))
}

pub fn validate(screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let Some(loaded) = configuration(screen, sys) else { return Next::Exit(1) };
    let found = check(Arc::new(loaded), providers, sys);
    let failed = has_errors(&found);
    let warned = !found.is_empty();
    screen.diagnostics(found);
    if failed {
        return Next::Exit(1);
    }
    let text = if warned {
        "[green][bold]Success![reset] The configuration is valid, but there were some validation warnings as shown above."
    } else {
        "[green][bold]Success![reset] The configuration is valid."
    };
    let line = screen.paint.tags(&format!("{text}\n"), &[]);
    screen.out(line + "\n");
    Next::Exit(0)
}

/// Everything that can be said about a configuration without values.
fn check(loaded: Arc<Loaded>, providers: &Providers, sys: &mut Sys<'_>) -> Vec<Diagnostic> {
    let mut walk = Walk::new(Phase::Validate, loaded, providers.clone(), State::default(), Options::default());
    if let Some(names) = walk.graph.cycle() {
        return vec![Diagnostic::sourceless(format!("Cycle: {}", names.join(", ")), "")];
    }
    let _ = walk.advance(sys);
    walk.diagnostics
}

const KNOWN: [&str; 22] = [
    "var",
    "var-file",
    "target",
    "replace",
    "out",
    "state",
    "state-out",
    "parallelism",
    "lock-timeout",
    "backup",
    "lock",
    "input",
    "refresh",
    "refresh-only",
    "destroy",
    "detailed-exitcode",
    "auto-approve",
    "compact-warnings",
    "json",
    "generate-config-out",
    "help",
    "h",
];

pub fn operation(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let verb = match arguments.command.as_str() {
        "plan" => Verb::Plan,
        "destroy" => Verb::Destroy,
        "refresh" => Verb::Refresh,
        _ => Verb::Apply,
    };
    let command = &arguments.command;
    if let Some(flag) = arguments.unknown(&KNOWN) {
        let detail = format!("flag provided but not defined: -{flag}");
        screen.diagnostics(vec![Diagnostic::sourceless("Failed to parse command-line flags", detail)]);
        screen.err(format!("\nFor more help on using this command, run:\n  terraform {command} -help\n"));
        return Next::Exit(1);
    }
    for gap in ["json", "generate-config-out", "out"] {
        if arguments.has(gap) || arguments.get(gap).is_some() {
            screen.gap(&format!("terraform {command} -{gap}"));
            return Next::Exit(1);
        }
    }
    if let Some(word) = arguments.words.first() {
        if verb == Verb::Apply {
            screen.gap(&format!("terraform apply {word}"));
            return Next::Exit(1);
        }
        let detail = format!("To specify a working directory for the {command}, use the global -chdir flag.");
        screen.diagnostics(vec![Diagnostic::sourceless("Too many command line arguments", detail)]);
        screen.err(format!("\nFor more help on using this command, run:\n  terraform {command} -help\n"));
        return Next::Exit(1);
    }
    let mode = match (verb, arguments.has("destroy"), arguments.has("refresh-only")) {
        (Verb::Destroy, ..) | (_, true, _) => PlanMode::Destroy,
        (Verb::Refresh, ..) | (_, _, true) => PlanMode::RefreshOnly,
        _ => PlanMode::Normal,
    };
    let refresh = arguments.get("refresh") != Some("false");
    let mut options = Options { mode, refresh, ..Options::default() };
    if let Some(count) = arguments.get("parallelism").and_then(|text| text.parse().ok()) {
        options.parallelism = count;
    }
    let mut found = Vec::new();
    for (flag, text) in &arguments.flags {
        match flag.as_str() {
            "target" => match parse_target(text) {
                Some(target) => options.targets.push(target),
                None => found.push(bad_address(text, "target")),
            },
            "replace" => match parse_target(text) {
                Some(Target::Instance(address)) => options.replace.push(address),
                Some(Target::Resource(resource)) => options.replace.push(resource.instance(None)),
                _ => found.push(bad_address(text, "replace")),
            },
            _ => {}
        }
    }
    if has_errors(&found) {
        screen.diagnostics(found);
        screen.err(format!("\nFor more help on using this command, run:\n  terraform {command} -help\n"));
        return Next::Exit(1);
    }
    let Some(loaded) = configuration(screen, sys) else { return Next::Exit(1) };
    let state = match read_state(arguments.get("state").unwrap_or(STATE), sys, providers) {
        Ok(state) => state,
        Err(error) => {
            screen.diagnostics(vec![*error]);
            return Next::Exit(1);
        }
    };
    if loaded.empty && options.mode == PlanMode::Normal {
        let detail = match verb {
            Verb::Plan => {
                "Plan requires configuration to be present. Planning without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run plan with the -destroy option. Otherwise, create a Terraform configuration file (.tf file) and try again."
            }
            _ => {
                "Apply requires configuration to be present. Applying without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run 'terraform destroy' instead."
            }
        };
        screen.diagnostics(vec![Diagnostic::sourceless("No configuration files", detail)]);
        return Next::Exit(1);
    }
    if let Some(error) = uninitialised(&loaded, sys) {
        screen.diagnostics(vec![error]);
        return Next::Exit(1);
    }
    if sys.files.exists(sys.cwd, LOCK) && arguments.get("lock") != Some("false") {
        let detail = "Error message: resource temporarily unavailable\n\nTerraform acquires a state lock to protect the state from being written by multiple users at the same time. Please resolve the issue above and try again. For most commands, you can disable locking with the \"-lock=false\" flag, but this is not recommended.".to_string();
        screen.diagnostics(vec![Diagnostic::sourceless("Error acquiring the state lock", detail)]);
        return Next::Exit(1);
    }
    let given = settings::gather(arguments, &loaded.root, sys);
    screen.texts.extend(given.texts.clone());
    let left = settings::missing(&given, &loaded.root);
    let saved = state.clone();
    Next::Run(Box::new(Operation {
        verb,
        arguments: arguments.clone(),
        config: Arc::new(loaded),
        providers: providers.clone(),
        given,
        options,
        state,
        stage: Stage::Variables { left, asked: false },
        walk: None,
        saved,
        interrupted: false,
        backed_up: false,
    }))
}

fn bad_address(text: &str, what: &str) -> Diagnostic {
    let detail = if text.ends_with('.') {
        "Dot must be followed by attribute name."
    } else {
        "Resource specification must include a resource type and name."
    };
    Diagnostic::sourceless(format!("Invalid {what} \"{text}\""), detail)
}

/// `module.a`, `t.n`, `data.t.n["k"]`, `module.a[0].t.n`.
pub fn parse_target(text: &str) -> Option<Target> {
    let mut module = String::new();
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix("module.") {
        let end = inner.find(['.', '[']).unwrap_or(inner.len());
        let (_, tail) = parse_key(inner.get(end..)?)?;
        let used = rest.len() - tail.len();
        if !module.is_empty() {
            module.push('.');
        }
        module.push_str(rest.get(..used)?);
        if tail.is_empty() {
            return Some(Target::Module(parse_module(&module)?));
        }
        rest = tail.strip_prefix('.')?;
    }
    let (mode, rest) = match rest.strip_prefix("data.") {
        Some(rest) => (Mode::Data, rest),
        None => (Mode::Managed, rest),
    };
    let (kind, rest) = rest.split_once('.')?;
    let end = rest.find('[').unwrap_or(rest.len());
    let (name, tail) = rest.split_at(end);
    let (key, left) = parse_key(tail)?;
    if !left.is_empty() || name.is_empty() || kind.is_empty() || name.contains('.') {
        return None;
    }
    let resource = ResourceAddress { module: parse_module(&module)?, mode, kind: kind.into(), name: name.into() };
    Some(match key {
        Some(key) => Target::Instance(InstanceAddress { resource, key: Some(key) }),
        None => Target::Resource(resource),
    })
}

impl Operation {
    pub fn interrupt(&mut self, screen: &mut Screen) {
        if matches!(self.stage, Stage::Walk | Stage::Apply) && !self.interrupted {
            screen.out("\nInterrupt received.\nPlease wait for Terraform to exit or data loss may occur.\nGracefully shutting down...\n\n");
            if let Some(walk) = &mut self.walk {
                walk.stopping = true;
            }
        }
        self.interrupted = true;
    }

    /// Goes on; the exit code, or what to wait for.
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        let code = self.go_on(screen, sys);
        if code.is_ok() {
            let _ = sys.files.remove(&sys.cwd.clone(), LOCK);
        }
        code
    }

    fn go_on(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        loop {
            match self.stage.clone() {
                Stage::Variables { .. } if self.interrupted => return Ok(1),
                Stage::Variables { left, asked } => {
                    if let Some(code) = self.ask_variable(left, asked, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Walk => {
                    let walk = self.walk.as_mut().ok_or_else(Vec::new)?;
                    let progress = walk.advance(sys);
                    for event in std::mem::take(&mut walk.events) {
                        screen.event(&event);
                    }
                    if let Progress::Wait(waits) = progress {
                        return Err(waits);
                    }
                    if let Some(code) = self.planned(screen, sys) {
                        return Ok(code);
                    }
                }
                Stage::Approval { .. } if self.interrupted => {
                    screen.out("\n");
                    screen.diagnostics(vec![Diagnostic::sourceless("error asking for approval: interrupted", "")]);
                    return Ok(1);
                }
                Stage::Approval { asked } => {
                    if let Some(code) = self.approve(asked, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Apply => {
                    let walk = self.walk.as_mut().ok_or_else(Vec::new)?;
                    let progress = walk.advance(sys);
                    for event in std::mem::take(&mut walk.events) {
                        screen.event(&event);
                    }
                    self.save(sys);
                    if let Progress::Wait(waits) = progress {
                        return Err(waits);
                    }
                    return Ok(self.applied(screen, sys));
                }
            }
        }
    }

    fn ask_variable(
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
            let mut found = check(self.config.clone(), &self.providers, sys);
            if has_errors(&found) {
                found.extend(std::mem::take(&mut self.given.diagnostics));
                screen.diagnostics(found);
                return Ok(Some(1));
            }
            let mut walk = Walk::new(
                Phase::Plan,
                self.config.clone(),
                self.providers.clone(),
                self.state.clone(),
                self.options.clone(),
            );
            walk.diagnostics = std::mem::take(&mut self.given.diagnostics);
            self.walk = Some(walk);
            self.stage = Stage::Walk;
            let _ = sys.files.write(sys.now, &sys.cwd.clone(), LOCK, b"{}");
            return Ok(None);
        };
        let Some(variable) = root.variables.get(&name) else { return Ok(Some(1)) };
        if self.arguments.get("input") == Some("false") {
            let mut found: Vec<Diagnostic> =
                left.iter().filter_map(|name| root.variables.get(name)).map(settings::not_given).collect();
            found.extend(std::mem::take(&mut self.given.diagnostics));
            screen.diagnostics(found);
            return Ok(Some(1));
        }
        if !asked {
            let title = screen.paint.tags("[bold]%[reset]", &[&format!("var.{name}")]);
            let description = variable.description.as_ref().map(|text| format!("  {text}\n\n")).unwrap_or_default();
            let prompt = screen.paint.tags("  [bold]Enter a value:[reset]", &[]);
            screen.out(format!("{title}\n{description}{prompt} "));
            self.stage = Stage::Variables { left, asked: true };
            return Ok(None);
        }
        match read_line(sys)? {
            Some(text) => {
                screen.out("\n");
                let (value, found) = settings::from_text(variable, &text, "input");
                self.given.diagnostics.extend(found);
                self.given.values.insert(name, (value, None, Some(settings::From::Typed)));
                self.stage = Stage::Variables { left: left.get(1..).unwrap_or_default().to_vec(), asked: false };
                Ok(None)
            }
            None => {
                screen.out("\n");
                screen.diagnostics(vec![Diagnostic::sourceless("No value for required variable", format!("The root module input variable \"{name}\" is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable."))]);
                Ok(Some(1))
            }
        }
    }

    fn warnings(&self, applied: bool) -> Vec<Diagnostic> {
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

    /// After the planning walk.
    fn planned(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Option<i32> {
        let walk = self.walk.as_mut()?;
        if let Some(names) = walk.graph.cycle() {
            screen.diagnostics(vec![Diagnostic::sourceless(format!("Cycle: {}", names.join(", ")), "")]);
            return Some(1);
        }
        let mut diagnostics = std::mem::take(&mut walk.diagnostics);
        let failed = walk.plan.errored;
        if self.verb != Verb::Plan {
            diagnostics.retain(|each| each.summary != "Check block assertion known after apply");
        }
        if self.verb == Verb::Refresh {
            screen.diagnostics(diagnostics);
            if failed {
                return Some(1);
            }
            self.refreshed(screen, sys);
            return Some(0);
        }
        screen.out(render::plan(&walk.plan, screen.paint));
        let has_changes =
            walk.plan.has_changes() || walk.plan.mode == PlanMode::RefreshOnly && !walk.plan.drift.is_empty();
        diagnostics.extend(self.warnings(false));
        if failed {
            screen.diagnostics(diagnostics);
            return Some(1);
        }
        screen.diagnostics(diagnostics);
        if self.verb == Verb::Plan {
            if has_changes {
                screen.out(render::note(screen.paint));
            }
            let detailed = self.arguments.has("detailed-exitcode");
            return Some(if detailed && has_changes { 2 } else { 0 });
        }
        if has_changes && !self.arguments.has("auto-approve") {
            self.stage = Stage::Approval { asked: false };
            return None;
        }
        self.begin_apply();
        None
    }

    fn begin_apply(&mut self) {
        if let Some(plan) = self.walk.take() {
            self.walk = Some(Walk::apply(plan));
        }
        self.stage = Stage::Apply;
    }

    fn approve(&mut self, asked: bool, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<Option<i32>, Vec<Wait>> {
        let mode = self.options.mode;
        if !asked {
            let (question, lines) = match mode {
                PlanMode::Destroy => (
                    "Do you really want to destroy all resources?",
                    [
                        "Terraform will destroy all your managed infrastructure, as shown above.",
                        "There is no undo. Only 'yes' will be accepted to confirm.",
                    ],
                ),
                PlanMode::RefreshOnly => (
                    "Would you like to update the Terraform state to reflect these detected changes?",
                    [
                        "Terraform will write these changes to the state without modifying any real infrastructure.",
                        "There is no undo. Only 'yes' will be accepted to confirm.",
                    ],
                ),
                PlanMode::Normal => (
                    "Do you want to perform these actions?",
                    ["Terraform will perform the actions described above.", "Only 'yes' will be accepted to approve."],
                ),
            };
            let title = screen.paint.tags("[bold]%[reset]", &[question]);
            let prompt = screen.paint.tags("  [bold]Enter a value:[reset]", &[]);
            let [a, b] = lines;
            screen.out(format!("\n{title}\n  {a}\n  {b}\n\n{prompt} "));
            self.stage = Stage::Approval { asked: true };
            return Ok(None);
        }
        if self.arguments.get("input") == Some("false") {
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
                screen.out("\n");
                screen.diagnostics(vec![Diagnostic::sourceless("error asking for approval: EOF", "")]);
                Ok(Some(1))
            }
        }
    }

    /// Writes the state when it says something new.
    fn save(&mut self, sys: &mut Sys<'_>) {
        let Some(walk) = &mut self.walk else { return };
        if walk.state.same(&self.saved) {
            return;
        }
        let path = self.arguments.get("state").unwrap_or(STATE).to_string();
        if !self.backed_up {
            self.backed_up = true;
            if let Ok(old) = sys.files.read(sys.cwd, &path) {
                let _ = sys.files.write(sys.now, &sys.cwd.clone(), &format!("{path}.backup"), &old);
            }
        }
        let mut saved = self.saved.clone();
        saved.serial += std::mem::take(&mut walk.snapshots).saturating_sub(1);
        write_state(&path, &mut walk.state, &saved, sys, &self.providers);
        self.saved = walk.state.clone();
    }

    fn refreshed(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) {
        self.conclude_outputs();
        self.save(sys);
        self.print_outputs(screen);
    }

    /// The refreshed outputs become the state's.
    fn conclude_outputs(&mut self) {
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

    fn print_outputs(&self, screen: &mut Screen) {
        let Some(walk) = &self.walk else { return };
        if walk.state.outputs.is_empty() {
            return;
        }
        let title = screen.paint.tags("[reset][bold][green]\nOutputs:\n\n", &[]);
        let outputs = walk.state.outputs.iter().map(|(name, output)| (name.as_str(), &output.value, output.sensitive));
        screen.out(format!("{title}{}", render::outputs(outputs)));
    }

    fn applied(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> i32 {
        let Some(walk) = &mut self.walk else { return 1 };
        let mut diagnostics = std::mem::take(&mut walk.diagnostics);
        let failed = has_errors(&diagnostics);
        let (added, changed, destroyed, imported) = (walk.added, walk.changed, walk.destroyed, walk.imported);
        let stopped = walk.stopping;
        self.save(sys);
        diagnostics.extend(self.warnings(true));
        if stopped {
            screen.out("Stopping operation...\n");
            let halted = || Diagnostic::sourceless("execution halted", "");
            diagnostics.extend([halted(), halted()]);
        }
        screen.diagnostics(diagnostics);
        if failed || stopped {
            return 1;
        }
        let text = if self.verb == Verb::Destroy {
            format!("[reset][bold][green]\nDestroy complete! Resources: {destroyed} destroyed.")
        } else {
            let imported = if imported > 0 { format!("{imported} imported, ") } else { String::new() };
            format!(
                "[reset][bold][green]\nApply complete! Resources: {imported}{added} added, {changed} changed, {destroyed} destroyed."
            )
        };
        let line = screen.paint.tags(&text, &[]);
        screen.out(line + "\n");
        if self.verb != Verb::Destroy {
            self.print_outputs(screen);
        }
        0
    }
}
