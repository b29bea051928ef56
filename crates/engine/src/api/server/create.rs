//! POST: decode, fill in, admit, validate, store.

use super::body::{self, Wanted};
use super::{Call, Result, Server, meta};
use crate::api::apply::{self, Writer};
use crate::api::field_error::FieldError;
use crate::api::object;
use crate::api::schema;
use crate::api::status::Status;
use crate::api::validation;
use crate::base::Value;
use crate::base::http::Response;
use crate::map;

/// How often a generated name that is taken is drawn again.
const NAME_ATTEMPTS: usize = 8;
/// Objects a cluster holds. A real one ends at a number of bytes, with the same words.
const MOST_OBJECTS: usize = 100_000;

impl Server {
    pub(super) fn create(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let resource = call.target.resource.clone();
        if resource.namespaced && call.target.namespace.is_empty() {
            return Err(Status::method_not_allowed());
        }
        let wanted = Wanted::new(&resource.group, &resource.version, &resource.kind);
        let object = body::object(call, &wanted)?;
        let object = self.create_object(call, object)?;
        Ok(self.respond(call, 201, object))
    }

    /// Everything after decoding; PUT and server-side apply create in the same way.
    pub(super) fn create_object(&mut self, call: &mut Call<'_, '_>, object: Value) -> Result<Value> {
        let resource = call.target.resource.clone();
        let object = self.structural(call, object, &Value::Null)?;
        let mut object = meta::complete(call, object);
        meta::check_namespace(call, &mut object)?;
        if !object["metadata"]["resourceVersion"].is_empty() {
            return Err(Status::unexpected("resourceVersion should not be set on objects to be created"));
        }
        let what = resource.named();
        let base = object.at(&["metadata", "generateName"]).smol();
        let generated = object::name(&object).is_empty() && !base.is_empty();
        if resource.has_status() && !resource.is("nodes") {
            object.remove(&["status"]);
        }
        // Owned are the fields that are written, not those that were sent empty.
        let mut written = meta::encoded(call, &object, &Value::Null);
        let known = written.clone();
        self.credit(call, None, &mut written);
        meta::restore(&written, &mut object, &["metadata", "managedFields"]);
        self.admit_create(call, &mut object)?;
        meta::fill(call, &mut object);
        if generated {
            let mut name = String::new();
            let mut free = false;
            for _ in 0..NAME_ATTEMPTS {
                name = meta::generate_name(call, &base);
                free = self.store.get(&call.target.key(&name)).is_none();
                if free {
                    break;
                }
            }
            if !free {
                return Err(Status::no_unique_name(&what, &name));
            }
            object.set(&["metadata", "name"], name);
        }
        let service = resource.is("services");
        if service {
            self.allocate(call, &Value::Null, &mut object)?;
        }
        meta::prepare_create(&resource, &mut object, call.cx.now);
        self.validate_create(call, &object)?;
        if !call.trusted {
            super::warnings::of(&resource.store, &object, true).into_iter().for_each(|text| call.warn(text));
        }
        let name = object.at(&["metadata", "name"]).smol();
        let key = call.target.key(&name);
        if let Some(there) = self.store.get(&key) {
            return Err(match object::is_deleting(there) {
                true => Status::exists_but_deleting(&what, &name),
                false => Status::already_exists(&what, &name),
            });
        }
        if self.store.len() >= MOST_OBJECTS {
            return Err(Status::unexpected("etcdserver: mvcc: database space exceeded"));
        }
        self.admit_late(call, &Value::Null, &object)?;
        if let Some(gap) = self.too_many(&resource.store) {
            self.gaps.meet(gap);
            return Err(Status::gap(gap.what, gap.instead));
        }
        let object = meta::encoded(call, &object, &known);
        if service {
            self.claim_address(call, &object);
        }
        let stored = self.commit(call, "create", key, Value::Null, object);
        self.meet_gaps(call, &stored);
        if resource.is(super::custom::DEFINITIONS) && !call.dry_run {
            self.establish(call, &stored);
        }
        if resource.is(super::admission::policy::POLICIES) && !call.dry_run {
            self.write_checked(call, &stored);
        }
        Ok(stored)
    }

    /// The types of a new policy's rules have been looked at (its controller's status).
    fn write_checked(&mut self, call: &mut Call<'_, '_>, stored: &Value) {
        let mut new = stored.clone();
        let status = map! {
            "observedGeneration" => stored["metadata"].get("generation"), "typeChecking" => Value::empty_map(),
        };
        new.set(&["status"], status);
        let manager = std::mem::replace(&mut call.manager, "validatingadmissionpolicy-status".into());
        let sub = std::mem::replace(&mut call.target.subresource, "status".into());
        self.credit(call, Some(stored), &mut new);
        let key = call.target.key(object::name(stored));
        self.commit(call, "update", key, stored.clone(), new);
        call.manager = manager;
        call.target.subresource = sub;
    }

    /// Credits the write to its field manager.
    pub(super) fn credit(&self, call: &Call<'_, '_>, before: Option<&Value>, after: &mut Value) {
        if call.applied {
            return;
        }
        let writer = Writer {
            manager: &call.manager,
            api_version: &call.resource().api_version,
            subresource: &call.target.subresource,
            now: call.cx.now,
        };
        apply::update_managed_fields(call.resource().known.map(|kind| kind.ty), before, after, &writer);
    }

    /// Credits a write of the server itself to an object of another kind than the call's.
    pub(super) fn credit_own(&self, call: &Call<'_, '_>, before: Option<&Value>, after: &mut Value, sub: &str) {
        let version = after["apiVersion"].smol();
        let (group, number) = schema::group_version(&version);
        let ty = schema::kind(group, number, after["kind"].str()).map(|kind| kind.ty);
        let writer = Writer { manager: "kube-apiserver", api_version: &version, subresource: sub, now: call.cx.now };
        apply::update_managed_fields(ty, before, after, &writer);
    }

    /// Pods and Events of the cluster's own components come from objects that have been looked at.
    fn validate_create(&self, call: &Call<'_, '_>, object: &Value) -> Result<()> {
        let resource = call.resource();
        if call.trusted && matches!(resource.store.as_str(), "pods" | "events") {
            return Ok(());
        }
        invalid(call, object, validation::create(&resource.store, object))
    }
}

/// The refusal that tells all errors, if there are any.
pub fn invalid(call: &Call<'_, '_>, object: &Value, errors: Vec<FieldError>) -> Result<()> {
    if errors.is_empty() {
        return Ok(());
    }
    let resource = call.resource();
    let parts: Vec<_> = errors.into_iter().map(FieldError::parts).collect();
    Err(Status::invalid(&resource.group, &resource.kind, object::name(object), &parts))
}
