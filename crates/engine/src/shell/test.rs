//! `test`, `[` and the operators of `[[`.

use crate::process::{Node, Sys};

type Answer = Result<bool, String>;

/// `args[0]` is `test` or `[`.
pub fn test(sys: &Sys<'_>, args: &[String]) -> Answer {
    let bracket = args.first().is_some_and(|name| name.ends_with('['));
    let mut args: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    if bracket && args.pop() != Some("]") {
        return Err("missing `]'".into());
    }
    match args.as_slice() {
        [] => Ok(false),
        [one] => Ok(!one.is_empty()),
        ["!", one] => Ok(one.is_empty()),
        [operator, operand] => match unary(sys, operator, operand) {
            Some(answer) => Ok(answer),
            None => Err(format!("{operator}: unary operator expected")),
        },
        [left, operator, right] if binary(sys, left, operator, right).is_some() => {
            binary(sys, left, operator, right).unwrap_or(Ok(false))
        }
        ["!", rest @ ..] if rest.len() < 4 => {
            let rest: Vec<String> = std::iter::once("test").chain(rest.iter().copied()).map(str::to_string).collect();
            test_again(sys, &rest).map(|answer| !answer)
        }
        _ => {
            let mut at = 0;
            let answer = or(sys, &args, &mut at, 0)?;
            if at < args.len() {
                let extra = args.get(at).copied().unwrap_or_default();
                return Err(if args.len() == 3 {
                    format!("{}: binary operator expected", args.get(1).copied().unwrap_or_default())
                } else if at == 1 {
                    "too many arguments".into()
                } else {
                    format!("{extra}: unexpected operator")
                });
            }
            Ok(answer)
        }
    }
}

fn test_again(sys: &Sys<'_>, args: &[String]) -> Answer {
    let list: Vec<&str> = args.iter().skip(1).map(String::as_str).collect();
    let mut at = 0;
    or(sys, &list, &mut at, 0)
}

fn or(sys: &Sys<'_>, args: &[&str], at: &mut usize, depth: u32) -> Answer {
    let mut answer = and(sys, args, at, depth)?;
    while args.get(*at) == Some(&"-o") {
        *at += 1;
        answer |= and(sys, args, at, depth)?;
    }
    Ok(answer)
}

fn and(sys: &Sys<'_>, args: &[&str], at: &mut usize, depth: u32) -> Answer {
    let mut answer = term(sys, args, at, depth)?;
    while args.get(*at) == Some(&"-a") {
        *at += 1;
        answer &= term(sys, args, at, depth)?;
    }
    Ok(answer)
}

fn term(sys: &Sys<'_>, args: &[&str], at: &mut usize, depth: u32) -> Answer {
    if depth > 50 {
        return Err("too many arguments".into());
    }
    let rest = args.get(*at..).unwrap_or_default();
    match rest {
        ["!", ..] => {
            *at += 1;
            term(sys, args, at, depth + 1).map(|answer| !answer)
        }
        ["(", ..] => {
            *at += 1;
            let answer = or(sys, args, at, depth + 1)?;
            *at += 1;
            Ok(answer)
        }
        [left, operator, right, ..] if binary(sys, left, operator, right).is_some() => {
            *at += 3;
            binary(sys, left, operator, right).unwrap_or(Ok(false))
        }
        [operator, operand, ..] if unary(sys, operator, operand).is_some() => {
            *at += 2;
            Ok(unary(sys, operator, operand).unwrap_or(false))
        }
        [one, ..] => {
            *at += 1;
            Ok(!one.is_empty())
        }
        [] => Err("argument expected".into()),
    }
}

pub fn unary(sys: &Sys<'_>, operator: &str, operand: &str) -> Option<bool> {
    let node = || sys.files.node(sys.cwd, operand).ok();
    let device = matches!(operand, "/dev/null" | "/dev/zero" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr");
    Some(match operator {
        "-z" => operand.is_empty(),
        "-n" => !operand.is_empty(),
        "-e" | "-a" => device || node().is_some(),
        "-f" => matches!(node(), Some(Node::File { .. })),
        "-d" => matches!(node(), Some(Node::Directory { .. })),
        "-r" => device || node().is_some(),
        "-w" => {
            device
                || match node() {
                    Some(Node::File { read_only, .. } | Node::Directory { read_only, .. }) => !read_only,
                    _ => false,
                }
        }
        "-x" => match node() {
            Some(Node::File { mode, .. }) => mode & 0o111 != 0,
            Some(Node::Directory { .. }) => true,
            _ => false,
        },
        "-s" => match node() {
            Some(Node::File { content, .. }) => !content.is_empty(),
            Some(Node::Directory { .. }) => true,
            _ => false,
        },
        "-h" | "-L" => sys
            .files
            .iter()
            .any(|(path, node)| *path == crate::process::clean(sys.cwd, operand) && matches!(node, Node::Link { .. })),
        "-c" => device,
        "-b" | "-p" | "-S" | "-u" | "-g" | "-k" => false,
        "-t" => sys.terminal.is_some() && (operand != "0" || sys.is_owner_input()),
        _ => return None,
    })
}

pub fn binary(sys: &Sys<'_>, left: &str, operator: &str, right: &str) -> Option<Answer> {
    let modified = |path: &str| match sys.files.node(sys.cwd, path) {
        Ok(Node::File { modified, .. } | Node::Directory { modified, .. }) => Some(*modified),
        _ => None,
    };
    Some(Ok(match operator {
        "=" | "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        ">" => left > right,
        "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
            let number =
                |text: &str| text.trim().parse::<i64>().map_err(|_| format!("{text}: integer expression expected"));
            return Some(number(left).and_then(|left| Ok(compare(left, operator, number(right)?))));
        }
        "-nt" => modified(left) > modified(right),
        "-ot" => modified(left) < modified(right),
        "-ef" => sys.files.resolve(sys.cwd, left).ok() == sys.files.resolve(sys.cwd, right).ok(),
        _ => return None,
    }))
}

pub fn compare(left: i64, operator: &str, right: i64) -> bool {
    match operator {
        "-eq" => left == right,
        "-ne" => left != right,
        "-lt" => left < right,
        "-le" => left <= right,
        "-gt" => left > right,
        _ => left >= right,
    }
}
