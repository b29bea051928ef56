//! Ingresses and NetworkPolicies.

use super::common::Errors;
use super::{names, selector};
use crate::api::field_error::Path;
use crate::base::Value;

pub fn ingress(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    if spec["rules"].is_empty() && spec["defaultBackend"].is_null() {
        errors.invalid(&at, &spec["rules"], "either `defaultBackend` or `rules` must be specified");
    }
    if !spec["defaultBackend"].is_null() {
        backend(errors, &at.child("defaultBackend"), &spec["defaultBackend"]);
    }
    for (index, rule) in spec["rules"].items().iter().enumerate() {
        let at = at.child("rules").index(index);
        host(errors, &at.child("host"), rule["host"].str());
        if rule["http"].is_null() {
            continue;
        }
        let at = at.child("http").child("paths");
        let paths = rule["http"]["paths"].items();
        if paths.is_empty() {
            errors.required(&at, "");
        }
        for (index, path) in paths.iter().enumerate() {
            self::path(errors, &at.index(index), path);
        }
    }
    for (index, tls) in spec["tls"].items().iter().enumerate() {
        for (number, name) in tls["hosts"].items().iter().enumerate() {
            let at = at.child("tls").index(index).child("hosts").index(number);
            errors.complain(&at, name.str(), names::host(name.str()));
        }
    }
    let class = &spec["ingressClassName"];
    if let Some(name) = class.as_str() {
        errors.complain(&at.child("ingressClassName"), name, names::subdomain(name));
    }
}

fn host(errors: &mut Errors, at: &Path, host: &str) {
    if host.is_empty() {
        return;
    }
    if names::is_ip(host) {
        errors.invalid(at, host, "must be a DNS name, not an IP address");
    } else {
        errors.complain(at, host, names::host(host));
    }
}

fn path(errors: &mut Errors, at: &Path, path: &Value) {
    let kind = &path["pathType"];
    let text = path["path"].str();
    match kind.as_str() {
        None => return errors.required(&at.child("pathType"), "pathType must be specified"),
        Some("Exact" | "Prefix") => {
            if !text.starts_with('/') {
                errors.invalid(&at.child("path"), text, "must be an absolute path");
            }
            for part in ["//", "/./", "/../", "%2f", "%2F"] {
                if text.contains(part) {
                    errors.invalid(&at.child("path"), text, &format!("must not contain '{part}'"));
                }
            }
            for part in ["/..", "/."] {
                if text.ends_with(part) {
                    errors.invalid(&at.child("path"), text, &format!("cannot end with '{part}'"));
                }
            }
        }
        Some("ImplementationSpecific") => {
            if !text.is_empty() && !text.starts_with('/') {
                errors.invalid(&at.child("path"), text, "must be an absolute path");
            }
        }
        Some(_) => {
            let kinds = ["Exact", "ImplementationSpecific", "Prefix"];
            errors.one_of(&at.child("pathType"), kind, &kinds);
        }
    }
    backend(errors, &at.child("backend"), &path["backend"]);
}

fn backend(errors: &mut Errors, at: &Path, backend: &Value) {
    let service = &backend["service"];
    let resource = &backend["resource"];
    if !resource.is_null() && !service.is_null() {
        return errors.invalid(at, "", "cannot set both resource and service backends");
    }
    if !resource.is_null() {
        for key in ["kind", "name"] {
            if resource[key].is_empty() {
                errors.required(&at.child("resource").child(key), "");
            }
        }
        return;
    }
    if service.is_null() {
        return errors.invalid(at, "", "resource or service backend is required");
    }
    let name = service["name"].str();
    if name.is_empty() {
        errors.required(&at.child("service").child("name"), "");
    } else {
        errors.complain(&at.child("service").child("name"), name, names::label(name));
    }
    let (port, number) = (service["port"]["name"].str(), service["port"]["number"].int());
    if !port.is_empty() && number != 0 {
        errors.invalid(at, "", "cannot set both port name & port number");
    } else if !port.is_empty() {
        errors.complain(&at.child("service").child("port").child("name"), port, names::port_name(port));
    } else if number == 0 {
        errors.required(at, "port name or number is required");
    } else {
        errors.port(&at.child("service").child("port").child("number"), number);
    }
}

pub fn policy(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    selector::label_selector(errors, &at.child("podSelector"), &spec["podSelector"]);
    for (list, peers) in [("ingress", "from"), ("egress", "to")] {
        for (index, rule) in spec[list].items().iter().enumerate() {
            let at = at.child(list).index(index);
            for (index, port) in rule["ports"].items().iter().enumerate() {
                self::port(errors, &at.child("ports").index(index), port);
            }
            for (index, peer) in rule[peers].items().iter().enumerate() {
                self::peer(errors, &at.child(peers).index(index), peer);
            }
        }
    }
    for (index, kind) in spec["policyTypes"].items().iter().enumerate() {
        errors.one_of(&at.child("policyTypes").index(index), kind, &["Ingress", "Egress"]);
    }
}

fn port(errors: &mut Errors, at: &Path, port: &Value) {
    errors.one_of(&at.child("protocol"), &port["protocol"], &["TCP", "UDP", "SCTP"]);
    let end = &port["endPort"];
    match &port["port"] {
        Value::Null => {
            if !end.is_null() {
                errors.required(&at.child("port"), "must be specified when `endPort` is specified");
            }
        }
        Value::Text(name) => errors.complain(&at.child("port"), name, names::port_name(name)),
        number => {
            errors.port(&at.child("port"), number.int());
            if !end.is_null() {
                if end.int() < number.int() {
                    errors.invalid(&at.child("endPort"), end, "must be greater than or equal to `port`");
                }
                if !(1..=65535).contains(&end.int()) {
                    errors.port(&at.child("endPort"), end.int());
                }
            }
        }
    }
}

fn peer(errors: &mut Errors, at: &Path, peer: &Value) {
    let mut count = 0;
    for key in ["podSelector", "namespaceSelector"] {
        if !peer[key].is_null() {
            count += 1;
            selector::label_selector(errors, &at.child(key), &peer[key]);
        }
    }
    let block = &peer["ipBlock"];
    if !block.is_null() {
        let path = at.child("ipBlock");
        let cidr = block["cidr"].str();
        if cidr.is_empty() {
            errors.required(&path.child("cidr"), "");
        } else if !names::is_cidr(cidr) {
            errors.invalid(&path.child("cidr"), cidr, names::CIDR);
        }
        for (index, except) in block["except"].items().iter().enumerate() {
            if !names::is_cidr(except.str()) {
                errors.invalid(&path.child("except").index(index), except.str(), names::CIDR);
            }
        }
        if count > 0 {
            errors.forbidden(at, "may not specify both ipBlock and another peer");
        }
        count += 1;
    }
    if count == 0 {
        errors.required(at, "must specify a peer");
    }
}
