//! Recorded docker sections: folders with `commands.sh` and `expected.txt`, under the rules of their README. Sections
//! of Terraform have the same form and are played the same way; `terraform` compares them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use engine::base::Span;
use engine::cluster::Preset;
use engine::lab::Input;
use engine::process::Pid;
use fancy_regex::{Captures, Regex};

use super::Score;
use super::machine::Machine;
use super::normalise::{Replacements, regex, replaced, replacements};
use super::terraform::Rules;
use crate::run::Result;

pub(super) const FOLDER: &str = "/demo";
pub(super) const PATIENCE: Span = Span::seconds(600);

#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    pub(super) kind: Kind,
    pub(super) command: String,
    pub(super) seconds: f64,
    pub(super) interval: f64,
    pub(super) expected: String,
    pub(super) exit: Option<i64>,
    pub(super) note: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Run,
    Wait,
    Until,
    Background,
    Interrupt,
    Set,
    Sample,
}

impl Step {
    /// Whether an answer is the recorded one, as closely as the note beside it asks; `equal` decides where none does.
    pub(super) fn is_met(&self, recorded: &str, ours: &str, code: i64, equal: impl Fn(&str, &str) -> bool) -> bool {
        let same = match self.note.as_str() {
            "order varies" => words(recorded) == words(ours),
            "varies" => alike(recorded, ours),
            _ => equal(recorded, ours),
        };
        // A command whose output goes into a pipe has the pipe's code.
        same && self.exit.is_none_or(|exit| exit == code)
    }

    /// Both answers, for people.
    pub(super) fn difference(&self, recorded: &str, code: i64, ours: &str) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(", {}", self.note) };
        let exit = self.exit.unwrap_or(0);
        format!("$ {}\n--- recorded (exit {exit}{note})\n{recorded}--- ours (exit {code})\n{ours}", self.command)
    }
}

/// Folders of sections in a folder: itself, or those below it.
pub fn sections(folder: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut all: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        all.sort();
        all
    };
    let has = |path: &Path| path.join("expected.txt").is_file() && path.join("commands.sh").is_file();
    if has(folder) {
        return vec![folder.into()];
    }
    let mut all = Vec::new();
    for path in below(folder) {
        if has(&path) {
            all.push(path);
        } else if path.is_dir() {
            all.extend(below(&path).into_iter().filter(|path| has(path)));
        }
    }
    all
}

/// The folder with answers that `terraform-peer` wrote.
pub(super) const PEER: &str = "terraform-peer";
/// Commands given to a real kubectl with a real API server and its controllers, but no node.
const KUBECTL: &str = "kubectl-peer";

/// What a real program of our version said, where the recording is of an older one that says it otherwise.
pub(super) const NEW: &str = "expected-1.16.txt";

/// The answers of a section.
pub(super) fn expected(folder: &Path) -> PathBuf {
    let new = folder.join(NEW);
    if new.is_file() { new } else { folder.join("expected.txt") }
}

/// Sections of a folder whose names hold the filter.
pub fn scores(folder: &Path, wanted: &super::Wanted) -> Result<Vec<Score>> {
    let mut out = Vec::new();
    for section in sections(folder) {
        let name = section.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let recorded = section.parent().is_some_and(|parent| parent.ends_with("recorded"));
        if section.parent().is_some_and(|parent| parent.ends_with(super::docker_peer::FOLDER_NAME)) {
            let file = format!("{}/{name}", super::docker_peer::FOLDER_NAME);
            if wanted.has(&file) {
                out.push(super::docker_peer::play(&section, file)?);
            }
            continue;
        }
        let terraform = Rules::of(&section, "")?.is_some();
        let peer = section.parent().is_some_and(|parent| parent.ends_with(PEER));
        let file = match (terraform, recorded) {
            _ if peer => format!("{PEER}/{name}"),
            _ if section.parent().is_some_and(|parent| parent.ends_with(KUBECTL)) => format!("{KUBECTL}/{name}"),
            (true, true) => format!("terraform/recorded/{name}"),
            (true, false) => format!("terraform/{name}"),
            _ => format!("docker/{name}"),
        };
        if wanted.has(&file) {
            out.extend(play(&section, file)?);
        }
    }
    Ok(out)
}

pub(super) fn read(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = text.lines();
    let mut open: Option<Step> = None;
    while let Some(line) = lines.next() {
        let begins = open.is_none() || open.as_ref().is_some_and(|step| step.kind == Kind::Sample);
        if begins && let Some(command) = line.strip_prefix("$ ") {
            steps.extend(open.take());
            let mut step = Step { command: command.into(), ..Step::default() };
            if let Some((_, word)) = command.split_once("<<") {
                let word = word.split_whitespace().next().unwrap_or_default().trim_matches('\'').to_string();
                for more in lines.by_ref() {
                    step.command.push('\n');
                    step.command.push_str(more);
                    if more == word {
                        break;
                    }
                }
            }
            open = Some(step);
        } else if begins && let Some(comment) = line.strip_prefix("# ") {
            steps.extend(open.take());
            // In brackets: what the reader is told.
            if comment.starts_with('(') {
                continue;
            }
            let step = said(comment);
            match step.kind {
                Kind::Sample | Kind::Interrupt => open = Some(step),
                _ => steps.push(step),
            }
        } else if let Some(step) = &mut open {
            // Colours may be reset right before it.
            let reset = line.strip_prefix("\x1b[0m").unwrap_or(line);
            let end = reset.strip_prefix("[exit ").and_then(|rest| rest.strip_suffix(']'));
            if let Some(end) = end {
                let (code, note) = end.split_once(", ").unwrap_or((end, ""));
                step.exit = code.parse().ok();
                step.note = note.into();
                steps.extend(open.take());
            } else if step.kind == Kind::Interrupt && step.command.is_empty() && line.starts_with("$ ") {
                step.command = line.trim_start_matches("$ ").into();
            } else if step.kind != Kind::Sample || !line.is_empty() {
                step.expected.push_str(line);
                step.expected.push('\n');
            }
        }
    }
    steps.extend(open);
    steps
}

/// A line that is no command: `wait 3 s`, `every 0.25 s for 5 s, changes only: …`.
fn said(comment: &str) -> Step {
    let number = |text: &str| text.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0.0);
    let after = |mark: &str| comment.split_once(mark).map_or("", |(_, rest)| rest);
    if let Some(rest) = comment.strip_prefix("wait ") {
        return Step { kind: Kind::Wait, seconds: number(rest), ..Step::default() };
    }
    if comment.starts_with("repeat until it succeeds") {
        let (limit, command) = after("at most ").split_once(" s: ").unwrap_or_default();
        return Step { kind: Kind::Until, seconds: number(limit), command: command.into(), ..Step::default() };
    }
    if let Some(command) = comment.strip_prefix("in the background: ") {
        return Step { kind: Kind::Background, command: command.into(), ..Step::default() };
    }
    if comment.starts_with("the command from the background") {
        return Step { kind: Kind::Interrupt, seconds: number(after("at most ")), ..Step::default() };
    }
    if let Some(rest) = comment.strip_prefix("every ") {
        let command = after(": ").to_string();
        return Step {
            kind: Kind::Sample,
            interval: number(rest),
            seconds: number(after(" for ")),
            command,
            ..Step::default()
        };
    }
    let (name, command) = comment.split_once("=$(").unwrap_or((comment, ""));
    let command = command.strip_suffix(')').unwrap_or(command);
    Step { kind: Kind::Set, command: command.into(), note: name.into(), ..Step::default() }
}

pub(super) struct Player {
    pub(super) machine: Machine,
    pub(super) ids: Ids,
    terraform: Option<Rules>,
    /// The recorded side's ids: what a real kubectl said.
    kubectl: Option<Ids>,
}

/// The files a section begins with: names in its folder, and texts.
pub(super) fn files(section: &Path) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for file in files_below(section)? {
        let name = file.strip_prefix(section).unwrap_or(&file).to_string_lossy().into_owned();
        if name != "commands.sh" && !name.starts_with("expected.") && !name.starts_with("expected-") {
            files.push((name, super::read(&file)?));
        }
    }
    Ok(files)
}

/// Those of its folders too; what a run of the real program left hidden is none.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = crate::build::files(folder)?;
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for below in folders {
        if !below.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')) {
            files.extend(files_below(&below)?);
        }
    }
    Ok(files)
}

fn play(folder: &Path, file: String) -> Result<Vec<Score>> {
    let terraform = Rules::of(folder, &file)?;
    let mut player = Player::new(&files(folder)?);
    if file.starts_with(KUBECTL) {
        player.machine.set("KUBECONFIG", "/root/.kube/config");
        player.kubectl = Some(Ids::default());
    }
    let mut score = Score { file, ..Score::default() };
    player.terraform = terraform;
    let mut background = None;
    for step in read(&super::read(&expected(folder))?) {
        match step.kind {
            Kind::Wait => player.machine.pause(step.seconds),
            Kind::Until => {
                let limit = player.machine.lab.now() + Span::seconds_f64(step.seconds);
                while player.command(&step.command).0 != 0 && player.machine.lab.now() < limit {
                    player.machine.pause(0.2);
                }
            }
            Kind::Set => {
                let value = player.command(&step.command).1;
                player.machine.set(&step.note, value.trim_end());
            }
            Kind::Background => background = Some(player.start(&step.command)),
            Kind::Interrupt => {
                let Some(pid) = background.take() else { continue };
                player.machine.wait(pid, Span::seconds_f64(step.seconds));
                if !player.machine.has_ended(pid) {
                    player.machine.lab.station.interrupt_job(pid);
                }
                let said = player.finish(pid);
                player.compare(&step, said, &mut score);
            }
            Kind::Run => {
                let said = player.command(&step.command);
                player.compare(&step, said, &mut score);
            }
            Kind::Sample => {
                let found = player.sample(&step);
                player.compare_samples(&step, &found, &mut score);
            }
        }
    }
    let mut scores = vec![score];
    scores.extend(player.terraform.map(|rules| rules.colours).filter(|colours| colours.total > 0));
    Ok(scores)
}

/// Columns and command of `script -qec "stty cols N; COMMAND" /dev/null`.
fn on_terminal(command: &str) -> Option<(u16, &str)> {
    let inner = command.strip_prefix("script -qec \"stty cols ")?.strip_suffix("\" /dev/null")?;
    let (columns, command) = inner.split_once("; ")?;
    Some((columns.parse().ok()?, command))
}

impl Player {
    /// On a machine of its own, with these files.
    pub(super) fn new(files: &[(String, String)]) -> Player {
        let mut machine = Machine::new(Preset::Bare);
        machine.lab.input(Input::WriteFile { path: format!("{FOLDER}/.keep"), text: String::new() });
        machine.lab.input(Input::RemoveFile { path: format!("{FOLDER}/.keep") });
        for (name, text) in files {
            machine.lab.input(Input::WriteFile { path: format!("{FOLDER}/{name}"), text: text.clone() });
        }
        Player { machine, ids: Ids::default(), terraform: None, kubectl: None }
    }

    pub(super) fn start(&mut self, command: &str) -> Pid {
        let env = self.machine.env(&[("HOME", FOLDER), ("TERM", "dumb")]);
        let lab = &mut self.machine.lab;
        if let Some((columns, command)) = on_terminal(command) {
            lab.station.resize(columns, 24);
            return lab.start_terminal_job(&format!("cd {FOLDER}\n{command}"), env).unwrap_or(0);
        }
        lab.start_job(&format!("cd {FOLDER}\n{command}"), env).unwrap_or(0)
    }

    pub(super) fn command(&mut self, command: &str) -> (i64, String) {
        let pid = self.start(command);
        self.finish(pid)
    }

    fn finish(&mut self, pid: Pid) -> (i64, String) {
        let (code, said) = self.machine.finish(pid, PATIENCE);
        let bytes: Vec<u8> = said.into_iter().flat_map(|output| output.bytes).collect();
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        (code, text)
    }

    fn sample(&mut self, step: &Step) -> Vec<(f64, String)> {
        let start = self.machine.lab.now();
        let mut found: Vec<(f64, String)> = Vec::new();
        let mut due = 0.0;
        while due < step.seconds {
            self.machine.pause(due - (self.machine.lab.now() - start).as_seconds_f64());
            let at = (self.machine.lab.now() - start).as_seconds_f64();
            let text = self.command(&step.command).1;
            let text = self.ids.text(&text);
            if found.last().is_none_or(|(_, last)| *last != text) {
                found.push((at, text));
            }
            due += step.interval;
        }
        found
    }

    fn compare(&mut self, step: &Step, (code, text): (i64, String), score: &mut Score) {
        if let Some(rules) = &mut self.terraform {
            return rules.compare(step, code, &text, score);
        }
        score.total += 1;
        let ours = self.ids.text(&text);
        let (a, b) = match &mut self.kubectl {
            Some(theirs) => {
                let versions = |text: &str| replaced(text, &VERSIONS);
                (versions(&theirs.text(&step.expected)), versions(&ours))
            }
            None => (loose(&step.expected), loose(&ours)),
        };
        if step.is_met(&a, &b, code, |a, b| a == b) {
            score.equal += 1;
        } else {
            score.differences.push(step.difference(&step.expected, code, &ours));
        }
    }

    fn compare_samples(&self, step: &Step, found: &[(f64, String)], score: &mut Score) {
        score.total += 1;
        let mut wanted: Vec<(f64, String)> = Vec::new();
        for line in step.expected.lines() {
            match line.strip_prefix("[+").and_then(|rest| rest.split_once(" s] ")) {
                Some((at, text)) => wanted.push((at.parse().unwrap_or(0.0), format!("{text}\n"))),
                None => {
                    if let Some((_, text)) = wanted.last_mut() {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            }
        }
        // The sequence of states, and roughly when: ages are not states.
        let states = |list: &[(f64, String)]| {
            let mut out: Vec<(f64, String)> = Vec::new();
            for (at, text) in list {
                let text = loose(text);
                if out.last().is_none_or(|(_, last)| *last != text) {
                    out.push((*at, text));
                }
            }
            out
        };
        let (a, b) = (states(&wanted), states(found));
        let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.1 == b.1 && (a.0 - b.0).abs() <= 1.0);
        if same {
            score.equal += 1;
            return;
        }
        let ours: String = found.iter().map(|(at, text)| format!("[+{at:.1} s] {text}")).collect();
        score.differences.push(format!("every: {}\n--- recorded\n{}--- ours\n{ours}", step.command, step.expected));
    }
}

/// Numbers of ids by first appearance, and what else chance and clock decide.
#[derive(Default)]
pub(super) struct Ids(BTreeMap<String, usize>);

impl Ids {
    pub(super) fn text(&mut self, text: &str) -> String {
        static ID: LazyLock<Regex> =
            LazyLock::new(|| regex(r"(?<![0-9a-zA-Z])([0-9a-f]{64}|[0-9a-f]{12})(?![0-9a-zA-Z])"));
        let text = ID.replace_all(text, |m: &Captures<'_>| {
            let found = &m[1];
            let next = self.0.len() + 1;
            let number = *self.0.entry(found[..12].to_string()).or_insert(next);
            let short = format!("{number:012x}");
            if found.len() == 64 { format!("{short}{}", "0".repeat(52)) } else { short }
        });
        replaced(&text, &RULES)
    }
}

/// What counts the writes before, the head of a line of klog, and ages.
static VERSIONS: Replacements = LazyLock::new(|| {
    replacements(&[
        (r#"(resourceVersion\W{1,5})\d+"#, "${1}1"),
        (r"\b([EFIW])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ", "${1}0101 00:00:00.000000 1 "),
        (r"(?m) +\d+[smh](?:\d+[smh])?(?=$| )", " <age>"),
    ])
});

static RULES: Replacements = LazyLock::new(|| {
    replacements(&[
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "00000000-0000-0000-0000-000000000000"),
        (r"\b(?!00:00:00:00:00:00|ff:ff:ff:ff:ff:ff)(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", "02:42:00:00:00:00"),
        (r"\b(?!0001)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "2025-01-01T00:00:00Z"),
        (r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \+0000 UTC", "2025-01-01 00:00:00 +0000 UTC"),
        (r"\b\d{4}/\d\d/\d\d \d\d:\d\d:\d\d", "2025/01/01 00:00:00"),
        (r"\[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d \+0000\]", "[01/Jan/2025:00:00:00 +0000]"),
        (r#""time":\d+"#, "\"time\":1735689600"),
        (r#""timeNano":\d+"#, "\"timeNano\":1735689600000000000"),
        (r#""Pid": ?[1-9]\d*"#, "\"Pid\": 1000"),
        (r"eth0@if\d+", "eth0@if9"),
        (r"\btime=\d+\.\d+ ms", "time=0.100 ms"),
        (r"= \d+\.\d+/\d+\.\d+/\d+\.\d+ ms", "= 0.100/0.100/0.100 ms"),
        (r"\bworkstation\b", "demo"),
        (r"\b6\.12\.0\b", "6.8.0"),
    ])
});

/// What is to be compared loosely: ages and the widths that follow from them, the client's own version.
pub(super) fn loose(text: &str) -> String {
    static RULES: Replacements = LazyLock::new(|| {
        replacements(&[
            (
                r"Less than a second|About a minute|About an hour|\b\d+ (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b",
                "<age>",
            ),
            (r"(?m)^( (?:Version|API version|Go version|Git commit|Built):) +.*$", "$1 <client>"),
            (r"Docker version \S+ build \S+", "Docker version <client>"),
            (r"\b28\.2\.2\b", "28.4.0"),
            (r"\b00000000-0000-0000-0000-\d{12}\b", "<uuid>"),
            (r"  +", "  "),
            (r"(?m) +$", ""),
        ])
    });
    replaced(text, &RULES)
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    words.sort();
    words
}

/// The same shape: most lines of the recording begin as lines of ours do.
fn alike(recorded: &str, ours: &str) -> bool {
    let first = |line: &str| -> String {
        line.split_whitespace().next().unwrap_or_default().chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    let mut rest: Vec<String> = ours.lines().map(first).collect();
    let total = recorded.lines().count();
    let mut met = 0;
    for line in recorded.lines().map(first) {
        if let Some(at) = rest.iter().position(|own| *own == line) {
            rest.swap_remove(at);
            met += 1;
        }
    }
    recorded.is_empty() == ours.is_empty() && met * 3 >= total * 2
}
