//! Addresses as they are typed behind a flag or a command (upstream: terraform's addrs, what ParseTarget and its like
//! accept). Each refusal says why; callers put their own title over it.

use crate::base::SmolStr;
use crate::terraform::address::{InstanceAddress, Key, Mode, ModulePath, ResourceAddress};
use crate::terraform::core::Target;
use crate::terraform::hcl::{Diagnostic, Range, Step, StepKind, Traversal, parse_traversal};
use crate::terraform::value::Value;

const INVALID: &str = "Invalid address";
const RESERVED: [&str; 11] =
    ["count", "each", "local", "module", "path", "self", "terraform", "var", "template", "lazy", "arg"];

fn wrong(summary: &str, detail: &str, range: &Range) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(summary, detail, range))
}

/// `module.a`, `t.n`, `data.t.n["k"]`, `module.a[0].t.n`.
pub fn parse(file: &str, text: &str) -> Result<Target, Box<Diagnostic>> {
    of(&parse_traversal(file, text)?)
}

/// One instance of a resource; a resource alone stands for the one without a key.
pub fn instance(file: &str, text: &str) -> Result<InstanceAddress, Box<Diagnostic>> {
    let traversal = parse_traversal(file, text)?;
    match of(&traversal)? {
        Target::Instance(address) => Ok(address),
        Target::Resource(resource) => Ok(resource.instance(None)),
        Target::Module(_) => {
            let detail = "A resource instance address is required here. The module path must be followed by a resource instance specification.";
            Err(wrong(INVALID, detail, &traversal.range()))
        }
    }
}

/// What `-replace` takes.
pub fn replaced(text: &str) -> Result<InstanceAddress, Box<Diagnostic>> {
    let address = instance("", text)?;
    match address.resource.mode {
        Mode::Managed => Ok(address),
        Mode::Data => {
            let detail = "Only managed resources can be used with the -replace=... option.";
            Err(Box::new(Diagnostic::sourceless(INVALID, detail)))
        }
    }
}

fn name_of(step: &Step) -> Option<&SmolStr> {
    match &step.kind {
        StepKind::Attribute(name) => Some(name),
        StepKind::Index(_) => None,
    }
}

fn key_of(value: &Value) -> Result<Key, String> {
    match (value.as_str(), value.as_int()) {
        (Some(text), _) => Ok(Key::Text(text.into())),
        (_, Some(index)) => Ok(Key::Int(index)),
        _ => Err("value must be a whole number".into()),
    }
}

/// What a traversal names.
pub fn of(traversal: &Traversal) -> Result<Target, Box<Diagnostic>> {
    // The root as a step like the others.
    let root = Step { kind: StepKind::Attribute(traversal.root.clone()), range: traversal.root_range.clone() };
    let steps: Vec<&Step> = [&root].into_iter().chain(&traversal.steps).collect();
    let mut rest = steps.as_slice();
    let mut module = ModulePath::default();
    while let Some((first, after)) = rest.split_first() {
        let Some(word) = name_of(first) else {
            let detail = "Module address prefix must be followed by dot and then a name.";
            return Err(wrong("Invalid address operator", detail, &first.range));
        };
        if word != "module" {
            break;
        }
        let named = after.split_first().map(|(step, tail)| (name_of(step), step, tail));
        let Some((Some(name), _, tail)) = named else {
            let at = after.first().map_or(&first.range, |step| &step.range);
            let detail = "Prefix \"module.\" must be followed by a module name.";
            return Err(wrong("Invalid address operator", detail, at));
        };
        rest = tail;
        let mut key = None;
        if let Some((Step { kind: StepKind::Index(value), range }, tail)) = rest.split_first().map(|(s, t)| (*s, t)) {
            let error = |why| wrong("Invalid address operator", &format!("Invalid module index: {why}."), range);
            key = Some(key_of(value).map_err(error)?);
            rest = tail;
        }
        module = module.child(name, key);
    }
    match resource(&module, rest)? {
        Some(target) => Ok(target),
        None => Ok(Target::Module(module)),
    }
}

/// The resource within the module; `None` where nothing is left.
fn resource(module: &ModulePath, rest: &[&Step]) -> Result<Option<Target>, Box<Diagnostic>> {
    let Some(first) = rest.first() else { return Ok(None) };
    let range_of = |steps: &[&Step]| match (steps.first(), steps.last()) {
        (Some(first), Some(last)) => first.range.to(&last.range),
        _ => Range::at_start(&first.range.file),
    };
    let word = name_of(first).map(SmolStr::as_str).unwrap_or_default();
    let (mode, prefix, rest) = match word {
        "data" => (Mode::Data, "", rest.get(1..)),
        "resource" => (Mode::Managed, "", rest.get(1..)),
        // These are of no mode of ours: the word stays with the type.
        "ephemeral" => (Mode::Managed, "ephemeral.", rest.get(1..)),
        "list" => (Mode::Managed, "list.", rest.get(1..)),
        _ => (Mode::Managed, "", Some(rest)),
    };
    let rest = rest.unwrap_or_default();
    if RESERVED.contains(&word) {
        let detail = format!(
            "The keyword \"{word}\" is reserved and cannot be used to target a resource address. If you are targeting a resource type that uses a reserved keyword, please prefix your address with \"resource.\"."
        );
        return Err(wrong(INVALID, &detail, &range_of(rest)));
    }
    let [kind, name, tail @ ..] = rest else {
        let detail = "Resource specification must include a resource type and name.";
        return Err(wrong(INVALID, detail, &range_of(rest)));
    };
    let Some(kind_name) = name_of(kind) else {
        let what = match (mode, prefix) {
            (Mode::Data, _) => "A data source name",
            (_, "ephemeral.") => "An ephemeral resource type name",
            (_, "list.") => "A list resource type name",
            _ => "A resource type name",
        };
        return Err(wrong(INVALID, &format!("{what} is required."), &kind.range));
    };
    let Some(name_text) = name_of(name) else {
        return Err(wrong(INVALID, "A resource name is required.", &name.range));
    };
    let kind: SmolStr = format!("{prefix}{kind_name}").into();
    let resource = ResourceAddress { module: module.clone(), mode, kind, name: name_text.clone() };
    match tail {
        [] => Ok(Some(Target::Resource(resource))),
        [Step { kind: StepKind::Index(value), range }] => {
            let error = |why| wrong(INVALID, &format!("Invalid resource instance key: {why}."), range);
            let key = Some(key_of(value).map_err(error)?);
            Ok(Some(Target::Instance(InstanceAddress { resource, key })))
        }
        [step] => Err(wrong(INVALID, "Resource instance key must be given in square brackets.", &step.range)),
        [_, second, ..] => Err(wrong(INVALID, "Unexpected extra operators after address.", &second.range)),
    }
}
