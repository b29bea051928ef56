//! One instance of a resource while applying: made, changed, destroyed.

use crate::base::{BTreeMap, BTreeSet};

use super::evaluate::complaint_range;
use super::event::{Event, Happening, id_of, id_or_name};
use super::graph::Item;
use super::proposed::proposed;
use super::walk::{MachineFiles, Stage, Task, Walk, static_name};
use crate::base::{SmolStr, Time};
use crate::process::{Sys, Wait};
use crate::terraform::address::{InstanceAddress, Key, Mode, ResourceAddress};
use crate::terraform::hcl::{Diagnostic, has_errors};
use crate::terraform::plan::{Action, ResourceChange};
use crate::terraform::provider::Doing;
use crate::terraform::state::{Object, mark};
use crate::terraform::value::{Marks, Type, Value};

const MOST_EDGES: usize = 10_000;

impl Walk {
    /// Nodes that destroy, in the order that dependencies ask for.
    pub(super) fn add_destroys(&mut self) {
        let changes = self.plan.changes.clone();
        let gone = |change: &ResourceChange| change.action == Action::Delete || change.action.is_replace();
        let mut nodes: Vec<(usize, usize)> = Vec::new();
        for (i, _) in changes.iter().enumerate().filter(|(_, change)| gone(change)) {
            self.graph.add(&[], Item::Destroy(i));
            if let Some(node) = self.graph.find(&[], &Item::Destroy(i)) {
                nodes.push((i, node));
            }
        }
        let dependencies = self.dependencies();
        let moving: BTreeSet<&ResourceAddress> = changes
            .iter()
            .filter(|change| matches!(change.action, Action::Create | Action::Update))
            .map(|change| &change.address.resource)
            .collect();
        let mut going: BTreeMap<&ResourceAddress, Vec<usize>> = BTreeMap::new();
        for &(i, node) in &nodes {
            if let Some(change) = changes.get(i) {
                going.entry(&change.address.resource).or_default().push(node);
            }
        }
        // Thousands that wait for thousands wait for one node between them.
        let mut between: BTreeMap<&ResourceAddress, usize> = BTreeMap::new();
        let mut joined: BTreeSet<(usize, &ResourceAddress)> = BTreeSet::new();
        for &(i, node) in &nodes {
            let Some(change) = changes.get(i) else { continue };
            let made = self.node_of(&change.address.resource);
            if change.action == Action::DeleteThenCreate
                && let Some(made) = made
            {
                self.graph.need(made, node);
            }
            if change.action == Action::CreateThenDelete
                && let Some(made) = made
            {
                self.graph.need(node, made);
                // Whoever uses the old object lets go of it first.
                for user in self.graph.users(made) {
                    let resource = matches!(self.graph.nodes.get(user).map(|node| &node.item), Some(Item::Resource(_)));
                    if resource {
                        self.graph.need(node, user);
                    }
                }
            }
            let needs = dependencies.get(&change.address.resource).into_iter().flatten();
            for needed in needs.filter(|needed| **needed != change.address.resource) {
                // What goes lets go first of what is then made or changed.
                if change.action != Action::CreateThenDelete
                    && moving.contains(needed)
                    && let Some(made) = self.node_of(needed)
                {
                    self.graph.need(made, node);
                }
                let Some(others) = going.get(needed) else { continue };
                let resource = &change.address.resource;
                let own = going.get(resource).map(Vec::as_slice).unwrap_or_default();
                if own.len().saturating_mul(others.len()) <= MOST_EDGES {
                    others.iter().for_each(|other| self.graph.need(*other, node));
                    continue;
                }
                let index = changes.len() + between.len();
                let barrier = *between.entry(resource).or_insert_with(|| {
                    self.graph.add(&[], Item::Destroy(index));
                    let barrier = self.graph.nodes.len().saturating_sub(1);
                    own.iter().for_each(|node| self.graph.need(barrier, *node));
                    barrier
                });
                if joined.insert((barrier, needed)) {
                    others.iter().for_each(|other| self.graph.need(*other, barrier));
                }
            }
        }
    }

    fn count_change(&mut self) {
        self.snapshots += 1;
        self.writes += 1;
    }

    /// Objects that `import` blocks brought in: told before anything is done.
    pub(super) fn tell_imports(&mut self) {
        for change in self.plan.changes.clone() {
            let Some(id) = change.importing else { continue };
            self.imported += 1;
            for what in [Happening::Importing(id.clone()), Happening::Imported(id)] {
                self.events.push(Event { address: change.address.clone(), deposed: None, id: None, what });
            }
            self.count_change();
        }
    }

    /// Takes out of the state what is to be left alone.
    pub(super) fn forget(&mut self) {
        for change in self.plan.changes.clone().iter().filter(|change| change.action == Action::Forget) {
            let of = self.provider_of(&change.address.resource);
            self.state.set(&change.address, change.deposed.as_ref(), None, &of);
            self.count_change();
        }
    }

    pub(super) fn destroy_task(&mut self, node: usize, index: usize) -> Vec<Task> {
        let Some(change) = self.plan.changes.get(index).cloned() else { return Vec::new() };
        let deposed = match change.action {
            Action::CreateThenDelete => self.deposed_of(&change.address),
            _ => change.deposed.clone(),
        };
        if change.action == Action::CreateThenDelete && deposed.is_none() {
            return Vec::new();
        }
        vec![Task::new(node, change.address, deposed, Stage::Apply(Doing::Delete))]
    }

    fn deposed_of(&self, address: &InstanceAddress) -> Option<SmolStr> {
        let instance = self.state.resources.get(&address.resource)?.instances.get(&address.key)?;
        instance.deposed.keys().next_back().cloned()
    }

    pub(super) fn apply_tasks(&mut self, node: usize, address: &ResourceAddress, keys: Vec<Option<Key>>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for key in keys {
            let address = address.instance(key);
            let change = self.plan.change(&address);
            let stage = match change.map(|change| change.action) {
                Some(Action::Create | Action::DeleteThenCreate | Action::CreateThenDelete) => {
                    Stage::Apply(Doing::Create)
                }
                Some(Action::Update) => Stage::Apply(Doing::Update),
                Some(Action::Read) => Stage::Apply(Doing::ReadData),
                _ => {
                    if let Some(object) = self.state.get(&address) {
                        self.values.set_object(address.clone(), object.value.clone());
                    }
                    continue;
                }
            };
            tasks.push(Task::new(node, address, None, stage));
        }
        tasks
    }

    pub(super) fn apply_step(&mut self, task: &mut Task, doing: Doing, sys: &mut Sys<'_>) -> Result<(), Vec<Wait>> {
        if task.started.is_none() {
            if !self.prepare(task, doing, sys) {
                return Ok(());
            }
            task.started = Some(sys.now);
            let id = task.job.as_ref().and_then(|job| id_or_name(&job.prior));
            self.tell(task, id, Happening::Begun(doing));
        }
        self.heartbeat(task, sys, doing);
        let loaded = self.config.clone();
        let resource = loaded.resource(&task.address.resource);
        // What was never made in full is not taken leave of.
        let tainted = self.state.get(&task.address).is_some_and(|object| object.tainted);
        if doing == Doing::Delete && task.deposed.is_none() && !tainted {
            let removed = || self.removed_block(&task.address.resource).map(|removed| removed.provisioners.clone());
            let all = match resource {
                Some(resource) => resource.provisioners.clone(),
                None => removed().unwrap_or_default(),
            };
            let this = task.job.as_ref().map(|job| job.prior.clone()).unwrap_or_else(Value::dynamic);
            self.provision(task, &all, &this, true, sys)?;
            if task.provision.failed {
                self.tell(task, None, Happening::Failed(doing, elapsed(task, sys.now)));
                return Ok(());
            }
        }
        let done = match task.done.take() {
            Some(done) => done,
            None => self.run(task, sys)?,
        };
        let made = done.value.as_ref().is_some_and(|value| !value.is_null());
        if doing == Doing::Create
            && made
            && !done.complaints.iter().any(|complaint| !complaint.warning)
            && let Some(resource) = resource
        {
            let this = done.value.clone().unwrap_or_else(Value::dynamic);
            let sensitive = self.sensitive.get(&task.address).into_iter().flatten();
            let this = sensitive.fold(this, |value, path| mark(value, path));
            task.done = Some(done.clone());
            self.provision(task, &resource.provisioners, &this, false, sys)?;
            task.done = None;
        }
        let address = task.address.to_string();
        let range = |path: &[crate::terraform::value::PathStep]| match resource {
            Some(resource) => complaint_range(resource, path),
            None => self.config.root.range(),
        };
        let mut found: Vec<Diagnostic> =
            done.complaints.iter().map(|complaint| complaint.diagnostic(&address, &range(&complaint.path))).collect();
        // What goes is not in the configuration any more, as far as errors are concerned.
        if resource.is_none() || doing == Doing::Delete {
            for diagnostic in &mut found {
                diagnostic.subject = None;
                diagnostic.address.clear();
            }
        }
        if matches!(doing, Doing::Create | Doing::Update)
            && done.value.as_ref().is_some_and(Value::is_null)
            && !has_errors(&found)
        {
            let detail = format!(
                "When applying changes to {address}, provider \"provider[\\\"{}\\\"]\" produced an unexpected new value: Root object was present, but now absent.\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.",
                self.provider_of(&task.address.resource).provider
            );
            found.push(Diagnostic::sourceless("Provider produced inconsistent result after apply", detail));
        }
        let failed = has_errors(&found) || task.provision.failed;
        self.fail(task, found);
        self.store(task, doing, done.value, done.private, failed);
        let after = elapsed(task, sys.now);
        let value = self.values.objects.get(&task.address).cloned().unwrap_or_else(Value::dynamic);
        if failed {
            self.tell(task, None, Happening::Failed(doing, after));
        } else {
            match doing {
                Doing::Create => self.added += 1,
                Doing::Update => self.changed += 1,
                Doing::Delete => self.destroyed += 1,
                _ => {}
            }
            let id = id_of(&value).filter(|_| doing != Doing::Delete);
            self.tell(task, id, Happening::Done(doing, after));
            if let Some(resource) = resource.filter(|_| doing != Doing::Delete) {
                let files = MachineFiles::of(sys);
                self.conditions(
                    task,
                    &resource.lifecycle.postconditions,
                    "Resource postcondition failed",
                    Some(value),
                    &files,
                );
            }
        }
        Ok(())
    }

    /// Evaluates the configuration anew and makes the provider's job; false after an error.
    fn prepare(&mut self, task: &mut Task, doing: Doing, sys: &mut Sys<'_>) -> bool {
        let address = task.address.clone();
        let null = Value::null(Type::Dynamic);
        if doing == Doing::Delete {
            let instance =
                self.state.resources.get(&address.resource).and_then(|resource| resource.instances.get(&address.key));
            let object = instance.and_then(|instance| match &task.deposed {
                Some(id) => instance.deposed.get(id),
                None => instance.current.as_ref(),
            });
            let Some(object) = object.cloned() else { return false };
            let mut job = self.job(task, doing, object.value, null.clone(), null);
            job.private = object.private;
            task.job = Some(job);
            return true;
        }
        let loaded = self.config.clone();
        let Some(resource) = loaded.resource(&address.resource) else { return false };
        let files = MachineFiles::of(sys);
        let Some(config) = self.configured(task, resource, &files) else { return false };
        let (plain, _) = config.clone().unmark_deep();
        let marks = config.marked_paths();
        if doing == Doing::ReadData {
            task.job = Some(self.job(task, doing, null.clone(), null, plain));
            return true;
        }
        let change = self.plan.change(&address).cloned();
        let object = self.state.get(&address).cloned();
        if change.as_ref().is_some_and(|change| change.action == Action::CreateThenDelete)
            && let Some(object) = object.clone()
        {
            let id = format!("{:08x}", sys.chance.below("deposed key", 1 << 32));
            let of = self.provider_of(&address.resource);
            self.state.set(&address, Some(&id.into()), Some(object), &of);
            self.state.set(&address, None, None, &of);
        }
        let prior = match doing {
            Doing::Update => object.as_ref().map(|object| object.value.clone()).unwrap_or_else(|| null.clone()),
            _ => null,
        };
        let (plain_prior, _) = prior.clone().unmark_deep();
        let Some(schema) = self.providers.schema(Mode::Managed, &address.resource.kind) else { return false };
        let plain = match (&resource.lifecycle.ignore_changes, change) {
            // What was ignored then stays as it was planned.
            (Some(_), Some(change)) if doing == Doing::Update => {
                let (after, _) = change.after.unmark_deep();
                fill(&plain, &after)
            }
            _ => plain,
        };
        let wanted = proposed(&schema.block, &plain_prior, &plain);
        let private = object.as_ref().and_then(|object| object.private.clone());
        let planned = self.provider_plan(&address, &plain_prior, &wanted, &plain, private.as_deref());
        let found: Vec<Diagnostic> = planned
            .complaints
            .iter()
            .map(|complaint| complaint.diagnostic(&address.to_string(), &complaint_range(resource, &complaint.path)))
            .collect();
        let failed = has_errors(&found);
        self.fail(task, found);
        let planned = planned.value.unwrap_or(wanted);
        // Now that all is known it may turn out that nothing changes.
        let hidden = |all: &[(crate::terraform::value::Path, Marks)]| -> Vec<crate::terraform::value::Path> {
            all.iter().filter(|(_, marks)| marks.has(Marks::SENSITIVE)).map(|(path, _)| path.clone()).collect()
        };
        let same = planned == plain_prior
            && object.as_ref().is_some_and(|object| hidden(&object.value.marked_paths()) == hidden(&marks));
        if doing == Doing::Update && !failed && same {
            if let Some(object) = object {
                self.values.set_object(address, object.value);
            }
            return false;
        }
        let mut job = self.job(task, doing, prior, planned, plain);
        job.private = private;
        task.job = Some(job);
        let sensitive = marks.into_iter().filter(|(_, marks)| marks.has(Marks::SENSITIVE)).map(|(path, _)| path);
        self.sensitive.insert(address, sensitive.collect());
        !failed
    }

    /// Puts what a provider made into the state.
    fn store(&mut self, task: &Task, doing: Doing, value: Option<Value>, private: Option<String>, failed: bool) {
        let address = &task.address;
        let of = self.provider_of(&address.resource);
        if doing == Doing::Delete {
            if !failed {
                self.state.set(address, task.deposed.as_ref(), None, &of);
                self.count_change();
            }
            return;
        }
        let Some(value) = value.filter(|value| !value.is_null()) else {
            // Nothing was made: an object set aside comes back.
            if failed
                && doing == Doing::Create
                && let Some(id) = self.deposed_of(address)
            {
                let object = self
                    .state
                    .resources
                    .get(&address.resource)
                    .and_then(|r| r.instances.get(&address.key))
                    .and_then(|i| i.deposed.get(&id))
                    .cloned();
                self.state.set(address, None, object, &of);
                self.state.set(address, Some(&id), None, &of);
                self.count_change();
            }
            return;
        };
        let value = self.sensitive.get(address).into_iter().flatten().fold(value, |value, path| mark(value, path));
        let old = self.state.get(address).cloned();
        let node = self.node_of(&address.resource);
        let object = Object {
            value: value.clone(),
            schema_version: self.schema_version(address),
            tainted: failed && (doing == Doing::Create || old.as_ref().is_some_and(|old| old.tainted)),
            private: private.or(old.and_then(|old| old.private)),
            dependencies: node.map(|node| self.dependency_names(node)).unwrap_or_default(),
            create_before_destroy: node.is_some_and(|node| self.is_created_first(node)),
        };
        self.state.set(address, None, Some(object), &of);
        self.values.set_object(address.clone(), value);
        self.count_change();
    }

    /// The resources a resource needs, through locals, variables and other resources too.
    fn dependency_names(&self, node: usize) -> Vec<String> {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for needed in self.graph.needed(node) {
            let Some(node) = self.graph.nodes.get(needed) else { continue };
            if let Item::Resource(name) = &node.item {
                let path =
                    node.module.iter().fold(Default::default(), |path: crate::terraform::address::ModulePath, name| {
                        path.child(name, None)
                    });
                names.insert(static_name(&ResourceAddress {
                    module: path,
                    mode: name.mode,
                    kind: name.kind.clone(),
                    name: name.name.clone(),
                }));
            }
        }
        names.into_iter().collect()
    }

    pub(super) fn heartbeat(&mut self, task: &mut Task, sys: &Sys<'_>, doing: Doing) {
        let Some(started) = task.started else { return };
        let beats = (sys.now - started).0.max(0) as u64 / 10_000_000;
        while task.beat < beats {
            task.beat += 1;
            let id = task.job.as_ref().and_then(|job| id_or_name(&job.prior));
            self.tell(task, id, Happening::Still(doing, task.beat * 10));
        }
    }
}

/// Seconds from the rounded second of the start to that of now.
pub fn elapsed(task: &Task, now: Time) -> u64 {
    let round = |time: Time| (time.0 + 500_000).div_euclid(1_000_000);
    let seconds = task.started.map(|started| round(now) - round(started)).unwrap_or_default();
    u64::try_from(seconds).unwrap_or_default()
}

/// The configuration, with the planned value wherever that is known.
fn fill(config: &Value, planned: &Value) -> Value {
    match (config.entries(), planned.entries()) {
        (Some(given), Some(plan)) => Value::object(
            given
                .iter()
                .map(|(name, value)| match plan.get(name) {
                    Some(planned) if planned.is_wholly_known() && !value.is_null() => (name.clone(), planned.clone()),
                    _ => (name.clone(), value.clone()),
                })
                .collect(),
        ),
        _ => config.clone(),
    }
}
