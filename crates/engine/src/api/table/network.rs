//! Cells of Services, Endpoints, Ingresses and their relatives.

use super::cells::{age, first, joined, labels, limited, name, or, or_none, selector, text};
use crate::base::{Time, Value};

pub fn service(object: &Value, now: Time) -> Vec<Value> {
    let spec = &object["spec"];
    let ports: Vec<String> = spec["ports"].items().iter().map(port).collect();
    vec![
        name(object),
        spec["type"].clone(),
        or_none(first(&spec["clusterIPs"])),
        text(external(object)),
        text(if ports.is_empty() { "<none>".into() } else { ports.join(",") }),
        age(object, now),
        labels(&spec["selector"]),
    ]
}

fn port(port: &Value) -> String {
    let (number, protocol) = (port["port"].int(), port["protocol"].str());
    match port["nodePort"].int() {
        0 => format!("{number}/{protocol}"),
        node => format!("{number}:{node}/{protocol}"),
    }
}

fn external(object: &Value) -> String {
    let spec = &object["spec"];
    let addresses = joined(spec["externalIPs"].items().iter().map(Value::str), ",");
    match spec["type"].str() {
        "ClusterIP" | "NodePort" if addresses.is_empty() => "<none>".into(),
        "ClusterIP" | "NodePort" => addresses,
        "LoadBalancer" => {
            let balancer = balancers(object);
            match (balancer.is_empty(), addresses.is_empty()) {
                (true, true) => "<pending>".into(),
                (true, false) => addresses,
                (false, true) => balancer,
                (false, false) => format!("{balancer},{addresses}"),
            }
        }
        "ExternalName" => spec["externalName"].str().into(),
        _ => "<unknown>".into(),
    }
}

/// The addresses of a load balancer, each once, sorted.
fn balancers(object: &Value) -> String {
    let mut all: Vec<&str> = object
        .at(&["status", "loadBalancer", "ingress"])
        .items()
        .iter()
        .map(|entry| if entry["ip"].is_empty() { entry["hostname"].str() } else { entry["ip"].str() })
        .filter(|address| !address.is_empty())
        .collect();
    all.sort_unstable();
    all.dedup();
    all.join(",")
}

pub fn endpoints(object: &Value, now: Time) -> Vec<Value> {
    let mut all = Vec::new();
    let subsets = object["subsets"].items();
    for subset in subsets {
        let addresses = subset["addresses"].items();
        match subset["ports"].items() {
            [] => all.extend(addresses.iter().map(|address| address["ip"].str().to_string())),
            ports => {
                for port in ports {
                    let with_port = |address: &Value| host_port(address["ip"].str(), port["port"].int());
                    all.extend(addresses.iter().map(with_port));
                }
            }
        }
    }
    let cell = if subsets.is_empty() { "<none>".into() } else { limited(&all, 3, ",", "") };
    vec![name(object), text(cell), age(object, now)]
}

fn host_port(ip: &str, port: i64) -> String {
    if ip.contains(':') { format!("[{ip}]:{port}") } else { format!("{ip}:{port}") }
}

pub fn endpoint_slice(object: &Value, now: Time) -> Vec<Value> {
    let ports: Vec<String> = object["ports"]
        .items()
        .iter()
        .map(|port| match (port["port"].as_int(), port["name"].str()) {
            (Some(number), _) => number.to_string(),
            (None, "") => "*".into(),
            (None, name) => name.into(),
        })
        .collect();
    let addresses: Vec<String> = object["endpoints"]
        .items()
        .iter()
        .flat_map(|endpoint| endpoint["addresses"].items())
        .map(|address| address.str().to_string())
        .collect();
    vec![
        name(object),
        object["addressType"].clone(),
        text(limited(&ports, 3, ",", "<unset>")),
        text(limited(&addresses, 3, ",", "<unset>")),
        age(object, now),
    ]
}

pub fn ingress(object: &Value, now: Time) -> Vec<Value> {
    let spec = &object["spec"];
    let hosts: Vec<String> = spec["rules"]
        .items()
        .iter()
        .map(|rule| rule["host"].str().to_string())
        .filter(|host| !host.is_empty())
        .collect();
    vec![
        name(object),
        or_none(&spec["ingressClassName"]),
        text(limited(&hosts, 3, ",", "*")),
        text(balancers(object)),
        text(if spec["tls"].items().is_empty() { "80" } else { "80, 443" }),
        age(object, now),
    ]
}

pub fn ingress_class(object: &Value, now: Time) -> Vec<Value> {
    let annotation = object.at(&["metadata", "annotations"]).get("ingressclass.kubernetes.io/is-default-class");
    let mark = if annotation.str() == "true" { " (default)" } else { "" };
    let parameters = object.at(&["spec", "parameters"]);
    let shown = if parameters.is_null() {
        "<none>".to_string()
    } else {
        let group = parameters["apiGroup"].str();
        let dot = if group.is_empty() { "" } else { "." };
        format!("{}{dot}{group}/{}", parameters["kind"].str(), parameters["name"].str())
    };
    vec![
        text(format!("{}{mark}", name(object).str())),
        or(object.at(&["spec", "controller"]), ""),
        text(shown),
        age(object, now),
    ]
}

pub fn network_policy(object: &Value, now: Time) -> Vec<Value> {
    vec![name(object), selector(object.at(&["spec", "podSelector"]), "<none>"), age(object, now)]
}

pub fn service_cidr(object: &Value, now: Time) -> Vec<Value> {
    let cidrs = joined(object.at(&["spec", "cidrs"]).items().iter().map(Value::str), ",");
    vec![name(object), text(cidrs), age(object, now)]
}

pub fn ip_address(object: &Value, now: Time) -> Vec<Value> {
    let parent = object.at(&["spec", "parentRef"]);
    let mut shown = parent["resource"].str().to_string();
    if !parent["group"].is_empty() {
        shown = format!("{shown}.{}", parent["group"].str());
    }
    for part in ["namespace", "name"] {
        if !parent[part].is_empty() {
            shown = format!("{shown}/{}", parent[part].str());
        }
    }
    // The real server sends an age under no column.
    vec![name(object), text(shown), age(object, now)]
}
