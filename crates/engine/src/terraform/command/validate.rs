//! `terraform validate`: everything that can be said about a configuration without values.

use std::sync::Arc;

use super::arguments::Arguments;
use super::configuration::{folder_of, read};
use super::{Screen, State as Next};
use crate::base::SmolStr;
use crate::process::Sys;
use crate::terraform::config::Loaded;
use crate::terraform::core::{Options, Phase, Walk};
use crate::terraform::hcl::{Diagnostic, Pages, has_errors};
use crate::terraform::provider::Providers;
use crate::terraform::render::log;
use crate::terraform::state::State;

pub fn validate(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let path = arguments.words.first().map_or(".", String::as_str);
    let (loaded, mut found) = if sys.files.is_directory(sys.cwd, path) {
        read(&folder_of(path, sys), screen, sys)
    } else {
        let detail = format!("Module directory {path} does not exist or cannot be read.");
        (Loaded::default(), vec![Diagnostic::sourceless("Failed to read module directory", detail)])
    };
    if !has_errors(&found) {
        found.extend(super::settled::unknown(&loaded.root, "Unsupported backend type"));
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
    let line = screen.paint.wrap(&screen.paint.tags(&format!("{text}\n"), &[]));
    screen.out(line + "\n");
    Next::Exit(0)
}

/// Everything that can be said about a configuration without values.
pub fn check(loaded: Arc<Loaded>, providers: &Providers, sys: &mut Sys<'_>) -> Vec<Diagnostic> {
    let mut walk = Walk::new(Phase::Validate, loaded, providers.clone(), State::default(), Options::default());
    let cycles = walk.graph.cycles(false);
    if !cycles.is_empty() {
        return cycles;
    }
    let absent = walk.absent_providers();
    if !absent.is_empty() {
        return absent;
    }
    let _ = walk.advance(sys);
    walk.diagnostics
}

/// Providers that are needed and not there; `plan` says it otherwise.
fn missing_providers(config: &Loaded, sys: &Sys<'_>) -> Vec<Diagnostic> {
    let installed = |source: &SmolStr| sys.files.exists(sys.cwd, &super::init::installed_at(source, sys));
    let plugin = |kind: &SmolStr| {
        let detail = format!(
            "This configuration requires provisioner plugin \"{kind}\", which isn't available. If you're intending to use an external provisioner plugin, you must install it manually into one of the plugin search directories before running Terraform."
        );
        Diagnostic::sourceless("Missing required provisioner plugin", detail)
    };
    let plugins = super::configuration::unknown_provisioners(&config.root);
    super::init::providers_needed(&config.root)
        .iter()
        .filter(|source| !installed(source))
        .map(|source| {
            let detail = format!(
                "This configuration requires provider {source}, but that provider isn't available. You may be able to install it automatically by running:\n  terraform init"
            );
            Diagnostic::sourceless("Missing required provider", detail)
        })
        .chain(plugins.iter().map(plugin))
        .collect()
}
