//! Values as text: the form of `terraform console` and `terraform output`, and the short one inside error texts.

use super::{Kind, Marks, Type, Value};
use crate::base::goquote;

/// As the console prints it: with conversion functions around what is no literal's type.
pub fn console(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out
}

fn write(value: &Value, indent: usize, out: &mut String) {
    if !value.is_known() {
        out.push_str("(known after apply)");
        return;
    } else if value.marks.has(Marks::SENSITIVE) {
        out.push_str("(sensitive value)");
        return;
    } else if value.marks.has(Marks::EPHEMERAL) {
        out.push_str("(ephemeral value)");
        return;
    }
    match &value.kind {
        Kind::Null(ty) => out.push_str(&null(ty)),
        Kind::Unknown(..) => {}
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Number(number) => out.push_str(&number.to_string()),
        Kind::String(text) if text.contains('\n') => heredoc(text, indent, out),
        Kind::String(text) => out.push_str(&goquote::quote(text)),
        Kind::List(..) => wrapped("tolist", value, indent, out),
        Kind::Set(..) => wrapped("toset", value, indent, out),
        Kind::Map(..) => wrapped("tomap", value, indent, out),
        Kind::Tuple(_) => sequence(value, indent, out),
        Kind::Object(_) => mapping(value, indent, out),
    }
}

fn null(ty: &Type) -> String {
    let of = |ty: &Type| ty.element().map(Type::friendly).unwrap_or_default();
    match ty {
        Type::Dynamic => "null".into(),
        Type::String => "tostring(null)".into(),
        Type::Number => "tonumber(null)".into(),
        Type::Bool => "tobool(null)".into(),
        Type::List(_) => format!("tolist(null) /* of {} */", of(ty)),
        Type::Set(_) => format!("toset(null) /* of {} */", of(ty)),
        Type::Map(_) => format!("tomap(null) /* of {} */", of(ty)),
        _ => format!("null /* {} */", ty.friendly()),
    }
}

fn wrapped(function: &str, value: &Value, indent: usize, out: &mut String) {
    out.push_str(function);
    out.push('(');
    if matches!(value.kind, Kind::Map(..)) {
        mapping(value, indent, out)
    } else {
        sequence(value, indent, out)
    }
    out.push(')');
}

fn line(indent: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indent));
}

fn sequence(value: &Value, indent: usize, out: &mut String) {
    out.push('[');
    for item in value.children() {
        line(indent + 2, out);
        write(item, indent + 2, out);
        out.push(',');
    }
    if !value.is_empty() {
        line(indent, out);
    }
    out.push(']');
}

fn mapping(value: &Value, indent: usize, out: &mut String) {
    out.push('{');
    for (key, item) in value.entries().into_iter().flatten() {
        line(indent + 2, out);
        if key.contains('\n') {
            heredoc(key, indent + 2, out)
        } else {
            out.push_str(&goquote::quote(key))
        }
        out.push_str(" = ");
        write(item, indent + 2, out);
    }
    if !value.is_empty() {
        line(indent, out);
    }
    out.push('}');
}

fn heredoc(text: &str, indent: usize, out: &mut String) {
    let mut marker = "EOT".to_owned();
    while text.split('\n').any(|line| line.trim() == marker) {
        marker.push('_');
    }
    out.push_str(if indent > 0 { "<<-" } else { "<<" });
    out.push_str(&marker);
    for each in text.split('\n') {
        line(indent, out);
        out.push_str(each);
    }
    line(indent, out);
    out.push_str(&marker);
}

/// In few words: `"web"`, `list of string with 2 elements`, `object with 1 attribute "a"`.
pub fn short(value: &Value) -> String {
    if value.marks.has(Marks::SENSITIVE) {
        return "a sensitive value".into();
    }
    let ty = value.ty();
    let counted = |count: usize, noun: &str| {
        let name = ty.friendly();
        match count {
            1 => format!("{name} with 1 {noun}"),
            _ => format!("{name} with {count} {noun}s"),
        }
    };
    match &value.kind {
        Kind::Null(_) => "null".into(),
        Kind::Unknown(..) if ty == Type::Dynamic => "a dynamic value, known only after apply".into(),
        Kind::Unknown(..) => format!("a {}, known only after apply", ty.friendly()),
        Kind::Bool(truth) => truth.to_string(),
        Kind::Number(number) => number.short(),
        Kind::String(text) => goquote::quote(text),
        Kind::List(_, items) | Kind::Set(_, items) => match items.len() {
            0 => format!("empty {}", ty.friendly()),
            count => counted(count, "element"),
        },
        Kind::Map(_, items) => match items.len() {
            0 => format!("empty {}", ty.friendly()),
            count => counted(count, "element"),
        },
        Kind::Tuple(items) => match items.len() {
            0 => "empty tuple".into(),
            count => counted(count, "element"),
        },
        Kind::Object(items) => match items.len() {
            0 => "object with no attributes".into(),
            1 => format!("object with 1 attribute \"{}\"", items.keys().next().map_or("", |key| key)),
            count => counted(count, "attribute"),
        },
    }
}

/// What an error's value line says of a value; nothing where it would mislead.
pub fn statement(value: &Value, of_unknown: bool, of_sensitive: bool) -> Option<String> {
    let sensitive = value.marks.has(Marks::SENSITIVE);
    let ephemeral = value.marks.has(Marks::EPHEMERAL);
    if ephemeral {
        return None;
    }
    if sensitive {
        return of_sensitive.then(|| "has a sensitive value".into());
    }
    if let Kind::Unknown(ty, _) = &value.kind {
        return match (ty, of_unknown) {
            (Type::Dynamic, false) => None,
            (Type::Dynamic, true) => Some("will be known only after apply".into()),
            (ty, false) => Some(format!("is a {}", ty.friendly())),
            (ty, true) => Some(format!("is a {}, known only after apply", ty.friendly())),
        };
    }
    Some(format!("is {}", short(value)))
}

/// A type as the console's `type` prints it: `list(string)`, objects and tuples over several lines.
pub fn type_name(ty: &Type) -> String {
    let mut out = String::new();
    write_type(ty, 0, &mut out);
    out
}

fn write_type(ty: &Type, indent: usize, out: &mut String) {
    let inner = indent + 4;
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            out.push_str(match ty {
                Type::List(_) => "list(",
                Type::Set(_) => "set(",
                _ => "map(",
            });
            if element.is_primitive() || **element == Type::Dynamic {
                write_type(element, inner, out);
            } else {
                line(inner, out);
                write_type(element, inner, out);
                out.push(',');
                line(indent, out);
            }
            out.push(')');
        }
        Type::Tuple(elements) if !elements.is_empty() => {
            out.push_str("tuple([");
            for element in elements.iter() {
                line(inner, out);
                write_type(element, inner, out);
                out.push(',');
            }
            line(indent, out);
            out.push_str("])");
        }
        Type::Object(object) if !object.attributes.is_empty() => {
            out.push_str("object({");
            for (name, ty) in &object.attributes {
                line(inner, out);
                out.push_str(name);
                out.push_str(": ");
                write_type(ty, inner, out);
                out.push(',');
            }
            line(indent, out);
            out.push_str("})");
        }
        Type::Tuple(_) => out.push_str("tuple([])"),
        Type::Object(_) => out.push_str("object({})"),
        other => out.push_str(&other.friendly()),
    }
}
