//! What outlives pods on a node: directories of the node itself, and volumes of claims, which are such directories.
//!
//! Left out: volumes that follow a pod to another node, changes seen by another pod that is already running.

use crate::base::SmolStr;

use super::worker::Worker;
use super::{Kubelet, volumes};
use crate::api::object;
use crate::api::resource::{PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES};
use crate::base::Value;
use crate::informer::Caches;

/// Directories remembered on one node.
const MOST: usize = 256;

/// The directory of a node that a volume of a pod is; `None` for one that ends with the pod.
fn directory(see: &Caches, pod: &Value, volume: &Value) -> Option<SmolStr> {
    if volume.has("hostPath") {
        return Some(volume["hostPath"]["path"].smol());
    }
    let claim = match volume.has("ephemeral") {
        true => format!("{}-{}", object::name(pod), volume["name"].str()),
        false => volume["persistentVolumeClaim"]["claimName"].str().to_owned(),
    };
    let claim = see.find(&PERSISTENT_VOLUME_CLAIMS, object::namespace(pod), &claim)?;
    let name = claim["spec"]["volumeName"].smol();
    let found = see.find(&PERSISTENT_VOLUMES, "", &name)?;
    let path =
        ["hostPath", "local"].iter().map(|kind| found["spec"][*kind]["path"].smol()).find(|path| !path.is_empty());
    Some(path.unwrap_or(name))
}

impl Kubelet {
    /// The pod's volumes are set up: what earlier pods have left in them is there.
    pub(super) fn load_disks(&mut self, see: &Caches, worker: &mut Worker) {
        for volume in worker.pod.at(&["spec", "volumes"]).items() {
            let Some(path) = directory(see, &worker.pod, volume) else { continue };
            let name = volume["name"].smol();
            if let Some(left) = self.disks.get(&path) {
                worker.kept.insert(name.clone(), left.clone());
            }
            worker.disks.insert(name, path);
        }
    }

    /// A container may have run: what it wrote is there for the pod's other containers, and for later pods.
    pub(super) fn share(&mut self, worker: &mut Worker, index: usize) {
        for name in volumes::share(worker, index) {
            let Some((kept, path)) = worker.kept.get(&name).zip(worker.disks.get(&name)) else { continue };
            if self.disks.len() >= MOST && !self.disks.contains_key(path) {
                self.disks.pop_first();
            }
            self.disks.insert(path.clone(), kept.clone());
        }
    }
}
