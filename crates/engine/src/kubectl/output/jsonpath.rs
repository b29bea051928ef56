//! client-go's jsonpath: templates of text and `{…}` actions over an object.
//!
//! Where the real one walks maps in random order (`*`, `..`), keys are in order here. Nested ranges, nested filters and
//! the number of results have limits.

use std::cmp::Ordering;

use crate::base::{Value, float, goquote, json};

const MOST_RESULTS: usize = 1_000_000;
const DEEPEST: usize = 60;

#[derive(Clone, Debug)]
pub struct JsonPath {
    text: String,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Text(String),
    Action(Vec<Node>),
    Identifier(String),
    Field(String),
    Wildcard,
    Recursive,
    Slice([Bound; 3]),
    Union(Vec<Vec<Node>>),
    Filter { left: Vec<Node>, operator: String, right: Vec<Node> },
    Literal(Value),
}

#[derive(Clone, Copy, Debug, Default)]
struct Bound {
    value: i64,
    known: bool,
    derived: bool,
}

impl JsonPath {
    /// The error is what follows `error parsing jsonpath <text>, `.
    pub fn parse(text: &str) -> Result<JsonPath, String> {
        Ok(JsonPath { text: text.into(), nodes: parse(text, 0)? })
    }

    /// The results of each action and text in turn.
    pub fn find(&self, object: &Value, allow_missing: bool) -> Result<Vec<Vec<Value>>, String> {
        let mut walk =
            Walk { nodes: &self.nodes, allow_missing, begin: 0, inside: 0, end: 0, last_end: None, count: 0 };
        walk.find(0, object)
    }

    /// What `-o jsonpath` prints; no newline at the end. The error is client-go's alone: see [`JsonPath::complaint`].
    pub fn print(&self, object: &Value, allow_missing: bool) -> Result<String, String> {
        let mut out = String::new();
        for results in self.find(object, allow_missing)? {
            let texts: Vec<String> = results.iter().map(shown).collect();
            out.push_str(&texts.join(" "));
        }
        Ok(out)
    }

    /// What `-o jsonpath-as-json` prints: one array for each part of the template.
    pub fn print_as_json(&self, object: &Value, allow_missing: bool) -> Result<String, String> {
        let groups = self.find(object, allow_missing)?;
        Ok(groups.into_iter().map(|results| json::pretty(&Value::list(results), 4) + "\n").collect())
    }

    /// What follows `error: ` when printing failed.
    pub fn complaint(&self, error: &str, object: &Value) -> String {
        let text = &self.text;
        let dump = goquote::go_syntax_of_json(object);
        format!(
            "error executing jsonpath {}: Error executing template: {error}. Printing more information for debugging \
             the template:\n\ttemplate was:\n\t\t{text}\n\tobject given to jsonpath engine was:\n\t\t{dump}\n\n",
            goquote::quote(text)
        )
    }
}

/// One result as text: lists and maps as JSON, everything else as Go prints it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::List(_) | Value::Map(_) => json::compact(value),
        simple => goquote::plain(simple),
    }
}

struct Walk<'a> {
    nodes: &'a [Node],
    allow_missing: bool,
    /// Ranges seen and not yet started, running, and ends not yet taken.
    begin: usize,
    inside: usize,
    end: usize,
    last_end: Option<usize>,
    count: usize,
}

impl Walk<'_> {
    fn find(&mut self, from: usize, object: &Value) -> Result<Vec<Vec<Value>>, String> {
        let nodes = self.nodes;
        let current = [object.clone()];
        let mut all = Vec::new();
        let mut at = from;
        while let Some(node) = nodes.get(at) {
            let results = self.walk(&current, node)?;
            if self.end > 0 && self.end <= self.inside {
                self.end -= 1;
                self.last_end = Some(at);
                break;
            }
            if self.begin > 0 {
                self.begin -= 1;
                self.inside += 1;
                if self.inside > DEEPEST {
                    return Err(format!("ranges nested deeper than {DEEPEST}"));
                }
                if results.is_empty() {
                    // The end must still be found.
                    self.find(at + 1, &Value::Null)?;
                }
                for value in &results {
                    all.extend(self.find(at + 1, value)?);
                }
                self.inside -= 1;
                if let Some(end) = self.last_end.filter(|end| *end > at) {
                    at = end;
                }
                at += 1;
                continue;
            }
            all.push(results);
            at += 1;
        }
        Ok(all)
    }

    fn list(&mut self, input: &[Value], nodes: &[Node]) -> Result<Vec<Value>, String> {
        let mut current = input.to_vec();
        for node in nodes {
            current = self.walk(&current, node)?;
        }
        Ok(current)
    }

    fn walk(&mut self, input: &[Value], node: &Node) -> Result<Vec<Value>, String> {
        let results = match node {
            Node::Text(text) => vec![Value::text(text.as_str())],
            Node::Action(nodes) => self.list(input, nodes)?,
            Node::Identifier(name) => self.identifier(input, name)?,
            Node::Field(name) => self.field(input, name)?,
            Node::Wildcard => input.iter().flat_map(children).collect(),
            Node::Recursive => {
                let mut out = Vec::new();
                input.iter().for_each(|value| descend(value, &mut out));
                out
            }
            Node::Slice(bounds) => slice(input, bounds)?,
            Node::Union(parts) => {
                let mut out = Vec::new();
                for part in parts {
                    out.extend(self.list(input, part)?);
                }
                out
            }
            Node::Filter { left, operator, right } => self.filter(input, left, operator, right)?,
            Node::Literal(value) => vec![value.clone(); input.len()],
        };
        self.count = self.count.saturating_add(results.len());
        if self.count > MOST_RESULTS {
            return Err(format!("more than {MOST_RESULTS} results"));
        }
        Ok(results)
    }

    fn identifier(&mut self, input: &[Value], name: &str) -> Result<Vec<Value>, String> {
        match name {
            "range" => {
                self.begin += 1;
                Ok(input.to_vec())
            }
            "end" if self.inside > 0 => {
                self.end += 1;
                Ok(Vec::new())
            }
            "end" => Err("not in range, nothing to end".into()),
            _ => Err(format!("unrecognized identifier {name}")),
        }
    }

    fn field(&self, input: &[Value], name: &str) -> Result<Vec<Value>, String> {
        let results: Vec<Value> =
            input.iter().filter(|value| value.has(name)).map(|value| value.get(name).clone()).collect();
        if results.is_empty() && !input.is_empty() && !self.allow_missing {
            return Err(format!("{name} is not found"));
        }
        Ok(results)
    }

    fn filter(&mut self, input: &[Value], left: &[Node], operator: &str, right: &[Node]) -> Result<Vec<Value>, String> {
        let mut results = Vec::new();
        for value in input {
            let Value::List(items) = value else {
                return Err(format!("{} is not array or slice and cannot be filtered", goquote::plain(value)));
            };
            for item in items.iter() {
                let one = std::slice::from_ref(item);
                let lefts = self.list(one, left);
                if operator == "exists" {
                    if lefts.is_ok_and(|lefts| !lefts.is_empty()) {
                        results.push(item.clone());
                    }
                    continue;
                }
                let Some(left) = single(lefts?)? else { continue };
                let Some(right) = single(self.list(one, right)?)? else { continue };
                if compare(&left, operator, &right)? {
                    results.push(item.clone());
                }
            }
        }
        Ok(results)
    }
}

fn single(mut values: Vec<Value>) -> Result<Option<Value>, String> {
    if values.len() > 1 {
        return Err("can only compare one element at a time".into());
    }
    Ok(values.pop())
}

fn compare(left: &Value, operator: &str, right: &Value) -> Result<bool, String> {
    let order = || -> Result<Ordering, String> {
        match (left, right) {
            (Value::Null | Value::List(_) | Value::Map(_), _) | (_, Value::Null | Value::List(_) | Value::Map(_)) => {
                Err("invalid type for comparison".into())
            }
            (Value::Bool(a), Value::Bool(b)) => Ok(a.cmp(b)),
            (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
            (Value::Float(a), Value::Float(b)) => Ok(a.partial_cmp(b).unwrap_or(Ordering::Greater)),
            (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
            _ => Err("incompatible types for comparison".into()),
        }
    };
    let ordered = || match order()? {
        _ if matches!(left, Value::Bool(_)) => Err("invalid type for comparison".to_string()),
        order => Ok(order),
    };
    Ok(match operator {
        "==" => order()? == Ordering::Equal,
        "!=" => order()? != Ordering::Equal,
        "<" => ordered()? == Ordering::Less,
        "<=" => ordered()? != Ordering::Greater,
        ">" => ordered()? == Ordering::Greater,
        ">=" => ordered()? != Ordering::Less,
        _ => return Err(format!("unrecognized filter operator {operator}")),
    })
}

fn children(value: &Value) -> Vec<Value> {
    match value {
        Value::Map(map) => map.values().cloned().collect(),
        Value::List(items) => items.to_vec(),
        Value::Text(text) => text.bytes().map(|byte| Value::Int(byte.into())).collect(),
        _ => Vec::new(),
    }
}

fn descend(value: &Value, out: &mut Vec<Value>) {
    let below = match value {
        Value::Text(text) if !text.is_empty() => Vec::new(),
        _ => {
            let below = children(value);
            if below.is_empty() {
                return;
            }
            below
        }
    };
    out.push(value.clone());
    for child in &below {
        descend(child, out);
    }
}

fn slice(input: &[Value], bounds: &[Bound; 3]) -> Result<Vec<Value>, String> {
    let mut results = Vec::new();
    for value in input {
        let items = match value {
            Value::Null => continue,
            Value::List(items) => items,
            other => return Err(format!("{} is not array or slice", go_type(other))),
        };
        let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
        let [first, last, step] = *bounds;
        let mut start = if first.known { first.value } else { 0 };
        if start < 0 {
            start = start.saturating_add(length);
        }
        let mut end = if last.known { last.value } else { length };
        if end < 0 || (end == 0 && last.derived) {
            end = end.saturating_add(length);
        }
        if start == end {
            return Ok(results);
        }
        let outside = |index: i64| Err(format!("array index out of bounds: index {index}, length {length}"));
        if start >= length || start < 0 {
            return outside(start);
        }
        if end > length || end < 0 {
            return outside(end.saturating_sub(1));
        }
        if start > end {
            return Err(format!("starting index {start} is greater than ending index {end}"));
        }
        if step.known && step.value <= 0 {
            return Err("step must be > 0".into());
        }
        let step = if step.known { usize::try_from(step.value).unwrap_or(1).max(1) } else { 1 };
        let part = items.get(start as usize..end as usize).unwrap_or_default();
        results.extend(part.iter().step_by(step).cloned());
    }
    Ok(results)
}

fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Float(_) => "float64",
        Value::Text(_) => "string",
        Value::List(_) => "[]interface {}",
        Value::Map(_) => "map[string]interface {}",
    }
}

fn parse(text: &str, depth: usize) -> Result<Vec<Node>, String> {
    if depth > DEEPEST {
        return Err(format!("filters nested deeper than {DEEPEST}"));
    }
    let mut root = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (literal, after) = rest.split_at(open);
        if !literal.is_empty() {
            root.push(Node::Text(literal.into()));
        }
        let mut action = Action { rest: after.get(1..).unwrap_or_default(), nodes: Vec::new(), depth };
        action.read()?;
        rest = action.rest;
        root.push(Node::Action(action.nodes));
    }
    if !rest.is_empty() {
        root.push(Node::Text(rest.into()));
    }
    Ok(root)
}

/// The nodes of one action's text.
fn parse_action(text: &str, depth: usize) -> Result<Vec<Node>, String> {
    let nodes = parse(&format!("{{{text}}}"), depth + 1)?;
    match nodes.into_iter().next() {
        Some(Node::Action(nodes)) => Ok(nodes),
        _ => Ok(Vec::new()),
    }
}

/// Behind a `{`.
struct Action<'a> {
    rest: &'a str,
    nodes: Vec<Node>,
    depth: usize,
}

impl<'a> Action<'a> {
    fn read(&mut self) -> Result<(), String> {
        loop {
            if let Some(rest) = self.rest.strip_prefix('}') {
                self.rest = rest;
                return Ok(());
            }
            if self.rest.starts_with("[?(") {
                self.filter()?;
                continue;
            }
            if let Some(rest) = self.rest.strip_prefix("..") {
                if matches!(self.nodes.last(), Some(Node::Recursive)) {
                    return Err("invalid multiple recursive descent".into());
                }
                self.nodes.push(Node::Recursive);
                self.rest = rest;
                if rest.starts_with(is_word) {
                    self.field();
                }
                continue;
            }
            let Some(c) = self.rest.chars().next() else { return Err("unclosed action".into()) };
            match c {
                '\r' | '\n' => return Err("unclosed action".into()),
                ' ' | '@' | '$' => self.skip(1),
                '[' => self.array()?,
                '"' | '\'' => self.quoted(c)?,
                '.' => {
                    self.skip(1);
                    self.field();
                }
                '+' | '-' => self.number()?,
                c if c.is_numeric() => self.number()?,
                c if is_word(c) => {
                    let end = self.rest.find(is_terminator).unwrap_or(self.rest.len());
                    let word = self.take(end);
                    self.nodes.push(match word {
                        "true" => Node::Literal(true.into()),
                        "false" => Node::Literal(false.into()),
                        word => Node::Identifier(word.into()),
                    });
                }
                c => {
                    let code = c as u32;
                    let shown = goquote::quote_rune(c);
                    let visible = if shown.starts_with("'\\") { String::new() } else { format!(" '{c}'") };
                    return Err(format!("unrecognized character in action: U+{code:04X}{visible}"));
                }
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.take(bytes);
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn field(&mut self) {
        let mut escaped = false;
        let end = self.rest.find(|c| {
            let ends = !escaped && is_terminator(c);
            escaped = !escaped && c == '\\';
            ends
        });
        let name = self.take(end.unwrap_or(self.rest.len()));
        self.nodes.push(if name == "*" { Node::Wildcard } else { Node::Field(name.replace('\\', "")) });
    }

    fn number(&mut self) -> Result<(), String> {
        let sign = usize::from(self.rest.starts_with(['+', '-']));
        let digits = self.rest.get(sign..).unwrap_or_default();
        let end = digits.find(|c: char| c != '.' && !c.is_numeric()).unwrap_or(digits.len());
        let text = self.take(sign + end);
        let number = text.parse().ok().map(Value::Int).or_else(|| float::parse(text).map(Value::Float));
        self.nodes.push(Node::Literal(number.ok_or_else(|| format!("cannot parse number {text}"))?));
        Ok(())
    }

    fn array(&mut self) -> Result<(), String> {
        let end = self.rest.find([']', '\n']).filter(|end| self.rest.get(*end..).is_some_and(|t| t.starts_with(']')));
        let Some(end) = end else { return Err("unterminated array".into()) };
        let taken = self.take(end + 1);
        let text = taken.get(1..end).unwrap_or_default();
        let text = if text == "*" { ":" } else { text };
        if text.contains(',') {
            let parts = text.split(',').map(|part| parse_action(&format!("[{}]", part.trim_matches(' ')), self.depth));
            self.nodes.push(Node::Union(parts.collect::<Result<_, _>>()?));
            return Ok(());
        }
        let key = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).filter(|key| !key.contains('\''));
        if let Some(key) = key {
            self.nodes.extend(parse_action(&format!(".{key}"), self.depth)?);
            return Ok(());
        }
        self.nodes.push(Node::Slice(bounds(text)?));
        Ok(())
    }

    fn filter(&mut self) -> Result<(), String> {
        self.skip(3);
        let mut quote = None;
        let mut closed = false;
        let mut before = ' ';
        let mut end = None;
        for (at, c) in self.rest.char_indices() {
            match c {
                '\n' => break,
                '"' | '\'' => match quote {
                    None => quote = Some(c),
                    Some(pair) if pair == c && before != '\\' => closed = true,
                    Some(_) => {}
                },
                ')' if quote.is_some() == closed => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
            before = c;
        }
        let Some(end) = end else { return Err("unterminated filter".into()) };
        let text = self.take(end);
        self.skip(1);
        if !self.rest.starts_with(']') {
            return Err("unclosed array expect ]".into());
        }
        self.skip(1);
        let is_operator = |c| matches!(c, '!' | '<' | '>' | '=');
        let parts = text.find(is_operator).filter(|at| *at > 0).and_then(|at| {
            let (left, rest) = text.split_at_checked(at)?;
            let length = rest.find(|c| !is_operator(c)).unwrap_or(rest.len());
            let (operator, right) = rest.split_at_checked(length)?;
            if !right.is_empty() {
                return Some((left, operator, right));
            }
            // Nothing but operators to the end: the last of them is the right side.
            let last = length.checked_sub(1).filter(|last| *last > 0)?;
            let (operator, right) = rest.split_at_checked(last)?;
            Some((left, operator, right))
        });
        self.nodes.push(match parts {
            None => {
                Node::Filter { left: parse_action(text, self.depth)?, operator: "exists".into(), right: Vec::new() }
            }
            Some((left, operator, right)) => Node::Filter {
                left: parse_action(left, self.depth)?,
                operator: operator.into(),
                right: parse_action(right, self.depth)?,
            },
        });
        Ok(())
    }

    fn quoted(&mut self, quote: char) -> Result<(), String> {
        let mut before = quote;
        let mut end = None;
        for (at, c) in self.rest.char_indices().skip(1) {
            if c == '\n' {
                break;
            }
            if c == quote && before != '\\' {
                end = Some(at);
                break;
            }
            before = c;
        }
        let Some(end) = end else { return Err("unterminated quoted string".into()) };
        let whole = self.take(end + 1);
        let inner = whole.get(1..end).unwrap_or_default();
        match goquote::unescape(inner, quote) {
            Some(text) => self.nodes.push(Node::Text(text)),
            None => return Err(format!("unquote string {whole} error invalid syntax")),
        }
        Ok(())
    }
}

/// `1`, `1:`, `:2`, `1:5:2`, `-1`
fn bounds(text: &str) -> Result<[Bound; 3], String> {
    let parts: Vec<&str> = text.split(':').collect();
    let numeric = |part: &&str| part.strip_prefix('-').unwrap_or(part).bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 3 || !parts.iter().all(numeric) {
        return Err(format!("invalid array index {text}"));
    }
    let mut out = [Bound::default(); 3];
    for (index, part) in parts.iter().enumerate() {
        let Some(bound) = out.get_mut(index).filter(|_| !part.is_empty()) else { continue };
        bound.value = part.parse().map_err(|_| format!("array index {part} is not a number"))?;
        bound.known = true;
    }
    if parts.len() == 1 {
        out[1] = Bound { value: out[0].value.saturating_add(1), known: true, derived: true };
    }
    Ok(out)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphabetic() || c.is_numeric()
}

fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, want: &str) {
        let object = json::parse(
            r#"{"kind":"List","items":[{"metadata":{"name":"a","labels":{"x.y/z":"1"}},"n":1},
                {"metadata":{"name":"b"},"n":2,"html":{"t":"<b>"}}],"none":null,"f":1.5}"#,
        )
        .unwrap();
        let got = JsonPath::parse(template).and_then(|path| path.print(&object, true)).unwrap_or_else(|error| error);
        assert_eq!(got, want, "for {template}");
    }

    #[test]
    fn templates() {
        check("{.items[*].metadata.name}", "a b");
        check(r#"{range .items[*]}{.metadata.name}{"\t"}{.n}{"\n"}{end}{.kind}"#, "a\t1\nb\t2\nList");
        check(r#"{.items[?(@.metadata.name=="b")].n}"#, "2");
        check("{.items[?(@.n>1)].metadata.name} {.items[-1].n} {.items[0:1].n} {.items[0,1].n}", "b 2 1 1 2");
        check(r"{.items[0].metadata.labels.x\.y/z}{.items[0].metadata['name','labels']}", r#"1a {"x.y/z":"1"}"#);
        check("{..name} {.items[?(@.html)].html} {.none} {.f} {.no.such}", r#"a b {"t":"\u003cb\u003e"} null 1.5 "#);
        check("{.items[5]}", "array index out of bounds: index 5, length 2");
        check("{.a", "unclosed action");
        check("{.items[x]}", "invalid array index x");
        check("{.kind =~ x}", "unrecognized character in action: U+003D '='");
        check("{end}", "not in range, nothing to end");
        check("{.kind[0]}", "string is not array or slice");
        check("{range .no[*]}{.x}{end}!", "!");
    }
}
