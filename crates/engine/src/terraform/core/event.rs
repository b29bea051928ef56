//! What happens to objects while a walk goes on, for whoever shows it (upstream: terraform's hooks).

use crate::base::SmolStr;
use crate::terraform::address::InstanceAddress;
use crate::terraform::provider::Doing;
use crate::terraform::value::Value;

#[derive(Clone, Debug)]
pub struct Event {
    pub address: InstanceAddress,
    pub deposed: Option<SmolStr>,
    /// Name and value of the attribute that identifies the object.
    pub id: Option<(&'static str, String)>,
    pub what: Happening,
}

#[derive(Clone, Debug)]
pub enum Happening {
    Refreshing,
    Refreshed,
    Begun(Doing),
    /// So many seconds later.
    Still(Doing, u64),
    Done(Doing, u64),
    Failed(Doing, u64),
    /// An `import` block, while planning and while applying, with the id it gives.
    PreparingImport(SmolStr),
    Importing(SmolStr),
    Imported(SmolStr),
    /// `terraform import`.
    ImportFrom(SmolStr),
    ImportPrepared,
    /// A provisioner of this kind.
    Provisioning(SmolStr),
    Said(SmolStr, String),
    Provisioned(SmolStr),
    NotProvisioned(SmolStr),
}

/// The id of an object that has one.
pub fn id_of(value: &Value) -> Option<(&'static str, String)> {
    let id = value.get("id").filter(|id| !id.is_sensitive()).and_then(Value::as_str)?;
    (!id.is_empty()).then(|| ("id", id.to_string()))
}

/// Its id, or else its name.
pub fn id_or_name(value: &Value) -> Option<(&'static str, String)> {
    id_of(value).or_else(|| {
        let name = value.get("name").filter(|name| !name.is_sensitive()).and_then(Value::as_str)?;
        (!name.is_empty()).then(|| ("name", name.to_string()))
    })
}
