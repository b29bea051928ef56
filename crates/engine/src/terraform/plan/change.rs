//! A plan as plain data: what will be done to which object, and why (upstream: terraform's plans).

use crate::base::BTreeMap;
use std::sync::Arc;

use crate::base::SmolStr;
use crate::terraform::address::InstanceAddress;
use crate::terraform::hcl::Diagnostic;
use crate::terraform::schema::Schema;
use crate::terraform::value::{Path, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    NoOp,
    Create,
    Read,
    Update,
    DeleteThenCreate,
    CreateThenDelete,
    Delete,
    /// Left alone and taken out of the state.
    Forget,
}

impl Action {
    pub fn is_replace(self) -> bool {
        matches!(self, Action::DeleteThenCreate | Action::CreateThenDelete)
    }
}

/// Why this action, where the plan says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Reason {
    #[default]
    None,
    Tainted,
    Requested,
    ReplaceTriggeredBy,
    CannotUpdate,
    /// Deleted because …
    NoResourceConfig,
    NoModule,
    WrongRepetition,
    CountIndex,
    EachKey,
    NoMoveTarget,
    /// Read during apply because …
    ConfigUnknown,
    DependencyPending,
    CheckNested,
}

/// One resource instance in the plan.
#[derive(Clone, Debug)]
pub struct ResourceChange {
    pub address: InstanceAddress,
    /// Where the object was before a `moved` block; equal to `address` otherwise.
    pub previous: InstanceAddress,
    /// Of an object left over from a replacement: its eight hex digits.
    pub deposed: Option<SmolStr>,
    pub action: Action,
    pub reason: Reason,
    /// Null of the schema's type where there is no object. Sensitive parts are marked.
    pub before: Value,
    pub after: Value,
    /// What forces the replacement, innermost paths as the provider gave them.
    pub replace_paths: Vec<Path>,
    /// The id by which an `import` block brings the object in.
    pub importing: Option<SmolStr>,
    pub schema: Arc<Schema>,
    /// The provider's address, for `provider["…"]`.
    pub provider: SmolStr,
}

/// One output value of the root module.
#[derive(Clone, Debug)]
pub struct OutputChange {
    pub name: SmolStr,
    pub action: Action,
    pub before: Value,
    pub after: Value,
    pub sensitive: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlanMode {
    #[default]
    Normal,
    Destroy,
    RefreshOnly,
}

#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub mode: PlanMode,
    /// In the order of addresses.
    pub changes: Vec<ResourceChange>,
    /// What refreshing found to be different from the state, in the order of addresses.
    pub drift: Vec<ResourceChange>,
    /// Which attributes of drifted objects the configuration refers to: only those are worth a note.
    pub relevant: Vec<(InstanceAddress, Path)>,
    /// In the order of names; unchanged ones too.
    pub outputs: Vec<OutputChange>,
    /// Planning stopped at an error; the changes are what was planned until then.
    pub errored: bool,
    pub diagnostics: Vec<Diagnostic>,
    /// The variables' values, for `apply FILE`.
    pub variables: BTreeMap<SmolStr, Value>,
}

impl Plan {
    /// What is to happen to the object an address has now, once planning is over.
    pub fn change(&self, address: &InstanceAddress) -> Option<&ResourceChange> {
        let at = self.changes.partition_point(|change| change.address < *address);
        self.changes.get(at).filter(|change| change.address == *address && change.deposed.is_none())
    }

    /// Whether an apply would change anything but the state's record of what it found.
    pub fn has_changes(&self) -> bool {
        self.changes.iter().any(|change| {
            change.action != Action::NoOp || change.previous != change.address || change.importing.is_some()
        }) || self.outputs.iter().any(|output| output.action != Action::NoOp)
    }

    /// Whether applying would do anything: a plan that only refreshes by what it learnt and outputs known already.
    pub fn is_applicable(&self) -> bool {
        if self.mode != PlanMode::RefreshOnly {
            return self.has_changes();
        }
        let known = |output: &OutputChange| {
            !matches!(output.action, Action::NoOp | Action::Delete) && output.after.is_wholly_known()
        };
        self.drift.iter().any(|change| change.action != Action::NoOp) || self.outputs.iter().any(known)
    }
}
