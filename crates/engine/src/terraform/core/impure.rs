//! What functions answer that depend on more than their arguments: the time, and chance. Unknown until things are done;
//! when the plan is made is known while it is made. `bcrypt` gives a text of the right form that is no hash of the
//! password: nothing here looks into it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::base::Time;
use crate::process::Sys;
use crate::terraform::provider::uuid_of;
use crate::terraform::value::{Type, Value};

#[derive(Debug, Default)]
pub struct Impure {
    /// When the plan was made; a console has none.
    pub planned: Option<Time>,
    /// While things are done, or only looked at.
    now: Option<Time>,
    /// Evaluation shares what it looks at, so this changes behind a shared reference.
    draws: AtomicU64,
}

impl Clone for Impure {
    fn clone(&self) -> Impure {
        Impure { planned: self.planned, now: self.now, draws: AtomicU64::new(self.draws.load(Relaxed)) }
    }
}

impl Impure {
    /// From now on nothing is left unknown.
    pub fn act(&mut self, sys: &mut Sys<'_>) {
        if self.now.is_none() {
            *self.draws.get_mut() = sys.chance.bits("terraform functions");
        }
        self.now = Some(sys.now);
    }

    pub fn acts(&self) -> bool {
        self.now.is_some()
    }

    /// `None` where there is no such function.
    pub fn answer(&self, function: &str) -> Option<Value> {
        if function == "plantimestamp" {
            return self.planned.map(|time| Value::string(time.rfc3339()));
        }
        let Some(now) = self.now else { return Some(Value::unknown(Type::String)) };
        let text = match function {
            "timestamp" => now.rfc3339(),
            "uuid" => uuid_of(&mut || self.draw() >> 32),
            _ => self.hashed(),
        };
        Some(Value::string(text))
    }

    /// `splitmix64`: what is drawn once from the world's chance goes on from there.
    fn draw(&self) -> u64 {
        let state = self.draws.load(Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.draws.store(state, Relaxed);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn hashed(&self) -> String {
        const LETTERS: &[u8] = b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let mut out = String::from("$2a$10$");
        for _ in 0..53 {
            let at = (self.draw() >> 58) as usize;
            out.push(LETTERS.get(at).copied().map_or('.', char::from));
        }
        out
    }
}
