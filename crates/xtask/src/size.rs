//! `cargo xtask size`: the ledger of what a reader downloads (docs/SIZES.md), against the page's budgets.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::{Result, root};

/// What is downloaded: name, which files, budget in bytes after gzip.
const PARTS: [(&str, fn(&str) -> bool, u64); 7] = [
    ("boot and styles", |name| name.ends_with(".css") || name.starts_with("boot") || name.ends_with(".html"), 25_000),
    ("app (wasm and glue)", |name| name.starts_with("drydock-web"), 450_000),
    // Arrive after the page is drawn.
    ("world", |name| name.starts_with("world-"), 925_000),
    ("commands", |name| name.starts_with("commands-"), 395_000),
    ("editor", |name| name == "editor.js", 140_000),
    // Loaded when somebody first types `terraform`.
    ("terraform (on demand)", |name| name.starts_with("terraform-"), 458_000),
    // The sheet of the page asks for 1.5 MB; until it is met this grows with a reason in docs/DECISIONS.md alone.
    ("all of it", |name| name != "THIRD-PARTY.txt", 2_225_000),
];

struct Size {
    raw: u64,
    gz: u64,
    br: Option<u64>,
}

pub fn run(args: &[String]) -> Result<()> {
    let dist = root().join("dist");
    if !dist.exists() {
        crate::build::quietly()?;
    }
    let table = table(&dist)?;
    println!("{table}");
    if args.iter().any(|arg| arg == "--update") {
        let text =
            format!("# Sizes\n\nWhat a reader downloads, in bytes, written by `cargo xtask size --update`.\n\n{table}");
        std::fs::write(root().join("docs/SIZES.md"), text).map_err(|error| format!("docs/SIZES.md: {error}"))?;
    }
    check(&dist)
}

/// Fails when a part is above its budget.
pub fn check(dist: &Path) -> Result<()> {
    for (name, is_part, budget) in PARTS {
        let size = measure(dist, is_part)?;
        if size.gz > budget {
            return Err(format!("{name}: {} bytes after gzip, the budget is {budget}", size.gz));
        }
    }
    Ok(())
}

/// One line for people.
pub fn summary(dist: &Path) -> Result<String> {
    let mut parts = Vec::new();
    for (name, is_part, _) in PARTS {
        parts.push(format!("{name} {} KB gz", measure(dist, is_part)?.gz / 1000));
    }
    Ok(parts.join(", "))
}

fn table(dist: &Path) -> Result<String> {
    let mut text = String::from("| part | raw | gz | br | budget (gz) |\n|---|---|---|---|---|\n");
    for (name, is_part, budget) in PARTS {
        let size = measure(dist, is_part)?;
        let br = size.br.map_or("–".to_string(), |n| n.to_string());
        text += &format!("| {name} | {} | {} | {br} | {budget} |\n", size.raw, size.gz);
    }
    Ok(text)
}

fn measure(dist: &Path, is_part: fn(&str) -> bool) -> Result<Size> {
    let mut size = Size { raw: 0, gz: 0, br: Some(0) };
    for file in crate::build::files(dist)? {
        if !is_part(&file.file_name().unwrap_or_default().to_string_lossy()) {
            continue;
        }
        let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        size.raw += bytes.len() as u64;
        size.gz += squeezed("gzip", &["-9", "-n", "-c"], &bytes).ok_or("gzip does not run")?;
        size.br = size.br.and_then(|sum| Some(sum + squeezed("brotli", &["-q", "11", "-c"], &bytes)?));
    }
    Ok(size)
}

fn squeezed(program: &str, args: &[&str], bytes: &[u8]) -> Option<u64> {
    let mut child = Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some(output.stdout.len() as u64)
}
