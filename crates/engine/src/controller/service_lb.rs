//! ServiceLB, the load balancer k3s brings along: for each Service of type LoadBalancer a DaemonSet whose pods hold the
//! Service's ports on every node, and the addresses of those nodes in the Service's status.
//!
//! Only k3s runs it, told by the version of its kubelets. Left out: pools of nodes, its events, IPv6.

use crate::api::object;
use crate::api::resource::{DAEMON_SETS, NODES, PODS, SERVICES};
use crate::base::{SmolStr, Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::store::{Change, Key};
use crate::{list, map};

use super::pods;

const NAMESPACE: &str = "kube-system";
const NAME: &str = "svccontroller.k3s.cattle.io/svcname";
const SPACE: &str = "svccontroller.k3s.cattle.io/svcnamespace";
const FINALIZER: &str = "service.kubernetes.io/load-balancer-cleanup";

#[derive(Clone, Debug, Default)]
pub struct ServiceLb;

#[derive(Clone, Debug)]
pub struct Inputs {
    service: Value,
    daemons: Vec<Value>,
    /// Addresses of the nodes whose pods are ready.
    addresses: Vec<SmolStr>,
}

fn is_k3s(see: &Caches) -> bool {
    see.list(&NODES, None)
        .next()
        .is_some_and(|(_, node)| node.at(&["status", "nodeInfo", "kubeletVersion"]).str().contains("+k3s"))
}

fn is_balanced(service: &Value) -> bool {
    let spec = &service["spec"];
    spec["type"].str() == "LoadBalancer" && spec["loadBalancerClass"].is_null() && !object::is_deleting(service)
}

fn has_finalizer(service: &Value) -> bool {
    service["metadata"]["finalizers"].items().iter().any(|one| one.str() == FINALIZER)
}

/// The Service a DaemonSet or pod of ours works for.
fn service_of(object: &Value) -> Option<Key> {
    let (namespace, name) = (object::label(object, SPACE), object::label(object, NAME));
    let key = Key { resource: SERVICES, namespace: namespace.into(), name: name.into() };
    (object::namespace(object) == NAMESPACE && !name.is_empty()).then_some(key)
}

impl Reconciler for ServiceLb {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let any = if change.after.is_null() { &change.before } else { &change.after };
        if change.key.resource == SERVICES {
            if is_balanced(&change.before) || is_balanced(&change.after) || has_finalizer(&change.after) {
                add(change.key.clone(), Span::ZERO);
            }
        } else if (change.key.resource == PODS && pods::is_ready(&change.before) != pods::is_ready(&change.after))
            || (change.key.resource == DAEMON_SETS && change.after.is_null())
        {
            if let Some(key) = service_of(any) {
                add(key, Span::ZERO);
            }
        } else if change.key.resource == NODES && change.before.is_null() {
            let all = see.list("services", None).filter(|(_, service)| is_balanced(service));
            all.for_each(|(key, _)| add(key.clone(), Span::ZERO));
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<Inputs> {
        let service = see.get(key).filter(|_| is_k3s(see))?;
        let ours = |object: &Value| service_of(object).as_ref() == Some(key);
        let daemons = see.list("daemonsets.apps", Some(NAMESPACE)).map(|(_, set)| set).filter(|set| ours(set));
        let ready =
            see.list("pods", Some(NAMESPACE)).map(|(_, pod)| pod).filter(|pod| ours(pod) && pods::is_ready(pod));
        let mut addresses: Vec<SmolStr> = ready.map(|pod| pod["status"]["hostIP"].smol()).collect();
        addresses.sort();
        addresses.dedup();
        Some(Inputs { service: service.clone(), daemons: daemons.cloned().collect(), addresses })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let mut service = inputs.service.clone();
        if !is_balanced(&service) {
            for set in &inputs.daemons {
                let options =
                    map! { "kind" => "DeleteOptions", "apiVersion" => "v1", "propagationPolicy" => "Background" };
                io.send(io.client.delete(&DAEMON_SETS, NAMESPACE, object::name(set), options))?;
            }
            if has_finalizer(&service) {
                let mut all = service["metadata"]["finalizers"].items().to_vec();
                all.retain(|one| one.str() != FINALIZER);
                service.set(&["metadata", "finalizers"], all);
                let answer = io.send(io.client.update(&SERVICES, "", service))?;
                if !answer.ok() && answer.code != 404 {
                    return Err(Stop::Retry(answer.value()["message"].str().into()));
                }
            }
            return Ok(());
        }
        if !has_finalizer(&service) {
            let mut all = service["metadata"]["finalizers"].items().to_vec();
            all.push(FINALIZER.into());
            service.set(&["metadata", "finalizers"], all);
            service = io.must(io.client.update(&SERVICES, "", service))?;
        }
        let wanted = daemons(&service);
        match inputs.daemons.first() {
            None => {
                io.must(io.client.create(&DAEMON_SETS, NAMESPACE, wanted))?;
            }
            Some(set) if image_ports(set) != image_ports(&wanted) => {
                let mut set = set.clone();
                set.set(&["spec", "template"], wanted.at(&["spec", "template"]));
                io.must(io.client.update(&DAEMON_SETS, "", set))?;
            }
            Some(_) => {}
        }
        let entry = |ip: &SmolStr| map! { "ip" => ip, "ipMode" => "VIP" };
        let balancer = match inputs.addresses.as_slice() {
            [] => Value::empty_map(),
            some => map! { "ingress" => some.iter().map(entry).collect::<Vec<_>>() },
        };
        if service["status"]["loadBalancer"] != balancer {
            service.set(&["status", "loadBalancer"], balancer);
            io.must(io.client.update(&SERVICES, "status", service))?;
        }
        Ok(())
    }
}

fn image_ports(set: &Value) -> Vec<Value> {
    let containers = set.at(&["spec", "template", "spec", "containers"]).items();
    containers.iter().map(|container| container["env"].clone()).collect()
}

/// One container for each port, which takes the port on the node.
fn daemons(service: &Value) -> Value {
    let name = object::name(service);
    let uid = object::uid(service);
    let name = format!("svclb-{name}-{}", uid.get(..8).unwrap_or(uid));
    let ports = service["spec"]["ports"].items();
    let containers: Vec<Value> = ports.iter().map(|port| container(service, port)).collect();
    let labels = map! {
        "app" => &name, NAME => object::name(service), SPACE => object::namespace(service),
    };
    let tolerate = |key: &str| map! { "key" => key, "operator" => "Exists", "effect" => "NoSchedule" };
    let spec = map! {
        "automountServiceAccountToken" => false, "containers" => containers, "priorityClassName" => "system-node-critical",
        "securityContext" => map! { "sysctls" => list![map! { "name" => "net.ipv4.ip_forward", "value" => "1" }] },
        "serviceAccountName" => "svclb",
        "tolerations" => list![
            tolerate("node-role.kubernetes.io/control-plane"),
            map! { "key" => "CriticalAddonsOnly", "operator" => "Exists" }
        ],
    };
    let mut set_labels = labels.clone();
    set_labels.remove(&["app"]);
    set_labels.set(&["svccontroller.k3s.cattle.io/nodeselector"], "false");
    map! {
        "apiVersion" => "apps/v1", "kind" => "DaemonSet",
        "metadata" => map! { "name" => &name, "namespace" => NAMESPACE, "labels" => set_labels },
        "spec" => map! {
            "selector" => map! { "matchLabels" => map! { "app" => &name } },
            "template" => map! { "metadata" => map! { "labels" => labels }, "spec" => spec },
            "updateStrategy" => map! { "type" => "RollingUpdate" },
        },
    }
}

fn container(service: &Value, port: &Value) -> Value {
    let number = port["port"].int();
    let protocol = port["protocol"].str();
    let name = format!("lb-{}-{number}", protocol.to_ascii_lowercase());
    let variables = [
        ("SRC_PORT", number.to_string()),
        ("SRC_RANGES", "0.0.0.0/0".into()),
        ("DEST_PROTO", protocol.into()),
        ("DEST_PORT", number.to_string()),
        ("DEST_IPS", service["spec"]["clusterIP"].str().into()),
    ];
    let env: Vec<Value> =
        variables.into_iter().map(|(name, value)| map! { "name" => name, "value" => value }).collect();
    map! {
        "name" => &name, "image" => "rancher/klipper-lb:v0.4.13", "imagePullPolicy" => "IfNotPresent", "env" => env,
        "ports" => list![map! {
            "containerPort" => number, "hostPort" => number, "name" => &name, "protocol" => protocol,
        }],
        "securityContext" => map! { "capabilities" => map! { "add" => list!["NET_ADMIN"] } },
    }
}
