//! Lengths of time as Go writes and reads them, and as kubectl's AGE columns shorten them.

use super::Span;

/// `time.ParseDuration`: nanoseconds, or its error text.
pub fn parse_nanos(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quote(text));
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        if unit.is_empty() {
            return Err(format!("time: missing unit in duration {}", quote(text)));
        }
        let scale: i128 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return Err(format!("time: unknown unit {} in duration {}", quote(unit), quote(text))),
        };
        let number = if whole.is_empty() { 0 } else { whole.parse::<i64>().map_err(|_| invalid())? };
        let part = super::float::parse(&format!("0.{fraction}0")).unwrap_or(0.0);
        total += i128::from(number) * scale + (part * scale as f64) as i128;
        if total > i128::from(i64::MAX) + i128::from(negative) {
            return Err(invalid());
        }
        rest = after;
    }
    i64::try_from(if negative { -total } else { total }).map_err(|_| invalid())
}

/// As [`parse_nanos`], in the engine's microseconds.
pub fn parse(text: &str) -> Result<Span, String> {
    parse_nanos(text).map(|nanos| Span(nanos / 1_000))
}

/// `Duration.String`: `1h2m3.5s`, `250ms`, `0s`.
pub fn go(span: Span) -> String {
    go_nanos(i128::from(span.0) * 1_000)
}

pub fn go_nanos(nanos: i128) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let n = nanos.unsigned_abs();
    let body = match n {
        0 => "0s".into(),
        1..1_000 => format!("{n}ns"),
        1_000..1_000_000 => format!("{}µs", decimal(n, 1_000)),
        1_000_000..1_000_000_000 => format!("{}ms", decimal(n, 1_000_000)),
        _ => {
            let seconds = format!("{}s", decimal(n % 60_000_000_000, 1_000_000_000));
            let minutes = n / 60_000_000_000;
            match (minutes / 60, minutes % 60) {
                (0, 0) => seconds,
                (0, minutes) => format!("{minutes}m{seconds}"),
                (hours, minutes) => format!("{hours}h{minutes}m{seconds}"),
            }
        }
    };
    format!("{sign}{body}")
}

/// kubectl's age: two or three digits that matter.
pub fn human(span: Span) -> String {
    let seconds = span.as_seconds();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let two = |big: i64, unit: &str, small: i64, small_unit: &str| match small {
        0 => format!("{big}{unit}"),
        small => format!("{big}{unit}{small}{small_unit}"),
    };
    match (seconds, minutes, hours) {
        (..-1, ..) => "<invalid>".into(),
        (-1, ..) => "0s".into(),
        (..120, ..) => format!("{seconds}s"),
        (_, ..10, _) => two(minutes, "m", seconds % 60, "s"),
        (_, ..180, _) => format!("{minutes}m"),
        (.., ..8) => two(hours, "h", minutes % 60, "m"),
        (.., ..48) => format!("{hours}h"),
        (.., ..192) => two(hours / 24, "d", hours % 24, "h"),
        (.., ..17_520) => format!("{}d", hours / 24),
        (.., ..70_080) => two(hours / 24 / 365, "y", hours / 24 % 365, "d"),
        _ => format!("{}y", hours / 24 / 365),
    }
}

/// One unit only: `5m`, `3h`, `2d`.
pub fn short_human(span: Span) -> String {
    let seconds = span.as_seconds();
    match seconds {
        ..-1 => "<invalid>".into(),
        -1 => "0s".into(),
        ..60 => format!("{seconds}s"),
        ..3_600 => format!("{}m", seconds / 60),
        ..86_400 => format!("{}h", seconds / 3_600),
        ..31_536_000 => format!("{}d", seconds / 86_400),
        _ => format!("{}y", seconds / 31_536_000),
    }
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// `n / unit` without trailing zeros.
fn decimal(n: u128, unit: u128) -> String {
    let width = unit.to_string().len().saturating_sub(1);
    let text = format!("{}.{:0width$}", n / unit, n % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Go's time package quotes by itself: everything outside ASCII as bytes.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for b in text.bytes() {
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b' '..=b'~' | 0x7f => out.push(b.into()),
            _ => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_durations() {
        let check = |text: &str, want: &str| {
            let got = parse_nanos(text).map_or_else(|error| error, |nanos| go_nanos(nanos.into()));
            assert_eq!(got, want);
        };
        for (text, want) in [
            ("90s", "1m30s"),
            ("1h", "1h0m0s"),
            ("1.5h", "1h30m0s"),
            ("-1.5s", "-1.5s"),
            ("1500us", "1.5ms"),
            ("0", "0s"),
            ("100ns", "100ns"),
            (".5m", "30s"),
            ("foo", "time: invalid duration \"foo\""),
            ("5", "time: missing unit in duration \"5\""),
            ("5x", "time: unknown unit \"x\" in duration \"5x\""),
            ("", "time: invalid duration \"\""),
            ("9999999h", "time: invalid duration \"9999999h\""),
            ("5秒", "time: unknown unit \"\\xe7\\xa7\\x92\" in duration \"5\\xe7\\xa7\\x92\""),
        ] {
            check(text, want);
        }
    }

    #[test]
    fn ages() {
        let ages: Vec<String> = [-2, -1, 0, 119, 120, 125, 599, 600, 10_799, 10_800, 28_799, 28_800, 172_799, 172_800]
            .iter()
            .chain(&[180_000, 691_199, 691_200, 63_071_999, 63_072_000, 64_000_000, 252_288_000])
            .map(|n| human(Span::seconds(*n)))
            .collect();
        assert_eq!(
            ages.join(" "),
            "<invalid> 0s 0s 119s 2m 2m5s 9m59s 10m 179m 3h 7h59m 8h 47h 2d 2d2h 7d23h 8d 729d 2y 2y10d 8y"
        );
        assert_eq!(short_human(Span::seconds(3_700)), "1h");
    }
}
