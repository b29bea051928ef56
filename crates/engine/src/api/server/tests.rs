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
