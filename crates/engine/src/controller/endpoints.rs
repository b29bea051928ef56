//! The EndpointSlice and Endpoints controllers: which pods stand behind a Service.
//!
//! Left out: mirroring of hand-made Endpoints, topology hints, dual stack, the over-capacity annotation.

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::{ENDPOINT_SLICES, ENDPOINTS, NODES, PODS, SERVICES};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

const TRIGGER: &str = "endpoints.kubernetes.io/last-change-trigger-time";
const SLICE_MANAGER: &str = "endpointslice-controller.k8s.io";
const SLICE_SIZE: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    Slices,
    Endpoints,
}

#[derive(Clone, Debug)]
pub struct EndpointSets {
    flavour: Flavour,
    /// Per Service: the trigger times of its last sync, by pod name ("" = the Service itself).
    triggers: BTreeMap<Key, BTreeMap<SmolStr, Time>>,
    /// Per Service: the revision its own writes reached.
    expected: BTreeMap<Key, u64>,
    /// Services whose sync waits for its own writes to be seen.
    pending: BTreeSet<Key>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    service: Value,
    service_gone: Option<Key>,
    pods: Vec<(Value, Value)>,
    /// The slices or the Endpoints object as they are.
    current: Vec<Value>,
    trigger: Option<Time>,
}

impl EndpointSets {
    pub fn new(flavour: Flavour) -> EndpointSets {
        EndpointSets { flavour, triggers: BTreeMap::new(), expected: BTreeMap::new(), pending: BTreeSet::new() }
    }
}

/// What of a pod matters to endpoints.
fn gist(pod: &Value) -> (bool, Value, bool, Value, bool) {
    let ready = object::condition_is(pod, "Ready", "True");
    let labels = pod["metadata"]["labels"].clone();
    (ready, pod["status"]["podIPs"].clone(), object::is_deleting(pod), labels, pod.is_null())
}

fn selects(service: &Value, labels: &Value) -> bool {
    let selector = service["spec"].get("selector");
    !selector.is_empty() && service["spec"]["type"].str() != "ExternalName" && object::contains(selector, labels)
}

impl Reconciler for EndpointSets {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == SERVICES {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == PODS && gist(&change.before) != gist(&change.after) {
            let resource = SERVICES;
            for (key, service) in see.list(&resource, Some(&change.key.namespace)) {
                let fits = |pod: &Value| !pod.is_null() && selects(service, pod["metadata"].get("labels"));
                if fits(&change.before) || fits(&change.after) {
                    add(key.clone(), Span::ZERO);
                }
            }
        } else if self.is_mine(&change.before) || self.is_mine(&change.after) {
            let object = if change.after.is_null() { &change.before } else { &change.after };
            let name = self.service_of(object);
            let key = Key { resource: SERVICES, namespace: change.key.namespace.clone(), name };
            if change.after.is_null() || self.pending.contains(&key) {
                add(key, Span::ZERO);
            }
        }
    }

    fn expect(&mut self, key: &Key, revision: u64) {
        self.expected.insert(key.clone(), revision);
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<Inputs> {
        let Some(service) = see.get(key) else {
            self.triggers.remove(key);
            self.expected.remove(key);
            // Slices go with the garbage collector; the Endpoints object has no owner.
            let found = see.find(&ENDPOINTS, &key.namespace, &key.name)?;
            if self.flavour == Flavour::Slices || !self.is_mine(found) {
                return None;
            }
            return Some(Inputs {
                service: Value::Null,
                service_gone: Some(key.clone()),
                pods: Vec::new(),
                current: Vec::new(),
                trigger: None,
            });
        };
        if service["spec"]["selector"].is_empty() || service["spec"]["type"].str() == "ExternalName" {
            return None;
        }
        if self.expected.get(key).is_some_and(|expected| *expected > see.revision()) {
            self.pending.insert(key.clone());
            return None;
        }
        self.pending.remove(key);
        let resource = PODS;
        let mut pods = Vec::new();
        let mut triggers = BTreeMap::from([(SmolStr::default(), object::created(service))]);
        for (_, pod) in see.list(&resource, Some(&key.namespace)) {
            if !selects(service, pod["metadata"].get("labels")) {
                continue;
            }
            let ready = object::condition(pod, "Ready").and_then(|ready| object::time(&ready["lastTransitionTime"]));
            triggers.insert(pod["metadata"]["name"].smol(), ready.unwrap_or_else(|| object::created(pod)));
            if !pod["status"]["podIP"].str().is_empty() && !object::is_finished(pod) {
                let node = see.find(&NODES, "", pod["spec"]["nodeName"].str()).cloned().unwrap_or_default();
                pods.push((pod.clone(), node));
            }
        }
        let old = self.triggers.get(key);
        let grown =
            triggers.iter().filter(|(name, at)| old.and_then(|old| old.get(*name)).is_none_or(|before| before < *at));
        let trigger = grown.map(|(_, at)| *at).min();
        self.triggers.insert(key.clone(), triggers);
        let resource = if self.flavour == Flavour::Slices { ENDPOINT_SLICES } else { ENDPOINTS };
        let mine = see.list(&resource, Some(&key.namespace)).map(|(_, one)| one);
        let current = mine.filter(|one| self.is_mine(one) && self.service_of(one) == key.name).cloned().collect();
        Some(Inputs { service: service.clone(), service_gone: None, pods, current, trigger })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        if let Some(key) = &inputs.service_gone {
            io.send(io.client.delete(&ENDPOINTS, &key.namespace, &key.name, Value::Null))?;
            return Ok(());
        }
        match self.flavour {
            Flavour::Slices => slices(inputs, io),
            Flavour::Endpoints => endpoints(inputs, io),
        }
    }
}

impl EndpointSets {
    fn is_mine(&self, object: &Value) -> bool {
        match self.flavour {
            Flavour::Slices => object::label(object, "endpointslice.kubernetes.io/managed-by") == SLICE_MANAGER,
            Flavour::Endpoints => object::label(object, "endpoints.kubernetes.io/managed-by") == "endpoint-controller",
        }
    }

    fn service_of(&self, object: &Value) -> SmolStr {
        match self.flavour {
            Flavour::Slices => object::label(object, "kubernetes.io/service-name").into(),
            Flavour::Endpoints => object["metadata"]["name"].smol(),
        }
    }
}

/// The Service's ports as this pod serves them; a named target the pod does not have is left out.
fn ports(service: &Value, pod: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    for port in service["spec"]["ports"].items() {
        let protocol = port["protocol"].as_str().unwrap_or("TCP");
        let target = port.get("targetPort");
        let number = match target.as_str() {
            None => Some(target.as_int().filter(|n| *n != 0).unwrap_or(port["port"].int())),
            Some(name) => {
                let containers = pod["spec"]["containers"].items().iter();
                let declared = containers.flat_map(|container| container["ports"].items());
                let mut fitting = declared
                    .filter(|one| one["name"].str() == name && one["protocol"].as_str().unwrap_or("TCP") == protocol);
                fitting.next().map(|one| one["containerPort"].int())
            }
        };
        let Some(number) = number else { continue };
        let mut made = map! { "name" => port["name"].str(), "port" => number, "protocol" => protocol };
        if port.has("appProtocol") {
            made.set(&["appProtocol"], port.get("appProtocol"));
        }
        all.push(made);
    }
    all
}

fn target(pod: &Value) -> Value {
    map! {
        "kind" => "Pod", "namespace" => object::namespace(pod), "name" => object::name(pod), "uid" => object::uid(pod),
    }
}

fn hostname<'a>(service: &Value, pod: &'a Value) -> Option<&'a str> {
    let name = pod["spec"]["hostname"].as_str()?;
    (pod["spec"]["subdomain"].str() == object::name(service)).then_some(name)
}

fn labels(service: &Value, own: &[(&str, &str)]) -> Value {
    let mut labels = service["metadata"]["labels"].clone();
    for (key, value) in own {
        labels.set(&[key], *value);
    }
    if service["spec"]["clusterIP"].str() == "None" {
        labels.set(&["service.kubernetes.io/headless"], "");
    }
    labels
}

/// Sets or takes away the annotation with the trigger time.
fn annotate(object: &mut Value, trigger: Option<Time>) {
    match trigger {
        Some(at) => object.set(&["metadata", "annotations", TRIGGER], at.rfc3339()),
        None => {
            object.remove(&["metadata", "annotations", TRIGGER]);
            if object["metadata"]["annotations"].is_empty() {
                object.remove(&["metadata", "annotations"]);
            }
        }
    }
}

fn endpoint(service: &Value, pod: &Value, node: &Value) -> Value {
    let serving = object::condition_is(pod, "Ready", "True");
    let terminating = object::is_deleting(pod);
    let publish = service["spec"]["publishNotReadyAddresses"].is_true();
    let mut made = map! {
        "addresses" => vec![pod["status"]["podIP"].clone()],
        "conditions" => map! {
            "ready" => (serving && !terminating) || publish, "serving" => serving, "terminating" => terminating,
        },
        "nodeName" => &pod["spec"]["nodeName"], "targetRef" => target(pod),
    };
    let zone = object::label(node, "topology.kubernetes.io/zone");
    if !zone.is_empty() {
        made.set(&["zone"], zone);
    }
    if let Some(name) = hostname(service, pod) {
        made.set(&["hostname"], name);
    }
    made
}

fn slices(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    let service = &inputs.service;
    // Endpoints wanted, by port set.
    let mut wanted: Vec<(Vec<Value>, BTreeMap<SmolStr, Value>)> = Vec::new();
    for (pod, node) in &inputs.pods {
        let ports = ports(service, pod);
        let at = wanted.iter().position(|(known, _)| *known == ports).unwrap_or_else(|| {
            wanted.push((ports, BTreeMap::new()));
            wanted.len() - 1
        });
        if let Some((_, set)) = wanted.get_mut(at) {
            set.insert(pod["metadata"]["uid"].smol(), endpoint(service, pod, node));
        }
    }
    if wanted.is_empty() {
        wanted.push((Vec::new(), BTreeMap::new()));
    }
    let own = [
        ("kubernetes.io/service-name", object::name(service)),
        ("endpointslice.kubernetes.io/managed-by", SLICE_MANAGER),
    ];
    let labels = labels(service, &own);
    let mut current = inputs.current.clone();
    let listed = |ports: &[Value]| if ports.is_empty() { Value::Null } else { Value::from(ports.to_vec()) };
    let all_ports: Vec<Value> = wanted.iter().map(|(ports, _)| listed(ports)).collect();
    for (ports, mut set) in wanted {
        let ports = listed(&ports);
        let fits = |slice: &Value| slice["ports"] == ports || slice["endpoints"].is_empty();
        let mut used = Vec::new();
        while let Some(at) = current.iter().position(fits) {
            used.push(current.remove(at));
        }
        // Instead of one slice made and another deleted, the one is written over.
        if used.is_empty()
            && let Some(at) = current.iter().position(|slice| !all_ports.contains(slice.get("ports")))
        {
            used.push(current.remove(at));
        }
        // What is there keeps its place; what left is dropped; what is new goes to the end.
        for slice in &mut used {
            let mut kept: Vec<Value> = Vec::new();
            for old in slice["endpoints"].items() {
                if let Some(new) = set.remove(old["targetRef"]["uid"].str()) {
                    kept.push(new);
                }
            }
            slice.set(&["endpoints"], kept);
        }
        let mut new: Vec<Value> = set.into_values().collect();
        for slice in &mut used {
            let mut all = slice["endpoints"].items().to_vec();
            let room = SLICE_SIZE.saturating_sub(all.len()).min(new.len());
            all.extend(new.drain(..room));
            let endpoints = listed(&all);
            slice.set(&["endpoints"], endpoints);
            slice.set(&["ports"], &ports);
            slice.set(&["metadata", "labels"], &labels);
        }
        for mut slice in used {
            let before = inputs.current.iter().find(|old| object::name(old) == object::name(&slice));
            if before.is_some_and(|before| *before == slice) {
                continue;
            }
            annotate(&mut slice, inputs.trigger);
            write(io, io.client.update(&ENDPOINT_SLICES, "", slice))?;
        }
        let is_first = inputs.current.is_empty();
        let mut rest: Vec<Vec<Value>> = new.chunks(SLICE_SIZE).map(<[Value]>::to_vec).collect();
        if rest.is_empty() && is_first {
            rest.push(Vec::new());
        }
        for chunk in rest {
            let mut meta = map! {
                "generateName" => format!("{}-", object::name(service)), "namespace" => object::namespace(service),
                "labels" => &labels, "ownerReferences" => vec![object::owned_by(service, "v1", "Service")],
            };
            if let Some(at) = inputs.trigger {
                meta.set(&["annotations", TRIGGER], at.rfc3339());
            }
            let family = service["spec"]["ipFamilies"][0].as_str().unwrap_or("IPv4");
            let mut slice = map! {
                "apiVersion" => "discovery.k8s.io/v1", "kind" => "EndpointSlice", "metadata" => meta,
                "addressType" => family,
            };
            slice.map_mut().insert("endpoints", listed(&chunk));
            slice.map_mut().insert("ports", &ports);
            write(io, io.client.create(&ENDPOINT_SLICES, object::namespace(service), slice))?;
        }
    }
    for slice in current {
        let request = io.client.delete(&ENDPOINT_SLICES, object::namespace(&slice), object::name(&slice), Value::Null);
        write(io, request)?;
    }
    Ok(())
}

/// A write; what is stale or gone is looked at again.
fn write(io: &mut Io<'_>, request: crate::base::http::Request) -> Result<(), Stop> {
    let answer = io.send(request)?;
    match answer.ok() || super::pods::namespace_is_terminating(answer.value()) {
        true => {
            io.expect(answer.value());
            Ok(())
        }
        false => Err(Stop::Retry(answer.value()["message"].str().into())),
    }
}

fn endpoints(inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
    let service = &inputs.service;
    let publish = service["spec"]["publishNotReadyAddresses"].is_true();
    // Addresses by port set, so that equal sets share a subset: ready ones, and those that are not.
    let mut subsets: Vec<(Vec<Value>, Vec<Value>, Vec<Value>)> = Vec::new();
    let mut pods: Vec<&(Value, Value)> = inputs.pods.iter().collect();
    pods.sort_by_key(|(pod, _)| address_order(pod["status"]["podIP"].str()));
    for (pod, _) in pods {
        let ready = object::condition_is(pod, "Ready", "True") && !object::is_deleting(pod);
        if object::is_deleting(pod) && !publish {
            continue;
        }
        let mut ports = ports(service, pod);
        if ports.is_empty() && service["spec"]["clusterIP"].str() != "None" {
            continue;
        }
        for port in &mut ports {
            if port["name"].str().is_empty() {
                port.remove(&["name"]);
            }
        }
        let mut address = map! {
            "ip" => &pod["status"]["podIP"], "nodeName" => &pod["spec"]["nodeName"], "targetRef" => target(pod),
        };
        if let Some(name) = hostname(service, pod) {
            address.set(&["hostname"], name);
        }
        let at = subsets.iter().position(|(known, _, _)| *known == ports).unwrap_or_else(|| {
            subsets.push((ports, Vec::new(), Vec::new()));
            subsets.len() - 1
        });
        if let Some((_, good, bad)) = subsets.get_mut(at) {
            if ready || publish { good.push(address) } else { bad.push(address) }
        }
    }
    let made: Vec<Value> = subsets
        .into_iter()
        .map(|(ports, good, bad)| {
            let mut subset = Value::empty_map();
            for (key, list) in [("addresses", good), ("notReadyAddresses", bad), ("ports", ports)] {
                if !list.is_empty() {
                    subset.set(&[key], list);
                }
            }
            subset
        })
        .collect();
    let labels = labels(service, &[("endpoints.kubernetes.io/managed-by", "endpoint-controller")]);
    let current = inputs.current.first();
    if current.is_some_and(|old| old["subsets"].items() == made && old["metadata"]["labels"] == labels) {
        return Ok(());
    }
    let mut object = current.cloned().unwrap_or_else(|| {
        map! { "apiVersion" => "v1", "kind" => "Endpoints", "metadata" => map! {
            "name" => object::name(service), "namespace" => object::namespace(service),
        } }
    });
    object.set(&["metadata", "labels"], labels);
    annotate(&mut object, inputs.trigger);
    match made.is_empty() {
        true => drop(object.remove(&["subsets"])),
        false => object.set(&["subsets"], made),
    }
    match current {
        Some(_) => write(io, io.client.update(&ENDPOINTS, "", object)),
        None => write(io, io.client.create(&ENDPOINTS, object::namespace(service), object)),
    }
}

/// IPv4 addresses by number, anything else by text.
fn address_order(ip: &str) -> (Vec<u32>, SmolStr) {
    (ip.split('.').map(|part| part.parse().unwrap_or(0)).collect(), ip.into())
}
