//! What a kubelet knows of one pod: its containers, what was last seen of them, and where the worker stands in its sync.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use super::probe::Probe;
use super::stop::Stop;
use crate::api::object;
use crate::base::{Span, Time, Value};
use crate::runtime::Container;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    Init,
    /// An init container that keeps running.
    Sidecar,
    Regular,
    /// Added to a running pod (`kubectl debug`); nothing waits for it, and it is never started again.
    Ephemeral,
}

impl SlotKind {
    /// Regular containers wait for it.
    pub fn comes_first(self) -> bool {
        matches!(self, SlotKind::Init | SlotKind::Sidecar)
    }
}

/// What the last look at the runtime showed of a container.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Seen {
    #[default]
    Nothing,
    Running(Time),
    /// The terminated state.
    Ended(Value),
}

/// Facts of the latest container made for a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    pub id: String,
    pub image: SmolStr,
    pub image_id: String,
    pub user: Value,
}

/// One container of the spec.
#[derive(Clone)]
pub struct Slot {
    pub name: SmolStr,
    pub kind: SlotKind,
    pub spec: Value,
    pub container: Option<Box<Container>>,
    /// The one before it: its log is what `--previous` shows.
    pub previous: Option<Box<Container>>,
    pub made: Option<Made>,
    /// A start that failed has no container but a terminated state.
    pub failed_start: Option<Value>,
    pub seen: Seen,
    /// A regular container that has been reported running.
    pub shown_running: bool,
    pub last: Value,
    pub waiting: Option<(SmolStr, String)>,
    pub restarts: u32,
    /// Crash back-off: the delay in force and when it was set.
    pub back_off: Option<(Span, Time)>,
    pub killed_by: Option<SmolStr>,
    pub oom_killed: bool,
    pub stop: Option<Stop>,
    pub liveness: Option<Box<Probe>>,
    pub readiness: Option<Box<Probe>>,
    pub startup: Option<Box<Probe>>,
    /// The startup probe has just succeeded: until the next sync only `started` tells it.
    pub just_started: bool,
    /// What it has, until a resize is made, in place of what its spec says.
    pub actual: Option<Value>,
}

impl Slot {
    pub fn new(kind: SlotKind, spec: &Value) -> Slot {
        let probe = |field: &str| (!spec[field].is_null()).then(|| Box::new(Probe::new(&spec[field])));
        Slot {
            name: spec["name"].smol(),
            kind,
            spec: spec.clone(),
            container: None,
            previous: None,
            made: None,
            failed_start: None,
            seen: Seen::Nothing,
            shown_running: false,
            last: Value::Null,
            waiting: None,
            restarts: 0,
            back_off: None,
            killed_by: None,
            oom_killed: false,
            stop: None,
            liveness: probe("livenessProbe"),
            readiness: probe("readinessProbe"),
            startup: probe("startupProbe"),
            just_started: false,
            actual: None,
        }
    }

    pub fn is_running(&self) -> bool {
        self.container.as_deref().is_some_and(Container::is_running)
    }

    /// Running and past its startup probe.
    pub fn is_started(&self) -> bool {
        matches!(self.seen, Seen::Running(_)) && self.startup.as_ref().is_none_or(|probe| probe.result == Some(true))
    }

    pub fn is_ready(&self) -> bool {
        // Init containers are ready when they have exited well, ephemeral ones never.
        !matches!(self.kind, SlotKind::Init | SlotKind::Ephemeral)
            && self.is_started()
            && !self.just_started
            && self.readiness.as_ref().is_none_or(|probe| probe.result == Some(true))
    }

    /// `spec.containers{web}`: the field path of its events.
    pub fn path(&self) -> String {
        let list = match self.kind {
            SlotKind::Regular => "containers",
            SlotKind::Ephemeral => "ephemeralContainers",
            SlotKind::Init | SlotKind::Sidecar => "initContainers",
        };
        format!("spec.{list}{{{}}}", self.name)
    }

    /// Takes in what the runtime shows now; true when it is news.
    pub fn look(&mut self) -> bool {
        let seen = match (&self.container, &self.failed_start) {
            (_, Some(end)) => Seen::Ended(end.clone()),
            (Some(container), _) => match &container.exit {
                Some((at, exit)) => Seen::Ended(self.terminated(container, *at, exit.code)),
                None => Seen::Running(container.started),
            },
            _ => Seen::Nothing,
        };
        if seen == self.seen {
            return false;
        }
        if matches!(seen, Seen::Running(_)) {
            self.shown_running = true;
        }
        self.seen = seen;
        true
    }

    fn terminated(&self, container: &Container, at: Time, code: i32) -> Value {
        let reason = match code {
            137 if self.oom_killed || container.starved => "OOMKilled",
            0 => "Completed",
            _ => "Error",
        };
        let mut value = crate::map! {
            "containerID" => format!("containerd://{}", container.id), "exitCode" => i64::from(code), "reason" => reason,
            "startedAt" => container.started.rfc3339(), "finishedAt" => at.rfc3339(),
        };
        let path = self.spec["terminationMessagePath"].str();
        let mut message = container.files.read_text("/", path).unwrap_or_default();
        message.truncate(floor_boundary(&message, 4096));
        if message.is_empty() && code != 0 && self.spec["terminationMessagePolicy"].str() == "FallbackToLogsOnError" {
            let lines = container.log.lines.iter().rev().take(80).map(|line| line.text.as_str());
            let mut lines: Vec<&str> = lines.collect();
            lines.reverse();
            let text = lines.concat();
            let start = text.len().saturating_sub(2048);
            let start = (start..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            message = text[start..].to_string();
        }
        if !message.is_empty() {
            value.set(&["message"], message);
        }
        value
    }
}

fn floor_boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Where the worker stands in its sync.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    Idle,
    /// Waits a moment, then computes the status and begins.
    Begin,
    /// Waits for volumes; how often they could not be set up.
    Volumes,
    Sandbox,
    /// Deals with the slot of this number next.
    Slot(usize),
    Pulling(usize),
    Create(usize),
    Start(usize),
}

/// A deletion, or the end of a pod that is done.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    No,
    /// Asked for; the worker turns to it at its next step.
    Asked,
    /// Containers are being stopped.
    Stopping,
    /// All have ended; the sandbox is being stopped.
    Stopped,
    /// The terminal status is written; the object goes at the next relist.
    Written,
}

#[derive(Clone)]
pub struct Worker {
    pub uid: SmolStr,
    pub pod: Value,
    pub status: Value,
    pub host_ip: SmolStr,
    pub ip: SmolStr,
    pub slots: Vec<Slot>,
    pub stage: Stage,
    pub end: End,
    /// A trigger waits for the worker.
    pub pending: bool,
    pub view_at: Time,
    pub step_end: Time,
    /// Numbers the wakes that still count.
    pub epoch: u32,
    pub volumes_mounted: bool,
    pub volume_tries: u32,
    pub kept: super::volumes::Kept,
    /// Volumes that outlive the pod, and the directory of the node each is.
    pub disks: BTreeMap<SmolStr, SmolStr>,
    pub sandbox: bool,
    pub sandbox_shown: bool,
    pub sandbox_stopped: bool,
    /// This sync started or failed something.
    pub changed: bool,
    pub failed: bool,
    /// The earliest end of a crash back-off met in this sync.
    pub back_off_until: Option<Time>,
    /// A hook failed: the container's end is looked at apart from its start.
    pub look_twice: bool,
    /// Up to this look an end gives one sync more.
    pub behind_until: Time,
    /// Image back-off by image: the delay, and until when.
    pub image_back_off: BTreeMap<SmolStr, (Span, Time)>,
    pub image_errors: BTreeMap<SmolStr, String>,
    pub reason: SmolStr,
    pub message: String,
    pub rejected: bool,
    pub lost: bool,
    pub deadline_over: bool,
    /// A done pod whose sandbox is stopped: the phase may be final.
    pub done: bool,
    /// It has come to its end without a deletion: its sidecars are being stopped.
    pub by_itself: bool,
    pub resize: super::resize::Resize,
    /// The terminated states are written, the phase is not.
    pub end_written: bool,
    /// The next step writes no status at its beginning.
    pub quiet: bool,
}

impl Worker {
    pub fn new(pod: &Value, host_ip: &str) -> Worker {
        let spec = &pod["spec"];
        let init = spec["initContainers"].items().iter().map(|container| {
            let sidecar = container["restartPolicy"].str() == "Always";
            Slot::new(if sidecar { SlotKind::Sidecar } else { SlotKind::Init }, container)
        });
        let regular = spec["containers"].items().iter().map(|container| Slot::new(SlotKind::Regular, container));
        let ephemeral = spec["ephemeralContainers"].items().iter().map(|c| Slot::new(SlotKind::Ephemeral, c));
        let count = init.len() + regular.len() + ephemeral.len();
        let mut slots = Vec::with_capacity(count);
        slots.extend(init.chain(regular).chain(ephemeral));
        Worker {
            uid: pod["metadata"]["uid"].smol(),
            pod: pod.clone(),
            status: pod["status"].clone(),
            host_ip: host_ip.into(),
            ip: SmolStr::default(),
            slots,
            stage: Stage::Idle,
            end: End::No,
            pending: false,
            view_at: Time(0),
            step_end: Time(-1),
            epoch: 0,
            volumes_mounted: false,
            volume_tries: 0,
            kept: super::volumes::Kept::new(),
            disks: BTreeMap::new(),
            sandbox: false,
            sandbox_shown: false,
            sandbox_stopped: false,
            changed: false,
            failed: false,
            back_off_until: None,
            look_twice: false,
            behind_until: Time(-1),
            image_back_off: BTreeMap::new(),
            image_errors: BTreeMap::new(),
            reason: SmolStr::default(),
            message: String::new(),
            rejected: false,
            lost: false,
            deadline_over: false,
            done: false,
            by_itself: false,
            resize: Default::default(),
            end_written: false,
            quiet: false,
        }
    }

    pub fn is_terminating(&self) -> bool {
        self.end != End::No || object::is_deleting(&self.pod)
    }

    /// The terminal phase may be written.
    pub fn is_final(&self) -> bool {
        self.done || matches!(self.end, End::Stopped | End::Written) && (!self.by_itself || self.end_written)
    }

    /// The address shows with the first news of a container.
    pub fn shows_ip(&self) -> bool {
        !self.ip.is_empty()
            && (self.status.has("podIP")
                || self.slots.iter().any(|slot| slot.seen != Seen::Nothing || slot.waiting.is_some()))
    }

    /// Some regular container has been started once.
    pub fn has_run(&self) -> bool {
        self.slots.iter().any(|slot| slot.kind == SlotKind::Regular && slot.made.is_some())
    }

    pub fn has_init(&self) -> bool {
        self.slots.iter().any(|slot| slot.kind.comes_first())
    }

    pub fn slots_waiting(&self) -> bool {
        self.slots.iter().any(|slot| slot.kind == SlotKind::Regular && self.shows_waiting(slot))
    }

    /// Whether what a container waits for is told: not of one that has ended and is not started again, nor in a pod that
    /// goes.
    pub fn shows_waiting(&self, slot: &Slot) -> bool {
        slot.waiting.is_some()
            && !self.is_terminating()
            && match &slot.seen {
                Seen::Ended(end) => self.restarts_slot(slot, end["exitCode"].int()),
                _ => true,
            }
    }

    fn policy(&self) -> &str {
        self.pod.at(&["spec", "restartPolicy"]).str()
    }

    pub fn init_failed(&self) -> bool {
        self.policy() == "Never"
            && self.slots.iter().any(|slot| {
                slot.kind == SlotKind::Init && matches!(&slot.seen, Seen::Ended(end) if end["exitCode"].int() != 0)
            })
    }

    /// Whether a container of this end is started again.
    pub fn restarts_slot(&self, slot: &Slot, code: i64) -> bool {
        if slot.kind == SlotKind::Ephemeral {
            return false;
        }
        let own = slot.spec["restartPolicy"].str();
        for rule in slot.spec["restartPolicyRules"].items() {
            let codes = rule.at(&["exitCodes", "values"]).items();
            let listed = codes.iter().any(|value| value.int() == code);
            let matches = (rule.at(&["exitCodes", "operator"]).str() == "In") == listed;
            if matches && rule["action"].str() == "Restart" {
                return true;
            }
        }
        match if own.is_empty() { self.policy() } else { own } {
            "Always" => slot.kind != SlotKind::Init || code != 0,
            "OnFailure" => code != 0,
            _ => false,
        }
    }

    /// Whether any regular container that has ended will be started again.
    pub fn restarts(&self) -> bool {
        self.slots.iter().any(|slot| match &slot.seen {
            Seen::Ended(end) if slot.kind == SlotKind::Regular => self.restarts_slot(slot, end["exitCode"].int()),
            _ => false,
        })
    }

    /// All regular containers have ended for good (or an init container has failed for good).
    pub fn is_done(&self) -> bool {
        self.init_failed()
            || self.slots.iter().filter(|slot| slot.kind == SlotKind::Regular).all(|slot| match &slot.seen {
                Seen::Ended(end) => !self.restarts_slot(slot, end["exitCode"].int()),
                _ => false,
            })
    }

    pub fn grace(&self) -> Span {
        let meta = &self.pod["metadata"];
        let seconds = meta["deletionGracePeriodSeconds"].as_int();
        let seconds = seconds.or_else(|| self.pod.at(&["spec", "terminationGracePeriodSeconds"]).as_int());
        // The kubelet gives at least two seconds.
        Span::seconds(seconds.unwrap_or(30).clamp(2, 1 << 40))
    }
}
