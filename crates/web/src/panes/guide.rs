//! The scenario's steps: what to try, and which of them are done.

use engine::base::BTreeSet;

use engine::scenario::{Both, Scenario};
use yew::prelude::*;

use crate::i18n::{Lang, Text};
use crate::ui::{Button, Pane};

#[derive(Properties)]
pub struct Props {
    pub lang: Lang,
    pub scenario: &'static Scenario,
    pub done: BTreeSet<usize>,
    /// Puts a command into the terminal's line.
    pub on_try: Callback<String>,
    /// Whether it has to do with less room.
    pub is_small: bool,
    /// Begins another scenario.
    pub on_choose: Callback<String>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        self.lang == other.lang
            && std::ptr::eq(self.scenario, other.scenario)
            && (&self.done, self.is_small) == (&other.done, other.is_small)
    }
}

pub fn pick(lang: Lang, text: &'static Both) -> &'static str {
    lang.pick(text.en, text.ja)
}

#[component]
pub fn Guide(props: &Props) -> Html {
    let (lang, scenario) = (props.lang, props.scenario);
    let t = |text| lang.t(text);
    let current = (0..scenario.steps.len()).find(|index| !props.done.contains(index));
    let here = use_node_ref();
    {
        let (here, is_small) = (here.clone(), props.is_small);
        use_effect_with((current, scenario.id, is_small), move |_| {
            if let Some(step) = here.cast::<web_sys::HtmlElement>()
                && let Some(body) = step.offset_parent()
            {
                let top = step.offset_top() - 46;
                let scroller = body.query_selector(".pane-body").ok().flatten();
                if let Some(scroller) = scroller.filter(|_| current != Some(0) || is_small) {
                    scroller.set_scroll_top(top);
                }
            }
        });
    }
    let closing = current.is_none().then(|| {
        let next = scenario.next().map(|next| {
            let on_choose = props.on_choose.clone();
            html! {
                <Button class="main" onclick={move |_: MouseEvent| on_choose.emit(next.id.to_string())}>
                    { format!("{}: {}", t(Text::NextScenario), pick(lang, &next.title)) }</Button>
            }
        });
        html! {
            <section class="closing" role="status" ref={here.clone()}>
                <h4>{ t(Text::AllDone) }</h4>
                <p>{ pick(lang, &scenario.closing) }</p>
                { next.unwrap_or_default() }
            </section>
        }
    });
    let tools = html! { <span class="tally">{ format!("{}/{}", props.done.len(), scenario.steps.len()) }</span> };
    html! {
        <Pane name="guide" title={t(Text::Guide)} {tools}>
            <h3 class="scenario-title">{ pick(lang, &scenario.title) }</h3>
            <p class="summary">{ pick(lang, &scenario.summary) }</p>
            <ol class="steps">
                { for scenario.steps.iter().enumerate().map(|(index, step)| {
                    let is_done = props.done.contains(&index);
                    let is_current = current == Some(index);
                    let put = {
                        let on_try = props.on_try.clone();
                        Callback::from(move |_: MouseEvent| on_try.emit(step.command.to_string()))
                    };
                    let class = classes!("step", is_done.then_some("done"), is_current.then_some("current"));
                    html! {
                        <li key={index} ref={if is_current { here.clone() } else { NodeRef::default() }} {class} aria-current={is_current.then_some("step")}>
                            <span class="number" aria-hidden="true">
                                { if is_done { "✓".to_string() } else { (index + 1).to_string() } }
                            </span>
                            <details open={is_current}>
                                <summary>{ pick(lang, &step.title) }
                                    <span class="unseen">{ format!(" — {}", if is_done { t(Text::Done) } else { t(Text::Open) }) }</span>
                                </summary>
                                <p>{ pick(lang, &step.text) }</p>
                                if !step.command.is_empty() {
                                    <div class="try">
                                        <code translate="no" lang="en">{ step.command }</code>
                                        <Button class="quiet" onclick={put}>{ t(Text::TryThis) }</Button>
                                    </div>
                                }
                            </details>
                        </li>
                    }
                }) }
            </ol>
            { closing.unwrap_or_default() }
        </Pane>
    }
}
