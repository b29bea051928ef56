//! How much one walk may evaluate. What the real tool would compute for minutes, or until memory ends, is a gap here.
//!
//! Every step, every element and every byte of text that is made costs units; so does looking through a value, since
//! values share their parts: a list of a list of a list of two is small in memory and endless to whoever looks at it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::base::gap;
use crate::terraform::hcl::{Diagnostic, Range};
use crate::terraform::value::{Kind, Value};

/// About a fifth of a second, or a hundred megabytes.
const MOST: u64 = 20_000_000;
/// Of a node of an expression.
pub const STEP: u64 = 16;
/// Of an element that is made.
pub const ELEMENT: u64 = 16;
/// Of an instance of a resource or module that is planned.
pub const INSTANCE: u64 = 2_000;
/// The most elements that one value may have, counted through all that it shares.
const LARGEST: u64 = 500_000;
/// Values nest as deep as this: whatever looks through them goes down step by step.
const DEEPEST: u32 = 220;

/// Scopes are shared while it is spent, so it changes behind a shared reference.
#[derive(Debug)]
pub struct Budget {
    left: AtomicU64,
    too_deep: AtomicBool,
    told: AtomicBool,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { left: AtomicU64::new(MOST), too_deep: AtomicBool::new(false), told: AtomicBool::new(false) }
    }
}

impl Clone for Budget {
    fn clone(&self) -> Budget {
        Budget {
            left: AtomicU64::new(self.left()),
            too_deep: AtomicBool::new(self.too_deep.load(Relaxed)),
            told: AtomicBool::new(self.told.load(Relaxed)),
        }
    }
}

impl Budget {
    /// Whether there was so much left.
    pub fn spend(&self, units: u64) -> bool {
        let left = self.left().saturating_sub(units);
        self.left.store(left, Relaxed);
        left > 0
    }

    pub fn left(&self) -> u64 {
        self.left.load(Relaxed)
    }

    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// For a new line of a console.
    pub fn renew(&self) {
        self.left.store(MOST, Relaxed);
        self.told.store(false, Relaxed);
        self.too_deep.store(false, Relaxed);
    }

    /// Pays for a look through a value; text counts little.
    pub fn look(&self, value: &Value) -> bool {
        self.through(value, 1, 16)
    }

    /// Pays for a question about a value's type, which is as large as the value.
    pub fn asked(&self, value: &Value) -> bool {
        self.through(value, 4, 16)
    }

    /// Pays for a value that was made with all that is in it.
    pub fn made(&self, value: &Value) -> bool {
        self.through(value, ELEMENT, 1)
    }

    /// Pays for a value that is kept and shown.
    pub fn shown(&self, value: &Value) -> bool {
        self.through(value, 1, 1)
    }

    fn through(&self, value: &Value, element: u64, text: u64) -> bool {
        let mut count = 0;
        self.down(value, element, text, 0, &mut count)
    }

    fn down(&self, value: &Value, element: u64, text: u64, depth: u32, count: &mut u64) -> bool {
        // An object's type is a map of its own.
        let weight = if value.entries().is_some() { 10 } else { 1 };
        *count += weight;
        if depth > DEEPEST || *count > LARGEST {
            self.too_deep.store(depth > DEEPEST, Relaxed);
            self.left.store(0, Relaxed);
            return false;
        }
        let own = match &value.kind {
            Kind::String(own) => own.len() as u64 / text,
            Kind::Number(number) => number.weight(),
            _ => 0,
        };
        self.spend(element * weight + own)
            && value.children().all(|child| self.down(child, element, text, depth + 1, count))
    }

    /// What is told when all is spent: once.
    pub fn excess(&self, range: &Range) -> Option<Diagnostic> {
        if !self.is_spent() || self.told.swap(true, Relaxed) {
            return None;
        }
        let detail = if self.too_deep.load(Relaxed) {
            gap::line("values nested deeper than 220", "a flatter value works")
        } else {
            gap::line(
                "configurations of more than 10000 instances, 1250000 steps of evaluation or 20 MB of text",
                "fewer or smaller values work",
            )
        };
        Some(Diagnostic::error("Evaluation too long", detail, range))
    }
}
