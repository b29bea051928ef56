//! `cargo xtask test`: everything that must hold, in the order in which a fault shows soonest.

use std::time::Instant;

use crate::run::{Result, command, root, run, say};
use crate::tools;

/// Parts by name: what a developer may run alone.
const PARTS: [(&str, fn() -> Result<()>); 7] = [
    ("fmt", fmt),
    ("clippy", clippy),
    ("native", native),
    ("golden", crate::golden::check),
    ("wasm", crate::in_wasm::check),
    ("page", page),
    ("browser", browser),
];

pub fn test(args: &[String]) -> Result<()> {
    if let Some(unknown) = args.iter().find(|arg| !PARTS.iter().any(|(name, _)| name == arg)) {
        return Err(format!("no such part: {unknown} (fmt, clippy, native, golden, wasm, page, browser)"));
    }
    for (name, part) in PARTS.iter().filter(|(name, _)| args.is_empty() || args.iter().any(|arg| arg == name)) {
        let start = Instant::now();
        say(&format!("{name} …"));
        part()?;
        say(&format!("{name} is good ({} s)", start.elapsed().as_secs()));
    }
    Ok(())
}

fn fmt() -> Result<()> {
    run(&mut command("cargo", &["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    run(&mut command("cargo", &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn native() -> Result<()> {
    let nextest = ["nextest", "run", "--workspace", "--exclude", "drydock-web"];
    let plain = ["test", "--workspace", "--exclude", "drydock-web"];
    let args: &[&str] = if tools::has_nextest() { &nextest } else { &plain };
    run(&mut command("cargo", args))
}

fn page() -> Result<()> {
    let dist = crate::build::build()?;
    crate::size::check(&dist)
}

fn browser() -> Result<()> {
    let chromium = tools::chromium()?;
    tools::npm("tests/browser")?;
    let dist = root().join("dist");
    if !dist.exists() {
        crate::build::quietly()?;
    }
    let port = crate::serve::in_background(dist)?;
    let mut node = command("node", &["--test", "--test-reporter=spec", "--test-concurrency=1", "tests/browser/"]);
    node.env("DRYDOCK_URL", format!("http://127.0.0.1:{port}/")).env("CHROMIUM", chromium);
    run(&mut node)
}
