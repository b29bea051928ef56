//! The machine room: API server, controllers, scheduler and kubelets on one agenda.
//!
//! A step takes the earliest item, gives it to the component it names and puts what that component asks for back on
//! the agenda. Everybody outside (the workstation, a real kubectl) sends requests with `submit` and finds answers in
//! `take_mail`. The cluster draws no conclusions about what it runs.

mod manifest;
mod net;
mod outside;
mod preset;

use crate::api::resource::EVENTS;
use crate::api::{self, Answer, NodeCall, Server};
use crate::base::http::{Frame, Method, Request, Response};
use crate::base::{Chance, Span, Time};
use crate::controller::{self, Controllers};
use crate::docker::{self, Engine};
use crate::informer::Caches;
use crate::node::{self, Kubelets};
use crate::scheduler::{self, Scheduler};
use crate::sim::{Agenda, Ask, Asked, Cx, Weather};
use crate::store::Change;
use crate::trace::{Actor, Seq, Trace};

pub use crate::base::http::Mail;
pub use preset::{Preset, Setup};

/// Changes kept for watchers, and entries kept by the trace.
const LOG: usize = 20_000;
const TRACE: usize = 20_000;
/// How long a cluster has been up when the learner meets it.
const WARM_UP: Span = Span::seconds(120);
/// The revision a fresh cluster's store starts from.
const FIRST_REVISION: u64 = 1;

/// The closed list of what can be due.
#[derive(Clone, Debug)]
enum Wake {
    /// Watchers hear of every change up to this revision.
    Deliver(u64),
    /// A request of somebody arrives at the API server and commits.
    Commit(Actor, Caller, Box<Request>),
    /// A request whose turn has come: the store takes one write after another, and reads wait for those before them.
    Turn(Actor, Caller, Box<Request>),
    Controllers(controller::Token),
    Scheduler(scheduler::Token),
    Kubelets(node::Token),
    Docker(docker::Token),
    /// A request arrives at the Docker Engine.
    DockerCall(u64, Box<Request>),
    /// Streams of the API server have something to say by themselves: bookmarks, timeouts.
    Streams,
    /// The API server looks after its own Service.
    Own,
    /// Somebody outside wants to run.
    Outside,
    /// A request between containers arrives, or its answer comes back late.
    Parcel(Box<net::Parcel>),
    ParcelAnswer(Box<net::Parcel>, Box<Response>),
}

/// The API server's own Service, and how often it looks after it.
const OWN: (&str, &str) = ("default", "kubernetes");
const OWN_PERIOD: Span = Span(10_000_000);

/// Whom an answer goes to.
#[derive(Clone, Debug)]
enum Caller {
    Controllers(Option<controller::Token>),
    Scheduler(Option<scheduler::Token>),
    Kubelets(Option<node::Token>),
    Outside(u64),
}

/// Lets a component act, and gives what it asked for. A macro, since component and context are parts of one cluster.
macro_rules! acted {
    ($cluster:ident, $component:ident, $actor:expr, $cause:ident, $act:ident) => {{
        let mut outbox = Vec::new();
        let mut cx = Cx {
            now: $cluster.now,
            actor: $actor,
            cause: $cause,
            chance: &mut $cluster.chance,
            trace: &mut $cluster.trace,
            weather: &$cluster.weather,
            outbox: &mut outbox,
        };
        $act(&mut $cluster.$component, &mut cx, &$cluster.caches);
        outbox
    }};
}

#[derive(Clone)]
pub struct Cluster {
    pub setup: Setup,
    pub now: Time,
    agenda: Agenda<Wake>,
    pub chance: Chance,
    pub trace: Trace,
    pub weather: Weather,
    pub server: Server,
    pub caches: Caches,
    delivered: u64,
    /// When the store can take the next write.
    store_free: Time,
    /// When streams have been planned to be looked at.
    streams_at: Option<Time>,
    controllers: Controllers,
    scheduler: Scheduler,
    pub kubelets: Kubelets,
    pub docker: Engine,
    /// Requests on their way to it.
    docker_calls: usize,
    mail: Vec<(u64, Mail)>,
    /// Open streams of the API server and of kubelets, with the outside number they belong to.
    watches: Vec<(u64, u64)>,
    /// Steps taken since the start: what budgets count.
    pub steps: u64,
}

impl Cluster {
    /// A cluster of the given preset, up for two minutes and settled.
    pub fn new(setup: Setup) -> Cluster {
        let start = setup.start;
        let mut cluster = Cluster {
            now: Time(start.0 - WARM_UP.0),
            agenda: Agenda::default(),
            chance: Chance::new(setup.seed),
            trace: Trace::new(TRACE),
            weather: Weather::default(),
            server: Server::new(preset::server_config(&setup), FIRST_REVISION, LOG),
            caches: Caches::default(),
            delivered: FIRST_REVISION,
            store_free: Time(0),
            streams_at: None,
            controllers: Controllers::new().with_pods_in(setup.pod_net()),
            scheduler: Scheduler::on(&setup.control_plane()),
            kubelets: Kubelets::new(preset::nodes(&setup)),
            docker: preset::docker(&setup),
            docker_calls: 0,
            mail: Vec::new(),
            watches: Vec::new(),
            steps: 0,
            setup,
        };
        for request in preset::objects(&cluster.setup) {
            cluster.handle(Actor::Lab, 0, &request);
        }
        cluster.start_components();
        while cluster.step(start) {}
        cluster.now = start;
        for request in preset::forgotten(&cluster.setup) {
            cluster.handle(Actor::Lab, 0, &request);
        }
        while cluster.step(start) {}
        cluster.trace = Trace::new(TRACE);
        cluster
    }

    /// The instant of the next due item.
    pub fn next_at(&self) -> Option<Time> {
        self.agenda.next_at()
    }

    /// Takes the earliest item due by `until`; false when there is none (the clock then stands where it stood).
    pub fn step(&mut self, until: Time) -> bool {
        let Some(due) = self.agenda.take(until) else { return false };
        self.steps += 1;
        self.now = self.now.max(due.at);
        match due.wake {
            Wake::Deliver(revision) => self.deliver(revision),
            Wake::Commit(actor, caller, request) => match self.turn(&request) {
                Some(at) => self.agenda.add(at, due.cause, Wake::Turn(actor, caller, request)),
                None => self.commit(actor, caller, due.cause, &request),
            },
            Wake::Turn(actor, caller, request) => self.commit(actor, caller, due.cause, &request),
            Wake::Controllers(token) => self.with_controllers(due.cause, |it, cx, see| it.wake(cx, see, token)),
            Wake::Scheduler(token) => self.with_scheduler(due.cause, |it, cx, see| it.wake(cx, see, token)),
            Wake::Kubelets(token) => self.with_kubelets(due.cause, |it, cx, see| it.wake(cx, see, token)),
            Wake::Docker(token) => self.with_docker(due.cause, |it, cx, _| it.wake(cx, token)),
            Wake::DockerCall(number, request) => {
                self.docker_calls = self.docker_calls.saturating_sub(1);
                self.with_docker(due.cause, |it, cx, _| it.handle(cx, number, &request));
            }
            Wake::Outside => {}
            Wake::Parcel(parcel) => self.carry(*parcel),
            Wake::ParcelAnswer(parcel, response) => self.hand_over(*parcel, *response),
            Wake::Streams => self.deliver_frames(),
            Wake::Own => self.write_own(),
        }
        self.collect_parcels();
        self.collect_node_mail();
        self.plan_streams();
        true
    }

    /// A request from outside; the answer comes as mail under `number` once the request has had its latency.
    pub fn submit(&mut self, number: u64, cause: Seq, request: Request) {
        if request.host == "docker" {
            let at = self.now + Engine::latency(&request);
            self.docker_calls += 1;
            return self.agenda.add(at, cause, Wake::DockerCall(number, Box::new(request)));
        }
        if !request.host.is_empty() {
            return self.send_out(number, request);
        }
        let latency = match request.method {
            Method::Get | Method::Head => self.weather.read,
            _ => self.weather.write,
        };
        self.agenda.add(
            self.now + latency,
            cause,
            Wake::Commit(Actor::User, Caller::Outside(number), Box::new(request)),
        );
    }

    /// The outside number's owner is gone: closes its streams.
    pub fn hang_up(&mut self, number: u64) {
        let streams: Vec<u64> = self.watches.iter().filter(|(_, n)| *n == number).map(|(stream, _)| *stream).collect();
        self.watches.retain(|(_, n)| *n != number);
        for stream in streams {
            self.server.close(stream);
        }
        self.kubelets.hang_up(number);
        self.docker.hang_up(number);
    }

    /// Bytes sent up a session (`exec -i`, `attach`).
    pub fn send_up(&mut self, number: u64, frame: Frame) {
        if self.docker.has_session(number) {
            return self.with_docker(0, |it, cx, _| it.send_up(cx, number, frame));
        }
        self.with_kubelets(0, |it, cx, see| it.feed(cx, see, number, frame));
        self.collect_parcels();
        self.collect_node_mail();
    }

    /// Whether the next step may touch files that containers share with the workstation.
    pub fn shares_files(&self) -> bool {
        self.docker_calls > 0 || self.docker.wants_host()
    }

    /// Makes the clock stop at an instant for somebody outside.
    pub fn wake_outside_at(&mut self, at: Time) {
        self.agenda.add(at.max(self.now), 0, Wake::Outside);
    }

    pub fn has_mail(&self) -> bool {
        !self.mail.is_empty()
    }

    pub fn take_mail(&mut self) -> Vec<(u64, Mail)> {
        std::mem::take(&mut self.mail)
    }

    /// Sends a request past the clock: setup, the page's reads, diagnostics. Nothing but reads may come from outside
    /// this way.
    pub fn handle(&mut self, actor: Actor, cause: Seq, request: &Request) -> Answer {
        let before = self.server.store.revision();
        let mut cx = api::Cx { now: self.now, chance: &mut self.chance, trace: &mut self.trace, cause, actor };
        let answer = self.server.handle(&mut cx, request);
        let after = self.server.store.revision();
        if after > before {
            self.agenda.add(self.now + self.weather.watch, 0, Wake::Deliver(after));
        }
        answer
    }

    /// When a request has to wait for the writes before it; a write takes the store for those after it.
    fn turn(&mut self, request: &Request) -> Option<Time> {
        if matches!(request.method, Method::Get | Method::Head) {
            return None;
        }
        let at = self.store_free.max(self.now);
        {
            self.store_free = at + self.weather.commit;
        }
        (at > self.now).then_some(at)
    }

    /// Asks the Docker Engine past the clock: what panes and checks read. The request must be a read.
    pub fn read_docker(&mut self, request: &Request) -> Response {
        const READER: u64 = u64::MAX;
        self.with_docker(0, |it, cx, _| it.handle(cx, READER, request));
        let mut found = None;
        for (_, mail) in self.mail.extract_if(.., |(number, _)| *number == READER) {
            if let Mail::Reply(response) = mail {
                found = Some(response);
            }
        }
        found.unwrap_or_else(|| Response::failed("no answer at once"))
    }

    fn commit(&mut self, actor: Actor, caller: Caller, cause: Seq, request: &Request) {
        let mut answer = self.handle(actor, cause, request);
        if let (Answer::Done(response), Some(instead)) = (&answer, &request.instead)
            && response.code == 404
        {
            answer = self.handle(actor, cause, instead);
        }
        // What the answer leads to was caused by the write it answers, if there was one.
        let cause = self.trace.last().max(cause);
        match (caller, answer) {
            (Caller::Outside(number), Answer::Done(response)) => {
                if let Some(stream) = response.stream {
                    self.watches.push((stream, number));
                }
                self.mail.push((number, Mail::Reply(response)));
                self.deliver_frames();
            }
            (Caller::Outside(number), Answer::Node(call)) => self.node_call(number, call),
            (_, Answer::Node(_)) => {}
            (Caller::Controllers(Some(token)), Answer::Done(response)) => {
                self.with_controllers(cause, |it, cx, see| it.reply(cx, see, token, response));
            }
            (Caller::Scheduler(Some(token)), Answer::Done(response)) => {
                self.with_scheduler(cause, |it, cx, see| it.reply(cx, see, token, response));
            }
            (Caller::Kubelets(Some(token)), Answer::Done(response)) => {
                self.with_kubelets(cause, |it, cx, see| it.reply(cx, see, token, response));
            }
            (_, Answer::Done(_)) => {}
        }
    }

    fn deliver(&mut self, revision: u64) {
        if revision <= self.delivered {
            return;
        }
        let changes: Vec<Change> = match self.server.store.since(self.delivered) {
            Ok(changes) => changes.take_while(|change| change.revision <= revision).cloned().collect(),
            Err(_) => Vec::new(),
        };
        self.delivered = revision;
        for change in changes {
            // Nobody among the components watches events.
            if change.key.resource == EVENTS {
                continue;
            }
            self.caches.apply(&change);
            if change.after.is_null() && (change.key.namespace.as_str(), change.key.name.as_str()) == OWN {
                // The API server looks every ten seconds; only a look that finds something is simulated.
                let since = (self.now - self.setup.start).0.max(0);
                let at = Time(self.setup.start.0 + (since / OWN_PERIOD.0 + 1) * OWN_PERIOD.0);
                self.agenda.add(at, change.entry, Wake::Own);
            }
            self.with_controllers(change.entry, |it, cx, see| it.observe(cx, see, &change));
            self.with_scheduler(change.entry, |it, cx, see| it.observe(cx, see, &change));
            self.with_kubelets(change.entry, |it, cx, see| it.observe(cx, see, &change));
        }
        self.deliver_frames();
    }

    fn deliver_frames(&mut self) {
        for (stream, frame) in self.server.deliver(self.now, self.delivered) {
            if let Some((_, number)) = self.watches.iter().find(|(s, _)| *s == stream) {
                self.mail.push((*number, Mail::Frame(frame)));
            }
        }
    }

    /// The Service `kubernetes` and its endpoints are written again if they are gone.
    fn write_own(&mut self) {
        for request in preset::own(&self.setup) {
            let kind = request.body.value()["kind"].str();
            let resource = match kind {
                "Service" => "services",
                "Endpoints" => "endpoints",
                _ => "endpointslices.discovery.k8s.io",
            };
            if !self.server.store.list(resource, Some(OWN.0)).any(|(key, _)| key.name == OWN.1) {
                self.handle(Actor::ApiServer, 0, &request);
            }
        }
    }

    /// Wakes for what streams say without a write.
    fn plan_streams(&mut self) {
        if let Some(at) = self.server.next_delivery()
            && self.streams_at != Some(at)
        {
            self.streams_at = Some(at);
            self.agenda.add(at.max(self.now), 0, Wake::Streams);
        }
    }

    fn node_call(&mut self, number: u64, call: NodeCall) {
        self.with_kubelets(0, |it, cx, see| it.call(cx, see, number, call));
        self.collect_node_mail();
    }

    fn collect_node_mail(&mut self) {
        for (number, mail) in self.kubelets.take_mail() {
            self.mail.push((number, mail));
        }
    }

    fn start_components(&mut self) {
        self.with_controllers(0, |it, cx, _| it.start(cx));
        self.with_kubelets(0, |it, cx, _| it.start(cx));
    }

    fn with_controllers(
        &mut self,
        cause: Seq,
        act: impl FnOnce(&mut Controllers, &mut Cx<'_, controller::Token>, &Caches),
    ) {
        let outbox = acted!(self, controllers, Actor::Lab, cause, act);
        self.file(outbox, Wake::Controllers, Caller::Controllers);
    }

    fn with_scheduler(&mut self, cause: Seq, act: impl FnOnce(&mut Scheduler, &mut Cx<'_, scheduler::Token>, &Caches)) {
        let outbox = acted!(self, scheduler, Actor::Scheduler, cause, act);
        self.file(outbox, Wake::Scheduler, Caller::Scheduler);
    }

    fn with_kubelets(&mut self, cause: Seq, act: impl FnOnce(&mut Kubelets, &mut Cx<'_, node::Token>, &Caches)) {
        let outbox = acted!(self, kubelets, Actor::Lab, cause, act);
        self.file(outbox, Wake::Kubelets, Caller::Kubelets);
    }

    fn with_docker(&mut self, cause: Seq, act: impl FnOnce(&mut Engine, &mut Cx<'_, docker::Token>, &Caches)) {
        let outbox = acted!(self, docker, Actor::Docker, cause, act);
        self.file(outbox, Wake::Docker, |_| Caller::Outside(0));
        self.mail.extend(self.docker.take_mail());
    }

    /// Puts what a component asked for on the agenda.
    fn file<W>(&mut self, outbox: Vec<Asked<W>>, wake: impl Fn(W) -> Wake, caller: impl Fn(Option<W>) -> Caller) {
        for Asked { at, cause, actor, ask } in outbox {
            let item = match ask {
                Ask::Wake(token) => wake(token),
                Ask::Call(request, token) => Wake::Commit(actor, caller(token), request),
            };
            self.agenda.add(at, cause, item);
        }
    }
}
