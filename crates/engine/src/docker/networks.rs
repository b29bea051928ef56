//! Networks of the bridge driver, and the three that are always there: subnets, endpoints, addresses.
//!
//! Not simulated: overlay, macvlan and ipvlan, IPv6 inside networks, `internal` keeping packets in.

use crate::base::BTreeSet;

use super::filter::{Filters, name_fits};
use super::{Cx, Engine, Failed, Outcome, fail, wire};
use crate::base::gap;
use crate::base::http::Request;
use crate::base::{Time, Value};
use crate::{list, map};

#[derive(Clone, Debug)]
pub struct Network {
    pub name: String,
    pub id: String,
    created: Time,
    driver: String,
    scope: String,
    /// Others take their configuration from it; no container is in it.
    config_only: bool,
    config_from: String,
    /// Address and length of the subnet; none for `host` and `none`.
    subnet: Option<(u32, u8)>,
    gateway: u32,
    /// The subnet was asked for.
    chosen: bool,
    config: Value,
    ipam_options: Value,
    flags: [bool; 3],
    options: Value,
    labels: Value,
    /// The addresses of its endpoints.
    taken: BTreeSet<u32>,
}

/// A container's place in a network: as configured, and as connected while it runs.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// As given: a name or an id.
    pub network: String,
    pub settings: Value,
    pub network_id: String,
    pub endpoint: Option<Endpoint>,
}

#[derive(Clone, Debug)]
pub struct Endpoint {
    pub id: String,
    pub address: u32,
    pub mac: String,
}

pub fn dotted(address: u32) -> String {
    std::net::Ipv4Addr::from_bits(address).to_string()
}

fn no_such(name: &str) -> Failed {
    (404, format!("network {name} not found"))
}

/// `10.9.0.0/24`
fn parse_subnet(text: &str) -> Option<(u32, u8)> {
    let (address, length) = text.split_once('/')?;
    let length: u8 = length.parse().ok().filter(|length| (1..=32).contains(length))?;
    let address: std::net::Ipv4Addr = address.parse().ok()?;
    Some((address.to_bits() & (u32::MAX << (32 - u32::from(length))), length))
}

/// Whether an address is in a subnet.
pub fn holds(subnet: &str, address: &str) -> bool {
    let address = address.parse::<std::net::Ipv4Addr>().map(|address| (address.to_bits(), 32));
    parse_subnet(subnet).zip(address.ok()).is_some_and(|(subnet, address)| overlap(subnet, address))
}

fn overlap(a: (u32, u8), b: (u32, u8)) -> bool {
    let mask = u32::MAX << (32 - u32::from(a.1.min(b.1)));
    a.0 & mask == b.0 & mask
}

impl Network {
    fn value(&self, engine: &Engine, short: bool) -> Value {
        let pool = self.subnet.map(|(address, length)| format!("{}/{length}", dotted(address)));
        let config = match (&pool, self.chosen) {
            (_, true) => self.config.clone(),
            (Some(pool), false) => list![map! { "Subnet" => pool, "Gateway" => dotted(self.gateway) }],
            (None, _) => Value::Null,
        };
        let mut value = map! {
            "Name" => self.name.as_str(), "Id" => self.id.as_str(), "Created" => wire::stamp(Some(self.created)), "Scope" => self.scope.as_str(),
            "Driver" => self.driver.as_str(), "EnableIPv4" => true, "EnableIPv6" => false,
            "IPAM" => map! { "Driver" => "default", "Options" => &self.ipam_options, "Config" => config },
            "Internal" => self.flags[0], "Attachable" => self.flags[1], "Ingress" => self.flags[2],
            "ConfigFrom" => map! { "Network" => self.config_from.as_str() }, "ConfigOnly" => self.config_only, "Containers" => Value::empty_map(),
            "Options" => &self.options, "Labels" => &self.labels,
        };
        if short {
            return value;
        }
        for container in engine.containers.values() {
            let attached = container.networks.iter().find(|own| own.network_id == self.id);
            if let Some(endpoint) = attached.and_then(|own| own.endpoint.as_ref()) {
                let address = match self.subnet {
                    Some((_, length)) => format!("{}/{length}", dotted(endpoint.address)),
                    None => String::new(),
                };
                value.set(
                    &["Containers", &container.id],
                    map! {
                        "Name" => container.name.as_str(), "EndpointID" => endpoint.id.as_str(), "MacAddress" => endpoint.mac.as_str(),
                        "IPv4Address" => address, "IPv6Address" => "",
                    },
                );
            }
        }
        value
    }

    pub fn is_default_bridge(&self) -> bool {
        self.name == "bridge"
    }

    pub fn length(&self) -> u8 {
        self.subnet.map_or(0, |(_, length)| length)
    }

    pub fn gateway(&self) -> String {
        if self.subnet.is_some() && !self.flags[0] { dotted(self.gateway) } else { String::new() }
    }

    pub fn has_addresses(&self) -> bool {
        self.subnet.is_some()
    }

    fn is_taken(&self, address: u32) -> bool {
        is_reserved(self, address) || self.taken.contains(&address)
    }

    fn free_address(&self) -> Option<u32> {
        let Some(subnet) = self.subnet else { return Some(0) };
        let (first, length) = parse_subnet(self.config[0]["IPRange"].str()).unwrap_or(subnet);
        let size = 1_u64 << (32 - u32::from(length));
        let last = first.saturating_add(u32::try_from(size.saturating_sub(1)).unwrap_or(0));
        let begin = if first == subnet.0 { first.saturating_add(1) } else { first };
        let mut taken = self.taken.range(begin..).copied().peekable();
        (begin..last).find(|address| taken.next_if_eq(address).is_none() && !is_reserved(self, *address))
    }
}

impl Engine {
    /// The networks every Engine has.
    pub(super) fn first_networks(&mut self, seed: &str, now: Time) {
        let bridge = map! {
            "com.docker.network.bridge.default_bridge" => "true", "com.docker.network.bridge.enable_icc" => "true",
            "com.docker.network.bridge.enable_ip_masquerade" => "true",
            "com.docker.network.bridge.host_binding_ipv4" => "0.0.0.0", "com.docker.network.bridge.name" => "docker0",
            "com.docker.network.driver.mtu" => "1500",
        };
        for (name, driver, options) in
            [("bridge", "bridge", bridge), ("host", "host", Value::empty_map()), ("none", "null", Value::empty_map())]
        {
            let subnet = (name == "bridge").then_some((0xac11_0000, 16));
            self.networks.push(Network {
                name: name.into(),
                id: crate::runtime::hex64(&format!("{seed} network {name}")),
                created: now,
                driver: driver.into(),
                scope: "local".into(),
                config_only: false,
                config_from: String::new(),
                subnet,
                gateway: 0xac11_0001,
                chosen: false,
                config: Value::Null,
                ipam_options: Value::Null,
                flags: [false; 3],
                options,
                labels: Value::empty_map(),
                taken: BTreeSet::new(),
            });
        }
    }

    /// By name, id or the start of an id.
    pub fn find_network(&self, name: &str) -> Option<&Network> {
        let networks = &self.networks;
        networks.iter().find(|n| n.name == name || n.id == name).or_else(|| {
            let mut fitting = networks.iter().filter(|n| !name.is_empty() && n.id.starts_with(name));
            fitting.next().filter(|_| fitting.next().is_none())
        })
    }

    fn free_subnet(&self) -> Option<(u32, u8)> {
        let big = (18..32).map(|n| (0xac00_0000 | n << 16, 16));
        let small = (0..16).map(|n| (0xc0a8_0000 | n << 12, 20));
        big.chain(small).find(|pool| !self.networks.iter().filter_map(|n| n.subnet).any(|own| overlap(own, *pool)))
    }

    pub(super) fn network_create(&mut self, cx: &mut Cx<'_>, body: &Value) -> Outcome<Value> {
        let name = body["Name"].str();
        if matches!(name, "bridge" | "host" | "none" | "default") {
            return fail(403, format!("operation is not permitted on predefined {name} network "));
        }
        if name.trim().is_empty() {
            return fail(400, "invalid name: name is empty");
        }
        let driver = match body["Driver"].str() {
            "" | "default" => "bridge",
            driver => driver,
        };
        if matches!(driver, "host" | "null") {
            return fail(403, format!("only one instance of \"{driver}\" network is allowed"));
        }
        if driver == "overlay" {
            return fail(
                503,
                "This node is not a swarm manager. Use \"docker swarm init\" or \"docker swarm join\" to connect this node to swarm and try again.",
            );
        }
        if matches!(driver, "macvlan" | "ipvlan") {
            return fail(501, gap::line(&format!("docker network create --driver {driver}"), ""));
        }
        if driver != "bridge" {
            return fail(404, format!("plugin \"{driver}\" not found"));
        }
        if body["Ingress"].is_true() {
            return fail(403, "Ingress network can only be global scope network");
        }
        let scope = body["Scope"].str();
        if scope == "swarm" {
            return fail(403, "cannot create a swarm scoped network when swarm is not active");
        }
        let ipam = body.at(&["IPAM", "Driver"]).str();
        if !matches!(ipam, "" | "default" | "null") {
            return fail(404, format!("plugin \"{ipam}\" not found"));
        }
        let pattern = body.at(&["ConfigFrom", "Network"]).str();
        let from = match pattern {
            "" => None,
            pattern => match self.find_network(pattern).filter(|own| own.config_only) {
                Some(own) => Some(own.clone()),
                None => return fail(403, format!("configuration network \"{pattern}\" does not exist")),
            },
        };
        let config_only = body["ConfigOnly"].is_true();
        let mut wanted = body.clone();
        if let Some(from) = &from {
            wanted.set(&["IPAM", "Config"], from.config.clone());
            wanted.set(&["Options"], from.options.clone());
            wanted.set(&["Labels"], from.labels.clone());
        }
        let body = &wanted;
        let bridge = body["Options"]["com.docker.network.bridge.name"].str();
        let named = |own: &&Network| own.options["com.docker.network.bridge.name"].str() == bridge;
        let clashing = self.networks.iter().find(named).filter(|_| !bridge.is_empty());
        if let Some(other) = clashing.cloned() {
            let shown = if other.name == "bridge" { "docker0" } else { bridge };
            return fail(
                403,
                format!(
                    "cannot create network {} ({bridge}): conflicts with network {} ({shown}): networks have same bridge name",
                    self.new_id(cx),
                    other.id
                ),
            );
        }
        let mtu = body["Options"]["com.docker.network.driver.mtu"].str();
        if !mtu.is_empty() && mtu.parse::<i64>().is_err() {
            let quoted = crate::base::goquote::quote(mtu);
            return fail(
                400,
                format!(
                    "failed to parse com.docker.network.driver.mtu value: {mtu} (strconv.Atoi: parsing {quoted}: invalid syntax)"
                ),
            );
        }
        let config = body.at(&["IPAM", "Config"]);
        let asked = config.items().iter().find(|one| !one["Subnet"].is_empty());
        if config.items().iter().any(|one| one["Subnet"].str().contains(':')) {
            return fail(501, gap::line("docker network create: IPv6 subnets", "networks have IPv4 addresses"));
        }
        if config.items().len() > 1 {
            return fail(400, "bridge driver doesn't support multiple subnets");
        }
        let subnet = match asked {
            Some(one) => {
                let text = one["Subnet"].str();
                let Some(pool) = parse_subnet(text) else {
                    return fail(
                        400,
                        format!("invalid network config:\ninvalid subnet {text}: invalid CIDR block notation"),
                    );
                };
                let address = text.split('/').next().unwrap_or_default();
                if dotted(pool.0) != address {
                    let masked = format!("{}/{}", dotted(pool.0), pool.1);
                    return fail(400, format!("invalid network config:\ninvalid subnet {text}: it should be {masked}"));
                }
                if self.networks.iter().any(|network| network.name == name) {
                    return fail(409, format!("network with name {name} already exists"));
                }
                if self.networks.iter().filter_map(|n| n.subnet).any(|own| overlap(own, pool)) {
                    return fail(403, "invalid pool request: Pool overlaps with other one on this address space");
                }
                pool
            }
            None => match self.free_subnet() {
                Some(pool) => pool,
                None => return fail(400, "all predefined address pools have been fully subnetted"),
            },
        };
        let range = asked.map_or("", |one| one["IPRange"].str());
        if let (Some(own), false) = (parse_subnet(range), range.is_empty())
            && own.1 < subnet.1
        {
            let pool = format!("{}/{}", dotted(subnet.0), subnet.1);
            let text = format!("invalid ip-range {range}: CIDR block is bigger than its parent subnet {pool}");
            return fail(400, format!("invalid network config:\n{text}"));
        }
        let gateway = match asked.map(|one| one["Gateway"].str()).filter(|text| !text.is_empty()) {
            Some(text) => match text.parse::<std::net::Ipv4Addr>() {
                Ok(address) if overlap((address.to_bits(), 32), subnet) => address.to_bits(),
                _ => {
                    let pool = format!("{}/{}", dotted(subnet.0), subnet.1);
                    return fail(
                        400,
                        format!("invalid network config:\ninvalid gateway {text}: parent subnet is {pool}"),
                    );
                }
            },
            None => subnet.0.saturating_add(1),
        };
        if self.networks.iter().any(|network| network.name == name) {
            return fail(409, format!("network with name {name} already exists"));
        }
        let id = self.new_id(cx);
        let or_empty = |value: &Value| if value.is_null() { Value::empty_map() } else { value.clone() };
        let network = Network {
            name: name.into(),
            id: id.clone(),
            created: cx.now,
            driver: if config_only { "null".into() } else { driver.into() },
            scope: if scope.is_empty() { "local".into() } else { scope.into() },
            config_only,
            config_from: from.map_or(String::new(), |own| own.name),
            subnet: (!config_only).then_some(subnet),
            gateway,
            chosen: asked.is_some(),
            config: config.clone(),
            ipam_options: body.at(&["IPAM", "Options"]).clone(),
            flags: ["Internal", "Attachable", "Ingress"].map(|key| body[key].is_true()),
            options: or_empty(&body["Options"]),
            labels: or_empty(&body["Labels"]),
            taken: BTreeSet::new(),
        };
        self.networks.push(network);
        self.network_event(cx, "create", &id, None);
        Ok(map! { "Id" => id, "Warning" => "" })
    }

    fn network_event(&mut self, cx: &mut Cx<'_>, action: &str, network: &str, container: Option<&str>) {
        let Some(own) = self.networks.iter().find(|own| own.id == network) else { return };
        let mut attributes = vec![("name", own.name.clone()), ("type", own.driver.clone())];
        attributes.extend(container.map(|id| ("container", id.to_string())));
        let id = own.id.clone();
        self.event(cx, "network", action, &id, &attributes);
    }

    pub(super) fn network_inspect(&self, name: &str) -> Outcome<Value> {
        self.find_network(name).map(|network| network.value(self, false)).ok_or_else(|| no_such(name))
    }

    pub(super) fn network_list(&self, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["dangling", "driver", "id", "label", "name", "scope", "type"])?;
        let fits = |network: &&Network| {
            let custom = !matches!(network.name.as_str(), "bridge" | "host" | "none");
            let used = self
                .containers
                .values()
                .any(|c| c.networks.iter().any(|own| own.network_id == network.id && own.endpoint.is_some()));
            filters.any("name", |pattern| name_fits(pattern, &network.name))
                && filters.any("id", |start| network.id.starts_with(start))
                && filters.any("driver", |wanted| wanted == network.driver)
                && filters.any("scope", |wanted| wanted == network.scope)
                && filters.any("type", |wanted| (wanted == "custom") == custom)
                && filters.any("dangling", |wanted| matches!(wanted, "true" | "1") == (custom && !used))
                && filters.labels(&network.labels)
        };
        for wanted in filters.of("dangling") {
            if !matches!(wanted.as_str(), "true" | "1" | "false" | "0") {
                let text = "invalid value for filter 'dangling', must be \"true\" (or \"1\"), or \"false\" (or \"0\")";
                return fail(400, text);
            }
        }
        for kind in filters.of("type") {
            if !matches!(kind.as_str(), "custom" | "builtin") {
                return fail(400, format!("invalid filter: 'type'='{kind}'"));
            }
        }
        Ok(Value::list(self.networks.iter().filter(fits).map(|network| network.value(self, true)).collect()))
    }

    pub(super) fn network_remove(&mut self, cx: &mut Cx<'_>, name: &str) -> Outcome<Value> {
        let network = self.find_network(name).cloned().ok_or_else(|| no_such(name))?;
        if matches!(network.name.as_str(), "bridge" | "host" | "none") {
            return fail(403, format!("{} is a pre-defined network and cannot be removed", network.name));
        }
        let mut all: Vec<_> = self.containers.values().collect();
        all.sort_by_key(|container| container.order);
        let active: Vec<String> = all
            .into_iter()
            .flat_map(|c| c.networks.iter().map(move |own| (c, own)))
            .filter(|(_, own)| own.network_id == network.id)
            .filter_map(|(c, own)| {
                own.endpoint.as_ref().map(|e| format!("name:\"{}\" id:\"{}\"", c.name, wire::short(&e.id)))
            })
            .collect();
        if !active.is_empty() {
            let text = format!(
                "error while removing network: network {} has active endpoints ({})",
                network.name,
                active.join(", ")
            );
            return fail(403, text);
        }
        self.network_event(cx, "destroy", &network.id, None);
        self.networks.retain(|own| own.id != network.id);
        Ok(Value::Null)
    }

    pub(super) fn network_prune(&mut self, cx: &mut Cx<'_>, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["label", "label!", "until"])?;
        let until = filters.until(cx.now)?;
        let mut gone = Vec::new();
        for network in self.networks.clone() {
            let used = self
                .containers
                .values()
                .any(|c| c.networks.iter().any(|own| own.network_id == network.id && own.endpoint.is_some()));
            if !used
                && !network.config_only
                && until.is_none_or(|until| network.created <= until)
                && filters.labels(&network.labels)
                && self.network_remove(cx, &network.id).is_ok()
            {
                gone.push(Value::from(network.name.as_str()));
            }
        }
        self.prune_event(cx, "network", 0);
        Ok(map! { "NetworksDeleted" => if gone.is_empty() { Value::Null } else { Value::list(gone) } })
    }

    pub(super) fn network_connect(&mut self, cx: &mut Cx<'_>, name: &str, body: &Value) -> Outcome<Value> {
        let id = self.container(body["Container"].str())?.id.clone();
        let settings = &body["EndpointConfig"];
        let network = self.find_network(name).cloned();
        let Some(container) = self.containers.get(&id) else { return fail(404, "No such container") };
        let running = container.is_running();
        if network.is_none() && running {
            return Err(no_such(name));
        }
        let network_id = network.as_ref().map_or(String::new(), |network| network.id.clone());
        let shown = network.as_ref().map_or(name, |network| network.name.as_str()).to_string();
        let same = |own: &&Attachment| own.network == shown || (!network_id.is_empty() && own.network_id == network_id);
        if container.networks.iter().any(|own| same(&own)) {
            return fail(403, format!("endpoint with name {} already exists in network {shown}", container.name));
        }
        let mode = container.host["NetworkMode"].str();
        let refused = match (shown.as_str(), mode) {
            (_, mode) if mode == "host" || mode.starts_with("container:") => {
                "container sharing network namespace with another container or host cannot be connected to any other network"
            }
            ("host", _) => "cannot connect container to host network - container must be created in host network mode",
            ("none", _) | (_, "none") => {
                "container cannot be connected to multiple networks with one of the networks in private (none) mode"
            }
            _ => "",
        };
        if !refused.is_empty() {
            return fail(403, refused);
        }
        if let Some(network) = &network {
            let wrong = wrong_address(network, settings);
            if !wrong.is_empty() {
                return fail(400, format!("invalid endpoint settings:\n{wrong}"));
            }
        }
        let attachment = Attachment { network: shown, settings: settings.clone(), network_id, endpoint: None };
        if let Some(container) = self.containers.get_mut(&id) {
            container.networks.push(attachment);
        }
        if running {
            self.connect_all(cx, &id, true)?;
            self.write_host_files(&id);
        }
        Ok(Value::Null)
    }

    pub(super) fn network_disconnect(&mut self, cx: &mut Cx<'_>, name: &str, body: &Value) -> Outcome<Value> {
        // With force the network comes first: it may have been cut off by hand.
        let forced = body["Force"].is_true();
        if forced && self.find_network(name).is_none() && self.container(body["Container"].str()).is_err() {
            return Err(no_such(name));
        }
        let id = self.container(body["Container"].str())?.id.clone();
        let network = self.find_network(name).cloned();
        let shown = network.as_ref().map_or(name, |network| network.name.as_str()).to_string();
        let network_id = network.map(|network| network.id).unwrap_or_default();
        let Some(container) = self.containers.get_mut(&id) else { return fail(404, "No such container") };
        let is_it = |own: &Attachment| own.network == shown || (!network_id.is_empty() && own.network_id == network_id);
        let Some(at) = container.networks.iter().position(is_it) else {
            if network_id.is_empty() {
                return Err(no_such(name));
            }
            // Of one that runs the network itself is asked.
            let the = if container.is_running() { "" } else { "the " };
            return fail(403, format!("container {id} is not connected to {the}network {shown}"));
        };
        if shown == "host" {
            let text = "cannot disconnect container from host network - container was created in host network mode";
            return fail(403, text);
        }
        let gone = container.networks.remove(at);
        if let Some(endpoint) = &gone.endpoint {
            self.give_back(&network_id, endpoint.address);
            self.network_event(cx, "disconnect", &network_id, Some(&id));
            self.write_host_files(&id);
        }
        Ok(Value::Null)
    }

    /// Gives a container that starts its endpoints, and publishes its ports.
    pub(super) fn connect_all(&mut self, cx: &mut Cx<'_>, id: &str, tell: bool) -> Outcome<()> {
        let Some(container) = self.containers.get(id) else { return Ok(()) };
        if let Some(other) = container.host["NetworkMode"].str().strip_prefix("container:") {
            let start = "joining network namespace of container: ";
            let other = self.container(other).map_err(|(_, why)| (409, format!("{start}{why}")))?;
            if !other.is_running() {
                let text = format!("{start}cannot join network namespace of a non running container: {}", other.name);
                return fail(409, text);
            }
            return Ok(());
        }
        let mut networks = container.networks.clone();
        let alone = |mode: &str| matches!(mode, "host" | "none");
        if networks.len() > 1 && networks.iter().any(|own| alone(&own.network)) {
            let text = if container.host["NetworkMode"].str() == "none" {
                "container cannot be connected to multiple networks with one of the networks in private (none) mode"
            } else {
                "container sharing network namespace with another container or host cannot be connected to any other network"
            };
            return fail(403, format!("failed to set up container networking: {text}"));
        }
        for own in networks.iter_mut().filter(|own| own.endpoint.is_none()) {
            let Some(network) = self.find_network(&own.network).cloned() else {
                let text = format!("failed to set up container networking: network {} not found", own.network);
                return fail(404, text);
            };
            if network.config_only {
                let text =
                    "failed to set up container networking: cannot create endpoint on configuration-only network";
                return fail(403, text);
            }
            let asked = own.settings.at(&["IPAMConfig", "IPv4Address"]).str().parse::<std::net::Ipv4Addr>().ok();
            let address = match asked {
                Some(address) if network.is_taken(address.to_bits()) => {
                    return fail(403, "failed to set up container networking: Address already in use");
                }
                Some(address) => address.to_bits(),
                None => match network.free_address() {
                    Some(address) => address,
                    None => {
                        return fail(
                            400,
                            "failed to set up container networking: no available IPv4 addresses on this network's address pools",
                        );
                    }
                },
            };
            let mac = match own.settings["MacAddress"].str() {
                "" => {
                    let bits = cx.chance.bits("docker mac");
                    let bytes: Vec<String> = (0..6)
                        .map(|n| {
                            let byte = (bits >> (8 * n)) as u8;
                            format!("{:02x}", if n == 0 { byte & 0xfe | 0x02 } else { byte })
                        })
                        .collect();
                    bytes.join(":")
                }
                mac => mac.to_string(),
            };
            own.network = network.name.clone();
            own.network_id = network.id.clone();
            own.endpoint = Some(Endpoint { id: self.new_id(cx), address, mac });
            if let Some(network) = self.networks.iter_mut().find(|other| other.id == network.id) {
                network.taken.insert(address);
            }
            if let Some(container) = self.containers.get_mut(id)
                && let Some(place) = container
                    .networks
                    .iter_mut()
                    .find(|other| other.network == own.network || other.network_id == own.network_id)
            {
                *place = own.clone();
            }
            if tell {
                self.network_event(cx, "connect", &network.id, Some(id));
            }
        }
        if let Some(container) = self.containers.get_mut(id) {
            container.networks = networks;
        }
        Ok(())
    }

    /// A container that has started is in its networks.
    pub(super) fn connect_events(&mut self, cx: &mut Cx<'_>, id: &str) {
        let networks: Vec<String> = self.containers.get(id).map_or_else(Vec::new, |container| {
            container.networks.iter().filter(|own| own.endpoint.is_some()).map(|own| own.network_id.clone()).collect()
        });
        for network in networks {
            self.network_event(cx, "connect", &network, Some(id));
        }
    }

    /// Takes endpoints and ports back from a container that has ended.
    pub(super) fn release(&mut self, cx: &mut Cx<'_>, id: &str, tell: bool) {
        let Some(container) = self.containers.get_mut(id) else { return };
        container.published.clear();
        let mut left = Vec::new();
        for own in &mut container.networks {
            if let Some(endpoint) = own.endpoint.take() {
                left.push((own.network_id.clone(), endpoint.address));
            }
        }
        for (network, address) in &left {
            self.give_back(network, *address);
        }
        for (network, _) in left.iter().filter(|_| tell) {
            self.network_event(cx, "disconnect", network, Some(id));
        }
    }

    fn give_back(&mut self, network: &str, address: u32) {
        if let Some(network) = self.networks.iter_mut().find(|own| own.id == network) {
            network.taken.remove(&address);
        }
    }

    /// The container that has an address, as seen from another (or from the machine).
    pub(super) fn at_address(&self, address: u32, from: Option<&str>) -> Option<String> {
        let seen: Option<Vec<&str>> = from
            .and_then(|id| self.containers.get(id))
            .map(|c| c.networks.iter().map(|own| own.network_id.as_str()).collect());
        let has = |own: &Attachment| {
            own.endpoint.as_ref().is_some_and(|e| e.address == address && address != 0)
                && seen.as_ref().is_none_or(|seen| seen.contains(&own.network_id.as_str()))
        };
        self.containers.values().find(|c| c.networks.iter().any(has)).map(|c| c.id.clone())
    }

    /// What the Engine's name server says to a container: addresses of containers it shares a network with.
    pub(super) fn resolve(&self, from: &str, name: &str) -> Vec<String> {
        let Some(own) = self.containers.get(from) else { return Vec::new() };
        let mut found = Vec::new();
        for attachment in own.networks.iter().filter(|own| own.endpoint.is_some() && own.network != "bridge") {
            for other in self.containers.values() {
                for place in other.networks.iter().filter(|place| place.network_id == attachment.network_id) {
                    let Some(endpoint) = &place.endpoint else { continue };
                    let alias = place.settings["Aliases"].items().iter().any(|alias| alias.str() == name);
                    let address = dotted(endpoint.address);
                    let host = other.config["Hostname"].str() == name;
                    let linked = attachment.settings["Links"].items().iter().any(|link| {
                        link.str().split_once(':').is_some_and(|(of, alias)| alias == name && of == other.name)
                    });
                    if (alias || host || linked || other.name == name || wire::short(&other.id) == name)
                        && !found.contains(&address)
                    {
                        found.push(address);
                    }
                }
            }
        }
        found
    }
}

/// What is wrong with the addresses asked for in a network, a line each.
pub fn wrong_address(network: &Network, settings: &Value) -> String {
    let own = |key: &str| settings.at(&["IPAMConfig", key]).str();
    let (v4, v6) = (own("IPv4Address"), own("IPv6Address"));
    let user_defined = !matches!(network.name.as_str(), "bridge" | "host" | "none");
    let mut wrong: Vec<String> = Vec::new();
    if !user_defined && !(v4.is_empty() && v6.is_empty()) {
        wrong.push("user specified IP address is supported on user defined networks only".into());
    }
    if !user_defined && !settings["Aliases"].is_empty() {
        wrong.push("network-scoped alias is supported only for containers in user defined networks".into());
    }
    if !v4.is_empty() && v4.parse::<std::net::Ipv4Addr>().is_err() {
        wrong.push(format!("invalid IPv4 address: {v4}"));
    }
    if !v6.is_empty() && v6.parse::<std::net::Ipv6Addr>().is_err() {
        wrong.push(format!("invalid IPv6 address: {v6}"));
    }
    for address in settings.at(&["IPAMConfig", "LinkLocalIPs"]).items().iter().map(Value::str) {
        if address.parse::<std::net::IpAddr>().is_err() {
            wrong.push(format!("invalid link-local IP address: {address}"));
        }
    }
    let inside = |text: &str| {
        let address = text.parse::<std::net::Ipv4Addr>().map(|address| (address.to_bits(), 32));
        network.subnet.zip(address.ok()).is_some_and(|(subnet, address)| overlap(address, subnet))
    };
    // The bridge every Engine has counts as one whose subnet was chosen.
    let chosen = network.chosen || network.name == "bridge";
    let mut nowhere = |wanted: &str, chosen: bool, inside: bool| {
        if !wanted.is_empty() && !chosen {
            let text =
                "user specified IP address is supported only when connecting to networks with user configured subnets";
            wrong.push(text.into());
        } else if !wanted.is_empty() && !inside {
            wrong.push(format!("no configured subnet or ip-range contain the IP address {wanted}"));
        }
    };
    nowhere(v4, chosen, inside(v4));
    nowhere(v6, false, false);
    match wrong.as_slice() {
        [one] => one.clone(),
        several => several.iter().map(|text| format!("* {text}")).collect::<Vec<_>>().join("\n"),
    }
}

/// The network's own address, its broadcast, its gateway, and what its configuration keeps apart.
fn is_reserved(network: &Network, address: u32) -> bool {
    let ends = network.subnet.is_some_and(|(first, length)| {
        let size = u32::try_from(1_u64 << (32 - u32::from(length))).unwrap_or(0);
        size > 2 && (address == first || address == first.saturating_add(size - 1))
    });
    let apart = network.config[0]["AuxiliaryAddresses"].entries();
    address == network.gateway || ends || apart.iter().any(|(_, own)| own.str() == dotted(address))
}
