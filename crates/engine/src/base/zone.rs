//! `TZ`: POSIX strings without rules of their own, and a table of zones people use. An unknown name is UTC under that
//! name, as glibc has it. Rules are those of today, also for the past.

use crate::base::{Span, Time};

/// When clocks go forward and back.
#[derive(Clone, Copy)]
enum Summer {
    None,
    /// Last Sundays of March and October, 01:00 UTC.
    Europe,
    /// Second Sunday of March, first of November, 02:00 local time.
    America,
    /// First Sunday of April back, first of October forward.
    Australia,
}

const HOUR: i64 = 3600;

#[rustfmt::skip]
const ZONES: &[(&str, &str, &str, i64, Summer)] = &[
    ("Asia/Tokyo", "JST", "", 9 * HOUR, Summer::None), ("Japan", "JST", "", 9 * HOUR, Summer::None),
    ("Asia/Seoul", "KST", "", 9 * HOUR, Summer::None), ("Asia/Shanghai", "CST", "", 8 * HOUR, Summer::None),
    ("Asia/Taipei", "CST", "", 8 * HOUR, Summer::None), ("Asia/Hong_Kong", "HKT", "", 8 * HOUR, Summer::None),
    ("Asia/Singapore", "+08", "", 8 * HOUR, Summer::None), ("Asia/Kolkata", "IST", "", 19800, Summer::None),
    ("Asia/Dubai", "+04", "", 4 * HOUR, Summer::None), ("Europe/Moscow", "MSK", "", 3 * HOUR, Summer::None),
    ("America/Sao_Paulo", "-03", "", -3 * HOUR, Summer::None),
    ("Europe/London", "GMT", "BST", 0, Summer::Europe), ("Europe/Lisbon", "WET", "WEST", 0, Summer::Europe),
    ("Europe/Paris", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Berlin", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Madrid", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Rome", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Vienna", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Zurich", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Amsterdam", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Warsaw", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Helsinki", "EET", "EEST", 2 * HOUR, Summer::Europe),
    ("America/New_York", "EST", "EDT", -5 * HOUR, Summer::America), ("EST5EDT", "EST", "EDT", -5 * HOUR, Summer::America),
    ("America/Chicago", "CST", "CDT", -6 * HOUR, Summer::America),
    ("America/Denver", "MST", "MDT", -7 * HOUR, Summer::America),
    ("America/Los_Angeles", "PST", "PDT", -8 * HOUR, Summer::America), ("PST8PDT", "PST", "PDT", -8 * HOUR, Summer::America),
    ("Australia/Sydney", "AEST", "AEDT", 10 * HOUR, Summer::Australia),
    ("Australia/Melbourne", "AEST", "AEDT", 10 * HOUR, Summer::Australia),
    ("Australia/Brisbane", "AEST", "", 10 * HOUR, Summer::None), ("Australia/Perth", "AWST", "", 8 * HOUR, Summer::None),
    ("Asia/Calcutta", "IST", "", 19800, Summer::None), ("Asia/Bangkok", "+07", "", 7 * HOUR, Summer::None),
    ("Asia/Jakarta", "WIB", "", 7 * HOUR, Summer::None), ("Asia/Manila", "PST", "", 8 * HOUR, Summer::None),
    ("Asia/Ho_Chi_Minh", "+07", "", 7 * HOUR, Summer::None), ("Asia/Kathmandu", "+0545", "", 20700, Summer::None),
    ("Asia/Karachi", "PKT", "", 5 * HOUR, Summer::None), ("Asia/Riyadh", "+03", "", 3 * HOUR, Summer::None),
    ("Europe/Istanbul", "+03", "", 3 * HOUR, Summer::None), ("Europe/Dublin", "GMT", "IST", 0, Summer::Europe),
    ("Europe/Brussels", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Copenhagen", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Oslo", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Stockholm", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Prague", "CET", "CEST", HOUR, Summer::Europe), ("Europe/Budapest", "CET", "CEST", HOUR, Summer::Europe),
    ("Europe/Athens", "EET", "EEST", 2 * HOUR, Summer::Europe), ("Europe/Kyiv", "EET", "EEST", 2 * HOUR, Summer::Europe),
    ("Africa/Lagos", "WAT", "", HOUR, Summer::None), ("Africa/Nairobi", "EAT", "", 3 * HOUR, Summer::None),
    ("Africa/Johannesburg", "SAST", "", 2 * HOUR, Summer::None),
    ("US/Eastern", "EST", "EDT", -5 * HOUR, Summer::America), ("US/Central", "CST", "CDT", -6 * HOUR, Summer::America),
    ("US/Mountain", "MST", "MDT", -7 * HOUR, Summer::America), ("US/Pacific", "PST", "PDT", -8 * HOUR, Summer::America),
    ("America/Toronto", "EST", "EDT", -5 * HOUR, Summer::America), ("America/Vancouver", "PST", "PDT", -8 * HOUR, Summer::America),
    ("America/Phoenix", "MST", "", -7 * HOUR, Summer::None), ("America/Mexico_City", "CST", "", -6 * HOUR, Summer::None),
    ("America/Bogota", "-05", "", -5 * HOUR, Summer::None), ("America/Argentina/Buenos_Aires", "-03", "", -3 * HOUR, Summer::None),
    ("Pacific/Honolulu", "HST", "", -10 * HOUR, Summer::None), ("Etc/UTC", "UTC", "", 0, Summer::None),
    ("UTC", "UTC", "", 0, Summer::None), ("GMT", "GMT", "", 0, Summer::None), ("Etc/GMT", "GMT", "", 0, Summer::None),
];

/// Whether the table has a zone.
pub fn is_known(zone: &str) -> bool {
    ZONES.iter().any(|(own, ..)| *own == zone)
}

/// Seconds east of UTC at an instant, and the zone's name then.
pub fn at(zone: &str, time: Time) -> (i64, String) {
    let zone = zone.trim_start_matches(':');
    if let Some((_, name, summer_name, offset, rule)) = ZONES.iter().find(|(own, ..)| *own == zone) {
        let summer = is_summer(*rule, time, *offset);
        return (offset + if summer { HOUR } else { 0 }, (if summer { *summer_name } else { *name }).to_string());
    }
    let letters: String = zone.chars().take_while(char::is_ascii_alphabetic).collect();
    if letters.is_empty() {
        return (0, "UTC".into());
    }
    let rest = zone.get(letters.len()..).unwrap_or_default();
    let (sign, rest) = match rest.strip_prefix('-') {
        Some(rest) => (1, rest),
        None => (-1, rest.strip_prefix('+').unwrap_or(rest)),
    };
    let mut parts = rest.split(':').map(|part| part.parse::<i64>().ok().filter(|n| (0..60).contains(n)));
    let seconds = match (parts.next().flatten(), parts.next().flatten()) {
        (Some(hours), minutes) => sign * (hours * HOUR + minutes.unwrap_or(0) * 60),
        (None, _) => 0,
    };
    (seconds, letters)
}

/// The instant a Sunday of a month begins (UTC): the first, second …, or the last for 0.
fn sunday(year: i64, month: i64, which: i64) -> i64 {
    let first = |month: i64| {
        let text = format!("{:04}-{month:02}-01T00:00:00Z", year.clamp(1, 9999));
        Time::parse(&text).unwrap_or_default()
    };
    let day = |time: Time| i64::from(time.weekday() as u8);
    if which == 0 {
        // No month that counts here ends a year.
        let end = first(month + 1);
        let back = match day(end) {
            0 => 7,
            day => day,
        };
        return end.as_seconds() - back * 86_400;
    }
    let start = first(month);
    start.as_seconds() + ((7 - day(start)) % 7 + 7 * (which - 1)) * 86_400
}

fn is_summer(rule: Summer, time: Time, offset: i64) -> bool {
    let year = (time + Span::seconds(offset)).civil().0;
    let now = time.as_seconds();
    let between = |from: i64, to: i64| (from..to).contains(&now);
    match rule {
        Summer::None => false,
        Summer::Europe => between(sunday(year, 3, 0) + HOUR, sunday(year, 10, 0) + HOUR),
        Summer::America => between(sunday(year, 3, 2) + 2 * HOUR - offset, sunday(year, 11, 1) + HOUR - offset),
        Summer::Australia => !between(sunday(year, 4, 1) + 2 * HOUR - offset, sunday(year, 10, 1) + 2 * HOUR - offset),
    }
}
