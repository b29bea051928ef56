//! One container: its files, processes and log.

use std::collections::VecDeque;

use crate::base::SmolStr;

use super::image::Image;
use super::{programs, server};
use crate::base::http::{Request, Response};
use crate::base::{Chance, Time};
use crate::process::{
    Call, Env, Exit, Files, Host, NoProgram, Output, Pid, Processes, Program, Signal, Sink, Source, Spawn, Stream, Wait,
};
use crate::shell::{self, Flavour};

/// Bytes of log a container keeps; the oldest lines go first.
const LOG_LIMIT: usize = 1 << 20;
/// Turns its programs may take at one instant before the clock moves on.
const TURNS: u32 = 200;
/// A program that has spun through so many slices gets its next ones further apart.
const SPUN: u32 = 50;
const APART: i64 = 100_000;
/// Programs that wake more often than this, and have for so long, do so ever less: by this part of the time it has gone
/// on. Else a loop of short sleeps would cost more than all the rest of a day.
const OFTEN: i64 = 50_000;
const LONG_OFTEN: i64 = 20_000_000;
const PART: i64 = 32;
/// Bytes a log takes at once; then its writers wait for the disk, which takes so many in a second. What the log driver
/// writes beside each line counts.
const LOG_BURST: i64 = 8 << 20;
const LOG_RATE: i64 = 256 << 10;
const LOG_BESIDE: i64 = 70;
/// A slice that writes less than this is no flood.
const LOG_LITTLE: i64 = 16 << 10;
/// Rounds of requests a container may ask of itself at one instant.
const LOCAL: u32 = 16;

/// What a container is made from.
#[derive(Clone, Debug)]
pub struct Make {
    pub name: SmolStr,
    pub id: String,
    pub image: Image,
    pub args: Vec<String>,
    pub env: Env,
    pub cwd: String,
    pub files: Files,
    pub hostname: String,
    pub stdin: bool,
    pub tty: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    pub at: Time,
    pub stream: Stream,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    pub lines: VecDeque<LogLine>,
    /// Lines dropped at the front: numbers of lines stay what they were.
    pub dropped: u64,
    size: usize,
    /// A line that has not ended yet, by stream.
    open: [String; 2],
}

impl Log {
    /// The number the next line will have.
    pub fn next_number(&self) -> u64 {
        self.dropped + self.lines.len() as u64
    }

    /// What a stream has written of a line that has not ended.
    pub fn unended(&self, stream: Stream) -> &str {
        self.open.get(usize::from(stream == Stream::Err)).map_or("", String::as_str)
    }

    fn push(&mut self, at: Time, stream: Stream, bytes: &[u8]) {
        let slot = usize::from(stream == Stream::Err);
        let text = String::from_utf8_lossy(bytes);
        for line in text.split_inclusive('\n') {
            self.open[slot].push_str(line);
            if line.ends_with('\n') {
                let text = self.open[slot].as_str().into();
                self.open[slot].clear();
                self.add(LogLine { at, stream, text });
            }
        }
        // A line without end is cut where the runtime cuts it.
        if self.open[slot].len() >= 16 * 1024 {
            let text = std::mem::take(&mut self.open[slot]);
            self.add(LogLine { at, stream, text });
        }
    }

    /// What is left without a line end when the container ends.
    fn finish(&mut self, at: Time) {
        for (slot, stream) in [(0, Stream::Out), (1, Stream::Err)] {
            let text = std::mem::take(&mut self.open[slot]);
            if !text.is_empty() {
                self.add(LogLine { at, stream, text });
            }
        }
    }

    fn add(&mut self, line: LogLine) {
        self.size += line.text.len();
        self.lines.push_back(line);
        while self.size > LOG_LIMIT {
            let Some(old) = self.lines.pop_front() else { break };
            self.size -= old.text.len();
            self.dropped += 1;
        }
    }
}

/// Why a container did not start: runc's words, complete.
pub type StartError = String;

/// How a command came out: nothing for the code when it was not over, and until when it slept.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub code: Option<i32>,
    pub output: String,
    pub errors: String,
    pub until: Option<Time>,
}

#[derive(Clone)]
pub struct Container {
    pub name: SmolStr,
    pub id: String,
    pub image: Image,
    pub log: Log,
    pub files: Files,
    processes: Processes,
    first: Pid,
    pub env: Env,
    cwd: String,
    pub started: Time,
    pub exit: Option<(Time, Exit)>,
    /// The kernel ended it for want of memory.
    pub starved: bool,
    /// The next instant at which a program wants to run.
    next: Option<Time>,
    /// How many slices in a row its programs used up.
    spun: u32,
    /// Since when its programs have run again and again without a pause worth the name.
    often: Option<Time>,
    /// Bytes of log that are still to reach the disk, as of an instant.
    unwritten: (Time, i64),
    /// Since when its programs have written more than the disk takes.
    flood: Option<Time>,
    /// Output of processes other than those of the log: sessions.
    session_output: Vec<Output>,
    session_exits: Vec<(Pid, Exit)>,
    calls: Vec<(Call, Request)>,
    /// What the first process and its children write, as it comes, when somebody wants it besides the log.
    pub attached: Option<Vec<(Stream, Vec<u8>)>>,
    /// Its programs have run since somebody last looked at what they wrote.
    pub has_run: bool,
    /// What its own programs, and commands nobody watches, met that is not simulated.
    gaps: Vec<String>,
    session_gaps: Vec<(Pid, String)>,
}

impl Container {
    /// Starts a container's first process.
    pub fn start(make: Make, now: Time) -> Result<Container, StartError> {
        let host = ImageHost { image: &make.image };
        let mut processes = Processes::new(&make.hostname);
        processes.init = true;
        processes.terminal = make.tty.then_some((80, 24));
        // An entry-point script ends as the program it hands over to, which sees its own arguments.
        let own = |inner: &Vec<String>| {
            let name = make.args.first().map_or("", String::as_str);
            !inner.is_empty() && server::program(&make.image, name, &make.args).is_none()
        };
        let args = behind_script(&make.image, &make.args).filter(own).unwrap_or_else(|| make.args.clone());
        let spawn = Spawn {
            args,
            env: make.env.clone(),
            cwd: make.cwd.clone(),
            stdin: if make.stdin { Source::Owner } else { Source::Null },
            stdout: Sink::Owner(Stream::Out),
            stderr: Sink::Owner(if make.tty { Stream::Out } else { Stream::Err }),
        };
        let is_file = |path: &str| {
            make.files.exists("/", path) || host.program(&make.files, &make.env, "/", &[path.to_string()]).is_ok()
        };
        if !make.files.is_directory("/", &make.cwd) && is_file(&make.cwd) {
            return Err(init_error(&format!("mkdir {}: not a directory", make.cwd)));
        }
        let first = processes.start(&host, &make.files, spawn).map_err(|reason| start_error(&make, &reason))?;
        Ok(Container {
            name: make.name,
            id: make.id,
            image: make.image,
            log: Log::default(),
            files: make.files,
            processes,
            first,
            env: make.env,
            cwd: make.cwd,
            started: now,
            exit: None,
            starved: false,
            next: Some(now),
            spun: 0,
            often: None,
            unwritten: (now, 0),
            flood: None,
            session_output: Vec::new(),
            session_exits: Vec::new(),
            calls: Vec::new(),
            attached: None,
            has_run: false,
            gaps: Vec::new(),
            session_gaps: Vec::new(),
        })
    }

    pub fn hostname(&self) -> &str {
        &self.processes.hostname
    }

    pub fn is_running(&self) -> bool {
        self.exit.is_none()
    }

    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// When its programs want to run next.
    pub fn next_at(&self) -> Option<Time> {
        if self.exit.is_some() { None } else { self.next }
    }

    /// Its programs begin no earlier than this.
    pub fn hold_until(&mut self, at: Time) {
        self.next = Some(at);
    }

    /// Runs its programs as far as they get at this instant.
    pub fn run(&mut self, chance: &mut Chance, now: Time) {
        if self.exit.is_some() {
            return;
        }
        // What its programs ask of itself is answered on the spot.
        for _ in 0..LOCAL {
            self.run_once(chance, now);
            if !self.answer_itself(now) {
                break;
            }
        }
        if self.exit.is_some() {
            self.processes.signal_all(Signal::Kill);
        }
    }

    fn run_once(&mut self, chance: &mut Chance, now: Time) {
        self.has_run = true;
        let host = ImageHost { image: &self.image };
        let report = self.processes.run(&host, &mut self.files, chance, now, TURNS);
        let mut written = 0;
        for output in report.output {
            if self.is_of_log(output.pid) {
                let lines = output.bytes.iter().filter(|byte| **byte == b'\n').count();
                written += output.bytes.len() as i64 + lines as i64 * LOG_BESIDE;
                self.log.push(now, output.stream, &output.bytes);
                if let Some(attached) = &mut self.attached {
                    attached.push((output.stream, output.bytes));
                }
            } else {
                self.session_output.push(output);
            }
        }
        self.calls.extend(report.calls);
        for (pid, what) in report.gaps {
            if self.is_of_log(pid) {
                self.gaps.push(what);
            } else {
                self.session_gaps.push((pid, what));
            }
        }
        for (pid, exit) in report.exits {
            if pid == self.first {
                self.log.finish(now);
                self.exit = Some((now, exit));
            } else {
                self.session_exits.push((pid, exit));
            }
        }
        if report.starved && self.exit.is_none_or(|(at, _)| at == now) {
            // The kernel takes all processes of the container at once.
            self.starved = true;
            self.kill(now);
        }
        self.spun = if report.busy { self.spun.saturating_add(1) } else { 0 };
        self.next = if report.busy { Some(Time(now.0 + 1000)) } else { report.next };
        self.slow_down(now, written);
    }

    /// Programs that never rest, or write faster than a disk takes it, get their next turns later.
    fn slow_down(&mut self, now: Time, written: i64) {
        let (at, left) = self.unwritten;
        let taken = (now.0 - at.0).max(0) / 1000 * LOG_RATE / 1000;
        let unwritten = (left - taken).max(0) + written;
        self.unwritten = (now, unwritten);
        let Some(next) = self.next else {
            self.often = None;
            return;
        };
        let mut earliest = 0;
        if next.0 - now.0 < OFTEN {
            let gone_on = now.0 - self.often.get_or_insert(now).0;
            if self.spun > SPUN {
                earliest = APART.max(gone_on / PART);
            } else if gone_on > LONG_OFTEN {
                earliest = (gone_on - LONG_OFTEN) / PART;
            }
        } else {
            self.often = None;
        }
        if written < LOG_LITTLE {
            self.flood = None;
        } else if self.flood.is_some() || unwritten > LOG_BURST {
            let gone_on = now.0 - self.flood.get_or_insert(now).0;
            earliest = earliest.max(written * 1000 / LOG_RATE * 1000).max(gone_on / PART);
        }
        self.next = Some(Time(next.0.max(now.0 + earliest)));
    }

    /// Answers calls to its own servers at 127.0.0.1.
    fn answer_itself(&mut self, now: Time) -> bool {
        let mut answered = false;
        for (call, request) in std::mem::take(&mut self.calls) {
            let port = request.host.strip_prefix("127.0.0.1:").and_then(|port| port.parse().ok());
            match port.filter(|port| server::listens(self, *port)) {
                Some(port) => {
                    let response = server::respond(self, now, port, &request, "127.0.0.1");
                    self.processes.reply(call, response);
                    answered = true;
                }
                None => self.calls.push((call, request)),
            }
        }
        answered
    }

    /// Children of the first process write into the log; those of a session do not.
    fn is_of_log(&self, pid: Pid) -> bool {
        pid == self.first || self.processes.root_of(pid).is_none_or(|root| root == self.first)
    }

    pub fn signal(&mut self, signal: Signal) {
        self.processes.signal(self.first, signal);
    }

    /// The end of a container whose time is up (SIGKILL), or of one the kernel chose (OOM).
    pub fn kill(&mut self, now: Time) {
        if self.exit.is_none() {
            self.log.finish(now);
            self.exit = Some((now, Exit { code: 137, signal: Some(Signal::Kill) }));
            self.processes.signal_all(Signal::Kill);
        }
    }

    /// Process 1 is a reaper (`--init`): signals reach the program as they would outside a container.
    pub fn has_reaper(&mut self) {
        self.processes.init = false;
        self.processes.reaper = true;
    }

    /// Process 1 is another container's: signals do what they do outside of containers.
    pub fn shares_processes(&mut self) {
        self.processes.init = false;
    }

    /// Starts another process beside the first (exec); the error is runc's.
    pub fn exec(&mut self, args: &[String], stdin: bool, tty: bool) -> Result<Pid, String> {
        let (env, cwd) = (self.env.clone(), self.cwd.clone());
        self.exec_in(args, env, cwd, stdin, tty)
    }

    /// As [`Container::exec`], with an environment and a directory of its own.
    pub fn exec_in(&mut self, args: &[String], env: Env, cwd: String, stdin: bool, tty: bool) -> Result<Pid, String> {
        let host = ImageHost { image: &self.image };
        let spawn = Spawn {
            args: args.to_vec(),
            env,
            cwd,
            stdin: if stdin { Source::Owner } else { Source::Null },
            stdout: Sink::Owner(Stream::Out),
            stderr: Sink::Owner(if tty { Stream::Out } else { Stream::Err }),
        };
        let started = self.processes.start(&host, &self.files, spawn).map_err(|reason| {
            let name = args.first().map_or("", String::as_str);
            format!(
                "OCI runtime exec failed: exec failed: unable to start container process: {}",
                exec_reason(name, &reason)
            )
        })?;
        if tty {
            self.processes.give_terminal(started, 80, 24);
        } else {
            self.processes.detach(started);
        }
        Ok(started)
    }

    /// Runs a command as far as it gets at this instant; one that is not over then is ended.
    pub fn exec_now(&mut self, args: &[String], chance: &mut Chance, now: Time) -> Result<Done, String> {
        let others = std::mem::take(&mut self.calls);
        let pid = self.exec(args, false, false)?;
        self.run(chance, now);
        // It does not wait for the network: what is not here refuses.
        for _ in 0..LOCAL {
            let calls = std::mem::take(&mut self.calls);
            if calls.is_empty() {
                break;
            }
            for (call, _) in calls {
                self.processes.reply(call, Response::failed("Connection refused"));
            }
            self.run(chance, now);
        }
        self.calls = others;
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        for piece in std::mem::take(&mut self.session_output) {
            if self.processes.root_of(piece.pid) == Some(pid) {
                output.extend_from_slice(&piece.bytes);
                if piece.stream == Stream::Err {
                    errors.extend_from_slice(&piece.bytes);
                }
            } else {
                self.session_output.push(piece);
            }
        }
        let mut code = self.session_exits.iter().find(|(other, _)| *other == pid).map(|(_, exit)| exit.code);
        // What is not simulated is no reason to hold a container for broken.
        for (of, what) in std::mem::take(&mut self.session_gaps) {
            if self.processes.root_of(of) == Some(pid) {
                code = Some(0);
                self.gaps.push(what);
            }
        }
        self.session_exits.retain(|(other, _)| *other != pid);
        let family = self.processes.family(pid);
        let until = family.iter().flat_map(|pid| self.processes.waits(*pid)).find_map(|wait| match wait {
            Wait::Until(at) => Some(*at),
            _ => None,
        });
        if code.is_none() {
            for member in family {
                self.processes.signal(member, Signal::Kill);
            }
            self.run(chance, now);
            self.session_exits.retain(|(other, _)| *other != pid);
        }
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Done { code, output: text(output), errors: text(errors), until })
    }

    pub fn feed(&mut self, pid: Option<Pid>, bytes: &[u8]) {
        self.processes.feed(pid.unwrap_or(self.first), bytes);
    }

    /// Keys of a terminal: Ctrl+C interrupts what runs there, Ctrl+D ends a line of input.
    pub fn type_keys(&mut self, pid: Option<Pid>, bytes: &[u8]) {
        for piece in bytes.chunk_by(|a, b| !matches!(a, 3 | 4) && !matches!(b, 3 | 4)) {
            match piece {
                [3] => self.interrupt(pid),
                [4] => self.processes.end_line(pid.unwrap_or(self.first)),
                piece => self.feed(pid, piece),
            }
        }
    }

    pub fn close_input(&mut self, pid: Option<Pid>) {
        self.processes.close_input(pid.unwrap_or(self.first));
    }

    pub fn signal_process(&mut self, pid: Pid, signal: Signal) {
        self.processes.signal(pid, signal);
    }

    /// Ctrl+C at the terminal of a session (or of the first process): everything that runs there gets the signal.
    pub fn interrupt(&mut self, pid: Option<Pid>) {
        for member in self.processes.family(pid.unwrap_or(self.first)) {
            self.processes.signal(member, Signal::Int);
        }
    }

    /// What a session's processes wrote since the last look.
    pub fn take_output_of(&mut self, pid: Pid) -> Vec<Output> {
        let all = std::mem::take(&mut self.session_output);
        let (own, others) = all.into_iter().partition(|output| self.processes.root_of(output.pid) == Some(pid));
        self.session_output = others;
        own
    }

    /// How a session's process ended, once.
    pub fn take_exit_of(&mut self, pid: Pid) -> Option<Exit> {
        let at = self.session_exits.iter().position(|(other, _)| *other == pid)?;
        Some(self.session_exits.remove(at).1)
    }

    pub fn take_session_output(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.session_output)
    }

    pub fn take_session_exits(&mut self) -> Vec<(Pid, Exit)> {
        std::mem::take(&mut self.session_exits)
    }

    /// Which session a process belongs to: the ancestor that was started by `exec`.
    pub fn root_of(&self, pid: Pid) -> Option<Pid> {
        self.processes.root_of(pid)
    }

    pub fn take_calls(&mut self) -> Vec<(Call, Request)> {
        std::mem::take(&mut self.calls)
    }

    /// What its programs met that is not simulated, once.
    pub fn take_gaps(&mut self) -> Vec<String> {
        // The terminal of a session has shown its own.
        self.session_gaps.clear();
        std::mem::take(&mut self.gaps)
    }

    pub fn reply(&mut self, call: Call, response: Response) {
        self.processes.reply(call, response);
    }

    /// Numbers and arguments of everything that runs.
    pub fn processes(&self) -> Vec<(Pid, Vec<String>)> {
        self.processes.list().map(|(pid, args)| (pid, args.to_vec())).collect()
    }

    pub fn parent_of(&self, pid: Pid) -> Option<Pid> {
        self.processes.parent_of(pid)
    }

    /// Arguments of everything that runs.
    pub fn programs(&self) -> impl Iterator<Item = &[String]> {
        self.processes.list().map(|(_, args)| args)
    }

    /// A line a server writes about a request it answered.
    pub fn log_line(&mut self, now: Time, stream: Stream, text: &str) {
        self.log.push(now, stream, text.as_bytes());
    }
}

/// The programs an image has.
struct ImageHost<'a> {
    image: &'a Image,
}

impl Host for ImageHost<'_> {
    fn program(&self, files: &Files, _: &Env, cwd: &str, args: &[String]) -> Result<Box<dyn Program>, NoProgram> {
        self.find(files, cwd, args)
    }
}

impl ImageHost<'_> {
    fn find(&self, files: &Files, cwd: &str, args: &[String]) -> Result<Box<dyn Program>, NoProgram> {
        let image = self.image;
        let installed = |name: &str, args: &[String]| {
            let own = server::program(image, name, args);
            own.map(Ok).or_else(|| programs::lacks(image, name).then_some(Err(NoProgram::NotFound)))
        };
        let flavour = match self.image.base.as_str() {
            "busybox" => Flavour::Busybox,
            "debian" => Flavour::Coreutils,
            _ => {
                let name = args.first().map_or("", String::as_str);
                return installed(name, args).unwrap_or(Err(NoProgram::NotFound));
            }
        };
        if let Some(inner) = behind_script(image, args)
            && server::program(image, args.first().map_or("", String::as_str), args).is_none()
        {
            return self.find(files, cwd, &inner);
        }
        match shell::resolve(files, cwd, args, flavour, &installed) {
            // It is there and runs; what it does not do is told.
            Err(NoProgram::Gap(_)) => Ok(programs::absent(args.first().map_or("", String::as_str), args, image)),
            found => found,
        }
    }
}

/// What the image's entry-point script hands over to: options alone are meant for the image's own command.
fn behind_script(image: &Image, args: &[String]) -> Option<Vec<String>> {
    let plain = |name: &str| name.rsplit('/').next().unwrap_or(name).to_string();
    let (name, rest) = args.split_first()?;
    let script = plain(image.entrypoint.first()?);
    if !script.contains("entrypoint") || plain(name) != script {
        return None;
    }
    let own = image.command.first().filter(|_| rest.first().is_some_and(|word| word.starts_with('-')));
    Some(own.map(|own| own.to_string()).into_iter().chain(rest.iter().cloned()).collect())
}

fn start_error(make: &Make, reason: &NoProgram) -> StartError {
    let name = make.args.first().map_or("", String::as_str);
    init_error(&exec_reason(name, reason))
}

fn init_error(why: &str) -> StartError {
    format!(
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: \
         unable to start container process: error during container init: {why}"
    )
}

fn exec_reason(name: &str, reason: &NoProgram) -> String {
    let why = match reason {
        NoProgram::NotFound if name.contains('/') => format!("stat {name}: no such file or directory"),
        NoProgram::NotFound => "executable file not found in $PATH".into(),
        NoProgram::NotExecutable => "permission denied".into(),
        NoProgram::IsDirectory => "is a directory: permission denied".into(),
        NoProgram::Gap(text) => text.clone(),
    };
    format!("exec: \"{name}\": {why}")
}
