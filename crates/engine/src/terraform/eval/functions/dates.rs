//! Functions on RFC 3339 times. An instant keeps the offset it was written with.

use super::{Arguments, Outcome, fail, wrong};
use crate::base::time::MONTHS;
use crate::base::{Time, duration, goquote};
use crate::terraform::value::Value;

struct Stamp {
    /// Of the instant.
    utc: Time,
    /// Seconds east of Greenwich.
    offset: i64,
}

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

impl Stamp {
    fn parse(text: &str) -> Result<Stamp, String> {
        let found = Time::parse(text).filter(|_| text.get(10..11) == Some("T"));
        let Some(utc) = found else { return Err(format!("not a valid RFC3339 timestamp{}", what_is_wrong(text))) };
        let offset = match text.get(19..).and_then(|rest| rest.find(['+', '-']).and_then(|at| rest.get(at..))) {
            Some(zone) => {
                let sign = if zone.starts_with('-') { -1 } else { 1 };
                let part = |range: std::ops::Range<usize>| zone.get(range).and_then(|part| part.parse::<i64>().ok());
                sign * (part(1..3).unwrap_or(0) * 3600 + part(4..6).unwrap_or(0) * 60)
            }
            None => 0,
        };
        Ok(Stamp { utc, offset })
    }

    fn local(&self) -> Time {
        Time(self.utc.0.saturating_add(self.offset.saturating_mul(1_000_000)))
    }

    fn zone(&self, colon: &str) -> String {
        let minutes = self.offset.abs() / 60;
        let sign = if self.offset < 0 { '-' } else { '+' };
        format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
    }

    fn text(&self) -> String {
        let text = self.local().rfc3339();
        if self.offset == 0 { text } else { format!("{}{}", text.trim_end_matches('Z'), self.zone(":")) }
    }
}

/// Which part of a time is missing or wrong.
fn what_is_wrong(text: &str) -> String {
    const PARTS: [(usize, usize, &str); 6] = [
        (0, 4, "year"),
        (5, 2, "month"),
        (8, 2, "day of month"),
        (11, 2, "hour"),
        (14, 2, "minute"),
        (17, 2, "second"),
    ];
    const MARKS: [(usize, &str); 5] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")];
    let rest = |at: usize| goquote::quote(text.get(at..).unwrap_or_default());
    for (index, (at, length, name)) in PARTS.iter().enumerate() {
        match text.get(*at..at + length) {
            Some(part) if part.bytes().all(|b| b.is_ascii_digit()) => {}
            _ if text.len() <= *at => return format!(": end of string before {name}"),
            _ => return format!(": cannot use {} as {name}", rest(*at)),
        }
        if let Some((at, mark)) = MARKS.get(index)
            && text.get(*at..at + 1) != Some(mark)
        {
            return match (*mark, text.len() <= *at) {
                ("T", _) => ": missing required time introducer 'T'".into(),
                (mark, true) => format!(": end of string where {} is expected", goquote::quote(mark)),
                (mark, false) => format!(": found {} where {} is expected", rest(*at), goquote::quote(mark)),
            };
        }
    }
    let number = |at: usize| text.get(at..at + 2).and_then(|part| part.parse::<u32>().ok()).unwrap_or(0);
    for (at, limit, name) in [(5, 12, "month"), (11, 23, "hour"), (14, 59, "minute"), (17, 59, "second")] {
        if number(at) > limit || name == "month" && number(at) == 0 {
            return format!(": cannot use {} as {name}", rest(at + 2));
        }
    }
    match text.get(19..) {
        Some("") | None => ": end of string before UTC offset".into(),
        Some(zone) if !zone.starts_with(['Z', '+', '-', '.']) => format!(": cannot use {} as UTC offset", rest(19)),
        _ => ": day out of range".into(),
    }
}

pub fn timeadd(arguments: &mut Arguments) -> Outcome {
    let stamp = match Stamp::parse(arguments.str(0)) {
        Ok(stamp) => stamp,
        Err(reason) => return fail(reason),
    };
    let micros = match duration::parse_nanos(arguments.str(1)) {
        Ok(nanos) => nanos / 1000,
        Err(reason) => return fail(reason),
    };
    let utc = Time(stamp.utc.0.saturating_add(micros));
    Ok(Value::string(Stamp { utc, ..stamp }.text()))
}

pub fn timecmp(arguments: &mut Arguments) -> Outcome {
    let mut times = [Time(0); 2];
    for (index, time) in times.iter_mut().enumerate() {
        *time = match Stamp::parse(arguments.str(index)) {
            Ok(stamp) => stamp.utc,
            Err(reason) => return wrong(index, reason),
        };
    }
    let [a, b] = times;
    Ok(Value::int(a.cmp(&b) as i64))
}

pub fn formatdate(arguments: &mut Arguments) -> Outcome {
    let stamp = match Stamp::parse(arguments.str(1)) {
        Ok(stamp) => stamp,
        Err(reason) => return wrong(1, reason),
    };
    let mut out = String::new();
    let mut rest = arguments.str(0);
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            rest = match quoted(rest, &mut out) {
                Some(rest) => rest,
                None => return wrong(0, "unterminated literal '"),
            };
            continue;
        }
        let end = if first.is_ascii_alphabetic() {
            rest.find(|c| c != first)
        } else {
            rest.find(|c: char| c.is_ascii_alphabetic() || c == '\'')
        };
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        if !first.is_ascii_alphabetic() {
            out.push_str(token);
            continue;
        }
        match verb(&stamp, first, token.len()) {
            Ok(text) => out.push_str(&text),
            Err(reason) => {
                return wrong(0, format!("invalid date format verb {}{reason}", goquote::quote(token)));
            }
        }
    }
    Ok(Value::string(out))
}

/// The text between quotes; two quotes are one.
fn quoted<'a>(text: &'a str, out: &mut String) -> Option<&'a str> {
    if let Some(rest) = text.strip_prefix("''") {
        out.push('\'');
        return Some(rest);
    }
    let mut rest = text.get(1..)?;
    loop {
        let at = rest.find('\'')?;
        out.push_str(rest.get(..at)?);
        rest = rest.get(at + 1..)?;
        match rest.strip_prefix('\'') {
            Some(after) => {
                out.push('\'');
                rest = after;
            }
            None => return Some(rest),
        }
    }
}

fn verb(stamp: &Stamp, letter: char, length: usize) -> Result<String, String> {
    let (year, month, day, hour, minute, second) = stamp.local().civil();
    let plain = |value: u32, names: &str| match length {
        1 => Ok(value.to_string()),
        2 => Ok(format!("{value:02}")),
        _ => Err(names.to_owned()),
    };
    let named = |name: &str| if length == 3 { name.chars().take(3).collect() } else { name.to_owned() };
    let month_name = MONTHS.get((month as usize).saturating_sub(1)).copied().unwrap_or_default();
    let day_name = DAYS.get(stamp.local().weekday() as usize).copied().unwrap_or_default();
    match (letter, length) {
        ('Y', 2) => Ok(format!("{:02}", year.rem_euclid(100))),
        ('Y', 4) => Ok(format!("{year:04}")),
        ('Y', _) => Err(": year must either be \"YY\" or \"YYYY\"".into()),
        ('M', 3 | 4) => Ok(named(month_name)),
        ('M', _) => plain(month, ": month must be \"M\", \"MM\", \"MMM\", or \"MMMM\""),
        ('D', _) => plain(day, ": day of month must either be \"D\" or \"DD\""),
        ('E', 3 | 4) => Ok(named(day_name)),
        ('E', _) => Err(": day of week must either be \"EEE\" or \"EEEE\"".into()),
        ('h', _) => plain(hour, ": 24-hour must either be \"h\" or \"hh\""),
        ('H', _) => plain((hour + 11) % 12 + 1, ": 12-hour must either be \"H\" or \"HH\""),
        ('A', 2) => Ok(if hour < 12 { "AM" } else { "PM" }.into()),
        ('a', 2) => Ok(if hour < 12 { "am" } else { "pm" }.into()),
        ('A' | 'a', _) => Err(format!(": must be \"{letter}{letter}\"")),
        ('m', _) => plain(minute, ": minute must either be \"m\" or \"mm\""),
        ('s', _) => plain(second, ": second must either be \"s\" or \"ss\""),
        ('Z', 1) if stamp.offset == 0 => Ok("Z".into()),
        ('Z', 3) if stamp.offset == 0 => Ok("UTC".into()),
        ('Z', 3 | 4) => Ok(stamp.zone("")),
        ('Z', 1 | 5) => Ok(stamp.zone(":")),
        ('Z', _) => Err(": timezone must be Z, ZZZZ, or ZZZZZ".into()),
        _ => Err(String::new()),
    }
}
