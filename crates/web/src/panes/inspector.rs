//! The inspector: what is wanted beside what has been seen, and who wrote each line.

use engine::base::Time;
use engine::trace::ObjectRef;
use yew::prelude::*;

use super::story::{actor, clock, event_list, glyph, role, second, sentence};
use crate::i18n::{Lang, Text};
use crate::lab::inspect::{Inspection, Row, Writer, defaulted};
use crate::lab::story::{Kind, Mark};
use crate::lab::view::{EventView, Shared, View, kind_of};
use crate::lab::why::Question;
use crate::ui::{Button, Empty, Pane};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tab {
    Fields,
    Yaml,
    Events,
    Why,
}

const TABS: [(Tab, Text); 4] =
    [(Tab::Fields, Text::TabFields), (Tab::Yaml, Text::TabYaml), (Tab::Events, Text::TabEvents), (Tab::Why, Text::Why)];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub selected: Option<ObjectRef>,
    /// Nothing when the selected object is gone.
    pub inspection: Option<Shared<Inspection>>,
    pub tab: Tab,
    pub view: Shared<View>,
    /// The answer to the question, newest first.
    pub chain: Shared<Vec<Mark>>,
    pub question: Option<Question>,
    pub nodes: Shared<Vec<String>>,
    pub past: Option<Time>,
    pub on_tab: Callback<Tab>,
    pub on_ask: Callback<Question>,
    pub on_seek: Callback<Option<Time>>,
    pub on_close: Callback<()>,
}

#[component]
pub fn Inspector(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let close = {
        let on_close = props.on_close.clone();
        Callback::from(move |_: MouseEvent| on_close.emit(()))
    };
    let is_open = props.selected.is_some() || props.question.is_some();
    let tools = html! {
        if is_open { <Button class="quiet" onclick={close}>{ t(Text::Close) }</Button> }
    };
    if !is_open {
        return html! { <Pane name="inspector" title={t(Text::Inspector)}><Empty text={t(Text::PickSomething)} /></Pane> };
    }
    let tabs = TABS.iter().map(|(tab, text)| {
        let (tab, on_tab) = (*tab, props.on_tab.clone());
        html! {
            <Button class="quiet" pressed={tab == props.tab} onclick={move |_| on_tab.emit(tab)}>{ t(*text) }</Button>
        }
    });
    let body = match (&props.inspection, props.tab) {
        (_, Tab::Why) => answer(props),
        (None, _) if props.past.is_some() => html! { <Empty text={t(Text::NotYetThere)} /> },
        (None, _) => html! { <Empty text={t(Text::Gone)} /> },
        (Some(it), Tab::Yaml) => html! { <pre class="yaml" tabindex="0" translate="no" lang="en">{ &it.yaml }</pre> },
        (Some(_), Tab::Events) => {
            let of = |event: &&EventView| props.selected.as_ref().is_some_and(|object| object.uid == event.uid);
            event_list(lang, &props.view.events.iter().filter(of).collect::<Vec<_>>(), &props.on_ask)
        }
        (Some(it), Tab::Fields) => {
            let ask = {
                let (on_ask, object) = (props.on_ask.clone(), props.selected.clone());
                Callback::from(move |kind: String| {
                    if let Some(object) = object.clone() {
                        on_ask.emit(Question::Condition(object, kind));
                    }
                })
            };
            html! { <Fields {lang} inspection={it.clone()} {ask} /> }
        }
    };
    html! {
        <Pane name="inspector" title={t(Text::Inspector)} {tools}>
            { heading(props) }
            if let Some(at) = props.inspection.as_ref().and_then(|it| it.gone) {
                <p class="generation behind gone">{ t(Text::GoneSince) }{ " " }<time>{ second(at) }</time></p>
            }
            <div class="switch inner" role="group" aria-label={t(Text::Inspector)}>{ for tabs }</div>
            { body }
        </Pane>
    }
}

fn heading(props: &Props) -> Html {
    let Some(object) = &props.selected else { return html! {} };
    let is_deleting = props.inspection.as_ref().is_some_and(|it| it.is_deleting && it.gone.is_none());
    html! {
        <p class="object" translate="no" lang="en">
            <span class="kind">{ kind_of(&object.resource) }</span><b>{ object.name.as_str() }</b>
            if !object.namespace.is_empty() { <span class="place">{ object.namespace.as_str() }</span> }
            if is_deleting { <span class="mark warn">{ "Terminating" }</span> }
        </p>
    }
}

/// The chain of causes: each step goes to its instant.
fn answer(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let heading = match &props.question {
        None => return html! { <Empty text={t(Text::PickEvent)} /> },
        Some(Question::Object(object)) => {
            format!("{}: {} {}", t(Text::WhyObject), kind_of(&object.resource), object.name)
        }
        Some(Question::Condition(_, kind)) => format!("{}: {kind}", t(Text::WhyCondition)),
        Some(Question::Entry(_)) => t(Text::WhyEntry).to_string(),
    };
    let steps = props.chain.iter().map(|mark| {
        let at = mark.at;
        let seek = {
            let on_seek = props.on_seek.clone();
            Callback::from(move |_: MouseEvent| on_seek.emit(Some(at)))
        };
        let (sign, class) = glyph(mark);
        let is_here = props.past == Some(at);
        html! {
            <li key={mark.seq} class={classes!(format!("role-{}", role(mark.speaker())), class, is_here.then_some("here"))}>
                <span class="glyph" aria-hidden="true">{ sign }</span>
                <button type="button" class="what" onclick={seek}>
                    <span class="who" translate="no" lang="en">{ actor(mark.speaker(), &props.nodes) }</span>
                    <time>{ clock(mark) }</time>
                    <span class="words">{ sentence(lang, mark) }</span>
                </button>
            </li>
        }
    });
    let steps: Vec<Html> = steps.collect();
    let is_whole = props.chain.last().is_some_and(|mark| mark.kind == Kind::Command);
    let end = match (steps.is_empty(), is_whole) {
        (_, true) => None,
        (true, _) => Some(Text::WhySetup),
        (false, _) => Some(Text::WhyUnknown),
    };
    html! {
        <>
            <p class="note">{ heading }</p>
            <ol class="why">{ for steps }</ol>
            if let Some(text) = end { <p class="none">{ t(text) }</p> }
        </>
    }
}

#[derive(Properties, PartialEq)]
struct FieldsProps {
    lang: Lang,
    inspection: Shared<Inspection>,
    /// Asks why a condition has its status.
    ask: Callback<String>,
}

#[component]
fn Fields(props: &FieldsProps) -> Html {
    let (lang, it) = (props.lang, &props.inspection);
    let t = |text| lang.t(text);
    let generation = it.generation.map(|(wanted, seen)| generation(lang, wanted, seen));
    let column = |class: &'static str, title: Text, rows: &[Row], empty: Text| {
        html! {
            <section class={classes!("column", class)}>
                <h3>{ t(title) }</h3>
                if rows.is_empty() {
                    <p class="none">{ t(empty) }</p>
                } else {
                    <ul class="rows" translate="no" lang="en">{ for rows.iter().map(|row| field(lang, row, &props.ask)) }</ul>
                }
            </section>
        }
    };
    html! {
        <>
            if let Some((kind, name)) = &it.owner {
                <p class="note">{ t(Text::OwnedBy) }{ " " }<code>{ format!("{kind}/{name}") }</code></p>
            }
            if let Some((is_behind, words)) = generation {
                <p class={classes!("generation", is_behind.then_some("behind"))}>{ words }</p>
            }
            <p class="legend" translate="no" lang="en">
                { for writers(&it.spec, &it.status).into_iter().map(|writer| html! {
                    <span>{ chip(lang, writer) }
                        { short(writer) }</span>
                }) }
            </p>
            <div class="columns">
                { column("wanted", Text::Spec, &it.spec, Text::NothingWanted) }
                { column("seen", Text::Status, &it.status, Text::NothingSeen) }
            </div>
            <details class="more">
                <summary>{ t(Text::Owners) }</summary>
                <ul class="managers" translate="no" lang="en">
                    { for it.managers.iter().map(|writer| html! {
                        <li>
                            { chip(lang, writer) }
                            <span><b>{ &writer.name }</b>
                                if !writer.part.is_empty() { { format!(" ({})", writer.part) } }
                                <br /><span class="dim">{ &writer.entry }</span></span>
                        </li>
                    }) }
                    <li lang={lang.tag()}>
                        { chip(lang, &defaulted()) }
                        <span>{ t(Text::Defaulted) }</span>
                    </li>
                </ul>
            </details>
            <details class="more">
                <summary>{ t(Text::Metadata) }</summary>
                <ul class="rows" translate="no" lang="en">{ for it.metadata.iter().map(|row| field(lang, row, &props.ask)) }</ul>
            </details>
        </>
    }
}

/// Everyone who wrote something, in the order of appearance.
fn writers<'a>(spec: &'a [Row], status: &'a [Row]) -> Vec<&'a Writer> {
    let mut found: Vec<&Writer> = Vec::new();
    for writer in spec.iter().chain(status).flat_map(|row| &row.writers) {
        if !found.iter().any(|known| (known.letter, &known.name) == (writer.letter, &writer.name)) {
            found.push(writer);
        }
    }
    found
}

fn short(writer: &Writer) -> String {
    match (writer.part, writer.name.as_str()) {
        ("", "") => "default".to_string(),
        ("", name) => name.trim_start_matches("kube-").to_string(),
        (part, _) => part.to_string(),
    }
}

fn field(lang: Lang, row: &Row, ask: &Callback<String>) -> Html {
    let depth = row.depth.min(8);
    let is_condition = row.is_item && row.path.starts_with("status.conditions.") && !row.key.is_empty();
    let why = is_condition.then(|| {
        let (ask, kind) = (ask.clone(), row.key.clone());
        html! {
            <Button class="quiet ask" onclick={move |_| ask.emit(kind.clone())}>
                <span lang={lang.tag()}>{ lang.t(Text::Why) }</span></Button>
        }
    });
    html! {
        <li key={row.path.clone()} class={classes!("row", format!("depth-{depth}"))}>
            <span class="text">
                if row.is_item { <span class="dash">{ "- " }</span> }
                if !row.key.is_empty() { <span class="key">{ format!("{}:", row.key) }</span>{ " " } }
                if let Some(value) = &row.value { <span class="value">{ value }</span> }
            </span>
            { why }
            <span class="chips">{ for row.writers.iter().map(|writer| chip(lang, writer)) }</span>
        </li>
    }
}

/// What a chip's letter stands for.
pub fn title(lang: Lang, writer: &Writer) -> String {
    match (writer.name.as_str(), writer.part, writer.entry.as_str()) {
        ("", _, _) => lang.t(Text::Defaulted).to_string(),
        (name, "", "") => name.to_string(),
        (name, "", entry) => format!("{name} · {entry}"),
        (name, part, entry) => format!("{name} ({part}) · {entry}"),
    }
}

fn chip(lang: Lang, writer: &Writer) -> Html {
    let name = title(lang, writer);
    html! {
        <abbr class={classes!("chip", format!("role-{}", writer.role))} title={name.clone()}>
            <span aria-hidden="true">{ writer.letter }</span><span class="unseen">{ name }</span>
        </abbr>
    }
}

/// metadata.generation beside status.observedGeneration, in words; true when the controller is behind.
fn generation(lang: Lang, wanted: i64, seen: Option<i64>) -> (bool, String) {
    let words = match seen {
        Some(seen) if seen >= wanted => lang.pick(
            format!("generation {wanted}, and observedGeneration is {seen}: this wish has been seen."),
            format!("generation {wanted}、observedGeneration も {seen} です。この宣言はすでに読まれています。"),
        ),
        Some(seen) => lang.pick(
            format!("generation {wanted}, but only {seen} has been seen: the status below is about an older wish."),
            format!(
                "generation {wanted} に対して、見られたのは {seen} までです。下の status は古い宣言についてのものです。"
            ),
        ),
        None => lang.pick(
            format!("generation {wanted}; no status says which one it has seen."),
            format!("generation {wanted} です。どの世代を見たかは、まだどこにも書かれていません。"),
        ),
    };
    (seen.is_some_and(|seen| seen < wanted), words)
}
