//! Filters, in upstream order: what keeps a pod off a node, in the words the failure message counts.
//!
//! NodeName has nothing to do here: a pod that names its node is never tried.
//! Left out: VolumeRestrictions, NodeVolumeLimits, DynamicResources, NodeDeclaredFeatures.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use super::node::{Node, Nodes, Use};
use super::volumes::Volumes;
use crate::api::resource::NAMESPACES;
use crate::api::{object, placement};
use crate::base::Value;
use crate::informer::Caches;

/// A plugin that rejected a pod: it decides which events wake the pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plugin {
    NodeUnschedulable,
    TaintToleration,
    NodeAffinity,
    NodePorts,
    NodeResourcesFit,
    VolumeBinding,
    PodTopologySpread,
    InterPodAffinity,
}

/// Why a node does not do.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejection {
    pub plugin: Plugin,
    pub reasons: Vec<SmolStr>,
    /// Removing pods could help.
    pub resolvable: bool,
}

impl Rejection {
    fn new(plugin: Plugin, reason: &str, resolvable: bool) -> Option<Rejection> {
        Some(Rejection { plugin, reasons: vec![reason.into()], resolvable })
    }
}

/// What is computed once per attempt, before nodes are looked at (PreFilter).
#[derive(Clone, Debug)]
pub struct Wanted {
    pub key: crate::store::Key,
    pub pod: Value,
    pub taken: Use,
    /// It has a nodeSelector or required node affinity.
    is_choosy: bool,
    /// Node names that required affinity pins the pod to.
    pub pinned: Option<Vec<SmolStr>>,
    pub volumes: Volumes,
    spread: Vec<Spread>,
    affinity: Vec<Term>,
    anti_affinity: Vec<Term>,
    /// Topology values that existing pods keep this pod away from.
    forbidden: BTreeMap<(SmolStr, SmolStr), i64>,
    /// Required affinity holds nowhere yet, but the pod satisfies its own terms.
    is_first: bool,
}

#[derive(Clone, Debug)]
struct Spread {
    topology: SmolStr,
    max_skew: i64,
    matches_self: bool,
    counts: BTreeMap<SmolStr, i64>,
    minimum: i64,
}

#[derive(Clone, Debug)]
struct Term {
    topology: SmolStr,
    counts: BTreeMap<SmolStr, i64>,
}

pub fn topology<'a>(node: &'a Node, key: &str) -> Option<&'a str> {
    node.labels().get(key).as_str()
}

impl Wanted {
    pub fn new(key: &crate::store::Key, pod: &Value, volumes: Volumes, nodes: &mut Nodes, see: &Caches) -> Wanted {
        let taken = Use::of(pod, &mut nodes.groups);
        let mut wanted = Wanted {
            key: key.clone(),
            pod: pod.clone(),
            taken,
            is_choosy: placement::is_choosy(pod.get("spec")),
            pinned: pinned(pod),
            volumes,
            spread: Vec::new(),
            affinity: Vec::new(),
            anti_affinity: Vec::new(),
            forbidden: BTreeMap::new(),
            is_first: false,
        };
        wanted.count(nodes, see);
        wanted
    }

    /// Counts pods by topology; again after pods were taken away to try a preemption.
    pub fn count(&mut self, nodes: &Nodes, see: &Caches) {
        let affinity = self.pod["spec"]["affinity"].clone();
        const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
        self.spread = spreads(&self.pod, nodes);
        let terms = affinity["podAffinity"].get(REQUIRED).items();
        self.affinity = terms.iter().map(|term| count_term(&self.pod, term, nodes, see)).collect();
        let anti = affinity["podAntiAffinity"].get(REQUIRED).items();
        self.anti_affinity = anti.iter().map(|term| count_term(&self.pod, term, nodes, see)).collect();
        self.is_first = self.affinity.iter().all(|term| term.counts.values().all(|count| *count == 0))
            && terms.iter().all(|term| term_matches(&self.pod, term, &self.pod, see));
        self.forbidden.clear();
        for node in nodes.real().filter(|node| node.affine > 0) {
            for taken in node.uses.values().filter(|taken| taken.affine) {
                let owner = &taken.pod;
                for term in owner["spec"]["affinity"]["podAntiAffinity"].get(REQUIRED).items() {
                    if let Some(value) = topology(node, term["topologyKey"].str())
                        && term_matches(owner, term, &self.pod, see)
                    {
                        *self.forbidden.entry((term["topologyKey"].smol(), value.into())).or_default() += 1;
                    }
                }
            }
        }
    }

    /// The first plugin that refuses the node.
    pub fn filter(&self, node: &Node) -> Option<Rejection> {
        if let Some(pinned) = &self.pinned
            && !pinned.iter().any(|name| name == node.name())
        {
            return Rejection::new(Plugin::NodeAffinity, "node(s) didn't satisfy plugin(s) [NodeAffinity]", false);
        }
        if node.is_unschedulable {
            let taint = crate::map! { "key" => "node.kubernetes.io/unschedulable", "effect" => "NoSchedule" };
            if !tolerates(&self.pod, &taint) {
                return Rejection::new(Plugin::NodeUnschedulable, "node(s) were unschedulable", false);
            }
        }
        let hard = |taint: &&Value| matches!(taint["effect"].str(), "NoSchedule" | "NoExecute");
        if node.taints().iter().filter(hard).any(|taint| !tolerates(&self.pod, taint)) {
            return Rejection::new(Plugin::TaintToleration, "node(s) had untolerated taint(s)", false);
        }
        if self.is_choosy && !fits_node(self.pod.get("spec"), node) {
            let reason = "node(s) didn't match Pod's node affinity/selector";
            return Rejection::new(Plugin::NodeAffinity, reason, false);
        }
        let taken = |port: &super::node::Port| {
            node.uses.values().flat_map(|taken| &taken.ports).any(|other| port.clashes(other))
        };
        if self.taken.ports.iter().any(taken) {
            let reason = "node(s) didn't have free ports for the requested pod ports";
            return Rejection::new(Plugin::NodePorts, reason, true);
        }
        self.fit(node)
            .or_else(|| {
                let reason = self.volumes.refuses(node)?;
                Rejection::new(Plugin::VolumeBinding, reason, false)
            })
            .or_else(|| self.spread(node))
            .or_else(|| self.affine(node))
    }

    fn fit(&self, node: &Node) -> Option<Rejection> {
        let mut reasons: Vec<SmolStr> = Vec::new();
        let mut resolvable = true;
        if node.uses.len() as i64 + 1 > node.pods_room {
            reasons.push("Too many pods".into());
        }
        let ask = &self.taken.requests;
        let mut check = |name: &str, ask: i64, room: i64, used: i64| {
            if ask > 0 && ask > room.saturating_sub(used) {
                reasons.push(crate::base::format_smolstr!("Insufficient {name}"));
                resolvable &= ask <= room;
            }
        };
        check("cpu", ask.cpu, node.room.cpu, node.used.cpu);
        check("memory", ask.memory, node.room.memory, node.used.memory);
        check("ephemeral-storage", ask.ephemeral, node.room.ephemeral, node.used.ephemeral);
        for (name, amount) in &ask.extended {
            let of = |list: &super::node::Amounts| list.extended.get(name).copied().unwrap_or(0);
            check(name, *amount, of(&node.room), of(&node.used));
        }
        if reasons.is_empty() {
            return None;
        }
        Some(Rejection { plugin: Plugin::NodeResourcesFit, reasons, resolvable })
    }

    fn spread(&self, node: &Node) -> Option<Rejection> {
        let plugin = Plugin::PodTopologySpread;
        for spread in &self.spread {
            let Some(value) = topology(node, &spread.topology) else {
                let reason = "node(s) didn't match pod topology spread constraints (missing required label)";
                return Rejection::new(plugin, reason, false);
            };
            let count = spread.counts.get(value).copied().unwrap_or(0);
            if count + i64::from(spread.matches_self) - spread.minimum > spread.max_skew {
                return Rejection::new(plugin, "node(s) didn't match pod topology spread constraints", true);
            }
        }
        None
    }

    fn affine(&self, node: &Node) -> Option<Rejection> {
        let plugin = Plugin::InterPodAffinity;
        let has_keys = self.affinity.iter().all(|term| topology(node, &term.topology).is_some());
        let held = self.affinity.iter().all(|term| {
            topology(node, &term.topology).is_some_and(|value| term.counts.get(value).is_some_and(|count| *count > 0))
        });
        let excused = self.affinity.is_empty() || (self.is_first && has_keys);
        if !held && !excused {
            return Rejection::new(plugin, "node(s) didn't match pod affinity rules", false);
        }
        let hits = |term: &Term| {
            topology(node, &term.topology).is_some_and(|value| term.counts.get(value).is_some_and(|count| *count > 0))
        };
        if self.anti_affinity.iter().any(hits) {
            return Rejection::new(plugin, "node(s) didn't match pod anti-affinity rules", true);
        }
        let forbidden = |(key, value): &(SmolStr, SmolStr)| topology(node, key) == Some(value.as_str());
        if self.forbidden.keys().any(forbidden) {
            return Rejection::new(plugin, "node(s) didn't satisfy existing pods anti-affinity rules", true);
        }
        None
    }
}

/// The nodes required affinity names by `metadata.name` in every term.
fn pinned(pod: &Value) -> Option<Vec<SmolStr>> {
    let terms = pod.at(&[
        "spec",
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
    ]);
    let mut names = Vec::new();
    for term in terms.items() {
        let field = term["matchFields"]
            .items()
            .iter()
            .find(|field| field["key"].str() == "metadata.name" && field["operator"].str() == "In")?;
        names.extend(field["values"].items().iter().map(Value::smol));
    }
    if names.is_empty() { None } else { Some(names) }
}

pub fn tolerates(pod: &Value, taint: &Value) -> bool {
    pod["spec"]["tolerations"].items().iter().any(|toleration| placement::tolerates(toleration, taint))
}

/// nodeSelector and required node affinity.
pub fn fits_node(spec: &Value, node: &Node) -> bool {
    placement::fits(spec, node.name(), node.labels())
}

/// One node selector term.
pub fn node_term(term: &Value, node: &Node) -> bool {
    placement::holds_term(term, node.name(), node.labels())
}

/// The selector of a spread constraint, with the pod's own values of matchLabelKeys.
pub fn spread_selector(pod: &Value, constraint: &Value) -> Value {
    let mut selector = constraint["labelSelector"].clone();
    for key in constraint["matchLabelKeys"].items() {
        let value = object::label(pod, key.str());
        if !value.is_empty() {
            selector.set(&["matchLabels", key.str()], value);
        }
    }
    selector
}

fn spreads(pod: &Value, nodes: &Nodes) -> Vec<Spread> {
    let all = pod["spec"]["topologySpreadConstraints"].items();
    let hard: Vec<&Value> = all.iter().filter(|one| one["whenUnsatisfiable"].str() == "DoNotSchedule").collect();
    let counted = |node: &Node, constraint: &Value| {
        hard.iter().all(|one| topology(node, one["topologyKey"].str()).is_some())
            && (constraint["nodeAffinityPolicy"].str() == "Ignore" || fits_node(pod.get("spec"), node))
            && (constraint["nodeTaintsPolicy"].str() != "Honor"
                || node
                    .taints()
                    .iter()
                    .all(|taint| taint["effect"].str() == "PreferNoSchedule" || tolerates(pod, taint)))
    };
    let one = |constraint: &&Value| {
        let selector = spread_selector(pod, constraint);
        let namespace = object::namespace(pod);
        let groups = nodes.groups.matching(|ns, labels| ns == namespace && object::matches(&selector, labels));
        let key = constraint["topologyKey"].smol();
        let mut counts = BTreeMap::new();
        for node in nodes.real().filter(|node| counted(node, constraint)) {
            if let Some(value) = topology(node, &key) {
                *counts.entry(SmolStr::new(value)).or_insert(0) += node.count(&groups, false);
            }
        }
        let enough = counts.len() as i64 >= constraint["minDomains"].int();
        Spread {
            topology: key,
            max_skew: constraint["maxSkew"].int(),
            matches_self: object::matches(&selector, pod["metadata"].get("labels")),
            minimum: if enough { counts.values().min().copied().unwrap_or(0) } else { 0 },
            counts,
        }
    };
    hard.iter().map(one).collect()
}

fn count_term(pod: &Value, term: &Value, nodes: &Nodes, see: &Caches) -> Term {
    let key = term["topologyKey"].smol();
    let groups = nodes.groups.matching(|namespace, labels| selects(pod, term, namespace, labels, see));
    let mut counts = BTreeMap::new();
    for node in nodes.real() {
        if let Some(value) = topology(node, &key) {
            *counts.entry(SmolStr::new(value)).or_insert(0) += node.count(&groups, true);
        }
    }
    Term { topology: key, counts }
}

/// Whether an affinity term of `owner` means pods with these labels in this namespace.
pub fn selects(owner: &Value, term: &Value, namespace: &str, labels: &Value, see: &Caches) -> bool {
    let (names, selector) = (term["namespaces"].items(), term.get("namespaceSelector"));
    let there = if names.is_empty() && selector.is_null() {
        namespace == object::namespace(owner)
    } else {
        names.iter().any(|name| name.str() == namespace)
            || (!selector.is_null()
                && see
                    .find(&NAMESPACES, "", namespace)
                    .is_some_and(|found| object::matches(selector, found["metadata"].get("labels"))))
    };
    there && object::matches(term.get("labelSelector"), labels)
}

pub fn term_matches(owner: &Value, term: &Value, pod: &Value, see: &Caches) -> bool {
    selects(owner, term, object::namespace(pod), pod["metadata"].get("labels"), see)
}
