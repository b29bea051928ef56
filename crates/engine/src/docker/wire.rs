//! Texts as the Engine and its client write them: JSON in the order of the Go types, times, sizes, names.

use crate::base::{Time, Value, json};

/// Keys of an object in the order of its Go type, one type a line. An object is of the first type that has all its
/// keys; maps with keys of their own (labels, networks) are of none and stay sorted.
const ORDER: &str = include_str!("order.txt");

/// Left out when there is nothing in them.
const OMITTED: [&str; 6] = ["Health", "Healthcheck", "ExposedPorts", "StopSignal", "StopTimeout", "Init"];

/// JSON in the order of the Go types; with an indent one entry a line.
pub fn json(value: &Value, indent: Option<usize>) -> String {
    let mut out = String::new();
    write(value, &mut out, indent, 0);
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
        Value::List(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                line(out, depth + 1);
                write(item, out, indent, depth + 1);
            }
            line(out, depth);
            out.push(']');
        }
        Value::Map(map) if !map.is_empty() => {
            for (index, key) in ordered(value).into_iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                line(out, depth + 1);
                json::quote(key, out);
                out.push_str(if indent.is_some() { ": " } else { ":" });
                write(&value[key], out, indent, depth + 1);
            }
            line(out, depth);
            out.push('}');
        }
        value => out.push_str(&json::compact(value)),
    }
}

/// All keys of the Go type an object is of.
pub fn type_of(value: &Value) -> Option<Vec<&'static str>> {
    let map = value.entries();
    let has_all = |line: &&str| map.keys().all(|key| line.split(' ').any(|own| own == key.as_str()));
    ORDER.lines().find(has_all).filter(|_| !map.is_empty()).map(|line| line.split(' ').collect())
}

/// The keys of an object that is of one of Go's types.
pub fn fields(value: &Value) -> Option<Vec<&str>> {
    let mut keys = type_of(value)?;
    keys.retain(|key| value.entries().contains(key));
    Some(keys)
}

/// The keys of an object in order.
fn ordered(value: &Value) -> Vec<&str> {
    let mut keys = fields(value).unwrap_or_else(|| value.entries().keys().map(|key| key.as_str()).collect());
    keys.retain(|key| {
        !OMITTED.contains(key) || !matches!(&value[*key], Value::Null) && value[*key].as_str() != Some("")
    });
    keys
}

/// What Go says of a text that is no port.
pub fn number_error(text: &str, error: std::num::ParseIntError) -> String {
    let over = *error.kind() == std::num::IntErrorKind::PosOverflow;
    let why = if over { "value out of range" } else { "invalid syntax" };
    format!("strconv.ParseUint: parsing {}: {why}", crate::base::goquote::quote(text))
}

/// RFC 3339 without the zeros at the end of the fraction; never is the year 1.
pub fn stamp(at: Option<Time>) -> String {
    let Some(at) = at else { return "0001-01-01T00:00:00Z".into() };
    let text = at.rfc3339_micros();
    let text = text.trim_end_matches('Z').trim_end_matches('0').trim_end_matches('.');
    format!("{text}Z")
}

/// Seconds as people say them: `Less than a second`, `About a minute`, `3 weeks`.
pub fn human(seconds: i64) -> String {
    let (minutes, hours) = (seconds / 60, (seconds as f64 / 3600.0 + 0.5) as i64);
    match (seconds, minutes, hours) {
        (..1, ..) => "Less than a second".into(),
        (1, ..) => "1 second".into(),
        (..60, ..) => format!("{seconds} seconds"),
        (_, 1, _) => "About a minute".into(),
        (_, ..60, _) => format!("{minutes} minutes"),
        (.., 1) => "About an hour".into(),
        (.., ..48) => format!("{hours} hours"),
        (.., ..336) => format!("{} days", hours / 24),
        (.., ..1440) => format!("{} weeks", hours / 168),
        (.., ..17_520) => format!("{} months", hours / 720),
        _ => format!("{} years", seconds / 3600 / 8760),
    }
}

/// Bytes in decimal units with `digits` that count: `3.01MB`.
pub fn size(bytes: i64, digits: usize) -> String {
    scaled(bytes as f64, 1000.0, &["B", "kB", "MB", "GB", "TB", "PB"], digits)
}

/// Bytes in binary units: `23.54GiB`.
pub fn binary_size(bytes: i64) -> String {
    scaled(bytes as f64, 1024.0, &["B", "KiB", "MiB", "GiB", "TiB", "PiB"], 4)
}

fn scaled(mut n: f64, base: f64, units: &[&str], digits: usize) -> String {
    let mut unit = 0;
    while n >= base && unit + 1 < units.len() {
        n /= base;
        unit += 1;
    }
    // Go's %.Ng: digits that count, no zeros at the end.
    let whole = format!("{:.0}", n.trunc()).len();
    let text = format!("{n:.*}", digits.saturating_sub(whole));
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{}", units.get(unit).copied().unwrap_or_default())
}

/// `2026-01-05 09:00:00 +0000 UTC`
pub fn go_time(seconds: i64) -> String {
    let text = Time::from_seconds(seconds).rfc3339().replace('T', " ").replace('Z', "");
    format!("{text} +0000 UTC")
}

/// The first twelve digits of an id, without the name of its hash.
pub fn short(id: &str) -> &str {
    let hex = id.strip_prefix("sha256:").unwrap_or(id);
    hex.get(..12).unwrap_or(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ages() {
        assert_eq!(
            [size(3_012_000, 3), size(13_682_000, 4), size(0, 3), size(912, 3)],
            ["3.01MB", "13.68MB", "0B", "912B"]
        );
        assert_eq!(binary_size(25_275_000_000), "23.54GiB");
        let ages: Vec<String> = [0, 1, 59, 61, 3599, 3600, 7300, 200_000, 57_000_000].map(human).into();
        assert_eq!(
            ages.join(", "),
            "Less than a second, 1 second, 59 seconds, About a minute, 59 minutes, About an hour, 2 hours, 2 days, 21 months"
        );
    }
}
