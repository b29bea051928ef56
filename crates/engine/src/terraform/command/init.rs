//! `terraform init`: what the configuration needs, written down in the lock file.

use crate::base::BTreeSet;

use super::arguments::Arguments;
use super::versions::Constraints;
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
    let calls = module_calls(&loaded.root);
    if !calls.is_empty() {
        heading(screen, if arguments.has("upgrade") { "Upgrading modules..." } else { "Initializing modules..." });
        install_modules(&calls, arguments.has("upgrade"), screen, sys);
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
    let (mut signed, mut changed) = (false, false);
    let upgrade = arguments.has("upgrade");
    for source in &needed {
        let short = short(source);
        let constraints = constraints(&loaded.root, source);
        let refuse = |screen: &mut Screen, reason: String, more: &str| {
            screen.out("\n");
            let detail = format!(
                "Could not retrieve the list of available versions for provider {short}: {reason}\n\n{more} run the following command:\n    terraform providers"
            );
            screen.diagnostics(vec![Diagnostic::sourceless("Failed to query available provider packages", detail)]);
            Next::Exit(1)
        };
        let locked = locked_version(&old, source).filter(|_| !upgrade);
        match (&locked, constraints.text().as_str()) {
            (Some(_), _) => {
                screen.out(format!("- Reusing previous version of {short} from the dependency lock file\n"))
            }
            (None, "") => screen.out(format!("- Finding latest version of {short}...\n")),
            (None, text) => screen.out(format!("- Finding {short} versions matching \"{text}\"...\n")),
        }
        let Some(provider) = providers.get(source) else {
            let reason = format!(
                "provider registry registry.terraform.io does not have a provider named registry.terraform.io/{short}"
            );
            let more = match short {
                "hashicorp/docker" => format!(
                    "Did you intend to use kreuzwerker/docker? If so, you must specify that source address in each module which requires that provider. To see which modules are currently depending on {short},"
                ),
                _ => format!(
                    "All modules should specify their required_providers so that external consumers will get the correct providers when using a module. To see which modules are currently depending on {short},"
                ),
            };
            return refuse(screen, reason, &more);
        };
        let version = provider.version();
        let more = format!("To see which modules are currently depending on {short} and what versions are specified,");
        if let Some(locked) = &locked
            && !constraints.allow(locked)
        {
            let reason = format!(
                "locked provider {source} {locked} does not match configured version constraint {}; must use terraform init -upgrade to allow selection of new versions",
                constraints.text()
            );
            return refuse(screen, reason, &more);
        }
        if !constraints.allow(version) {
            let reason = format!("no available releases match the given constraints {}", constraints.text());
            return refuse(screen, reason, &more);
        }
        if sys.files.exists(sys.cwd, &package(source, version)) {
            screen.out(format!("- Using previously-installed {short} v{version}\n"));
        } else {
            let whose = if short.starts_with("hashicorp/") {
                "signed by HashiCorp".to_string()
            } else {
                signed = true;
                "self-signed, key ID BD080C4571C6104C".into()
            };
            screen.out(format!("- Installing {short} v{version}...\n- Installed {short} v{version} ({whose})\n"));
            let cwd = sys.cwd.clone();
            let folder = package(source, version);
            let _ = sys.files.make_directories(sys.now, &cwd, &folder);
            let name = source.rsplit('/').next().unwrap_or_default();
            let file = format!("{folder}/terraform-provider-{name}_v{version}");
            let _ = sys.files.write(sys.now, &cwd, &file, b"");
        }
        match locked_block(&old, source).filter(|_| locked_version(&old, source).as_deref() == Some(version)) {
            // What is selected already stays as it is written.
            Some(block) => lock.push_str(&format!("\n{block}")),
            None => {
                changed = true;
                lock.push_str(&format!("\nprovider \"{source}\" {{\n  version     = \"{version}\"\n"));
                if !constraints.text().is_empty() {
                    lock.push_str(&format!("  constraints = \"{}\"\n", constraints.text()));
                }
                lock.push_str(&format!("{}}}\n", hashes(source, version)));
            }
        }
    }
    if signed {
        screen.out("Partner and community providers are signed by their developers.\nIf you'd like to know more about provider signing, you can read about it here:\nhttps://developer.hashicorp.com/terraform/cli/plugins/signing\n");
    }
    if changed {
        let name = screen.paint.tags("[bold].terraform.lock.hcl[reset]", &[]);
        if old.is_empty() {
            screen.out(format!("\nTerraform has created a lock file {name} to record the provider\nselections it made above. Include this file in your version control repository\nso that Terraform can guarantee to make the same selections by default when\nyou run \"terraform init\" in the future.\n"));
        } else {
            screen.out(format!("\nTerraform has made some changes to the provider dependency selections recorded\nin the {name} file. Review those changes and commit them to your\nversion control system if they represent changes you intended to make.\n"));
        }
        let cwd = sys.cwd.clone();
        let _ = sys.files.write(sys.now, &cwd, LOCK_FILE, lock.as_bytes());
    }
    screen.out("\n");
    let done = screen.paint.tags("[reset][bold][green]Terraform has been successfully initialized![reset][green]", &[]);
    let more = screen.paint.tags("[reset][green]\nYou may now begin working with Terraform. Try running \"terraform plan\" to see\nany changes that are required for your infrastructure. All Terraform commands\nshould now work.\n\nIf you ever set or change modules or backend configuration for Terraform,\nrerun this command to reinitialize your working directory. If you forget, other\ncommands will detect it and remind you to do so if necessary.", &[]);
    screen.out(format!("{done}\n{more}\n"));
    Next::Exit(0)
}

fn short(source: &str) -> &str {
    source.trim_start_matches("registry.terraform.io/")
}

/// Where a provider's package is unpacked.
fn package(source: &str, version: &str) -> String {
    format!(".terraform/providers/{source}/{version}/linux_amd64")
}

fn constraints(root: &Module, source: &str) -> Constraints {
    let mut all = Constraints::default();
    for (_, module) in root.walk() {
        for (name, requirement) in &module.required {
            if module.provider_source(name) == source {
                requirement.version.iter().filter_map(|text| Constraints::parse(text)).for_each(|own| all.join(own));
            }
        }
    }
    all
}

/// The text of one provider in a lock file.
fn locked_block(lock: &str, source: &str) -> Option<String> {
    let start = lock.find(&format!("provider \"{source}\""))?;
    let rest = lock.get(start..)?;
    let end = rest.find("\n}").map_or(rest.len(), |at| at + 2);
    Some(format!("{}\n", rest.get(..end)?))
}

pub fn locked_version(lock: &str, source: &str) -> Option<String> {
    let block = locked_block(lock, source)?;
    let line = block.lines().find(|line| line.trim_start().starts_with("version"))?;
    line.split('"').nth(1).map(str::to_string)
}

/// The checksums of a release as a registry tells them: that of the package of this platform in two forms, those of
/// the others in one. They are of no real file.
fn hashes(source: &str, version: &str) -> String {
    const PACKAGES: usize = 14;
    let digest = |what: &str| crate::base::digest::sha256_of(format!("{source} {version} {what}").as_bytes());
    let mut all = vec![format!("h1:{}", crate::terraform::eval::functions::base64(&digest("linux_amd64")))];
    all.extend((0..PACKAGES).map(|at| format!("zh:{}", crate::base::digest::hex(&digest(&at.to_string())))));
    all.sort();
    let lines: String = all.iter().map(|hash| format!("    \"{hash}\",\n")).collect();
    format!("  hashes = [\n{lines}  ]\n")
}

/// `terraform get`: the modules alone.
pub fn get(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let disk = super::Disk { files: sys.files, cwd: sys.cwd };
    let loaded = crate::terraform::config::load(&disk, ".");
    screen.texts.extend(loaded.texts.clone());
    if crate::terraform::hcl::has_errors(&loaded.diagnostics) {
        screen.diagnostics(loaded.diagnostics);
        return Next::Exit(1);
    }
    install_modules(&module_calls(&loaded.root), arguments.has("update"), screen, sys);
    Next::Exit(0)
}

const MODULES: &str = ".terraform/modules/modules.json";

/// Tells which modules are new, or all of them, and notes all as installed.
fn install_modules(calls: &[(String, String, String)], all: bool, screen: &mut Screen, sys: &mut Sys<'_>) {
    let text = sys.files.read_text(sys.cwd, MODULES).unwrap_or_default();
    let known = crate::base::json::parse(&text).unwrap_or_default();
    for (key, source, folder) in calls {
        let is_known = |entry: &crate::base::Value| {
            entry["Key"].str() == key.as_str() && entry["Source"].str() == source.as_str()
        };
        if all || !known["Modules"].items().iter().any(is_known) {
            screen.out(format!("- {key} in {folder}\n"));
        }
    }
    note_modules(calls, sys);
}

fn note_modules(calls: &[(String, String, String)], sys: &mut Sys<'_>) {
    let entry = |key: &str, source: &str, folder: &str| {
        crate::map! { "Key" => key, "Source" => source, "Dir" => folder }
    };
    let mut all = vec![entry("", "", ".")];
    all.extend(calls.iter().map(|(key, source, folder)| entry(key, source, folder)));
    let text = crate::base::json::compact(&crate::map! { "Modules" => crate::base::Value::list(all) });
    let cwd = sys.cwd.clone();
    let _ = sys.files.make_directories(sys.now, &cwd, ".terraform/modules");
    let _ = sys.files.write(sys.now, &cwd, MODULES, text.as_bytes());
}

/// Module calls: key, source as written, folder.
fn module_calls(root: &Module) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (path, module) in root.walk() {
        for (name, call) in &module.calls {
            let key: Vec<&str> = path.iter().map(SmolStr::as_str).chain([name.as_str()]).collect();
            let folder = module.children.get(name).map(|child| child.folder.clone()).unwrap_or_default();
            found.push((key.join("."), call.source.clone(), folder));
        }
    }
    found
}

/// Modules that are called and not installed.
pub fn missing_modules(root: &Module, sys: &Sys<'_>) -> Vec<Diagnostic> {
    let text = sys.files.read_text(sys.cwd, MODULES).unwrap_or_default();
    let known = crate::base::json::parse(&text).unwrap_or_default();
    let mut found = Vec::new();
    for (path, module) in root.walk() {
        for (name, call) in &module.calls {
            let key: Vec<&str> = path.iter().map(SmolStr::as_str).chain([name.as_str()]).collect();
            let key = key.join(".");
            let (summary, detail) = match known["Modules"].items().iter().find(|entry| entry["Key"].str() == key) {
                None => ("Module not installed", "This module is not yet installed."),
                Some(entry) if entry["Source"].str() != call.source => {
                    ("Module source has changed", "The source address was changed since this module was installed.")
                }
                Some(_) => continue,
            };
            let detail = format!(
                "{detail} Run \"terraform init\" to install all modules required by this configuration."
            );
            found.push(Diagnostic::error(summary, detail, &call.range));
        }
        if !found.is_empty() {
            break;
        }
    }
    found
}

/// What the lock file selects differs from what the configuration asks for, or is not installed.
pub fn unready(root: &Module, sys: &Sys<'_>) -> Option<Diagnostic> {
    let lock = sys.files.read_text(sys.cwd, LOCK_FILE).unwrap_or_default();
    let mut wrong = Vec::new();
    for source in providers_needed(root) {
        let constraints = constraints(root, &source);
        match locked_version(&lock, &source) {
            None => wrong.push(format!("  - provider {source}: required by this configuration but no version is selected")),
            Some(version) if !constraints.allow(&version) => wrong.push(format!(
                "  - provider {source}: locked version selection {version} doesn't match the updated version constraints \"{}\"",
                constraints.text()
            )),
            Some(_) => {}
        }
    }
    if !wrong.is_empty() {
        let advice = if lock.contains("\nprovider \"") {
            "To update the locked dependency selections to match a changed configuration, run:\n  terraform init -upgrade"
        } else {
            "To make the initial dependency selections that will initialize the dependency lock file, run:\n  terraform init"
        };
        let detail = format!(
            "The following dependency selections recorded in the lock file are inconsistent with the current configuration:\n{}\n\n{advice}",
            wrong.join("\n")
        );
        return Some(Diagnostic::sourceless("Inconsistent dependency lock file", detail));
    }
    let absent: Vec<String> = providers_needed(root)
        .iter()
        .filter_map(|source| Some((source, locked_version(&lock, source)?)))
        .filter(|(source, version)| !sys.files.exists(sys.cwd, &package(source, version)))
        .map(|(source, version)| {
            format!("  - {source}: there is no package for {source} {version} cached in .terraform/providers")
        })
        .collect();
    if absent.is_empty() {
        return None;
    }
    let detail = format!(
        "The installed provider plugins are not consistent with the packages selected in the dependency lock file:\n{}\n\nTerraform uses external plugins to integrate with a variety of different infrastructure services. To download the plugins required for this configuration, run:\n  terraform init",
        absent.join("\n")
    );
    Some(Diagnostic::sourceless("Required plugins are not installed", detail))
}

/// The same for `validate`, which asks no more than that the plugins are there.
pub fn unavailable(root: &Module, sys: &Sys<'_>) -> Vec<Diagnostic> {
    let lock = sys.files.read_text(sys.cwd, LOCK_FILE).unwrap_or_default();
    let absent = |source: &SmolStr| {
        locked_version(&lock, source).is_none_or(|version| !sys.files.exists(sys.cwd, &package(source, &version)))
    };
    let told = |source: SmolStr| {
        let detail = format!(
            "This configuration requires provider {source}, but that provider isn't available. You may be able to install it automatically by running:\n  terraform init"
        );
        Diagnostic::sourceless("Missing required provider", detail)
    };
    providers_needed(root).into_iter().filter(absent).map(told).collect()
}
