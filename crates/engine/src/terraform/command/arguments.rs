//! Arguments as Go's flag package reads them: one dash or two, `-name=value` or `-name value`; and what each command
//! takes, with what it says of anything else.

use super::{Screen, help};
use crate::base::duration::parse_nanos;
use crate::base::goquote::quote;
use crate::terraform::hcl::Diagnostic;

/// What a command takes.
pub struct Takes {
    pub name: &'static str,
    /// Flags with a value.
    pub valued: &'static [&'static str],
    /// Flags without.
    pub plain: &'static [&'static str],
    /// How many words, at least and at most.
    pub words: (usize, usize),
    /// Said of too few and of too many.
    pub few: (&'static str, &'static str),
    pub many: (&'static str, &'static str),
    pub style: Style,
}

/// How a command complains of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// And points at its help.
    View,
    Bare,
    /// In red, through the older interface.
    Ui,
    /// In red, followed by its help.
    UiHelp,
    /// Its help, then a line.
    Usage,
}

const VARIABLES: [&str; 2] = ["var", "var-file"];
const LOCK: [&str; 1] = ["lock-timeout"];
const MANY: usize = usize::MAX;
const TO_MANY: &str = "Too many command line arguments";

macro_rules! takes {
    ($name:literal, $valued:expr, $plain:expr, $words:expr, $few:expr, $many:expr, $style:ident) => {
        Takes {
            name: $name,
            valued: $valued,
            plain: $plain,
            words: $words,
            few: $few,
            many: $many,
            style: Style::$style,
        }
    };
}

const PLANNING: &[&str] = &[
    "var",
    "var-file",
    "target",
    "replace",
    "out",
    "state",
    "state-out",
    "backup",
    "parallelism",
    "lock-timeout",
    "generate-config-out",
];
const PLANNING_PLAIN: &[&str] =
    &["lock", "input", "refresh", "refresh-only", "destroy", "detailed-exitcode", "compact-warnings", "json"];
const APPLYING: &[&str] =
    &["var", "var-file", "target", "replace", "state", "state-out", "backup", "parallelism", "lock-timeout"];
const APPLYING_PLAIN: &[&str] =
    &["lock", "input", "refresh", "refresh-only", "destroy", "auto-approve", "compact-warnings", "json"];
const NONE: (&str, &str) = ("", "");
const NO_MORE: (&str, &str) = (TO_MANY, "Expected at most one positional argument.");
const NO_WORDS: (&str, &str) = (TO_MANY, "Expected no positional arguments. Did you mean to use -chdir?");
const ONE_NAME: (&str, &str) = ("Expected a single argument: NAME.", "");
const STATE_FLAGS: &[&str] = &["state", "state-out", "backup", "backup-out", "lock-timeout", "var", "var-file"];
const STATE_PLAIN: &[&str] = &["lock", "dry-run", "ignore-remote-version", "allow-missing", "auto-approve", "force"];
const TAINT: (&str, &str) = (
    "Required argument missing",
    "The taint command expects exactly one argument: the address of the resource to taint.",
);
const TAINT_MANY: (&str, &str) =
    (TO_MANY, "The taint command expects exactly one argument: the address of the resource to taint.");
const UNTAINT: (&str, &str) = (
    "Required argument missing",
    "The untaint command expects exactly one argument: the address of the resource to untaint.",
);
const UNTAINT_MANY: (&str, &str) =
    (TO_MANY, "The untaint command expects exactly one argument: the address of the resource to untaint.");
const SHOW_ONE: (&str, &str) =
    ("Required argument missing", "Exactly one argument expected: the address of a resource instance to show.");
const TWO: (&str, &str) =
    ("Required argument missing", "Exactly two arguments expected: the source and destination addresses.");
const TWO_PROVIDERS: (&str, &str) =
    ("Required argument missing", "Exactly two arguments expected: the from and to provider addresses.");
const ONE_STATE: (&str, &str) =
    ("Required argument missing", "Exactly one argument expected: the path to a Terraform state file.");
const IMPORT: (&str, &str) = ("Wrong number of arguments", "The import command expects two arguments: ADDR and ID.");
const PLAN_WORDS: (&str, &str) = (TO_MANY, "To specify a working directory for the plan, use the global -chdir flag.");
const OUTPUT_WORDS: (&str, &str) = (
    "Unexpected argument",
    "The output command expects exactly one argument with the name of an output variable or no arguments to show all outputs.",
);
const MIRROR: (&str, &str) = (
    "No output directory specified",
    "The providers mirror command requires an output directory as a command-line argument.",
);
const QUERY_WORDS: (&str, &str) =
    (TO_MANY, "To specify a working directory for the query, use the global -chdir flag.");
const QUERYING: &[&str] = &["var", "var-file", "generate-config-out"];
const TESTING: &[&str] =
    &["cloud-run", "filter", "junit-xml", "operation-parallelism", "parallelism", "test-directory", "var", "var-file"];
const WORKSPACE_FLAGS: &[&str] = &["state", "lock-timeout"];

/// Commands as far as they read arguments.
const COMMANDS: &[Takes] = &[
    takes!("plan", PLANNING, PLANNING_PLAIN, (0, 0), NONE, PLAN_WORDS, View),
    takes!("apply", APPLYING, APPLYING_PLAIN, (0, 1), NONE, NO_MORE, View),
    takes!("destroy", APPLYING, APPLYING_PLAIN, (0, 1), NONE, NO_MORE, View),
    takes!(
        "refresh",
        &["var", "var-file", "target", "state", "state-out", "backup", "parallelism", "lock-timeout"],
        &["lock", "input", "compact-warnings", "json"],
        (0, 0),
        NONE,
        NO_MORE,
        View
    ),
    takes!(
        "validate",
        &["test-directory", "var", "var-file"],
        &["json", "no-tests", "query"],
        (0, 1),
        NONE,
        NO_MORE,
        View
    ),
    takes!("show", &["var", "var-file"], &["json"], (0, 1), NONE, NO_MORE, View),
    takes!("output", &["state", "module"], &["json", "raw"], (0, 1), NONE, OUTPUT_WORDS, View),
    takes!(
        "init",
        &[
            "backend-config",
            "from-module",
            "lockfile",
            "plugin-dir",
            "test-directory",
            "lock-timeout",
            "var",
            "var-file",
            "backend"
        ],
        &[
            "force-copy",
            "get",
            "input",
            "lock",
            "reconfigure",
            "migrate-state",
            "upgrade",
            "ignore-remote-version",
            "json"
        ],
        (0, 0),
        NONE,
        (
            "No positional arguments are expected",
            "The init command does not expect any positional arguments. Did you mean to use -chdir?"
        ),
        Bare
    ),
    takes!("get", &["test-directory", "var", "var-file"], &["update"], (0, 0), NONE, NO_WORDS, Ui),
    takes!("fmt", &[], &["list", "write", "diff", "check", "recursive"], (0, MANY), NONE, NONE, Usage),
    takes!(
        "console",
        &["state", "var", "var-file", "scope"],
        &["plan", "input"],
        (0, 0),
        NONE,
        (TO_MANY, "The console command does not expect any positional arguments. Did you mean to use -chdir?"),
        Ui
    ),
    takes!(
        "graph",
        &["type", "plan", "module-depth", "format", "var", "var-file"],
        &["draw-cycles", "verbose"],
        (0, 0),
        NONE,
        NO_WORDS,
        Ui
    ),
    takes!(
        "import",
        &["config", "var", "var-file", "state", "state-out", "backup", "parallelism", "lock-timeout", "provider"],
        &["lock", "input", "ignore-remote-version", "allow-missing-config"],
        (2, 2),
        IMPORT,
        IMPORT,
        UiHelp
    ),
    takes!("taint", STATE_FLAGS, STATE_PLAIN, (1, 1), TAINT, TAINT_MANY, Ui),
    takes!("untaint", STATE_FLAGS, STATE_PLAIN, (1, 1), UNTAINT, UNTAINT_MANY, Ui),
    takes!("force-unlock", &[], &["force"], (1, 1), NONE, NONE, Usage),
    takes!("state list", &["state", "id", "var", "var-file"], &[], (0, MANY), NONE, NONE, Ui),
    takes!("state show", &["state", "var", "var-file"], &["json"], (1, 1), SHOW_ONE, SHOW_ONE, View),
    takes!("state mv", STATE_FLAGS, STATE_PLAIN, (2, 2), TWO, TWO, Ui),
    takes!(
        "state rm",
        STATE_FLAGS,
        STATE_PLAIN,
        (1, MANY),
        ("Required argument missing", "At least one address is required."),
        NONE,
        Ui
    ),
    takes!("state pull", &VARIABLES, &[], (0, MANY), NONE, NONE, Ui),
    takes!(
        "state push",
        &["lock-timeout", "var", "var-file"],
        &["force", "lock", "ignore-remote-version"],
        (1, 1),
        ONE_STATE,
        ONE_STATE,
        Ui
    ),
    takes!("state replace-provider", STATE_FLAGS, STATE_PLAIN, (2, 2), TWO_PROVIDERS, TWO_PROVIDERS, Ui),
    takes!(
        "workspace list",
        &[],
        &["json"],
        (0, 0),
        NONE,
        ("Too many command line arguments. Did you mean to use -chdir?", ""),
        Ui
    ),
    takes!("workspace show", &[], &[], (0, MANY), NONE, NONE, UiHelp),
    takes!("workspace new", WORKSPACE_FLAGS, &["lock"], (1, 1), ONE_NAME, ONE_NAME, UiHelp),
    takes!("workspace select", WORKSPACE_FLAGS, &["or-create"], (1, 1), ONE_NAME, ONE_NAME, UiHelp),
    takes!("workspace delete", &LOCK, &["force", "lock"], (1, 1), ONE_NAME, ONE_NAME, UiHelp),
    takes!(
        "providers",
        &["test-directory", "var", "var-file"],
        &[],
        (0, 0),
        NONE,
        (TO_MANY, "Did you mean to use -chdir?"),
        Ui
    ),
    takes!(
        "providers lock",
        &["platform", "fs-mirror", "net-mirror"],
        &["enable-plugin-cache"],
        (0, MANY),
        NONE,
        NONE,
        Ui
    ),
    takes!("providers mirror", &["platform"], &["lock-file"], (1, 1), MIRROR, MIRROR, Ui),
    takes!("test", TESTING, &["json", "verbose", "no-cleanup"], (0, MANY), NONE, NONE, View),
    takes!("query", QUERYING, &["json"], (0, 0), NONE, QUERY_WORDS, View),
    takes!("logout", &[], &[], (0, 1), NONE, NONE, Usage),
    takes!("providers schema", &VARIABLES, &["json"], (0, 0), NONE, (TO_MANY, "Expected no positional arguments."), Ui),
    takes!("metadata functions", &[], &["json"], (0, MANY), NONE, NONE, Usage),
    takes!("modules", &VARIABLES, &["json"], (0, 0), NONE, (TO_MANY, "Expected no positional arguments"), View),
    takes!("version", &[], &["json", "v", "version"], (0, MANY), NONE, NONE, Usage),
];

/// Whether a command reads arguments here at all.
pub fn is_read(command: &str) -> bool {
    COMMANDS.iter().any(|takes| takes.name == command)
}

/// Why a flag of a type of its own cannot be so.
fn unfit(name: &str, value: &str) -> Option<&'static str> {
    match name {
        "lock-timeout" => parse_nanos(value).is_err().then_some("parse error"),
        "parallelism" | "module-depth" => whole(value).err(),
        _ => None,
    }
}

/// As Go reads a whole number whose base its beginning says.
fn whole(text: &str) -> Result<i64, &'static str> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let lower = digits.to_ascii_lowercase();
    let (base, digits) = match lower.get(..2) {
        Some("0x") => (16, lower.get(2..)),
        Some("0b") => (2, lower.get(2..)),
        Some("0o") => (8, lower.get(2..)),
        _ if lower.starts_with('0') && lower.len() > 1 => (8, lower.get(1..)),
        _ => (10, Some(lower.as_str())),
    };
    let digits = digits.unwrap_or_default();
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return Err("parse error");
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    i64::from_str_radix(&format!("{sign}{digits}"), base).map_err(|_| "value out of range")
}

#[derive(Clone, Debug)]
pub struct Arguments {
    /// `plan`, `state list`
    pub command: String,
    /// In order, without dashes; flags without a value have "true".
    pub flags: Vec<(String, String)>,
    pub words: Vec<String>,
}

impl Arguments {
    /// `None` when the command complains.
    pub fn read(command: &str, args: &[String], screen: &mut Screen) -> Option<Arguments> {
        let takes = COMMANDS.iter().find(|takes| takes.name == command)?;
        let mut all = Arguments { command: command.to_string(), flags: Vec::new(), words: Vec::new() };
        let mut wrong = None;
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            // The first word ends the flags, as Go has it.
            let flag = arg.strip_prefix("--").or_else(|| arg.strip_prefix('-'));
            let Some(name) = flag.filter(|name| !name.is_empty()) else {
                if arg != "--" {
                    all.words.push(arg.clone());
                }
                all.words.extend(args.by_ref().cloned());
                break;
            };
            let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let value = if takes.valued.contains(&name) {
                match value.map(str::to_string).or_else(|| args.next().cloned()) {
                    Some(value) => {
                        if let Some(reason) = unfit(name, &value) {
                            wrong = Some(format!("invalid value {} for flag -{name}: {reason}", quote(&value)));
                            break;
                        }
                        value
                    }
                    None => {
                        wrong = Some(format!("flag needs an argument: -{name}"));
                        break;
                    }
                }
            } else if takes.plain.contains(&name) {
                let value = value.unwrap_or("true");
                let known = ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"];
                if !known.contains(&value) {
                    wrong = Some(format!("invalid boolean value {value:?} for -{name}: parse error"));
                    break;
                }
                let on = value.starts_with(['1', 't', 'T']);
                (if on { "true" } else { "false" }).to_string()
            } else {
                wrong = Some(format!("flag provided but not defined: -{name}"));
                break;
            };
            all.flags.push((name.to_string(), value));
        }
        all.check(takes, wrong, screen).then_some(all)
    }

    fn check(&mut self, takes: &Takes, wrong: Option<String>, screen: &mut Screen) -> bool {
        if takes.style == Style::Usage {
            let mut text = help::help(takes.name).unwrap_or_default().trim_end().to_string();
            if takes.name == "metadata functions" {
                text = format!("{text}\n");
                if wrong.is_none() && !self.has("json") {
                    screen.ui_error("The `terraform metadata functions` command requires the `-json` flag.\n");
                    screen.ui_error(&text);
                    return false;
                }
            }
            let text = text.as_str();
            if let Some(wrong) = wrong {
                screen.ui_error(text);
                screen.ui_error(&format!("Error parsing command-line flags: {wrong}\n"));
                return false;
            }
            if takes.name == "force-unlock" && self.words.len() != 1 {
                screen.ui_error("Expected a single argument: LOCK_ID");
                screen.out(format!("{text}\n"));
                return false;
            }
            return true;
        }
        let mut found = Vec::new();
        if let Some(wrong) = &wrong {
            found.push(Diagnostic::sourceless("Failed to parse command-line flags", wrong.clone()));
            self.words.clear();
        }
        let also = (takes.style != Style::View || takes.name == "state show") && !takes.name.starts_with("workspace ");
        if wrong.is_none() || also {
            let said = match self.words.len() {
                count if count < takes.words.0 => Some(takes.few),
                count if count > takes.words.1 => Some(takes.many),
                _ => None,
            };
            found.extend(said.map(|(summary, detail)| Diagnostic::sourceless(summary, detail)));
        }
        if takes.name == "providers schema" && !self.has("json") {
            let detail = "The `terraform providers schema` command requires the `-json` flag.";
            found.push(Diagnostic::sourceless("The -json flag is required", detail));
        }
        if found.is_empty() {
            return true;
        }
        if takes.name == "workspace list" {
            found.push(super::workspace::no_list());
            screen.diagnostics(found);
            return false;
        }
        if screen.json {
            screen.out(crate::terraform::render::log::version(screen.now));
        }
        match takes.style {
            Style::Ui | Style::UiHelp => screen.ui_diagnostics(found),
            _ => screen.diagnostics(found),
        }
        match takes.style {
            Style::View if screen.json => {}
            Style::View => {
                screen.err(format!("\nFor more help on using this command, run:\n  terraform {} -help\n", takes.name))
            }
            Style::UiHelp if takes.name == "import" => {
                screen.ui_error(help::help(takes.name).unwrap_or_default().trim_end());
            }
            Style::UiHelp => screen.out(help::help(takes.name).unwrap_or_default()),
            _ => {}
        }
        false
    }

    /// A flag's number, as `unfit` lets it through.
    pub fn number(&self, name: &str) -> Option<i64> {
        whole(self.get(name)?).ok()
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.flags.iter().rev().find(|(flag, _)| flag == name).map(|(_, value)| value.as_str())
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value != "false")
    }
}
