//! What `moved`, `removed` and `import` blocks and `ephemeral` ones may not say together with the rest of the
//! configuration (upstream: terraform's refactoring and the validation of its graph nodes).

use super::moves::{Subject, subject};
use super::scope::Expansion;
use super::walk::{MachineFiles, Walk};
use crate::base::{BTreeMap, SmolStr};
use crate::terraform::address::{Key, ModulePath, ResourceAddress};
use crate::terraform::config::{Module, Moved, ResourceName};
use crate::terraform::hcl::{Diagnostic, Range};

/// `main.tf:5,1`
fn start(range: &Range) -> String {
    format!("{}:{},{}", range.file, range.start.line, range.start.column)
}

/// One move with both its ends as addresses.
struct Move<'a> {
    moved: &'a Moved,
    from: (String, Subject),
    to: (String, Subject),
}

fn text(path: &[SmolStr], subject: &Subject) -> String {
    let outer: String = path.iter().map(|name| format!("module.{name}.")).collect();
    let Some((mode, kind, name, key)) = &subject.resource else { return format!("{outer}{}", subject.module) };
    let (kind, name) = (SmolStr::from(kind.as_str()), SmolStr::from(name.as_str()));
    let resource = ResourceAddress { module: subject.module.clone(), mode: *mode, kind, name };
    format!("{outer}{}", resource.instance(key.clone()))
}

fn still_there(path: &[SmolStr], module: &Module, removed: &crate::terraform::config::Removed) -> Option<Diagnostic> {
    let subject = subject(&removed.from)?;
    let named = text(path, &subject);
    let names: Vec<SmolStr> = subject.module.0.iter().map(|step| step.name.clone()).collect();
    let Some((mode, kind, name, _)) = subject.resource else {
        let (last, rest) = names.split_last()?;
        let call = module.at(rest)?.calls.get(last)?;
        let detail =
            format!("This statement declares that {named} was removed, but it is still declared in configuration.");
        return Some(Diagnostic::error("Removed module still exists", detail, &call.range));
    };
    let resource = module.at(&names)?.resource(mode, &kind, &name)?;
    let detail =
        format!("This statement declares that {named} was removed, but it is still declared in configuration.");
    Some(Diagnostic::error("Removed resource still exists", detail, &resource.range))
}

impl Walk {
    /// What is wrong with moves, known once everything stands as often as it does.
    pub(super) fn misplaced(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut moves: Vec<Move<'_>> = Vec::new();
        for (path, module) in self.config.root.walk() {
            for moved in &module.moved {
                let (Some(from), Some(to)) = (subject(&moved.from), subject(&moved.to)) else { continue };
                let one = Move { moved, from: (text(&path, &from), from), to: (text(&path, &to), to) };
                if one.from.0 == one.to.0 {
                    let detail = format!(
                        "This statement declares a move from {} to the same address, which is the same as not declaring this move at all.",
                        one.from.0
                    );
                    found.push(Diagnostic::error("Redundant move statement", detail, &moved.range));
                    continue;
                }
                found.extend(self.moved_and_there(&path, module, &one));
                found.extend(ambiguous(&one, &moves));
                moves.push(one);
            }
        }
        if found.is_empty() {
            found.extend(ring(&moves));
        }
        found
    }

    /// What is removed must not be declared any more: known before anything is looked at.
    pub fn check_removals(&mut self) {
        let config = self.config.clone();
        let mut found = Vec::new();
        for (path, module) in config.root.walk() {
            found.extend(module.removed.iter().filter_map(|removed| still_there(&path, module, removed)));
        }
        if !found.is_empty() {
            (self.diagnostics, self.refused) = (found, true);
        }
    }

    /// What is moved away must not be declared any more.
    fn moved_and_there(&self, path: &[SmolStr], module: &Module, one: &Move<'_>) -> Option<Diagnostic> {
        let (named, from) = &one.from;
        let names: Vec<SmolStr> = from.module.0.iter().map(|step| step.name.clone()).collect();
        let has = |expansion: Option<&Expansion>, key: &Option<Key>| match key {
            Some(key) => expansion.is_some_and(|expansion| expansion.has(Some(key))),
            None => true,
        };
        let outer = path.iter().fold(ModulePath::default(), |path, name| path.child(name, None));
        let mut whole = outer.clone();
        whole.0.extend(from.module.0.iter().cloned());
        let (range, keyed) = match &from.resource {
            Some((mode, kind, name, key)) => {
                let resource = module.at(&names)?.resource(*mode, kind, name)?;
                let ResourceName { mode, kind, name } = resource.name.clone();
                let address = ResourceAddress { module: whole, mode, kind, name };
                if !has(self.values.resources.get(&address), key) {
                    return None;
                }
                (&resource.range, key.is_some())
            }
            None => {
                let (last, rest) = names.split_last()?;
                let call = module.at(rest)?.calls.get(last)?;
                let key = whole.0.last().and_then(|step| step.key.clone());
                let parent = whole.parent()?;
                if !has(self.values.calls.get(&(parent, last.clone())), &key) {
                    return None;
                }
                (&call.range, key.is_some())
            }
        };
        let (noun, short) = nouns(from.resource.is_some(), keyed);
        let detail = format!(
            "This statement declares a move from {named}, but that {noun} is still declared at {}.\n\nChange your configuration so that this {short} will be declared as {} instead.",
            start(range),
            one.to.0
        );
        Some(Diagnostic::error("Moved object still exists", detail, &one.moved.range))
    }

    /// Constant ids and keys of `import` blocks.
    pub(super) fn check_import_blocks(&mut self, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let mut found = Vec::new();
        for block in &config.root.imports {
            if block.for_each.is_none() {
                let (_, diagnostics) = self.imports_of(block, files);
                found.extend(diagnostics.into_iter().filter(|each| !each.detail.contains("until apply")));
            }
            let Some(address) = block.to.traversal().and_then(super::imports::address_of) else { continue };
            let Some(resource) = self.resource_config(&address.resource) else { continue };
            let (count, each) = (resource.count.is_some(), resource.for_each.is_some());
            let detail = match address.key {
                Some(Key::Text(_)) if !each => "The target resource does not use for_each.",
                Some(Key::Int(_)) if !count => "The target resource does not use count.",
                None if each => "The target resource is using for_each.",
                None if count => "The target resource is using count.",
                _ => continue,
            };
            found.push(Diagnostic::error("Invalid import 'to' expression", detail, &block.to.range));
        }
        self.diagnostics.extend(found);
    }

    /// No provider here has ephemeral resources.
    pub(super) fn check_ephemerals(&mut self) {
        let mut found = Vec::new();
        for (_, module) in self.config.root.walk() {
            for (provider, kind, range) in &module.ephemerals {
                let source = module.provider_source(provider);
                let short = source.trim_start_matches("registry.terraform.io/");
                let detail = format!("The provider {short} does not support ephemeral resource \"{kind}\".");
                found.push(Diagnostic::error("Invalid ephemeral resource", detail, range));
            }
        }
        self.diagnostics.extend(found);
    }
}

fn nouns(resource: bool, keyed: bool) -> (&'static str, &'static str) {
    match (resource, keyed) {
        (true, true) => ("resource instance", "instance"),
        (true, false) => ("resource", "resource"),
        (false, true) => ("module instance", "instance"),
        (false, false) => ("module call", "call"),
    }
}

/// Each thing moves to one place, and one thing only moves there.
fn ambiguous(one: &Move<'_>, before: &[Move<'_>]) -> Vec<Diagnostic> {
    const SUMMARY: &str = "Ambiguous move statements";
    let mut found = Vec::new();
    let keyed = match &one.from.1.resource {
        Some((.., key)) => key.is_some(),
        None => one.from.1.module.0.last().is_some_and(|step| step.key.is_some()),
    };
    let (noun, short) = nouns(one.from.1.resource.is_some(), keyed);
    let (from, to) = (&one.from.0, &one.to.0);
    if let Some(other) = before.iter().find(|other| other.from.0 == *from).filter(|other| other.to.0 != *to) {
        let detail = format!(
            "A statement at {} declared that {from} moved to {}, but this statement instead declares that it moved to {to}.\n\nEach {noun} can move to only one destination {short}.",
            start(&other.moved.range),
            other.to.0
        );
        found.push(Diagnostic::error(SUMMARY, detail, &one.moved.range));
    }
    if let Some(other) = before.iter().find(|other| other.to.0 == *to).filter(|other| other.from.0 != *from) {
        let detail = format!(
            "A statement at {} declared that {} moved to {to}, but this statement instead declares that {from} moved there.\n\nEach {noun} can have moved from only one source {short}.",
            start(&other.moved.range),
            other.from.0
        );
        found.push(Diagnostic::error(SUMMARY, detail, &one.moved.range));
    }
    found
}

/// Moves that lead back to where they began.
fn ring(moves: &[Move<'_>]) -> Option<Diagnostic> {
    let mut next: BTreeMap<&str, &str> = BTreeMap::new();
    for one in moves {
        next.entry(&one.from.0).or_insert(&one.to.0);
    }
    let in_ring = |first: &Move<'_>| {
        let mut at = first.to.0.as_str();
        for _ in moves {
            if at == first.from.0 {
                return true;
            }
            match next.get(at) {
                Some(next) => at = next,
                None => return false,
            }
        }
        at == first.from.0
    };
    let mut lines: Vec<String> = Vec::new();
    for one in moves.iter().filter(|one| in_ring(one)) {
        let any = |end: &(String, Subject)| match &end.1.resource {
            Some((.., Some(_))) => end.0.clone(),
            None if end.1.module.0.last().is_some_and(|step| step.key.is_some()) => end.0.clone(),
            _ => format!("{}[*]", end.0),
        };
        lines.push(format!("\n  - {}: {} → {}", start(&one.moved.range), any(&one.from), any(&one.to)));
    }
    if lines.is_empty() {
        return None;
    }
    lines.sort();
    let detail = format!(
        "The following chained move statements form a cycle, and so there is no final location to move objects to:{}\n\nA chain of move statements must end with an address that doesn't appear in any other statements, and which typically also refers to an object still declared in the configuration.",
        lines.concat()
    );
    Some(Diagnostic::sourceless("Cyclic dependency in move statements", detail))
}
