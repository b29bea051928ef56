//! The condition `Unused` of bound claims: whether a pod names the claim.

use super::is_pod;
use crate::api::object;
use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PODS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

const UNUSED: &str = "Unused";

#[derive(Clone, Debug, Default)]
pub struct Usage;

#[derive(Clone, Debug)]
pub struct Inputs {
    claim: Value,
    used: bool,
    now: Time,
}

/// The claims a pod names.
pub fn claims_of(pod: &Value) -> impl Iterator<Item = &str> {
    let volumes = pod["spec"]["volumes"].items().iter();
    volumes.map(|volume| volume["persistentVolumeClaim"]["claimName"].str()).filter(|name| !name.is_empty())
}

impl Reconciler for Usage {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == PERSISTENT_VOLUME_CLAIMS && !change.after.is_null() {
            add(change.key.clone(), Span::ZERO);
        } else if is_pod(change) && object::is_finished(&change.before) != object::is_finished(&change.after)
            || is_pod(change) && (change.before.is_null() || change.after.is_null())
        {
            let pod = if change.after.is_null() { &change.before } else { &change.after };
            for claim in claims_of(pod) {
                let namespace = change.key.namespace.clone();
                add(Key { resource: PERSISTENT_VOLUME_CLAIMS, namespace, name: claim.into() }, Span::ZERO);
            }
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let claim = see.get(key).filter(|claim| !object::is_deleting(claim))?.clone();
        if claim["status"]["phase"].str() != "Bound" {
            return None;
        }
        let used = see
            .list(&PODS, Some(&key.namespace))
            .any(|(_, pod)| !object::is_finished(pod) && claims_of(pod).any(|claim| claim == key.name));
        let shown = object::condition(&claim, UNUSED).map(|condition| condition["status"].str() == "False");
        (shown != Some(used)).then_some(Inputs { claim, used, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let (status, reason, message) = match inputs.used {
            true => ("False", "PodUsingPVC", "A pod is currently referencing this PVC"),
            false => ("True", "NoPodsUsingPVC", "No pods are currently referencing this PVC"),
        };
        let condition = map! {
            "type" => UNUSED, "status" => status, "reason" => reason, "message" => message,
            "lastProbeTime" => Value::Null, "lastTransitionTime" => inputs.now.rfc3339(),
        };
        let mut claim = inputs.claim.clone();
        let mut all = claim["status"]["conditions"].items().to_vec();
        all.retain(|one| one["type"].str() != UNUSED);
        all.push(condition);
        claim.set(&["status", "conditions"], all);
        super::write(io.client.update(&PERSISTENT_VOLUME_CLAIMS, "status", claim), io).map(|_| ())
    }
}
