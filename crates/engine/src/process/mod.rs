//! What a running program is: arguments, environment, files, streams, signals, what it waits for, how it ends.
//!
//! Programs are values, not futures: a waiting program has said what it waits for, so a World can be cloned and shown.
//! One table of processes belongs to one machine (a container, the learner's workstation); pipes connect processes
//! inside a table. The table does not know where requests go or what a terminal is: its owner carries those.

mod env;
mod files;
mod late;
pub mod rerun;
mod table;

use crate::base::http::{Frame, Request, Response};
use crate::base::{Chance, Time};

pub use env::Env;
pub use files::{FileError, Files, Node, TOTAL_LIMIT as FILE_LIMIT, clean};
pub use late::{Arrived, Late, Silence, Start};
pub use table::{Exit, Output, Processes, Report, Spawn, alone};

/// The kernel a machine runs: what its /proc says, and otherwise that of the learner's machine.
pub fn kernel(files: &Files) -> String {
    let text = files.read_text("/", "/proc/sys/kernel/osrelease");
    text.map_or_else(|_| "6.12.0".into(), |text| text.trim_end().to_string())
}

pub type Pid = u32;
pub type Call = u64;

/// A program in the middle of its run. `resume` is called when something it waits for has happened; it must come back
/// after a bounded piece of work.
pub trait Program: Send + Sync + CloneProgram {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn;

    /// A shell's aliases with their texts, and its variables: what completion has to know of it.
    fn names(&self) -> (Vec<(&str, &str)>, Vec<&str>) {
        Default::default()
    }
}

pub trait CloneProgram {
    fn boxed(&self) -> Box<dyn Program>;
}

impl<T: Program + Clone + 'static> CloneProgram for T {
    fn boxed(&self) -> Box<dyn Program> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Program> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// More to do at once: lets others run and keeps endless loops interruptible.
    Again,
    /// Nothing has happened and the whole machine waits: the program itself is not here yet (`Late`). The clock has
    /// to stand until the machine is run again, as if it had never been asked.
    Hold,
    /// Resume when any of these has happened (a signal always resumes).
    Wait(Vec<Wait>),
    Exit(i32),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    Until(Time),
    /// Standard input has bytes or has ended.
    Input,
    /// A pipe this process reads besides standard input has bytes or has ended.
    Pipe(u32),
    /// A pipe written to has room again.
    Room,
    Child(Pid),
    /// An answer or a frame of this call has arrived.
    Call(Call),
    /// Nothing but signals: `sleep infinity`, a server (connections reach it as `Program` calls of its owner).
    Signal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    Hup = 1,
    Int = 2,
    Quit = 3,
    Kill = 9,
    Usr1 = 10,
    Pipe = 13,
    Term = 15,
    Winch = 28,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    Out,
    Err,
}

/// Where standard input comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Ends at once.
    Null,
    /// The owner feeds it (`Processes::feed`): a terminal, `exec -i`.
    Owner,
    Text(Vec<u8>),
    Pipe(u32),
}

/// Where output goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Sink {
    Null,
    /// To the owner's report: a terminal, a container's log.
    Owner(Stream),
    Pipe(u32),
    /// Appended to a file as it is written.
    File(String),
}

/// What `read` found.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    Data(Vec<u8>),
    /// Nothing yet: wait for `Wait::Input`.
    Empty,
    End,
}

/// What `write` did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    All,
    /// The pipe is full; nothing was taken. Wait for `Wait::Room` and write the same bytes again.
    Full,
    /// Nobody reads any more: a real process would die of SIGPIPE (exit code 141).
    Broken,
    /// The file takes no more: the disk is full, or it is gone.
    NoSpace,
}

/// Which program a name means, and whether it may run; given by the machine's owner.
pub trait Host {
    /// The program for these arguments (`args[0]` is the name or path as typed); exit code and text of the shell's
    /// complaint are the shell's own business.
    fn program(&self, files: &Files, env: &Env, cwd: &str, args: &[String]) -> Result<Box<dyn Program>, NoProgram>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoProgram {
    NotFound,
    NotExecutable,
    IsDirectory,
    /// It exists in the real image, but is not simulated: exit code 1 with this line.
    Gap(String),
}

/// What a program sees of its machine while it runs.
pub struct Sys<'a> {
    pub pid: Pid,
    pub now: Time,
    pub args: &'a [String],
    pub env: &'a mut Env,
    pub cwd: &'a mut String,
    pub files: &'a mut Files,
    pub chance: &'a mut Chance,
    /// Columns and rows when standard output is a terminal.
    pub terminal: Option<(u16, u16)>,
    /// The host name of the machine.
    pub hostname: &'a str,
    pub(crate) io: table::Io<'a>,
}

impl Sys<'_> {
    pub fn out(&mut self, text: impl AsRef<[u8]>) -> Written {
        self.write(Stream::Out, text.as_ref())
    }

    pub fn err(&mut self, text: impl AsRef<[u8]>) -> Written {
        self.write(Stream::Err, text.as_ref())
    }

    pub fn write(&mut self, stream: Stream, bytes: &[u8]) -> Written {
        self.io.write(self.files, self.now, self.pid, stream, bytes)
    }

    /// Up to `max` bytes of standard input.
    pub fn read(&mut self, max: usize) -> Read {
        self.io.read(self.pid, max, None)
    }

    /// Up to and including the next line end (or what is there at the end of input).
    pub fn read_line(&mut self) -> Read {
        self.io.read(self.pid, usize::MAX, Some(b'\n'))
    }

    /// The oldest signal not yet taken. Signals nobody takes end the process when it next waits (see `Processes`).
    pub fn signal(&mut self) -> Option<Signal> {
        self.io.signal(self.pid)
    }

    /// Starts a child; it runs after this program's turn.
    pub fn spawn(&mut self, spawn: Spawn) -> Result<Pid, NoProgram> {
        self.io.spawn(self.files, self.pid, spawn)
    }

    /// A child's end, once.
    pub fn reap(&mut self, child: Pid) -> Option<Exit> {
        self.io.reap(child)
    }

    /// Gives a taken signal back, so that it has its default effect.
    pub fn put_back(&mut self, signal: Signal) {
        self.io.put_back(signal);
    }

    /// Starts a child that is a given program: a copy of the shell.
    pub fn fork(&mut self, spawn: Spawn, program: Box<dyn Program>) -> Result<Pid, NoProgram> {
        self.io.fork(self.pid, spawn, program)
    }

    /// After this turn this process is another program.
    pub fn exec(&mut self, args: Vec<String>, env: Env) -> Result<(), NoProgram> {
        self.io.exec(self.files, self.cwd, args, env)
    }

    /// Whether a program of that name could be started.
    pub fn has(&self, args: &[String]) -> Result<(), NoProgram> {
        self.io.has(self.files, self.env, self.cwd, args)
    }

    /// What stands for the three standard streams now.
    pub fn streams(&self) -> (Source, Sink, Sink) {
        self.io.streams()
    }

    /// Puts others in their place; what was there stays open. Pipes must be held by this process.
    pub fn redirect(&mut self, stdin: Source, stdout: Sink, stderr: Sink) {
        self.io.redirect(stdin, stdout, stderr);
    }

    /// Whether the owner feeds standard input (a terminal, `exec -i`).
    pub fn is_owner_input(&self) -> bool {
        self.io.is_owner_input()
    }

    /// A pipe that holds these bytes and is read by this process until it lets go of it.
    pub fn text(&mut self, bytes: Vec<u8>) -> u32 {
        self.io.text(bytes)
    }

    /// Reads from a pipe made by `text` (whose writers may have been added by naming it in `Spawn`).
    pub fn read_pipe(&mut self, pipe: u32, max: usize) -> Read {
        self.io.read_pipe(pipe, max, None)
    }

    /// Lets go of a pipe made by `text`.
    pub fn release(&mut self, pipe: u32) {
        self.io.release(pipe);
    }

    /// Pid and arguments of everything that runs on this machine.
    pub fn processes(&self) -> Vec<(Pid, Vec<String>)> {
        self.io.list(self.pid, self.args)
    }

    pub fn is_running(&self, pid: Pid) -> bool {
        self.io.is_running(pid)
    }

    pub fn kill(&mut self, pid: Pid, signal: Signal) {
        if pid == self.pid {
            self.io.put_back(signal);
        } else {
            self.io.kill(pid, signal);
        }
    }

    /// From now on the keys of the terminal come one by one, Ctrl+C and Ctrl+D among them (or no longer).
    pub fn set_raw(&mut self, on: bool) {
        self.io.set_raw(self.pid, on);
    }

    /// Something that is not simulated was met; the machine's owner tells it.
    pub fn meet_gap(&mut self, what: &str) {
        self.io.meet_gap(self.pid, what);
    }

    /// Whether this is the machine's first process or descends from it.
    pub fn is_of_first(&self) -> bool {
        self.io.is_of_first(self.pid)
    }

    /// Whether the machine is a container.
    pub fn is_container(&self) -> bool {
        self.io.is_container()
    }

    /// This program needs more memory than there is: the kernel kills it.
    pub fn starve(&mut self) {
        self.io.starve();
    }

    /// A new pipe for children; both ends are held by whoever names them in `Spawn`.
    pub fn pipe(&mut self) -> u32 {
        self.io.pipe()
    }

    /// Sends a request; the answer comes under the returned number.
    pub fn call(&mut self, request: Request) -> Call {
        self.io.call(self.pid, request)
    }

    pub fn reply(&mut self, call: Call) -> Option<Response> {
        self.io.reply(call)
    }

    /// The next frame of a call that streams.
    pub fn frame(&mut self, call: Call) -> Option<Frame> {
        self.io.frame(call)
    }

    /// Sends bytes up a streaming call (`exec -i`).
    pub fn send(&mut self, call: Call, frame: Frame) {
        self.io.send(call, frame);
    }

    /// Stops caring for a call (closes its stream).
    pub fn hang_up(&mut self, call: Call) {
        self.io.hang_up(call);
    }
}
