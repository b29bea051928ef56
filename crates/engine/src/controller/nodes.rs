//! The node controllers: pod ranges, taints that follow conditions, and nodes that stopped posting.
//!
//! Left out: the eviction rate of large zones, cloud nodes.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::{LEASES, NODES, PODS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

const MONITOR: Span = Span::seconds(5);
const GRACE: Span = Span::seconds(50);
const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";
const NOT_READY: &str = "node.kubernetes.io/not-ready";
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";
const PRESSURES: [(&str, &str); 4] = [
    ("MemoryPressure", "node.kubernetes.io/memory-pressure"),
    ("DiskPressure", "node.kubernetes.io/disk-pressure"),
    ("PIDPressure", "node.kubernetes.io/pid-pressure"),
    ("NetworkUnavailable", "node.kubernetes.io/network-unavailable"),
];
const CONDITIONS: [&str; 4] = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

#[derive(Clone, Debug)]
pub struct Nodes {
    /// The first two numbers of every pod's address.
    pub pod_net: SmolStr,
    /// When a node's lease or status was last seen to move.
    seen: BTreeMap<SmolStr, Time>,
    /// Pod ranges given out.
    ranges: BTreeMap<SmolStr, u32>,
    /// Nodes whose removal the monitor has not noticed yet.
    gone: BTreeMap<SmolStr, Value>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    node: Value,
    removed: bool,
    pods: Vec<Value>,
    seen: Time,
    /// Nodes that never had a lease have no kubelet to fall silent.
    has_lease: bool,
    range: u32,
    pod_net: SmolStr,
    now: Time,
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes {
            pod_net: SmolStr::new_static(&"10.244"),
            seen: BTreeMap::new(),
            ranges: BTreeMap::new(),
            gone: BTreeMap::new(),
        }
    }
}

impl Reconciler for Nodes {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == LEASES && change.key.namespace == "kube-node-lease" {
            if !change.after.is_null() {
                self.seen.insert(change.key.name.clone(), now);
                if change.before.is_null() {
                    add(
                        Key { resource: NODES, namespace: SmolStr::default(), name: change.key.name.clone() },
                        Span::ZERO,
                    );
                }
            }
        } else if change.key.resource == NODES {
            if change.after.is_null() {
                self.seen.remove(&change.key.name);
                self.ranges.remove(&change.key.name);
                self.gone.insert(change.key.name.clone(), change.before.clone());
                add(change.key.clone(), now.next_on_grid(MONITOR, Span::ZERO) - now);
                return;
            }
            let beats = |node: &Value| {
                CONDITIONS
                    .map(|kind| object::condition(node, kind).map(|condition| condition["lastHeartbeatTime"].clone()))
            };
            if change.before.is_null() || beats(&change.before) != beats(&change.after) {
                self.seen.insert(change.key.name.clone(), now);
            }
            if let Some(third) = range_of(&change.after) {
                self.ranges.insert(change.key.name.clone(), third);
            }
            add(change.key.clone(), Span::ZERO);
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let gone = self.gone.remove(&key.name);
        let Some(node) = see.get(key).cloned() else {
            let (pods, pod_net) = (Vec::new(), SmolStr::default());
            let inputs =
                |node| Inputs { node, removed: true, pods, seen: now, has_lease: false, range: 0, pod_net, now };
            return gone.map(inputs);
        };
        let range = match self.ranges.get(&key.name) {
            Some(range) => *range,
            None => {
                let free = (0..256).find(|third| !self.ranges.values().any(|used| used == third)).unwrap_or(0);
                self.ranges.insert(key.name.clone(), free);
                free
            }
        };
        let pods = see.pods_on(&key.name).map(|(_, pod)| pod.clone()).collect();
        let seen = self.seen.get(&key.name).copied().unwrap_or(now);
        let has_lease = see.find(&LEASES, "kube-node-lease", &key.name).is_some();
        let pod_net = self.pod_net.clone();
        Some(Inputs { node, removed: false, pods, seen, has_lease, range, pod_net, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let mut node = inputs.node.clone();
        if inputs.removed {
            let text = format!("Node {0} event: Removing Node {0} from Controller", object::name(&node));
            io.event(&node, EventType::Normal, "RemovingNode", text);
            return Ok(());
        }
        if node["spec"]["podCIDR"].str().is_empty() {
            let range = format!("{}.{}.0/24", inputs.pod_net, inputs.range);
            node.set(&["spec", "podCIDR"], &range);
            node.set(&["spec", "podCIDRs"], vec![Value::from(range)]);
            node = io.must(io.client.update(&NODES, "", node))?;
        }
        const TTL: &str = "node.alpha.kubernetes.io/ttl";
        if object::annotation(&node, TTL).is_empty() {
            node.set(&["metadata", "annotations", TTL], "0");
            node = io.must(io.client.update(&NODES, "", node))?;
            let text = format!("Node {0} event: Registered Node {0} in Controller", object::name(&node));
            io.event(&node, EventType::Normal, "RegisteredNode", text);
        }
        let status = self.silent(inputs, &mut node);
        if status {
            node = io.must(io.client.update(&NODES, "status", node))?;
            let text = format!("Node {} status is now: NodeNotReady", object::name(&node));
            io.event(&node, EventType::Normal, "NodeNotReady", text);
        }
        let taints = self.taints(&node, inputs.now);
        if node["spec"]["taints"].items() != taints {
            match taints.is_empty() {
                true => drop(node.remove(&["spec", "taints"])),
                false => node.set(&["spec", "taints"], taints),
            }
            io.must(io.client.update(&NODES, "", node.clone()))?;
        }
        if object::condition(&node, "Ready").is_some_and(|ready| ready["status"].str() != "True") {
            mark_pods(inputs, io)?;
        }
        // The monitor looks at whole multiples of its period; it is asked for when the node could be found silent.
        if inputs.has_lease && !object::condition_is(&node, "Ready", "Unknown") {
            let at = (inputs.seen + GRACE).max(io.now()).next_on_grid(MONITOR, Span::ZERO);
            io.again_after(at - io.now());
        }
        Ok(())
    }
}

/// The third number of the node's range.
fn range_of(node: &Value) -> Option<u32> {
    node["spec"]["podCIDR"].str().split('.').nth(2)?.parse().ok()
}

impl Nodes {
    /// Turns the conditions of a node that stopped posting; says whether that changed anything.
    fn silent(&self, inputs: &Inputs, node: &mut Value) -> bool {
        if inputs.now - inputs.seen <= GRACE || !inputs.has_lease {
            return false;
        }
        let mut all = node["status"]["conditions"].items().to_vec();
        let mut changed = false;
        for condition in &mut all {
            if CONDITIONS.contains(&condition["type"].str()) && condition["status"].str() != "Unknown" {
                condition.set(&["status"], "Unknown");
                condition.set(&["reason"], "NodeStatusUnknown");
                condition.set(&["message"], "Kubelet stopped posting node status.");
                condition.set(&["lastTransitionTime"], inputs.now.rfc3339());
                changed = true;
            }
        }
        node.set(&["status", "conditions"], all);
        changed
    }

    /// The taints the node should carry: others' are kept, those of conditions follow them.
    fn taints(&self, node: &Value, now: Time) -> Vec<Value> {
        let mut wanted: Vec<(&str, &str)> = Vec::new();
        if node["spec"]["unschedulable"].is_true() {
            wanted.push((UNSCHEDULABLE, "NoSchedule"));
        }
        let ready = object::condition(node, "Ready").map_or("True", |ready| ready["status"].str());
        match ready {
            "False" => wanted.extend([(NOT_READY, "NoSchedule"), (NOT_READY, "NoExecute")]),
            "Unknown" => wanted.extend([(UNREACHABLE, "NoSchedule"), (UNREACHABLE, "NoExecute")]),
            _ => {}
        }
        for (kind, key) in PRESSURES {
            if object::condition_is(node, kind, "True") {
                wanted.push((key, "NoSchedule"));
            }
        }
        let own = |key: &str| {
            [UNSCHEDULABLE, NOT_READY, UNREACHABLE].contains(&key) || PRESSURES.iter().any(|(_, taint)| *taint == key)
        };
        let mut taints: Vec<Value> = Vec::new();
        for taint in node["spec"]["taints"].items() {
            let at =
                wanted.iter().position(|(key, effect)| taint["key"].str() == *key && taint["effect"].str() == *effect);
            match at {
                Some(at) => drop(wanted.remove(at)),
                None if own(taint["key"].str()) => continue,
                None => {}
            }
            taints.push(taint.clone());
        }
        for (key, effect) in wanted {
            taints.push(map! { "key" => key, "effect" => effect, "timeAdded" => now.rfc3339() });
        }
        taints
    }
}

/// Pods of a node that is not ready are not ready either.
fn mark_pods(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    for pod in inputs.pods.iter().filter(|pod| object::condition_is(pod, "Ready", "True")) {
        let mut pod = pod.clone();
        let mut all = pod["status"]["conditions"].items().to_vec();
        for condition in all.iter_mut().filter(|condition| condition["type"].str() == "Ready") {
            condition.set(&["status"], "False");
            condition.set(&["lastTransitionTime"], inputs.now.rfc3339());
        }
        pod.set(&["status", "conditions"], all);
        io.event(&pod, EventType::Warning, "NodeNotReady", "Node is not ready");
        let answer = io.send(io.client.update(&PODS, "status", pod))?;
        if !answer.ok() && answer.code != 404 {
            return Err(Stop::Retry(answer.value()["message"].str().into()));
        }
    }
    Ok(())
}
