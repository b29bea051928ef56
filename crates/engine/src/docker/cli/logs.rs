//! `docker logs`.

use super::args::Args;
use super::{complaint, exit_with, moment, request};
use crate::base::Value;
use crate::base::http::{Frame, Method};
use crate::process::rerun::{Heard, Io, Outcome};

pub fn logs(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let name = args.word(0);
    let container = super::must(io, request(Method::Get, &format!("/containers/{name}/json")))?;
    let mut ask = request(Method::Get, &format!("/containers/{}/logs", container["Id"].str()))
        .with_query("stdout", "1")
        .with_query("stderr", "1")
        .with_query("tail", if args.has("tail") { args.get("tail") } else { "all" });
    for flag in ["since", "until"] {
        if !args.get(flag).is_empty() {
            match moment(io, args.get(flag)) {
                Ok(at) => ask = ask.with_query(if flag == "since" { "since" } else { "until" }, at),
                Err(why) => return exit_with(1, format!("invalid value for \"{flag}\": {why}")),
            }
        }
    }
    for (flag, key) in [("follow", "follow"), ("timestamps", "timestamps"), ("details", "details")] {
        if args.is(flag) {
            ask = ask.with_query(key, "1");
        }
    }
    let (call, response) = io.open(ask)?;
    if response.stream.is_none() {
        return exit_with(1, complaint(&response));
    }
    io.resume(Value::Null);
    loop {
        match io.hear(&[call], false, None)? {
            Heard::Frame(_, Frame::Data(2, bytes)) => io.err(bytes),
            Heard::Frame(_, Frame::Data(_, bytes)) => io.out(bytes),
            Heard::Frame(_, Frame::End) => return Ok(()),
            _ => {}
        }
        io.keep(Value::Null);
    }
}
