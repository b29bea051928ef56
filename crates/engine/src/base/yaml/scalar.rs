//! What a scalar means: go-yaml v2's resolver. Base 60 numbers stay text.

use crate::base::SmolStr;

#[derive(Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    /// Above the largest i64.
    BigInt(u64),
    Float(f64),
    Text(SmolStr),
}

const LONG: &str = "tag:yaml.org,2002:";

/// Whether a plain scalar of this text is read back as the same text: what decides about quotes when writing.
pub(in crate::base) fn resolves_to_text(text: &str) -> bool {
    matches!(plain(text, true), Plain { kind: "str", .. })
}

pub(super) fn resolve(tag: &str, is_plain: bool, text: &str) -> Result<Scalar, String> {
    let short = match tag.strip_prefix(LONG) {
        Some(short) => short,
        None if tag.is_empty() => "",
        None => return Ok(Scalar::Text(text.into())),
    };
    match short {
        "" if !is_plain => return Ok(Scalar::Text(text.into())),
        "" | "bool" | "int" | "float" | "null" | "timestamp" => {}
        "binary" => return binary(text).ok_or_else(|| "yaml: !!binary value contains invalid base64 data".into()),
        _ => return Ok(Scalar::Text(text.into())),
    }
    let found = plain(text, matches!(short, "" | "timestamp"));
    if short.is_empty() || short == found.kind {
        return Ok(found.value);
    }
    if let ("float", Scalar::Int(n)) = (short, &found.value) {
        return Ok(Scalar::Float(*n as f64));
    }
    Err(format!("yaml: cannot decode !!{} `{text}` as a !!{short}", found.kind))
}

struct Plain {
    kind: &'static str,
    value: Scalar,
}

fn plain(text: &str, timestamps: bool) -> Plain {
    let is = |kind, value| Plain { kind, value };
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return is("bool", Scalar::Bool(true));
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return is("bool", Scalar::Bool(false));
        }
        "" | "~" | "null" | "Null" | "NULL" => return is("null", Scalar::Null),
        ".nan" | ".NaN" | ".NAN" => return is("float", Scalar::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return is("float", Scalar::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => return is("float", Scalar::Float(f64::NEG_INFINITY)),
        _ => {}
    }
    match text.as_bytes().first() {
        Some(b'.') => {
            if let Some(n) = float(text) {
                return is("float", Scalar::Float(n));
            }
        }
        Some(b'0'..=b'9' | b'+' | b'-') => {
            if timestamps && is_timestamp(text) {
                return is("timestamp", Scalar::Text(text.into()));
            }
            let digits = text.replace('_', "");
            if let Some(n) = integer(&digits) {
                return is("int", n);
            }
            if let Some(n) = float(&digits) {
                return is("float", Scalar::Float(n));
            }
        }
        _ => {}
    }
    is("str", Scalar::Text(text.into()))
}

/// Go's ParseInt with base 0: `0x`, `0o`, `0b`, and a leading 0 for octal.
fn integer(text: &str) -> Option<Scalar> {
    let (negative, signed, rest) = match text.as_bytes().first()? {
        b'-' => (true, true, text.get(1..)?),
        b'+' => (false, true, text.get(1..)?),
        _ => (false, false, text),
    };
    let (digits, radix) = match rest.as_bytes() {
        [b'0', b'x' | b'X', ..] => (rest.get(2..)?, 16),
        [b'0', b'o' | b'O', ..] => (rest.get(2..)?, 8),
        [b'0', b'b' | b'B', ..] => (rest.get(2..)?, 2),
        [b'0', _, ..] => (rest.get(1..)?, 8),
        _ => (rest, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let n = if negative { -magnitude } else { magnitude };
    match i64::try_from(n) {
        Ok(n) => Some(Scalar::Int(n)),
        Err(_) if signed => None,
        Err(_) => u64::try_from(n).ok().map(Scalar::BigInt),
    }
}

/// Digits with a point and an exponent; too large for a float stays text.
fn float(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let shaped = body.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
    let starts = body.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    crate::base::float::parse(text).filter(|n| shaped && starts && n.is_finite())
}

/// `2006-1-2`, with `T15:4:5.9Z` or `±07:00`, or ` 15:4:5.9`.
fn is_timestamp(text: &str) -> bool {
    fn read(text: &str) -> Option<()> {
        let (year, rest) = text.split_once('-')?;
        if year.len() != 4 || !year.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let (month, rest) = short_number(rest)?;
        let (day, rest) = short_number(rest.strip_prefix('-')?)?;
        let year: u32 = year.parse().ok()?;
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 => 28 + u32::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        if !(1..=days).contains(&day) {
            return None;
        }
        if rest.is_empty() {
            return Some(());
        }
        let zoned = rest.starts_with(['T', 't']);
        let rest = rest.strip_prefix(['T', 't', ' '])?;
        let (hour, rest) = short_number(rest)?;
        let (minute, rest) = short_number(rest.strip_prefix(':')?)?;
        let (second, mut rest) = short_number(rest.strip_prefix(':')?)?;
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            rest = fraction.get(digits..).filter(|_| digits > 0)?;
        }
        match (zoned, rest.as_bytes()) {
            (true, b"Z") | (false, b"") => Some(()),
            (true, [b'+' | b'-', a, b, b':', c, d]) => {
                let number = |x: u8, y: u8| {
                    let digits = x.is_ascii_digit() && y.is_ascii_digit();
                    digits.then(|| u32::from(x - b'0') * 10 + u32::from(y - b'0'))
                };
                (number(*a, *b)? <= 24 && number(*c, *d)? < 60).then_some(())
            }
            _ => None,
        }
    }
    read(text).is_some()
}

/// One or two digits.
fn short_number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    Some((text.get(..digits)?.parse().ok()?, text.get(digits..)?))
}

fn binary(text: &str) -> Option<Scalar> {
    base64(text).map(|bytes| Scalar::Text(String::from_utf8_lossy(&bytes).into()))
}

/// Standard base64 with padding; line breaks are skipped.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let symbols: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\r' | b'\n')).collect();
    let value = |b: u8| -> Option<u32> {
        Some(u32::from(match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        }))
    };
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    let mut bytes = Vec::new();
    let last = (symbols.len() / 4).saturating_sub(1);
    for (index, group) in symbols.chunks_exact(4).enumerate() {
        let padding = group.iter().rev().take_while(|b| **b == b'=').count();
        if padding > 2 || (padding > 0 && index != last) {
            return None;
        }
        let mut bits = 0;
        for b in group.iter().take(4 - padding) {
            bits = bits << 6 | value(*b)?;
        }
        bits <<= 6 * padding;
        bytes.extend(bits.to_be_bytes().iter().skip(1).take(3 - padding));
    }
    Some(bytes)
}
