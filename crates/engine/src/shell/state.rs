//! What a shell knows: variables, functions, options, jobs, and where it is in its script.

use std::collections::VecDeque;

use crate::base::BTreeMap;
use std::sync::Arc;

use super::ast::{Command, List, Pipeline};
use super::parse::is_name;
use super::{Flavour, arithmetic};
use crate::base::Time;
use crate::process::{Pid, Signal, Sink, Source, Stream, Sys};

const VALUE_LIMIT: usize = 4 << 20;
const VALUES_LIMIT: usize = 16 << 20;
/// Ends the complaint about a variable that outgrew these.
pub const NO_MEMORY: &str = "cannot allocate memory";

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variable {
    pub value: String,
    pub array: Option<BTreeMap<i64, String>>,
    pub exported: bool,
    pub read_only: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub errexit: bool,
    pub nounset: bool,
    pub xtrace: bool,
    pub pipefail: bool,
    pub noglob: bool,
    pub nullglob: bool,
    pub verbose: bool,
    pub interactive: bool,
    /// Prompts are marked (OSC 133), so that the terminal's owner can tell them from output.
    pub marks: bool,
    /// Tell each top-level command before it runs (`$ command`).
    pub echo: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Streams {
    pub stdin: Source,
    pub stdout: Sink,
    pub stderr: Sink,
    pub more: BTreeMap<u32, Sink>,
}

#[derive(Clone, Debug)]
pub struct Job {
    pub number: u32,
    pub pid: Pid,
    pub text: Arc<str>,
    pub done: Option<i32>,
}

/// A text that is read command by command.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: Arc<str>,
    /// In characters.
    pub at: usize,
    pub line: u32,
    /// `-c`, a file's name, or nothing for standard input.
    pub name: Option<String>,
    pub top: bool,
}

#[derive(Clone, Debug)]
pub enum Frame {
    Text(Text),
    /// Commands come from standard input; what has been read of an unfinished one.
    Input {
        typed: String,
        line: u32,
    },
    List {
        list: List,
        at: usize,
        top: bool,
    },
    Chain {
        chain: Arc<super::ast::Chain>,
        at: usize,
    },
    Negate,
    /// The end of a pipeline with `time` before it: when it began, and whether in the form of POSIX.
    Timed(Time, bool),
    Pipeline(Arc<Pipeline>),
    Command(Arc<Command>),
    /// Children that run in the foreground; their codes; whether the last alone decides.
    Wait {
        pids: Vec<Pid>,
        codes: Vec<Option<i32>>,
    },
    If {
        command: Arc<Command>,
        at: usize,
        deciding: bool,
    },
    While {
        command: Arc<Command>,
        deciding: bool,
        last: i32,
    },
    For {
        command: Arc<Command>,
        words: Arc<Vec<String>>,
        at: usize,
    },
    ForArithmetic {
        command: Arc<Command>,
        started: bool,
    },
    CaseFall {
        command: Arc<Command>,
        arm: usize,
    },
    /// Puts the streams back, lets go of pipes.
    Restore {
        streams: Streams,
        pipes: Vec<u32>,
    },
    Call {
        positional: Vec<String>,
        locals: BTreeMap<String, Option<Variable>>,
        function: bool,
    },
    /// Puts variables back that stood before a command.
    Variables(Vec<(String, Option<Variable>)>),
    /// Puts `$?` back after a trap.
    Status(i32),
    /// Collects what a substitution writes.
    Collect {
        pipe: u32,
        pid: Pid,
        bytes: Vec<u8>,
        ended: bool,
        file: bool,
    },
    Read(super::builtins::Reading),
    WaitJobs {
        pids: Vec<Pid>,
    },
    Exit,
}

#[derive(Clone)]
pub struct Shell {
    pub flavour: Flavour,
    pub name: String,
    pub variables: BTreeMap<String, Variable>,
    pub values: usize,
    pub positional: Vec<String>,
    pub functions: BTreeMap<String, Arc<Command>>,
    pub aliases: BTreeMap<String, String>,
    pub options: Options,
    pub status: i32,
    pub root_pid: Option<Pid>,
    pub last_background: Option<Pid>,
    pub jobs: Vec<Job>,
    pub traps: BTreeMap<String, String>,
    pub caught: VecDeque<Signal>,
    /// When Ctrl+C came while a command ran in the foreground.
    pub struck: Option<Time>,
    pub frames: Vec<Frame>,
    pub streams: Option<Streams>,
    /// What substitutions have given for the command that is being expanded, and how many of them are used.
    pub results: Vec<String>,
    pub used: usize,
    pub undo: Vec<(String, Option<Variable>)>,
    pub substituted: Option<i32>,
    pub output: VecDeque<(Stream, Vec<u8>)>,
    pub line: u32,
    pub started: Option<Time>,
    pub is_child: bool,
    pub exiting: Option<i32>,
    pub history: Vec<String>,
    pub files_made: u32,
    pub command_text: bool,
    pub getopts_at: usize,
}

impl Shell {
    pub fn new(name: &str, flavour: Flavour) -> Shell {
        Shell {
            flavour,
            name: name.to_string(),
            variables: BTreeMap::new(),
            values: 0,
            positional: Vec::new(),
            functions: BTreeMap::new(),
            aliases: BTreeMap::new(),
            options: Options::default(),
            status: 0,
            root_pid: None,
            last_background: None,
            jobs: Vec::new(),
            traps: BTreeMap::new(),
            caught: VecDeque::new(),
            struck: None,
            frames: Vec::new(),
            streams: None,
            results: Vec::new(),
            used: 0,
            undo: Vec::new(),
            substituted: None,
            output: VecDeque::new(),
            line: 0,
            started: None,
            is_child: false,
            exiting: None,
            history: Vec::new(),
            files_made: 0,
            command_text: false,
            getopts_at: 0,
        }
    }

    pub fn is_bash(&self) -> bool {
        self.flavour == Flavour::Bash
    }

    pub fn out(&mut self, text: impl AsRef<[u8]>) {
        self.output.push_back((Stream::Out, text.as_ref().to_vec()));
    }

    pub fn err(&mut self, text: impl AsRef<[u8]>) {
        self.output.push_back((Stream::Err, text.as_ref().to_vec()));
    }

    /// A complaint with the beginning this shell gives it.
    pub fn complain(&mut self, message: &str) {
        let text = match self.flavour {
            Flavour::Bash if self.options.interactive => format!("bash: {message}\n"),
            Flavour::Bash => format!("{}: line {}: {message}\n", self.name, self.line.max(1)),
            Flavour::Busybox if self.command_text || self.options.interactive => format!("{}: {message}\n", self.name),
            Flavour::Busybox => format!("{}: line {}: {message}\n", self.name, self.line.max(1)),
            Flavour::Coreutils => format!("{}: {}: {message}\n", self.name, self.line.max(1)),
        };
        self.err(text);
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let variable = self.variables.get(name)?;
        match &variable.array {
            Some(array) => array.get(&0).map(String::as_str),
            None => Some(&variable.value),
        }
    }

    /// Sets a variable; the reason if it cannot be.
    pub fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        let old = self.variables.get(name);
        if old.is_some_and(|variable| variable.read_only) {
            return Err(format!("{name}: {}", if self.is_bash() { "readonly variable" } else { "is read only" }));
        }
        let before = old.map_or(0, |variable| variable.value.len());
        if value.len() > VALUE_LIMIT || (self.values + value.len()).saturating_sub(before) > VALUES_LIMIT {
            return Err(format!("{name}: {NO_MEMORY}"));
        }
        self.values = (self.values + value.len()).saturating_sub(before);
        let variable = self.variables.entry(name.to_string()).or_default();
        match &mut variable.array {
            Some(array) => {
                array.insert(0, value);
            }
            None => variable.value = value,
        }
        Ok(())
    }

    pub fn put_back(&mut self, name: String, old: Option<Variable>) {
        match old {
            Some(variable) => {
                self.variables.insert(name, variable);
            }
            None => {
                self.variables.remove(&name);
            }
        }
    }

    pub fn env(&self) -> crate::process::Env {
        self.variables
            .iter()
            // ash and dash keep nothing whose name could not be set.
            .filter(|(name, variable)| variable.exported && (self.flavour == Flavour::Bash || is_name(name)))
            .map(|(name, variable)| (name.clone(), variable.value.clone()))
            .collect()
    }

    /// Evaluates an expression; assignments can be undone while a command is being expanded.
    pub fn evaluate(&mut self, text: &str) -> Result<i64, String> {
        let mut names = Names { shell: self, failed: None };
        let value = arithmetic::evaluate(text, &mut names)?;
        match names.failed {
            Some(reason) => Err(reason),
            None => Ok(value),
        }
    }

    pub fn in_function(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame, Frame::Call { function: true, .. }))
    }

    /// Remembers a variable's value if it is set by an expansion.
    pub fn remember(&mut self, name: &str) {
        let old = self.variables.get(name).cloned();
        self.undo.push((name.to_string(), old));
    }

    pub fn undo(&mut self) {
        while let Some((name, old)) = self.undo.pop() {
            self.put_back(name, old);
        }
    }

    pub fn streams(&mut self, sys: &Sys<'_>) -> Streams {
        let (stdin, stdout, stderr) = sys.streams();
        self.streams.get_or_insert(Streams { stdin, stdout, stderr, more: BTreeMap::new() }).clone()
    }
}

struct Names<'a> {
    shell: &'a mut Shell,
    failed: Option<String>,
}

impl arithmetic::Names for Names<'_> {
    fn get(&mut self, name: &str) -> String {
        self.shell.get(name).unwrap_or_default().to_string()
    }

    fn set(&mut self, name: &str, value: i64) {
        self.shell.remember(name);
        if let Err(reason) = self.shell.set(name, value.to_string()) {
            self.failed = Some(reason);
        }
    }
}
