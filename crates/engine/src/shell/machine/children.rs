//! Child processes of a shell: pipelines, what it waits for, and the output of substitutions.

use super::*;

impl Shell {
    /// A copy of this shell for a subshell.
    pub(super) fn child(&self) -> Shell {
        let mut child = self.clone();
        child.is_child = true;
        child.options.interactive = false;
        child.options.marks = false;
        child.options.echo = false;
        if self.options.interactive {
            child.name = "bash".into();
        }
        child.streams = None;
        child.output.clear();
        child.jobs.clear();
        child.caught.clear();
        child.results.clear();
        child.used = 0;
        child.undo.clear();
        child.history.clear();
        child.traps.retain(|_, action| action.is_empty());
        child
    }

    pub(super) fn fork(&mut self, sys: &mut Sys<'_>, child: Shell, streams: Streams) -> Result<Pid, ()> {
        let spawn = Spawn {
            args: sys.args.to_vec(),
            env: sys.env.clone(),
            cwd: sys.cwd.clone(),
            stdin: streams.stdin,
            stdout: streams.stdout,
            stderr: streams.stderr,
        };
        sys.fork(spawn, Box::new(child)).map_err(|reason| {
            if let NoProgram::Gap(text) = reason {
                self.complain(&text);
            }
        })
    }

    pub(super) fn pipeline(&mut self, sys: &mut Sys<'_>, commands: &[Arc<Command>]) -> Flow {
        let streams = self.streams(sys);
        let mut stdin = streams.stdin.clone();
        let mut pids = Vec::new();
        for (at, command) in commands.iter().enumerate() {
            let last = at + 1 == commands.len();
            let pipe = sys.pipe();
            let mut own = streams.clone();
            own.stdin = stdin;
            if !last {
                own.stdout = Sink::Pipe(pipe);
            }
            stdin = Source::Pipe(pipe);
            let mut child = self.child();
            child.frames = vec![Frame::Command(command.clone())];
            match self.fork(sys, child, own) {
                Ok(pid) => pids.push(pid),
                Err(()) => {
                    self.status = 254;
                    return Flow::Go;
                }
            }
        }
        let codes = vec![None; pids.len()];
        self.frames.push(Frame::Wait { pids, codes });
        Flow::Go
    }

    pub(super) fn wait_children(&mut self, sys: &mut Sys<'_>, pids: Vec<Pid>, mut codes: Vec<Option<i32>>) -> Flow {
        let mut waits = Vec::new();
        let mut killed = None;
        for (pid, code) in pids.iter().zip(&mut codes) {
            if code.is_none() {
                match sys.reap(*pid) {
                    Some(exit) => {
                        *code = Some(exit.code);
                        killed = exit.signal;
                    }
                    None if !sys.is_running(*pid) => *code = Some(127),
                    None => waits.push(Wait::Child(*pid)),
                }
            }
        }
        if !waits.is_empty() {
            self.frames.push(Frame::Wait { pids, codes });
            return Flow::Wait(waits);
        }
        let last = codes.last().copied().flatten().unwrap_or(0);
        if self.is_bash() {
            let array = codes.iter().enumerate().map(|(at, code)| (at as i64, code.unwrap_or(0).to_string()));
            let array = Some(array.collect());
            self.variables.insert("PIPESTATUS".into(), Variable { array, ..Variable::default() });
        }
        let failed = codes.iter().rev().flatten().copied().find(|code| *code != 0).unwrap_or(0);
        self.status = if self.options.pipefail { failed } else { last };
        // A command that ended at that very instant without a fault has not heard it.
        let unheard = |at: crate::base::Time| at == sys.now && self.status == 0;
        if self.struck.take().is_some_and(|at| killed == Some(Signal::Int) || self.status == 130 || unheard(at)) {
            self.interrupted(sys);
            return Flow::Go;
        }
        if killed == Some(Signal::Int) && !self.is_child && !self.options.interactive && self.caught.is_empty() {
            // A shell whose command died of Ctrl+C dies of it too.
            self.unwind_all(sys);
            return self.finish(130);
        }
        self.check_errexit(sys)
    }

    pub(super) fn start_collect(&mut self, sys: &mut Sys<'_>, list: List, file: bool) -> Flow {
        let pipe = sys.text(Vec::new());
        let mut streams = self.streams(sys);
        streams.stdout = Sink::Pipe(pipe);
        let mut child = self.child();
        child.frames = vec![Frame::List { list, at: 0, top: false }];
        match self.fork(sys, child, streams) {
            Ok(pid) => {
                self.frames.push(Frame::Collect { pipe, pid, bytes: Vec::new(), ended: false, file });
                Flow::Go
            }
            Err(()) => {
                sys.release(pipe);
                self.unwind_all(sys);
                self.finish(254)
            }
        }
    }

    pub(super) fn collect(
        &mut self,
        sys: &mut Sys<'_>,
        pipe: u32,
        pid: Pid,
        mut bytes: Vec<u8>,
        ended: bool,
        file: bool,
    ) -> Flow {
        let mut ended = ended;
        while !ended {
            match sys.read_pipe(pipe, 1 << 16) {
                Read::Data(data) => bytes.extend(data),
                Read::Empty => {
                    self.frames.push(Frame::Collect { pipe, pid, bytes, ended, file });
                    return Flow::Wait(vec![Wait::Pipe(pipe)]);
                }
                Read::End => ended = true,
            }
            if bytes.len() > COLLECT_LIMIT {
                sys.release(pipe);
                sys.kill(pid, Signal::Pipe);
                self.unwind_all(sys);
                self.complain("command substitution: cannot allocate memory");
                return self.finish(1);
            }
        }
        if sys.is_running(pid) {
            self.frames.push(Frame::Collect { pipe, pid, bytes, ended, file });
            return Flow::Wait(vec![Wait::Child(pid)]);
        }
        let code = sys.reap(pid).map_or(0, |exit| exit.code);
        sys.release(pipe);
        if file {
            self.files_made = self.files_made.wrapping_add(1) % 32;
            let path = format!("/dev/fd/{}", 63 - self.files_made);
            let _ = sys.files.make_directories(sys.now, "/", "/dev/fd");
            let _ = sys.files.write(sys.now, "/", &path, &bytes);
            self.results.push(path);
            return Flow::Go;
        }
        self.substituted = Some(code);
        bytes.retain(|byte| *byte != 0);
        let text = String::from_utf8_lossy(&bytes);
        self.results.push(text.trim_end_matches('\n').to_string());
        Flow::Go
    }
}
