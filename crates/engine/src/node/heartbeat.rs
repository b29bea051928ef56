//! The node's own object: registration, lease, status and its conditions (kubelet's nodestatus and lease controller).

use super::{Cx, Kubelet, NodeConfig, What};
use crate::api::object;
use crate::api::resource::{LEASES, NODES, PatchKind};
use crate::base::http::Response;
use crate::base::quantity::{Format, Quantity};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType};
use crate::store::Change;
use crate::{list, map};

/// What steered the simulated nodes of the recordings.
const LOST: &str = "oracle/lost";
const LEASE: Span = Span::seconds(10);
const COMPUTE: Span = Span::seconds(10);
const POST: Span = Span::seconds(300);

#[derive(Clone, Debug, Default)]
pub struct Heartbeat {
    pub images_changed: bool,
    labels: Value,
    posted: Time,
    ready: bool,
    /// A simulated node that its annotation has taken away: no more heartbeats, and nothing becomes of its pods.
    pub lost: bool,
    cordoned: bool,
    reported_cordon: bool,
}

impl Heartbeat {
    pub fn labels(&self) -> &Value {
        &self.labels
    }
}

impl Kubelet {
    pub(super) fn register(&mut self, cx: &mut Cx<'_>) {
        for name in &self.config.images {
            if let Ok(reference) = crate::runtime::Reference::parse(name)
                && let Ok(image) = crate::runtime::find(&reference)
            {
                self.images.insert(reference.full(), image);
            }
        }
        let node = self.node_object(cx.now);
        self.heartbeat.labels = node.at(&["metadata", "labels"]).clone();
        let request = self.client.create(&NODES, "", node);
        cx.call(request, Some(self.token(What::Registered)));
    }

    /// The node is known (or was already): heartbeats begin, and it is ready a moment later.
    pub(super) fn registered(&mut self, cx: &mut Cx<'_>, response: &Response) {
        let name = self.config.name.clone();
        let node =
            map! { "apiVersion" => "v1", "kind" => "Node", "metadata" => map! { "name" => &name, "uid" => &name } };
        if !self.config.kwok {
            let mut say = |kind, reason, text: String| {
                self.recorder.event(cx, &self.client, &node, None, kind, reason, &text);
            };
            say(EventType::Normal, "Starting", "Starting kubelet.".into());
            say(EventType::Warning, "InvalidDiskCapacity", "invalid capacity 0 on image filesystem".into());
            for reason in ["NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID"] {
                say(EventType::Normal, reason, format!("Node {name} status is now: {reason}"));
            }
            say(EventType::Normal, "NodeAllocatableEnforced", "Updated Node Allocatable limit across pods".into());
        }
        let lease = map! {
            "apiVersion" => "coordination.k8s.io/v1", "kind" => "Lease",
            "metadata" => map! { "name" => &name, "namespace" => "kube-node-lease" },
            "spec" => self.lease_spec(cx.now),
        };
        let request = self.client.create(&LEASES, "kube-node-lease", lease);
        cx.call(request, None);
        cx.wake_after(LEASE, self.token(What::Lease));
        cx.wake_after(Span::millis(200), self.token(What::Heartbeat));
        self.start_static_pods(cx, object::uid(response.value()));
    }

    fn lease_spec(&self, now: Time) -> Value {
        map! {
            "holderIdentity" => &self.config.name, "leaseDurationSeconds" => 40, "renewTime" => now.rfc3339_micros(),
        }
    }

    pub(super) fn renew_lease(&mut self, cx: &mut Cx<'_>) {
        if self.heartbeat.lost {
            return cx.wake_after(LEASE, self.token(What::Lease));
        }
        let body = map! { "spec" => map! { "renewTime" => cx.now.rfc3339_micros() } };
        let request = self.client.patch(&LEASES, "kube-node-lease", &self.config.name, "", PatchKind::Merge, body);
        cx.call(request, None);
        cx.wake_after(LEASE, self.token(What::Lease));
    }

    /// Computes the status, and posts it when something changed or it is time.
    pub(super) fn heartbeat(&mut self, cx: &mut Cx<'_>, see: &Caches) {
        if self.heartbeat.lost {
            return cx.wake_after(COMPUTE, self.token(What::Heartbeat));
        }
        let first = !self.heartbeat.ready;
        self.heartbeat.ready = true;
        let name = self.config.name.clone();
        let node = see.find(&NODES, "", &name).cloned().unwrap_or_default();
        if first && !self.config.kwok {
            self.event(
                cx,
                &node,
                None,
                EventType::Normal,
                "NodeReady",
                &format!("Node {name} status is now: NodeReady"),
            );
        }
        if self.heartbeat.cordoned != self.heartbeat.reported_cordon {
            self.heartbeat.reported_cordon = self.heartbeat.cordoned;
            let reason = if self.heartbeat.cordoned { "NodeNotSchedulable" } else { "NodeSchedulable" };
            self.event(cx, &node, None, EventType::Normal, reason, &format!("Node {name} status is now: {reason}"));
        }
        if first || std::mem::take(&mut self.heartbeat.images_changed) || cx.now - self.heartbeat.posted >= POST {
            self.heartbeat.posted = cx.now;
            let mut status = map! { "conditions" => self.conditions(cx.now, &node), "images" => self.image_list() };
            if first {
                status = self.node_status(cx.now, &node);
            }
            let body = map! { "status" => status };
            let request = self.client.patch(&NODES, "", &name, "status", PatchKind::Strategic, body);
            cx.call(request, None);
        }
        // On the same second as the leases: the jitter of the original is fixed at none.
        cx.wake_after(COMPUTE, self.token(What::Heartbeat));
    }

    pub(super) fn node_changed(&mut self, _cx: &mut Cx<'_>, change: &Change) {
        let node = &change.after;
        self.heartbeat.labels = node.at(&["metadata", "labels"]).clone();
        self.heartbeat.lost = self.config.kwok && object::annotation(node, LOST) == "true";
        self.heartbeat.cordoned = node.at(&["spec", "unschedulable"]).is_true();
        if let Some((net, _)) = node.at(&["spec", "podCIDR"]).str().rsplit_once('.') {
            self.net = Some(net.into());
        }
    }

    fn node_object(&self, now: Time) -> Value {
        let config = &self.config;
        let mut labels = map! {
            "beta.kubernetes.io/arch" => "amd64", "beta.kubernetes.io/os" => "linux", "kubernetes.io/arch" => "amd64",
            "kubernetes.io/hostname" => &config.name, "kubernetes.io/os" => "linux",
        };
        for (key, value) in &config.labels {
            labels.set(&[key], value);
        }
        let mut spec = Value::empty_map();
        if !config.taints.is_empty() {
            let taints = config.taints.iter().map(|(key, effect)| map! { "key" => key, "effect" => effect });
            spec.set(&["taints"], Value::list(taints.collect()));
        }
        map! {
            "apiVersion" => "v1", "kind" => "Node",
            "metadata" => map! {
                "name" => &config.name, "labels" => labels,
                "annotations" => map! { "volumes.kubernetes.io/controller-managed-attach-detach" => "true" },
            },
            "spec" => spec,
            "status" => self.node_status(now, &Value::Null),
        }
    }

    fn node_status(&self, now: Time, node: &Value) -> Value {
        let config = &self.config;
        let machine = crate::runtime::hex64(&config.name);
        let (machine, system) = (machine.get(..32).unwrap_or_default(), machine.get(32..).unwrap_or_default());
        map! {
            "addresses" => list![
                map! { "type" => "InternalIP", "address" => &config.address },
                map! { "type" => "Hostname", "address" => &config.name },
            ],
            "capacity" => capacity(config, false), "allocatable" => capacity(config, true),
            "conditions" => self.conditions(now, node),
            "daemonEndpoints" => map! { "kubeletEndpoint" => map! { "Port" => 10250 } },
            "nodeInfo" => map! {
                "machineID" => machine, "systemUUID" => uuid(system), "bootID" => uuid(machine),
                "kernelVersion" => &config.kernel, "osImage" => &config.os_image,
                "containerRuntimeVersion" => &config.runtime, "kubeletVersion" => &config.version,
                "kubeProxyVersion" => "", "operatingSystem" => "linux", "architecture" => "amd64",
                "runningInUserNamespace" => false,
            },
            "images" => self.image_list(),
            "runtimeHandlers" => Value::list(["", "runc"].iter().map(|name| map! {
                "name" => *name,
                "features" => map! { "recursiveReadOnlyMounts" => true, "userNamespaces" => true },
            }).collect()),
            "features" => map! { "supplementalGroupsPolicy" => true },
            "declaredFeatures" => list![
                "ExtendWebSocketsToKubelet", "InPlacePodLevelResourcesVerticalScaling",
                "InPlacePodVerticalScalingInitContainers", "RestartAllContainersOnContainerExits",
            ],
        }
    }

    fn image_list(&self) -> Value {
        let mut images: Vec<_> = self.images.values().collect();
        images.sort_by_key(|image| std::cmp::Reverse(image.size));
        let shown = images.into_iter().take(50).map(|image| {
            map! { "names" => list![image.id(), image.reference.full()], "sizeBytes" => image.size as i64 }
        });
        Value::list(shown.collect())
    }

    fn conditions(&self, now: Time, node: &Value) -> Value {
        let ready = self.heartbeat.ready;
        let rows = [
            ("MemoryPressure", false, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
            ("DiskPressure", false, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
            ("PIDPressure", false, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
            if ready {
                ("Ready", true, "KubeletReady", "kubelet is posting ready status")
            } else {
                ("Ready", false, "KubeletNotReady", "CSINode is not yet initialized")
            },
        ];
        let all = rows.map(|(kind, status, reason, message)| {
            let status = if status { "True" } else { "False" };
            let since = object::condition(node, kind)
                .filter(|old| old["status"].str() == status)
                .map_or_else(|| Value::text(now.rfc3339()), |old| old["lastTransitionTime"].clone());
            map! {
                "type" => kind, "status" => status, "reason" => reason, "message" => message,
                "lastHeartbeatTime" => now.rfc3339(), "lastTransitionTime" => since,
            }
        });
        Value::list(all.to_vec())
    }
}

fn uuid(hex: &str) -> String {
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32))
}

pub fn capacity(config: &NodeConfig, allocatable: bool) -> Value {
    let (mut memory, mut storage) = (config.memory.to_string(), config.storage.to_string());
    let bytes = Quantity::parse(&config.storage).unwrap_or_default().value();
    if allocatable && config.evicts && !config.kwok {
        let mut left = Quantity::parse(&config.memory).unwrap_or_default();
        left.sub(&Quantity::new(100 << 20, Format::Binary));
        memory = format!("{}Ki", left.value() / 1024);
        storage = (bytes - bytes / 10).to_string();
    } else if bytes % 1024 == 0 {
        storage = format!("{}Ki", bytes / 1024);
    }
    map! {
        "cpu" => &config.cpu, "ephemeral-storage" => storage, "hugepages-1Gi" => "0", "hugepages-2Mi" => "0",
        "memory" => memory, "pods" => "110",
    }
}
