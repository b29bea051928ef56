//! One instance of a resource while planning: refreshed, imported, compared, or read.

use super::condition::{holds, message};
use super::evaluate::complaint_range;
use super::event::{Happening, id_of};
use super::proposed::{at, graft, proposed};
use super::repetition::set_repetition;
use super::results::Of;
use super::scope::Place;
use super::walk::{MachineFiles, Phase, Stage, Task, Walk};
use crate::base::SmolStr;
use crate::process::rerun::{Io, Stop};
use crate::process::{Sys, Wait};
use crate::terraform::address::{InstanceAddress, Key, Mode};
use crate::terraform::config::{Condition, Resource, decode};
use crate::terraform::eval;
use crate::terraform::hcl::{Diagnostic, Severity, StepKind, Traversal, has_errors};
use crate::terraform::plan::{Action, PlanMode, Reason, ResourceChange};
use crate::terraform::provider::{Change, Doing, Done, Job, Planned};
use crate::terraform::state::{Object, mark};
use crate::terraform::value::{Marks, Path, PathStep, Type, Value};

impl Walk {
    /// Goes on with a task to its end, or says what it waits for.
    pub(super) fn step(&mut self, task: &mut Task, sys: &mut Sys<'_>) -> Result<(), Vec<Wait>> {
        loop {
            if task.job.is_none() && self.values.budget.is_spent() {
                self.failed_nodes.insert(task.node);
                return Ok(());
            }
            match task.stage {
                Stage::Refresh => {
                    if let Some(error) = self.unreadable(task).filter(|_| task.job.is_none()) {
                        self.fail(task, vec![error]);
                        return Ok(());
                    }
                    if task.job.is_none() {
                        task.job = self.refresh_job(task);
                    }
                    let done = self.run(task, sys)?;
                    if !self.refreshed(task, done) || self.importing {
                        return Ok(());
                    }
                    (task.stage, task.job, task.memory) = (Stage::Plan, None, Default::default());
                }
                Stage::Import => {
                    if task.job.is_none() {
                        task.job = self.import_job(task);
                    }
                    let done = self.run(task, sys)?;
                    if !self.imported_object(task, done) {
                        return Ok(());
                    }
                    (task.stage, task.job, task.memory) = (Stage::Refresh, None, Default::default());
                }
                Stage::Plan => {
                    if let Some(error) = self.unreadable(task) {
                        self.fail(task, vec![error]);
                        return Ok(());
                    }
                    if !self.plan_instance(task, sys) {
                        return Ok(());
                    }
                    // A data source that can be read now.
                    task.stage = Stage::ReadData;
                }
                Stage::ReadData => {
                    if task.started.is_none() {
                        task.started = Some(sys.now);
                        self.tell(task, None, Happening::Begun(Doing::ReadData));
                    }
                    self.heartbeat(task, sys, Doing::ReadData);
                    let done = self.run(task, sys)?;
                    self.data_read(task, done, sys);
                    return Ok(());
                }
                Stage::Apply(doing) => return self.apply_step(task, doing, sys),
            }
        }
    }

    /// Lets the provider work on the task's job.
    pub(super) fn run(&mut self, task: &mut Task, sys: &mut Sys<'_>) -> Result<Done, Vec<Wait>> {
        let Some(mut job) = task.job.clone() else { return Ok(Done::default()) };
        job.cancelled = self.stopping;
        let source = self.provider_of(&task.address.resource).provider;
        let providers = self.providers.clone();
        let Some(provider) = providers.get(&source) else { return Ok(Done::default()) };
        let start = task.started.or(self.began).unwrap_or(sys.now);
        let mut io = Io::new(sys, &mut task.memory, start);
        match provider.run(&mut io, &job) {
            Ok(done) => Ok(done),
            Err(Stop::Wait(waits)) => Err(waits),
            Err(Stop::Fail(failures, _)) => {
                let complaint = |failure: &crate::process::rerun::Failure| {
                    crate::terraform::provider::Complaint::error(failure.text())
                };
                Ok(Done { complaints: failures.iter().map(complaint).collect(), ..Done::default() })
            }
            Err(Stop::Exit(code)) => {
                let complaint = crate::terraform::provider::Complaint::error(format!("exit status {code}"));
                Ok(Done { complaints: vec![complaint], ..Done::default() })
            }
        }
    }

    pub(super) fn job(&self, task: &Task, action: Doing, prior: Value, planned: Value, config: Value) -> Job {
        let of = self.provider_of(&task.address.resource);
        let settings = self.settings_of(&of.provider, of.alias.as_ref());
        Job {
            action,
            kind: task.address.resource.kind.clone(),
            prior: prior.unmark_deep().0,
            planned: planned.unmark_deep().0,
            config: config.unmark_deep().0,
            private: None,
            settings,
            id: SmolStr::default(),
            cancelled: false,
        }
    }

    fn settings_of(&self, source: &SmolStr, alias: Option<&SmolStr>) -> Value {
        let found = self.settings.get(&(source.clone(), alias.cloned()));
        found.cloned().unwrap_or_else(|| {
            let schema = self.providers.get(source).map(|provider| provider.configuration()).unwrap_or_default();
            let nothing = |attribute: &crate::terraform::schema::AttributeSchema| {
                (attribute.name.clone(), Value::null(attribute.ty.clone()))
            };
            Value::object(schema.attributes.iter().map(nothing).collect())
        })
    }

    pub(super) fn object(&self, task: &Task) -> Option<Object> {
        let instance = self.state.resources.get(&task.address.resource)?.instances.get(&task.address.key)?;
        match &task.deposed {
            Some(id) => instance.deposed.get(id).cloned(),
            None => instance.current.clone(),
        }
    }

    fn refresh_job(&mut self, task: &Task) -> Option<Job> {
        let object = self.object(task)?;
        self.tell(task, id_of(&object.value), Happening::Refreshing);
        let mut job = self.job(task, Doing::Read, object.value.clone(), object.value.clone(), object.value);
        job.private = object.private;
        Some(job)
    }

    /// Takes in what a refresh found; whether to go on.
    fn refreshed(&mut self, task: &mut Task, done: Done) -> bool {
        let Some(object) = self.object(task) else { return true };
        let range =
            self.resource_config(&task.address.resource).map(|resource| complaint_range(resource, &Path::new()));
        if !done.complaints.is_empty() {
            let told = |complaint: &crate::terraform::provider::Complaint| match &range {
                Some(range) => complaint.diagnostic(&task.address.to_string(), range),
                // No longer in the configuration: it has no place.
                None => Diagnostic {
                    severity: complaint.diagnostic("", &self.config.root.range()).severity,
                    ..Diagnostic::sourceless(complaint.summary.clone(), complaint.detail.clone())
                },
            };
            let found: Vec<Diagnostic> = done.complaints.iter().map(told).collect();
            let failed = has_errors(&found);
            self.fail(task, found);
            if failed {
                return false;
            }
        }
        let Some(value) = done.value else { return true };
        if task.imported && value.is_null() {
            self.state.set(&task.address, None, None, &self.provider_of(&task.address.resource));
            let found = vec![not_there(&task.address)];
            self.fail(task, found);
            return false;
        }
        self.tell(task, id_of(&value), Happening::Refreshed);
        let of = self.provider_of(&task.address.resource);
        let gone = value.is_null();
        let marked = object.value.marked_paths();
        let new = marked.iter().fold(value, |value, (path, _)| mark(value, path));
        // Where nothing is planned, that something has moved is news.
        let moved = self.options.mode == PlanMode::RefreshOnly && self.moved.contains_key(&task.address);
        if task.deposed.is_none() && !task.imported && (gone || moved || new != object.value) {
            let after = if gone { Value::null(Type::Dynamic) } else { new.clone() };
            let action = match gone {
                true => Action::Delete,
                false if new == object.value => Action::NoOp,
                false => Action::Update,
            };
            if let Some(change) = self.change(&task.address, action, Reason::None, object.value.clone(), after) {
                self.plan.drift.push(change);
            }
        }
        let object = (!gone).then(|| Object { value: new, private: done.private.or(object.private.clone()), ..object });
        self.state.set(&task.address, task.deposed.as_ref(), object, &of);
        !(gone && task.deposed.is_some())
    }

    /// For `terraform import`: this object, whatever the configuration says.
    pub fn import_one(&mut self, address: InstanceAddress, id: SmolStr) {
        self.plan_imports.insert(address, id);
        self.importing = true;
    }

    fn import_job(&mut self, task: &Task) -> Option<Job> {
        let id = self.plan_imports.get(&task.address)?.clone();
        let what =
            if self.importing { Happening::ImportFrom(id.clone()) } else { Happening::PreparingImport(id.clone()) };
        self.tell(task, None, what);
        let null = Value::null(Type::Dynamic);
        let mut job = self.job(task, Doing::Import, null.clone(), null.clone(), null);
        job.id = id;
        Some(job)
    }

    fn imported_object(&mut self, task: &mut Task, done: Done) -> bool {
        let range = self
            .resource_config(&task.address.resource)
            .map(|resource| complaint_range(resource, &Path::new()))
            .unwrap_or_else(|| self.config.root.range());
        let mut found: Vec<Diagnostic> =
            done.complaints.iter().map(|complaint| complaint.diagnostic(&task.address.to_string(), &range)).collect();
        let value = done.value.filter(|value| !value.is_null());
        let missing = value.is_none() && !has_errors(&found);
        if missing {
            // The id is taken as it is; only reading finds that there is nothing.
            if self.importing {
                self.tell(task, None, Happening::ImportPrepared);
            }
            let id = self.plan_imports.get(&task.address).map(|id| ("id", id.to_string()));
            self.tell(task, id, Happening::Refreshing);
            found.push(not_there(&task.address));
        }
        if self.importing && !has_errors(&found) {
            self.tell(task, None, Happening::ImportPrepared);
            if self.state.get(&task.address).is_some() {
                let detail = format!(
                    "Terraform is already managing a remote object for {}. To import to this address you must first remove the existing object from the state.",
                    task.address
                );
                found.push(Diagnostic::sourceless("Resource already managed by Terraform", detail));
            }
        }
        task.imported = true;
        if has_errors(&found) {
            self.fail(task, found);
            return false;
        }
        let of = self.provider_of(&task.address.resource);
        let object = value.map(|value| Object {
            value,
            schema_version: self.schema_version(&task.address),
            tainted: false,
            private: done.private,
            dependencies: Vec::new(),
            create_before_destroy: false,
        });
        self.state.set(&task.address, None, object, &of);
        true
    }

    pub(super) fn schema_version(&self, address: &InstanceAddress) -> u64 {
        let resource = &address.resource;
        self.providers.schema(resource.mode, &resource.kind).map(|schema| schema.version).unwrap_or_default()
    }

    /// Where an object stood before. A destroy begins with everything where it is.
    fn previous(&self, address: &InstanceAddress) -> InstanceAddress {
        let moved = self.moved.get(address).filter(|_| self.options.mode != PlanMode::Destroy);
        moved.unwrap_or(address).clone()
    }

    pub(super) fn change(
        &self,
        address: &InstanceAddress,
        action: Action,
        reason: Reason,
        before: Value,
        after: Value,
    ) -> Option<ResourceChange> {
        let resource = &address.resource;
        Some(ResourceChange {
            address: address.clone(),
            previous: self.previous(address),
            deposed: None,
            action,
            reason,
            before,
            after,
            replace_paths: Vec::new(),
            importing: self.plan_imports.get(address).filter(|_| self.before.get(address).is_none()).cloned(),
            schema: self.providers.schema(resource.mode, &resource.kind)?,
            provider: self.provider_of(resource).provider,
        })
    }

    /// Decides what is to be done with an instance; true when a data source is to be read now.
    fn plan_instance(&mut self, task: &mut Task, sys: &mut Sys<'_>) -> bool {
        let address = task.address.clone();
        let object = self.object(task);
        let null = Value::null(Type::Dynamic);
        if task.deposed.is_some() {
            if let Some(object) = object
                && let Some(mut change) = self.change(&address, Action::Delete, Reason::None, object.value, null)
            {
                change.deposed = task.deposed.clone();
                self.plan.changes.push(change);
            }
            return false;
        }
        let wanted = self.options.mode != PlanMode::Destroy && self.in_configuration(&address);
        let is_data = address.resource.mode == Mode::Data;
        if self.options.mode == PlanMode::RefreshOnly && !is_data {
            if let Some(object) = object {
                self.values.set_object(address, object.value);
            }
            return false;
        }
        if !wanted {
            self.plan_removal(task, object);
            return false;
        }
        let loaded = self.config.clone();
        let Some(resource) = loaded.resource(&address.resource) else { return false };
        let files = MachineFiles::of(sys);
        let Some(config) = self.configured(task, resource, &files) else { return false };
        let Some(schema) = self.providers.schema(address.resource.mode, &address.resource.kind) else { return false };
        if address.resource.mode == Mode::Data {
            return self.plan_data(task, resource, config);
        }
        let prior = object.as_ref().map(|object| object.value.clone()).unwrap_or_else(|| null.clone());
        let (plain_prior, _) = prior.clone().unmark_deep();
        let mut marks = config.marked_paths();
        let (mut plain, _) = config.clone().unmark_deep();
        if let Some(ignored) = resource.lifecycle.ignore_changes.as_ref().filter(|_| !prior.is_null()) {
            // What is ignored stays as sensitive as it was.
            let kept = ignore(&config, ignored, &prior);
            marks = kept.marked_paths();
            plain = kept.unmark_deep().0;
        }
        let private = object.as_ref().and_then(|object| object.private.clone());
        let (whole, _) = config.clone().unmark_deep();
        let plan = |walk: &Walk, prior: &Value| {
            // What is made anew is made as the configuration says, changes ignored before too.
            let plain = if prior.is_null() { &whole } else { &plain };
            let proposed = proposed(&schema.block, prior, plain);
            walk.provider_plan(&address, prior, &proposed, plain, private.as_deref())
        };
        let first = plan(self, &plain_prior);
        if !first.complaints.is_empty() {
            let told = |c: &crate::terraform::provider::Complaint| {
                c.diagnostic(&address.to_string(), &complaint_range(resource, &c.path))
            };
            let found: Vec<Diagnostic> = first.complaints.iter().map(told).collect();
            let failed = has_errors(&found);
            self.fail(task, found);
            if failed {
                return false;
            }
        }
        let value = first.value.unwrap_or_else(|| plain.clone());
        let remark = |value: Value| {
            marks.iter().filter(|(_, m)| m.has(Marks::SENSITIVE)).fold(value, |value, (path, _)| mark(value, path))
        };
        let forced: Vec<Path> =
            first.replace.into_iter().filter(|path| at(&plain_prior, path) != at(&value, path)).collect();
        // What is damaged is planned as if it were not there: nothing in particular forces that.
        let forced = if object.as_ref().is_some_and(|object| object.tainted) { Vec::new() } else { forced };
        let (action, reason, after) = if prior.is_null() {
            (Action::Create, Reason::None, remark(value))
        } else {
            let tainted = object.as_ref().is_some_and(|object| object.tainted);
            let requested = self.options.replace.contains(&address);
            let triggered = self.is_triggered(task, resource);
            if tainted || requested || triggered || !forced.is_empty() {
                let reason = match (tainted, requested, triggered) {
                    (true, ..) => Reason::Tainted,
                    (_, true, _) => Reason::Requested,
                    (_, _, true) => Reason::ReplaceTriggeredBy,
                    _ => Reason::CannotUpdate,
                };
                let new = plan(self, &null).value.unwrap_or_else(|| plain.clone());
                let before = self.is_created_first(task.node)
                    || object.as_ref().is_some_and(|object| object.create_before_destroy)
                        && resource.lifecycle.create_before_destroy;
                (if before { Action::CreateThenDelete } else { Action::DeleteThenCreate }, reason, remark(new))
            } else {
                let after = remark(value.clone());
                let same = value == plain_prior && after.marked_paths() == prior.marked_paths();
                (if same { Action::NoOp } else { Action::Update }, Reason::None, after)
            }
        };
        if action.is_replace() && resource.lifecycle.prevent_destroy {
            self.refuse_removal(task, resource);
        }
        self.values.set_object(address.clone(), after.clone());
        if let Some(mut change) = self.change(&address, action, reason, prior, after.clone()) {
            change.replace_paths = if action.is_replace() { forced } else { Vec::new() };
            self.plan.changes.push(change);
        }
        self.conditions(task, &resource.lifecycle.postconditions, "Resource postcondition failed", Some(after), &files);
        false
    }

    pub(super) fn provider_plan(
        &self,
        address: &InstanceAddress,
        prior: &Value,
        proposed: &Value,
        config: &Value,
        private: Option<&str>,
    ) -> Planned {
        let of = self.provider_of(&address.resource);
        let Some(provider) = self.providers.get(&of.provider) else { return Planned::default() };
        let settings = self.settings_of(&of.provider, of.alias.as_ref());
        let kind = &address.resource.kind;
        provider.plan(&Change { kind, prior, proposed, config, private, settings: &settings })
    }

    /// The instance's body, evaluated, its preconditions held; nothing after an error.
    pub(super) fn configured(&mut self, task: &Task, resource: &Resource, files: &MachineFiles<'_>) -> Option<Value> {
        let address = &task.address;
        if !self.conditions(task, &resource.lifecycle.preconditions, "Resource precondition failed", None, files) {
            return None;
        }
        let schema = self.providers.schema(address.resource.mode, &address.resource.kind)?;
        let module = self.module_config(&address.resource.module)?;
        let mut place = Place::new(&self.values, module, &address.resource.module, Some(files));
        let expansion = self.values.resources.get(&address.resource);
        set_repetition(
            &mut place,
            expansion,
            address.key.as_ref(),
            resource.count.is_some(),
            resource.for_each.is_some(),
        );
        let (config, mut found) = decode::decode(&resource.body, &schema.block, &place);
        if self.phase == Phase::Plan {
            found.extend(super::evaluate::persisted(resource, address, &config));
        }
        let source = self.provider_of(&address.resource).provider;
        if !has_errors(&found)
            && self.phase == Phase::Plan
            && let Some(provider) = self.providers.get(&source)
        {
            let plain = config.clone().unmark_deep().0;
            for complaint in provider.validate(address.resource.mode, &address.resource.kind, &plain) {
                found.push(complaint.diagnostic(&address.to_string(), &complaint_range(resource, &complaint.path)));
            }
        }
        let failed = has_errors(&found);
        self.fail(task, found);
        (!failed).then_some(config)
    }

    /// Whether all conditions hold, as far as that is known.
    pub(super) fn conditions(
        &mut self,
        task: &Task,
        all: &[Condition],
        summary: &str,
        this: Option<Value>,
        files: &MachineFiles<'_>,
    ) -> bool {
        let address = &task.address;
        let Some(module) = self.module_config(&address.resource.module) else { return true };
        let Some(resource) = self.resource_config(&address.resource) else { return true };
        let mut place = Place::new(&self.values, module, &address.resource.module, Some(files));
        let expansion = self.values.resources.get(&address.resource);
        set_repetition(
            &mut place,
            expansion,
            address.key.as_ref(),
            resource.count.is_some(),
            resource.for_each.is_some(),
        );
        place.this = this;
        let mut found = Vec::new();
        let mut outcomes = Vec::new();
        for condition in all {
            let (state, diagnostics) = holds(condition, &place);
            found.extend(diagnostics);
            outcomes.push((state, String::new()));
            if state == Some(false) {
                let (message, told) = message(condition, &place);
                found.extend(told);
                outcomes.pop();
                outcomes.push((state, message.clone()));
                let mut diagnostic = Diagnostic::error(summary, message, &condition.condition.range);
                if self.options.before_destroy {
                    diagnostic.severity = Severity::Warning;
                }
                found.push(eval::blame(diagnostic, &condition.condition, &place));
            }
        }
        for (condition, (state, message)) in all.iter().zip(outcomes) {
            self.results.record(Of::Resource, address.to_string(), condition, state, &message);
        }
        let failed = has_errors(&found);
        self.fail(task, found);
        !failed
    }

    fn plan_removal(&mut self, task: &Task, object: Option<Object>) {
        let address = &task.address;
        let Some(object) = object else { return };
        if address.resource.mode == Mode::Data {
            let of = self.provider_of(&address.resource);
            self.state.set(address, None, None, &of);
            return;
        }
        let loaded = self.config.clone();
        let resource = loaded.resource(&address.resource);
        let removed = self.removed_block(&address.resource);
        let removed = removed.is_some_and(|removed| !removed.destroy) && self.options.mode != PlanMode::Destroy;
        let keep = resource.is_some_and(|resource| resource.lifecycle.keep) || removed;
        if let Some(resource) = resource.filter(|resource| resource.lifecycle.prevent_destroy && !keep) {
            self.refuse_removal(task, resource);
        }
        let reason = if self.options.mode == PlanMode::Destroy { Reason::None } else { self.removal_reason(address) };
        let action = if keep { Action::Forget } else { Action::Delete };
        let after = Value::null(Type::Dynamic);
        // What is no longer in the configuration goes as the state had it; outputs see it as it is.
        let previous = self.moved.get(address).unwrap_or(address);
        let old = self.before.get(previous).filter(|_| self.options.mode == PlanMode::Normal);
        let before = old.map(|old| old.value.clone()).unwrap_or_else(|| object.value.clone());
        self.values.set_object(address.clone(), object.value);
        if let Some(change) = self.change(address, action, reason, before, after) {
            self.plan.changes.push(change);
        }
    }

    fn removal_reason(&self, address: &InstanceAddress) -> Reason {
        use super::scope::Expansion;
        let Some(resource) = self.resource_config(&address.resource) else {
            return if self.moved.contains_key(address) { Reason::NoMoveTarget } else { Reason::NoResourceConfig };
        };
        let names = Walk::names_of(&address.resource.module);
        if !self.module_paths(&names).contains(&address.resource.module) {
            return Reason::NoModule;
        }
        match (self.values.resources.get(&address.resource), &address.key) {
            (Some(Expansion::Count(_)), Some(Key::Int(_))) => Reason::CountIndex,
            (Some(Expansion::Each(_)), Some(Key::Text(_))) => Reason::EachKey,
            (None, _) if resource.count.is_none() && resource.for_each.is_none() => Reason::NoModule,
            _ => Reason::WrongRepetition,
        }
    }

    fn refuse_removal(&mut self, task: &Task, resource: &Resource) {
        let detail = format!(
            "Resource {} has lifecycle.prevent_destroy set, but the plan calls for this resource to be destroyed. To avoid this error and continue with the plan, either disable lifecycle.prevent_destroy or reduce the scope of the plan using the -target option.",
            task.address
        );
        let diagnostic = Diagnostic::error("Instance cannot be destroyed", detail, &resource.range);
        self.fail(task, vec![diagnostic]);
    }

    /// Whether the resource's replacement begins with the new object, for its own sake or that of one that needs it.
    pub(super) fn is_created_first(&self, node: usize) -> bool {
        let first = |node: usize| {
            let Some(at) = self.graph.nodes.get(node) else { return false };
            let super::graph::Item::Resource(name) = &at.item else { return false };
            let resource = self.config.root.at(&at.module).and_then(|module| module.resources.get(name));
            resource.is_some_and(|resource| resource.lifecycle.create_before_destroy)
        };
        first(node) || self.users_of(node).into_iter().any(first)
    }

    /// Whether something in `replace_triggered_by` changes.
    fn is_triggered(&self, task: &Task, resource: &Resource) -> bool {
        let module = &task.address.resource.module;
        for expr in &resource.lifecycle.replace_triggered_by {
            for reference in expr.references() {
                let mut names = reference.names();
                let (kind, name) = (&reference.root, names.next());
                let path: Vec<SmolStr> = names.cloned().collect();
                for change in &self.plan.changes {
                    let other = &change.address.resource;
                    if other.module != *module
                        || other.kind != *kind
                        || Some(&other.name) != name
                        || change.deposed.is_some()
                    {
                        continue;
                    }
                    let index = reference.steps.iter().find_map(|step| match &step.kind {
                        StepKind::Index(key) => Some(key.clone()),
                        StepKind::Attribute(_) => None,
                    });
                    let this = |key: &Key| match key {
                        Key::Int(i) => index.as_ref().and_then(Value::as_int) == Some(*i),
                        Key::Text(t) => index.as_ref().and_then(Value::as_str) == Some(t.as_str()),
                    };
                    if index.is_some() && !change.address.key.as_ref().is_some_and(this) {
                        continue;
                    }
                    let whole = path.is_empty();
                    let part: Path = path.iter().map(|name| PathStep::Attribute(name.clone())).collect();
                    let differs = at(&change.before, &part) != at(&change.after, &part);
                    if whole && (change.action.is_replace() || change.action == Action::Update)
                        || !whole && change.action != Action::Create && differs
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// A data source: read now, or deferred to the apply. True when it is to be read now.
    fn plan_data(&mut self, task: &mut Task, resource: &Resource, config: Value) -> bool {
        let address = task.address.clone();
        let (plain, _) = config.clone().unmark_deep();
        let pending = resource.depends_on.iter().any(|reference| self.has_pending(&address, reference))
            || decode::references(&resource.body).iter().any(|reference| self.has_pending_direct(&address, reference));
        if plain.is_wholly_known() && !pending {
            let null = Value::null(Type::Dynamic);
            task.job = Some(self.job(task, Doing::ReadData, null.clone(), null, plain));
            return true;
        }
        let Some(schema) = self.providers.schema(Mode::Data, &address.resource.kind) else { return false };
        let after = proposed(&schema.block, &Value::null(Type::Dynamic), &plain);
        self.values.set_object(address.clone(), after.clone());
        let reason = if plain.is_wholly_known() { Reason::DependencyPending } else { Reason::ConfigUnknown };
        if let Some(change) = self.change(&address, Action::Read, reason, Value::null(Type::Dynamic), after) {
            self.plan.changes.push(change);
        }
        false
    }

    /// Whether anything `depends_on` names has changes to come.
    fn has_pending(&self, address: &InstanceAddress, reference: &Traversal) -> bool {
        let names: Vec<SmolStr> = address.resource.module.0.iter().map(|step| step.name.clone()).collect();
        let mut nodes = self.graph.targets(&names, reference);
        let deeper: Vec<usize> = nodes.iter().flat_map(|node| self.graph.needed(*node)).collect();
        nodes.extend(deeper);
        self.plan.changes.iter().any(|change| {
            change.action != Action::NoOp
                && self.node_of(&change.address.resource).is_some_and(|node| nodes.contains(&node))
        })
    }

    /// Whether a managed resource that the body names directly has changes to come.
    fn has_pending_direct(&self, address: &InstanceAddress, reference: &Traversal) -> bool {
        if matches!(
            reference.root.as_str(),
            "var" | "local" | "module" | "data" | "each" | "count" | "path" | "terraform" | "self"
        ) {
            return false;
        }
        let names: Vec<SmolStr> = address.resource.module.0.iter().map(|step| step.name.clone()).collect();
        let nodes = self.graph.targets(&names, reference);
        self.plan.changes.iter().any(|change| {
            change.action != Action::NoOp
                && self.node_of(&change.address.resource).is_some_and(|node| nodes.contains(&node))
        })
    }

    fn data_read(&mut self, task: &Task, done: Done, sys: &Sys<'_>) {
        let address = &task.address;
        let loaded = self.config.clone();
        let Some(resource) = loaded.resource(&address.resource) else { return };
        let told = |c: &crate::terraform::provider::Complaint| {
            c.diagnostic(&address.to_string(), &complaint_range(resource, &c.path))
        };
        let found: Vec<Diagnostic> = done.complaints.iter().map(told).collect();
        let failed = has_errors(&found);
        self.fail(task, found);
        if failed {
            return;
        }
        let value = done.value.unwrap_or_else(Value::dynamic);
        let elapsed = super::apply::elapsed(task, sys.now);
        self.tell(task, id_of(&value), Happening::Done(Doing::ReadData, elapsed));
        let of = self.provider_of(&address.resource);
        let object = Object {
            value: value.clone(),
            schema_version: self.schema_version(address),
            tainted: false,
            private: None,
            dependencies: Vec::new(),
            create_before_destroy: false,
        };
        self.state.set(address, None, Some(object), &of);
        self.values.set_object(address.clone(), value.clone());
        let files = MachineFiles::of(sys);
        self.conditions(task, &resource.lifecycle.postconditions, "Resource postcondition failed", Some(value), &files);
    }

    /// What differs from an earlier state counts as drift: for plans made after refreshing.
    pub fn set_drift(&mut self, before: &crate::terraform::state::State) {
        let mut drift = Vec::new();
        for (address, deposed, object) in before.objects() {
            if deposed.is_some() || address.resource.mode == Mode::Data {
                continue;
            }
            let new = self.before.get(&address).map(|object| object.value.clone());
            if new.as_ref() == Some(&object.value) {
                continue;
            }
            let action = if new.is_none() { Action::Delete } else { Action::Update };
            let after = new.unwrap_or_else(|| Value::null(Type::Dynamic));
            drift.extend(self.change(&address, action, Reason::None, object.value.clone(), after));
        }
        self.plan.drift = drift;
        self.relevant_drift();
    }

    /// Which attributes of drifted objects other changes or outputs refer to.
    pub(super) fn relevant_drift(&mut self) {
        if self.options.mode == PlanMode::Destroy {
            self.plan.drift.clear();
        }
        let drifted: Vec<InstanceAddress> = self.plan.drift.iter().map(|change| change.address.clone()).collect();
        let mut relevant = Vec::new();
        for (path, module) in self.config.root.walk() {
            let mut references: Vec<(Option<&crate::terraform::config::ResourceName>, Traversal)> = Vec::new();
            for (name, resource) in &module.resources {
                references.extend(decode::references(&resource.body).into_iter().map(|r| (Some(name), r)));
            }
            let moving = |name: &SmolStr| {
                !path.is_empty()
                    || self.plan.outputs.iter().any(|output| output.name == *name && output.action != Action::NoOp)
            };
            for (_, output) in module.outputs.iter().filter(|(name, _)| moving(name)) {
                references.extend(output.expr.iter().flat_map(|expr| expr.references()).map(|r| (None, r.clone())));
            }
            for local in module.locals.values() {
                references.extend(local.expr.references().into_iter().map(|r| (None, r.clone())));
            }
            for (from, reference) in references.into_iter().filter(|(from, _)| {
                from.is_none_or(|name| {
                    self.plan.changes.iter().any(|change| {
                        let resource = &change.address.resource;
                        change.action != Action::NoOp && resource.kind == name.kind && resource.name == name.name
                    })
                })
            }) {
                for address in &drifted {
                    let resource = &address.resource;
                    let here = resource.module.0.iter().map(|step| &step.name).eq(path.iter());
                    let same = reference.root == resource.kind && reference.names().next() == Some(&resource.name);
                    let own = from.is_some_and(|from| from.kind == resource.kind && from.name == resource.name);
                    // Of many instances only one that is named by its key.
                    let named = match (&address.key, reference.steps.get(1).map(|step| &step.kind)) {
                        (None, _) => true,
                        (Some(key), Some(StepKind::Index(index))) => match key {
                            Key::Int(number) => index.as_int() == Some(*number),
                            Key::Text(text) => index.as_str() == Some(text.as_str()),
                        },
                        _ => false,
                    };
                    if here && same && !own && named {
                        let steps = reference.steps.iter().skip(1).map(|step| match &step.kind {
                            StepKind::Attribute(name) => PathStep::Attribute(name.clone()),
                            StepKind::Index(key) => PathStep::Index(key.clone()),
                        });
                        let mut steps = steps.peekable();
                        // Who speaks of all instances at once speaks of none by its name.
                        if let Some(key) = &address.key {
                            let named = steps.next().is_some_and(|step| match (step, key) {
                                (PathStep::Index(given), Key::Int(own)) => given.as_int() == Some(*own),
                                (PathStep::Index(given), Key::Text(own)) => given.as_str() == Some(own.as_str()),
                                _ => false,
                            });
                            if !named {
                                continue;
                            }
                        }
                        relevant.push((address.clone(), steps.collect()));
                    }
                }
            }
        }
        self.plan.relevant = relevant;
    }
}

fn not_there(address: &InstanceAddress) -> Diagnostic {
    let detail = format!(
        "While attempting to import an existing object to \"{address}\", the provider detected that no object exists with the given id. Only pre-existing objects can be imported; check that the id is correct and that it is associated with the provider's configured region or endpoint, or use \"terraform apply\" to create a new remote object for this resource."
    );
    Diagnostic::sourceless("Cannot import non-existent remote object", detail)
}

/// The configuration with the ignored parts as they are; an empty list means everything.
fn ignore(config: &Value, ignored: &[Traversal], prior: &Value) -> Value {
    if ignored.is_empty() {
        return prior.clone();
    }
    ignored.iter().fold(config.clone(), |config, traversal| {
        let mut path = vec![PathStep::Attribute(traversal.root.clone())];
        for step in &traversal.steps {
            path.push(match &step.kind {
                StepKind::Attribute(name) => PathStep::Attribute(name.clone()),
                StepKind::Index(key) => PathStep::Index(key.clone()),
            });
        }
        graft(&config, &path, prior)
    })
}
