//! The files that diagnostics point into, as reports quote them: each is read once, however much is said of it.

use super::ast::{Block, Range};
use super::diagnostic::Diagnostic;
use super::parse;
use crate::base::{BTreeMap, SmolStr};

pub struct Pages(BTreeMap<SmolStr, Page>);

impl Pages {
    /// Those of the texts, by file name, that the diagnostics are about.
    pub fn of(texts: &BTreeMap<SmolStr, String>, diagnostics: &[Diagnostic]) -> Pages {
        let mut pages = BTreeMap::new();
        for subject in diagnostics.iter().filter_map(|each| each.subject.as_ref()) {
            if let Some(text) = texts.get(&subject.file) {
                pages.entry(subject.file.clone()).or_insert_with(|| Page::new(&subject.file, text));
            }
        }
        Pages(pages)
    }

    pub fn get(&self, file: &str) -> Option<&Page> {
        self.0.get(file)
    }
}

pub struct Page {
    text: String,
    /// Where each line starts.
    lines: Vec<usize>,
    /// The blocks that stand in no other.
    blocks: Vec<Block>,
}

impl Page {
    fn new(file: &str, text: &str) -> Page {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = [0].into_iter().chain(newlines.map(|(at, _)| at + 1)).collect();
        Page { text: text.to_owned(), lines, blocks: parse(file, text).0.blocks }
    }

    /// The lines that a range touches, and where the first one starts. Blank lines inside are left out, as upstream
    /// does.
    pub fn lines_of(&self, range: &Range) -> (String, usize) {
        let inside = |from: usize, to: usize, at: usize| at >= from && at < to;
        let (from, to) = (range.start.byte, range.end.byte);
        let mut code: Vec<&str> = Vec::new();
        let mut first = 0;
        // A line before that of the start touches nothing.
        let before = self.lines.partition_point(|start| *start <= from).saturating_sub(1);
        for (at, &start) in self.lines.iter().enumerate().skip(before).take_while(|(_, start)| **start <= to) {
            let next = self.lines.get(at + 1).copied().unwrap_or(self.text.len());
            let line = self.text.get(start..next).unwrap_or_default();
            let text = line.strip_suffix('\n').unwrap_or(line);
            let text = text.strip_suffix('\r').unwrap_or(text);
            let end = start + text.len();
            let touches =
                inside(start, end, from) || inside(start, end, to) || inside(from, to, start) || inside(from, to, end);
            if touches && !text.is_empty() {
                if code.is_empty() {
                    first = start;
                }
                code.push(text);
            }
        }
        (code.join("\n"), first)
    }

    /// The block around a byte.
    pub fn block(&self, byte: usize) -> Option<&Block> {
        // They stand one behind the other.
        let behind = self.blocks.partition_point(|block| block.kind_range.start.byte <= byte);
        let block = self.blocks.get(behind.checked_sub(1)?)?;
        (byte < block.close_range.end.byte).then_some(block)
    }
}
