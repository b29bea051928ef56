//! scale: the number of replicas as an autoscaling/v1 Scale.

use crate::api::object;
use crate::api::server::body::{self, Wanted};
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::http::Response;
use crate::base::{SmolStr, Value};
use crate::map;

impl Server {
    pub(super) fn scale(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let old = self.object(call)?;
        let places = self.scale_places(call);
        let current = scale_of(call, &old, &places);
        if call.verb == "get" {
            return Ok(Response::new(200, current));
        }
        let wanted = Wanted::new("autoscaling", "v1", "Scale");
        let sent = match call.verb {
            "patch" => self.patched(call, &current, &wanted)?,
            _ => body::object(call, &wanted)?,
        };
        let name = object::name(&sent);
        if name != call.target.name {
            let wanted = &call.target.name;
            return Err(Status::bad_request(format!(
                "the name of the object ({name}) does not match the name on the URL ({wanted})"
            )));
        }
        let replicas = sent["spec"]["replicas"].int();
        if replicas < 0 {
            let body = format!("Invalid value: {replicas}: must be greater than or equal to 0");
            let error = ("spec.replicas".to_owned(), body, "FieldValueInvalid");
            return Err(Status::invalid("autoscaling", "Scale", name, &[error]));
        }
        let mut new = old.clone();
        new.set(&steps(&places.replicas), replicas);
        new.set(&["metadata", "resourceVersion"], sent["metadata"]["resourceVersion"].smol());
        let verb = call.verb;
        let stored = self.replace(call, verb, old, new)?;
        Ok(Response::new(200, scale_of(call, &stored, &places)))
    }

    /// Where the object keeps what a Scale shows: a definition says it for its custom resources.
    fn scale_places(&self, call: &Call<'_, '_>) -> Places {
        let own = match self.definition_of(call.resource()) {
            Some((_, version)) if call.resource().known.is_none() => version["subresources"]["scale"].clone(),
            _ => {
                let (replicas, current) = (".spec.replicas".into(), ".status.replicas".into());
                return Places { replicas, current, selector: None };
            }
        };
        let text = |field: &str| own[field].str().to_string();
        Places {
            replicas: text("specReplicasPath"),
            current: text("statusReplicasPath"),
            selector: Some(text("labelSelectorPath")),
        }
    }
}

struct Places {
    replicas: String,
    current: String,
    /// The path of a selector that is a text; `None` where it is made of the object's own.
    selector: Option<String>,
}

/// `.spec.crew`
fn steps(path: &str) -> Vec<&str> {
    path.split('.').filter(|step| !step.is_empty()).collect()
}

fn scale_of(call: &Call<'_, '_>, object: &Value, places: &Places) -> Value {
    let mut metadata = map! { "name" => object::name(object) };
    for key in ["namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if !object["metadata"][key].is_null() {
            metadata.set(&[key], &object["metadata"][key]);
        }
    }
    let mut status = map! { "replicas" => object.at(&steps(&places.current)).int() };
    let selector = match call.resource().store.as_str() {
        _ if places.selector.is_some() => {
            places.selector.as_deref().map_or("", |path| object.at(&steps(path)).str()).to_string()
        }
        "replicationcontrollers" => pairs(&object["spec"]["selector"]).join(","),
        _ => selector_text(&object["spec"]["selector"]),
    };
    if !selector.is_empty() {
        status.set(&["selector"], selector);
    }
    let mut spec = Value::empty_map();
    if let Some(replicas) = object.at(&steps(&places.replicas)).as_int().filter(|n| *n != 0) {
        spec.set(&["replicas"], replicas);
    }
    map! {
        "kind" => "Scale", "apiVersion" => "autoscaling/v1", "metadata" => metadata, "spec" => spec,
        "status" => status,
    }
}

fn pairs(labels: &Value) -> Vec<String> {
    labels.entries().iter().map(|(key, value)| format!("{key}={}", value.str())).collect()
}

/// A LabelSelector as text, requirements sorted by key.
fn selector_text(selector: &Value) -> String {
    let mut terms: Vec<(SmolStr, String)> = selector["matchLabels"]
        .entries()
        .iter()
        .map(|(key, value)| (key.clone(), format!("{key}={}", value.str())))
        .collect();
    for term in selector["matchExpressions"].items() {
        let key = term["key"].smol();
        let mut values: Vec<&str> = term["values"].items().iter().map(Value::str).collect();
        values.sort_unstable();
        let values = values.join(",");
        let text = match term["operator"].str() {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_string(),
            _ => format!("!{key}"),
        };
        terms.push((key, text));
    }
    terms.sort();
    terms.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(",")
}
