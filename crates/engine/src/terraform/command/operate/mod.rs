//! plan, apply, destroy, refresh, and the showing of saved plans: from the configuration to the last line.

mod applied;
mod ask;
mod lock;
mod options;
mod planned;
mod start;

use std::sync::Arc;

use super::arguments::Arguments;
use super::backend::Store;
use super::plan_file::Saved;
use super::{Screen, settings};
use crate::base::{SmolStr, Time};
use crate::process::{Sys, Wait};
use crate::terraform::config::Loaded;
use crate::terraform::core::{Options, Progress, Walk};
use crate::terraform::hcl::Diagnostic;
use crate::terraform::provider::Providers;
use crate::terraform::state::State;

pub use start::{carry_out, operation};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Plan,
    Apply,
    Destroy,
    Refresh,
    /// `show FILE`
    Show,
}

#[derive(Clone)]
enum Stage {
    /// Waiting for the state's lock: tried so often, next then.
    Lock {
        tries: u32,
        next: Time,
        since: Time,
        told: bool,
    },
    /// Names of variables still to be asked for.
    Variables {
        left: Vec<SmolStr>,
        asked: bool,
    },
    Walk,
    Approval {
        asked: bool,
    },
    Apply,
}

/// A command in the middle of its run.
#[derive(Clone)]
pub struct Operation {
    verb: Verb,
    arguments: Arguments,
    config: Arc<Loaded>,
    providers: Providers,
    given: settings::Given,
    options: Options,
    store: Store,
    state: State,
    stage: Stage,
    walk: Option<Walk>,
    saved: State,
    /// What is shown when the apply is over.
    later: Vec<Diagnostic>,
    /// A destroy looks at everything first.
    looking: bool,
    /// The plan file that is carried out or shown.
    file: Option<Box<Saved>>,
    interrupts: u32,
    /// When the state was last written while applying.
    written: Time,
}

impl Operation {
    fn new(
        verb: Verb,
        arguments: &Arguments,
        config: Loaded,
        providers: &Providers,
        given: settings::Given,
        options: Options,
        sys: &Sys<'_>,
    ) -> Operation {
        Operation {
            verb,
            arguments: arguments.clone(),
            config: Arc::new(config),
            providers: providers.clone(),
            given,
            options,
            store: Store::of(arguments, sys),
            state: State::default(),
            stage: Stage::Lock { tries: 0, next: sys.now, since: sys.now, told: false },
            walk: None,
            saved: State::default(),
            later: Vec::new(),
            looking: false,
            file: None,
            interrupts: 0,
            written: Time::default(),
        }
    }

    /// Ctrl+C. The second one ends the command at once.
    pub fn interrupt(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Option<i32> {
        self.interrupts += 1;
        if !matches!(self.stage, Stage::Walk | Stage::Apply) {
            return None;
        }
        if self.interrupts > 1 {
            screen.tell(
                "\nTwo interrupts received. Exiting immediately. Note that data loss may have occurred.\n",
                sys.now,
            );
            let error = Diagnostic::sourceless("operation canceled", "");
            screen.diagnostics(vec![error]);
            self.save(sys);
            self.store.unlock(sys);
            return Some(1);
        }
        screen.tell(
            "\nInterrupt received.\nPlease wait for Terraform to exit or data loss may occur.\nGracefully shutting down...\n",
            sys.now,
        );
        screen.tell("Stopping operation...", sys.now);
        if let Some(walk) = &mut self.walk {
            walk.stopping = true;
        }
        None
    }

    /// Goes on; the exit code, or what to wait for.
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        let code = self.go_on(screen, sys);
        self.store.until_done(code, sys)
    }

    fn go_on(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        loop {
            match self.stage.clone() {
                Stage::Lock { tries, next, since, told } => {
                    if let Some(code) = self.lock(tries, next, since, told, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Variables { .. } if self.interrupts > 0 => return Ok(1),
                Stage::Variables { left, asked } => {
                    if let Some(code) = self.ask_variable(left, asked, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Walk => {
                    let walk = self.walk.as_mut().ok_or_else(Vec::new)?;
                    let progress = walk.advance(sys);
                    let events = std::mem::take(&mut walk.events);
                    // A saved plan was told when it was made.
                    if self.file.is_none() {
                        events.iter().for_each(|event| screen.event(event));
                    }
                    if let Progress::Wait(waits) = progress {
                        return Err(waits);
                    }
                    if self.looking {
                        if let Some(code) = self.looked(screen) {
                            return Ok(code);
                        }
                        continue;
                    }
                    if let Some(code) = self.planned(screen, sys) {
                        return Ok(code);
                    }
                }
                Stage::Approval { .. } if self.interrupts > 0 => {
                    screen.out("\n");
                    screen.diagnostics(vec![Diagnostic::sourceless("error asking for approval: interrupted", "")]);
                    return Ok(1);
                }
                Stage::Approval { asked } => {
                    if let Some(code) = self.approve(asked, screen, sys)? {
                        return Ok(code);
                    }
                }
                Stage::Apply => {
                    let walk = self.walk.as_mut().ok_or_else(Vec::new)?;
                    let progress = walk.advance(sys);
                    for event in std::mem::take(&mut walk.events) {
                        screen.event(&event);
                    }
                    if self.is_worth_writing(sys.now) {
                        self.save(sys);
                    }
                    if let Progress::Wait(waits) = progress {
                        return Err(waits);
                    }
                    return Ok(self.applied(screen, sys));
                }
            }
        }
    }
}
