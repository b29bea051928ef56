//! Claims of a pod: what keeps it waiting, which node a bound volume pins it to, and which claims are bound only once
//! a node is chosen.
//!
//! Left out: matching of volumes made by hand for claims that wait for their first consumer, capacity tracking.

use crate::api::object;
use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES};
use crate::base::Value;
use crate::informer::Caches;

use super::filter::node_term;
use super::node::Node;

#[derive(Clone, Debug, Default)]
pub struct Volumes {
    /// Bound volumes.
    bound: Vec<Value>,
    /// Claims to be provisioned on the node that is chosen.
    pub open: Vec<Value>,
}

impl Volumes {
    /// Looks the pod's claims up; the error is the message that rejects the pod on all nodes.
    pub fn of(pod: &Value, see: &Caches) -> Result<Volumes, String> {
        let mut volumes = Volumes::default();
        let namespace = object::namespace(pod);
        for volume in pod["spec"]["volumes"].items() {
            let is_ephemeral = volume.has("ephemeral");
            let name = match is_ephemeral {
                true => format!("{}-{}", object::name(pod), volume["name"].str()),
                false => volume["persistentVolumeClaim"]["claimName"].str().to_owned(),
            };
            if name.is_empty() {
                continue;
            }
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
            let class = see.find(&STORAGE_CLASSES, "", claim["spec"]["storageClassName"].str());
            if class.is_none_or(|class| class["volumeBindingMode"].str() != "WaitForFirstConsumer") {
                return Err("pod has unbound immediate PersistentVolumeClaims".into());
            }
            volumes.open.push(claim.clone());
        }
        Ok(volumes)
    }

    pub fn refuses(&self, node: &Node) -> Option<&'static str> {
        let fits = |volume: &Value| {
            let required = volume.at(&["spec", "nodeAffinity", "required"]);
            required.is_null() || required["nodeSelectorTerms"].items().iter().any(|term| node_term(term, node))
        };
        match self.bound.iter().all(fits) {
            true => None,
            false => Some("node(s) didn't match PersistentVolume's node affinity"),
        }
    }

    /// Whether all claims of the pod are bound by now.
    pub fn are_bound(pod: &Value, see: &Caches) -> bool {
        Volumes::of(pod, see).is_ok_and(|volumes| volumes.open.is_empty())
    }
}
