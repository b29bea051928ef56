//! Regular expressions in the syntax of Go's regexp package (RE2), as far as configurations and schemas use it: groups (named and
//! not), classes, lazy repeats, flags, anchors. The first alternative that matches wins. A small machine visits each
//! pair of place and instruction once, so time grows with pattern × text.
//!
//! Left out: Unicode classes by script (`\p{Greek}`).

use std::cell::Cell;

use super::SmolStr;

const PROGRAM_LIMIT: usize = 5000;
const DEPTH_LIMIT: u32 = 60;
const REPEAT_LIMIT: u32 = 1000;
/// What a search may cost where nobody sets `left`.
const STEPS: u64 = 64 << 20;

#[derive(Clone, Debug)]
enum Step {
    Char(char),
    /// Any character; the flag lets it be a newline.
    Any(bool),
    Set(bool, Vec<(char, char)>),
    LineStart,
    LineEnd,
    TextStart,
    TextEnd,
    WordEdge(bool),
    Save(usize),
    /// The first is preferred.
    Split(usize, usize),
    Jump(usize),
    Match,
}

#[derive(Clone, Debug)]
enum Tree {
    Empty,
    Step(Step),
    Join(Vec<Tree>),
    Or(Vec<Tree>),
    Group(usize, Box<Tree>),
    /// Least, most, greedy.
    Repeat(Box<Tree>, u32, Option<u32>, bool),
}

#[derive(Clone, Copy, Default)]
struct Flags {
    fold: bool,
    lines: bool,
    dot_all: bool,
    swap: bool,
}

pub struct Regex {
    program: Vec<Step>,
    /// By number of the group; the first is the whole match.
    pub names: Vec<Option<SmolStr>>,
    /// Steps that searches may still take; without any they find nothing.
    pub left: Cell<u64>,
}

pub type Groups = Vec<Option<(usize, usize)>>;

struct Reader {
    chars: Vec<char>,
    at: usize,
    flags: Flags,
    names: Vec<Option<SmolStr>>,
    depth: u32,
}

impl Regex {
    pub fn new(pattern: &str) -> Result<Regex, String> {
        let mut reader =
            Reader { chars: pattern.chars().collect(), at: 0, flags: Flags::default(), names: vec![None], depth: 0 };
        let tree = reader.either()?;
        if reader.at < reader.chars.len() {
            return Err(format!("unexpected ) in {pattern}"));
        }
        let mut regex = Regex { program: Vec::new(), names: reader.names, left: Cell::new(STEPS) };
        regex.emit(&Tree::Group(0, Box::new(tree)))?;
        regex.push(Step::Match)?;
        Ok(regex)
    }

    fn push(&mut self, step: Step) -> Result<usize, String> {
        if self.program.len() >= PROGRAM_LIMIT {
            return Err("expression too large".into());
        }
        self.program.push(step);
        Ok(self.program.len() - 1)
    }

    fn patch(&mut self, at: usize, step: Step) {
        if let Some(slot) = self.program.get_mut(at) {
            *slot = step;
        }
    }

    fn emit(&mut self, tree: &Tree) -> Result<(), String> {
        match tree {
            Tree::Empty => {}
            Tree::Step(step) => {
                self.push(step.clone())?;
            }
            Tree::Join(all) => {
                for each in all {
                    self.emit(each)?;
                }
            }
            Tree::Group(number, inner) => {
                self.push(Step::Save(number * 2))?;
                self.emit(inner)?;
                self.push(Step::Save(number * 2 + 1))?;
            }
            Tree::Or(all) => {
                let mut jumps = Vec::new();
                for (index, each) in all.iter().enumerate() {
                    if index + 1 == all.len() {
                        self.emit(each)?;
                        break;
                    }
                    let split = self.push(Step::Match)?;
                    self.emit(each)?;
                    jumps.push(self.push(Step::Match)?);
                    let next = self.program.len();
                    self.patch(split, Step::Split(split + 1, next));
                }
                let end = self.program.len();
                for jump in jumps {
                    self.patch(jump, Step::Jump(end));
                }
            }
            Tree::Repeat(inner, least, most, greedy) => {
                for _ in 0..*least {
                    self.emit(inner)?;
                }
                let fork =
                    |body: usize, end: usize| if *greedy { Step::Split(body, end) } else { Step::Split(end, body) };
                match most {
                    None => {
                        let split = self.push(Step::Match)?;
                        self.emit(inner)?;
                        self.push(Step::Jump(split))?;
                        let end = self.program.len();
                        self.patch(split, fork(split + 1, end));
                    }
                    Some(most) => {
                        let mut splits = Vec::new();
                        for _ in *least..*most {
                            splits.push(self.push(Step::Match)?);
                            self.emit(inner)?;
                        }
                        let end = self.program.len();
                        for split in splits {
                            self.patch(split, fork(split + 1, end));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.find(text, 0).is_some()
    }

    /// The leftmost match at or after a byte offset.
    pub fn find(&self, text: &str, from: usize) -> Option<Groups> {
        let mut threads: Vec<(usize, Slots)> = Vec::new();
        let mut found: Option<Slots> = None;
        let mut at = from;
        let slots = self.names.len() * 2;
        loop {
            let cost = (self.program.len() / 8 + 4 + threads.len() * (slots + 8)) as u64;
            let left = self.left.get().saturating_sub(cost);
            self.left.set(left);
            if left == 0 {
                return None;
            }
            let c = text.get(at..).and_then(|rest| rest.chars().next());
            let mut seen = vec![false; self.program.len()];
            let mut now: Vec<(usize, Slots)> = Vec::new();
            for (step, saved) in std::mem::take(&mut threads) {
                self.follow(step, saved, text, at, &mut seen, &mut now);
            }
            if found.is_none() {
                self.follow(0, vec![None; slots], text, at, &mut seen, &mut now);
            }
            for (index, saved) in now {
                match self.program.get(index) {
                    Some(Step::Match) => {
                        found = Some(saved);
                        break;
                    }
                    Some(step) if c.is_some_and(|c| step.takes(c)) => threads.push((index + 1, saved)),
                    _ => {}
                }
            }
            match c {
                Some(c) if !threads.is_empty() || found.is_none() => at += c.len_utf8(),
                _ => break,
            }
        }
        let saved = found?;
        Some(saved.chunks(2).map(|pair| Some((*pair.first()?.as_ref()?, *pair.get(1)?.as_ref()?))).collect())
    }

    /// Takes steps that consume nothing, the preferred ones first.
    fn follow(
        &self,
        start: usize,
        saved: Slots,
        text: &str,
        at: usize,
        seen: &mut [bool],
        now: &mut Vec<(usize, Slots)>,
    ) {
        let mut stack = vec![(start, saved)];
        while let Some((index, mut saved)) = stack.pop() {
            match seen.get_mut(index) {
                Some(mark) if !*mark => *mark = true,
                _ => continue,
            }
            let Some(step) = self.program.get(index) else { continue };
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let after = text.get(at..).and_then(|tail| tail.chars().next());
            let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let passes = match step {
                Step::Jump(to) => {
                    stack.push((*to, saved));
                    continue;
                }
                Step::Split(first, second) => {
                    stack.push((*second, saved.clone()));
                    stack.push((*first, saved));
                    continue;
                }
                Step::Save(slot) => {
                    if let Some(place) = saved.get_mut(*slot) {
                        *place = Some(at);
                    }
                    true
                }
                Step::LineStart => before.is_none() || before == Some('\n'),
                Step::LineEnd => after.is_none() || after == Some('\n'),
                Step::TextStart => before.is_none(),
                Step::TextEnd => after.is_none(),
                Step::WordEdge(wanted) => (word(before) != word(after)) == *wanted,
                _ => {
                    now.push((index, saved));
                    continue;
                }
            };
            if passes {
                stack.push((index + 1, saved));
            }
        }
    }

    /// All matches that do not overlap.
    pub fn find_all(&self, text: &str) -> Vec<Groups> {
        let mut all = Vec::new();
        let mut at = 0;
        let mut last_end = None;
        while at <= text.len() && all.len() < 100_000 {
            let Some(groups) = self.find(text, at) else { break };
            let Some(Some((from, to))) = groups.first().copied() else { break };
            // An empty match right behind the one before does not count.
            if !(from == to && last_end == Some(from)) {
                all.push(groups);
            }
            last_end = Some(to);
            at = if to > from {
                to
            } else {
                to + text.get(to..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
            };
        }
        all
    }

    /// All matches replaced; `$1` and `${name}` stand for groups.
    pub fn replace(&self, text: &str, with: &str) -> Option<String> {
        let mut out = String::new();
        let mut last = 0;
        for groups in self.find_all(text) {
            let (from, to) = groups.first().copied().flatten()?;
            out.push_str(text.get(last..from)?);
            self.expand(text, &groups, with, &mut out);
            last = to;
            if out.len() as u64 > self.left.get() {
                self.left.set(0);
                return None;
            }
        }
        out.push_str(text.get(last..)?);
        Some(out)
    }

    fn expand(&self, text: &str, groups: &Groups, with: &str, out: &mut String) {
        let mut rest = with;
        while let Some(at) = rest.find('$') {
            out.push_str(rest.get(..at).unwrap_or_default());
            rest = rest.get(at + 1..).unwrap_or_default();
            if let Some(after) = rest.strip_prefix('$') {
                out.push('$');
                rest = after;
                continue;
            }
            let (name, after) = match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
                Some(pair) => pair,
                None => {
                    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                    (rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default())
                }
            };
            if name.is_empty() {
                out.push('$');
                continue;
            }
            rest = after;
            let number = match name.parse::<usize>() {
                Ok(number) => Some(number),
                Err(_) => self.names.iter().position(|own| own.as_deref() == Some(name)),
            };
            if let Some((from, to)) = number.and_then(|number| groups.get(number).copied().flatten()) {
                out.push_str(text.get(from..to).unwrap_or_default());
            }
        }
        out.push_str(rest);
    }
}

type Slots = Vec<Option<usize>>;

impl Step {
    fn takes(&self, c: char) -> bool {
        match self {
            Step::Char(own) => *own == c,
            Step::Any(newline) => *newline || c != '\n',
            Step::Set(negated, ranges) => ranges.iter().any(|(from, to)| *from <= c && c <= *to) != *negated,
            _ => false,
        }
    }
}

/// The ranges of `\d`, `\w`, `\s`; capital letters stand for everything else.
fn perl_class(c: char) -> Option<&'static [(char, char)]> {
    Some(match c.to_ascii_lowercase() {
        'd' => &[('0', '9')],
        'w' => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        's' => &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
        _ => return None,
    })
}

fn named_class(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "upper" => &[('A', 'Z')],
        "lower" => &[('a', 'z')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "graph" => &[('!', '~')],
        "print" => &[(' ', '~')],
        "ascii" => &[('\0', '\u{7f}')],
        "L" => &[('A', 'Z'), ('a', 'z'), ('\u{aa}', '\u{aa}'), ('\u{c0}', '\u{24f}'), ('\u{370}', '\u{1fff}')],
        "Lu" => &[('A', 'Z'), ('\u{c0}', '\u{de}')],
        "Ll" => &[('a', 'z'), ('\u{df}', '\u{ff}')],
        "N" | "Nd" => &[('0', '9')],
        _ => return None,
    })
}

/// What is in no range.
fn complement(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut sorted = ranges.to_vec();
    sorted.sort();
    let mut out = Vec::new();
    let mut next = Some('\0');
    for (from, to) in sorted {
        if let Some(start) = next
            && start < from
        {
            out.push((start, char::from_u32(from as u32 - 1).unwrap_or('\u{d7ff}')));
        }
        next = next.map(|next| next.max(char::from_u32(to as u32 + 1).unwrap_or(char::MAX)));
    }
    if let Some(start) = next {
        out.push((start, char::MAX));
    }
    out
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, c: char) -> bool {
        let here = self.peek() == Some(c);
        self.at += usize::from(here);
        here
    }

    fn rest(&self) -> String {
        self.chars.get(self.at..).unwrap_or_default().iter().collect()
    }

    fn all(&self) -> String {
        self.chars.iter().collect()
    }

    fn either(&mut self) -> Result<Tree, String> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err("expression nests too deeply".into());
        }
        let mut all = vec![self.joined()?];
        while self.take('|') {
            all.push(self.joined()?);
        }
        self.depth -= 1;
        Ok(match all.len() {
            1 => all.pop().unwrap_or(Tree::Empty),
            _ => Tree::Or(all),
        })
    }

    fn joined(&mut self) -> Result<Tree, String> {
        let mut all = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            let atom = self.atom()?;
            all.push(self.repeated(atom)?);
        }
        Ok(Tree::Join(all))
    }

    fn repeated(&mut self, atom: Tree) -> Result<Tree, String> {
        let mut tree = atom;
        let mut repeats = 0;
        loop {
            let at = self.at;
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => match self.counts() {
                    Some(counts) => counts,
                    None => return Ok(tree),
                },
                _ => return Ok(tree),
            };
            if self.at == at {
                self.at += 1;
            }
            repeats += 1;
            if repeats > 1 {
                let operators: String =
                    self.chars.get(at.saturating_sub(1)..self.at).unwrap_or_default().iter().collect();
                return Err(format!("invalid nested repetition operator: `{operators}`"));
            }
            if most.is_some_and(|most| least > most)
                || least > REPEAT_LIMIT
                || most.is_some_and(|most| most > REPEAT_LIMIT)
            {
                let counts: String = self.chars.get(at..self.at).unwrap_or_default().iter().collect();
                return Err(format!("invalid repeat count: `{counts}`"));
            }
            let greedy = !self.take('?') != self.flags.swap;
            tree = Tree::Repeat(Box::new(tree), least, most, greedy);
        }
    }

    /// `{2}`, `{2,}`, `{2,5}`; anything else is literal.
    fn counts(&mut self) -> Option<(u32, Option<u32>)> {
        let rest = self.rest();
        let inner = rest.strip_prefix('{')?.split_once('}')?.0;
        let digits = |text: &str| {
            (!text.is_empty() && text.len() < 8 && text.bytes().all(|b| b.is_ascii_digit()))
                .then(|| text.parse::<u32>().ok())
                .flatten()
        };
        let counts = match inner.split_once(',') {
            None => (digits(inner)?, Some(digits(inner)?)),
            Some((least, "")) => (digits(least)?, None),
            Some((least, most)) => (digits(least)?, Some(digits(most)?)),
        };
        self.at += inner.chars().count() + 2;
        Some(counts)
    }

    fn char(&self, c: char) -> Tree {
        if self.flags.fold && c.is_alphabetic() {
            let ranges: Vec<(char, char)> =
                [c].into_iter().chain(c.to_lowercase()).chain(c.to_uppercase()).map(|c| (c, c)).collect();
            return Tree::Step(Step::Set(false, ranges));
        }
        Tree::Step(Step::Char(c))
    }

    fn atom(&mut self) -> Result<Tree, String> {
        let Some(c) = self.peek() else { return Ok(Tree::Empty) };
        self.at += 1;
        Ok(match c {
            '.' => Tree::Step(Step::Any(self.flags.dot_all)),
            '^' => Tree::Step(if self.flags.lines { Step::LineStart } else { Step::TextStart }),
            '$' => Tree::Step(if self.flags.lines { Step::LineEnd } else { Step::TextEnd }),
            '*' | '+' | '?' => return Err(format!("missing argument to repetition operator: `{c}`")),
            '(' => return self.group(),
            '[' => return self.set(),
            '\\' => return self.escape(),
            c => self.char(c),
        })
    }

    fn group(&mut self) -> Result<Tree, String> {
        let kept = self.flags;
        let mut number = None;
        if self.take('?') {
            let rest = self.rest();
            if let Some(named) = rest.strip_prefix("P<").or_else(|| rest.strip_prefix('<')) {
                let Some((name, _)) = named.split_once('>') else {
                    return Err(format!("invalid named capture: `(?{rest}`"));
                };
                self.at += rest.chars().count() - named.chars().count() + name.chars().count() + 1;
                number = Some(self.names.len());
                self.names.push(Some(name.into()));
            } else {
                let mut on = true;
                loop {
                    let Some(c) = self.peek() else { return Err(format!("missing closing ): `{}`", self.all())) };
                    self.at += 1;
                    match c {
                        'i' => self.flags.fold = on,
                        'm' => self.flags.lines = on,
                        's' => self.flags.dot_all = on,
                        'U' => self.flags.swap = on,
                        '-' => on = false,
                        ':' => break,
                        // The flags hold for the rest of the group around.
                        ')' => return Ok(Tree::Empty),
                        _ => return Err(format!("invalid or unsupported Perl syntax: `(?{c}`")),
                    }
                }
            }
        } else {
            number = Some(self.names.len());
            self.names.push(None);
        }
        let inner = self.either()?;
        if !self.take(')') {
            return Err(format!("missing closing ): `{}`", self.all()));
        }
        self.flags = kept;
        Ok(match number {
            Some(number) => Tree::Group(number, Box::new(inner)),
            None => inner,
        })
    }

    fn escape(&mut self) -> Result<Tree, String> {
        let Some(c) = self.peek() else { return Err("trailing backslash at end of expression: ``".into()) };
        self.at += 1;
        if let Some(ranges) = perl_class(c) {
            return Ok(Tree::Step(Step::Set(c.is_ascii_uppercase(), ranges.to_vec())));
        }
        Ok(Tree::Step(match c {
            'b' => Step::WordEdge(true),
            'B' => Step::WordEdge(false),
            'A' => Step::TextStart,
            'z' => Step::TextEnd,
            'p' | 'P' => Step::Set(c == 'P', self.unicode_class()?),
            'Q' => {
                let rest = self.rest();
                let literal = rest.split_once("\\E").map_or(rest.as_str(), |(literal, _)| literal);
                self.at += literal.chars().count();
                if rest.len() > literal.len() {
                    self.at += 2;
                }
                return Ok(Tree::Join(literal.chars().map(|c| self.char(c)).collect()));
            }
            c => {
                let c = self.escaped_char(c)?;
                return Ok(self.char(c));
            }
        }))
    }

    fn unicode_class(&mut self) -> Result<Vec<(char, char)>, String> {
        let rest = self.rest();
        let (name, length) = match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((name, _)) => (name.to_owned(), name.chars().count() + 2),
            None => (rest.chars().take(1).collect(), 1),
        };
        self.at += length;
        match named_class(&name) {
            Some(ranges) => Ok(ranges.to_vec()),
            None => Err(format!("invalid character class range: `\\p{{{name}}}`")),
        }
    }

    fn escaped_char(&mut self, c: char) -> Result<char, String> {
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'x' => {
                let rest = self.rest();
                let (digits, length) = match rest.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
                    Some((digits, _)) => (digits.to_owned(), digits.chars().count() + 2),
                    None => (rest.chars().take(2).collect::<String>(), 2),
                };
                self.at += length;
                match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) {
                    Some(c) => c,
                    None => return Err(format!("invalid escape sequence: `\\x{digits}`")),
                }
            }
            c if c.is_ascii_punctuation() => c,
            c => return Err(format!("invalid escape sequence: `\\{c}`")),
        })
    }

    fn set(&mut self) -> Result<Tree, String> {
        let open = self.at - 1;
        let negated = self.take('^');
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut first = true;
        loop {
            let Some(c) = self.peek() else {
                let rest: String = self.chars.get(open..).unwrap_or_default().iter().collect();
                return Err(format!("missing closing ]: `{rest}`"));
            };
            self.at += 1;
            if c == ']' && !first {
                break;
            }
            first = false;
            let rest = self.rest();
            if c == '['
                && let Some((name, _)) = rest.strip_prefix(':').and_then(|inner| inner.split_once(":]"))
            {
                let plain = name.strip_prefix('^').unwrap_or(name);
                let Some(class) = named_class(plain) else {
                    return Err(format!("invalid character class range: `[:{name}:]`"));
                };
                self.at += name.chars().count() + 3;
                if plain.len() == name.len() {
                    ranges.extend(class)
                } else {
                    ranges.extend(complement(class))
                }
                continue;
            }
            let low = match c {
                '\\' => {
                    let Some(c) = self.peek() else { continue };
                    self.at += 1;
                    if let Some(class) = perl_class(c) {
                        if c.is_ascii_uppercase() {
                            ranges.extend(complement(class))
                        } else {
                            ranges.extend(class)
                        }
                        continue;
                    }
                    if c == 'p' || c == 'P' {
                        let class = self.unicode_class()?;
                        if c == 'P' {
                            ranges.extend(complement(&class))
                        } else {
                            ranges.extend(class)
                        }
                        continue;
                    }
                    self.escaped_char(c)?
                }
                c => c,
            };
            let mut high = low;
            if self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']') {
                self.at += 1;
                let c = self.peek().unwrap_or(low);
                self.at += 1;
                high = if c == '\\' {
                    let c = self.peek().unwrap_or('\\');
                    self.at += 1;
                    self.escaped_char(c)?
                } else {
                    c
                };
                if high < low {
                    return Err(format!("invalid character class range: `{low}-{high}`"));
                }
            }
            ranges.push((low, high));
        }
        if self.flags.fold {
            let folded: Vec<(char, char)> = ranges
                .iter()
                .flat_map(|(from, to)| {
                    let lower = (from.to_ascii_lowercase(), to.to_ascii_lowercase());
                    let upper = (from.to_ascii_uppercase(), to.to_ascii_uppercase());
                    [lower, upper]
                })
                .filter(|(from, to)| from <= to)
                .collect();
            ranges.extend(folded);
        }
        Ok(Tree::Step(Step::Set(negated, ranges)))
    }
}
