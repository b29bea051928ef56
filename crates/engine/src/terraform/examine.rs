//! What is wrong with configuration files while they are typed: what `terraform validate` says, with places.

use std::sync::Arc;

use crate::base::diagnostic::{Diagnostic, Place, Severity};
use crate::base::{BTreeMap, Time};
use crate::process::{Files, alone};
use crate::terraform::address::Mode;
use crate::terraform::command::Disk;
use crate::terraform::config;
use crate::terraform::core::{Options, Phase, Walk};
use crate::terraform::hcl::{self, Range, has_errors, report};
use crate::terraform::provider::Providers;
use crate::terraform::state::State;

/// Problems told at most.
const MOST: usize = 50;

/// What is wrong with one of the files of a folder, given as names and texts.
#[inline(never)]
pub fn examine(texts: &[(String, String)], of: &str) -> Vec<Diagnostic> {
    let mut files = folder(texts);
    let loaded = config::load(&Disk { files: &files, cwd: "/" }, ".");
    let mut found = loaded.diagnostics.clone();
    if !has_errors(&found) {
        let nothing = (State::default(), Options::default());
        let mut walk = Walk::new(Phase::Validate, Arc::new(loaded), Providers::default(), nothing.0, nothing.1);
        let cycles = walk.graph.cycles(false);
        if !cycles.is_empty() {
            found.extend(cycles);
        } else {
            let _ = alone(&mut files, |sys| walk.advance(sys));
            found.append(&mut walk.diagnostics);
        }
    }
    report::sort(&mut found);
    found.iter().filter_map(|told| diagnostic(told, of)).take(MOST).collect()
}

fn folder(texts: &[(String, String)]) -> Files {
    let mut files = Files::default();
    for (name, text) in texts {
        let path = crate::process::clean("/", name);
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let _ = files.make_directories(Time::default(), "/", folder);
        let _ = files.write(Time::default(), "/", &path, text.as_bytes());
    }
    files
}

/// Those of other files are left to them; those without a place stand at the top.
fn diagnostic(told: &hcl::Diagnostic, of: &str) -> Option<Diagnostic> {
    let start = Place { line: 1, column: 1 };
    let (start, end) = match &told.subject {
        Some(range) if range.file != of => return None,
        Some(range) => places(range),
        None => (start, Place { column: 2, ..start }),
    };
    let severity = if told.is_error() { Severity::Error } else { Severity::Warning };
    Some(Diagnostic { severity, start, end, message: told.summary.clone(), hint: told.detail.clone() })
}

fn places(range: &Range) -> (Place, Place) {
    let place = |pos: &hcl::Pos| Place { line: pos.line, column: pos.column };
    (place(&range.start), place(&range.end))
}

/// How many objects of each type a configuration would make from nothing; nothing when it has faults.
#[inline(never)]
pub fn count(texts: &[(String, String)]) -> Option<Vec<(String, usize)>> {
    let mut files = folder(texts);
    let loaded = config::load(&Disk { files: &files, cwd: "/" }, ".");
    if has_errors(&loaded.diagnostics) || loaded.empty {
        return None;
    }
    let options = Options { refresh: false, ..Options::default() };
    let mut walk = Walk::new(Phase::Plan, Arc::new(loaded), Providers::default(), State::default(), options);
    if !walk.graph.cycles(false).is_empty() {
        return None;
    }
    let _ = alone(&mut files, |sys| walk.advance(sys));
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for change in walk.plan.changes.iter().filter(|change| change.address.resource.mode == Mode::Managed) {
        *kinds.entry(change.address.resource.kind.to_string()).or_default() += 1;
    }
    Some(kinds.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn told(text: &str, expected: &[&str]) {
        let files = [("main.tf".to_string(), text.to_string())];
        let told = examine(&files, "main.tf");
        let lines: Vec<String> =
            told.iter().map(|it| format!("{}:{} {}", it.start.line, it.start.column, it.message)).collect();
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn each_reader_says_where() {
        told("resource \"terraform_data\" \"a\" {\n  input = 1\n}\n", &[]);
        told("", &[]);
        told("resource \"terraform_data\" \"a\" {\n  inptu = 1\n}\n", &["2:3 Unsupported argument"]);
        told(
            "resource \"terraform_data\" \"a\" {\n  input = var.x\n}\n",
            &["2:11 Reference to undeclared input variable"],
        );
        let counted = "resource \"terraform_data\" \"a\" {\n  count = 3\n}\n".to_string();
        assert_eq!(count(&[("main.tf".into(), counted)]), Some(vec![("terraform_data".into(), 3)]));
        told("resource {}\n", &["1:10 Missing type for resource"]);
    }
}
