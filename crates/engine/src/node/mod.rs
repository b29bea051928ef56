//! The kubelets of all nodes: registration and heartbeats, pod workers, probes, volumes, logs and exec.
//!
//! Left out: eviction under node pressure, device plugins, checkpoints.

mod disks;
mod end;
mod env;
mod heartbeat;
mod outside;
mod probe;
mod prober;
mod pull;
mod resize;
mod resources;
mod session;
mod statics;
mod status;
mod stop;
mod sync;
#[cfg(test)]
mod tests;
mod volumes;
mod worker;

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;

use crate::api::{NodeCall, object, resource, resource::Client};
use crate::base::http::{Frame, Request, Response};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Recorder};
use crate::runtime::Image;
use crate::sim;
use crate::store::Change;
use crate::trace::Actor;
use worker::{End, Slot, SlotKind, Stage, Worker};

pub use crate::base::http::Mail;

/// What a node is like.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeConfig {
    pub name: SmolStr,
    pub address: SmolStr,
    pub cpu: SmolStr,
    pub memory: SmolStr,
    /// Bytes.
    pub storage: SmolStr,
    pub version: SmolStr,
    pub runtime: SmolStr,
    pub os_image: SmolStr,
    pub kernel: SmolStr,
    pub labels: Vec<(SmolStr, SmolStr)>,
    /// Key and effect.
    pub taints: Vec<(SmolStr, SmolStr)>,
    /// Keeps room for eviction thresholds: allocatable is less than capacity.
    pub evicts: bool,
    /// How the runtime words a reference it cannot resolve.
    pub resolve_image_text: &'static str,
    /// A node without a runtime: its pods are Ready a second after they were bound.
    pub kwok: bool,
    /// Images that are there already, by their full names.
    pub images: Vec<SmolStr>,
    /// Manifests of the pods it runs by itself.
    pub static_pods: Vec<Value>,
}

impl Default for NodeConfig {
    fn default() -> NodeConfig {
        NodeConfig {
            name: "node-1".into(),
            address: "172.18.0.2".into(),
            cpu: "4".into(),
            memory: "8145440Ki".into(),
            storage: "103865303040".into(),
            version: "v1.37.2".into(),
            runtime: "containerd://2.3.7".into(),
            os_image: "Debian GNU/Linux 13 (trixie)".into(),
            kernel: "6.12.48".into(),
            labels: Vec::new(),
            taints: Vec::new(),
            evicts: true,
            resolve_image_text: "failed to resolve image",
            kwok: false,
            images: Vec::new(),
            static_pods: Vec::new(),
        }
    }
}

/// A wake or an answer, and which node it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    node: u32,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    Registered,
    Heartbeat,
    Lease,
    /// The worker's next step, if its epoch still stands.
    Step(SmolStr, u32),
    /// A look at the runtime for this pod.
    Relist(SmolStr),
    /// A due retry or resync.
    Retry(SmolStr, u32),
    /// Programs of the pod's containers want to run.
    Programs(SmolStr),
    /// A grace period is over, or a stopped sandbox is gone.
    Stop(SmolStr),
    Probe(SmolStr, usize, ProbeKind),
    /// The pull at the head of the queue is done.
    Pulled,
    Kwok(SmolStr),
    Deadline(SmolStr),
    Resize(SmolStr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProbeKind {
    Startup,
    Liveness,
    Readiness,
}

impl ProbeKind {
    fn word(self) -> &'static str {
        match self {
            ProbeKind::Startup => "Startup",
            ProbeKind::Liveness => "Liveness",
            ProbeKind::Readiness => "Readiness",
        }
    }
}

type Cx<'a> = sim::Cx<'a, Token>;

#[derive(Clone)]
pub struct Kubelets {
    nodes: Vec<Kubelet>,
    by_name: BTreeMap<SmolStr, u32>,
    sessions: BTreeMap<u64, session::Session>,
    mail: Vec<(u64, Mail)>,
    outgoing: Vec<Outgoing>,
    /// Some node has met what is not simulated.
    has_gaps: bool,
}

/// A request a program in a container sends.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    pub node: u32,
    pub uid: SmolStr,
    pub container: SmolStr,
    pub call: crate::process::Call,
    pub request: Request,
}

/// One node's kubelet.
#[derive(Clone)]
struct Kubelet {
    index: u32,
    config: NodeConfig,
    client: Client,
    recorder: Recorder,
    workers: BTreeMap<SmolStr, Box<Worker>>,
    /// Workers of static pods whose mirror is being put back, by its name.
    orphans: BTreeMap<SmolStr, Box<Worker>>,
    node_uid: SmolStr,
    /// What lies in directories of the node, by their paths.
    disks: BTreeMap<SmolStr, BTreeMap<String, crate::process::Node>>,
    images: BTreeMap<String, Image>,
    pulls: pull::Queue,
    /// Until when the runtime is busy starting a container.
    starting: Time,
    addresses: BTreeSet<u32>,
    last_address: u32,
    heartbeat: heartbeat::Heartbeat,
    /// The node's first three octets.
    net: Option<SmolStr>,
    outgoing: Vec<Outgoing>,
    /// What is not simulated and was met, and where.
    gaps: Vec<(String, String)>,
}

impl Kubelets {
    pub fn new(configs: Vec<NodeConfig>) -> Kubelets {
        let by_name = configs.iter().enumerate().map(|(i, config)| (config.name.clone(), i as u32)).collect();
        let nodes = configs.into_iter().enumerate().map(|(i, config)| Kubelet::new(i as u32, config)).collect();
        Kubelets { nodes, by_name, sessions: BTreeMap::new(), mail: Vec::new(), outgoing: Vec::new(), has_gaps: false }
    }

    pub fn start(&mut self, cx: &mut Cx<'_>) {
        for node in &mut self.nodes {
            cx.actor = Actor::Kubelet(node.index);
            node.register(cx);
        }
    }

    pub fn wake(&mut self, cx: &mut Cx<'_>, see: &Caches, token: Token) {
        let Some(node) = self.nodes.get_mut(token.node as usize) else { return };
        cx.actor = Actor::Kubelet(node.index);
        node.woken(cx, see, token.what);
        self.outgoing.append(&mut node.outgoing);
        self.has_gaps |= !node.gaps.is_empty();
        self.collect_sessions(cx.now);
    }

    pub fn reply(&mut self, cx: &mut Cx<'_>, _see: &Caches, token: Token, response: Response) {
        let Some(node) = self.nodes.get_mut(token.node as usize) else { return };
        cx.actor = Actor::Kubelet(node.index);
        if token.what == What::Registered {
            node.registered(cx, &response);
        }
    }

    /// A change was delivered: pods of our nodes, and the nodes themselves.
    pub fn observe(&mut self, cx: &mut Cx<'_>, see: &Caches, change: &Change) {
        if change.key.resource == resource::NODES {
            if let Some(index) = self.by_name.get(&change.key.name) {
                let node = &mut self.nodes[*index as usize];
                cx.actor = Actor::Kubelet(node.index);
                node.node_changed(cx, change);
            }
            return;
        }
        if change.key.resource != resource::PODS {
            return;
        }
        let pod = if change.after.is_null() { &change.before } else { &change.after };
        let Some(index) = self.by_name.get(pod.at(&["spec", "nodeName"]).str()) else { return };
        let node = &mut self.nodes[*index as usize];
        cx.actor = Actor::Kubelet(node.index);
        node.pod_changed(cx, see, change);
        self.outgoing.append(&mut node.outgoing);
        self.has_gaps |= !node.gaps.is_empty();
        self.collect_sessions(cx.now);
    }

    /// A call the API server passed on.
    pub fn call(&mut self, cx: &mut Cx<'_>, _see: &Caches, number: u64, call: NodeCall) {
        let Some(index) = self.by_name.get(&call.node).copied() else {
            self.mail.push((number, Mail::Reply(session::no_node(&call))));
            return;
        };
        let node = &mut self.nodes[index as usize];
        cx.actor = Actor::Kubelet(index);
        let (session, mail) = node.open(cx, number, &call);
        self.outgoing.append(&mut node.outgoing);
        self.has_gaps |= !node.gaps.is_empty();
        if let Some(session) = session {
            self.sessions.insert(number, session);
        }
        self.mail.extend(mail.into_iter().map(|mail| (number, mail)));
        self.collect_sessions(cx.now);
    }

    /// Bytes from the other side of a session.
    pub fn feed(&mut self, cx: &mut Cx<'_>, _see: &Caches, number: u64, frame: Frame) {
        let Some(session) = self.sessions.get(&number) else { return };
        let Some(node) = self.nodes.get_mut(session.node as usize) else { return };
        cx.actor = Actor::Kubelet(node.index);
        node.feed(cx, session, &frame);
        self.outgoing.append(&mut node.outgoing);
        self.has_gaps |= !node.gaps.is_empty();
        self.collect_sessions(cx.now);
    }

    pub fn hang_up(&mut self, number: u64) {
        if let Some(session) = self.sessions.remove(&number)
            && let Some(node) = self.nodes.get_mut(session.node as usize)
        {
            node.hang_up(&session);
        }
    }

    /// What pods met that is not simulated, and where.
    pub fn take_gaps(&mut self) -> Vec<(String, String)> {
        if !std::mem::take(&mut self.has_gaps) {
            return Vec::new();
        }
        self.nodes.iter_mut().flat_map(|node| std::mem::take(&mut node.gaps)).collect()
    }

    pub fn take_outgoing(&mut self) -> Vec<Outgoing> {
        std::mem::take(&mut self.outgoing)
    }

    /// The answer to what a program sent.
    pub fn answer(&mut self, cx: &mut Cx<'_>, see: &Caches, sent: &Outgoing, response: Response) {
        let Some(node) = self.nodes.get_mut(sent.node as usize) else { return };
        cx.actor = Actor::Kubelet(node.index);
        node.with(&sent.uid, |it, w| {
            let slot = w.slots.iter_mut().find(|slot| slot.name == sent.container);
            let Some(container) = slot.and_then(|slot| slot.container.as_mut()) else { return };
            container.reply(sent.call, response);
            container.run(cx.chance, cx.now);
            it.watch_programs(cx, w);
            it.check_stopped(cx, w);
            it.restart_killed(cx, see, w);
        });
        self.outgoing.append(&mut node.outgoing);
        self.has_gaps |= !node.gaps.is_empty();
        self.collect_sessions(cx.now);
    }

    /// What the servers of a pod say to a request at a port; `None` when the pod does not run here.
    pub fn serve(
        &mut self,
        now: Time,
        node: &str,
        uid: &str,
        port: u16,
        request: &Request,
        from: &str,
    ) -> Option<Response> {
        let node = self.nodes.get_mut(*self.by_name.get(node)? as usize)?;
        let worker = node.workers.get_mut(uid)?;
        let containers = worker.slots.iter_mut().filter_map(|slot| slot.container.as_mut());
        let refused = Response::failed("Connection refused");
        let mut running = containers.filter(|container| container.is_running());
        let listener = running.find(|container| crate::runtime::listens(container, port));
        Some(listener.map_or(refused, |container| crate::runtime::respond(container, now, port, request, from)))
    }

    /// Until when a pod's container or image is left alone, where its kubelet backs off.
    pub fn next_try(&self, uid: &str) -> Option<Time> {
        let worker = self.nodes.iter().find_map(|node| node.workers.get(uid))?;
        let images = worker.slots.iter().filter(|slot| slot.waiting.is_some());
        let images =
            images.filter_map(|slot| worker.image_back_off.get(slot.spec["image"].str()).map(|(_, until)| *until));
        images.chain(worker.back_off_until).min()
    }

    pub fn take_mail(&mut self) -> Vec<(u64, Mail)> {
        std::mem::take(&mut self.mail)
    }

    /// Moves what containers wrote into the sessions that listen.
    fn collect_sessions(&mut self, now: Time) {
        let mut over = Vec::new();
        for (number, session) in &mut self.sessions {
            let Some(node) = self.nodes.get_mut(session.node as usize) else { continue };
            let (frames, ended) = node.collect(session, now);
            self.mail.extend(frames.into_iter().map(|frame| (*number, Mail::Frame(frame))));
            if ended {
                self.mail.push((*number, Mail::Frame(Frame::End)));
                over.push(*number);
            }
        }
        for number in over {
            self.sessions.remove(&number);
        }
    }
}

impl Kubelet {
    fn new(index: u32, config: NodeConfig) -> Kubelet {
        let user = format!("system:node:{}", config.name);
        let client = Client::new(&user, &["system:nodes", "system:authenticated"], "kubelet");
        let recorder = Recorder::new("kubelet", &config.name);
        Kubelet {
            index,
            config,
            client,
            recorder,
            workers: BTreeMap::new(),
            orphans: BTreeMap::new(),
            node_uid: SmolStr::default(),
            disks: BTreeMap::new(),
            images: BTreeMap::new(),
            pulls: pull::Queue::default(),
            starting: Time(0),
            addresses: BTreeSet::new(),
            last_address: 1,
            heartbeat: heartbeat::Heartbeat::default(),
            net: None,
            outgoing: Vec::new(),
            gaps: Vec::new(),
        }
    }

    fn token(&self, what: What) -> Token {
        Token { node: self.index, what }
    }

    fn woken(&mut self, cx: &mut Cx<'_>, see: &Caches, what: What) {
        match what {
            What::Registered => {}
            What::Heartbeat => self.heartbeat(cx, see),
            What::Lease => self.renew_lease(cx),
            What::Pulled => self.pull_done(cx, see),
            What::Step(uid, epoch) => self.with(&uid, |it, w| {
                if w.epoch == epoch {
                    it.step(cx, see, w);
                }
            }),
            What::Relist(uid) => self.with(&uid, |it, w| it.relist(cx, see, w)),
            What::Retry(uid, epoch) => self.with(&uid, |it, w| {
                if w.epoch == epoch && w.stage == Stage::Idle {
                    it.trigger(cx, see, w);
                }
            }),
            What::Programs(uid) => self.with(&uid, |it, w| it.run_programs(cx, see, w)),
            What::Stop(uid) => self.with(&uid, |it, w| it.stop_due(cx, see, w)),
            What::Probe(uid, slot, kind) => self.with(&uid, |it, w| it.probe_due(cx, see, w, slot, kind)),
            What::Kwok(uid) => self.with(&uid, |it, w| it.kwok_ready(cx, w)),
            What::Deadline(uid) => self.with(&uid, |it, w| it.deadline(cx, see, w)),
            What::Resize(uid) => self.with(&uid, |it, w| it.resize_due(cx, see, w)),
        }
    }

    /// Lets `act` have a worker and the kubelet at once.
    fn with(&mut self, uid: &str, act: impl FnOnce(&mut Kubelet, &mut Worker)) {
        if let Some(mut worker) = self.workers.remove(uid) {
            act(self, &mut worker);
            self.gather(&mut worker);
            self.workers.insert(worker.uid.clone(), worker);
        }
    }

    /// Takes the requests of a pod's programs.
    fn gather(&mut self, worker: &mut Worker) {
        (0..worker.slots.len()).for_each(|index| self.share(worker, index));
        for slot in &mut worker.slots {
            let Some(container) = &mut slot.container else { continue };
            let place = format!("container {} of pod {}", slot.name, object::name(&worker.pod));
            self.gaps.extend(container.take_gaps().into_iter().map(|what| (what, place.clone())));
            for (call, request) in container.take_calls() {
                let (uid, container) = (worker.uid.clone(), slot.name.clone());
                self.outgoing.push(Outgoing { node: self.index, uid, container, call, request });
            }
        }
    }

    fn pod_changed(&mut self, cx: &mut Cx<'_>, see: &Caches, change: &Change) {
        let pod = &change.after;
        if pod.is_null() {
            let uid = object::uid(&change.before);
            if let Some(worker) = self.workers.remove(uid) {
                if statics::is_mirror(&change.before) {
                    return self.mirror_gone(cx, see, worker);
                }
                // Removed by force: what still runs is stopped without further ado.
                if matches!(worker.end, End::No | End::Asked) {
                    for slot in worker.slots.iter().filter(|slot| slot.is_running()) {
                        let text = format!("Stopping container {}", slot.name);
                        self.event(cx, &change.before, Some(&slot.path()), EventType::Normal, "Killing", &text);
                    }
                }
                self.forget(&worker);
            }
            self.retry_resizes(cx);
            return;
        }
        let uid: SmolStr = pod["metadata"]["uid"].smol();
        if self.config.kwok {
            self.kwok_pod(cx, pod, &uid);
            return;
        }
        if statics::is_mirror(pod) && object::is_deleting(pod) {
            if !object::is_deleting(&change.before) {
                self.drop_mirror(cx, pod);
            }
            return;
        }
        if statics::is_mirror(pod) && !self.workers.contains_key(&uid) && self.take_over(cx, see, pod) {
            return;
        }
        if !self.workers.contains_key(&uid) {
            if matches!(pod.at(&["status", "phase"]).str(), "Succeeded" | "Failed") && !object::is_deleting(pod) {
                return;
            }
            self.workers.insert(uid.clone(), Box::new(Worker::new(pod, &self.config.address)));
            self.with(&uid, |it, w| {
                it.set_deadline(cx, w, cx.now);
                it.trigger(cx, see, w);
            });
            return;
        }
        self.with(&uid, |it, w| {
            let old = std::mem::replace(&mut w.pod, pod.clone());
            if w.status == pod["status"] {
                w.status = pod["status"].clone();
            }
            let deleting = object::is_deleting(pod) && w.end == End::No;
            if deleting {
                w.end = End::Asked;
            }
            // Its own status writes come back too; they are no news.
            let spec_changed = !old["spec"].same(&pod["spec"]) && old["spec"] != pod["spec"];
            let meta_changed = old.at(&["metadata", "generation"]) != pod.at(&["metadata", "generation"]);
            if spec_changed {
                let seconds = |pod: &Value| pod.at(&["spec", "activeDeadlineSeconds"]).as_int();
                if seconds(&old) != seconds(pod) {
                    it.set_deadline(cx, w, object::time(&pod["status"]["startTime"]).unwrap_or(cx.now));
                }
                it.resized(cx, w, &old["spec"]);
                it.spec_changed(cx, see, w);
            }
            let gates = !pod.at(&["spec", "readinessGates"]).is_empty()
                && old.at(&["status", "conditions"]) != pod.at(&["status", "conditions"]);
            if deleting || spec_changed || meta_changed || gates {
                it.trigger(cx, see, w);
            }
        });
    }

    /// Counted from the start time, which has whole seconds, and seen at the next sync tick.
    fn set_deadline(&self, cx: &mut Cx<'_>, w: &Worker, start: Time) {
        if let Some(seconds) = w.pod.at(&["spec", "activeDeadlineSeconds"]).as_int() {
            let end = (start.floor_second() + Span::seconds(seconds.clamp(1, 1 << 40))).max(cx.now);
            cx.wake_at(sync::tick_after(end), self.token(What::Deadline(w.uid.clone())));
        }
    }

    fn spec_changed(&mut self, cx: &mut Cx<'_>, see: &Caches, worker: &mut Worker) {
        let mut redefined = Vec::new();
        let spec = worker.pod["spec"].clone();
        let lists = [&spec["initContainers"], &spec["containers"], &spec["ephemeralContainers"]];
        for (index, slot) in worker.slots.iter_mut().enumerate() {
            let new = lists.iter().flat_map(|list| list.items()).find(|container| container["name"].str() == slot.name);
            if let Some(new) = new {
                if slot.is_running() && slot.spec["image"] != new["image"] {
                    redefined.push(index);
                }
                slot.spec = new.clone();
            }
        }
        for new in spec["ephemeralContainers"].items() {
            if !worker.slots.iter().any(|slot| slot.name == new["name"].str()) {
                worker.slots.push(Slot::new(SlotKind::Ephemeral, new));
            }
        }
        // Name and image are what makes a container the one it is.
        for index in redefined {
            self.replace(cx, see, worker, index, stop::CHANGED);
        }
    }

    fn event(
        &mut self,
        cx: &mut Cx<'_>,
        pod: &Value,
        path: Option<&str>,
        kind: EventType,
        reason: &'static str,
        message: &str,
    ) {
        self.recorder.event(cx, &self.client, pod, path, kind, reason, message);
    }

    /// Addresses are given out in order and go round.
    fn new_address(&mut self) -> SmolStr {
        let net = self.net.clone().unwrap_or_else(|| SmolStr::new_static(&"10.244.0"));
        let mut next = self.last_address;
        for _ in 0..253 {
            next = if next >= 254 { 2 } else { next + 1 };
            if self.addresses.insert(next) {
                break;
            }
        }
        self.last_address = next;
        format!("{net}.{next}").into()
    }

    fn forget(&mut self, worker: &Worker) {
        let is_own = worker.ip != worker.host_ip;
        if let Some(last) = worker.ip.rsplit('.').next().and_then(|part| part.parse().ok()).filter(|_| is_own) {
            self.addresses.remove(&last);
        }
        self.pulls.forget(&worker.uid);
    }
}
