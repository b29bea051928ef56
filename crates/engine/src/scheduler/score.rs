//! Scores: each plugin rates the nodes that passed from 0 to 100; the weighted sum decides.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use super::filter::{Wanted, node_term, selects, spread_selector, term_matches, tolerates, topology};
use super::node::{Node, Nodes};
use crate::api::object;
use crate::api::resource::{REPLICA_SETS, REPLICATION_CONTROLLERS, SERVICES, STATEFUL_SETS};
use crate::base::Value;
use crate::informer::Caches;

const IMAGES: i64 = 1;
const TAINTS: i64 = 3;
const AFFINITY: i64 = 2;
const SPREAD: i64 = 2;
const INTER_POD: i64 = 2;

/// The weighted sum for each of the nodes.
pub fn scores(wanted: &Wanted, feasible: &[&Node], nodes: &Nodes, see: &Caches) -> Vec<i64> {
    let pod = &wanted.pod;
    let mut sums: Vec<i64> =
        feasible.iter().map(|node| least_allocated(wanted, node) + balanced(wanted, node)).collect();
    let mut add = |weight: i64, scores: Vec<i64>| {
        for (sum, score) in sums.iter_mut().zip(scores) {
            *sum += weight * score;
        }
    };
    add(IMAGES, images(pod, feasible, nodes));
    add(TAINTS, taints(pod, feasible));
    add(AFFINITY, preferred(pod, feasible));
    add(SPREAD, spread(pod, feasible, nodes, see));
    add(INTER_POD, inter_pod(pod, feasible, nodes, see));
    sums
}

fn least_allocated(wanted: &Wanted, node: &Node) -> i64 {
    let share = |room: i64, used: i64| {
        if room <= 0 || used > room { 0 } else { (room - used).saturating_mul(100) / room }
    };
    let cpu = share(node.room.cpu, node.counted.0 + wanted.taken.counted.0);
    let memory = share(node.room.memory, node.counted.1 + wanted.taken.counted.1);
    (cpu + memory) / 2
}

fn balanced(wanted: &Wanted, node: &Node) -> i64 {
    let ask = &wanted.taken.requests;
    if ask.cpu == 0 && ask.memory == 0 {
        return 0;
    }
    let rate = |cpu: i64, memory: i64| {
        let part = |used: i64, room: i64| if room <= 0 { 1.0 } else { (used as f64 / room as f64).min(1.0) };
        ((1.0 - ((part(cpu, node.room.cpu) - part(memory, node.room.memory)) / 2.0).abs()) * 100.0) as i64
    };
    let with = rate(node.used.cpu + ask.cpu, node.used.memory + ask.memory);
    50 + (50 + with - rate(node.used.cpu, node.used.memory)) / 2
}

/// Bytes of the pod's images that are on the node, less where few nodes have them.
fn images(pod: &Value, feasible: &[&Node], nodes: &Nodes) -> Vec<i64> {
    const LEAST: i64 = 23 << 20;
    const MOST: i64 = 1000 << 20;
    let total = nodes.real().count().max(1) as f64;
    let containers = pod["spec"]["containers"].items();
    let mut sums = vec![0i64; feasible.len()];
    for container in containers {
        let image = container["image"].str();
        let last = image.rsplit('/').next().unwrap_or(image);
        let image = if last.contains(':') { image.to_owned() } else { format!("{image}:latest") };
        let having = nodes.real().filter(|node| node.images.contains_key(image.as_str())).count() as f64;
        if having == 0.0 {
            continue;
        }
        for (sum, node) in sums.iter_mut().zip(feasible) {
            let size = node.images.get(image.as_str()).copied().unwrap_or(0);
            *sum = sum.saturating_add((size as f64 * (having / total)) as i64);
        }
    }
    let most = MOST.saturating_mul(containers.len() as i64).max(LEAST + 1);
    sums.iter().map(|sum| 100 * (sum.clamp(&LEAST, &most) - LEAST) / (most - LEAST)).collect()
}

fn taints(pod: &Value, feasible: &[&Node]) -> Vec<i64> {
    let count = |node: &&Node| {
        let soft = node.taints().iter().filter(|taint| taint["effect"].str() == "PreferNoSchedule");
        soft.filter(|taint| !tolerates(pod, taint)).count() as i64
    };
    let counts: Vec<i64> = feasible.iter().map(count).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    counts.iter().map(|count| if most == 0 { 100 } else { 100 - 100 * count / most }).collect()
}

fn preferred(pod: &Value, feasible: &[&Node]) -> Vec<i64> {
    let terms = pod.at(&["spec", "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"]);
    if terms.is_empty() {
        return vec![0; feasible.len()];
    }
    let sum = |node: &&Node| {
        let fitting = terms.items().iter().filter(|term| node_term(term.get("preference"), node));
        fitting.map(|term| term["weight"].int()).fold(0, i64::saturating_add)
    };
    let sums: Vec<i64> = feasible.iter().map(sum).collect();
    let most = sums.iter().copied().max().unwrap_or(0);
    sums.iter().map(|sum| if most == 0 { 0 } else { sum.saturating_mul(100) / most }).collect()
}

/// A soft spread constraint.
struct Soft {
    topology: SmolStr,
    max_skew: i64,
    groups: Vec<u32>,
}

fn spread(pod: &Value, feasible: &[&Node], nodes: &Nodes, see: &Caches) -> Vec<i64> {
    const HOSTNAME: &str = "kubernetes.io/hostname";
    let (soft, is_default) = soft_constraints(pod, nodes, see);
    let none = vec![0; feasible.len()];
    if soft.is_empty() {
        return none;
    }
    let has_keys = |node: &Node| is_default || soft.iter().all(|one| topology(node, &one.topology).is_some());
    let mut raw = vec![0.0f64; feasible.len()];
    for constraint in &soft {
        let mut values: BTreeMap<&str, i64> = BTreeMap::new();
        let per_node = constraint.topology == HOSTNAME;
        for node in feasible.iter().filter(|node| !per_node && has_keys(node)) {
            if let Some(value) = topology(node, &constraint.topology) {
                values.entry(value).or_insert(0);
            }
        }
        if !per_node && values.is_empty() {
            continue;
        }
        let size = if per_node { feasible.len() } else { values.len() };
        if !per_node {
            for node in nodes.real().filter(|node| has_keys(node)) {
                if let Some(count) = topology(node, &constraint.topology).and_then(|value| values.get_mut(value)) {
                    *count += node.count(&constraint.groups, false);
                }
            }
        }
        let weight = ((size + 2) as f64).ln();
        for (score, node) in raw.iter_mut().zip(feasible) {
            let Some(value) = topology(node, &constraint.topology) else { continue };
            let count = match per_node {
                true => node.count(&constraint.groups, false),
                false => values.get(value).copied().unwrap_or(0),
            };
            *score += count as f64 * weight + (constraint.max_skew - 1) as f64;
        }
    }
    let scores: Vec<i64> = raw.iter().map(|score| score.round() as i64).collect();
    let rated = || scores.iter().zip(feasible).filter(|(_, node)| has_keys(node)).map(|(score, _)| *score);
    let (most, least) = (rated().max().unwrap_or(0), rated().min().unwrap_or(0));
    let rate = |(score, node): (&i64, &&Node)| match (has_keys(node), most) {
        (false, _) => 0,
        (true, 0) => 100,
        (true, most) => 100 * (most + least - score) / most,
    };
    scores.iter().zip(feasible).map(rate).collect()
}

/// The pod's own soft constraints; without any constraint of its own, the default ones by its owners' selectors.
fn soft_constraints(pod: &Value, nodes: &Nodes, see: &Caches) -> (Vec<Soft>, bool) {
    let namespace = object::namespace(pod);
    let own = pod["spec"]["topologySpreadConstraints"].items();
    if !own.is_empty() {
        let soft = own.iter().filter(|one| one["whenUnsatisfiable"].str() == "ScheduleAnyway");
        let make = |constraint: &Value| {
            let selector = spread_selector(pod, constraint);
            Soft {
                topology: constraint["topologyKey"].smol(),
                max_skew: constraint["maxSkew"].int(),
                groups: nodes.groups.matching(|ns, labels| ns == namespace && object::matches(&selector, labels)),
            }
        };
        return (soft.map(make).collect(), false);
    }
    let labels = pod["metadata"].get("labels");
    let resource = SERVICES;
    let services: Vec<&Value> = see
        .list(&resource, Some(namespace))
        .map(|(_, service)| service["spec"].get("selector"))
        .filter(|selector| !selector.is_empty() && object::contains(selector, labels))
        .collect();
    let owner = object::controller_of(pod);
    let (kind, name) = owner.map_or(("", ""), |owner| (owner["kind"].str(), owner["name"].str()));
    let found = match kind {
        "ReplicaSet" => see.find(&REPLICA_SETS, namespace, name),
        "StatefulSet" => see.find(&STATEFUL_SETS, namespace, name),
        "ReplicationController" => see.find(&REPLICATION_CONTROLLERS, namespace, name),
        _ => None,
    };
    let selector = found.map(|found| found["spec"].get("selector"));
    if services.is_empty() && selector.is_none() {
        return (Vec::new(), true);
    }
    let groups = nodes.groups.matching(|ns, labels| {
        ns == namespace
            && services.iter().all(|selector| object::contains(selector, labels))
            && selector.is_none_or(|selector| match kind {
                "ReplicationController" => object::contains(selector, labels),
                _ => object::matches(selector, labels),
            })
    });
    let make = |topology: &str, max_skew| Soft { topology: topology.into(), max_skew, groups: groups.clone() };
    (vec![make("kubernetes.io/hostname", 3), make("topology.kubernetes.io/zone", 5)], true)
}

fn inter_pod(pod: &Value, feasible: &[&Node], nodes: &Nodes, see: &Caches) -> Vec<i64> {
    const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    let affinity = pod["spec"].get("affinity");
    let mut weights: BTreeMap<(SmolStr, SmolStr), i64> = BTreeMap::new();
    let mut add = |node: &Node, key: &Value, weight: i64| {
        if let Some(value) = topology(node, key.str())
            && weight != 0
        {
            *weights.entry((key.smol(), value.into())).or_default() += weight;
        }
    };
    for (kind, sign) in [("podAffinity", 1), ("podAntiAffinity", -1)] {
        for term in affinity[kind].get(PREFERRED).items() {
            let inner = term.get("podAffinityTerm");
            let groups = nodes.groups.matching(|namespace, labels| selects(pod, inner, namespace, labels, see));
            for node in nodes.real() {
                let count = node.count(&groups, true);
                add(node, inner.get("topologyKey"), sign * count * term["weight"].int());
            }
        }
    }
    for node in nodes.real().filter(|node| node.affine > 0) {
        for taken in node.uses.values().filter(|taken| taken.affine) {
            let theirs = taken.pod["spec"].get("affinity");
            for (kind, sign) in [("podAffinity", 1), ("podAntiAffinity", -1)] {
                for term in theirs[kind].get(PREFERRED).items() {
                    let inner = term.get("podAffinityTerm");
                    if term_matches(&taken.pod, inner, pod, see) {
                        add(node, inner.get("topologyKey"), sign * term["weight"].int());
                    }
                }
            }
            for term in theirs["podAffinity"].get(REQUIRED).items() {
                if term_matches(&taken.pod, term, pod, see) {
                    add(node, term.get("topologyKey"), 1);
                }
            }
        }
    }
    if weights.is_empty() {
        return vec![0; feasible.len()];
    }
    let sum = |node: &&Node| {
        let here = weights.iter().filter(|((key, value), _)| topology(node, key) == Some(value.as_str()));
        here.map(|(_, weight)| *weight).sum::<i64>()
    };
    let sums: Vec<i64> = feasible.iter().map(sum).collect();
    let (most, least) = (sums.iter().copied().max().unwrap_or(0), sums.iter().copied().min().unwrap_or(0));
    sums.iter().map(|sum| if most == least { 0 } else { 100 * (sum - least) / (most - least) }).collect()
}
