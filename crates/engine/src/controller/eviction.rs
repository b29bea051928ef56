//! The taint eviction controller: deletes pods that do not tolerate a NoExecute taint of their node, at once or when
//! their toleration runs out.

use crate::api::object;
use crate::api::placement::tolerates;
use crate::api::resource::{NODES, PODS, PatchKind};
use crate::base::{BTreeMap, Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

#[derive(Clone, Debug, Default)]
pub struct Eviction {
    /// Since when a pod stands on a node with such taints: tolerations run from there.
    since: BTreeMap<Key, Time>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    pod: Value,
    taints: Vec<Value>,
    since: Time,
    now: Time,
}

fn taints(node: &Value) -> Vec<Value> {
    node["spec"]["taints"].items().iter().filter(|taint| taint["effect"].str() == "NoExecute").cloned().collect()
}

impl Reconciler for Eviction {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == NODES {
            if taints(&change.before) != taints(&change.after) {
                see.pods_on(&change.key.name).for_each(|(key, _)| add(key.clone(), Span::ZERO));
            }
        } else if change.key.resource == PODS {
            let node = |pod: &Value| pod["spec"]["nodeName"].smol();
            let tolerations = |pod: &Value| pod["spec"]["tolerations"].clone();
            let (before, after) = (&change.before, &change.after);
            // Another pod of that name begins anew.
            if after.is_null() {
                self.since.remove(&change.key);
            }
            if (node(before), tolerations(before)) != (node(after), tolerations(after)) && !node(after).is_empty() {
                let found = see.find(&NODES, "", &node(after));
                if found.is_some_and(|node| !taints(node).is_empty()) {
                    add(change.key.clone(), Span::ZERO);
                }
            }
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let pod = see.get(key).filter(|pod| !object::is_deleting(pod));
        let node = pod.and_then(|pod| see.find(&NODES, "", pod["spec"]["nodeName"].str()));
        let taints = node.map(taints).filter(|taints| !taints.is_empty());
        let (Some(pod), Some(taints)) = (pod, taints) else {
            self.since.remove(key);
            return None;
        };
        let since = *self.since.entry(key.clone()).or_insert(now);
        Some(Inputs { pod: pod.clone(), taints, since, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let pod = &inputs.pod;
        // For each taint the shortest toleration; the earliest end of all decides.
        let mut until: Option<Time> = None;
        for taint in &inputs.taints {
            let fitting: Vec<&Value> =
                pod["spec"]["tolerations"].items().iter().filter(|one| tolerates(one, taint)).collect();
            let end = if fitting.is_empty() {
                Some(inputs.now)
            } else {
                let seconds = fitting.iter().filter_map(|one| one["tolerationSeconds"].as_int()).min();
                seconds.map(|seconds| inputs.since + Span::seconds(seconds.max(0)))
            };
            until = match (until, end) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        let Some(until) = until else { return Ok(()) };
        if until > io.now() {
            io.again_after(until - io.now());
            return Ok(());
        }
        let (namespace, name) = (object::namespace(pod), object::name(pod));
        io.event(
            pod,
            EventType::Normal,
            "TaintManagerEviction",
            format!("Marking for deletion Pod {namespace}/{name}"),
        );
        let condition = map! {
            "type" => "DisruptionTarget", "status" => "True", "reason" => "DeletionByTaintManager",
            "message" => "Taint manager: deleting due to NoExecute taint", "lastProbeTime" => Value::Null,
            "lastTransitionTime" => inputs.now.rfc3339(), "observedGeneration" => pod["metadata"].get("generation"),
        };
        let body = map! { "status" => object::condition_patch(pod, condition) };
        let answer = io.send(io.client.patch(&PODS, namespace, name, "status", PatchKind::Strategic, body))?;
        if answer.code == 404 {
            return Ok(());
        }
        let answer = io.send(io.client.delete(&PODS, namespace, name, Value::Null))?;
        match answer.ok() || answer.code == 404 {
            true => Ok(()),
            false => Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
}
