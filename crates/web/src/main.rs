//! The page.

use yew::prelude::*;

#[component]
fn App() -> Html {
    html! { <main><h1>{ "Drydock" }</h1></main> }
}

fn main() {
    let host = web_sys::window().and_then(|w| w.document()).and_then(|d| d.get_element_by_id("app"));
    if let Some(host) = host {
        host.set_text_content(None);
        yew::Renderer::<App>::with_root(host).render();
    }
}
