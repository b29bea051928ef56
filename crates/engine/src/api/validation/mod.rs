//! Validation: what the server refuses of a decoded and defaulted object, in the order it tells it.
//!
//! One file a kind or group of kinds; `common`, `names`, `meta`, `selector` and `internal` are shared. Declarative checks
//! of 1.37 stand where the server tells them (last). Left out: kinds that only check metadata here (see `rule`).

mod autoscaling;
mod batch;
mod common;
mod config;
mod container;
pub mod cron;
mod definition;
mod internal;
mod job_policy;
mod meta;
pub mod names;
mod network;
mod pod;
mod pod_update;
mod policy;
mod probe;
mod rbac;
mod resources;
mod scheduling;
mod selector;
mod service;
mod storage;
mod volume;
mod workload;

use common::Errors;

use super::field_error::{FieldError, Path};
use crate::base::Value;

/// What is wrong with a new object of a resource (`pods`, `deployments.apps`).
pub fn create(resource: &str, object: &Value) -> Vec<FieldError> {
    let errors = &mut Errors::default();
    if resource == "pods" {
        pod::create(errors, object);
    } else {
        meta::create(errors, &object["metadata"], rule(resource));
        own(errors, resource, object);
    }
    std::mem::take(&mut errors.0)
}

/// What is wrong with a changed object.
pub fn update(resource: &str, new: &Value, old: &Value) -> Vec<FieldError> {
    let errors = &mut Errors::default();
    meta::update(errors, &new["metadata"], &old["metadata"]);
    match resource {
        "pods" => pod_update::update(errors, new, old),
        "deployments.apps" | "replicasets.apps" => {
            own(errors, resource, new);
            workload::selector_immutable(errors, new, old);
        }
        "statefulsets.apps" => workload::stateful_set_update(errors, new, old),
        "daemonsets.apps" => {
            workload::selector_immutable(errors, new, old);
            own(errors, resource, new);
        }
        "jobs.batch" => batch::job_update(errors, new, old),
        "services" => service::update(errors, new, old),
        "configmaps" => config::config_map_update(errors, new, old),
        "secrets" => config::secret_update(errors, new, old),
        "persistentvolumeclaims" => storage::claim_update(errors, new, old),
        "persistentvolumes" => {
            own(errors, resource, new);
            storage::volume_update(errors, new, old);
        }
        "storageclasses.storage.k8s.io" => storage::class_update(errors, new, old),
        "priorityclasses.scheduling.k8s.io" => policy::priority_class_update(errors, new, old),
        "resourcequotas" => {
            own(errors, resource, new);
            policy::quota_update(errors, new, old);
        }
        "rolebindings.rbac.authorization.k8s.io" | "clusterrolebindings.rbac.authorization.k8s.io" => {
            own(errors, resource, new);
            rbac::binding_update(errors, new, old);
        }
        "nodes" => config::node_update(errors, new, old),
        _ => own(errors, resource, new),
    }
    std::mem::take(&mut errors.0)
}

/// What is wrong with a pod changed through its subresource `ephemeralcontainers`.
pub fn update_ephemeral_containers(new: &Value, old: &Value) -> Vec<FieldError> {
    let errors = &mut Errors::default();
    meta::update(errors, &new["metadata"], &old["metadata"]);
    pod_update::ephemeral(errors, new, old);
    std::mem::take(&mut errors.0)
}

/// What is wrong with a resize; the pod's class when it would no longer be that.
pub fn resize(new: &Value, old: &Value, class: Option<&str>) -> Vec<FieldError> {
    let errors = &mut Errors::default();
    meta::update(errors, &new["metadata"], &old["metadata"]);
    pod::spec(errors, &Path::new("spec"), &new["spec"], false);
    if let Some(class) = class {
        errors.invalid(&Path::new("spec"), class, "Pod QOS Class may not change as a result of resizing");
    }
    pod_update::resize(errors, &new["spec"], &old["spec"]);
    std::mem::take(&mut errors.0)
}

/// How an object of a resource may be named.
fn rule(resource: &str) -> fn(&str) -> names::Complaints {
    match resource {
        "namespaces" | "services" | "statefulsets.apps" => names::label,
        "apiservices.apiregistration.k8s.io"
        | "ipaddresses.networking.k8s.io"
        | "clustertrustbundles.certificates.k8s.io" => names::path_segment,
        _ if resource.ends_with(".rbac.authorization.k8s.io") => names::path_segment,
        _ => names::subdomain,
    }
}

/// Everything but metadata, as far as creation and update agree.
fn own(errors: &mut Errors, resource: &str, object: &Value) {
    match resource {
        "deployments.apps" => workload::deployment(errors, object),
        "replicasets.apps" => workload::replica_set(errors, object),
        "replicationcontrollers" => workload::replication_controller(errors, object),
        "statefulsets.apps" => workload::stateful_set(errors, object),
        "daemonsets.apps" => workload::daemon_set(errors, object),
        "jobs.batch" => batch::job(errors, object),
        "cronjobs.batch" => batch::cron_job(errors, object),
        "services" => service::service(errors, object),
        "endpointslices.discovery.k8s.io" => service::endpoint_slice(errors, object),
        "configmaps" => config::config_map(errors, object),
        "secrets" => config::secret(errors, object),
        "namespaces" => config::namespace(errors, object),
        "nodes" => config::node(errors, object),
        "events" => config::event(errors, object),
        "persistentvolumeclaims" => storage::claim(errors, object),
        "persistentvolumes" => storage::volume(errors, object),
        "storageclasses.storage.k8s.io" => storage::class(errors, object),
        "ingresses.networking.k8s.io" => network::ingress(errors, object),
        "networkpolicies.networking.k8s.io" => network::policy(errors, object),
        "horizontalpodautoscalers.autoscaling" => autoscaling::autoscaler(errors, object),
        "poddisruptionbudgets.policy" => policy::budget(errors, object),
        "resourcequotas" => policy::quota(errors, object),
        "limitranges" => policy::limit_range(errors, object),
        "priorityclasses.scheduling.k8s.io" => policy::priority_class(errors, object),
        "leases.coordination.k8s.io" => policy::lease(errors, object),
        "roles.rbac.authorization.k8s.io" => rbac::role(errors, object, true),
        "clusterroles.rbac.authorization.k8s.io" => rbac::role(errors, object, false),
        "rolebindings.rbac.authorization.k8s.io" => rbac::binding(errors, object, true),
        "clusterrolebindings.rbac.authorization.k8s.io" => rbac::binding(errors, object, false),
        "certificatesigningrequests.certificates.k8s.io" => rbac::signing_request(errors, object),
        "customresourcedefinitions.apiextensions.k8s.io" => definition::definition(errors, object),
        _ => {}
    }
}

#[cfg(test)]
mod tests;
