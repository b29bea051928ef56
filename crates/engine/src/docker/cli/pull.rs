//! `docker pull`, and how its progress is shown.

use super::args::Args;
use super::{complaint, exit_with, request};
use crate::base::http::{Frame, Method};
use crate::base::{Value, json};
use crate::docker::images::familiar;
use crate::process::rerun::{Heard, Io, Outcome};
use crate::runtime::Reference;

pub fn pull(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let name = args.word(0);
    let reference = match Reference::parse(name) {
        Ok(reference) => reference,
        Err(error) => return exit_with(1, error),
    };
    let quiet = args.is("quiet");
    let bare = !name.contains('@') && !name.rsplit('/').next().unwrap_or(name).contains(':');
    if args.is("all-tags") {
        if !bare {
            return exit_with(1, "tag can't be used with --all-tags/-a");
        }
        return exit_with(1, crate::base::gap::line("docker pull --all-tags", "name the tags, one pull each"));
    }
    if bare && !quiet {
        io.line("Using default tag: latest");
    }
    if let Err(text) = fetch(io, &reference, args.get("platform"), quiet, false)? {
        return exit_with(1, text);
    }
    io.line(reference.full());
    Ok(())
}

/// Pulls and shows how it goes: on standard output, or for `run` on standard error.
pub fn fetch(
    io: &mut Io<'_, '_>,
    reference: &Reference,
    platform: &str,
    quiet: bool,
    to_err: bool,
) -> Outcome<Result<(), String>> {
    let tag = if reference.tag.is_empty() { &reference.digest } else { &reference.tag };
    let repository = reference.repository();
    let ask = request(Method::Post, "/images/create")
        .with_query("fromImage", familiar(&repository))
        .with_query("tag", tag.as_str())
        .with_query("platform", platform);
    let (call, response) = io.open(ask)?;
    if response.stream.is_none() {
        return Ok(Err(complaint(&response)));
    }
    let terminal = io.sys.terminal.is_some();
    let mut layers: Vec<String> = Vec::new();
    loop {
        let Heard::Frame(_, frame) = io.hear(&[call], false, None)? else { continue };
        let bytes = match frame {
            Frame::Data(_, bytes) => bytes,
            Frame::End => return Ok(Ok(())),
            Frame::Event(_) => continue,
        };
        if quiet {
            continue;
        }
        for line in String::from_utf8_lossy(&bytes).lines() {
            let text = shown(&json::parse(line).unwrap_or_default(), terminal, &mut layers);
            if to_err { io.err(text) } else { io.out(text) }
        }
    }
}

/// One message of a pull. On a terminal every layer has a line of its own that is written over.
fn shown(message: &Value, terminal: bool, layers: &mut Vec<String>) -> String {
    let (id, status, progress) = (message["id"].str(), message["status"].str(), message["progress"].str());
    let start = if id.is_empty() { String::new() } else { format!("{id}: ") };
    if !terminal {
        return if progress.is_empty() { format!("{start}{status}\n") } else { String::new() };
    }
    if id.is_empty() || !message.has("progressDetail") {
        layers.clear();
        return format!("{start}{status}\n");
    }
    let mut out = String::new();
    if !layers.iter().any(|own| own == id) {
        layers.push(id.to_string());
        out.push('\n');
    }
    let up = layers.len() - layers.iter().position(|own| own == id).unwrap_or(0);
    let space = if progress.is_empty() { "" } else { " " };
    out.push_str(&format!("\x1b[{up}A\x1b[2K\r{start}{status}{space}{progress}\r\x1b[{up}B"));
    out
}
