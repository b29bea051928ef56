//! What the server warns of when it accepts an object (`Warning` headers).
//!
//! Left out: affinity and spread terms without a selector, host aliases, projected overlaps.

use crate::api::object;
use crate::base::quantity::Quantity;
use crate::base::{Value, goquote};

/// Warnings about a new or changed object of a resource.
pub fn of(resource: &str, object: &Value, created: bool) -> Vec<String> {
    let mut out = Vec::new();
    if created {
        names(resource, object, &mut out);
    }
    match resource {
        "pods" => pod(&object["spec"], "spec", false, &mut out),
        "podtemplates" => pod(&object["template"]["spec"], "template.spec", true, &mut out),
        "deployments.apps"
        | "replicasets.apps"
        | "statefulsets.apps"
        | "daemonsets.apps"
        | "jobs.batch"
        | "replicationcontrollers" => pod(&object["spec"]["template"]["spec"], "spec.template.spec", true, &mut out),
        "cronjobs.batch" => {
            let spec = object.at(&["spec", "jobTemplate", "spec", "template", "spec"]);
            pod(spec, "spec.jobTemplate.spec.template.spec", true, &mut out);
        }
        "services" => service(&object["spec"], &mut out),
        "persistentvolumes" if object["spec"]["persistentVolumeReclaimPolicy"].str() == "Recycle" => out.push(
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended \
             approach is to use dynamic provisioning."
                .into(),
        ),
        "ingresses.networking.k8s.io"
            if created && !object::annotation(object, "kubernetes.io/ingress.class").is_empty() =>
        {
            let text =
                "annotation \"kubernetes.io/ingress.class\" is deprecated, please use 'spec.ingressClassName' instead";
            out.push(text.into());
        }
        "secrets" if object["type"].str() == "kubernetes.io/tls" => {
            // base64 of "-----BEGI"
            let certificate = object["data"]["tls.crt"].str();
            if !certificate.starts_with("LS0tLS1CRUdJ") {
                out.push("tls: failed to find any PEM data in certificate input".into());
            }
        }
        _ => {}
    }
    out
}

fn names(resource: &str, object: &Value, out: &mut Vec<String>) {
    let whose = match resource {
        "pods" => "the Pod's hostname",
        "deployments.apps" | "replicasets.apps" | "jobs.batch" | "cronjobs.batch" | "replicationcontrollers" => {
            "Pod names and hostnames"
        }
        _ => return,
    };
    let name = object::name(object);
    let problem = if name.contains('.') {
        "must not contain dots"
    } else if name.len() > 63 {
        "must be no more than 63 characters"
    } else {
        return;
    };
    out.push(format!(
        "metadata.name: this is used in {whose}, which can result in surprising behavior; a DNS label is \
         recommended: [{problem}]"
    ));
}

const OLD_LABELS: [(&str, &str, &str); 5] = [
    ("beta.kubernetes.io/arch", "v1.14", "kubernetes.io/arch"),
    ("beta.kubernetes.io/os", "v1.14", "kubernetes.io/os"),
    ("failure-domain.beta.kubernetes.io/region", "v1.17", "topology.kubernetes.io/region"),
    ("failure-domain.beta.kubernetes.io/zone", "v1.17", "topology.kubernetes.io/zone"),
    ("beta.kubernetes.io/instance-type", "v1.17", "node.kubernetes.io/instance-type"),
];

fn pod(spec: &Value, path: &str, template: bool, out: &mut Vec<String>) {
    for key in spec["nodeSelector"].entries().keys() {
        if let Some((old, since, new)) = OLD_LABELS.iter().find(|(old, _, _)| old == key) {
            out.push(format!("{path}.nodeSelector[{old}]: deprecated since {since}; use \"{new}\" instead"));
        }
    }
    for (index, secret) in spec["imagePullSecrets"].items().iter().enumerate() {
        if secret["name"].str().is_empty() {
            out.push(format!("{path}.imagePullSecrets[{index}].name: invalid empty name \"\""));
        }
    }
    for volume in spec["volumes"].items() {
        let projected = &volume["projected"];
        if !projected.is_null() && projected["sources"].items().is_empty() {
            out.push(format!("volume {} (Projected) has no sources provided", goquote::quote(volume["name"].str())));
        }
    }
    let mut named: Vec<(String, String)> = Vec::new();
    for list in ["initContainers", "containers"] {
        for (index, container) in spec[list].items().iter().enumerate() {
            let path = format!("{path}.{list}[{index}]");
            fractions(&container["resources"], &path, out);
            environment(container["env"].items(), &path, out);
            ports(container["ports"].items(), &path, &mut named, out);
        }
    }
    if template && spec["terminationGracePeriodSeconds"].int() < 0 {
        out.push(format!(
            "{path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1"
        ));
    }
}

fn fractions(resources: &Value, path: &str, out: &mut Vec<String>) {
    for part in ["limits", "requests"] {
        for key in ["memory", "ephemeral-storage"] {
            let value = &resources[part][key];
            let quantity = Quantity::of(value);
            if !value.is_null() && quantity.milli() % 1000 != 0 {
                let shown = goquote::quote(&quantity.canonical());
                out.push(format!(
                    "{path}.resources.{part}[{key}]: fractional byte value {shown} is invalid, must be an integer"
                ));
            }
        }
    }
}

fn environment(env: &[Value], path: &str, out: &mut Vec<String>) {
    for (index, variable) in env.iter().enumerate() {
        let name = variable["name"].str();
        let hides = env.iter().take(index).any(|before| before["name"].str() == name);
        let refers = variable["value"].str().contains(&format!("$({name})"));
        if hides && !refers {
            let name = goquote::quote(name);
            out.push(format!(
                "{path}.env[{index}]: hides previous definition of {name}, which may be dropped when using apply"
            ));
        }
    }
}

fn ports(ports: &[Value], path: &str, named: &mut Vec<(String, String)>, out: &mut Vec<String>) {
    for (index, port) in ports.iter().enumerate() {
        let here = format!("{path}.ports[{index}]");
        let name = port["name"].str();
        if !name.is_empty() {
            match named.iter().find(|(other, _)| other == name) {
                Some((_, first)) => out.push(format!(
                    "{here}: duplicate port name {} with {first}, services and probes that select ports by name will \
                     use {first}",
                    goquote::quote(name)
                )),
                None => named.push((name.to_owned(), here.clone())),
            }
        }
        let same =
            |other: &Value| other["containerPort"] == port["containerPort"] && other["protocol"] == port["protocol"];
        let Some((before, other)) = ports.iter().take(index).enumerate().find(|(_, other)| same(other)) else {
            continue;
        };
        let (a, b) = (other["hostPort"].int(), port["hostPort"].int());
        let (ip_a, ip_b) = (other["hostIP"].str(), port["hostIP"].str());
        let word = if a == b && ip_a == ip_b {
            "duplicate"
        } else if a == b && (ip_a.is_empty() || ip_b.is_empty()) {
            "dangerously ambiguous"
        } else if a == 0 || b == 0 {
            "overlapping"
        } else {
            continue;
        };
        out.push(format!("{here}: {word} port definition with {path}.ports[{before}]"));
    }
}

fn service(spec: &Value, out: &mut Vec<String>) {
    let mut push = |text: &str| out.push(text.to_owned());
    let external = !spec["externalIPs"].items().is_empty();
    if spec["clusterIP"].str() == "None" {
        if !spec["loadBalancerIP"].is_empty() {
            push("spec.loadBalancerIP is ignored for headless services");
        }
        if external {
            push("spec.externalIPs is ignored for headless services");
        }
        if !matches!(spec["sessionAffinity"].str(), "" | "None") {
            push("spec.SessionAffinity is ignored for headless services");
        }
    }
    if external {
        push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
    }
    if !spec["externalName"].is_empty() && spec["type"].str() != "ExternalName" {
        push("spec.externalName is ignored when spec.type is not \"ExternalName\"");
    }
    if spec["trafficDistribution"].str() == "PreferClose" {
        push("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
    }
}
