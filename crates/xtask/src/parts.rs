//! The parts of the page that arrive after it, and what is in them: `cargo xtask parts`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::run::{Result, root};
use crate::split::{self, Part};
use crate::tools::TARGET;

/// What arrives after the page, in this order. Whoever calls a gate asks `web::parts` before.
pub const PARTS: [Part; 3] = [
    Part {
        name: "world",
        gates: &[
            "engine::lab::Lab::with",
            "engine::lab::Lab::input",
            "engine::lab::Lab::advance",
            "engine::lab::Lab::step",
            "engine::lab::Lab::complete",
            "engine::lab::check::check",
            "drydock_web::lab::bench::run",
        ],
    },
    Part {
        name: "commands",
        gates: &[
            "engine::kubectl::program",
            "engine::docker::cli::program",
            "engine::lab::complete_kubectl",
            "engine::lab::complete_docker",
        ],
    },
    Part {
        name: "terraform",
        gates: &[
            "engine::terraform::program",
            "engine::terraform::examine::examine",
            "engine::terraform::examine::count",
        ],
    },
];

fn folder(profile: &str) -> PathBuf {
    root().join("target").join(TARGET).join(profile).join("parts")
}

/// Where a part stands after the page (or what plays the transcripts) was compiled.
pub fn file(profile: &str, part: &Part) -> PathBuf {
    folder(profile).join(part.name).with_extension("wasm")
}

/// Which parts a program is cut into, by its crate.
pub fn of(args: &[String]) -> Option<&'static [Part]> {
    match after(args, "--crate-name")? {
        "drydock_web" => Some(&PARTS),
        "transcripts" => Some(&PARTS[1..]),
        _ => None,
    }
}

/// Changes with the gates: the program is compiled anew then, to be cut anew.
pub fn digest() -> String {
    let all: String = PARTS.iter().flat_map(|part| [part.name].into_iter().chain(part.gates.iter().copied())).collect();
    format!("{:016x}", engine::base::chance::hash(0, all.as_bytes()))
}

fn after<'a>(args: &'a [String], name: &str) -> Option<&'a str> {
    args.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1].as_str())
}

/// Cuts the program the compiler has just made, told by its arguments, and leaves the first part in its place.
pub fn cut(args: &[String], parts: &[Part]) -> Result<()> {
    let extra = args.iter().find_map(|arg| arg.split_once("extra-filename=").map(|(_, extra)| extra));
    let place = PathBuf::from(after(args, "--out-dir").unwrap_or_default());
    let name = format!("{}{}.wasm", after(args, "--crate-name").unwrap_or_default(), extra.unwrap_or_default());
    let program = place.join(name);
    let folder = place.parent().unwrap_or(&place).join("parts");
    let bytes = std::fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    let write = |path: PathBuf, bytes: &[u8]| {
        std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    write(folder.join("whole.wasm"), &bytes)?;
    let mut modules = split::split(&bytes, parts)?.into_iter();
    write(program, &modules.next().unwrap_or_default())?;
    parts
        .iter()
        .zip(modules)
        .try_for_each(|(part, module)| write(folder.join(part.name).with_extension("wasm"), &module))
}

/// What the parts are made of, by modules of the source: before gzip, and before the optimiser.
pub fn run(args: &[String]) -> Result<()> {
    let whole = folder("wasm").join("whole.wasm");
    let bytes = std::fs::read(&whole).map_err(|_| "first: cargo xtask build".to_string())?;
    if let Some(name) = args.first() {
        split::why(&bytes, &PARTS, name)?.iter().for_each(|line| println!("{line}"));
        return Ok(());
    }
    let mut sums: BTreeMap<(u8, String), (usize, usize)> = BTreeMap::new();
    for (name, size, part) in split::census(&bytes, &PARTS)? {
        let sum = sums.entry((part, group(&name))).or_default();
        *sum = (sum.0 + size, sum.1 + 1);
    }
    let mut sums: Vec<_> = sums.into_iter().filter(|(_, (size, _))| *size >= 4000).collect();
    sums.sort_by_key(|((part, _), (size, _))| (*part, std::cmp::Reverse(*size)));
    for ((part, name), (size, count)) in sums {
        let part = usize::from(part).checked_sub(1).map_or("page", |index| PARTS[index].name);
        println!("{part:<10} {size:>8} bytes {count:>5} {name}");
    }
    Ok(())
}

/// `engine::kubectl` of whatever stands in there; the crate of what is not ours.
fn group(name: &str) -> String {
    let ours = ["engine::", "drydock_web::"].iter().filter_map(|own| name.find(own)).min();
    let words: Vec<&str> = name[ours.unwrap_or(0)..].split("::").collect();
    let depth = match (ours, words.get(1)) {
        (None, _) => 1,
        (_, Some(&"api")) => 3,
        _ => 2,
    };
    match words.get(..depth.min(words.len())) {
        Some(words) if !name.is_empty() => words.join("::"),
        _ => "(data)".into(),
    }
}
