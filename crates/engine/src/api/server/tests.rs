use super::*;
use crate::base::json;
use crate::base::http::User;

pub struct Lab {
    server: Server,
    chance: Chance,
    trace: Trace,
    now: Time,
}

impl Lab {
    pub fn new() -> Lab {
        let mut lab = Lab {
            server: Server::new(Config::default(), 100, 1000),
            chance: Chance::new(1),
            trace: Trace::new(1000),
            now: Time::from_seconds(1_767_225_600),
        };
        for name in ["default", "kube-system"] {
            lab.ask(&format!("POST /api/v1/namespaces\n{{\"metadata\":{{\"name\":\"{name}\"}}}}"));
        }
        lab
    }

    fn cx(&mut self) -> Cx<'_> {
        Cx { now: self.now, chance: &mut self.chance, trace: &mut self.trace, cause: 0, actor: Actor::User }
    }

    /// `METHOD /path?query [content type]` and the body on the lines after it.
    pub fn ask(&mut self, text: &str) -> Response {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let mut words = head.split(' ');
        let method = match words.next().unwrap() {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            _ => Method::Delete,
        };
        let url = words.next().unwrap();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let user = User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] };
        let mut request = Request::new(&user, "kubectl", method, path);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            request.query.push((key.into(), value.replace("%20", " ")));
        }
        request.content_type = words.next().unwrap_or("").into();
        request.accept = words.next().unwrap_or("").into();
        if !body.is_empty() {
            request.body = Body::Text(body.into());
        }
        let mut server = self.server.clone();
        let answer = server.handle(&mut self.cx(), &request);
        self.server = server;
        match answer {
            Answer::Done(response) => response,
            Answer::Node(call) => Response::new(299, format!("{call:?}").into()),
        }
    }

    /// The answer's code and message, or the named parts of its object.
    pub fn check(&mut self, request: &str, want: &str) {
        let response = self.ask(request);
        let value = response.value();
        let mut got = format!("{}", response.code);
        if value["kind"].str() == "Status" {
            got.push_str(&format!(" {}", value["message"].str()));
        }
        assert_eq!(got.trim(), want, "{request}\n{value:?}");
    }
}

#[test]
fn creates_reads_updates_and_deletes() {
    let mut lab = Lab::new();
    lab.check("POST /api/v1/namespaces/default/configmaps\n{\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":\"v\"}}", "201");
    lab.check("POST /api/v1/namespaces/default/configmaps\n{\"metadata\":{\"name\":\"a\"}}", "409 configmaps \"a\" already exists");
    lab.check("POST /api/v1/namespaces/no/configmaps\n{\"metadata\":{\"name\":\"a\"}}", "404 namespaces \"no\" not found");
    lab.check("GET /api/v1/namespaces/default/configmaps/b", "404 configmaps \"b\" not found");
    let object = lab.ask("GET /api/v1/namespaces/default/configmaps/a").value().clone();
    assert_eq!((object["kind"].str(), object["apiVersion"].str()), ("ConfigMap", "v1"));
    let mut changed = object.clone();
    changed.set(&["data", "k"], "w");
    let put = |value: &Value| format!("PUT /api/v1/namespaces/default/configmaps/a\n{}", json::compact(value));
    lab.check(&put(&changed), "200");
    lab.check(&put(&changed), "409 Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please apply your changes to the latest version and try again");
    let list = lab.ask("GET /api/v1/configmaps").value().clone();
    assert_eq!((list["kind"].str(), list["items"].items().len()), ("ConfigMapList", 1));
    lab.check("DELETE /api/v1/namespaces/default/configmaps/a", "200");
    assert_eq!(lab.server.store.list("configmaps", None).count(), 0);
}

#[test]
fn patches_scales_and_binds() {
    let mut lab = Lab::new();
    let deployment = r#"{"metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"x"}]}}}}"#;
    lab.check(&format!("POST /apis/apps/v1/namespaces/default/deployments\n{deployment}"), "201");
    let web = "/apis/apps/v1/namespaces/default/deployments/web";
    let strategic = "application/strategic-merge-patch+json";
    let merge = "application/merge-patch+json";
    let patched = lab.ask(&format!("PATCH {web} {strategic}\n{{\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"name\":\"c\",\"image\":\"y\"}}]}}}}}}}}"));
    let object = patched.value();
    assert_eq!(object["spec"]["template"]["spec"]["containers"][0]["image"].str(), "y");
    assert_eq!(object["metadata"]["generation"].int(), 2);
    let before = lab.server.store.revision();
    lab.check(&format!("PATCH {web} {merge}\n{{\"spec\":{{\"replicas\":2}},\"status\":{{\"replicas\":7}}}}"), "200");
    assert_eq!(lab.server.store.revision(), before);
    lab.check(&format!("PATCH {web} {merge}\n{{\"metadata\":{{\"name\":\"b\"}}}}"), "400 the name of the object (b) does not match the name on the URL (web)");
    lab.check(&format!("PATCH {web} application/json-patch+json\n[{{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":9}}]"), "422 the server rejected our request due to an error in our request");
    lab.check(&format!("PATCH {web} text/plain\n{{}}"), "415 the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml");
    let scale = lab.ask(&format!("PATCH {web}/scale {merge}\n{{\"spec\":{{\"replicas\":5}}}}")).value().clone();
    assert_eq!((scale["kind"].str(), scale["spec"]["replicas"].int(), scale["status"]["selector"].str()), ("Scale", 5, "a=b"));
    lab.check(&format!("PATCH {web}/scale {merge}\n{{\"spec\":{{\"replicas\":-1}}}}"), "422 Scale.autoscaling \"web\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0");
    lab.check("GET /apis/apps/v1/namespaces/default/daemonsets/x/scale", "404 the server could not find the requested resource");
    let pods = "/api/v1/namespaces/default/pods";
    lab.check(&format!("POST {pods}\n{{\"metadata\":{{\"name\":\"p\"}},\"spec\":{{\"containers\":[{{\"name\":\"c\",\"image\":\"x\"}}]}}}}"), "201");
    let bind = format!("POST {pods}/p/binding\n{{\"target\":{{\"name\":\"node-1\"}}}}");
    lab.check(&bind, "201");
    lab.check(&bind, "409 Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"node-1\"");
    let deleted = lab.ask(&format!("DELETE {pods}/p")).value().clone();
    assert_eq!((deleted["metadata"]["deletionGracePeriodSeconds"].int(), deleted["metadata"]["deletionTimestamp"].str()), (30, "2026-01-01T00:00:30Z"));
    lab.check(&format!("DELETE {pods}/p?gracePeriodSeconds=0"), "200");
    lab.check(&format!("GET {pods}/p"), "404 pods \"p\" not found");
}

#[test]
fn watches_with_selectors() {
    let mut lab = Lab::new();
    let maps = "/api/v1/namespaces/default/configmaps";
    lab.ask(&format!("POST {maps}\n{{\"metadata\":{{\"name\":\"a\",\"labels\":{{\"x\":\"1\"}}}}}}"));
    let stream = lab.ask(&format!("GET {maps}?watch=true&labelSelector=x=1")).stream.unwrap();
    lab.ask(&format!("POST {maps}\n{{\"metadata\":{{\"name\":\"b\"}}}}"));
    lab.ask(&format!("PATCH {maps}/b application/merge-patch+json\n{{\"metadata\":{{\"labels\":{{\"x\":\"1\"}}}}}}"));
    lab.ask(&format!("PATCH {maps}/a application/merge-patch+json\n{{\"metadata\":{{\"labels\":{{\"x\":\"2\"}}}}}}"));
    let revision = lab.server.store.revision();
    let frames = lab.server.deliver(lab.now, revision);
    let seen: Vec<String> = frames
        .iter()
        .map(|(id, frame)| match frame {
            crate::base::http::Frame::Event(event) => {
                assert_eq!(*id, stream);
                format!("{} {}", event["type"].str(), event["object"]["metadata"]["name"].str())
            }
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(seen, ["ADDED a", "ADDED b", "DELETED a"]);
    lab.check(&format!("GET {maps}?watch=true&resourceVersion=1"), "410 too old resource version: 1 (100)");
    lab.check(&format!("GET {maps}?fieldSelector=spec.x=1"), "400 \"spec.x\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
    lab.check(&format!("GET {maps}?resourceVersionMatch=Exact"), "422 ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
}

#[test]
fn discovery_is_as_recorded() {
    let mut lab = Lab::new();
    const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    macro_rules! recorded {
        ($name:literal) => {
            json::parse(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/discovery/", $name))).unwrap()
        };
    }
    let mut check = |request: &str, want: Value| {
        let got = lab.ask(request).value().clone();
        if got != want {
            let (a, b) = (json::pretty(&got, 1), json::pretty(&want, 1));
            let line = a.lines().zip(b.lines()).position(|(a, b)| a != b).unwrap_or(0);
            let around = |text: &str| text.lines().skip(line.saturating_sub(8)).take(14).collect::<Vec<_>>().join("\n");
            panic!("{request}\ngot {}\nwant {}", around(&a), around(&b));
        }
    };
    check("GET /api", recorded!("api.json"));
    check("GET /apis", recorded!("apis.json"));
    check(&format!("GET /api  {AGGREGATED}"), recorded!("api.aggregated.json"));
    check(&format!("GET /apis  {AGGREGATED}"), recorded!("apis.aggregated.json"));
}
