//! Defaults of pods and of the pod templates in workloads.

use super::{Lists, fill, fill_zero, under};
use crate::base::Value;

/// A pod itself: what templates get, and what only pods do.
pub fn pod(object: &mut Value) {
    fill(object, "spec", Value::empty_map());
    under(object, &["spec"], |spec| {
        fill(spec, "enableServiceLinks", true);
        let host_network = spec["hostNetwork"].is_true();
        for list in ["containers", "initContainers"] {
            for container in spec.at_mut_list(&[list]) {
                requests_from_limits(container);
                if host_network {
                    for port in container.at_mut_list(&["ports"]) {
                        let number = port["containerPort"].int();
                        fill_zero(port, "hostPort", number);
                    }
                }
            }
        }
        if spec["terminationGracePeriodSeconds"].int() < 0 {
            spec.set(&["terminationGracePeriodSeconds"], 1);
        }
    });
    spec(object.at_mut(&["spec"]));
}

/// The request of a resource with a limit alone is the limit.
fn requests_from_limits(container: &mut Value) {
    let limits = container.at(&["resources", "limits"]).clone();
    for (name, limit) in limits.entries().iter() {
        if container.at(&["resources", "requests", name]).is_null() {
            container.set(&["resources", "requests", name], limit);
        }
    }
}

/// The spec of a pod or of a template.
pub fn spec(spec: &mut Value) {
    fill(spec, "restartPolicy", "Always");
    fill(spec, "dnsPolicy", "ClusterFirst");
    fill(spec, "terminationGracePeriodSeconds", 30);
    fill(spec, "schedulerName", "default-scheduler");
    fill(spec, "securityContext", Value::empty_map());
    let (name, alias) = (spec["serviceAccountName"].clone(), spec["serviceAccount"].clone());
    match (name.is_empty(), alias.is_empty()) {
        (false, _) => spec.set(&["serviceAccount"], name),
        (true, false) => spec.set(&["serviceAccountName"], alias),
        _ => {}
    }
    for volume in spec.at_mut_list(&["volumes"]) {
        self::volume(volume);
    }
    for list in ["initContainers", "containers", "ephemeralContainers"] {
        for container in spec.at_mut_list(&[list]) {
            self::container(container);
        }
    }
}

fn container(container: &mut Value) {
    let policy = pull_policy(container["image"].str());
    fill(container, "imagePullPolicy", policy);
    fill(container, "terminationMessagePath", "/dev/termination-log");
    fill(container, "terminationMessagePolicy", "File");
    fill(container, "resources", Value::empty_map());
    for port in container.at_mut_list(&["ports"]) {
        fill(port, "protocol", "TCP");
    }
    for env in container.at_mut_list(&["env"]) {
        under(env, &["valueFrom", "fieldRef"], |reference| fill(reference, "apiVersion", "v1"));
    }
    for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
        under(container, &[probe], |probe| {
            fill_zero(probe, "timeoutSeconds", 1);
            fill_zero(probe, "periodSeconds", 10);
            fill_zero(probe, "successThreshold", 1);
            fill_zero(probe, "failureThreshold", 3);
            under(probe, &["httpGet"], http_get);
            under(probe, &["grpc"], |grpc| {
                if grpc["service"].is_null() {
                    grpc.set(&["service"], "");
                }
            });
        });
    }
    for hook in ["postStart", "preStop"] {
        under(container, &["lifecycle", hook, "httpGet"], http_get);
    }
}

fn http_get(get: &mut Value) {
    fill(get, "path", "/");
    fill(get, "scheme", "HTTP");
}

/// `Always` for the tag `latest` and for no tag at all.
fn pull_policy(image: &str) -> &'static str {
    if image.contains('@') {
        return "IfNotPresent";
    }
    let last = image.rsplit('/').next().unwrap_or_default();
    match last.split_once(':') {
        None | Some((_, "latest" | "")) => "Always",
        Some(_) => "IfNotPresent",
    }
}

fn volume(volume: &mut Value) {
    let has_source = volume.entries().iter().any(|(key, value)| key != "name" && !value.is_null());
    if !has_source {
        volume.set(&["emptyDir"], Value::empty_map());
    }
    for source in ["secret", "configMap", "downwardAPI", "projected"] {
        under(volume, &[source], |source| fill(source, "defaultMode", 420));
    }
    let fields = |items: std::slice::IterMut<'_, Value>| {
        for item in items {
            under(item, &["fieldRef"], |reference| fill(reference, "apiVersion", "v1"));
        }
    };
    fields(volume.at_mut_list(&["downwardAPI", "items"]));
    for source in volume.at_mut_list(&["projected", "sources"]) {
        fields(source.at_mut_list(&["downwardAPI", "items"]));
        under(source, &["serviceAccountToken"], |token| fill(token, "expirationSeconds", 3600));
    }
    under(volume, &["hostPath"], |path| {
        if path["type"].is_null() {
            path.set(&["type"], "");
        }
    });
    under(volume, &["image"], |image| {
        let policy = pull_policy(image["reference"].str());
        fill(image, "pullPolicy", policy);
    });
    under(volume, &["ephemeral", "volumeClaimTemplate", "spec"], |spec| fill(spec, "volumeMode", "Filesystem"));
    under(volume, &["iscsi"], |iscsi| fill(iscsi, "iscsiInterface", "default"));
    under(volume, &["rbd"], |rbd| {
        fill(rbd, "pool", "rbd");
        fill(rbd, "user", "admin");
        fill(rbd, "keyring", "/etc/ceph/keyring");
    });
    under(volume, &["azureDisk"], |disk| {
        fill(disk, "cachingMode", "ReadWrite");
        fill(disk, "kind", "Shared");
        fill(disk, "fsType", "ext4");
        fill(disk, "readOnly", false);
    });
    under(volume, &["scaleIO"], |scale| {
        fill(scale, "storageMode", "ThinProvisioned");
        fill(scale, "fsType", "xfs");
    });
}
