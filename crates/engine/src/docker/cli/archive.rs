//! `docker commit`, `save`, `load` and `export`. An archive's file holds a key; its images stay with the Engine.

use super::args::Args;
use super::{exit_with, must, request};
use crate::base::http::Method;
use crate::docker::images::familiar;
use crate::map;
use crate::process::rerun::{Io, Outcome};
use crate::runtime::Reference;

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.name {
        "container commit" => commit(args, io),
        "image save" => save(args, io),
        "container export" => export(args, io),
        _ => load(args, io),
    }
}

fn commit(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut post = request(Method::Post, "/commit").with_query("container", args.word(0));
    if !args.word(1).is_empty() {
        let reference = match Reference::parse(args.word(1)) {
            Ok(reference) => reference,
            Err(error) => return exit_with(1, error),
        };
        let repository = reference.repository();
        post = post.with_query("repo", familiar(&repository)).with_query("tag", reference.tag.as_str());
    }
    for change in args.list("change") {
        post = post.with_query("changes", change.as_str());
    }
    if args.get("pause") == "false" {
        post = post.with_query("pause", "0");
    }
    post = post.with_query("comment", args.get("message")).with_query("author", args.get("author"));
    let made = must(io, post)?;
    io.line(made["Id"].str());
    Ok(())
}

fn save(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let file = args.get("output");
    check_output(io, file, "save image")?;
    if file.is_empty() && io.sys.terminal.is_some() {
        return exit_with(1, "cowardly refusing to save to a terminal. Use the -o flag or redirect");
    }
    let response = io.send(
        request(Method::Get, "/images/get")
            .with_query("names", args.words.join(","))
            .with_query("platform", args.get("platform")),
    )?;
    if !response.ok() || response.code == 0 {
        return exit_with(1, super::complaint(&response));
    }
    let text = super::text_of(&response).to_string();
    if file.is_empty() {
        io.out(text);
        return Ok(());
    }
    write(io, file, text.as_bytes())
}

fn write(io: &mut Io<'_, '_>, file: &str, bytes: &[u8]) -> Outcome {
    let (now, cwd) = (io.now(), io.sys.cwd.clone());
    io.sys
        .files
        .write(now, &cwd, file, bytes)
        .or_else(|error| exit_with(1, format!("open {file}: {}", error.text().to_lowercase())))
}

/// The folder of a file that is to be written must be there.
fn check_output(io: &Io<'_, '_>, file: &str, what: &str) -> Outcome {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    if folder.is_empty() || io.sys.files.is_directory(io.sys.cwd, folder) {
        return Ok(());
    }
    exit_with(1, format!("failed to {what}: invalid output path: stat {folder}: no such file or directory"))
}

fn export(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let file = args.get("output");
    if file.is_empty() && io.sys.terminal.is_some() {
        return exit_with(1, "cowardly refusing to save to a terminal. Use the -o flag or redirect");
    }
    check_output(io, file, "export container")?;
    let found = must(io, request(Method::Get, &format!("/containers/{}/export", args.word(0))))?;
    let bytes = crate::docker::to_tar(&found["entries"], "");
    if file.is_empty() {
        io.out(bytes);
        return Ok(());
    }
    write(io, file, &bytes)
}

fn load(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let file = args.get("input");
    let text = if file.is_empty() {
        if io.sys.is_owner_input() {
            return exit_with(1, "requested load from stdin, but stdin is empty");
        }
        io.stdin()?
    } else {
        match io.sys.files.read_text(io.sys.cwd, file) {
            Ok(text) => text,
            Err(error) => return exit_with(1, format!("open {file}: {}", error.text().to_lowercase())),
        }
    };
    let loaded = must(io, request(Method::Post, "/images/load").with_body(map! { "archive" => text }))?;
    for line in loaded.items() {
        io.line(line.str());
    }
    Ok(())
}
