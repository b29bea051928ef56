//! Lists, and what a list and a watch select.

use crate::base::SmolStr;

use super::kinds::Resource;
use super::{Call, Result, Server};
use crate::api::selector::{Fields, Labels};
use crate::api::status::Status;
use crate::api::table::{self, Include};
use crate::base::http::{Request, Response};
use crate::base::{Value, goquote};
use crate::map;
use crate::store::Key;

/// Objects as they are, or the server's table of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    Object,
    Table(Include),
}

impl Form {
    /// The first media type of Accept that the server has.
    pub fn of(request: &Request) -> Form {
        for media in request.accept.split(',') {
            let mut parameters = media.split(';').map(str::trim);
            match parameters.next() {
                Some("application/json" | "*/*" | "") => {}
                _ => continue,
            }
            match parameters.find_map(|p| p.strip_prefix("as=")) {
                None => return Form::Object,
                Some("Table") => {
                    return Form::Table(Include::parse(request.query("includeObject")).unwrap_or_default());
                }
                Some(_) => {}
            }
        }
        Form::Object
    }
}

/// What a list or watch is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    pub labels: Labels,
    pub fields: Fields,
}

impl Selection {
    pub fn takes(&self, resource: &Resource, object: &Value) -> bool {
        self.labels.matches(&object["metadata"]["labels"])
            && self.fields.matches(|field| field_of(resource, object, field))
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }
}

impl Server {
    pub(super) fn list(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        self.check_list_options(call, false)?;
        let selection = self.selection(call)?;
        let resource = call.target.resource.clone();
        let limit = call.request.query("limit");
        let limit = match limit.parse::<i64>() {
            Err(_) if !limit.is_empty() => {
                let text = format!("strconv.ParseInt: parsing {}: invalid syntax", goquote::quote(limit));
                return Err(Status::bad_request(text));
            }
            limit => usize::try_from(limit.unwrap_or(0)).unwrap_or(0),
        };
        let token = call.request.query("continue");
        let (revision, start) = if token.is_empty() {
            (self.store.revision(), None)
        } else {
            let (revision, start) =
                read_token(token).ok_or_else(|| Status::bad_request(format!("continue key is not valid: {token}")))?;
            if self.store.since(revision).is_err() {
                return Err(Status::continue_expired());
            }
            (revision, Some(start))
        };
        let mut items: Vec<Value> = Vec::new();
        let mut last = None;
        let mut remaining = 0;
        let mut selected = self.selected(call, &selection);
        for (key, object) in selected.by_ref() {
            let place = (key.namespace.clone(), key.name.clone());
            if start.as_ref().is_some_and(|start| place <= *start) {
                continue;
            }
            if limit > 0 && items.len() == limit {
                remaining = 1 + selected.count();
                break;
            }
            items.push(resource.served(object.clone()));
            last = Some(place);
        }
        let mut metadata = map! { "resourceVersion" => revision.to_string() };
        if let (true, Some((namespace, name))) = (remaining > 0, last) {
            metadata.set(&["continue"], write_token(revision, &namespace, &name));
            if selection.is_empty() {
                metadata.set(&["remainingItemCount"], remaining);
            }
        }
        if let Form::Table(include) = Form::of(call.request) {
            return Ok(Response::new(
                200,
                table::render((&resource.store, &resource.columns), &items, true, metadata, include, call.cx.now),
            ));
        }
        // The kind is said once: only custom resources repeat it.
        for item in items.iter_mut().filter(|_| resource.known.is_some()) {
            item.remove(&["kind"]);
            item.remove(&["apiVersion"]);
        }
        Ok(Response::new(
            200,
            map! {
                "kind" => format!("{}List", resource.kind), "apiVersion" => &resource.api_version,
                "metadata" => metadata, "items" => items,
            },
        ))
    }

    pub(super) fn selected<'a>(
        &'a self,
        call: &'a Call<'_, '_>,
        selection: &'a Selection,
    ) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        let namespace = Some(call.target.namespace.as_str()).filter(|namespace| !namespace.is_empty());
        let resource = &*call.target.resource;
        self.store.list(&resource.store, namespace).filter(|(_, object)| selection.takes(resource, object))
    }

    /// The selectors of a request, checked.
    pub(super) fn selection(&self, call: &Call<'_, '_>) -> Result<Selection> {
        let resource = call.resource();
        let (label_text, field_text) = (call.request.query("labelSelector"), call.request.query("fieldSelector"));
        // kubectl puts "Unable to find …" in front.
        let labels = Labels::parse(label_text).map_err(Status::bad_request)?;
        let mut fields = Fields::parse(field_text).map_err(Status::bad_request)?;
        for (field, _, _) in &fields.terms {
            check_field(resource, field).map_err(Status::bad_request)?;
        }
        if !call.target.name.is_empty() {
            fields.terms.push((SmolStr::new_static(&"metadata.name"), true, call.target.name.clone()));
        }
        Ok(Selection { labels, fields })
    }

    /// resourceVersion and what goes with it.
    pub(super) fn check_list_options(&self, call: &Call<'_, '_>, watch: bool) -> Result<()> {
        let version = call.request.query("resourceVersion");
        let rule = call.request.query("resourceVersionMatch");
        let initial = call.request.query("sendInitialEvents");
        let mut errors: Vec<(String, String, &'static str)> = Vec::new();
        let mut forbid = |field: &str, body: &str| {
            errors.push((field.into(), format!("Forbidden: {body}"), "FieldValueForbidden"));
        };
        let mut unsupported = None;
        if watch {
            if !initial.is_empty() && rule.is_empty() {
                forbid(
                    "resourceVersionMatch",
                    "resourceVersionMatch is required for watch when sendInitialEvents is set",
                );
            }
            if initial.is_empty() && !rule.is_empty() {
                forbid(
                    "resourceVersionMatch",
                    "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
                );
            }
            if !rule.is_empty() && rule != "NotOlderThan" {
                unsupported = Some("\"NotOlderThan\"");
            }
        } else {
            if !initial.is_empty() {
                forbid("sendInitialEvents", "sendInitialEvents is forbidden for list");
            }
            if !rule.is_empty() {
                if version.is_empty() {
                    forbid(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden unless resourceVersion is provided",
                    );
                }
                if rule == "Exact" && version == "0" {
                    forbid(
                        "resourceVersionMatch",
                        "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
                    );
                }
                if !matches!(rule, "Exact" | "NotOlderThan") {
                    unsupported = Some("\"Exact\", \"NotOlderThan\", \"\"");
                }
            }
        }
        if let Some(supported) = unsupported {
            let body = format!("Unsupported value: {}: supported values: {supported}", goquote::quote(rule));
            errors.push(("resourceVersionMatch".into(), body, "FieldValueNotSupported"));
        }
        if !errors.is_empty() {
            return Err(Status::invalid("meta.k8s.io", "ListOptions", "", &errors));
        }
        if !version.is_empty() {
            let Ok(number) = version.parse::<u64>() else {
                let quoted = goquote::quote(version);
                return Err(Status::bad_request(format!(
                    "invalid resource version: resourceVersion: Invalid value: {quoted}: strconv.ParseUint: parsing \
                     {quoted}: invalid syntax"
                )));
            };
            if number > self.store.revision() {
                return Err(Status::too_large_version(number, self.store.revision()));
            }
        }
        Ok(())
    }
}

/// A continue token: where the last chunk ended, and at which revision it was read.
fn write_token(revision: u64, namespace: &str, name: &str) -> String {
    format!("{revision}/{namespace}/{name}").bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn read_token(token: &str) -> Option<(u64, (SmolStr, SmolStr))> {
    let bytes: Option<Vec<u8>> =
        token.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect();
    let text = String::from_utf8(bytes?).ok()?;
    let (revision, rest) = text.split_once('/')?;
    let (namespace, name) = rest.split_once('/')?;
    Some((revision.parse().ok()?, (namespace.into(), name.into())))
}

/// The metadata of a Table of one object.
pub fn table_metadata(object: &Value) -> Value {
    map! { "resourceVersion" => &object["metadata"]["resourceVersion"] }
}

/// Field selectors a kind knows besides name and namespace; kinds without an entry know only these two.
fn extra_fields(resource: &Resource) -> &'static [&'static str] {
    match (resource.group.as_str(), resource.store.as_str()) {
        (_, "pods") => &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName",
        ],
        (_, "nodes") => &["spec.unschedulable"],
        (_, "namespaces") => &["status.phase"],
        ("", "events") => &[
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type",
        ],
        (_, "events") => &[
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "regarding.apiVersion",
            "regarding.resourceVersion",
            "regarding.fieldPath",
            "reason",
            "reportingController",
            "type",
        ],
        (_, "secrets") => &["type"],
        (_, "services") => &["spec.clusterIP", "spec.type"],
        (_, "replicationcontrollers") => &["status.replicas"],
        (_, "jobs.batch") => &["status.successful"],
        (_, "certificatesigningrequests.certificates.k8s.io") => &["spec.signerName"],
        _ => &[],
    }
}

fn check_field(resource: &Resource, field: &str) -> std::result::Result<(), String> {
    let common = field == "metadata.name" || (field == "metadata.namespace" && resource.namespaced);
    if common || (resource.is("namespaces") && field == "name") {
        return Ok(());
    }
    let extra = extra_fields(resource);
    if extra.contains(&field) {
        return Ok(());
    }
    if extra.is_empty() && resource.known.is_some() {
        let quoted = goquote::quote(field);
        return Err(format!("{quoted} is not a known field selector: only \"metadata.name\", \"metadata.namespace\""));
    }
    Err(format!("field label not supported: {field}"))
}

fn field_of(resource: &Resource, object: &Value, field: &str) -> SmolStr {
    let path: Vec<&str> = match (resource.store.as_str(), field) {
        ("events", "source") => {
            let component = &object["source"]["component"];
            return if component.is_empty() { object["reportingComponent"].smol() } else { component.smol() };
        }
        ("events", field) if field.starts_with("regarding.") => {
            std::iter::once("involvedObject").chain(field.split('.').skip(1)).collect()
        }
        ("events", "reportingController") => vec!["reportingComponent"],
        ("jobs.batch", "status.successful") => vec!["status", "succeeded"],
        ("pods", "status.podIPs") => vec!["status", "podIP"],
        ("namespaces", "name") => vec!["metadata", "name"],
        _ => field.split('.').collect(),
    };
    let found = object.at(&path);
    match found {
        Value::Text(text) => text.clone(),
        Value::Bool(b) => SmolStr::new_static(if *b { &"true" } else { &"false" }),
        Value::Int(n) => n.to_string().into(),
        _ => match field {
            "spec.hostNetwork" | "spec.unschedulable" => SmolStr::new_static(&"false"),
            "status.replicas" | "status.successful" => SmolStr::new_static(&"0"),
            _ => SmolStr::default(),
        },
    }
}
