//! `terraform console`: expressions, typed or piped in, and their values. `-scope` is left out.

use super::arguments::Arguments;
use super::backend::{Store, Unread};
use super::configuration::{beside, initialised};
use super::{Screen, State as Next, read_line};
use crate::process::{Sys, Wait};
use crate::terraform::address::ModulePath;
use crate::terraform::core::{MachineFiles, Place, Progress, Walk};
use crate::terraform::eval::console;
use crate::terraform::hcl::{Diagnostic, Severity, has_errors};
use crate::terraform::provider::Providers;

const HELP: &str = "The Terraform console allows you to experiment with Terraform interpolations.\nYou may access resources in the state (if you have one) just as you would\nfrom a configuration. For example: \"aws_instance.foo.id\" would evaluate\nto the ID of \"aws_instance.foo\" if it exists in your state.\n\nType in the interpolation to test and hit <enter> to see the result.\n\nTo exit the console, type \"exit\" and hit <enter>, or use Control-C or\nControl-D.";

#[derive(Clone)]
pub struct Console {
    walk: Walk,
    store: Store,
    ready: bool,
    /// Typed at a terminal: with prompts, and every value is shown.
    interactive: bool,
    prompted: bool,
    lines: Vec<String>,
    last: String,
}

pub fn start(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    if arguments.get("scope").is_some() {
        screen.gap("terraform console -scope");
        return Next::Exit(1);
    }
    let Some(loaded) = initialised(".", screen, sys) else { return Next::Exit(1) };
    let Some((mut walk, store)) = beside(loaded, Unread::Older, arguments, screen, sys, providers) else {
        return Next::Exit(1);
    };
    if !arguments.has("plan") {
        walk.values.impure.act(sys);
    }
    let interactive = sys.is_owner_input() && sys.terminal.is_some();
    Next::Console(Box::new(Console {
        walk,
        store,
        ready: false,
        interactive,
        prompted: false,
        lines: Vec::new(),
        last: String::new(),
    }))
}

impl Console {
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        let code = self.go_on(screen, sys);
        self.store.until_done(code, sys)
    }

    fn go_on(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        if !self.ready {
            if let Progress::Wait(waits) = self.walk.advance(sys) {
                return Err(waits);
            }
            self.ready = true;
            self.walk.values.impure.planned = None;
            self.walk.values.impure.act(sys);
            let found = std::mem::take(&mut self.walk.diagnostics);
            if has_errors(&found) {
                screen.ui_diagnostics(found);
                let text = "Due to the problems above, some expressions may produce unexpected results.";
                let warning = Diagnostic { severity: Severity::Warning, ..Diagnostic::sourceless(text, "") };
                screen.ui_diagnostics(vec![warning]);
            }
        }
        loop {
            if self.interactive && !self.prompted {
                screen.out(if self.lines.is_empty() { "> " } else { ": " });
                self.prompted = true;
                // The prompt is to be seen before the wait.
                return Err(vec![Wait::Input]);
            }
            let Some(line) = read_line(sys)? else {
                if !self.interactive {
                    screen.out(format!("{}\n", self.last));
                }
                return Ok(0);
            };
            self.prompted = false;
            if !self.interactive {
                match self.handle(line.trim(), screen, sys) {
                    Ok(Some(text)) => self.last = text,
                    Ok(None) => return Ok(0),
                    Err(()) => return Ok(1),
                }
                continue;
            }
            self.lines.push(line);
            if is_open(&self.lines) {
                continue;
            }
            let text = std::mem::take(&mut self.lines).join("\n") + "\n";
            match self.handle(&text, screen, sys) {
                Ok(Some(text)) => screen.out(text + "\n"),
                Ok(None) => return Ok(0),
                Err(()) => screen.out("\n"),
            }
        }
    }

    /// The text of a value; `None` for the end.
    fn handle(&mut self, line: &str, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<Option<String>, ()> {
        match line.trim() {
            "" => return Ok(Some(String::new())),
            "exit" => return Ok(None),
            "help" => return Ok(Some(HELP.into())),
            _ => {}
        }
        self.walk.values.budget.renew();
        self.walk.values.impure.act(sys);
        let files = MachineFiles::of(sys);
        let root = ModulePath::default();
        let place = Place::new(&self.walk.values, &self.walk.config.root, &root, Some(&files));
        let (text, found) = console(line, &place);
        if has_errors(&found) {
            screen.ui_diagnostics(found);
            return Err(());
        }
        Ok(Some(text.unwrap_or_default()))
    }
}

/// Whether brackets are still open, so that more lines may follow.
fn is_open(lines: &[String]) -> bool {
    if lines.last().is_none_or(|line| line.trim().is_empty()) {
        return false;
    }
    let mut open = Vec::new();
    let mut quoted = false;
    let text = lines.join("\n");
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' if quoted => drop(characters.next()),
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                let pair = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if open.pop() != Some(pair) {
                    return false;
                }
            }
            _ => {}
        }
    }
    !open.is_empty()
}
