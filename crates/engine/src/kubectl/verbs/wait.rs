//! `kubectl wait` and `kubectl rollout status`: they look, then watch until it is so or time is up.

use crate::base::http::{Frame, Method};
use crate::base::{Span, Time, Value};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Failure, Heard, Io, Outcome, body, fail, server_failure};
use crate::kubectl::manifest;
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::output::custom_columns::relaxed;
use crate::kubectl::output::jsonpath::JsonPath;
use crate::kubectl::select::{self, Found, Rules};

enum Aim {
    Delete,
    Create,
    Condition(String, String),
    Path(JsonPath, Option<String>),
}

fn aim(text: &str) -> Outcome<Aim> {
    let lower = text.to_lowercase();
    if lower == "delete" {
        return Ok(Aim::Delete);
    }
    if lower == "create" {
        return Ok(Aim::Create);
    }
    if let Some(condition) = text.strip_prefix("condition=") {
        let (name, value) = condition.split_once('=').unwrap_or((condition, "true"));
        return Ok(Aim::Condition(name.into(), value.into()));
    }
    if let Some(path) = text.strip_prefix("jsonpath=") {
        let path = path.trim_matches('\'');
        // The value stands behind the `=` that follows the path, not behind one inside a filter.
        let mut depth = 0i32;
        let mut at = None;
        for (index, c) in path.char_indices() {
            match c {
                '[' | '{' | '(' => depth += 1,
                ']' | '}' | ')' => depth -= 1,
                '=' if depth <= 0 => {
                    at = Some(index);
                    break;
                }
                _ => {}
            }
        }
        let (expression, value) = match at {
            Some(index) => (path.get(..index).unwrap_or_default(), path.get(index + 1..).map(str::to_string)),
            None => (path, None),
        };
        let value = value.map(|value| value.trim_matches(|c| c == '\'' || c == '"').to_string());
        if expression.is_empty() || value.as_deref() == Some("") {
            return fail(
                "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or \
                 --for=jsonpath='{.status.readyReplicas}'",
            );
        }
        let expression = expression.trim_matches('\'');
        let path = relaxed(expression).or_else(|_| {
            fail(
                "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or \
                  '{.name1.name2}'",
            )
        })?;
        return match JsonPath::parse(&path) {
            Ok(path) => Ok(Aim::Path(path, value)),
            Err(error) => fail(error),
        };
    }
    fail(format!("unrecognized condition: \"{text}\""))
}

pub fn wait(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let aims = args.list("for");
    if aims.is_empty() {
        return fail("unrecognized condition: []");
    }
    let mapper = Mapper::discover(io)?;
    let timeout = args.span("timeout");
    let mut until = match timeout.0 {
        0 => None,
        n if n < 0 => Some(io.now() + Span::seconds(7 * 24 * 3600)),
        _ => Some(io.now() + timeout),
    };
    let once = timeout.0 == 0;
    if once {
        until = Some(io.now());
    }
    let mut failures = Vec::new();
    for text in aims {
        let aim = aim(text)?;
        if matches!(aim, Aim::Create) {
            create(args, io, &mapper, until)?;
            continue;
        }
        let (found, errors) = select::fetch(args, io, &mapper, Rules { whole_types: false })?;
        let only_missing = matches!(aim, Aim::Delete) && errors.iter().all(|e| e.text().contains("(NotFound)"));
        if !only_missing {
            failures.extend(errors);
        }
        if found.is_empty() && !failures.is_empty() {
            return select::finish(failures);
        }
        if found.is_empty() {
            if matches!(aim, Aim::Delete) {
                continue;
            }
            return fail("no matching resources found");
        }
        for item in &found {
            match reach(io, item, &aim, until)? {
                Reached::Yes(object) => {
                    if args.get("output").is_empty() {
                        io.line(format!("{} condition met", item.title()));
                    } else {
                        let format = crate::kubectl::print::Format::read(args, io, false)?;
                        crate::kubectl::print::object(&object, &format, args, io, &mut Vec::new(), true)?;
                    }
                }
                Reached::Gone => failures.push(Failure::Full(format!(
                    "Error from server (NotFound): {} \"{}\" not found",
                    item.mapping.qualified(),
                    item.name()
                ))),
                Reached::Late if once => failures.push(Failure::Plain(format!(
                    "condition not met for {}/{}",
                    item.mapping.resource,
                    item.name()
                ))),
                Reached::Late => failures.push(Failure::Plain(format!(
                    "timed out waiting for the condition on {}/{}",
                    item.mapping.resource,
                    item.name()
                ))),
                Reached::Failed(failure) => failures.push(failure),
            }
        }
    }
    select::finish(failures)
}

/// Asks again and again until the objects are there.
fn create(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, until: Option<Time>) -> Outcome {
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        let (found, failures) = select::fetch(args, io, mapper, Rules::default())?;
        if failures.is_empty() && !found.is_empty() {
            for item in found {
                io.line(format!("{} condition met", item.title()));
            }
            return Ok(());
        }
        if failures.iter().any(|failure| !failure.text().contains("(NotFound)")) {
            return select::finish(failures);
        }
        if until.is_some_and(|until| io.now() >= until) {
            return fail("timed out waiting for the condition");
        }
        io.sleep(Span::millis(500))?;
    }
}

enum Reached {
    Yes(Value),
    Late,
    Gone,
    Failed(Failure),
}

fn holds(aim: &Aim, object: &Value) -> Result<bool, Failure> {
    match aim {
        Aim::Delete | Aim::Create => Ok(false),
        Aim::Condition(name, want) => {
            let conditions = object.at(&["status", "conditions"]).items();
            let Some(condition) = conditions.iter().find(|c| c["type"].str().eq_ignore_ascii_case(name)) else {
                return Ok(false);
            };
            let generation = object.at(&["metadata", "generation"]).int();
            let observed = match condition["observedGeneration"].as_int() {
                Some(observed) => Some(observed),
                None => object.at(&["status", "observedGeneration"]).as_int(),
            };
            if observed.is_some_and(|observed| observed < generation) {
                return Ok(false);
            }
            Ok(condition["status"].str().eq_ignore_ascii_case(want))
        }
        Aim::Path(path, want) => {
            let results: Vec<Value> = match path.find(object, true) {
                Ok(groups) => groups.into_iter().flatten().collect(),
                Err(error) => return Err(Failure::Plain(error)),
            };
            let (Some(first), rest) = (results.first(), results.len()) else { return Ok(false) };
            let Some(want) = want else { return Ok(true) };
            if rest > 1 {
                return Err(Failure::Plain("given jsonpath expression matches more than one value".into()));
            }
            match first {
                Value::List(_) | Value::Map(_) => {
                    Err(Failure::Plain("jsonpath leads to a nested object or list which is not supported".into()))
                }
                simple => Ok(crate::base::goquote::plain(simple) == *want),
            }
        }
    }
}

fn reach(io: &mut Io<'_, '_>, item: &Found, aim: &Aim, until: Option<Time>) -> Outcome<Reached> {
    match holds(aim, &item.object) {
        Ok(true) => return Ok(Reached::Yes(item.object.clone())),
        Ok(false) => {}
        Err(failure) => return Ok(Reached::Failed(failure)),
    }
    if until.is_some_and(|until| io.now() >= until) {
        return Ok(Reached::Late);
    }
    let field = format!("metadata.name={}", item.name());
    let path = item.mapping.path(item.namespace(), "");
    let request = io.request(Method::Get, path.clone()).with_query("fieldSelector", field.clone());
    let response = io.send(request)?;
    if !response.ok() {
        return Ok(Reached::Failed(server_failure(&response)));
    }
    let list = body(&response);
    let uid = item.object.at(&["metadata", "uid"]).str();
    let present = list["items"].items().iter().find(|object| object.at(&["metadata", "uid"]).str() == uid);
    match (present, aim) {
        (None, Aim::Delete) => return Ok(Reached::Yes(item.object.clone())),
        (None, _) => return Ok(Reached::Gone),
        (Some(object), aim) => match holds(aim, object) {
            Ok(true) => return Ok(Reached::Yes(object.clone())),
            Ok(false) => {}
            Err(failure) => return Ok(Reached::Failed(failure)),
        },
    }
    let request = io
        .request(Method::Get, path)
        .with_query("fieldSelector", field)
        .with_query("resourceVersion", list.at(&["metadata", "resourceVersion"]).str())
        .with_query("watch", "true");
    let (call, response) = io.open(request)?;
    if !response.ok() {
        return Ok(Reached::Failed(server_failure(&response)));
    }
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        match io.hear(&[call], false, until)? {
            Heard::Frame(_, Frame::Event(event)) => {
                let object = &event["object"];
                if event["type"].str() == "DELETED" {
                    if matches!(aim, Aim::Delete) {
                        io.hang_up(call);
                        return Ok(Reached::Yes(item.object.clone()));
                    }
                    continue;
                }
                match holds(aim, object) {
                    Ok(true) => {
                        io.hang_up(call);
                        return Ok(Reached::Yes(object.clone()));
                    }
                    Ok(false) => {}
                    Err(failure) => return Ok(Reached::Failed(failure)),
                }
            }
            Heard::Frame(_, Frame::End) | Heard::Timeout => {
                io.hang_up(call);
                return Ok(Reached::Late);
            }
            _ => {}
        }
    }
}

/// How long the informer behind `rollout status` takes to start: its first line comes some 150 ms after Enter.
const INFORMER: Span = Span::millis(40);

/// `rollout status`.
pub fn rollout_status(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.is_empty() && !manifest::given(args) {
        return fail("required resource not specified");
    }
    let mapper = Mapper::discover(io)?;
    let (found, failures) = select::fetch(args, io, &mapper, Rules { whole_types: true })?;
    if !failures.is_empty() {
        return select::finish(failures);
    }
    if found.is_empty() {
        select::tell_nothing(io);
    }
    let span = args.span("timeout");
    let until = (span.0 > 0).then(|| io.now() + span);
    for item in found {
        if !matches!(item.mapping.kind.as_str(), "Deployment" | "DaemonSet" | "StatefulSet") {
            if let Some(text) = item.mapping.unregistered() {
                return fail(text);
            }
            return fail(format!("no status viewer has been implemented for {}", item.mapping.qualified_kind()));
        }
        follow(args, io, &item, until)?;
    }
    Ok(())
}

fn follow(args: &Args, io: &mut Io<'_, '_>, item: &Found, until: Option<Time>) -> Outcome {
    let field = format!("metadata.name={}", item.name());
    let path = item.mapping.path(item.namespace(), "");
    io.sleep(INFORMER)?;
    let request = io.request(Method::Get, path.clone()).with_query("fieldSelector", field.clone());
    let list = io.must(request)?;
    let Some(object) = list["items"].items().first().cloned() else { return fail("object has been deleted") };
    let revision = args.int("revision");
    let (text, done) = status(&item.mapping, &object, revision)?;
    io.out(text);
    if done || args.get("watch") == "false" {
        return Ok(());
    }
    let request = io
        .request(Method::Get, path)
        .with_query("fieldSelector", field)
        .with_query("resourceVersion", list.at(&["metadata", "resourceVersion"]).str())
        .with_query("watch", "true");
    let (call, response) = io.open(request)?;
    if !response.ok() {
        return select::finish(vec![server_failure(&response)]);
    }
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        match io.hear(&[call], false, until)? {
            Heard::Frame(_, Frame::Event(event)) if event["type"].str() == "DELETED" => {
                return fail("object has been deleted");
            }
            Heard::Frame(_, Frame::Event(event)) => {
                let (text, done) = status(&item.mapping, &event["object"], revision)?;
                io.out(text);
                if done {
                    io.hang_up(call);
                    return Ok(());
                }
            }
            Heard::Frame(_, Frame::End) | Heard::Timeout => return fail("timed out waiting for the condition"),
            _ => {}
        }
    }
}

/// The line for what an object says of its rollout, and whether that is the end of it.
fn status(mapping: &Mapping, object: &Value, revision: i64) -> Outcome<(String, bool)> {
    let name = object.at(&["metadata", "name"]).str();
    let (spec, state) = (&object["spec"], &object["status"]);
    let observed = object.at(&["metadata", "generation"]).int() <= state["observedGeneration"].int();
    let count = |field: &str| state[field].int();
    let want = spec["replicas"].as_int().unwrap_or(1);
    Ok(match mapping.kind.as_str() {
        "Deployment" => {
            if revision > 0 {
                let own = object.at(&["metadata", "annotations", "deployment.kubernetes.io/revision"]).str();
                if own.parse() != Ok(revision) {
                    return fail(format!(
                        "desired revision ({revision}) is different from the running revision ({own})"
                    ));
                }
            }
            if !observed {
                return Ok(("Waiting for deployment spec update to be observed...\n".into(), false));
            }
            let progressing = crate::api::object::condition(object, "Progressing");
            if progressing.is_some_and(|c| c["reason"].str() == "ProgressDeadlineExceeded") {
                return fail(format!("deployment \"{name}\" exceeded its progress deadline"));
            }
            let (updated, total, available) = (count("updatedReplicas"), count("replicas"), count("availableReplicas"));
            let waiting =
                |what: String| (format!("Waiting for deployment \"{name}\" rollout to finish: {what}...\n"), false);
            if updated < want {
                waiting(format!("{updated} out of {want} new replicas have been updated"))
            } else if total > updated {
                waiting(format!("{} old replicas are pending termination", total - updated))
            } else if available < updated {
                waiting(format!("{available} of {updated} updated replicas are available"))
            } else {
                (format!("deployment \"{name}\" successfully rolled out\n"), true)
            }
        }
        "DaemonSet" => {
            if spec.at(&["updateStrategy", "type"]).str() != "RollingUpdate" {
                return fail("rollout status is only available for RollingUpdate strategy type");
            }
            if !observed {
                return Ok(("Waiting for daemon set spec update to be observed...\n".into(), false));
            }
            let (desired, updated, available) =
                (count("desiredNumberScheduled"), count("updatedNumberScheduled"), count("numberAvailable"));
            if updated < desired {
                let what = format!("{updated} out of {desired} new pods have been updated");
                (format!("Waiting for daemon set \"{name}\" rollout to finish: {what}...\n"), false)
            } else if available < desired {
                let what = format!("{available} of {desired} updated pods are available");
                (format!("Waiting for daemon set \"{name}\" rollout to finish: {what}...\n"), false)
            } else {
                (format!("daemon set \"{name}\" successfully rolled out\n"), true)
            }
        }
        _ => {
            if spec.at(&["updateStrategy", "type"]).str() != "RollingUpdate" {
                return fail("rollout status is only available for RollingUpdate strategy type");
            }
            if state["observedGeneration"].int() == 0 || !observed {
                return Ok(("Waiting for statefulset spec update to be observed...\n".into(), false));
            }
            let (ready, updated) = (count("readyReplicas"), count("updatedReplicas"));
            if ready < want {
                return Ok((format!("Waiting for {} pods to be ready...\n", want - ready), false));
            }
            let rolling = &spec["updateStrategy"]["rollingUpdate"];
            if !rolling.is_null() {
                let due = want - rolling["partition"].int();
                if updated < due {
                    let what = format!("{updated} out of {due} new pods have been updated");
                    return Ok((format!("Waiting for partitioned roll out to finish: {what}...\n"), false));
                }
                let done = format!("partitioned roll out complete: {updated} new pods have been updated...\n");
                return Ok((done, true));
            }
            let (new, current) = (state["updateRevision"].str(), state["currentRevision"].str());
            if new != current {
                let what = format!("{updated} pods at revision {new}");
                return Ok((format!("waiting for statefulset rolling update to complete {what}...\n"), false));
            }
            let at = count("currentReplicas");
            (format!("statefulset rolling update complete {at} pods at revision {current}...\n"), true)
        }
    })
}
