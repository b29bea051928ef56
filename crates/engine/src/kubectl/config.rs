//! The kubeconfig file: which cluster, which user, which namespace; and what the flags change in it.

use super::args::Args;
use super::io::{Failure, Io, Outcome, Stop, fail, fail_full};
use crate::base::http::{Method, User};
use crate::base::{Span, Value, yaml, yaml_emit};
use crate::{list, map};

/// What a preset writes to ~/.kube/config.
pub fn default_config(cluster: &str, server: &str, user: &str, context: &str, namespace: &str) -> String {
    let mut entry = map! { "cluster" => cluster, "user" => user };
    if !namespace.is_empty() {
        entry.set(&["namespace"], namespace);
    }
    let certificate = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==";
    let config = map! {
        "apiVersion" => "v1", "kind" => "Config", "current-context" => context,
        "clusters" => list![map! { "name" => cluster, "cluster" => map! {
            "server" => server, "certificate-authority-data" => certificate } }],
        "contexts" => list![map! { "name" => context, "context" => entry }],
        "users" => list![map! { "name" => user, "user" => map! {
            "client-certificate-data" => certificate, "client-key-data" => certificate } }],
    };
    yaml_emit::emit(&config)
}

/// The files in use, the first counting most: flag, environment, home.
pub fn paths(args: &Args, io: &Io<'_, '_>) -> Vec<String> {
    let flag = args.get("kubeconfig");
    if !flag.is_empty() {
        return vec![flag.into()];
    }
    let listed = io.sys.env.get("KUBECONFIG").map_or("", String::as_str).split(':').filter(|part| !part.is_empty());
    let mut out: Vec<String> = Vec::new();
    for path in listed {
        if !out.iter().any(|known| known == path) {
            out.push(path.into());
        }
    }
    if out.is_empty() {
        out.push(format!("{}/.kube/config", io.sys.env.get("HOME").map_or("/root", String::as_str)));
    }
    out
}

/// Where new entries go: the first file that exists, else the last of the list.
pub fn path(args: &Args, io: &Io<'_, '_>) -> String {
    let mut paths = paths(args, io);
    let there = paths.iter().position(|path| io.sys.files.read_text(io.sys.cwd, path).is_ok());
    match there {
        Some(index) => paths.swap_remove(index),
        None => paths.pop().unwrap_or_default(),
    }
}

/// One file of the list; `None` when it is not there.
pub fn read(path: &str, io: &Io<'_, '_>) -> Outcome<Option<Value>> {
    if path == "/dev/null" {
        return Ok(Some(Value::Null));
    }
    let Ok(text) = io.sys.files.read_text(io.sys.cwd, path) else { return Ok(None) };
    match yaml::parse(&text) {
        Ok(value) if value.as_map().is_some() || value.is_null() => Ok(Some(value)),
        Ok(_) => fail(format!("error loading config file \"{path}\": couldn't get version/kind; json parse error")),
        Err(error) => fail(format!("error loading config file \"{path}\": {}", error.text)),
    }
}

/// All files as one: of several entries of one name the first counts.
pub fn load(args: &Args, io: &Io<'_, '_>) -> Outcome<Value> {
    let mut all = Value::Null;
    for path in paths(args, io) {
        let Some(file) = read(&path, io)? else {
            if !args.get("kubeconfig").is_empty() && !args.command.starts_with("config set") {
                return fail(format!("stat {path}: no such file or directory"));
            }
            continue;
        };
        if all.is_null() {
            all = file;
            continue;
        }
        if all["current-context"].str().is_empty() {
            all.set(&["current-context"], file["current-context"].clone());
        }
        for list in LISTS {
            let mut items = all[list].items().to_vec();
            let new = file[list].items().iter().filter(|item| entry(&all, list, item["name"].str()).is_none());
            items.extend(new.cloned());
            all.set(&[list], items);
        }
    }
    Ok(all)
}

pub const LISTS: [&str; 3] = ["clusters", "contexts", "users"];

/// The entry of a named list (`contexts`, `clusters`, `users`).
pub fn entry<'a>(config: &'a Value, list: &str, name: &str) -> Option<&'a Value> {
    config[list].items().iter().find(|item| item["name"].str() == name)
}

/// Takes namespace and identity from the kubeconfig and the flags.
pub fn connect(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let config = load(args, io)?;
    let flag = args.get("context");
    let current = if flag.is_empty() { config["current-context"].str() } else { flag };
    let context = match entry(&config, "contexts", current) {
        Some(context) => context["context"].clone(),
        None if current.is_empty() => Value::Null,
        None => {
            let text = format!("Error in configuration: context was not found for specified context: {current}");
            return fail_full(text);
        }
    };
    // A command's own flag of that name (`create rolebinding --user`) hides the connection's.
    let own = |name: &str| {
        super::args::command(&args.command).is_some_and(|command| command.flags.iter().any(|flag| flag.name == name))
    };
    let connection = |name: &'static str| if own(name) { "" } else { args.get(name) };
    let cluster = match connection("cluster") {
        "" => context["cluster"].str().to_string(),
        name if entry(&config, "clusters", name).is_none() => {
            return fail(format!("no server found for cluster \"{name}\""));
        }
        name => name.to_string(),
    };
    let user_name = match connection("user") {
        "" => context["user"].str().to_string(),
        name if entry(&config, "users", name).is_none() => {
            return fail(format!("auth info \"{name}\" does not exist"));
        }
        name => name.to_string(),
    };
    let server = entry(&config, "clusters", &cluster).map_or("", |c| c.at(&["cluster", "server"]).str());
    let server = if args.get("server").is_empty() { server } else { args.get("server") };
    if server.is_empty() {
        let refused =
            "The connection to the server localhost:8080 was refused - did you specify the right host or port?";
        return Err(Stop::Fail(vec![Failure::Full(refused.into())], 1));
    }
    io.server = server.to_string();
    let known = config["clusters"].items().iter().any(|cluster| cluster.at(&["cluster", "server"]).str() == server);
    if !known {
        reach(server, io)?;
    }
    let namespace = args.get("namespace");
    io.namespace_forced = !namespace.is_empty();
    io.namespace = match (namespace, context["namespace"].str()) {
        ("", "") => "default".into(),
        ("", own) => own.into(),
        (flag, _) => flag.into(),
    };
    let limit = args.get("request-timeout");
    let span = match limit.parse::<i64>() {
        Ok(seconds) => seconds.clamp(0, 1 << 30).saturating_mul(1_000_000_000),
        Err(_) => match crate::base::duration::parse_nanos(limit) {
            Ok(nanos) => nanos,
            Err(_) => {
                return fail(
                    "Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a \
                     corresponding time unit (e.g. 1s | 2m | 3h)",
                );
            }
        },
    };
    // Nothing is answered within a millisecond.
    if (1..1_000_000).contains(&span) {
        return fail_full("context deadline exceeded");
    }
    let user = entry(&config, "users", &user_name).map_or(&crate::base::value::NULL, |user| &user["user"]);
    let token = if args.get("token").is_empty() { user["token"].str() } else { args.get("token") };
    io.user = match (token, bearer(token)) {
        ("", _) => identity(&user_name, user),
        (_, Some(user)) => user,
        (_, None) => return fail("You must be logged in to the server (Unauthorized)"),
    };
    let (by, groups) = (args.get("as"), args.list("as-group"));
    if by.is_empty() && !groups.is_empty() {
        return fail(format!("requesting uid, groups or user-extra for {} without impersonating a user", io.user.name));
    }
    if !by.is_empty() {
        io.user = impersonated(by, groups);
    }
    Ok(())
}

/// A server that no kubeconfig names: a proxy on this machine, an API server under another address, or nobody.
fn reach(server: &str, io: &mut Io<'_, '_>) -> Outcome {
    let (scheme, rest) = server.split_once("://").unwrap_or(("http", server));
    let place = rest.split('/').next().unwrap_or_default();
    let host = place.rsplit_once(':').map_or(place, |(host, _)| host);
    let port = match place.rsplit_once(':') {
        Some((_, port)) => port,
        None if scheme == "https" => "443",
        None => "80",
    };
    let is_number = |host: &str| host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok());
    let local = host == "localhost" || host.starts_with("127.");
    if !local && port == "6443" {
        return Ok(());
    }
    let address = if host == "localhost" { "127.0.0.1" } else { host };
    let (why, wait) = match (local, is_number(host)) {
        (true, _) => (format!("dial tcp {address}:{port}: connect: connection refused"), Span::ZERO),
        (_, true) => (format!("dial tcp {address}:{port}: i/o timeout"), Span::seconds(30)),
        _ => (format!("dial tcp: lookup {host} on 127.0.0.53:53: no such host"), Span::ZERO),
    };
    if local {
        let mut request = io.request(Method::Get, "/api");
        request.host = format!("127.0.0.1:{port}").into();
        let answer = io.send(request)?;
        if answer.ok() && answer.code != 0 {
            return Ok(());
        }
    }
    for _ in 0..5 {
        io.sleep(wait)?;
        io.klog(
            'E',
            "memcache.go:381",
            &format!(
                "\"Couldn't get current server API group list\" err=\"Get \\\"{scheme}://{place}/api?timeout=32s\\\": \
                 {why}\""
            ),
        );
    }
    fail_full(match local {
        true => format!("The connection to the server {place} was refused - did you specify the right host or port?"),
        false => format!("Unable to connect to the server: {why}"),
    })
}

/// Who a bearer token speaks for: a service account, or nobody.
fn bearer(token: &str) -> Option<User> {
    let claims = token.split('.').nth(1)?.replace('-', "+").replace('_', "/");
    let padded = format!("{claims}{}", "=".repeat((4 - claims.len() % 4) % 4));
    let claims = crate::base::json::parse(&String::from_utf8(yaml::base64(&padded)?).ok()?).ok()?;
    let name = claims["sub"].str();
    name.starts_with("system:serviceaccount:").then(|| impersonated(name, &[]))
}

/// Whom a user entry stands for.
pub fn identity(name: &str, user: &Value) -> User {
    if !user["as"].str().is_empty() {
        let groups: Vec<String> = user["as-groups"].items().iter().map(|g| g.str().to_string()).collect();
        return impersonated(user["as"].str(), &groups);
    }
    if let Some(user) = certified(user["client-certificate-data"].str()) {
        return user;
    }
    let admin = name == "kubernetes-admin" || name.is_empty();
    let groups: &[&str] = if admin { &["system:masters", "system:authenticated"] } else { &["system:authenticated"] };
    let name = if name.is_empty() { "kubernetes-admin" } else { name };
    User { name: name.into(), groups: groups.iter().map(|g| (*g).into()).collect() }
}

/// Who a client certificate names: `CN=name, O=group` between the marks.
fn certified(data: &str) -> Option<User> {
    let bytes = yaml::base64(data)?;
    let text = String::from_utf8(bytes).ok()?;
    let line = text.lines().find(|line| line.starts_with("CN="))?;
    let (name, group) = line.strip_prefix("CN=")?.split_once(", O=")?;
    let groups = [group, "system:authenticated"].map(Into::into).into();
    Some(User { name: name.into(), groups })
}

fn impersonated(name: &str, groups: &[String]) -> User {
    let mut all: Vec<crate::base::SmolStr> = groups.iter().map(|group| group.as_str().into()).collect();
    if all.is_empty()
        && let Some(rest) = name.strip_prefix("system:serviceaccount:")
    {
        all.push("system:serviceaccounts".into());
        if let Some((namespace, _)) = rest.split_once(':') {
            all.push(format!("system:serviceaccounts:{namespace}").into());
        }
    }
    if !all.iter().any(|group| group == "system:authenticated") && name != "system:anonymous" {
        all.push("system:authenticated".into());
    }
    User { name: name.into(), groups: all }
}
