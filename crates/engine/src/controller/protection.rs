//! Protection of claims and volumes in use: one that was told to go stays as long as a pod uses the claim, or a claim
//! the volume. The other half, the finalizers themselves, is admission's. So do VolumeAttributesClasses in use, and
//! ServiceCIDRs with addresses that no other range holds; these get finalizer and condition here.
//!
//! Left out: the live list of pods before a finalizer comes off.

use super::volume::usage::claims_of;
use crate::api::object;
use crate::api::range_holds;
use crate::api::resource::{
    IP_ADDRESSES, PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, PatchKind, SERVICE_CIDRS,
    VOLUME_ATTRIBUTES_CLASSES,
};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

const OF_CLAIMS: &str = "kubernetes.io/pvc-protection";
const OF_VOLUMES: &str = "kubernetes.io/pv-protection";
const OF_CLASSES: &str = "kubernetes.io/vac-protection";
const OF_RANGES: &str = "networking.k8s.io/service-cidr-finalizer";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    Claims,
    Volumes,
    /// VolumeAttributesClasses.
    Classes,
    /// ServiceCIDRs.
    Ranges,
}

impl Protection {
    fn resource(self) -> crate::api::resource::Resource {
        match self {
            Protection::Claims => PERSISTENT_VOLUME_CLAIMS,
            Protection::Volumes => PERSISTENT_VOLUMES,
            Protection::Classes => VOLUME_ATTRIBUTES_CLASSES,
            Protection::Ranges => SERVICE_CIDRS,
        }
    }

    fn finalizer(self) -> &'static str {
        match self {
            Protection::Claims => OF_CLAIMS,
            Protection::Volumes => OF_VOLUMES,
            Protection::Classes => OF_CLASSES,
            Protection::Ranges => OF_RANGES,
        }
    }
}

impl Protection {
    /// Whether something needs the object still.
    fn in_use(self, see: &Caches, key: &Key, found: &Value) -> bool {
        match self {
            Protection::Claims => see.list(&PODS, Some(&key.namespace)).any(|(_, pod)| {
                !pod["spec"]["nodeName"].str().is_empty() && claims_of(pod).any(|claim| claim == key.name)
            }),
            Protection::Volumes => found["status"]["phase"].str() == "Bound",
            Protection::Classes => [PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES].iter().any(|resource| {
                let names = |one: &Value| {
                    one["spec"]["volumeAttributesClassName"].str() == key.name
                        || one["status"]["currentVolumeAttributesClassName"].str() == key.name
                };
                see.list(resource, None).any(|(_, one)| names(one))
            }),
            Protection::Ranges => {
                let holds = |range: &Value, address: &str| {
                    range["spec"]["cidrs"].items().iter().any(|cidr| range_holds(cidr.str(), address))
                };
                see.list(&IP_ADDRESSES, None).any(|(address, _)| {
                    let other = |(other, range): (&Key, &Value)| {
                        other.name != key.name && !object::is_deleting(range) && holds(range, &address.name)
                    };
                    holds(found, &address.name) && !see.list(&SERVICE_CIDRS, None).any(other)
                })
            }
        }
    }

    /// The finalizer and the condition of a ServiceCIDR.
    fn keep(self, found: &Value, deleting: bool, io: &mut Io<'_>) -> Result<(), Stop> {
        let has = found["metadata"]["finalizers"].items().iter().any(|one| one.str() == self.finalizer());
        if !has && !deleting {
            let mut new = found.clone();
            new.at_mut(&["metadata", "finalizers"]).list_mut().push(self.finalizer().into());
            io.send(io.client.update(&self.resource(), "", new))?;
        }
        let (status, reason, message) = match deleting {
            false => ("True", "", "Kubernetes Service CIDR is ready"),
            true => (
                "False",
                "Terminating",
                "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR",
            ),
        };
        let ready = object::condition(found, "Ready");
        if ready.is_some_and(|ready| ready["status"].str() == status && !ready["lastTransitionTime"].is_null()) {
            return Ok(());
        }
        let name = object::name(found);
        let condition = map! { "type" => "Ready", "status" => status, "reason" => reason, "message" => message,
        "lastTransitionTime" => io.now().rfc3339() };
        let body = map! { "apiVersion" => "networking.k8s.io/v1", "kind" => "ServiceCIDR",
        "metadata" => map! { "name" => name }, "status" => map! { "conditions" => vec![condition] } };
        let patch = io.client.patch(&self.resource(), "", name, "status", PatchKind::Apply, body);
        let patch = patch.with_query("fieldManager", "service-cidr-controller").with_query("force", "true");
        io.send(patch)?;
        Ok(())
    }
}

impl Reconciler for Protection {
    /// The object, and whether its finalizer may come off.
    type Inputs = (Value, bool);

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == self.resource() {
            if object::is_deleting(&change.after) || (*self == Protection::Ranges && !change.after.is_null()) {
                add(change.key.clone(), Span::ZERO);
            }
        } else if *self == Protection::Claims && change.key.resource == PODS && change.after.is_null() {
            for claim in claims_of(&change.before) {
                let namespace = change.key.namespace.clone();
                add(Key { resource: PERSISTENT_VOLUME_CLAIMS, namespace, name: claim.into() }, Span::ZERO);
            }
        } else if change.after.is_null()
            && match self {
                Protection::Classes => [PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES].contains(&change.key.resource),
                Protection::Ranges => change.key.resource == IP_ADDRESSES,
                _ => false,
            }
        {
            let resource = self.resource();
            let waiting = see.list(&resource, None).filter(|(_, one)| object::is_deleting(one));
            waiting.for_each(|(key, _)| add(key.clone(), Span::ZERO));
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<(Value, bool)> {
        let found = see.get(key)?;
        if !object::is_deleting(found) {
            return (*self == Protection::Ranges).then(|| (found.clone(), false));
        }
        let finalizers = found["metadata"]["finalizers"].items();
        if !finalizers.iter().any(|one| one.str() == self.finalizer()) {
            return None;
        }
        let free = !self.in_use(see, key, found);
        (free || *self == Protection::Ranges).then(|| (found.clone(), free))
    }

    fn reconcile(&self, (found, free): &(Value, bool), io: &mut Io<'_>) -> Result<(), Stop> {
        if !free {
            return self.keep(found, object::is_deleting(found), io);
        }
        let mut new = found.clone();
        let rest: Vec<Value> = found["metadata"]["finalizers"].items().to_vec();
        let rest: Vec<Value> = rest.into_iter().filter(|one| one.str() != self.finalizer()).collect();
        match rest.is_empty() {
            true => drop(new.remove(&["metadata", "finalizers"])),
            false => new.set(&["metadata", "finalizers"], rest),
        }
        let answer = io.send(io.client.update(&self.resource(), "", new))?;
        match answer.ok() || answer.code == 404 {
            true => Ok(()),
            false => Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
}
