//! `cargo xtask build`: the page in `dist/`, by Trunk, with a smaller wasm and the editor beside it.

use std::path::{Path, PathBuf};

use crate::run::{Result, root, run, say};
use crate::{parts, tools};

/// What browsers of the last years understand; `--all-features` would make files that they refuse.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-mutable-globals",
];

/// A function stays apart even where only one other calls it: many small frames with the same small offsets come out of
/// gzip shorter than a few large ones, though there is a little more of them before.
const APART: [&str; 2] = ["--one-caller-inline-max-function-size=12", "--always-inline-max-function-size=0"];

/// Functions of one module lie side by side: gzip looks back 32 KB only, and neighbours are alike (2% less).
const ORDER: &str = "--reorder-functions-by-name";

/// The linker lays the stack first: nothing lives at the addresses below 1024.
const LOW: &str = "--low-memory-unused";

/// Builds `dist/`; says where it is.
pub fn quietly() -> Result<PathBuf> {
    let wasm = tools::wasm()?;
    tools::builders(&wasm)?;
    tools::npm("editor")?;
    let root = root();
    say("building the editor");
    run(&mut wasm.command("node", &["editor/build.mjs"]))?;
    say("building the page");
    // Trunk is kept off the network and so is the cargo it starts: what is to be fetched is fetched here, and what is
    // compiled here it finds fresh.
    run(&mut wasm.command(
        "cargo",
        &["build", "--profile", "wasm", "--target", tools::TARGET, "--package", "drydock-web", "--bin", "drydock-web"],
    ))?;
    let staging = root.join("target/dist");
    let mut trunk = wasm.command("trunk", &["build", "--offline", "--dist"]);
    // Trunk says a colour setting it understands only as a word.
    run(trunk.arg(&staging).env_remove("NO_COLOR"))?;
    finish(&wasm, &staging)?;
    let dist = root.join("dist");
    let _ = std::fs::remove_dir_all(&dist);
    std::fs::rename(&staging, &dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    Ok(dist)
}

pub fn build() -> Result<PathBuf> {
    let dist = quietly()?;
    say(&format!("{} is ready: {}", dist.display(), crate::size::summary(&dist)?));
    Ok(dist)
}

/// Shrinks the wasm, lays the editor beside it and tells the page the names of its files.
fn finish(wasm: &tools::Wasm, folder: &Path) -> Result<()> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = find(folder, "_bg.wasm")?;
    say("making the wasm smaller");
    shrink(wasm, &file, &file)?;
    let mut parts = Vec::new();
    for part in &parts::PARTS {
        let file = folder.join(part.name).with_extension("wasm");
        shrink(wasm, &parts::file("wasm", part), &file)?;
        parts.push(format!("\"{}\":\"./{}\"", part.name, name(&with_hash(&file)?)));
    }
    for name in ["editor.js", "THIRD-PARTY.txt"] {
        let from = root().join("target/editor").join(name);
        std::fs::copy(&from, folder.join(name)).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    let glue = find(folder, ".js").map(|_| ()).and_then(|()| find_glue(folder))?;
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |about| about.len());
    let assets = format!(
        "{{\"wasm\":\"./{}\",\"size\":{},\"glue\":\"./{}\",\"editor\":\"./editor.js\",\"parts\":{{{}}}}}",
        name(&file),
        size(&file),
        name(&glue),
        parts.join(",")
    );
    let page = folder.join("index.html");
    let html = std::fs::read_to_string(&page).map_err(|error| format!("{}: {error}", page.display()))?;
    std::fs::write(&page, html.replace("{/*assets*/}", &assets)).map_err(|error| format!("{}: {error}", page.display()))
}

fn shrink(wasm: &tools::Wasm, from: &Path, to: &Path) -> Result<()> {
    let mut optimise = wasm.command("node", &["editor/node_modules/binaryen/bin/wasm-opt", "-Oz", ORDER, LOW]);
    run(optimise.args(APART).args(FEATURES).arg(from).arg("-o").arg(to))
}

/// Puts a digest of the content into the name, as Trunk does: a new build is never mixed with an old one.
fn with_hash(file: &Path) -> Result<PathBuf> {
    let wrong = |error: std::io::Error| format!("{}: {error}", file.display());
    let bytes = std::fs::read(file).map_err(wrong)?;
    let hash = engine::base::chance::hash(bytes.len() as u64, &bytes);
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let named = file.with_file_name(format!("{stem}-{hash:016x}.wasm"));
    std::fs::rename(file, &named).map_err(wrong)?;
    Ok(named)
}

fn find(folder: &Path, ending: &str) -> Result<PathBuf> {
    files(folder)?
        .into_iter()
        .find(|file| file.to_string_lossy().ends_with(ending))
        .ok_or_else(|| format!("{} has no file *{ending}", folder.display()))
}

fn find_glue(folder: &Path) -> Result<PathBuf> {
    files(folder)?
        .into_iter()
        .find(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("drydock-web") && name.ends_with(".js")
        })
        .ok_or_else(|| format!("{} has no glue", folder.display()))
}

/// The files of a folder, by name.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}
