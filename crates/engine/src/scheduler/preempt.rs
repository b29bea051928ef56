//! Preemption: which pods of lower priority must go so that this one fits, and on which node.

use crate::base::BTreeMap;
use std::cmp::Reverse;

use super::filter::{Rejection, Wanted};
use super::node::Nodes;
use crate::api::object;
use crate::api::resource::POD_DISRUPTION_BUDGETS;
use crate::base::{SmolStr, Time, Value};
use crate::informer::Caches;
use crate::store::Key;

/// What preemption came to.
pub enum Outcome {
    Found {
        node: SmolStr,
        victims: Vec<(Key, Value)>,
    },
    /// The sentence that follows `preemption: `.
    Nothing(String),
}

/// A node with the pods that would have to go.
struct Candidate {
    node: SmolStr,
    victims: Vec<(Key, Value)>,
    violations: usize,
}

/// `rejections` are those of the attempt, by node.
pub fn preempt(wanted: &Wanted, rejections: &BTreeMap<SmolStr, Rejection>, nodes: &Nodes, see: &Caches) -> Outcome {
    let pod = &wanted.pod;
    if pod["spec"]["preemptionPolicy"].str() == "Never" {
        return Outcome::Nothing("not eligible due to preemptionPolicy=Never.".into());
    }
    let nominated = pod["status"]["nominatedNodeName"].str();
    let is_leaving = |node: &super::node::Node| {
        node.uses.values().any(|taken| {
            taken.terminating
                && taken.priority < wanted.taken.priority
                && object::condition(&taken.pod, "DisruptionTarget")
                    .is_some_and(|condition| condition["reason"].str() == "PreemptionByScheduler")
        })
    };
    if rejections.get(nominated).is_some_and(|rejection| rejection.resolvable)
        && nodes.nodes.get(nominated).is_some_and(is_leaving)
    {
        return Outcome::Nothing("not eligible due to a terminating pod on the nominated node.".into());
    }
    let mut reasons: BTreeMap<SmolStr, usize> = BTreeMap::new();
    let mut candidates = Vec::new();
    for (name, rejection) in rejections {
        if !rejection.resolvable {
            *reasons.entry("Preemption is not helpful for scheduling".into()).or_default() += 1;
            continue;
        }
        match candidate(wanted, name, nodes, see) {
            Ok(candidate) => candidates.push(candidate),
            Err(why) => why.into_iter().for_each(|reason| *reasons.entry(reason).or_default() += 1),
        }
    }
    match choose(candidates) {
        Some(best) => Outcome::Found { node: best.node, victims: best.victims },
        None => Outcome::Nothing(super::no_nodes(rejections.len(), &reasons)),
    }
}

fn candidate(wanted: &Wanted, name: &SmolStr, nodes: &Nodes, see: &Caches) -> Result<Candidate, Vec<SmolStr>> {
    let mut trial = nodes.clone();
    let mut wanted = wanted.clone();
    let Some(node) = nodes.nodes.get(name) else { return Err(Vec::new()) };
    let lower = node.uses.iter().filter(|(_, taken)| taken.priority < wanted.taken.priority);
    let mut victims: Vec<(Key, Value, i64)> =
        lower.map(|(key, taken)| (key.clone(), taken.pod.clone(), taken.priority)).collect();
    if victims.is_empty() {
        return Err(vec!["No preemption victims found for incoming pod".into()]);
    }
    for (key, _, _) in &victims {
        trial.forget(key);
    }
    let mut fits = |trial: &Nodes| {
        wanted.count(trial, see);
        trial.nodes.get(name).map_or(Some(Vec::new()), |node| wanted.filter(node).map(|r| r.reasons))
    };
    // A node all of whose pods went is still there: only its object keeps it.
    if let Some(reasons) = fits(&trial) {
        return Err(reasons);
    }
    // Important pods are given back first; those a budget protects before the others.
    victims.sort_by_key(|(_, pod, priority)| (!is_protected(pod, see), Reverse(*priority), started(pod)));
    let mut gone = Vec::new();
    let mut violations = 0;
    for (key, pod, _) in victims {
        trial.place(&key, &pod, name);
        if fits(&trial).is_some() {
            trial.forget(&key);
            violations += usize::from(is_protected(&pod, see));
            gone.push((key, pod));
        }
    }
    gone.sort_by_key(|(_, pod)| (Reverse(pod["spec"]["priority"].int()), started(pod)));
    Ok(Candidate { node: name.clone(), victims: gone, violations })
}

fn started(pod: &Value) -> Time {
    object::time(&pod["status"]["startTime"]).unwrap_or_else(|| object::created(pod))
}

/// Whether a budget allows no more disruption of this pod.
fn is_protected(pod: &Value, see: &Caches) -> bool {
    let labels = pod["metadata"].get("labels");
    let resource = POD_DISRUPTION_BUDGETS;
    let mut budgets = see.list(&resource, Some(object::namespace(pod)));
    budgets.any(|(_, budget)| {
        object::matches(&budget["spec"]["selector"], labels) && budget["status"]["disruptionsAllowed"].int() <= 0
    })
}

fn choose(candidates: Vec<Candidate>) -> Option<Candidate> {
    let priority = |pod: &Value| pod["spec"]["priority"].int();
    candidates.into_iter().min_by_key(|candidate| {
        let victims = &candidate.victims;
        let highest = victims.first().map_or(i64::MIN, |(_, pod)| priority(pod));
        let top = victims.iter().filter(|(_, pod)| priority(pod) == highest);
        let earliest = top.map(|(_, pod)| started(pod)).min().unwrap_or_default();
        let sum: i128 = victims.iter().map(|(_, pod)| i128::from(priority(pod)) + i128::from(i32::MAX)).sum();
        (candidate.violations, highest, sum, victims.len(), Reverse(earliest))
    })
}
