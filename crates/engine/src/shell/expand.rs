//! Expansion of words: tilde, parameters, substitutions, arithmetic, splitting, file names.
//!
//! An expansion that needs what a command writes stops, gives its assignments back, and starts over when the command
//! has ended; what earlier commands gave is kept, so none runs twice.

use super::ast::{List, Operation, Parameter, Part, Word};
use super::pattern::{Pattern, is_pattern};
use super::state::Shell;
use crate::process::{Files, Sys};

const TEXT_LIMIT: usize = 1 << 20;
const FIELDS_LIMIT: usize = 500_000;

/// Begins the reason when a parameter is missing.
pub const MISSING: char = '\u{1}';

/// Why an expansion could not go to its end.
pub enum Halt {
    /// Run this first; the flag: into a file (`<(…)`).
    Need(List, bool),
    Fail(String),
}

#[derive(Default)]
struct Builder {
    fields: Vec<Field>,
    current: Option<Field>,
    size: usize,
}

#[derive(Default)]
struct Field {
    text: String,
    /// The same, with quoted characters protected.
    pattern: String,
}

impl Builder {
    fn quoted(&mut self, text: &str) {
        self.size += text.len();
        let field = self.current.get_or_insert_default();
        field.text.push_str(text);
        for c in text.chars() {
            if matches!(c, '*' | '?' | '[' | ']' | '\\' | '-' | '!' | '^') {
                field.pattern.push('\\');
            }
            field.pattern.push(c);
        }
    }

    fn plain(&mut self, text: &str) {
        self.size += text.len();
        let field = self.current.get_or_insert_default();
        field.text.push_str(text);
        field.pattern.push_str(text);
    }

    fn end(&mut self) {
        self.fields.extend(self.current.take());
    }

    /// Adds the result of an unquoted expansion.
    fn split(&mut self, text: &str, ifs: &str) {
        let is_space = |c: char| ifs.contains(c) && matches!(c, ' ' | '\t' | '\n');
        let mut start = 0;
        let mut after_mark = false;
        for (at, c) in text.char_indices() {
            if !ifs.contains(c) {
                after_mark = false;
                continue;
            }
            if at > start {
                self.plain(text.get(start..at).unwrap_or_default());
            }
            if !is_space(c) {
                if self.current.is_none() && (at == start && !after_mark || after_mark) {
                    self.current = Some(Field::default());
                }
                after_mark = true;
            }
            self.end();
            start = at + c.len_utf8();
        }
        if start < text.len() {
            self.plain(text.get(start..).unwrap_or_default());
        }
    }
}

impl Shell {
    /// The fields these words give, file names included.
    pub fn fields(&mut self, sys: &mut Sys<'_>, words: &[Word]) -> Result<Vec<String>, Halt> {
        let mut out = Vec::new();
        for word in words {
            let mut builder = Builder::default();
            for part in word {
                self.part(sys, part, false, true, &mut builder)?;
            }
            builder.end();
            for field in builder.fields {
                if !self.options.noglob && is_pattern(&field.pattern) {
                    let names = glob(sys.files, sys.cwd, &field.pattern);
                    if !names.is_empty() || self.options.nullglob {
                        out.extend(names);
                        continue;
                    }
                }
                out.push(field.text);
            }
            if out.len() > FIELDS_LIMIT {
                return Err(Halt::Fail("Argument list too long".into()));
            }
        }
        Ok(out)
    }

    fn one(&mut self, sys: &mut Sys<'_>, word: &Word) -> Result<Field, Halt> {
        let mut builder = Builder::default();
        for part in word {
            self.part(sys, part, false, false, &mut builder)?;
        }
        builder.end();
        let mut whole = Field::default();
        for (at, field) in builder.fields.into_iter().enumerate() {
            let gap = if at > 0 { " " } else { "" };
            whole.text.push_str(gap);
            whole.pattern.push_str(gap);
            whole.text.push_str(&field.text);
            whole.pattern.push_str(&field.pattern);
        }
        Ok(whole)
    }

    /// One text, neither split nor matched with files.
    pub fn text(&mut self, sys: &mut Sys<'_>, word: &Word) -> Result<String, Halt> {
        Ok(self.one(sys, word)?.text)
    }

    /// One pattern: what was quoted is protected.
    pub fn pattern(&mut self, sys: &mut Sys<'_>, word: &Word) -> Result<String, Halt> {
        Ok(self.one(sys, word)?.pattern)
    }

    fn part(
        &mut self,
        sys: &mut Sys<'_>,
        part: &Part,
        quoted: bool,
        split: bool,
        out: &mut Builder,
    ) -> Result<(), Halt> {
        if out.size > TEXT_LIMIT {
            return Err(Halt::Fail("cannot allocate memory".into()));
        }
        match part {
            Part::Text(text) if quoted => out.quoted(text),
            Part::Text(text) => out.plain(text),
            Part::Quoted(text) => out.quoted(text),
            Part::Double(parts) => {
                let bare_list = matches!(parts.as_slice(), [Part::Parameter(p)] if p.name == "@" || is_all(p, "@"));
                if !bare_list {
                    out.current.get_or_insert_default();
                }
                for part in parts {
                    self.part(sys, part, true, split, out)?;
                }
            }
            Part::Tilde(user) => {
                let home = self.get("HOME").unwrap_or("/").to_string();
                match user.as_str() {
                    "" => out.quoted(&home),
                    "+" => out.quoted(&sys.cwd.clone()),
                    "root" => out.quoted("/root"),
                    user => out.quoted(&format!("~{user}")),
                }
            }
            Part::Parameter(parameter) => self.parameter(sys, parameter, quoted, split, out)?,
            Part::Command(list) => {
                let text = self.result(list, false)?;
                self.add(&text, quoted, split, out);
            }
            Part::Process(list) => {
                let path = self.result(list, true)?;
                out.quoted(&path);
            }
            Part::Arithmetic(word) => {
                let text = self.text(sys, word)?;
                let value = self.evaluate(&text).map_err(Halt::Fail)?;
                self.add(&value.to_string(), quoted, split, out);
            }
        }
        Ok(())
    }

    /// The next kept result, or the need for it.
    fn result(&mut self, list: &List, file: bool) -> Result<String, Halt> {
        let Some(text) = self.results.get(self.used) else { return Err(Halt::Need(list.clone(), file)) };
        self.used += 1;
        Ok(text.clone())
    }

    fn add(&mut self, text: &str, quoted: bool, split: bool, out: &mut Builder) {
        match (quoted, split) {
            (true, _) => out.quoted(text),
            (false, false) => out.plain(text),
            (false, true) => {
                let ifs = self.get("IFS").unwrap_or(" \t\n").to_string();
                out.split(text, &ifs);
            }
        }
    }

    /// The values of `$@`, `${a[@]}` and their like.
    fn all(&self, parameter: &Parameter) -> Option<Vec<String>> {
        if parameter.name == "@" || parameter.name == "*" {
            return Some(self.positional.clone());
        }
        if is_all(parameter, "@") || is_all(parameter, "*") {
            let variable = self.variables.get(&parameter.name);
            return Some(match variable {
                Some(variable) => match &variable.array {
                    Some(array) => array.values().cloned().collect(),
                    None => vec![variable.value.clone()],
                },
                None => Vec::new(),
            });
        }
        None
    }

    fn value(&mut self, sys: &mut Sys<'_>, parameter: &Parameter) -> Result<Option<String>, Halt> {
        let name = parameter.name.as_str();
        if let Some(index) = &parameter.index {
            let text = self.text(sys, index)?;
            let at = self.evaluate(&text).map_err(Halt::Fail)?;
            let Some(variable) = self.variables.get(name) else { return Ok(None) };
            return Ok(match &variable.array {
                Some(array) => {
                    let last = array.keys().next_back().copied().unwrap_or(-1);
                    array.get(&if at < 0 { last + 1 + at } else { at }).cloned()
                }
                None => (at == 0).then(|| variable.value.clone()),
            });
        }
        Ok(Some(match name {
            "?" => self.status.to_string(),
            "#" => self.positional.len().to_string(),
            "$" => self.root_pid.unwrap_or(sys.pid).to_string(),
            "!" => match self.last_background {
                Some(pid) => pid.to_string(),
                None => return Ok(None),
            },
            "0" => self.name.clone(),
            "-" => self.flags(),
            "@" | "*" => self.positional.join(" "),
            "RANDOM" if self.flavour != super::Flavour::Coreutils => match self.results.get(self.used) {
                Some(text) => {
                    let text = text.clone();
                    self.used += 1;
                    text
                }
                None => {
                    let number = sys.chance.below("shell", 32768).to_string();
                    self.results.push(number.clone());
                    self.used += 1;
                    number
                }
            },
            "SECONDS" => (sys.now - self.started.unwrap_or(sys.now)).as_seconds().to_string(),
            "LINENO" => self.line.to_string(),
            "PPID" if self.get("PPID").is_none() => "1".into(),
            "UID" | "EUID" if self.is_bash() => "0".into(),
            "HOSTNAME" if self.get("HOSTNAME").is_none() => sys.hostname.to_string(),
            "BASH_VERSION" if self.is_bash() => "5.2.15(1)-release".into(),
            "EPOCHSECONDS" => sys.now.as_seconds().to_string(),
            _ => match name.parse::<usize>() {
                Ok(at) => match self.positional.get(at.wrapping_sub(1)) {
                    Some(value) => value.clone(),
                    None => return Ok(None),
                },
                Err(_) => return Ok(self.get(name).map(str::to_string)),
            },
        }))
    }

    fn flags(&self) -> String {
        let o = self.options;
        let mut flags = if self.is_bash() { "hB".to_string() } else { String::new() };
        for (on, flag) in [(o.errexit, 'e'), (o.nounset, 'u'), (o.xtrace, 'x'), (o.noglob, 'f'), (o.interactive, 'i')] {
            if on {
                flags.push(flag);
            }
        }
        flags
    }

    fn parameter(
        &mut self,
        sys: &mut Sys<'_>,
        parameter: &Parameter,
        quoted: bool,
        split: bool,
        out: &mut Builder,
    ) -> Result<(), Halt> {
        let name = parameter.name.as_str();
        if let Operation::Bad(text) = &parameter.operation {
            return Err(Halt::Fail(format!("{text}: bad substitution")));
        }
        if let Some(values) = self.all(parameter) {
            return self.many(sys, parameter, values, quoted, split, out);
        }
        let mut value = self.value(sys, parameter)?;
        if parameter.indirect {
            let target = value.unwrap_or_default();
            let inner = Parameter { name: target, index: None, indirect: false, operation: Operation::Value };
            value = self.value(sys, &inner)?;
        }
        let unset = value.is_none();
        if unset && self.options.nounset && !matches!(parameter.operation, Operation::Default { .. }) {
            let text = if self.is_bash() { "unbound variable" } else { "parameter not set" };
            return Err(Halt::Fail(format!("{MISSING}{name}: {text}")));
        }
        let value = value.unwrap_or_default();
        if let Operation::Default { kind, colon, word } = &parameter.operation {
            let empty = unset || (*colon && value.is_empty());
            match (kind, empty) {
                ('-', true) | ('+', false) => {
                    for part in word {
                        self.part(sys, part, quoted, split, out)?;
                    }
                }
                ('+', true) => {}
                ('=', true) => {
                    let text = self.text(sys, word)?;
                    self.remember(name);
                    self.set(name, text.clone()).map_err(Halt::Fail)?;
                    self.add(&text, quoted, split, out);
                }
                ('?', true) => {
                    let text = self.text(sys, word)?;
                    let default = if *colon { "parameter null or not set" } else { "parameter not set" };
                    return Err(Halt::Fail(format!(
                        "{MISSING}{name}: {}",
                        if text.is_empty() { default } else { &text }
                    )));
                }
                _ => self.add(&value, quoted, split, out),
            }
            return Ok(());
        }
        let text = self.operate(sys, &parameter.operation, value)?;
        self.add(&text, quoted, split, out);
        Ok(())
    }

    fn many(
        &mut self,
        sys: &mut Sys<'_>,
        parameter: &Parameter,
        mut values: Vec<String>,
        quoted: bool,
        split: bool,
        out: &mut Builder,
    ) -> Result<(), Halt> {
        match &parameter.operation {
            Operation::Length => {
                self.add(&values.len().to_string(), quoted, split, out);
                return Ok(());
            }
            Operation::Keys => {
                let array = self.variables.get(&parameter.name).and_then(|variable| variable.array.as_ref());
                values = array.map_or(Vec::new(), |array| array.keys().map(i64::to_string).collect());
            }
            Operation::Default { kind, word, .. } => {
                let use_word = (*kind == '+') != values.is_empty();
                if use_word {
                    for part in word {
                        self.part(sys, part, quoted, split, out)?;
                    }
                    return Ok(());
                }
                if *kind == '+' {
                    return Ok(());
                }
            }
            Operation::Slice { offset, length } => {
                let offset = self.text(sys, offset)?;
                let offset = self.evaluate(&offset).map_err(Halt::Fail)?;
                if parameter.name == "@" || parameter.name == "*" {
                    values.insert(0, self.name.clone());
                }
                let start = if offset < 0 { values.len() as i64 + offset } else { offset }.max(0) as usize;
                values = values.into_iter().skip(start).collect();
                if let Some(length) = length {
                    let length = self.text(sys, length)?;
                    values.truncate(self.evaluate(&length).map_err(Halt::Fail)?.max(0) as usize);
                }
            }
            operation => {
                for value in &mut values {
                    *value = self.operate(sys, operation, std::mem::take(value))?;
                }
            }
        }
        let star = parameter.name == "*" || is_all(parameter, "*");
        if quoted && star {
            let joint = match self.get("IFS") {
                Some(ifs) => ifs.chars().next().map_or(String::new(), |c| c.to_string()),
                None => " ".into(),
            };
            out.quoted(&values.join(&joint));
            return Ok(());
        }
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                out.end();
            }
            if quoted { out.quoted(value) } else { self.add(value, false, split, out) }
        }
        Ok(())
    }

    fn operate(&mut self, sys: &mut Sys<'_>, operation: &Operation, value: String) -> Result<String, Halt> {
        let chars: Vec<char> = value.chars().collect();
        Ok(match operation {
            Operation::Value | Operation::Default { .. } | Operation::Keys | Operation::Bad(_) => value,
            Operation::Length => chars.len().to_string(),
            Operation::Strip { suffix, longest, pattern } => {
                let pattern = Pattern::new(&self.pattern(sys, pattern)?);
                let count = chars.len().min(4096);
                let mut sizes: Vec<usize> = (0..=count).collect();
                if *longest {
                    sizes.reverse();
                }
                let cut = sizes.into_iter().find(|size| {
                    let part = if *suffix { chars.get(chars.len() - size..) } else { chars.get(..*size) };
                    part.is_some_and(|part| pattern.matches_chars(part))
                });
                match cut {
                    None => value,
                    Some(size) if *suffix => chars.iter().take(chars.len() - size).collect(),
                    Some(size) => chars.iter().skip(size).collect(),
                }
            }
            Operation::Replace { all, anchor, pattern, with } => {
                let pattern = Pattern::new(&self.pattern(sys, pattern)?);
                let with = self.text(sys, with)?;
                replace(&chars, &pattern, &with, *all, *anchor)
            }
            Operation::Slice { offset, length } => {
                let offset = self.text(sys, offset)?;
                let offset = self.evaluate(&offset).map_err(Halt::Fail)?;
                let count = chars.len() as i64;
                let start = if offset < 0 { count + offset } else { offset };
                if start < 0 || start > count {
                    return Ok(String::new());
                }
                let end = match length {
                    None => count,
                    Some(length) => {
                        let length = self.text(sys, length)?;
                        let length = self.evaluate(&length).map_err(Halt::Fail)?;
                        if length < 0 { count.saturating_add(length) } else { start.saturating_add(length).min(count) }
                    }
                };
                if end < start {
                    return Err(Halt::Fail(format!("{}: substring expression < 0", end - count)));
                }
                chars.iter().skip(start as usize).take((end - start) as usize).collect()
            }
            Operation::Case { upper, all } => {
                let change = |c: char| if *upper { c.to_uppercase().to_string() } else { c.to_lowercase().to_string() };
                let each = |(at, c): (usize, &char)| if *all || at == 0 { change(*c) } else { c.to_string() };
                chars.iter().enumerate().map(each).collect()
            }
        })
    }
}

fn is_all(parameter: &Parameter, which: &str) -> bool {
    matches!(parameter.index.as_deref(), Some([Part::Text(text)]) if text == which)
}

fn replace(chars: &[char], pattern: &Pattern, with: &str, all: bool, anchor: Option<char>) -> String {
    let mut out = String::new();
    let mut at = 0;
    // Each place tries lengths downwards; the product is kept within bounds by the length looked at.
    while at < chars.len() {
        let most = (chars.len() - at).min(if chars.len() > 2000 { 64 } else { 2000 });
        let allowed = match anchor {
            Some('#') => at == 0,
            _ => true,
        };
        let found = allowed
            .then(|| {
                (1..=most).rev().find(|size| {
                    (anchor != Some('%') || at + size == chars.len())
                        && chars.get(at..at + size).is_some_and(|part| pattern.matches_chars(part))
                })
            })
            .flatten();
        match found {
            Some(size) => {
                out.push_str(with);
                at += size;
                if !all {
                    break;
                }
            }
            None => {
                out.extend(chars.get(at));
                at += 1;
            }
        }
        if out.len() > TEXT_LIMIT {
            break;
        }
    }
    out.extend(chars.iter().skip(at));
    out
}

/// The paths a pattern matches, sorted.
pub fn glob(files: &Files, cwd: &str, pattern: &str) -> Vec<String> {
    let absolute = pattern.starts_with('/');
    let mut found: Vec<String> = vec![if absolute { "/".into() } else { String::new() }];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for base in found {
            if !is_pattern(part) {
                let name = part.replace('\\', "");
                let path = format!("{base}{name}");
                if files.exists(cwd, &path) {
                    next.push(format!("{path}/"));
                }
                continue;
            }
            let matcher = Pattern::new(part);
            let directory = if base.is_empty() { "." } else { &base };
            for name in files.list(cwd, directory).unwrap_or_default() {
                if (!name.starts_with('.') || part.starts_with('.')) && matcher.matches(&name) {
                    next.push(format!("{base}{name}/"));
                }
            }
            if next.len() > FIELDS_LIMIT {
                break;
            }
        }
        found = next;
    }
    let last = if pattern.ends_with('/') { "/" } else { "" };
    let mut found: Vec<String> = found.iter().map(|path| format!("{}{last}", path.trim_end_matches('/'))).collect();
    found.retain(|path| !path.is_empty() && (last.is_empty() || files.is_directory(cwd, path)));
    found.sort();
    found
}
