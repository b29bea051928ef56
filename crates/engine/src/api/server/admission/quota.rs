//! ResourceQuota: what a write would use, and whether the quotas of its namespace leave room for it.
//!
//! The usage of existing objects is the quota controller's count; an admitted write adds its own to it at once.

use crate::base::BTreeMap;

use super::known_name;
use super::limits::pod_sum;
use crate::api::object;
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::Value;
use crate::base::quantity::{Format, Quantity};
use crate::store::Key;

const QUOTAS: &str = "resourcequotas";
const COMPUTE: [&str; 6] = ["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"];

pub(crate) type Usage = BTreeMap<String, Quantity>;

impl Server {
    pub(super) fn check_quota(&mut self, call: &mut Call<'_, '_>, old: &Value, new: &Value) -> Result<()> {
        let namespace = call.target.namespace.clone();
        if namespace.is_empty() || call.resource().is(QUOTAS) && old.is_null() && new.is_null() {
            return Ok(());
        }
        let quotas: Vec<(Key, Value)> =
            self.store.list(QUOTAS, Some(&namespace)).map(|(key, quota)| (key.clone(), quota.clone())).collect();
        if quotas.is_empty() {
            return Ok(());
        }
        let store = call.resource().store.clone();
        let mut delta = usage(&store, new);
        for (key, used) in if old.is_null() { Usage::new() } else { usage(&store, old) } {
            delta.entry(key).or_default().sub(&used);
        }
        let what = call.resource().named();
        let name = known_name(new).to_owned();
        let refuse = |why: String| Err(Status::forbidden(&what, &name, &why));
        let mut writes = Vec::new();
        for (key, quota) in quotas {
            if !in_scope(&quota, &store, new) {
                continue;
            }
            let quota_name = object::name(&quota).to_owned();
            let hard = &quota["spec"]["hard"];
            if store == "pods" && old.is_null() {
                let missing = unspecified(hard, new);
                if !missing.is_empty() {
                    return refuse(format!("failed quota: {quota_name}: must specify {}", missing.join("; ")));
                }
            }
            let mine: Vec<(&String, &Quantity)> =
                delta.iter().filter(|(resource, used)| hard.has(resource) && used.sign() > 0).collect();
            if mine.is_empty() {
                continue;
            }
            let status = &quota["status"];
            let unknown: Vec<&str> =
                mine.iter().filter(|(r, _)| !status["hard"].has(r)).map(|(r, _)| r.as_str()).collect();
            if !unknown.is_empty() {
                return refuse(format!("status unknown for quota: {quota_name}, resources: {}", unknown.join(",")));
            }
            let mut updated = quota.clone();
            let (mut requested, mut used, mut limited) = (Vec::new(), Vec::new(), Vec::new());
            for (resource, amount) in mine {
                let before = Quantity::of(&status["used"][resource.as_str()]);
                let limit = Quantity::of(&status["hard"][resource.as_str()]);
                let mut after = before.clone();
                after.add(amount);
                if after > limit {
                    requested.push(format!("{resource}={}", amount.canonical()));
                    used.push(format!("{resource}={}", before.canonical()));
                    limited.push(format!("{resource}={}", limit.canonical()));
                }
                updated.set(&["status", "used", resource], after.canonical());
            }
            if !requested.is_empty() {
                return refuse(format!(
                    "exceeded quota: {quota_name}, requested: {}, used: {}, limited: {}",
                    requested.join(","),
                    used.join(","),
                    limited.join(",")
                ));
            }
            writes.push((key, quota, updated));
        }
        let manager = std::mem::replace(&mut call.manager, "kube-apiserver".into());
        for (key, before, mut after) in writes {
            self.credit_own(call, Some(&before), &mut after, "status");
            self.commit(call, "update", key, before, after);
        }
        call.manager = manager;
        Ok(())
    }
}

fn one() -> Quantity {
    Quantity::new(1, Format::default())
}

/// What an object counts for, under every name a quota may use.
pub(crate) fn usage(store: &str, object: &Value) -> Usage {
    let mut usage = Usage::new();
    usage.insert(format!("count/{store}"), one());
    match store {
        "configmaps" | "secrets" | "replicationcontrollers" | "resourcequotas" => {
            usage.insert(store.to_owned(), one());
        }
        "pods" => {
            // Pods that have ended are free.
            if matches!(object["status"]["phase"].str(), "Succeeded" | "Failed") {
                usage.clear();
                usage.insert("count/pods".into(), one());
                return usage;
            }
            usage.insert("pods".into(), one());
            for (part, sum) in [("requests", pod_sum(object, "requests")), ("limits", pod_sum(object, "limits"))] {
                for (key, value) in sum.entries().iter() {
                    let amount = Quantity::of(value);
                    if part == "requests" && matches!(key.as_str(), "cpu" | "memory" | "ephemeral-storage") {
                        usage.insert(key.to_string(), amount.clone());
                    }
                    usage.insert(format!("{part}.{key}"), amount);
                }
            }
        }
        "services" => {
            usage.insert("services".into(), one());
            let kind = object["spec"]["type"].str();
            let ports = object["spec"]["ports"].items();
            let has_ports =
                kind == "NodePort" || (kind == "LoadBalancer" && ports.iter().any(|port| port["nodePort"].int() != 0));
            if has_ports {
                usage.insert("services.nodeports".into(), Quantity::new(ports.len() as i64, Format::default()));
            }
            if kind == "LoadBalancer" {
                usage.insert("services.loadbalancers".into(), one());
            }
        }
        "persistentvolumeclaims" => {
            usage.insert(store.to_owned(), one());
            let storage = Quantity::of(object.at(&["spec", "resources", "requests", "storage"]));
            let class = object["spec"]["storageClassName"].str();
            if !class.is_empty() {
                let place = format!("{class}.storageclass.storage.k8s.io");
                usage.insert(format!("{place}/persistentvolumeclaims"), one());
                usage.insert(format!("{place}/requests.storage"), storage.clone());
            }
            usage.insert("requests.storage".into(), storage);
        }
        _ => {}
    }
    usage
}

/// `limits.cpu for: app; requests.memory for: app,side`
fn unspecified(hard: &Value, pod: &Value) -> Vec<String> {
    let mut missing: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let spec = &pod["spec"];
    for container in spec["initContainers"].items().iter().chain(spec["containers"].items()) {
        for resource in COMPUTE.iter().filter(|resource| hard.has(resource)) {
            let (part, key) = resource.split_once('.').unwrap_or(("requests", resource));
            if !container["resources"][part].has(key) {
                missing.entry(resource).or_default().push(container["name"].str());
            }
        }
    }
    missing
        .into_iter()
        .map(|(resource, mut names)| {
            names.sort_unstable();
            names.dedup();
            format!("{resource} for: {}", names.join(","))
        })
        .collect()
}

pub(crate) fn in_scope(quota: &Value, store: &str, object: &Value) -> bool {
    let spec = &quota["spec"];
    let selector = spec["scopeSelector"]["matchExpressions"].items();
    if spec["scopes"].items().is_empty() && selector.is_empty() {
        return true;
    }
    if store != "pods" {
        return false;
    }
    let is = |scope: &str| {
        let ends = object["spec"]["activeDeadlineSeconds"].as_int().is_some_and(|seconds| seconds >= 0);
        let best_effort = super::super::meta::qos_class(object) == "BestEffort";
        match scope {
            "BestEffort" => best_effort,
            "NotBestEffort" => !best_effort,
            "Terminating" => ends,
            "NotTerminating" => !ends,
            "PriorityClass" => !object["spec"]["priorityClassName"].is_empty(),
            _ => false,
        }
    };
    spec["scopes"].items().iter().all(|scope| is(scope.str()))
        && selector.iter().all(|term| {
            let scope = term["scopeName"].str();
            let class = object["spec"]["priorityClassName"].str();
            let listed = term["values"].items().iter().any(|value| value.str() == class);
            match (scope, term["operator"].str()) {
                ("PriorityClass", "In") => listed,
                ("PriorityClass", "NotIn") => !listed,
                (_, "DoesNotExist") => !is(scope),
                _ => is(scope),
            }
        })
}
