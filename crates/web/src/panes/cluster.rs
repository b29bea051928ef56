//! The cluster: nodes with their pods, those without a node, and the workloads that ask for them. Shape says a pod's
//! state before colour does.

use engine::trace::ObjectRef;
use yew::prelude::*;

use super::sights::{Sight, Switch};
use crate::i18n::{Lang, Text};
use crate::lab::view::{Health, NodeView, PodView, Shared, View, WorkloadView};
use crate::ui::{Button, Empty, Pane};

/// More Pods than this are counted instead of shown.
const MOST_TILES: usize = 60;
/// Pods in trouble that are still shown, on each node.
const MOST_SINGLE: usize = 2;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub view: Shared<View>,
    pub selected: Option<ObjectRef>,
    pub on_select: Callback<ObjectRef>,
    /// Shows Terraform beside it.
    pub on_compare: Callback<MouseEvent>,
    pub on_sight: Callback<Sight>,
}

#[component]
pub fn Cluster(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let system = use_state(|| false);
    let toggle = {
        let system = system.clone();
        Callback::from(move |_: Event| system.set(!*system))
    };
    let view = &props.view;
    let shown = |pod: &&PodView| *system || !pod.is_system;
    let any = view.nodes.iter().flat_map(|node| &node.pods).chain(&view.unscheduled).any(|pod| !pod.is_system);
    let tile = |pod: &PodView| {
        html! {
            <Tile key={pod.object.uid.to_string()} pod={pod.clone()} is_chosen={props.selected.as_ref() == Some(&pod.object)}
                on_select={props.on_select.clone()} />
        }
    };
    let count = view.nodes.iter().flat_map(|node| &node.pods).chain(&view.unscheduled).filter(shown).count();
    // Many Pods are counted; only some that are in trouble, and the chosen one, stay tiles.
    let pods = |pods: &[PodView]| {
        let all: Vec<&PodView> = pods.iter().filter(shown).collect();
        if count <= MOST_TILES {
            return html! { <ul class="pods">{ for all.into_iter().map(tile) }</ul> };
        }
        let is_chosen = |pod: &PodView| props.selected.as_ref() == Some(&pod.object);
        let single = all.iter().filter(|pod| pod.health == Health::Bad).take(MOST_SINGLE);
        let single = single.chain(all.iter().filter(|pod| is_chosen(pod) && pod.health != Health::Bad));
        html! {
            <>
                { tally(&all) }
                <ul class="pods">{ for single.map(|pod| tile(pod)) }</ul>
            </>
        }
    };
    let node = |node: &NodeView| {
        let empty = !node.pods.iter().any(|pod| shown(&pod));
        let chosen = props.selected.as_ref() == Some(&node.object);
        html! {
            <li class={classes!("node", (!node.is_ready).then_some("down"))} key={node.object.name.to_string()}>
                <button type="button" class={classes!("node-name", chosen.then_some("chosen"))} aria-pressed={chosen.to_string()}
                    onclick={choose(&props.on_select, &node.object)}>
                    <span class="name" translate="no">{ node.object.name.as_str() }</span>
                    <span class="marks">
                        if node.is_control { <span class="mark">{ t(Text::Control) }</span> }
                        if node.is_cordoned { <span class="mark warn" translate="no">{ "SchedulingDisabled" }</span> }
                        <span class={classes!("mark", if node.is_ready { "ok" } else { "err" })} translate="no">
                            { if node.is_ready { t(Text::Ready) } else { t(Text::NotReady) } }
                        </span>
                    </span>
                </button>
                if empty { <p class="none">{ t(Text::NodeEmpty) }</p> } else { <div>{ pods(&node.pods) }</div> }
            </li>
        }
    };
    let head = html! { <Switch lang={props.lang} sight={Sight::Cluster} on={&props.on_sight} /> };
    let is_waiting = view.unscheduled.iter().any(|pod| shown(&pod));
    let tools = html! {
        <Button class="quiet compare" onclick={&props.on_compare}>{ t(Text::SideBySide) }</Button>
    };
    html! {
        <Pane name="cluster" title={t(Text::Cluster)} {head} {tools}>
            if !view.workloads.is_empty() {
                <ul class="workloads" aria-label={t(Text::Workloads)}>
                    { for view.workloads.iter().map(|workload| html! {
                        <Workload lang={props.lang} key={workload.object.uid.to_string()} workload={workload.clone()}
                            is_chosen={props.selected.as_ref() == Some(&workload.object)}
                            on_select={props.on_select.clone()} />
                    }) }
                </ul>
            }
            if is_waiting {
                <section class="tray">
                    <h3>{ t(Text::Unscheduled) }</h3>
                    { pods(&view.unscheduled) }
                </section>
            }
            if !any && view.workloads.is_empty() { <Empty text={t(Text::NoPods)} /> }
            <ul class="nodes">{ for view.nodes.iter().map(node) }</ul>
            <label class="check"><input type="checkbox" checked={*system} onchange={toggle} />{ t(Text::ShowSystem) }</label>
        </Pane>
    }
}

/// How many Pods stand how, as a bar and in words.
fn tally(pods: &[&PodView]) -> Html {
    let mut counts: Vec<(Health, &str, usize)> = Vec::new();
    for pod in pods {
        match counts.iter_mut().find(|(_, word, _)| *word == pod.word) {
            Some((_, _, count)) => *count += 1,
            None => counts.push((pod.health, &pod.word, 1)),
        }
    }
    counts.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
    let whole = pods.len().max(1) as f64;
    let mut x = 0.0;
    let parts = counts.iter().map(|(health, _, count)| {
        let (from, width) = (x, 100.0 * *count as f64 / whole);
        x += width;
        html! { <rect class={sign(*health).0} x={format!("{from:.2}")} width={format!("{width:.2}")} height="4" /> }
    });
    let parts: Vec<Html> = parts.collect();
    html! {
        <div class="tally-bar">
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">{ for parts }</svg>
            <ul translate="no" lang="en">{ for counts.iter().take(6).map(|(health, word, count)| {
                let (class, shape) = sign(*health);
                html! {
                    <li class={class}><svg viewBox="0 0 16 16" aria-hidden="true"><path d={shape} fill-rule="evenodd" /></svg>
                        <b>{ *count }</b>{ " " }{ *word }</li>
                }
            }) }</ul>
        </div>
    }
}

pub fn choose(on_select: &Callback<ObjectRef>, object: &ObjectRef) -> Callback<MouseEvent> {
    let (on_select, object) = (on_select.clone(), object.clone());
    Callback::from(move |_| on_select.emit(object.clone()))
}

#[derive(Properties, PartialEq)]
struct TileProps {
    pod: PodView,
    is_chosen: bool,
    on_select: Callback<ObjectRef>,
}

#[component]
fn Tile(props: &TileProps) -> Html {
    let pod = &props.pod;
    let (class, shape) = sign(pod.health);
    let (ready, total) = pod.ready;
    html! {
        <li>
            <button type="button" class={classes!("tile", class, props.is_chosen.then_some("chosen"))}
                aria-pressed={props.is_chosen.to_string()} translate="no" lang="en"
                title={format!("{}/{} · {}", pod.object.namespace, pod.object.name, pod.image)}
                onclick={choose(&props.on_select, &pod.object)}>
                <svg viewBox="0 0 16 16" aria-hidden="true"><path d={shape} fill-rule="evenodd" /></svg>
                <span class="name">{ pod.object.name.as_str() }</span>
                <span class="word">{ &pod.word }</span>
                <span class="facts">
                    { format!("{ready}/{total}") }
                    if pod.restarts > 0 { <span class="restarts">{ format!(" ↻{}", pod.restarts) }</span> }
                </span>
            </button>
        </li>
    }
}

/// The class and the shape of a state.
pub fn sign(health: Health) -> (&'static str, &'static str) {
    match health {
        Health::Good => ("good", "M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13z"),
        Health::Waiting => (
            "waiting",
            "M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zm0 2a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9z",
        ),
        Health::Working => {
            ("working", "M8 1.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zm0 2v9a4.500 4.500 0 0 1 0-9z")
        }
        Health::Bad => ("bad", "M8 1 15.500 14.500H.5zM7.200 6v4h1.600V6zm0 5v1.700h1.600V11z"),
        Health::Ended => ("ended", "M2.500 2.500h11v11h-11z"),
    }
}

#[derive(Properties, PartialEq)]
struct WorkloadProps {
    lang: Lang,
    workload: WorkloadView,
    is_chosen: bool,
    on_select: Callback<ObjectRef>,
}

#[component]
fn Workload(props: &WorkloadProps) -> Html {
    let it = &props.workload;
    let settled = it.is_settled();
    let number = |label: &str, value: i64| {
        html! {
            <span class="count"><b>{ value }</b><span>{ label.to_string() }</span></span>
        }
    };
    html! {
        <li>
            <button type="button" aria-pressed={props.is_chosen.to_string()}
                class={classes!("workload", if settled { "settled" } else { "open" }, props.is_chosen.then_some("chosen"))}
                onclick={choose(&props.on_select, &it.object)}>
                <span class="what" lang="en" translate="no"><span class="kind">{ &it.kind }</span>
                    <span class="name">{ it.object.name.as_str() }</span></span>
                <span class="counts">
                    { number(props.lang.t(Text::Wanted), it.wanted) }<span class="arrow" aria-hidden="true">{ "→" }</span>
                    { number(props.lang.t(Text::Made), it.running) }<span class="arrow" aria-hidden="true">{ "→" }</span>
                    { number(props.lang.t(Text::InUse), it.ready) }
                </span>
            </button>
        </li>
    }
}
