//! Published ports: which host ports a container takes when it starts, and how they are told.

use super::{Engine, Outcome, fail};
use crate::base::Value;
use crate::map;

/// The first host port given out by chance.
const FIRST_PORT: u16 = 32_768;

/// A published port while the container runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// `80/tcp`
    pub port: String,
    pub host_ip: String,
    pub host_port: u16,
}

impl Engine {
    pub(super) fn publish(&mut self, id: &str) -> Outcome<()> {
        let Some(container) = self.containers.get(id) else { return Ok(()) };
        let endpoint = container.networks.iter().find_map(|own| own.endpoint.as_ref()).map(|e| e.id.clone());
        let Some(endpoint) = endpoint.filter(|_| container.host["NetworkMode"].str() != "host") else { return Ok(()) };
        let exposed = &container.config["ExposedPorts"];
        let bound = container.host["PortBindings"].entries();
        let mut wanted: Vec<((u16, &str), &str, &[Value])> =
            bound.iter().map(|(port, bindings)| (port_number(port), port.as_str(), bindings.items())).collect();
        let any = [map! { "HostIp" => "", "HostPort" => "" }];
        if container.host["PublishAllPorts"].is_true() {
            let free = exposed.entries().keys().filter(|port| bound.get(port.as_str()).is_none());
            wanted.extend(free.map(|port| (port_number(port), port.as_str(), &any[..])));
        }
        if wanted.is_empty() {
            return Ok(());
        }
        wanted.sort_by_key(|(number, ..)| *number);
        let mut published: Vec<Published> = Vec::new();
        let mut used = Used::new(self.containers.values().flat_map(|c| &c.published));
        let mut last_port = self.last_port;
        let refused = |why: String| {
            let start =
                "failed to set up container networking: driver failed programming external connectivity on endpoint";
            fail(500, format!("{start} {} ({endpoint}): {why}", container.name))
        };
        for ((_, protocol), port, bindings) in wanted {
            for binding in bindings {
                let own = [binding["HostIp"].str()];
                let ips: &[&str] = if own == [""] { &["0.0.0.0", "::"] } else { &own };
                let free = |number: &u16| !ips.iter().any(|ip| used.has(&published, *number, protocol, ip));
                let number = match binding["HostPort"].str() {
                    "" | "0" => {
                        let next = last_port.saturating_add(1).max(FIRST_PORT);
                        let Some(number) = (next..=u16::MAX).chain(FIRST_PORT..next).find(free) else {
                            return refused("all ports are allocated".into());
                        };
                        last_port = number;
                        number
                    }
                    range => {
                        let (first, last) = range.split_once('-').unwrap_or((range, range));
                        let (first, last): (u16, u16) = (first.parse().unwrap_or(0), last.parse().unwrap_or(0));
                        let Some(number) = (first..=last).find(free) else {
                            // Who asks for all addresses is told which one is taken.
                            let ip = ips.first().copied().unwrap_or_default();
                            let at = used.certain(first, protocol, ip).unwrap_or(ip);
                            let at = if at.contains(':') { format!("[{at}]") } else { at.to_string() };
                            return refused(format!("Bind for {at}:{first} failed: port is already allocated"));
                        };
                        number
                    }
                };
                for ip in ips {
                    used.add(number, protocol, ip);
                    published.push(Published { port: port.into(), host_ip: (*ip).into(), host_port: number });
                }
            }
        }
        self.last_port = last_port;
        if let Some(container) = self.containers.get_mut(id) {
            container.published = published;
        }
        Ok(())
    }
}

/// The host ports that are taken: a range may have all there are.
struct Used<'a> {
    /// For each port, protocol and version of the address: whether any address is claimed, whether a certain one.
    claims: Vec<u16>,
    others: Vec<&'a Published>,
}

impl<'a> Used<'a> {
    fn new(others: impl Iterator<Item = &'a Published>) -> Used<'a> {
        let mut used = Used { claims: vec![0; 1 << 16], others: others.collect() };
        for at in 0..used.others.len() {
            if let Some(one) = used.others.get(at).copied() {
                used.add(one.host_port, port_number(&one.port).1, &one.host_ip);
            }
        }
        used
    }

    /// The claim of all addresses of a kind, and that of a certain one.
    fn claim(protocol: &str, ip: &str) -> (u16, u16) {
        let kind = match protocol {
            "tcp" => 0,
            "udp" => 4,
            _ => 8,
        };
        let any = 1 << (kind + if ip.contains(':') { 2 } else { 0 });
        (any, any << 1)
    }

    fn add(&mut self, number: u16, protocol: &str, ip: &str) {
        let (any, certain) = Used::claim(protocol, ip);
        if let Some(claims) = self.claims.get_mut(usize::from(number)) {
            *claims |= if is_any(ip) { any } else { certain };
        }
    }

    /// The one address of others that stands in the way of all.
    fn certain(&self, number: u16, protocol: &str, ip: &str) -> Option<&'a str> {
        let (any, certain) = Used::claim(protocol, ip);
        let claims = self.claims.get(usize::from(number)).copied().unwrap_or(0);
        let same = |one: &&&Published| {
            one.host_port == number
                && port_number(&one.port).1 == protocol
                && one.host_ip.contains(':') == ip.contains(':')
        };
        let wanted = is_any(ip) && claims & any == 0 && claims & certain != 0;
        self.others.iter().filter(|_| wanted).find(same).map(|one| one.host_ip.as_str())
    }

    fn has(&self, own: &[Published], number: u16, protocol: &str, ip: &str) -> bool {
        let (any, certain) = Used::claim(protocol, ip);
        let claims = self.claims.get(usize::from(number)).copied().unwrap_or(0);
        let same =
            |one: &Published| one.host_port == number && one.host_ip == ip && port_number(&one.port).1 == protocol;
        claims & any != 0
            || (claims & certain != 0 && (is_any(ip) || own.iter().chain(self.others.iter().copied()).any(same)))
    }
}

fn is_any(ip: &str) -> bool {
    matches!(ip, "0.0.0.0" | "::")
}

pub fn port_number(port: &str) -> (u16, &str) {
    let (number, protocol) = port.split_once('/').unwrap_or((port, "tcp"));
    (number.parse().unwrap_or(0), protocol)
}

/// Ports of a container as the list of containers tells them.
pub fn summary(published: &[Published], exposed: &Value) -> Value {
    let exposed = exposed.entries().keys().map(|port| (port_number(port), None));
    let mut all: Vec<_> = exposed.chain(published.iter().map(|one| (port_number(&one.port), Some(one)))).collect();
    all.sort_by_key(|(port, _)| *port);
    let mut out = Vec::new();
    for (at, ((number, protocol), binding)) in all.iter().enumerate() {
        let bound = all.get(at + 1).is_some_and(|(next, _)| *next == (*number, *protocol));
        match binding {
            Some(one) => out.push(map! {
                "IP" => one.host_ip.as_str(), "PrivatePort" => *number, "PublicPort" => one.host_port, "Type" => *protocol,
            }),
            None if !bound => out.push(map! { "PrivatePort" => *number, "Type" => *protocol }),
            None => {}
        }
    }
    Value::list(out)
}
