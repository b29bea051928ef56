//! The other end of `remote`: programs that run here for a machine that is elsewhere. Each turn brings the slice of the
//! machine the program sees; around it a table of its own is laid out, so that the program meets the same `Sys`.

use std::collections::VecDeque;

use super::remote::next_key;
use super::{Current, Io, Line, Pipe, Processes};
use crate::base::{Chance, Time};
use crate::process::wire::{Reader, Writer, signal};
use crate::process::{Env, Files, Host, NoProgram, Program, Sink, Source, Stream, Sys};

/// Programs kept for those who go on with them.
const MOST: usize = 16;

/// All programs that run here, by the digest of what they were sent.
pub struct Guests {
    start: fn(&[String]) -> Box<dyn Program>,
    known: VecDeque<(u64, Guest)>,
}

struct Guest {
    program: Box<dyn Program>,
    args: Vec<String>,
    hostname: String,
    env: Env,
    files: Files,
    chance: Chance,
}

/// Nothing is started from here.
struct Nobody;

impl Host for Nobody {
    fn program(&self, _: &Files, _: &Env, _: &str, _: &[String]) -> Result<Box<dyn Program>, NoProgram> {
        Err(NoProgram::NotFound)
    }
}

/// For work on files that needs no machine: nothing is read, written or asked but them.
pub fn alone<T>(files: &mut Files, work: impl FnOnce(&mut Sys<'_>) -> T) -> T {
    let (mut table, mut current) = (Processes::default(), Current::default());
    work(&mut Sys {
        pid: 1,
        now: Time::default(),
        args: &[],
        env: &mut Env::default(),
        cwd: &mut "/".into(),
        files,
        chance: &mut Chance::new(0),
        terminal: None,
        hostname: "",
        io: Io { table: &mut table, host: &Nobody, current: &mut current },
    })
}

impl Guests {
    pub fn new(start: fn(&[String]) -> Box<dyn Program>) -> Guests {
        Guests { start, known: VecDeque::new() }
    }

    /// One turn of a program: the digest of what it was sent so far, and the message. Nothing but a zero when it is not
    /// known here.
    pub fn turn(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut from = Reader::new(bytes);
        let (key, message) = (from.number(), from.bytes());
        let mut to = Writer::default();
        let mut from = Reader::new(message);
        let place = self.known.iter().position(|(known, _)| *known == key);
        let guest = match place.and_then(|place| self.known.remove(place)) {
            Some((_, guest)) => Some(guest),
            None if key == 0 => {
                let args = from.texts();
                let hostname = from.string();
                let chance = Chance::new(from.number());
                let program = (self.start)(&args);
                Some(Guest { program, args, hostname, env: Env::default(), files: Files::default(), chance })
            }
            None => None,
        };
        to.maybe(guest, |to, mut guest| {
            to.bytes(&guest.turn(&mut from));
            if self.known.len() == MOST {
                self.known.pop_front();
            }
            self.known.push_back((next_key(key, message), guest));
        });
        to.0
    }
}

impl Guest {
    fn turn(&mut self, from: &mut Reader<'_>) -> Vec<u8> {
        let now = from.time();
        let mut cwd = from.string();
        let small = |from: &mut Reader<'_>| from.number().try_into().unwrap_or_default();
        let terminal = from.maybe(|from| (small(from), small(from)));
        if let Some(env) = from.maybe(Reader::pairs) {
            self.env = env.into_iter().collect();
        }
        self.files.change(from.files());
        self.chance.change(from.draws());
        let (files, chance) = (self.files.clone(), self.chance.clone());
        let pid = from.small();
        let mut table = Processes { last_call: from.number(), ..Processes::default() };
        let mut current =
            Current { signals: from.all(Reader::byte).into_iter().filter_map(signal).collect(), ..Current::default() };
        let input = from.maybe(|from| {
            let id = from.small();
            let (owner, writers) = (from.flag(), from.number() as usize);
            let bytes = from.bytes().to_vec();
            let length = bytes.len();
            table.pipes.insert(id, Pipe::standing_in(owner, 1, writers, bytes));
            (id, length)
        });
        current.stdin = Some(input.map_or(Source::Null, |(id, _)| Source::Pipe(id)));
        // Pipes written to, and how much stood in them.
        let mut outputs: Vec<(u32, usize)> = Vec::new();
        let mut sink = |from: &mut Reader<'_>| match from.byte() {
            1 => Sink::Owner(Stream::Out),
            2 => Sink::Owner(Stream::Err),
            3 => Sink::File(from.string()),
            4 => {
                let id = from.small();
                if let Some((readers, fill)) = from.maybe(|from| (from.number() as usize, from.number() as usize))
                    && outputs.iter().all(|(known, _)| *known != id)
                {
                    let fill = fill.min(crate::process::FILE_LIMIT);
                    table.pipes.insert(id, Pipe::standing_in(false, readers, 1, vec![0; fill]));
                    outputs.push((id, fill));
                }
                Sink::Pipe(id)
            }
            _ => Sink::Null,
        };
        current.stdout = Some(sink(from));
        current.stderr = Some(sink(from));
        let open = from.all(|from| (from.number(), from.maybe(Reader::response), from.all(Reader::frame)));
        for (call, reply, frames) in open {
            table.calls.insert(call, Line { owner: pid, reply, frames: frames.into() });
        }
        let turn = self.program.resume(&mut Sys {
            pid,
            now,
            args: &self.args,
            env: &mut self.env,
            cwd: &mut cwd,
            files: &mut self.files,
            chance: &mut self.chance,
            terminal,
            hostname: &self.hostname,
            io: Io { table: &mut table, host: &Nobody, current: &mut current },
        });
        let mut to = Writer::default();
        to.turn(&turn);
        to.text(&cwd);
        to.files(&self.files.changes(&files));
        to.draws(&self.chance.changes(&chance));
        to.all(current.signals.iter(), |to, signal| to.byte(*signal as u8));
        let left = |id: &u32| table.pipes.get(id).map_or(0, |pipe| pipe.bytes.len());
        to.count(input.map_or(0, |(id, length)| length.saturating_sub(left(&id))));
        to.all(outputs.iter(), |to, (id, fill)| {
            let bytes: Vec<u8> =
                table.pipes.get(id).into_iter().flat_map(|pipe| pipe.bytes.iter().skip(*fill).copied()).collect();
            to.number((*id).into());
            to.bytes(&bytes);
        });
        let pending = &table.pending;
        to.all(pending.output.iter(), |to, output| {
            to.byte(output.stream as u8);
            to.bytes(&output.bytes);
        });
        to.all(pending.calls.iter(), |to, (_, request)| to.request(request));
        to.all(pending.sent.iter(), |to, (call, frame)| {
            to.number(*call);
            to.frame(frame);
        });
        to.all(pending.hung_up.iter(), |to, call| to.number(*call));
        let open: Vec<_> = table.calls.iter().collect();
        to.all(open.into_iter(), |to, (call, line)| {
            to.number(*call);
            to.flag(line.reply.is_some());
            to.count(line.frames.len());
        });
        to.0
    }
}
