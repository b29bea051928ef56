//! Names of resources as the store and the trace use them (plural, with the group when there is one), and the requests
//! that clients inside the engine send for them.

use crate::base::SmolStr;

use crate::base::Value;
use crate::base::http::{Method, Request, User};
use crate::store::Key;

pub type Resource = SmolStr;

macro_rules! resources {
    ($($name:ident = $text:literal in $group_version:literal;)*) => {
        $(pub const $name: Resource = SmolStr::new_static(&$text);)*
        /// The group version (`v1`, `apps/v1`) under which built-in clients reach a resource.
        pub fn group_version(resource: &str) -> &'static str {
            match resource {
                $($text => $group_version,)*
                _ => "v1",
            }
        }
    };
}

resources! {
    CONFIG_MAPS = "configmaps" in "v1";
    ENDPOINTS = "endpoints" in "v1";
    EVENTS = "events" in "v1";
    NAMESPACES = "namespaces" in "v1";
    NODES = "nodes" in "v1";
    PERSISTENT_VOLUME_CLAIMS = "persistentvolumeclaims" in "v1";
    PERSISTENT_VOLUMES = "persistentvolumes" in "v1";
    PODS = "pods" in "v1";
    RESOURCE_QUOTAS = "resourcequotas" in "v1";
    REPLICATION_CONTROLLERS = "replicationcontrollers" in "v1";
    SECRETS = "secrets" in "v1";
    SERVICE_ACCOUNTS = "serviceaccounts" in "v1";
    SERVICES = "services" in "v1";
    CONTROLLER_REVISIONS = "controllerrevisions.apps" in "apps/v1";
    DAEMON_SETS = "daemonsets.apps" in "apps/v1";
    DEPLOYMENTS = "deployments.apps" in "apps/v1";
    REPLICA_SETS = "replicasets.apps" in "apps/v1";
    STATEFUL_SETS = "statefulsets.apps" in "apps/v1";
    HORIZONTAL_POD_AUTOSCALERS = "horizontalpodautoscalers.autoscaling" in "autoscaling/v2";
    CRON_JOBS = "cronjobs.batch" in "batch/v1";
    JOBS = "jobs.batch" in "batch/v1";
    LEASES = "leases.coordination.k8s.io" in "coordination.k8s.io/v1";
    ENDPOINT_SLICES = "endpointslices.discovery.k8s.io" in "discovery.k8s.io/v1";
    STORAGE_CLASSES = "storageclasses.storage.k8s.io" in "storage.k8s.io/v1";
    CSI_NODES = "csinodes.storage.k8s.io" in "storage.k8s.io/v1";
    POD_DISRUPTION_BUDGETS = "poddisruptionbudgets.policy" in "policy/v1";
    IP_ADDRESSES = "ipaddresses.networking.k8s.io" in "networking.k8s.io/v1";
    SERVICE_CIDRS = "servicecidrs.networking.k8s.io" in "networking.k8s.io/v1";
    VOLUME_ATTRIBUTES_CLASSES = "volumeattributesclasses.storage.k8s.io" in "storage.k8s.io/v1";
    FLOW_SCHEMAS = "flowschemas.flowcontrol.apiserver.k8s.io" in "flowcontrol.apiserver.k8s.io/v1";
    PRIORITY_CLASSES = "priorityclasses.scheduling.k8s.io" in "scheduling.k8s.io/v1";
}

/// The URL of a collection or object; `name` and `subresource` may be empty, `namespace` is empty for cluster scope.
pub fn path(resource: &str, namespace: &str, name: &str, subresource: &str) -> String {
    path_in(group_version(resource), resource, namespace, name, subresource)
}

/// The URL of an object of any kind, built in or not: its apiVersion says where.
pub fn path_of(object: &Value, key: &Key) -> String {
    path_in(object["apiVersion"].str(), &key.resource, &key.namespace, &key.name, "")
}

fn path_in(group_version: &str, resource: &str, namespace: &str, name: &str, subresource: &str) -> String {
    let plural = resource.split('.').next().unwrap_or(resource);
    let root = if group_version.contains('/') { "/apis/" } else { "/api/" };
    let mut path = format!("{root}{group_version}");
    let mut push = |part: &str| {
        path.push('/');
        path.push_str(part);
    };
    if !namespace.is_empty() {
        push("namespaces");
        push(namespace);
    }
    push(plural);
    for part in [name, subresource] {
        if !part.is_empty() {
            push(part);
        }
    }
    path
}

/// A component's own client: its identity and the requests it sends.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    pub user: User,
    /// The field manager its writes are credited to (`kube-controller-manager`, `kubelet`, …).
    pub agent: SmolStr,
}

impl Client {
    pub fn new(user: &str, groups: &[&str], agent: &str) -> Client {
        let groups = groups.iter().map(SmolStr::new).collect();
        Client { user: User { name: user.into(), groups }, agent: agent.into() }
    }

    fn request(&self, method: Method, path: String) -> Request {
        Request::new(&self.user, &self.agent, method, path)
    }

    pub fn get(&self, resource: &str, namespace: &str, name: &str) -> Request {
        self.request(Method::Get, path(resource, namespace, name, ""))
    }

    pub fn create(&self, resource: &str, namespace: &str, body: Value) -> Request {
        self.request(Method::Post, path(resource, namespace, "", "")).with_body(body)
    }

    pub fn create_sub(&self, resource: &str, namespace: &str, name: &str, subresource: &str, body: Value) -> Request {
        self.request(Method::Post, path(resource, namespace, name, subresource)).with_body(body)
    }

    /// PUT of the object (or of its subresource, "" for the object itself).
    pub fn update(&self, resource: &str, subresource: &str, body: Value) -> Request {
        let meta = body.get("metadata");
        let path = path(resource, meta["namespace"].str(), meta["name"].str(), subresource);
        self.request(Method::Put, path).with_body(body)
    }

    pub fn patch(
        &self,
        resource: &str,
        namespace: &str,
        name: &str,
        subresource: &str,
        kind: PatchKind,
        body: Value,
    ) -> Request {
        let mut request = self.request(Method::Patch, path(resource, namespace, name, subresource)).with_body(body);
        request.content_type = kind.media_type().into();
        request
    }

    pub fn delete(&self, resource: &str, namespace: &str, name: &str, options: Value) -> Request {
        self.request(Method::Delete, path(resource, namespace, name, "")).with_body(options)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchKind {
    Json,
    Merge,
    Strategic,
    Apply,
}

impl PatchKind {
    pub const fn media_type(self) -> &'static str {
        match self {
            PatchKind::Json => "application/json-patch+json",
            PatchKind::Merge => "application/merge-patch+json",
            PatchKind::Strategic => "application/strategic-merge-patch+json",
            PatchKind::Apply => "application/apply-patch+yaml",
        }
    }
}
