//! The successPolicy of a Job, and the texts of indexes it names.

use super::common::Errors;
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;

const MOST_RULES: usize = 20;
const LONGEST_TEXT: usize = 64 * 1024;

pub(super) fn success(errors: &mut Errors, at: &Path, policy: &Value, completions: i64) {
    let (at, rules) = (at.child("rules"), policy["rules"].items());
    if rules.is_empty() {
        errors.required(&at, "at least one rules must be specified when the successPolicy is specified");
    }
    if rules.len() > MOST_RULES {
        errors.push(FieldError::too_many(&at, rules.len(), MOST_RULES));
    }
    for (index, rule) in rules.iter().enumerate() {
        let at = at.index(index);
        let (text, least) = (rule["succeededIndexes"].as_str(), rule["succeededCount"].as_int());
        if text.is_none() && least.is_none() {
            errors.required(&at, "at least one of succeededCount or succeededIndexes must be specified");
        }
        let mut named = None;
        if let Some(text) = text {
            let at = at.child("succeededIndexes");
            if text.len() > LONGEST_TEXT {
                errors.push(FieldError::too_long(&at, LONGEST_TEXT));
            }
            named = Some(count(text, completions).unwrap_or_else(|why| {
                errors.invalid(&at, text, &format!("error parsing succeededIndexes: {why}"));
                0
            }));
        }
        let at = at.child("succeededCount");
        errors.not_negative(&at, &rule["succeededCount"]);
        let all = (Some(completions), "the number of specified completions");
        let some = (named, "the number of indexes in the specified succeededIndexes field");
        for (most, what) in [all, some] {
            if let (Some(least), Some(most)) = (least, most)
                && least > most
            {
                errors.invalid(&at, least, &format!("must be less than or equal to {most} ({what})"));
            }
        }
    }
}

/// How many indexes a text like `0-2,5` names; they rise and stay below the completions.
fn count(text: &str, completions: i64) -> Result<i64, String> {
    let (mut total, mut last) = (0_i64, None);
    if text.is_empty() {
        return Ok(0);
    }
    for part in text.split(',') {
        if part.split('-').count() > 2 {
            return Err(format!(
                "the fragment {part:?} violates the requirement that an index interval can have at most two parts \
                 separated by '-'"
            ));
        }
        for (place, limit) in part.split('-').enumerate() {
            let index: i64 =
                limit.parse().map_err(|_| format!("cannot convert string to integer for index: {limit:?}"))?;
            if index >= completions {
                return Err(format!("too large index: {limit:?}"));
            }
            if let Some(last) = last.filter(|last| *last >= index) {
                return Err(format!("non-increasing order, previous: {last}, current: {index}"));
            }
            let more = if place == 0 { 1 } else { index - last.unwrap_or(index) };
            total = total.saturating_add(more);
            last = Some(index);
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_indexes() {
        for (text, want) in [
            ("", "0"),
            ("3", "1"),
            ("0-2,4", "4"),
            ("1,2,4-5", "4"),
            ("5-6", "too large index: \"6\""),
            ("a-2", "cannot convert string to integer for index: \"a\""),
            ("1,", "cannot convert string to integer for index: \"\""),
            ("2,1", "non-increasing order, previous: 2, current: 1"),
            ("3-3", "non-increasing order, previous: 3, current: 3"),
            (
                "0-1-2",
                "the fragment \"0-1-2\" violates the requirement that an index interval can have at most two parts \
                 separated by '-'",
            ),
        ] {
            let got = count(text, 6).map_or_else(|why| why, |count| count.to_string());
            assert_eq!(got, want, "{text}");
        }
    }
}
