//! `kubectl create TYPE NAME`, `run`, `expose`, `autoscale`: objects made from flags.

use super::create::post;
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
        "deployment" => deployment(args, name, &command)?,
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

fn container_name(image: &str) -> String {
    let last = image.rsplit('/').next().unwrap_or_default();
    let last = last.split(['@', ':']).next().unwrap_or_default();
    last.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
}

fn texts(words: &[String]) -> Value {
    Value::list(words.iter().map(Value::from).collect())
}

fn deployment(args: &Args, name: &str, command: &[String]) -> Outcome<Value> {
    let images = args.split("image");
    if images.len() > 1 && !command.is_empty() {
        return fail("cannot specify multiple --image options and command");
    }
    let mut containers = Vec::new();
    for image in &images {
        let mut container = map! { "image" => image, "name" => container_name(image), "resources" => map! {} };
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
            let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
            if key.starts_with(|c: char| c.is_ascii_digit()) || !key.chars().all(good) {
                return fail(format!(
                    "\"{key}\" is not a valid key name: a valid environment variable name must consist of alphabetic \
                     characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or \
                     'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')"
                ));
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
            return fail(format!(
                "cannot add key \"{key}\", another key by that name already exists in Data for {kind} \"{name}\""
            ));
        }
    }
    Ok(out)
}

fn config_map(args: &Args, io: &mut Io<'_, '_>, name: &str) -> Outcome<Value> {
    if args.is("append-hash") {
        return gap("create configmap --append-hash", "");
    }
    let mut object = map! { "apiVersion" => "v1", "kind" => "ConfigMap", "metadata" => map! { "name" => name } };
    for (key, bytes) in sources(args, io, "ConfigMap", name)? {
        match String::from_utf8(bytes) {
            Ok(text) => object.set(&["data", &key], text),
            Err(error) => object.set(&["binaryData", &key], base64(error.as_bytes())),
        }
    }
    Ok(object)
}

/// Standard base64 with padding.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or_default());
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4usize {
            let digit = (word >> (18 - 6 * place)) & 63;
            let shown = DIGITS.get(digit as usize).copied().unwrap_or(b'A');
            out.push(if place <= chunk.len() { char::from(shown) } else { '=' });
        }
    }
    out
}

fn secret(args: &Args, io: &mut Io<'_, '_>, kind: &str, name: &str) -> Outcome<Value> {
    if args.is("append-hash") {
        return gap("create secret --append-hash", "");
    }
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
            Some(text) => text.parse::<u16>().map(Value::from).unwrap_or_else(|_| Value::text(text)),
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
        return fail("from must be an existing cronjob");
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
    let mut rules: std::collections::BTreeMap<String, Vec<String>> = std::collections::BTreeMap::new();
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
    let mut labels = Map::new();
    for (key, value) in selector.split(',').filter_map(|pair| pair.split_once('=')) {
        labels.insert(key, value.trim_start_matches('='));
    }
    let mut spec = map! { "selector" => map! { "matchLabels" => labels } };
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

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let before = args.dash.unwrap_or(args.words.len()).max(1);
    let Some(name) = args.words.first().filter(|_| args.dash != Some(0)) else {
        return fail("NAME is required for run");
    };
    let mut words = args.words.get(1..before).unwrap_or_default().to_vec();
    words.extend(args.words.get(before..).unwrap_or_default().iter().cloned());
    if args.get("image").is_empty() {
        return fail("required flag(s) \"image\" not set");
    }
    let image = args.get("image");
    let good = |c: char| c.is_ascii_alphanumeric() || ".-_/:@".contains(c);
    let path = image.split('@').next().unwrap_or_default();
    let repository = path.rsplit_once(':').map_or(path, |(left, right)| if right.contains('/') { path } else { left });
    let lower = repository.split_once('/').map_or(repository, |(_, rest)| rest);
    if !image.chars().all(good) || lower.chars().any(|c| c.is_ascii_uppercase()) {
        return fail(format!("invalid image name \"{image}\": invalid reference format"));
    }
    let (stdin, tty) = (args.is("stdin"), args.is("tty"));
    if tty && !stdin {
        return fail("-i/--stdin is required for containers with -t/--tty=true");
    }
    if args.is("expose") && args.get("port").is_empty() {
        return fail("--port must be set when exposing a service");
    }
    let dry_run = args.dry_run()?;
    let attach = stdin || tty || args.is("attach");
    if attach && dry_run != DryRun::None {
        return fail(
            "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
        );
    }
    if args.is("rm") && !attach {
        return fail("--rm should only be used for attached containers");
    }
    let restart = args.get("restart");
    if !matches!(restart, "Always" | "OnFailure" | "Never") {
        return fail(format!("invalid restart policy: {restart}, valid values are: Always, OnFailure, Never"));
    }
    let policy = args.get("image-pull-policy");
    if !matches!(policy, "" | "Always" | "IfNotPresent" | "Never") {
        return fail(format!("invalid image pull policy: {policy}, valid values are: Always, IfNotPresent, Never"));
    }
    let mut labels = map! { "run" => name };
    if args.changed("labels") {
        match pairs(args.get("labels")) {
            Some(given) => labels = given.into(),
            None => return fail(format!("unexpected label spec: {}", args.get("labels"))),
        }
    }
    let mut container = map! { "image" => image, "name" => name, "resources" => map! {} };
    if !words.is_empty() {
        container.set(&[if args.is("command") { "command" } else { "args" }], texts(&words));
    }
    let mut env = Vec::new();
    for pair in args.list("env") {
        match pair.split_once('=') {
            Some((key, value)) if !key.is_empty() => env.push(map! { "name" => key, "value" => value }),
            _ => return fail(format!("invalid env: {pair}")),
        }
    }
    if !env.is_empty() {
        container.set(&["env"], env);
    }
    if !args.get("port").is_empty() {
        let Ok(port) = args.get("port").parse::<u16>() else { return fail("--port must be a number") };
        container.set(&["ports"], list![map! { "containerPort" => port }]);
    }
    if !policy.is_empty() {
        container.set(&["imagePullPolicy"], policy);
    }
    if args.is("privileged") {
        container.set(&["securityContext", "privileged"], true);
    }
    if stdin {
        container.set(&["stdin"], true);
        if !args.is("leave-stdin-open") {
            container.set(&["stdinOnce"], true);
        }
    }
    if tty {
        container.set(&["tty"], true);
    }
    let mut meta = map! { "labels" => labels.clone(), "name" => name };
    for annotation in args.list("annotations") {
        match annotation.split_once('=') {
            Some((key, value)) => meta.set(&["annotations", key], value),
            None => return fail(format!("invalid annotations format: {annotation}")),
        }
    }
    let mut pod = map! { "apiVersion" => "v1", "kind" => "Pod", "metadata" => meta,
    "spec" => map! { "containers" => list![container], "dnsPolicy" => "ClusterFirst", "restartPolicy" => restart },
    "status" => map! {} };
    if !args.get("overrides").is_empty() {
        let Ok(overrides) = crate::base::json::parse(args.get("overrides")) else {
            return fail("Invalid JSON Patch");
        };
        let kind = crate::api::schema::kind("", "v1", "Pod");
        pod = match (args.get("override-type"), kind) {
            ("strategic", Some(kind)) => {
                crate::api::patch::strategic(kind.ty, &pod, &overrides).or_else(|e| fail(e.message))?
            }
            ("json", _) => crate::api::patch::json(&pod, &overrides).or_else(|e| fail(e.message))?,
            _ => crate::api::patch::merge(&pod, &overrides),
        };
    }
    if io.namespace_forced {
        pod.set(&["metadata", "namespace"], io.namespace.as_str());
    }
    let service = args.is("expose").then(|| {
        let port = args.int("port");
        let mut meta = map! { "name" => name };
        if io.namespace_forced {
            meta.set(&["namespace"], io.namespace.as_str());
        }
        if args.changed("labels") {
            meta.set(&["labels"], labels.clone());
        }
        map! { "apiVersion" => "v1", "kind" => "Service", "metadata" => meta,
        "spec" => map! { "ports" => list![map! { "port" => port, "protocol" => "TCP", "targetPort" => port }],
            "selector" => labels.clone() }, "status" => map! { "loadBalancer" => map! {} } }
    });
    if dry_run == DryRun::Client {
        print::made(&pod, "created", args, io, &Mapper::default())?;
        if let Some(service) = &service {
            if args.get("output") == "yaml" {
                io.out("---\n");
            }
            print::made(service, "created", args, io, &Mapper::default())?;
        }
        return Ok(());
    }
    let mapper = Mapper::discover(io)?;
    let namespace = io.namespace.clone();
    let mapping = mapper.find("pods")?.clone();
    let response = post(args, io, &mapping, &namespace, pod, dry_run)?;
    if !response.ok() {
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    let created = body(&response);
    if let Some(service) = service {
        if !attach {
            print::action(&created, "created", args, io, &mapper)?;
        }
        let response = post(args, io, mapper.find("services")?, &namespace, service, dry_run)?;
        if !response.ok() {
            return Err(Stop::Fail(vec![server_failure(&response)], 1));
        }
        print::action(&body(&response), "created", args, io, &mapper)?;
    } else if !attach {
        print::action(&created, "created", args, io, &mapper)?;
    }
    if !attach {
        return Ok(());
    }
    let result = attached(args, io, &namespace, name, stdin, tty);
    if matches!(result, Err(Stop::Wait(_))) {
        return result;
    }
    if args.is("rm") {
        let request = io
            .request(Method::Delete, mapping.path(&namespace, name))
            .with_body(map! { "propagationPolicy" => "Background" });
        io.send(request)?;
        if !args.is("quiet") {
            io.line(format!("pod \"{name}\" deleted from {namespace} namespace"));
        }
    }
    result
}

/// Waits for the pod to run or end, shows its log, and carries the session.
fn attached(args: &Args, io: &mut Io<'_, '_>, namespace: &str, name: &str, stdin: bool, tty: bool) -> Outcome {
    let until = io.now() + args.span("pod-running-timeout");
    let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
    let pod = loop {
        let request = io.request(Method::Get, path.clone());
        let pod = io.must(request)?;
        let phase = pod.at(&["status", "phase"]).str();
        if matches!(phase, "Succeeded" | "Failed")
            || (phase == "Running" && crate::api::object::condition_is(&pod, "Ready", "True"))
        {
            break pod;
        }
        if io.now() >= until {
            return fail("timed out waiting for the condition");
        }
        io.sleep(Span::millis(100))?;
    };
    let container = pod.at(&["spec", "containers"])[0]["name"].str().to_string();
    let ended = matches!(pod.at(&["status", "phase"]).str(), "Succeeded" | "Failed");
    super::logs::show_log(io, &pod, &container)?;
    if !ended {
        if !args.is("quiet") {
            super::logs::notice(io);
        }
        match super::logs::attach_to(io, &pod, &container, stdin, tty) {
            Err(Stop::Fail(failures, _)) => {
                let text = failures.first().map(crate::kubectl::Failure::text).unwrap_or_default().to_string();
                io.err(format!("warning: couldn't attach to pod/{name}, falling back to streaming logs: {text}\n"));
            }
            other => {
                other?;
            }
        }
        if tty && stdin && io.sys.terminal.is_some() {
            io.line(format!(
                "Session ended, resume using 'kubectl attach {name} -c {container} -n {namespace} -i -t' command"
            ));
        }
    }
    if args.get("restart") == "Always" {
        return Ok(());
    }
    let until = io.now() + Span::seconds(60);
    loop {
        let request = io.request(Method::Get, path.clone());
        let response = io.send(request)?;
        if !response.ok() {
            return Ok(());
        }
        let pod = body(&response);
        let phase = pod.at(&["status", "phase"]).str();
        if phase == "Succeeded" {
            return Ok(());
        }
        if phase == "Failed" {
            let state = &pod.at(&["status", "containerStatuses"])[0]["state"]["terminated"];
            let code = state["exitCode"].int() as i32;
            let mut text = format!("pod {namespace}/{name} terminated ({})\n", state["reason"].str());
            if !state["message"].str().is_empty() {
                text.push_str(state["message"].str());
                text.push('\n');
            }
            io.err(text);
            return Err(Stop::Exit(code.max(1)));
        }
        if io.now() >= until {
            return Ok(());
        }
        io.sleep(Span::millis(500))?;
    }
}

pub fn expose(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let (found, failures) = select::fetch(args, io, &mapper, Rules::default())?;
    select::finish(failures)?;
    for item in found {
        let object = &item.object;
        let (selector, template) = match item.mapping.kind.as_str() {
            "Pod" => (object.at(&["metadata", "labels"]).clone(), object["spec"].clone()),
            "Service" => (object.at(&["spec", "selector"]).clone(), Value::Null),
            "ReplicationController" => {
                (object.at(&["spec", "selector"]).clone(), object.at(&["spec", "template", "spec"]).clone())
            }
            "Deployment" | "ReplicaSet" => (
                object.at(&["spec", "selector", "matchLabels"]).clone(),
                object.at(&["spec", "template", "spec"]).clone(),
            ),
            kind => {
                return fail(format!(
                    "cannot expose a {}",
                    if item.mapping.group.is_empty() { kind.to_string() } else { item.mapping.qualified_kind() }
                ));
            }
        };
        let selector = match args.get("selector") {
            "" if selector.entries().is_empty() => {
                return fail(
                    "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and \
                     cannot be exposed",
                );
            }
            "" => selector,
            text => pairs(text).unwrap_or_default().into(),
        };
        let protocol = if args.get("protocol").is_empty() { "TCP" } else { args.get("protocol") };
        let target = args.get("target-port");
        let mut ports = Vec::new();
        if args.get("port").is_empty() {
            let known: Vec<Value> = if item.mapping.kind == "Service" {
                object.at(&["spec", "ports"]).items().to_vec()
            } else {
                template["containers"].items().iter().flat_map(|c| c["ports"].items().to_vec()).collect()
            };
            let many = known.len() > 1;
            for (index, port) in known.iter().enumerate() {
                let number = if port["port"].is_null() { port["containerPort"].clone() } else { port["port"].clone() };
                let own = if port["protocol"].str().is_empty() { "TCP" } else { port["protocol"].str() };
                let own = if args.get("protocol").is_empty() { own } else { protocol };
                let aim = if target.is_empty() { number.clone() } else { number_or_text(target) };
                let mut entry = map! { "port" => number, "protocol" => own, "targetPort" => aim };
                if many {
                    entry.set(&["name"], format!("port-{}", index + 1));
                }
                ports.push(entry);
            }
        } else {
            let given: Vec<&str> = args.get("port").split(',').collect();
            let many = given.len() > 1;
            for (index, text) in given.into_iter().enumerate() {
                let Ok(port) = text.parse::<u16>() else {
                    return fail(format!("strconv.Atoi: parsing \"{text}\": invalid syntax"));
                };
                let aim = if target.is_empty() { Value::from(port) } else { number_or_text(target) };
                let mut entry = map! { "port" => port, "protocol" => protocol, "targetPort" => aim };
                if many {
                    entry.set(&["name"], format!("port-{}", index + 1));
                }
                ports.push(entry);
            }
        }
        if ports.is_empty() {
            return fail("couldn't find port via --port flag or introspection");
        }
        let name = if args.get("name").is_empty() { item.name() } else { args.get("name") };
        let mut meta = map! { "name" => name };
        let labels = match args.get("labels") {
            "" => object.at(&["metadata", "labels"]).clone(),
            text => pairs(text).unwrap_or_default().into(),
        };
        if !labels.entries().is_empty() {
            meta.set(&["labels"], labels);
        }
        if io.namespace_forced || dry_run != DryRun::Client {
            meta.set(&["namespace"], item.namespace());
        }
        let mut spec = map! { "ports" => ports, "selector" => selector };
        for (flag, field) in [
            ("type", "type"),
            ("external-ip", "externalIPs"),
            ("load-balancer-ip", "loadBalancerIP"),
            ("session-affinity", "sessionAffinity"),
            ("cluster-ip", "clusterIP"),
        ] {
            let text = args.get(flag);
            if !text.is_empty() {
                spec.set(&[field], if field == "externalIPs" { list![text] } else { text.into() });
            }
        }
        let mut service = map! { "apiVersion" => "v1", "kind" => "Service", "metadata" => meta, "spec" => spec,
        "status" => map! { "loadBalancer" => map! {} } };
        if !args.get("overrides").is_empty()
            && let Ok(overrides) = crate::base::json::parse(args.get("overrides"))
        {
            service = crate::api::patch::merge(&service, &overrides);
        }
        create_and_say(args, io, &mapper, service, item.namespace(), dry_run, "exposed")?;
    }
    Ok(())
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

pub fn autoscale(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.changed("max") {
        return fail("required flag(s) \"max\" not set");
    }
    let (least, most) = (args.int("min"), args.int("max"));
    if most < 1 {
        return fail(format!("--max=MAXPODS is required and must be at least 1, max: {most}"));
    }
    if most < least {
        return fail(format!("--max=MAXPODS must be larger or equal to --min=MINPODS, max: {most}, min: {least}"));
    }
    let mut metrics = Vec::new();
    for name in ["cpu", "memory"] {
        let text = args.get(name);
        if text.is_empty() {
            continue;
        }
        let target = match text.strip_suffix('%').map(str::parse::<i64>) {
            Some(Ok(percent)) => map! { "type" => "Utilization", "averageUtilization" => percent },
            _ => match crate::base::quantity::Quantity::parse(text) {
                Ok(_) => map! { "type" => "AverageValue", "averageValue" => text },
                Err(_) => return fail(format!("invalid resource {name} value: {text}")),
            },
        };
        metrics.push(map! { "type" => "Resource", "resource" => map! { "name" => name, "target" => target } });
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let (found, failures) = select::fetch(args, io, &mapper, Rules::default())?;
    select::finish(failures)?;
    for item in found {
        if !item.mapping.subresources.iter().any(|sub| sub == "scale") {
            return fail(format!(
                "cannot autoscale a {}: could not find scale subresource for {} in discovery information",
                item.mapping.kind,
                item.mapping.gvr()
            ));
        }
        let name = if args.get("name").is_empty() { item.name() } else { args.get("name") };
        let mut spec = map! { "maxReplicas" => most, "scaleTargetRef" => map! {
        "apiVersion" => item.mapping.api_version(), "kind" => item.mapping.kind.as_str(), "name" => item.name() } };
        if least > 0 {
            spec.set(&["minReplicas"], least);
        }
        if !metrics.is_empty() {
            spec.set(&["metrics"], metrics.clone());
        }
        let mut meta = map! { "name" => name };
        if io.namespace_forced {
            meta.set(&["namespace"], io.namespace.as_str());
        }
        let object = map! { "apiVersion" => "autoscaling/v2", "kind" => "HorizontalPodAutoscaler", "metadata" => meta,
        "spec" => spec, "status" => map! { "currentMetrics" => Value::Null, "desiredReplicas" => 0 } };
        create_and_say(args, io, &mapper, object, item.namespace(), dry_run, "autoscaled")?;
    }
    Ok(())
}
