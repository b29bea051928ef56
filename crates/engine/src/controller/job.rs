//! The Job controller (batch/v1): pods until enough of them have succeeded or too many have failed.
//!
//! Every pod carries a finalizer until its end is counted: finished pods are noted in the status, lose the finalizer,
//! and are counted in a second write. Left out: adoption.

mod indexes;
mod per_index;
mod policy;
mod record;
mod sync;

use crate::base::BTreeMap;

use crate::api::object;
use crate::api::resource::{JOBS, PODS, PatchKind};
use crate::base::{SmolStr, Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::store::{Change, Key};
use crate::{list, map};

use super::owner::{self, Expected};
use sync::Sync;

const FINALIZER: &str = "batch.kubernetes.io/job-tracking";
/// A running Job is looked at in steps of this.
const STEP: Span = Span::seconds(1);

#[derive(Clone, Debug, Default)]
pub struct Jobs {
    expected: Expected,
    records: BTreeMap<Key, record::Record>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    /// Null when the Job is gone: its pods lose their finalizer.
    job: Value,
    pods: Vec<Value>,
    /// When the next pod may be made after failures.
    back_off: Option<Time>,
    now: Time,
}

fn is_tracked(pod: &Value) -> bool {
    pod["metadata"]["finalizers"].items().iter().any(|one| one.str() == FINALIZER)
}

/// A pod on its way out has failed already, unless only failed ones are replaced.
fn is_failed(job: &Value, pod: &Value) -> bool {
    match pod["status"]["phase"].str() {
        "Failed" => true,
        "Succeeded" => false,
        _ => object::is_deleting(pod) && !replaces_failed_only(job),
    }
}

fn replaces_failed_only(job: &Value) -> bool {
    let spec = &job["spec"];
    spec["podReplacementPolicy"].str() == "Failed" || !spec["podFailurePolicy"].is_null()
}

pub fn is_finished(job: &Value) -> bool {
    ["Complete", "Failed"].iter().any(|kind| object::condition_is(job, kind, "True"))
}

impl Reconciler for Jobs {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == JOBS {
            let generation = |job: &Value| job["metadata"]["generation"].int();
            let is_news = change.after.is_null() || generation(&change.before) != generation(&change.after);
            add(change.key.clone(), if is_news { Span::ZERO } else { STEP });
        } else if change.key.resource == PODS {
            let pod = if change.after.is_null() { &change.before } else { &change.after };
            if let Some(key) = owner::of(pod, &JOBS, "Job") {
                let wait = if see.get(&key).is_some() { STEP } else { Span::ZERO };
                add(key, wait);
            }
        }
    }

    fn expect(&mut self, key: &Key, revision: u64) {
        self.expected.expect(key, revision);
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let Some(job) = see.get(key) else {
            self.expected.forget(key);
            self.records.remove(key);
            let lost: Vec<Value> = see
                .list(&PODS, Some(&key.namespace))
                .map(|(_, pod)| pod)
                .filter(|pod| is_tracked(pod) && owner::of(pod, &JOBS, "Job").as_ref() == Some(key))
                .cloned()
                .collect();
            return (!lost.is_empty()).then_some(Inputs { job: Value::Null, pods: lost, back_off: None, now });
        };
        let managed_elsewhere = !matches!(job["spec"]["managedBy"].str(), "" | "kubernetes.io/job-controller");
        if managed_elsewhere || is_finished(job) {
            self.records.remove(key);
            return None;
        }
        if !self.expected.is_met(see, key) {
            return None;
        }
        let pods: Vec<Value> = see.owned(object::uid(job), &PODS).map(|(_, pod)| pod.clone()).collect();
        let record = self.records.entry(key.clone()).or_default();
        record.update(job, &pods);
        Some(Inputs { job: job.clone(), pods, back_off: record.until(), now })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        if inputs.job.is_null() {
            return let_go(&inputs.pods.iter().collect::<Vec<_>>(), io);
        }
        Sync::new(inputs).run(io)
    }
}

/// Takes the finalizer off.
fn let_go(pods: &[&Value], io: &mut Io<'_>) -> Result<(), Stop> {
    let patch = |pod: &&Value| {
        let body = map! { "metadata" => map! {
            "uid" => object::uid(pod), "$deleteFromPrimitiveList/finalizers" => list![FINALIZER],
        } };
        io.client.patch(&PODS, object::namespace(pod), object::name(pod), "", PatchKind::Strategic, body)
    };
    let requests = pods.iter().map(patch).collect();
    for answer in io.send_all(requests)? {
        if !answer.ok() && answer.code != 404 {
            return Err(Stop::Retry(answer.value()["message"].str().into()));
        }
    }
    Ok(())
}

/// How a Job ends: the condition that says so first, the one that says so last, reason and message.
struct Verdict {
    first: &'static str,
    last: &'static str,
    reason: SmolStr,
    message: SmolStr,
}

impl Verdict {
    fn failed(reason: &str, message: &str) -> Verdict {
        Verdict { first: "FailureTarget", last: "Failed", reason: reason.into(), message: message.into() }
    }

    fn reached() -> Verdict {
        Verdict {
            first: "SuccessCriteriaMet",
            last: "Complete",
            reason: "CompletionsReached".into(),
            message: "Reached expected number of succeeded pods".into(),
        }
    }

    /// The success policy holds.
    fn suffices(message: &str) -> Verdict {
        Verdict { reason: "SuccessPolicy".into(), message: message.into(), ..Verdict::reached() }
    }

    fn of(condition: &Value) -> Verdict {
        let failed = condition["type"].str() == "FailureTarget";
        let (first, last) = if failed { ("FailureTarget", "Failed") } else { ("SuccessCriteriaMet", "Complete") };
        Verdict { first, last, reason: condition["reason"].smol(), message: condition["message"].smol() }
    }
}
