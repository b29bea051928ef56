//! The editor: one file, checked while it is typed, applied with `kubectl apply -f`. The code editor is loaded after the
//! page stands and owns the text; a plain text box takes its place when it cannot be loaded.

use gloo_timers::callback::Timeout;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::browser;
use crate::i18n::{Lang, Text};
use crate::lab::check::{Checked, check};
use crate::ui::{Button, Pane};

const PAUSE: u32 = 150;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub path: AttrValue,
    /// The text to begin with; it replaces what is there when the number changes.
    pub text: AttrValue,
    pub version: u64,
    /// Whether the shell waits for a command.
    pub is_ready: bool,
    pub on_apply: Callback<(String, String)>,
}

pub enum Msg {
    Loaded(JsValue),
    Failed,
    Changed,
    Check,
    Apply,
}

#[derive(PartialEq)]
enum Mode {
    Loading,
    Code,
    Plain,
}

pub struct Editor {
    host: NodeRef,
    plain: NodeRef,
    mode: Mode,
    handle: Option<JsValue>,
    closures: Vec<Closure<dyn FnMut(JsValue)>>,
    timer: Option<Timeout>,
    checked: Checked,
}

impl Component for Editor {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Self {
        Editor {
            host: NodeRef::default(),
            plain: NodeRef::default(),
            mode: Mode::Loading,
            handle: None,
            closures: Vec::new(),
            timer: None,
            checked: check(&ctx.props().text),
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if !first {
            return;
        }
        let link = ctx.link();
        let Some(promise) = browser::load_editor().filter(|_| browser::parameter("editor").as_deref() != Some("plain"))
        else {
            return link.send_message(Msg::Failed);
        };
        let (loaded, failed) = (link.clone(), link.clone());
        let loaded = Closure::new(move |module| loaded.send_message(Msg::Loaded(module)));
        let failed = Closure::new(move |_| failed.send_message(Msg::Failed));
        let _ = promise.then2(&loaded, &failed);
        self.closures.extend([loaded, failed]);
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        if ctx.props().version != old.version {
            self.put(&ctx.props().text);
            self.checked = check(&ctx.props().text);
            self.show_problems();
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Loaded(module) => {
                self.mode = if self.start(ctx, &module).is_some() { Mode::Code } else { Mode::Plain };
                self.show_problems();
            }
            Msg::Failed => self.mode = Mode::Plain,
            Msg::Changed => {
                let link = ctx.link().clone();
                self.timer = Some(Timeout::new(PAUSE, move || link.send_message(Msg::Check)));
                return false;
            }
            Msg::Check => {
                let checked = check(&self.text(ctx));
                if checked == self.checked {
                    return false;
                }
                self.checked = checked;
                self.show_problems();
            }
            Msg::Apply => {
                let text = self.text(ctx);
                self.checked = check(&text);
                self.show_problems();
                if self.checked.problem.is_none() && !self.checked.is_empty && ctx.props().is_ready {
                    ctx.props().on_apply.emit((ctx.props().path.to_string(), text));
                }
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let t = |text| props.lang.t(text);
        let (class, words) = match &self.checked {
            Checked { problem: Some(problem), .. } => {
                ("bad", format!("✕ {}:{} {}", problem.line, problem.column, problem.message))
            }
            Checked { is_empty: true, .. } => ("idle", t(Text::EmptyFile).to_string()),
            _ => ("good", format!("✓ {}", t(Text::NoProblems))),
        };
        let is_fit = self.checked.problem.is_none() && !self.checked.is_empty;
        let reason = match (is_fit, props.is_ready) {
            (false, _) => t(Text::FixFirst),
            (_, false) => t(Text::PromptBusy),
            _ => t(Text::ApplyHint),
        };
        let tools = html! {
            <>
                <span class="file" translate="no" lang="en">{ &props.path }</span>
                <Button class="main" onclick={ctx.link().callback(|_| Msg::Apply)} disabled={!is_fit || !props.is_ready}
                    title={reason}>{ t(Text::Apply) }<kbd aria-hidden="true">{ "Ctrl ⏎" }</kbd></Button>
            </>
        };
        let typed = ctx.link().callback(|_: InputEvent| Msg::Changed);
        let keys = ctx.link().batch_callback(|event: KeyboardEvent| {
            let apply = event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) && !event.is_composing();
            apply.then(|| {
                event.prevent_default();
                Msg::Apply
            })
        });
        html! {
            <Pane name="editor" title={t(Text::Editor)} {tools}>
                <div class="code" ref={self.host.clone()} lang="en" translate="no" hidden={self.mode != Mode::Code}></div>
                if self.mode != Mode::Code {
                    <textarea class="plain" ref={self.plain.clone()} oninput={typed} onkeydown={keys} spellcheck="false"
                        lang="en" translate="no" aria-label={t(Text::EditorLabel)} defaultvalue={props.text.clone()} />
                }
                if self.mode == Mode::Plain { <p class="hint">{ t(Text::PlainEditor) }</p> }
                <p class={classes!("verdict", class)} role="status" lang={(class == "bad").then_some("en")}>{ words }</p>
            </Pane>
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        self.call("destroy", &[]);
    }
}

impl Editor {
    /// Makes the code editor in its host.
    fn start(&mut self, ctx: &Context<Self>, module: &JsValue) -> Option<()> {
        let create: Function = Reflect::get(module, &"create".into()).ok()?.dyn_into().ok()?;
        let host = self.host.cast::<HtmlElement>()?;
        let options = Object::new();
        set(&options, "text", &JsValue::from_str(&self.text(ctx)));
        set(&options, "lang", &"yaml".into());
        set(&options, "label", &ctx.props().lang.t(Text::EditorLabel).into());
        let callbacks = Object::new();
        for (name, msg) in [("change", false), ("apply", true)] {
            let link = ctx.link().clone();
            let closure: Closure<dyn FnMut(JsValue)> =
                Closure::new(move |_| link.send_message(if msg { Msg::Apply } else { Msg::Changed }));
            set(&callbacks, name, closure.as_ref());
            self.closures.push(closure);
        }
        self.handle = Some(create.call3(&JsValue::NULL, &host, &options, &callbacks).ok()?);
        Some(())
    }

    fn call(&self, name: &str, args: &[JsValue]) -> Option<JsValue> {
        let handle = self.handle.as_ref()?;
        let method: Function = Reflect::get(handle, &name.into()).ok()?.dyn_into().ok()?;
        method.apply(handle, &args.iter().collect::<Array>()).ok()
    }

    fn text(&self, ctx: &Context<Self>) -> String {
        let code = self.call("get", &[]).and_then(|text| text.as_string());
        let plain = || self.plain.cast::<HtmlTextAreaElement>().map(|area| area.value());
        code.or_else(plain).unwrap_or_else(|| ctx.props().text.to_string())
    }

    fn put(&self, text: &str) {
        if self.call("set", &[text.into()]).is_none()
            && let Some(area) = self.plain.cast::<HtmlTextAreaElement>()
        {
            area.set_value(text);
        }
    }

    fn show_problems(&self) {
        let list = Array::new();
        if let Some(problem) = &self.checked.problem {
            let one = Object::new();
            set(&one, "line", &problem.line.into());
            set(&one, "column", &problem.column.into());
            set(&one, "severity", &"error".into());
            set(&one, "message", &problem.message.as_str().into());
            list.push(&one);
        }
        self.call("diagnostics", &[list.into()]);
    }
}

fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}
