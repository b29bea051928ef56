//! The page. `main` mounts it; what holds the simulator is in `lab`, what shows it in `panes`.

mod app;
mod browser;
mod i18n;
mod lab;
mod panes;
mod side;
mod ui;

fn main() {
    std::panic::set_hook(Box::new(|info| browser::crashed(&info.to_string())));
    if let Some(host) = browser::document().and_then(|document| document.get_element_by_id("app")) {
        let told = browser::parameter("bench").and_then(|size| lab::bench::run(&size));
        host.set_text_content(told.as_deref());
        if told.is_some() {
            return;
        }
        yew::Renderer::<app::App>::with_root(host).render();
    }
}
