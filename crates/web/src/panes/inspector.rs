//! The inspector: what is wanted beside what has been seen, and who wrote each line.

use engine::trace::ObjectRef;
use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::lab::inspect::{Inspection, Row, Writer};
use crate::lab::view::Shared;
use crate::ui::{Button, Empty, Pane};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub selected: Option<ObjectRef>,
    /// Nothing when the selected object is gone.
    pub inspection: Option<Shared<Inspection>>,
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
    let tools = match &props.selected {
        Some(_) => html! { <Button class="quiet" onclick={close}>{ t(Text::Close) }</Button> },
        None => html! {},
    };
    let body = match (&props.selected, &props.inspection) {
        (None, _) => html! { <Empty text={t(Text::PickSomething)} /> },
        (Some(object), None) => html! {
            <>
                <p class="object" translate="no" lang="en"><b>{ object.name.as_str() }</b></p>
                <Empty text={t(Text::Gone)} />
            </>
        },
        (Some(_), Some(inspection)) => html! { <Fields {lang} inspection={inspection.clone()} /> },
    };
    html! { <Pane name="inspector" title={t(Text::Inspector)} {tools}>{ body }</Pane> }
}

#[derive(Properties, PartialEq)]
struct FieldsProps {
    lang: Lang,
    inspection: Shared<Inspection>,
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
                    <ul class="rows" translate="no" lang="en">{ for rows.iter().map(|row| field(lang, row)) }</ul>
                }
            </section>
        }
    };
    html! {
        <>
            <p class="object" translate="no" lang="en">
                <span class="kind">{ &it.kind }</span><b>{ &it.name }</b>
                if !it.namespace.is_empty() { <span class="place">{ &it.namespace }</span> }
                if it.is_deleting { <span class="mark warn">{ "Terminating" }</span> }
            </p>
            if let Some((kind, name)) = &it.owner {
                <p class="note">{ t(Text::OwnedBy) }{ " " }<code>{ format!("{kind}/{name}") }</code></p>
            }
            if let Some((is_behind, words)) = generation {
                <p class={classes!("generation", is_behind.then_some("behind"))}>{ words }</p>
            }
            <p class="legend" translate="no" lang="en">
                { for writers(&it.spec, &it.status).into_iter().map(|writer| html! {
                    <span>{ chip(lang, writer) }
                        { if writer.name.is_empty() { "default".to_string() } else { short(&writer.name) } }</span>
                }) }
            </p>
            <div class="columns">
                { column("wanted", Text::Spec, &it.spec, Text::NothingWanted) }
                { column("seen", Text::Status, &it.status, Text::NothingSeen) }
            </div>
            <details class="more">
                <summary>{ t(Text::Owners) }</summary>
                <ul class="managers" translate="no" lang="en">
                    { for it.managers.iter().map(|manager| html! {
                        <li>
                            { chip(lang, &manager.writer) }
                            <span><b>{ &manager.writer.name }</b>{ format!(" {}", manager.operation) }
                                if !manager.subresource.is_empty() { { format!(" · {}", manager.subresource) } }
                                <br /><span class="dim">{ &manager.time }</span></span>
                        </li>
                    }) }
                    <li lang={lang.tag()}>
                        { chip(lang, &Writer { letter: 'A', role: "api", name: String::new() }) }
                        <span>{ t(Text::Defaulted) }</span>
                    </li>
                </ul>
            </details>
            <details class="more">
                <summary>{ t(Text::Metadata) }</summary>
                <ul class="rows" translate="no" lang="en">{ for it.metadata.iter().map(|row| field(lang, row)) }</ul>
            </details>
        </>
    }
}

/// Everyone who wrote something, in the order of appearance.
fn writers<'a>(spec: &'a [Row], status: &'a [Row]) -> Vec<&'a Writer> {
    let mut found: Vec<&Writer> = Vec::new();
    for writer in spec.iter().chain(status).flat_map(|row| &row.writers) {
        if !found.contains(&writer) {
            found.push(writer);
        }
    }
    found
}

fn short(manager: &str) -> String {
    manager.trim_start_matches("kube-").to_string()
}

fn field(lang: Lang, row: &Row) -> Html {
    let depth = row.depth.min(8);
    html! {
        <li key={row.path.clone()} class={classes!("row", format!("depth-{depth}"))}>
            <span class="text">
                if row.is_item { <span class="dash">{ "- " }</span> }
                if !row.key.is_empty() { <span class="key">{ format!("{}:", row.key) }</span>{ " " } }
                if let Some(value) = &row.value { <span class="value">{ value }</span> }
            </span>
            <span class="chips">{ for row.writers.iter().map(|writer| chip(lang, writer)) }</span>
        </li>
    }
}

fn chip(lang: Lang, writer: &Writer) -> Html {
    let name = if writer.name.is_empty() { lang.t(Text::Defaulted).to_string() } else { writer.name.clone() };
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
