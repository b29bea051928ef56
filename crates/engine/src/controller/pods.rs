//! What controllers say of pods and of their owners: active, ready, available, terminating; templates made into pods.

use std::cmp::Ordering;

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::PODS;
use crate::base::{Span, Time, Value};
use crate::informer::{EventType, Io, Stop};
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

/// What came of a step: the inner error is the first refusal.
pub type Done = Result<Result<(), String>, Stop>;

/// Makes pods for an owner in a slow start: batches of 1, 2, 4 …, until one has an error. The pods made come back.
pub fn create(
    owner: &Value,
    mut pods: impl Iterator<Item = Value>,
    io: &mut Io<'_>,
) -> Result<(Vec<Value>, Result<(), String>), Stop> {
    let (mut made, mut batch) = (Vec::new(), 1);
    loop {
        let some = pods.by_ref().take(batch).map(|pod| io.client.create(&PODS, object::namespace(owner), pod));
        let answers = io.send_all(some.collect())?;
        let mut refused = Ok(());
        for answer in &answers {
            let value = answer.value();
            if answer.ok() {
                io.expect(value);
                let text = format!("Created pod: {}", object::name(value));
                io.event(owner, EventType::Normal, "SuccessfulCreate", text);
                made.push(value.clone());
            } else if !namespace_is_terminating(value) {
                let message = value["message"].str();
                io.event(owner, EventType::Warning, "FailedCreate", format!("Error creating: {message}"));
                refused = refused.and(Err(message.to_owned()));
            }
        }
        if answers.is_empty() || answers.iter().any(|answer| !answer.ok()) {
            return Ok((made, refused));
        }
        batch *= 2;
    }
}

/// Deletes pods of an owner, all at once.
pub fn delete(owner: &Value, doomed: &[&Value], io: &mut Io<'_>) -> Done {
    let delete = |pod: &&Value| io.client.delete(&PODS, object::namespace(pod), object::name(pod), Value::Null);
    let answers = io.send_all(doomed.iter().map(delete).collect())?;
    let mut refused = Ok(());
    for (answer, pod) in answers.iter().zip(doomed) {
        if answer.ok() {
            io.expect(answer.value());
            io.event(owner, EventType::Normal, "SuccessfulDelete", format!("Deleted pod: {}", object::name(pod)));
        } else if answer.code != 404 {
            let message = answer.value()["message"].str();
            io.event(owner, EventType::Warning, "FailedDelete", format!("Error deleting: {message}"));
            refused = refused.and(Err(message.to_owned()));
        }
    }
    Ok(refused)
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
            uid: pod["metadata"]["uid"].smol(),
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
