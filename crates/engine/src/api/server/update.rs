//! PUT, and the common end of all writes to an object that exists.

use super::body::{self, Wanted};
use super::{Call, Result, Server, meta};
use crate::api::object;
use crate::api::status::Status;
use crate::api::validation;
use crate::base::Value;
use crate::base::http::Response;

impl Server {
    pub(super) fn update(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let resource = call.target.resource.clone();
        let wanted = Wanted::new(&resource.group, &resource.version, &resource.kind);
        let object = body::object(call, &wanted)?;
        let mut object = resource.stored(object);
        self.check_names(call, &mut object)?;
        let Some(old) = self.store.get(&call.key()).cloned() else {
            let what = resource.named();
            if resource.created_by_update() {
                let object = self.create_object(call, object)?;
                return Ok(self.respond(call, 201, object));
            }
            return Err(Status::not_found(&what, &call.target.name));
        };
        let object = self.replace(call, "update", old, object)?;
        Ok(self.respond(call, 200, object))
    }

    /// The names in an object and those in the URL.
    pub(super) fn check_names(&self, call: &Call<'_, '_>, object: &mut Value) -> Result<()> {
        let name = object::name(object);
        let wanted = &call.target.name;
        if name.is_empty() {
            object.set(&["metadata", "name"], wanted);
        } else if name != wanted {
            return Err(Status::bad_request(format!(
                "the name of the object ({name}) does not match the name on the URL ({wanted})"
            )));
        }
        meta::check_namespace(call, object)
    }

    /// Stores `new` in place of `old`, if its resourceVersion allows it.
    pub(super) fn replace(
        &mut self,
        call: &mut Call<'_, '_>,
        verb: &'static str,
        old: Value,
        mut new: Value,
    ) -> Result<Value> {
        let resource = call.target.resource.clone();
        let what = resource.named();
        if resource.own_status && call.target.subresource == "status" {
            // Nothing else that was sent is looked at.
            let sent = std::mem::replace(&mut new, old.clone());
            for path in [&["status"][..], &["metadata"]] {
                meta::restore(&sent, &mut new, path);
            }
        }
        new = self.structural(call, new, &old)?;
        new = meta::complete(call, new);
        meta::share(&old, &mut new);
        let sent = new["metadata"]["resourceVersion"].smol();
        if !sent.is_empty() && sent != "0" && sent != old["metadata"]["resourceVersion"].str() {
            return Err(Status::stale(&what, &call.target.name));
        }
        let (sent, stored) = (object::uid(&new), object::uid(&old));
        if !sent.is_empty() && sent != stored && call.verb == "update" {
            return Err(Status::other_uid(&what, &call.target.namespace, &call.target.name, sent, stored));
        }
        self.prepare(call, &old, &mut new);
        let mut written = meta::encoded(call, &new, &old);
        self.credit(call, Some(&old), &mut written);
        meta::restore(&written, &mut new, &["metadata", "managedFields"]);
        self.admit_update(call, &old, &mut new)?;
        if resource.is("services") && call.target.subresource.is_empty() {
            self.allocate(call, &old, &mut new)?;
        }
        let sent = new;
        let mut new = meta::encoded(call, &sent, &old);
        meta::share(&old, &mut new);
        if meta::bumps_generation(resource.generation(), &old, &new) && call.target.subresource != "status" {
            meta::bump_generation(&mut new);
        }
        self.validate_update(call, &old, &new, &sent)?;
        if !call.trusted && call.target.subresource.is_empty() {
            super::warnings::of(&resource.store, &new, false).into_iter().for_each(|text| call.warn(text));
        }
        self.admit_late(call, &old, &new)?;
        self.put(call, verb, old, new)
    }

    fn prepare(&self, call: &Call<'_, '_>, old: &Value, new: &mut Value) {
        match call.target.subresource.as_str() {
            "" | "scale" => meta::prepare_update(call.resource(), old, new),
            sub => {
                let owners = new["metadata"]["managedFields"].clone();
                super::subresource::prepare(call.resource(), sub, old, new);
                if call.applied {
                    new.set(&["metadata", "managedFields"], owners);
                }
            }
        }
    }

    /// The write itself: nothing when nothing changed, a removal when the last finalizer of a deletion went.
    pub(super) fn put(&mut self, call: &mut Call<'_, '_>, verb: &'static str, old: Value, new: Value) -> Result<Value> {
        if old == new {
            return Ok(old);
        }
        let key = call.key();
        let meta = &new["metadata"];
        let finished = object::is_deleting(&new)
            && meta["finalizers"].items().is_empty()
            && meta["deletionGracePeriodSeconds"].int() == 0
            && (!call.resource().is("namespaces") || new["spec"]["finalizers"].items().is_empty());
        if finished {
            let gone = self.remove(call, key, new);
            return Ok(gone);
        }
        let service = call.resource().is("services") && call.target.subresource.is_empty();
        if service && old["spec"]["clusterIP"] != new["spec"]["clusterIP"] {
            self.claim_address(call, &new);
            let stored = self.commit(call, verb, key, old.clone(), new);
            self.release_address(call, &old);
            return Ok(stored);
        }
        Ok(self.commit(call, verb, key, old, new))
    }

    /// Subresources change what their own handlers have looked at. What an error quotes is what was sent, empty or
    /// not; what is compared is what will be written.
    fn validate_update(&self, call: &Call<'_, '_>, old: &Value, new: &Value, sent: &Value) -> Result<()> {
        let resource = call.resource();
        let own = call.trusted && matches!(resource.store.as_str(), "pods" | "events");
        if call.target.subresource == "ephemeralcontainers" {
            let errors = validation::update_ephemeral_containers(new, old);
            return if errors.is_empty() { Ok(()) } else { super::create::invalid(call, new, errors) };
        }
        if resource.is("pods") && call.target.subresource == "resize" {
            let class = Some(meta::qos_class(old)).filter(|class| meta::qos_class(new) != *class);
            let errors = validation::resize(new, old, class);
            return if errors.is_empty() { Ok(()) } else { super::create::invalid(call, new, errors) };
        }
        if own || !call.target.subresource.is_empty() {
            return Ok(());
        }
        let errors = validation::update(&resource.store, new, old);
        if errors.is_empty() {
            return Ok(());
        }
        let quoted = validation::update(&resource.store, sent, old);
        let errors = if quoted.len() == errors.len() { quoted } else { errors };
        super::create::invalid(call, new, errors)
    }
}
