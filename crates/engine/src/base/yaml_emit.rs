//! Values as YAML in the layout of `kubectl get -o yaml`: sigs.k8s.io/yaml over go-yaml v2's emitter.
//!
//! Keys are ordered as a person would (`a2` before `a10`), lists stand under their key without indent, texts are plain
//! wherever they are read back as texts, and lines are folded at the first blank after column 80.

use std::cmp::Ordering;

use super::{Map, SmolStr, Value, goquote, json, yaml};

const WIDTH: usize = 80;
/// Longer keys are written with a question mark.
const LONGEST_KEY: usize = 128;

/// One document without `---`, ending with a newline.
pub fn emit(value: &Value) -> String {
    let mut emitter = Emitter { out: String::new(), column: 0 };
    emitter.node(value, 0, Under::Root);
    emitter.newline();
    emitter.out
}

/// Go's order of mapping keys.
pub fn sorted(map: &Map) -> Vec<(&SmolStr, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|a, b| key_order(a.0, b.0));
    entries
}

pub fn key_order(a: &str, b: &str) -> Ordering {
    let (left, right): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let Some(at) = left.iter().zip(&right).position(|(a, b)| a != b) else { return left.len().cmp(&right.len()) };
    let (Some(&x), Some(&y)) = (left.get(at), right.get(at)) else { return Ordering::Equal };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // A 0 inside a number counts as a digit; at its start it does not.
    let before = left.get(..at).unwrap_or_default().iter().rev().take_while(|c| c.is_ascii_digit());
    let start = i64::from((x == '0' || y == '0') && before.into_iter().any(|c| *c != '0'));
    let number = |text: &[char]| {
        let digits = text.get(at..).unwrap_or_default().iter().map_while(|c| c.to_digit(10));
        digits
            .fold((start, 0_usize), |(n, count), digit| (n.wrapping_mul(10).wrapping_add(i64::from(digit)), count + 1))
    };
    number(&left).cmp(&number(&right)).then(x.cmp(&y))
}

/// What the cursor stands behind.
#[derive(Clone, Copy, PartialEq)]
enum Under {
    Root,
    /// `key:`
    Key,
    /// `- `
    Dash,
}

struct Emitter {
    out: String,
    /// Characters written on this line.
    column: usize,
}

impl Emitter {
    /// `indent` is that of the collection this node would open, if it opens one. The line it ends on stays open.
    fn node(&mut self, value: &Value, indent: usize, under: Under) {
        match value {
            Value::Map(map) if !map.is_empty() => self.map(map, indent, under),
            Value::List(items) if !items.is_empty() => self.list(items, indent, under),
            _ => {
                let parent = if under == Under::Root { 0 } else { indent.saturating_sub(2) };
                if under == Under::Key {
                    self.write(" ");
                }
                self.scalar(value, parent + 2, false);
            }
        }
    }

    fn map(&mut self, map: &Map, indent: usize, under: Under) {
        let mut fresh = under != Under::Key;
        for (key, value) in sorted(map) {
            if !fresh {
                self.newline();
                self.spaces(indent);
            }
            fresh = false;
            let simple = !key.contains(is_break) && key.len() <= LONGEST_KEY;
            let key = Value::Text(key.clone());
            if simple {
                self.scalar(&key, indent + 2, true);
            } else {
                self.write("? ");
                self.scalar(&key, indent + 2, false);
                self.newline();
                self.spaces(indent);
            }
            self.write(":");
            match value {
                // A list directly under its key is not indented.
                Value::List(items) if !items.is_empty() && simple => self.list(items, indent, Under::Key),
                // After `: ` a collection starts on the same line.
                Value::List(_) | Value::Map(_) if !simple => {
                    self.write(" ");
                    self.node(value, indent + 2, Under::Dash);
                }
                _ => self.node(value, indent + 2, Under::Key),
            }
        }
    }

    fn list(&mut self, items: &[Value], indent: usize, under: Under) {
        let mut fresh = under != Under::Key;
        for item in items {
            if !fresh {
                self.newline();
                self.spaces(indent);
            }
            fresh = false;
            self.write("- ");
            self.node(item, indent + 2, Under::Dash);
        }
    }

    /// `indent` is that of continued lines.
    fn scalar(&mut self, value: &Value, indent: usize, is_key: bool) {
        match value {
            Value::Text(text) => self.text(text, indent, is_key),
            Value::Null => self.write("null"),
            Value::Bool(b) => self.write(if *b { "true" } else { "false" }),
            Value::Int(n) => self.write(&n.to_string()),
            Value::Float(n) => {
                let text = json::float(*n);
                let whole = text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok();
                self.write(if whole { text } else { goquote::float(*n) }.as_str());
            }
            Value::List(_) => self.write("[]"),
            Value::Map(_) => self.write("{}"),
        }
    }

    fn text(&mut self, text: &str, indent: usize, is_key: bool) {
        let shape = Shape::of(text);
        let mut style = if text.contains('\n') {
            Style::Literal
        } else if yaml::resolves_to_text(text) && !is_base_60(text) {
            Style::Plain
        } else {
            Style::Double
        };
        if is_key && shape.multiline {
            style = Style::Double;
        }
        if style == Style::Plain && !shape.plain {
            style = Style::Single;
        }
        if style == Style::Single && !shape.single {
            style = Style::Double;
        }
        if style == Style::Literal && (!shape.block || is_key) {
            style = Style::Double;
        }
        match style {
            Style::Plain => self.folded(text, indent, !is_key, false),
            Style::Single => {
                self.write("'");
                self.folded(text, indent, !is_key, true);
                self.write("'");
            }
            Style::Double => self.double(text, indent, !is_key),
            Style::Literal => self.literal(text, indent),
        }
    }

    fn folded(&mut self, text: &str, indent: usize, may_break: bool, quoted: bool) {
        let mut after_space = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            let inside = !quoted || (at > 0 && next.is_some());
            if c == ' ' && may_break && !after_space && self.column > WIDTH && inside && next != Some(' ') {
                self.newline();
                self.spaces(indent);
            } else if c == '\'' && quoted {
                self.write("''");
            } else {
                self.put(c);
            }
            after_space = c == ' ';
        }
    }

    fn double(&mut self, text: &str, indent: usize, may_break: bool) {
        self.write("\"");
        let mut after_space = false;
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, c)| *c);
            if !is_printable(c) || is_break(c) || matches!(c, '"' | '\\') {
                self.escape(c);
                after_space = false;
            } else if c == ' ' && may_break && !after_space && self.column > WIDTH && at > 0 && next.is_some() {
                self.newline();
                self.spaces(indent);
                if next == Some(' ') {
                    self.put('\\');
                }
                after_space = true;
            } else {
                self.put(c);
                after_space = c == ' ';
            }
        }
        self.write("\"");
    }

    fn escape(&mut self, c: char) {
        let short = match c {
            '\0' => "\\0",
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\u{b}' => "\\v",
            '\u{c}' => "\\f",
            '\r' => "\\r",
            '\u{1b}' => "\\e",
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{85}' => "\\N",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            _ => "",
        };
        let code = c as u32;
        match code {
            _ if !short.is_empty() => self.write(short),
            ..=0xff => self.write(&format!("\\x{code:02X}")),
            ..=0xffff => self.write(&format!("\\u{code:04X}")),
            _ => self.write(&format!("\\U{code:08X}")),
        }
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.write("|");
        if text.starts_with([' ', '\n']) {
            self.write("2");
        }
        match text.strip_suffix('\n') {
            None => self.write("-"),
            Some(rest) if rest.is_empty() || rest.ends_with('\n') => self.write("+"),
            Some(_) => {}
        }
        self.newline();
        let body = text.strip_suffix('\n').unwrap_or(text);
        for (index, line) in body.split('\n').enumerate() {
            if index > 0 {
                self.newline();
            }
            if !line.is_empty() {
                self.spaces(indent);
                self.write(line);
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(' ', count));
        self.column += count;
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// Which styles can carry a text.
struct Shape {
    multiline: bool,
    plain: bool,
    single: bool,
    block: bool,
}

impl Shape {
    fn of(text: &str) -> Shape {
        let mut shape = Shape { multiline: false, plain: true, single: true, block: !text.is_empty() };
        if text.starts_with("---") || text.starts_with("...") {
            shape.plain = false;
        }
        let mut before: Option<char> = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            let blank_before = before.is_none_or(is_blank);
            let blank_after = next.is_none_or(is_blank);
            let indicator = match c {
                '#' => blank_before,
                ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
                    before.is_none()
                }
                '?' | '-' => before.is_none() && blank_after,
                ':' => blank_after,
                _ => false,
            };
            if indicator {
                shape.plain = false;
            }
            if !is_printable(c) {
                (shape.plain, shape.single, shape.block) = (false, false, false);
            }
            if c == ' ' {
                if before.is_none() || next.is_none() {
                    shape.plain = false;
                }
                if next.is_none() {
                    shape.block = false;
                }
                if before.is_some_and(is_break) {
                    (shape.plain, shape.single) = (false, false);
                }
            } else if is_break(c) {
                (shape.multiline, shape.plain) = (true, false);
                if before == Some(' ') {
                    (shape.single, shape.block) = (false, false);
                }
            }
            before = Some(c);
        }
        shape
    }
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\0') || is_break(c)
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

/// `12:30:45`, which other readers take for a number.
fn is_base_60(text: &str) -> bool {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut parts = body.split(':');
    let first = parts.next().unwrap_or_default();
    if !first.starts_with(|c: char| c.is_ascii_digit()) || !first.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return false;
    }
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return false };
    let sixty = |part: &str| match part.as_bytes() {
        [a] => a.is_ascii_digit(),
        [a, b] => matches!(a, b'0'..=b'5') && b.is_ascii_digit(),
        _ => false,
    };
    let (last, fraction) = last.split_once('.').unwrap_or((last, ""));
    sixty(last) && middle.iter().all(|part| sixty(part)) && fraction.bytes().all(|b| b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lays_out_as_kubectl() {
        let check = |json: &str, want: &str| assert_eq!(emit(&json::parse(json).unwrap()), want);
        check(
            r##"{"a10":[],"a2":{},"l":[{"y":"yes","n":1},[["x"]],"- a","#"],"t":"a\n\nb","u":"a\tb","v":"x\n\n"}"##,
            "a2: {}\na10: []\nl:\n- \"n\": 1\n  \"y\": \"yes\"\n- - - x\n- '- a'\n- '#'\nt: |-\n  a\n\n  b\nu: \"a\\tb\"\nv: |+\n  x\n\n",
        );
        check(
            r#"{"message":"The node was low on resource: memory. Threshold quantity: 100Mi, available: 91244Ki. Container c"}"#,
            "message: 'The node was low on resource: memory. Threshold quantity: 100Mi, available:\n  91244Ki. Container c'\n",
        );
        check(r#"["12:30:45","2024-01-02","1:99","<b>&"]"#, "- \"12:30:45\"\n- \"2024-01-02\"\n- 1:99\n- <b>&\n");
    }
}
