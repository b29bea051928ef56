//! Where marks stand on the time line: an axis on which idle gaps shrink, and a lane for each actor.

use engine::base::BTreeSet;

use engine::base::Time;
use engine::trace::Actor;

use super::story::{Kind, Mark, Run};

/// A gap up to this long (microseconds) is drawn as it is.
const GAP: i64 = 2_000_000;
/// What a longer gap shrinks to.
const SHORT: f64 = 1.1;
const PIXELS_A_SECOND: f64 = 64.0;
/// Two instants stand at least this far apart, so that their signs can be told apart.
const LEAST: f64 = 15.0;
const MOST: usize = 600;
/// More kubelets than this share a lane.
const MOST_KUBELETS: usize = 3;
/// Stands for all kubelets.
pub const ALL: u32 = u32::MAX;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    pub width: f64,
    pub lanes: Vec<Lane>,
    pub gaps: Vec<Gap>,
    pub ticks: Vec<(f64, Time)>,
    pub bands: Vec<Band>,
    pub now: f64,
    pub axis: Axis,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    pub actor: Actor,
    /// For lanes of more than one actor: class, name, whether it is on Terraform's side.
    pub title: Option<(&'static str, &'static str, bool)>,
    pub glyphs: Vec<Glyph>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Glyph {
    pub x: f64,
    /// Where a span ends.
    pub until: Option<f64>,
    pub mark: Mark,
}

impl Glyph {
    /// Where the next one of its lane has room.
    pub fn end(&self) -> f64 {
        self.x + if self.mark.more > 0 { 44.0 } else { 13.0 }
    }
}

/// A stretch of the axis that stands for more time than it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    pub x: f64,
    pub width: f64,
    pub micros: i64,
}

/// From a command's return to its convergence.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    pub from: f64,
    pub to: f64,
    pub micros: i64,
    pub is_open: bool,
}

/// Pieces of the axis: from this instant on, at this place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    points: Vec<(i64, f64)>,
}

impl Axis {
    /// `scale` draws all of it larger or smaller.
    fn of(times: &[i64], scale: f64) -> (Axis, Vec<Gap>) {
        let mut points = Vec::new();
        let mut gaps = Vec::new();
        let mut x = 16.0;
        let mut last: Option<i64> = None;
        for time in times {
            if let Some(last) = last {
                let micros = time - last;
                let seconds = if micros > GAP { SHORT } else { micros as f64 / 1e6 };
                let width = if micros == 0 { 0.0 } else { (seconds * PIXELS_A_SECOND).max(LEAST) * scale };
                if micros > GAP {
                    gaps.push(Gap { x, width, micros });
                }
                x += width;
            }
            if last != Some(*time) {
                points.push((*time, x));
            }
            last = Some(*time);
        }
        (Axis { points }, gaps)
    }

    pub fn place(&self, time: Time) -> f64 {
        let after = self.points.partition_point(|(at, _)| *at <= time.0);
        let before = after.checked_sub(1).and_then(|index| self.points.get(index));
        match (before, self.points.get(after)) {
            (Some((t0, x0)), Some((t1, x1))) => x0 + (x1 - x0) * (time.0 - t0) as f64 / (t1 - t0).max(1) as f64,
            (Some((_, x)), None) | (None, Some((_, x))) => *x,
            (None, None) => 16.0,
        }
    }

    /// The instant at a place.
    pub fn time(&self, place: f64) -> Time {
        let after = self.points.partition_point(|(_, x)| *x <= place);
        let before = after.checked_sub(1).and_then(|index| self.points.get(index));
        match (before, self.points.get(after)) {
            (Some((t0, x0)), Some((t1, x1))) => {
                Time(t0 + ((place - x0) / (x1 - x0).max(1e-6) * (t1 - t0) as f64) as i64)
            }
            (Some((t, _)), None) | (None, Some((t, _))) => Time(*t),
            (None, None) => Time::default(),
        }
    }
}

pub fn lay_out(marks: &[Mark], runs: &[Run], now: Time, scale: f64) -> Lanes {
    let marks = marks.get(marks.len().saturating_sub(MOST)..).unwrap_or_default();
    let Some(first) = marks.first() else { return Lanes::default() };
    let mut times: Vec<i64> =
        marks.iter().flat_map(|mark| [Some(mark.at.0), mark.until.map(|time| time.0)]).flatten().collect();
    times.push(now.0);
    times.sort_unstable();
    let (axis, gaps) = Axis::of(&times, scale);
    let mut lanes: Vec<Lane> = Vec::new();
    let kubelets: BTreeSet<Actor> =
        marks.iter().map(Mark::speaker).filter(|actor| matches!(actor, Actor::Kubelet(_))).collect();
    for mark in marks {
        let actor = match mark.speaker() {
            Actor::Kubelet(_) if kubelets.len() > MOST_KUBELETS => Actor::Kubelet(ALL),
            actor => actor,
        };
        let lane = match lanes.iter_mut().find(|lane| lane.actor == actor) {
            Some(lane) => lane,
            None => {
                lanes.push(Lane { actor, title: None, glyphs: Vec::new() });
                let last = lanes.len() - 1;
                &mut lanes[last]
            }
        };
        let until = match (mark.kind, mark.until) {
            (Kind::Span, Some(until)) => Some(axis.place(until)),
            (Kind::Span, None) => Some(axis.place(now)),
            _ => None,
        };
        let x = axis.place(mark.at);
        // What one actor does at the same instant stands side by side.
        let x = lane.glyphs.last().filter(|_| until.is_none()).map_or(x, |last| x.max(last.end()));
        lane.glyphs.push(Glyph { x, until, mark: mark.clone() });
    }
    lanes.sort_by_key(|lane| lane.actor);
    let bands = runs.iter().filter(|run| run.wrote).filter_map(|run| {
        let (returned, _, _) = run.returned?;
        let end = run.converged.unwrap_or(now);
        (end >= first.at).then(|| Band {
            from: axis.place(returned),
            to: axis.place(end),
            micros: (end - returned).0,
            is_open: run.converged.is_none(),
        })
    });
    let bands = bands.collect();
    // What stood side by side may have been pushed on.
    let glyphs = lanes.iter().flat_map(|lane| &lane.glyphs).filter(|glyph| glyph.until.is_none());
    let here = glyphs.map(|glyph| glyph.x + 12.0).fold(axis.place(now), f64::max);
    let mut ticks: Vec<(f64, Time)> = Vec::new();
    for (time, x) in &axis.points {
        if ticks.last().is_none_or(|(last, _)| x - last > 110.0) {
            ticks.push((*x, Time(*time)));
        }
    }
    Lanes { width: here + 48.0, lanes, gaps, ticks, bands, now: here, axis }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_gaps_shrink_and_order_is_kept() {
        let (axis, gaps) = Axis::of(&[0, 1_000_000, 61_000_000, 61_500_000], 1.0);
        assert_eq!(gaps.len(), 1);
        let places: Vec<i64> =
            [0, 500_000, 1_000_000, 31_000_000, 61_000_000, 99_000_000].map(|t| axis.place(Time(t)) as i64).to_vec();
        assert_eq!(places, [16, 48, 80, 115, 150, 182]);
        for t in [0, 250_000, 1_000_000, 31_000_000, 61_250_000] {
            assert!((axis.time(axis.place(Time(t))).0 - t).abs() < 10, "{t}");
        }
    }
}
