//! The life of a container: start, run, restart by policy, pause, remove.

use super::account::{account, environment, write_account};
use super::container::{Container, State};
use super::filter::Filters;
use super::stop::{Until, Waiter};
use super::{Cx, Engine, Outcome, Token, create, fail, networks, ports};
use crate::base::http::{Request, Response};
use crate::base::{Span, Time, Value};
use crate::map;
use crate::process::Node;
use crate::runtime::{self, Make};
use crate::trace::{ObjectRef, What};

/// The first back-off; each is twice the one before, up to a minute.
const FIRST_BACKOFF: Span = Span::millis(100);
const LAST_BACKOFF: Span = Span::seconds(60);
/// A run of this length counts as a success: the back-off begins anew.
pub(super) const GOOD_RUN: Span = Span::seconds(10);
/// Until a process does its first work, and until a start is answered.
const FIRST_WORK: Span = Span::millis(110);
pub const ANSWER: Span = Span::millis(80);
/// What starting again takes besides the back-off.
pub(super) const RESTART: Span = Span::millis(50);
/// From the end of a container that removes itself to its removal.
const AUTO_REMOVE: Span = Span::millis(30);

impl Engine {
    pub(super) fn start_asked(&mut self, cx: &mut Cx<'_>, number: u64, name: &str) -> Outcome<()> {
        let container = self.container(name)?;
        let id = container.id.clone();
        match container.state {
            State::Running => {
                self.mail.push((number, crate::base::http::Mail::Reply(Response::new(304, Value::Null))));
                return Ok(());
            }
            State::Paused => return fail(409, "cannot start a paused container, try unpause instead"),
            _ => {}
        }
        if let Some(container) = self.containers.get_mut(&id) {
            container.restarts = 0;
            container.backoff = Span::ZERO;
            container.stopped = false;
        }
        let started = self.start(cx, &id);
        if started.is_err() && self.containers.get(&id).is_some_and(|c| c.host["AutoRemove"].is_true()) {
            self.remove(cx, &id, true);
        }
        started?;
        self.answer_after(cx, ANSWER, number, Ok(Value::Null));
        Ok(())
    }

    /// Starts a container's first process; why not is kept with the container.
    pub(super) fn start(&mut self, cx: &mut Cx<'_>, id: &str) -> Outcome<()> {
        let begun = self.begin(cx, id);
        let Some(container) = self.containers.get_mut(id) else { return Ok(()) };
        if let Err((code, text)) = begun {
            container.error = text.clone();
            container.exit_code = match text.as_str() {
                text if text.contains("permission denied") => 126,
                text if text.contains("executable file not found") || text.contains("no such file or directory") => 127,
                _ => 128,
            };
            if container.state == State::Restarting {
                container.state = State::Exited;
                container.finished = Some(cx.now);
            }
            let ran = text.contains("OCI runtime");
            self.release(cx, id, ran);
            if ran {
                self.mount_events(cx, id, false);
            }
            return Err((code, text));
        }
        let name: crate::base::SmolStr = container.name.as_str().into();
        cx.record(What::Started { object: object(id, &name).into(), container: name });
        // Those that link to it know its address anew.
        let parents: Vec<String> =
            self.link_names(id).filter_map(|name| self.names.get(name.split('/').nth(1)?).cloned()).collect();
        for parent in parents {
            if self.containers.get(&parent).is_some_and(Container::is_running) {
                self.write_host_files(&parent);
            }
        }
        self.connect_events(cx, id);
        self.container_event(cx, id, "start", &[]);
        self.health_begins(cx, id);
        self.plan(cx, id);
        self.feed_early(cx, id);
        Ok(())
    }

    fn begin(&mut self, cx: &mut Cx<'_>, id: &str) -> Outcome<()> {
        self.mount_events(cx, id, true);
        self.connect_all(cx, id, false)?;
        self.publish(id)?;
        if let Some(container) = self.containers.get(id) {
            super::check::check_start(self, container)?;
        }
        let now = cx.now;
        if let Some(container) = self.containers.get_mut(id) {
            for mount in container.mounts.iter().filter(|mount| mount.kind == "tmpfs") {
                let target = mount.target.clone();
                container.resting.unmount(&target);
                container.resting.mount(&target, Node::Directory { modified: now, read_only: false });
            }
        }
        self.mount_all(id, now);
        self.write_host_files(id);
        let links = self.containers.get(id).map_or(Ok(Vec::new()), |container| self.link_variables(container))?;
        let pid = 1000 + i64::try_from(cx.chance.below("docker pid", 20_000)).unwrap_or(0);
        let Some(container) = self.containers.get_mut(id) else { return Ok(()) };
        let user = container.config["User"].str().to_string();
        let account = account(container, &user)?;
        let directory = match container.config["WorkingDir"].str() {
            "" => "/".to_string(),
            directory => directory.to_string(),
        };
        let _ = container.resting.make_directories(now, "/", &directory);
        write_account(container, &account, now);
        let mut files = std::mem::take(&mut container.resting);
        if container.host["ReadonlyRootfs"].is_true() {
            create::lock(&mut files, &container.mounts);
        }
        let tty = container.config["Tty"].is_true();
        let make = Make {
            name: container.name.as_str().into(),
            id: container.id.clone(),
            image: container.image.clone(),
            args: container.path_and_args(),
            env: environment(container, links, &Value::Null, account.2.as_str(), tty),
            cwd: directory,
            files: files.clone(),
            hostname: container.config["Hostname"].str().into(),
            stdin: container.config["OpenStdin"].is_true(),
            tty,
        };
        match runtime::Container::start(make, now) {
            Ok(mut running) => {
                running.hold_until(now + FIRST_WORK);
                running.attached = Some(Vec::new());
                if container.host["Init"].is_true() {
                    running.has_reaper();
                }
                running.log = std::mem::take(&mut container.log);
                container.running = Some(running);
                container.state = State::Running;
                container.started = Some(now);
                container.error = String::new();
                container.oom = false;
                container.exit_code = 0;
                container.pid = pid;
                container.run += 1;
                container.planned = None;
                if container.image.reference.path == "library/nginx" {
                    let _ = container.files_mut().write(now, "/", "/run/nginx.pid", b"1\n");
                }
                Ok(())
            }
            Err(text) => {
                container.resting = files;
                let (_, why) = text.split_once("container init: ").unwrap_or(("", text.as_str()));
                fail(
                    400,
                    format!(
                        "failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: {why}"
                    ),
                )
            }
        }
    }

    /// /etc/hosts, /etc/resolv.conf, /etc/hostname, and what `ip` and `mount` read.
    pub(super) fn write_host_files(&mut self, id: &str) {
        let Some(container) = self.containers.get(id) else { return };
        let shared = container.host["NetworkMode"].str().strip_prefix("container:").map(str::to_string);
        let shared = shared.and_then(|other| self.container(&other).ok()).map(|other| {
            ["/etc/hosts", "/etc/resolv.conf"].map(|path| other.files().read_text("/", path).unwrap_or_default())
        });
        let hostname = container.config["Hostname"].str().to_string();
        let domain = container.config["Domainname"].str();
        let names = if domain.is_empty() { hostname.clone() } else { format!("{hostname}.{domain} {hostname}") };
        let mut hosts = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\nfe00::\tip6-localnet\nff00::\tip6-mcastprefix\nff02::1\tip6-allnodes\nff02::2\tip6-allrouters\n".to_string();
        for extra in container.host["ExtraHosts"].items() {
            let (name, address) = extra.str().split_once([':', '=']).unwrap_or((extra.str(), ""));
            let address = if address == "host-gateway" { "172.17.0.1" } else { address };
            hosts.push_str(&format!("{address}\t{name}\n"));
        }
        hosts.push_str(&self.link_hosts(container));
        let mut interfaces = String::new();
        let mut custom = false;
        for own in &container.networks {
            let (Some(endpoint), Some(network)) = (&own.endpoint, self.find_network(&own.network)) else { continue };
            custom |= !network.is_default_bridge();
            if network.has_addresses() {
                let address = networks::dotted(endpoint.address);
                hosts.push_str(&format!("{address}\t{names}\n"));
                interfaces.push_str(&format!("{address}/{} {}\n", network.length(), endpoint.mac));
            }
        }
        let list =
            |key: &str| container.host[key].items().iter().map(|item| item.str().to_string()).collect::<Vec<_>>();
        let (servers, search, options) = (list("Dns"), list("DnsSearch"), list("DnsOptions"));
        let head = "# Generated by Docker Engine.\n# This file can be edited; Docker Engine will not make further changes once it\n# has been modified.\n\n";
        let searched = if search.is_empty() { String::new() } else { format!("search {}\n", search.join(" ")) };
        let overrides: Vec<&str> = [("nameservers", &servers), ("search", &search), ("options", &options)]
            .iter()
            .filter(|(_, l)| !l.is_empty())
            .map(|(n, _)| *n)
            .collect();
        let resolv = if custom {
            let ext = if servers.is_empty() { "host(127.0.0.1)".to_string() } else { servers.join(" ") };
            let more =
                if options.is_empty() { "ndots:0".to_string() } else { format!("{} ndots:0", options.join(" ")) };
            format!(
                "{head}nameserver 127.0.0.11\n{searched}options {more}\n\n# Based on host file: '/etc/resolv.conf' (internal resolver)\n# ExtServers: [{ext}]\n# Overrides: [{}]\n# Option ndots from: internal\n",
                overrides.join(" ")
            )
        } else {
            let servers = if servers.is_empty() { vec!["127.0.0.1".to_string()] } else { servers };
            let lines: String = servers.iter().map(|server| format!("nameserver {server}\n")).collect();
            let more = if options.is_empty() { String::new() } else { format!("options {}\n", options.join(" ")) };
            format!(
                "{head}{lines}{searched}{more}\n# Based on host file: '/etc/resolv.conf' (legacy)\n# Overrides: [{}]\n{}",
                overrides.join(" "),
                if options.iter().any(|option| option.starts_with("ndots:")) {
                    "# Option ndots from: override\n"
                } else {
                    ""
                }
            )
        };
        let mut mounts =
            "overlay on / type overlay (rw,relatime)\nproc on /proc type proc (rw,nosuid,nodev,noexec,relatime)\n"
                .to_string();
        for mount in &container.mounts {
            let line = match mount.kind.as_str() {
                "tmpfs" => {
                    let options = container.host["Tmpfs"][mount.target.as_str()].str();
                    let size = options.split(',').find_map(|option| option.strip_prefix("size="));
                    let bytes = size.and_then(|size| super::cli::bytes(size).ok());
                    let size = bytes.map_or(String::new(), |bytes| format!(",size={}k", bytes / 1024));
                    format!("tmpfs on {} type tmpfs (rw,nosuid,nodev,noexec,relatime{size})\n", mount.target)
                }
                _ => format!(
                    "/dev/vda on {} type ext4 ({},relatime)\n",
                    mount.target,
                    if mount.read_only { "ro" } else { "rw" }
                ),
            };
            mounts.push_str(&line);
        }
        let (hosts, resolv) = match shared {
            Some([hosts, resolv]) => (hosts, resolv),
            None => (hosts, resolv),
        };
        let Some(container) = self.containers.get_mut(id) else { return };
        let devices: Vec<String> =
            container.host["Devices"].items().iter().map(|one| one["PathInContainer"].str().to_string()).collect();
        let files = container.files_mut();
        for path in devices.iter().filter(|path| path.starts_with("/dev/")) {
            let node =
                Node::File { content: Default::default(), modified: Time::default(), mode: 0o666, read_only: false };
            files.mount(path, node);
        }
        for (path, text) in [
            ("/etc/hosts", hosts),
            ("/etc/resolv.conf", resolv),
            ("/etc/hostname", format!("{hostname}\n")),
            ("/proc/net/interfaces", interfaces),
            ("/proc/mounts", mounts),
        ] {
            let content = std::sync::Arc::new(text.into_bytes());
            files.mount(path, Node::File { content, modified: Time::default(), mode: 0o644, read_only: false });
        }
    }

    /// Wakes for the instant at which a container's programs want to run.
    pub(super) fn plan(&mut self, cx: &mut Cx<'_>, id: &str) {
        let Some(container) = self.containers.get_mut(id) else { return };
        let next = container.running.as_ref().and_then(|running| running.next_at());
        if let Some(at) = next.filter(|_| container.state == State::Running)
            && container.planned.is_none_or(|planned| planned > at)
        {
            container.planned = Some(at.max(cx.now));
            cx.wake_at(at, Token::Programs(id.to_string()));
        }
    }

    pub(super) fn run_programs(&mut self, cx: &mut Cx<'_>, id: &str) {
        let Some(container) = self.containers.get_mut(id) else { return };
        if container.planned.is_some_and(|planned| planned > cx.now) {
            return;
        }
        container.planned = None;
        self.go_on(cx, id);
    }

    /// Lets a container's programs run as far as they get, and sees to what came of it.
    pub(super) fn go_on(&mut self, cx: &mut Cx<'_>, id: &str) {
        let Some(container) = self.containers.get(id) else { return };
        if container.state != State::Running {
            return;
        }
        let shares = container.mounts.iter().any(|mount| mount.kind != "tmpfs");
        if shares {
            self.mount_all(id, cx.now);
        }
        // What programs ask of the network is answered within the same instant.
        for _ in 0..8 {
            let Some(running) = self.containers.get_mut(id).and_then(|c| c.running.as_mut()) else { return };
            if running.next_at().is_none_or(|at| at <= cx.now) {
                running.run(cx.chance, cx.now);
            }
            let calls = running.take_calls();
            if calls.is_empty() {
                break;
            }
            for (call, request) in calls {
                let response = self.carry(cx, Some(id), &request);
                if let Some(running) = self.containers.get_mut(id).and_then(|c| c.running.as_mut()) {
                    running.reply(call, response);
                    running.hold_until(cx.now);
                }
            }
        }
        if shares {
            self.unmount_all(id);
        }
        self.collect(cx, id);
        let ended = self.containers.get(id).and_then(|c| c.running.as_ref()).and_then(|running| running.exit);
        match ended {
            Some((_, exit)) => self.die(cx, id, i64::from(exit.code)),
            None => self.plan(cx, id),
        }
    }

    /// A request of a program to an address: of another container, of the name server, of the machine's ports.
    pub fn carry(&mut self, cx: &mut Cx<'_>, from: Option<&str>, request: &Request) -> Response {
        let (host, port) = request.host.rsplit_once(':').unwrap_or((request.host.as_str(), "80"));
        let port: u16 = port.parse().unwrap_or(0);
        if request.agent == "dns" {
            let found = from.map(|id| self.resolve(id, &request.path)).unwrap_or_default();
            let code = if found.is_empty() { 404 } else { 200 };
            return Response::text(code, found.join("\n"));
        }
        let Ok(address) = host.parse::<std::net::Ipv4Addr>().map(|a| a.to_bits()) else {
            return Response::failed("Connection timed out");
        };
        if request.agent == "ping" && host.starts_with("127.") {
            return Response::text(200, String::new());
        }
        let own_network = |engine: &Engine| {
            let shared = from.and_then(|id| engine.containers.get(id)).map(|c| c.host["NetworkMode"].str().to_string());
            shared.and_then(|mode| mode.strip_prefix("container:").map(str::to_string))
        };
        let target = if host.starts_with("127.") {
            own_network(self)
        } else {
            let from = own_network(self).or(from.map(str::to_string));
            self.at_address(address, from.as_deref())
        };
        let gateways: Vec<String> = self.networks.iter().map(|n| n.gateway()).collect();
        let is_machine = (host.starts_with("127.") && from.is_none()) || gateways.iter().any(|own| own == host);
        let (target, port) = match target {
            Some(id) => (id, port),
            None if is_machine => match self.published_at(port) {
                Some(found) => found,
                None => return Response::failed("Connection refused"),
            },
            None if host.starts_with("127.") => return Response::failed("Connection refused"),
            None => {
                let alone =
                    from.and_then(|id| self.containers.get(id)).is_some_and(|c| c.host["NetworkMode"].str() == "none");
                return Response::failed(if alone { "Network is unreachable" } else { "No route to host" });
            }
        };
        let seen = match from.and_then(|id| self.containers.get(id)) {
            Some(own) => own
                .networks
                .iter()
                .find_map(|n| n.endpoint.as_ref())
                .map_or(String::new(), |e| networks::dotted(e.address)),
            None => "172.17.0.1".into(),
        };
        let Some(container) = self.containers.get_mut(&target) else { return Response::failed("Connection refused") };
        if container.state != State::Running {
            return Response::failed("Connection timed out");
        }
        // A server that has not begun its work does not listen yet.
        let young = container.started.is_some_and(|at| cx.now < at + FIRST_WORK);
        if container.running.is_none() {
            return Response::failed("Connection refused");
        }
        if young && request.agent != "ping" {
            return Response::failed("Connection refused");
        }
        if request.agent == "ping" {
            return Response::text(200, String::new());
        }
        if container.mounts.iter().any(|mount| mount.kind != "tmpfs") {
            self.mount_all(&target, cx.now);
        }
        let running = self.containers.get_mut(&target).and_then(|c| c.running.as_mut());
        let response = running.map(|running| runtime::respond(running, cx.now, port, request, &seen));
        self.collect(cx, &target);
        response.unwrap_or_else(|| Response::failed("Connection refused"))
    }

    /// Container and port behind a port of the machine.
    pub fn published_at(&self, port: u16) -> Option<(String, u16)> {
        self.containers.values().find_map(|c| {
            let found = c.published.iter().find(|own| own.host_port == port && own.port.ends_with("tcp"))?;
            Some((c.id.clone(), ports::port_number(&found.port).0))
        })
    }

    /// A container's run is over.
    pub(super) fn die(&mut self, cx: &mut Cx<'_>, id: &str, code: i64) {
        self.unmount_all(id);
        let Some(container) = self.containers.get_mut(id) else { return };
        if let Some(mut running) = container.running.take() {
            container.oom = running.starved;
            container.log = std::mem::take(&mut running.log);
            container.resting = std::mem::take(&mut running.files);
        }
        container.state = State::Exited;
        container.finished = Some(cx.now);
        container.exit_code = code;
        if let Some(health) = &mut container.health {
            health.ends();
        }
        let lasted = container.started.map_or(Span::ZERO, |at| cx.now - at);
        let stopped = container.stopped;
        let name: crate::base::SmolStr = container.name.as_str().into();
        cx.record(What::Stopped { object: object(id, &name).into(), container: name, code: code as i32 });
        let auto_remove = container.host["AutoRemove"].is_true();
        let policy = container.host["RestartPolicy"].clone();
        let most = policy["MaximumRetryCount"].int();
        let asked = self.waiters.iter().any(|w| w.id == id && matches!(w.until, Until::Stopped | Until::Restarted));
        let again = !stopped
            && match policy["Name"].str() {
                "always" | "unless-stopped" => true,
                "on-failure" => code != 0 && (most == 0 || container.restarts < most),
                _ => false,
            };
        self.release(cx, id, true);
        self.mount_events(cx, id, false);
        if asked {
            self.container_event(cx, id, "stop", &[]);
        }
        self.container_event(
            cx,
            id,
            "die",
            &[("execDuration", lasted.as_seconds().to_string()), ("exitCode", code.to_string())],
        );
        self.end_sessions(id);
        if again {
            let Some(container) = self.containers.get_mut(id) else { return };
            container.restarts += 1;
            container.state = State::Restarting;
            container.backoff = if lasted >= GOOD_RUN || container.backoff == Span::ZERO {
                FIRST_BACKOFF
            } else {
                Span((container.backoff.0.saturating_mul(2)).min(LAST_BACKOFF.0))
            };
            let (after, run) = (container.backoff + RESTART, container.run);
            cx.wake_after(after, Token::Restart(id.to_string(), run));
        }
        self.tell_waiters(cx, id, code, again);
        if auto_remove && !again {
            cx.wake_after(AUTO_REMOVE, Token::AutoRemove(id.to_string()));
        }
    }

    /// The end of a container that removes itself.
    pub(super) fn auto_remove_due(&mut self, cx: &mut Cx<'_>, id: &str) {
        let due = self.containers.get(id).is_some_and(|c| c.state == State::Exited && c.host["AutoRemove"].is_true());
        if due {
            self.remove(cx, id, true);
        }
    }

    pub(super) fn restart_due(&mut self, cx: &mut Cx<'_>, id: &str, run: u32) {
        let due = self.containers.get(id).is_some_and(|c| c.state == State::Restarting && c.run == run);
        if due {
            let _ = self.start(cx, id);
        }
    }

    pub(super) fn pause(&mut self, cx: &mut Cx<'_>, name: &str, pause: bool) -> Outcome<Value> {
        let container = self.container(name)?;
        let id = container.id.clone();
        match (container.state, pause) {
            (State::Running, true) | (State::Paused, false) => {}
            (State::Paused, true) => return fail(409, format!("Container {id} is already paused")),
            (State::Restarting, true) => {
                return fail(409, format!("Container {id} is restarting, wait until the container is running"));
            }
            (_, true) => return fail(409, format!("container {id} is not running")),
            (_, false) => return fail(409, format!("Container {id} is not paused")),
        }
        let Some(container) = self.containers.get_mut(&id) else { return Ok(Value::Null) };
        container.state = if pause { State::Paused } else { State::Running };
        if pause && let Some(health) = &mut container.health {
            health.ends();
        }
        self.container_event(cx, &id, if pause { "pause" } else { "unpause" }, &[]);
        if !pause {
            self.health_begins(cx, &id);
            if let Some(container) = self.containers.get_mut(&id) {
                container.planned = None;
            }
            self.plan(cx, &id);
        }
        Ok(Value::Null)
    }

    pub(super) fn rename(&mut self, cx: &mut Cx<'_>, name: &str, new: &str) -> Outcome<Value> {
        let container = self.container(name)?;
        let (id, old) = (container.id.clone(), container.name.clone());
        let new = new.strip_prefix('/').unwrap_or(new);
        if new.is_empty() {
            return fail(400, "Neither old nor new names may be empty");
        }
        if old == new {
            return fail(400, "Renaming a container with the same name as its current name");
        }
        let start = "Error when allocating new name: ";
        if !create::good_name(new) {
            return fail(
                400,
                format!("{start}Invalid container name (/{new}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed"),
            );
        }
        if let Some(other) = self.names.get(new) {
            return fail(
                409,
                format!(
                    "{start}Conflict. The container name \"/{new}\" is already in use by container \"{}\". You have to remove (or rename) that container to be able to reuse that name.",
                    other
                ),
            );
        }
        if let Some(container) = self.containers.get_mut(&id) {
            container.name = new.to_string();
        }
        self.names.remove(&old);
        self.names.insert(new.to_string(), id.clone());
        self.rename_links(&old, new);
        self.container_event(cx, &id, "rename", &[("oldName", format!("/{old}"))]);
        Ok(Value::Null)
    }

    pub(super) fn update(&mut self, cx: &mut Cx<'_>, name: &str, body: &Value) -> Outcome<Value> {
        let container = self.container(name)?;
        let id = container.id.clone();
        let mut host = container.host.clone();
        let start = format!("Cannot update container {id}: ");
        let policy = &body["RestartPolicy"];
        if host["AutoRemove"].is_true() && !matches!(policy["Name"].str(), "" | "no") {
            return fail(
                400,
                format!("{start}Restart policy cannot be updated because AutoRemove is enabled for the container"),
            );
        }
        let (cpus, period, quota) = (host["NanoCpus"].int(), host["CpuPeriod"].int(), host["CpuQuota"].int());
        let (new_cpus, new_period, new_quota) =
            (body["NanoCpus"].int(), body["CpuPeriod"].int(), body["CpuQuota"].int());
        let conflicts = [
            (cpus > 0 && new_period > 0, "CPU Period", "NanoCPUs"),
            (cpus > 0 && new_quota > 0, "CPU Quota", "NanoCPUs"),
            (new_cpus > 0 && period > 0, "Nano CPUs", "CPU Period"),
            (new_cpus > 0 && quota > 0, "Nano CPUs", "CPU Quota"),
        ];
        if let Some((_, one, other)) = conflicts.iter().find(|(holds, ..)| *holds) {
            let text = format!("{start}Conflicting options: {one} cannot be updated as {other} has already been set");
            return fail(409, text);
        }
        let mut alone = map! { "Memory" => body["Memory"].int(), "NanoCpus" => 0 };
        super::check::check_limits(&mut alone)?;
        let (memory, swap) = (body["Memory"].int(), host["MemorySwap"].int());
        if memory != 0 && body["MemorySwap"].int() == 0 && memory > swap {
            return fail(
                400,
                format!(
                    "{start}Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time"
                ),
            );
        }
        for (key, value) in body.entries().iter() {
            let keep = value.is_empty() || (key == "RestartPolicy" && value["Name"].is_empty());
            if !keep {
                host.set(&[key], value.clone());
            }
        }
        super::check::check_limits(&mut host)?;
        let Some(container) = self.containers.get_mut(&id) else { return Ok(Value::Null) };
        container.host = host;
        self.container_event(cx, &id, "update", &[]);
        Ok(map! { "Warnings" => Value::list(Vec::new()) })
    }

    pub(super) fn remove_asked(
        &mut self,
        cx: &mut Cx<'_>,
        number: u64,
        name: &str,
        force: bool,
        volumes: bool,
    ) -> Outcome<()> {
        let container = self.container(name)?;
        let id = container.id.clone();
        let start = format!("cannot remove container \"{}\": ", container.name);
        let why = match container.state {
            State::Running => "container is running: stop the container before removing or force remove",
            State::Paused => "container is paused and must be unpaused first",
            State::Restarting => "container is restarting: stop the container before removing or force remove",
            _ => "",
        };
        if !why.is_empty() && !force {
            return fail(409, format!("{start}{why}"));
        }
        if container.is_running() {
            if let Some(container) = self.containers.get_mut(&id) {
                container.stopped = true;
                container.host.set(&["AutoRemove"], false);
            }
            self.waiters.push(Waiter { number, id: id.clone(), until: Until::Removed(volumes) });
            self.send(cx, &id, 9);
            return Ok(());
        }
        self.remove(cx, &id, volumes);
        self.answer(number, Value::Null);
        Ok(())
    }

    pub(super) fn remove(&mut self, cx: &mut Cx<'_>, id: &str, volumes: bool) {
        self.end_sessions(id);
        self.container_event(cx, id, "destroy", &[]);
        let Some(gone) = self.containers.remove(id) else { return };
        self.names.remove(&gone.name);
        self.forget_links(&gone.name);
        if volumes {
            self.drop_anonymous(cx, &gone.mounts);
        }
        self.execs.retain(|_, exec| exec.container != id);
        let told: Vec<Waiter> = self.waiters.extract_if(.., |w| w.id == id).collect();
        for waiter in told {
            match waiter.until {
                Until::Gone | Until::NotRunning | Until::NextExit => {
                    self.answer(waiter.number, map! { "StatusCode" => gone.exit_code });
                }
                _ => self.answer(waiter.number, Value::Null),
            }
        }
    }

    pub(super) fn container_prune(&mut self, cx: &mut Cx<'_>, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["label", "label!", "until"])?;
        let until = filters.until(cx.now)?;
        let mut gone: Vec<&Container> = self.containers.values().collect();
        gone.retain(|c| {
            matches!(c.state, State::Created | State::Exited)
                && until.is_none_or(|until| c.created <= until)
                && filters.labels(&c.config["Labels"])
        });
        let bytes: i64 = gone.iter().map(|c| c.written()).sum();
        let ids: Vec<String> = gone.into_iter().map(|c| c.id.clone()).collect();
        for id in &ids {
            self.remove(cx, id, false);
        }
        self.prune_event(cx, "container", bytes);
        let deleted =
            if ids.is_empty() { Value::Null } else { Value::list(ids.into_iter().map(Value::from).collect()) };
        Ok(map! { "ContainersDeleted" => deleted, "SpaceReclaimed" => bytes })
    }
}

/// A container in the trace.
fn object(id: &str, name: &str) -> ObjectRef {
    ObjectRef { resource: "containers".into(), namespace: "".into(), name: name.into(), uid: id.into() }
}
