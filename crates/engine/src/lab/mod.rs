//! The door: a cluster and the learner's workstation on one clock. A page, a test and a command line hold the same Lab
//! and move it with `input` and `advance`; nothing else does.

mod check;
mod converge;
mod open;
mod past;
mod recording;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::api::Answer;
use crate::base::http::{Frame, Mail, Request, Response};
use crate::base::{BTreeMap, BTreeSet, Chance, Span, Time, Value};
use crate::cluster::{Cluster, Setup};
use crate::process::{Env, Files, NoProgram, Pid, Stream};
use crate::shell;
use crate::trace::{Actor, Seq, Trace, What};
use crate::workstation::{self, Installed, Workstation};
use crate::{docker, kubectl, terraform};

pub use check::{Checked, check};
pub use open::{Obstacle, is_system_namespace};
pub use recording::{Input, Recording};

/// Turns a busy workstation may take before the clock moves on a little.
const TURNS: u32 = 200;
/// What those turns cost on the virtual clock.
const BUSY: Span = Span(100);
/// So many turns count as a step of those an `advance` may take.
const TURNS_A_STEP: u32 = 6;
/// Sets the workstation's chances apart from the cluster's.
const STATION: u64 = 0x0057_0a71_0000_0000;
/// From here on numbers of requests belong to clients outside the Lab.
const OUTSIDE: u64 = 1 << 40;
/// Output kept for a reader who does not come.
const MOST_OUTPUT: usize = 4 << 20;

#[derive(Clone, Debug)]
struct Job {
    line: String,
    seq: Seq,
    /// `None` for a line at the prompt.
    pid: Option<Pid>,
}

/// A piece of what the terminal shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    pub at: Time,
    pub job: Pid,
    pub stream: Stream,
    /// A command a script tells before it runs.
    pub is_echo: bool,
    pub bytes: Vec<u8>,
}

/// How an `advance` ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// The clock stands at the instant asked for.
    Time,
    /// The steps allowed are used up; ask again.
    Budget,
    /// A program is not here yet, and the clock stands until it is.
    Held,
}

#[derive(Clone)]
pub struct Lab {
    pub cluster: Cluster,
    pub station: Workstation,
    recording: Recording,
    output: Vec<Output>,
    /// What runs, and what has returned while its objects are not yet as declared.
    jobs: Vec<Job>,
    pending: converge::Pending,
    notices: Vec<String>,
    told: BTreeSet<String>,
    /// Steps that a busy workstation was charged with.
    charged: u64,
    busy_slices: u64,
    /// Requests of clients outside so far, and what came back for them.
    asked: u64,
    answers: Vec<(u64, Mail)>,
    /// A program is not here yet; what is done meanwhile waits.
    held: bool,
    waiting: VecDeque<Input>,
    /// Commands beside the prompt that nobody has been told of.
    started: Vec<Pid>,
    /// Terraform's state file as it was last seen.
    state: Option<Arc<Vec<u8>>>,
}

impl Lab {
    pub fn new(setup: Setup) -> Lab {
        Lab::with(setup, commands())
    }

    /// With these programs instead: where some of them arrive late.
    #[inline(never)]
    pub fn with(setup: Setup, installed: Vec<Installed>) -> Lab {
        let cluster = Cluster::new(setup.clone());
        let mut station = Workstation::new(Chance::new(setup.seed ^ STATION), installed);
        let written = station.write_file(cluster.now, ".kube/config", &setup.kubeconfig());
        debug_assert!(written.is_ok());
        Lab {
            cluster,
            station,
            recording: Recording::new(setup),
            output: Vec::new(),
            jobs: Vec::new(),
            pending: converge::Pending::default(),
            notices: Vec::new(),
            told: BTreeSet::new(),
            charged: 0,
            busy_slices: 0,
            asked: 0,
            answers: Vec::new(),
            held: false,
            waiting: VecDeque::new(),
            started: Vec::new(),
            state: None,
        }
    }

    /// Whether a program is not here yet. The clock stands, and inputs wait for it.
    pub fn is_held(&self) -> bool {
        self.held
    }

    pub fn now(&self) -> Time {
        self.cluster.now
    }

    pub fn trace(&self) -> &Trace {
        &self.cluster.trace
    }

    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// What the person does, at the present instant.
    #[inline(never)]
    pub fn input(&mut self, input: Input) {
        if self.held {
            self.waiting.push_back(input);
            return;
        }
        self.take_in(input);
        self.settle_station();
    }

    fn take_in(&mut self, input: Input) {
        self.recording.push(self.now(), input.clone());
        match input {
            Input::Line(line) => {
                // The rest of a command, or input for a program, is no command.
                let is_rest = self.station.is_continuing() || (self.is_busy() && self.station.wants_input());
                if !is_rest && !line.trim().is_empty() {
                    let seq = self.mark(What::Command { line: line.clone() });
                    self.jobs.push(Job { line: line.clone(), seq, pid: None });
                }
                self.station.submit(&line);
            }
            Input::Job(line) => {
                if let Ok(pid) = self.begin(&line, workstation::login_env(), Workstation::start_terminal_job) {
                    self.started.push(pid);
                }
            }
            Input::Kill(target) => {
                self.cluster.kill(&target);
            }
            Input::Bytes(bytes) => self.station.feed(bytes.as_bytes()),
            Input::Interrupt => self.station.interrupt(),
            Input::EndOfInput => self.station.end_of_input(),
            Input::WriteFile { path, text } => {
                let _ = self.station.write_file(self.cluster.now, &path, &text);
            }
            Input::RemoveFile { path } => {
                let _ = self.station.remove_file(&path);
            }
            Input::Resize { columns, rows } => self.station.resize(columns, rows),
        }
    }

    /// Runs a command in a shell of its own (`bash -c`), beside the prompt.
    pub fn start_job(&mut self, command: &str, env: Env) -> Result<Pid, NoProgram> {
        let pid = self.begin(command, env, Workstation::start_job)?;
        self.settle_station();
        Ok(pid)
    }

    /// The same on the terminal: the command sees its width.
    pub fn start_terminal_job(&mut self, command: &str, env: Env) -> Result<Pid, NoProgram> {
        let pid = self.begin(command, env, Workstation::start_terminal_job)?;
        self.settle_station();
        Ok(pid)
    }

    fn begin(
        &mut self,
        command: &str,
        env: Env,
        start: fn(&mut Workstation, &str, Env, &str) -> Result<Pid, NoProgram>,
    ) -> Result<Pid, NoProgram> {
        let seq = self.mark(What::Command { line: command.into() });
        let home = self.station.home();
        let pid = start(&mut self.station, command, env, home)?;
        self.jobs.push(Job { line: command.into(), seq, pid: Some(pid) });
        Ok(pid)
    }

    /// Runs a whole script as `bash SCRIPT` would; with `echo` each top-level command is told before it runs.
    pub fn start_script(&mut self, text: &str, echo: bool) -> Pid {
        let seq = self.mark(What::Command { line: "bash script".into() });
        let home = self.station.home();
        let pid = self.station.start_script("script", text, echo, workstation::login_env(), home);
        self.jobs.push(Job { line: "bash script".into(), seq, pid: Some(pid) });
        self.settle_station();
        pid
    }

    /// The exit code of a job or script that has ended.
    pub fn exit_code(&self, job: Pid) -> Option<i32> {
        self.station.exit(job)
    }

    /// Whether a command runs at the prompt.
    pub fn is_busy(&self) -> bool {
        self.station.prompt().is_none()
    }

    /// What the Lab itself has to say, beside the output of programs: gaps met, each once.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// How often programs of the workstation have used up what may be computed at one instant.
    pub fn busy_slices(&self) -> u64 {
        self.busy_slices
    }

    /// Commands beside the prompt (`Input::Job`) that have begun since the last time, in order.
    pub fn take_started(&mut self) -> Vec<Pid> {
        std::mem::take(&mut self.started)
    }

    /// Whether a command runs beside the prompt.
    pub fn has_jobs(&self) -> bool {
        self.jobs.iter().any(|job| job.pid.is_some())
    }

    /// Names of docker's containers that run.
    pub fn running_containers(&self) -> Vec<String> {
        self.cluster.docker.running()
    }

    /// The running containers Terraform's state knows.
    pub fn managed_containers(&self) -> Vec<String> {
        let known = self.state_containers();
        self.running_containers().into_iter().filter(|name| known.contains(name)).collect()
    }

    /// The containers Terraform's state knows, by name.
    pub fn state_containers(&self) -> Vec<String> {
        let text = self.station.files.read(self.station.home(), "terraform.tfstate").unwrap_or_default();
        let tree = crate::base::json::parse(&String::from_utf8_lossy(&text)).unwrap_or_default();
        let resources = tree["resources"].items().iter().filter(|one| one["type"].str() == "docker_container");
        let instances = resources.flat_map(|one| one["instances"].items());
        instances.map(|one| one.at(&["attributes", "name"]).str().to_string()).collect()
    }

    pub fn take_output(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.output)
    }

    /// Since when a program of the machine has worked without a pause, when one does.
    pub fn working_since(&self) -> Option<Time> {
        self.station.working_since()
    }

    /// The instant at which something is due next.
    pub fn next_at(&self) -> Option<Time> {
        let station = self.station.next_at();
        [self.cluster.next_at(), station].into_iter().flatten().min()
    }

    /// Lets the world go on until an instant, at most `steps` steps.
    #[inline(never)]
    pub fn advance(&mut self, until: Time, steps: u64) -> Reached {
        let last = (self.cluster.steps + self.charged).saturating_add(steps);
        loop {
            self.settle_station();
            if self.held {
                return Reached::Held;
            }
            if self.cluster.steps + self.charged >= last {
                return Reached::Budget;
            }
            if self.next_at().is_none_or(|next| next > until) {
                self.cluster.now = self.cluster.now.max(until);
                return Reached::Time;
            }
            self.step();
        }
    }

    /// One step of whatever is due next.
    #[inline(never)]
    pub fn step(&mut self) {
        if self.held {
            return self.settle_station();
        }
        if let Some(at) = self.station.next_at()
            && self.cluster.next_at().is_none_or(|next| at < next)
        {
            self.cluster.wake_outside_at(at);
        }
        if let Some(at) = self.cluster.next_at() {
            let shares = self.cluster.shares_files();
            if shares && self.cluster.docker.host != self.station.files {
                self.cluster.docker.host = self.station.files.clone();
            }
            self.cluster.step(at);
            if std::mem::take(&mut self.cluster.docker.host_changed) && shares {
                self.station.files = self.cluster.docker.host.clone();
            }
        }
        self.settle_station();
    }

    /// Lets the clock run until the prompt is back, or until `limit`; true when it is back.
    pub fn run_until_idle(&mut self, limit: Time) -> bool {
        self.run_while(limit, Lab::is_busy)
    }

    /// Lets the clock run while something holds, or until `limit`; true when it no longer holds.
    pub fn run_while(&mut self, limit: Time, holds: impl Fn(&Lab) -> bool) -> bool {
        self.settle_station();
        while holds(self) {
            if self.held {
                return false;
            }
            match self.next_at() {
                Some(next) if next <= limit => self.step(),
                _ => {
                    self.cluster.now = self.cluster.now.max(limit);
                    return false;
                }
            }
        }
        true
    }

    /// Runs programs of the workstation as far as they get at this instant, and carries their mail.
    fn settle_station(&mut self) {
        self.settle_once();
        while !self.held
            && let Some(input) = self.waiting.pop_front()
        {
            self.take_in(input);
            self.settle_once();
        }
    }

    fn settle_once(&mut self) {
        loop {
            for (number, mail) in self.cluster.take_mail() {
                match mail {
                    mail if number >= OUTSIDE => self.answers.push((number, mail)),
                    Mail::Reply(response) => self.station.reply(number, response),
                    Mail::Frame(frame) => self.station.frame(number, frame),
                }
            }
            let progress = self.station.run(self.cluster.now, TURNS);
            self.held = progress.held;
            if self.held {
                return;
            }
            if progress.turns > 0 {
                self.look_at_state();
            }
            let calls = self.station.take_calls();
            let quiet = calls.is_empty();
            for (number, request) in calls {
                let cause = self.cause_of(self.station.job_of_call(number));
                self.cluster.submit(number, cause, request);
            }
            for number in self.station.take_hang_ups() {
                self.cluster.hang_up(number);
            }
            for (number, frame) in self.station.take_sends() {
                self.cluster.send_up(number, frame);
            }
            self.collect_output();
            self.charged += u64::from(progress.turns / TURNS_A_STEP);
            if progress.busy {
                self.busy_slices += 1;
                self.cluster.wake_outside_at(self.cluster.now + BUSY);
                break;
            }
            if quiet && !self.cluster.has_mail() {
                break;
            }
        }
        self.tell_gaps();
        self.note_returns();
        self.pending.look(&mut self.cluster);
    }

    /// The command that a job is, or the latest one.
    fn cause_of(&self, pid: Option<Pid>) -> Seq {
        let is_it = |job: &&Job| pid.is_some_and(|pid| job.pid.unwrap_or(self.station.shell_pid()) == pid);
        self.jobs.iter().rev().find(is_it).or(self.jobs.last()).map_or(0, |job| job.seq)
    }

    /// What was met that is not simulated: each place stands in the trace, the user is told of each thing once.
    fn tell_gaps(&mut self) {
        let gaps = self.cluster.server.gaps.take();
        let mut new: Vec<(String, String)> = gaps.iter().map(|gap| (gap.line(), String::new())).collect();
        new.extend(self.cluster.kubelets.take_gaps());
        new.append(&mut self.cluster.docker.gaps);
        for (line, place) in new {
            let text = if place.is_empty() { line.clone() } else { format!("{line} ({place})") };
            let what = What::Mark { kind: "gap".into(), text };
            self.cluster.trace.push(self.cluster.now, Actor::Lab, 0, what);
            if self.told.insert(line.clone()) {
                self.notices.push(line);
            }
        }
    }

    /// Terraform's record of what it made is part of the story: what it holds is told whenever it changes.
    fn look_at_state(&mut self) {
        let state = self.station.files.read(self.station.home(), "terraform.tfstate").ok();
        if state.as_ref().map(Arc::as_ptr) == self.state.as_ref().map(Arc::as_ptr) {
            return;
        }
        let text = state.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
        self.state = state;
        let tree = crate::base::json::parse(&text).unwrap_or_default();
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for resource in tree["resources"].items().iter().filter(|it| it["mode"].str() == "managed") {
            *kinds.entry(resource["type"].str()).or_default() += resource["instances"].items().len();
        }
        let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let kinds = if kinds.is_empty() { "empty".to_string() } else { kinds.join(", ") };
        let of = self.jobs.iter().rev().find(|job| job.line.contains("terraform")).or(self.jobs.last());
        let cause = of.map_or(0, |job| job.seq);
        let what = What::Mark { kind: "state".into(), text: format!("terraform.tfstate: {kinds}") };
        self.cluster.trace.push(self.cluster.now, Actor::User, cause, what);
    }

    fn note_returns(&mut self) {
        let at_prompt = self.station.prompt().is_some() && !self.station.is_continuing();
        for job in std::mem::take(&mut self.jobs) {
            let code = match job.pid {
                Some(pid) => self.station.exit(pid),
                None => at_prompt.then_some(self.station.status()),
            };
            let Some(code) = code else {
                self.jobs.push(job);
                continue;
            };
            let what = What::Returned { line: job.line.clone(), code };
            let entry = self.cluster.trace.push(self.cluster.now, Actor::User, job.seq, what);
            self.pending.add(job.line, job.seq, entry);
        }
    }

    fn collect_output(&mut self) {
        let at = self.cluster.now;
        for (stream, bytes, job) in self.station.take_output() {
            let mut rest = bytes.as_slice();
            // A script tells the commands it echoes by a mark.
            while let Some(start) = find(rest, shell::ECHO_MARK) {
                self.put(at, job, stream, false, &rest[..start]);
                rest = &rest[start + shell::ECHO_MARK.len()..];
                let end = find(rest, shell::ECHO_MARK).unwrap_or(rest.len());
                self.put(at, job, stream, true, &rest[..end]);
                rest = rest.get(end + shell::ECHO_MARK.len()..).unwrap_or_default();
            }
            self.put(at, job, stream, false, rest);
        }
        let size: usize = self.output.iter().map(|output| output.bytes.len()).sum();
        if size > MOST_OUTPUT {
            let drop = self.output.len() / 2;
            self.output.drain(..drop);
        }
    }

    fn put(&mut self, at: Time, job: Pid, stream: Stream, is_echo: bool, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        match self.output.last_mut() {
            Some(last) if !is_echo && !last.is_echo && (last.at, last.job, last.stream) == (at, job, stream) => {
                last.bytes.extend_from_slice(bytes);
            }
            _ => self.output.push(Output { at, job, stream, is_echo, bytes: bytes.to_vec() }),
        }
    }

    fn mark(&mut self, what: What) -> Seq {
        self.cluster.trace.push(self.cluster.now, Actor::User, 0, what)
    }

    /// Takes a request of a client outside (a real `docker`) by the door of its host. It is answered on the clock, in
    /// `take_answers` under the number given back. The recording does not hold it.
    pub fn ask(&mut self, request: Request) -> u64 {
        let number = OUTSIDE + self.asked;
        self.asked += 1;
        let seq = self.mark(What::Command { line: format!("{:?} {}", request.method, request.path) });
        self.cluster.submit(number, seq, request);
        self.settle_station();
        number
    }

    /// What came back for clients outside.
    pub fn take_answers(&mut self) -> Vec<(u64, Mail)> {
        std::mem::take(&mut self.answers)
    }

    /// Bytes of a client outside up the stream that answered it.
    pub fn send_up(&mut self, number: u64, frame: Frame) {
        self.cluster.send_up(number, frame);
        self.settle_station();
    }

    /// A client outside is gone.
    pub fn hang_up(&mut self, number: u64) {
        self.cluster.hang_up(number);
    }

    /// Asks the API server past the clock: what panes and checks read. Only reads are let through.
    pub fn read(&mut self, request: &Request) -> Response {
        read(&mut self.cluster, request)
    }

    /// What could stand at the cursor of a line: where the unfinished word starts (in bytes), and candidates for it.
    #[inline(never)]
    pub fn complete(&mut self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        let Lab { station, cluster, .. } = self;
        station.complete(line, cursor, &mut |request| read(cluster, request))
    }

    /// A request of somebody who does not wait for the clock: checks of single answers.
    pub fn write_past_the_clock(&mut self, request: &Request) -> Response {
        match self.cluster.handle(Actor::User, 0, request) {
            Answer::Done(response) => response,
            Answer::Node(_) => Response::new(501, Value::Null),
        }
    }

    /// The objects of a resource as they stand in the store.
    pub fn objects(&self, resource: &str) -> Vec<Value> {
        self.cluster.server.store.list(resource, None).map(|(_, value)| value.clone()).collect()
    }
}

/// The programs of the workstation.
fn commands() -> Vec<Installed> {
    vec![
        Installed { name: "kubectl", start: kubectl::program, complete: Some(complete_kubectl) },
        Installed { name: "docker", start: docker::cli::program, complete: Some(complete_docker) },
        Installed { name: "terraform", start: terraform::program, complete: Some(workstation::complete_terraform) },
    ]
}

fn read(cluster: &mut Cluster, request: &Request) -> Response {
    if request.method != crate::base::http::Method::Get {
        return Response::new(405, Value::Null);
    }
    if request.host == "docker" {
        return cluster.read_docker(request);
    }
    match cluster.handle(Actor::Lab, 0, request) {
        Answer::Done(response) => response,
        Answer::Node(_) => Response::new(501, Value::Null),
    }
}

#[inline(never)]
pub fn complete_kubectl(
    words: &[String],
    files: &Files,
    _: &str,
    ask: &mut dyn FnMut(&Request) -> Response,
) -> Vec<String> {
    kubectl::complete(words, &mut kubectl::Surroundings { files, ask })
}

#[inline(never)]
pub fn complete_docker(words: &[String], _: &Files, _: &str, ask: &mut dyn FnMut(&Request) -> Response) -> Vec<String> {
    docker::cli::complete(words, ask)
}

fn find(bytes: &[u8], mark: &[u8]) -> Option<usize> {
    let first = *mark.first()?;
    let mut from = 0;
    loop {
        from += bytes.get(from..)?.iter().position(|byte| *byte == first)?;
        if bytes.get(from..)?.starts_with(mark) {
            return Some(from);
        }
        from += 1;
    }
}

/// One line about a trace entry, for people and for files.
pub fn describe(entry: &crate::trace::Entry) -> String {
    let what = match &entry.what {
        What::Write(write) => {
            let sub = if write.subresource.is_empty() { String::new() } else { format!("/{}", write.subresource) };
            format!("{} {}{sub} by {} at {}", write.verb, place(&write.object), write.manager, write.revision)
        }
        What::Refused { verb, object, code, message } => format!("refused {verb} {} {code} {message}", place(object)),
        What::Sync { object } => format!("sync {}", place(object)),
        What::Begin { name, object, detail } => format!("begin {name} {} {detail}", place(object)),
        What::End { name, object, detail } => format!("end {name} {} {detail}", place(object)),
        What::Started { object, container } => format!("started {container} of {}", place(object)),
        What::Stopped { object, container, code } => format!("stopped {container} of {} with {code}", place(object)),
        What::Command { line } => format!("command {line:?}"),
        What::Returned { line, code } => format!("returned {code} from {line:?}"),
        What::Converged { line } => format!("converged {line:?}"),
        What::Mark { kind, text } => format!("mark {kind} {text}"),
    };
    format!("{} {} {} because of {}: {what}", entry.seq, entry.at.rfc3339_micros(), entry.actor.name(), entry.cause)
}

fn place(object: &crate::trace::ObjectRef) -> String {
    match object.namespace.as_str() {
        "" => format!("{}/{}", object.resource, object.name),
        namespace => format!("{}/{namespace}/{}", object.resource, object.name),
    }
}
