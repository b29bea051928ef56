//! The blocks of one module's files.

use super::blocks::{check, missing};
use super::rules;
use super::{
    CheckBlock, Condition, Import, Lifecycle, Local, Module, ModuleCall, Moved, Output, ProviderConfig, Provisioner,
    Removed, Requirement, Resource, ResourceName, Variable,
};
use crate::base::SmolStr;
use crate::terraform::address::Mode;
use crate::terraform::eval::{self, constraint};
use crate::terraform::hcl::{Block, Body, Diagnostic, Expr, ExprKind, Range, StepKind, Traversal};
use crate::terraform::render::is_identifier;
use crate::terraform::value::{Type, Value, convert};

/// Top-level blocks and the words for their labels.
const BLOCKS: [(&str, &[&str]); 15] = [
    ("terraform", &[]),
    ("required_providers", &[]),
    ("provider", &["name"]),
    ("variable", &["name"]),
    ("locals", &[]),
    ("output", &["name"]),
    ("module", &["name"]),
    ("resource", &["type", "name"]),
    ("data", &["type", "name"]),
    ("moved", &[]),
    ("removed", &[]),
    ("import", &[]),
    ("check", &["name"]),
    ("ephemeral", &["type", "name"]),
    ("action", &["type", "name"]),
];

/// Words that begin no resource's address.
const RESERVED: [&str; 10] = ["count", "each", "local", "path", "self", "terraform", "var", "template", "lazy", "arg"];

const META: [&str; 4] = ["count", "for_each", "depends_on", "provider"];

pub struct Reader {
    module: Module,
    diagnostics: Vec<Diagnostic>,
    /// What is wrong with the sources of module calls.
    sources: Vec<Diagnostic>,
}

impl Reader {
    pub fn new(folder: &str) -> Reader {
        Reader {
            module: Module { folder: folder.to_string(), ..Module::default() },
            diagnostics: Vec::new(),
            sources: Vec::new(),
        }
    }

    pub fn finish(self) -> (Module, Vec<Diagnostic>, Vec<Diagnostic>) {
        (self.module, self.diagnostics, self.sources)
    }

    fn tell(&mut self, summary: &str, detail: impl Into<String>, range: &Range) {
        self.diagnostics.push(Diagnostic::error(summary, detail.into(), range));
    }

    pub fn file(&mut self, body: &Body) {
        let kinds: Vec<&str> = BLOCKS.iter().map(|(kind, _)| *kind).collect();
        check(body, &[], &kinds, &mut self.diagnostics);
        for block in &body.blocks {
            let Some((_, labels)) = BLOCKS.iter().find(|(kind, _)| *kind == block.kind) else { continue };
            if !self.labels(block, labels) {
                continue;
            }
            match block.kind.as_str() {
                "terraform" => self.settings(block),
                "required_providers" => self.requirements(block),
                "provider" => self.provider(block),
                "variable" => self.variable(block),
                "locals" => self.locals(block),
                "output" => self.output(block),
                "module" => self.call(block),
                "resource" => self.resource(block, Mode::Managed),
                "data" => self.resource(block, Mode::Data),
                "moved" => self.moved(block),
                "removed" => self.removed(block),
                "import" => self.import(block),
                "check" => self.check_block(block),
                "ephemeral" => self.ephemeral(block),
                _ => {
                    let text = crate::base::gap::line(&format!("blocks of type \"{}\"", block.kind), "");
                    self.tell(&text, "", &block.kind_range);
                }
            }
        }
    }

    /// Whether the block has the labels it should have.
    fn labels(&mut self, block: &Block, wanted: &[&str]) -> bool {
        if block.labels.len() < wanted.len() {
            let missing = wanted.get(block.labels.len()).copied().unwrap_or_default();
            let detail =
                format!("All {} blocks must have {} labels ({}).", block.kind, wanted.len(), wanted.join(", "));
            let diagnostic =
                Diagnostic::error(format!("Missing {missing} for {}", block.kind), detail, &block.open_range);
            self.diagnostics.push(diagnostic.in_context(&block.kind_range.to(&block.open_range)));
            return false;
        }
        if let Some(extra) = block.label_ranges.get(wanted.len()) {
            let detail = match wanted.len() {
                0 => format!("No labels are expected for {} blocks.", block.kind),
                count => {
                    format!("Only {count} labels ({}) are expected for {} blocks.", wanted.join(", "), block.kind)
                }
            };
            let summary = format!("Extraneous label for {}", block.kind);
            let diagnostic = Diagnostic::error(summary, detail, extra);
            self.diagnostics.push(diagnostic.in_context(&block.kind_range.to(&block.open_range)));
            return false;
        }
        true
    }

    /// The label that names something, checked for its form.
    fn name(&mut self, block: &Block, index: usize, what: &str) -> SmolStr {
        let name = block.labels.get(index).cloned().unwrap_or_default();
        if !is_identifier(&name) {
            let range = block.label_ranges.get(index).unwrap_or(&block.kind_range).clone();
            let detail = "A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.";
            self.tell(&format!("Invalid {what} name"), detail, &range);
        }
        name
    }

    fn eval_constant(&mut self, expr: &Expr) -> Option<Value> {
        let (value, found) = eval::eval_constant(expr);
        let failed = crate::terraform::hcl::has_errors(&found);
        self.diagnostics.extend(found);
        (!failed).then_some(value)
    }

    fn constant_bool(&mut self, body: &Body, name: &str) -> Option<bool> {
        let value = rules::constant(&body.attribute(name)?.expression, &Type::Bool, &mut self.diagnostics)?;
        value.as_bool()
    }

    fn constant_text(&mut self, body: &Body, name: &str) -> Option<String> {
        let value = rules::constant(&body.attribute(name)?.expression, &Type::String, &mut self.diagnostics)?;
        value.as_str().map(str::to_string)
    }

    fn settings(&mut self, block: &Block) {
        let arguments = ["required_version", "experiments", "language"];
        let blocks = ["required_providers", "backend", "cloud", "provider_meta"];
        check(&block.body, &arguments, &blocks, &mut self.diagnostics);
        if let Some(attribute) = block.body.attribute("experiments") {
            let detail = "Experimental features are intended only for gathering early feedback on new language designs, and so are available only in alpha releases of Terraform.";
            self.tell("Module uses experimental features", detail, &attribute.name_range);
        }
        if let Some(attribute) = block.body.attribute("required_version") {
            let range = attribute.name_range.to(&attribute.expression.range);
            if let Some(version) = self.constant_text(&block.body, "required_version") {
                rules::constraint(&version, &attribute.expression, &mut self.diagnostics);
                self.module.required_version.push((version, range));
            }
        }
        for inner in &block.body.blocks {
            match inner.kind.as_str() {
                "required_providers" => self.requirements(inner),
                "backend" | "cloud" => self.backend(inner),
                _ => {}
            }
        }
    }

    fn backend(&mut self, block: &Block) {
        let cloud = block.kind == "cloud";
        if !self.labels(block, if cloud { &[] } else { &["type"] }) {
            return;
        }
        let range = block.header_range();
        if let Some(first) = &self.module.backend {
            let (summary, detail, at) = if first.cloud == cloud {
                let detail = format!(
                    "A module may have only one '{0}' configuration block. The {0} was previously configured at {1}.",
                    block.kind,
                    first.range.text()
                );
                (format!("Duplicate '{}' configuration block", block.kind), detail, range)
            } else {
                let (of_cloud, of_backend) = if cloud { (&range, &first.range) } else { (&first.range, &range) };
                let detail = format!(
                    "A module may declare either one 'cloud' block OR one 'backend' block for configuring state storage. The 'cloud' block is configured at {}; a 'backend' is configured at {}. Remove the 'backend' block to configure HCP Terraform or Terraform Enterprise.",
                    of_cloud.text(),
                    of_backend.text()
                );
                let summary = "Conflicting 'cloud' and 'backend' configuration blocks are present";
                (summary.into(), detail, of_backend.clone())
            };
            return self.tell(&summary, detail, &at);
        }
        let (path, workspaces, wrong) = rules::local_backend(&block.body);
        self.module.backend = Some(super::Backend {
            kind: block.labels.first().cloned().unwrap_or_else(|| block.kind.clone()),
            cloud,
            path,
            workspaces,
            wrong,
            range,
            kind_range: block.label_ranges.first().unwrap_or(&block.kind_range).clone(),
        });
    }

    fn requirements(&mut self, block: &Block) {
        for attribute in &block.body.attributes {
            let mut expression = attribute.expression.clone();
            // Names of configurations that a caller gives are no values.
            if let ExprKind::Object(items) = &mut expression.kind {
                let aliases = items.iter().find(|item| item.key.literal_str() == Some("configuration_aliases"));
                if let Some(ExprKind::Tuple(aliases)) = aliases.map(|item| &item.value.kind) {
                    let named = aliases.iter().filter_map(|alias| provider_reference(alias.traversal()?));
                    self.module.aliases.extend(named.filter(|(_, alias)| alias.is_some()));
                }
                items.retain(|item| item.key.literal_str() != Some("configuration_aliases"));
            }
            let Some(value) = self.eval_constant(&expression) else { continue };
            let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_string);
            let (source, version) = match value.as_str() {
                Some(version) => (format!("hashicorp/{}", attribute.name), Some(version.to_string())),
                None => (text("source").unwrap_or_else(|| format!("hashicorp/{}", attribute.name)), text("version")),
            };
            let lower = attribute.name.to_lowercase();
            if lower != attribute.name.as_str() {
                let detail = format!(
                    "Provider names must be normalized. Replace \"{}\" with \"{lower}\" to fix this error.",
                    attribute.name
                );
                self.tell("Invalid provider local name", &detail, &attribute.name_range);
                continue;
            }
            rules::requirement(&attribute.expression, &source, version.as_deref(), &mut self.diagnostics);
            let requirement = Requirement { source, version, range: attribute.range.clone() };
            self.module.required.insert(attribute.name.clone(), requirement);
        }
    }

    fn provider(&mut self, block: &Block) {
        let name = self.name(block, 0, "provider");
        let alias = self.constant_text(&block.body, "alias").map(SmolStr::from);
        let mut body = block.body.clone();
        body.attributes.retain(|attribute| !["alias", "version"].contains(&attribute.name.as_str()));
        let provider = ProviderConfig { name, alias, body, range: block.header_range() };
        let twin = self.module.providers.iter().find(|each| each.name == provider.name && each.alias == provider.alias);
        if let Some(twin) = twin {
            let place = twin.range.text();
            let (summary, detail) = match &provider.alias {
                None => (
                    "Duplicate provider configuration",
                    format!(
                        "A default (non-aliased) provider configuration for \"{}\" was already given at {place}. If multiple configurations are required, set the \"alias\" argument for alternative configurations.",
                        provider.name
                    ),
                ),
                Some(alias) => (
                    "Duplicate provider configuration",
                    format!(
                        "A provider configuration for \"{}\" with alias \"{alias}\" was already given at {place}. Each configuration for the same provider must have a distinct alias.",
                        provider.name
                    ),
                ),
            };
            return self.tell(summary, detail, &provider.range.clone());
        }
        self.module.providers.push(provider);
    }

    fn variable(&mut self, block: &Block) {
        let name = self.name(block, 0, "variable");
        let arguments = ["description", "default", "type", "sensitive", "ephemeral", "nullable", "deprecated"];
        check(&block.body, &arguments, &["validation"], &mut self.diagnostics);
        const RESERVED: [&str; 8] =
            ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];
        if RESERVED.contains(&name.as_str()) {
            let detail =
                format!("The variable name \"{name}\" is reserved due to its special meaning inside module blocks.");
            let range = block.label_ranges.first().unwrap_or(&block.kind_range).clone();
            self.tell("Invalid variable name", detail, &range);
        }
        let (constraint, typed) = match block.body.attribute("type") {
            Some(attribute) => {
                let (constraint, found) = constraint::read(&attribute.expression, constraint::Form::Variable);
                self.diagnostics.extend(found);
                (constraint, true)
            }
            None => (constraint::Constraint::any(), false),
        };
        let nullable = self.constant_bool(&block.body, "nullable").unwrap_or(true);
        let default = block.body.attribute("default").and_then(|attribute| {
            let value = self.eval_constant(&attribute.expression)?;
            if value.is_null() {
                if !nullable {
                    let detail = "A null default value is not valid when nullable=false.";
                    self.tell("Invalid default value for variable", detail, &attribute.expression.range);
                }
                return Some(Value::null(constraint.ty.without_optional()));
            }
            match constraint.convert(&value) {
                Ok(value) => Some(value),
                Err(error) => {
                    let detail = format!(
                        "This default value is not compatible with the variable's type constraint: {}.",
                        error.with_path()
                    );
                    self.tell("Invalid default value for variable", detail, &attribute.expression.range);
                    Some(Value::unknown(constraint.ty.without_optional()))
                }
            }
        });
        let variable = Variable {
            name: name.clone(),
            description: self.constant_text(&block.body, "description"),
            constraint,
            typed,
            default,
            sensitive: self.constant_bool(&block.body, "sensitive").unwrap_or(false),
            ephemeral: self.constant_bool(&block.body, "ephemeral").unwrap_or(false),
            nullable,
            validations: self.conditions(&block.body, "validation"),
            range: block.header_range(),
        };
        for each in block.body.blocks_of("validation").filter_map(|block| block.body.attribute("condition")) {
            rules::validation(&name, &each.expression, &mut self.diagnostics);
        }
        if let Some(twin) = self.module.variables.get(&name) {
            let place = twin.range.text();
            let detail = format!(
                "A variable named \"{name}\" was already declared at {place}. Variable names must be unique within a module."
            );
            return self.tell("Duplicate variable declaration", detail, &variable.range.clone());
        }
        self.module.variables.insert(name, variable);
    }

    fn conditions(&mut self, body: &Body, kind: &str) -> Vec<Condition> {
        let mut found = Vec::new();
        for block in body.blocks_of(kind) {
            let before = self.diagnostics.len();
            check(&block.body, &["!condition", "!error_message"], &[], &mut self.diagnostics);
            let (condition, message) = (block.body.attribute("condition"), block.body.attribute("error_message"));
            if let Some(condition) = condition {
                rules::condition(kind, &condition.expression, &mut self.diagnostics);
            }
            if self.diagnostics.len() > before {
                continue;
            }
            if let (Some(condition), Some(message)) = (condition, message) {
                found.push(Condition {
                    condition: condition.expression.clone(),
                    message: message.expression.clone(),
                    range: block.kind_range.clone(),
                });
            }
        }
        found
    }

    fn locals(&mut self, block: &Block) {
        for inner in &block.body.blocks {
            let detail = "Blocks are not allowed here.";
            self.tell(&format!("Unexpected \"{}\" block", inner.kind), detail, &inner.kind_range);
        }
        for attribute in &block.body.attributes {
            if let Some(twin) = self.module.locals.get(&attribute.name) {
                let place = twin.range.text();
                let detail = format!(
                    "A local value named \"{}\" was already defined at {place}. Local value names must be unique within a module.",
                    attribute.name
                );
                self.tell("Duplicate local value definition", detail, &attribute.range);
                continue;
            }
            let local = Local { expr: attribute.expression.clone(), range: attribute.range.clone() };
            self.module.locals.insert(attribute.name.clone(), local);
        }
    }

    fn output(&mut self, block: &Block) {
        let name = self.name(block, 0, "output");
        let arguments = ["!value", "description", "sensitive", "ephemeral", "depends_on", "type", "deprecated"];
        check(&block.body, &arguments, &["precondition", "postcondition"], &mut self.diagnostics);
        let output = Output {
            expr: block.body.attribute("value").map(|attribute| attribute.expression.clone()),
            description: self.constant_text(&block.body, "description"),
            sensitive: self.constant_bool(&block.body, "sensitive").unwrap_or(false),
            ephemeral: self.constant_bool(&block.body, "ephemeral").unwrap_or(false),
            depends_on: self.depends_on(&block.body),
            preconditions: self.conditions(&block.body, "precondition"),
            range: block.header_range(),
        };
        if let Some(twin) = self.module.outputs.get(&name) {
            let place = twin.range.text();
            let detail = format!(
                "An output named \"{name}\" was already defined at {place}. Output names must be unique within a module."
            );
            return self.tell("Duplicate output definition", detail, &output.range.clone());
        }
        self.module.outputs.insert(name, output);
    }

    fn depends_on(&mut self, body: &Body) -> Vec<Traversal> {
        let Some(attribute) = body.attribute("depends_on") else { return Vec::new() };
        self.references(&attribute.expression)
    }

    /// A list of references.
    fn references(&mut self, expr: &Expr) -> Vec<Traversal> {
        let found = &mut self.diagnostics;
        rules::list(expr, found).iter().filter_map(|item| rules::reference(item, found)).collect()
    }

    fn call(&mut self, block: &Block) {
        let name = self.name(block, 0, "module instance");
        let body = &block.body;
        missing(body, "source", &mut self.sources);
        let before = self.sources.len();
        if let Some(attribute) = body.attribute("version")
            && let Some(version) = text_of(&eval::eval_constant(&attribute.expression).0)
        {
            rules::constraint(&version, &attribute.expression, &mut self.sources);
        }
        let misversioned = self.sources.len() > before;
        let source_range = body
            .attribute("source")
            .map(|attribute| attribute.expression.range.clone())
            .unwrap_or(block.header_range());
        let source = body.attribute("source").map(|attribute| &attribute.expression);
        let source = match source.map(eval::eval_constant) {
            Some((value, _)) if text_of(&value).is_some() => text_of(&value),
            Some(_) => {
                let detail = "Only literal values and const variables can be evaluated during init.";
                self.sources.push(Diagnostic::error("Unknown module source", detail, &source_range));
                None
            }
            None => None,
        };
        let mut arguments = body.clone();
        let meta = ["source", "version", "count", "for_each", "depends_on", "providers"];
        arguments.attributes.retain(|attribute| !meta.contains(&attribute.name.as_str()));
        let mut providers = Vec::new();
        if let Some(attribute) = body.attribute("providers")
            && let ExprKind::Object(items) = &attribute.expression.kind
        {
            for item in items {
                let child = item.key.literal_str().map(|text| (SmolStr::from(text), None));
                let child = child.or_else(|| item.key.traversal().and_then(provider_reference));
                if let (Some(child), Some(parent)) = (child, item.value.traversal().and_then(provider_reference)) {
                    providers.push((child, parent));
                }
            }
        }
        let call = ModuleCall {
            name: name.clone(),
            source,
            source_range,
            versioned: body.attribute("version").is_some(),
            misversioned,
            count: expression(body, "count"),
            for_each: expression(body, "for_each"),
            depends_on: self.depends_on(body),
            providers,
            arguments,
            range: block.header_range(),
        };
        self.exclusive(&call.count, &call.for_each, body);
        for inner in &body.blocks {
            if ["lifecycle", "locals", "providers"].contains(&inner.kind.as_str()) {
                let detail = format!(
                    "The block type name \"{}\" is reserved for use by Terraform in a future version.",
                    inner.kind
                );
                self.tell("Reserved block type name in module block", detail, &inner.kind_range);
            }
        }
        if let Some(twin) = self.module.calls.get(&name) {
            let place = twin.range.text();
            let detail = format!(
                "A module call named \"{name}\" was already defined at {place}. Module calls must have unique names within a module."
            );
            return self.tell("Duplicate module call", detail, &call.range.clone());
        }
        self.module.calls.insert(name, call);
    }

    fn exclusive(&mut self, count: &Option<Expr>, for_each: &Option<Expr>, body: &Body) {
        if let (Some(_), Some(_), Some(attribute)) = (count, for_each, body.attribute("for_each")) {
            let detail = "The \"count\" and \"for_each\" meta-arguments are mutually-exclusive, only one should be used to be explicit about the number of resources to be created.";
            self.tell("Invalid combination of \"count\" and \"for_each\"", detail, &attribute.name_range);
        }
    }

    fn resource(&mut self, block: &Block, mode: Mode) {
        let (what, noun) = if mode == Mode::Data { ("data source", "data source") } else { ("resource", "resource") };
        let kind = self.name(
            block,
            0,
            if mode == Mode::Data { "data source type" } else { "resource type" }.trim_end_matches(" name"),
        );
        let name = self.name(block, 1, what);
        let mut body = block.body.clone();
        let provider_range = body.attribute("provider").map(|attribute| attribute.range.clone());
        let provider = body
            .attribute("provider")
            .and_then(|attribute| match attribute.expression.traversal() {
                Some(traversal) => provider_reference(traversal),
                None => {
                    rules::reference(&attribute.expression, &mut self.diagnostics).as_ref().and_then(provider_reference)
                }
            })
            .unwrap_or_else(|| (kind.split('_').next().unwrap_or(&kind).into(), None));
        let (count, for_each) = (expression(&body, "count"), expression(&body, "for_each"));
        self.exclusive(&count, &for_each, &block.body);
        let depends_on = self.depends_on(&body);
        let lifecycle = self.lifecycle(&block.body, mode);
        let provisioners = if mode == Mode::Managed { self.provisioners(&block.body) } else { Vec::new() };
        body.attributes.retain(|attribute| !META.contains(&attribute.name.as_str()));
        let meta_blocks: &[&str] =
            if mode == Mode::Managed { &["lifecycle", "provisioner", "connection"] } else { &["lifecycle"] };
        body.blocks.retain(|inner| !meta_blocks.contains(&inner.kind.as_str()));
        let key = ResourceName { mode, kind: kind.clone(), name: name.clone() };
        let resource = Resource {
            name: key.clone(),
            provider,
            provider_range,
            count,
            for_each,
            depends_on,
            lifecycle,
            provisioners,
            body,
            range: block.header_range(),
            kind_range: block.label_ranges.first().unwrap_or(&block.kind_range).clone(),
        };
        if let Some(twin) = self.module.resources.get(&key) {
            let place = twin.range.text();
            let detail = match mode {
                Mode::Managed => format!(
                    "A {kind} resource named \"{name}\" was already declared at {place}. Resource names must be unique per type in each module."
                ),
                Mode::Data => format!(
                    "A {kind} data resource named \"{name}\" was already declared at {place}. Resource names must be unique per type in each module."
                ),
            };
            let summary =
                format!("Duplicate {} \"{kind}\" configuration", if noun == "resource" { "resource" } else { "data" });
            return self.tell(&summary, detail, &resource.range.clone());
        }
        for (kind, all) in
            [("precondition", &resource.lifecycle.preconditions), ("postcondition", &resource.lifecycle.postconditions)]
        {
            for each in all {
                rules::no_self(kind, &key, [&each.condition, &each.message], &mut self.diagnostics);
            }
        }
        self.module.resources.insert(key, resource);
    }

    fn lifecycle(&mut self, body: &Body, mode: Mode) -> Lifecycle {
        let mut lifecycle = Lifecycle::default();
        for block in body.blocks_of("lifecycle") {
            if let Some(first) = &lifecycle.range {
                let detail = format!("This resource already has a lifecycle block at {}.", first.text());
                self.tell("Duplicate lifecycle block", detail, &block.kind_range);
                continue;
            }
            let arguments: &[&str] = match mode {
                Mode::Managed => {
                    &["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by", "destroy"]
                }
                Mode::Data => &[],
            };
            check(&block.body, arguments, &["precondition", "postcondition"], &mut self.diagnostics);
            lifecycle = Lifecycle {
                create_before_destroy: self.constant_bool(&block.body, "create_before_destroy").unwrap_or(false),
                prevent_destroy: self.constant_bool(&block.body, "prevent_destroy").unwrap_or(false),
                keep: self.constant_bool(&block.body, "destroy") == Some(false),
                ignore_changes: block.body.attribute("ignore_changes").map(|attribute| {
                    match attribute.expression.keyword().map(SmolStr::as_str) {
                        Some("all") => Vec::new(),
                        _ => self.relative(&attribute.expression),
                    }
                }),
                replace_triggered_by: match block.body.attribute("replace_triggered_by").map(|a| &a.expression) {
                    Some(expr) => {
                        let items = rules::list(expr, &mut self.diagnostics).to_vec();
                        rules::triggers(&items, &mut self.diagnostics);
                        items
                    }
                    None => Vec::new(),
                },
                preconditions: self.conditions(&block.body, "precondition"),
                postconditions: self.conditions(&block.body, "postcondition"),
                range: Some(block.kind_range.clone()),
            };
        }
        lifecycle
    }

    /// References relative to the resource itself, as in `ignore_changes`; a quoted name counts.
    fn relative(&mut self, expr: &Expr) -> Vec<Traversal> {
        let items = rules::list(expr, &mut self.diagnostics);
        if items.iter().any(|item| item.literal_str() == Some("*")) {
            let detail = "The [\"*\"] form of ignore_changes wildcard is was deprecated and is now invalid. Use \"ignore_changes = all\" to ignore changes to all attributes.";
            self.tell("Invalid ignore_changes wildcard", detail, &expr.range);
            return Vec::new();
        }
        items.iter().filter_map(|item| rules::reference(item, &mut self.diagnostics)).collect()
    }

    fn provisioners(&mut self, body: &Body) -> Vec<Provisioner> {
        let mut found = Vec::new();
        let mut connections = body.blocks_of("connection");
        if let Some(first) = connections.next() {
            for twin in connections {
                let place = first.header_range().text();
                let detail = format!("This resource already has a connection block at {place}.");
                self.tell("Duplicate connection block", detail, &twin.header_range());
            }
        }
        for block in body.blocks_of("provisioner") {
            let kind = block.labels.first().cloned().unwrap_or_default();
            if !self.labels(block, &["type"]) {
                continue;
            }
            let when = rules::keyword(&block.body, "when", ["create", "destroy"], &mut self.diagnostics);
            let on_destroy = when.is_some_and(|word| word == "destroy");
            let failure = rules::keyword(&block.body, "on_failure", ["continue", "fail"], &mut self.diagnostics);
            let continues = failure.is_some_and(|word| word == "continue");
            let mut inner = block.body.clone();
            inner.attributes.retain(|attribute| !["when", "on_failure"].contains(&attribute.name.as_str()));
            inner.blocks.retain(|each| each.kind != "connection");
            if on_destroy {
                rules::only_self(&inner, &mut self.diagnostics);
            }
            let (range, open) = (block.header_range(), block.open_range.clone());
            found.push(Provisioner { kind, body: inner, on_destroy, continues, range, open });
        }
        found
    }

    fn moved(&mut self, block: &Block) {
        check(&block.body, &["!from", "!to"], &[], &mut self.diagnostics);
        if let (Some(from), Some(to)) = (self.address(&block.body, "from"), self.address(&block.body, "to")) {
            rules::moved(&from, &to, &block.kind_range, &mut self.diagnostics);
            self.module.moved.push(Moved { from, to, range: block.kind_range.clone() });
        }
    }

    fn address(&mut self, body: &Body, name: &str) -> Option<Traversal> {
        let expr = &body.attribute(name)?.expression;
        if expr.traversal().is_none() {
            let detail = "A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.";
            self.tell("Invalid expression", detail, &expr.range);
        }
        let named = expr.traversal()?;
        let word = &named.root;
        if RESERVED.contains(&word.as_str()) {
            let detail = format!(
                "The keyword \"{word}\" is reserved and cannot be used to target a resource address. If you are targeting a resource type that uses a reserved keyword, please prefix your address with \"resource.\"."
            );
            self.tell("Invalid address", detail, &named.range());
            return None;
        }
        Some(named.clone())
    }

    fn removed(&mut self, block: &Block) {
        check(&block.body, &["!from"], &["lifecycle", "connection", "provisioner"], &mut self.diagnostics);
        let mut destroy = true;
        for inner in block.body.blocks_of("lifecycle") {
            check(&inner.body, &["destroy"], &[], &mut self.diagnostics);
            destroy = self.constant_bool(&inner.body, "destroy").unwrap_or(true);
        }
        let provisioners = self.provisioners(&block.body);
        for provisioner in provisioners.iter().filter(|provisioner| !provisioner.on_destroy) {
            let detail = "Only destroy-time provisioners are valid in \"removed\" blocks. To declare a destroy-time provisioner, use:\n    when = destroy";
            self.tell("Invalid provisioner block", detail, &provisioner.range);
        }
        if let Some(from) = self.address(&block.body, "from") {
            rules::removed(&from, &mut self.diagnostics);
            self.module.removed.push(Removed { from, destroy, provisioners, range: block.kind_range.clone() });
        }
    }

    fn import(&mut self, block: &Block) {
        check(&block.body, &["!to", "id", "identity", "for_each", "provider"], &[], &mut self.diagnostics);
        let expr = |name: &str| block.body.attribute(name).map(|attribute| attribute.expression.clone());
        let to = expr("to");
        if to.as_ref().and_then(Expr::traversal).is_some_and(|to| to.root == "data")
            && let Some(attribute) = block.body.attribute("to")
        {
            self.tell("Invalid import address", "Only managed resources can be imported.", &attribute.range);
        }
        if expr("id").is_none() && expr("identity").is_none() {
            let detail = "At least one of 'id' or 'identity' must be specified.";
            self.tell("Invalid import block", detail, &block.kind_range);
        }
        if let (Some(to), Some(id)) = (to, expr("id")) {
            self.twin_import(&to);
            self.module.imports.push(Import { to, id, for_each: expr("for_each"), range: block.kind_range.clone() });
        }
    }

    /// The same address may be brought in once.
    fn twin_import(&mut self, to: &Expr) {
        let address = |expr: &Expr| expr.traversal().and_then(crate::terraform::core::address_of);
        let Some(wanted) = address(to) else { return };
        let twin = self.module.imports.iter().find(|each| address(&each.to).as_ref() == Some(&wanted));
        if let Some(twin) = twin {
            let whole = wanted.resource.to_string();
            let place = twin.range.text();
            let detail = format!(
                "An import block for the resource \"{whole}\" was already declared at {place}. A resource can have only one import block."
            );
            self.tell(&format!("Duplicate import configuration for \"{whole}\""), detail, &to.range);
        }
    }

    /// An ephemeral resource: no provider here has any.
    fn ephemeral(&mut self, block: &Block) {
        let kind = block.labels.first().cloned().unwrap_or_default();
        let provider: SmolStr = kind.split('_').next().unwrap_or(&kind).into();
        let range = block.label_ranges.first().unwrap_or(&block.kind_range).clone();
        self.module.ephemerals.push((provider, kind, range));
    }

    fn check_block(&mut self, block: &Block) {
        let name = self.name(block, 0, "check");
        check(&block.body, &[], &["assert", "data"], &mut self.diagnostics);
        let asserts = self.conditions(&block.body, "assert");
        if asserts.is_empty() {
            let detail = "Check blocks must have at least one assert block.";
            self.tell("Zero assert blocks", detail, &block.header_range());
        }
        for data in block.body.blocks_of("data") {
            if self.labels(data, &["type", "name"]) {
                self.resource(data, Mode::Data);
            }
        }
        if let Some(twin) = self.module.checks.get(&name) {
            let place = twin.range.text();
            let detail = format!(
                "A check block named \"{name}\" was already declared at {place}. Check blocks must be unique within each module."
            );
            return self.tell(&format!("Duplicate check \"{name}\" configuration"), detail, &block.header_range());
        }
        self.module.checks.insert(name, CheckBlock { asserts, range: block.header_range() });
    }
}

/// A value as a text, where it is known and can be one.
fn text_of(value: &Value) -> Option<String> {
    convert(value, &Type::String).ok()?.as_str().map(str::to_string)
}

fn expression(body: &Body, name: &str) -> Option<Expr> {
    body.attribute(name).map(|attribute| attribute.expression.clone())
}

/// `docker` or `docker.remote`.
fn provider_reference(traversal: &Traversal) -> Option<(SmolStr, Option<SmolStr>)> {
    match traversal.steps.as_slice() {
        [] => Some((traversal.root.clone(), None)),
        [step] => match &step.kind {
            StepKind::Attribute(alias) => Some((traversal.root.clone(), Some(alias.clone()))),
            StepKind::Index(_) => None,
        },
        _ => None,
    }
}
