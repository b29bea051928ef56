//! The sheets over the page: the keys, and how to read the time line. Keys without Ctrl work in the clock and the time
//! line only, and can be switched off.

use yew::prelude::*;

use super::legend::{BANDS, MARKS, ROLES};
use crate::browser;
use crate::i18n::{Lang, Text};
use crate::ui::Sheet;

/// Class of the sign, the sign, and what it says in both languages.
pub type Row = (&'static str, &'static str, &'static str, &'static str);

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    /// The time line is explained, not the keys.
    pub is_legend: bool,
    /// Whether single keys work.
    pub keys: bool,
    pub on_keys: Callback<()>,
    pub on_close: Callback<()>,
}

const EVERYWHERE: [Row; 7] = [
    ("", "Ctrl Enter", "apply the open file", "開いているファイルを適用"),
    ("", "F6 / Shift F6", "next / previous pane", "次 / 前のペイン"),
    ("", "Esc", "close, or back to now", "閉じる・現在に戻る"),
    (
        "",
        "Tab ↑ ↓ Ctrl C D L",
        "terminal: complete, history, interrupt, end of input, clear",
        "ターミナル: 補完・履歴・中断・入力の終わり・消去",
    ),
    (
        "",
        "Ctrl A E U K W Y",
        "terminal: start, end, cut before, cut after, cut a word, put back",
        "ターミナル: 先頭・末尾・前を切る・後を切る・語を切る・戻す",
    ),
    ("", "Ctrl ] / Ctrl [", "editor: indent / outdent", "エディタ: 字下げ / 戻す"),
    ("", "F2", "on a file's tab: rename or delete it", "ファイルのタブで: 名前の変更・削除"),
];
const CLOCK: [Row; 7] = [
    ("", "Space", "play or pause", "再生・一時停止"),
    ("", "→ / ←", "next / previous event", "次 / 前のイベント"),
    ("", "] / [   Shift → / ←", "next / previous marker", "次 / 前の目印"),
    ("", ". / ,", "one second on / back", "1 秒進む / 戻る"),
    ("", "Home / End", "the beginning / now", "最初 / 現在"),
    ("", "1 – 7", "speed ×1 ×2 ×5 ×10 ×60 ×300 ×1000", "速さ ×1 ×2 ×5 ×10 ×60 ×300 ×1000"),
    ("", "Enter", "event: inspect; again: why", "イベント: 調べる・もう一度で「なぜ」"),
];

#[component]
pub fn Help(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let (title, sections): (Text, &[(Text, &[Row])]) = if props.is_legend {
        (Text::Legend, &[(Text::LegendMarks, &MARKS), (Text::LegendBands, &BANDS), (Text::LegendColours, &ROLES)])
    } else {
        (Text::Shortcuts, &[(Text::KeysEverywhere, &EVERYWHERE), (Text::KeysClock, &CLOCK)])
    };
    let keys = {
        let on_keys = props.on_keys.clone();
        Callback::from(move |_: Event| on_keys.emit(()))
    };
    html! {
        <Sheet title={t(title)} close={t(Text::Close)} on_close={props.on_close.clone()}>
            { for sections.iter().map(|(title, rows)| html! {
                <>
                    <h3>{ t(*title) }</h3>
                    <dl class={if props.is_legend { "samples" } else { "shortcuts" }}>
                        { for rows.iter().map(|(class, sign, english, japanese)| html! {
                            <div><dt class={*class}>{ *sign }</dt><dd>{ props.lang.pick(*english, *japanese) }</dd></div>
                        }) }
                    </dl>
                </>
            }) }
            if !props.is_legend {
                if !browser::remembers() { <p class="note">{ t(Text::NoStorage) }</p> }
                <label class="check">
                    <input type="checkbox" checked={props.keys} onchange={keys} />
                    { t(Text::SingleKeys) }
                </label>
            }
        </Sheet>
    }
}
