//! Custom resources: what CustomResourceDefinitions add to what the server serves.
//!
//! Stands for apiextensions-apiserver. Structural schemas are looked at in `structural`; CEL rules are not.

use std::sync::Arc;

use crate::base::SmolStr;

use super::kinds::Resource;
use super::{Call, Server};
use crate::api::object;
use crate::base::{Map, Value};
use crate::store::Key;
use crate::{list, map};

pub const DEFINITIONS: &str = "customresourcedefinitions.apiextensions.k8s.io";

const SERVICES: &str = "apiservices.apiregistration.k8s.io";

fn service(name: &str, group: &str, version: &str, uid: &str, now: &str) -> Value {
    map! {
        "apiVersion" => "apiregistration.k8s.io/v1", "kind" => "APIService",
        "metadata" => map! {
            "name" => name, "uid" => uid, "creationTimestamp" => now,
            "labels" => map! { "kube-aggregator.kubernetes.io/automanaged" => "true" },
        },
        "spec" => map! {
            "group" => group, "groupPriorityMinimum" => 1000, "version" => version, "versionPriority" => 100,
        },
        "status" => map! { "conditions" => list![map! {
            "type" => "Available", "status" => "True", "reason" => "Local",
            "message" => "Local APIServices are always available", "lastTransitionTime" => now,
        }] },
    }
}

impl Server {
    /// Definitions that are established, sorted by name.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &Value> {
        let all = self.store.list(DEFINITIONS, None).map(|(_, definition)| definition);
        all.filter(|definition| object::condition_is(definition, "Established", "True"))
    }

    pub(super) fn custom_resource(&self, group: &str, version: &str, plural: &str) -> Option<Arc<Resource>> {
        let definition = self.definitions().find(|definition| {
            let spec = &definition["spec"];
            spec["group"].str() == group
                && spec["names"]["plural"].str() == plural
                && version_of(spec, version).is_some()
        })?;
        let spec = &definition["spec"];
        Some(Arc::new(Resource {
            group: group.into(),
            version: version.into(),
            kind: spec["names"]["kind"].smol(),
            plural: plural.into(),
            namespaced: spec["scope"].str() == "Namespaced",
            api_version: format!("{group}/{version}").into(),
            store: format!("{plural}.{group}").into(),
            known: None,
            columns: version_of(spec, version).map_or(Value::Null, |own| own["additionalPrinterColumns"].clone()),
            own_status: version_of(spec, version).is_some_and(|own| own["subresources"].has("status")),
        }))
    }

    /// The definition of a custom resource and the part of it that is the version's.
    pub(super) fn definition_of(&self, resource: &Resource) -> Option<(&Value, &Value)> {
        let spec = self
            .definitions()
            .map(|definition| &definition["spec"])
            .find(|spec| spec["group"].str() == resource.group && spec["names"]["plural"].str() == resource.plural)?;
        Some((spec, version_of(spec, &resource.version)?))
    }

    /// A new definition is served at once: its names are accepted, it is established, its versions get their APIService.
    pub(super) fn establish(&mut self, call: &mut Call<'_, '_>, definition: &Value) {
        let names = &definition["spec"]["names"];
        let now = call.cx.now.rfc3339();
        let condition = |kind: &str, status: &str, reason: &str, message: &str| {
            map! {
                "type" => kind, "status" => status, "reason" => reason, "message" => message,
                "lastTransitionTime" => &now,
            }
        };
        let accepted = condition("NamesAccepted", "True", "NoConflicts", "no conflicts found");
        let initial = "the initial names have been accepted";
        let mut named = definition.clone();
        named.set(&["status", "acceptedNames"], names);
        let installing = condition("Established", "False", "Installing", initial);
        named.set(&["status", "conditions"], list![&accepted, installing]);
        let named = self.write_status(call, definition, named);
        for version in definition["spec"]["versions"].items().iter().filter(|version| version["served"].is_true()) {
            self.announce(call, &definition["spec"], version["name"].str(), true);
        }
        let mut established = named.clone();
        let initial = condition("Established", "True", "InitialNamesAccepted", initial);
        established.set(&["status", "conditions"], list![accepted, initial]);
        self.write_status(call, &named, established);
    }

    /// A write of the server's own controllers to the status of a definition.
    fn write_status(&mut self, call: &mut Call<'_, '_>, old: &Value, mut new: Value) -> Value {
        let manager = std::mem::replace(&mut call.manager, SmolStr::new_static(&"kube-apiserver"));
        let subresource = std::mem::replace(&mut call.target.subresource, SmolStr::new_static(&"status"));
        self.credit(call, Some(old), &mut new);
        let key = Key { resource: DEFINITIONS.into(), namespace: SmolStr::default(), name: object::name(old).into() };
        let new = self.commit(call, "update", key, old.clone(), new);
        call.manager = manager;
        call.target.subresource = subresource;
        new
    }

    /// The APIService of a group and version comes, or goes when no other definition is of them.
    fn announce(&mut self, call: &mut Call<'_, '_>, spec: &Value, version: &str, there: bool) {
        let group = spec["group"].str();
        let name = format!("{version}.{group}");
        let key = Key { resource: SERVICES.into(), namespace: SmolStr::default(), name: name.as_str().into() };
        let manager = std::mem::replace(&mut call.manager, SmolStr::new_static(&"kube-apiserver"));
        match self.store.get(&key).cloned() {
            None if there => {
                let now = call.cx.now.rfc3339();
                let uid = call.cx.chance.uuid("uid");
                let mut service = service(&name, group, version, &uid, &now);
                self.credit_own(call, None, &mut service, "");
                self.commit(call, "create", key, Value::Null, service);
            }
            Some(old)
                if !there
                    && !self
                        .custom_groups()
                        .iter()
                        .any(|(have, all)| have == group && all.iter().any(|one| one == version)) =>
            {
                self.remove(call, key, old);
            }
            _ => {}
        }
        call.manager = manager;
    }

    /// A definition goes, and its objects before it.
    pub(super) fn remove_definition(&mut self, call: &mut Call<'_, '_>, key: Key, old: Value) -> Value {
        if call.dry_run {
            return self.remove(call, key, old);
        }
        let now = call.cx.now.rfc3339();
        let terminating = |reason: &str, message: &str, object: &Value| {
            let kept = object["status"]["conditions"].items().iter().filter(|one| one["type"].str() != "Terminating");
            let mut all: Vec<Value> = kept.cloned().collect();
            all.push(map! {
                "type" => "Terminating", "status" => "True", "reason" => reason, "message" => message,
                "lastTransitionTime" => &now,
            });
            all
        };
        let mut marked = old.clone();
        marked.set(&["metadata", "deletionTimestamp"], &*now);
        marked.set(&["metadata", "finalizers"], list!["customresourcecleanup.apiextensions.k8s.io"]);
        let text = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
        let pending = terminating("InstanceDeletionPending", text, &old);
        marked.set(&["status", "conditions"], pending);
        let marked = self.commit(call, "mark", key.clone(), old, marked);
        let mut going = marked.clone();
        let text = "CustomResource deletion is in progress";
        going.set(&["status", "conditions"], terminating("InstanceDeletionInProgress", text, &marked));
        let going = self.write_status(call, &marked, going);
        let spec = &going["spec"];
        let store = format!("{}.{}", spec["names"]["plural"].str(), spec["group"].str());
        let all: Vec<_> = self.store.list(&store, None).map(|(key, object)| (key.clone(), object.clone())).collect();
        for (key, object) in all {
            self.remove(call, key, object);
        }
        let gone = self.remove(call, key, going.clone());
        for version in spec["versions"].items() {
            self.announce(call, spec, version["name"].str(), false);
        }
        gone
    }

    /// Group and its versions of custom resources, in the order of discovery (after the built-in ones, by name).
    pub(super) fn custom_groups(&self) -> Vec<(SmolStr, Vec<SmolStr>)> {
        let mut groups: crate::base::BTreeMap<SmolStr, Vec<SmolStr>> = Default::default();
        for definition in self.definitions() {
            let spec = &definition["spec"];
            let versions = groups.entry(spec["group"].smol()).or_default();
            for version in spec["versions"].items().iter().filter(|version| version["served"].is_true()) {
                let name = version["name"].smol();
                if !versions.contains(&name) {
                    versions.push(name);
                }
            }
        }
        for versions in groups.values_mut() {
            versions.sort_by_key(|version| std::cmp::Reverse(rank(version)));
        }
        groups.into_iter().collect()
    }

    /// Discovery's entries of the custom resources of a group version.
    pub(super) fn custom_entries(&self, group: &str, version: &str) -> Vec<CustomEntry> {
        let mut out = Vec::new();
        for definition in self.definitions() {
            let spec = &definition["spec"];
            if spec["group"].str() != group {
                continue;
            }
            let Some(of) = version_of(spec, version) else { continue };
            let names = &spec["names"];
            let mut subresources = Vec::new();
            if of["subresources"].has("status") {
                subresources.push("status");
            }
            if of["subresources"].has("scale") {
                subresources.push("scale");
            }
            out.push(CustomEntry {
                names: names.clone(),
                namespaced: spec["scope"].str() == "Namespaced",
                subresources,
            });
        }
        out
    }
}

/// A custom resource as discovery tells it.
#[derive(Debug)]
pub struct CustomEntry {
    names: Value,
    namespaced: bool,
    subresources: Vec<&'static str>,
}

fn verbs(list: &[&str]) -> Value {
    Value::list(list.iter().map(|verb| Value::from(*verb)).collect())
}

const VERBS: [&str; 8] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const SUB_VERBS: [&str; 3] = ["get", "patch", "update"];

impl CustomEntry {
    fn common(&self, entry: &mut Map) {
        for key in ["shortNames", "categories"] {
            if !self.names[key].items().is_empty() {
                entry.insert(key, &self.names[key]);
            }
        }
    }

    /// Entries of an APIResourceList.
    pub fn plain(&self) -> Vec<Value> {
        let plural = self.names["plural"].str();
        let mut entry = Map::new();
        entry.insert("name", plural);
        entry.insert("singularName", &self.names["singular"]);
        entry.insert("namespaced", self.namespaced);
        entry.insert("kind", &self.names["kind"]);
        entry.insert("verbs", verbs(&VERBS));
        self.common(&mut entry);
        let mut out = vec![entry.into()];
        for sub in &self.subresources {
            let mut entry = map! {
                "name" => format!("{plural}/{sub}"), "singularName" => "", "namespaced" => self.namespaced,
                "kind" => &self.names["kind"], "verbs" => verbs(&SUB_VERBS),
            };
            if *sub == "scale" {
                entry.set(&["kind"], "Scale");
                entry.set(&["group"], "autoscaling");
                entry.set(&["version"], "v1");
            }
            out.push(entry);
        }
        out
    }

    /// The entry of the aggregated form.
    pub fn aggregated(&self, group: &str, version: &str) -> Value {
        let kind =
            |group: &str, version: &str, kind: &Value| map! { "group" => group, "version" => version, "kind" => kind };
        let mut entry = Map::new();
        entry.insert("resource", &self.names["plural"]);
        entry.insert("responseKind", kind(group, version, &self.names["kind"]));
        entry.insert("scope", if self.namespaced { "Namespaced" } else { "Cluster" });
        entry.insert("singularResource", &self.names["singular"]);
        entry.insert("verbs", verbs(&VERBS));
        self.common(&mut entry);
        let subresources: Vec<Value> = self
            .subresources
            .iter()
            .map(|sub| {
                let response = match *sub {
                    "scale" => kind("autoscaling", "v1", &"Scale".into()),
                    _ => kind(group, version, &self.names["kind"]),
                };
                map! { "subresource" => *sub, "responseKind" => response, "verbs" => verbs(&SUB_VERBS) }
            })
            .collect();
        if !subresources.is_empty() {
            entry.insert("subresources", subresources);
        }
        entry.into()
    }
}

fn version_of<'a>(spec: &'a Value, version: &str) -> Option<&'a Value> {
    spec["versions"].items().iter().find(|have| have["name"].str() == version && have["served"].is_true())
}

/// Kubernetes' order of versions: v2 before v1 before v1beta2 before v1alpha1 before anything else.
fn rank(version: &str) -> (u8, u64, u64) {
    let digits = |text: &str| -> (u64, usize) {
        let length = text.bytes().take_while(u8::is_ascii_digit).count();
        (text.get(..length).and_then(|digits| digits.parse().ok()).unwrap_or(0), length)
    };
    let Some(rest) = version.strip_prefix('v') else { return (0, 0, 0) };
    let (major, length) = digits(rest);
    if length == 0 {
        return (0, 0, 0);
    }
    match rest.get(length..).unwrap_or_default() {
        "" => (3, major, 0),
        rest => match (rest.strip_prefix("beta"), rest.strip_prefix("alpha")) {
            (Some(minor), _) => (2, major, digits(minor).0),
            (_, Some(minor)) => (1, major, digits(minor).0),
            _ => (0, 0, 0),
        },
    }
}
