//! `terraform init`: what the configuration needs, written down in the lock file.

use crate::base::BTreeSet;

use super::arguments::Arguments;
use super::{Screen, State as Next};
use crate::base::SmolStr;
use crate::process::Sys;
use crate::terraform::config::{BUILTIN, Module};
use crate::terraform::hcl::Diagnostic;
use crate::terraform::provider::Providers;

pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// Sources of all providers that resources, provider blocks and requirements name; the built-in one left out.
pub fn providers_needed(root: &Module) -> BTreeSet<SmolStr> {
    let mut found = BTreeSet::new();
    for (_, module) in root.walk() {
        found.extend(module.required.keys().map(|name| module.provider_source(name)));
        found.extend(module.providers.iter().map(|provider| module.provider_source(&provider.name)));
        found.extend(module.resources.values().map(|resource| module.provider_source(&resource.provider.0)));
    }
    found.remove(BUILTIN);
    found
}

fn uses_builtin(root: &Module) -> bool {
    root.walk().iter().any(|(_, module)| module.resources.values().any(|resource| resource.provider.0 == "terraform"))
}

pub fn init(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let heading = |screen: &mut Screen, text: &str| {
        let line = screen.paint.tags(&format!("[reset][bold]{text}"), &[]);
        screen.out(line + "\n");
    };
    let disk = super::Disk { files: sys.files, cwd: sys.cwd };
    let loaded = crate::terraform::config::load(&disk, ".");
    screen.texts.extend(loaded.texts.clone());
    if loaded.empty {
        let line = screen.paint.tags("[reset][bold]Terraform initialized in an empty directory![reset]\n\nThe directory has no Terraform configuration files. You may begin working\nwith Terraform immediately by creating Terraform configuration files.", &[]);
        screen.out(line + "\n");
        return Next::Exit(0);
    }
    heading(screen, "Initializing the backend...");
    if crate::terraform::hcl::has_errors(&loaded.diagnostics) {
        let summary = "Terraform encountered problems during initialisation, including problems\nwith the configuration, described below.\n\nThe Terraform configuration must be valid before initialization so that\nTerraform can determine which modules and providers need to be installed.";
        let mut all = vec![Diagnostic::sourceless(summary, "")];
        all.extend(loaded.diagnostics);
        screen.diagnostics(all);
        return Next::Exit(1);
    }
    screen.out("\n");
    let calls: Vec<(String, String)> = loaded
        .root
        .walk()
        .iter()
        .flat_map(|(path, module)| {
            module.calls.iter().map(move |(name, _)| {
                let key: Vec<&str> = path.iter().map(SmolStr::as_str).chain([name.as_str()]).collect();
                let folder = module.children.get(name).map(|child| child.folder.clone()).unwrap_or_default();
                (key.join("."), folder)
            })
        })
        .collect();
    if !calls.is_empty() {
        heading(screen, if arguments.has("upgrade") { "Upgrading modules..." } else { "Initializing modules..." });
        for (name, folder) in &calls {
            screen.out(format!("- {name} in {folder}\n"));
        }
        screen.out("\n");
    }
    heading(screen, "Initializing provider plugins...");
    if uses_builtin(&loaded.root) {
        screen.out("- terraform.io/builtin/terraform is built in to Terraform\n");
    }
    let old = sys.files.read_text(sys.cwd, LOCK_FILE).unwrap_or_default();
    let mut lock = String::from(
        "# This file is maintained automatically by \"terraform init\".\n# Manual edits may be lost in future updates.\n",
    );
    let needed = providers_needed(&loaded.root);
    let mut installed = false;
    for source in &needed {
        let short = source.trim_start_matches("registry.terraform.io/");
        let Some(provider) = providers.get(source) else {
            screen.out("\n");
            let detail = format!(
                "Could not retrieve the list of available versions for provider {short}: the provider {short} is not simulated here"
            );
            screen.diagnostics(vec![Diagnostic::sourceless("Failed to query available provider packages", detail)]);
            return Next::Exit(1);
        };
        let version = provider.version();
        let constraints = constraints(&loaded.root, source);
        let known = old.contains(&format!("provider \"{source}\"")) && !arguments.has("upgrade");
        if known {
            screen.out(format!("- Reusing previous version of {short} from the dependency lock file\n- Using previously-installed {short} v{version}\n"));
        } else {
            match constraints.as_str() {
                "" => screen.out(format!("- Finding latest version of {short}...\n")),
                text => screen.out(format!("- Finding {short} versions matching \"{text}\"...\n")),
            }
            let signed = if short.starts_with("hashicorp/") {
                "signed by HashiCorp".to_string()
            } else {
                "self-signed, key ID BD080C4571C6104C".into()
            };
            screen.out(format!("- Installing {short} v{version}...\n- Installed {short} v{version} ({signed})\n"));
            installed = true;
        }
        lock.push_str(&format!("\nprovider \"{source}\" {{\n  version     = \"{version}\"\n"));
        if !constraints.is_empty() {
            lock.push_str(&format!("  constraints = \"{constraints}\"\n"));
        }
        lock.push_str("}\n");
    }
    if installed {
        if needed.iter().any(|source| !source.contains("/hashicorp/")) {
            screen.out("Partner and community providers are signed by their developers.\nIf you'd like to know more about provider signing, you can read about it here:\nhttps://developer.hashicorp.com/terraform/cli/plugins/signing\n");
        }
        screen.out("\nTerraform has created a lock file ");
        let name = screen.paint.tags("[bold].terraform.lock.hcl[reset]", &[]);
        screen.out(format!("{name} to record the provider\nselections it made above. Include this file in your version control repository\nso that Terraform can guarantee to make the same selections by default when\nyou run \"terraform init\" in the future.\n"));
    }
    if !needed.is_empty() {
        let cwd = sys.cwd.clone();
        let _ = sys.files.write(sys.now, &cwd, LOCK_FILE, lock.as_bytes());
        let _ = sys.files.make_directories(sys.now, &cwd, ".terraform/providers");
    }
    screen.out("\n");
    let done = screen.paint.tags("[reset][bold][green]Terraform has been successfully initialized![reset][green]", &[]);
    let more = screen.paint.tags("[reset][green]\nYou may now begin working with Terraform. Try running \"terraform plan\" to see\nany changes that are required for your infrastructure. All Terraform commands\nshould now work.\n\nIf you ever set or change modules or backend configuration for Terraform,\nrerun this command to reinitialize your working directory. If you forget, other\ncommands will detect it and remind you to do so if necessary.", &[]);
    screen.out(format!("{done}\n{more}\n"));
    Next::Exit(0)
}

fn constraints(root: &Module, source: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for (_, module) in root.walk() {
        for (name, requirement) in &module.required {
            if module.provider_source(name) == source {
                all.extend(requirement.version.clone());
            }
        }
    }
    all.sort();
    all.dedup();
    all.join(", ")
}
