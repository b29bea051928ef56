//! Snapshots the panes read: plain data made from the objects in the store, compared by address.

use engine::base::BTreeMap;
use std::rc::Rc;

use engine::api::{object, resource};
use engine::base::{SmolStr, Time, Value};
use engine::trace::ObjectRef;

use super::story::is_system_namespace;

/// A value handed to many panes; equal means the very same.
#[derive(Debug, Default)]
pub struct Shared<T>(pub Rc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}
impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
impl<T> std::ops::Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Shared(Rc::new(value))
    }
}

/// How a pod stands, in five shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    Good,
    Waiting,
    Working,
    Bad,
    Ended,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PodView {
    pub object: ObjectRef,
    /// The word of kubectl's STATUS column.
    pub word: String,
    pub health: Health,
    pub ready: (usize, usize),
    pub restarts: i64,
    pub image: String,
    pub is_system: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct NodeView {
    pub object: ObjectRef,
    pub is_ready: bool,
    pub is_control: bool,
    pub is_cordoned: bool,
    pub pods: Vec<PodView>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorkloadView {
    pub object: ObjectRef,
    pub kind: String,
    pub wanted: i64,
    pub running: i64,
    pub ready: i64,
    pub generation: i64,
    pub observed: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EventView {
    pub object: ObjectRef,
    pub at: Time,
    pub is_warning: bool,
    pub reason: String,
    pub about: String,
    /// Of the object it is about.
    pub uid: SmolStr,
    pub message: String,
    pub count: i64,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct View {
    pub nodes: Vec<NodeView>,
    pub unscheduled: Vec<PodView>,
    pub workloads: Vec<WorkloadView>,
    /// Newest first.
    pub events: Vec<EventView>,
}

/// The objects of a resource, at present or at an earlier instant.
type Objects<'a> = &'a dyn Fn(&str) -> Vec<Value>;

impl View {
    pub fn of(objects: Objects<'_>) -> View {
        let mut placed: BTreeMap<SmolStr, Vec<PodView>> = BTreeMap::new();
        for object in objects(&resource::PODS) {
            placed.entry(object["spec"]["nodeName"].smol()).or_default().push(pod(&object));
        }
        let nodes = objects(&resource::NODES);
        let nodes = nodes.iter().map(|node| NodeView {
            object: object::reference(&resource::NODES, node),
            is_ready: object::condition_is(node, "Ready", "True"),
            is_control: node["metadata"]["labels"].has("node-role.kubernetes.io/control-plane"),
            is_cordoned: node["spec"]["unschedulable"].is_true(),
            pods: placed.remove(object::name(node)).unwrap_or_default(),
        });
        let nodes = nodes.collect();
        // Pods of nodes that are gone have no place, either.
        let unscheduled = placed.into_values().flatten().collect();
        View { nodes, unscheduled, workloads: workloads(objects), events: events(objects) }
    }
}

impl WorkloadView {
    pub fn is_settled(&self) -> bool {
        self.ready >= self.wanted && self.observed >= self.generation && self.running <= self.wanted.max(self.ready)
    }
}

fn pod(pod: &Value) -> PodView {
    let statuses = pod["status"]["containerStatuses"].items();
    let ready = statuses.iter().filter(|status| status["ready"].is_true()).count();
    let total = pod["spec"]["containers"].items().len();
    let word = pod_word(pod);
    PodView {
        object: object::reference(&resource::PODS, pod),
        health: health(&word, ready == total),
        word,
        ready: (ready, total),
        restarts: statuses.iter().map(|status| status["restartCount"].int()).sum(),
        image: pod["spec"]["containers"][0]["image"].str().to_string(),
        is_system: is_system_namespace(object::namespace(pod)),
    }
}

/// The word kubectl shows for a pod.
pub fn pod_word(pod: &Value) -> String {
    engine::api::table::pod_summary(pod).reason
}

fn health(word: &str, ready: bool) -> Health {
    match word {
        "Running" if ready => Health::Good,
        "Completed" | "Succeeded" => Health::Ended,
        "Pending" | "SchedulingGated" => Health::Waiting,
        "Running" | "ContainerCreating" | "PodInitializing" | "Terminating" => Health::Working,
        word if word.starts_with("Init:") && !word.contains("Err") && !word.contains("Back") => Health::Working,
        _ => Health::Bad,
    }
}

fn workloads(objects: Objects<'_>) -> Vec<WorkloadView> {
    const SOURCES: [(&str, &str, &str); 4] = [
        ("replicas", "replicas", "readyReplicas"),
        ("replicas", "replicas", "readyReplicas"),
        ("", "currentNumberScheduled", "numberReady"),
        ("completions", "active", "succeeded"),
    ];
    let resources = [resource::DEPLOYMENTS, resource::STATEFUL_SETS, resource::DAEMON_SETS, resource::JOBS];
    let mut found = Vec::new();
    for (resource, (wanted, running, ready)) in resources.iter().zip(SOURCES) {
        for object in objects(resource) {
            if is_system_namespace(object::namespace(&object)) {
                continue;
            }
            let (spec, status) = (&object["spec"], &object["status"]);
            let generation = object["metadata"]["generation"].int();
            found.push(WorkloadView {
                object: object::reference(resource, &object),
                kind: object["kind"].str().to_string(),
                wanted: if wanted.is_empty() {
                    status["desiredNumberScheduled"].int()
                } else {
                    spec[wanted].as_int().unwrap_or(1)
                },
                running: status[running].int(),
                ready: status[ready].int(),
                generation,
                // Jobs do not say what they have seen.
                observed: status["observedGeneration"].as_int().unwrap_or(if wanted == "completions" {
                    generation
                } else {
                    0
                }),
            });
        }
    }
    found
}

fn events(objects: Objects<'_>) -> Vec<EventView> {
    let mut events: Vec<EventView> = objects(&resource::EVENTS)
        .iter()
        .filter(|event| !is_system_namespace(object::namespace(event)))
        .filter(|event| event["involvedObject"]["kind"].str() != "Node")
        .map(|event| {
            let times = ["lastTimestamp", "eventTime", "firstTimestamp"];
            let about = &event["involvedObject"];
            EventView {
                object: object::reference(&resource::EVENTS, event),
                at: times.iter().find_map(|field| object::time(&event[*field])).unwrap_or_default(),
                is_warning: event["type"].str() == "Warning",
                reason: event["reason"].str().to_string(),
                uid: about["uid"].smol(),
                about: format!("{}/{}", about["kind"].str(), about["name"].str()),
                message: event["message"].str().to_string(),
                count: event["count"].as_int().unwrap_or(1).max(event["series"]["count"].int()),
            }
        })
        .collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.at));
    events.truncate(200);
    events
}

/// A word for a resource: `Deployment`, `Pod`.
pub fn kind_of(resource: &str) -> String {
    let known = match resource.split('.').next().unwrap_or_default() {
        "pods" => "Pod",
        "nodes" => "Node",
        "services" => "Service",
        "namespaces" => "Namespace",
        "configmaps" => "ConfigMap",
        "secrets" => "Secret",
        "serviceaccounts" => "ServiceAccount",
        "deployments" => "Deployment",
        "replicasets" => "ReplicaSet",
        "replicationcontrollers" => "ReplicationController",
        "statefulsets" => "StatefulSet",
        "daemonsets" => "DaemonSet",
        "jobs" => "Job",
        "cronjobs" => "CronJob",
        "endpointslices" => "EndpointSlice",
        "endpoints" => "Endpoints",
        "persistentvolumeclaims" => "PersistentVolumeClaim",
        "persistentvolumes" => "PersistentVolume",
        other => other,
    };
    known.to_string()
}
