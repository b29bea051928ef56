//! Commands the shell runs itself.

mod jobs;
mod names;
mod read;
mod variables;

use super::machine::Flow;
use super::state::{Frame, Shell, Text};
use super::{Flavour, print, test};
use crate::base::gap;
use crate::process::Sys;

pub use jobs::signal_of;
pub use names::path_of;
pub use read::{Reading, read_step};

use jobs::{job, kill, trap, wait};
use names::kind_of;
use read::read;
use variables::{alias, declare, getopts, set, shopt, unset};

pub type Builtin = fn(&mut Shell, &mut Sys<'_>, &[String]) -> Flow;

pub fn find(name: &str, flavour: Flavour) -> Option<Builtin> {
    Some(match name {
        ":" | "true" => |shell, _, _| done(shell, 0),
        "false" => |shell, _, _| done(shell, 1),
        "echo" => |shell, _, args| {
            let text = print::echo(args.get(1..).unwrap_or_default(), shell.flavour);
            shell.out(text);
            done(shell, 0)
        },
        "printf" => |shell, _, args| {
            let into = args.get(1).filter(|flag| *flag == "-v" && shell.is_bash()).and_then(|_| args.get(2));
            let printed = print::printf(args.get(if into.is_some() { 3.. } else { 1.. }).unwrap_or_default());
            match into {
                Some(name) => {
                    if let Err(reason) = shell.set(name, String::from_utf8_lossy(&printed.out).into_owned()) {
                        shell.complain(&reason);
                        return done(shell, 1);
                    }
                }
                None => shell.out(printed.out),
            }
            for complaint in printed.errors {
                if complaint.starts_with("usage: ") {
                    shell.err(format!("printf: {complaint}\n"));
                } else {
                    shell.complain(&format!("printf: {complaint}"));
                }
            }
            done(shell, printed.code)
        },
        "test" | "[" => |shell, sys, args| {
            let name = args.first().map_or("test", String::as_str);
            match test::test(sys, args) {
                Ok(holds) => done(shell, i32::from(!holds)),
                Err(reason) => {
                    shell.complain(&format!("{name}: {reason}"));
                    done(shell, 2)
                }
            }
        },
        "cd" => cd,
        "pwd" => |shell, sys, _| {
            shell.out(format!("{}\n", sys.cwd));
            done(shell, 0)
        },
        "export" | "readonly" | "declare" | "typeset" | "local" => declare,
        "unset" => unset,
        "set" => set,
        "shift" => |shell, _, args| {
            let count = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1);
            if count > shell.positional.len() {
                return done(shell, 1);
            }
            shell.positional.drain(..count);
            done(shell, 0)
        },
        "break" | "continue" => leave_loop,
        "return" => |shell, sys, args| {
            shell.status = args.get(1).and_then(|n| n.parse::<i32>().ok()).map_or(shell.status, |n| n & 255);
            let status = shell.status;
            if !shell.frames.iter().any(|frame| matches!(frame, Frame::Call { .. })) {
                shell.complain("return: can only `return' from a function or sourced script");
                return done(shell, 2);
            }
            while let Some(frame) = shell.frames.last() {
                let call = matches!(frame, Frame::Call { .. });
                shell.drop_frame(sys);
                if call {
                    break;
                }
            }
            done(shell, status)
        },
        "exit" | "logout" => |shell, sys, args| {
            let code = match args.get(1).map(|text| (text, text.parse::<i32>())) {
                None => shell.status,
                Some((_, Ok(code))) => code,
                Some((text, Err(_))) => {
                    let message = if shell.is_bash() { "numeric argument required" } else { "Illegal number" };
                    let text = if shell.is_bash() {
                        format!("exit: {text}: {message}")
                    } else {
                        format!("exit: {message}: {text}")
                    };
                    shell.complain(&text);
                    2
                }
            };
            if shell.options.interactive && !shell.options.marks && !shell.is_child && shell.is_bash() {
                shell.err("exit\n");
            }
            shell.unwind_all(sys);
            shell.finish(code)
        },
        "eval" => |shell, _, args| {
            let text = args.get(1..).unwrap_or_default().join(" ");
            shell.status = 0;
            shell.push_text(&text, "eval");
            Flow::Go
        },
        "source" | "." if name == "." || flavour != Flavour::Coreutils => source,
        "exec" => |shell, sys, args| {
            let args = args.get(1..).unwrap_or_default().to_vec();
            let env = shell.env();
            let streams = shell.streams(sys);
            let traps = std::mem::take(&mut shell.traps);
            let name = args.first().cloned().unwrap_or_default();
            match sys.has(&args) {
                Ok(()) => {
                    shell.frames.clear();
                    shell.options.interactive = false;
                    shell.external(sys, args, env, streams, Vec::new())
                }
                Err(reason) => {
                    shell.traps = traps;
                    shell.no_program(&name, reason);
                    let status = shell.status;
                    shell.unwind_all(sys);
                    shell.finish(status)
                }
            }
        },
        "read" => read,
        "trap" => trap,
        "wait" => wait,
        "jobs" => |shell, sys, args| {
            shell.reap_jobs(sys);
            if args.get(1).is_some_and(|flag| flag == "-p") {
                let pids: String = shell.jobs.iter().map(|job| format!("{}\n", job.pid)).collect();
                shell.out(pids);
                return done(shell, 0);
            }
            let lines: Vec<String> = shell
                .jobs
                .iter()
                .map(|job| {
                    let state = if job.done.is_some() { "Done" } else { "Running" };
                    let text = if job.done.is_some() { job.text.to_string() } else { format!("{} &", job.text) };
                    format!("[{}]+  {state:<23} {text}\n", job.number)
                })
                .collect();
            shell.jobs.retain(|job| job.done.is_none());
            shell.out(lines.concat());
            done(shell, 0)
        },
        "fg" => |shell, _, args| match job(shell, args.get(1).map_or("%%", String::as_str)) {
            Some((pid, text)) => {
                shell.out(format!("{text}\n"));
                shell.jobs.retain(|job| job.pid != pid);
                shell.frames.push(Frame::Wait { pids: vec![pid], codes: vec![None] });
                Flow::Go
            }
            None => {
                shell.complain("fg: current: no such job");
                done(shell, 1)
            }
        },
        "bg" | "disown" => |shell, _, _| done(shell, 0),
        "kill" => kill,
        "type" => kind_of,
        "command" => |shell, sys, args| match args.get(1).map(String::as_str) {
            Some("-v" | "-V") => kind_of(shell, sys, args),
            None => done(shell, 0),
            Some(name) => match find(name, shell.flavour) {
                Some(builtin) => builtin(shell, sys, args.get(1..).unwrap_or_default()),
                None => {
                    let (env, streams) = (shell.env(), shell.streams(sys));
                    shell.external(sys, args.get(1..).unwrap_or_default().to_vec(), env, streams, Vec::new())
                }
            },
        },
        "builtin" => |shell, sys, args| match args.get(1).and_then(|name| find(name, shell.flavour)) {
            Some(builtin) => builtin(shell, sys, args.get(1..).unwrap_or_default()),
            None => done(shell, 1),
        },
        "let" => |shell, _, args| {
            let mut value = 0;
            for text in args.get(1..).unwrap_or_default() {
                match shell.evaluate(text) {
                    Ok(number) => value = number,
                    Err(reason) => {
                        shell.complain(&format!("let: {reason}"));
                        return done(shell, 1);
                    }
                }
            }
            shell.undo.clear();
            done(shell, i32::from(value == 0))
        },
        "history" if flavour != Flavour::Coreutils => |shell, _, _| {
            let lines: Vec<String> =
                shell.history.iter().enumerate().map(|(at, line)| format!("{:>5}  {line}\n", at + 1)).collect();
            shell.out(lines.concat());
            done(shell, 0)
        },
        "umask" => |shell, _, args| {
            if args.len() == 1 {
                shell.out("0022\n");
            }
            done(shell, 0)
        },
        "alias" => alias,
        "unalias" => |shell, _, args| {
            let mut status = 0;
            for name in args.get(1..).unwrap_or_default() {
                if name == "-a" {
                    shell.aliases.clear();
                } else if shell.aliases.remove(name).is_none() {
                    shell.complain(&format!("unalias: {name}: not found"));
                    status = 1;
                }
            }
            done(shell, status)
        },
        "shopt" if flavour == Flavour::Bash => shopt,
        "mapfile" | "readarray" | "select" if flavour == Flavour::Bash => |shell, _, args| {
            let name = args.first().cloned().unwrap_or_default();
            missing(shell, &name, "use while read -r line; do …; done")
        },
        "ulimit" | "hash" | "times" | "enable" | "complete" | "bind" => |shell, _, _| done(shell, 0),
        "help" if flavour == Flavour::Bash => |shell, _, _| {
            shell.out("GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\nThese shell commands are defined internally.\n");
            done(shell, 0)
        },
        "getopts" => getopts,
        _ => return None,
    })
}

/// Whether assignments before the command stay.
pub fn keeps_assigns(name: &str) -> bool {
    matches!(name, "exec" | "export" | ":" | "eval" | "source" | "." | "readonly")
}

fn done(shell: &mut Shell, status: i32) -> Flow {
    shell.status = status;
    Flow::Go
}

/// Something a real shell does and this one does not.
fn missing(shell: &mut Shell, what: &str, instead: &str) -> Flow {
    shell.err(format!("{}\n", gap::line(what, instead)));
    done(shell, 1)
}

fn cd(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let target = match args.get(1).map(String::as_str) {
        None | Some("--") => shell.get("HOME").unwrap_or("/").to_string(),
        Some("-") => {
            let old = shell.get("OLDPWD").unwrap_or_default().to_string();
            if old.is_empty() {
                shell.complain("cd: OLDPWD not set");
                return done(shell, 1);
            }
            shell.out(format!("{old}\n"));
            old
        }
        Some(path) => path.to_string(),
    };
    if args.len() > 2 && shell.is_bash() {
        shell.complain("cd: too many arguments");
        return done(shell, 1);
    }
    let problem = match sys.files.node(sys.cwd, &target) {
        Err(error) => Some(error.text()),
        Ok(_) if !sys.files.is_directory(sys.cwd, &target) => Some("Not a directory"),
        Ok(_) => None,
    };
    if let Some(text) = problem {
        let text = match shell.flavour {
            Flavour::Bash => format!("cd: {target}: {text}"),
            Flavour::Busybox => format!("cd: can't cd to {target}: {text}"),
            Flavour::Coreutils => format!("cd: can't cd to {target}"),
        };
        shell.complain(&text);
        return done(shell, if shell.is_bash() || shell.flavour == Flavour::Busybox { 1 } else { 2 });
    }
    let old = std::mem::replace(sys.cwd, crate::process::clean(sys.cwd, &target));
    let now = sys.cwd.clone();
    let _ = shell.set("OLDPWD", old);
    let _ = shell.set("PWD", now);
    done(shell, 0)
}

fn leave_loop(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let stop = args.first().is_some_and(|name| name == "break");
    let mut levels: u32 = args.get(1).and_then(|n| n.parse().ok()).unwrap_or(1).max(1);
    let is_loop =
        |frame: &Frame| matches!(frame, Frame::While { .. } | Frame::For { .. } | Frame::ForArithmetic { .. });
    let inside = shell.frames.iter().rev().take_while(|frame| !matches!(frame, Frame::Call { function: true, .. }));
    let depth = inside.filter(|frame| is_loop(frame)).count() as u32;
    if depth == 0 && shell.is_bash() {
        let name = if stop { "break" } else { "continue" };
        shell.complain(&format!("{name}: only meaningful in a `for', `while', or `until' loop"));
    }
    levels = levels.min(depth);
    shell.status = 0;
    while levels > 0 {
        match shell.frames.last_mut() {
            Some(frame) if is_loop(frame) => {
                if levels == 1 && !stop {
                    if let Frame::While { deciding, .. } = frame {
                        *deciding = false;
                    }
                    break;
                }
                levels -= 1;
                shell.drop_frame(sys);
            }
            Some(_) => shell.drop_frame(sys),
            None => break,
        }
    }
    done(shell, 0)
}

fn source(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let Some(path) = args.get(1) else {
        shell.complain("source: filename argument required");
        return done(shell, 2);
    };
    match sys.files.read_text(sys.cwd, path) {
        Ok(text) => {
            let more = args.get(2..).unwrap_or_default();
            let function = !more.is_empty();
            let positional =
                if function { std::mem::replace(&mut shell.positional, more.to_vec()) } else { Vec::new() };
            shell.frames.push(Frame::Call { positional, locals: Default::default(), function });
            shell.status = 0;
            shell.frames.push(Frame::Text(Text {
                text: text.into(),
                at: 0,
                line: 1,
                name: Some(path.clone()),
                top: false,
            }));
            Flow::Go
        }
        Err(error) => {
            let text = if shell.is_bash() {
                format!("{path}: {}", error.text())
            } else {
                format!(".: can't open '{path}': {}", error.text())
            };
            shell.complain(&text);
            done(shell, 1)
        }
    }
}
