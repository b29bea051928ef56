//! Which function prints a kind, and the words all of them share.

use crate::base::SmolStr;

use super::{cluster, network, pod, workload};
use crate::api::object;
use crate::base::duration::human;
use crate::base::{Time, Value};

/// The cells of one object, one a column. `default` names the StorageClass to be marked.
pub fn cells(resource: &str, object: &Value, default: Option<&str>, now: Time) -> Vec<Value> {
    match resource {
        "pods" => pod::pod(object, now),
        "deployments.apps" => workload::deployment(object, now),
        "replicasets.apps" | "replicationcontrollers" => workload::replica_set(object, now),
        "statefulsets.apps" => workload::stateful_set(object, now),
        "daemonsets.apps" => workload::daemon_set(object, now),
        "jobs.batch" => workload::job(object, now),
        "cronjobs.batch" => workload::cron_job(object, now),
        "controllerrevisions.apps" => workload::controller_revision(object, now),
        "podtemplates" => workload::pod_template(object),
        "horizontalpodautoscalers.autoscaling" => workload::autoscaler(object, now),
        "poddisruptionbudgets.policy" => workload::disruption_budget(object, now),
        "scales.autoscaling" => workload::scale(object, now),
        "priorityclasses.scheduling.k8s.io" => workload::priority_class(object, now),
        "services" => network::service(object, now),
        "endpoints" => network::endpoints(object, now),
        "endpointslices.discovery.k8s.io" => network::endpoint_slice(object, now),
        "ingresses.networking.k8s.io" => network::ingress(object, now),
        "ingressclasses.networking.k8s.io" => network::ingress_class(object, now),
        "networkpolicies.networking.k8s.io" => network::network_policy(object, now),
        "servicecidrs.networking.k8s.io" => network::service_cidr(object, now),
        "ipaddresses.networking.k8s.io" => network::ip_address(object, now),
        _ => cluster::cells(resource, object, default, now),
    }
}

/// Lists come in the order of their keys; FlowSchemas in that of their precedence.
pub fn in_table_order(resource: &str, objects: &[Value]) -> Vec<Value> {
    let mut objects = objects.to_vec();
    if resource == "flowschemas.flowcontrol.apiserver.k8s.io" {
        objects.sort_by_key(|object| object.at(&["spec", "matchingPrecedence"]).int());
    }
    objects
}

/// The StorageClass that counts as the default in a list: the newest annotated one, then the smallest name.
pub fn default_class(resource: &str, objects: &[Value]) -> Option<SmolStr> {
    if resource != "storageclasses.storage.k8s.io" {
        return None;
    }
    let annotated = |object: &&Value| {
        ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"]
            .iter()
            .any(|key| object::annotation(object, key) == "true")
    };
    let newest = objects
        .iter()
        .filter(annotated)
        .min_by(|a, b| object::created(b).cmp(&object::created(a)).then_with(|| object::name(a).cmp(object::name(b))));
    newest.map(|object| object::name(object).into())
}

pub fn name(object: &Value) -> Value {
    object.at(&["metadata", "name"]).clone()
}

pub fn text(text: impl Into<SmolStr>) -> Value {
    Value::text(text)
}

pub fn none() -> Value {
    text("<none>")
}

/// The text at hand, or a word when it is empty.
pub fn or(value: &Value, word: &'static str) -> Value {
    if value.is_empty() { text(word) } else { value.clone() }
}

pub fn or_none(value: &Value) -> Value {
    or(value, "<none>")
}

pub fn number(value: &Value) -> Value {
    Value::from(value.int())
}

pub fn bool_word(yes: bool) -> Value {
    text(if yes { "True" } else { "False" })
}

pub fn first(list: &Value) -> &Value {
    list.items().first().unwrap_or(&crate::base::value::NULL)
}

pub fn since(at: Time, now: Time) -> String {
    human(now - at)
}

/// The age of a point in time, `<unknown>` when there is none.
pub fn ago(at: &Value, now: Time) -> Value {
    text(object::time(at).map_or("<unknown>".into(), |at| since(at, now)))
}

pub fn age(object: &Value, now: Time) -> Value {
    ago(object.at(&["metadata", "creationTimestamp"]), now)
}

pub fn joined<'a>(items: impl Iterator<Item = &'a str>, by: &str) -> String {
    items.collect::<Vec<_>>().join(by)
}

/// The first few, and how many more there are.
pub fn limited(all: &[String], most: usize, by: &str, empty: &str) -> String {
    match all.len() {
        0 => empty.into(),
        n if n <= most => all.join(by),
        n => format!("{} + {} more...", all.iter().take(most).cloned().collect::<Vec<_>>().join(by), n - most),
    }
}

/// A map of labels (`a=b,c=d`), `<none>` when empty.
pub fn labels(map: &Value) -> Value {
    let pairs: Vec<String> = map.entries().iter().map(|(key, value)| format!("{key}={}", value.str())).collect();
    if pairs.is_empty() { none() } else { text(pairs.join(",")) }
}

/// A LabelSelector as `metav1.FormatLabelSelector` writes it; `empty` when it selects by nothing.
pub fn selector(selector: &Value, empty: &'static str) -> Value {
    let mut terms: Vec<(SmolStr, String)> = Vec::new();
    for (key, value) in selector["matchLabels"].entries().iter() {
        terms.push((key.clone(), format!("{key}={}", value.str())));
    }
    for term in selector["matchExpressions"].items() {
        let key = term["key"].str();
        let mut values: Vec<&str> = term["values"].items().iter().map(Value::str).collect();
        values.sort_unstable();
        let values = values.join(",");
        terms.push((
            key.into(),
            match term["operator"].str() {
                "In" => format!("{key} in ({values})"),
                "NotIn" => format!("{key} notin ({values})"),
                "Exists" => key.into(),
                "DoesNotExist" => format!("!{key}"),
                _ => return text("<error>"),
            },
        ));
    }
    terms.sort_by(|a, b| a.0.cmp(&b.0));
    or(&text(joined(terms.iter().map(|(_, term)| term.as_str()), ",")), empty)
}
