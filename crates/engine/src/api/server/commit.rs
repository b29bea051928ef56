//! The last step of every write: the store, and the entry in the trace.

use std::sync::Arc;

use super::{Call, Server};
use crate::api::object;
use crate::base::Value;
use crate::store::Key;
use crate::trace::{What, Write};

/// The key with the object's own texts in place of equal ones.
fn of_object(mut key: Key, object: &Value) -> Key {
    let meta = object.get("metadata");
    for (text, own) in [(&mut key.namespace, meta.get("namespace")), (&mut key.name, meta.get("name"))] {
        if *text == *own.str() {
            *text = own.smol();
        }
    }
    key
}

impl Server {
    /// Stores an object; answers it with its new resourceVersion. A dry run stores nothing.
    pub(super) fn commit(
        &mut self,
        call: &mut Call<'_, '_>,
        verb: &'static str,
        key: Key,
        before: Value,
        mut after: Value,
    ) -> Value {
        if call.dry_run {
            return after;
        }
        let revision = self.store.next_revision();
        after.set(&["metadata", "resourceVersion"], revision.to_string());
        let key = of_object(key, &after);
        let entry = self.record(call, verb, &key, revision, before, &mut after);
        self.store.write(key, Some(after.clone()), entry);
        after
    }

    /// Takes an object out of the store; answers it as watchers see it go.
    pub(super) fn remove(&mut self, call: &mut Call<'_, '_>, key: Key, before: Value) -> Value {
        let mut gone = before.clone();
        if call.dry_run {
            return gone;
        }
        let revision = self.store.next_revision();
        gone.set(&["metadata", "resourceVersion"], revision.to_string());
        let entry = self.record(call, "delete", &key, revision, before, &mut Value::Null);
        let service = key.resource == "services";
        self.store.write(key, None, entry);
        if service {
            self.release_address(call, &gone);
        }
        gone
    }

    fn record(
        &mut self,
        call: &mut Call<'_, '_>,
        verb: &'static str,
        key: &Key,
        revision: u64,
        before: Value,
        after: &mut Value,
    ) -> u64 {
        let shown = if after.is_null() { &before } else { &*after };
        let object = object::reference(&key.resource, shown);
        let write = Write {
            verb,
            object,
            subresource: call.target.subresource.clone(),
            manager: call.manager.clone(),
            revision,
            before,
            after: std::mem::take(after),
        };
        let (cx, shared) = (&mut *call.cx, &mut self.shared);
        cx.trace.push_shared(cx.now, cx.actor, cx.cause, What::Write(Arc::new(write)), |what| {
            if let What::Write(write) = what
                && let Some(write) = Arc::get_mut(write)
            {
                shared.take_in(&mut write.after, &write.before);
                *after = write.after.clone();
            }
        })
    }
}
