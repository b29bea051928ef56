//! The state of an operation: its lock, reading and writing it.

use super::{Operation, Stage, Verb};
use crate::base::{Span, Time};
use crate::process::{Sys, Wait};
use crate::terraform::command::{Screen, backend, settings};
use crate::terraform::core::{Phase, Walk};
use crate::terraform::hcl::{Diagnostic, has_errors};

/// A lock that is not had by then is worth a line.
const LOCK_PATIENCE: Span = Span::millis(400);

impl Operation {
    /// Takes the lock and reads the state; `-lock-timeout` says how long to wait for it.
    pub(super) fn lock(
        &mut self,
        tries: u32,
        next: Time,
        since: Time,
        told: bool,
        screen: &mut Screen,
        sys: &mut Sys<'_>,
    ) -> Result<Option<i32>, Vec<Wait>> {
        let timeout = self
            .arguments
            .get("lock-timeout")
            .and_then(|text| crate::base::duration::parse(text).ok())
            .unwrap_or_default();
        if self.verb != Verb::Show && self.arguments.get("lock") != Some("false") {
            let slow = since + LOCK_PATIENCE;
            if !told && tries > 0 && sys.now >= slow {
                screen.tell("Acquiring state lock. This may take a few moments...", sys.now);
                self.stage = Stage::Lock { tries, next, since, told: true };
                return Ok(None);
            }
            if sys.now < next.min(since + timeout) && tries > 0 {
                let until = if told { next.min(since + timeout) } else { slow.min(next).min(since + timeout) };
                return Err(vec![Wait::Until(until)]);
            }
            let operation = match self.verb {
                Verb::Plan => "OperationTypePlan",
                Verb::Refresh => "OperationTypeRefresh",
                _ => "OperationTypeApply",
            };
            if let Err(error) = self.store.lock(operation, sys) {
                if sys.now >= since + timeout {
                    screen.diagnostics(vec![*error]);
                    return Ok(Some(1));
                }
                let delay = Span::seconds(1_i64 << tries.min(4));
                self.stage = Stage::Lock { tries: tries + 1, next: sys.now + delay, since, told };
                return Ok(None);
            }
        }
        match self.store.read(sys, &self.providers) {
            Ok(state) => self.state = state,
            Err(found) => {
                let locks = self.verb != Verb::Show && self.arguments.get("lock") != Some("false");
                screen.diagnostics(if locks { vec![backend::not_locked(&backend::joined(&found))] } else { found });
                return Ok(Some(1));
            }
        }
        self.saved = self.state.clone();
        if let Some(file) = self.file.clone() {
            if self.verb != Verb::Show && !file.is_current(&self.state) {
                let detail = "The given plan file can no longer be applied because the state was changed by another operation after the plan was created.";
                screen.diagnostics(vec![Diagnostic::sourceless("Saved plan is stale", detail)]);
                return Ok(Some(1));
            }
            if has_errors(&self.given.diagnostics) {
                screen.diagnostics(std::mem::take(&mut self.given.diagnostics));
                return Ok(Some(1));
            }
            let state = match file.refreshed(&self.providers) {
                Ok(state) => state,
                Err(found) => {
                    screen.diagnostics(found);
                    return Ok(Some(1));
                }
            };
            let walk = Walk::new(Phase::Plan, self.config.clone(), self.providers.clone(), state, self.options.clone());
            self.walk = Some(walk);
            self.stage = Stage::Walk;
            return Ok(None);
        }
        let left = settings::missing(&self.given, &self.config.root);
        self.stage = Stage::Variables { left, asked: false };
        Ok(None)
    }

    /// The state is written as it changes; a large one, which takes its time, not at every change.
    pub(super) fn is_worth_writing(&mut self, now: Time) -> bool {
        let changes = self.walk.iter().map(|walk| walk.plan.changes.len()).sum::<usize>() as i64;
        let due = changes < 100 || now >= self.written + Span::millis(20 * changes);
        if due {
            self.written = now;
        }
        due
    }

    /// Writes the state when it says something new.
    pub(super) fn save(&mut self, sys: &mut Sys<'_>) {
        let Some(walk) = &mut self.walk else { return };
        let closing = std::mem::take(&mut walk.closing);
        if walk.state.same(&self.saved) && !closing {
            return;
        }
        let more = (std::mem::take(&mut walk.snapshots) + u64::from(closing)).saturating_sub(1);
        self.store.write(&mut walk.state, &self.saved, more, sys, &self.providers);
        self.saved = walk.state.clone();
    }

    /// A state file stands after the first apply, even where nothing was made.
    pub(super) fn save_first(&mut self, sys: &mut Sys<'_>) {
        let Some(walk) = &mut self.walk else { return };
        if !self.store.exists(sys) && self.saved.lineage.is_empty() {
            self.store.write(&mut walk.state, &self.saved, 0, sys, &self.providers);
            self.saved = walk.state.clone();
        }
    }
}
