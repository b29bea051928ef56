//! What admission does to claims and to Ingresses: the default class of each.

use crate::api::object;
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::Value;
use crate::base::quantity::Quantity;
use crate::store::Key;

impl Server {
    pub(super) fn default_storage_class(&self, claim: &mut Value) {
        if claim["spec"].has("storageClassName") && !claim["spec"]["storageClassName"].is_null() {
            return;
        }
        let annotation = "storageclass.kubernetes.io/is-default-class";
        if let Some(name) = self.default_class("storageclasses.storage.k8s.io", annotation) {
            claim.set(&["spec", "storageClassName"], name);
        }
    }

    pub(super) fn default_ingress_class(&self, ingress: &mut Value) {
        let old_way = ingress["metadata"]["annotations"].has("kubernetes.io/ingress.class");
        if old_way || !ingress["spec"]["ingressClassName"].is_null() {
            return;
        }
        let annotation = "ingressclass.kubernetes.io/is-default-class";
        if let Some(name) = self.default_class("ingressclasses.networking.k8s.io", annotation) {
            ingress.set(&["spec", "ingressClassName"], name);
        }
    }

    /// The newest default class; of equally old ones the smaller name.
    fn default_class(&self, resource: &str, annotation: &str) -> Option<String> {
        self.store
            .list(resource, None)
            .filter(|(_, class)| object::annotation(class, annotation) == "true")
            .max_by_key(|(key, class)| (object::created(class), std::cmp::Reverse(key.name.clone())))
            .map(|(key, _)| key.name.to_string())
    }

    /// PersistentVolumeClaimResize.
    pub(super) fn check_resize(&self, call: &Call<'_, '_>, old: &Value, new: &Value) -> Result<()> {
        let asked = |claim: &Value| Quantity::of(claim.at(&["spec", "resources", "requests", "storage"]));
        if asked(new) <= asked(old) {
            return Ok(());
        }
        let what = call.resource().named();
        let name = object::name(old);
        if old["status"]["phase"].str() != "Bound" {
            // An unbound claim's spec is immutable; validation says so.
            return Ok(());
        }
        let class = old["spec"]["storageClassName"].smol();
        let key = Key { resource: "storageclasses.storage.k8s.io".into(), namespace: Default::default(), name: class };
        let expands = self.store.get(&key).is_some_and(|class| class["allowVolumeExpansion"].is_true());
        if expands {
            return Ok(());
        }
        let why = "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must \
                   support resize";
        Err(Status::forbidden(&what, name, why))
    }
}
