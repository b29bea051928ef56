//! Pages of endpoints, slices, ingresses and network policies.

use super::{Page, generic, list_or_none, workload};
use crate::base::{Time, Value, goquote};
use crate::kubectl::io::{Io, Outcome};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select;

fn or_unset(text: &str) -> &str {
    if text.is_empty() { "<unset>" } else { text }
}

fn ports(page: &mut Page, level: usize, ports: &[Value]) {
    page.put(level, "Name\tPort\tProtocol");
    page.put(level, "----\t----\t--------");
    for port in ports {
        let number = port["port"].as_int().map_or("<unset>".to_string(), |n| n.to_string());
        page.put(level, format!("{}\t{number}\t{}", or_unset(port["name"].str()), port["protocol"].str()));
    }
}

pub fn endpoints(page: &mut Page, object: &Value) {
    generic::head(page, object);
    page.put(0, "Subsets:");
    for subset in object["subsets"].items() {
        for (title, field) in [("Addresses", "addresses"), ("NotReadyAddresses", "notReadyAddresses")] {
            let all: Vec<String> = subset[field].items().iter().map(|a| a["ip"].str().to_string()).collect();
            page.put(1, format!("{title}:\t{}", list_or_none(&all)));
        }
        if !subset["ports"].items().is_empty() {
            page.put(1, "Ports:");
            ports(page, 2, subset["ports"].items());
        }
        page.put(0, "");
    }
}

pub fn endpoint_slice(page: &mut Page, object: &Value) {
    generic::head(page, object);
    page.put(0, format!("AddressType:\t{}", object["addressType"].str()));
    if object["ports"].items().is_empty() {
        page.put(0, "Ports: <unset>");
    } else {
        page.put(0, "Ports:");
        ports(page, 1, object["ports"].items());
    }
    if object["endpoints"].items().is_empty() {
        page.put(0, "Endpoints: <none>");
        return;
    }
    page.put(0, "Endpoints:");
    for endpoint in object["endpoints"].items() {
        let addresses: Vec<&str> = endpoint["addresses"].items().iter().map(Value::str).collect();
        page.put(1, format!("- Addresses:\t{}", addresses.join(",")));
        page.put(2, "Conditions:");
        let ready = endpoint["conditions"]["ready"].as_bool().map_or("<unset>".to_string(), |ready| ready.to_string());
        page.put(3, format!("Ready:\t{ready}"));
        page.put(2, format!("Hostname:\t{}", or_unset(endpoint["hostname"].str())));
        let target = &endpoint["targetRef"];
        if !target.is_null() {
            page.put(2, format!("TargetRef:\t{}/{}", target["kind"].str(), target["name"].str()));
        }
        page.put(2, format!("NodeName:\t{}", or_unset(endpoint["nodeName"].str())));
        page.put(2, format!("Zone:\t{}", or_unset(endpoint["zone"].str())));
    }
}

pub fn ingress(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, object: &Value) -> Outcome {
    let (meta, spec) = (&object["metadata"], &object["spec"]);
    let namespace = meta["namespace"].str();
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.labels("Labels", &meta["labels"]);
    page.put(0, format!("Namespace:\t{namespace}"));
    let mut balancers: Vec<&str> = Vec::new();
    for balancer in object.at(&["status", "loadBalancer", "ingress"]).items() {
        let address = if balancer["ip"].str().is_empty() { &balancer["hostname"] } else { &balancer["ip"] };
        if !address.str().is_empty() && !balancers.contains(&address.str()) {
            balancers.push(address.str());
        }
    }
    balancers.sort_unstable();
    page.put(0, format!("Address:\t{}", balancers.join(",")));
    let class = spec["ingressClassName"].str();
    page.put(0, format!("Ingress Class:\t{}", if class.is_empty() { "<none>" } else { class }));
    let fallback = match &spec["defaultBackend"] {
        Value::Null => "<default>".to_string(),
        backend => described(io, mapper, namespace, backend)?,
    };
    page.put(0, format!("Default backend:\t{fallback}"));
    if !spec["tls"].items().is_empty() {
        page.put(0, "TLS:");
    }
    for tls in spec["tls"].items() {
        let hosts: Vec<&str> = tls["hosts"].items().iter().map(Value::str).collect();
        match tls["secretName"].str() {
            "" => page.put(1, format!("SNI routes {}", hosts.join(","))),
            secret => page.put(1, format!("{secret} terminates {}", hosts.join(","))),
        }
    }
    page.put(0, "Rules:\n  Host\tPath\tBackends");
    page.put(1, "----\t----\t--------");
    let mut any = false;
    for rule in spec["rules"].items().iter().filter(|rule| !rule["http"].is_null()) {
        any = true;
        let host = rule["host"].str();
        page.put(1, format!("{}\t", if host.is_empty() { "*" } else { host }));
        for path in rule.at(&["http", "paths"]).items() {
            let backend = described(io, mapper, namespace, &path["backend"])?;
            page.put(2, format!("\t{} \t{backend}", path["path"].str()));
        }
    }
    if !any {
        page.put(1, format!("*\t*\t{fallback}"));
    }
    page.annotations(&meta["annotations"]);
    Ok(())
}

/// `web:80 (10.244.0.5:8080)`
fn described(io: &mut Io<'_, '_>, mapper: &Mapper, namespace: &str, backend: &Value) -> Outcome<String> {
    let resource = &backend["resource"];
    if !resource.is_null() {
        let group = resource["apiGroup"].str();
        let group = if group.is_empty() { "<none>" } else { group };
        let (kind, name) = (resource["kind"].str(), resource["name"].str());
        return Ok(format!("APIGroup: {group}, Kind: {kind}, Name: {name}"));
    }
    let (name, port) = (backend["service"]["name"].str(), &backend["service"]["port"]);
    let shown =
        if port["name"].str().is_empty() { port["number"].int().to_string() } else { port["name"].str().into() };
    let services = mapper.find("services")?.clone();
    let request = io.request(crate::base::http::Method::Get, services.path(namespace, name));
    let response = io.send(request)?;
    let service = crate::kubectl::io::body(&response);
    if !response.ok() {
        return Ok(format!("{name}:{shown} (<error: {}>)", service["message"].str()));
    }
    let slices = mapper.find("endpointslices.discovery.k8s.io")?.clone();
    let label = format!("kubernetes.io/service-name={name}");
    let slices = select::list(io, &slices, namespace, &label, "")?.unwrap_or_default();
    let same = |one: &Value| match port["name"].str() {
        "" => one["port"].int() == port["number"].int(),
        name => one["name"].str() == name,
    };
    let port_name = service.at(&["spec", "ports"]).items().iter().find(|one| same(one)).map_or("", |p| p["name"].str());
    Ok(format!("{name}:{shown} ({})", generic::endpoints(&slices, port_name)))
}

pub fn ip_address(page: &mut Page, object: &Value) {
    page.head(&object["metadata"]);
    let parent = &object["spec"]["parentRef"];
    page.put(0, "Parent Reference:");
    for (title, field) in [("Group", "group"), ("Resource", "resource"), ("Namespace", "namespace"), ("Name", "name")] {
        page.put(1, format!("{title}:\t{}", parent[field].str()));
    }
}

pub fn service_cidr(page: &mut Page, object: &Value) {
    page.head(&object["metadata"]);
    let ranges: Vec<&str> = object["spec"]["cidrs"].items().iter().map(Value::str).collect();
    page.put(0, format!("CIDRs:\t{}", ranges.join(", ")));
    let conditions = object.at(&["status", "conditions"]).items();
    if !conditions.is_empty() {
        page.put(0, "Status:");
        page.put(0, "Conditions:");
        page.put(1, "Type\tStatus\tLastTransitionTime\tReason\tMessage");
        page.put(1, "----\t------\t------------------\t------\t-------");
        for one in conditions {
            let at = super::date(one["lastTransitionTime"].str());
            let [kind, status, reason, message] = ["type", "status", "reason", "message"].map(|key| one[key].str());
            page.put(1, format!("{kind}\t{status}\t{at}\t{reason}\t{message}"));
        }
    }
}

pub fn ingress_class(page: &mut Page, object: &Value) {
    let (meta, spec) = (&object["metadata"], &object["spec"]);
    page.head(meta);
    page.put(0, format!("Controller:\t{}", spec["controller"].str()));
    let parameters = &spec["parameters"];
    if !parameters.is_null() {
        page.put(0, "Parameters:");
        for (title, field) in [("APIGroup", "apiGroup"), ("Kind", "kind"), ("Name", "name")] {
            if !parameters[field].is_null() {
                page.put(1, format!("{title}:\t{}", parameters[field].str()));
            }
        }
    }
}

pub fn policy(page: &mut Page, object: &Value) {
    let (meta, spec) = (&object["metadata"], &object["spec"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("Created on:\t{}", created(meta["creationTimestamp"].str())));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    page.put(0, "Spec:");
    let chosen = match workload::selector(&spec["podSelector"]).as_str() {
        "" | "<none>" => "<none> (Allowing the specific traffic to all pods in this namespace)".to_string(),
        text => text.to_string(),
    };
    page.put(1, format!("PodSelector:     {chosen}"));
    let types: Vec<&str> = spec["policyTypes"].items().iter().map(Value::str).collect();
    for (kind, lower, field, peers, word, end) in [
        ("Ingress", "ingress", "ingress", "from", "From", "source"),
        ("Egress", "egress", "egress", "to", "To", "destination"),
    ] {
        if !types.contains(&kind) {
            page.put(1, format!("Not affecting {lower} traffic"));
            continue;
        }
        page.put(1, format!("Allowing {lower} traffic:"));
        let rules = spec[field].items();
        if rules.is_empty() {
            page.put(2, format!("<none> (Selected pods are isolated for {lower} connectivity)"));
        }
        for (index, rule) in rules.iter().enumerate() {
            policy_ports(page, rule["ports"].items());
            if rule[peers].items().is_empty() {
                page.put(2, format!("{word}: <any> (traffic not restricted by {end})"));
            }
            for peer in rule[peers].items() {
                page.put(2, format!("{word}:"));
                policy_peer(page, peer);
            }
            if index + 1 < rules.len() {
                page.put(2, "----------");
            }
        }
    }
    page.put(1, format!("Policy Types: {}", types.join(", ")));
}

fn policy_ports(page: &mut Page, ports: &[Value]) {
    if ports.is_empty() {
        page.put(2, "To Port: <any> (traffic allowed to all ports)");
    }
    for port in ports {
        let protocol = if port["protocol"].str().is_empty() { "TCP" } else { port["protocol"].str() };
        let number = if port["port"].is_null() { String::new() } else { goquote::plain(&port["port"]) };
        match port["endPort"].as_int() {
            Some(end) => page.put(2, format!("To Port Range: {number}-{end}/{protocol}")),
            None => page.put(2, format!("To Port: {number}/{protocol}")),
        }
    }
}

fn policy_peer(page: &mut Page, peer: &Value) {
    if !peer["namespaceSelector"].is_null() {
        page.put(3, format!("NamespaceSelector: {}", workload::selector(&peer["namespaceSelector"])));
    }
    if !peer["podSelector"].is_null() {
        page.put(3, format!("PodSelector: {}", workload::selector(&peer["podSelector"])));
    }
    if !peer["ipBlock"].is_null() {
        page.put(3, "IPBlock:");
        page.put(4, format!("CIDR: {}", peer["ipBlock"]["cidr"].str()));
        let except: Vec<&str> = peer["ipBlock"]["except"].items().iter().map(Value::str).collect();
        page.put(4, format!("Except: {}", except.join(", ")));
    }
}

/// A time as Go's `String` prints it.
fn created(text: &str) -> String {
    let Some(at) = Time::parse(text) else { return text.to_string() };
    let (year, month, day, hour, minute, second) = at.civil();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} +0000 UTC")
}
