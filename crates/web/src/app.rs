//! The page as a whole: it owns the session, gives every pane its snapshot, and passes commands on.

use std::cell::RefCell;
use std::rc::Rc;

use engine::scenario::{self, Scenario};
use engine::trace::ObjectRef;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::browser::{self, Frames};
use crate::i18n::{Lang, Text};
use crate::lab::inspect::{Inspection, inspect};
use crate::lab::lanes::{Lanes, lay_out};
use crate::lab::session::Notice;
use crate::lab::story::Mark;
use crate::lab::view::{Shared, View};
use crate::lab::{Command, Session};
use crate::panes::clock::Clock;
use crate::panes::cluster::Cluster;
use crate::panes::editor::Editor;
use crate::panes::guide::{Guide, pick};
use crate::panes::inspector::Inspector;
use crate::panes::story::Story;
use crate::panes::terminal::Terminal;
use crate::panes::timeline::Timeline;
use crate::ui::Button;

/// Wall milliseconds between two snapshots: nobody reads faster.
const LOOK: f64 = 120.0;
const CLOCK: f64 = 50.0;

pub enum Msg {
    Frame,
    Act(Command),
    Select(ObjectRef),
    Unselect,
    Apply(String, String),
    Try(String),
    Copy,
    Choose(String),
    Restart,
    Language,
    Theme,
    Pane(&'static str),
    NextPane(bool),
}

/// What panes read, made anew when the world has changed.
struct Seen {
    version: u64,
    at: f64,
    view: Shared<View>,
    marks: Shared<Vec<Mark>>,
    lanes: Shared<Lanes>,
    nodes: Shared<Vec<String>>,
    inspection: Option<Shared<Inspection>>,
}

pub struct App {
    session: Rc<RefCell<Session>>,
    seen: Seen,
    lang: Lang,
    theme: &'static str,
    selected: Option<ObjectRef>,
    /// What was told last, with the tone to tell it in.
    notice: Option<Notice>,
    draft: (u64, String),
    /// Counts scenarios begun: the editor starts over with each.
    begun: u64,
    pane: &'static str,
    drawn_at: f64,
    complete: Callback<(String, usize), (usize, Vec<String>)>,
    history: Callback<(), Vec<String>>,
    _frames: Frames,
}

const THEMES: [&str; 3] = ["auto", "light", "dark"];

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let lang = browser::parameter("lang").filter(|lang| lang == "ja" || lang == "en");
        let lang = lang.or_else(|| browser::remembered("lang")).unwrap_or_else(browser::language);
        let theme = browser::parameter("theme").or_else(|| browser::remembered("theme")).unwrap_or_default();
        let scenario = browser::parameter("scenario").and_then(|id| Scenario::find(&id));
        let session = Rc::new(RefCell::new(Session::new(scenario.unwrap_or(scenario::ALL[0]))));
        let frames = {
            let link = ctx.link().clone();
            Frames::new(move || link.send_message(Msg::Frame))
        };
        let (completing, remembering) = (session.clone(), session.clone());
        let seen = look(&session.borrow(), None);
        let app = App {
            session,
            seen,
            lang: Lang::from_tag(&lang),
            theme: THEMES.into_iter().find(|known| *known == theme).unwrap_or("auto"),
            selected: None,
            notice: None,
            draft: (0, String::new()),
            begun: 1,
            pane: "guide",
            drawn_at: 0.0,
            complete: Callback::from(move |(line, cursor): (String, usize)| {
                completing.borrow().complete(&line, cursor)
            }),
            history: Callback::from(move |()| remembering.borrow().history().to_vec()),
            _frames: frames,
        };
        app.dress();
        app
    }

    fn update(&mut self, _: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Frame => return self.frame(),
            Msg::Act(command) => {
                self.session.borrow_mut().act(command);
                self.look();
            }
            Msg::Select(object) => {
                self.selected = Some(object);
                self.pane = "inspector";
                self.look();
            }
            Msg::Unselect => {
                self.selected = None;
                self.pane = "cluster";
                self.look();
            }
            Msg::Apply(path, text) => {
                let mut session = self.session.borrow_mut();
                session.act(Command::Save { path: path.clone(), text });
                session.act(Command::Enter(format!("kubectl apply -f {path}")));
            }
            Msg::Try(line) => {
                self.draft = (self.draft.0 + 1, line);
                self.pane = "terminal";
            }
            Msg::Copy => browser::copy(&self.session.borrow().screen.text()),
            Msg::Choose(id) => {
                if let Some(scenario) = Scenario::find(&id) {
                    self.begin(scenario);
                }
            }
            Msg::Restart => {
                let scenario = self.session.borrow().scenario;
                self.begin(scenario);
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
                let at = ORDER.iter().position(|pane| *pane == self.pane).unwrap_or(0);
                self.pane = ORDER[(at + if back { ORDER.len() - 1 } else { 1 }) % ORDER.len()];
                let id = if self.pane == "terminal" { "command-line".into() } else { format!("pane-{}", self.pane) };
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
        let file = session.scenario.files.first();
        let keys = link.batch_callback(|event: KeyboardEvent| {
            (event.key() == "F6").then(|| {
                event.prevent_default();
                Msg::NextPane(event.shift_key())
            })
        });
        html! {
            <div class="drydock" data-pane={self.pane} onkeydown={keys}>
                { self.bar(ctx, &session) }
                <main class="panes">
                    <Guide {lang} scenario={session.scenario} done={session.done.clone()} on_try={link.callback(Msg::Try)} />
                    <Editor {lang} path={file.map_or("", |file| file.path)} text={file.map_or("", |file| file.text)}
                        version={self.begun} is_ready={session.prompt().is_some()}
                        on_apply={link.callback(|(path, text)| Msg::Apply(path, text))} />
                    <Terminal {lang} blocks={session.screen.blocks.clone()} was_cut={session.screen.was_cut}
                        version={session.screen_version} prompt={session.prompt().map(str::to_string)}
                        draft={self.draft.clone()} on={act} complete={self.complete.clone()}
                        history={self.history.clone()} copy={link.callback(|()| Msg::Copy)} />
                    <Cluster {lang} view={self.seen.view.clone()} selected={self.selected.clone()}
                        on_select={select.clone()} />
                    <Story {lang} marks={self.seen.marks.clone()} view={self.seen.view.clone()}
                        nodes={self.seen.nodes.clone()} on_select={select.clone()} />
                    <Inspector {lang} selected={self.selected.clone()} inspection={self.seen.inspection.clone()}
                        on_close={link.callback(|()| Msg::Unselect)} />
                    <Timeline {lang} lanes={self.seen.lanes.clone()} nodes={self.seen.nodes.clone()}
                        last={session.story.last()} on_select={select} />
                </main>
                { self.tabs(ctx) }
                <div class="unseen" role="status" aria-live="polite">{ self.told() }</div>
            </div>
        }
    }
}

impl App {
    /// Language and theme on the page's root.
    fn dress(&self) {
        browser::set_root("lang", self.lang.tag());
        browser::set_root("data-theme", self.theme);
        let scenario = self.session.borrow().scenario;
        browser::set_title(&format!("{} — Drydock", pick(self.lang, &scenario.title)));
    }

    fn begin(&mut self, scenario: &'static Scenario) {
        *self.session.borrow_mut() = Session::new(scenario);
        self.begun += 1;
        self.selected = None;
        self.notice = None;
        self.pane = "guide";
        self.look();
        self.dress();
    }

    fn frame(&mut self) -> bool {
        let wall = browser::wall_clock();
        let (screen, prompt, aim) = {
            let session = self.session.borrow();
            (session.screen_version, session.prompt().is_some(), session.pace.aim)
        };
        let before = self.session.borrow().now();
        self.session.borrow_mut().frame();
        let (mut draw, stale) = {
            let mut session = self.session.borrow_mut();
            let told = session.notice.take();
            let turned = told.is_some()
                || session.screen_version != screen
                || (session.prompt().is_some(), session.pace.aim) != (prompt, aim);
            if told.is_some() {
                self.notice = told;
            }
            let moved = session.now() != before && wall - self.drawn_at >= CLOCK;
            let changed = session.version() != self.seen.version;
            let is_open = session.story.is_converging() && session.now() != before;
            let due = wall - self.seen.at >= if changed { LOOK } else { LOOK * 2.0 };
            (turned || moved, (changed && (due || session.pace.aim.is_none() && aim.is_some())) || (is_open && due))
        };
        if stale {
            self.look();
            draw = true;
        }
        if draw {
            self.drawn_at = wall;
        }
        draw
    }

    fn look(&mut self) {
        self.seen = look(&self.session.borrow(), self.selected.as_ref());
    }

    /// What the live region says.
    fn told(&self) -> String {
        let t = |text| self.lang.t(text);
        match self.notice {
            Some(Notice::Returned(code)) => {
                let session = self.session.borrow();
                let lines = session.screen.blocks.last().map_or(0, |block| block.lines);
                let first = session.screen.blocks.last().and_then(|block| block.pieces.first());
                let first = first.and_then(|piece| piece.text.lines().next()).unwrap_or_default();
                let words = format!("exit code {code}. {first}");
                self.lang.pick(format!("{words} ({lines} lines)"), format!("終了コード {code}、{lines} 行。{first}"))
            }
            Some(Notice::Converged) => t(Text::Converged).into(),
            Some(Notice::GaveUp) => t(Text::GaveUp).into(),
            Some(Notice::NothingToConverge) => t(Text::NothingToConverge).into(),
            None => String::new(),
        }
    }

    fn bar(&self, ctx: &Context<Self>, session: &Session) -> Html {
        let (lang, link) = (self.lang, ctx.link());
        let t = |text| lang.t(text);
        let choose = link.batch_callback(|event: Event| {
            event.target_dyn_into::<HtmlSelectElement>().map(|select| Msg::Choose(select.value()))
        });
        let theme = match self.theme {
            "light" => (Text::ThemeLight, "☀"),
            "dark" => (Text::ThemeDark, "☾"),
            _ => (Text::ThemeAuto, "◐"),
        };
        let notice = match self.notice {
            Some(Notice::GaveUp) => Some(("warn", Text::GaveUp)),
            Some(Notice::NothingToConverge) => Some(("idle", Text::NothingToConverge)),
            _ => None,
        };
        html! {
            <header class="bar">
                <div class="brand">
                    <svg viewBox="0 0 32 32" aria-hidden="true">
                        <path class="hull" d="M4 20h24l-3.500 7h-17z" />
                        <path class="crane" d="M9 17.500V9h3v8.500m2.500 0V5h3.500v12.500m2.500 0V11h3v6.500" />
                    </svg>
                    <h1>{ "Drydock" }</h1>
                </div>
                <div class="scenario">
                    <label>
                        <span class="unseen">{ t(Text::Scenario) }</span>
                        <select onchange={choose}>
                            { for scenario::ALL.iter().map(|one| html! {
                                <option value={one.id} selected={one.id == session.scenario.id}>
                                    { pick(lang, &one.title) }
                                </option>
                            }) }
                        </select>
                    </label>
                    <Button class="quiet" onclick={link.callback(|_| Msg::Restart)}>{ t(Text::Restart) }</Button>
                </div>
                <Clock {lang} now={session.now()} started={session.started()} pace={session.pace}
                    on={link.callback(Msg::Act)} />
                <div class="settings">
                    <Button class="quiet" onclick={link.callback(|_| Msg::Language)}>
                        <span lang={lang.other().tag()}>{ t(Text::SwitchLanguage) }</span>
                    </Button>
                    <Button class="quiet icon-only" onclick={link.callback(|_| Msg::Theme)} label={t(theme.0)}>
                        <span aria-hidden="true">{ theme.1 }</span>
                    </Button>
                </div>
                if let Some((class, text)) = notice { <p class={classes!("notice", class)}>{ t(text) }</p> }
            </header>
        }
    }

    fn tabs(&self, ctx: &Context<Self>) -> Html {
        const TABS: [(&str, Text); 7] = [
            ("guide", Text::Guide),
            ("editor", Text::Editor),
            ("terminal", Text::Terminal),
            ("cluster", Text::Cluster),
            ("inspector", Text::Inspector),
            ("story", Text::StoryTab),
            ("timeline", Text::Timeline),
        ];
        html! {
            <nav class="tabs" aria-label={self.lang.t(Text::Panes)}>
                { for TABS.iter().map(|(pane, text)| {
                    let is_here = self.pane == *pane;
                    html! {
                        <button type="button" key={*pane} class={classes!("tab", format!("tab-{pane}"))}
                            aria-current={is_here.then_some("true")}
                            onclick={ctx.link().callback(move |_| Msg::Pane(pane))}>{ self.lang.t(*text) }</button>
                    }
                }) }
            </nav>
        }
    }
}

fn look(session: &Session, selected: Option<&ObjectRef>) -> Seen {
    let marks: Vec<Mark> = session.story.marks.iter().cloned().collect();
    let lanes = lay_out(&marks, &session.story.runs, session.now());
    let view = session.view();
    let nodes: Vec<String> = view.nodes.iter().map(|node| node.object.name.to_string()).collect();
    let inspection = selected.and_then(|wanted| {
        let objects = session.objects(&wanted.resource);
        let found = objects.iter().find(|object| object["metadata"]["uid"].str() == wanted.uid);
        let found = found.or_else(|| {
            objects.iter().find(|object| {
                let metadata = &object["metadata"];
                metadata["name"].str() == wanted.name && metadata["namespace"].str() == wanted.namespace
            })
        });
        found.map(|object| Shared::from(inspect(wanted, object)))
    });
    Seen {
        version: session.version(),
        at: browser::wall_clock(),
        view: view.into(),
        marks: marks.into(),
        lanes: lanes.into(),
        nodes: nodes.into(),
        inspection,
    }
}
