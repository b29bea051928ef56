//! A command-line program as one straight function that can stop and go on: what it reaches while it runs.
//!
//! When it asks for something that is not there yet it stops with `Stop::Wait` and is run again from the top with
//! everything it got so far; what it printed in earlier runs is not printed again. So a verb reads like the Go
//! original, holds no half-done state, and a World can be cloned in the middle of it.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;

use super::{Call, NoProgram, Pid, Read, Spawn, Stream, Sys, Wait, Written};
use crate::base::http::{Body, Frame, Request, Response};
use crate::base::{BTreeSet, Span, Time, Value};

/// Why a verb came to an end early.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    Wait(Vec<Wait>),
    /// Errors to print, and the exit code.
    Fail(Vec<Failure>, i32),
    /// Everything is said.
    Exit(i32),
}

pub type Outcome<T = ()> = Result<T, Stop>;

/// One error: `Plain` gets `error: ` in front when it stands alone, and `Among` others it is told another way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    Plain(String),
    Full(String),
    Among { alone: String, text: String },
}

impl Failure {
    pub fn text(&self) -> &str {
        match self {
            Failure::Plain(text) | Failure::Full(text) | Failure::Among { alone: text, .. } => text,
        }
    }
}

pub fn fail<T>(text: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(vec![Failure::Plain(text.into())], 1))
}

pub fn fail_full<T>(text: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(vec![Failure::Full(text.into())], 1))
}

/// What the program keeps between runs of the verb.
#[derive(Clone, Default)]
pub struct Memory {
    steps: Vec<Step>,
    printed: usize,
    pending: VecDeque<(Stream, Vec<u8>)>,
    input: Vec<u8>,
    input_ended: bool,
    warned: BTreeSet<String>,
    /// An interrupt ends the verb silently with this code.
    pub interrupt: Option<i32>,
    /// What the program does at the moment, for whoever takes its signals.
    pub note: Option<String>,
}

#[derive(Clone)]
enum Step {
    Asked(Call),
    Answered(Call, Time, Response),
    Heard(Time, Heard),
    Slept(Time),
    /// Something chosen once.
    Chosen(String),
    /// An editor at work on a file, and what it left there.
    Editing(Pid, String),
    Edited(String, Time, Result<(i32, String), bool>),
    /// The state of a loop, in place of all that the loop heard: number of writes, time, state.
    Kept(usize, Time, Value),
    /// What a part of the verb came to, in place of all that it heard: number of writes, time, result (for a loop over
    /// objects, the results so far).
    Made(usize, Time, Arc<dyn Any + Send + Sync>),
}

/// What came next on one of several streams.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    Frame(usize, Frame),
    Input(Vec<u8>),
    InputEnd,
    Timeout,
}

pub struct Io<'a, 'b> {
    pub sys: &'a mut Sys<'b>,
    pub memory: &'a mut Memory,
    step: usize,
    writes: usize,
    now: Time,
}

impl<'a, 'b> Io<'a, 'b> {
    pub fn new(sys: &'a mut Sys<'b>, memory: &'a mut Memory, start: Time) -> Io<'a, 'b> {
        Io { sys, memory, step: 0, writes: 0, now: start }
    }

    /// Whether nothing has come in yet: what is looked at is as it was at the start.
    pub fn is_fresh(&self) -> bool {
        self.memory.steps.is_empty()
    }

    /// The time of the latest thing that came in.
    pub fn now(&self) -> Time {
        self.now
    }

    pub fn out(&mut self, text: impl AsRef<[u8]>) {
        self.write(Stream::Out, text.as_ref());
    }

    pub fn err(&mut self, text: impl AsRef<[u8]>) {
        self.write(Stream::Err, text.as_ref());
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        self.out(format!("{}\n", text.as_ref()));
    }

    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        self.writes += 1;
        if self.writes > self.memory.printed {
            self.memory.printed = self.writes;
            if !bytes.is_empty() {
                self.memory.pending.push_back((stream, bytes.to_vec()));
            }
        }
    }

    /// A line of the client's own log, as Go's klog writes it.
    pub fn klog(&mut self, level: char, place: &str, text: &str) {
        let (_, month, day, hour, minute, second) = self.now.civil();
        let (micros, pid) = (self.now.0.rem_euclid(1_000_000), self.sys.pid);
        self.err(format!(
            "{level}{month:02}{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06} {pid:>7} {place}] {text}\n"
        ));
    }

    /// `Warning: …`, once per text.
    pub fn warn(&mut self, text: &str) {
        let known = self.memory.warned.contains(text);
        self.writes += 1;
        if self.writes > self.memory.printed {
            self.memory.printed = self.writes;
            if !known {
                self.memory.warned.insert(text.to_string());
                self.memory.pending.push_back((Stream::Err, format!("Warning: {text}\n").into_bytes()));
            }
        }
    }

    /// Sends a request and goes on with its answer.
    pub fn send(&mut self, request: Request) -> Outcome<Response> {
        self.open(request).map(|(_, response)| response)
    }

    /// As `send`, with the call whose frames follow.
    pub fn open(&mut self, request: Request) -> Outcome<(Call, Response)> {
        let index = self.step;
        self.step += 1;
        match self.memory.steps.get(index).cloned() {
            Some(Step::Answered(call, at, response)) => {
                self.now = at;
                for warning in &response.warnings {
                    self.warn(warning);
                }
                Ok((call, response))
            }
            Some(Step::Asked(call)) => match self.sys.reply(call) {
                Some(response) => {
                    if let Some(step) = self.memory.steps.get_mut(index) {
                        *step = Step::Answered(call, self.sys.now, response);
                    }
                    self.step = index;
                    self.open(request)
                }
                None => Err(Stop::Wait(vec![Wait::Call(call)])),
            },
            _ => {
                let call = self.sys.call(request);
                self.memory.steps.truncate(index);
                self.memory.steps.push(Step::Asked(call));
                Err(Stop::Wait(vec![Wait::Call(call)]))
            }
        }
    }

    /// Sends a request whose answer is only wanted later: `finish` has it.
    pub fn begin(&mut self, request: Request) -> usize {
        let index = self.step;
        self.step += 1;
        if !matches!(self.memory.steps.get(index), Some(Step::Asked(_) | Step::Answered(..))) {
            let call = self.sys.call(request);
            self.memory.steps.truncate(index);
            self.memory.steps.push(Step::Asked(call));
        }
        index
    }

    /// The answer to what `begin` sent.
    pub fn finish(&mut self, index: usize) -> Outcome<Response> {
        self.finish_open(index).map(|(_, response)| response)
    }

    /// As `finish`, with the call whose frames follow.
    pub fn finish_open(&mut self, index: usize) -> Outcome<(Call, Response)> {
        match self.memory.steps.get(index).cloned() {
            Some(Step::Answered(call, at, response)) => {
                self.now = self.now.max(at);
                Ok((call, response))
            }
            Some(Step::Asked(call)) => match self.sys.reply(call) {
                Some(response) => {
                    let at = self.sys.now;
                    if let Some(step) = self.memory.steps.get_mut(index) {
                        *step = Step::Answered(call, at, response.clone());
                    }
                    self.now = self.now.max(at);
                    Ok((call, response))
                }
                None => Err(Stop::Wait(vec![Wait::Call(call)])),
            },
            _ => Err(Stop::Exit(1)),
        }
    }

    /// The next frame of any of these calls (or piece of standard input), or `Timeout` when `until` comes first.
    pub fn hear(&mut self, calls: &[Call], input: bool, until: Option<Time>) -> Outcome<Heard> {
        let index = self.step;
        self.step += 1;
        if let Some(Step::Heard(at, heard)) = self.memory.steps.get(index).cloned() {
            self.now = at;
            return Ok(heard);
        }
        let mut heard = None;
        for (place, call) in calls.iter().enumerate() {
            if let Some(frame) = self.sys.frame(*call) {
                heard = Some(Heard::Frame(place, frame));
                break;
            }
        }
        if heard.is_none() && input {
            heard = match self.sys.read(64 << 10) {
                Read::Data(bytes) => Some(Heard::Input(bytes)),
                Read::End => Some(Heard::InputEnd),
                Read::Empty => None,
            };
        }
        if heard.is_none() && until.is_some_and(|at| at <= self.sys.now) {
            heard = Some(Heard::Timeout);
        }
        match heard {
            Some(heard) => {
                self.now = self.sys.now;
                self.memory.steps.push(Step::Heard(self.now, heard.clone()));
                Ok(heard)
            }
            None => {
                let mut waits: Vec<Wait> = calls.iter().map(|call| Wait::Call(*call)).collect();
                waits.extend(until.map(Wait::Until));
                if input {
                    waits.push(Wait::Input);
                }
                if waits.is_empty() {
                    waits.push(Wait::Signal);
                }
                Err(Stop::Wait(waits))
            }
        }
    }

    /// Writes a text into a file of its own and runs an editor on it: the file's path, the editor's exit code and what
    /// stands in the file afterwards, or whether there is such an editor at all.
    pub fn edit(
        &mut self,
        name: &str,
        text: &str,
        editor: &[String],
    ) -> Outcome<(String, Result<(i32, String), bool>)> {
        let index = self.step;
        self.step += 1;
        let (pid, path) = match self.memory.steps.get(index).cloned() {
            Some(Step::Edited(path, at, end)) => {
                self.now = at;
                return Ok((path, end));
            }
            Some(Step::Editing(pid, path)) => (pid, path),
            _ => {
                let number = self.sys.chance.below("kubectl-edit", 4_000_000_000);
                let (stem, ending) = name.split_once('.').unwrap_or((name, "txt"));
                let path = format!("/tmp/{stem}{number}.{ending}");
                let _ = self.sys.files.make_directories(self.sys.now, "/", "/tmp");
                let _ = self.sys.files.write(self.sys.now, "/", &path, text.as_bytes());
                let (stdin, stdout, stderr) = self.sys.streams();
                let mut args = editor.to_vec();
                args.push(path.clone());
                let (env, cwd) = (self.sys.env.clone(), self.sys.cwd.clone());
                match self.sys.spawn(Spawn { args, env, cwd, stdin, stdout, stderr }) {
                    Ok(pid) => {
                        self.memory.steps.truncate(index);
                        self.memory.steps.push(Step::Editing(pid, path.clone()));
                        (pid, path)
                    }
                    Err(reason) => {
                        let end = Err(reason == NoProgram::NotFound);
                        self.memory.steps.truncate(index);
                        self.memory.steps.push(Step::Edited(path.clone(), self.now, end.clone()));
                        return Ok((path, end));
                    }
                }
            }
        };
        let code = match self.sys.reap(pid) {
            Some(exit) => exit.code,
            None if !self.sys.is_running(pid) => 127,
            None => return Err(Stop::Wait(vec![Wait::Child(pid)])),
        };
        let text = self.sys.files.read_text("/", &path).unwrap_or_default();
        self.now = self.sys.now;
        if let Some(step) = self.memory.steps.get_mut(index) {
            *step = Step::Edited(path.clone(), self.now, Ok((code, text.clone())));
        }
        Ok((path, Ok((code, text))))
    }

    /// Runs another program with the streams of this one: its exit code, or why there is none.
    pub fn execute(&mut self, args: Vec<String>) -> Outcome<Result<i32, NoProgram>> {
        let index = self.step;
        self.step += 1;
        let pid = match self.memory.steps.get(index).cloned() {
            Some(Step::Editing(pid, _)) => pid,
            Some(Step::Edited(_, at, Ok((code, _)))) => {
                self.now = at;
                return Ok(Ok(code));
            }
            _ => {
                let (stdin, stdout, stderr) = self.sys.streams();
                let (env, cwd) = (self.sys.env.clone(), self.sys.cwd.clone());
                match self.sys.spawn(Spawn { args, env, cwd, stdin, stdout, stderr }) {
                    Ok(pid) => {
                        self.memory.steps.truncate(index);
                        self.memory.steps.push(Step::Editing(pid, String::new()));
                        pid
                    }
                    Err(reason) => return Ok(Err(reason)),
                }
            }
        };
        let code = match self.sys.reap(pid) {
            Some(exit) => exit.code,
            None if !self.sys.is_running(pid) => 127,
            None => return Err(Stop::Wait(vec![Wait::Child(pid)])),
        };
        self.now = self.sys.now;
        if let Some(step) = self.memory.steps.get_mut(index) {
            *step = Step::Edited(String::new(), self.now, Ok((code, String::new())));
        }
        Ok(Ok(code))
    }

    /// The start of a loop that may run for long: the state kept last, or `state` when the loop begins.
    pub fn resume(&mut self, state: Value) -> Value {
        let index = self.step;
        self.step += 1;
        match self.memory.steps.get(index) {
            Some(Step::Kept(writes, at, kept)) => {
                self.writes = *writes;
                self.now = self.now.max(*at);
                kept.clone()
            }
            _ => {
                self.memory.steps.truncate(index);
                self.memory.steps.push(Step::Kept(self.writes, self.now, state.clone()));
                state
            }
        }
    }

    /// One round of the loop that began with `resume` is over: what it heard is forgotten, its state is kept. So a
    /// watch costs the same for its thousandth frame as for its first.
    pub fn keep(&mut self, state: Value) {
        let Some(index) = self.memory.steps.iter().rposition(|step| matches!(step, Step::Kept(..))) else { return };
        if self.step < self.memory.steps.len() {
            return;
        }
        self.memory.steps.truncate(index);
        self.memory.steps.push(Step::Kept(self.writes, self.now, state));
        self.step = index + 1;
    }

    /// What a part of the verb came to in an earlier run, or the place where its result is to be kept (`make`).
    pub fn made<T: Any + Send + Sync>(&mut self) -> Result<Arc<T>, usize> {
        let index = self.step;
        if let Some(Step::Made(writes, at, result)) = self.memory.steps.get(index)
            && let Ok(result) = result.clone().downcast::<T>()
        {
            (self.writes, self.now) = (*writes, self.now.max(*at));
            self.step = index + 1;
            return Ok(result);
        }
        Err(index)
    }

    /// Keeps a part's result in place of all that it heard.
    pub fn make<T: Any + Send + Sync>(&mut self, index: usize, result: T) -> Arc<T> {
        let result = Arc::new(result);
        self.memory.steps.truncate(index);
        self.memory.steps.push(Step::Made(self.writes, self.now, result.clone()));
        self.step = index + 1;
        result
    }

    /// How many rounds of a loop are done, and where its results are kept.
    pub fn rounds<T: Any + Send + Sync>(&mut self) -> (usize, usize) {
        match self.made::<Vec<T>>() {
            Ok(done) => (self.step - 1, done.len()),
            Err(index) => {
                self.make(index, Vec::<T>::new());
                (index, 0)
            }
        }
    }

    /// One more round is done: what it heard is forgotten.
    pub fn round<T: Any + Send + Sync + Clone>(&mut self, index: usize, result: T) {
        self.memory.steps.truncate(index + 1);
        self.step = index + 1;
        let Some(Step::Made(writes, at, all)) = self.memory.steps.get_mut(index) else { return };
        (*writes, *at) = (self.writes, self.now);
        match Arc::get_mut(all).and_then(|all| all.downcast_mut::<Vec<T>>()) {
            Some(all) => all.push(result),
            // The World was cloned meanwhile: its copy keeps the rounds it has seen.
            None => {
                let mut own = all.downcast_ref::<Vec<T>>().cloned().unwrap_or_default();
                own.push(result);
                *all = Arc::new(own);
            }
        }
    }

    /// What the rounds of a loop came to.
    pub fn results<T: Any + Send + Sync>(&self, index: usize) -> Arc<Vec<T>> {
        match self.memory.steps.get(index) {
            Some(Step::Made(_, _, all)) => all.clone().downcast().unwrap_or_default(),
            _ => Arc::default(),
        }
    }

    pub fn sleep(&mut self, span: Span) -> Outcome {
        let index = self.step;
        self.step += 1;
        let until = match self.memory.steps.get(index) {
            Some(Step::Slept(until)) => *until,
            _ => {
                let until = self.now + span;
                self.memory.steps.push(Step::Slept(until));
                until
            }
        };
        if self.sys.now < until {
            return Err(Stop::Wait(vec![Wait::Until(until)]));
        }
        self.now = self.now.max(until);
        Ok(())
    }

    /// A name's random ending, the same in every run of the verb.
    pub fn suffix(&mut self) -> String {
        let index = self.step;
        self.step += 1;
        if let Some(Step::Chosen(text)) = self.memory.steps.get(index) {
            return text.clone();
        }
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        let mut text = String::new();
        for _ in 0..5 {
            let at = self.sys.chance.below("name suffix", LETTERS.len() as u64);
            text.extend(usize::try_from(at).ok().and_then(|at| LETTERS.get(at)).map(|letter| char::from(*letter)));
        }
        self.memory.steps.truncate(index);
        self.memory.steps.push(Step::Chosen(text.clone()));
        text
    }

    /// All of standard input.
    pub fn stdin(&mut self) -> Outcome<String> {
        while !self.memory.input_ended {
            match self.sys.read(1 << 20) {
                Read::Data(bytes) => self.memory.input.extend(bytes),
                Read::End => self.memory.input_ended = true,
                Read::Empty => return Err(Stop::Wait(vec![Wait::Input])),
            }
        }
        Ok(String::from_utf8_lossy(&self.memory.input).into_owned())
    }

    /// One line of standard input, or what is there at its end.
    pub fn line_of_input(&mut self) -> Outcome<String> {
        if !self.memory.input_ended && self.memory.input.is_empty() {
            match self.sys.read_line() {
                Read::Data(bytes) => self.memory.input = bytes,
                Read::End => self.memory.input_ended = true,
                Read::Empty => return Err(Stop::Wait(vec![Wait::Input])),
            }
        }
        Ok(String::from_utf8_lossy(&self.memory.input).into_owned())
    }

    /// Sends bytes up a stream, once.
    pub fn send_up(&mut self, call: Call, frame: Frame) {
        self.writes += 1;
        if self.writes > self.memory.printed {
            self.memory.printed = self.writes;
            self.sys.send(call, frame);
        }
    }

    pub fn hang_up(&mut self, call: Call) {
        self.writes += 1;
        if self.writes > self.memory.printed {
            self.memory.printed = self.writes;
            self.sys.hang_up(call);
        }
    }

    /// A file of the machine.
    pub fn read_file(&mut self, path: &str) -> Result<Vec<u8>, super::FileError> {
        if path == "/dev/null" {
            return Ok(Vec::new());
        }
        self.sys.files.read(self.sys.cwd, path).map(|bytes| bytes.as_ref().clone())
    }
}

/// Writes what is pending; says what to wait for when a pipe is full, and ends the program when nobody reads.
#[allow(clippy::result_unit_err)]
pub fn flush(sys: &mut Sys<'_>, memory: &mut Memory) -> Result<bool, ()> {
    while let Some((stream, bytes)) = memory.pending.front() {
        match sys.write(*stream, bytes) {
            Written::All => {
                memory.pending.pop_front();
            }
            Written::Full => return Ok(false),
            Written::Broken | Written::NoSpace => return Err(()),
        }
    }
    Ok(true)
}

pub fn body(response: &Response) -> Value {
    match &response.body {
        Body::Value(value) => value.clone(),
        Body::Text(text) => crate::base::json::parse(text).unwrap_or_else(|_| Value::text(text.as_str())),
        Body::None => Value::Null,
    }
}
