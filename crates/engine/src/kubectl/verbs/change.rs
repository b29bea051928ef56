//! Verbs that change objects which are there: label, annotate, scale, patch, set, taint, cordon, replace.

use crate::api::patch;
use crate::api::validation::names;
use crate::base::goquote::quote;
use crate::base::http::{Body, Method};
use crate::base::{Value, json, yaml};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, body, fail, server_failure, status_failure, usage};
use crate::kubectl::manifest;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::print;
use crate::kubectl::select::{self, Found, Rules};
use crate::map;

pub const STRATEGIC: &str = "application/strategic-merge-patch+json";
pub const MERGE: &str = "application/merge-patch+json";
pub const NO_RESOURCE: &str = "one or more resources must be specified as <resource> <name> or <resource>/<name>";

/// Sends a patch of what differs between `before` and `after`, as the kind allows; `None` when nothing differs.
pub fn send_difference(
    args: &Args,
    io: &mut Io<'_, '_>,
    found: &Found,
    after: &Value,
    dry_run: DryRun,
) -> Outcome<Result<Option<Value>, Failure>> {
    Ok(match send_change(args, io, found, after, dry_run, true)? {
        Ok(result) => Ok(result),
        Err(Refusal::Own(text)) => Err(Failure::Plain(text)),
        Err(Refusal::Server(status)) => Err(status_failure(&status, None)),
    })
}

/// Why a change was not made.
pub enum Refusal {
    Own(String),
    Server(Value),
}

impl Refusal {
    /// The error as Go shows it inside another one.
    pub fn text(&self) -> &str {
        match self {
            Refusal::Own(text) => text,
            Refusal::Server(status) => status["message"].str(),
        }
    }
}

/// As `send_difference`, with the refusal unworded; `skip` leaves a patch that changes nothing unsent.
pub fn send_change(
    args: &Args,
    io: &mut Io<'_, '_>,
    found: &Found,
    after: &Value,
    dry_run: DryRun,
    skip: bool,
) -> Outcome<Result<Option<Value>, Refusal>> {
    let ty = found.mapping.schema().map(|kind| kind.ty);
    let difference = match patch::two_way(ty, &found.object, after) {
        Ok(difference) => difference,
        Err(error) => return Ok(Err(Refusal::Own(error.message))),
    };
    if skip && difference.entries().is_empty() {
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
    if response.ok() { Ok(Ok(Some(body(&response)))) } else { Ok(Err(Refusal::Server(body(&response)))) }
}

/// The resources, and the words after them that look like `key=value` or `key-`.
pub fn split_pairs(words: &[String], noun: &str) -> Outcome<(Vec<String>, Vec<String>)> {
    let is_pair =
        |word: &String| (word.contains('=') && !word.starts_with('=')) || (word.ends_with('-') && word != "-");
    let at = words.iter().position(is_pair).unwrap_or(words.len());
    let (resources, pairs) = words.split_at(at);
    match pairs.iter().find(|word| !is_pair(word)) {
        Some(word) => fail(format!("all resources must be specified before {noun} changes: {word}")),
        None => Ok((resources.to_vec(), pairs.to_vec())),
    }
}

pub fn label(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let label = args.command == "label";
    let (noun, field) = if label { ("label", "labels") } else { ("annotation", "annotations") };
    let (resources, pairs) = split_pairs(&args.words, noun)?;
    if args.is("all") && !args.get("selector").is_empty() {
        return fail("cannot set --all and --selector at the same time");
    }
    if resources.is_empty() && !manifest::given(args) {
        return fail(NO_RESOURCE);
    }
    if pairs.is_empty() && !args.is("list") {
        return fail(format!("at least one {noun} update is required"));
    }
    let mut set: Vec<(String, String)> = Vec::new();
    let mut remove: Vec<String> = Vec::new();
    for pair in &pairs {
        if let Some((key, value)) = pair.split_once('=') {
            if label && value.contains('=') {
                return fail(format!("invalid label spec: {pair}"));
            }
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
    let fetched = io.once(|io| select::fetch_or_local(&inner, io, &mapper))?;
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
        args.record(&mut after);
        if !version.is_empty() {
            after.set(&["metadata", "resourceVersion"], version);
        }
        // What is only listed is not sent.
        let result =
            if local || args.is("list") { Ok(Some(after)) } else { send_difference(args, io, item, &after, dry_run)? };
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

/// The patch of its own that `--record` makes after the change.
fn send_record(args: &Args, io: &mut Io<'_, '_>, item: &Found) -> Outcome<Option<Value>> {
    let mut change = Value::empty_map();
    args.record(&mut change);
    if change.entries().is_empty() {
        return Ok(None);
    }
    let mut request = io.request(Method::Patch, item.path()).with_body(change);
    request.content_type = MERGE.into();
    let response = io.send(request)?;
    Ok(response.ok().then(|| body(&response)))
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
        if dry_run != DryRun::Client {
            send_record(args, io, item)?;
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
    if !text.is_empty() && !args.get("patch-file").is_empty() {
        return fail("cannot specify --patch and --patch-file together");
    }
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
    let fetched = io.once(|io| {
        if !(args.is("local") && manifest::given(args)) {
            return select::fetch(args, io, &mapper, Rules::default());
        }
        let (documents, errors) = manifest::load(args, io, &mapper)?;
        let own = |d: manifest::Document| Found { mapping: d.mapping, object: d.object, source: Some(d.source) };
        Ok((documents.into_iter().map(own).collect::<Vec<_>>(), errors))
    })?;
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
                failures.push(match response.code {
                    415 => {
                        let context = format!("{media} is not supported by {}: ", item.mapping.gvk());
                        Failure::Plain(format!("{context}{}", body(&response)["message"].str()))
                    }
                    _ => server_failure(&response),
                });
                return Ok(());
            }
            let after = send_record(args, io, item)?.unwrap_or_else(|| body(&response));
            (item.object.clone(), after)
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
    if !args.get("raw").is_empty() {
        return super::create::raw(Method::Put, args, io);
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
        let mut path = document.mapping.path(&namespace, document.name());
        if !args.get("subresource").is_empty() {
            path = format!("{path}/{}", args.get("subresource"));
        }
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
    let errors = manifest::beside(errors, &failures);
    failures.extend(errors);
    select::finish(failures)
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
    let (resources, specs) = args.words.split_at(at);
    if let Some(word) = specs.iter().find(|word| !is_spec(word)) {
        return fail(format!("all resources must be specified before taint changes: {word}"));
    }
    let Some(kind) = resources.first().map(|kind| kind.to_lowercase()) else {
        return fail("one or more resources must be specified as <resource> <name>");
    };
    if specs.is_empty() {
        return fail("at least one taint update is required");
    }
    let mut add: Vec<Taint> = Vec::new();
    let mut remove: Vec<Taint> = Vec::new();
    for spec in specs {
        let (bare, minus) = spec.strip_suffix('-').map_or((spec.as_str(), false), |bare| (bare, true));
        let taint = match Taint::read(bare) {
            Ok(taint) if !minus && taint.effect.is_empty() => {
                return usage("taint", format!("invalid taint spec: {spec}"));
            }
            Ok(taint) => taint,
            Err(text) => return usage("taint", text),
        };
        if minus {
            remove.push(taint);
            continue;
        }
        if add.iter().any(|other| other.key == taint.key && other.effect == taint.effect) {
            let Taint { key, value, effect } = taint;
            let text = format!("duplicated taints with the same key and effect: {{{key} {value} {effect} <nil>}}");
            return usage("taint", text);
        }
        add.push(taint);
    }
    let mapper = Mapper::discover(io)?;
    if mapper.find(&kind)?.kind != "Node" {
        return fail(format!("invalid resource type {kind}, only node types are supported"));
    }
    let conflicts: Vec<String> = add
        .iter()
        .flat_map(|taint| remove.iter().filter(|gone| gone.is(&taint.key, &taint.effect)))
        .map(|gone| format!("{}={}", gone.key, gone.effect))
        .collect();
    if !conflicts.is_empty() {
        return fail(format!(
            "can not both modify and remove the following taint(s) in the same command: {}",
            conflicts.join(", ")
        ));
    }
    match (args.is("all"), args.get("selector").is_empty()) {
        (true, false) => return fail("setting 'all' parameter with a non empty selector is prohibited"),
        (false, true) if resources.len() < 2 => {
            return fail("at least one resource name must be specified since 'all' parameter is not set");
        }
        _ => {}
    }
    let add: Vec<(String, String, String)> = add.into_iter().map(|t| (t.key, t.value, t.effect)).collect();
    let remove: Vec<(String, String)> = remove.into_iter().map(|t| (t.key, t.effect)).collect();
    let whole = args.is("all") || !args.get("selector").is_empty();
    let resources = if whole { vec!["nodes".to_string()] } else { resources.to_vec() };
    let dry_run = args.dry_run()?;
    let inner = args.with_words(resources);
    let fetched = io.once(|io| select::fetch(&inner, io, &mapper, Rules::default()))?;
    let (found, mut failures) = (&fetched.0, fetched.1.clone());
    let more = io.over(found, |io, item, failures| {
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

/// `key=value:effect`, `key:effect` or `key`.
struct Taint {
    key: String,
    value: String,
    effect: String,
}

impl Taint {
    fn read(spec: &str) -> Result<Taint, String> {
        let wrong = || format!("invalid taint spec: {spec}");
        let (key, value, effect) = match spec.split(':').collect::<Vec<_>>().as_slice() {
            [key] => (*key, "", ""),
            [pair, effect] => {
                if !matches!(*effect, "NoSchedule" | "PreferNoSchedule" | "NoExecute") {
                    return Err(format!("invalid taint effect: {effect}, unsupported taint effect"));
                }
                match pair.split('=').collect::<Vec<_>>().as_slice() {
                    [key] => (*key, "", *effect),
                    [key, value] => (*key, *value, *effect),
                    _ => return Err(wrong()),
                }
            }
            _ => return Err(wrong()),
        };
        if let Some(why) = bad_label_value(value) {
            return Err(format!("{}, {why}", wrong()));
        }
        let faults = names::qualified(key);
        if !faults.is_empty() {
            return Err(format!("{}, {}", wrong(), faults.join("; ")));
        }
        Ok(Taint { key: key.into(), value: value.into(), effect: effect.into() })
    }

    /// Whether this one, given to be removed, means such a taint.
    fn is(&self, key: &str, effect: &str) -> bool {
        self.key == key && (self.effect.is_empty() || self.effect == effect)
    }
}
