//! What admission plugins give a new pod: ServiceAccount, Priority, DefaultTolerationSeconds.
//!
//! The plugins' refusals and look-ups (the account, the class) are the server's; these are their writes.

use super::{Lists, fill};
use crate::base::{Chance, Value};
use crate::{list, map};

const MOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
const CONTAINERS: [&str; 2] = ["initContainers", "containers"];

/// ServiceAccount: the account's name, its pull secrets, the token volume and its mounts.
pub fn service_account_volume(pod: &mut Value, account: &Value, chance: &mut Chance) {
    let spec = pod.at_mut(&["spec"]);
    fill(spec, "serviceAccountName", "default");
    let name = spec["serviceAccountName"].clone();
    spec.set(&["serviceAccount"], name);
    if spec["imagePullSecrets"].is_empty() && !account["imagePullSecrets"].is_empty() {
        spec.set(&["imagePullSecrets"], &account["imagePullSecrets"]);
    }
    let own = spec["automountServiceAccountToken"].as_bool();
    let automount = own.or(account["automountServiceAccountToken"].as_bool()).unwrap_or(true);
    if !automount {
        return;
    }
    let mut given = spec["volumes"].items().iter().map(|volume| volume["name"].smol());
    let given = given.find(|name| name.starts_with("kube-api-access-"));
    let volume =
        given.clone().unwrap_or_else(|| format!("kube-api-access-{}", chance.suffix("kube-api-access", 5)).into());
    let mut needed = false;
    for list in CONTAINERS {
        for container in spec.at_mut_list(&[list]) {
            if container["volumeMounts"].items().iter().any(|mount| mount["mountPath"].str() == MOUNT) {
                continue;
            }
            needed = true;
            let mount = map! { "name" => &volume, "readOnly" => true, "mountPath" => MOUNT };
            container.at_mut(&["volumeMounts"]).list_mut().push(mount);
        }
    }
    if needed && given.is_none() {
        spec.at_mut(&["volumes"]).list_mut().push(token_volume(&volume));
    }
}

fn token_volume(name: &str) -> Value {
    let namespace = map! {
        "path" => "namespace",
        "fieldRef" => map! { "apiVersion" => "v1", "fieldPath" => "metadata.namespace" },
    };
    let root = map! { "name" => "kube-root-ca.crt", "items" => list![map! { "key" => "ca.crt", "path" => "ca.crt" }] };
    map! {
        "name" => name,
        "projected" => map! {
            "defaultMode" => 420,
            "sources" => list![
                map! { "serviceAccountToken" => map! { "expirationSeconds" => 3607, "path" => "token" } },
                map! { "configMap" => root },
                map! { "downwardAPI" => map! { "items" => list![namespace] } },
            ],
        },
    }
}

/// Priority: the number and the preemption policy of a class (`Null`: the pod has none).
pub fn preemption_and_priority(pod: &mut Value, class: &Value) {
    let spec = pod.at_mut(&["spec"]);
    if !class.is_null() {
        spec.set(&["priorityClassName"], &class["metadata"]["name"]);
    }
    spec.set(&["priority"], class["value"].int());
    let policy = class["preemptionPolicy"].as_str().unwrap_or("PreemptLowerPriority");
    spec.set(&["preemptionPolicy"], policy);
}

/// DefaultTolerationSeconds: five minutes on a node that is not ready or unreachable.
pub fn default_tolerations(pod: &mut Value) {
    let spec = pod.at_mut(&["spec"]);
    let missing = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"].map(|key| {
        let tolerated = spec["tolerations"].items().iter().any(|toleration| {
            matches!(toleration["key"].str(), k if k == key || k.is_empty())
                && matches!(toleration["effect"].str(), "" | "NoExecute")
        });
        (key, !tolerated)
    });
    for (key, _) in missing.into_iter().filter(|(_, missing)| *missing) {
        let toleration =
            map! { "key" => key, "operator" => "Exists", "effect" => "NoExecute", "tolerationSeconds" => 300 };
        spec.at_mut(&["tolerations"]).list_mut().push(toleration);
    }
}
