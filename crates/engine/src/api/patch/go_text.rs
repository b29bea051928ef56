//! How Go's `%v` and `%T` show an untyped tree: error texts quote values this way.

use std::fmt::Write;

use crate::base::Value;

/// `map[a:1 b:[x y] c:<nil>]`
pub fn go_text(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("<nil>"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => {
            let _ = write!(out, "{n}");
        }
        Value::Float(n) => out.push_str(&float(*n)),
        Value::Text(text) => out.push_str(text),
        Value::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push_str("map[");
            for (i, (key, item)) in map.iter().enumerate() {
                if i > 0 {
                    out.push(' ');
                }
                out.push_str(key);
                out.push(':');
                write(item, out);
            }
            out.push(']');
        }
    }
}

/// `%v` of a float64: shortest digits, exponent form from 1e21 on and below 1e-4.
fn float(n: f64) -> String {
    if !n.is_finite() {
        return if n.is_nan() {
            "NaN".into()
        } else if n > 0.0 {
            "+Inf".into()
        } else {
            "-Inf".into()
        };
    }
    let size = n.abs();
    if size != 0.0 && !(1e-4..1e21).contains(&size) {
        let text = format!("{n:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{n}")
}

/// `reflect.TypeOf` as `%s` shows it.
pub(super) fn go_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "%!s(<nil>)",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Float(_) => "float64",
        Value::Text(_) => "string",
        Value::List(_) => "[]interface {}",
        Value::Map(_) => "map[string]interface {}",
    }
}

/// `%s` of a value that ought to be a string.
pub(super) fn go_string(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        Value::Null => "%!s(<nil>)".into(),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => format!("%!s({}={})", go_type(value), go_text(value)),
        Value::List(items) => format!("[{}]", items.iter().map(go_string).collect::<Vec<_>>().join(" ")),
        Value::Map(map) => {
            let entries: Vec<String> = map.iter().map(|(key, item)| format!("{key}:{}", go_string(item))).collect();
            format!("map[{}]", entries.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json;

    #[test]
    fn values_as_go_prints_them() {
        let check = |text: &str, want: &str| assert_eq!(go_text(&json::parse(text).unwrap()), want);
        check(r#"{"b":[1,"x",null,true],"a":{"c":1.5}}"#, "map[a:map[c:1.5] b:[1 x <nil> true]]");
        check("[1e21,0.0001,0.00001,-2.5]", "[1e+21 0.0001 1e-05 -2.5]");
        assert_eq!(go_string(&Value::Int(5)), "%!s(int64=5)");
    }
}
