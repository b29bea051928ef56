//! Folders to modules: which files count, in which order, and the modules they call.

use crate::base::BTreeMap;

use super::module::Reader;
use super::{Module, Resource};
use crate::base::{SmolStr, gap};
use crate::terraform::address::{ModulePath, ResourceAddress};
use crate::terraform::hcl::{self, Diagnostic, Range, did_you_mean};

/// Where files come from.
pub trait Source {
    /// Names of the files right in a folder; `None` when there is no such folder.
    fn names(&self, folder: &str) -> Option<Vec<String>>;
    fn text(&self, path: &str) -> Option<String>;
}

#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub root: Module,
    pub diagnostics: Vec<Diagnostic>,
    /// Texts of all files by the name that ranges carry, for snippets.
    pub texts: BTreeMap<SmolStr, String>,
    /// Module calls whose source is none.
    pub sources: Vec<Diagnostic>,
    /// Module calls whose folder is not there: told by what installs modules.
    pub unread: Vec<Diagnostic>,
    /// Arguments and blocks of module calls that the module called does not take: told by what installs modules.
    pub unasked: Vec<Diagnostic>,
    /// What is wrong with the syntax of the root's own files: told once, when they are first read.
    pub syntax: Vec<Diagnostic>,
    /// No configuration file at all.
    pub empty: bool,
    /// Module calls read so far.
    calls: usize,
}

impl Loaded {
    pub fn module(&self, path: &ModulePath) -> Option<&Module> {
        path.0.iter().try_fold(&self.root, |module, step| module.children.get(&step.name))
    }

    pub fn resource(&self, address: &ResourceAddress) -> Option<&Resource> {
        self.module(&address.module)?.resource(address.mode, &address.kind, &address.name)
    }
}

/// How deep modules may call each other.
const DEEPEST: usize = 32;
/// How many calls of modules there may be: modules that call two others grow without end.
const MOST_CALLS: usize = 500;

/// The configuration in a folder.
pub fn load(source: &dyn Source, folder: &str) -> Loaded {
    let mut loaded = Loaded::default();
    loaded.empty = names(source, folder).is_empty();
    loaded.root = module(source, folder, 0, &mut loaded);
    for output in loaded.root.outputs.values().filter(|output| output.ephemeral) {
        let detail = "Ephemeral outputs are not allowed in context of a root module";
        loaded.diagnostics.push(Diagnostic::error("Ephemeral output not allowed", detail, &output.range));
    }
    loaded
}

/// `*.tf` in order, overrides last. The JSON syntax is left out, and told.
fn names(source: &dyn Source, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = source.names(folder).unwrap_or_default();
    names.retain(|name| name.ends_with(".tf") && !name.starts_with('.') && !name.starts_with('#'));
    let is_override = |name: &String| name == "override.tf" || name.ends_with("_override.tf");
    names.sort_by_key(|name| (is_override(name), name.clone()));
    names
}

fn join(folder: &str, name: &str) -> String {
    if folder == "." { name.to_string() } else { format!("{}/{name}", folder.trim_start_matches("./")) }
}

fn module(source: &dyn Source, folder: &str, depth: usize, loaded: &mut Loaded) -> Module {
    let mut reader = Reader::new(folder);
    for name in names(source, folder) {
        let path = join(folder, &name);
        let text = source.text(&path).unwrap_or_default();
        let (body, diagnostics) = hcl::parse(&path, &text);
        if depth == 0 {
            loaded.syntax.extend(diagnostics.iter().cloned());
        }
        loaded.diagnostics.extend(diagnostics);
        loaded.texts.insert(path.as_str().into(), text);
        reader.file(&body);
    }
    for name in source.names(folder).unwrap_or_default().iter().filter(|name| name.ends_with(".tf.json")) {
        let text = gap::line(&format!("configuration in JSON syntax ({})", join(folder, name)), "");
        loaded.diagnostics.push(Diagnostic::sourceless(text, ""));
    }
    let (mut module, diagnostics, sources) = reader.finish();
    loaded.diagnostics.extend(diagnostics);
    loaded.sources.extend(sources);
    let known = |call: &super::ModuleCall| Some((call.name.clone(), call.source.clone()?, call.source_range.clone()));
    let calls: Vec<(SmolStr, String, Range)> = module.calls.values().filter_map(known).collect();
    for (name, from, range) in calls {
        let near = from.starts_with("./") || from.starts_with("../");
        if !near && module.calls.get(&name).is_some_and(|call| call.misversioned) {
            continue;
        }
        if let Some((summary, detail)) = wrong_source(&from, module.calls.get(&name).is_some_and(|call| call.versioned))
        {
            loaded.sources.push(Diagnostic::error(summary, detail, &range));
            continue;
        }
        let path = local(folder, &from);
        if source.names(&path).is_none() {
            let detail = format!(
                "Unable to evaluate directory symlink: lstat {}: no such file or directory",
                path.trim_start_matches("./")
            );
            loaded.unread.push(Diagnostic::sourceless("Unreadable module directory", detail));
            let at = module.calls.get(&name).map(|call| place(&call.range)).unwrap_or_default();
            let detail = format!("The directory  could not be read for module \"{name}\" at {at}.");
            loaded.unread.push(Diagnostic::sourceless("Unreadable module directory", detail));
            continue;
        }
        if depth >= DEEPEST {
            let detail = format!("Modules call each other more than {DEEPEST} deep.");
            loaded.unread.push(Diagnostic::error("Module loading failed", detail, &range));
            continue;
        }
        loaded.calls += 1;
        if loaded.calls > MOST_CALLS {
            if loaded.calls == MOST_CALLS + 1 {
                let detail = gap::line("more than 500 calls of modules", "");
                loaded.diagnostics.push(Diagnostic::error("Module loading failed", detail, &range));
            }
            return module;
        }
        let child = self::module(source, &path, depth + 1, loaded);
        if let Some(call) = module.calls.get(&name) {
            unasked(call, &child, &mut loaded.unasked);
        }
        module.children.insert(name, child);
    }
    module
}

/// What a call gives that the module does not take.
fn unasked(call: &super::ModuleCall, child: &Module, found: &mut Vec<Diagnostic>) {
    for block in &call.arguments.blocks {
        // Those are told already.
        if !["lifecycle", "locals", "providers"].contains(&block.kind.as_str()) {
            let detail = format!("Blocks of type \"{}\" are not expected here.", block.kind);
            found.push(Diagnostic::error("Unsupported block type", detail, &block.kind_range));
        }
    }
    let given = |wanted: &(SmolStr, Option<SmolStr>)| call.providers.iter().any(|(child, _)| child == wanted);
    for wanted in child.aliases.iter().filter(|wanted| !given(wanted)) {
        let source = child.provider_source(&wanted.0);
        let source = source.strip_prefix("registry.terraform.io/").unwrap_or(&source);
        let name = format!("{}.{}", wanted.0, wanted.1.as_deref().unwrap_or_default());
        let detail = format!(
            "The child module requires an additional configuration for provider {source}, with the local name \"{name}\".\n\nRefer to the module's documentation to understand the intended purpose of this additional provider configuration, and then add an entry for {name} in the \"providers\" meta-argument in the module block to choose which provider configuration the module should use for that purpose."
        );
        found.push(Diagnostic::error("Missing required provider configuration", detail, &call.range));
    }
    for attribute in &call.arguments.attributes {
        if !child.variables.contains_key(&attribute.name) {
            let tail = did_you_mean(&attribute.name, child.variables.keys().map(SmolStr::as_str));
            let detail = format!("An argument named \"{}\" is not expected here.{tail}", attribute.name);
            found.push(Diagnostic::error("Unsupported argument", detail, &attribute.name_range));
        }
    }
}

/// What is wrong with a module's source; only local paths are simulated.
fn wrong_source(from: &str, versioned: bool) -> Option<(&'static str, String)> {
    const INVALID: &str = "Invalid module source address";
    if from.is_empty() {
        return Some((INVALID, "Failed to parse module source address: invalid source address: .".into()));
    }
    if from.starts_with("./") || from.starts_with("../") {
        return versioned.then(|| {
            let detail = format!(
                "Failed to parse module registry address: can't use local directory \"{from}\" as a module registry address.\n\nTerraform assumed that you intended a module registry source address because you also set the argument \"version\", which applies only to registry modules."
            );
            ("Invalid registry module source address", detail)
        });
    }
    if from.split('/').count() < 3 && !from.contains([':', '.', '\\']) {
        let detail = format!(
            "Terraform failed to determine your intended installation method for remote module package \"{from}\".\n\nIf you intended this as a path relative to the current module, use \"./{from}\" instead. The \"./\" prefix indicates that the address is a relative filesystem path."
        );
        return Some((INVALID, detail));
    }
    let detail = format!(
        "The module source \"{from}\" is not simulated here: only local paths, which start with ./ or ../, are."
    );
    Some(("Module source not simulated", detail))
}

fn place(range: &Range) -> String {
    format!("{}:{}", range.file, range.start.line)
}

/// A path relative to a folder, without `./` inside and `..` taken away where it can be.
fn local(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() { ".".into() } else { parts.join("/") }
}
