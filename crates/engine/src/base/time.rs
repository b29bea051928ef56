//! Virtual time. An instant is a number of microseconds since 1970-01-01 UTC; dates exist only when shown or sent.

use std::ops::{Add, AddAssign, Sub};

/// The months' English names, January first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(pub i64);

/// A length of time in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(pub i64);

impl Span {
    pub const ZERO: Span = Span(0);
    pub const fn micros(n: i64) -> Span {
        Span(n)
    }
    pub const fn millis(n: i64) -> Span {
        Span(n.saturating_mul(1_000))
    }
    pub const fn seconds(n: i64) -> Span {
        Span(n.saturating_mul(1_000_000))
    }
    pub fn seconds_f64(n: f64) -> Span {
        Span((n * 1e6) as i64)
    }
    pub const fn as_millis(self) -> i64 {
        self.0 / 1_000
    }
    /// Whole seconds, towards zero.
    pub const fn as_seconds(self) -> i64 {
        self.0 / 1_000_000
    }
    pub fn as_seconds_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
    pub fn times(self, factor: f64) -> Span {
        Span((self.0 as f64 * factor) as i64)
    }
}

impl Time {
    pub const fn from_seconds(n: i64) -> Time {
        Time(n.saturating_mul(1_000_000))
    }
    /// Whole seconds since 1970, downwards: what API timestamps carry.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }
    pub const fn floor_second(self) -> Time {
        Time::from_seconds(self.as_seconds())
    }
    /// The first instant strictly after `self` on the grid `offset + n·period`.
    pub fn next_on_grid(self, period: Span, offset: Span) -> Time {
        let period = period.0.max(1);
        let since = self.0 - offset.0;
        Time((since.div_euclid(period) + 1) * period + offset.0)
    }

    /// `2026-01-02T03:04:05Z`
    pub fn rfc3339(self) -> String {
        let mut text = self.to_seconds_text();
        text.push('Z');
        text
    }

    /// `2026-01-02T03:04:05.000006Z`: MicroTime.
    pub fn rfc3339_micros(self) -> String {
        let mut text = self.to_seconds_text();
        digits(&mut text, ".", self.0.rem_euclid(1_000_000) as u32, 100_000);
        text.push('Z');
        text
    }

    /// `2026-01-02T03:04:05`, digit by digit: every object has several.
    fn to_seconds_text(self) -> String {
        let (y, mo, d, h, mi, s) = self.civil();
        let mut text = String::with_capacity(27);
        match u32::try_from(y) {
            Ok(year @ 0..=9999) => digits(&mut text, "", year, 1000),
            _ => text = format!("{y:04}"),
        }
        for (before, number) in [("-", mo), ("-", d), ("T", h), (":", mi), (":", s)] {
            digits(&mut text, before, number, 10);
        }
        text
    }

    /// Year, month, day, hour, minute, second in UTC.
    pub fn civil(self) -> (i64, u32, u32, u32, u32, u32) {
        let seconds = self.as_seconds();
        let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400) as u32);
        let (y, m, d) = civil_from_days(days);
        (y, m, d, rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// `Jan` … `Dec`.
    pub fn month_name(self) -> &'static str {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        names.get((self.civil().1 as usize).wrapping_sub(1)).copied().unwrap_or("Jan")
    }

    /// 0 = Sunday.
    pub fn weekday(self) -> u32 {
        (self.as_seconds().div_euclid(86_400) + 4).rem_euclid(7) as u32
    }

    /// Reads RFC 3339 with optional fraction and `Z` or an offset.
    pub fn parse(text: &str) -> Option<Time> {
        let number = |range: std::ops::Range<usize>| -> Option<i64> {
            let part = text.get(range)?;
            part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
        };
        let mark = |at: usize, any: &str| text.as_bytes().get(at).is_some_and(|b| any.as_bytes().contains(b));
        if !(mark(4, "-") && mark(7, "-") && mark(10, "Tt ") && mark(13, ":") && mark(16, ":")) {
            return None;
        }
        let (y, mo, d) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (h, mi, s) = (number(11..13)?, number(14..16)?, number(17..19)?);
        if !(1..=12).contains(&mo) || d < 1 || d > days_in_month(y, mo) || h > 23 || mi > 59 || s > 60 {
            return None;
        }
        let mut rest = text.get(19..)?;
        let mut micros = 0;
        if let Some(fraction) = rest.strip_prefix('.') {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return None;
            }
            let padded: String = fraction.get(..digits)?.chars().chain("000000".chars()).take(6).collect();
            micros = padded.parse().ok()?;
            rest = fraction.get(digits..)?;
        }
        let offset = match rest {
            "Z" | "z" => 0,
            _ => {
                let sign = match rest.as_bytes().first()? {
                    b'+' => 1,
                    b'-' => -1,
                    _ => return None,
                };
                let (h, m) = rest.get(1..)?.split_once(':')?;
                sign * (h.parse::<i64>().ok()? * 3600 + m.parse::<i64>().ok()? * 60)
            }
        };
        let seconds = days_from_civil(y, mo, d) * 86_400 + h * 3600 + mi * 60 + s - offset;
        Some(Time(seconds * 1_000_000 + micros))
    }
}

fn days_in_month(y: i64, m: i64) -> i64 {
    match m {
        2 if y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 of a proleptic Gregorian date.
fn days_from_civil(y: i64, m: i64, d: i64) -> i64 {
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((m + 9) % 12) + 2) / 5 + d - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month as u32, (doy - (153 * mp + 2) / 5 + 1) as u32)
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}
impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}
impl Sub<Time> for Time {
    type Output = Span;
    fn sub(self, other: Time) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}
impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

/// A number with leading zeros; `top` is the worth of its first digit.
fn digits(text: &mut String, before: &str, number: u32, mut top: u32) {
    text.push_str(before);
    while top > 0 {
        text.push(char::from(b'0' + (number / top % 10) as u8));
        top /= 10;
    }
}

impl std::fmt::Debug for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.rfc3339_micros())
    }
}
impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}s", self.as_seconds_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let check = |text: &str| assert_eq!(Time::parse(text).unwrap().rfc3339_micros(), text);
        for text in ["2026-11-30T02:56:07.000001Z", "1970-01-01T00:00:00.000000Z", "2024-02-29T23:59:59.999999Z"] {
            check(text);
        }
        for (micros, text) in [
            (i64::MIN, "-290308-12-21T19:59:05Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (253_402_300_800_000_000, "10000-01-01T00:00:00Z"),
        ] {
            assert_eq!(Time(micros).rfc3339(), text);
        }
        assert_eq!(Time::parse("2026-01-01T09:00:00+09:00").unwrap().rfc3339(), "2026-01-01T00:00:00Z");
        assert_eq!(Time::parse("2026-11-30T00:00:00Z").unwrap().weekday(), 1);
        for bad in ["", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00", "2026-01-01", "2026-01-01T00:00:00.Z"] {
            assert_eq!(Time::parse(bad), None);
        }
    }
}
