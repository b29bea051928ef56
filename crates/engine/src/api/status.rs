//! Status errors, one constructor per case (apimachinery's api/errors). Texts and details are those of Kubernetes;
//! who shows them (kubectl, an event) decides what to print of them.

use crate::base::SmolStr;

use crate::base::http::Response;
use crate::base::{Map, Value};
use crate::{list, map};

/// A refusal as the API server answers it.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    pub code: u16,
    /// Empty for answers without a reason (a few 500s).
    pub reason: &'static str,
    pub message: String,
    /// Null for answers without details.
    pub details: Value,
    /// The text/plain answer `404 page not found` has no Status at all.
    pub plain: bool,
}

/// What a resource is called in errors: plural and group.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Named {
    pub group: SmolStr,
    pub resource: SmolStr,
}

impl Named {
    pub fn new(group: impl Into<SmolStr>, resource: impl Into<SmolStr>) -> Named {
        Named { group: group.into(), resource: resource.into() }
    }

    /// `deployments.apps`, `pods`
    pub fn qualified(&self) -> String {
        qualified(&self.resource, &self.group)
    }
}

fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}

fn details(name: &str, group: &str, kind: &str) -> Map {
    let mut map = Map::new();
    for (key, value) in [("name", name), ("group", group), ("kind", kind)] {
        if !value.is_empty() {
            map.insert(key, value);
        }
    }
    map
}

/// One entry of `details.causes`.
pub fn cause(reason: &str, message: impl Into<SmolStr>, field: &str) -> Value {
    let mut map = Map::new();
    for (key, value) in [("reason", SmolStr::new(reason)), ("message", message.into()), ("field", SmolStr::new(field))]
    {
        if !value.is_empty() {
            map.insert(key, value);
        }
    }
    map.into()
}

impl Status {
    fn new(code: u16, reason: &'static str, message: impl Into<String>, details: impl Into<Value>) -> Status {
        Status { code, reason, message: message.into(), details: details.into(), plain: false }
    }

    fn of(code: u16, reason: &'static str, what: &Named, name: &str, message: String) -> Status {
        Status::new(code, reason, message, details(name, &what.group, &what.resource))
    }

    // 400

    pub fn bad_request(message: impl Into<String>) -> Status {
        Status::new(400, "BadRequest", message, Value::Null)
    }

    // 401

    pub fn unauthorized() -> Status {
        Status::new(401, "Unauthorized", "Unauthorized", Value::Null)
    }

    // 403

    /// Refused by admission or by the server itself: `pods "x" is forbidden: why`.
    pub fn forbidden(what: &Named, name: &str, why: &str) -> Status {
        let whole = what.qualified();
        let message = match name {
            "" => format!("{whole} is forbidden: {why}"),
            _ => format!("{whole} {} is forbidden: {why}", quoted(name)),
        };
        Status::of(403, "Forbidden", what, name, message)
    }

    /// New content in a namespace on its way out.
    pub fn namespace_terminating(what: &Named, name: &str, namespace: &str) -> Status {
        let why = format!("unable to create new content in namespace {namespace} because it is being terminated");
        let text = format!("namespace {namespace} is being terminated");
        let causes = list![cause("NamespaceTerminating", text, "metadata.namespace")];
        Status::forbidden(what, name, &why).with("causes", causes)
    }

    /// A path that is no resource.
    pub fn forbidden_path(user: &str, verb: &str, path: &str) -> Status {
        let message = format!("forbidden: User {} cannot {verb} path {}", quoted(user), quoted(path));
        Status::new(403, "Forbidden", message, Value::empty_map())
    }

    // 404

    pub fn not_found(what: &Named, name: &str) -> Status {
        Status::of(404, "NotFound", what, name, format!("{} {} not found", what.qualified(), quoted(name)))
    }

    /// A path under /api or /apis that no resource answers.
    pub fn page_not_found() -> Status {
        Status { plain: true, ..Status::new(404, "NotFound", "404 page not found", Value::Null) }
    }

    /// What a subresource that a kind does not have answers.
    pub fn no_such_resource() -> Status {
        Status::new(404, "NotFound", "the server could not find the requested resource", Value::empty_map())
    }

    // 405, 406, 415

    pub fn not_supported(verb: &str, what: &Named) -> Status {
        let message = format!("{verb} is not supported on resources of kind {}", quoted(&what.qualified()));
        Status::of(405, "MethodNotAllowed", what, "", message)
    }

    pub fn method_not_allowed() -> Status {
        let message = "the server does not allow this method on the requested resource";
        Status::new(405, "MethodNotAllowed", message, Value::empty_map())
    }

    pub fn not_acceptable(accepted: &[&str]) -> Status {
        let message = format!("only the following media types are accepted: {}", accepted.join(", "));
        Status::new(406, "NotAcceptable", message, Value::Null)
    }

    pub fn unsupported_media_type(accepted: &[&str]) -> Status {
        let message = format!(
            "the body of the request was in an unknown format - accepted media types include: {}",
            accepted.join(", ")
        );
        Status::new(415, "UnsupportedMediaType", message, Value::Null)
    }

    // 409

    pub fn already_exists(what: &Named, name: &str) -> Status {
        Status::of(409, "AlreadyExists", what, name, format!("{} {} already exists", what.qualified(), quoted(name)))
    }

    pub fn exists_but_deleting(what: &Named, name: &str) -> Status {
        let mut status = Status::already_exists(what, name);
        status.message = format!("object is being deleted: {}", status.message);
        status
    }

    /// Eight generated names were all taken.
    pub fn no_unique_name(what: &Named, name: &str) -> Status {
        let mut status = Status::already_exists(what, name);
        status.message.push_str(", the server was not able to generate a unique name for the object");
        status.with("retryAfterSeconds", 1)
    }

    pub fn conflict(what: &Named, name: &str, why: &str) -> Status {
        let message = format!("Operation cannot be fulfilled on {} {}: {why}", what.qualified(), quoted(name));
        Status::of(409, "Conflict", what, name, message)
    }

    /// An update from a copy that is no longer the latest.
    pub fn stale(what: &Named, name: &str) -> Status {
        let why = "the object has been modified; please apply your changes to the latest version and try again";
        Status::conflict(what, name, why)
    }

    /// A PUT that carries another object's uid.
    pub fn other_uid(what: &Named, namespace: &str, name: &str, sent: &str, stored: &str) -> Status {
        let root = if what.group.is_empty() { String::new() } else { format!("{}/", what.group) };
        let place = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
        let why = format!(
            "StorageError: invalid object, Code: 4, Key: /registry/{root}{}/{place}, ResourceVersion: 0, \
             AdditionalErrorMsg: Precondition failed: UID in precondition: {sent}, UID in object meta: {stored}",
            what.resource
        );
        Status::conflict(what, name, &why)
    }

    /// Preconditions of a delete name group and kind in place of the resource.
    pub fn precondition_uid(kind: &Named, name: &str, wanted: &str, stored: &str) -> Status {
        let why = format!(
            "the UID in the precondition ({wanted}) does not match the UID in record ({stored}). The object might \
             have been deleted and then recreated"
        );
        Status::conflict(kind, name, &why)
    }

    pub fn precondition_version(kind: &Named, name: &str, wanted: &str, stored: &str) -> Status {
        let why = format!(
            "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record \
             ({stored}). The object might have been modified"
        );
        Status::conflict(kind, name, &why)
    }

    /// Server-side apply met other owners.
    pub fn apply_conflict(message: String, causes: Vec<Value>) -> Status {
        Status::new(409, "Conflict", message, map! { "causes" => causes })
    }

    // 410

    pub fn too_old(asked: u64, oldest: u64) -> Status {
        Status::new(410, "Expired", format!("too old resource version: {asked} ({oldest})"), Value::Null)
    }

    pub fn continue_expired() -> Status {
        let message = "The provided continue parameter is too old to display a consistent list result. You can start \
                       a new list without the continue parameter, or use the continue token in this response to \
                       retrieve the remainder of the results. Continuing with the provided token results in an \
                       inconsistent list - objects that were created, modified, or deleted between the time the first \
                       chunk was returned and now may show up in the list.";
        Status::new(410, "Expired", message, Value::Null)
    }

    // 413

    pub fn too_large(message: impl Into<String>) -> Status {
        Status::new(413, "RequestEntityTooLarge", message, Value::Null)
    }

    // 422

    /// `Deployment.apps "x" is invalid: spec.replicas: …`. Each error is (path, body, reason of the cause).
    pub fn invalid(group: &str, kind: &str, name: &str, errors: &[(String, String, &'static str)]) -> Status {
        let mut texts: Vec<String> = Vec::new();
        let mut causes = Vec::new();
        for (path, body, reason) in errors {
            let text = format!("{path}: {body}");
            // The aggregate tells equal errors once, the causes tell all.
            if !texts.contains(&text) {
                texts.push(text);
            }
            causes.push(cause(reason, body.as_str(), path));
        }
        let mut details = details(name, group, kind);
        details.insert("causes", causes);
        let all = match texts.as_slice() {
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        let message = format!("{} {} is invalid: {all}", qualified(kind, group), quoted(name));
        Status::new(422, "Invalid", message, details)
    }

    /// A patched object that is no longer of its kind: an Invalid without kind and name.
    pub fn invalid_patch(value: &str, why: &str) -> Status {
        let body = format!("Invalid value: {value}: {why}");
        let causes = list![cause("FieldValueInvalid", body.as_str(), "patch")];
        Status::new(422, "Invalid", format!(" \"\" is invalid: patch: {body}"), map! { "causes" => causes })
    }

    /// A JSON patch that does not apply.
    pub fn unprocessable(message: &str) -> Status {
        Status::new(422, "Invalid", message, Value::empty_map())
    }

    // 429

    pub fn too_many_requests(message: &str, retry_after: i64, causes: Vec<Value>) -> Status {
        let mut details = Map::new();
        if !causes.is_empty() {
            details.insert("causes", causes);
        }
        if retry_after > 0 {
            details.insert("retryAfterSeconds", retry_after);
        }
        Status::new(429, "TooManyRequests", message, details)
    }

    // 500, 504

    pub fn internal(why: &str) -> Status {
        let message = format!("Internal error occurred: {why}");
        Status::new(500, "InternalError", message, map! { "causes" => list![map! { "message" => why }] })
    }

    /// An error the server did not expect to pass on: no reason, no details.
    pub fn unexpected(message: impl Into<String>) -> Status {
        Status::new(500, "", message, Value::Null)
    }

    /// Something real clusters have and this one does not.
    pub fn gap(what: &str, instead: &str) -> Status {
        Status::new(501, "NotImplemented", crate::base::gap::line(what, instead), Value::Null)
    }

    pub fn too_large_version(asked: u64, current: u64) -> Status {
        let message = format!("Timeout: Too large resource version: {asked}, current: {current}");
        let causes = list![cause("ResourceVersionTooLarge", "Too large resource version", "")];
        Status::new(504, "Timeout", message, map! { "causes" => causes, "retryAfterSeconds" => 1 })
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Status {
        self.details.map_mut().insert(key, value);
        self
    }

    pub fn value(&self) -> Value {
        let mut map = Map::new();
        map.insert("kind", "Status");
        map.insert("apiVersion", "v1");
        map.insert("metadata", Value::empty_map());
        map.insert("status", "Failure");
        map.insert("message", self.message.as_str());
        if !self.reason.is_empty() {
            map.insert("reason", self.reason);
        }
        if !self.details.is_null() {
            map.insert("details", self.details.clone());
        }
        map.insert("code", Value::Int(self.code.into()));
        map.into()
    }

    pub fn response(&self) -> Response {
        let mut response = Response::new(self.code, self.value());
        if self.plain {
            response.content_type = SmolStr::new_static(&"text/plain; charset=utf-8");
            response.body = crate::base::http::Body::Text(format!("{}\n", self.message));
        }
        response
    }
}

/// The Status a delete of most kinds answers.
pub fn deleted(what: &Named, name: &str, uid: &str) -> Value {
    let mut details = details(name, &what.group, &what.resource);
    if !uid.is_empty() {
        details.insert("uid", uid);
    }
    map! {
        "kind" => "Status", "apiVersion" => "v1", "metadata" => Value::empty_map(), "status" => "Success",
        "details" => details,
    }
}

fn quoted(text: &str) -> String {
    crate::base::goquote::quote(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json;

    #[test]
    fn texts_and_details() {
        let check = |status: Status, want: &str| assert_eq!(json::compact(&status.value()), want);
        let deployments = Named::new("apps", "deployments");
        check(
            Status::not_found(&deployments, "x"),
            r#"{"apiVersion":"v1","code":404,"details":{"group":"apps","kind":"deployments","name":"x"},"kind":"Status","message":"deployments.apps \"x\" not found","metadata":{},"reason":"NotFound","status":"Failure"}"#,
        );
        check(
            Status::invalid(
                "",
                "Pod",
                "p",
                &[
                    ("spec.a".into(), "Required value".into(), "FieldValueRequired"),
                    ("spec.b".into(), "Required value".into(), "FieldValueRequired"),
                ],
            ),
            r#"{"apiVersion":"v1","code":422,"details":{"causes":[{"field":"spec.a","message":"Required value","reason":"FieldValueRequired"},{"field":"spec.b","message":"Required value","reason":"FieldValueRequired"}],"kind":"Pod","name":"p"},"kind":"Status","message":"Pod \"p\" is invalid: [spec.a: Required value, spec.b: Required value]","metadata":{},"reason":"Invalid","status":"Failure"}"#,
        );
    }
}
