//! How one container is stopped (`killContainer` of the kubelet's runtime manager): its stop hook, its turn among the
//! sidecars, the stop signal, and SIGKILL once the grace is over. Containers of a pod are stopped side by side; hook
//! and turn are taken off each one's own grace, of which at least two seconds are always left for the signal.

use super::end::{run_hook, stop_signal};
use super::worker::{End, Slot, SlotKind, Worker};
use super::{Cx, Kubelet, What};
use crate::base::{SmolStr, Span, Time};
use crate::informer::{Caches, EventType};

/// `minimumGracePeriodInSeconds`
const LEAST: Span = Span::seconds(2);

/// What ends a container whose definition has changed, where a probe's name stands else.
pub const REDEFINED: &str = "definition";

pub const CHANGED: &str = "definition changed";

/// A container on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The hook has been waited for; the signal goes now, or when it is this sidecar's turn.
    pub from: Time,
    /// What is left of the grace then.
    pub left: Span,
    /// The signal is sent; SIGKILL follows at this instant.
    pub kill_at: Option<Time>,
}

fn whole_seconds(span: Span) -> Span {
    Span::seconds(span.as_seconds())
}

impl Kubelet {
    /// Begins to stop one, by the newest grace when it was being stopped already: its hook runs, no longer than the
    /// grace. The signal goes `delay` from now at the earliest.
    pub(super) fn begin_stop(&mut self, cx: &mut Cx<'_>, w: &mut Worker, index: usize, grace: Span, delay: Span) {
        let (pod, ip) = (w.pod.clone(), w.ip.clone());
        let Some(slot) = w.slots.get_mut(index) else { return };
        let hook = slot.spec.at(&["lifecycle", "preStop"]).clone();
        let mut taken = Span::ZERO;
        let mut failed = None;
        if let Some(container) = slot.container.as_mut().filter(|_| !hook.is_null() && grace > Span::ZERO) {
            match run_hook(cx, container, &hook, &ip) {
                Ok(span) => taken = span.min(grace),
                Err(_) => failed = Some(slot.path()),
            }
        }
        let from = cx.now + taken.max(delay);
        slot.stop = Some(Stop { from, left: grace - whole_seconds(taken), kill_at: None });
        if let Some(path) = failed {
            self.event(cx, &pod, Some(&path), EventType::Warning, "FailedPreStopHook", "PreStopHook failed");
        }
        cx.wake_at(from, self.token(What::Stop(w.uid.clone())));
    }

    /// Its definition has changed: it is stopped, and started anew whatever the restart policy says.
    pub(super) fn replace(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize, why: &str) {
        if w.end != End::No {
            return;
        }
        let (pod, grace) = (w.pod.clone(), w.grace());
        let Some(slot) = w.slots.get_mut(index).filter(|slot| slot.stop.is_none()) else { return };
        slot.killed_by = Some(SmolStr::new_static(&REDEFINED));
        let path = slot.path();
        let text = match slot.kind.comes_first() {
            true => format!("Init container {} {why}", slot.name),
            false if why == CHANGED => format!("Container {} {why}, will be restarted", slot.name),
            false => format!("Container {} {why}", slot.name),
        };
        self.event(cx, &pod, Some(&path), EventType::Normal, "Killing", &text);
        self.begin_stop(cx, w, index, grace, Span::ZERO);
        self.go_on_stopping(cx, w);
        self.restart_killed(cx, see, w);
    }

    /// Signals whose time has come, and SIGKILL for those whose grace is over.
    pub(super) fn go_on_stopping(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        let now = cx.now;
        for index in (0..w.slots.len()).rev() {
            let turn = w.end != End::Stopping || has_turn(&w.slots, index);
            let Some(slot) = w.slots.get_mut(index) else { continue };
            let own = slot.spec.at(&["lifecycle", "stopSignal"]).smol();
            let Some(stop) = &mut slot.stop else { continue };
            let Some(container) = slot.container.as_mut().filter(|container| container.is_running()) else { continue };
            match stop.kill_at {
                Some(at) if at <= now => container.kill(now),
                Some(_) => {}
                None if stop.from > now => {}
                None if turn || stop.from + stop.left <= now => {
                    let at = now + (stop.left - whole_seconds(now - stop.from)).max(LEAST);
                    stop.kill_at = Some(at);
                    let name = if own.is_empty() { container.image.stop_signal.clone() } else { own };
                    container.signal(stop_signal(&name));
                    container.run(cx.chance, now);
                    cx.wake_at(at, self.token(What::Stop(w.uid.clone())));
                }
                None => cx.wake_at(stop.from + stop.left, self.token(What::Stop(w.uid.clone()))),
            }
        }
    }
}

/// A sidecar is stopped when the regular containers and the sidecars after it have ended.
fn has_turn(slots: &[Slot], index: usize) -> bool {
    slots.get(index).is_none_or(|slot| slot.kind != SlotKind::Sidecar)
        || !slots
            .iter()
            .enumerate()
            .any(|(other, slot)| slot.is_running() && (slot.kind != SlotKind::Sidecar || other > index))
}
