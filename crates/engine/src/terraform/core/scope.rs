//! What expressions may refer to inside a module instance, and the values found so far (upstream: terraform's lang and
//! the evaluator of a graph walk).

use crate::base::BTreeMap;

use crate::base::SmolStr;
use crate::terraform::address::{InstanceAddress, Key, Mode, ModulePath, ResourceAddress};
use crate::terraform::config::{Module, Resource, ResourceName};
use crate::terraform::eval::{Budget, Files, Scope};
use crate::terraform::hcl::{Diagnostic, Range, Step, StepKind, Traversal, did_you_mean};
use crate::terraform::value::{Marks, Type, Value};

/// How often a resource or module call stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Expansion {
    Single,
    Count(usize),
    Each(BTreeMap<SmolStr, Value>),
    /// Not known yet, or failed.
    Unknown,
}

impl Expansion {
    pub fn keys(&self) -> Vec<Option<Key>> {
        match self {
            Expansion::Single => vec![None],
            Expansion::Count(count) => (0..*count).map(|i| Some(Key::Int(i as i64))).collect(),
            Expansion::Each(map) => map.keys().map(|key| Some(Key::Text(key.clone()))).collect(),
            Expansion::Unknown => Vec::new(),
        }
    }

    /// Whether the key is one of them.
    pub fn has(&self, key: Option<&Key>) -> bool {
        match (self, key) {
            (Expansion::Single, None) => true,
            (Expansion::Count(count), Some(Key::Int(at))) => usize::try_from(*at).is_ok_and(|at| at < *count),
            (Expansion::Each(map), Some(Key::Text(name))) => map.contains_key(name),
            _ => false,
        }
    }
}

/// Everything evaluated so far in one walk.
#[derive(Clone, Debug, Default)]
pub struct Values {
    pub variables: BTreeMap<(ModulePath, SmolStr), Value>,
    pub locals: BTreeMap<(ModulePath, SmolStr), Value>,
    pub outputs: BTreeMap<(ModulePath, SmolStr), Value>,
    /// By the caller's path and the call's name.
    pub calls: BTreeMap<(ModulePath, SmolStr), Expansion>,
    pub resources: BTreeMap<ResourceAddress, Expansion>,
    pub objects: BTreeMap<InstanceAddress, Value>,
    /// All instances of a resource as one value, once they are planned: each reference to one of them looks at all.
    pub(super) whole: BTreeMap<ResourceAddress, Value>,
    pub workspace: SmolStr,
    pub budget: Budget,
    pub impure: super::impure::Impure,
    /// Nothing is evaluated for real: references are checked, values are unknown.
    pub checking: bool,
    pub applying: bool,
}

impl Values {
    pub fn set_object(&mut self, address: InstanceAddress, value: Value) {
        self.whole.remove(&address.resource);
        self.objects.insert(address, value);
    }

    /// The instances of a resource, none of which will change in this walk but by `set_object`.
    pub fn complete(&mut self, address: ResourceAddress) {
        let value = self.instances(&address);
        self.whole.insert(address, value);
    }

    fn instances(&self, address: &ResourceAddress) -> Value {
        if let Some(value) = self.whole.get(address) {
            return value.clone();
        }
        let object = |key: Option<Key>| {
            let found = self.objects.get(&address.instance(key)).cloned();
            found.unwrap_or_else(Value::dynamic)
        };
        match self.resources.get(address) {
            Some(Expansion::Single) => object(None),
            Some(Expansion::Count(count)) => {
                Value::tuple((0..*count).map(|i| object(Some(Key::Int(i as i64)))).collect())
            }
            Some(Expansion::Each(map)) => {
                Value::object(map.keys().map(|key| (key.clone(), object(Some(Key::Text(key.clone()))))).collect())
            }
            _ => Value::dynamic(),
        }
    }
}

/// One place in one module instance from which expressions look out.
pub struct Place<'a> {
    pub values: &'a Values,
    pub config: &'a Module,
    pub module: &'a ModulePath,
    pub files: Option<&'a dyn Files>,
    pub each: Option<(Value, Value)>,
    pub count: Option<Value>,
    pub this: Option<Value>,
}

type Found = Result<Option<(Value, usize)>, Vec<Diagnostic>>;

impl<'a> Place<'a> {
    pub fn new(
        values: &'a Values,
        config: &'a Module,
        module: &'a ModulePath,
        files: Option<&'a dyn Files>,
    ) -> Place<'a> {
        Place { values, config, module, files, each: None, count: None, this: None }
    }

    fn of_module(&self) -> String {
        if self.module.is_root() {
            return "the root module".into();
        }
        let names: Vec<String> = self.module.0.iter().map(|step| format!("module.{}", step.name)).collect();
        names.join(".")
    }

    fn variable(&self, reference: &Traversal) -> Found {
        let Some(name) = reference.names().next() else { return Ok(None) };
        if !self.config.variables.contains_key(name) {
            let tail = did_you_mean(name, self.config.variables.keys().map(SmolStr::as_str));
            let tail = if tail.is_empty() {
                format!(" This variable can be declared with a variable \"{name}\" {{}} block.")
            } else {
                tail
            };
            let detail = format!("An input variable with the name \"{name}\" has not been declared.{tail}");
            return refuse("Reference to undeclared input variable", detail, &reference.range_of(1));
        }
        let value = self.values.variables.get(&(self.module.clone(), name.clone())).cloned();
        if value.is_none() && self.values.impure.acts() && !self.values.applying {
            let detail = format!(
                "The variable var.{name} was not processed by the most recent operation, this likely means the previous operation either failed or was incomplete due to targeting."
            );
            return refuse("Reference to uninitialized variable", detail, &reference.range_of(1));
        }
        Ok(Some((value.unwrap_or_else(Value::dynamic), 1)))
    }

    fn local(&self, reference: &Traversal) -> Found {
        let Some(name) = reference.names().next() else { return Ok(None) };
        if !self.config.locals.contains_key(name) {
            let tail = did_you_mean(name, self.config.locals.keys().map(SmolStr::as_str));
            let detail = format!("A local value with the name \"{name}\" has not been declared.{tail}");
            return refuse("Reference to undeclared local value", detail, &reference.range_of(1));
        }
        let value = self.values.locals.get(&(self.module.clone(), name.clone())).cloned();
        Ok(Some((value.unwrap_or_else(Value::dynamic), 1)))
    }

    fn call(&self, reference: &Traversal) -> Found {
        let Some(name) = reference.names().next() else { return Ok(None) };
        let (Some(call), Some(child)) = (self.config.calls.get(name), self.config.children.get(name)) else {
            let tail = if self.config.calls.contains_key(name) { return Ok(Some((Value::dynamic(), 1))) } else { "" };
            let detail = format!("No module call named \"{name}\" is declared in {}.{tail}", self.of_module());
            return refuse("Reference to undeclared module", detail, &module_range(reference));
        };
        let outputs = |key: Option<Key>| {
            let path = self.module.child(name, key);
            let value = |output: &SmolStr| {
                let found = self.values.outputs.get(&(path.clone(), output.clone())).cloned();
                (output.clone(), found.unwrap_or_else(Value::dynamic))
            };
            Value::object(child.outputs.keys().map(value).collect())
        };
        if self.values.checking {
            // Whatever they are, only which there are is known.
            let hidden = |output: &crate::terraform::config::Output| match output.sensitive {
                true => Value::dynamic().sensitive(),
                false => Value::dynamic(),
            };
            if call.count.is_none() && call.for_each.is_none() {
                let all = child.outputs.iter().map(|(name, output)| (name.clone(), hidden(output)));
                return Ok(Some((Value::object(all.collect()), 1)));
            }
            let object = Type::object(child.outputs.keys().map(|name| (name.clone(), Type::Dynamic)).collect());
            let ty = if call.count.is_some() { Type::list(object) } else { Type::map(object) };
            return Ok(Some((Value::unknown(ty), 1)));
        }
        let expansion = self.values.calls.get(&(self.module.clone(), name.clone()));
        let value = match expansion {
            Some(Expansion::Single) => outputs(None),
            Some(Expansion::Count(count)) => {
                Value::tuple((0..*count).map(|i| outputs(Some(Key::Int(i as i64)))).collect())
            }
            Some(Expansion::Each(map)) => {
                Value::object(map.keys().map(|key| (key.clone(), outputs(Some(Key::Text(key.clone()))))).collect())
            }
            _ => Value::dynamic(),
        };
        Ok(Some((value, 1)))
    }

    fn resource(&self, reference: &Traversal, mode: Mode) -> Found {
        let skip = usize::from(mode == Mode::Data);
        let mut names = reference.names();
        let (kind, name) = match mode {
            Mode::Managed => (Some(&reference.root), names.next()),
            Mode::Data => (names.next(), names.next()),
        };
        let (Some(kind), Some(name)) = (kind, name) else { return Ok(None) };
        let key = ResourceName { mode, kind: kind.clone(), name: name.clone() };
        let Some(resource) = self.config.resources.get(&key) else {
            let what = if mode == Mode::Data { "data" } else { "managed" };
            let detail =
                format!("A {what} resource \"{kind}\" \"{name}\" has not been declared in {}.", self.of_module());
            return refuse("Reference to undeclared resource", detail, &resource_range(reference, mode));
        };
        let taken = skip + 1;
        let next = reference.steps.get(taken).map(|step| &step.kind);
        if let Some(StepKind::Attribute(_)) = next
            && let Some(diagnostic) = missing_key(resource, reference)
        {
            return Err(vec![diagnostic]);
        }
        let keyed = matches!(next, Some(StepKind::Index(_)));
        if keyed && resource.count.is_none() && resource.for_each.is_none() {
            let data = if mode == Mode::Data { "data." } else { "" };
            let detail = format!(
                "Because {data}{kind}.{name} does not have \"count\" or \"for_each\" set, references to it must not include an index key. Remove the bracketed index to refer to the single instance of this resource."
            );
            return refuse("Unexpected resource instance key", detail, &resource_range(reference, mode));
        }
        if let Some(step) = reference.steps.get(taken + usize::from(keyed))
            && let StepKind::Attribute(attribute) = &step.kind
            && let Some(refused) = self.no_attribute(&key, attribute, &step.range)
        {
            return Err(vec![refused]);
        }
        Ok(Some((self.objects(&key), taken)))
    }

    /// An attribute that objects of the resource do not have.
    fn no_attribute(&self, key: &ResourceName, name: &SmolStr, range: &Range) -> Option<Diagnostic> {
        let ResourceName { mode, kind, name: of } = key.clone();
        let address = ResourceAddress { module: self.module.clone(), mode, kind, name: of };
        lacks(&self.values.objects.get(&address.instance(None))?.ty(), name, range)
    }

    /// The value a reference to a whole resource has.
    fn objects(&self, key: &ResourceName) -> Value {
        let address = ResourceAddress {
            module: self.module.clone(),
            mode: key.mode,
            kind: key.kind.clone(),
            name: key.name.clone(),
        };
        self.values.instances(&address)
    }
}

/// Objects that are nothing but their attributes.
const PLAIN: [&str; 7] = ["count", "each", "local", "module", "path", "terraform", "var"];

/// Objects with two names, and what the two are.
const NAMED: [(&str, &str); 5] = [
    ("action", "the action type and the action name"),
    ("data", "the data source type and the resource name"),
    ("ephemeral", "the ephemeral resource type and the resource name"),
    ("list", "the list resource type and the list resource name"),
    ("resource", "the resource type and the resource name"),
];

const RESERVED: [&str; 3] = ["arg", "lazy", "template"];

impl Place<'_> {
    /// What is wrong with a reference by its form alone.
    fn malformed(&self, reference: &Traversal) -> Option<Vec<Diagnostic>> {
        const SUMMARY: &str = "Invalid reference";
        let root = reference.root.as_str();
        let other = |at: usize| reference.steps.get(at).filter(|step| !matches!(step.kind, StepKind::Attribute(_)));
        let error = |detail: String, range: &Range| Diagnostic::error(SUMMARY, detail, range);
        if PLAIN.contains(&root) {
            let error = match reference.steps.first() {
                Some(_) => {
                    let step = other(0)?;
                    error(format!("The \"{root}\" object does not support this operation."), &step.range)
                }
                None => {
                    let detail = format!(
                        "The \"{root}\" object cannot be accessed directly. Instead, access one of its attributes."
                    );
                    error(detail, &reference.range())
                }
            };
            // Looked for nevertheless, without a name and nowhere.
            let mut found = match root {
                "module" => Vec::new(),
                _ => {
                    let range = Range::nowhere();
                    let step = Step { kind: StepKind::Attribute("".into()), range: range.clone() };
                    let nameless = Traversal { root: root.into(), root_range: range, steps: vec![step] };
                    self.lookup(&nameless).err().unwrap_or_default()
                }
            };
            found.push(error);
            return Some(found);
        }
        if RESERVED.contains(&root) {
            let detail = format!(
                "The symbol name \"{root}\" is reserved for use in a future Terraform version. If you are using a provider that already uses this as a resource type name, add the prefix \"resource.\" to force interpretation as a resource type name."
            );
            return Some(vec![Diagnostic::error("Reserved symbol name", detail, &reference.range_of(0))]);
        }
        let mut of = "resource type";
        let mut at = 0;
        if let Some((_, names)) = NAMED.iter().find(|(name, _)| *name == root) {
            if reference.steps.len() < 2 || other(0).is_some() {
                let range = if reference.steps.len() < 2 { reference.range() } else { reference.range_of(1) };
                let detail = format!("The \"{root}\" object must be followed by two attribute names: {names}.");
                return Some(vec![error(detail, &range)]);
            }
            at = 1;
            of = if root == "data" { "data source" } else { of };
        } else if root == "self" {
            return None;
        }
        let range = match reference.steps.get(at) {
            None => reference.range(),
            Some(_) => other(at)?.range.clone(),
        };
        let detail = format!(
            "A reference to a {of} must be followed by at least one attribute access, specifying the resource name."
        );
        Some(vec![error(detail, &range)])
    }
}

/// An attribute that an object of the type does not have.
fn lacks(ty: &Type, name: &SmolStr, range: &Range) -> Option<Diagnostic> {
    let Type::Object(object) = ty else { return None };
    if object.attributes.contains_key(name) {
        return None;
    }
    let tail = did_you_mean(name, object.attributes.keys().map(SmolStr::as_str));
    let detail = format!("This object has no argument, nested block, or exported attribute named \"{name}\".{tail}");
    Some(Diagnostic::error("Unsupported attribute", detail, range))
}

const EACH: &str = "The supported attributes are each.key and each.value, the current key and value pair of the \"for_each\" attribute set.";

const COUNT: &str = "Invalid \"count\" attribute";

fn no_count(name: &str) -> String {
    format!(
        "The \"count\" object does not have an attribute named \"{name}\". The only supported attribute is count.index, which is the index of each instance of a resource block that has the \"count\" argument set."
    )
}

fn missing_key(resource: &Resource, reference: &Traversal) -> Option<Diagnostic> {
    let (how, index) = match (&resource.count, &resource.for_each) {
        (Some(_), _) => ("count", "count.index"),
        (_, Some(_)) => ("for_each", "each.key"),
        _ => return None,
    };
    let name = &resource.name;
    let data = if name.mode == Mode::Data { "data." } else { "" };
    let address = format!("{data}{}.{}", name.kind, name.name);
    let detail = format!(
        "Because {address} has \"{how}\" set, its attributes must be accessed on specific instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    {address}[{index}]"
    );
    Some(Diagnostic::error("Missing resource instance key", detail, &resource_range(reference, name.mode)))
}

/// The part of a reference that names a module, with a key and an output where there are.
fn module_range(reference: &Traversal) -> Range {
    let keyed = matches!(reference.steps.get(1).map(|step| &step.kind), Some(StepKind::Index(_)));
    reference.range_of(2 + usize::from(keyed))
}

/// The part of a reference that names a resource, with a key where there is one.
pub fn resource_range(reference: &Traversal, mode: Mode) -> Range {
    let taken = if mode == Mode::Data { 2 } else { 1 };
    let keyed = matches!(reference.steps.get(taken).map(|step| &step.kind), Some(StepKind::Index(_)));
    reference.range_of(taken + usize::from(keyed))
}

fn refuse(summary: &str, detail: impl Into<String>, range: &Range) -> Found {
    Err(vec![Diagnostic::error(summary, detail.into(), range)])
}

impl Scope for Place<'_> {
    fn lookup(&self, reference: &Traversal) -> Found {
        if let Some(refused) = self.malformed(reference) {
            return Err(refused);
        }
        let first = reference.names().next().map(SmolStr::as_str);
        match reference.root.as_str() {
            "var" => self.variable(reference),
            "local" => self.local(reference),
            "module" => self.call(reference),
            "data" => self.resource(reference, Mode::Data),
            "resource" => {
                let mut inner = reference.clone();
                if inner.steps.is_empty() {
                    return Ok(None);
                }
                let step = inner.steps.remove(0);
                if let StepKind::Attribute(kind) = step.kind {
                    inner.root = kind;
                }
                Ok(self.resource(&inner, Mode::Managed)?.map(|(value, taken)| (value, taken + 1)))
            }
            "each" => {
                let Some((key, value)) = &self.each else {
                    let all = "The \"each\" object does not have an attribute named \"";
                    if let Some(other) = first.filter(|name| !["key", "value"].contains(name)) {
                        let detail = format!("{all}{other}\". {EACH}");
                        return refuse("Invalid \"each\" attribute", detail, &reference.range_of(1));
                    }
                    if first == Some("value") {
                        return refuse(
                            "each.value cannot be used in this context",
                            "A reference to \"each.value\" has been used in a context in which it is unavailable, such as when the configuration no longer contains the value in its \"for_each\" expression. Remove this reference to each.value in your configuration to work around this error.",
                            &reference.range_of(1),
                        );
                    }
                    return refuse(
                        "Reference to \"each\" in context without for_each",
                        "The \"each\" object can be used only in \"module\" or \"resource\" blocks, and only when the \"for_each\" argument is set.",
                        &reference.range_of(1),
                    );
                };
                match first {
                    Some("key") => Ok(Some((key.clone(), 1))),
                    Some("value") => Ok(Some((value.clone(), 1))),
                    other => refuse(
                        "Invalid \"each\" attribute",
                        format!(
                            "The \"each\" object does not have an attribute named \"{}\". {EACH}",
                            other.unwrap_or_default()
                        ),
                        &reference.range_of(1),
                    ),
                }
            }
            "count" => {
                let Some(index) = &self.count else {
                    if let Some(other) = first.filter(|name| *name != "index") {
                        return refuse(COUNT, no_count(other), &reference.range_of(1));
                    }
                    return refuse(
                        "Reference to \"count\" in non-counted context",
                        "The \"count\" object can only be used in \"module\", \"resource\", and \"data\" blocks, and only when the \"count\" argument is set.",
                        &reference.range_of(1),
                    );
                };
                match first {
                    Some("index") => Ok(Some((index.clone(), 1))),
                    other => refuse(COUNT, no_count(other.unwrap_or_default()), &reference.range_of(1)),
                }
            }
            "ephemeral" | "list" | "action" => {
                let range = resource_range(reference, Mode::Data);
                let mut names = reference.names();
                let (kind, name) =
                    (names.next().cloned().unwrap_or_default(), names.next().cloned().unwrap_or_default());
                let what = match reference.root.as_str() {
                    "ephemeral" => "An ephemeral",
                    "list" => "A list",
                    _ => {
                        let detail = "Actions can not be referenced in this context. They can only be referenced from within a resource's lifecycle actions list.";
                        return refuse("Invalid reference", detail, &range);
                    }
                };
                let of = self.of_module();
                let detail = format!("{what} resource \"{kind}\" \"{name}\" has not been declared in {of}.");
                refuse("Reference to undeclared resource", detail, &range)
            }
            "self" => match &self.this {
                Some(value) => {
                    let first = reference.steps.first().map(|step| (&step.kind, &step.range));
                    match first {
                        Some((StepKind::Attribute(name), range)) => match lacks(&value.ty(), name, range) {
                            Some(refused) => Err(vec![refused]),
                            None => Ok(Some((value.clone(), 0))),
                        },
                        _ => Ok(Some((value.clone(), 0))),
                    }
                }
                None => refuse(
                    "Invalid \"self\" reference",
                    "The \"self\" object is not available in this context. This object can be used only in resource provisioner, connection, and postcondition blocks.",
                    &reference.range_of(0),
                ),
            },
            "path" => {
                let cwd = || self.files.map(|files| files.folder()).unwrap_or_default();
                let value = match first {
                    Some("module") => self.config.folder.clone(),
                    Some("root") => ".".into(),
                    Some("cwd") => cwd(),
                    other => {
                        let name = other.unwrap_or_default();
                        let detail = format!(
                            "The \"path\" object does not have an attribute named \"{name}\".{}",
                            did_you_mean(name, ["cwd", "module", "root"])
                        );
                        return refuse("Invalid \"path\" attribute", detail, &reference.range_of(1));
                    }
                };
                Ok(Some((Value::string(value), 1)))
            }
            "terraform" => match first {
                Some("workspace") => Ok(Some((Value::string(self.values.workspace.clone()), 1))),
                Some("applying") => {
                    let applying = Value::bool(self.values.applying).with_marks(Marks::EPHEMERAL);
                    Ok(Some((applying, 1)))
                }
                other => {
                    let name = other.unwrap_or_default();
                    let detail = format!(
                        "The \"terraform\" object does not have an attribute named \"{name}\". The only supported attributes are terraform.workspace, the name of the currently-selected workspace, and terraform.applying, a boolean which is true only during apply."
                    );
                    refuse("Invalid \"terraform\" attribute", detail, &reference.range_of(1))
                }
            },
            _ => self.resource(reference, Mode::Managed),
        }
    }

    fn files(&self) -> Option<&dyn Files> {
        self.files
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.values.budget)
    }

    fn impure(&self, function: &str) -> Option<Value> {
        match self.values.checking {
            true => Some(Value::unknown(Type::String)),
            false => self.values.impure.answer(function),
        }
    }
}
