//! Who may do what: RBAC over the stored roles and bindings, and the reviews that ask about it.
//!
//! Administrators (system:masters) and the cluster's own components may do everything. Left out: the node
//! authorizer, aggregation of ClusterRoles (the roles stored are taken as they are).

use crate::base::{BTreeMap, BTreeSet, SmolStr};
use crate::trace::Actor;

use super::body::{self, Wanted};
use super::{Call, Result, Server};
use crate::api::object;
use crate::api::status::{Named, Status};
use crate::base::http::{Request, Response, User};
use crate::base::{Value, goquote};
use crate::store::Key;
use crate::{list, map};

const ROLES: &str = "roles.rbac.authorization.k8s.io";
const CLUSTER_ROLES: &str = "clusterroles.rbac.authorization.k8s.io";
const BINDINGS: &str = "rolebindings.rbac.authorization.k8s.io";
const CLUSTER_BINDINGS: &str = "clusterrolebindings.rbac.authorization.k8s.io";

/// What somebody wants to do.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    pub verb: SmolStr,
    pub group: SmolStr,
    pub resource: SmolStr,
    pub subresource: SmolStr,
    pub namespace: SmolStr,
    pub name: SmolStr,
    /// A path that is no resource; then the rest is empty.
    pub path: SmolStr,
}

fn is_trusted(user: &User) -> bool {
    let name = user.name.as_str();
    user.groups.iter().any(|group| group == "system:masters")
        || name.starts_with("system:kube-")
        || name.starts_with("system:node:")
        || name.starts_with("system:serviceaccount:kube-system:")
        || matches!(name, "system:apiserver" | "system:lab")
}

/// The groups a user is in without saying so.
fn groups(user: &User) -> Vec<SmolStr> {
    let mut groups = user.groups.clone();
    let mut add = |group: SmolStr| {
        if !groups.contains(&group) {
            groups.push(group);
        }
    };
    if let Some(rest) = user.name.strip_prefix("system:serviceaccount:") {
        let namespace = rest.split(':').next().unwrap_or_default();
        add(SmolStr::new_static(&"system:serviceaccounts"));
        add(format!("system:serviceaccounts:{namespace}").into());
    }
    if user.name != "system:anonymous" {
        add(SmolStr::new_static(&"system:authenticated"));
    } else {
        add(SmolStr::new_static(&"system:unauthenticated"));
    }
    groups
}

/// The node somebody acts as who is no kubelet of ours.
fn own_node<'a>(call: &'a Call<'_, '_>) -> Option<&'a str> {
    let user = &call.request.user;
    let is_node = call.cx.actor == Actor::User && user.groups.iter().any(|group| group == "system:nodes");
    user.name.strip_prefix("system:node:").filter(|_| is_node)
}

/// Whether a pod's spec names a Secret or ConfigMap, in whatever place.
fn names(value: &Value, kind: &str, name: &str, depth: usize) -> bool {
    if depth > 20 {
        return false;
    }
    match value {
        Value::List(items) => items.iter().any(|item| names(item, kind, name, depth + 1)),
        Value::Map(map) => map.iter().any(|(key, below)| {
            let of_kind = key.starts_with(kind) || (kind == "secret" && key == "imagePullSecrets");
            let named = |one: &Value| one["name"].str() == name || one["secretName"].str() == name;
            (of_kind && (named(below) || below.items().iter().any(named))) || names(below, kind, name, depth + 1)
        }),
        _ => false,
    }
}

impl Server {
    pub(super) fn check_allowed(&self, call: &Call<'_, '_>) -> Result<()> {
        let user = &call.request.user;
        let node = own_node(call);
        if node.is_none() && is_trusted(user) {
            return Ok(());
        }
        let target = &call.target;
        let streams = matches!(target.subresource.as_str(), "exec" | "attach" | "portforward");
        let attributes = Attributes {
            verb: if streams { SmolStr::new_static(&"create") } else { call.verb.into() },
            group: target.resource.group.clone(),
            resource: target.resource.plural.clone(),
            subresource: target.subresource.clone(),
            // A namespace is in itself.
            namespace: if target.resource.is("namespaces") { target.name.clone() } else { target.namespace.clone() },
            name: target.name.clone(),
            path: SmolStr::default(),
        };
        if let Some(node) = node {
            return match self.node_allows(node, &attributes) {
                Ok(()) => Ok(()),
                Err(why) => {
                    let text = refusal(user, &attributes) + why.as_str();
                    Err(Status::forbidden(&call.resource().named(), &target.name, &text))
                }
            };
        }
        if self.allows(user, &attributes).is_some() {
            return Ok(());
        }
        Err(Status::forbidden(&call.resource().named(), &target.name, &refusal(user, &attributes)))
    }

    /// The node authorizer: a kubelet reads what its pods name; for the rest it has the rules of its role.
    fn node_allows(&self, node: &str, wanted: &Attributes) -> std::result::Result<(), String> {
        let resource = wanted.resource.as_str();
        let kinds = ["secrets", "configmaps", "persistentvolumeclaims", "persistentvolumes"];
        if !wanted.group.is_empty() || !kinds.contains(&resource) || !wanted.subresource.is_empty() {
            let key = Key { resource: CLUSTER_ROLES.into(), namespace: SmolStr::default(), name: "system:node".into() };
            let rules = self.store.get(&key).map_or(&Value::Null, |role| &role["rules"]);
            return if rules.items().iter().any(|rule| covers(rule, wanted)) { Ok(()) } else { Err(String::new()) };
        }
        if !matches!(wanted.verb.as_str(), "get" | "list" | "watch") {
            return Err(": node: can only read resources of this type".into());
        }
        if wanted.name.is_empty() {
            return Err(": node: No Object name found".into());
        }
        let claims = |pod: &Value, name: &str| {
            let volumes = pod["spec"]["volumes"].items().iter();
            volumes.map(|volume| &volume["persistentVolumeClaim"]["claimName"]).any(|claim| claim.str() == name)
        };
        let pods = self.store.list("pods", None).map(|(_, pod)| pod);
        let mut mine = pods.filter(|pod| pod["spec"]["nodeName"].str() == node);
        let related = match resource {
            "persistentvolumes" => {
                let key = Key { resource: resource.into(), namespace: SmolStr::default(), name: wanted.name.clone() };
                let claim = self.store.get(&key).map_or(&Value::Null, |volume| &volume["spec"]["claimRef"]);
                mine.any(|pod| object::namespace(pod) == claim["namespace"].str() && claims(pod, claim["name"].str()))
            }
            _ => mine.any(|pod| {
                object::namespace(pod) == wanted.namespace
                    && match resource {
                        "persistentvolumeclaims" => claims(pod, &wanted.name),
                        _ => names(
                            &pod["spec"],
                            if resource == "secrets" { "secret" } else { "configMap" },
                            &wanted.name,
                            0,
                        ),
                    }
            }),
        };
        match related {
            true => Ok(()),
            false => Err(format!(": node: no relationship found between node '{node}' and this object")),
        }
    }

    /// NodeRestriction: a kubelet changes its own node, and neither taints nor labels that others rely on.
    pub(super) fn restrict_node(&self, call: &Call<'_, '_>, old: &Value, new: &Value) -> Result<()> {
        const OWN: [&str; 8] = [
            "kubernetes.io/hostname",
            "kubernetes.io/os",
            "kubernetes.io/arch",
            "beta.kubernetes.io/os",
            "beta.kubernetes.io/arch",
            "topology.kubernetes.io/zone",
            "topology.kubernetes.io/region",
            "node.kubernetes.io/instance-type",
        ];
        let Some(node) = own_node(call) else { return Ok(()) };
        let name = object::name(new);
        let refuse = |why: String| Err(Status::forbidden(&call.resource().named(), name, &why));
        if name != node {
            return refuse(format!("node {node:?} is not allowed to modify node {name:?}"));
        }
        let labels = |object: &Value| object["metadata"]["labels"].clone();
        let (before, after) = (labels(old), labels(new));
        let mut changed: Vec<&str> = Vec::new();
        for (key, _) in before.entries().iter().chain(after.entries().iter()) {
            let space = key.split_once('/').map_or("", |(space, _)| space);
            let reserved = ["kubernetes.io", "k8s.io"]
                .iter()
                .any(|end| space == *end || space.strip_suffix(end).is_some_and(|rest| rest.ends_with('.')));
            let own = OWN.contains(&key.as_str())
                || ["kubelet.kubernetes.io", "node.kubernetes.io"]
                    .iter()
                    .any(|end| space == *end || space.strip_suffix(end).is_some_and(|rest| rest.ends_with('.')));
            if reserved && !own && before[key.as_str()] != after[key.as_str()] && !changed.contains(&key.as_str()) {
                changed.push(key);
            }
        }
        if !changed.is_empty() {
            changed.sort_unstable();
            return refuse(format!("is not allowed to modify labels: {}", changed.join(", ")));
        }
        if old["spec"]["taints"] != new["spec"]["taints"] {
            return refuse(format!("node {node:?} is not allowed to modify taints"));
        }
        Ok(())
    }

    pub(super) fn check_path(&self, request: &Request, path: &str) -> Result<()> {
        let open = ["/api", "/apis", "/openapi", "/healthz", "/livez", "/readyz", "/version"];
        let is_open = open.iter().any(|root| path == *root || path.starts_with(&format!("{root}/")));
        let attributes = Attributes { verb: "get".into(), path: path.into(), ..Attributes::default() };
        if is_trusted(&request.user) || is_open || self.allows(&request.user, &attributes).is_some() {
            return Ok(());
        }
        Err(Status::forbidden_path(&request.user.name, "get", path))
    }

    /// The reason an action is allowed, or nothing.
    pub(super) fn allows(&self, user: &User, wanted: &Attributes) -> Option<String> {
        if is_trusted(user) {
            return Some(String::new());
        }
        let mut found = None;
        self.each_rule(user, &wanted.namespace, &mut |reason, rule| {
            if found.is_none() && covers(rule, wanted) {
                found = Some(reason.to_owned());
            }
        });
        found
    }

    /// Every rule a user has in a namespace, with the reason why.
    fn each_rule(&self, user: &User, namespace: &str, see: &mut dyn FnMut(&str, &Value)) {
        let groups = groups(user);
        let cluster = self.store.list(CLUSTER_BINDINGS, None).map(|(_, binding)| ("ClusterRoleBinding", binding));
        let local = self.store.list(BINDINGS, Some(namespace)).map(|(_, binding)| ("RoleBinding", binding));
        let local = local.filter(|_| !namespace.is_empty());
        for (kind, binding) in cluster.chain(local) {
            let own = object::namespace(binding);
            let Some(subject) = binding["subjects"].items().iter().find(|s| is_subject(s, user, &groups, own)) else {
                continue;
            };
            let reference = &binding["roleRef"];
            let is_role = reference["kind"].str() == "Role";
            let key = Key {
                resource: if is_role { ROLES } else { CLUSTER_ROLES }.into(),
                namespace: if is_role { own.into() } else { SmolStr::default() },
                name: reference["name"].smol(),
            };
            let Some(role) = self.store.get(&key) else { continue };
            let mut place = goquote::quote(object::name(binding));
            if kind == "RoleBinding" {
                place = goquote::quote(&format!("{}/{own}", object::name(binding)));
            }
            let who = match subject["kind"].str() {
                "ServiceAccount" => {
                    format!(
                        "ServiceAccount {}",
                        goquote::quote(&format!("{}/{}", subject["name"].str(), subject["namespace"].str()))
                    )
                }
                other => format!("{other} {}", goquote::quote(subject["name"].str())),
            };
            let reason = format!(
                "RBAC: allowed by {kind} {place} of {} {} to {who}",
                reference["kind"].str(),
                goquote::quote(reference["name"].str())
            );
            for rule in role["rules"].items() {
                see(&reason, rule);
            }
        }
    }

    /// The kinds that only ask.
    pub(super) fn access_review(&mut self, call: &mut Call<'_, '_>) -> Result<Option<Response>> {
        let resource = call.target.resource.clone();
        let wanted = Wanted::new(&resource.group, &resource.version, &resource.kind);
        let user = call.request.user.clone();
        let store = resource.store.as_str();
        match store {
            "selfsubjectaccessreviews.authorization.k8s.io"
            | "subjectaccessreviews.authorization.k8s.io"
            | "localsubjectaccessreviews.authorization.k8s.io" => {
                let mut review = body::object(call, &wanted)?;
                let spec = &review["spec"];
                let user = if store.starts_with("self") {
                    user
                } else {
                    let groups = spec["groups"].items().iter().map(Value::smol).collect();
                    User { name: spec["user"].smol(), groups }
                };
                let allowed = self.allows(&user, &attributes_of(spec));
                let mut status = map! { "allowed" => allowed.is_some() };
                if let Some(reason) = allowed.filter(|reason| !reason.is_empty()) {
                    status.set(&["reason"], reason);
                }
                review.set(&["status"], status);
                Ok(Some(Response::new(201, review)))
            }
            "selfsubjectrulesreviews.authorization.k8s.io" => {
                let mut review = body::object(call, &wanted)?;
                review.set(&["status"], self.rules_of(&user, review["spec"]["namespace"].str()));
                Ok(Some(Response::new(201, review)))
            }
            "selfsubjectreviews.authentication.k8s.io" => {
                let mut review = body::object(call, &wanted)?;
                let groups: Vec<Value> = groups(&user).iter().map(Value::from).collect();
                review.set(&["metadata", "creationTimestamp"], call.cx.now.rfc3339());
                review.set(&["status", "userInfo"], map! { "username" => &user.name, "groups" => groups });
                Ok(Some(Response::new(201, review)))
            }
            "tokenreviews.authentication.k8s.io" => Err(Status::gap("token reviews", "")),
            _ => Ok(None),
        }
    }

    fn rules_of(&self, user: &User, namespace: &str) -> Value {
        let (mut resources, mut paths) = (Vec::new(), Vec::new());
        if is_trusted(user) {
            resources.push(map! { "verbs" => list!["*"], "apiGroups" => list!["*"], "resources" => list!["*"] });
            paths.push(map! { "verbs" => list!["*"], "nonResourceURLs" => list!["*"] });
        }
        self.each_rule(user, namespace, &mut |_, rule| {
            if !rule["resources"].items().is_empty() {
                resources.push(rule.clone());
            }
            if !rule["nonResourceURLs"].items().is_empty() {
                paths.push(map! { "verbs" => &rule["verbs"], "nonResourceURLs" => &rule["nonResourceURLs"] });
            }
        });
        map! { "resourceRules" => resources, "nonResourceRules" => paths, "incomplete" => false }
    }

    /// Nobody grants what they do not have, neither by a role nor by binding one.
    pub(super) fn check_escalation(&self, call: &Call<'_, '_>, old: &Value, new: &Value) -> Result<()> {
        let user = &call.request.user;
        let resource = call.resource();
        let is_role = resource.is(ROLES) || resource.is(CLUSTER_ROLES);
        if is_trusted(user) || !(is_role || resource.is(BINDINGS) || resource.is(CLUSTER_BINDINGS)) {
            return Ok(());
        }
        let namespace = &call.target.namespace;
        let mut wanted = Attributes {
            verb: "escalate".into(),
            group: resource.group.clone(),
            resource: resource.plural.clone(),
            namespace: namespace.clone(),
            name: object::name(new).into(),
            ..Attributes::default()
        };
        let mut rules = new["rules"].items();
        if is_role {
            if !old.is_null() && old["rules"] == new["rules"] {
                return Ok(());
            }
        } else {
            let reference = &new["roleRef"];
            if !old.is_null() && old["roleRef"] == *reference && old["subjects"] == new["subjects"] {
                return Ok(());
            }
            let of_namespace = reference["kind"].str() == "Role";
            wanted.verb = "bind".into();
            wanted.resource = if of_namespace { "roles" } else { "clusterroles" }.into();
            wanted.name = reference["name"].smol();
            if self.allows(user, &wanted).is_some() {
                return Ok(());
            }
            let (store, within) =
                if of_namespace { (ROLES, namespace.clone()) } else { (CLUSTER_ROLES, SmolStr::default()) };
            let key = Key { resource: store.into(), namespace: within, name: wanted.name.clone() };
            let role = self.store.get(&key).ok_or_else(|| {
                Status::not_found(&Named::new(resource.group.clone(), wanted.resource.clone()), &wanted.name)
            })?;
            rules = role["rules"].items();
        }
        if is_role && self.allows(user, &wanted).is_some() {
            return Ok(());
        }
        let missing = self.lacking(user, namespace, rules);
        if missing.is_empty() {
            return Ok(());
        }
        let groups: Vec<String> = groups(user).iter().map(|group| goquote::quote(group)).collect();
        let why = format!(
            "user {} (groups=[{}]) is attempting to grant RBAC permissions not currently held:\n{}",
            goquote::quote(&user.name),
            groups.join(" "),
            missing.into_iter().collect::<Vec<_>>().join("\n")
        );
        Err(Status::forbidden(&resource.named(), object::name(new), &why))
    }

    /// What of some rules a user may not do: verbs together for each resource, paths one by one.
    fn lacking(&self, user: &User, namespace: &SmolStr, rules: &[Value]) -> BTreeSet<String> {
        let mut verbs: BTreeMap<[&str; 3], Vec<&str>> = BTreeMap::default();
        let mut missing = BTreeSet::default();
        let any = [Value::from("")];
        for rule in rules {
            let names = rule["resourceNames"].items();
            let names = if names.is_empty() { &any[..] } else { names };
            for verb in rule["verbs"].items() {
                for path in rule["nonResourceURLs"].items() {
                    let wanted = Attributes { verb: verb.smol(), path: path.smol(), ..Attributes::default() };
                    if self.allows(user, &wanted).is_none() {
                        missing.insert(format!(
                            "{{NonResourceURLs:[{}], Verbs:[{}]}}",
                            goquote::quote(path.str()),
                            goquote::quote(verb.str())
                        ));
                    }
                }
                for group in rule["apiGroups"].items() {
                    for resource in rule["resources"].items() {
                        let (plural, sub) = resource.str().split_once('/').unwrap_or((resource.str(), ""));
                        for name in names {
                            let wanted = Attributes {
                                verb: verb.smol(),
                                group: group.smol(),
                                resource: plural.into(),
                                subresource: sub.into(),
                                namespace: namespace.clone(),
                                name: name.smol(),
                                ..Attributes::default()
                            };
                            let known = verbs.entry([group.str(), resource.str(), name.str()]).or_default();
                            if self.allows(user, &wanted).is_none() && !known.contains(&verb.str()) {
                                known.push(verb.str());
                            }
                        }
                    }
                }
            }
        }
        for ([group, resource, name], verbs) in verbs.into_iter().filter(|(_, verbs)| !verbs.is_empty()) {
            let verbs: Vec<String> = verbs.into_iter().map(goquote::quote).collect();
            let only =
                if name.is_empty() { String::new() } else { format!(", ResourceNames:[{}]", goquote::quote(name)) };
            let (group, resource) = (goquote::quote(group), goquote::quote(resource));
            missing
                .insert(format!("{{APIGroups:[{group}], Resources:[{resource}]{only}, Verbs:[{}]}}", verbs.join(" ")));
        }
        missing
    }
}

fn attributes_of(spec: &Value) -> Attributes {
    let path = &spec["nonResourceAttributes"];
    if !path.is_null() {
        return Attributes { verb: path["verb"].smol(), path: path["path"].smol(), ..Attributes::default() };
    }
    let of = &spec["resourceAttributes"];
    Attributes {
        verb: of["verb"].smol(),
        group: of["group"].smol(),
        resource: of["resource"].smol(),
        subresource: of["subresource"].smol(),
        namespace: of["namespace"].smol(),
        name: of["name"].smol(),
        path: SmolStr::default(),
    }
}

fn is_subject(subject: &Value, user: &User, groups: &[SmolStr], binding_namespace: &str) -> bool {
    let name = subject["name"].str();
    match subject["kind"].str() {
        "User" => user.name == name,
        "Group" => groups.iter().any(|group| group == name),
        "ServiceAccount" => {
            let namespace = match subject["namespace"].str() {
                "" => binding_namespace,
                namespace => namespace,
            };
            user.name == format!("system:serviceaccount:{namespace}:{name}")
        }
        _ => false,
    }
}

fn covers(rule: &Value, wanted: &Attributes) -> bool {
    let lists = |key: &str, item: &str| rule[key].items().iter().any(|have| have.str() == item || have.str() == "*");
    if !lists("verbs", &wanted.verb) {
        return false;
    }
    if !wanted.path.is_empty() {
        return rule["nonResourceURLs"].items().iter().any(|url| match url.str().strip_suffix('*') {
            Some(prefix) => wanted.path.starts_with(prefix),
            None => url.str() == wanted.path,
        });
    }
    let whole = match wanted.subresource.as_str() {
        "" => wanted.resource.to_string(),
        sub => format!("{}/{sub}", wanted.resource),
    };
    let any_of_sub = format!("*/{}", wanted.subresource);
    let names = rule["resourceNames"].items();
    lists("apiGroups", &wanted.group)
        && (lists("resources", &whole)
            || (!wanted.subresource.is_empty() && rule["resources"].items().iter().any(|r| r.str() == any_of_sub)))
        && (names.is_empty() || names.iter().any(|name| name.str() == wanted.name))
}

/// `User "u" cannot list resource "pods" in API group "" in the namespace "ns"`
fn refusal(user: &User, wanted: &Attributes) -> String {
    let resource = match wanted.subresource.as_str() {
        "" => wanted.resource.to_string(),
        sub => format!("{}/{sub}", wanted.resource),
    };
    let place = match wanted.namespace.as_str() {
        "" => "at the cluster scope".to_owned(),
        namespace => format!("in the namespace {}", goquote::quote(namespace)),
    };
    format!(
        "User {} cannot {} resource {} in API group {} {place}",
        goquote::quote(&user.name),
        wanted.verb,
        goquote::quote(&resource),
        goquote::quote(&wanted.group)
    )
}
