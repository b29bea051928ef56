//! grep.

use super::{Filter, Filtering, Flags, Next, Output, Place};
use crate::process::{Program, Sys, Turn};
use crate::shell::Regex;

#[derive(Clone)]
pub struct Grep {
    patterns: Vec<Regex>,
    invert: bool,
    number: bool,
    count: bool,
    quiet: bool,
    only: bool,
    list: bool,
    whole_line: bool,
    word: bool,
    with_name: bool,
    no_name: bool,
    before: usize,
    after: usize,
    most: Option<u64>,
    held: Vec<(u64, Vec<u8>)>,
    left: usize,
    last_shown: u64,
    line: u64,
    found: u64,
    any: bool,
}

impl Grep {
    pub fn program(name: &str, args: &[String]) -> Box<dyn Program> {
        let long = [
            ("extended-regexp", 'E'),
            ("ignore-case", 'i'),
            ("invert-match", 'v'),
            ("line-number", 'n'),
            ("count", 'c'),
            ("quiet", 'q'),
            ("only-matching", 'o'),
            ("fixed-strings", 'F'),
            ("color", '~'),
            ("after-context", 'A'),
            ("before-context", 'B'),
            ("context", 'C'),
            ("regexp", 'e'),
        ];
        let mut flags = Flags::read(args, "eABCmf", "EivncoqwFrRlLhHsxGPa~", &long);
        if let Some(unknown) = &flags.unknown {
            let text = format!(
                "grep: {unknown}\nUsage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n"
            );
            return Box::new(Told { text, code: 2 });
        }
        let mut texts: Vec<String> =
            flags.set.iter().filter(|(c, _)| *c == 'e').map(|(_, text)| text.clone()).collect();
        if texts.is_empty() {
            if flags.rest.is_empty() {
                let text = "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n";
                return Box::new(Told { text: text.into(), code: 2 });
            }
            texts.push(flags.rest.remove(0));
        }
        let extended = flags.has('E') || flags.has('P') || name == "egrep";
        let fixed = flags.has('F') || name == "fgrep";
        let mut patterns = Vec::new();
        for text in texts.iter().flat_map(|text| text.split('\n')) {
            if fixed {
                patterns.push(Regex::literal(text, flags.has('i')));
                continue;
            }
            match Regex::new(text, extended, flags.has('i')) {
                Ok(regex) => patterns.push(regex),
                Err(reason) => return Box::new(Told { text: format!("grep: {reason}\n"), code: 2 }),
            }
        }
        let around = flags.number('C').unwrap_or(0).max(0) as usize;
        let grep = Grep {
            patterns,
            invert: flags.has('v'),
            number: flags.has('n'),
            count: flags.has('c'),
            quiet: flags.has('q'),
            only: flags.has('o'),
            list: flags.has('l'),
            whole_line: flags.has('x'),
            word: flags.has('w'),
            with_name: flags.has('H') || flags.has('r') || flags.has('R'),
            no_name: flags.has('h'),
            before: flags.number('B').map_or(around, |n| n.max(0) as usize),
            after: flags.number('A').map_or(around, |n| n.max(0) as usize),
            most: flags.number('m').map(|n| n.max(0) as u64),
            held: Vec::new(),
            left: 0,
            last_shown: 0,
            line: 0,
            found: 0,
            any: false,
        };
        if flags.has('r') || flags.has('R') {
            return Box::new(Recursive { grep, roots: flags.rest });
        }
        Filtering::new("grep", grep, flags.rest)
    }

    fn matches(&self, line: &[u8]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for pattern in &self.patterns {
            let mut from = 0;
            while let Some(groups) = pattern.find(line, from) {
                let Some(Some((start, end))) = groups.first().copied() else { break };
                let edge = |at: Option<&u8>| at.is_none_or(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
                let word_ok =
                    !self.word || (edge(start.checked_sub(1).and_then(|at| line.get(at))) && edge(line.get(end)));
                let line_ok = !self.whole_line || (start == 0 && end == line.len());
                if word_ok && line_ok {
                    all.push((start, end));
                    if !self.only {
                        return all;
                    }
                }
                from = if end > start { end } else { end + 1 };
                if from > line.len() {
                    break;
                }
            }
        }
        all.sort();
        all
    }

    fn show(&mut self, place: &Place<'_>, number: u64, line: &[u8], mark: char, out: &mut Output) {
        if (place.many || self.with_name) && !self.no_name {
            out.out(format!("{}{mark}", place.name));
        }
        if self.number {
            out.out(format!("{number}{mark}"));
        }
        out.out(line);
        out.out("\n");
    }
}

impl Filter for Grep {
    fn line(&mut self, place: &Place<'_>, line: &[u8], _: bool, out: &mut Output) -> Next {
        self.line += 1;
        let found = self.matches(line);
        if found.is_empty() != self.invert {
            if self.left > 0 {
                self.left -= 1;
                self.last_shown = self.line;
                self.show(place, self.line, line, '-', out);
            } else if self.before > 0 {
                self.held.push((self.line, line.to_vec()));
                if self.held.len() > self.before {
                    self.held.remove(0);
                }
            }
            return Next::More;
        }
        self.found += 1;
        self.any = true;
        if self.quiet {
            return Next::Stop(0);
        }
        if self.count || self.list {
            return Next::More;
        }
        let first = self.held.first().map_or(self.line, |(number, _)| *number);
        if (self.before > 0 || self.after > 0) && self.last_shown > 0 && first > self.last_shown + 1 {
            out.out("--\n");
        }
        for (number, held) in std::mem::take(&mut self.held) {
            self.show(place, number, &held, '-', out);
        }
        if self.only {
            for (start, end) in found.iter().filter(|(start, end)| end > start) {
                self.show(place, self.line, line.get(*start..*end).unwrap_or_default(), ':', out);
            }
        } else {
            self.show(place, self.line, line, ':', out);
        }
        self.last_shown = self.line;
        self.left = self.after;
        if self.most.is_some_and(|most| self.found >= most) { Next::Stop(0) } else { Next::More }
    }

    fn file_end(&mut self, place: &Place<'_>, out: &mut Output) -> Next {
        if self.count && !self.quiet {
            let name = if (place.many || self.with_name) && !self.no_name {
                format!("{}:", place.name)
            } else {
                String::new()
            };
            out.out(format!("{name}{}\n", self.found));
        }
        if self.list && self.found > 0 {
            out.out(format!("{}\n", place.name));
        }
        (self.found, self.line, self.left, self.last_shown) = (0, 0, 0, 0);
        self.held.clear();
        Next::More
    }

    fn end(&mut self, _: &mut Sys<'_>, _: &mut Output) -> i32 {
        i32::from(!self.any)
    }
}

/// `grep -r`: which files there are is known when it runs.
#[derive(Clone)]
struct Recursive {
    grep: Grep,
    roots: Vec<String>,
}

impl Program for Recursive {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let roots = if self.roots.is_empty() { vec![String::new()] } else { self.roots.clone() };
        let mut output = Output::default();
        for root in roots {
            for path in super::files::walk(sys, if root.is_empty() { "." } else { &root }) {
                let Ok(content) = sys.files.read(sys.cwd, &path) else { continue };
                let name = if root.is_empty() { path.trim_start_matches("./") } else { &path };
                let place = Place { name, many: true };
                let text = content.strip_suffix(b"\n").unwrap_or(&content);
                for line in text.split(|byte| *byte == b'\n') {
                    if self.grep.line(&place, line, true, &mut output) != Next::More {
                        break;
                    }
                }
                self.grep.file_end(&place, &mut output);
            }
        }
        let code = self.grep.end(sys, &mut output);
        output.flush(sys).unwrap_or(Turn::Exit(code))
    }
}

/// A program that only complains.
#[derive(Clone)]
pub struct Told {
    pub text: String,
    pub code: i32,
}

impl Program for Told {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        sys.err(&self.text);
        Turn::Exit(self.code)
    }
}
