//! The EndpointSlice and Endpoints controllers: which pods stand behind a Service.
//!
//! Left out: mirroring of hand-made Endpoints, topology hints, dual stack, the over-capacity annotation.

#[cfg(test)]
mod tests;

use std::sync::Arc;

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
    /// Per Service: what its last sync saw.
    last: BTreeMap<Key, Last>,
    /// Per Service: the revision its own writes reached.
    expected: BTreeMap<Key, u64>,
    /// Services whose sync waits for its own writes to be seen.
    pending: BTreeSet<Key>,
}

/// Only pods that have changed since are looked at again.
#[derive(Clone, Debug)]
struct Last {
    service: Value,
    created: Time,
    /// The pods it selects, by name.
    pods: Vec<Arc<Seen>>,
}

/// A selected pod, and what is said of it.
#[derive(Clone, Debug)]
struct Seen {
    pod: Value,
    name: SmolStr,
    uid: SmolStr,
    zone: SmolStr,
    /// When it became ready, or was made.
    at: Time,
    /// It has an address, and has not come to its end.
    is_listed: bool,
    /// Null when there are none.
    ports: Value,
    /// The endpoint of a slice, or the address of an Endpoints object.
    said: Value,
    order: (Vec<u32>, SmolStr),
}

/// What a sync works with. All is reckoned at its start: no answer changes what is written next.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// The Endpoints of a Service that is gone.
    Gone(Key),
    Writes(Vec<Write>),
}

#[derive(Clone, Debug)]
pub enum Write {
    Create(Value),
    Update(Value),
    Delete(Value),
}

/// A Service, its pods, and the slices or the Endpoints object as they are.
struct Service<'a> {
    service: &'a Value,
    pods: &'a [Arc<Seen>],
    current: Vec<Value>,
    trigger: Option<Time>,
}

impl EndpointSets {
    pub fn new(flavour: Flavour) -> EndpointSets {
        EndpointSets { flavour, last: BTreeMap::new(), expected: BTreeMap::new(), pending: BTreeSet::new() }
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
            self.last.remove(key);
            self.expected.remove(key);
            // Slices go with the garbage collector; the Endpoints object has no owner.
            let found = see.find(&ENDPOINTS, &key.namespace, &key.name)?;
            if self.flavour == Flavour::Slices || !self.is_mine(found) {
                return None;
            }
            return Some(Inputs::Gone(key.clone()));
        };
        if service["spec"]["selector"].is_empty() || service["spec"]["type"].str() == "ExternalName" {
            return None;
        }
        if self.expected.get(key).is_some_and(|expected| *expected > see.revision()) {
            self.pending.insert(key.clone());
            return None;
        }
        self.pending.remove(key);
        let trigger = self.look(see, key, service);
        let resource = if self.flavour == Flavour::Slices { ENDPOINT_SLICES } else { ENDPOINTS };
        let mine = see.list(&resource, Some(&key.namespace)).map(|(_, one)| one);
        let current = mine.filter(|one| self.is_mine(one) && self.service_of(one) == key.name).cloned().collect();
        let pods = self.last.get(key).map_or(&[][..], |last| &last.pods);
        let all = Service { service, pods, current, trigger };
        Some(Inputs::Writes(match self.flavour {
            Flavour::Slices => slices(&all),
            Flavour::Endpoints => endpoints(&all).into_iter().collect(),
        }))
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let resource = if self.flavour == Flavour::Slices { ENDPOINT_SLICES } else { ENDPOINTS };
        let writes = match inputs {
            Inputs::Gone(key) => {
                io.send(io.client.delete(&ENDPOINTS, &key.namespace, &key.name, Value::Null))?;
                return Ok(());
            }
            Inputs::Writes(writes) => writes,
        };
        for one in writes {
            let request = match one {
                Write::Create(object) => io.client.create(&resource, object::namespace(object), object.clone()),
                Write::Update(object) => io.client.update(&resource, "", object.clone()),
                Write::Delete(object) => {
                    io.client.delete(&resource, object::namespace(object), object::name(object), Value::Null)
                }
            };
            write(io, request)?;
        }
        Ok(())
    }
}

impl EndpointSets {
    /// Takes in the pods of a Service as they are now; gives the earliest instant that is new.
    fn look(&mut self, see: &Caches, key: &Key, service: &Value) -> Option<Time> {
        let old = self.last.remove(key);
        let same_service = old.as_ref().is_some_and(|old| old.service.same(service));
        let created = object::created(service);
        let mut trigger = old.as_ref().is_none_or(|old| old.created < created).then_some(created);
        let nodes = NODES;
        let zones: BTreeMap<&str, &str> = see
            .list(&nodes, None)
            .map(|(key, node)| (key.name.as_str(), object::label(node, "topology.kubernetes.io/zone")))
            .filter(|(_, zone)| !zone.is_empty())
            .collect();
        let mut known = old.map(|old| old.pods).unwrap_or_default().into_iter().peekable();
        let mut pods: Vec<Arc<Seen>> = Vec::with_capacity(known.len().saturating_add(1));
        for (at, pod) in see.list(&PODS, Some(&key.namespace)) {
            // Most pods are what they were.
            if zones.is_empty()
                && let Some(before) = known.next_if(|one| same_service && one.pod.same(pod) && one.zone.is_empty())
            {
                pods.push(before);
                continue;
            }
            while known.next_if(|one| one.name < at.name).is_some() {}
            let before = known.next_if(|one| one.name == at.name);
            let zone = match zones.is_empty() {
                true => "",
                false => zones.get(pod["spec"]["nodeName"].str()).copied().unwrap_or_default(),
            };
            if let Some(before) = &before
                && same_service
                && before.pod.same(pod)
                && before.zone == *zone
            {
                pods.push(Arc::clone(before));
                continue;
            }
            if !selects(service, pod["metadata"].get("labels")) {
                continue;
            }
            let mut seen = self.seen(service, pod, zone);
            // Equal lists are one, so that a look tells that they are equal.
            if let Some(last) = pods.last().filter(|last| last.ports == seen.ports) {
                seen.ports = last.ports.clone();
            }
            if before.is_none_or(|before| before.at < seen.at) {
                trigger = Some(trigger.map_or(seen.at, |earliest| earliest.min(seen.at)));
            }
            pods.push(Arc::new(seen));
        }
        self.last.insert(key.clone(), Last { service: service.clone(), created, pods });
        trigger
    }

    fn seen(&self, service: &Value, pod: &Value, zone: &str) -> Seen {
        let ready = object::condition(pod, "Ready").and_then(|ready| object::time(&ready["lastTransitionTime"]));
        let ip = pod["status"]["podIP"].str();
        let is_listed = !ip.is_empty() && !object::is_finished(pod);
        let (mut ports, mut said, mut order) = (Vec::new(), Value::Null, (Vec::new(), SmolStr::default()));
        if is_listed {
            ports = self::ports(service, pod);
            ports.sort_by_cached_key(|port| port_hash(port, self.flavour));
            if self.flavour == Flavour::Slices {
                said = endpoint(service, pod, zone);
            } else {
                for port in ports.iter_mut().filter(|port| port["name"].str().is_empty()) {
                    port.remove(&["name"]);
                }
                (said, order) = (address(service, pod), address_order(ip));
            }
        }
        Seen {
            pod: pod.clone(),
            name: pod["metadata"]["name"].smol(),
            uid: pod["metadata"]["uid"].smol(),
            zone: zone.into(),
            at: ready.unwrap_or_else(|| object::created(pod)),
            is_listed,
            ports: listed(&ports),
            said,
            order,
        }
    }
}

/// A list, or nothing when it is empty.
fn listed(items: &[Value]) -> Value {
    if items.is_empty() { Value::Null } else { Value::from(items.to_vec()) }
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

/// What ports are sorted by: the FNV-1a of 128 bits over Go's print of their struct.
fn port_hash(port: &Value, flavour: Flavour) -> u128 {
    let (name, number, protocol) = (port["name"].str(), port["port"].int(), port["protocol"].str());
    let app = port["appProtocol"].as_str().unwrap_or("<nil>");
    let text = match flavour {
        Flavour::Slices => format!("Name:(*string){name} Protocol:(*v1.Protocol){protocol} Port:(*int32){number}"),
        Flavour::Endpoints => format!("Name:(string){name} Port:(int32){number} Protocol:(v1.Protocol){protocol}"),
    };
    let text = format!("(v1.EndpointPort){{{text} AppProtocol:(*string){app}}}");
    let (start, prime) = (0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, (1 << 88) + 0x13b_u128);
    text.bytes().fold(start, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(prime))
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

fn endpoint(service: &Value, pod: &Value, zone: &str) -> Value {
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
    if !zone.is_empty() {
        made.set(&["zone"], zone);
    }
    if let Some(name) = hostname(service, pod) {
        made.set(&["hostname"], name);
    }
    made
}

/// The pods of one set of ports, and which of them have their place in a slice. They are looked for by the start of
/// their uid: a number beside its neighbours is found sooner than a text elsewhere.
struct Group<'a> {
    ports: Value,
    pods: Vec<(u64, &'a Seen, bool)>,
}

fn start_of(uid: &str) -> u64 {
    uid.bytes().take(8).fold(0, |number, byte| number << 8 | u64::from(byte))
}

impl Group<'_> {
    /// Takes the pod an endpoint stands for.
    fn take(&mut self, target: &Value) -> Option<Value> {
        let uid = target["uid"].str();
        let start = start_of(uid);
        let first = self.pods.partition_point(|(own, ..)| *own < start);
        let alike = self.pods.iter_mut().skip(first).take_while(|(own, ..)| *own == start);
        let (_, pod, taken) = alike.into_iter().find(|(_, pod, taken)| !taken && pod.uid == *uid)?;
        *taken = true;
        Some(pod.said.clone())
    }

    /// Those without a place, by uid.
    fn rest(self) -> Vec<Value> {
        let mut rest: Vec<&Seen> = self.pods.into_iter().filter(|(.., taken)| !taken).map(|(_, pod, _)| pod).collect();
        rest.sort_by(|a, b| a.uid.cmp(&b.uid));
        rest.into_iter().map(|pod| pod.said.clone()).collect()
    }
}

fn slices(all: &Service<'_>) -> Vec<Write> {
    let service = all.service;
    let mut writes = Vec::new();
    let mut wanted: Vec<Group<'_>> = Vec::new();
    for pod in all.pods.iter().filter(|pod| pod.is_listed) {
        match wanted.iter_mut().find(|group| group.ports == pod.ports) {
            Some(group) => group.pods.push((start_of(&pod.uid), pod, false)),
            None => wanted.push(Group { ports: pod.ports.clone(), pods: vec![(start_of(&pod.uid), pod, false)] }),
        }
    }
    for group in &mut wanted {
        group.pods.sort_by_key(|(start, ..)| *start);
    }
    if wanted.is_empty() {
        wanted.push(Group { ports: Value::Null, pods: Vec::new() });
    }
    let own = [
        ("kubernetes.io/service-name", object::name(service)),
        ("endpointslice.kubernetes.io/managed-by", SLICE_MANAGER),
    ];
    let labels = labels(service, &own);
    let mut current = all.current.clone();
    let all_ports: Vec<Value> = wanted.iter().map(|group| group.ports.clone()).collect();
    for mut group in wanted {
        let ports = group.ports.clone();
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
                if let Some(new) = group.take(&old["targetRef"]) {
                    kept.push(if *old == new { old.clone() } else { new });
                }
            }
            slice.set(&["endpoints"], kept);
        }
        let mut new = group.rest();
        for slice in &mut used {
            let mut endpoints = slice["endpoints"].items().to_vec();
            let room = SLICE_SIZE.saturating_sub(endpoints.len()).min(new.len());
            endpoints.extend(new.drain(..room));
            slice.set(&["endpoints"], listed(&endpoints));
            slice.set(&["ports"], &ports);
            slice.set(&["metadata", "labels"], &labels);
        }
        for mut slice in used {
            let before = all.current.iter().find(|old| object::name(old) == object::name(&slice));
            if before.is_some_and(|before| *before == slice) {
                continue;
            }
            annotate(&mut slice, all.trigger);
            writes.push(Write::Update(slice));
        }
        let is_first = all.current.is_empty();
        let mut rest: Vec<Vec<Value>> = new.chunks(SLICE_SIZE).map(<[Value]>::to_vec).collect();
        if rest.is_empty() && is_first {
            rest.push(Vec::new());
        }
        for chunk in rest {
            let mut meta = map! {
                "generateName" => format!("{}-", object::name(service)), "namespace" => object::namespace(service),
                "labels" => &labels, "ownerReferences" => vec![object::owned_by(service, "v1", "Service")],
            };
            if let Some(at) = all.trigger {
                meta.set(&["annotations", TRIGGER], at.rfc3339());
            }
            let family = service["spec"]["ipFamilies"][0].as_str().unwrap_or("IPv4");
            let mut slice = map! {
                "apiVersion" => "discovery.k8s.io/v1", "kind" => "EndpointSlice", "metadata" => meta,
                "addressType" => family,
            };
            slice.map_mut().insert("endpoints", listed(&chunk));
            slice.map_mut().insert("ports", &ports);
            writes.push(Write::Create(slice));
        }
    }
    writes.extend(current.into_iter().map(Write::Delete));
    writes
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

fn address(service: &Value, pod: &Value) -> Value {
    let mut address = map! {
        "ip" => &pod["status"]["podIP"], "nodeName" => &pod["spec"]["nodeName"], "targetRef" => target(pod),
    };
    if let Some(name) = hostname(service, pod) {
        address.set(&["hostname"], name);
    }
    address
}

fn endpoints(all: &Service<'_>) -> Option<Write> {
    let service = all.service;
    let publish = service["spec"]["publishNotReadyAddresses"].is_true();
    let headless = service["spec"]["clusterIP"].str() == "None";
    // Addresses by port set, so that equal sets share a subset: ready ones, and those that are not.
    let mut subsets: Vec<(Value, Vec<Value>, Vec<Value>)> = Vec::new();
    let mut pods: Vec<&Seen> = all.pods.iter().filter(|pod| pod.is_listed).map(|pod| &**pod).collect();
    pods.sort_by(|a, b| a.order.cmp(&b.order));
    for Seen { pod, ports, said, .. } in pods {
        let ready = object::condition_is(pod, "Ready", "True") && !object::is_deleting(pod);
        if object::is_deleting(pod) && !publish || ports.is_null() && !headless {
            continue;
        }
        let at = subsets.iter().position(|(known, _, _)| known == ports).unwrap_or_else(|| {
            subsets.push((ports.clone(), Vec::new(), Vec::new()));
            subsets.len() - 1
        });
        if let Some((_, good, bad)) = subsets.get_mut(at) {
            if ready || publish { good.push(said.clone()) } else { bad.push(said.clone()) }
        }
    }
    let made: Vec<Value> = subsets
        .into_iter()
        .map(|(ports, good, bad)| {
            let mut subset = Value::empty_map();
            for (key, list) in [("addresses", good.into()), ("notReadyAddresses", bad.into()), ("ports", ports)] {
                if !list.is_empty() {
                    subset.set(&[key], list);
                }
            }
            subset
        })
        .collect();
    let labels = labels(service, &[("endpoints.kubernetes.io/managed-by", "endpoint-controller")]);
    let current = all.current.first();
    if current.is_some_and(|old| old["subsets"].items() == made && old["metadata"]["labels"] == labels) {
        return None;
    }
    let mut object = current.cloned().unwrap_or_else(|| {
        map! { "apiVersion" => "v1", "kind" => "Endpoints", "metadata" => map! {
            "name" => object::name(service), "namespace" => object::namespace(service),
        } }
    });
    object.set(&["metadata", "labels"], labels);
    annotate(&mut object, all.trigger);
    match made.is_empty() {
        true => drop(object.remove(&["subsets"])),
        false => object.set(&["subsets"], made),
    }
    Some(if current.is_some() { Write::Update(object) } else { Write::Create(object) })
}

/// IPv4 addresses by number, anything else by text.
fn address_order(ip: &str) -> (Vec<u32>, SmolStr) {
    (ip.split('.').map(|part| part.parse().unwrap_or(0)).collect(), ip.into())
}
