//! The few things asked of the browser. Storage, clipboard and the like may be missing or forbidden; then they are
//! simply not there.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, HtmlElement, HtmlInputElement, Storage, Window};

pub fn window() -> Option<Window> {
    web_sys::window()
}

pub fn document() -> Option<Document> {
    window()?.document()
}

/// Milliseconds since the page was opened.
pub fn wall_clock() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

fn global(name: &str) -> Option<Function> {
    Reflect::get(&js_sys::global(), &JsValue::from_str(name)).ok()?.dyn_into().ok()
}

/// Tells boot.js that the program has ended in a fault.
pub fn crashed(message: &str) {
    if let Some(show) = global("__drydock_crashed") {
        let _ = show.call1(&JsValue::NULL, &JsValue::from_str(message));
    }
}

/// Loads the code editor's module.
pub fn load_editor() -> Option<Promise> {
    global("__drydock_editor")?.call0(&JsValue::NULL).ok()?.dyn_into().ok()
}

/// Loads a part of the page: a promise kept when its functions can be called.
pub fn load_part(name: &str) -> Option<Promise> {
    global("__drydock_part")?.call1(&JsValue::NULL, &name.into()).ok()?.dyn_into().ok()
}

pub fn language() -> String {
    window().and_then(|window| window.navigator().language()).unwrap_or_default()
}

/// A parameter of the address (`?lang=ja`).
pub fn parameter(name: &str) -> Option<String> {
    let search = window()?.location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// Whether what is remembered is still there tomorrow.
pub fn remembers() -> bool {
    storage().is_some_and(|storage| storage.set_item(&key("can"), "").is_ok())
}

/// Keys carry the folder of the page: several pages may share a host.
fn key(name: &str) -> String {
    let folder = window().and_then(|window| window.location().pathname().ok()).unwrap_or_default();
    let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder).to_string();
    format!("drydock:{folder}:{name}")
}

pub fn remembered(name: &str) -> Option<String> {
    storage()?.get_item(&key(name)).ok()?
}

pub fn remember(name: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&key(name), value);
    }
}

/// What is kept for this tab alone, until it is closed.
fn tab_storage() -> Option<Storage> {
    window()?.session_storage().ok()?
}

/// Whether it could be kept.
pub fn keep_for_tab(name: &str, value: &str) -> bool {
    tab_storage().is_some_and(|storage| storage.set_item(&key(name), value).is_ok())
}

/// Takes it away: what leads to a fault does so once.
pub fn take_for_tab(name: &str) -> Option<String> {
    let storage = tab_storage()?;
    let value = storage.get_item(&key(name)).ok()??;
    storage.remove_item(&key(name)).ok()?;
    Some(value)
}

/// Whether the page is part of another one.
pub fn is_embedded() -> bool {
    let top = window().and_then(|window| window.top().ok()).flatten();
    parameter("embed").is_some() || top.is_none_or(|top| Some(top) != window())
}

/// Whether the page is still the program's: a fault has a card in its place.
pub fn is_standing() -> bool {
    document().and_then(|document| document.query_selector(".drydock").ok()?).is_some()
}

pub fn set_root(attribute: &str, value: &str) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute(attribute, value);
    }
}

pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

pub fn copy(text: &str) {
    if let Some(window) = window()
        && Reflect::has(&window.navigator(), &"clipboard".into()).unwrap_or(false)
    {
        let _ = window.navigator().clipboard().write_text(text);
    }
}

/// Columns and rows that the terminal shows; nothing while it is not on the page.
pub fn terminal_size() -> Option<(u16, u16)> {
    let document = document()?;
    let output = document.query_selector(".output").ok()??;
    let screen = document.query_selector(".screen").ok()??;
    let digits = document.query_selector(".ruler").ok()??.get_bounding_client_rect();
    let columns = f64::from(output.client_width() - 24) / (digits.width() / 10.0);
    let rows = f64::from(screen.client_height()) / digits.height();
    // Casts of what is not a number give 0.
    let size = ((columns as u16).min(500), (rows as u16).clamp(5, 200));
    (size.0 >= 20).then_some(size)
}

/// The pane that has the focus: `editor`, `terminal`, …
pub fn focused_pane() -> Option<String> {
    let pane = document()?.active_element()?.closest(".pane").ok()??;
    pane.id().strip_prefix("pane-").map(str::to_string)
}

pub fn focus(id: &str) {
    let element = document().and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Asks for a text in a field: what stands there is chosen, so that typing replaces it.
pub fn ask_for(id: &str, text: &str) {
    focus(id);
    let field = document().and_then(|document| document.get_element_by_id(id));
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        field.set_value(text);
        field.select();
    }
}

/// The text of a paste.
pub fn pasted(event: &web_sys::Event) -> String {
    let data = Reflect::get(event, &"clipboardData".into()).unwrap_or_default();
    let get = Reflect::get(&data, &"getData".into()).ok().and_then(|get| get.dyn_into::<Function>().ok());
    let text = get.and_then(|get| get.call1(&data, &"text/plain".into()).ok());
    text.and_then(|text| text.as_string()).unwrap_or_default()
}

/// Whether a key goes into a text.
pub fn is_typing(event: &web_sys::KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|target| {
        let name = target.tag_name();
        let is_text = target.get_attribute("type").is_none_or(|kind| kind == "text");
        name == "TEXTAREA" || (name == "INPUT" && is_text) || target.is_content_editable()
    })
}

/// Calls back when the page may be about to go: it is left, loaded again, or hidden. It does so as long as there is a page.
pub fn on_leaving(each: impl FnMut() + 'static) {
    let closure: Closure<dyn FnMut()> = Closure::new(each);
    let listener = closure.as_ref().unchecked_ref();
    let window = window().and_then(|window| window.add_event_listener_with_callback("pagehide", listener).ok());
    let hidden =
        document().and_then(|document| document.add_event_listener_with_callback("visibilitychange", listener).ok());
    if window.or(hidden).is_some() {
        closure.forget();
    }
}

/// Calls back for each key pressed anywhere on the page, after whatever has the focus.
pub struct Keys {
    document: Document,
    closure: Closure<dyn FnMut(web_sys::KeyboardEvent)>,
}

impl Keys {
    pub fn new(each: impl FnMut(web_sys::KeyboardEvent) + 'static) -> Option<Keys> {
        let (document, closure) = (document()?, Closure::new(each));
        let listener: &Closure<dyn FnMut(web_sys::KeyboardEvent)> = &closure;
        document.add_event_listener_with_callback("keydown", listener.as_ref().unchecked_ref()).ok()?;
        Some(Keys { document, closure })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = self.document.remove_event_listener_with_callback("keydown", self.closure.as_ref().unchecked_ref());
    }
}

/// Calls back before each repaint until it is dropped. A hidden page gets no frames: its clock stands.
pub struct Frames {
    next: std::rc::Rc<std::cell::Cell<i32>>,
    _closure: std::rc::Rc<std::cell::RefCell<Option<Closure<dyn FnMut()>>>>,
}

impl Frames {
    pub fn new(mut each: impl FnMut() + 'static) -> Frames {
        let next = std::rc::Rc::new(std::cell::Cell::new(0));
        let closure = std::rc::Rc::new(std::cell::RefCell::new(None::<Closure<dyn FnMut()>>));
        let (again, number) = (std::rc::Rc::downgrade(&closure), next.clone());
        *closure.borrow_mut() = Some(Closure::new(move || {
            each();
            if let Some(closure) = again.upgrade() {
                number.set(ask(&closure.borrow()));
            }
        }));
        next.set(ask(&closure.borrow()));
        Frames { next, _closure: closure }
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        if let Some(window) = window() {
            let _ = window.cancel_animation_frame(self.next.get());
        }
    }
}

fn ask(closure: &Option<Closure<dyn FnMut()>>) -> i32 {
    let function = closure.as_ref().map(|closure| closure.as_ref().unchecked_ref());
    window().zip(function).and_then(|(window, function)| window.request_animation_frame(function).ok()).unwrap_or(0)
}
