//! Static pods: what a node runs from files of its own. The API server sees a mirror of each; a mirror that is deleted
//! is put back, and the containers do not notice.
//!
//! Left out: the files themselves (changing a control plane's flags), failures of their probes: once healthy, they are
//! asked no more.

use crate::base::SmolStr;

use super::worker::Worker;
use super::{Cx, Kubelet};
use crate::api::object;
use crate::api::resource::{NODES, PODS};
use crate::base::{Time, Value};
use crate::informer::Caches;
use crate::map;
use crate::runtime::hex64;

const HASH: &str = "kubernetes.io/config.hash";
const MIRROR: &str = "kubernetes.io/config.mirror";
const NAMESPACE: &str = "kube-system";

/// Whether a pod stands for a static one.
pub fn is_mirror(pod: &Value) -> bool {
    pod.at(&["metadata", "annotations"]).has(MIRROR)
}

impl Kubelet {
    /// Puts up the mirrors of all static pods.
    pub(super) fn start_static_pods(&mut self, cx: &mut Cx<'_>, node_uid: &str) {
        self.node_uid = node_uid.into();
        for manifest in self.config.static_pods.clone() {
            self.put_up(cx, &manifest, cx.now);
        }
    }

    fn put_up(&self, cx: &mut Cx<'_>, manifest: &Value, seen: Time) {
        let node = &self.config.name;
        let hash = hex64(&crate::base::json::compact(manifest));
        let hash = hash.get(..32).unwrap_or_default();
        let mut pod = manifest.clone();
        pod.set(&["apiVersion"], "v1");
        pod.set(&["kind"], "Pod");
        pod.set(&["metadata", "name"], format!("{}-{node}", object::name(manifest)));
        pod.set(&["metadata", "namespace"], NAMESPACE);
        for (key, value) in [(HASH, hash), (MIRROR, hash), ("kubernetes.io/config.source", "file")] {
            pod.set(&["metadata", "annotations", key], value);
        }
        pod.set(&["metadata", "annotations", "kubernetes.io/config.seen"], seen.rfc3339_micros());
        let owner = map! {
            "apiVersion" => "v1", "controller" => true, "kind" => "Node", "name" => node, "uid" => &self.node_uid,
        };
        pod.set(&["metadata", "ownerReferences"], vec![owner]);
        pod.set(&["spec", "nodeName"], node);
        for (key, value) in [
            ("hostNetwork", Value::from(true)),
            ("priority", Value::from(2_000_001_000_i64)),
            ("priorityClassName", "system-node-critical".into()),
            ("securityContext", map! { "seccompProfile" => map! { "type" => "RuntimeDefault" } }),
            ("tolerations", vec![map! { "effect" => "NoExecute", "operator" => "Exists" }].into()),
        ] {
            pod.set(&["spec", key], value);
        }
        let request = self.client.create(&PODS, NAMESPACE, pod);
        cx.call(request, None);
    }

    /// Somebody deletes a mirror: it goes at once.
    pub(super) fn drop_mirror(&self, cx: &mut Cx<'_>, pod: &Value) {
        let options = map! {
            "kind" => "DeleteOptions", "apiVersion" => "v1", "gracePeriodSeconds" => 0,
            "preconditions" => map! { "uid" => object::uid(pod) },
        };
        let request = self.client.delete(&PODS, object::namespace(pod), object::name(pod), options);
        cx.call(request, None);
    }

    /// A mirror is gone: another one takes its place, and the worker waits for it.
    pub(super) fn mirror_gone(&mut self, cx: &mut Cx<'_>, see: &Caches, worker: Box<Worker>) {
        let name = object::name(&worker.pod).to_owned();
        let node = format!("-{}", self.config.name);
        let plain = name.strip_suffix(&node).unwrap_or(&name);
        let manifest = self.config.static_pods.iter().find(|manifest| object::name(manifest) == plain).cloned();
        if let Some(manifest) = manifest {
            // Of a node that has been taken away there is nothing to show; what runs there goes on.
            if see.find(&NODES, "", &self.config.name).is_some() {
                let seen = object::annotation(&worker.pod, "kubernetes.io/config.seen");
                self.put_up(cx, &manifest, Time::parse(seen).unwrap_or(cx.now));
            }
            self.orphans.insert(name.into(), worker);
        }
    }

    /// The worker of the mirror that stood here before, under the new mirror's uid.
    pub(super) fn take_over(&mut self, cx: &mut Cx<'_>, see: &Caches, pod: &Value) -> bool {
        let Some(mut worker) = self.orphans.remove(object::name(pod)) else { return false };
        let uid: SmolStr = pod["metadata"]["uid"].smol();
        worker.uid = uid.clone();
        worker.pod = pod.clone();
        worker.status = pod["status"].clone();
        self.workers.insert(uid.clone(), worker);
        self.with(&uid, |it, w| {
            it.push_status(cx, w);
            it.trigger(cx, see, w);
        });
        true
    }
}
