//! What concerns a pod on its node: binding, and the calls its kubelet answers.

use crate::api::object;
use crate::api::server::body::{self, Wanted};
use crate::api::server::{Answer, Call, NodeCall, NodeCallKind, Result, Server};
use crate::api::status::{Named, Status};
use crate::base::http::{Body, Method, Response};
use crate::base::{Span, Time, Value};
use crate::map;
use crate::store::Key;

impl Server {
    /// POST of a Binding: the scheduler's word.
    pub(super) fn bind(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let binding = body::object(call, &Wanted::new("", "v1", "Binding"))?;
        self.bind_to(call, &binding)
    }

    /// POST to `bindings`: the pod's name stands in the Binding.
    pub(in crate::api::server) fn create_binding(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let binding = body::object(call, &Wanted::new("", "v1", "Binding"))?;
        call.target.name = binding["metadata"]["name"].smol();
        if let Some(pods) = self.find_resource("", "v1", "pods") {
            call.target.resource = pods;
        }
        call.target.subresource = "binding".into();
        self.bind_to(call, &binding)
    }

    fn bind_to(&mut self, call: &mut Call<'_, '_>, binding: &Value) -> Result<Response> {
        let target = &binding["target"];
        let name = call.target.name.clone();
        let mut errors = Vec::new();
        if !matches!(target["kind"].str(), "" | "Node") {
            let kind = crate::base::goquote::quote(target["kind"].str());
            let body = format!("Unsupported value: {kind}: supported values: \"Node\", \"<empty>\"");
            errors.push(("target.kind".to_owned(), body, "FieldValueNotSupported"));
        }
        if target["name"].str().is_empty() {
            errors.push(("target.name".to_owned(), "Required value".to_owned(), "FieldValueRequired"));
        }
        if !errors.is_empty() {
            return Err(Status::invalid("", "Binding", &name, &errors));
        }
        let old = self.object(call)?;
        let node = target["name"].smol();
        let what = Named::new("", "pods/binding");
        let refuse = |why: String| Err(Status::conflict(&what, &name, &why));
        let uid = binding["metadata"]["uid"].str();
        if !uid.is_empty() && uid != object::uid(&old) {
            return Err(Status::precondition_uid(&call.resource().named_kind(), &name, uid, object::uid(&old)));
        }
        if object::is_deleting(&old) {
            return refuse(format!("pod {name} is being deleted, cannot be assigned to a host"));
        }
        let bound = old["spec"]["nodeName"].str();
        if !bound.is_empty() {
            return refuse(format!("pod {name} is already assigned to node {}", crate::base::goquote::quote(bound)));
        }
        if !old["spec"]["schedulingGates"].items().is_empty() {
            return refuse(format!("pod {name} has non-empty .spec.schedulingGates"));
        }
        let mut new = old.clone();
        new.set(&["spec", "nodeName"], &node);
        new.remove(&["status", "nominatedNodeName"]);
        for (key, value) in binding["metadata"]["annotations"].entries().iter() {
            new.set(&["metadata", "annotations", key], value);
        }
        self.copy_topology(&node, &mut new);
        set_condition(
            &mut new,
            "PodScheduled",
            map! {
                "type" => "PodScheduled", "status" => "True", "lastProbeTime" => Value::Null,
                "lastTransitionTime" => call.cx.now.rfc3339(),
            },
        );
        self.commit(call, "update", call.key(), old, new);
        Ok(Response::new(201, super::success(201)))
    }

    /// PodTopologyLabels: zone and region of the node become labels of the pod.
    fn copy_topology(&self, node: &str, pod: &mut Value) {
        let key = Key { resource: "nodes".into(), namespace: Default::default(), name: node.into() };
        let Some(node) = self.store.get(&key) else { return };
        for label in ["topology.kubernetes.io/region", "topology.kubernetes.io/zone"] {
            let value = object::label(node, label);
            if !value.is_empty() {
                pod.set(&["metadata", "labels", label], value);
            }
        }
    }

    pub(super) fn log(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        let pod = self.object(call)?;
        let query = |key: &str| call.request.query(key);
        let number = |key: &str| -> Result<Option<u64>> {
            match query(key) {
                "" => Ok(None),
                text => match text.parse::<i64>() {
                    Ok(n) if n >= 0 => Ok(Some(n as u64)),
                    Ok(n) => {
                        let body = format!("Invalid value: {n}: must be greater than or equal to 0");
                        Err(Status::invalid("", "PodLogOptions", "", &[(key.to_owned(), body, "FieldValueInvalid")]))
                    }
                    Err(_) => Err(Status::bad_request(format!(
                        "strconv.ParseInt: parsing {}: invalid syntax",
                        crate::base::goquote::quote(text)
                    ))),
                },
            }
        };
        let flag = |key: &str| matches!(query(key), "true" | "1");
        let since = match (query("sinceSeconds").parse::<i64>(), query("sinceTime")) {
            (Ok(seconds), _) => Some(Time(call.cx.now.0.saturating_sub(Span::seconds(seconds).0))),
            (_, "") => None,
            (_, text) => Time::parse(text),
        };
        let kind = NodeCallKind::Logs {
            follow: flag("follow"),
            previous: flag("previous"),
            tail: number("tailLines")?,
            since,
            timestamps: flag("timestamps"),
            limit_bytes: number("limitBytes")?,
        };
        let container = container(&pod, query("container"))?;
        if pod["spec"]["nodeName"].is_empty() {
            let mut response = Response::new(200, Value::Null);
            response.content_type = "text/plain".into();
            response.body = Body::Text(String::new());
            return Ok(Answer::Done(response));
        }
        Ok(Answer::Node(node_call(&pod, container, kind)))
    }

    pub(super) fn exec(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        let pod = self.object(call)?;
        let request = call.request;
        let flag = |key: &str| matches!(request.query(key), "true" | "1");
        let command: Vec<String> =
            request.query.iter().filter(|(key, _)| key == "command").map(|(_, value)| value.clone()).collect();
        if command.is_empty() {
            return Err(Status::bad_request("you must specify at least 1 command"));
        }
        let kind = NodeCallKind::Exec {
            command,
            stdin: flag("stdin"),
            tty: flag("tty"),
            stdout: flag("stdout"),
            stderr: flag("stderr"),
        };
        self.stream_call(call, &pod, kind)
    }

    pub(super) fn attach(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        let pod = self.object(call)?;
        let flag = |key: &str| matches!(call.request.query(key), "true" | "1");
        let kind = NodeCallKind::Attach {
            stdin: flag("stdin"),
            tty: flag("tty"),
            stdout: flag("stdout"),
            stderr: flag("stderr"),
        };
        self.stream_call(call, &pod, kind)
    }

    fn stream_call(&self, call: &Call<'_, '_>, pod: &Value, kind: NodeCallKind) -> Result<Answer> {
        let container = container(pod, call.request.query("container"))?;
        let name = object::name(pod);
        if pod["spec"]["nodeName"].is_empty() {
            return Err(Status::bad_request(format!("pod {name} does not have a host assigned")));
        }
        Ok(Answer::Node(node_call(pod, container, kind)))
    }

    pub(super) fn port_forward(&mut self, call: &mut Call<'_, '_>) -> Result<Answer> {
        let pod = self.object(call)?;
        if pod["spec"]["nodeName"].is_empty() {
            let name = object::name(&pod);
            return Err(Status::bad_request(format!("pod {name} does not have a host assigned")));
        }
        let Ok(port) = call.request.query("ports").parse() else {
            return Err(Status::bad_request("query parameter \"ports\" is required"));
        };
        let mut request = call.request.clone();
        request.path = call.request.query("path").into();
        request.agent = call.request.query("agent").into();
        request.query.clear();
        request.method = if call.request.query("method") == "HEAD" { Method::Head } else { Method::Get };
        let kind = NodeCallKind::PortForward { port, request: Box::new(request) };
        Ok(Answer::Node(node_call(&pod, "", kind)))
    }
}

/// Sets a condition of a pod's status, in place of one of its type.
pub fn set_condition(pod: &mut Value, kind: &str, condition: Value) {
    let conditions = pod.at_mut(&["status", "conditions"]).list_mut();
    match conditions.iter_mut().find(|old| old["type"].str() == kind) {
        Some(old) => *old = condition,
        None => conditions.push(condition),
    }
}

fn node_call(pod: &Value, container: &str, kind: NodeCallKind) -> NodeCall {
    NodeCall {
        node: pod["spec"]["nodeName"].smol(),
        namespace: pod["metadata"]["namespace"].smol(),
        pod: pod["metadata"]["name"].smol(),
        uid: pod["metadata"]["uid"].smol(),
        container: container.into(),
        kind,
    }
}

/// The container that is meant; without a name only if there is one.
fn container<'a>(pod: &'a Value, named: &str) -> Result<&'a str> {
    let spec = &pod["spec"];
    let names = |list: &str| -> Vec<&'a str> { spec[list].items().iter().map(|c| c["name"].str()).collect() };
    let (main, init, ephemeral) = (names("containers"), names("initContainers"), names("ephemeralContainers"));
    let name = object::name(pod);
    if named.is_empty() {
        if let ([only], []) = (main.as_slice(), init.as_slice()) {
            return Ok(only);
        }
        let mut message = format!("a container name must be specified for pod {name}");
        if !main.is_empty() {
            message.push_str(&format!(", choose one of: [{}]", main.join(" ")));
        }
        if !init.is_empty() {
            message.push_str(&format!(" or one of the init containers: [{}]", init.join(" ")));
        }
        if !ephemeral.is_empty() {
            message.push_str(&format!(" or one of the ephemeral containers: [{}]", ephemeral.join(" ")));
        }
        return Err(Status::bad_request(message));
    }
    let found = main.iter().chain(&init).chain(&ephemeral).find(|have| **have == named);
    found.copied().ok_or_else(|| Status::bad_request(format!("container {named} is not valid for pod {name}")))
}
