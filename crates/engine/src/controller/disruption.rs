//! The disruption controller: how many pods of a PodDisruptionBudget are healthy, and how many of them may go.
//!
//! Left out: the clean-up of stale DisruptionTarget conditions, scales of custom resources.

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;

use super::pods;
use crate::api::object;
use crate::api::resource::{
    DEPLOYMENTS, POD_DISRUPTION_BUDGETS, PODS, REPLICA_SETS, REPLICATION_CONTROLLERS, Resource, STATEFUL_SETS,
};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// How long an eviction that was allowed may take to become a deletion.
const DELETION: Span = Span::seconds(120);
const ALLOWED: &str = "DisruptionAllowed";

#[derive(Clone, Debug, Default)]
pub struct Disruption;

#[derive(Clone, Debug)]
pub struct Inputs {
    budget: Value,
    pods: Vec<Value>,
    /// The pods' controllers by uid and how many pods each wants, or why that is not known.
    scales: BTreeMap<SmolStr, Result<i64, String>>,
    now: Time,
}

fn guards(budget: &Value, pod: &Value) -> bool {
    !pod.is_null() && object::matches(&budget["spec"]["selector"], pod["metadata"].get("labels"))
}

/// How many pods the controller of a pod wants; a ReplicaSet's Deployment has the say.
fn scale(see: &Caches, namespace: &str, owner: &Value) -> Result<i64, String> {
    let find = |resource: &Resource, owner: &Value| see.find(resource, namespace, owner["name"].str()).cloned();
    let replicas = |object: Option<Value>| object.map_or(0, |object| object["spec"]["replicas"].int());
    match owner["kind"].str() {
        "ReplicaSet" => {
            let set = find(&REPLICA_SETS, owner);
            let above =
                set.as_ref().and_then(object::controller_of).filter(|above| above["kind"].str() == "Deployment");
            Ok(match above {
                Some(above) => replicas(find(&DEPLOYMENTS, above)),
                None => replicas(set),
            })
        }
        "StatefulSet" => Ok(replicas(find(&STATEFUL_SETS, owner))),
        "ReplicationController" => Ok(replicas(find(&REPLICATION_CONTROLLERS, owner))),
        kind => {
            let group = owner["apiVersion"].str().split_once('/').map_or("", |(group, _)| group);
            let plural = format!("{}s", kind.to_ascii_lowercase());
            let named = if group.is_empty() { plural } else { format!("{plural}.{group}") };
            Err(format!("{named} does not implement the scale subresource"))
        }
    }
}

impl Reconciler for Disruption {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == POD_DISRUPTION_BUDGETS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == PODS {
            for (key, budget) in see.list(&POD_DISRUPTION_BUDGETS, Some(&change.key.namespace)) {
                if guards(budget, &change.before) || guards(budget, &change.after) {
                    add(key.clone(), Span::ZERO);
                }
            }
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let budget = see.get(key)?.clone();
        let all = see.list("pods", Some(&key.namespace)).map(|(_, pod)| pod);
        let pods: Vec<Value> = all.filter(|pod| guards(&budget, pod)).cloned().collect();
        let mut scales = BTreeMap::new();
        for owner in pods.iter().filter_map(object::controller_of) {
            scales.entry(owner["uid"].smol()).or_insert_with(|| scale(see, &key.namespace, owner));
        }
        Some(Inputs { budget, pods, scales, now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let Inputs { budget, pods, now, .. } = inputs;
        if pods.is_empty() {
            io.event(budget, EventType::Normal, "NoPods", "No matching pods found");
        }
        let (expected, desired) = match self.counts(inputs, io) {
            Ok(counts) => counts,
            Err(error) => {
                let text = format!("Failed to calculate the number of expected pods: {error}");
                io.event(budget, EventType::Warning, "CalculateExpectedPodCountFailed", text);
                let mut status = budget["status"].clone();
                status.set(&["disruptionsAllowed"], 0);
                set_allowed(&mut status, "False", "SyncFailed", &error, *now);
                self.write(budget, status, io)?;
                return Err(Stop::Retry(error));
            }
        };
        let mut disrupted = Value::empty_map();
        let mut recheck: Option<Time> = None;
        for pod in pods.iter().filter(|pod| !object::is_deleting(pod)) {
            let at = budget.at(&["status", "disruptedPods", object::name(pod)]);
            let Some(end) = object::time(at).map(|at| at + DELETION) else { continue };
            if end < *now {
                let (namespace, name) = (object::namespace(budget), object::name(budget));
                let text = format!("Pod was expected by PDB {namespace}/{name} to be deleted but it wasn't");
                io.event(pod, EventType::Warning, "NotDeleted", text);
            } else {
                disrupted.set(&[object::name(pod)], at);
                recheck = Some(recheck.map_or(end, |planned| planned.min(end)));
            }
        }
        let is_healthy =
            |pod: &&Value| !object::is_deleting(pod) && !disrupted.has(object::name(pod)) && pods::is_ready(pod);
        let current = pods.iter().filter(is_healthy).count() as i64;
        let allowed = if expected <= 0 { 0 } else { (current - desired).max(0) };
        let mut status = map! {
            "disruptionsAllowed" => allowed, "currentHealthy" => current, "desiredHealthy" => desired,
            "expectedPods" => expected, "observedGeneration" => budget["metadata"].get("generation"),
        };
        if !disrupted.is_empty() {
            status.set(&["disruptedPods"], disrupted);
        }
        if budget["status"].has("conditions") {
            status.set(&["conditions"], budget["status"].get("conditions"));
        }
        match allowed > 0 {
            true => set_allowed(&mut status, "True", "SufficientPods", "", *now),
            false => set_allowed(&mut status, "False", "InsufficientPods", "", *now),
        }
        self.write(budget, status, io)?;
        if let Some(at) = recheck {
            io.again_after((at - *now).max(Span::millis(1)));
        }
        Ok(())
    }
}

impl Disruption {
    /// Expected pods, and how many of them must stay healthy.
    fn counts(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(i64, i64), String> {
        let spec = &inputs.budget["spec"];
        let count = inputs.pods.len() as i64;
        if let Some(least) = spec["minAvailable"].as_int() {
            return Ok((count, least));
        }
        let mut expected = 0_i64;
        for scale in inputs.scales.values() {
            expected = expected.saturating_add(scale.clone()?);
        }
        let bare: BTreeSet<&str> =
            inputs.pods.iter().filter(|pod| object::controller_of(pod).is_none()).map(object::name).collect();
        if !bare.is_empty() {
            let selector = printed(&spec["selector"]);
            let text = format!(
                "Pods selected by this PodDisruptionBudget (selector: {selector}) were found to be unmanaged. As a \
                 result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. \
                 To account for these pods please set \".spec.minAvailable\" field of the PDB to an integer value."
            );
            io.event(&inputs.budget, EventType::Warning, "UnmanagedPods", text);
        }
        let part = |value: &Value| match value.str().strip_suffix('%') {
            Some(percent) => {
                percent.parse::<i64>().unwrap_or(0).saturating_mul(expected).saturating_add(99).div_euclid(100)
            }
            None => value.int(),
        };
        match spec["maxUnavailable"].is_null() {
            true => Ok((expected, part(&spec["minAvailable"]))),
            false => Ok((expected, (expected - part(&spec["maxUnavailable"])).max(0))),
        }
    }

    fn write(&self, budget: &Value, status: Value, io: &mut Io<'_>) -> Result<(), Stop> {
        if status == budget["status"] {
            return Ok(());
        }
        let mut body = budget.clone();
        body.set(&["status"], status);
        let answer = io.send(io.client.update(&POD_DISRUPTION_BUDGETS, "status", body))?;
        match answer.ok() || answer.code == 404 {
            true => Ok(()),
            false => Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
}

fn set_allowed(status: &mut Value, value: &str, reason: &str, message: &str, now: Time) {
    let mut all = status["conditions"].items().to_vec();
    let old = all.iter().position(|one| one["type"].str() == ALLOWED);
    let since = old
        .and_then(|at| all.get(at))
        .filter(|one| one["status"].str() == value)
        .map_or_else(|| Value::text(now.rfc3339()), |one| one["lastTransitionTime"].clone());
    let condition = map! {
        "type" => ALLOWED, "status" => value, "reason" => reason, "message" => message, "lastTransitionTime" => since,
        "observedGeneration" => status.get("observedGeneration"),
    };
    match old.and_then(|at| all.get_mut(at)) {
        Some(slot) => *slot = condition,
        None => all.push(condition),
    }
    status.set(&["conditions"], all);
}

/// A LabelSelector as Go prints it.
fn printed(selector: &Value) -> String {
    let labels: String =
        selector["matchLabels"].entries().iter().map(|(key, value)| format!("{key}: {},", value.str())).collect();
    let one = |rule: &Value| {
        let values: Vec<&str> = rule["values"].items().iter().map(Value::str).collect();
        let (key, operator) = (rule["key"].str(), rule["operator"].str());
        format!("LabelSelectorRequirement{{Key:{key},Operator:{operator},Values:[{}],}},", values.join(" "))
    };
    let rules: String = selector["matchExpressions"].items().iter().map(one).collect();
    format!(
        "&LabelSelector{{MatchLabels:map[string]string{{{labels}}},MatchExpressions:[]LabelSelectorRequirement{{{rules}}},}}"
    )
}
