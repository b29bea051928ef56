//! What the scheduler keeps of each node between attempts: room, use, ports, and how many pods of each label set it
//! holds. Kept up to date pod by pod, so that an attempt reads numbers and never walks all pods.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use crate::api::object;
use crate::api::object::is_finished;
use crate::base::quantity::Quantity;
use crate::base::{Value, json};
use crate::store::Key;

/// A request or an amount of room; cpu in thousandths, the rest in whole units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Amounts {
    pub cpu: i64,
    pub memory: i64,
    pub ephemeral: i64,
    pub extended: BTreeMap<SmolStr, i64>,
}

impl Amounts {
    pub fn of(list: &Value) -> Amounts {
        let mut amounts = Amounts::default();
        for (name, value) in list.entries().iter() {
            let quantity = Quantity::of(value);
            match name.as_str() {
                "cpu" => amounts.cpu = quantity.milli(),
                "memory" => amounts.memory = quantity.value(),
                "ephemeral-storage" => amounts.ephemeral = quantity.value(),
                "pods" => {}
                _ => drop(amounts.extended.insert(name.clone(), quantity.value())),
            }
        }
        amounts
    }

    pub fn add(&mut self, other: &Amounts) {
        self.combine(other, i64::saturating_add);
    }

    pub fn sub(&mut self, other: &Amounts) {
        self.combine(other, i64::saturating_sub);
    }

    /// The larger of each.
    pub fn raise(&mut self, other: &Amounts) {
        self.combine(other, i64::max);
    }

    fn combine(&mut self, other: &Amounts, with: impl Fn(i64, i64) -> i64) {
        self.cpu = with(self.cpu, other.cpu);
        self.memory = with(self.memory, other.memory);
        self.ephemeral = with(self.ephemeral, other.ephemeral);
        for (name, amount) in &other.extended {
            let entry = self.extended.entry(name.clone()).or_default();
            *entry = with(*entry, *amount);
        }
    }
}

/// What a pod takes from a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    pub pod: Value,
    pub requests: Amounts,
    /// Requests as LeastAllocated counts them: 100m and 200Mi where a container asks for nothing.
    pub counted: (i64, i64),
    pub ports: Vec<Port>,
    pub priority: i64,
    pub group: u32,
    pub terminating: bool,
    /// Has affinity terms of its own that later pods must respect.
    pub affine: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    pub protocol: SmolStr,
    pub ip: SmolStr,
    pub number: i64,
}

impl Port {
    pub fn clashes(&self, other: &Port) -> bool {
        let any = |ip: &str| ip.is_empty() || ip == "0.0.0.0";
        self.number == other.number
            && self.protocol == other.protocol
            && (self.ip == other.ip || any(&self.ip) || any(&other.ip))
    }
}

const COUNTED_CPU: i64 = 100;
const COUNTED_MEMORY: i64 = 200 << 20;

impl Use {
    pub fn of(pod: &Value, groups: &mut Groups) -> Use {
        let spec = pod.get("spec");
        let (requests, counted) = requests(spec);
        let mut ports = Vec::new();
        for container in spec["containers"].items() {
            for port in container["ports"].items() {
                if port["hostPort"].int() > 0 {
                    let protocol = port["protocol"].as_str().unwrap_or("TCP");
                    let ip = port["hostIP"].smol();
                    ports.push(Port { protocol: protocol.into(), ip, number: port["hostPort"].int() });
                }
            }
        }
        let affinity = spec.get("affinity");
        Use {
            pod: pod.clone(),
            requests,
            counted,
            ports,
            priority: spec["priority"].int(),
            group: groups.id(object::namespace(pod), pod["metadata"].get("labels")),
            terminating: object::is_deleting(pod),
            affine: affinity.has("podAffinity") || affinity.has("podAntiAffinity"),
        }
    }
}

/// The pod's request: containers with sidecars, or the largest init step, plus overhead; pod-level requests win.
fn requests(spec: &Value) -> (Amounts, (i64, i64)) {
    let asked = |container: &Value| Amounts::of(container.at(&["resources", "requests"]));
    let counted = |amounts: &Amounts| {
        let mut amounts = amounts.clone();
        if amounts.cpu == 0 {
            amounts.cpu = COUNTED_CPU;
        }
        if amounts.memory == 0 {
            amounts.memory = COUNTED_MEMORY;
        }
        amounts
    };
    let total = |adjust: &dyn Fn(&Amounts) -> Amounts| {
        let mut sum = Amounts::default();
        for container in spec["containers"].items() {
            sum.add(&adjust(&asked(container)));
        }
        let (mut sidecars, mut peak) = (Amounts::default(), Amounts::default());
        for container in spec["initContainers"].items() {
            let own = adjust(&asked(container));
            if container["restartPolicy"].str() == "Always" {
                sidecars.add(&own);
                peak.raise(&sidecars);
            } else {
                let mut step = sidecars.clone();
                step.add(&own);
                peak.raise(&step);
            }
        }
        sum.add(&sidecars);
        sum.raise(&peak);
        sum.add(&Amounts::of(spec.get("overhead")));
        sum
    };
    let mut real = total(&Amounts::clone);
    let mut guess = total(&counted);
    let own = spec.at(&["resources", "requests"]);
    if !own.is_empty() {
        let amounts = Amounts::of(own);
        if own.has("cpu") {
            (real.cpu, guess.cpu) = (amounts.cpu, amounts.cpu);
        }
        if own.has("memory") {
            (real.memory, guess.memory) = (amounts.memory, amounts.memory);
        }
    }
    (real, (guess.cpu, guess.memory))
}

/// Pods with equal namespace and labels form a group: selectors are tried on groups, not on pods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    ids: BTreeMap<(SmolStr, String), u32>,
    all: Vec<(SmolStr, Value)>,
}

impl Groups {
    fn id(&mut self, namespace: &str, labels: &Value) -> u32 {
        let next = self.all.len() as u32;
        let key = (SmolStr::new(namespace), json::compact(labels));
        *self.ids.entry(key).or_insert_with(|| {
            self.all.push((namespace.into(), labels.clone()));
            next
        })
    }

    /// The groups a test accepts.
    pub fn matching(&self, test: impl Fn(&str, &Value) -> bool) -> Vec<u32> {
        let all = self.all.iter().enumerate();
        all.filter(|(_, (namespace, labels))| test(namespace, labels)).map(|(id, _)| id as u32).collect()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Null while only pods of it are known.
    pub object: Value,
    /// Parts of the object that every attempt reads.
    name: SmolStr,
    labels: Value,
    taints: Value,
    pub is_unschedulable: bool,
    pub room: Amounts,
    pub pods_room: i64,
    /// Bytes of each image on the node, by name.
    pub images: BTreeMap<SmolStr, i64>,
    pub used: Amounts,
    pub counted: (i64, i64),
    pub uses: BTreeMap<Key, Use>,
    /// How many of `uses` have affinity terms.
    pub affine: usize,
    /// Pods by group: all, and those not on their way out.
    pub groups: BTreeMap<u32, (i64, i64)>,
}

impl Node {
    pub fn name(&self) -> &SmolStr {
        &self.name
    }

    pub fn labels(&self) -> &Value {
        &self.labels
    }

    pub fn taints(&self) -> &[Value] {
        self.taints.items()
    }

    pub fn set_object(&mut self, node: &Value) {
        let list = node.at(&["status", "allocatable"]);
        if self.object.at(&["status", "allocatable"]) != list || self.object.is_null() {
            self.room = Amounts::of(list);
            self.pods_room = Quantity::of(list.get("pods")).value();
        }
        if !self.object.at(&["status", "images"]).same(node.at(&["status", "images"])) {
            self.images.clear();
            for image in node["status"]["images"].items() {
                for name in image["names"].items() {
                    self.images.insert(name.smol(), image["sizeBytes"].int());
                }
            }
        }
        self.name = object::name(node).into();
        self.labels = node["metadata"].get("labels").clone();
        self.taints = node["spec"].get("taints").clone();
        self.is_unschedulable = node["spec"]["unschedulable"].is_true();
        self.object = node.clone();
    }

    pub fn insert(&mut self, key: Key, taken: Use) {
        self.remove(&key);
        self.used.add(&taken.requests);
        self.counted.0 += taken.counted.0;
        self.counted.1 += taken.counted.1;
        let group = self.groups.entry(taken.group).or_default();
        group.0 += 1;
        group.1 += i64::from(!taken.terminating);
        self.affine += usize::from(taken.affine);
        self.uses.insert(key, taken);
    }

    pub fn remove(&mut self, key: &Key) -> Option<Use> {
        let taken = self.uses.remove(key)?;
        self.affine -= usize::from(taken.affine);
        self.used.sub(&taken.requests);
        self.counted.0 -= taken.counted.0;
        self.counted.1 -= taken.counted.1;
        if let Some(group) = self.groups.get_mut(&taken.group) {
            group.0 -= 1;
            group.1 -= i64::from(!taken.terminating);
            if group.0 == 0 {
                self.groups.remove(&taken.group);
            }
        }
        Some(taken)
    }

    /// How many pods of these groups it holds; terminating ones only if `all`.
    pub fn count(&self, groups: &[u32], all: bool) -> i64 {
        let counts = groups.iter().filter_map(|group| self.groups.get(group));
        counts.map(|(every, live)| if all { *every } else { *live }).sum()
    }
}

/// All nodes, and where each placed pod stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    pub nodes: BTreeMap<SmolStr, Node>,
    pub groups: Groups,
    places: BTreeMap<Key, SmolStr>,
}

impl Nodes {
    /// Nodes that exist, by name.
    pub fn real(&self) -> impl Iterator<Item = &Node> {
        self.nodes.values().filter(|node| !node.object.is_null())
    }

    pub fn set_node(&mut self, name: &str, node: &Value) {
        let entry = self.nodes.entry(name.into()).or_default();
        match node.is_null() {
            true => entry.object = Value::Null,
            false => entry.set_object(node),
        }
        if entry.object.is_null() && entry.uses.is_empty() {
            self.nodes.remove(name);
        }
    }

    /// Takes in a pod as it is now (null: gone), on the node it names.
    pub fn set_pod(&mut self, key: &Key, pod: &Value) {
        let node = pod["spec"]["nodeName"].smol();
        if pod.is_null() || node.is_empty() || is_finished(pod) {
            self.forget(key);
            return;
        }
        self.place(key, pod, &node);
    }

    /// Counts a pod on a node, whatever the pod itself says yet.
    pub fn place(&mut self, key: &Key, pod: &Value, node: &str) {
        if self.places.get(key).is_some_and(|old| old != node) {
            self.forget(key);
        }
        let taken = Use::of(pod, &mut self.groups);
        self.nodes.entry(node.into()).or_default().insert(key.clone(), taken);
        self.places.insert(key.clone(), node.into());
    }

    pub fn forget(&mut self, key: &Key) {
        if let Some(name) = self.places.remove(key)
            && let Some(node) = self.nodes.get_mut(&name)
        {
            node.remove(key);
        }
    }
}
