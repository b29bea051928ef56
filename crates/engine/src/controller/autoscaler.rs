//! The horizontal pod autoscaler of a cluster without a metrics API: every metric fails as it does there, and the bounds
//! of the autoscaler alone move the target.
//!
//! Left out: metrics and what is computed from them (stabilization, behavior, tolerance); targets of a kind whose plural
//! is irregular.

use crate::api::object;
use crate::api::resource::{HORIZONTAL_POD_AUTOSCALERS, Resource};
use crate::base::http::{Method, Request, Response};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

const PERIOD: Span = Span::seconds(15);
/// What stands before every reason why a metric has no value.
const UNABLE: &str = "the HPA was unable to compute the replica count: ";

#[derive(Clone, Debug, Default)]
pub struct Autoscalers;

#[derive(Clone, Debug)]
pub struct Inputs {
    autoscaler: Value,
    /// All autoscalers of the same target, `namespace/name`.
    rivals: Vec<String>,
    now: Time,
}

impl Reconciler for Autoscalers {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == HORIZONTAL_POD_AUTOSCALERS && change.before["spec"] != change.after["spec"] {
            add(change.key.clone(), Span::ZERO);
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let autoscaler = see.get(key)?.clone();
        let target = &autoscaler["spec"]["scaleTargetRef"];
        let same = see
            .list(&key.resource, Some(&key.namespace))
            .filter(|(_, other)| other["spec"]["scaleTargetRef"] == *target);
        let rivals = same.map(|(key, _)| format!("{}/{}", key.namespace, key.name)).collect();
        Some(Inputs { autoscaler, rivals, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        io.again_after(PERIOD);
        let on = &inputs.autoscaler;
        let mut status = on["status"].clone();
        let got = io.send(scale_request(on, io, Method::Get))?;
        let condition = |kind: &str, value: &str, reason: &str, message: &str, status: &mut Value| {
            set_condition(status, kind, value, reason, message, inputs.now);
        };
        if !got.ok() {
            let error = failure(&got);
            io.event(on, EventType::Warning, "FailedGetScale", &error);
            let text = format!("the HPA controller was unable to get the target's current scale: {error}");
            condition("AbleToScale", "False", "FailedGetScale", &text, &mut status);
            return write(on, status, io);
        }
        // Only a status that is made anew tells what it was made of.
        status.set(&["observedGeneration"], on["metadata"].get("generation"));
        let text = "the HPA controller was able to get the target's current scale";
        condition("AbleToScale", "True", "SucceededGetScale", text, &mut status);
        let scale = got.value();
        let current = scale["spec"]["replicas"].int();
        let (least, most) = (on["spec"]["minReplicas"].as_int().unwrap_or(1), on["spec"]["maxReplicas"].int());
        status.set(&["currentReplicas"], current);
        let (wanted, why) = if current == 0 && least != 0 {
            let text = "scaling is disabled since the replica count of the target is zero";
            condition("ScalingActive", "False", "ScalingDisabled", text, &mut status);
            status.set(&["desiredReplicas"], 0);
            status.set(&["currentMetrics"], Value::Null);
            return write(on, status, io);
        } else if current > most {
            (most, "Current number of replicas above Spec.MaxReplicas")
        } else if current < least {
            (least, "Current number of replicas below Spec.MinReplicas")
        } else {
            return metrics(inputs, scale, status, io);
        };
        let mut body = scale.clone();
        body.set(&["spec", "replicas"], wanted);
        let answer = io.send(scale_request(on, io, Method::Put).with_body(body))?;
        if !answer.ok() {
            let error = failure(&answer);
            let text = format!("New size: {wanted}; reason: {why}; error: {error}");
            io.event(on, EventType::Warning, "FailedRescale", text);
            let text = format!("the HPA controller was unable to update the target scale: {error}");
            condition("AbleToScale", "False", "FailedUpdateScale", &text, &mut status);
            return write(on, status, io);
        }
        let text = format!("the HPA controller was able to update the target scale to {wanted}");
        condition("AbleToScale", "True", "SucceededRescale", &text, &mut status);
        let text = "the HPA controller did not scale the workload to zero";
        condition("ScaledToZero", "False", "NotScaledToZero", text, &mut status);
        io.event(on, EventType::Normal, "SuccessfulRescale", format!("New size: {wanted}; reason: {why}"));
        status.set(&["desiredReplicas"], wanted);
        status.set(&["currentMetrics"], Value::Null);
        status.set(&["lastScaleTime"], Value::text(inputs.now.rfc3339()));
        write(on, status, io)
    }
}

/// No metric has a value: the first error becomes the condition, each an event.
fn metrics(inputs: &Inputs, scale: &Value, mut status: Value, io: &mut Io<'_>) -> Result<(), Stop> {
    let on = &inputs.autoscaler;
    let selector = scale["status"]["selector"].str();
    let refusal = match (selector.is_empty(), inputs.rivals.len() > 1) {
        (true, _) => Some(("InvalidSelector", "the HPA target's scale is missing a selector".to_string())),
        (_, true) => {
            let all = inputs.rivals.join(" ");
            Some(("AmbiguousSelector", format!("pods by selector {selector} are controlled by multiple HPAs: [{all}]")))
        }
        _ => None,
    };
    let metrics = on["spec"]["metrics"].items();
    let error = match refusal {
        Some((reason, text)) => {
            io.event(on, EventType::Warning, reason, &text);
            set_condition(&mut status, "ScalingActive", "False", reason, &text, inputs.now);
            status.set(&["currentMetrics"], Value::Null);
            text
        }
        None => {
            let all: Vec<_> = metrics.iter().map(|metric| missing(metric, object::namespace(on))).collect();
            for (reason, error, _) in &all {
                io.event(on, EventType::Warning, reason, error);
            }
            let count = all.len();
            let mut text = String::new();
            if let Some((reason, error, outer)) = all.first() {
                let message = format!("{UNABLE}{error}");
                set_condition(&mut status, "ScalingActive", "False", reason, &message, inputs.now);
                text = format!("invalid metrics ({count} invalid out of {count}), first error is: {outer}{error}");
            }
            status.set(&["currentMetrics"], all.iter().map(|_| map! { "type" => "" }).collect::<Vec<_>>());
            text
        }
    };
    io.event(on, EventType::Warning, "FailedComputeMetricsReplicas", error);
    write(on, status, io)
}

/// Why a metric has no value: the reason, the error, and what the sum of errors puts before it.
fn missing(metric: &Value, namespace: &str) -> (&'static str, String, String) {
    const CUSTOM: &str =
        "unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered";
    let kind = metric["type"].str();
    match kind {
        "Resource" | "ContainerResource" => {
            let (field, reason, word) = match kind {
                "Resource" => ("resource", "FailedGetResourceMetric", "resource"),
                _ => ("containerResource", "FailedGetContainerResourceMetric", "container"),
            };
            let source = &metric[field];
            let name = source["name"].str();
            let what = if source["target"]["averageValue"].is_null() { "utilization" } else { "usage" };
            let error = format!(
                "failed to get {name} {what}: unable to get metrics for resource {name}: unable to fetch metrics from \
                 resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)"
            );
            (reason, error, format!("failed to get {name} {word} metric value: "))
        }
        "Pods" => {
            let name = metric["pods"]["metric"]["name"].str();
            let error = format!("unable to get metric {name}: {CUSTOM}");
            ("FailedGetPodsMetric", error, "failed to get pods metric value: ".into())
        }
        "Object" => {
            let source = &metric["object"];
            let (name, of) = (source["metric"]["name"].str(), &source["describedObject"]);
            let (kind, of) = (of["kind"].str(), of["name"].str());
            let error = format!("unable to get metric {name}: {kind} on {namespace} {of}/{CUSTOM}");
            ("FailedGetObjectMetric", error, "failed to get object metric value: ".into())
        }
        _ => {
            let name = metric["external"]["metric"]["name"].str();
            let error = format!(
                "unable to get external metric {namespace}/{name}/nil: unable to fetch metrics from external metrics \
                 API: the server could not find the requested resource (get {name}.external.metrics.k8s.io)"
            );
            ("FailedGetExternalMetric", error, format!("failed to get {name} external metric value: "))
        }
    }
}

fn scale_request(on: &Value, io: &Io<'_>, method: Method) -> Request {
    let target = &on["spec"]["scaleTargetRef"];
    let version = target["apiVersion"].str();
    let root = if version.contains('/') { "/apis" } else { "/api" };
    let plural: Resource = format!("{}s", target["kind"].str().to_ascii_lowercase()).into();
    let (namespace, name) = (object::namespace(on), target["name"].str());
    let path = format!("{root}/{version}/namespaces/{namespace}/{plural}/{name}/scale");
    Request::new(&io.client.user, &io.client.agent, method, path)
}

fn failure(answer: &Response) -> String {
    answer.value()["message"].str().to_string()
}

fn write(on: &Value, status: Value, io: &mut Io<'_>) -> Result<(), Stop> {
    if status == on["status"] {
        return Ok(());
    }
    let mut body = on.clone();
    body.set(&["status"], status);
    io.send(io.client.update(&HORIZONTAL_POD_AUTOSCALERS, "status", body))?;
    Ok(())
}

fn set_condition(status: &mut Value, kind: &str, value: &str, reason: &str, message: &str, now: Time) {
    let mut all = status["conditions"].items().to_vec();
    let old = all.iter().position(|one| one["type"].str() == kind);
    let since = old.and_then(|at| all.get(at)).filter(|one| one["status"].str() == value);
    let since = since.map_or_else(|| Value::text(now.rfc3339()), |one| one["lastTransitionTime"].clone());
    let condition = map! {
        "type" => kind, "status" => value, "reason" => reason, "message" => message, "lastTransitionTime" => since,
    };
    match old.and_then(|at| all.get_mut(at)) {
        Some(slot) => *slot = condition,
        None => all.push(condition),
    }
    status.set(&["conditions"], all);
}
