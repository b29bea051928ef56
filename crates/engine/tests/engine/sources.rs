//! What the engine's sources may say: who may import whom (the table of docs/ARCHITECTURE.md), and what never appears.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Imports against the table, each with its reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

/// What a source may not say, and what to use instead. `not` names files (by their start) where it is right.
struct Banned {
    text: &'static str,
    instead: &'static str,
    not: &'static [&'static str],
}

const BANNED: [Banned; 24] = [
    Banned { text: "std::time", instead: "base::Time: the clock is a value", not: &[] },
    Banned { text: "std::env", instead: "a field of Setup", not: &[] },
    Banned { text: "std::fs", instead: "process::files", not: &[] },
    Banned { text: "std::thread", instead: "the agenda", not: &[] },
    Banned { text: "std::process", instead: "process", not: &[] },
    Banned { text: "std::net::Tcp", instead: "base::http", not: &[] },
    Banned { text: "std::net::Udp", instead: "base::http", not: &[] },
    Banned { text: "std::io", instead: "process streams", not: &[] },
    Banned { text: "Instant", instead: "base::Time", not: &[] },
    Banned { text: "SystemTime", instead: "base::Time", not: &[] },
    Banned { text: "HashMap", instead: "BTreeMap: the order of a map must not depend on chance", not: &[] },
    Banned { text: "HashSet", instead: "BTreeSet: the order of a set must not depend on chance", not: &[] },
    Banned {
        text: "collections::BTree",
        instead: "base::BTreeMap: a tenth of the code in the page",
        not: &["base/ordered"],
    },
    Banned { text: "collections::{BTree", instead: "base::BTreeMap: a tenth of the code in the page", not: &[] },
    Banned { text: "RandomState", instead: "base::Chance", not: &[] },
    Banned { text: "rand::", instead: "base::Chance", not: &[] },
    Banned { text: "println!", instead: "process streams or the trace", not: &[] },
    Banned { text: "print!", instead: "process streams or the trace", not: &[] },
    Banned { text: "thread_local!", instead: "a field of the World", not: &[] },
    // As a word of code: texts may tell of what others call unsafe.
    Banned { text: "unsafe {", instead: "safe code", not: &["base/yaml"] },
    Banned { text: "unsafe fn", instead: "safe code", not: &["base/yaml"] },
    Banned { text: "unsafe impl", instead: "safe code", not: &["base/yaml"] },
    Banned { text: "unsafe extern", instead: "safe code", not: &["base/yaml"] },
    Banned { text: "unsafe(", instead: "safe code", not: &["base/yaml"] },
];

/// What stops the program when input reaches it. The number may only shrink.
const STOPPERS: [&str; 6] = [".unwrap()", ".expect(\"", "panic!", "unreachable!", "todo!", "unimplemented!"];
/// `Value` twice, right after it has made the map or list it matches.
const MOST_STOPPERS: usize = 2;

#[test]
fn a_module_uses_lower_layers_only() {
    let layers = layers();
    let mut wrong = Vec::new();
    let mut used = Vec::new();
    for source in sources() {
        let module = source.module();
        let Some(layer) = layers.get(module) else {
            wrong.push(format!("{}: docs/ARCHITECTURE.md has no layer for {module}", source.name));
            continue;
        };
        for (number, line) in &source.lines {
            for other in source.imports(line) {
                let Some(of) = layers.get(other.as_str()) else { continue };
                if other == module || of < layer {
                    continue;
                }
                match EXCEPTIONS.iter().find(|(from, to, _)| *from == module && *to == other) {
                    Some(exception) => used.push(exception),
                    None => wrong
                        .push(format!("{}:{number}: {module} (layer {layer}) uses {other} (layer {of})", source.name)),
                }
            }
        }
    }
    for exception in EXCEPTIONS.iter().filter(|exception| !used.contains(exception)) {
        wrong.push(format!("the exception {exception:?} is not needed any more"));
    }
    assert!(wrong.is_empty(), "imports against docs/ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

#[test]
fn the_documentation_names_every_module() {
    let layers = layers();
    let lib = fs::read_to_string(src().join("lib.rs")).unwrap();
    let declared: Vec<&str> = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    for module in &declared {
        assert!(layers.contains_key(*module), "docs/ARCHITECTURE.md does not name {module}");
    }
    for module in layers.keys() {
        assert!(declared.contains(&module.as_str()), "docs/ARCHITECTURE.md names {module}, lib.rs does not");
    }
    let order: Vec<u32> = declared.iter().map(|module| layers[*module]).collect();
    assert!(order.is_sorted(), "lib.rs declares its modules from the lowest layer up: {declared:?}");
}

#[test]
fn nothing_reaches_outside_and_nothing_depends_on_chance() {
    let mut wrong = Vec::new();
    for source in sources() {
        for (number, line) in &source.lines {
            for banned in &BANNED {
                if has_word(line, banned.text) && !banned.not.iter().any(|start| source.name.starts_with(start)) {
                    wrong.push(format!("{}:{number}: {}; use {}", source.name, banned.text, banned.instead));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_stops_the_program_becomes_rarer() {
    let mut found = Vec::new();
    for source in sources() {
        for (number, line) in &source.lines {
            let count: usize = STOPPERS.iter().map(|text| line.replace("self.expect(", "").matches(text).count()).sum();
            found.extend((0..count).map(|_| format!("{}:{number}: {}", source.name, line.trim())));
        }
    }
    let (have, shown) = (found.len(), found.join("\n"));
    assert!(have <= MOST_STOPPERS, "{have} places can stop the program, {MOST_STOPPERS} are allowed:\n{shown}");
    assert!(have == MOST_STOPPERS, "only {have} places can stop the program now: set MOST_STOPPERS to that");
}

/// The table of docs/ARCHITECTURE.md: a module and its layer.
fn layers() -> BTreeMap<String, u32> {
    let text = fs::read_to_string(src().join("../../../docs/ARCHITECTURE.md")).unwrap();
    let mut layers = BTreeMap::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, layer, modules, ..] = cells.as_slice() else { continue };
        let Ok(layer) = layer.parse() else { continue };
        layers.extend(modules.split(',').map(|module| (module.trim().to_string(), layer)));
    }
    layers
}

pub struct Source {
    /// Relative to `src`.
    pub name: String,
    /// Code that is not only for tests, without comments, with its line numbers.
    pub lines: Vec<(usize, String)>,
}

impl Source {
    fn module(&self) -> &str {
        self.name.split('/').next().unwrap().trim_end_matches(".rs")
    }

    /// The top-level modules a line names.
    fn imports(&self, line: &str) -> Vec<String> {
        let mut found = names_after(line, "crate::");
        // In the file of a top-level module, `super` is the crate.
        if !self.name.contains('/') || self.name.matches('/').count() == 1 && self.name.ends_with("/mod.rs") {
            found.extend(names_after(line, "super::"));
        }
        if self.name.matches('/').count() == 1 {
            found.extend(names_after(line, "super::super::"));
        }
        found
    }
}

/// `crate::a::b` names `a`; `crate::{a, b::c}` names `a` and `b`.
fn names_after(line: &str, prefix: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = Vec::new();
    for (at, _) in line.match_indices(prefix) {
        let rest = &line[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => found.push(word(rest)),
            Some(group) => {
                let mut depth = 0;
                let mut start = true;
                for (at, c) in group.char_indices() {
                    if start && c.is_alphabetic() {
                        found.push(word(&group[at..]));
                        start = false;
                    }
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

fn has_word(line: &str, text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(text).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(is_word);
        let after = line[at + text.len()..].chars().next().is_some_and(is_word);
        !(before && text.starts_with(is_word)) && !(after && text.ends_with(is_word))
    })
}

pub fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

pub fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    walk(&src(), &mut files);
    files.sort();
    let mut sources = Vec::new();
    for file in files {
        let name = file.strip_prefix(src()).unwrap().to_string_lossy().into_owned();
        if name == "lib.rs" || name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        sources.push(Source { lines: code(&fs::read_to_string(&file).unwrap()), name });
    }
    assert!(sources.len() > 100, "the sources are there");
    sources
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => walk(&path, files),
            false if path.extension().is_some_and(|ending| ending == "rs") => files.push(path),
            false => {}
        }
    }
}

/// Leaves out comments and what stands under `#[cfg(test)]`; a `use` over several lines becomes one.
fn code(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut skip: Option<usize> = None;
    let mut joined = false;
    for (index, full) in text.lines().enumerate() {
        let indent = full.len() - full.trim_start().len();
        let line = without_comment(full);
        if let Some(outer) = skip {
            let begins = line.trim().starts_with("#[");
            let ends = indent == outer && (line.ends_with(';') || line.ends_with('}') || line.ends_with(','));
            if ends && !begins {
                skip = None;
            }
            continue;
        }
        if line.trim() == "#[cfg(test)]" {
            skip = Some(indent);
            continue;
        }
        match lines.last_mut().filter(|_| joined) {
            Some((_, last)) => last.push_str(line.trim()),
            None => lines.push((index + 1, line.to_string())),
        }
        let last = &lines.last().unwrap().1;
        joined = last.trim_start().trim_start_matches("pub ").starts_with("use ") && !last.ends_with(';');
    }
    lines
}

fn without_comment(line: &str) -> &str {
    let is_comment = |at: usize| line[..at].matches('"').count().is_multiple_of(2);
    line.match_indices("//").map(|(at, _)| at).find(|at| is_comment(*at)).map_or(line, |at| &line[..at]).trim_end()
}
