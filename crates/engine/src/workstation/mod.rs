//! The learner's machine: files, an interactive bash, installed programs, jobs whose output is kept apart.
//!
//! It does not know kubectl: programs are registered by name, and what they ask leaves through `take_calls`. The line
//! editor (keys, colours) belongs to the terminal that shows it.

mod listen;
mod terraform_words;

use crate::base::{BTreeMap, BTreeSet};

use crate::base::http::{Frame, Request, Response};
use crate::base::{Chance, Time};
use crate::process::{
    Call, Env, FileError, Files, Host, NoProgram, Pid, Processes, Program, Signal, Sink, Source, Spawn, Stream,
};
use crate::shell::{self, Flavour};

use listen::{Listeners, Local};
pub use terraform_words::complete as complete_terraform;

/// Words, the machine's files, the working directory, and whom to ask.
pub type Complete = fn(&[String], &Files, &str, &mut dyn FnMut(&Request) -> Response) -> Vec<String>;

/// A program of the machine that is not one of the shell's own.
#[derive(Clone)]
pub struct Installed {
    pub name: &'static str,
    pub start: fn(&[String]) -> Box<dyn Program>,
    /// What may follow, for completion: the words after its name (the last one unfinished) to candidates.
    pub complete: Option<Complete>,
}

#[derive(Clone)]
pub struct Workstation {
    pub files: Files,
    processes: Processes,
    machine: Machine,
    chance: Chance,
    shell: Pid,
    prompt: String,
    /// What `$?` was at the prompt.
    status: i32,
    at_prompt: bool,
    history: Vec<String>,
    output: Vec<(Stream, Vec<u8>, Pid)>,
    calls: Vec<(Call, Request)>,
    sends: Vec<(Call, Frame)>,
    hang_ups: Vec<Call>,
    listeners: Listeners,
    exits: BTreeMap<Pid, i32>,
    next: Option<Time>,
    busy: bool,
}

/// What a run did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The budget ran out while there was more to do at this instant.
    pub busy: bool,
    /// Turns its processes took.
    pub turns: u32,
    /// A program is not here yet: nothing may happen before the run that goes on.
    pub held: bool,
}

#[derive(Clone)]
struct Machine {
    installed: Vec<Installed>,
}

impl Host for Machine {
    fn program(&self, files: &Files, _env: &Env, cwd: &str, args: &[String]) -> Result<Box<dyn Program>, NoProgram> {
        shell::resolve(files, cwd, args, Flavour::Bash, &|name, args| {
            let found = self.installed.iter().find(|installed| installed.name == name)?;
            Some(Ok((found.start)(args)))
        })
    }
}

const MARK_STATUS: &str = "\x1b]133;D;";
const MARK_START: &str = "\x1b]133;A\x07";
const MARK_END: &str = "\x1b]133;B\x07";
const HOME: &str = "/root";

/// The environment of a login at the machine.
pub fn login_env() -> Env {
    let pairs = [
        ("HOME", HOME),
        ("USER", "root"),
        ("LOGNAME", "root"),
        ("SHELL", "/bin/bash"),
        ("TERM", "xterm-256color"),
        ("LANG", "C.UTF-8"),
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
    ];
    pairs.into_iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

impl Workstation {
    pub fn new(chance: Chance, installed: Vec<Installed>) -> Workstation {
        let mut files = Files::default();
        for directory in [HOME, "/tmp", "/etc", "/usr/bin", "/usr/local/bin", "/bin", "/var/log", "/dev"] {
            let _ = files.make_directories(Time::default(), "/", directory);
        }
        let _ = files.write(Time::default(), "/", "/etc/hostname", b"workstation\n");
        for (path, text) in shell::SYSTEM_FILES {
            let _ = files.write(Time::default(), "/", path, text.as_bytes());
        }
        let mut processes = Processes::new("workstation");
        processes.terminal = Some((120, 30));
        let spawn = spawn(vec!["bash".into()], login_env(), HOME, Source::Owner);
        let shell = processes.insert(0, spawn, shell::interactive(Flavour::Bash));
        Workstation {
            files,
            processes,
            machine: Machine { installed },
            chance,
            shell,
            prompt: String::new(),
            status: 0,
            at_prompt: false,
            history: Vec::new(),
            output: Vec::new(),
            calls: Vec::new(),
            sends: Vec::new(),
            hang_ups: Vec::new(),
            listeners: Listeners::default(),
            exits: BTreeMap::new(),
            next: None,
            busy: true,
        }
    }

    /// A line typed and entered: a command, the rest of one, or input for what runs.
    pub fn submit(&mut self, line: &str) {
        if self.at_prompt && !line.trim().is_empty() && self.history.last().is_none_or(|last| last != line) {
            self.history.push(line.to_string());
            if self.history.len() > 1000 {
                self.history.remove(0);
            }
        }
        self.feed(format!("{line}\n").as_bytes());
    }

    /// Bytes typed.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.at_prompt = false;
        self.busy = true;
        self.processes.feed(self.shell, bytes);
    }

    /// Ctrl+D at an empty line. (The shell itself stays: a terminal without one would be of no use.)
    pub fn end_of_input(&mut self) {
        if self.at_prompt && !self.is_continuing() {
            return;
        }
        self.busy = true;
        if self.is_raw() {
            self.processes.feed(self.shell, &[4]);
        } else if self.at_prompt || self.wants_input() {
            self.at_prompt = false;
            self.processes.end_line(self.shell);
        }
    }

    /// Whether what runs in the foreground takes the terminal's keys one by one.
    fn is_raw(&self) -> bool {
        self.foreground().into_iter().any(|pid| self.processes.is_raw(pid))
    }

    /// Ctrl+C: what runs in the foreground and the shell's line are given up.
    pub fn interrupt(&mut self) {
        self.busy = true;
        if self.is_raw() {
            self.processes.feed(self.shell, &[3]);
            return;
        }
        for pid in self.foreground() {
            self.processes.signal(pid, Signal::Int);
        }
        self.processes.signal(self.shell, Signal::Int);
    }

    /// Whether what runs in the foreground waits for a line.
    pub fn wants_input(&self) -> bool {
        self.foreground().into_iter().any(|pid| self.processes.waits(pid).contains(&crate::process::Wait::Input))
    }

    fn foreground(&self) -> Vec<Pid> {
        self.processes.family(self.shell).into_iter().filter(|pid| *pid != self.shell).collect()
    }

    /// Lets the processes go on until all wait or the budget (of turns) is spent.
    pub fn run(&mut self, now: Time, budget: u32) -> Progress {
        let report = self.processes.run(&self.machine, &mut self.files, &mut self.chance, now, budget);
        if report.held {
            return Progress { busy: false, turns: 0, held: true };
        }
        for output in report.output {
            let pid = self.job_of(output.pid);
            if output.pid == self.shell && output.stream == Stream::Err {
                self.shell_output(output.bytes);
            } else {
                self.put(output.stream, output.bytes, pid);
            }
        }
        let mut local = Vec::new();
        self.calls
            .extend(report.calls.into_iter().filter(|(call, request)| self.listeners.take(*call, request, &mut local)));
        self.sends
            .extend(report.sent.into_iter().filter(|(call, frame)| self.listeners.answer(*call, frame, &mut local)));
        self.hang_ups.extend(report.hung_up.into_iter().filter(|call| self.listeners.close(*call, &mut local)));
        let busy = report.busy || !local.is_empty();
        for (call, mail) in local {
            match mail {
                Local::Reply(response) => self.processes.reply(call, response),
                Local::Frame(frame) => self.processes.frame(call, frame),
            }
        }
        for (pid, exit) in report.exits {
            if pid == self.shell {
                self.restart_shell();
            } else {
                self.exits.insert(pid, exit.code);
            }
        }
        self.next = report.next;
        self.busy = busy;
        Progress { busy, turns: report.turns, held: false }
    }

    /// `exit` at the prompt: a new login.
    fn restart_shell(&mut self) {
        let spawn = spawn(vec!["bash".into()], login_env(), HOME, Source::Owner);
        self.shell = self.processes.insert(0, spawn, shell::interactive(Flavour::Bash));
        self.busy = true;
    }

    fn put(&mut self, stream: Stream, bytes: Vec<u8>, pid: Pid) {
        match self.output.last_mut() {
            Some((last, text, owner)) if *last == stream && *owner == pid => text.extend(bytes),
            _ => self.output.push((stream, bytes, pid)),
        }
    }

    /// Takes the prompt out of what the shell writes.
    fn shell_output(&mut self, bytes: Vec<u8>) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((before, rest)) = text.split_once(MARK_START) else {
            return self.put(Stream::Err, bytes, self.shell);
        };
        let (prompt, after) = rest.split_once(MARK_END).unwrap_or((rest, ""));
        let (before, status) = before.rsplit_once(MARK_STATUS).unwrap_or((before, ""));
        self.status = status.trim_end_matches('\x07').parse().unwrap_or(0);
        for part in [before, after] {
            if !part.is_empty() {
                self.put(Stream::Err, part.as_bytes().to_vec(), self.shell);
            }
        }
        self.prompt = prompt.to_string();
        self.at_prompt = true;
    }

    fn job_of(&self, pid: Pid) -> Pid {
        self.processes.root_of(pid).unwrap_or(self.shell)
    }

    /// The prompt, when the shell waits for a line (the continuation prompt in the middle of a command).
    pub fn prompt(&self) -> Option<&str> {
        self.at_prompt.then_some(self.prompt.as_str())
    }

    /// The exit code of what ran before the prompt.
    pub fn status(&self) -> i32 {
        self.status
    }

    /// Whether the shell waits for the rest of a command.
    pub fn is_continuing(&self) -> bool {
        self.at_prompt && self.prompt == "> "
    }

    pub fn next_at(&self) -> Option<Time> {
        self.next
    }

    /// How many programs have been started so far.
    pub fn programs_started(&self) -> u32 {
        self.processes.started()
    }

    /// Since when a process has worked without a pause, when one does.
    pub fn working_since(&self) -> Option<Time> {
        self.processes.working_since()
    }

    /// Whether there is something to do at this instant.
    pub fn is_busy(&self) -> bool {
        self.busy
    }

    /// What was written since the last time: stream, bytes, and the shell or job it belongs to.
    pub fn take_output(&mut self) -> Vec<(Stream, Vec<u8>, Pid)> {
        std::mem::take(&mut self.output)
    }

    /// The shell or job that made a call which is still open.
    pub fn job_of_call(&self, call: Call) -> Option<Pid> {
        self.processes.owner_of(call).map(|pid| self.job_of(pid))
    }

    pub fn take_calls(&mut self) -> Vec<(Call, Request)> {
        std::mem::take(&mut self.calls)
    }

    pub fn take_sends(&mut self) -> Vec<(Call, Frame)> {
        std::mem::take(&mut self.sends)
    }

    pub fn take_hang_ups(&mut self) -> Vec<Call> {
        std::mem::take(&mut self.hang_ups)
    }

    pub fn reply(&mut self, number: Call, response: Response) {
        self.busy = true;
        self.processes.reply(number, response);
    }

    pub fn frame(&mut self, number: Call, frame: Frame) {
        self.busy = true;
        self.processes.frame(number, frame);
    }

    /// The terminal's columns and rows.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.processes.terminal = Some((columns, rows));
    }

    /// The process of the interactive shell.
    pub fn shell_pid(&self) -> Pid {
        self.shell
    }

    /// Where jobs, scripts and files of the learner stand.
    pub fn home(&self) -> &'static str {
        HOME
    }

    /// Writes a file; a relative path is below the home directory. Folders are made as needed.
    pub fn write_file(&mut self, now: Time, path: &str, text: &str) -> Result<(), FileError> {
        if let Some((folder, _)) = path.rsplit_once('/').filter(|(folder, _)| !folder.is_empty()) {
            self.files.make_directories(now, HOME, folder)?;
        }
        self.files.write(now, HOME, path, text.as_bytes())
    }

    pub fn remove_file(&mut self, path: &str) -> Result<(), FileError> {
        self.files.remove(HOME, path)
    }

    pub fn cwd(&self) -> &str {
        self.processes.cwd(self.shell).unwrap_or(HOME)
    }

    pub fn history(&self) -> &[String] {
        &self.history
    }

    /// A separate `bash -c COMMAND` with its own output.
    pub fn start_job(&mut self, command: &str, env: Env, cwd: &str) -> Result<Pid, NoProgram> {
        let pid = self.start_terminal_job(command, env, cwd)?;
        self.processes.detach(pid);
        Ok(pid)
    }

    /// The same on the terminal: the command sees its width.
    pub fn start_terminal_job(&mut self, command: &str, env: Env, cwd: &str) -> Result<Pid, NoProgram> {
        let args = vec!["bash".into(), "-c".into(), command.to_string()];
        let pid = self.processes.start(&self.machine, &self.files, spawn(args, env, cwd, Source::Null))?;
        self.busy = true;
        Ok(pid)
    }

    /// Runs a script's text as `bash NAME` would; with `echo`, each top-level command is told before it runs.
    pub fn start_script(&mut self, name: &str, text: &str, echo: bool, env: Env, cwd: &str) -> Pid {
        let spawn = spawn(vec!["bash".into(), name.to_string()], env, cwd, Source::Null);
        let pid = self.processes.insert(0, spawn, shell::script_text(name, text, echo));
        self.processes.detach(pid);
        self.busy = true;
        pid
    }

    /// The exit code of a job that has ended.
    pub fn exit(&self, pid: Pid) -> Option<i32> {
        self.exits.get(&pid).copied()
    }

    /// Ctrl+C for one job.
    pub fn interrupt_job(&mut self, pid: Pid) {
        self.busy = true;
        for member in self.processes.family(pid) {
            self.processes.signal(member, Signal::Int);
        }
    }

    /// What could stand at the cursor: where the unfinished word starts (in bytes), and candidates for all of it.
    pub fn complete(
        &self,
        line: &str,
        cursor: usize,
        ask: &mut dyn FnMut(&Request) -> Response,
    ) -> (usize, Vec<String>) {
        let head = line.get(..cursor).unwrap_or(line);
        let start = head.rfind([' ', '\t', '|', ';', '&', '(', '<', '>', '=']).map_or(0, |at| at + 1);
        let word = head.get(start..).unwrap_or_default();
        let command = head.rfind(['|', ';', '&', '(']).map_or(0, |at| at + 1);
        let mut words: Vec<String> =
            head.get(command..).unwrap_or_default().split_whitespace().map(str::to_string).collect();
        let (aliases, variables) = self.processes.names(self.shell);
        let first = head.get(command..start).unwrap_or_default().trim().is_empty();
        let mut found: BTreeSet<String> = BTreeSet::new();
        let sign = word.rfind('$').filter(|_| !word.starts_with('\'')).map(|at| word.split_at(at + 1));
        if let Some((before, part)) = sign.filter(|(_, part)| !part.contains('/')) {
            let (brace, end) = if part.starts_with('{') { ("{", "}") } else { ("", "") };
            let part = part.trim_start_matches('{');
            let names = variables.iter().filter(|name| name.starts_with(part));
            return (start, names.map(|name| format!("{before}{brace}{name}{end}")).collect());
        }
        if first && !word.contains('/') {
            const TOOLS: [&str; 30] = [
                "alias", "awk", "base64", "bash", "cat", "cd", "clear", "cp", "cut", "date", "echo", "env", "exit",
                "export", "find", "grep", "head", "history", "ls", "mkdir", "mv", "printf", "pwd", "rm", "sed", "seq",
                "sleep", "sort", "tail", "wc",
            ];
            let names = TOOLS.into_iter().chain(self.machine.installed.iter().map(|installed| installed.name));
            let names = names.chain(aliases.iter().map(|(name, _)| *name));
            found.extend(names.filter(|name| name.starts_with(word)).map(str::to_string));
            return (start, found.into_iter().collect());
        }
        // An alias stands for the words of its text, which may begin with another.
        for _ in 0..8 {
            let text = words.first().and_then(|first| aliases.iter().find(|(name, _)| name == first));
            let Some((name, text)) = text else { break };
            let is_same = text.split_whitespace().next() == Some(name);
            words.splice(..1, text.split_whitespace().map(str::to_string));
            if is_same {
                break;
            }
        }
        let installed = words.first().and_then(|name| self.machine.installed.iter().find(|own| own.name == name));
        if let Some(complete) = installed.and_then(|installed| installed.complete) {
            let mut words = words.get(1..).unwrap_or_default().to_vec();
            if head.ends_with([' ', '\t']) {
                words.push(String::new());
            }
            let candidates = complete(&words, &self.files, self.cwd(), ask);
            if !candidates.is_empty() {
                return (start, candidates);
            }
        }
        let (directory, part) = word.rsplit_once('/').map_or(("", word), |(directory, part)| (directory, part));
        let shown = word.get(..word.len() - part.len()).unwrap_or_default();
        let place = match (directory, shown) {
            ("", "") => ".".to_string(),
            ("", _) => "/".into(),
            ("~", _) => HOME.into(),
            (directory, _) => directory.replacen("~/", "/root/", 1),
        };
        for name in self.files.list(self.cwd(), &place).unwrap_or_default() {
            if name.starts_with(part) && (!name.starts_with('.') || part.starts_with('.')) {
                let slash = if self.files.is_directory(self.cwd(), &format!("{place}/{name}")) { "/" } else { "" };
                found.insert(format!("{shown}{name}{slash}"));
            }
        }
        (start, found.into_iter().collect())
    }
}

fn spawn(args: Vec<String>, env: Env, cwd: &str, stdin: Source) -> Spawn {
    let (stdout, stderr) = (Sink::Owner(Stream::Out), Sink::Owner(Stream::Err));
    Spawn { args, env, cwd: cwd.to_string(), stdin, stdout, stderr }
}

#[cfg(test)]
mod tests;
