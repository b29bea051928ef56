//! `terraform fmt`.

use super::arguments::Arguments;
use super::{Screen, State as Next};
use crate::base::diff;
use crate::process::{Read, Sys, Wait};
use crate::terraform::hcl::{Diagnostic, format};

const ENDINGS: [&str; 6] = [".tf", ".tfvars", ".tftest.hcl", ".tfmock.hcl", ".tfquery.hcl", ".tfpolicy.hcl"];

/// What is done with each text.
#[derive(Clone, Copy)]
struct How {
    list: bool,
    write: bool,
    diff: bool,
}

pub fn run(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>) -> Next {
    let flag = |name: &str, default: bool| arguments.get(name).map_or(default, |value| value != "false");
    let check = arguments.has("check");
    let list = flag("list", true);
    // A check has to know of every file, listed or not.
    let how = How { list: list || check, write: flag("write", true) && !check, diff: arguments.has("diff") };
    if arguments.words.first().is_some_and(|word| word == "-") {
        if arguments.get("write") == Some("true") {
            let error = Diagnostic::sourceless("Option -write cannot be used when reading from stdin", "");
            screen.ui_diagnostics(vec![error]);
            return Next::Exit(2);
        }
        return Next::Input(Box::new(Input { how: How { list: check, write: false, ..how }, check, text: Vec::new() }));
    }
    let cwd = sys.cwd.clone();
    let mut wrong = Vec::new();
    let mut said = String::new();
    let paths = if arguments.words.is_empty() { vec![".".to_string()] } else { arguments.words.clone() };
    for path in paths {
        let path = path.trim_end_matches('/').trim_start_matches("./").to_string();
        let path = if path.is_empty() { ".".to_string() } else { path };
        if sys.files.is_directory(&cwd, &path) {
            folder(&path, arguments.has("recursive"), how, &mut said, &mut wrong, screen, sys);
        } else if !sys.files.exists(&cwd, &path) {
            wrong.push(Diagnostic::sourceless(format!("No file or directory at {path}"), ""));
            break;
        } else if ENDINGS.iter().any(|ending| path.ends_with(ending)) {
            file(&path, how, &mut said, &mut wrong, screen, sys);
        } else {
            let text = "Only .tf, .tfvars, and .tftest.hcl files can be processed with terraform fmt";
            wrong.push(Diagnostic::sourceless(text, ""));
        }
    }
    finish(said, wrong, check, list, screen)
}

fn finish(said: String, wrong: Vec<Diagnostic>, check: bool, list: bool, screen: &mut Screen) -> Next {
    let ok = said.is_empty();
    if !check {
        screen.out(&said);
    }
    if !wrong.is_empty() {
        screen.ui_diagnostics(wrong);
        return Next::Exit(2);
    }
    if check && list {
        screen.out(said);
    }
    Next::Exit(if check && !ok { 3 } else { 0 })
}

fn folder(
    path: &str,
    recursive: bool,
    how: How,
    said: &mut String,
    wrong: &mut Vec<Diagnostic>,
    screen: &mut Screen,
    sys: &mut Sys<'_>,
) {
    let cwd = sys.cwd.clone();
    let mut names = sys.files.list(&cwd, path).unwrap_or_default();
    names.sort();
    for name in names {
        let ignored = name.starts_with('.') || name.ends_with('~') || name.starts_with('#') && name.ends_with('#');
        if ignored {
            continue;
        }
        let inner = if path == "." { name.clone() } else { format!("{path}/{name}") };
        if sys.files.is_directory(&cwd, &inner) {
            if recursive && inner.matches('/').count() < 64 {
                folder(&inner, true, how, said, wrong, screen, sys);
            }
        } else if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            file(&inner, how, said, wrong, screen, sys);
        }
    }
}

fn file(path: &str, how: How, said: &mut String, wrong: &mut Vec<Diagnostic>, screen: &mut Screen, sys: &mut Sys<'_>) {
    let cwd = sys.cwd.clone();
    let text = sys.files.read_text(&cwd, path).unwrap_or_default();
    if let Some(new) = text_of(path, &text, how, said, wrong, screen)
        && how.write
    {
        let _ = sys.files.write(sys.now, &cwd, path, new.as_bytes());
    }
}

/// The new text, where it is another.
fn text_of(
    path: &str,
    text: &str,
    how: How,
    said: &mut String,
    wrong: &mut Vec<Diagnostic>,
    screen: &mut Screen,
) -> Option<String> {
    screen.texts.insert(path.into(), text.to_string());
    let new = match format(path, text) {
        Ok(new) => new,
        Err(found) => {
            wrong.extend(found);
            return None;
        }
    };
    let changed = new != text;
    if changed {
        if how.list {
            said.push_str(&format!("{path}\n"));
        }
        if how.diff {
            said.push_str(&format!("--- old/{path}\n+++ new/{path}\n{}", diff::of_files(text, &new)));
        }
    }
    if !how.list && !how.write && !how.diff {
        said.push_str(&new);
    }
    changed.then_some(new)
}

/// `terraform fmt -`: what comes in goes out formatted.
#[derive(Clone)]
pub struct Input {
    how: How,
    check: bool,
    text: Vec<u8>,
}

impl std::fmt::Debug for How {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("How")
    }
}

impl Input {
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        loop {
            match sys.read(1 << 16) {
                Read::Data(bytes) => self.text.extend(bytes),
                Read::Empty => return Err(vec![Wait::Input]),
                Read::End => break,
            }
        }
        let text = String::from_utf8_lossy(&self.text).into_owned();
        let (mut said, mut wrong) = (String::new(), Vec::new());
        text_of("<stdin>", &text, self.how, &mut said, &mut wrong, screen);
        if !said.is_empty() && !said.ends_with('\n') {
            said.push('\n');
        }
        // Whether it is right is told by the exit code alone.
        match finish(said, wrong, self.check, false, screen) {
            Next::Exit(code) => Ok(code),
            _ => Ok(0),
        }
    }
}
