//! A walk: nodes in the order of their needs, instances of resources side by side.

use crate::base::{BTreeMap, BTreeSet};
use std::collections::VecDeque;
use std::sync::Arc;

use super::event::{Event, Happening};
use super::graph::{Graph, Item, reached};
use super::scope::{Expansion, Values};
use crate::base::{SmolStr, Span, Time};
use crate::process::rerun::Memory;
use crate::process::{Sys, Wait};
use crate::terraform::address::{InstanceAddress, ModulePath, ModuleStep, ResourceAddress};
use crate::terraform::config::{Loaded, Module, Resource, ResourceName};
use crate::terraform::eval::Files;
use crate::terraform::hcl::Diagnostic;
use crate::terraform::plan::{Action, Plan, PlanMode};
use crate::terraform::provider::{Doing, Providers};
use crate::terraform::state::{ResourceState, State};
use crate::terraform::value::Value;

#[derive(Clone, Debug)]
pub struct Options {
    pub mode: PlanMode,
    pub refresh: bool,
    pub replace: Vec<InstanceAddress>,
    pub targets: Vec<Target>,
    /// A plan before that of a destroy: only for what it finds, so that checks are no errors.
    pub before_destroy: bool,
    pub parallelism: usize,
    pub workspace: SmolStr,
    /// Values of the root module's variables, already converted.
    pub variables: BTreeMap<SmolStr, Value>,
    /// What is wrong with values that do not fit.
    pub unfit: BTreeMap<SmolStr, Diagnostic>,
    /// Where files give them.
    pub given: BTreeMap<SmolStr, crate::terraform::hcl::Range>,
    /// When the plan was made that is carried out.
    pub planned: Option<Time>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mode: PlanMode::Normal,
            refresh: true,
            replace: Vec::new(),
            targets: Vec::new(),
            before_destroy: false,
            parallelism: 10,
            workspace: "default".into(),
            variables: BTreeMap::new(),
            unfit: BTreeMap::new(),
            given: BTreeMap::new(),
            planned: None,
        }
    }
}

/// What `-target` names.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Module(ModulePath),
    Resource(ResourceAddress),
    Instance(InstanceAddress),
}

impl Target {
    /// An instance, or all of a resource or module.
    pub fn covers(&self, address: &InstanceAddress) -> bool {
        match self {
            // A module without a key at the end stands for all its instances.
            Target::Module(path) => {
                let module = &address.resource.module.0;
                let Some((last, outer)) = path.0.split_last() else { return true };
                let same = |step: &ModuleStep| step.name == last.name && (last.key.is_none() || step.key == last.key);
                module.starts_with(outer) && module.get(outer.len()).is_some_and(same)
            }
            Target::Resource(resource) => address.resource == *resource,
            Target::Instance(instance) => address == instance,
        }
    }

    fn covers_resource(&self, module: &[SmolStr], name: &ResourceName) -> bool {
        let same = |resource: &ResourceAddress| {
            resource.mode == name.mode
                && resource.kind == name.kind
                && resource.name == name.name
                && resource.module.0.iter().map(|step| &step.name).eq(module)
        };
        match self {
            Target::Module(path) => {
                path.0.len() <= module.len() && path.0.iter().zip(module).all(|(step, name)| step.name == *name)
            }
            Target::Resource(resource) => same(resource),
            Target::Instance(instance) => same(&instance.resource),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Validate,
    Plan,
    Apply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Waiting,
    Running(usize),
    Done,
    /// It or something it needs went wrong.
    Failed,
}

/// One object being worked on.
#[derive(Clone)]
pub struct Task {
    pub node: usize,
    pub address: InstanceAddress,
    pub deposed: Option<SmolStr>,
    pub stage: Stage,
    pub memory: Memory,
    pub started: Option<Time>,
    pub beat: u64,
    pub job: Option<crate::terraform::provider::Job>,
    /// What the provider made, while provisioners run.
    pub done: Option<crate::terraform::provider::Done>,
    pub provision: super::provision::Provision,
    /// Just brought in by its id.
    pub imported: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Refresh,
    Plan,
    ReadData,
    Import,
    Apply(Doing),
}

pub enum Progress {
    Wait(Vec<Wait>),
    Done,
}

#[derive(Clone)]
pub struct Walk {
    pub config: Arc<Loaded>,
    pub providers: Providers,
    pub options: Options,
    pub phase: Phase,
    pub graph: Graph,
    status: Vec<Status>,
    missing: Vec<usize>,
    users: Vec<Vec<usize>>,
    ready: VecDeque<usize>,
    pub(super) queue: VecDeque<Task>,
    pub(super) running: Vec<Task>,
    pub values: Values,
    /// As it was at the start.
    pub before: State,
    pub state: State,
    pub plan: Plan,
    pub diagnostics: Vec<Diagnostic>,
    /// What has happened and is not yet shown.
    pub events: Vec<Event>,
    /// How often the state has changed since it was last written.
    /// Nodes that are destroyed along with what `-target` covers.
    alongside: BTreeSet<usize>,
    /// What became of conditions.
    pub(super) results: super::results::Results,
    pub snapshots: u64,
    /// All changes of objects.
    pub(super) writes: u64,
    /// The state is written once more at the end, as new, whether it is or not.
    pub closing: bool,
    /// Evaluated provider blocks, by source and alias.
    pub(super) settings: BTreeMap<(SmolStr, Option<SmolStr>), Value>,
    /// Where objects stand now that stood elsewhere before.
    pub(super) moved: BTreeMap<InstanceAddress, InstanceAddress>,
    /// There is nothing to plan: what is wrong is told alone.
    pub refused: bool,
    /// No new work is begun: Ctrl+C.
    pub stopping: bool,
    /// Counted for the closing line.
    pub added: usize,
    pub changed: usize,
    pub destroyed: usize,
    pub imported: usize,
    pub(super) began: Option<Time>,
    pub(super) targeted: BTreeSet<usize>,
    pub(super) failed_nodes: BTreeSet<usize>,
    /// What stands in the state alone, by address text.
    pub(super) orphans: BTreeMap<String, ResourceAddress>,
    /// Objects that `import` blocks bring in, and their ids.
    pub plan_imports: BTreeMap<InstanceAddress, SmolStr>,
    /// `terraform import` runs, not a plan.
    pub(super) importing: bool,
    /// Sensitive parts of what is being made.
    pub(super) sensitive: BTreeMap<InstanceAddress, Vec<crate::terraform::value::Path>>,
}

impl Walk {
    pub fn new(phase: Phase, config: Arc<Loaded>, providers: Providers, state: State, options: Options) -> Walk {
        let graph = Graph::of(&config.root);
        let values =
            Values { workspace: options.workspace.clone(), checking: phase == Phase::Validate, ..Values::default() };
        let mut walk = Walk {
            config,
            providers,
            phase,
            graph,
            status: Vec::new(),
            missing: Vec::new(),
            users: Vec::new(),
            ready: VecDeque::new(),
            queue: VecDeque::new(),
            running: Vec::new(),
            values,
            before: state.clone(),
            state,
            plan: Plan { mode: options.mode, ..Plan::default() },
            diagnostics: Vec::new(),
            events: Vec::new(),
            snapshots: 0,
            writes: 0,
            closing: false,
            results: Default::default(),
            settings: BTreeMap::new(),
            moved: BTreeMap::new(),
            stopping: false,
            refused: false,
            added: 0,
            changed: 0,
            destroyed: 0,
            imported: 0,
            began: None,
            targeted: BTreeSet::new(),
            alongside: BTreeSet::new(),
            failed_nodes: BTreeSet::new(),
            orphans: BTreeMap::new(),
            plan_imports: BTreeMap::new(),
            importing: false,
            sensitive: BTreeMap::new(),
            options,
        };
        if phase == Phase::Plan {
            walk.apply_moves();
            walk.check_targeted_moves();
            walk.add_orphans();
            if walk.options.mode == PlanMode::Normal {
                walk.check_imports();
            }
        }
        walk.order();
        walk
    }

    /// The walk that carries out a finished plan.
    pub fn apply(mut plan: Walk) -> Walk {
        plan.phase = Phase::Apply;
        plan.graph = Graph::of(&plan.config.root);
        let workspace = plan.options.workspace.clone();
        let planned = plan.values.impure.planned;
        plan.values = Values { workspace, applying: true, ..Values::default() };
        plan.values.impure.planned = planned;
        plan.diagnostics.clear();
        plan.running.clear();
        plan.queue.clear();
        plan.settings.clear();
        plan.events.clear();
        plan.before = plan.state.clone();
        plan.began = None;
        (plan.snapshots, plan.writes, plan.closing) = (0, 0, false);
        plan.failed_nodes.clear();
        plan.tell_imports();
        plan.forget();
        plan.add_destroys();
        plan.order();
        plan
    }

    /// Objects whose resource block is gone: nodes of their own.
    fn add_orphans(&mut self) {
        let gone: Vec<ResourceAddress> =
            self.state.resources.keys().filter(|address| self.resource_config(address).is_none()).cloned().collect();
        for address in &gone {
            let text = address.to_string();
            self.graph.add(&[], Item::Orphan(text.clone()));
            self.orphans.insert(text, address.clone());
        }
        if gone.is_empty() {
            return;
        }
        // Refreshing goes from parents to children.
        let dependencies = self.dependencies();
        for address in &gone {
            let Some(node) = self.node_of(address) else { continue };
            let needs = dependencies.get(address).into_iter().flatten().filter_map(|other| self.node_of(other));
            for other in needs.filter(|other| *other != node).collect::<Vec<_>>() {
                self.graph.need(node, other);
            }
        }
    }

    /// What the objects of each resource depend on, as the state says.
    pub(super) fn dependencies(&self) -> BTreeMap<ResourceAddress, Vec<ResourceAddress>> {
        let mut names: BTreeMap<String, &ResourceAddress> = BTreeMap::new();
        for address in self.state.resources.keys() {
            names.entry(static_name(address)).or_insert(address);
        }
        let of = |resource: &ResourceState| {
            let objects = resource.instances.values().flat_map(|each| each.current.iter().chain(each.deposed.values()));
            let all: BTreeSet<&String> = objects.flat_map(|object| &object.dependencies).collect();
            all.into_iter().filter_map(|name| names.get(name).map(|address| (*address).clone())).collect()
        };
        self.state.resources.iter().map(|(address, resource)| (address.clone(), of(resource))).collect()
    }

    pub(super) fn node_of(&self, address: &ResourceAddress) -> Option<usize> {
        let names: Vec<SmolStr> = address.module.0.iter().map(|step| step.name.clone()).collect();
        let name = ResourceName { mode: address.mode, kind: address.kind.clone(), name: address.name.clone() };
        self.graph
            .find(&names, &Item::Resource(name))
            .or_else(|| self.graph.find(&[], &Item::Orphan(address.to_string())))
    }

    fn order(&mut self) {
        let count = self.graph.nodes.len();
        self.targeted = self.target_nodes();
        if self.phase == Phase::Plan && self.options.mode == PlanMode::Destroy && !self.options.targets.is_empty() {
            let with = |covered: usize| self.graph.users(covered).into_iter().filter(move |user| *user != covered);
            self.alongside = self.covered_nodes().into_iter().flat_map(with).collect();
        }
        if self.phase == Phase::Plan && self.options.mode == PlanMode::Destroy {
            self.turn();
        }
        self.status = vec![Status::Waiting; count];
        self.missing = self.graph.nodes.iter().map(|node| node.needs.len()).collect();
        self.users = self.graph.users_of_each();
        self.ready = (0..count).filter(|&i| self.missing.get(i) == Some(&0)).collect();
    }

    /// To be destroyed, an object waits for those that depend on it.
    fn turn(&mut self) {
        let is_object = |item: &Item| matches!(item, Item::Resource(_) | Item::Orphan(_));
        let is_object_at = |graph: &Graph, at: usize| graph.nodes.get(at).is_some_and(|node| is_object(&node.item));
        let objects: Vec<usize> = (0..self.graph.nodes.len()).filter(|node| is_object_at(&self.graph, *node)).collect();
        // What needs an object, through others too.
        let users = self.graph.users_of_each();
        let reaching = reached(objects.clone(), |at| users.get(at).into_iter().flatten().copied());
        let mut roundabout = false;
        for &object in &objects {
            let needs = self.graph.nodes.get(object).map(|node| node.needs.clone()).unwrap_or_default();
            let kept = |needed: &usize| {
                let item = self.graph.nodes.get(*needed).map(|node| &node.item);
                let always = matches!(item, Some(Item::Provider(..) | Item::Call(_)));
                !is_object_at(&self.graph, *needed) && (always || !reaching.contains(needed))
            };
            let needs: BTreeSet<usize> = needs.into_iter().filter(kept).collect();
            roundabout |= needs.iter().any(|needed| reaching.contains(needed));
            if let Some(node) = self.graph.nodes.get_mut(object) {
                node.needs = needs;
            }
        }
        let node_of = |address: &ResourceAddress| self.node_of(address);
        let pairs: Vec<(usize, Vec<usize>)> = self
            .dependencies()
            .iter()
            .filter_map(|(address, needs)| Some((node_of(address)?, needs.iter().filter_map(node_of).collect())))
            .collect();
        // Where nothing needs an object by another way, and the state's dependencies have no ring, nothing that waits
        // for the user can be needed by it.
        let looks = roundabout || has_ring(self.graph.nodes.len(), &pairs);
        for (user, needs) in pairs {
            // What waits for the user is no longer needed by it, so this holds for all of them.
            let needed = if looks { self.graph.needed(user) } else { BTreeSet::new() };
            for used in needs {
                if used != user && !needed.contains(&used) {
                    self.graph.need(used, user);
                }
            }
        }
    }

    /// Resource nodes that `-target` names.
    pub(super) fn named_nodes(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for (i, node) in self.graph.nodes.iter().enumerate() {
            let named = match &node.item {
                Item::Resource(name) => {
                    self.options.targets.iter().any(|target| target.covers_resource(&node.module, name))
                }
                Item::Orphan(text) => {
                    self.state.resources.keys().filter(|address| address.to_string() == *text).any(|address| {
                        let names: Vec<SmolStr> = address.module.0.iter().map(|step| step.name.clone()).collect();
                        let name =
                            ResourceName { mode: address.mode, kind: address.kind.clone(), name: address.name.clone() };
                        self.options.targets.iter().any(|target| target.covers_resource(&names, &name))
                    })
                }
                _ => false,
            };
            if named {
                found.insert(i);
            }
        }
        found
    }

    /// Resource nodes that `-target` leaves in; empty without targets.
    fn target_nodes(&self) -> BTreeSet<usize> {
        let mut found = self.named_nodes();
        for i in found.clone() {
            let more = if self.options.mode == PlanMode::Destroy { self.graph.users(i) } else { self.graph.needed(i) };
            found.extend(more);
        }
        found
    }

    pub(super) fn targeted_nodes(&self) -> &BTreeSet<usize> {
        &self.targeted
    }

    pub(super) fn is_targeted(&self, node: usize, address: Option<&InstanceAddress>) -> bool {
        if self.options.targets.is_empty() {
            return true;
        }
        if !self.targeted.contains(&node) {
            return false;
        }
        // An instance named by its key, or in a module named by its own, leaves its sisters out.
        let Some(address) = address else { return true };
        let names: Vec<SmolStr> = address.resource.module.0.iter().map(|step| step.name.clone()).collect();
        let resource = &address.resource;
        let name = ResourceName { mode: resource.mode, kind: resource.kind.clone(), name: resource.name.clone() };
        let mut naming = self.options.targets.iter().filter(|target| target.covers_resource(&names, &name)).peekable();
        if naming.peek().is_none() || naming.any(|target| target.covers(address)) {
            return true;
        }
        if self.options.mode == PlanMode::Destroy {
            // It goes with what it needs.
            return self.alongside.contains(&node);
        }
        // Of a module that stands no longer, all instances go.
        !self.module_paths(&names).contains(&address.resource.module)
    }

    /// Nodes with objects that `-target` covers.
    fn covered_nodes(&self) -> BTreeSet<usize> {
        let covered = |address: &InstanceAddress| self.options.targets.iter().any(|target| target.covers(address));
        let all = self.state.objects().into_iter().filter(|(address, ..)| covered(address));
        all.filter_map(|(address, ..)| self.node_of(&address.resource)).collect()
    }

    /// Does all that can be done now.
    pub fn advance(&mut self, sys: &mut Sys<'_>) -> Progress {
        let began = *self.began.get_or_insert(sys.now);
        if self.refused {
            return Progress::Done;
        }
        if self.phase == Phase::Apply || self.values.impure.acts() {
            self.values.impure.act(sys);
        }
        if self.phase == Phase::Plan {
            self.values.impure.planned.get_or_insert(self.options.planned.unwrap_or(sys.now));
        }
        if self.phase == Phase::Apply && self.plan.changes.iter().any(|change| change.action != Action::NoOp) {
            let ready = aligned(began);
            if sys.now < ready {
                return Progress::Wait(vec![Wait::Until(ready)]);
            }
        }
        loop {
            let mut moved = false;
            while let Some(node) = self.ready.pop_front() {
                moved = true;
                self.begin(node, sys);
            }
            while !self.stopping && self.running.len() < self.options.parallelism.max(1) {
                let Some(task) = self.queue.pop_front() else { break };
                self.running.push(task);
                moved = true;
            }
            let mut waits = Vec::new();
            let mut tasks = std::mem::take(&mut self.running);
            let mut still = Vec::with_capacity(tasks.len());
            for mut task in tasks.drain(..) {
                match self.step(&mut task, sys) {
                    Err(wait) => {
                        waits.extend(wait);
                        still.push(task);
                    }
                    Ok(()) => {
                        moved = true;
                        self.finish(task.node);
                    }
                }
            }
            still.append(&mut self.running);
            self.running = still;
            if self.stopping && self.running.is_empty() {
                self.queue.clear();
                self.ready.clear();
                return Progress::Done;
            }
            if !moved {
                if self.running.is_empty() && self.queue.is_empty() {
                    if self.phase == Phase::Validate {
                        self.check_import_blocks(&MachineFiles::of(sys));
                        self.check_ephemerals();
                    }
                    self.conclude();
                    return Progress::Done;
                }
                let beats = self.running.iter().filter_map(|task| {
                    let started = task.started?;
                    matches!(task.stage, Stage::Apply(_) | Stage::ReadData)
                        .then(|| started + Span::seconds(10 * (task.beat as i64 + 1)))
                });
                waits.extend(beats.map(Wait::Until));
                return Progress::Wait(waits);
            }
        }
    }

    /// All nodes that need this one, through others too.
    pub(super) fn users_of(&self, node: usize) -> BTreeSet<usize> {
        reached(vec![node], |at| self.users.get(at).into_iter().flatten().copied())
    }

    fn begin(&mut self, node: usize, sys: &mut Sys<'_>) {
        let failed = self
            .graph
            .nodes
            .get(node)
            .is_some_and(|node| node.needs.iter().any(|needed| self.status.get(*needed) == Some(&Status::Failed)));
        // When nothing may be evaluated any more, that was told.
        if failed || self.values.budget.is_spent() {
            return self.end(node, Status::Failed);
        }
        let told = self.diagnostics.len();
        let tasks = self.evaluate(node, sys);
        let bad = self.diagnostics.iter().skip(told).any(Diagnostic::is_error);
        if tasks.is_empty() {
            return self.end(node, if bad { Status::Failed } else { Status::Done });
        }
        if let Some(status) = self.status.get_mut(node) {
            *status = Status::Running(tasks.len());
        }
        self.queue.extend(tasks);
    }

    fn finish(&mut self, node: usize) {
        let left = match self.status.get(node) {
            Some(Status::Running(left)) => left.saturating_sub(1),
            _ => return,
        };
        if left > 0 {
            if let Some(status) = self.status.get_mut(node) {
                *status = Status::Running(left);
            }
            return;
        }
        let bad = self.failed_nodes.contains(&node);
        self.end(node, if bad { Status::Failed } else { Status::Done });
    }

    fn end(&mut self, node: usize, status: Status) {
        if let Some(place) = self.status.get_mut(node) {
            *place = status;
        }
        let at = self.graph.nodes.get(node);
        if let Some((Item::Resource(name), module)) = at.map(|node| (node.item.clone(), node.module.clone())) {
            for module in self.module_paths(&module) {
                let (mode, kind, name) = (name.mode, name.kind.clone(), name.name.clone());
                self.values.complete(ResourceAddress { module, mode, kind, name });
            }
        }
        for user in self.users.get(node).cloned().unwrap_or_default() {
            if let Some(count) = self.missing.get_mut(user) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.ready.push_back(user);
                }
            }
        }
    }

    /// The module instances at a path of call names.
    pub(super) fn module_paths(&self, names: &[SmolStr]) -> Vec<ModulePath> {
        let mut paths = vec![ModulePath::default()];
        for name in names {
            let mut next = Vec::new();
            for path in paths {
                let expansion = self.values.calls.get(&(path.clone(), name.clone()));
                let keys = expansion.map(Expansion::keys).unwrap_or_default();
                next.extend(keys.into_iter().map(|key| path.child(name, key)));
            }
            paths = next;
        }
        paths
    }

    pub(super) fn module_config(&self, path: &ModulePath) -> Option<&Module> {
        self.config.module(path)
    }

    pub(super) fn resource_config(&self, address: &ResourceAddress) -> Option<&Resource> {
        self.config.resource(address)
    }

    /// The provider a resource belongs to: its source and alias.
    pub(super) fn provider_of(&self, address: &ResourceAddress) -> ResourceState {
        let from_config = || {
            let module = self.module_config(&address.module)?;
            let resource = module.resource(address.mode, &address.kind, &address.name)?;
            let names = Walk::names_of(&address.module);
            let of = super::providers::configured(&self.config.root, &names, &resource.provider)?;
            Some(ResourceState { provider: of.source, alias: of.alias, ..ResourceState::default() })
        };
        let from_state = || {
            let resource = self.state.resources.get(address)?;
            Some(ResourceState { instances: BTreeMap::new(), ..resource.clone() })
        };
        from_config().or_else(from_state).unwrap_or_default()
    }

    pub(super) fn tell(&mut self, task: &Task, id: Option<(&'static str, String)>, what: Happening) {
        self.events.push(Event { address: task.address.clone(), deposed: task.deposed.clone(), id, what });
    }

    pub(super) fn fail(&mut self, task: &Task, diagnostics: Vec<Diagnostic>) {
        if diagnostics.iter().any(Diagnostic::is_error) {
            self.failed_nodes.insert(task.node);
        }
        self.diagnostics.extend(diagnostics);
    }
}

/// Whether nodes depend on each other in a ring.
fn has_ring(nodes: usize, pairs: &[(usize, Vec<usize>)]) -> bool {
    let mut graph = Graph::default();
    (0..nodes).for_each(|at| graph.add(&[], Item::Destroy(at)));
    for (user, needs) in pairs {
        needs.iter().filter(|needed| *needed != user).for_each(|needed| graph.need(*user, *needed));
    }
    !graph.ringed().is_empty()
}

/// When the first object is begun: not in the first half of a second. Times are told in whole seconds of the clock,
/// rounded; so the same work is told with the same times, wherever in a second the command was typed.
fn aligned(now: Time) -> Time {
    let part = now.0.rem_euclid(1_000_000);
    now + Span((500_000 - part).max(0))
}

/// The address a state's list of dependencies has: without keys.
pub fn static_name(address: &ResourceAddress) -> String {
    let path: String = address.module.0.iter().map(|step| format!("module.{}.", step.name)).collect();
    let data = if address.mode == crate::terraform::address::Mode::Data { "data." } else { "" };
    format!("{path}{data}{}.{}", address.kind, address.name)
}

/// The machine's files as functions of the language see them.
pub struct MachineFiles<'a> {
    pub files: &'a crate::process::Files,
    pub cwd: String,
    pub home: String,
}

impl MachineFiles<'_> {
    pub fn of<'a>(sys: &'a Sys<'_>) -> MachineFiles<'a> {
        let home = sys.env.get("HOME").cloned().unwrap_or_else(|| "/root".into());
        MachineFiles { files: sys.files, cwd: sys.cwd.clone(), home }
    }
}

impl Files for MachineFiles<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.files.read(&self.cwd, path).ok().map(|bytes| bytes.to_vec())
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![String::new()];
        while let Some(at) = folders.pop() {
            let path = if at.is_empty() { folder.to_string() } else { format!("{folder}/{at}") };
            for name in self.files.list(&self.cwd, &path).unwrap_or_default() {
                let inner = if at.is_empty() { name } else { format!("{at}/{name}") };
                if self.files.is_directory(&self.cwd, &format!("{folder}/{inner}")) {
                    folders.push(inner);
                } else {
                    found.push(inner);
                }
            }
            if found.len() > 10_000 {
                break;
            }
        }
        found.sort();
        found
    }

    fn is_folder(&self, path: &str) -> bool {
        self.files.is_directory(&self.cwd, path)
    }

    fn folder(&self) -> String {
        self.cwd.clone()
    }

    fn home(&self) -> String {
        self.home.clone()
    }
}
