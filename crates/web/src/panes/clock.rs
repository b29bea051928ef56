//! The clock: virtual time, how fast it runs, and the ways to move it.

use engine::base::Time;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::i18n::{Lang, Text, span};
use crate::lab::Command;
use crate::lab::pace::{Pace, SPEEDS};
use crate::ui::Button;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub now: Time,
    pub started: Time,
    pub pace: Pace,
    pub on: Callback<Command>,
}

#[component]
pub fn Clock(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let send = |command: Command| {
        let on = props.on.clone();
        Callback::from(move |_: MouseEvent| on.emit(command.clone()))
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
    let (state, word) = match (pace.aim.is_some(), pace.paused) {
        (true, _) => ("seeking", t(Text::Seeking)),
        (_, true) => ("paused", t(Text::Paused)),
        _ => ("running", t(Text::Running)),
    };
    let (_, _, _, hour, minute, second) = props.now.civil();
    let date = props.now.rfc3339();
    let date = date.get(..10).unwrap_or_default().to_string();
    let tenth = props.now.0.rem_euclid(1_000_000) / 100_000;
    let clock = format!("{hour:02}:{minute:02}:{second:02}.{tenth}");
    let passed = span(props.lang, (props.now - props.started).0);
    html! {
        <div class={classes!("clock", state)} role="group" aria-label={t(Text::Clock)}>
            <div class="face" title={format!("{word} · +{passed}")}>
                <span class="lamp" aria-hidden="true"></span>
                <time class="now" datetime={props.now.rfc3339()}>
                    <span class="date">{ date }</span>
                    <span class="hands">{ clock }</span>
                </time>
                <span class="utc">{ "UTC" }</span>
            </div>
            <div class="moves">
                if pace.aim.is_some() {
                    <Button class="main" onclick={send(Command::Stop)}><Icon name="stop" />{ t(Text::Stop) }</Button>
                } else if pace.paused {
                    <Button class="main" onclick={send(Command::SetPaused(false))}>
                        <Icon name="play" />{ t(Text::Play) }
                    </Button>
                } else {
                    <Button class="main" onclick={send(Command::SetPaused(true))}>
                        <Icon name="pause" />{ t(Text::Pause) }
                    </Button>
                }
                <Button class="icon-only" onclick={send(Command::Step)} label={t(Text::Step)}>
                    <Icon name="step" />
                </Button>
                <Button class="wordy" onclick={send(Command::NextEvent)} label={t(Text::NextEvent)}>
                    <Icon name="next" /><span class="word">{ t(Text::NextEvent) }</span>
                </Button>
                <Button class="wordy" onclick={send(Command::Converge)} label={t(Text::ToConvergence)}>
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
                if let Some(real) = pace.real {
                    <span class="real">{ format!("→ ×{real}") }</span>
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
        "step" => "M3 2.5h2v11H3zM6.5 2.5 13 8l-6.500 5.500z",
        "next" => "M2.500 2.500 8 8l-5.500 5.500zM8 2.500 13.500 8 8 13.500z",
        _ => {
            "M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zm0 2a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9zm0 2.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"
        }
    };
    html! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={path} fill-rule="evenodd" /></svg> }
}
