//! `debug`: an ephemeral container in a pod, a copy of a pod, or a pod on a node.
//!
//! Left out: `--custom` profiles, files (`-f`).

use super::logs;
use crate::api::patch;
use crate::base::http::Method;
use crate::base::{Span, Value};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Io, Outcome, Stop, body, fail, server_failure};
use crate::kubectl::manifest::gap;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select;
use crate::{list, map};

/// What a profile works on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Ephemeral,
    Copy,
    Node,
}

pub fn debug(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let split = args.dash.unwrap_or(args.words.len());
    let (names, command) = args.words.split_at(split.min(args.words.len()));
    check(args, io, names, command)?;
    let mapper = Mapper::discover(io)?;
    for name in names {
        let item = select::one(name, io, &mapper)?;
        let (pod, container) = match item.mapping.kind.as_str() {
            "Node" => node_pod(args, io, command, item.name())?,
            "Pod" if args.get("copy-to").is_empty() => ephemeral(args, io, command, &item.object)?,
            "Pod" => copy(args, io, command, &item.object)?,
            _ => return fail(format!("\"{}\" not supported by debug", item.mapping.gvk())),
        };
        let attach = args.is("attach") || (!args.changed("attach") && args.is("stdin"));
        if attach && !container.is_empty() {
            follow(args, io, pod, &container)?;
        }
    }
    Ok(())
}

fn check(args: &Args, io: &mut Io<'_, '_>, names: &[String], command: &[String]) -> Outcome {
    let given = |flag: &str| !args.get(flag).is_empty();
    let profile = args.get("profile");
    if !matches!(profile, "legacy" | "general" | "baseline" | "restricted" | "netadmin" | "sysadmin") {
        return fail(format!("unknown profile: {profile}"));
    }
    if given("custom") {
        return gap("kubectl debug --custom", "");
    }
    if args.is("attach") && !given("image") && !given("container") {
        return fail("you must specify --container or create a new container using --image in order to attach.");
    }
    let images = args.list("set-image");
    if given("copy-to") {
        if !given("image") && images.is_empty() && command.is_empty() {
            return fail("you must specify --image, --set-image or command arguments.");
        }
        if !command.is_empty() && !given("container") && !given("image") {
            return fail("you must specify an existing container or a new image when specifying args.");
        }
    } else {
        for flag in ["replace", "same-node"] {
            if args.is(flag) {
                return fail(format!("--{flag} may only be used with --copy-to."));
            }
        }
        if !images.is_empty() {
            return fail("--set-image may only be used with --copy-to.");
        }
        if !given("image") {
            return fail("you must specify --image when not using --copy-to.");
        }
    }
    let bad = |image: &str| image.contains(|c: char| c.is_whitespace() || c.is_uppercase() && !image.contains('/'));
    if bad(args.get("image")) {
        return fail(format!("invalid image name \"{}\": invalid reference format", args.get("image")));
    }
    if names.is_empty() && args.list("filename").is_empty() {
        return fail("NAME or filename is required for debug");
    }
    let policy = args.get("image-pull-policy");
    if !matches!(policy, "" | "Always" | "IfNotPresent" | "Never") {
        return fail(format!("invalid image pull policy: {policy}"));
    }
    let target = args.get("target");
    if !target.is_empty() {
        if given("copy-to") {
            return fail("--target is incompatible with --copy-to. Use --share-processes instead.");
        }
        if !args.is("quiet") {
            io.line(format!(
                "Targeting container \"{target}\". If you don't see processes from this container it may be because the \
                 container runtime doesn't support this feature."
            ));
        }
    }
    if args.is("tty") && !args.is("stdin") {
        return fail("-i/--stdin is required for containers with -t/--tty=true");
    }
    if profile == "legacy" {
        io.err(
            "--profile=legacy is deprecated and planned to be removed in v1.39. It is recommended to specify other \
             profile, for example \"--profile=general\".\n",
        );
    }
    if !args.list("filename").is_empty() {
        return gap("kubectl debug -f", "name the object");
    }
    Ok(())
}

/// A container as the flags say.
fn filled(args: &Args, command: &[String], mut container: Value) -> Value {
    if !command.is_empty() {
        let words: Vec<Value> = command.iter().map(|word| Value::text(word.as_str())).collect();
        container.remove(&["args"]);
        container.set(&[if args.is("arguments-only") { "args" } else { "command" }], words);
    }
    let mut env: Vec<(String, String)> = Vec::new();
    for pair in args.split("env") {
        let (name, value) = pair.split_once('=').unwrap_or((&pair, ""));
        env.push((name.into(), value.into()));
    }
    env.sort();
    if !env.is_empty() {
        let env: Vec<Value> = env.iter().map(|(n, v)| map! { "name" => n.as_str(), "value" => v.as_str() }).collect();
        container.set(&["env"], env);
    }
    for (flag, field) in [("image", "image"), ("image-pull-policy", "imagePullPolicy")] {
        if !args.get(flag).is_empty() {
            container.set(&[field], args.get(flag));
        }
    }
    for (flag, field) in [("stdin", "stdin"), ("tty", "tty")] {
        container.remove(&[field]);
        if args.is(flag) {
            container.set(&[field], true);
        }
    }
    container
}

fn new_container(name: &str) -> Value {
    map! { "name" => name, "terminationMessagePolicy" => "File" }
}

fn container_name(args: &Args, io: &mut Io<'_, '_>, pod: &Value) -> String {
    if !args.get("container").is_empty() {
        return args.get("container").into();
    }
    let lists = ["containers", "initContainers", "ephemeralContainers"];
    loop {
        let name = format!("debugger-{}", io.suffix());
        if lists.iter().flat_map(|list| pod["spec"][*list].items()).all(|c| c["name"].str() != name) {
            if !args.is("quiet") {
                io.line(format!("Defaulting debug container name to {name}."));
            }
            return name;
        }
    }
}

/// Sends a pod; an error answer ends the verb.
fn sent(io: &mut Io<'_, '_>, request: crate::base::http::Request) -> Outcome<Value> {
    let response = io.send(request)?;
    if response.ok() { Ok(body(&response)) } else { Err(Stop::Fail(vec![server_failure(&response)], 1)) }
}

fn pods(namespace: &str) -> String {
    format!("/api/v1/namespaces/{namespace}/pods")
}

fn ephemeral(args: &Args, io: &mut Io<'_, '_>, command: &[String], pod: &Value) -> Outcome<(Value, String)> {
    let name = container_name(args, io, pod);
    let mut container = filled(args, command, new_container(&name));
    if !args.get("target").is_empty() {
        container.set(&["targetContainerName"], args.get("target"));
    }
    let mut new = pod.clone();
    let mut all = pod.at(&["spec", "ephemeralContainers"]).items().to_vec();
    all.push(container);
    new.set(&["spec", "ephemeralContainers"], all);
    profile(args, &mut new, &name, Style::Ephemeral);
    warn(io, &new, &name);
    let ty = crate::api::schema::named("core.v1", "Pod").map(|ty| ty.id);
    let change = patch::two_way(ty, pod, &new).unwrap_or_default();
    let meta = &pod["metadata"];
    let path = format!("{}/{}/ephemeralcontainers", pods(meta["namespace"].str()), meta["name"].str());
    let mut request = io.request(Method::Patch, path).with_body(change);
    request.content_type = "application/strategic-merge-patch+json".into();
    Ok((sent(io, request)?, name))
}

fn copy(args: &Args, io: &mut Io<'_, '_>, command: &[String], pod: &Value) -> Outcome<(Value, String)> {
    let meta = &pod["metadata"];
    let mut new = map! {
        "apiVersion" => "v1", "kind" => "Pod", "spec" => pod["spec"].clone(),
        "metadata" => map! { "name" => args.get("copy-to"), "namespace" => meta["namespace"].clone() },
    };
    for field in ["labels", "annotations"] {
        if !meta[field].is_null() {
            new.set(&["metadata", field], meta[field].clone());
        }
    }
    new.remove(&["spec", "ephemeralContainers"]);
    if args.changed("share-processes") {
        new.set(&["spec", "shareProcessNamespace"], args.is("share-processes"));
    }
    if !args.is("same-node") {
        new.remove(&["spec", "nodeName"]);
    }
    let images = args.split("set-image");
    let image_of = |name: &str| {
        let named = |key: &str| images.iter().rev().find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='));
        named(name).or_else(|| named("*")).map(str::to_string)
    };
    let mut containers = new.at(&["spec", "containers"]).items().to_vec();
    for container in &mut containers {
        if let Some(image) = image_of(container["name"].str()) {
            container.set(&["image"], image);
        }
    }
    let mut name = args.get("container").to_string();
    let known = containers.iter().position(|container| container["name"].str() == name);
    let index = match known {
        Some(index) => Some(index),
        None if args.get("image").is_empty() && images.is_empty() => {
            return fail("you must specify image when creating new container");
        }
        None if args.get("image").is_empty() => None,
        None => {
            name = container_name(args, io, pod);
            containers.push(new_container(&name));
            Some(containers.len() - 1)
        }
    };
    if let Some(container) = index.and_then(|index| containers.get_mut(index)) {
        *container = filled(args, command, container.clone());
    } else {
        name.clear();
    }
    new.set(&["spec", "containers"], containers);
    if index.is_some() {
        profile(args, &mut new, &name, Style::Copy);
        warn(io, &new, &name);
    }
    let namespace = meta["namespace"].str();
    let request = io.request(Method::Post, pods(namespace)).with_body(new);
    let made = sent(io, request)?;
    if args.is("replace") {
        let path = format!("{}/{}", pods(namespace), meta["name"].str());
        let options = map! { "kind" => "DeleteOptions", "apiVersion" => "v1", "gracePeriodSeconds" => 0 };
        let request = io.request(Method::Delete, path).with_body(options);
        sent(io, request)?;
    }
    Ok((made, name))
}

fn node_pod(args: &Args, io: &mut Io<'_, '_>, command: &[String], node: &str) -> Outcome<(Value, String)> {
    let name = if args.get("container").is_empty() { "debugger" } else { args.get("container") };
    let pod_name = format!("node-debugger-{node}-{}", io.suffix());
    if !args.is("quiet") {
        io.line(format!("Creating debugging pod {pod_name} with container {name} on node {node}."));
    }
    let mut pod = map! {
        "apiVersion" => "v1", "kind" => "Pod",
        "metadata" => map! {
            "name" => pod_name, "labels" => map! { "app.kubernetes.io/managed-by" => "kubectl-debug" },
        },
        "spec" => map! {
            "containers" => list![filled(args, command, new_container(name))], "nodeName" => node,
            "restartPolicy" => "Never", "tolerations" => list![map! { "operator" => "Exists" }],
        },
    };
    profile(args, &mut pod, name, Style::Node);
    let request = io.request(Method::Post, pods(&io.namespace)).with_body(pod);
    Ok((sent(io, request)?, name.into()))
}

/// What a profile makes of the pod and its debugging container.
fn profile(args: &Args, pod: &mut Value, name: &str, style: Style) {
    let profile = args.get("profile");
    if style == Style::Copy {
        let legacy = profile == "legacy";
        for field in ["labels", "annotations"] {
            if (field == "labels" || !legacy) && (legacy || !args.is(&format!("keep-{field}"))) {
                pod.remove(&["metadata", field]);
            }
        }
        if !legacy {
            if !args.is("keep-init-containers") {
                pod.remove(&["spec", "initContainers"]);
            }
            if pod.at(&["spec", "shareProcessNamespace"]).is_null() {
                pod.set(&["spec", "shareProcessNamespace"], true);
            }
            for container in pod.at_mut(&["spec", "containers"]).list_mut() {
                for probe in ["liveness", "readiness", "startup"] {
                    if !args.is(&format!("keep-{probe}")) {
                        container.remove(&[&format!("{probe}Probe")]);
                    }
                }
            }
        }
    }
    if style == Style::Node && matches!(profile, "legacy" | "general" | "netadmin" | "sysadmin") {
        for field in ["hostNetwork", "hostPID", "hostIPC"] {
            pod.set(&["spec", field], true);
        }
        if profile != "netadmin" {
            pod.set(&["spec", "volumes"], list![map! { "name" => "host-root", "hostPath" => map! { "path" => "/" } }]);
        }
    }
    let list = if style == Style::Ephemeral { "ephemeralContainers" } else { "containers" };
    let all = pod.at_mut(&["spec", list]).list_mut();
    let Some(container) = all.iter_mut().find(|container| container["name"].str() == name) else { return };
    let add = |container: &mut Value, names: &[&str]| {
        let path = ["securityContext", "capabilities", "add"];
        let mut all = container.at(&path).items().to_vec();
        all.extend(names.iter().map(|name| Value::text(*name)));
        container.set(&path, all);
    };
    match (profile, style) {
        ("general", Style::Node) | ("baseline" | "restricted", _) => {
            container.remove(&["securityContext"]);
        }
        ("general", _) => add(container, &["SYS_PTRACE"]),
        ("netadmin", _) => add(container, &["NET_ADMIN", "NET_RAW"]),
        ("sysadmin", _) => container.set(&["securityContext", "privileged"], true),
        _ => {}
    }
    if profile == "restricted" {
        let context = map! {
            "allowPrivilegeEscalation" => false, "capabilities" => map! { "drop" => list!["ALL"] },
            "runAsNonRoot" => true, "seccompProfile" => map! { "type" => "RuntimeDefault" },
        };
        container.set(&["securityContext"], context);
    }
    if style == Style::Node && matches!(profile, "legacy" | "general" | "sysadmin") {
        container.set(&["volumeMounts"], list![map! { "mountPath" => "/host", "name" => "host-root" }]);
    }
}

/// A pod that runs as somebody else makes capabilities useless.
fn warn(io: &mut Io<'_, '_>, pod: &Value, name: &str) {
    let user = pod.at(&["spec", "securityContext", "runAsUser"]).int();
    let lists = ["containers", "ephemeralContainers"];
    let mut all = lists.iter().flat_map(|list| pod["spec"][*list].items());
    let Some(context) = all.find(|container| container["name"].str() == name).map(|c| &c["securityContext"]) else {
        return;
    };
    let strong = context["privileged"].is_true() || !context.at(&["capabilities", "add"]).items().is_empty();
    if user != 0 && strong && context["runAsUser"].as_int() != Some(0) {
        io.err(
            "Warning: Non-root user is configured for the entire target Pod, and some capabilities granted by debug \
             profile may not work. Please consider using \"--custom\" with a custom profile that specifies \
             \"securityContext.runAsUser: 0\".\n",
        );
    }
}

/// Waits for the container and attaches to it.
fn follow(args: &Args, io: &mut Io<'_, '_>, mut pod: Value, container: &str) -> Outcome {
    let meta = pod["metadata"].clone();
    let path = format!("{}/{}", pods(meta["namespace"].str()), meta["name"].str());
    let state = loop {
        let lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
        let mut all = lists.iter().flat_map(|list| pod["status"][*list].items());
        let state = all.find(|status| status["name"].str() == container).map_or(Value::Null, |s| s["state"].clone());
        if state.has("running") || state.has("terminated") {
            break state;
        }
        let message = state.at(&["waiting", "message"]).str();
        if !args.is("quiet") && !message.is_empty() {
            io.warn(&format!("container {container}: {message}"));
        }
        io.sleep(Span::millis(50))?;
        let request = io.request(Method::Get, path.clone());
        pod = sent(io, request)?;
    };
    if state.has("terminated") {
        return logs::show_log(io, &pod, container);
    }
    if !args.is("quiet") {
        logs::notice(io);
    }
    let why = match logs::attach_to(io, &pod, container, args.is("stdin"), args.is("tty")) {
        Ok(0) => return Ok(()),
        Ok(code) => format!("command terminated with exit code {code}"),
        Err(Stop::Fail(failures, _)) => failures.first().map(|f| f.text().to_string()).unwrap_or_default(),
        Err(other) => return Err(other),
    };
    let name = meta["name"].str();
    io.err(format!("warning: couldn't attach to pod/{name}, falling back to streaming logs: {why}\n"));
    logs::show_log(io, &pod, container)
}
