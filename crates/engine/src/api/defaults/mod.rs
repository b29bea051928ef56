//! Defaults: what the server fills in when it reads an object, before admission (the `zz_generated.defaults` of the
//! versioned APIs and the hand-written functions they call).
//!
//! `apply` works on a decoded object of any built-in resource. `admission` holds what plugins add to new pods, `job`
//! what a new Job gets from its own uid. Left out: kinds without defaults, fields behind gates that are off.

mod admission;
mod pod;
mod policy;
mod service;
mod workload;

pub use admission::{default_tolerations, preemption_and_priority, service_account_volume};
pub use workload::job_selector;

use crate::base::Value;

/// Defaults of a resource (`pods`, `deployments.apps`).
pub fn apply(resource: &str, object: &mut Value) {
    match resource {
        "pods" => pod::pod(object),
        "podtemplates" => {
            under(object, &["template", "spec"], pod::spec);
        }
        "replicationcontrollers" => workload::replication_controller(object),
        "deployments.apps" => workload::deployment(object),
        "replicasets.apps" => workload::replica_set(object),
        "statefulsets.apps" => workload::stateful_set(object),
        "daemonsets.apps" => workload::daemon_set(object),
        "jobs.batch" => workload::job(object),
        "cronjobs.batch" => workload::cron_job(object),
        "horizontalpodautoscalers.autoscaling" => workload::autoscaler(object),
        "services" => service::service(object),
        "endpoints" => {
            for subset in object.at_mut_list(&["subsets"]) {
                for port in subset.at_mut_list(&["ports"]) {
                    fill(port, "protocol", "TCP");
                }
            }
        }
        "endpointslices.discovery.k8s.io" => service::endpoint_slice(object),
        "networkpolicies.networking.k8s.io" => service::network_policy(object),
        "secrets" => secret(object),
        "namespaces" => {
            let name = object.at(&["metadata", "name"]).clone();
            if !name.is_empty() {
                object.set(&["metadata", "labels", "kubernetes.io/metadata.name"], name);
            }
        }
        "nodes" => {
            let capacity = object.at(&["status", "capacity"]).clone();
            if object.at(&["status", "allocatable"]).is_null() && !capacity.is_empty() {
                object.set(&["status", "allocatable"], capacity);
            }
        }
        "persistentvolumes" => {
            fill_at(object, &["spec", "persistentVolumeReclaimPolicy"], "Retain");
            fill_at(object, &["spec", "volumeMode"], "Filesystem");
            fill_at(object, &["status", "phase"], "Pending");
            under(object, &["spec", "hostPath"], |path| fill(path, "type", ""));
        }
        "persistentvolumeclaims" => {
            fill_at(object, &["spec", "volumeMode"], "Filesystem");
            fill_at(object, &["status", "phase"], "Pending");
        }
        "storageclasses.storage.k8s.io" => {
            fill(object, "reclaimPolicy", "Delete");
            fill(object, "volumeBindingMode", "Immediate");
        }
        "customresourcedefinitions.apiextensions.k8s.io" => {
            fill_at(object, &["spec", "conversion", "strategy"], "None");
            let kind = object.at(&["spec", "names", "kind"]).str().to_string();
            if !kind.is_empty() {
                fill_at(object, &["spec", "names", "singular"], kind.to_lowercase());
                fill_at(object, &["spec", "names", "listKind"], kind + "List");
            }
        }
        "csidrivers.storage.k8s.io" => csi_driver(object),
        "limitranges" => limit_range(object),
        "rolebindings.rbac.authorization.k8s.io" | "clusterrolebindings.rbac.authorization.k8s.io" => {
            role_binding(object);
        }
        "validatingwebhookconfigurations.admissionregistration.k8s.io"
        | "mutatingwebhookconfigurations.admissionregistration.k8s.io" => policy::webhooks(object),
        "validatingadmissionpolicies.admissionregistration.k8s.io"
        | "mutatingadmissionpolicies.admissionregistration.k8s.io" => policy::admission_policy(object),
        "validatingadmissionpolicybindings.admissionregistration.k8s.io"
        | "mutatingadmissionpolicybindings.admissionregistration.k8s.io" => policy::admission_policy_binding(object),
        "flowschemas.flowcontrol.apiserver.k8s.io" => policy::flow_schema(object),
        "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io" => policy::priority_level(object),
        "resourceclaims.resource.k8s.io" => under(object, &["spec"], policy::resource_claim),
        "resourceclaimtemplates.resource.k8s.io" => under(object, &["spec", "spec"], policy::resource_claim),
        "ingressclasses.networking.k8s.io" => {
            under(object, &["spec", "parameters"], |parameters| fill(parameters, "scope", "Cluster"));
        }
        "apiservices.apiregistration.k8s.io" => {
            under(object, &["spec", "service"], |service| fill(service, "port", 443));
        }
        "priorityclasses.scheduling.k8s.io" => fill(object, "preemptionPolicy", "PreemptLowerPriority"),
        _ => {}
    }
}

/// Writes a key that is absent or null (or "" where the default is no empty text).
fn fill(object: &mut Value, key: &str, value: impl Into<Value>) {
    let given = object.get(key);
    if given.is_null() || given.as_str() == Some("") {
        object.set(&[key], value);
    }
}

fn fill_at(object: &mut Value, path: &[&str], value: impl Into<Value>) {
    let given = object.at(path);
    if given.is_null() || given.as_str() == Some("") {
        object.set(path, value);
    }
}

/// Writes a number that is absent or zero: a field without a pointer cannot tell them apart.
fn fill_zero(object: &mut Value, key: &str, value: i64) {
    if object.get(key).is_empty() {
        object.set(&[key], value);
    }
}

/// Runs a function on what stands at a path, if something does.
fn under(object: &mut Value, path: &[&str], with: impl FnOnce(&mut Value)) {
    if matches!(object.at(path), Value::Map(_)) {
        with(object.at_mut(path));
    }
}

/// Lists to write into where there is one.
trait Lists {
    fn at_mut_list(&mut self, path: &[&str]) -> std::slice::IterMut<'_, Value>;
}

impl Lists for Value {
    fn at_mut_list(&mut self, path: &[&str]) -> std::slice::IterMut<'_, Value> {
        if self.at(path).items().is_empty() {
            return [].iter_mut();
        }
        self.at_mut(path).list_mut().iter_mut()
    }
}

fn secret(object: &mut Value) {
    fill(object, "type", "Opaque");
    for (key, text) in object.remove(&["stringData"]).unwrap_or_default().entries().iter() {
        let data = crate::api::decode::encode_base64(text.str().as_bytes());
        object.at_mut(&["data"]).map_mut().insert(key.clone(), data);
    }
}

fn csi_driver(object: &mut Value) {
    under(object, &["spec"], |spec| {
        fill(spec, "attachRequired", true);
        fill(spec, "podInfoOnMount", false);
        fill(spec, "storageCapacity", false);
        fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        fill(spec, "requiresRepublish", false);
        fill(spec, "seLinuxMount", false);
        fill(spec, "preventPodSchedulingIfMissing", false);
        if spec.get("volumeLifecycleModes").is_empty() {
            spec.set(&["volumeLifecycleModes"], Value::list(vec!["Persistent".into()]));
        }
    });
}

fn limit_range(object: &mut Value) {
    for limit in object.at_mut_list(&["spec", "limits"]) {
        if limit["type"].str() != "Container" {
            continue;
        }
        for (from, to) in [("max", "default"), ("default", "defaultRequest"), ("min", "defaultRequest")] {
            for (name, quantity) in limit.get(from).clone().entries().iter() {
                if limit.at(&[to, name]).is_null() {
                    limit.set(&[to, name], quantity);
                }
            }
        }
    }
}

fn role_binding(object: &mut Value) {
    const GROUP: &str = "rbac.authorization.k8s.io";
    fill_at(object, &["roleRef", "apiGroup"], GROUP);
    for subject in object.at_mut_list(&["subjects"]) {
        if matches!(subject["kind"].str(), "User" | "Group") {
            fill(subject, "apiGroup", GROUP);
        }
    }
}

#[cfg(test)]
mod tests;
