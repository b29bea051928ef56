//! sleep, timeout, yes, seq, date, env, xargs, ps, id, tail -f and the other tools that ask the machine.

use super::grep::Told;
use super::numbers::Seq;
use super::{Flags, Output, Run};
use crate::base::time::MONTHS;
use crate::base::{Span, Time, gap};
use crate::process::{Pid, Program, Read, Signal, Spawn, Sys, Turn, Wait, Written};
use crate::shell::builtins::signal_of;
use crate::shell::machine::signal_name;
use crate::shell::{Flavour, print, test};

pub fn program(name: &str, args: &[String], flavour: Flavour) -> Option<Box<dyn Program>> {
    let rest = args.get(1..).unwrap_or_default();
    Some(match name {
        "sleep" => {
            let mut span = Span::ZERO;
            for text in rest {
                match seconds(text) {
                    Some(Some(more)) => span = span + more,
                    Some(None) => return Some(Box::new(Sleep { span: None, until: None })),
                    None => {
                        let text = match flavour {
                            Flavour::Busybox => format!("sleep: invalid number '{text}'\n"),
                            _ => format!(
                                "sleep: invalid time interval '{text}'\nTry 'sleep --help' for more information.\n"
                            ),
                        };
                        return Some(Box::new(Told { text, code: 1 }));
                    }
                }
            }
            if rest.is_empty() {
                let text = "sleep: missing operand\nTry 'sleep --help' for more information.\n".into();
                return Some(Box::new(Told { text, code: 1 }));
            }
            Box::new(Sleep { span: Some(span), until: None })
        }
        "yes" => Box::new(Repeat { line: if rest.is_empty() { "y\n".into() } else { rest.join(" ") + "\n" } }),
        "seq" => match Seq::read(rest) {
            Ok(seq) => Box::new(seq),
            Err(text) => Box::new(Told { text, code: 1 }),
        },
        "timeout" => match Limit::read(rest) {
            Ok((mut limit, words)) => {
                // There the command itself takes the place of `timeout`.
                limit.preserve_status |= flavour == Flavour::Busybox;
                Box::new(Around { words, limit: Some(limit), child: None, fired: None, env: None })
            }
            Err(text) => {
                let told = if text.is_empty() { text } else { format!("timeout: {text}\n") };
                let text = format!("{told}Try 'timeout --help' for more information.\n");
                Box::new(Told { text, code: 125 })
            }
        },
        "env" => {
            let (mut set, mut unset, mut clear, mut at) = (Vec::new(), Vec::new(), false, 0);
            while let Some(word) = rest.get(at) {
                match word.as_str() {
                    "-i" | "-" | "--ignore-environment" => clear = true,
                    "-u" => {
                        at += 1;
                        unset.extend(rest.get(at).cloned());
                    }
                    "--" => {}
                    word if word.starts_with("--unset=") => unset.extend(word.get(8..).map(str::to_string)),
                    word if word.starts_with("-u") => unset.extend(word.get(2..).map(str::to_string)),
                    word => match word.split_once('=') {
                        Some((name, value)) => set.push((name.to_string(), value.to_string())),
                        None => break,
                    },
                }
                at += 1;
            }
            let words = rest.get(at..).unwrap_or_default().to_vec();
            if words.is_empty() && unset.is_empty() && !clear {
                return None;
            }
            Box::new(Around { words, limit: None, child: None, fired: None, env: Some(Change { clear, unset, set }) })
        }
        "nohup" => Box::new(Around { words: rest.to_vec(), limit: None, child: None, fired: None, env: None }),
        "xargs" => {
            // The options end at the first word that is neither an option nor the value of one.
            let mut at = 0;
            while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
                let takes_next = word.len() == 2 && word.ends_with(['I', 'n', 'L', 'P', 'd', 's']);
                at += if takes_next { 2 } else { 1 };
            }
            let at = at.min(rest.len());
            let flags = Flags::read(args.get(..at + 1).unwrap_or_default(), "InLPds", "rt0x", &[]);
            let mut words = rest.get(at..).unwrap_or_default().to_vec();
            if words.is_empty() {
                words.push("echo".into());
            }
            Box::new(Xargs {
                words,
                replace: flags.value('I').map(str::to_string),
                count: flags.number('n').map(|n| n.max(1) as usize),
                skip_empty: flags.has('r'),
                input: Vec::new(),
                ended: false,
                groups: None,
                child: None,
                code: 0,
            })
        }
        "tail" => {
            let flags = Flags::read(args, "nc", "fFqv", &[("lines", 'n')]);
            let keep = flags.number('n').unwrap_or(10).unsigned_abs() as usize;
            Box::new(Follow { path: flags.rest.first().cloned().unwrap_or_default(), keep, seen: None })
        }
        "wget" | "nc" if flavour == Flavour::Bash => {
            let text = format!("{}\n", gap::line(&format!("program: {name}"), ""));
            Box::new(Told { text, code: 1 })
        }
        _ => return None,
    })
}

/// A duration as `sleep` reads it; `None` inside for `infinity`.
fn seconds(text: &str) -> Option<Option<Span>> {
    if text == "infinity" || text == "inf" {
        return Some(None);
    }
    let (digits, unit) = match text.chars().last()? {
        's' => (text.strip_suffix('s')?, 1.0),
        'm' => (text.strip_suffix('m')?, 60.0),
        'h' => (text.strip_suffix('h')?, 3600.0),
        'd' => (text.strip_suffix('d')?, 86400.0),
        _ => (text, 1.0),
    };
    let number = crate::base::float::parse(digits).filter(|n| *n >= 0.0 && n.is_finite())?;
    Some(Some(Span::seconds_f64((number * unit).min(1e12))))
}

#[derive(Clone)]
struct Sleep {
    span: Option<Span>,
    until: Option<Time>,
}

impl Program for Sleep {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let Some(span) = self.span else { return Turn::Wait(vec![Wait::Signal]) };
        let until = *self.until.get_or_insert(sys.now + span);
        if sys.now >= until { Turn::Exit(0) } else { Turn::Wait(vec![Wait::Until(until)]) }
    }
}

/// `yes`
#[derive(Clone)]
struct Repeat {
    line: String,
}

impl Program for Repeat {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let times = 4096 / self.line.len().max(1) + 1;
        match sys.out(self.line.repeat(times)) {
            Written::All => Turn::Again,
            Written::Full => Turn::Wait(vec![Wait::Room]),
            Written::Broken => Turn::Exit(141),
            Written::NoSpace => super::no_space(sys),
        }
    }
}

fn spawn(sys: &mut Sys<'_>, words: Vec<String>, env: crate::process::Env) -> Result<Pid, i32> {
    let (stdin, stdout, stderr) = sys.streams();
    let name = words.first().cloned().unwrap_or_default();
    let own = sys.args.first().map_or(String::new(), |name| name.rsplit('/').next().unwrap_or(name).to_string());
    let spawn = Spawn { args: words, env, cwd: sys.cwd.clone(), stdin, stdout, stderr };
    sys.spawn(spawn).map_err(|reason| {
        use crate::process::NoProgram::{Gap, IsDirectory, NotExecutable, NotFound};
        let (text, code) = match reason {
            NotFound if own == "timeout" => {
                (format!("timeout: failed to run command '{name}': No such file or directory"), 127)
            }
            NotFound => (format!("{own}: '{name}': No such file or directory"), 127),
            NotExecutable | IsDirectory => (format!("{own}: '{name}': Permission denied"), 126),
            Gap(text) => (text, 1),
        };
        sys.err(format!("{text}\n"));
        code
    })
}

/// What `timeout` was told.
#[derive(Clone)]
struct Limit {
    /// None: for ever.
    span: Option<Span>,
    signal: Signal,
    /// How long after the first signal the child is killed.
    kill_after: Option<Span>,
    preserve_status: bool,
    verbose: bool,
    until: Option<Time>,
}

impl Limit {
    fn read(args: &[String]) -> Result<(Limit, Vec<String>), String> {
        let span = |text: &str| match seconds(text) {
            Some(span) => Ok(span.filter(|span| *span > Span::ZERO)),
            None => Err(format!("invalid time interval ‘{text}’")),
        };
        let mut limit = Limit {
            span: None,
            signal: Signal::Term,
            kill_after: None,
            preserve_status: false,
            verbose: false,
            until: None,
        };
        let mut args = args.iter();
        let mut next = args.next();
        while let Some(word) = next.filter(|word| word.len() > 1 && word.starts_with('-')) {
            let (name, own) = match word.strip_prefix("--") {
                Some("") => {
                    next = args.next();
                    break;
                }
                Some(long) => long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value))),
                None => {
                    let (letter, value) = word.split_at(1).1.split_at(word.chars().nth(1).map_or(1, char::len_utf8));
                    (letter, Some(value).filter(|value| !value.is_empty()))
                }
            };
            let mut value = || {
                let shown = if word.starts_with("--") {
                    format!("option '--{name}' requires an argument")
                } else {
                    format!("option requires an argument -- '{name}'")
                };
                own.map(str::to_string).or_else(|| args.next().cloned()).ok_or(shown)
            };
            match name {
                "s" | "signal" => {
                    let text = value()?;
                    limit.signal = signal_of(&text).ok_or(format!("‘{text}’: invalid signal"))?;
                }
                "k" | "kill-after" => limit.kill_after = span(&value()?)?,
                "preserve-status" => limit.preserve_status = true,
                "v" | "verbose" => limit.verbose = true,
                "f" | "foreground" => {}
                long if word.starts_with("--") => return Err(format!("unrecognized option '--{long}'")),
                letter => return Err(format!("invalid option -- '{letter}'")),
            }
            next = args.next();
        }
        limit.span = span(next.ok_or("")?)?;
        let words: Vec<String> = args.cloned().collect();
        if words.is_empty() { Err(String::new()) } else { Ok((limit, words)) }
    }
}

/// `timeout`, `env NAME=value command`, `nohup`
#[derive(Clone)]
struct Around {
    words: Vec<String>,
    limit: Option<Limit>,
    child: Option<Pid>,
    /// The last signal sent to the child.
    fired: Option<Signal>,
    env: Option<Change>,
}

/// What `env` does to the variables.
#[derive(Clone)]
struct Change {
    clear: bool,
    unset: Vec<String>,
    set: Vec<(String, String)>,
}

impl Program for Around {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let child = match self.child {
            Some(child) => child,
            None => {
                let mut env = sys.env.clone();
                if let Some(change) = self.env.take() {
                    if change.clear {
                        env.clear();
                    }
                    change.unset.iter().for_each(|name| drop(env.remove(name)));
                    env.extend(change.set);
                }
                if self.words.is_empty() {
                    let lines: String = env.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
                    sys.out(lines);
                    return Turn::Exit(0);
                }
                match spawn(sys, self.words.clone(), env) {
                    Ok(child) => child,
                    Err(code) => return Turn::Exit(code),
                }
            }
        };
        self.child = Some(child);
        if let Some(exit) = sys.reap(child) {
            return Turn::Exit(match (self.fired, &self.limit) {
                (Some(Signal::Kill), _) => 137,
                (Some(_), Some(limit)) if !limit.preserve_status => 124,
                _ => exit.code,
            });
        }
        let mut waits = vec![Wait::Child(child)];
        if let Some(limit) = &mut self.limit
            && let Some(span) = if self.fired.is_none() { limit.span } else { limit.kill_after }
            && self.fired != Some(Signal::Kill)
        {
            let until = *limit.until.get_or_insert(sys.now + span);
            if sys.now < until {
                waits.push(Wait::Until(until));
            } else {
                let signal = if self.fired.is_none() { limit.signal } else { Signal::Kill };
                if limit.verbose {
                    let command = self.words.first().map_or("", String::as_str);
                    sys.err(format!("timeout: sending signal {} to command ‘{command}’\n", signal_name(signal)));
                }
                self.fired = Some(signal);
                limit.until = limit.kill_after.map(|span| sys.now + span);
                sys.kill(child, signal);
                waits.extend(limit.until.map(Wait::Until));
            }
        }
        Turn::Wait(waits)
    }
}

#[derive(Clone)]
struct Xargs {
    words: Vec<String>,
    replace: Option<String>,
    count: Option<usize>,
    skip_empty: bool,
    input: Vec<u8>,
    ended: bool,
    groups: Option<Vec<Vec<String>>>,
    child: Option<Pid>,
    code: i32,
}

impl Program for Xargs {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        while !self.ended {
            match sys.read(1 << 16) {
                Read::Data(bytes) => self.input.extend(bytes),
                Read::Empty => return Turn::Wait(vec![Wait::Input]),
                Read::End => self.ended = true,
            }
            if self.input.len() > 1 << 20 {
                sys.err("xargs: argument list too long\n");
                return Turn::Exit(1);
            }
        }
        let groups = self.groups.get_or_insert_with(|| {
            let text = String::from_utf8_lossy(&self.input).into_owned();
            let mut groups: Vec<Vec<String>> = match (&self.replace, self.count) {
                (Some(mark), _) => {
                    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty());
                    lines.map(|line| self.words.iter().map(|word| word.replace(mark, line)).collect()).collect()
                }
                (None, count) => {
                    let unquoted: Vec<String> =
                        text.split_whitespace().map(|word| word.trim_matches(['"', '\'']).to_string()).collect();
                    let with = |chunk: &[String]| self.words.iter().chain(chunk).cloned().collect::<Vec<_>>();
                    if unquoted.is_empty() {
                        if self.skip_empty { Vec::new() } else { vec![self.words.clone()] }
                    } else {
                        unquoted.chunks(count.unwrap_or(5000)).map(with).collect()
                    }
                }
            };
            groups.reverse();
            groups
        });
        if let Some(child) = self.child {
            match sys.reap(child) {
                Some(exit) if exit.code != 0 => self.code = 123,
                Some(_) => {}
                None => return Turn::Wait(vec![Wait::Child(child)]),
            }
            self.child = None;
        }
        match groups.pop() {
            None => Turn::Exit(self.code),
            Some(words) => {
                let env = sys.env.clone();
                match spawn(sys, words, env) {
                    Ok(child) => {
                        self.child = Some(child);
                        Turn::Wait(vec![Wait::Child(child)])
                    }
                    Err(code) => Turn::Exit(code),
                }
            }
        }
    }
}

/// `tail -f`: looks once a second.
#[derive(Clone)]
struct Follow {
    path: String,
    keep: usize,
    seen: Option<usize>,
}

impl Program for Follow {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        if self.path == "/dev/null" || self.path.is_empty() {
            return Turn::Wait(vec![Wait::Signal]);
        }
        let content = match sys.files.read(sys.cwd, &self.path) {
            Ok(content) => content,
            Err(error) => {
                sys.err(format!(
                    "tail: cannot open '{}' for reading: {}\ntail: no files remaining\n",
                    self.path,
                    error.text()
                ));
                return Turn::Exit(1);
            }
        };
        let from = match self.seen {
            Some(seen) => seen.min(content.len()),
            None => {
                let ends: Vec<usize> =
                    content.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
                ends.len().checked_sub(self.keep + 1).and_then(|at| ends.get(at)).copied().unwrap_or(0)
            }
        };
        match sys.out(content.get(from..).unwrap_or_default()) {
            Written::All => self.seen = Some(content.len()),
            Written::Full => return Turn::Wait(vec![Wait::Room]),
            Written::Broken => return Turn::Exit(141),
            Written::NoSpace => return super::no_space(sys),
        }
        Turn::Wait(vec![Wait::Until(sys.now + Span::seconds(1))])
    }
}

pub fn once(name: &str) -> Option<Run> {
    Some(match name {
        "true" => |_, _, _| 0,
        "false" => |_, _, _| 1,
        "echo" => |sys, flavour, out| {
            let flavour = if flavour == Flavour::Coreutils { Flavour::Bash } else { flavour };
            out.out(print::echo(sys.args.get(1..).unwrap_or_default(), flavour));
            0
        },
        "printf" => |sys, _, out| {
            let printed = print::printf(sys.args.get(1..).unwrap_or_default());
            out.out(printed.out);
            printed.errors.iter().for_each(|error| out.err(format!("printf: {error}\n")));
            printed.code
        },
        "test" | "[" => |sys, _, out| match test::test(sys, sys.args) {
            Ok(holds) => i32::from(!holds),
            Err(reason) => {
                out.err(format!("test: {reason}\n"));
                2
            }
        },
        "pwd" => |sys, _, out| {
            out.out(format!("{}\n", sys.cwd));
            0
        },
        "env" | "printenv" => |sys, _, out| {
            let names = sys.args.get(1..).unwrap_or_default();
            if names.is_empty() || sys.args.first().is_some_and(|name| name.ends_with("/env") || name == "env") {
                sys.env.iter().for_each(|(name, value)| out.out(format!("{name}={value}\n")));
                names.iter().filter(|arg| arg.contains('=')).for_each(|arg| out.out(format!("{arg}\n")));
                return 0;
            }
            let mut code = 0;
            for name in names {
                match sys.env.get(name) {
                    Some(value) => out.out(format!("{value}\n")),
                    None => code = 1,
                }
            }
            code
        },
        "hostname" => |sys, _, out| {
            let hosts = sys.files.read_text("/", "/etc/hosts").unwrap_or_default();
            let own = |line: &&str| line.split_whitespace().skip(1).any(|name| name == sys.hostname);
            let mut words = hosts.lines().find(own).unwrap_or_default().split_whitespace();
            let address = words.next();
            let full = words.next().unwrap_or(sys.hostname);
            let (short, domain) = full.split_once('.').unwrap_or((full, ""));
            let answer = match sys.args.get(1).map(String::as_str) {
                None => sys.hostname,
                Some("-f" | "--fqdn" | "--long") => full,
                Some("-s" | "--short") => short,
                Some("-d" | "--domain") => domain,
                Some("-i" | "-I" | "--ip-address") => address.unwrap_or("127.0.0.1"),
                Some(_) => {
                    out.err("hostname: you must be root to change the host name\n");
                    return 1;
                }
            };
            out.out(format!("{answer}\n"));
            0
        },
        "whoami" => |sys, flavour, out| {
            let (uid, _, _) = account(sys);
            let (code, text) = match (name_of(sys, "/etc/passwd", &uid), flavour) {
                (Some(name), _) => (0, name),
                (None, Flavour::Busybox) => (1, format!("whoami: unknown uid {uid}")),
                (None, _) => (1, format!("whoami: cannot find name for user ID {uid}")),
            };
            if code == 0 {
                out.out(text + "\n")
            } else {
                out.err(text + "\n")
            }
            code
        },
        "id" => |sys, flavour, out| {
            let (uid, gid, mut groups) = account(sys);
            let user = name_of(sys, "/etc/passwd", &uid);
            let shown = |sys: &Sys<'_>, path: &str, id: &str| {
                name_of(sys, path, id).map_or(id.to_string(), |name| format!("{id}({name})"))
            };
            if flavour != Flavour::Busybox || !groups.contains(&gid) {
                groups.retain(|group| *group != gid);
                groups.insert(0, gid.clone());
            }
            // The runtime adds the groups the image's list has the user in.
            for line in sys.files.read_text("/", "/etc/group").unwrap_or_default().lines() {
                let fields: Vec<&str> = line.split(':').collect();
                let (Some(id), Some(members)) = (fields.get(2), fields.get(3)) else { continue };
                let is_member = user.as_ref().is_some_and(|user| members.split(',').any(|member| member == user));
                if is_member && !groups.iter().any(|group| group == id) {
                    groups.push(id.to_string());
                }
            }
            out.out(match sys.args.get(1).map(String::as_str) {
                Some("-u") => format!("{uid}\n"),
                Some("-g") => format!("{gid}\n"),
                Some("-G") => groups.join(" ") + "\n",
                Some("-un") => user.unwrap_or(uid) + "\n",
                Some("-gn") => name_of(sys, "/etc/group", &gid).unwrap_or(gid) + "\n",
                _ => {
                    let list: Vec<String> = groups.iter().map(|id| shown(sys, "/etc/group", id)).collect();
                    format!(
                        "uid={} gid={} groups={}\n",
                        shown(sys, "/etc/passwd", &uid),
                        shown(sys, "/etc/group", &gid),
                        list.join(",")
                    )
                }
            });
            0
        },
        "mount" => |sys, _, out| match sys.files.read_text("/", "/proc/mounts") {
            Ok(text) => {
                out.out(text);
                0
            }
            Err(_) => {
                out.err(format!("{}\n", gap::line("program: mount", "")));
                1
            }
        },
        "ip" => ip,
        "uname" => |sys, _, out| {
            let host = sys.hostname;
            let kernel = crate::process::kernel(sys.files);
            out.out(match sys.args.get(1).map(String::as_str) {
                Some("-a") => format!("Linux {host} {kernel} #1 SMP x86_64 GNU/Linux\n"),
                Some("-r") => format!("{kernel}\n"),
                Some("-m") => "x86_64\n".into(),
                Some("-n") => format!("{host}\n"),
                _ => "Linux\n".into(),
            });
            0
        },
        "tty" => |sys, _, out| {
            let has = sys.terminal.is_some();
            out.out(if has { "/dev/pts/0\n" } else { "not a tty\n" });
            i32::from(!has)
        },
        "nproc" => |_, _, out| {
            out.out("4\n");
            0
        },
        "stty" => |sys, _, out| {
            let asks = sys.args.get(1).is_some_and(|arg| arg == "size");
            if let Some((columns, rows)) = sys.terminal.filter(|_| asks) {
                out.out(format!("{rows} {columns}\n"));
            }
            0
        },
        "clear" | "sync" => |_, _, out| {
            let _ = out;
            0
        },
        "ps" => |sys, flavour, out| {
            let list = sys.processes();
            match flavour {
                Flavour::Busybox => {
                    out.out("PID   USER     COMMAND\n");
                    list.iter().for_each(|(pid, args)| out.out(format!("{pid:>5} root     {}\n", args.join(" "))));
                }
                _ => {
                    out.out("    PID TTY          TIME CMD\n");
                    let name = |args: &[String]| {
                        args.first().map_or(String::new(), |a| a.rsplit('/').next().unwrap_or(a).to_string())
                    };
                    list.iter().for_each(|(pid, args)| out.out(format!("{pid:>7} pts/0    00:00:00 {}\n", name(args))));
                }
            }
            0
        },
        "which" => |sys, _, out| {
            let mut code = 0;
            let path = sys.env.get("PATH").cloned().unwrap_or_default();
            for name in sys.args.iter().skip(1) {
                match crate::shell::builtins::path_of(sys, &path, name) {
                    Some(path) => out.out(format!("{path}\n")),
                    None => code = 1,
                }
            }
            code
        },
        "date" => date,
        _ => return None,
    })
}

/// User, group and groups of whoever runs here: root unless the machine says otherwise.
fn account(sys: &Sys<'_>) -> (String, String, Vec<String>) {
    let status = sys.files.read_text("/", "/proc/self/status").unwrap_or_default();
    let line = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    let number = |key: &str| line(key).split_whitespace().next().unwrap_or("0").to_string();
    (number("Uid:"), number("Gid:"), line("Groups:").split_whitespace().map(str::to_string).collect())
}

/// The name that goes with a number in /etc/passwd or /etc/group.
fn name_of(sys: &Sys<'_>, path: &str, id: &str) -> Option<String> {
    let list = sys.files.read_text("/", path).unwrap_or_else(|_| "root:x:0".into());
    list.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        (fields.get(2) == Some(&id)).then(|| fields.first().copied().unwrap_or_default().to_string())
    })
}

/// `ip addr`: the interfaces the machine's owner wrote down, one a line: address with length, hardware address.
fn ip(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let words: Vec<&str> = sys.args.iter().skip(1).map(String::as_str).collect();
    let four = words.contains(&"-4");
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let list = sys.files.read_text("/", "/proc/net/interfaces");
    if list.is_err() || !plain.first().is_some_and(|word| "address".starts_with(word) && word.starts_with('a')) {
        out.err(format!("{}\n", gap::line("program: ip", "")));
        return 1;
    }
    let only = plain.iter().copied().find(|word| word.starts_with("eth") || *word == "lo");
    if only.is_none_or(|name| name == "lo") {
        out.out("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue qlen 1000\n");
        if !four {
            out.out("    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n");
        }
        out.out("    inet 127.0.0.1/8 scope host lo\n       valid_lft forever preferred_lft forever\n");
        if !four {
            out.out("    inet6 ::1/128 scope host \n       valid_lft forever preferred_lft forever\n");
        }
    }
    for (index, line) in list.unwrap_or_default().lines().enumerate() {
        let (address, mac) = line.split_once(' ').unwrap_or((line, ""));
        let name = format!("eth{index}");
        if only.is_some_and(|own| own != name) {
            continue;
        }
        let (ip, length) = address.split_once('/').unwrap_or((address, "16"));
        let mask = u32::MAX >> length.parse::<u32>().unwrap_or(16).min(31);
        let last = ip.parse::<std::net::Ipv4Addr>().map_or(0, |ip| ip.to_bits() | mask);
        let broadcast = std::net::Ipv4Addr::from_bits(last);
        out.out(format!(
            "{}: {name}@if9: <BROADCAST,MULTICAST,UP,LOWER_UP,M-DOWN> mtu 1500 qdisc noqueue \n",
            index + 2
        ));
        if !four {
            out.out(format!("    link/ether {mac} brd ff:ff:ff:ff:ff:ff\n"));
        }
        out.out(format!(
            "    inet {address} brd {broadcast} scope global {name}\n       valid_lft forever preferred_lft forever\n"
        ));
    }
    0
}

fn date(sys: &mut Sys<'_>, _: Flavour, out: &mut Output) -> i32 {
    let mut time = sys.now;
    let mut format = "%a %b %e %H:%M:%S %Z %Y".to_string();
    let mut place = sys.env.get("TZ").cloned().unwrap_or_else(|| "UTC".into());
    let args = sys.args.to_vec();
    let mut rest = args.iter().skip(1);
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-u" | "--utc" => place = "UTC".into(),
            "-Iseconds" | "--iso-8601=seconds" => format = "%Y-%m-%dT%H:%M:%S%:z".into(),
            "-I" => format = "%F".into(),
            "-R" => format = "%a, %d %b %Y %H:%M:%S %z".into(),
            arg if arg.starts_with('+') => format = arg.get(1..).unwrap_or_default().to_string(),
            arg if arg.starts_with("-d") || arg.starts_with("--date") => {
                let value = match arg.split_once('=') {
                    Some((_, value)) => value.to_string(),
                    None if arg.len() > 2 && !arg.starts_with("--") => arg.get(2..).unwrap_or_default().to_string(),
                    None => rest.next().cloned().unwrap_or_default(),
                };
                let read = match value.strip_prefix('@') {
                    Some(seconds) => seconds.parse().ok().map(Time::from_seconds),
                    None if value == "now" || value.is_empty() => Some(sys.now),
                    None => Time::parse(&value).or_else(|| Time::parse(&format!("{value}T00:00:00Z"))),
                };
                match read {
                    Some(read) => time = read,
                    None => {
                        out.err(format!("date: invalid date '{value}'\n"));
                        return 1;
                    }
                }
            }
            arg => {
                out.err(format!("date: invalid date '{arg}'\n"));
                return 1;
            }
        }
    }
    out.out(format_date(time, &format, &place) + "\n");
    0
}

fn format_date(utc: Time, format: &str, place: &str) -> String {
    let (offset, zone_name) = crate::base::zone::at(place, utc);
    let time = utc + Span::seconds(offset);
    let east = |mark: &str| {
        let minutes = offset.abs() / 60;
        format!("{}{:02}{mark}{:02}", if offset < 0 { '-' } else { '+' }, minutes / 60, minutes % 60)
    };
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    let (year, month, day, hour, minute, second) = time.civil();
    let weekday = DAYS.get(time.weekday() as usize).copied().unwrap_or_default();
    let month_name = MONTHS.get((month as usize).saturating_sub(1)).copied().unwrap_or_default();
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let nanos = time.0.rem_euclid(1_000_000) * 1000;
        match chars.next() {
            Some('Y') => out.push_str(&year.to_string()),
            Some('y') => out.push_str(&format!("{:02}", year % 100)),
            Some('m') => out.push_str(&format!("{month:02}")),
            Some('d') => out.push_str(&format!("{day:02}")),
            Some('e') => out.push_str(&format!("{day:>2}")),
            Some('H') => out.push_str(&format!("{hour:02}")),
            Some('M') => out.push_str(&format!("{minute:02}")),
            Some('S') => out.push_str(&format!("{second:02}")),
            Some('N') => out.push_str(&format!("{nanos:09}")),
            Some('3') => {
                chars.next();
                out.push_str(&format!("{:03}", nanos / 1_000_000));
            }
            Some('s') => out.push_str(&utc.as_seconds().to_string()),
            Some('F') => out.push_str(&format!("{year:04}-{month:02}-{day:02}")),
            Some('T') => out.push_str(&format!("{hour:02}:{minute:02}:{second:02}")),
            Some('R') => out.push_str(&format!("{hour:02}:{minute:02}")),
            Some('a') => out.push_str(weekday.get(..3).unwrap_or_default()),
            Some('A') => out.push_str(weekday),
            Some('b' | 'h') => out.push_str(month_name.get(..3).unwrap_or_default()),
            Some('B') => out.push_str(month_name),
            Some('Z') => out.push_str(&zone_name),
            Some('z') => out.push_str(&east("")),
            Some(':') => {
                chars.next();
                out.push_str(&east(":"));
            }
            Some('j') => {
                let start = Time::parse(&format!("{year:04}-01-01T00:00:00Z")).unwrap_or_default();
                out.push_str(&format!("{:03}", (time - start).as_millis() / 86_400_000 + 1));
            }
            Some('u') => out.push_str(&match time.weekday() as u8 {
                0 => "7".to_string(),
                day => day.to_string(),
            }),
            Some('w') => out.push_str(&(time.weekday() as u8).to_string()),
            Some('I') => out.push_str(&format!("{:02}", (hour + 11) % 12 + 1)),
            Some('p') => out.push_str(if hour < 12 { "AM" } else { "PM" }),
            Some('D') => out.push_str(&format!("{month:02}/{day:02}/{:02}", year % 100)),
            Some('c') => out.push_str(&format_date(utc, "%a %b %e %H:%M:%S %Y", place)),
            Some('n') => out.push('\n'),
            Some('%') => out.push('%'),
            Some(other) => out.extend(['%', other]),
            None => out.push('%'),
        }
    }
    out
}
