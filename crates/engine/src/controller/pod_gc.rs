//! Pod garbage collection: pods of nodes that no longer exist, and unscheduled pods that were told to go.
//!
//! Left out: the limit of finished pods (12500), out-of-service nodes.

use crate::api::object;
use crate::api::resource::{NODES, PODS, PatchKind};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// How long a node must be gone.
const QUARANTINE: Span = Span::seconds(40);
const PERIOD: Span = Span::seconds(20);

#[derive(Clone, Debug, Default)]
pub struct PodGc;

#[derive(Clone, Debug)]
pub struct Inputs {
    pods: Vec<Value>,
    now: Time,
}

impl Reconciler for PodGc {
    type Inputs = Inputs;

    /// The keys are names of nodes that went ("" for pods without a node).
    fn wakes(&mut self, see: &Caches, change: &Change, now: Time, add: &mut dyn FnMut(Key, Span)) {
        let tick = |at: Time| at.next_on_grid(PERIOD, Span::ZERO) - now;
        if change.key.resource == NODES && change.after.is_null() {
            if see.pods_on(&change.key.name).next().is_some() {
                add(change.key.clone(), tick(now + QUARANTINE));
            }
        } else if change.key.resource == PODS
            && change.after["spec"]["nodeName"] != change.before["spec"]["nodeName"]
            && !change.after["spec"]["nodeName"].str().is_empty()
        {
            // Bound to a node that has never been there.
            let name = change.after["spec"]["nodeName"].str();
            if see.find(&NODES, "", name).is_none() {
                add(Key { resource: NODES, name: name.into(), ..Key::default() }, tick(now + QUARANTINE));
            }
        } else if change.key.resource == PODS
            && object::is_deleting(&change.after)
            && !object::is_deleting(&change.before)
            && change.after["spec"]["nodeName"].str().is_empty()
        {
            add(Key { resource: NODES, ..Key::default() }, tick(now));
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        if see.get(key).is_some() {
            return None;
        }
        let all = see.pods_on(&key.name).map(|(_, pod)| pod.clone());
        let pods = all.filter(|pod| !key.name.is_empty() || object::is_deleting(pod)).collect();
        Some(Inputs { pods, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        for pod in &inputs.pods {
            let (namespace, name) = (object::namespace(pod), object::name(pod));
            if !pod["spec"]["nodeName"].str().is_empty() {
                let condition = map! {
                    "type" => "DisruptionTarget", "status" => "True", "reason" => "DeletionByPodGC",
                    "message" => "PodGC: node no longer exists", "lastProbeTime" => Value::Null,
                    "lastTransitionTime" => inputs.now.rfc3339(),
                    "observedGeneration" => pod["metadata"].get("generation"),
                };
                let mut status = object::condition_patch(pod, condition);
                if !object::is_finished(pod) {
                    status.set(&["phase"], "Failed");
                }
                let body = map! { "status" => status };
                io.send(io.client.patch(&PODS, namespace, name, "status", PatchKind::Strategic, body))?;
            }
            let options = map! { "kind" => "DeleteOptions", "apiVersion" => "v1", "gracePeriodSeconds" => 0 };
            io.send(io.client.delete(&PODS, namespace, name, options))?;
        }
        Ok(())
    }
}
