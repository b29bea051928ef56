//! Streams between clients and containers: logs, attach, exec, stats.

use super::account::{account, environment, write_account};
use super::container::{Container, State};
use super::events::point;
use super::wire::stamp;
use super::{Cx, Engine, Outcome, Token, fail, wire};
use crate::base::gap;
use crate::base::http::{Frame, Request};
use crate::base::{Span, Time, Value};
use crate::map;
use crate::process::{Pid, Stream};
use crate::runtime::LogLine;

/// What a terminal sends for an interrupt.
pub const CTRL_C: &[u8] = &[3];
const SECOND: Span = Span::seconds(1);

/// Pieces of input kept for a container that has not started.
const MOST_EARLY: usize = 1000;

/// Somebody at the other end of a stream.
#[derive(Clone, Debug)]
pub struct Session {
    pub container: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Follows the log from this line on.
    Log {
        next: u64,
        request: Box<Request>,
    },
    /// Output as it comes, input as it is typed.
    Attach {
        input: bool,
        out: bool,
        err: bool,
        tty: bool,
        /// Input that came before the container started.
        early: Vec<Frame>,
    },
    Exec {
        id: String,
    },
    Stats {
        one: bool,
        seen: u32,
    },
}

#[derive(Clone, Debug)]
pub struct Exec {
    pub id: String,
    pub container: String,
    config: Value,
    pid: Option<Pid>,
    number: Option<u64>,
    code: Option<i64>,
}

impl Exec {
    pub fn is_running(&self) -> bool {
        self.pid.is_some() && self.code.is_none()
    }
}

/// The keys that leave a stream: single letters and `ctrl-` with one.
pub fn check_keys(keys: &str) -> Outcome<()> {
    let good = |key: &str| {
        let held = key.strip_prefix("ctrl-");
        let letter = held.unwrap_or(key);
        let of_control = |b: u8| b.is_ascii_lowercase() || matches!(b, b'@' | b'[' | b'\\' | b']' | b'^' | b'_');
        letter.len() == 1 && (held.is_none() || letter.bytes().all(of_control))
    };
    if keys.is_empty() || keys.split(',').all(good) {
        return Ok(());
    }
    fail(400, format!("Invalid escape keys ({keys}) provided"))
}

fn stream_number(stream: Stream, tty: bool) -> u8 {
    if tty || stream == Stream::Out { 1 } else { 2 }
}

/// A line of the log as asked for, and whether it is asked for at all.
fn log_line(line: &LogLine, request: &Request, details: &str) -> Option<Frame> {
    let on = |key: &str| matches!(request.query(key), "1" | "true");
    let wanted = on(if line.stream == Stream::Out { "stdout" } else { "stderr" });
    let since = point(request.query("since")).is_none_or(|at| line.at >= at);
    let until = point(request.query("until")).filter(|at| at.0 != 0).is_none_or(|at| line.at <= at);
    if !wanted || !since || !until {
        return None;
    }
    let mut text = String::new();
    if on("timestamps") {
        text = format!("{}000Z ", line.at.rfc3339_micros().trim_end_matches('Z'));
    }
    if on("details") {
        text.push_str(details);
        text.push(' ');
    }
    text.push_str(&line.text);
    Some(Frame::Data(stream_number(line.stream, false), text.into_bytes()))
}

/// What `--log-opt labels=…,env=…` makes the log say of each line.
fn details(container: &Container) -> String {
    let options = container.host.at(&["LogConfig", "Config"]);
    let mut out: Vec<String> = Vec::new();
    for key in options["labels"].str().split(',').filter(|key| !key.is_empty()) {
        let labels = &container.config["Labels"];
        out.extend(labels.has(key).then(|| format!("{key}={}", labels[key].str())));
    }
    for key in options["env"].str().split(',').filter(|key| !key.is_empty()) {
        let own = container.config["Env"].items().iter().map(Value::str);
        out.extend(own.filter(|entry| entry.split('=').next() == Some(key)).map(str::to_string));
    }
    out.sort();
    out.join(",")
}

impl Engine {
    pub(super) fn logs(&mut self, cx: &mut Cx<'_>, number: u64, name: &str, request: &Request) -> Outcome<()> {
        let on = |key: &str| matches!(request.query(key), "1" | "true");
        if !on("stdout") && !on("stderr") {
            return fail(400, "Bad parameters: you must choose at least one stream");
        }
        let container = self.container(name)?;
        let driver = container.host.at(&["LogConfig", "Type"]).str();
        if !matches!(driver, "json-file" | "local" | "journald") {
            return fail(501, "configured logging driver does not support reading");
        }
        let (id, log, details) = (container.id.clone(), container.log(), details(container));
        let mut frames: Vec<Frame> = log.lines.iter().filter_map(|line| log_line(line, request, &details)).collect();
        let (dropped, kept) = (log.dropped, log.lines.len());
        let tail = request.query("tail").parse::<usize>().ok();
        if dropped > 0 && tail.is_none_or(|tail| tail > kept) {
            // Asked for what is no longer there.
            let what = format!("docker logs: the first {dropped} lines");
            let line = gap::line(&what, "of a log its newest MiB is kept");
            frames.insert(0, Frame::Data(2, format!("{line}\n").into_bytes()));
        }
        if let Some(tail) = tail.filter(|_| dropped == 0 || tail.is_some_and(|tail| tail <= kept)) {
            let drop = frames.len().saturating_sub(tail);
            frames.drain(..drop);
        }
        let next = log.next_number();
        let live = container.is_running() || container.state == State::Restarting;
        self.open_stream(number);
        for frame in frames {
            self.mail_frame(number, frame);
        }
        let over = point(request.query("until")).is_some_and(|at| at.0 != 0 && at <= cx.now);
        if on("follow") && live && !over {
            let kind = Kind::Log { next, request: Box::new(request.clone()) };
            self.sessions.insert(number, Session { container: id, kind });
        } else {
            self.end_stream(number);
        }
        Ok(())
    }

    pub(super) fn attach(&mut self, cx: &mut Cx<'_>, number: u64, name: &str, request: &Request) -> Outcome<()> {
        let on = |key: &str| matches!(request.query(key), "1" | "true");
        let container = self.container(name)?;
        check_keys(request.query("detachKeys"))?;
        if container.state == State::Paused {
            return fail(409, format!("container {} is paused, unpause the container before attach", container.id));
        }
        let tty = container.config["Tty"].is_true();
        let id = container.id.clone();
        let kind = Kind::Attach { input: on("stdin"), out: on("stdout"), err: on("stderr"), tty, early: Vec::new() };
        self.open_stream(number);
        if on("logs") {
            let frames: Vec<Frame> = container_lines(self.container(&id)?);
            for frame in frames {
                self.mail_frame(number, frame);
            }
        }
        self.container_event(cx, &id, "attach", &[]);
        let live = self.containers.get(&id).is_some_and(|c| c.state != State::Exited);
        if live || on("stream") {
            self.sessions.insert(number, Session { container: id, kind });
        } else {
            self.end_stream(number);
        }
        Ok(())
    }

    pub(super) fn exec_create(&mut self, cx: &mut Cx<'_>, name: &str, body: &Value) -> Outcome<Value> {
        let container = self.container(name)?;
        let id = container.id.clone();
        match container.state {
            State::Running => {}
            State::Paused => {
                return fail(409, format!("Container {name} is paused, unpause the container before exec"));
            }
            State::Restarting => {
                return fail(409, format!("Container {id} is restarting, wait until the container is running"));
            }
            _ => return fail(409, format!("container {id} is not running")),
        }
        if body["Cmd"].is_empty() {
            return fail(400, "no exec command specified");
        }
        check_keys(body["DetachKeys"].str())?;
        let exec_id = self.new_id(cx);
        let shown = format!("exec_create: {}", command_text(body));
        let exec = Exec {
            id: exec_id.clone(),
            container: id.clone(),
            config: body.clone(),
            pid: None,
            number: None,
            code: None,
        };
        self.execs.insert(exec_id.clone(), exec);
        if self.execs.len() > 200 {
            let old = self.execs.iter().find(|(_, exec)| exec.code.is_some()).map(|(id, _)| id.clone());
            old.map(|old| self.execs.remove(&old));
        }
        self.container_event(cx, &id, &shown, &[("execID", exec_id.clone())]);
        Ok(map! { "Id" => exec_id })
    }

    pub(super) fn exec_start(&mut self, cx: &mut Cx<'_>, number: u64, exec_id: &str, body: &Value) -> Outcome<()> {
        let Some(exec) = self.execs.get(exec_id).cloned() else {
            return fail(404, format!("No such exec instance: {exec_id}"));
        };
        if exec.pid.is_some() {
            return fail(409, format!("exec command {exec_id} is already running"));
        }
        let id = exec.container.clone();
        let shown = format!("exec_start: {}", command_text(&exec.config));
        self.container_event(cx, &id, &shown, &[("execID", exec_id.to_string())]);
        let links = self.containers.get(&id).map_or(Ok(Vec::new()), |container| self.link_variables(container))?;
        let Some(container) = self.containers.get_mut(&id).filter(|c| c.state == State::Running) else {
            return fail(409, format!("container {id} is not running"));
        };
        let (config, tty) = (&exec.config, exec.config["Tty"].is_true());
        let user = if config["User"].is_empty() {
            container.config["User"].str().to_string()
        } else {
            config["User"].str().into()
        };
        let account = match account(container, &user) {
            Ok(account) => account,
            Err((code, text)) => {
                if let Some(own) = self.execs.get_mut(exec_id) {
                    own.code = Some(126);
                }
                return fail(code, text);
            }
        };
        let before = container.files().read_text("/", "/proc/self/status").ok();
        write_account(container, &account, cx.now);
        let env = environment(container, links, &config["Env"], &account.2, tty);
        let cwd = match (config["WorkingDir"].str(), container.config["WorkingDir"].str()) {
            ("", "") => "/".to_string(),
            ("", own) => own.to_string(),
            (asked, _) => asked.to_string(),
        };
        let start = "OCI runtime exec failed: exec failed: unable to start container process: ";
        let command: Vec<String> = config["Cmd"].items().iter().map(|word| word.str().to_string()).collect();
        let begun = if cwd.starts_with('/') && container.files().is_directory("/", &cwd) {
            match container.running.as_mut() {
                Some(running) => {
                    running.hold_until(cx.now);
                    running.exec_in(&command, env, cwd, config["AttachStdin"].is_true(), tty)
                }
                None => Err(format!("container {id} is not running")),
            }
        } else if !cwd.starts_with('/') {
            Err("OCI runtime exec failed: exec failed: Cwd must be an absolute path".into())
        } else if container.files().exists("/", &cwd) {
            Err(format!(
                "{start}chdir to cwd (\"{cwd}\") set in config.json failed: not a directory: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type"
            ))
        } else {
            Err(format!("{start}chdir to cwd (\"{cwd}\") set in config.json failed: no such file or directory"))
        };
        let pid = match begun {
            Ok(pid) => pid,
            Err(text) => {
                let code = match text.as_str() {
                    text if text.contains("permission denied") => 126,
                    text if text.contains("Cwd must") => 128,
                    _ => 127,
                };
                if let Some(own) = self.execs.get_mut(exec_id) {
                    own.code = Some(code);
                }
                // What could not begin is told in the stream, as the real one tells it.
                if body["Detach"].is_true() {
                    return fail(400, text);
                }
                return self.tell_in_stream(number, text);
            }
        };
        let detach = body["Detach"].is_true();
        if let Some(own) = self.execs.get_mut(exec_id) {
            own.pid = Some(pid);
            own.number = (!detach).then_some(number);
        }
        if detach {
            self.answer(number, Value::Null);
        } else {
            self.open_stream(number);
            let kind = Kind::Exec { id: exec_id.to_string() };
            self.sessions.insert(number, Session { container: id.clone(), kind });
        }
        self.go_on(cx, &id);
        if let (Some(text), Some(container)) = (before, self.containers.get_mut(&id)) {
            let node = crate::process::Node::File {
                content: std::sync::Arc::new(text.into_bytes()),
                modified: cx.now,
                mode: 0o444,
                read_only: false,
            };
            container.files_mut().mount("/proc/self/status", node);
        }
        Ok(())
    }

    fn tell_in_stream(&mut self, number: u64, text: String) -> Outcome<()> {
        self.open_stream(number);
        self.mail_frame(number, Frame::Data(1, format!("{text}\n").into_bytes()));
        self.end_stream(number);
        Ok(())
    }

    pub(super) fn exec_inspect(&self, exec_id: &str) -> Outcome<Value> {
        let Some(exec) = self.execs.get(exec_id) else { return fail(404, format!("No such exec instance: {exec_id}")) };
        Ok(map! {
            "ID" => exec.id.as_str(), "Running" => exec.is_running(), "ExitCode" => exec.code, "ContainerID" => exec.container.as_str(),
            "ProcessConfig" => map! { "tty" => &exec.config["Tty"], "entrypoint" => &exec.config["Cmd"][0] }, "Pid" => 0,
        })
    }

    /// Moves what a container has written to those who listen.
    pub(super) fn collect(&mut self, cx: &mut Cx<'_>, id: &str) {
        self.collect_probe(cx, id);
        let Some(container) = self.containers.get_mut(id) else { return };
        let details = details(container);
        let Some(running) = &mut container.running else { return };
        let place = format!("container {}", container.name);
        self.gaps.extend(running.take_gaps().into_iter().map(|what| (what, place.clone())));
        let raw = running.attached.as_mut().map(std::mem::take).unwrap_or_default();
        let mut frames: Vec<(u64, Frame)> = Vec::new();
        for (number, session) in self.sessions.iter_mut().filter(|(_, session)| session.container == id) {
            match &mut session.kind {
                Kind::Log { next, request } => {
                    let skip = next.saturating_sub(running.log.dropped);
                    for line in running.log.lines.iter().skip(usize::try_from(skip).unwrap_or(0)) {
                        frames.extend(log_line(line, request, &details).map(|frame| (*number, frame)));
                    }
                    *next = running.log.next_number();
                }
                Kind::Attach { out, err, tty, .. } => {
                    for (stream, bytes) in &raw {
                        if if *stream == Stream::Out { *out } else { *err } {
                            frames.push((*number, Frame::Data(stream_number(*stream, *tty), cooked(bytes, *tty))));
                        }
                    }
                }
                Kind::Exec { .. } | Kind::Stats { .. } => {}
            }
        }
        let mut ended = Vec::new();
        for exec in self.execs.values_mut().filter(|exec| exec.container == id && exec.is_running()) {
            let Some(pid) = exec.pid else { continue };
            let tty = exec.config["Tty"].is_true();
            for output in running.take_output_of(pid) {
                if let Some(number) = exec.number {
                    frames.push((number, Frame::Data(stream_number(output.stream, tty), cooked(&output.bytes, tty))));
                }
            }
            if let Some(exit) = running.take_exit_of(pid) {
                exec.code = Some(i64::from(exit.code));
                ended.push((exec.id.clone(), exec.number, exit.code));
            }
        }
        for (number, frame) in frames {
            self.mail_frame(number, frame);
        }
        for (exec, number, code) in ended {
            self.container_event(cx, id, "exec_die", &[("execID", exec), ("exitCode", code.to_string())]);
            if let Some(number) = number {
                self.sessions.remove(&number);
                self.end_stream(number);
            }
        }
    }

    /// A container has ended: so have the streams of it, but for those that follow its log while it starts again.
    pub(super) fn end_sessions(&mut self, id: &str) {
        let over: Vec<u64> = self
            .sessions
            .iter()
            .filter(|(_, s)| s.container == id && !matches!(s.kind, Kind::Stats { .. }))
            .map(|(number, _)| *number)
            .collect();
        for number in over {
            if let Some(session) = self.sessions.remove(&number) {
                // Lines that ended with the container are in its log already.
                if let (Kind::Log { next, request }, Some(container)) = (&session.kind, self.containers.get(id)) {
                    let (log, details) = (container.log(), details(container));
                    let skip = usize::try_from(next.saturating_sub(log.dropped)).unwrap_or(0);
                    let frames: Vec<Frame> =
                        log.lines.iter().skip(skip).filter_map(|line| log_line(line, request, &details)).collect();
                    for frame in frames {
                        self.mail_frame(number, frame);
                    }
                }
            }
            self.end_stream(number);
        }
        for exec in self.execs.values_mut().filter(|exec| exec.container == id && exec.is_running()) {
            exec.code = Some(137);
        }
    }

    pub(super) fn feed(&mut self, cx: &mut Cx<'_>, number: u64, frame: &Frame) {
        let Some(session) = self.sessions.get(&number).cloned() else { return };
        let (pid, tty) = match &session.kind {
            Kind::Exec { id } => {
                let exec = self.execs.get(id);
                (exec.and_then(|exec| exec.pid), exec.is_some_and(|exec| exec.config["Tty"].is_true()))
            }
            Kind::Attach { input: true, tty, .. } => (None, *tty),
            _ => return,
        };
        let Some(running) = self.containers.get_mut(&session.container).and_then(|c| c.running.as_mut()) else {
            if let Some(Session { kind: Kind::Attach { early, .. }, .. }) = self.sessions.get_mut(&number)
                && early.len() < MOST_EARLY
            {
                early.push(frame.clone());
            }
            return;
        };
        match frame {
            Frame::Data(_, bytes) if tty => running.type_keys(pid, bytes),
            Frame::Data(_, bytes) => running.feed(pid, bytes),
            // A terminal outlives those who look at it: its end is typed.
            Frame::End if tty => return,
            Frame::End => running.close_input(pid),
            Frame::Event(_) => return,
        }
        let at = running.next_at().map_or(cx.now, |at| at.max(cx.now));
        // A process that has not begun yet begins when it would.
        running.hold_until(at.min(cx.now + Span::millis(200)));
        if at <= cx.now {
            running.hold_until(cx.now);
            self.go_on(cx, &session.container);
        }
        self.plan(cx, &session.container);
    }

    /// A container has started: it gets the input that waited for it.
    pub(super) fn feed_early(&mut self, cx: &mut Cx<'_>, id: &str) {
        let mut waiting = Vec::new();
        for (number, session) in &mut self.sessions {
            if let Kind::Attach { early, .. } = &mut session.kind
                && session.container == id
            {
                waiting.extend(early.drain(..).map(|frame| (*number, frame)));
            }
        }
        for (number, frame) in waiting {
            self.feed(cx, number, &frame);
        }
    }

    pub(super) fn stats(&mut self, cx: &mut Cx<'_>, number: u64, name: &str, request: &Request) -> Outcome<()> {
        let id = self.container(name)?.id.clone();
        let off = |key: &str| matches!(request.query(key), "0" | "false");
        let one = off("stream");
        self.open_stream(number);
        self.sessions.insert(number, Session { container: id, kind: Kind::Stats { one, seen: 0 } });
        let first = if one { Span::millis(1500) } else { Span::millis(10) };
        cx.wake_after(first, Token::Stats(number));
        Ok(())
    }

    pub(super) fn stats_due(&mut self, cx: &mut Cx<'_>, number: u64) {
        let Some(session) = self.sessions.get_mut(&number) else { return };
        let Kind::Stats { one, seen } = &mut session.kind else { return };
        *seen += 1;
        let (one, id) = (*one, session.container.clone());
        let Some(container) = self.containers.get(&id) else {
            self.sessions.remove(&number);
            return self.end_stream(number);
        };
        let line = format!("{}\n", wire::json(&usage(container, cx.now), None));
        self.mail_frame(number, Frame::Data(1, line.into_bytes()));
        if one {
            self.sessions.remove(&number);
            self.end_stream(number);
        } else {
            cx.wake_after(SECOND, Token::Stats(number));
        }
    }
}

fn container_lines(container: &Container) -> Vec<Frame> {
    let line = |line: &LogLine| Frame::Data(stream_number(line.stream, false), line.text.clone().into_bytes());
    container.log().lines.iter().map(line).collect()
}

/// A terminal ends lines with a carriage return; the one that shows them here does so itself.
fn cooked(bytes: &[u8], _tty: bool) -> Vec<u8> {
    bytes.to_vec()
}

fn command_text(config: &Value) -> String {
    let mut words = config["Cmd"].items().iter().map(Value::str);
    let first = words.next().unwrap_or_default();
    format!("{first} {}", words.collect::<Vec<_>>().join(" "))
}

/// Memory of the machine.
pub const MEMORY: i64 = 25_275_000_000;

/// What a container uses: nothing is measured here, so the numbers follow from what runs in it.
fn usage(container: &Container, now: Time) -> Value {
    let live = container.is_running();
    let pids = super::system::process_count(container);
    let limit = match container.host["Memory"].int() {
        0 => MEMORY,
        limit => limit,
    };
    let memory = if live { (pids * 950 + 130) * 1024 } else { 0 };
    let up = container.started.map_or(0, |at| (now - at).as_seconds()).max(0);
    let net = if live && container.networks.iter().any(|n| n.endpoint.is_some()) {
        (1010, 1250 + up / 60 * 42)
    } else {
        (0, 0)
    };
    map! {
        "id" => container.id.as_str(), "name" => format!("/{}", container.name), "read" => stamp(Some(now)),
        "pids_stats" => map! { "current" => if live { pids } else { 0 } },
        "memory_stats" => map! { "usage" => memory, "limit" => if live { limit } else { 0 } },
        "cpu_stats" => map! { "cpu_usage" => map! { "total_usage" => up * 1_000_000 }, "online_cpus" => super::create::CPUS },
        "networks" => map! { "eth0" => map! { "rx_bytes" => net.0, "tx_bytes" => net.1 } },
    }
}
