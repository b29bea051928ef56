//! Diagnostics as a terminal shows them: a box with a bar at the left, or plain text; the lines of source they are
//! about, and what the references in them are.

use std::fmt::Write;

use super::ast::Block;
use super::diagnostic::{Diagnostic, Severity};
use super::pages::{Page, Pages};
use crate::base::{BTreeMap, goquote, order};
use crate::terraform::json::Json;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Columns of the terminal; 78 where there is none.
    pub width: usize,
    /// With bar and corners; `-no-color` gives plain text.
    pub boxed: bool,
    /// With escape sequences.
    pub color: bool,
}

/// The order in which diagnostics are shown: warnings first, then by place.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let key = |each: &Diagnostic| {
        let place = each.subject.as_ref().map(|range| {
            let depth = range.file.matches('/').count();
            (depth, range.file.clone(), range.start.byte, range.end.byte)
        });
        (each.severity, place)
    };
    *diagnostics = order::sorted(std::mem::take(diagnostics), &|a, b| key(a).cmp(&key(b)));
}

/// Warnings of one summary as one: the first, with a note of how many more there are.
pub fn consolidate(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut out: Vec<(Diagnostic, usize)> = Vec::new();
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    for each in diagnostics {
        if each.severity == Severity::Warning && each.subject.is_some() {
            let first = *firsts.entry(each.summary.clone()).or_insert(out.len());
            if let Some((_, more)) = out.get_mut(first) {
                *more += 1;
                continue;
            }
        }
        out.push((each, 0));
    }
    let noted = |(mut each, more): (Diagnostic, usize)| {
        match more {
            0 => {}
            1 => each.detail.push_str("\n\n(and one more similar warning elsewhere)"),
            more => {
                let _ = write!(each.detail, "\n\n(and {more} more similar warnings elsewhere)");
            }
        }
        each
    };
    out.into_iter().map(noted).collect()
}

/// The text of one diagnostic, with the newline at its end.
pub fn render(diagnostic: &Diagnostic, pages: &Pages, layout: Layout) -> String {
    // A box is laid out with its colours, whose last reset may stand on a line of its own; so without them too.
    let pen = Pen { color: layout.boxed };
    let warning = diagnostic.severity == Severity::Warning;
    let (title, hue) = if warning { ("Warning: ", "33") } else { ("Error: ", "31") };
    let mut text = String::new();
    if !layout.boxed {
        text.push('\n');
    }
    let _ = write!(text, "{}", pen.ends(&format!("{}{}{title}{}", pen.code("1"), pen.code(hue), pen.code("0"))));
    let _ = write!(text, "{}", pen.ends(&format!("{}{}{}\n\n", pen.code("1"), diagnostic.summary, pen.code("0"))));
    snippet(diagnostic, pages, pen, &mut text);
    let width = layout.width.saturating_sub(if layout.boxed { 3 } else { 1 });
    if !diagnostic.detail.is_empty() {
        for line in diagnostic.detail.split('\n') {
            text.push_str(&if line.starts_with(' ') { line.to_owned() } else { wrap(line, width) });
            text.push('\n');
        }
    }
    if !layout.boxed {
        return text;
    }
    let bar = |sign: &str| pen.ends(&format!("{}{sign}{}", pen.code(hue), pen.code("0")));
    let side = pen.ends(&format!("{}│{} ", pen.code(hue), pen.code("0")));
    let mut out = bar("╷");
    out.push('\n');
    for line in text.strip_suffix('\n').unwrap_or(&text).split('\n') {
        out.push_str(&side);
        out.push_str(line);
        out.push('\n');
    }
    out.push_str(&bar("╵"));
    out.push('\n');
    if layout.color { out } else { without_escapes(&out) }
}

/// A diagnostic as data, for `-json`.
pub fn json(diagnostic: &Diagnostic, pages: &Pages) -> Json {
    let severity = if diagnostic.severity == Severity::Warning { "warning" } else { "error" };
    let mut json = Json::of([
        ("severity", Json::text(severity)),
        ("summary", Json::text(&diagnostic.summary)),
        ("detail", Json::text(&diagnostic.detail)),
    ]);
    if !diagnostic.address.is_empty() {
        json.push("address", Json::text(&diagnostic.address));
    }
    let Some(subject) = &diagnostic.subject else { return json };
    let mut end = subject.end;
    if subject.start.byte >= end.byte {
        end.byte = subject.start.byte + 1;
        end.column = subject.start.column + 1;
    }
    let pos = |pos: super::ast::Pos| {
        Json::of([
            ("line", Json::number(pos.line)),
            ("column", Json::number(pos.column)),
            ("byte", Json::number(pos.byte)),
        ])
    };
    let range = [("filename", Json::text(&subject.file)), ("start", pos(subject.start)), ("end", pos(end))];
    json.push("range", Json::of(range));
    let Some(page) = pages.get(&subject.file) else { return json };
    let mut shown = diagnostic.context.clone().unwrap_or_else(|| subject.clone());
    shown.start = if shown.start.byte > subject.start.byte { subject.start } else { shown.start };
    shown.end = if shown.end.byte < end.byte { end } else { shown.end };
    let (code, start) = page.lines_of(&shown);
    let from = subject.start.byte.saturating_sub(start).min(code.len());
    let to = (from + end.byte - subject.start.byte).min(code.len());
    let header = block_header(page, subject.start.byte);
    let values = diagnostic
        .values
        .iter()
        .map(|(name, statement)| Json::of([("traversal", Json::text(name)), ("statement", Json::text(statement))]));
    let mut snippet = Json::of([
        ("context", header.map_or_else(Json::null, |header| Json::text(&header))),
        ("code", Json::text(&code)),
        ("start_line", Json::number(shown.start.line)),
        ("highlight_start_offset", Json::number(from)),
        ("highlight_end_offset", Json::number(to)),
        ("values", Json::Array(values.collect())),
    ]);
    if let Some((name, _)) = diagnostic.calling.split_once('(') {
        let mut call = Json::of([("called_as", Json::text(name))]);
        if let Some(function) = crate::terraform::eval::functions::find(name) {
            call.push("signature", function.json());
        }
        snippet.push("function_call", call);
    }
    json.push("snippet", snippet);
    json
}

fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    out.extend(parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest)));
    out
}

/// Writes escape sequences, or nothing.
#[derive(Clone, Copy)]
struct Pen {
    color: bool,
}

impl Pen {
    fn code(self, code: &str) -> String {
        if self.color { format!("\x1b[{code}m") } else { String::new() }
    }

    /// A coloured text ends with a reset, even behind its newline.
    fn ends(self, text: &str) -> String {
        format!("{text}{}", self.code("0"))
    }
}

fn snippet(diagnostic: &Diagnostic, pages: &Pages, pen: Pen, out: &mut String) {
    if !diagnostic.address.is_empty() {
        let _ = writeln!(out, "  with {},", diagnostic.address);
    }
    let Some(subject) = &diagnostic.subject else { return };
    let (file, line) = (&subject.file, subject.start.line);
    let Some(page) = pages.get(file) else {
        let _ = writeln!(out, "  on {file} line {line}:\n  (source code not available)\n");
        return;
    };
    let mut highlight = subject.clone();
    if highlight.start.byte >= highlight.end.byte {
        highlight.end.byte = highlight.start.byte + 1;
    }
    let mut shown = diagnostic.context.clone().unwrap_or_else(|| highlight.clone());
    if shown.start.byte > highlight.start.byte {
        shown.start = highlight.start;
    }
    if shown.end.byte < highlight.end.byte {
        shown.end = highlight.end;
    }
    match block_header(page, highlight.start.byte) {
        Some(header) => {
            let _ = writeln!(out, "  on {file} line {line}, in {header}:");
        }
        None => {
            let _ = writeln!(out, "  on {file} line {line}:");
        }
    }
    let (code, start) = page.lines_of(&shown);
    let from = highlight.start.byte.saturating_sub(start).min(code.len());
    let to = (from + highlight.end.byte - highlight.start.byte).min(code.len());
    let part = |from: usize, to: usize| code.get(from..to).unwrap_or_default();
    let code = if code.is_char_boundary(from) && code.is_char_boundary(to) {
        let (before, after) = (part(0, from), part(to, code.len()));
        pen.ends(&format!("{before}{}{}{}{after}", pen.code("4"), part(from, to), pen.code("0")))
    } else {
        code
    };
    for (index, line) in code.split('\n').enumerate() {
        let _ = writeln!(out, "{:>4}: {line}", shown.start.line as usize + index);
    }
    if !diagnostic.values.is_empty() || !diagnostic.calling.is_empty() {
        let gray = pen.code("90");
        let (bold, reset) = (pen.code("1"), pen.code("0"));
        out.push_str(&pen.ends(&format!("    {gray}├────────────────{reset}\n")));
        if let Some((name, parameters)) = diagnostic.calling.split_once('(') {
            let head = pen.ends(&format!("    {gray}│{reset} while calling {bold}{name}{reset}("));
            let _ = writeln!(out, "{head}{parameters}");
        }
        for (name, statement) in &diagnostic.values {
            out.push_str(&pen.ends(&format!("    {gray}│{reset} {bold}{name}{reset} {statement}\n")));
        }
    }
    out.push('\n');
}

/// `resource "t" "n"`: the block of the file around the byte before this one.
fn block_header(page: &Page, byte: usize) -> Option<String> {
    page.block(byte.checked_sub(1)?).map(header_text)
}

/// `resource "t" "n"`
pub fn header_text(block: &Block) -> String {
    let mut text = block.kind.to_string();
    for label in &block.labels {
        text.push(' ');
        text.push_str(&goquote::quote(label));
    }
    text
}

/// Breaks at blanks so that no line is longer than the width; longer words stay whole.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let (mut current, mut word_length, mut blank_length) = (0, 0, 0);
    let (mut word, mut blank) = (String::new(), String::new());
    for c in text.chars() {
        if c == '\n' {
            if word.is_empty() && current + blank_length > width {
                blank.clear();
            }
            out.push_str(&std::mem::take(&mut blank));
            out.push_str(&std::mem::take(&mut word));
            (current, word_length, blank_length) = (0, 0, 0);
            out.push(c);
        } else if c.is_whitespace() && c != '\u{a0}' {
            if blank.is_empty() || !word.is_empty() {
                current += blank_length + word_length;
                out.push_str(&std::mem::take(&mut blank));
                out.push_str(&std::mem::take(&mut word));
                (word_length, blank_length) = (0, 0);
            }
            blank.push(c);
            blank_length += 1;
        } else {
            word.push(c);
            word_length += 1;
            if current + word_length + blank_length > width && word_length < width {
                out.push('\n');
                current = 0;
                blank.clear();
                blank_length = 0;
            }
        }
    }
    if !word.is_empty() || current + blank_length <= width {
        out.push_str(&blank);
    }
    out.push_str(&word);
    out
}
