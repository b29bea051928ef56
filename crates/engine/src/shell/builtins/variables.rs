//! What sets and shows variables, options and aliases: declare and its kin, unset, set, shopt, alias, getopts.

use super::{done, missing};
use crate::process::Sys;
use crate::shell::machine::{Flow, quote};
use crate::shell::parse::is_name;
use crate::shell::state::{Frame, Shell, Variable};

/// Options that change nothing here, beside those that are carried out.
const SHOPT_IDLE: [&str; 8] = [
    "expand_aliases",
    "checkwinsize",
    "histappend",
    "cmdhist",
    "sourcepath",
    "interactive_comments",
    "progcomp",
    "extquote",
];

pub fn shopt(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let on = match args.get(1).map(String::as_str) {
        Some("-s") => true,
        Some("-u") => false,
        _ => return missing(shell, "shopt without -s or -u", ""),
    };
    for name in args.get(2..).unwrap_or_default() {
        match name.as_str() {
            "nullglob" => shell.options.nullglob = on,
            name if SHOPT_IDLE.contains(&name) => {}
            name => return missing(shell, &format!("shopt {name}"), ""),
        }
    }
    done(shell, 0)
}

pub fn alias(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let prefix = if shell.is_bash() { "alias " } else { "" };
    let shown = |name: &str, text: &str| format!("{prefix}{name}='{}'\n", text.replace('\'', "'\\''"));
    let words: Vec<&String> = args.iter().skip(1).filter(|arg| *arg != "-p").collect();
    if words.is_empty() {
        let lines: String = shell.aliases.iter().map(|(name, text)| shown(name, text)).collect();
        shell.out(lines);
        return done(shell, 0);
    }
    let mut status = 0;
    for word in words {
        match word.split_once('=') {
            Some((name, text)) if !name.is_empty() => {
                if shell.aliases.len() < 1000 {
                    shell.aliases.insert(name.to_string(), text.to_string());
                }
            }
            _ => match shell.aliases.get(word).map(|text| shown(word, text)) {
                Some(line) => shell.out(line),
                None => {
                    shell.complain(&format!("alias: {word}: not found"));
                    status = 1;
                }
            },
        }
    }
    done(shell, status)
}

pub fn declare(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let command = args.first().cloned().unwrap_or_default();
    let (mut flags, mut status, mut named) = (String::new(), 0, false);
    if command == "local" && !shell.in_function() {
        shell.complain("local: can only be used in a function");
        return done(shell, 1);
    }
    for arg in args.get(1..).unwrap_or_default() {
        if let Some(flag) = arg.strip_prefix('-').filter(|_| !named) {
            if let Some(kind) = flag.chars().find(|flag| "Ainlu".contains(*flag) && command != "export") {
                return missing(shell, &format!("{command} -{kind}"), "");
            }
            flags.push_str(flag);
            continue;
        }
        named = true;
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name.strip_suffix('+').unwrap_or(name), Some(value)),
            None => (arg.as_str(), None),
        };
        if !is_name(name) {
            shell.complain(&format!("{command}: `{arg}': not a valid identifier"));
            status = 1;
            continue;
        }
        let makes_local = command == "local" || (shell.in_function() && command == "declare" && !flags.contains('g'));
        if makes_local {
            let old = shell.variables.get(name).cloned();
            let call = shell.frames.iter_mut().rev().find_map(|frame| match frame {
                Frame::Call { function: true, locals, .. } => Some(locals),
                _ => None,
            });
            if let Some(locals) = call {
                locals.entry(name.to_string()).or_insert(old);
            }
            shell.variables.insert(name.to_string(), Variable::default());
        }
        if let Some(value) = value
            && let Err(reason) = shell.set(name, value.to_string())
        {
            shell.complain(&reason);
            status = 1;
        }
        if value.is_none() && !makes_local && !shell.variables.contains_key(name) && command == "export" {
            continue;
        }
        let variable = shell.variables.entry(name.to_string()).or_default();
        if command == "export" || flags.contains('x') {
            variable.exported = !flags.contains('n');
        }
        if command == "readonly" || flags.contains('r') {
            variable.read_only = true;
        }
        if flags.contains('a') {
            variable.array.get_or_insert_default();
        }
    }
    if !named {
        let prefix = if shell.is_bash() { "declare -x " } else { "export " };
        let lines: Vec<String> = shell
            .variables
            .iter()
            .filter(|(_, variable)| variable.exported)
            .map(|(name, variable)| match shell.is_bash() {
                true => format!("{prefix}{name}=\"{}\"\n", variable.value.replace('\\', "\\\\").replace('"', "\\\"")),
                false => format!("{prefix}{name}='{}'\n", variable.value),
            })
            .collect();
        shell.out(lines.concat());
    }
    done(shell, status)
}

pub fn unset(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut status = 0;
    for name in args.get(1..).unwrap_or_default() {
        match name.as_str() {
            "-v" | "-f" => {}
            name if shell.variables.get(name).is_some_and(|variable| variable.read_only) => {
                shell.complain(&format!("unset: {name}: cannot unset: readonly variable"));
                status = 1;
            }
            name if name.ends_with(']') && shell.is_bash() => {
                let (name, index) = name.trim_end_matches(']').split_once('[').unwrap_or((name, ""));
                match shell.evaluate(index) {
                    Ok(at) => {
                        if let Some(array) = shell.variables.get_mut(name).and_then(|v| v.array.as_mut()) {
                            array.remove(&at);
                        }
                    }
                    Err(reason) => {
                        shell.complain(&reason);
                        status = 1;
                    }
                }
            }
            name => {
                if shell.variables.remove(name).is_none() {
                    shell.functions.remove(name);
                }
            }
        }
    }
    done(shell, status)
}

pub fn set(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let mut rest = args.get(1..).unwrap_or_default().iter();
    if args.len() == 1 {
        let lines: Vec<String> =
            shell.variables.iter().map(|(name, v)| format!("{name}={}\n", quote(&v.value))).collect();
        shell.out(lines.concat());
        return done(shell, 0);
    }
    while let Some(arg) = rest.next() {
        let on = arg.starts_with('-');
        if arg == "--" {
            shell.positional = rest.cloned().collect();
            return done(shell, 0);
        }
        let Some(flags) = arg.strip_prefix(['-', '+']) else {
            shell.positional = std::iter::once(arg).chain(rest).cloned().collect();
            return done(shell, 0);
        };
        for flag in flags.chars() {
            let options = &mut shell.options;
            match flag {
                'e' => options.errexit = on,
                'u' => options.nounset = on,
                'x' => options.xtrace = on,
                'f' => options.noglob = on,
                'v' => options.verbose = on,
                'o' => match rest.next().map(String::as_str) {
                    Some("pipefail") => options.pipefail = on,
                    Some("errexit") => options.errexit = on,
                    Some("nounset") => options.nounset = on,
                    Some("xtrace") => options.xtrace = on,
                    Some("noglob") => options.noglob = on,
                    _ => {}
                },
                _ => {}
            }
        }
    }
    done(shell, 0)
}

pub fn getopts(shell: &mut Shell, _: &mut Sys<'_>, args: &[String]) -> Flow {
    let (Some(spec), Some(name)) = (args.get(1).cloned(), args.get(2).cloned()) else { return done(shell, 2) };
    let at: usize = shell.get("OPTIND").and_then(|n| n.parse().ok()).unwrap_or(1).max(1);
    let words = if args.len() > 3 { args.get(3..).unwrap_or_default().to_vec() } else { shell.positional.clone() };
    let word = words.get(at - 1).cloned().unwrap_or_default();
    let inside = shell.getopts_at.max(1);
    let Some(flag) =
        word.strip_prefix('-').filter(|w| !w.is_empty() && *w != "-").and_then(|_| word.chars().nth(inside))
    else {
        let _ = shell.set(&name, "?".into());
        return done(shell, 1);
    };
    let last = word.chars().count() <= inside + 1;
    let (mut next, mut found) = (if last { at + 1 } else { at }, flag.to_string());
    shell.getopts_at = if last { 0 } else { inside + 1 };
    match spec.find(flag) {
        Some(place) if spec.get(place + 1..).is_some_and(|rest| rest.starts_with(':')) => {
            let value = if last {
                next += 1;
                words.get(at).cloned()
            } else {
                Some(word.chars().skip(inside + 1).collect())
            };
            next = if last { next } else { at + 1 };
            shell.getopts_at = 0;
            match value {
                Some(value) => {
                    let _ = shell.set("OPTARG", value);
                }
                None => found = "?".into(),
            }
        }
        Some(_) => {}
        None => {
            shell.complain(&format!("illegal option -- {flag}"));
            found = "?".into();
        }
    }
    let _ = shell.set("OPTIND", next.to_string());
    let _ = shell.set(&name, found);
    done(shell, 0)
}
