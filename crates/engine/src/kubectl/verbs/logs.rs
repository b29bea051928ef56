//! `kubectl logs`, `exec`, `attach`: what the API server passes on to a node's kubelet.

use crate::base::http::{Body, Frame, Method, Request};
use crate::base::{Span, Time, Value};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Failure, Heard, Io, Outcome, Stop, body, fail, fail_full, server_failure, usage};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select::{self, Found};
use crate::process::Call;

const NOTICE: &str = "All commands and output from this session will be recorded in container logs, including \
                      credentials and sensitive information passed through the command prompt.\nIf you don't see a \
                      command prompt, try pressing enter.\n";

/// Names of a pod's containers with their kind, as error texts list them.
fn containers(pod: &Value) -> Vec<(String, &'static str)> {
    let names = |list: &str, mark: &'static str| {
        let list = pod["spec"].get(list).items().to_vec();
        list.into_iter().map(move |c| (c["name"].str().to_string(), mark)).collect::<Vec<_>>()
    };
    let mut out = names("containers", "");
    out.extend(names("initContainers", " (init)"));
    out.extend(names("ephemeralContainers", " (ephem)"));
    out
}

fn out_of(pod: &Value) -> String {
    let all: Vec<String> = containers(pod).into_iter().map(|(name, mark)| name + mark).collect();
    all.join(", ")
}

/// The container meant: the one named, the annotated default, or the first (which is said).
pub fn container(io: &mut Io<'_, '_>, pod: &Value, wanted: &str, quiet: bool) -> Outcome<String> {
    let all = containers(pod);
    if !wanted.is_empty() {
        if all.iter().any(|(name, _)| name == wanted) {
            return Ok(wanted.to_string());
        }
        let name = pod.at(&["metadata", "name"]).str();
        return fail(format!("container {wanted} is not valid for pod {name} out of: {}", out_of(pod)));
    }
    let annotated = pod.at(&["metadata", "annotations", "kubectl.kubernetes.io/default-container"]).str();
    if all.iter().any(|(name, _)| name == annotated) {
        return Ok(annotated.to_string());
    }
    let first = all.first().map(|(name, _)| name.clone()).unwrap_or_default();
    if all.len() > 1 && !quiet {
        io.err(defaulted(pod));
    }
    Ok(first)
}

/// Which container is taken when none is named.
pub fn defaulted(pod: &Value) -> String {
    let first = containers(pod).first().map(|(name, _)| name.clone()).unwrap_or_default();
    format!("Defaulted container \"{first}\" out of: {}\n", out_of(pod))
}

fn selector_text(object: &Value) -> Option<String> {
    let selector = match object["kind"].str() {
        "Deployment" | "ReplicaSet" | "StatefulSet" | "DaemonSet" | "Job" => object.at(&["spec", "selector"]),
        "ReplicationController" | "Service" => object.at(&["spec", "selector"]),
        _ => return None,
    };
    let labels = match object["kind"].str() {
        "ReplicationController" | "Service" => selector,
        _ => &selector["matchLabels"],
    };
    let mut parts: Vec<String> = labels.entries().iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
    for term in selector["matchExpressions"].items() {
        let values: Vec<&str> = term["values"].items().iter().map(Value::str).collect();
        let key = term["key"].str();
        parts.push(match term["operator"].str() {
            "In" => format!("{key} in ({})", values.join(",")),
            "NotIn" => format!("{key} notin ({})", values.join(",")),
            "Exists" => key.to_string(),
            _ => format!("!{key}"),
        });
    }
    (!parts.is_empty()).then(|| parts.join(","))
}

/// Which pod of several is preferred; smaller is better. `restarts` prefers more of them (logs) or fewer (exec).
fn rank(pod: &Value, more_restarts: bool) -> impl Ord + use<> {
    let running = pod.at(&["status", "phase"]).str() == "Running";
    let ready = crate::api::object::condition(pod, "Ready");
    let is_ready = ready.is_some_and(|c| c["status"].str() == "True");
    let since = ready.map(|c| c["lastTransitionTime"].str().to_string()).unwrap_or_default();
    let restarts: i64 =
        pod.at(&["status", "containerStatuses"]).items().iter().map(|c| c["restartCount"].int()).max().unwrap_or(0);
    let deleting = !pod.at(&["metadata", "deletionTimestamp"]).is_null() && !more_restarts;
    let created = pod.at(&["metadata", "creationTimestamp"]).str().to_string();
    let unassigned = pod.at(&["spec", "nodeName"]).str().is_empty();
    (unassigned, !running, !is_ready, deleting, since, if more_restarts { -restarts } else { restarts }, created)
}

/// The pods behind a workload, best first.
fn pods_of(io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found, logs: bool) -> Outcome<Vec<Value>> {
    let Some(selector) = selector_text(&item.object) else {
        if let Some(text) = item.mapping.unregistered() {
            return fail(text);
        }
        let text = format!("selector for *{}.{} not implemented", item.mapping.version, item.mapping.kind);
        return fail(if logs {
            format!("cannot get the logs from *{}.{}: {text}", item.mapping.version, item.mapping.kind)
        } else {
            format!("cannot attach to *{}.{}: {text}", item.mapping.version, item.mapping.kind)
        });
    };
    let pods = mapper.find("pods")?.clone();
    let until = io.now() + Span::seconds(20);
    loop {
        let mut found = match select::list(io, &pods, item.namespace(), &selector, "")? {
            Ok(found) => found,
            Err(failure) => return select::finish(vec![failure]).map(|()| Vec::new()),
        };
        if !found.is_empty() {
            found.sort_by_cached_key(|pod| rank(pod, logs));
            return Ok(found);
        }
        if io.now() >= until {
            return fail("timed out waiting for the condition");
        }
        io.sleep(Span::seconds(1))?;
    }
}

/// The pod itself, or the best one behind a workload.
pub fn pod_behind(io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found) -> Outcome<Value> {
    if item.mapping.kind == "Pod" {
        return Ok(item.object.clone());
    }
    Ok(pods_of(io, mapper, item, false)?.into_iter().next().unwrap_or_default())
}

/// What is asked for is looked at once there are pods to ask it of (`LogsOptions.Validate`).
fn validate(args: &Args, wanted: &str) -> Outcome {
    if args.is("all-containers") && !wanted.is_empty() {
        return fail(format!("--all-containers=true should not be specified with container name {wanted}"));
    }
    if args.int("tail") < -1 {
        return fail("--tail must be greater than or equal to -1");
    }
    if args.changed("limit-bytes") && args.int("limit-bytes") < 1 {
        return fail("--limit-bytes must be greater than 0");
    }
    if !args.get("since-time").is_empty() && args.changed("since") {
        return fail("at most one of `sinceTime` or `sinceSeconds` may be specified");
    }
    Ok(())
}

pub fn logs(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let selector = args.get("selector").to_string();
    if (args.words.is_empty() && selector.is_empty()) || args.words.len() > 2 {
        return usage(
            "logs",
            "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for \
             the logs command",
        );
    }
    if !selector.is_empty() && !args.words.is_empty() {
        return usage("logs", "only a selector (-l) or a POD name is allowed");
    }
    let since_time = args.get("since-time");
    if !since_time.is_empty() && Time::parse(since_time).is_none() {
        return fail(format!(
            "parsing time \"{since_time}\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"{since_time}\" as \"2006\""
        ));
    }
    let mut wanted = args.get("container").to_string();
    if let Some(second) = args.words.get(1) {
        if second.is_empty() || !wanted.is_empty() {
            return usage("logs", "only one of -c or an inline [CONTAINER] arg is allowed");
        }
        wanted = second.clone();
    }
    let everything = args.is("all-containers");
    let mapper = Mapper::discover(io)?;
    let mut pods: Vec<Value>;
    if selector.is_empty() {
        let word = args.words.first().cloned().unwrap_or_default();
        let item = match select::one(&word, io, &mapper) {
            Err(Stop::Fail(failures, code)) => {
                let namespace = io.namespace.clone();
                let reword = |failure: Failure| match failure.text().strip_prefix("Error from server (NotFound): ") {
                    Some(rest) if rest.starts_with("namespaces") => failure,
                    Some(rest) => {
                        Failure::Plain(format!("error from server (NotFound): {rest} in namespace \"{namespace}\""))
                    }
                    None => failure,
                };
                return Err(Stop::Fail(failures.into_iter().map(reword).collect(), code));
            }
            other => other?,
        };
        if item.mapping.kind == "Pod" {
            pods = vec![item.object];
        } else {
            pods = pods_of(io, &mapper, &item, true)?;
            if !args.is("all-pods") {
                if pods.len() > 1 {
                    let name = pods.first().map(|p| p.at(&["metadata", "name"]).str().to_string()).unwrap_or_default();
                    io.err(format!("Found {} pods, using pod/{name}\n", pods.len()));
                }
                pods.truncate(1);
            }
        }
    } else {
        let mapping = mapper.find("pods")?.clone();
        let namespace = io.namespace.clone();
        pods = match select::list(io, &mapping, &namespace, &selector, "")? {
            Ok(pods) => pods,
            Err(failure) => return select::finish(vec![failure]),
        };
        if pods.is_empty() {
            select::tell_nothing(io);
            return Ok(());
        }
    }
    validate(args, &wanted)?;
    let mut streams: Vec<(String, Request)> = Vec::new();
    for pod in &pods {
        let mut names: Vec<String> = Vec::new();
        if everything {
            let mut all = containers(pod);
            all.sort_by_key(|(_, mark)| *mark != " (init)");
            names.extend(all.into_iter().map(|(name, _)| name));
        } else {
            names.push(container(io, pod, &wanted, false)?);
        }
        for name in names {
            let prefix = format!("[pod/{}/{name}] ", pod.at(&["metadata", "name"]).str());
            streams.push((prefix, log_request(args, io, pod, &name, !selector.is_empty())));
        }
    }
    let follow = args.is("follow");
    let most = args.int("max-log-requests");
    if follow && streams.len() as i64 > most {
        return fail(format!(
            "you are attempting to follow {} log streams, but maximum allowed concurrency is {most}, use \
             --max-log-requests to increase the limit",
            streams.len()
        ));
    }
    let prefixed = args.is("prefix") || args.is("all-pods");
    if follow {
        io.memory.interrupt = Some(1);
    }
    let mut calls = Vec::new();
    let mut prefixes = Vec::new();
    let mut failures = Vec::new();
    for (prefix, request) in streams {
        let (call, response) = io.open(request)?;
        if !response.ok() {
            failures.push(server_failure(&response));
            if !args.is("ignore-errors") {
                return select::finish(failures);
            }
            continue;
        }
        let prefix = if prefixed { prefix } else { String::new() };
        print_log(io, text_of(&response.body).as_bytes(), &prefix, &mut true);
        if response.stream.is_some() {
            calls.push(call);
            prefixes.push((prefix, true));
        }
    }
    // Kept between frames: which streams stand at the start of a line, and how many are open.
    let state = |open: usize, prefixes: &[(String, bool)]| {
        let fresh: Vec<Value> = prefixes.iter().map(|(_, fresh)| Value::Bool(*fresh)).collect();
        crate::map! { "open" => open as i64, "fresh" => fresh }
    };
    let kept = io.resume(state(calls.len(), &prefixes));
    let mut open = kept["open"].int();
    for ((_, fresh), kept) in prefixes.iter_mut().zip(kept["fresh"].items()) {
        *fresh = kept.is_true();
    }
    while open > 0 {
        io.keep(state(open as usize, &prefixes));
        match io.hear(&calls, false, None)? {
            Heard::Frame(at, Frame::Data(_, bytes)) => {
                if let Some((prefix, fresh)) = prefixes.get_mut(at) {
                    print_log(io, &bytes, prefix, fresh);
                }
            }
            Heard::Frame(_, Frame::End) => open -= 1,
            _ => {}
        }
    }
    Ok(())
}

pub fn text_of(body: &Body) -> String {
    match body {
        Body::Text(text) => text.clone(),
        Body::Value(value) => value.str().to_string(),
        Body::None => String::new(),
    }
}

/// Log bytes with a prefix before each line; `fresh` says that a line begins.
fn print_log(io: &mut Io<'_, '_>, bytes: &[u8], prefix: &str, fresh: &mut bool) {
    if prefix.is_empty() {
        io.out(bytes);
        return;
    }
    let mut out = Vec::new();
    for byte in bytes {
        if *fresh {
            out.extend_from_slice(prefix.as_bytes());
        }
        out.push(*byte);
        *fresh = *byte == b'\n';
    }
    io.out(out);
}

fn log_request(args: &Args, io: &Io<'_, '_>, pod: &Value, container: &str, by_selector: bool) -> Request {
    let meta = &pod["metadata"];
    let path = format!("/api/v1/namespaces/{}/pods/{}/log", meta["namespace"].str(), meta["name"].str());
    let mut request = io.request(Method::Get, path).with_query("container", container);
    for (flag, key) in [("follow", "follow"), ("previous", "previous"), ("timestamps", "timestamps")] {
        if args.is(flag) {
            request = request.with_query(key, "true");
        }
    }
    if args.changed("limit-bytes") {
        request = request.with_query("limitBytes", args.get("limit-bytes"));
    }
    if args.changed("since") {
        let seconds = (args.span("since").as_seconds_f64()).ceil() as i64;
        request = request.with_query("sinceSeconds", seconds.to_string());
    }
    if !args.get("since-time").is_empty() {
        request = request.with_query("sinceTime", args.get("since-time"));
    }
    if args.changed("tail") {
        if args.int("tail") >= 0 {
            request = request.with_query("tailLines", args.get("tail"));
        }
    } else if by_selector {
        request = request.with_query("tailLines", "10");
    }
    request
}

/// The pod a word of exec or attach names.
fn pod(io: &mut Io<'_, '_>, mapper: &Mapper, word: &str) -> Outcome<Value> {
    let item = select::one(word, io, mapper)?;
    if item.mapping.kind == "Pod" {
        return Ok(item.object);
    }
    let pods = pods_of(io, mapper, &item, false)?;
    match pods.into_iter().next() {
        Some(pod) => Ok(pod),
        None => fail("timed out waiting for the condition"),
    }
}

pub fn exec(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let words = args.words.as_slice();
    let before = args.dash.unwrap_or(words.len());
    if before > 1 {
        return usage("exec", "exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead");
    }
    if args.span("pod-running-timeout") <= Span::ZERO {
        return usage("exec", "--pod-running-timeout must be higher than zero");
    }
    let file = args.list("filename").first().cloned();
    let Some(word) = words.first().filter(|_| before > 0).cloned().or(file.clone()) else {
        return fail("pod, type/name or --filename must be specified");
    };
    let command = words.get(before..).unwrap_or_default();
    if command.is_empty() {
        return fail("you must specify at least one command for the container");
    }
    let mapper = Mapper::discover(io)?;
    let pod = match file {
        Some(_) => {
            let (found, failures) = select::fetch(&args.with_words(Vec::new()), io, &mapper, Default::default())?;
            match found.first() {
                Some(item) => pod_behind(io, &mapper, item)?,
                None => return select::finish(failures),
            }
        }
        None => pod(io, &mapper, &word)?,
    };
    let phase = pod.at(&["status", "phase"]).str();
    if matches!(phase, "Succeeded" | "Failed") {
        return fail(format!("cannot exec into a container in a completed pod; current phase is {phase}"));
    }
    let name = container(io, &pod, args.get("container"), args.is("quiet"))?;
    let stdin = args.is("stdin");
    let tty = args.is("tty") && stdin && io.sys.terminal.is_some();
    if args.is("tty") && !tty {
        io.err("Unable to use a TTY - input is not a terminal or the right kind of file\n");
    }
    let meta = &pod["metadata"];
    let path = format!("/api/v1/namespaces/{}/pods/{}/exec", meta["namespace"].str(), meta["name"].str());
    let mut request = io.request(Method::Post, path).with_query("container", name);
    for word in command {
        request = request.with_query("command", word.as_str());
    }
    let code = session(io, request, stdin, tty)?;
    terminated(io, code)
}

fn terminated(io: &mut Io<'_, '_>, code: i32) -> Outcome {
    if code == 0 {
        return Ok(());
    }
    io.err(format!("command terminated with exit code {code}\n"));
    Err(Stop::Exit(code))
}

/// Carries a session's bytes both ways until it ends; the remote exit code.
pub fn session(io: &mut Io<'_, '_>, mut request: Request, stdin: bool, tty: bool) -> Outcome<i32> {
    for (key, on) in [("stdin", stdin), ("stdout", true), ("stderr", !tty), ("tty", tty)] {
        if on {
            request = request.with_query(key, "true");
        }
    }
    let call = start(io, request)?;
    io.sys.set_raw(stdin && tty);
    let code = carry(io, call, stdin);
    if !matches!(code, Err(Stop::Wait(_))) {
        io.sys.set_raw(false);
    }
    code
}

/// Runs a command in a container, gives it its input, and gathers what it says.
pub fn run_in(
    io: &mut Io<'_, '_>,
    pod: &Value,
    container: &str,
    command: &[&str],
    input: Option<&[u8]>,
) -> Outcome<(i32, Vec<u8>, Vec<u8>)> {
    let phase = pod.at(&["status", "phase"]).str();
    if matches!(phase, "Succeeded" | "Failed") {
        return fail(format!("cannot exec into a container in a completed pod; current phase is {phase}"));
    }
    let meta = &pod["metadata"];
    let path = format!("/api/v1/namespaces/{}/pods/{}/exec", meta["namespace"].str(), meta["name"].str());
    let mut request = io.request(Method::Post, path).with_query("container", container);
    for word in command {
        request = request.with_query("command", *word);
    }
    for key in ["stdout", "stderr"] {
        request = request.with_query(key, "true");
    }
    if input.is_some() {
        request = request.with_query("stdin", "true");
    }
    let call = start(io, request)?;
    if let Some(input) = input {
        for piece in input.chunks(32 << 10) {
            io.send_up(call, Frame::Data(0, piece.to_vec()));
        }
        io.send_up(call, Frame::End);
    }
    let (mut code, mut out, mut err) = (0, Vec::new(), Vec::new());
    loop {
        match io.hear(&[call], false, None)? {
            Heard::Frame(_, Frame::Data(1, bytes)) => out.extend(bytes),
            Heard::Frame(_, Frame::Data(2, bytes)) => err.extend(bytes),
            Heard::Frame(_, Frame::Data(_, bytes)) => {
                let status = crate::base::json::parse(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
                code = ended(&status)?;
            }
            Heard::Frame(_, Frame::Event(status)) => code = ended(&status)?,
            Heard::Frame(_, Frame::End) => return Ok((code, out, err)),
            _ => {}
        }
    }
}

fn start(io: &mut Io<'_, '_>, request: Request) -> Outcome<Call> {
    let (call, response) = io.open(request)?;
    if !response.ok() {
        let answer = body(&response);
        let message = answer["message"].str();
        // The protocol's client keeps only the text of what speaks against a session.
        match answer["reason"].str() {
            "InternalError" => return fail(message),
            "" | "BadRequest" => return fail(format!("unable to upgrade connection: {message}")),
            _ => {}
        }
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    Ok(call)
}

fn carry(io: &mut Io<'_, '_>, call: Call, stdin: bool) -> Outcome<i32> {
    let mut listening = stdin;
    let mut code = 0;
    loop {
        match io.hear(&[call], listening, None)? {
            Heard::Input(bytes) => io.send_up(call, Frame::Data(0, bytes)),
            Heard::InputEnd => {
                listening = false;
                io.send_up(call, Frame::End);
            }
            Heard::Frame(_, Frame::Data(1, bytes)) => io.out(bytes),
            Heard::Frame(_, Frame::Data(2, bytes)) => io.err(bytes),
            Heard::Frame(_, Frame::Data(_, bytes)) => {
                let status = crate::base::json::parse(&String::from_utf8_lossy(&bytes)).unwrap_or_default();
                code = ended(&status)?;
            }
            Heard::Frame(_, Frame::Event(status)) => code = ended(&status)?,
            Heard::Frame(_, Frame::End) => break,
            Heard::Timeout => {}
        }
    }
    Ok(code)
}

/// The exit code in a session's closing Status.
fn ended(status: &Value) -> Outcome<i32> {
    if status["status"].str() != "Failure" {
        return Ok(0);
    }
    if status["reason"].str() == "NonZeroExitCode" {
        let causes = status.at(&["details", "causes"]).items();
        let code = causes.iter().find(|cause| cause["reason"].str() == "ExitCode");
        return Ok(code.and_then(|cause| cause["message"].str().parse().ok()).unwrap_or(1));
    }
    fail(format!("Internal error occurred: {}", status["message"].str()))
}

pub fn attach(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let Some(word) = args.words.first() else { return fail("at least 1 argument is required for attach") };
    let mapper = Mapper::discover(io)?;
    // Two words are a type and a name.
    let word = args.words.get(1).map_or(word.clone(), |name| format!("{word}/{name}"));
    let pod = pod(io, &mapper, &word)?;
    let phase = pod.at(&["status", "phase"]).str();
    if matches!(phase, "Succeeded" | "Failed") {
        return fail(format!("cannot attach a container in a completed pod; current phase is {phase}"));
    }
    let name = match container(io, &pod, args.get("container"), args.is("quiet")) {
        Err(Stop::Fail(failures, code)) => {
            let text = failures.first().map(Failure::text).unwrap_or_default().to_string();
            return Err(Stop::Fail(vec![Failure::Plain(format!("cannot attach to the container: {text}"))], code));
        }
        other => other?,
    };
    let has_tty = pod.at(&["spec", "containers"]).items().iter().any(|c| c["name"].str() == name && c["tty"].is_true());
    if !args.is("quiet") {
        if args.is("tty") && !has_tty {
            io.err(format!("error: Unable to use a TTY - container {name} did not allocate one\n"));
        }
        io.err(NOTICE);
    }
    let code = attach_to(io, &pod, &name, args.is("stdin"), args.is("tty") && has_tty)?;
    terminated(io, code)
}

/// Attaches to a container; shared with `run -i`.
pub fn attach_to(io: &mut Io<'_, '_>, pod: &Value, container: &str, stdin: bool, tty: bool) -> Outcome<i32> {
    let meta = &pod["metadata"];
    let path = format!("/api/v1/namespaces/{}/pods/{}/attach", meta["namespace"].str(), meta["name"].str());
    let request = io.request(Method::Post, path).with_query("container", container);
    let tty = tty && io.sys.terminal.is_some();
    session(io, request, stdin, tty)
}

/// The notice and the log so far, then the session: what `run -i` does once its pod runs.
pub fn show_log(io: &mut Io<'_, '_>, pod: &Value, container: &str) -> Outcome {
    let meta = &pod["metadata"];
    let path = format!("/api/v1/namespaces/{}/pods/{}/log", meta["namespace"].str(), meta["name"].str());
    let request = io.request(Method::Get, path).with_query("container", container);
    let response = io.send(request)?;
    if !response.ok() {
        return fail_full(server_failure(&response).text());
    }
    io.out(text_of(&response.body));
    Ok(())
}

pub fn notice(io: &mut Io<'_, '_>) {
    io.err(NOTICE);
}
