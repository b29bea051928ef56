//! Addresses: which resource instance of which module instance (upstream: terraform's addrs).

use std::cmp::Ordering;
use std::fmt;

use crate::base::{SmolStr, goquote};

/// `[0]` or `["red"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Int(i64),
    Text(SmolStr),
}

impl Ord for Key {
    /// Numbers numerically and before texts, texts by bytes.
    fn cmp(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Int(a), Key::Int(b)) => a.cmp(b),
            (Key::Text(a), Key::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Key::Int(_), Key::Text(_)) => Ordering::Less,
            (Key::Text(_), Key::Int(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Int(index) => write!(f, "[{index}]"),
            Key::Text(text) => write!(f, "[{}]", goquote::quote(text)),
        }
    }
}

/// One `module.name[key]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleStep {
    pub name: SmolStr,
    pub key: Option<Key>,
}

/// Empty for the root module. In order, those less deep come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModulePath(pub Vec<ModuleStep>);

impl Ord for ModulePath {
    fn cmp(&self, other: &ModulePath) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for ModulePath {
    fn partial_cmp(&self, other: &ModulePath) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl ModulePath {
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    pub fn child(&self, name: &str, key: Option<Key>) -> ModulePath {
        let mut path = self.0.clone();
        path.push(ModuleStep { name: name.into(), key });
        ModulePath(path)
    }

    pub fn parent(&self) -> Option<ModulePath> {
        self.0.split_last().map(|(_, rest)| ModulePath(rest.to_vec()))
    }
}

impl fmt::Display for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.0.iter().enumerate() {
            write!(f, "{}module.{}", if i > 0 { "." } else { "" }, step.name)?;
            if let Some(key) = &step.key {
                write!(f, "{key}")?;
            }
        }
        Ok(())
    }
}

/// Data sources come before managed resources wherever both are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Data,
    Managed,
}

/// A resource block within one module instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceAddress {
    pub module: ModulePath,
    pub mode: Mode,
    pub kind: SmolStr,
    pub name: SmolStr,
}

impl ResourceAddress {
    pub fn instance(&self, key: Option<Key>) -> InstanceAddress {
        InstanceAddress { resource: self.clone(), key }
    }
}

impl fmt::Display for ResourceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.module.is_root() {
            write!(f, "{}.", self.module)?;
        }
        if self.mode == Mode::Data {
            f.write_str("data.")?;
        }
        write!(f, "{}.{}", self.kind, self.name)
    }
}

/// The order of plans: module, data before managed, type, name, key (none first).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InstanceAddress {
    pub resource: ResourceAddress,
    pub key: Option<Key>,
}

impl fmt::Display for InstanceAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.resource)?;
        match &self.key {
            Some(key) => write!(f, "{key}"),
            None => Ok(()),
        }
    }
}
