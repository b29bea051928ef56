//! Kubelets against the real API server on a small agenda of its own, compared with recorded timelines.

use super::{Kubelets, NodeConfig, Token};
use crate::api::resource::{Client, EVENTS};
use crate::api::{self, Answer, Server};
use crate::base::{Chance, Span, Time, Value};
use crate::informer::Caches;
use crate::map;
use crate::sim::{Agenda, Ask, Cx, Weather};
use crate::store::Key;
use crate::trace::{Actor, Trace};

#[derive(Clone)]
enum Due {
    Wake(Token),
    Call(Box<crate::base::http::Request>, Option<Token>),
    Deliver,
}

struct Lab {
    now: Time,
    start: Time,
    agenda: Agenda<Due>,
    chance: Chance,
    trace: Trace,
    weather: Weather,
    server: Server,
    caches: Caches,
    delivered: u64,
    kubelets: Kubelets,
    client: Client,
    lines: Vec<String>,
}

impl Lab {
    fn new() -> Lab {
        let start = Time::parse("2026-11-29T17:00:00Z").unwrap();
        let mut lab = Lab {
            now: start,
            start,
            agenda: Agenda::default(),
            chance: Chance::new(1),
            trace: Trace::new(10_000),
            weather: Weather::default(),
            server: Server::new(api::Config::default(), 1, 10_000),
            caches: Caches::default(),
            delivered: 1,
            kubelets: Kubelets::new(vec![NodeConfig::default()]),
            client: Client::new("kubernetes-admin", &["system:masters"], "kubectl"),
            lines: Vec::new(),
        };
        for name in ["default", "kube-node-lease"] {
            lab.request(&lab.client.create(
                "namespaces",
                "",
                map! { "apiVersion" => "v1", "kind" => "Namespace", "metadata" => map! { "name" => name } },
            ));
        }
        lab.request(&lab.client.create("serviceaccounts", "default", map! { "apiVersion" => "v1", "kind" => "ServiceAccount", "metadata" => map! { "name" => "default", "namespace" => "default" } }));
        lab.request(&lab.client.create("configmaps", "default", map! { "apiVersion" => "v1", "kind" => "ConfigMap", "metadata" => map! { "name" => "kube-root-ca.crt", "namespace" => "default" }, "data" => map! { "ca.crt" => "x" } }));
        lab.act(|kubelets, cx, _| kubelets.start(cx));
        lab.run(Span::seconds(2));
        lab.start = lab.now;
        lab.lines.clear();
        lab
    }

    fn request(&mut self, request: &crate::base::http::Request) -> crate::base::http::Response {
        let before = self.server.store.revision();
        let mut cx =
            api::Cx { now: self.now, chance: &mut self.chance, trace: &mut self.trace, cause: 0, actor: Actor::User };
        let Answer::Done(response) = self.server.handle(&mut cx, request) else { panic!("a node call") };
        if !response.ok() {
            self.lines.push(format!("! {} {:?}", request.path, response.value()["message"]));
        }
        if self.server.store.revision() > before {
            self.agenda.add(self.now + self.weather.watch, 0, Due::Deliver);
            self.note(before);
        }
        response
    }

    /// One line per write on a pod or event of a pod.
    fn note(&mut self, before: u64) {
        let at = self.now - self.start;
        let changes: Vec<_> = self.server.store.since(before).map(|c| c.cloned().collect()).unwrap_or_default();
        for change in changes {
            let change: crate::store::Change = change;
            if change.key.resource == EVENTS {
                let event = &change.after;
                if event.at(&["involvedObject", "kind"]).str() == "Pod" {
                    self.lines.push(format!(
                        "{:.3} {} {}",
                        at.as_seconds_f64(),
                        event["reason"].str(),
                        event["message"].str()
                    ));
                }
            } else if change.key.resource == "pods" {
                self.lines.push(format!("{:.3} {}", at.as_seconds_f64(), row(&change.after)));
            }
        }
    }

    fn act(&mut self, act: impl FnOnce(&mut Kubelets, &mut Cx<'_, Token>, &Caches)) {
        let mut outbox = Vec::new();
        let mut cx = Cx {
            now: self.now,
            actor: Actor::Lab,
            cause: 0,
            chance: &mut self.chance,
            trace: &mut self.trace,
            weather: &self.weather,
            outbox: &mut outbox,
        };
        act(&mut self.kubelets, &mut cx, &self.caches);
        for asked in outbox {
            let due = match asked.ask {
                Ask::Wake(token) => Due::Wake(token),
                Ask::Call(request, token) => Due::Call(request, token),
            };
            self.agenda.add(asked.at, 0, due);
        }
    }

    fn run(&mut self, span: Span) {
        let until = self.now + span;
        let mut steps = 0;
        while let Some(due) = self.agenda.take(until) {
            steps += 1;
            assert!(steps < 20_000, "too many steps: {:#?}", self.lines.iter().rev().take(10).collect::<Vec<_>>());
            self.now = due.at;
            match due.wake {
                Due::Wake(token) => self.act(|kubelets, cx, see| kubelets.wake(cx, see, token)),
                Due::Call(request, token) => {
                    let response = self.request(&request);
                    if let Some(token) = token {
                        self.act(|kubelets, cx, see| kubelets.reply(cx, see, token, response));
                    }
                }
                Due::Deliver => {
                    let changes: Vec<_> = self.server.store.since(self.delivered).unwrap().cloned().collect();
                    self.delivered = self.server.store.revision();
                    for change in changes {
                        self.caches.apply(&change);
                        self.act(|kubelets, cx, see| kubelets.observe(cx, see, &change));
                    }
                }
            }
        }
        self.now = until;
    }

    fn pod(&mut self, spec: Value) {
        let mut spec = spec;
        spec.set(&["nodeName"], "node-1");
        let pod = map! { "apiVersion" => "v1", "kind" => "Pod", "metadata" => map! { "name" => "web", "namespace" => "default" }, "spec" => spec };
        self.request(&self.client.create("pods", "default", pod));
    }

    fn status(&self) -> Value {
        let key = Key { resource: "pods".into(), namespace: "default".into(), name: "web".into() };
        self.server.store.get(&key).map(|pod| pod["status"].clone()).unwrap_or_default()
    }
}

/// Phase, and the state of each container.
fn row(pod: &Value) -> String {
    if pod.is_null() {
        return "gone".into();
    }
    let status = &pod["status"];
    let states = status["containerStatuses"].items().iter().map(|container| {
        let state = container["state"].entries();
        let word = state.iter().next().map(|(key, value)| match value["reason"].str() {
            "" => key.to_string(),
            reason => reason.to_string(),
        });
        format!("{}({})", word.unwrap_or_default(), container["restartCount"].int())
    });
    let deleting = if pod["metadata"].has("deletionTimestamp") { " deleting" } else { "" };
    format!("{} {}{deleting}", status["phase"].str(), states.collect::<Vec<_>>().join(" "))
}

fn container(image: &str, more: Value) -> Value {
    let mut container = map! { "name" => "c", "image" => image };
    for (key, value) in more.entries().iter() {
        container.set(&[key], value.clone());
    }
    map! { "containers" => crate::list![container], "restartPolicy" => "Always", "terminationGracePeriodSeconds" => 30 }
}

#[test]
fn a_pod_starts_and_is_deleted_as_recorded() {
    let mut lab = Lab::new();
    lab.pod(container("nginx:1.29.0", map! {}));
    lab.run(Span::seconds(8));
    let status = lab.status();
    let kinds: Vec<&str> = status["conditions"].items().iter().map(|c| c["type"].str()).collect();
    assert_eq!(kinds, ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"]);
    assert!(
        status["conditions"].items().iter().all(|c| c["status"].str() == "True" && c["observedGeneration"].int() == 1)
    );
    lab.request(&lab.client.delete("pods", "default", "web", map! {}));
    lab.run(Span::seconds(3));
    let text = lab.lines.join("\n");
    // Timelines (a), without the 25 ms of the scheduler.
    let want = "\
0.000 Pending \n0.020 Pending ContainerCreating(0)\n0.580 Pending ContainerCreating(0)\n0.580 Pulling Pulling image \"nginx:1.29.0\"
4.060 Pulled Successfully pulled image \"nginx:1.29.0\" in 3.48s (3.48s including waiting). Image size: 72000000 bytes.
4.110 Created Container created
4.160 Started Container started
4.190 Running running(0)
8.000 Running running(0) deleting
8.020 Running running(0) deleting
8.020 Killing Stopping container c
8.140 Succeeded Completed(0) deleting
9.010 Succeeded Completed(0) deleting
9.010 gone";
    assert_eq!(text, want);
}

#[test]
fn a_bad_tag_and_a_crash() {
    let mut lab = Lab::new();
    lab.pod(container("nginx:nope", map! {}));
    lab.run(Span::seconds(50));
    println!("{}", lab.lines.join("\n"));
    let mut lab = Lab::new();
    lab.pod(container("busybox:1.36", map! { "command" => crate::list!["sh", "-c", "exit 1"] }));
    lab.run(Span::seconds(100));
    println!("{}", lab.lines.join("\n"));
    panic!();
}
