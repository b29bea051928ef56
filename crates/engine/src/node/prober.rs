//! The probe workers: when each probe runs and what its results lead to (kubelet's prober manager).

use super::probe::{Probe, Run};
use super::statics::is_mirror;
use super::worker::{End, Seen, Slot, Worker};
use super::{Cx, Kubelet, ProbeKind};
use crate::base::Span;
use crate::informer::{Caches, EventType};

fn probe_of(slot: &mut Slot, kind: ProbeKind) -> Option<&mut Probe> {
    match kind {
        ProbeKind::Startup => slot.startup.as_deref_mut(),
        ProbeKind::Liveness => slot.liveness.as_deref_mut(),
        ProbeKind::Readiness => slot.readiness.as_deref_mut(),
    }
}

impl Kubelet {
    /// Liveness and startup probes keep the grid that begins when the volumes are mounted.
    pub(super) fn start_probe_grids(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        for index in 0..w.slots.len() {
            for kind in [ProbeKind::Startup, ProbeKind::Liveness] {
                let period = w.slots.get_mut(index).and_then(|slot| probe_of(slot, kind)).map(|probe| probe.period());
                if let Some(period) = period {
                    cx.wake_after(period, self.probe_token(w, index, kind));
                }
            }
        }
    }

    /// Readiness runs whenever a status shows a started container that is not ready.
    pub(super) fn probe_after_start(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        for index in 0..w.slots.len() {
            let wants = w.slots.get(index).is_some_and(|slot| {
                slot.is_started() && slot.readiness.as_ref().is_some_and(|probe| probe.result != Some(true))
            });
            if wants {
                self.readiness(cx, see, w, index);
            }
        }
    }

    fn readiness(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize) {
        let steady = is_mirror(&w.pod);
        let Some(probe) = w.slots.get_mut(index).and_then(|slot| slot.readiness.as_deref_mut()) else { return };
        if steady && probe.result == Some(true) {
            return;
        }
        let due = cx.now + probe.period();
        probe.due = due;
        cx.wake_at(due, self.probe_token(w, index, ProbeKind::Readiness));
        self.run_probe(cx, see, w, index, ProbeKind::Readiness);
    }

    pub(super) fn probe_due(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize, kind: ProbeKind) {
        if w.done || matches!(w.end, End::Stopped | End::Written) {
            return;
        }
        let Some(probe) = w.slots.get_mut(index).and_then(|slot| probe_of(slot, kind)) else { return };
        if kind == ProbeKind::Readiness {
            if probe.due == cx.now {
                self.readiness(cx, see, w, index);
            }
            return;
        }
        let period = probe.period();
        let steady = is_mirror(&w.pod) && probe.result == Some(true);
        if w.end == End::No && !steady {
            cx.wake_after(period, self.probe_token(w, index, kind));
            self.run_probe(cx, see, w, index, kind);
        }
    }

    fn run_probe(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize, kind: ProbeKind) {
        let (ip, pod) = (w.ip.clone(), w.pod.clone());
        let Some(slot) = w.slots.get_mut(index) else { return };
        let (Seen::Running(started), false) = (slot.seen.clone(), slot.stop.is_some()) else { return };
        let is_started = slot.is_started();
        let (path, spec) = (slot.path(), slot.spec.clone());
        let Some(probe) = probe_of(slot, kind).cloned() else { return };
        let skipped = match kind {
            ProbeKind::Startup => probe.result == Some(true),
            _ => !is_started,
        };
        if skipped || probe.on_hold || probe.is_delayed(started, cx.now) {
            return;
        }
        let Some(container) = slot.container.as_mut() else { return };
        let mut run = probe.run(container, &ip, &spec["ports"], cx.now);
        if let Run::Exec(command) = &run {
            run = match container.exec_now(command, cx.chance, cx.now) {
                Ok(done) => match done.code {
                    Some(0) => Run::Success,
                    Some(_) => Run::Failure(done.output),
                    None if done.until.is_some_and(|at| at - cx.now < probe.timeout()) => Run::Success,
                    None => Run::Failure(format!(
                        "command timed out: \"{}\" timed out after {}",
                        command.join(" "),
                        crate::base::duration::go(probe.timeout())
                    )),
                },
                Err(text) => Run::Error(format!(
                    "rpc error: code = Unknown desc = failed to exec in container: failed to start exec \"{}\": {text}",
                    cx.chance.hex("exec id", 64)
                )),
            };
        }
        let word = kind.word();
        match &run {
            Run::Failure(text) => {
                let text = format!("{word} probe failed: {text}");
                self.event(cx, &pod, Some(&path), EventType::Warning, "Unhealthy", &text);
            }
            Run::Error(text) => {
                let text = format!("{word} probe errored and resulted in unknown state: {text}");
                self.event(cx, &pod, Some(&path), EventType::Warning, "Unhealthy", &text);
                return;
            }
            Run::Success | Run::Exec(_) => {}
        }
        let Some(probe) = w.slots.get_mut(index).and_then(|slot| probe_of(slot, kind)) else { return };
        let first = probe.result.is_none();
        let changed = probe.count(run == Run::Success);
        match (kind, changed, run == Run::Success) {
            (ProbeKind::Readiness, _, good) => {
                if changed {
                    self.push_status(cx, w);
                }
                if !good && first {
                    self.trigger(cx, see, w);
                }
            }
            (ProbeKind::Startup, true, true) => {
                if let Some(slot) = w.slots.get_mut(index) {
                    slot.just_started = true;
                }
                self.push_status(cx, w);
                self.probe_after_start(cx, see, w);
                self.trigger(cx, see, w);
            }
            (ProbeKind::Startup | ProbeKind::Liveness, true, false) => self.condemn(cx, see, w, index, kind),
            _ => {}
        }
    }

    /// A failed liveness or startup probe stops the container.
    fn condemn(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker, index: usize, kind: ProbeKind) {
        let pod = w.pod.clone();
        let Some(slot) = w.slots.get(index) else { return };
        let again = if w.restarts_slot(slot, 137) { ", will be restarted" } else { "" };
        let text = format!("Container {} failed {} probe{again}", slot.name, kind.word().to_lowercase());
        let path = slot.path();
        self.event(cx, &pod, Some(&path), EventType::Normal, "Killing", &text);
        let grace = w.grace();
        let Some(slot) = w.slots.get_mut(index) else { return };
        let own = probe_of(slot, kind).and_then(|probe| {
            probe.on_hold = true;
            probe.spec["terminationGracePeriodSeconds"].as_int()
        });
        let grace = own.map_or(grace, |seconds| Span::seconds(seconds.clamp(1, 1 << 30)));
        slot.killed_by = Some(kind.word().into());
        self.begin_stop(cx, w, index, grace, Span::ZERO);
        self.go_on_stopping(cx, w);
        self.restart_killed(cx, see, w);
    }
}
