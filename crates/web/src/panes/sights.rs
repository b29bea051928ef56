//! What the middle of the page shows of the world: the cluster as boxes, its objects as a table, or what an apply would
//! change; and the switch between them.

use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::ui::Button;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    Cluster,
    Objects,
    Plan,
}

const ALL: [(Sight, Text); 3] =
    [(Sight::Cluster, Text::Cluster), (Sight::Objects, Text::Objects), (Sight::Plan, Text::Plan)];

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lang: Lang,
    pub sight: Sight,
    pub on: Callback<Sight>,
}

#[component]
pub fn Switch(props: &Props) -> Html {
    let lang = props.lang;
    html! {
        <div class="switch sights" role="group" aria-label={lang.t(Text::Sights)}>
            { for ALL.map(|(sight, text)| {
                let on = props.on.clone();
                html! {
                    <Button class="quiet" pressed={sight == props.sight} onclick={move |_| on.emit(sight)}>{ lang.t(text) }</Button>
                }
            }) }
        </div>
    }
}
