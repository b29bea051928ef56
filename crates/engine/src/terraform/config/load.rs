//! Folders to modules: which files count, in which order, and the modules they call.

use crate::base::BTreeMap;

use super::module::Reader;
use super::{Module, Resource};
use crate::base::{SmolStr, gap};
use crate::terraform::address::{ModulePath, ResourceAddress};
use crate::terraform::hcl::{self, Diagnostic, Range};

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
    loaded
}

/// `*.tf` in order, overrides last; `*.tf.json` is left to a gap.
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
        loaded.diagnostics.extend(diagnostics);
        loaded.texts.insert(path.as_str().into(), text);
        reader.file(&body);
    }
    let (mut module, diagnostics) = reader.finish();
    loaded.diagnostics.extend(diagnostics);
    let calls: Vec<(SmolStr, String, Range)> =
        module.calls.values().map(|call| (call.name.clone(), call.source.clone(), call.source_range.clone())).collect();
    for (name, from, range) in calls {
        if from.is_empty() {
            continue;
        }
        if !from.starts_with("./") && !from.starts_with("../") {
            let detail = format!(
                "The module source \"{from}\" is not simulated here: only local paths, which start with ./ or ../, are."
            );
            loaded.diagnostics.push(Diagnostic::error("Module source not simulated", detail, &range));
            continue;
        }
        let path = local(folder, &from);
        if source.names(&path).is_none() {
            let detail = format!(
                "Unable to evaluate directory symlink: lstat {}: no such file or directory",
                path.trim_start_matches("./")
            );
            loaded.diagnostics.push(Diagnostic::sourceless("Unreadable module directory", detail));
            let detail = format!(
                "The directory {} could not be read for module \"{name}\" at {}.",
                path.trim_start_matches("./"),
                place(&range)
            );
            loaded.diagnostics.push(Diagnostic::sourceless("Unreadable module directory", detail));
            continue;
        }
        if depth >= DEEPEST {
            let detail = format!("Modules call each other more than {DEEPEST} deep.");
            loaded.diagnostics.push(Diagnostic::error("Module loading failed", detail, &range));
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
        module.children.insert(name, child);
    }
    module
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
