//! backoffLimitPerIndex: failures are counted index by index. The last failed pod of an index keeps its finalizer until
//! its replacement has taken over the count, as an annotation.

use crate::base::{BTreeMap, BTreeSet};

use super::{indexes, is_failed, is_tracked, policy, record};
use crate::api::object;
use crate::base::{Time, Value};

const FAILURES: &str = "batch.kubernetes.io/job-index-failure-count";
const IGNORED: &str = "batch.kubernetes.io/job-index-ignored-failure-count";

#[derive(Debug)]
pub(super) struct PerIndex<'a> {
    pub(super) failed: BTreeSet<i64>,
    /// The failed pod of each index that waits for its replacement.
    waiting: BTreeMap<i64, &'a Value>,
}

impl<'a> PerIndex<'a> {
    /// `None` for a Job that counts all failures together.
    pub(super) fn of(job: &Value, pods: &'a [Value], done: &BTreeSet<i64>, active: &[&Value]) -> Option<PerIndex<'a>> {
        let spec = &job["spec"];
        let limit = spec["backoffLimitPerIndex"].as_int()?;
        let completions = spec["completions"].int();
        let mut failed = indexes::parse(job["status"]["failedIndexes"].str(), completions);
        let ended: Vec<(i64, &Value)> = pods
            .iter()
            .filter(|pod| is_tracked(pod) && is_failed(job, pod))
            .filter_map(|pod| Some((indexes::of_pod(pod, completions)?, pod)))
            .collect();
        for (index, pod) in &ended {
            let action = policy::action(job, pod);
            if action == "FailIndex" || (action != "Ignore" && count(pod, FAILURES) >= limit) {
                failed.insert(*index);
            }
        }
        let running: BTreeSet<i64> = active.iter().filter_map(|pod| indexes::of_pod(pod, completions)).collect();
        let mut waiting: BTreeMap<i64, &Value> = BTreeMap::new();
        for (index, pod) in ended {
            if done.contains(&index) || failed.contains(&index) || running.contains(&index) {
                continue;
            }
            let rank = |pod: &Value| (all(pod), record::ended_at(pod));
            if waiting.get(&index).is_none_or(|last| rank(last) <= rank(pod)) {
                waiting.insert(index, pod);
            }
        }
        Some(PerIndex { failed, waiting })
    }

    pub(super) fn holds(&self, pod: &Value) -> bool {
        self.waiting.values().any(|one| object::uid(one) == object::uid(pod))
    }

    /// When the next pod of an index may be made.
    pub(super) fn until(&self, index: i64) -> Option<Time> {
        self.waiting.get(&index).map(|pod| record::after(record::ended_at(pod), all(pod).saturating_add(1)))
    }

    /// Notes on the new pod of an index how often it has failed.
    pub(super) fn note(&self, job: &Value, index: i64, new: &mut Value) {
        let (mut counted, mut ignored) = (0_i64, 0_i64);
        if let Some(last) = self.waiting.get(&index) {
            (counted, ignored) = (count(last, FAILURES), count(last, IGNORED));
            let more = if policy::action(job, last) == "Ignore" { &mut ignored } else { &mut counted };
            *more = more.saturating_add(1);
        }
        new.set(&["metadata", "annotations", FAILURES], counted.to_string());
        if ignored > 0 {
            new.set(&["metadata", "annotations", IGNORED], ignored.to_string());
        }
    }
}

fn count(pod: &Value, annotation: &str) -> i64 {
    object::annotation(pod, annotation).parse().unwrap_or(0)
}

fn all(pod: &Value) -> i64 {
    count(pod, FAILURES).saturating_add(count(pod, IGNORED))
}
