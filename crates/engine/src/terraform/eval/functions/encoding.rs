//! Encodings: base64, JSON, CSV, URLs.

use crate::base::BTreeMap;

use super::{Arguments, Outcome, fail, redacted, wrong};
use crate::base::{SmolStr, goquote};
use crate::terraform::value::{Type, Value, decode, encode};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        for i in 0..4 {
            let digit = DIGITS.get((word >> (18 - 6 * i) & 63) as usize).copied().unwrap_or(b'=');
            out.push(if i > chunk.len() { '=' } else { digit as char });
        }
    }
    out
}

/// The bytes, or where the first wrong sign is.
pub fn from_base64(text: &str) -> Result<Vec<u8>, usize> {
    let mut out = Vec::new();
    let (mut word, mut count, mut padding) = (0u32, 0, 0);
    for (at, byte) in text.bytes().enumerate() {
        if matches!(byte, b'\r' | b'\n') {
            continue;
        }
        if byte == b'=' && count >= 2 {
            padding += 1;
        } else {
            let Some(digit) = DIGITS.iter().position(|own| *own == byte).filter(|_| padding == 0) else {
                return Err(at);
            };
            word |= (digit as u32) << (18 - 6 * count);
        }
        count += 1;
        if count == 4 {
            let bytes = word.to_be_bytes();
            out.extend(bytes.iter().skip(1).take(3 - padding.min(3)));
            word = 0;
            count = 0;
        }
    }
    if count == 0 { Ok(out) } else { Err(text.len() - text.len() % 4) }
}

pub fn base64encode(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(base64(arguments.str(0).as_bytes())))
}

pub fn base64decode(arguments: &mut Arguments) -> Outcome {
    let given = arguments.value(0);
    let text = arguments.str(0);
    let Ok(bytes) = from_base64(text) else {
        return fail(format!("failed to decode base64 data {}", redacted(given)));
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Value::string(text).with_marks(given.marks)),
        Err(_) => fail("the result of decoding the provided string is not valid UTF-8"),
    }
}

/// Encodings that are simulated: wide ones, and Latin-1.
#[derive(Clone, Copy)]
enum Charset {
    Utf8,
    Utf16 { big: bool },
    Latin1,
    Ascii,
}

fn charset(name: &str) -> Option<Charset> {
    Some(match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Charset::Utf8,
        "utf-16le" => Charset::Utf16 { big: false },
        "utf-16be" | "utf-16" => Charset::Utf16 { big: true },
        "iso-8859-1" | "latin1" | "iso_8859-1" => Charset::Latin1,
        "us-ascii" | "ascii" => Charset::Ascii,
        _ => return None,
    })
}

fn unknown_charset(name: &str) -> Outcome {
    wrong(
        1,
        format!("{} is not a supported IANA encoding name or alias in this Terraform version", goquote::quote(name)),
    )
}

pub fn textencodebase64(arguments: &mut Arguments) -> Outcome {
    let (text, name) = (arguments.str(0), arguments.str(1));
    let Some(charset) = charset(name) else { return unknown_charset(name) };
    let narrow =
        |limit: u32| text.chars().map(|c| u8::try_from(c as u32).ok().filter(|b| u32::from(*b) < limit)).collect();
    let bytes: Option<Vec<u8>> = match charset {
        Charset::Utf8 => Some(text.as_bytes().to_vec()),
        Charset::Utf16 { big } => {
            let pair = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            Some(text.encode_utf16().flat_map(pair).collect())
        }
        Charset::Latin1 => narrow(256),
        Charset::Ascii => narrow(128),
    };
    match bytes {
        Some(bytes) => Ok(Value::string(base64(&bytes))),
        None => wrong(0, format!("the given string contains characters that cannot be represented in {name}")),
    }
}

pub fn textdecodebase64(arguments: &mut Arguments) -> Outcome {
    let (text, name) = (arguments.str(0), arguments.str(1));
    let Some(charset) = charset(name) else { return unknown_charset(name) };
    let bytes = match from_base64(text) {
        Ok(bytes) => bytes,
        Err(at) => return wrong(0, format!("the given value has an invalid base64 symbol at offset {at}")),
    };
    let text = match charset {
        Charset::Utf8 => String::from_utf8(bytes).ok(),
        Charset::Utf16 { big } => {
            let units: Vec<u16> = bytes
                .chunks(2)
                .map(|pair| {
                    let (a, b) = (pair.first().copied().unwrap_or(0), pair.get(1).copied().unwrap_or(0));
                    if big { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) }
                })
                .collect();
            String::from_utf16(&units).ok()
        }
        Charset::Latin1 | Charset::Ascii => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
    };
    match text {
        Some(text) => Ok(Value::string(text)),
        None => wrong(0, format!("the given string contains symbols that are not defined for {name}")),
    }
}

pub fn jsonencode(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(encode(arguments.value(0))))
}

pub fn jsondecode(arguments: &mut Arguments) -> Outcome {
    decode(arguments.str(0)).or_else(fail)
}

pub fn urlencode(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(goquote::query_escape(arguments.str(0))))
}

pub fn csvdecode(arguments: &mut Arguments) -> Outcome {
    let mut rows = match read_csv(arguments.str(0)) {
        Ok(rows) => rows.into_iter(),
        Err((line, reason)) => return fail(format!("CSV parse error on line {line}: {reason}")),
    };
    let Some((_, header)) = rows.next() else { return fail("missing header line") };
    for (at, name) in header.iter().enumerate() {
        if header.iter().take(at).any(|other| other == name) {
            return fail(format!("duplicate column name {}", goquote::quote(name)));
        }
    }
    let types: BTreeMap<SmolStr, Type> = header.iter().map(|name| (name.into(), Type::String)).collect();
    let mut objects = Vec::new();
    for (line, row) in rows {
        if row.len() != header.len() {
            return fail(format!("CSV parse error on line {line}: wrong number of fields"));
        }
        let entries = header.iter().zip(row).map(|(name, field)| (SmolStr::from(name), Value::string(field)));
        objects.push(Value::object(entries.collect()));
    }
    Ok(Value::list(Type::object(types), objects))
}

type Rows = Vec<(usize, Vec<String>)>;

/// Fields by comma, quoted ones with doubled quotes; blank lines do not count.
fn read_csv(text: &str) -> Result<Rows, (usize, &'static str)> {
    let text = text.replace("\r\n", "\n");
    let mut rows = Rows::new();
    let mut row = Vec::new();
    let mut field = String::new();
    let mut chars = text.chars().peekable();
    let (mut line, mut start) = (1, 1);
    let mut quoted_field = false;
    loop {
        match chars.next() {
            Some('"') if field.is_empty() && !quoted_field => {
                quoted_field = true;
                loop {
                    match chars.next() {
                        Some('"') if chars.next_if_eq(&'"').is_some() => field.push('"'),
                        Some('"') => break,
                        Some(c) => {
                            line += usize::from(c == '\n');
                            field.push(c);
                        }
                        None => return Err((line, "extraneous or missing \" in quoted-field")),
                    }
                }
                if !matches!(chars.peek(), None | Some(',' | '\n')) {
                    return Err((line, "extraneous or missing \" in quoted-field"));
                }
            }
            Some('"') => return Err((line, "bare \" in non-quoted-field")),
            Some(',') => {
                row.push(std::mem::take(&mut field));
                quoted_field = false;
            }
            end @ (Some('\n') | None) => {
                if !(row.is_empty() && field.is_empty() && !quoted_field) {
                    row.push(std::mem::take(&mut field));
                    rows.push((start, std::mem::take(&mut row)));
                }
                quoted_field = false;
                line += 1;
                start = line;
                if end.is_none() {
                    return Ok(rows);
                }
            }
            Some(c) => field.push(c),
        }
    }
}
