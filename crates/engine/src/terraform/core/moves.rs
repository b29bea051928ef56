//! `moved`, `removed` and `import` blocks, taken into account before planning.

use crate::base::BTreeMap;

use super::walk::Walk;
use crate::terraform::address::{InstanceAddress, Key, Mode, ModulePath, ModuleStep, ResourceAddress};
use crate::terraform::config::{Moved, Removed};
use crate::terraform::hcl::{Diagnostic, StepKind, Traversal};
use crate::terraform::state::{ResourceState, State};

/// What a `moved` or `removed` block names: a module call or a resource, with or without a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub module: ModulePath,
    /// `None`: the module itself.
    pub resource: Option<(Mode, String, String, Option<Key>)>,
}

/// A reference read as an address.
pub fn subject(traversal: &Traversal) -> Option<Subject> {
    let mut words: Vec<(String, Option<Key>)> = vec![(traversal.root.to_string(), None)];
    for step in &traversal.steps {
        match &step.kind {
            StepKind::Attribute(name) => words.push((name.to_string(), None)),
            StepKind::Index(key) => {
                let key = key.as_int().map(Key::Int).or_else(|| key.as_str().map(|text| Key::Text(text.into())))?;
                words.last_mut()?.1 = Some(key);
            }
        }
    }
    let mut module = ModulePath::default();
    let mut rest = words.as_slice();
    while let [(word, None), (name, key), tail @ ..] = rest {
        if word != "module" {
            break;
        }
        module.0.push(ModuleStep { name: name.as_str().into(), key: key.clone() });
        rest = tail;
    }
    let mode = match rest.first() {
        Some((word, None)) if word == "data" => Mode::Data,
        _ => Mode::Managed,
    };
    if mode == Mode::Data {
        rest = rest.get(1..).unwrap_or_default();
    }
    let resource = match rest {
        [] => None,
        [(kind, None), (name, key)] => Some((mode, kind.clone(), name.clone(), key.clone())),
        _ => return None,
    };
    Some(Subject { module, resource })
}

impl Walk {
    /// Renames what `moved` blocks say, chains included; reads `import` blocks with constant ids.
    pub(super) fn apply_moves(&mut self) {
        let mut moves: Vec<(ModulePath, Moved)> = Vec::new();
        for (path, module) in self.config.root.walk() {
            let path = path.iter().fold(ModulePath::default(), |path, name| path.child(name, None));
            moves.extend(module.moved.iter().map(|moved| (path.clone(), moved.clone())));
        }
        for _ in 0..=moves.len() {
            let mut any = false;
            for (path, moved) in &moves {
                any |= self.apply_move(path, moved);
            }
            if !any {
                break;
            }
        }
        self.repetition_moves();
    }

    /// With targets, what has moved must be among them.
    pub(super) fn check_targeted_moves(&mut self) {
        if self.options.targets.is_empty() {
            return;
        }
        let mut excluded: Vec<&InstanceAddress> = Vec::new();
        for (to, from) in &self.moved {
            let covered = |address: &InstanceAddress| self.options.targets.iter().any(|target| target.covers(address));
            excluded.extend([from, to].into_iter().filter(|address| !covered(address)));
        }
        excluded.sort();
        let mut resources: Vec<&ResourceAddress> = excluded.iter().map(|address| &address.resource).collect();
        resources.dedup();
        if resources.is_empty() {
            return;
        }
        let list: String = resources.iter().map(|resource| format!("\n  -target=\"{resource}\"")).collect();
        let detail = format!(
            "Resource instances in your current state have moved to new addresses in the latest configuration. Terraform must include those resource instances while planning in order to ensure a correct result, but your -target=... options do not fully cover all of those resource instances.\n\nTo create a valid plan, either remove your -target=... options altogether or add the following additional target options:{list}\n\nNote that adding these options may include further additional resource instances in your plan, in order to respect object dependencies."
        );
        self.diagnostics.push(Diagnostic::sourceless("Moved resource instances excluded by targeting", detail));
        self.refused = true;
    }

    fn apply_move(&mut self, path: &ModulePath, moved: &Moved) -> bool {
        let (Some(from), Some(to)) = (subject(&moved.from), subject(&moved.to)) else { return false };
        let mut renamed: Vec<(InstanceAddress, InstanceAddress)> = Vec::new();
        for (address, _, _) in self.state.objects() {
            if let Some(new) = renamed_to(&address, path, &from, &to)
                && new != address
                && self.state.get(&new).is_none()
                && !renamed.iter().any(|(old, _)| *old == address)
            {
                renamed.push((address, new));
            }
        }
        for (old, new) in &renamed {
            self.rename(old, new);
        }
        !renamed.is_empty()
    }

    fn rename(&mut self, old: &InstanceAddress, new: &InstanceAddress) {
        let Some(resource) = self.state.resources.get(&old.resource).cloned() else { return };
        let Some(instance) = resource.instances.get(&old.key).cloned() else { return };
        let of = ResourceState { instances: BTreeMap::new(), ..resource };
        self.state.set(new, None, instance.current, &of);
        for (id, object) in instance.deposed {
            self.state.set(new, Some(&id), Some(object), &of);
            self.state.set(old, Some(&id), None, &of);
        }
        self.state.set(old, None, None, &of);
        let origin = self.moved.remove(old).unwrap_or_else(|| old.clone());
        if origin != *new {
            self.moved.insert(new.clone(), origin);
        }
    }

    /// The state as it is known now, its objects where they stood before anything moved.
    pub fn unmoved(&self) -> State {
        let mut state = self.state.clone();
        let mut taken = Vec::new();
        for (new, origin) in &self.moved {
            let Some(resource) = state.resources.get(&new.resource).cloned() else { continue };
            let Some(instance) = resource.instances.get(&new.key).cloned() else { continue };
            let of = ResourceState { instances: BTreeMap::new(), ..resource };
            instance.deposed.keys().for_each(|id| state.set(new, Some(id), None, &of));
            state.set(new, None, None, &of);
            taken.push((origin, instance, of));
        }
        for (origin, instance, of) in taken {
            state.set(origin, None, instance.current, &of);
            for (id, object) in instance.deposed {
                state.set(origin, Some(&id), Some(object), &of);
            }
        }
        state
    }

    /// `x` becomes `x[0]` when `count` is added, and the other way round.
    fn repetition_moves(&mut self) {
        let mut renamed = Vec::new();
        for (address, _, _) in self.state.objects() {
            let Some(resource) = self.resource_config(&address.resource) else { continue };
            let other = match (&address.key, resource.count.is_some(), resource.for_each.is_some()) {
                (None, true, _) => Some(Key::Int(0)),
                (Some(Key::Int(0)), false, false) => None,
                _ => continue,
            };
            let new = address.resource.instance(other);
            if self.state.get(&new).is_none() {
                renamed.push((address, new));
            }
        }
        for (old, new) in renamed {
            self.rename(&old, &new);
        }
    }

    /// The `removed` block that covers a resource.
    pub(super) fn removed_block(&self, address: &ResourceAddress) -> Option<&Removed> {
        for (path, module) in self.config.root.walk() {
            let path = path.iter().fold(ModulePath::default(), |path, name| path.child(name, None));
            for removed in &module.removed {
                let Some(subject) = subject(&removed.from) else { continue };
                let mut whole = path.clone();
                whole.0.extend(subject.module.0.iter().cloned());
                let covered = match &subject.resource {
                    None => {
                        address
                            .module
                            .0
                            .iter()
                            .map(|s| &s.name)
                            .zip(whole.0.iter().map(|s| &s.name))
                            .all(|(a, b)| a == b)
                            && address.module.0.len() >= whole.0.len()
                    }
                    Some((mode, kind, name, _)) => {
                        address.module.0.iter().map(|s| &s.name).eq(whole.0.iter().map(|s| &s.name))
                            && address.mode == *mode
                            && address.kind == *kind
                            && address.name == *name
                    }
                };
                if covered {
                    return Some(removed);
                }
            }
        }
        None
    }
}

fn renamed_to(address: &InstanceAddress, path: &ModulePath, from: &Subject, to: &Subject) -> Option<InstanceAddress> {
    let inner = address.resource.module.0.get(path.0.len()..)?;
    let outer = address.resource.module.0.get(..path.0.len())?;
    if !outer.iter().map(|step| &step.name).eq(path.0.iter().map(|step| &step.name)) {
        return None;
    }
    let mut module = outer.to_vec();
    match (&from.resource, &to.resource) {
        (None, None) => {
            let depth = from.module.0.len();
            let head = inner.get(..depth)?;
            let last = head.len().saturating_sub(1);
            let keyed = from.module.0.last().is_some_and(|step| step.key.is_some())
                || to.module.0.last().is_some_and(|step| step.key.is_some());
            let matches = head
                .iter()
                .zip(&from.module.0)
                .enumerate()
                .all(|(i, (have, want))| have.name == want.name && (have.key == want.key || (i == last && !keyed)));
            if !matches {
                return None;
            }
            let mut new = to.module.0.clone();
            if !keyed && let (Some(step), Some(old)) = (new.last_mut(), head.last()) {
                step.key = old.key.clone();
            }
            module.extend(new);
            module.extend(inner.get(depth..)?.iter().cloned());
            let resource = ResourceAddress { module: ModulePath(module), ..address.resource.clone() };
            Some(resource.instance(address.key.clone()))
        }
        (Some((mode, kind, name, key)), Some((_, new_kind, new_name, new_key))) => {
            if inner != from.module.0.as_slice()
                || address.resource.mode != *mode
                || address.resource.kind != *kind
                || address.resource.name != *name
            {
                return None;
            }
            let keyed = key.is_some() || new_key.is_some();
            if keyed && address.key != *key {
                return None;
            }
            module.extend(to.module.0.iter().cloned());
            let resource = ResourceAddress {
                module: ModulePath(module),
                mode: *mode,
                kind: new_kind.as_str().into(),
                name: new_name.as_str().into(),
            };
            Some(resource.instance(if keyed { new_key.clone() } else { address.key.clone() }))
        }
        _ => None,
    }
}
