//! The objects as a table: what owns what, which generation was seen, and which conditions hold.

use engine::trace::ObjectRef;
use yew::prelude::*;

use super::cluster::choose;
use super::sights::{Sight, Switch};
use crate::i18n::{Lang, Text};
use crate::lab::roster::{Line, Roster};
use crate::lab::view::Shared;
use crate::ui::{Empty, Pane};

/// Good conditions up to this many are named; more are counted.
const MOST_NAMED: usize = 2;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub roster: Shared<Roster>,
    pub selected: Option<ObjectRef>,
    pub on_select: Callback<ObjectRef>,
    pub on_sight: Callback<Sight>,
}

#[component]
pub fn Objects(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let head = html! { <Switch {lang} sight={Sight::Objects} on={&props.on_sight} /> };
    let more = props.roster.more;
    html! {
        <Pane name="cluster" title={t(Text::Objects)} {head}>
            if props.roster.lines.is_empty() {
                <Empty text={t(Text::NoObjects)} />
            } else {
                <table class="objects">
                    <thead><tr>
                        <th scope="col">{ t(Text::Object) }</th>
                        <th scope="col" lang="en" translate="no">{ "generation" }</th>
                        <th scope="col" lang="en" translate="no">{ "conditions" }</th>
                    </tr></thead>
                    <tbody>{ for props.roster.lines.iter().map(|line| row(props, line)) }</tbody>
                </table>
            }
            if more > 0 {
                <p class="none">{ lang.pick(format!("and {more} more"), format!("ほかに {more} 件")) }</p>
            }
        </Pane>
    }
}

fn row(props: &Props, line: &Line) -> Html {
    let lang = props.lang;
    let is_chosen = props.selected.as_ref() == Some(&line.object);
    let generation = line.generation.map(|(wanted, seen)| match seen {
        Some(seen) if seen < wanted => html! {
            <span class="behind">{ lang.pick(format!("{wanted}, seen {seen}"), format!("{wanted}（確認済み {seen}）")) }</span>
        },
        Some(_) => html! { <>{ wanted }<span class="ok" aria-hidden="true">{ " ✓" }</span></> },
        None => html! { { wanted } },
    });
    let place = Some(line.object.namespace.as_str()).filter(|name| !name.is_empty() && *name != "default");
    html! {
        <tr key={line.object.uid.to_string()} class={is_chosen.then_some("chosen")}>
            <th scope="row" class={format!("depth-{}", line.depth.min(4))} lang="en" translate="no">
                <button type="button" class="what" aria-pressed={is_chosen.to_string()} onclick={choose(&props.on_select, &line.object)}>
                    <span class="kind">{ &line.kind }</span>{ " " }<span class="name">{ line.object.name.as_str() }</span>
                    if let Some(place) = place { { " " }<span class="place">{ place }</span> }
                </button>
            </th>
            <td>{ generation.unwrap_or_default() }</td>
            <td lang="en" translate="no">{ conditions(line) }</td>
        </tr>
    }
}

/// What does not hold as it should comes first, by name.
fn conditions(line: &Line) -> Html {
    let (good, bad): (Vec<_>, Vec<_>) = line.conditions.iter().partition(|it| it.is_good);
    // A Pod that has ended is no longer ready, and should not be.
    let is_over = matches!(line.word.as_str(), "Completed" | "Succeeded");
    let bad = bad.iter().filter(|_| !is_over).map(|it| {
        html! { <span class="bad"><span aria-hidden="true">{ "✕ " }</span>{ &it.name }{ "=" }{ &it.status }</span> }
    });
    let names = if good.len() > MOST_NAMED {
        format!("{} / {}", good.len(), line.conditions.len())
    } else {
        good.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    html! {
        <span class="conditions">
            if !line.word.is_empty() { <b>{ &line.word }</b> }
            { for bad }
            if !names.is_empty() { <span class="good"><span aria-hidden="true">{ "✓ " }</span>{ names }</span> }
        </span>
    }
}
