//! The small tools. Most are `once` (all work in one turn) or `filter` (input piece by piece).

mod awk;
mod checksum;
mod compare;
mod expr;
mod files;
mod filters;
mod grep;
mod net;
mod numbers;
mod sed;
mod system;
mod tar;

use std::collections::VecDeque;

use super::Flavour;
use super::state::{Frame, Shell, Text};
use crate::base::gap;
use crate::process::{NoProgram, Program, Read, Stream, Sys, Turn, Wait, Written};

pub use net::program as network;
pub use tar::gather_files;

pub fn program(name: &str, args: &[String], flavour: Flavour) -> Result<Box<dyn Program>, NoProgram> {
    if let Some(complaint) = complaint(name, args, flavour) {
        return Ok(Box::new(complaint));
    }
    if let Some(program) = filters::program(name, args, flavour)
        .or_else(|| checksum::program(name, args))
        .or_else(|| system::program(name, args, flavour))
        .or_else(|| if name == "curl" && flavour != Flavour::Bash { None } else { net::program(name, args, flavour) })
    {
        return Ok(program);
    }
    if name == "tar" {
        return Ok(tar::program());
    }
    // Tools of the network and of the kernel are in containers alone.
    let inside = flavour == Flavour::Busybox || !matches!(name, "ip" | "mount");
    let system = || system::once(name).filter(|_| inside);
    let expr = || (name == "expr").then_some(expr::run as Run);
    if let Some(run) = files::find(name).or_else(expr).or_else(system).or_else(|| compare::find(name)) {
        return Ok(Box::new(Once { run, flavour, output: Output::default(), code: None }));
    }
    // What the real machine or image has.
    const KNOWN: &str = "gzip gunzip zip dd stress vi vim nano less more top mount df du ip ping nslookup openssl python3 \
         jq git perl comm join split csplit shuf factor od xxd hexdump \
         strings file tree fold fmt pr expand unexpand column install mktemp truncate stat watch free uptime \
         w who cal bc dc ssh scp rsync sudo su apt apt-get dpkg systemctl journalctl service crontab lsof \
         strace dig host traceroute netstat ss ifconfig route telnet script screen tmux unzip xz bzip2 patch \
         make gcc cc ed emacs man info pgrep pkill killall nice renice flock chroot unshare nsenter tsort \
         cksum sum numfmt logger vmstat";
    const BUSYBOX: &str = "gzip gunzip zcat dd vi less more top mount umount df du ip ping nslookup \
         comm split shuf factor od xxd hexdump strings tree fold expand unexpand install \
         mktemp truncate stat watch free uptime w who cal bc dc su crontab lsof netstat ifconfig route telnet \
         traceroute script unzip xz bzip2 patch ed man pgrep pkill killall nice renice flock chroot nsenter \
         unshare cksum sum logger httpd adduser";
    const COREUTILS: &str = "gzip gunzip dd more mount umount df du perl comm join split \
         csplit shuf factor od fold fmt pr expand unexpand install mktemp truncate stat apt apt-get dpkg nice \
         renice flock chroot nsenter unshare tsort cksum sum numfmt logger su who script";
    let known = match flavour {
        Flavour::Bash => KNOWN,
        Flavour::Busybox => BUSYBOX,
        Flavour::Coreutils => COREUTILS,
    };
    if known.split(' ').any(|known| known == name) {
        return Err(NoProgram::Gap(gap::line(&format!("program: {name}"), instead(name))));
    }
    Err(NoProgram::NotFound)
}

/// What does the same here.
pub fn instead(name: &str) -> &'static str {
    match name {
        "watch" => "kubectl get --watch tells every change, and a loop with sleep runs a command again",
        "jq" | "python3" | "perl" => {
            "kubectl's -o jsonpath and -o custom-columns pick out fields, awk and sed change text"
        }
        "vi" | "vim" | "nano" | "ed" | "emacs" => {
            "write files with cat and a here-document, or change them with sed -i"
        }
        "column" => "column -t is there",
        "less" | "more" => "output can be scrolled; head, tail and grep show parts of it",
        _ => "",
    }
}

/// What GNU tools say of arguments they cannot work with.
fn complaint(name: &str, args: &[String], flavour: Flavour) -> Option<grep::Told> {
    if flavour == Flavour::Busybox {
        return None;
    }
    // Letters that take a value, letters that do not, exit code.
    let (with, without, code) = match name {
        "head" => ("nc", "qvz", 1),
        "tail" => ("nc", "qvfFz", 1),
        "cut" => ("dfcb", "snz", 1),
        "tr" => ("", "dscCt", 1),
        "wc" => ("", "lwcmL", 1),
        "uniq" => ("fsw", "cduiDz", 1),
        "sort" => ("ktoST", "nrufbhVcCsziMgRdm", 2),
        "tee" => ("", "aip", 1),
        "mkdir" => ("mZ", "pv", 1),
        "rmdir" => ("", "pv", 1),
        "touch" => ("drt", "acmhf", 1),
        "truncate" => ("s", "c", 1),
        "ln" => ("tS", "sfnvirTLPbd", 1),
        "readlink" => ("", "femnqsvz", 1),
        "realpath" => ("", "emLPqsz", 1),
        "basename" => ("s", "az", 1),
        "dirname" => ("", "z", 1),
        "chmod" => return operands(name, args.iter().skip(1).filter(|arg| !arg.starts_with("-R")).collect(), 2, 1),
        "nohup" => return operands(name, args.iter().skip(1).collect(), 1, 125),
        _ => return None,
    };
    let mut rest = Vec::new();
    let (mut words, mut values) = (args.iter().skip(1), Vec::new());
    let told = |text: String, help: bool| {
        let help = if help { format!("Try '{name} --help' for more information.\n") } else { String::new() };
        Some(grep::Told { text: format!("{name}: {text}\n{help}"), code })
    };
    while let Some(word) = words.next() {
        if word == "--" {
            rest.extend(words);
            break;
        }
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            rest.push(word);
            continue;
        };
        if letters.starts_with('-')
            || matches!(name, "head" | "tail") && letters.starts_with(|c: char| c.is_ascii_digit())
        {
            if let Some((long, value)) = letters.split_once('=') {
                values.push((long.chars().nth(1).map_or(' ', |c| c), value.to_string()));
            } else {
                values.push((letters.chars().nth(1).map_or(' ', |c| c), String::new()));
            }
            continue;
        }
        for (at, letter) in letters.char_indices() {
            if with.contains(letter) {
                let inline = letters.get(at + letter.len_utf8()..).unwrap_or_default();
                let value = if inline.is_empty() { words.next().cloned() } else { Some(inline.to_string()) };
                let Some(value) = value else {
                    return told(format!("option requires an argument -- '{letter}'"), true);
                };
                values.push((letter, value));
                break;
            }
            if !without.contains(letter) {
                return told(format!("invalid option -- '{letter}'"), true);
            }
            values.push((letter, String::new()));
        }
    }
    let has = |letter: char| values.iter().any(|(own, _)| *own == letter);
    match name {
        "head" | "tail" => {
            let is_number = |text: &str| {
                let digits = text.trim_start_matches(['-', '+']).trim_end_matches(['k', 'K', 'M', 'G', 'b', 'B']);
                !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
            };
            let bad = args.iter().any(|arg| arg.starts_with("--"));
            let (letter, value) = values.iter().find(|(letter, value)| "nc".contains(*letter) && !is_number(value))?;
            let noun = if *letter == 'n' { "lines" } else { "bytes" };
            if bad { None } else { told(format!("invalid number of {noun}: ‘{value}’"), false) }
        }
        "cut" => {
            let lists: Vec<&(char, String)> = values.iter().filter(|(letter, _)| "fcb".contains(*letter)).collect();
            match lists.as_slice() {
                [] => told("you must specify a list of bytes, characters, or fields".into(), true),
                [(letter, list)] => {
                    if has('d') && *letter != 'f' {
                        let text = "an input delimiter may be specified only when operating on fields";
                        return told(text.into(), true);
                    }
                    if values.iter().any(|(letter, value)| *letter == 'd' && value.chars().count() > 1)
                        && !args.iter().any(|arg| arg.starts_with("--"))
                    {
                        return told("the delimiter must be a single character".into(), true);
                    }
                    let noun = if *letter == 'f' { "field" } else { "byte/character" };
                    let bad = list.split([',', '-']).find(|part| !part.chars().all(|c| c.is_ascii_digit()))?;
                    if args.iter().any(|arg| arg.starts_with("--")) {
                        return None;
                    }
                    told(format!("invalid {noun} value ‘{bad}’"), true)
                }
                _ => told("only one list may be specified".into(), true),
            }
        }
        "tr" => match rest.as_slice() {
            [] => told("missing operand".into(), true),
            [one] if !has('d') && !has('s') && !args.iter().any(|arg| arg.starts_with("--")) => {
                let text = format!("missing operand after ‘{one}’\nTwo strings must be given when translating.");
                told(text, true)
            }
            _ => None,
        },
        "touch" | "truncate" | "ln" if rest.is_empty() => told("missing file operand".into(), true),
        "mkdir" | "rmdir" | "readlink" | "realpath" | "basename" | "dirname" => operands(name, rest, 1, code),
        _ => None,
    }
}

fn operands(name: &str, rest: Vec<&String>, least: usize, code: i32) -> Option<grep::Told> {
    let text = match rest.last() {
        _ if rest.len() >= least => return None,
        None => format!("{name}: missing operand\nTry '{name} --help' for more information.\n"),
        Some(last) => format!("{name}: missing operand after ‘{last}’\nTry '{name} --help' for more information.\n"),
    };
    Some(grep::Told { text, code })
}

/// What a program still has to write.
#[derive(Clone, Default)]
pub struct Output(VecDeque<(Stream, Vec<u8>)>);

impl Output {
    pub fn out(&mut self, bytes: impl AsRef<[u8]>) {
        self.put(Stream::Out, bytes.as_ref());
    }

    pub fn err(&mut self, bytes: impl AsRef<[u8]>) {
        self.put(Stream::Err, bytes.as_ref());
    }

    fn put(&mut self, stream: Stream, bytes: &[u8]) {
        match self.0.back_mut() {
            Some((last, text)) if *last == stream => text.extend(bytes),
            _ => self.0.push_back((stream, bytes.to_vec())),
        }
    }

    /// Writes; the turn to take if it could not all be written.
    pub fn flush(&mut self, sys: &mut Sys<'_>) -> Option<Turn> {
        while let Some((stream, bytes)) = self.0.front() {
            if !bytes.is_empty() {
                match sys.write(*stream, bytes) {
                    Written::All => {}
                    Written::Full => return Some(Turn::Wait(vec![Wait::Room])),
                    Written::Broken => return Some(Turn::Exit(141)),
                    Written::NoSpace => return Some(no_space(sys)),
                }
            }
            self.0.pop_front();
        }
        None
    }
}

pub type Run = fn(&mut Sys<'_>, Flavour, &mut Output) -> i32;

#[derive(Clone)]
struct Once {
    run: Run,
    flavour: Flavour,
    output: Output,
    code: Option<i32>,
}

impl Program for Once {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let code = match self.code {
            Some(code) => code,
            None => (self.run)(sys, self.flavour, &mut self.output),
        };
        self.code = Some(code);
        self.output.flush(sys).unwrap_or(Turn::Exit(code))
    }
}

/// What a filter says after a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    More,
    Stop(i32),
}

/// A tool fed with lines (line end taken off; the flag tells whether there was one) of its files or standard input.
pub trait Filter: Clone + Send + Sync + 'static {
    fn line(&mut self, place: &Place<'_>, line: &[u8], ended: bool, out: &mut Output) -> Next;
    /// A file has ended.
    fn file_end(&mut self, _place: &Place<'_>, _out: &mut Output) -> Next {
        Next::More
    }
    fn end(&mut self, sys: &mut Sys<'_>, out: &mut Output) -> i32;
    /// Whether line ends matter: otherwise pieces come as they are.
    fn by_line(&self) -> bool {
        true
    }
}

pub struct Place<'a> {
    pub name: &'a str,
    pub many: bool,
}

#[derive(Clone)]
pub struct Filtering<F> {
    name: &'static str,
    flavour: Flavour,
    filter: F,
    files: VecDeque<String>,
    many: bool,
    current: Option<Vec<u8>>,
    at: usize,
    output: Output,
    failed: i32,
    code: Option<i32>,
    missing: i32,
}

impl<F: Filter> Filtering<F> {
    #[expect(clippy::new_ret_no_self, reason = "a program is held in a box from its start")]
    pub fn new(name: &'static str, filter: F, files: Vec<String>) -> Box<dyn Program> {
        Filtering::of(Flavour::Coreutils, name, filter, files)
    }

    pub fn of(flavour: Flavour, name: &'static str, filter: F, files: Vec<String>) -> Box<dyn Program> {
        let files: VecDeque<String> = if files.is_empty() { VecDeque::from(["-".to_string()]) } else { files.into() };
        let missing = if name == "grep" {
            2
        } else if name == "sed" || name == "awk" {
            2
        } else {
            1
        };
        let many = files.len() > 1;
        Box::new(Filtering {
            name,
            flavour,
            filter,
            many,
            files,
            current: None,
            at: 0,
            output: Output::default(),
            failed: 0,
            code: None,
            missing,
        })
    }

    fn stop(&mut self, sys: &mut Sys<'_>, code: Option<i32>) {
        let end = self.filter.end(sys, &mut self.output);
        let code = code.unwrap_or(end);
        self.code = Some(if self.failed > 0 { self.failed } else { code });
    }
}

impl<F: Filter> Program for Filtering<F> {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        // Pieces of devices that never end are large.
        let mut devices = 0;
        let mut left = 400;
        while left > 0 {
            left -= 1;
            if let Some(turn) = self.output.flush(sys) {
                return turn;
            }
            if devices > 16 {
                break;
            }
            if let Some(code) = self.code {
                return Turn::Exit(code);
            }
            let endless = |name: &String| matches!(name.as_str(), "/dev/zero" | "/dev/urandom" | "/dev/random");
            devices += usize::from(self.files.front().is_some_and(endless));
            // What is read of chance is dear to whoever looks at it.
            devices += if self.files.front().is_some_and(|name| name.ends_with("random")) { 3 } else { 0 };
            let Some(name) = self.files.front().cloned() else {
                self.stop(sys, None);
                continue;
            };
            let standard = name == "-" || name == "/dev/stdin";
            let shown = if standard { "(standard input)" } else { &name };
            let place = Place { name: shown, many: self.many };
            let mut next = Next::More;
            if standard {
                let read = if self.filter.by_line() { sys.read_line() } else { sys.read(1 << 15) };
                match read {
                    Read::Empty => return Turn::Wait(vec![Wait::Input]),
                    Read::End => {
                        next = self.filter.file_end(&place, &mut self.output);
                        self.files.pop_front();
                    }
                    Read::Data(mut bytes) => loop {
                        let line = bytes.strip_suffix(b"\n").filter(|_| self.filter.by_line());
                        next = self.filter.line(&place, line.unwrap_or(&bytes), line.is_some(), &mut self.output);
                        // Lines of which nothing is said follow each other at once.
                        if left == 0
                            || !matches!(next, Next::More)
                            || !self.filter.by_line()
                            || !self.output.0.is_empty()
                        {
                            break;
                        }
                        left -= 1;
                        match sys.read_line() {
                            Read::Data(more) => bytes = more,
                            Read::Empty => return Turn::Wait(vec![Wait::Input]),
                            Read::End => {
                                next = self.filter.file_end(&place, &mut self.output);
                                self.files.pop_front();
                                break;
                            }
                        }
                    },
                }
            } else if let Some(content) = &self.current {
                let rest = content.get(self.at..).unwrap_or_default();
                if rest.is_empty() {
                    next = self.filter.file_end(&place, &mut self.output);
                    self.files.pop_front();
                    (self.current, self.at) = (None, 0);
                } else if self.filter.by_line() {
                    let end = rest.iter().position(|byte| *byte == b'\n');
                    let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                    next = self.filter.line(&place, line, end.is_some(), &mut self.output);
                    self.at += line.len() + usize::from(end.is_some());
                } else {
                    let piece = rest.get(..rest.len().min(1 << 15)).unwrap_or_default();
                    next = self.filter.line(&place, piece, false, &mut self.output);
                    self.at += piece.len();
                }
            } else if name == "/dev/zero" && self.filter.by_line() && self.name != "head" {
                // A line without end fills all memory there is.
                sys.starve();
                return Turn::Wait(vec![Wait::Signal]);
            } else if name == "/dev/zero" {
                next = self.filter.line(&place, &[0; 1 << 12], false, &mut self.output);
            } else if matches!(name.as_str(), "/dev/urandom" | "/dev/random") {
                let bytes = sys.chance.bytes("urandom", 1 << 10);
                match bytes.iter().position(|byte| *byte == b'\n').filter(|_| self.filter.by_line()) {
                    Some(end) => {
                        next = self.filter.line(&place, bytes.get(..end).unwrap_or_default(), true, &mut self.output)
                    }
                    None => next = self.filter.line(&place, &bytes, false, &mut self.output),
                }
            } else if name == "/dev/null" {
                self.current = Some(Vec::new());
            } else if matches!(self.name, "cat" | "grep") && writes_into(sys, &name) {
                let text =
                    if self.name == "cat" { "input file is output file" } else { "input file is also the output" };
                self.output.err(format!("{}: {name}: {text}\n", self.name));
                self.failed = self.missing;
                self.files.pop_front();
            } else {
                match sys.files.read(sys.cwd, &name) {
                    Ok(content) => (self.current, self.at) = (Some(content.to_vec()), 0),
                    Err(error) => {
                        let busybox = self.flavour == Flavour::Busybox;
                        let text = match (self.name, error.text()) {
                            ("cat" | "tail", "Is a directory") if busybox => "read error: Is a directory".into(),
                            ("cat" | "tail", text) if busybox => format!("can't open '{name}': {text}"),
                            (_, text) if busybox => format!("{name}: {text}"),
                            ("head" | "tail", "Is a directory") => format!("error reading '{name}': Is a directory"),
                            ("head" | "tail", text) => format!("cannot open '{name}' for reading: {text}"),
                            ("sed", "Is a directory") => format!("couldn't edit {name}: not a regular file"),
                            ("sed", text) => format!("can't read {name}: {text}"),
                            ("sort", text) => format!("cannot read: {name}: {text}"),
                            ("tac", text) => format!("failed to open '{name}' for reading: {text}"),
                            ("rev", text) => format!("cannot open {name}: {text}"),
                            (_, text) => format!("{name}: {text}"),
                        };
                        self.output.err(format!("{}: {text}\n", self.name));
                        self.failed = self.missing;
                        self.files.pop_front();
                    }
                }
            }
            if let Next::Stop(code) = next {
                self.stop(sys, Some(code));
            }
        }
        Turn::Again
    }
}

/// The end of a program whose output has no room.
pub fn no_space(sys: &mut Sys<'_>) -> Turn {
    let name = sys.args.first().map(String::as_str).unwrap_or_default();
    let text = format!("{name}: write error: No space left on device\n");
    sys.err(text);
    Turn::Exit(1)
}

/// Whether standard output goes to the end of this file, which has content.
fn writes_into(sys: &Sys<'_>, name: &str) -> bool {
    let (_, stdout, _) = sys.streams();
    let crate::process::Sink::File(path) = stdout else { return false };
    sys.files.resolve(sys.cwd, name).is_ok_and(|here| sys.files.resolve("/", &path) == Ok(here))
        && sys.files.read(sys.cwd, name).is_ok_and(|content| !content.is_empty())
}

/// A shell that is still to read its script.
#[derive(Clone)]
pub struct ScriptFile {
    path: String,
    shell: Box<Shell>,
    begun: bool,
}

impl ScriptFile {
    pub fn new(path: String, shell: Shell) -> ScriptFile {
        ScriptFile { path, shell: Box::new(shell), begun: false }
    }
}

impl Program for ScriptFile {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if !self.begun {
            self.begun = true;
            match sys.files.read_text(sys.cwd, &self.path) {
                Ok(text) => {
                    let path = self.path.clone();
                    self.shell.name = path.clone();
                    let text = Text { text: text.into(), at: 0, line: 1, name: Some(path), top: true };
                    self.shell.frames.push(Frame::Text(text));
                }
                Err(error) => {
                    let name = self.shell.name.clone();
                    let (text, code) = match self.shell.flavour {
                        Flavour::Bash if error.text() == "Is a directory" => {
                            (format!("{p}: {p}: Is a directory\n", p = self.path), 126)
                        }
                        Flavour::Bash => (format!("{name}: {}: {}\n", self.path, error.text()), 127),
                        Flavour::Busybox => (format!("{name}: can't open '{}': {}\n", self.path, error.text()), 2),
                        Flavour::Coreutils => (format!("{name}: 0: cannot open {}: No such file\n", self.path), 2),
                    };
                    sys.err(text);
                    return Turn::Exit(code);
                }
            }
        }
        self.shell.resume(sys)
    }
}

/// Flags and operands as getopt reads them: which letters are there, values of those in `with`, the rest.
pub struct Flags {
    pub set: Vec<(char, String)>,
    pub rest: Vec<String>,
    pub unknown: Option<String>,
}

impl Flags {
    pub fn read(args: &[String], with: &str, without: &str, long: &[(&str, char)]) -> Flags {
        let mut flags = Flags { set: Vec::new(), rest: Vec::new(), unknown: None };
        let mut args = args.iter().skip(1);
        while let Some(arg) = args.next() {
            if arg == "--" {
                flags.rest.extend(args.cloned());
                break;
            }
            if let Some(name) = arg.strip_prefix("--") {
                let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
                match long.iter().find(|(long, _)| *long == name) {
                    Some((_, letter)) => {
                        let value = match value {
                            Some(value) => value.to_string(),
                            None if with.contains(*letter) => args.next().cloned().unwrap_or_default(),
                            None => String::new(),
                        };
                        flags.set.push((*letter, value));
                    }
                    None => flags.unknown = Some(format!("unrecognized option '{arg}'")),
                }
                continue;
            }
            let Some(letters) = arg.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                flags.rest.push(arg.clone());
                continue;
            };
            for (at, letter) in letters.char_indices() {
                if with.contains(letter) {
                    let inline = letters.get(at + letter.len_utf8()..).unwrap_or_default();
                    let value =
                        if inline.is_empty() { args.next().cloned().unwrap_or_default() } else { inline.to_string() };
                    flags.set.push((letter, value));
                    break;
                }
                if !without.contains(letter) {
                    flags.unknown = Some(format!("invalid option -- '{letter}'"));
                }
                flags.set.push((letter, String::new()));
            }
        }
        flags
    }

    pub fn has(&self, letter: char) -> bool {
        self.set.iter().any(|(own, _)| *own == letter)
    }

    pub fn value(&self, letter: char) -> Option<&str> {
        self.set.iter().rev().find(|(own, _)| *own == letter).map(|(_, value)| value.as_str())
    }

    pub fn number(&self, letter: char) -> Option<i64> {
        self.value(letter).and_then(|text| text.trim_start_matches('+').parse().ok())
    }
}
