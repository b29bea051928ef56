//! The controllers against the real API server.

use crate::api::object;
use crate::api::resource::{Client, DEPLOYMENTS, NAMESPACES, PODS};
use crate::api::{Answer, Config, Cx as ServerCx, Server};
use crate::base::http::{Request, Response};
use crate::base::{Chance, Span, Time, Value};
use crate::controller::{Controllers, Token};
use crate::informer::Caches;
use crate::map;
use crate::sim::{Agenda, Ask, Cx, Weather};
use crate::trace::{Actor, Trace};

enum Due {
    Wake(Token),
    Call(Box<Request>, Option<Token>),
    Deliver,
}

struct Live {
    now: Time,
    server: Server,
    see: Caches,
    agenda: Agenda<Due>,
    controllers: Controllers,
    chance: Chance,
    trace: Trace,
    weather: Weather,
    delivered: u64,
    planned: u64,
}

impl Live {
    fn new() -> Live {
        Live {
            now: Time::from_seconds(1_800_000_000),
            server: Server::new(Config::default(), 100, 100_000),
            see: Caches::default(),
            agenda: Agenda::default(),
            controllers: Controllers::new(),
            chance: Chance::new(1),
            trace: Trace::new(10_000),
            weather: Weather::of_the_traces(),
            delivered: 100,
            planned: 100,
        }
    }

    fn ask(&mut self, request: &Request) -> Response {
        // Whoever acts as a node from outside has a node's rights only.
        let node = request.user.name.starts_with("system:node:");
        let actor = if node { Actor::Kubelet(0) } else { Actor::User };
        let mut cx = ServerCx { now: self.now, chance: &mut self.chance, trace: &mut self.trace, cause: 0, actor };
        let answer = self.server.handle(&mut cx, request);
        if self.server.store.revision() > self.planned {
            self.planned = self.server.store.revision();
            self.agenda.add(self.now + self.weather.watch, 0, Due::Deliver);
        }
        match answer {
            Answer::Done(response) => response,
            Answer::Node(_) => panic!("no node"),
        }
    }

    fn act(&mut self, f: impl FnOnce(&mut Controllers, &mut Cx<'_, Token>, &Caches)) {
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
        f(&mut self.controllers, &mut cx, &self.see);
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
        while let Some(due) = self.agenda.take(until) {
            self.now = due.at;
            match due.wake {
                Due::Wake(token) => self.act(|c, cx, see| c.wake(cx, see, token)),
                Due::Call(request, token) => {
                    let response = self.ask(&request);
                    assert!(response.ok() || matches!(response.code, 404 | 409), "{request:?}\n{response:?}");
                    if let Some(token) = token {
                        self.act(|c, cx, see| c.reply(cx, see, token, response));
                    }
                }
                Due::Deliver => {
                    let changes: Vec<_> = self.server.store.since(self.delivered).unwrap().cloned().collect();
                    for change in changes {
                        self.delivered = change.revision;
                        self.see.apply(&change);
                        self.act(|c, cx, see| c.observe(cx, see, &change));
                    }
                }
            }
        }
        self.now = until;
    }

    /// A kubelet in one stroke: every pod not ready becomes so, every pod on its way out goes.
    fn kubelet(&mut self) {
        let client = Client::new("system:node:n", &["system:nodes"], "kubelet");
        let pods: Vec<Value> = self.server.store.list(&PODS, None).map(|(_, pod)| pod.clone()).collect();
        for mut pod in pods {
            if object::is_deleting(&pod) {
                let options = map! { "gracePeriodSeconds" => 0 };
                self.ask(&client.delete(&PODS, object::namespace(&pod), object::name(&pod), options));
            } else if !object::condition_is(&pod, "Ready", "True") {
                let at = self.now.rfc3339();
                pod.set(&["status", "phase"], "Running");
                let ready = map! { "type" => "Ready", "status" => "True", "lastTransitionTime" => at };
                pod.set(&["status", "conditions"], vec![ready]);
                let response = self.ask(&client.update(&PODS, "status", pod));
                assert!(response.ok(), "{response:?}");
            }
        }
    }

    fn settle(&mut self) {
        for _ in 0..12 {
            self.run(Span::millis(500));
            self.kubelet();
        }
        self.run(Span::seconds(1));
    }

    fn check(&mut self, want: &str) {
        let client = Client::new("kubernetes-admin", &["system:masters"], "kubectl");
        let web = self.ask(&client.get(&DEPLOYMENTS, "t", "web"));
        let status = web.value().get("status");
        let pods = self.server.store.list(&PODS, Some("t")).count();
        let mut got = format!("{pods} pods");
        for key in ["replicas", "updatedReplicas", "availableReplicas"] {
            got += &format!(" {}", status.get(key).int());
        }
        for condition in status["conditions"].items() {
            got += &format!(" {}", condition["reason"].str());
        }
        assert_eq!(got, want);
    }
}

#[test]
fn the_real_server_and_the_controllers_agree() {
    let mut live = Live::new();
    let client = Client::new("kubernetes-admin", &["system:masters"], "kubectl");
    let namespace = map! { "apiVersion" => "v1", "kind" => "Namespace", "metadata" => map! { "name" => "t" } };
    assert!(live.ask(&client.create(&NAMESPACES, "", namespace)).ok());
    live.run(Span::seconds(1));
    let mut web = super::deployment(3, "nginx:1.29");
    web.set(&["metadata", "namespace"], "t");
    let response = live.ask(&client.create(&DEPLOYMENTS, "t", web));
    assert!(response.ok(), "{response:?}");
    live.settle();
    live.check("3 pods 3 3 3 MinimumReplicasAvailable NewReplicaSetAvailable");
    let mut web = live.ask(&client.get(&DEPLOYMENTS, "t", "web")).value().clone();
    web.set(&["spec", "replicas"], 5);
    assert!(live.ask(&client.update(&DEPLOYMENTS, "", web)).ok());
    live.settle();
    live.check("5 pods 5 5 5 NewReplicaSetAvailable MinimumReplicasAvailable");
    let mut web = live.ask(&client.get(&DEPLOYMENTS, "t", "web")).value().clone();
    web.set(&["spec", "template", "metadata", "annotations", "v"], "2");
    assert!(live.ask(&client.update(&DEPLOYMENTS, "", web)).ok());
    live.settle();
    live.check("5 pods 5 5 5 MinimumReplicasAvailable NewReplicaSetAvailable");
    live.ask(&client.delete(&DEPLOYMENTS, "t", "web", Value::Null));
    live.settle();
    assert_eq!(live.server.store.list(&PODS, Some("t")).count(), 0);
    live.ask(&client.delete(&NAMESPACES, "", "t", Value::Null));
    live.run(Span::seconds(7));
    assert_eq!(live.server.store.list(&NAMESPACES, None).count(), 0);
}
