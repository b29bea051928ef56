//! DELETE: preconditions, grace, finalizers of the garbage collector, and the removal itself.

use super::body::{self};
use super::{Call, Result, Server, meta};
use crate::api::object;
use crate::api::status::{self, Status};
use crate::base::http::Response;
use crate::base::{Span, Time, Value};
use crate::map;
use crate::store::Key;

const ORPHAN: &str = "orphan";
const FOREGROUND: &str = "foregroundDeletion";

/// DeleteOptions, from the body or the query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    grace: Option<i64>,
    policy: Option<String>,
    orphan_dependents: Option<bool>,
    uid: String,
    resource_version: String,
}

impl Options {
    fn read(call: &mut Call<'_, '_>) -> Result<Options> {
        let body = body::tree(&call.request.body, &call.request.content_type)?;
        let mut options = Options::of(&body)?;
        if body["dryRun"].items().iter().any(|item| item.str() == "All") {
            call.dry_run = true;
        }
        if body.is_null() {
            options.grace = call.request.query("gracePeriodSeconds").parse().ok();
            options.orphan_dependents = call.request.query("orphanDependents").parse().ok();
            let policy = call.request.query("propagationPolicy");
            options.policy = (!policy.is_empty()).then(|| policy.to_owned());
        }
        options.check()?;
        Ok(options)
    }

    /// DeleteOptions as a tree has them.
    pub fn of(body: &Value) -> Result<Options> {
        let options = Options {
            grace: body["gracePeriodSeconds"].as_int(),
            policy: body["propagationPolicy"].as_str().map(str::to_owned),
            orphan_dependents: body["orphanDependents"].as_bool(),
            uid: body.at(&["preconditions", "uid"]).str().to_owned(),
            resource_version: body.at(&["preconditions", "resourceVersion"]).str().to_owned(),
        };
        options.check()?;
        Ok(options)
    }

    fn check(&self) -> Result<()> {
        let mut errors = Vec::new();
        if self.orphan_dependents.is_some() && self.policy.is_some() {
            let body = "Invalid value: \"\": orphanDependents and deletionPropagation cannot be both set";
            errors.push(("propagationPolicy".into(), body.into(), "FieldValueInvalid"));
        }
        if let Some(policy) = &self.policy
            && !matches!(policy.as_str(), "Foreground" | "Background" | "Orphan")
        {
            let body = format!(
                "Unsupported value: {}: supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"",
                crate::base::goquote::quote(policy)
            );
            errors.push(("propagationPolicy".into(), body, "FieldValueNotSupported"));
        }
        if errors.is_empty() { Ok(()) } else { Err(Status::invalid("meta.k8s.io", "DeleteOptions", "", &errors)) }
    }
}

impl Server {
    pub(super) fn delete(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let options = Options::read(call)?;
        let resource = call.target.resource.clone();
        let what = resource.named();
        let name = call.target.name.clone();
        if resource.is("namespaces") && matches!(name.as_str(), "default" | "kube-system" | "kube-public") {
            return Err(Status::forbidden(&what, &name, "this namespace may not be deleted"));
        }
        if resource.is("jobs.batch") && options.policy.is_none() && options.orphan_dependents.is_none() {
            call.warn(
                "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to \
                 remove them or set propagationPolicy=Orphan to suppress this warning",
            );
        }
        let object = self.object(call)?;
        let (object, gone) = self.delete_object(call, call.key(), object, &options)?;
        let code = if !gone && options.orphan_dependents == Some(false) { 202 } else { 200 };
        if gone && !resource.delete_answers_object() {
            return Ok(Response::new(code, status::deleted(&what, &name, object::uid(&object))));
        }
        Ok(self.respond(call, code, object))
    }

    pub(super) fn delete_collection(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let options = Options::read(call)?;
        let selection = self.selection(call)?;
        let resource = call.target.resource.clone();
        let found: Vec<(Key, Value)> = self.selected(call, &selection).map(|(k, v)| (k.clone(), v.clone())).collect();
        let mut items = Vec::new();
        for (key, object) in found {
            let name = std::mem::replace(&mut call.target.name, key.name.clone());
            let space = std::mem::replace(&mut call.target.namespace, key.namespace.clone());
            let result = self.delete_object(call, key, object, &options);
            call.target.name = name;
            call.target.namespace = space;
            items.push(resource.served(result?.0));
        }
        let list = map! {
            "kind" => format!("{}List", resource.kind), "apiVersion" => &resource.api_version,
            "metadata" => map! { "resourceVersion" => self.store.revision().to_string() }, "items" => items,
        };
        Ok(Response::new(200, list))
    }

    /// Deletes or marks; answers the object and whether it is gone.
    pub(super) fn delete_object(
        &mut self,
        call: &mut Call<'_, '_>,
        key: Key,
        old: Value,
        options: &Options,
    ) -> Result<(Value, bool)> {
        self.check_preconditions(call, &old, options)?;
        self.check_policies(call, &old, &Value::Null)?;
        let resource = call.target.resource.clone();
        let now = call.cx.now;
        let mut new = old.clone();
        let graceful = if resource.is("pods") { grace(&old, options, now, &mut new) } else { Graceful::No };
        if graceful == Graceful::AlreadyPending {
            return Ok((old, false));
        }
        finalizers(&resource, options, &mut new);
        let pending = !new["metadata"]["finalizers"].items().is_empty()
            || (resource.is("namespaces") && !new["spec"]["finalizers"].items().is_empty());
        if pending && graceful == Graceful::No {
            mark(&mut new, now, 0);
            if resource.is("namespaces") {
                new.set(&["status", "phase"], "Terminating");
                // A namespace carries no grace.
                new.remove(&["metadata", "deletionGracePeriodSeconds"]);
            }
        }
        let waits = pending || matches!(graceful, Graceful::Until(grace) if grace > 0);
        if graceful == Graceful::No && !pending {
            if resource.is(super::custom::DEFINITIONS) {
                return Ok((self.remove_definition(call, key, old), true));
            }
            return Ok((self.remove(call, key, old), true));
        }
        let marked = if new == old { old } else { self.commit(call, "mark", key.clone(), old, new) };
        if waits {
            return Ok((marked, false));
        }
        Ok((self.remove(call, key, marked), true))
    }

    fn check_preconditions(&self, call: &Call<'_, '_>, old: &Value, options: &Options) -> Result<()> {
        let kind = call.resource().named_kind();
        let name = object::name(old);
        let (uid, version) = (object::uid(old), old["metadata"]["resourceVersion"].str());
        if !options.uid.is_empty() && options.uid != uid {
            return Err(Status::precondition_uid(&kind, name, &options.uid, uid));
        }
        if !options.resource_version.is_empty() && options.resource_version != version {
            return Err(Status::precondition_version(&kind, name, &options.resource_version, version));
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Graceful {
    /// The kind knows no grace.
    No,
    /// It is being deleted, and this request does not shorten that.
    AlreadyPending,
    Until(i64),
}

/// A pod's deletion: deadline by the option, else by its own grace; a second delete may only shorten it.
fn grace(old: &Value, options: &Options, now: Time, new: &mut Value) -> Graceful {
    let spec = &old["spec"];
    let own = || spec["terminationGracePeriodSeconds"].as_int().unwrap_or(30);
    let mut wanted = options.grace.unwrap_or_else(own);
    if spec["nodeName"].is_empty() || matches!(old["status"]["phase"].str(), "Succeeded" | "Failed") {
        wanted = 0;
    }
    if wanted < 0 {
        wanted = 1;
    }
    let current = &old["metadata"]["deletionGracePeriodSeconds"];
    let Some(current) = current.as_int().filter(|_| object::is_deleting(old)) else {
        mark(new, now + Span::seconds(wanted), wanted);
        return Graceful::Until(wanted);
    };
    if wanted >= current {
        // Nothing to shorten; a pod whose grace is over waits for its finalizers only.
        return Graceful::AlreadyPending;
    }
    let deadline = object::time(&old["metadata"]["deletionTimestamp"]).unwrap_or(now);
    let started = Time(deadline.0.saturating_sub(Span::seconds(current).0));
    let mut until = started + Span::seconds(wanted);
    if until < now {
        until = now;
        if wanted != 0 {
            wanted = 1;
        }
    }
    new.set(&["metadata", "deletionTimestamp"], until.rfc3339());
    new.set(&["metadata", "deletionGracePeriodSeconds"], wanted);
    Graceful::Until(wanted)
}

fn mark(object: &mut Value, deadline: Time, grace: i64) {
    if object::is_deleting(object) {
        return;
    }
    object.set(&["metadata", "deletionTimestamp"], deadline.rfc3339());
    object.set(&["metadata", "deletionGracePeriodSeconds"], grace);
    meta::bump_generation(object);
}

/// The garbage collector's finalizers, as the propagation asks.
fn finalizers(resource: &super::Resource, options: &Options, object: &mut Value) {
    let old = object["metadata"]["finalizers"].items().to_vec();
    let has = |name: &str| old.iter().any(|item| item.str() == name);
    let (orphan, foreground) = match (options.orphan_dependents, options.policy.as_deref()) {
        (Some(orphan), _) => (orphan, false),
        (_, Some("Orphan")) => (true, false),
        (_, Some("Foreground")) => (false, true),
        (_, Some(_)) => (false, false),
        _ if has(ORPHAN) => (true, false),
        _ if has(FOREGROUND) => (false, true),
        _ => (resource.orphans_by_default(), false),
    };
    let mut new: Vec<Value> = old.iter().filter(|item| !matches!(item.str(), ORPHAN | FOREGROUND)).cloned().collect();
    if orphan {
        new.push(ORPHAN.into());
    }
    if foreground {
        new.push(FOREGROUND.into());
    }
    if new != old {
        if new.is_empty() {
            object.remove(&["metadata", "finalizers"]);
        } else {
            object.set(&["metadata", "finalizers"], new);
        }
    }
}
