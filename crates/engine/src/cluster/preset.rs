//! Clusters to start from: what stands on a fresh kind, k3s or recorded cluster (kubeadm's and the distributions' own
//! objects), as requests to the API server.
//!
//! Where the facts come from. kind: v0.33 with Kubernetes 1.37.0, that is kubeadm's manifests of the control plane,
//! kube-proxy and CoreDNS (whose ReplicaSet has the hash of a real kind, 559f6c778d) and kind's own of kindnet and
//! local-path-provisioner. k3s: the manifests its server lays down, of the releases before 1.37. Not verified: the tags
//! of k3s's images at 1.37, of kindnetd, local-path-helper and etcd.

use crate::base::SmolStr;

use super::manifest;
use crate::api::resource::{self, Client, FLOW_SCHEMAS};
use crate::api::{self};
use crate::base::http::{Body, Method, Request};
use crate::base::{Time, Value};
use crate::docker::Engine;
use crate::node::NodeConfig;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// One control-plane node, or a tainted one and workers.
    Kind,
    K3s,
    /// The recorded cluster: one node, CoreDNS, three storage classes.
    Bare,
    /// The same with a containerd that pulls by itself instead of through the transfer service: other error texts.
    BareLocalPull,
    /// The recorded cluster of simulated nodes: three workers and nothing in kube-system.
    BareWorkers,
}

impl Preset {
    pub const ALL: [Preset; 5] = [Preset::Kind, Preset::K3s, Preset::Bare, Preset::BareLocalPull, Preset::BareWorkers];

    pub fn name(self) -> &'static str {
        match self {
            Preset::Kind => "kind",
            Preset::K3s => "k3s",
            Preset::Bare => "bare",
            Preset::BareLocalPull => "bare-local-pull",
            Preset::BareWorkers => "bare-workers",
        }
    }

    pub fn parse(text: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name() == text)
    }

    fn default_nodes(self) -> u32 {
        if self == Preset::BareWorkers { 3 } else { 1 }
    }
}

/// What a cluster is made from; together with the inputs it decides everything that happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub preset: Preset,
    /// Nodes in all; 0 is the preset's own number.
    pub nodes: u32,
    pub seed: u64,
    pub start: Time,
}

/// Nodes a setup may ask for.
pub const MOST_NODES: u32 = 1000;

impl Setup {
    pub fn new(preset: Preset) -> Setup {
        // 2026-01-05T09:00:00Z, a Monday.
        Setup { preset, nodes: 0, seed: 1, start: Time::from_seconds(1_767_603_600) }
    }

    /// The machine the control plane runs on.
    pub fn control_plane(&self) -> SmolStr {
        match self.preset {
            Preset::Kind | Preset::K3s => node(self, 0).name,
            Preset::Bare | Preset::BareLocalPull | Preset::BareWorkers => SmolStr::new_static(&"vm"),
        }
    }

    /// Where pods get their addresses from: the first two numbers.
    pub fn pod_net(&self) -> &'static str {
        if self.preset == Preset::K3s { "10.42" } else { "10.244" }
    }

    fn node_count(&self) -> u32 {
        if self.nodes == 0 { self.preset.default_nodes() } else { self.nodes.min(MOST_NODES) }
    }

    /// Name of context, cluster and user in the learner's kubeconfig, the server's address there, and the certificate
    /// that says who the user is.
    fn context(&self) -> [&'static str; 5] {
        match self.preset {
            Preset::Kind => ["kind-kind", "kind-kind", "kind-kind", "https://127.0.0.1:41873", KUBEADM_ADMIN],
            Preset::K3s => ["default", "default", "default", "https://127.0.0.1:6443", SYSTEM_ADMIN],
            Preset::Bare | Preset::BareLocalPull | Preset::BareWorkers => {
                let context = "kubernetes-admin@oracle";
                [context, "oracle", "kubernetes-admin", "https://172.18.0.2:6443", KUBERNETES_ADMIN]
            }
        }
    }

    /// The learner's `~/.kube/config`.
    pub fn kubeconfig(&self) -> String {
        let [context, cluster, user, server, identity] = self.context();
        let data = AUTHORITY;
        format!(
            "apiVersion: v1\nclusters:\n- cluster:\n    certificate-authority-data: {data}\n    server: {server}\n  name: {cluster}\n\
             contexts:\n- context:\n    cluster: {cluster}\n    user: {user}\n  name: {context}\n\
             current-context: {context}\nkind: Config\nusers:\n- name: {user}\n  user:\n    \
             client-certificate-data: {identity}\n    client-key-data: {data}\n"
        )
    }
}

/// Certificates as text: base64 of what a reader would find in them.
const AUTHORITY: &str =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkNOPWt1YmVybmV0ZXMsIE89Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";
const KUBERNETES_ADMIN: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkNOPWt1YmVybmV0ZXMtYWRtaW4sIE89c3lzdGVtOm1hc3RlcnMKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";
const KUBEADM_ADMIN: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkNOPWt1YmVybmV0ZXMtYWRtaW4sIE89a3ViZWFkbTpjbHVzdGVyLWFkbWlucwotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==";
const SYSTEM_ADMIN: &str = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkNOPXN5c3RlbTphZG1pbiwgTz1zeXN0ZW06bWFzdGVycwotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==";

pub fn server_config(setup: &Setup) -> api::Config {
    let mut config = api::Config::default();
    match setup.preset {
        Preset::Kind => config.git_version = SmolStr::new_static(&"v1.37.0"),
        Preset::K3s => {
            config.git_version = SmolStr::new_static(&"v1.37.0+k3s1");
            config.service_cidr = SmolStr::new_static(&"10.43.0.0/16");
            config.address = SmolStr::new_static(&"172.18.0.2:6443");
            config.balances_services = true;
        }
        Preset::Bare | Preset::BareLocalPull | Preset::BareWorkers => {}
    }
    config
}

/// The Docker Engine of the learner's machine; that of the recorded machine has pulled before.
pub fn docker(setup: &Setup) -> Engine {
    let mut engine = Engine::new(setup.seed, setup.start);
    if setup.preset == Preset::Bare {
        engine.preload(&["busybox:1.36", "busybox:1.37", "alpine:3.20", "nginx:1.29.0", "nginx:1.26", "nginx:1.25"]);
    }
    engine
}

/// What the nodes are like, in the order of their names' numbers.
pub fn nodes(setup: &Setup) -> Vec<NodeConfig> {
    (0..setup.node_count()).map(|index| node(setup, index)).collect()
}

fn node(setup: &Setup, index: u32) -> NodeConfig {
    let count = setup.node_count();
    let mut node = NodeConfig { address: address(index), ..NodeConfig::default() };
    match setup.preset {
        Preset::Bare | Preset::BareLocalPull => {
            node.name = format!("node-{}", index + 1).into();
            node.cpu = "2".into();
            node.memory = "24683656Ki".into();
            node.storage = "270553174016".into();
            node.version = "v1.37.2".into();
            node.runtime = "containerd://2.3.7".into();
            node.os_image = "Debian GNU/Linux 12 (bookworm)".into();
            node.kernel = "6.18.44-fc-v782".into();
            if setup.preset == Preset::BareLocalPull {
                node.resolve_image_text = "failed to resolve reference";
            }
            node.images = RECORDED_IMAGES.iter().map(SmolStr::new).collect();
        }
        Preset::BareWorkers => {
            node.name = format!("worker-{}", index + 1).into();
            node.cpu = "4".into();
            node.memory = "8Gi".into();
            node.kwok = true;
            node.labels.push(("type".into(), "kwok".into()));
        }
        Preset::Kind => {
            node.name = match index {
                0 => "kind-control-plane".into(),
                1 => "kind-worker".into(),
                n => format!("kind-worker{n}").into(),
            };
            node.version = "v1.37.0".into();
            node.runtime = "containerd://2.3.4".into();
            node.os_image = "Debian GNU/Linux 13 (trixie)".into();
            node.evicts = false;
            node.images = KIND_IMAGES.iter().map(SmolStr::new).collect();
            if index == 0 {
                node.static_pods = static_pods(&node);
            }
            node.resolve_image_text = "failed to resolve reference";
            if index == 0 {
                node.labels.push(("node-role.kubernetes.io/control-plane".into(), "".into()));
                node.labels.push(("node.kubernetes.io/exclude-from-external-load-balancers".into(), "".into()));
                if count > 1 {
                    node.taints.push(("node-role.kubernetes.io/control-plane".into(), "NoSchedule".into()));
                }
            }
        }
        Preset::K3s => {
            node.name = match index {
                0 => "k3s".into(),
                n => format!("k3s-agent-{}", n - 1).into(),
            };
            node.version = "v1.37.0+k3s1".into();
            node.runtime = "containerd://2.3.4-k3s1".into();
            node.os_image = "Debian GNU/Linux 13 (trixie)".into();
            node.labels.push(("node.kubernetes.io/instance-type".into(), "k3s".into()));
            node.labels.push(("beta.kubernetes.io/instance-type".into(), "k3s".into()));
            if index == 0 {
                node.labels.push(("node-role.kubernetes.io/control-plane".into(), "true".into()));
            }
        }
    }
    node
}

/// What the recorded node had pulled before.
const RECORDED_IMAGES: [&str; 5] = ["nginx:1", "nginx:2", "nginx:1.29.0", "busybox:1.36", "curlimages/curl:8.10.1"];

/// What the image of a kind node carries.
const KIND_IMAGES: [&str; 9] = [
    "registry.k8s.io/coredns/coredns:v1.14.6",
    "registry.k8s.io/etcd:3.7.0-0",
    "registry.k8s.io/kube-apiserver:v1.37.0",
    "registry.k8s.io/kube-controller-manager:v1.37.0",
    "registry.k8s.io/kube-proxy:v1.37.0",
    "registry.k8s.io/kube-scheduler:v1.37.0",
    "docker.io/kindest/kindnetd:v20260820-69b56db7",
    "docker.io/kindest/local-path-helper:v20260820-69b56db7",
    "docker.io/kindest/local-path-provisioner:v20260820-69b56db7",
];

/// The control plane of a kind node: etcd, kube-apiserver, kube-controller-manager, kube-scheduler.
fn static_pods(node: &NodeConfig) -> Vec<Value> {
    let text = include_str!("kind-static.yaml").replace("$NODE", &node.name).replace("$ADDRESS", &node.address);
    crate::base::yaml::parse_documents(&text).unwrap_or_default().into_iter().map(|one| one.value).collect()
}

fn address(index: u32) -> SmolStr {
    format!("172.18.{}.{}", (index + 2) / 250, (index + 2) % 250).into()
}

/// What the API server writes again when somebody deletes it: the Service `kubernetes` with its endpoints.
pub fn own(setup: &Setup) -> Vec<Request> {
    let server = Client::new("system:apiserver", &["system:masters"], "kube-apiserver");
    manifest::apiserver(&server_config(setup)).into_iter().map(|value| create(&server, value)).collect()
}

/// The requests that make the cluster's own objects, before its components start.
pub fn objects(setup: &Setup) -> Vec<Request> {
    let server = Client::new("system:apiserver", &["system:masters"], "kube-apiserver");
    let mut requests = Vec::new();
    for namespace in ["default", "kube-system", "kube-public", "kube-node-lease"] {
        requests.push(server.create("namespaces", "", manifest::namespace(namespace)));
    }
    let producer = Client { agent: "api-priority-and-fairness-config-producer-v1".into(), ..server.clone() };
    for line in include_str!("system.jsonl").lines() {
        if let Ok(value) = crate::base::json::parse(line) {
            let fairness = matches!(value["kind"].str(), "FlowSchema" | "PriorityLevelConfiguration");
            let status = (value["kind"].str() == "FlowSchema").then(|| manifest::flow_status(&value, setup.start));
            requests.push(create(if fairness { &producer } else { &server }, value));
            if let Some(status) = status {
                let name = status["metadata"]["name"].smol();
                let patch =
                    server.patch(FLOW_SCHEMAS.as_str(), "", &name, "status", resource::PatchKind::Apply, status);
                requests.push(patch.with_query("fieldManager", "api-priority-and-fairness-config-consumer-v1"));
            }
        }
    }
    requests.extend(manifest::api_services().map(|service| create(&server, service)));
    requests.extend(own(setup));
    // What kubeadm or a distribution lays on top, as an administrator would.
    let admin =
        Client::new("kubernetes-admin", &["system:masters", "system:authenticated"], "kubectl-client-side-apply");
    let addons = match setup.preset {
        Preset::Bare | Preset::BareLocalPull => vec![include_str!("bare.yaml")],
        Preset::BareWorkers => vec![include_str!("storage.yaml")],
        Preset::Kind => vec![include_str!("kind.yaml")],
        Preset::K3s => vec![include_str!("k3s.yaml")],
    };
    for text in addons {
        for value in crate::base::yaml::parse_documents(text).unwrap_or_default() {
            requests.push(create(&admin, with_last_applied(value.value)));
        }
    }
    requests
}

/// What time has taken away: the recorded clusters had been up for longer than events are kept.
pub fn forgotten(setup: &Setup) -> Vec<Request> {
    let server = Client::new("system:apiserver", &["system:masters"], "kube-apiserver");
    let namespaces = match setup.preset {
        Preset::Bare | Preset::BareLocalPull | Preset::BareWorkers => ["default", "kube-system"].as_slice(),
        Preset::Kind | Preset::K3s => &[],
    };
    let path = |namespace: &&str| format!("/api/v1/namespaces/{namespace}/events");
    namespaces.iter().map(|n| Request::new(&server.user, &server.agent, Method::Delete, path(n))).collect()
}

fn create(client: &Client, value: Value) -> Request {
    let (group, version) = api::schema::group_version(value["apiVersion"].str());
    let kind = api::schema::kind(group, version, value["kind"].str());
    let plural = kind.map(|kind| kind.resource).unwrap_or_default();
    let mut path = if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") };
    let namespace = value.at(&["metadata", "namespace"]).str();
    if !namespace.is_empty() {
        path = format!("{path}/namespaces/{namespace}");
    }
    let mut request = Request::new(&client.user, &client.agent, Method::Post, format!("{path}/{plural}"));
    request.body = Body::Value(value);
    request
}

/// The annotation `kubectl apply` leaves on what it creates.
fn with_last_applied(mut value: Value) -> Value {
    let mut bare = value.clone();
    bare.set(&["metadata", "annotations"], Value::empty_map());
    for (key, annotation) in value.at(&["metadata", "annotations"]).entries().iter() {
        bare.set(&["metadata", "annotations", key], annotation.clone());
    }
    let text = format!("{}\n", crate::base::json::compact(&bare));
    value.set(&["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"], text);
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Answer, object};
    use crate::cluster::Cluster;
    use crate::trace::Actor;

    /// Every object of every preset is accepted, and a minute later every pod is ready or has done its work.
    #[test]
    fn clusters_come_up() {
        for preset in Preset::ALL {
            let setup = Setup::new(preset);
            let mut fresh = api::Server::new(server_config(&setup), 1, 10_000);
            let (mut chance, mut trace) = (crate::base::Chance::new(1), crate::trace::Trace::new(10));
            for request in objects(&setup) {
                let (cause, actor) = (0, Actor::Lab);
                let mut cx = api::Cx { now: setup.start, chance: &mut chance, trace: &mut trace, cause, actor };
                let Answer::Done(response) = fresh.handle(&mut cx, &request) else { panic!("{}", request.path) };
                assert!(response.ok(), "{}: {} {}", preset.name(), request.path, response.value()["message"].str());
            }
            for setup in [setup.clone(), Setup { nodes: 3, ..setup }] {
                let cluster = Cluster::new(setup);
                let pods: Vec<_> = cluster.caches.list("pods", None).map(|(_, pod)| pod).collect();
                let waiting = pods.iter().filter(|pod| {
                    !object::condition_is(pod, "Ready", "True") && pod["status"]["phase"].str() != "Succeeded"
                });
                let names: Vec<&str> = waiting.map(|pod| object::name(pod)).collect();
                assert!(names.is_empty(), "{}: {names:?}", preset.name());
                assert_eq!(pods.is_empty(), preset == Preset::BareWorkers);
            }
        }
    }
}
