//! The standard cron line (robfig/cron), checked with that parser's complaints; and names of time zones.

/// Minute, hour, day of month, month, day of week: name, least, most, words.
const FIELDS: [(u32, u32, &[&str]); 5] = [
    (0, 59, &[]),
    (0, 23, &[]),
    (1, 31, &[]),
    (1, 12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    (0, 6, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];

/// Why a schedule cannot be read.
pub fn check(schedule: &str) -> Result<(), String> {
    if schedule.starts_with('@') {
        return descriptor(schedule);
    }
    let parts: Vec<&str> = schedule.split_whitespace().collect();
    if parts.len() != FIELDS.len() {
        return Err(format!("expected exactly 5 fields, found {}: [{}]", parts.len(), parts.join(" ")));
    }
    for (part, bounds) in parts.iter().zip(FIELDS) {
        for range in part.split(',').filter(|range| !range.is_empty()) {
            self::range(range, bounds)?;
        }
    }
    Ok(())
}

fn descriptor(text: &str) -> Result<(), String> {
    match text {
        "@yearly" | "@annually" | "@monthly" | "@weekly" | "@daily" | "@midnight" | "@hourly" => Ok(()),
        _ => match text.strip_prefix("@every ") {
            Some(every) => match crate::base::duration::parse(every) {
                Ok(_) => Ok(()),
                Err(error) => Err(format!("failed to parse duration {text}: {error}")),
            },
            None => Err(format!("unrecognized descriptor: {text}")),
        },
    }
}

fn range(text: &str, (least, most, words): (u32, u32, &[&str])) -> Result<(), String> {
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
    if let Some(step) = step {
        let step = number(step, &[])?;
        if bounds.len() == 1 && !matches!(span, "*" | "?") {
            end = most;
        }
        if step == 0 {
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
    Ok(())
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
