//! `terraform init` and `terraform get`: what the configuration needs, written down in the lock file and under
//! `.terraform`.

use crate::base::{BTreeMap, BTreeSet, digest};

use super::arguments::Arguments;
use super::environment::{automated, data};
use super::version::{allows, tidy};
use super::{Screen, State as Next, VERSION, backend, settled};
use crate::base::SmolStr;
use crate::process::Sys;
use crate::terraform::config::{BUILTIN, Loaded, Module, ModuleCall};
use crate::terraform::hcl::{Block, Diagnostic, Pages, has_errors};
use crate::terraform::json::Json;
use crate::terraform::provider::Providers;
use crate::terraform::value::{self, Value};

pub const LOCK_FILE: &str = ".terraform.lock.hcl";
const MODULES: &str = "modules/modules.json";

/// Sources of all providers that resources, provider blocks and requirements name; the built-in one left out.
pub fn providers_needed(root: &Module) -> BTreeSet<SmolStr> {
    let mut found = BTreeSet::new();
    for (_, module) in root.walk() {
        found.extend(module.required.keys().map(|name| module.provider_source(name)));
        found.extend(module.providers.iter().map(|provider| module.provider_source(&provider.name)));
        found.extend(module.resources.values().map(|resource| module.provider_source(&resource.provider.0)));
        found.extend(module.ephemerals.iter().map(|(provider, ..)| module.provider_source(provider)));
    }
    found.remove(BUILTIN);
    found
}

pub fn uses_builtin(root: &Module) -> bool {
    root.walk().iter().any(|(_, module)| module.resources.values().any(|resource| resource.provider.0 == "terraform"))
}

/// Where a provider lies once it is installed.
pub fn installed_at(source: &str, sys: &Sys<'_>) -> String {
    data(&format!("providers/{source}"), sys)
}

/// Versions in the lock file, by source.
pub fn locked(text: &str) -> BTreeMap<SmolStr, String> {
    let mut found = BTreeMap::new();
    let mut source = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("provider \"").and_then(|rest| rest.split('"').next()) {
            source = Some(SmolStr::from(name));
        } else if let Some(rest) = line.trim().strip_prefix("version")
            && let Some(source) = source.take()
        {
            found.insert(source, rest.trim_matches([' ', '=', '"']).to_string());
        }
    }
    found
}

/// Constraints on a provider, from all modules.
pub fn constraints(root: &Module, source: &str) -> String {
    let mut all: Vec<String> = Vec::new();
    for (_, module) in root.walk() {
        for (name, requirement) in &module.required {
            if module.provider_source(name) == source {
                all.extend(requirement.version.clone());
            }
        }
    }
    tidy(&all)
}

/// `required_version` that this is not.
pub fn wrong_core(root: &Module) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (path, module) in root.walk() {
        for (constraint, range) in &module.required_version {
            if !allows(constraint, VERSION) {
                let who = match path.last() {
                    None => format!("This configuration does not support Terraform version {VERSION}."),
                    Some(_) => {
                        let path: Vec<String> = path.iter().map(|name| format!("module.{name}")).collect();
                        let folder = &module.folder;
                        format!(
                            "Module {} (from ./{}) does not support Terraform version {VERSION}.",
                            path.join("."),
                            folder.trim_start_matches("./")
                        )
                    }
                };
                let detail = format!(
                    "{who} To proceed, either choose another supported Terraform version or update this version constraint. Version constraints are normally set for good reason, so updating the constraint may lead to other errors or unexpected behavior."
                );
                found.push(Diagnostic::error("Unsupported Terraform Core version", detail, range));
            }
        }
    }
    found
}

/// Module calls by path, with their source and folder.
fn calls(config: &Loaded) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let from_nowhere = |call: &ModuleCall| {
        call.source.is_none() || config.sources.iter().any(|each| each.subject.as_ref() == Some(&call.source_range))
    };
    for (path, module) in config.root.walk() {
        for (name, call) in module.calls.iter().filter(|(_, call)| !from_nowhere(call)) {
            let key: Vec<&str> = path.iter().map(SmolStr::as_str).chain([name.as_str()]).collect();
            let folder = module.children.get(name).map(|child| child.folder.clone()).unwrap_or_default();
            found.push((key.join("."), call.source.clone().unwrap_or_default(), folder));
        }
    }
    found.sort();
    found
}

/// Modules that are called and were not there at the last `init`; the core version is checked along.
pub fn not_installed(config: &Loaded, sys: &Sys<'_>) -> Vec<Diagnostic> {
    let mut found = wrong_core(&config.root);
    let known = sys.files.read_text(sys.cwd, &data(MODULES, sys)).ok().and_then(|text| value::decode(&text).ok());
    let records = known.as_ref().and_then(|json| json.get("Modules")).and_then(Value::items).unwrap_or_default();
    let source_of = |key: &str| {
        let record = records.iter().find(|record| record.get("Key").and_then(Value::as_str) == Some(key))?;
        record.get("Source").and_then(Value::as_str).map(str::to_string)
    };
    // What a module calls that is not there is not known.
    let mut absent: Vec<Vec<SmolStr>> = Vec::new();
    for (path, module) in config.root.walk() {
        if absent.iter().any(|one| path.starts_with(one)) {
            continue;
        }
        for (name, call) in &module.calls {
            let key: Vec<&str> = path.iter().map(SmolStr::as_str).chain([name.as_str()]).collect();
            match source_of(&key.join(".")) {
                None => {
                    absent.push(key.iter().map(|name| SmolStr::from(*name)).collect());
                    let detail = "This module is not yet installed. Run \"terraform init\" to install all modules required by this configuration.";
                    found.push(Diagnostic::error("Module not installed", detail, &call.range));
                }
                Some(source) if Some(&source) != call.source.as_ref() => {
                    let detail = "The source address was changed since this module was installed. Run \"terraform init\" to install all modules required by this configuration.";
                    found.push(Diagnostic::error("Module source has changed", detail, &call.source_range));
                }
                Some(_) => {}
            }
        }
    }
    found
}

/// What keeps modules from being installed.
fn hindrance(loaded: &Loaded, pages: &Pages) -> Vec<Diagnostic> {
    let wrong = wrong_core(&loaded.root);
    if !wrong.is_empty() {
        return wrong;
    }
    let endless = loaded.diagnostics.iter().filter(|each| each.summary == "Module loading failed");
    let endless: Vec<Diagnostic> = endless.cloned().collect();
    if !endless.is_empty() {
        return endless;
    }
    let read = loaded.diagnostics.iter().filter(|each| !loaded.syntax.contains(each) && !in_backend(each, pages));
    let all = read.chain(&loaded.sources).chain(&loaded.unread).chain(&loaded.unasked);
    all.filter(|each| each.is_error()).cloned().collect()
}

/// Lines for the modules that are new; which modules there are is written down where nothing hinders it.
fn install_modules(config: &Loaded, all: bool, hindered: bool, sys: &mut Sys<'_>) -> Vec<String> {
    // Calls without end are told, not listed.
    if hindered && config.diagnostics.iter().any(|each| each.summary == "Module loading failed") {
        return Vec::new();
    }
    let calls = calls(config);
    let old = sys.files.read_text(sys.cwd, &data(MODULES, sys)).ok().and_then(|text| value::decode(&text).ok());
    let records = old.as_ref().and_then(|json| json.get("Modules")).and_then(Value::items).unwrap_or_default();
    let known = |key: &str, source: &str| {
        records.iter().any(|record| {
            record.get("Key").and_then(Value::as_str) == Some(key)
                && record.get("Source").and_then(Value::as_str) == Some(source)
        })
    };
    let lines = calls
        .iter()
        .filter(|(key, source, _)| all || !known(key, source))
        .map(|(key, _, folder)| format!("- {key} in {}", folder.trim_start_matches("./")))
        .collect();
    let record = |key: &str, source: &str, folder: &str| {
        Json::of([("Key", Json::text(key)), ("Source", Json::text(source)), ("Dir", Json::text(folder))])
    };
    if !hindered && (!calls.is_empty() || !records.is_empty()) {
        let mut list = vec![record("", "", ".")];
        list.extend(calls.iter().map(|(key, source, folder)| record(key, source, folder.trim_start_matches("./"))));
        let text = Json::of([("Modules", Json::Array(list))]).compact();
        let cwd = sys.cwd.clone();
        let _ = sys.files.make_directories(sys.now, &cwd, &data("modules", sys));
        let _ = sys.files.write(sys.now, &cwd, &data(MODULES, sys), text.as_bytes());
    }
    lines
}

fn load(screen: &mut Screen, sys: &Sys<'_>) -> Loaded {
    let loaded = crate::terraform::config::load(&super::Disk { files: sys.files, cwd: sys.cwd }, ".");
    screen.texts.extend(loaded.texts.clone());
    loaded
}

pub fn get(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let loaded = load(screen, sys);
    if has_errors(&loaded.syntax) {
        screen.ui_diagnostics(loaded.diagnostics);
        return Next::Exit(1);
    }
    let hindrance = hindrance(&loaded, &Pages::of(&loaded.texts, &loaded.diagnostics));
    for line in install_modules(&loaded, arguments.has("update"), !hindrance.is_empty(), sys) {
        screen.out(line + "\n");
    }
    if hindrance.is_empty() {
        return Next::Exit(0);
    }
    screen.ui_diagnostics(hindrance);
    Next::Exit(1)
}

pub fn init(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    for gap in ["from-module", "backend-config", "migrate-state", "json"] {
        if arguments.get(gap).is_some() {
            screen.gap(&format!("terraform init -{gap}"));
            return Next::Exit(1);
        }
    }
    let heading = |screen: &mut Screen, text: &str| {
        let line = screen.paint.tags(&format!("[reset][bold]{text}"), &[]);
        screen.out(line + "\n");
    };
    let loaded = load(screen, sys);
    if loaded.empty {
        let line = screen.paint.tags("[reset][bold]Terraform initialized in an empty directory![reset]\n\nThe directory has no Terraform configuration files. You may begin working\nwith Terraform immediately by creating Terraform configuration files.", &[]);
        screen.out(line + "\n");
        return Next::Exit(0);
    }
    heading(screen, "Initializing the backend...");
    let pages = Pages::of(&loaded.texts, &loaded.diagnostics);
    let calls = loaded.root.walk().iter().any(|(_, module)| !module.calls.is_empty());
    let upgrade = arguments.has("upgrade");
    let failed = has_errors(&loaded.diagnostics);
    let refused = settled::refused(&loaded.root);
    // A second backend block hinders later.
    let twice = |each: &Diagnostic| each.summary == "Duplicate 'backend' configuration block";
    let doubled = failed && !loaded.diagnostics.iter().any(|each| each.is_error() && !twice(each));
    if (!failed || doubled) && refused.is_empty() {
        let (anew, copies) = (arguments.has("reconfigure"), arguments.has("force-copy"));
        if settled::elsewhere(&loaded.root, screen) || !settled::set_up(&loaded.root, anew, copies, screen, sys) {
            return Next::Exit(1);
        }
    }
    if calls {
        screen.out("\n");
        heading(screen, if upgrade { "Upgrading modules..." } else { "Initializing modules..." });
        let hindrance = hindrance(&loaded, &pages);
        let lines = install_modules(&loaded, upgrade, !hindrance.is_empty(), sys);
        lines.into_iter().for_each(|line| screen.out(format!("{}\n", line.trim_end())));
        if !hindrance.is_empty() {
            screen.diagnostics(hindrance);
            return Next::Exit(1);
        }
    }
    let wrong = wrong_core(&loaded.root);
    let unreadable = |each: &Diagnostic| each.summary == "Invalid version constraint" && in_settings(each, &pages);
    if calls || !failed || doubled || !wrong.is_empty() || loaded.diagnostics.iter().any(unreadable) {
        screen.out("\n");
    }
    if !wrong.is_empty() || has_errors(&loaded.sources) {
        screen.diagnostics(if wrong.is_empty() { loaded.sources } else { wrong });
        return Next::Exit(1);
    }
    if failed {
        screen.diagnostics(unsound(&loaded, &pages, calls));
        return Next::Exit(1);
    }
    if !refused.is_empty() {
        screen.diagnostics(refused);
        return Next::Exit(1);
    }
    if !calls {
        // Those that were there before are there no more.
        install_modules(&loaded, upgrade, false, sys);
    }
    heading(screen, "Initializing provider plugins...");
    if uses_builtin(&loaded.root) {
        screen.out("- terraform.io/builtin/terraform is built in to Terraform\n");
    }
    let old_text = sys.files.read_text(sys.cwd, LOCK_FILE).unwrap_or_default();
    let old = locked(&old_text);
    let needed = providers_needed(&loaded.root);
    let mut blocks: BTreeMap<SmolStr, String> = BTreeMap::new();
    let mut community = false;
    for source in &needed {
        let short = source.trim_start_matches("registry.terraform.io/");
        let fail = |screen: &mut Screen, text: String| {
            screen.out("\n");
            let mut detail = format!("Could not retrieve the list of available versions for provider {short}: {text}");
            if providers.get(source).is_some() {
                detail.push_str(&format!("\n\nTo see which modules are currently depending on {short} and what versions are specified, run the following command:\n    terraform providers"));
            }
            screen.diagnostics(vec![Diagnostic::sourceless("Failed to query available provider packages", detail)]);
            Next::Exit(1)
        };
        let constraints = constraints(&loaded.root, source);
        let known = old.get(source).filter(|_| !upgrade);
        match (known, constraints.as_str()) {
            (Some(_), _) => {
                screen.out(format!("- Reusing previous version of {short} from the dependency lock file\n"));
            }
            (None, "") => screen.out(format!("- Finding latest version of {short}...\n")),
            (None, text) => screen.out(format!("- Finding {short} versions matching \"{text}\"...\n")),
        }
        let Some(provider) = providers.get(source) else {
            // What comes of leaving out required_providers.
            return fail(
                screen,
                match short {
                    "hashicorp/docker" => format!(
                        "provider registry registry.terraform.io does not have a provider named registry.terraform.io/{short}\n\nDid you intend to use kreuzwerker/docker? If so, you must specify that source address in each module which requires that provider. To see which modules are currently depending on {short}, run the following command:\n    terraform providers"
                    ),
                    _ => format!("the provider {short} is not simulated here"),
                },
            );
        };
        let version = provider.version();
        if let Some(known) = known
            && !allows(&constraints, known)
        {
            return fail(
                screen,
                format!(
                    "locked provider {source} {known} does not match configured version constraint {constraints}; must use terraform init -upgrade to allow selection of new versions"
                ),
            );
        }
        if !allows(&constraints, version) {
            return fail(screen, format!("no available releases match the given constraints {constraints}"));
        }
        let folder = format!("{}/{version}/linux_amd64", installed_at(source, sys));
        if sys.files.exists(sys.cwd, &folder) {
            screen.out(format!("- Using previously-installed {short} v{version}\n"));
        } else {
            let by_hashicorp = short.starts_with("hashicorp/");
            let signed = if by_hashicorp { "signed by HashiCorp" } else { "self-signed, key ID BD080C4571C6104C" };
            screen.out(format!("- Installing {short} v{version}...\n- Installed {short} v{version} ({signed})\n"));
            community |= !by_hashicorp;
            let cwd = sys.cwd.clone();
            let _ = sys.files.make_directories(sys.now, &cwd, &folder);
        }
        if old.get(source).map(String::as_str) != Some(version) {
            let mut block = format!("provider \"{source}\" {{\n  version     = \"{version}\"\n");
            if !constraints.is_empty() {
                block.push_str(&format!("  constraints = \"{constraints}\"\n"));
            }
            block.push_str(&format!("  hashes = [\n{}  ]\n}}\n", hashes(source, version)));
            blocks.insert(source.clone(), block);
        }
    }
    if community {
        screen.out("\nPartner and community providers are signed by their developers.\nIf you'd like to know more about provider signing, you can read about it here:\nhttps://developer.hashicorp.com/terraform/cli/plugins/signing\n");
    }
    write_lock(&old_text, &needed, blocks, screen, sys);
    backend::keep(sys);
    screen.out("\n");
    let done = screen.paint.tags("[reset][bold][green]Terraform has been successfully initialized![reset][green]", &[]);
    let more = screen.paint.tags("[reset][green]\nYou may now begin working with Terraform. Try running \"terraform plan\" to see\nany changes that are required for your infrastructure. All Terraform commands\nshould now work.\n\nIf you ever set or change modules or backend configuration for Terraform,\nrerun this command to reinitialize your working directory. If you forget, other\ncommands will detect it and remind you to do so if necessary.", &[]);
    screen.out(if automated(sys) { format!("{done}\n") } else { format!("{done}\n{more}\n") });
    Next::Exit(0)
}

/// What `init` says of a configuration that it cannot work with.
fn unsound(loaded: &Loaded, pages: &Pages, calls: bool) -> Vec<Diagnostic> {
    let summary = "Terraform encountered problems during initialisation, including problems\nwith the configuration, described below.\n\nThe Terraform configuration must be valid before initialization so that\nTerraform can determine which modules and providers need to be installed.";
    let head = vec![Diagnostic::sourceless(summary, "")];
    if calls {
        // The rest was told when modules were installed.
        let mut all = if loaded.syntax.is_empty() { Vec::new() } else { head };
        all.extend(loaded.diagnostics.iter().cloned());
        return all;
    }
    // Bodies of resources and the like are read later, what is named twice or wrong in settings at both times.
    let late = |each: &Diagnostic| {
        let body = ["Unsupported argument", "Unsupported block type", "Missing required argument"];
        body.contains(&each.summary.as_str()) && !in_settings(each, pages)
    };
    let (later, early): (Vec<Diagnostic>, Vec<Diagnostic>) = loaded.diagnostics.iter().cloned().partition(late);
    if early.is_empty() {
        return later;
    }
    let twice = |each: &&Diagnostic| {
        each.summary.starts_with("Duplicate ") && !each.summary.contains("'backend'")
            || in_settings(each, pages)
                && (each.summary == "Unsupported argument" || each.summary == "Invalid version constraint")
    };
    let mut all = head;
    all.extend(early.iter().filter(twice).cloned().collect::<Vec<_>>());
    all.extend(early);
    all.extend(later);
    all
}

/// Whether a diagnostic is about a `backend` block.
fn in_backend(diagnostic: &Diagnostic, pages: &Pages) -> bool {
    let Some(subject) = &diagnostic.subject else { return false };
    let settings = pages.get(&subject.file).and_then(|page| page.block(subject.start.byte));
    let inside = |at: usize, block: &Block| at > block.open_range.start.byte && at < block.close_range.end.byte;
    settings.is_some_and(|block| {
        block.kind == "terraform" && block.body.blocks_of("backend").any(|block| inside(subject.start.byte, block))
    })
}

/// Whether a diagnostic is about a `terraform` block.
fn in_settings(diagnostic: &Diagnostic, pages: &Pages) -> bool {
    let block = diagnostic.subject.as_ref().and_then(|subject| pages.get(&subject.file)?.block(subject.start.byte));
    block.is_some_and(|block| block.kind == "terraform")
}

/// The lock file with new blocks in place of old ones, and without those of providers no longer needed.
fn write_lock(
    old: &str,
    needed: &BTreeSet<SmolStr>,
    mut blocks: BTreeMap<SmolStr, String>,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
) {
    let mut gone = false;
    for piece in old.split("\nprovider \"").skip(1) {
        let source = SmolStr::from(piece.split('"').next().unwrap_or_default());
        if needed.contains(&source) {
            blocks.entry(source).or_insert_with(|| format!("provider \"{}\n", piece.trim_end()));
        } else {
            gone = true;
        }
    }
    let mut text = String::from(
        "# This file is maintained automatically by \"terraform init\".\n# Manual edits may be lost in future updates.\n",
    );
    for block in blocks.values() {
        text.push('\n');
        text.push_str(block);
    }
    if text == old || (blocks.is_empty() && !gone) {
        return;
    }
    let cwd = sys.cwd.clone();
    let _ = sys.files.write(sys.now, &cwd, LOCK_FILE, text.as_bytes());
    let name = screen.paint.tags("[bold].terraform.lock.hcl[reset]", &[]);
    screen.out(if old.is_empty() {
        format!(
            "\nTerraform has created a lock file {name} to record the provider\nselections it made above. Include this file in your version control repository\nso that Terraform can guarantee to make the same selections by default when\nyou run \"terraform init\" in the future.\n"
        )
    } else {
        format!(
            "\nTerraform has made some changes to the provider dependency selections recorded\nin the {name} file. Review those changes and commit them to your\nversion control system if they represent changes you intended to make.\n"
        )
    });
}

/// The checksums of a release as a registry tells them: of the package of this platform, and in another form of the
/// packages of all platforms. They are of no real file.
fn hashes(source: &str, version: &str) -> String {
    const PACKAGES: usize = 14;
    let of = |what: &str| digest::sha256_of(format!("{source} {version} {what}").as_bytes());
    let mut all = vec![format!("h1:{}", crate::terraform::eval::base64(&of("linux_amd64")))];
    all.extend((0..PACKAGES).map(|at| format!("zh:{}", digest::hex(&of(&at.to_string())))));
    all.sort();
    all.iter().map(|hash| format!("    \"{hash}\",\n")).collect()
}
