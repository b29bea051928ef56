//! JSON text to values and back, written as Go writes it: `<`, `>` and `&` escaped, floats in Go's shortest form.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use crate::base::SmolStr;

use super::{Map, Value};

/// Reads JSON; nesting deeper than 128 is an error, as is rubbish after the value.
pub fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// One line without blanks, HTML-safe as Go's encoder: what requests, annotations and watch frames carry.
pub fn compact(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out, None, 0);
    out
}

/// Indented (`-o json` uses 4 spaces), HTML-safe as Go's encoder.
pub fn pretty(value: &Value, indent: usize) -> String {
    let mut out = String::new();
    write(value, &mut out, Some(indent), 0);
    out
}

fn write(value: &Value, out: &mut String, indent: Option<usize>, depth: usize) {
    let line = |out: &mut String, depth: usize| {
        if let Some(width) = indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', width * depth));
        }
    };
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Float(n) => out.push_str(&float(*n)),
        Value::Text(text) => quote(text, out),
        Value::List(items) if items.is_empty() => out.push_str("[]"),
        Value::Map(map) if map.is_empty() => out.push_str("{}"),
        Value::List(items) => {
            for (i, item) in items.iter().enumerate() {
                out.push(if i == 0 { '[' } else { ',' });
                line(out, depth + 1);
                write(item, out, indent, depth + 1);
            }
            line(out, depth);
            out.push(']');
        }
        Value::Map(map) => {
            for (i, (key, item)) in map.iter().enumerate() {
                out.push(if i == 0 { '{' } else { ',' });
                line(out, depth + 1);
                quote(key, out);
                out.push_str(if indent.is_some() { ": " } else { ":" });
                write(item, out, indent, depth + 1);
            }
            line(out, depth);
            out.push('}');
        }
    }
}

/// Go's encoding/json: 'f' format unless the exponent is below -6 or at least 21.
pub fn float(n: f64) -> String {
    let magnitude = n.abs();
    if !n.is_finite() {
        return "null".into();
    }
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        let text = format!("{n:e}");
        return match text.split_once('e') {
            Some((mantissa, exponent)) if !exponent.starts_with('-') => format!("{mantissa}e+{exponent}"),
            _ => text,
        };
    }
    format!("{n}")
}

/// Go's 'g' format with the shortest digits: an exponent below -4 and from 6. `scientific` is Rust's `{:e}` of it.
pub fn float_g(n: f64, scientific: &str) -> String {
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific.into() };
    let power: i32 = exponent.parse().unwrap_or(0);
    if n != 0.0 && !(-4..6).contains(&power) {
        let sign = if power < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", power.unsigned_abs());
    }
    format!("{n}")
}

/// A JSON string literal with Go's escapes.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                out.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Value;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a value")
            }
            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }
            fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
                Ok(Value::Bool(b))
            }
            fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
                Ok(Value::Int(n))
            }
            fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
                Ok(i64::try_from(n).map_or(Value::Float(n as f64), Value::Int))
            }
            fn visit_f64<E>(self, n: f64) -> Result<Value, E> {
                // What is written of 1.0 is 1.
                let is_whole = n.fract() == 0.0 && n.abs() < i64::MAX as f64 && !(n == 0.0 && n.is_sign_negative());
                Ok(if is_whole { Value::Int(n as i64) } else { Value::Float(n) })
            }
            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(SmolStr::new(text)))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Value::list(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
                let mut map = Map::new();
                while let Some((key, value)) = entries.next_entry::<String, Value>()? {
                    map.insert(key, value);
                }
                Ok(map.into())
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_as_go_does() {
        let check = |text: &str, want: &str| assert_eq!(compact(&parse(text).unwrap()), want);
        check(r#"{"b": [1, 2.5, 1e3, -0.0], "a": {"x": null}}"#, r#"{"a":{"x":null},"b":[1,2.5,1000,-0]}"#);
        check(r#""<a&b>\u2028\n""#, r#""\u003ca\u0026b\u003e\u2028\n""#);
        check("1e30", "1e+30");
        check("9223372337233723372337233723372337", "9.223372337233723e+33");
        assert_eq!(parse("1e3"), Ok(Value::Int(1000)));
        assert_eq!(
            pretty(&parse(r#"{"a":[1],"b":{}}"#).unwrap(), 4),
            "{\n    \"a\": [\n        1\n    ],\n    \"b\": {}\n}"
        );
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
