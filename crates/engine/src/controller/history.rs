//! ControllerRevisions: the templates a StatefulSet or DaemonSet has had, numbered.

use super::owner::Family;
use crate::api::object;
use crate::api::resource::CONTROLLER_REVISIONS;
use crate::base::Value;
use crate::informer::{Caches, Io, Stop};
use crate::map;

/// The revision of today's template, and the others.
pub struct History {
    pub current: Value,
    pub old: Vec<Value>,
}

pub fn number(revision: &Value) -> i64 {
    revision["revision"].int()
}

/// Those of a set, and those of nobody it selects.
pub fn revisions(family: &Family, see: &Caches, set: &Value) -> Vec<Value> {
    let kind = CONTROLLER_REVISIONS;
    let mine = see.owned(object::uid(set), &kind).map(|(_, revision)| revision);
    mine.chain(family.orphans(see, set, &kind)).cloned().collect()
}

/// By number, then by age and name.
pub fn sort(revisions: &mut [Value]) {
    let rank = |one: &Value| (number(one), object::created(one));
    revisions.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| object::name(a).cmp(object::name(b))));
}

/// The ControllerRevision of a template; its number is still to be written.
pub fn snapshot(family: &Family, set: &Value, hash: &str, hash_label: &str, data: Value) -> Value {
    let mut labels = set.at(&["spec", "template", "metadata", "labels"]).clone();
    labels.set(&[hash_label], hash);
    let mut meta = map! {
        "name" => format!("{}-{hash}", object::name(set).chars().take(223).collect::<String>()),
        "namespace" => object::namespace(set), "labels" => labels,
        "ownerReferences" => vec![object::owned_by(set, family.api_version, family.kind)],
    };
    let annotations = set["metadata"].get("annotations");
    if !annotations.is_empty() {
        meta.set(&["annotations"], annotations);
    }
    map! { "apiVersion" => "apps/v1", "kind" => "ControllerRevision", "metadata" => meta, "data" => data }
}

impl History {
    /// Makes today's template the newest revision: a new one, or an older one with the next number.
    pub fn bring_up(
        family: &Family,
        set: &Value,
        mut revisions: Vec<Value>,
        mut new: Value,
        io: &mut Io<'_>,
    ) -> Result<History, Stop> {
        sort(&mut revisions);
        let next = revisions.last().map_or(0, number) + 1;
        let Some(equal) = revisions.iter().rposition(|one| one["data"] == new["data"]) else {
            new.set(&["revision"], next);
            let answer = io.send(io.client.create(&CONTROLLER_REVISIONS, object::namespace(set), new))?;
            if answer.ok() {
                io.expect(answer.value());
                return Ok(History { current: answer.value().clone(), old: revisions });
            }
            if answer.value()["reason"].str() == "AlreadyExists" {
                let mut set = set.clone();
                let count = set["status"]["collisionCount"].int().saturating_add(1);
                set.set(&["status", "collisionCount"], count);
                io.must(io.client.update(&family.resource, "status", set))?;
            }
            return Err(Stop::Retry(answer.value()["message"].str().into()));
        };
        let is_newest = equal + 1 == revisions.len();
        let mut current = revisions.remove(equal);
        if !is_newest {
            current.set(&["revision"], next);
            current = io.must(io.client.update(&CONTROLLER_REVISIONS, "", current))?;
            io.expect(&current);
        }
        Ok(History { current, old: revisions })
    }

    /// Deletes the oldest revisions beyond the limit, but for those still in use.
    pub fn cut(&self, limit: i64, is_live: impl Fn(&Value) -> bool, io: &mut Io<'_>) -> Result<(), Stop> {
        let idle: Vec<&Value> = self.old.iter().filter(|one| !is_live(one)).collect();
        let surplus = idle.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
        for revision in idle.into_iter().take(surplus) {
            let (namespace, name) = (object::namespace(revision), object::name(revision));
            io.send(io.client.delete(&CONTROLLER_REVISIONS, namespace, name, Value::Null))?;
        }
        Ok(())
    }
}
