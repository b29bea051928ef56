//! `docker cp`.

use super::args::Args;
use super::{exit_with, must, request};
use crate::base::http::Method;
use crate::docker::copy::{pack, unpack};
use crate::map;
use crate::process::clean;
use crate::process::rerun::{Io, Outcome};

/// `web:/etc/x`: container and path; a path of this machine has none.
fn split(text: &str) -> (&str, &str) {
    match text.split_once(':') {
        Some((container, path)) if !text.starts_with(['/', '.']) => (container, path),
        _ => ("", text),
    }
}

pub fn cp(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let ((from, source), (to, target)) = (split(args.word(0)), split(args.word(1)));
    match (from.is_empty(), to.is_empty()) {
        (true, true) => exit_with(1, "must specify at least one container source"),
        (false, false) => exit_with(1, "copying between containers is not supported"),
        (true, false) => into(io, source, to, target),
        (false, true) => out_of(io, from, source, target),
    }
}

fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

fn into(io: &mut Io<'_, '_>, source: &str, container: &str, target: &str) -> Outcome {
    must(io, request(Method::Get, &format!("/containers/{container}/json")))?;
    let full = clean(io.sys.cwd, source);
    let Some(entries) = pack(io.sys.files, &full) else {
        return exit_with(1, format!("lstat {full}: no such file or directory"));
    };
    // The end `/.` means what is in the directory, not the directory.
    let name = if source.ends_with("/.") || source == "." { "" } else { base_name(&full) };
    let target = clean("/", target);
    let put = request(Method::Put, &format!("/containers/{container}/archive"))
        .with_query("path", target)
        .with_body(map! { "name" => name, "entries" => entries });
    must(io, put).map(|_| ())
}

fn out_of(io: &mut Io<'_, '_>, container: &str, source: &str, target: &str) -> Outcome {
    let ask = request(Method::Get, &format!("/containers/{container}/archive")).with_query("path", clean("/", source));
    let response = io.send(ask)?;
    if !response.ok() || response.code == 0 {
        let text = super::complaint(&response).replace(&clean("/", source), source);
        return exit_with(1, text);
    }
    let entries = crate::process::rerun::body(&response)["entries"].clone();
    if target == "-" {
        return exit_with(1, crate::base::gap::line("docker cp to a tar archive", ""));
    }
    let (now, cwd) = (io.now(), io.sys.cwd.clone());
    let mut place = clean(&cwd, target);
    if io.sys.files.is_directory("/", &place) {
        if !source.ends_with("/.") {
            place = format!("{}/{}", place.trim_end_matches('/'), base_name(source));
        }
    } else if target.ends_with('/') {
        return exit_with(1, format!("destination directory \"{place}\" must be a directory that already exists"));
    } else {
        let parent = place.rsplit_once('/').map_or("/", |(parent, _)| if parent.is_empty() { "/" } else { parent });
        if !io.sys.files.is_directory("/", parent) {
            return exit_with(1, format!("invalid output path: directory {} does not exist", super::format::quoted(&clean(&cwd, parent))));
        }
    }
    match unpack(io.sys.files, now, &place, &entries) {
        Ok(()) => Ok(()),
        Err(text) => exit_with(1, format!("open {place}: {text}")),
    }
}
