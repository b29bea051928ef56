//! Side by side: what Kubernetes and what Terraform make of the same wish, on one clock. The lanes below show the same
//! by role.

use engine::base::Time;
use engine::trace::ObjectRef;
use yew::prelude::*;

use super::cluster::{choose, sign};
use super::story::actor;
use crate::i18n::{Lang, Text, span};
use crate::lab::sides::{Apply, Shock, Side, Thing, Tool};
use crate::lab::view::Shared;
use crate::ui::{Button, Pane};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub sides: Shared<[Side; 2]>,
    pub nodes: Shared<Vec<String>>,
    pub selected: Option<ObjectRef>,
    /// The instant shown, and whether the shell waits for a command.
    pub at: Time,
    pub is_ready: bool,
    pub is_past: bool,
    pub on_select: Callback<ObjectRef>,
    pub on: Callback<Act>,
    pub on_close: Callback<MouseEvent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Apply,
    Kill,
    Plan,
}

#[component]
pub fn Compare(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let act = |what: Act| {
        let on = props.on.clone();
        Callback::from(move |_: MouseEvent| on.emit(what))
    };
    let is_off = !props.is_ready || props.is_past;
    let can_kill = props.sides.iter().any(|side| !side.things.is_empty());
    let tools = html! {
        <>
            <Button class="main" onclick={act(Act::Apply)} disabled={is_off}>{ t(Text::ApplyBoth) }</Button>
            <Button onclick={act(Act::Kill)} disabled={props.is_past || !can_kill}>{ t(Text::KillBoth) }</Button>
            <Button onclick={act(Act::Plan)} disabled={is_off}><span lang="en" translate="no">{ "terraform plan" }</span></Button>
            <Button class="quiet icon-only compare" onclick={&props.on_close} label={t(Text::BackToCluster)}>
                <span aria-hidden="true">{ "×" }</span></Button>
        </>
    };
    html! {
        <Pane name="compare" title={t(Text::SideBySide)} {tools}>
            <div class="sides">{ for props.sides.iter().map(|side| column(props, side)) }</div>
        </Pane>
    }
}

fn column(props: &Props, side: &Side) -> Html {
    let lang = props.lang;
    let (name, class, labels) = match side.tool {
        Tool::Kubernetes => ("Kubernetes", "of-kubernetes", [Text::CountSpec, Text::CountMade, Text::CountReady]),
        Tool::Terraform => ("Terraform", "of-terraform", [Text::CountConfig, Text::CountState, Text::CountRunning]),
    };
    let heading = format!("side-{class}");
    let numbers = side.counts.iter().zip(labels).map(|(count, label)| {
        let text = count.map_or("–".to_string(), |count| count.to_string());
        html! { <span class="count"><b>{ text }</b><span>{ lang.t(label) }</span></span> }
    });
    let [wanted, .., running] = side.counts;
    let state = if wanted.is_none() || wanted == running { "settled" } else { "open" };
    html! {
        <section class={classes!("side", class)} aria-labelledby={heading.clone()}>
            <h3 id={heading} lang="en" translate="no">{ name }</h3>
            <div class={classes!("counts", state)}>{ for numbers }</div>
            <ul class="sayings">
                { said(lang, side.apply.as_ref().map(|apply| apply_words(lang, side.tool, apply)), Text::NotApplied) }
                if let Some(shock) = &side.shock { { shock_words(props, side.tool, shock) } }
            </ul>
            if side.things.is_empty() {
                <p class="none">{ lang.t(if side.tool == Tool::Kubernetes { Text::NoPodYet } else { Text::NoContainerYet }) }</p>
            }
            <ul class="pods">{ for side.things.iter().map(|thing| tile(props, side.tool, thing)) }</ul>
        </section>
    }
}

fn said(lang: Lang, lines: Option<Vec<(&'static str, String)>>, otherwise: Text) -> Html {
    match lines {
        Some(lines) => html! { { for lines.into_iter().map(|(sign, words)| line(sign, words)) } },
        None => html! { <li class="dim">{ lang.t(otherwise) }</li> },
    }
}

fn line(sign: &'static str, words: String) -> Html {
    let class = match sign {
        "◉" => "is-true",
        "✕" => "is-bad",
        "…" => "is-open",
        _ => "",
    };
    html! { <li {class}><span class="sign" aria-hidden="true">{ sign }</span><span>{ words }</span></li> }
}

/// When the apply came back, and when the world was as declared.
fn apply_words(lang: Lang, tool: Tool, apply: &Apply) -> Vec<(&'static str, String)> {
    let since = |from: Time, to: Time| span(lang, (to - from).0);
    let Some((back, code)) = apply.returned else {
        return vec![("…", lang.t(Text::ApplyRuns).into())];
    };
    let took = since(apply.from, back);
    let returned = lang.pick(
        format!("returned after {took} with exit code {code}"),
        format!("{took}後に終了コード {code} で戻りました"),
    );
    let mut lines = vec![(if code == 0 { "⏎" } else { "✕" }, returned)];
    match apply.truth {
        Some(truth) if truth <= back => {
            let before = since(truth, back);
            lines.push((
                "◉",
                lang.pick(format!("running {before} before that"), format!("その {before}前から動いています")),
            ));
        }
        Some(truth) => {
            let after = since(back, truth);
            lines.push((
                "◉",
                lang.pick(format!("true {after} after that"), format!("その {after}後に宣言どおりになりました")),
            ));
        }
        None if tool == Tool::Kubernetes && code == 0 => lines.push(("…", lang.t(Text::NotYet).into())),
        None => {}
    }
    if let (Some(truth), Some(lost)) = (apply.truth, apply.lost) {
        let lasted = since(truth, lost);
        lines.push((
            "✕",
            lang.pick(format!("a container ended {lasted} later"), format!("{lasted}後にコンテナが終わりました")),
        ));
    }
    lines
}

fn shock_words(props: &Props, tool: Tool, shock: &Shock) -> Html {
    let lang = props.lang;
    let since = |to: Time| span(lang, (to - shock.at).0);
    let noticed = match &shock.noticed {
        Some((at, by)) => {
            let after = since(*at);
            let by = if tool == Tool::Terraform { "terraform plan".into() } else { actor(*by, &props.nodes) };
            let words = lang.pick(
                format!("killed; noticed after {after} by {by}"),
                format!("止められ、{after}後に {by} が気づきました"),
            );
            line("▷", words)
        }
        None if tool == Tool::Terraform => {
            let ago = since(props.at);
            let words = lang.pick(
                format!("killed {ago} ago; nobody has looked. The next plan will"),
                format!("止められて {ago}。誰も見ていません。気づくのは次の plan です"),
            );
            line("…", words)
        }
        None => line("…", lang.t(Text::NotNoticed).into()),
    };
    let mended = shock.mended.map(|at| {
        let after = since(at);
        let words =
            lang.pick(format!("running again {after} after the kill"), format!("{after}後にはまた動いています"));
        line("◉", words)
    });
    html! { <>{ noticed }{ mended.unwrap_or_default() }</> }
}

fn tile(props: &Props, tool: Tool, thing: &Thing) -> Html {
    let (class, shape) = sign(thing.health);
    let is_chosen = props.selected.as_ref() == Some(&thing.object);
    let inside = html! {
        <>
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d={shape} fill-rule="evenodd" /></svg>
            <span class="name">{ thing.object.name.as_str() }</span>
            <span class="word">{ &thing.word }</span>
        </>
    };
    if tool == Tool::Terraform {
        return html! { <li key={thing.object.uid.to_string()} translate="no" lang="en"><span class={classes!("tile", class)}>{ inside }</span></li> };
    }
    html! {
        <li key={thing.object.uid.to_string()} translate="no" lang="en">
            <button type="button" class={classes!("tile", class, is_chosen.then_some("chosen"))}
                aria-pressed={is_chosen.to_string()} onclick={choose(&props.on_select, &thing.object)}>{ inside }</button>
        </li>
    }
}
