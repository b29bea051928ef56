//! Resizing a running pod in place (kubelet's allocation manager): new requests are taken when the node has room for
//! them and deferred until it has; then containers get them one by one, restarted where their policy wants it.
//!
//! Left out: requests the node could never meet (the API server refuses those), pods with resources of their own.

use super::resources;
use super::stop::REDEFINED;
use super::worker::{End, Slot, Worker};
use super::{Cx, Kubelet, What};
use crate::base::{SmolStr, Span, Time, Value, json};
use crate::informer::{Caches, EventType};
use crate::map;

/// From the news to the status that tells them, and from there to the change itself.
const TOLD: Span = Span::millis(10);
const MADE: Span = Span::millis(24);

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Resize {
    #[default]
    None,
    /// The node has no room: why, since when, and the spec that is wanted.
    Deferred { message: String, since: Time, wanted: Value },
    /// Under way, and whether the status has told so.
    Doing { since: Time, told: bool },
}

/// The resources of a pod's containers, init containers first.
fn wanted(spec: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let all = spec["initContainers"].items().iter().chain(spec["containers"].items());
    all.map(|container| (&container["name"], &container["resources"]))
}

/// `spec` with the resources of another.
fn with_resources(spec: &Value, of: &Value) -> Value {
    let mut spec = spec.clone();
    for list in ["initContainers", "containers"] {
        for container in spec.at_mut(&[list]).list_mut() {
            let found =
                wanted(of).find(|(name, _)| **name == container["name"]).map(|(_, resources)| resources.clone());
            if let Some(found) = found {
                container.set(&["resources"], found);
            }
        }
    }
    spec
}

/// Whether the change of a container's resources restarts it.
fn restarts(slot: &Slot, before: &Value) -> bool {
    slot.spec["resizePolicy"].items().iter().any(|policy| {
        let name = policy["resourceName"].str();
        policy["restartPolicy"].str() == "RestartContainer"
            && ["requests", "limits"].iter().any(|part| before[*part][name] != slot.spec["resources"][*part][name])
    })
}

impl Kubelet {
    /// A pod has come with another spec: what it asks for now is taken or put off. Before that it had `old`.
    pub(super) fn resized(&mut self, cx: &mut Cx<'_>, w: &mut Worker, old: &Value) {
        let same = wanted(old).eq(wanted(&w.pod["spec"]));
        if let Resize::Deferred { wanted: known, .. } = &w.resize
            && wanted(known).eq(wanted(&w.pod["spec"]))
        {
            let held = with_resources(&w.pod["spec"], old);
            w.pod.set(&["spec"], held);
            return;
        }
        if same || w.end != End::No || !w.slots.iter().any(Slot::is_running) {
            return;
        }
        self.take(cx, w, old);
    }

    fn take(&mut self, cx: &mut Cx<'_>, w: &mut Worker, old: &Value) {
        match self.lacks(w) {
            Some((reason, message)) => {
                let text = format!("Pod resize {reason}: {}", summary(&w.pod, &message));
                let spec = w.pod["spec"].clone();
                w.pod.set(&["spec"], with_resources(&spec, old));
                w.resize = Resize::Deferred { message, since: cx.now, wanted: spec };
                let pod = w.pod.clone();
                self.event(cx, &pod, None, EventType::Warning, "ResizeDeferred", &text);
            }
            None => {
                for slot in &mut w.slots {
                    let before =
                        wanted(old).find(|(name, _)| name.str() == slot.name).map(|(_, before)| before.clone());
                    let now = wanted(&w.pod["spec"]).find(|(name, _)| name.str() == slot.name);
                    if let (Some(before), Some((_, now))) = (before, now)
                        && before != *now
                    {
                        slot.spec.set(&["resources"], now.clone());
                        if slot.is_running() && slot.actual.is_none() {
                            slot.actual = Some(before);
                        }
                    }
                }
                w.resize = Resize::Doing { since: cx.now, told: false };
                let text = format!("Pod resize started: {}", summary(&w.pod, ""));
                let pod = w.pod.clone();
                self.event(cx, &pod, None, EventType::Normal, "ResizeStarted", &text);
            }
        }
        cx.wake_after(TOLD, self.token(What::Resize(w.uid.clone())));
    }

    /// Room has come free, or may have: deferred requests are looked at again.
    pub(super) fn retry_resizes(&mut self, cx: &mut Cx<'_>) {
        let waiting = self.workers.values().filter(|w| matches!(w.resize, Resize::Deferred { .. }));
        let uids: Vec<SmolStr> = waiting.map(|w| w.uid.clone()).collect();
        for uid in uids {
            self.with(&uid, |it, w| {
                let Resize::Deferred { wanted, .. } = w.resize.clone() else { return };
                let old = w.pod["spec"].clone();
                w.pod.set(&["spec"], with_resources(&old, &wanted));
                match it.lacks(w) {
                    Some(_) => w.pod.set(&["spec"], old),
                    None => it.take(cx, w, &old),
                }
            });
        }
    }

    /// The next moment of a resize.
    pub(super) fn resize_due(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        match &mut w.resize {
            Resize::None => {}
            Resize::Deferred { .. } => self.push_status(cx, w),
            Resize::Doing { told, .. } if !*told => {
                *told = true;
                self.push_status(cx, w);
                for index in 0..w.slots.len() {
                    let restarted = w.slots.get(index).is_some_and(|slot| {
                        slot.is_running() && slot.actual.as_ref().is_some_and(|before| restarts(slot, before))
                    });
                    if restarted {
                        self.replace(cx, see, w, index, "resize requires restart");
                    }
                }
                cx.wake_after(MADE, self.token(What::Resize(w.uid.clone())));
            }
            Resize::Doing { .. } => {
                let changes = |slot: &&mut Slot| slot.killed_by.as_deref() != Some(REDEFINED);
                w.slots.iter_mut().filter(changes).for_each(|slot| slot.actual = None);
                if self.resize_made(cx, w) {
                    self.push_status(cx, w);
                    self.retry_resizes(cx);
                }
            }
        }
    }

    /// Whether that was the last container of a resize.
    pub(super) fn resize_made(&mut self, cx: &mut Cx<'_>, w: &mut Worker) -> bool {
        let doing = matches!(w.resize, Resize::Doing { told: true, .. });
        if !doing || w.slots.iter().any(|slot| slot.actual.is_some()) {
            return false;
        }
        w.resize = Resize::None;
        let (pod, text) = (w.pod.clone(), format!("Pod resize completed: {}", summary(&w.pod, "")));
        self.event(cx, &pod, None, EventType::Normal, "ResizeCompleted", &text);
        true
    }
}

/// The JSON in a resize's events.
fn summary(pod: &Value, error: &str) -> String {
    let list = |list: &str| -> Vec<Value> {
        let all = pod["spec"][list].items().iter();
        all.map(|one| map! { "name" => &one["name"], "resources" => resources::of(one) }).collect()
    };
    let text = |list: Vec<Value>| json::compact(&Value::list(list));
    let (init, generation) = (list("initContainers"), pod["metadata"]["generation"].int());
    let init = if init.is_empty() { String::new() } else { format!("\"initContainers\":{},", text(init)) };
    let error = if error.is_empty() { String::new() } else { format!(",\"error\":{}", json::compact(&error.into())) };
    format!("{{{init}\"containers\":{},\"generation\":{generation}{error}}}", text(list("containers")))
}
