//! Health checks: a command in the container at intervals, and what its results make of the container.

use super::container::State;
use super::wire::stamp;
use super::{Cx, Engine, Token};
use crate::base::{Span, Time, Value};
use crate::map;
use crate::process::Pid;

/// What starting a program in a container takes.
const START: Span = Span::millis(150);
/// Results kept, and how much of their output.
const KEPT: usize = 5;
const OUTPUT: usize = 4096;

#[derive(Clone, Debug)]
pub struct Health {
    config: Value,
    pub status: &'static str,
    streak: i64,
    log: Vec<Value>,
    probe: Option<Probe>,
    /// Counts probes, so that an old one's timeout is known as such.
    count: u32,
    monitored: bool,
}

#[derive(Clone, Debug)]
struct Probe {
    begun: Time,
    pid: Option<Pid>,
    exec: String,
    output: String,
}

impl Health {
    /// Of a configuration that has a check.
    pub fn of(config: &Value) -> Option<Health> {
        let check = &config["Healthcheck"];
        let kind = check["Test"][0].str();
        if kind.is_empty() || kind == "NONE" {
            return None;
        }
        Some(Health {
            config: check.clone(),
            status: "starting",
            streak: 0,
            log: Vec::new(),
            probe: None,
            count: 0,
            monitored: false,
        })
    }

    pub fn value(&self) -> Value {
        map! { "Status" => self.status, "FailingStreak" => self.streak, "Log" => self.log.clone() }
    }

    /// The container stops: nobody knows any more.
    pub fn ends(&mut self) {
        self.status = "unhealthy";
        self.probe = None;
        self.monitored = false;
        self.count += 1;
    }

    fn span(&self, key: &str, other: Span) -> Span {
        match self.config[key].int() {
            0 => other,
            nanos => Span(nanos / 1000),
        }
    }

    fn interval(&self, running: Span) -> Span {
        let period = self.span("StartPeriod", Span::ZERO);
        if self.status == "starting" && running < period {
            self.span("StartInterval", Span::seconds(5))
        } else {
            self.span("Interval", Span::seconds(30))
        }
    }

    /// The program and its arguments.
    fn command(&self) -> Vec<String> {
        let words = self.config["Test"].items();
        let rest = words.iter().skip(1).map(|word| word.str().to_string());
        match words.first().map_or("", Value::str) {
            "CMD-SHELL" => ["/bin/sh".to_string(), "-c".into()].into_iter().chain(rest).collect(),
            "CMD" => rest.collect(),
            _ => words.iter().map(|word| word.str().to_string()).collect(),
        }
    }
}

impl Engine {
    /// A container runs (again): its check starts over.
    pub(super) fn health_begins(&mut self, cx: &mut Cx<'_>, id: &str) {
        let Some(container) = self.containers.get_mut(id) else { return };
        let Some(health) = &mut container.health else { return };
        health.status = "starting";
        health.streak = 0;
        health.probe = None;
        health.monitored = true;
        health.count += 1;
        let (after, count) = (health.interval(Span::ZERO), health.count);
        cx.wake_after(after, Token::Probe(id.to_string(), count));
    }

    pub(super) fn probe_due(&mut self, cx: &mut Cx<'_>, id: &str, count: u32) {
        let Some(container) = self.containers.get_mut(id).filter(|c| c.state == State::Running) else { return };
        let Some(health) = container.health.as_mut().filter(|h| h.count == count && h.monitored) else { return };
        let (command, now) = (health.command().join(" "), cx.now);
        let exec = cx.chance.hex("docker exec id", 64);
        health.probe = Some(Probe { begun: now, pid: None, exec: exec.clone(), output: String::new() });
        self.container_event(cx, id, &format!("exec_create: {command}"), &[("execID", exec)]);
        cx.wake_after(START, Token::ProbeStart(id.to_string(), count));
    }

    pub(super) fn probe_start(&mut self, cx: &mut Cx<'_>, id: &str, count: u32) {
        let Some(container) = self.containers.get_mut(id).filter(|c| c.state == State::Running) else { return };
        let Some(health) = container.health.as_mut().filter(|h| h.count == count && h.monitored) else { return };
        let Some(probe) = &mut health.probe else { return };
        let exec = probe.exec.clone();
        let (command, timeout) = (health.command(), health.span("Timeout", Span::seconds(30)));
        let started = container.running.as_mut().map(|running| {
            running.hold_until(cx.now);
            running.exec(&command, false, false)
        });
        let shown = format!("exec_start: {}", command.join(" "));
        match started {
            Some(Ok(pid)) => {
                if let Some(probe) = container.health.as_mut().and_then(|h| h.probe.as_mut()) {
                    probe.pid = Some(pid);
                }
                self.container_event(cx, id, &shown, &[("execID", exec)]);
                cx.wake_after(timeout, Token::ProbeTimeout(id.to_string(), count, pid));
                self.go_on(cx, id);
            }
            Some(Err(text)) => {
                self.container_event(cx, id, &shown, &[("execID", exec)]);
                self.probed(cx, id, -1, text);
            }
            None => {}
        }
    }

    pub(super) fn probe_timeout(&mut self, cx: &mut Cx<'_>, id: &str, count: u32, pid: Pid) {
        // The marker of a result that is on its way.
        let Some(container) = self.containers.get_mut(id) else { return };
        let Some(health) = container.health.as_mut().filter(|h| h.count == count && h.monitored) else { return };
        let timeout = health.span("Timeout", Span::seconds(30));
        let Some(probe) = health.probe.as_mut().filter(|probe| probe.pid == Some(pid)) else { return };
        let output = std::mem::take(&mut probe.output);
        if let Some(running) = &mut container.running {
            running.signal_process(pid, crate::process::Signal::Kill);
            running.hold_until(cx.now);
            running.run(cx.chance, cx.now);
            running.take_output_of(pid);
            running.take_exit_of(pid);
        }
        let mut text = format!("Health check exceeded timeout ({})", crate::base::duration::go(timeout));
        if !output.is_empty() {
            text = format!("{text}: {output}");
        }
        self.probed(cx, id, -1, text);
        self.plan(cx, id);
    }

    /// Takes what a check's program wrote and how it ended.
    pub(super) fn collect_probe(&mut self, cx: &mut Cx<'_>, id: &str) {
        let Some(container) = self.containers.get_mut(id) else { return };
        let Some(running) = &mut container.running else { return };
        let Some(probe) = container.health.as_mut().and_then(|h| h.probe.as_mut()) else { return };
        let Some(pid) = probe.pid else { return };
        for output in running.take_output_of(pid) {
            probe.output.push_str(&String::from_utf8_lossy(&output.bytes));
        }
        if let Some(exit) = running.take_exit_of(pid) {
            let (output, exec) = (std::mem::take(&mut probe.output), probe.exec.clone());
            let code = i64::from(exit.code);
            self.container_event(cx, id, "exec_die", &[("execID", exec), ("exitCode", code.to_string())]);
            self.probed(cx, id, code, output);
        }
    }

    fn probed(&mut self, cx: &mut Cx<'_>, id: &str, code: i64, mut output: String) {
        let Some(container) = self.containers.get_mut(id) else { return };
        let started = container.started.unwrap_or(cx.now);
        let Some(health) = &mut container.health else { return };
        let Some(probe) = health.probe.take() else { return };
        if output.len() > OUTPUT {
            let mut end = OUTPUT;
            while !output.is_char_boundary(end) {
                end -= 1;
            }
            output.truncate(end);
            output.push_str("...");
        }
        health.log.push(map! {
            "Start" => stamp(Some(probe.begun)), "End" => stamp(Some(cx.now)), "ExitCode" => code, "Output" => output,
        });
        if health.log.len() > KEPT {
            health.log.remove(0);
        }
        let before = health.status;
        if code == 0 {
            health.streak = 0;
            health.status = "healthy";
        } else {
            let forgiven =
                health.status == "starting" && probe.begun - started < health.span("StartPeriod", Span::ZERO);
            if !forgiven {
                health.streak += 1;
                let retries = health.config["Retries"].int();
                if health.streak >= if retries > 0 { retries } else { 3 } {
                    health.status = "unhealthy";
                }
            }
        }
        let (after, count, status) = (health.interval(cx.now - started), health.count, health.status);
        if before != status {
            self.container_event(cx, id, &format!("health_status: {status}"), &[]);
        }
        cx.wake_after(after, Token::Probe(id.to_string(), count));
    }
}
