//! Differences written out for people (upstream: terraform's jsonformat/computed/renderers).

use super::difference::{Difference, ElementsKind, EntriesKind, Group, Shape, pair_list};
use super::paint::Paint;
use crate::base::{SmolStr, goquote};
use crate::terraform::plan::Action;
use crate::terraform::value::{Kind, Value};

/// Attributes that are shown even when nothing changes.
const IMPORTANT: [&str; 3] = ["id", "name", "tags"];

#[derive(Clone, Copy)]
pub struct Human {
    pub paint: Paint,
    /// A state rather than a plan: no symbols, nothing hidden.
    pub plain: bool,
    /// Nothing hidden, symbols kept: an object that is only imported.
    pub all: bool,
}

/// What the place of a node asks of its text.
#[derive(Clone, Copy)]
struct At {
    indent: usize,
    /// The parent says ` -> null`.
    quiet: bool,
    /// The parent forces the replacement.
    forced: bool,
    /// The parent says that it forces the replacement.
    forbid: bool,
    /// What does not change is shown too.
    all: bool,
}

impl At {
    fn inner(self) -> At {
        At { indent: self.indent + 1, quiet: true, forced: false, forbid: false, ..self }
    }

    /// The same place for a part of what stands there.
    fn quiet(self) -> At {
        At { quiet: true, forced: false, ..self }
    }
}

impl Human {
    /// A whole attribute's or output's value whose line stands at this depth.
    pub fn value(&self, difference: &Difference, indent: usize) -> String {
        let mut out = String::new();
        let all = self.plain || self.all;
        self.write(&mut out, difference, At { indent, quiet: false, forced: false, forbid: false, all });
        out
    }

    /// The four columns before a line.
    pub fn symbol(&self, action: Action) -> String {
        let symbol = match action {
            _ if self.plain => return String::new(),
            Action::NoOp => return "    ".into(),
            Action::Create => "  [green]+[reset]",
            Action::Delete => "  [red]-[reset]",
            Action::Update => "  [yellow]~[reset]",
            Action::DeleteThenCreate => "[red]-[reset]/[green]+[reset]",
            Action::CreateThenDelete => "[green]+[reset]/[red]-[reset]",
            Action::Read => " [cyan]<=[reset]",
            Action::Forget => " [red].[reset]",
        };
        self.paint.tags(symbol, &[]) + " "
    }

    fn start(&self, out: &mut String, indent: usize, action: Action) {
        out.extend(std::iter::repeat_n(' ', indent * 4));
        out.push_str(&self.symbol(action));
    }

    fn hidden(&self, out: &mut String, indent: usize, count: usize, word: &str) {
        if count == 0 {
            return;
        }
        self.start(out, indent, Action::NoOp);
        let plural = if count == 1 { "" } else { "s" };
        let text = "[dark_gray]# (% unchanged %% hidden)[reset]";
        out.push_str(&self.paint.tags(text, &[&count.to_string(), word, plural]));
        out.push('\n');
    }

    /// ` -> null` behind what is deleted, and ` # forces replacement`.
    fn end(&self, out: &mut String, difference: &Difference, at: At) {
        self.null(out, difference, at);
        self.forces(out, difference, at);
    }

    fn null(&self, out: &mut String, difference: &Difference, at: At) {
        if difference.action == Action::Delete && !at.quiet && !self.plain {
            out.push_str(&self.paint.tags(" [dark_gray]-> null[reset]", &[]));
        }
    }

    fn forces(&self, out: &mut String, difference: &Difference, at: At) {
        if (difference.replace || at.forced) && !at.forbid {
            out.push_str(&self.paint.tags(" [red]# forces replacement[reset]", &[]));
        }
    }

    fn arrow(&self, out: &mut String) {
        out.push_str(&self.paint.tags(" [yellow]->[reset]", &[]));
        out.push(' ');
    }

    fn shows(&self, difference: &Difference, at: At) -> bool {
        at.all || difference.action != Action::NoOp
    }

    fn write(&self, out: &mut String, difference: &Difference, at: At) {
        match &difference.shape {
            Shape::Primitive(before, after) => self.primitive(out, difference, before, after, at),
            Shape::Unknown(before) => {
                if let Some(before) = before {
                    self.write(out, before, At { forbid: difference.replace, ..at.quiet() });
                    out.push_str(" -> ");
                }
                out.push_str("(known after apply)");
                self.forces(out, difference, at);
            }
            Shape::Sensitive { .. } => {
                out.push_str("(sensitive value)");
                self.end(out, difference, at);
            }
            Shape::WriteOnly => {
                out.push_str("(write-only attribute)");
                self.end(out, difference, at);
            }
            Shape::TypeChange(before, after) => {
                self.write(out, before, at.quiet());
                self.arrow(out);
                self.write(out, after, at.quiet());
            }
            Shape::Elements { items, kind } => self.elements(out, difference, items, *kind, at),
            Shape::Entries { items, kind } => self.entries(out, difference, items, *kind, at),
            Shape::Json(inner) => {
                let white = inner.action == Action::NoOp && difference.action == Action::Update;
                let note = match (white, difference.replace) {
                    (true, true) => " # whitespace changes force replacement",
                    (true, false) => " # whitespace changes",
                    _ => "",
                };
                let mut text = String::new();
                self.write(&mut text, inner, At { all: at.all || white, ..at.inner() });
                if !white {
                    self.forces(&mut text, difference, at);
                }
                if !text.contains('\n') {
                    out.push_str(&format!("jsonencode({text}){note}"));
                    return;
                }
                out.push_str(&format!("jsonencode({note}\n"));
                let symbol = match difference.action {
                    Action::Create | Action::Delete => Action::NoOp,
                    _ if white => Action::NoOp,
                    action => action,
                };
                self.start(out, at.indent + 1, symbol);
                out.push_str(&text);
                out.push('\n');
                self.start(out, at.indent, Action::NoOp);
                out.push(')');
                self.null(out, difference, at);
            }
            Shape::Block { attributes, blocks } => {
                if attributes.is_empty() && blocks.is_empty() {
                    out.push_str("{}");
                    return self.forces(out, difference, at);
                }
                out.push('{');
                self.forces(out, difference, at);
                out.push('\n');
                self.block(out, attributes, blocks, at);
                self.start(out, at.indent, Action::NoOp);
                out.push('}');
            }
        }
    }

    fn primitive(&self, out: &mut String, difference: &Difference, before: &Value, after: &Value, at: At) {
        let lines = |value: &Value| value.as_str().is_some_and(|text| text.contains('\n'));
        if lines(before) || lines(after) {
            return self.heredoc(out, difference, before, after, at);
        }
        match difference.action {
            Action::Delete => out.push_str(&self.scalar(before)),
            Action::Update => {
                out.push_str(&self.scalar(before));
                self.arrow(out);
                out.push_str(&self.scalar(after));
            }
            _ => out.push_str(&self.scalar(after)),
        }
        // What was null is not said to become null.
        if difference.action == Action::Delete && before.is_null() {
            return self.forces(out, difference, at);
        }
        self.end(out, difference, at);
    }

    /// A string, number, bool or null as it stands in a plan.
    fn scalar(&self, value: &Value) -> String {
        match &value.kind {
            Kind::String(text) => goquote::quote(text),
            Kind::Bool(value) => value.to_string(),
            Kind::Number(number) => number.to_string(),
            _ => self.paint.tags("[dark_gray]null[reset]", &[]),
        }
    }

    fn heredoc(&self, out: &mut String, difference: &Difference, before: &Value, after: &Value, at: At) {
        out.push_str("<<-EOT");
        self.forces(out, difference, at);
        out.push('\n');
        let lines = |value: &Value| match value.as_str() {
            Some(text) => text.trim().split('\n').map(Value::string).collect(),
            None => vec![Value::string(self.scalar(value))],
        };
        let (old, new) = (lines(before), lines(after));
        let pairs = match difference.action {
            Action::Update => pair_list(&old, &new, &|_| false),
            Action::Delete => (0..old.len()).map(|i| (Some(i), Some(i))).collect(),
            _ => (0..new.len()).map(|i| (Some(i), Some(i))).collect(),
        };
        let shown = if difference.action == Action::Delete { &old } else { &new };
        for (i, j) in pairs {
            // Line by line, where there are as many.
            let changed = match (i, j) {
                (Some(i), Some(j)) if difference.action == Action::Update => old.get(i) != new.get(j),
                _ => false,
            };
            if changed {
                for (action, line) in
                    [(Action::Delete, i.and_then(|i| old.get(i))), (Action::Create, j.and_then(|j| new.get(j)))]
                {
                    self.start(out, at.indent + 1, action);
                    out.push_str(line.and_then(Value::as_str).unwrap_or_default());
                    out.push('\n');
                }
                continue;
            }
            let (action, line) = match (i, j) {
                (Some(_), Some(j)) => (Action::NoOp, shown.get(j)),
                (Some(i), None) => (Action::Delete, old.get(i)),
                (_, j) => (Action::Create, j.and_then(|j| new.get(j))),
            };
            let line = line.and_then(Value::as_str).unwrap_or_default();
            self.start(out, at.indent + 1, action);
            out.push_str(line);
            out.push('\n');
        }
        self.start(out, at.indent, Action::NoOp);
        out.push_str("EOT");
        self.null(out, difference, at);
    }

    fn elements(&self, out: &mut String, difference: &Difference, items: &[Difference], kind: ElementsKind, at: At) {
        if items.is_empty() {
            out.push_str("[]");
            return self.end(out, difference, at);
        }
        out.push('[');
        self.forces(out, difference, at);
        out.push('\n');
        let line = |out: &mut String, item: &Difference| {
            let shown = item.action == Action::NoOp && kind == ElementsKind::List;
            self.warnings(out, item, at.indent + 1);
            self.start(out, at.indent + 1, item.action);
            self.write(out, item, At { all: at.all || shown, ..at.inner() });
            out.push_str(",\n");
        };
        let mut waiting: Vec<&Difference> = Vec::new();
        let mut unchanged = 0;
        let mut changed = false;
        for item in items {
            if !self.shows(item, at) {
                waiting.push(item);
                continue;
            }
            if kind == ElementsKind::Set {
                unchanged += waiting.len();
            } else if let Some((last, rest)) = waiting.split_last() {
                let first = rest.first().filter(|_| changed);
                if let Some(first) = first {
                    line(out, first);
                }
                self.hidden(out, at.indent + 1, rest.len() - usize::from(first.is_some()), "element");
                line(out, last);
            }
            waiting.clear();
            changed = true;
            line(out, item);
        }
        if kind == ElementsKind::Set {
            self.hidden(out, at.indent + 1, unchanged + waiting.len(), "element");
        } else {
            let first = waiting.first().filter(|_| changed);
            if let Some(first) = first {
                line(out, first);
            }
            self.hidden(out, at.indent + 1, waiting.len() - usize::from(first.is_some()), "element");
        }
        self.start(out, at.indent, Action::NoOp);
        out.push(']');
        self.null(out, difference, at);
    }

    fn entries(
        &self,
        out: &mut String,
        difference: &Difference,
        items: &[(SmolStr, Difference)],
        kind: EntriesKind,
        at: At,
    ) {
        if items.is_empty() {
            out.push_str("{}");
            return self.end(out, difference, at);
        }
        out.push('{');
        self.forces(out, difference, at);
        out.push('\n');
        let name = |key: &SmolStr| match kind {
            EntriesKind::Object if is_identifier(key) => key.to_string(),
            _ => goquote::quote(key),
        };
        let width = items.iter().map(|(key, _)| name(key).chars().count()).max().unwrap_or_default();
        let mut hidden = 0;
        let map = kind == EntriesKind::Map;
        for (key, item) in items {
            let important = !map && IMPORTANT.contains(&key.as_str());
            if !self.shows(item, at) && !important {
                hidden += 1;
                continue;
            }
            self.warnings(out, item, at.indent + 1);
            self.start(out, at.indent + 1, item.action);
            pad(out, &name(key), width);
            out.push_str(" = ");
            let quiet = !map || difference.action == Action::Delete || at.quiet;
            self.write(out, item, At { quiet, all: at.all || important, ..at.inner() });
            let is_object = matches!(item.shape, Shape::Entries { kind: EntriesKind::Object, .. });
            out.push_str(if map && is_object { ",\n" } else { "\n" });
        }
        self.hidden(out, at.indent + 1, hidden, if kind == EntriesKind::Map { "element" } else { "attribute" });
        self.start(out, at.indent, Action::NoOp);
        out.push('}');
        self.null(out, difference, at);
    }

    /// The inside of a block, whose opening line stands at this depth.
    fn block(&self, out: &mut String, attributes: &[(SmolStr, Difference)], blocks: &[(SmolStr, Group)], at: At) {
        let indent = at.indent;
        let width = attributes.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let mut hidden = 0;
        for (name, item) in attributes {
            let important = IMPORTANT.contains(&name.as_str());
            if !self.shows(item, at) && !important {
                hidden += 1;
                continue;
            }
            // Counted, but with nothing to show; a state has it as null.
            let nothing = matches!(&item.shape, Shape::Primitive(_, after) if after.is_null());
            if nothing && item.action == Action::NoOp && !self.plain {
                hidden += 1;
                continue;
            }
            self.warnings(out, item, indent + 1);
            self.start(out, indent + 1, item.action);
            pad(out, name, width);
            out.push_str(" = ");
            self.write(out, item, At { quiet: false, all: at.all || important, ..at.inner() });
            out.push('\n');
        }
        self.hidden(out, indent + 1, hidden, "attribute");
        let mut unchanged = 0;
        for (name, group) in blocks {
            let mut first = true;
            for (label, item) in &group.items {
                if !self.shows(item, at) {
                    unchanged += 1;
                    continue;
                }
                if std::mem::take(&mut first) && !attributes.is_empty() {
                    out.push('\n');
                }
                self.start(out, indent + 1, item.action);
                out.push_str(name);
                if let Some(label) = label {
                    out.push(' ');
                    out.push_str(&goquote::quote(label));
                }
                out.push(' ');
                self.write(out, item, At { forced: group.replace && !item.replace, ..at.inner() });
                out.push('\n');
            }
        }
        if unchanged > 0 {
            out.push('\n');
            self.hidden(out, indent + 1, unchanged, "block");
        }
    }

    fn warnings(&self, out: &mut String, difference: &Difference, indent: usize) {
        let Shape::Sensitive { before, after, same } = &difference.shape else { return };
        if before == after || self.plain {
            return;
        }
        let note = if *same { " The value is unchanged." } else { "" };
        let text = if *after {
            "  # [yellow]Warning[reset]: this attribute value will be marked as sensitive and will not\n%  # display in UI output after applying this change."
        } else {
            "  # [yellow]Warning[reset]: this attribute value will no longer be marked as sensitive\n%  # after applying this change."
        };
        let inner = " ".repeat(indent * 4);
        out.push_str(&format!("{inner}{}{note}\n", self.paint.tags(text, &[&inner])));
    }
}

fn pad(out: &mut String, name: &str, width: usize) {
    out.push_str(name);
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(name.chars().count())));
}

pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}
