//! `kubectl run`: a pod, and a session with it.

use super::*;
use crate::base::Time;
use crate::base::http::Frame;
use crate::kubectl::io::Heard;

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let before = args.dash.unwrap_or(args.words.len()).max(1);
    let Some(name) = args.words.first().filter(|_| args.dash != Some(0)) else {
        return fail("NAME is required for run");
    };
    let mut words = args.words.get(1..before).unwrap_or_default().to_vec();
    words.extend(args.words.get(before..).unwrap_or_default().iter().cloned());
    if args.get("image").is_empty() {
        return fail("--image is required");
    }
    let image = args.get("image");
    let good = |c: char| c.is_ascii_alphanumeric() || ".-_/:@".contains(c);
    let path = image.split('@').next().unwrap_or_default();
    let repository = path.rsplit_once(':').map_or(path, |(left, right)| if right.contains('/') { path } else { left });
    let lower = repository.split_once('/').map_or(repository, |(_, rest)| rest);
    if !image.chars().all(good) || lower.chars().any(|c| c.is_ascii_uppercase()) {
        return fail(format!("invalid image name \"{image}\": invalid reference format"));
    }
    let (stdin, tty) = (args.is("stdin"), args.is("tty"));
    if tty && !stdin {
        return fail("-i/--stdin is required for containers with -t/--tty=true");
    }
    if args.is("expose") && args.get("port").is_empty() {
        return fail("--port must be set when exposing a service");
    }
    let dry_run = args.dry_run()?;
    let attach = stdin || tty || args.is("attach");
    if attach && dry_run != DryRun::None {
        return fail(
            "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
        );
    }
    if args.is("rm") && !attach {
        return fail("--rm should only be used for attached containers");
    }
    let restart = args.get("restart");
    if !matches!(restart, "Always" | "OnFailure" | "Never") {
        return fail(format!("invalid restart policy: {restart}, valid values are: Always, OnFailure, Never"));
    }
    let policy = args.get("image-pull-policy");
    if !matches!(policy, "" | "Always" | "IfNotPresent" | "Never") {
        return fail(format!("invalid image pull policy: {policy}, valid values are: Always, IfNotPresent, Never"));
    }
    let mut labels = map! { "run" => name };
    if args.changed("labels") {
        match pairs(args.get("labels")) {
            Some(given) => labels = given.into(),
            None => return fail(format!("unexpected label spec: {}", args.get("labels"))),
        }
    }
    let mut container = map! { "image" => image, "name" => name, "resources" => map! {} };
    if !words.is_empty() {
        container.set(&[if args.is("command") { "command" } else { "args" }], texts(&words));
    }
    let mut env = Vec::new();
    for pair in args.list("env") {
        match pair.split_once('=') {
            Some((key, value)) if !key.is_empty() => env.push(map! { "name" => key, "value" => value }),
            _ => return fail(format!("invalid env: {pair}")),
        }
    }
    if !env.is_empty() {
        container.set(&["env"], env);
    }
    if !args.get("port").is_empty() {
        let Ok(port) = args.get("port").parse::<i32>() else { return fail("--port must be a number") };
        container.set(&["ports"], list![map! { "containerPort" => port }]);
    }
    if !policy.is_empty() {
        container.set(&["imagePullPolicy"], policy);
    }
    if args.is("privileged") {
        container.set(&["securityContext", "privileged"], true);
    }
    if stdin {
        container.set(&["stdin"], true);
        if !args.is("leave-stdin-open") {
            container.set(&["stdinOnce"], true);
        }
    }
    if tty {
        container.set(&["tty"], true);
    }
    let mut meta = map! { "labels" => labels.clone(), "name" => name };
    for annotation in args.list("annotations") {
        match annotation.split_once('=') {
            Some((key, value)) => meta.set(&["annotations", key], value),
            None => return fail(format!("invalid annotations format: {annotation}")),
        }
    }
    let mut pod = map! { "apiVersion" => "v1", "kind" => "Pod", "metadata" => meta,
    "spec" => map! { "containers" => list![container], "dnsPolicy" => "ClusterFirst", "restartPolicy" => restart },
    "status" => map! {} };
    if !args.get("overrides").is_empty() {
        let Ok(overrides) = crate::base::json::parse(args.get("overrides")) else {
            return fail("Invalid JSON Patch");
        };
        let kind = crate::api::schema::kind("", "v1", "Pod");
        pod = match (args.get("override-type"), kind) {
            ("strategic", Some(kind)) => {
                crate::api::patch::strategic(kind.ty, &pod, &overrides).or_else(|e| fail(e.message))?
            }
            ("json", _) => crate::api::patch::json(&pod, &overrides).or_else(|e| fail(e.message))?,
            ("" | "merge", _) => crate::api::patch::merge(&pod, &overrides),
            (other, _) => return fail(format!("invalid override type: {other}")),
        };
        // What the type does not know is dropped in silence.
        let ignore = crate::api::decode::FieldValidation::Ignore;
        if let Ok((known, _)) = crate::api::decode::decode("", "v1", "Pod", &pod, ignore) {
            pod = known;
        }
    }
    if io.namespace_forced {
        pod.set(&["metadata", "namespace"], io.namespace.as_str());
    }
    let service = args.is("expose").then(|| {
        let port = args.int("port");
        let mut meta = map! { "name" => name };
        if io.namespace_forced {
            meta.set(&["namespace"], io.namespace.as_str());
        }
        if args.changed("labels") {
            meta.set(&["labels"], labels.clone());
        }
        map! { "apiVersion" => "v1", "kind" => "Service", "metadata" => meta,
        "spec" => map! { "ports" => list![map! { "port" => port, "protocol" => "TCP", "targetPort" => port }],
            "selector" => labels.clone() }, "status" => map! { "loadBalancer" => map! {} } }
    });
    args.record(&mut pod);
    if dry_run == DryRun::Client {
        print::made(&pod, "created", args, io, &Mapper::default())?;
        if let Some(service) = &service {
            if args.get("output") == "yaml" {
                io.out("---\n");
            }
            print::made(service, "created", args, io, &Mapper::default())?;
        }
        return Ok(());
    }
    let mapper = Mapper::discover(io)?;
    let namespace = io.namespace.clone();
    let mapping = mapper.find("pods")?.clone();
    let response = post(args, io, &mapping, &namespace, pod, dry_run)?;
    if !response.ok() {
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    let created = body(&response);
    if let Some(service) = service {
        if !attach {
            print::action(&created, "created", args, io, &mapper)?;
        }
        let response = post(args, io, mapper.find("services")?, &namespace, service, dry_run)?;
        if !response.ok() {
            return Err(Stop::Fail(vec![server_failure(&response)], 1));
        }
        print::action(&body(&response), "created", args, io, &mapper)?;
    } else if !attach {
        print::action(&created, "created", args, io, &mapper)?;
    }
    if !attach {
        return Ok(());
    }
    let result = attached(args, io, &namespace, name, stdin, tty);
    if matches!(result, Err(Stop::Wait(_))) {
        return result;
    }
    if args.is("rm") {
        let request = io
            .request(Method::Delete, mapping.path(&namespace, name))
            .with_body(map! { "propagationPolicy" => "Background" });
        io.send(request)?;
        if !args.is("quiet") {
            io.line(format!("pod \"{name}\" deleted from {namespace} namespace"));
        }
    }
    result
}

/// The pod once it is ready or has ended: a look, then a watch.
fn running(io: &mut Io<'_, '_>, namespace: &str, name: &str, until: Time) -> Outcome<Value> {
    let is_there = |pod: &Value| {
        let phase = pod.at(&["status", "phase"]).str();
        matches!(phase, "Succeeded" | "Failed")
            || (phase == "Running" && crate::api::object::condition_is(pod, "Ready", "True"))
    };
    let path = format!("/api/v1/namespaces/{namespace}/pods");
    let request = io.request(Method::Get, path).with_query("fieldSelector", format!("metadata.name={name}"));
    let list = io.must(request.clone())?;
    if let Some(pod) = list["items"].items().iter().find(|pod| is_there(pod)) {
        return Ok(pod.clone());
    }
    let request = request
        .with_query("resourceVersion", list.at(&["metadata", "resourceVersion"]).str())
        .with_query("watch", "true");
    let (call, response) = io.open(request)?;
    if !response.ok() {
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        match io.hear(&[call], false, Some(until))? {
            Heard::Frame(_, Frame::Event(event)) if is_there(&event["object"]) => {
                io.hang_up(call);
                return Ok(event["object"].clone());
            }
            Heard::Frame(_, Frame::End) | Heard::Timeout => {
                io.hang_up(call);
                return fail("timed out waiting for the condition");
            }
            _ => {}
        }
    }
}

/// Waits for the pod to run or end, shows its log, and carries the session.
fn attached(args: &Args, io: &mut Io<'_, '_>, namespace: &str, name: &str, stdin: bool, tty: bool) -> Outcome {
    let until = io.now() + args.span("pod-running-timeout");
    let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
    let pod = running(io, namespace, name, until)?;
    let container = pod.at(&["spec", "containers"])[0]["name"].str().to_string();
    let ended = matches!(pod.at(&["status", "phase"]).str(), "Succeeded" | "Failed");
    crate::kubectl::verbs::logs::show_log(io, &pod, &container)?;
    if !ended {
        if !args.is("quiet") {
            crate::kubectl::verbs::logs::notice(io);
        }
        match crate::kubectl::verbs::logs::attach_to(io, &pod, &container, stdin, tty) {
            Err(Stop::Fail(failures, _)) => {
                let text = failures.first().map(crate::kubectl::Failure::text).unwrap_or_default().to_string();
                io.err(format!("warning: couldn't attach to pod/{name}, falling back to streaming logs: {text}\n"));
            }
            other => {
                other?;
            }
        }
        if tty && stdin && io.sys.terminal.is_some() {
            io.line(format!(
                "Session ended, resume using 'kubectl attach {name} -c {container} -n {namespace} -i -t' command"
            ));
        }
    }
    if args.get("restart") == "Always" {
        return Ok(());
    }
    let until = io.now() + Span::seconds(60);
    loop {
        let request = io.request(Method::Get, path.clone());
        let response = io.send(request)?;
        if !response.ok() {
            return Ok(());
        }
        let pod = body(&response);
        let phase = pod.at(&["status", "phase"]).str();
        if phase == "Succeeded" {
            return Ok(());
        }
        if phase == "Failed" {
            let state = &pod.at(&["status", "containerStatuses"])[0]["state"]["terminated"];
            let code = state["exitCode"].int() as i32;
            let mut text = format!("pod {namespace}/{name} terminated ({})\n", state["reason"].str());
            if !state["message"].str().is_empty() {
                text.push_str(state["message"].str());
                text.push('\n');
            }
            io.err(text);
            return Err(Stop::Exit(code.max(1)));
        }
        if io.now() >= until {
            return Ok(());
        }
        io.sleep(Span::millis(500))?;
    }
}
