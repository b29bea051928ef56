//! `docker cp`: what is copied takes the name of the target or goes into it, by what stands there.

use super::args::Args;
use super::{complaint, exit_with, must, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::docker::copy::{from_tar, pack, to_tar, unpack};
use crate::map;
use crate::process::clean;
use crate::process::rerun::{self, Io, Outcome};

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
        (false, true) if args.is("follow-link") => {
            let path = format!("/containers/{from}/archive");
            let found = io.send(request(Method::Head, &path).with_query("path", source))?;
            let target_of = rerun::body(&found).at(&["stat", "linkTarget"]).str().to_string();
            out_of(io, from, if target_of.is_empty() { source } else { &target_of }, target)
        }
        (false, true) => out_of(io, from, source, target),
    }
}

/// The folder a path is in, and its last part.
fn parts(path: &str) -> (String, String) {
    let clean = clean("/", path);
    let (folder, name) = clean.rsplit_once('/').unwrap_or(("", &clean));
    (if folder.is_empty() { "/".into() } else { folder.to_string() }, name.to_string())
}

/// What stands at the target already.
struct Place<'a> {
    path: &'a str,
    exists: bool,
    is_directory: bool,
}

/// Into which folder the entries go, and what the root of them is called there.
fn prepared(source: &str, source_is_directory: bool, target: &Place<'_>) -> Result<(String, String), &'static str> {
    let (folder, name) = parts(target.path);
    // The end `/.` means what is in the directory, not the directory.
    let inner = source == "." || source.ends_with("/.");
    match (target.exists, source_is_directory) {
        (true, _) if target.is_directory => {
            Ok((clean("/", target.path), if inner { String::new() } else { parts(source).1 }))
        }
        (true, true) => Err("cannot copy directory"),
        (false, false) if target.path.ends_with(['/']) || target.path.ends_with("/.") => Err("no such directory"),
        _ => Ok((folder, name)),
    }
}

/// Entries below a name.
fn renamed(entries: &Value, name: &str) -> Value {
    let mut all: Vec<Value> = entries.items().to_vec();
    for entry in &mut all {
        let path = entry["path"].str().trim_start_matches('/');
        let path = if name.is_empty() || path.is_empty() { format!("{name}{path}") } else { format!("{name}/{path}") };
        entry.set(&["path"], path);
    }
    all.retain(|entry| !entry["path"].is_empty());
    Value::list(all)
}

fn into(io: &mut Io<'_, '_>, source: &str, container: &str, target: &str) -> Outcome {
    let path = format!("/containers/{container}/archive");
    if target.is_empty() {
        return exit_with(1, "no such directory");
    }
    let target = if target.starts_with('/') { target.to_string() } else { format!("/{target}") };
    let found = io.send(request(Method::Head, &path).with_query("path", target.as_str()))?;
    let exists = found.ok() && found.code != 0;
    let mode = rerun::body(&found).at(&["stat", "mode"]).int();
    let place = Place { path: &target, exists, is_directory: exists && mode & (1 << 31) != 0 };
    let (folder, entries) = if source == "-" {
        if !place.is_directory {
            return exit_with(1, format!("destination \"{container}:{target}\" must be a directory"));
        }
        let text = io.stdin()?;
        if text.is_empty() {
            return Ok(());
        }
        let Some(entries) = from_tar(text.as_bytes()) else {
            let why = if text.len() < 512 { "unexpected EOF" } else { "archive/tar: invalid tar header" };
            return exit_with(1, format!("Error response from daemon: {why}"));
        };
        (target.clone(), entries)
    } else {
        let full = clean(io.sys.cwd, source);
        let Some(entries) = pack(io.sys.files, &full) else {
            return exit_with(1, format!("lstat {full}: no such file or directory"));
        };
        let inner = if source == "." || source.ends_with("/.") { format!("{full}/.") } else { full };
        match prepared(&inner, entries[0]["directory"].is_true(), &place) {
            Ok((folder, name)) => (folder, renamed(&entries, &name)),
            Err(text) => return exit_with(1, text),
        }
    };
    must(io, request(Method::Put, &path).with_query("path", folder).with_body(map! { "entries" => entries }))
        .map(|_| ())
}

fn out_of(io: &mut Io<'_, '_>, container: &str, source: &str, target: &str) -> Outcome {
    let (now, cwd) = (io.now(), io.sys.cwd.clone());
    let full = clean(&cwd, target);
    let (folder, _) = parts(&full);
    if target != "-" && !io.sys.files.is_directory("/", &folder) && io.is_fresh() {
        let folder = super::format::quoted(&folder);
        return exit_with(1, format!("invalid output path: directory {folder} does not exist"));
    }
    let ask = request(Method::Get, &format!("/containers/{container}/archive")).with_query("path", source);
    let response = io.send(ask)?;
    if !response.ok() || response.code == 0 {
        return exit_with(1, complaint(&response));
    }
    let body = rerun::body(&response);
    let entries = &body["entries"];
    if target == "-" {
        io.out(to_tar(entries, &parts(source).1));
        return Ok(());
    }
    let files = &io.sys.files;
    // What the end of the target asserts is kept.
    let path = if target.ends_with('/') { format!("{full}/") } else { full.clone() };
    let place = Place { path: &path, exists: files.exists("/", &full), is_directory: files.is_directory("/", &full) };
    let (folder, name) = match prepared(source, entries[0]["directory"].is_true(), &place) {
        Ok(prepared) => prepared,
        Err(text) => return exit_with(1, text),
    };
    match unpack(io.sys.files, now, &folder, &renamed(entries, &name)) {
        Ok(()) => Ok(()),
        Err(text) => exit_with(1, format!("open {}: {text}", clean(&folder, &name))),
    }
}
