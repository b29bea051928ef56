//! The first document of a YAML text as a tree of nodes with places, from libyaml's events. The only unsafe code here.
#![allow(unsafe_code)]

use crate::base::BTreeMap;
use std::ffi::CStr;
use std::mem::MaybeUninit;

#[expect(clippy::unsafe_removed_from_name, reason = "the C library's names are long enough")]
use unsafe_libyaml as sys;

use super::{MAX_DEPTH, Problem, too_deep};
use crate::base::SmolStr;

#[derive(Clone)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    pub root: usize,
}

impl Tree {
    /// Keys that stand more than once in their mapping: the key, its line, the line of the first (1-based).
    pub fn repeated(&self) -> Vec<(SmolStr, u32, u32)> {
        let mut out = Vec::new();
        for map in self.nodes.iter().filter(|node| node.shape == Shape::Map) {
            let mut seen: BTreeMap<&SmolStr, u32> = BTreeMap::new();
            for key in map.children.iter().step_by(2).filter_map(|child| self.nodes.get(*child)) {
                let line = key.mark.0.saturating_add(1);
                if key.shape == Shape::Scalar
                    && let Some(first) = seen.insert(&key.text, line)
                {
                    out.push((key.text.clone(), line, first));
                }
            }
        }
        out.sort_by_key(|(_, line, _)| *line);
        out
    }
}

#[derive(Clone)]
pub(crate) struct Node {
    pub shape: Shape,
    /// 0-based line and column.
    pub mark: (u32, u32),
    /// Scalars: the text. Aliases: the anchor's name.
    pub text: SmolStr,
    pub tag: SmolStr,
    /// A plain scalar without a tag.
    pub plain: bool,
    /// A scalar in quotes or of several lines.
    pub quoted: bool,
    /// Items, or keys and values in turn.
    pub children: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Scalar,
    List,
    Map,
    Alias(usize),
}

/// `None` for a text without a document.
pub(super) fn compose(text: &str) -> Result<Option<Tree>, Problem> {
    let mut parser = Parser::new(text);
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut anchors: BTreeMap<SmolStr, usize> = BTreeMap::new();
    let mut root = None;
    loop {
        let event = parser.next()?;
        let (node, anchor) = match event.kind {
            EventKind::Node(node, anchor) => (node, anchor),
            EventKind::Close => {
                open.pop();
                continue;
            }
            EventKind::DocumentEnd | EventKind::StreamEnd => break,
            EventKind::Other => continue,
        };
        let mut node = node;
        if let Shape::Alias(_) = node.shape {
            let Some(target) = anchors.get(&node.text) else {
                let text = format!("yaml: unknown anchor '{}' referenced", node.text);
                return Err(Problem { text, mark: Some(node.mark) });
            };
            node.shape = Shape::Alias(*target);
        }
        let index = nodes.len();
        if !anchor.is_empty() {
            anchors.insert(anchor, index);
        }
        match open.last().and_then(|parent| nodes.get_mut(*parent)) {
            Some(parent) => parent.children.push(index),
            None => root = Some(index),
        }
        if matches!(node.shape, Shape::List | Shape::Map) {
            open.push(index);
            if open.len() > MAX_DEPTH {
                let text = too_deep(node.mark.0);
                return Err(Problem { text, mark: Some(node.mark) });
            }
        }
        nodes.push(node);
    }
    Ok(root.map(|root| Tree { nodes, root }))
}

struct Event {
    kind: EventKind,
}

enum EventKind {
    Node(Node, SmolStr),
    Close,
    DocumentEnd,
    StreamEnd,
    Other,
}

/// Owns libyaml's parser; boxed because libyaml keeps a pointer to it.
struct Parser<'a> {
    raw: Box<MaybeUninit<sys::yaml_parser_t>>,
    _text: &'a str,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        let mut raw = Box::new(MaybeUninit::<sys::yaml_parser_t>::uninit());
        // SAFETY: initialize fills the whole struct before any other call; the text outlives the parser ('a).
        unsafe {
            let parser = raw.as_mut_ptr();
            let _ = sys::yaml_parser_initialize(parser);
            sys::yaml_parser_set_encoding(parser, sys::YAML_UTF8_ENCODING);
            sys::yaml_parser_set_input_string(parser, text.as_ptr(), text.len() as u64);
        }
        Parser { raw, _text: text }
    }

    fn next(&mut self) -> Result<Event, Problem> {
        let mut raw = MaybeUninit::<sys::yaml_event_t>::uninit();
        // SAFETY: the parser was initialized in `new`; parse fills the event, which is deleted before it is left.
        unsafe {
            if sys::yaml_parser_parse(self.raw.as_mut_ptr(), raw.as_mut_ptr()).fail {
                return Err(self.problem());
            }
            let event = &*raw.as_ptr();
            let kind = read_event(event);
            sys::yaml_event_delete(raw.as_mut_ptr());
            Ok(Event { kind })
        }
    }

    /// go-yaml's line numbers: scanner problems count from 1, parser problems from 0, and a 0 is not told.
    fn problem(&self) -> Problem {
        // SAFETY: the parser is initialized, and its texts are static or null.
        let (error, text, mark, context) = unsafe {
            let parser = &*self.raw.as_ptr();
            let text = if parser.problem.is_null() {
                "unknown problem parsing YAML content".into()
            } else {
                CStr::from_ptr(parser.problem.cast()).to_string_lossy().into_owned()
            };
            (parser.error, text, parser.problem_mark, parser.context_mark)
        };
        let line = match (mark.line, context.line) {
            (0, context) => context,
            (line, _) if error == sys::YAML_SCANNER_ERROR => line.saturating_add(1),
            (line, _) => line,
        };
        let text = if line == 0 { format!("yaml: {text}") } else { format!("yaml: line {line}: {text}") };
        Problem { text, mark: Some((small(mark.line), small(mark.column))) }
    }
}

impl Drop for Parser<'_> {
    fn drop(&mut self) {
        // SAFETY: initialized in `new`, deleted once.
        unsafe { sys::yaml_parser_delete(self.raw.as_mut_ptr()) }
    }
}

/// SAFETY: the event was filled by `yaml_parser_parse` and not deleted yet.
unsafe fn read_event(event: &sys::yaml_event_t) -> EventKind {
    let mark = (small(event.start_mark.line), small(event.start_mark.column));
    let node = |shape, tag, text, plain| Node { shape, mark, text, tag, plain, quoted: false, children: Vec::new() };
    // SAFETY: the type says which member of the union is filled; its pointers are null or NUL-terminated.
    unsafe {
        match event.type_ {
            sys::YAML_SCALAR_EVENT => {
                let scalar = &event.data.scalar;
                let bytes = std::slice::from_raw_parts(scalar.value, scalar.length as usize);
                let text = SmolStr::from(String::from_utf8_lossy(bytes));
                let mut node = node(Shape::Scalar, name(scalar.tag), text, scalar.plain_implicit);
                node.quoted = scalar.style != sys::YAML_PLAIN_SCALAR_STYLE;
                EventKind::Node(node, name(scalar.anchor))
            }
            sys::YAML_SEQUENCE_START_EVENT => {
                let start = &event.data.sequence_start;
                EventKind::Node(node(Shape::List, name(start.tag), SmolStr::default(), false), name(start.anchor))
            }
            sys::YAML_MAPPING_START_EVENT => {
                let start = &event.data.mapping_start;
                EventKind::Node(node(Shape::Map, name(start.tag), SmolStr::default(), false), name(start.anchor))
            }
            sys::YAML_ALIAS_EVENT => {
                let anchor = name(event.data.alias.anchor);
                EventKind::Node(node(Shape::Alias(0), SmolStr::default(), anchor, false), SmolStr::default())
            }
            sys::YAML_SEQUENCE_END_EVENT | sys::YAML_MAPPING_END_EVENT => EventKind::Close,
            sys::YAML_DOCUMENT_END_EVENT => EventKind::DocumentEnd,
            sys::YAML_STREAM_END_EVENT | sys::YAML_NO_EVENT => EventKind::StreamEnd,
            _ => EventKind::Other,
        }
    }
}

/// SAFETY: null, or NUL-terminated and alive.
unsafe fn name(text: *const u8) -> SmolStr {
    if text.is_null() {
        return SmolStr::default();
    }
    // SAFETY: as the caller promised.
    SmolStr::from(unsafe { CStr::from_ptr(text.cast()) }.to_string_lossy())
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
