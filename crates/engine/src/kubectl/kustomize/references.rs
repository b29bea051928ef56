//! Names by which objects speak of others follow when those are renamed.

use super::Resource;
use crate::base::Value;

/// Where pods are described.
pub const POD_SPECS: [&[&str]; 3] =
    [&["spec"], &["spec", "template", "spec"], &["spec", "jobTemplate", "spec", "template", "spec"]];

/// Inside a pod: the kind spoken of, and the path; `*` stands for every item of a list.
const IN_PODS: [(&str, &[&str]); 16] = [
    ("ConfigMap", &["volumes", "*", "configMap", "name"]),
    ("ConfigMap", &["volumes", "*", "projected", "sources", "*", "configMap", "name"]),
    ("ConfigMap", &["containers", "*", "env", "*", "valueFrom", "configMapKeyRef", "name"]),
    ("ConfigMap", &["containers", "*", "envFrom", "*", "configMapRef", "name"]),
    ("ConfigMap", &["initContainers", "*", "env", "*", "valueFrom", "configMapKeyRef", "name"]),
    ("ConfigMap", &["initContainers", "*", "envFrom", "*", "configMapRef", "name"]),
    ("Secret", &["volumes", "*", "secret", "secretName"]),
    ("Secret", &["volumes", "*", "projected", "sources", "*", "secret", "name"]),
    ("Secret", &["containers", "*", "env", "*", "valueFrom", "secretKeyRef", "name"]),
    ("Secret", &["containers", "*", "envFrom", "*", "secretRef", "name"]),
    ("Secret", &["initContainers", "*", "env", "*", "valueFrom", "secretKeyRef", "name"]),
    ("Secret", &["initContainers", "*", "envFrom", "*", "secretRef", "name"]),
    ("Secret", &["imagePullSecrets", "*", "name"]),
    ("ServiceAccount", &["serviceAccountName"]),
    ("PersistentVolumeClaim", &["volumes", "*", "persistentVolumeClaim", "claimName"]),
    ("PriorityClass", &["priorityClassName"]),
];

/// Of a kind: the kind spoken of (empty: the one named beside it), and the path.
const ELSEWHERE: [(&str, &str, &[&str]); 12] = [
    ("StatefulSet", "Service", &["spec", "serviceName"]),
    ("Ingress", "Service", &["spec", "defaultBackend", "service", "name"]),
    ("Ingress", "Service", &["spec", "rules", "*", "http", "paths", "*", "backend", "service", "name"]),
    ("Ingress", "Secret", &["spec", "tls", "*", "secretName"]),
    ("Ingress", "IngressClass", &["spec", "ingressClassName"]),
    ("ServiceAccount", "Secret", &["imagePullSecrets", "*", "name"]),
    ("ServiceAccount", "Secret", &["secrets", "*", "name"]),
    ("PersistentVolumeClaim", "PersistentVolume", &["spec", "volumeName"]),
    ("PersistentVolumeClaim", "StorageClass", &["spec", "storageClassName"]),
    ("HorizontalPodAutoscaler", "", &["spec", "scaleTargetRef", "name"]),
    ("RoleBinding", "", &["roleRef", "name"]),
    ("ClusterRoleBinding", "", &["roleRef", "name"]),
];

pub fn follow(resources: &mut [Resource]) {
    let known = resources.to_vec();
    for resource in resources {
        let own = resource.namespace().to_string();
        let kind = resource.kind().to_string();
        for base in POD_SPECS.iter().filter(|base| kind == "Pod" || base.len() > 1) {
            for (of, path) in IN_PODS {
                if resource.object.at(base).as_map().is_some() {
                    rename(resource.object.at_mut(base), path, of, &own, &known);
                }
            }
        }
        for (_, of, path) in ELSEWHERE.iter().filter(|(owner, ..)| *owner == kind) {
            rename(&mut resource.object, path, of, &own, &known);
        }
        if kind.ends_with("RoleBinding") && resource.object.has("subjects") {
            for subject in resource.object.at_mut(&["subjects"]).list_mut() {
                let namespace = subject["namespace"].str().to_string();
                if subject["kind"].str() == "ServiceAccount" {
                    rename(subject, &["name"], "ServiceAccount", &namespace, &known);
                }
            }
        }
    }
}

fn rename(value: &mut Value, path: &[&str], of: &str, namespace: &str, known: &[Resource]) {
    match path {
        [] => {}
        ["*", rest @ ..] => {
            if value.as_list().is_some() {
                value.list_mut().iter_mut().for_each(|item| rename(item, rest, of, namespace, known));
            }
        }
        [last] => {
            let kind = if of.is_empty() { value["kind"].str() } else { of };
            let name = value[*last].str();
            let spaces = |one: &Resource| {
                !one.is_namespaced()
                    || one.namespace() == namespace
                    || one.former.iter().any(|(_, former)| former == namespace)
            };
            let found = known.iter().find(|one| one.kind() == kind && one.was_called(name) && spaces(one));
            if let Some(one) = found
                && !name.is_empty()
                && one.name() != name
            {
                let new = one.name().to_string();
                value.set(&[last], new);
            }
        }
        [first, rest @ ..] => {
            if value.has(first) {
                rename(value.at_mut(&[first]), rest, of, namespace, known);
            }
        }
    }
}
