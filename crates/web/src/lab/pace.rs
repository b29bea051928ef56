//! How virtual time follows the wall clock: speed, pause, and aims that run as fast as they can until they are met.
//! Pure: it is told how much wall time has passed and says how far to go.

use engine::base::{Span, Time};
use engine::trace::Seq;

pub const SPEEDS: [u32; 7] = [1, 2, 5, 10, 60, 300, 1000];

/// A frame never stands for more than this: a hidden page does not catch up.
const LONGEST_FRAME: f64 = 100.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The next entry that is not routine.
    NextEvent { after: Seq, limit: Time },
    /// Everything asked for is as declared.
    Convergence { limit: Time },
    /// An instant.
    Instant { limit: Time },
    /// The end of the inputs that are played again.
    Again { limit: Time },
}

impl Aim {
    pub fn limit(self) -> Time {
        match self {
            Aim::NextEvent { limit, .. }
            | Aim::Convergence { limit }
            | Aim::Instant { limit }
            | Aim::Again { limit } => limit,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    pub speed: u32,
    pub paused: bool,
    pub aim: Option<Aim>,
    /// What the machine keeps up with, when that is less than asked.
    pub real: Option<f64>,
    /// Wall and virtual milliseconds since the rate was measured.
    wall: f64,
    moved: f64,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { speed: 1, paused: false, aim: None, real: None, wall: 0.0, moved: 0.0 }
    }
}

impl Pace {
    /// How much virtual time a frame of `millis` of wall time asks for.
    pub fn ask(&self, millis: f64) -> Span {
        let millis = millis.clamp(0.0, LONGEST_FRAME);
        Span((millis * f64::from(self.speed) * 1000.0) as i64)
    }

    /// A frame took `millis` and moved the world by `span`.
    pub fn measured(&mut self, millis: f64, span: Span) {
        self.wall += millis.clamp(0.0, LONGEST_FRAME);
        self.moved += span.0 as f64 / 1000.0;
        if self.wall >= 1000.0 {
            let rate = self.moved / self.wall;
            let behind = rate < f64::from(self.speed) * 0.85;
            self.real = behind.then_some(if rate < 10.0 { (rate * 100.0).round() / 100.0 } else { rate.round() });
            (self.wall, self.moved) = (0.0, 0.0);
        }
    }

    pub fn set_speed(&mut self, speed: u32) {
        *self = Pace { speed, paused: self.paused, aim: self.aim, ..Pace::default() };
    }
}
