//! Services and EndpointSlices.

use crate::base::BTreeSet;

use super::common::Errors;
use super::{internal, names};
use crate::api::field_error::{FieldError, Path};
use crate::base::{Value, json};
use crate::map;

const PROTOCOLS: [&str; 3] = ["SCTP", "TCP", "UDP"];

pub fn service(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let kind = spec["type"].str();
    // The allocators look at what they need before anybody else does, and say only that.
    let before = errors.0.len();
    addresses(errors, &at, spec);
    if errors.0.len() > before {
        return;
    }
    let ports = spec["ports"].items();
    let headless = spec["clusterIP"].str() == "None";
    if ports.is_empty() && !headless && kind != "ExternalName" {
        errors.required(&at.child("ports"), "");
    }
    match kind {
        "NodePort" | "LoadBalancer" if headless => {
            let detail = format!("may not be set to 'None' for {kind} services");
            errors.invalid(&at.child("clusterIPs").index(0), "None", &detail);
        }
        "ExternalName" => {
            if !spec["clusterIPs"].is_empty() {
                errors.forbidden(&at.child("clusterIPs"), "may not be set for ExternalName services");
            }
            match spec["externalName"].str().trim_end_matches('.') {
                "" => errors.required(&at.child("externalName"), ""),
                name => errors.complain(&at.child("externalName"), name, names::subdomain(name)),
            }
        }
        _ => {}
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (index, port) in ports.iter().enumerate() {
        self::port(errors, &at.child("ports").index(index), port, ports.len() > 1, &mut seen);
    }
    errors.labels(&at.child("selector"), &spec["selector"]);
    errors.one_of(&at.child("sessionAffinity"), &spec["sessionAffinity"], &["ClientIP", "None"]);
    if spec["sessionAffinity"].str() == "ClientIP" {
        let seconds = &spec["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"];
        if !(1..=86400).contains(&seconds.int()) {
            let at = at.child("sessionAffinityConfig").child("clientIP").child("timeoutSeconds");
            errors.invalid(&at, seconds, "must be greater than 0 and less than 86400");
        }
    }
    for (index, address) in spec["externalIPs"].items().iter().enumerate() {
        ip(errors, &at.child("externalIPs").index(index), address.str());
    }
    let kinds = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
    errors.one_of(&at.child("type"), &spec["type"], &kinds);
    if kind == "ClusterIP" {
        for (index, port) in ports.iter().enumerate() {
            if port["nodePort"].int() != 0 {
                let at = at.child("ports").index(index).child("nodePort");
                errors.forbidden(&at, "may not be used when `type` is 'ClusterIP'");
            }
        }
    }
    twice(errors, &at.child("ports"), ports);
    source_ranges(errors, &at.child("LoadBalancerSourceRanges"), spec);
    policies(errors, &at, spec);
    let distribution = &spec["trafficDistribution"];
    let ways = ["PreferClose", "PreferSameZone", "PreferSameNode"];
    errors.one_of_if_set(&at.child("trafficDistribution"), distribution, &ways);
}

fn port<'a>(errors: &mut Errors, at: &Path, port: &'a Value, named: bool, seen: &mut BTreeSet<&'a str>) {
    let name = port["name"].str();
    if name.is_empty() {
        if named {
            errors.required(&at.child("name"), "");
        }
    } else {
        errors.complain(&at.child("name"), name, names::label(name));
        if !seen.insert(name) {
            errors.push(FieldError::duplicate(&at.child("name"), name));
        }
    }
    errors.port(&at.child("port"), port["port"].int());
    match port["protocol"].str() {
        "" => errors.required(&at.child("protocol"), ""),
        _ => errors.one_of(&at.child("protocol"), &port["protocol"], &PROTOCOLS),
    }
    errors.port_or_name(&at.child("targetPort"), &port["targetPort"]);
}

/// Ports of one number and protocol.
fn twice(errors: &mut Errors, at: &Path, ports: &[Value]) {
    let mut seen: BTreeSet<(i64, &str)> = BTreeSet::new();
    for (index, port) in ports.iter().enumerate() {
        if !seen.insert((port["port"].int(), port["protocol"].str())) {
            let key = map! { "protocol" => &port["protocol"], "port" => &port["port"] };
            let shown = internal::compact("core.v1", "ServicePort", &key);
            errors.push(FieldError::duplicate_shown(&at.index(index), &shown));
        }
    }
}

fn addresses(errors: &mut Errors, at: &Path, spec: &Value) {
    let policy = &spec["ipFamilyPolicy"];
    let known = ["PreferDualStack", "RequireDualStack", "SingleStack"];
    errors.one_of_if_set(&at.child("ipFamilyPolicy"), policy, &known);
    for (index, family) in spec["ipFamilies"].items().iter().enumerate() {
        let at = at.child("ipFamilies").index(index);
        errors.one_of(&at, family, &["IPv4", "IPv6"]);
        if family.str() == "IPv6" {
            // The simulated cluster is single-stack.
            errors.invalid(&at, family, "not configured on this cluster");
        }
    }
    for (index, address) in spec["clusterIPs"].items().iter().enumerate() {
        let text = address.str();
        if text != "None" && !names::is_ip(text) {
            errors.invalid(&at.child("clusterIPs").index(index), text, names::IP);
        }
    }
}

fn source_ranges(errors: &mut Errors, at: &Path, spec: &Value) {
    let ranges = spec["loadBalancerSourceRanges"].items();
    if !ranges.is_empty() && spec["type"].str() != "LoadBalancer" {
        errors.forbidden(at, "may only be used when `type` is 'LoadBalancer'");
    }
    for (index, range) in ranges.iter().enumerate() {
        if !names::is_cidr(range.str().trim()) {
            errors.invalid(&at.index(index), range.str().trim(), names::CIDR);
        }
    }
}

fn policies(errors: &mut Errors, at: &Path, spec: &Value) {
    let external = &spec["externalTrafficPolicy"];
    if !external.is_null() {
        let at = at.child("externalTrafficPolicy");
        let reachable = matches!(spec["type"].str(), "NodePort" | "LoadBalancer") || !spec["externalIPs"].is_empty();
        if !reachable {
            errors.invalid(&at, external, "may only be set for externally-accessible services");
        } else {
            errors.one_of(&at, external, &["Cluster", "Local"]);
        }
    }
    let checked = &spec["healthCheckNodePort"];
    if checked.int() != 0 && !(spec["type"].str() == "LoadBalancer" && external.str() == "Local") {
        let why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
        errors.invalid(&at.child("healthCheckNodePort"), checked, why);
    }
    let internal = &spec["internalTrafficPolicy"];
    errors.one_of_if_set(&at.child("internalTrafficPolicy"), internal, &["Cluster", "Local"]);
}

/// An address that is none of a node's own.
fn ip(errors: &mut Errors, at: &Path, text: &str) {
    let Ok(address) = text.parse::<std::net::IpAddr>() else { return errors.invalid(at, text, names::IP) };
    if address.is_unspecified() {
        errors.invalid(at, text, &format!("may not be unspecified ({text})"));
    } else if address.is_loopback() {
        errors.invalid(at, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
    } else if matches!(address, std::net::IpAddr::V4(v4) if v4.is_link_local()) {
        errors.invalid(at, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    } else if matches!(address, std::net::IpAddr::V4(v4) if v4.octets()[..3] == [224, 0, 0]) {
        errors.invalid(at, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
}

pub fn update(errors: &mut Errors, new: &Value, old: &Value) {
    let (was, now) = (&old["spec"], &new["spec"]);
    let both = [was, now].iter().all(|spec| spec["type"].str() != "ExternalName");
    if both && !was["clusterIP"].is_empty() && was["clusterIP"] != now["clusterIP"] {
        let at = Path::new("spec").child("clusterIPs").index(0);
        // The registry carries a changed address over to the list.
        let mut all = now["clusterIPs"].clone();
        if was["clusterIPs"] == all
            && let Some(first) = all.list_mut().first_mut()
        {
            *first = now["clusterIP"].clone();
        }
        errors.push(FieldError::shown(&at, &json::compact(&all), "may not change once set"));
    }
    service(errors, new);
}

pub fn endpoint_slice(errors: &mut Errors, object: &Value) {
    let kind = object["addressType"].str();
    let at = Path::new("addressType");
    match kind {
        "" => errors.required(&at, ""),
        _ => errors.one_of(&at, &object["addressType"], &["FQDN", "IPv4", "IPv6"]),
    }
    for (index, endpoint) in object["endpoints"].items().iter().enumerate() {
        let at = Path::new("endpoints").index(index).child("addresses");
        let addresses = endpoint["addresses"].items();
        if addresses.is_empty() {
            errors.required(&at, "");
        }
        for (index, address) in addresses.iter().enumerate() {
            let (at, text) = (at.index(index), address.str());
            match kind {
                "FQDN" => errors.complain(&at, text, names::subdomain(text)),
                "IPv4" | "IPv6" => ip(errors, &at, text),
                _ => {}
            }
        }
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (index, port) in object["ports"].items().iter().enumerate() {
        let at = Path::new("ports").index(index);
        let name = port["name"].str();
        if !name.is_empty() {
            errors.complain(&at.child("name"), name, names::label(name));
        }
        if !seen.insert(name) {
            errors.push(FieldError::duplicate(&at.child("name"), name));
        }
        errors.one_of(&at.child("protocol"), &port["protocol"], &PROTOCOLS);
    }
}
