//! JSON text to values and back, written as Go writes it: `<`, `>` and `&` escaped, floats in Go's shortest form.

mod read;
pub mod text;

pub use read::{duplicates, parse};

use super::Value;

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
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(parse(&deep(128)).is_ok());
        assert!(parse(&deep(200)).is_err());
        assert!(parse(&deep(100_000)).is_err());
        check(r#""\ud83d\ude00\ud83d\u0041\/\b""#, "\"😀\u{fffd}A/\\b\"");
        check(
            "[18446744073709551615, -9223372036854775808, -0, 0.1, 1e-7]",
            "[18446744073709552000,-9223372036854775808,-0,0.1,1e-7]",
        );
        let wrong = |text: &str, want: &str| assert_eq!(parse(text).unwrap_err(), want);
        wrong("", "unexpected end of JSON input");
        wrong("{\"a\": ", "unexpected end of JSON input");
        wrong("{\"a\" 1}", "invalid character '1' after object key");
        wrong("[1] x", "invalid character 'x' after top-level value");
        wrong("1e999", "json: cannot unmarshal number 1e999 into Go value of type float64");
    }
}
