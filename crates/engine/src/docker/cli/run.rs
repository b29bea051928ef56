//! `docker run`, `create`, `start` and `attach`.

use super::args::Args;
use super::options::{Options, wanted};
use super::{Failure, Stop, ask, complaint, exit_with, pull, request};
use crate::base::http::{Frame, Method, Response};
use crate::docker::check;
use crate::docker::images::familiar;
use crate::process::rerun::{self, Heard, Io, Outcome};
use crate::runtime::Reference;

/// Stands for the exit code of what went wrong after the options were understood: `create` says it plainly.
const NOT_MADE: i32 = -125;

/// Ctrl+D at a terminal.
const END_OF_INPUT: [u8; 1] = [4];

/// What went wrong, and where help is.
fn failed<T>(args: &Args, code: i32, text: &str) -> Outcome<T> {
    if args.command.name == "container create" && code == NOT_MADE {
        return exit_with(1, text);
    }
    let code = if code == NOT_MADE { 125 } else { code };
    exit_with(code, format!("docker: {text}\n\nRun '{} --help' for more information", args.called))
}

/// Of a container that would not start.
fn start_code(text: &str) -> i32 {
    match text {
        text if text.contains("executable file not found") || text.contains("no such file or directory") => 127,
        text if text.contains("permission denied") || text.contains("is a directory") => 126,
        _ => 125,
    }
}

/// Creates a container, pulling its image when it is missing: its id.
fn made(args: &Args, io: &mut Io<'_, '_>, options: &Options) -> Outcome<String> {
    let image = args.word(0);
    let reference = match Reference::parse(image) {
        Ok(reference) => reference,
        Err(error) if !image.bytes().all(|b| b.is_ascii_hexdigit()) => return failed(args, NOT_MADE, &error),
        Err(_) => Reference { host: "".into(), path: image.into(), tag: "".into(), digest: "".into() },
    };
    let policy = args.get("pull");
    if !matches!(policy, "" | "missing" | "always" | "never") {
        return failed(
            args,
            125,
            &format!("invalid pull option: '{policy}': must be one of \"always\", \"missing\" or \"never\""),
        );
    }
    let platform = args.get("platform");
    if policy == "always"
        && let Err(text) = pull::fetch(io, &reference, platform, args.is("quiet"), true)?
    {
        return failed(args, NOT_MADE, &text);
    }
    if let Err(text) = check::platform(platform)
        && !platform.is_empty()
    {
        return failed(args, 125, &format!("error parsing specified platform: {text}"));
    }
    if args.has("cidfile") {
        let file = args.get("cidfile");
        let folder = file.rsplit_once('/').map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder });
        if !io.sys.files.is_directory(io.sys.cwd, folder) {
            let text = format!("failed to create the container ID file: open {file}: no such file or directory");
            return match args.command.name {
                "container create" => exit_with(1, text),
                _ => failed(args, 125, &text),
            };
        }
    }
    for again in [true, false] {
        let create = request(Method::Post, "/containers/create")
            .with_query("name", args.get("name"))
            .with_query("platform", platform)
            .with_body(options.body.clone());
        let response = io.send(create)?;
        if response.ok() && response.code != 0 {
            let body = rerun::body(&response);
            for warning in body["Warnings"].items() {
                io.err(format!("WARNING: {}\n", warning.str()));
            }
            let id = body["Id"].str().to_string();
            if args.has("cidfile") {
                let (now, cwd) = (io.now(), io.sys.cwd.clone());
                let _ = io.sys.files.write(now, &cwd, args.get("cidfile"), id.as_bytes());
            }
            return Ok(id);
        }
        let text = complaint(&response);
        // Whatever is not found, an image is looked for.
        if response.code != 404 || !again || policy == "never" {
            return failed(args, NOT_MADE, &text);
        }
        let repository = reference.repository();
        let tag =
            if reference.tag.is_empty() { format!("@{}", reference.digest) } else { format!(":{}", reference.tag) };
        if !args.is("quiet") {
            io.err(format!("Unable to find image '{}{tag}' locally\n", familiar(&repository)));
        }
        if let Err(text) = pull::fetch(io, &reference, platform, args.is("quiet"), true)? {
            return failed(args, NOT_MADE, &text);
        }
    }
    failed(args, 125, "no container")
}

pub fn create(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let options = asked_for(args, io, false)?;
    let id = made(args, io, &options)?;
    io.line(id);
    Ok(())
}

/// The request, worked out once: it may publish all ports there are.
fn asked_for(args: &Args, io: &mut Io<'_, '_>, detach: bool) -> Outcome<std::sync::Arc<Options>> {
    let at = match io.made() {
        Ok(options) => return Ok(options),
        Err(at) => at,
    };
    match wanted(args, io, detach) {
        Ok(options) => Ok(io.make(at, options)),
        Err(text) => failed(args, 125, &text),
    }
}

const NO_TERMINAL: &str = "the input device is not a TTY";

fn is_terminal(io: &Io<'_, '_>) -> bool {
    io.sys.terminal.is_some() && io.sys.is_owner_input()
}

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let detach = args.is("detach");
    let (interactive, tty) = (args.is("interactive"), args.is("tty"));
    if interactive && tty && !detach && !is_terminal(io) {
        return exit_with(1, NO_TERMINAL);
    }
    if detach && args.has("attach") {
        return exit_with(1, "conflicting options: cannot specify both --attach and --detach");
    }
    let options = asked_for(args, io, detach)?;
    let id = made(args, io, &options)?;
    let start = request(Method::Post, &format!("/containers/{id}/start"));
    if detach {
        io.line(&id);
        return match ask(io, start)? {
            Ok(_) => Ok(()),
            Err(text) => failed(args, start_code(&text), &text),
        };
    }
    let streams: Vec<String> = args.list("attach").iter().map(|name| name.to_ascii_lowercase()).collect();
    let on = |name: &str| if streams.is_empty() || streams.iter().any(|own| own == name) { "1" } else { "0" };
    let attach = request(Method::Post, &format!("/containers/{id}/attach"))
        .with_query("stream", "1")
        .with_query("detachKeys", args.get("detach-keys"))
        .with_query("stdin", if interactive { "1" } else { "0" })
        .with_query("stdout", on("stdout"))
        .with_query("stderr", on("stderr"));
    let (call, response) = io.open(attach)?;
    if response.stream.is_none() && response.code == 400 {
        return exit_with(1, "unable to upgrade to tcp, received 400");
    }
    if response.stream.is_none() {
        return failed(args, 125, &complaint(&response));
    }
    let condition = if args.is("rm") { "removed" } else { "next-exit" };
    let wait = io.begin(request(Method::Post, &format!("/containers/{id}/wait")).with_query("condition", condition));
    if let Err(text) = ask(io, start)? {
        return failed(args, start_code(&text), &text);
    }
    let proxied = args.get("sig-proxy") != "false";
    converse(io, call, interactive, proxied.then_some(note(&id, call, interactive && tty).as_str()))?;
    ended(io.finish(wait)?)
}

/// Where signals go: to the container, or as bytes to the terminal it has.
pub fn note(id: &str, call: u64, terminal: bool) -> String {
    if terminal { format!("{}{call}", super::TERMINAL) } else { id.to_string() }
}

/// The exit code of what has ended.
fn ended(response: Response) -> Outcome {
    match i32::try_from(rerun::body(&response)["StatusCode"].int()).unwrap_or(1) {
        0 => Ok(()),
        code => Err(Stop::Exit(code)),
    }
}

/// Carries output here and input there until the stream ends.
pub fn converse(io: &mut Io<'_, '_>, call: u64, input: bool, proxied: Option<&str>) -> Outcome {
    io.memory.note = proxied.map(str::to_string);
    let mut input = io.resume(input.into()).is_true();
    let terminal = proxied.is_some_and(|note| note.starts_with(super::TERMINAL));
    io.sys.set_raw(terminal);
    loop {
        match io.hear(&[call], input, None)? {
            Heard::Frame(_, Frame::Data(2, bytes)) => io.err(bytes),
            Heard::Frame(_, Frame::Data(_, bytes)) => io.out(bytes),
            Heard::Frame(_, Frame::End) => {
                io.memory.note = None;
                io.sys.set_raw(false);
                return Ok(());
            }
            Heard::Frame(..) | Heard::Timeout => {}
            Heard::Input(bytes) => io.send_up(call, Frame::Data(0, bytes)),
            Heard::InputEnd if terminal => io.send_up(call, Frame::Data(0, END_OF_INPUT.to_vec())),
            Heard::InputEnd => {
                input = false;
                io.send_up(call, Frame::End);
            }
        }
        io.keep(input.into());
    }
}

pub fn start(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let start = |name: &str| request(Method::Post, &format!("/containers/{name}/start"));
    if args.is("attach") || args.is("interactive") {
        if args.words.len() > 1 {
            return exit_with(1, "you cannot start and attach multiple containers at once");
        }
        let name = args.word(0);
        let container = match ask(io, request(Method::Get, &format!("/containers/{name}/json")))? {
            Ok(container) => container,
            Err(text) => return exit_with(1, text),
        };
        let id = container["Id"].str().to_string();
        let input = args.is("interactive") && container.at(&["Config", "OpenStdin"]).is_true();
        if input && container.at(&["Config", "Tty"]).is_true() && !is_terminal(io) {
            return exit_with(1, NO_TERMINAL);
        }
        let attach = request(Method::Post, &format!("/containers/{id}/attach"))
            .with_query("stream", "1")
            .with_query("detachKeys", args.get("detach-keys"))
            .with_query("stdin", if input { "1" } else { "0" })
            .with_query("stdout", "1")
            .with_query("stderr", "1");
        let (call, _) = io.open(attach)?;
        let condition = if container.at(&["HostConfig", "AutoRemove"]).is_true() { "removed" } else { "next-exit" };
        let wait =
            io.begin(request(Method::Post, &format!("/containers/{id}/wait")).with_query("condition", condition));
        if let Err(text) = ask(io, start(&id))? {
            return exit_with(1, text);
        }
        let terminal = input && container.at(&["Config", "Tty"]).is_true();
        converse(io, call, input, Some(&note(&id, call, terminal)))?;
        return ended(io.finish(wait)?);
    }
    let mut failures = Vec::new();
    let mut names = Vec::new();
    for name in &args.words {
        match ask(io, start(name))? {
            Ok(_) => io.line(name),
            Err(text) => {
                failures.push(Failure::Full(text));
                names.push(name.as_str());
            }
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    failures.push(Failure::Full(format!("Error: failed to start containers: {}", names.join(", "))));
    Err(Stop::Fail(failures, 1))
}

pub fn attach(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let name = args.word(0);
    let container = match ask(io, request(Method::Get, &format!("/containers/{name}/json")))? {
        Ok(container) => container,
        Err(text) => return exit_with(1, text),
    };
    let state = &container["State"];
    let text = match () {
        () if !state["Running"].is_true() => "You cannot attach to a stopped container, start it first",
        () if state["Paused"].is_true() => "You cannot attach to a paused container, unpause it first",
        () if state["Restarting"].is_true() => "You cannot attach to a restarting container, wait until it is running",
        () => "",
    };
    if !text.is_empty() {
        return exit_with(1, text);
    }
    let id = container["Id"].str().to_string();
    let input = !args.is("no-stdin") && container.at(&["Config", "OpenStdin"]).is_true();
    if input && container.at(&["Config", "Tty"]).is_true() && !is_terminal(io) {
        return exit_with(1, NO_TERMINAL);
    }
    let attach = request(Method::Post, &format!("/containers/{id}/attach"))
        .with_query("stream", "1")
        .with_query("detachKeys", args.get("detach-keys"))
        .with_query("stdin", if input { "1" } else { "0" })
        .with_query("stdout", "1")
        .with_query("stderr", "1");
    let (call, _) = io.open(attach)?;
    let wait = io.begin(request(Method::Post, &format!("/containers/{id}/wait")));
    let proxied = args.get("sig-proxy") != "false";
    let terminal = input && container.at(&["Config", "Tty"]).is_true();
    converse(io, call, input, proxied.then_some(note(&id, call, terminal).as_str()))?;
    ended(io.finish(wait)?)
}
