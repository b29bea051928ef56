//! Words to a command with flags: the table of commands, and the complaints of the flag parser.

use crate::base::BTreeMap;
use std::sync::LazyLock;

use super::{Outcome, exit_with};
use crate::base::goquote::quote;
use crate::base::{duration, float};

/// A command: `@name, aliases, number of arguments, usage, about` (divided by tabs), then its flags, one a line:
/// short name, long name, type (`.` stands alone), usage. `=` takes another command's flags but for those named;
/// `!` is not shown in help.
const TABLE: &str = include_str!("commands.txt");

pub struct Flag {
    pub short: Option<char>,
    pub name: &'static str,
    /// Empty for a flag that stands alone.
    pub kind: &'static str,
    pub usage: &'static str,
    pub hidden: bool,
}

pub struct Command {
    pub name: &'static str,
    pub aliases: Vec<&'static str>,
    /// At least and at most so many arguments.
    pub count: (usize, usize),
    pub usage: &'static str,
    pub about: &'static str,
    pub flags: Vec<Flag>,
}

pub static COMMANDS: LazyLock<Vec<Command>> = LazyLock::new(|| {
    let mut all: Vec<Command> = Vec::new();
    for line in TABLE.lines() {
        if let Some(head) = line.strip_prefix('@') {
            let mut parts = head.split('\t');
            let mut next = || parts.next().unwrap_or_default();
            let (name, aliases) = (next(), next());
            let aliases = aliases.split(',').filter(|alias| !alias.is_empty()).collect();
            let count = count(next());
            all.push(Command { name, aliases, count, usage: next(), about: next(), flags: Vec::new() });
        } else if let Some(other) = line.strip_prefix('=') {
            let mut words = other.split(' ');
            let name = format!("{} {}", words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let without: Vec<&str> = words.collect();
            let from = all.iter().find(|command| command.name == name);
            let flags: Vec<Flag> = from.map_or(Vec::new(), |from| {
                from.flags.iter().filter(|flag| !without.contains(&flag.name)).map(|flag| Flag { ..*flag }).collect()
            });
            if let Some(command) = all.last_mut() {
                command.flags.extend(flags);
            }
        } else if let (Some(command), Some(flag)) = (all.last_mut(), flag(line)) {
            command.flags.push(flag);
        }
    }
    all
});

fn count(text: &str) -> (usize, usize) {
    let number = |text: &str| text.parse().unwrap_or(0);
    match text.strip_suffix('+') {
        Some(least) => (number(least), usize::MAX),
        None => match text.split_once('-') {
            Some((least, most)) => (number(least), number(most)),
            None => (number(text), number(text)),
        },
    }
}

fn flag(line: &'static str) -> Option<Flag> {
    let mut parts = line.splitn(4, ' ');
    let (short, name, kind, usage) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let short = short.chars().next().filter(|c| !matches!(c, '-' | '!'));
    let hidden = line.starts_with('!');
    Some(Flag { short, name, kind: if kind == "." { "" } else { kind }, usage, hidden })
}

/// The words under a group.
pub fn children(group: &str) -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().filter(move |command| {
        command.name.strip_prefix(group).and_then(|rest| rest.strip_prefix(' ')).is_some_and(|rest| !rest.contains(' '))
    })
}

pub fn is_group(name: &str) -> bool {
    children(name).next().is_some()
}

pub fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name || command.aliases.contains(&name))
}

pub struct Args {
    pub command: &'static Command,
    /// As it was called: `docker ps`.
    pub called: String,
    pub words: Vec<String>,
    flags: BTreeMap<&'static str, Vec<String>>,
    pub help: bool,
}

/// `Usage:  docker ps [OPTIONS]`
pub fn usage_line(called: &str, command: &Command) -> String {
    let space = if command.usage.is_empty() { "" } else { " " };
    format!("Usage:  {called}{space}{}", unescaped(command.usage))
}

pub fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t")
}

impl Args {
    pub fn parse(called: String, command: &'static Command, words: &[String]) -> Outcome<Args> {
        let mut out = Args { command, called, words: Vec::new(), flags: BTreeMap::new(), help: false };
        // What follows the first argument belongs to the program that is to run.
        let hands_on = matches!(
            command.name,
            "container run" | "container create" | "container exec" | "container top" | "image tag"
        );
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "--" {
                out.words.extend(rest.by_ref().cloned());
            } else if let Some(long) = word.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_string())),
                    None => (long, None),
                };
                if name == "help" {
                    out.help = true;
                    continue;
                }
                const WINDOWS: &str = "cpu-count cpu-percent io-maxbandwidth io-maxiops";
                if matches!(command.name, "container run" | "container create")
                    && WINDOWS.split(' ').any(|own| own == name)
                {
                    return exit_with(
                        1,
                        format!(
                            "\"--{name}\" is only supported on a Docker daemon running on windows, but the Docker daemon is running on linux"
                        ),
                    );
                }
                let Some(flag) = command.flags.iter().find(|flag| flag.name == name) else {
                    return out.misuse(format!("unknown flag: --{name}"));
                };
                let value = match (value, flag.kind.is_empty()) {
                    (Some(value), _) => value,
                    (None, true) => "true".into(),
                    (None, false) => match rest.next() {
                        Some(value) => value.clone(),
                        None => return out.misuse(format!("flag needs an argument: --{name}")),
                    },
                };
                out.take(flag, value)?;
            } else if word.len() > 1 && word.starts_with('-') {
                let cluster = word.get(1..).unwrap_or_default();
                let mut shorts = cluster.chars();
                while let Some(short) = shorts.next() {
                    let left = shorts.as_str();
                    let Some(flag) = command.flags.iter().find(|flag| flag.short == Some(short)) else {
                        if short == 'h' {
                            out.help = true;
                            continue;
                        }
                        return out.misuse(format!("unknown shorthand flag: '{short}' in -{short}{left}"));
                    };
                    if let Some(value) = left.strip_prefix('=') {
                        out.take(flag, value.to_string())?;
                        break;
                    } else if flag.kind.is_empty() {
                        out.take(flag, "true".into())?;
                    } else if !left.is_empty() {
                        out.take(flag, left.to_string())?;
                        break;
                    } else {
                        match rest.next() {
                            Some(value) => out.take(flag, value.clone())?,
                            None => return out.misuse(format!("flag needs an argument: '{short}' in -{cluster}")),
                        }
                        break;
                    }
                }
            } else {
                out.words.push(word.clone());
                if hands_on {
                    out.words.extend(rest.by_ref().cloned());
                }
            }
        }
        if !out.help {
            out.check_count()?;
        }
        Ok(out)
    }

    fn check_count(&self) -> Outcome {
        let (least, most) = self.command.count;
        let given = self.words.len();
        if (least..=most).contains(&given) {
            return Ok(());
        }
        let s = |n: usize| if n == 1 { "argument" } else { "arguments" };
        let (what, see) = match (least, most) {
            (0, 0) => ("accepts no arguments".to_string(), "Run"),
            (least, most) if least == most => (format!("requires {least} {}", s(least)), "Run"),
            (least, usize::MAX) => (format!("requires at least {least} {}", s(least)), "See"),
            // So it stands in the client.
            (0, most) => (format!("requires at most {most} {}", s(most)), "SRun"),
            (least, most) => (format!("requires at least {least} and at most {most} {}", s(most)), "Run"),
        };
        let called = &self.called;
        let usage = usage_line(called, self.command);
        exit_with(1, format!("docker: '{called}' {what}\n\n{usage}\n\n{see} '{called} --help' for more information"))
    }

    /// A wrong flag: what is wrong, the usage, where help is.
    pub fn misuse<T>(&self, text: impl AsRef<str>) -> Outcome<T> {
        let called = &self.called;
        let usage = usage_line(called, self.command);
        exit_with(125, format!("{}\n\n{usage}\n\nRun '{called} --help' for more information", text.as_ref()))
    }

    fn take(&mut self, flag: &'static Flag, value: String) -> Outcome {
        let shown = match flag.short {
            Some(short) => format!("-{short}, --{}", flag.name),
            None => format!("--{}", flag.name),
        };
        let wrong = match flag.kind {
            "" if !matches!(
                value.as_str(),
                "1" | "t" | "T" | "TRUE" | "true" | "True" | "0" | "f" | "F" | "FALSE" | "false" | "False"
            ) =>
            {
                Some(format!("strconv.ParseBool: parsing {}: invalid syntax", quote(&value)))
            }
            "int" | "uint16" => {
                let (function, fits) = match flag.kind {
                    "int" => ("ParseInt", value.parse::<i64>().map(|_| ())),
                    _ => ("ParseUint", value.parse::<u16>().map(|_| ())),
                };
                fits.err().map(|error| {
                    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
                    let over = matches!(error.kind(), PosOverflow | NegOverflow);
                    let why = if over { "value out of range" } else { "invalid syntax" };
                    format!("strconv.{function}: parsing {}: {why}", quote(&value))
                })
            }
            "bytes" if value == "-1" && flag.name != "memory-swap" => Some("invalid size: '-1'".into()),
            "bytes" => bytes(&value).err(),
            "duration" => duration::parse(&value).err(),
            "decimal" => nano(&value).err(),
            "filter" => (!value.contains('=') && !value.is_empty())
                .then(|| "bad format of filter (expected name=value)".to_string()),
            "list" | "mount" | "ulimit" | "map" | "gpu-request" | "network" => {
                super::options::check(flag.name, &value).err()
            }
            _ => None,
        };
        if let Some(why) = wrong {
            return self.misuse(format!("invalid argument {} for {} flag: {why}", quote(&value), quote(&shown)));
        }
        let value = if flag.kind.is_empty() {
            matches!(value.as_str(), "1" | "t" | "T" | "TRUE" | "true" | "True").to_string()
        } else {
            value
        };
        self.flags.entry(flag.name).or_default().push(value);
        Ok(())
    }

    pub fn has(&self, name: &str) -> bool {
        self.flags.contains_key(name)
    }

    /// The last value, or "".
    pub fn get(&self, name: &str) -> &str {
        self.flags.get(name).and_then(|values| values.last()).map_or("", String::as_str)
    }

    pub fn is(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    pub fn int(&self, name: &str) -> i64 {
        self.get(name).parse().unwrap_or(0)
    }

    pub fn list(&self, name: &str) -> &[String] {
        self.flags.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }
}

/// `64m`, `1.5g`: bytes.
pub fn bytes(text: &str) -> Result<i64, String> {
    if text == "-1" {
        return Ok(-1);
    }
    let end = text.rfind(|c: char| c.is_ascii_digit() || c == '.' || c == ' ').map_or(0, |at| at + 1);
    let (number, suffix) = text.split_at(end);
    let number = number.strip_suffix(' ').unwrap_or(number);
    let Some(number) = float::parse(number) else { return Err(format!("invalid size: '{text}'")) };
    let power = match suffix.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        "p" | "pb" | "pib" => 5,
        suffix => return Err(format!("invalid suffix: '{suffix}'")),
    };
    // What is too much for Go's integers becomes the least of them.
    let bytes = number * 1024_f64.powi(power);
    Ok(if bytes < i64::MAX as f64 { bytes as i64 } else { i64::MIN })
}

/// `0.5`, `1/2`, `5e-1`: billionths.
pub fn nano(text: &str) -> Result<i64, String> {
    let none = || format!("failed to parse {text} as a rational number");
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (head, exponent) = over.split_once(['e', 'E']).unwrap_or((over, "0"));
    let (whole, part) = head.split_once('.').unwrap_or((head, ""));
    let (sign, whole) = match whole.strip_prefix('-') {
        Some(whole) => (-1, whole),
        None => (1, whole.strip_prefix('+').unwrap_or(whole)),
    };
    let figures = format!("{whole}{part}");
    let plain = !text.contains('/') || digits(over.trim_start_matches(['-', '+'])) && digits(under);
    let exponent: i64 = exponent.parse().map_err(|_| none())?;
    let divisor: i128 = under.parse().ok().filter(|divisor| *divisor != 0).ok_or_else(none)?;
    if !digits(&figures) || !plain {
        return Err(none());
    }
    // Far out nothing is left of the billionths, or more than 64 bits hold.
    let power = exponent.saturating_add(9).saturating_sub(part.len() as i64);
    let mut number: i128 = figures.parse().map_err(|_| none())?;
    if number == 0 || power > 63 {
        return Ok(0);
    }
    for _ in 0..power {
        number = number.wrapping_mul(10);
    }
    let divisor = divisor.saturating_mul(10_i128.checked_pow((-power).clamp(0, 40) as u32).unwrap_or(i128::MAX));
    if number % divisor != 0 {
        return Err("value is too precise".into());
    }
    Ok((sign * (number / divisor)) as i64)
}
