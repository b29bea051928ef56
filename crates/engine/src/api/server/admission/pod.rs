//! What admission does to pods.

use super::known_name;
use crate::api::object;
use crate::api::resource::NODES;
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::quantity::Quantity;
use crate::base::{Span, Value};
use crate::store::Key;
use crate::{list, map};

const MIRROR: &str = "kubernetes.io/config.mirror";
const TOKEN_MOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

impl Server {
    /// A resize no node of that size could ever hold.
    pub(super) fn check_room(&self, call: &Call<'_, '_>, pod: &Value) -> Result<()> {
        let name = pod["spec"]["nodeName"].smol();
        let node = self.store.get(&Key { resource: NODES, namespace: Default::default(), name });
        let Some(node) = node else { return Ok(()) };
        let used = super::quota::usage("pods", pod);
        for name in ["cpu", "memory"] {
            let plain = |amount: &Quantity| if name == "cpu" { amount.milli() } else { amount.value() };
            let requested = used.get(name).map_or(0, plain);
            let allocatable = plain(&Quantity::of(&node["status"]["allocatable"][name]));
            if requested > allocatable {
                let why = format!(
                    "node didn't have enough allocatable resources: {name}, requested: {requested}, allocatable: {allocatable}"
                );
                return Err(Status::forbidden(&call.resource().named(), object::name(pod), &why));
            }
        }
        Ok(())
    }

    pub(super) fn admit_pod(&mut self, call: &mut Call<'_, '_>, pod: &mut Value) -> Result<()> {
        self.default_limits(call, pod);
        self.service_account(call, pod)?;
        self.priority(call, pod)?;
        tolerate_for_a_while(pod);
        self.runtime_class(call, pod)
    }

    fn cluster_object(&self, resource: &'static str, name: &str) -> Option<&Value> {
        self.store.get(&Key { resource: resource.into(), namespace: Default::default(), name: name.into() })
    }

    fn service_account(&self, call: &mut Call<'_, '_>, pod: &mut Value) -> Result<()> {
        if pod["metadata"]["annotations"].has(MIRROR) {
            return Ok(());
        }
        let namespace = call.target.namespace.clone();
        if pod["spec"]["serviceAccountName"].is_empty() {
            pod.set(&["spec", "serviceAccountName"], "default");
        }
        let name = pod["spec"]["serviceAccountName"].smol();
        pod.set(&["spec", "serviceAccount"], &name);
        let key = Key { resource: "serviceaccounts".into(), namespace: namespace.clone(), name: name.clone() };
        let account = match self.store.get(&key) {
            Some(account) => account.clone(),
            // The real server waits up to a second for the default account of a new namespace.
            None if name == "default" && self.is_new_namespace(call, &namespace) => Value::Null,
            None => {
                let why =
                    format!("error looking up service account {namespace}/{name}: serviceaccount \"{name}\" not found");
                return Err(Status::forbidden(&call.resource().named(), known_name(pod), &why));
            }
        };
        let spec = &pod["spec"];
        if spec["imagePullSecrets"].items().is_empty() && !account["imagePullSecrets"].items().is_empty() {
            pod.set(&["spec", "imagePullSecrets"], &account["imagePullSecrets"]);
        }
        let automount = pod["spec"]["automountServiceAccountToken"]
            .as_bool()
            .or(account["automountServiceAccountToken"].as_bool())
            .unwrap_or(true);
        if automount {
            mount_token(call, pod);
        }
        Ok(())
    }

    fn is_new_namespace(&self, call: &Call<'_, '_>, name: &str) -> bool {
        self.namespace(name).is_some_and(|found| call.cx.now - object::created(found) < Span::seconds(2))
    }

    fn priority(&self, call: &Call<'_, '_>, pod: &mut Value) -> Result<()> {
        const CLASSES: &str = "priorityclasses.scheduling.k8s.io";
        let name = pod["spec"]["priorityClassName"].smol();
        let class = if name.is_empty() {
            self.store.list(CLASSES, None).find(|(_, class)| class["globalDefault"].is_true()).map(|(_, class)| class)
        } else {
            let found = self.cluster_object(CLASSES, &name);
            if found.is_none() {
                let why = format!("no PriorityClass with name {name} was found");
                return Err(Status::forbidden(&call.resource().named(), known_name(pod), &why));
            }
            found
        };
        let (value, policy, class_name) = match class {
            Some(class) => (class["value"].int(), class["preemptionPolicy"].smol(), object::name(class).to_owned()),
            None => (0, Default::default(), String::new()),
        };
        if let Some(sent) = pod["spec"]["priority"].as_int()
            && sent != value
        {
            let why = format!(
                "the integer value of priority ({sent}) must not be provided in pod spec; priority admission \
                 controller computed {value} from the given PriorityClass name"
            );
            return Err(Status::forbidden(&call.resource().named(), known_name(pod), &why));
        }
        let policy = if policy.is_empty() { "PreemptLowerPriority".into() } else { policy };
        if let Some(sent) = pod["spec"]["preemptionPolicy"].as_str()
            && sent != policy
        {
            let why = format!(
                "the string value of PreemptionPolicy ({sent}) must not be provided in pod spec; priority admission \
                 controller computed {policy} from the given PriorityClass name"
            );
            return Err(Status::forbidden(&call.resource().named(), known_name(pod), &why));
        }
        if !class_name.is_empty() {
            pod.set(&["spec", "priorityClassName"], class_name);
        }
        pod.set(&["spec", "priority"], value);
        pod.set(&["spec", "preemptionPolicy"], policy);
        Ok(())
    }

    fn runtime_class(&self, call: &Call<'_, '_>, pod: &mut Value) -> Result<()> {
        let name = pod["spec"]["runtimeClassName"].smol();
        let overhead = &pod["spec"]["overhead"];
        let refuse = |pod: &Value, why: String| {
            Err(Status::forbidden(&call.resource().named(), known_name(pod), &format!("pod rejected: {why}")))
        };
        if name.is_empty() {
            if !overhead.is_empty() {
                return refuse(pod, "Pod Overhead set without corresponding RuntimeClass defined Overhead".into());
            }
            return Ok(());
        }
        let Some(class) = self.cluster_object("runtimeclasses.node.k8s.io", &name).cloned() else {
            return refuse(pod, format!("RuntimeClass \"{name}\" not found"));
        };
        let fixed = &class["overhead"]["podFixed"];
        if !fixed.is_empty() {
            pod.set(&["spec", "overhead"], fixed);
        }
        for (key, value) in class["scheduling"]["nodeSelector"].entries().iter() {
            pod.set(&["spec", "nodeSelector", key], value);
        }
        for toleration in class["scheduling"]["tolerations"].items() {
            if !pod["spec"]["tolerations"].items().contains(toleration) {
                pod.at_mut(&["spec", "tolerations"]).list_mut().push(toleration.clone());
            }
        }
        Ok(())
    }
}

/// The projected volume with the account's token, and its mount in every container that has none there.
fn mount_token(call: &mut Call<'_, '_>, pod: &mut Value) {
    let containers = ["containers", "initContainers"];
    let mounted = |container: &Value| {
        container["volumeMounts"].items().iter().any(|mount| mount["mountPath"].str() == TOKEN_MOUNT)
    };
    let needed = containers.iter().any(|list| pod["spec"][*list].items().iter().any(|c| !mounted(c)));
    if !needed {
        return;
    }
    // A copy of a pod brings the volume along.
    let mut volumes = pod.at(&["spec", "volumes"]).items().iter().map(|volume| volume["name"].str());
    let there = volumes.find(|name| name.starts_with("kube-api-access-")).map(str::to_string);
    let known = there.is_some();
    let name = there.unwrap_or_else(|| format!("kube-api-access-{}", call.cx.chance.suffix("kube-api-access", 5)));
    let spec = pod.at_mut(&["spec"]);
    for list in containers {
        if spec[list].items().is_empty() {
            continue;
        }
        for container in spec.at_mut(&[list]).list_mut().iter_mut().filter(|container| !mounted(container)) {
            let mount = map! { "name" => &name, "readOnly" => true, "mountPath" => TOKEN_MOUNT };
            container.at_mut(&["volumeMounts"]).list_mut().push(mount);
        }
    }
    if !known {
        spec.at_mut(&["volumes"]).list_mut().push(map! { "name" => name, "projected" => projected() });
    }
}

/// Equal for all pods, so all share it.
fn projected() -> Value {
    use std::sync::LazyLock;
    static PROJECTED: LazyLock<Value> = LazyLock::new(|| {
        let namespace = map! { "apiVersion" => "v1", "fieldPath" => "metadata.namespace" };
        map! {
            "defaultMode" => 420,
            "sources" => list![
                map! { "serviceAccountToken" => map! { "expirationSeconds" => 3607, "path" => "token" } },
                map! { "configMap" => map! {
                    "name" => "kube-root-ca.crt", "items" => list![map! { "key" => "ca.crt", "path" => "ca.crt" }],
                } },
                map! { "downwardAPI" => map! {
                    "items" => list![map! { "path" => "namespace", "fieldRef" => namespace }],
                } },
            ],
        }
    });
    PROJECTED.clone()
}

/// What creation gave stays, and who took the tolerations away gets them again (DefaultTolerationSeconds, Priority).
pub(super) fn admit_changed(old: &Value, pod: &mut Value) {
    for key in ["priority", "preemptionPolicy"] {
        if pod["spec"][key].is_null() && !old["spec"][key].is_null() {
            pod.set(&["spec", key], &old["spec"][key]);
        }
    }
    tolerate_for_a_while(pod);
}

/// Five minutes on a node that is not ready or unreachable.
fn tolerate_for_a_while(pod: &mut Value) {
    for key in ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"] {
        let tolerated = pod["spec"]["tolerations"].items().iter().any(|toleration| {
            let of = toleration["key"].str();
            (of == key || of.is_empty()) && matches!(toleration["effect"].str(), "NoExecute" | "")
        });
        if !tolerated {
            let toleration = map! {
                "key" => key, "operator" => "Exists", "effect" => "NoExecute", "tolerationSeconds" => 300,
            };
            pod.at_mut(&["spec", "tolerations"]).list_mut().push(toleration);
        }
    }
}
