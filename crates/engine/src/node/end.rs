//! How pods end: stop hooks, stop signals, the grace period, the terminal status, the removal of the object
//! (kubelet's syncTerminatingPod and syncTerminatedPod), and the end of pods that are done.

use super::sync::relist_after;
use super::worker::{End, Stage, Worker};
use super::{Cx, Kubelet, What};
use crate::api::{object, resource::PODS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType};
use crate::map;
use crate::process::Signal;
use crate::runtime;

impl Kubelet {
    /// Stops what runs; with nothing running the sandbox goes at once.
    pub(super) fn stop_pod(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        w.stage = Stage::Idle;
        w.step_end = cx.now;
        if w.slots.iter().any(|slot| slot.is_running()) {
            self.stop_containers(cx, w);
            return;
        }
        w.end = End::Stopped;
        let at = if w.sandbox { cx.now + sandbox_wait(cx) } else { relist_after(cx.now) };
        w.sandbox_stopped |= !w.sandbox;
        cx.wake_at(at, self.token(What::Stop(w.uid.clone())));
    }

    /// Killing events and stop hooks; the signals follow a moment later.
    fn stop_containers(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        self.tell_deadline(cx, w);
        let (pod, grace) = (w.pod.clone(), w.grace());
        w.end = End::Stopping;
        for index in 0..w.slots.len() {
            let Some(slot) = w.slots.get(index).filter(|slot| slot.is_running()) else { continue };
            let text = format!("Stopping container {}", slot.name);
            self.recorder.event(cx, &self.client, &pod, Some(&slot.path()), EventType::Normal, "Killing", &text);
            self.begin_stop(cx, w, index, grace, cx.weather.write);
        }
    }

    /// Something about stopping is due.
    pub(super) fn stop_due(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        match w.end {
            End::Stopping => {
                self.go_on_stopping(cx, w);
                self.watch_programs(cx, w);
                self.check_stopped(cx, w);
            }
            End::Stopped => self.end_pod(cx, w),
            End::No if w.done && !w.sandbox_stopped => {
                w.sandbox_stopped = true;
                self.push_status(cx, w);
            }
            End::No => {
                self.go_on_stopping(cx, w);
                self.restart_killed(cx, see, w);
            }
            End::Asked | End::Written => {}
        }
    }

    /// Sidecars follow when regular containers have ended; the sandbox when all have.
    pub(super) fn check_stopped(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        if w.end != End::Stopping {
            return;
        }
        let running = |w: &Worker| w.slots.iter().filter(|slot| slot.is_running()).count();
        // The end of one may be the turn of the next, which may end at once.
        let mut before = usize::MAX;
        while running(w) < before {
            before = running(w);
            self.go_on_stopping(cx, w);
        }
        if before > 0 {
            self.watch_programs(cx, w);
            return;
        }
        w.end = End::Stopped;
        cx.wake_after(sandbox_wait(cx), self.token(What::Stop(w.uid.clone())));
    }

    /// The terminal status; without containers it takes two steps.
    fn end_pod(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        self.tell_deadline(cx, w);
        if w.deadline_over {
            (w.reason, w.message) = ("DeadlineExceeded".into(), super::sync::DEADLINE.into());
        }
        let ran = w.slots.iter().any(|slot| slot.made.is_some());
        let first = !w.sandbox_stopped;
        w.sandbox_stopped = true;
        for slot in &mut w.slots {
            slot.look();
        }
        if !ran && !first || w.end_written {
            w.lost = !w.by_itself;
            self.push_status(cx, w);
            w.end = End::Written;
            cx.wake_after(Span::millis(5), self.token(What::Relist(w.uid.clone())));
            return;
        }
        self.push_status(cx, w);
        w.end_written = true;
        let again = if matches!(w.status["phase"].str(), "Succeeded" | "Failed") {
            w.end = End::Written;
            What::Relist(w.uid.clone())
        } else {
            What::Stop(w.uid.clone())
        };
        cx.wake_at(relist_after(cx.now), self.token(again));
    }

    /// The object goes (what is not being deleted stays, ended).
    pub(super) fn remove(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        if !object::is_deleting(&w.pod) {
            self.tell_deadline(cx, w);
            return;
        }
        let options = map! {
            "kind" => "DeleteOptions", "apiVersion" => "v1", "gracePeriodSeconds" => 0,
            "preconditions" => map! { "uid" => w.uid.clone() },
        };
        let request = self.client.delete(&PODS, object::namespace(&w.pod), object::name(&w.pod), options);
        cx.call(request, None);
    }

    /// All regular containers have ended for good: sidecars are stopped, then the sandbox.
    pub(super) fn finish(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        w.stage = Stage::Idle;
        w.step_end = cx.now;
        if w.done {
            return;
        }
        if w.slots.iter().any(|slot| slot.is_running()) {
            w.by_itself = true;
            self.stop_containers(cx, w);
            return;
        }
        w.done = true;
        cx.wake_at(relist_after(cx.now), self.token(What::Relist(w.uid.clone())));
    }

    pub(super) fn finish_later(&mut self, cx: &mut Cx<'_>, w: &mut Worker) {
        if !w.sandbox_stopped {
            cx.wake_after(sandbox_wait(cx), self.token(What::Stop(w.uid.clone())));
        }
    }

    /// A container that a probe had stopped is started again in the same breath.
    pub(super) fn restart_killed(&mut self, cx: &mut Cx<'_>, see: &Caches, w: &mut Worker) {
        let mut ended = false;
        for slot in &mut w.slots {
            if slot.stop.is_some() && !slot.is_running() {
                slot.stop = None;
                ended = true;
                slot.look();
            }
        }
        if ended && w.end == End::No {
            w.quiet = true;
            w.step_end = Time(cx.now.0 - 1);
            w.view_at = cx.now;
            self.trigger(cx, see, w);
        }
    }
}

/// From the last exit to the issue of the terminal status.
fn sandbox_wait(cx: &Cx<'_>) -> Span {
    Span((cx.weather.stop_container.0 - cx.weather.write.0).max(0))
}
pub fn stop_signal(name: &str) -> Signal {
    match name {
        "SIGQUIT" => Signal::Quit,
        "SIGINT" => Signal::Int,
        "SIGHUP" => Signal::Hup,
        "SIGUSR1" => Signal::Usr1,
        "SIGWINCH" => Signal::Winch,
        "SIGKILL" => Signal::Kill,
        _ => Signal::Term,
    }
}

/// Runs a hook: how long it takes, or what it failed with.
pub fn run_hook(
    cx: &mut Cx<'_>,
    container: &mut runtime::Container,
    hook: &Value,
    ip: &str,
) -> Result<Span, HookError> {
    if hook.has("sleep") {
        return Ok(Span::seconds(hook.at(&["sleep", "seconds"]).int().clamp(0, 1 << 30)));
    }
    if hook.has("exec") {
        let words: Vec<String> = hook.at(&["exec", "command"]).items().iter().map(|word| word.str().into()).collect();
        return match container.exec_now(&words, cx.chance, cx.now) {
            Ok(done) => match done.code {
                Some(0) => Ok(Span::ZERO),
                // It runs on; a sleeping command takes as long as it says.
                None => Ok(done.until.map_or(Span::seconds(1 << 30), |at| at - cx.now)),
                Some(code) => Err(HookError { code, output: done.output, errors: done.errors }),
            },
            Err(text) => Err(HookError { code: 126, output: text.clone(), errors: text }),
        };
    }
    let get = &hook["httpGet"];
    let port = get["port"].as_int().and_then(|port| u16::try_from(port).ok()).unwrap_or(80);
    match runtime::answer(container, cx.now, port, get["path"].str(), "kube-lifecycle/1.37", ip) {
        Some(answer) if answer.code < 400 => Ok(Span::ZERO),
        _ => {
            let text = format!(
                "Get \"http://{ip}:{port}{}\": dial tcp {ip}:{port}: connect: connection refused",
                get["path"].str()
            );
            Err(HookError { code: -1, output: text.clone(), errors: text })
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct HookError {
    /// -1 for a request.
    pub code: i32,
    pub output: String,
    pub errors: String,
}
