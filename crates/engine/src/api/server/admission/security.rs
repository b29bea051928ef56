//! PodSecurity: the baseline and restricted levels a namespace asks for by its labels.
//!
//! Left out: audit, versions other than latest, exemptions, and the checks of SELinux, AppArmor, sysctls and /proc.

use super::known_name;
use crate::api::object;
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::{Value, goquote};

impl Server {
    pub(super) fn pod_security(&self, call: &mut Call<'_, '_>, object: &Value) -> Result<()> {
        let Some(namespace) = self.namespace(&call.target.namespace) else { return Ok(()) };
        let level = |mode: &str| object::label(namespace, &format!("pod-security.kubernetes.io/{mode}")).to_owned();
        let (enforce, warn) = (level("enforce"), level("warn"));
        if enforce.is_empty() && warn.is_empty() {
            return Ok(());
        }
        let is_pod = call.resource().is("pods");
        let spec = match call.resource().store.as_str() {
            "pods" => &object["spec"],
            "podtemplates" => &object["template"]["spec"],
            "cronjobs.batch" => object.at(&["spec", "jobTemplate", "spec", "template", "spec"]),
            _ => &object["spec"]["template"]["spec"],
        };
        if is_pod {
            let problems = violations(spec, &enforce);
            if !problems.is_empty() {
                let why = format!("violates PodSecurity \"{enforce}:latest\": {}", problems.join(", "));
                return Err(Status::forbidden(&call.resource().named(), known_name(object), &why));
            }
        }
        let problems = violations(spec, &warn);
        if !problems.is_empty() {
            call.warn(format!("would violate PodSecurity \"{warn}:latest\": {}", problems.join(", ")));
        }
        Ok(())
    }
}

/// The labels of a namespace must name levels and versions there are; what was wrong before may stay.
pub(super) fn check_levels(old: &Value, new: &Value) -> Result<()> {
    let mut errors = Vec::new();
    for mode in ["enforce", "audit", "warn"] {
        let label = |end: &str| format!("pod-security.kubernetes.io/{mode}{end}");
        let levels = ["privileged", "baseline", "restricted"];
        let is_version = |text: &str| {
            text == "latest"
                || text.strip_prefix("v1.").is_some_and(|minor| {
                    !minor.is_empty() && minor.bytes().all(|b| b.is_ascii_digit()) && (minor == "0" || !minor.starts_with('0'))
                })
        };
        let (level, version) = (label(""), label("-version"));
        let mut check = |key: &str, fits: &dyn Fn(&str) -> bool, what: &str| {
            let value = &new["metadata"]["labels"][key];
            if !value.is_null() && !fits(value.str()) && *value != old["metadata"]["labels"][key] {
                let text = format!("Invalid value: {}: must be {what}", goquote::quote(value.str()));
                errors.push((format!("metadata.labels[{key}]"), text, "FieldValueInvalid"));
            }
        };
        check(&level, &|text| levels.contains(&text), "one of privileged, baseline, restricted");
        check(&version, &is_version, "\"latest\" or \"v1.x\"");
    }
    if errors.is_empty() {
        return Ok(());
    }
    Err(Status::invalid("", "Namespace", object::name(new), &errors))
}

const DEFAULT_CAPABILITIES: [&str; 13] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];
const FREE_VOLUMES: [&str; 9] = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "image",
    "persistentVolumeClaim",
    "projected",
    "secret",
];

/// What stands against a level, check by check.
fn violations(spec: &Value, level: &str) -> Vec<String> {
    let restricted = level == "restricted";
    if !restricted && level != "baseline" {
        return Vec::new();
    }
    let all: Vec<&Value> =
        ["initContainers", "containers", "ephemeralContainers"].iter().flat_map(|list| spec[*list].items()).collect();
    let mut out = Vec::new();
    let with = |test: &dyn Fn(&Value) -> bool| -> Vec<&str> {
        all.iter().filter(|container| test(container)).map(|container| container["name"].str()).collect()
    };
    let added = |allowed: &'static [&'static str]| {
        let mut capabilities: Vec<&str> = Vec::new();
        let names = with(&|container| {
            container["securityContext"]["capabilities"]["add"].items().iter().any(|c| !allowed.contains(&c.str()))
        });
        for container in &all {
            for capability in container["securityContext"]["capabilities"]["add"].items() {
                if !allowed.contains(&capability.str()) && !capabilities.contains(&capability.str()) {
                    capabilities.push(capability.str());
                }
            }
        }
        capabilities.sort_unstable();
        (!names.is_empty()).then(|| {
            format!(
                "{} must not include {} in securityContext.capabilities.add",
                containers(&names),
                quoted(&capabilities)
            )
        })
    };
    if !restricted && let Some(text) = added(&DEFAULT_CAPABILITIES) {
        out.push(format!("non-default capabilities ({text})"));
    }
    let host: Vec<String> = ["hostNetwork", "hostPID", "hostIPC"]
        .iter()
        .filter(|key| spec[**key].is_true())
        .map(|key| format!("{key}=true"))
        .collect();
    if !host.is_empty() {
        out.push(format!("host namespaces ({})", host.join(", ")));
    }
    let paths: Vec<&str> =
        spec["volumes"].items().iter().filter(|v| v.has("hostPath")).map(|v| v["name"].str()).collect();
    if !restricted && !paths.is_empty() {
        let word = if paths.len() == 1 { "volume" } else { "volumes" };
        out.push(format!("hostPath volumes ({word} {})", quoted(&paths)));
    }
    let has_port = |container: &Value| container["ports"].items().iter().any(|port| port["hostPort"].int() != 0);
    let ports = with(&has_port);
    if !ports.is_empty() {
        let mut numbers: Vec<i64> = all
            .iter()
            .flat_map(|c| c["ports"].items())
            .map(|port| port["hostPort"].int())
            .filter(|n| *n != 0)
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let word = if numbers.len() == 1 { "hostPort" } else { "hostPorts" };
        let verb = if ports.len() == 1 { "uses" } else { "use" };
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        out.push(format!("hostPort ({} {verb} {word} {})", containers(&ports), numbers.join(", ")));
    }
    let privileged = with(&|container| container["securityContext"]["privileged"].is_true());
    if !privileged.is_empty() {
        out.push(format!("privileged ({} must not set securityContext.privileged=true)", containers(&privileged)));
    }
    if restricted {
        restricted_only(spec, &with, added(&["NET_BIND_SERVICE"]), &mut out);
    }
    out
}

/// The names of the containers a test is true of.
type Which<'a, 'b> = &'b dyn Fn(&dyn Fn(&Value) -> bool) -> Vec<&'a str>;

fn restricted_only<'a>(spec: &Value, with: Which<'a, '_>, added: Option<String>, out: &mut Vec<String>) {
    let escalates = with(&|c| c["securityContext"]["allowPrivilegeEscalation"].as_bool() != Some(false));
    if !escalates.is_empty() {
        let who = containers(&escalates);
        out.push(format!(
            "allowPrivilegeEscalation != false ({who} must set securityContext.allowPrivilegeEscalation=false)"
        ));
    }
    let keeps = with(&|c| !c["securityContext"]["capabilities"]["drop"].items().iter().any(|item| item.str() == "ALL"));
    let mut texts = Vec::new();
    if !keeps.is_empty() {
        texts.push(format!("{} must set securityContext.capabilities.drop=[\"ALL\"]", containers(&keeps)));
    }
    texts.extend(added);
    if !texts.is_empty() {
        out.push(format!("unrestricted capabilities ({})", texts.join("; ")));
    }
    let (mut volumes, mut kinds) = (Vec::new(), Vec::new());
    for volume in spec["volumes"].items() {
        let kind = volume.entries().keys().find(|key| *key != "name" && !FREE_VOLUMES.contains(&key.as_str()));
        if let Some(kind) = kind {
            volumes.push(volume["name"].str());
            if !kinds.contains(&kind.as_str()) {
                kinds.push(kind.as_str());
            }
        }
    }
    if !volumes.is_empty() {
        let (word, verb) = if volumes.len() == 1 { ("volume", "uses") } else { ("volumes", "use") };
        let types = if kinds.len() == 1 { "type" } else { "types" };
        out.push(format!(
            "restricted volume types ({word} {} {verb} restricted volume {types} {})",
            quoted(&volumes),
            quoted(&kinds)
        ));
    }
    let pod = &spec["securityContext"];
    let refuses = with(&|c| c["securityContext"]["runAsNonRoot"].as_bool() == Some(false));
    if !refuses.is_empty() {
        let who = containers(&refuses);
        out.push(format!("runAsNonRoot != true ({who} must not set securityContext.runAsNonRoot=false)"));
    } else if !pod["runAsNonRoot"].is_true() {
        let silent = with(&|c| c["securityContext"]["runAsNonRoot"].is_null());
        if !silent.is_empty() {
            let who = containers(&silent);
            out.push(format!("runAsNonRoot != true (pod or {who} must set securityContext.runAsNonRoot=true)"));
        }
    }
    let roots = with(&|c| c["securityContext"]["runAsUser"].as_int() == Some(0));
    if pod["runAsUser"].as_int() == Some(0) {
        out.push("runAsUser=0 (pod must not set runAsUser=0)".into());
    } else if !roots.is_empty() {
        out.push(format!("runAsUser=0 ({} must not set runAsUser=0)", containers(&roots)));
    }
    let fine = |context: &Value| matches!(context["seccompProfile"]["type"].str(), "RuntimeDefault" | "Localhost");
    if !fine(pod) {
        let open = with(&|c| !fine(&c["securityContext"]));
        if !open.is_empty() {
            out.push(format!(
                "seccompProfile (pod or {} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \
                 \"Localhost\")",
                containers(&open)
            ));
        }
    }
}

fn containers(names: &[&str]) -> String {
    let word = if names.len() == 1 { "container" } else { "containers" };
    format!("{word} {}", quoted(names))
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| goquote::quote(name)).collect::<Vec<_>>().join(", ")
}
