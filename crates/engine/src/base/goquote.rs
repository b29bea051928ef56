//! Values as Go's fmt prints them: `%q`, `%v` and `%#v`.

use super::{Value, json};

/// `strconv.Quote`, `%q` of a string.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            _ => escape(c, &mut out),
        }
    }
    out.push('"');
    out
}

/// `url.QueryEscape`.
pub fn query_escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte.into()),
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// `%q` of a rune.
/// Go's `url.QueryUnescape`; nothing where an escape is broken.
pub fn query_unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes().iter();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || (*rest.next()? as char).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => *byte,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

pub fn quote_rune(c: char) -> String {
    let mut out = String::from("'");
    match c {
        '\'' => out.push_str("\\'"),
        c => escape(c, &mut out),
    }
    out.push('\'');
    out
}

fn escape(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
        c if is_printable(c) => out.push(c),
        c if (c as u32) < 0x1_0000 => out.push_str(&format!("\\u{:04x}", c as u32)),
        c => out.push_str(&format!("\\U{:08x}", c as u32)),
    }
}

/// Near enough to `unicode.IsPrint`: Go keeps letters, marks, numbers, punctuation, symbols and the plain space.
fn is_printable(c: char) -> bool {
    let code = c as u32;
    let hidden = c.is_control()
        || (c != ' ' && c.is_whitespace())
        || matches!(code, 0xad | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xfff0..=0xfffb)
        || matches!(code, 0xe000..=0xf8ff | 0xf_0000..=0x10_ffff | 0xe_0000..=0xe_00ff)
        || code & 0xfffe == 0xfffe;
    !hidden
}

/// `%v`: `map[a:1 b:[x y]]`, `<nil>` for null.
pub fn plain(value: &Value) -> String {
    let mut out = String::new();
    write_plain(value, &mut out);
    out
}

fn write_plain(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("<nil>"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Float(n) => out.push_str(&float(*n)),
        Value::Text(text) => out.push_str(text),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write_plain(item, out);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push_str("map[");
            for (index, (key, item)) in map.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                out.push_str(key);
                out.push(':');
                write_plain(item, out);
            }
            out.push(']');
        }
    }
}

/// `%#v` of what go-yaml decodes: maps with `interface {}` keys.
pub fn go_syntax(value: &Value) -> String {
    top_syntax(value, "interface {}")
}

/// `%#v` of a decoded JSON object: `map[string]interface {}{"a":1}`.
pub fn go_syntax_of_json(value: &Value) -> String {
    top_syntax(value, "string")
}

fn top_syntax(value: &Value, key: &str) -> String {
    match value {
        Value::Null => "<nil>".into(),
        other => inner_syntax(other, key),
    }
}

fn inner_syntax(value: &Value, key_type: &str) -> String {
    match value {
        Value::Null => "interface {}(nil)".into(),
        Value::Text(text) => quote(text),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| inner_syntax(item, key_type)).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Value::Map(map) => {
            let entry = |(key, value): (&str, &Value)| format!("{}:{}", quote(key), inner_syntax(value, key_type));
            let entries: Vec<String> = map.iter().map(|(key, value)| entry((key.as_str(), value))).collect();
            format!("map[{key_type}]interface {{}}{{{}}}", entries.join(", "))
        }
        simple => plain(simple),
    }
}

/// `%v` of a float64: the shortest form, with an exponent below -4 and from 6.
pub fn float(n: f64) -> String {
    if n.is_nan() {
        return "NaN".into();
    }
    if n.is_infinite() {
        return if n > 0.0 { "+Inf".into() } else { "-Inf".into() };
    }
    json::float_g(n, &format!("{n:e}"))
}

/// What stands between the quotes of a Go string literal, read back; nothing where an escape is wrong.
pub fn unescape(text: &str, quote: char) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == quote {
            return None;
        }
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let simple = match chars.next()? {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' => '\\',
            'x' => {
                let code = hexadecimal(&mut chars, 2)?;
                bytes.push(u8::try_from(code).ok()?);
                continue;
            }
            'u' => char::from_u32(hexadecimal(&mut chars, 4)?)?,
            'U' => char::from_u32(hexadecimal(&mut chars, 8)?)?,
            c @ '0'..='7' => {
                let mut code = c.to_digit(8)?;
                for _ in 0..2 {
                    code = code * 8 + chars.next()?.to_digit(8)?;
                }
                bytes.push(u8::try_from(code).ok()?);
                continue;
            }
            c if c == quote => c,
            _ => return None,
        };
        bytes.extend(simple.encode_utf8(&mut [0; 4]).bytes());
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn hexadecimal(chars: &mut std::str::Chars<'_>, count: usize) -> Option<u32> {
    (0..count).try_fold(0_u32, |code, _| code.checked_mul(16)?.checked_add(chars.next()?.to_digit(16)?))
}
