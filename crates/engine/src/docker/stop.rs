//! How containers are stopped: signals, the grace before SIGKILL, and those who wait for the end.

use super::container::State;
use super::life::ANSWER;
use super::{Cx, Engine, Outcome, Token, fail};
use crate::base::http::{Request, Response};
use crate::base::{Span, Value};
use crate::map;
use crate::process::Signal;

/// Somebody who waits for something to happen to a container.
#[derive(Clone, Debug)]
pub struct Waiter {
    pub number: u64,
    pub id: String,
    pub until: Until,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Stopped: answered without a word.
    Stopped,
    /// Stopped, then started again.
    Restarted,
    /// Stopped, then removed (with its unnamed volumes).
    Removed(bool),
    /// `wait`: stopped; ended the next time; gone.
    NotRunning,
    NextExit,
    Gone,
}

const PATIENCE: i64 = 10;

impl Engine {
    pub(super) fn tell_waiters(&mut self, cx: &mut Cx<'_>, id: &str, code: i64, again: bool) {
        let told: Vec<Waiter> = self
            .waiters
            .extract_if(.., |w| w.id == id && w.until != Until::Gone && !(again && w.until == Until::NotRunning))
            .collect();
        for waiter in told {
            match waiter.until {
                Until::Stopped => self.answer(waiter.number, Value::Null),
                Until::NotRunning | Until::NextExit => self.answer(waiter.number, map! { "StatusCode" => code }),
                Until::Restarted => {
                    if let Some(container) = self.containers.get_mut(id) {
                        container.stopped = false;
                        container.restarts = 0;
                        container.backoff = Span::ZERO;
                    }
                    match self.start(cx, id) {
                        Ok(()) => {
                            self.container_event(cx, id, "restart", &[]);
                            self.answer_after(cx, ANSWER, waiter.number, Ok(Value::Null));
                        }
                        Err((code, text)) => {
                            let name = self.containers.get(id).map_or("", |own| own.name.as_str());
                            let text = format!("Cannot restart container {name}: {text}");
                            self.refuse(waiter.number, (code, text));
                        }
                    }
                }
                Until::Removed(volumes) => {
                    self.remove(cx, id, volumes);
                    self.answer(waiter.number, Value::Null);
                }
                Until::Gone => {}
            }
        }
    }

    pub(super) fn wait(&mut self, number: u64, name: &str, condition: &str) -> Outcome<()> {
        let container = self.container(name)?;
        let (id, code) = (container.id.clone(), container.exit_code);
        let live = container.is_running() || container.state == State::Restarting;
        let until = match condition {
            "next-exit" => Until::NextExit,
            "removed" => Until::Gone,
            _ if !live => {
                self.answer(number, map! { "StatusCode" => code });
                return Ok(());
            }
            _ => Until::NotRunning,
        };
        self.waiters.push(Waiter { number, id, until });
        Ok(())
    }

    pub(super) fn stop_asked(
        &mut self,
        cx: &mut Cx<'_>,
        number: u64,
        name: &str,
        request: &Request,
        restart: bool,
    ) -> Outcome<()> {
        let asked = request.query("signal");
        let container = self.container(name)?;
        if !asked.is_empty() && signal_number(asked).is_none() && container.is_running() {
            let what = if restart { "restart" } else { "stop" };
            return fail(400, format!("cannot {what} container: {name}: invalid signal: {asked}"));
        }
        let id = container.id.clone();
        let timeout =
            request.query("t").parse::<i64>().ok().or(container.config["StopTimeout"].as_int()).unwrap_or(PATIENCE);
        match container.state {
            State::Running | State::Paused => {
                let until = if restart { Until::Restarted } else { Until::Stopped };
                self.waiters.push(Waiter { number, id: id.clone(), until });
                self.stop(cx, &id, timeout, asked);
                Ok(())
            }
            State::Restarting if !restart => {
                if let Some(container) = self.containers.get_mut(&id) {
                    container.stopped = true;
                    container.state = State::Exited;
                }
                self.container_event(cx, &id, "stop", &[]);
                let code = self.containers.get(&id).map_or(0, |c| c.exit_code);
                self.tell_waiters(cx, &id, code, false);
                self.answer(number, Value::Null);
                Ok(())
            }
            _ if restart => {
                if let Some(container) = self.containers.get_mut(&id) {
                    container.stopped = false;
                }
                if let Err((code, text)) = self.start(cx, &id) {
                    return fail(code, format!("Cannot restart container {name}: {text}"));
                }
                self.container_event(cx, &id, "restart", &[]);
                self.answer_after(cx, ANSWER, number, Ok(Value::Null));
                Ok(())
            }
            _ => {
                self.mail.push((number, crate::base::http::Mail::Reply(Response::new(304, Value::Null))));
                Ok(())
            }
        }
    }

    /// Sends the stop signal, and SIGKILL when patience is over (a negative one never is).
    fn stop(&mut self, cx: &mut Cx<'_>, id: &str, timeout: i64, signal: &str) {
        let Some(container) = self.containers.get_mut(id) else { return };
        container.stopped = true;
        let signal = if signal.is_empty() { container.config["StopSignal"].str() } else { signal };
        let signal = signal_number(signal).unwrap_or(15);
        let run = container.run;
        if container.state == State::Paused {
            container.state = State::Running;
        }
        self.send(cx, id, signal);
        if timeout == 0 {
            self.kill_due(cx, id, run);
        } else if timeout > 0 {
            cx.wake_after(Span::seconds(timeout), Token::Kill(id.to_string(), run));
        }
    }

    pub(super) fn kill_due(&mut self, cx: &mut Cx<'_>, id: &str, run: u32) {
        if self.containers.get(id).is_some_and(|c| c.is_running() && c.run == run) {
            self.send(cx, id, 9);
        }
    }

    /// A signal for the first process, with its event.
    pub(super) fn send(&mut self, cx: &mut Cx<'_>, id: &str, number: i64) {
        self.container_event(cx, id, "kill", &[("signal", number.to_string())]);
        let Some(container) = self.containers.get_mut(id) else { return };
        let Some(running) = container.running.as_mut() else { return };
        match known_signal(number) {
            Some(Signal::Kill) => {
                if container.state == State::Paused {
                    container.state = State::Running;
                }
                running.kill(cx.now);
                self.collect(cx, id);
                self.die(cx, id, 137);
            }
            Some(signal) => {
                running.signal(signal);
                running.hold_until(cx.now);
                self.go_on(cx, id);
            }
            None => {}
        }
    }

    pub(super) fn kill_asked(&mut self, cx: &mut Cx<'_>, name: &str, signal: &str) -> Outcome<Value> {
        let start = format!("cannot kill container: {name}: ");
        let container = match self.container(name) {
            Ok(container) => container,
            Err((code, text)) => return fail(code, format!("{start}{text}")),
        };
        let id = container.id.clone();
        let number = if signal.is_empty() { Some(9) } else { signal_number(signal) };
        if number.is_none() && signal.parse::<u32>().is_ok_and(|number| number > 0) {
            return fail(400, format!("{start}the linux daemon does not support signal {signal}"));
        }
        let Some(number) = number else { return fail(400, format!("{start}invalid signal: {signal}")) };
        match container.state {
            State::Restarting => {
                if let Some(container) = self.containers.get_mut(&id) {
                    container.stopped = true;
                    container.state = State::Exited;
                }
            }
            State::Running | State::Paused => {
                let stops = signal_number(container.config["StopSignal"].str()).unwrap_or(15);
                if let Some(container) = self.containers.get_mut(&id).filter(|_| number == 9 || number == stops) {
                    container.stopped = true;
                }
                self.send(cx, &id, number);
            }
            _ => return fail(409, format!("{start}container {id} is not running")),
        }
        Ok(Value::Null)
    }
}

/// The number of a signal by name or number, as far as there are such.
pub fn signal_number(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse::<i64>() {
        return (1..=64).contains(&number).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
        "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
        "WINCH", "IO", "PWR", "SYS",
    ];
    let plain = NAMES.iter().position(|own| *own == name).map(|at| at as i64 + 1);
    // Those for whoever wants more of them: RTMIN+1 to RTMAX.
    let of = |start: &str, sign: char| match name.strip_prefix(start)? {
        "" => Some(0),
        more => more.strip_prefix(sign)?.parse::<i64>().ok(),
    };
    let late = || {
        let up = of("RTMIN", '+').filter(|more| (0..=15).contains(more)).map(|more| 34 + more);
        up.or_else(|| of("RTMAX", '-').filter(|less| (0..=14).contains(less)).map(|less| 64 - less))
    };
    plain.or_else(late)
}

fn known_signal(number: i64) -> Option<Signal> {
    let all =
        [Signal::Hup, Signal::Int, Signal::Quit, Signal::Kill, Signal::Usr1, Signal::Pipe, Signal::Term, Signal::Winch];
    all.into_iter().find(|signal| *signal as i64 == number)
}
