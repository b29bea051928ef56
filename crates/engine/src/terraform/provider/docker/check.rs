//! What a configuration is refused for before anything is planned: values that no Engine would take.

use super::field::{Check, Field, Shape};
use crate::base::duration;
use crate::terraform::eval::functions::from_base64;
use crate::terraform::provider::Complaint;
use crate::terraform::schema::Nesting;
use crate::terraform::value::{Path, PathStep, Value};

pub fn check(kind: &str, fields: &[Field], config: &Value) -> Vec<Complaint> {
    let mut found = Vec::new();
    body(fields, config, &mut Path::new(), &mut found);
    if kind == "docker_container" {
        let given = |name: &str| config.get(name).is_some_and(|value| !value.is_null() && !value.is_empty());
        let gpus = config.get("gpus").is_some_and(|value| !value.is_null());
        if gpus && given("device_requests") {
            let text = "\"gpus\": conflicts with device_requests";
            let path = vec![PathStep::Attribute("gpus".into())];
            found.push(Complaint {
                detail: text.into(),
                path,
                ..Complaint::error("Conflicting configuration arguments")
            });
        }
    }
    found
}

fn body(fields: &[Field], config: &Value, path: &mut Path, found: &mut Vec<Complaint>) {
    for field in fields {
        let Some(value) = config.get(field.name).filter(|value| value.is_known() && !value.is_null()) else {
            continue;
        };
        path.push(PathStep::Attribute(field.name.into()));
        match field.shape {
            Shape::Blocks(nesting, inner) => {
                for (index, item) in value.items().unwrap_or_default().iter().enumerate() {
                    // Elements of a set have no place of their own.
                    let mut at = if nesting == Nesting::Set { Path::new() } else { path.clone() };
                    if nesting == Nesting::Set {
                        let mut own = Vec::new();
                        body(inner, item, &mut at, &mut own);
                        found.extend(own.into_iter().map(|complaint| Complaint { path: Path::new(), ..complaint }));
                    } else {
                        at.push(PathStep::Index(Value::int(index as i64)));
                        body(inner, item, &mut at, found);
                    }
                }
            }
            _ => {
                if let Some(text) = complaint(field.check, value) {
                    found.push(Complaint { detail: text.clone(), path: path.clone(), ..Complaint::error(text) });
                }
            }
        }
        path.pop();
    }
}

fn complaint(check: Check, value: &Value) -> Option<String> {
    let text = value.as_str().unwrap_or_default();
    let pattern = |text: &str, pattern: String| Some(format!("'{text}' doesn't match the pattern '{pattern}'"));
    match check {
        Check::None => None,
        Check::Words(words) if !words.contains(&text) => pattern(text, format!("^({})$", words.join("|"))),
        Check::AtLeast(least) => {
            let number = value.as_int().filter(|number| *number < least)?;
            Some(format!("'{number}' cannot be lower than {least}"))
        }
        Check::Duration => match duration::parse_nanos(text) {
            Err(_) => Some(format!("'{text}' is not a valid duration")),
            Ok(nanos) if nanos < 0 => Some(format!("'{text}' duration must not be negative")),
            Ok(_) => None,
        },
        Check::AbsolutePath if !text.is_empty() && !text.starts_with('/') => {
            Some(format!("'{text}' must be an absolute path"))
        }
        Check::Base64 if from_base64(text).is_err() => Some(format!("'{text}' is not base64 decodeable")),
        Check::FileMode => {
            let digits = text.strip_prefix('0').unwrap_or_default();
            let good = digits.len() == 3 && digits.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
            if good { None } else { pattern(text, "^0[0-7]{3}$".into()) }
        }
        Check::Letters(letters) => {
            let bad = text.is_empty() || text.chars().any(|letter| !letters.contains(letter));
            if bad { pattern(text, format!("^[{letters}]+$")) } else { None }
        }
        _ => None,
    }
}
