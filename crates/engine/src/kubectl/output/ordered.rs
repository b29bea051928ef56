//! The order of fields in objects kubectl makes itself: that of the Go types, while objects read from the server are
//! sorted by key. It shows in JSON and KYAML.

use crate::base::{Value, json};

/// Fields in the order of the Go types. One list serves all kinds that generators make: where two types differ, the
/// exceptions of `rank` speak. Fields not named here follow in alphabetical order.
const ORDER: &[&str] = &[
    "kind",
    "apiGroup",
    "name",
    "apiVersion",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "labels",
    "annotations",
    "controller",
    "blockOwnerDeletion",
    "ownerReferences",
    "finalizers",
    "metadata",
    "immutable",
    "data",
    "binaryData",
    "stringData",
    "scaleTargetRef",
    "minReplicas",
    "maxReplicas",
    "metrics",
    "schedule",
    "timeZone",
    "startingDeadlineSeconds",
    "concurrencyPolicy",
    "suspend",
    "jobTemplate",
    "successfulJobsHistoryLimit",
    "failedJobsHistoryLimit",
    "ingressClassName",
    "defaultBackend",
    "tls",
    "hosts",
    "secretName",
    "verbs",
    "apiGroups",
    "resources#rule",
    "resourceNames",
    "nonResourceURLs",
    "aggregationRule",
    "subjects",
    "roleRef",
    "minAvailable",
    "parallelism",
    "completions",
    "activeDeadlineSeconds#job",
    "backoffLimit",
    "replicas",
    "image",
    "command",
    "args",
    "workingDir",
    "ports",
    "selector",
    "maxUnavailable#pdb",
    "template",
    "strategy",
    "clusterIP",
    "clusterIPs",
    "type",
    "sessionAffinity",
    "loadBalancerIP",
    "externalName",
    "hostPort",
    "containerPort",
    "protocol",
    "appProtocol",
    "port",
    "targetPort",
    "nodePort",
    "hostIP",
    "envFrom",
    "value",
    "valueFrom",
    "env",
    "resources",
    "volumeMounts",
    "imagePullPolicy",
    "securityContext#container",
    "stdin",
    "stdinOnce",
    "tty",
    "volumes",
    "initContainers",
    "containers",
    "restartPolicy",
    "terminationGracePeriodSeconds",
    "activeDeadlineSeconds",
    "dnsPolicy",
    "nodeSelector",
    "serviceAccountName",
    "serviceAccount",
    "nodeName",
    "hostNetwork",
    "securityContext",
    "imagePullSecrets",
    "host",
    "http",
    "path",
    "pathType",
    "service",
    "backend",
    "globalDefault",
    "description",
    "preemptionPolicy",
    "hard",
    "scopes",
    "key",
    "operator",
    "values",
    "matchLabels",
    "matchExpressions",
    "rules",
    "spec",
    "status",
    // A kubeconfig's.
    "server",
    "tls-server-name",
    "insecure-skip-tls-verify",
    "client-certificate",
    "client-certificate-data",
    "client-key",
    "client-key-data",
    "token",
    "tokenFile",
    "username",
    "password",
    "cluster",
    "apiVersion#exec",
    "provideClusterInfo",
    "interactiveMode",
    "clusters",
    "users",
    "contexts",
    "current-context",
];

/// Maps whose keys are people's own: sorted.
fn free(parent: &str, value: &Value) -> bool {
    match parent {
        "labels" | "annotations" | "data" | "stringData" | "binaryData" | "matchLabels" | "hard" | "used"
        | "limits" | "requests" | "nodeSelector" => true,
        "selector" => value.entries().values().all(|value| value.as_str().is_some()),
        _ => false,
    }
}

fn rank(parent: &str, key: &str) -> usize {
    let place = |name: &str| ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len());
    match (parent, key) {
        ("ownerReferences", "apiVersion") => 0,
        ("ownerReferences", key) => place(key) + 1,
        ("roleRef", "kind") => place("apiGroup") + 1,
        ("roleRef", "apiGroup") => 0,
        ("roleRef", key) => place(key) + 1,
        ("context", "namespace") => ORDER.len() + 1,
        ("exec", "apiVersion") => place("apiVersion#exec"),
        ("rules", "resources") => place("resources#rule"),
        _ => place(key),
    }
}

/// The entries of a map in the order of its type. `parent` is the name of the field that holds it.
fn entries<'a>(parent: &str, value: &'a Value) -> Vec<(&'a str, &'a Value)> {
    let mut all: Vec<(&str, &Value)> = value.entries().iter().map(|(key, value)| (key.as_str(), value)).collect();
    if !free(parent, value) {
        all.sort_by_key(|(key, _)| rank(parent, key));
    }
    all
}

/// JSON in the order of the types; `indent` is `None` for one line.
pub fn json(value: &Value, indent: Option<usize>) -> String {
    let mut out = String::new();
    write(value, "", &mut out, indent, 0);
    out
}

fn write(value: &Value, parent: &str, out: &mut String, indent: Option<usize>, depth: usize) {
    let line = |out: &mut String, depth: usize| {
        if let Some(width) = indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', width * depth));
        }
    };
    match value {
        Value::List(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                line(out, depth + 1);
                write(item, parent, out, indent, depth + 1);
            }
            line(out, depth);
            out.push(']');
        }
        Value::Map(map) if !map.is_empty() => {
            for (index, (key, item)) in entries(parent, value).into_iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                line(out, depth + 1);
                json::quote(key, out);
                out.push_str(if indent.is_some() { ": " } else { ":" });
                write(item, key, out, indent, depth + 1);
            }
            line(out, depth);
            out.push('}');
        }
        other => out.push_str(&json::compact(other)),
    }
}

/// KYAML: braces, unquoted keys where they are safe, quoted texts, trailing commas. `typed` for objects kubectl made.
pub fn kyaml(value: &Value, typed: bool) -> String {
    let mut out = String::from("---\n");
    flow(value, "", typed, &mut out, 0);
    out.push('\n');
    out
}

fn flow(value: &Value, parent: &str, typed: bool, out: &mut String, depth: usize) {
    let pad = |out: &mut String, depth: usize| out.extend(std::iter::repeat_n("  ", depth));
    match value {
        Value::Map(map) if !map.is_empty() => {
            out.push_str("{\n");
            let all = match typed {
                true => entries(parent, value),
                false => map.iter().map(|(key, value)| (key.as_str(), value)).collect(),
            };
            for (key, item) in all {
                pad(out, depth + 1);
                if safe_key(key) {
                    out.push_str(key);
                } else {
                    text(key, out, depth + 1);
                }
                out.push_str(": ");
                flow(item, key, typed, out, depth + 1);
                out.push_str(",\n");
            }
            pad(out, depth);
            out.push('}');
        }
        Value::List(items) if !items.is_empty() => {
            // Maps and lists stand right behind the bracket.
            let nested = items.iter().all(|item| matches!(item, Value::Map(_) | Value::List(_)) && !item.is_empty());
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if nested {
                    out.push_str(if index == 0 { "" } else { ", " });
                    flow(item, parent, typed, out, depth);
                } else {
                    out.push('\n');
                    pad(out, depth + 1);
                    flow(item, parent, typed, out, depth + 1);
                    out.push(',');
                }
            }
            if !nested {
                out.push('\n');
                pad(out, depth);
            }
            out.push(']');
        }
        Value::Text(content) => text(content, out, depth),
        other => out.push_str(&json::compact(other)),
    }
}

/// A text in double quotes; each line of a longer one stands for itself behind an escaped line break.
fn text(content: &str, out: &mut String, depth: usize) {
    let mut quoted = String::new();
    json::quote(content, &mut quoted);
    let quoted = quoted.replace("\\u003c", "<").replace("\\u003e", ">").replace("\\u0026", "&");
    if !content.trim_end_matches('\n').contains('\n') {
        out.push_str(&quoted);
        return;
    }
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    let margin = "  ".repeat(depth + 1);
    out.push_str("\"\\\n");
    let lines: Vec<&str> = inner.split("\\n").collect();
    for (index, line) in lines.iter().enumerate() {
        let last = index + 1 == lines.len();
        if last && line.is_empty() {
            break;
        }
        // A blank at the start of a line would be folded away: it is escaped.
        let escape = if line.starts_with(' ') { "\\" } else { " " };
        out.push_str(&format!("{margin}{escape}{line}{}\\\n", if last { "" } else { "\\n" }));
    }
    out.push_str(&format!("{margin}\""));
}

/// Plain letters and no word that YAML reads as something else.
fn safe_key(key: &str) -> bool {
    let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let word = key.to_ascii_lowercase();
    plain
        && key.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && !matches!(word.as_str(), "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null")
}
