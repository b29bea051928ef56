//! What stands in the way of what was declared, at present: Pods that are not ready, workloads that lack something, and
//! containers of docker between two runs; with the instant from which it is tried again.

use super::Lab;
use super::converge::is_settled;
use crate::api::{object, table};
use crate::base::{Time, Value};
use crate::docker::Unwell;
use crate::store::Key;
use crate::trace::ObjectRef;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Docker's containers have the resource `containers`.
    pub object: ObjectRef,
    /// The word of kubectl's STATUS column or of docker's state.
    pub word: String,
    /// How it ended last.
    pub exit: Option<i64>,
    pub restarts: i64,
    /// An image, a message, or how much of it is ready.
    pub detail: String,
    /// Nothing is done about it before; nothing when that depends on others.
    pub next: Option<Time>,
}

/// Those that are told.
const MOST: usize = 100;

const PODS: &str = "pods";
const WORKLOADS: [&str; 4] = ["deployments.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch"];

/// Namespaces that belong to the cluster itself.
pub fn is_system_namespace(name: &str) -> bool {
    matches!(name, "kube-system" | "kube-public" | "kube-node-lease" | "local-path-storage")
}

impl Lab {
    /// Pods first; a workload only when no Pod tells what it lacks.
    pub fn obstacles(&self) -> Vec<Obstacle> {
        let store = &self.cluster.server.store;
        let pods = store.list(PODS, None).filter(|(key, pod)| self.is_in_the_way(key, pod));
        let mut found: Vec<Obstacle> = pods.take(MOST).map(|(_, pod)| self.pod(pod)).collect();
        if found.is_empty() {
            found.extend(self.workloads().take(MOST).map(|(resource, it)| workload(resource, it)));
        }
        found.extend(self.cluster.docker.unwell(self.now()).into_iter().map(container));
        found
    }

    /// Whether there are any; the Pod that was found last is the likeliest to be one still.
    pub fn has_obstacles(&self, last: &mut Option<Key>) -> bool {
        let store = &self.cluster.server.store;
        let awaited = last.as_ref().and_then(|key| Some((key, store.get(key)?)));
        if awaited.is_some_and(|(key, pod)| self.is_in_the_way(key, pod)) {
            return true;
        }
        let mut pods = store.list(PODS, None);
        *last = pods.find(|(key, pod)| self.is_in_the_way(key, pod)).map(|(key, _)| key.clone());
        last.is_some() || self.workloads().next().is_some() || !self.cluster.docker.unwell(self.now()).is_empty()
    }

    fn is_in_the_way(&self, key: &Key, pod: &Value) -> bool {
        // Who made a Pod that failed makes another.
        let is_replaced = || pod["status"]["phase"].str() == "Failed" && object::controller_of(pod).is_some();
        !is_system_namespace(&key.namespace)
            && !is_settled(PODS, Some(pod), self.now())
            && (object::is_deleting(pod) || !is_replaced())
    }

    fn workloads(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let store = &self.cluster.server.store;
        WORKLOADS.into_iter().flat_map(move |resource| {
            let own = store.list(resource, None).filter(|(key, _)| !is_system_namespace(&key.namespace));
            own.filter(|(_, it)| !is_settled(resource, Some(it), self.now())).map(move |(_, it)| (resource, it))
        })
    }

    fn pod(&self, pod: &Value) -> Obstacle {
        let status = &pod["status"];
        let all = || ["initContainerStatuses", "containerStatuses"].into_iter().flat_map(|part| status[part].items());
        let wrong =
            all().find(|one| !one["ready"].is_true() && one.at(&["state", "terminated", "exitCode"]).int() != 0);
        let waiting = all().find(|one| one["state"].has("waiting"));
        let worst = wrong.or(waiting).or_else(|| all().find(|one| one["restartCount"].int() > 0));
        let ended =
            ["state", "lastState"].iter().find_map(|part| worst?.at(&[part, "terminated", "exitCode"]).as_int());
        let word = table::pod_summary(pod).reason;
        let condition = |kind: &str| object::condition(pod, kind).filter(|it| it["status"].str() == "False");
        let detail = match condition("PodScheduled") {
            Some(condition) => condition["message"].str().split(". ").next().unwrap_or_default().trim_end_matches('.'),
            None if word.contains("Image") => worst.map_or("", |one| one["image"].str()),
            None if condition("Ready").is_some() && word == "Running" => "not Ready",
            None => "",
        };
        Obstacle {
            object: object::reference(PODS, pod),
            exit: ended.filter(|_| !word.contains("Image")),
            restarts: all().map(|one| one["restartCount"].int()).sum(),
            detail: detail.to_string(),
            next: self.cluster.kubelets.next_try(pod["metadata"]["uid"].str()).filter(|_| word != "Running"),
            word,
        }
    }
}

fn container(it: Unwell) -> Obstacle {
    let object = ObjectRef { resource: "containers".into(), name: it.name.as_str().into(), ..ObjectRef::default() };
    let (exit, restarts, next) = (it.exit, it.restarts, it.next);
    Obstacle { object, word: it.word.into(), exit, restarts, detail: String::new(), next }
}

fn workload(resource: &str, it: &Value) -> Obstacle {
    let message = object::condition(it, "ReplicaFailure").map_or("", |condition| condition["message"].str());
    let (spec, status) = (&it["spec"], &it["status"]);
    let (ready, wanted) = match it["kind"].str() {
        "DaemonSet" => (&status["numberReady"], &status["desiredNumberScheduled"]),
        "Job" => (&status["succeeded"], &spec["completions"]),
        _ => (&status["readyReplicas"], &spec["replicas"]),
    };
    Obstacle {
        object: object::reference(resource, it),
        word: format!("{}/{}", ready.int(), wanted.as_int().unwrap_or(1)),
        exit: None,
        restarts: 0,
        detail: message.to_string(),
        next: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::cluster::{Preset, Setup};
    use crate::lab::Input;

    fn line(it: &Obstacle, now: Time) -> String {
        let exit = it.exit.map_or(String::new(), |code| format!(" exit {code}"));
        let next = it.next.map_or(String::new(), |next| format!(" in {}", (next - now).as_seconds()));
        let detail = if it.detail.is_empty() { String::new() } else { format!(" [{}]", it.detail) };
        format!("{} {} {}{exit} ↻{}{detail}{next}", it.object.resource, it.object.name, it.word, it.restarts)
    }

    #[test]
    fn what_is_in_the_way_is_named_with_its_reason_and_the_next_try() {
        for (command, seconds, expected) in [
            ("kubectl run web --image=nginx", 30, vec![]),
            ("kubectl run done --image=busybox --restart=Never -- true", 30, vec![]),
            (
                "kubectl run crash --image=busybox -- sh -c 'sleep 5; exit 3'",
                45,
                vec!["pods crash Error exit 3 ↻2 in 7"],
            ),
            ("kubectl run crash --image=busybox -- sh -c 'sleep 5; exit 3'", 60, vec!["pods crash Running exit 3 ↻3"]),
            (
                "kubectl create deployment web --image=nginx:nope",
                60,
                vec!["pods web-… ErrImagePull ↻0 [nginx:nope] in 22"],
            ),
            (
                "kubectl run big --image=nginx --overrides='{\"spec\":{\"nodeSelector\":{\"a\":\"b\"}}}'",
                30,
                vec![
                    "pods big Pending ↻0 [0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector]",
                ],
            ),
            (
                "kubectl create quota none --hard=pods=0; kubectl create deployment web --image=nginx",
                30,
                vec![
                    "deployments.apps web 0/1 ↻0 [pods \"web-…\" is forbidden: exceeded quota: none, requested: pods=1, used: pods=0, limited: pods=0]",
                ],
            ),
            (
                "docker run -d --name loop --restart=always busybox sh -c 'exit 4'",
                60,
                vec!["containers loop restarting exit 4 ↻10 in 45"],
            ),
            ("docker run -d --name once busybox sh -c 'exit 4'", 30, vec![]),
        ] {
            let mut lab = Lab::new(Setup::new(Preset::Kind));
            lab.input(Input::Line(command.into()));
            lab.advance(lab.now() + Span::seconds(seconds), u64::MAX);
            let mut lines: Vec<String> = lab.obstacles().iter().map(|it| line(it, lab.now())).collect();
            for text in &mut lines {
                for start in ["web-"] {
                    if let Some(at) = text.find(start) {
                        let end = text[at..].find([' ', '"']).map_or(text.len(), |end| at + end);
                        text.replace_range(at + start.len()..end, "…");
                    }
                }
            }
            assert_eq!(lines, expected, "{command}");
            assert_eq!(lab.has_obstacles(&mut None), !lines.is_empty(), "{command}");
        }
    }
}
