//! The end of a walk: what became of the outputs.

use super::graph::Item;
use super::walk::{Phase, Walk};
use crate::base::SmolStr;
use crate::terraform::address::ModulePath;
use crate::terraform::hcl::has_errors;
use crate::terraform::plan::{Action, OutputChange, PlanMode};
use crate::terraform::state::OutputValue;
use crate::terraform::value::{Type, Value};

impl Walk {
    /// With targets, only outputs of nothing but targeted resources are looked at.
    pub(super) fn outputs_left_out(&self) -> Vec<SmolStr> {
        if self.options.targets.is_empty() {
            return Vec::new();
        }
        let is_resource = |node: &usize| {
            matches!(self.graph.nodes.get(*node).map(|node| &node.item), Some(Item::Resource(_) | Item::Orphan(_)))
        };
        let mut names: Vec<SmolStr> = self.before.outputs.keys().cloned().collect();
        names.extend(self.config.root.outputs.keys().cloned());
        // Destroying what is targeted leaves outputs as they are.
        if self.options.mode == PlanMode::Destroy {
            return names;
        }
        names.retain(|name| {
            let Some(node) = self.graph.find(&[], &Item::Output(name.clone())) else { return true };
            let needed: Vec<usize> = self.graph.needed(node).into_iter().filter(is_resource).collect();
            needed.is_empty() || needed.iter().any(|node| !self.targeted_nodes().contains(node))
        });
        names
    }

    /// After the last node: what became of the outputs, and everything in its order.
    pub(super) fn conclude(&mut self) {
        if self.phase == Phase::Validate {
            return;
        }
        let destroying = self.options.mode == PlanMode::Destroy;
        let root = ModulePath::default();
        if self.phase == Phase::Plan {
            let misplaced = self.misplaced();
            if !misplaced.is_empty() {
                (self.diagnostics, self.refused) = (misplaced, true);
            }
            self.plan.errored = has_errors(&self.diagnostics);
            self.plan.changes.sort_by(|a, b| (&a.address, &a.deposed).cmp(&(&b.address, &b.deposed)));
            self.plan.drift.sort_by(|a, b| a.address.cmp(&b.address));
        }
        let left_out = self.outputs_left_out();
        let old_outputs = self.state.outputs.clone();
        let mut outputs = Vec::new();
        let mut names: Vec<SmolStr> = self.before.outputs.keys().cloned().collect();
        names.extend(self.config.root.outputs.keys().cloned());
        names.sort();
        names.dedup();
        for name in names.into_iter().filter(|name| !left_out.contains(name)) {
            let declared = self.config.root.outputs.get(&name).filter(|_| !destroying);
            let old = self.before.outputs.get(&name);
            let new = self.values.outputs.get(&(root.clone(), name.clone())).cloned();
            let found = new.clone().filter(|_| destroying && self.phase == Phase::Plan).map(|new| new.unmark_deep().0);
            let before = old.map(|output| match found {
                Some(found) if found.is_wholly_known() && !found.is_null() => found,
                _ => output.value.clone(),
            });
            let before = before.unwrap_or_else(|| Value::null(Type::Dynamic));
            let after = match declared {
                None => Value::null(Type::Dynamic),
                // Not evaluated: something it needs went wrong or was left out.
                Some(_) => match new {
                    Some(new) => new,
                    None => continue,
                },
            };
            let sensitive = declared.is_some_and(|output| output.sensitive)
                || declared.is_none() && old.is_some_and(|old| old.sensitive);
            let plain = after.clone().unmark_deep().0;
            let action = match (before.is_null() && old.is_none(), declared.is_none() || plain.is_null()) {
                (true, true) => Action::NoOp,
                (true, false) => Action::Create,
                (false, true) if declared.is_none() || !before.is_null() => Action::Delete,
                _ if before == plain => Action::NoOp,
                _ => Action::Update,
            };
            if self.phase == Phase::Apply {
                if declared.is_none() || plain.is_null() {
                    self.state.outputs.remove(&name);
                } else if plain.is_wholly_known() {
                    self.state.outputs.insert(name.clone(), OutputValue { value: plain, sensitive });
                } else if self.options.mode == PlanMode::RefreshOnly {
                    // What is not known stays so: nothing is made.
                    let value = Value::null(Type::Dynamic);
                    self.state.outputs.insert(name.clone(), OutputValue { value, sensitive });
                }
            } else {
                outputs.push(OutputChange { name, action, before, after: plain, sensitive });
            }
        }
        if self.phase == Phase::Apply && self.importing {
            return;
        }
        if self.phase == Phase::Apply {
            self.state.checks = self.check_results();
        }
        if self.phase == Phase::Plan {
            self.plan.outputs = outputs;
            self.relevant_drift();
            return;
        }
        // What is written at the end counts as new against the state that was read, or else the first that was written:
        // that has outputs of no objects already.
        let is_resource =
            |node: &usize| matches!(self.graph.nodes.get(*node).map(|node| &node.item), Some(Item::Resource(_)));
        let late = |(name, output): (&SmolStr, &OutputValue)| {
            let node = self.graph.find(&[], &Item::Output(name.clone()));
            let of_objects = node.is_none_or(|node| self.graph.needed(node).iter().any(is_resource));
            of_objects && old_outputs.get(name) != Some(output)
        };
        match self.writes {
            0 if old_outputs != self.state.outputs => self.snapshots += 1,
            0 => {}
            1 if self.before.lineage.is_empty() => self.closing = self.state.outputs.iter().any(late),
            _ => self.closing = true,
        }
    }
}
