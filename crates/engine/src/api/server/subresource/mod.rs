//! Subresources: status here, the others each in a file of their own.

mod ephemeral;
mod eviction;
mod pod;
mod scale;
mod token;

use super::kinds::Resource;
use super::{Answer, Call, Result, Server, meta};
use crate::api::status::Status;
use crate::base::Value;
use crate::map;

impl Server {
    pub(super) fn subresource(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        let sub = call.target.subresource.clone();
        let store = call.resource().store.clone();
        if !self.has_subresource(call.resource(), &sub) {
            return Err(match call.resource().known {
                Some(_) => Status::no_such_resource(),
                None => Status::not_found(&call.resource().named(), &call.target.name),
            });
        }
        let response = match (store.as_str(), sub.as_str(), call.verb) {
            (_, "status" | "approval", "get") => self.get(call),
            (_, "status" | "approval", "update") => self.update(call),
            (_, "status" | "approval", "patch") => self.patch(call),
            (_, "scale", _) => self.scale(call),
            ("pods", "log", "get") => return self.log(call),
            ("pods", "exec", "get" | "create") => return self.exec(call),
            ("pods", "attach", "get" | "create") => return self.attach(call),
            ("pods", "portforward", "get" | "create") => return self.port_forward(call),
            ("pods", "binding", "create") => self.bind(call),
            ("pods", "eviction", "create") => self.evict(call),
            ("pods", "ephemeralcontainers" | "resize", "get") => self.get(call),
            ("pods", "ephemeralcontainers" | "resize", "update") => self.update(call),
            ("pods", "ephemeralcontainers" | "resize", "patch") => self.patch(call),
            ("serviceaccounts", "token", "create") => self.token(call),
            ("namespaces", "finalize", "update") => self.update(call),
            (_, "proxy", _) => Err(Status::gap("proxying through the API server", "use kubectl port-forward or exec")),
            _ => Err(Status::not_supported(call.verb, &call.resource().named())),
        }?;
        Ok(Answer::Done(response))
    }

    fn has_subresource(&self, resource: &Resource, sub: &str) -> bool {
        match resource.known {
            Some(kind) => kind.subresource(sub).is_some(),
            None => self.definition_of(resource).is_some_and(|(_, version)| version["subresources"].has(sub)),
        }
    }
}

/// Of an update of a subresource only its part counts; everything else stays as it was.
pub fn prepare(resource: &Resource, sub: &str, old: &Value, new: &mut Value) {
    let sent = std::mem::replace(new, old.clone());
    match (resource.store.as_str(), sub) {
        (_, "status") => prepare_status(resource, &sent, new),
        ("namespaces", "finalize") => meta::restore(&sent, new, &["spec", "finalizers"]),
        ("certificatesigningrequests.certificates.k8s.io", "approval") => {
            meta::restore(&sent, new, &["status", "conditions"]);
        }
        ("pods", "ephemeralcontainers") => meta::restore(&sent, new, &["spec", "ephemeralContainers"]),
        ("pods", "resize") => ephemeral::take_resources(&sent, new),
        _ => {}
    }
}

/// The status counts, and labels, annotations and finalizers where the kind lets them.
fn prepare_status(resource: &Resource, sent: &Value, new: &mut Value) {
    meta::restore(sent, new, &["status"]);
    let kept: &[&str] = match resource.store.as_str() {
        "deployments.apps" | "daemonsets.apps" | "statefulsets.apps" => &["annotations", "finalizers"],
        _ if resource.known.is_none() => &[],
        _ => &["annotations", "finalizers", "labels"],
    };
    for key in kept {
        meta::restore(sent, new, &["metadata", key]);
    }
    // Optimistic locking looks at what was sent.
    meta::restore(sent, new, &["metadata", "resourceVersion"]);
}

/// `Status{status: Success}`: what binding and eviction answer.
fn success(code: i64) -> Value {
    map! {
        "kind" => "Status", "apiVersion" => "v1", "metadata" => Value::empty_map(), "status" => "Success",
        "code" => code,
    }
}
