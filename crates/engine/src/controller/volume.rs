//! The persistent volume controller: binds claims to volumes, makes volumes for claims whose class has a provisioner
//! of its own (`kubernetes.io/host-path`), and takes them away again.
//!
//! Left out: expansion, volume attributes classes, recycling, late assignment of a default class.

mod claim;
mod space;
pub mod usage;

use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STORAGE_CLASSES};
use crate::api::{claims, object};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::store::{Change, Key};

/// Everything is looked at again on this grid.
const PERIOD: Span = Span::seconds(15);
const BIND_COMPLETED: &str = "pv.kubernetes.io/bind-completed";
const PROVISIONED_BY: &str = "pv.kubernetes.io/provisioned-by";
/// The only provisioner the controller brings along.
const HOST_PATH: &str = "kubernetes.io/host-path";
const FINALIZER: &str = "kubernetes.io/pv-controller";

#[derive(Clone, Debug, Default)]
pub struct Volumes;

#[derive(Clone, Debug)]
pub enum Inputs {
    Claim(claim::Inputs),
    Volume(space::Inputs),
}

fn claim_of(volume: &Value) -> Option<Key> {
    let reference = &volume["spec"]["claimRef"];
    (!reference["name"].is_empty()).then(|| Key {
        resource: PERSISTENT_VOLUME_CLAIMS,
        namespace: reference["namespace"].smol(),
        name: reference["name"].smol(),
    })
}

fn volume_key(name: &str) -> Key {
    Key { resource: PERSISTENT_VOLUMES, namespace: Default::default(), name: name.into() }
}

impl Reconciler for Volumes {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == PERSISTENT_VOLUME_CLAIMS {
            add(change.key.clone(), Span::ZERO);
            let name = change.before["spec"]["volumeName"].str();
            if change.after.is_null() && !name.is_empty() {
                add(volume_key(name), Span::ZERO);
            }
        } else if change.key.resource == PERSISTENT_VOLUMES {
            add(change.key.clone(), Span::ZERO);
            // A binding somebody else has begun, or a volume that is gone, is the claim's business.
            let promised = claim_of(&change.after) != claim_of(&change.before) || change.after.is_null();
            let by_controller = object::annotation(&change.after, PROVISIONED_BY) == HOST_PATH;
            let volume = if change.after.is_null() { &change.before } else { &change.after };
            if let Some(key) = claim_of(volume).filter(|_| promised && !(by_controller && change.before.is_null())) {
                add(key, Span::ZERO);
            }
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let found = see.get(key)?.clone();
        if key.resource == PERSISTENT_VOLUMES {
            let claim = claim_of(&found).and_then(|key| see.get(&key).cloned());
            return Some(Inputs::Volume(space::Inputs { volume: found, claim, now }));
        }
        let class = see.find(&STORAGE_CLASSES, "", claims::class(&found)).cloned().unwrap_or_default();
        let volumes = see.list(&PERSISTENT_VOLUMES, None).map(|(_, volume)| volume.clone()).collect();
        let uses = |pod: &Value| usage::claims_of(pod).any(|claim| claim == key.name);
        let waiting = see.pods_on("").map(|(_, pod)| pod);
        let waiting = waiting.filter(|pod| object::namespace(pod) == key.namespace && uses(pod));
        let pods = waiting.map(|pod| object::name(pod).into()).collect();
        Some(Inputs::Claim(claim::Inputs { claim: found, class, volumes, pods, now }))
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        match inputs {
            Inputs::Claim(inputs) => claim::sync(inputs, io),
            Inputs::Volume(inputs) => space::sync(inputs, io),
        }
    }
}

/// Sends a write; what is gone meanwhile does not matter.
fn write(request: crate::base::http::Request, io: &mut Io<'_>) -> Result<Value, Stop> {
    let answer = io.send(request)?;
    match answer.ok() || answer.code == 404 {
        true => Ok(answer.value().clone()),
        false => Err(Stop::Retry(answer.value()["message"].str().into())),
    }
}

/// Writes the phase of a volume, if it is another.
fn set_phase(volume: &Value, phase: &str, message: &str, now: Time, io: &mut Io<'_>) -> Result<Value, Stop> {
    if volume["status"]["phase"].str() == phase {
        return Ok(volume.clone());
    }
    let mut body = volume.clone();
    body.set(&["status", "phase"], phase);
    body.set(&["status", "lastPhaseTransitionTime"], now.rfc3339());
    match message {
        "" => drop(body.remove(&["status", "message"])),
        text => body.set(&["status", "message"], text),
    }
    write(io.client.update(&PERSISTENT_VOLUMES, "status", body), io)
}

/// Pods in whose changes claims have an interest.
fn is_pod(change: &Change) -> bool {
    change.key.resource == PODS
}
