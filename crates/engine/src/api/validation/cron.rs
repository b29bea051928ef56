//! The standard cron line (robfig/cron), checked with that parser's complaints; and names of time zones.

use crate::base::{Span, Time};

/// Minute, hour, day of month, month, day of week: name, least, most, words.
const FIELDS: [(u32, u32, &[&str]); 5] = [
    (0, 59, &[]),
    (0, 23, &[]),
    (1, 31, &[]),
    (1, 12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    (0, 6, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];

/// When something is due.
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// In steps from wherever one stands.
    Every(Span),
    Fields(Fields),
}

/// The values that fit, one bit each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    minutes: u64,
    hours: u64,
    days: u64,
    months: u64,
    weekdays: u64,
    /// Any day of the month, any day of the week.
    any_day: bool,
    any_weekday: bool,
}

/// Why a schedule cannot be read.
pub fn check(schedule: &str) -> Result<(), String> {
    parse(schedule).map(|_| ())
}

/// A schedule, or why it cannot be read.
pub fn parse(schedule: &str) -> Result<Schedule, String> {
    if schedule.starts_with('@') {
        return descriptor(schedule);
    }
    let parts: Vec<&str> = schedule.split_whitespace().collect();
    if parts.len() != FIELDS.len() {
        return Err(format!("expected exactly 5 fields, found {}: [{}]", parts.len(), parts.join(" ")));
    }
    let mut bits = [0_u64; 5];
    for ((part, bounds), bits) in parts.iter().zip(FIELDS).zip(&mut bits) {
        for one in part.split(',').filter(|range| !range.is_empty()) {
            *bits |= range(one, bounds)?;
        }
    }
    let [minutes, hours, days, months, weekdays] = bits;
    let is_any = |at: usize| {
        let all = parts.get(at).map(|part| part.split(','));
        all.into_iter()
            .flatten()
            .any(|one| matches!(one.split('/').collect::<Vec<_>>().as_slice(), ["*" | "?"] | ["*" | "?", "1"]))
    };
    let (any_day, any_weekday) = (is_any(2), is_any(4));
    Ok(Schedule::Fields(Fields { minutes, hours, days, months, weekdays, any_day, any_weekday }))
}

fn descriptor(text: &str) -> Result<Schedule, String> {
    parse(match text {
        "@yearly" | "@annually" => "0 0 1 1 *",
        "@monthly" => "0 0 1 * *",
        "@weekly" => "0 0 * * 0",
        "@daily" | "@midnight" => "0 0 * * *",
        "@hourly" => "0 * * * *",
        _ => {
            let Some(every) = text.strip_prefix("@every ") else {
                return Err(format!("unrecognized descriptor: {text}"));
            };
            return match crate::base::duration::parse(every) {
                Ok(span) => Ok(Schedule::Every(span.max(Span::seconds(1)))),
                Err(error) => Err(format!("failed to parse duration {text}: {error}")),
            };
        }
    })
}

impl Schedule {
    /// The first instant after another at which it is due; `None` when none comes within five years.
    pub fn next(&self, after: Time, zone: &str) -> Option<Time> {
        match self {
            Schedule::Every(span) => Some(Time(after.floor_second().0.saturating_add(span.0))),
            Schedule::Fields(fields) => fields.next(after, zone),
        }
    }
}

impl Fields {
    fn next(&self, after: Time, zone: &str) -> Option<Time> {
        const MINUTE: i64 = 60_000_000;
        let mut at = Time(after.0 - after.0.rem_euclid(MINUTE) + MINUTE);
        let last = Time(after.0.saturating_add(Span::seconds(5 * 366 * 86_400).0));
        // Whole months, days and hours that do not fit are passed over, so this ends soon.
        while at <= last {
            let offset = Span::seconds(crate::base::zone::at(zone, at).0);
            let local = at + offset;
            let (year, month, day, hour, minute, _) = local.civil();
            let has = |bits: u64, value: u32| bits >> value & 1 == 1;
            let day_fits = match (has(self.days, day), has(self.weekdays, local.weekday())) {
                (a, b) if self.any_day || self.any_weekday => a && b,
                (a, b) => a || b,
            };
            let day_start = Time(local.0 - local.0.rem_euclid(24 * 60 * MINUTE));
            let step = if !has(self.months, month) {
                let (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
                Time::parse(&format!("{year:04}-{month:02}-01T00:00:00Z"))?
            } else if !day_fits {
                day_start + Span::seconds(86_400)
            } else if !has(self.hours, hour) {
                Time(local.0 - local.0.rem_euclid(60 * MINUTE) + 60 * MINUTE)
            } else if !has(self.minutes, minute) {
                local + Span::seconds(60)
            } else {
                return Some(at);
            };
            // Back from the clock on the wall, which may have been set forward or back in between.
            let guess = Time(step.0 - offset.0);
            let there = Span::seconds(crate::base::zone::at(zone, guess).0);
            at = Time(step.0 - there.0).max(Time(at.0 + MINUTE));
        }
        None
    }
}

fn range(text: &str, (least, most, words): (u32, u32, &[&str])) -> Result<u64, String> {
    let (span, step) = match text.split('/').collect::<Vec<_>>().as_slice() {
        [span] => (*span, None),
        [span, step] => (*span, Some(*step)),
        _ => return Err(format!("too many slashes: {text}")),
    };
    let bounds: Vec<&str> = span.split('-').collect();
    let (start, mut end) = match bounds.as_slice() {
        ["*" | "?"] => (least, most),
        [one] => {
            let one = number(one, words)?;
            (one, one)
        }
        [from, to] => (number(from, words)?, number(to, words)?),
        _ => return Err(format!("too many hyphens: {text}")),
    };
    let mut stride = 1;
    if let Some(step) = step {
        stride = number(step, &[])?;
        if bounds.len() == 1 && !matches!(span, "*" | "?") {
            end = most;
        }
        if stride == 0 {
            return Err(format!("step of range should be a positive number: {text}"));
        }
    }
    if start < least {
        return Err(format!("beginning of range ({start}) below minimum ({least}): {text}"));
    }
    if end > most {
        return Err(format!("end of range ({end}) above maximum ({most}): {text}"));
    }
    if start > end {
        return Err(format!("beginning of range ({start}) beyond end of range ({end}): {text}"));
    }
    Ok((start..=end).step_by(stride as usize).fold(0, |bits, value| bits | 1 << value))
}

fn number(text: &str, words: &[&str]) -> Result<u32, String> {
    let small = text.to_lowercase();
    if let Some(index) = words.iter().position(|word| *word == small) {
        // Months count from one, days of the week from zero.
        return Ok(index as u32 + u32::from(words.len() == 12));
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        let quoted = crate::base::goquote::quote(text);
        return Err(format!("failed to parse int from {text}: strconv.Atoi: parsing {quoted}: invalid syntax"));
    }
    digits.parse().map_err(|_| {
        let quoted = crate::base::goquote::quote(text);
        format!("failed to parse int from {text}: strconv.Atoi: parsing {quoted}: value out of range")
    })
}

/// An area a line, then the places in it; the first line has those without an area.
const TIME_ZONES: &str = include_str!("time-zones.txt");

/// Whether a name is one of the IANA database; case counts.
pub fn is_time_zone(name: &str) -> bool {
    let (area, place) = name.split_once('/').unwrap_or(("", name));
    TIME_ZONES
        .lines()
        .filter_map(|line| line.split_once(' '))
        .any(|(head, places)| head == area && places.split(' ').any(|known| known == place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_and_zones() {
        let check = |schedule: &str, want: &str| assert_eq!(check(schedule).err().unwrap_or_default(), want);
        for fine in ["*/5 * * * *", "0 0 31 2 *", "0 9-17/2 * jan-mar MON,FRI", "@hourly", "@every 5m", "? 1 * * ?"] {
            check(fine, "");
        }
        let next = |schedule: &str, after: &str, zone: &str, want: &str| {
            let at = parse(schedule).unwrap().next(Time::parse(after).unwrap(), zone);
            assert_eq!(at.map(Time::rfc3339).unwrap_or_default(), want, "{schedule} after {after}");
        };
        next("*/5 * * * *", "2026-01-05T09:00:00Z", "UTC", "2026-01-05T09:05:00Z");
        next("15 * * * *", "2026-01-05T09:15:00Z", "Asia/Tokyo", "2026-01-05T10:15:00Z");
        next("0 2 * * *", "2026-01-05T09:00:00Z", "Asia/Tokyo", "2026-01-05T17:00:00Z");
        next("0 0 29 2 *", "2026-01-05T09:00:00Z", "UTC", "2028-02-29T00:00:00Z");
        next("0 0 31 2 *", "2026-01-05T09:00:00Z", "UTC", "");
        next("0 0 1 * 1", "2026-01-05T09:00:00Z", "UTC", "2026-01-12T00:00:00Z");
        next("30 2 * * *", "2026-03-08T00:00:00Z", "America/New_York", "2026-03-09T06:30:00Z");
        next("@yearly", "2026-01-05T09:00:00Z", "UTC", "2027-01-01T00:00:00Z");
        next("@every 90s", "2026-01-05T09:00:00Z", "UTC", "2026-01-05T09:01:30Z");
        check("0 24 * * *", "end of range (24) above maximum (23): 24");
        check("0 0 0 * *", "beginning of range (0) below minimum (1): 0");
        check("a-b-c * * * *", "too many hyphens: a-b-c");
        check("1/2/3 * * * *", "too many slashes: 1/2/3");
        for (name, known) in [
            ("UTC", true),
            ("Asia/Tokyo", true),
            ("asia/tokyo", false),
            ("Asia", false),
            ("", false),
            ("America/Argentina/Buenos_Aires", true),
            ("US/Eastern", true),
            ("Asia/Toky", false),
        ] {
            assert_eq!(is_time_zone(name), known, "{name}");
        }
    }
}
