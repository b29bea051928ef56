//! PATCH: JSON, merge, strategic merge and server-side apply.

use super::body::{self, Wanted, field_validation};
use super::{Call, Result, Server};
use crate::api::apply::{self, ApplyError, Writer};
use crate::api::decode::{self, FieldValidation};
use crate::api::patch::{self, PatchReason, go_text};
use crate::api::schema::{self, TypeId};
use crate::api::status::{Status, cause};
use crate::base::http::{Body, Response};
use crate::base::{Value, goquote, json};

const JSON: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

impl Server {
    pub(super) fn patch(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let media = media_type(call);
        let options_error = |field: &str, body: &str, reason: &'static str| {
            Err(Status::invalid("meta.k8s.io", "PatchOptions", "", &[(field.to_owned(), body.to_owned(), reason)]))
        };
        if media == APPLY {
            if call.request.query("fieldManager").is_empty() {
                return options_error(
                    "fieldManager",
                    "Required value: is required for apply patch",
                    "FieldValueRequired",
                );
            }
            return self.apply(call);
        }
        if !call.request.query("force").is_empty() {
            return options_error(
                "force",
                "Forbidden: may not be specified for non-apply patch",
                "FieldValueForbidden",
            );
        }
        let resource = call.target.resource.clone();
        let old = self.object(call)?;
        let current = resource.served(old.clone());
        let wanted = Wanted::new(&resource.group, &resource.version, &resource.kind);
        let new = self.patched(call, &current, &wanted)?;
        let mut new = resource.stored(new);
        self.check_names(call, &mut new)?;
        let object = self.replace(call, "patch", old, new)?;
        Ok(self.respond(call, 200, object))
    }

    /// The object a patch makes of `current`, decoded.
    pub(super) fn patched(&self, call: &mut Call<'_, '_>, current: &Value, wanted: &Wanted) -> Result<Value> {
        let media = media_type(call);
        let custom = call.resource().known.is_none() && call.target.subresource != "scale";
        let accepted: &[&str] = if custom { &[JSON, MERGE, APPLY] } else { &[JSON, MERGE, STRATEGIC, APPLY] };
        if !accepted.contains(&media.as_str()) {
            return Err(Status::unsupported_media_type(accepted));
        }
        let patch = match &call.request.body {
            Body::Value(value) => value.clone(),
            Body::Text(text) => json::parse(text).map_err(|_| Status::bad_request("invalid JSON patch"))?,
            Body::None => Value::Null,
        };
        if media == JSON {
            let unknown = patch::check_json(&patch);
            match field_validation(call.request.query("fieldValidation")) {
                FieldValidation::Strict if !unknown.is_empty() => {
                    return Err(Status::bad_request(format!("strict decoding error: {}", unknown.join(", "))));
                }
                FieldValidation::Warn => unknown.into_iter().for_each(|text| call.warn(text)),
                _ => {}
            }
        }
        let ty = match call.resource().known {
            Some(kind) if kind.kind == wanted.kind => Some(kind.ty),
            _ => schema::type_of(&wanted.group, &wanted.version, &wanted.kind).map(|ty| ty.id),
        };
        let (new, left) = apply_patch(&media, current, &patch, ty)?;
        if new.same(current) || new == *current {
            return Ok(current.clone());
        }
        if call.trusted {
            // What no decoder looks at is still written as its Go type is: times that are null among it.
            return Ok(decode::encode_beside(&wanted.group, &wanted.version, &wanted.kind, &new, current));
        }
        let validation = field_validation(call.request.query("fieldValidation"));
        match body::decoded(new.clone(), wanted, validation, call.trusted) {
            Ok((object, warnings)) => {
                warnings.into_iter().for_each(|warning| call.warn(warning));
                Ok(object)
            }
            Err(why) => {
                // The text names the whole object, without the decoder's own introduction.
                let why =
                    why.split_once(&format!(" cannot be handled as a {}: ", wanted.kind)).map_or(why.as_str(), |w| w.1);
                let own = match media.as_str() {
                    STRATEGIC => decode::conversion_refusal(&wanted.group, &wanted.version, &wanted.kind, &new),
                    _ => None,
                };
                let why = own.as_deref().unwrap_or(why);
                let shown = match media.as_str() {
                    STRATEGIC => go_text(&left),
                    JSON => {
                        let pointers = patch.items().iter().flat_map(|step| [step["path"].str(), step["from"].str()]);
                        schema::json_after(&new, &pointers.collect::<Vec<_>>())
                    }
                    _ => json::compact(&new),
                };
                Err(Status::invalid_patch(&goquote::quote(&shown), why))
            }
        }
    }

    /// Server-side apply; it creates what does not exist.
    fn apply(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let resource = call.target.resource.clone();
        let wanted = Wanted::new(&resource.group, &resource.version, &resource.kind);
        let config = body::tree(&call.request.body, "application/apply-patch+yaml")?;
        let name = config["metadata"]["name"].str();
        if !name.is_empty() && name != call.target.name {
            return Err(Status::bad_request(format!(
                "the name of the object ({name}) does not match the name on the URL ({})",
                call.target.name
            )));
        }
        let old = self.store.get(&call.key()).cloned();
        if old.is_none() && !call.target.subresource.is_empty() {
            return Err(Status::not_found(&resource.named(), &call.target.name));
        }
        let live = old.clone().map(|old| resource.served(old));
        let manager = call.manager.clone();
        let writer = Writer {
            manager: &manager,
            api_version: &resource.api_version,
            subresource: &call.target.subresource,
            now: call.cx.now,
        };
        let force = call.request.query("force") == "true";
        let root = resource.known.map(|kind| kind.ty);
        let new = apply::apply(root, live.as_ref(), &config, force, &writer).map_err(|error| match error {
            ApplyError::Conflicts { message, causes } => Status::apply_conflict(
                message,
                causes.iter().map(|c| cause("FieldManagerConflict", c.message.as_str(), &c.field)).collect(),
            ),
            ApplyError::BadRequest(message) => Status::bad_request(message),
            ApplyError::Internal(message) => Status::unexpected(message),
        })?;
        let unchanged = live.as_ref() == Some(&new);
        let mut object = if unchanged { new } else { body::decode(call, new, &wanted)? };
        call.applied = true;
        let Some(old) = old else {
            object.set(&["metadata", "name"], &call.target.name);
            let object = self.create_object(call, object)?;
            return Ok(self.respond(call, 201, object));
        };
        let mut object = resource.stored(object);
        self.check_names(call, &mut object)?;
        let object = self.replace(call, "patch", old, object)?;
        Ok(self.respond(call, 200, object))
    }
}

fn media_type(call: &Call<'_, '_>) -> String {
    call.request.content_type.split(';').next().unwrap_or_default().trim().to_owned()
}

/// The patched tree, and the patch as errors show it.
fn apply_patch(media: &str, current: &Value, patch: &Value, ty: Option<TypeId>) -> Result<(Value, Value)> {
    let mut left = patch.clone();
    let result = match media {
        JSON => patch::json(current, patch),
        MERGE => Ok(patch::merge(current, patch)),
        _ => match ty {
            Some(ty) => patch::strategic_leaving(ty, current, &mut left),
            None => Ok(patch::merge(current, patch)),
        },
    };
    match result {
        Ok(mut new) => {
            // A strategic patch is read into the type it is for, which has no other kind to become.
            if media == STRATEGIC && ty.is_some() {
                for key in ["apiVersion", "kind"] {
                    new.set(&[key], &current[key]);
                }
            }
            Ok((new, left))
        }
        Err(error) => Err(match error.reason {
            PatchReason::BadRequest => Status::bad_request(error.served()),
            PatchReason::TooLarge => Status::too_large(error.served()),
            PatchReason::Unprocessable => Status::unprocessable(error.served()),
            PatchReason::Internal | PatchReason::Conflict => Status::unexpected(error.served()),
        }),
    }
}
