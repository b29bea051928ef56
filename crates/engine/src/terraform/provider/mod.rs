//! Providers: what knows how to make objects of a type (upstream: terraform's providers and their plugin protocol).

mod builtin;
mod docker;

use crate::base::BTreeMap;
use std::sync::Arc;

pub use builtin::{uuid, uuid_of};

use crate::base::SmolStr;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::address::Mode;
use crate::terraform::hcl::{Diagnostic, Range};
use crate::terraform::schema::{BlockSchema, Schema};
use crate::terraform::value::{Path, Type, Value};

/// A provider of one source. Values it gets carry no marks.
pub trait Provider: Send + Sync {
    /// `registry.terraform.io/kreuzwerker/docker`
    fn source(&self) -> &'static str;
    fn version(&self) -> &'static str;
    fn configuration(&self) -> BlockSchema;
    fn schema(&self, mode: Mode, kind: &str) -> Option<Arc<Schema>>;
    /// Names of its types, for suggestions.
    fn kinds(&self, mode: Mode) -> Vec<&'static str>;

    /// Types that it has elsewhere and not here.
    fn absent(&self, mode: Mode) -> &'static [&'static str] {
        let _ = mode;
        &[]
    }

    /// What is wrong with a body, beyond its types.
    fn validate(&self, mode: Mode, kind: &str, config: &Value) -> Vec<Complaint> {
        let _ = (mode, kind, config);
        Vec::new()
    }

    fn plan(&self, change: &Change<'_>) -> Planned;

    /// Does one thing with an object. Run again from the top after every answer, with all answers so far.
    fn run(&self, io: &mut Io<'_, '_>, job: &Job) -> Outcome<Done>;
}

/// What is asked of `plan`.
pub struct Change<'a> {
    pub kind: &'a str,
    /// Null where there is no object yet.
    pub prior: &'a Value,
    /// The configuration, with what the object already has in the places that the provider decides.
    pub proposed: &'a Value,
    pub config: &'a Value,
    pub private: Option<&'a str>,
    pub settings: &'a Value,
}

#[derive(Clone, Debug, Default)]
pub struct Planned {
    pub value: Option<Value>,
    pub replace: Vec<Path>,
    pub private: Option<String>,
    pub complaints: Vec<Complaint>,
}

#[derive(Clone, Debug)]
pub struct Job {
    pub action: Doing,
    pub kind: SmolStr,
    /// Null of the type where there is none.
    pub prior: Value,
    pub planned: Value,
    pub config: Value,
    pub private: Option<String>,
    /// The provider block's object.
    pub settings: Value,
    /// Of an import.
    pub id: SmolStr,
    /// The whole operation is to end: what only waits gives up.
    pub cancelled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Read,
    Create,
    Update,
    Delete,
    Import,
    ReadData,
}

#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Null when there is no object (any more). `None` leaves what was.
    pub value: Option<Value>,
    pub private: Option<String>,
    pub complaints: Vec<Complaint>,
}

/// An error or warning of a provider: shown with the resource's address and place.
#[derive(Clone, Debug, PartialEq)]
pub struct Complaint {
    pub warning: bool,
    pub summary: String,
    pub detail: String,
    /// The attribute it is about: its line is shown.
    pub path: Path,
}

impl Complaint {
    pub fn error(summary: impl Into<String>) -> Complaint {
        Complaint { warning: false, summary: summary.into(), detail: String::new(), path: Path::new() }
    }

    pub fn diagnostic(&self, address: &str, range: &Range) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.summary.clone(), self.detail.clone(), range);
        if self.warning {
            diagnostic.severity = crate::terraform::hcl::Severity::Warning;
        }
        diagnostic.address = address.to_string();
        diagnostic
    }
}

/// All providers there are.
#[derive(Clone)]
pub struct Providers(Arc<BTreeMap<&'static str, Box<dyn Provider>>>);

impl Default for Providers {
    fn default() -> Providers {
        Providers::new(vec![Box::new(docker::Docker::default())])
    }
}

impl std::fmt::Debug for Providers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

impl Providers {
    pub fn new(more: Vec<Box<dyn Provider>>) -> Providers {
        let all = more.into_iter().chain([Box::new(builtin::Terraform) as Box<dyn Provider>]);
        Providers(Arc::new(all.map(|provider| (provider.source(), provider)).collect()))
    }

    pub fn get(&self, source: &str) -> Option<&dyn Provider> {
        self.0.get(source).map(|provider| &**provider)
    }

    /// The schema of a type, whichever provider has it.
    pub fn schema(&self, mode: Mode, kind: &str) -> Option<Arc<Schema>> {
        self.0.values().find_map(|provider| provider.schema(mode, kind))
    }

    pub fn type_of(&self, mode: Mode, kind: &str) -> Option<Type> {
        self.schema(mode, kind).map(|schema| schema.block.implied_type())
    }
}
