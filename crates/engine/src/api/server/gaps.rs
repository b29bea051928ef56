//! Kinds the API server stores as a real one does, while nobody here acts on their objects yet. Whoever makes one is
//! told once; the object itself stays what it is.

use crate::base::BTreeSet;

use super::admission::policy::has_unknown;
use super::structural::has_unchecked;
use super::{Call, Server};
use crate::base::{Gap, Value, zone};
use crate::trace::Actor;

/// Pods and objects a cluster holds; a write beyond is refused as not simulated.
pub const MOST_PODS: usize = 20_000;
pub const MOST_OBJECTS: usize = 150_000;

/// Gaps met, each told once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gaps {
    told: BTreeSet<&'static str>,
    new: Vec<Gap>,
}

impl Gaps {
    pub fn meet(&mut self, gap: Gap) {
        if self.told.insert(gap.what) {
            self.new.push(gap);
        }
    }

    pub fn take(&mut self) -> Vec<Gap> {
        std::mem::take(&mut self.new)
    }
}

impl Server {
    /// The user has made an object.
    pub(super) fn meet_gaps(&mut self, call: &Call<'_, '_>, object: &Value) {
        if call.cx.actor != Actor::User || call.dry_run {
            return;
        }
        let store = &call.resource().store;
        let balanced = store == "services" && object["spec"]["type"].str() == "LoadBalancer";
        let gap = match balanced && !self.config.balances_services {
            true => Some(gap(
                "load balancers outside the cluster",
                "the Service works inside the cluster and by its node port",
            )),
            false => unattended(store, object),
        };
        if let Some(gap) = gap {
            self.gaps.meet(gap);
        }
    }

    /// Whether another object of a resource is too many.
    pub(super) fn too_many(&self, resource: &str) -> Option<Gap> {
        if self.store.len() >= MOST_OBJECTS {
            return Some(gap("clusters of more than 150000 objects", ""));
        }
        (resource == "pods" && self.store.count(resource) >= MOST_PODS)
            .then(|| gap("clusters of more than 20000 pods", ""))
    }
}

const fn gap(what: &'static str, instead: &'static str) -> Gap {
    Gap { what, instead }
}

/// What nobody does with an object of this resource.
fn unattended(resource: &str, object: &Value) -> Option<Gap> {
    Some(match resource {
        "cronjobs.batch"
            if !object["spec"]["timeZone"].is_empty() && !zone::is_known(object["spec"]["timeZone"].str()) =>
        {
            gap("time zones that few people use", "the schedule counts in UTC")
        }
        "ingresses.networking.k8s.io" | "ingressclasses.networking.k8s.io" => {
            gap("ingress controllers", "a Service is reached from a pod or by its node port")
        }
        "networkpolicies.networking.k8s.io" => gap("network policies", "every pod reaches every other"),
        "mutatingwebhookconfigurations.admissionregistration.k8s.io"
        | "validatingwebhookconfigurations.admissionregistration.k8s.io" => {
            gap("admission webhooks", "they are stored and never asked")
        }
        "validatingadmissionpolicies.admissionregistration.k8s.io" if has_unknown(object) => {
            gap("rare CEL functions, audit annotations in admission policies", "the rest of a policy is asked")
        }
        "mutatingadmissionpolicies.admissionregistration.k8s.io"
        | "mutatingadmissionpolicybindings.admissionregistration.k8s.io" => {
            gap("mutating admission policies", "they are stored and never asked")
        }
        "customresourcedefinitions.apiextensions.k8s.io"
            if object["spec"]["conversion"]["strategy"].str() == "Webhook" =>
        {
            gap("conversion webhooks", "objects are served as they were written")
        }
        "customresourcedefinitions.apiextensions.k8s.io"
            if object["spec"]["versions"].items().iter().any(has_unchecked) =>
        {
            gap("rare formats and CEL functions in schemas of custom resources", "the rest of a schema is checked")
        }
        "apiservices.apiregistration.k8s.io" if !object["spec"]["service"].is_null() => {
            gap("aggregated API servers", "a CustomResourceDefinition adds a kind")
        }
        "certificatesigningrequests.certificates.k8s.io" => gap("the signing of certificates", ""),
        "resourceclaims.resource.k8s.io"
        | "resourceclaimtemplates.resource.k8s.io"
        | "resourceslices.resource.k8s.io"
        | "deviceclasses.resource.k8s.io" => gap("dynamic resources", ""),
        "csidrivers.storage.k8s.io" | "csinodes.storage.k8s.io" | "volumeattachments.storage.k8s.io" => {
            gap("CSI drivers", "")
        }
        "flowschemas.flowcontrol.apiserver.k8s.io" | "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io" => {
            gap("API priority and fairness", "every request is answered at once")
        }
        _ => return None,
    })
}
