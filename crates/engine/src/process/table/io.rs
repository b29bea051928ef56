//! What a program reaches of its machine through `Sys`: its streams, its signals, its children and what it asks.

use super::*;

/// The part of the table a program reaches through `Sys`.
pub struct Io<'a> {
    pub(super) table: &'a mut Processes,
    pub(super) host: &'a dyn Host,
    /// The process that runs is out of the table meanwhile.
    pub(super) current: &'a mut Current,
}

#[derive(Default)]
pub(super) struct Current {
    pub(super) stdin: Option<Source>,
    pub(super) stdout: Option<Sink>,
    pub(super) stderr: Option<Sink>,
    pub(super) holds: Vec<Hold>,
    pub(super) signals: VecDeque<Signal>,
    pub(super) exec: Option<(Vec<String>, Env, Box<dyn Program>)>,
}

impl Io<'_> {
    pub(in crate::process) fn write(
        &mut self,
        files: &mut Files,
        now: Time,
        pid: Pid,
        stream: Stream,
        bytes: &[u8],
    ) -> Written {
        let sink = match stream {
            Stream::Out => &self.current.stdout,
            Stream::Err => &self.current.stderr,
        };
        self.table.pending.moved = self.table.pending.moved.saturating_add(bytes.len());
        match sink {
            None | Some(Sink::Null) => Written::All,
            Some(Sink::Owner(stream)) => {
                self.table.pending.written = self.table.pending.written.saturating_add(bytes.len());
                self.table.pending.output.push(Output { pid, stream: *stream, bytes: bytes.to_vec() });
                Written::All
            }
            Some(Sink::File(path)) => match files.append(now, "/", path, bytes) {
                Ok(()) => Written::All,
                Err(_) => Written::NoSpace,
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

    pub(in crate::process) fn read(&mut self, _pid: Pid, max: usize, until: Option<u8>) -> Read {
        match self.current.stdin {
            Some(Source::Pipe(id)) => self.read_pipe(id, max, until),
            _ => Read::End,
        }
    }

    pub(in crate::process) fn read_pipe(&mut self, id: u32, max: usize, until: Option<u8>) -> Read {
        let Some(pipe) = self.table.pipes.get_mut(&id) else { return Read::End };
        let open = pipe.writers > 0 && !pipe.ended;
        let bytes = &mut pipe.bytes;
        let find = |mark: u8| {
            let (first, second) = bytes.as_slices();
            let found = first.iter().position(|b| *b == mark);
            found.or_else(|| second.iter().position(|b| *b == mark).map(|at| first.len() + at))
        };
        let take = match until.map(find) {
            Some(Some(at)) => at + 1,
            Some(None) if open => return Read::Empty,
            _ => bytes.len(),
        };
        if take == 0 {
            pipe.ended = false;
            return if open { Read::Empty } else { Read::End };
        }
        let take = take.min(max);
        let (first, second) = bytes.as_slices();
        let split = take.min(first.len());
        let mut data = first.get(..split).unwrap_or_default().to_vec();
        data.extend_from_slice(second.get(..take - split).unwrap_or_default());
        bytes.drain(..take);
        self.table.pending.moved = self.table.pending.moved.saturating_add(take);
        // Within a line, Ctrl+D only hands over what has been typed.
        pipe.ended &= !bytes.is_empty() || data.last() == Some(&b'\n');
        Read::Data(data)
    }

    pub(in crate::process) fn signal(&mut self, _pid: Pid) -> Option<Signal> {
        self.current.signals.pop_front()
    }

    pub(in crate::process) fn spawn(&mut self, files: &Files, parent: Pid, spawn: Spawn) -> Result<Pid, NoProgram> {
        self.table.spawn(self.host, files, parent, spawn)
    }

    pub(in crate::process) fn reap(&mut self, child: Pid) -> Option<Exit> {
        self.table.exits.remove(&child).map(|(_, exit)| exit)
    }

    pub(in crate::process) fn put_back(&mut self, signal: Signal) {
        self.current.signals.push_front(signal);
    }

    pub(in crate::process) fn fork(
        &mut self,
        parent: Pid,
        spawn: Spawn,
        program: Box<dyn Program>,
    ) -> Result<Pid, NoProgram> {
        if self.table.table.len() >= PROCESSES_LIMIT {
            return Err(NoProgram::Gap(NO_FORK.into()));
        }
        Ok(self.table.insert(parent, spawn, program))
    }

    pub(in crate::process) fn exec(
        &mut self,
        files: &Files,
        cwd: &str,
        args: Vec<String>,
        env: Env,
    ) -> Result<(), NoProgram> {
        let program = self.host.program(files, &env, cwd, &args)?;
        self.current.exec = Some((args, env, program));
        Ok(())
    }

    pub(in crate::process) fn has(
        &self,
        files: &Files,
        env: &Env,
        cwd: &str,
        args: &[String],
    ) -> Result<(), NoProgram> {
        self.host.program(files, env, cwd, args).map(|_| ())
    }

    pub(in crate::process) fn redirect(&mut self, stdin: Source, stdout: Sink, stderr: Sink) {
        self.current.stdin = Some(stdin);
        self.current.stdout = Some(stdout);
        self.current.stderr = Some(stderr);
    }

    pub(in crate::process) fn streams(&self) -> (Source, Sink, Sink) {
        let sink = |sink: &Option<Sink>| sink.clone().unwrap_or(Sink::Null);
        (self.current.stdin.clone().unwrap_or(Source::Null), sink(&self.current.stdout), sink(&self.current.stderr))
    }

    pub(in crate::process) fn is_owner_input(&self) -> bool {
        let Some(Source::Pipe(id)) = self.current.stdin else { return false };
        self.table.pipes.get(&id).is_some_and(|pipe| pipe.owner)
    }

    pub(in crate::process) fn text(&mut self, bytes: Vec<u8>) -> u32 {
        let id = self.table.new_pipe(bytes);
        let hold = self.table.hold(Hold::Reader(id));
        self.current.holds.push(hold);
        id
    }

    pub(in crate::process) fn release(&mut self, pipe: u32) {
        if let Some(at) = self.current.holds.iter().rposition(|hold| *hold == Hold::Reader(pipe)) {
            let hold = self.current.holds.swap_remove(at);
            self.table.let_go(hold);
        }
    }

    pub(in crate::process) fn list(&self, pid: Pid, args: &[String]) -> Vec<(Pid, Vec<String>)> {
        let mut list: Vec<(Pid, Vec<String>)> = self.table.list().map(|(pid, args)| (pid, args.to_vec())).collect();
        list.push((pid, args.to_vec()));
        list.sort();
        if self.table.reaper {
            let first = list.first().map_or(Vec::new(), |(_, args)| args.clone());
            list.iter_mut().for_each(|(pid, _)| *pid += 6);
            let reaper = ["/sbin/docker-init".to_string(), "--".into()].into_iter().chain(first).collect();
            list.insert(0, (1, reaper));
        }
        list
    }

    pub(in crate::process) fn is_running(&self, pid: Pid) -> bool {
        self.table.is_running(pid)
    }

    pub(in crate::process) fn kill(&mut self, pid: Pid, signal: Signal) {
        // The kernel keeps a container's first process from what its own processes cannot handle.
        if !(self.table.init && pid == 1 && signal == Signal::Kill) {
            self.table.signal(pid, signal);
        }
    }

    pub(in crate::process) fn set_raw(&mut self, pid: Pid, on: bool) {
        if on {
            self.table.raw.insert(pid);
        } else {
            self.table.raw.remove(&pid);
        }
    }

    pub(in crate::process) fn meet_gap(&mut self, pid: Pid, what: &str) {
        self.table.pending.gaps.push((pid, what.to_string()));
    }

    pub(in crate::process) fn is_of_first(&self, pid: Pid) -> bool {
        self.table.root_of(pid) == Some(1)
    }

    pub(in crate::process) fn is_container(&self) -> bool {
        self.table.init
    }

    pub(in crate::process) fn starve(&mut self) {
        self.table.pending.starved = true;
        self.current.signals.push_front(Signal::Kill);
    }

    pub(in crate::process) fn pipe(&mut self) -> u32 {
        self.table.new_pipe(Vec::new())
    }

    pub(in crate::process) fn call(&mut self, pid: Pid, request: Request) -> Call {
        self.table.last_call += 1;
        let call = self.table.last_call;
        self.table.calls.insert(call, Line { owner: pid, ..Line::default() });
        self.table.pending.calls.push((call, request));
        call
    }

    pub(in crate::process) fn reply(&mut self, call: Call) -> Option<Response> {
        let line = self.table.calls.get_mut(&call)?;
        let reply = line.reply.take()?;
        if reply.stream.is_none() {
            self.table.calls.remove(&call);
        }
        Some(reply)
    }

    pub(in crate::process) fn frame(&mut self, call: Call) -> Option<Frame> {
        self.table.calls.get_mut(&call)?.frames.pop_front()
    }

    pub(in crate::process) fn send(&mut self, call: Call, frame: Frame) {
        self.table.pending.sent.push((call, frame));
    }

    pub(in crate::process) fn hang_up(&mut self, call: Call) {
        if self.table.calls.remove(&call).is_some() {
            self.table.pending.hung_up.push(call);
        }
    }
}

/// Starts nothing.
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
