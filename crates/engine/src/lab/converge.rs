//! When what a command declared has come true: the instant of ◉ on the time line.

use crate::api::{object, resource};
use crate::base::{BTreeSet, SmolStr, Span, Time, Value};
use crate::cluster::Cluster;
use crate::store::{Key, Store};
use crate::trace::{Actor, Seq, What};

/// Commands that have returned and whose objects are watched.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    commands: Vec<Command>,
    /// Up to which entry the trace has been looked at.
    seen: Seq,
}

#[derive(Clone, Debug)]
struct Command {
    line: String,
    seq: Seq,
    returned: Seq,
    objects: Vec<Wanted>,
    /// Their keys, to be looked up.
    known: BTreeSet<Key>,
    /// Where the object stands that was not as declared when last looked at.
    awaited: usize,
}

/// Something a command wrote, and what belongs to it: that goes after it, when it is deleted.
#[derive(Clone, Debug)]
struct Wanted {
    key: Key,
    /// Uids of the object and of all that it owned, as far as known.
    owners: BTreeSet<SmolStr>,
    /// One of those that were left when last looked at.
    left: Option<Key>,
}

/// What owns and is owned, owners first.
const OWNED: [&str; 3] = ["jobs.batch", "replicasets.apps", "pods"];

const WORKLOADS: [&str; 3] = ["deployments.apps", "statefulsets.apps", "daemonsets.apps"];

/// After such a run kubelets forget what was before.
const LONGEST_TRIAL: Span = Span::seconds(600);
/// Statuses tell whole seconds.
const MORE: Span = Span::seconds(1);

/// Commands watched at a time.
const MOST: usize = 32;

impl Pending {
    /// A command came back; what it wrote is watched from now on.
    pub fn add(&mut self, line: String, command: Seq, returned: Seq) {
        if self.commands.len() == MOST {
            self.commands.remove(0);
        }
        self.commands.push(Command {
            line,
            seq: command,
            returned,
            objects: Vec::new(),
            known: BTreeSet::new(),
            awaited: 0,
        });
        // Its writes stand between the two entries.
        self.seen = self.seen.min(command);
    }

    pub fn look(&mut self, cluster: &mut Cluster) {
        if self.commands.is_empty() || cluster.trace.last() == self.seen {
            return;
        }
        for entry in cluster.trace.since(self.seen) {
            let What::Write(write) = &entry.what else { continue };
            if entry.actor != Actor::User {
                continue;
            }
            let key = Key {
                resource: write.object.resource.clone(),
                namespace: write.object.namespace.clone(),
                name: write.object.name.clone(),
            };
            // Commands may run side by side, and one of them may be done with: what a command wrote is its own alone.
            let why = cluster.trace.why(entry.seq);
            let root = why.last().filter(|first| matches!(first.what, What::Command { .. })).map(|first| first.seq);
            let of = match root {
                Some(root) => self.commands.iter().position(|command| command.seq == root),
                None => self.commands.iter().position(|command| entry.seq < command.returned),
            };
            if let Some(command) = of.and_then(|place| self.commands.get_mut(place))
                && command.known.insert(key.clone())
            {
                let owners = [write.object.uid.clone()].into_iter().collect();
                command.objects.push(Wanted { key, owners, left: None });
            }
        }
        self.seen = cluster.trace.last();
        let mut index = 0;
        while let Some(command) = self.commands.get_mut(index) {
            if command.objects.is_empty() {
                self.commands.remove(index);
                continue;
            }
            // The one that was not settled before is the likeliest not to be now.
            let (count, awaited) = (command.objects.len(), command.awaited);
            let mut order = (awaited..count).chain(0..awaited);
            let open = order.find(|place| {
                command
                    .objects
                    .get_mut(*place)
                    .is_some_and(|wanted| !wanted.is_settled(&cluster.server.store, cluster.now))
            });
            if let Some(place) = open {
                command.awaited = place;
                index += 1;
            } else {
                let command = self.commands.remove(index);
                let what = What::Converged { line: command.line };
                cluster.trace.push(cluster.now, Actor::Lab, command.returned, what);
            }
        }
        self.seen = cluster.trace.last();
    }
}

impl Wanted {
    fn is_settled(&mut self, store: &Store, now: Time) -> bool {
        match store.get(&self.key) {
            Some(object) => {
                is_settled(&self.key.resource, Some(object), now)
                    && !(WORKLOADS.contains(&&*self.key.resource) && self.has(store, &|one| is_on_trial(one, now)))
            }
            None => !self.has(store, &|_| true),
        }
    }

    /// Whether it owns such an object. Of what is gone, controllers and kubelets take away later what belonged to it.
    fn has(&mut self, store: &Store, is_such: &dyn Fn(&Value) -> bool) -> bool {
        if self.left.as_ref().and_then(|key| store.get(key)).is_some_and(is_such) {
            return true;
        }
        self.left = None;
        for resource in OWNED {
            for (key, object) in store.list(resource, None) {
                let mut owners = object.at(&["metadata", "ownerReferences"]).items().iter();
                if owners.any(|owner| self.owners.contains(owner["uid"].str())) {
                    self.owners.insert(object["metadata"]["uid"].smol());
                    if is_such(object) {
                        self.left = Some(key.clone());
                    }
                }
            }
        }
        self.left.is_some()
    }
}

/// Whether a container has been started again and has not yet run for longer than the last time: in a crash loop, every
/// run looks well at its beginning.
pub fn is_on_trial(pod: &Value, now: Time) -> bool {
    pod["status"]["containerStatuses"].items().iter().any(|container| {
        let last = &container["lastState"]["terminated"];
        let times = [&container["state"]["running"]["startedAt"], &last["startedAt"], &last["finishedAt"]];
        let [Some(since), Some(from), Some(to)] = times.map(object::time) else { return false };
        now - since <= (to - from).min(LONGEST_TRIAL) + MORE
    })
}

/// Whether an object is what its spec declares; an object that is gone is, too.
pub fn is_settled(resource: &str, object: Option<&Value>, now: Time) -> bool {
    let Some(object) = object else { return true };
    if object::is_deleting(object) {
        return false;
    }
    let (spec, status) = (&object["spec"], &object["status"]);
    let observed = status["observedGeneration"].int() >= object.at(&["metadata", "generation"]).int();
    let want = spec["replicas"].as_int().unwrap_or(1);
    if resource == resource::PODS {
        let is_well = object::condition_is(object, "Ready", "True") && !is_on_trial(object, now);
        return is_well || status["phase"].str() == "Succeeded";
    }
    if resource == resource::DEPLOYMENTS {
        let all = ["replicas", "updatedReplicas", "availableReplicas"];
        return observed && (spec["paused"].is_true() || all.iter().all(|field| status[*field].int() == want));
    }
    if resource == resource::REPLICA_SETS || resource == resource::REPLICATION_CONTROLLERS {
        return observed && status["replicas"].int() == want && status["availableReplicas"].int() == want;
    }
    if resource == resource::STATEFUL_SETS {
        return observed && status["updatedReplicas"].int() == want && status["readyReplicas"].int() == want;
    }
    if resource == resource::DAEMON_SETS {
        return observed && status["numberReady"].int() == status["desiredNumberScheduled"].int();
    }
    if resource == resource::JOBS {
        let is_over = |kind| object::condition_is(object, kind, "True");
        return spec["suspend"].is_true() || is_over("Complete") || is_over("Failed");
    }
    if resource == resource::NAMESPACES {
        return status["phase"].str() == "Active";
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::base::Span;
    use crate::cluster::{Preset, Setup};
    use crate::lab::{Input, Lab};
    use crate::trace::What;

    fn lab() -> Lab {
        let mut lab = Lab::new(Setup::new(Preset::Kind));
        lab.advance(lab.now() + Span::seconds(1), u64::MAX);
        lab
    }

    /// Seconds from a command's entry to its ◉, within `seconds` of it.
    fn converged(lab: &mut Lab, line: &str, seconds: i64) -> Option<i64> {
        let (from, seen) = (lab.now(), lab.trace().last());
        lab.input(Input::Line(line.into()));
        lab.advance(from + Span::seconds(seconds), u64::MAX);
        let found = lab.trace().since(seen).find(|entry| matches!(entry.what, What::Converged { .. }));
        found.map(|entry| (entry.at - from).as_seconds())
    }

    #[test]
    fn what_was_started_again_is_true_once_it_has_run_for_longer_than_the_last_time() {
        for (line, expected) in [
            ("kubectl create deployment web --image=nginx:1.29; sleep 60", Some(60)),
            ("kubectl create deployment web --image=busybox -- sh -c 'sleep 5; exit 1'; sleep 60", None),
            ("kubectl run crash --image=busybox -- sh -c 'sleep 5; exit 1'; sleep 60", None),
            ("kubectl create job done --image=busybox -- true; sleep 60", Some(60)),
        ] {
            assert_eq!(converged(&mut lab(), line, 1_000), expected, "{line}");
        }
        let mut lab = lab();
        assert!(converged(&mut lab, "kubectl run web --image=nginx:1.29", 40).is_some_and(|after| after < 10));
        lab.input(Input::Kill("pod/default/web".into()));
        lab.advance(lab.now() + Span::seconds(5), u64::MAX);
        let after = converged(&mut lab, "kubectl label pod web a=b", 100);
        assert!(after.is_some_and(|after| (25..60).contains(&after)), "{after:?}");
    }
}
