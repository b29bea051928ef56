//! Addresses as they are typed: modules, resources, instances (upstream: terraform's addrs parser).

use crate::terraform::address::{InstanceAddress, Mode, ResourceAddress};
use crate::terraform::core::Target;
use crate::terraform::hcl::Diagnostic;
use crate::terraform::state::{parse_key, parse_module};

/// `module.a`, `t.n`, `data.t.n["k"]`, `module.a[0].t.n`.
pub fn parse_target(text: &str) -> Option<Target> {
    let mut module = String::new();
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix("module.") {
        let end = inner.find(['.', '[']).unwrap_or(inner.len());
        let (_, tail) = parse_key(inner.get(end..)?)?;
        let used = rest.len() - tail.len();
        if !module.is_empty() {
            module.push('.');
        }
        module.push_str(rest.get(..used)?);
        if tail.is_empty() {
            return Some(Target::Module(parse_module(&module)?));
        }
        rest = tail.strip_prefix('.')?;
    }
    let (mode, rest) = match rest.strip_prefix("data.") {
        Some(rest) => (Mode::Data, rest),
        None => (Mode::Managed, rest),
    };
    let (kind, rest) = rest.split_once('.')?;
    let end = rest.find('[').unwrap_or(rest.len());
    let (name, tail) = rest.split_at(end);
    let (key, left) = parse_key(tail)?;
    if !left.is_empty() || name.is_empty() || kind.is_empty() || name.contains('.') {
        return None;
    }
    let resource = ResourceAddress { module: parse_module(&module)?, mode, kind: kind.into(), name: name.into() };
    Some(match key {
        Some(key) => Target::Instance(InstanceAddress { resource, key: Some(key) }),
        None => Target::Resource(resource),
    })
}

pub fn bad_address(text: &str, what: &str) -> Diagnostic {
    let detail = if text.ends_with('.') {
        "Dot must be followed by attribute name."
    } else {
        "Resource specification must include a resource type and name."
    };
    Diagnostic::sourceless(format!("Invalid {what} \"{text}\""), detail)
}
