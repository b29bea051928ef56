//! `cargo xtask golden`: plays recordings of a real cluster through the engine and compares what was said and done.
//!
//! Works on every folder of the recordings' form: `transcripts/*.jsonl` with `timelines/` of the same names beside it,
//! and files of single requests (`wrong-manifests.jsonl`, `forbidden-updates.jsonl`, `valid-manifests.jsonl`,
//! `template-hashes.jsonl`) at the top; and on folders of sections (`commands.sh`, `expected.txt`) of docker and Terraform.

mod docker;
pub mod docker_peer;
mod events;
mod machine;
mod normalise;
pub mod peer;
mod replay;
mod requests;
mod rollout;
mod simulated;
mod terraform;
mod timeline;
mod transcript;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::run::{Result, root};

use timeline::Timeline;

/// How one file came out.
#[derive(Clone, Debug, Default)]
pub struct Score {
    pub file: String,
    pub equal: usize,
    pub total: usize,
    pub differences: Vec<String>,
    /// Every write of ours, for eyes.
    pub ours: Vec<String>,
}

/// A recorded folder, or the project's own when none is named.
pub fn run(args: &[String]) -> Result<()> {
    let (mut filter, mut json, mut show, mut ours, mut folders) = (String::new(), false, false, false, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--json" => json = true,
            "--update" => return update(),
            "--filter" => filter = args.next().cloned().ok_or("--filter wants a text")?,
            "--show" => {
                filter = args.next().cloned().ok_or("--show wants a file")?;
                show = true;
            }
            "--ours" => ours = true,
            other if other.starts_with('-') => return Err(format!("unknown option {other}")),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    if folders.is_empty() {
        // The project's own copies know what other runs of the real programs said as well.
        folders.extend(own_folders());
        let shared = ["kubernetes", "docker/recorded", "terraform"];
        folders
            .extend(shared.map(|name| root().join("../shared/golden").join(name)).into_iter().filter(|f| f.is_dir()));
    }
    let mut total = Score { file: "total".into(), ..Score::default() };
    let mut wanted = Wanted { filter, played: BTreeSet::new() };
    for folder in folders {
        // The project keeps what it was handed: the same recording counts once.
        let scores = scores(&folder, &wanted)?;
        wanted.played.extend(scores.iter().map(|score| score.file.clone()));
        for score in scores {
            print(&score, json);
            if show {
                score.differences.iter().for_each(|difference| println!("{difference}\n"));
            }
            if ours {
                score.ours.iter().for_each(|line| println!("{line}"));
            }
            total.equal += score.equal;
            total.total += score.total;
        }
    }
    print(&total, json);
    Ok(())
}

/// How much of each of the project's recordings is equal: numbers that may only grow.
fn ledger() -> PathBuf {
    root().join("tests/golden/equal.tsv")
}

fn own_folders() -> impl Iterator<Item = PathBuf> {
    let names = ["kubernetes", "docker", "docker-peer", "kubectl-peer", "terraform", "terraform-peer"];
    names.into_iter().map(|name| root().join("tests/golden").join(name))
}

fn own() -> Result<Vec<Score>> {
    let mut all = Vec::new();
    for folder in own_folders() {
        all.extend(scores(&folder, &Wanted::default())?);
    }
    Ok(all)
}

/// Which files are to be played.
#[derive(Default)]
pub struct Wanted {
    /// Their names hold it.
    pub filter: String,
    pub played: BTreeSet<String>,
}

impl Wanted {
    pub fn has(&self, file: &str) -> bool {
        file.contains(&self.filter) && !self.played.contains(file)
    }
}

fn update() -> Result<()> {
    let lines: String = own()?.iter().map(|s| format!("{}\t{}\t{}\n", s.file, s.equal, s.total)).collect();
    std::fs::write(ledger(), lines).map_err(|error| format!("{}: {error}", ledger().display()))
}

/// Fails when a recording is met less than the ledger says, or more (then the ledger is to be raised).
pub fn check() -> Result<()> {
    let known = read(&ledger())?;
    let mut moved = Vec::new();
    for score in own()? {
        let line = format!("{}\t{}\t{}", score.file, score.equal, score.total);
        if !known.lines().any(|known| known == line) {
            moved.push(line.replace('\t', " "));
        }
    }
    if moved.is_empty() {
        return Ok(());
    }
    Err(format!(
        "recordings are met otherwise than tests/golden/equal.tsv says (`cargo xtask golden --update` when it is more):\n{}",
        moved.join("\n")
    ))
}

fn print(score: &Score, json: bool) {
    if json {
        println!("{}", serde_json::json!({"file": score.file, "equal": score.equal, "total": score.total}));
    } else {
        println!("{:>6} of {:>5}  {}", score.equal, score.total, score.file);
    }
}

/// Every file of a folder that is wanted, in order; stories are played on one cluster.
pub fn scores(folder: &Path, wanted: &Wanted) -> Result<Vec<Score>> {
    if !docker::sections(folder).is_empty() {
        return docker::scores(folder, wanted);
    }
    let mut all = Vec::new();
    let mut last = (String::new(), String::new());
    let mut stories: BTreeMap<String, Vec<replay::Recorded>> = BTreeMap::new();
    for file in files(&folder.join("transcripts")) {
        let name = name(&file);
        let section = transcript::read(&name, &read(&file)?)?;
        let timeline = folder.join("timelines").join(format!("{name}.jsonl"));
        let timeline = if timeline.is_file() { Some(Timeline::read(&name, &read(&timeline)?)?) } else { None };
        // Some scenarios are one story each; of the others every section stands alone.
        let follows = number(&name).is_some_and(|own| number(&last.0).is_some_and(|before| before + 1 == own));
        let story = match section.scenario.as_str() {
            scenario if replay::STORIES.contains(&scenario) => section.scenario.clone(),
            // What it finds was left by the section before it.
            _ if follows && timeline.as_ref().is_some_and(Timeline::finds) => last.1.clone(),
            _ => name.clone(),
        };
        let stands_alone = !stories.contains_key(&story);
        let prelude =
            timeline.as_ref().filter(|timeline| stands_alone && timeline.finds()).and_then(|_| prelude(&name));
        last = (name, story.clone());
        stories.entry(story).or_default().push(replay::Recorded { section, timeline, prelude });
    }
    for (story, sections) in stories {
        // A part of the story's name asks for all of it.
        let whole = story.contains(&wanted.filter) && !sections.iter().all(|s| wanted.played.contains(&s.section.file));
        if whole || sections.iter().any(|s| wanted.has(&s.section.file)) {
            let scores = replay::play(&sections);
            all.extend(scores.into_iter().filter(|score| wanted.has(&score.file)));
        }
    }
    for file in files(folder) {
        if wanted.has(&name(&file))
            && let Some(score) = requests::check(folder, &name(&file), &read(&file)?)?
        {
            all.push(score);
        }
    }
    Ok(all)
}

/// Commands that leave the like of what a section finds, when the section that left it is held back.
fn prelude(name: &str) -> Option<String> {
    let number = name.get(..5)?;
    std::fs::read_to_string(root().join("tests/golden/kubernetes/preludes").join(format!("{number}.sh"))).ok()
}

/// `1203` of `12.03.slug`.
fn number(name: &str) -> Option<u32> {
    let mut parts = name.split('.');
    let (scenario, section) = (parts.next()?, parts.next()?);
    Some(scenario.parse::<u32>().ok()? * 100 + section.parse::<u32>().ok()?)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let all = crate::build::files(folder).unwrap_or_default();
    all.into_iter().filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")).collect()
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
