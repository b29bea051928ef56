//! Paths: which resource, object and subresource a URL names.

use std::sync::Arc;

use crate::base::SmolStr;

use super::kinds::{self, Resource};
use super::{Result, Server};
use crate::api::status::Status;
use crate::store::Key;

/// What a path names.
#[derive(Debug)]
pub enum Route {
    Resource(Target),
    /// Discovery, health, version: the parts of the path.
    Other(Vec<SmolStr>),
}

#[derive(Debug, Clone)]
pub struct Target {
    pub resource: Arc<Resource>,
    /// Empty for cluster scope and for all namespaces.
    pub namespace: SmolStr,
    /// Empty for the collection.
    pub name: SmolStr,
    pub subresource: SmolStr,
    /// The old form `/api/v1/watch/…`.
    pub watch: bool,
}

impl Target {
    pub fn key(&self, name: &str) -> Key {
        Key { resource: self.resource.store.clone(), namespace: self.namespace.clone(), name: name.into() }
    }
}

impl Server {
    pub(super) fn route(&self, path: &str) -> Result<Route> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (group, version, rest) = match parts.as_slice() {
            ["api", version, rest @ ..] if !rest.is_empty() => ("", *version, rest),
            ["apis", group, version, rest @ ..] if !rest.is_empty() => (*group, *version, rest),
            _ => return Ok(Route::Other(parts.iter().map(SmolStr::new).collect())),
        };
        let (watch, rest) = match rest {
            ["watch", rest @ ..] if !rest.is_empty() => (true, rest),
            rest => (false, rest),
        };
        let (namespace, rest) = match rest {
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() && !is_own_subresource(rest) => (*namespace, rest),
            rest => ("", rest),
        };
        let (plural, name, subresource) = match rest {
            [plural] => (*plural, "", ""),
            [plural, name] => (*plural, *name, ""),
            [plural, name, subresource] => (*plural, *name, *subresource),
            // Everything behind proxy/ is the proxied server's path.
            [plural, name, "proxy", ..] => (*plural, *name, "proxy"),
            _ => return Err(Status::page_not_found()),
        };
        let resource = self.find_resource(group, version, plural).ok_or_else(Status::page_not_found)?;
        let fits = if resource.namespaced { !namespace.is_empty() || name.is_empty() } else { namespace.is_empty() };
        if !fits {
            return Err(Status::page_not_found());
        }
        Ok(Route::Resource(Target {
            resource,
            namespace: namespace.into(),
            name: name.into(),
            subresource: subresource.into(),
            watch,
        }))
    }

    pub(super) fn find_resource(&self, group: &str, version: &str, plural: &str) -> Option<Arc<Resource>> {
        kinds::find(group, version, plural).or_else(|| self.custom_resource(group, version, plural))
    }
}

/// `/api/v1/namespaces/x/finalize` is the namespace's own.
fn is_own_subresource(rest: &[&str]) -> bool {
    matches!(rest, ["finalize" | "status"])
}
