//! The editor: the learner's files in tabs, checked while they are typed, applied with kubectl or Terraform. The code
//! editor is loaded after the page stands and owns the open text; a plain text box takes its place when it cannot be
//! loaded.

use engine::base::Diagnostic;
use engine::base::diagnostic::Severity;
use engine::lab::{Checked, check};
use gloo_timers::callback::Timeout;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use super::inspector::title;
use crate::browser;
use crate::i18n::{Lang, Text};
use crate::lab::owners::Owners;
use crate::lab::session::{is_configuration, is_manifest};
use crate::side;
use crate::ui::{Button, Empty, Pane};

const PAUSE: u32 = 150;
const MOST_FILES: usize = 32;
/// Problems told below the text; all are marked in it.
const MOST_PROBLEMS: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub path: String,
    pub text: String,
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    /// What to begin with; it replaces what is there when the number changes.
    pub files: Vec<File>,
    pub version: u64,
    /// Counts up when commands may have changed files.
    pub disk: u64,
    /// Counts wishes to apply from outside.
    pub wished: u64,
    /// Whether the shell waits for a command.
    pub is_ready: bool,
    pub is_past: bool,
    /// Whether Terraform's module is there.
    pub has_terraform: bool,
    /// A file of the workstation, and the names of all.
    pub read: Callback<String, Option<String>>,
    pub list: Callback<(), Vec<String>>,
    /// Counts up when the world may have changed, and who owns the fields of a manifest in it.
    pub world: u64,
    pub owners: Callback<String, Owners>,
    pub on_edit: Callback<(String, String)>,
    /// A file that has been deleted, or has another name now.
    pub on_remove: Callback<String>,
    pub on_apply: Callback<(String, String)>,
}

pub enum Msg {
    Loaded(JsValue),
    Failed,
    Changed,
    Check,
    Apply,
    Show(usize),
    Close,
    Ask(Asks),
    Open,
    Rename,
    Delete,
    /// Puts the deleted file back.
    Undo,
    /// To the place of a problem.
    Go(usize),
}

/// What a file name is asked for.
#[derive(Clone, Copy, PartialEq)]
pub enum Asks {
    Nothing,
    Open,
    Rename,
}

#[derive(PartialEq)]
enum Mode {
    Loading,
    Code,
    Plain,
}

/// A file with the text that was applied last, and whether the workstation had it when commands last ended.
struct Tab {
    file: File,
    applied: Option<String>,
    is_saved: bool,
}

impl Tab {
    fn new(file: File, is_saved: bool) -> Tab {
        Tab { file, applied: None, is_saved }
    }
}

pub struct Editor {
    host: NodeRef,
    plain: NodeRef,
    name: NodeRef,
    mode: Mode,
    handle: Option<JsValue>,
    closures: Vec<Closure<dyn FnMut(JsValue)>>,
    timer: Option<Timeout>,
    tabs: Vec<Tab>,
    current: usize,
    checked: Checked,
    asks: Asks,
    /// Whether the name that was given belongs to another file.
    is_taken: bool,
    /// The file that was deleted last, while that can be undone.
    deleted: Option<File>,
    /// Who owns what, as it was shown last.
    owners: Owners,
    /// Files the workstation had when commands last ended: new ones get a tab.
    known: Vec<String>,
}

impl Component for Editor {
    type Message = Msg;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Self {
        let mut editor = Editor {
            host: NodeRef::default(),
            plain: NodeRef::default(),
            name: NodeRef::default(),
            mode: Mode::Loading,
            handle: None,
            closures: Vec::new(),
            timer: None,
            tabs: Vec::new(),
            current: 0,
            checked: Checked::default(),
            asks: Asks::Nothing,
            is_taken: false,
            deleted: None,
            owners: Vec::new(),
            known: Vec::new(),
        };
        editor.begin(ctx.props());
        editor
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if !first {
            return;
        }
        let link = ctx.link();
        let Some(promise) = browser::load_editor().filter(|_| !wants_plain()) else {
            return link.send_message(Msg::Failed);
        };
        let (loaded, failed) = (link.clone(), link.clone());
        let loaded = Closure::new(move |module| loaded.send_message(Msg::Loaded(module)));
        let failed = Closure::new(move |_| failed.send_message(Msg::Failed));
        let _ = promise.then2(&loaded, &failed);
        self.closures.extend([loaded, failed]);
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        let props = ctx.props();
        if props.version != old.version {
            self.begin(props);
            self.call("reset", &[]);
            self.open_current(props.lang);
        } else if props.disk != old.disk {
            self.reread(ctx);
        } else if props.has_terraform != old.has_terraform {
            self.check();
            self.show_problems();
        }
        if (props.world, props.disk, props.version) != (old.world, old.disk, old.version) {
            self.show_owners(props);
        }
        if props.lang != old.lang {
            self.call("language", &[props.lang.tag().into()]);
        }
        if props.wished != old.wished {
            self.apply(ctx);
        }
        let state = |p: &Props| (p.lang, p.version, p.disk, p.wished, p.is_ready, p.is_past, p.has_terraform);
        state(props) != state(old)
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Loaded(module) => {
                self.mode = if self.start(ctx, &module).is_some() { Mode::Code } else { Mode::Plain };
                self.show_problems();
                self.show_owners(ctx.props());
            }
            Msg::Failed => self.mode = Mode::Plain,
            Msg::Changed => {
                let link = ctx.link().clone();
                self.timer = Some(Timeout::new(PAUSE, move || link.send_message(Msg::Check)));
                return false;
            }
            Msg::Check => return self.take(ctx),
            Msg::Apply => self.apply(ctx),
            Msg::Show(index) => {
                self.take(ctx);
                (self.asks, self.is_taken, self.current) = (Asks::Nothing, false, index);
                self.open_current(ctx.props().lang);
                self.show_owners(ctx.props());
            }
            Msg::Close => {
                self.take(ctx);
                if self.current < self.tabs.len() {
                    self.tabs.remove(self.current);
                }
                self.current = self.current.min(self.tabs.len().saturating_sub(1));
                self.open_current(ctx.props().lang);
            }
            Msg::Ask(asks) => {
                self.asks = asks;
                self.is_taken = false;
                let here = self.tabs.get(self.current).filter(|_| asks == Asks::Rename);
                let name = here.map(|tab| tab.file.path.clone()).unwrap_or_default();
                // After the field is on the page.
                let show = move || match asks {
                    Asks::Nothing => browser::focus("file-here"),
                    _ => browser::ask_for("file-name", &name),
                };
                Timeout::new(0, show).forget();
            }
            Msg::Open => self.open(ctx),
            Msg::Rename => self.rename(ctx),
            Msg::Delete => {
                self.asks = Asks::Nothing;
                self.take(ctx);
                if self.current < self.tabs.len() {
                    let file = self.tabs.remove(self.current).file;
                    ctx.props().on_remove.emit(file.path.clone());
                    self.known.retain(|path| *path != file.path);
                    self.deleted = Some(file);
                }
                self.current = self.current.min(self.tabs.len().saturating_sub(1));
                self.open_current(ctx.props().lang);
            }
            Msg::Undo => {
                if let Some(file) = self.deleted.take() {
                    ctx.props().on_edit.emit((file.path.clone(), file.text.clone()));
                    self.tabs.push(Tab::new(file, false));
                    self.current = self.tabs.len() - 1;
                    self.open_current(ctx.props().lang);
                }
            }
            Msg::Go(index) => {
                if let Some(problem) = self.checked.problems.get(index) {
                    self.call("go", &[problem.start.line.into(), problem.start.column.into()]);
                    self.call("focus", &[]);
                }
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let (props, link) = (ctx.props(), ctx.link());
        let t = |text| props.lang.t(text);
        let is_fit = self.is_fit();
        let reason = match (is_fit, props.is_past, props.is_ready) {
            (_, true, _) => t(Text::OnlyReading),
            (false, _, _) if self.checked.is_empty() => t(Text::EmptyFile),
            (false, _, _) => t(Text::FixFirst),
            (_, _, false) => t(Text::PromptBusy),
            _ if self.is_terraform() => t(Text::ApplyTerraformHint),
            _ => t(Text::ApplyHint),
        };
        let tools = html! {
            <Button class="main" onclick={link.callback(|_| Msg::Apply)} disabled={!is_fit || !props.is_ready || props.is_past}
                title={reason}>{ t(Text::Apply) }<kbd aria-hidden="true">{ "Ctrl ⏎" }</kbd></Button>
        };
        let typed = link.callback(|_: InputEvent| Msg::Changed);
        // Who leaves the editor for the terminal expects the files there as they are.
        let left = link.callback(|_: FocusEvent| Msg::Check);
        let keys = link.batch_callback(|event: KeyboardEvent| {
            let apply = event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) && !event.is_composing();
            apply.then(|| {
                event.prevent_default();
                Msg::Apply
            })
        });
        let is_plain = self.mode != Mode::Code;
        let text = self.tabs.get(self.current).map(|tab| tab.file.text.clone()).unwrap_or_default();
        html! {
            <Pane name="editor" title={t(Text::Editor)} head={self.files(ctx)} {tools}>
                if self.tabs.is_empty() { <Empty text={t(Text::NoFile)} /> }
                <div class="code" ref={self.host.clone()} onfocusout={left.clone()} lang="en" translate="no"
                    hidden={is_plain || self.tabs.is_empty()}></div>
                if is_plain && !self.tabs.is_empty() {
                    <textarea class="plain" ref={self.plain.clone()} oninput={typed} onfocusout={left} onkeydown={keys}
                        spellcheck="false" lang="en" translate="no" aria-label={t(Text::EditorLabel)} defaultvalue={text} />
                }
                if self.mode == Mode::Plain && !wants_plain() { <p class="hint">{ t(Text::PlainEditor) }</p> }
                { self.verdict(ctx) }
            </Pane>
        }
    }

    fn destroy(&mut self, _: &Context<Self>) {
        self.call("destroy", &[]);
    }
}

impl Editor {
    fn begin(&mut self, props: &Props) {
        self.known = props.list.emit(());
        let tab = |file: &File| Tab::new(file.clone(), self.known.contains(&file.path));
        self.tabs = props.files.iter().map(tab).collect();
        self.current = 0;
        self.asks = Asks::Nothing;
        self.deleted = None;
        self.check();
    }

    fn files(&self, ctx: &Context<Self>) -> Html {
        let (lang, link) = (ctx.props().lang, ctx.link());
        let t = |text| lang.t(text);
        let ask = |asks| link.callback(move |_: MouseEvent| Msg::Ask(asks));
        let renames = link.batch_callback(|event: KeyboardEvent| {
            (event.key() == "F2").then(|| {
                event.prevent_default();
                Msg::Ask(Asks::Rename)
            })
        });
        html! {
            <div class="files" role="group" aria-label={t(Text::Files)}>
                { for self.tabs.iter().enumerate().map(|(index, tab)| {
                    let is_here = index == self.current;
                    if is_here && self.asks == Asks::Rename {
                        return self.naming(ctx);
                    }
                    html! {
                        <span key={tab.file.path.clone()} class={classes!("file-tab", is_here.then_some("here"))}>
                            <button type="button" class="file" translate="no" lang="en" aria-pressed={is_here.to_string()}
                                id={is_here.then_some("file-here")} onkeydown={is_here.then(|| renames.clone())}
                                ondblclick={is_here.then(|| ask(Asks::Rename))}
                                onclick={link.callback(move |_| Msg::Show(index))}>{ &tab.file.path }</button>
                            if is_here {
                                <button type="button" class="close rename" title={t(Text::RenameFile)}
                                    aria-label={format!("{}: {}", t(Text::RenameFile), tab.file.path)} onclick={ask(Asks::Rename)}>
                                    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
                                        <path d="m11.500 1.500 3 3L5 14l-4 1 1-4z" /></svg></button>
                            }
                            if is_here && self.tabs.len() > 1 {
                                <button type="button" class="close" title={t(Text::CloseFile)}
                                    aria-label={format!("{}: {}", t(Text::CloseFile), tab.file.path)}
                                    onclick={link.callback(|_| Msg::Close)}><span aria-hidden="true">{ "×" }</span></button>
                            }
                        </span>
                    }
                }) }
                if self.asks == Asks::Open {
                    { self.naming(ctx) }
                } else if self.tabs.len() < MOST_FILES {
                    <button type="button" class="file plus" aria-label={t(Text::NewFile)} title={t(Text::NewFile)}
                        onclick={ask(Asks::Open)}><span aria-hidden="true">{ "+" }</span></button>
                }
            </div>
        }
    }

    /// The field that a file's name is typed into, in its tab's place.
    fn naming(&self, ctx: &Context<Self>) -> Html {
        let (lang, link) = (ctx.props().lang, ctx.link());
        let t = |text| lang.t(text);
        let is_new = self.asks == Asks::Open;
        let go = move || if is_new { Msg::Open } else { Msg::Rename };
        let keys = link.batch_callback(move |event: KeyboardEvent| match event.key().as_str() {
            _ if event.is_composing() => None,
            "Enter" => Some(go()),
            "Escape" => {
                event.prevent_default();
                Some(Msg::Ask(Asks::Nothing))
            }
            _ => None,
        });
        let known = if is_new { ctx.props().list.emit(()) } else { Vec::new() };
        let known = known.into_iter().filter(|name| !self.tabs.iter().any(|tab| tab.file.path == *name));
        html! {
            <span class="naming" key="naming">
                <input id="file-name" type="text" ref={self.name.clone()} list="known-files" maxlength="100"
                    aria-label={t(Text::FileName)} placeholder="new.yaml" autocomplete="off" spellcheck="false"
                    lang="en" onkeydown={keys} />
                <datalist id="known-files">{ for known.map(|name| html! { <option value={name} /> }) }</datalist>
                <Button class="quiet" onclick={link.callback(move |_| go())}>
                    { t(if is_new { Text::OpenFile } else { Text::Rename }) }</Button>
                if !is_new { <Button class="quiet danger" onclick={link.callback(|_| Msg::Delete)}>{ t(Text::Delete) }</Button> }
                <Button class="quiet icon-only" label={t(Text::Close)} onclick={link.callback(|_| Msg::Ask(Asks::Nothing))}>
                    <span aria-hidden="true">{ "×" }</span></Button>
            </span>
        }
    }

    /// What is wrong with the open file, each with its place; a click goes there.
    fn verdict(&self, ctx: &Context<Self>) -> Html {
        let (lang, link) = (ctx.props().lang, ctx.link());
        let t = |text| lang.t(text);
        if self.is_taken {
            return html! { <p class="verdict bad" role="alert">{ t(Text::NameTaken) }</p> };
        }
        if let Some(file) = &self.deleted {
            let words =
                lang.pick(format!("{} has been deleted.", file.path), format!("{} を削除しました。", file.path));
            return html! {
                <p class="verdict" role="status">{ words }{ " " }
                    <Button class="quiet" onclick={link.callback(|_| Msg::Undo)}>{ t(Text::Undo) }</Button></p>
            };
        }
        let Some(tab) = self.tabs.get(self.current) else { return html! {} };
        if !is_manifest(&tab.file.path) && !self.is_terraform() {
            return html! {};
        }
        if self.is_terraform() && !ctx.props().has_terraform {
            return html! { <p class="verdict idle" role="status">{ t(Text::TerraformComing) }</p> };
        }
        if self.checked.is_empty() {
            return html! { <p class="verdict idle" role="status">{ t(Text::EmptyFile) }</p> };
        }
        let problems = &self.checked.problems;
        if problems.is_empty() {
            let text = if self.is_terraform() { Text::NoProblemsTerraform } else { Text::NoProblems };
            return html! { <p class="verdict good" role="status">{ "✓ " }{ t(text) }</p> };
        }
        let rest = problems.len().saturating_sub(MOST_PROBLEMS);
        html! {
            <ul class="verdict bad" role="status">
                { for problems.iter().take(MOST_PROBLEMS).enumerate().map(|(index, problem)| {
                    let is_error = problem.severity == Severity::Error;
                    let go = link.callback(move |_: MouseEvent| Msg::Go(index));
                    html! {
                        <li class={(!is_error).then_some("mild")}><button type="button" class="place" onclick={go}>
                            <span aria-hidden="true">{ if is_error { "✕ " } else { "▲ " } }</span>
                            <b>{ format!("{}:{}", problem.start.line, problem.start.column) }</b>
                            { " " }<span lang="en">{ &problem.message }
                                if !problem.hint.is_empty() { <span class="dim">{ format!(" — {}", problem.hint) }</span> }</span>
                        </button></li>
                    }
                }) }
                if rest > 0 { <li class="dim">{ lang.pick(format!("and {rest} more"), format!("ほか {rest} 件")) }</li> }
            </ul>
        }
    }

    /// Whether there is something that kubectl or Terraform can read.
    fn is_fit(&self) -> bool {
        let open = self.tabs.get(self.current);
        open.is_some_and(|tab| is_manifest(&tab.file.path) || self.is_terraform())
            && self.checked.is_readable
            && !self.checked.is_empty()
    }

    fn is_terraform(&self) -> bool {
        self.tabs.get(self.current).is_some_and(|tab| is_configuration(&tab.file.path))
    }

    /// What Terraform says of the open file beside the others; nothing before its module is there.
    fn examine(&self) -> Checked {
        let all = self.tabs.iter().filter(|tab| is_configuration(&tab.file.path));
        let all: Vec<(String, String)> = all.map(|tab| (tab.file.path.clone(), tab.file.text.clone())).collect();
        let Some(tab) = self.tabs.get(self.current) else { return Checked::default() };
        let problems = side::examine(&all, &tab.file.path).unwrap_or_default();
        let is_error = |problem: &Diagnostic| problem.severity == Severity::Error;
        let objects = tab.file.text.lines().filter(|line| !line.trim().is_empty()).count();
        Checked { is_readable: !problems.iter().any(is_error), objects, problems }
    }

    /// Takes over what has been typed; true when that changes what is said about it.
    fn take(&mut self, ctx: &Context<Self>) -> bool {
        self.timer = None;
        let text = self.text();
        let Some(tab) = self.tabs.get_mut(self.current).filter(|tab| tab.file.text != text) else { return false };
        tab.file.text.clone_from(&text);
        self.deleted = None;
        ctx.props().on_edit.emit((tab.file.path.clone(), text));
        self.check();
        self.show_problems();
        true
    }

    fn apply(&mut self, ctx: &Context<Self>) {
        self.take(ctx);
        let props = ctx.props();
        if self.is_fit()
            && props.is_ready
            && !props.is_past
            && let Some(tab) = self.tabs.get_mut(self.current)
        {
            tab.applied = Some(tab.file.text.clone());
            props.on_apply.emit((tab.file.path.clone(), tab.file.text.clone()));
            self.show_problems();
        }
    }

    /// The name that was given, if it can be one.
    fn named(&self) -> Option<String> {
        let name = self.name.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
        let name = name.trim().trim_start_matches("./");
        let is_name = !name.is_empty() && !name.ends_with('/') && !name.chars().any(char::is_control);
        is_name.then(|| name.to_string())
    }

    /// Opens the file whose name was given: one of the workstation, or a new one.
    fn open(&mut self, ctx: &Context<Self>) {
        self.asks = Asks::Nothing;
        let Some(name) = self.named() else { return };
        self.take(ctx);
        self.deleted = None;
        self.current = match self.tabs.iter().position(|tab| tab.file.path == name) {
            Some(index) => index,
            None => {
                let text = ctx.props().read.emit(name.clone());
                let is_saved = text.is_some();
                self.tabs.push(Tab::new(File { path: name, text: text.unwrap_or_default() }, is_saved));
                self.tabs.len() - 1
            }
        };
        self.open_current(ctx.props().lang);
    }

    /// Gives the open file another name, as `mv` would; not that of another file.
    fn rename(&mut self, ctx: &Context<Self>) {
        let (name, props) = (self.named(), ctx.props());
        let Some((name, old)) = name.zip(self.tabs.get(self.current).map(|tab| tab.file.path.clone())) else { return };
        let is_taken = self.tabs.iter().any(|tab| tab.file.path == name) || props.read.emit(name.clone()).is_some();
        self.is_taken = name != old && is_taken;
        if self.is_taken {
            return;
        }
        self.asks = Asks::Nothing;
        self.take(ctx);
        if let Some(tab) = self.tabs.get_mut(self.current).filter(|_| name != old) {
            tab.file.path.clone_from(&name);
            let text = tab.file.text.clone();
            self.known.retain(|path| *path != old);
            props.on_remove.emit(old);
            props.on_edit.emit((name, text));
            self.open_current(props.lang);
        }
    }

    /// Commands may have written, moved and removed files; tabs follow them, and new files get tabs.
    fn reread(&mut self, ctx: &Context<Self>) {
        self.take(ctx);
        let props = ctx.props();
        let known = std::mem::replace(&mut self.known, props.list.emit(()));
        let mut new: Vec<File> = Vec::new();
        for path in self.known.iter().filter(|path| !known.contains(path)) {
            if !self.tabs.iter().any(|tab| tab.file.path == *path)
                && let Some(text) = props.read.emit(path.clone())
            {
                new.push(File { path: path.clone(), text });
            }
        }
        let (mut is_here, mut index) = (false, 0);
        while let Some(tab) = self.tabs.get_mut(index) {
            let old = tab.file.clone();
            match props.read.emit(old.path.clone()) {
                Some(text) => (tab.file.text, tab.is_saved) = (text, true),
                None if tab.is_saved => match new.iter().position(|file| file.text == old.text) {
                    Some(moved) => tab.file = new.remove(moved),
                    None => {
                        self.tabs.remove(index);
                        is_here |= index == self.current;
                        self.current -= usize::from(index < self.current);
                        continue;
                    }
                },
                None => {}
            }
            is_here |= index == self.current && tab.file != old;
            index += 1;
        }
        let room = MOST_FILES.saturating_sub(self.tabs.len());
        self.tabs.extend(new.into_iter().take(room).map(|file| Tab::new(file, true)));
        self.current = self.current.min(self.tabs.len().saturating_sub(1));
        if is_here {
            self.open_current(props.lang);
        }
    }

    /// Puts the current file into the editor.
    fn open_current(&mut self, lang: Lang) {
        self.check();
        let Some(tab) = self.tabs.get(self.current) else { return };
        let (path, text) = (tab.file.path.as_str(), tab.file.text.as_str());
        self.owners.clear();
        if self.call("open", &[path.into(), text.into(), lang.tag().into()]).is_none()
            && let Some(area) = self.plain.cast::<HtmlTextAreaElement>()
        {
            area.set_value(text);
        }
        self.show_problems();
    }

    fn check(&mut self) {
        if self.is_terraform() {
            self.checked = self.examine();
            return;
        }
        let open = self.tabs.get(self.current).filter(|tab| is_manifest(&tab.file.path));
        self.checked = open.map(|tab| check(&tab.file.text)).unwrap_or_default();
        // What is missing at the end is told of the line after it.
        let lines = open.map_or(1, |tab| tab.file.text.split('\n').count());
        let last = open.and_then(|tab| tab.file.text.rsplit('\n').next()).map_or(0, |line| line.chars().count());
        for problem in self.checked.problems.iter_mut().filter(|problem| problem.start.line as usize > lines) {
            (problem.start.line, problem.start.column) = (lines as u32, last as u32);
            problem.start.column += 1;
        }
    }

    /// Makes the code editor in its host.
    fn start(&mut self, ctx: &Context<Self>, module: &JsValue) -> Option<()> {
        let create: Function = Reflect::get(module, &"create".into()).ok()?.dyn_into().ok()?;
        let host = self.host.cast::<HtmlElement>()?;
        let options = Object::new();
        let path = self.tabs.get(self.current).map(|tab| tab.file.path.clone()).unwrap_or_default();
        set(&options, "path", &path.into());
        set(&options, "text", &JsValue::from_str(&self.text()));
        set(&options, "language", &ctx.props().lang.tag().into());
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

    fn text(&self) -> String {
        let code = self.call("get", &[]).and_then(|text| text.as_string());
        let plain = || self.plain.cast::<HtmlTextAreaElement>().map(|area| area.value());
        let known = || self.tabs.get(self.current).map(|tab| tab.file.text.clone());
        code.or_else(plain).or_else(known).unwrap_or_default()
    }

    fn show_problems(&self) {
        let list = Array::new();
        for problem in &self.checked.problems {
            let one = Object::new();
            set(&one, "line", &problem.start.line.into());
            set(&one, "column", &problem.start.column.into());
            let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
            set(&one, "severity", &severity.into());
            let message = match problem.hint.as_str() {
                "" => problem.message.clone(),
                hint => format!("{}: {hint}", problem.message),
            };
            set(&one, "message", &message.into());
            list.push(&one);
        }
        self.call("diagnostics", &[list.into()]);
        let lines: Array = self.touched().map(|line| JsValue::from(line as u32)).collect();
        self.call("marks", &[lines.into()]);
    }

    /// Who wrote what, beside the lines of an applied manifest.
    fn show_owners(&mut self, props: &Props) {
        let open = self.tabs.get(self.current).filter(|tab| is_manifest(&tab.file.path));
        let owners = open.map(|tab| props.owners.emit(tab.file.text.clone())).unwrap_or_default();
        if self.mode != Mode::Code || self.owners == owners {
            return;
        }
        let list = Array::new();
        for (line, writers) in &owners {
            let all = Array::new();
            for writer in writers.iter().take(2) {
                let one = Object::new();
                set(&one, "letter", &writer.letter.to_string().into());
                set(&one, "role", &writer.role.into());
                set(&one, "title", &title(props.lang, writer).into());
                all.push(&one);
            }
            let one = Object::new();
            set(&one, "line", &(*line).into());
            set(&one, "owners", &all);
            list.push(&one);
        }
        self.call("owners", &[list.into()]);
        self.owners = owners;
    }

    /// Lines (from 1) that differ from what was applied last.
    fn touched(&self) -> std::ops::Range<usize> {
        let Some(tab) = self.tabs.get(self.current) else { return 0..0 };
        let Some(applied) = &tab.applied else { return 0..0 };
        let (old, new): (Vec<&str>, Vec<&str>) = (applied.split('\n').collect(), tab.file.text.split('\n').collect());
        let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        head + 1..new.len() - tail + 1
    }
}

/// Whether the address asks for the plain text box.
fn wants_plain() -> bool {
    browser::parameter("editor").as_deref() == Some("plain")
}

fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}
