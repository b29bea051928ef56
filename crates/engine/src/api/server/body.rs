//! Reading the body of a request into an object of the endpoint's kind.

use crate::base::SmolStr;

use super::{Call, Result};
use crate::api::decode::{self, FieldValidation};
use crate::api::schema;
use crate::api::status::Status;
use crate::base::http::Body;
use crate::base::{Value, json, yaml};

const MEDIA_TYPES: [&str; 3] = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
const LIMIT: usize = 3_145_728;

/// How unknown and repeated fields are met (the `fieldValidation` parameter).
pub fn field_validation(text: &str) -> FieldValidation {
    match text {
        "Strict" => FieldValidation::Strict,
        "Ignore" => FieldValidation::Ignore,
        _ => FieldValidation::Warn,
    }
}

/// What kind an endpoint wants: group, version, kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    pub group: SmolStr,
    pub version: SmolStr,
    pub kind: SmolStr,
}

impl Wanted {
    pub fn new(group: &str, version: &str, kind: &str) -> Wanted {
        Wanted { group: group.into(), version: version.into(), kind: kind.into() }
    }

    pub fn api_version(&self) -> SmolStr {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version).into() }
    }
}

/// The tree of a body, whatever it is.
pub fn tree(body: &Body, content_type: &str) -> Result<Value> {
    let text = match body {
        Body::Value(value) => return Ok(value.clone()),
        Body::None => return Ok(Value::Null),
        Body::Text(text) => text,
    };
    if text.len() > LIMIT {
        return Err(Status::too_large(format!("Request entity too large: limit is {LIMIT}")));
    }
    let media = content_type.split(';').next().unwrap_or_default().trim();
    match media {
        "" | "application/json" => json::parse(text)
            .map_err(|error| Status::bad_request(format!("couldn't get version/kind; json parse error: {error}"))),
        "application/yaml" | "application/apply-patch+yaml" => yaml::parse(text)
            .map_err(|error| Status::bad_request(format!("error converting YAML to JSON: {}", error.text))),
        media if media.ends_with("+json") => json::parse(text).map_err(Status::bad_request),
        _ => Err(Status::unsupported_media_type(&MEDIA_TYPES)),
    }
}

/// The object of a create or update, checked to be of the wanted kind and decoded.
pub fn object(call: &mut Call<'_, '_>, wanted: &Wanted) -> Result<Value> {
    let tree = tree(&call.request.body, &call.request.content_type)?;
    if tree.is_null() {
        let kind = &wanted.kind;
        return Err(Status::bad_request(format!(
            "the object provided is unrecognized (must be of type {kind}): couldn't get version/kind; json parse \
             error: unexpected end of JSON input (<empty>)"
        )));
    }
    decode(call, tree, wanted)
}

/// A tree as an object of the wanted kind.
pub fn decode(call: &mut Call<'_, '_>, tree: Value, wanted: &Wanted) -> Result<Value> {
    let validation = field_validation(call.request.query("fieldValidation"));
    let (object, warnings) = decoded(tree, wanted, validation, call.trusted).map_err(Status::bad_request)?;
    for warning in warnings {
        call.warn(warning);
    }
    Ok(object)
}

/// The decoder with its texts; the caller makes a Status of the error.
pub fn decoded(
    mut tree: Value,
    wanted: &Wanted,
    validation: FieldValidation,
    trusted: bool,
) -> std::result::Result<(Value, Vec<String>), String> {
    let want_version = wanted.api_version();
    let kind = tree["kind"].smol();
    let api_version = tree["apiVersion"].smol();
    if kind != wanted.kind || api_version != want_version {
        let sent_kind = if kind.is_empty() { wanted.kind.clone() } else { kind };
        let sent_version = if api_version.is_empty() { want_version.clone() } else { api_version };
        let (group, version) = schema::group_version(&sent_version);
        let cannot = |why: String| {
            Err(format!("{sent_kind} in version \"{version}\" cannot be handled as a {}: {why}", wanted.kind))
        };
        if sent_kind != wanted.kind || sent_version != want_version {
            let custom = schema::type_of(&wanted.group, &wanted.version, &wanted.kind).is_none();
            if custom || schema::type_of(group, version, &sent_kind).is_none() {
                return cannot(format!(
                    "no kind \"{sent_kind}\" is registered for version \"{sent_version}\" in scheme \
                     \"pkg/runtime/scheme.go:111\""
                ));
            }
            if sent_kind == wanted.kind {
                return Err(format!(
                    "the API version in the data ({sent_version}) does not match the expected API version \
                     ({want_version})"
                ));
            }
            return cannot(format!(
                "converting ({version}.{sent_kind}) to ({}.{}): unknown conversion",
                wanted.version, wanted.kind
            ));
        }
        tree.set(&["kind"], sent_kind);
        tree.set(&["apiVersion"], sent_version);
    }
    if trusted {
        // Components send what the encoder would leave as it is, but patches may leave lists with nothing in them.
        for field in ["ownerReferences", "finalizers"] {
            let list = &tree["metadata"][field];
            if !list.is_null() && list.is_empty() {
                tree.remove(&["metadata", field]);
            }
        }
        return Ok((tree, Vec::new()));
    }
    let (object, warnings) =
        decode::decode(&wanted.group, &wanted.version, &wanted.kind, &tree, validation).map_err(|why| {
            let version = wanted.version.as_str();
            format!("{} in version \"{version}\" cannot be handled as a {}: {why}", wanted.kind, wanted.kind)
        })?;
    Ok((object, warnings))
}
