//! The clock: virtual time, how fast it runs, and the ways to move it.

use engine::base::Time;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::i18n::{Lang, Text, span};
use crate::lab::Command;
use crate::lab::pace::{Pace, SPEEDS};
use crate::ui::Button;

/// What a key of the clock and the time line asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Move {
    Toggle,
    Next,
    Previous,
    NextMark,
    PreviousMark,
    Forward,
    Back,
    Start,
    End,
    Speed(usize),
}

/// The move a key stands for; keys that belong to the control that has the focus are left to it.
pub fn key(event: &KeyboardEvent) -> Option<Move> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() {
        return None;
    }
    let name = event.key();
    let target = event.target_dyn_into::<web_sys::Element>().map(|target| target.tag_name()).unwrap_or_default();
    let is_range = event.target_dyn_into::<web_sys::HtmlInputElement>().is_some_and(|input| input.type_() == "range");
    match target.as_str() {
        "BUTTON" | "SUMMARY" if name == " " => return None,
        "SELECT" => return None,
        "INPUT" if !is_range => return None,
        _ => {}
    }
    Some(match (name.as_str(), event.shift_key()) {
        (" ", _) => Move::Toggle,
        ("ArrowRight", false) => Move::Next,
        ("ArrowLeft", false) => Move::Previous,
        ("ArrowRight", true) | ("]", _) => Move::NextMark,
        ("ArrowLeft", true) | ("[", _) => Move::PreviousMark,
        (".", _) => Move::Forward,
        (",", _) => Move::Back,
        ("Home", _) => Move::Start,
        ("End", _) => Move::End,
        (digit, false) => {
            let number = digit.parse::<usize>().ok().filter(|number| (1..=SPEEDS.len()).contains(number))?;
            Move::Speed(number - 1)
        }
        _ => return None,
    })
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub now: Time,
    pub started: Time,
    pub pace: Pace,
    pub past: Option<Time>,
    /// Whether nothing that was asked for is still open.
    pub is_settled: bool,
    pub on: Callback<Command>,
    pub on_move: Callback<Move>,
    pub on_key: Callback<KeyboardEvent>,
}

#[component]
pub fn Clock(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let send = |command: Command| {
        let on = props.on.clone();
        Callback::from(move |_: MouseEvent| on.emit(command.clone()))
    };
    let go = |step: Move| {
        let on = props.on_move.clone();
        Callback::from(move |_: MouseEvent| on.emit(step))
    };
    let change = {
        let on = props.on.clone();
        Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
            if let Some(speed) = chosen {
                on.emit(Command::SetSpeed(speed));
            }
        })
    };
    let pace = &props.pace;
    let (state, word) = match (props.past.is_some(), pace.aim.is_some(), pace.paused) {
        (true, _, _) => ("past", t(Text::Past)),
        (_, true, _) => ("seeking", t(Text::Seeking)),
        (_, _, true) => ("paused", t(Text::Paused)),
        _ if props.is_settled => ("settled", t(Text::Settled)),
        _ => ("running", t(Text::Running)),
    };
    let shown = props.past.unwrap_or(props.now);
    let (_, _, _, hour, minute, second) = shown.civil();
    let date = shown.rfc3339();
    let date = date.get(..10).unwrap_or_default().to_string();
    let hundredth = shown.0.rem_euclid(1_000_000) / 10_000;
    let clock = format!("{hour:02}:{minute:02}:{second:02}.{hundredth:02}");
    let passed = span(props.lang, (shown - props.started).0);
    html! {
        <div class={classes!("clock", state)} role="group" aria-label={t(Text::Clock)} onkeydown={&props.on_key}>
            <div class="face" title={format!("{date} UTC")}>
                <span class="lamp" aria-hidden="true"></span>
                <span class="state">{ word }</span>
                <time class="hands" datetime={shown.rfc3339()}>{ clock }</time>
                <span class="passed">{ format!("+{passed}") }</span>
            </div>
            <div class="moves">
                if pace.aim.is_some() {
                    <Button class="main" onclick={send(Command::Stop)}><Icon name="stop" />
                        <span class="word">{ t(Text::Stop) }</span></Button>
                } else if pace.paused {
                    <Button class="main" onclick={go(Move::Toggle)}><Icon name="play" />
                        <span class="word">{ t(Text::Play) }</span></Button>
                } else {
                    <Button class="main" onclick={go(Move::Toggle)}><Icon name="pause" />
                        <span class="word">{ t(Text::Pause) }</span></Button>
                }
                <Button class="icon-only previous" onclick={go(Move::Previous)} label={t(Text::PreviousEvent)}>
                    <Icon name="previous" />
                </Button>
                <Button class="wordy next" onclick={go(Move::Next)} label={t(Text::NextEvent)}>
                    <Icon name="next" /><span class="word">{ t(Text::NextEvent) }</span>
                </Button>
                <Button class="wordy forward" onclick={go(Move::Forward)} label={t(Text::Step)}>
                    <span class="amount" aria-hidden="true">{ "+1" }<small>{ t(Text::Second) }</small></span>
                </Button>
                <Button class="wordy converge" onclick={send(Command::Converge)} label={t(Text::ToConvergence)}>
                    <Icon name="target" /><span class="word">{ t(Text::ToConvergence) }</span>
                </Button>
                <label class="speed">
                    <span class="unseen">{ t(Text::Speed) }</span>
                    <select onchange={change}>
                        { for SPEEDS.iter().map(|speed| html! {
                            <option value={speed.to_string()} selected={*speed == pace.speed}>
                                { format!("×{speed}") }
                            </option>
                        }) }
                    </select>
                </label>
                if let Some(real) = pace.real.filter(|_| !pace.paused) {
                    <span class="real">{ props.lang.pick(format!("now ×{real}"), format!("実際は ×{real}")) }</span>
                }
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct IconProps {
    name: &'static str,
}

#[component]
fn Icon(props: &IconProps) -> Html {
    let path = match props.name {
        "pause" => "M4 2.5h3v11H4zM9 2.5h3v11H9z",
        "play" => "M4 2.2v11.6L13.5 8z",
        "stop" => "M3.5 3.5h9v9h-9z",
        "previous" => "M3 2.5h2v11H3zM13 2.5 6.500 8l6.500 5.500z",
        "next" => "M3 2.5 9.500 8 3 13.500zM11 2.5h2v11h-2z",
        _ => {
            "M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zm0 2a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9zm0 2.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"
        }
    };
    html! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={path} fill-rule="evenodd" /></svg> }
}
