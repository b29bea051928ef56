//! sed: s, d, p, q, a, i, c, y, =, n; addresses by line, `$`, pattern, range, step; -n, -i, -E, -e. No branches, no hold space.

use super::grep::Told;
use super::{Filter, Filtering, Flags, Next, Output, Place};
use crate::base::gap;
use crate::process::{Program, Sys, Turn};
use crate::shell::Regex;

#[derive(Clone, Debug)]
enum Address {
    Line(u64),
    Last,
    Pattern(Regex),
    Step(u64, u64),
    Plus(u64),
}

#[derive(Clone, Debug)]
enum Action {
    Delete,
    Print,
    Quit,
    Next,
    Number,
    Append(String),
    Insert(String),
    Change(String),
    Map(Vec<(char, char)>),
    Substitute { regex: Regex, with: Vec<Piece>, all: bool, nth: usize, print: bool },
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Group(usize),
}

#[derive(Clone, Debug)]
struct Command {
    from: Option<Address>,
    to: Option<Address>,
    negate: bool,
    actions: Vec<Action>,
    active: Option<u64>,
}

#[derive(Clone)]
struct Sed {
    commands: Vec<Command>,
    quiet: bool,
    number: u64,
    /// A line is handled when the next is known, for `$`.
    held: Option<(Vec<u8>, bool)>,
}

pub fn program(args: &[String]) -> Box<dyn Program> {
    let mut flags = Flags::read(
        args,
        "ef",
        "nirEsuz",
        &[("quiet", 'n'), ("in-place", 'i'), ("regexp-extended", 'E'), ("expression", 'e')],
    );
    // The letters of `-i.bak` are a suffix, not flags.
    let mut scripts: Vec<String> = flags.set.iter().filter(|(c, _)| *c == 'e').map(|(_, text)| text.clone()).collect();
    if scripts.is_empty() && !flags.rest.is_empty() {
        scripts.push(flags.rest.remove(0));
    }
    let script = scripts.join("\n");
    let extended = flags.has('E') || flags.has('r');
    let mut reader = Reader { chars: script.chars().collect(), at: 0, extended };
    match reader.commands() {
        Ok(commands) => {
            let in_place = flags.has('i');
            let sed = Sed { commands, quiet: flags.has('n'), number: 0, held: None };
            if in_place { Box::new(InPlace { sed, files: flags.rest }) } else { Filtering::new("sed", sed, flags.rest) }
        }
        Err(reason) if reason.starts_with("not simulated") => Box::new(Told { text: format!("{reason}\n"), code: 1 }),
        Err(reason) => {
            Box::new(Told { text: format!("sed: -e expression #1, char {}: {reason}\n", reader.at), code: 1 })
        }
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    extended: bool,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip(&mut self, any: &str) {
        while self.peek().is_some_and(|c| any.contains(c)) {
            self.at += 1;
        }
    }

    fn number(&mut self) -> u64 {
        let digits: String = self.chars.iter().skip(self.at).take_while(|c| c.is_ascii_digit()).collect();
        self.at += digits.len();
        digits.parse().unwrap_or(0)
    }

    fn commands(&mut self) -> Result<Vec<Command>, String> {
        let mut commands = Vec::new();
        loop {
            self.skip(" \t\n;");
            if self.peek().is_none() {
                return Ok(commands);
            }
            let from = self.address()?;
            self.skip(" ");
            let mut to = None;
            if from.is_some() && self.peek() == Some(',') {
                self.at += 1;
                self.skip(" ");
                to = match self.peek() {
                    Some('+') => {
                        self.at += 1;
                        Some(Address::Plus(self.number()))
                    }
                    _ => self.address()?,
                };
                if to.is_none() {
                    return Err("unexpected `,'".into());
                }
            }
            self.skip(" ");
            let negate = self.peek() == Some('!');
            self.at += usize::from(negate);
            self.skip(" ");
            let mut actions = Vec::new();
            if self.peek() == Some('{') {
                self.at += 1;
                loop {
                    self.skip(" \t\n;");
                    match self.peek() {
                        None => return Err("unmatched `{'".into()),
                        Some('}') => break,
                        Some(_) => actions.push(self.action()?),
                    }
                }
                self.at += 1;
            } else {
                actions.push(self.action()?);
            }
            commands.push(Command { from, to, negate, actions, active: None });
        }
    }

    fn address(&mut self) -> Result<Option<Address>, String> {
        Ok(match self.peek() {
            Some(c) if c.is_ascii_digit() => {
                let first = self.number();
                if self.peek() == Some('~') {
                    self.at += 1;
                    Some(Address::Step(first, self.number()))
                } else {
                    Some(Address::Line(first))
                }
            }
            Some('$') => {
                self.at += 1;
                Some(Address::Last)
            }
            Some(c @ ('/' | '\\')) => {
                self.at += 1;
                let mark = if c == '\\' {
                    let mark = self.peek().unwrap_or('/');
                    self.at += 1;
                    mark
                } else {
                    '/'
                };
                let text = self.until(mark).ok_or("unterminated address regex")?;
                let fold = self.peek() == Some('I');
                self.at += usize::from(fold);
                Some(Address::Pattern(Regex::new(&text, self.extended, fold)?))
            }
            _ => None,
        })
    }

    fn until(&mut self, mark: char) -> Option<String> {
        let (mut text, mut in_set) = (String::new(), false);
        loop {
            let c = self.peek()?;
            self.at += 1;
            match c {
                '\\' => {
                    let next = self.peek()?;
                    self.at += 1;
                    if next != mark {
                        text.push('\\');
                    }
                    text.push(next);
                }
                c if c == mark && !in_set => return Some(text),
                c => {
                    match c {
                        '[' if !in_set => {
                            in_set = self.chars.iter().skip(self.at).take_while(|c| **c != '\n').any(|c| *c == ']')
                        }
                        ']' => in_set = false,
                        _ => {}
                    }
                    text.push(c);
                }
            }
        }
    }

    fn action(&mut self) -> Result<Action, String> {
        let Some(c) = self.peek() else { return Err("missing command".into()) };
        self.at += 1;
        let action = match c {
            'd' => Action::Delete,
            'p' => Action::Print,
            'q' => Action::Quit,
            'n' => Action::Next,
            '=' => Action::Number,
            'a' | 'i' | 'c' => {
                self.skip(" \t");
                if self.peek() == Some('\\') {
                    self.at += 1;
                    if self.peek() == Some('\n') {
                        self.at += 1;
                    }
                }
                let mut text = String::new();
                while let Some(c) = self.peek().filter(|c| *c != '\n') {
                    self.at += 1;
                    if c == '\\' {
                        match self.peek() {
                            Some('\n') => text.push('\n'),
                            Some('n') => text.push('\n'),
                            Some('t') => text.push('\t'),
                            Some(c) => text.push(c),
                            None => {}
                        }
                        self.at += 1;
                    } else {
                        text.push(c);
                    }
                }
                text.push('\n');
                return Ok(match c {
                    'a' => Action::Append(text),
                    'i' => Action::Insert(text),
                    _ => Action::Change(text),
                });
            }
            'y' => {
                let mark = self.peek().unwrap_or('/');
                self.at += 1;
                let from = self.until(mark).ok_or("unterminated `y' command")?;
                let to = self.until(mark).ok_or("unterminated `y' command")?;
                if from.chars().count() != to.chars().count() {
                    return Err("strings for `y' command are different lengths".into());
                }
                Action::Map(from.chars().zip(to.chars()).collect())
            }
            's' => {
                let mark = self.peek().unwrap_or('/');
                self.at += 1;
                let pattern = self.until(mark).ok_or("unterminated `s' command")?;
                let with = self.replacement(mark).ok_or("unterminated `s' command")?;
                let (mut all, mut fold, mut print, mut nth) = (false, false, false, 1);
                loop {
                    match self.peek() {
                        Some('g') => all = true,
                        Some('i' | 'I') => fold = true,
                        Some('p') => print = true,
                        Some(c) if c.is_ascii_digit() => {
                            nth = self.number() as usize;
                            continue;
                        }
                        Some(c) if c.is_ascii_alphabetic() => {
                            self.at += 1;
                            return Err("unknown option to `s'".into());
                        }
                        _ => break,
                    }
                    self.at += 1;
                }
                let regex = Regex::new(&pattern, self.extended, fold)?;
                let groups = pattern.matches('(').count();
                if let Some(Piece::Group(n)) = with.iter().find(|p| matches!(p, Piece::Group(n) if *n > groups)) {
                    return Err(format!("invalid reference \\{n} on `s' command's RHS"));
                }
                Action::Substitute { regex, with, all, nth, print }
            }
            c @ ('b' | 't' | 'h' | 'H' | 'g' | 'G' | 'x' | 'N' | 'D' | 'P' | ':' | 'r' | 'w') => {
                return Err(gap::line(&format!("sed: command `{c}'"), ""));
            }
            c => return Err(format!("unknown command: `{c}'")),
        };
        self.skip(" \t");
        match self.peek() {
            None | Some('\n' | ';' | '}' | '#') => Ok(action),
            Some(_) if matches!(action, Action::Substitute { .. }) => Err("unknown option to `s'".into()),
            Some(_) => Err("extra characters after command".into()),
        }
    }

    fn replacement(&mut self, mark: char) -> Option<Vec<Piece>> {
        let (mut pieces, mut text) = (Vec::new(), String::new());
        loop {
            let c = self.peek()?;
            self.at += 1;
            let group = match c {
                '\\' => {
                    let next = self.peek()?;
                    self.at += 1;
                    match next {
                        'n' => {
                            text.push('\n');
                            continue;
                        }
                        't' => {
                            text.push('\t');
                            continue;
                        }
                        digit if digit.is_ascii_digit() => digit.to_digit(10).unwrap_or(0) as usize,
                        other => {
                            text.push(other);
                            continue;
                        }
                    }
                }
                '&' => 0,
                c if c == mark => {
                    pieces.push(Piece::Text(text));
                    return Some(pieces);
                }
                c => {
                    text.push(c);
                    continue;
                }
            };
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Group(group));
        }
    }
}

impl Address {
    fn is_at(&self, number: u64, line: &[u8], last: bool) -> bool {
        match self {
            Address::Line(own) => *own == number,
            Address::Last => last,
            Address::Pattern(regex) => regex.is_match(line),
            Address::Step(first, step) => {
                number >= *first && (number - first).checked_rem(*step).unwrap_or(number - first) == 0
            }
            Address::Plus(_) => false,
        }
    }
}

impl Command {
    fn applies(&mut self, number: u64, line: &[u8], last: bool) -> bool {
        let inside = match (&self.from, &self.to, self.active) {
            (None, ..) => true,
            (Some(from), None, _) => from.is_at(number, line, last),
            (Some(_), Some(to), Some(start)) => {
                let ends = match to {
                    Address::Line(end) => number >= *end,
                    Address::Plus(count) => number >= start + count,
                    to => to.is_at(number, line, last),
                };
                let past = matches!(to, Address::Line(end) if number > *end);
                if ends {
                    self.active = None;
                }
                !past || self.from.as_ref().is_some_and(|from| from.is_at(number, line, last))
            }
            (Some(from), Some(to), None) => {
                let zero = matches!(from, Address::Line(0)) && number == 1;
                let starts = zero || from.is_at(number, line, last);
                let ends = match to {
                    Address::Line(end) => *end <= number,
                    Address::Plus(0) => true,
                    to => zero && to.is_at(number, line, last),
                };
                if starts && !ends {
                    self.active = Some(number);
                }
                starts
            }
        };
        inside != self.negate
    }
}

impl Sed {
    fn handle(&mut self, line: Vec<u8>, ended: bool, last: bool, out: &mut Output) -> Next {
        self.number += 1;
        let number = self.number;
        let mut line = line;
        let (mut after, mut deleted, mut quit) = (String::new(), false, false);
        let show = |out: &mut Output, line: &[u8]| {
            out.out(line);
            out.out(if ended || !last { "\n" } else { "" });
        };
        'commands: for command in &mut self.commands {
            if !command.applies(number, &line, last) {
                continue;
            }
            for action in &command.actions {
                match action {
                    Action::Delete => {
                        deleted = true;
                        break 'commands;
                    }
                    Action::Print => show(out, &line),
                    Action::Quit => {
                        quit = true;
                        break 'commands;
                    }
                    Action::Next => break 'commands,
                    Action::Number => out.out(format!("{number}\n")),
                    Action::Append(text) => after.push_str(text),
                    Action::Insert(text) => out.out(text),
                    Action::Change(text) => {
                        if command.active.is_none() {
                            out.out(text);
                        }
                        deleted = true;
                        break 'commands;
                    }
                    Action::Map(pairs) => {
                        let text = String::from_utf8_lossy(&line);
                        let map = |c: char| pairs.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to);
                        line = text.chars().map(map).collect::<String>().into_bytes();
                    }
                    Action::Substitute { regex, with, all, nth, print } => {
                        if let Some(new) = substitute(&line, regex, with, *all, *nth) {
                            line = new;
                            if *print {
                                show(out, &line);
                            }
                        }
                    }
                }
            }
        }
        if !self.quiet && !deleted {
            show(out, &line);
        }
        out.out(after);
        if quit { Next::Stop(0) } else { Next::More }
    }
}

fn substitute(line: &[u8], regex: &Regex, with: &[Piece], all: bool, nth: usize) -> Option<Vec<u8>> {
    let (mut out, mut from, mut copied, mut count) = (Vec::new(), 0, 0, 0);
    let mut changed = false;
    while from <= line.len() && out.len() < 1 << 20 {
        let Some(groups) = regex.find(line, from) else { break };
        let Some(Some((start, end))) = groups.first().copied() else { break };
        if start == end && start == copied && count > 0 && start > 0 {
            // An empty match right after a match does not count.
            from = end + 1;
            continue;
        }
        count += 1;
        if count >= nth.max(1) {
            out.extend(line.get(copied..start).unwrap_or_default());
            for piece in with {
                match piece {
                    Piece::Text(text) => out.extend(text.as_bytes()),
                    Piece::Group(n) => {
                        if let Some(Some((a, b))) = groups.get(*n) {
                            out.extend(line.get(*a..*b).unwrap_or_default());
                        }
                    }
                }
            }
            changed = true;
            copied = end;
            if !all {
                break;
            }
        }
        from = if end > start { end } else { end + 1 };
    }
    out.extend(line.get(copied..).unwrap_or_default());
    changed.then_some(out)
}

impl Filter for Sed {
    fn line(&mut self, _: &Place<'_>, line: &[u8], ended: bool, out: &mut Output) -> Next {
        match self.held.replace((line.to_vec(), ended)) {
            Some((line, ended)) => {
                let next = self.handle(line, ended, false, out);
                if next != Next::More {
                    // The line read ahead is not to be seen.
                    self.held = None;
                }
                next
            }
            None => Next::More,
        }
    }
    fn end(&mut self, _: &mut Sys<'_>, out: &mut Output) -> i32 {
        if let Some((line, ended)) = self.held.take() {
            self.handle(line, ended, true, out);
        }
        0
    }
}

#[derive(Clone)]
struct InPlace {
    sed: Sed,
    files: Vec<String>,
}

impl Program for InPlace {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let mut code = 0;
        for file in &self.files {
            let content = match sys.files.read(sys.cwd, file) {
                Ok(content) => content,
                Err(error) => {
                    let text = if error.text() == "Is a directory" {
                        format!("couldn't edit {file}: not a regular file")
                    } else {
                        format!("can't read {file}: {}", error.text())
                    };
                    sys.err(format!("sed: {text}\n"));
                    code = if error.text() == "Is a directory" { 4 } else { 2 };
                    continue;
                }
            };
            let mut sed = self.sed.clone();
            let mut out = Output::default();
            let text = content.strip_suffix(b"\n").unwrap_or(&content);
            let ended = content.ends_with(b"\n");
            let lines: Vec<&[u8]> =
                if content.is_empty() { Vec::new() } else { text.split(|byte| *byte == b'\n').collect() };
            let mut quit = None;
            for (at, line) in lines.iter().enumerate() {
                let last = at + 1 == lines.len();
                if sed.handle(line.to_vec(), ended || !last, last, &mut out) != Next::More {
                    quit = Some(at + 1);
                    break;
                }
            }
            let mut bytes: Vec<u8> = out.0.into_iter().flat_map(|(_, bytes)| bytes).collect();
            for line in lines.iter().skip(quit.unwrap_or(lines.len())) {
                bytes.extend(*line);
                bytes.push(b'\n');
            }
            if let Err(error) = sys.files.write(sys.now, sys.cwd, file, &bytes) {
                sys.err(format!("sed: couldn't open file {file}: {}\n", error.text()));
                code = 4;
            }
        }
        Turn::Exit(code)
    }
}
