//! Every object the learner's commands brought about, as a table: owners with what they own below them, generation
//! beside the one that was seen, and conditions.

use engine::api::{object, resource, schema};
use engine::base::{BTreeMap, SmolStr, Time, Value};
use engine::trace::ObjectRef;

use super::story::is_system_namespace;
use super::view::pod_word;

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub object: ObjectRef,
    pub kind: String,
    /// How many owners stand above it.
    pub depth: usize,
    /// metadata.generation and the one that status says was seen.
    pub generation: Option<(i64, Option<i64>)>,
    pub conditions: Vec<Condition>,
    /// What else says how it stands: a Pod's word, a claim's phase.
    pub word: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub name: String,
    pub status: String,
    /// Some conditions are good when they are not so.
    pub is_good: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roster {
    pub lines: Vec<Line>,
    /// How many more there are.
    pub more: usize,
}

const MOST: usize = 400;
const DEEPEST: usize = 8;

/// What stands first; the other kinds follow by name.
const FIRST: [&str; 8] = [
    "deployments.apps",
    "statefulsets.apps",
    "daemonsets.apps",
    "cronjobs.batch",
    "jobs.batch",
    "replicasets.apps",
    "pods",
    "services",
];
/// What tells of others, or goes on for ever.
const LEFT_OUT: [&str; 4] = ["events", "events.events.k8s.io", "leases.coordination.k8s.io", "componentstatuses"];
const BAD: [&str; 8] = [
    "MemoryPressure",
    "DiskPressure",
    "PIDPressure",
    "NetworkUnavailable",
    "ReplicaFailure",
    "Failed",
    "FailureTarget",
    "DisruptionTarget",
];

/// `began` is when the cluster stood: what was there before is not the learner's.
pub fn roster(objects: &dyn Fn(&str) -> Vec<Value>, began: Time) -> Roster {
    let mut names: Vec<String> = FIRST.iter().map(|name| name.to_string()).collect();
    for kind in schema::kinds().iter().filter(|kind| kind.can("list")) {
        let name = kind.qualified_resource();
        if !names.contains(&name) && !LEFT_OUT.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut all: Vec<(usize, ObjectRef, Value)> = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let own = objects(name).into_iter().filter(|it| {
            !is_system_namespace(object::namespace(it)) && object::created(it) >= began && *name != *resource::NODES
        });
        all.extend(own.map(|it| (place, object::reference(name, &it), it)));
    }
    let known: BTreeMap<SmolStr, usize> =
        all.iter().enumerate().map(|(index, (_, object, _))| (object.uid.clone(), index)).collect();
    let mut below: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (index, (.., it)) in all.iter().enumerate() {
        let owner = object::controller_of(it).or_else(|| it.at(&["metadata", "ownerReferences"]).items().first());
        let owner = owner.and_then(|owner| known.get(owner["uid"].str()).copied()).filter(|owner| *owner != index);
        below.entry(owner).or_default().push(index);
    }
    let mut roster = Roster::default();
    list(None, 0, &all, &below, &mut roster);
    roster
}

fn list(
    owner: Option<usize>,
    depth: usize,
    all: &[(usize, ObjectRef, Value)],
    below: &BTreeMap<Option<usize>, Vec<usize>>,
    roster: &mut Roster,
) {
    for index in below.get(&owner).into_iter().flatten() {
        let Some((_, object, it)) = all.get(*index).filter(|_| depth <= DEEPEST) else { continue };
        if roster.lines.len() < MOST {
            roster.lines.push(line(object, it, depth));
        } else {
            roster.more += 1;
        }
        list(Some(*index), depth + 1, all, below, roster);
    }
}

fn line(object: &ObjectRef, it: &Value, depth: usize) -> Line {
    let status = &it["status"];
    let conditions = status["conditions"].items().iter().map(|condition| {
        let (name, status) = (condition["type"].str().to_string(), condition["status"].str().to_string());
        let is_good = (status == "True") != BAD.contains(&name.as_str());
        Condition { name, status, is_good }
    });
    let word = match object.resource.as_str() {
        _ if object::is_deleting(it) => "Terminating".to_string(),
        "pods" => pod_word(it),
        // How many are ready of how many are wanted.
        _ if status.has("replicas") => format!("{}/{}", status["readyReplicas"].int(), it["spec"]["replicas"].int()),
        _ if status.has("desiredNumberScheduled") => {
            format!("{}/{}", status["numberReady"].int(), status["desiredNumberScheduled"].int())
        }
        _ => status["phase"].str().to_string(),
    };
    Line {
        object: object.clone(),
        kind: it["kind"].str().to_string(),
        depth,
        generation: it["metadata"]["generation"].as_int().map(|wanted| (wanted, status["observedGeneration"].as_int())),
        conditions: conditions.collect(),
        word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::base::Span;
    use engine::cluster::{Preset, Setup};
    use engine::lab::{Input, Lab};

    #[test]
    fn owners_stand_above_what_they_own() {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        let began = lab.now();
        lab.input(Input::Line(
            "kubectl create deployment web --image=nginx:nope; kubectl create configmap c; kubectl run one --image=nginx; \
             kubectl create job j --image=busybox -- true"
                .into(),
        ));
        lab.advance(lab.now() + Span::seconds(30), u64::MAX);
        let found = roster(&|resource| lab.objects(resource), began);
        let shown = found.lines.iter().map(|line| {
            let bad: Vec<&str> = line.conditions.iter().filter(|it| !it.is_good).map(|it| it.name.as_str()).collect();
            let name = line.object.name.split('-').next().unwrap_or_default();
            let generation =
                line.generation.map_or("-".into(), |(wanted, seen)| format!("{wanted}/{}", seen.unwrap_or(-1)));
            format!("{}{} {name} {generation} {} {}", "  ".repeat(line.depth), line.kind, line.word, bad.join(" "))
        });
        let shown: Vec<String> = shown.collect();
        assert_eq!(
            shown,
            [
                "Deployment web 1/1 0/1 Available",
                "  ReplicaSet web 1/1 0/1 ",
                "    Pod web 1/1 ErrImagePull Ready ContainersReady",
                "Job j 1/-1  ",
                "  Pod j 1/1 Completed PodReadyToStartContainers Ready ContainersReady",
                "Pod one 1/1 Running ",
                "ConfigMap c -  ",
            ]
        );
        assert_eq!(found.more, 0);
    }
}
