//! Functions on paths and files of the workstation.

use super::encoding::base64;
use super::hash::{hex, md5_of, sha1_of, sha256_of, sha512_of};
use super::{Arguments, Fault, Outcome, fail, wrong};
use crate::base::goquote;
use crate::terraform::eval::{Files, Scope};
use crate::terraform::value::{Type, Value};

fn files(scope: &dyn Scope) -> Result<&dyn Files, Fault> {
    scope.files().ok_or(Fault::Gap)
}

fn expanded(files: &dyn Files, path: &str) -> String {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", files.home()),
        _ => path.to_owned(),
    }
}

fn bytes(scope: &dyn Scope, path: &str) -> Result<Vec<u8>, Fault> {
    let files = files(scope)?;
    let full = expanded(files, path);
    match files.read(&full) {
        Some(bytes) => Ok(bytes),
        None if files.is_folder(&full) => wrong(0, format!("failed to read file: read {path}: is a directory")),
        None => {
            let reason = format!(
                "no file exists at {}; this function works only with files that are distributed as part of the configuration source code, so if this file will be created by a resource in this configuration you must instead obtain this result from an attribute of that resource",
                goquote::quote(path)
            );
            wrong(0, reason)
        }
    }
}

/// The text of a file, for `file` and `templatefile`.
pub fn read_text(scope: &dyn Scope, path: &str) -> Result<String, Fault> {
    match String::from_utf8(bytes(scope, path)?) {
        Ok(text) => Ok(text),
        Err(_) => fail(format!(
            "contents of {} are not valid UTF-8; use the filebase64 function to obtain the Base64 encoded contents or the other file functions (e.g. filemd5, filesha256) to obtain file hashing results instead",
            goquote::quote(path)
        )),
    }
}

pub fn file(arguments: &mut Arguments) -> Outcome {
    read_text(arguments.scope, arguments.str(0)).map(Value::string)
}

fn digest(arguments: &Arguments, text: fn(&[u8]) -> String) -> Outcome {
    let path = arguments.str(0);
    let files = files(arguments.scope)?;
    let full = expanded(files, path);
    match files.read(&full) {
        Some(bytes) => Ok(Value::string(text(&bytes))),
        None if files.is_folder(&full) => fail(format!("read {path}: is a directory")),
        None => fail(format!("open {path}: no such file or directory")),
    }
}

pub fn filebase64(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(base64(&bytes(arguments.scope, arguments.str(0))?)))
}

pub fn filebase64sha256(arguments: &mut Arguments) -> Outcome {
    digest(arguments, |bytes| base64(&sha256_of(bytes)))
}

pub fn filebase64sha512(arguments: &mut Arguments) -> Outcome {
    digest(arguments, |bytes| base64(&sha512_of(bytes)))
}

pub fn filemd5(arguments: &mut Arguments) -> Outcome {
    digest(arguments, |bytes| hex(&md5_of(bytes)))
}

pub fn filesha1(arguments: &mut Arguments) -> Outcome {
    digest(arguments, |bytes| hex(&sha1_of(bytes)))
}

pub fn filesha256(arguments: &mut Arguments) -> Outcome {
    digest(arguments, |bytes| hex(&sha256_of(bytes)))
}

pub fn filesha512(arguments: &mut Arguments) -> Outcome {
    digest(arguments, |bytes| hex(&sha512_of(bytes)))
}

pub fn fileexists(arguments: &mut Arguments) -> Outcome {
    let files = files(arguments.scope)?;
    let path = arguments.str(0);
    let full = expanded(files, path);
    if files.is_folder(&full) {
        return fail(format!("{} is a directory, not a file", goquote::quote(path)));
    }
    Ok(Value::bool(files.read(&full).is_some()))
}

/// `*` within a name, `**` across folders, `?`, `{a,b}` and sets of letters.
pub fn fileset(arguments: &mut Arguments) -> Outcome {
    let files = files(arguments.scope)?;
    let folder = expanded(files, arguments.str(0));
    let pattern: Vec<char> = arguments.str(1).chars().collect();
    let open = pattern.iter().rposition(|c| *c == '[');
    if open.is_some_and(|open| !pattern.iter().skip(open).any(|c| *c == ']')) {
        let pattern = goquote::quote(arguments.str(1));
        return fail(format!("failed to glob pattern {pattern}: syntax error in pattern"));
    }
    let found = files.list(&folder).into_iter().filter(|path| {
        let path: Vec<char> = path.chars().collect();
        matches(&pattern, &path, &mut 100_000)
    });
    Ok(Value::set(Type::String, found.map(Value::string).collect()))
}

fn matches(pattern: &[char], path: &[char], budget: &mut u32) -> bool {
    *budget = budget.saturating_sub(1);
    if *budget == 0 {
        return false;
    }
    let Some((first, rest)) = pattern.split_first() else { return path.is_empty() };
    match first {
        '*' if rest.first() == Some(&'*') => {
            let rest = rest.get(1..).unwrap_or_default();
            // `**/` also stands for no folder at all.
            let without = rest.strip_prefix(&['/']).unwrap_or(rest);
            matches(without, path, budget)
                || (0..path.len()).any(|at| matches(rest, path.get(at + 1..).unwrap_or_default(), budget))
        }
        '*' => {
            let length = path.iter().position(|c| *c == '/').unwrap_or(path.len());
            (0..=length).any(|at| matches(rest, path.get(at..).unwrap_or_default(), budget))
        }
        '?' => matches!(path.split_first(), Some((c, tail)) if *c != '/' && matches(rest, tail, budget)),
        '{' => {
            let Some(close) = rest.iter().position(|c| *c == '}') else { return false };
            let after = rest.get(close + 1..).unwrap_or_default();
            rest.get(..close).unwrap_or_default().split(|c| *c == ',').any(|choice| {
                let whole: Vec<char> = choice.iter().chain(after).copied().collect();
                matches(&whole, path, budget)
            })
        }
        '[' => {
            let Some(close) = rest.iter().skip(1).position(|c| *c == ']').map(|at| at + 1) else { return false };
            let set = rest.get(..close).unwrap_or_default();
            let (negated, set) = match set.strip_prefix(&['^']).or_else(|| set.strip_prefix(&['!'])) {
                Some(set) => (true, set),
                None => (false, set),
            };
            let Some((c, tail)) = path.split_first() else { return false };
            let inside = set.iter().enumerate().any(|(at, low)| {
                *low == *c || set.get(at + 1) == Some(&'-') && set.get(at + 2).is_some_and(|high| low <= c && c <= high)
            });
            inside != negated && *c != '/' && matches(rest.get(close + 1..).unwrap_or_default(), tail, budget)
        }
        '\\' => match (rest.split_first(), path.split_first()) {
            (Some((literal, rest)), Some((c, tail))) => literal == c && matches(rest, tail, budget),
            _ => false,
        },
        literal => matches!(path.split_first(), Some((c, tail)) if c == literal && matches(rest, tail, budget)),
    }
}

pub fn abspath(arguments: &mut Arguments) -> Outcome {
    let path = arguments.str(0);
    let full =
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", files(arguments.scope)?.folder()) };
    Ok(Value::string(clean(&full)))
}

/// Without `.`, `..` and doubled slashes.
fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

pub fn basename(arguments: &mut Arguments) -> Outcome {
    let path = arguments.str(0);
    let trimmed = path.trim_end_matches('/');
    Ok(Value::string(match (path, trimmed) {
        ("", _) => ".",
        (_, "") => "/",
        (_, trimmed) => trimmed.rsplit('/').next().unwrap_or(trimmed),
    }))
}

pub fn dirname(arguments: &mut Arguments) -> Outcome {
    let path = arguments.str(0);
    let folder = path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default();
    Ok(Value::string(clean(folder)))
}

pub fn pathexpand(arguments: &mut Arguments) -> Outcome {
    let path = arguments.str(0);
    if !path.starts_with('~') {
        return Ok(Value::string(path));
    }
    Ok(Value::string(expanded(files(arguments.scope)?, path)))
}
