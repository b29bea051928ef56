//! `echo` and `printf`.

use super::Flavour;
use super::escape::{Style, unescape};

const OUTPUT_LIMIT: usize = 1 << 20;

pub fn echo(args: &[String], flavour: Flavour) -> Vec<u8> {
    let (mut newline, mut escapes) = (true, flavour == Flavour::Coreutils);
    let mut rest = args;
    while let Some((first, more)) = rest.split_first() {
        let Some(flags) = first.strip_prefix('-').filter(|f| !f.is_empty() && f.chars().all(|c| "neE".contains(c)))
        else {
            break;
        };
        for flag in flags.chars() {
            match flag {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        rest = more;
    }
    let text = rest.join(" ");
    if !escapes {
        let mut bytes = text.into_bytes();
        bytes.extend(newline.then_some(b'\n'));
        return bytes;
    }
    let (mut bytes, stop) = unescape(&text, Style::Echo);
    bytes.extend((newline && !stop).then_some(b'\n'));
    bytes
}

pub struct Printed {
    pub out: Vec<u8>,
    pub errors: Vec<String>,
    pub code: i32,
}

pub fn printf(args: &[String]) -> Printed {
    let mut printed = Printed { out: Vec::new(), errors: Vec::new(), code: 0 };
    let args = if args.first().is_some_and(|arg| arg == "--") { args.get(1..).unwrap_or_default() } else { args };
    let Some((format, args)) = args.split_first() else {
        printed.errors.push("usage: printf [-v var] format [arguments]".into());
        printed.code = 2;
        return printed;
    };
    let mut left = args.iter();
    loop {
        let before = left.len();
        if one_pass(format, &mut left, &mut printed) || left.len() == 0 || left.len() == before {
            return printed;
        }
        if printed.out.len() > OUTPUT_LIMIT {
            return printed;
        }
    }
}

/// Goes once over the format; whether to stop.
fn one_pass(format: &str, args: &mut std::slice::Iter<'_, String>, printed: &mut Printed) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (bytes, stop) = unescape(rest.get(..at).unwrap_or_default(), Style::Format);
        printed.out.extend(bytes);
        if stop {
            return true;
        }
        rest = rest.get(at + 1..).unwrap_or_default();
        if let Some(after) = rest.strip_prefix('%') {
            printed.out.push(b'%');
            rest = after;
            continue;
        }
        let flags: String = rest.chars().take_while(|c| "-+ #0".contains(*c)).collect();
        rest = rest.get(flags.len()..).unwrap_or_default();
        let mut number = |rest: &mut &str| -> Option<i64> {
            if let Some(after) = rest.strip_prefix('*') {
                *rest = after;
                return Some(args.next().and_then(|arg| arg.parse().ok()).unwrap_or(0));
            }
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            *rest = rest.get(digits.len()..).unwrap_or_default();
            digits.parse().ok()
        };
        let width = number(&mut rest).unwrap_or(0).clamp(-4096, 4096);
        let precision = match rest.strip_prefix('.') {
            Some(after) => {
                rest = after;
                Some(number(&mut rest).unwrap_or(0).clamp(0, 4096) as usize)
            }
            None => None,
        };
        let Some(kind) = rest.chars().next() else {
            printed.errors.push(format!("`{}': missing format character", "%"));
            printed.code = 1;
            return true;
        };
        rest = rest.get(kind.len_utf8()..).unwrap_or_default();
        let arg = if "sbcqdiouxXeEfFgG".contains(kind) { args.next() } else { None };
        let text = arg.map_or("", String::as_str);
        let left = flags.contains('-') || width < 0;
        let width = width.unsigned_abs() as usize;
        let zero = flags.contains('0') && !left;
        let mut pad = |bytes: Vec<u8>, zero: bool| {
            // bash counts bytes here.
            let fill = width.saturating_sub(bytes.len());
            match (left, zero) {
                (true, _) => {
                    printed.out.extend(bytes);
                    printed.out.extend(std::iter::repeat_n(b' ', fill));
                }
                (false, true) => {
                    let sign = usize::from(bytes.first().is_some_and(|b| *b == b'-' || *b == b'+'));
                    printed.out.extend(bytes.iter().take(sign));
                    printed.out.extend(std::iter::repeat_n(b'0', fill));
                    printed.out.extend(bytes.iter().skip(sign));
                }
                (false, false) => {
                    printed.out.extend(std::iter::repeat_n(b' ', fill));
                    printed.out.extend(bytes);
                }
            }
        };
        match kind {
            's' => {
                pad(text.bytes().take(precision.unwrap_or(usize::MAX)).collect(), false);
            }
            'q' => pad(backslashed(text).into_bytes(), false),
            'b' => {
                let (bytes, stop) = unescape(text, Style::Echo);
                pad(bytes, false);
                if stop {
                    return true;
                }
            }
            'c' => pad(text.chars().take(1).collect::<String>().into_bytes(), false),
            'd' | 'i' | 'o' | 'u' | 'x' | 'X' => {
                let (value, good) = integer(text);
                let mut shown = match kind {
                    'o' => format!("{value:o}"),
                    'x' => format!("{value:x}"),
                    'X' => format!("{value:X}"),
                    'u' => (value as u64).to_string(),
                    _ => value.to_string(),
                };
                if let Some(least) = precision {
                    let sign = if shown.starts_with('-') { "-" } else { "" };
                    shown = format!("{sign}{:0>least$}", shown.trim_start_matches('-'));
                }
                if value >= 0 && flags.contains('+') && matches!(kind, 'd' | 'i') {
                    shown.insert(0, '+');
                }
                if flags.contains('#') && kind == 'x' {
                    shown.insert_str(0, "0x");
                }
                pad(shown.into_bytes(), zero);
                if !good {
                    printed.errors.push(format!("{text}: invalid number"));
                    printed.code = 1;
                }
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
                let number = crate::base::float::parse(text.trim());
                let value = number.unwrap_or(0.0);
                let good = text.is_empty() || number.is_some();
                let shown = match kind {
                    'f' | 'F' => format!("{value:.*}", precision.unwrap_or(6)),
                    'e' | 'E' => exponent(value, precision.unwrap_or(6)),
                    _ => general(value, precision.unwrap_or(6).max(1)),
                };
                pad(shown.into_bytes(), zero);
                if !good {
                    printed.errors.push(format!("{text}: invalid number"));
                    printed.code = 1;
                }
            }
            other => {
                printed.errors.push(format!("`{other}': invalid format character"));
                printed.code = 1;
                return true;
            }
        }
    }
    let (bytes, stop) = unescape(rest, Style::Format);
    printed.out.extend(bytes);
    stop
}

/// `%q`: a word as bash writes it back, with a backslash before what means something.
fn backslashed(text: &str) -> String {
    if text.is_empty() {
        return "''".into();
    }
    if text.chars().any(char::is_control) {
        let inside: String = text
            .chars()
            .map(|c| match c {
                '\n' => "\\n".to_string(),
                '\t' => "\\t".into(),
                '\r' => "\\r".into(),
                '\u{7}' => "\\a".into(),
                '\u{1b}' => "\\E".into(),
                '\'' => "\\'".into(),
                '\\' => "\\\\".into(),
                c if c.is_control() => format!("\\{:03o}", c as u32),
                c => c.to_string(),
            })
            .collect();
        return format!("$'{inside}'");
    }
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        if " !\"$&'()*,;<>?[\\]^`{|}".contains(c) || (at == 0 && "~#".contains(c)) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn integer(text: &str) -> (i64, bool) {
    let text = text.trim_start();
    if let Some(c) = text.strip_prefix(['\'', '"']).and_then(|rest| rest.chars().next()) {
        return (i64::from(c as u32), true);
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(rest) => (16, rest),
        None if digits.starts_with('0') && digits.len() > 1 => (8, digits),
        None => (10, digits),
    };
    let mut value: i64 = 0;
    for c in digits.chars() {
        match c.to_digit(radix) {
            Some(digit) => value = value.saturating_mul(i64::from(radix)).saturating_add(i64::from(digit)),
            None => return (value.saturating_mul(sign), false),
        }
    }
    (value.saturating_mul(sign), true)
}

fn exponent(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, power)) => {
            let power: i32 = power.parse().unwrap_or(0);
            format!("{mantissa}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
        }
        None => text,
    }
}

/// `%g`: as few digits as needed.
pub fn general(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let power = value.abs().log10().floor() as i32;
    let trim = |text: String| {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    };
    if power < -4 || power >= digits as i32 {
        let text = exponent(value, digits - 1);
        return match text.split_once('e') {
            Some((mantissa, power)) => format!("{}e{power}", trim(mantissa.to_string())),
            None => text,
        };
    }
    trim(format!("{value:.*}", (digits as i32 - 1 - power).max(0) as usize))
}
