//! Which configuration of its provider a resource has, through the calls of modules (upstream: terraform's provider
//! transformers), and what is said where there is none or where an object is beyond the provider.

use super::walk::{Task, Walk};
use crate::base::SmolStr;
use crate::terraform::address::{InstanceAddress, ModulePath, ResourceAddress};
use crate::terraform::config::{Module, ResourceName};
use crate::terraform::hcl::Diagnostic;

/// A provider's configuration: the module it stands in, its source and alias.
pub struct Configured {
    path: Vec<SmolStr>,
    pub source: SmolStr,
    pub alias: Option<SmolStr>,
    /// There is a block for it.
    present: bool,
}

/// The configuration that a local name stands for in a module.
pub fn configured(root: &Module, path: &[SmolStr], local: &(SmolStr, Option<SmolStr>)) -> Option<Configured> {
    let (mut path, (mut name, mut alias)) = (path.to_vec(), local.clone());
    loop {
        let module = root.at(&path)?;
        let source = module.provider_source(&name);
        let present = module.providers.iter().any(|each| each.name == name && each.alias == alias);
        let here = |path: &[SmolStr], alias: &Option<SmolStr>| {
            Some(Configured { path: path.to_vec(), source: source.clone(), alias: alias.clone(), present })
        };
        let Some((last, rest)) = path.split_last() else { return here(&path, &alias) };
        if present {
            return here(&path, &alias);
        }
        let outer = root.at(rest)?;
        let passed = outer.calls.get(last)?.providers.iter().find(|(child, _)| child.0 == name && child.1 == alias);
        match passed {
            Some((_, given)) => (name, alias) = given.clone(),
            None if alias.is_some() => return here(&path, &alias),
            // The default one comes from the caller, under the caller's own name.
            None => {
                let same = outer.required.keys().find(|known| outer.provider_source(known) == source);
                name = same.cloned().unwrap_or(name);
            }
        }
        path.pop();
    }
}

fn absent(who: &str, of: &Configured) -> Diagnostic {
    let outer: String = of.path.iter().map(|name| format!("module.{name}.")).collect();
    let alias = of.alias.as_ref().map(|alias| format!(".{alias}")).unwrap_or_default();
    let provider = format!("{outer}provider[\"{}\"]{alias}", of.source);
    let detail = format!(
        "To work with {who} its original provider configuration at {provider} is required, but it has been removed. This occurs when a provider configuration is removed while objects created by that provider still exist in the state. Re-add the provider configuration to destroy {who}, after which you can remove the provider configuration again."
    );
    Diagnostic::sourceless("Provider configuration not present", detail)
}

impl Walk {
    /// Resources whose provider has no configuration of the name they give.
    pub fn absent_providers(&self) -> Vec<Diagnostic> {
        let root = &self.config.root;
        let mut found = Vec::new();
        for (path, module) in root.walk() {
            for resource in module.resources.values() {
                let of = configured(root, &path, &resource.provider);
                let Some(of) = of.filter(|of| of.alias.is_some() && !of.present) else { continue };
                let module = path.iter().fold(ModulePath::default(), |path, name| path.child(name, None));
                let ResourceName { mode, kind, name } = resource.name.clone();
                found.push(absent(&ResourceAddress { module, mode, kind, name }.to_string(), &of));
            }
        }
        found
    }

    /// The same of objects that are no longer in the configuration: known before anything is looked at.
    pub fn check_absent_providers(&mut self) {
        let mut found = Vec::new();
        for (address, resource) in &self.state.resources {
            let Some(alias) = resource.alias.as_ref().filter(|_| self.resource_config(address).is_none()) else {
                continue;
            };
            let is_there = |module: &Module| {
                let same = |name: &SmolStr| module.provider_source(name) == resource.provider;
                module.providers.iter().any(|each| each.alias.as_ref() == Some(alias) && same(&each.name))
            };
            if self.config.root.walk().iter().any(|(_, module)| is_there(module)) {
                continue;
            }
            let of = Configured {
                path: Vec::new(),
                source: resource.provider.clone(),
                alias: Some(alias.clone()),
                present: false,
            };
            for key in resource.instances.keys() {
                let address = InstanceAddress { resource: address.clone(), key: key.clone() };
                found.push(absent(&format!("{address} (orphan)"), &of));
            }
        }
        if !found.is_empty() {
            (self.diagnostics, self.refused) = (found, true);
        }
    }

    /// What keeps the provider from reading an object of the state.
    pub(super) fn unreadable(&self, task: &Task) -> Option<Diagnostic> {
        let address = &task.address;
        let object = self.object(task)?;
        let Some(schema) = self.providers.schema(address.resource.mode, &address.resource.kind) else {
            let text = format!(
                "no schema available for {address} while reading state; this is a bug in Terraform and should be reported"
            );
            return Some(Diagnostic::sourceless(text, ""));
        };
        let source = self.provider_of(&address.resource).provider;
        let name = source.rsplit('/').next().unwrap_or_default();
        let detail = format!(
            "The current state of {address} was created by a newer provider version than is currently selected. Upgrade the {name} provider to work with this state."
        );
        let newer = object.schema_version > schema.version;
        newer.then(|| Diagnostic::sourceless("Resource instance managed by newer provider version", detail))
    }

    /// The names of the calls on a path.
    pub(super) fn names_of(path: &ModulePath) -> Vec<SmolStr> {
        path.0.iter().map(|step| step.name.clone()).collect()
    }
}
