//! Commands that have nothing to do here, as far as the real one has nothing to do either: `providers lock` and
//! `providers mirror` of configurations without providers to download, `test` and `query` without files of their own.

use super::arguments::Arguments;
use super::configuration::of_older;
use super::init::providers_needed;
use super::{Screen, State as Next};
use crate::base::{BTreeSet, SmolStr};
use crate::process::Sys;
use crate::terraform::config::BUILTIN;
use crate::terraform::hcl::{Diagnostic, Severity};
use crate::terraform::render::log;

pub const RPCAPI: &str = "\nThis subcommand is for use by HCP Terraform and is not intended for direct use.\nIts behavior is not subject to Terraform compatibility promises. To interact\nwith Terraform using the CLI workflow, refer to the main set of subcommands by\nrunning the following command:\n    terraform help\n\n";

/// A provider's full address: `docker` is `registry.terraform.io/hashicorp/docker`. Otherwise what is wrong, in short
/// and in full.
pub fn source(text: &str) -> Result<String, (&'static str, String)> {
    let parts: Vec<&str> = text.split('/').collect();
    if parts.len() > 3 || parts.iter().any(|part| part.is_empty()) {
        let detail = "The \"source\" attribute must be in the format \"[hostname/][namespace/]name\"";
        return Err(("Invalid provider source string", detail.into()));
    }
    const KIND: &str = "Invalid provider type";
    let kind = parts.last().copied().unwrap_or_default();
    let fits = |part: &str| {
        let known = part.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        known && !part.starts_with('-') && !part.ends_with('-')
    };
    if !fits(kind) {
        let detail = format!(
            "Invalid provider type \"{kind}\" in source \"{text}\": must contain only letters, digits, and dashes, and may not use leading or trailing dashes\""
        );
        return Err((KIND, detail));
    }
    if let Some(short) = kind.strip_prefix("terraform-provider-").filter(|short| !short.is_empty() && parts.len() > 1) {
        let meant = text.strip_suffix(kind).unwrap_or_default();
        let detail = format!(
            "Provider source \"{text}\" has a type with the prefix \"terraform-provider-\", which isn't valid. Although that prefix is often used in the names of version control repositories for Terraform providers, provider source strings should not include it.\n\nDid you mean \"{meant}{short}\"?"
        );
        return Err((KIND, detail));
    }
    let text = text.to_lowercase();
    Ok(match parts.len() {
        1 => format!("registry.terraform.io/hashicorp/{text}"),
        2 => format!("registry.terraform.io/{text}"),
        _ => text,
    })
}

fn wrong_platforms(arguments: &Arguments) -> Vec<Diagnostic> {
    let platforms = arguments.flags.iter().filter(|(flag, _)| flag == "platform").map(|(_, value)| value);
    let wrong = platforms.filter(|value| value.split('_').filter(|part| !part.is_empty()).count() != 2);
    let told = |value: &String| {
        let detail = format!(
            "The string \"{value}\" given in the -platform option is not a valid target platform: must be two words separated by an underscore."
        );
        Diagnostic::sourceless("Invalid target platform", detail)
    };
    wrong.map(told).collect()
}

pub fn lock(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let fail = |screen: &mut Screen, found: Vec<Diagnostic>| {
        screen.ui_diagnostics(found);
        Next::Exit(1)
    };
    let wrong = wrong_platforms(arguments);
    if !wrong.is_empty() {
        return fail(screen, wrong);
    }
    let Some(loaded) = of_older(screen, sys) else { return Next::Exit(1) };
    let needed = providers_needed(&loaded.root);
    let mut asked: BTreeSet<SmolStr> = BTreeSet::new();
    let mut wrong = Vec::new();
    for word in &arguments.words {
        match source(word) {
            Err((summary, detail)) => wrong.push(Diagnostic::sourceless(summary, detail)),
            Ok(source) if source == BUILTIN && super::init::uses_builtin(&loaded.root) => {}
            Ok(source) if needed.contains(source.as_str()) => drop(asked.insert(source.into())),
            Ok(source) => {
                let detail = format!("The provider {source} is not required by the current configuration.");
                wrong.push(Diagnostic::sourceless("Invalid provider argument", detail));
            }
        }
    }
    if !wrong.is_empty() {
        return fail(screen, wrong);
    }
    if !needed.is_empty() && (arguments.words.is_empty() || !asked.is_empty()) {
        screen.gap("terraform providers lock of providers to download");
        return Next::Exit(1);
    }
    screen.ui_output(
        "\n[bold][green]Success![reset] [bold]Terraform has validated the lock file and found no need for changes.[reset]",
        &[],
    );
    Next::Exit(0)
}

pub fn mirror(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let wrong = wrong_platforms(arguments);
    if !wrong.is_empty() {
        screen.ui_diagnostics(wrong);
        return Next::Exit(1);
    }
    let Some(loaded) = of_older(screen, sys) else { return Next::Exit(1) };
    let folder = arguments.words.first().map(String::as_str).unwrap_or_default();
    if !providers_needed(&loaded.root).is_empty() {
        screen.gap("terraform providers mirror of providers to download");
        return Next::Exit(1);
    }
    if super::init::uses_builtin(&loaded.root) {
        screen.out(format!("- Skipping {BUILTIN} because it is built in to Terraform CLI\n"));
    }
    if sys.files.is_directory(sys.cwd, folder) {
        return Next::Exit(0);
    }
    let detail = format!(
        "Could not scan the output directory to get package metadata for the JSON indexes: cannot search {folder}: lstat {folder}: no such file or directory."
    );
    screen.ui_diagnostics(vec![Diagnostic::sourceless("Failed to update indexes", detail)]);
    Next::Exit(1)
}

/// Whether a folder has a file with this ending.
fn has(folder: &str, ending: &str, sys: &Sys<'_>) -> bool {
    sys.files.list(sys.cwd, folder).unwrap_or_default().iter().any(|name| name.contains(ending))
}

pub fn test(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let folder = arguments.get("test-directory").unwrap_or("tests");
    if has(".", ".tftest.", sys) || has(folder, ".tftest.", sys) {
        screen.gap("terraform test");
        return Next::Exit(1);
    }
    let Some(_) = super::configuration::configuration(screen, sys) else { return Next::Exit(1) };
    let json = arguments.has("json");
    if json {
        screen.json = true;
        screen.out(log::version(sys.now));
    }
    if arguments.get("test-directory").is_some() && !sys.files.is_directory(sys.cwd, folder) {
        let detail = format!("Requested test directory {folder} does not exist.");
        let warning = Diagnostic::sourceless("Test directory does not exist", detail);
        screen.diagnostics(vec![Diagnostic { severity: Severity::Warning, ..warning }]);
    }
    if json {
        log::no_tests(sys.now).into_iter().for_each(|line| screen.out(line));
    } else {
        let line = screen.paint.tags("\n[green]Success![reset]", &[]);
        screen.out(line + " 0 passed, 0 failed.\n");
    }
    Next::Exit(0)
}

pub fn query(screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    if has(".", ".tfquery.", sys) {
        screen.gap("terraform query");
        return Next::Exit(1);
    }
    if screen.json {
        screen.out(log::version(sys.now));
    }
    let error = if has(".", ".tf", sys) {
        Diagnostic::sourceless(
            "No resources to query",
            "The configuration does not contain any resources that can be queried.",
        )
    } else {
        Diagnostic::sourceless(
            "No configuration files",
            "Query requires a query configuration to be present. Create a Terraform query configuration file (.tfquery.hcl file) and try again.",
        )
    };
    screen.diagnostics(vec![error]);
    Next::Exit(1)
}
