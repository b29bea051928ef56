//! `kubectl diff`: what `apply` would change, asked of the server as a dry run. Left out: `--prune`, other programs
//! than `diff` in KUBECTL_EXTERNAL_DIFF.

use super::apply::{MERGE, STRATEGIC, retrieving};
use super::create::LAST_APPLIED;
use crate::api::patch;
use crate::base::http::Method;
use crate::base::{Value, diff, json, yaml_emit};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Failure, Io, Outcome, Stop, body, fail, status_failure, usage};
use crate::kubectl::manifest::{self, Document};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select;

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match differ(args, io) {
        Err(Stop::Fail(failures, _)) => Err(Stop::Fail(failures, 2)),
        other => other,
    }
}

fn differ(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return usage("diff", format!("Unexpected args: [{}]", args.words.join(" ")));
    }
    if args.is("force-conflicts") && !args.is("server-side") {
        return fail("--force-conflicts only works with --server-side");
    }
    if !manifest::given(args) {
        return fail("must specify one of -f and -k");
    }
    let program = io.sys.env.get("KUBECTL_EXTERNAL_DIFF").cloned().unwrap_or_default();
    let mapper = Mapper::discover(io)?;
    let (mut documents, errors) = manifest::load(args, io, &mapper)?;
    let selector = args.get("selector");
    if !selector.is_empty() {
        documents.retain(|d| super::apply::plain_selector(selector, d.object.at(&["metadata", "labels"])));
    }
    let folders = (io.sys.pid as u64 * 7919 + 100_000_007, io.sys.pid as u64 * 6007 + 100_000_039);
    let mut text = String::new();
    let mut short = String::new();
    for document in &documents {
        let (live, merged) = match both(args, io, document)? {
            Ok(both) => both,
            Err(failure) => return Err(Stop::Fail(vec![failure], 2)),
        };
        let (old, new) = texts(args, document, live, merged);
        if old == new {
            continue;
        }
        let (group, version) = (document.mapping.group.as_str(), document.mapping.version.as_str());
        let version = if group.is_empty() { version.to_string() } else { format!("{group}.{version}") };
        let namespace = document.namespace(io);
        let file = format!("{version}.{}.{namespace}.{}", document.mapping.kind, document.name());
        let (live, merged) = (format!("/tmp/LIVE-{}/{file}", folders.0), format!("/tmp/MERGED-{}/{file}", folders.1));
        let time = io.now();
        let (year, month, day, hour, minute, second) = time.civil();
        let nanos = time.0.rem_euclid(1_000_000) * 1000;
        let time = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{nanos:09} +0000");
        text.push_str(&format!("diff -u -N {live} {merged}\n--- {live}\t{time}\n+++ {merged}\t{time}\n"));
        text.push_str(&diff::unified(&old, &new));
        short.push_str(&format!("Files {live} and {merged} differ\n"));
    }
    if !errors.is_empty() {
        return select::finish(errors);
    }
    if args.is("prune") {
        super::apply::warn_of_pruning(args, io);
    }
    let words: Vec<&str> = program.split_whitespace().collect();
    match words.split_first() {
        None | Some((&"diff", _)) => {
            io.out(if words.contains(&"-q") { &short } else { &text });
            if text.is_empty() { Ok(()) } else { Err(Stop::Exit(1)) }
        }
        Some((&"true", _)) => Ok(()),
        Some((name, _)) => {
            if io.sys.has(&[name.to_string()]).is_err() {
                return fail(format!("failed to run \"{name}\": executable file not found in $PATH"));
            }
            manifest::gap(&format!("kubectl diff with KUBECTL_EXTERNAL_DIFF={name}"), "use diff")
        }
    }
}

/// The object as it is and as it would be; `Null` when it is not there yet.
fn both(args: &Args, io: &mut Io<'_, '_>, document: &Document) -> Outcome<Result<(Value, Value), Failure>> {
    let namespace = document.namespace(io);
    let path = document.mapping.path(&namespace, document.name());
    let request = io.request(Method::Get, path.clone());
    let response = io.send(request)?;
    let manager = match (args.changed("field-manager"), args.is("server-side")) {
        (true, _) => args.get("field-manager"),
        (false, true) => "kubectl",
        (false, false) => "kubectl-client-side-apply",
    };
    let dry = [("dryRun", "All"), ("fieldManager", manager), ("fieldValidation", "Warn")];
    let with = |mut request: crate::base::http::Request| {
        for (key, value) in dry {
            request = request.with_query(key, value);
        }
        request
    };
    if args.is("server-side") {
        let live = if response.ok() { body(&response) } else { Value::Null };
        let mut request = with(io.request(Method::Patch, path).with_body(document.object.clone()));
        request.content_type = "application/apply-patch+yaml".into();
        request = request.with_query("force", if args.is("force-conflicts") { "true" } else { "false" });
        let response = io.send(request)?;
        return Ok(match response.ok() {
            true => Ok((live, body(&response))),
            false => Err(status_failure(&body(&response), None)),
        });
    }
    if response.code == 404 {
        let path = document.mapping.path(&namespace, "");
        let request = with(io.request(Method::Post, path).with_body(document.object.clone()));
        let response = io.send(request)?;
        return Ok(match response.ok() {
            true => Ok((Value::Null, body(&response))),
            false => Err(status_failure(&body(&response), None)),
        });
    }
    if !response.ok() {
        return Ok(Err(status_failure(&body(&response), Some(&retrieving(document, &namespace)))));
    }
    let live = body(&response);
    let original = json::parse(live.at(&["metadata", "annotations", LAST_APPLIED]).str()).unwrap_or_default();
    let ty = document.mapping.schema().map(|kind| kind.ty);
    let mut modified = document.object.clone();
    if modified.at(&["metadata", "annotations"]).is_null() {
        modified.set(&["metadata", "annotations"], Value::empty_map());
    }
    let mut change = match patch::three_way(ty, &original, &modified, &live, true) {
        Ok(change) => change,
        Err(error) => return Ok(Err(Failure::Plain(error.message))),
    };
    change.set(&["metadata", "resourceVersion"], live.at(&["metadata", "resourceVersion"]).str());
    let mut request = with(io.request(Method::Patch, path).with_body(change));
    request.content_type = if ty.is_some() { STRATEGIC.into() } else { MERGE.into() };
    let response = io.send(request)?;
    Ok(match response.ok() {
        true => Ok((live, body(&response))),
        false => Err(status_failure(&body(&response), None)),
    })
}

/// Both sides as YAML, without managed fields and with the values of Secrets masked.
fn texts(args: &Args, document: &Document, mut live: Value, mut merged: Value) -> (String, String) {
    let secret = document.mapping.kind == "Secret" && document.mapping.group.is_empty();
    if secret && !args.is("show-secrets") {
        mask(&mut live, &mut merged);
    }
    let text = |mut object: Value| {
        if object.is_null() {
            return if secret && !args.is("show-secrets") { "null\n".to_string() } else { String::new() };
        }
        if !args.is("show-managed-fields") {
            object.remove(&["metadata", "managedFields"]);
        }
        yaml_emit::emit(&object)
    };
    (text(live), text(merged))
}

fn mask(live: &mut Value, merged: &mut Value) {
    let (old, new) = (live["data"].clone(), merged["data"].clone());
    let keys: Vec<crate::base::SmolStr> = old.entries().keys().chain(new.entries().keys()).cloned().collect();
    for key in keys {
        let (before, after) = (old.get(&key), new.get(&key));
        let differ = !before.is_null() && !after.is_null() && before != after;
        if !before.is_null() {
            live.set(&["data", &key], if differ { "*** (before)" } else { "***" });
        }
        if !after.is_null() {
            merged.set(&["data", &key], if differ { "*** (after)" } else { "***" });
        }
    }
}
