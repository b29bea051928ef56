//! The functions a template can call.

use std::cmp::Ordering;

use super::Dialect;
use crate::base::{Value, goquote};

pub(super) fn is_known(name: &str, dialect: &Dialect) -> bool {
    dialect.functions.iter().any(|(own, ..)| *own == name)
        || matches!(
            name,
            "and"
                | "or"
                | "not"
                | "eq"
                | "ne"
                | "lt"
                | "le"
                | "gt"
                | "ge"
                | "len"
                | "call"
                | "index"
                | "slice"
                | "print"
                | "printf"
                | "println"
                | "html"
                | "js"
                | "urlquery"
        )
}

/// What Go says it wants when the number of arguments is wrong.
pub(super) fn wrong_count(name: &str, count: usize, dialect: &Dialect) -> Option<String> {
    if let Some((_, least, most)) = dialect.functions.iter().find(|(own, ..)| *own == name) {
        let few = if least == most { least.to_string() } else { format!("at least {least}") };
        return (count < *least || count > *most).then_some(few);
    }
    let exact = match name {
        "not" | "len" => 1,
        "ne" | "lt" | "le" | "gt" | "ge" => 2,
        "and" | "or" | "eq" | "call" | "index" | "slice" | "printf" => {
            return (count == 0).then(|| "at least 1".into());
        }
        _ => return None,
    };
    (count != exact).then(|| exact.to_string())
}

pub(super) fn truth(value: &Value) -> bool {
    !value.is_empty()
}

pub(super) fn printed(value: &Value) -> String {
    if value.is_null() { "<no value>".into() } else { goquote::plain(value) }
}

pub(super) fn call(name: &str, arguments: &[Value], dialect: &Dialect) -> Result<Value, String> {
    if dialect.functions.iter().any(|(own, ..)| *own == name) {
        return (dialect.call)(name, arguments);
    }
    let first = arguments.first().cloned().unwrap_or_default();
    let second = arguments.get(1).cloned().unwrap_or_default();
    let rest = arguments.get(1..).unwrap_or_default();
    Ok(match name {
        "and" => arguments.iter().find(|value| !truth(value)).or(arguments.last()).cloned().unwrap_or_default(),
        "or" => arguments.iter().find(|value| truth(value)).or(arguments.last()).cloned().unwrap_or_default(),
        "not" => (!truth(&first)).into(),
        "eq" => {
            if rest.is_empty() {
                return Err("missing argument for comparison".into());
            }
            let mut equal = false;
            for other in rest {
                equal = equal || equals(&first, other)?;
            }
            equal.into()
        }
        "ne" => (!equals(&first, &second)?).into(),
        "lt" => (order(&first, &second)? == Ordering::Less).into(),
        "le" => (order(&first, &second)? != Ordering::Greater).into(),
        "gt" => (order(&first, &second)? == Ordering::Greater).into(),
        "ge" => (order(&first, &second)? != Ordering::Less).into(),
        "len" => Value::from(match &first {
            Value::Text(text) => text.len(),
            Value::List(items) => items.len(),
            Value::Map(map) => map.len(),
            Value::Null => return Err("len of nil pointer".into()),
            other => return Err(format!("len of type {}", go_type(other))),
        }),
        "index" => rest.iter().enumerate().try_fold(first, |value, (depth, key)| match value {
            Value::Null if depth > 0 => Err("index of nil pointer".to_string()),
            value => index(&value, key, dialect.name.is_empty()),
        })?,
        // Nothing a template is given here can be called.
        "call" if first.is_null() => return Err("call of nil".into()),
        "call" => return Err(format!("non-function of type {}", go_type(&first))),
        "slice" => slice(&first, rest)?,
        "print" => print(arguments).into(),
        "println" => (spaced(arguments) + "\n").into(),
        "printf" => match &first {
            Value::Text(format) => sprintf(format, rest, &[]).into(),
            other => return Err(format!("wrong type for value; expected string; got {}", go_type(other))),
        },
        "html" => escape(&print(arguments), |c| {
            Some(match c {
                '<' => "&lt;",
                '>' => "&gt;",
                '&' => "&amp;",
                '"' => "&#34;",
                '\'' => "&#39;",
                '\0' => "\u{fffd}",
                _ => return None,
            })
        })
        .into(),
        "js" => escape(&print(arguments), |c| {
            Some(match c {
                '\\' => "\\\\",
                '\'' => "\\'",
                '"' => "\\\"",
                '<' => "\\u003C",
                '>' => "\\u003E",
                '&' => "\\u0026",
                '=' => "\\u003D",
                '\n' => "\\u000A",
                '\t' => "\\u0009",
                '\r' => "\\u000D",
                _ => return None,
            })
        })
        .into(),
        "urlquery" => goquote::query_escape(&print(arguments)).into(),
        _ => return Err("not a function".into()),
    })
}

fn equals(a: &Value, b: &Value) -> Result<bool, String> {
    match (a, b) {
        (Value::Null, _) | (_, Value::Null) => Ok(a.is_null() && b.is_null()),
        (Value::List(_) | Value::Map(_), _) | (_, Value::List(_) | Value::Map(_)) => {
            let (left, right) = (go_type(a), go_type(b));
            let (shown_left, shown_right) = (goquote::plain(a), goquote::plain(b));
            if std::mem::discriminant(a) != std::mem::discriminant(b) {
                return Err("incompatible types for comparison".into());
            }
            Err(format!("non-comparable types {left}: {shown_left}, {right}: {shown_right}"))
        }
        (Value::Bool(a), Value::Bool(b)) => Ok(a == b),
        _ => order(a, b).map(|order| order == Ordering::Equal),
    }
}

fn order(a: &Value, b: &Value) -> Result<Ordering, String> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => Ok(a.partial_cmp(b).unwrap_or(Ordering::Greater)),
        (Value::Text(a), Value::Text(b)) => Ok(a.cmp(b)),
        (Value::Null | Value::List(_) | Value::Map(_), _) | (_, Value::Null | Value::List(_) | Value::Map(_)) => {
            Err("invalid type for comparison".into())
        }
        (Value::Bool(_), Value::Bool(_)) => Err("invalid type for comparison".into()),
        _ => Err("incompatible types for comparison".into()),
    }
}

/// With Go's own types what is not in a map of texts is an empty text.
fn index(value: &Value, key: &Value, typed: bool) -> Result<Value, String> {
    let is_length = |length: usize, at: i64| usize::try_from(at) == Ok(length);
    match (value, key) {
        (Value::Null, _) => Err("index of untyped nil".into()),
        (Value::List(items), Value::Int(at)) => match usize::try_from(*at).ok().and_then(|at| items.get(at)) {
            Some(item) => Ok(item.clone()),
            None if is_length(items.len(), *at) => Err("reflect: slice index out of range".into()),
            None => Err(format!("index out of range: {at}")),
        },
        (Value::List(_) | Value::Text(_), Value::Null) => Err("cannot index slice/array with nil".into()),
        (Value::Text(text), Value::Int(at)) => match usize::try_from(*at).ok().and_then(|at| text.as_bytes().get(at)) {
            Some(byte) => Ok(Value::Int((*byte).into())),
            None if is_length(text.len(), *at) => Err("reflect: string index out of range".into()),
            None => Err(format!("index out of range: {at}")),
        },
        (Value::List(_) | Value::Text(_), key) => Err(format!("cannot index slice/array with type {}", go_type(key))),
        (Value::Map(map), Value::Text(key)) => match map.get(key) {
            Some(value) => Ok(value.clone()),
            None if typed && map.values().all(|value| value.as_str().is_some()) => Ok("".into()),
            None => Ok(Value::Null),
        },
        (Value::Map(_), Value::Null) => Err("value is nil; should be of type string".into()),
        (Value::Map(_), key) => Err(format!("value has type {}; should be string", go_type(key))),
        (other, _) => Err(format!("can't index item of type {}", go_type(other))),
    }
}

fn slice(value: &Value, bounds: &[Value]) -> Result<Value, String> {
    let length = match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.len(),
        Value::Null => return Err("slice of untyped nil".into()),
        other => return Err(format!("can't slice item of type {}", go_type(other))),
    };
    let mut at = [0, length];
    for (index, bound) in bounds.iter().take(2).enumerate() {
        let Value::Int(n) = bound else {
            return Err(format!("cannot index slice/array with type {}", go_type(bound)));
        };
        let Some(n) = usize::try_from(*n).ok().filter(|n| *n <= length) else {
            return Err(format!("index out of range: {n}"));
        };
        if let Some(slot) = at.get_mut(index) {
            *slot = n;
        }
    }
    let [start, end] = at;
    if start > end {
        return Err(format!("invalid slice index: {start} > {end}"));
    }
    Ok(match value {
        Value::List(items) => Value::list(items.get(start..end).unwrap_or_default().to_vec()),
        other => {
            String::from_utf8_lossy(other.str().as_bytes().get(start..end).unwrap_or_default()).into_owned().into()
        }
    })
}

/// `fmt.Sprint`: blanks only between operands of which neither is a text.
fn print(arguments: &[Value]) -> String {
    let mut out = String::new();
    let mut before: Option<&Value> = None;
    for value in arguments {
        let text = matches!(value, Value::Text(_)) || matches!(before, None | Some(Value::Text(_)));
        if !text {
            out.push(' ');
        }
        out.push_str(&goquote::plain(value));
        before = Some(value);
    }
    out
}

fn spaced(arguments: &[Value]) -> String {
    arguments.iter().map(goquote::plain).collect::<Vec<_>>().join(" ")
}

fn escape(text: &str, escaped: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match escaped(c) {
            Some(text) => out.push_str(text),
            None => out.push(c),
        }
    }
    out
}

pub fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "nil",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Float(_) => "float64",
        Value::Text(_) => "string",
        Value::List(_) => "[]interface {}",
        Value::Map(_) => "map[string]interface {}",
    }
}

/// `fmt.Sprintf` for the verbs of texts, numbers and truth values; `types` are the arguments' own where known.
pub(super) fn sprintf(format: &str, arguments: &[Value], types: &[&'static str]) -> String {
    let mut out = String::new();
    let type_at = |at: usize, value: &Value| types.get(at).copied().unwrap_or_else(|| go_type(value));
    let mut values = arguments.iter().enumerate();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let (mut minus, mut zero, mut plus, mut sharp) = (false, false, false, false);
        while let Some(flag) = chars.next_if(|c| matches!(c, '-' | '0' | '+' | '#' | ' ')) {
            match flag {
                '-' => minus = true,
                '0' => zero = true,
                '+' => plus = true,
                '#' => sharp = true,
                _ => {}
            }
        }
        let mut number = || {
            let mut n: Option<usize> = None;
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                n = Some(
                    n.unwrap_or(0)
                        .saturating_mul(10)
                        .saturating_add(digit.to_digit(10).unwrap_or(0) as usize)
                        .min(1000),
                );
            }
            n
        };
        let width = number().unwrap_or(0);
        let precision = if chars.next_if_eq(&'.').is_some() {
            let mut n = 0_usize;
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                n = (n * 10 + digit.to_digit(10).unwrap_or(0) as usize).min(1000);
            }
            Some(n)
        } else {
            None
        };
        let Some(verb) = chars.next() else {
            out.push_str("%!(NOVERB)");
            break;
        };
        if verb == '%' {
            out.push('%');
            continue;
        }
        let Some((at, value)) = values.next() else {
            out.push_str(&format!("%!{verb}(MISSING)"));
            continue;
        };
        let text = formatted(value, type_at(at, value), verb, precision, plus, sharp);
        let missing = width.saturating_sub(text.chars().count());
        let numeric = matches!(value, Value::Int(_) | Value::Float(_));
        if minus {
            out.push_str(&text);
            out.extend(std::iter::repeat_n(' ', missing));
        } else if zero && numeric {
            let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+'])));
            out.push_str(sign);
            out.extend(std::iter::repeat_n('0', missing));
            out.push_str(digits);
        } else {
            out.extend(std::iter::repeat_n(if zero { '0' } else { ' ' }, missing));
            out.push_str(&text);
        }
    }
    let extra: Vec<String> = values
        .map(|(at, value)| format!("{}={}", type_at(at, value).replace("nil", "<nil>"), goquote::plain(value)))
        .collect();
    if !extra.is_empty() {
        out.push_str(&format!("%!(EXTRA {})", extra.join(", ")).replace("<nil>=<nil>", "<nil>"));
    }
    out
}

fn rune(n: i64) -> char {
    u32::try_from(n).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn formatted(value: &Value, ty: &str, verb: char, precision: Option<usize>, plus: bool, sharp: bool) -> String {
    let cut = |text: &str| precision.map_or_else(|| text.to_string(), |count| text.chars().take(count).collect());
    let signed = |text: String| if plus && !text.starts_with('-') { format!("+{text}") } else { text };
    match (verb, value) {
        ('v', value) if sharp => goquote::go_syntax_of_json(value),
        ('v', Value::Text(text)) => cut(text),
        ('v', Value::Int(n)) => signed(n.to_string()),
        ('v', value) => goquote::plain(value),
        ('T', _) => ty.replace("nil", "<nil>"),
        ('s', Value::Text(text)) => cut(text),
        ('q', Value::Text(text)) => goquote::quote(&cut(text)),
        ('q', Value::Int(n)) => goquote::quote_rune(rune(*n)),
        ('x', Value::Text(text)) => text.bytes().map(|b| format!("{b:02x}")).collect(),
        ('d', Value::Int(n)) => signed(n.to_string()),
        ('x', Value::Int(n)) => format!("{}{:x}", if *n < 0 { "-" } else { "" }, n.unsigned_abs()),
        ('X', Value::Int(n)) => format!("{}{:X}", if *n < 0 { "-" } else { "" }, n.unsigned_abs()),
        ('o', Value::Int(n)) => format!("{}{:o}", if *n < 0 { "-" } else { "" }, n.unsigned_abs()),
        ('b', Value::Int(n)) => format!("{}{:b}", if *n < 0 { "-" } else { "" }, n.unsigned_abs()),
        ('c', Value::Int(n)) => rune(*n).to_string(),
        ('t', Value::Bool(b)) => b.to_string(),
        ('f' | 'F', Value::Float(n)) => signed(format!("{n:.*}", precision.unwrap_or(6))),
        ('g', Value::Float(n)) => signed(goquote::float(*n)),
        ('s' | 'd' | 'q', Value::List(items)) => {
            let items: Vec<String> =
                items.iter().map(|item| formatted(item, go_type(item), verb, precision, plus, sharp)).collect();
            format!("[{}]", items.join(" "))
        }
        ('s' | 'd' | 'q', Value::Map(map)) => {
            let entry = |(key, value): (&_, &Value)| {
                let key = formatted(&Value::Text(Clone::clone(key)), "string", verb, precision, plus, sharp);
                format!("{key}:{}", formatted(value, go_type(value), verb, precision, plus, sharp))
            };
            format!("map[{}]", map.iter().map(entry).collect::<Vec<_>>().join(" "))
        }
        (verb, Value::Null) => format!("%!{verb}(<nil>)"),
        (verb, value) => format!("%!{verb}({ty}={})", goquote::plain(value)),
    }
}
