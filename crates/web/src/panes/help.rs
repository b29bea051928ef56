//! The sheet of keys. Keys without Ctrl work in the clock and the time line only, and can be switched off.

use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::ui::Sheet;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    /// Whether single keys work.
    pub keys: bool,
    pub on_keys: Callback<()>,
    pub on_close: Callback<()>,
}

/// Keys, and what they do in both languages.
const EVERYWHERE: [(&str, &str, &str); 7] = [
    ("Ctrl Enter", "apply the open file", "開いているファイルを適用"),
    ("F6 / Shift F6", "next / previous pane", "次 / 前のペイン"),
    ("Esc", "close, or back to now", "閉じる・現在に戻る"),
    (
        "Tab ↑ ↓ Ctrl C D L",
        "terminal: complete, history, interrupt, end of input, clear",
        "ターミナル: 補完・履歴・中断・入力の終わり・消去",
    ),
    (
        "Ctrl A E U K W Y",
        "terminal: start, end, cut before, cut after, cut a word, put back",
        "ターミナル: 先頭・末尾・前を切る・後を切る・語を切る・戻す",
    ),
    ("Ctrl ] / Ctrl [", "editor: indent / outdent", "エディタ: 字下げ / 戻す"),
    ("F2", "on a file's tab: rename or delete it", "ファイルのタブで: 名前の変更・削除"),
];
const CLOCK: [(&str, &str, &str); 7] = [
    ("Space", "play or pause", "再生・一時停止"),
    ("→ / ←", "next / previous event", "次 / 前のイベント"),
    ("] / [   Shift → / ←", "next / previous marker", "次 / 前の目印"),
    (". / ,", "one second on / back", "1 秒進む / 戻る"),
    ("Home / End", "the beginning / now", "最初 / 現在"),
    ("1 – 7", "speed ×1 ×2 ×5 ×10 ×60 ×300 ×1000", "速さ ×1 ×2 ×5 ×10 ×60 ×300 ×1000"),
    ("Enter", "event: inspect; again: why", "イベント: 調べる・もう一度で「なぜ」"),
];

#[component]
pub fn Help(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let keys = {
        let on_keys = props.on_keys.clone();
        Callback::from(move |_: Event| on_keys.emit(()))
    };
    let list = |rows: &[(&str, &'static str, &'static str)]| {
        html! {
            <dl>{ for rows.iter().map(|(keys, english, japanese)| html! {
                <div><dt><kbd>{ *keys }</kbd></dt><dd>{ props.lang.pick(*english, *japanese) }</dd></div>
            }) }</dl>
        }
    };
    html! {
        <Sheet title={t(Text::Shortcuts)} close={t(Text::Close)} on_close={props.on_close.clone()}>
            <h3>{ t(Text::KeysEverywhere) }</h3>
            { list(&EVERYWHERE) }
            <h3>{ t(Text::KeysClock) }</h3>
            { list(&CLOCK) }
            <label class="check">
                <input type="checkbox" checked={props.keys} onchange={keys} />
                { t(Text::SingleKeys) }
            </label>
        </Sheet>
    }
}
