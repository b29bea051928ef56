//! The loop: an agenda, a store, the controllers, and pods made ready by hand.

use crate::base::BTreeMap;

use crate::api::object;
use crate::api::resource;
use crate::base::http::{Method, Request, Response};
use crate::base::{Chance, Span, Time, Value};
use crate::controller::{Controllers, Token};
use crate::informer::Caches;
use crate::map;
use crate::sim::{Agenda, Ask, Cx, Weather};
use crate::store::{Key, Store};
use crate::trace::{Actor, Trace};

#[derive(Clone, Debug)]
enum Due {
    Wake(Token),
    Call(Box<Request>, Option<Token>),
    Deliver(u64),
}

pub struct World {
    pub now: Time,
    start: Time,
    pub store: Store,
    pub see: Caches,
    agenda: Agenda<Due>,
    controllers: Controllers,
    chance: Chance,
    trace: Trace,
    weather: Weather,
    names: BTreeMap<String, String>,
    counts: BTreeMap<String, u32>,
    log: String,
    pub events: String,
    uids: u32,
    /// Requests the server refuses, by path.
    pub refuse: Option<(&'static str, &'static str)>,
}

impl World {
    pub fn new() -> World {
        let start = Time::from_seconds(1_800_000_000);
        World {
            now: start,
            start,
            store: Store::new(100, 1_000_000),
            see: Caches::default(),
            agenda: Agenda::default(),
            controllers: Controllers::new(),
            chance: Chance::new(1),
            trace: Trace::new(1000),
            weather: Weather::of_the_traces(),
            names: BTreeMap::new(),
            counts: BTreeMap::new(),
            log: String::new(),
            events: String::new(),
            uids: 0,
            refuse: None,
        }
    }

    pub fn take_log(&mut self) -> String {
        std::mem::take(&mut self.log)
    }

    pub fn create(&mut self, resource: &str, object: Value) -> Value {
        let namespace = object::namespace(&object).to_owned();
        self.post(resource, &namespace, object).body.value().clone()
    }

    /// A user's change to an object.
    pub fn edit(&mut self, resource: &str, namespace: &str, name: &str, change: impl Fn(&mut Value)) {
        let key = Key { resource: resource.into(), namespace: namespace.into(), name: name.into() };
        let before = self.store.get(&key).cloned().unwrap();
        let mut after = before.clone();
        change(&mut after);
        self.commit(key, before, after, "update");
    }

    pub fn delete(&mut self, resource: &str, namespace: &str, name: &str, policy: &str) {
        let client = resource::Client::new("me", &[], "kubectl");
        let body = map! { "propagationPolicy" => policy };
        let request = client.delete(resource, namespace, name, body);
        self.serve(&request);
    }

    pub fn get(&self, resource: &str, namespace: &str, name: &str) -> Option<&Value> {
        self.store.get(&Key { resource: resource.into(), namespace: namespace.into(), name: name.into() })
    }

    pub fn ready_all(&mut self) {
        let pods: Vec<(Key, Value)> = self.store.list("pods", None).map(|(k, v)| (k.clone(), v.clone())).collect();
        for (key, pod) in pods {
            if object::is_deleting(&pod) {
                self.remove(key, pod);
            } else if !object::condition_is(&pod, "Ready", "True") {
                let at = self.now.rfc3339();
                let mut after = pod.clone();
                after.set(&["status", "phase"], "Running");
                after.set(
                    &["status", "conditions"],
                    vec![map! { "type" => "Ready", "status" => "True", "lastTransitionTime" => at }],
                );
                self.commit(key, pod, after, "ready");
            }
        }
    }

    pub fn run(&mut self, span: Span) {
        let until = self.now + span;
        while let Some(due) = self.agenda.take(until) {
            self.now = due.at;
            match due.wake {
                Due::Wake(token) => self.act(|c, cx, see| c.wake(cx, see, token)),
                Due::Call(request, token) => {
                    let response = self.serve(&request);
                    if let Some(token) = token {
                        self.act(|c, cx, see| c.reply(cx, see, token, response));
                    }
                }
                Due::Deliver(revision) => {
                    let change = self.store.since(revision - 1).unwrap().next().unwrap().clone();
                    self.see.apply(&change);
                    self.act(|c, cx, see| c.observe(cx, see, &change));
                }
            }
        }
        self.now = until;
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

    fn serve(&mut self, request: &Request) -> Response {
        if let Some((path, message)) = self.refuse
            && request.method == Method::Post
            && request.path.ends_with(path)
        {
            return status(403, "Forbidden", message);
        }
        let (key, sub) = locate(&request.path);
        let body = request.body.value().clone();
        if request.method == Method::Post && key.name.is_empty() {
            return self.post(&key.resource, &key.namespace, body);
        }
        let Some(before) = self.store.get(&key).cloned() else { return status(404, "NotFound", "not found") };
        match request.method {
            Method::Get => Response::new(200, before),
            Method::Delete => {
                let policy = body["propagationPolicy"].str();
                if key.resource == "namespaces" {
                    let mut after = before.clone();
                    after.set(&["metadata", "deletionTimestamp"], self.now.rfc3339());
                    after.set(&["status", "phase"], "Terminating");
                    return Response::new(200, self.commit(key, before, after, "mark"));
                }
                let graceful = key.resource == "pods" && !before["spec"]["nodeName"].str().is_empty();
                let held = !before["metadata"]["finalizers"].items().is_empty()
                    || !policy.is_empty() && policy != "Background";
                if (graceful || held) && !object::is_deleting(&before) {
                    let mut after = before.clone();
                    after.set(&["metadata", "deletionTimestamp"], self.now.rfc3339());
                    if policy == "Foreground" || policy == "Orphan" {
                        let name = if policy == "Orphan" { "orphan" } else { "foregroundDeletion" };
                        after.set(&["metadata", "finalizers"], vec![Value::text(name)]);
                    }
                    return Response::new(200, self.commit(key, before, after, "mark"));
                }
                self.remove(key, before.clone());
                Response::new(200, before)
            }
            Method::Put => {
                if object::resource_version(&body) != object::resource_version(&before) {
                    return status(409, "Conflict", "the object has been modified");
                }
                let mut after = before.clone();
                if sub.is_empty() || sub == "finalize" {
                    after = body;
                    after.set(&["status"], before.get("status"));
                } else {
                    after.set(&["status"], body.get("status"));
                    after.set(&["metadata", "annotations"], body["metadata"].get("annotations"));
                }
                let verb = if sub.is_empty() { "update" } else { "status" };
                Response::new(200, self.commit(key, before, after, verb))
            }
            Method::Patch => {
                let mut after = before.clone();
                merge(&mut after, &body);
                Response::new(200, self.commit(key, before, after, "patch"))
            }
            Method::Post => {
                let mut after = before.clone();
                after.set(&["spec", "nodeName"], body["target"].get("name"));
                Response::new(201, self.commit(key, before, after, "bind"))
            }
            _ => status(405, "MethodNotAllowed", "no"),
        }
    }

    fn post(&mut self, resource: &str, namespace: &str, mut object: Value) -> Response {
        if resource == "events" {
            let text = format!("{} {}: {}\n", object["type"].str(), object["reason"].str(), object["message"].str());
            self.events.push_str(&text);
            return Response::new(201, object);
        }
        if object::name(&object).is_empty() {
            let prefix = object["metadata"]["generateName"].str().to_owned();
            let count = self.counts.entry(prefix.clone()).or_default();
            *count += 1;
            object.set(&["metadata", "name"], format!("{prefix}{count}"));
        }
        if !namespace.is_empty() {
            object.set(&["metadata", "namespace"], namespace);
        }
        let key = Key { resource: resource.into(), namespace: namespace.into(), name: object::name(&object).into() };
        if self.store.get(&key).is_some() {
            return status(409, "AlreadyExists", "already exists");
        }
        self.uids += 1;
        object.set(&["metadata", "uid"], format!("uid-{:06}", self.uids));
        object.set(&["metadata", "creationTimestamp"], self.now.rfc3339());
        object.set(&["metadata", "generation"], 1);
        match resource {
            "replicasets.apps" | "replicationcontrollers" => object.set(&["status", "replicas"], 0),
            "pods" => object.set(&["status", "phase"], "Pending"),
            "namespaces" => object.set(&["status", "phase"], "Active"),
            _ => {
                if object.get("status").is_null() {
                    object.set(&["status"], Value::empty_map());
                }
            }
        }
        Response::new(201, self.commit(key, Value::Null, object, "create"))
    }

    fn remove(&mut self, key: Key, before: Value) {
        self.write_log("remove", &key, &before, &Value::Null);
        let revision = self.store.write(key, None, 0);
        self.agenda.add(self.now + self.weather.watch, 0, Due::Deliver(revision));
    }

    fn commit(&mut self, key: Key, before: Value, mut after: Value, verb: &str) -> Value {
        if before["spec"] != after["spec"] && !before.is_null() {
            after.set(&["metadata", "generation"], before["metadata"]["generation"].int() + 1);
        }
        if after["metadata"]["annotations"].is_empty() {
            after.remove(&["metadata", "annotations"]);
        }
        if before == after {
            return after;
        }
        if object::is_deleting(&after)
            && after["metadata"]["finalizers"].items().is_empty()
            && key.resource != "pods"
            && after["spec"]["finalizers"].items().is_empty()
        {
            self.remove(key, before);
            return after;
        }
        self.write_log(verb, &key, &before, &after);
        after.set(&["metadata", "resourceVersion"], self.store.next_revision().to_string());
        let revision = self.store.write(key, Some(after.clone()), 0);
        self.agenda.add(self.now + self.weather.watch, 0, Due::Deliver(revision));
        after
    }

    fn write_log(&mut self, verb: &str, key: &Key, before: &Value, after: &Value) {
        let name = match key.resource.as_str() {
            "replicasets.apps" => {
                let letters = ["H", "N", "O", "P"];
                let count = self.names.len();
                let letter =
                    self.names.entry(key.name.to_string()).or_insert_with(|| format!("web-{}", letters[count]));
                letter.clone()
            }
            _ => {
                let found = self.names.iter().find(|(name, _)| key.name.starts_with(name.as_str()));
                found.map_or(key.name.to_string(), |(name, short)| key.name.replace(name.as_str(), short))
            }
        };
        let at = (self.now - self.start).as_seconds_f64();
        let resource = key.resource.split('.').next().unwrap();
        let mut text = format!("{at:.3} {verb} {resource} {name}");
        if verb == "update" && before["spec"]["replicas"] != after["spec"]["replicas"] {
            text += &format!(": {} -> {}", before["spec"]["replicas"].int(), after["spec"]["replicas"].int());
        }
        if verb == "status" {
            text.push(':');
            let (old, new) = (before["status"].entries(), after["status"].entries());
            for key in old.keys().chain(new.keys()).collect::<crate::base::BTreeSet<_>>() {
                let (a, b) = (before["status"].get(key), after["status"].get(key));
                if key != "conditions" && a != b {
                    text += &if b.is_null() { format!(" -{key}") } else { format!(" {key} {b:?}") };
                }
            }
            for condition in after["status"]["conditions"].items() {
                let old = object::condition(before, condition["type"].str());
                if old != Some(condition) {
                    let same = old.is_some_and(|old| old["reason"] == condition["reason"]);
                    let word = if same { "updated" } else { condition["reason"].str() };
                    text += &format!(" {} {} {word}", condition["type"].str(), condition["status"].str());
                }
            }
        }
        self.log.push_str(&text);
        self.log.push('\n');
    }
}

fn status(code: u16, reason: &str, message: &str) -> Response {
    Response::new(
        code,
        map! { "kind" => "Status", "reason" => reason, "message" => message, "code" => i64::from(code) },
    )
}

fn locate(path: &str) -> (Key, String) {
    let mut parts: Vec<&str> = path.split('/').skip(1).collect();
    let group = if parts[0] == "apis" { format!(".{}", parts[1]) } else { String::new() };
    parts.drain(..if parts[0] == "apis" { 3 } else { 2 });
    let mut namespace = "";
    if parts[0] == "namespaces" && parts.len() > 2 && parts[2] != "finalize" && parts[2] != "status" {
        namespace = parts[1];
        parts.drain(..2);
    }
    let at = |i: usize| parts.get(i).copied().unwrap_or_default();
    let resource = format!("{}{group}", at(0));
    (Key { resource: resource.into(), namespace: namespace.into(), name: at(1).into() }, at(2).to_owned())
}

fn merge(target: &mut Value, patch: &Value) {
    for (key, value) in patch.entries().iter() {
        if key == "uid" {
            continue;
        }
        if value.is_null() {
            target.remove(&[key]);
        } else if value.as_map().is_some() {
            if target.get(key).is_null() {
                target.set(&[key], Value::empty_map());
            }
            let mut inner = target.get(key).clone();
            merge(&mut inner, value);
            target.set(&[key], inner);
        } else if value[0].has("$patch") {
            let gone = value[0]["uid"].str();
            let left: Vec<Value> = target.get(key).items().iter().filter(|o| o["uid"].str() != gone).cloned().collect();
            target.set(&[key], left);
        } else {
            target.set(&[key], value);
        }
    }
}
