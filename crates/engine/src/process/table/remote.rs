//! A program that runs in another module (the page loads Terraform on demand): what it sees of its machine goes there as
//! bytes before each turn, and what it did comes back.
//!
//! The other side is a function of what it was sent, so everything sent is kept here and a copy of the machine is plain
//! data: whichever copy goes on first goes on with the program over there, and for the others it is run again from the
//! start (`guest`). Left out: children, exec and changes of the environment.

use std::sync::Arc;

use super::{Io, Line, Output, Pipe};
use crate::base::Chance;
use crate::base::chance::hash;
use crate::process::wire::{Reader, Writer, signal, stream};
use crate::process::{Call, Env, Files, Pid, Program, Sink, Source, Sys, Turn};

/// Sends bytes to the other module and hands back its answer.
pub type Link = fn(&[u8]) -> Result<Vec<u8>, Silence>;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The module is being loaded.
    Coming,
    /// It cannot be had, or has failed: why.
    Broken(String),
}

#[derive(Clone)]
pub struct Remote {
    args: Vec<String>,
    link: Link,
    /// All that was sent so far, and its digest: the name of the program's state over there.
    sent: Vec<Arc<[u8]>>,
    key: u64,
    /// What the other side knows.
    env: Option<Env>,
    files: Files,
    chance: Chance,
}

/// The digest of one more message.
pub(super) fn next_key(key: u64, message: &[u8]) -> u64 {
    hash(key.wrapping_add(1), message)
}

impl Remote {
    pub fn program(args: &[String], link: Link) -> Box<dyn Program> {
        Box::new(Remote {
            args: args.to_vec(),
            link,
            sent: Vec::new(),
            key: 0,
            env: None,
            files: Files::default(),
            chance: Chance::new(0),
        })
    }

    fn message(&self, sys: &Sys<'_>) -> Vec<u8> {
        let mut to = Writer::default();
        if self.sent.is_empty() {
            to.texts(&self.args);
            to.text(sys.hostname);
            to.number(sys.chance.seed());
        }
        to.time(sys.now);
        to.text(sys.cwd);
        to.maybe(sys.terminal, |to, (columns, rows)| {
            to.number(columns.into());
            to.number(rows.into());
        });
        to.maybe((self.env.as_ref() != Some(&*sys.env)).then_some(&*sys.env), |to, env| to.pairs(env.iter()));
        to.files(&sys.files.changes(&self.files));
        to.draws(&sys.chance.changes(&self.chance));
        sys.io.tell(sys.pid, &mut to);
        to.0
    }

    /// The answer to one more message; the program over there is brought up to here where it is not known any more.
    fn ask(&self, message: &[u8]) -> Result<Vec<u8>, Silence> {
        if let Some(answer) = self.send(self.key, message)? {
            return Ok(answer);
        }
        let mut key = 0;
        for message in &self.sent {
            self.send(key, message)?;
            key = next_key(key, message);
        }
        self.send(key, message)?.ok_or_else(|| Silence::Broken("its module has lost the thread".into()))
    }

    fn send(&self, key: u64, message: &[u8]) -> Result<Option<Vec<u8>>, Silence> {
        let mut to = Writer::default();
        to.number(key);
        to.bytes(message);
        let answer = (self.link)(&to.0)?;
        let mut from = Reader::new(&answer);
        Ok(from.maybe(|from| from.bytes().to_vec()))
    }

    /// Does here what the program did over there.
    fn follow(&mut self, sys: &mut Sys<'_>, answer: &[u8]) -> Turn {
        let mut from = Reader::new(answer);
        let turn = from.turn();
        *sys.cwd = from.string();
        sys.files.change(from.files());
        sys.chance.change(from.draws());
        sys.io.follow(sys.pid, &mut from);
        self.files = sys.files.clone();
        self.chance = sys.chance.clone();
        if self.env.as_ref() != Some(&*sys.env) {
            self.env = Some(sys.env.clone());
        }
        turn
    }
}

impl Program for Remote {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let message = self.message(sys);
        match self.ask(&message) {
            Ok(answer) => {
                self.key = next_key(self.key, &message);
                self.sent.push(message.into());
                self.follow(sys, &answer)
            }
            Err(Silence::Coming) => Turn::Hold,
            Err(Silence::Broken(why)) => {
                let name = self.args.first().map_or("", String::as_str);
                sys.err(format!("{name}: {why}\n"));
                Turn::Exit(1)
            }
        }
    }
}

impl Io<'_> {
    /// Streams, signals and open calls of the process, as `guest` reads them.
    fn tell(&self, pid: Pid, to: &mut Writer) {
        to.number(pid.into());
        to.number(self.table.last_call);
        to.all(self.current.signals.iter(), |to, signal| to.byte(*signal as u8));
        let input = match self.current.stdin {
            Some(Source::Pipe(id)) => self.table.pipes.get(&id).map(|pipe| (id, pipe)),
            _ => None,
        };
        to.maybe(input, |to, (id, pipe)| {
            to.number(id.into());
            to.flag(pipe.owner);
            to.count(if pipe.ended { 0 } else { pipe.writers });
            to.bytes(&pipe.bytes.iter().copied().collect::<Vec<u8>>());
        });
        for sink in [&self.current.stdout, &self.current.stderr] {
            match sink {
                None | Some(Sink::Null) => to.byte(0),
                Some(Sink::Owner(stream)) => to.byte(1 + *stream as u8),
                Some(Sink::File(path)) => {
                    to.byte(3);
                    to.text(path);
                }
                Some(Sink::Pipe(id)) => {
                    to.byte(4);
                    to.number((*id).into());
                    to.maybe(self.table.pipes.get(id), |to, pipe| {
                        to.count(pipe.readers);
                        to.count(pipe.bytes.len());
                    });
                }
            }
        }
        let open: Vec<(&Call, &Line)> = self.table.calls.iter().filter(|(_, line)| line.owner == pid).collect();
        to.all(open.into_iter(), |to, (call, line)| {
            to.number(*call);
            to.maybe(line.reply.as_ref(), Writer::response);
            to.all(line.frames.iter(), Writer::frame);
        });
    }

    fn follow(&mut self, pid: Pid, from: &mut Reader<'_>) {
        self.current.signals = from.all(Reader::byte).into_iter().filter_map(signal).collect();
        let taken = from.number() as usize;
        if let Some(Source::Pipe(id)) = self.current.stdin
            && let Some(pipe) = self.table.pipes.get_mut(&id)
        {
            pipe.bytes.drain(..taken.min(pipe.bytes.len()));
            pipe.ended = false;
        }
        for (id, bytes) in from.all(|from| (from.small(), from.bytes())) {
            if let Some(pipe) = self.table.pipes.get_mut(&id) {
                pipe.bytes.extend(bytes);
            }
        }
        for (stream, bytes) in from.all(|from| (stream(from.byte()), from.bytes())) {
            self.table.pending.written = self.table.pending.written.saturating_add(bytes.len());
            self.table.pending.output.push(Output { pid, stream, bytes: bytes.to_vec() });
        }
        for request in from.all(Reader::request) {
            self.call(pid, request);
        }
        for (call, frame) in from.all(|from| (from.number(), from.frame())) {
            self.send(call, frame);
        }
        for call in from.all(Reader::number) {
            self.hang_up(call);
        }
        let open = from.all(|from| (from.number(), from.flag(), from.number() as usize));
        self.table.calls.retain(|call, line| line.owner != pid || open.iter().any(|(open, ..)| open == call));
        for (call, has_reply, frames) in open {
            let Some(line) = self.table.calls.get_mut(&call) else { continue };
            if !has_reply {
                line.reply = None;
            }
            line.frames.drain(..line.frames.len().saturating_sub(frames));
        }
    }
}

impl Pipe {
    /// What stands for a pipe of the other side.
    pub(super) fn standing_in(owner: bool, readers: usize, writers: usize, bytes: Vec<u8>) -> Pipe {
        Pipe { owner, ended: false, bytes: bytes.into(), readers, writers }
    }
}
