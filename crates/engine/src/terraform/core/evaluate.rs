//! What happens at each node: variables, locals, calls, outputs and checks get values; resources become tasks.

use super::condition::{holds, message};
use super::graph::{Item, is_resource};
use super::imports::no_configuration;
use super::repetition::{expand, set_repetition};
use super::results::Of;
use super::scope::{Expansion, Place, resource_range};
use super::walk::{MachineFiles, Phase, Stage, Task, Walk};
use crate::base::{SmolStr, gap};
use crate::process::Sys;
use crate::terraform::address::{InstanceAddress, Key, Mode, ModulePath, ResourceAddress};
use crate::terraform::config::{Resource, ResourceName, Variable, decode};
use crate::terraform::eval::{self, Scope};
use crate::terraform::hcl::{Diagnostic, Range, StepKind, did_you_mean, has_errors};
use crate::terraform::plan::PlanMode;
use crate::terraform::value::{Marks, Type, Value};

const EPHEMERAL: &str = "Ephemeral value not allowed";

impl Walk {
    /// Evaluates a node; tasks for the instances of a resource.
    pub(super) fn evaluate(&mut self, node: usize, sys: &mut Sys<'_>) -> Vec<Task> {
        let Some(at) = self.graph.nodes.get(node).cloned() else { return Vec::new() };
        let destroying = self.options.mode == PlanMode::Destroy && self.phase != Phase::Validate;
        let paths =
            if self.phase == Phase::Validate { vec![static_path(&at.module)] } else { self.module_paths(&at.module) };
        let files = MachineFiles::of(sys);
        match &at.item {
            Item::Variable(name) => paths.iter().for_each(|path| self.variable(path, name, &files)),
            Item::Local(name) => paths.iter().for_each(|path| self.local(path, name, &files)),
            Item::Call(name) => paths.iter().for_each(|path| self.call(path, name, &files)),
            Item::Provider(name, alias) => {
                paths.iter().for_each(|path| self.provider(path, name, alias.as_ref(), &files))
            }
            Item::Output(name) if !destroying => paths.iter().for_each(|path| self.output(path, name, &files)),
            // What it says of the objects as they are found now, where it still says anything.
            Item::Output(name) if self.phase == Phase::Plan => {
                let told = self.diagnostics.len();
                paths.iter().for_each(|path| self.output(path, name, &files));
                self.diagnostics.truncate(told);
            }
            // A check is no part of what targets ask for.
            Item::Check(name) if !destroying && self.options.targets.is_empty() && !self.options.before_destroy => {
                paths.iter().for_each(|path| self.check_block(path, name, &files));
            }
            Item::Output(_) | Item::Check(_) => {}
            Item::Resource(name) => {
                let mut tasks = Vec::new();
                for path in &paths {
                    tasks.extend(self.resource(node, path, name, &files));
                }
                if self.phase == Phase::Plan {
                    tasks.extend(self.without_module(node, &at.module, name, &paths));
                }
                return tasks;
            }
            Item::Orphan(text) => return self.orphan(node, text),
            Item::Destroy(index) => return self.destroy_task(node, *index),
        }
        Vec::new()
    }

    fn variable(&mut self, path: &ModulePath, name: &SmolStr, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return };
        let Some(variable) = module.variables.get(name) else { return };
        if let Some(unfit) = self.options.unfit.get(name).filter(|_| path.is_root()) {
            self.diagnostics.push(unfit.clone());
            return;
        }
        let ty = variable.constraint.ty.without_optional();
        let mut value = match path.parent() {
            None if self.phase == Phase::Validate => Value::unknown(ty.clone()),
            None => match self.options.variables.get(name).cloned().or_else(|| variable.default.clone()) {
                Some(value) => value,
                None => Value::unknown(ty.clone()),
            },
            Some(parent) => match self.argument(&parent, path, variable, files) {
                Some(value) => value,
                None => return,
            },
        };
        if value.is_null()
            && !variable.nullable
            && let Some(default) = &variable.default
        {
            value = default.clone();
        }
        if variable.sensitive {
            value = value.sensitive();
        }
        if variable.ephemeral {
            value = value.with_marks(Marks::EPHEMERAL);
        }
        self.values.variables.insert((path.clone(), name.clone()), value);
        if self.phase == Phase::Validate && path.is_root() {
            return;
        }
        // What a module is given is at fault, not the module.
        let given = path.parent().zip(path.0.last()).and_then(|(parent, step)| {
            let argument = config.module(&parent)?.calls.get(&step.name)?.arguments.attribute(name)?;
            Some(argument.expression.range.clone())
        });
        let given = given.or_else(|| self.options.given.get(name).filter(|_| path.is_root()).cloned());
        let subject = given.as_ref().unwrap_or(&variable.range);
        let mut found = Vec::new();
        let mut outcomes = Vec::new();
        for validation in &variable.validations {
            let place = Place::new(&self.values, module, path, Some(files));
            let (state, mut diagnostics) = holds(validation, &place);
            let mut said = String::new();
            if state == Some(false) {
                let (message, told) = message(validation, &place);
                said.clone_from(&message);
                diagnostics.extend(told);
                let at = validation.range.text();
                let detail = format!("{message}\n\nThis was checked by the validation rule at {at}.");
                let diagnostic = Diagnostic::error("Invalid value for variable", detail, subject);
                diagnostics.push(eval::blame(diagnostic, &validation.condition, &place));
            }
            outcomes.push((Of::Variable, Walk::part(path, "var", name), validation, state, said));
            found.extend(diagnostics);
        }
        for (of, object, condition, state, said) in outcomes {
            self.results.record(of, object, condition, state, &said);
        }
        self.diagnostics.extend(found);
    }

    /// What a module call gives for a variable.
    fn argument(
        &mut self,
        parent: &ModulePath,
        path: &ModulePath,
        variable: &Variable,
        files: &MachineFiles<'_>,
    ) -> Option<Value> {
        let step = path.0.last()?;
        let config = self.config.clone();
        let outer = config.module(parent)?;
        let call = outer.calls.get(&step.name)?;
        let Some(argument) = call.arguments.attribute(&variable.name) else {
            return Some(
                variable.default.clone().unwrap_or_else(|| Value::unknown(variable.constraint.ty.without_optional())),
            );
        };
        let mut place = Place::new(&self.values, outer, parent, Some(files));
        let expansion = self.values.calls.get(&(parent.clone(), step.name.clone()));
        set_repetition(&mut place, expansion, step.key.as_ref(), call.count.is_some(), call.for_each.is_some());
        let (value, mut diagnostics) = eval::eval(&argument.expression, &place);
        if value.marks_deep().has(Marks::EPHEMERAL) && !variable.ephemeral {
            let detail = "This input variable is not declared as accepting a ephemeral values, so it cannot be set to a result derived from an ephemeral value.";
            diagnostics.push(Diagnostic::error(EPHEMERAL, detail, &argument.expression.range));
        }
        let value = match variable.constraint.convert(&value) {
            Ok(value) => value,
            Err(error) => {
                let detail = format!(
                    "The given value is not suitable for {path}.var.{} declared at {}: {}.",
                    variable.name,
                    variable.range.text(),
                    error.with_path()
                );
                let diagnostic =
                    Diagnostic::error("Invalid value for input variable", detail, &argument.expression.range);
                diagnostics.push(eval::blame(diagnostic, &argument.expression, &place));
                Value::unknown(variable.constraint.ty.without_optional())
            }
        };
        self.diagnostics.extend(diagnostics);
        Some(value)
    }

    fn local(&mut self, path: &ModulePath, name: &SmolStr, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return };
        let Some(local) = module.locals.get(name) else { return };
        let own = |r: &&crate::terraform::hcl::Traversal| r.root == "local" && r.names().next() == Some(name);
        if let Some(reference) = local.expr.references().into_iter().find(own) {
            let detail = format!("Local value local.{name} cannot use its own result as part of its expression.");
            self.diagnostics.push(Diagnostic::error("Self-referencing local value", detail, &reference.range_of(1)));
            return;
        }
        let place = Place::new(&self.values, module, path, Some(files));
        let (value, diagnostics) = eval::eval(&local.expr, &place);
        self.diagnostics.extend(diagnostics);
        self.values.locals.insert((path.clone(), name.clone()), value);
    }

    fn output(&mut self, path: &ModulePath, name: &SmolStr, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return };
        let Some(output) = module.outputs.get(name) else { return };
        if self.phase != Phase::Validate && path.is_root() && self.outputs_left_out().contains(name) {
            return;
        }
        let place = Place::new(&self.values, module, path, Some(files));
        let mut found = Vec::new();
        let mut outcomes = Vec::new();
        if self.phase != Phase::Validate {
            for condition in &output.preconditions {
                let (state, diagnostics) = holds(condition, &place);
                found.extend(diagnostics);
                outcomes.push((condition, state, String::new()));
                if state == Some(false) {
                    let summary = "Module output value precondition failed";
                    let (message, told) = message(condition, &place);
                    outcomes.pop();
                    outcomes.push((condition, state, message.clone()));
                    found.extend(told);
                    let diagnostic = Diagnostic::error(summary, message, &condition.condition.range);
                    found.push(eval::blame(diagnostic, &condition.condition, &place));
                }
            }
        }
        let mut value = match (&output.expr, has_errors(&found)) {
            (Some(expr), false) => {
                let describe = |reason: &str| Diagnostic::sourceless(reason, "");
                let (value, diagnostics) = eval::eval_as(expr, &place, &Type::Dynamic, &describe);
                found.extend(diagnostics);
                value
            }
            _ => Value::dynamic(),
        };
        let mut failed = has_errors(&found);
        if value.marks_deep().has(Marks::SENSITIVE) && !output.sensitive && path.is_root() {
            failed = true;
            let detail = "To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, Terraform requires that any root module output containing sensitive data be explicitly marked as sensitive, to confirm your intent.\n\nIf you do intend to export this data, annotate the output value as sensitive by adding the following argument:\n    sensitive = true";
            found.push(Diagnostic::error("Output refers to sensitive values", detail, &output.range));
        }
        if value.marks_deep().has(Marks::EPHEMERAL) && !output.ephemeral {
            failed = true;
            let detail = "This output value is not declared as returning an ephemeral value, so it cannot be set to a result derived from an ephemeral value.";
            let at = output.expr.as_ref().map_or(&output.range, |expr| &expr.range);
            found.push(Diagnostic::error(EPHEMERAL, detail, at));
        }
        if output.sensitive && !path.is_root() {
            value = value.sensitive();
        }
        for (condition, state, said) in outcomes {
            self.results.record(Of::Output, Walk::part(path, "output", name), condition, state, &said);
        }
        self.diagnostics.extend(found);
        if !failed || self.phase == Phase::Validate {
            self.values.outputs.insert((path.clone(), name.clone()), value);
        }
    }

    fn call(&mut self, path: &ModulePath, name: &SmolStr, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return };
        let (Some(call), Some(child)) = (module.calls.get(name), module.children.get(name)) else { return };
        if self.phase == Phase::Validate {
            let mut found = Vec::new();
            for (variable, declared) in &child.variables {
                if declared.default.is_none() && call.arguments.attribute(variable).is_none() {
                    let detail = format!("The argument \"{variable}\" is required, but no definition was found.");
                    let at = call.arguments.missing_range();
                    found.push(Diagnostic::error("Missing required argument", detail, &at));
                }
            }
            self.diagnostics.extend(found);
        }
        let place = Place::new(&self.values, module, path, Some(files));
        let (expansion, diagnostics) = expand(&call.count, &call.for_each, &place);
        self.diagnostics.extend(diagnostics);
        // References into the module are checked with one instance standing for all.
        let checked = self.phase == Phase::Validate && call.count.is_none() && call.for_each.is_none();
        let expansion = if checked { Expansion::Single } else { expansion };
        self.values.calls.insert((path.clone(), name.clone()), expansion);
    }

    fn provider(&mut self, path: &ModulePath, name: &SmolStr, alias: Option<&SmolStr>, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return };
        let source = module.provider_source(name);
        let Some(block) = module.providers.iter().find(|each| each.name == *name && each.alias.as_ref() == alias)
        else {
            return;
        };
        let Some(provider) = self.providers.get(&source) else { return };
        // One that nothing uses is not looked at.
        let used = |module: &crate::terraform::config::Module| {
            module.resources.values().any(|resource| module.provider_source(&resource.provider.0) == source)
        };
        if source == crate::terraform::config::BUILTIN && !config.root.walk().iter().any(|(_, module)| used(module)) {
            return;
        }
        let schema = provider.configuration();
        let place = Place::new(&self.values, module, path, Some(files));
        let (value, diagnostics) = decode::decode(&block.body, &schema, &place);
        self.diagnostics.extend(diagnostics);
        self.settings.insert((source, alias.cloned()), value.unmark_deep().0);
    }

    fn check_block(&mut self, path: &ModulePath, name: &SmolStr, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return };
        let Some(check) = module.checks.get(name) else { return };
        let place = Place::new(&self.values, module, path, Some(files));
        let mut found = Vec::new();
        let mut outcomes = Vec::new();
        for condition in &check.asserts {
            if self.phase == Phase::Validate {
                found.extend(eval::eval(&condition.condition, &place).1);
                continue;
            }
            let range = &condition.condition.range;
            let (state, diagnostics) = holds(condition, &place);
            found.extend(diagnostics);
            outcomes.push((condition, state, String::new()));
            match state {
                Some(true) => {}
                Some(false) => {
                    let (message, told) = message(condition, &place);
                    found.extend(told);
                    outcomes.pop();
                    outcomes.push((condition, state, message.clone()));
                    let diagnostic = Diagnostic::warning("Check block assertion failed", message, range);
                    found.push(eval::blame(diagnostic, &condition.condition, &place));
                }
                None if self.phase == Phase::Plan => {
                    let detail = "The condition could not be evaluated at this time, a result will be known when this plan is applied.";
                    let diagnostic = Diagnostic::warning("Check block assertion known after apply", detail, range);
                    found.push(eval::blame(diagnostic, &condition.condition, &place));
                }
                None => {}
            }
        }
        for (condition, state, said) in outcomes {
            self.results.record(Of::Check, Walk::part(path, "check", name), condition, state, &said);
        }
        self.diagnostics.extend(found);
    }

    fn resource(&mut self, node: usize, path: &ModulePath, name: &ResourceName, files: &MachineFiles<'_>) -> Vec<Task> {
        let config = self.config.clone();
        let Some(module) = config.module(path) else { return Vec::new() };
        let Some(resource) = module.resources.get(name) else { return Vec::new() };
        let address =
            ResourceAddress { module: path.clone(), mode: name.mode, kind: name.kind.clone(), name: name.name.clone() };
        if self.phase == Phase::Validate {
            self.validate(&address, resource, files);
            return Vec::new();
        }
        if self.options.mode == PlanMode::Destroy || !self.is_targeted(node, None) {
            return self.standing(node, &address);
        }
        if self.phase == Phase::Plan {
            let own: Vec<Range> = decode::borrowed(&resource.body)
                .into_iter()
                .filter(|r| is_resource(r, name))
                .map(|r| resource_range(r, name.mode))
                .collect();
            for range in own.iter().chain(&own) {
                let detail = format!("Configuration for {address} may not refer to itself.");
                self.diagnostics.push(Diagnostic::error("Self-referential block", detail, range));
            }
            if !own.is_empty() {
                return Vec::new();
            }
        }
        let place = Place::new(&self.values, module, path, Some(files));
        let (expansion, diagnostics) = expand(&resource.count, &resource.for_each, &place);
        let failed = has_errors(&diagnostics);
        self.diagnostics.extend(diagnostics);
        if failed {
            return Vec::new();
        }
        let mut keys: Vec<Option<Key>> = expansion.keys();
        self.values.resources.insert(address.clone(), expansion.clone());
        if self.phase == Phase::Apply {
            return self.apply_tasks(node, &address, keys);
        }
        if !self.find_imports(&address, files) {
            return Vec::new();
        }
        let absent = |at: &&InstanceAddress| at.resource == address && !expansion.has(at.key.as_ref());
        if let Some(target) = self.plan_imports.keys().find(absent).filter(|_| self.importing) {
            self.diagnostics.push(no_configuration(target, None));
            return Vec::new();
        }
        self.check_replace(&address, &keys);
        let state = self.state.resources.get(&address);
        let old: Vec<Option<Key>> = state.map(|state| state.instances.keys().cloned().collect()).unwrap_or_default();
        let gone: Vec<Option<Key>> = old.into_iter().filter(|key| !expansion.has(key.as_ref())).collect();
        keys.extend(gone);
        keys.sort();
        let mut tasks = Vec::new();
        for key in keys {
            let address = address.instance(key);
            if !self.is_targeted(node, Some(&address)) {
                self.keep(&address);
                continue;
            }
            tasks.extend(self.plan_tasks(node, &address));
        }
        tasks
    }

    /// Objects of module instances that are no more, though the module is.
    fn without_module(
        &mut self,
        node: usize,
        module: &[SmolStr],
        name: &ResourceName,
        paths: &[ModulePath],
    ) -> Vec<Task> {
        if module.is_empty() {
            return Vec::new();
        }
        let left: Vec<InstanceAddress> = self
            .state
            .resources
            .iter()
            .filter(|(address, _)| {
                address.mode == name.mode
                    && address.kind == name.kind
                    && address.name == name.name
                    && address.module.0.iter().map(|step| &step.name).eq(module)
                    && !paths.contains(&address.module)
            })
            .flat_map(|(address, state)| state.instances.keys().map(|key| address.instance(key.clone())))
            .collect();
        let left: Vec<InstanceAddress> =
            left.into_iter().filter(|address| self.is_targeted(node, Some(address))).collect();
        left.iter().flat_map(|address| self.plan_tasks(node, address)).collect()
    }

    /// Objects as they are: when all is destroyed, or the resource is no target.
    fn standing(&mut self, node: usize, address: &ResourceAddress) -> Vec<Task> {
        let Some(state) = self.state.resources.get(address) else {
            self.values.resources.entry(address.clone()).or_insert(Expansion::Unknown);
            return Vec::new();
        };
        let keys: Vec<Option<Key>> = state.instances.keys().cloned().collect();
        let expansion = match keys.first() {
            Some(Some(Key::Int(_))) => Expansion::Count(keys.len()),
            Some(Some(Key::Text(_))) => {
                let names = keys.iter().filter_map(|key| match key {
                    Some(Key::Text(text)) => Some((text.clone(), Value::dynamic())),
                    _ => None,
                });
                Expansion::Each(names.collect())
            }
            _ => Expansion::Single,
        };
        self.values.resources.insert(address.clone(), expansion);
        let mut tasks = Vec::new();
        for key in keys {
            let address = address.instance(key);
            let wanted = self.options.mode == PlanMode::Destroy && self.is_targeted(node, Some(&address));
            if self.phase == Phase::Plan && wanted {
                tasks.extend(self.plan_tasks(node, &address));
            } else {
                self.keep(&address);
            }
        }
        tasks
    }

    /// The object of the state is what references see.
    fn keep(&mut self, address: &InstanceAddress) {
        if let Some(object) = self.state.get(address) {
            self.values.set_object(address.clone(), object.value.clone());
        }
    }

    fn orphan(&mut self, node: usize, text: &str) -> Vec<Task> {
        let Some(address) =
            self.orphans.get(text).filter(|address| self.state.resources.contains_key(*address)).cloned()
        else {
            return Vec::new();
        };
        if self.phase != Phase::Plan {
            return Vec::new();
        }
        let keys: Vec<Option<Key>> = self
            .state
            .resources
            .get(&address)
            .map(|state| state.instances.keys().cloned().collect())
            .unwrap_or_default();
        let all = keys.into_iter().map(|key| address.instance(key));
        let wanted: Vec<InstanceAddress> = all.filter(|address| self.is_targeted(node, Some(address))).collect();
        wanted.iter().flat_map(|address| self.plan_tasks(node, address)).collect()
    }

    /// The tasks that plan one instance: its object, and what replacements left over.
    fn plan_tasks(&mut self, node: usize, address: &InstanceAddress) -> Vec<Task> {
        let instance =
            self.state.resources.get(&address.resource).and_then(|resource| resource.instances.get(&address.key));
        let deposed: Vec<SmolStr> =
            instance.map(|instance| instance.deposed.keys().cloned().collect()).unwrap_or_default();
        let has_object = instance.is_some_and(|instance| instance.current.is_some());
        let import = self.plan_imports.contains_key(address) && (!has_object || self.importing);
        let reads = self.options.refresh && address.resource.mode == Mode::Managed;
        // What is only forgotten is not looked at.
        let forgotten = !self.in_configuration(address)
            && self.removed_block(&address.resource).is_some_and(|removed| !removed.destroy);
        let reads = reads && !forgotten;
        let stage = match (has_object, import) {
            (_, true) => Stage::Import,
            (true, _) if reads => Stage::Refresh,
            _ => Stage::Plan,
        };
        let mut tasks = Vec::new();
        for id in deposed {
            let stage = if reads { Stage::Refresh } else { Stage::Plan };
            tasks.push(Task::new(node, address.clone(), Some(id), stage));
        }
        if has_object || self.in_configuration(address) {
            tasks.push(Task::new(node, address.clone(), None, stage));
        }
        tasks
    }

    /// Whether the configuration asks for this very instance.
    pub(super) fn in_configuration(&self, address: &InstanceAddress) -> bool {
        self.resource_config(&address.resource).is_some()
            && self.values.resources.get(&address.resource).is_some_and(|expansion| expansion.has(address.key.as_ref()))
    }

    fn validate(&mut self, address: &ResourceAddress, resource: &Resource, files: &MachineFiles<'_>) {
        let config = self.config.clone();
        let Some(module) = config.module(&address.module) else { return };
        let source = module.provider_source(&resource.provider.0);
        let Some(provider) = self.providers.get(&source) else { return };
        if provider.absent(address.mode).contains(&address.kind.as_str()) {
            let text = gap::line(&format!("the resource type {}", address.kind), "");
            self.diagnostics.push(Diagnostic::error(text, "", &resource.kind_range));
            return;
        }
        let Some(schema) = provider.schema(address.mode, &address.kind) else {
            let (what, kinds) = match address.mode {
                Mode::Managed => ("resource type", provider.kinds(Mode::Managed)),
                Mode::Data => ("data source", provider.kinds(Mode::Data)),
            };
            let short = source.trim_start_matches("registry.terraform.io/");
            let absent = provider.absent(address.mode);
            let mut tail = did_you_mean(&address.kind, kinds.iter().chain(absent).copied());
            if address.mode == Mode::Data && provider.kinds(Mode::Managed).contains(&address.kind.as_str()) {
                tail = "\n\nDid you intend to use the managed resource type \"".to_string()
                    + &address.kind
                    + "\"? If so, declare this using a \"resource\" block instead of a \"data\" block.";
            }
            let data = provider.kinds(Mode::Data).contains(&address.kind.as_str())
                || provider.absent(Mode::Data).contains(&address.kind.as_str());
            if address.mode == Mode::Managed && data {
                tail = "\n\nDid you intend to use the data source \"".to_string()
                    + &address.kind
                    + "\"? If so, declare this using a \"data\" block instead of a \"resource\" block.";
            }
            let detail = format!("The provider {short} does not support {what} \"{}\".{tail}", address.kind);
            let summary = if address.mode == Mode::Managed { "Invalid resource type" } else { "Invalid data source" };
            self.diagnostics.push(Diagnostic::error(summary, detail, &resource.kind_range));
            return;
        };
        let mut place = Place::new(&self.values, module, &address.module, Some(files));
        let mut found = Vec::new();
        let (_, diagnostics) = expand(&resource.count, &resource.for_each, &place);
        found.extend(diagnostics);
        set_repetition(&mut place, None, None, resource.count.is_some(), resource.for_each.is_some());
        let (config, diagnostics) = decode::decode(&resource.body, &schema.block, &place);
        let failed = has_errors(&diagnostics);
        let builtin = source == crate::terraform::config::BUILTIN;
        found.extend(diagnostics.into_iter().map(|each| match each.detail.split('"').nth(1) {
            // It says so itself.
            Some(name) if builtin && each.summary == "Value for unconfigurable attribute" => {
                Diagnostic::sourceless(format!("\"{name}\" attribute is read-only"), "")
            }
            _ => each,
        }));
        found.extend(persisted(resource, address, &config));
        for provisioner in resource.provisioners.iter().filter(|each| each.kind == "local-exec") {
            place.this = Some(Value::unknown(schema.block.implied_type()));
            found.extend(decode::decode(&provisioner.body, &super::provision::schema(), &place).1);
        }
        place.this = None;
        found.extend(resource.depends_on.iter().flat_map(|on| whole(on, &place)));
        if !failed {
            for complaint in provider.validate(address.mode, &address.kind, &config.unmark_deep().0) {
                let range = complaint_range(resource, &complaint.path);
                found.push(complaint.diagnostic(&address.to_string(), &range));
            }
        }
        let object = Value::unknown(schema.block.implied_type());
        for condition in resource.lifecycle.preconditions.iter().chain(&resource.lifecycle.postconditions) {
            let mut place = Place::new(&self.values, module, &address.module, Some(files));
            set_repetition(&mut place, None, None, resource.count.is_some(), resource.for_each.is_some());
            place.this = Some(object.clone());
            found.extend(eval::eval(&condition.condition, &place).1);
        }
        let single = resource.count.is_none() && resource.for_each.is_none();
        self.diagnostics.extend(found);
        self.values.resources.insert(address.clone(), if single { Expansion::Single } else { Expansion::Unknown });
        self.values.set_object(address.instance(None), object);
    }

    /// `-replace` of a resource with many instances must say which.
    fn check_replace(&mut self, address: &ResourceAddress, keys: &[Option<Key>]) {
        let whole = address.instance(None);
        if keys.contains(&None) || !self.options.replace.contains(&whole) {
            return;
        }
        let options = |keys: &[Option<Key>]| -> String {
            let one = |key: &Option<Key>| {
                format!("\n  -replace={}", crate::base::goquote::quote(&address.instance(key.clone()).to_string()))
            };
            keys.iter().map(one).collect()
        };
        let reason = match keys {
            [] => "because this resource doesn't have any instances.".to_string(),
            [_] => format!(
                "because it lacks an instance key.\n\nTo force replacement of the single declared instance, use the following option instead:{}",
                options(keys)
            ),
            _ => format!(
                "because it lacks an instance key.\n\nTo force replacement of particular instances, use one or more of the following options instead:{}",
                options(keys)
            ),
        };
        let detail = format!("Your force-replace request for {whole} doesn't match any resource instances {reason}");
        let summary = "Incompletely-matched force-replace resource instance";
        let warning = Diagnostic {
            severity: crate::terraform::hcl::Severity::Warning,
            ..Diagnostic::sourceless(summary, detail)
        };
        self.diagnostics.push(warning);
    }
}

impl Task {
    pub fn new(node: usize, address: InstanceAddress, deposed: Option<SmolStr>, stage: Stage) -> Task {
        Task {
            node,
            address,
            deposed,
            stage,
            memory: Default::default(),
            started: None,
            beat: 0,
            job: None,
            done: None,
            provision: Default::default(),
            imported: false,
        }
    }
}

fn static_path(names: &[SmolStr]) -> ModulePath {
    names.iter().fold(ModulePath::default(), |path, name| path.child(name, None))
}

/// Values that last no longer than a run cannot be kept.
pub fn persisted(resource: &Resource, address: &dyn std::fmt::Display, config: &Value) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (path, marks) in config.marked_paths() {
        if !marks.has(Marks::EPHEMERAL) {
            continue;
        }
        let text = crate::terraform::value::path_text(&path);
        let detail = format!(
            "Ephemeral values are not valid for \"{}\", because it is not a write-only attribute and must be persisted to state.",
            text.trim_start_matches('.')
        );
        let error = Diagnostic::error("Invalid use of ephemeral value", detail, &complaint_range(resource, &path));
        found.push(Diagnostic { address: address.to_string(), ..error });
    }
    found
}

/// What `depends_on` names is there, and is a whole.
fn whole(on: &crate::terraform::hcl::Traversal, place: &Place<'_>) -> Vec<Diagnostic> {
    let keyed = |at: usize| matches!(on.steps.get(at).map(|step| &step.kind), Some(StepKind::Index(_)));
    let taken = match on.root.as_str() {
        "module" => 2 + usize::from(keyed(1)),
        "data" | "resource" | "ephemeral" => 2 + usize::from(keyed(2)),
        "var" | "local" | "path" | "terraform" | "count" | "each" => 1,
        "self" => 0,
        _ => 1 + usize::from(keyed(1)),
    };
    if let (Some(first), Some(last)) = (on.steps.get(taken), on.steps.last()) {
        let detail =
            "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object.";
        return vec![Diagnostic::error("Invalid depends_on reference", detail, &first.range.to(&last.range))];
    }
    place.lookup(on).err().unwrap_or_default()
}

/// The line a provider's complaint points at: the argument it is about, else the block's header.
pub fn complaint_range(resource: &Resource, path: &[crate::terraform::value::PathStep]) -> Range {
    use crate::terraform::value::PathStep;
    let mut body = &resource.body;
    let mut steps = path.iter().peekable();
    while let Some(PathStep::Attribute(name)) = steps.next() {
        if let Some(attribute) = body.attribute(name) {
            return attribute.expression.range.clone();
        }
        let index = match steps.peek() {
            Some(PathStep::Index(key)) => key.as_int().and_then(|index| usize::try_from(index).ok()),
            _ => Some(0),
        };
        let Some(block) = index.and_then(|index| body.blocks_of(name).nth(index)) else { break };
        steps.next();
        body = &block.body;
    }
    body.missing_range()
}
