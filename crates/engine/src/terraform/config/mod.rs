//! A configuration: the files of a folder read into modules, their variables, resources and calls (upstream:
//! terraform's configs).

mod blocks;
pub mod decode;
mod load;
mod module;
mod rules;

use crate::base::BTreeMap;

use crate::base::SmolStr;
use crate::terraform::address::Mode;
use crate::terraform::eval::constraint::Constraint;
use crate::terraform::hcl::{Body, Expr, Range, Traversal};
use crate::terraform::value::Value;

pub use load::{Loaded, Source, load};

/// One module and, below it, those it calls.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Relative to the working folder: `.`, `./net`.
    pub folder: String,
    pub variables: BTreeMap<SmolStr, Variable>,
    pub locals: BTreeMap<SmolStr, Local>,
    pub outputs: BTreeMap<SmolStr, Output>,
    pub resources: BTreeMap<ResourceName, Resource>,
    pub calls: BTreeMap<SmolStr, ModuleCall>,
    /// Configurations of providers that a caller must give: local names and aliases.
    pub aliases: Vec<(SmolStr, Option<SmolStr>)>,
    pub children: BTreeMap<SmolStr, Module>,
    pub providers: Vec<ProviderConfig>,
    /// Local name to source and version constraint.
    pub required: BTreeMap<SmolStr, Requirement>,
    pub moved: Vec<Moved>,
    pub removed: Vec<Removed>,
    pub imports: Vec<Import>,
    pub checks: BTreeMap<SmolStr, CheckBlock>,
    /// Provider, type and place of each `ephemeral` block.
    pub ephemerals: Vec<(SmolStr, SmolStr, Range)>,
    pub required_version: Vec<(String, Range)>,
    pub backend: Option<Backend>,
}

/// A `backend` block, or a `cloud` one.
#[derive(Clone, Debug)]
pub struct Backend {
    pub kind: SmolStr,
    pub cloud: bool,
    /// What the local one is told; others are left out.
    pub path: Option<String>,
    pub workspaces: Option<String>,
    /// What is wrong with that: told by what sets it up.
    pub wrong: Vec<crate::terraform::hcl::Diagnostic>,
    pub range: Range,
    pub kind_range: Range,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceName {
    pub mode: Mode,
    pub kind: SmolStr,
    pub name: SmolStr,
}

#[derive(Clone, Debug)]
pub struct Requirement {
    pub source: String,
    pub version: Option<String>,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: SmolStr,
    pub description: Option<String>,
    pub constraint: Constraint,
    /// A type was declared.
    pub typed: bool,
    pub default: Option<Value>,
    pub sensitive: bool,
    pub ephemeral: bool,
    pub nullable: bool,
    pub validations: Vec<Condition>,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub expr: Expr,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Output {
    pub expr: Option<Expr>,
    pub description: Option<String>,
    pub sensitive: bool,
    pub ephemeral: bool,
    pub depends_on: Vec<Traversal>,
    pub preconditions: Vec<Condition>,
    pub range: Range,
}

/// `condition` and `error_message` of a validation, precondition, postcondition or assertion.
#[derive(Clone, Debug)]
pub struct Condition {
    pub condition: Expr,
    pub message: Expr,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Resource {
    pub name: ResourceName,
    /// The provider's local name and alias, as written or implied.
    pub provider: (SmolStr, Option<SmolStr>),
    pub provider_range: Option<Range>,
    pub count: Option<Expr>,
    pub for_each: Option<Expr>,
    pub depends_on: Vec<Traversal>,
    pub lifecycle: Lifecycle,
    pub provisioners: Vec<Provisioner>,
    /// Without meta-arguments.
    pub body: Body,
    /// The header: keyword and labels.
    pub range: Range,
    /// The label that names the type.
    pub kind_range: Range,
}

#[derive(Clone, Debug, Default)]
pub struct Lifecycle {
    pub create_before_destroy: bool,
    pub prevent_destroy: bool,
    /// `None` without the argument; an empty list with `all`.
    pub ignore_changes: Option<Vec<Traversal>>,
    pub replace_triggered_by: Vec<Expr>,
    pub preconditions: Vec<Condition>,
    pub postconditions: Vec<Condition>,
    /// `destroy = false`.
    pub keep: bool,
    pub range: Option<Range>,
}

#[derive(Clone, Debug)]
pub struct Provisioner {
    pub kind: SmolStr,
    pub body: Body,
    pub on_destroy: bool,
    pub continues: bool,
    pub range: Range,
    /// Where the block opens.
    pub open: Range,
}

#[derive(Clone, Debug)]
pub struct ModuleCall {
    pub name: SmolStr,
    /// `None` where it is none.
    pub source: Option<String>,
    pub source_range: Range,
    /// It has a `version`, which makes its source one of a registry.
    pub versioned: bool,
    /// By what is no version constraint.
    pub misversioned: bool,
    pub count: Option<Expr>,
    pub for_each: Option<Expr>,
    pub depends_on: Vec<Traversal>,
    /// The child's local provider name and alias, and the parent's.
    pub providers: Vec<((SmolStr, Option<SmolStr>), (SmolStr, Option<SmolStr>))>,
    pub arguments: Body,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct ProviderConfig {
    pub name: SmolStr,
    pub alias: Option<SmolStr>,
    pub body: Body,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Moved {
    pub from: Traversal,
    pub to: Traversal,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Removed {
    pub from: Traversal,
    pub destroy: bool,
    /// Run before its objects are destroyed.
    pub provisioners: Vec<Provisioner>,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct Import {
    pub to: Expr,
    pub id: Expr,
    pub for_each: Option<Expr>,
    pub range: Range,
}

#[derive(Clone, Debug)]
pub struct CheckBlock {
    pub asserts: Vec<Condition>,
    pub range: Range,
}

impl Module {
    /// A place to point at when there is none better.
    pub fn range(&self) -> Range {
        use crate::terraform::hcl::Pos;
        Range { file: "main.tf".into(), start: Pos::START, end: Pos::START }
    }

    /// The module at a path of call names.
    pub fn at<'a>(&'a self, path: &[SmolStr]) -> Option<&'a Module> {
        path.iter().try_fold(self, |module, name| module.children.get(name))
    }

    pub fn resource(&self, mode: Mode, kind: &str, name: &str) -> Option<&Resource> {
        self.resources.get(&ResourceName { mode, kind: kind.into(), name: name.into() })
    }

    /// This module and all below it, with their paths, parents first.
    pub fn walk(&self) -> Vec<(Vec<SmolStr>, &Module)> {
        let mut found = Vec::new();
        self.walk_into(&mut Vec::new(), &mut found);
        found
    }

    fn walk_into<'a>(&'a self, path: &mut Vec<SmolStr>, found: &mut Vec<(Vec<SmolStr>, &'a Module)>) {
        found.push((path.clone(), self));
        for (name, child) in &self.children {
            path.push(name.clone());
            child.walk_into(path, found);
            path.pop();
        }
    }

    /// The full source of a provider by its local name: `registry.terraform.io/kreuzwerker/docker`.
    pub fn provider_source(&self, name: &str) -> SmolStr {
        if name == "terraform" {
            return BUILTIN.into();
        }
        let source = self.required.get(name).map(|requirement| requirement.source.as_str());
        full_source(source.unwrap_or(&format!("hashicorp/{name}")))
    }
}

/// The provider that is part of Terraform.
pub const BUILTIN: &str = "terraform.io/builtin/terraform";

pub fn full_source(source: &str) -> SmolStr {
    match source.matches('/').count() {
        0 => format!("registry.terraform.io/hashicorp/{source}").into(),
        1 => format!("registry.terraform.io/{source}").into(),
        _ => source.into(),
    }
}
