//! What commands need before they begin: the configuration, providers as `terraform init` left them, a walk over both.

use std::sync::Arc;

use super::arguments::Arguments;
use super::backend::{self, Store, Unread};
use super::{Disk, Screen, settings};
use crate::base::{BTreeSet, SmolStr};
use crate::process::Sys;
use crate::terraform::config::{self, Loaded};
use crate::terraform::core::{Options, Phase, Walk};
use crate::terraform::hcl::{Diagnostic, has_errors};
use crate::terraform::plan::PlanMode;
use crate::terraform::provider::Providers;

/// A folder as ranges name what is in it: from the working folder on, where it lies there.
pub fn folder_of(path: &str, sys: &Sys<'_>) -> String {
    let full = crate::process::clean(sys.cwd, path);
    match full.strip_prefix(sys.cwd.as_str()) {
        Some("") => ".".into(),
        Some(below) if below.starts_with('/') => below.trim_start_matches('/').into(),
        _ if path.starts_with('/') => full,
        _ => path.trim_end_matches('/').into(),
    }
}

/// The configuration of the working folder; `None` after errors, which are printed.
pub fn configuration(screen: &mut Screen, sys: &Sys<'_>) -> Option<Loaded> {
    sound(".", screen, sys, Screen::diagnostics)
}

/// The same for the older commands.
pub fn of_older(screen: &mut Screen, sys: &Sys<'_>) -> Option<Loaded> {
    sound(".", screen, sys, Screen::ui_diagnostics)
}

fn sound(folder: &str, screen: &mut Screen, sys: &Sys<'_>, tell: fn(&mut Screen, Vec<Diagnostic>)) -> Option<Loaded> {
    let (loaded, found) = read(folder, screen, sys);
    if has_errors(&found) {
        tell(screen, found);
        return None;
    }
    Some(loaded)
}

/// Provisioners that the real program does not have either.
pub fn unknown_provisioners(root: &config::Module) -> BTreeSet<SmolStr> {
    let kinds = root.walk().into_iter().flat_map(|(_, module)| module.resources.values());
    let kinds = kinds.flat_map(|resource| &resource.provisioners).map(|each| each.kind.clone());
    kinds.filter(|kind| !["local-exec", "remote-exec", "file"].contains(&kind.as_str())).collect()
}

/// The configuration of a folder, and all that is wrong with its text.
pub fn read(folder: &str, screen: &mut Screen, sys: &Sys<'_>) -> (Loaded, Vec<Diagnostic>) {
    let loaded = config::load(&Disk { files: sys.files, cwd: sys.cwd }, folder);
    screen.texts.extend(loaded.texts.clone());
    let mut found = loaded.diagnostics.clone();
    found.extend(loaded.sources.iter().cloned());
    if !has_errors(&found) {
        found.extend(super::init::not_installed(&loaded, sys));
    }
    if !has_errors(&found) {
        found.extend(loaded.unread.iter().cloned());
    }
    if !has_errors(&found) {
        found.extend(loaded.unasked.iter().cloned());
    }
    (loaded, found)
}

/// The same for the older commands, which need what `terraform init` brings.
pub fn initialised(folder: &str, screen: &mut Screen, sys: &Sys<'_>) -> Option<Loaded> {
    let loaded = sound(folder, screen, sys, Screen::ui_diagnostics)?;
    if let Some(error) = uninitialised(&loaded, sys) {
        screen.ui_diagnostics(vec![error]);
        return None;
    }
    Some(loaded)
}

/// A walk that only looks, over the locked state: what console and import stand on. `None` after errors, which are
/// printed.
pub fn beside(
    loaded: Loaded,
    unread: Unread,
    arguments: &Arguments,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
    providers: &Providers,
) -> Option<(Walk, Store)> {
    let mut store = Store::of(arguments, sys);
    if arguments.command != "console"
        && arguments.get("lock") != Some("false")
        && let Err(error) = store.lock("OperationTypeInvalid", sys)
    {
        screen.ui_diagnostics(vec![*error]);
        return None;
    }
    let Some(state) = store.load(unread, screen, sys, providers) else {
        store.unlock(sys);
        return None;
    };
    let mut given = settings::gather(arguments, &loaded.root, sys);
    screen.texts.extend(given.texts.clone());
    let variables = settings::convert(&mut given, &loaded.root);
    if arguments.command == "import" {
        let missing = settings::missing(&given, &loaded.root);
        let missing = missing.iter().filter_map(|name| loaded.root.variables.get(name));
        given.diagnostics.extend(missing.map(settings::not_given));
        given.diagnostics.extend(std::mem::take(&mut given.unfit).into_values());
    }
    if has_errors(&given.diagnostics) {
        store.unlock(sys);
        screen.ui_diagnostics(given.diagnostics);
        return None;
    }
    let options = Options {
        mode: if arguments.has("plan") { PlanMode::Normal } else { PlanMode::RefreshOnly },
        refresh: arguments.has("plan"),
        variables,
        unfit: given.unfit,
        workspace: backend::workspace(sys).0.as_str().into(),
        ..Options::default()
    };
    Some((Walk::new(Phase::Plan, Arc::new(loaded), providers.clone(), state, options), store))
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
        let kind = unknown_provisioners(&config.root).into_iter().next()?;
        let detail = format!(
            "Error while loading schemas for plugin components: Failed to obtain provisioner schema: Could not load the schema for provisioner \"{kind}\": failed to instantiate provisioner \"{kind}\" to obtain schema: unavailable provisioner \"{kind}\".."
        );
        return Some(Diagnostic::sourceless("Failed to load plugin schemas", detail));
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
