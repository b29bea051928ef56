//! The bar at the top with its notices, the words of the live region, and the tabs of narrow screens.

use engine::base::Time;
use engine::scenario;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::{App, Msg, Return, Sheet};
use crate::i18n::{Text, span};
use crate::lab::Session;
use crate::lab::session::Notice;
use crate::lab::story::Kind;
use crate::panes::clock::Clock;
use crate::panes::guide::pick;
use crate::panes::obstacle;
use crate::panes::story::sentence;
use crate::parts::{self, Part};
use crate::ui::Button;

impl App {
    /// What the live region says.
    pub(super) fn told(&self) -> String {
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
            Some(Notice::Converged) => {
                let session = self.session.borrow();
                let mark = session.story.marks.iter().rev().find(|mark| mark.kind == Kind::Converged);
                mark.map_or_else(|| t(Text::Converged).to_string(), |mark| sentence(self.lang, mark))
            }
            Some(Notice::GaveUp) => {
                let session = self.session.borrow();
                match obstacle::words(self.lang, &self.seen.obstacles, session.open_command()) {
                    Some(words) => {
                        let space = self.lang.pick(" ", "");
                        [t(Text::GaveUp), space, t(Text::InTheWay), " ", words.as_str()].concat()
                    }
                    None => String::new(),
                }
            }
            Some(Notice::NothingToConverge) => t(Text::NothingToConverge).into(),
            None => String::new(),
        }
    }

    pub(super) fn bar(&self, ctx: &Context<Self>, session: &Session, steer: &Callback<KeyboardEvent>) -> Html {
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
            Some(Notice::GaveUp) => Some("warn"),
            Some(Notice::NothingToConverge) => Some("idle"),
            _ => None,
        };
        let coming = if parts::is_here(Part::Commands) { Text::TerraformComing } else { Text::ProgramComing };
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
                <Clock {lang} now={session.now()} started={session.started()} pace={session.pace} past={self.past}
                    is_settled={session.is_settled() && self.seen.obstacles.is_empty()} on={link.callback(Msg::Act)} on_move={link.callback(Msg::Move)}
                    on_key={steer} />
                <div class="settings">
                    <Button class="quiet" onclick={link.callback(|_| Msg::Language)}>
                        <span lang={lang.other().tag()}>{ t(Text::SwitchLanguage) }</span>
                    </Button>
                    <Button class="quiet icon-only" onclick={link.callback(|_| Msg::Theme)} label={t(theme.0)}>
                        <span aria-hidden="true">{ theme.1 }</span>
                    </Button>
                    <Button class="quiet icon-only" onclick={link.callback(|_| Msg::Sheet(Some(Sheet::Keys)))} label={t(Text::Shortcuts)}>
                        <span aria-hidden="true">{ "?" }</span>
                    </Button>
                </div>
                if let Some(at) = self.past {
                    <div class="notice past" role="status">
                        <p>{ self.past_words(session, at) }</p>
                        <Button class="main" onclick={link.callback(|_| Msg::Seek(None))}>{ t(Text::BackToNow) }</Button>
                        <Button onclick={link.callback(|_| Msg::Fork)}>{ t(Text::Fork) }</Button>
                    </div>
                }
                { self.returned_words(ctx) }
                if let Some(before) = &self.before {
                    <div class="notice undo" role="status">
                        <p>{ t(before.words) }</p>
                        <Button onclick={link.callback(|_| Msg::Undo(true))}>{ t(Text::Undo) }</Button>
                        <Button class="quiet" onclick={link.callback(|_| Msg::Undo(false))}>{ t(Text::Close) }</Button>
                    </div>
                }
                if session.is_held() { <p class="notice idle" role="status">{ t(coming) }</p> }
                if let Some((class, words)) = notice.map(|class| (class, self.told())).filter(|(_, words)| !words.is_empty()) {
                    <p class={classes!("notice", class)}>{ words }</p>
                }
            </header>
        }
    }

    fn returned_words(&self, ctx: &Context<Self>) -> Html {
        let (lang, link) = (self.lang, ctx.link());
        let t = |text| lang.t(text);
        let words = match self.returned {
            Return::Nothing if self.is_too_much == Some(true) => Text::NotKept,
            Return::Nothing => return html! {},
            Return::Offered(_) => Text::Offered,
            Return::Playing(_) => Text::PlayingAgain,
            Return::Done => Text::Restored,
        };
        let is_offered = matches!(self.returned, Return::Offered(_));
        html! {
            <div class="notice idle returned" role="status">
                <p>{ t(words) }</p>
                if is_offered {
                    <Button onclick={link.callback(|_| Msg::Restore(true))}>{ t(Text::BringBack) }</Button>
                } else if self.returned != Return::Nothing {
                    <Button onclick={link.callback(|_| Msg::Restart)}>{ t(Text::StartAfresh) }</Button>
                }
                if !matches!(self.returned, Return::Playing(_)) {
                    <Button class="quiet" onclick={link.callback(|_| Msg::Restore(false))}>{ t(Text::Close) }</Button>
                }
            </div>
        }
    }

    fn past_words(&self, session: &Session, at: Time) -> String {
        let since = |time: Time| span(self.lang, (time - session.started()).0);
        let (then, now) = (since(at), since(session.now()));
        self.lang.pick(
            format!("Viewing {then}. Now is at {now}. Reading only."),
            format!("{then} の時点を表示中。現在は {now}。ここでは読むだけです。"),
        )
    }

    pub(super) fn tabs(&self, ctx: &Context<Self>) -> Html {
        let tabs: [(&str, Text); 7] = [
            ("guide", Text::Guide),
            ("editor", Text::TabEditor),
            ("terminal", Text::TabTerminal),
            ("cluster", if self.compare { Text::TabCompare } else { Text::Cluster }),
            ("inspector", Text::TabInspector),
            ("story", Text::StoryTab),
            ("timeline", Text::TabTimeline),
        ];
        html! {
            <nav class="tabs" aria-label={self.lang.t(Text::Panes)}>
                { for tabs.into_iter().map(|(pane, text)| {
                    let is_here = self.pane == pane;
                    html! {
                        <button type="button" key={pane} class={classes!("tab", format!("tab-{pane}"))}
                            aria-current={is_here.then_some("true")}
                            onclick={ctx.link().callback(move |_| Msg::Pane(pane))}>{ self.lang.t(text) }</button>
                    }
                }) }
            </nav>
        }
    }
}
