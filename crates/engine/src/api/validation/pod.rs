//! Pods and pod specs, in the order of the server's own validator.

use super::common::Errors;
use super::{container, meta, names, scheduling, volume};
use crate::api::field_error::Path;
use crate::base::Value;

/// A new pod.
pub fn create(errors: &mut Errors, pod: &Value) {
    meta::create(errors, &pod["metadata"], names::subdomain);
    let at = Path::new("spec");
    spec(errors, &at, &pod["spec"], false);
    if !pod["spec"]["ephemeralContainers"].is_empty() {
        errors.forbidden(&at.child("ephemeralContainers"), "cannot be set on create");
    }
}

/// The pod template of a workload.
pub fn template(errors: &mut Errors, at: &Path, template: &Value) {
    meta::template(errors, at, &template["metadata"]);
    let at = at.child("spec");
    spec(errors, &at, &template["spec"], true);
    if !template["spec"]["ephemeralContainers"].is_empty() {
        errors.forbidden(&at.child("ephemeralContainers"), "ephemeral containers not allowed in pod template");
    }
}

/// The spec of a pod (or of a template).
pub fn spec(errors: &mut Errors, at: &Path, spec: &Value, in_template: bool) {
    let volumes = volume::all(errors, &at.child("volumes"), &spec["volumes"]);
    container::all(errors, at, spec, &volumes);
    if !in_template {
        container::ephemeral(errors, at, spec, &volumes);
    }
    errors.one_of(&at.child("restartPolicy"), &spec["restartPolicy"], &["Always", "OnFailure", "Never"]);
    let policies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
    errors.one_of(&at.child("dnsPolicy"), &spec["dnsPolicy"], &policies);
    errors.labels_of_nodes(&at.child("nodeSelector"), &spec["nodeSelector"]);
    security_context(errors, &at.child("securityContext"), &spec["securityContext"]);
    scheduling::affinity(errors, &at.child("affinity"), &spec["affinity"]);
    dns_config(errors, &at.child("dnsConfig"), spec);
    for (index, gate) in spec["readinessGates"].items().iter().enumerate() {
        let at = at.child("readinessGates").index(index).child("conditionType");
        errors.label_key(&at, gate["conditionType"].str());
    }
    scheduling::gates(errors, at, spec);
    scheduling::spread(errors, &at.child("topologySpreadConstraints"), &spec["topologySpreadConstraints"]);
    for (key, rule) in
        [("serviceAccountName", names::subdomain as fn(&str) -> Vec<String>), ("nodeName", names::subdomain)]
    {
        let name = spec[key].str();
        if !name.is_empty() {
            errors.complain(&at.child(key), name, rule(name));
        }
    }
    let deadline = &spec["activeDeadlineSeconds"];
    if !deadline.is_null() && !(1..=i64::from(i32::MAX)).contains(&deadline.int()) {
        errors.invalid(&at.child("activeDeadlineSeconds"), deadline, "must be between 1 and 2147483647, inclusive");
    }
    for key in ["hostname", "subdomain"] {
        let name = spec[key].str();
        if !name.is_empty() {
            errors.complain(&at.child(key), name, names::label(name));
        }
    }
    scheduling::tolerations(errors, &at.child("tolerations"), &spec["tolerations"]);
    for (index, alias) in spec["hostAliases"].items().iter().enumerate() {
        let at = at.child("hostAliases").index(index);
        if !names::is_ip(alias["ip"].str()) {
            errors.invalid(&at.child("ip"), alias["ip"].str(), names::IP);
        }
        for (index, host) in alias["hostnames"].items().iter().enumerate() {
            errors.complain(&at.child("hostnames").index(index), host.str(), names::subdomain(host.str()));
        }
    }
    for key in ["priorityClassName", "runtimeClassName"] {
        let name = spec[key].str();
        if !name.is_empty() {
            errors.complain(&at.child(key), name, names::subdomain(name));
        }
    }
    if !spec["os"].is_null() {
        let path = at.child("os");
        match spec["os"]["name"].str() {
            "" => errors.required(&path.child("name"), "cannot be empty"),
            _ => errors.one_of(&path, &spec["os"]["name"], &["linux", "windows"]),
        }
    }
}

impl Errors {
    /// nodeSelector: keys as label keys, values as label values.
    fn labels_of_nodes(&mut self, at: &Path, selector: &Value) {
        self.labels(at, selector);
    }
}

fn security_context(errors: &mut Errors, at: &Path, context: &Value) {
    let most = i64::from(i32::MAX);
    for key in ["fsGroup", "runAsUser", "runAsGroup"] {
        let id = &context[key];
        if !id.is_null() && !(0..=most).contains(&id.int()) {
            errors.invalid(&at.child(key), id, "must be between 0 and 2147483647, inclusive");
        }
    }
    for (index, id) in context["supplementalGroups"].items().iter().enumerate() {
        if !(0..=most).contains(&id.int()) {
            let at = at.child("supplementalGroups").index(index);
            errors.invalid(&at, id, "must be between 0 and 2147483647, inclusive");
        }
    }
    for (index, sysctl) in context["sysctls"].items().iter().enumerate() {
        let at = at.child("sysctls").index(index).child("name");
        let name = sysctl["name"].str();
        if name.is_empty() {
            errors.required(&at, "");
        } else if !is_sysctl(name) {
            let detail = "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
            errors.invalid(&at, name, detail);
        }
    }
    let policy = &context["fsGroupChangePolicy"];
    errors.one_of_if_set(&at.child("fsGroupChangePolicy"), policy, &["Always", "OnRootMismatch"]);
    container::seccomp(errors, &at.child("seccompProfile"), &context["seccompProfile"]);
}

fn is_sysctl(name: &str) -> bool {
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    name.len() <= 253
        && name.split(['.', '/']).all(|part| {
            let ends = [part.bytes().next(), part.bytes().last()];
            ends.iter().all(|end| end.is_some_and(word)) && part.bytes().all(|b| word(b) || matches!(b, b'-' | b'_'))
        })
}

fn dns_config(errors: &mut Errors, at: &Path, spec: &Value) {
    let config = &spec["dnsConfig"];
    let none = spec["dnsPolicy"].str() == "None";
    if none && config.is_null() {
        return errors.required(at, "must provide `dnsConfig` when `dnsPolicy` is None");
    }
    let servers = config["nameservers"].items();
    if none && servers.is_empty() {
        errors.required(&at.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None");
    }
    if servers.len() > 3 {
        errors.invalid(&at.child("nameservers"), &config["nameservers"], "must not have more than 3 nameservers");
    }
    for (index, server) in servers.iter().enumerate() {
        if !names::is_ip(server.str()) {
            errors.invalid(&at.child("nameservers").index(index), server, names::IP);
        }
    }
    for (index, search) in config["searches"].items().iter().enumerate() {
        let name = search.str().trim_end_matches('.');
        if search.str() != "." {
            errors.complain(&at.child("searches").index(index), search.str(), names::subdomain(name));
        }
    }
    for (index, option) in config["options"].items().iter().enumerate() {
        if option["name"].is_empty() {
            errors.required(&at.child("options").index(index), "must not be empty");
        }
    }
}
