//! The time line: a lane for each actor, spans between a command's return (⏎) and the instant its objects were as
//! declared (◉). The list of what happened says the same in words.

use engine::base::{BTreeMap, Time};
use engine::trace::{Actor, ObjectRef, Seq};
use web_sys::{Element, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::story::{actor, clock, glyph, role, sentence};
use crate::i18n::{Lang, Text, span};
use crate::lab::lanes::{Glyph, Lane, Lanes};
use crate::lab::story::{Kind, Mark};
use crate::lab::view::Shared;
use crate::ui::{Button, Empty, Pane, Sheet};

const LANE: f64 = 22.0;
const TOP: f64 = 24.0;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub lanes: Shared<Lanes>,
    pub nodes: Shared<Vec<String>>,
    pub last: Seq,
    /// The instant of the past that is looked at.
    pub past: Option<Time>,
    pub now: Time,
    pub started: Time,
    /// The earliest instant that can be looked at.
    pub first: Time,
    /// Whether older marks have been dropped.
    pub is_cut: bool,
    /// Whether the pane is the one that narrow pages show.
    pub is_open: bool,
    pub picked: Option<Seq>,
    /// What led to the thing that is asked about, newest first.
    pub chain: Shared<Vec<Mark>>,
    pub on_pick: Callback<(Seq, ObjectRef)>,
    pub on_seek: Callback<Option<Time>>,
    pub on_key: Callback<KeyboardEvent>,
    /// Explains the marks.
    pub on_legend: Callback<MouseEvent>,
    /// Shows the list of what happened where there is room for one pane only; whether it is shown.
    pub on_story: Callback<MouseEvent>,
    pub is_listed: bool,
}

#[component]
pub fn Timeline(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let scroll = use_node_ref();
    {
        let scroll = scroll.clone();
        let cursor = props.past.map(|at| props.lanes.axis.place(at) as i32);
        use_effect_with((props.last, props.lanes.width as i64, cursor, props.is_open), move |(_, _, cursor, _)| {
            let Some(element) = scroll.cast::<Element>() else { return };
            let (left, width) = (element.scroll_left(), element.client_width());
            match *cursor {
                None => element.set_scroll_left(element.scroll_width()),
                Some(at) if at < left + 40 || at > left + width - 40 => element.set_scroll_left(at - width / 2),
                Some(_) => {}
            }
        });
    }
    let lanes = &props.lanes;
    // A click beside the signs looks at that instant.
    let click = {
        let (on_seek, lanes, scroll) = (props.on_seek.clone(), props.lanes.clone(), scroll.clone());
        Callback::from(move |event: MouseEvent| {
            let target = event.target_dyn_into::<Element>();
            let Some(element) = scroll.cast::<Element>() else { return };
            if target.is_some_and(|target| target.closest(".glyph").ok().flatten().is_none()) {
                let left = element.get_bounding_client_rect().left();
                let x = f64::from(event.client_x()) - left + f64::from(element.scroll_left());
                on_seek.emit((x < lanes.now).then(|| lanes.axis.time(x)));
            }
        })
    };
    let is_choosing = use_state(|| false);
    let wishes = use_state(BTreeMap::<Actor, Wish>::new);
    let (open, close) = {
        let (open, close) = (is_choosing.clone(), is_choosing.clone());
        (Callback::from(move |_: MouseEvent| open.set(true)), Callback::from(move |()| close.set(false)))
    };
    // Side by side, the roles have their order.
    let can_choose = lanes.lanes.len() > 1 && lanes.lanes.iter().all(|lane| lane.title.is_none());
    let legend = html! {
        <>
            <p class="legend">
                if props.is_cut { <span class="cut">{ t(Text::HistoryCut) }</span> }
                <span class="role-client" aria-hidden="true">{ "⏎ " }{ t(Text::Returned) }</span>
                <span class="is-converged" aria-hidden="true">{ "◉ " }{ t(Text::Converged) }</span>
            </p>
            <Button class="quiet story-button" onclick={&props.on_story} pressed={props.is_listed}>{ t(Text::StoryTab) }</Button>
            if can_choose {
                <Button class="quiet lanes-button" onclick={open}>{ t(Text::LanesButton) }</Button>
            }
            <Button class="quiet legend-button" onclick={&props.on_legend}>{ t(Text::LegendButton) }</Button>
        </>
    };
    if lanes.lanes.is_empty() {
        return html! {
            <Pane name="timeline" title={t(Text::Timeline)} tools={legend}><Empty text={t(Text::NoTimeline)} /></Pane>
        };
    }
    let shown = order(&lanes.lanes, &wishes);
    let height = TOP + LANE * shown.len() as f64 + 22.0;
    let y = |index: usize| TOP + LANE * index as f64 + LANE / 2.0;
    let bands = lanes.bands.iter().map(|band| {
        let class = if band.is_open { "band open" } else { "band" };
        let width = n((band.to - band.from).max(1.0));
        html! { <rect {class} x={n(band.from)} y={n(TOP - 4.0)} {width} height={n(height - TOP)} /> }
    });
    // Names of bands stay in view as long as their bands do; none over another.
    let mut taken = 0.0;
    let names = lanes.bands.iter().filter_map(|band| {
        let time = span(lang, band.micros);
        let (long, room) = (format!("{}: {time}", lang.t(Text::NotYet)), band.to - band.from - 8.0);
        let width = |words: &str| words.chars().map(|c| if c.is_ascii() { 6.8 } else { 12.0 }).sum::<f64>();
        let words = if band.is_open || width(&long) <= room { long } else { time };
        let from = (band.to - 4.0 - width(&words)).min(band.from + 4.0).max(4.0);
        let is_free = from >= taken;
        let room = room.max(width(&words) + 2.0);
        if is_free {
            taken = from + room + 4.0;
        }
        let class = if band.is_open { "band-name open" } else { "band-name" };
        let style = format!("left: {from:.0}px; width: {room:.0}px");
        is_free.then(|| html! { <div {class} {style}><span>{ words }</span></div> })
    });
    let names: Vec<Html> = names.collect();
    let gaps = lanes.gaps.iter().map(|gap| {
        let middle = gap.x + gap.width / 2.0;
        html! {
            <g class="gap">
                <rect x={n(gap.x + 3.0)} y={n(TOP - 4.0)} width={n((gap.width - 6.0).max(1.0))} height={n(height - TOP)} />
                <text x={n(middle)} y={n(TOP - 10.0)} text-anchor="middle">{ format!("⋯{}", span(lang, gap.micros)) }</text>
            </g>
        }
    });
    let rows = shown.iter().enumerate().map(|(index, lane)| {
        let class = match lane.title {
            Some((class, name, _)) => format!("lane role-{class}{}", if name.is_empty() { " nobody" } else { "" }),
            None => format!("lane role-{}", role(lane.actor)),
        };
        html! {
            <g {class}>
                <line x1="0" x2="100%" y1={n(y(index))} y2={n(y(index))} />
                { for lane.glyphs.iter().map(|it| draw(lang, it, y(index), props)) }
            </g>
        }
    });
    html! {
        <Pane name="timeline" title={t(Text::Timeline)} tools={legend}>
            <div class="lanes">
                <ul class="lane-names" translate="no" lang="en">
                    { for shown.iter().map(|lane| match lane.title {
                        Some((class, "", _)) => html! {
                            <li class={format!("nobody role-{class}")} lang={lang.tag()}>{ t(Text::NobodyCompares) }</li>
                        },
                        Some((class, name, _)) => html! { <li class={format!("role-{class}")}>{ name }</li> },
                        None => {
                            let name = actor(lane.actor, &props.nodes);
                            // Where there is little room, the colour says that it is a kubelet.
                            let (before, name) = name.strip_prefix("kubelet ").map_or(("", name.as_str()), |node| ("kubelet ", node));
                            html! {
                                <li class={format!("role-{}", role(lane.actor))}><span class="before">{ before }</span>{ name }</li>
                            }
                        }
                    }) }
                </ul>
                <div class="lane-scroll" ref={scroll} tabindex="0" role="group" aria-label={t(Text::Timeline)}
                    onkeydown={&props.on_key} onclick={click}>
                    <svg width={n(lanes.width)} height={n(height)} aria-hidden="true">
                        { for bands }
                        { for gaps }
                        { for rows }
                        if let Some(first) = shown.iter().position(|lane| lane.title.is_some_and(|(.., other)| other)) {
                            <line class="border" x1="0" x2="100%" y1={n(y(first) - LANE / 2.0)} y2={n(y(first) - LANE / 2.0)} />
                        }
                        <polyline class="why" points={trail(props, &shown, y)} />
                        <line class="now" x1={n(lanes.now)} x2={n(lanes.now)} y1="14" y2={n(height)} />
                        if let Some(at) = props.past {
                            <line class="cursor" x1={n(lanes.axis.place(at))} x2={n(lanes.axis.place(at))} y1="4" y2={n(height)} />
                        }
                    </svg>
                    <div class="band-names" aria-hidden="true">{ for names }</div>
                </div>
            </div>
            { scrubber(props) }
            if *is_choosing && can_choose {
                <Sheet title={t(Text::Lanes)} close={t(Text::Close)} on_close={close}>
                    <ul class="lane-wishes">{ for lanes.lanes.iter().map(|lane| choice(props, lane, &wishes)) }</ul>
                </Sheet>
            }
        </Pane>
    }
}

/// What somebody wants of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    OnTop,
    Hidden,
}

/// The lanes to be shown, those first that are wanted on top.
fn order<'a>(lanes: &'a [Lane], wishes: &BTreeMap<Actor, Wish>) -> Vec<&'a Lane> {
    let wish = |lane: &Lane| wishes.get(&lane.actor).copied().filter(|_| lane.title.is_none());
    let mut shown: Vec<&Lane> = lanes.iter().filter(|lane| wish(lane) != Some(Wish::Hidden)).collect();
    shown.sort_by_key(|lane| wish(lane).is_none());
    shown
}

/// A lane's name and where it shall stand.
fn choice(props: &Props, lane: &Lane, wishes: &UseStateHandle<BTreeMap<Actor, Wish>>) -> Html {
    let (lang, whose) = (props.lang, lane.actor);
    let name = actor(whose, &props.nodes);
    let wish = wishes.get(&whose).copied();
    let change = {
        let wishes = wishes.clone();
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
            let mut all = (*wishes).clone();
            match value.as_str() {
                "top" => all.insert(whose, Wish::OnTop),
                "hidden" => all.insert(whose, Wish::Hidden),
                _ => all.remove(&whose),
            };
            wishes.set(all);
        })
    };
    let options = [
        ("", None, Text::LaneShown),
        ("top", Some(Wish::OnTop), Text::LaneOnTop),
        ("hidden", Some(Wish::Hidden), Text::LaneHidden),
    ];
    html! {
        <li key={name.clone()}><label>
            <span class={format!("role-{}", role(whose))} lang="en" translate="no">{ name }</span>
            <select onchange={change}>
                { for options.map(|(value, of, text)| html! {
                    <option {value} selected={of == wish}>{ lang.t(text) }</option>
                }) }
            </select>
        </label></li>
    }
}

/// The points of the chain of causes, where their signs are drawn.
fn trail(props: &Props, shown: &[&Lane], y: impl Fn(usize) -> f64) -> String {
    let place = |seq: Seq| {
        let lanes = shown.iter().enumerate();
        let mut all = lanes.flat_map(|(index, lane)| lane.glyphs.iter().map(move |glyph| (index, glyph)));
        all.find(|(_, glyph)| glyph.mark.seq == seq).map(|(index, glyph)| format!("{},{}", n(glyph.x), n(y(index))))
    };
    let points: Vec<String> = props.chain.iter().filter_map(|mark| place(mark.seq)).collect();
    points.join(" ")
}

/// A slider over what is remembered; its right end is now.
fn scrubber(props: &Props) -> Html {
    let (lang, lanes) = (props.lang, &props.lanes);
    let (from, to) = (lanes.axis.place(props.first).floor(), lanes.now.ceil());
    let shown = props.past.unwrap_or(props.now);
    let place = props.past.map_or(to, |at| lanes.axis.place(at));
    let near = |wanted: Time| {
        let marks = lanes.lanes.iter().flat_map(|lane| &lane.glyphs).map(|glyph| &glyph.mark);
        marks.filter(|mark| mark.at <= wanted).max_by_key(|mark| (mark.at, mark.seq)).cloned()
    };
    let passed = span(lang, (shown - props.started).0);
    let words = match near(shown) {
        Some(mark) => format!("{passed} — {}", sentence(lang, &mark)),
        None => passed.clone(),
    };
    let input = {
        let (on_seek, lanes) = (props.on_seek.clone(), lanes.clone());
        Callback::from(move |event: InputEvent| {
            let value = event
                .target_dyn_into::<HtmlInputElement>()
                .and_then(|input| engine::base::float::parse(&input.value()));
            if let Some(value) = value {
                on_seek.emit((value < lanes.now - 0.5).then(|| lanes.axis.time(value)));
            }
        })
    };
    let total = span(lang, (props.now - props.started).0);
    html! {
        <div class="scrub" onkeydown={&props.on_key}>
            <input type="range" min={n(from)} max={n(to)} step="any" value={n(place)} oninput={input}
                aria-label={lang.t(Text::Scrubber)} aria-valuetext={words.clone()} />
            <span class="where">{ format!("{passed} / {total}") }</span>
            <span class="there" aria-hidden="true">{ if props.past.is_some() { words } else { String::new() } }</span>
        </div>
    }
}

fn n(value: f64) -> String {
    format!("{value:.1}")
}

fn draw(lang: Lang, it: &Glyph, y: f64, props: &Props) -> Html {
    let (sign, class) = glyph(&it.mark);
    let title = format!("{} — {}", clock(&it.mark), sentence(lang, &it.mark));
    let click = {
        let (on_pick, seq, object) = (props.on_pick.clone(), it.mark.seq, it.mark.object.clone());
        Callback::from(move |_: MouseEvent| on_pick.emit((seq, object.clone())))
    };
    let state = if props.picked == Some(it.mark.seq) {
        "picked"
    } else if props.past.is_some_and(|at| it.mark.at > at) {
        "later"
    } else {
        ""
    };
    let x = it.x;
    let shape = match it.mark.kind {
        Kind::Span => {
            let width = (it.until.unwrap_or(x) - x).max(6.0);
            let label = it.mark.detail.split(' ').next().unwrap_or_default().to_string();
            html! {
                <>
                    <rect class="span" x={n(x)} y={n(y - 8.0)} width={n(width)} height="16" rx="3" />
                    if width > 7.0 * label.len() as f64 + 8.0 {
                        <text class="span-name" x={n(x + 5.0)} y={n(y + 4.0)}>{ label }</text>
                    }
                </>
            }
        }
        Kind::Command
        | Kind::Returned(_)
        | Kind::Converged
        | Kind::Refused(_)
        | Kind::Bound
        | Kind::Deleted
        | Kind::Deleting
        | Kind::Told { .. }
        | Kind::Look
        | Kind::Note => html! {
            <text class="sign" x={n(x)} y={n(y + 5.0)} text-anchor="middle">{ sign }</text>
        },
        Kind::Started => html! { <rect class="solid" x={n(x - 5.0)} y={n(y - 5.0)} width="10" height="10" /> },
        Kind::Stopped(_) => html! { <rect class="hollow" x={n(x - 5.0)} y={n(y - 5.0)} width="10" height="10" /> },
        Kind::Created => html! { <circle class="solid" cx={n(x)} cy={n(y)} r="5" /> },
        Kind::Seen if class == "is-bad" => html! {
            <path class="solid" d={format!("M{x:.1} {:.1}l6 11h-12z", y - 6.0)} />
        },
        Kind::Changed | Kind::Seen => html! { <circle class="hollow" cx={n(x)} cy={n(y)} r="4" /> },
    };
    html! {
        <g key={it.mark.seq} class={classes!("glyph", class, state)} onclick={click}>
            <title>{ title }</title>{ shape }
            if it.mark.more > 0 { <text class="more" x={n(x + 8.0)} y={n(y + 4.0)}>{ format!("+{}", it.mark.more) }</text> }
        </g>
    }
}
