//! What controllers say of pods and of their owners: active, ready, available, terminating; templates made into pods.

use std::cmp::Ordering;

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::{PODS, PatchKind};
use crate::base::{Span, Time, Value};
use crate::informer::{Io, Stop};
use crate::map;

/// Neither finished nor on its way out.
pub fn is_active(pod: &Value) -> bool {
    !is_finished(pod) && !object::is_deleting(pod)
}

pub use object::is_finished;

/// On its way out and not yet finished: what every `terminating…` count counts.
pub fn is_terminating(pod: &Value) -> bool {
    object::is_deleting(pod) && !is_finished(pod)
}

pub fn is_ready(pod: &Value) -> bool {
    object::condition_is(pod, "Ready", "True")
}

/// When a pod is (or was) available; `None` while it is not ready.
pub fn available_at(pod: &Value, min_ready_seconds: i64) -> Option<Time> {
    let ready = object::condition(pod, "Ready").filter(|ready| ready["status"].str() == "True")?;
    if min_ready_seconds <= 0 {
        return Some(Time::default());
    }
    Some(object::time(&ready["lastTransitionTime"])? + Span::seconds(min_ready_seconds))
}

/// The pod a template makes, with its owner.
pub fn from_template(template: &Value, owner: &Value, api_version: &str, kind: &str) -> Value {
    let mut meta = map! {
        "generateName" => format!("{}-", object::name(owner)),
        "namespace" => object::namespace(owner),
        "ownerReferences" => vec![object::owned_by(owner, api_version, kind)],
    };
    for key in ["labels", "annotations", "finalizers"] {
        let value = template["metadata"].get(key);
        if !value.is_empty() {
            meta.set(&[key], value);
        }
    }
    map! { "apiVersion" => "v1", "kind" => "Pod", "metadata" => meta, "spec" => template.get("spec") }
}

/// A controller, as the owner references of its pods name it.
pub struct Owner<'a> {
    pub object: &'a Value,
    pub api_version: &'static str,
    pub kind: &'static str,
}

/// Takes in orphans that match, lets go of what matches no more.
pub fn claim(
    owner: &Owner<'_>,
    pods: &[Value],
    selects: impl Fn(&Value) -> bool,
    io: &mut Io<'_>,
) -> Result<Vec<Value>, Stop> {
    let set = owner.object;
    let mut mine = Vec::with_capacity(pods.len());
    for pod in pods {
        let fits = selects(pod["metadata"].get("labels"));
        let owned = object::controller_of(pod).is_some();
        if owned && fits {
            mine.push(pod.clone());
            continue;
        }
        if object::is_deleting(set) || (!owned && (object::is_deleting(pod) || is_finished(pod))) {
            continue;
        }
        let body = match owned {
            true => release(set, pod),
            false => adopt(set, owner.api_version, owner.kind, pod),
        };
        let (namespace, name) = (object::namespace(pod), object::name(pod));
        let answer = io.send(io.client.patch(&PODS, namespace, name, "", PatchKind::Strategic, body))?;
        match (answer.ok(), answer.code) {
            (true, _) if owned => {}
            (true, _) => mine.push(answer.value().clone()),
            (false, 404 | 422) => {}
            _ => return Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
    Ok(mine)
}

/// The body that makes `owner` the controller of an orphan.
pub fn adopt(owner: &Value, api_version: &str, kind: &str, child: &Value) -> Value {
    map! { "metadata" => map! {
        "ownerReferences" => vec![object::owned_by(owner, api_version, kind)],
        "uid" => object::uid(child),
    } }
}

/// The body that takes the owner with this uid from a child.
pub fn release(owner: &Value, child: &Value) -> Value {
    map! { "metadata" => map! {
        "ownerReferences" => vec![map! { "$patch" => "delete", "uid" => object::uid(owner) }],
        "uid" => object::uid(child),
    } }
}

/// Whether a refused create says that the namespace is going away.
pub fn namespace_is_terminating(status: &Value) -> bool {
    status["details"]["causes"].items().iter().any(|cause| cause["reason"].str() == "NamespaceTerminating")
}

/// What decides which pod goes first; the smallest goes first.
pub struct Rank {
    assigned: bool,
    phase: u8,
    ready: bool,
    cost: i64,
    /// More related pods on the node: goes earlier.
    beside: usize,
    ready_for: i32,
    restarts: i64,
    age: i32,
    uid: SmolStr,
}

impl Rank {
    pub fn of(pod: &Value, beside: usize, now: Time) -> Rank {
        let status = pod.get("status");
        let ready = object::condition(pod, "Ready").filter(|ready| ready["status"].str() == "True");
        let since = ready.and_then(|ready| object::time(&ready["lastTransitionTime"]));
        let restarts = status["containerStatuses"].items().iter().map(|c| c["restartCount"].int()).max();
        Rank {
            assigned: !pod["spec"]["nodeName"].str().is_empty(),
            phase: match status["phase"].str() {
                "Pending" => 0,
                "Unknown" => 1,
                _ => 2,
            },
            ready: ready.is_some(),
            cost: object::annotation(pod, "controller.kubernetes.io/pod-deletion-cost").parse().unwrap_or(0),
            beside,
            ready_for: since.map_or(-1, |since| log2(now - since)),
            restarts: restarts.unwrap_or(0),
            age: log2(now - object::created(pod)),
            uid: object::uid(pod).into(),
        }
    }

    pub fn compare(&self, other: &Rank) -> Ordering {
        (self.assigned, self.phase, self.ready, self.cost)
            .cmp(&(other.assigned, other.phase, other.ready, other.cost))
            .then(other.beside.cmp(&self.beside))
            .then(if self.ready && other.ready { self.ready_for.cmp(&other.ready_for) } else { Ordering::Equal })
            .then_with(|| match self.ready_for == other.ready_for && self.ready && other.ready_for >= 0 {
                true => self.uid.cmp(&other.uid),
                false => Ordering::Equal,
            })
            .then(other.restarts.cmp(&self.restarts))
            .then(self.age.cmp(&other.age))
            .then_with(|| self.uid.cmp(&other.uid))
    }
}

/// The whole part of the binary logarithm of a span in nanoseconds; spans of nothing count as nothing.
fn log2(span: Span) -> i32 {
    let nanos = i128::from(span.0) * 1000;
    if nanos <= 0 { 0 } else { (127 - nanos.leading_zeros()) as i32 }
}
