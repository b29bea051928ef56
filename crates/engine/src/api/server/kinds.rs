//! What a URL can name: the resources of the schema, as the server needs them, and what is special about each.

use std::sync::{Arc, LazyLock};

use crate::base::SmolStr;

use super::convert;
use crate::api::schema::{self, Kind};
use crate::api::status::Named;
use crate::base::Value;

#[derive(Debug)]
pub struct Resource {
    pub group: SmolStr,
    pub version: SmolStr,
    pub kind: SmolStr,
    pub plural: SmolStr,
    pub namespaced: bool,
    /// `apps/v1`
    pub api_version: SmolStr,
    /// Its name in the store and the trace: `deployments.apps`. Two versions of one resource share it.
    pub store: SmolStr,
    /// The entry of the schema; `None` for custom resources.
    pub known: Option<&'static Kind>,
    /// `additionalPrinterColumns` of a custom resource's definition.
    pub columns: Value,
    /// Whether a custom resource's definition has the status as a subresource.
    pub own_status: bool,
}

impl PartialEq for Resource {
    fn eq(&self, other: &Resource) -> bool {
        self.store == other.store && self.api_version == other.api_version
    }
}

static ALL: LazyLock<Vec<Arc<Resource>>> = LazyLock::new(|| {
    let resource = |kind: &'static Kind| Resource {
        group: SmolStr::new_static(&kind.group),
        version: SmolStr::new_static(&kind.version),
        kind: SmolStr::new_static(&kind.kind),
        plural: SmolStr::new_static(&kind.resource),
        namespaced: kind.namespaced,
        api_version: kind.api_version().into(),
        store: match (kind.group, kind.resource) {
            ("events.k8s.io", "events") => SmolStr::new_static(&"events"),
            _ => kind.qualified_resource().into(),
        },
        known: Some(kind),
        columns: Value::Null,
        own_status: false,
    };
    schema::kinds().iter().map(|kind| Arc::new(resource(kind))).collect()
});

/// The resource of a group, version and plural.
pub fn find(group: &str, version: &str, plural: &str) -> Option<Arc<Resource>> {
    ALL.iter().find(|r| r.plural == plural && r.group == group && r.version == version).cloned()
}

const CUSTOM_VERBS: [&str; 8] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

impl Resource {
    pub fn named(&self) -> Named {
        Named { group: self.group.clone(), resource: self.plural.clone() }
    }

    /// Group and kind, as a few errors have them.
    pub fn named_kind(&self) -> Named {
        Named { group: self.group.clone(), resource: self.kind.clone() }
    }

    pub fn verbs(&self) -> &[&'static str] {
        self.known.map_or(&CUSTOM_VERBS, |kind| &kind.verbs)
    }

    /// The object as this version shows it.
    pub fn served(&self, object: Value) -> Value {
        self.converted(object, &self.api_version)
    }

    /// What a write stores of an object of this version.
    pub fn stored(&self, object: Value) -> Value {
        match self.store.as_str() {
            "events" => self.converted(object, "v1"),
            "horizontalpodautoscalers.autoscaling" => self.converted(object, "autoscaling/v2"),
            _ => object,
        }
    }

    fn converted(&self, object: Value, api_version: &str) -> Value {
        match self.store.as_str() {
            "events" => convert::event(object, api_version),
            "horizontalpodautoscalers.autoscaling" => convert::autoscaler(object, api_version),
            _ => object,
        }
    }

    pub fn is(&self, store: &str) -> bool {
        self.store == store
    }

    pub fn has_status(&self) -> bool {
        self.known.is_some_and(|kind| kind.subresource("status").is_some())
            || self.is("certificatesigningrequests.certificates.k8s.io")
            || self.own_status
    }

    pub fn generation(&self) -> Generation {
        use Generation::*;
        match self.store.as_str() {
            "deployments.apps" => SpecOrAnnotations,
            "pods"
            | "replicasets.apps"
            | "statefulsets.apps"
            | "daemonsets.apps"
            | "replicationcontrollers"
            | "jobs.batch"
            | "cronjobs.batch"
            | "ingresses.networking.k8s.io"
            | "ingressclasses.networking.k8s.io"
            | "networkpolicies.networking.k8s.io"
            | "poddisruptionbudgets.policy"
            | "horizontalpodautoscalers.autoscaling"
            | "validatingadmissionpolicies.admissionregistration.k8s.io"
            | "validatingadmissionpolicybindings.admissionregistration.k8s.io"
            | "mutatingadmissionpolicies.admissionregistration.k8s.io"
            | "mutatingadmissionpolicybindings.admissionregistration.k8s.io"
            | "flowschemas.flowcontrol.apiserver.k8s.io"
            | "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io"
            | "deviceclasses.resource.k8s.io"
            | "resourceslices.resource.k8s.io"
            | "devicetaintrules.resource.k8s.io"
            | "customresourcedefinitions.apiextensions.k8s.io" => Spec,
            "validatingwebhookconfigurations.admissionregistration.k8s.io"
            | "mutatingwebhookconfigurations.admissionregistration.k8s.io" => Field("webhooks"),
            "endpointslices.discovery.k8s.io" => AllButMetadata,
            "podtemplates" => Field("template"),
            "priorityclasses.scheduling.k8s.io" => Never,
            _ if self.known.is_none() => Content { status: !self.own_status },
            _ => Absent,
        }
    }

    /// Whether a PUT of an object that does not exist creates it.
    pub fn created_by_update(&self) -> bool {
        matches!(
            self.store.as_str(),
            "services"
                | "endpoints"
                | "events"
                | "limitranges"
                | "podtemplates"
                | "leases.coordination.k8s.io"
                | "roles.rbac.authorization.k8s.io"
                | "rolebindings.rbac.authorization.k8s.io"
                | "clusterroles.rbac.authorization.k8s.io"
                | "clusterrolebindings.rbac.authorization.k8s.io"
                | "ipaddresses.networking.k8s.io"
        )
    }

    /// Whether a delete answers the object itself rather than a Status.
    pub fn delete_answers_object(&self) -> bool {
        matches!(
            self.store.as_str(),
            "pods"
                | "services"
                | "namespaces"
                | "serviceaccounts"
                | "persistentvolumes"
                | "persistentvolumeclaims"
                | "resourcequotas"
                | "podtemplates"
                | "storageclasses.storage.k8s.io"
                | "csidrivers.storage.k8s.io"
                | "csinodes.storage.k8s.io"
                | "volumeattachments.storage.k8s.io"
                | "volumeattributesclasses.storage.k8s.io"
                | "deviceclasses.resource.k8s.io"
                | "devicetaintrules.resource.k8s.io"
                | "resourceclaims.resource.k8s.io"
                | "resourceclaimtemplates.resource.k8s.io"
                | "resourceslices.resource.k8s.io"
        )
    }

    /// What becomes of dependents when a delete does not say.
    pub fn orphans_by_default(&self) -> bool {
        matches!(self.store.as_str(), "jobs.batch" | "replicationcontrollers")
    }
}

/// When a write bumps `metadata.generation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Generation {
    /// The kind has none.
    Absent,
    Spec,
    SpecOrAnnotations,
    /// Anything but metadata; labels count.
    AllButMetadata,
    /// Anything but metadata; the status may have its own subresource.
    Content {
        status: bool,
    },
    Field(&'static str),
    /// Stays 1.
    Never,
}

pub fn deprecation(resource: &Resource) -> Option<&'static str> {
    match (resource.group.as_str(), resource.plural.as_str()) {
        ("", "endpoints") => Some("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
        ("", "componentstatuses") => Some("v1 ComponentStatus is deprecated in v1.19+"),
        _ => None,
    }
}
