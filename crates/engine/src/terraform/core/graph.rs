//! What must be looked at in which order (upstream: terraform's dag and graph builders).

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;
use crate::terraform::address::Mode;
use crate::terraform::config::{Condition, Module, ResourceName, decode};
use crate::terraform::hcl::{Diagnostic, Expr, StepKind, Traversal};

/// A thing of one module, wherever that module stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Variable(SmolStr),
    Local(SmolStr),
    Output(SmolStr),
    /// A module call's `count` or `for_each`.
    Call(SmolStr),
    Provider(SmolStr, Option<SmolStr>),
    Resource(ResourceName),
    Check(SmolStr),
    /// Objects of the state whose resource block is gone, by address text.
    Orphan(String),
    /// One object to destroy: index of the change, deposed or not.
    Destroy(usize),
}

pub type ModuleNames = Vec<SmolStr>;

#[derive(Clone, Debug)]
pub struct Node {
    pub module: ModuleNames,
    pub item: Item,
    pub needs: BTreeSet<usize>,
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    index: BTreeMap<(ModuleNames, Item), usize>,
}

impl Graph {
    pub fn of(root: &Module) -> Graph {
        let mut graph = Graph::default();
        let modules = root.walk();
        for (path, module) in &modules {
            for provider in &module.providers {
                graph.add(path, Item::Provider(provider.name.clone(), provider.alias.clone()));
            }
            module.variables.keys().for_each(|name| graph.add(path, Item::Variable(name.clone())));
            module.locals.keys().for_each(|name| graph.add(path, Item::Local(name.clone())));
            module.calls.keys().for_each(|name| graph.add(path, Item::Call(name.clone())));
            module.resources.keys().for_each(|name| graph.add(path, Item::Resource(name.clone())));
            module.outputs.keys().for_each(|name| graph.add(path, Item::Output(name.clone())));
            module.checks.keys().for_each(|name| graph.add(path, Item::Check(name.clone())));
        }
        for (path, module) in &modules {
            graph.connect(root, path, module);
        }
        graph
    }

    pub fn add(&mut self, module: &[SmolStr], item: Item) {
        let key = (module.to_vec(), item.clone());
        if !self.index.contains_key(&key) {
            self.index.insert(key, self.nodes.len());
            self.nodes.push(Node { module: module.to_vec(), item, needs: BTreeSet::new() });
        }
    }

    pub fn find(&self, module: &[SmolStr], item: &Item) -> Option<usize> {
        self.index.get(&(module.to_vec(), item.clone())).copied()
    }

    pub fn need(&mut self, node: usize, needed: usize) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.needs.insert(needed);
        }
    }

    fn connect(&mut self, root: &Module, path: &ModuleNames, module: &Module) {
        let parent = path.split_last().and_then(|(name, rest)| Some((name, rest, root.at(rest)?)));
        // Everything in a module stands as often as its call says.
        let call = parent.as_ref().and_then(|(name, rest, _)| self.find(rest, &Item::Call((*name).clone())));
        let links = |graph: &mut Graph, item: Item, refs: &[&Traversal]| {
            let Some(node) = graph.find(path, &item) else { return };
            if let Some(call) = call {
                graph.need(node, call);
            }
            refs.iter().for_each(|reference| graph.link(node, path, reference));
        };
        for (name, variable) in &module.variables {
            let mut refs: Vec<&Traversal> = Vec::new();
            conditions(&variable.validations, &mut refs);
            refs.retain(|r| !(r.root == "var" && r.names().next() == Some(name)));
            links(self, Item::Variable(name.clone()), &refs);
            if let (Some((call_name, rest, outer)), Some(node)) =
                (&parent, self.find(path, &Item::Variable(name.clone())))
            {
                let argument = outer.calls.get(*call_name).and_then(|call| call.arguments.attribute(name));
                for reference in argument.iter().flat_map(|argument| argument.expression.references()) {
                    self.link(node, rest, reference);
                }
            }
        }
        for (name, local) in &module.locals {
            let mut refs = local.expr.references();
            // A local that names itself is told as such, not as a cycle.
            refs.retain(|r| !(r.root == "local" && r.names().next() == Some(name)));
            links(self, Item::Local(name.clone()), &refs);
        }
        for (name, output) in &module.outputs {
            let mut refs = output.expr.as_ref().map(Expr::references).unwrap_or_default();
            refs.extend(&output.depends_on);
            conditions(&output.preconditions, &mut refs);
            links(self, Item::Output(name.clone()), &refs);
        }
        for (name, call) in &module.calls {
            let mut refs: Vec<&Traversal> =
                call.count.iter().chain(&call.for_each).flat_map(Expr::references).collect();
            refs.extend(&call.depends_on);
            links(self, Item::Call(name.clone()), &refs);
        }
        for provider in &module.providers {
            let item = Item::Provider(provider.name.clone(), provider.alias.clone());
            links(self, item, &decode::borrowed(&provider.body));
        }
        for (name, resource) in &module.resources {
            let mut refs = decode::borrowed(&resource.body);
            refs.extend(resource.count.iter().chain(&resource.for_each).flat_map(Expr::references));
            refs.extend(&resource.depends_on);
            refs.extend(resource.lifecycle.replace_triggered_by.iter().flat_map(Expr::references));
            conditions(&resource.lifecycle.preconditions, &mut refs);
            conditions(&resource.lifecycle.postconditions, &mut refs);
            refs.extend(resource.provisioners.iter().flat_map(|each| decode::borrowed(&each.body)));
            // What a resource says of itself is told as an error, not as a cycle.
            refs.retain(|r| !is_resource(r, name));
            links(self, Item::Resource(name.clone()), &refs);
            let node = self.find(path, &Item::Resource(name.clone()));
            if let (Some(node), Some(provider)) = (node, self.provider_node(path, &resource.provider)) {
                self.need(node, provider);
            }
        }
        for import in &module.imports {
            let Some(address) = super::imports::target(&import.to).and_then(super::imports::address_of) else {
                continue;
            };
            let of = address.resource;
            let name = ResourceName { mode: Mode::Managed, kind: of.kind, name: of.name };
            let inner: ModuleNames =
                path.iter().cloned().chain(of.module.0.into_iter().map(|step| step.name)).collect();
            if let Some(node) = self.find(&inner, &Item::Resource(name)) {
                for reference in import.for_each.iter().chain([&import.id]).flat_map(Expr::references) {
                    self.link(node, path, reference);
                }
            }
        }
        for (name, check) in &module.checks {
            let mut refs = Vec::new();
            conditions(&check.asserts, &mut refs);
            links(self, Item::Check(name.clone()), &refs);
        }
    }

    /// The provider block a resource of this module uses: its own or that of the nearest module above.
    pub fn provider_node(&self, path: &[SmolStr], provider: &(SmolStr, Option<SmolStr>)) -> Option<usize> {
        let item = Item::Provider(provider.0.clone(), provider.1.clone());
        (0..=path.len()).rev().find_map(|depth| self.find(path.get(..depth)?, &item))
    }

    fn link(&mut self, node: usize, path: &[SmolStr], reference: &Traversal) {
        for item in self.targets(path, reference) {
            self.need(node, item);
        }
    }

    /// The nodes a reference speaks of.
    pub fn targets(&self, path: &[SmolStr], reference: &Traversal) -> Vec<usize> {
        let mut names = reference.names().cloned();
        let found = match reference.root.as_str() {
            "var" => names.next().and_then(|name| self.find(path, &Item::Variable(name))),
            "local" => names.next().and_then(|name| self.find(path, &Item::Local(name))),
            "module" => {
                let Some(name) = names.next() else { return Vec::new() };
                let mut inner = path.to_vec();
                inner.push(name.clone());
                let output = reference.steps.iter().skip(1).find_map(|step| match &step.kind {
                    StepKind::Attribute(output) => Some(output.clone()),
                    StepKind::Index(_) => None,
                });
                let one = output.and_then(|output| self.find(&inner, &Item::Output(output)));
                if let Some(one) = one {
                    return vec![one];
                }
                // The whole module: everything in it.
                let all = self.nodes.iter().enumerate().filter(|(_, node)| node.module.starts_with(&inner));
                let call = self.find(path, &Item::Call(name));
                return all.map(|(i, _)| i).chain(call).collect();
            }
            "data" => match (names.next(), names.next()) {
                (Some(kind), Some(name)) => {
                    self.find(path, &Item::Resource(ResourceName { mode: Mode::Data, kind, name }))
                }
                _ => None,
            },
            "each" | "count" | "self" | "path" | "terraform" => None,
            root => {
                let kind = if root == "resource" { names.next() } else { Some(reference.root.clone()) };
                match (kind, names.next()) {
                    (Some(kind), Some(name)) => {
                        self.find(path, &Item::Resource(ResourceName { mode: Mode::Managed, kind, name }))
                    }
                    _ => None,
                }
            }
        };
        found.into_iter().collect()
    }

    /// What is told of nodes that need each other in rings: each ring by the names of its nodes.
    /// Rings. When plans are made, resources are named for being expanded.
    pub fn cycles(&self, planning: bool) -> Vec<Diagnostic> {
        let mut left = self.ringed();
        let mut found = Vec::new();
        let users_of_each = self.users_of_each();
        // Names are compared again and again.
        let names_of: BTreeMap<usize, String> =
            left.iter().filter_map(|&at| Some((at, self.nodes.get(at)?.named(planning)))).collect();
        let name = |node: usize| names_of.get(&node).map(String::as_str).unwrap_or_default();
        while let Some(&first) = left.first() {
            let users = reached(vec![first], |at| users_of_each.get(at).into_iter().flatten().copied());
            let mut ring: BTreeSet<usize> =
                self.needed(first).into_iter().filter(|node| users.contains(node) && left.contains(node)).collect();
            left.remove(&first);
            left.retain(|node| !ring.contains(node));
            if ring.is_empty() {
                continue;
            }
            // From the shortest name on along what each needs.
            let mut names = Vec::new();
            let mut next = ring.iter().copied().min_by_key(|&node| (name(node).len(), name(node)));
            while let Some(node) = next {
                ring.remove(&node);
                names.push(name(node));
                let needs = self.nodes.get(node).into_iter().flat_map(|node| node.needs.iter().copied());
                let along = needs.filter(|at| ring.contains(at));
                next = along.min_by_key(|&at| name(at)).or_else(|| ring.iter().copied().min_by_key(|&at| name(at)));
            }
            found.push(Diagnostic::sourceless(format!("Cycle:\n  {}", names.join("\n  ")), ""));
        }
        found
    }

    /// Nodes of rings, and what stands between rings.
    pub(super) fn ringed(&self) -> BTreeSet<usize> {
        let mut missing: Vec<usize> = self.nodes.iter().map(|node| node.needs.len()).collect();
        let users = self.users_of_each();
        let mut ready: Vec<usize> = (0..self.nodes.len()).filter(|&i| missing.get(i) == Some(&0)).collect();
        let mut left: BTreeSet<usize> = (0..self.nodes.len()).collect();
        while let Some(node) = ready.pop() {
            left.remove(&node);
            for &user in users.get(node).into_iter().flatten() {
                if let Some(count) = missing.get_mut(user) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push(user);
                    }
                }
            }
        }
        // What only hangs on a ring is no part of it.
        let mut needing: Vec<usize> =
            users.iter().map(|users| users.iter().filter(|user| left.contains(user)).count()).collect();
        let mut gone: Vec<usize> = left.iter().copied().filter(|&i| needing.get(i) == Some(&0)).collect();
        while let Some(node) = gone.pop() {
            left.remove(&node);
            for &needed in self.nodes.get(node).into_iter().flat_map(|node| &node.needs) {
                if let Some(count) = needing.get_mut(needed).filter(|_| left.contains(&needed)) {
                    *count -= 1;
                    if *count == 0 {
                        gone.push(needed);
                    }
                }
            }
        }
        left
    }

    /// For each node, those that need it.
    pub fn users_of_each(&self) -> Vec<Vec<usize>> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            for &needed in &node.needs {
                if let Some(list) = users.get_mut(needed) {
                    list.push(i);
                }
            }
        }
        users
    }

    /// All nodes that need this one, through others too.
    pub fn users(&self, node: usize) -> BTreeSet<usize> {
        let users = self.users_of_each();
        reached(vec![node], |at| users.get(at).into_iter().flatten().copied())
    }

    /// All nodes this one needs, through others too.
    pub fn needed(&self, node: usize) -> BTreeSet<usize> {
        reached(vec![node], |at| self.nodes.get(at).into_iter().flat_map(|node| node.needs.iter().copied()))
    }
}

/// All that is found by going on from these.
pub fn reached<I: Iterator<Item = usize>>(mut list: Vec<usize>, next: impl Fn(usize) -> I) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    while let Some(at) = list.pop() {
        list.extend(next(at).filter(|i| found.insert(*i)));
    }
    found
}

impl Node {
    /// As cycles name it.
    pub fn named(&self, planning: bool) -> String {
        let expanding = planning && matches!(self.item, Item::Resource(_));
        if expanding { format!("{} (expand)", self.name()) } else { self.name() }
    }

    pub fn name(&self) -> String {
        let path: String = self.module.iter().map(|name| format!("module.{name}.")).collect();
        match &self.item {
            Item::Variable(name) => format!("{path}var.{name} (expand)"),
            Item::Local(name) => format!("{path}local.{name} (expand)"),
            Item::Output(name) => format!("{path}output.{name} (expand)"),
            Item::Call(name) => format!("{path}module.{name} (expand)"),
            Item::Provider(name, _) => format!("{path}provider[\"{name}\"]"),
            Item::Resource(name) => {
                let data = if name.mode == Mode::Data { "data." } else { "" };
                format!("{path}{data}{}.{}", name.kind, name.name)
            }
            Item::Check(name) => format!("{path}check.{name}"),
            Item::Orphan(address) => format!("{address} (orphan)"),
            Item::Destroy(index) => format!("{index} (destroy)"),
        }
    }
}

fn conditions<'a>(all: &'a [Condition], found: &mut Vec<&'a Traversal>) {
    for condition in all {
        found.extend(condition.condition.references());
        found.extend(condition.message.references());
    }
}

/// Whether a reference names this resource.
pub fn is_resource(reference: &Traversal, name: &ResourceName) -> bool {
    let mut names = reference.names();
    match name.mode {
        Mode::Managed => reference.root == name.kind && names.next() == Some(&name.name),
        Mode::Data => reference.root == "data" && names.next() == Some(&name.kind) && names.next() == Some(&name.name),
    }
}
