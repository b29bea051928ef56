//! Signals and children: trap, wait, kill.

use super::{done, missing};
use crate::process::{Pid, Signal, Sys};
use crate::shell::Flavour;
use crate::shell::machine::{Flow, signal_name};
use crate::shell::state::{Frame, Shell};

/// A signal by name or number.
pub fn signal_of(text: &str) -> Option<Signal> {
    let all =
        [Signal::Hup, Signal::Int, Signal::Quit, Signal::Kill, Signal::Usr1, Signal::Pipe, Signal::Term, Signal::Winch];
    let name = text.strip_prefix("SIG").unwrap_or(text).to_ascii_uppercase();
    all.into_iter().find(|signal| signal_name(*signal) == name || (*signal as i32).to_string() == name)
}

pub fn trap(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let args: Vec<&String> = args.iter().skip(1).filter(|arg| *arg != "--").collect();
    let Some((action, names)) = args.split_first() else {
        let lines: Vec<String> = shell
            .traps
            .iter()
            .map(|(name, action)| {
                let prefix = if shell.is_bash() && name != "EXIT" { "SIG" } else { "" };
                format!("trap -- '{}' {prefix}{name}\n", action.replace('\'', "'\\''"))
            })
            .collect();
        shell.out(lines.concat());
        return done(shell, 0);
    };
    let (reset, names) = if names.is_empty() { (true, args.as_slice()) } else { (action.as_str() == "-", names) };
    let mut status = 0;
    for name in names {
        let key = match name.as_str() {
            "EXIT" | "0" | "exit" => "EXIT".to_string(),
            "ERR" | "DEBUG" | "RETURN" | "CHLD" | "SIGCHLD" if reset => continue,
            "ERR" | "DEBUG" | "RETURN" | "CHLD" | "SIGCHLD" => return missing(shell, &format!("trap … {name}"), ""),
            other => match signal_of(other) {
                Some(signal) => signal_name(signal).to_string(),
                None => {
                    shell.complain(&format!("trap: {other}: invalid signal specification"));
                    status = 1;
                    continue;
                }
            },
        };
        if reset {
            shell.traps.remove(&key);
        } else {
            shell.traps.insert(key, action.to_string());
        }
    }
    done(shell, status)
}

pub fn job(shell: &Shell, text: &str) -> Option<(Pid, String)> {
    let found = match text.strip_prefix('%') {
        Some("" | "%" | "+") => shell.jobs.last(),
        Some(number) => shell.jobs.iter().find(|job| job.number.to_string() == number),
        None => shell.jobs.iter().find(|job| job.pid.to_string() == text),
    };
    found.map(|job| (job.pid, job.text.to_string()))
}

pub fn wait(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let wanted: Vec<&String> = args.iter().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    shell.reap_jobs(sys);
    if wanted.is_empty() {
        let pids: Vec<Pid> = shell.jobs.iter().map(|job| job.pid).collect();
        shell.status = 0;
        shell.frames.push(Frame::WaitJobs { pids });
        return Flow::Go;
    }
    let mut frames = Vec::new();
    for text in wanted {
        match job(shell, text) {
            Some((pid, _)) => {
                let done = shell.jobs.iter().find(|job| job.pid == pid).and_then(|job| job.done);
                shell.jobs.retain(|job| job.pid != pid);
                frames.push(Frame::Wait { pids: vec![pid], codes: vec![done] });
            }
            None => {
                shell.complain(&format!("wait: pid {text} is not a child of this shell"));
                return done(shell, 127);
            }
        }
    }
    shell.frames.extend(frames.into_iter().rev());
    Flow::Go
}

pub fn kill(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let (mut signal, mut faults) = (Signal::Term, false);
    let (mut status, mut rest) = (0, args.get(1..).unwrap_or_default().iter().peekable());
    if let Some(flag) = rest.peek().and_then(|arg| arg.strip_prefix('-')) {
        let name = if flag == "s" || flag == "n" {
            rest.next();
            rest.peek().map_or(String::new(), |name| name.to_string())
        } else {
            flag.to_string()
        };
        rest.next();
        if name == "l" {
            shell.out("HUP INT QUIT KILL USR1 PIPE TERM WINCH\n");
            return done(shell, 0);
        }
        if name != "0" && !name.is_empty() && name != "-" {
            match signal_of(&name) {
                Some(found) => signal = found,
                // What nothing catches: to another process the same as the last of signals.
                None if matches!(name.to_ascii_uppercase().trim_start_matches("SIG"), "SEGV" | "11") => {
                    (signal, faults) = (Signal::Kill, true);
                }
                None => {
                    shell.complain(&format!("kill: {name}: invalid signal specification"));
                    return done(shell, 1);
                }
            }
        } else if name == "0" {
            let dead = |pid: &&String| !pid.parse().is_ok_and(|pid| sys.is_running(pid) || pid == sys.pid);
            let dead: Vec<&String> = rest.filter(dead).collect();
            for pid in &dead {
                shell.complain(&format!("kill: ({pid}) - No such process"));
            }
            return done(shell, i32::from(!dead.is_empty()));
        }
    }
    if rest.peek().is_none() {
        let bash = shell.is_bash();
        match bash {
            true => shell
                .err("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n"),
            false => shell.complain("you need to specify whom to kill"),
        }
        return done(shell, if bash { 2 } else { 1 });
    }
    for text in rest {
        let pid = job(shell, text).map(|(pid, _)| pid).or_else(|| text.parse().ok());
        match pid {
            // Nothing of the shell runs after it; the first process of a container is out of reach.
            Some(pid) if pid == sys.pid && signal == Signal::Kill => {
                if pid != 1 {
                    shell.unwind_all(sys);
                    return shell.finish(if faults { 139 } else { 137 });
                }
            }
            Some(pid) if pid == sys.pid => {
                sys.kill(pid, signal);
                // What it sends itself reaches it at once; the first process of a container does as if nothing were.
                if shell.signals(sys).is_some() && pid != 1 {
                    return Flow::Wait(vec![crate::process::Wait::Signal]);
                }
            }
            Some(pid) if sys.is_running(pid) => sys.kill(pid, signal),
            Some(_) => {
                let text = if shell.is_bash() {
                    format!("kill: ({text}) - No such process")
                } else {
                    format!("can't kill pid {text}: No such process")
                };
                shell.complain(&text);
                status = 1;
            }
            None if text.starts_with('%') => {
                shell.complain(&format!("kill: {text}: no such job"));
                status = 1;
            }
            None if shell.flavour == Flavour::Coreutils => {
                shell.complain(&format!("kill: Illegal number: {text}"));
                return done(shell, 2);
            }
            None if !shell.is_bash() => {
                shell.complain(&format!("invalid number '{text}'"));
                status = 1;
            }
            None => {
                shell.complain(&format!("kill: {text}: arguments must be process or job IDs"));
                status = 1;
            }
        }
    }
    done(shell, status)
}
