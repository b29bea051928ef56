//! The standard cron line (robfig/cron), checked with that parser's complaints; and names of time zones.
//!
//! Time zones are known by the shape of their names, not by the list of all of them.

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

const AREAS: [&str; 11] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
    "Etc",
];
const ALONE: [&str; 14] =
    ["UTC", "GMT", "CET", "EET", "EST", "HST", "MET", "MST", "WET", "UCT", "Zulu", "Japan", "Singapore", "Israel"];

/// Whether a name looks like one of the IANA database.
pub fn is_time_zone(name: &str) -> bool {
    match name.split_once('/') {
        None => ALONE.contains(&name),
        Some((area, place)) => {
            AREAS.contains(&area)
                && place.split(['/', '_', '-']).all(|word| !word.is_empty())
                && place.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
                && place.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'+'))
        }
    }
}
