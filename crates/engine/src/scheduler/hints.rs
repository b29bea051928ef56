//! Which changes can help which waiting pods (upstream's queueing hints).

use crate::base::BTreeSet;

use super::filter::{Plugin, fits_node, selects, tolerates};
use super::node::{Amounts, Node};
use super::volumes::claim_of;
use crate::api::object;
use crate::api::resource::{NODES, PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STORAGE_CLASSES};
use crate::base::Value;
use crate::informer::Caches;
use crate::store::Change;

/// What a change means to waiting pods.
pub enum Event<'a> {
    /// Room came free: the pod that had it.
    Freed(&'a Value),
    /// A placed pod came or changed its labels; before and after.
    Placed(&'a Value, &'a Value),
    Node {
        before: &'a Value,
        after: Box<Node>,
    },
    Storage(&'a Change),
}

impl<'a> Event<'a> {
    pub fn of(change: &'a Change) -> Option<Event<'a>> {
        let (before, after) = (&change.before, &change.after);
        let resource = &change.key.resource;
        if *resource == PODS {
            let held = |pod: &Value| !pod["spec"]["nodeName"].str().is_empty() && !object::is_finished(pod);
            let labels = |pod: &'a Value| pod["metadata"].get("labels");
            if held(before) && !held(after) {
                Some(Event::Freed(before))
            } else if held(after)
                && (!held(before)
                    || labels(before) != labels(after)
                    || object::is_deleting(before) != object::is_deleting(after))
            {
                Some(Event::Placed(before, after))
            } else {
                None
            }
        } else if *resource == NODES {
            let spec_same = before.get("spec") == after.get("spec")
                && before["metadata"].get("labels") == after["metadata"].get("labels")
                && before["status"].get("allocatable") == after["status"].get("allocatable");
            if spec_same {
                return None;
            }
            let mut node = Node::default();
            node.set_object(after);
            Some(Event::Node { before, after: Box::new(node) })
        } else if [PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES].contains(resource) {
            Some(Event::Storage(change))
        } else {
            None
        }
    }

    pub fn helps(&self, pod: &Value, plugins: &BTreeSet<Plugin>, see: &Caches) -> bool {
        plugins.is_empty() || plugins.iter().any(|plugin| self.helps_with(*plugin, pod, see))
    }

    fn helps_with(&self, plugin: Plugin, pod: &Value, see: &Caches) -> bool {
        match self {
            Event::Freed(gone) => match plugin {
                Plugin::NodeResourcesFit => true,
                Plugin::NodePorts => gone["spec"]["containers"]
                    .items()
                    .iter()
                    .any(|container| container["ports"].items().iter().any(|port| port["hostPort"].int() > 0)),
                Plugin::PodTopologySpread | Plugin::InterPodAffinity => concerns(pod, gone, see),
                _ => false,
            },
            Event::Placed(before, after) => {
                matches!(plugin, Plugin::PodTopologySpread | Plugin::InterPodAffinity)
                    && (concerns(pod, before, see) || concerns(pod, after, see))
            }
            Event::Storage(change) => plugin == Plugin::VolumeBinding && storage_helps(change, pod, see),
            Event::Node { before, after } => node_helps(plugin, pod, before, after),
        }
    }
}

fn node_helps(plugin: Plugin, pod: &Value, before: &Value, node: &Node) -> bool {
    if node.object.is_null() {
        return plugin == Plugin::PodTopologySpread;
    }
    let is_new = before.is_null();
    let relabelled = is_new || before["metadata"].get("labels") != node.labels();
    let hard = |taint: &&Value| taint["effect"].str() != "PreferNoSchedule";
    let tolerated = |taints: &[Value]| taints.iter().filter(hard).all(|taint| tolerates(pod, taint));
    let barred = |node: &Value| node["spec"]["unschedulable"].is_true();
    match plugin {
        Plugin::NodeUnschedulable => (is_new || barred(before)) && !barred(&node.object),
        Plugin::TaintToleration => {
            (is_new || !tolerated(before["spec"]["taints"].items())) && tolerated(node.object["spec"]["taints"].items())
        }
        Plugin::NodeAffinity => relabelled && fits_node(pod.get("spec"), node),
        Plugin::NodePorts => is_new,
        Plugin::NodeResourcesFit => {
            let former = Amounts::of(before.at(&["status", "allocatable"]));
            is_new || node.room.cpu > former.cpu || node.room.memory > former.memory || node.room != former
        }
        Plugin::VolumeBinding | Plugin::PodTopologySpread | Plugin::InterPodAffinity => relabelled,
    }
}

/// A pod whose claim is missing waits for that claim alone (upstream's VolumeRestrictions rejects it).
fn storage_helps(change: &Change, pod: &Value, see: &Caches) -> bool {
    let (before, after) = (&change.before, &change.after);
    let namespace = object::namespace(pod);
    let claims: Vec<String> = pod["spec"]["volumes"].items().iter().filter_map(|one| claim_of(pod, one)).collect();
    let missing = claims.iter().any(|name| see.find(&PERSISTENT_VOLUME_CLAIMS, namespace, name).is_none());
    let own = || change.key.namespace == namespace && claims.iter().any(|name| change.key.name == *name);
    if after.is_null() {
        false
    } else if change.key.resource == PERSISTENT_VOLUME_CLAIMS {
        own() && (before.is_null() || !missing)
    } else {
        let topologies = |class: &Value| class["allowedTopologies"].clone();
        let is_class = change.key.resource == STORAGE_CLASSES;
        !missing && (!is_class || before.is_null() || topologies(before) != topologies(after))
    }
}

/// Whether a pod's affinity or spread constraints (or the other's anti-affinity) speak of another pod.
fn concerns(pod: &Value, other: &Value, see: &Caches) -> bool {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    let labels = other["metadata"].get("labels");
    let namespace = object::namespace(other);
    let constraints = pod["spec"]["topologySpreadConstraints"].items();
    let spread = namespace == object::namespace(pod)
        && constraints.iter().any(|one| object::matches(one.get("labelSelector"), labels));
    let named = |owner: &Value, kind: &str, namespace: &str, labels: &Value| {
        let terms = owner["spec"]["affinity"][kind].get(REQUIRED).items();
        terms.iter().any(|term| selects(owner, term, namespace, labels, see))
    };
    spread
        || named(pod, "podAffinity", namespace, labels)
        || named(pod, "podAntiAffinity", namespace, labels)
        || named(other, "podAntiAffinity", object::namespace(pod), pod["metadata"].get("labels"))
}
