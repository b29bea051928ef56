//! What an apply would change, or has changed: the last answer of `terraform plan`, `terraform apply` or `kubectl diff`,
//! its lines by their signs.

use std::rc::Rc;

use engine::base::Time;
use yew::prelude::*;

use super::sights::{Sight, Switch};
use super::story::second;
use crate::i18n::{Lang, Text};
use crate::lab::screen::Block;
use crate::ui::{Button, Empty, Pane};

#[derive(Properties)]
pub struct Props {
    pub lang: Lang,
    /// The terminal's blocks; the last one that tells of changes counts.
    pub blocks: Vec<Rc<Block>>,
    pub version: u64,
    pub past: Option<Time>,
    /// Commands that tell what an apply would change.
    pub commands: Vec<String>,
    /// Whether the shell waits for a command.
    pub is_ready: bool,
    pub on_run: Callback<String>,
    pub on_sight: Callback<Sight>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        let place = |props: &Props| (props.lang, props.version, props.past, props.is_ready);
        place(self) == place(other) && self.commands == other.commands
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Plain,
    Add,
    Remove,
    Change,
    Replace,
    Title,
}

#[component]
pub fn Plan(props: &Props) -> Html {
    let lang = props.lang;
    let t = |text| lang.t(text);
    let head = html! { <Switch {lang} sight={Sight::Plan} on={&props.on_sight} /> };
    let is_off = !props.is_ready || props.past.is_some();
    let tools = props.commands.iter().map(|command| {
        let (on_run, line) = (props.on_run.clone(), command.clone());
        let name = if line.contains("terraform") { "terraform plan" } else { "kubectl diff" };
        html! {
            <Button onclick={move |_| on_run.emit(line.clone())} disabled={is_off} title={command.clone()}>
                <span lang="en" translate="no">{ name }</span></Button>
        }
    });
    let known = props.blocks.iter().rev().filter(|block| props.past.is_none_or(|at| block.at <= at));
    let found =
        known.filter_map(|block| Some((block, &block.entered.as_ref()?.1))).find(|(_, line)| tells_changes(line));
    let body = match found {
        None => html! { <Empty text={t(Text::NoPlan)} /> },
        Some((block, line)) => {
            let text: String = block.pieces.iter().map(|piece| piece.text.as_str()).collect();
            let lines: Vec<(Sign, &str)> = signed(&text);
            let is_same = lines.is_empty() && line.contains("diff");
            html! {
                <>
                    <p class="note"><code lang="en" translate="no">{ line }</code>{ " " }<time>{ second(block.at) }</time></p>
                    if is_same { <p class="none">{ t(Text::NoDifference) }</p> }
                    <pre class="plan" tabindex="0" lang="en" translate="no">
                        { for lines.into_iter().map(|(sign, text)| html! { <span class={class(sign)}>{ text }{ "\n" }</span> }) }
                    </pre>
                </>
            }
        }
    };
    html! {
        <Pane name="cluster" title={t(Text::Plan)} {head}>
            <div class="plan-tools">{ for tools }</div>
            { body }
        </Pane>
    }
}

fn tells_changes(line: &str) -> bool {
    ["terraform plan", "terraform apply", "terraform destroy", "kubectl diff"].iter().any(|verb| line.contains(verb))
}

fn class(sign: Sign) -> &'static str {
    match sign {
        Sign::Plain => "same",
        Sign::Add => "add",
        Sign::Remove => "remove",
        Sign::Change => "change",
        Sign::Replace => "replace",
        Sign::Title => "title",
    }
}

/// The lines of an answer with what their signs mean: of Terraform's, from where it begins to tell of changes.
fn signed(text: &str) -> Vec<(Sign, &str)> {
    const STARTS: [&str; 4] = ["Terraform will perform", "Terraform planned", "No changes.", "Changes to Outputs:"];
    let all: Vec<&str> = text.lines().collect();
    let start = all.iter().position(|line| STARTS.iter().any(|start| line.starts_with(start))).unwrap_or(0);
    let mut is_diff = false;
    let lines = all.into_iter().skip(start).map(|line| {
        is_diff |= line.starts_with("diff ");
        (if is_diff { diff_sign(line) } else { plan_sign(line) }, line)
    });
    lines.collect()
}

fn diff_sign(line: &str) -> Sign {
    match line {
        _ if ["diff ", "+++", "---", "@@"].iter().any(|start| line.starts_with(start)) => Sign::Title,
        _ if line.starts_with('+') => Sign::Add,
        _ if line.starts_with('-') => Sign::Remove,
        _ => Sign::Plain,
    }
}

fn plan_sign(line: &str) -> Sign {
    let text = line.trim_start();
    let starts = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    match () {
        () if starts(&["-/+ ", "+/- "]) => Sign::Replace,
        () if starts(&["+ "]) => Sign::Add,
        () if starts(&["- "]) => Sign::Remove,
        () if starts(&["~ ", "<= "]) => Sign::Change,
        () if starts(&["# ", "Plan: ", "No changes.", "Apply complete!", "Destroy complete!"]) => Sign::Title,
        () => Sign::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_by_its_sign() {
        for (text, expected) in [
            ("", ""),
            (
                "  # docker_container.web will be created\n  + resource \"docker_container\" \"web\" {\n      + name = \"a\"\n\
                 \x20     ~ image = \"b\" -> \"c\"\n-/+ resource \"x\" \"y\" {\n  - resource\n    }\n\nPlan: 1 to add",
                "title add add change replace remove same same title",
            ),
            (
                "- Installing kreuzwerker/docker v4.6.0...\n\nTerraform used the selected providers\nsymbols:\n  + create\n\n\
                 Terraform will perform the following actions:\n\n  # docker_image.a must be replaced\n",
                "same same title",
            ),
            (
                "diff -u -N /tmp/LIVE-1/a /tmp/MERGED-1/a\n--- /tmp/LIVE-1/a\n+++ /tmp/MERGED-1/a\n@@ -1 +1 @@\n spec:\n\
                 -  replicas: 1\n+  replicas: 2\n   - name: a",
                "title title title title same remove add same",
            ),
        ] {
            let signs: Vec<&str> = signed(text).into_iter().map(|(sign, _)| class(sign)).collect();
            assert_eq!(signs.join(" "), expected);
        }
        for (line, expected) in [
            ("terraform init && terraform plan", true),
            ("kubectl diff -f web.yaml", true),
            ("kubectl apply -f web.yaml", false),
            ("terraform version", false),
        ] {
            assert_eq!(tells_changes(line), expected, "{line}");
        }
    }
}
