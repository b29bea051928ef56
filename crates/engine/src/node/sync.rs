//! One sync of a pod: status, volumes, sandbox, then containers one after another (kubelet's syncPod). A sync takes
//! time; it goes on from stage to stage as its wakes come.

use crate::base::SmolStr;

use super::pull::Pulled;
use super::status;
use super::worker::{End, Made, Seen, Slot, SlotKind, Stage, Worker};
use super::{Cx, Kubelet, ProbeKind, What, env, resources, volumes};
use crate::api::patch;
use crate::api::resource::{PODS, PatchKind};
use crate::api::schema::type_of;
use crate::base::duration;
use crate::base::quantity::Quantity;
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType};
use crate::map;
use crate::runtime::{Container, Make, Reference, hex64};

pub const DEADLINE: &str = "Pod was active on the node longer than the specified deadline";
/// Image and crash back-offs: first, and longest.
const BACK_OFF: Span = Span::seconds(10);
const MOST_BACK_OFF: Span = Span::seconds(300);
/// A back-off nobody has met for this long is forgotten.
const FORGET: Span = Span::seconds(600);
const RESYNC: Span = Span::seconds(60);
const RETRY: Span = Span::seconds(10);

/// The next sync tick: half seconds.
pub fn tick_after(at: Time) -> Time {
    Time(at.0 - 1).next_on_grid(Span::seconds(1), Span::millis(500))
}

/// The next general look at the runtime: whole seconds.
pub fn relist_after(at: Time) -> Time {
    at.next_on_grid(Span::seconds(1), Span::ZERO)
}

impl Kubelet {
    /// Something asks for a step of the worker.
    pub(super) fn trigger(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        w.pending = true;
        // A deletion breaks off what only waits.
        if w.end == End::Asked && matches!(w.stage, Stage::Volumes | Stage::Pulling(_)) {
            w.stage = Stage::Idle;
            w.epoch += 1;
        }
        self.try_step(cx, see, w);
    }

    /// Begins a step when the worker is free and its view of the runtime is new enough.
    pub(super) fn try_step(&mut self, cx: &mut Cx<'_>, _see: &Caches, w: &mut Worker) {
        if !w.pending || w.stage != Stage::Idle || matches!(w.end, End::Stopping | End::Stopped | End::Written) {
            return;
        }
        let seen = w.view_at.max(cx.now.floor_second());
        if w.step_end.0 >= 0 && seen <= w.step_end {
            cx.wake_at(relist_after(cx.now), self.token(What::Relist(w.uid.clone())));
            return;
        }
        w.pending = false;
        w.epoch += 1;
        w.stage = Stage::Begin;
        let wait = match (w.end == End::Asked, w.step_end.0 < 0) {
            (true, _) => Span((cx.weather.kubelet_kill.0 - cx.weather.watch.0 - cx.weather.write.0).max(0)),
            (_, true) => Span((cx.weather.kubelet_first.0 - cx.weather.write.0).max(0)),
            _ => Span::ZERO,
        };
        if wait == Span::ZERO {
            self.step(cx, _see, w);
        } else {
            self.step_after(cx, w, wait);
        }
    }

    fn step_after(&self, cx: &mut Cx<'_>, w: &Worker, wait: Span) {
        cx.wake_after(wait, self.token(What::Step(w.uid.clone(), w.epoch)));
    }

    /// Goes on with the step under way.
    pub(super) fn step(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        match w.stage.clone() {
            Stage::Idle => {}
            Stage::Begin => self.begin(cx, see, w),
            Stage::Volumes => self.mount(cx, see, w),
            Stage::Sandbox => {
                w.sandbox = true;
                w.sandbox_shown = true;
                w.ip = if w.pod.at(&["spec", "hostNetwork"]).is_true() {
                    self.config.address.clone()
                } else {
                    self.new_address()
                };
                let ip = std::mem::take(&mut w.ip);
                self.push_status(cx, w);
                w.ip = ip;
                w.changed = true;
                w.stage = Stage::Slot(0);
                self.slots(cx, see, w);
            }
            Stage::Slot(_) => self.slots(cx, see, w),
            // The pull calls back.
            Stage::Pulling(_) => {}
            Stage::Create(index) => self.create(cx, see, w, index),
            Stage::Start(index) => self.start_container(cx, see, w, index),
        }
    }

    fn begin(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        if let Some((reason, message)) = self.refuse(w) {
            w.reason = reason.into();
            w.message = format!("Pod was rejected: {message}");
            w.rejected = true;
            let pod = w.pod.clone();
            self.event(cx, &pod, None, EventType::Warning, reason, &message);
            self.push_status(cx, w);
            w.stage = Stage::Idle;
            w.step_end = cx.now;
            return;
        }
        w.changed = false;
        w.failed = false;
        w.back_off_until = None;
        w.slots.iter_mut().for_each(|slot| slot.just_started = false);
        if w.end == End::Asked {
            self.push_status(cx, w);
            w.stage = Stage::Idle;
            self.stop_pod(cx, w);
            return;
        }
        if !std::mem::take(&mut w.quiet) {
            self.push_status(cx, w);
        }
        if w.is_done() && w.sandbox {
            self.finish(cx, w);
            return;
        }
        w.stage = Stage::Volumes;
        if w.volumes_mounted {
            volumes::refresh(see, w, cx.now);
            self.after_volumes(cx, see, w);
        } else {
            if volumes::missing(see, &w.pod).is_empty() {
                self.try_mount(cx, see, w);
            } else {
                // The first attempt comes a moment after the first status.
                let wait = Span::millis(100) + cx.weather.write;
                self.step_after(cx, w, wait);
            }
        }
    }

    /// Node admission: a pod that names this node must fit it.
    fn refuse(&self, w: &Worker) -> Option<(&'static str, String)> {
        if w.step_end.0 >= 0 || w.status["phase"].str() != "Pending" || w.rejected {
            return None;
        }
        if let Some(refusal) = self.lacks(w) {
            return Some(refusal);
        }
        let selector = w.pod.at(&["spec", "nodeSelector"]);
        let labels = self.heartbeat.labels();
        let fits = selector.entries().iter().all(|(key, want)| labels.get(key) == want);
        if fits || labels.is_null() {
            return None;
        }
        Some((
            "NodeAffinity",
            "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector".into(),
        ))
    }

    /// Whether the node has room beside the pods it has taken.
    pub(super) fn lacks(&self, w: &Worker) -> Option<(&'static str, String)> {
        let others = || self.workers.values().filter(|other| !other.rejected && !other.is_final());
        let text = |what: &str, requested: i64, used: i64, capacity: i64| {
            format!(
                "Node didn't have enough resource: {what}, requested: {requested}, used: {used}, capacity: {capacity}"
            )
        };
        let count = i64::try_from(others().count()).unwrap_or(i64::MAX);
        if count >= 110 {
            return Some(("OutOfpods", text("pods", 1, count, 110)));
        }
        let of = |pod: &Value, name: &str| {
            let amount = Quantity::of(&resources::requests(pod)[name]);
            if name == "cpu" { amount.milli() } else { amount.value() }
        };
        let allocatable = super::heartbeat::capacity(&self.config, true);
        for (name, reason) in [("cpu", "OutOfcpu"), ("memory", "OutOfmemory")] {
            let requested = of(&w.pod, name);
            if requested == 0 {
                continue;
            }
            let used = others().map(|other| of(&other.pod, name)).fold(0i64, i64::saturating_add);
            let amount = Quantity::of(&allocatable[name]);
            let capacity = if name == "cpu" { amount.milli() } else { amount.value() };
            if requested.saturating_add(used) > capacity {
                return Some((reason, text(name, requested, used, capacity)));
            }
        }
        None
    }

    fn try_mount(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        let errors = volumes::missing(see, &w.pod);
        if errors.is_empty() {
            let wait = if volumes::any(&w.pod) { cx.weather.volumes } else { Span::ZERO } + cx.weather.write;
            self.step_after(cx, w, wait);
            return;
        }
        let pod = w.pod.clone();
        for error in &errors {
            self.event(cx, &pod, None, EventType::Warning, "FailedMount", error);
        }
        w.volume_tries += 1;
        // 0.5 s, doubled up to 2 min 2 s.
        let wait = Span::millis(500i64 << (w.volume_tries - 1).min(8));
        self.step_after(cx, w, Span(wait.0.min(Span::seconds(122).0)));
    }

    fn mount(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        if !volumes::missing(see, &w.pod).is_empty() {
            self.try_mount(cx, see, w);
            return;
        }
        w.volumes_mounted = true;
        self.load_disks(see, w);
        self.start_probe_grids(cx, w);
        self.after_volumes(cx, see, w);
    }

    fn after_volumes(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        if w.end == End::Asked {
            // Deleted while it waited for volumes.
            w.stage = Stage::Idle;
            self.stop_pod(cx, w);
            return;
        }
        if !w.sandbox {
            w.stage = Stage::Sandbox;
            let wait = cx.weather.sandbox;
            self.step_after(cx, w, wait);
            return;
        }
        w.stage = Stage::Slot(0);
        self.slots(cx, see, w);
    }

    /// Looks at containers from the current one on, until one takes time or all are looked at.
    fn slots(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        while let Stage::Slot(index) = w.stage {
            let Some(slot) = w.slots.get(index) else {
                self.end_sync(cx, see, w);
                return;
            };
            let initialising = slot.kind.comes_first();
            match self.decide(cx, w, index) {
                Decision::Next => w.stage = Stage::Slot(index + 1),
                // An init container that is not done holds back all that follow.
                Decision::Hold if initialising => w.stage = Stage::Slot(w.slots.len()),
                Decision::Hold => w.stage = Stage::Slot(index + 1),
                Decision::Start => {
                    self.image(cx, see, w, index);
                    if let Stage::Slot(at) = w.stage
                        && at == index
                    {
                        // It could not be started now.
                        w.stage = Stage::Slot(if initialising { w.slots.len() } else { index + 1 });
                    }
                }
            }
        }
    }

    /// What a container needs in this sync.
    fn decide(&mut self, cx: &mut Cx<'_>, w: &mut Worker, index: usize) -> Decision {
        let Some(slot) = w.slots.get(index) else { return Decision::Next };
        match &slot.seen {
            Seen::Running(_) => match slot.kind {
                SlotKind::Init => Decision::Hold,
                SlotKind::Sidecar if !slot.is_started() => Decision::Hold,
                _ => Decision::Next,
            },
            Seen::Nothing if slot.container.is_some() => Decision::Hold,
            Seen::Nothing => {
                // Init containers have run when a regular one has.
                if slot.kind == SlotKind::Init && w.has_run() { Decision::Next } else { Decision::Start }
            }
            Seen::Ended(end) => {
                let code = end["exitCode"].int();
                if slot.killed_by.as_deref() == Some(super::stop::REDEFINED) {
                    if let Some(slot) = w.slots.get_mut(index) {
                        (slot.killed_by, slot.back_off) = (None, None);
                    }
                    return Decision::Start;
                }
                if slot.kind == SlotKind::Init && (code == 0 || w.has_run()) {
                    return Decision::Next;
                }
                if !w.restarts_slot(slot, code) && slot.kind != SlotKind::Sidecar {
                    return if slot.kind == SlotKind::Init { Decision::Hold } else { Decision::Next };
                }
                let finished = crate::api::object::time(&end["finishedAt"]).unwrap_or(cx.now);
                let finished = slot.container.as_ref().and_then(|c| c.exit).map_or(finished, |(at, _)| at);
                // After a probe's kill the end of the instance before is looked at, once.
                let before = crate::api::object::time(&slot.last["finishedAt"]);
                let by_probe = w.slots.get_mut(index).and_then(|slot| slot.killed_by.take()).is_some();
                let finished = match (by_probe, before) {
                    (true, None) => return Decision::Start,
                    (true, Some(before)) => before,
                    (false, _) => finished,
                };
                let decision = self.crash_back_off(cx, w, index, finished);
                // The kill was part of this sync; the next look at the runtime tells of the end, and that is a sync more.
                w.pending |= by_probe && matches!(decision, Decision::Hold);
                decision
            }
        }
    }

    /// Whether a container that has ended may run again yet.
    fn crash_back_off(&mut self, cx: &mut Cx<'_>, w: &mut Worker, index: usize, finished: Time) -> Decision {
        let now = cx.now;
        let Some(slot) = w.slots.get_mut(index) else { return Decision::Next };
        if let Some((_, set)) = slot.back_off
            && finished - set > FORGET
        {
            slot.back_off = None;
        }
        match slot.back_off {
            None => {
                slot.back_off = Some((BACK_OFF, now));
                Decision::Start
            }
            Some((delay, _)) if now - finished >= delay => {
                slot.back_off = Some((Span((delay.0 * 2).min(MOST_BACK_OFF.0)), now));
                Decision::Start
            }
            Some((delay, _)) => {
                let until = finished + delay;
                let name = slot.name.clone();
                let path = slot.path();
                let meta = &w.pod["metadata"];
                let full = format!("{}_{}({})", meta["name"].str(), meta["namespace"].str(), w.uid);
                slot.waiting = Some((
                    "CrashLoopBackOff".into(),
                    format!("back-off {} restarting failed container={name} pod={full}", duration::go(delay)),
                ));
                w.failed = true;
                w.back_off_until = Some(w.back_off_until.map_or(until, |known| known.min(until)));
                let pod = w.pod.clone();
                let message = format!("Back-off restarting failed container {name} in pod {full}");
                self.event(cx, &pod, Some(&path), EventType::Warning, "BackOff", &message);
                Decision::Hold
            }
        }
    }

    /// Sees to the image of a container that is to start.
    fn image(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize) {
        let Some(slot) = w.slots.get(index) else { return };
        let name: SmolStr = slot.spec["image"].smol();
        let policy = slot.spec["imagePullPolicy"].str().to_string();
        let path = slot.path();
        let pod = w.pod.clone();
        let reference = match Reference::parse(&name) {
            Ok(reference) => reference,
            Err(why) => {
                let text = format!(
                    "Failed to apply default image tag \"{name}\": couldn't parse image name \"{name}\": {why}"
                );
                self.event(cx, &pod, Some(&path), EventType::Warning, "InspectFailed", &text);
                self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", "Error: InvalidImageName");
                self.wait_for(w, index, "InvalidImageName", text);
                return;
            }
        };
        let present = self.images.contains_key(&reference.full());
        if present && policy != "Always" {
            let text = format!("Container image \"{name}\" already present on machine and can be accessed by the pod");
            self.event(cx, &pod, Some(&path), EventType::Normal, "Pulled", &text);
            self.configure(cx, see, w, index);
            return;
        }
        if policy == "Never" {
            let text = format!("Container image \"{name}\" is not present with pull policy of Never");
            self.event(cx, &pod, Some(&path), EventType::Warning, "ErrImageNeverPull", &text);
            self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", "Error: ErrImageNeverPull");
            self.wait_for(w, index, "ErrImageNeverPull", text);
            return;
        }
        if let Some((_, until)) = w.image_back_off.get(&name)
            && cx.now < *until
        {
            let text = format!("Back-off pulling image \"{name}\"");
            self.event(cx, &pod, Some(&path), EventType::Normal, "BackOff", &text);
            self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", "Error: ImagePullBackOff");
            let error = w.image_errors.get(&name).cloned().unwrap_or_default();
            self.wait_for(w, index, "ImagePullBackOff", format!("{text}: ErrImagePull: {error}"));
            return;
        }
        self.event(cx, &pod, Some(&path), EventType::Normal, "Pulling", &format!("Pulling image \"{name}\""));
        w.stage = Stage::Pulling(index);
        let uid = w.uid.clone();
        self.pull(cx, &uid, index, reference);
    }

    fn wait_for(&self, w: &mut Worker, index: usize, reason: &str, message: String) {
        if let Some(slot) = w.slots.get_mut(index) {
            slot.waiting = Some((reason.into(), message));
        }
        w.failed = true;
    }

    /// A pull has come out.
    pub(super) fn pulled(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize, result: Pulled) {
        if w.stage != Stage::Pulling(index) {
            return;
        }
        let Some(slot) = w.slots.get(index) else { return };
        let name: SmolStr = slot.spec["image"].smol();
        let path = slot.path();
        let initialising = slot.kind.comes_first();
        let pod = w.pod.clone();
        match result {
            Ok((image, took, waited)) => {
                let ms = |span: Span| duration::go(Span(span.0 / 1000 * 1000));
                let text = format!(
                    "Successfully pulled image \"{name}\" in {} ({} including waiting). Image size: {} bytes.",
                    ms(took),
                    ms(waited),
                    image.size
                );
                self.event(cx, &pod, Some(&path), EventType::Normal, "Pulled", &text);
                w.image_back_off.remove(&name);
                w.stage = Stage::Slot(index);
                self.configure(cx, see, w, index);
                if w.stage == Stage::Slot(index) {
                    w.stage = Stage::Slot(if initialising { w.slots.len() } else { index + 1 });
                    self.slots(cx, see, w);
                }
            }
            Err(error) => {
                self.event(
                    cx,
                    &pod,
                    Some(&path),
                    EventType::Warning,
                    "Failed",
                    &format!("Failed to pull image \"{name}\": {error}"),
                );
                self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", "Error: ErrImagePull");
                let delay = match w.image_back_off.get(&name) {
                    Some((delay, until)) if cx.now - *until < FORGET => Span((delay.0 * 2).min(MOST_BACK_OFF.0)),
                    _ => BACK_OFF,
                };
                w.image_back_off.insert(name.clone(), (delay, cx.now + delay));
                w.image_errors.insert(name, error.clone());
                self.wait_for(w, index, "ErrImagePull", error);
                w.stage = Stage::Slot(if initialising { w.slots.len() } else { index + 1 });
                self.slots(cx, see, w);
            }
        }
    }

    /// Environment and mounts; then the container is created.
    fn configure(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize) {
        let Some(slot) = w.slots.get(index) else { return };
        let (path, spec) = (slot.path(), slot.spec.clone());
        let pod = w.pod.clone();
        let image = Reference::parse(spec["image"].str()).ok().and_then(|reference| self.images.get(&reference.full()));
        let Some(image) = image.cloned() else { return };
        let made = env::build(see, w, &self.config, &spec, &image, cx.now).and_then(|built| {
            env::user_is_allowed(&pod, &spec, &image)?;
            Ok(built)
        });
        match made {
            Ok(built) => {
                if !built.skipped.is_empty() {
                    for text in &built.skipped {
                        self.event(cx, &pod, Some(&path), EventType::Warning, "InvalidEnvironmentVariableNames", text);
                    }
                }
                if built.args.is_empty() {
                    let id = hex64(&format!("{}{}{}", w.uid, index, cx.now.0));
                    let text = format!(
                        "failed to generate container \"{id}\" spec: failed to generate spec: no command specified"
                    );
                    self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", &format!("Error: {text}"));
                    self.wait_for(w, index, "CreateContainerError", text);
                    return;
                }
                w.stage = Stage::Create(index);
                let wait = cx.weather.create_container;
                self.step_after(cx, w, wait);
            }
            Err(error) => {
                self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", &format!("Error: {error}"));
                self.wait_for(w, index, "CreateContainerConfigError", error);
            }
        }
    }

    fn create(&mut self, cx: &mut Cx<'_>, _see: &Caches, w: &mut Worker, index: usize) {
        let Some(path) = w.slots.get(index).map(Slot::path) else { return };
        let pod = w.pod.clone();
        self.event(cx, &pod, Some(&path), EventType::Normal, "Created", "Container created");
        w.stage = Stage::Start(index);
        // The runtime makes one process after the other, so that equal pods are not ready in one instant.
        let next = self.starting + cx.weather.create_container + cx.weather.start_container;
        self.starting = next.max(cx.now + cx.weather.start_container);
        let wait = self.starting - cx.now;
        self.step_after(cx, w, wait);
    }

    fn start_container(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize) {
        let Some(slot) = w.slots.get(index) else { return };
        let spec = slot.spec.clone();
        let pod = w.pod.clone();
        let image = Reference::parse(spec["image"].str()).ok().and_then(|reference| self.images.get(&reference.full()));
        let Some(image) = image.cloned() else { return };
        let built = env::build(see, w, &self.config, &spec, &image, cx.now).unwrap_or_default();
        let Some(slot) = w.slots.get_mut(index) else { return };
        let path = slot.path();
        let id = hex64(&format!("{}/{}/{}/{}", w.uid, slot.name, slot.restarts, cx.chance.bits("container id")));
        let make = Make {
            name: slot.name.clone(),
            id: id.clone(),
            image: image.clone(),
            args: built.args,
            env: built.env,
            cwd: if spec["workingDir"].is_empty() { "/".into() } else { spec["workingDir"].str().into() },
            files: built.files,
            hostname: built.hostname,
            stdin: spec["stdin"].is_true(),
            tty: spec["tty"].is_true(),
        };
        // A container that was there before becomes the previous one.
        if slot.made.is_some() {
            slot.restarts += 1;
            if let Seen::Ended(end) = &slot.seen {
                slot.last = end.clone();
            }
            slot.previous = slot.container.take();
        }
        slot.made = Some(Made {
            id: id.clone(),
            image: image.reference.full().into(),
            image_id: image.id(),
            user: resources::user(image.user, &pod, &spec),
        });
        slot.waiting = None;
        slot.failed_start = None;
        slot.killed_by = None;
        slot.oom_killed = false;
        slot.seen = Seen::Nothing;
        for probe in [&mut slot.liveness, &mut slot.readiness, &mut slot.startup].into_iter().flatten() {
            probe.reset();
        }
        let kind = slot.kind;
        let started = match built.clash {
            Some(error) => Err(error),
            None => Container::start(make, cx.now),
        };
        match started {
            Ok(mut container) => {
                // The look after this sync still finds it running, however short it lives, and who attaches to it as
                // soon as that is told misses nothing.
                let told = cx.weather.relist + cx.weather.write + cx.weather.watch + cx.weather.read;
                container.hold_until(cx.now + told + Span::millis(20));
                if w.pod["spec"]["shareProcessNamespace"].is_true() {
                    container.shares_processes();
                }
                if eats_too_much(&container, &spec) {
                    slot.oom_killed = true;
                    container.kill(cx.now);
                }
                slot.container = Some(Box::new(container));
                w.changed = true;
                slot.actual = None;
                self.event(cx, &pod, Some(&path), EventType::Normal, "Started", "Container started");
                self.resize_made(cx, w);
                self.post_start(cx, w, index);
                self.watch_programs(cx, w);
            }
            Err(error) => {
                let error = in_words_of_the_node(&error);
                slot.failed_start = Some(map! {
                    "containerID" => format!("containerd://{id}"), "exitCode" => 128, "reason" => "StartError",
                    "message" => error.clone(), "startedAt" => "1970-01-01T00:00:00Z",
                    "finishedAt" => cx.now.rfc3339(),
                });
                self.event(cx, &pod, Some(&path), EventType::Warning, "Failed", &format!("Error: {error}"));
                self.wait_for(w, index, "RunContainerError", error);
            }
        }
        // What follows an init container or a sidecar is for the next sync, which has seen it.
        w.stage = Stage::Slot(if kind.comes_first() { w.slots.len() } else { index + 1 });
        self.slots(cx, see, w);
    }

    /// The postStart hook; when it fails the container is ended again.
    fn post_start(&mut self, cx: &mut Cx<'_>, w: &mut Worker, index: usize) {
        let (ip, pod, uid) = (w.ip.clone(), w.pod.clone(), w.uid.clone());
        let Some(slot) = w.slots.get_mut(index) else { return };
        let (path, name) = (slot.path(), slot.name.clone());
        let hook = slot.spec.at(&["lifecycle", "postStart"]).clone();
        let Some(container) = slot.container.as_mut().filter(|_| !hook.is_null()) else { return };
        let Err(error) = super::end::run_hook(cx, container, &hook, &ip) else { return };
        // It is asked to end first.
        container.signal(super::end::stop_signal(&container.image.stop_signal));
        container.run(cx.chance, cx.now);
        container.kill(cx.now);
        // Its start and its end are two pieces of news: a second look follows the one that tells the error.
        w.look_twice = true;
        let meta = &pod["metadata"];
        let full = format!("{}_{}({uid})", meta["name"].str(), meta["namespace"].str());
        let words: Vec<&str> = hook.at(&["exec", "command"]).items().iter().map(Value::str).collect();
        let command = words.join(" ");
        let text = if error.code < 0 {
            let path = hook.at(&["httpGet", "path"]).str();
            format!(
                "HTTP lifecycle hook ({path}) for Container \"{name}\" in Pod \"{full}\" failed - error: {}",
                error.errors
            )
        } else {
            format!(
                "Exec lifecycle hook ([{command}]) for Container \"{name}\" in Pod \"{full}\" failed - error: command \
                 '{command}' exited with {}: {}, message: {}",
                error.code,
                error.errors,
                crate::base::goquote::quote(&error.output)
            )
        };
        self.event(cx, &pod, Some(&path), EventType::Warning, "FailedPostStartHook", "PostStartHook failed");
        self.event(cx, &pod, Some(&path), EventType::Normal, "Killing", "FailedPostStartHook");
        self.wait_for(w, index, "PostStartHookError", text);
    }

    fn end_sync(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        w.stage = Stage::Idle;
        w.step_end = cx.now;
        if w.end == End::Asked {
            w.pending = true;
        }
        let jitter = 1.0 + cx.weather.jitter;
        let again = if !w.failed {
            cx.now + RESYNC.times(jitter)
        } else {
            let wait = match w.back_off_until {
                Some(until) => Span((until - cx.now).0.clamp(0, RESYNC.0)).times(1.0 + cx.weather.back_off_jitter),
                None => RETRY.times(jitter),
            };
            tick_after(cx.now + wait)
        };
        cx.wake_at(again, self.token(What::Retry(w.uid.clone(), w.epoch)));
        if w.look_twice && !w.changed {
            w.look_twice = false;
            w.pending = true;
        }
        if w.changed && !w.failed {
            let wait = cx.weather.relist + cx.weather.write;
            cx.wake_after(wait, self.token(What::Relist(w.uid.clone())));
        } else if w.changed
            || w.pending
            || w.slots.iter().any(|slot| slot.failed_start.is_some() && slot.seen == Seen::Nothing)
        {
            cx.wake_at(relist_after(cx.now), self.token(What::Relist(w.uid.clone())));
        }
        let _ = see;
    }

    /// A look at the runtime: each container with news asks for a step.
    pub(super) fn relist(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        w.view_at = cx.now;
        if w.end == End::Written {
            self.remove(cx, w);
            return;
        }
        if w.done {
            // Several looks may fall on the instant at which it was found done.
            if cx.now > w.step_end {
                self.finish_later(cx, w);
            }
            return;
        }
        let first = w.sandbox && w.step_end.0 >= 0 && w.changed && !w.sandbox_stopped;
        let mut news = usize::from(std::mem::take(&mut w.changed) && first && !w.status.has("podIP"));
        let mut ended = false;
        for slot in &mut w.slots {
            if slot.look() {
                news += 1;
                ended |= matches!(slot.seen, Seen::Ended(_));
            }
        }
        // What has started is one sync, however many pieces of news it was; an end at the next look finds the worker
        // one behind.
        if ended {
            news += usize::from(cx.now <= w.behind_until);
        } else if news > 1 {
            news = 1;
            w.behind_until = relist_after(cx.now);
        }
        if w.pending {
            self.try_step(cx, see, w);
        }
        for _ in 0..news {
            self.trigger(cx, see, w);
        }
        self.probe_after_start(cx, see, w);
    }

    /// Wakes for the programs of a pod's containers.
    pub(super) fn watch_programs(&self, cx: &mut Cx<'_>, w: &Worker) {
        let next = w.slots.iter().filter_map(|slot| slot.container.as_ref()?.next_at()).min();
        if let Some(at) = next {
            cx.wake_at(at, self.token(What::Programs(w.uid.clone())));
        }
        let ended = w.slots.iter().any(|slot| {
            slot.container.as_ref().is_some_and(|c| c.exit.is_some())
                && matches!(slot.seen, Seen::Running(_) | Seen::Nothing)
        });
        if ended && w.end != End::Stopping {
            cx.wake_at(relist_after(cx.now), self.token(What::Relist(w.uid.clone())));
        }
    }

    pub(super) fn run_programs(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        for index in 0..w.slots.len() {
            if let Some(container) = w.slots.get_mut(index).and_then(|slot| slot.container.as_mut())
                && container.next_at().is_some_and(|at| at <= cx.now)
            {
                container.run(cx.chance, cx.now);
                self.share(w, index);
            }
        }
        self.watch_programs(cx, w);
        self.check_stopped(cx, w);
        self.restart_killed(cx, see, w);
    }

    /// Writes the status when it differs from the last one written.
    pub(super) fn push_status(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        let new = status::status(w, cx.now);
        let told: Vec<bool> = w.slots.iter().map(|slot| w.shows_waiting(slot)).collect();
        for (slot, waits) in w.slots.iter_mut().zip(told) {
            // The end told as the last state stays there.
            if let Seen::Ended(end) = &slot.seen
                && waits
            {
                slot.last = end.clone();
            }
        }
        if new == w.status {
            return;
        }
        let meta = &w.pod["metadata"];
        let object =
            |status: &Value| map! { "metadata" => map! { "uid" => w.uid.clone() }, "status" => status.clone() };
        let ty = type_of("", "v1", "Pod").map(|ty| ty.id);
        let mut body = patch::two_way(ty, &object(&w.status), &object(&new)).unwrap_or_default();
        body.set(&["metadata", "uid"], w.uid.clone());
        let request =
            self.client.patch(&PODS, meta["namespace"].str(), meta["name"].str(), "status", PatchKind::Strategic, body);
        w.status = new;
        cx.call(request, None);
    }

    /// Pods of a node without a runtime.
    pub(super) fn kwok_pod(&mut self, cx: &mut Cx<'_>, pod: &Value, uid: &SmolStr) {
        if self.heartbeat.lost {
            return;
        }
        let mut worker = self.workers.remove(uid).unwrap_or_else(|| {
            let mut worker = Box::new(Worker::new(pod, &self.config.address));
            worker.ip = self.new_address();
            cx.wake_after(Span::seconds(1), self.token(What::Kwok(uid.clone())));
            worker
        });
        worker.pod = pod.clone();
        if worker.status == pod["status"] {
            worker.status = pod["status"].clone();
        }
        if crate::api::object::is_deleting(pod) && worker.end == End::No {
            worker.end = End::Written;
            cx.wake_after(Span::seconds(1), self.token(What::Relist(uid.clone())));
        }
        self.workers.insert(uid.clone(), worker);
    }

    pub(super) fn kwok_ready(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        if w.end != End::No {
            return;
        }
        let at = cx.now;
        for slot in &mut w.slots {
            let image = Reference::parse(slot.spec["image"].str()).map(|r| r.full()).unwrap_or_default();
            slot.made = Some(Made {
                id: hex64(&format!("{}{}", w.uid, slot.name)),
                image: image.into(),
                image_id: String::new(),
                user: Value::Null,
            });
            slot.seen = if slot.kind == SlotKind::Init {
                Seen::Ended(
                    map! { "exitCode" => 0, "reason" => "Completed", "startedAt" => at.rfc3339(), "finishedAt" => at.rfc3339() },
                )
            } else {
                Seen::Running(at)
            };
            slot.readiness = None;
            slot.startup = None;
        }
        w.sandbox = true;
        w.sandbox_shown = true;
        self.push_status(cx, w);
    }

    /// `activeDeadlineSeconds` is over.
    pub(super) fn deadline(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        if w.is_terminating() || w.is_done() {
            return;
        }
        w.deadline_over = true;
        self.tell_deadline(cx, w);
        w.end = End::Asked;
        self.trigger(cx, see, w);
    }

    /// Every look at a pod whose deadline is over tells it again.
    pub(super) fn tell_deadline(&mut self, cx: &mut Cx<'_>, w: &Worker) {
        if w.deadline_over {
            let pod = w.pod.clone();
            self.event(cx, &pod, None, EventType::Normal, "DeadlineExceeded", DEADLINE);
        }
    }

    pub(super) fn probe_token(&self, w: &Worker, slot: usize, kind: ProbeKind) -> super::Token {
        self.token(What::Probe(w.uid.clone(), slot, kind))
    }
}

/// The nodes have a newer runc than Docker: it says less of a directory that should be a program.
pub(super) fn in_words_of_the_node(error: &str) -> String {
    error.replace("is a directory: permission denied", "is a directory")
}

/// Whether a program takes more memory than its container may have (stress says how much it takes).
fn eats_too_much(container: &Container, spec: &Value) -> bool {
    let limit = spec.at(&["resources", "limits", "memory"]);
    if limit.is_null() {
        return false;
    }
    let wants = container.programs().filter_map(|args| {
        let at = args.iter().position(|word| word == "--vm-bytes")?;
        let size = args.get(at + 1)?;
        let unit = size.trim_start_matches(|c: char| c.is_ascii_digit());
        let number: i64 = size.get(..size.len() - unit.len())?.parse().ok()?;
        let shift = match unit {
            "K" | "k" => 10,
            "M" | "m" => 20,
            "G" | "g" => 30,
            _ => 0,
        };
        number.checked_mul(1 << shift)
    });
    wants.sum::<i64>() > Quantity::of(limit).value()
}

enum Decision {
    /// Nothing to do for this one.
    Next,
    /// It is not where it should be, and nothing can be done now.
    Hold,
    Start,
}
