//! LimitRanger: default requests and limits of new pods, and the bounds of pods and claims.

use super::known_name;
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::Value;
use crate::base::quantity::Quantity;

const RANGES: &str = "limitranges";

impl Server {
    fn limits_of(&self, namespace: &str, kind: &str) -> Vec<Value> {
        let ranges = self.store.list(RANGES, Some(namespace));
        let items = ranges.flat_map(|(_, range)| range["spec"]["limits"].items());
        items.filter(|item| item["type"].str() == kind).cloned().collect()
    }

    /// Fills in what a container leaves open.
    pub(super) fn default_limits(&self, call: &Call<'_, '_>, pod: &mut Value) {
        let mut notes = Vec::new();
        for item in self.limits_of(&call.target.namespace, "Container") {
            for (list, what) in [("containers", "container"), ("initContainers", "init container")] {
                let count = pod["spec"][list].items().len();
                for index in 0..count {
                    let name = pod["spec"][list][index]["name"].smol();
                    for (part, from, word) in
                        [("requests", "defaultRequest", "request"), ("limits", "default", "limit")]
                    {
                        let have = pod["spec"][list][index]["resources"][part].clone();
                        let missing: Vec<_> = item[from].entries().iter().filter(|(key, _)| !have.has(key)).collect();
                        if missing.is_empty() {
                            continue;
                        }
                        let keys: Vec<&str> = missing.iter().map(|(key, _)| key.as_str()).collect();
                        notes.push(format!("{} {word} for {what} {name}", keys.join(", ")));
                        let Some(container) = pod.at_mut(&["spec", list]).list_mut().get_mut(index) else { continue };
                        for (key, value) in missing {
                            container.set(&["resources", part, key], value);
                        }
                    }
                }
            }
        }
        if !notes.is_empty() {
            let text = format!("LimitRanger plugin set: {}", notes.join("; "));
            pod.set(&["metadata", "annotations", "kubernetes.io/limit-ranger"], text);
        }
    }

    pub(super) fn check_limits(&self, call: &Call<'_, '_>, object: &Value) -> Result<()> {
        let namespace = &call.target.namespace;
        let mut problems = Vec::new();
        if call.resource().is("pods") {
            let spec = &object["spec"];
            for item in self.limits_of(namespace, "Container") {
                for container in spec["containers"].items().iter().chain(spec["initContainers"].items()) {
                    let resources = &container["resources"];
                    bounds(&item, "Container", &resources["requests"], &resources["limits"], &mut problems);
                }
            }
            for item in self.limits_of(namespace, "Pod") {
                bounds(&item, "Pod", &pod_sum(object, "requests"), &pod_sum(object, "limits"), &mut problems);
            }
        } else {
            for item in self.limits_of(namespace, "PersistentVolumeClaim") {
                claim_bounds(&item, &object["spec"]["resources"]["requests"], &mut problems);
            }
        }
        problems.dedup();
        let why = match problems.as_slice() {
            [] => return Ok(()),
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        Err(Status::forbidden(&call.resource().named(), known_name(object), &why))
    }
}

/// What a whole pod asks for: the sum of its containers, at least its largest init container.
pub fn pod_sum(pod: &Value, part: &str) -> Value {
    let mut sums: crate::base::BTreeMap<&str, Quantity> = Default::default();
    for container in pod["spec"]["containers"].items() {
        for (key, value) in container["resources"][part].entries().iter() {
            sums.entry(key).and_modify(|sum| sum.add(&Quantity::of(value))).or_insert_with(|| Quantity::of(value));
        }
    }
    let mut sidecars: crate::base::BTreeMap<&str, Quantity> = Default::default();
    for container in pod["spec"]["initContainers"].items() {
        let stays = container["restartPolicy"].str() == "Always";
        for (key, value) in container["resources"][part].entries().iter() {
            let own = Quantity::of(value);
            if stays {
                sums.entry(key).and_modify(|sum| sum.add(&own)).or_insert_with(|| own.clone());
                sidecars.entry(key).and_modify(|sum| sum.add(&own)).or_insert(own);
                continue;
            }
            let mut need = own;
            if let Some(before) = sidecars.get(key.as_str()) {
                need.add(before);
            }
            match sums.get_mut(key.as_str()) {
                Some(sum) if *sum >= need => {}
                _ => {
                    sums.insert(key, need);
                }
            }
        }
    }
    for (key, value) in pod["spec"]["overhead"].entries().iter().filter(|_| part == "requests") {
        sums.entry(key).and_modify(|sum| sum.add(&Quantity::of(value))).or_insert_with(|| Quantity::of(value));
    }
    let mut out = Value::empty_map();
    for (key, sum) in sums {
        out.set(&[key], sum.canonical());
    }
    out
}

fn bounds(item: &Value, kind: &str, requests: &Value, limits: &Value, problems: &mut Vec<String>) {
    let read = |list: &Value, key: &str| list.has(key).then(|| Quantity::of(&list[key]));
    for (key, bound) in item["min"].entries().iter() {
        let least = Quantity::of(bound);
        let start = format!("minimum {key} usage per {kind} is {}", least.canonical());
        let (request, limit) = (read(requests, key), read(limits, key));
        match (request, limit) {
            (None, _) => problems.push(format!("{start}.  No request is specified")),
            (Some(request), _) if request < least => {
                problems.push(format!("{start}, but request is {}", request.canonical()));
            }
            (_, Some(limit)) if limit < least => problems.push(format!("{start}, but limit is {}", limit.canonical())),
            _ => {}
        }
    }
    for (key, bound) in item["max"].entries().iter() {
        let most = Quantity::of(bound);
        let start = format!("maximum {key} usage per {kind} is {}", most.canonical());
        let (request, limit) = (read(requests, key), read(limits, key));
        match (request, limit) {
            (_, None) => problems.push(format!("{start}.  No limit is specified")),
            (_, Some(limit)) if limit > most => problems.push(format!("{start}, but limit is {}", limit.canonical())),
            (Some(request), _) if request > most => {
                problems.push(format!("{start}, but request is {}", request.canonical()));
            }
            _ => {}
        }
    }
    for (key, bound) in item["maxLimitRequestRatio"].entries().iter() {
        let most = Quantity::of(bound);
        let start = format!("{key} max limit to request ratio per {kind} is {}, but", most.canonical());
        let zero = |quantity: &Quantity| quantity.is_zero();
        match (read(requests, key), read(limits, key)) {
            (None, _) => problems.push(format!("{start} no request is specified or request is 0")),
            (Some(request), _) if zero(&request) => {
                problems.push(format!("{start} no request is specified or request is 0"));
            }
            (_, None) => problems.push(format!("{start} no limit is specified or limit is 0")),
            (Some(request), Some(limit)) => {
                let ratio = limit.as_f64() / request.as_f64();
                if ratio > most.as_f64() {
                    problems.push(format!("{start} provided ratio is {ratio:.6}"));
                }
            }
        }
    }
}

fn claim_bounds(item: &Value, requests: &Value, problems: &mut Vec<String>) {
    let asked = Quantity::of(&requests["storage"]);
    for (bound, word) in [("min", "minimum"), ("max", "maximum")] {
        let Some(value) = item[bound].entries().get("storage") else { continue };
        let limit = Quantity::of(value);
        if (bound == "min" && asked < limit) || (bound == "max" && asked > limit) {
            let (limit, asked) = (limit.canonical(), asked.canonical());
            problems.push(format!("{word} storage usage per PersistentVolumeClaim is {limit}, but request is {asked}"));
        }
    }
}
