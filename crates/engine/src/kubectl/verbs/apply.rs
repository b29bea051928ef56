//! `kubectl apply`: client-side with three-way patches, and server-side.

use super::apply_set;
use super::create::{LAST_APPLIED, post, validation, with_last_applied};
use crate::api::apply::upgraded;
use crate::api::patch;
use crate::base::http::Method;
use crate::base::{Span, Value, json};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, body, fail, status_failure, usage};
use crate::kubectl::manifest::{self, Document};
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::{print, select};
use crate::map;

pub const STRATEGIC: &str = "application/strategic-merge-patch+json";
pub const MERGE: &str = "application/merge-patch+json";
const RESOLVE: &str = "\nPlease review the fields above--they currently have other managers. Here\nare the ways you can \
                       resolve this warning:\n* If you intend to manage all of these fields, please re-run the \
                       apply\n  command with the `--force-conflicts` flag.\n* If you do not intend to manage all of \
                       the fields, please edit your\n  manifest to remove references to the fields that should keep \
                       their\n  current managers.\n* You may co-own fields by updating your manifest to match the \
                       existing\n  value; in this case, you'll become the manager if the other manager(s)\n  stop \
                       managing the field (remove it from their configuration).\nSee \
                       https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts";

pub fn apply(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return usage("apply", format!("Unexpected args: [{}]", args.words.join(" ")));
    }
    let server_side = args.is("server-side");
    let dry_run = args.dry_run()?;
    if args.is("force-conflicts") && !server_side {
        return fail("--force-conflicts only works with --server-side");
    }
    if server_side && dry_run == DryRun::Client {
        return fail("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)");
    }
    if server_side && args.is("force") {
        return fail("--force cannot be used with --server-side");
    }
    if !args.get("subresource").is_empty() && !server_side {
        return fail("--subresource can only be specified for --server-side");
    }
    if args.is("all") && !args.get("selector").is_empty() {
        return fail("cannot set --all and --selector at the same time");
    }
    apply_set::check(args, io)?;
    if args.is("prune") && args.is("force") {
        return fail("--force cannot be used with --prune");
    }
    if !manifest::given(args) {
        return fail("must specify one of -f and -k");
    }
    let in_set = args.changed("applyset");
    if args.is("prune") && !in_set && args.get("selector").is_empty() && !args.is("all") {
        return fail(
            "all resources selected for prune without explicitly passing --all. To prune all resources, pass the \
             --all flag. If you did not mean to prune all resources, specify a label selector",
        );
    }
    if args.is("prune") && !in_set && server_side {
        return fail("--prune is in alpha and doesn't currently work on objects created by server-side apply");
    }
    let mapper = Mapper::discover(io)?;
    let mut allowed = Vec::new();
    for text in args.split("prune-allowlist") {
        match text.split('/').collect::<Vec<_>>().as_slice() {
            [group, version, kind] => {
                let group = if *group == "core" { "" } else { *group };
                let found = mapper.all.iter().find(|m| m.group == group && m.version == *version && m.kind == *kind);
                match found {
                    Some(mapping) => allowed.push(mapping.clone()),
                    None => {
                        return fail(format!("no matches for kind \"{kind}\" in version \"{group}/{version}\""));
                    }
                }
            }
            _ => {
                return fail(format!("invalid GroupVersionKind format: {text}, please follow <group/version/kind>"));
            }
        }
    }
    let set = apply_set::ApplySet::open(args, io, &mapper)?;
    let loaded = io.once(|io| {
        let (mut documents, errors) = manifest::load(args, io, &mapper)?;
        let selector = args.get("selector");
        if !selector.is_empty() {
            documents.retain(|d| plain_selector(selector, d.object.at(&["metadata", "labels"])));
        }
        if let Some(set) = &set {
            set.label(&mut documents)?;
        }
        Ok((documents, errors))
    })?;
    let (documents, errors) = (&loaded.0, loaded.1.clone());
    if documents.is_empty() && errors.is_empty() {
        return fail("no objects passed to apply");
    }
    if let Some(set) = &set {
        set.announce(args, io, documents, dry_run)?;
    }
    let applied = io.each(documents.len(), |io, at| {
        let Some(document) = documents.get(at) else { return Ok(Err(Failure::Plain(String::new()))) };
        let result =
            if server_side { server(args, io, document, dry_run)? } else { client(args, io, document, dry_run)? };
        if let (Ok((_, verb)), true) = (&result, args.get("output").is_empty()) {
            io.line(format!("{} {verb}{}", document.title(), dry_run.suffix()));
        }
        Ok(result.map(|(object, _)| object))
    })?;
    let mut failures: Vec<Failure> = applied.iter().filter_map(|result| result.as_ref().err().cloned()).collect();
    let printed: Vec<Value> = applied.iter().filter_map(|result| result.as_ref().ok().cloned()).collect();
    if !args.get("output").is_empty() && !printed.is_empty() {
        let format = print::Format::read(args, io, false)?;
        match (&format, printed.as_slice()) {
            (print::Format::Name, objects) => {
                for object in objects {
                    print::object(object, &format, args, io, &mut Vec::new(), true)?;
                }
            }
            (_, [object]) => print::object(object, &format, args, io, &mut Vec::new(), true)?,
            _ => print::object(&print::list_of(printed.clone()), &format, args, io, &mut Vec::new(), true)?,
        }
    }
    // What could not be read is told before what was sent and refused.
    let errors = manifest::beside(errors, &failures);
    failures.splice(0..0, errors);
    if args.is("prune") && failures.is_empty() {
        match &set {
            Some(set) => set.prune(args, io, &mapper, documents, &printed, dry_run)?,
            None => prune(args, io, &mapper, documents, &printed, &allowed, dry_run)?,
        }
    }
    select::finish(failures)
}

/// `a=b,c!=d,e` on labels of a file's object.
pub fn plain_selector(selector: &str, labels: &Value) -> bool {
    selector.split(',').filter(|part| !part.is_empty()).all(|part| {
        if let Some((key, value)) = part.split_once("!=") {
            labels.get(key.trim()).str() != value.trim()
        } else if let Some((key, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
            labels.get(key.trim()).as_str() == Some(value.trim())
        } else if let Some(key) = part.strip_prefix('!') {
            labels.get(key.trim()).is_null()
        } else {
            !labels.get(part.trim()).is_null()
        }
    })
}

type Applied = Result<(Value, &'static str), Failure>;

pub fn retrieving(document: &Document, namespace: &str) -> String {
    format!(
        "error when retrieving current configuration of:\nResource: \"{}\", GroupVersionKind: \"{}\"\nName: \"{}\", \
         Namespace: \"{namespace}\"\nfrom server for: \"{}\": ",
        document.mapping.gvr(),
        document.mapping.gvk(),
        document.name(),
        document.source
    )
}

fn client(args: &Args, io: &mut Io<'_, '_>, document: &Document, dry_run: DryRun) -> Outcome<Applied> {
    let namespace = document.namespace(io);
    if document.name().is_empty() {
        let generated = document.object.at(&["metadata", "generateName"]).str();
        let text = if generated.is_empty() {
            format!("{}resource name may not be empty", retrieving(document, &namespace))
        } else {
            format!("from {generated}: cannot use generate name with apply")
        };
        return Ok(Err(Failure::Plain(text)));
    }
    let path = document.mapping.path(&namespace, document.name());
    let request = io.request(Method::Get, path.clone());
    let response = io.send(request)?;
    let mut wanted = document.object.clone();
    args.record(&mut wanted);
    let modified = with_last_applied(&wanted);
    if response.code == 404 {
        if dry_run == DryRun::Client {
            return Ok(Ok((modified, "created")));
        }
        let response = post(args, io, &document.mapping, &namespace, modified, dry_run)?;
        if response.ok() {
            return Ok(Ok((body(&response), "created")));
        }
        let context = format!("error when creating \"{}\": ", document.source);
        return Ok(Err(status_failure(&body(&response), Some(&context))));
    }
    if !response.ok() {
        return Ok(Err(status_failure(&body(&response), Some(&retrieving(document, &namespace)))));
    }
    let mut current = body(&response);
    let annotation = current.at(&["metadata", "annotations", LAST_APPLIED]).str().to_string();
    if annotation.is_empty() {
        io.warn(&format!(
            "resource {}/{} is missing the {LAST_APPLIED} annotation which is required by kubectl apply. kubectl \
             apply should only be used on resources created declaratively by either kubectl create --save-config or \
             kubectl apply. The missing annotation will be patched automatically.",
            document.mapping.resource,
            document.name()
        ));
    }
    let mut tries = 0;
    loop {
        let annotation = current.at(&["metadata", "annotations", LAST_APPLIED]).str();
        let original = json::parse(annotation).unwrap_or_default();
        let schema = document.mapping.schema();
        let ty = schema.map(|kind| kind.ty);
        let computed = match patch::three_way(ty, &original, &modified, &current, args.is("overwrite")) {
            Ok(computed) => computed,
            Err(error) => return Ok(Err(Failure::Plain(error.message))),
        };
        if computed.entries().is_empty() {
            return Ok(Ok((current, "unchanged")));
        }
        if !current.at(&["metadata", "deletionTimestamp"]).is_null() {
            io.warn(&format!("Detected changes to resource {} which is currently being deleted.", document.name()));
        }
        if dry_run == DryRun::Client {
            let patched = match ty {
                Some(ty) => patch::strategic(ty, &current, &computed).unwrap_or_else(|_| current.clone()),
                None => patch::merge(&current, &computed),
            };
            return Ok(Ok((patched, "configured")));
        }
        let mut request = io.request(Method::Patch, path.clone()).with_body(computed.clone());
        request.content_type = if ty.is_some() { STRATEGIC.into() } else { MERGE.into() };
        if dry_run == DryRun::Server {
            request = request.with_query("dryRun", "All");
        }
        request = request
            .with_query("fieldManager", args.get("field-manager"))
            .with_query("fieldValidation", validation(args));
        let response = io.send(request)?;
        if response.ok() {
            return Ok(Ok((body(&response), "configured")));
        }
        tries += 1;
        if response.code == 409 && tries < 5 {
            io.sleep(Span::seconds(1))?;
            let request = io.request(Method::Get, path.clone());
            current = io.must(request)?;
            continue;
        }
        let context = format!(
            "error when applying patch:\n{}\nto:\nResource: \"{}\", GroupVersionKind: \"{}\"\nName: \"{}\", Namespace: \
             \"{namespace}\"\nfor: \"{}\": error when patching \"{}\": ",
            json::compact(&computed),
            document.mapping.gvr(),
            document.mapping.gvk(),
            document.name(),
            document.source,
            document.source
        );
        return Ok(Err(status_failure(&body(&response), Some(&context))));
    }
}

fn server(args: &Args, io: &mut Io<'_, '_>, document: &Document, dry_run: DryRun) -> Outcome<Applied> {
    let namespace = document.namespace(io);
    let mut path = document.mapping.path(&namespace, document.name());
    let subresource = args.get("subresource");
    if !subresource.is_empty() {
        path = format!("{path}/{subresource}");
    }
    let manager = match args.changed("field-manager") {
        true => args.get("field-manager"),
        false => "kubectl",
    };
    let mut request = io.request(Method::Patch, path.clone()).with_body(document.object.clone());
    request.content_type = "application/apply-patch+yaml".into();
    if dry_run == DryRun::Server {
        request = request.with_query("dryRun", "All");
    }
    request = request.with_query("fieldManager", manager).with_query("fieldValidation", validation(args));
    request = request.with_query("force", if args.is("force-conflicts") { "true" } else { "false" });
    let response = io.send(request)?;
    let answer = body(&response);
    if response.ok() {
        let moved = match dry_run == DryRun::None && subresource.is_empty() {
            true => migrate(args, io, document, &path, manager, &answer)?,
            false => None,
        };
        return Ok(Ok((moved.unwrap_or(answer), "serverside-applied")));
    }
    if response.code == 409 && answer["message"].str().starts_with("Apply failed with") {
        return Ok(Err(Failure::Plain(format!("{}{RESOLVE}", answer["message"].str()))));
    }
    Ok(Err(status_failure(&answer, None)))
}

/// What client-side apply has written goes over to server-side apply: who has updated the last-applied annotation owns
/// no more, the applier owns its fields, and the annotation is kept by an applier of its own.
fn migrate(
    args: &Args,
    io: &mut Io<'_, '_>,
    document: &Document,
    path: &str,
    manager: &str,
    applied: &Value,
) -> Outcome<Option<Value>> {
    const FIELD: [&str; 4] =
        ["fieldsV1", "f:metadata", "f:annotations", "f:kubectl.kubernetes.io/last-applied-configuration"];
    let owners = |object: &Value| -> Vec<Value> {
        let entries = object.at(&["metadata", "managedFields"]).items().iter();
        let owns = |entry: &&Value| entry["operation"].str() == "Update" && !entry.at(&FIELD).is_null();
        entries.filter(owns).cloned().collect()
    };
    if owners(applied).is_empty() {
        return Ok(None);
    }
    let mut current = applied.clone();
    let apply = |io: &mut Io<'_, '_>, manager: &str, body: Value| {
        let mut request = io.request(Method::Patch, path).with_body(body);
        request.content_type = "application/apply-patch+yaml".into();
        request.with_query("fieldManager", manager).with_query("fieldValidation", validation(args))
    };
    if manager == "kubectl" {
        let text = applied.at(&["metadata", "annotations", LAST_APPLIED]);
        let mut meta = map! { "name" => document.name(), "annotations" => map! { LAST_APPLIED => text } };
        let namespace = applied.at(&["metadata", "namespace"]);
        if !namespace.is_null() {
            meta.set(&["namespace"], namespace);
        }
        let body = map! {
            "apiVersion" => document.object.get("apiVersion"), "kind" => document.object.get("kind"),
            "metadata" => meta,
        };
        let request = apply(io, "kubectl-last-applied", body).with_query("force", "true");
        current = io.must(request)?;
    }
    let owners = owners(&current);
    if owners.is_empty() {
        return Ok(Some(current));
    }
    let names: Vec<&str> = owners.iter().map(|entry| entry["manager"].str()).collect();
    let entries = upgraded(current.at(&["metadata", "managedFields"]), &names, manager, "");
    let version = current.at(&["metadata", "resourceVersion"]).clone();
    let patch = Value::list(vec![
        map! { "op" => "replace", "path" => "/metadata/managedFields", "value" => entries },
        map! { "op" => "replace", "path" => "/metadata/resourceVersion", "value" => version },
    ]);
    let mut request = io.request(Method::Patch, path).with_body(patch);
    request.content_type = "application/json-patch+json".into();
    io.must(request)?;
    let request = apply(io, manager, document.object.clone());
    let force = if args.is("force-conflicts") { "true" } else { "false" };
    Ok(Some(io.must(request.with_query("force", force))?))
}

/// What `--prune` looks at when no list is given; the last ones have no namespace.
const PRUNED: &[(&str, &str)] = &[
    ("v1", "ConfigMap"),
    ("v1", "Endpoints"),
    ("v1", "PersistentVolumeClaim"),
    ("v1", "Pod"),
    ("v1", "ReplicationController"),
    ("v1", "Secret"),
    ("v1", "Service"),
    ("batch/v1", "Job"),
    ("batch/v1", "CronJob"),
    ("networking.k8s.io/v1", "Ingress"),
    ("apps/v1", "DaemonSet"),
    ("apps/v1", "Deployment"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "StatefulSet"),
    ("v1", "Namespace"),
    ("v1", "PersistentVolume"),
];

/// Pruning beyond the namespace will end one day.
pub fn warn_of_pruning(args: &Args, io: &mut Io<'_, '_>) {
    if args.list("prune-allowlist").is_empty() {
        io.klog(
            'W',
            "prune.go:71",
            "Deprecated: kubectl apply will no longer prune non-namespaced resources by default when used with the \
             --namespace flag in a future release. To preserve the current behaviour, list the resources you want to \
             target explicitly in the --prune-allowlist flag.",
        );
    }
}

fn prune(
    args: &Args,
    io: &mut Io<'_, '_>,
    mapper: &Mapper,
    documents: &[Document],
    applied: &[Value],
    allowed: &[Mapping],
    dry_run: DryRun,
) -> Outcome {
    let mut namespaces: Vec<String> = documents.iter().map(|d| d.namespace(io)).filter(|n| !n.is_empty()).collect();
    namespaces.sort();
    namespaces.dedup();
    let kept: Vec<&str> = applied.iter().map(|object| object.at(&["metadata", "uid"]).str()).collect();
    warn_of_pruning(args, io);
    let mut kinds: Vec<Mapping> = allowed.to_vec();
    if kinds.is_empty() {
        kinds.extend(PRUNED.iter().filter_map(|(version, kind)| mapper.of_kind(version, kind)).cloned());
    }
    let in_namespaces =
        namespaces.iter().flat_map(|n| kinds.iter().filter(|m| m.namespaced).map(move |m| (n.as_str(), m)));
    let elsewhere = kinds.iter().filter(|m| !m.namespaced).map(|m| ("", m));
    for (namespace, mapping) in in_namespaces.chain(elsewhere) {
        let Ok(mut objects) = select::list(io, mapping, namespace, args.get("selector"), "")? else { continue };
        objects.retain(|object| {
            let meta = &object["metadata"];
            !meta["annotations"].get(LAST_APPLIED).is_null() && !kept.contains(&meta["uid"].str())
        });
        for object in objects {
            let name = object.at(&["metadata", "name"]).str();
            if dry_run != DryRun::Client {
                let mut request = io.request(Method::Delete, mapping.path(namespace, name));
                if dry_run == DryRun::Server {
                    request = request.with_query("dryRun", "All");
                }
                request = request.with_body(crate::map! { "propagationPolicy" => "Background" });
                io.must(request)?;
            }
            io.line(format!("{}/{name} pruned{}", mapping.word(), dry_run.suffix()));
        }
    }
    Ok(())
}

/// `apply view-last-applied`.
pub fn view_last_applied(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let output = args.get("output");
    if !matches!(output, "yaml" | "json") {
        return usage(
            "apply view-last-applied",
            format!("Unexpected -o output mode: {output}, the flag 'output' must be one of yaml|json"),
        );
    }
    let mapper = Mapper::discover(io)?;
    let (found, failures) = select::fetch(args, io, &mapper, select::Rules { whole_types: true })?;
    for item in found {
        let text = item.object.at(&["metadata", "annotations", LAST_APPLIED]).str();
        let Ok(value) = json::parse(text) else { continue };
        if output == "json" {
            io.out(json::pretty(&value, 2) + "\n");
        } else {
            io.out(crate::base::yaml_emit::emit(&value));
        }
    }
    select::finish(failures)
}

/// `apply set-last-applied`.
pub fn set_last_applied(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !manifest::given(args) {
        return fail(select::NOTHING);
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let (documents, failures) = manifest::load(args, io, &mapper)?;
    // All are looked at before the first is written; the first that cannot be ends it.
    let mut changes = Vec::new();
    for document in documents {
        let namespace = document.namespace(io);
        let path = document.mapping.path(&namespace, document.name());
        let request = io.request(Method::Get, path.clone());
        let current = io.must(request)?;
        let old = current.at(&["metadata", "annotations", LAST_APPLIED]).str();
        if old.is_empty() && !args.is("create-annotation") {
            return fail(format!(
                "no last-applied-configuration annotation found on resource: {}, to create the annotation, run the \
                 command with --create-annotation",
                document.name()
            ));
        }
        // The text is the file's own: no empty annotations are added.
        let mut plain = document.object.clone();
        plain.remove(&["metadata", "annotations", LAST_APPLIED]);
        let new = json::compact(&plain) + "\n";
        if new == old {
            io.line(format!("set-last-applied {}: no changes required.", document.name()));
            continue;
        }
        let change = crate::map! { "metadata" => crate::map! { "annotations" => crate::map! { LAST_APPLIED => new } } };
        changes.push((path, current, change));
    }
    select::finish(failures)?;
    for (path, current, change) in changes {
        let mut result = patch::merge(&current, &change);
        if dry_run != DryRun::Client {
            let mut request = io.request(Method::Patch, path).with_body(change);
            request.content_type = MERGE.into();
            if dry_run == DryRun::Server {
                request = request.with_query("dryRun", "All");
            }
            result = io.must(request)?;
        }
        print::action(&result, "configured", args, io, &mapper)?;
    }
    Ok(())
}
