//! `terraform state` and its commands, and `taint` and `untaint`.

use super::arguments::Arguments;
use super::backend::{self, Store, Unread};
use super::configuration::{configuration, of_older};
use super::{Screen, State as Next, read_line, target};
use crate::base::goquote;
use crate::process::{Read, Sys, Wait};
use crate::terraform::address::{InstanceAddress, Mode, ModulePath, ResourceAddress};
use crate::terraform::core::{Target, static_name};
use crate::terraform::hcl::Diagnostic;
use crate::terraform::provider::Providers;
use crate::terraform::render::{self, log};
use crate::terraform::state::State;

const NO_STATE: &str = "No state file was found!\n\nState management commands require a state file. Run this command\nin a directory where Terraform has been run or use the -state flag\nto point the command to a specific state location.";
const NO_INSTANCE: &str = "No instance found for the given address!\n\nThis command requires that the address references one specific instance.\nTo view the available instances, use \"terraform state list\". Please modify\nthe address to reference a specific instance.";
const TARGET: &str = "Invalid target address";

pub fn run(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let verb = arguments.command.split_once(' ').map_or("", |(_, verb)| verb);
    let sound = match verb {
        "list" => true,
        "show" => configuration(screen, sys).is_some(),
        _ => of_older(screen, sys).is_some(),
    };
    if !sound {
        return Next::Exit(1);
    }
    let mut store = Store::of(arguments, sys);
    if arguments.get("backup").is_none() {
        store.backup = format!("{}.{}.backup", store.path, sys.now.as_seconds());
    }
    let unread = match verb {
        // What is to be written is looked at first.
        "push" => None,
        "list" => Some(Unread::Words("Failed to load state")),
        "show" => Some(Unread::Boxes),
        "pull" => Some(Unread::Words("Failed to refresh state")),
        _ if arguments.get("lock") == Some("false") => Some(Unread::Words("Failed to refresh state")),
        _ => Some(Unread::Lock),
    };
    let state = match unread {
        None => State::default(),
        Some(unread) => match store.load(unread, screen, sys, providers) {
            Some(state) => state,
            None => return Next::Exit(1),
        },
    };
    let exists = store.exists(sys);
    match verb {
        "list" | "mv" | "rm" | "replace-provider" if !exists => {
            screen.ui_error(NO_STATE);
            Next::Exit(1)
        }
        "list" => list(arguments, &state, screen),
        "show" => show(arguments, &state, exists, screen, providers),
        "rm" => remove(arguments, state, &mut store, screen, sys, providers),
        "mv" => rename(arguments, state, &mut store, screen, sys, providers),
        "pull" => {
            // Written anew, in the form this version writes.
            if exists {
                screen.out(state.to_json(super::VERSION, &|mode, kind| providers.type_of(mode, kind)));
            }
            Next::Exit(0)
        }
        "push" => push(arguments, &mut store, screen, sys, providers),
        "replace-provider" => replace_provider(arguments, state, &mut store, screen, sys, providers),
        other => {
            screen.gap(&format!("terraform state {other}"));
            Next::Exit(1)
        }
    }
}

/// The instances an address names; an address that names none is told.
fn matching(text: &str, state: &State) -> Result<Vec<InstanceAddress>, Box<Diagnostic>> {
    let target = target::parse("", text)?;
    let mut found: Vec<InstanceAddress> =
        state.objects().into_iter().map(|(address, ..)| address).filter(|address| target.covers(address)).collect();
    found.dedup();
    if !found.is_empty() {
        return Ok(found);
    }
    let shown = shown(&target);
    Err(Box::new(match target {
        Target::Module(_) => Diagnostic::sourceless(
            "Unknown module",
            format!(
                "The current state contains no module at {shown}. If you've just added this module to the configuration, you must run \"terraform apply\" first to create the module's entry in the state."
            ),
        ),
        Target::Resource(_) => Diagnostic::sourceless(
            "Unknown resource",
            format!(
                "The current state contains no resource {shown}. If you've just added this resource to the configuration, you must run \"terraform apply\" first to create the resource's entry in the state."
            ),
        ),
        Target::Instance(_) => Diagnostic::sourceless(
            "Unknown resource instance",
            format!(
                "The current state contains no resource instance {shown}. If you've just added its resource to the configuration or have changed the count or for_each arguments, you must run \"terraform apply\" first to update the resource's entry in the state."
            ),
        ),
    }))
}

fn shown(target: &Target) -> String {
    match target {
        Target::Module(path) => path.to_string(),
        Target::Resource(resource) => resource.to_string(),
        Target::Instance(instance) => instance.to_string(),
    }
}

fn list(arguments: &Arguments, state: &State, screen: &mut Screen) -> Next {
    let mut addresses = Vec::new();
    let mut wrong = Vec::new();
    if arguments.words.is_empty() {
        addresses.extend(state.objects().into_iter().map(|(address, ..)| address));
    }
    for text in &arguments.words {
        match matching(text, state) {
            Ok(found) => addresses.extend(found),
            Err(error) => wrong.push(*error),
        }
    }
    if !wrong.is_empty() {
        screen.ui_diagnostics(wrong);
        return Next::Exit(1);
    }
    addresses.sort();
    addresses.dedup();
    let id = arguments.get("id").unwrap_or_default();
    for address in addresses {
        let own = state.get(&address).and_then(|object| object.value.get("id")).and_then(|id| id.as_str());
        if id.is_empty() || own == Some(id) {
            screen.out(format!("{address}\n"));
        }
    }
    Next::Exit(0)
}

fn show(arguments: &Arguments, state: &State, exists: bool, screen: &mut Screen, providers: &Providers) -> Next {
    let refuse = |screen: &mut Screen, text: &str| {
        let error = Diagnostic::sourceless(text, "");
        if arguments.has("json") {
            screen.out(log::no_object(&error));
        } else {
            screen.diagnostics(vec![error]);
        }
        Next::Exit(1)
    };
    let text = arguments.words.first().map(String::as_str).unwrap_or_default();
    let address = match target::instance("", text) {
        Ok(address) => address,
        Err(_) => {
            return refuse(
                screen,
                &format!(
                    "Error parsing instance address: {text}\n\nThis command requires that the address references one specific instance.\nTo view the available instances, use \"terraform state list\". Please modify\nthe address to reference a specific instance."
                ),
            );
        }
    };
    if !exists {
        return refuse(screen, NO_STATE);
    }
    let Some(object) = state.get(&address) else { return refuse(screen, NO_INSTANCE) };
    if let Some(reason) = super::inspect::beyond(state, providers) {
        return refuse(screen, &reason);
    }
    if arguments.has("json") {
        let provider = state.resources.get(&address.resource).map(|of| of.provider.clone()).unwrap_or_default();
        screen.out(log::object(&address, object, &provider, providers));
        return Next::Exit(0);
    }
    if let Some(schema) = providers.schema(address.resource.mode, &address.resource.kind) {
        let note = if object.tainted { " (tainted)" } else { "" };
        screen.out(render::instance(&address, note, &object.value, &schema, screen.paint));
    }
    Next::Exit(0)
}

fn save(store: &mut Store, mut state: State, saved: &State, sys: &mut Sys<'_>, providers: &Providers) {
    store.write(&mut state, saved, 0, sys, providers);
}

fn remove(
    arguments: &Arguments,
    mut state: State,
    store: &mut Store,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let mut gone = Vec::new();
    let mut wrong = Vec::new();
    for text in &arguments.words {
        match target::parse("", text) {
            Ok(_) => gone.extend(matching(text, &state).unwrap_or_default()),
            Err(error) => wrong.push(*error),
        }
    }
    if !wrong.is_empty() {
        screen.ui_diagnostics(wrong);
        return Next::Exit(1);
    }
    if gone.is_empty() {
        if arguments.has("dry-run") {
            screen.out("Would have removed nothing.\n");
            return Next::Exit(0);
        }
        let detail = "No matching objects found. To view the available instances, use \"terraform state list\". Please modify the address to reference a specific instance.";
        screen.ui_diagnostics(vec![Diagnostic::sourceless(TARGET, detail)]);
        return Next::Exit(1);
    }
    let saved = state.clone();
    let dry = arguments.has("dry-run");
    for address in &gone {
        if let Some(resource) = state.resources.get_mut(&address.resource) {
            resource.instances.remove(&address.key);
            if resource.instances.is_empty() {
                state.resources.remove(&address.resource);
            }
        }
        screen.out(format!("{} {address}\n", if dry { "Would remove" } else { "Removed" }));
    }
    if dry {
        return Next::Exit(0);
    }
    save(store, state, &saved, sys, providers);
    screen.out(format!("Successfully removed {} resource instance(s).\n", gone.len()));
    Next::Exit(0)
}

fn rename(
    arguments: &Arguments,
    mut state: State,
    store: &mut Store,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let [from, to] = arguments.words.as_slice() else { return Next::Exit(1) };
    let (source, target) = match (target::parse("", from), target::parse("", to)) {
        (Ok(source), Ok(target)) => (source, target),
        (source, target) => {
            let wrong = source.err().into_iter().chain(target.err()).map(|error| *error).collect();
            screen.ui_diagnostics(wrong);
            return Next::Exit(1);
        }
    };
    let refuse = |screen: &mut Screen, summary: &str, detail: String| {
        screen.ui_diagnostics(vec![Diagnostic::sourceless(summary, detail)]);
        Next::Exit(1)
    };
    const SOURCE: &str = "Invalid source address";
    let (from_text, to_text) = (shown(&source), shown(&target));
    let source = whole(source, &state);
    let no_module = matches!(&source, Target::Module(path) if modules_under(&state, path).is_empty());
    let instance = matches!(&source, Target::Instance(_));
    if no_module || !instance && matching(from, &state).is_err() {
        return refuse(
            screen,
            SOURCE,
            format!("Cannot move {from_text}: does not match anything in the current state."),
        );
    }
    let saved = state.clone();
    let dry = arguments.has("dry-run");
    let said = |screen: &mut Screen, from: &str, to: &str| {
        screen.out(format!(
            "{} {} to {}\n",
            if dry { "Would move" } else { "Move" },
            goquote::quote(from),
            goquote::quote(to)
        ));
    };
    let mut moved = 0;
    match (&source, &target) {
        (Target::Module(old), Target::Module(new)) => {
            let paths: Vec<ModulePath> = modules_under(&state, old);
            for path in paths {
                let mut to = new.clone();
                to.0.extend(path.0.iter().skip(old.0.len()).cloned());
                if state.resources.keys().any(|resource| resource.module == to) {
                    screen.ui_error("Error moving state: destination module already exists\n\nPlease ensure your addresses and state paths are valid. No\nstate was persisted. Your existing states are untouched.");
                    return Next::Exit(1);
                }
                said(screen, &path.to_string(), &to.to_string());
                moved += 1;
                let keys: Vec<ResourceAddress> =
                    state.resources.keys().filter(|resource| resource.module == path).cloned().collect();
                for key in keys {
                    if let Some(resource) = state.resources.remove(&key) {
                        state.resources.insert(ResourceAddress { module: to.clone(), ..key }, resource);
                    }
                }
            }
        }
        (Target::Module(_), _) => {
            let detail = format!("Cannot move {from_text} to {to_text}: the target must also be a module.");
            return refuse(screen, TARGET, detail);
        }
        (Target::Resource(old), Target::Resource(new)) => {
            let taken = state.resources.contains_key(new).then(|| format!("{to_text}: there is already a resource"));
            if !may_move(old, new, taken, screen) {
                return Next::Exit(1);
            }
            said(screen, &from_text, &to_text);
            moved += 1;
            if let Some(resource) = state.resources.remove(old) {
                state.resources.insert(new.clone(), resource);
            }
        }
        (Target::Resource(_), _) => {
            let detail = format!(
                "Cannot move {from_text} to {to_text}: the source is a whole resource (not a resource instance) so the target must also be a whole resource."
            );
            return refuse(screen, TARGET, detail);
        }
        (Target::Instance(old), target) => {
            let new = match target {
                Target::Instance(new) => new.clone(),
                Target::Resource(new) => new.instance(None),
                Target::Module(_) => {
                    let detail =
                        format!("Cannot move {from_text} to {to_text}: the target must also be a resource instance.");
                    return refuse(screen, TARGET, detail);
                }
            };
            let taken = state.get(&new).map(|_| format!("{new}: there is already a resource instance"));
            let moves = may_move(&old.resource, &new.resource, taken, screen);
            let known = state.resources.get(&old.resource).is_some_and(|of| of.instances.contains_key(&old.key));
            if !known {
                return refuse(screen, SOURCE, format!("The current state does not contain {old}."));
            }
            if !moves {
                return Next::Exit(1);
            }
            said(screen, &old.to_string(), to);
            moved += 1;
            let of = state.resources.get(&old.resource).cloned().unwrap_or_default();
            if let Some(instance) = of.instances.get(&old.key).cloned() {
                for (deposed, object) in &instance.deposed {
                    state.set(old, Some(deposed), None, &of);
                    state.set(&new, Some(deposed), Some(object.clone()), &of);
                }
                state.set(old, None, None, &of);
                state.set(&new, None, instance.current, &of);
            }
        }
    }
    // What depended on it is to be found anew.
    let old: Vec<String> = match &source {
        Target::Module(path) => vec![format!("module.{}", path.0.first().map_or("", |step| step.name.as_str()))],
        Target::Resource(resource) => vec![static_name(resource)],
        Target::Instance(instance) => vec![static_name(&instance.resource)],
    };
    for resource in state.resources.values_mut() {
        for object in resource.instances.values_mut().filter_map(|instance| instance.current.as_mut()) {
            let touched = |name: &String| old.iter().any(|old| name == old || name.starts_with(&format!("{old}.")));
            if object.dependencies.iter().any(touched) {
                object.dependencies.clear();
            }
        }
    }
    if dry {
        return Next::Exit(0);
    }
    save(store, state, &saved, sys, providers);
    screen.out(if moved == 0 {
        "No matching objects found.\n".to_string()
    } else {
        format!("Successfully moved {moved} object(s).\n")
    });
    Next::Exit(0)
}

/// A resource without count or for_each, named whole, is its only instance.
fn whole(target: Target, state: &State) -> Target {
    match target {
        Target::Resource(resource) => {
            let instance = resource.instance(None);
            let single = state.resources.get(&resource).is_some_and(|found| found.instances.contains_key(&None));
            if single { Target::Instance(instance) } else { Target::Resource(resource) }
        }
        other => other,
    }
}

fn modules_under(state: &State, path: &ModulePath) -> Vec<ModulePath> {
    let mut found: Vec<ModulePath> = state
        .resources
        .keys()
        .map(|resource| resource.module.clone())
        .filter(|module| module.0.starts_with(&path.0))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Whether what stands at the old address may stand at the new one, which is free; if not, that is told.
fn may_move(old: &ResourceAddress, new: &ResourceAddress, taken: Option<String>, screen: &mut Screen) -> bool {
    let mut wrong = kinds(old, new);
    wrong.extend(taken.map(|taken| {
        Diagnostic::sourceless(TARGET, format!("Cannot move to {taken} at that address in the current state."))
    }));
    if wrong.is_empty() {
        return true;
    }
    screen.ui_diagnostics(wrong);
    false
}

fn kinds(old: &ResourceAddress, new: &ResourceAddress) -> Vec<Diagnostic> {
    const SUMMARY: &str = "Invalid state move request";
    let mut found = Vec::new();
    let told = |detail: String| Diagnostic::sourceless(SUMMARY, detail);
    if old.mode != new.mode {
        let kind = if old.mode == Mode::Data { "data" } else { "managed" };
        found.push(told(format!(
            "Cannot move {old} to {new}: a {kind} resource can be moved only to another {kind} resource address."
        )));
    }
    if old.kind != new.kind {
        found.push(told(format!("Cannot move {old} to {new}: resource types don't match.")));
    }
    found
}

fn push(
    arguments: &Arguments,
    store: &mut Store,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let path = arguments.words.first().map(String::as_str).unwrap_or_default();
    if path == "-" {
        return Next::Answer(Box::new(Answer {
            arguments: arguments.clone(),
            store: store.clone(),
            text: Vec::new(),
            change: None,
        }));
    }
    let Ok(text) = sys.files.read_text(sys.cwd, path) else {
        screen.ui_error(&format!("open {path}: no such file or directory"));
        return Next::Exit(1);
    };
    push_text(arguments, &text, store, screen, sys, providers)
}

fn push_text(
    arguments: &Arguments,
    text: &str,
    store: &mut Store,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let path = arguments.words.first().map(String::as_str).unwrap_or_default();
    if text.is_empty() && path == "-" {
        screen.ui_error("Error reading source state \"-\": no state");
        return Next::Exit(1);
    }
    let mut state = match backend::parse(text, providers) {
        Ok(state) => state,
        Err(found) => {
            let why = backend::joined(&found);
            screen.ui_error(&format!("Error reading source state {}: {why}", goquote::quote(path)));
            return Next::Exit(1);
        }
    };
    let words = Unread::Words("Failed to refresh destination state");
    let Some(old) = store.load(words, screen, sys, providers) else { return Next::Exit(1) };
    let old = &old;
    if !arguments.has("force") && !old.lineage.is_empty() {
        if state.lineage != old.lineage {
            screen.ui_error(&format!(
                "Failed to write state: cannot import state with lineage {} over unrelated state with lineage {}",
                goquote::quote(&state.lineage),
                goquote::quote(&old.lineage)
            ));
            return Next::Exit(1);
        }
        if state.serial < old.serial {
            screen.ui_error(&format!(
                "Failed to write state: cannot import state with serial {} over newer state with serial {}",
                state.serial, old.serial
            ));
            return Next::Exit(1);
        }
    }
    if state.same(old) && state.serial == old.serial {
        return Next::Exit(0);
    }
    let before = State { serial: state.serial.saturating_sub(1), ..State::default() };
    store.backup = format!("{}.backup", store.to);
    // It is one more than it says where it says something else than what is there.
    let more = u64::from(!old.lineage.is_empty() && !state.same(old));
    store.write(&mut state, &before, more, sys, providers);
    Next::Exit(0)
}

fn replace_provider(
    arguments: &Arguments,
    state: State,
    store: &mut Store,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Next {
    let [from, to] = arguments.words.as_slice() else { return Next::Exit(1) };
    let (from, to) = match (super::others::source(from), super::others::source(to)) {
        (Ok(from), Ok(to)) => (from, to),
        (one, other) => {
            let told = |which: &str, text: &str, result: Result<String, (&str, String)>| {
                let (summary, detail) = result.err()?;
                let title = format!("Invalid \"{which}\" provider \"{text}\"");
                Some(Diagnostic::sourceless(title, format!("{summary}: {detail}")))
            };
            let wrong = told("from", from, one).into_iter().chain(told("to", to, other)).collect();
            screen.ui_diagnostics(wrong);
            return Next::Exit(1);
        }
    };
    let matches: Vec<ResourceAddress> = state
        .resources
        .iter()
        .filter(|(_, resource)| resource.provider == from)
        .map(|(address, _)| address.clone())
        .collect();
    if matches.is_empty() {
        screen.out("No matching resources found.\n");
        return Next::Exit(0);
    }
    screen.out("Terraform will perform the following actions:\n\n");
    screen.ui_output("  [yellow]~[reset] Updating provider:", &[]);
    screen.ui_output("    [red]-[reset] %", &[&from]);
    screen.ui_output("    [green]+[reset] %\n", &[&to]);
    screen.ui_output("[bold]Changing[reset] % resources:\n", &[&matches.len().to_string()]);
    for address in &matches {
        screen.out(format!("  {address}\n"));
    }
    let change = Replacement { state, of: matches, to };
    if !arguments.has("auto-approve") {
        let question = "\n[bold]Do you want to make these changes?[reset]\nOnly 'yes' will be accepted to continue.\n";
        screen.ui_output(question, &[]);
        screen.out("Enter a value: ");
        let (arguments, store) = (arguments.clone(), store.clone());
        return Next::Answer(Box::new(Answer { arguments, store, text: Vec::new(), change: Some(change) }));
    }
    change.carry_out(store, screen, sys, providers)
}

/// A command that waits for its input: the state that `push -` writes, or the answer to whether providers change.
#[derive(Clone)]
pub struct Answer {
    arguments: Arguments,
    store: Store,
    text: Vec<u8>,
    change: Option<Replacement>,
}

/// Resources that get another provider.
#[derive(Clone)]
struct Replacement {
    state: State,
    of: Vec<ResourceAddress>,
    to: String,
}

impl Replacement {
    fn carry_out(mut self, store: &mut Store, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
        let saved = self.state.clone();
        for address in &self.of {
            if let Some(resource) = self.state.resources.get_mut(address) {
                resource.provider = self.to.as_str().into();
            }
        }
        save(store, self.state, &saved, sys, providers);
        screen.out(format!(
            "
Successfully replaced provider for {} resources.
",
            self.of.len()
        ));
        Next::Exit(0)
    }
}

impl Answer {
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Result<i32, Vec<Wait>> {
        let next = if self.arguments.command == "state push" {
            loop {
                match sys.read(1 << 16) {
                    Read::Data(bytes) => self.text.extend(bytes),
                    Read::Empty => return Err(vec![Wait::Input]),
                    Read::End => break,
                }
            }
            let text = String::from_utf8_lossy(&self.text).into_owned();
            push_text(&self.arguments, &text, &mut self.store, screen, sys, providers)
        } else {
            match read_line(sys)? {
                Some(answer) if answer == "yes" => {
                    let Some(change) = self.change.take() else { return Ok(1) };
                    change.carry_out(&mut self.store, screen, sys, providers)
                }
                Some(_) => {
                    screen.out("Cancelled replacing providers.\n");
                    Next::Exit(0)
                }
                None => {
                    screen.ui_error("Error asking for approval: EOF");
                    Next::Exit(1)
                }
            }
        };
        match next {
            Next::Exit(code) => Ok(code),
            _ => Ok(1),
        }
    }
}

pub fn taint(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let tainting = arguments.command == "taint";
    let text = arguments.words.first().map(String::as_str).unwrap_or_default();
    let address = match target::instance("", text) {
        Ok(address) => address,
        Err(error) => {
            screen.ui_diagnostics(vec![*error]);
            return Next::Exit(1);
        }
    };
    if address.resource.mode != Mode::Managed {
        screen.ui_error(&format!(
            "Resource instance {address} cannot be {}",
            if tainting { "tainted" } else { "untainted" }
        ));
        return Next::Exit(1);
    }
    if tainting && of_older(screen, sys).is_none() {
        return Next::Exit(1);
    }
    let mut store = Store::of(arguments, sys);
    let Some(mut state) = store.load(Unread::Lock, screen, sys, providers) else { return Next::Exit(1) };
    let saved = state.clone();
    let refuse = |screen: &mut Screen, summary: &str, detail: String| {
        screen.ui_diagnostics(vec![Diagnostic::sourceless(summary, detail)]);
        Next::Exit(1)
    };
    const MISSING: &str = "No such resource instance";
    let found = state.get(&address).cloned();
    let Some(mut object) = found else {
        if arguments.has("allow-missing") {
            screen.ui_diagnostics(vec![Diagnostic {
                severity: crate::terraform::hcl::Severity::Warning,
                ..Diagnostic::sourceless(
                    MISSING,
                    format!("Resource instance {address} was not found, but this is not an error because -allow-missing was set."),
                )
            }]);
            return Next::Exit(0);
        }
        if state.resources.is_empty() && state.outputs.is_empty() {
            return refuse(
                screen,
                MISSING,
                "The state currently contains no resource instances whatsoever. This may occur if the configuration has never been applied or if it has recently been destroyed.".into(),
            );
        }
        let what = if tainting { "tainted" } else { "untainted" };
        let detail = if tainting {
            format!(
                "There is no resource instance in the state with the address {address}. If the resource configuration has just been added, you must run \"terraform apply\" once to create the corresponding instance(s) before they can be {what}."
            )
        } else {
            format!(
                "There is no resource instance in the state with the address {address}. If the resource configuration has just been added, you must run \"terraform apply\" once to create the corresponding instance(s) before they can be tainted."
            )
        };
        return refuse(screen, MISSING, detail);
    };
    if !tainting && !object.tainted {
        let detail = format!("Resource instance {address} is not currently tainted, and so it cannot be untainted.");
        return refuse(screen, "Resource instance is not tainted", detail);
    }
    object.tainted = tainting;
    let of = state.resources.get(&address.resource).cloned().unwrap_or_default();
    state.set(&address, None, Some(object), &of);
    if !state.same(&saved) {
        store.write(&mut state, &saved, 0, sys, providers);
    }
    screen.out(if tainting {
        format!("Resource instance {address} has been marked as tainted.\n")
    } else {
        format!("Resource instance {address} has been successfully untainted.\n")
    });
    Next::Exit(0)
}
