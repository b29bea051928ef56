//! One Lab and its pace. Commands come in as values; each frame moves the world within a budget, so that a long way is
//! cut into frames and can be stopped.

use engine::base::BTreeSet;

use engine::base::{Span, Time, Value};
use engine::lab::{Input, Lab, Reached};
use engine::scenario::Scenario;

use super::pace::{Aim, Pace};
use super::screen::Screen;
use super::story::Story;
use super::view::View;
use crate::browser::wall_clock;

/// Wall milliseconds a frame may spend on the simulation.
const BUDGET: f64 = 8.0;
/// Steps between two looks at the clock.
const STEPS: u64 = 48;
/// How far "next event" and "to convergence" go at most.
const FAR: Span = Span::seconds(600);

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Enter(String),
    Interrupt,
    EndOfInput,
    ClearScreen,
    Save { path: String, text: String },
    SetPaused(bool),
    SetSpeed(u32),
    Step,
    NextEvent,
    Converge,
    Stop,
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
    pub notice: Option<Notice>,
    /// Counts up when the screen changed.
    pub screen_version: u64,
    lines: Vec<String>,
    last_frame: f64,
    /// While the clock stands, a command lets it run until the prompt is back.
    until_prompt: bool,
    /// The trace entry up to which notices and steps have been looked at, and the commands told as ended and converged.
    looked_at: u64,
    told: (usize, usize),
}

impl Session {
    pub fn new(scenario: &'static Scenario) -> Session {
        let mut lab = Lab::new(scenario.setup());
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
            notice: None,
            screen_version: 0,
            lines: Vec::new(),
            last_frame: wall_clock(),
            until_prompt: false,
            looked_at: 0,
            told: (0, 0),
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

    pub fn complete(&self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        self.lab.station.complete(line, cursor)
    }

    pub fn history(&self) -> &[String] {
        self.lab.station.history()
    }

    /// Changes whenever the world did.
    pub fn version(&self) -> u64 {
        self.lab.trace().last()
    }

    pub fn view(&self) -> View {
        View::of(&self.lab)
    }

    pub fn objects(&self, resource: &str) -> Vec<Value> {
        self.lab.objects(resource)
    }

    pub fn act(&mut self, command: Command) {
        match command {
            Command::Enter(line) => self.enter(line),
            Command::Interrupt => {
                if self.prompt().is_none() {
                    self.screen.write(b"^C\n");
                }
                self.lab.input(Input::Interrupt);
                self.until_prompt = self.pace.paused;
            }
            Command::EndOfInput => self.lab.input(Input::EndOfInput),
            Command::ClearScreen => self.screen.clear(),
            Command::Save { path, text } => self.lab.input(Input::WriteFile { path, text }),
            Command::SetPaused(paused) => {
                self.pace.paused = paused;
                self.pace.aim = None;
                self.until_prompt = false;
            }
            Command::SetSpeed(speed) => self.pace.set_speed(speed),
            Command::Step => {
                self.pace.paused = true;
                self.pace.aim = None;
                self.lab.step();
            }
            Command::NextEvent => {
                self.pace.paused = true;
                self.pace.aim = Some(Aim::NextEvent { after: self.story.last(), limit: self.now() + FAR });
            }
            Command::Converge if self.story.is_converging() || self.prompt().is_none() => {
                self.pace.aim = Some(Aim::Convergence { limit: self.now() + FAR });
            }
            Command::Converge => self.notice = Some(Notice::NothingToConverge),
            Command::Stop => self.pace.aim = None,
        }
        self.collect();
    }

    fn enter(&mut self, line: String) {
        match self.prompt().map(str::to_string) {
            Some(prompt) => {
                self.screen.enter(&prompt, &line);
                self.lines.push(line.trim().to_string());
                self.until_prompt = self.pace.paused;
            }
            None => self.screen.write(format!("{line}\n").as_bytes()),
        }
        self.screen_version += 1;
        self.lab.input(Input::Line(line));
    }

    /// Lets the time of a frame pass.
    pub fn frame(&mut self) {
        let wall = wall_clock();
        let millis = std::mem::replace(&mut self.last_frame, wall);
        let millis = wall - millis;
        let end = wall + BUDGET;
        match self.pace.aim {
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
        self.collect();
        if self.until_prompt && self.prompt().is_some() {
            self.until_prompt = false;
        }
    }

    fn pursue(&mut self, aim: Aim, end: f64) {
        let limit = match aim {
            Aim::NextEvent { limit, .. } | Aim::Convergence { limit } => limit,
        };
        while wall_clock() < end {
            self.story.follow(self.lab.trace());
            let met = match aim {
                Aim::NextEvent { after, .. } => self.story.last() > after,
                Aim::Convergence { .. } => !self.story.is_converging() && self.prompt().is_some(),
            };
            let is_far = self.lab.next_at().is_none_or(|next| next > limit);
            if met || is_far {
                self.pace.aim = None;
                if !met {
                    self.lab.advance(limit, STEPS);
                    let waits = matches!(aim, Aim::Convergence { .. });
                    self.notice = Some(if waits { Notice::GaveUp } else { Notice::NothingToConverge });
                }
                return;
            }
            self.lab.step();
        }
    }

    /// Takes in what the world has to say.
    fn collect(&mut self) {
        for output in self.lab.take_output() {
            self.screen.write(&output.bytes);
            self.screen_version += 1;
        }
        self.story.follow(self.lab.trace());
        if self.looked_at == self.version() {
            return;
        }
        self.looked_at = self.version();
        let told = (self.ended(), self.converged());
        if told.0 > self.told.0 {
            let last = self.story.runs.iter().rev().find_map(|run| run.returned);
            self.notice = last.map(|(_, _, code)| Notice::Returned(code));
        }
        if told.1 > self.told.1 {
            self.notice = Some(Notice::Converged);
        }
        self.told = told;
        for (index, step) in self.scenario.steps.iter().enumerate() {
            if !self.done.contains(&index) && step.check.holds(&|resource| self.lab.objects(resource), &self.lines) {
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
