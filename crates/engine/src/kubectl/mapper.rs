//! The RESTMapper: which resource a word means, asked from the server's discovery as the real kubectl does.

use std::sync::Arc;

use super::io::{Io, Outcome, fail};
use crate::base::Value;
use crate::base::http::Method;

pub const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
                          application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// One resource of one served version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub group: String,
    pub version: String,
    pub resource: String,
    pub singular: String,
    pub kind: String,
    pub namespaced: bool,
    pub short_names: Vec<String>,
    pub categories: Vec<String>,
    pub verbs: Vec<String>,
    /// Names of subresources.
    pub subresources: Vec<String>,
}

impl Mapping {
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }

    /// `deployments.apps`
    pub fn qualified(&self) -> String {
        if self.group.is_empty() { self.resource.clone() } else { format!("{}.{}", self.resource, self.group) }
    }

    /// `deployment.apps`: the word in front of names in output.
    pub fn word(&self) -> String {
        let kind = self.kind.to_lowercase();
        if self.group.is_empty() { kind } else { format!("{kind}.{}", self.group) }
    }

    /// `Deployment.apps`
    pub fn qualified_kind(&self) -> String {
        if self.group.is_empty() { self.kind.clone() } else { format!("{}.{}", self.kind, self.group) }
    }

    /// `apps/v1, Resource=deployments`
    pub fn gvr(&self) -> String {
        format!("{}/{}, Resource={}", self.group, self.version, self.resource)
    }

    /// `apps/v1, Kind=Deployment`
    pub fn gvk(&self) -> String {
        format!("{}/{}, Kind={}", self.group, self.version, self.kind)
    }

    pub fn path(&self, namespace: &str, name: &str) -> String {
        let root = if self.group.is_empty() { "/api/" } else { "/apis/" };
        let mut path = format!("{root}{}", self.api_version());
        if self.namespaced && !namespace.is_empty() {
            path.push_str("/namespaces/");
            path.push_str(namespace);
        }
        path.push('/');
        path.push_str(&self.resource);
        if !name.is_empty() {
            path.push('/');
            path.push_str(name);
        }
        path
    }

    /// What helpers for built-in kinds say of a custom resource.
    pub fn unregistered(&self) -> Option<String> {
        self.schema().is_none().then(|| {
            let version = self.api_version();
            format!(
                "no kind \"{}\" is registered for version \"{version}\" in scheme \"pkg/runtime/scheme.go:111\"",
                self.kind
            )
        })
    }

    pub fn schema(&self) -> Option<&'static crate::api::schema::Kind> {
        crate::api::schema::kind(&self.group, &self.version, &self.kind)
    }
}

/// Everything the server serves, in discovery order.
#[derive(Clone, Debug, Default)]
pub struct Mapper {
    pub all: Vec<Mapping>,
    /// Group versions in discovery order.
    pub versions: Vec<String>,
}

impl Mapper {
    pub fn discover(io: &mut Io<'_, '_>) -> Outcome<Arc<Mapper>> {
        io.once(|io| {
            let mut mapper = Mapper::default();
            for path in ["/api", "/apis"] {
                let mut request = io.request(Method::Get, path);
                request.accept = AGGREGATED.into();
                let list = io.must(request)?;
                mapper.read(&list);
            }
            Ok(super::discovered::recall(io, mapper))
        })
    }

    /// From the two discovery lists.
    pub fn from_lists(lists: &[Value]) -> Mapper {
        let mut mapper = Mapper::default();
        lists.iter().for_each(|list| mapper.read(list));
        mapper
    }

    fn read(&mut self, list: &Value) {
        for group in list["items"].items() {
            let group_name = group.at(&["metadata", "name"]).str();
            for version in group["versions"].items() {
                let version_name = version["version"].str();
                let full = if group_name.is_empty() {
                    version_name.to_string()
                } else {
                    format!("{group_name}/{version_name}")
                };
                self.versions.push(full);
                for resource in version["resources"].items() {
                    self.all.push(mapping(group_name, version_name, resource));
                }
            }
        }
    }

    /// The resource a word means: plural, singular, kind or short name, with version and group if given.
    pub fn find(&self, word: &str) -> Outcome<&Mapping> {
        if let Some(found) = self.look(word) {
            return Ok(found);
        }
        match word.split_once('.') {
            Some((resource, group)) => {
                fail(format!("the server doesn't have a resource type \"{resource}\" in group \"{group}\""))
            }
            None => fail(format!("the server doesn't have a resource type \"{word}\"")),
        }
    }

    pub fn look(&self, word: &str) -> Option<&Mapping> {
        let mut parts = word.splitn(2, '.');
        let name = parts.next().unwrap_or_default();
        let rest = parts.next();
        let lower = name.to_lowercase();
        let named = |m: &&Mapping| m.resource == lower || m.singular == lower || m.kind.to_lowercase() == lower;
        let of_short = |m: &&Mapping| m.short_names.iter().any(|short| short == name);
        let Some(rest) = rest else {
            return self.all.iter().find(named).or_else(|| self.all.iter().find(of_short));
        };
        // A short name with a version and a group: the version does not count.
        let short = |group: &str| {
            let all = || self.all.iter().filter(of_short);
            all().find(|m| m.group == group).or_else(|| all().find(|m| m.group.starts_with(group)))
        };
        if let Some((version, group)) = rest.split_once('.') {
            let exact = self.all.iter().filter(named).find(|m| {
                // `deployments.v1.`: of that version, whatever the group.
                m.version == version && (group.is_empty() || m.group == group)
            });
            if let Some(found) = exact.or_else(|| short(group)) {
                return Some(found);
            }
        }
        let of = || self.all.iter().filter(named);
        of().find(|m| m.group == rest)
            .or_else(|| of().find(|m| m.group.is_empty() && m.version == rest))
            .or_else(|| of().find(|m| m.group.starts_with(rest)))
            .or_else(|| short(rest))
    }

    /// The members of a category (`all`), each resource once.
    pub fn category(&self, word: &str) -> Vec<&Mapping> {
        let mut out: Vec<&Mapping> = Vec::new();
        for mapping in self.all.iter().filter(|m| m.categories.iter().any(|c| c == word)) {
            if !out.iter().any(|m| m.resource == mapping.resource && m.group == mapping.group) {
                out.push(mapping);
            }
        }
        out
    }

    /// The resource of an object by its apiVersion and kind.
    pub fn of_kind(&self, api_version: &str, kind: &str) -> Option<&Mapping> {
        let lower = kind.to_lowercase();
        self.all.iter().find(|m| m.api_version() == api_version && m.kind.to_lowercase() == lower)
    }

    pub fn of(&self, object: &Value) -> Option<&Mapping> {
        self.of_kind(object["apiVersion"].str(), object["kind"].str())
    }
}

fn mapping(group: &str, version: &str, resource: &Value) -> Mapping {
    let texts = |list: &Value| list.items().iter().map(|item| item.str().to_string()).collect::<Vec<_>>();
    let subresources = resource["subresources"].items();
    Mapping {
        group: group.into(),
        version: version.into(),
        resource: resource["resource"].str().into(),
        singular: resource["singularResource"].str().into(),
        kind: resource.at(&["responseKind", "kind"]).str().into(),
        namespaced: resource["scope"].str() == "Namespaced",
        short_names: texts(&resource["shortNames"]),
        categories: texts(&resource["categories"]),
        verbs: texts(&resource["verbs"]),
        subresources: subresources.iter().map(|sub| sub["subresource"].str().to_string()).collect(),
    }
}
