//! `yamlencode` and `yamldecode`.

use super::{Arguments, Fault, Outcome, fail};
use crate::base::yaml::{self, Node, Shape, Tree};
use crate::base::{BTreeMap, SmolStr, Time, goquote};
use crate::terraform::value::{Kind, Natural, Number, Type, Value, convert};

pub fn yamlencode(arguments: &mut Arguments) -> Outcome {
    let mut out = String::new();
    let value = arguments.value(0);
    write(value, 0, false, &mut out);
    // A document that is one plain word is closed.
    if matches!(value.kind, Kind::Null(_) | Kind::Bool(_) | Kind::Number(_)) {
        out.push_str("...\n");
    }
    Ok(Value::string(out))
}

/// One node with the newline at its end; `inline` says that it starts in the middle of a line.
fn write(value: &Value, indent: usize, inline: bool, out: &mut String) {
    let pad = |out: &mut String, first: bool| {
        if !(first && inline) {
            out.push_str(&" ".repeat(indent));
        }
    };
    match &value.kind {
        Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                pad(out, at == 0);
                out.push_str("- ");
                write(item, indent + 2, true, out);
            }
        }
        Kind::Map(_, items) | Kind::Object(items) if !items.is_empty() => {
            for (at, (key, item)) in items.iter().enumerate() {
                pad(out, at == 0);
                out.push_str(&quoted(key));
                out.push(':');
                match &item.kind {
                    Kind::Map(_, inner) | Kind::Object(inner) if !inner.is_empty() => {
                        out.push('\n');
                        write(item, indent + 2, false, out);
                    }
                    Kind::List(_, inner) | Kind::Set(_, inner) | Kind::Tuple(inner) if !inner.is_empty() => {
                        out.push('\n');
                        write(item, indent, false, out);
                    }
                    _ => {
                        out.push(' ');
                        scalar(item, indent + 2, out);
                    }
                }
            }
        }
        _ => scalar(value, indent.max(2), out),
    }
}

fn scalar(value: &Value, indent: usize, out: &mut String) {
    match &value.kind {
        Kind::Null(_) | Kind::Unknown(..) => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Number(number) => out.push_str(&number.to_string()),
        Kind::String(text) if text.contains('\n') && literal_fits(text) => {
            out.push('|');
            if text.starts_with([' ', '\n']) {
                out.push('2');
            }
            let body = text.trim_end_matches('\n');
            match text.len() - body.len() {
                0 => out.push('-'),
                1 => {}
                _ => out.push('+'),
            }
            for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                out.push('\n');
                if !line.is_empty() {
                    out.push_str(&" ".repeat(indent));
                    out.push_str(line);
                }
            }
        }
        Kind::String(text) => out.push_str(&quoted(text)),
        Kind::Map(..) | Kind::Object(_) => out.push_str("{}"),
        _ => out.push_str("[]"),
    }
    out.push('\n');
}

fn literal_fits(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()) && !text.contains(" \n") && !text.ends_with(' ')
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\x{:02X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub fn yamldecode(arguments: &mut Arguments) -> Outcome {
    let text = arguments.str(0);
    if let Some(line) = second_document(text) {
        return fail(format!("{}unexpected extra content after value", place(line, 1)));
    }
    let blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    if text.lines().all(blank) {
        return fail("on line 1, column 1: missing start of document");
    }
    match yaml::tree(text) {
        Ok(Some(tree)) => Reader { tree: &tree, arguments, open: Vec::new() }.value(tree.root),
        Ok(None) => Ok(Value::null(Type::Dynamic)),
        Err(error) => fail(told(&error)),
    }
}

/// Lines count from zero, and the first is not told: upstream takes its number for none.
fn place(line: usize, column: usize) -> String {
    if line == 0 { String::new() } else { format!("on line {line}, column {column}: ") }
}

fn told(error: &yaml::YamlError) -> String {
    let text = error.text.rsplit(": ").next().unwrap_or_default();
    let (line, column) =
        error.place.as_ref().map_or((0, 1), |place| (place.line.saturating_sub(1) as usize, place.column as usize));
    if let Some(name) = text.strip_prefix("unknown anchor '").and_then(|rest| rest.split('\'').next()) {
        return format!("{}reference to undefined anchor {}", place(line, column), goquote::quote(name));
    }
    // What is no token is told by its line; what is no syntax by the line before.
    let parses = ["node content", "key", "',' or", "'-' indicator", "<document start>", "<stream-start>"];
    let of_parser = text
        .strip_prefix("did not find expected ")
        .is_some_and(|what| parses.iter().any(|known| what.starts_with(known)));
    match line {
        0 => text.to_string(),
        line if of_parser => format!("{}{text}", place(line, column)),
        line => format!("{}{text}", place(line + 1, 1)),
    }
}

/// The line, from zero, on which a second document begins.
fn second_document(text: &str) -> Option<usize> {
    let mut any = false;
    for (at, line) in text.lines().enumerate() {
        if line == "---" || line.starts_with("--- ") {
            if any {
                return yaml::parse_documents(text).is_ok().then_some(at);
            }
            any = line.len() > 4;
        } else if line == "..." {
            return None;
        } else if !line.trim().is_empty() && !line.trim_start().starts_with('#') && !line.starts_with('%') {
            any = true;
        }
    }
    None
}

/// Aliases may nest what stands side by side.
const DEEPEST: usize = 200;

const TAGS: &str = "tag:yaml.org,2002:";

/// Nodes to values by the rules of go-cty-yaml: numbers of YAML 1.2, truth of 1.1, no tags but the common ones.
struct Reader<'a, 'b> {
    tree: &'a Tree,
    arguments: &'a Arguments<'b>,
    /// Nodes around the one that is read.
    open: Vec<usize>,
}

impl Reader<'_, '_> {
    fn value(&mut self, index: usize) -> Outcome {
        let Some(node) = self.tree.nodes.get(index) else { return Ok(Value::null(Type::Dynamic)) };
        self.arguments.spend(16 + node.text.len())?;
        if let Shape::Alias(target) = node.shape {
            if self.open.contains(&target) {
                let name = goquote::quote(&node.text);
                return fail(format!("cannot refer to anchor {name} from inside its own definition"));
            }
            return self.value(target);
        }
        if self.open.len() > DEEPEST {
            return Err(Fault::Gap);
        }
        self.open.push(index);
        let tag = node.tag.strip_prefix(TAGS).unwrap_or(if node.tag.is_empty() { "" } else { "?" });
        let value = match node.shape {
            Shape::List if !["", "seq"].contains(&tag) => {
                return fail(format!("can't interpret sequence as {}", node.tag));
            }
            Shape::Map if !["", "map"].contains(&tag) => {
                return fail(format!("can't interpret mapping as {}", node.tag));
            }
            Shape::List => {
                Value::tuple(node.children.iter().map(|child| self.value(*child)).collect::<Result<_, _>>()?)
            }
            Shape::Map => self.mapping(node)?,
            _ => read_scalar(node, tag)?,
        };
        self.open.pop();
        Ok(value)
    }

    fn mapping(&mut self, node: &Node) -> Outcome {
        let mut entries = BTreeMap::new();
        for pair in node.children.chunks_exact(2) {
            let &[key, value] = pair else { continue };
            let Some(named) = self.tree.nodes.get(key) else { continue };
            if named.shape != Shape::Scalar {
                return fail("only strings are allowed as mapping keys");
            }
            if named.text == "<<" && named.tag.is_empty() {
                let merged = self.value(value)?;
                match &merged.kind {
                    Kind::Object(inner) => entries.extend(inner.iter().map(|(key, item)| (key.clone(), item.clone()))),
                    _ => return fail(format!("cannot merge {} into mapping", merged.ty().friendly())),
                }
                continue;
            }
            let name = convert(&self.value(key)?, &Type::String);
            let Some(name) = name.ok().filter(|name| !name.is_null()) else {
                return fail("mapping key cannot be null");
            };
            let value = self.value(value)?;
            entries.insert(SmolStr::from(name.as_str().unwrap_or_default()), value);
        }
        Ok(Value::object(entries))
    }
}

fn read_scalar(node: &Node, tag: &str) -> Outcome {
    let text = node.text.as_str();
    let (truth, number) = (truth(text), number(text));
    let found = match tag {
        "binary" => {
            let reason = format!("cannot parse {} as {}: not valid base64", goquote::quote(text), node.tag);
            return super::from_base64(text).map_or_else(|_| fail(reason), |_| Ok(Value::string(text)));
        }
        "bool" | "int" | "float" | "null" | "timestamp" | "str" | "" if node.quoted || tag == "str" => {
            Some(Value::string(text))
        }
        "bool" => truth.map(Value::bool),
        "int" | "float" => number.map(Value::number),
        "null" => Some(Value::null(Type::Dynamic)),
        "timestamp" => date(text).map(Value::string),
        "" if matches!(text, "" | "~" | "null" | "Null" | "NULL") => Some(Value::null(Type::Dynamic)),
        "" if matches!(text, ".nan" | ".NaN" | ".NAN") => return fail("floating point NaN is not supported"),
        "" => Some(match (truth, number, date(text)) {
            (Some(truth), ..) => Value::bool(truth),
            (_, Some(number), _) => Value::number(number),
            (.., Some(date)) => Value::string(date),
            _ => Value::string(text),
        }),
        _ => return fail(format!("unsupported tag {}", goquote::quote(&node.tag))),
    };
    found.map_or_else(|| fail(format!("cannot parse {} as {}", goquote::quote(text), node.tag)), Ok)
}

fn truth(text: &str) -> Option<bool> {
    let word = |all: [&str; 11]| all.contains(&text);
    if word(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"]) {
        return Some(true);
    }
    word(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"]).then_some(false)
}

fn number(text: &str) -> Option<Number> {
    for (prefix, base) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return Natural::parse(digits, base).filter(|_| !digits.is_empty()).map(|n| Number::from_natural(false, n));
        }
    }
    let plain = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(plain, ".inf" | ".Inf" | ".INF") {
        return Some(Number::infinity(text.starts_with('-')));
    }
    let (digits, power) = match plain.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power.strip_prefix(['-', '+']).unwrap_or(power)),
        None => (plain, "0"),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = all(whole) && all(part) && all(power) && !power.is_empty() && !(whole.is_empty() && part.is_empty());
    Number::parse(text).filter(|_| fits)
}

/// A date, alone or with a time, in the form that functions take; parts of a second are lost.
fn date(text: &str) -> Option<String> {
    let mut rest = text;
    let mut part = |least: usize, most: usize, end: &[char]| -> Option<(u32, char)> {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(least..=most).contains(&length) {
            return None;
        }
        let number = rest.get(..length)?.parse().ok()?;
        rest = rest.get(length..)?;
        match rest.chars().next() {
            Some(next) => {
                rest = rest.get(next.len_utf8()..)?;
                end.contains(&next).then_some((number, next))
            }
            None => end.contains(&'\0').then_some((number, '\0')),
        }
    };
    let (year, _) = part(4, 4, &['-'])?;
    let (month, _) = part(1, 2, &['-'])?;
    let (day, mark) = part(1, 2, &['T', 't', ' ', '\0'])?;
    let mut stamp = format!("{year:04}-{month:02}-{day:02}T00:00:00Z");
    if mark != '\0' {
        let (hour, _) = part(1, 2, &[':'])?;
        let (minute, _) = part(1, 2, &[':'])?;
        let ends: &[char] = if mark == ' ' { &['.', '\0'] } else { &['.', 'Z', '+', '-'] };
        let (second, mut end) = part(1, 2, ends)?;
        if end == '.' {
            end = part(1, 30, if mark == ' ' { &['\0'] } else { &['Z', '+', '-'] })?.1;
        }
        let mut zone = String::from("Z");
        if matches!(end, '+' | '-') {
            let ((hours, _), (minutes, _)) = (part(2, 2, &[':'])?, part(2, 2, &['\0'])?);
            zone = format!("{end}{hours:02}:{minutes:02}");
        } else if !rest.is_empty() {
            return None;
        }
        stamp = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}");
    }
    Time::parse(&stamp).map(|_| stamp)
}
