//! The step machine: what is to be done lies on a stack of frames, so that a shell can stop anywhere and be cloned.

mod assign;
mod children;
mod input;
mod jobs;
mod redirect;

use crate::base::BTreeMap;
use std::sync::Arc;

use super::ast::{Assign, Command, Condition, Join, Kind, List, Part, Redirect, RedirectKind, Value};
use super::expand::Halt;
use super::parse::{ErrorKind, Parser, SyntaxError};
use super::pattern::Pattern;
use super::state::{Frame, Job, NO_MEMORY, Shell, Streams, Text, Variable};
use super::{Flavour, builtins, test};
use crate::process::{NoProgram, Pid, Program, Read, Signal, Sink, Source, Spawn, Sys, Turn, Wait, Written};

use redirect::Redirected;

const STEPS: u32 = 200;
const FRAMES_LIMIT: usize = 4000;
const COLLECT_LIMIT: usize = 4 << 20;

pub enum Flow {
    Go,
    Wait(Vec<Wait>),
    Exit(i32),
}

impl Program for Shell {
    fn names(&self) -> (Vec<(&str, &str)>, Vec<&str>) {
        let aliases = self.aliases.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        (aliases.collect(), self.variables.keys().map(String::as_str).collect())
    }

    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if self.streams.is_none() {
            self.begin(sys);
        }
        if let Some(turn) = self.signals(sys) {
            return turn;
        }
        for _ in 0..STEPS {
            if let Some(turn) = self.flush(sys) {
                return turn;
            }
            match self.step(sys) {
                Flow::Go => {}
                Flow::Wait(mut waits) => {
                    // A job that has ended is known as such, or it would wake the shell for ever.
                    self.reap_jobs(sys);
                    if let Some(turn) = self.flush(sys) {
                        return turn;
                    }
                    waits.extend(self.jobs.iter().filter(|job| job.done.is_none()).map(|job| Wait::Child(job.pid)));
                    return Turn::Wait(waits);
                }
                Flow::Exit(code) => {
                    self.exiting = Some(code);
                    self.frames.clear();
                    self.frames.push(Frame::Exit);
                    if let Some(turn) = self.flush(sys) {
                        return turn;
                    }
                    return Turn::Exit(code);
                }
            }
        }
        Turn::Again
    }
}

impl Shell {
    fn begin(&mut self, sys: &mut Sys<'_>) {
        self.streams(sys);
        if self.started.is_none() {
            self.started = Some(sys.now);
            self.root_pid = Some(sys.pid);
            for (name, value) in sys.env.iter() {
                let variable = Variable { value: value.clone(), exported: true, ..Variable::default() };
                self.variables.insert(name.clone(), variable);
            }
            let defaults = [("PWD", sys.cwd.clone()), ("IFS", " \t\n".into()), ("OPTIND", "1".into())];
            for (name, value) in defaults {
                let variable = self.variables.entry(name.into()).or_default();
                variable.value = value;
                variable.exported |= name == "PWD";
            }
            if self.flavour == Flavour::Busybox {
                let variable = self.variables.entry("SHLVL".into()).or_default();
                variable.value = variable.value.parse::<u32>().unwrap_or(0).saturating_add(1).to_string();
                variable.exported = true;
            }
            if self.frames.is_empty() {
                self.options.interactive |= sys.is_owner_input() && sys.terminal.is_some();
                self.frames.push(Frame::Input { typed: String::new(), line: 1 });
                if self.options.interactive {
                    self.prompt(sys, false);
                }
            }
        }
    }

    pub(super) fn signals(&mut self, sys: &mut Sys<'_>) -> Option<Turn> {
        while let Some(signal) = sys.signal() {
            match self.traps.get(signal_name(signal)) {
                Some(action) if action.is_empty() => {}
                Some(_) => self.caught.push_back(signal),
                None if signal == Signal::Winch => {}
                None if self.options.interactive && !self.is_child => {
                    if signal == Signal::Int && matches!(self.frames.last(), Some(Frame::Wait { .. })) {
                        // What runs in the foreground says how it took it.
                        self.struck = Some(sys.now);
                    } else if signal == Signal::Int {
                        self.interrupted(sys);
                    } else if signal == Signal::Hup {
                        sys.put_back(signal);
                        return Some(Turn::Again);
                    }
                }
                None => {
                    if self.traps.contains_key("EXIT") && signal != Signal::Kill {
                        // The exit trap runs before the end.
                        self.unwind_all(sys);
                        self.finish(128 + signal as i32);
                        continue;
                    }
                    sys.put_back(signal);
                    return Some(Turn::Again);
                }
            }
        }
        None
    }

    /// Ctrl+C at a prompt: what runs is given up.
    pub(super) fn interrupted(&mut self, sys: &mut Sys<'_>) {
        while self.frames.len() > 1 {
            // One prompt comes back, not one for each thing that is given up.
            if matches!(self.frames.last(), Some(Frame::Status(-1))) {
                self.frames.pop();
            } else {
                self.drop_frame(sys);
            }
        }
        self.status = 130;
        self.results.clear();
        if let Some(Frame::Input { typed, .. }) = self.frames.last_mut() {
            typed.clear();
        }
        self.prompt(sys, false);
    }

    fn flush(&mut self, sys: &mut Sys<'_>) -> Option<Turn> {
        if let Some(streams) = &self.streams {
            sys.redirect(streams.stdin.clone(), streams.stdout.clone(), streams.stderr.clone());
        }
        while let Some((stream, bytes)) = self.output.front() {
            match sys.write(*stream, bytes) {
                Written::All => {
                    self.output.pop_front();
                }
                Written::Full => return Some(Turn::Wait(vec![Wait::Room])),
                Written::NoSpace if *stream == crate::process::Stream::Out => {
                    self.output.pop_front();
                    self.complain("write error: No space left on device");
                    self.status = 1;
                }
                Written::Broken | Written::NoSpace => {
                    self.output.clear();
                    return Some(Turn::Exit(141));
                }
            }
        }
        None
    }

    fn step(&mut self, sys: &mut Sys<'_>) -> Flow {
        if self.frames.len() > FRAMES_LIMIT {
            self.unwind_all(sys);
            self.complain("maximum nesting level exceeded");
            return self.finish(1);
        }
        if !self.caught.is_empty() && !matches!(self.frames.last(), Some(Frame::Wait { .. } | Frame::Collect { .. })) {
            self.run_trap();
        }
        let Some(frame) = self.frames.pop() else { return self.finish(self.status) };
        match frame {
            Frame::Exit => Flow::Exit(self.exiting.unwrap_or(self.status)),
            Frame::Text(text) => self.next_text(sys, text),
            Frame::Input { typed, line } => self.next_input(sys, typed, line),
            Frame::List { list, at, top } => self.next_item(sys, list, at, top),
            Frame::Chain { chain, at } => {
                let next = chain.rest.get(at.wrapping_sub(1)).map(|(join, pipeline)| (*join, pipeline.clone()));
                let pipeline = match (at, next) {
                    (0, _) => Some(chain.first.clone()),
                    (_, Some((join, pipeline))) => {
                        let run = (join == Join::And) == (self.status == 0);
                        if !run {
                            self.frames.push(Frame::Chain { chain, at: at + 1 });
                            return Flow::Go;
                        }
                        Some(pipeline)
                    }
                    _ => None,
                };
                if let Some(pipeline) = pipeline {
                    if at < chain.rest.len() {
                        self.frames.push(Frame::Chain { chain, at: at + 1 });
                    }
                    self.frames.push(Frame::Pipeline(pipeline));
                }
                Flow::Go
            }
            Frame::Negate => {
                self.status = i32::from(self.status == 0);
                Flow::Go
            }
            Frame::Timed(start, plain) => {
                let millis = (sys.now - start).as_millis();
                let (minutes, seconds) = (millis / 60_000, millis % 60_000);
                self.err(match plain {
                    true => format!("real {}.{:02}\nuser 0.00\nsys 0.00\n", millis / 1000, millis % 1000 / 10),
                    false => format!(
                        "\nreal\t{minutes}m{}.{:03}s\nuser\t0m0.000s\nsys\t0m0.000s\n",
                        seconds / 1000,
                        seconds % 1000
                    ),
                });
                Flow::Go
            }
            Frame::Pipeline(pipeline) => {
                if let Some(plain) = pipeline.timed {
                    self.frames.push(Frame::Timed(sys.now, plain));
                }
                if pipeline.negate {
                    self.frames.push(Frame::Negate);
                }
                match pipeline.commands.as_slice() {
                    [command] => {
                        self.frames.push(Frame::Command(command.clone()));
                        Flow::Go
                    }
                    commands => self.pipeline(sys, commands),
                }
            }
            Frame::Command(command) => self.command(sys, command),
            Frame::Wait { pids, codes } => self.wait_children(sys, pids, codes),
            Frame::If { command, at, deciding } => self.if_step(command, at, deciding),
            Frame::While { command, deciding, last } => {
                let Kind::While { until, condition, body } = &command.kind else { return Flow::Go };
                let (condition, body, until) = (condition.clone(), body.clone(), *until);
                if deciding {
                    if (self.status == 0) == until {
                        self.status = last;
                        return Flow::Go;
                    }
                    self.frames.push(Frame::While { command, deciding: false, last });
                    self.push_list(body);
                } else {
                    let last = self.status;
                    self.frames.push(Frame::While { command, deciding: true, last });
                    self.push_list(condition);
                }
                Flow::Go
            }
            Frame::For { command, words, at } => {
                let Kind::For { name, body, .. } = &command.kind else { return Flow::Go };
                let Some(word) = words.get(at) else { return Flow::Go };
                let (name, body) = (name.clone(), body.clone());
                if let Err(reason) = self.set(&name, word.clone()) {
                    return self.fail(sys, &reason);
                }
                self.frames.push(Frame::For { command, words, at: at + 1 });
                self.push_list(body);
                Flow::Go
            }
            Frame::ForArithmetic { command, started } => self.for_arithmetic(sys, command, started),
            Frame::CaseFall { command, arm } => {
                let Kind::Case { arms, .. } = &command.kind else { return Flow::Go };
                if let Some(arm_found) = arms.get(arm) {
                    let (body, falls) = (arm_found.body.clone(), arm_found.falls);
                    if falls {
                        self.frames.push(Frame::CaseFall { command, arm: arm + 1 });
                    }
                    self.push_list(body);
                }
                Flow::Go
            }
            frame @ (Frame::Restore { .. } | Frame::Call { .. } | Frame::Variables(_) | Frame::Status(_)) => {
                self.leave(sys, frame);
                Flow::Go
            }
            Frame::Collect { pipe, pid, bytes, ended, file } => self.collect(sys, pipe, pid, bytes, ended, file),
            Frame::Read(reading) => builtins::read_step(self, sys, reading),
            Frame::WaitJobs { pids } => self.wait_jobs(sys, pids),
        }
    }

    pub fn push_list(&mut self, list: List) {
        self.frames.push(Frame::List { list, at: 0, top: false });
    }

    fn next_item(&mut self, sys: &mut Sys<'_>, list: List, at: usize, top: bool) -> Flow {
        self.reap_jobs(sys);
        // A failed command ends a shell with `set -e`; which ones count is told by the frames below.
        let Some(item) = list.get(at) else { return Flow::Go };
        let (chain, background, text) = (item.chain.clone(), item.background, item.text.clone());
        if at + 1 < list.len() {
            self.frames.push(Frame::List { list, at: at + 1, top });
        }
        if background {
            let mut child = self.child();
            child.frames = vec![Frame::Chain { chain, at: 0 }];
            let mut streams = self.streams(sys);
            if !self.options.interactive {
                streams.stdin = Source::Null;
            }
            match self.fork(sys, child, streams) {
                Ok(pid) => {
                    let number = self.jobs.iter().map(|job| job.number).max().unwrap_or(0) + 1;
                    self.jobs.push(Job { number, pid, text, done: None });
                    self.last_background = Some(pid);
                    self.status = 0;
                    if self.options.interactive {
                        self.err(format!("[{number}] {pid}\n"));
                    }
                }
                Err(()) => self.status = 254,
            }
            return Flow::Go;
        }
        self.frames.push(Frame::Chain { chain, at: 0 });
        Flow::Go
    }

    /// `set -e`
    fn check_errexit(&mut self, sys: &mut Sys<'_>) -> Flow {
        if self.status == 0 || !self.options.errexit {
            return Flow::Go;
        }
        let excused = self.frames.iter().any(|frame| match frame {
            Frame::If { deciding, .. } | Frame::While { deciding, .. } => *deciding,
            Frame::Chain { .. } | Frame::Negate => true,
            _ => false,
        });
        if excused {
            return Flow::Go;
        }
        let status = self.status;
        self.unwind_all(sys);
        self.finish(status)
    }

    fn if_step(&mut self, command: Arc<Command>, at: usize, deciding: bool) -> Flow {
        let Kind::If(branches) = &command.kind else { return Flow::Go };
        let next = if deciding && self.status == 0 {
            branches.get(at).map(|(_, body)| (None, body.clone()))
        } else {
            let at = if deciding { at + 1 } else { at };
            match branches.get(at) {
                Some((Some(condition), _)) => Some((Some(at), condition.clone())),
                Some((None, body)) => Some((None, body.clone())),
                None => None,
            }
        };
        match next {
            Some((Some(at), condition)) => {
                self.frames.push(Frame::If { command, at, deciding: true });
                self.push_list(condition);
            }
            Some((None, body)) => self.push_list(body),
            None => self.status = 0,
        }
        Flow::Go
    }

    fn for_arithmetic(&mut self, sys: &mut Sys<'_>, command: Arc<Command>, started: bool) -> Flow {
        let Kind::ForArithmetic { parts, body } = &command.kind else { return Flow::Go };
        let [first, condition, step] = parts;
        let before = if started { step } else { first };
        let result = (|| {
            self.used = 0;
            let text = self.text(sys, before)?;
            self.evaluate(&text).map_err(Halt::Fail)?;
            let text = self.text(sys, condition)?;
            if text.trim().is_empty() { Ok(1) } else { self.evaluate(&text).map_err(Halt::Fail) }
        })();
        self.undo.clear();
        match result {
            Ok(0) => Flow::Go,
            Ok(_) => {
                let body = body.clone();
                self.frames.push(Frame::ForArithmetic { command, started: true });
                self.push_list(body);
                Flow::Go
            }
            Err(Halt::Fail(reason)) => self.fail(sys, &reason),
            Err(Halt::Need(..)) => self.fail(sys, "command substitution in for (( )) is not simulated here"),
        }
    }

    /// Ends the shell: the exit trap first.
    pub fn finish(&mut self, code: i32) -> Flow {
        self.frames.clear();
        self.exiting = Some(code & 255);
        self.status = code & 255;
        self.frames.push(Frame::Exit);
        if let Some(action) = self.traps.remove("EXIT")
            && !action.is_empty()
        {
            self.frames.push(Frame::Status(self.status));
            self.push_text(&action, "trap");
        }
        Flow::Go
    }

    pub fn push_text(&mut self, text: &str, name: &str) {
        let line = self.line.max(1);
        let name = Some(name.to_string());
        self.frames.push(Frame::Text(Text { text: text.into(), at: 0, line, name, top: false }));
    }

    fn run_trap(&mut self) {
        if let Some(signal) = self.caught.pop_front()
            && let Some(action) = self.traps.get(signal_name(signal)).cloned()
        {
            self.frames.push(Frame::Status(self.status));
            self.push_text(&action, "trap");
        }
    }

    pub fn unwind_all(&mut self, sys: &mut Sys<'_>) {
        while let Some(frame) = self.frames.last() {
            // No prompt comes back.
            if matches!(frame, Frame::Status(-1)) {
                self.frames.pop();
            } else {
                self.drop_frame(sys);
            }
        }
    }

    /// Takes the top frame away with what its end needs.
    pub fn drop_frame(&mut self, sys: &mut Sys<'_>) {
        if let Some(frame) = self.frames.pop() {
            if let Frame::Collect { pipe, pid, .. } = frame {
                sys.release(pipe);
                sys.kill(pid, Signal::Pipe);
            } else {
                self.leave(sys, frame);
            }
        }
    }

    fn leave(&mut self, sys: &mut Sys<'_>, frame: Frame) {
        match frame {
            Frame::Restore { streams, pipes } => {
                self.streams = Some(streams);
                for pipe in pipes {
                    sys.release(pipe);
                }
            }
            Frame::Call { positional, locals, function } => {
                if function {
                    self.positional = positional;
                }
                for (name, old) in locals {
                    self.put_back(name, old);
                }
            }
            Frame::Variables(saved) => {
                for (name, old) in saved {
                    self.put_back(name, old);
                }
            }
            Frame::Status(-1) => self.prompt(sys, false),
            Frame::Status(status) => self.status = status,
            _ => {}
        }
    }

    /// An expansion or assignment failed: a script ends, a prompt comes back.
    pub fn fail(&mut self, sys: &mut Sys<'_>, reason: &str) -> Flow {
        // A missing parameter ends bash with 127, other failures with 1.
        let missing = reason.strip_prefix(super::expand::MISSING);
        if reason.ends_with(NO_MEMORY) && sys.is_container() {
            // The kernel ends what outgrows its container.
            sys.starve();
            return Flow::Wait(vec![Wait::Signal]);
        }
        self.complain(missing.unwrap_or(reason));
        self.results.clear();
        self.used = 0;
        self.undo.clear();
        let at_prompt = self.options.interactive && !self.is_child;
        let code = match (self.is_bash(), missing) {
            (false, _) => 2,
            (true, Some(_)) if !at_prompt && self.command_text => 127,
            (true, _) => 1,
        };
        // A script goes on after the line.
        let in_script = self.is_bash() && missing.is_none() && !self.is_child && !self.command_text;
        let top = |frame: &Frame| matches!(frame, Frame::Text(text) if text.top);
        let kept = match at_prompt {
            true => Some(2),
            false => self.frames.iter().rposition(top).filter(|_| in_script).map(|at| at + 1),
        };
        if let Some(kept) = kept {
            while self.frames.len() > kept {
                self.drop_frame(sys);
            }
            self.status = code;
            return Flow::Go;
        }
        self.unwind_all(sys);
        self.finish(code)
    }

    /// Handles an expansion that stopped: runs what it needs and comes back to the command.
    fn halt(&mut self, sys: &mut Sys<'_>, command: Arc<Command>, halt: Halt) -> Flow {
        match halt {
            Halt::Fail(reason) => self.fail(sys, &reason),
            Halt::Need(list, file) => {
                self.undo();
                self.frames.push(Frame::Command(command));
                self.start_collect(sys, list, file)
            }
        }
    }

    /// The command's expansion is done: nothing of it is kept.
    fn expanded(&mut self) {
        self.results.clear();
        self.used = 0;
        self.undo.clear();
    }

    fn command(&mut self, sys: &mut Sys<'_>, command: Arc<Command>) -> Flow {
        self.line = command.line;
        self.used = 0;
        if self.results.is_empty() {
            self.substituted = None;
        }
        if let Kind::Simple { .. } = command.kind {
            return match self.simple(sys, &command) {
                Ok(flow) => flow,
                Err(halt) => self.halt(sys, command, halt),
            };
        }
        let redirected = match self.redirect(sys, &command.redirects) {
            Ok(redirected) => redirected,
            Err(Redirected::Halt(halt)) => return self.halt(sys, command, halt),
            Err(Redirected::Failed(reason)) => {
                self.expanded();
                self.complain(&reason);
                self.status = 1;
                return self.check_errexit(sys);
            }
        };
        let before = self.streams(sys);
        // What the head of the command needs is expanded before the streams change.
        let head = (|| {
            Ok(match &command.kind {
                Kind::For { words, .. } => Head::Words(match words {
                    Some(words) => self.fields(sys, words)?,
                    None => self.positional.clone(),
                }),
                Kind::Case { word, arms } => {
                    let text = self.text(sys, word)?;
                    let mut found = None;
                    'arms: for (at, arm) in arms.iter().enumerate() {
                        for pattern in &arm.patterns {
                            if Pattern::new(&self.pattern(sys, pattern)?).matches(&text) {
                                found = Some(at);
                                break 'arms;
                            }
                        }
                    }
                    Head::Arm(found)
                }
                Kind::Arithmetic(word) => {
                    let text = self.text(sys, word)?;
                    Head::Number(self.evaluate(&text).map_err(|reason| Halt::Fail(format!("((: {reason}")))?)
                }
                Kind::Test(condition) => Head::Number(i64::from(self.condition(sys, condition)?)),
                _ => Head::None,
            })
        })();
        let head = match head {
            Ok(head) => head,
            Err(halt) => return self.halt(sys, command, halt),
        };
        self.expanded();
        if let Some((streams, pipes)) = redirected {
            self.frames.push(Frame::Restore { streams: before, pipes });
            self.streams = Some(streams);
        }
        match (&command.kind, head) {
            (Kind::If(_), _) => self.frames.push(Frame::If { command, at: 0, deciding: false }),
            (Kind::While { condition, .. }, _) => {
                let condition = condition.clone();
                self.frames.push(Frame::While { command, deciding: true, last: 0 });
                self.push_list(condition);
            }
            (_, Head::Words(words)) => {
                self.status = 0;
                self.frames.push(Frame::For { command, words: Arc::new(words), at: 0 });
            }
            (_, Head::Arm(arm)) => {
                self.status = 0;
                if let Some(arm) = arm {
                    self.frames.push(Frame::CaseFall { command, arm });
                }
            }
            (Kind::ForArithmetic { .. }, _) => self.frames.push(Frame::ForArithmetic { command, started: false }),
            (_, Head::Number(number)) => {
                self.status = i32::from(number == 0);
                return self.check_errexit(sys);
            }
            (Kind::Group(list), _) => {
                let list = list.clone();
                self.push_list(list);
            }
            (Kind::Subshell(list), _) => {
                let mut child = self.child();
                child.frames = vec![Frame::List { list: list.clone(), at: 0, top: false }];
                let streams = self.streams(sys);
                match self.fork(sys, child, streams) {
                    Ok(pid) => self.frames.push(Frame::Wait { pids: vec![pid], codes: vec![None] }),
                    Err(()) => self.status = 254,
                }
            }
            (Kind::Function { name, body }, _) => {
                self.functions.insert(name.clone(), body.clone());
                self.status = 0;
            }
            _ => {}
        }
        Flow::Go
    }

    fn simple(&mut self, sys: &mut Sys<'_>, command: &Arc<Command>) -> Result<Flow, Halt> {
        let Kind::Simple { assigns, words } = &command.kind else { return Ok(Flow::Go) };
        let args = self.fields(sys, words)?;
        for assign in assigns {
            self.remember(&assign.name);
        }
        let saved: Vec<(String, Option<Variable>)> =
            assigns.iter().map(|assign| (assign.name.clone(), self.variables.get(&assign.name).cloned())).collect();
        let redirected = match self.redirect(sys, &command.redirects) {
            Ok(redirected) => redirected,
            Err(Redirected::Halt(halt)) => return Err(halt),
            Err(Redirected::Failed(reason)) => {
                self.expanded();
                self.complain(&reason);
                self.status = 1;
                return Ok(self.check_errexit(sys));
            }
        };
        for assign in assigns {
            if let Err(halt) = self.assign(sys, assign) {
                if let (Some((_, pipes)), true) = (&redirected, matches!(halt, Halt::Need(..))) {
                    pipes.iter().for_each(|pipe| sys.release(*pipe));
                }
                return Err(halt);
            }
        }
        self.expanded();
        if self.options.xtrace {
            let shown: Vec<String> = saved
                .iter()
                .map(|(name, _)| format!("{name}={}", quote(self.get(name).unwrap_or_default())))
                .chain(args.iter().map(|arg| quote(arg)))
                .collect();
            self.err(format!("+ {}\n", shown.join(" ")));
        }
        let Some(name) = args.first().cloned() else {
            if let Some((_, pipes)) = redirected {
                pipes.iter().for_each(|pipe| sys.release(*pipe));
            }
            self.status = self.substituted.take().unwrap_or(0);
            return Ok(self.check_errexit(sys));
        };
        for assign in assigns {
            if let Some(variable) = self.variables.get_mut(&assign.name) {
                variable.exported = true;
            }
        }
        if let Some(function) = self.functions.get(&name).cloned() {
            if self.frames.iter().filter(|frame| matches!(frame, Frame::Call { .. })).count() > 500 {
                self.complain(&format!("{name}: maximum function nesting level exceeded (500)"));
                // bash gives up the command it read last, and goes on with the next.
                let reads = |frame: &Frame| matches!(frame, Frame::Text(Text { top: true, .. }) | Frame::Input { .. });
                while self.frames.last().is_some_and(|frame| !reads(frame)) {
                    self.drop_frame(sys);
                }
                self.expanded();
                self.status = 1;
                return Ok(Flow::Go);
            }
            self.frames.push(Frame::Variables(saved));
            self.push_redirected(sys, redirected);
            let positional = std::mem::replace(&mut self.positional, args.into_iter().skip(1).collect());
            self.frames.push(Frame::Call { positional, locals: BTreeMap::new(), function: true });
            self.frames.push(Frame::Command(function));
            return Ok(Flow::Go);
        }
        if let Some(builtin) = builtins::find(&name, self.flavour) {
            let special = name == "exec" && args.len() == 1;
            if special {
                if let Some((streams, _)) = redirected {
                    self.streams = Some(streams);
                }
                self.status = 0;
                return Ok(Flow::Go);
            }
            if !builtins::keeps_assigns(&name) {
                self.frames.push(Frame::Variables(saved));
            }
            self.push_redirected(sys, redirected);
            let flow = builtin(self, sys, &args);
            if matches!(flow, Flow::Go)
                && !matches!(self.frames.last(), Some(Frame::Text(_) | Frame::Read(_) | Frame::Exit))
            {
                return Ok(self.check_errexit(sys));
            }
            return Ok(flow);
        }
        let (streams, pipes) = redirected.unwrap_or_else(|| (self.streams(sys), Vec::new()));
        let env = self.env();
        for (name, old) in saved {
            self.put_back(name, old);
        }
        Ok(self.external(sys, args, env, streams, pipes))
    }
}

enum Head {
    None,
    Words(Vec<String>),
    Arm(Option<usize>),
    Number(i64),
}

pub fn signal_name(signal: Signal) -> &'static str {
    match signal {
        Signal::Hup => "HUP",
        Signal::Int => "INT",
        Signal::Quit => "QUIT",
        Signal::Kill => "KILL",
        Signal::Usr1 => "USR1",
        Signal::Pipe => "PIPE",
        Signal::Term => "TERM",
        Signal::Winch => "WINCH",
    }
}

/// A word as a shell would read it back.
pub fn quote(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,@%+^".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
