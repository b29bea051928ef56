//! The `terraform` command (upstream: terraform's command package): arguments, files, prompts, what is printed.
//!
//! Left out (told as gaps): backends but the local one, saved plans of other runs' binaries, `test`, `console` on a
//! terminal, `graph`, `import`, `workspace`, `force-unlock`, `providers`, `-json` of plan and apply, provisioners.

mod arguments;
mod init;
mod inspect;
mod operate;
mod settings;

use std::collections::VecDeque;

use crate::base::{BTreeMap, SmolStr, Span, Time, gap};
use crate::process::{Program, Read, Signal, Stream, Sys, Turn, Wait, Written};
use crate::terraform::config::Source;
use crate::terraform::hcl::{Diagnostic, report};
use crate::terraform::provider::Providers;
use crate::terraform::core::Event;
use crate::terraform::render::{self, Paint};

use arguments::Arguments;
use operate::Operation;

pub const VERSION: &str = "1.16.4";

/// terraform with its arguments (`args[0]` is the program's own name).
pub fn program(args: &[String], providers: Providers) -> Box<dyn Program> {
    Box::new(Terraform {
        args: args.get(1..).unwrap_or_default().to_vec(),
        providers,
        ready: None,
        screen: Screen::default(),
        operation: None,
        exit: None,
    })
}

#[derive(Clone)]
struct Terraform {
    args: Vec<String>,
    providers: Providers,
    ready: Option<Time>,
    screen: Screen,
    operation: Option<Box<Operation>>,
    exit: Option<i32>,
}

/// What is to be printed, and how.
#[derive(Clone)]
pub struct Screen {
    pending: VecDeque<(Stream, Vec<u8>)>,
    pub paint: Paint,
    /// Texts of configuration files, for snippets.
    pub texts: BTreeMap<SmolStr, String>,
}

/// The texts as reports look them up.
struct Texts<'a>(&'a BTreeMap<SmolStr, String>);

impl report::Sources for Texts<'_> {
    fn source(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }
}

impl Default for Screen {
    fn default() -> Screen {
        Screen { pending: VecDeque::new(), paint: Paint { colour: true, width: 78 }, texts: BTreeMap::new() }
    }
}

impl Screen {
    pub fn out(&mut self, text: impl AsRef<str>) {
        self.pending.push_back((Stream::Out, text.as_ref().as_bytes().to_vec()));
    }

    pub fn err(&mut self, text: impl AsRef<str>) {
        self.pending.push_back((Stream::Err, text.as_ref().as_bytes().to_vec()));
    }

    /// What is not simulated.
    pub fn gap(&mut self, what: &str) {
        self.err(gap::line(what, "") + "\n");
    }

    /// What happens to an object.
    pub fn event(&mut self, event: &Event) {
        let text = render::event(event, self.paint);
        self.out(text);
    }

    pub fn diagnostics(&mut self, mut diagnostics: Vec<Diagnostic>) {
        report::sort(&mut diagnostics);
        let diagnostics = report::consolidate(diagnostics);
        let layout = report::Layout { width: self.paint.width, boxed: self.paint.colour, color: self.paint.colour };
        for diagnostic in &diagnostics {
            let text = report::render(diagnostic, &Texts(&self.texts), layout);
            // All but errors that a reader must not miss go with the rest.
            if diagnostic.is_error() { self.err(text) } else { self.out(text) }
        }
    }

    fn flush(&mut self, sys: &mut Sys<'_>) -> Result<bool, ()> {
        while let Some((stream, bytes)) = self.pending.front() {
            match sys.write(*stream, bytes) {
                Written::All => drop(self.pending.pop_front()),
                Written::Full => return Ok(false),
                Written::Broken | Written::NoSpace => return Err(()),
            }
        }
        Ok(true)
    }
}

/// What a command is doing.
pub enum State {
    Exit(i32),
    Run(Box<Operation>),
}

impl Program for Terraform {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        // Reading the configuration and starting the providers.
        let ready = *self.ready.get_or_insert(sys.now + Span::millis(250));
        while let Some(signal) = sys.signal() {
            match (signal, &mut self.operation) {
                (Signal::Winch, _) => {}
                (Signal::Int | Signal::Term, Some(operation)) if self.exit.is_none() => {
                    operation.interrupt(&mut self.screen)
                }
                (signal, _) => return Turn::Exit(128 + signal as i32),
            }
        }
        if sys.now < ready {
            return Turn::Wait(vec![Wait::Until(ready)]);
        }
        let mut waits = Vec::new();
        if self.exit.is_none() {
            match &mut self.operation {
                None => match start(&self.args, &self.providers, &mut self.screen, sys) {
                    State::Exit(code) => self.exit = Some(code),
                    State::Run(operation) => {
                        self.operation = Some(operation);
                        return Turn::Again;
                    }
                },
                Some(operation) => match operation.resume(&mut self.screen, sys) {
                    Ok(code) => self.exit = Some(code),
                    Err(on) => waits = on,
                },
            }
        }
        match (self.screen.flush(sys), self.exit) {
            (Err(()), _) => Turn::Exit(141),
            (Ok(false), _) => Turn::Wait(vec![Wait::Room]),
            (Ok(true), Some(code)) => Turn::Exit(code),
            (Ok(true), None) => Turn::Wait(waits),
        }
    }
}

/// Commands with what they do, as the help lists them.
const COMMANDS: [(&str, &str, bool); 25] = [
    ("init", "Prepare your working directory for other commands", true),
    ("validate", "Check whether the configuration is valid", true),
    ("plan", "Show changes required by the current configuration", true),
    ("apply", "Create or update infrastructure", true),
    ("destroy", "Destroy previously-created infrastructure", true),
    ("console", "Try Terraform expressions at an interactive command prompt", false),
    ("fmt", "Reformat your configuration in the standard style", false),
    ("force-unlock", "Release a stuck lock on the current workspace", false),
    ("get", "Install or upgrade remote Terraform modules", false),
    ("graph", "Generate a Graphviz graph of the steps in an operation", false),
    ("import", "Associate existing infrastructure with a Terraform resource", false),
    ("login", "Obtain and save credentials for a remote host", false),
    ("logout", "Remove locally-stored credentials for a remote host", false),
    ("metadata", "Metadata related commands", false),
    ("output", "Show output values from your root module", false),
    ("providers", "Show the providers required for this configuration", false),
    ("refresh", "Update the state to match remote systems", false),
    ("show", "Show the current state or a saved plan", false),
    ("state", "Advanced state management", false),
    ("taint", "Mark a resource instance as not fully functional", false),
    ("test", "Execute integration tests for Terraform modules", false),
    ("untaint", "Remove the 'tainted' state from a resource instance", false),
    ("version", "Show the current Terraform version", false),
    ("workspace", "Workspace management", false),
    ("modules", "Show all declared modules in a working directory", false),
];

fn start(args: &[String], providers: &Providers, screen: &mut Screen, sys: &mut Sys<'_>) -> State {
    if let Some((columns, _)) = sys.terminal {
        screen.paint.width = usize::from(columns);
    }
    let mut rest = args;
    while let Some(first) = rest.first() {
        if let Some(folder) = first.strip_prefix("-chdir=") {
            if !sys.files.is_directory(sys.cwd, folder) {
                screen.err(format!("Error handling -chdir option: chdir {folder}: no such file or directory\n"));
                return State::Exit(1);
            }
            *sys.cwd = crate::process::clean(sys.cwd, folder);
            rest = rest.get(1..).unwrap_or_default();
        } else {
            break;
        }
    }
    let Some(command) = rest.first().map(String::as_str) else {
        screen.out(help());
        return State::Exit(127);
    };
    let arguments = Arguments::new(command, rest.get(1..).unwrap_or_default());
    if arguments.has("no-color") || sys.env.get("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        screen.paint.colour = false;
    }
    match command {
        "-help" | "--help" | "-h" | "help" => {
            screen.out(help());
            State::Exit(0)
        }
        "-version" | "--version" | "-v" | "version" => inspect::version(&arguments, screen, sys, providers),
        "init" => init::init(&arguments, screen, sys, providers),
        "validate" => operate::validate(screen, sys, providers),
        "plan" | "apply" | "destroy" | "refresh" => operate::operation(&arguments, screen, sys, providers),
        "show" => inspect::show(&arguments, screen, sys, providers),
        "output" => inspect::output(&arguments, screen, sys, providers),
        "state" => inspect::state(&arguments, screen, sys, providers),
        "taint" | "untaint" => inspect::taint(&arguments, screen, sys, providers),
        "fmt" => inspect::fmt(&arguments, screen, sys),
        known if COMMANDS.iter().any(|(name, ..)| *name == known) => {
            screen.gap(&format!("terraform {known}"));
            State::Exit(1)
        }
        unknown => {
            let names = COMMANDS.iter().map(|(name, ..)| *name);
            let tail = crate::terraform::hcl::did_you_mean(unknown, names);
            screen.err(format!(
                "Terraform has no command named \"{unknown}\".{tail}\n\nTo see all of Terraform's top-level commands, run:\n  terraform -help\n\n"
            ));
            State::Exit(1)
        }
    }
}

fn help() -> String {
    let list = |main: bool| -> String {
        let of = COMMANDS.iter().filter(|(_, _, is)| *is == main);
        let mut names: Vec<String> = of.map(|(name, text, _)| format!("  {name:<14}{text}\n")).collect();
        if !main {
            names.sort();
        }
        names.concat()
    };
    format!(
        "Usage: terraform [global options] <subcommand> [args]\n\nThe available commands for execution are listed below.\nThe primary workflow commands are given first, followed by\nless common or more advanced commands.\n\nMain commands:\n{}\nAll other commands:\n{}\nGlobal options (use these before the subcommand, if any):\n  -chdir=DIR    Switch to a different working directory before executing the\n                given subcommand.\n  -help         Show this help output or the help for a specified subcommand.\n  -version      An alias for the \"version\" subcommand.\n",
        list(true),
        list(false)
    )
}

/// The machine's files as a configuration's source.
pub struct Disk<'a> {
    pub files: &'a crate::process::Files,
    pub cwd: &'a str,
}

impl Source for Disk<'_> {
    fn names(&self, folder: &str) -> Option<Vec<String>> {
        self.files.list(self.cwd, folder).ok()
    }

    fn text(&self, path: &str) -> Option<String> {
        self.files.read_text(self.cwd, path).ok()
    }
}

/// One line of input at a prompt: what was typed, or what to wait for.
pub fn read_line(sys: &mut Sys<'_>) -> Result<Option<String>, Vec<Wait>> {
    match sys.read_line() {
        Read::Data(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string())),
        Read::Empty => Err(vec![Wait::Input]),
        Read::End => Ok(None),
    }
}
