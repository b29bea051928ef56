//! Startup, readiness and liveness probes: when they run, what counts, and the words of a failure (kubelet's prober).

use crate::base::{Span, Time, Value};
use crate::runtime::{self, Container};

#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    pub spec: Value,
    /// The result that counts; `None` before the first.
    pub result: Option<bool>,
    successes: i64,
    failures: i64,
    /// Held until a new container appears.
    pub on_hold: bool,
    /// When the next readiness run is due.
    pub due: Time,
}

/// What one run said.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    Success,
    /// The text after `… probe failed: `.
    Failure(String),
    /// The text after `… probe errored and resulted in unknown state: `.
    Error(String),
    /// A command has to be run in the container first.
    Exec(Vec<String>),
}

impl Probe {
    pub fn new(spec: &Value) -> Probe {
        Probe { spec: spec.clone(), result: None, successes: 0, failures: 0, on_hold: false, due: Time::default() }
    }

    pub fn reset(&mut self) {
        *self = Probe::new(&self.spec);
    }

    pub fn period(&self) -> Span {
        Span::seconds(self.spec["periodSeconds"].int().clamp(1, 1 << 30))
    }

    pub fn timeout(&self) -> Span {
        Span::seconds(self.spec["timeoutSeconds"].int().clamp(1, 1 << 30))
    }

    pub fn is_delayed(&self, started: Time, now: Time) -> bool {
        now.as_seconds() - started.as_seconds() < self.spec["initialDelaySeconds"].int()
    }

    /// Counts a run; true when the result changed.
    pub fn count(&mut self, success: bool) -> bool {
        if success {
            self.successes += 1;
            self.failures = 0;
        } else {
            self.failures += 1;
            self.successes = 0;
        }
        let enough = if success {
            self.successes >= self.spec["successThreshold"].int().max(1)
        } else {
            self.failures >= self.spec["failureThreshold"].int().max(1)
        };
        if enough && self.result != Some(success) {
            self.result = Some(success);
            return true;
        }
        false
    }

    /// Runs the probe against a container at an address.
    pub fn run(&self, container: &mut Container, ip: &str, ports: &Value, now: Time) -> Run {
        let spec = &self.spec;
        if spec.has("exec") {
            return Run::Exec(
                spec.at(&["exec", "command"]).items().iter().map(|word| word.str().to_string()).collect(),
            );
        }
        if spec.has("httpGet") {
            let get = &spec["httpGet"];
            let Some(port) = number(&get["port"], ports) else { return no_port(&get["port"]) };
            let host = if get["host"].is_empty() { ip } else { get["host"].str() };
            let path = if get["path"].is_empty() { "/" } else { get["path"].str() };
            let scheme = if get["scheme"].str() == "HTTPS" { "https" } else { "http" };
            let slash = if path.starts_with('/') { "" } else { "/" };
            let url = format!("{scheme}://{host}:{port}{slash}{path}");
            if !runtime::listens(container, port) {
                return Run::Failure(format!("Get \"{url}\": dial tcp {host}:{port}: connect: connection refused"));
            }
            if scheme == "https" && !runtime::speaks_tls(container) {
                return Run::Failure(format!("Get \"{url}\": http: server gave HTTP response to HTTPS client"));
            }
            return match runtime::answer(container, now, port, path, "kube-probe/1.37", gateway(ip).as_str()) {
                Some(answer) if (200..400).contains(&answer.code) => Run::Success,
                Some(answer) => Run::Failure(format!("HTTP probe failed with statuscode: {}", answer.code)),
                None => Run::Failure(format!("Get \"{url}\": EOF")),
            };
        }
        if spec.has("tcpSocket") {
            let socket = &spec["tcpSocket"];
            let Some(port) = number(&socket["port"], ports) else { return no_port(&socket["port"]) };
            let host = if socket["host"].is_empty() { ip } else { socket["host"].str() };
            if runtime::listens(container, port) {
                return Run::Success;
            }
            return Run::Failure(format!("dial tcp {host}:{port}: connect: connection refused"));
        }
        if spec.has("grpc") {
            let port = spec.at(&["grpc", "port"]).int();
            let timeout = self.timeout().as_seconds();
            return Run::Failure(format!(
                "timeout: failed to connect service \"{ip}:{port}\" within {timeout}s: context deadline exceeded"
            ));
        }
        Run::Success
    }
}

/// The node's end of the pod network: where its own requests come from.
fn gateway(ip: &str) -> String {
    ip.rsplit_once('.').map_or(ip.to_string(), |(net, _)| format!("{net}.1"))
}

fn number(port: &Value, ports: &Value) -> Option<u16> {
    match port.as_int() {
        Some(number) => u16::try_from(number).ok(),
        None => {
            let named = ports.items().iter().find(|entry| entry["name"].str() == port.str())?;
            u16::try_from(named["containerPort"].int()).ok()
        }
    }
}

fn no_port(port: &Value) -> Run {
    let name = port.str();
    Run::Error(format!("strconv.Atoi: parsing \"{name}\": invalid syntax"))
}
