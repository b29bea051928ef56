//! What a client of the API sees: conflicts, preconditions, patches, lists at a version, watches, namespaces, nodes.
//! (Facts that kubectl can show are scripts in tests/transcripts.)

use engine::api::Answer;
use engine::base::http::{Body, Frame, Method, Request, Response, User};
use engine::base::{Span, Value, json};
use engine::cluster::{Cluster, Mail, Preset, Setup};
use engine::trace::Actor;

const PODS: &str = "/api/v1/namespaces/t/pods";
const POD: &str = r#"{"metadata":{"name":"p","labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"registry.k8s.io/pause:3.10"}]}}"#;

struct Lab {
    cluster: Cluster,
}

impl Lab {
    fn new() -> Lab {
        let mut lab = Lab { cluster: Cluster::new(Setup::new(Preset::Kind)) };
        lab.done("POST /api/v1/namespaces", r#"{"metadata":{"name":"t"}}"#);
        lab.pass(1000);
        lab
    }

    /// `METHOD /path?query [content type]`, and the body.
    fn request(head: &str, body: &str) -> Request {
        let mut words = head.split(' ');
        let method = match words.next().unwrap() {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            _ => Method::Delete,
        };
        let (path, query) = words.next().map(|url| url.split_once('?').unwrap_or((url, ""))).unwrap();
        let user = User { name: "admin".into(), groups: vec!["system:masters".into()] };
        let mut request = Request::new(&user, "test", method, path);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap();
            request.query.push((key.into(), value.into()));
        }
        request.content_type = words.next().unwrap_or_default().into();
        if !body.is_empty() {
            request.body = Body::Text(body.into());
        }
        request
    }

    fn ask(&mut self, head: &str, body: &str) -> Response {
        match self.cluster.handle(Actor::User, 0, &Lab::request(head, body)) {
            Answer::Done(response) => response,
            Answer::Node(_) => panic!("{head} went on to a node"),
        }
    }

    /// A request that has to be granted.
    fn done(&mut self, head: &str, body: &str) -> Value {
        let response = self.ask(head, body);
        assert!(response.ok(), "{head}: {} {}", response.code, response.value()["message"].str());
        response.value().clone()
    }

    /// A request that has to be refused: code and message.
    fn refused(&mut self, head: &str, body: &str) -> String {
        let response = self.ask(head, body);
        assert!(!response.ok(), "{head} was granted");
        format!("{} {}", response.code, response.value()["message"].str())
    }

    fn pass(&mut self, millis: i64) {
        let until = self.cluster.now + Span::millis(millis);
        while self.cluster.step(until) {}
        self.cluster.now = until;
    }

    /// The events a watch brings within a second, while `act` happens: type and name, and the objects.
    fn watched(&mut self, url: &str, act: impl FnOnce(&mut Lab)) -> Vec<(String, Value)> {
        self.cluster.take_mail();
        self.cluster.submit(7, 0, Lab::request(&format!("GET {url}"), ""));
        self.pass(50);
        act(self);
        self.pass(1000);
        let mail = self.cluster.take_mail();
        self.cluster.hang_up(7);
        let event = |(number, mail): (u64, Mail)| match mail {
            Mail::Frame(Frame::Event(event)) if number == 7 => Some((
                format!("{} {}", event["type"].str(), event.at(&["object", "metadata", "name"]).str()),
                event["object"].clone(),
            )),
            _ => None,
        };
        mail.into_iter().filter_map(event).collect()
    }
}

fn version(object: &Value) -> String {
    object.at(&["metadata", "resourceVersion"]).str().to_string()
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn created_objects_are_filled_in() {
    let mut lab = Lab::new();
    let pod = lab.done(&format!("POST {PODS}"), POD);
    assert_eq!((pod["apiVersion"].str(), pod["kind"].str()), ("v1", "Pod"));
    assert_eq!(pod.at(&["metadata", "namespace"]).str(), "t");
    assert!(version(&pod).parse::<u64>().unwrap() > 0);
    assert!(
        !pod.at(&["metadata", "uid"]).str().is_empty() && !pod.at(&["metadata", "creationTimestamp"]).str().is_empty()
    );
    assert_eq!(lab.refused("POST /api/v1/namespaces/nowhere/pods", POD), "404 namespaces \"nowhere\" not found");
}

#[test]
fn an_outdated_copy_is_refused() {
    let mut lab = Lab::new();
    lab.done("POST /api/v1/namespaces/t/services", r#"{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}}"#);
    lab.done("POST /api/v1/nodes", r#"{"metadata":{"name":"n"}}"#);
    lab.done(&format!("POST {PODS}"), POD);
    lab.done(
        "POST /api/v1/namespaces/t/events",
        r#"{"metadata":{"name":"e"},"involvedObject":{"namespace":"t"},"reason":"R"}"#,
    );
    let slices = "/apis/discovery.k8s.io/v1/namespaces/t/endpointslices";
    lab.done(&format!("POST {slices}"), r#"{"metadata":{"name":"x"},"addressType":"IPv4","endpoints":[]}"#);
    lab.pass(100);
    let objects = [
        ("/api/v1/namespaces/t/services/s", "services \"s\""),
        ("/api/v1/nodes/n", "nodes \"n\""),
        ("/api/v1/namespaces/t/pods/p", "pods \"p\""),
        ("/api/v1/namespaces/t/events/e", "events \"e\""),
        ("/api/v1/namespaces/t", "namespaces \"t\""),
        ("/apis/discovery.k8s.io/v1/namespaces/t/endpointslices/x", "endpointslices.discovery.k8s.io \"x\""),
    ];
    for (url, name) in objects {
        let old = lab.done(&format!("GET {url}"), "");
        let mut new = old.clone();
        new.set(&["metadata", "labels", "first"], "yes");
        lab.done(&format!("PUT {url}"), &json::compact(&new));
        assert_eq!(
            lab.refused(&format!("PUT {url}"), &json::compact(&old)),
            format!(
                "409 Operation cannot be fulfilled on {name}: the object has been modified; please apply your changes \
                 to the latest version and try again"
            )
        );
        assert_eq!(lab.done(&format!("GET {url}"), "").at(&["metadata", "labels", "first"]).str(), "yes");
    }
}

#[test]
fn preconditions_of_deletes_hold() {
    let mut lab = Lab::new();
    let pod = lab.done(&format!("POST {PODS}"), POD);
    let node = lab.done("POST /api/v1/nodes", r#"{"metadata":{"name":"n"}}"#);
    let label = r#"{"metadata":{"labels":{"a":"b"}}}"#;
    for (url, kind, name, old) in
        [(format!("{PODS}/p"), "Pod", "p", pod), ("/api/v1/nodes/n".into(), "Node", "n", node)]
    {
        let new = lab.done(&format!("PATCH {url} application/merge-patch+json"), label);
        let options = format!(r#"{{"preconditions":{{"resourceVersion":"{}"}}}}"#, version(&old));
        assert_eq!(
            lab.refused(&format!("DELETE {url}"), &options),
            format!(
                "409 Operation cannot be fulfilled on {kind} \"{name}\": the ResourceVersion in the precondition ({}) \
                 does not match the ResourceVersion in record ({}). The object might have been modified",
                version(&old),
                version(&new)
            )
        );
        assert!(lab.done(&format!("GET {url}"), "").at(&["metadata", "deletionTimestamp"]).is_null());
    }
    lab.done("DELETE /api/v1/nodes/n", "");
    assert_eq!(lab.refused("GET /api/v1/nodes/n", ""), "404 nodes \"n\" not found");
}

#[test]
fn patches_keep_names_and_merge_by_key() {
    let mut lab = Lab::new();
    lab.done(&format!("POST {PODS}"), POD);
    lab.done("POST /api/v1/namespaces/t/services", r#"{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}}"#);
    let node = lab.done("GET /api/v1/nodes", "")["items"].items()[0].at(&["metadata", "name"]).str().to_string();
    let node_url = format!("/api/v1/nodes/{node}");
    let objects = [
        (format!("{PODS}/p"), "p"),
        ("/api/v1/namespaces/t/services/s".to_string(), "s"),
        ("/api/v1/namespaces/t".into(), "t"),
        (node_url, node.as_str()),
    ];
    for (url, name) in objects {
        assert_eq!(
            lab.refused(&format!("PATCH {url} application/merge-patch+json"), r#"{"metadata":{"name":"other"}}"#),
            format!("400 the name of the object (other) does not match the name on the URL ({name})")
        );
    }
    let owner = |uid: &str| format!(r#"{{"apiVersion":"v1","kind":"Node","name":"{node}","uid":"{uid}"}}"#);
    let body = format!(
        r#"{{"metadata":{{"ownerReferences":[{},{}],"finalizers":["a.b/f","a.b/g"]}}}}"#,
        owner("u1"),
        owner("u2")
    );
    lab.done(&format!("PATCH {PODS}/p application/merge-patch+json"), &body);
    let body = r#"{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"u1"}],"$deleteFromPrimitiveList/finalizers":["a.b/f"]}}"#;
    let pod = lab.done(&format!("PATCH {PODS}/p application/strategic-merge-patch+json"), body);
    let uids: Vec<&str> =
        pod.at(&["metadata", "ownerReferences"]).items().iter().map(|owner| owner["uid"].str()).collect();
    assert_eq!(uids, ["u2"]);
    assert_eq!(json::compact(pod.at(&["metadata", "finalizers"])), r#"["a.b/g"]"#);
    let body = r#"{"metadata":{"ownerReferences":[{"$patch":"delete","uid":"u2"}]}}"#;
    let pod = lab.done(&format!("PATCH {PODS}/p application/strategic-merge-patch+json"), body);
    assert!(!pod["metadata"].has("ownerReferences"));
}

#[test]
fn lists_know_their_versions() {
    let mut lab = Lab::new();
    let pod = lab.done(&format!("POST {PODS}"), POD);
    let list = lab.done(&format!("GET {PODS}?resourceVersion={}&resourceVersionMatch=NotOlderThan", version(&pod)), "");
    assert!(version(&list).parse::<u64>().unwrap() >= version(&pod).parse::<u64>().unwrap());
    assert_eq!(list["items"].items().len(), 1);
    let invalid = "422 ListOptions.meta.k8s.io \"\" is invalid: ";
    let forbidden =
        "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided";
    assert_eq!(lab.refused(&format!("GET {PODS}?resourceVersionMatch=Exact"), ""), format!("{invalid}{forbidden}"));
    assert_eq!(
        lab.refused(&format!("GET {PODS}?resourceVersionMatch=Newest"), ""),
        format!(
            "{invalid}[{forbidden}, resourceVersionMatch: Unsupported value: \"Newest\": supported values: \"Exact\", \
             \"NotOlderThan\", \"\"]"
        )
    );
    assert_eq!(
        lab.refused(&format!("GET {PODS}?resourceVersion=0&resourceVersionMatch=Exact"), ""),
        format!(
            "{invalid}resourceVersionMatch: Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""
        )
    );
}

#[test]
fn deletes_answer_with_the_object_or_a_status() {
    let mut lab = Lab::new();
    lab.done(&format!("POST {PODS}"), POD);
    lab.done("POST /api/v1/namespaces/t/services", r#"{"metadata":{"name":"s"},"spec":{"ports":[{"port":80}]}}"#);
    lab.done(
        "POST /api/v1/namespaces/t/events",
        r#"{"metadata":{"name":"e"},"involvedObject":{"namespace":"t"},"reason":"R"}"#,
    );
    let slices = "/apis/discovery.k8s.io/v1/namespaces/t/endpointslices";
    lab.done(&format!("POST {slices}"), r#"{"metadata":{"name":"x"},"addressType":"IPv4","endpoints":[]}"#);
    for url in ["/api/v1/namespaces/t/events/e", &format!("{slices}/x")] {
        let answer = lab.done(&format!("DELETE {url}"), "");
        assert_eq!((answer["kind"].str(), answer["status"].str()), ("Status", "Success"), "{url}");
    }
    for (url, kind) in [("/api/v1/namespaces/t/services/s", "Service"), (&format!("{PODS}/p"), "Pod")] {
        assert_eq!(lab.done(&format!("DELETE {url}"), "")["kind"].str(), kind);
    }
    let again = lab.done(&format!("POST {PODS}"), &POD.replace("\"p\"", "\"q\""));
    assert_eq!(again.at(&["metadata", "name"]).str(), "q");
    let answer = lab.done(&format!("DELETE {PODS}/q"), r#"{"gracePeriodSeconds":1}"#);
    // Nobody has bound it yet: it goes at once, and the answer is what it was.
    assert_eq!(answer["kind"].str(), "Pod");
}

#[test]
fn graceful_deletes_show_their_grace() {
    let mut lab = Lab::new();
    lab.done(&format!("POST {PODS}"), POD);
    lab.pass(10_000);
    let answer = lab.done(&format!("DELETE {PODS}/p"), r#"{"gracePeriodSeconds":1}"#);
    assert_eq!(answer.at(&["metadata", "deletionGracePeriodSeconds"]).as_int(), Some(1));
    assert!(!answer.at(&["metadata", "deletionTimestamp"]).is_null());
    lab.done(&format!("GET {PODS}/p"), "");
    lab.pass(5_000);
    assert_eq!(lab.refused(&format!("GET {PODS}/p"), ""), "404 pods \"p\" not found");
}

#[test]
fn watches_miss_nothing() {
    let mut lab = Lab::new();
    lab.done(&format!("POST {PODS}"), &POD.replace("\"p\"", "\"other\"").replace("\"x\"", "\"y\""));
    lab.done(&format!("POST {PODS}"), POD);
    lab.pass(10_000);
    let label = r#"{"metadata":{"labels":{"seen":"yes"}}}"#;
    let patch = format!("PATCH {PODS}/p application/merge-patch+json");
    // Without a version: what is there comes first.
    let events = lab.watched(&format!("{PODS}?watch=true"), |_| {});
    assert_eq!(names(&events), ["ADDED other", "ADDED p"]);
    // From the version of a list: what happened in between.
    let list = lab.done(&format!("GET {PODS}"), "");
    lab.done(&patch, label);
    let url = format!("{PODS}?watch=true&resourceVersion={}", version(&list));
    let events = lab.watched(&url, |_| {});
    assert_eq!(names(&events), ["MODIFIED p"]);
    assert_ne!(version(&events[0].1), version(&list["items"].items()[1]));
    // Only what the selectors choose.
    let url = format!("{PODS}?watch=true&labelSelector=app=x");
    let create = |lab: &mut Lab| {
        lab.done(&format!("POST {PODS}"), &POD.replace("\"p\"", "\"q\"").replace("\"x\"", "\"y\""));
    };
    assert_eq!(names(&lab.watched(&url, create)), ["ADDED p"]);
    let url = format!("{PODS}?watch=true&fieldSelector=spec.nodeName=kind-control-plane");
    let create = |lab: &mut Lab| {
        let spec = r#""spec":{"nodeName":"elsewhere","#;
        lab.done(
            &format!("POST {PODS}"),
            &POD.replace("\"p\"", "\"z\"").replace("\"x\"", "\"y\"").replace(r#""spec":{"#, spec),
        );
    };
    let events = lab.watched(&url, create);
    assert!(
        names(&events).contains(&"ADDED q") && !names(&events).iter().any(|name| name.ends_with(" z")),
        "{:?}",
        names(&events)
    );
    // A watch by label ends for an object that leaves the selection.
    let relabel = |lab: &mut Lab| {
        lab.done(&patch, r#"{"metadata":{"labels":{"app":"z"}}}"#);
    };
    assert_eq!(
        names(&lab.watched(&format!("{PODS}?watch=true&labelSelector=app=x"), relabel)),
        ["ADDED p", "DELETED p"]
    );
}

#[test]
fn deletes_check_how_dependents_go() {
    let mut lab = Lab::new();
    let sets = "/apis/apps/v1/namespaces/t/replicasets";
    let set = r#"{"metadata":{"name":"r"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"nginx"}]}}}}"#;
    lab.done(&format!("POST {sets}"), set);
    let url = format!("DELETE {sets}/r");
    let invalid = "422 DeleteOptions.meta.k8s.io \"\" is invalid: ";
    assert_eq!(
        lab.refused(&url, r#"{"propagationPolicy":"Never"}"#),
        format!(
            "{invalid}propagationPolicy: Unsupported value: \"Never\": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""
        )
    );
    let both = lab.refused(&url, r#"{"propagationPolicy":"Orphan","orphanDependents":true}"#);
    assert!(
        both.starts_with(invalid) && both.ends_with("orphanDependents and deletionPropagation cannot be both set"),
        "{both}"
    );
}
