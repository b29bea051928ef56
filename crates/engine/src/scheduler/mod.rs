//! kube-scheduler: takes pods without a node one at a time, filters and scores nodes, binds, and makes room by
//! preemption. One attempt takes `Weather::schedule`; the next does not wait for the binding to be written.
//!
//! Left out: profiles and extenders, other schedulers' pods (they stay as they are), dynamic resources.

mod events;
mod filter;
mod hints;
mod node;
mod preempt;
mod queue;
mod score;
#[cfg(test)]
mod tests;
mod volumes;

use crate::base::{BTreeMap, BTreeSet};

use crate::base::{SmolStr, format_smolstr};

use crate::api::claims::SELECTED_NODE;
use crate::api::object;
use crate::api::resource::{Client, NODES, PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, PatchKind};
use crate::base::http::Response;
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType};
use crate::map;
use crate::sim::Cx;
use crate::store::{Change, Key};
use crate::trace::{Actor, What};

use events::Events;
use filter::{Plugin, Rejection, Wanted};
use hints::Event;
use node::Nodes;
use preempt::Outcome;
use queue::Queue;
use volumes::{Choice, Volumes};

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// The attempt that began is over: decide.
    Attempt,
    /// Look at the back-off queue.
    Backoff,
    /// Look for pods that waited too long.
    Flush,
    /// The binding of a pod (as it was then) to a node was answered.
    Bound(Box<Value>, SmolStr),
    /// See whether a pod's claims are bound; until when to wait.
    Claims(Key, Time),
    /// A victim was marked: delete it; then it is deleted: tell so.
    Marked(Box<Victim>),
    Deleted(Box<Victim>),
}

/// A pod that goes for another.
#[derive(Clone, Debug, PartialEq)]
pub struct Victim {
    pod: Value,
    node: SmolStr,
    preemptor: SmolStr,
}

/// How long a pod waits for its claims to be bound.
const CLAIMS_TIMEOUT: Span = Span::seconds(600);
const CLAIMS_POLL: Span = Span::seconds(1);
const FLUSH: Span = Span::seconds(30);

#[derive(Clone)]
pub struct Scheduler {
    client: Client,
    events: Events,
    nodes: Nodes,
    queue: Queue,
    /// The pod being tried.
    trying: Option<Key>,
    /// Pods that have been given a node which the caches do not show yet.
    assumed: BTreeMap<Key, (SmolStr, Value)>,
    /// Nodes on which pods hope for room.
    nominated: BTreeMap<Key, SmolStr>,
    next_start: usize,
    backoff_at: Option<Time>,
    flush_planned: bool,
}

impl Scheduler {
    /// A scheduler on a machine of that name.
    pub fn on(host: &str) -> Scheduler {
        let mut scheduler = Scheduler::new();
        scheduler.events.host = host.into();
        scheduler
    }

    pub fn new() -> Scheduler {
        Scheduler {
            client: Client::new("system:kube-scheduler", &["system:authenticated"], "kube-scheduler"),
            events: Events::default(),
            nodes: Nodes::default(),
            queue: Queue::default(),
            trying: None,
            assumed: BTreeMap::new(),
            nominated: BTreeMap::new(),
            next_start: 0,
            backoff_at: None,
            flush_planned: false,
        }
    }

    /// Nothing is due before the first pod is seen.
    pub fn start(&mut self, _cx: &mut Cx<'_, Token>) {}

    pub fn observe(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, change: &Change) {
        cx.actor = Actor::Scheduler;
        if change.key.resource == NODES {
            self.nodes.set_node(&change.key.name, &change.after);
        } else if change.key.resource == PODS {
            self.observe_pod(cx, change);
        }
        if self.queue.is_waiting()
            && let Some(event) = Event::of(change)
        {
            self.queue.wake(cx.now, |key, plugins| see.get(key).is_some_and(|pod| event.helps(pod, plugins, see)));
        }
        self.go_on(cx);
    }

    pub fn wake(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, token: Token) {
        cx.actor = Actor::Scheduler;
        match token {
            Token::Attempt => {
                if let Some(key) = self.trying.take() {
                    self.attempt(cx, see, &key);
                }
            }
            Token::Backoff => self.backoff_at = None,
            Token::Flush => {
                self.flush_planned = false;
                self.queue.flush(cx.now);
            }
            Token::Claims(key, until) => self.check_claims(cx, see, &key, until),
            Token::Bound(..) | Token::Marked(_) | Token::Deleted(_) => {}
        }
        self.go_on(cx);
    }

    pub fn reply(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, token: Token, response: Response) {
        cx.actor = Actor::Scheduler;
        match token {
            Token::Bound(pod, node) => self.bound(cx, see, &pod, &node, &response),
            Token::Marked(victim) if response.ok() => {
                let pod = &victim.pod;
                let request = self.client.delete(&PODS, object::namespace(pod), object::name(pod), Value::Null);
                cx.call(request, Some(Token::Deleted(victim)));
            }
            Token::Deleted(victim) if response.ok() => {
                let note = format!("Preempted by pod {} on node {}", victim.preemptor, victim.node);
                self.events.send(cx, &self.client, &victim.pod, EventType::Normal, "Preempted", "Preempting", &note);
            }
            _ => {}
        }
        self.go_on(cx);
    }

    fn observe_pod(&mut self, cx: &mut Cx<'_, Token>, change: &Change) {
        let (key, pod) = (&change.key, &change.after);
        let is_placed = !pod["spec"]["nodeName"].str().is_empty();
        if pod.is_null() || is_placed || !self.assumed.contains_key(key) {
            self.nodes.set_pod(key, pod);
        }
        if pod.is_null() || is_placed {
            self.assumed.remove(key);
            self.nominated.remove(key);
            self.queue.remove(key);
            if self.trying.as_ref() == Some(key) {
                self.trying = None;
            }
            if pod.is_null() {
                self.events.forget(object::uid(&change.before));
            }
            return;
        }
        let spec = pod.get("spec");
        let wanted = spec["schedulerName"].str() == "default-scheduler"
            && spec["schedulingGates"].is_empty()
            && !object::is_finished(pod);
        match (wanted, self.queue.contains(key)) {
            (true, false) if !object::is_deleting(pod) => self.queue.add(key, spec["priority"].int(), cx.now),
            (false, true) => self.queue.remove(key),
            (true, true) => {
                let own = |pod: &Value| (pod.get("spec").clone(), pod["metadata"]["labels"].clone());
                if own(&change.before) != own(pod) {
                    self.queue.wake_one(key, cx.now);
                }
            }
            _ => {}
        }
    }

    /// Begins the next attempt when none runs; plans the next look at what waits.
    fn go_on(&mut self, cx: &mut Cx<'_, Token>) {
        if self.trying.is_none()
            && let Some(key) = self.queue.take(cx.now)
        {
            self.trying = Some(key);
            cx.wake_after(cx.weather.schedule, Token::Attempt);
        }
        // A back-off that ends during an attempt is looked at after it.
        if let Some(at) = self.queue.next_backoff()
            && at > cx.now
            && self.backoff_at.is_none_or(|planned| at < planned)
        {
            self.backoff_at = Some(at);
            cx.wake_at(at, Token::Backoff);
        }
        if self.queue.is_waiting() && !self.flush_planned {
            self.flush_planned = true;
            cx.wake_at(cx.now.next_on_grid(FLUSH, Span::ZERO), Token::Flush);
        }
    }

    fn attempt(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, key: &Key) {
        let Some(pod) = see.get(key) else {
            self.queue.remove(key);
            return;
        };
        let cause = cx.record(What::Sync { object: object::reference(&PODS, pod).into() });
        cx.cause = cause;
        if object::is_deleting(pod) {
            let note = format!("skip schedule deleting pod: {}/{}", key.namespace, key.name);
            self.events.send(cx, &self.client, pod, EventType::Warning, "FailedScheduling", "Scheduling", &note);
            self.queue.remove(key);
            return;
        }
        if self.nodes.real().next().is_none() {
            self.fail(cx, pod, "no nodes available to schedule pods", BTreeSet::new(), None);
            return;
        }
        let volumes = match Volumes::of(pod, see) {
            Ok(volumes) => volumes,
            Err(message) => {
                let total = self.nodes.real().count();
                let message = format!("0/{total} nodes are available: {message}. not found");
                self.fail(cx, pod, &message, [Plugin::VolumeBinding].into(), None);
                return;
            }
        };
        let guests = self.place_nominated(see, key, pod["spec"]["priority"].int());
        let wanted = Wanted::new(key, pod, volumes, &mut self.nodes, see);
        let (feasible, rejections) = self.filter(&wanted);
        if !feasible.is_empty() {
            let node = self.choose(cx, see, &wanted, &feasible);
            self.remove_guests(&guests);
            self.assign(cx, pod, &wanted, &node);
            return;
        }
        let outcome = preempt::preempt(&wanted, &rejections, &self.nodes, see);
        self.remove_guests(&guests);
        let mut reasons: BTreeMap<SmolStr, usize> = BTreeMap::new();
        for reason in rejections.values().flat_map(|rejection| &rejection.reasons) {
            *reasons.entry(reason.clone()).or_default() += 1;
        }
        let plugins = rejections.values().map(|rejection| rejection.plugin).collect();
        let failure = no_nodes(rejections.len(), &reasons);
        match outcome {
            Outcome::Nothing(text) => {
                self.fail(cx, pod, &format!("{failure} preemption: {text}"), plugins, None);
            }
            Outcome::Found { node, victims } => {
                let message = format!(
                    "{failure} preemption: found a potential placement for pod on node {node}, preempting {} victims",
                    victims.len()
                );
                self.evict(cx, pod, &node, &victims);
                self.nominated.insert(key.clone(), node.clone());
                self.fail(cx, pod, &message, plugins, Some(&node));
            }
        }
    }

    /// Counts pods that hope for room on a node, unless they matter less than this one.
    fn place_nominated(&mut self, see: &Caches, key: &Key, priority: i64) -> Vec<Key> {
        let mut guests = Vec::new();
        for (other, node) in &self.nominated {
            let Some(pod) = see.get(other).filter(|pod| other != key && pod["spec"]["priority"].int() >= priority)
            else {
                continue;
            };
            if !self.assumed.contains_key(other) {
                self.nodes.place(other, pod, node);
                guests.push(other.clone());
            }
        }
        guests
    }

    fn remove_guests(&mut self, guests: &[Key]) {
        for key in guests {
            self.nodes.forget(key);
        }
    }

    /// Nodes that pass, in the order looked at and by their places among the real ones, and why the others do not.
    fn filter(&mut self, wanted: &Wanted) -> (Vec<usize>, BTreeMap<SmolStr, Rejection>) {
        let mut rejections = BTreeMap::new();
        let nominated = self.nominated.get(&wanted.key).cloned();
        let nominated = nominated.unwrap_or_else(|| wanted.pod["status"]["nominatedNodeName"].smol());
        if let Some(node) = self.nodes.nodes.get(&nominated).filter(|node| !node.object.is_null())
            && wanted.filter(node).is_none()
        {
            return (self.nodes.real().position(|node| *node.name() == nominated).into_iter().collect(), rejections);
        }
        let all: Vec<&node::Node> = self.nodes.real().collect();
        let total = all.len();
        let enough = match total {
            0..100 => total,
            _ => (total * 50usize.saturating_sub(total / 125).max(5) / 100).max(100),
        };
        let mut feasible = Vec::new();
        let mut looked = 0;
        for (place, node) in all.iter().enumerate().cycle().skip(self.next_start % total.max(1)).take(total) {
            looked += 1;
            match wanted.filter(node) {
                None => feasible.push(place),
                Some(rejection) => drop(rejections.insert(node.name().clone(), rejection)),
            }
            if feasible.len() >= enough {
                break;
            }
        }
        self.next_start = (self.next_start + looked) % total.max(1);
        (feasible, rejections)
    }

    /// The best node; among equals chance decides.
    fn choose(&self, cx: &mut Cx<'_, Token>, see: &Caches, wanted: &Wanted, feasible: &[usize]) -> SmolStr {
        let all: Vec<&node::Node> = self.nodes.real().collect();
        let nodes: Vec<&node::Node> = feasible.iter().filter_map(|place| all.get(*place).copied()).collect();
        if let [only] = nodes.as_slice() {
            return only.name().clone();
        }
        let scores = score::scores(wanted, &nodes, &self.nodes, see);
        let best = scores.iter().copied().max().unwrap_or(0);
        let ties: Vec<&SmolStr> =
            nodes.iter().zip(&scores).filter(|(_, score)| **score == best).map(|(node, _)| node.name()).collect();
        let pick = cx.chance.below("scheduler", ties.len() as u64) as usize;
        ties.get(pick).map(|name| (*name).clone()).unwrap_or_default()
    }

    fn assign(&mut self, cx: &mut Cx<'_, Token>, pod: &Value, wanted: &Wanted, node: &SmolStr) {
        let key = &wanted.key;
        self.nodes.place(key, pod, node);
        self.assumed.insert(key.clone(), (node.clone(), pod.clone()));
        if wanted.volumes.open.is_empty() {
            self.bind(cx, key, pod, node);
            return;
        }
        let body = map! { "status" => map! { "nominatedNodeName" => node } };
        let patch = self.client.patch(&PODS, &key.namespace, &key.name, "status", PatchKind::Strategic, body);
        cx.call(patch, None);
        let choices = self.nodes.nodes.get(node).map(|node| wanted.volumes.choices(node)).unwrap_or_default();
        for choice in &choices {
            if let Some(Choice::Volume(volume)) = choice {
                cx.call(self.client.update(&PERSISTENT_VOLUMES, "", volume.clone()), None);
            }
        }
        for (claim, choice) in wanted.volumes.open.iter().zip(&choices) {
            if matches!(choice, Some(Choice::Provision)) {
                let mut claim = claim.clone();
                claim.set(&["metadata", "annotations", SELECTED_NODE], node);
                cx.call(self.client.update(&PERSISTENT_VOLUME_CLAIMS, "", claim), None);
            }
        }
        // The look comes a second after the claims were written.
        let at = cx.now + cx.weather.write + CLAIMS_POLL;
        cx.wake_at(at, Token::Claims(key.clone(), cx.now + CLAIMS_TIMEOUT));
    }

    fn check_claims(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, key: &Key, until: Time) {
        let Some((node, _)) = self.assumed.get(key).cloned() else { return };
        let Some(pod) = see.get(key) else { return };
        if Volumes::are_bound(pod, see) {
            self.bind(cx, key, pod, &node);
        } else if cx.now < until {
            cx.wake_after(CLAIMS_POLL, Token::Claims(key.clone(), until));
        } else {
            let text = "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline exceeded";
            self.give_back(cx, pod, key, text);
        }
    }

    fn bind(&mut self, cx: &mut Cx<'_, Token>, key: &Key, pod: &Value, node: &SmolStr) {
        let binding = map! {
            "apiVersion" => "v1", "kind" => "Binding",
            "metadata" => map! { "name" => &key.name, "namespace" => &key.namespace },
            "target" => map! { "kind" => "Node", "name" => node },
        };
        let request = self.client.create_sub(&PODS, &key.namespace, &key.name, "binding", binding);
        cx.call(request, Some(Token::Bound(Box::new(pod.clone()), node.clone())));
    }

    fn bound(&mut self, cx: &mut Cx<'_, Token>, see: &Caches, pod: &Value, node: &str, response: &Response) {
        let key = key_of(pod);
        if response.ok() {
            let note = format!("Successfully assigned {}/{} to {node}", key.namespace, key.name);
            self.events.send(cx, &self.client, pod, EventType::Normal, "Scheduled", "Binding", &note);
        } else if !self.assumed.contains_key(&key) {
            // Gone or bound by somebody else meanwhile.
        } else if response.code == 404 || see.get(&key).is_none() {
            self.assumed.remove(&key);
            self.nodes.forget(&key);
            self.queue.remove(&key);
        } else {
            let text = format!("binding rejected: {}", response.value()["message"].str());
            self.give_back(cx, pod, &key, &text);
        }
    }

    /// An error after a node was chosen: the pod comes back after its back-off.
    fn give_back(&mut self, cx: &mut Cx<'_, Token>, pod: &Value, key: &Key, message: &str) {
        self.assumed.remove(key);
        self.nodes.forget(key);
        self.events.send(cx, &self.client, pod, EventType::Warning, "FailedScheduling", "Scheduling", message);
        self.patch_condition(cx, pod, "SchedulerError", message, None);
        self.queue.retry(key, cx.now);
    }

    fn fail(
        &mut self,
        cx: &mut Cx<'_, Token>,
        pod: &Value,
        message: &str,
        plugins: BTreeSet<Plugin>,
        nominated: Option<&SmolStr>,
    ) {
        let key = key_of(pod);
        self.events.send(cx, &self.client, pod, EventType::Warning, "FailedScheduling", "Scheduling", message);
        self.patch_condition(cx, pod, "Unschedulable", message, nominated);
        self.queue.wait(&key, plugins, cx.now);
    }

    /// Writes PodScheduled=False, unless it stands there with this message.
    fn patch_condition(
        &self,
        cx: &mut Cx<'_, Token>,
        pod: &Value,
        reason: &str,
        message: &str,
        nominated: Option<&SmolStr>,
    ) {
        let old = object::condition(pod, "PodScheduled");
        let same_text = old.is_some_and(|old| old["message"].str() == message && old["status"].str() == "False");
        let same_node = nominated.is_none_or(|node| pod["status"]["nominatedNodeName"].str() == node);
        if same_text && same_node {
            return;
        }
        let since = old.filter(|old| old["status"].str() == "False").map(|old| old["lastTransitionTime"].clone());
        let condition = map! {
            "type" => "PodScheduled", "status" => "False", "reason" => reason, "message" => message,
            "lastProbeTime" => Value::Null,
            "lastTransitionTime" => since.unwrap_or_else(|| Value::from(cx.now.rfc3339())),
            "observedGeneration" => pod["metadata"].get("generation"),
        };
        let mut status = map! { "conditions" => vec![condition] };
        if let Some(node) = nominated {
            status.set(&["nominatedNodeName"], node);
        }
        let (namespace, name) = (object::namespace(pod), object::name(pod));
        let body = map! { "status" => status };
        cx.call(self.client.patch(&PODS, namespace, name, "status", PatchKind::Strategic, body), None);
    }

    /// Marks the victims; each is deleted when its mark is written.
    fn evict(&mut self, cx: &mut Cx<'_, Token>, pod: &Value, node: &SmolStr, victims: &[(Key, Value)]) {
        for (key, victim) in victims {
            if object::is_deleting(victim) {
                continue;
            }
            let condition = map! {
                "type" => "DisruptionTarget", "status" => "True", "reason" => "PreemptionByScheduler",
                "message" => "default-scheduler: preempting to accommodate a higher priority pod",
                "lastProbeTime" => Value::Null, "lastTransitionTime" => cx.now.rfc3339(),
                "observedGeneration" => victim["metadata"].get("generation"),
            };
            let body = map! { "status" => object::condition_patch(victim, condition) };
            let patch = self.client.patch(&PODS, &key.namespace, &key.name, "status", PatchKind::Strategic, body);
            let token = Victim { pod: victim.clone(), node: node.clone(), preemptor: pod["metadata"]["uid"].smol() };
            cx.call(patch, Some(Token::Marked(Box::new(token))));
            self.nominated.remove(key);
        }
    }
}

impl Default for Scheduler {
    fn default() -> Scheduler {
        Scheduler::new()
    }
}

fn key_of(pod: &Value) -> Key {
    Key { resource: PODS, namespace: pod["metadata"]["namespace"].smol(), name: pod["metadata"]["name"].smol() }
}

/// `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).`
fn no_nodes(total: usize, reasons: &BTreeMap<SmolStr, usize>) -> String {
    let mut parts: Vec<SmolStr> = reasons.iter().map(|(reason, count)| format_smolstr!("{count} {reason}")).collect();
    parts.sort();
    format!("0/{total} nodes are available: {}.", parts.join(", "))
}
