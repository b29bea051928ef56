//! Attempts against caches filled by hand; requests are read from the outbox.

use super::*;
use crate::base::{Chance, json};
use crate::sim::{Ask, Asked, Weather};
use crate::trace::Trace;

struct Bench {
    now: Time,
    see: Caches,
    scheduler: Scheduler,
    chance: Chance,
    trace: Trace,
    weather: Weather,
    due: Vec<Asked<Token>>,
    revision: u64,
    /// Requests so far, as text.
    said: Vec<String>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            now: Time::from_seconds(1_800_000_000),
            see: Caches::default(),
            scheduler: Scheduler::new(),
            chance: Chance::new(7),
            trace: Trace::new(100),
            weather: Weather::of_the_traces(),
            due: Vec::new(),
            revision: 0,
            said: Vec::new(),
        }
    }

    fn act(&mut self, f: impl FnOnce(&mut Scheduler, &mut Cx<'_, Token>, &Caches)) {
        let mut cx = Cx {
            now: self.now,
            actor: Actor::Lab,
            cause: 0,
            chance: &mut self.chance,
            trace: &mut self.trace,
            weather: &self.weather,
            outbox: &mut self.due,
        };
        f(&mut self.scheduler, &mut cx, &self.see);
    }

    fn write(&mut self, resource: &str, text: &str) {
        let mut object = json::parse(text).unwrap();
        self.revision += 1;
        object.set(&["metadata", "resourceVersion"], self.revision.to_string());
        self.put(resource, object);
    }

    fn put(&mut self, resource: &str, object: Value) {
        let key = Key {
            resource: resource.into(),
            namespace: object::namespace(&object).into(),
            name: object::name(&object).into(),
        };
        let before = self.see.get(&key).cloned().unwrap_or_default();
        let change = Change { revision: self.revision, key, before, after: object, entry: 0 };
        self.see.apply(&change);
        self.act(|s, cx, see| s.observe(cx, see, &change));
    }

    fn node(&mut self, name: &str, cpu: &str, extra: &str) {
        self.write("nodes", &format!(
            r#"{{"kind":"Node","metadata":{{"name":"{name}","labels":{{"kubernetes.io/hostname":"{name}"}}}},"spec":{{{extra}}},
            "status":{{"allocatable":{{"cpu":"{cpu}","memory":"8Gi","pods":"110","ephemeral-storage":"10Gi"}}}}}}"#
        ));
    }

    fn pod(&mut self, name: &str, cpu: &str, extra: &str) {
        self.write("pods", &format!(
            r#"{{"kind":"Pod","metadata":{{"name":"{name}","namespace":"default","uid":"u-{name}","labels":{{"app":"a"}}}},
            "spec":{{"schedulerName":"default-scheduler","containers":[{{"name":"c","image":"i","resources":{{"requests":{{"cpu":"{cpu}"}}}}}}]{extra}}},
            "status":{{"phase":"Pending"}}}}"#
        ));
    }

    /// Lets everything due within a while happen; bindings change the pods.
    fn run(&mut self, span: Span) {
        let until = self.now + span;
        let mut at_once = 0;
        while let Some(at) =
            self.due.iter().enumerate().filter(|(_, a)| a.at <= until).min_by_key(|(i, a)| (a.at, *i)).map(|(i, _)| i)
        {
            let asked = self.due.remove(at);
            at_once = if asked.at == self.now { at_once + 1 } else { 0 };
            assert!(at_once < 1000, "the clock goes on");
            self.now = asked.at;
            match asked.ask {
                Ask::Wake(token) => self.act(|s, cx, see| s.wake(cx, see, token)),
                Ask::Call(request, token) => {
                    let body = request.body.value();
                    let name = request.path.split('/').nth(6).unwrap_or_default().to_owned();
                    if request.path.ends_with("/binding") {
                        let key = Key { resource: PODS, namespace: "default".into(), name: name.as_str().into() };
                        let mut pod = self.see.get(&key).cloned().unwrap();
                        pod.set(&["spec", "nodeName"], &body["target"]["name"]);
                        self.said.push(format!("bind {name}"));
                        self.put("pods", pod);
                    } else if request.path.ends_with("/events") {
                        self.said.push(format!("{}: {}", body["reason"].str(), body["message"].str()));
                    }
                    if let Some(token) = token {
                        self.act(|s, cx, see| s.reply(cx, see, token, Response::new(200, Value::Null)));
                    }
                }
            }
        }
        self.now = until;
    }

    fn said(&mut self) -> String {
        std::mem::take(&mut self.said).join("\n")
    }
}

/// New pods are tried before those that failed, whose back-offs end meanwhile: at every distance of the two.
#[test]
fn a_back_off_that_ends_during_an_attempt_does_not_hold_the_clock() {
    for wait in (880..940).step_by(3) {
        let mut bench = Bench::new();
        bench.node("w1", "4", "");
        (0..8).for_each(|n| bench.pod(&format!("old-{n}"), "5", ""));
        bench.run(Span::millis(100));
        bench.run(Span::millis(wait));
        bench.node("w1", "4500m", "");
        (0..8).for_each(|n| bench.pod(&format!("new-{n}"), "5", ""));
        bench.run(Span::seconds(2));
        assert_eq!(bench.said().matches("Insufficient cpu").count(), 16, "{wait}");
    }
}

const TAINT: &str = r#""taints":[{"key":"node-role.kubernetes.io/control-plane","effect":"NoSchedule"}]"#;

#[test]
fn failures_say_what_is_wrong_with_each_node() {
    let mut bench = Bench::new();
    bench.pod("early", "1", "");
    bench.run(Span::millis(20));
    assert_eq!(bench.said(), "FailedScheduling: no nodes available to schedule pods");
    bench.node("cp", "4", TAINT);
    bench.node("w1", "4", "");
    bench.node("w2", "4", "");
    bench.run(Span::seconds(1));
    let said = bench.said();
    assert!(said.contains("bind early\nScheduled: Successfully assigned default/early to w"), "{said}");
    bench.pod("big", "5", "");
    bench.run(Span::millis(20));
    assert_eq!(
        bench.said(),
        "FailedScheduling: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. preemption: \
         0/3 nodes are available: 3 Preemption is not helpful for scheduling."
    );
    bench.pod("picky", "1", r#","nodeSelector":{"disk":"ssd"}"#);
    bench.run(Span::millis(20));
    assert_eq!(
        bench.said(),
        "FailedScheduling: 0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node \
         affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling."
    );
    bench.pod("claim", "1", r#","volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"none"}}]"#);
    bench.run(Span::millis(20));
    assert_eq!(
        bench.said(),
        "FailedScheduling: 0/3 nodes are available: persistentvolumeclaim \"none\" not found. not found"
    );
}

#[test]
fn a_pod_of_higher_priority_takes_room() {
    let mut bench = Bench::new();
    bench.node("w1", "2", "");
    bench.pod("low", "2", "");
    bench.run(Span::millis(50));
    bench.pod("equal", "1", "");
    bench.run(Span::millis(50));
    bench.pod("high", "1", r#","priority":100"#);
    bench.run(Span::millis(100));
    assert_eq!(
        bench.said(),
        "bind low\n\
         Scheduled: Successfully assigned default/low to w1\n\
         FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims \
         found for incoming pod.\n\
         FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement for pod on \
         node w1, preempting 1 victims\n\
         Preempted: Preempted by pod u-high on node w1"
    );
}

#[test]
fn replicas_spread_evenly() {
    let mut bench = Bench::new();
    for n in 0..100 {
        bench.node(&format!("n{n:03}"), "1000", "");
    }
    let set = r#"{"kind":"ReplicaSet","metadata":{"name":"rs","namespace":"default","uid":"rs"},"spec":{"selector":{"matchLabels":{"app":"a"}}}}"#;
    bench.write("replicasets.apps", set);
    let count = 300;
    for n in 0..count {
        bench.write("pods", &format!(
            r#"{{"kind":"Pod","metadata":{{"name":"p{n:05}","namespace":"default","uid":"u{n}","labels":{{"app":"a"}},
            "ownerReferences":[{{"kind":"ReplicaSet","name":"rs","uid":"rs","controller":true}}]}},
            "spec":{{"schedulerName":"default-scheduler","containers":[{{"name":"c","image":"i"}}]}},"status":{{}}}}"#
        ));
        bench.run(Span::millis(20));
    }
    let mut per_node: BTreeMap<String, usize> = BTreeMap::new();
    for (_, pod) in bench.see.list(&PODS, None) {
        *per_node.entry(pod["spec"]["nodeName"].str().into()).or_default() += 1;
    }
    assert_eq!(per_node.len(), 100);
    assert!(per_node.values().all(|n| *n == 3), "{per_node:?}");
}
