//! Programs the shell starts, in the foreground and as jobs.

use super::*;

impl Shell {
    /// Runs a program: in the place of a subshell that has nothing more to do, else as a child.
    pub fn external(
        &mut self,
        sys: &mut Sys<'_>,
        args: Vec<String>,
        env: crate::process::Env,
        streams: Streams,
        pipes: Vec<u32>,
    ) -> Flow {
        let name = args.first().cloned().unwrap_or_default();
        let last = self.frames.is_empty() && self.traps.is_empty() && !self.options.interactive && pipes.is_empty();
        let result = if last && self.output.is_empty() {
            sys.redirect(streams.stdin.clone(), streams.stdout.clone(), streams.stderr.clone());
            self.streams = Some(streams.clone());
            match sys.exec(args, env) {
                Ok(()) => return Flow::Wait(Vec::new()),
                Err(reason) => Err(reason),
            }
        } else {
            let spawn = Spawn {
                args,
                env,
                cwd: sys.cwd.clone(),
                stdin: streams.stdin.clone(),
                stdout: streams.stdout.clone(),
                stderr: streams.stderr.clone(),
            };
            sys.spawn(spawn)
        };
        match result {
            Ok(pid) => {
                if !pipes.is_empty() {
                    let streams = self.streams(sys);
                    self.frames.push(Frame::Restore { streams, pipes });
                }
                self.frames.push(Frame::Wait { pids: vec![pid], codes: vec![None] });
                Flow::Go
            }
            Err(reason) => {
                pipes.iter().for_each(|pipe| sys.release(*pipe));
                let before = self.streams(sys);
                self.frames.push(Frame::Restore { streams: before, pipes: Vec::new() });
                self.streams = Some(streams);
                self.no_program(&name, reason);
                self.check_errexit(sys)
            }
        }
    }

    pub fn no_program(&mut self, name: &str, reason: NoProgram) {
        let (text, code) = match reason {
            NoProgram::NotFound if name.contains('/') => {
                (format!("{name}: {}", if self.is_bash() { "No such file or directory" } else { "not found" }), 127)
            }
            NoProgram::NotFound if self.is_bash() => (format!("{name}: command not found"), 127),
            NoProgram::NotFound => (format!("{name}: not found"), 127),
            NoProgram::NotExecutable => (format!("{name}: Permission denied"), 126),
            NoProgram::IsDirectory if self.is_bash() => (format!("{name}: Is a directory"), 126),
            NoProgram::IsDirectory => (format!("{name}: Permission denied"), 126),
            NoProgram::Gap(text) if text.starts_with("fork") => (text, 254),
            NoProgram::Gap(text) => {
                self.status = 1;
                return self.err(format!("{}\n", text.trim_end()));
            }
        };
        self.status = code;
        self.complain(&text);
    }

    pub fn reap_jobs(&mut self, sys: &mut Sys<'_>) {
        for job in &mut self.jobs {
            if job.done.is_none() && !sys.is_running(job.pid) {
                job.done = Some(sys.reap(job.pid).map_or(0, |exit| exit.code));
            }
        }
        if self.options.interactive && matches!(self.frames.last(), Some(Frame::Status(-1)) | None) {
            let done: Vec<Job> = self.jobs.iter().filter(|job| job.done.is_some()).cloned().collect();
            self.jobs.retain(|job| job.done.is_none());
            for job in done {
                let state = match job.done {
                    Some(0) => "Done".to_string(),
                    Some(143) => "Terminated".into(),
                    Some(137) => "Killed".into(),
                    code => format!("Exit {}", code.unwrap_or(0)),
                };
                self.err(format!("[{}]+  {state:<23} {}\n", job.number, job.text));
            }
        }
    }

    pub(super) fn wait_jobs(&mut self, sys: &mut Sys<'_>, pids: Vec<Pid>) -> Flow {
        if !self.caught.is_empty() {
            if let Some(signal) = self.caught.front() {
                self.status = 128 + *signal as i32;
            }
            return Flow::Go;
        }
        self.reap_jobs(sys);
        let running: Vec<Wait> = pids.iter().filter(|pid| sys.is_running(**pid)).map(|pid| Wait::Child(*pid)).collect();
        if running.is_empty() {
            return Flow::Go;
        }
        self.frames.push(Frame::WaitJobs { pids });
        Flow::Wait(running)
    }
}
