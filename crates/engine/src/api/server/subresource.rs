//! Subresources: status, scale, binding, eviction and the rest.

use super::kinds::Resource;
use super::{Answer, Call, Result, Server, meta};
use crate::api::status::Status;
use crate::base::Value;

impl Server {
    pub(super) fn subresource(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        let sub = call.target.subresource.clone();
        let known = call.resource().known.and_then(|kind| kind.subresource(&sub));
        if known.is_none() {
            return Err(Status::no_such_resource());
        }
        let response = match (sub.as_str(), call.verb) {
            ("status", "get") => self.get(call),
            ("status", "update") => self.update(call),
            ("status", "patch") => self.patch(call),
            _ => Err(Status::gap("this subresource", "")),
        }?;
        Ok(Answer::Done(response))
    }
}

/// Of an update of the status only the status counts, and labels, annotations and finalizers where the kind lets it.
pub fn prepare_status(resource: &Resource, old: &Value, new: &mut Value) {
    let status = new["status"].clone();
    let sent = new["metadata"].clone();
    *new = old.clone();
    if status.is_null() {
        new.remove(&["status"]);
    } else {
        new.set(&["status"], status);
    }
    let kept: &[&str] = match resource.store.as_str() {
        "deployments.apps" | "daemonsets.apps" | "statefulsets.apps" => &["annotations", "finalizers"],
        _ if resource.known.is_none() => &[],
        _ => &["annotations", "finalizers", "labels"],
    };
    for key in kept {
        meta::restore(&crate::map! { "metadata" => sent.clone() }, new, &["metadata", key]);
    }
}
