//! What every namespace gets: the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt`.

use crate::api::object;
use crate::api::resource::{CONFIG_MAPS, NAMESPACES, Resource, SERVICE_ACCOUNTS};
use crate::base::{Span, Time, Value};
use crate::informer::{Caches, Io, Reconciler, Stop};
use crate::map;
use crate::store::{Change, Key};

pub const ROOT_CA: &str = "kube-root-ca.crt";
const DESCRIPTION: &str = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal \
                           endpoints such as the internal service IP or kubernetes.default.svc. No other usage is \
                           guaranteed across distributions of Kubernetes clusters.";
/// Stands in where no namespace has a bundle yet.
const NO_BUNDLE: &str = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publish {
    ServiceAccount,
    RootCa,
}

#[derive(Clone, Debug)]
pub struct Inputs {
    namespace: String,
    found: Value,
    bundle: Value,
}

impl Publish {
    fn target(self) -> (Resource, &'static str) {
        match self {
            Publish::ServiceAccount => (SERVICE_ACCOUNTS, "default"),
            Publish::RootCa => (CONFIG_MAPS, ROOT_CA),
        }
    }
}

impl Reconciler for Publish {
    type Inputs = Inputs;

    fn wakes(&mut self, _see: &Caches, change: &Change, _now: Time, add: &mut dyn FnMut(Key, Span)) {
        let (resource, name) = self.target();
        if change.key.resource == NAMESPACES && !change.after.is_null() {
            add(change.key.clone(), Span::ZERO);
        } else if change.key.resource == resource && change.key.name == name {
            let namespace = change.key.namespace.clone();
            add(Key { resource: NAMESPACES, namespace: Default::default(), name: namespace }, Span::ZERO);
        }
    }

    fn inputs(&mut self, see: &Caches, key: &Key, _now: Time) -> Option<Inputs> {
        let (resource, name) = self.target();
        let namespace = see.get(key).filter(|one| one["status"]["phase"].str() == "Active")?;
        let name_of = object::name(namespace).to_owned();
        let found = see.find(&resource, &name_of, name).cloned().unwrap_or_default();
        let bundle = match self {
            Publish::ServiceAccount => Value::Null,
            Publish::RootCa => {
                let system = see.find(&CONFIG_MAPS, "kube-system", ROOT_CA).map(|map| map["data"].clone());
                system.filter(|data| name_of != "kube-system" && !data["ca.crt"].is_empty()).unwrap_or_default()
            }
        };
        Some(Inputs { namespace: name_of, found, bundle })
    }

    fn reconcile(&self, inputs: &Inputs, io: &mut Io<'_>) -> Result<(), Stop> {
        let (resource, name) = self.target();
        let meta = map! { "name" => name, "namespace" => &inputs.namespace };
        let request = match self {
            Publish::ServiceAccount if inputs.found.is_null() => {
                let account = map! { "apiVersion" => "v1", "kind" => "ServiceAccount", "metadata" => meta };
                io.client.create(&resource, &inputs.namespace, account)
            }
            Publish::ServiceAccount => return Ok(()),
            Publish::RootCa if inputs.found.is_null() => {
                let mut config = map! { "apiVersion" => "v1", "kind" => "ConfigMap", "metadata" => meta };
                config.set(&["metadata", "annotations", "kubernetes.io/description"], DESCRIPTION);
                let bundle = match inputs.bundle.is_null() {
                    true => map! { "ca.crt" => NO_BUNDLE },
                    false => inputs.bundle.clone(),
                };
                config.set(&["data"], bundle);
                io.client.create(&resource, &inputs.namespace, config)
            }
            Publish::RootCa => {
                if inputs.bundle.is_null() || inputs.found["data"] == inputs.bundle {
                    return Ok(());
                }
                let mut config = inputs.found.clone();
                config.set(&["data"], &inputs.bundle);
                io.client.update(&resource, "", config)
            }
        };
        let answer = io.send(request)?;
        match answer.ok() || answer.code == 409 || super::pods::namespace_is_terminating(answer.value()) {
            true => Ok(()),
            false => Err(Stop::Retry(answer.value()["message"].str().into())),
        }
    }
}
