//! Docker Engine 28 and the docker command: containers with their whole life, images, networks and volumes of one
//! machine, on the runtime the kubelets use too.
//!
//! The Engine's HTTP API is the one door: the command and other clients send requests to the host `docker`
//! (`handle`), and find answers and frames in `take_mail`. Not simulated: swarm, plugins, building, registries one can
//! push to, checkpoints, resource limits that bite.

mod account;
mod check;
mod commit;
mod container;
mod copy;
mod create;
mod events;
mod filter;
mod health;
mod images;
mod life;
mod links;
mod networks;
mod outside;
mod ports;
mod pull;
mod session;
mod stop;
mod system;
mod volumes;
mod wire;

pub mod cli;

pub use copy::{from_tar, to_tar};
pub use outside::Unwell;
pub use system::{API, VERSION};

#[cfg(test)]
mod tests;

use crate::base::BTreeMap;
use std::collections::VecDeque;

use crate::base::gap;
use crate::base::http::{Frame, Mail, Method, Request, Response};
use crate::base::{Span, Time, Value};
use crate::map;
use crate::process::Files;
use crate::sim;

use container::Container;
use images::Local;
use networks::Network;
use pull::Pull;
use volumes::Volume;

/// What the Engine wakes itself for.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Programs of a container want to run.
    Programs(String),
    /// A stop's patience is over, if the run still is the one meant.
    Kill(String, u32),
    /// The back-off before a restart is over.
    Restart(String, u32),
    /// A health check is due, its program begins, its time is up.
    Probe(String, u32),
    ProbeStart(String, u32),
    ProbeTimeout(String, u32, u32),
    Pull(u64),
    /// A container that removes itself has ended.
    AutoRemove(String),
    /// An answer that had to wait.
    Answer(u64),
    EndEvents(u64),
    Stats(u64),
}

/// A body as the Engine writes it: keys in the order of its Go types.
pub fn body_text(value: &Value) -> String {
    wire::json(value, None)
}

type Cx<'a> = sim::Cx<'a, Token>;
/// Status code and message.
type Failed = (u16, String);
type Outcome<T> = Result<T, Failed>;

fn fail<T>(code: u16, text: impl Into<String>) -> Outcome<T> {
    Err((code, text.into()))
}

#[derive(Clone)]
pub struct Engine {
    containers: BTreeMap<String, Container>,
    /// Ids of containers by name.
    names: BTreeMap<String, String>,
    /// Links by the names containers have for others: `own/alias`.
    links: BTreeMap<String, links::Link>,
    /// The files of images, as containers begin with them.
    trees: BTreeMap<String, Files>,
    images: Vec<Local>,
    saved: BTreeMap<String, Vec<Local>>,
    networks: Vec<Network>,
    volumes: BTreeMap<String, Volume>,
    events: VecDeque<(Time, Value)>,
    listeners: BTreeMap<u64, events::Listener>,
    sessions: BTreeMap<u64, session::Session>,
    execs: BTreeMap<String, session::Exec>,
    waiters: Vec<stop::Waiter>,
    pulls: BTreeMap<u64, Pull>,
    late: BTreeMap<u64, (u64, Outcome<Value>)>,
    mail: Vec<(u64, Mail)>,
    serial: u64,
    last_port: u16,
    seed: String,
    /// The machine's own files, as far as containers mount them; whoever has the machine keeps them alike.
    pub host: Files,
    pub host_changed: bool,
    /// What containers met that is not simulated, and where.
    pub gaps: Vec<(String, String)>,
}

impl Engine {
    pub fn new(seed: u64, now: Time) -> Engine {
        let mut engine = Engine {
            containers: BTreeMap::new(),
            names: BTreeMap::new(),
            links: BTreeMap::new(),
            trees: BTreeMap::new(),
            images: Vec::new(),
            saved: BTreeMap::new(),
            networks: Vec::new(),
            volumes: BTreeMap::new(),
            events: VecDeque::new(),
            listeners: BTreeMap::new(),
            sessions: BTreeMap::new(),
            execs: BTreeMap::new(),
            waiters: Vec::new(),
            pulls: BTreeMap::new(),
            late: BTreeMap::new(),
            mail: Vec::new(),
            serial: 0,
            last_port: 0,
            seed: format!("{seed:x}"),
            host: Files::default(),
            host_changed: false,
            gaps: Vec::new(),
        };
        let seed = engine.seed.clone();
        engine.first_networks(&seed, now);
        engine
    }

    /// How long a request takes until it is carried out.
    pub fn latency(request: &Request) -> Span {
        let path = request.path.as_str();
        let millis = match request.method {
            Method::Get | Method::Head => 4,
            Method::Post if path.ends_with("/containers/create") => 60,
            Method::Post if path.contains("/containers/") && path.ends_with("/start") => 100,
            Method::Post if path.contains("/exec/") && path.ends_with("/start") => 90,
            Method::Post if path.ends_with("/networks/create") => 50,
            Method::Delete => 40,
            _ => 10,
        };
        Span::millis(millis)
    }

    /// Carries a request out. Its answer, now or later, is mail for `number`, as are the frames of a stream.
    pub fn handle(&mut self, cx: &mut Cx<'_>, number: u64, request: &Request) {
        let path = request.path.trim_start_matches('/');
        let path = match path.split_once('/') {
            Some((version, rest)) if version.starts_with("v1.") => rest,
            _ => path,
        };
        let parts: Vec<&str> = path.split('/').collect();
        let answer = self.route(cx, number, request, &parts);
        match answer {
            Ok(None) => {}
            Ok(Some(value))
                if request.method == Method::Post && matches!(parts.last(), Some(&("create" | "exec" | "commit"))) =>
            {
                self.mail.push((number, Mail::Reply(Response::new(201, value))));
            }
            Ok(Some(value)) => self.answer(number, value),
            Err(failed) => self.refuse(number, failed),
        }
    }

    /// `None` when the answer comes by itself.
    fn route(&mut self, cx: &mut Cx<'_>, number: u64, request: &Request, parts: &[&str]) -> Outcome<Option<Value>> {
        use Method::{Delete, Get, Head, Post, Put};
        let body = match &request.body {
            crate::base::http::Body::Text(text) => crate::base::json::parse(text).unwrap_or_default(),
            body => body.value().clone(),
        };
        let flag = |key: &str| matches!(request.query(key), "1" | "true" | "True");
        Ok(Some(match (request.method, parts) {
            (Get | Head, ["_ping"]) => Value::from("OK"),
            (Get, ["version"]) => system::version(),
            (Get, ["info"]) => self.info(cx),
            (Get, ["system", "df"]) => self.disk_usage(cx.now),
            (Get, ["events"]) => {
                self.listen(cx, number, request);
                return Ok(None);
            }
            (Get, ["containers", "json"]) => self.container_list(cx.now, request)?,
            (Post, ["containers", "create"]) => self.container_create(cx, request, &body)?,
            (Post, ["containers", "prune"]) => self.container_prune(cx, request)?,
            (Get, ["containers", id, "json"]) => self.container_inspect(id, flag("size"))?,
            (Get, ["containers", id, "top"]) => {
                let answer = self.top(id, request.query("ps_args"), cx.now)?;
                if let Ok(id) = self.container(id).map(|container| container.id.clone()) {
                    self.container_event(cx, &id, "top", &[]);
                }
                answer
            }
            (Get, ["containers", id, "changes"]) => self.changes(id)?,
            (Get, ["containers", id, "logs"]) => return self.logs(cx, number, id, request).map(|()| None),
            (Get, ["containers", id, "stats"]) => return self.stats(cx, number, id, request).map(|()| None),
            (Get | Head, ["containers", id, "archive"]) => {
                let answer = self.copy_out(id, request.query("path"));
                self.files_event(cx, id, if request.method == Get && answer.is_ok() { "archive-path" } else { "" });
                answer?
            }
            (Put, ["containers", id, "archive"]) => {
                let answer = self.copy_in(cx.now, id, request.query("path"), &body)?;
                self.files_event(cx, id, "extract-to-dir");
                answer
            }
            (Post, ["containers", id, "start"]) => return self.start_asked(cx, number, id).map(|()| None),
            (Post, ["containers", id, "stop" | "restart"]) => {
                let restart = parts.last() == Some(&"restart");
                return self.stop_asked(cx, number, id, request, restart).map(|()| None);
            }
            (Post, ["containers", id, "kill"]) => self.kill_asked(cx, id, request.query("signal"))?,
            (Post, ["containers", id, "pause" | "unpause"]) => self.pause(cx, id, parts.last() == Some(&"pause"))?,
            (Post, ["containers", id, "rename"]) => self.rename(cx, id, request.query("name"))?,
            (Post, ["containers", id, "update"]) => self.update(cx, id, &body)?,
            (Post, ["containers", id, "wait"]) => {
                return self.wait(number, id, request.query("condition")).map(|()| None);
            }
            (Post, ["containers", id, "attach"]) => return self.attach(cx, number, id, request).map(|()| None),
            (Post, ["containers", id, "exec"]) => self.exec_create(cx, id, &body)?,
            (Post, ["containers" | "exec", _, "resize"]) => Value::Null,
            (Delete, ["containers", name @ ..]) if flag("link") => {
                self.remove_link(&name.join("/"))?;
                Value::Null
            }
            (Delete, ["containers", id]) => {
                return self.remove_asked(cx, number, id, flag("force"), flag("v")).map(|()| None);
            }
            (Post, ["exec", id, "start"]) => return self.exec_start(cx, number, id, &body).map(|()| None),
            (Get, ["exec", id, "json"]) => self.exec_inspect(id)?,
            (Get, ["images", "json"]) => self.image_list(cx.now, request)?,
            (Post, ["images", "create"]) => {
                self.pull(cx, number, request);
                return Ok(None);
            }
            (Get, ["images", "get"]) => self.image_save(cx, request)?,
            (Post, ["images", "load"]) => match &request.body {
                // A client outside sends the file as it is.
                crate::base::http::Body::Text(file) if body.is_null() => self.image_load(cx, file)?,
                _ => self.image_load(cx, body["archive"].str())?,
            },
            (Post, ["commit"]) => self.commit(cx, request)?,
            (Get, ["containers", id, "export"]) => {
                let answer = self.container(id).map(copy::export)?;
                if let Ok(id) = self.container(id).map(|container| container.id.clone()) {
                    self.container_event(cx, &id, "export", &[]);
                }
                answer
            }
            (Post, ["build", "prune"]) => {
                self.prune_event(cx, "builder", 0);
                map! { "CachesDeleted" => Value::Null, "SpaceReclaimed" => 0 }
            }
            (Get, ["plugins"]) => Value::list(Vec::new()),
            (Get, ["plugins", name, "json"]) => return fail(404, format!("plugin \"{name}\" not found")),
            (Post, ["images", "prune"]) => self.image_prune(cx, request)?,
            (Get, ["images", name @ .., "json"]) => {
                let name = name.join("/");
                let answer = self.image_inspect(&name)?;
                match check::platform(request.query("platform")) {
                    Ok(asked) if !check::is_own_platform(&asked) => {
                        return fail(404, images::other_platform(&name, &asked));
                    }
                    _ => answer,
                }
            }
            (Get, ["images", name @ .., "history"]) => self.image_history(&name.join("/"))?,
            (Post, ["images", name @ .., "tag"]) => {
                self.image_tag(cx, &name.join("/"), request.query("repo"), request.query("tag"))?
            }
            (Delete, ["images", name @ ..]) => self.image_remove(cx, &name.join("/"), flag("force"))?,
            (Get, ["networks"]) => self.network_list(request)?,
            (Post, ["networks", "create"]) => self.network_create(cx, &body)?,
            (Post, ["networks", "prune"]) => self.network_prune(cx, request)?,
            (Get, ["networks", name]) => self.network_inspect(name)?,
            (Delete, ["networks", name]) => self.network_remove(cx, name)?,
            (Post, ["networks", name, "connect"]) => self.network_connect(cx, name, &body)?,
            (Post, ["networks", name, "disconnect"]) => self.network_disconnect(cx, name, &body)?,
            (Get, ["volumes"]) => self.volume_list(request)?,
            (Post, ["volumes", "create"]) => self.volume_create(cx, &body)?,
            (Post, ["volumes", "prune"]) => self.volume_prune(cx, request)?,
            (Get, ["volumes", name]) => self.volume_inspect(name)?,
            (Delete, ["volumes", name]) => self.volume_remove(cx, name, flag("force"))?,
            (
                _,
                [
                    "build" | "swarm" | "plugins" | "secrets" | "configs" | "services" | "nodes" | "tasks"
                    | "distribution" | "auth" | "session" | "grpc",
                    ..,
                ]
                | ["images", .., "push" | "search"]
                | ["containers", _, "checkpoints"],
            ) => {
                return fail(501, gap::line(&format!("docker API: {}", parts.join("/")), ""));
            }
            _ => return fail(404, "page not found"),
        }))
    }

    pub fn wake(&mut self, cx: &mut Cx<'_>, token: Token) {
        match token {
            Token::Programs(id) => self.run_programs(cx, &id),
            Token::Kill(id, run) => self.kill_due(cx, &id, run),
            Token::Restart(id, run) => self.restart_due(cx, &id, run),
            Token::Probe(id, run) => self.probe_due(cx, &id, run),
            Token::ProbeStart(id, run) => self.probe_start(cx, &id, run),
            Token::ProbeTimeout(id, run, probe) => self.probe_timeout(cx, &id, run, probe),
            Token::AutoRemove(id) => self.auto_remove_due(cx, &id),
            Token::Pull(ticket) => self.pull_step(cx, ticket),
            Token::Answer(ticket) => {
                if let Some((number, answer)) = self.late.remove(&ticket) {
                    match answer {
                        Ok(value) => self.answer(number, value),
                        Err(failed) => self.refuse(number, failed),
                    }
                }
            }
            Token::EndEvents(number) => {
                if self.listeners.remove(&number).is_some() {
                    self.end_stream(number);
                }
            }
            Token::Stats(number) => self.stats_due(cx, number),
        }
    }

    /// Bytes sent up a stream (`attach`, `exec -i`).
    pub fn send_up(&mut self, cx: &mut Cx<'_>, number: u64, frame: Frame) {
        self.feed(cx, number, &frame);
    }

    /// The client of a stream or of a request that waits is gone.
    pub fn hang_up(&mut self, number: u64) {
        self.listeners.remove(&number);
        self.sessions.remove(&number);
        self.pulls.retain(|_, pull| pull.number != number);
        self.waiters.retain(|waiter| waiter.number != number);
    }

    /// Whether a stream of this number is open here.
    pub fn has_session(&self, number: u64) -> bool {
        self.sessions.contains_key(&number)
    }

    pub fn take_mail(&mut self) -> Vec<(u64, Mail)> {
        std::mem::take(&mut self.mail)
    }

    /// Whether containers share files with the machine.
    pub fn wants_host(&self) -> bool {
        self.containers.values().any(|c| c.mounts.iter().any(|mount| mount.kind == "bind"))
    }

    fn answer(&mut self, number: u64, value: Value) {
        let response = match value {
            Value::Null => Response::new(204, Value::Null),
            Value::Text(text) => Response::text(200, text.to_string()),
            value => Response::new(200, value),
        };
        self.mail.push((number, Mail::Reply(response)));
    }

    fn refuse(&mut self, number: u64, (code, message): Failed) {
        self.mail.push((number, Mail::Reply(Response::new(code, map! { "message" => message }))));
    }

    fn answer_after(&mut self, cx: &mut Cx<'_>, span: Span, number: u64, answer: Outcome<Value>) {
        self.serial += 1;
        self.late.insert(self.serial, (number, answer));
        cx.wake_after(span, Token::Answer(self.serial));
    }

    /// The answer is a stream: frames follow.
    fn open_stream(&mut self, number: u64) {
        let response = Response { stream: Some(number), ..Response::text(200, String::new()) };
        self.mail.push((number, Mail::Reply(response)));
    }

    fn mail_frame(&mut self, number: u64, frame: Frame) {
        self.mail.push((number, Mail::Frame(frame)));
    }

    fn end_stream(&mut self, number: u64) {
        self.mail_frame(number, Frame::End);
    }

    /// A new id: 64 hexadecimal digits.
    fn new_id(&mut self, cx: &mut Cx<'_>) -> String {
        cx.chance.hex("docker id", 64)
    }
}
