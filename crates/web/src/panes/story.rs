//! What happened, newest first: the time line in words, and the cluster's own events.

use engine::trace::{Actor, ObjectRef, Role};
use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::lab::story::{Kind, Mark};
use crate::lab::view::{Shared, View, kind_of};
use crate::ui::{Button, Empty, Pane};

/// Lines shown; older ones are in the time line.
const MOST: usize = 150;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub marks: Shared<Vec<Mark>>,
    pub view: Shared<View>,
    pub nodes: Shared<Vec<String>>,
    pub on_select: Callback<ObjectRef>,
}

#[component]
pub fn Story(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let events = use_state(|| false);
    let choose = |value: bool| {
        let events = events.clone();
        Callback::from(move |_: MouseEvent| events.set(value))
    };
    let tools = html! {
        <div class="switch" role="group">
            <Button class="quiet" onclick={choose(false)} pressed={!*events}>{ t(Text::StoryTab) }</Button>
            <Button class="quiet" onclick={choose(true)} pressed={*events}>{ t(Text::Events) }</Button>
        </div>
    };
    let body = if *events {
        cluster_events(lang, &props.view)
    } else if props.marks.is_empty() {
        html! { <Empty text={t(Text::NothingHappened)} /> }
    } else {
        html! {
            <ol class="story">
                { for props.marks.iter().rev().take(MOST).map(|mark| line(lang, mark, &props.nodes, &props.on_select)) }
            </ol>
        }
    };
    let title = if *events { t(Text::KubeEvents) } else { t(Text::Story) };
    html! { <Pane name="story" {title} {tools}>{ body }</Pane> }
}

fn line(lang: Lang, mark: &Mark, nodes: &[String], on_select: &Callback<ObjectRef>) -> Html {
    let click = {
        let (on_select, object) = (on_select.clone(), mark.object.clone());
        Callback::from(move |_: MouseEvent| on_select.emit(object.clone()))
    };
    let (glyph, class) = glyph(mark);
    let text = sentence(lang, mark);
    let has_object = !mark.object.name.is_empty();
    html! {
        <li key={mark.seq} class={classes!(format!("role-{}", role(mark.speaker())), class)}>
            <time>{ clock(mark) }</time>
            <span class="glyph" aria-hidden="true">{ glyph }</span>
            <span class="who" translate="no" lang="en">{ actor(mark.speaker(), nodes) }</span>
            if has_object {
                <button type="button" class="what" onclick={click}>{ text }</button>
            } else {
                <span class="what">{ text }</span>
            }
        </li>
    }
}

pub fn clock(mark: &Mark) -> String {
    let (_, _, _, hour, minute, second) = mark.at.civil();
    format!("{hour:02}:{minute:02}:{second:02}.{:02}", mark.at.0.rem_euclid(1_000_000) / 10_000)
}

pub fn role(actor: Actor) -> &'static str {
    match actor.role() {
        Role::Client => "client",
        Role::Api => "api",
        Role::Recon => "recon",
        Role::Place => "place",
        Role::Node => "node",
        Role::Lab => "lab",
    }
}

/// A name for people: kubelets carry their node's name.
pub fn actor(actor: Actor, nodes: &[String]) -> String {
    match actor {
        Actor::User => "kubectl".into(),
        Actor::Scheduler => "kube-scheduler".into(),
        Actor::Kubelet(index) => match nodes.get(index as usize) {
            Some(node) => format!("kubelet {node}"),
            None => format!("kubelet {index}"),
        },
        other => other.name().trim_end_matches("-controller").to_string(),
    }
}

/// Shape first, colour second.
pub fn glyph(mark: &Mark) -> (&'static str, &'static str) {
    match mark.kind {
        Kind::Command => ("›", "is-command"),
        Kind::Returned(0) => ("⏎", "is-returned"),
        Kind::Returned(_) => ("⏎", "is-returned is-bad"),
        Kind::Converged => ("◉", "is-converged"),
        Kind::Refused(_) => ("⊗", "is-bad"),
        Kind::Span => ("▭", ""),
        Kind::Started => ("■", ""),
        Kind::Stopped(0) => ("□", ""),
        Kind::Stopped(_) => ("□", "is-bad"),
        Kind::Deleted | Kind::Deleting => ("×", ""),
        Kind::Bound => ("⇢", ""),
        Kind::Note => ("⚑", ""),
        Kind::Seen if bad(&mark.detail) => ("▲", "is-bad"),
        Kind::Created => ("●", ""),
        Kind::Changed | Kind::Seen => ("○", ""),
    }
}

fn bad(detail: &str) -> bool {
    ["Err", "BackOff", "Failed", "OOM", "Evicted"]
        .iter()
        .any(|word| detail.rsplit('→').next().unwrap_or("").contains(word))
}

/// What happened in one sentence.
pub fn sentence(lang: Lang, mark: &Mark) -> String {
    let kind = kind_of(&mark.object.resource);
    let thing = format!("{kind} {}", mark.object.name);
    let detail = &mark.detail;
    let tail = |words: (&str, &str)| {
        let text = lang.pick(format!("{} {thing}", words.0), format!("{thing} {}", words.1));
        if detail.is_empty() { text } else { format!("{text}: {detail}") }
    };
    match mark.kind {
        Kind::Command => detail.clone(),
        Kind::Returned(code) => {
            lang.pick(format!("returned with {code}: {detail}"), format!("戻りました（終了コード {code}）: {detail}"))
        }
        Kind::Converged => lang.pick(format!("as declared now: {detail}"), format!("宣言どおりになりました: {detail}")),
        Kind::Created => tail(("created", "を作成")),
        Kind::Changed => tail(("changed", "を変更")),
        Kind::Bound => lang.pick(format!("chose {detail} for {thing}"), format!("{thing} の行き先を {detail} に決定")),
        Kind::Seen => tail(("wrote the status of", "の status を記入")),
        Kind::Deleting => lang.pick(format!("asked {thing} to end"), format!("{thing} に終了を要求")),
        Kind::Deleted => lang.pick(format!("removed {thing}"), format!("{thing} を削除")),
        Kind::Refused(code) => lang.pick(format!("refused ({code}): {detail}"), format!("拒否 ({code}): {detail}")),
        Kind::Span => tail(("works on", "の作業")),
        Kind::Started => {
            lang.pick(format!("started container {detail} of {thing}"), format!("{thing} のコンテナ {detail} を起動"))
        }
        Kind::Stopped(code) => lang.pick(
            format!("container {detail} of {thing} ended with {code}"),
            format!("{thing} のコンテナ {detail} が終了（コード {code}）"),
        ),
        Kind::Note => detail.clone(),
    }
}

fn cluster_events(lang: Lang, view: &View) -> Html {
    if view.events.is_empty() {
        return html! { <Empty text={lang.t(Text::NoEvents)} /> };
    }
    html! {
        <ol class="events" translate="no" lang="en">
            { for view.events.iter().map(|event| {
                let (_, _, _, hour, minute, second) = event.at.civil();
                html! {
                    <li class={if event.is_warning { "warning" } else { "normal" }}>
                        <time>{ format!("{hour:02}:{minute:02}:{second:02}") }</time>
                        <span class="reason">{ if event.is_warning { "▲ " } else { "" } }{ &event.reason }
                            if event.count > 1 { <span class="dim">{ format!(" ×{}", event.count) }</span> }</span>
                        <span class="about">{ &event.about }</span>
                        <span class="message">{ &event.message }</span>
                    </li>
                }
            }) }
        </ol>
    }
}
