//! The cluster: nodes with their pods, those without a node, and the workloads that ask for them. Shape says a pod's
//! state before colour does.

use engine::trace::ObjectRef;
use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::lab::view::{Health, NodeView, PodView, Shared, View, WorkloadView};
use crate::ui::{Empty, Pane};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub view: Shared<View>,
    pub selected: Option<ObjectRef>,
    pub on_select: Callback<ObjectRef>,
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
    let node = |node: &NodeView| {
        let pods: Vec<Html> = node.pods.iter().filter(shown).map(tile).collect();
        let empty = pods.is_empty();
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
                if empty { <p class="none">{ t(Text::NodeEmpty) }</p> } else { <ul class="pods">{ for pods }</ul> }
            </li>
        }
    };
    let waiting: Vec<Html> = view.unscheduled.iter().filter(shown).map(tile).collect();
    let tools = html! {
        <label class="check"><input type="checkbox" checked={*system} onchange={toggle} />{ t(Text::ShowSystem) }</label>
    };
    html! {
        <Pane name="cluster" title={t(Text::Cluster)} {tools}>
            if !view.workloads.is_empty() {
                <ul class="workloads" aria-label={t(Text::Workloads)}>
                    { for view.workloads.iter().map(|workload| html! {
                        <Workload lang={props.lang} key={workload.object.uid.to_string()} workload={workload.clone()}
                            is_chosen={props.selected.as_ref() == Some(&workload.object)}
                            on_select={props.on_select.clone()} />
                    }) }
                </ul>
            }
            if !waiting.is_empty() {
                <section class="tray">
                    <h3>{ t(Text::Unscheduled) }</h3>
                    <ul class="pods">{ for waiting }</ul>
                </section>
            }
            if !any && view.workloads.is_empty() { <Empty text={t(Text::NoPods)} /> }
            <ul class="nodes">{ for view.nodes.iter().map(node) }</ul>
        </Pane>
    }
}

fn choose(on_select: &Callback<ObjectRef>, object: &ObjectRef) -> Callback<MouseEvent> {
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
    let (class, shape) = match pod.health {
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
    };
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
    let settled = it.ready >= it.wanted && it.observed >= it.generation && it.running <= it.wanted.max(it.ready);
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
