//! What is drawn first: the name and the scenario's guide, to be read until the world has arrived; then the page.

use engine::base::BTreeSet;
use engine::scenario::{self, Scenario};
use yew::prelude::*;

use crate::app::App;
use crate::browser;
use crate::i18n::{Lang, Text};
use crate::panes::guide::Guide;
use crate::parts::{self, Part};

pub struct Root;

impl Component for Root {
    type Message = ();
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link().clone();
        parts::fetch(Part::World, move || {
            parts::fetch(Part::Commands, || ());
            link.send_message(());
        });
        Root
    }

    fn update(&mut self, _: &Context<Self>, (): ()) -> bool {
        true
    }

    fn view(&self, _: &Context<Self>) -> Html {
        if parts::is_here(Part::World) {
            return html! { <App /> };
        }
        let lang = Lang::preferred();
        let scenario = browser::parameter("scenario").and_then(|id| Scenario::find(&id)).unwrap_or(scenario::ALL[0]);
        html! {
            <div class="coming">
                <p class="boot" role="status">{ lang.t(Text::WorldComing) }</p>
                <main inert={true} aria-busy="true">
                    <Guide {lang} {scenario} done={BTreeSet::new()} on_try={Callback::noop()}
                        on_choose={Callback::noop()} is_small={false} />
                </main>
            </div>
        }
    }
}
