//! The command line before any command reads it (upstream: terraform's main and the cli package it stands on): what the
//! environment adds to it, which command it names, what stands before that.

use super::help;
use crate::process::Env;

/// A command line that names a command, or none.
#[derive(Debug, Default, PartialEq)]
pub struct Line {
    /// `plan`, `state list`; empty for none.
    pub command: String,
    pub args: Vec<String>,
    pub help: bool,
    /// Flags stand before the command.
    pub early_flags: bool,
}

impl Line {
    /// A command line with what `TF_CLI_ARGS` and its like add.
    pub fn of(args: &[String], env: &Env) -> Result<Line, String> {
        let mut args = args.to_vec();
        let command = Line::read(&args).command;
        let own = format!("TF_CLI_ARGS_{}", command.replace(['-', ' '], "_"));
        for name in ["TF_CLI_ARGS", &own] {
            let Some(text) = env.get(name).filter(|text| !text.is_empty()) else { continue };
            let more = words(text)
                .ok_or_else(|| format!("Error parsing extra CLI args from {name}: invalid command line string"))?;
            let last = command.rsplit(' ').next().unwrap_or_default();
            let at = args.iter().position(|arg| arg == last).map_or(0, |at| at + 1);
            args.splice(at..at, more);
        }
        if args.iter().any(|arg| matches!(arg.as_str(), "-v" | "-version" | "--version")) {
            args.insert(0, "version".into());
        }
        Ok(Line::read(&args))
    }

    fn read(args: &[String]) -> Line {
        let mut line = Line::default();
        for (at, arg) in args.iter().enumerate() {
            if arg == "--" {
                break;
            }
            if matches!(arg.as_str(), "-h" | "-help" | "--help") {
                line.help = true;
                continue;
            }
            if !line.command.is_empty() {
                continue;
            }
            if arg.starts_with('-') {
                line.early_flags |= !matches!(arg.as_str(), "-v" | "-version" | "--version");
                continue;
            }
            if arg.is_empty() {
                continue;
            }
            if arg.contains(' ') {
                return line;
            }
            let rest = args.get(at..).unwrap_or_default();
            let plain = |arg: &&String| !arg.is_empty() && !arg.contains(' ') && !arg.starts_with('-');
            let longest = rest.iter().take_while(plain).count().min(2);
            let known = (1..=longest).rev().map(|count| (count, rest.get(..count).unwrap_or_default().join(" ")));
            let (count, name) = known.into_iter().find(|(_, name)| exists(name)).unwrap_or((1, arg.clone()));
            line.command = name;
            line.args = rest.get(count..).unwrap_or_default().to_vec();
        }
        line
    }
}

/// Whether there is such a command; `env` is the old name of `workspace`.
pub fn exists(command: &str) -> bool {
    command == "stacks" || help::help(&as_workspace(command)).is_some_and(|_| !command.is_empty())
}

/// A command of `env` as one of `workspace`.
pub fn as_workspace(command: &str) -> String {
    match command.split_once(' ') {
        None if command == "env" => "workspace".into(),
        Some(("env", verb @ ("list" | "select" | "new" | "delete"))) => format!("workspace {verb}"),
        _ => command.into(),
    }
}

/// The `-chdir` before everything else, taken out; an error when it says no folder.
pub fn folder(args: &mut Vec<String>) -> Result<Option<String>, ()> {
    let mut found = None;
    for (at, arg) in args.iter().take_while(|arg| arg.starts_with('-')).enumerate() {
        match arg.strip_prefix("-chdir") {
            Some("" | "=") => return Err(()),
            Some(rest) if rest.starts_with('=') => found = Some((at, rest.trim_start_matches('=').to_string())),
            _ => {}
        }
    }
    Ok(found.map(|(at, folder)| {
        args.remove(at);
        folder
    }))
}

/// The words of a text, as a shell parts them; it ends where a shell would begin another command.
fn words(text: &str) -> Option<Vec<String>> {
    let (mut all, mut word, mut any) = (Vec::new(), String::new(), false);
    let (mut escaped, mut double, mut single, mut back, mut dollar) = (false, false, false, false, false);
    for c in text.chars() {
        if std::mem::take(&mut escaped) {
            word.push(c);
            any = true;
            continue;
        }
        let quoted = single || double || back || dollar;
        match c {
            '\\' if !single => {
                escaped = true;
                continue;
            }
            '\\' => {
                word.push(c);
                continue;
            }
            ' ' | '\t' | '\r' | '\n' => {
                if quoted {
                    word.push(c);
                } else if std::mem::take(&mut any) {
                    all.push(std::mem::take(&mut word));
                }
                continue;
            }
            '`' if !single && !double && !dollar => back = !back,
            ')' if !single && !double && !back => dollar = !dollar,
            '(' if !single && !double && !back => {
                if dollar || !word.ends_with('$') {
                    return None;
                }
                dollar = true;
                word.push(c);
                continue;
            }
            '"' if !single && !dollar => {
                any |= double;
                double = !double;
                continue;
            }
            '\'' if !double && !dollar => {
                any |= single;
                single = !single;
                continue;
            }
            ';' | '&' | '|' | '<' | '>' if !quoted => {
                if c == '>' && word.starts_with(|first: char| first.is_ascii_digit()) {
                    any = false;
                }
                break;
            }
            _ => {}
        }
        any = true;
        word.push(c);
    }
    if any {
        all.push(word);
    }
    (!(escaped || single || double || back || dollar)).then_some(all)
}
