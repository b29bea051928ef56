//! The API server: a function from request to response over the store.
//!
//! Stands for kube-apiserver with etcd behind it. A request is routed (`route`), its body read (`body`), and the verb
//! carried out; every committed write and every refused one is an entry of the trace. Left out: authentication (a
//! request says who it is from), audit, priority and fairness, protobuf, OpenAPI documents.

pub(crate) mod admission;
pub mod allocate;
mod body;
mod commit;
mod convert;
mod create;
mod custom;
mod delete;
mod discovery;
mod gaps;
mod kinds;
mod list;
mod meta;
mod node_call;
mod patching;
mod rbac;
mod route;
mod schema_rules;
mod structural;
mod subresource;
mod update;
mod warnings;
mod watch;

#[cfg(test)]
mod tests;

use crate::base::BTreeMap;

use crate::base::SmolStr;

use crate::base::http::{Body, Method, Request, Response};
use crate::base::share::Shared;
use crate::base::{Chance, Time, Value};
use crate::store::{Key, Store};
use crate::trace::{Actor, ObjectRef, Seq, Trace, What};

use super::status::Status;
use crate::{list, map};
use kinds::Resource;
use route::{Route, Target};

pub use node_call::{NodeCall, NodeCallKind};

/// What the server gets with each request.
#[derive(Debug)]
pub struct Cx<'a> {
    pub now: Time,
    pub chance: &'a mut Chance,
    pub trace: &'a mut Trace,
    /// The entry that caused the request.
    pub cause: Seq,
    /// Who sent it.
    pub actor: Actor,
}

/// What differs between clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// `172.18.0.2:6443`
    pub address: SmolStr,
    /// `10.96.0.0/16`
    pub service_cidr: SmolStr,
    /// `v1.37.2`
    pub git_version: SmolStr,
    pub git_commit: SmolStr,
    pub build_date: SmolStr,
    pub go_version: SmolStr,
    /// Somebody in the cluster gives Services of type LoadBalancer an address.
    pub balances_services: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            address: SmolStr::new_static(&"172.18.0.2:6443"),
            service_cidr: SmolStr::new_static(&"10.96.0.0/16"),
            git_version: SmolStr::new_static(&"v1.37.2"),
            git_commit: SmolStr::new_static(&"6f3c1a2f0f0b7a5e3c7e9d4b8a1c2d3e4f506172"),
            build_date: SmolStr::new_static(&"2026-11-10T12:00:00Z"),
            go_version: SmolStr::new_static(&"go1.26.8"),
            balances_services: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Server {
    pub config: Config,
    pub store: Store,
    streams: BTreeMap<u64, watch::Stream>,
    next_stream: u64,
    /// What many objects have in common.
    shared: Shared,
    /// Kinds nobody acts on that the user has met.
    pub gaps: gaps::Gaps,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Done(Response),
    /// The node's kubelet answers.
    Node(NodeCall),
}

type Result<T> = std::result::Result<T, Status>;

/// One request on its way through the server.
struct Call<'a, 'c> {
    cx: &'a mut Cx<'c>,
    request: &'a Request,
    target: Target,
    /// `create`, `get`, `list`, `watch`, `update`, `patch`, `delete`, `deletecollection`
    verb: &'static str,
    warnings: Vec<String>,
    dry_run: bool,
    /// The field manager of a write.
    manager: SmolStr,
    /// A component of the cluster itself, whose objects need no strict look.
    trusted: bool,
    /// Server-side apply has already credited its fields.
    applied: bool,
}

impl Call<'_, '_> {
    fn resource(&self) -> &Resource {
        &self.target.resource
    }

    fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    fn key(&self) -> Key {
        self.target.key(&self.target.name)
    }
}

impl Server {
    /// `first_revision` is the revision before the first write; `log` changes are kept for watchers.
    pub fn new(config: Config, first_revision: u64, log: usize) -> Server {
        Server {
            config,
            store: Store::new(first_revision, log),
            streams: BTreeMap::new(),
            next_stream: 1,
            shared: Shared::default(),
            gaps: gaps::Gaps::default(),
        }
    }

    pub fn handle(&mut self, cx: &mut Cx<'_>, request: &Request) -> Answer {
        let target = match self.route(&request.path) {
            Ok(Route::Resource(target)) => target,
            Ok(Route::Other(path)) => {
                let response = self
                    .check_path(request, &request.path)
                    .and_then(|()| self.other(request, &path))
                    .unwrap_or_else(|status| status.response());
                return Answer::Done(response);
            }
            Err(status) => return Answer::Done(status.response()),
        };
        let trusted = matches!(request.body, Body::Value(_)) && request.user.name.starts_with("system:");
        let manager = match request.query("fieldManager") {
            "" => request.agent.chars().take(128).collect(),
            manager => manager.into(),
        };
        let verb = verb(request, &target);
        let dry_run = request.query("dryRun") == "All";
        let mut call =
            Call { cx, request, target, verb, warnings: Vec::new(), dry_run, manager, trusted, applied: false };
        let result = self.answer(&mut call);
        let mut warnings = std::mem::take(&mut call.warnings);
        match result {
            Ok(Answer::Done(mut response)) => {
                warnings.append(&mut response.warnings);
                response.warnings = warnings;
                Answer::Done(response)
            }
            Ok(answer) => answer,
            Err(status) => {
                let mut response = status.response();
                response.warnings = warnings;
                if !matches!(verb, "get" | "list" | "watch") {
                    let object = ObjectRef {
                        resource: call.target.resource.store.clone(),
                        namespace: call.target.namespace.clone(),
                        name: match call.target.name.as_str() {
                            "" => request.body.value().at(&["metadata", "name"]).smol(),
                            _ => call.target.name.clone(),
                        },
                        uid: SmolStr::default(),
                    };
                    let what =
                        What::Refused { verb, object: object.into(), code: status.code, message: status.message };
                    call.cx.trace.push(call.cx.now, call.cx.actor, call.cx.cause, what);
                }
                Answer::Done(response)
            }
        }
    }

    fn answer(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        self.check_allowed(call)?;
        if let Some(text) = kinds::deprecation(call.resource()) {
            call.warn(text);
        }
        if !call.target.subresource.is_empty() {
            return self.subresource(call);
        }
        if call.verb == "create"
            && let Some(response) = self.review(call)?
        {
            return Ok(Answer::Done(response));
        }
        let what = call.resource().named();
        if !call.resource().verbs().contains(&call.verb) {
            return Err(Status::not_supported(call.verb, &what));
        }
        if call.resource().is("componentstatuses") {
            return self.component_statuses(call).map(Answer::Done);
        }
        let response = match call.verb {
            "get" => self.get(call),
            "list" => self.list(call),
            "watch" => self.watch(call),
            "create" => self.create(call),
            "update" => self.update(call),
            "patch" => self.patch(call),
            "delete" => self.delete(call),
            "deletecollection" => self.delete_collection(call),
            _ => Err(Status::method_not_allowed()),
        }?;
        Ok(Answer::Done(response))
    }

    /// Kinds that are answered and not stored.
    fn review(&mut self, call: &mut Call<'_, '_>) -> Result<Option<Response>> {
        match call.resource().store.as_str() {
            "bindings" => self.create_binding(call).map(Some),
            _ => self.access_review(call),
        }
    }

    /// The old health page of the control plane: three objects that are not stored.
    fn component_statuses(&self, call: &Call<'_, '_>) -> Result<Response> {
        let object = |name: &&str| {
            let condition = map! { "type" => "Healthy", "status" => "True", "message" => "ok" };
            map! {
                "apiVersion" => "v1", "kind" => "ComponentStatus", "conditions" => list![condition],
                "metadata" => map! { "name" => *name, "creationTimestamp" => Value::Null },
            }
        };
        let all: Vec<Value> = ["controller-manager", "etcd-0", "scheduler"].iter().map(object).collect();
        let resource = call.resource();
        if call.verb == "get" {
            let name = call.target.name.as_str();
            let found = all.into_iter().find(|object| super::object::name(object) == name);
            return found
                .map(|object| self.respond(call, 200, object))
                .ok_or_else(|| Status::not_found(&resource.named(), name));
        }
        Ok(match list::Form::of(call.request) {
            list::Form::Object => Response::new(
                200,
                map! {
                    "kind" => "ComponentStatusList", "apiVersion" => "v1", "metadata" => Value::empty_map(), "items" => all,
                },
            ),
            list::Form::Table(include) => {
                let now = call.cx.now;
                Response::new(
                    200,
                    super::table::render(
                        (&resource.store, &resource.columns),
                        &all,
                        true,
                        Value::empty_map(),
                        include,
                        now,
                    ),
                )
            }
        })
    }

    fn object(&self, call: &Call<'_, '_>) -> Result<Value> {
        let found = self.store.get(&call.key()).cloned();
        found.ok_or_else(|| Status::not_found(&call.resource().named(), &call.target.name))
    }

    fn get(&self, call: &mut Call<'_, '_>) -> Result<Response> {
        let object = self.object(call)?;
        Ok(self.respond(call, 200, object))
    }

    /// An object as the answer, in the version and form asked for.
    fn respond(&self, call: &Call<'_, '_>, code: u16, object: Value) -> Response {
        let object = call.resource().served(object);
        match list::Form::of(call.request) {
            list::Form::Object => Response::new(code, object),
            list::Form::Table(include) => {
                let metadata = list::table_metadata(&object);
                let resource = (call.resource().store.as_str(), &call.resource().columns);
                let items = std::slice::from_ref(&object);
                Response::new(code, super::table::render(resource, items, false, metadata, include, call.cx.now))
            }
        }
    }
}

fn verb(request: &Request, target: &Target) -> &'static str {
    let named = !target.name.is_empty();
    match request.method {
        Method::Get | Method::Head
            if target.watch || !matches!(request.query("watch").to_ascii_lowercase().as_str(), "" | "0" | "false") =>
        {
            "watch"
        }
        Method::Get | Method::Head if named => "get",
        Method::Get | Method::Head => "list",
        Method::Post => "create",
        Method::Put => "update",
        Method::Patch => "patch",
        Method::Delete if named => "delete",
        Method::Delete => "deletecollection",
    }
}
