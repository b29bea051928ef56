//! `kubectl set image|env|resources|serviceaccount|selector`: one field of what is there. Left out: values of
//! containers' resources under `--resolve`.

use super::change::{NO_RESOURCE, Refusal, send_change, split_pairs};
use crate::api::decode::decode_base64;
use crate::api::selector::Labels;
use crate::api::validation::names;
use crate::base::goquote::quote;
use crate::base::http::Method;
use crate::base::quantity::Quantity;
use crate::base::{BTreeMap, Map, Value};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, fail};
use crate::kubectl::manifest;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::print;
use crate::kubectl::select::{self, Found};
use crate::map;
use crate::process::rerun;

/// Where a kind keeps its pod template's spec.
pub fn pod_spec_path(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "Pod" => Some(&["spec"]),
        "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet" | "Job" | "ReplicationController" => {
            Some(&["spec", "template", "spec"])
        }
        "CronJob" => Some(&["spec", "jobTemplate", "spec", "template", "spec"]),
        _ => None,
    }
}

/// What is set in a pod template.
enum What {
    Images(Vec<(String, String)>),
    Env(Env),
    Resources { limits: Amounts, requests: Amounts },
    Account(String),
}

type Amounts = Vec<(String, String)>;

/// Variables to put and to take away.
#[derive(Clone, Default)]
struct Env {
    put: Vec<Value>,
    gone: Vec<String>,
}

impl What {
    /// What is said of it, and what stands before the server's refusal of the patch.
    fn words(&self) -> (&'static str, &'static str) {
        match self {
            What::Images(_) => ("image updated", "failed to patch image update to pod template:"),
            What::Env(_) => ("env updated", "failed to patch env update to pod template:"),
            What::Resources { .. } => {
                ("resource requirements updated", "failed to patch resources update to pod template")
            }
            What::Account(_) => ("serviceaccount updated", "failed to patch ServiceAccountName"),
        }
    }
}

pub fn set(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.as_str() {
        "set image" => image(args, io),
        "set env" => env(args, io),
        "set resources" => resources(args, io),
        "set selector" => selector(args, io),
        _ => {
            let Some((account, words)) = args.words.split_last() else { return fail("serviceaccount is required") };
            check_local(args)?;
            let (mapper, found) = find(args, io, words.to_vec())?;
            apply(args, io, &mapper, &found, &What::Account(account.clone()))
        }
    }
}

type Targets = (std::sync::Arc<Mapper>, Vec<Found>);

/// All objects meant; one that is missing ends the verb.
fn find(args: &Args, io: &mut Io<'_, '_>, words: Vec<String>) -> Outcome<Targets> {
    let mapper = Mapper::discover(io)?;
    if args.is("local") && !words.is_empty() {
        return fail(
            "you can not specify individual resources when local=true, a file must be provided (--local and resource \
             names cannot be used together)",
        );
    }
    let inner = args.with_words(words);
    let fetched = io.once(|io| select::fetch_or_local(&inner, io, &mapper))?;
    let (found, failures) = fetched.as_ref().clone();
    if failures.is_empty() { Ok((mapper, found)) } else { select::finish(failures).map(|()| (mapper, found)) }
}

fn check_local(args: &Args) -> Outcome {
    if args.is("local") && args.dry_run()? == DryRun::Server {
        return fail("cannot specify --local and --dry-run=server - did you mean --dry-run=client?");
    }
    Ok(())
}

const ALL_AND_SELECTOR: &str = "cannot set --all and --selector at the same time";

fn image(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let (resources, pairs) = split_pairs(&args.words, "image")?;
    let wrong: Vec<&str> = pairs.iter().filter(|pair| !pair.contains('=')).map(String::as_str).collect();
    if !wrong.is_empty() {
        return fail(format!("invalid image format: {}", wrong.join(", ")));
    }
    let images: Vec<(String, String)> =
        pairs.iter().filter_map(|pair| pair.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect();
    let none = resources.is_empty() && !manifest::given(args);
    let (mapper, found) = find(args, io, resources)?;
    let mut wrong: Vec<&str> = Vec::new();
    if args.is("all") && !args.get("selector").is_empty() {
        wrong.push(ALL_AND_SELECTOR);
    }
    if none {
        wrong.push(NO_RESOURCE);
    }
    if images.is_empty() {
        wrong.push("at least one image update is required");
    } else if images.len() > 1 && images.iter().any(|(name, _)| name == "*") {
        wrong.push(
            "all containers are already specified by *, but saw more than one container_name=container_image pairs",
        );
    }
    if !wrong.is_empty() {
        return select::finish(wrong.into_iter().map(|text| Failure::Plain(text.into())).collect());
    }
    check_local(args)?;
    apply(args, io, &mapper, &found, &What::Images(images))
}

fn resources(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let (mapper, found) = find(args, io, args.words.clone())?;
    check_local(args)?;
    if args.is("all") && !args.get("selector").is_empty() {
        return fail(ALL_AND_SELECTOR);
    }
    if args.get("limits").is_empty() && args.get("requests").is_empty() {
        return fail("you must specify an update to requests or limits (in the form of --requests/--limits)");
    }
    let (limits, requests) = (amounts(args.get("limits"))?, amounts(args.get("requests"))?);
    apply(args, io, &mapper, &found, &What::Resources { limits, requests })
}

fn amounts(text: &str) -> Outcome<Amounts> {
    let mut out = Vec::new();
    for part in text.split(',').filter(|_| !text.is_empty()) {
        let [name, amount] = part.split('=').collect::<Vec<_>>()[..] else {
            return fail(format!("invalid argument syntax {part}, expected <resource>=<value>"));
        };
        if let Err(error) = Quantity::parse(amount) {
            return fail(error.to_string());
        }
        out.push((name.to_string(), amount.to_string()));
    }
    Ok(out)
}

fn env(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.is("all") && !args.get("selector").is_empty() {
        return fail(ALL_AND_SELECTOR);
    }
    let is_env = |word: &String| (word.contains('=') && !word.starts_with('=')) || word.ends_with('-');
    let at = args.words.iter().position(is_env).unwrap_or(args.words.len());
    let (resources, specs) = args.words.split_at(at);
    if !specs.iter().all(is_env) {
        return fail(format!("all resources must be specified before environment changes: {}", args.words.join(" ")));
    }
    check_local(args)?;
    if args.list("filename").is_empty() && resources.is_empty() {
        return fail(NO_RESOURCE);
    }
    if args.is("list") && !args.get("output").is_empty() {
        return fail("--list and --output may not be specified together");
    }
    if !args.list("keys").is_empty() && args.get("from").is_empty() {
        return fail("when specifying --keys, a configmap or secret must be provided with --from");
    }
    let mut change = Env::default();
    for spec in args.list("env").iter().chain(specs) {
        if spec == "-" {
            let text = io.stdin()?;
            for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
                if let Some((name, value)) = line.split_once('=') {
                    change.put.push(map! { "name" => name, "value" => value });
                }
            }
        } else if let Some((name, value)) = spec.split_once('=') {
            if let Some(why) = names::env_key(name) {
                return fail(format!("\"{name}\" is not a valid key name: {why}"));
            }
            change.put.push(map! { "name" => name, "value" => value });
        } else if let Some(name) = spec.strip_suffix('-') {
            change.gone.push(name.into());
        } else {
            return fail(format!("unknown environment variable: {spec}"));
        }
    }
    if change.put.iter().any(|variable| change.gone.iter().any(|name| variable["name"].str() == name)) {
        return fail("can not both modify and remove the same environment variable in the same command");
    }
    if !args.get("from").is_empty() {
        change.put.extend(from(args, io)?);
    }
    let prefix = args.get("prefix");
    for variable in change.put.iter_mut().filter(|_| !prefix.is_empty()) {
        let name = format!("{prefix}{}", variable["name"].str());
        variable.set(&["name"], name);
    }
    let (mapper, found) = find(args, io, resources.to_vec())?;
    apply(args, io, &mapper, &found, &What::Env(change))
}

/// Variables for the keys of a ConfigMap or Secret.
fn from(args: &Args, io: &mut Io<'_, '_>) -> Outcome<Vec<Value>> {
    let (_, found) = find(args, io, vec![args.get("from").into()])?;
    let wanted = args.split("keys");
    let mut out = Vec::new();
    for item in &found {
        let field = match item.mapping.kind.as_str() {
            "ConfigMap" => "configMapKeyRef",
            "Secret" => "secretKeyRef",
            _ => return fail("unsupported resource specified in --from"),
        };
        for key in item.object["data"].entries().iter().map(|(key, _)| key) {
            if !wanted.is_empty() && !wanted.iter().any(|name| name == key.as_str()) {
                continue;
            }
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_uppercase() } else { '_' };
            let name: String = key.chars().map(plain).collect();
            if name != key.as_str() {
                io.warn(&format!("key {key} transferred to {name}"));
            }
            let source = map! { "key" => key.as_str(), "name" => item.name() };
            out.push(map! { "name" => name, "valueFrom" => map! { field => source } });
        }
    }
    Ok(out)
}

/// Changes every pod template and sends what became of it.
fn apply(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, found: &[Found], what: &What) -> Outcome {
    let dry_run = if args.is("local") { DryRun::Client } else { args.dry_run()? };
    let (done, refused) = what.words();
    let failures = io.over(found, |io, item, failures| {
        let refuse =
            |text: String| Failure::Plain(format!("error: {}/{} {text}\n", item.mapping.resource, item.name()));
        let mut after = item.object.clone();
        let Some(path) = pod_spec_path(&item.mapping.kind) else {
            failures.push(match item.mapping.unregistered() {
                Some(text) => Failure::Plain(text),
                None => refuse(format!(
                    "the object is not a pod or does not have a pod template: *{}.{}",
                    item.mapping.version, item.mapping.kind
                )),
            });
            return Ok(());
        };
        let mut spec = after.at(path).clone();
        match what {
            What::Images(images) => {
                for name in set_images(&mut spec, images) {
                    failures.push(Failure::Plain(format!("error: unable to find container named \"{name}\"")));
                }
            }
            What::Env(env) => {
                if let Err(text) = set_env(args, io, item, &mut spec, env) {
                    failures.push(refuse(text));
                    return Ok(());
                }
                if args.is("list") {
                    return list_env(args, io, item, &spec, failures);
                }
            }
            What::Resources { limits, requests } => {
                if !set_resources(args.get("containers"), &mut spec, limits, requests) {
                    let text = format!("error: unable to find container named {}", args.get("containers"));
                    failures.push(Failure::Plain(text));
                    return Ok(());
                }
            }
            What::Account(account) => {
                spec.set(&["serviceAccountName"], account.as_str());
                spec.set(&["serviceAccount"], account.as_str());
            }
        }
        after.set(path, spec);
        if !matches!(what, What::Env(_)) {
            args.record(&mut after);
        }
        match send_change(args, io, item, &after, dry_run, true)? {
            Ok(None) if !matches!(what, What::Account(_)) && args.get("output").is_empty() => {}
            Ok(result) => {
                if let What::Env(env) = what
                    && env.put.is_empty()
                    && env.gone.is_empty()
                {
                    return fail("at least one environment variable must be provided");
                }
                let mut shown = result.unwrap_or_else(|| item.object.clone());
                if dry_run == DryRun::Client {
                    put_empty(&mut shown);
                }
                print::action(&shown, done, args, io, mapper)?;
            }
            Err(refusal) => failures.push(Failure::Plain(format!("{refused} {}", refusal.text()))),
        }
        Ok(())
    })?;
    select::finish(failures)
}

/// What a typed object prints of fields that are empty but always there (the server has filled most of them).
fn put_empty(object: &mut Value) {
    let kind = object["kind"].smol();
    let empty = |object: &mut Value, path: &[&str]| {
        if object.at(path).is_null() {
            object.set(path, Map::new());
        }
    };
    empty(object, &["metadata"]);
    match kind.as_str() {
        "Deployment" => empty(object, &["spec", "strategy"]),
        "DaemonSet" | "StatefulSet" => empty(object, &["spec", "updateStrategy"]),
        _ => {}
    }
    let counts: &[&str] = match kind.as_str() {
        "DaemonSet" => &["currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady"],
        "ReplicaSet" | "ReplicationController" => &["replicas"],
        "StatefulSet" => &["availableReplicas", "replicas"],
        _ => &[],
    };
    empty(object, &["status"]);
    for count in counts {
        if object["status"][*count].is_null() {
            object.set(&["status", count], 0);
        }
    }
    let Some(path) = pod_spec_path(&kind) else { return };
    let mut spec = object.at(path).clone();
    for list in LISTS {
        let mut containers = spec[list].items().to_vec();
        containers.iter_mut().for_each(|container| empty(container, &["resources"]));
        if !containers.is_empty() {
            spec.set(&[list], containers);
        }
    }
    object.set(path, spec);
    if let [parents @ .., _] = path {
        empty(object, &[parents, &["metadata"]].concat());
    }
    if kind == "CronJob" {
        empty(object, &["spec", "jobTemplate", "metadata"]);
    }
}

const LISTS: [&str; 2] = ["initContainers", "containers"];

/// The names no container has.
fn set_images<'a>(spec: &mut Value, images: &'a [(String, String)]) -> Vec<&'a str> {
    let mut missing = Vec::new();
    for (name, image) in images {
        let mut hit = false;
        for list in LISTS {
            let mut containers = spec[list].items().to_vec();
            for container in &mut containers {
                if name == "*" || container["name"].str() == name {
                    container.set(&["image"], image.as_str());
                    hit = true;
                }
            }
            if !containers.is_empty() {
                spec.set(&[list], containers);
            }
        }
        if !hit {
            missing.push(name.as_str());
        }
    }
    missing
}

/// A name as `-c` gives it: `*` and patterns with it match.
fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => {
            name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
        }
    }
}

fn set_env(args: &Args, io: &mut Io<'_, '_>, item: &Found, spec: &mut Value, change: &Env) -> Result<(), String> {
    let pattern = args.get("containers").to_string();
    let mut hit = false;
    for list in ["containers", "initContainers"] {
        let mut containers = spec[list].items().to_vec();
        for container in containers.iter_mut().filter(|c| matches_name(&pattern, c["name"].str())) {
            hit = true;
            let old = container["env"].items().to_vec();
            let named = |name: &str| change.put.iter().find(|variable| variable["name"].str() == name);
            if !args.is("overwrite") {
                for variable in &change.put {
                    let name = variable["name"].str();
                    let taken = old.iter().find(|other| other["name"].str() == name);
                    if let Some(taken) = taken.filter(|taken| taken["value"].str() != variable["value"].str()) {
                        let value = taken["value"].str();
                        return Err(format!("'{name}' already has a value ({value}), and --overwrite is false"));
                    }
                }
            }
            let mut covered: Vec<String> = change.gone.clone();
            let mut env: Vec<Value> = Vec::new();
            for variable in old.iter().chain(&change.put) {
                let name = variable["name"].str();
                if covered.iter().any(|other| other == name) {
                    continue;
                }
                match named(name) {
                    Some(newer) => {
                        covered.push(name.to_string());
                        env.push(newer.clone());
                    }
                    None => env.push(variable.clone()),
                }
            }
            if env.is_empty() {
                container.remove(&["env"]);
            } else {
                container.set(&["env"], env);
            }
        }
        if !containers.is_empty() {
            spec.set(&[list], containers);
        }
    }
    if !hit {
        io.warn(&format!("{}/{} does not have any containers matching \"{pattern}\"", item.mapping.kind, item.name()));
    }
    Ok(())
}

/// `--list`: every container's variables; with `--resolve` the values their references stand for.
fn list_env(args: &Args, io: &mut Io<'_, '_>, item: &Found, spec: &Value, failures: &mut Vec<Failure>) -> Outcome {
    let pattern = args.get("containers").to_string();
    let mut unresolved: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let containers = ["containers", "initContainers"].into_iter().flat_map(|list| spec[list].items());
    for container in containers.filter(|container| matches_name(&pattern, container["name"].str())) {
        io.line(format!("# {} {}, container {}", item.mapping.kind, item.name(), container["name"].str()));
        for variable in container["env"].items() {
            let (name, from) = (variable["name"].str(), &variable["valueFrom"]);
            if from.is_null() || !args.is("resolve") {
                io.line(listed(variable));
                continue;
            }
            match resolve(io, item, from)? {
                Ok(value) => io.line(format!("{name}={value}")),
                Err(error) => {
                    io.line(listed(variable));
                    unresolved.entry(error).or_default().push(name);
                }
            }
        }
    }
    let failed = !unresolved.is_empty();
    for (error, mut names) in unresolved {
        names.sort_unstable();
        io.err(format!("error retrieving reference for {}: {error}\n", names.join(", ")));
    }
    if failed {
        failures.push(Failure::Plain("error: failed to retrieve valueFrom references".into()));
    }
    Ok(())
}

/// What a reference stands for (`GetEnvVarRefValue`).
fn resolve(io: &mut Io<'_, '_>, item: &Found, from: &Value) -> Outcome<Result<String, String>> {
    for (field, path, what) in [("configMapKeyRef", "configmaps", "config map"), ("secretKeyRef", "secrets", "secret")]
    {
        let source = &from[field];
        if source.is_null() {
            continue;
        }
        let (name, key) = (source["name"].str(), source["key"].str());
        let namespace = match item.object.at(&["metadata", "namespace"]).str() {
            "" => io.namespace.clone(),
            own => own.into(),
        };
        let request = io.request(Method::Get, format!("/api/v1/namespaces/{namespace}/{path}/{name}"));
        let response = io.send(request)?;
        let found = rerun::body(&response);
        if !response.ok() {
            return Ok(Err(found["message"].str().into()));
        }
        let Some(value) = found["data"][key].as_str() else {
            return Ok(Err(format!("key {key} not found in {what} {name}")));
        };
        return Ok(Ok(match path {
            "secrets" => String::from_utf8_lossy(&decode_base64(value).unwrap_or_default()).into_owned(),
            _ => value.into(),
        }));
    }
    let path = from.at(&["fieldRef", "fieldPath"]).str();
    Ok(match path.strip_prefix("metadata.") {
        Some(field @ ("name" | "namespace" | "uid")) => Ok(item.object.at(&["metadata", field]).str().into()),
        _ => Err(format!("unsupported fieldPath: {path}")),
    })
}

/// A variable as `--list` shows it.
fn listed(variable: &Value) -> String {
    let name = variable["name"].str();
    let from = &variable["valueFrom"];
    if from.is_null() {
        return format!("{name}={}", variable["value"].str());
    }
    for (field, what) in [("configMapKeyRef", "configmap"), ("secretKeyRef", "secret")] {
        let source = &from[field];
        if !source.is_null() {
            return format!("# {name} from {what} {}, key {}", source["name"].str(), source["key"].str());
        }
    }
    if !from["fieldRef"].is_null() {
        return format!("# {name} from field path {}", from["fieldRef"]["fieldPath"].str());
    }
    let source = &from["resourceFieldRef"];
    if source.is_null() {
        return format!("# {name} from invalid valueFrom");
    }
    let container = source["containerName"].str();
    let slash = if container.is_empty() { "" } else { "/" };
    format!("# {name} from resource field {container}{slash}{}", source["resource"].str())
}

/// Whether there was a container of that name.
fn set_resources(pattern: &str, spec: &mut Value, limits: &Amounts, requests: &Amounts) -> bool {
    let mut hit = false;
    for list in LISTS {
        let mut containers = spec[list].items().to_vec();
        for container in containers.iter_mut().filter(|c| matches_name(pattern, c["name"].str())) {
            hit = true;
            for (field, amounts) in [("limits", limits), ("requests", requests)] {
                for (name, amount) in amounts {
                    container.set(&["resources", field, name], amount.as_str());
                }
            }
        }
        if !containers.is_empty() {
            spec.set(&[list], containers);
        }
    }
    hit
}

fn selector(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let Some((text, words)) = args.words.split_last() else { return fail("one selector is required") };
    let parsed = match Labels::parse(text) {
        Ok(parsed) => parsed,
        Err(error) => return fail(format!("couldn't parse the selector string {}: {error}", quote(text))),
    };
    let (equals, mut expressions) = parsed.equals_and_others();
    expressions.sort();
    let mut labels = Map::new();
    for (key, value) in equals {
        labels.insert(key, value);
    }
    let dry_run = if args.is("local") { DryRun::Client } else { args.dry_run()? };
    let (mapper, found) = find(args, io, words.to_vec())?;
    let failures = io.over(&found, |io, item, failures| {
        if item.mapping.kind != "Service" {
            failures.push(Failure::Plain("setting a selector is only supported for Services".into()));
            return Ok(());
        }
        if !expressions.is_empty() {
            let text = format!("match expression [{}] not supported on this object", expressions.join(" "));
            failures.push(Failure::Plain(text));
            return Ok(());
        }
        let mut after = item.object.clone();
        after.set(&["spec", "selector"], labels.clone());
        let version = args.get("resource-version");
        let mut before = item.clone();
        if !version.is_empty() {
            before.object.remove(&["metadata", "resourceVersion"]);
            after.set(&["metadata", "resourceVersion"], version);
        }
        args.record(&mut after);
        match send_change(args, io, &before, &after, dry_run, false)? {
            Ok(result) => print::action(result.as_ref().unwrap_or(&after), "selector updated", args, io, &mapper)?,
            Err(Refusal::Own(text)) => failures.push(Failure::Plain(text)),
            Err(Refusal::Server(status)) => failures.push(crate::kubectl::io::status_failure(&status, None)),
        }
        Ok(())
    })?;
    select::finish(failures)
}
