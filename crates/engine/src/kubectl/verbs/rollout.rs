//! `kubectl rollout history | undo | restart | pause | resume`.

use super::change::{STRATEGIC, send_difference};
use crate::base::Value;
use crate::base::http::Method;
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::describe;
use crate::kubectl::io::{Failure, Io, Outcome, body, fail, server_failure};
use crate::kubectl::manifest;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::print;
use crate::kubectl::select::{self, Found, Rules};
use crate::map;

const REVISION: &str = "deployment.kubernetes.io/revision";
const CAUSE: &str = "kubernetes.io/change-cause";

pub fn rollout(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let what = args.command.strip_prefix("rollout ").unwrap_or_default().to_string();
    if args.words.is_empty() && !manifest::given(args) {
        return fail("required resource not specified");
    }
    if what == "history" && args.int("revision") < 0 {
        return fail(format!("revision must be a positive integer: {}", args.int("revision")));
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let (found, mut failures) = select::fetch(args, io, &mapper, Rules { whole_types: true })?;
    if found.is_empty() && failures.is_empty() && !matches!(what.as_str(), "history" | "undo") {
        select::tell_nothing(io);
    }
    for item in found {
        let result = match what.as_str() {
            "history" => history(args, io, &mapper, &item)?,
            "undo" => undo(args, io, &mapper, &item, dry_run)?,
            "restart" => restart(args, io, &mapper, &item)?,
            _ => pause(args, io, &mapper, &item, what == "pause")?,
        };
        if let Err(text) = result {
            failures.push(text);
        }
    }
    select::finish(failures)
}

type Done = Result<(), Failure>;

fn plain(text: impl Into<String>) -> Outcome<Done> {
    Ok(Err(Failure::Plain(text.into())))
}

/// Revisions of a workload: number, change cause, template.
struct Revision {
    number: i64,
    cause: String,
    template: Value,
    annotations: Value,
    /// The ReplicaSet; of others the workload as it was then.
    object: Value,
}

fn revisions(io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome<Result<Vec<Revision>, Failure>> {
    let deployment = item.mapping.kind == "Deployment";
    let kind = if deployment { "replicasets.apps" } else { "controllerrevisions.apps" };
    let mapping = mapper.find(kind)?.clone();
    let labels = item.object.at(&["spec", "selector", "matchLabels"]).entries();
    let selector: Vec<String> = labels.iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
    let objects = match select::list(io, &mapping, item.namespace(), &selector.join(","), "")? {
        Ok(objects) => objects,
        Err(failure) => return Ok(Err(failure)),
    };
    let uid = item.object.at(&["metadata", "uid"]).str();
    let owned = |object: &Value| crate::api::object::controller_of(object).is_some_and(|o| o["uid"].str() == uid);
    let mut out: Vec<Revision> = objects
        .iter()
        .filter(|object| owned(object))
        .map(|object| {
            let annotations = object.at(&["metadata", "annotations"]);
            let number = if deployment {
                annotations.get(REVISION).str().parse().unwrap_or(0)
            } else {
                object["revision"].int()
            };
            let template = if deployment {
                let mut template = object.at(&["spec", "template"]).clone();
                if !annotations.get(CAUSE).is_null() {
                    template.set(&["metadata", "annotations", CAUSE], annotations.get(CAUSE));
                }
                template
            } else {
                object.at(&["data", "spec", "template"]).clone()
            };
            let mut then = object.clone();
            if !deployment {
                then = item.object.clone();
                then.set(&["spec", "template"], template.clone());
            }
            Revision {
                number,
                cause: annotations.get(CAUSE).str().to_string(),
                template,
                annotations: annotations.clone(),
                object: then,
            }
        })
        .collect();
    out.sort_by_key(|revision| revision.number);
    Ok(Ok(out))
}

fn history(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome<Done> {
    match item.mapping.kind.as_str() {
        "Deployment" | "StatefulSet" | "DaemonSet" => {}
        "ReplicaSet" | "Pod" | "Job" | "CronJob" | "ReplicationController" => {
            return plain(format!("no history viewer has been implemented for \"{}\"", item.mapping.qualified_kind()));
        }
        kind => {
            return plain(format!(
                "error retrieving history for \"{kind}\", no visitor method exists for {{{} {kind}}}",
                item.mapping.group
            ));
        }
    }
    let found = match revisions(io, mapper, item)? {
        Ok(found) => found,
        Err(failure) => return Ok(Err(failure)),
    };
    let wanted = args.int("revision");
    if !args.get("output").is_empty() {
        let format = print::Format::read(args, io, false)?;
        let chosen: Vec<&Revision> = found.iter().filter(|revision| wanted <= 0 || revision.number == wanted).collect();
        if chosen.is_empty() && wanted > 0 {
            return plain("unable to find the specified revision");
        }
        for (at, revision) in chosen.into_iter().enumerate() {
            print::object(&revision.object, &format, args, io, &mut Vec::new(), at == 0)?;
        }
        return Ok(Ok(()));
    }
    if wanted > 0 {
        let Some(revision) = found.iter().find(|revision| revision.number == wanted) else {
            return plain("unable to find the specified revision");
        };
        io.line(format!("{} with revision #{wanted}", item.title()));
        io.out(describe::template_unaligned(&revision.template));
        io.out("\n");
        return Ok(Ok(()));
    }
    let mut text = String::from("REVISION\tCHANGE-CAUSE\n");
    for revision in &found {
        let cause = if revision.cause.is_empty() { "<none>" } else { &revision.cause };
        text.push_str(&format!("{}\t{cause}\n", revision.number));
    }
    io.out(format!("{} \n", item.title()));
    io.out(crate::base::columns::align(&text, crate::base::columns::DESCRIBE));
    io.out("\n");
    Ok(Ok(()))
}

fn undo(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found, dry_run: DryRun) -> Outcome<Done> {
    let kind = item.mapping.kind.as_str();
    if !matches!(kind, "Deployment" | "StatefulSet" | "DaemonSet") {
        return plain(format!(
            "error retrieving rollbacker for \"{kind}\", no visitor method exists for {{{} {kind}}}",
            item.mapping.group
        ));
    }
    let annotation = item.object.at(&["metadata", "annotations", super::create::LAST_APPLIED]);
    if !annotation.is_null() {
        io.warn(&format!(
            "resource {}/{} was previously managed with 'kubectl apply'. Rolling back will not update the \
             kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on \
             future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file \
             instead.",
            item.mapping.resource,
            item.name()
        ));
    }
    let found = match revisions(io, mapper, item)? {
        Ok(found) => found,
        Err(failure) => return Ok(Err(failure)),
    };
    let wanted = args.int("to-revision");
    let target = if wanted != 0 {
        match found.iter().find(|revision| revision.number == wanted) {
            Some(revision) => revision,
            None if kind == "Deployment" => {
                return plain(format!("unable to find specified revision {wanted} in history"));
            }
            None => return plain(format!("unable to find specified revision {wanted} in history")),
        }
    } else {
        match found.iter().rev().nth(1) {
            Some(revision) => revision,
            None if kind == "Deployment" => {
                return plain(format!("no rollout history found for deployment \"{}\"", item.name()));
            }
            None => return plain("no last revision to roll back to"),
        }
    };
    let mut template = target.template.clone();
    if kind == "Deployment" {
        template.remove(&["metadata", "annotations", CAUSE]);
        if template.at(&["metadata", "annotations"]).entries().is_empty() {
            template.remove(&["metadata", "annotations"]);
        }
    }
    template.remove(&["$patch"]);
    if dry_run == DryRun::Client {
        io.out(format!("{} {} (dry run)\n", item.title(), describe::template_unaligned(&template)));
        return Ok(Ok(()));
    }
    template.remove(&["metadata", "labels", "pod-template-hash"]);
    if item.object.at(&["spec", "paused"]).is_true() {
        return plain(
            "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
        );
    }
    let current = item.object.at(&["spec", "template"]);
    let plain_template = |template: &Value| {
        let mut template = template.clone();
        template.remove(&["metadata", "creationTimestamp"]);
        template
    };
    if plain_template(current) == plain_template(&template) {
        io.line(format!(
            "{} skipped rollback (current template already matches revision {})",
            item.title(),
            target.number
        ));
        return Ok(Ok(()));
    }
    let (content, change) = if kind == "Deployment" {
        let annotations = rolled_back(item.object.at(&["metadata", "annotations"]), &target.annotations);
        let steps = [("/spec/template", template), ("/metadata/annotations", annotations)];
        let steps = steps.map(|(path, value)| map! { "op" => "replace", "path" => path, "value" => value });
        ("application/json-patch+json", Value::list(steps.into()))
    } else {
        let mut template = template;
        template.set(&["$patch"], "replace");
        (STRATEGIC, map! { "spec" => map! { "template" => template } })
    };
    let mut request = io.request(Method::Patch, item.path()).with_body(change);
    request.content_type = content.into();
    if dry_run == DryRun::Server {
        request = request.with_query("dryRun", "All");
    }
    let response = io.send(request)?;
    if !response.ok() {
        return Ok(Err(server_failure(&response)));
    }
    io.line(format!("{} rolled back{}", item.title(), dry_run.suffix()));
    Ok(Ok(()))
}

/// The annotations of the revision gone back to, but for those that belong to the Deployment alone.
fn rolled_back(own: &Value, of_set: &Value) -> Value {
    let stays = |key: &str| key == super::create::LAST_APPLIED || key.starts_with("deployment.kubernetes.io/");
    let mut annotations = Value::empty_map();
    for (key, value) in own.entries().iter().filter(|(key, _)| stays(key)) {
        annotations.set(&[key], value);
    }
    for (key, value) in of_set.entries().iter().filter(|(key, _)| !stays(key)) {
        annotations.set(&[key], value);
    }
    annotations
}

fn restart(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome<Done> {
    let kind = item.mapping.kind.as_str();
    if !matches!(kind, "Deployment" | "StatefulSet" | "DaemonSet") {
        return plain(format!("{} \"{}\" restarting is not supported", item.mapping.qualified(), item.name()));
    }
    if item.object.at(&["spec", "paused"]).is_true() {
        return plain(format!(
            "{} \"{}\" can't restart paused deployment (run rollout resume first)",
            item.mapping.qualified(),
            item.name()
        ));
    }
    let mut after = item.object.clone();
    let now = io.now().rfc3339();
    after.set(&["spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"], now);
    match send_difference(args, io, item, &after, DryRun::None)? {
        Ok(Some(result)) => print::action(&result, "restarted", args, io, mapper).map(Ok),
        Ok(None) => plain(format!(
            "failed to create patch for {}: if restart has already been triggered within the past second, please wait \
             before attempting to trigger another",
            item.name()
        )),
        Err(failure) => Ok(Err(failure)),
    }
}

fn pause(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found, on: bool) -> Outcome<Done> {
    let (doing, done) = if on { ("pausing", "paused") } else { ("resuming", "resumed") };
    let what = format!("{} \"{}\"", item.mapping.qualified(), item.name());
    if item.mapping.kind != "Deployment" {
        return plain(format!("{what} {doing} is not supported"));
    }
    if item.object.at(&["spec", "paused"]).is_true() == on {
        return plain(format!("{what} is {}", if on { "already paused" } else { "not paused" }));
    }
    let mut after = item.object.clone();
    if on {
        after.set(&["spec", "paused"], true);
    } else {
        after.remove(&["spec", "paused"]);
    }
    match send_difference(args, io, item, &after, DryRun::None)? {
        Ok(result) => print::action(&result.unwrap_or_else(|| item.object.clone()), done, args, io, mapper).map(Ok),
        Err(failure) => Ok(Err(failure)),
    }
}

/// `kubectl drain`.
pub fn drain(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.is_empty() && args.get("selector").is_empty() {
        return crate::kubectl::io::usage("drain", "USAGE: drain NODE [flags]");
    }
    if !args.words.is_empty() && !args.get("selector").is_empty() {
        return crate::kubectl::io::usage("drain", "cannot specify both a node name and a --selector option");
    }
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let mut words = vec!["nodes".to_string()];
    words.extend(args.words.iter().cloned());
    let (nodes, failures) = select::fetch(&args.with_words(words), io, &mapper, Rules { whole_types: true })?;
    select::finish(failures)?;
    for node in &nodes {
        if let Err(failure) = super::change::cordon_one(args, io, node, true)? {
            return select::finish(vec![failure]);
        }
    }
    let mut pending: Vec<String> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for node in &nodes {
        match drain_node(args, io, &mapper, node, dry_run)? {
            Ok(()) => io.line(format!("node/{} drained{}", node.name(), dry_run.suffix())),
            Err(reasons) => {
                let joined = match reasons.as_slice() {
                    [one] => one.clone(),
                    many => format!("[{}]", many.join(", ")),
                };
                io.err(format!(
                    "error: unable to drain node \"{}\" due to error: {joined}, continuing command...\n",
                    node.name()
                ));
                pending.push(node.name().to_string());
                texts.extend(reasons);
            }
        }
    }
    if pending.is_empty() {
        return Ok(());
    }
    io.err("There are pending nodes to be drained:\n");
    for node in &pending {
        io.err(format!(" {node}\n"));
    }
    Err(crate::kubectl::io::Stop::Fail(texts.into_iter().map(Failure::Full).collect(), 1))
}

fn drain_node(
    args: &Args,
    io: &mut Io<'_, '_>,
    mapper: &Mapper,
    node: &Found,
    dry_run: DryRun,
) -> Outcome<Result<(), Vec<String>>> {
    let pods_mapping = mapper.find("pods")?.clone();
    let field = format!("spec.nodeName={}", node.name());
    let pods = match select::list(io, &pods_mapping, "", args.get("pod-selector"), &field)? {
        Ok(pods) => pods,
        Err(failure) => return Ok(Err(vec![failure.text().to_string()])),
    };
    let mut blocked: [(&str, Vec<String>); 3] = [
        ("DaemonSet-managed Pods (use --ignore-daemonsets to ignore)", Vec::new()),
        ("Pods with local storage (use --delete-emptydir-data to override)", Vec::new()),
        ("Pods that declare no controller (use --force to override)", Vec::new()),
    ];
    let (mut ignored, mut forced, mut evict) = (Vec::new(), Vec::new(), Vec::new());
    let [daemons, storage, bare] = &mut blocked;
    for pod in pods {
        let meta = &pod["metadata"];
        let name = format!("{}/{}", meta["namespace"].str(), meta["name"].str());
        if !meta["annotations"].get("kubernetes.io/config.mirror").is_null() {
            continue;
        }
        let finished = matches!(pod.at(&["status", "phase"]).str(), "Succeeded" | "Failed");
        let controller = crate::api::object::controller_of(&pod).map(|owner| owner["kind"].str().to_string());
        if controller.as_deref() == Some("DaemonSet") && !finished {
            if args.is("ignore-daemonsets") {
                ignored.push(name)
            } else {
                daemons.1.push(name)
            }
            continue;
        }
        let local = pod.at(&["spec", "volumes"]).items().iter().any(|volume| !volume["emptyDir"].is_null());
        let mut fine = true;
        if local && !finished && !args.is("delete-emptydir-data") {
            // The first reason that holds a pod is the one that is told.
            storage.1.push(name);
            continue;
        }
        if controller.is_none() && !finished {
            if args.is("force") {
                forced.push(name.clone());
            } else {
                bare.1.push(name);
                fine = false;
            }
        }
        if fine {
            evict.push(pod);
        }
    }
    let reasons: Vec<String> = blocked
        .iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(reason, names)| format!("cannot delete {reason}: {}", names.join(", ")))
        .collect();
    if !reasons.is_empty() {
        return Ok(Err(reasons));
    }
    let mut warnings = Vec::new();
    if !forced.is_empty() {
        warnings.push(format!("deleting Pods that declare no controller: {}", forced.join(", ")));
    }
    if !ignored.is_empty() {
        warnings.push(format!("ignoring DaemonSet-managed Pods: {}", ignored.join(", ")));
    }
    if !warnings.is_empty() {
        io.warn(&warnings.join("; "));
    }
    let span = args.span("timeout");
    let until = (span.0 > 0).then(|| io.now() + span);
    for pod in &evict {
        let meta = &pod["metadata"];
        let line = format!("evicting pod {}/{}", meta["namespace"].str(), meta["name"].str());
        if dry_run == DryRun::None {
            io.line(line);
        } else {
            io.line(format!("{line}{}", dry_run.suffix()));
        }
    }
    if dry_run != DryRun::None {
        return Ok(Ok(()));
    }
    // (pod, evicted yet, not before)
    let mut left: Vec<(Value, bool, crate::base::Time)> = evict.into_iter().map(|pod| (pod, false, io.now())).collect();
    let mut retried: Vec<String> = Vec::new();
    // A pod that may not go yet learns that time is up only when it is tried again.
    let late = format!("global timeout reached: {}", crate::base::duration::go(span));
    let (mut errors, mut pending): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let mut still = Vec::new();
        for (pod, evicted, not_before) in left {
            let meta = pod["metadata"].clone();
            let (namespace, name) = (meta["namespace"].str(), meta["name"].str());
            let path = pods_mapping.path(namespace, name);
            if !evicted {
                if io.now() < not_before {
                    still.push((pod, false, not_before));
                    continue;
                }
                if retried.contains(&name.to_string()) {
                    io.line(format!("evicting pod {namespace}/{name}"));
                }
                if until.is_some_and(|until| io.now() >= until) {
                    errors.push(format!("error when evicting pods/\"{name}\" -n \"{namespace}\": {late}"));
                    pending.push(name.to_string());
                    continue;
                }
                let mut eviction = map! { "apiVersion" => "policy/v1", "kind" => "Eviction",
                "metadata" => map! { "name" => name, "namespace" => namespace } };
                if args.int("grace-period") >= 0 {
                    eviction.set(&["deleteOptions", "gracePeriodSeconds"], args.int("grace-period"));
                }
                let request = io.request(Method::Post, format!("{path}/eviction")).with_body(eviction);
                let response = io.send(request)?;
                if response.code == 429 {
                    let message = body(&response)["message"].str().to_string();
                    io.err(format!(
                        "error when evicting pods/\"{name}\" -n \"{namespace}\" (will retry after 5s): {message}\n"
                    ));
                    retried.push(name.to_string());
                    still.push((pod.clone(), false, io.now() + crate::base::Span::seconds(5)));
                    continue;
                }
                if !response.ok() && response.code != 404 {
                    let text = server_failure(&response).text().to_string();
                    return Ok(Err(vec![format!("error when evicting pods/\"{name}\" -n \"{namespace}\": {text}")]));
                }
                still.push((pod, true, not_before));
                continue;
            }
            let request = io.request(Method::Get, path);
            let response = io.send(request)?;
            let same = body(&response).at(&["metadata", "uid"]).str() == meta["uid"].str();
            if !response.ok() || !same {
                io.line(format!("pod/{name} evicted"));
            } else if until.is_some_and(|until| io.now() >= until) {
                errors.push(format!(
                    "error when waiting for pod \"{name}\" in namespace \"{namespace}\" to terminate: {late}"
                ));
                pending.push(name.to_string());
            } else {
                still.push((pod, true, not_before));
            }
        }
        left = still;
        if left.is_empty() {
            break;
        }
        io.sleep(crate::base::Span::seconds(1))?;
    }
    if !errors.is_empty() {
        let text = match errors.as_slice() {
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        io.err(format!("There are pending pods in node \"{}\" when an error occurred: {text}\n", node.name()));
        for name in pending {
            io.err(format!("pod/{name}\n"));
        }
        return Ok(Err(errors));
    }
    Ok(Ok(()))
}
