//! `docker exec`.

use super::args::Args;
use super::options::environment;
use super::run::{converse, note};
use super::{complaint, exit_with, must, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::map;
use crate::process::rerun::{Io, Outcome, Stop};

pub fn exec(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let (interactive, tty, detach) = (args.is("interactive"), args.is("tty"), args.is("detach"));
    let container = args.word(0);
    let env = match environment(args, io, true) {
        Ok(env) => env,
        Err(text) => return exit_with(1, text),
    };
    // The container is looked at first.
    must(io, request(Method::Get, &format!("/containers/{container}/json")))?;
    if tty && interactive && !detach && (io.sys.terminal.is_none() || !io.sys.is_owner_input()) {
        return exit_with(1, "the input device is not a TTY");
    }
    let command: Vec<Value> = args.words.iter().skip(1).map(Value::from).collect();
    let body = map! {
        "AttachStdin" => interactive && !detach, "AttachStdout" => !detach, "AttachStderr" => !detach, "Tty" => tty, "Detach" => detach,
        "Cmd" => command, "Env" => env, "User" => args.get("user"), "WorkingDir" => args.get("workdir"),
        "Privileged" => args.is("privileged"), "DetachKeys" => args.get("detach-keys"),
    };
    let made = must(io, request(Method::Post, &format!("/containers/{container}/exec")).with_body(body))?;
    let id = made["Id"].str().to_string();
    let start =
        request(Method::Post, &format!("/exec/{id}/start")).with_body(map! { "Detach" => detach, "Tty" => tty });
    if detach {
        must(io, start)?;
        return Ok(());
    }
    let (call, response) = io.open(start)?;
    if response.stream.is_none() {
        return exit_with(1, complaint(&response));
    }
    let terminal = (tty && interactive).then(|| note(&id, call, true));
    converse(io, call, interactive, terminal.as_deref())?;
    let end = must(io, request(Method::Get, &format!("/exec/{id}/json")))?;
    match i32::try_from(end["ExitCode"].int()).unwrap_or(1) {
        0 => Ok(()),
        code => Err(Stop::Exit(code)),
    }
}
