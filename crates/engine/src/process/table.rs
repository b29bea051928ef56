//! The processes of one machine, the pipes between them, and what they ask of the machine's owner.

use std::collections::{BTreeMap, VecDeque};

use super::{
    Call, Env, Files, Host, NoProgram, Pid, Program, Read, Signal, Sink, Source, Stream, Sys, Turn, Wait, Written,
};
use crate::base::http::{Frame, Request, Response};
use crate::base::{Chance, Time};

/// A pipe holds what Linux holds.
const PIPE_BYTES: usize = 64 << 10;
const PROCESSES_LIMIT: usize = 256;

/// What to start.
#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    pub args: Vec<String>,
    pub env: Env,
    pub cwd: String,
    pub stdin: Source,
    pub stdout: Sink,
    pub stderr: Sink,
}

/// How a process ended: its exit code, or 128 + the signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    pub code: i32,
    pub signal: Option<Signal>,
}

/// Bytes for the owner (a terminal, a log).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub pid: Pid,
    pub stream: Stream,
    pub bytes: Vec<u8>,
}

/// What a run left for the owner to do.
#[derive(Debug, Default)]
pub struct Report {
    pub output: Vec<Output>,
    pub calls: Vec<(Call, Request)>,
    /// Frames sent up a stream, and calls nobody cares for any more.
    pub sent: Vec<(Call, Frame)>,
    pub hung_up: Vec<Call>,
    /// Processes without a parent in the table that have ended.
    pub exits: Vec<(Pid, Exit)>,
    /// When to run again at the latest, if nothing else happens.
    pub next: Option<Time>,
    /// The budget ran out while programs still had work at this instant.
    pub busy: bool,
}

#[derive(Clone, Default)]
pub struct Processes {
    table: BTreeMap<Pid, Process>,
    pipes: BTreeMap<u32, Pipe>,
    calls: BTreeMap<Call, Line>,
    last_pid: Pid,
    last_pipe: u32,
    last_call: Call,
    exits: BTreeMap<Pid, Exit>,
    pending: Pending,
    pub hostname: String,
    pub terminal: Option<(u16, u16)>,
}

#[derive(Clone, Default)]
struct Pending {
    output: Vec<Output>,
    calls: Vec<(Call, Request)>,
    sent: Vec<(Call, Frame)>,
    hung_up: Vec<Call>,
}

#[derive(Clone)]
struct Process {
    parent: Pid,
    args: Vec<String>,
    env: Env,
    cwd: String,
    stdin: Source,
    stdout: Sink,
    stderr: Sink,
    /// Bytes fed by the owner or given as text, and whether more can come.
    input: VecDeque<u8>,
    input_open: bool,
    signals: VecDeque<Signal>,
    waits: Vec<Wait>,
    /// A process has to be run before its waits count.
    fresh: bool,
    program: Option<Box<dyn Program>>,
}

#[derive(Clone, Default)]
struct Pipe {
    bytes: VecDeque<u8>,
    readers: usize,
    writers: usize,
}

#[derive(Clone, Default)]
struct Line {
    owner: Pid,
    reply: Option<Response>,
    frames: VecDeque<Frame>,
}

/// The part of the table a program reaches through `Sys`.
pub struct Io<'a> {
    table: &'a mut Processes,
    host: &'a dyn Host,
    /// The process that runs is out of the table meanwhile.
    current: &'a mut Current,
}

#[derive(Default)]
struct Current {
    stdin: Option<Source>,
    stdout: Option<Sink>,
    stderr: Option<Sink>,
    input: VecDeque<u8>,
    input_open: bool,
    signals: VecDeque<Signal>,
    terminal: bool,
}

impl Processes {
    pub fn new(hostname: &str) -> Processes {
        Processes { hostname: hostname.to_string(), ..Processes::default() }
    }

    /// Starts a process without a parent.
    pub fn start(&mut self, host: &dyn Host, files: &Files, spawn: Spawn) -> Result<Pid, NoProgram> {
        self.spawn(host, files, 0, spawn)
    }

    fn spawn(&mut self, host: &dyn Host, files: &Files, parent: Pid, spawn: Spawn) -> Result<Pid, NoProgram> {
        if self.table.len() >= PROCESSES_LIMIT {
            return Err(NoProgram::Gap("fork: retry: Resource temporarily unavailable".into()));
        }
        let program = host.program(files, &spawn.env, &spawn.cwd, &spawn.args)?;
        Ok(self.insert(parent, spawn, program))
    }

    /// Starts a program that needs no looking up (the shell itself, a container's entry point).
    pub fn insert(&mut self, parent: Pid, spawn: Spawn, program: Box<dyn Program>) -> Pid {
        self.last_pid += 1;
        for sink in [&spawn.stdout, &spawn.stderr] {
            if let Sink::Pipe(id) = sink {
                self.pipes.entry(*id).or_default().writers += 1;
            }
        }
        if let Source::Pipe(id) = spawn.stdin {
            self.pipes.entry(id).or_default().readers += 1;
        }
        let (input, input_open) = match &spawn.stdin {
            Source::Text(text) => (text.iter().copied().collect(), false),
            Source::Owner => (VecDeque::new(), true),
            Source::Null | Source::Pipe(_) => (VecDeque::new(), false),
        };
        let process = Process {
            parent,
            args: spawn.args,
            env: spawn.env,
            cwd: spawn.cwd,
            stdin: spawn.stdin,
            stdout: spawn.stdout,
            stderr: spawn.stderr,
            input,
            input_open,
            signals: VecDeque::new(),
            waits: Vec::new(),
            fresh: true,
            program: Some(program),
        };
        self.table.insert(self.last_pid, process);
        self.last_pid
    }

    /// Runs whoever can run until all wait, or until `budget` turns are used up.
    pub fn run(
        &mut self,
        host: &dyn Host,
        files: &mut Files,
        chance: &mut Chance,
        now: Time,
        mut budget: u32,
    ) -> Report {
        let mut report = Report::default();
        loop {
            let ready: Vec<Pid> =
                self.table.iter().filter(|(_, p)| self.is_ready(p, now)).map(|(pid, _)| *pid).collect();
            if ready.is_empty() {
                break;
            }
            for pid in ready {
                if budget == 0 {
                    report.busy = true;
                    break;
                }
                budget -= 1;
                self.turn(host, files, chance, now, pid, &mut report);
            }
            if report.busy {
                break;
            }
        }
        report.output.append(&mut self.pending.output);
        report.calls.append(&mut self.pending.calls);
        report.sent.append(&mut self.pending.sent);
        report.hung_up.append(&mut self.pending.hung_up);
        report.next = self.next_at();
        report
    }

    fn next_at(&self) -> Option<Time> {
        let times = self.table.values().flat_map(|p| &p.waits).filter_map(|wait| match wait {
            Wait::Until(at) => Some(*at),
            _ => None,
        });
        times.min()
    }

    fn is_ready(&self, process: &Process, now: Time) -> bool {
        process.fresh
            || !process.signals.is_empty()
            || process.waits.iter().any(|wait| match wait {
                Wait::Until(at) => *at <= now,
                Wait::Input => match process.stdin {
                    Source::Pipe(id) => self.pipes.get(&id).is_none_or(|p| !p.bytes.is_empty() || p.writers == 0),
                    _ => !process.input.is_empty() || !process.input_open,
                },
                Wait::Room => [&process.stdout, &process.stderr].iter().any(|sink| match sink {
                    Sink::Pipe(id) => self.pipes.get(id).is_none_or(|p| p.bytes.len() < PIPE_BYTES || p.readers == 0),
                    _ => true,
                }),
                Wait::Child(pid) => !self.table.contains_key(pid),
                Wait::Call(call) => self.calls.get(call).is_none_or(|l| l.reply.is_some() || !l.frames.is_empty()),
                Wait::Signal => false,
            })
    }

    fn turn(
        &mut self,
        host: &dyn Host,
        files: &mut Files,
        chance: &mut Chance,
        now: Time,
        pid: Pid,
        report: &mut Report,
    ) {
        let Some(mut process) = self.table.remove(&pid) else { return };
        process.fresh = false;
        let Some(mut program) = process.program.take() else { return };
        if process.signals.contains(&Signal::Kill) {
            self.end(pid, process, Exit { code: 137, signal: Some(Signal::Kill) }, report);
            return;
        }
        let terminal = match process.stdout {
            Sink::Owner(_) => self.terminal,
            _ => None,
        };
        let mut current = Current {
            stdin: Some(process.stdin.clone()),
            stdout: Some(process.stdout.clone()),
            stderr: Some(process.stderr.clone()),
            input: std::mem::take(&mut process.input),
            input_open: process.input_open,
            signals: std::mem::take(&mut process.signals),
            terminal: terminal.is_some(),
        };
        let hostname = self.hostname.clone();
        let turn = program.resume(&mut Sys {
            pid,
            now,
            args: &process.args,
            env: &mut process.env,
            cwd: &mut process.cwd,
            files,
            chance,
            terminal,
            hostname: &hostname,
            io: Io { table: self, host, current: &mut current },
        });
        process.input = current.input;
        // Signals the program left alone have their default effect.
        let fatal = current.signals.iter().copied().find(|s| *s != Signal::Winch);
        match (turn, fatal) {
            (Turn::Exit(code), _) => self.end(pid, process, Exit { code, signal: None }, report),
            (_, Some(signal)) => {
                self.end(pid, process, Exit { code: 128 + signal as i32, signal: Some(signal) }, report)
            }
            (Turn::Again, _) => {
                process.fresh = true;
                process.program = Some(program);
                self.table.insert(pid, process);
            }
            (Turn::Wait(waits), _) => {
                process.waits = waits;
                process.program = Some(program);
                self.table.insert(pid, process);
            }
        }
    }

    fn end(&mut self, pid: Pid, process: Process, exit: Exit, report: &mut Report) {
        self.close_write(&process.stdout);
        self.close_write(&process.stderr);
        if let Source::Pipe(id) = process.stdin
            && let Some(pipe) = self.pipes.get_mut(&id)
        {
            pipe.readers = pipe.readers.saturating_sub(1);
        }
        self.pipes.retain(|_, pipe| pipe.readers + pipe.writers > 0 || !pipe.bytes.is_empty());
        let open: Vec<Call> = self.calls.iter().filter(|(_, l)| l.owner == pid).map(|(call, _)| *call).collect();
        for call in open {
            self.calls.remove(&call);
            self.pending.hung_up.push(call);
        }
        if process.parent == 0 {
            report.exits.push((pid, exit));
        } else {
            self.exits.insert(pid, exit);
        }
    }

    fn close_write(&mut self, sink: &Sink) {
        if let Sink::Pipe(id) = sink
            && let Some(pipe) = self.pipes.get_mut(id)
        {
            pipe.writers = pipe.writers.saturating_sub(1);
        }
    }

    /// Sends a signal to a process.
    pub fn signal(&mut self, pid: Pid, signal: Signal) {
        if let Some(process) = self.table.get_mut(&pid) {
            process.signals.push_back(signal);
        }
    }

    /// Sends a signal to every process (Ctrl+C at a terminal; SIGKILL at the end of a container).
    pub fn signal_all(&mut self, signal: Signal) {
        for process in self.table.values_mut() {
            process.signals.push_back(signal);
        }
    }

    /// Bytes typed for processes whose input is the owner's.
    pub fn feed(&mut self, pid: Pid, bytes: &[u8]) {
        if let Some(process) = self.table.get_mut(&pid) {
            process.input.extend(bytes);
        }
    }

    /// No more input will come (Ctrl+D).
    pub fn close_input(&mut self, pid: Pid) {
        if let Some(process) = self.table.get_mut(&pid) {
            process.input_open = false;
        }
    }

    pub fn reply(&mut self, call: Call, response: Response) {
        if let Some(line) = self.calls.get_mut(&call) {
            line.reply = Some(response);
        }
    }

    pub fn frame(&mut self, call: Call, frame: Frame) {
        if let Some(line) = self.calls.get_mut(&call) {
            line.frames.push_back(frame);
        }
    }

    pub fn is_running(&self, pid: Pid) -> bool {
        self.table.contains_key(&pid)
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Pid and arguments of everything that runs (`ps`).
    pub fn list(&self) -> impl Iterator<Item = (Pid, &[String])> {
        self.table.iter().map(|(pid, process)| (*pid, process.args.as_slice()))
    }

    pub fn waits(&self, pid: Pid) -> &[Wait] {
        self.table.get(&pid).map_or(&[], |process| &process.waits)
    }
}

impl Io<'_> {
    pub(super) fn write(&mut self, files: &mut Files, pid: Pid, stream: Stream, bytes: &[u8]) -> Written {
        let sink = match stream {
            Stream::Out => &self.current.stdout,
            Stream::Err => &self.current.stderr,
        };
        match sink {
            None | Some(Sink::Null) => Written::All,
            Some(Sink::Owner(stream)) => {
                self.table.pending.output.push(Output { pid, stream: *stream, bytes: bytes.to_vec() });
                Written::All
            }
            Some(Sink::File(path)) => match files.append(Time::default(), "/", path, bytes) {
                Ok(()) => Written::All,
                Err(_) => Written::Broken,
            },
            Some(Sink::Pipe(id)) => match self.table.pipes.get_mut(id) {
                None => Written::Broken,
                Some(pipe) if pipe.readers == 0 => Written::Broken,
                Some(pipe) if pipe.bytes.len() >= PIPE_BYTES => Written::Full,
                Some(pipe) => {
                    pipe.bytes.extend(bytes);
                    Written::All
                }
            },
        }
    }

    pub(super) fn read(&mut self, _pid: Pid, max: usize, until: Option<u8>) -> Read {
        let (bytes, open) = match self.current.stdin {
            Some(Source::Pipe(id)) => match self.table.pipes.get_mut(&id) {
                Some(pipe) => (&mut pipe.bytes, pipe.writers > 0),
                None => return Read::End,
            },
            _ => (&mut self.current.input, self.current.input_open),
        };
        let take = match until.map(|mark| bytes.iter().position(|b| *b == mark)) {
            Some(Some(at)) => at + 1,
            Some(None) if open => return Read::Empty,
            _ => bytes.len(),
        };
        if take == 0 {
            return if open { Read::Empty } else { Read::End };
        }
        Read::Data(bytes.drain(..take.min(max)).collect())
    }

    pub(super) fn signal(&mut self, _pid: Pid) -> Option<Signal> {
        self.current.signals.pop_front()
    }

    pub(super) fn spawn(&mut self, files: &Files, parent: Pid, spawn: Spawn) -> Result<Pid, NoProgram> {
        self.table.spawn(self.host, files, parent, spawn)
    }

    pub(super) fn reap(&mut self, child: Pid) -> Option<Exit> {
        self.table.exits.remove(&child)
    }

    pub(super) fn kill(&mut self, pid: Pid, signal: Signal) {
        self.table.signal(pid, signal);
    }

    pub(super) fn pipe(&mut self) -> u32 {
        self.table.last_pipe += 1;
        self.table.pipes.insert(self.table.last_pipe, Pipe::default());
        self.table.last_pipe
    }

    pub(super) fn call(&mut self, pid: Pid, request: Request) -> Call {
        self.table.last_call += 1;
        let call = self.table.last_call;
        self.table.calls.insert(call, Line { owner: pid, ..Line::default() });
        self.table.pending.calls.push((call, request));
        call
    }

    pub(super) fn reply(&mut self, call: Call) -> Option<Response> {
        let line = self.table.calls.get_mut(&call)?;
        let reply = line.reply.take()?;
        if reply.stream.is_none() {
            self.table.calls.remove(&call);
        }
        Some(reply)
    }

    pub(super) fn frame(&mut self, call: Call) -> Option<Frame> {
        self.table.calls.get_mut(&call)?.frames.pop_front()
    }

    pub(super) fn send(&mut self, call: Call, frame: Frame) {
        self.table.pending.sent.push((call, frame));
    }

    pub(super) fn hang_up(&mut self, call: Call) {
        if self.table.calls.remove(&call).is_some() {
            self.table.pending.hung_up.push(call);
        }
    }

    /// Whether standard output is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.current.terminal
    }
}
