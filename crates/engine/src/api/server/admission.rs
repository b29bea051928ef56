//! Admission: what the server adds to objects and what it refuses beyond validation, in the order of the plugins.

use super::{Call, Result, Server};
use crate::api::object;
use crate::api::status::Status;
use crate::base::Value;
use crate::store::Key;

impl Server {
    /// Mutating and refusing plugins on a create; the name is not generated yet.
    pub(super) fn admit_create(&mut self, call: &mut Call<'_, '_>, object: &mut Value) -> Result<()> {
        self.namespace_lifecycle(call, object)?;
        Ok(())
    }

    pub(super) fn admit_update(&mut self, _call: &mut Call<'_, '_>, _old: &Value, _new: &mut Value) -> Result<()> {
        Ok(())
    }

    /// Plugins that look at the finished object: quota.
    pub(super) fn admit_late(&mut self, _call: &mut Call<'_, '_>, _old: &Value, _new: &Value) -> Result<()> {
        Ok(())
    }

    fn namespace_lifecycle(&self, call: &Call<'_, '_>, object: &Value) -> Result<()> {
        let namespace = &call.target.namespace;
        if namespace.is_empty() {
            return Ok(());
        }
        let key = Key { resource: crate::api::resource::NAMESPACES, namespace: Default::default(), name: namespace.clone() };
        match self.store.get(&key) {
            None => {
                let what = crate::api::status::Named::new("", "namespaces");
                Err(Status::not_found(&what, namespace))
            }
            Some(found) if found["status"]["phase"].str() == "Terminating" || object::is_deleting(found) => {
                let name = match object::name(object) {
                    "" => object.at(&["metadata", "generateName"]).str(),
                    name => name,
                };
                Err(Status::namespace_terminating(&call.resource().named(), name, namespace))
            }
            Some(_) => Ok(()),
        }
    }
}
