//! The processes of one machine, the pipes between them, and what they ask of the machine's owner.

mod io;
mod work;

use std::collections::VecDeque;

use crate::base::{BTreeMap, BTreeSet};

use super::{
    Call, Env, Files, Host, NoProgram, Pid, Program, Read, Signal, Sink, Source, Stream, Sys, Turn, Wait, Written,
};
use crate::base::http::{Frame, Request, Response};
use crate::base::{Chance, Time};

use io::Current;
pub use io::{Io, alone};
use work::Work;

/// A pipe holds what Linux holds.
const PIPE_BYTES: usize = 64 << 10;
const PROCESSES_LIMIT: usize = 256;
const ROOTS_LIMIT: usize = 4096;
/// What a run lets programs write to the owner before it is the owner's turn.
const OUTPUT_BYTES: usize = 1 << 20;
const NO_FORK: &str = "fork: retry: Resource temporarily unavailable";

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
#[derive(Clone, Debug, Default)]
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
    /// The kernel killed a process for want of memory.
    pub starved: bool,
    /// What is not simulated, and the process that met it.
    pub gaps: Vec<(Pid, String)>,
    /// The budget ran out while programs still had work at this instant.
    pub busy: bool,
    /// Turns taken.
    pub turns: u32,
    /// A program is not here yet (`Turn::Hold`). Nothing else is told before the run that goes on.
    pub held: bool,
}

#[derive(Clone, Default)]
pub struct Processes {
    table: BTreeMap<Pid, Process>,
    pipes: BTreeMap<u32, Pipe>,
    calls: BTreeMap<Call, Line>,
    last_pid: Pid,
    last_pipe: u32,
    last_call: Call,
    /// Ends nobody has reaped yet, with the parent that may.
    exits: BTreeMap<Pid, (Pid, Exit)>,
    pending: Pending,
    /// The process without a parent each one descends from.
    roots: BTreeMap<Pid, Pid>,
    /// Processes without a parent that have no terminal, though the machine has one.
    detached: BTreeSet<Pid>,
    /// Processes without a parent that have a terminal of their own, by its columns and rows.
    terminals: BTreeMap<Pid, (u16, u16)>,
    /// Who reads the terminal key by key: an interrupt is a byte like others to them.
    raw: BTreeSet<Pid>,
    pub hostname: String,
    pub terminal: Option<(u16, u16)>,
    /// Process 1 shrugs off signals it has no handler for (a container's first process).
    pub init: bool,
    /// A reaper stands before the first process (`docker run --init`): lists show it as process 1.
    pub reaper: bool,
    /// Slices of what was killed while it computed.
    tired: u32,
    held: Option<Box<Held>>,
}

/// A run in the middle of which a program was not here yet: who has its turn still, turns left, what was done.
#[derive(Clone)]
struct Held {
    ready: VecDeque<Pid>,
    budget: u32,
    report: Report,
}

#[derive(Clone, Default)]
struct Pending {
    output: Vec<Output>,
    /// Bytes of `output`.
    written: usize,
    /// Bytes this turn has read from pipes and written anywhere.
    moved: usize,
    calls: Vec<(Call, Request)>,
    sent: Vec<(Call, Frame)>,
    hung_up: Vec<Call>,
    starved: bool,
    gaps: Vec<(Pid, String)>,
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
    /// Pipe ends to close when the process ends.
    holds: Vec<Hold>,
    /// The pipe the owner feeds.
    owner_input: Option<u32>,
    signals: VecDeque<Signal>,
    waits: Vec<Wait>,
    /// A process has to be run before its waits count.
    fresh: bool,
    work: Work,
    program: Option<Box<dyn Program>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hold {
    Reader(u32),
    Writer(u32),
}

#[derive(Clone, Default)]
struct Pipe {
    /// Fed by the machine's owner (a terminal, `exec -i`).
    owner: bool,
    /// Ctrl+D: whoever reads next finds the end, once.
    ended: bool,
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
            return Err(NoProgram::Gap(NO_FORK.into()));
        }
        let program = host.program(files, &spawn.env, &spawn.cwd, &spawn.args)?;
        Ok(self.insert(parent, spawn, program))
    }

    /// Starts a program that needs no looking up (the shell itself, a container's entry point).
    pub fn insert(&mut self, parent: Pid, spawn: Spawn, program: Box<dyn Program>) -> Pid {
        self.last_pid += 1;
        let mut owner_input = None;
        let stdin = match spawn.stdin {
            Source::Text(text) => Source::Pipe(self.new_pipe(text)),
            Source::Owner => {
                let id = self.new_pipe(Vec::new());
                if let Some(pipe) = self.pipes.get_mut(&id) {
                    pipe.owner = true;
                    pipe.writers = 1;
                }
                owner_input = Some(id);
                Source::Pipe(id)
            }
            other => other,
        };
        let mut process = Process {
            parent,
            args: spawn.args,
            env: spawn.env,
            cwd: spawn.cwd,
            stdin,
            stdout: spawn.stdout,
            stderr: spawn.stderr,
            holds: Vec::new(),
            owner_input,
            signals: VecDeque::new(),
            waits: Vec::new(),
            fresh: true,
            work: Work::new(self.tired, self.init),
            program: Some(program),
        };
        if let Source::Pipe(id) = process.stdin {
            process.holds.push(self.hold(Hold::Reader(id)));
        }
        for sink in [&process.stdout, &process.stderr] {
            if let Sink::Pipe(id) = sink {
                let hold = self.hold(Hold::Writer(*id));
                process.holds.push(hold);
            }
        }
        let root = self.roots.get(&parent).copied().unwrap_or(self.last_pid);
        self.roots.insert(self.last_pid, root);
        if self.roots.len() > ROOTS_LIMIT {
            self.roots.retain(|pid, _| self.table.contains_key(pid) || *pid == parent || *pid == self.last_pid);
        }
        self.table.insert(self.last_pid, process);
        self.last_pid
    }

    fn new_pipe(&mut self, bytes: Vec<u8>) -> u32 {
        self.last_pipe += 1;
        self.pipes.insert(self.last_pipe, Pipe { bytes: bytes.into(), ..Pipe::default() });
        self.last_pipe
    }

    fn hold(&mut self, hold: Hold) -> Hold {
        match hold {
            Hold::Reader(id) => self.pipes.entry(id).or_default().readers += 1,
            Hold::Writer(id) => self.pipes.entry(id).or_default().writers += 1,
        }
        hold
    }

    fn let_go(&mut self, hold: Hold) {
        let (Hold::Reader(id) | Hold::Writer(id)) = hold;
        let Some(pipe) = self.pipes.get_mut(&id) else { return };
        match hold {
            Hold::Reader(_) => pipe.readers = pipe.readers.saturating_sub(1),
            Hold::Writer(_) => pipe.writers = pipe.writers.saturating_sub(1),
        }
        if pipe.readers + pipe.writers == 0 {
            self.pipes.remove(&id);
        }
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
        let mut ready = VecDeque::new();
        if let Some(held) = self.held.take() {
            (ready, budget, report) = (held.ready, held.budget, held.report);
        }
        loop {
            if ready.is_empty() {
                ready = self.table.iter().filter(|(_, p)| self.is_ready(p, now)).map(|(pid, _)| *pid).collect();
            }
            let Some(pid) = ready.pop_front() else { break };
            if budget == 0 || self.pending.written > OUTPUT_BYTES {
                report.busy = true;
                break;
            }
            if !self.turn(host, files, chance, now, pid, &mut report) {
                ready.push_front(pid);
                self.held = Some(Box::new(Held { ready, budget, report }));
                return Report { held: true, ..Report::default() };
            }
            budget -= 1;
            report.turns += 1;
        }
        report.output.append(&mut self.pending.output);
        self.pending.written = 0;
        report.calls.append(&mut self.pending.calls);
        report.sent.append(&mut self.pending.sent);
        report.hung_up.append(&mut self.pending.hung_up);
        report.starved = std::mem::take(&mut self.pending.starved);
        report.gaps.append(&mut self.pending.gaps);
        report.next = self.next_at();
        report
    }

    fn next_at(&self) -> Option<Time> {
        let until = |process: &Process| {
            let times = process.waits.iter().filter_map(|wait| match wait {
                Wait::Until(at) if !process.fresh => Some(*at),
                _ => None,
            });
            match (times.min(), process.work.rest) {
                // One that rests runs at its rest's end, if there is something for it then.
                (_, Some(rest)) if self.has_work(process, rest) => Some(rest),
                (time, _) => time,
            }
        };
        self.table.values().filter_map(until).min()
    }

    /// How many processes have been started so far.
    pub fn started(&self) -> u32 {
        self.last_pid
    }

    /// Since when a process has worked without a pause: the earliest such instant.
    pub fn working_since(&self) -> Option<Time> {
        let working = |process: &&Process| process.work.rest.is_some_and(|rest| self.has_work(process, rest));
        self.table.values().filter(working).map(|process| process.work.since).min()
    }

    fn is_ready(&self, process: &Process, now: Time) -> bool {
        !process.signals.is_empty() || process.work.rest.is_none_or(|rest| rest <= now) && self.has_work(process, now)
    }

    fn has_work(&self, process: &Process, now: Time) -> bool {
        process.fresh
            || process.waits.iter().any(|wait| match wait {
                Wait::Until(at) => *at <= now,
                Wait::Input => match process.stdin {
                    Source::Pipe(id) => self.can_read(id),
                    _ => true,
                },
                Wait::Pipe(id) => self.can_read(*id),
                Wait::Room => [&process.stdout, &process.stderr].iter().any(|sink| match sink {
                    Sink::Pipe(id) => self.pipes.get(id).is_none_or(|p| p.bytes.len() < PIPE_BYTES || p.readers == 0),
                    _ => true,
                }),
                Wait::Child(pid) => !self.table.contains_key(pid),
                Wait::Call(call) => self.calls.get(call).is_none_or(|l| l.reply.is_some() || !l.frames.is_empty()),
                Wait::Signal => false,
            })
    }

    /// This process and its descendants have no terminal.
    pub fn detach(&mut self, pid: Pid) {
        self.detached.insert(pid);
    }

    /// This process and its descendants have a terminal.
    pub fn give_terminal(&mut self, pid: Pid, columns: u16, rows: u16) {
        self.terminals.insert(pid, (columns, rows));
    }

    pub fn is_raw(&self, pid: Pid) -> bool {
        self.raw.contains(&pid)
    }

    /// Ctrl+D on the terminal a process reads: whoever reads next finds the end of its input, once.
    pub fn end_line(&mut self, pid: Pid) {
        if let Some(id) = self.table.get(&pid).and_then(|process| process.owner_input)
            && let Some(pipe) = self.pipes.get_mut(&id)
        {
            pipe.ended = true;
        }
    }

    /// The process without a parent from which this one descends; also for a while after it has ended.
    pub fn root_of(&self, pid: Pid) -> Option<Pid> {
        self.roots.get(&pid).copied()
    }

    /// Who made a call that is still open.
    pub fn owner_of(&self, call: Call) -> Option<Pid> {
        self.calls.get(&call).map(|line| line.owner)
    }

    fn can_read(&self, pipe: u32) -> bool {
        self.pipes.get(&pipe).is_none_or(|p| !p.bytes.is_empty() || p.writers == 0 || p.ended)
    }

    /// One turn; false when the program is not here yet and nothing has happened.
    fn turn(
        &mut self,
        host: &dyn Host,
        files: &mut Files,
        chance: &mut Chance,
        now: Time,
        pid: Pid,
        report: &mut Report,
    ) -> bool {
        let Some(mut process) = self.table.remove(&pid) else { return true };
        let (fresh, work) = (process.fresh, process.work.clone());
        process.fresh = false;
        process.work.count(now);
        let Some(mut program) = process.program.take() else { return true };
        if process.signals.contains(&Signal::Kill) {
            if self.init && work.rest.is_some() {
                self.tired = work.slices;
            }
            self.end(pid, process, Exit { code: 137, signal: Some(Signal::Kill) }, report);
            return true;
        }
        let own = self.root_of(pid).and_then(|root| self.terminals.get(&root).copied());
        let terminal = match process.stdout {
            Sink::Owner(_) if own.is_some() => own,
            Sink::Owner(_) if !self.root_of(pid).is_some_and(|root| self.detached.contains(&root)) => self.terminal,
            _ => None,
        };
        let mut current = Current {
            stdin: Some(process.stdin.clone()),
            stdout: Some(process.stdout.clone()),
            stderr: Some(process.stderr.clone()),
            holds: std::mem::take(&mut process.holds),
            signals: std::mem::take(&mut process.signals),
            exec: None,
        };
        let hostname = self.hostname.clone();
        self.pending.moved = 0;
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
        process.holds = current.holds;
        process.stdin = current.stdin.unwrap_or(Source::Null);
        process.stdout = current.stdout.unwrap_or(Sink::Null);
        process.stderr = current.stderr.unwrap_or(Sink::Null);
        let turn = match current.exec {
            Some((args, env, next)) => {
                (process.args, process.env, program) = (args, env, next);
                Turn::Again
            }
            None => turn,
        };
        if turn == Turn::Hold {
            (process.fresh, process.work, process.signals) = (fresh, work, current.signals);
            process.program = Some(program);
            self.table.insert(pid, process);
            return false;
        }
        process.work.charge(now, self.pending.moved);
        // Signals the program left alone have their default effect.
        let shrugs = self.init && pid == 1;
        let fatal = current.signals.iter().copied().find(|s| *s != Signal::Winch && !shrugs);
        match (turn, fatal) {
            (Turn::Exit(code), _) => self.end(pid, process, Exit { code, signal: None }, report),
            (_, Some(signal)) => {
                self.end(pid, process, Exit { code: 128 + signal as i32, signal: Some(signal) }, report)
            }
            (Turn::Again | Turn::Hold, _) => {
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
        true
    }

    fn end(&mut self, pid: Pid, process: Process, exit: Exit, report: &mut Report) {
        for hold in process.holds {
            self.let_go(hold);
        }
        if let Some(id) = process.owner_input {
            self.let_go(Hold::Writer(id));
        }
        let open: Vec<Call> = self.calls.iter().filter(|(_, l)| l.owner == pid).map(|(call, _)| *call).collect();
        for call in open {
            self.calls.remove(&call);
            self.pending.hung_up.push(call);
        }
        self.exits.retain(|_, (parent, _)| *parent != pid);
        self.raw.remove(&pid);
        if process.parent == 0 {
            self.detached.remove(&pid);
            self.terminals.remove(&pid);
            report.exits.push((pid, exit));
        } else if self.table.contains_key(&process.parent) {
            self.exits.insert(pid, (process.parent, exit));
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
        if let Some(id) = self.table.get(&pid).and_then(|process| process.owner_input)
            && let Some(pipe) = self.pipes.get_mut(&id)
        {
            pipe.bytes.extend(bytes);
        }
    }

    /// No more input will come (Ctrl+D).
    pub fn close_input(&mut self, pid: Pid) {
        if let Some(id) = self.table.get_mut(&pid).and_then(|process| process.owner_input.take()) {
            self.let_go(Hold::Writer(id));
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

    /// The parent of a process that runs: the first process when its own is gone, none of what came from outside.
    pub fn parent_of(&self, pid: Pid) -> Option<Pid> {
        let parent = self.table.get(&pid)?.parent;
        let parent = if parent == 0 || self.table.contains_key(&parent) { parent } else { 1 };
        (parent != 0).then_some(parent)
    }

    /// Which processes descend from this one, itself included.
    pub fn family(&self, pid: Pid) -> Vec<Pid> {
        let mut family = vec![pid];
        // A child's number is higher than its parent's.
        for (child, process) in &self.table {
            if family.contains(&process.parent) {
                family.push(*child);
            }
        }
        family
    }

    pub fn cwd(&self, pid: Pid) -> Option<&str> {
        self.table.get(&pid).map(|process| process.cwd.as_str())
    }

    /// What a shell has names for (`Program::names`).
    pub fn names(&self, pid: Pid) -> (Vec<(&str, &str)>, Vec<&str>) {
        let program = self.table.get(&pid).and_then(|process| process.program.as_ref());
        program.map(|program| program.names()).unwrap_or_default()
    }

    pub fn env(&self, pid: Pid) -> Option<&Env> {
        self.table.get(&pid).map(|process| &process.env)
    }

    pub fn waits(&self, pid: Pid) -> &[Wait] {
        self.table.get(&pid).map_or(&[], |process| &process.waits)
    }
}
