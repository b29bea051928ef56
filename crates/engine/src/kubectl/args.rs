//! Words to a command with flags: the table of every command's flags, and the errors of the flag parser.

use crate::base::BTreeMap;
use std::sync::LazyLock;

use super::io::{Outcome, fail};
use crate::base::duration;
use crate::base::goquote::quote;
use crate::base::{Span, Value};

/// One line per command: `command: name/short=default …`; `!` marks a required flag.
const TABLE: &str = include_str!("flags.txt");

const RECORD: (&str, &str) = ("record=false", "--record will be removed in the future");
const SORT_OPTIONS: &str = "use the new 'sortOptions' field in kustomization.yaml instead.";
const MANAGED_BY: &str = "The flag `enable-managedby-label` has been deprecated. Use the `managedByLabel` option in the \
                          `buildMetadata` field instead.";
const RUN_FILE: &str = "it is ignored by kubectl run and will be removed in a future release";
const CPU_PERCENT: &str = "Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or \
                           '500m' for milliCPU).";

/// Flags that are deprecated, and so hidden from help: the commands that have one, the flag, and what is said of it.
const DEPRECATED: &[(&[&str], (&str, &str))] = &[
    (
        &[
            "annotate",
            "apply",
            "apply edit-last-applied",
            "autoscale",
            "create",
            "edit",
            "expose",
            "label",
            "patch",
            "run",
            "scale",
            "set image",
            "set resources",
            "set selector",
            "set serviceaccount",
        ],
        RECORD,
    ),
    (&["autoscale"], ("cpu-percent=-1", CPU_PERCENT)),
    (&["kustomize"], ("enable-managedby-label=false", MANAGED_BY)),
    (&["kustomize"], ("reorder=legacy", SORT_OPTIONS)),
    (&["run"], ("filename/f=[]", RUN_FILE)),
];

#[derive(Debug)]
pub struct Flag {
    pub name: &'static str,
    pub short: Option<char>,
    pub default: &'static str,
    pub required: bool,
    /// What is said when a deprecated flag is used.
    pub deprecated: Option<&'static str>,
}

#[derive(Debug)]
pub struct Command {
    pub name: &'static str,
    pub flags: Vec<Flag>,
}

pub static COMMANDS: LazyLock<Vec<Command>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter_map(|line| {
            let (name, flags) = line.split_once(':')?;
            let hidden = DEPRECATED.iter().filter(|(commands, _)| commands.contains(&name));
            let hidden = hidden.filter_map(|(_, (word, why))| Some(Flag { deprecated: Some(why), ..flag(word)? }));
            Some(Command { name, flags: flags.split_whitespace().filter_map(flag).chain(hidden).collect() })
        })
        .collect()
});

fn flag(word: &'static str) -> Option<Flag> {
    let (name, default) = word.split_once('=')?;
    let required = name.ends_with('!');
    let name = name.trim_end_matches('!');
    let (name, short) = match name.split_once('/') {
        Some((name, short)) => (name, short.chars().next()),
        None => (name, None),
    };
    Some(Flag { name, short, default, required, deprecated: None })
}

impl Flag {
    fn is_bool(&self) -> bool {
        matches!(self.default, "true" | "false")
    }

    /// The value a flag has when it stands without one.
    fn bare(&self) -> Option<&'static str> {
        match self.name {
            "dry-run" => Some("unchanged"),
            "validate" => Some("strict"),
            "cascade" => Some("background"),
            _ if self.is_bool() => Some("true"),
            _ => None,
        }
    }

    /// Whether the next word is its value.
    pub fn takes_word(&self) -> bool {
        self.bare().is_none()
    }

    fn shown(&self) -> String {
        match self.short {
            Some(short) => format!("-{short}, --{}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

pub fn command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Other names of commands.
pub fn alias(name: &str) -> &str {
    match name {
        "create deploy" => "create deployment",
        "create cm" => "create configmap",
        "create ns" => "create namespace",
        "create svc" => "create service",
        "create sa" => "create serviceaccount",
        "create cj" => "create cronjob",
        "create ing" => "create ingress",
        "create pdb" => "create poddisruptionbudget",
        "create pc" => "create priorityclass",
        "create resourcequota" => "create quota",
        "set sa" => "set serviceaccount",
        "top pods" | "top po" => "top pod",
        "top nodes" | "top no" => "top node",
        "config use" => "config use-context",
        "event" | "ev" => "events",
        name => name,
    }
}

/// The words under a group command.
pub fn children(parent: &str) -> Vec<&'static str> {
    COMMANDS
        .iter()
        .filter_map(|command| match parent {
            "" => (!command.name.contains(' ') && command.name != "(global)").then_some(command.name),
            parent => command.name.strip_prefix(parent)?.strip_prefix(' ').filter(|rest| !rest.contains(' ')),
        })
        .collect()
}

#[derive(Clone, Debug, Default)]
pub struct Args {
    /// `create deployment`
    pub command: String,
    pub words: Vec<String>,
    /// How many words stood before `--`.
    pub dash: Option<usize>,
    flags: BTreeMap<&'static str, Vec<String>>,
    pub help: bool,
    /// What deprecated flags have to say.
    pub notices: Vec<String>,
    /// The words that are no flags, and the flags, as they were given: what `--record` writes down.
    given: (Vec<String>, Vec<String>),
}

impl Args {
    /// Reads the words after `kubectl`.
    pub fn parse(args: &[String]) -> Outcome<Args> {
        let mut out = Args::default();
        let mut words = args.iter().peekable();
        while let Some(word) = words.next() {
            if word == "--" {
                out.dash = Some(out.words.len());
                out.words.extend(words.by_ref().cloned());
                let after = out.words.get(out.dash.unwrap_or_default()..).unwrap_or_default().to_vec();
                out.given.0.extend(after);
            } else if let Some(long) = word.strip_prefix("--") {
                let (name, value) = match long.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_string())),
                    None => (long, None),
                };
                if name == "help" {
                    out.help = true;
                    continue;
                }
                let Some(flag) = out.find(|flag| flag.name == name) else {
                    return out.misuse(format!("unknown flag: --{name}"));
                };
                let value = match (value, flag.bare()) {
                    (Some(value), _) => value,
                    (None, Some(bare)) => bare.to_string(),
                    (None, None) => match words.next() {
                        Some(value) => value.clone(),
                        None => return out.misuse(format!("flag needs an argument: --{name}")),
                    },
                };
                out.take(flag, value)?;
            } else if word.len() > 1 && word.starts_with('-') {
                let mut rest = word.trim_start_matches('-').chars();
                let cluster: String = rest.clone().collect();
                while let Some(short) = rest.next() {
                    if short == 'h' {
                        out.help = true;
                        continue;
                    }
                    let Some(flag) = out.find(|flag| flag.short == Some(short)) else {
                        return out.misuse(format!("unknown shorthand flag: '{short}' in -{cluster}"));
                    };
                    if let Some(why) = flag.deprecated {
                        out.notices.push(format!("Flag shorthand -{short} has been deprecated, {why}"));
                    }
                    let left: String = rest.clone().collect();
                    if let Some(value) = left.strip_prefix('=') {
                        out.take(flag, value.to_string())?;
                        break;
                    } else if let Some(bare) = flag.bare() {
                        out.take(flag, bare.to_string())?;
                    } else if !left.is_empty() {
                        out.take(flag, left)?;
                        break;
                    } else {
                        match words.next() {
                            Some(value) => out.take(flag, value.clone())?,
                            None => {
                                return out.misuse(format!("flag needs an argument: '{short}' in -{cluster}"));
                            }
                        }
                    }
                }
            } else if out.words.is_empty()
                && let Some(found) = out.descend(word)
            {
                out.command = found.to_string();
                out.given.0.push(word.clone());
            } else {
                if out.command.is_empty() {
                    return super::help::unknown_command(word);
                }
                out.words.push(word.clone());
                out.given.0.push(word.clone());
            }
        }
        Ok(out)
    }

    fn descend(&self, word: &str) -> Option<&'static str> {
        let name = if self.command.is_empty() { word.to_string() } else { format!("{} {word}", self.command) };
        let name = alias(&name);
        if name == "(global)" {
            return None;
        }
        command(name).map(|command| command.name)
    }

    fn find(&self, test: impl Fn(&Flag) -> bool + Copy) -> Option<&'static Flag> {
        [self.command.as_str(), "(global)"]
            .into_iter()
            .filter_map(command)
            .find_map(|command| command.flags.iter().find(|flag| test(flag)))
    }

    fn misuse<T>(&self, text: String) -> Outcome<T> {
        let space = if self.command.is_empty() { "" } else { " " };
        if self.command == "diff" {
            return Err(super::io::Stop::Fail(
                vec![super::io::Failure::Plain(format!("{text}\nSee 'kubectl diff -h' for help and examples"))],
                2,
            ));
        }
        fail(format!("{text}\nSee 'kubectl{space}{} --help' for usage.", self.command))
    }

    fn take(&mut self, flag: &'static Flag, value: String) -> Outcome {
        let shown = flag.shown();
        let bad = |why: String| format!("invalid argument {} for \"{shown}\" flag: {why}", quote(&value));
        let lower = value.to_ascii_lowercase();
        if flag.is_bool() && !matches!(lower.as_str(), "true" | "false" | "t" | "f" | "1" | "0") {
            return self.misuse(bad(format!("strconv.ParseBool: parsing {}: invalid syntax", quote(&value))));
        }
        let port = flag.name == "port" && matches!(self.command.as_str(), "create deployment" | "proxy");
        let integer = port || flag.default.parse::<i64>().is_ok() && !matches!(flag.name, "request-timeout" | "port");
        let narrow = match self.command.as_str() {
            "autoscale" | "create priorityclass" => true,
            "create deployment" => matches!(flag.name, "port" | "replicas"),
            _ => false,
        };
        let read = if narrow { value.parse::<i32>().map(i64::from) } else { value.parse::<i64>() };
        if integer && let Err(error) = read {
            let why =
                if matches!(error.kind(), std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow) {
                    "value out of range"
                } else {
                    "invalid syntax"
                };
            return self.misuse(bad(format!("strconv.ParseInt: parsing {}: {why}", quote(&value))));
        }
        let span = matches!(flag.name, "timeout" | "since" | "duration" | "pod-running-timeout")
            || (flag.default.ends_with('s') && duration::parse(flag.default).is_ok());
        if span && let Err(why) = duration::parse(&value) {
            return self.misuse(bad(why));
        }
        let value = match (flag.is_bool(), lower.as_str()) {
            (true, "t" | "1" | "true") => "true".to_string(),
            (true, _) => "false".to_string(),
            _ => value,
        };
        if let Some(why) = flag.deprecated {
            self.notices.push(format!("Flag --{} has been deprecated, {why}", flag.name));
        }
        self.given.1.push(format!("--{}={value}", flag.name));
        self.flags.entry(flag.name).or_default().push(value);
        Ok(())
    }

    /// Writes the whole command into the object when `--record` asks for it.
    pub fn record(&self, object: &mut Value) {
        if self.is("record") {
            let words = std::iter::once("kubectl").chain(self.given.0.iter().chain(&self.given.1).map(String::as_str));
            let cause = words.collect::<Vec<_>>().join(" ");
            object.set(&["metadata", "annotations", "kubernetes.io/change-cause"], cause);
        }
    }

    /// The same flags with other words.
    pub fn with_words(&self, words: Vec<String>) -> Args {
        Args { words, ..self.clone() }
    }

    /// As if a flag had not been given.
    pub fn without(&self, name: &str) -> Args {
        let mut out = self.clone();
        out.flags.retain(|flag, _| *flag != name);
        out
    }

    /// Required flags that were not given.
    pub fn missing(&self) -> Vec<&'static str> {
        command(&self.command)
            .map(|command| {
                let required = command.flags.iter().filter(|flag| flag.required && !self.changed(flag.name));
                required.map(|flag| flag.name).collect()
            })
            .unwrap_or_default()
    }

    pub fn changed(&self, name: &str) -> bool {
        self.flags.contains_key(name)
    }

    /// The last value of a flag, or its default.
    pub fn get(&self, name: &str) -> &str {
        match self.flags.get(name).and_then(|values| values.last()) {
            Some(value) => value,
            None => self.find(|flag| flag.name == name).map_or("", |flag| match flag.default {
                "[]" => "",
                default => default,
            }),
        }
    }

    pub fn is(&self, name: &str) -> bool {
        self.get(name) == "true"
    }

    pub fn int(&self, name: &str) -> i64 {
        self.get(name).parse().unwrap_or_default()
    }

    pub fn span(&self, name: &str) -> Span {
        duration::parse(self.get(name)).unwrap_or(Span::ZERO)
    }

    /// Every value given.
    pub fn list(&self, name: &str) -> &[String] {
        self.flags.get(name).map_or(&[], Vec::as_slice)
    }

    /// Every value given, split at commas.
    pub fn split(&self, name: &str) -> Vec<String> {
        self.list(name)
            .iter()
            .filter(|value| !value.is_empty())
            .flat_map(|value| value.split(','))
            .map(str::to_string)
            .collect()
    }

    pub fn dry_run(&self) -> Outcome<DryRun> {
        match self.get("dry-run") {
            "none" | "" | "f" | "F" | "FALSE" | "False" | "false" | "0" => Ok(DryRun::None),
            "client" | "unchanged" | "t" | "T" | "TRUE" | "True" | "true" | "1" => Ok(DryRun::Client),
            "server" => Ok(DryRun::Server),
            other => fail(format!("Invalid dry-run value ({other}). Must be \"none\", \"server\", or \"client\".")),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DryRun {
    None,
    Client,
    Server,
}

impl DryRun {
    /// What stands behind an action's line.
    pub fn suffix(self) -> &'static str {
        match self {
            DryRun::None => "",
            DryRun::Client => " (dry run)",
            DryRun::Server => " (server dry run)",
        }
    }
}
