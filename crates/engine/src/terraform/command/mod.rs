//! The `terraform` command (upstream: terraform's command package): arguments, files, prompts, what is printed.
//!
//! Left out (told as gaps): backends but the local one, `test`, `query`, `stacks`, `login`, generated configuration,
//! `*.tf.json`.

mod arguments;
mod backend;
mod configuration;
mod console;
mod environment;
mod fmt;
mod help;
mod import;
mod init;
mod inspect;
mod line;
mod operate;
mod others;
mod plan_file;
mod settings;
mod settled;
mod state;
mod target;
mod validate;
pub mod version;
mod workspace;

use std::collections::VecDeque;

use crate::base::{BTreeMap, SmolStr, Span, Time, gap};
use crate::process::{Program, Read, Signal, Stream, Sys, Turn, Wait, Written};
use crate::terraform::config::Source;
use crate::terraform::core::Event;
use crate::terraform::hcl::{Diagnostic, Pages, Severity, report};
use crate::terraform::provider::Providers;
use crate::terraform::render::{self, Paint, log};

use arguments::Arguments;
use operate::Operation;

pub const VERSION: &str = "1.16.4";

/// terraform with its arguments (`args[0]` is the program's own name).
pub fn program(args: &[String], providers: Providers) -> Box<dyn Program> {
    Box::new(Terraform {
        args: args.get(1..).unwrap_or_default().to_vec(),
        providers,
        ready: None,
        leave: None,
        screen: Screen::default(),
        doing: State::Start,
    })
}

#[derive(Clone)]
struct Terraform {
    args: Vec<String>,
    providers: Providers,
    ready: Option<Time>,
    /// When the process ends.
    leave: Option<Time>,
    screen: Screen,
    doing: State,
}

/// What a command is doing.
#[derive(Clone)]
pub enum State {
    Start,
    Exit(i32),
    Run(Box<Operation>),
    Console(Box<console::Console>),
    Import(Box<import::Import>),
    Input(Box<fmt::Input>),
    Answer(Box<state::Answer>),
}

/// What is to be printed, and how.
#[derive(Clone)]
pub struct Screen {
    pending: VecDeque<(Stream, Vec<u8>)>,
    pub paint: Paint,
    /// Texts of configuration files, for snippets.
    pub texts: BTreeMap<SmolStr, String>,
    /// Everything is told as one object per line.
    pub json: bool,
    /// Warnings without errors are told by their titles alone.
    pub compact: bool,
    now: Time,
}

/// Errors quote their lines: thousands of errors in one long line are more than anybody reads.
const MOST_SHOWN: usize = 4 << 20;

fn too_many() -> String {
    gap::line("more than 4 MB of errors and warnings at once", "the first ones stand above") + "\n"
}

impl Default for Screen {
    fn default() -> Screen {
        Screen {
            pending: VecDeque::new(),
            paint: Paint { colour: true, width: 78 },
            texts: BTreeMap::new(),
            json: false,
            compact: false,
            now: Time::default(),
        }
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
        let text = if self.json { log::event(event, self.now) } else { render::event(event, self.paint) };
        self.out(text);
    }

    /// A line about the command itself.
    pub fn tell(&mut self, text: &str, now: Time) {
        self.out(if self.json { log::message(text, now) } else { format!("{text}\n") });
    }

    /// A question with its explanation; the answer is typed behind it.
    pub fn question(&mut self, title: &str, description: &str) {
        let mut text = self.paint.tags("[reset][bold]%[reset]\n", &[title]);
        // The title's own reset stands at its end.
        text = text.replace("\n\u{1b}[0m", "\n");
        if let Some(rest) = text.strip_suffix("\n\u{1b}[0m") {
            text = format!("{rest}\n");
        }
        if !description.is_empty() {
            for line in description.split('\n') {
                text.push_str(&format!("  {line}\n"));
            }
            text.push('\n');
        }
        let prompt = self.paint.tags("  [bold]Enter a value:[reset] ", &[]);
        self.out(text + &prompt);
    }

    /// What the older commands say of errors: in red.
    pub fn ui_error(&mut self, text: &str) {
        let text = self.paint.tags("[red]%[reset]", &[text]);
        self.err(text + "\n");
    }

    fn ui_warning(&mut self, text: &str) {
        let text = self.paint.tags("[yellow]%[reset]", &[text]);
        self.err(text + "\n");
    }

    pub fn ui_output(&mut self, text: &str, arguments: &[&str]) {
        let text = self.paint.tags(text, arguments);
        self.out(text + "\n");
    }

    /// Diagnostics of the older commands: each coloured once more, with an empty line behind.
    pub fn ui_diagnostics(&mut self, diagnostics: Vec<Diagnostic>) {
        for (error, text) in self.rendered(diagnostics) {
            let tag = if error { "[red]%[reset]" } else { "[yellow]%[reset]" };
            let text = self.paint.tags(tag, &[&text]);
            self.err(text + "\n");
        }
    }

    fn rendered(&self, given: Vec<Diagnostic>) -> Vec<(bool, String)> {
        let mut diagnostics = Vec::with_capacity(given.len());
        for mut each in given {
            let also = each.also.take();
            diagnostics.push(each);
            diagnostics.extend(also.map(|also| *also));
        }
        report::sort(&mut diagnostics);
        let diagnostics = report::consolidate(diagnostics);
        let layout = report::Layout { width: self.paint.width, boxed: self.paint.colour, color: self.paint.colour };
        let pages = Pages::of(&self.texts, &diagnostics);
        let (mut texts, mut shown) = (Vec::new(), 0);
        for each in &diagnostics {
            if shown > MOST_SHOWN {
                texts.push((true, too_many()));
                break;
            }
            let text = report::render(each, &pages, layout);
            shown += text.len();
            texts.push((each.is_error(), text));
        }
        texts
    }

    pub fn diagnostics(&mut self, mut diagnostics: Vec<Diagnostic>) {
        if self.json {
            report::sort(&mut diagnostics);
            let pages = Pages::of(&self.texts, &diagnostics);
            let mut shown = 0;
            for each in &diagnostics {
                if shown > MOST_SHOWN {
                    return self.err(too_many());
                }
                let line = log::diagnostic(each, &pages, self.now);
                shown += line.len();
                self.out(line);
            }
            return;
        }
        if self.compact && !diagnostics.is_empty() && diagnostics.iter().all(|each| !each.is_error()) {
            return self.compact_warnings(diagnostics);
        }
        for (error, text) in self.rendered(diagnostics) {
            // Standard error is for what goes wrong.
            if error { self.err(text) } else { self.out(text) }
        }
    }

    fn compact_warnings(&mut self, mut diagnostics: Vec<Diagnostic>) {
        report::sort(&mut diagnostics);
        let title = self.paint.tags("[bold][yellow]Warnings:[reset]", &[]);
        let mut out = format!("{title}\n\n");
        let mut seen: Vec<&str> = Vec::new();
        for each in &diagnostics {
            if seen.contains(&each.summary.as_str()) {
                continue;
            }
            seen.push(&each.summary);
            out.push_str(&format!("- {}\n", each.summary));
            let place =
                |each: &Diagnostic| each.subject.as_ref().map(|at| format!("{} line {}", at.file, at.start.line));
            if let Some(first) = place(each) {
                let more = diagnostics.iter().filter(|other| other.summary == each.summary).count() - 1;
                let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
                out.push_str(&format!("  on {first}{more}\n"));
            }
        }
        let text = "\nTo see the full warning notes, run Terraform without -compact-warnings.\n";
        out.push_str(&self.paint.wrap(text));
        self.out(out);
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

impl Program for Terraform {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        // Reading the configuration and starting the providers.
        let ready = *self.ready.get_or_insert(sys.now + Span::millis(250));
        self.screen.now = sys.now;
        while let Some(signal) = sys.signal() {
            match (signal, &mut self.doing) {
                (Signal::Winch, _) | (_, State::Exit(_)) => {}
                (Signal::Int | Signal::Term, State::Run(operation)) => {
                    if let Some(code) = operation.interrupt(&mut self.screen, sys) {
                        self.doing = State::Exit(code);
                    }
                }
                (signal, _) => return Turn::Exit(128 + signal as i32),
            }
        }
        if sys.now < ready {
            return Turn::Wait(vec![Wait::Until(ready)]);
        }
        let screen = &mut self.screen;
        let went = match &mut self.doing {
            State::Start => {
                self.doing = start(&self.args, &self.providers, screen, sys);
                match &self.doing {
                    State::Exit(code) => Ok(*code),
                    _ => return Turn::Again,
                }
            }
            State::Exit(code) => Ok(*code),
            State::Run(operation) => operation.resume(screen, sys),
            State::Console(console) => console.resume(screen, sys),
            State::Import(import) => import.resume(screen, sys),
            State::Input(input) => input.resume(screen, sys),
            State::Answer(answer) => answer.resume(screen, sys, &self.providers),
        };
        if let Ok(code) = went {
            if matches!(self.doing, State::Run(_)) {
                // Providers are told to end, the state's lock is given back.
                self.leave = Some(sys.now + Span::millis(250));
            }
            self.doing = State::Exit(code);
        }
        match (self.screen.flush(sys), went) {
            (Err(()), _) => Turn::Exit(141),
            (Ok(false), _) => Turn::Wait(vec![Wait::Room]),
            (Ok(true), Ok(code)) => match self.leave.filter(|leave| sys.now < *leave) {
                Some(leave) => Turn::Wait(vec![Wait::Until(leave)]),
                None => Turn::Exit(code),
            },
            (Ok(true), Err(waits)) => Turn::Wait(waits),
        }
    }
}

fn start(args: &[String], providers: &Providers, screen: &mut Screen, sys: &mut Sys<'_>) -> State {
    if let Some((columns, _)) = sys.terminal {
        screen.paint.width = usize::from(columns);
    }
    let mut args = args.to_vec();
    match line::folder(&mut args) {
        Err(()) => {
            screen.err("Invalid -chdir option: must include an equals sign followed by a directory path, like -chdir=example\n");
            return State::Exit(1);
        }
        Ok(Some(folder)) if !sys.files.is_directory(sys.cwd, &folder) => {
            let why = if sys.files.exists(sys.cwd, &folder) { "not a directory" } else { "no such file or directory" };
            screen.err(format!("Error handling -chdir option: chdir {folder}: {why}\n"));
            return State::Exit(1);
        }
        Ok(Some(folder)) => *sys.cwd = crate::process::clean(sys.cwd, &folder),
        Ok(None) => {}
    }
    if let Some(code) = environment::look(screen, sys) {
        return State::Exit(code);
    }
    let line = match line::Line::of(&args, sys.env) {
        Ok(line) => line,
        Err(error) => {
            screen.err(error + "\n");
            return State::Exit(1);
        }
    };
    let legacy = line.command.starts_with("env");
    let text = |name: &str| {
        let text = help::help(name).unwrap_or_default();
        // The old name came without.
        let end = if legacy { text.find("    show ") } else { None };
        text.get(..end.unwrap_or(text.len())).unwrap_or_default().to_string()
    };
    if line.command.is_empty() {
        screen.out(text(""));
        return State::Exit(if line.help { 0 } else { 127 });
    }
    if line.command == "rpcapi" {
        screen.err(others::RPCAPI);
        return State::Exit(1);
    }
    if !line::exists(&line.command) {
        return unknown(&line.command, screen);
    }
    let command = line::as_workspace(&line.command);
    if line.help {
        screen.out(text(&command));
        return State::Exit(0);
    }
    if line.early_flags {
        screen.err("Invalid flags before the subcommand. If these flags are for\nthe subcommand, please put them after the subcommand.\n\n");
        screen.err(text(&command));
        return State::Exit(1);
    }
    let rest = line.args;
    if legacy && command != "workspace list" {
        screen.ui_warning(&format!("{LEGACY}\n\n{PREFERRED}"));
    }
    let no_colour = |arg: &&String| matches!(arg.as_str(), "-no-color" | "--no-color" | "-no-color=true");
    if rest.iter().any(|arg| no_colour(&arg)) {
        screen.paint.colour = false;
    }
    let mut named = sys.env.get("TF_WORKSPACE").filter(|name| !name.is_empty());
    if command.starts_with("workspace ") || matches!(command.as_str(), "version" | "fmt") {
        named = None;
    }
    if named.is_some_and(|name| !workspace::is_valid(name)) {
        screen.diagnostics(vec![Diagnostic::sourceless("Invalid workspace name set using TF_WORKSPACE", "")]);
        return State::Exit(1);
    }
    let args: Vec<String> = rest.iter().filter(|arg| !no_colour(arg)).cloned().collect();
    if matches!(command.as_str(), "state" | "workspace" | "metadata") {
        screen.out(text(&command));
        return State::Exit(1);
    }
    let json = args.iter().any(|arg| matches!(arg.as_str(), "-json" | "--json" | "-json=true"));
    screen.json = json && matches!(command.as_str(), "plan" | "apply" | "destroy" | "refresh" | "query");
    screen.compact = args.iter().any(|arg| matches!(arg.as_str(), "-compact-warnings" | "--compact-warnings"));
    if !arguments::is_read(&command) {
        screen.gap(&format!("terraform {command}"));
        return State::Exit(1);
    }
    if legacy && command == "workspace list" {
        let warning = Diagnostic::sourceless(PREFERRED, LEGACY);
        screen.diagnostics(vec![Diagnostic { severity: Severity::Warning, ..warning }]);
    }
    let Some(arguments) = Arguments::read(&command, &args, screen) else { return State::Exit(1) };
    // Where the state lies is said in the configuration, so it must be readable.
    let plans = matches!(command.as_str(), "plan" | "apply" | "destroy" | "refresh");
    let older = matches!(command.as_str(), "taint" | "untaint" | "graph" | "providers" | "force-unlock");
    if matches!(command.as_str(), "show" | "output" | "console" | "import")
        || plans
        || older
        || command.starts_with("state ")
        || command.starts_with("workspace ") && command != "workspace show"
    {
        let loaded = crate::terraform::config::load(&Disk { files: sys.files, cwd: sys.cwd }, ".");
        let itself = plans || matches!(command.as_str(), "console" | "import");
        let mut found = loaded.diagnostics;
        if !crate::terraform::hcl::has_errors(&found) {
            match settled::unsettled(&loaded.root, screen, sys) {
                Ok(()) => found.clear(),
                Err(refused) if refused.is_empty() => return State::Exit(1),
                Err(refused) => found = refused,
            }
        } else if itself {
            // These say it themselves.
            found.clear();
        }
        if !found.is_empty() {
            screen.texts.extend(loaded.texts);
            if command == "workspace list" {
                found.push(workspace::no_list());
            }
            if plans || matches!(command.as_str(), "show" | "output" | "state show" | "workspace list") {
                screen.diagnostics(found);
            } else {
                screen.ui_diagnostics(found);
            }
            return State::Exit(1);
        }
        if !command.starts_with("workspace ") && command != "import" {
            backend::keep(sys);
        }
    }
    match command.as_str() {
        "version" => inspect::version(&arguments, screen, sys, providers),
        "init" => init::init(&arguments, screen, sys, providers),
        "get" => init::get(&arguments, screen, sys),
        "validate" => validate::validate(&arguments, screen, sys, providers),
        "plan" | "apply" | "destroy" | "refresh" => operate::operation(&arguments, screen, sys, providers),
        "show" => inspect::show(&arguments, screen, sys, providers),
        "output" => inspect::output(&arguments, screen, sys, providers),
        "providers" => inspect::providers_command(&arguments, screen, sys, providers),
        "modules" => inspect::modules(&arguments, screen, sys),
        "graph" => inspect::graph(&arguments, screen, sys, providers),
        "fmt" => fmt::run(&arguments, screen, sys),
        "console" => console::start(&arguments, screen, sys, providers),
        "import" => import::start(&arguments, screen, sys, providers),
        "taint" | "untaint" => state::taint(&arguments, screen, sys, providers),
        "force-unlock" => {
            screen.ui_error(if arguments.has("force") {
                "Failed to unlock state: LocalState not locked"
            } else {
                "Local state cannot be unlocked by another process"
            });
            State::Exit(1)
        }
        "providers lock" => others::lock(&arguments, screen, sys),
        "providers mirror" => others::mirror(&arguments, screen, sys),
        "test" => others::test(&arguments, screen, sys),
        "query" => others::query(screen, sys),
        "logout" => {
            let host = arguments.words.first().map_or("app.terraform.io", String::as_str);
            screen.out(format!("No credentials for {host} are stored.\n\n"));
            State::Exit(0)
        }
        "providers schema" | "metadata functions" => {
            screen.gap(&format!("terraform {command} -json"));
            State::Exit(1)
        }
        name if name.starts_with("workspace ") => workspace::run(&arguments, screen, sys, providers),
        _ => state::run(&arguments, screen, sys, providers),
    }
}

const LEGACY: &str = "Warning: the \"terraform env\" family of commands is deprecated.";
const PREFERRED: &str = "\"Workspace\" is now the preferred term for what earlier Terraform versions\ncalled \"environment\", to reduce ambiguity caused by the latter term colliding\nwith other concepts.\n\nThe \"terraform workspace\" commands should be used instead. \"terraform env\"\nwill be removed in a future Terraform version.\n";

fn unknown(command: &str, screen: &mut Screen) -> State {
    let names = help::names().filter(|name| !name.contains(' '));
    let tail = crate::terraform::hcl::did_you_mean(command, names);
    screen.err(format!(
        "Terraform has no command named \"{command}\".{tail}\n\nTo see all of Terraform's top-level commands, run:\n  terraform -help\n\n"
    ));
    State::Exit(1)
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
