//! The terminal: output by command and one native line of input. The shell behind it knows commands; this knows keys.

use std::rc::Rc;

use engine::base::Time;
use gloo_timers::callback::Timeout;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

use crate::browser;
use crate::i18n::{Lang, Text};
use crate::lab::Command;
use crate::lab::screen::Block;
use crate::ui::{Button, Pane};

/// Pasted bytes that are taken as lines.
const MOST_PASTED: usize = 256 << 10;

/// The row of keys: key, whether with Ctrl, what stands on it, its name in both languages.
const TOUCH: [(&str, bool, &str, (&str, &str)); 5] = [
    ("Tab", false, "Tab", ("Tab: complete", "Tab: 補完")),
    ("ArrowUp", false, "↑", ("Earlier command", "前のコマンド")),
    ("ArrowDown", false, "↓", ("Later command", "次のコマンド")),
    ("c", true, "Ctrl+C", ("Ctrl+C: interrupt", "Ctrl+C: 中断")),
    ("d", true, "Ctrl+D", ("Ctrl+D: end of input", "Ctrl+D: 入力の終わり")),
];

#[derive(Properties)]
pub struct Props {
    pub lang: Lang,
    pub blocks: Vec<Rc<Block>>,
    pub was_cut: bool,
    pub version: u64,
    /// The prompt, when the shell waits for a line.
    pub prompt: Option<String>,
    /// A line put in from elsewhere, with a number that makes it new.
    pub draft: (u64, String),
    pub on: Callback<Command>,
    pub complete: Callback<(String, usize), (usize, Vec<String>)>,
    pub history: Callback<(), Vec<String>>,
    pub copy: Callback<()>,
    /// The instant of the past that is looked at: nothing can be typed there, and what came later is set back.
    pub past: Option<Time>,
    pub on_back: Callback<()>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        let place = |props: &Props| (props.lang, props.version, props.was_cut, props.blocks.len());
        place(self) == place(other)
            && self.prompt == other.prompt
            && self.draft == other.draft
            && self.past == other.past
    }
}

/// Where the arrows stand in the history, the line that was being typed, and what was cut.
#[derive(Default)]
struct Browsing {
    back: usize,
    typed: String,
    /// What Ctrl+U, Ctrl+K or Ctrl+W cut last.
    cut: String,
}

#[component]
pub fn Terminal(props: &Props) -> Html {
    let t = |text| props.lang.t(text);
    let input = use_node_ref();
    let output = use_node_ref();
    let browsing = use_mut_ref(Browsing::default);
    let candidates = use_state(Vec::<String>::new);
    {
        let output = output.clone();
        use_effect_with((props.version, candidates.len()), move |_| {
            if let Some(output) = output.cast::<Element>() {
                output.set_scroll_top(output.scroll_height());
            }
        });
    }
    {
        let input = input.clone();
        use_effect_with(props.draft.clone(), move |(number, line)| {
            if let Some(input) = input.cast::<HtmlInputElement>().filter(|_| *number > 0) {
                input.set_value(line);
                let _ = input.focus();
            }
        });
    }
    // What a key does, from the keyboard or from the row of keys for touch; false leaves it to the browser.
    let press: Rc<dyn Fn(&str, bool) -> bool> = {
        let (input, browsing, candidates) = (input.clone(), browsing, candidates.clone());
        let (on, complete, history) = (props.on.clone(), props.complete.clone(), props.history.clone());
        Rc::new(move |key: &str, control: bool| {
            let Some(field) = input.cast::<HtmlInputElement>() else { return false };
            let mut browsing = browsing.borrow_mut();
            match key {
                "Enter" => {
                    let line = field.value();
                    field.set_value("");
                    (browsing.back, browsing.typed) = (0, String::new());
                    candidates.set(Vec::new());
                    on.emit(Command::Enter(line));
                }
                "ArrowUp" | "ArrowDown" => {
                    let lines = history.emit(());
                    if browsing.back == 0 {
                        browsing.typed = field.value();
                    }
                    let up = key == "ArrowUp";
                    browsing.back =
                        if up { (browsing.back + 1).min(lines.len()) } else { browsing.back.saturating_sub(1) };
                    let line = lines.len().checked_sub(browsing.back).and_then(|at| lines.get(at));
                    field.set_value(line.map_or(browsing.typed.as_str(), String::as_str));
                }
                "Tab" => {
                    let line = field.value();
                    let cursor = cursor_bytes(&field, &line);
                    // With nothing typed, the first Tab lists the commands and the second goes on to the next control.
                    if line.is_empty() && !candidates.is_empty() {
                        candidates.set(Vec::new());
                        return false;
                    }
                    let (start, found) = complete.emit((line.clone(), cursor));
                    if found.is_empty() {
                        return false;
                    }
                    let (head, tail) = (line.get(..start).unwrap_or(""), line.get(cursor..).unwrap_or(""));
                    let mut word = common_start(&found);
                    if found.len() == 1 && !word.ends_with(['/', '=']) {
                        word.push(' ');
                    }
                    let place = (head.encode_utf16().count() + word.encode_utf16().count()) as u32;
                    field.set_value(&format!("{head}{word}{tail}"));
                    let _ = field.set_selection_range(place, place);
                    candidates.set(if found.len() > 1 { found } else { Vec::new() });
                }
                "c" if control && !has_selection(&field) => {
                    let line = field.value();
                    field.set_value("");
                    (browsing.back, browsing.typed) = (0, String::new());
                    candidates.set(Vec::new());
                    on.emit(Command::Interrupt(line));
                }
                "d" if control && field.value().is_empty() => on.emit(Command::EndOfInput),
                "l" if control => on.emit(Command::ClearScreen),
                // The keys of a line editor (readline); what was cut comes back with Ctrl+Y.
                "a" | "e" | "u" | "k" | "w" | "y" if control => {
                    let line = field.value();
                    let (before, after) = line.split_at(cursor_bytes(&field, &line));
                    let (head, tail) = match key {
                        "u" => ("", after),
                        "k" => (before, ""),
                        "w" => (before.trim_end().rsplit_once(' ').map_or("", |(head, _)| head), after),
                        _ => (before, after),
                    };
                    let head = if key == "w" && !head.is_empty() { format!("{head} ") } else { head.to_string() };
                    let cut = line.get(head.len()..line.len() - tail.len()).unwrap_or_default();
                    if !cut.is_empty() {
                        browsing.cut = cut.to_string();
                    }
                    let head = head + if key == "y" { &browsing.cut } else { "" };
                    field.set_value(&format!("{head}{tail}"));
                    let place = match key {
                        "a" => 0,
                        "e" => line.encode_utf16().count(),
                        _ => head.encode_utf16().count(),
                    } as u32;
                    let _ = field.set_selection_range(place, place);
                }
                _ => return false,
            }
            true
        })
    };
    let onkeydown = {
        let press = press.clone();
        Callback::from(move |event: KeyboardEvent| {
            // An input method decides what its own keys mean; Shift+Tab always goes back.
            if event.is_composing() || event.key_code() == 229 || (event.shift_key() && event.key() == "Tab") {
                return;
            }
            if press(&event.key(), event.ctrl_key() && !event.alt_key() && !event.meta_key()) {
                event.prevent_default();
            }
        })
    };
    // Keys that a touch screen has not; the line keeps the focus.
    let keys = TOUCH.map(|(key, control, label, name)| {
        let press = press.clone();
        html! {
            <button type="button" class="touch" aria-label={props.lang.pick(name.0, name.1)}
                onmousedown={|event: MouseEvent| event.prevent_default()}
                onclick={move |event: MouseEvent| {
                    event.stop_propagation();
                    press(key, control);
                }}>{ label }</button>
        }
    });
    // Several lines pasted are entered one after the other; what follows the last line break stays to be edited.
    let onpaste = {
        let (input, on) = (input.clone(), props.on.clone());
        Callback::from(move |event: Event| {
            let Some(field) = input.cast::<HtmlInputElement>() else { return };
            let text = browser::pasted(&event).replace("\r\n", "\n").replace('\r', "\n");
            if !text.contains('\n') || text.len() > MOST_PASTED {
                return;
            }
            event.prevent_default();
            let line = field.value();
            let (head, tail) = line.split_at(cursor_bytes(&field, &line));
            let mut lines: Vec<String> = format!("{head}{text}").split('\n').map(str::to_string).collect();
            field.set_value(&format!("{}{tail}", lines.pop().unwrap_or_default()));
            on.emit(Command::EnterAll(lines));
        })
    };
    let oninput = {
        let candidates = candidates.clone();
        Callback::from(move |_: InputEvent| {
            if !candidates.is_empty() {
                candidates.set(Vec::new());
            }
        })
    };
    // A click into the pane means to type, unless text was chosen.
    let onclick = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            let selection = browser::window().and_then(|window| window.get_selection().ok().flatten());
            if selection.is_none_or(|selection| selection.is_collapsed())
                && let Some(input) = input.cast::<HtmlInputElement>()
            {
                let _ = input.focus();
            }
        })
    };
    let send = |command: Command| {
        let on = props.on.clone();
        Callback::from(move |_: MouseEvent| on.emit(command.clone()))
    };
    let copied = use_state(|| false);
    let copy = {
        let (copy, copied) = (props.copy.clone(), copied.clone());
        Callback::from(move |_: MouseEvent| {
            copy.emit(());
            copied.set(true);
            let copied = copied.clone();
            Timeout::new(2000, move || copied.set(false)).forget();
        })
    };
    let back = {
        let on_back = props.on_back.clone();
        Callback::from(move |_: MouseEvent| on_back.emit(()))
    };
    let tools = html! {
        <>
            <Button class="quiet" onclick={send(Command::Interrupt(String::new()))} disabled={props.prompt.is_some()}>
                { t(Text::Interrupt) }
            </Button>
            <Button class="quiet" onclick={copy}><span role="status">{ t(if *copied { Text::Copied } else { Text::Copy }) }</span></Button>
            <Button class="quiet" onclick={send(Command::ClearScreen)}>{ t(Text::Clear) }</Button>
        </>
    };
    let prompt = props.prompt.clone().unwrap_or_default();
    html! {
        <Pane name="terminal" title={t(Text::Terminal)} {tools}>
            <div class="screen" {onclick}>
                <div class="output" ref={output} role="log" aria-live="off" tabindex="0" lang="en" translate="no"
                    aria-label={t(Text::Terminal)}>
                    if props.was_cut { <p class="cut">{ t(Text::TerminalCut) }</p> }
                    if props.blocks.is_empty() {
                        <p class="welcome">
                            <span lang={props.lang.tag()}>{ t(Text::TerminalEmpty) }</span>
                            { " " }<code>{ "kubectl get nodes" }</code>
                        </p>
                    }
                    { for props.blocks.iter().map(|block| html! {
                        <BlockView key={block.id} block={Stored(block.clone())} is_later={props.past.is_some_and(|at| block.at > at)} />
                    }) }
                    if !candidates.is_empty() {
                        <p class="candidates">{ for candidates.iter().take(60).map(|word| html! { <span>{ word }</span> }) }</p>
                    }
                </div>
                if props.past.is_some() {
                    <p class="reading">{ t(Text::OnlyReading) }{ " " }
                        <Button class="quiet" onclick={back}>{ t(Text::BackToNow) }</Button></p>
                }
                <div class="line" translate="no" hidden={props.past.is_some()}>
                    <label class="prompt" for="command-line" lang="en">
                        <span class="unseen">{ t(Text::CommandLine) }</span>{ prompt }
                    </label>
                    <input id="command-line" ref={input} {onkeydown} {oninput} {onpaste} type="text" autocomplete="off"
                        autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="go" lang="en" />
                </div>
                <div class="keys" role="group" aria-label={t(Text::Keys)} translate="no" hidden={props.past.is_some()}>{ for keys }</div>
                <span class="ruler" aria-hidden="true">{ "0000000000" }</span>
            </div>
        </Pane>
    }
}

#[derive(Clone)]
struct Stored(Rc<Block>);

impl PartialEq for Stored {
    fn eq(&self, other: &Stored) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
struct BlockProps {
    block: Stored,
    /// It was entered after the instant that is looked at.
    is_later: bool,
}

#[component]
fn BlockView(props: &BlockProps) -> Html {
    let block = &props.block.0;
    html! {
        <div class={classes!("block", props.is_later.then_some("later"))}>
            if let Some((prompt, line)) = &block.entered {
                <div class="entered"><span class="prompt">{ prompt }</span>{ line }</div>
            }
            <pre>
                { for block.pieces.iter().map(|piece| match piece.class {
                    "" => html! { { &piece.text } },
                    class => html! { <span {class}>{ &piece.text }</span> },
                }) }
            </pre>
        </div>
    }
}

/// The cursor as a number of bytes; the browser counts UTF-16 units.
fn cursor_bytes(field: &HtmlInputElement, line: &str) -> usize {
    let units = field.selection_start().ok().flatten().unwrap_or(u32::MAX) as usize;
    let mut seen = 0;
    for (at, character) in line.char_indices() {
        if seen >= units {
            return at;
        }
        seen += character.len_utf16();
    }
    line.len()
}

fn has_selection(field: &HtmlInputElement) -> bool {
    let in_field = field.selection_start().ok().flatten() != field.selection_end().ok().flatten();
    let selection = browser::window().and_then(|window| window.get_selection().ok().flatten());
    in_field || selection.is_some_and(|selection| !selection.is_collapsed())
}

fn common_start(words: &[String]) -> String {
    let Some(first) = words.first() else { return String::new() };
    let shared = |word: &String| first.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
    let length = words.iter().map(shared).min().unwrap_or(0);
    first.chars().take(length).collect()
}
