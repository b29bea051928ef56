//! `format` and `formatlist`: verbs as in C, with indexes.

use super::{Arguments, Fault, Outcome, fail, wrong};
use crate::base::goquote;
use crate::terraform::value::{Kind, Number, Type, Value, clusters, convert, encode};

const WIDTH_LIMIT: usize = 4096;

#[derive(Default)]
struct Verb {
    raw: String,
    offset: usize,
    argument: usize,
    mode: char,
    zero: bool,
    sharp: bool,
    plus: bool,
    minus: bool,
    space: bool,
    width: Option<usize>,
    precision: Option<usize>,
}

pub fn format(arguments: &mut Arguments) -> Outcome {
    let values: Vec<&Value> = arguments.values.iter().skip(1).collect();
    write_all(arguments.str(0), &values, arguments).map(Value::string)
}

pub fn formatlist(arguments: &mut Arguments) -> Outcome {
    let given = arguments.values.get(1..).unwrap_or_default();
    let mut length = None;
    let mut length_from = 0;
    for (index, value) in given.iter().enumerate() {
        if !matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_)) || value.is_null() {
            continue;
        }
        let Some(own) = value.len() else { return Ok(Value::unknown_not_null(Type::list(Type::String))) };
        match length {
            None => {
                length = Some(own);
                length_from = index;
            }
            Some(length) if length != own => {
                return wrong(
                    index + 1,
                    format!(
                        "argument {} has length {own}, which is inconsistent with argument {} of length {length}",
                        index + 1,
                        length_from + 1
                    ),
                );
            }
            Some(_) => {}
        }
    }
    let mut out = Vec::new();
    for at in 0..length.unwrap_or(1) {
        let values: Vec<&Value> =
            given.iter().map(|value| value.items().and_then(|items| items.get(at)).unwrap_or(value)).collect();
        if values.iter().any(|value| !value.is_wholly_known()) {
            out.push(Value::unknown_not_null(Type::String));
            continue;
        }
        match write_all(arguments.str(0), &values, arguments) {
            Ok(text) => out.push(Value::string(text)),
            Err(Fault::Call(reason) | Fault::Argument(_, reason)) if !given.is_empty() => {
                return fail(format!("error on format iteration {at}: {reason}"));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(Value::list(Type::String, out))
}

fn write_all(pattern: &str, values: &[&Value], arguments: &Arguments) -> Result<String, Fault> {
    let mut out = String::new();
    let mut chars = pattern.char_indices().peekable();
    let (mut next, mut highest) = (1, 0);
    while let Some((offset, c)) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut verb = Verb { raw: "%".into(), offset, argument: next, ..Verb::default() };
        if chars.next_if(|(_, c)| *c == '%').is_some() {
            out.push('%');
            continue;
        }
        let raw = &mut verb.raw;
        while let Some(flag) = take(&mut chars, &|c| matches!(c, '0' | '#' | '-' | '+' | ' '), raw) {
            match flag {
                '0' => verb.zero = true,
                '#' => verb.sharp = true,
                '-' => verb.minus = true,
                '+' => verb.plus = true,
                _ => verb.space = true,
            }
        }
        verb.width = number(&mut chars, raw);
        if take(&mut chars, &|c| c == '.', raw).is_some() {
            verb.precision = Some(number(&mut chars, raw).unwrap_or(0));
        }
        if take(&mut chars, &|c| c == '[', raw).is_some() {
            verb.argument = number(&mut chars, raw).unwrap_or(0);
            if take(&mut chars, &|c| c == ']', raw).is_none() {
                return unrecognized(chars.peek().copied(), pattern);
            }
        }
        match chars.next() {
            Some((_, c)) if c.is_ascii_alphabetic() => {
                verb.mode = c;
                verb.raw.push(c);
            }
            other => return unrecognized(other, pattern),
        }
        highest = highest.max(verb.argument);
        next = verb.argument + 1;
        let before = out.len();
        append(&verb, values, &mut out)?;
        arguments.spend(out.len() - before)?;
    }
    if highest < values.len() {
        let reason = match highest {
            0 => "too many arguments; no verbs in format string".to_owned(),
            used => format!("too many arguments; only {used} used by format string"),
        };
        return wrong(highest + 1, reason);
    }
    Ok(out)
}

type Chars<'a> = std::iter::Peekable<std::str::CharIndices<'a>>;

/// The next character, if it is one of the wanted.
fn take(chars: &mut Chars, wanted: &dyn Fn(char) -> bool, raw: &mut String) -> Option<char> {
    let (_, c) = chars.next_if(|(_, c)| wanted(*c))?;
    raw.push(c);
    Some(c)
}

fn number(chars: &mut Chars, raw: &mut String) -> Option<usize> {
    let mut value: Option<usize> = None;
    while let Some(digit) = take(chars, &|c| c.is_ascii_digit(), raw) {
        let digit = digit.to_digit(10).unwrap_or(0) as usize;
        value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(1 << 20));
    }
    value
}

fn unrecognized(at: Option<(usize, char)>, pattern: &str) -> Result<String, Fault> {
    match at {
        Some((offset, c)) => {
            fail(format!("unrecognized format character {} at offset {offset}", goquote::quote_rune(c)))
        }
        None => fail(format!("invalid format string starting at offset {}", pattern.len())),
    }
}

fn append(verb: &Verb, values: &[&Value], out: &mut String) -> Result<(), Fault> {
    let (raw, offset) = (goquote::quote(&verb.raw), verb.offset);
    let Some(value) = verb.argument.checked_sub(1).and_then(|at| values.get(at)) else {
        return fail(format!(
            "not enough arguments for {raw} at {offset}: need index {} but have {} total",
            verb.argument,
            values.len()
        ));
    };
    if verb.mode != 'v' && value.is_null() {
        return fail(format!("unsupported value for {raw} at {offset}: null value cannot be formatted"));
    }
    let as_type = |ty: Type| {
        convert(value, &ty).or_else(|error| fail(format!("unsupported value for {raw} at {offset}: {error}")))
    };
    let text = match verb.mode {
        'v' => match &value.kind {
            Kind::String(text) if !verb.sharp => text.to_string(),
            Kind::Number(number) if !verb.sharp => general(number, None),
            _ => encode(value),
        },
        't' => {
            out.push_str(if as_type(Type::Bool)?.as_bool() == Some(true) { "true" } else { "false" });
            return Ok(());
        }
        's' | 'q' => {
            let text = as_type(Type::String)?;
            let text = text.as_str().unwrap_or_default();
            let text: String = match verb.precision {
                Some(limit) if limit > 0 => clusters(text).into_iter().take(limit).collect(),
                _ => text.to_owned(),
            };
            if verb.mode == 'q' { encode(&Value::string(text)) } else { text }
        }
        'b' | 'd' | 'o' | 'x' | 'X' | 'e' | 'E' | 'f' | 'g' | 'G' => {
            let value = as_type(Type::Number)?;
            let Some(number) = value.as_number() else { return Ok(()) };
            let text = match digits(verb, number) {
                Some(text) => text,
                None => {
                    return fail(format!("unsupported value for {raw} at {offset}: an integer is required"));
                }
            };
            out.push_str(&signed(verb, number, text));
            return Ok(());
        }
        other => {
            return fail(format!("unsupported format verb {} in {raw} at offset {offset}", goquote::quote_rune(other)));
        }
    };
    let missing = verb.width.unwrap_or(0).min(WIDTH_LIMIT).saturating_sub(clusters(&text).len());
    let padding = (if verb.zero { "0" } else { " " }).repeat(missing);
    if !verb.minus {
        out.push_str(&padding);
    }
    out.push_str(&text);
    if verb.minus {
        out.push_str(&padding);
    }
    Ok(())
}

/// The digits of a number without its sign; `None` when a whole number is wanted.
fn digits(verb: &Verb, number: &Number) -> Option<String> {
    let positive = number.absolute();
    let float = positive.to_f64();
    let precision = verb.precision.map(|precision| precision.min(WIDTH_LIMIT));
    Some(match verb.mode {
        'f' => fixed(&positive, precision.unwrap_or(6)),
        'e' | 'E' => {
            let text = go_exponent(&format!("{float:.*e}", precision.unwrap_or(6)));
            if verb.mode == 'E' { text.to_uppercase() } else { text }
        }
        'g' | 'G' => {
            let text = general(&positive, precision);
            if verb.mode == 'G' { text.to_uppercase() } else { text }
        }
        mode => {
            if !number.is_whole() {
                return None;
            }
            let natural = positive.to_natural()?;
            let (base, prefix) = match mode {
                'b' => (2, "0b"),
                'o' => (8, "0"),
                'x' => (16, "0x"),
                'X' => (16, "0X"),
                _ => (10, ""),
            };
            let text = natural.text_in(base);
            let text = if mode == 'X' { text.to_uppercase() } else { text };
            let text = match precision {
                Some(least) if text.len() < least => format!("{}{text}", "0".repeat(least - text.len())),
                _ => text,
            };
            if verb.sharp { format!("{prefix}{text}") } else { text }
        }
    })
}

fn signed(verb: &Verb, number: &Number, digits: String) -> String {
    let whole = matches!(verb.mode, 'b' | 'd' | 'o' | 'x' | 'X');
    let sign = if number.is_negative() && !(whole && number.is_zero()) {
        "-"
    } else if verb.plus {
        "+"
    } else if verb.space {
        " "
    } else {
        ""
    };
    let missing = verb.width.unwrap_or(0).min(WIDTH_LIMIT).saturating_sub(sign.len() + digits.len());
    if verb.minus {
        format!("{sign}{digits}{}", " ".repeat(missing))
    } else if verb.zero {
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else {
        format!("{}{sign}{digits}", " ".repeat(missing))
    }
}

/// With so many places after the point, halves rounded to even.
fn fixed(number: &Number, places: usize) -> String {
    let text = number.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    if part.len() <= places {
        let zeros = "0".repeat(places - part.len());
        return if places == 0 { whole.to_owned() } else { format!("{whole}.{part}{zeros}") };
    }
    let kept: String = whole.chars().chain(part.chars().take(places)).collect();
    let rest = part.get(places..).unwrap_or_default();
    let odd = kept.ends_with(['1', '3', '5', '7', '9']);
    let half = rest.trim_end_matches('0') == "5";
    let up = if half { odd } else { rest.starts_with(['5', '6', '7', '8', '9']) };
    let mut digits: Vec<u8> = kept.into_bytes();
    if up {
        let mut at = digits.len();
        loop {
            match at.checked_sub(1) {
                Some(before) => at = before,
                None => {
                    digits.insert(0, b'1');
                    break;
                }
            }
            if let Some(digit) = digits.get_mut(at) {
                if *digit == b'9' {
                    *digit = b'0';
                } else {
                    *digit += 1;
                    break;
                }
            }
        }
    }
    let text = String::from_utf8(digits).unwrap_or_default();
    let (whole, part) = text.split_at(text.len().saturating_sub(places));
    if places == 0 { text.clone() } else { format!("{whole}.{part}") }
}

/// Go's `%g`: all digits needed, with an exponent when it is small or large.
fn general(number: &Number, precision: Option<usize>) -> String {
    if let Some(precision) = precision {
        return crate::terraform::value::go_general(number.to_f64(), precision.max(1));
    }
    let text = number.to_string();
    let (sign, plain) = match text.strip_prefix('-') {
        Some(plain) => ("-", plain),
        None => ("", text.as_str()),
    };
    let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
    let all: String = format!("{whole}{part}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let significant = all.trim_matches('0');
    if significant.is_empty() {
        return text.clone();
    }
    let exponent = whole.len() as i64 - 1 - leading as i64;
    if (-4..21).contains(&exponent) {
        return text.clone();
    }
    let (first, rest) = significant.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let mark = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}{point}{rest}e{mark}{:02}", exponent.abs())
}

/// `1.5e7` as Go writes it: `1.5e+07`.
fn go_exponent(text: &str) -> String {
    match text.split_once('e') {
        Some((digits, power)) => {
            let (sign, power) = match power.strip_prefix('-') {
                Some(power) => ('-', power),
                None => ('+', power),
            };
            format!("{digits}e{sign}{power:0>2}")
        }
        None => text.to_owned(),
    }
}
