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
            weather: Weather::of_the_traces(),
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
        // The kubelet is a part of the cluster; users who act as a node are held to what a node may do.
        let of_node = request.user.name.starts_with("system:node:");
        let actor = if of_node { Actor::Kubelet(0) } else { Actor::User };
        let mut cx = api::Cx { now: self.now, chance: &mut self.chance, trace: &mut self.trace, cause: 0, actor };
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

/// Running is written at 4.19 s, and the looks at the runtime are at whole seconds.
#[test]
fn a_young_pod_is_stopped_after_the_next_look() {
    for (deleted, killed) in [(4_500, "5.010"), (5_100, "5.120"), (5_900, "5.920"), (8_000, "8.020")] {
        let mut lab = Lab::new();
        lab.pod(container("nginx:1.29.0", map! {}));
        lab.run(Span::millis(deleted));
        lab.request(&lab.client.delete("pods", "default", "web", map! {}));
        lab.run(Span::seconds(2));
        let line = lab.lines.iter().find(|line| line.contains(" Killing "));
        assert_eq!(line.and_then(|line| line.split(' ').next()), Some(killed), "deleted at {deleted} ms");
    }
}

/// While the status says how the last one ended, the one before it is gone; while it waits, the last one is told.
#[test]
fn the_previous_log_goes_by_the_status() {
    use super::Mail;
    use crate::api::{NodeCall, NodeCallKind};
    use crate::base::http::Body;
    let mut lab = Lab::new();
    lab.pod(container("busybox:1.36", map! { "command" => crate::list!["sh", "-c", "echo hello; exit 1"] }));
    let key = Key { resource: "pods".into(), namespace: "default".into(), name: "web".into() };
    for (until, shown, said) in
        [(100, "Error", "unable to retrieve container logs for "), (158, "CrashLoopBackOff", "hello\n")]
    {
        lab.run(lab.start + Span::seconds(until) - lab.now);
        assert!(row(lab.server.store.get(&key).unwrap()).contains(shown), "at {until} s");
        let call = NodeCall {
            node: "node-1".into(),
            namespace: "default".into(),
            pod: "web".into(),
            uid: api::object::uid(lab.server.store.get(&key).unwrap()).into(),
            container: "c".into(),
            kind: NodeCallKind::Logs {
                follow: false,
                previous: true,
                tail: None,
                since: None,
                timestamps: false,
                limit_bytes: None,
            },
        };
        lab.act(|kubelets, cx, see| kubelets.call(cx, see, 1, call));
        let mail = lab.kubelets.take_mail();
        let text = match mail.last() {
            Some((_, Mail::Reply(response))) => match &response.body {
                Body::Text(text) => text.to_string(),
                other => format!("{other:?}"),
            },
            other => format!("{other:?}"),
        };
        assert!(text.starts_with(said), "at {until} s: {text}");
    }
}

/// Whole seconds and states of the writes, without events.
fn states(lab: &Lab) -> String {
    let rows = lab.lines.iter().filter_map(|line| {
        let (at, rest) = line.split_once(' ')?;
        let (_, state) = rest
            .split_once(' ')
            .filter(|(phase, _)| matches!(*phase, "Pending" | "Running" | "Succeeded" | "Failed"))?;
        let second = at.split('.').next()?;
        state.ends_with(')').then(|| format!("{second} {state}"))
    });
    rows.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_bad_tag_goes_back_and_forth() {
    let mut lab = Lab::new();
    lab.pod(container("nginx:nope", map! {}));
    lab.run(Span::seconds(40));
    assert_eq!(
        states(&lab),
        "0 ContainerCreating(0), 0 ContainerCreating(0), 2 ErrImagePull(0), 13 ImagePullBackOff(0), 26 ErrImagePull(0), \
         37 ImagePullBackOff(0)"
    );
    let text = "ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image \
                \"docker.io/library/nginx:nope\": failed to resolve image: docker.io/library/nginx:nope: not found";
    let message = lab.status()["containerStatuses"][0].at(&["state", "waiting", "message"]).str().to_string();
    assert_eq!(message, format!("Back-off pulling image \"nginx:nope\": {text}"));
}

#[test]
fn a_crash_loop_keeps_its_times() {
    let mut lab = Lab::new();
    lab.pod(container("busybox:1.36", map! { "command" => crate::list!["sh", "-c", "exit 1"] }));
    lab.run(Span::seconds(83));
    assert_eq!(
        states(&lab),
        "0 ContainerCreating(0), 0 ContainerCreating(0), 1 running(0), 2 Error(0), 2 running(1), 3 Error(1), \
         4 CrashLoopBackOff(1), 13 running(2), 14 Error(2), 36 CrashLoopBackOff(2), 36 running(3), 37 Error(3), \
         81 CrashLoopBackOff(3), 81 running(4), 82 Error(4)"
    );
}

#[test]
fn probes_and_missing_things() {
    let mut lab = Lab::new();
    let get =
        map! { "httpGet" => map! { "path" => "/nope", "port" => 80 }, "periodSeconds" => 5, "failureThreshold" => 2 };
    lab.pod(container("nginx:1.29", map! { "livenessProbe" => get }));
    lab.run(Span::seconds(20));
    assert!(
        lab.lines
            .iter()
            .any(|line| line.ends_with("Unhealthy Liveness probe failed: HTTP probe failed with statuscode: 404"))
    );
    assert!(
        lab.lines.iter().any(|line| line.ends_with("Killing Container c failed liveness probe, will be restarted"))
    );
    assert!(lab.lines.iter().any(|line| line.ends_with("Running running(1)")));
    let mut lab = Lab::new();
    lab.pod(container("busybox:1.36", map! { "command" => crate::list!["nope"] }));
    lab.run(Span::seconds(6));
    assert!(states(&lab).contains("RunContainerError(0)"));
    let mut lab = Lab::new();
    let from =
        map! { "valueFrom" => map! { "configMapKeyRef" => map! { "name" => "x", "key" => "k" } }, "name" => "A" };
    lab.pod(container("busybox:1.36", map! { "env" => crate::list![from] }));
    lab.run(Span::seconds(6));
    assert!(lab.lines.iter().any(|line| line.ends_with("Failed Error: configmap \"x\" not found")));
    assert!(states(&lab).ends_with("CreateContainerConfigError(0)"), "{}", states(&lab));
}

#[test]
fn logs_and_exec_answer() {
    use super::Mail;
    use crate::api::{NodeCall, NodeCallKind};
    use crate::base::http::{Body, Frame};
    let mut lab = Lab::new();
    lab.pod(container("busybox:1.36", map! { "command" => crate::list!["sh", "-c", "echo hello; sleep 100"] }));
    lab.run(Span::seconds(5));
    let key = Key { resource: "pods".into(), namespace: "default".into(), name: "web".into() };
    let uid = api::object::uid(lab.server.store.get(&key).unwrap()).to_string();
    let call = |kind: NodeCallKind| NodeCall {
        node: "node-1".into(),
        namespace: "default".into(),
        pod: "web".into(),
        uid: uid.as_str().into(),
        container: "c".into(),
        kind,
    };
    let logs = call(NodeCallKind::Logs {
        follow: false,
        previous: false,
        tail: None,
        since: None,
        timestamps: false,
        limit_bytes: None,
    });
    lab.act(|kubelets, cx, see| kubelets.call(cx, see, 1, logs));
    let command = ["sh", "-c", "hostname; exit 3"].map(String::from).to_vec();
    let exec = call(NodeCallKind::Exec { command, stdin: false, tty: false, stdout: true, stderr: true });
    lab.act(|kubelets, cx, see| kubelets.call(cx, see, 2, exec));
    let mail = lab.kubelets.take_mail();
    assert!(
        matches!(&mail[0], (1, Mail::Reply(response)) if response.body == Body::Text("hello\n".into())),
        "{mail:?}"
    );
    assert!(
        mail.iter().any(|(number, mail)| *number == 2 && *mail == Mail::Frame(Frame::Data(1, b"web\n".to_vec()))),
        "{mail:?}"
    );
    assert!(
        mail.iter().any(
            |(_, mail)| matches!(mail, Mail::Frame(Frame::Data(3, bytes)) if bytes.windows(8).any(|w| w == b"status 3"))
        ),
        "{mail:?}"
    );
    assert_eq!(mail.last(), Some(&(2, Mail::Frame(Frame::End))));
}

#[test]
fn a_pod_too_big_for_its_node_is_refused() {
    let mut lab = Lab::new();
    let requests = map! { "resources" => map! { "requests" => map! { "cpu" => "9" } } };
    lab.pod(container("busybox:1.36", requests));
    lab.run(Span::seconds(3));
    let text = "Node didn't have enough resource: cpu, requested: 9000, used: 0, capacity: 4000";
    assert!(lab.lines.iter().any(|line| line.ends_with(&format!("OutOfcpu {text}"))), "{:?}", lab.lines);
    let status = lab.status();
    assert_eq!(
        (status["phase"].str(), status["message"].str()),
        ("Failed", format!("Pod was rejected: {text}").as_str())
    );
}

#[test]
fn a_job_s_pod_completes_a_relist_later() {
    let mut lab = Lab::new();
    let mut spec = container("busybox:1.36", map! { "command" => crate::list!["true"] });
    spec.set(&["restartPolicy"], "Never");
    lab.pod(spec);
    lab.run(Span::seconds(6));
    let writes: Vec<&str> = lab.lines.iter().map(String::as_str).filter(|line| line.ends_with(')')).collect();
    assert_eq!(
        writes,
        [
            "0.020 Pending ContainerCreating(0)",
            "0.580 Pending ContainerCreating(0)",
            "1.399 Running running(0)",
            "2.010 Running Completed(0)",
            "3.120 Succeeded Completed(0)",
        ]
    );
}
