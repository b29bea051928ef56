//! The page. `main` mounts it; what holds the simulator is in `lab`, what shows it in `panes`.

mod app;
mod browser;
mod i18n;
mod lab;
mod panes;
mod parts;
mod root;
mod side;
mod ui;

use parts::Part;

/// Where the page is cut; a change compiles it anew.
const _: Option<&str> = option_env!("DRYDOCK_PARTS");

fn main() {
    std::panic::set_hook(Box::new(|info| browser::crashed(&info.to_string())));
    if let Some(host) = browser::document().and_then(|document| document.get_element_by_id("app")) {
        host.set_text_content(None);
        match browser::parameter("bench") {
            Some(size) => parts::fetch(Part::World, move || {
                let run = move || host.set_text_content(lab::bench::run(&size).as_deref());
                parts::fetch(Part::Commands, run);
            }),
            None => drop(yew::Renderer::<root::Root>::with_root(host).render()),
        }
    }
}
