//! Plays the sections of a story on one cluster, command by command with the recorded pauses, and compares outputs,
//! exit codes and the writes to every object.

use engine::base::http::{Method, Request, User};
use engine::base::{Span, Time};
use engine::cluster::Preset;
use engine::lab::Input;
use engine::process::{Pid, Stream};
use engine::trace::{Actor, What};

use super::Score;
use super::machine::Machine;
use super::normalise::{Names, Numbers, Renumber, Replacements, replaced, replacements, text as normalised};
use super::timeline::{Timeline, compare};
use super::transcript::{Answer, Kind, Record, Section};

pub struct Recorded {
    pub section: Section,
    pub timeline: Option<Timeline>,
    /// Commands given before, when the sections that left what this one finds are held back.
    pub prelude: Option<String>,
}

/// The longest a recorded command may take on the virtual clock.
const PATIENCE: Span = Span::seconds(3600);

/// Scenarios that are one story, all sections on one cluster.
pub const STORIES: [&str; 4] = ["01", "02", "03", "34"];

/// The scenario on simulated nodes.
const SIMULATED: &str = "08";

/// Commands that took no longer than this did not wait for anything that takes its time.
const QUICK: f64 = 1.0;

/// What a command costs on an idle machine, here as there.
const OWN_COST: f64 = 0.06;

/// How much longer than on an idle machine a recorded command was at it before it said anything to the server.
fn own_cost(record: &Record) -> f64 {
    let waits =
        ["wait", "delete", "rollout", "run ", "exec", "attach", "logs", "drain", "sleep", "debug", "watch", " -w"];
    let quick = record.kind == Kind::Run && record.took <= QUICK && !waits.iter().any(|word| record.cmd.contains(word));
    if quick { (record.took - OWN_COST).max(0.0) } else { 0.0 }
}

/// How long removals are played on after the end.
const TAIL: f64 = 3.0;

struct Player {
    machine: Machine,
    /// Commands in the background of the next section that start in this one, and when; then what was started.
    early: Vec<(f64, String)>,
    started: Vec<(String, Pid)>,
    /// What was made in the sections before: names of ours and theirs, hashes of restarted templates of theirs.
    names: Names,
    theirs: Names,
    restarts: Vec<String>,
    /// The recorded nodes had no kubelet of Kubernetes.
    simulated: bool,
}

struct Said {
    rc: i64,
    stdout: String,
    stderr: String,
}

pub fn play(sections: &[Recorded]) -> Vec<Score> {
    let scenario = sections.first().map(|s| s.section.scenario.clone()).unwrap_or_default();
    let preset = match scenario.as_str() {
        SIMULATED => Preset::BareWorkers,
        "34" => Preset::BareLocalPull,
        _ => Preset::Bare,
    };
    let mut player = Player {
        machine: Machine::new(preset),
        early: Vec::new(),
        started: Vec::new(),
        names: Names::default(),
        theirs: Names::default(),
        restarts: Vec::new(),
        simulated: matches!(preset, Preset::BareWorkers),
    };
    if scenario == SIMULATED {
        player.names.simulated_nodes = true;
        // Set for the whole of that scenario, before its first section.
        (1..=3).for_each(|n| player.machine.set(&format!("N{n}"), &format!("worker-{n}")));
    }
    let next = sections.iter().skip(1).map(Some).chain([None]);
    let with_next = sections.iter().zip(next);
    with_next
        .map(|(recorded, next)| {
            player.early = next.map(|next| early(&recorded.section, &next.section)).unwrap_or_default();
            let score = player.section(recorded, next.is_none());
            if !STORIES.contains(&recorded.section.scenario.as_str()) {
                player.forget_events();
            }
            score
        })
        .collect()
}

/// The commands of the next section that had been started in this one, by this one's clock.
fn early(section: &Section, next: &Section) -> Vec<(f64, String)> {
    let end = section.records.iter().filter_map(|r| Some(r.at? + r.took)).fold(0.0, f64::max);
    let started = next.records.iter().filter(|r| r.kind == Kind::Background && r.at.is_some_and(|at| at < 0.0));
    started.map(|r| (r.at.unwrap_or(0.0) + end, r.cmd.clone())).collect()
}

impl Player {
    fn section(&mut self, recorded: &Recorded, last: bool) -> Score {
        let section = &recorded.section;
        let mut score = Score { file: section.file.clone(), ..Score::default() };
        if let Some(prelude) = &recorded.prelude {
            let (before, start) = (self.machine.lab.trace().last(), self.machine.lab.now());
            self.command(prelude);
            self.names = self.timeline(before, start).names;
            self.forget_events();
        }
        let first_entry = self.machine.lab.trace().last();
        let start = self.machine.lab.now();
        // With the record of the last sample, where one command was tried again and again.
        let mut said: Vec<(&Record, &Record, Vec<Said>)> = Vec::new();
        let mut background: Vec<(usize, Pid)> = Vec::new();
        let mut ended: Option<f64> = None;
        let records = &section.records;
        for (index, record) in records.iter().enumerate() {
            // What has no time of its own starts nothing that has.
            let at = record.at.unwrap_or(f64::NEG_INFINITY);
            while let Some(due) = self.early.iter().position(|(when, _)| *when <= at + 0.02) {
                let (_, command) = self.early.remove(due);
                let pid = self.start(&command);
                self.started.push((command, pid));
            }
            // A command in the background stands where it ended, and started at its own time.
            for (later, other) in records.iter().enumerate().skip(index) {
                let due = other.kind == Kind::Background && !background.iter().any(|(i, _)| *i == later);
                if due && other.at.unwrap_or(0.0) <= at {
                    let before = self.started.iter().position(|(command, _)| *command == other.cmd);
                    let pid = match before {
                        Some(at) => self.started.remove(at).1,
                        None => self.start(&other.cmd),
                    };
                    background.push((later, pid));
                }
            }
            if let (Some(at), Some(ended)) = (record.at, ended)
                && record.kind != Kind::Background
            {
                self.machine.pause(at - ended + own_cost(record));
            }
            self.last_sample(&mut said, Some(record));
            // A command in the background stands where it ended.
            if let (Kind::Background, Some(at), Some(known)) = (record.kind, record.at, ended) {
                self.machine.pause(at + record.took - known);
                ended = Some(known.max(at + record.took));
            }
            match record.kind {
                Kind::File => {
                    self.machine.lab.input(Input::WriteFile { path: record.cmd.clone(), text: record.text.clone() })
                }
                Kind::Wait => self.machine.pause(record.took),
                Kind::Set => {
                    let value = self.command(&record.cmd).stdout.trim_end().to_string();
                    self.machine.set(&record.text, &value);
                }
                Kind::Until => {
                    // The recorder gives up after a time that is not told; it was less than what had passed then.
                    let next = records.iter().skip(index).find_map(|later| later.at);
                    let passed = next.zip(ended).map_or(PATIENCE.as_seconds_f64(), |(next, ended)| next - ended);
                    let limit = self.machine.lab.now() + Span::seconds_f64(passed * 2.0 + 120.0);
                    while self.command(&record.cmd).rc != 0 && self.machine.lab.now() < limit {
                        self.machine.pause(0.2);
                    }
                }
                Kind::Run => said.push((record, record, vec![self.command(&record.cmd)])),
                Kind::Sample => match said.last_mut() {
                    Some((first, last, _)) if first.kind == Kind::Sample && first.cmd == record.cmd => {
                        *last = record;
                        // It is what the recorder did, and takes its time.
                        self.command(&record.cmd);
                    }
                    _ => said.push((record, record, vec![self.command(&record.cmd)])),
                },
                Kind::Background => {
                    if let Some((_, pid)) = background.iter().find(|(i, _)| *i == index) {
                        let pid = *pid;
                        if !self.machine.has_ended(pid) {
                            self.machine.lab.station.interrupt_job(pid);
                        }
                        let answer = self.finish(pid);
                        said.push((record, record, vec![answer]));
                    }
                }
            }
            match record.kind {
                Kind::Background => {}
                // How long the recording was at it is not told; here it has taken its own time.
                Kind::Until | Kind::Set if record.at.is_none() => ended = None,
                _ => ended = record.at.map(|at| at + record.took).or(ended),
            }
        }
        // The recording went on for as long as its last write says.
        if let (Some(theirs), Some(ended)) = (&recorded.timeline, ended) {
            self.machine.pause(theirs.end() - ended);
        }
        self.last_sample(&mut said, None);
        let mut ours = self.timeline(first_entry, start);
        // What was being removed when the recording ended may have come less far in ours: a copy is played on.
        let kept = (!last).then(|| self.machine.lab.clone());
        self.machine.pause(TAIL);
        let later = self.timeline(first_entry, start);
        ours.finish_removals(later);
        if let Some(kept) = kept {
            self.machine.lab = kept;
        }
        for hash in recorded.timeline.iter().flat_map(|theirs| &theirs.names.restarts) {
            if !self.restarts.contains(hash) {
                self.restarts.push(hash.clone());
            }
        }
        self.names = ours.names.clone();
        self.compare(records, &said, &ours.names, &mut score);
        score.ours = ours.lines();
        if let Some(theirs) = &recorded.timeline {
            let mut theirs = theirs.clone();
            let asked: String = records.iter().map(|record| format!("{} {}\n", record.cmd, record.text)).collect();
            theirs.without_strangers(&asked);
            theirs.names.restarts.clone_from(&self.restarts);
            theirs.names.simulated_nodes = self.names.simulated_nodes;
            theirs.names.join(&self.theirs);
            self.theirs.join(&theirs.names);
            if self.simulated {
                theirs.without_kubelets();
                ours.without_kubelets();
            }
            let report = compare(&theirs, &ours);
            score.equal += report.equal;
            score.total += report.total;
            score.differences.extend(report.differences);
        }
        score
    }

    /// A series of samples ends with the next command: what it would say then, told by a copy.
    fn last_sample(&mut self, said: &mut [(&Record, &Record, Vec<Said>)], next: Option<&Record>) {
        let Some((first, _, answers)) = said.last_mut() else { return };
        let goes_on = next.is_some_and(|next| next.kind == Kind::Sample && next.cmd == first.cmd);
        if first.kind == Kind::Sample && answers.len() == 1 && !goes_on {
            let kept = self.machine.clone();
            answers.push(self.command(&first.cmd));
            self.machine = kept;
        }
    }

    /// The recordings begin a section without the events of the ones before.
    fn forget_events(&mut self) {
        let user = User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] };
        let request = Request::new(&user, "kubectl", Method::Delete, "/api/v1/namespaces/default/events");
        self.machine.lab.cluster.handle(Actor::Lab, 0, &request);
    }

    /// A command in a shell of its own, with the variables the section has set.
    fn start(&mut self, command: &str) -> Pid {
        let fixed = [("TERM", "dumb"), ("COLUMNS", "200"), ("TZ", "UTC"), ("LANG", "C.UTF-8")];
        let env = self.machine.env(&fixed);
        // A machine that refuses to start a shell has no exit code either: told as -1.
        self.machine.lab.start_job(command, env).unwrap_or(0)
    }

    fn command(&mut self, command: &str) -> Said {
        let pid = self.start(command);
        self.finish(pid)
    }

    fn finish(&mut self, pid: Pid) -> Said {
        let (rc, said) = self.machine.finish(pid, PATIENCE);
        let mut streams = [Vec::new(), Vec::new()];
        for output in said {
            streams[usize::from(output.stream == Stream::Err)].extend(output.bytes);
        }
        let [stdout, stderr] = streams.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Said { rc, stdout, stderr }
    }

    fn timeline(&self, after: u64, start: Time) -> Timeline {
        let mut timeline = Timeline::default();
        timeline.names = self.names.clone();
        timeline.names.folder = self.machine.lab.station.home().to_string();
        for entry in self.machine.lab.trace().since(after) {
            if let What::Write(write) = &entry.what
                && entry.actor != Actor::Lab
            {
                let t = (entry.at - start).as_seconds_f64();
                let [before, after] = [&write.before, &write.after]
                    .map(|v| serde_json::from_str(&engine::base::json::compact(v)).unwrap_or_default());
                timeline.commit(t, &write.object.resource, &before, &after);
            }
        }
        timeline
    }

    fn compare(&self, records: &[Record], said: &[(&Record, &Record, Vec<Said>)], names: &Names, score: &mut Score) {
        let mut recorded = Names::default();
        recorded.restarts = self.restarts.clone();
        let mut names = names.clone();
        names.asked = records.iter().map(|record| format!("{}{}", record.cmd, record.text)).collect();
        let mut numbers = Numbers::default();
        let (mut theirs, mut mine) = (Renumber::default(), Renumber::default());
        for (record, end, answers) in said {
            score.total += 1;
            // Of a series of samples the first and the last, which are one.
            let compared: Vec<_> = [*record, *end].into_iter().zip(answers).collect();
            let mut all_equal = true;
            for (record, said) in compared {
                let text = normalised(&names, &mut numbers, &format!("{}{}", said.stdout, said.stderr));
                let ours = (said.rc, without_addresses(&names, at_home(&mine.text(&without_contents(&text)))));
                let mut right = |answer: &Answer| {
                    let text = match &answer.norm {
                        Some(norm) => norm.clone(),
                        None => {
                            normalised(&names, &mut Numbers::default(), &format!("{}{}", answer.stdout, answer.stderr))
                        }
                    };
                    let text = recorded.without_restarts(without_contents(&text));
                    let text = at_home(&theirs.text(&without_artefacts(&text)));
                    (answer.rc, without_addresses(&names, text))
                };
                let wanted: Vec<_> = record.answers.iter().map(&mut right).collect();
                let mine = format!("{}{}", said.stdout, said.stderr);
                let by_chance = record.answers.iter().zip(&wanted).any(|(answer, wanted)| {
                    let raw = format!("{}{}", answer.stdout, answer.stderr);
                    wanted.0 == ours.0
                        && (super::events::same_but_for_order((&wanted.1, &raw), (&ours.1, &mine))
                            || super::events::same_list(&wanted.1, &ours.1)
                            || super::events::same_drain(&wanted.1, &ours.1)
                            || super::events::same_environment(&wanted.1, &ours.1)
                            || super::rollout::same_path(&wanted.1, &ours.1))
                });
                let (wanted, ours) = match self.simulated {
                    true => {
                        let words = |(rc, text): (i64, String)| (rc, super::simulated::words(&text));
                        (wanted.into_iter().map(words).collect(), words(ours))
                    }
                    false => (wanted, ours),
                };
                if !wanted.contains(&ours) && !by_chance {
                    all_equal = false;
                    let want = wanted.first().cloned().unwrap_or_default();
                    score.differences.push(format!(
                        "$ {}\n--- recorded (rc {})\n{}--- ours (rc {})\n{}",
                        record.cmd, want.0, want.1, ours.0, ours.1
                    ));
                }
            }
            score.equal += usize::from(all_equal);
        }
    }
}

/// Simulated nodes gave addresses of another kind.
fn without_addresses(names: &Names, text: String) -> String {
    if !names.simulated_nodes {
        return text;
    }
    let is_end = |c: char| !(c.is_ascii_digit() || c == '.');
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = ["<pod-ip-", "<node-ip-", "10.9.", "10.10."].iter().filter_map(|mark| rest.find(mark)).min() {
        out.push_str(&rest[..at]);
        out.push_str("<ip>");
        let tail = &rest[at..];
        let size = if tail.starts_with('<') { tail.find('>').map(|end| end + 1) } else { tail.find(is_end) };
        rest = &tail[size.unwrap_or(tail.len())..];
    }
    out + rest
}

/// The recordings were made in a folder beside the home of their user; ours is at home.
fn at_home(text: &str) -> String {
    text.replace("<cwd>", "~")
}

/// The recorded images had the names of those of the hub, not their contents; and times in the ways of Unix tools.
fn without_contents(text: &str) -> String {
    const PEM: &str = r"(?s)-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----";
    static RULES: Replacements = Replacements::new(|| {
        replacements(&[
            (r"Image size: \d+ bytes", "Image size: <size> bytes"),
            (r"\bsizeBytes: \d+", "sizeBytes: <size>"),
            (r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d+ \d\d:\d\d:\d\d UTC \d{4}", "<t>"),
            (r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d+ +(?:\d\d:\d\d|\d{4})\b", "<t>"),
            (r"(?:.*/docker-entrypoint\.sh: .*\n|.*\d0-[a-z0-9-]+\.sh: info: .*\n)+", "<nginx begins>\n"),
            (r"after \d+ ms: (?:Couldn't|Could not) connect to server", "after <n> ms: Could not connect to server"),
            (PEM, "<pem>"),
        ])
    });
    replaced(text, &RULES)
}

/// Resources of containers without a memory limit say on some recorded kubelets what the kernel takes for none.
fn without_artefacts(text: &str) -> String {
    text.replace("resources:\n  limits:\n  memory: 9007199254740988Ki\n", "resources: {}\n")
}
