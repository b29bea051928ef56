//! A container as the Engine keeps it, and how `inspect` and `ps` see it.

use super::filter::{Filters, name_fits};
use super::health::Health;
use super::networks::Attachment;
use super::ports::{Published, summary};
use super::volumes::Mount;
use super::wire::{human, stamp};
use super::{Engine, Outcome, fail};
use crate::base::http::Request;
use crate::base::{Span, Time, Value, order};
use crate::map;
use crate::process::Files;
use crate::runtime::{self, Image, Log};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Created,
    Running,
    Paused,
    /// Between two runs.
    Restarting,
    Exited,
}

#[derive(Clone)]
pub struct Container {
    pub id: String,
    pub name: String,
    /// Containers created at the same instant keep their order.
    pub order: u64,
    pub created: Time,
    pub image_id: String,
    pub image: Image,
    /// `Config` and `HostConfig` as the API has them.
    pub config: Value,
    pub host: Value,
    pub networks: Vec<Attachment>,
    pub published: Vec<Published>,
    pub mounts: Vec<Mount>,
    pub state: State,
    pub started: Option<Time>,
    pub finished: Option<Time>,
    pub exit_code: i64,
    pub error: String,
    pub oom: bool,
    pub restarts: i64,
    pub backoff: Span,
    /// Somebody stopped it: policies leave it alone.
    pub stopped: bool,
    /// Counts runs, so that what was planned for an earlier one is known as such.
    pub run: u32,
    pub running: Option<runtime::Container>,
    pub resting: Files,
    /// The files it was made with.
    pub original: Files,
    pub log: Log,
    pub health: Option<Health>,
    pub pid: i64,
    /// Programs have been planned to run at this instant.
    pub planned: Option<Time>,
}

impl Container {
    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Running | State::Paused)
    }

    pub fn files(&self) -> &Files {
        self.running.as_ref().map_or(&self.resting, |running| &running.files)
    }

    pub fn files_mut(&mut self) -> &mut Files {
        self.running.as_mut().map_or(&mut self.resting, |running| &mut running.files)
    }

    pub fn log(&self) -> &Log {
        self.running.as_ref().map_or(&self.log, |running| &running.log)
    }

    pub fn state_word(&self) -> &'static str {
        match self.state {
            State::Created => "created",
            State::Running => "running",
            State::Paused => "paused",
            State::Restarting => "restarting",
            State::Exited => "exited",
        }
    }

    fn status(&self, now: Time) -> String {
        let since = |at: Option<Time>| human(at.map_or(0, |at| (now - at).as_seconds()));
        match (self.state, &self.health) {
            (State::Created, _) => "Created".into(),
            (State::Paused, _) => format!("Up {} (Paused)", since(self.started)),
            (State::Restarting, _) => format!("Restarting ({}) {} ago", self.exit_code, since(self.finished)),
            (State::Exited, _) => format!("Exited ({}) {} ago", self.exit_code, since(self.finished)),
            (State::Running, None) => format!("Up {}", since(self.started)),
            (State::Running, Some(health)) => {
                let word = if health.status == "starting" { "health: starting" } else { health.status };
                format!("Up {} ({word})", since(self.started))
            }
        }
    }

    pub fn path_and_args(&self) -> Vec<String> {
        let words = |key: &str| self.config[key].items().iter().map(|word| word.str().to_string());
        words("Entrypoint").chain(words("Cmd")).collect()
    }

    fn network_settings(&self, engine: &Engine) -> Value {
        let mut all = Value::empty_map();
        let mut main = (String::new(), String::new(), String::new(), 0_i64, String::new());
        for own in &self.networks {
            let network = engine.find_network(&own.network);
            let endpoint = own.endpoint.as_ref();
            let addressed = network.is_some_and(|n| n.has_addresses()) && endpoint.is_some();
            let text = |value: String| if addressed { value } else { String::new() };
            let gateway = text(network.map_or(String::new(), |n| n.gateway()));
            let address = text(endpoint.map_or(String::new(), |e| super::networks::dotted(e.address)));
            let length = if addressed { network.map_or(0, |n| i64::from(n.length())) } else { 0 };
            let asked_mac = own.settings["MacAddress"].str().to_string();
            let mac =
                if endpoint.is_none() { asked_mac } else { text(endpoint.map_or(String::new(), |e| e.mac.clone())) };
            let endpoint_id = endpoint.map_or(String::new(), |e| e.id.clone());
            let default = network.is_none_or(|n| !n.has_addresses() || n.is_default_bridge());
            let names = if default || own.network_id.is_empty() {
                Value::Null
            } else {
                let aliases = own.settings["Aliases"].items().iter().map(|alias| alias.str().to_string());
                let short = super::wire::short(&self.id).to_string();
                let mut names: Vec<String> = std::iter::once(self.name.clone()).chain(aliases).chain([short]).collect();
                names.push(self.config["Hostname"].str().to_string());
                let mut seen = Vec::new();
                names.retain(|name| {
                    !seen.contains(name) && {
                        seen.push(name.clone());
                        true
                    }
                });
                Value::list(names.into_iter().map(Value::from).collect())
            };
            if own.network == "bridge" {
                main = (endpoint_id.clone(), gateway.clone(), address.clone(), length, mac.clone());
            }
            let given = |key: &str| if own.settings[key].is_empty() { Value::Null } else { own.settings[key].clone() };
            all.set(
                &[&own.network],
                map! {
                    "IPAMConfig" => if own.settings["IPAMConfig"].is_null() { Value::Null } else { own.settings["IPAMConfig"].clone() },
                    "Links" => given("Links"), "Aliases" => given("Aliases"), "MacAddress" => mac,
                    "DriverOpts" => given("DriverOpts"), "GwPriority" => own.settings["GwPriority"].int(),
                    "NetworkID" => own.network_id.as_str(), "EndpointID" => endpoint_id, "Gateway" => gateway,
                    "IPAddress" => address, "IPPrefixLen" => length, "IPv6Gateway" => "", "GlobalIPv6Address" => "",
                    "GlobalIPv6PrefixLen" => 0, "DNSNames" => names,
                },
            );
        }
        let mut ports = Value::empty_map();
        let live = self.is_running();
        if live && self.networks.iter().any(|own| own.endpoint.is_some()) && self.host["NetworkMode"].str() != "host" {
            for port in self.config["ExposedPorts"].entries().keys() {
                ports.map_mut().entry(port);
            }
            for one in order::sorted(self.published.iter().collect(), &|a, b| a.port.cmp(&b.port)) {
                let binding = map! { "HostIp" => one.host_ip.as_str(), "HostPort" => one.host_port.to_string() };
                ports.map_mut().entry(&one.port).list_mut().push(binding);
            }
        }
        let sandbox = if live { runtime::hex64(&format!("sandbox {} {}", self.id, self.run)) } else { String::new() };
        let key = if live { format!("/var/run/docker/netns/{}", super::wire::short(&sandbox)) } else { String::new() };
        let (endpoint_id, gateway, address, length, mac) = main;
        map! {
            "Bridge" => "", "SandboxID" => sandbox, "SandboxKey" => key, "Ports" => ports, "HairpinMode" => false,
            "LinkLocalIPv6Address" => "", "LinkLocalIPv6PrefixLen" => 0, "SecondaryIPAddresses" => Value::Null,
            "SecondaryIPv6Addresses" => Value::Null, "EndpointID" => endpoint_id, "Gateway" => gateway,
            "GlobalIPv6Address" => "", "GlobalIPv6PrefixLen" => 0, "IPAddress" => address, "IPPrefixLen" => length,
            "IPv6Gateway" => "", "MacAddress" => mac, "Networks" => all,
        }
    }

    fn state_value(&self) -> Value {
        let live = self.is_running();
        let mut state = map! {
            "Status" => self.state_word(), "Running" => live || self.state == State::Restarting,
            "Paused" => self.state == State::Paused, "Restarting" => self.state == State::Restarting,
            "OOMKilled" => self.oom, "Dead" => false, "Pid" => if live { self.pid } else { 0 },
            "ExitCode" => if live { 0 } else { self.exit_code }, "Error" => self.error.as_str(),
            "StartedAt" => stamp(self.started), "FinishedAt" => stamp(self.finished),
        };
        if let Some(health) = &self.health {
            state.set(&["Health"], health.value());
        }
        state
    }

    /// Bytes it has written.
    pub fn written(&self) -> i64 {
        let mut sum = 0;
        for (path, node) in self.files().iter() {
            let mounted = self.mounts.iter().any(|m| path == &m.target || path.starts_with(&format!("{}/", m.target)));
            if let crate::process::Node::File { content, .. } = node {
                let same = matches!(self.original.node("/", path), Ok(crate::process::Node::File { content: own, .. }) if own == content);
                if !mounted && !same && !super::copy::is_apart(path) {
                    sum += content.len() as i64;
                }
            }
        }
        sum
    }

    fn inspect(&self, engine: &Engine, size: bool) -> Value {
        let under = |name: &str| format!("/var/lib/docker/containers/{}/{name}", self.id);
        let words = self.path_and_args();
        let args = words.iter().skip(1).map(Value::from).collect();
        let local = engine.images.iter().find(|image| image.id == self.image_id);
        let lower = runtime::hex64(&format!("cache {}", local.map_or("", |image| image.layer.as_str())));
        let upper = runtime::hex64(&format!("upper {}", self.id));
        let overlay = |id: &str, part: &str| format!("/var/lib/docker/overlay2/{id}/{part}");
        let execs: Vec<Value> = engine
            .execs
            .values()
            .filter(|exec| exec.container == self.id && exec.is_running())
            .map(|exec| Value::from(exec.id.as_str()))
            .collect();
        let mut host = self.host.clone();
        host.set(&["Links"], engine.links_value(&self.name));
        let mut value = map! {
            "Id" => self.id.as_str(), "Created" => stamp(Some(self.created)), "Path" => words.first().map_or("", String::as_str),
            "Args" => Value::list(args), "State" => self.state_value(), "Image" => self.image_id.as_str(),
            "ResolvConfPath" => under("resolv.conf"), "HostnamePath" => under("hostname"), "HostsPath" => under("hosts"),
            "LogPath" => under(&format!("{}-json.log", self.id)), "Name" => format!("/{}", self.name),
            "RestartCount" => self.restarts, "Driver" => "overlay2", "Platform" => "linux", "MountLabel" => "",
            "ProcessLabel" => "", "AppArmorProfile" => "",
            "ExecIDs" => if execs.is_empty() { Value::Null } else { Value::list(execs) },
            "HostConfig" => host,
            "GraphDriver" => map! {
                "Data" => map! {
                    "ID" => self.id.as_str(),
                    "LowerDir" => format!("{}:{}", overlay(&format!("{upper}-init"), "diff"), overlay(&lower, "diff")),
                    "MergedDir" => overlay(&upper, "merged"), "UpperDir" => overlay(&upper, "diff"),
                    "WorkDir" => overlay(&upper, "work"),
                },
                "Name" => "overlay2",
            },
            "Mounts" => Value::list(self.mounts.iter().filter(|m| m.kind != "tmpfs" || !m.anonymous).map(Mount::inspect).collect()),
            "Config" => &self.config, "NetworkSettings" => self.network_settings(engine),
        };
        if self.state == State::Created {
            for key in ["ResolvConfPath", "HostnamePath", "HostsPath", "LogPath"] {
                value.set(&[key], "");
            }
        }
        if size {
            let written = self.written();
            value.set(&["SizeRw"], written);
            value.set(&["SizeRootFs"], written + local.map_or(0, |image| image.size));
        }
        value
    }

    fn summary(&self, engine: &Engine, now: Time, size: bool) -> Value {
        let settings = self.network_settings(engine);
        let mut networks = Value::empty_map();
        for (name, one) in settings["Networks"].entries().iter() {
            let mut one = one.clone();
            if self.networks.iter().any(|own| own.network == name.as_str()) {
                one.set(&["Aliases"], Value::Null);
            }
            networks.set(&[name], one);
        }
        let exposed = if self.is_running() && self.networks.iter().any(|n| n.endpoint.is_some()) {
            self.config["ExposedPorts"].clone()
        } else {
            Value::Null
        };
        let words = self.path_and_args();
        let command: Vec<String> = words
            .iter()
            .map(
                |word| {
                    if word.contains(' ') && words.first() != Some(word) { format!("'{word}'") } else { word.clone() }
                },
            )
            .collect();
        let shown = self.config["Image"].str();
        let same = engine.find_image(shown).and_then(|at| engine.images.get(at)).is_some_and(|i| i.id == self.image_id);
        let image = if same && !shown.starts_with("sha256:") { shown } else { &self.image_id };
        let mut value = map! {
            "Id" => self.id.as_str(), "Names" => Value::list(std::iter::once(format!("/{}", self.name)).chain(engine.link_names(&self.id)).map(Value::from).collect()), "Image" => image,
            "ImageID" => self.image_id.as_str(), "Command" => command.join(" "), "Created" => self.created.as_seconds(),
            "Ports" => summary(&self.published, &exposed), "Labels" => &self.config["Labels"], "State" => self.state_word(),
            "Status" => self.status(now), "HostConfig" => map! { "NetworkMode" => &self.host["NetworkMode"] },
            "NetworkSettings" => map! { "Networks" => networks },
            "Mounts" => Value::list(self.mounts.iter().filter(|m| m.kind != "tmpfs" || !m.anonymous).map(Mount::inspect).collect()),
        };
        if size {
            let written = self.written();
            let root = engine.images.iter().find(|image| image.id == self.image_id).map_or(0, |image| image.size);
            value.set(&["SizeRw"], written);
            value.set(&["SizeRootFs"], written + root);
        }
        value
    }
}

const FILTERS: [&str; 15] = [
    "ancestor",
    "before",
    "expose",
    "exited",
    "health",
    "id",
    "isolation",
    "label",
    "name",
    "status",
    "since",
    "volume",
    "network",
    "is-task",
    "publish",
];
const STATES: [&str; 7] = ["created", "running", "paused", "restarting", "removing", "exited", "dead"];

impl Engine {
    /// By id, name or the start of an id.
    pub fn container(&self, name: &str) -> Outcome<&Container> {
        let no_such = || (404, format!("No such container: {name}"));
        if name.is_empty() {
            return Err(no_such());
        }
        let plain = name.strip_prefix('/').unwrap_or(name);
        if let Some(found) =
            self.containers.get(self.names.get(plain).or_else(|| self.linked_as(plain)).map_or(name, String::as_str))
        {
            return Ok(found);
        }
        let mut fitting =
            self.containers.range(name.to_string()..).map(|(_, c)| c).take_while(|c| c.id.starts_with(name));
        match (fitting.next(), fitting.next()) {
            (Some(found), None) => Ok(found),
            (Some(_), Some(_)) => fail(400, format!("multiple IDs found with provided prefix: {name}")),
            _ => Err(no_such()),
        }
    }

    pub(super) fn container_inspect(&self, name: &str, size: bool) -> Outcome<Value> {
        Ok(self.container(name)?.inspect(self, size))
    }

    pub(super) fn container_list(&self, now: Time, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &FILTERS)?;
        for state in filters.of("status") {
            if !STATES.contains(&state.as_str()) {
                let text = "must be one of created, running, paused, restarting, removing, exited, dead";
                return fail(
                    400,
                    format!("invalid filter 'status={state}': invalid value for state ({state}): {text}"),
                );
            }
        }
        for health in filters.of("health") {
            if !matches!(health.as_str(), "starting" | "healthy" | "unhealthy" | "none") {
                return fail(
                    400,
                    format!(
                        "invalid filter 'health={health}': invalid value for health ({health}): must be one of none, starting, healthy, unhealthy"
                    ),
                );
            }
        }
        for code in filters.of("exited") {
            if code.parse::<i64>().is_err() {
                return fail(
                    400,
                    format!("invalid filter 'exited={code}': strconv.Atoi: parsing \"{code}\": invalid syntax"),
                );
            }
        }
        for (key, what) in [("publish", "publish"), ("expose", "expose")] {
            for text in filters.of(key) {
                let ports = text.split('/').next().unwrap_or_default();
                let (first, last) = ports.split_once('-').unwrap_or((ports, ports));
                let start = format!("error while looking up for {what} {text}: ");
                for part in [first, last] {
                    if let Err(error) = part.parse::<u16>() {
                        let why = crate::docker::wire::number_error(part, error);
                        return fail(400, format!("{start}{why}"));
                    }
                }
                if first.parse::<u16>().unwrap_or(0) > last.parse::<u16>().unwrap_or(0) {
                    return fail(400, format!("{start}invalid range specified for port: {ports}"));
                }
            }
        }
        let task = filters.switch("is-task")?;
        let limit = request.query("limit").parse::<usize>().unwrap_or(0);
        let all = matches!(request.query("all"), "1" | "true") || limit > 0 || filters.has("status");
        let size = matches!(request.query("size"), "1" | "true");
        let order = |name: &String| self.container(name).map(|c| c.order);
        let before: Vec<u64> = filters.of("before").iter().map(order).collect::<Outcome<_>>()?;
        let since: Vec<u64> = filters.of("since").iter().map(order).collect::<Outcome<_>>()?;
        let ancestors: Vec<String> = filters.of("ancestor");
        let ids = filters.of("id");
        let mut found: Vec<&Container> = match ids.as_slice() {
            [start] => {
                self.containers.range(start.clone()..).map(|(_, c)| c).take_while(|c| c.id.starts_with(start)).collect()
            }
            _ => self.containers.values().collect(),
        };
        found.sort_by_key(|c| std::cmp::Reverse(c.order));
        found.retain(|c| {
            let live = c.is_running() || c.state == State::Restarting;
            let health = c.health.as_ref().map_or("none", |health| health.status);
            (all || live)
                && task != Some(true)
                && before.iter().all(|order| c.order < *order)
                && since.iter().all(|order| c.order > *order)
                && filters
                    .any("name", |pattern| name_fits(pattern, &c.name) || name_fits(pattern, &format!("/{}", c.name)))
                && filters.any("id", |part| c.id.starts_with(part))
                && filters.labels(&c.config["Labels"])
                && filters.any("status", |wanted| wanted == c.state_word())
                && filters.any("exited", |code| c.state == State::Exited && code.parse() == Ok(c.exit_code))
                && filters.any("health", |wanted| wanted == health)
                && (ancestors.is_empty() || ancestors.iter().any(|name| self.descends(c, name)))
                && filters.any("volume", |name| c.mounts.iter().any(|m| m.source == name || m.target == name))
                && filters.any("network", |name| {
                    c.networks.iter().any(|own| {
                        own.network == name || (own.network_id.starts_with(name) && !own.network_id.is_empty())
                    })
                })
                && filters.any("publish", |port| c.published.iter().any(|p| in_range(port, p.host_port, &p.port)))
                && filters.any("expose", |port| {
                    live && c.config["ExposedPorts"]
                        .entries()
                        .keys()
                        .any(|own| in_range(port, super::ports::port_number(own).0, own))
                })
        });
        if limit > 0 {
            found.truncate(limit);
        }
        Ok(Value::list(found.into_iter().map(|c| c.summary(self, now, size)).collect()))
    }

    /// Whether a container is of an image, by name, id, or another image with the same layer of the same tag.
    fn descends(&self, container: &Container, name: &str) -> bool {
        match self.find_image(name).and_then(|at| self.images.get(at)) {
            Some(image) => image.id == container.image_id,
            None => container.config["Image"].str() == name,
        }
    }
}

/// `8080`, `8000-8090`, `80/tcp`.
fn in_range(wanted: &str, port: u16, full: &str) -> bool {
    let (numbers, protocol) = wanted.split_once('/').unwrap_or((wanted, "tcp"));
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let inside =
        first.parse().is_ok_and(|first: u16| last.parse().is_ok_and(|last: u16| (first..=last).contains(&port)));
    inside && full.ends_with(protocol)
}
