//! validate, plan, apply, destroy, refresh, and the showing of saved plans: from the configuration to the last line.

use std::sync::Arc;

use super::arguments::Arguments;
use super::backend::{self, Store};
use super::plan_file::Saved;
use super::{Disk, Screen, State as Next, read_line, settings, target};
use crate::base::{SmolStr, Span, Time, goquote};
use crate::process::{Sys, Wait};
use crate::terraform::address::Mode;
use crate::terraform::config::{self, Loaded};
use crate::terraform::core::{Options, Phase, Progress, Walk};
use crate::terraform::hcl::{Diagnostic, Pages, Severity, has_errors};
use crate::terraform::plan::PlanMode;
use crate::terraform::provider::Providers;
use crate::terraform::render::{self, log};
use crate::terraform::state::State;

/// A lock that is not had by then is worth a line.
const LOCK_PATIENCE: Span = Span::millis(400);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Plan,
    Apply,
    Destroy,
    Refresh,
    /// `show FILE`
    Show,
}

#[derive(Clone)]
enum Stage {
    /// Waiting for the state's lock: tried so often, next then.
    Lock {
        tries: u32,
        next: Time,
        since: Time,
        told: bool,
    },
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
    store: Store,
    state: State,
    stage: Stage,
    walk: Option<Walk>,
    saved: State,
    /// What is shown when the apply is over.
    later: Vec<Diagnostic>,
    /// A destroy looks at everything first.
    looking: bool,
    /// The plan file that is carried out or shown.
    file: Option<Box<Saved>>,
    interrupts: u32,
}

/// The configuration of the working folder; `None` after errors, which are printed.
pub fn configuration(screen: &mut Screen, sys: &Sys<'_>) -> Option<Loaded> {
    let loaded = config::load(&Disk { files: sys.files, cwd: sys.cwd }, ".");
    screen.texts.extend(loaded.texts.clone());
    let mut found = loaded.diagnostics.clone();
    if !has_errors(&found) {
        found.extend(super::init::not_installed(&loaded, sys));
    }
    if has_errors(&found) {
        screen.diagnostics(found);
        return None;
    }
    Some(loaded)
}

/// What the root module needs that `terraform init` brings, and is not there.
pub fn uninitialised(config: &Loaded, sys: &Sys<'_>) -> Option<Diagnostic> {
    let needed = super::init::providers_needed(&config.root);
    let lock = sys.files.read_text(sys.cwd, super::init::LOCK_FILE).unwrap_or_default();
    let locked = super::init::locked(&lock);
    let wrong = |source: &SmolStr| {
        let constraints = super::init::constraints(&config.root, source);
        match locked.get(source) {
            None => Some(format!("  - provider {source}: required by this configuration but no version is selected")),
            Some(version) if !super::version::allows(&constraints, version) => Some(format!(
                "  - provider {source}: locked version selection {version} doesn't match the updated version constraints {constraints:?}"
            )),
            Some(_) => None,
        }
    };
    let lines: Vec<String> = needed.iter().filter_map(wrong).collect();
    if lines.is_empty() {
        return None;
    }
    let lines = lines.join("\n");
    let what = "The following dependency selections recorded in the lock file are inconsistent with the current configuration:";
    let detail = if locked.is_empty() {
        format!(
            "{what}\n{lines}\n\nTo make the initial dependency selections that will initialize the dependency lock file, run:\n  terraform init"
        )
    } else {
        format!(
            "{what}\n{lines}\n\nTo update the locked dependency selections to match a changed configuration, run:\n  terraform init -upgrade"
        )
    };
    Some(Diagnostic::sourceless("Inconsistent dependency lock file", detail))
}

pub fn validate(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let folder = arguments.words.first().map_or(".", String::as_str);
    if folder != "." {
        screen.gap("terraform validate of another folder");
        return Next::Exit(1);
    }
    let loaded = config::load(&Disk { files: sys.files, cwd: sys.cwd }, ".");
    screen.texts.extend(loaded.texts.clone());
    let mut found = loaded.diagnostics.clone();
    if !has_errors(&found) {
        found.extend(super::init::not_installed(&loaded, sys));
    }
    if !has_errors(&found) {
        found.extend(missing_providers(&loaded, sys));
    }
    if !has_errors(&found) {
        found.extend(check(Arc::new(loaded), providers, sys));
    }
    let failed = has_errors(&found);
    let warned = !found.is_empty();
    if arguments.has("json") {
        crate::terraform::hcl::report::sort(&mut found);
        screen.json = false;
        let text = log::validation(&found, &Pages::of(&screen.texts, &found));
        screen.out(text);
        return Next::Exit(i32::from(failed));
    }
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

/// Providers that are needed and not there; `plan` says it otherwise.
fn missing_providers(config: &Loaded, sys: &Sys<'_>) -> Vec<Diagnostic> {
    let installed = |source: &SmolStr| sys.files.exists(sys.cwd, &super::init::installed_at(source));
    super::init::providers_needed(&config.root)
        .iter()
        .filter(|source| !installed(source))
        .map(|source| {
            let detail = format!(
                "This configuration requires provider {source}, but that provider isn't available. You may be able to install it automatically by running:\n  terraform init"
            );
            Diagnostic::sourceless("Missing required provider", detail)
        })
        .collect()
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
    if arguments.number("parallelism").is_some_and(|count| count < 0) {
        let count = arguments.number("parallelism").unwrap_or_default();
        let detail = format!("The parallelism must be a positive value. Not {count}.");
        return fail(screen, Diagnostic::sourceless("Invalid parallelism value", detail));
    }
    if mode != PlanMode::Normal && !options.replace.is_empty() {
        let detail = "Forcing resource instance replacement (with -replace=...) is allowed only in normal planning mode.";
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
    let store = Store::of(arguments, sys);
    let given = settings::gather(arguments, &loaded.root, sys);
    screen.texts.extend(given.texts.clone());
    if has_errors(&given.early) {
        screen.diagnostics(given.early);
        return Next::Exit(1);
    }
    Next::Run(Box::new(Operation {
        verb,
        arguments: arguments.clone(),
        config: Arc::new(loaded),
        providers: providers.clone(),
        given,
        options: Options { workspace: backend::workspace(sys).0.as_str().into(), ..options },
        store,
        state: State::default(),
        stage: Stage::Lock { tries: 0, next: sys.now, since: sys.now, told: false },
        walk: None,
        saved: State::default(),
        later: Vec::new(),
        looking: false,
        file: None,
        interrupts: 0,
    }))
}

/// Reads what the flags ask of a plan.
fn options(arguments: &Arguments, verb: Verb) -> Result<Options, Vec<Diagnostic>> {
    let mode = match (verb, arguments.has("destroy"), arguments.has("refresh-only")) {
        (_, true, true) => {
            let detail = "The -destroy and -refresh-only options are mutually-exclusive.";
            return Err(vec![Diagnostic::sourceless("Incompatible plan mode options", detail)]);
        }
        (Verb::Destroy, ..) | (_, true, _) => PlanMode::Destroy,
        (Verb::Refresh, ..) | (_, _, true) => PlanMode::RefreshOnly,
        _ => PlanMode::Normal,
    };
    let refresh = arguments.get("refresh") != Some("false");
    if mode == PlanMode::RefreshOnly && !refresh {
        let detail = "It doesn't make sense to use -refresh-only at the same time as -refresh=false, because Terraform would have nothing to do.";
        return Err(vec![Diagnostic::sourceless("Incompatible refresh options", detail)]);
    }
    let mut options = Options { mode, refresh, ..Options::default() };
    if let Some(count) = arguments.number("parallelism").filter(|count| *count > 0) {
        options.parallelism = usize::try_from(count).unwrap_or(usize::MAX);
    }
    let mut found = Vec::new();
    for (flag, text) in &arguments.flags {
        match flag.as_str() {
            "target" => match target::parse("", text) {
                Ok(target) => options.targets.push(target),
                Err(error) => found.push(bad_address(text, "target", error)),
            },
            "replace" => match target::replaced(text) {
                Ok(address) => options.replace.push(address),
                Err(error) => found.push(bad_address(text, "force-replace address", error)),
            },
            _ => {}
        }
    }
    if found.is_empty() { Ok(options) } else { Err(found) }
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
        if has_errors(&given.diagnostics) {
            screen.diagnostics(given.diagnostics);
            return Next::Exit(1);
        }
    }
    let options = saved.options();
    Next::Run(Box::new(Operation {
        verb,
        arguments: arguments.clone(),
        config: Arc::new(loaded),
        providers: providers.clone(),
        given,
        options,
        store: Store::of(arguments, sys),
        state: State::default(),
        stage: Stage::Lock { tries: 0, next: sys.now, since: sys.now, told: false },
        walk: None,
        saved: State::default(),
        later: Vec::new(),
        looking: false,
        file: Some(Box::new(saved)),
        interrupts: 0,
    }))
}

fn bad_address(text: &str, what: &str, error: Box<Diagnostic>) -> Diagnostic {
    Diagnostic::sourceless(format!("Invalid {what} {}", goquote::quote(text)), error.detail)
}

impl Operation {
    /// Ctrl+C. The second one ends the command at once.
    pub fn interrupt(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Option<i32> {
        self.interrupts += 1;
        if !matches!(self.stage, Stage::Walk | Stage::Apply) {
            return None;
        }
        if self.interrupts > 1 {
            screen.tell(
                "\nTwo interrupts received. Exiting immediately. Note that data loss may have occurred.\n",
                sys.now,
            );
            let error = Diagnostic::sourceless("operation canceled", "");
            screen.diagnostics(vec![error]);
            self.save(sys);
            self.store.unlock(sys);
            return Some(1);
        }
        screen.tell(
            "\nInterrupt received.\nPlease wait for Terraform to exit or data loss may occur.\nGracefully shutting down...\n",
            sys.now,
        );
        screen.tell("Stopping operation...", sys.now);
        if let Some(walk) = &mut self.walk {
            walk.stopping = true;
        }
        None
    }

    /// Goes on; the exit code, or what to wait for.
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        let code = self.go_on(screen, sys);
        if code.is_ok() {
            self.store.unlock(sys);
        }
        code
    }

    fn go_on(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        loop {
            match self.stage.clone() {
                Stage::Lock { tries, next, since, told } => {
                    if let Some(code) = self.lock(tries, next, since, told, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Variables { .. } if self.interrupts > 0 => return Ok(1),
                Stage::Variables { left, asked } => {
                    if let Some(code) = self.ask_variable(left, asked, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Walk => {
                    let walk = self.walk.as_mut().ok_or_else(Vec::new)?;
                    let progress = walk.advance(sys);
                    let events = std::mem::take(&mut walk.events);
                    // A saved plan was told when it was made.
                    if self.file.is_none() {
                        events.iter().for_each(|event| screen.event(event));
                    }
                    if let Progress::Wait(waits) = progress {
                        return Err(waits);
                    }
                    if self.looking {
                        if let Some(code) = self.looked(screen) {
                            return Ok(code);
                        }
                        continue;
                    }
                    if let Some(code) = self.planned(screen, sys) {
                        return Ok(code);
                    }
                }
                Stage::Approval { .. } if self.interrupts > 0 => {
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

    /// Takes the lock and reads the state; `-lock-timeout` says how long to wait for it.
    fn lock(
        &mut self,
        tries: u32,
        next: Time,
        since: Time,
        told: bool,
        screen: &mut Screen,
        sys: &mut Sys<'_>,
    ) -> Result<Option<i32>, Vec<Wait>> {
        let timeout = self
            .arguments
            .get("lock-timeout")
            .and_then(|text| crate::base::duration::parse(text).ok())
            .unwrap_or_default();
        if self.verb != Verb::Show && self.arguments.get("lock") != Some("false") {
            let slow = since + LOCK_PATIENCE;
            if !told && tries > 0 && sys.now >= slow {
                screen.tell("Acquiring state lock. This may take a few moments...", sys.now);
                self.stage = Stage::Lock { tries, next, since, told: true };
                return Ok(None);
            }
            if sys.now < next.min(since + timeout) && tries > 0 {
                let until = if told { next.min(since + timeout) } else { slow.min(next).min(since + timeout) };
                return Err(vec![Wait::Until(until)]);
            }
            let operation = match self.verb {
                Verb::Plan => "OperationTypePlan",
                Verb::Refresh => "OperationTypeRefresh",
                _ => "OperationTypeApply",
            };
            if let Err(error) = self.store.lock(operation, sys) {
                if sys.now >= since + timeout {
                    screen.diagnostics(vec![*error]);
                    return Ok(Some(1));
                }
                let delay = Span::seconds(1_i64 << tries.min(4));
                self.stage = Stage::Lock { tries: tries + 1, next: sys.now + delay, since, told };
                return Ok(None);
            }
        }
        match self.store.read(sys, &self.providers) {
            Ok(state) => self.state = state,
            Err(found) => {
                let locks = self.verb != Verb::Show && self.arguments.get("lock") != Some("false");
                screen.diagnostics(if locks { vec![backend::not_locked(&backend::joined(&found))] } else { found });
                return Ok(Some(1));
            }
        }
        self.saved = self.state.clone();
        if let Some(file) = self.file.clone() {
            if self.verb != Verb::Show && !file.is_current(&self.state) {
                let detail = "The given plan file can no longer be applied because the state was changed by another operation after the plan was created.";
                screen.diagnostics(vec![Diagnostic::sourceless("Saved plan is stale", detail)]);
                return Ok(Some(1));
            }
            let state = match file.refreshed(&self.providers) {
                Ok(state) => state,
                Err(found) => {
                    screen.diagnostics(found);
                    return Ok(Some(1));
                }
            };
            let walk = Walk::new(Phase::Plan, self.config.clone(), self.providers.clone(), state, self.options.clone());
            self.walk = Some(walk);
            self.stage = Stage::Walk;
            return Ok(None);
        }
        let left = settings::missing(&self.given, &self.config.root);
        self.stage = Stage::Variables { left, asked: false };
        Ok(None)
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
                // Values that do not fit are the first thing planning finds.
                let unfit =
                    self.given.diagnostics.iter().any(|each| each.summary == "Invalid value for input variable");
                if unfit && self.verb == Verb::Plan && !screen.json {
                    screen.out(render::failed(screen.paint));
                }
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
            self.walk = Some(walk);
            self.stage = Stage::Walk;
            return Ok(None);
        };
        let Some(variable) = root.variables.get(&name) else { return Ok(Some(1)) };
        if self.arguments.get("input") == Some("false") || screen.json {
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
                let (value, found) = settings::from_text(variable, &text, "input");
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

    /// What a destroy found there is what it destroys; errors end it.
    fn looked(&mut self, screen: &mut Screen) -> Option<i32> {
        self.looking = false;
        let mut walk = self.walk.take()?;
        let cycle = walk.graph.cycle();
        if cycle.is_some() || walk.refused || has_errors(&walk.diagnostics) {
            let mut found = std::mem::take(&mut walk.diagnostics);
            if let Some(names) = cycle {
                found = vec![Diagnostic::sourceless(format!("Cycle: {}", names.join(", ")), "")];
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
    fn planned(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Option<i32> {
        let walk = self.walk.as_mut()?;
        if let Some(names) = walk.graph.cycle() {
            screen.diagnostics(vec![Diagnostic::sourceless(format!("Cycle: {}", names.join(", ")), "")]);
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
            screen.diagnostics(diagnostics);
            if failed {
                return Some(1);
            }
            self.refreshed(screen, sys);
            return Some(0);
        }
        let has_changes = walk.plan.is_applicable();
        if let Some(path) = self.arguments.get("out").filter(|path| !path.is_empty())
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
            if has_changes && !screen.json {
                screen.out(render::note(screen.paint, self.arguments.get("out")));
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

    fn begin_apply(&mut self) {
        if let Some(plan) = self.walk.take() {
            self.walk = Some(Walk::apply(plan));
        }
        self.stage = Stage::Apply;
    }

    fn approve(&mut self, asked: bool, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<Option<i32>, Vec<Wait>> {
        let mode = self.options.mode;
        let no_input = self.arguments.get("input") == Some("false");
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

    /// Writes the state when it says something new.
    fn save(&mut self, sys: &mut Sys<'_>) {
        let Some(walk) = &mut self.walk else { return };
        if walk.state.same(&self.saved) {
            return;
        }
        let more = std::mem::take(&mut walk.snapshots).saturating_sub(1);
        self.store.write(&mut walk.state, &self.saved, more, sys, &self.providers);
        self.saved = walk.state.clone();
    }

    /// A state file stands after the first apply, even where nothing was made.
    fn save_first(&mut self, sys: &mut Sys<'_>) {
        let Some(walk) = &mut self.walk else { return };
        if !self.store.exists(sys) && self.saved.lineage.is_empty() {
            self.store.write(&mut walk.state, &self.saved, 0, sys, &self.providers);
            self.saved = walk.state.clone();
        }
    }

    fn refreshed(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) {
        self.conclude_outputs();
        self.save(sys);
        self.save_first(sys);
        self.print_outputs(screen, sys.now);
    }

    /// Outputs of the configuration become the state's, where they are known.
    fn conclude_declared_outputs(&mut self) {
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

    fn print_outputs(&self, screen: &mut Screen, now: Time) {
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

    fn applied(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> i32 {
        let Some(walk) = &mut self.walk else { return 1 };
        let mut diagnostics = std::mem::take(&mut self.later);
        diagnostics.extend(std::mem::take(&mut walk.diagnostics));
        let failed = has_errors(&diagnostics);
        let (added, changed, destroyed, imported) = (walk.added, walk.changed, walk.destroyed, walk.imported);
        let stopped = walk.stopping;
        self.save(sys);
        self.save_first(sys);
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
            if let Some(path) = self.arguments.get("state-out").or(self.arguments.get("state"))
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
