//! Admission: what the server adds to objects and what it refuses beyond validation, in the order of the plugins.
//!
//! Here: NamespaceLifecycle, LimitRanger, ServiceAccount, TaintNodesByCondition, Priority, DefaultTolerationSeconds,
//! DefaultStorageClass, StorageObjectInUseProtection, RuntimeClass, DefaultIngressClass, PodTopologyLabels,
//! PodSecurity, ResourceQuota, NodeRestriction (changes of nodes), ValidatingAdmissionPolicy. Left out: webhooks,
//! MutatingAdmissionPolicy, certificates.

mod limits;
mod pod;
pub(super) mod policy;
pub(crate) mod quota;
mod security;
mod storage;

use super::{Call, Result, Server};
use crate::api::object;
use crate::api::resource::NAMESPACES;
use crate::api::status::{Named, Status};
use crate::base::Value;
use crate::store::Key;
use crate::{list, map};

impl Server {
    /// Mutating and refusing plugins on a create; the name is not generated yet.
    pub(super) fn admit_create(&mut self, call: &mut Call<'_, '_>, object: &mut Value) -> Result<()> {
        self.namespace_lifecycle(call, object)?;
        self.check_escalation(call, &Value::Null, object)?;
        match call.resource().store.as_str() {
            "pods" => self.admit_pod(call, object),
            "namespaces" => security::check_levels(&Value::Null, object),
            "nodes" => {
                taint_node(object);
                Ok(())
            }
            "persistentvolumeclaims" => {
                self.default_storage_class(object);
                protect(object, "kubernetes.io/pvc-protection");
                Ok(())
            }
            "persistentvolumes" => {
                protect(object, "kubernetes.io/pv-protection");
                Ok(())
            }
            "volumeattributesclasses.storage.k8s.io" => {
                protect(object, "kubernetes.io/vac-protection");
                Ok(())
            }
            "ingresses.networking.k8s.io" => {
                self.default_ingress_class(object);
                Ok(())
            }
            "priorityclasses.scheduling.k8s.io" => self.one_default_priority(call, object),
            _ => Ok(()),
        }
    }

    pub(super) fn admit_update(&mut self, call: &mut Call<'_, '_>, old: &Value, new: &mut Value) -> Result<()> {
        if !call.target.subresource.is_empty() {
            return Ok(());
        }
        self.check_escalation(call, old, new)?;
        match call.resource().store.as_str() {
            "pods" => {
                pod::admit_changed(old, new);
                Ok(())
            }
            "namespaces" => security::check_levels(old, new),
            "nodes" => self.restrict_node(call, old, new),
            "persistentvolumeclaims" => self.check_resize(call, old, new),
            "priorityclasses.scheduling.k8s.io" => self.one_default_priority(call, new),
            _ => Ok(()),
        }
    }

    /// Plugins that look at the finished object: quota.
    pub(super) fn admit_late(&mut self, call: &mut Call<'_, '_>, old: &Value, new: &Value) -> Result<()> {
        let resource = call.target.resource.clone();
        let store = resource.store.as_str();
        let sub = call.target.subresource.clone();
        let counted = matches!(store, "pods" | "services" | "persistentvolumeclaims");
        if old.is_null() && matches!(store, "pods" | "persistentvolumeclaims") {
            self.check_limits(call, new)?;
        }
        let has_pods = matches!(
            store,
            "pods"
                | "podtemplates"
                | "deployments.apps"
                | "replicasets.apps"
                | "statefulsets.apps"
                | "daemonsets.apps"
                | "jobs.batch"
                | "cronjobs.batch"
                | "replicationcontrollers"
        );
        if has_pods && (old.is_null() || (store != "pods" && sub.is_empty())) {
            self.pod_security(call, new)?;
        }
        if store == "pods" && sub == "resize" {
            self.check_room(call, new)?;
        }
        self.check_policies(call, old, new)?;
        if old.is_null() || (counted && matches!(sub.as_str(), "" | "resize")) {
            self.check_quota(call, old, new)?;
        }
        Ok(())
    }

    fn namespace_lifecycle(&self, call: &Call<'_, '_>, object: &Value) -> Result<()> {
        let namespace = &call.target.namespace;
        if namespace.is_empty() {
            return Ok(());
        }
        match self.namespace(namespace) {
            None => Err(Status::not_found(&Named::new("", "namespaces"), namespace)),
            Some(found) if found["status"]["phase"].str() == "Terminating" || object::is_deleting(found) => {
                Err(Status::namespace_terminating(&call.resource().named(), known_name(object), namespace))
            }
            Some(_) => Ok(()),
        }
    }

    pub(super) fn namespace(&self, name: &str) -> Option<&Value> {
        self.store.get(&Key { resource: NAMESPACES, namespace: Default::default(), name: name.into() })
    }

    fn one_default_priority(&self, call: &Call<'_, '_>, object: &Value) -> Result<()> {
        if !object["globalDefault"].is_true() {
            return Ok(());
        }
        let name = object::name(object);
        let other = self
            .store
            .list("priorityclasses.scheduling.k8s.io", None)
            .find(|(key, other)| key.name != name && other["globalDefault"].is_true());
        match other {
            None => Ok(()),
            Some((key, _)) => {
                let why =
                    format!("PriorityClass {} is already marked as default. Only one default can exist", key.name);
                Err(Status::forbidden(&call.resource().named(), name, &why))
            }
        }
    }
}

/// The name, or what is known of it before it is generated.
pub fn known_name(object: &Value) -> &str {
    match object::name(object) {
        "" => object.at(&["metadata", "generateName"]).str(),
        name => name,
    }
}

fn protect(object: &mut Value, finalizer: &str) {
    let finalizers = &object["metadata"]["finalizers"];
    if !finalizers.items().iter().any(|item| item.str() == finalizer) {
        object.at_mut(&["metadata", "finalizers"]).list_mut().push(finalizer.into());
    }
}

/// A new node is not ready until somebody says so.
fn taint_node(node: &mut Value) {
    const KEY: &str = "node.kubernetes.io/not-ready";
    let taints = &node["spec"]["taints"];
    let there = taints.items().iter().any(|taint| taint["key"].str() == KEY && taint["effect"].str() == "NoSchedule");
    if !there {
        let taint = map! { "key" => KEY, "effect" => "NoSchedule" };
        if taints.items().is_empty() {
            node.set(&["spec", "taints"], list![taint]);
        } else {
            node.at_mut(&["spec", "taints"]).list_mut().push(taint);
        }
    }
}
