//! Verbs that change objects which are there: label, annotate, scale, patch, set, taint, cordon, replace.

use crate::api::patch;
use crate::base::goquote::quote;
use crate::base::http::{Body, Method};
use crate::base::{Map, Value, json, yaml};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, body, fail, server_failure, status_failure, usage};
use crate::kubectl::manifest;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::print;
use crate::kubectl::select::{self, Found, Rules};
use crate::map;

pub const STRATEGIC: &str = "application/strategic-merge-patch+json";
pub const MERGE: &str = "application/merge-patch+json";

/// Sends a patch of what differs between `before` and `after`, as the kind allows; `None` when nothing differs.
pub fn send_difference(
    args: &Args,
    io: &mut Io<'_, '_>,
    found: &Found,
    after: &Value,
    dry_run: DryRun,
) -> Outcome<Result<Option<Value>, Failure>> {
    let ty = found.mapping.schema().map(|kind| kind.ty);
    let difference = match patch::two_way(ty, &found.object, after) {
        Ok(difference) => difference,
        Err(error) => return Ok(Err(Failure::Plain(error.message))),
    };
    if difference.entries().is_empty() {
        return Ok(Ok(None));
    }
    if dry_run == DryRun::Client {
        return Ok(Ok(Some(after.clone())));
    }
    let mut request = io.request(Method::Patch, found.path()).with_body(difference);
    request.content_type = if ty.is_some() { STRATEGIC.into() } else { MERGE.into() };
    if dry_run == DryRun::Server {
        request = request.with_query("dryRun", "All");
    }
    let manager = args.get("field-manager");
    if !manager.is_empty() {
        request = request.with_query("fieldManager", manager);
    }
    let response = io.send(request)?;
    if response.ok() { Ok(Ok(Some(body(&response)))) } else { Ok(Err(server_failure(&response))) }
}

/// Words after the resources that look like `key=value` or `key-`.
pub fn split_pairs(words: &[String]) -> (Vec<String>, Vec<String>) {
    let is_pair = |word: &String| (word.contains('=') || word.ends_with('-')) && !word.starts_with('=');
    let at = words.iter().position(is_pair).unwrap_or(words.len());
    (words.get(..at).unwrap_or_default().to_vec(), words.get(at..).unwrap_or_default().to_vec())
}

pub fn label(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let label = args.command == "label";
    let (noun, field) = if label { ("label", "labels") } else { ("annotation", "annotations") };
    let (resources, pairs) = split_pairs(&args.words);
    if resources.is_empty() && !manifest::given(args) {
        return fail("one or more resources must be specified as <resource> <name> or <resource>/<name>");
    }
    if pairs.is_empty() && !args.is("list") {
        return fail(format!("at least one {noun} update is required"));
    }
    let mut set: Vec<(String, String)> = Vec::new();
    let mut remove: Vec<String> = Vec::new();
    for pair in &pairs {
        if let Some((key, value)) = pair.split_once('=') {
            if label && let Some(why) = bad_label_value(value) {
                return fail(format!("invalid label value: {}: {why}", quote(pair)));
            }
            set.push((key.into(), value.into()));
        } else if let Some(key) = pair.strip_suffix('-') {
            remove.push(key.into());
        } else {
            return fail(format!("unknown {noun} spec: {pair}"));
        }
    }
    if set.iter().any(|(key, _)| remove.contains(key)) {
        return fail(format!(
            "can not both modify and remove {} {noun} in the same command",
            if label { "a" } else { "an" }
        ));
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let inner = args.with_words(resources);
    let local = args.is("local") && manifest::given(args);
    let fetched = io.once(|io| {
        if !local {
            return select::fetch(&inner, io, &mapper, Rules::default());
        }
        let (documents, errors) = manifest::load(args, io, &mapper)?;
        let own = |d: manifest::Document| {
            let mut object = d.object;
            if !io.namespace_forced {
                object.remove(&["metadata", "namespace"]);
            }
            Found { mapping: d.mapping, object, source: Some(d.source) }
        };
        Ok((documents.into_iter().map(own).collect::<Vec<_>>(), errors))
    })?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    let version = args.get("resource-version");
    if !version.is_empty() && found.len() > 1 {
        return fail("--resource-version may only be used with a single resource");
    }
    let many = found.len() > 1;
    let more = io.over(found, |io, item, failures| {
        let before = item.object.at(&["metadata", field]).clone();
        let overwrite = args.is("overwrite");
        let taken: Vec<String> = set
            .iter()
            .filter(|(key, value)| !overwrite && before.get(key).as_str().is_some_and(|old| old != value))
            .map(|(key, _)| format!("'{key}' already has a value ({})", before.get(key).str()))
            .collect();
        if !taken.is_empty() {
            failures.push(Failure::Plain(if label {
                format!("{}, and --overwrite is false", taken.join(", "))
            } else {
                format!("--overwrite is false but found the following declared annotation(s): {}", taken.join("; "))
            }));
            return Ok(());
        }
        let mut after = item.object.clone();
        for (key, value) in &set {
            after.set(&["metadata", field, key], value.as_str());
        }
        let mut removed = false;
        for key in &remove {
            if after.remove(&["metadata", field, key]).is_some() {
                removed = true;
            } else if label {
                io.line(format!("label \"{key}\" not found."));
            }
        }
        let changed = after != item.object;
        if !version.is_empty() {
            after.set(&["metadata", "resourceVersion"], version);
        }
        let result = if local { Ok(Some(after)) } else { send_difference(args, io, item, &after, dry_run)? };
        let result = match result {
            Ok(result) => result.unwrap_or_else(|| item.object.clone()),
            Err(failure) => {
                failures.push(failure);
                return Ok(());
            }
        };
        if args.is("list") {
            if many {
                let what = &item.mapping;
                io.line(format!("Listing {noun}s for {}.{}/{}:", what.kind, what.group, item.name()));
            }
            let indent = if many { " " } else { "" };
            for (key, value) in result.at(&["metadata", field]).entries().iter() {
                io.line(format!("{indent}{key}={}", value.str()));
            }
            return Ok(());
        }
        let verb = match (label, changed) {
            (false, _) => "annotated",
            (true, false) => "not labeled",
            (true, true) if set.is_empty() && removed => "unlabeled",
            (true, true) => "labeled",
        };
        print::action(&result, verb, args, io, &mapper)?;
        Ok(())
    })?;
    failures.extend(more);
    select::finish(failures)
}

fn bad_label_value(value: &str) -> Option<String> {
    let ends = |c: Option<char>| c.is_none_or(|c| c.is_ascii_alphanumeric());
    let middle = value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if value.len() > 63 {
        return Some("must be no more than 63 bytes".into());
    }
    if middle && ends(value.chars().next()) && ends(value.chars().last()) {
        return None;
    }
    Some(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start \
         and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
         validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
            .into(),
    )
}

pub fn scale(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.changed("replicas") {
        return fail("required flag(s) \"replicas\" not set");
    }
    let replicas = args.int("replicas");
    if replicas < 0 {
        return fail("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0");
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let fetched = io.once(|io| select::fetch(args, io, &mapper, Rules::default()))?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    if found.is_empty() && failures.is_empty() {
        return fail("no objects passed to scale");
    }
    let more = io.over(found, |io, item, failures| {
        let path = format!("{}/scale", item.path());
        let current = args.int("current-replicas");
        let version = args.get("resource-version");
        if current >= 0 || !version.is_empty() {
            let request = io.request(Method::Get, path.clone());
            let scale = io.must(request)?;
            let have = scale.at(&["spec", "replicas"]).int();
            if current >= 0 && have != current {
                failures.push(Failure::Plain(format!("Expected replicas to be {current}, was {have}")));
                return Ok(());
            }
            let own = scale.at(&["metadata", "resourceVersion"]).str();
            if !version.is_empty() && own != version {
                failures.push(Failure::Plain(format!("Expected resource version to be {version}, was {own}")));
                return Ok(());
            }
        }
        if dry_run != DryRun::Client {
            let change = map! { "spec" => map! { "replicas" => replicas } };
            let mut request = io.request(Method::Patch, path).with_body(change);
            request.content_type = MERGE.into();
            if dry_run == DryRun::Server {
                request = request.with_query("dryRun", "All");
            }
            let response = io.send(request)?;
            if !response.ok() {
                failures.push(server_failure(&response));
                return Ok(());
            }
        }
        let mut object = item.object.clone();
        if !args.get("output").is_empty() {
            object.set(&["spec", "replicas"], replicas);
        }
        print::action(&object, "scaled", args, io, &mapper)?;
        Ok(())
    })?;
    failures.extend(more);
    select::finish(failures)
}

pub fn patch(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let kind = args.get("type");
    let media = match kind {
        "" | "strategic" => STRATEGIC,
        "merge" => MERGE,
        "json" => "application/json-patch+json",
        other => return fail(format!("--type must be one of [json merge strategic], not \"{other}\"")),
    };
    let mut text = args.get("patch").to_string();
    if !args.get("patch-file").is_empty() {
        let file = args.get("patch-file").to_string();
        text = match file.as_str() {
            "-" => io.stdin()?,
            file => match io.sys.files.read_text(io.sys.cwd, file) {
                Ok(text) => text,
                Err(_) => return fail(format!("unable to read patch file: open {file}: no such file or directory")),
            },
        };
    }
    if text.is_empty() {
        return fail("must specify --patch or --patch-file containing the contents of the patch");
    }
    let value = if text.trim_start().starts_with('{') || text.trim_start().starts_with('[') {
        json::parse(&text).map(Body::Value).unwrap_or(Body::Text(text.clone()))
    } else {
        match yaml::parse(&text) {
            Ok(value) => Body::Value(value),
            Err(error) => return fail(format!("unable to parse {}: {}", quote(&text), error.text)),
        }
    };
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let fetched = io.once(|io| select::fetch(args, io, &mapper, Rules::default()))?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    let more = io.over(found, |io, item, failures| {
        let subresource = args.get("subresource");
        let mut path = item.path();
        if !subresource.is_empty() {
            path = format!("{path}/{subresource}");
        }
        let (before, after) = if dry_run == DryRun::Client || args.is("local") {
            let body = value.value();
            let patched = match (media, item.mapping.schema()) {
                (STRATEGIC, Some(kind)) => patch::strategic(kind.ty, &item.object, body),
                ("application/json-patch+json", _) => patch::json(&item.object, body),
                _ => Ok(patch::merge(&item.object, body)),
            };
            match patched {
                Ok(patched) => (item.object.clone(), patched),
                Err(error) => {
                    failures.push(Failure::Plain(error.message));
                    return Ok(());
                }
            }
        } else {
            let mut request = io.request(Method::Patch, path);
            request.body = value.clone();
            request.content_type = media.into();
            if dry_run == DryRun::Server {
                request = request.with_query("dryRun", "All");
            }
            request = request.with_query("fieldManager", args.get("field-manager"));
            let response = io.send(request)?;
            if !response.ok() {
                let answer = body(&response);
                if response.code == 415 {
                    let context = format!("{media} is not supported by {}: ", item.mapping.gvk());
                    failures.push(Failure::Plain(format!("{context}{}", answer["message"].str())));
                } else {
                    failures.push(status_failure(&answer, None));
                }
                return Ok(());
            }
            (item.object.clone(), body(&response))
        };
        let meaningful = |object: &Value| {
            let mut object = object.clone();
            for field in ["managedFields", "resourceVersion"] {
                object.remove(&["metadata", field]);
            }
            object
        };
        let same = subresource.is_empty() && meaningful(&before) == meaningful(&after);
        if args.get("output").is_empty() {
            io.line(format!("{} patched{}", print::title(&after), if same { " (no change)" } else { "" }));
        } else {
            print::action(&after, "patched", args, io, &mapper)?;
        }
        Ok(())
    })?;
    failures.extend(more);
    select::finish(failures)
}

pub fn replace(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.is("force") {
        for flag in ["grace-period", "timeout"] {
            if args.changed(flag) {
                return fail(format!("--{flag} must have --force specified"));
            }
        }
    }
    if !manifest::given(args) {
        return fail("must specify one of -f and -k");
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let loaded = io.once(|io| manifest::load(args, io, &mapper))?;
    let (documents, errors) = (&loaded.0, loaded.1.clone());
    if documents.is_empty() && errors.is_empty() {
        return fail("no objects passed to replace");
    }
    let mut failures = Vec::new();
    let more = io.over(documents, |io, document, failures| {
        let namespace = document.namespace(io);
        let path = document.mapping.path(&namespace, document.name());
        if args.is("force") {
            let request = io.request(Method::Delete, path).with_body(map! { "propagationPolicy" => "Background" });
            let response = io.send(request)?;
            if response.ok() {
                let place = if namespace.is_empty() { String::new() } else { format!(" from {namespace} namespace") };
                io.line(format!("{} \"{}\" deleted{place}", document.mapping.word(), document.name()));
                loop {
                    let request = io.request(Method::Get, document.mapping.path(&namespace, document.name()));
                    if !io.send(request)?.ok() {
                        break;
                    }
                    io.sleep(crate::base::Span::seconds(1))?;
                }
            }
            let inner = super::create::post(args, io, &document.mapping, &namespace, document.object.clone(), dry_run)?;
            if inner.ok() {
                print::action(&body(&inner), "replaced", args, io, &mapper)?;
            } else {
                failures.push(server_failure(&inner));
            }
            return Ok(());
        }
        if dry_run == DryRun::Client {
            print::action(&document.object, "replaced", args, io, &mapper)?;
            return Ok(());
        }
        let mut object = document.object.clone();
        if object.at(&["metadata", "resourceVersion"]).is_null() {
            let request = io.request(Method::Get, path.clone());
            let current = io.send(request)?;
            if current.ok() {
                let version = body(&current).at(&["metadata", "resourceVersion"]).clone();
                object.set(&["metadata", "resourceVersion"], version);
            }
        }
        let mut request = io.request(Method::Put, path).with_body(object);
        if dry_run == DryRun::Server {
            request = request.with_query("dryRun", "All");
        }
        request = request
            .with_query("fieldManager", args.get("field-manager"))
            .with_query("fieldValidation", super::create::validation(args));
        let response = io.send(request)?;
        if response.ok() {
            print::action(&body(&response), "replaced", args, io, &mapper)?;
        } else {
            let context = format!("error when replacing \"{}\": ", document.source);
            failures.push(status_failure(&body(&response), Some(&context)));
        }
        Ok(())
    })?;
    failures.extend(more);
    failures.extend(errors);
    select::finish(failures)
}

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

/// `set image`, `set env`, `set resources`, `set serviceaccount`, `set selector`.
pub fn set(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let what = args.command.strip_prefix("set ").unwrap_or_default().to_string();
    let (mut resources, mut pairs) = split_pairs(&args.words);
    pairs.extend(args.list("env").iter().cloned());
    let mut account = String::new();
    match what.as_str() {
        "image" if pairs.is_empty() => return fail("at least one image update is required"),
        "resources" if args.get("limits").is_empty() && args.get("requests").is_empty() => {
            return fail("you must specify an update to requests or limits (in the form of --requests/--limits)");
        }
        "serviceaccount" => account = resources.pop().unwrap_or_default(),
        _ => {}
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let inner = args.with_words(resources);
    let fetched = io.once(|io| select::fetch(&inner, io, &mapper, Rules::default()))?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    let more = io.over(found, |io, item, failures| {
        let mut after = item.object.clone();
        if what == "selector" {
            if item.mapping.kind != "Service" {
                failures.push(Failure::Plain("setting a selector is only supported for Services".into()));
                return Ok(());
            }
            let mut selector = Map::new();
            for (key, value) in pairs.iter().flat_map(|pair| pair.split(',')).filter_map(|pair| pair.split_once('=')) {
                selector.insert(key, value);
            }
            after.set(&["spec", "selector"], selector);
        } else {
            let Some(path) = pod_spec_path(&item.mapping.kind) else {
                if let Some(text) = item.mapping.unregistered() {
                    failures.push(Failure::Plain(text));
                    return Ok(());
                }
                failures.push(Failure::Plain(format!(
                    "{}/{} the object is not a pod or does not have a pod template: *{}.{}",
                    item.mapping.resource,
                    item.name(),
                    item.mapping.version,
                    item.mapping.kind
                )));
                return Ok(());
            };
            let mut spec = after.at(path).clone();
            let result = match what.as_str() {
                "image" => set_images(&mut spec, &pairs),
                "env" => set_env(args, io, item, &mut spec, &pairs),
                "resources" => set_resources(args, &mut spec),
                _ => {
                    spec.set(&["serviceAccountName"], account.as_str());
                    spec.set(&["serviceAccount"], account.as_str());
                    Ok(true)
                }
            };
            match result {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(text) => failures.push(Failure::Plain(text)),
            }
            after.set(path, spec);
        }
        let verb = match what.as_str() {
            "image" => "image updated",
            "env" => "env updated",
            "resources" => "resource requirements updated",
            "selector" => "selector updated",
            _ => "serviceaccount updated",
        };
        match send_difference(args, io, item, &after, dry_run)? {
            Ok(Some(result)) => print::action(&result, verb, args, io, &mapper)?,
            Ok(None) if what == "serviceaccount" => print::action(&item.object, verb, args, io, &mapper)?,
            Ok(None) if !args.get("output").is_empty() => print::action(&item.object, verb, args, io, &mapper)?,
            Ok(None) => {}
            Err(failure) if what == "resources" => failures.push(Failure::Plain(format!(
                "failed to patch resources update to pod template {}",
                failure.text().trim_start_matches("The ")
            ))),
            Err(failure) => failures.push(failure),
        }
        Ok(())
    })?;
    failures.extend(more);
    select::finish(failures)
}

const LISTS: [&str; 2] = ["initContainers", "containers"];

fn set_images(spec: &mut Value, pairs: &[String]) -> Result<bool, String> {
    let mut error = None;
    for (name, image) in pairs.iter().filter_map(|pair| pair.split_once('=')) {
        let mut hit = false;
        for list in LISTS {
            let mut containers = spec[list].items().to_vec();
            for container in &mut containers {
                if name == "*" || container["name"].str() == name {
                    container.set(&["image"], image);
                    hit = true;
                }
            }
            if !containers.is_empty() {
                spec.set(&[list], containers);
            }
        }
        if !hit {
            error.get_or_insert(format!("unable to find container named \"{name}\""));
        }
    }
    error.map_or(Ok(true), Err)
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

fn set_env(args: &Args, io: &mut Io<'_, '_>, item: &Found, spec: &mut Value, pairs: &[String]) -> Result<bool, String> {
    let pattern = args.get("containers").to_string();
    if args.is("list") {
        for list in ["containers", "initContainers"] {
            for container in spec[list].items() {
                io.line(format!("# {} {}, container {}", item.mapping.kind, item.name(), container["name"].str()));
                for variable in container["env"].items() {
                    let name = variable["name"].str();
                    let from = &variable["valueFrom"];
                    if from.is_null() {
                        io.line(format!("{name}={}", variable["value"].str()));
                        continue;
                    }
                    let config = &from["configMapKeyRef"];
                    let secret = &from["secretKeyRef"];
                    io.line(match (config.is_null(), secret.is_null()) {
                        (false, _) => {
                            let (map, key) = (config["name"].str(), config["key"].str());
                            format!("# {name} from configmap {map}, key {key}")
                        }
                        (_, false) => {
                            let (map, key) = (secret["name"].str(), secret["key"].str());
                            format!("# {name} from secret {map}, key {key}")
                        }
                        _ => format!("# {name} from field path {}", from.at(&["fieldRef", "fieldPath"]).str()),
                    });
                }
            }
        }
        if pairs.is_empty() {
            return Ok(false);
        }
    }
    let removed: Vec<&str> =
        pairs.iter().filter(|pair| !pair.contains('=')).filter_map(|pair| pair.strip_suffix('-')).collect();
    let added: Vec<(&str, &str)> = pairs.iter().filter_map(|pair| pair.split_once('=')).collect();
    if added.iter().any(|(name, _)| removed.contains(name)) {
        return Err("can not both modify and remove the same environment variable in the same command".into());
    }
    let mut hit = false;
    for list in LISTS {
        let mut containers = spec[list].items().to_vec();
        for container in &mut containers {
            if !matches_name(&pattern, container["name"].str()) {
                continue;
            }
            hit = true;
            let mut env = container["env"].items().to_vec();
            for (name, value) in &added {
                match env.iter_mut().find(|variable| variable["name"].str() == *name) {
                    Some(variable) => {
                        if !args.is("overwrite") {
                            let (what, old) = (&item.mapping.resource, variable["value"].str());
                            let name_of = item.name();
                            return Err(format!(
                                "{what}/{name_of} '{name}' already has a value ({old}), and --overwrite is false"
                            ));
                        }
                        *variable = map! { "name" => *name, "value" => *value };
                    }
                    None => env.push(map! { "name" => *name, "value" => *value }),
                }
            }
            env.retain(|variable| !removed.contains(&variable["name"].str()));
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
    Ok(true)
}

fn set_resources(args: &Args, spec: &mut Value) -> Result<bool, String> {
    let pattern = args.get("containers").to_string();
    let mut hit = false;
    for list in LISTS {
        let mut containers = spec[list].items().to_vec();
        for container in containers.iter_mut().filter(|c| matches_name(&pattern, c["name"].str())) {
            hit = true;
            for field in ["limits", "requests"] {
                for (name, amount) in args.get(field).split(',').filter_map(|pair| pair.split_once('=')) {
                    if amount == "0" {
                        container.remove(&["resources", field, name]);
                    } else {
                        container.set(&["resources", field, name], amount);
                    }
                }
            }
        }
        if !containers.is_empty() {
            spec.set(&[list], containers);
        }
    }
    if hit { Ok(true) } else { Err(format!("unable to find container named {pattern}")) }
}

/// `cordon`, `uncordon`.
pub fn cordon(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let on = args.command == "cordon";
    if args.words.is_empty() && args.get("selector").is_empty() {
        return usage(&args.command, format!("USAGE: {} NODE [flags]", args.command));
    }
    if !args.words.is_empty() && !args.get("selector").is_empty() {
        return usage(&args.command, "cannot specify both a node name and a --selector option");
    }
    let mapper = Mapper::discover(io)?;
    let mut words = vec!["nodes".to_string()];
    words.extend(args.words.iter().cloned());
    let inner = args.with_words(words);
    let fetched = io.once(|io| select::fetch(&inner, io, &mapper, Rules { whole_types: true }))?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    let more = io.over(found, |io, item, failures| {
        if let Err(failure) = cordon_one(args, io, item, on)? {
            failures.push(failure);
        }
        Ok(())
    })?;
    failures.extend(more);
    select::finish(failures)
}

pub fn cordon_one(args: &Args, io: &mut Io<'_, '_>, item: &Found, on: bool) -> Outcome<Result<(), Failure>> {
    let word = if on { "cordoned" } else { "uncordoned" };
    let dry_run = args.dry_run()?;
    let suffix = dry_run.suffix();
    if item.object.at(&["spec", "unschedulable"]).is_true() == on {
        io.line(format!("node/{} already {word}{suffix}", item.name()));
        return Ok(Ok(()));
    }
    if dry_run != DryRun::Client {
        let flag = if on { Value::Bool(true) } else { Value::Null };
        let change = map! { "spec" => map! { "unschedulable" => flag } };
        let mut request = io.request(Method::Patch, item.path()).with_body(change);
        request.content_type = STRATEGIC.into();
        if dry_run == DryRun::Server {
            request = request.with_query("dryRun", "All");
        }
        let response = io.send(request)?;
        if !response.ok() {
            return Ok(Err(server_failure(&response)));
        }
    }
    io.line(format!("node/{} {word}{suffix}", item.name()));
    Ok(Ok(()))
}

pub fn taint(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let is_spec = |word: &String| word.contains('=') || word.contains(':') || word.ends_with('-');
    let at = args.words.iter().position(is_spec).unwrap_or(args.words.len());
    let resources = args.words.get(..at).unwrap_or_default().to_vec();
    let specs = args.words.get(at..).unwrap_or_default();
    if resources.is_empty() {
        return fail("one or more resources must be specified as <resource> <name> or <resource>/<name>");
    }
    if specs.is_empty() {
        return fail("at least one taint update is required");
    }
    let mut add: Vec<(String, String, String)> = Vec::new();
    let mut remove: Vec<(String, String)> = Vec::new();
    for spec in specs {
        if let Some(spec) = spec.strip_suffix('-') {
            let (key, effect) = spec.split_once(':').unwrap_or((spec, ""));
            remove.push((key.split('=').next().unwrap_or_default().into(), effect.into()));
            continue;
        }
        let (pair, effect) = spec.split_once(':').unwrap_or((spec, ""));
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        if !matches!(effect, "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
            let text = format!("invalid taint effect: {effect}, unsupported taint effect");
            return usage(
                "taint",
                if effect.is_empty() {
                    format!(
                        "invalid taint spec: {spec}, name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
                    )
                } else {
                    text
                },
            );
        }
        if add.iter().any(|(k, _, e)| k == key && e == effect) {
            let text = format!("duplicated taints with the same key and effect: {{{key} {value} {effect} <nil>}}");
            return usage("taint", text);
        }
        add.push((key.into(), value.into(), effect.into()));
    }
    for (key, _, effect) in &add {
        if remove.iter().any(|(k, e)| k == key && (e.is_empty() || e == effect)) {
            return fail(format!(
                "can not both modify and remove the following taint(s) in the same command: {key}={effect}"
            ));
        }
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let inner = args.with_words(resources);
    let fetched = io.once(|io| select::fetch(&inner, io, &mapper, Rules::default()))?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    let more = io.over(found, |io, item, failures| {
        if item.mapping.kind != "Node" {
            return fail(format!("invalid resource type {}, only node types are supported", item.mapping.resource));
        }
        let old = item.object.at(&["spec", "taints"]).items().to_vec();
        let same = |taint: &Value, key: &str, effect: &str| {
            taint["key"].str() == key && (effect.is_empty() || taint["effect"].str() == effect)
        };
        let clash: Vec<&str> = add
            .iter()
            .filter(|(key, _, effect)| old.iter().any(|t| same(t, key, effect)))
            .map(|(key, _, _)| key.as_str())
            .collect();
        if !clash.is_empty() && !args.is("overwrite") {
            failures.push(Failure::Plain(format!(
                "node {} already has {} taint(s) with same effect(s) and --overwrite is false",
                item.name(),
                clash.join(",")
            )));
            return Ok(());
        }
        let missing: Vec<String> = remove
            .iter()
            .filter(|(key, effect)| !old.iter().any(|t| same(t, key, effect)))
            .map(|(key, effect)| {
                let full = if effect.is_empty() { key.clone() } else { format!("{key}:{effect}") };
                format!("taint \"{full}\" not found")
            })
            .collect();
        if !missing.is_empty() {
            failures.extend(missing.into_iter().map(Failure::Plain));
            return Ok(());
        }
        let mut taints: Vec<Value> = Vec::new();
        for (key, value, effect) in &add {
            let mut taint = map! { "key" => key, "effect" => effect };
            if !value.is_empty() {
                taint.set(&["value"], value.as_str());
            }
            taints.push(taint);
        }
        taints.extend(
            old.iter()
                .filter(|t| !add.iter().any(|(key, _, effect)| same(t, key, effect)))
                .filter(|t| !remove.iter().any(|(key, effect)| same(t, key, effect)))
                .cloned(),
        );
        let mut after = item.object.clone();
        if taints.is_empty() {
            after.remove(&["spec", "taints"]);
        } else {
            after.set(&["spec", "taints"], taints);
        }
        let verb = match (add.is_empty(), clash.is_empty()) {
            (true, _) => "untainted",
            (false, true) => "tainted",
            (false, false) => "modified",
        };
        match send_difference(args, io, item, &after, dry_run)? {
            Ok(_) => {
                let suffix = if dry_run == DryRun::Client { dry_run.suffix() } else { "" };
                io.line(format!("node/{} {verb}{suffix}", item.name()));
            }
            Err(failure) => failures.push(failure),
        }
        Ok(())
    })?;
    failures.extend(more);
    select::finish(failures)
}
