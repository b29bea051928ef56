//! Paths that are no resources: discovery (both forms), health, version.

use std::sync::OnceLock;

use crate::base::SmolStr;

use super::{Result, Server};
use crate::api::schema::{self, Kind, Subresource};
use crate::api::status::Status;
use crate::base::http::{Body, Method, Request, Response};
use crate::base::{Map, Value};
use crate::{list, map};

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

impl Server {
    pub(super) fn other(&self, request: &Request, path: &[SmolStr]) -> Result<Response> {
        let parts: Vec<&str> = path.iter().map(SmolStr::as_str).collect();
        if !matches!(request.method, Method::Get | Method::Head) {
            return Err(Status::page_not_found());
        }
        let aggregated = request.accept.contains("as=APIGroupDiscoveryList");
        let body = match parts.as_slice() {
            ["api"] if aggregated => aggregated_list(core_items().clone()),
            ["apis"] if aggregated => {
                let mut items = group_items().clone();
                items.extend(self.custom_items());
                aggregated_list(items)
            }
            ["api"] => map! {
                "kind" => "APIVersions", "versions" => list!["v1"],
                "serverAddressByClientCIDRs" => list![map! {
                    "clientCIDR" => "0.0.0.0/0", "serverAddress" => &self.config.address
                }],
            },
            ["apis"] => {
                let mut groups: Vec<Value> =
                    groups().iter().map(|group| group_value(group, &versions(group))).collect();
                groups.extend(self.custom_groups().iter().map(|(group, versions)| group_value(group, versions)));
                map! { "kind" => "APIGroupList", "apiVersion" => "v1", "groups" => groups }
            }
            ["apis", group] => {
                let custom = self.custom_groups().into_iter().find(|(name, _)| name == group);
                let mut value = match custom {
                    Some((_, versions)) => group_value(group, &versions),
                    None if groups().contains(group) => group_value(group, &versions(group)),
                    None => return Err(Status::page_not_found()),
                };
                value.set(&["kind"], "APIGroup");
                value.set(&["apiVersion"], "v1");
                value
            }
            ["api", version] => self.resource_list("", version)?,
            ["apis", group, version] => self.resource_list(group, version)?,
            ["version"] => return Ok(self.version()),
            [name @ ("healthz" | "livez" | "readyz")] => return Ok(health(request, name)),
            [name @ ("healthz" | "livez" | "readyz"), check @ ..] if checks(name).any(|one| one == check.join("/")) => {
                return Ok(text("ok".into(), "text/plain; charset=utf-8"));
            }
            ["openapi", ..] => {
                return Err(Status::gap("OpenAPI documents", "kubectl explain works without them"));
            }
            ["metrics"] => return Err(Status::gap("the API server's metrics", "")),
            [] => {
                let body = map! { "paths" => self.paths() };
                return Ok(text(crate::base::json::pretty(&body, 2), "application/json"));
            }
            [".well-known", "openid-configuration"] => {
                let keys = format!("https://{}/openid/v1/jwks", self.config.address);
                return Ok(text(
                    format!(
                        "{{\"issuer\":\"https://kubernetes.default.svc.cluster.local\",\"jwks_uri\":\"{keys}\",\
                         \"response_types_supported\":[\"id_token\"],\"subject_types_supported\":[\"public\"],\
                         \"id_token_signing_alg_values_supported\":[\"RS256\"]}}"
                    ),
                    "application/json",
                ));
            }
            _ => return Err(Status::page_not_found()),
        };
        let mut response = Response::new(200, body);
        if aggregated && matches!(parts.as_slice(), ["api" | "apis"]) {
            response.content_type = SmolStr::new_static(&AGGREGATED);
        }
        Ok(response)
    }

    fn paths(&self) -> Value {
        const OTHERS: &str = "/.well-known/openid-configuration /api /api/v1 /apis /apis/ /flagz /healthz /livez \
                              /metrics /metrics/slis /openapi/v2 /openapi/v3 /openapi/v3/ /openid/v1/jwks /readyz \
                              /statusz /version";
        let mut paths: Vec<String> = OTHERS.split(' ').map(str::to_owned).collect();
        let known = groups().into_iter().map(|group| (group.to_owned(), versions(group)));
        let custom = self.custom_groups().into_iter().map(|(group, versions)| (group.to_string(), versions));
        for (group, versions) in known.chain(custom) {
            paths.push(format!("/apis/{group}"));
            paths.extend(versions.iter().map(|version| format!("/apis/{group}/{version}")));
        }
        for name in ["healthz", "livez", "readyz"] {
            paths.extend(checks(name).map(|check| format!("/{name}/{check}")));
        }
        paths.sort_unstable();
        Value::list(paths.into_iter().map(Value::from).collect::<Vec<_>>())
    }

    /// The one document that keeps the order of its fields and is indented (version handler of apiserver's routes).
    fn version(&self) -> Response {
        let config = &self.config;
        let mut numbers = config.git_version.trim_start_matches('v').split('.');
        let major = numbers.next().unwrap_or_default();
        let minor = numbers.next().unwrap_or_default();
        let before: String = minor.parse::<u32>().map_or(String::new(), |n| n.saturating_sub(1).to_string());
        let fields = [
            ("major", major),
            ("minor", minor),
            ("emulationMajor", major),
            ("emulationMinor", minor),
            ("minCompatibilityMajor", major),
            ("minCompatibilityMinor", &before),
            ("gitVersion", &config.git_version),
            ("gitCommit", &config.git_commit),
            ("gitTreeState", "clean"),
            ("buildDate", &config.build_date),
            ("goVersion", &config.go_version),
            ("compiler", "gc"),
            ("platform", "linux/amd64"),
        ];
        let lines: Vec<String> = fields.iter().map(|(name, value)| format!("  \"{name}\": \"{value}\"")).collect();
        text(format!("{{\n{}\n}}", lines.join(",\n")), "application/json")
    }
}

/// What `livez` looks at, in its order.
const CHECKS: [&str; 34] = [
    "ping",
    "log",
    "loopback-serving-certificate",
    "etcd",
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/peer-endpoint-reconciler-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/storage-readiness",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/rbac/bootstrap-roles",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-kubernetes-service-cidr-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-status-local-available-controller",
    "poststarthook/apiservice-status-remote-available-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
];

/// What one of the three looks at, in its order: readiness at the caches and whether the end has come, too.
fn checks(name: &str) -> impl Iterator<Item = &'static str> {
    let ready = name == "readyz";
    let of = move |check: &'static str| match check {
        "loopback-serving-certificate" if ready => [""; 3],
        "etcd" if ready => ["etcd", "etcd-readiness", "informer-sync"],
        check => [check, "", ""],
    };
    let end = if ready { "shutdown" } else { "" };
    CHECKS.into_iter().flat_map(of).chain([end]).filter(|check| !check.is_empty())
}

fn health(request: &Request, name: &str) -> Response {
    let verbose = request.query.iter().any(|(key, _)| key == "verbose");
    let text = if verbose {
        let mut text = String::new();
        for check in checks(name) {
            text.push_str(&format!("[+]{check} ok\n"));
        }
        text.push_str(&format!("{name} check passed\n"));
        text
    } else {
        "ok".to_owned()
    };
    self::text(text, "text/plain; charset=utf-8")
}

fn text(text: String, content_type: &'static str) -> Response {
    let mut response = Response::new(200, Value::Null);
    response.content_type = content_type.into();
    response.body = Body::Text(text);
    response
}

/// Groups in the order of discovery.
fn groups() -> Vec<&'static str> {
    let mut groups = Vec::new();
    for kind in schema::kinds() {
        if !kind.group.is_empty() && !groups.contains(&kind.group) {
            groups.push(kind.group);
        }
    }
    groups
}

/// Versions of a group, preferred first.
fn versions(group: &str) -> Vec<SmolStr> {
    let mut versions: Vec<SmolStr> = Vec::new();
    for kind in schema::kinds().iter().filter(|kind| kind.group == group) {
        if !versions.iter().any(|version| version == kind.version) {
            versions.push(SmolStr::new_static(&kind.version));
        }
    }
    versions
}

fn group_value(group: &str, versions: &[SmolStr]) -> Value {
    let version = |version: &SmolStr| map! { "groupVersion" => format!("{group}/{version}"), "version" => version };
    let versions: Vec<Value> = versions.iter().map(version).collect();
    map! { "name" => group, "preferredVersion" => versions.first().cloned(), "versions" => versions }
}

fn kinds_of<'a>(group: &'a str, version: &'a str) -> impl Iterator<Item = &'static Kind> + 'a {
    schema::kinds().iter().filter(move |kind| kind.group == group && kind.version == version)
}

fn texts(items: &[&'static str]) -> Value {
    Value::list(items.iter().map(|item| Value::from(*item)).collect())
}

impl Server {
    /// Custom groups as items of the aggregated list.
    fn custom_items(&self) -> Vec<Value> {
        let mut items = Vec::new();
        for (group, versions) in self.custom_groups() {
            let version = |version: &SmolStr| {
                let entries = self.custom_entries(&group, version);
                let resources: Vec<Value> = entries.iter().map(|entry| entry.aggregated(&group, version)).collect();
                map! { "version" => version, "freshness" => "Current", "resources" => resources }
            };
            let versions: Vec<Value> = versions.iter().map(version).collect();
            items.push(map! { "metadata" => map! { "name" => &group }, "versions" => versions });
        }
        items
    }

    fn resource_list(&self, group: &str, version: &str) -> Result<Value> {
        let mut resources = Vec::new();
        for kind in kinds_of(group, version) {
            let mut entry = Map::new();
            entry.insert("name", kind.resource);
            entry.insert("singularName", kind.singular);
            entry.insert("namespaced", kind.namespaced);
            entry.insert("kind", kind.kind);
            entry.insert("verbs", texts(&kind.verbs));
            if !kind.short_names.is_empty() {
                entry.insert("shortNames", texts(kind.short_names));
            }
            if !kind.categories.is_empty() {
                entry.insert("categories", texts(kind.categories));
            }
            resources.push(entry.into());
            for sub in &kind.subresources {
                let mut entry = Map::new();
                entry.insert("name", format!("{}/{}", kind.resource, sub.name));
                entry.insert("singularName", "");
                entry.insert("namespaced", kind.namespaced);
                if (sub.group, sub.version) != (kind.group, kind.version) {
                    entry.insert("group", sub.group);
                    entry.insert("version", sub.version);
                }
                entry.insert("kind", sub.kind);
                entry.insert("verbs", texts(&sub.verbs));
                resources.push(entry.into());
            }
        }
        for entry in self.custom_entries(group, version) {
            resources.extend(entry.plain());
        }
        if resources.is_empty() {
            return Err(Status::page_not_found());
        }
        let group_version = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        let mut list = map! { "kind" => "APIResourceList", "groupVersion" => group_version, "resources" => resources };
        if !group.is_empty() {
            list.set(&["apiVersion"], "v1");
        }
        Ok(list)
    }
}

/// What is built in is the same for everybody: every kubectl asks for it, so it is made once.
fn core_items() -> &'static Vec<Value> {
    static ITEMS: OnceLock<Vec<Value>> = OnceLock::new();
    ITEMS.get_or_init(|| aggregated_items(&[""]))
}

fn group_items() -> &'static Vec<Value> {
    static ITEMS: OnceLock<Vec<Value>> = OnceLock::new();
    ITEMS.get_or_init(|| aggregated_items(&groups()))
}

fn aggregated_items(groups: &[&'static str]) -> Vec<Value> {
    let item = |group: &&'static str| {
        let versions: Vec<Value> = versions(group)
            .iter()
            .map(|version| {
                let resources: Vec<Value> = kinds_of(group, version).map(aggregated_resource).collect();
                map! { "version" => version, "freshness" => "Current", "resources" => resources }
            })
            .collect();
        let metadata = if group.is_empty() {
            Value::empty_map()
        } else {
            map! { "name" => *group }
        };
        map! { "metadata" => metadata, "versions" => versions }
    };
    groups.iter().map(item).collect()
}

fn aggregated_list(items: Vec<Value>) -> Value {
    map! {
        "kind" => "APIGroupDiscoveryList", "apiVersion" => "apidiscovery.k8s.io/v2",
        "metadata" => Value::empty_map(), "items" => items,
    }
}

fn aggregated_resource(kind: &'static Kind) -> Value {
    let mut entry = Map::new();
    entry.insert("resource", kind.resource);
    entry.insert("responseKind", map! { "group" => "", "version" => "", "kind" => kind.kind });
    entry.insert("scope", if kind.namespaced { "Namespaced" } else { "Cluster" });
    entry.insert("singularResource", kind.singular);
    entry.insert("verbs", texts(&kind.verbs));
    if !kind.short_names.is_empty() {
        entry.insert("shortNames", texts(kind.short_names));
    }
    if !kind.categories.is_empty() {
        entry.insert("categories", texts(kind.categories));
    }
    if !kind.subresources.is_empty() {
        let subresources: Vec<Value> = kind.subresources.iter().map(|sub| aggregated_subresource(kind, sub)).collect();
        entry.insert("subresources", subresources);
    }
    entry.into()
}

fn aggregated_subresource(kind: &Kind, sub: &Subresource) -> Value {
    let foreign = (sub.group, sub.version) != (kind.group, kind.version);
    let (group, version) = if foreign { (sub.group, sub.version) } else { ("", "") };
    map! {
        "subresource" => sub.name, "verbs" => texts(&sub.verbs),
        "responseKind" => map! { "group" => group, "version" => version, "kind" => sub.kind },
    }
}
