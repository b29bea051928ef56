//! Small parts that know nothing of clusters.

use web_sys::HtmlDialogElement;
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
    /// What stands beside the title.
    #[prop_or_default]
    pub head: Html,
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
                { props.head.clone() }
                <div class="tools">{ props.tools.clone() }</div>
            </header>
            <div class="pane-body">{ props.children.clone() }</div>
        </section>
    }
}

#[derive(Properties, PartialEq)]
pub struct SheetProps {
    pub title: AttrValue,
    pub close: AttrValue,
    pub on_close: Callback<()>,
    pub children: Html,
}

/// A sheet over the page, which keeps the focus until it is closed, and then gives it back; a click beside it closes it.
#[component]
pub fn Sheet(props: &SheetProps) -> Html {
    let sheet = use_node_ref();
    {
        let sheet = sheet.clone();
        use_effect_with((), move |()| {
            let dialog = sheet.cast::<HtmlDialogElement>();
            if let Some(dialog) = &dialog {
                let _ = dialog.show_modal();
            }
            move || dialog.iter().for_each(HtmlDialogElement::close)
        });
    }
    let close = {
        let on_close = props.on_close.clone();
        Callback::from(move |_: MouseEvent| on_close.emit(()))
    };
    let closed = {
        let on_close = props.on_close.clone();
        Callback::from(move |_: Event| on_close.emit(()))
    };
    // What is beside the sheet is the dialog itself: the sheet fills it.
    let beside = {
        let (on_close, sheet) = (props.on_close.clone(), sheet.clone());
        Callback::from(move |event: MouseEvent| {
            if event.target() == sheet.get().map(Into::into) {
                on_close.emit(());
            }
        })
    };
    html! {
        <dialog class="sheet" aria-labelledby="sheet-title" ref={sheet} onclick={beside} onclose={closed}>
            <div class="sheet-body">
                <header>
                    <h2 id="sheet-title">{ props.title.clone() }</h2>
                    <Button class="quiet" onclick={close}>{ props.close.clone() }</Button>
                </header>
                { props.children.clone() }
            </div>
        </dialog>
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
