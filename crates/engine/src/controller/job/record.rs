//! How long to wait after failures: ten seconds, doubled by each one more, ten minutes at most.

use crate::base::BTreeSet;

use super::{is_failed, is_tracked};
use crate::api::object;
use crate::base::{SmolStr, Span, Time, Value};

const BACK_OFF: Span = Span::seconds(10);
const MOST_BACK_OFF: Span = Span::seconds(600);

/// The failures of a Job since its last success. The controller remembers them: a deleted pod counts on.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    failures: i64,
    last: Option<Time>,
    /// Ended pods that are in the numbers, as long as they exist.
    seen: BTreeSet<SmolStr>,
}

impl Record {
    /// Takes in the pods that have ended since.
    pub(super) fn update(&mut self, job: &Value, pods: &[Value]) {
        self.seen.retain(|uid| pods.iter().any(|pod| object::uid(pod) == uid.as_str()));
        let (mut succeeded, mut failed): (Option<Time>, Vec<Time>) = (None, Vec::new());
        for pod in pods.iter().filter(|pod| is_tracked(pod)) {
            let is_success = pod["status"]["phase"].str() == "Succeeded";
            if (!is_success && !is_failed(job, pod)) || !self.seen.insert(object::uid(pod).into()) {
                continue;
            }
            match is_success {
                true => succeeded = succeeded.max(Some(ended_at(pod))),
                false => failed.push(ended_at(pod)),
            }
        }
        if let Some(success) = succeeded {
            (self.failures, self.last) = (0, None);
            failed.retain(|at| *at > success);
        }
        if let Some(last) = failed.iter().max() {
            self.failures = self.failures.saturating_add(failed.len() as i64);
            self.last = Some(*last);
        }
    }

    /// When the next pod may be made.
    pub(super) fn until(&self) -> Option<Time> {
        self.last.map(|last| after(last, self.failures))
    }
}

/// When the next try may start, that many failures and the last of them at `last`.
pub(super) fn after(last: Time, failures: i64) -> Time {
    let doubled = failures.saturating_sub(1).clamp(0, 16) as u32;
    last + Span(BACK_OFF.0.saturating_mul(1 << doubled)).min(MOST_BACK_OFF)
}

/// When the last container ended; else when the pod got unready, was deleted, was made.
pub(super) fn ended_at(pod: &Value) -> Time {
    let meta = &pod["metadata"];
    let of_containers = || {
        let statuses = pod["status"]["containerStatuses"].items().iter();
        let times: Option<Vec<Time>> =
            statuses.map(|one| object::time(&one["state"]["terminated"]["finishedAt"])).collect();
        times?.into_iter().max()
    };
    let unready = || {
        let ready = object::condition(pod, "Ready").filter(|ready| ready["status"].str() == "False")?;
        object::time(&ready["lastTransitionTime"])
    };
    let deleted = || {
        let grace = meta["deletionGracePeriodSeconds"].int().clamp(0, 1_000_000_000);
        object::time(&meta["deletionTimestamp"]).map(|at| at + Span::seconds(-grace))
    };
    let made = || object::time(&meta["creationTimestamp"]);
    of_containers().or_else(unready).or_else(deleted).or_else(made).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_after_failures() {
        for (failures, seconds) in [(1, 10), (2, 20), (3, 40), (6, 320), (7, 600), (1000, 600)] {
            assert_eq!(after(Time::default(), failures) - Time::default(), Span::seconds(seconds), "{failures}");
        }
    }
}
