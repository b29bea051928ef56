//! `kubectl create TYPE NAME`, `run`, `expose`, `autoscale`: objects made from flags.

mod autoscale;
mod expose;
mod run;

pub use autoscale::autoscale;
pub use expose::expose;
pub use run::run;

use super::create::post;
use crate::api::decode::encode_base64 as base64;
use crate::api::validation::names;
use crate::base::http::Method;
use crate::base::{Map, Span, Value};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Io, Outcome, Stop, body, fail, server_failure, usage};
use crate::kubectl::manifest::gap;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::print;
use crate::kubectl::select::{self, Rules};
use crate::{list, map};

pub fn create(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let kind = args.command.strip_prefix("create ").unwrap_or_default().to_string();
    let before = args.dash.unwrap_or(args.words.len());
    let names = args.words.get(..before).unwrap_or_default();
    let command = args.words.get(before..).unwrap_or_default().to_vec();
    if matches!(kind.as_str(), "secret" | "service") {
        if args.words.is_empty() {
            io.err(crate::kubectl::help::text(&args.command));
            return Err(Stop::Exit(1));
        }
        let words = args.words.join(" ");
        return fail(format!("unknown command \"{words}\"\nSee 'kubectl {} -h' for help and examples", args.command));
    }
    let [name] = names else {
        return usage(&args.command, format!("exactly one NAME is required, got {}", names.len()));
    };
    if name.is_empty() {
        return fail("name must be specified");
    }
    made(args, io, &kind, name, command)
}

fn made(args: &Args, io: &mut Io<'_, '_>, kind: &str, name: &str, command: Vec<String>) -> Outcome {
    let dry_run = args.dry_run()?;
    let object = match kind {
        "deployment" => deployment(args, io, name, &command)?,
        "namespace" => map! { "apiVersion" => "v1", "kind" => "Namespace", "metadata" => map! { "name" => name },
        "spec" => map! {}, "status" => map! {} },
        "serviceaccount" => {
            map! { "apiVersion" => "v1", "kind" => "ServiceAccount", "metadata" => map! { "name" => name } }
        }
        "configmap" => config_map(args, io, name)?,
        "secret generic" | "secret tls" | "secret docker-registry" => secret(args, io, kind, name)?,
        "service clusterip" | "service nodeport" | "service loadbalancer" | "service externalname" => {
            service(args, kind, name)?
        }
        "job" => job(args, io, name, &command)?,
        "cronjob" => cron_job(args, name, &command),
        "role" | "clusterrole" => role(args, io, kind, name)?,
        "rolebinding" | "clusterrolebinding" => binding(args, kind, name)?,
        "quota" => quota(args, name)?,
        "poddisruptionbudget" => disruption_budget(args, name)?,
        "priorityclass" => map! { "apiVersion" => "scheduling.k8s.io/v1", "kind" => "PriorityClass",
        "metadata" => map! { "name" => name }, "value" => args.int("value"),
        "globalDefault" => if args.is("global-default") { Value::Bool(true) } else { Value::Null },
        "description" => if args.get("description").is_empty() { Value::Null } else { args.get("description").into() },
        "preemptionPolicy" => args.get("preemption-policy") },
        "ingress" => ingress(args, name)?,
        "token" => return token(args, io, name),
        other => return gap(&format!("kubectl create {other}"), "use create -f"),
    };
    let mut object = object;
    if args.is("append-hash") {
        let hashed = format!("{name}-{}", crate::kubectl::kustomize::hash_suffix(&object, name));
        object.set(&["metadata", "name"], hashed);
    }
    let object = without_nulls(object, kind == "clusterrole" && !args.list("aggregation-rule").is_empty());
    let noun = match kind {
        "service clusterip" => "ClusterIP service",
        "service nodeport" => "NodePort service",
        "service loadbalancer" => "LoadBalancer service",
        "service externalname" => "ExternalName service",
        "poddisruptionbudget" => "poddisruptionbudgets",
        "secret generic" | "secret tls" | "secret docker-registry" => "secret",
        other => other,
    };
    submit(args, io, object, dry_run, noun)
}

fn without_nulls(mut object: Value, keep: bool) -> Value {
    if !keep {
        object.map_mut().retain(|_, value| !value.is_null());
    }
    object
}

/// Prints or posts a generated object; failures are worded `failed to create NOUN: …`.
fn submit(args: &Args, io: &mut Io<'_, '_>, mut object: Value, dry_run: DryRun, noun: &str) -> Outcome {
    let cluster = matches!(object["kind"].str(), "Namespace" | "ClusterRole" | "ClusterRoleBinding" | "PriorityClass");
    if io.namespace_forced && !cluster {
        object.set(&["metadata", "namespace"], io.namespace.as_str());
    }
    if args.is("save-config") {
        let text = crate::kubectl::output::ordered::json(&object, None) + "\n";
        object.set(&["metadata", "annotations", super::create::LAST_APPLIED], text);
    }
    if dry_run == DryRun::Client {
        return print::made(&object, "created", args, io, &Mapper::default());
    }
    let mapper = Mapper::discover(io)?;
    let Some(mapping) = mapper.of(&object) else { return fail("the server does not serve this kind") };
    let namespace = if cluster { String::new() } else { io.namespace.clone() };
    let response = post(args, io, mapping, &namespace, object, dry_run)?;
    if response.ok() {
        return print::made(&body(&response), "created", args, io, &mapper);
    }
    let answer = body(&response);
    if matches!(noun, "namespace" | "role" | "clusterrole" | "")
        || answer["reason"].str() == "Invalid" && noun.is_empty()
    {
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    let colon = if noun == "secret" { "" } else { ":" };
    fail(format!("failed to create {noun}{colon} {}", answer["message"].str()))
}

/// The image's own name; one with dots or underscores gets dashes for them and an ending by chance.
fn container_name(io: &mut Io<'_, '_>, image: &str) -> String {
    let last = image.rsplit('/').next().unwrap_or_default();
    let last = last.split(['@', ':']).next().unwrap_or_default();
    if !last.contains(['_', '.']) {
        return last.to_string();
    }
    format!("{}-{}", last.replace(['_', '.'], "-"), io.suffix())
}

fn texts(words: &[String]) -> Value {
    Value::list(words.iter().map(Value::from).collect())
}

fn deployment(args: &Args, io: &mut Io<'_, '_>, name: &str, command: &[String]) -> Outcome<Value> {
    let images = args.split("image");
    if images.len() > 1 && !command.is_empty() {
        return fail("cannot specify multiple --image options and command");
    }
    let mut containers = Vec::new();
    for image in &images {
        let mut container = map! { "image" => image, "name" => container_name(io, image), "resources" => map! {} };
        if !command.is_empty() {
            container.set(&["command"], texts(command));
        }
        containers.push(container);
    }
    if args.int("port") >= 0
        && args.changed("port")
        && let Some(first) = containers.first_mut()
    {
        first.set(&["ports"], list![map! { "containerPort" => args.int("port") }]);
    }
    let labels = map! { "app" => name };
    Ok(map! { "apiVersion" => "apps/v1", "kind" => "Deployment",
    "metadata" => map! { "labels" => labels.clone(), "name" => name },
    "spec" => map! { "replicas" => args.int("replicas"), "selector" => map! { "matchLabels" => labels.clone() },
        "strategy" => map! {}, "template" => map! { "metadata" => map! { "labels" => labels },
        "spec" => map! { "containers" => containers } } },
    "status" => map! {} })
}

/// Keys and values of `--from-literal`, `--from-file`, `--from-env-file`.
fn sources(args: &Args, io: &mut Io<'_, '_>, kind: &str, name: &str) -> Outcome<Vec<(String, Vec<u8>)>> {
    let mut out: Vec<(String, Vec<u8>)> = Vec::new();
    let env_files = args.split("from-env-file");
    if !env_files.is_empty() && !(args.list("from-file").is_empty() && args.list("from-literal").is_empty()) {
        return fail("from-env-file cannot be combined with from-file or from-literal");
    }
    for literal in args.list("from-literal") {
        match literal.split_once('=') {
            Some((key, value)) if !key.is_empty() => {
                let quoted = value.len() >= 2
                    && ((value.starts_with('"') && value.ends_with('"'))
                        || (value.starts_with('\'') && value.ends_with('\'')));
                let value = if quoted { value.get(1..value.len() - 1).unwrap_or_default() } else { value };
                out.push((key.into(), value.as_bytes().to_vec()));
            }
            _ => return fail(format!("invalid literal source {literal}, expected key=value")),
        }
    }
    for source in args.split("from-file") {
        let (key, path) = match source.split_once('=') {
            None => (None, source.as_str()),
            Some((_, path)) if path.contains('=') => {
                return fail("key names or file paths cannot contain '='");
            }
            Some(("", path)) => return fail(format!("key name for file path {path} missing")),
            Some((key, "")) => return fail(format!("file path for key name {key} missing")),
            Some((key, path)) => (Some(key.to_string()), path),
        };
        if io.sys.files.is_directory(io.sys.cwd, path) {
            if key.is_some() {
                return fail("cannot give a key name for a directory path");
            }
            let mut names = io.sys.files.list(io.sys.cwd, path).unwrap_or_default();
            names.sort();
            for name in names {
                let full = format!("{}/{name}", path.trim_end_matches('/'));
                if !io.sys.files.is_directory(io.sys.cwd, &full)
                    && let Ok(bytes) = io.read_file(&full)
                {
                    out.push((name, bytes));
                }
            }
            continue;
        }
        match io.read_file(path) {
            Ok(bytes) => {
                let base = path.rsplit('/').next().unwrap_or_default().to_string();
                out.push((key.unwrap_or(base), bytes));
            }
            Err(_) => return fail(format!("error reading {path}: no such file or directory")),
        }
    }
    for path in env_files {
        let text = match io.sys.files.read_text(io.sys.cwd, &path) {
            Ok(text) => text,
            Err(_) => return fail(format!("error reading {path}: no such file or directory")),
        };
        for line in text.lines() {
            let line = line.trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, value) = match line.split_once('=') {
                Some((key, value)) => (key.to_string(), value.to_string()),
                None => (line.to_string(), io.sys.env.get(line).cloned().unwrap_or_default()),
            };
            if let Some(why) = names::env_key(&key) {
                return fail(format!("\"{key}\" is not a valid key name: {why}"));
            }
            out.push((key, value.into_bytes()));
        }
    }
    for (index, (key, _)) in out.iter().enumerate() {
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if !key.chars().all(good) {
            return fail(format!(
                "\"{key}\" is not a valid key name for a {kind}: a valid config key must consist of alphanumeric \
                 characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for \
                 validation is '[-._a-zA-Z0-9]+')"
            ));
        }
        if out.iter().take(index).any(|(other, _)| other == key) {
            return fail(match kind {
                "Secret" => format!("cannot add key {key}, another key by that name already exists"),
                _ => format!(
                    "cannot add key \"{key}\", another key by that name already exists in Data for {kind} \"{name}\""
                ),
            });
        }
    }
    Ok(out)
}

fn config_map(args: &Args, io: &mut Io<'_, '_>, name: &str) -> Outcome<Value> {
    let mut object = map! { "apiVersion" => "v1", "kind" => "ConfigMap", "metadata" => map! { "name" => name } };
    for (key, bytes) in sources(args, io, "ConfigMap", name)? {
        match String::from_utf8(bytes) {
            Ok(text) => object.set(&["data", &key], text),
            Err(error) => object.set(&["binaryData", &key], base64(error.as_bytes())),
        }
    }
    Ok(object)
}

fn secret(args: &Args, io: &mut Io<'_, '_>, kind: &str, name: &str) -> Outcome<Value> {
    let mut object = map! { "apiVersion" => "v1", "kind" => "Secret", "metadata" => map! { "name" => name } };
    match kind {
        "secret generic" => {
            for (key, bytes) in sources(args, io, "Secret", name)? {
                object.set(&["data", &key], base64(&bytes));
            }
            if !args.get("type").is_empty() {
                object.set(&["type"], args.get("type"));
            }
        }
        "secret tls" => {
            let (cert, key) = (args.get("cert").to_string(), args.get("key").to_string());
            if cert.is_empty() || key.is_empty() {
                return fail("key and cert must be specified");
            }
            for (field, path) in [("tls.crt", cert), ("tls.key", key)] {
                match io.read_file(&path) {
                    Ok(bytes) if !String::from_utf8_lossy(&bytes).contains("-----BEGIN") => {
                        let what = if field == "tls.crt" { "certificate" } else { "key" };
                        return fail(format!("tls: failed to find any PEM data in {what} input"));
                    }
                    Ok(bytes) => object.set(&["data", field], base64(&bytes)),
                    Err(_) => {
                        return fail(format!("Cannot read file {path}, open {path}: no such file or directory"));
                    }
                }
            }
            object.set(&["type"], "kubernetes.io/tls");
        }
        _ => {
            let (user, password) = (args.get("docker-username"), args.get("docker-password"));
            let data = if args.list("from-file").is_empty() {
                if user.is_empty() || password.is_empty() {
                    return fail(
                        "either --from-file or the combination of --docker-username, --docker-password and \
                         --docker-server is required",
                    );
                }
                // The order of the keys is the Go struct's.
                let quoted = |text: &str| crate::base::json::compact(&Value::text(text));
                let email = args.get("docker-email");
                let email = if email.is_empty() { String::new() } else { format!(",\"email\":{}", quoted(email)) };
                format!(
                    "{{\"auths\":{{{}:{{\"username\":{},\"password\":{}{email},\"auth\":{}}}}}}}",
                    quoted(args.get("docker-server")),
                    quoted(user),
                    quoted(password),
                    quoted(&base64(format!("{user}:{password}").as_bytes()))
                )
                .into_bytes()
            } else {
                let found = sources(args, io, "Secret", name)?;
                found.into_iter().next().map(|(_, bytes)| bytes).unwrap_or_default()
            };
            object.set(&["data", ".dockerconfigjson"], base64(&data));
            object.set(&["type"], "kubernetes.io/dockerconfigjson");
        }
    }
    Ok(object)
}

fn service(args: &Args, kind: &str, name: &str) -> Outcome<Value> {
    let tcp = args.split("tcp");
    let headless = args.get("clusterip") == "None";
    let external = kind == "service externalname";
    if tcp.is_empty() && !headless && !external {
        return fail("at least one tcp port specifier must be provided");
    }
    let mut ports = Vec::new();
    for spec in &tcp {
        let mut parts = spec.split(':');
        let first = parts.next().unwrap_or_default();
        let Ok(port) = first.parse::<u16>() else {
            return fail(format!("strconv.ParseUint: parsing \"{first}\": invalid syntax"));
        };
        let target = match parts.next() {
            None => Value::from(port),
            Some(text) => match text.parse::<i64>() {
                Ok(1..=65535) | Err(_) => number_or_text(text),
                Ok(_) => return fail("must be between 1 and 65535, inclusive"),
            },
        };
        let mut entry = map! { "name" => spec.replace(':', "-"), "port" => port, "protocol" => "TCP",
        "targetPort" => target };
        if args.int("node-port") > 0 {
            entry.set(&["nodePort"], args.int("node-port"));
        }
        ports.push(entry);
    }
    let labels = map! { "app" => name };
    let mut spec = map! { "selector" => labels.clone() };
    if !ports.is_empty() {
        spec.set(&["ports"], ports);
    }
    spec.set(
        &["type"],
        match kind {
            "service nodeport" => "NodePort",
            "service loadbalancer" => "LoadBalancer",
            "service externalname" => "ExternalName",
            _ => "ClusterIP",
        },
    );
    if !args.get("clusterip").is_empty() {
        spec.set(&["clusterIP"], args.get("clusterip"));
    }
    if external {
        if !names::subdomain(args.get("external-name")).is_empty() {
            return fail(format!("invalid service external name {}", args.get("external-name")));
        }
        spec.set(&["externalName"], args.get("external-name"));
    }
    Ok(map! { "apiVersion" => "v1", "kind" => "Service", "metadata" => map! { "labels" => labels, "name" => name },
    "spec" => spec, "status" => map! { "loadBalancer" => map! {} } })
}

fn job_template(name: &str, image: &str, command: &[String], restart: &str) -> Value {
    let mut container = map! { "image" => image, "name" => name, "resources" => map! {} };
    if !command.is_empty() {
        container.set(&["command"], texts(command));
    }
    map! { "template" => map! { "metadata" => map! {},
    "spec" => map! { "containers" => list![container], "restartPolicy" => restart } } }
}

fn job(args: &Args, io: &mut Io<'_, '_>, name: &str, command: &[String]) -> Outcome<Value> {
    let (image, from) = (args.get("image"), args.get("from").to_string());
    if image.is_empty() == from.is_empty() {
        return fail("either --image or --from must be specified");
    }
    if from.is_empty() {
        return Ok(map! { "apiVersion" => "batch/v1", "kind" => "Job", "metadata" => map! { "name" => name },
        "spec" => job_template(name, image, command, "Never"), "status" => map! {} });
    }
    if !command.is_empty() {
        return fail("cannot specify --from and command");
    }
    let mapper = Mapper::discover(io)?;
    let item = select::one(&from, io, &mapper)?;
    if item.mapping.kind != "CronJob" {
        let package = item.mapping.schema().map_or("unstructured", |kind| kind.version);
        let kind = if package == "unstructured" { "Unstructured" } else { &item.mapping.kind };
        return fail(format!("unknown object type *{package}.{kind}"));
    }
    let template = item.object.at(&["spec", "jobTemplate"]).clone();
    let mut meta = map! { "name" => name, "annotations" => map! {
    "cronjob.kubernetes.io/instantiate" => "manual" },
    "ownerReferences" => list![map! { "apiVersion" => "batch/v1", "controller" => true, "kind" => "CronJob",
        "name" => item.name(), "uid" => item.object.at(&["metadata", "uid"]) }] };
    for (key, value) in template.at(&["metadata", "annotations"]).entries().iter() {
        meta.set(&["annotations", key], value);
    }
    if !template.at(&["metadata", "labels"]).is_null() {
        meta.set(&["labels"], template.at(&["metadata", "labels"]));
    }
    Ok(map! { "apiVersion" => "batch/v1", "kind" => "Job", "metadata" => meta, "spec" => &template["spec"],
    "status" => map! {} })
}

fn cron_job(args: &Args, name: &str, command: &[String]) -> Value {
    let restart = if args.get("restart").is_empty() { "OnFailure" } else { args.get("restart") };
    let spec = job_template(name, args.get("image"), command, restart);
    map! { "apiVersion" => "batch/v1", "kind" => "CronJob", "metadata" => map! { "name" => name },
    "spec" => map! { "jobTemplate" => map! { "metadata" => map! { "name" => name }, "spec" => spec },
        "schedule" => args.get("schedule") }, "status" => map! {} }
}

fn role(args: &Args, io: &mut Io<'_, '_>, kind: &str, name: &str) -> Outcome<Value> {
    let cluster = kind == "clusterrole";
    let api_version = "rbac.authorization.k8s.io/v1";
    let shown = if cluster { "ClusterRole" } else { "Role" };
    let meta = map! { "name" => name };
    if cluster && !args.list("aggregation-rule").is_empty() {
        if ["non-resource-url", "verb", "resource", "resource-name"].iter().any(|flag| !args.list(flag).is_empty()) {
            return fail(
                "aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames",
            );
        }
        let mut labels = Map::new();
        for (key, value) in args.split("aggregation-rule").iter().filter_map(|pair| pair.split_once('=')) {
            labels.insert(key, value);
        }
        return Ok(map! { "apiVersion" => api_version, "kind" => shown, "metadata" => meta,
        "aggregationRule" => map! { "clusterRoleSelectors" => list![map! { "matchLabels" => labels }] },
        "rules" => Value::Null });
    }
    let mut verbs: Vec<String> = Vec::new();
    for verb in args.split("verb") {
        if !verbs.contains(&verb) {
            verbs.push(verb);
        }
    }
    let urls = args.split("non-resource-url");
    if verbs.is_empty() {
        return fail("at least one verb must be specified");
    }
    let resources = args.split("resource");
    if resources.is_empty() && urls.is_empty() {
        return fail("at least one resource must be specified");
    }
    for verb in &verbs {
        const KNOWN: [&str; 14] = [
            "get",
            "delete",
            "list",
            "create",
            "update",
            "patch",
            "watch",
            "proxy",
            "deletecollection",
            "use",
            "bind",
            "escalate",
            "impersonate",
            "approve",
        ];
        if !KNOWN.contains(&verb.as_str()) && verb != "*" && verb != "sign" && urls.is_empty() {
            io.warn(&format!("'{verb}' is not a standard resource verb"));
        }
    }
    let mut rules: crate::base::BTreeMap<String, Vec<String>> = crate::base::BTreeMap::new();
    if !resources.is_empty() {
        let mapper = Mapper::discover(io)?;
        for word in resources {
            let (word, sub) = match word.split_once('/') {
                Some((word, sub)) => (word.to_string(), format!("/{sub}")),
                None => (word, String::new()),
            };
            if word == "*" {
                rules.entry("*".into()).or_default().push("*".into());
                continue;
            }
            let Some(mapping) = mapper.look(&word) else {
                return crate::kubectl::io::fail_full(format!("the server doesn't have a resource type \"{word}\""));
            };
            let full = format!("{}{sub}", mapping.resource);
            let list = rules.entry(mapping.group.clone()).or_default();
            if !list.contains(&full) {
                list.push(full);
            }
        }
    }
    let names = args.list("resource-name");
    let mut out: Vec<Value> = rules
        .into_iter()
        .map(|(group, resources)| {
            let mut rule = map! { "apiGroups" => list![group], "resources" => texts(&resources),
            "verbs" => texts(&verbs) };
            if !names.is_empty() {
                rule.set(&["resourceNames"], texts(names));
            }
            rule
        })
        .collect();
    if !urls.is_empty() {
        if urls.iter().any(|url| !url.starts_with('/') && url != "*") {
            return fail("nonResourceURL should start with /");
        }
        const ALLOWED: [&str; 7] = ["get", "post", "put", "delete", "patch", "head", "options"];
        if let Some(verb) = verbs.iter().find(|verb| !ALLOWED.contains(&verb.as_str()) && *verb != "*") {
            return fail(format!("invalid verb: '{verb}' for nonResourceURL"));
        }
        out.push(map! { "nonResourceURLs" => texts(&urls), "verbs" => texts(&verbs) });
    }
    Ok(map! { "apiVersion" => api_version, "kind" => shown, "metadata" => meta, "rules" => out })
}

fn binding(args: &Args, kind: &str, name: &str) -> Outcome<Value> {
    let cluster = kind == "clusterrolebinding";
    let (role, cluster_role) = (args.get("role"), args.get("clusterrole"));
    if !cluster && role.is_empty() == cluster_role.is_empty() {
        return fail("exactly one of clusterrole or role must be specified");
    }
    let group = "rbac.authorization.k8s.io";
    let mut subjects = Vec::new();
    for user in args.split("user") {
        subjects.push(map! { "apiGroup" => group, "kind" => "User", "name" => user });
    }
    for name in args.split("group") {
        subjects.push(map! { "apiGroup" => group, "kind" => "Group", "name" => name });
    }
    for account in args.split("serviceaccount") {
        match account.split_once(':') {
            Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() && !name.contains(':') => {
                subjects.push(map! { "kind" => "ServiceAccount", "name" => name, "namespace" => namespace });
            }
            _ => return fail("serviceaccount must be <namespace>:<name>"),
        }
    }
    let (kind_of, name_of) = if cluster_role.is_empty() { ("Role", role) } else { ("ClusterRole", cluster_role) };
    let mut object = map! { "apiVersion" => "rbac.authorization.k8s.io/v1",
    "kind" => if cluster { "ClusterRoleBinding" } else { "RoleBinding" }, "metadata" => map! { "name" => name },
    "roleRef" => map! { "apiGroup" => group, "kind" => kind_of, "name" => name_of } };
    if !subjects.is_empty() {
        object.set(&["subjects"], subjects);
    }
    Ok(object)
}

fn quota(args: &Args, name: &str) -> Outcome<Value> {
    let mut hard = Map::new();
    for part in args.get("hard").split(',').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some((_, value)) if crate::base::quantity::Quantity::parse(value).is_err() => {
                return fail(
                    "quantities must match the regular expression \
                     '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
                );
            }
            Some((key, value)) => hard.insert(key, value),
            None => return fail(format!("Invalid argument syntax {part}, expected <resource>=<value>")),
        };
    }
    let mut spec = Map::new();
    if !hard.is_empty() {
        spec.insert("hard", hard);
    }
    if !args.get("scopes").is_empty() {
        let scopes: Vec<Value> = args.get("scopes").split(',').map(Value::from).collect();
        spec.insert("scopes", scopes);
    }
    Ok(map! { "apiVersion" => "v1", "kind" => "ResourceQuota", "metadata" => map! { "name" => name }, "spec" => spec,
    "status" => map! {} })
}

fn number_or_text(text: &str) -> Value {
    text.parse::<i64>().map(Value::Int).unwrap_or_else(|_| Value::text(text))
}

/// `a=b,c in (d,e),!f` as a label selector.
fn label_selector(text: &str) -> Value {
    let mut depth = 0;
    let parts = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth <= 0
    });
    let (mut labels, mut terms) = (Map::new(), Vec::new());
    let values = |text: &str| {
        let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
        inner.split(',').map(|value| Value::from(value.trim())).collect::<Vec<Value>>()
    };
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let term = |key: &str, operator: &str| map! { "key" => key.trim(), "operator" => operator };
        if let Some((key, list)) = part.split_once(" notin ") {
            let mut term = term(key, "NotIn");
            term.set(&["values"], values(list));
            terms.push(term);
        } else if let Some((key, list)) = part.split_once(" in ") {
            let mut term = term(key, "In");
            term.set(&["values"], values(list));
            terms.push(term);
        } else if let Some((key, value)) = part.split_once("!=") {
            let mut term = term(key, "NotIn");
            term.set(&["values"], values(value));
            terms.push(term);
        } else if let Some((key, value)) = part.split_once('=') {
            labels.insert(key.trim(), value.trim_start_matches('=').trim());
        } else if let Some(key) = part.strip_prefix('!') {
            terms.push(term(key, "DoesNotExist"));
        } else {
            terms.push(term(part, "Exists"));
        }
    }
    let mut selector = Value::empty_map();
    if !labels.is_empty() {
        selector.set(&["matchLabels"], labels);
    }
    if !terms.is_empty() {
        selector.set(&["matchExpressions"], terms);
    }
    selector
}

fn disruption_budget(args: &Args, name: &str) -> Outcome<Value> {
    let (least, most, selector) = (args.get("min-available"), args.get("max-unavailable"), args.get("selector"));
    if selector.is_empty() {
        return fail("a selector must be specified");
    }
    if least.is_empty() && most.is_empty() {
        return fail("one of min-available or max-unavailable must be specified");
    }
    if !least.is_empty() && !most.is_empty() {
        return fail("min-available and max-unavailable cannot be both specified");
    }
    for (flag, text) in [("min-available", least), ("max-unavailable", most)] {
        let digits = text.strip_suffix('%').unwrap_or(text);
        if !text.is_empty() && (digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit())) {
            return fail(format!("invalid format specified for {flag}"));
        }
    }
    let mut spec = map! { "selector" => label_selector(selector) };
    if least.is_empty() {
        spec.set(&["maxUnavailable"], number_or_text(most));
    } else {
        spec.set(&["minAvailable"], number_or_text(least));
    }
    Ok(map! { "apiVersion" => "policy/v1", "kind" => "PodDisruptionBudget", "metadata" => map! { "name" => name },
    "spec" => spec, "status" => map! { "currentHealthy" => 0, "desiredHealthy" => 0, "disruptionsAllowed" => 0,
        "expectedPods" => 0 } })
}

fn ingress(args: &Args, name: &str) -> Outcome<Value> {
    let backend = |service: &str, port: &str| {
        let port = match port.parse::<i64>() {
            Ok(number) => map! { "number" => number },
            Err(_) => map! { "name" => port },
        };
        map! { "service" => map! { "name" => service, "port" => port } }
    };
    let rules = args.list("rule");
    let default = args.get("default-backend");
    if rules.is_empty() && default.is_empty() {
        return fail(
            "not enough information provided: every ingress has to either specify a default-backend (which catches \
             all traffic) or a list of rules (which catch specific paths)",
        );
    }
    let mut spec = Map::new();
    if !args.get("class").is_empty() {
        spec.insert("ingressClassName", args.get("class"));
    }
    if !default.is_empty() {
        let Some((service, port)) = default.split_once(':') else {
            return fail("default-backend should be in format servicename:serviceport");
        };
        spec.insert("defaultBackend", backend(service, port));
    }
    let mut hosts: Vec<(String, Vec<Value>)> = Vec::new();
    let mut tls: Vec<(Option<String>, Vec<String>)> = Vec::new();
    for rule in rules {
        let wrong =
            || fail(format!("rule {rule} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]"));
        let (main, secure) = match rule.split_once(',') {
            Some((main, secure)) => (main, Some(secure)),
            None => (rule.as_str(), None),
        };
        let Some((place, target)) = main.split_once('=') else { return wrong() };
        let (Some((host, path)), Some((service, port))) = (place.split_once('/'), target.split_once(':')) else {
            return wrong();
        };
        let word = |text: &str, more: &[char]| text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(&c));
        let named = |text: &str| !text.is_empty() && word(text, &['_', '-']);
        if !(word(host, &['_', '*', '-', '.'])
            && named(service)
            && port.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
        {
            return wrong();
        }
        let prefix = path.ends_with('*');
        let path = format!("/{}", path.trim_end_matches('*'));
        let entry = map! { "backend" => backend(service, port), "path" => path,
        "pathType" => if prefix { "Prefix" } else { "Exact" } };
        match hosts.iter_mut().find(|(known, _)| known == host) {
            Some((_, paths)) => paths.push(entry),
            None => hosts.push((host.into(), vec![entry])),
        }
        if let Some(secure) = secure {
            let secret = secure.split_once('=').map(|(_, secret)| secret.to_string()).filter(|s| !s.is_empty());
            match tls.iter_mut().find(|(known, _)| *known == secret) {
                Some((_, hosts)) if hosts.iter().any(|h| h == host) => {}
                Some((_, hosts)) => hosts.push(host.into()),
                None => tls.push((secret, vec![host.into()])),
            }
        }
    }
    if !hosts.is_empty() {
        let rules: Vec<Value> = hosts
            .into_iter()
            .map(|(host, paths)| {
                let mut rule = map! { "http" => map! { "paths" => paths } };
                if !host.is_empty() {
                    rule.set(&["host"], host);
                }
                rule
            })
            .collect();
        spec.insert("rules", rules);
    }
    if !tls.is_empty() {
        let list: Vec<Value> = tls
            .into_iter()
            .map(|(secret, hosts)| {
                let mut entry = map! { "hosts" => texts(&hosts) };
                if let Some(secret) = secret {
                    entry.set(&["secretName"], secret);
                }
                entry
            })
            .collect();
        spec.insert("tls", list);
    }
    let mut meta = map! { "name" => name };
    for annotation in args.split("annotation") {
        let Some((key, value)) = annotation.split_once('=') else {
            return fail(format!("annotation {annotation} is invalid and should be in format key=[value]"));
        };
        meta.set(&["annotations", key], value);
    }
    Ok(map! { "apiVersion" => "networking.k8s.io/v1", "kind" => "Ingress", "metadata" => meta, "spec" => spec,
    "status" => map! { "loadBalancer" => map! {} } })
}

fn token(args: &Args, io: &mut Io<'_, '_>, name: &str) -> Outcome {
    let kind = args.get("bound-object-kind");
    if !kind.is_empty() && !matches!(kind, "Node" | "Pod" | "Secret") {
        return fail("supported --bound-object-kind values are Node, Pod, Secret");
    }
    if !kind.is_empty() && args.get("bound-object-name").is_empty() {
        return fail("--bound-object-name is required if --bound-object-kind is provided");
    }
    let mut spec = Map::new();
    if args.span("duration").0 > 0 {
        spec.insert("expirationSeconds", args.span("duration").as_seconds());
    }
    if !args.list("audience").is_empty() {
        spec.insert("audiences", texts(&args.split("audience")));
    }
    let object = map! { "apiVersion" => "authentication.k8s.io/v1", "kind" => "TokenRequest", "metadata" => map! {},
    "spec" => spec };
    let path = format!("/api/v1/namespaces/{}/serviceaccounts/{name}/token", io.namespace);
    let request = io.request(Method::Post, path).with_body(object);
    let response = io.send(request)?;
    if !response.ok() {
        return fail(format!("failed to create token: {}", body(&response)["message"].str()));
    }
    let token = body(&response).at(&["status", "token"]).str().to_string();
    let end = if io.sys.terminal.is_some() { "\n" } else { "" };
    io.out(format!("{token}{end}"));
    Ok(())
}

fn pairs(text: &str) -> Option<Map> {
    let mut out = Map::new();
    for pair in text.split(',').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=')?;
        out.insert(key, value);
    }
    Some(out)
}

fn create_and_say(
    args: &Args,
    io: &mut Io<'_, '_>,
    mapper: &Mapper,
    object: Value,
    namespace: &str,
    dry_run: DryRun,
    verb: &str,
) -> Outcome {
    let mut object = object;
    args.record(&mut object);
    if dry_run == DryRun::Client {
        return print::made(&object, verb, args, io, mapper);
    }
    let Some(mapping) = mapper.of(&object) else { return fail("the server does not serve this kind") };
    let response = post(args, io, mapping, namespace, object, dry_run)?;
    if response.ok() {
        print::action(&body(&response), verb, args, io, mapper)
    } else {
        Err(Stop::Fail(vec![server_failure(&response)], 1))
    }
}
