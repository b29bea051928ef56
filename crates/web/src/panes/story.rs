//! What happened, newest first: the time line in words, and the cluster's own events.

use engine::base::Time;
use engine::trace::{Actor, ObjectRef, Role, Seq};
use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::lab::lanes::ALL;
use crate::lab::story::{Kind, Mark};
use crate::lab::view::{EventView, Shared, View, kind_of};
use crate::lab::why::Question;
use crate::ui::{Button, Empty, Pane};

/// Lines shown; older ones are in the time line.
const MOST: usize = 150;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub marks: Shared<Vec<Mark>>,
    pub view: Shared<View>,
    pub nodes: Shared<Vec<String>>,
    pub picked: Option<Seq>,
    pub past: Option<Time>,
    pub on_pick: Callback<(Seq, ObjectRef)>,
    pub on_ask: Callback<Question>,
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
        event_list(lang, &props.view.events.iter().collect::<Vec<_>>(), &props.on_ask)
    } else if props.marks.is_empty() {
        html! { <Empty text={t(Text::NothingHappened)} /> }
    } else {
        html! {
            <ol class="story">
                { for props.marks.iter().rev().take(MOST).map(|mark| line(props, mark)) }
            </ol>
        }
    };
    let title = if *events { t(Text::KubeEvents) } else { t(Text::Story) };
    html! { <Pane name="story" {title} {tools}>{ body }</Pane> }
}

fn line(props: &Props, mark: &Mark) -> Html {
    let lang = props.lang;
    let click = {
        let (on_pick, seq, object) = (props.on_pick.clone(), mark.seq, mark.object.clone());
        Callback::from(move |_: MouseEvent| on_pick.emit((seq, object.clone())))
    };
    let (glyph, class) = glyph(mark);
    let is_picked = props.picked == Some(mark.seq);
    let later = props.past.is_some_and(|at| mark.at > at).then_some("later");
    html! {
        <li key={mark.seq} class={classes!(format!("role-{}", role(mark.speaker())), class, later,
            is_picked.then_some("picked"))}>
            <time>{ clock(mark) }</time>
            <span class="glyph" aria-hidden="true">{ glyph }</span>
            <span class="who" translate="no" lang="en">{ actor(mark.speaker(), &props.nodes) }</span>
            <button type="button" class="what" aria-pressed={is_picked.to_string()} onclick={click}>
                { sentence(lang, mark) }
                if mark.more > 0 {
                    <b>{ lang.pick(format!(" and {} more like it", mark.more), format!("（同様のものが他に {} 件）", mark.more)) }</b>
                }
            </button>
        </li>
    }
}

pub fn clock(mark: &Mark) -> String {
    let (_, _, _, hour, minute, second) = mark.at.civil();
    format!("{hour:02}:{minute:02}:{second:02}.{:02}", mark.at.0.rem_euclid(1_000_000) / 10_000)
}

/// The same for what is known by the second.
pub fn second(at: Time) -> String {
    let (_, _, _, hour, minute, second) = at.civil();
    format!("{hour:02}:{minute:02}:{second:02}")
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
        Actor::User => "workstation".into(),
        Actor::Scheduler => "kube-scheduler".into(),
        // What the simulator itself has to say.
        Actor::Lab => "Drydock".into(),
        Actor::Kubelet(ALL) => "kubelets".into(),
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
        Kind::Told { is_warning: true } => ("◷", "is-bad"),
        Kind::Told { is_warning: false } => ("◷", ""),
        Kind::Look => ("▷", ""),
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
    // Docker's containers are no objects of the cluster.
    let is_container = mark.object.resource == "containers";
    let kind =
        if is_container { lang.pick("container", "コンテナ").into() } else { kind_of(&mark.object.resource) };
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
        Kind::Started if is_container => lang.pick(format!("started {thing}"), format!("{thing} を起動")),
        Kind::Stopped(code) if is_container => {
            lang.pick(format!("{thing} ended with {code}"), format!("{thing} が終了（コード {code}）"))
        }
        Kind::Started => {
            lang.pick(format!("started container {detail} of {thing}"), format!("{thing} のコンテナ {detail} を起動"))
        }
        Kind::Stopped(code) => lang.pick(
            format!("container {detail} of {thing} ended with {code}"),
            format!("{thing} のコンテナ {detail} が終了（コード {code}）"),
        ),
        Kind::Told { .. } => lang.pick(format!("told of {thing}: {detail}"), format!("{thing} について: {detail}")),
        Kind::Look => lang.pick(format!("looked at {thing}"), format!("{thing} を確認")),
        Kind::Note => detail.clone(),
    }
}

/// The cluster's own events; a click asks why one was told.
pub fn event_list(lang: Lang, events: &[&EventView], on_ask: &Callback<Question>) -> Html {
    if events.is_empty() {
        return html! { <Empty text={lang.t(Text::NoEvents)} /> };
    }
    html! {
        <ol class="events" translate="no" lang="en">
            { for events.iter().map(|event| {
                let ask = {
                    let (on_ask, object) = (on_ask.clone(), event.object.clone());
                    Callback::from(move |_: MouseEvent| on_ask.emit(Question::Object(object.clone())))
                };
                html! {
                    <li class={if event.is_warning { "warning" } else { "normal" }}>
                        <time>{ second(event.at) }</time>
                        <span class="reason">{ if event.is_warning { "▲ " } else { "" } }{ &event.reason }
                            if event.count > 1 { <span class="dim">{ format!(" ×{}", event.count) }</span> }</span>
                        <Button class="quiet ask" onclick={ask}><span lang={lang.tag()}>{ lang.t(Text::Why) }</span></Button>
                        <span class="about">{ &event.about }</span>
                        <span class="message">{ &event.message }</span>
                    </li>
                }
            }) }
        </ol>
    }
}
