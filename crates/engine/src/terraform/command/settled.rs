//! The backend that a configuration asks for: whether it is one of ours, what `terraform init` writes down of it, and what
//! keeps commands from the state until then (upstream: terraform's command package, meta_backend). Moving states between
//! backends is left out.

use super::backend::{DEFAULT, Local, RECORD, recorded};
use super::environment::data;
use super::{Screen, VERSION};
use crate::process::Sys;
use crate::terraform::config::Module;
use crate::terraform::hcl::Diagnostic;
use crate::terraform::json::Json;

/// Those of the real program that are left out here.
const ELSEWHERE: [&str; 11] =
    ["azurerm", "consul", "cos", "gcs", "http", "kubernetes", "oci", "oss", "pg", "remote", "s3"];

/// A backend that nobody knows, or `None`; the title is not the same everywhere.
pub fn unknown(root: &Module, title: &str) -> Option<Diagnostic> {
    let backend = root.backend.as_ref()?;
    let known = backend.cloud || backend.kind == "local" || ELSEWHERE.contains(&backend.kind.as_str());
    let detail = format!("There is no backend type named \"{}\".", backend.kind);
    (!known).then(|| Diagnostic::error(title, detail, &backend.kind_range))
}

/// What keeps `init` from setting up the backend that the configuration asks for.
pub fn refused(root: &Module) -> Vec<Diagnostic> {
    let local = root.backend.iter().filter(|backend| !backend.cloud && backend.kind == "local");
    let wrong = local.flat_map(|backend| backend.wrong.iter().cloned());
    unknown(root, "Unsupported backend type").into_iter().chain(wrong).collect()
}

/// What keeps a command from the state: a backend left out, or one that `terraform init` has not set up.
pub fn unsettled(root: &Module, screen: &mut Screen, sys: &Sys<'_>) -> Result<(), Vec<Diagnostic>> {
    if let Some(error) = unknown(root, "Invalid backend type") {
        return Err(vec![error]);
    }
    if elsewhere(root, screen) {
        return Err(Vec::new());
    }
    let reason = match (&root.backend, recorded(sys)) {
        (Some(_), None) => "Initial configuration of the requested backend \"local\"",
        (None, Some(_)) => "Unsetting the previously set backend \"local\"",
        (Some(backend), Some(old)) if Local::of(backend) != old => "Backend configuration block has changed",
        _ => return Ok(()),
    };
    let detail = format!(
        "Reason: {reason}\n\nThe \"backend\" is the interface that Terraform uses to store state,\nperform operations, etc. If this message is showing up, it means that the\nTerraform configuration you're using is using a custom configuration for\nthe Terraform backend.\n\nChanges to backend configurations require reinitialization. This allows\nTerraform to set up the new configuration, copy existing state, etc. Please run\n\"terraform init\" with either the \"-reconfigure\" or \"-migrate-state\" flags to\nuse the current configuration.\n\nIf the change reason above is incorrect, please verify your configuration\nhasn't changed and try again. At this point, no changes to your existing\nconfiguration or state have been made."
    );
    let summary = "Backend initialization required, please run \"terraform init\"";
    Err(vec![Diagnostic::sourceless(summary, detail)])
}

/// A backend that is left out here is told.
pub fn elsewhere(root: &Module, screen: &mut Screen) -> bool {
    let Some(backend) = root.backend.as_ref().filter(|backend| backend.cloud || backend.kind != "local") else {
        return false;
    };
    screen.gap(&match backend.cloud {
        true => "HCP Terraform".to_string(),
        false => format!("the backend \"{}\"", backend.kind),
    });
    true
}

/// Sets up the backend of the configuration; whether that went well.
pub fn set_up(root: &Module, anew: bool, copies: bool, screen: &mut Screen, sys: &mut Sys<'_>) -> bool {
    let old = recorded(sys);
    let new = root.backend.as_ref().map(Local::of);
    if old == new {
        return true;
    }
    if old.is_some() && !anew {
        let detail = "A change in the backend configuration has been detected, which may require migrating existing state.\n\nIf you wish to attempt automatic migration of the state, run \"terraform init -migrate-state\".\nIf you wish to store the current configuration with no changes to the state, run \"terraform init -reconfigure\".";
        screen.out("\n");
        screen.diagnostics(vec![Diagnostic::sourceless("Backend configuration changed", detail)]);
        return false;
    }
    let cwd = sys.cwd.clone();
    let from = old.clone().unwrap_or_default().file(DEFAULT);
    let to = new.clone().unwrap_or_default().file(DEFAULT);
    let text = sys.files.read_text(&cwd, &from).unwrap_or_default();
    if from != to && !text.is_empty() && !sys.files.exists(&cwd, &to) {
        if !copies {
            screen.gap("terraform init with a state to copy to another place, without -force-copy");
            return false;
        }
        let _ = sys.files.write(sys.now, &cwd, &to, text.as_bytes());
    }
    let Some(new) = new else {
        let _ = sys.files.remove(&cwd, &data(RECORD, sys));
        screen.ui_output(
            "[reset][green]\n\nSuccessfully unset the backend \"local\". Terraform will now operate locally.",
            &[],
        );
        return true;
    };
    let text = |text: &Option<String>| text.as_deref().map_or_else(Json::null, Json::text);
    let config = Json::of([("path", text(&new.path)), ("workspace_dir", text(&new.workspaces))]);
    let sum = crate::base::digest::sha1_of(config.compact().as_bytes());
    let hash = sum.iter().take(4).fold(0_u32, |hash, byte| hash << 8 | u32::from(*byte));
    let backend = Json::of([("type", Json::text("local")), ("config", config), ("hash", Json::number(hash))]);
    let all =
        Json::of([("version", Json::number(3)), ("terraform_version", Json::text(VERSION)), ("backend", backend)]);
    let _ = sys.files.make_directories(sys.now, &cwd, &data("", sys));
    let _ = sys.files.write(sys.now, &cwd, &data(RECORD, sys), all.pretty().as_bytes());
    let text = "[reset][green]\nSuccessfully configured the backend \"local\"! Terraform will automatically\nuse this backend unless the backend configuration changes.";
    screen.ui_output(text, &[]);
    true
}
