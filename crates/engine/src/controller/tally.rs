//! How many pods of an owner are active, ready, labelled: kept as changes come in, so that counting ten thousand pods
//! costs as much as counting ten.

use crate::base::BTreeMap;

use super::pods;
use crate::api::object;
use crate::base::{Span, Time, Value};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Each set of labels, with how many pods have it and how many of those are active.
    labels: Vec<(Value, usize, usize)>,
    terminating: usize,
    /// Active pods that are Ready, by the instant they became so.
    ready: BTreeMap<Option<Time>, usize>,
}

impl Tally {
    pub fn of<'a>(all: impl IntoIterator<Item = &'a Value>) -> Tally {
        let mut tally = Tally::default();
        all.into_iter().for_each(|pod| tally.add(pod));
        tally
    }

    pub fn add(&mut self, pod: &Value) {
        let (labels, active) = (pod["metadata"].get("labels"), usize::from(pods::is_active(pod)));
        match self.labels.iter_mut().find(|(known, ..)| known == labels) {
            Some((_, all, alive)) => (*all, *alive) = (*all + 1, *alive + active),
            None => self.labels.push((labels.clone(), 1, active)),
        }
        self.terminating += usize::from(pods::is_terminating(pod));
        if let Some(since) = ready_since(pod) {
            *self.ready.entry(since).or_default() += 1;
        }
    }

    /// Takes out a pod that was added as it stands.
    pub fn remove(&mut self, pod: &Value) {
        let (labels, active) = (pod["metadata"].get("labels"), usize::from(pods::is_active(pod)));
        if let Some((_, all, alive)) = self.labels.iter_mut().find(|(known, ..)| known == labels) {
            (*all, *alive) = (all.saturating_sub(1), alive.saturating_sub(active));
        }
        self.labels.retain(|(_, all, _)| *all > 0);
        self.terminating = self.terminating.saturating_sub(usize::from(pods::is_terminating(pod)));
        if let Some(since) = ready_since(pod)
            && let Some(count) = self.ready.get_mut(&since)
        {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.ready.remove(&since);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    pub fn active(&self) -> usize {
        self.labels.iter().map(|(_, _, active)| active).sum()
    }

    /// Active pods whose labels pass.
    pub fn labelled(&self, fits: impl Fn(&Value) -> bool) -> usize {
        self.labels.iter().filter(|(labels, ..)| fits(labels)).map(|(_, _, active)| active).sum()
    }

    /// Whether the labels of all pods pass, active or not.
    pub fn all_fit(&self, fits: impl Fn(&Value) -> bool) -> bool {
        self.labels.iter().all(|(labels, ..)| fits(labels))
    }

    pub fn terminating(&self) -> usize {
        self.terminating
    }

    /// When ready pods are (or were) available, and how many of them at each instant.
    pub fn available_at(&self, min_ready_seconds: i64) -> impl Iterator<Item = (Time, usize)> {
        self.ready.iter().filter_map(move |(since, count)| match min_ready_seconds <= 0 {
            true => Some((Time::default(), *count)),
            false => Some(((*since)? + Span::seconds(min_ready_seconds), *count)),
        })
    }
}

fn ready_since(pod: &Value) -> Option<Option<Time>> {
    let ready = object::condition(pod, "Ready").filter(|ready| ready["status"].str() == "True")?;
    pods::is_active(pod).then(|| object::time(&ready["lastTransitionTime"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    fn pod(n: u32) -> Value {
        let phase = ["Pending", "Running", "Failed"][n as usize % 3];
        let condition = map! {
            "type" => "Ready", "status" => if n.is_multiple_of(2) { "True" } else { "False" },
            "lastTransitionTime" => format!("2026-01-05T09:00:0{}Z", n % 4),
        };
        let mut pod = map! {
            "metadata" => map! { "labels" => map! { "app" => format!("{}", n % 5) } },
            "status" => map! { "phase" => phase, "conditions" => vec![condition] },
        };
        if n.is_multiple_of(7) {
            pod.set(&["metadata", "deletionTimestamp"], "2026-01-05T09:00:00Z");
        }
        pod
    }

    #[test]
    fn taking_out_undoes_putting_in() {
        let mut tally = Tally::of(&(0..100).map(pod).collect::<Vec<_>>());
        (0..100).filter(|n| n % 3 != 1).for_each(|n| tally.remove(&pod(n)));
        let rest: Vec<Value> = (0..100).filter(|n| n % 3 == 1).map(pod).collect();
        let mut want = Tally::of(&rest);
        let order = |a: &(Value, usize, usize), b: &(Value, usize, usize)| a.0["app"].str().cmp(b.0["app"].str());
        tally.labels.sort_by(order);
        want.labels.sort_by(order);
        assert_eq!(tally, want);
        assert_eq!(tally.active(), rest.iter().filter(|pod| pods::is_active(pod)).count());
        rest.iter().for_each(|pod| tally.remove(pod));
        assert!(tally.is_empty() && tally.ready.is_empty());
    }
}
