//! How long a process has worked without a pause, and when it has to rest: work takes virtual time.

use crate::base::{Span, Time};

/// Turns a process may take at one instant; then it rests, as long as that much work takes on a real machine.
const SLICE: u32 = 50;
const SLICE_TIME: Span = Span(20_000);
/// Slices without a pause after which a process gets less of the machine, so that a loop that never ends does not hold
/// up the clock: two seconds of work in one go.
const LONG: u32 = 100;
const LONG_TIME: Span = Span(200_000);
/// The same once more, after some minutes.
const VERY_LONG: u32 = 1000;
const VERY_LONG_TIME: Span = Span(2_000_000);
/// From there on each rest is this part of all the time it has worked: what computes for ever costs a day of the clock
/// a hundred slices, and whoever waits for something in a loop is late by that part at most.
const PART: i64 = 16;
/// Bytes that count as a turn when they are moved.
const TURN_BYTES: usize = 16 << 10;

/// How much a process has worked without a pause.
#[derive(Clone, Default)]
pub(super) struct Work {
    /// The instant of its latest turn, and turns taken at it.
    at: Time,
    turns: u32,
    /// Slices used up one right after the other.
    pub(super) slices: u32,
    /// It does not run before this, but for signals.
    pub(super) rest: Option<Time>,
    /// Since when it has worked.
    pub(super) since: Time,
    /// Where its slices begin: a machine on which something that computed for ever was killed gives less to the next.
    tired: u32,
    /// The machine is a container: nobody waits at its terminal, and there may be many.
    shared: bool,
}

impl Work {
    pub(super) fn new(tired: u32, shared: bool) -> Work {
        Work { tired, slices: tired, shared, ..Work::default() }
    }

    /// One more turn begins.
    pub(super) fn count(&mut self, now: Time) {
        if self.at != now {
            if self.rest.is_none_or(|rest| rest != now) {
                (self.slices, self.since) = (self.tired, now);
            }
            (self.at, self.turns) = (now, 0);
        }
        self.rest = None;
        self.turns += 1;
        self.rest_if_due(now);
    }

    fn rest_if_due(&mut self, now: Time) {
        if self.turns >= SLICE {
            self.slices = self.slices.saturating_add(1);
            let worked = Span((now - self.since).0 / PART);
            let rest = match self.slices {
                ..=LONG => SLICE_TIME,
                _ if self.tired > LONG => VERY_LONG_TIME.max(worked),
                _ if self.shared => LONG_TIME.max(worked),
                ..=VERY_LONG => LONG_TIME,
                _ => VERY_LONG_TIME.max(worked),
            };
            self.rest = Some(now + rest);
        }
    }

    /// The turn moved so many bytes.
    pub(super) fn charge(&mut self, now: Time, bytes: usize) {
        let turns = u32::try_from(bytes / TURN_BYTES).unwrap_or(SLICE);
        if turns > 0 && self.rest.is_none() {
            self.turns = self.turns.saturating_add(turns);
            self.rest_if_due(now);
        }
    }
}
