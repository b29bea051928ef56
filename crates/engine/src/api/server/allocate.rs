//! Cluster IPs and node ports of Services: given ones are checked, missing ones are drawn from the upper band of
//! their range. Each cluster IP is an IPAddress object, too.

use std::net::Ipv4Addr;
use std::str::FromStr;
use std::sync::Arc;

use crate::base::SmolStr;

use super::{Call, Result, Server};
use crate::api::object;
use crate::api::resource::SERVICE_CIDRS;
use crate::api::status::Status;
use crate::base::{Value, json};
use crate::store::Key;
use crate::trace::{Actor, What, Write};
use crate::{list, map};

const FIRST_PORT: u64 = 30_000;
const PORTS: u64 = 2_768;
/// Ports below are for those who name one.
const PORT_OFFSET: u64 = 86;
const ADDRESSES: &str = "ipaddresses.networking.k8s.io";

type Errors = Vec<(String, String, &'static str)>;

#[derive(Clone, Copy, Debug)]
struct Range {
    first: u32,
    size: u32,
}

impl Range {
    fn parse(cidr: &str) -> Option<Range> {
        let (address, bits) = cidr.split_once('/')?;
        let bits: u32 = bits.parse().ok().filter(|bits| (1..=30).contains(bits))?;
        let size = 1u32 << (32 - bits);
        Some(Range { first: u32::from(Ipv4Addr::from_str(address).ok()?) & !(size - 1), size })
    }

    /// Network and broadcast address are nobody's.
    fn holds(self, address: Ipv4Addr) -> bool {
        let offset = u32::from(address).wrapping_sub(self.first);
        offset > 0 && offset < self.size - 1
    }

    fn at(self, offset: u32) -> Ipv4Addr {
        Ipv4Addr::from(self.first.wrapping_add(offset))
    }

    fn reserved(self) -> u32 {
        (self.size / 16).clamp(16, 256).min(self.size / 2)
    }
}

/// Whether an address belongs to a range (`10.96.0.0/16`).
pub fn range_holds(cidr: &str, address: &str) -> bool {
    Range::parse(cidr).is_some_and(|range| address.parse().is_ok_and(|address| range.holds(address)))
}

impl Server {
    /// Fills in what a new Service, or one whose type changed, needs.
    pub(super) fn allocate(&mut self, call: &mut Call<'_, '_>, old: &Value, service: &mut Value) -> Result<()> {
        let mut errors = Errors::new();
        self.allocate_address(call, old, service, &mut errors);
        if errors.is_empty() {
            self.allocate_ports(call, old, service, &mut errors);
        }
        if errors.is_empty() {
            return Ok(());
        }
        Err(Status::invalid("", "Service", object::name(service), &errors))
    }

    fn allocate_address(&mut self, call: &mut Call<'_, '_>, old: &Value, service: &mut Value, errors: &mut Errors) {
        let spec = &service["spec"];
        if spec["type"].str() == "ExternalName" {
            if !old.is_null() && old["spec"]["type"].str() != "ExternalName" {
                for key in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"] {
                    service.remove(&["spec", key]);
                }
            }
            return;
        }
        let given = match spec["clusterIP"].str() {
            "" => spec["clusterIPs"][0].smol(),
            given => given.into(),
        };
        let had = old["spec"]["clusterIP"].str();
        if given == "None" || (!given.is_empty() && given == had) {
            service.set(&["spec", "clusterIP"], &given);
            service.set(&["spec", "clusterIPs"], list![given]);
            return;
        }
        if given.is_empty() && !had.is_empty() && old["spec"]["type"].str() != "ExternalName" {
            service.set(&["spec", "clusterIP"], had);
            service.set(&["spec", "clusterIPs"], list![had]);
            return;
        }
        if !had.is_empty() && had != "None" {
            // A change: validation refuses it, by the list.
            service.set(&["spec", "clusterIPs"], list![given]);
            return;
        }
        let Some(range) = Range::parse(&self.config.service_cidr) else { return };
        let address = if given.is_empty() {
            let drawn = if call.dry_run { Some(range.at(0)) } else { self.draw_address(call, range) };
            match drawn {
                Some(address) => address,
                None => {
                    let body = "Internal error: failed to allocate a serviceIP: range is full";
                    errors.push(("spec.clusterIPs".into(), body.into(), "InternalError"));
                    return;
                }
            }
        } else {
            // What is no address is for validation to tell.
            let Ok(address) = Ipv4Addr::from_str(&given) else { return };
            let kind = SERVICE_CIDRS;
            let more = self.store.list(&kind, None).filter(|(_, more)| !object::is_deleting(more));
            let mut cidrs = more.flat_map(|(_, more)| more["spec"]["cidrs"].items());
            let why = if !range.holds(address) && !cidrs.any(|cidr| range_holds(cidr.str(), &given)) {
                Some(match call.dry_run {
                    true => format!(
                        "the provided IP ({address}) is not in the valid range. The range of valid IPs is {}",
                        self.config.service_cidr
                    ),
                    false => "the provided network does not match the current range".to_owned(),
                })
            } else if !call.dry_run && self.store.get(&address_key(address)).is_some() {
                Some("provided IP is already allocated".to_owned())
            } else {
                None
            };
            if let Some(why) = why {
                let value = json::compact(&list![given.clone()]);
                let body = format!("Invalid value: {value}: failed to allocate IP {given}: {why}");
                errors.push(("spec.clusterIPs".into(), body, "FieldValueInvalid"));
                return;
            }
            address
        };
        let text = address.to_string();
        service.set(&["spec", "clusterIP"], &text);
        service.set(&["spec", "clusterIPs"], list![text]);
    }

    fn draw_address(&self, call: &mut Call<'_, '_>, range: Range) -> Option<Ipv4Addr> {
        let reserved = range.reserved();
        let free = |offset: u32| {
            let address = range.at(offset);
            (range.holds(address) && self.store.get(&address_key(address)).is_none()).then_some(address)
        };
        let upper = range.size.saturating_sub(reserved).max(1);
        let start = call.cx.chance.below("clusterIP", u64::from(upper)) as u32;
        (0..upper).find_map(|i| free(reserved + (start + i) % upper)).or_else(|| (1..reserved).find_map(free))
    }

    fn allocate_ports(&mut self, call: &mut Call<'_, '_>, old: &Value, service: &mut Value, errors: &mut Errors) {
        let spec = &service["spec"];
        let wants = match spec["type"].str() {
            "NodePort" => true,
            "LoadBalancer" => spec["allocateLoadBalancerNodePorts"].as_bool().unwrap_or(true),
            _ => false,
        };
        if !wants {
            let had = matches!(old["spec"]["type"].str(), "NodePort" | "LoadBalancer");
            if had {
                // The type changed away: ports that came along from before are given back.
                for port in service.at_mut(&["spec", "ports"]).list_mut() {
                    let number = &port["nodePort"];
                    if old["spec"]["ports"].items().iter().any(|before| before["nodePort"] == *number) {
                        port.map_mut().remove("nodePort");
                    }
                }
                service.remove(&["spec", "externalTrafficPolicy"]);
            }
            return;
        }
        let own: Vec<i64> = old["spec"]["ports"].items().iter().map(|port| port["nodePort"].int()).collect();
        let mut taken = self.ports_in_use(object::namespace(service), object::name(service));
        let mut next_dry = (FIRST_PORT + PORTS + 1) as i64;
        let count = spec["ports"].items().len();
        for index in 0..count {
            let port = &service["spec"]["ports"][index];
            let given = port["nodePort"].int();
            let protocol = port["protocol"].smol();
            if given != 0 {
                let why = if own.contains(&given) || call.dry_run {
                    None
                } else if !(FIRST_PORT as i64..(FIRST_PORT + PORTS) as i64).contains(&given) {
                    Some("provided port is not in the valid range. The range of valid ports is 30000-32767")
                } else if taken.iter().any(|(number, of)| *number == given && *of == protocol) {
                    Some("provided port is already allocated")
                } else {
                    None
                };
                if let Some(why) = why {
                    let body = format!("Invalid value: {given}: {why}");
                    errors.push((format!("spec.ports[{index}].nodePort"), body, "FieldValueInvalid"));
                }
                taken.push((given, protocol));
                continue;
            }
            // The same port under another protocol shares the number; an update keeps what the port had.
            let number = port["port"].int();
            let before = old["spec"]["ports"]
                .items()
                .iter()
                .find(|before| before["port"] == port["port"] && before["protocol"] == port["protocol"]);
            let shared = service["spec"]["ports"].items().iter().find(|other| {
                other["port"].int() == number && other["protocol"].smol() != protocol && other["nodePort"].int() != 0
            });
            let drawn = if let Some(kept) = before.map(|port| port["nodePort"].int()).filter(|n| *n != 0) {
                kept
            } else if call.dry_run {
                next_dry += 1;
                next_dry - 1
            } else if let Some(shared) = shared {
                shared["nodePort"].int()
            } else {
                draw_port(call, &taken)
            };
            taken.push((drawn, protocol));
            if let Some(port) = service.at_mut(&["spec", "ports"]).list_mut().get_mut(index) {
                port.set(&["nodePort"], drawn);
            }
        }
        let spec = &service["spec"];
        let checks = spec["type"].str() == "LoadBalancer" && spec["externalTrafficPolicy"].str() == "Local";
        if checks && spec["healthCheckNodePort"].int() == 0 && !call.dry_run {
            let port = draw_port(call, &taken);
            service.set(&["spec", "healthCheckNodePort"], port);
        }
    }

    /// Node ports of all other Services with their protocols.
    fn ports_in_use(&self, namespace: &str, name: &str) -> Vec<(i64, SmolStr)> {
        let mut taken = Vec::new();
        for (key, service) in self.store.list("services", None) {
            if key.namespace == namespace && key.name == name {
                continue;
            }
            for port in service["spec"]["ports"].items() {
                if let Some(number) = port["nodePort"].as_int().filter(|n| *n != 0) {
                    taken.push((number, port["protocol"].smol()));
                }
            }
            if let Some(number) = service["spec"]["healthCheckNodePort"].as_int().filter(|n| *n != 0) {
                taken.push((number, SmolStr::new_static(&"TCP")));
            }
        }
        taken
    }

    /// The IPAddress object of a Service's address; written before the Service.
    pub(super) fn claim_address(&mut self, call: &mut Call<'_, '_>, service: &Value) {
        let Ok(address) = Ipv4Addr::from_str(service["spec"]["clusterIP"].str()) else { return };
        let key = address_key(address);
        if call.dry_run || self.store.get(&key).is_some() {
            return;
        }
        let revision = self.store.next_revision();
        let value = map! {
            "apiVersion" => "networking.k8s.io/v1", "kind" => "IPAddress",
            "metadata" => map! {
                "name" => address.to_string(), "uid" => call.cx.chance.uuid("uid"),
                "creationTimestamp" => call.cx.now.rfc3339(), "resourceVersion" => revision.to_string(),
                "labels" => map! {
                    "ipaddress.kubernetes.io/ip-family" => "IPv4",
                    "ipaddress.kubernetes.io/managed-by" => "ipallocator.k8s.io",
                },
            },
            "spec" => map! { "parentRef" => map! {
                "resource" => "services", "namespace" => object::namespace(service), "name" => object::name(service),
            } },
        };
        self.write_address(call, "create", key, Value::Null, value);
    }

    /// Gives back the address of a Service that is gone or has none any more.
    pub(super) fn release_address(&mut self, call: &mut Call<'_, '_>, service: &Value) {
        let Ok(address) = Ipv4Addr::from_str(service["spec"]["clusterIP"].str()) else { return };
        let key = address_key(address);
        if call.dry_run {
            return;
        }
        let Some(before) = self.store.get(&key).cloned() else { return };
        self.write_address(call, "delete", key, before, Value::Null);
    }

    fn write_address(&mut self, call: &mut Call<'_, '_>, verb: &'static str, key: Key, before: Value, after: Value) {
        let shown = if after.is_null() { &before } else { &after };
        let write = Write {
            verb,
            object: object::reference(ADDRESSES, shown),
            subresource: SmolStr::default(),
            manager: SmolStr::new_static(&"kube-apiserver"),
            revision: self.store.next_revision(),
            before,
            after: after.clone(),
        };
        let entry = call.cx.trace.push(call.cx.now, Actor::ApiServer, call.cx.cause, What::Write(Arc::new(write)));
        self.store.write(key, Some(after).filter(|value| !value.is_null()), entry);
    }
}

fn address_key(address: Ipv4Addr) -> Key {
    Key { resource: ADDRESSES.into(), namespace: SmolStr::default(), name: address.to_string().into() }
}

fn draw_port(call: &mut Call<'_, '_>, taken: &[(i64, SmolStr)]) -> i64 {
    let upper = PORTS - PORT_OFFSET;
    let start = call.cx.chance.below("nodePort", upper);
    let free = |port: &i64| !taken.iter().any(|(number, _)| number == port);
    let port = |offset: u64| (FIRST_PORT + offset) as i64;
    let above = (0..upper).map(|i| port(PORT_OFFSET + (start + i) % upper)).find(free);
    above.or_else(|| (0..PORT_OFFSET).map(port).find(free)).unwrap_or(0)
}
