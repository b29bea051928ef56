//! Words that nearly every object has: field names, the names field sets give them, kinds, reasons. A text that is one
//! of them is a piece of the program. It changes nothing but memory.

/// Places of the table; about a third is filled.
const PLACES: usize = 1024;

/// The word itself, as the program has it.
pub fn known(text: &str) -> Option<&'static &'static str> {
    let mut place = place(text.as_bytes());
    loop {
        let word = WORDS.get(usize::from(*TABLE.get(place)?))?;
        if *word == text {
            return Some(word);
        }
        place = (place + 1) % PLACES;
    }
}

/// Where a word is looked for first. The factors were tried out: with these, few words meet.
const fn place(text: &[u8]) -> usize {
    match text {
        [] => 0,
        [only] => *only as usize,
        [first, .., last] => {
            (text.len() * 208 + *first as usize * 163 + *last as usize * 285 + text[text.len() / 2] as usize * 796)
                % PLACES
        }
    }
}

/// Numbers of words by place; a number too large is a place left empty.
static TABLE: [u16; PLACES] = {
    let mut table = [u16::MAX; PLACES];
    let mut number = 0;
    while number < WORDS.len() {
        let mut at = place(WORDS[number].as_bytes());
        while table[at] != u16::MAX {
            at = (at + 1) % PLACES;
        }
        table[at] = number as u16;
        number += 1;
    }
    table
};

#[rustfmt::skip]
static WORDS: &[&str] = &[
    ".", "/dev/termination-log", "/var/run/secrets/kubernetes.io/serviceaccount", "25%", "Always", "Apply", "Available",
    "BackOff", "Background", "BestEffort", "Binding", "Burstable", "Cluster", "ClusterFirst", "ClusterIP", "ConfigMap",
    "ContainersReady", "Created", "DaemonSet", "Deployment", "EndpointSlice", "Equal", "Event", "Exists", "Failed",
    "FailedScheduling", "False", "FieldsV1", "File", "Guaranteed", "IPv4", "IfNotPresent", "Initialized", "Job",
    "Killing", "Lease", "Namespace", "Never", "NoExecute", "NoSchedule", "Node", "None", "Normal", "OnFailure",
    "Pending", "Pod", "PodReadyToStartContainers", "PodScheduled", "PreemptLowerPriority", "Progressing", "Pulled",
    "Pulling", "Ready", "ReplicaSet", "RollingUpdate", "Running", "ScalingReplicaSet", "Scheduled", "Secret", "Service",
    "SingleStack", "Started", "StatefulSet", "Succeeded", "SuccessfulCreate", "TCP", "True", "UDP", "Unknown", "Update",
    "Warning", "acquireTime", "action", "addressType", "addresses", "allocatable", "allocatedResources", "annotations",
    "apiGroup", "apiVersion", "app", "apps/v1", "args", "availableReplicas", "batch/v1", "binding",
    "blockOwnerDeletion", "ca.crt", "capacity", "claimName", "clusterIP", "clusterIPs", "command", "component",
    "conditions", "configMap", "configMapKeyRef", "configmaps", "containerID", "containerPort", "containerStatuses",
    "containers", "controller", "coordination.k8s.io/v1", "count", "cpu", "create", "creationTimestamp", "data",
    "default", "default-scheduler", "defaultMode", "delete", "deletionGracePeriodSeconds", "deletionTimestamp",
    "deployment.kubernetes.io/revision", "deployments.apps", "discovery.k8s.io/v1", "dnsPolicy", "downwardAPI",
    "effect", "emptyDir", "enableServiceLinks", "endpoints", "endpointslices.discovery.k8s.io", "env", "eventTime",
    "events", "exitCode", "expirationSeconds", "f:action", "f:annotations", "f:app", "f:availableReplicas",
    "f:component", "f:conditions", "f:containerPort", "f:containerStatuses", "f:containers", "f:count", "f:data",
    "f:dnsPolicy", "f:enableServiceLinks", "f:env", "f:eventTime", "f:finalizers", "f:firstTimestamp",
    "f:fullyLabeledReplicas", "f:generateName", "f:holderIdentity", "f:host", "f:hostIP", "f:hostIPs", "f:image",
    "f:imagePullPolicy", "f:involvedObject", "f:labels", "f:lastHeartbeatTime", "f:lastProbeTime", "f:lastTimestamp",
    "f:lastTransitionTime", "f:lastUpdateTime", "f:leaseDurationSeconds", "f:maxSurge", "f:maxUnavailable", "f:message",
    "f:metadata", "f:name", "f:observedGeneration", "f:ownerReferences", "f:phase", "f:podIP", "f:podIPs", "f:ports",
    "f:progressDeadlineSeconds", "f:protocol", "f:readyReplicas", "f:reason", "f:renewTime", "f:replicas",
    "f:reportingComponent", "f:reportingInstance", "f:resources", "f:restartPolicy", "f:revisionHistoryLimit",
    "f:rollingUpdate", "f:schedulerName", "f:securityContext", "f:selector", "f:series", "f:source", "f:spec",
    "f:startTime", "f:status", "f:strategy", "f:template", "f:terminatingReplicas", "f:terminationGracePeriodSeconds",
    "f:terminationMessagePath", "f:terminationMessagePolicy", "f:type", "f:unavailableReplicas", "f:updatedReplicas",
    "f:volumeMounts", "f:volumes", "failureThreshold", "fieldPath", "fieldRef", "fieldsType", "fieldsV1", "finalizers",
    "finishedAt", "firstTimestamp", "fullyLabeledReplicas", "generateName", "generation", "gid", "holderIdentity",
    "host", "hostIP", "hostIPs", "hostPath", "hostname", "httpGet", "image", "imageID", "imagePullPolicy", "images",
    "initialDelaySeconds", "internalTrafficPolicy", "involvedObject", "ip", "ipFamilies", "ipFamilyPolicy", "items",
    "jobs.batch", "key", "kind", "kube-controller-manager", "kube-node-lease", "kube-public", "kube-root-ca.crt",
    "kube-scheduler", "kube-system", "kubectl-client-side-apply", "kubectl-create", "kubelet", "kubernetes.io/hostname",
    "kubernetes.io/metadata.name", "labels", "lastHeartbeatTime", "lastObservedTime", "lastProbeTime", "lastState",
    "lastTimestamp", "lastTransitionTime", "lastUpdateTime", "leaseDurationSeconds", "leases.coordination.k8s.io",
    "limits", "linux", "livenessProbe", "loadBalancer", "managedFields", "manager", "matchLabels", "maxSurge",
    "maxUnavailable", "memory", "message", "metadata", "metadata.namespace", "mountPath", "name", "names", "namespace",
    "namespaces", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "nodeInfo", "nodeName", "nodePort",
    "nodes", "observedGeneration", "operation", "operator", "optional", "ownerReferences", "patch", "path",
    "periodSeconds", "persistentVolumeClaim", "phase", "pod-template-hash", "podCIDR", "podCIDRs", "podIP", "podIPs",
    "pods", "port", "ports", "preemptionPolicy", "priority", "progressDeadlineSeconds", "projected", "protocol",
    "qosClass", "readOnly", "readinessProbe", "ready", "readyReplicas", "reason", "recursiveReadOnly", "renewTime",
    "replicas", "replicasets.apps", "reportingComponent", "reportingInstance", "requests", "resourceVersion",
    "resources", "restartCount", "restartPolicy", "revisionHistoryLimit", "rollingUpdate", "running", "schedulerName",
    "secret", "secretKeyRef", "secretName", "secrets", "securityContext", "selector", "series", "serviceAccount",
    "serviceAccountName", "serviceAccountToken", "serviceaccounts", "services", "serving", "sessionAffinity",
    "sizeBytes", "source", "sources", "spec", "startTime", "started", "startedAt", "startupProbe", "state", "status",
    "strategy", "subdomain", "subresource", "successThreshold", "supplementalGroups", "taints", "target", "targetPort",
    "targetRef", "template", "terminated", "terminating", "terminatingReplicas", "terminationGracePeriodSeconds",
    "terminationMessagePath", "terminationMessagePolicy", "time", "timeoutSeconds", "token", "tolerationSeconds",
    "tolerations", "type", "uid", "unavailableReplicas", "unschedulable", "update", "updatedReplicas", "user", "v1",
    "value", "valueFrom", "volumeMounts", "volumes", "waiting", "zone",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        let mut steps = 0;
        for (number, word) in WORDS.iter().enumerate() {
            assert_eq!(known(word), Some(word));
            assert!(number == 0 || WORDS[number - 1] < *word, "{word} stands out of order or twice");
            let stands = TABLE.iter().position(|it| usize::from(*it) == number).unwrap();
            steps += (stands + PLACES - place(word.as_bytes())) % PLACES;
        }
        assert!(steps < WORDS.len() / 2, "{steps} steps past the first place");
        for text in ["", "x", "\u{e9}", "podd", "metadatA", "f:", "replicas "] {
            assert_eq!(known(text), None, "{text}");
        }
    }
}
