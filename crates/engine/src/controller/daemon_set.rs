//! The DaemonSet controller: one pod on every node that fits, replaced node by node when the template changes.
//!
//! Left out: adoption of ControllerRevisions, the deprecated template generation as a sign of being up to date.

mod place;
mod plan;

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;

use super::hash;
use super::history::{self, History};
use super::owner::{self, Expected, Family};
use crate::api::object;
use crate::api::resource::{CONTROLLER_REVISIONS, DAEMON_SETS, NODES, PODS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, EventType, Io, Reconciler, Stop};
use crate::store::{Change, Key};

const FAMILY: Family =
    Family { resource: DAEMON_SETS, api_version: "apps/v1", kind: "DaemonSet", selects: owner::selects };
const HASH: &str = "controller-revision-hash";
/// How soon another failed pod of a node is replaced: doubles from the first to the last.
const BACK_OFF: Span = Span::seconds(1);
const MOST_BACK_OFF: Span = Span::seconds(900);

#[derive(Clone, Debug, Default)]
pub struct DaemonSets {
    expected: Expected,
    /// Set (by uid) and node: the wait after the last failed pod there, and when that was.
    failures: BTreeMap<(SmolStr, SmolStr), (Span, Time)>,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    set: Value,
    /// Its pods and orphans it may take in.
    pods: Vec<Value>,
    revisions: Vec<Value>,
    nodes: Vec<Value>,
    /// The caches hold all that earlier syncs did.
    settled: bool,
    /// Nodes whose failed pods must wait, and for how long.
    waits: BTreeMap<SmolStr, Span>,
    now: Time,
}

impl Reconciler for DaemonSets {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let (before, after) = (&change.before, &change.after);
        if change.key.resource == DAEMON_SETS {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == CONTROLLER_REVISIONS {
            if let Some(key) = FAMILY.owner(before)
                && after.is_null()
            {
                add(key, Span::ZERO);
            }
        } else if change.key.resource == PODS {
            FAMILY.wakes_when_available(see, change, add);
            FAMILY.wakes(see, change, add);
        } else if change.key.resource == NODES {
            let what = |node: &Value| (node["metadata"]["labels"].clone(), node["spec"]["taints"].clone());
            if before.is_null() || after.is_null() || what(before) != what(after) {
                see.list(&DAEMON_SETS, None).for_each(|(key, _)| add(key.clone(), Span::ZERO));
            }
        }
    }

    fn expect(&mut self, key: &Key, revision: u64) {
        self.expected.expect(key, revision);
    }

    fn inputs(&mut self, see: &Caches, key: &Key, now: Time) -> Option<Inputs> {
        let Some(set) = see.get(key) else {
            self.expected.forget(key);
            return None;
        };
        let uid = object::uid(set);
        let settled = self.expected.is_met(see, key);
        let mut pods: Vec<Value> = see.owned(uid, &PODS).map(|(_, pod)| pod.clone()).collect();
        pods.extend(FAMILY.orphans(see, set, &PODS).cloned());
        let failed: BTreeSet<SmolStr> = pods
            .iter()
            .filter(|pod| pod["status"]["phase"].str() == "Failed" && !object::is_deleting(pod))
            .map(|pod| place::node_of(pod).into())
            .collect();
        let mut waits = BTreeMap::new();
        if settled {
            self.failures.retain(|_, (wait, at)| now - *at <= Span(wait.0.saturating_mul(2).max(MOST_BACK_OFF.0)));
            for node in failed {
                let (wait, at) = self.failures.entry((uid.into(), node.clone())).or_insert((Span::ZERO, now));
                if now - *at < *wait {
                    waits.insert(node, *wait);
                } else {
                    *wait = Span(wait.0.saturating_mul(2)).max(BACK_OFF).min(MOST_BACK_OFF);
                    *at = now;
                }
            }
        }
        Some(Inputs {
            set: set.clone(),
            pods,
            revisions: history::revisions(&FAMILY, see, set),
            nodes: see.list(&NODES, None).map(|(_, node)| node.clone()).collect(),
            settled,
            waits,
            now,
        })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let set = &inputs.set;
        let selector = set["spec"].get("selector");
        if selector["matchLabels"].is_empty() && selector["matchExpressions"].is_empty() {
            let text = "This daemon set is selecting all pods. A non-empty selector is required.";
            io.event(set, EventType::Warning, "SelectingAll", text);
            return Ok(());
        }
        if object::is_deleting(set) {
            return Ok(());
        }
        let template = set["spec"].get("template");
        let of_template = hash::of_template(template, set["status"]["collisionCount"].as_int());
        let revisions = FAMILY.claim(set, &CONTROLLER_REVISIONS, &inputs.revisions, io)?;
        let snapshot = history::snapshot(&FAMILY, set, &of_template, HASH, hash::revision_data(template));
        let history = History::bring_up(&FAMILY, set, revisions, snapshot, io)?;
        let hash = object::label(&history.current, HASH).to_owned();
        let mine = FAMILY.claim(set, &PODS, &inputs.pods, io)?;
        let mut sync = plan::Sync::new(inputs, mine, &hash);
        let done = match inputs.settled {
            true => {
                let done = sync.run(io)?;
                if done.is_ok() {
                    let limit = set["spec"]["revisionHistoryLimit"].as_int().unwrap_or(10);
                    history.cut(limit, |one| sync.lives(object::label(one, HASH)), io)?;
                }
                done
            }
            false => Ok(()),
        };
        sync.write_status(io)?;
        done.map_err(Stop::Retry)
    }
}
