//! `import` blocks of the root module: which objects they bring in, by which ids. `identity` and generated
//! configuration are left out.

use super::scope::Place;
use super::walk::{MachineFiles, Walk};
use crate::terraform::address::{InstanceAddress, Key, ModulePath, ResourceAddress};
use crate::terraform::config::Import;
use crate::terraform::eval;
use crate::terraform::hcl::{Diagnostic, Expr, ExprKind, Range, StepKind, Traversal, has_errors};
use crate::terraform::state;
use crate::terraform::value::Value;

/// The address that the leading steps of a reference name, keys and all.
pub fn address_of(traversal: &Traversal) -> Option<InstanceAddress> {
    let mut text = traversal.root.to_string();
    for step in &traversal.steps {
        match &step.kind {
            StepKind::Attribute(name) => text.push_str(&format!(".{name}")),
            StepKind::Index(key) => match (key.as_int(), key.as_str()) {
                (Some(index), _) => text.push_str(&format!("[{index}]")),
                (_, Some(key)) => text.push_str(&format!("[{}]", crate::base::goquote::quote(key))),
                _ => return None,
            },
        }
    }
    parse(&text)
}

fn parse(text: &str) -> Option<InstanceAddress> {
    // The resource's own part begins behind the last module step.
    let mut module_end = 0;
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix("module.") {
        let name_end = inner.find(['.', '['])?;
        let (_, tail) = state::parse_key(inner.get(name_end..)?)?;
        rest = tail.strip_prefix('.')?;
        module_end = text.len() - rest.len();
    }
    let module = state::parse_module(text.get(..module_end)?.trim_end_matches('.'))?;
    let (kind, name) = rest.split_once('.')?;
    let end = name.find('[').unwrap_or(name.len());
    let (name, key) = name.split_at(end);
    let (key, left) = state::parse_key(key)?;
    let resource = ResourceAddress {
        module,
        mode: crate::terraform::address::Mode::Managed,
        kind: kind.into(),
        name: name.into(),
    };
    left.is_empty().then(|| resource.instance(key))
}

/// The reference in front of a key that is to be evaluated.
pub fn target(expr: &Expr) -> Option<&Traversal> {
    match &expr.kind {
        ExprKind::Index(index) => target(&index.collection),
        _ => expr.traversal(),
    }
}

impl Walk {
    /// Evaluates the blocks that bring in instances of a resource; whether all went well.
    pub(super) fn find_imports(&mut self, resource: &ResourceAddress, files: &MachineFiles<'_>) -> bool {
        let mut fine = true;
        if self.importing {
            return fine;
        }
        let blocks: Vec<Import> = self.config.root.imports.clone();
        let is_of = |block: &&Import| {
            target(&block.to).and_then(address_of).is_some_and(|address| {
                let names = |path: &ModulePath| path.0.iter().map(|step| step.name.clone()).collect::<Vec<_>>();
                let of = &address.resource;
                of.kind == resource.kind && of.name == resource.name && names(&of.module) == names(&resource.module)
            })
        };
        for block in blocks.iter().filter(is_of) {
            let (found, diagnostics) = self.imports_of(block, files);
            fine &= !has_errors(&diagnostics);
            self.diagnostics.extend(diagnostics);
            for (address, id) in found {
                if address.resource.module == resource.module {
                    self.plan_imports.insert(address, id.as_str().into());
                }
            }
        }
        fine
    }

    pub(super) fn imports_of(
        &self,
        block: &Import,
        files: &MachineFiles<'_>,
    ) -> (Vec<(InstanceAddress, String)>, Vec<Diagnostic>) {
        let root = ModulePath::default();
        let mut place = Place::new(&self.values, &self.config.root, &root, Some(files));
        let mut each: Vec<Option<(Value, Value)>> = vec![None];
        let mut diagnostics = Vec::new();
        if let Some(expr) = &block.for_each {
            let (value, found) = eval::eval(expr, &place);
            if has_errors(&found) {
                return (Vec::new(), found);
            }
            each = match (value.entries(), value.items()) {
                (Some(entries), _) => {
                    entries.iter().map(|(key, value)| Some((Value::string(key.clone()), value.clone()))).collect()
                }
                (_, Some(items)) => items.iter().map(|item| Some((item.clone(), item.clone()))).collect(),
                _ => Vec::new(),
            };
        }
        let mut all = Vec::new();
        for pair in each {
            place.each = pair;
            let (id, found) = eval::eval(&block.id, &place);
            let failed = has_errors(&found);
            diagnostics.extend(found);
            if failed {
                continue;
            }
            let mut wrong = |detail: &str| {
                diagnostics.push(Diagnostic::error("Invalid import id argument", detail, &block.id.range));
            };
            if id.is_null() {
                wrong("The import ID cannot be null.");
                continue;
            }
            if !id.is_known() {
                wrong(
                    "The import block \"id\" argument depends on resource attributes that cannot be determined until apply, so Terraform cannot plan to import this resource.",
                );
                continue;
            }
            let text = crate::terraform::value::convert(&id, &crate::terraform::value::Type::String)
                .ok()
                .and_then(|id| id.unmark_deep().0.as_str().map(str::to_string));
            match text.as_deref() {
                None => {
                    let detail = format!("Invalid expression value: string required, but have {}.", id.ty().friendly());
                    diagnostics.push(Diagnostic::error("Incorrect value type", detail, &block.id.range));
                }
                Some("") => {
                    wrong("The import ID value evaluates to an empty string, please provide a non-empty value.");
                }
                Some(text) => {
                    if let Some(address) = import_address(&block.to, &place) {
                        all.push((address, text.to_string()));
                    }
                }
            }
        }
        (all, diagnostics)
    }

    /// Import blocks whose resource the configuration does not have.
    pub(super) fn check_imports(&mut self) {
        let mut found = Vec::new();
        for block in &self.config.root.imports {
            let Some(address) = target(&block.to).and_then(address_of) else { continue };
            if self.resource_config(&address.resource).is_some() {
                continue;
            }
            let resource = &address.resource;
            found.push(if self.module_config(&resource.module).is_none() || !resource.module.is_root() {
                no_configuration(resource, Some(&block.to.range))
            } else {
                let detail = format!(
                    "The configuration for the given import target {resource} does not exist. If you wish to automatically generate config for this resource, use the -generate-config-out option within terraform plan. Otherwise, make sure the target resource exists within your configuration. For example:\n\n  terraform plan -generate-config-out=generated.tf"
                );
                Diagnostic::error(NO_CONFIGURATION, detail, &block.to.range)
            });
        }
        self.diagnostics.extend(found);
    }
}

const NO_CONFIGURATION: &str = "Configuration for import target does not exist";

/// What is to be imported stands nowhere.
pub fn no_configuration(target: &dyn std::fmt::Display, range: Option<&Range>) -> Diagnostic {
    let noun = if range.is_some() { "import target" } else { "import" };
    let detail = format!(
        "The configuration for the given {noun} {target} does not exist. All target instances must have an associated configuration to be imported."
    );
    match range {
        Some(range) => Diagnostic::error(NO_CONFIGURATION, detail, range),
        None => Diagnostic::sourceless(NO_CONFIGURATION, detail),
    }
}

fn import_address(expr: &Expr, place: &Place<'_>) -> Option<InstanceAddress> {
    let ExprKind::Index(index) = &expr.kind else { return address_of(expr.traversal()?) };
    let base = import_address(&index.collection, place)?;
    let (key, _) = eval::eval(&index.key, place);
    let key = key.as_int().map(Key::Int).or_else(|| key.as_str().map(|text| Key::Text(text.into())))?;
    Some(base.resource.instance(Some(key)))
}
