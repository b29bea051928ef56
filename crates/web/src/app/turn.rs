//! One session takes the place of another: a scenario begun, a way taken back, a fork, and what the tab keeps over a
//! reload. What was there before can be brought back.

use engine::base::Time;
use engine::scenario::Scenario;

use super::App;
use crate::browser;
use crate::i18n::Text;
use crate::lab::Session;
use crate::lab::session;
use crate::panes::editor::File;

/// Wall milliseconds between an input and its being kept.
const KEEP: f64 = 1500.0;
/// The name under which the tab keeps the session.
const KEPT: &str = "session";

/// What another scenario, or the same from its beginning, has replaced.
pub(super) struct Before {
    pub(super) session: Session,
    pub(super) files: Vec<File>,
    pub(super) compare: bool,
    /// What is said of it.
    pub(super) words: Text,
}

/// What became of a session that the tab had kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Return {
    Nothing,
    /// It can be brought back.
    Offered(String),
    /// It is being played again; the text, in case the page goes meanwhile.
    Playing(String),
    Done,
}

impl App {
    /// Begins a scenario, with the draft of its files or without. What was there before can be brought back.
    pub(super) fn begin(&mut self, scenario: &'static Scenario, with_draft: bool) {
        let session = self.session.replace(Session::new(scenario));
        let files = std::mem::take(&mut self.files);
        let is_original = |file: &File| {
            session.scenario.files.iter().any(|given| (given.path, given.text) == (&file.path, &file.text))
        };
        if session.is_touched() || !files.iter().all(is_original) {
            let words = Text::StartedOver;
            self.before = Some(Box::new(Before { session, files, compare: self.compare, words }));
        }
        self.compare = scenario.is_compared();
        self.open_files(with_draft);
        self.start_over();
    }

    pub(super) fn bring_back(&mut self, before: Before) {
        self.compare = before.compare;
        self.files = before.files;
        self.session.replace(before.session);
        self.begun += 1;
        self.unsaved = self.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        let session = self.session.clone();
        self.unsaved.retain(|path, text| session.borrow().read_file(path).as_ref() != Some(text));
        self.keep();
        self.start_over();
    }

    /// Plays again what the tab had kept.
    pub(super) fn restore(&mut self) {
        let Return::Offered(text) = std::mem::replace(&mut self.returned, Return::Nothing) else { return };
        let Some((scenario, kept)) = session::kept(&text) else { return };
        self.session.replace(Session::restored(scenario, &kept));
        self.compare = scenario.is_compared();
        self.files = kept.files.into_iter().map(|(path, text)| File { path, text }).collect();
        self.unsaved.clear();
        self.begun += 1;
        self.start_over();
        self.returned = Return::Playing(text);
    }

    /// What was played again stands: the editor reads the workstation's files, but what had not been saved is kept.
    pub(super) fn played_again(&mut self) {
        if let Return::Playing(_) = self.returned {
            self.returned = Return::Done;
            let session = self.session.clone();
            let is_new = |file: &&File| session.borrow().read_file(&file.path).as_ref() != Some(&file.text);
            let new: Vec<File> = self.files.iter().filter(is_new).cloned().collect();
            self.unsaved.extend(new.into_iter().map(|file| (file.path, file.text)));
            if self.session.borrow().prompt().is_some() {
                self.save();
            }
        } else {
            // After a fork, what the files were at that instant.
            let session = self.session.borrow();
            self.unsaved.clear();
            self.files.retain_mut(|file| {
                let text = session.read_file(&file.path);
                let is_there = text.is_some();
                file.text = text.unwrap_or_default();
                is_there
            });
        }
        self.disk += 1;
        self.kept = (self.session.borrow().inputs(), browser::wall_clock());
    }

    /// Keeps the session for this tab, as far as something has been done.
    pub(super) fn keep_session(&mut self) {
        if browser::is_embedded() || !browser::is_standing() {
            return;
        }
        let session = self.session.borrow();
        self.kept = (session.inputs(), browser::wall_clock());
        let text = match &self.returned {
            Return::Playing(text) | Return::Offered(text) => Some(text.clone()),
            _ if !session.is_touched() => Some(String::new()),
            _ => session.keep(self.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect()),
        };
        let is_kept = match text.as_deref() {
            Some("") | None => {
                browser::take_for_tab(KEPT);
                text.is_some()
            }
            Some(text) => browser::keep_for_tab(KEPT, text),
        };
        let is_too_much = !is_kept && browser::remembers();
        self.is_too_much = is_too_much.then(|| self.is_too_much.unwrap_or(true));
    }

    /// Something is done: what was before is given up, and words about it have been read.
    pub(super) fn go_on(&mut self) -> bool {
        let is_played = matches!(self.returned, Return::Playing(_));
        let was_told = !is_played && std::mem::replace(&mut self.returned, Return::Nothing) != Return::Nothing;
        self.before.take().is_some() || was_told
    }

    /// Nothing is chosen, and the present is shown.
    pub(super) fn start_over(&mut self) {
        self.returned = Return::Nothing;
        self.selected = None;
        self.picked = None;
        self.question = None;
        self.past = None;
        self.notice = None;
        self.pane = "guide";
        self.look();
        self.dress();
    }

    /// Another way from an instant of the past.
    pub(super) fn fork(&mut self, at: Time) {
        let fork = self.session.borrow().fork(at);
        let mut session = self.session.replace(fork);
        session.pace.paused = !self.was_running;
        let (files, compare) = (self.files.clone(), self.compare);
        self.before = Some(Box::new(Before { session, files, compare, words: Text::Forked }));
        self.returned = Return::Nothing;
        self.picked = None;
        self.look();
    }

    /// What the tab has kept is brought back; or offered, for a link that asks for a scenario gets it.
    pub(super) fn come_back(&mut self, is_asked: bool) {
        let kept = browser::take_for_tab(KEPT).filter(|text| session::kept(text).is_some());
        self.returned = kept.map_or(Return::Nothing, Return::Offered);
        if !is_asked {
            self.restore();
        }
    }

    /// After each frame: what has just been played again stands, and what is new is kept. Whether there is something
    /// to be told about that.
    pub(super) fn turn(&mut self, wall: f64) -> bool {
        let is_playing = self.session.borrow().is_playing_again();
        if std::mem::replace(&mut self.was_playing, is_playing) && !is_playing {
            self.played_again();
        }
        if is_playing || self.session.borrow().inputs() == self.kept.0 || wall - self.kept.1 <= KEEP {
            return false;
        }
        let told = self.is_too_much;
        self.keep_session();
        self.is_too_much != told
    }
}
