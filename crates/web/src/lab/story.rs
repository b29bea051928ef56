//! The trace as a person follows it: routine work (leases, system namespaces, heartbeats) is left out, spans have both
//! ends, and every command knows when it returned and when its objects were as declared.

use std::collections::{BTreeMap, VecDeque};

use engine::api::{resource, schema};
use engine::base::{SmolStr, Span, Time, Value};
pub use engine::lab::is_system_namespace;
use engine::trace::{Actor, Entry, ObjectRef, Seq, Trace, What, Write};

const MOST_MARKS: usize = 1_500;
const MOST_RUNS: usize = 64;
/// What comes so soon after its like is one burst, of which so many are told one by one.
const BURST_PAUSE: Span = Span::millis(100);
const BURST: u32 = 8;

#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    pub seq: Seq,
    pub at: Time,
    /// For spans that have ended.
    pub until: Option<Time>,
    pub actor: Actor,
    pub cause: Seq,
    pub kind: Kind,
    pub object: ObjectRef,
    /// Names, phases, messages: never translated.
    pub detail: String,
    /// How many more of its kind followed at once: a burst is told by one mark and a number.
    pub more: u32,
}

impl Mark {
    /// On whose lane it stands: what converged belongs to the command that asked.
    pub fn speaker(&self) -> Actor {
        if self.kind == Kind::Converged { Actor::User } else { self.actor }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Command,
    Returned(i32),
    Converged,
    Created,
    Changed,
    Bound,
    Seen,
    Deleting,
    Deleted,
    Refused(u16),
    Span,
    Started,
    Stopped(i32),
    /// A cluster event: what it says.
    Told {
        is_warning: bool,
    },
    /// Somebody began to look at an object.
    Look,
    Note,
}

/// A command and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub seq: Seq,
    pub line: String,
    pub from: Time,
    pub returned: Option<(Time, Seq, i32)>,
    /// Whether it wrote anything: only then there is something to converge.
    pub wrote: bool,
    pub converged: Option<Time>,
}

#[derive(Clone, Debug, Default)]
pub struct Story {
    pub marks: VecDeque<Mark>,
    pub runs: Vec<Run>,
    /// Whether old marks have been dropped.
    pub was_cut: bool,
    seen: Seq,
    begun: bool,
    /// Of each actor, kind and resource: when one came last, and how many came at once.
    bursts: BTreeMap<(Actor, Kind, SmolStr), (Time, u32)>,
}

impl Story {
    /// Takes in what is new; true when there was something to tell.
    pub fn follow(&mut self, trace: &Trace) -> bool {
        let before = self.marks.back().map(|mark| mark.seq);
        for entry in trace.since(self.seen) {
            self.take(entry);
        }
        self.seen = trace.last();
        while self.marks.len() > MOST_MARKS {
            self.marks.pop_front();
            self.was_cut = true;
        }
        self.marks.back().map(|mark| mark.seq) != before
    }

    /// The setup of the cluster is not part of the story.
    pub fn skip(&mut self, trace: &Trace) {
        self.seen = trace.last();
    }

    /// The number of the newest mark.
    pub fn last(&self) -> Seq {
        self.marks.back().map_or(0, |mark| mark.seq)
    }

    pub fn is_converging(&self) -> bool {
        self.runs.iter().any(|run| run.wrote && run.converged.is_none())
    }

    fn take(&mut self, entry: &Entry) {
        match &entry.what {
            What::Command { line } => {
                self.begun = true;
                self.runs.push(Run {
                    seq: entry.seq,
                    line: line.clone(),
                    from: entry.at,
                    returned: None,
                    wrote: false,
                    converged: None,
                });
                if self.runs.len() > MOST_RUNS {
                    self.runs.remove(0);
                }
            }
            What::Returned { line, code } => {
                let mut runs = self.runs.iter_mut().rev();
                if let Some(run) = runs.find(|run| run.returned.is_none() && run.line == *line) {
                    run.returned = Some((entry.at, entry.seq, *code));
                }
            }
            What::Converged { .. } => {
                let run = self.runs.iter_mut().find(|run| run.returned.is_some_and(|(_, seq, _)| seq == entry.cause));
                if let Some(run) = run {
                    run.converged = Some(entry.at);
                }
            }
            What::Write(write) => {
                if entry.actor == Actor::User {
                    // Commands may run side by side: the one that is the cause, or else the latest.
                    let is_open = |run: &Run| run.returned.is_none();
                    let caused = self.runs.iter().rposition(|run| is_open(run) && run.seq == entry.cause);
                    let place = caused.or_else(|| self.runs.iter().rposition(is_open));
                    if let Some(run) = place.and_then(|place| self.runs.get_mut(place)) {
                        run.wrote = true;
                    }
                }
                if write.object.resource == resource::EVENTS {
                    return self.take_event(entry, write);
                }
                if is_routine(write) {
                    return;
                }
            }
            // A controller that wrote about an outdated object tries again at once.
            What::Refused { code: 409, .. } if entry.actor != Actor::User => return,
            What::Begin { object, .. } | What::Started { object, .. } | What::Stopped { object, .. }
                if is_system(object) =>
            {
                return;
            }
            What::End { name, object, .. } => return self.end(name, object, entry.at),
            What::Sync { .. } => return,
            // Health checks go on for ever.
            What::Mark { text, .. } if entry.actor == Actor::Docker && text.starts_with("container exec_") => return,
            _ => {}
        }
        self.put(mark(entry));
    }

    fn put(&mut self, mark: Mark) {
        if !self.begun {
            return;
        }
        let key = (mark.actor, mark.kind, mark.object.resource.clone());
        let (last, count) = self.bursts.get(&key).copied().unwrap_or_default();
        let count = if mark.at - last <= BURST_PAUSE { count + 1 } else { 0 };
        self.bursts.insert(key, (mark.at, count));
        let is_same = |other: &&mut Mark| {
            other.actor == mark.actor && other.kind == mark.kind && other.object.resource == mark.object.resource
        };
        let told = self.marks.iter_mut().rev().take(64).find(is_same);
        match told.filter(|_| count > BURST) {
            Some(told) => told.more += 1,
            None => self.marks.push_back(mark),
        }
    }

    /// A span that is open ends.
    fn end(&mut self, name: &str, object: &ObjectRef, at: Time) {
        let open = self.marks.iter_mut().rev().find(|mark| {
            mark.kind == Kind::Span
                && mark.until.is_none()
                && mark.object.uid == object.uid
                && mark.detail.split(' ').next() == Some(name)
        });
        if let Some(open) = open {
            open.until = Some(at);
        }
    }

    /// A kubelet tells of pulls and starts by events; other warnings are worth a mark the first time.
    fn take_event(&mut self, entry: &Entry, write: &Write) {
        let mut told = mark(entry);
        if is_system(&write.object) || told.object.resource == resource::NODES {
            return;
        }
        let (reason, message) = (write.after["reason"].str(), write.after["message"].str());
        match reason {
            "Pulling" => {
                let image = message.split('"').nth(1).unwrap_or_default();
                (told.kind, told.detail) = (Kind::Span, format!("pull {image}"));
            }
            "Pulled" => return self.end("pull", &told.object, entry.at),
            "Failed" => {
                if message.contains("pull") {
                    self.end("pull", &told.object, entry.at);
                }
                return;
            }
            "Started" => {
                let container = write.after["involvedObject"]["fieldPath"].str().split(['{', '}']).nth(1);
                (told.kind, told.detail) = (Kind::Started, container.unwrap_or_default().to_string());
            }
            _ if write.verb == "create" && told.kind == (Kind::Told { is_warning: true }) => {}
            _ => return,
        }
        self.put(told);
    }
}

/// An entry as a mark of its own.
pub fn mark(entry: &Entry) -> Mark {
    let nothing = ObjectRef::default();
    let (kind, object, detail) = match &entry.what {
        What::Command { line } => (Kind::Command, &nothing, line.clone()),
        What::Returned { line, code } => (Kind::Returned(*code), &nothing, line.clone()),
        What::Converged { line } => (Kind::Converged, &nothing, line.clone()),
        What::Write(write) if write.object.resource == resource::EVENTS => {
            let about = &write.after["involvedObject"];
            let (group, version) = schema::group_version(about["apiVersion"].str());
            let known = schema::kind(group, version, about["kind"].str());
            let object = ObjectRef {
                resource: known.map(|kind| kind.qualified_resource()).unwrap_or_default().into(),
                namespace: about["namespace"].smol(),
                name: about["name"].smol(),
                uid: about["uid"].smol(),
            };
            let kind = Kind::Told { is_warning: write.after["type"].str() == "Warning" };
            let detail = format!("{}: {}", write.after["reason"].str(), write.after["message"].str());
            return Mark { object, detail, ..plain(entry, kind) };
        }
        What::Write(write) => {
            let (kind, detail) = told(write);
            (kind, &write.object, detail)
        }
        What::Refused { object, code, message, .. } => (Kind::Refused(*code), &**object, message.clone()),
        What::Begin { name, object, detail } | What::End { name, object, detail } => {
            (Kind::Span, &**object, format!("{name} {detail}").trim_end().to_string())
        }
        What::Started { object, container } => (Kind::Started, &**object, container.to_string()),
        What::Stopped { object, container, code } => (Kind::Stopped(*code), &**object, container.to_string()),
        What::Sync { object } => (Kind::Look, &**object, String::new()),
        What::Mark { text, .. } => (Kind::Note, &nothing, text.clone()),
    };
    let mark = Mark { object: object.clone(), detail, ..plain(entry, kind) };
    if entry.actor == Actor::Docker { container(mark) } else { mark }
}

/// Docker tells of everything in words (`container create web`); what changes a container becomes a sign of its own.
fn container(mut mark: Mark) -> Mark {
    if mark.kind != Kind::Note {
        return mark;
    }
    let Some(rest) = mark.detail.strip_prefix("container ") else { return mark };
    let (kind, name, detail) = match rest.split(' ').collect::<Vec<_>>()[..] {
        ["create", name] => (Kind::Created, name, ""),
        ["destroy", name] => (Kind::Deleted, name, ""),
        ["health_status:", word, name] => (Kind::Seen, name, word),
        _ => return mark,
    };
    mark.object = ObjectRef { resource: "containers".into(), name: name.into(), ..ObjectRef::default() };
    (mark.kind, mark.detail) = (kind, detail.to_string());
    mark
}

/// Whether a command line is Terraform's.
pub fn is_terraform(line: &str) -> bool {
    line.contains("terraform") || line.starts_with("docker")
}

fn plain(entry: &Entry, kind: Kind) -> Mark {
    Mark {
        seq: entry.seq,
        at: entry.at,
        until: None,
        actor: entry.actor,
        cause: entry.cause,
        kind,
        object: ObjectRef::default(),
        detail: String::new(),
        more: 0,
    }
}

fn is_system(object: &ObjectRef) -> bool {
    is_system_namespace(&object.namespace)
}

/// Work that never ends and says nothing about what was asked for.
fn is_routine(write: &Write) -> bool {
    let object = &write.object;
    if is_system(object) || object.resource == resource::LEASES {
        return true;
    }
    let ready = |node: &Value| engine::api::object::condition(node, "Ready").map(|c| c["status"].smol());
    object.resource == resource::NODES && !write.before.is_null() && ready(&write.before) == ready(&write.after)
}

fn told(write: &Write) -> (Kind, String) {
    let (before, after) = (&write.before, &write.after);
    match write.verb {
        "create" if write.subresource.is_empty() => (Kind::Created, String::new()),
        "delete" => (Kind::Deleted, String::new()),
        "mark" => (Kind::Deleting, String::new()),
        _ if write.subresource == "binding" => (Kind::Bound, after["spec"]["nodeName"].str().to_string()),
        _ if before["spec"] == after["spec"] && before["status"] != after["status"] => {
            (Kind::Seen, change(&write.object.resource, before, after))
        }
        _ => (Kind::Changed, change(&write.object.resource, before, after)),
    }
}

/// The one change that says most: a pod's phase word, else counts that moved.
fn change(resource: &str, before: &Value, after: &Value) -> String {
    if resource == resource::PODS {
        let (old, new) = (super::view::pod_word(before), super::view::pod_word(after));
        return if old == new { new } else { format!("{old} → {new}") };
    }
    const FIELDS: [(&str, &str); 6] = [
        ("spec", "replicas"),
        ("status", "readyReplicas"),
        ("status", "availableReplicas"),
        ("status", "updatedReplicas"),
        ("status", "replicas"),
        ("status", "observedGeneration"),
    ];
    let moved = FIELDS.iter().filter(|(part, field)| before[*part][*field].int() != after[*part][*field].int());
    let told = moved
        .take(2)
        .map(|(part, field)| format!("{field} {} → {}", before[*part][*field].int(), after[*part][*field].int()));
    told.collect::<Vec<_>>().join(", ")
}
