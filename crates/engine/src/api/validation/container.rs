//! Containers: names, images, ports, environment, mounts, lifecycle, security.

use crate::base::BTreeSet;

use super::common::{Errors, same};
use super::{internal, names, probe, resources, volume};
use crate::api::field_error::{FieldError, Path};
use crate::base::{SmolStr, Value};

const FIELDS: [&str; 13] = [
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
    "metadata.labels",
    "metadata.annotations",
    "status.phase",
    "spec.host",
];

/// All containers of a pod spec.
pub fn all(errors: &mut Errors, at: &Path, spec: &Value, volumes: &BTreeSet<SmolStr>) {
    let mut seen: BTreeSet<SmolStr> = BTreeSet::new();
    let containers = spec["containers"].items();
    let grace = spec["terminationGracePeriodSeconds"].int();
    let host_network = spec["hostNetwork"].is_true();
    let here = at.child("containers");
    if containers.is_empty() {
        errors.required(&here, "");
    }
    for (index, container) in containers.iter().enumerate() {
        let here = here.index(index);
        common(errors, &here, container, volumes, host_network);
        unique(errors, &here, container, &mut seen);
        handlers(errors, &here, container, grace);
        restart(errors, &here, container);
    }
    host_ports(errors, &here, containers);
    let here = at.child("initContainers");
    for (index, container) in spec["initContainers"].items().iter().enumerate() {
        let here = here.index(index);
        common(errors, &here, container, volumes, host_network);
        restart(errors, &here, container);
        unique(errors, &here, container, &mut seen);
        if container["restartPolicy"].str() == "Always" {
            handlers(errors, &here, container, grace);
            continue;
        }
        for key in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
            if !container[key].is_null() {
                let detail = "may not be set for init containers without restartPolicy=Always";
                errors.forbidden(&here.child(key), detail);
            }
        }
    }
}

/// What a debugging container may not have.
const NOT_EPHEMERAL: [&str; 6] = ["ports", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "resources"];

/// Ephemeral containers; they share the names of all others.
pub fn ephemeral(errors: &mut Errors, at: &Path, spec: &Value, volumes: &BTreeSet<SmolStr>) {
    let at = at.child("ephemeralContainers");
    let ordinary = || spec["containers"].items().iter().chain(spec["initContainers"].items());
    let mut seen: BTreeSet<SmolStr> = ordinary().map(|container| container["name"].smol()).collect();
    for (index, container) in spec["ephemeralContainers"].items().iter().enumerate() {
        let at = at.index(index);
        common(errors, &at, container, volumes, false);
        restart(errors, &at, container);
        unique(errors, &at, container, &mut seen);
        let target = container["targetContainerName"].str();
        if !target.is_empty() && !ordinary().any(|container| container["name"].str() == target) {
            errors.push(FieldError::not_found(&at.child("targetContainerName"), target));
        }
        for key in NOT_EPHEMERAL {
            if !same(&container[key], &Value::Null) {
                errors.forbidden(&at.child(key), "cannot be set for an Ephemeral Container");
            }
        }
    }
}

/// A name that another container has. The empty one can be taken, too.
fn unique(errors: &mut Errors, at: &Path, container: &Value, seen: &mut BTreeSet<SmolStr>) {
    let name = container["name"].smol();
    if !seen.insert(name.clone()) {
        errors.push(FieldError::duplicate(&at.child("name"), name));
    }
}

fn restart(errors: &mut Errors, at: &Path, container: &Value) {
    let policy = &container["restartPolicy"];
    errors.one_of_if_set(&at.child("restartPolicy"), policy, &["Always", "Never", "OnFailure"]);
}

fn handlers(errors: &mut Errors, at: &Path, container: &Value, grace: i64) {
    for hook in ["postStart", "preStop"] {
        let handler = &container["lifecycle"][hook];
        if !handler.is_null() {
            probe::handler(errors, &at.child("lifecycle").child(hook), handler, Some(grace));
        }
    }
    probe::all(errors, at, container);
}

/// What all kinds of containers have.
fn common(errors: &mut Errors, at: &Path, container: &Value, volumes: &BTreeSet<SmolStr>, host_network: bool) {
    let name = container["name"].str();
    if name.is_empty() {
        errors.required(&at.child("name"), "");
    } else {
        errors.complain(&at.child("name"), name, names::label(name));
    }
    let image = container["image"].str();
    if image.is_empty() {
        errors.required(&at.child("image"), "");
    } else if image.trim() != image && !at.to_string().contains("emplate.spec.") {
        // In templates a blank stands for an image that somebody fills in later.
        errors.invalid(&at.child("image"), image, "must not have leading or trailing whitespace");
    }
    let policy = &container["terminationMessagePolicy"];
    errors.one_of(&at.child("terminationMessagePolicy"), policy, &["File", "FallbackToLogsOnError"]);
    ports(errors, &at.child("ports"), &container["ports"], host_network);
    env(errors, &at.child("env"), &container["env"]);
    env_from(errors, &at.child("envFrom"), &container["envFrom"]);
    volume::mounts(errors, &at.child("volumeMounts"), container, volumes);
    let policies = ["Always", "IfNotPresent", "Never"];
    errors.one_of(&at.child("imagePullPolicy"), &container["imagePullPolicy"], &policies);
    resources::container(errors, &at.child("resources"), &container["resources"]);
    security(errors, &at.child("securityContext"), &container["securityContext"]);
}

fn ports(errors: &mut Errors, at: &Path, ports: &Value, host_network: bool) {
    let mut seen: BTreeSet<SmolStr> = BTreeSet::new();
    for (index, port) in ports.items().iter().enumerate() {
        let at = at.index(index);
        let name = port["name"].smol();
        if !name.is_empty() {
            let complaints = names::port_name(&name);
            if !complaints.is_empty() {
                errors.complain(&at.child("name"), &name, complaints);
            } else if !seen.insert(name.clone()) {
                errors.push(FieldError::duplicate(&at.child("name"), name));
            }
        }
        let number = port["containerPort"].int();
        if number == 0 {
            errors.required(&at.child("containerPort"), "");
        } else {
            errors.port(&at.child("containerPort"), number);
        }
        let host = port["hostPort"].int();
        if host != 0 {
            errors.port(&at.child("hostPort"), host);
            if host_network && host != number {
                let detail = "must match `containerPort` when `hostNetwork` is true";
                errors.invalid(&at.child("hostPort"), host, detail);
            }
        }
        match port["protocol"].str() {
            "" => errors.required(&at.child("protocol"), ""),
            _ => errors.one_of(&at.child("protocol"), &port["protocol"], &["SCTP", "TCP", "UDP"]),
        }
    }
}

fn host_ports(errors: &mut Errors, at: &Path, containers: &[Value]) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (index, container) in containers.iter().enumerate() {
        for (number, port) in container["ports"].items().iter().enumerate() {
            let host = port["hostPort"].int();
            if host == 0 {
                continue;
            }
            let key = format!("{}/{}/{host}", port["protocol"].str(), port["hostIP"].str());
            if !seen.insert(key.clone()) {
                let at = at.index(index).child("ports").index(number).child("hostPort");
                errors.push(FieldError::duplicate(&at, key));
            }
        }
    }
}

fn env(errors: &mut Errors, at: &Path, env: &Value) {
    for (index, entry) in env.items().iter().enumerate() {
        let at = at.index(index);
        let name = entry["name"].str();
        if name.is_empty() {
            errors.required(&at.child("name"), "");
        } else {
            errors.complain(&at.child("name"), name, names::env_name(name));
        }
        if !entry["valueFrom"].is_null() {
            value_from(errors, &at.child("valueFrom"), entry);
        }
    }
}

fn value_from(errors: &mut Errors, at: &Path, entry: &Value) {
    let from = &entry["valueFrom"];
    let mut sources = 0;
    let field = &from["fieldRef"];
    if !field.is_null() {
        sources += 1;
        field_ref(errors, &at.child("fieldRef"), field, &FIELDS[..9]);
    }
    let resource = &from["resourceFieldRef"];
    if !resource.is_null() {
        sources += 1;
        resource_field(errors, &at.child("resourceFieldRef"), resource, false);
    }
    for key in ["configMapKeyRef", "secretKeyRef"] {
        let reference = &from[key];
        if !reference.is_null() {
            sources += 1;
            let at = at.child(key);
            let name = reference["name"].str();
            errors.complain(&at.child("name"), name, names::subdomain(name));
            config_key(errors, &at.child("key"), reference["key"].str());
        }
    }
    if !from["fileKeyRef"].is_null() {
        sources += 1;
    }
    if sources == 0 {
        let detail =
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
        errors.invalid(at, "", detail);
    } else if !entry["value"].is_empty() {
        errors.invalid(at, "", "may not be specified when `value` is not empty");
    } else if sources > 1 {
        errors.invalid(at, "", "may not have more than one field specified at a time");
    }
}

fn config_key(errors: &mut Errors, at: &Path, key: &str) {
    if key.is_empty() {
        errors.required(at, "");
    } else {
        errors.complain(at, key, names::config_key(key));
    }
}

/// A field of the pod itself.
pub fn field_ref(errors: &mut Errors, at: &Path, reference: &Value, supported: &[&str]) {
    let path = reference["fieldPath"].str();
    if reference["apiVersion"].is_empty() {
        return errors.required(&at.child("apiVersion"), "");
    }
    if path.is_empty() {
        return errors.required(&at.child("fieldPath"), "");
    }
    let at = at.child("fieldPath");
    if let Some((stem, key)) = path.strip_suffix(']').and_then(|path| path.split_once("['")) {
        let key = key.trim_end_matches('\'');
        match stem {
            "metadata.annotations" => errors.complain(&at, key, names::qualified(&key.to_lowercase())),
            "metadata.labels" => errors.label_key(&at, key),
            _ => errors.invalid(&at, path, &format!("{stem} does not support subscript")),
        }
        return;
    }
    if !FIELDS.contains(&path) {
        let detail = format!("error converting fieldPath: field label not supported: {path}");
        errors.invalid(&at, path, &detail);
    } else if !supported.contains(&path) {
        let mut sorted = supported.to_vec();
        sorted.sort_unstable();
        errors.push(FieldError::not_supported(&at, path, &sorted));
    }
}

/// A request or limit of a container.
pub fn resource_field(errors: &mut Errors, at: &Path, reference: &Value, of_volume: bool) {
    let supported = [
        "limits.cpu",
        "limits.ephemeral-storage",
        "limits.memory",
        "requests.cpu",
        "requests.ephemeral-storage",
        "requests.memory",
    ];
    if of_volume && reference["containerName"].is_empty() {
        return errors.required(&at.child("containerName"), "");
    }
    let resource = reference["resource"].str();
    if resource.is_empty() {
        return errors.required(&at.child("resource"), "");
    }
    let huge = ["requests.hugepages-", "limits.hugepages-"].iter().any(|prefix| resource.starts_with(prefix));
    if !huge {
        errors.one_of(&at.child("resource"), &reference["resource"], &supported);
    }
}

fn env_from(errors: &mut Errors, at: &Path, sources: &Value) {
    for (index, source) in sources.items().iter().enumerate() {
        let here = at.index(index);
        let prefix = source["prefix"].str();
        if !prefix.is_empty() {
            errors.complain(&here.child("prefix"), prefix, names::env_name(prefix));
        }
        let mut count = 0;
        for key in ["configMapRef", "secretRef"] {
            if !source[key].is_null() {
                count += 1;
                let name = source[key]["name"].str();
                errors.complain(&here.child(key).child("name"), name, names::subdomain(name));
            }
        }
        match count {
            0 => errors.invalid(at, "", "must specify one of: `configMapRef` or `secretRef`"),
            1 => {}
            _ => errors.invalid(at, "", "may not have more than one field specified at a time"),
        }
    }
}

fn security(errors: &mut Errors, at: &Path, context: &Value) {
    if context.is_null() {
        return;
    }
    for key in ["runAsUser", "runAsGroup"] {
        let id = &context[key];
        if !id.is_null() && !(0..=i64::from(i32::MAX)).contains(&id.int()) {
            errors.invalid(&at.child(key), id, "must be between 0 and 2147483647, inclusive");
        }
    }
    let mount = &context["procMount"];
    errors.one_of_if_set(&at.child("procMount"), mount, &["Default", "Unmasked"]);
    seccomp(errors, &at.child("seccompProfile"), &context["seccompProfile"]);
    if context["allowPrivilegeEscalation"] == Value::Bool(false) {
        let shown = internal::compact("core.v1", "SecurityContext", context);
        let mut wrong = |detail: &str| errors.push(FieldError::shown(at, &shown, detail));
        if context["privileged"].is_true() {
            wrong("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
        let added = context["capabilities"]["add"].items();
        if added.iter().any(|capability| capability.str() == "CAP_SYS_ADMIN") {
            wrong("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
        }
    }
}

pub fn seccomp(errors: &mut Errors, at: &Path, profile: &Value) {
    if profile.is_null() {
        return;
    }
    let local = &profile["localhostProfile"];
    match profile["type"].str() {
        "Localhost" if local.is_null() => {
            errors.required(&at.child("localhostProfile"), "must be set when seccomp type is Localhost");
        }
        "Localhost" => {}
        _ => {
            if !local.is_null() {
                let detail = "can only be set when seccomp type is Localhost";
                errors.invalid(&at.child("localhostProfile"), local, detail);
            }
            let types = ["Localhost", "RuntimeDefault", "Unconfined"];
            errors.one_of(&at.child("type"), &profile["type"], &types);
        }
    }
}
