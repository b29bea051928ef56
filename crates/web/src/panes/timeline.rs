//! The time line: a lane for each actor, spans between a command's return (⏎) and the instant its objects were as
//! declared (◉). The list of what happened says the same in words.

use engine::trace::{ObjectRef, Seq};
use web_sys::Element;
use yew::prelude::*;

use super::story::{actor, clock, glyph, role, sentence};
use crate::i18n::{Lang, Text, span};
use crate::lab::lanes::{Glyph, Lanes};
use crate::lab::story::Kind;
use crate::lab::view::Shared;
use crate::ui::{Empty, Pane};

const LANE: f64 = 26.0;
const TOP: f64 = 26.0;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub lanes: Shared<Lanes>,
    pub nodes: Shared<Vec<String>>,
    pub last: Seq,
    pub on_select: Callback<ObjectRef>,
}

#[component]
pub fn Timeline(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let scroll = use_node_ref();
    {
        let scroll = scroll.clone();
        use_effect_with((props.last, props.lanes.width as i64), move |_| {
            if let Some(element) = scroll.cast::<Element>() {
                element.set_scroll_left(element.scroll_width());
            }
        });
    }
    let lanes = &props.lanes;
    let legend = html! {
        <p class="legend" aria-hidden="true">
            <span>{ "⏎ " }{ t(Text::Returned) }</span><span>{ "◉ " }{ t(Text::Converged) }</span>
        </p>
    };
    if lanes.lanes.is_empty() {
        return html! { <Pane name="timeline" title={t(Text::Timeline)}><Empty text={t(Text::NoTimeline)} /></Pane> };
    }
    let height = TOP + LANE * lanes.lanes.len() as f64 + 22.0;
    let y = |index: usize| TOP + LANE * index as f64 + LANE / 2.0;
    let bands = lanes.bands.iter().map(|band| {
        let class = if band.is_open { "band open" } else { "band" };
        let width = n((band.to - band.from).max(1.0));
        html! { <rect {class} x={n(band.from)} y={n(TOP - 4.0)} {width} height={n(height - TOP)} /> }
    });
    // Names of bands stand above everything else, and none over another.
    let mut taken = 0.0;
    let names = lanes.bands.iter().filter_map(|band| {
        let time = span(lang, band.micros);
        let is_wide = band.is_open || band.to - band.from > 170.0;
        let words = if is_wide { format!("{}: {time}", lang.t(Text::NotYet)) } else { time };
        let x = band.from + 4.0;
        let is_free = x >= taken;
        if is_free {
            taken = x + words.chars().count() as f64 * lang.pick(7.0, 12.0);
        }
        let class = if band.is_open { "band open" } else { "band" };
        is_free.then(|| html! { <text {class} x={n(x)} y={n(height - 8.0)}>{ words }</text> })
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
    let rows = lanes.lanes.iter().enumerate().map(|(index, lane)| {
        let class = format!("lane role-{}", role(lane.actor));
        html! {
            <g {class}>
                <line x1="0" x2={n(lanes.width)} y1={n(y(index))} y2={n(y(index))} />
                { for lane.glyphs.iter().map(|it| draw(lang, it, y(index), &props.on_select)) }
            </g>
        }
    });
    html! {
        <Pane name="timeline" title={t(Text::Timeline)} tools={legend}>
            <div class="lanes">
                <ul class="lane-names" translate="no" lang="en">
                    { for lanes.lanes.iter().map(|lane| html! {
                        <li class={format!("role-{}", role(lane.actor))}>{ actor(lane.actor, &props.nodes) }</li>
                    }) }
                </ul>
                <div class="lane-scroll" ref={scroll} tabindex="0" role="img" aria-label={t(Text::Timeline)}>
                    <svg width={n(lanes.width)} height={n(height)} aria-hidden="true">
                        { for bands }
                        { for gaps }
                        { for rows }
                        { for names }
                        <line class="now" x1={n(lanes.now)} x2={n(lanes.now)} y1="14" y2={n(height)} />
                    </svg>
                </div>
            </div>
        </Pane>
    }
}

fn n(value: f64) -> String {
    format!("{value:.1}")
}

fn draw(lang: Lang, it: &Glyph, y: f64, on_select: &Callback<ObjectRef>) -> Html {
    let (sign, class) = glyph(&it.mark);
    let title = format!("{} — {}", clock(&it.mark), sentence(lang, &it.mark));
    let click = {
        let (on_select, object) = (on_select.clone(), it.mark.object.clone());
        Callback::from(move |_: MouseEvent| {
            if !object.name.is_empty() {
                on_select.emit(object.clone());
            }
        })
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
    html! { <g key={it.mark.seq} class={classes!("glyph", class)} onclick={click}><title>{ title }</title>{ shape }</g> }
}
