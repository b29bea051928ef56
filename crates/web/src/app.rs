//! The page as a whole: it owns the session, gives every pane its snapshot, and passes commands on.

use engine::base::BTreeMap;
use std::cell::RefCell;
use std::rc::Rc;

use engine::base::{Span, Time};
use engine::scenario::{self, Scenario};
use engine::trace::{ObjectRef, Seq};
use yew::prelude::*;

use crate::browser::{self, Frames, Keys};
use crate::i18n::{Lang, Text};
use crate::lab::owners::{Owners, owners};
use crate::lab::pace::SPEEDS;
use crate::lab::session::Notice;
use crate::lab::story::{Kind, Mark};
use crate::lab::why::Question;
use crate::lab::{Command, Session};
use crate::panes::clock::{Move, key};
use crate::panes::cluster::Cluster;
use crate::panes::compare::{self, Compare};
use crate::panes::editor::{Editor, File};
use crate::panes::guide::{Guide, pick};
use crate::panes::help::Help;
use crate::panes::inspector::{Inspector, Tab};
use crate::panes::objects::Objects;
use crate::panes::plan::Plan;
use crate::panes::sights::Sight;
use crate::panes::story::Story;
use crate::panes::terminal::Terminal;
use crate::panes::timeline::Timeline;
use crate::side;

mod bar;
mod seen;
mod turn;

use seen::Seen;
use turn::{Before, Return};

/// Wall milliseconds between two snapshots: nobody reads faster.
const LOOK: f64 = 120.0;
const CLOCK: f64 = 50.0;

pub enum Msg {
    Frame,
    Act(Command),
    Move(Move),
    /// Looks at an instant of the past; nothing is the present.
    Seek(Option<Time>),
    Fork,
    Select(ObjectRef),
    /// A mark of the story or the time line, and the object it is about.
    Pick(Seq, ObjectRef),
    Ask(Question),
    Tab(Tab),
    Unselect,
    Apply(String, String),
    Edited(String, String),
    Try(String),
    Copy,
    Choose(String),
    Restart,
    Language,
    Theme,
    Pane(&'static str),
    NextPane(bool),
    Sheet(Option<Sheet>),
    Keys,
    /// Brings back what Restart or another scenario has replaced; or gives that up.
    Undo(bool),
    /// Brings back what the tab has kept; or gives that up, or closes the words about it.
    Restore(bool),
    /// The page may be about to go.
    Leave,
    Removed(String),
    /// The list of what happened, or the guide again.
    List,
    /// Ctrl+Enter somewhere.
    Wish,
    Escape,
    SideBySide,
    Sight(Sight),
    Both(compare::Act),
}

/// What lies over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    Keys,
    Legend,
}

pub struct App {
    session: Rc<RefCell<Session>>,
    seen: Seen,
    lang: Lang,
    theme: &'static str,
    selected: Option<ObjectRef>,
    picked: Option<Seq>,
    question: Option<Question>,
    /// The instant at which it was asked; nothing is the present.
    asked: Option<Time>,
    tab: Tab,
    /// The instant of the past that is looked at, and whether the clock ran before.
    past: Option<Time>,
    was_running: bool,
    /// What was told last, with the tone to tell it in.
    notice: Option<Notice>,
    /// How the live region said it, and a count: the same words twice are two tellings.
    spoken: String,
    said: u64,
    draft: (u64, String),
    files: Vec<File>,
    /// Texts of the editor that the workstation does not have yet.
    unsaved: BTreeMap<String, String>,
    /// Counts up when commands may have changed files.
    disk: u64,
    /// Counts scenarios begun: the editor starts over with each.
    begun: u64,
    /// Counts wishes to apply from outside the editor.
    wished: u64,
    /// Whether both tools are shown side by side.
    compare: bool,
    /// What the middle of the page shows.
    sight: Sight,
    pane: &'static str,
    sheet: Option<Sheet>,
    before: Option<Box<Before>>,
    returned: Return,
    /// Whether inputs were played again in the last frame.
    was_playing: bool,
    /// Inputs that the tab has kept, and when it last did.
    kept: (usize, f64),
    /// They are too much to be kept; whether that is still to be told.
    is_too_much: Option<bool>,
    keys: bool,
    drawn_at: f64,
    /// Whether a command waited for Terraform, and Terraform was there, in the last frame.
    held: (bool, bool),
    complete: Callback<(String, usize), (usize, Vec<String>)>,
    history: Callback<(), Vec<String>>,
    read: Callback<String, Option<String>>,
    list: Callback<(), Vec<String>>,
    owners: Callback<String, Owners>,
    _frames: Frames,
    _keys: Option<Keys>,
}

/// The lines between panes: name, how they lie, what they change, and where they are at first (`boot-panes.js` moves them).
const GRIPS: [(&str, &str, Text, &str); 2] =
    [("columns", "vertical", Text::GripColumns, "47"), ("rows", "horizontal", Text::GripRows, "50")];

const THEMES: [&str; 3] = ["auto", "light", "dark"];

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let theme = browser::parameter("theme").or_else(|| browser::remembered("theme")).unwrap_or_default();
        let scenario = browser::parameter("scenario").and_then(|id| Scenario::find(&id));
        let is_asked = scenario.is_some();
        let session = Rc::new(RefCell::new(Session::new(scenario.unwrap_or(scenario::ALL[0]))));
        let frames = {
            let link = ctx.link().clone();
            Frames::new(move || link.send_message(Msg::Frame))
        };
        let keys = {
            let link = ctx.link().clone();
            Keys::new(move |event| {
                if let Some(msg) = anywhere(&event) {
                    link.send_message(msg);
                }
            })
        };
        let (completing, remembering) = (session.clone(), session.clone());
        let (reading, listing, owning) = (session.clone(), session.clone(), session.clone());
        let mut app = App {
            seen: Seen::default(),
            session,
            lang: Lang::preferred(),
            theme: THEMES.into_iter().find(|known| *known == theme).unwrap_or("auto"),
            selected: None,
            picked: None,
            question: None,
            asked: None,
            tab: Tab::Fields,
            past: None,
            was_running: false,
            notice: None,
            spoken: String::new(),
            said: 0,
            draft: (0, String::new()),
            files: Vec::new(),
            unsaved: BTreeMap::new(),
            disk: 0,
            begun: 0,
            wished: 0,
            compare: browser::parameter("view").as_deref() == Some("compare"),
            sight: Sight::Cluster,
            pane: "guide",
            sheet: None,
            before: None,
            returned: Return::Nothing,
            kept: (0, 0.0),
            was_playing: false,
            is_too_much: None,
            keys: browser::remembered("keys").as_deref() != Some("off"),
            drawn_at: 0.0,
            held: (false, false),
            complete: Callback::from(move |(line, cursor): (String, usize)| {
                completing.borrow_mut().complete(&line, cursor)
            }),
            history: Callback::from(move |()| remembering.borrow().history().to_vec()),
            owners: Callback::from(move |text: String| {
                let session = owning.borrow();
                owners(&text, &|resource, namespace, name| session.object(resource, namespace, name))
            }),
            list: Callback::from(move |()| listing.borrow().files()),
            read: Callback::from(move |path: String| reading.borrow().read_file(&path)),
            _frames: frames,
            _keys: keys,
        };
        app.compare |= app.session.borrow().scenario.is_compared();
        app.open_files(true);
        if !browser::is_embedded() {
            let link = ctx.link().clone();
            browser::on_leaving(move || link.send_message(Msg::Leave));
            app.come_back(is_asked);
        }
        app.look();
        app.dress();
        app
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Frame => return self.frame(),
            Msg::Act(command) => self.act(command),
            Msg::Move(step) => self.go(step),
            Msg::Seek(at) => self.seek(at),
            Msg::Fork => {
                if let Some(at) = self.past.take() {
                    self.fork(at);
                }
            }
            Msg::Select(object) => self.select(object, Tab::Fields, None),
            Msg::Pick(seq, object) => {
                let again = self.picked == Some(seq);
                self.picked = Some(seq);
                let tab = if again || object.name.is_empty() { Tab::Why } else { Tab::Fields };
                self.select(object, tab, Some(Question::Entry(seq)));
            }
            Msg::Ask(question) => {
                self.question = Some(question);
                self.asked = self.past;
                self.tab = Tab::Why;
                self.pane = "inspector";
                self.look();
            }
            Msg::Tab(tab) => {
                self.tab = tab;
                self.look();
            }
            Msg::Unselect => {
                self.selected = None;
                self.question = None;
                self.picked = None;
                self.pane = "cluster";
                self.look();
            }
            Msg::Apply(path, text) => {
                // Where one pane is shown at a time, the one that answers.
                if self.pane == "editor" {
                    self.pane = "terminal";
                }
                self.unsaved.insert(path.clone(), text);
                self.save();
                let line = self.session.borrow().apply_line(&path);
                self.act(Command::Enter(line));
            }
            Msg::Edited(path, text) => {
                self.unsaved.insert(path, text);
                self.keep();
                if self.session.borrow().prompt().is_none() {
                    self.save();
                }
                return self.go_on();
            }
            Msg::Removed(path) => {
                self.unsaved.remove(&path);
                self.files.retain(|file| file.path != path);
                self.keep();
                self.session.borrow_mut().act(Command::Remove(path));
                return self.go_on();
            }
            Msg::Undo(back) => match self.before.take().filter(|_| back) {
                Some(before) => self.bring_back(*before),
                None => return true,
            },
            Msg::Restore(true) => self.restore(),
            Msg::Restore(false) if self.returned == Return::Nothing => self.is_too_much = Some(false),
            Msg::Restore(false) => self.returned = Return::Nothing,
            Msg::Leave => {
                self.keep_session();
                return false;
            }
            Msg::Sheet(sheet) => self.sheet = sheet,
            Msg::List if self.pane != "story" => self.pane = "story",
            Msg::List => self.pane = if self.has_selection() { "inspector" } else { "guide" },
            Msg::Wish => self.wished += 1,
            Msg::Escape if self.sheet.is_some() => self.sheet = None,
            Msg::Escape if self.past.is_some() => self.seek(None),
            Msg::Escape => return false,
            Msg::Keys => {
                self.keys = !self.keys;
                browser::remember("keys", if self.keys { "on" } else { "off" });
            }
            Msg::Try(line) => {
                self.draft = (self.draft.0 + 1, line);
                self.pane = "terminal";
            }
            Msg::SideBySide => {
                self.compare = !self.compare;
                self.look();
            }
            Msg::Sight(sight) => {
                self.sight = sight;
                self.look();
            }
            Msg::Both(compare::Act::Apply) => self.act(Command::ApplyBoth),
            Msg::Both(compare::Act::Kill) => self.act(Command::KillBoth),
            Msg::Both(compare::Act::Plan) => self.act(Command::Enter("terraform plan".into())),
            Msg::Copy => browser::copy(&self.session.borrow().screen.text()),
            Msg::Choose(id) => {
                if let Some(scenario) = Scenario::find(&id) {
                    self.begin(scenario, true);
                }
            }
            Msg::Restart => {
                let scenario = self.session.borrow().scenario;
                self.begin(scenario, false);
            }
            Msg::Language => {
                self.lang = self.lang.other();
                browser::remember("lang", self.lang.tag());
                self.dress();
            }
            Msg::Theme => {
                let at = THEMES.iter().position(|theme| *theme == self.theme).unwrap_or(0);
                self.theme = THEMES[(at + 1) % THEMES.len()];
                browser::remember("theme", self.theme);
                self.dress();
            }
            Msg::Pane(pane) => self.pane = pane,
            Msg::NextPane(back) => {
                const ORDER: [&str; 7] = ["guide", "editor", "terminal", "cluster", "story", "inspector", "timeline"];
                let way = if back { ORDER.len() - 1 } else { 1 };
                let here = browser::focused_pane().map(|pane| if pane == "compare" { "cluster".into() } else { pane });
                let here = here.unwrap_or_else(|| self.pane.into());
                let mut at = ORDER.iter().position(|pane| *pane == here).unwrap_or(0) + way;
                // Without something to inspect there is no inspector.
                if ORDER[at % ORDER.len()] == "inspector" && !self.has_selection() {
                    at += way;
                }
                self.pane = ORDER[at % ORDER.len()];
                let id = match self.pane {
                    "terminal" => "command-line".into(),
                    "cluster" if self.compare => "pane-compare".into(),
                    pane => format!("pane-{pane}"),
                };
                // After the pane is on the page.
                gloo_timers::callback::Timeout::new(0, move || browser::focus(&id)).forget();
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let lang = self.lang;
        let session = self.session.borrow();
        let link = ctx.link();
        let select = link.callback(Msg::Select);
        let act = link.callback(Msg::Act);
        let seek = link.callback(Msg::Seek);
        let pick_mark = link.callback(|(seq, object)| Msg::Pick(seq, object));
        let steer = {
            let (link, is_on) = (link.clone(), self.keys);
            Callback::from(move |event: KeyboardEvent| {
                if let Some(step) = key(&event).filter(|_| is_on) {
                    event.prevent_default();
                    link.send_message(Msg::Move(step));
                }
            })
        };
        let is_past = self.past.is_some();
        let has_selection = self.has_selection();
        let first = self.seen.marks.first().map_or(session.started(), |mark| mark.at).max(session.remembered_from());
        html! {
            <div class={classes!("drydock", is_past.then_some("is-past"), has_selection.then_some("has-selection"),
                self.seen.sides.is_some().then_some("is-compare"))} data-pane={self.pane}>
                { self.bar(ctx, &session, &steer) }
                <main class="panes" style={format!("--lanes: {}", self.seen.lanes.lanes.len())}>
                    <Guide {lang} scenario={session.scenario} done={session.done.clone()} is_small={has_selection} on_try={link.callback(Msg::Try)}
                        on_choose={link.callback(Msg::Choose)} />
                    <Editor {lang} files={self.files.clone()} version={self.begun} disk={self.disk} wished={self.wished}
                        is_ready={session.prompt().is_some()} {is_past} has_terraform={side::is_here()} read={self.read.clone()}
                        list={self.list.clone()} world={self.seen.version} owners={self.owners.clone()}
                        on_edit={link.callback(|(path, text)| Msg::Edited(path, text))} on_remove={link.callback(Msg::Removed)}
                        on_apply={link.callback(|(path, text)| Msg::Apply(path, text))} />
                    <Terminal {lang} blocks={session.screen.blocks.clone()} was_cut={session.screen.was_cut}
                        version={session.screen_version} prompt={session.prompt().map(str::to_string)} past={self.past}
                        draft={self.draft.clone()} on={act} complete={self.complete.clone()}
                        history={self.history.clone()} copy={link.callback(|()| Msg::Copy)}
                        on_back={link.callback(|()| Msg::Seek(None))} />
                    if let Some(sides) = &self.seen.sides {
                        <Compare {lang} sides={sides.clone()} nodes={self.seen.nodes.clone()} selected={self.selected.clone()}
                            at={self.past.unwrap_or(session.now())} {is_past}
                            is_ready={session.prompt().is_some() && !session.has_jobs()}
                            on_select={select} on={link.callback(Msg::Both)} on_close={link.callback(|_| Msg::SideBySide)} />
                    } else if let Some(roster) = &self.seen.roster {
                        <Objects {lang} roster={roster.clone()} selected={self.selected.clone()} on_select={select}
                            on_sight={link.callback(Msg::Sight)} />
                    } else if self.sight == Sight::Plan {
                        <Plan {lang} blocks={session.screen.blocks.clone()} version={session.screen_version} past={self.past}
                            commands={session.plan_lines()} is_ready={session.prompt().is_some()}
                            on_run={link.callback(|line| Msg::Act(Command::Enter(line)))} on_sight={link.callback(Msg::Sight)} />
                    } else {
                        <Cluster {lang} view={self.seen.view.clone()} selected={self.selected.clone()} on_select={select}
                            on_compare={link.callback(|_| Msg::SideBySide)} on_sight={link.callback(Msg::Sight)} />
                    }
                    <Story {lang} marks={self.seen.marks.clone()} view={self.seen.view.clone()}
                        nodes={self.seen.nodes.clone()} picked={self.picked} past={self.past} on_pick={pick_mark.clone()}
                        on_ask={link.callback(Msg::Ask)} />
                    <Inspector {lang} selected={self.selected.clone()} inspection={self.seen.inspection.clone()}
                        tab={self.tab} view={self.seen.view.clone()} chain={self.seen.chain.clone()}
                        nodes={self.seen.nodes.clone()} question={self.question.clone()} past={self.past}
                        on_tab={link.callback(Msg::Tab)} on_ask={link.callback(Msg::Ask)} on_seek={seek.clone()}
                        on_close={link.callback(|()| Msg::Unselect)} />
                    <Timeline {lang} lanes={self.seen.lanes.clone()} nodes={self.seen.nodes.clone()}
                        last={session.story.last()} past={self.past} now={session.now()} started={session.started()} {first} picked={self.picked}
                        is_open={self.pane == "timeline"}
                        is_cut={first > session.started() && session.story.was_cut}
                        chain={self.seen.chain.clone()} on_pick={pick_mark} on_seek={seek} on_key={steer}
                        on_legend={link.callback(|_| Msg::Sheet(Some(Sheet::Legend)))}
                        on_story={link.callback(|_| Msg::List)} is_listed={self.pane == "story"} />
                    { for GRIPS.map(|(line, orientation, name, place)| html! {
                        <div class="grip" role="separator" tabindex="0" data-line={line} aria-orientation={orientation}
                            aria-valuemin="0" aria-valuemax="100" aria-valuenow={place} aria-label={lang.t(name)}></div>
                    }) }
                </main>
                { self.tabs(ctx) }
                if let Some(sheet) = self.sheet {
                    <Help {lang} is_legend={sheet == Sheet::Legend} keys={self.keys} on_keys={link.callback(|()| Msg::Keys)}
                        on_close={link.callback(|()| Msg::Sheet(None))} />
                }
                <div class="unseen" role="status" aria-live="polite">{ &self.spoken }{ if self.said % 2 == 1 { "\u{a0}" } else { "" } }</div>
            </div>
        }
    }
}

/// What a key means wherever the focus is.
fn anywhere(event: &KeyboardEvent) -> Option<Msg> {
    if event.is_composing() || event.key_code() == 229 || event.default_prevented() {
        return None;
    }
    let control = event.ctrl_key() || event.meta_key();
    let msg = match event.key().as_str() {
        "F6" => Msg::NextPane(event.shift_key()),
        "Enter" if control => Msg::Wish,
        "Escape" => return Some(Msg::Escape),
        "?" if !control && !browser::is_typing(event) => Msg::Sheet(Some(Sheet::Keys)),
        _ => return None,
    };
    event.prevent_default();
    Some(msg)
}

impl App {
    /// Language and theme on the page's root.
    fn dress(&self) {
        browser::set_root("lang", self.lang.tag());
        browser::set_root("data-theme", self.theme);
        let scenario = self.session.borrow().scenario;
        browser::set_title(&format!("{} — Drydock", pick(self.lang, &scenario.title)));
    }

    /// The scenario's files, or the draft the browser has kept of them.
    fn open_files(&mut self, with_draft: bool) {
        self.unsaved.clear();
        self.begun += 1;
        let scenario = self.session.borrow().scenario;
        self.files =
            scenario.files.iter().map(|file| File { path: file.path.into(), text: file.text.into() }).collect();
        let draft = format!("files:{}", scenario.id);
        if !with_draft {
            browser::remember(&draft, "");
        }
        let draft = browser::remembered(&draft).unwrap_or_default();
        for (path, text) in draft.split('\u{1e}').filter_map(|part| part.split_once('\u{1f}')).take(32) {
            self.unsaved.insert(path.into(), text.into());
            match self.files.iter_mut().find(|file| file.path == path) {
                Some(file) => file.text = text.into(),
                None => self.files.push(File { path: path.into(), text: text.into() }),
            }
        }
        self.save();
    }

    /// Keeps a draft of what has been edited, if it is not too much.
    fn keep(&mut self) {
        for (path, text) in &self.unsaved {
            match self.files.iter_mut().find(|file| file.path == *path) {
                Some(file) => file.text.clone_from(text),
                None => self.files.push(File { path: path.clone(), text: text.clone() }),
            }
        }
        let small = self.files.iter().filter(|file| file.text.len() <= 64 << 10);
        let parts: Vec<String> = small.map(|file| format!("{}\u{1f}{}", file.path, file.text)).collect();
        browser::remember(&format!("files:{}", self.session.borrow().scenario.id), &parts.join("\u{1e}"));
    }

    /// Gives the workstation what the editor holds.
    fn save(&mut self) {
        for (path, text) in std::mem::take(&mut self.unsaved) {
            self.session.borrow_mut().act(Command::Save { path, text });
        }
    }

    fn act(&mut self, command: Command) {
        if matches!(command, Command::Enter(_) | Command::EnterAll(_) | Command::Interrupt(_) | Command::ApplyBoth) {
            self.save();
            self.go_on();
            if let Some((columns, rows)) = browser::terminal_size() {
                self.session.borrow_mut().act(Command::Resize(columns, rows));
            }
        }
        if !matches!(command, Command::ClearScreen | Command::SetSpeed(_) | Command::Save { .. }) {
            self.past = None;
        }
        (self.notice, self.spoken) = (None, String::new());
        self.session.borrow_mut().act(command);
        self.look();
    }

    fn has_selection(&self) -> bool {
        self.selected.is_some() || self.question.is_some()
    }

    fn select(&mut self, object: ObjectRef, tab: Tab, question: Option<Question>) {
        self.selected = (!object.name.is_empty()).then_some(object);
        if question.is_none() {
            self.picked = None;
        }
        self.question = question.or_else(|| self.selected.clone().map(Question::Object));
        self.asked = self.past;
        self.tab = tab;
        self.pane = "inspector";
        self.look();
    }

    /// Looks at the past, while the clock stands; or comes back to the present.
    fn seek(&mut self, at: Option<Time>) {
        {
            let mut session = self.session.borrow_mut();
            let at = at.map(|at| at.max(session.remembered_from())).filter(|at| *at < session.now());
            match (self.past, at) {
                (None, Some(_)) => {
                    self.was_running = !session.pace.paused;
                    session.act(Command::SetPaused(true));
                }
                (Some(_), None) => session.act(Command::SetPaused(!self.was_running)),
                _ => {}
            }
            self.past = at;
        }
        self.look();
    }

    /// A key of the clock and the time line.
    fn go(&mut self, step: Move) {
        let (now, paused, last) = {
            let session = self.session.borrow();
            (session.now(), session.pace.paused, session.story.marks.back().map(|mark| mark.at))
        };
        let at = self.past.unwrap_or(now);
        let is_mark = |mark: &&Mark| match mark.kind {
            Kind::Command | Kind::Returned(_) | Kind::Converged | Kind::Refused(_) | Kind::Told { .. } => true,
            Kind::Stopped(code) => code != 0,
            _ => false,
        };
        let all = |_: &&Mark| true;
        let marks = self.seen.marks.clone();
        let before = |wanted: &dyn Fn(&&Mark) -> bool| {
            marks.iter().rev().filter(wanted).find(|mark| mark.at < at).map(|mark| mark.at)
        };
        let after =
            |wanted: &dyn Fn(&&Mark) -> bool| marks.iter().filter(wanted).find(|mark| mark.at > at).map(|mark| mark.at);
        let is_live = self.past.is_none();
        match step {
            Move::Toggle if is_live => self.act(Command::SetPaused(!paused)),
            Move::Toggle => {
                self.was_running = true;
                self.seek(None);
            }
            Move::Next if is_live => self.act(Command::NextEvent),
            Move::Next => self.seek(after(&all).filter(|at| Some(*at) != last)),
            Move::Previous => self.seek(before(&all).or(self.past)),
            Move::NextMark => self.seek(after(&is_mark)),
            Move::PreviousMark => self.seek(before(&is_mark).or(self.past)),
            Move::Forward if is_live => self.act(Command::Step),
            Move::Forward => self.seek(Some(at + Span::seconds(1))),
            Move::Back => self.seek(Some(at + Span::seconds(-1))),
            Move::Start => self.seek(marks.first().map(|mark| mark.at)),
            Move::End => self.seek(None),
            Move::Speed(index) => {
                if let Some(speed) = SPEEDS.get(index) {
                    self.act(Command::SetSpeed(*speed));
                }
            }
        }
    }

    fn frame(&mut self) -> bool {
        let wall = browser::wall_clock();
        let (screen, prompt, aim) = {
            let session = self.session.borrow();
            (session.screen_version, session.prompt().is_some(), session.pace.aim)
        };
        let before = self.session.borrow().now();
        let held = std::mem::replace(&mut self.held, (self.session.borrow().is_held(), side::is_here()));
        self.session.borrow_mut().frame();
        let keeps_otherwise = self.turn(wall);
        let (mut draw, stale, is_told) = {
            let mut session = self.session.borrow_mut();
            let told = session.notice.take();
            let is_told = told.is_some();
            let turned = is_told
                || keeps_otherwise
                || session.screen_version != screen
                || (session.prompt().is_some(), session.pace.aim) != (prompt, aim)
                || (session.is_held(), side::is_here()) != held;
            if is_told {
                self.notice = told;
                self.said += 1;
                self.disk += 1;
            }
            let moved = session.now() != before && wall - self.drawn_at >= CLOCK;
            let changed = session.version() != self.seen.version;
            let is_open = session.story.is_converging() && session.now() != before;
            // A look that takes long is taken less often.
            let pause = LOOK.max(self.seen.cost * 6.0);
            let due = wall - self.seen.at >= if changed { pause } else { pause * 2.0 };
            (
                turned || moved,
                (changed && (due || session.pace.aim.is_none() && aim.is_some())) || (is_open && due),
                is_told,
            )
        };
        if stale || is_told {
            self.look();
            draw = true;
        }
        if is_told {
            self.spoken = self.told();
        }
        if draw {
            self.drawn_at = wall;
        }
        draw
    }
}
