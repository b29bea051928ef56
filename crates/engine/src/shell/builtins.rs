//! Commands the shell runs itself.

use super::machine::{Flow, signal_name};
use super::parse::is_name;
use super::state::{Frame, Shell, Text, Variable};
use super::{Flavour, print, test};
use crate::base::{Span, Time, gap};
use crate::process::{Files, Pid, Read, Signal, Sys, Wait};

pub type Builtin = fn(&mut Shell, &mut Sys<'_>, &[String]) -> Flow;

/// What one `read` takes in.
const MOST_READ: usize = 1 << 20;

/// A `read` that waits for its line.
#[derive(Clone, Debug)]
pub struct Reading {
    names: Vec<String>,
    raw: bool,
    until: Option<Time>,
    /// Fields go into an array of this name.
    array: Option<String>,
    /// What ends the input instead of a line end.
    end: u8,
    /// So many bytes are enough.
    most: Option<usize>,
    got: String,
}

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

/// Options that change nothing here, beside those that are carried out.
const SHOPT_IDLE: [&str; 8] = [
    "expand_aliases",
    "checkwinsize",
    "histappend",
    "cmdhist",
    "sourcepath",
    "interactive_comments",
    "progcomp",
    "extquote",
];

fn shopt(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let on = match args.get(1).map(String::as_str) {
        Some("-s") => true,
        Some("-u") => false,
        _ => return missing(shell, "shopt without -s or -u", ""),
    };
    for name in args.get(2..).unwrap_or_default() {
        match name.as_str() {
            "nullglob" => shell.options.nullglob = on,
            name if SHOPT_IDLE.contains(&name) => {}
            name => return missing(shell, &format!("shopt {name}"), ""),
        }
    }
    done(shell, 0)
}

fn alias(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let prefix = if shell.is_bash() { "alias " } else { "" };
    let shown = |name: &str, text: &str| format!("{prefix}{name}='{}'\n", text.replace('\'', "'\\''"));
    let words: Vec<&String> = args.iter().skip(1).filter(|arg| *arg != "-p").collect();
    if words.is_empty() {
        let lines: String = shell.aliases.iter().map(|(name, text)| shown(name, text)).collect();
        shell.out(lines);
        return done(shell, 0);
    }
    let mut status = 0;
    for word in words {
        match word.split_once('=') {
            Some((name, text)) if !name.is_empty() => {
                if shell.aliases.len() < 1000 {
                    shell.aliases.insert(name.to_string(), text.to_string());
                }
            }
            _ => match shell.aliases.get(word).map(|text| shown(word, text)) {
                Some(line) => shell.out(line),
                None => {
                    shell.complain(&format!("alias: {word}: not found"));
                    status = 1;
                }
            },
        }
    }
    done(shell, status)
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

fn declare(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let command = args.first().cloned().unwrap_or_default();
    let (mut flags, mut status, mut named) = (String::new(), 0, false);
    if command == "local" && !shell.in_function() {
        shell.complain("local: can only be used in a function");
        return done(shell, 1);
    }
    for arg in args.get(1..).unwrap_or_default() {
        if let Some(flag) = arg.strip_prefix('-').filter(|_| !named) {
            if let Some(kind) = flag.chars().find(|flag| "Ainlu".contains(*flag) && command != "export") {
                return missing(shell, &format!("{command} -{kind}"), "");
            }
            flags.push_str(flag);
            continue;
        }
        named = true;
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name.strip_suffix('+').unwrap_or(name), Some(value)),
            None => (arg.as_str(), None),
        };
        if !is_name(name) {
            shell.complain(&format!("{command}: `{arg}': not a valid identifier"));
            status = 1;
            continue;
        }
        let makes_local = command == "local" || (shell.in_function() && command == "declare" && !flags.contains('g'));
        if makes_local {
            let old = shell.variables.get(name).cloned();
            let call = shell.frames.iter_mut().rev().find_map(|frame| match frame {
                Frame::Call { function: true, locals, .. } => Some(locals),
                _ => None,
            });
            if let Some(locals) = call {
                locals.entry(name.to_string()).or_insert(old);
            }
            shell.variables.insert(name.to_string(), Variable::default());
        }
        if let Some(value) = value
            && let Err(reason) = shell.set(name, value.to_string())
        {
            shell.complain(&reason);
            status = 1;
        }
        if value.is_none() && !makes_local && !shell.variables.contains_key(name) && command == "export" {
            continue;
        }
        let variable = shell.variables.entry(name.to_string()).or_default();
        if command == "export" || flags.contains('x') {
            variable.exported = !flags.contains('n');
        }
        if command == "readonly" || flags.contains('r') {
            variable.read_only = true;
        }
        if flags.contains('a') {
            variable.array.get_or_insert_default();
        }
    }
    if !named {
        let prefix = if shell.is_bash() { "declare -x " } else { "export " };
        let lines: Vec<String> = shell
            .variables
            .iter()
            .filter(|(_, variable)| variable.exported)
            .map(|(name, variable)| match shell.is_bash() {
                true => format!("{prefix}{name}=\"{}\"\n", variable.value.replace('\\', "\\\\").replace('"', "\\\"")),
                false => format!("{prefix}{name}='{}'\n", variable.value),
            })
            .collect();
        shell.out(lines.concat());
    }
    done(shell, status)
}

fn unset(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut status = 0;
    for name in args.get(1..).unwrap_or_default() {
        match name.as_str() {
            "-v" | "-f" => {}
            name if shell.variables.get(name).is_some_and(|variable| variable.read_only) => {
                shell.complain(&format!("unset: {name}: cannot unset: readonly variable"));
                status = 1;
            }
            name if name.ends_with(']') && shell.is_bash() => {
                let (name, index) = name.trim_end_matches(']').split_once('[').unwrap_or((name, ""));
                match shell.evaluate(index) {
                    Ok(at) => {
                        if let Some(array) = shell.variables.get_mut(name).and_then(|v| v.array.as_mut()) {
                            array.remove(&at);
                        }
                    }
                    Err(reason) => {
                        shell.complain(&reason);
                        status = 1;
                    }
                }
            }
            name => {
                if shell.variables.remove(name).is_none() {
                    shell.functions.remove(name);
                }
            }
        }
    }
    done(shell, status)
}

fn set(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut rest = args.get(1..).unwrap_or_default().iter();
    if args.len() == 1 {
        let lines: Vec<String> =
            shell.variables.iter().map(|(name, v)| format!("{name}={}\n", super::machine::quote(&v.value))).collect();
        shell.out(lines.concat());
        return done(shell, 0);
    }
    while let Some(arg) = rest.next() {
        let on = arg.starts_with('-');
        if arg == "--" {
            shell.positional = rest.cloned().collect();
            return done(shell, 0);
        }
        let Some(flags) = arg.strip_prefix(['-', '+']) else {
            shell.positional = std::iter::once(arg).chain(rest).cloned().collect();
            return done(shell, 0);
        };
        for flag in flags.chars() {
            let options = &mut shell.options;
            match flag {
                'e' => options.errexit = on,
                'u' => options.nounset = on,
                'x' => options.xtrace = on,
                'f' => options.noglob = on,
                'v' => options.verbose = on,
                'o' => match rest.next().map(String::as_str) {
                    Some("pipefail") => options.pipefail = on,
                    Some("errexit") => options.errexit = on,
                    Some("nounset") => options.nounset = on,
                    Some("xtrace") => options.xtrace = on,
                    Some("noglob") => options.noglob = on,
                    _ => {}
                },
                _ => {}
            }
        }
    }
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

fn read(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut reading =
        Reading { names: Vec::new(), raw: false, until: None, array: None, end: b'\n', most: None, got: String::new() };
    let mut rest = args.get(1..).unwrap_or_default().iter();
    while let Some(arg) = rest.next() {
        match arg.strip_prefix('-').filter(|_| reading.names.is_empty()) {
            Some(flags) => {
                for (at, flag) in flags.char_indices() {
                    let mut value = || {
                        let inline = flags.get(at + 1..).unwrap_or_default();
                        if inline.is_empty() { rest.next().cloned().unwrap_or_default() } else { inline.to_string() }
                    };
                    match flag {
                        'r' => reading.raw = true,
                        'p' => {
                            let prompt = value();
                            if sys.is_owner_input() {
                                shell.err(prompt);
                            }
                            break;
                        }
                        't' => {
                            let seconds = crate::base::float::parse(&value()).unwrap_or(0.0);
                            reading.until = Some(sys.now + Span::seconds_f64(seconds));
                            break;
                        }
                        'd' => {
                            reading.end = value().bytes().next().unwrap_or(0);
                            break;
                        }
                        'n' | 'N' => {
                            reading.most = value().parse().ok();
                            break;
                        }
                        'a' => {
                            reading.array = Some(value());
                            break;
                        }
                        'u' => {
                            value();
                            return missing(shell, "read -u", "redirect standard input");
                        }
                        's' | 'e' => {}
                        other => {
                            let usage = "usage: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";
                            shell.complain(&format!("read: -{other}: invalid option"));
                            shell.err(format!("read: {usage}\n"));
                            return done(shell, 2);
                        }
                    }
                }
            }
            None => reading.names.push(arg.clone()),
        }
    }
    shell.frames.push(Frame::Read(reading));
    Flow::Go
}

pub fn read_step(shell: &mut Shell, sys: &mut Sys<'_>, mut reading: Reading) -> Flow {
    let by_byte = reading.end != b'\n' || reading.most.is_some();
    let bytes = match if by_byte { sys.read(1) } else { sys.read_line() } {
        Read::Data(bytes) if by_byte => {
            let text = reading.got.len();
            let enough = reading.most.is_some_and(|most| text + bytes.len() >= most);
            if !bytes.contains(&reading.end) && !enough && text < MOST_READ {
                reading.got.push_str(&String::from_utf8_lossy(&bytes));
                shell.frames.push(Frame::Read(reading));
                return Flow::Go;
            }
            // The end as if it were a line's.
            let mut bytes: Vec<u8> = bytes.into_iter().filter(|byte| *byte != reading.end).collect();
            bytes.push(b'\n');
            bytes
        }
        Read::Data(bytes) => bytes,
        Read::End => Vec::new(),
        Read::Empty => {
            if reading.until.is_some_and(|until| until <= sys.now) {
                return done(shell, 142);
            }
            let mut waits = vec![Wait::Input];
            waits.extend(reading.until.map(Wait::Until));
            shell.frames.push(Frame::Read(reading));
            return Flow::Wait(waits);
        }
    };
    let complete = bytes.ends_with(b"\n");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    reading.got.push_str(&text);
    if complete && !reading.raw && reading.got.trim_end_matches('\n').ends_with('\\') {
        reading.got.truncate(reading.got.len() - 2);
        shell.frames.push(Frame::Read(reading));
        return Flow::Go;
    }
    let ifs = shell.get("IFS").unwrap_or(" \t\n").to_string();
    let ended = complete || reading.end == b'\n';
    let mut line = reading.got.strip_suffix('\n').filter(|_| ended).unwrap_or(&reading.got).to_string();
    if !reading.raw {
        line = line.replace("\\\\", "\u{0}").replace('\\', "").replace('\u{0}', "\\");
    }
    if let Some(name) = reading.array {
        let fields: Vec<&str> = line.split(|c| ifs.contains(c)).filter(|field| !field.is_empty()).collect();
        let array = fields.iter().enumerate().map(|(at, field)| (at as i64, field.to_string())).collect();
        shell.variables.insert(name, Variable { array: Some(array), ..Variable::default() });
        return done(shell, i32::from(!complete));
    }
    let whole = reading.names.is_empty();
    let names = if whole { vec!["REPLY".to_string()] } else { reading.names };
    let space = |c: char| ifs.contains(c) && c.is_whitespace();
    let mut rest = if whole { line.as_str() } else { line.trim_matches(space) };
    for (at, name) in names.iter().enumerate() {
        let value = if at + 1 == names.len() {
            std::mem::take(&mut rest)
        } else {
            match rest.find(|c| ifs.contains(c)) {
                Some(end) => {
                    let value = rest.get(..end).unwrap_or_default();
                    let after = rest.get(end..).unwrap_or_default().trim_start_matches(space);
                    let mut chars = after.chars();
                    rest = match chars.next() {
                        Some(c) if ifs.contains(c) && !c.is_whitespace() => chars.as_str().trim_start_matches(space),
                        _ => after,
                    };
                    value
                }
                None => std::mem::take(&mut rest),
            }
        };
        if let Err(reason) = shell.set(name, value.to_string()) {
            shell.complain(&reason);
        }
    }
    done(shell, i32::from(!complete))
}

/// A signal by name or number.
pub fn signal_of(text: &str) -> Option<Signal> {
    let all =
        [Signal::Hup, Signal::Int, Signal::Quit, Signal::Kill, Signal::Usr1, Signal::Pipe, Signal::Term, Signal::Winch];
    let name = text.strip_prefix("SIG").unwrap_or(text).to_ascii_uppercase();
    all.into_iter().find(|signal| signal_name(*signal) == name || (*signal as i32).to_string() == name)
}

fn trap(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
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

fn job(shell: &Shell, text: &str) -> Option<(Pid, String)> {
    let found = match text.strip_prefix('%') {
        Some("" | "%" | "+") => shell.jobs.last(),
        Some(number) => shell.jobs.iter().find(|job| job.number.to_string() == number),
        None => shell.jobs.iter().find(|job| job.pid.to_string() == text),
    };
    found.map(|job| (job.pid, job.text.to_string()))
}

fn wait(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
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

fn kill(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut signal = Signal::Term;
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
                None if name.to_ascii_uppercase().contains("SEGV") => {
                    // A segmentation fault of the shell itself.
                    shell.unwind_all(sys);
                    return shell.finish(139);
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
    for text in rest {
        let pid = job(shell, text).map(|(pid, _)| pid).or_else(|| text.parse().ok());
        match pid {
            // Nothing of the shell runs after it; the first process of a container is out of reach.
            Some(pid) if pid == sys.pid && signal == Signal::Kill => {
                if pid != 1 {
                    shell.unwind_all(sys);
                    return shell.finish(137);
                }
            }
            Some(pid) if sys.is_running(pid) || pid == sys.pid => sys.kill(pid, signal),
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
            None => {
                shell.complain(&format!("kill: {text}: arguments must be process or job IDs"));
                status = 1;
            }
        }
    }
    done(shell, status)
}

const KEYWORDS: [&str; 12] = ["if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "[["];

fn kind_of(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let short = args.first().is_some_and(|name| name == "command") && args.get(1).is_some_and(|flag| flag == "-v");
    let mut status = 0;
    for name in args.iter().skip(1).filter(|arg| !arg.starts_with('-')) {
        let text = if KEYWORDS.contains(&name.as_str()) {
            if short { name.clone() } else { format!("{name} is a shell keyword") }
        } else if let Some(text) = shell.aliases.get(name) {
            if short { format!("alias {name}='{text}'") } else { format!("{name} is aliased to `{text}'") }
        } else if shell.functions.contains_key(name) {
            if short { name.clone() } else { format!("{name} is a function") }
        } else if find(name, shell.flavour).is_some() {
            if short { name.clone() } else { format!("{name} is a shell builtin") }
        } else if let Some(path) = path_of(sys, shell.get("PATH").unwrap_or(PATH), name) {
            if short { path } else { format!("{name} is {path}") }
        } else {
            status = 1;
            if !short {
                let text =
                    if shell.is_bash() { format!("type: {name}: not found") } else { format!("{name}: not found") };
                shell.complain(&text);
            }
            continue;
        };
        shell.out(format!("{text}\n"));
    }
    done(shell, status)
}

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Where a program of that name would be found.
pub fn path_of(sys: &Sys<'_>, path: &str, name: &str) -> Option<String> {
    if name.contains('/') {
        return sys.has(&[name.to_string()]).is_ok().then(|| name.to_string());
    }
    let in_files = |files: &Files| {
        path.split(':').map(|directory| format!("{directory}/{name}")).find(|path| files.exists("/", path))
    };
    in_files(sys.files).or_else(|| sys.has(&[name.to_string()]).is_ok().then(|| format!("/usr/bin/{name}")))
}

fn getopts(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let (Some(spec), Some(name)) = (args.get(1).cloned(), args.get(2).cloned()) else { return done(shell, 2) };
    let at: usize = shell.get("OPTIND").and_then(|n| n.parse().ok()).unwrap_or(1).max(1);
    let words = if args.len() > 3 { args.get(3..).unwrap_or_default().to_vec() } else { shell.positional.clone() };
    let word = words.get(at - 1).cloned().unwrap_or_default();
    let inside = shell.getopts_at.max(1);
    let Some(flag) =
        word.strip_prefix('-').filter(|w| !w.is_empty() && *w != "-").and_then(|_| word.chars().nth(inside))
    else {
        let _ = shell.set(&name, "?".into());
        return done(shell, 1);
    };
    let last = word.chars().count() <= inside + 1;
    let (mut next, mut found) = (if last { at + 1 } else { at }, flag.to_string());
    shell.getopts_at = if last { 0 } else { inside + 1 };
    match spec.find(flag) {
        Some(place) if spec.get(place + 1..).is_some_and(|rest| rest.starts_with(':')) => {
            let value = if last {
                next += 1;
                words.get(at).cloned()
            } else {
                Some(word.chars().skip(inside + 1).collect())
            };
            next = if last { next } else { at + 1 };
            shell.getopts_at = 0;
            match value {
                Some(value) => {
                    let _ = shell.set("OPTARG", value);
                }
                None => found = "?".into(),
            }
        }
        Some(_) => {}
        None => {
            shell.complain(&format!("illegal option -- {flag}"));
            found = "?".into();
        }
    }
    let _ = shell.set("OPTIND", next.to_string());
    let _ = shell.set(&name, found);
    done(shell, 0)
}
