//! The resource quota controller: counts what a namespace uses and writes it into the status of its quotas.
//!
//! Admission adds each new object by itself; this controller counts when a quota is new or changed, and when something
//! counted goes. Left out: the full recount every 5 minutes.

use crate::api::object;
use crate::api::resource::{EVENTS, PODS, RESOURCE_QUOTAS};
use crate::api::server::admission::quota::{Usage, in_scope, usage};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

/// From a change that frees something to the count.
const WAIT: Span = Span::millis(5);

#[derive(Clone, Debug, Default)]
pub struct ResourceQuota;

#[derive(Clone, Debug)]
pub struct Inputs {
    quota: Value,
    used: Usage,
}

impl Reconciler for ResourceQuota {
    type Inputs = Inputs;

    fn wakes(&mut self, see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let key = &change.key;
        if key.namespace.is_empty() || key.resource == EVENTS {
            return;
        }
        if key.resource == RESOURCE_QUOTAS {
            let hard = |quota: &Value| quota.at(&["spec", "hard"]).clone();
            if !change.after.is_null() && (change.before.is_null() || hard(&change.before) != hard(&change.after)) {
                // A queue of its own, which waits for nothing.
                add(key.clone(), Span::ZERO);
            }
            return;
        }
        let ended = key.resource == PODS && object::is_finished(&change.after) && !object::is_finished(&change.before);
        if !change.after.is_null() && !ended {
            return;
        }
        let quotas = see.in_namespace(&key.namespace).filter(|(key, _)| key.resource == RESOURCE_QUOTAS);
        let keys: Vec<Key> = quotas.map(|(key, _)| key.clone()).collect();
        keys.into_iter().for_each(|key| add(key, WAIT));
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<Inputs> {
        let quota = see.get(key)?.clone();
        let mut used = Usage::new();
        for (key, object) in see.in_namespace(&key.namespace) {
            if key.resource == EVENTS || !in_scope(&quota, &key.resource, object) {
                continue;
            }
            for (name, amount) in usage(&key.resource, object) {
                used.entry(name).or_default().add(&amount);
            }
        }
        Some(Inputs { quota, used })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let quota = &inputs.quota;
        let hard = quota.at(&["spec", "hard"]);
        let mut used = Value::empty_map();
        for name in hard.entries().keys() {
            let amount = inputs.used.get(name.as_str()).map_or("0".to_string(), |amount| amount.canonical());
            used.set(&[name], amount);
        }
        let status = map! { "hard" => hard, "used" => used };
        if quota["status"] == status {
            return Ok(());
        }
        let mut updated = quota.clone();
        updated.set(&["status"], status);
        io.send(io.client.update(&RESOURCE_QUOTAS, "status", updated))?;
        Ok(())
    }
}
