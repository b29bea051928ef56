//! The scripts of tests/transcripts in wasm: the same text and the same trace as natively.

use std::path::PathBuf;
use std::process::Stdio;

use crate::run::{Result, command, root, run, say};
use crate::{parts, tools};

pub fn check() -> Result<()> {
    let wasm = tools::wasm()?;
    let target = "wasm32-unknown-unknown";
    let args = ["build", "--quiet", "--package", "drydock-transcripts", "--lib", "--target", target];
    run(&mut wasm.command("cargo", &args))?;
    let module = root().join("target").join(target).join("debug/transcripts.wasm");
    let scripts = scripts()?;
    let mut node = command("node", &["crates/transcripts/play.mjs"]);
    node.arg(module)
        .args(parts::PARTS[1..].iter().map(|part| parts::file("debug", part)))
        .args(&scripts)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    let output = node.output().map_err(|error| format!("node: {error}"))?;
    if !output.status.success() {
        return Err(format!("node could not play the scripts ({})", output.status));
    }
    let mut rest = output.stdout.as_slice();
    for file in &scripts {
        let script = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let native = transcripts::play(&script)?;
        let (hash, text) = take(&mut rest).ok_or("node's answer ends early")?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if text != transcripts::shown(&native) {
            return Err(format!("{name} shows another text in wasm:\n{text}"));
        }
        let here = format!("{:016x}", native.hash);
        if hash != here {
            return Err(format!("{name} leaves another trace in wasm: {hash}, natively {here}"));
        }
        say(&format!("{hash} {name}, natively and in wasm"));
    }
    Ok(())
}

/// `HASH BYTES` in a line, then the bytes.
fn take(rest: &mut &[u8]) -> Option<(String, String)> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    let (hash, length) = line.split_once(' ')?;
    let (text, after) = rest[end + 1..].split_at_checked(length.parse().ok()?)?;
    *rest = after;
    Some((hash.to_string(), String::from_utf8_lossy(text).into_owned()))
}

pub fn scripts() -> Result<Vec<PathBuf>> {
    let folder = root().join("tests/transcripts");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut scripts: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    scripts.retain(|path| path.extension().is_some_and(|ending| ending == "sh"));
    scripts.sort();
    Ok(scripts)
}
