//! TTL after finished: Jobs with `ttlSecondsAfterFinished` go when their time is over.

use super::job::is_finished;
use crate::api::object;
use crate::api::resource::JOBS;
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

#[derive(Clone, Debug, Default)]
pub struct TtlAfterFinished;

/// When a finished Job is to go.
fn due(job: &Value) -> Option<Time> {
    let seconds = job["spec"]["ttlSecondsAfterFinished"].as_int()?;
    let ends = ["Complete", "Failed"].iter().filter_map(|kind| object::condition(job, kind));
    let end =
        ends.filter(|end| end["status"].str() == "True").find_map(|end| object::time(&end["lastTransitionTime"]))?;
    Some(end + Span::seconds(seconds))
}

impl Reconciler for TtlAfterFinished {
    type Inputs = (Value, Time);

    fn wakes(&mut self, _see: &Caches, change: &Change, now: Time, add: &mut dyn FnMut(Key, Span)) {
        if change.key.resource == JOBS
            && let Some(at) = due(&change.after)
        {
            add(change.key.clone(), (at - now).max(Span::ZERO));
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<(Value, Time)> {
        let job = see.get(key).filter(|job| is_finished(job) && !object::is_deleting(job))?;
        due(job).map(|at| (job.clone(), at))
    }

    fn reconcile(&self, (job, at): &(Value, Time), io: &mut Io<'_>) -> Result<(), Stop> {
        if *at > io.now() {
            io.again_after(*at - io.now());
            return Ok(());
        }
        let options = map! {
            "kind" => "DeleteOptions", "apiVersion" => "v1", "propagationPolicy" => "Foreground",
            "preconditions" => map! { "uid" => object::uid(job) },
        };
        io.send(io.client.delete(&JOBS, object::namespace(job), object::name(job), options))?;
        Ok(())
    }
}
