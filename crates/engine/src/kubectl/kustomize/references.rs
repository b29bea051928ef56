//! Names of other objects, changed along with them: kustomize's name references.

use super::Item;
use super::fields::{pod_spec, visit};
use crate::base::Value;

/// What a pod's spec names: kind and path.
const OF_PODS: [(&str, &str); 17] = [
    ("ConfigMap", "volumes/configMap/name"),
    ("ConfigMap", "volumes/projected/sources/configMap/name"),
    ("ConfigMap", "containers/env/valueFrom/configMapKeyRef/name"),
    ("ConfigMap", "initContainers/env/valueFrom/configMapKeyRef/name"),
    ("ConfigMap", "containers/envFrom/configMapRef/name"),
    ("ConfigMap", "initContainers/envFrom/configMapRef/name"),
    ("Secret", "volumes/secret/secretName"),
    ("Secret", "volumes/projected/sources/secret/name"),
    ("Secret", "containers/env/valueFrom/secretKeyRef/name"),
    ("Secret", "initContainers/env/valueFrom/secretKeyRef/name"),
    ("Secret", "containers/envFrom/secretRef/name"),
    ("Secret", "initContainers/envFrom/secretRef/name"),
    ("Secret", "imagePullSecrets/name"),
    ("ServiceAccount", "serviceAccountName"),
    ("PersistentVolumeClaim", "volumes/persistentVolumeClaim/claimName"),
    ("PriorityClass", "priorityClassName"),
    ("ResourceClaimTemplate", "resourceClaims/resourceClaimTemplateName"),
];

/// What others name: kind named, kind that names, path.
const OTHERS: [(&str, &str, &str); 31] = [
    ("Deployment", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"),
    ("ReplicationController", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"),
    ("ReplicaSet", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"),
    ("StatefulSet", "HorizontalPodAutoscaler", "spec/scaleTargetRef/name"),
    ("ConfigMap", "Role", "rules/resourceNames"),
    ("ConfigMap", "ClusterRole", "rules/resourceNames"),
    ("ConfigMap", "Node", "spec/configSource/configMap"),
    ("Secret", "Role", "rules/resourceNames"),
    ("Secret", "ClusterRole", "rules/resourceNames"),
    ("Secret", "Ingress", "spec/tls/secretName"),
    ("Secret", "ServiceAccount", "imagePullSecrets/name"),
    ("Secret", "StorageClass", "parameters/secretName"),
    ("Secret", "PersistentVolume", "spec/azureFile/secretName"),
    ("Service", "StatefulSet", "spec/serviceName"),
    ("Service", "Ingress", "spec/rules/http/paths/backend/service/name"),
    ("Service", "Ingress", "spec/defaultBackend/service/name"),
    ("Service", "APIService", "spec/service/name"),
    ("Service", "ValidatingWebhookConfiguration", "webhooks/clientConfig/service"),
    ("Service", "MutatingWebhookConfiguration", "webhooks/clientConfig/service"),
    ("Role", "RoleBinding", "roleRef/name"),
    ("ClusterRole", "RoleBinding", "roleRef/name"),
    ("ClusterRole", "ClusterRoleBinding", "roleRef/name"),
    ("ServiceAccount", "RoleBinding", "subjects"),
    ("ServiceAccount", "ClusterRoleBinding", "subjects"),
    ("PersistentVolume", "PersistentVolumeClaim", "spec/volumeName"),
    ("PersistentVolume", "ClusterRole", "rules/resourceNames"),
    ("StorageClass", "PersistentVolume", "spec/storageClassName"),
    ("StorageClass", "PersistentVolumeClaim", "spec/storageClassName"),
    ("StorageClass", "StatefulSet", "spec/volumeClaimTemplates/spec/storageClassName"),
    ("IngressClass", "Ingress", "spec/ingressClassName"),
    ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "spec/policyName"),
];

/// Rewrites every name of an object that is called otherwise now.
pub(super) fn fix(items: &mut [Item]) {
    let known: Vec<Item> = items.to_vec();
    for item in items.iter_mut() {
        let kind = item.kind().to_string();
        let mut places: Vec<(&str, String)> = Vec::new();
        if let Some(spec) = pod_spec(&kind) {
            places.extend(OF_PODS.iter().map(|(of, path)| (*of, format!("{spec}/{path}"))));
        }
        places.extend(OTHERS.iter().filter(|(_, by, _)| *by == kind).map(|(of, _, path)| (*of, (*path).to_string())));
        let by = item.clone();
        for (of, path) in places {
            // The kind an autoscaler or a binding names must be the one named.
            let named = match kind.as_str() {
                "HorizontalPodAutoscaler" => by.value.at(&["spec", "scaleTargetRef", "kind"]).str(),
                "RoleBinding" | "ClusterRoleBinding" if of != "ServiceAccount" => {
                    by.value.at(&["roleRef", "kind"]).str()
                }
                _ => of,
            };
            if named != of {
                continue;
            }
            let parts: Vec<&str> = path.split('/').collect();
            visit(&mut item.value, &parts, false, &mut |place| rewrite(place, of, &by, &known));
        }
    }
}

fn rewrite(place: &mut Value, kind: &str, by: &Item, known: &[Item]) {
    match place {
        Value::List(_) => {
            for item in place.list_mut() {
                rewrite(item, kind, by, known);
            }
        }
        Value::Map(_) => {
            // A subject of a binding, the Service of a webhook.
            if kind == "ServiceAccount" && place["kind"].str() != kind {
                return;
            }
            let namespace = place["namespace"].str().to_string();
            if let Some(found) = find(known, kind, place["name"].str(), by, Some(&namespace)) {
                place.set(&["name"], found.name());
                if !found.namespace().is_empty() {
                    place.set(&["namespace"], found.namespace());
                }
            }
        }
        other => {
            if let Some(found) = other.as_str().and_then(|name| find(known, kind, name, by, None)) {
                *other = Value::text(found.name());
            }
        }
    }
}

/// The object a name meant; of namesakes the one that came the same way.
fn find<'a>(known: &'a [Item], kind: &str, name: &str, by: &Item, namespace: Option<&str>) -> Option<&'a Item> {
    let or_default = |namespace: &str| if namespace.is_empty() { "default".to_string() } else { namespace.to_string() };
    let of = |item: &Item| {
        item.kind() == kind
            && item.ids().any(|(own, there)| {
                own == name
                    && match namespace {
                        Some(namespace) => or_default(namespace) == or_default(there),
                        None => {
                            item.is_cluster_scoped()
                                || by.is_cluster_scoped()
                                || by.ids().any(|(_, here)| or_default(here) == or_default(there))
                        }
                    }
            })
    };
    let all: Vec<&Item> = known.iter().filter(|item| of(item)).collect();
    let alike = |item: &&&Item| item.affixes == by.affixes;
    let near = |item: &&&Item| by.affixes.ends_with(&item.affixes) || item.affixes.ends_with(&by.affixes);
    all.iter().find(alike).or_else(|| all.iter().find(near)).or_else(|| all.first()).copied()
}
