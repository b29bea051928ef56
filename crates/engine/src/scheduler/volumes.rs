//! Claims of a pod: what keeps it waiting, which node a bound volume pins it to, and which claims are bound only once
//! a node is chosen.
//!
//! Left out: capacity tracking.

use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES};
use crate::api::{claims, object};
use crate::base::Value;
use crate::informer::Caches;

use super::node::Node;

#[derive(Clone, Debug, Default)]
pub struct Volumes {
    /// Bound volumes.
    bound: Vec<Value>,
    /// Claims to be bound once a node is chosen, the smallest request first.
    pub open: Vec<Value>,
    /// Volumes they may be given, and whether the class of each claim has a provisioner.
    free: Vec<Value>,
    provisioned: Vec<bool>,
}

/// What is done about an open claim.
#[derive(Clone, Debug)]
pub enum Choice {
    /// It gets this volume.
    Volume(Value),
    Provision,
}

/// The claim a volume of a pod stands for.
pub fn claim_of(pod: &Value, volume: &Value) -> Option<String> {
    let name = match volume.has("ephemeral") {
        true => format!("{}-{}", object::name(pod), volume["name"].str()),
        false => volume["persistentVolumeClaim"]["claimName"].str().to_owned(),
    };
    Some(name).filter(|name| !name.is_empty())
}

impl Volumes {
    /// Looks the pod's claims up; the error is the message that rejects the pod on all nodes.
    pub fn of(pod: &Value, see: &Caches) -> Result<Volumes, String> {
        let mut volumes = Volumes::default();
        let namespace = object::namespace(pod);
        for volume in pod["spec"]["volumes"].items() {
            let is_ephemeral = volume.has("ephemeral");
            let Some(name) = claim_of(pod, volume) else { continue };
            let Some(claim) = see.find(&PERSISTENT_VOLUME_CLAIMS, namespace, &name) else {
                return Err(match is_ephemeral {
                    true => {
                        format!(
                            "waiting for ephemeral volume controller to create the persistentvolumeclaim \"{name}\""
                        )
                    }
                    false => format!("persistentvolumeclaim \"{name}\" not found"),
                });
            };
            if object::is_deleting(claim) {
                return Err(format!("persistentvolumeclaim \"{name}\" is being deleted"));
            }
            let volume_name = claim["spec"]["volumeName"].str();
            if !volume_name.is_empty() && claim["status"]["phase"].str() == "Bound" {
                match see.find(&PERSISTENT_VOLUMES, "", volume_name) {
                    Some(volume) => volumes.bound.push(volume.clone()),
                    None => {
                        return Err(format!(
                            "persistentvolumeclaim \"{name}\" bound to non-existent persistentvolume \"{volume_name}\""
                        ));
                    }
                }
                continue;
            }
            let class = see.find(&STORAGE_CLASSES, "", claims::class(claim));
            let Some(class) = class.filter(|class| claims::waits(class) && volume_name.is_empty()) else {
                return Err("pod has unbound immediate PersistentVolumeClaims".into());
            };
            volumes.provisioned.push(!matches!(class["provisioner"].str(), "" | "kubernetes.io/no-provisioner"));
            volumes.open.push(claim.clone());
        }
        if !volumes.open.is_empty() {
            let all = see.list("persistentvolumes", None).map(|(_, volume)| volume);
            let wanted =
                |volume: &&Value| volumes.open.iter().any(|claim| claims::class(claim) == claims::class(volume));
            volumes.free = all.filter(wanted).cloned().collect();
        }
        Ok(volumes)
    }

    /// What each open claim gets on a node, in their order; `None` for one that gets nothing there.
    pub fn choices(&self, node: &Node) -> Vec<Option<Choice>> {
        let mut taken: Vec<&str> = Vec::new();
        let place = Some((node.name().as_str(), node.labels()));
        let each = self.open.iter().zip(&self.provisioned).map(|(claim, provisioned)| {
            match claims::find(claim, self.free.iter(), place, true, &taken) {
                Some(volume) => {
                    taken.push(object::name(volume));
                    Some(Choice::Volume(claims::promise(volume, claim)))
                }
                None => provisioned.then_some(Choice::Provision),
            }
        });
        each.collect()
    }

    pub fn refuses(&self, node: &Node) -> Option<&'static str> {
        if !self.bound.iter().all(|volume| claims::reaches(volume, node.name(), node.labels())) {
            return Some("node(s) didn't match PersistentVolume's node affinity");
        }
        let lacks = !self.open.is_empty() && self.choices(node).iter().any(Option::is_none);
        lacks.then_some("node(s) didn't find available persistent volumes to bind")
    }

    /// Whether all claims of the pod are bound by now.
    pub fn are_bound(pod: &Value, see: &Caches) -> bool {
        Volumes::of(pod, see).is_ok_and(|volumes| volumes.open.is_empty())
    }
}
