//! One Lab and its pace. Commands come in as values; each frame moves the world within a budget, so that a long way is
//! cut into frames and can be stopped.

use std::collections::VecDeque;

use engine::base::{BTreeMap, BTreeSet};

use engine::api::object;
use engine::base::{Span, Time, Value};
use engine::lab::{Input, Lab, Obstacle, Reached};
use engine::process::Pid;
use engine::scenario::Scenario;
use engine::store::Key;
use engine::trace::{ObjectRef, Trace, What};

use super::keep::{self, Kept};
use super::pace::{Aim, Pace};
use super::roster::{self, Roster};
use super::screen::Screen;
use super::sides;
use super::story::{Story, is_system_namespace};
use super::view::View;
use crate::browser::wall_clock;
use crate::side;

/// Wall milliseconds a frame may spend on the simulation.
const BUDGET: f64 = 8.0;
/// The same while inputs are played again and nobody looks.
const LARGE_BUDGET: f64 = 50.0;
/// Wall milliseconds of simulation that are played again at most.
const MOST_WORK: f64 = 20_000.0;
/// Steps that may still be due at an instant before an input at it.
const MOST_DUE: u64 = 100_000;
/// Steps between two looks at the clock.
const STEPS: u64 = 8;
/// What a step is.
const SECOND: Span = Span::seconds(1);
/// How far "next event" and "to convergence" go at most.
const FAR: Span = Span::seconds(600);

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Enter(String),
    /// Lines that were pasted: each is entered when the shell or a program waits for one.
    EnterAll(Vec<String>),
    /// Ctrl+C, with what had been typed.
    Interrupt(String),
    EndOfInput,
    ClearScreen,
    /// Columns and rows of the terminal.
    Resize(u16, u16),
    Save {
        path: String,
        text: String,
    },
    Remove(String),
    SetPaused(bool),
    SetSpeed(u32),
    Step,
    NextEvent,
    Converge,
    Stop,
    /// Applies the manifests and the configuration of the home directory at one instant.
    ApplyBoth,
    /// Kills a container of each side.
    KillBoth,
}

/// What the person should be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    Returned(i32),
    Converged,
    GaveUp,
    NothingToConverge,
}

pub struct Session {
    lab: Lab,
    pub scenario: &'static Scenario,
    pub pace: Pace,
    pub screen: Screen,
    pub story: Story,
    /// Steps of the scenario that have been done.
    pub done: BTreeSet<usize>,
    /// How many lines had been entered when a step was first open.
    open_since: BTreeMap<usize, usize>,
    pub notice: Option<Notice>,
    /// Counts up when the screen changed.
    pub screen_version: u64,
    /// The terminal's columns and rows, as the world knows them.
    size: (u16, u16),
    lines: Vec<String>,
    last_frame: f64,
    /// While the clock stands, a command lets it run until the prompt is back.
    until_prompt: bool,
    /// The trace entry up to which notices and steps have been looked at, and the commands told as ended and converged.
    looked_at: u64,
    told: (usize, usize),
    /// Inputs still to be played again, with their instants; what is done meanwhile waits.
    again: VecDeque<(Time, Input)>,
    later: Vec<Command>,
    /// Whether the clock stands once they have been played.
    paused_then: bool,
    /// Wall milliseconds that the simulation took so far.
    work: f64,
    pasted: VecDeque<String>,
    /// Commands beside the prompt, with the blocks that show what they say.
    jobs: Vec<(Pid, u64)>,
    /// Blocks of commands that have not begun yet, oldest first.
    announced: VecDeque<u64>,
    /// The configuration that was counted last, and what it declares.
    declared: (String, Option<i64>),
    /// What Terraform's state knew of docker's containers, from when on, and the mark it was read at.
    pub managed: Vec<sides::Managed>,
    state_mark: u64,
    /// The Pod that was found not to be as it should.
    awaited: Option<Key>,
}

impl Session {
    pub fn new(scenario: &'static Scenario) -> Session {
        let mut lab = Lab::with(scenario.setup(), side::programs());
        if scenario.is_compared() {
            side::prepare();
        }
        for file in scenario.files {
            lab.input(Input::WriteFile { path: file.path.into(), text: file.text.into() });
        }
        let mut story = Story::default();
        story.skip(lab.trace());
        Session {
            lab,
            scenario,
            pace: Pace::default(),
            screen: Screen::default(),
            story,
            done: BTreeSet::new(),
            open_since: BTreeMap::new(),
            notice: None,
            screen_version: 0,
            size: (0, 0),
            lines: Vec::new(),
            last_frame: wall_clock(),
            until_prompt: false,
            looked_at: 0,
            told: (0, 0),
            again: VecDeque::new(),
            later: Vec::new(),
            paused_then: true,
            work: 0.0,
            pasted: VecDeque::new(),
            jobs: Vec::new(),
            announced: VecDeque::new(),
            declared: Default::default(),
            managed: Vec::new(),
            state_mark: 0,
            awaited: None,
        }
    }

    pub fn now(&self) -> Time {
        self.lab.now()
    }

    pub fn started(&self) -> Time {
        self.lab.recording().setup.start
    }

    /// The prompt, when the shell waits for a line.
    pub fn prompt(&self) -> Option<&str> {
        self.lab.station.prompt()
    }

    pub fn complete(&mut self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        self.lab.complete(line, cursor)
    }

    pub fn history(&self) -> &[String] {
        self.lab.station.history()
    }

    /// Whether a command waits for Terraform's module, and the clock with it.
    pub fn is_held(&self) -> bool {
        self.lab.is_held()
    }

    /// Changes whenever the world did.
    pub fn version(&self) -> u64 {
        self.lab.trace().last()
    }

    pub fn trace(&self) -> &Trace {
        self.lab.trace()
    }

    /// The cluster at an instant; at present without one.
    pub fn view(&self, at: Option<Time>) -> View {
        View::of(&|resource| self.objects(resource, at))
    }

    pub fn objects(&self, resource: &str, at: Option<Time>) -> Vec<Value> {
        match at {
            Some(at) => self.lab.objects_at(resource, at),
            None => self.lab.objects(resource),
        }
    }

    /// One object, at present.
    pub fn object(&self, resource: &str, namespace: &str, name: &str) -> Option<Value> {
        let key = Key { resource: resource.into(), namespace: namespace.into(), name: name.into() };
        self.lab.cluster.server.store.get(&key).cloned()
    }

    /// What is not there (any more) at an instant: when it went, and as it was last. Nothing when it never was.
    pub fn last_of(&self, object: &ObjectRef, at: Option<Time>) -> Option<(Time, Value)> {
        let entries = self.trace().entries().rev().filter(|entry| at.is_none_or(|at| entry.at <= at));
        let mut last = entries.filter_map(|entry| match &entry.what {
            What::Write(write) if write.object.uid == object.uid && write.object.resource == object.resource => {
                Some((entry.at, write))
            }
            _ => None,
        });
        last.next().filter(|(_, write)| write.after.is_null()).map(|(at, write)| (at, write.before.clone()))
    }

    /// Whether somebody has entered a command.
    pub fn is_touched(&self) -> bool {
        !self.lines.is_empty()
    }

    /// The earliest instant that can be looked at.
    pub fn remembered_from(&self) -> Time {
        self.lab.remembered_from()
    }

    /// Whether commands have run and nothing they asked for is still open, as far as the commands tell.
    pub fn is_settled(&self) -> bool {
        !self.story.runs.is_empty() && !self.story.is_converging() && self.prompt().is_some()
    }

    /// Whether everything that is wanted is so.
    fn is_true(&mut self) -> bool {
        !self.story.is_converging() && self.prompt().is_some() && !self.lab.has_obstacles(&mut self.awaited)
    }

    /// What is not as it is wanted, at present.
    pub fn obstacles(&self) -> Vec<Obstacle> {
        self.lab.obstacles()
    }

    /// The first command of which something is not yet true.
    pub fn open_command(&self) -> Option<&str> {
        self.story.runs.iter().find(|run| run.wrote && run.converged.is_none()).map(|run| run.line.as_str())
    }

    /// Files of the home directory, by name.
    pub fn files(&self) -> Vec<String> {
        let station = &self.lab.station;
        let names = station.files.list(station.home(), ".").unwrap_or_default();
        names.into_iter().filter(|name| is_manifest(name) || is_configuration(name)).collect()
    }

    pub fn read_file(&self, path: &str) -> Option<String> {
        self.lab.station.files.read_text(self.lab.station.home(), path).ok()
    }

    /// The command that applies a file: a manifest on its own, a configuration with its folder, which may have to be
    /// initialised first.
    pub fn apply_line(&self, path: &str) -> String {
        if !is_configuration(path) {
            return format!("kubectl apply -f {}", quoted(path));
        }
        let apply = "terraform apply -auto-approve";
        let needs = self.read_file(path).is_some_and(|text| text.contains("required_providers"));
        if needs && self.read_file(".terraform.lock.hcl").is_none() {
            format!("terraform init && {apply}")
        } else {
            apply.into()
        }
    }

    /// Commands that tell what an apply of the home directory would change.
    pub fn plan_lines(&self) -> Vec<String> {
        let files = self.files();
        let manifests = files.iter().filter(|name| is_manifest(name)).map(|name| format!(" -f {}", quoted(name)));
        let manifests: String = manifests.collect();
        let diff = (!manifests.is_empty()).then(|| format!("kubectl diff{manifests}"));
        let plan = files.iter().find(|name| is_configuration(name));
        let plan = plan.map(|name| self.apply_line(name).replace("apply -auto-approve", "plan"));
        diff.into_iter().chain(plan).collect()
    }

    /// The objects that came of what was done.
    pub fn roster(&self, at: Option<Time>) -> Roster {
        roster::roster(&|resource| self.objects(resource, at), self.started())
    }

    /// The same up to an instant, where another way may be taken.
    pub fn fork(&self, at: Time) -> Session {
        let inputs = self.own_inputs().iter().take_while(|(when, _)| *when <= at).cloned().collect();
        let mut fresh = Session::new(self.scenario);
        fresh.pace.speed = self.pace.speed;
        fresh.play_again(inputs, at, true);
        fresh
    }

    /// As it was when it was kept, once it has been played again.
    pub fn restored(scenario: &'static Scenario, kept: &Kept) -> Session {
        let mut fresh = Session::new(scenario);
        fresh.pace.set_speed(kept.speed.clamp(1, 1000));
        (fresh.done, fresh.open_since) = (kept.done.clone(), kept.open_since.clone());
        fresh.play_again(kept.inputs.iter().cloned().collect(), kept.until, kept.paused);
        fresh
    }

    fn play_again(&mut self, inputs: VecDeque<(Time, Input)>, until: Time, paused_then: bool) {
        self.pace.paused = true;
        self.pace.aim = Some(Aim::Again { limit: until });
        (self.again, self.paused_then) = (inputs, paused_then);
    }

    pub fn is_playing_again(&self) -> bool {
        matches!(self.pace.aim, Some(Aim::Again { .. }))
    }

    /// Inputs after the files of the scenario.
    fn own_inputs(&self) -> &[(Time, Input)] {
        self.lab.recording().inputs.get(self.scenario.files.len()..).unwrap_or_default()
    }

    /// How many inputs there have been.
    pub fn inputs(&self) -> usize {
        self.own_inputs().len()
    }

    /// As a text to be kept; nothing when it is too much to be played again.
    pub fn keep(&self, files: Vec<(String, String)>) -> Option<String> {
        let kept = Kept {
            scenario: self.scenario.id.into(),
            until: self.now(),
            paused: self.pace.paused,
            speed: self.pace.speed,
            done: self.done.clone(),
            open_since: self.open_since.clone(),
            inputs: self.own_inputs().to_vec(),
            files,
        };
        if self.work > MOST_WORK { None } else { keep::encode(&kept, &given(self.scenario)) }
    }

    pub fn act(&mut self, command: Command) {
        let is_of_page = matches!(command, Command::Stop | Command::SetSpeed(_) | Command::ClearScreen);
        if self.is_playing_again() && !is_of_page {
            self.later.push(command);
            return;
        }
        match command {
            Command::Enter(line) => self.enter(line),
            Command::EnterAll(lines) => {
                self.pasted.extend(lines);
                self.enter_pasted();
            }
            Command::Interrupt(typed) => {
                self.pasted.clear();
                self.interrupt(&typed);
                self.until_prompt = self.pace.paused;
            }
            Command::EndOfInput => self.put(Input::EndOfInput),
            Command::ClearScreen => self.screen.clear(),
            Command::Save { path, text } => self.put(Input::WriteFile { path, text }),
            Command::Remove(path) => self.put(Input::RemoveFile { path }),
            Command::Resize(columns, rows) if self.size == (columns, rows) => {}
            Command::Resize(columns, rows) => {
                self.size = (columns, rows);
                self.put(Input::Resize { columns, rows });
            }
            Command::SetPaused(paused) => {
                self.pace.paused = paused;
                self.pace.aim = None;
                self.until_prompt = false;
            }
            Command::SetSpeed(speed) => self.pace.set_speed(speed),
            Command::Step => {
                self.pace.paused = true;
                self.pace.aim = Some(Aim::Instant { limit: self.now() + SECOND });
            }
            Command::NextEvent => {
                self.pace.paused = true;
                self.pace.aim = Some(Aim::NextEvent { after: self.story.last(), limit: self.now() + FAR });
            }
            Command::Converge if self.is_true() => self.notice = Some(Notice::NothingToConverge),
            Command::Converge => self.pace.aim = Some(Aim::Convergence { limit: self.now() + FAR }),
            Command::Stop if self.is_playing_again() => self.played_again(),
            Command::Stop => self.pace.aim = None,
            Command::ApplyBoth => self.apply_both(),
            Command::KillBoth => self.kill_both(),
        }
        self.collect();
    }

    /// An input comes after everything else that is due at its instant: so it will be when it is played again.
    fn put(&mut self, input: Input) {
        if !self.lab.is_held() {
            self.lab.advance(self.now(), MOST_DUE);
        }
        self.lab.input(input);
    }

    /// The end of what was played again, or of the wish to.
    fn played_again(&mut self) {
        self.again.clear();
        (self.pace.aim, self.pace.paused) = (None, self.paused_then);
        for command in std::mem::take(&mut self.later) {
            self.act(command);
        }
    }

    fn enter(&mut self, line: String) {
        match self.prompt().map(str::to_string) {
            Some(prompt) => {
                self.check_steps();
                self.screen.enter(self.lab.now(), &prompt, &line);
                self.lines.push(line.trim().to_string());
                self.until_prompt = self.pace.paused;
            }
            None => self.screen.write(format!("{line}\n").as_bytes()),
        }
        self.screen_version += 1;
        self.put(Input::Line(line));
    }

    /// As terminals show it: what was typed stays, with `^C` behind it.
    fn interrupt(&mut self, typed: &str) {
        let shown = format!("{typed}^C");
        match self.prompt().map(str::to_string) {
            Some(prompt) => self.screen.enter(self.lab.now(), &prompt, &shown),
            None => self.screen.write(format!("{shown}\n").as_bytes()),
        }
        self.screen_version += 1;
        self.put(Input::Interrupt);
    }

    fn apply_both(&mut self) {
        let files = self.files();
        let manifests = files.iter().filter(|name| name.ends_with(".yaml")).map(|name| format!(" -f {}", quoted(name)));
        let manifests: String = manifests.collect();
        let mut lines = Vec::new();
        if !manifests.is_empty() {
            lines.push(format!("kubectl apply{manifests}"));
        }
        lines.extend(files.iter().find(|name| is_configuration(name)).map(|name| self.apply_line(name)));
        lines.into_iter().for_each(|line| self.begin_job(line));
        self.until_prompt = self.pace.paused;
    }

    fn begin_job(&mut self, line: String) {
        let prompt = self.prompt().unwrap_or_default().to_string();
        self.check_steps();
        self.screen.enter(self.lab.now(), &prompt, &line);
        self.screen_version += 1;
        self.announced.push_back(self.screen.newest());
        self.lines.push(line.clone());
        self.put(Input::Job(line));
    }

    fn kill_both(&mut self) {
        let pods = self.lab.objects("pods");
        let runs = |pod: &Value| {
            pod["status"]["containerStatuses"].items().iter().any(|container| container["state"].has("running"))
        };
        let pod = pods.iter().find(|pod| !is_system_namespace(object::namespace(pod)) && runs(pod));
        if let Some(pod) = pod {
            self.put(Input::Kill(format!("pod/{}/{}", object::namespace(pod), object::name(pod))));
        }
        if let Some(name) = self.lab.managed_containers().into_iter().next() {
            self.put(Input::Kill(format!("container/{name}")));
        }
    }

    /// How many objects the configuration declares, once Terraform is there.
    pub fn declared(&mut self) -> Option<i64> {
        let names = self.files().into_iter().filter(|name| is_configuration(name));
        let texts: Vec<(String, String)> =
            names.filter_map(|name| self.read_file(&name).map(|text| (name, text))).collect();
        let all: String = texts.iter().map(|(name, text)| format!("{name}\n{text}\n")).collect();
        if all.is_empty() {
            return None;
        }
        if self.declared.0 != all || self.declared.1.is_none() {
            self.declared = (all, side::declared(&texts).map(|kinds| sides::count(&kinds)));
        }
        self.declared.1
    }

    /// Whether a command runs beside the prompt.
    pub fn has_jobs(&self) -> bool {
        self.lab.has_jobs()
    }

    fn enter_pasted(&mut self) {
        while self.prompt().is_some() || self.lab.station.wants_input() {
            let Some(line) = self.pasted.pop_front() else { return };
            self.enter(line);
        }
    }

    /// Lets the time of a frame pass.
    pub fn frame(&mut self) {
        let wall = wall_clock();
        let millis = std::mem::replace(&mut self.last_frame, wall);
        let millis = wall - millis;
        let end = wall + if self.is_playing_again() { LARGE_BUDGET } else { BUDGET };
        if self.lab.is_held() {
            // Looks whether the program is there by now.
            self.lab.advance(self.now(), 0);
        }
        match self.pace.aim {
            _ if self.lab.is_held() => {}
            Some(aim) => self.pursue(aim, end),
            None if self.pace.paused && !self.until_prompt => {}
            None => {
                let from = self.now();
                let speed = if self.pace.paused { Pace::default().ask(millis) } else { self.pace.ask(millis) };
                let target = from + speed;
                while self.lab.advance(target, STEPS) == Reached::Budget && wall_clock() < end {}
                self.pace.measured(millis, self.now() - from);
            }
        }
        self.work += wall_clock() - wall;
        self.collect();
        self.enter_pasted();
        if self.until_prompt && self.prompt().is_some() && !self.has_jobs() {
            self.until_prompt = false;
        }
    }

    fn pursue(&mut self, aim: Aim, end: f64) {
        let limit = aim.limit();
        while wall_clock() < end && !self.lab.is_held() {
            let target = match aim {
                Aim::Again { .. } => self.again.front().map_or(limit, |(at, _)| *at),
                Aim::Instant { .. } => limit,
                Aim::NextEvent { .. } | Aim::Convergence { .. } => {
                    self.story.follow(self.lab.trace());
                    let met = match aim {
                        Aim::NextEvent { after, .. } => self.story.last() > after,
                        _ => self.is_true(),
                    };
                    if met {
                        self.pace.aim = None;
                        // A command that has just converged is told instead.
                        if !matches!(aim, Aim::NextEvent { .. }) {
                            self.notice = Some(Notice::NothingToConverge);
                        }
                        return;
                    }
                    if self.lab.next_at().is_some_and(|next| next <= limit) {
                        self.lab.step();
                        continue;
                    }
                    limit
                }
            };
            if self.lab.advance(target, STEPS) != Reached::Time {
                continue;
            }
            if let Aim::Again { .. } = aim {
                match self.again.pop_front() {
                    Some((_, input)) => {
                        self.repeat(input);
                        continue;
                    }
                    None => return self.played_again(),
                }
            }
            self.pace.aim = None;
            self.notice = match aim {
                Aim::Convergence { .. } => Some(Notice::GaveUp),
                Aim::NextEvent { .. } => Some(Notice::NothingToConverge),
                _ => None,
            };
            return;
        }
    }

    fn repeat(&mut self, input: Input) {
        self.collect();
        match input {
            Input::Line(line) => self.enter(line),
            Input::Interrupt => self.interrupt(""),
            Input::Job(line) => self.begin_job(line),
            input => self.put(input),
        }
        self.until_prompt = false;
    }

    /// Takes in what the world has to say.
    fn collect(&mut self) {
        for pid in self.lab.take_started() {
            self.jobs.extend(self.announced.pop_front().map(|block| (pid, block)));
        }
        for output in self.lab.take_output() {
            let block = self.jobs.iter().find(|(pid, _)| *pid == output.job).map(|(_, block)| *block);
            self.screen.aim(block);
            self.screen.write(&output.bytes);
            self.screen_version += 1;
        }
        self.screen.aim(None);
        for notice in self.lab.take_notices() {
            self.screen.write(format!("\x1b[2m{notice}\x1b[0m\n").as_bytes());
            self.screen_version += 1;
        }
        self.story.follow(self.lab.trace());
        if self.looked_at == self.version() {
            return;
        }
        self.looked_at = self.version();
        let new = self.story.marks.iter().rev().take_while(|mark| mark.seq > self.state_mark);
        let state = new.clone().find(|mark| mark.detail.starts_with(sides::STATE)).map(|mark| mark.at);
        self.state_mark = self.story.last();
        if let Some(at) = state {
            self.managed.push((at, self.lab.state_containers()));
        }
        let told = (self.ended(), self.converged());
        if self.is_playing_again() {
            self.told = told;
        }
        if told.0 > self.told.0 {
            let last = self.story.runs.iter().rev().find_map(|run| run.returned);
            self.notice = last.map(|(_, _, code)| Notice::Returned(code));
        }
        if told.1 > self.told.1 {
            self.notice = Some(Notice::Converged);
        }
        self.told = told;
    }

    /// Looks which steps of the scenario have been done.
    pub fn check_steps(&mut self) {
        for (index, step) in self.scenario.steps.iter().enumerate() {
            if self.done.contains(&index) || !self.scenario.is_open(index, &|at| self.done.contains(&at)) {
                continue;
            }
            let first = *self.open_since.entry(index).or_insert(self.lines.len());
            let lines = self.lines.get(first..).unwrap_or_default();
            if step.check.holds(&|resource| self.lab.objects(resource), lines) {
                self.done.insert(index);
            }
        }
    }

    fn ended(&self) -> usize {
        self.story.runs.iter().filter(|run| run.returned.is_some()).count()
    }

    fn converged(&self) -> usize {
        self.story.runs.iter().filter(|run| run.converged.is_some()).count()
    }
}

/// A session that was kept, if that is what the text is.
pub fn kept(text: &str) -> Option<(&'static Scenario, Kept)> {
    let kept = keep::decode(text, |id| Scenario::find(id).map(given))?;
    Some((Scenario::find(&kept.scenario)?, kept))
}

/// The files of a scenario.
fn given(scenario: &'static Scenario) -> Vec<(&'static str, &'static str)> {
    scenario.files.iter().map(|file| (file.path, file.text)).collect()
}

/// Whether a file is for kubectl.
pub fn is_manifest(path: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a file is for Terraform.
pub fn is_configuration(path: &str) -> bool {
    path.ends_with(".tf")
}

/// A path as a word of the shell.
fn quoted(path: &str) -> String {
    let is_plain = path.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    if is_plain { path.to_string() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
