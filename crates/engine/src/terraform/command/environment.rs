//! What the environment's variables say (upstream: terraform's main and command.Meta). `TF_CLI_ARGS` is read with the
//! command line, `TF_VAR_…` with the other values of variables, `TF_WORKSPACE` by the backend. Left out (told as gaps):
//! logs, providers that are already running. Files of settings are not read.

use super::Screen;
use super::arguments::Arguments;
use crate::base::gap;
use crate::process::Sys;
use crate::terraform::hcl::{Diagnostic, Pages, Severity, report};

fn given<'a>(name: &str, sys: &'a Sys<'_>) -> Option<&'a str> {
    sys.env.get(name).map(String::as_str).filter(|value| !value.is_empty())
}

/// A path below the folder where `init` keeps what it brings.
pub fn data(below: &str, sys: &Sys<'_>) -> String {
    let folder = given("TF_DATA_DIR", sys).unwrap_or(".terraform").trim_end_matches('/');
    if below.is_empty() { folder.into() } else { format!("{folder}/{below}") }
}

/// Nobody reads along, so nobody is told what to do next.
pub fn automated(sys: &Sys<'_>) -> bool {
    given("TF_IN_AUTOMATION", sys).is_some()
}

/// Whether the command may ask.
pub fn asks(arguments: &Arguments, sys: &Sys<'_>) -> bool {
    let no = |value: &str| matches!(value, "0" | "f" | "F" | "false" | "False" | "FALSE");
    arguments.get("input") != Some("false") && !given("TF_INPUT", sys).is_some_and(no)
}

/// What is wrong with the environment, told before everything else; a code where the command ends with it.
pub fn look(screen: &mut Screen, sys: &Sys<'_>) -> Option<i32> {
    let level = ["TF_LOG", "TF_LOG_CORE", "TF_LOG_PROVIDER"];
    let logs = |name: &&&str| given(name, sys).is_some_and(|level| !level.eq_ignore_ascii_case("off"));
    if let Some(name) = level.iter().find(logs) {
        screen.err(gap::line(&format!("the log that {name} asks for"), "the command goes on without it") + "\n");
    }
    let mut found = Vec::new();
    if let Some(path) = given("TF_CLI_CONFIG_FILE", sys).or_else(|| given("TERRAFORM_CONFIG", sys))
        && !sys.files.exists(sys.cwd, path)
    {
        let detail = format!("The CLI configuration file at {path:?} does not exist.");
        let warning = Diagnostic::sourceless("Unable to open CLI configuration file", detail);
        found.push(Diagnostic { severity: Severity::Warning, ..warning });
    }
    if let Some(path) = given("TF_PLUGIN_CACHE_DIR", sys)
        && !sys.files.exists(sys.cwd, path)
    {
        let text =
            format!("The specified plugin cache dir {path} cannot be opened: stat {path}: no such file or directory");
        found.push(Diagnostic::sourceless(text, ""));
    }
    if !found.is_empty() {
        screen.err("There are some problems with the CLI configuration:\n");
        let layout = report::Layout { width: 78, boxed: true, color: false };
        let pages = Pages::of(&screen.texts, &found);
        for each in &found {
            // Without colours nothing stands behind an empty line's bar.
            let text = report::render(each, &pages, layout).replace("│ \n", "│\n").replace("│\n│\n", "│\n");
            screen.err(text + "\n");
        }
        if found.iter().any(Diagnostic::is_error) {
            screen.err("As a result of the above problems, Terraform may not behave as intended.\n\n\n");
        }
    }
    if given("TF_REATTACH_PROVIDERS", sys).is_some() {
        screen.gap("TF_REATTACH_PROVIDERS");
        return Some(1);
    }
    None
}
