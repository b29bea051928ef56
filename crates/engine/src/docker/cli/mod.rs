//! The docker command: arguments to requests to text. A program like any other; it knows the Engine by its API alone.
//!
//! Left out (told as gaps): build, push, login, import, contexts, swarm, plugins, compose.

mod archive;
mod args;
mod complete;
mod cp;
mod exec;
pub mod format;
mod help;
mod images;
mod inspect;
mod logs;
mod network;
mod options;
mod ps;
mod pull;
mod run;
mod simple;
mod stats;
mod system;
mod volume;

use crate::base::http::{Body, Frame, Method, Request, Response, User};
use crate::base::{Span, Time, Value, gap};
use crate::docker::session::CTRL_C;
use crate::process::rerun::{self, Failure, Io, Memory, Outcome, Stop};
use crate::process::{Program, Signal, Sys, Turn, Wait};

use args::Args;
pub use args::bytes;

pub use complete::complete;

/// From Enter to the first request.
const START: Span = Span::millis(50);
/// Begins the note of a command attached to a terminal: the call follows.
const TERMINAL: &str = "terminal ";
/// Where the Engine listens; at other addresses there is nobody.
const SOCKET: &str = "unix:///var/run/docker.sock";

/// docker with its arguments (`args[0]` is the program's own name).
#[inline(never)]
pub fn program(args: &[String]) -> Box<dyn Program> {
    Box::new(Docker { args: args.get(1..).unwrap_or_default().to_vec(), ..Docker::default() })
}

#[derive(Clone, Default)]
struct Docker {
    args: Vec<String>,
    start: Option<Time>,
    memory: Memory,
    exit: Option<i32>,
    interrupts: u32,
}

impl Program for Docker {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let ready = *self.start.get_or_insert(sys.now + START);
        while let Some(signal) = sys.signal() {
            if signal == Signal::Winch {
                continue;
            }
            // Whoever is attached passes signals on; a terminal's interrupt is a byte like others.
            let attached = self.memory.note.clone().filter(|_| matches!(signal, Signal::Int | Signal::Term));
            let terminal = attached.as_deref().and_then(|note| note.strip_prefix(TERMINAL)?.parse().ok());
            match (attached.as_deref(), terminal) {
                (_, Some(call)) => sys.send(call, Frame::Data(0, CTRL_C.to_vec())),
                (Some(id), None) => {
                    self.interrupts += 1;
                    if self.interrupts == 3 {
                        let _ = rerun::flush(sys, &mut self.memory);
                        sys.err("\ngot 3 SIGTERM/SIGINTs, forcefully exiting\n");
                        return Turn::Exit(1);
                    }
                    let mut kill = request(Method::Post, &format!("/containers/{id}/kill"));
                    kill.query.push(("signal".into(), (signal as i32).to_string()));
                    sys.call(kill);
                }
                (None, None) => {
                    let _ = rerun::flush(sys, &mut self.memory);
                    return Turn::Exit(self.memory.interrupt.unwrap_or(128 + signal as i32));
                }
            }
        }
        if sys.now < ready {
            return Turn::Wait(vec![Wait::Until(ready)]);
        }
        let mut waits = Vec::new();
        if self.exit.is_none() {
            let mut io = Io::new(sys, &mut self.memory, ready);
            match run(&self.args, &mut io) {
                Ok(()) => self.exit = Some(0),
                Err(Stop::Exit(code)) => self.exit = Some(code),
                Err(Stop::Wait(on)) => waits = on,
                Err(Stop::Fail(failures, code)) => {
                    for failure in &failures {
                        io.err(format!("{}\n", failure.text()));
                    }
                    self.exit = Some(code);
                }
            }
        }
        match (rerun::flush(sys, &mut self.memory), self.exit) {
            (Err(()), _) => Turn::Exit(141),
            (Ok(false), _) => Turn::Wait(vec![Wait::Room]),
            (Ok(true), Some(code)) => Turn::Exit(code),
            (Ok(true), None) => Turn::Wait(waits),
        }
    }
}

/// Ends the command with a text on standard error.
pub fn exit_with<T>(code: i32, text: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(vec![Failure::Full(text.into())], code))
}

pub fn request(method: Method, path: &str) -> Request {
    let user = User { name: "".into(), groups: Vec::new() };
    let mut request = Request::new(&user, "docker", method, format!("/v{}{path}", crate::docker::system::API));
    request.host = "docker".into();
    request
}

fn down(host: &str) -> String {
    format!("Cannot connect to the Docker daemon at {host}. Is the docker daemon running?")
}

/// What the Engine says went wrong, as the command words it.
pub fn complaint(response: &Response) -> String {
    if response.code == 0 {
        return down(SOCKET);
    }
    format!("Error response from daemon: {}", rerun::body(response)["message"].str().trim_end_matches(' '))
}

/// A request about something without a name is not sent.
pub fn nameless(path: &str) -> Option<String> {
    let path = path.trim_start_matches('/');
    let path = path.split_once('/').filter(|(version, _)| version.starts_with("v1.")).map_or(path, |(_, rest)| rest);
    let (kind, rest) = path.split_once('/')?;
    let kind = match kind {
        "containers" => "container",
        "networks" => "network",
        "volumes" => "volume",
        _ => return None,
    };
    let empty = rest.is_empty() || rest.starts_with('/');
    empty.then(|| format!("invalid {kind} name or ID: value is empty"))
}

/// Sends a request; the answer's body, or the complaint.
pub fn ask(io: &mut Io<'_, '_>, request: Request) -> Outcome<Result<Value, String>> {
    if let Some(why) = nameless(&request.path) {
        return Ok(Err(why));
    }
    let response = io.send(request)?;
    Ok(if response.ok() && response.code != 0 { Ok(rerun::body(&response)) } else { Err(complaint(&response)) })
}

/// As `ask`; a complaint ends the command.
pub fn must(io: &mut Io<'_, '_>, request: Request) -> Outcome<Value> {
    ask(io, request)?.or_else(|text| exit_with(1, text))
}

/// The same for each word: what it comes to is printed, complaints follow at the end.
pub fn each(
    io: &mut Io<'_, '_>,
    words: &[String],
    mut act: impl FnMut(&mut Io<'_, '_>, &str) -> Outcome<Result<String, String>>,
) -> Outcome {
    let mut failures = Vec::new();
    for word in words {
        match act(io, word)? {
            Ok(text) => io.out(text),
            Err(text) => failures.push(Failure::Full(text)),
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(Stop::Fail(failures, 1)) }
}

/// Asks yes or no.
pub fn confirmed(io: &mut Io<'_, '_>, args: &Args, warning: &str) -> Outcome<bool> {
    if args.is("force") {
        return Ok(true);
    }
    io.out(format!("WARNING! {warning}\nAre you sure you want to continue? [y/N] "));
    let line = io.line_of_input()?;
    Ok(line.trim().eq_ignore_ascii_case("y"))
}

/// A point in time as the API wants it: of a date, of seconds, of a span before now.
pub fn moment(io: &Io<'_, '_>, text: &str) -> Result<String, String> {
    if let Ok(span) = crate::base::duration::parse(text) {
        let at = io.now().0.saturating_sub(span.0);
        return Ok(format!("{}.{:06}", at.div_euclid(1_000_000), at.rem_euclid(1_000_000)));
    }
    let padded = match text.len() {
        10 => format!("{text}T00:00:00Z"),
        16 => format!("{text}:00Z"),
        19 => format!("{text}Z"),
        _ => text.to_string(),
    };
    if let Some(at) = Time::parse(&padded) {
        return Ok(format!("{}.{:06}", at.as_seconds(), at.0.rem_euclid(1_000_000)));
    }
    // A date by its looks: which part of it is wrong.
    let part = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse::<u32>().ok());
    let dashes = text.bytes().enumerate().all(|(at, b)| match at {
        4 | 7 => b == b'-',
        0..=9 => b.is_ascii_digit(),
        _ => true,
    });
    if dashes && text.len() >= 10 {
        let what = match (part(5, 7), part(8, 10)) {
            (Some(1..=12), Some(1..=31)) => match (part(11, 13), part(14, 16), part(17, 19)) {
                (Some(24..), ..) => "hour",
                (_, Some(60..), _) => "minute",
                (_, _, Some(60..)) => "second",
                _ => "day",
            },
            (Some(1..=12), _) => "day",
            _ => "month",
        };
        return Err(format!("parsing time {}: {what} out of range", format::quoted(text)));
    }
    let number = text.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    if number {
        return Ok(text.to_string());
    }
    Err(format!("failed to parse value as time or duration: {}", format::quoted(text)))
}

fn home(io: &Io<'_, '_>) -> String {
    io.sys.env.get("HOME").cloned().unwrap_or_else(|| "/root".into())
}

const VERSION: &str = "Docker version 28.4.0, build d8eb465";

fn run(words: &[String], io: &mut Io<'_, '_>) -> Outcome {
    let mut words = words;
    let mut host =
        io.sys.env.get("DOCKER_HOST").cloned().filter(|host| !host.is_empty()).unwrap_or_else(|| SOCKET.into());
    while let Some(first) = words.first().filter(|word| word.starts_with('-')) {
        match first.as_str() {
            "--tls" | "--tlsverify" => {
                let text = format!("open {}/.docker/ca.pem: no such file or directory", home(io));
                return exit_with(1, format!("Failed to initialize: unable to resolve docker endpoint: {text}"));
            }
            "-v" if words.get(1).is_some_and(|word| args::is_group(word) || args::find(word).is_some()) => {
                words = words.get(1..).unwrap_or_default();
            }
            "--version" | "-v" => {
                io.line(VERSION);
                return Ok(());
            }
            "--help" | "-h" => {
                let words: Vec<String> =
                    words.iter().skip(1).take_while(|word| !word.starts_with('-')).cloned().collect();
                return told(io, &words);
            }
            "--debug" | "-D" => words = words.get(1..).unwrap_or_default(),
            "--host" | "-H" => {
                host = words.get(1).cloned().unwrap_or_default();
                words = words.get(2..).unwrap_or_default();
            }
            flag if flag.starts_with("--debug=") || flag.starts_with("--version=") => {
                let (name, given) = flag.split_once('=').unwrap_or((flag, ""));
                if !matches!(
                    given,
                    "1" | "0" | "t" | "f" | "T" | "F" | "true" | "false" | "TRUE" | "FALSE" | "True" | "False"
                ) {
                    let short = if name == "--debug" { "-D" } else { "-v" };
                    let given = format::quoted(given);
                    return exit_with(
                        125,
                        format!(
                            "invalid argument {given} for \"{short}, {name}\" flag: strconv.ParseBool: parsing {given}: invalid syntax\n\nUsage:  docker [OPTIONS] COMMAND [ARG...]\n\nRun 'docker --help' for more information"
                        ),
                    );
                }
                words = words.get(1..).unwrap_or_default();
            }
            "--context" | "-c" | "--config" | "--log-level" | "-l" => {
                set(first, words.get(1).map_or("", String::as_str), io)?;
                words = words.get(2..).unwrap_or_default();
            }
            flag if ["--host=", "--context=", "--config=", "--log-level="].iter().any(|own| flag.starts_with(own)) => {
                let (name, given) = flag.split_once('=').unwrap_or((flag, ""));
                set(name, given, io)?;
                if name == "--host" {
                    host = given.to_string();
                }
                words = words.get(1..).unwrap_or_default();
            }
            flag => {
                let what = match flag.strip_prefix("--") {
                    Some(name) => format!("unknown flag: --{}", name.split('=').next().unwrap_or(name)),
                    None => format!("unknown shorthand flag: '{}' in {flag}", flag.chars().nth(1).unwrap_or('-')),
                };
                return exit_with(
                    125,
                    format!(
                        "{what}\n\nUsage:  docker [OPTIONS] COMMAND [ARG...]\n\nRun 'docker --help' for more information"
                    ),
                );
            }
        }
    }
    if !host.contains("://") {
        host = format!("tcp://{host}");
    }
    if let Some(place) = host.strip_prefix("tcp://").filter(|place| !place.contains(':')) {
        host = format!("tcp://{place}:2375");
    }
    let Some(first) = words.first() else {
        io.err(help::root(&home(io)));
        return Ok(());
    };
    // Those with a help of their own get as far as their arguments.
    if let Some(instead) = absent(first).filter(|_| !["push", "login", "search"].contains(&first.as_str())) {
        return exit_with(1, gap::line(&format!("docker {first}"), instead));
    }
    if first == "help" {
        return told(io, words.get(1..).unwrap_or_default());
    }
    if args::is_group(first) {
        return in_group(io, &host, first, words.get(1..).unwrap_or_default());
    }
    let Some(command) = args::find(first).filter(|_| !first.contains(' ')) else {
        if words.iter().any(|word| word == "--help") {
            io.out(help::root(&home(io)));
            return Ok(());
        }
        return exit_with(
            1,
            format!("docker: unknown command: docker {first}\n\nRun 'docker --help' for more information"),
        );
    };
    invoke(io, &host, format!("docker {first}"), command, words.get(1..).unwrap_or_default())
}

/// Commands that are left out, and what to do instead.
const ABSENT: [(&str, &str); 6] = [
    ("swarm service node stack secret config", "swarm mode is left out; docker run starts containers"),
    ("build buildx builder", "take an image that exists, or make one of a container with docker commit"),
    ("compose", "start the containers one by one with docker run"),
    ("context", "there is one Engine, at unix:///var/run/docker.sock"),
    ("plugin trust manifest checkpoint", "images, containers, networks and volumes are"),
    ("push login search", "the registry can only be pulled from"),
];

fn absent(name: &str) -> Option<&'static str> {
    ABSENT.iter().find(|(names, _)| names.split(' ').any(|own| own == name)).map(|(_, instead)| *instead)
}

/// A global option with a value.
fn set(flag: &str, value: &str, io: &Io<'_, '_>) -> Outcome {
    match flag {
        "--log-level" | "-l"
            if !["trace", "debug", "info", "warn", "warning", "error", "fatal", "panic"].contains(&value) =>
        {
            exit_with(1, format!("Unable to parse logging level: {value}"))
        }
        "--context" | "-c" if !matches!(value, "" | "default") => {
            let folder: String =
                crate::base::digest::sha256_of(value.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
            exit_with(
                1,
                format!(
                    "Failed to initialize: unable to resolve docker endpoint: context \"{value}\": context not found: open {}/.docker/contexts/meta/{folder}/meta.json: no such file or directory",
                    home(io)
                ),
            )
        }
        _ => Ok(()),
    }
}

/// `docker help …`
fn told(io: &mut Io<'_, '_>, words: &[String]) -> Outcome {
    let name = words.join(" ");
    if name.is_empty() {
        io.out(help::root(&home(io)));
    } else if args::is_group(&name) {
        io.out(help::group(&name));
    } else if let Some(command) = args::find(&name) {
        io.out(help::command(&format!("docker {name}"), command));
    } else {
        return exit_with(1, format!("unknown help topic: {name}"));
    }
    Ok(())
}

fn in_group(io: &mut Io<'_, '_>, host: &str, group: &str, words: &[String]) -> Outcome {
    match words.first().map(String::as_str) {
        None => {
            io.err(help::group(group));
            Ok(())
        }
        Some("--help" | "-h") => {
            io.out(help::group(group));
            Ok(())
        }
        Some(verb) => {
            let name = format!("{group} {verb}");
            if let Some(command) = args::find(&name) {
                return invoke(io, host, format!("docker {name}"), command, words.get(1..).unwrap_or_default());
            }
            if verb.starts_with('-') {
                let what = match verb.strip_prefix("--") {
                    Some(name) => format!("unknown flag: --{}", name.split('=').next().unwrap_or(name)),
                    None => format!("unknown shorthand flag: '{}' in {verb}", verb.chars().nth(1).unwrap_or('-')),
                };
                return exit_with(
                    125,
                    format!("{what}\n\nUsage:  docker {group}\n\nRun 'docker {group} --help' for more information"),
                );
            }
            let word = if group == "volume" { " COMMAND" } else { "" };
            exit_with(
                1,
                format!(
                    "docker: unknown command: docker {name}\n\nUsage:  docker {group}{word}\n\nRun 'docker {group} --help' for more information"
                ),
            )
        }
    }
}

fn invoke(
    io: &mut Io<'_, '_>,
    host: &str,
    called: String,
    command: &'static args::Command,
    words: &[String],
) -> Outcome {
    let args = Args::parse(called, command, words)?;
    if args.help {
        io.out(help::command(&args.called, command));
        return Ok(());
    }
    if host != SOCKET {
        let text = down(host);
        match command.name {
            "version" => io.out(system::client_version()),
            "system info" => io.out(system::CLIENT_INFO),
            "container run" | "container create" => {
                let help = format!("Run '{} --help' for more information", args.called);
                return exit_with(125, format!("docker: {text}\n\n{help}"));
            }
            _ => {}
        }
        return exit_with(1, text);
    }
    match command.name {
        "container run" => run::run(&args, io),
        "container create" => run::create(&args, io),
        "container start" => run::start(&args, io),
        "container attach" => run::attach(&args, io),
        "container exec" => exec::exec(&args, io),
        "container ls" => ps::ps(&args, io),
        "container stop" | "container restart" | "container kill" | "container pause" | "container unpause"
        | "container rm" | "container wait" | "container rename" | "container update" | "container port"
        | "container diff" | "container top" | "container prune" => simple::run(&args, io),
        "container logs" => logs::logs(&args, io),
        "container stats" => stats::stats(&args, io),
        "container cp" => cp::cp(&args, io),
        "inspect" | "container inspect" | "image inspect" | "network inspect" | "volume inspect" => {
            inspect::inspect(&args, io)
        }
        "image ls" | "image history" | "image rm" | "image tag" | "image prune" => images::run(&args, io),
        "logout" => {
            let server = if args.words.is_empty() { "https://index.docker.io/v1/" } else { args.word(0) };
            io.line(format!("Removing login credentials for {server}"));
            Ok(())
        }
        "container commit" | "container export" | "image save" | "image load" => archive::run(&args, io),
        "image pull" => pull::pull(&args, io),
        "network create" | "network ls" | "network rm" | "network connect" | "network disconnect" | "network prune" => {
            network::run(&args, io)
        }
        "volume create" | "volume ls" | "volume rm" | "volume prune" => volume::run(&args, io),
        "version" | "system info" | "system df" | "system events" | "system prune" => system::run(&args, io),
        name => {
            let name = name.trim_start_matches("container ").trim_start_matches("image ");
            exit_with(1, gap::line(&format!("docker {name}"), absent(name).unwrap_or_default()))
        }
    }
}

/// The text of a response.
pub fn text_of(response: &Response) -> &str {
    match &response.body {
        Body::Text(text) => text,
        _ => "",
    }
}
