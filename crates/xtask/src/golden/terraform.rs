//! Recorded Terraform sections: what is compared, under the rules of their READMEs. The recordings are of 1.11.4; where
//! 1.16 is known to say it otherwise, the recorded text is read as 1.16 would have said it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

use fancy_regex::{Captures, Regex};

use super::Score;
use super::docker::{NEW, Step, expected, loose, read};
use super::normalise::{Replacements, regex, replaced, replacements};
use crate::run::Result;

/// How the steps of one section are compared.
pub struct Rules {
    /// Theirs is of our version, and every byte counts.
    exact: bool,
    /// Nothing of the section shows colours: it was recorded, or cleaned, without.
    plain: bool,
    /// What the steps look like with colours, where that is recorded too.
    coloured: Option<Vec<Step>>,
    at: usize,
    pub colours: Score,
    /// Commands, by their number, whose recorded answer was decided not to hold.
    decided: Vec<usize>,
    number: usize,
    /// Recorded ids and ours, both ways.
    theirs: BTreeMap<String, String>,
    ours: BTreeMap<String, String>,
}

impl Rules {
    /// `None` for a section without Terraform.
    pub fn of(folder: &Path, file: &str) -> Result<Option<Rules>> {
        let new = folder.join(NEW).is_file();
        let expected = super::read(&expected(folder))?;
        if !expected.lines().any(|line| line.starts_with("$ terraform") || line.contains("; terraform ")) {
            return Ok(None);
        }
        let ansi = folder.join(if new { "expected-1.16.ansi.txt" } else { "expected.ansi.txt" });
        let coloured = if ansi.is_file() { Some(read(&super::read(&ansi)?)) } else { None };
        Ok(Some(Rules {
            exact: file.starts_with(super::docker::PEER) || new || expected.contains("1.16.4"),
            plain: coloured.is_some() || !expected.contains('\x1b') && !expected.contains("-no-color"),
            coloured,
            at: 0,
            colours: Score { file: format!("{file} (colours)"), ..Score::default() },
            decided: decided(folder)?,
            number: 0,
            theirs: BTreeMap::new(),
            ours: BTreeMap::new(),
        }))
    }

    /// For answers of a real Terraform of our version.
    pub fn exact() -> Rules {
        Rules {
            exact: true,
            plain: false,
            coloured: None,
            at: 0,
            colours: Score::default(),
            decided: Vec::new(),
            number: 0,
            theirs: BTreeMap::new(),
            ours: BTreeMap::new(),
        }
    }

    pub fn compare(&mut self, step: &Step, code: i64, text: &str, score: &mut Score) {
        self.number += 1;
        let shown = if self.plain { without_colours(text) } else { text.to_string() };
        let same = self.same(step, code, &shown);
        if self.decided.contains(&self.number) {
            // A list that only shrinks.
            if same {
                score.total += 1;
                score.differences.push(format!("$ {}\nis equal: not to be in decided.tsv any more\n", step.command));
            }
            return;
        }
        score.total += 1;
        if same {
            score.equal += 1;
        } else {
            score.differences.push(told(step, code, &shown, self.exact));
        }
        let Some(steps) = &self.coloured else { return };
        // Only what shows colours is recorded with them.
        let same = |other: &&Step| other.command == step.command;
        let Some(coloured) = steps.get(self.at).filter(same).cloned() else { return };
        self.at += 1;
        self.colours.total += 1;
        if self.same(&coloured, code, text) {
            self.colours.equal += 1;
        } else {
            self.colours.differences.push(told(&coloured, code, text, self.exact));
        }
    }

    fn same(&mut self, step: &Step, code: i64, ours: &str) -> bool {
        let is_terraform = step.command.contains("terraform");
        let tidy = |text: &str| if is_terraform { text.to_string() } else { loose(text) };
        let theirs = if self.exact { step.expected.clone() } else { as_new(&step.expected) };
        // Some errors are told twice by ours.
        let (theirs, ours) = if self.exact { (leveled(&theirs), leveled(ours)) } else { (theirs, ours.to_string()) };
        let (theirs, ours) = (rings(&theirs), rings(&ours));
        let ours = ours.as_str();
        let shown = |text: &str| {
            let text = sets(&normal(&tidy(text), self.exact));
            without_ids(&if self.exact { text } else { styled(&text) })
        };
        let ((a, a_ids), (b, b_ids)) = (shown(&theirs), shown(ours));
        let known = !step.note.is_empty() || self.same_ids(&a_ids, &b_ids);
        known
            && step.is_met(&a, &b, code, |a, b| {
                a == b || !self.exact && (reworded(&step.command, a, b) || rounded(a, b) || suggested(a, b))
            })
    }

    /// Every id of ours stands for one of theirs, all through the section.
    fn same_ids(&mut self, theirs: &[String], ours: &[String]) -> bool {
        if theirs.len() != ours.len() {
            return false;
        }
        let mut same = true;
        for (a, b) in theirs.iter().zip(ours) {
            same &= self.theirs.get(a).is_none_or(|known| known == b);
            same &= self.ours.get(b).is_none_or(|known| known == a);
            self.theirs.insert(a.clone(), b.clone());
            self.ours.insert(b.clone(), a.clone());
        }
        same
    }
}

/// Numbers of the commands in a section's `decided.tsv` (number, command, why the recorded answer does not hold).
fn decided(folder: &Path) -> Result<Vec<usize>> {
    let file = folder.join("decided.tsv");
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let number = |line: &str| line.split('\t').next().and_then(|word| word.parse().ok());
    super::read(&file)?.lines().map(|line| number(line).ok_or(format!("{}: {line}", file.display()))).collect()
}

fn told(step: &Step, code: i64, ours: &str, exact: bool) -> String {
    if exact {
        let shown = |text: &str| sets(&normal(&rings(&leveled(text)), true));
        return step.difference(&shown(&step.expected), code, &shown(ours));
    }
    step.difference(&as_new(&step.expected), code, &normal(ours, false))
}

fn without_colours(text: &str) -> String {
    static COLOURS: OnceLock<Regex> = OnceLock::new();
    COLOURS.get_or_init(|| regex(r"\x1b\[[0-9;]*m")).replace_all(text, "").into_owned()
}

/// Colours by what they make of each character: where they are reset matters to nobody, and has moved since 1.11.
fn styled(text: &str) -> String {
    let (mut out, mut now, mut shown) = (String::new(), String::new(), String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((codes, tail)) = rest.strip_prefix("\x1b[").and_then(|rest| rest.split_once('m')) {
            if codes == "0" {
                now.clear();
            } else if !now.split(';').any(|known| known == codes) {
                now = if now.is_empty() { codes.into() } else { format!("{now};{codes}") };
            }
            rest = tail;
            continue;
        }
        if c != '\n' && c != ' ' && now != shown {
            out.push_str(&format!("\x1b[{}m", if now.is_empty() { "0" } else { &now }));
            shown.clone_from(&now);
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Members of cycles in one line, as 1.11 told them: which order they come in is chance.
fn rings(text: &str) -> String {
    static RING: OnceLock<Regex> = OnceLock::new();
    let ring = RING.get_or_init(|| {
        regex(r"Cycle:((?:\n(?:\x1b\[[0-9;]*m)*(?:│(?:\x1b\[[0-9;]*m)* (?:\x1b\[[0-9;]*m)*)?  [^\n]+)+)")
    });
    let line = |m: &Captures<'_>| {
        let reset = if m[1].ends_with("\x1b[0m") { "\x1b[0m" } else { "" };
        let bare = without_colours(&m[1]);
        let names: Vec<&str> =
            bare.lines().map(|line| line.trim_matches(['│', ' '])).filter(|name| !name.is_empty()).collect();
        format!("Cycle: {}{reset}", names.join(", "))
    };
    ring.replace_all(text, line).into_owned()
}

/// Where 1.16 and the recordings part, as neither says it: cycles, boxes told twice, serial numbers.
fn leveled(text: &str) -> String {
    static RULES: Replacements = LazyLock::new(|| {
        replacements(&[
            // How often the state was written in between is chance.
            (r#"\x22serial\x22: \d+"#, "\"serial\": 0"),
            (r"(?s)((?:\x1b\[[0-9;]*m)*╷(?:(?!╵).)*Self-referential block(?:(?!╵).)*╵(?:\x1b\[[0-9;]*m)*\n)\1", "${1}"),
        ])
    });
    results_in_order(&replaced(text, &RULES))
}

/// Results of checks in the state come in the order of a map, which is chance.
fn results_in_order(text: &str) -> String {
    static RESULTS: OnceLock<Regex> = OnceLock::new();
    let results = RESULTS.get_or_init(|| regex(r"(?s)\x22check_results\x22: (\[.*?\n  \])"));
    let sorted = |m: &Captures<'_>| {
        let Ok(serde_json::Value::Array(mut all)) = serde_json::from_str(&m[1]) else { return m[0].to_string() };
        for one in &mut all {
            if let Some(objects) = one["objects"].as_array_mut() {
                objects.sort_by_key(|object| object["object_addr"].to_string());
            }
        }
        all.sort_by_key(|one| one["config_addr"].to_string());
        format!("\"check_results\": {}", serde_json::Value::Array(all))
    };
    results.replace_all(text, sorted).into_owned()
}

/// A text of 1.11.4 as 1.16.4 says it.
fn as_new(text: &str) -> String {
    static RULES: Replacements = LazyLock::new(|| {
        replacements(&[
            (r"(?<![\d.])1\.11\.4\b", "1.16.4"),
            (r"(?<![\dm])(\d)s elapsed\]", "00m0${1}s elapsed]"),
            (r"(?<![\dm])(\d\d)s elapsed\]", "00m${1}s elapsed]"),
            (r"(?<!\d)(\d)m(\d)s elapsed\]", "0${1}m0${2}s elapsed]"),
            (r"(?<!\d)(\d)m(\d\d)s elapsed\]", "0${1}m${2}s elapsed]"),
            // The colour of the last word ends before its line does.
            (r"(complete! Resources: [^\n]*)\n\x1b\[0m(?=\n?$)", "${1}\x1b[0m"),
        ])
    });
    replaced(text, &RULES)
}

/// Without what chance and clock decide; without the traces of the mirror the recorded provider came from.
pub fn normal(text: &str, exact: bool) -> String {
    static RULES: Replacements = LazyLock::new(|| {
        replacements(&[
            (
                r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
                "00000000-0000-0000-0000-000000000000",
            ),
            (r"\r\n", "\n"),
            (r"\b(?!0001)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)", "2025-01-01T00:00:00Z"),
            (r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \+0000 UTC", "2025-01-01 00:00:00 +0000 UTC"),
            (r"\(deposed object [0-9a-f]{8}\)", "(deposed object 00000000)"),
            (r#""deposed": "[0-9a-f]{8}""#, "\"deposed\": \"00000000\""),
            (r"h1:[A-Za-z0-9+/=]{43}=", "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            (r"(?m)^\s*\x22zh:[0-9a-f]{64}\x22,\n", ""),
            (r"(Who: +)\S+", "${1}user@demo"),
            (r"terraform\.tfstate\.\d+\.backup", "terraform.tfstate.1735689600.backup"),
            (r"after [01]s\b", "after 0s"),
            (r#"elapsed_seconds":\d+"#, "elapsed_seconds\":0"),
            (r"\b327[67]\d\b", "32768"),
            (r"\b(?!00:00:00:00:00:00|ff:ff:ff:ff:ff:ff)(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", "02:42:00:00:00:00"),
            (r"\((?:unauthenticated|self-signed, key ID \w+|signed by HashiCorp)\)", "(signed)"),
            (r"Partner and community providers are signed[^\n]*\n[^\n]*\n[^\n]*\n", ""),
            (r"(?s)\n+Warning: Incomplete lock file information for providers\n.*?platform to generate\)\n", "\n"),
        ])
    });
    let text = replaced(text, &RULES);
    // Sections of `init` are parted by an empty line since 1.12.
    if !exact && text.contains("Initializing the backend...") {
        return text.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("{line}\n")).collect();
    }
    text
}

/// Puts what has no order in the real program in one: runs of progress lines, boxes, members of a cycle.
fn sets(text: &str) -> String {
    static PROGRESS: OnceLock<Regex> = OnceLock::new();
    let progress = PROGRESS.get_or_init(|| {
        regex(
            r"^(?:\x1b\[[0-9;]*m)*(?:[\w.\[\]-]|\x22[^\x22]*\x22)+(?: \(deposed object \w+\))?: (?:Refreshing state|Creating|Creation complete|Destroying|Destruction complete|Modifying|Modifications complete|Reading|Read complete|Still |Importing|Import prepared|Provisioning|Preparing import)|^\{.*\x22(?:hook|change)\x22:",
        )
    });
    let mut out: Vec<String> = Vec::new();
    let mut run: Vec<(String, String)> = Vec::new();
    let flush = |run: &mut Vec<(String, String)>, out: &mut Vec<String>| {
        run.sort();
        out.extend(run.drain(..).map(|(_, line)| line));
    };
    for line in text.lines() {
        if progress.is_match(line).unwrap_or(false) {
            run.push((without_ids(&without_colours(line)).0, line.to_string()));
            continue;
        }
        flush(&mut run, &mut out);
        out.push(match line.split_once("Cycle: ").filter(|(head, _)| head.contains("Error: ")) {
            Some((head, members)) => {
                let end = members.find('\x1b').unwrap_or(members.len());
                let (members, tail) = members.split_at(end);
                let mut members: Vec<&str> = members.split(", ").collect();
                members.sort_unstable();
                format!("{head}Cycle: {}{tail}", members.join(", "))
            }
            None => line.to_string(),
        });
    }
    flush(&mut run, &mut out);
    boxes(&out.join("\n")) + "\n"
}

/// Sorts neighbouring boxes.
fn boxes(text: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut run: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let bare = without_colours(line);
        if let Some(found) = &mut open {
            found.push('\n');
            found.push_str(line);
            if bare == "╵" {
                run.extend(open.take());
            }
        } else if bare.ends_with('╷') {
            open = Some(line.to_string());
        } else {
            run.sort_by_key(|text| without_colours(text));
            out.append(&mut run);
            out.push(line.to_string());
        }
    }
    run.sort_by_key(|text| without_colours(text));
    out.append(&mut run);
    out.extend(open);
    out.join("\n")
}

/// A text with its ids taken out, and the ids in order, without what follows their first twelve digits.
fn without_ids(text: &str) -> (String, Vec<String>) {
    static ID: OnceLock<Regex> = OnceLock::new();
    let id = ID.get_or_init(|| {
        regex(
            r"(?<![0-9a-zA-Z-])([0-9a-f]{64}(?![0-9a-f])|(?!000000000000\b(?!0))[0-9a-f]{12}(?![0-9a-zA-Z]))|(?<![0-9.])(172\.\d+\.0\.\d+)(?![0-9.])",
        )
    });
    let mut found = Vec::new();
    let text = id.replace_all(text, |m: &Captures<'_>| {
        // Which of several containers gets which address is chance.
        if let Some(address) = m.get(2) {
            found.push(address.as_str().to_string());
            return "<address>".to_string();
        }
        found.push(m[1][..12].to_string());
        if m[1].len() == 64 { "<id>" } else { "<short id>" }.to_string()
    });
    (text.into_owned(), found)
}

/// The same but for a second: what is told is the rounded end less the rounded start.
fn rounded(recorded: &str, ours: &str) -> bool {
    static SPAN: OnceLock<Regex> = OnceLock::new();
    let span = SPAN.get_or_init(|| regex(r"complete after (\d+)s"));
    let spans = |text: &str| -> Vec<i64> {
        span.captures_iter(text).flatten().filter_map(|found| found.get(1)?.as_str().parse().ok()).collect()
    };
    let (a, b) = (spans(recorded), spans(ours));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1)
        && span.replace_all(recorded, "") == span.replace_all(ours, "")
}

/// The same but for the name that is suggested: the first of those near enough, in the order of a map of the real one.
fn suggested(recorded: &str, ours: &str) -> bool {
    static NAMES: OnceLock<Regex> = OnceLock::new();
    let names = NAMES.get_or_init(|| regex(r#"named "(\w+)" is not expected here\. Did you mean "(\w+)"\?"#));
    let near = |text: &str| names.captures_iter(text).flatten().all(|found| distance(&found[1], &found[2]) < 3);
    let without = |text: &str| names.replace_all(text, "").into_owned();
    near(recorded) && near(ours) && without(recorded) == without(ours)
}

/// How many letters of `a` are changed, left out or added in `b`.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let changed = before + usize::from(x != y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The same words where 1.16 says more, or puts into a box what 1.11 said plainly.
fn reworded(command: &str, recorded: &str, ours: &str) -> bool {
    static MORE: OnceLock<Regex> = OnceLock::new();
    let more = MORE.get_or_init(|| regex(r", but have [^.;:]*"));
    let flow = |text: &str| without_colours(text).replace(['╷', '│', '╵'], " ");
    let boxed = ["state", "taint", "untaint", "import", "workspace", "force-unlock"];
    let ours = flow(ours);
    if words_in_order(&ours).contains(", but have ") {
        let ours = more.replace_all(&words_in_order(&ours), "").into_owned();
        return ours == more.replace_all(&words_in_order(&flow(recorded)), "");
    }
    if ours.contains("Error: ") && command.split_whitespace().any(|word| boxed.contains(&word)) {
        let bare = |text: &str| words_in_order(text).replace("Error: ", "");
        return bare(&ours) == bare(&flow(recorded));
    }
    false
}

fn words_in_order(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
