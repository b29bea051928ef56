//! Functions on strings.

use super::{Arguments, Outcome, fail, whole, wrong};
use crate::base::SmolStr;
use crate::base::go_regex::Regex;
use crate::terraform::value::{Kind, Type, Value, clusters};

fn text(value: impl Into<SmolStr>) -> Outcome {
    Ok(Value::string(value))
}

pub fn chomp(arguments: &mut Arguments) -> Outcome {
    text(arguments.str(0).trim_end_matches(['\n', '\r']))
}

pub fn startswith(arguments: &mut Arguments) -> Outcome {
    let prefix = arguments.str(1);
    if let Kind::Unknown(_, known) = &arguments.value(0).kind {
        let known = known.prefix.as_str();
        return Ok(if known.starts_with(prefix) {
            Value::bool(true)
        } else if prefix.starts_with(known) {
            Value::unknown_not_null(Type::Bool)
        } else {
            Value::bool(false)
        });
    }
    Ok(Value::bool(arguments.str(0).starts_with(prefix)))
}

pub fn endswith(arguments: &mut Arguments) -> Outcome {
    Ok(Value::bool(arguments.str(0).ends_with(arguments.str(1))))
}

pub fn strcontains(arguments: &mut Arguments) -> Outcome {
    Ok(Value::bool(arguments.str(0).contains(arguments.str(1))))
}

pub fn indent(arguments: &mut Arguments) -> Outcome {
    let spaces = match whole(arguments.value(0)) {
        Ok(spaces) => spaces.clamp(0, 4096) as usize,
        Err(reason) => return fail(reason),
    };
    let lines = arguments.str(1).matches('\n').count();
    arguments.spend(lines.saturating_mul(spaces))?;
    text(arguments.str(1).replace('\n', &format!("\n{}", " ".repeat(spaces))))
}

pub fn join(arguments: &mut Arguments) -> Outcome {
    let lists = arguments.values.get(1..).unwrap_or_default();
    if lists.is_empty() {
        return fail("at least one list is required");
    }
    let mut parts: Vec<&str> = Vec::new();
    for (at, list) in lists.iter().enumerate() {
        for (index, item) in list.items().unwrap_or_default().iter().enumerate() {
            match item.as_str() {
                Some(part) => parts.push(part),
                None => {
                    let of = if lists.len() > 1 { format!(" of list {}", at + 1) } else { String::new() };
                    return wrong(at + 1, format!("element {index}{of} is null; cannot concatenate null values"));
                }
            }
        }
    }
    let separators = parts.len().saturating_mul(arguments.str(0).len());
    arguments.spend(parts.iter().map(|part| part.len()).sum::<usize>().saturating_add(separators))?;
    text(parts.join(arguments.str(0)))
}

pub fn lower(arguments: &mut Arguments) -> Outcome {
    text(arguments.str(0).chars().map(lower_of).collect::<String>())
}

pub fn upper(arguments: &mut Arguments) -> Outcome {
    text(arguments.str(0).chars().map(upper_of).collect::<String>())
}

/// One letter for one: final sigmas and the dotted İ are as any.
fn lower_of(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// One letter for one: what would become several stays, but for Greek letters with an iota below.
fn upper_of(c: char) -> char {
    let mut all = c.to_uppercase();
    match (all.next(), all.next(), c) {
        (Some(one), None, _) => one,
        (_, _, '\u{1f80}'..='\u{1faf}') => char::from_u32(c as u32 | 8).unwrap_or(c),
        (_, _, '\u{1fb3}') => '\u{1fbc}',
        (_, _, '\u{1fc3}') => '\u{1fcc}',
        (_, _, '\u{1ff3}') => '\u{1ffc}',
        _ => c,
    }
}

/// Letters of two have a form of their own at the start of a word; Georgian ones have none.
fn title_of(c: char) -> char {
    match c {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        '\u{10d0}'..='\u{10ff}' => c,
        _ => upper_of(c),
    }
}

pub fn title(arguments: &mut Arguments) -> Outcome {
    let mut out = String::new();
    let mut before = ' ';
    for c in arguments.str(0).chars() {
        let inside = before.is_alphanumeric() || before == '_' || !before.is_ascii() && !before.is_whitespace();
        out.push(if inside { c } else { title_of(c) });
        before = c;
    }
    text(out)
}

pub fn strrev(arguments: &mut Arguments) -> Outcome {
    text(clusters(arguments.str(0)).into_iter().rev().collect::<String>())
}

pub fn split(arguments: &mut Arguments) -> Outcome {
    let (separator, given) = (arguments.str(0), arguments.str(1));
    let parts: Vec<Value> = if separator.is_empty() {
        given.chars().map(|c| Value::string(c.to_string())).collect()
    } else {
        given.split(separator).map(Value::string).collect()
    };
    Ok(Value::list(Type::String, parts))
}

pub fn substr(arguments: &mut Arguments) -> Outcome {
    let given = arguments.str(0);
    let (offset, length) = match (whole(arguments.value(1)), whole(arguments.value(2))) {
        (Ok(offset), Ok(length)) => (offset, length),
        (Err(reason), _) | (_, Err(reason)) => return fail(reason),
    };
    let signs = clusters(given);
    let total = signs.len() as i64;
    let start = if offset < 0 { (total + offset).max(0) } else { offset };
    let length = if length < 0 { total } else { length };
    text(signs.into_iter().skip(start as usize).take(length as usize).collect::<String>())
}

pub fn trim(arguments: &mut Arguments) -> Outcome {
    let cutset = arguments.str(1);
    text(arguments.str(0).trim_matches(|c| cutset.contains(c)))
}

pub fn trimprefix(arguments: &mut Arguments) -> Outcome {
    let given = arguments.str(0);
    text(given.strip_prefix(arguments.str(1)).unwrap_or(given))
}

pub fn trimsuffix(arguments: &mut Arguments) -> Outcome {
    let given = arguments.str(0);
    text(given.strip_suffix(arguments.str(1)).unwrap_or(given))
}

pub fn trimspace(arguments: &mut Arguments) -> Outcome {
    text(arguments.str(0).trim())
}

/// Between slashes a regular expression, else plain text.
pub fn replace(arguments: &mut Arguments) -> Outcome {
    let (given, pattern, with) = (arguments.str(0), arguments.str(1), arguments.str(2));
    let inner = pattern.strip_prefix('/').and_then(|inner| inner.strip_suffix('/'));
    let Some(inner) = inner.filter(|_| pattern.len() > 1) else {
        let count = if pattern.is_empty() { given.len() + 1 } else { given.matches(pattern).count() };
        arguments.spend(count.saturating_mul(with.len()))?;
        return text(given.replace(pattern, with));
    };
    match Regex::new(inner) {
        Ok(regex) => text(arguments.searched(&regex, |regex| regex.replace(given, with))?.unwrap_or_default()),
        Err(reason) => fail(format!("error parsing regexp: {reason}")),
    }
}

pub fn regex(arguments: &mut Arguments) -> Outcome {
    let regex = compile(arguments.str(0))?;
    let given = arguments.str(1);
    match arguments.searched(&regex, |regex| regex.find(given, 0))? {
        Some(groups) => Ok(captures(&regex, given, &groups)),
        None => fail("pattern did not match any part of the given string"),
    }
}

fn compile(pattern: &str) -> Result<Regex, super::Fault> {
    let regex = match Regex::new(pattern) {
        Ok(regex) => regex,
        Err(reason) => {
            let (what, part) = reason.split_once(": ").unwrap_or((&reason, ""));
            return wrong(0, format!("invalid regexp pattern: {what} in {}", part.trim_matches('`')));
        }
    };
    let named = regex.names.iter().skip(1).filter(|name| name.is_some()).count();
    if named > 0 && named + 1 != regex.names.len() {
        return wrong(0, "invalid regexp pattern: cannot mix both named and unnamed capture groups");
    }
    Ok(regex)
}

/// The whole match, a tuple of groups, or an object of named ones.
fn captures(regex: &Regex, given: &str, groups: &[Option<(usize, usize)>]) -> Value {
    let part = |group: &Option<(usize, usize)>| match group.and_then(|(from, to)| given.get(from..to)) {
        Some(part) => Value::string(part),
        None => Value::null(Type::String),
    };
    let Some((first, rest)) = groups.split_first() else { return Value::null(Type::String) };
    if rest.is_empty() {
        return part(first);
    }
    if regex.names.iter().skip(1).all(Option::is_some) {
        let named = regex.names.iter().skip(1).zip(rest);
        return Value::object(named.filter_map(|(name, group)| Some((name.clone()?, part(group)))).collect());
    }
    Value::tuple(rest.iter().map(part).collect())
}

pub fn regexall(arguments: &mut Arguments) -> Outcome {
    let regex = compile(arguments.str(0))?;
    let given = arguments.str(1);
    let all = arguments.searched(&regex, |regex| regex.find_all(given))?;
    arguments.spend(all.len() * regex.names.len() * 64)?;
    let found: Vec<Value> = all.iter().map(|groups| captures(&regex, given, groups)).collect();
    let element = match found.first() {
        Some(first) => first.ty(),
        None => captures(&regex, "", &vec![None; regex.names.len()]).ty(),
    };
    Ok(Value::list(element, found))
}
