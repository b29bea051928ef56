//! YAML as kubectl reads manifests: the document splitter and the YAML-or-JSON choice of apimachinery, over the rules
//! of go-yaml v2 (YAML 1.1 booleans and octals, timestamps stay text, merge keys, last of two equal keys wins).
//!
//! Every value keeps its place for the editor. Differences from the real thing: nesting ends at [`MAX_DEPTH`] and
//! input at [`MAX_BYTES`], where kubectl allows a depth of 10,000 and any size.

mod compose;
mod decode;
mod scalar;

use super::diagnostic::{Diagnostic, Place, Severity};
use super::{SmolStr, Value, gap, json};
pub(crate) use compose::{Node, Shape, Tree};

pub use scalar::base64;
pub(super) use scalar::resolves_to_text;

/// JSON travels on from here, and its reader ends at 128.
pub const MAX_DEPTH: usize = 120;
pub const MAX_BYTES: usize = 4 << 20;

/// The real reader goes on to a depth of 10,000.
fn too_deep(line: u32) -> String {
    format!("yaml: line {}: {}", line.saturating_add(1), gap::line(&format!("nesting deeper than {MAX_DEPTH}"), ""))
}

/// The documents of a text up to the first error, as `kubectl -f` meets them: empty ones are left out.
#[derive(Clone, Default)]
pub struct Stream {
    pub documents: Vec<Document>,
    pub error: Option<YamlError>,
}

#[derive(Clone)]
pub struct Document {
    pub value: Value,
    /// 1-based line of the text where this document starts.
    pub line: u32,
    tree: Option<Tree>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlError {
    /// What follows `error parsing FILE: `.
    pub text: String,
    /// Where in the whole text, as well as the reader knows it.
    pub place: Option<Place>,
}

/// All documents, or the first error.
pub fn parse_documents(text: &str) -> Result<Vec<Document>, YamlError> {
    let stream = read(text);
    stream.error.map_or(Ok(stream.documents), Err)
}

/// One YAML text without splitting (`yaml.Unmarshal`); errors start with `yaml: ` or `json: `.
pub fn parse(text: &str) -> Result<Value, YamlError> {
    parse_tree(text, 1).map(|(value, _)| value)
}

/// Documents before an error are kept: kubectl has already applied them.
pub fn read(text: &str) -> Stream {
    let mut stream = Stream::default();
    if text.len() > MAX_BYTES {
        let text = gap::line(&format!("input of more than {MAX_BYTES} bytes"), "split it into several files");
        stream.error = Some(YamlError { text, place: None });
        return stream;
    }
    // What Windows puts at the head of a text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    let mut json_error = None;
    if text.trim_start().starts_with('{') {
        match read_json(text, &mut stream) {
            JsonEnd::Done => return stream,
            JsonEnd::NotJson { error, rest: left } => (json_error, rest) = (Some(error), left),
        }
    }
    let first_line = line_of(text, text.len() - rest.len());
    for chunk in Chunks::new(rest, first_line) {
        let read = chunk.and_then(|(chunk, line)| {
            let (value, tree) = parse_tree(&chunk, line).map_err(|error| YamlError {
                text: format!("error converting YAML to JSON: {}", error.text),
                ..error
            })?;
            Ok(Document { value, line, tree })
        });
        match read {
            Ok(document) => {
                json_error = None;
                if !document.value.is_null() {
                    stream.documents.push(document);
                }
            }
            Err(error) => {
                stream.error = Some(json_error.unwrap_or(error));
                break;
            }
        }
    }
    stream
}

/// The nodes of the first document, for readers with rules of their own.
pub(crate) fn tree(text: &str) -> Result<Option<Tree>, YamlError> {
    compose::compose(text).map_err(|problem| problem.at(1))
}

fn parse_tree(text: &str, line: u32) -> Result<(Value, Option<Tree>), YamlError> {
    let Some(tree) = compose::compose(text).map_err(|problem| problem.at(line))? else {
        return Ok((Value::Null, None));
    };
    match decode::decode(&tree) {
        Ok(value) => Ok((value, Some(tree))),
        Err(problem) => Err(problem.at(line)),
    }
}

/// A problem inside one document, before the document's own place in the text is known.
pub(super) struct Problem {
    text: String,
    /// 0-based.
    mark: Option<(u32, u32)>,
}

impl Problem {
    fn new(text: impl Into<String>) -> Problem {
        Problem { text: text.into(), mark: None }
    }

    fn at(self, first_line: u32) -> YamlError {
        let place = self
            .mark
            .map(|(line, column)| Place { line: first_line.saturating_add(line), column: column.saturating_add(1) });
        YamlError { text: self.text, place }
    }
}

impl YamlError {
    /// For an editor: the error at its place, or at the start when the reader tells none.
    pub fn diagnostic(&self) -> Diagnostic {
        let start = self.place.unwrap_or(Place { line: 1, column: 1 });
        let end = Place { column: start.column.saturating_add(1), ..start };
        Diagnostic { severity: Severity::Error, start, end, message: self.text.clone(), hint: String::new() }
    }
}

impl Document {
    /// Keys that stand more than once in their mapping, each with its line and the line of the one before, both counted
    /// from the start of the document.
    pub fn repeated(&self) -> Vec<(SmolStr, u32, u32)> {
        self.tree.as_ref().map(Tree::repeated).unwrap_or_default()
    }

    /// Line and column (1-based) of what a path of keys and list indexes leads to: the key of a map entry, the start of
    /// a list item. A path that ends early gives nothing; ask again for its parent.
    pub fn place(&self, path: &[&str]) -> Option<(u32, u32)> {
        let (key, _) = self.walk(path)?;
        Some((self.line.saturating_add(key.0), key.1.saturating_add(1)))
    }

    /// Line and column (1-based) of the value itself.
    pub fn value_place(&self, path: &[&str]) -> Option<(u32, u32)> {
        let (_, value) = self.walk(path)?;
        Some((self.line.saturating_add(value.0), value.1.saturating_add(1)))
    }

    fn walk(&self, path: &[&str]) -> Option<((u32, u32), (u32, u32))> {
        let tree = self.tree.as_ref()?;
        let mut node = tree.nodes.get(tree.root)?;
        let mut key_mark = node.mark;
        for step in path {
            while let Shape::Alias(target) = node.shape {
                node = tree.nodes.get(target)?;
            }
            let next = match &node.shape {
                Shape::List => node.children.get(step.parse::<usize>().ok()?).copied()?,
                Shape::Map => {
                    let mut pairs = node.children.chunks_exact(2).rev();
                    let pair = pairs.find(|pair| pair.first().is_some_and(|&key| tree.key_text(key) == *step))?;
                    key_mark = tree.nodes.get(*pair.first()?)?.mark;
                    *pair.get(1)?
                }
                _ => return None,
            };
            let list = matches!(node.shape, Shape::List);
            node = tree.nodes.get(next)?;
            if list {
                key_mark = node.mark;
            }
        }
        Some((key_mark, node.mark))
    }
}

enum JsonEnd<'a> {
    Done,
    NotJson { error: YamlError, rest: &'a str },
}

/// JSON objects one after another. Where that fails before the third value, the rest is tried as YAML.
fn read_json<'a>(text: &'a str, stream: &mut Stream) -> JsonEnd<'a> {
    let mut at = 0;
    let mut count = 0;
    loop {
        let start = at + blank(&text[at..], json::text::is_space);
        if start >= text.len() {
            return JsonEnd::Done;
        }
        let problem = match json::text::value_end(text, start) {
            Ok(end) => {
                let line = line_of(text, start);
                match json::parse(&text[start..end]) {
                    Ok(value) => {
                        let tree = compose::compose(&text[start..end]).ok().flatten();
                        if !value.is_null() {
                            stream.documents.push(Document { value, line, tree });
                        }
                        (at, count) = (end, count + 1);
                        continue;
                    }
                    Err(error) => json::text::Problem { offset: None, at: start, text: error },
                }
            }
            Err(problem) => problem,
        };
        let place = Some(place_of(text, problem.at));
        if count > 1 {
            stream.error = Some(YamlError { text: problem.text, place });
            return JsonEnd::Done;
        }
        let text_of_error = match problem.offset {
            Some(offset) => format!("json: offset {offset}: {}", problem.text),
            None => problem.text,
        };
        let spaces = text[at..].char_indices().find_map(|(index, c)| match c {
            '\n' => Some(index + 1),
            c if c.is_whitespace() => None,
            _ => Some(index),
        });
        let rest = &text[at + spaces.unwrap_or(0)..];
        return JsonEnd::NotJson { error: YamlError { text: text_of_error, place }, rest };
    }
}

fn blank(text: &str, is_space: fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is_space(*byte)).count()
}

fn line_of(text: &str, at: usize) -> u32 {
    let lines = text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1)
}

fn place_of(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
    Place { line: line_of(text, at), column: u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1) }
}

/// Cuts at lines that start with `---`. A first `---` stays part of its document, so lines count from there; a later
/// one is dropped, so lines count from the line after it.
struct Chunks<'a> {
    lines: std::str::SplitInclusive<'a, char>,
    line: u32,
    failed: bool,
}

impl<'a> Chunks<'a> {
    fn new(text: &'a str, line: u32) -> Chunks<'a> {
        Chunks { lines: text.split_inclusive('\n'), line, failed: false }
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<(String, u32), YamlError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let mut chunk = String::new();
        let first_line = self.line;
        for line in self.lines.by_ref() {
            let number = self.line;
            self.line = self.line.saturating_add(1);
            let line = line.strip_suffix('\n').unwrap_or(line);
            let line = line.strip_suffix('\r').unwrap_or(line);
            if let Some(after) = line.strip_prefix("---") {
                let after = after.trim();
                if !after.is_empty() && !after.starts_with('#') {
                    self.failed = true;
                    let text = format!("invalid Yaml document separator: {after}");
                    return Some(Err(YamlError { text, place: Some(Place { line: number, column: 4 }) }));
                }
                if !chunk.is_empty() {
                    return Some(Ok((chunk, first_line)));
                }
            }
            chunk.push_str(line);
            chunk.push('\n');
        }
        (!chunk.is_empty()).then_some(Ok((chunk, first_line)))
    }
}

impl Tree {
    /// The text a mapping key has after it is read: `y` is `true`.
    fn key_text(&self, key: usize) -> SmolStr {
        decode::key_text(self, key).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
