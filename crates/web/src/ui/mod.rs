//! Small parts that know nothing of clusters.

use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ButtonProps {
    pub onclick: Callback<MouseEvent>,
    pub children: Html,
    #[prop_or_default]
    pub class: Classes,
    /// What a symbol alone does not say.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    #[prop_or_default]
    pub pressed: Option<bool>,
    #[prop_or_default]
    pub disabled: bool,
    #[prop_or_default]
    pub title: Option<AttrValue>,
}

#[component]
pub fn Button(props: &ButtonProps) -> Html {
    let pressed = props.pressed.map(|pressed| if pressed { "true" } else { "false" });
    html! {
        <button type="button" class={classes!("button", props.class.clone())} onclick={&props.onclick}
            aria-label={props.label.clone()} aria-pressed={pressed} disabled={props.disabled}
            title={props.title.clone().or_else(|| props.label.clone())}>
            { props.children.clone() }
        </button>
    }
}

#[derive(Properties, PartialEq)]
pub struct PaneProps {
    /// `editor`, `terminal`, …: the id and the class of the pane.
    pub name: &'static str,
    pub title: AttrValue,
    #[prop_or_default]
    pub tools: Html,
    pub children: Html,
}

/// A titled region; F6 goes from one to the next.
#[component]
pub fn Pane(props: &PaneProps) -> Html {
    let id = format!("pane-{}", props.name);
    let heading = format!("{id}-title");
    html! {
        <section class={classes!("pane", id.clone())} id={id.clone()} aria-labelledby={heading.clone()} tabindex="-1">
            <header class="pane-head">
                <h2 id={heading}>{ props.title.clone() }</h2>
                <div class="tools">{ props.tools.clone() }</div>
            </header>
            <div class="pane-body">{ props.children.clone() }</div>
        </section>
    }
}

/// What a place without content says, and what to do next.
#[component]
pub fn Empty(props: &EmptyProps) -> Html {
    html! { <p class="empty">{ props.text.clone() }</p> }
}

#[derive(Properties, PartialEq)]
pub struct EmptyProps {
    pub text: AttrValue,
}
