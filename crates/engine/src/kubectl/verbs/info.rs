//! Verbs that tell: version, api-resources, api-versions, cluster-info, top, events, auth.

use crate::base::http::Method;
use crate::base::{Time, Value, columns, duration, json, yaml_emit};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Io, Outcome, Stop, fail, usage};
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::print::{self, Format};
use crate::kubectl::select;
use crate::map;

pub fn version(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return fail(format!("extra arguments: [{}]", args.words.join(" ")));
    }
    let output = args.get("output");
    if !matches!(output, "" | "yaml" | "json") {
        return fail("--output must be 'yaml' or 'json'");
    }
    let client = args.is("client");
    let server = if client {
        Value::Null
    } else {
        let request = io.request(Method::Get, "/version");
        io.must(request)?
    };
    let own = map! { "buildDate" => "2026-11-10T12:00:00Z", "compiler" => "gc",
    "gitCommit" => "6f3c1a2f0f0b7a5e3c7e9d4b8a1c2d3e4f506172", "gitTreeState" => "clean",
    "gitVersion" => "v1.37.2", "goVersion" => "go1.26.8", "major" => "1", "minor" => "37",
    "platform" => "linux/amd64" };
    match output {
        "" => {
            io.out("Client Version: v1.37.2\nKustomize Version: v5.8.1\n");
            if !client {
                io.line(format!("Server Version: {}", server["gitVersion"].str()));
            }
        }
        format => {
            let mut all = map! { "clientVersion" => own, "kustomizeVersion" => "v5.8.1" };
            if !client {
                all.set(&["serverVersion"], server);
            }
            io.out(if format == "yaml" { yaml_emit::emit(&all) + "\n" } else { json::pretty(&all, 2) + "\n" });
        }
    }
    Ok(())
}

pub fn api_versions(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return usage("api-versions", format!("unexpected arguments: [{}]", args.words.join(" ")));
    }
    let mut versions = Mapper::discover(io)?.versions.clone();
    versions.sort();
    for version in versions {
        io.line(version);
    }
    Ok(())
}

pub fn api_resources(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return usage("api-resources", format!("unexpected arguments: [{}]", args.words.join(" ")));
    }
    let output = args.get("output").to_string();
    if !matches!(output.as_str(), "" | "wide" | "name" | "yaml" | "json") {
        return fail(format!(
            "unable to match a printer suitable for the output format \"{output}\", allowed formats are: \
             json,kyaml,name,wide,yaml"
        ));
    }
    let mapper = Mapper::discover(io)?;
    let verbs = args.split("verbs");
    let categories = args.split("categories");
    let mut seen: Vec<(String, String)> = Vec::new();
    let mut found: Vec<&Mapping> = mapper
        .all
        .iter()
        .filter(|m| !m.verbs.is_empty())
        .filter(|m| !args.changed("namespaced") || m.namespaced == args.is("namespaced"))
        .filter(|m| !args.changed("api-group") || m.group == args.get("api-group"))
        .filter(|m| verbs.iter().all(|verb| m.verbs.contains(verb)))
        .filter(|m| categories.iter().all(|c| m.categories.contains(c)))
        .filter(|m| {
            let key = (m.group.clone(), m.resource.clone());
            let new = !seen.contains(&key);
            seen.push(key);
            new
        })
        .collect();
    match args.get("sort-by") {
        "name" => found.sort_by(|a, b| a.resource.cmp(&b.resource)),
        "kind" => found.sort_by(|a, b| a.kind.cmp(&b.kind)),
        "" => found.sort_by(|a, b| (&a.group, &a.resource).cmp(&(&b.group, &b.resource))),
        _ => return fail("--sort-by accepts only name or kind"),
    }
    if output == "name" {
        for mapping in found {
            io.line(mapping.qualified());
        }
        return Ok(());
    }
    if output == "yaml" || output == "json" {
        let resources: Vec<Value> = found.iter().map(|mapping| described(mapping)).collect();
        let all =
            map! { "kind" => "APIResourceList", "apiVersion" => "v1", "groupVersion" => "", "resources" => resources };
        io.out(if output == "yaml" { yaml_emit::emit(&all) } else { json::pretty(&all, 4) + "\n" });
        return Ok(());
    }
    let wide = output == "wide";
    let mut rows = Vec::new();
    if !args.is("no-headers") {
        let mut header = vec!["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND"];
        if wide {
            header.extend(["VERBS", "CATEGORIES"]);
        }
        rows.push(header.into_iter().map(str::to_string).collect::<Vec<_>>());
    }
    for m in found {
        let mut row = vec![
            m.resource.clone(),
            m.short_names.join(","),
            m.api_version(),
            m.namespaced.to_string(),
            m.kind.clone(),
        ];
        if wide {
            row.extend([m.verbs.join(","), m.categories.join(",")]);
        }
        rows.push(row);
    }
    io.out(columns::table(&rows, &mut Vec::new()));
    Ok(())
}

/// A resource as its discovery document has it; empty fields are left out.
fn described(mapping: &Mapping) -> Value {
    let list = |texts: &[String]| Value::list(texts.iter().map(|text| Value::text(text.as_str())).collect());
    let mut all = map! {
        "name" => mapping.resource.as_str(), "singularName" => mapping.singular.as_str(),
        "namespaced" => mapping.namespaced, "group" => mapping.group.as_str(), "version" => mapping.version.as_str(),
        "kind" => mapping.kind.as_str(), "verbs" => list(&mapping.verbs), "shortNames" => list(&mapping.short_names),
        "categories" => list(&mapping.categories),
    };
    for field in ["group", "shortNames", "categories"] {
        if all[field].is_empty() {
            all.remove(&[field]);
        }
    }
    all
}

pub fn cluster_info(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mapper = Mapper::discover(io)?;
    let config = crate::kubectl::config::load(args, io)?;
    let name = match args.get("context") {
        "" => config["current-context"].str().to_string(),
        flag => flag.to_string(),
    };
    let cluster = crate::kubectl::config::entry(&config, "contexts", &name)
        .map(|context| context.at(&["context", "cluster"]).str().to_string())
        .unwrap_or_default();
    let server = crate::kubectl::config::entry(&config, "clusters", &cluster)
        .map(|cluster| cluster.at(&["cluster", "server"]).str().trim_end_matches('/').to_string())
        .unwrap_or_default();
    let paint = |name: &str, address: &str, io: &mut Io<'_, '_>| {
        if io.sys.terminal.is_some() {
            io.line(format!("\u{1b}[0;32m{name}\u{1b}[0m is running at \u{1b}[0;33m{address}\u{1b}[0m"));
        } else {
            io.line(format!("{name} is running at {address}"));
        }
    };
    paint("Kubernetes control plane", &server, io);
    let services = mapper.find("services")?.clone();
    let label = "kubernetes.io/cluster-service=true";
    if let Ok(found) = select::list(io, &services, "kube-system", label, "")? {
        for service in found {
            let meta = &service["metadata"];
            let shown = meta["labels"].get("kubernetes.io/name").str();
            let shown = if shown.is_empty() { meta["name"].str() } else { shown };
            let port = &service.at(&["spec", "ports"])[0];
            let port = if port["name"].str().is_empty() { String::new() } else { format!(":{}", port["name"].str()) };
            let address = format!("{server}/api/v1/namespaces/kube-system/services/{}{port}/proxy", meta["name"].str());
            paint(shown, &address, io);
        }
    }
    io.out("\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n");
    Ok(())
}

pub fn top(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let by = args.get("sort-by");
    if !matches!(by, "" | "cpu" | "memory") {
        return fail("--sort-by accepts only cpu or memory");
    }
    let mapper = Mapper::discover(io)?;
    if !mapper.all.iter().any(|m| m.group == "metrics.k8s.io") {
        return fail("Metrics API not available");
    }
    fail("metrics not available yet")
}

pub fn events(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let types = args.split("types");
    if types.iter().any(|t| !matches!(t.to_lowercase().as_str(), "normal" | "warning")) {
        return fail("valid --types are Normal or Warning");
    }
    let mapper = Mapper::discover(io)?;
    let wanted = match args.get("for") {
        "" => None,
        text => {
            let Some((kind, name)) = text.split_once('/') else {
                return fail("--for must be in resource/name form");
            };
            let Some(mapping) = mapper.look(kind) else {
                return crate::kubectl::io::fail_full(format!("the server doesn't have a resource type \"{kind}\""));
            };
            Some((mapping.kind.clone(), mapping.api_version(), name.to_string()))
        }
    };
    let all = args.is("all-namespaces");
    let namespace = if all { String::new() } else { io.namespace.clone() };
    let mapping = mapper.find("events")?.clone();
    let fields = wanted
        .as_ref()
        .map_or(String::new(), |(kind, _, name)| format!("involvedObject.kind={kind},involvedObject.name={name}"));
    let mut events = match select::list(io, &mapping, &namespace, "", &fields)? {
        Ok(events) => events,
        Err(failure) => return select::finish(vec![failure]),
    };
    events.retain(|event| {
        let on = &event["involvedObject"];
        let kind = event["type"].str().to_lowercase();
        (types.is_empty() || types.iter().any(|t| t.to_lowercase() == kind))
            && wanted.as_ref().is_none_or(|(k, version, name)| {
                on["kind"].str() == k && on["name"].str() == name && on["apiVersion"].str() == version
            })
    });
    events.sort_by_cached_key(last_seen);
    if !args.get("output").is_empty() {
        let format = Format::read(args, io, false)?;
        return print::object(&print::list_of(events), &format, args, io, &mut Vec::new(), true);
    }
    if events.is_empty() {
        if all {
            io.err("No events found.\n");
        } else {
            io.err(format!("No events found in {namespace} namespace.\n"));
        }
        return Ok(());
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    if !args.is("no-headers") {
        let mut header = vec!["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];
        if all {
            header.insert(0, "NAMESPACE");
        }
        rows.push(header.into_iter().map(str::to_string).collect());
    }
    for event in &events {
        let on = &event["involvedObject"];
        let mut row = vec![
            age(event, io.now()),
            event["type"].str().to_string(),
            event["reason"].str().to_string(),
            format!("{}/{}", on["kind"].str(), on["name"].str()),
            event["message"].str().trim().to_string(),
        ];
        if all {
            row.insert(0, event.at(&["metadata", "namespace"]).str().to_string());
        }
        rows.push(row);
    }
    io.out(columns::table(&rows, &mut Vec::new()));
    Ok(())
}

/// When an event happened last.
pub fn last_seen(event: &Value) -> Option<Time> {
    let times = [
        event.at(&["series", "lastObservedTime"]),
        &event["lastTimestamp"],
        &event["eventTime"],
        event.at(&["metadata", "creationTimestamp"]),
    ];
    times.into_iter().find_map(|time| Time::parse(time.str()))
}

/// `3m22s (x2 over 4m52s)`
pub fn age(event: &Value, now: Time) -> String {
    let first = Time::parse(event["firstTimestamp"].str()).or_else(|| Time::parse(event["eventTime"].str()));
    let human = |at: Option<Time>| at.map_or("<unknown>".to_string(), |at| duration::human(now - at));
    let count = match event.at(&["series", "count"]).as_int() {
        Some(count) => count,
        None => event["count"].int(),
    };
    if count > 1 {
        format!("{} (x{count} over {})", human(last_seen(event)), human(first))
    } else {
        let since = first.or_else(|| last_seen(event));
        human(if event["lastTimestamp"].is_null() { since } else { last_seen(event) })
    }
}

pub fn can_i(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.is("no-headers") {
        return fail("--no-headers cannot be set without --list specified");
    }
    let [verb, resource] = args.words.as_slice() else {
        return fail(
            "you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' \
             for help and examples.",
        );
    };
    let mapper = Mapper::discover(io)?;
    let mut spec = if resource.starts_with('/') {
        map! { "nonResourceAttributes" => map! { "path" => resource, "verb" => verb } }
    } else {
        let (word, name) = resource.split_once('/').unwrap_or((resource, ""));
        let mut attributes = map! { "verb" => verb, "name" => name };
        match mapper.look(word) {
            Some(mapping) => {
                attributes.set(&["group"], mapping.group.as_str());
                attributes.set(&["resource"], mapping.resource.as_str());
                attributes.set(&["version"], mapping.version.as_str());
                if !mapping.namespaced {
                    if !args.is("quiet") {
                        io.err(format!("Warning: resource '{}' is not namespace scoped", mapping.resource));
                        if !mapping.group.is_empty() {
                            io.err(format!(" in group '{}'", mapping.group));
                        }
                        io.err("\n\n");
                    }
                } else if !args.is("all-namespaces") {
                    attributes.set(&["namespace"], io.namespace.as_str());
                }
            }
            None => {
                if word != "*" {
                    io.err(format!("Warning: the server doesn't have a resource type '{word}'\n\n"));
                }
                attributes.set(&["resource"], word);
                attributes.set(&["namespace"], io.namespace.as_str());
            }
        }
        const KNOWN: [&str; 16] = [
            "get",
            "list",
            "watch",
            "create",
            "update",
            "patch",
            "delete",
            "deletecollection",
            "use",
            "bind",
            "impersonate",
            "*",
            "approve",
            "sign",
            "escalate",
            "attest",
        ];
        if !KNOWN.contains(&verb.as_str()) {
            io.err(format!("Warning: verb '{verb}' is not a known verb\n\n"));
        }
        if !args.get("subresource").is_empty() {
            attributes.set(&["subresource"], args.get("subresource"));
        }
        map! { "resourceAttributes" => attributes }
    };
    spec = map! { "apiVersion" => "authorization.k8s.io/v1", "kind" => "SelfSubjectAccessReview", "spec" => spec };
    let request = io.request(Method::Post, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews").with_body(spec);
    let answer = io.must(request)?;
    let allowed = answer.at(&["status", "allowed"]).is_true();
    if !args.is("quiet") {
        let reason = answer.at(&["status", "reason"]).str();
        let reason = if allowed || reason.is_empty() { String::new() } else { format!(" - {reason}") };
        io.line(format!("{}{reason}", if allowed { "yes" } else { "no" }));
    }
    if allowed { Ok(()) } else { Err(Stop::Exit(1)) }
}

pub fn whoami(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let review = map! { "apiVersion" => "authentication.k8s.io/v1", "kind" => "SelfSubjectReview" };
    let request = io.request(Method::Post, "/apis/authentication.k8s.io/v1/selfsubjectreviews").with_body(review);
    let answer = io.must(request)?;
    if !args.get("output").is_empty() {
        let format = Format::read(args, io, false)?;
        return print::object(&answer, &format, args, io, &mut Vec::new(), true);
    }
    let user = answer.at(&["status", "userInfo"]);
    let list = |value: &Value| {
        let items: Vec<&str> = value.items().iter().map(Value::str).collect();
        format!("[{}]", items.join(" "))
    };
    let mut rows = vec![vec!["ATTRIBUTE".to_string(), "VALUE".to_string()]];
    if !user["username"].str().is_empty() {
        rows.push(vec!["Username".into(), user["username"].str().into()]);
    }
    if !user["uid"].str().is_empty() {
        rows.push(vec!["UID".into(), user["uid"].str().into()]);
    }
    if !user["groups"].items().is_empty() {
        rows.push(vec!["Groups".into(), list(&user["groups"])]);
    }
    for (key, value) in user["extra"].entries().iter() {
        rows.push(vec![format!("Extra: {key}"), list(value)]);
    }
    io.out(columns::table(&rows, &mut Vec::new()));
    Ok(())
}
