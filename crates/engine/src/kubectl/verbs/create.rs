//! `kubectl create -f`.

use crate::base::Value;
use crate::base::http::Method;
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, body, fail, status_failure, usage};
use crate::kubectl::manifest::{self, Document};
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::{print, select};

/// `--raw`: one file as it is to a path of the server.
pub fn raw(method: Method, args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let [file] = args.list("filename") else {
        return fail("--raw can only use a single local file or stdin");
    };
    let file = file.clone();
    let text = match file.as_str() {
        "-" => io.stdin()?,
        file => match io.read_file(file) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_) => return fail(format!("open {file}: no such file or directory")),
        },
    };
    let sent = match crate::base::yaml::parse(&text) {
        Ok(sent) => sent,
        Err(error) => return fail(error.text),
    };
    super::get::raw(method, Some(sent), args, io)
}

pub fn create(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.get("raw").is_empty() {
        return raw(Method::Post, args, io);
    }
    if !args.words.is_empty() {
        return usage("create", format!("Unexpected args: [{}]", args.words.join(" ")));
    }
    if !manifest::given(args) {
        return fail("must specify one of -f and -k");
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let loaded = io.once(|io| manifest::load(args, io, &mapper))?;
    let (documents, errors) = (&loaded.0, loaded.1.clone());
    if documents.is_empty() && errors.is_empty() {
        return fail("no objects passed to create");
    }
    if args.is("edit") {
        let found: Vec<select::Found> = documents
            .iter()
            .cloned()
            .map(|d| select::Found { mapping: d.mapping, object: d.object, source: Some(d.source) })
            .collect();
        return super::edit::create(args, io, &mapper, &found);
    }
    let mut failures = io.over(documents, |io, document, failures| {
        match one(args, io, document, dry_run)? {
            Ok(object) => print::action(&object, "created", args, io, &mapper)?,
            Err(failure) => failures.push(failure),
        }
        Ok(())
    })?;
    let errors = manifest::beside(errors, &failures);
    failures.extend(errors);
    select::finish(failures)
}

fn one(args: &Args, io: &mut Io<'_, '_>, document: &Document, dry_run: DryRun) -> Outcome<Result<Value, Failure>> {
    let mut object = document.object.clone();
    if args.is("save-config") {
        object = with_last_applied(&object);
    }
    args.record(&mut object);
    if dry_run == DryRun::Client {
        return Ok(Ok(object));
    }
    let namespace = document.namespace(io);
    let response = post(args, io, &document.mapping, &namespace, object, dry_run)?;
    if response.ok() {
        return Ok(Ok(body(&response)));
    }
    let context = format!("error when creating \"{}\": ", document.source);
    Ok(Err(status_failure(&body(&response), Some(&context))))
}

/// POST of a new object as `create`, `apply`, `run` and `expose` send it.
pub fn post(
    args: &Args,
    io: &mut Io<'_, '_>,
    mapping: &Mapping,
    namespace: &str,
    mut object: Value,
    dry_run: DryRun,
) -> Outcome<crate::base::http::Response> {
    // What was read from a server can be made again (`Helper.CreateWithOptions`).
    object.remove(&["metadata", "resourceVersion"]);
    let manager = match args.get("field-manager") {
        "" => "kubectl-create",
        manager => manager,
    };
    let mut request = io.request(Method::Post, mapping.path(namespace, "")).with_body(object);
    if dry_run == DryRun::Server {
        request = request.with_query("dryRun", "All");
    }
    request = request.with_query("fieldManager", manager).with_query("fieldValidation", validation(args));
    io.send(request)
}

pub fn validation(args: &Args) -> &'static str {
    match args.get("validate") {
        "warn" => "Warn",
        "false" | "ignore" => "Ignore",
        _ => "Strict",
    }
}

/// The object with itself in the last-applied annotation.
pub fn with_last_applied(object: &Value) -> Value {
    let mut plain = object.clone();
    plain.remove(&["metadata", "annotations", LAST_APPLIED]);
    if plain.at(&["metadata", "annotations"]).is_null() {
        plain.set(&["metadata", "annotations"], Value::empty_map());
    }
    let text = crate::base::json::compact(&plain) + "\n";
    let mut out = plain;
    out.set(&["metadata", "annotations", LAST_APPLIED], text);
    out
}

pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";
