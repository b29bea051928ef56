//! `yamlencode` and `yamldecode`.

use super::{Arguments, Outcome, fail};
use crate::base::{self, goquote, yaml};
use crate::terraform::value::{Kind, Number, Type, Value};

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
    match yaml::parse(text) {
        Ok(value) => Ok(from_base(&value)),
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

fn from_base(value: &base::Value) -> Value {
    match value {
        base::Value::Null => Value::null(Type::Dynamic),
        base::Value::Bool(truth) => Value::bool(*truth),
        base::Value::Int(number) => Value::int(*number),
        base::Value::Float(number) => match Number::parse(&number.to_string()) {
            Some(number) => Value::number(number),
            None => Value::null(Type::Number),
        },
        base::Value::Text(text) => Value::string(text.clone()),
        base::Value::List(items) => Value::tuple(items.iter().map(from_base).collect()),
        base::Value::Map(map) => Value::object(map.iter().map(|(key, item)| (key.clone(), from_base(item))).collect()),
    }
}
