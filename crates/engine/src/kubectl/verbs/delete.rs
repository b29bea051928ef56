//! `kubectl delete`: asks for the deletions, then waits until the objects are gone.

use crate::base::http::{Frame, Method};
use crate::base::{Time, Value};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Heard, Io, Outcome, body, fail, status_failure};
use crate::kubectl::manifest;
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::select::{self, Found, Rules};
use crate::map;

const FORCE: &str = "Immediate deletion does not wait for confirmation that the running resource has been terminated. \
                     The resource may continue to run on the cluster indefinitely.";

/// Something that was deleted and may take a while to go.
#[derive(Clone)]
struct Going {
    mapping: Mapping,
    namespace: String,
    name: String,
    uid: String,
}

pub fn delete(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.get("raw").is_empty() {
        return super::get::raw(Method::Delete, None, args, io);
    }
    let cascade = match args.get("cascade") {
        "background" | "true" => "Background",
        "foreground" => "Foreground",
        "orphan" | "false" => "Orphan",
        other => {
            return fail(format!(
                "invalid cascade value ({other}). Must be \"background\", \"foreground\", or \"orphan\""
            ));
        }
    };
    if matches!(args.get("cascade"), "true" | "false") {
        let given = args.get("cascade");
        io.err(format!(
            "warning: --cascade={given} is deprecated (boolean value) and can be replaced with --cascade={}.\n",
            cascade.to_lowercase()
        ));
    }
    let dry_run = args.dry_run()?;
    let mut grace = args.int("grace-period");
    let force = args.is("force");
    if args.is("now") {
        if grace >= 0 {
            return fail("--now and --grace-period cannot be specified together");
        }
        grace = 1;
    }
    if grace == 0 && !force {
        grace = 1;
    }
    if force && grace < 0 {
        grace = 0;
    }
    if args.is("all") && !args.get("selector").is_empty() {
        return fail("setting 'all' parameter but found a non empty selector. ");
    }
    let mapper = Mapper::discover(io)?;
    check_words(args, &mapper)?;
    if !matches!(args.get("output"), "" | "name") {
        return fail(format!("unexpected -o output mode: {}. We only support '-o name'", args.get("output")));
    }
    if args.is("all") && !args.get("field-selector").is_empty() {
        return fail("cannot set --all and --field-selector at the same time");
    }
    if force && grace > 0 {
        return fail("--force and --grace-period greater than 0 cannot be specified together");
    }
    if force {
        io.warn(FORCE);
    }
    let fetched = io.once(|io| targets(args, io, &mapper))?;
    let targets = &fetched.0;
    if io.namespace_forced && targets.iter().any(|target| !target.mapping.namespaced) {
        io.warn("deleting cluster-scoped resources, not scoped to the provided namespace");
    }
    if args.is("interactive") && !targets.is_empty() && !confirmed(io, targets)? {
        return Ok(());
    }
    let found_any = !targets.is_empty();
    let asked = io.each(targets.len(), |io, at| {
        let Some(target) = targets.get(at) else { return Ok(Ok(None)) };
        let (name, namespace) = (target.name().to_string(), target.namespace().to_string());
        let mut options = map! { "propagationPolicy" => cascade };
        if grace >= 0 {
            options.set(&["gracePeriodSeconds"], grace);
        }
        let mut uid = target.object.at(&["metadata", "uid"]).str().to_string();
        if dry_run != DryRun::Client {
            if dry_run == DryRun::Server {
                options.set(&["dryRun"], crate::list!["All"]);
            }
            let request = io.request(Method::Delete, target.mapping.path(&namespace, &name)).with_body(options);
            let response = io.send(request)?;
            let answer = body(&response);
            if !response.ok() {
                if response.code == 404 && (args.is("ignore-not-found") || args.is("all") || selecting(args)) {
                    return Ok(Ok(None));
                }
                let context = target.source.as_ref().map(|source| format!("error when deleting \"{source}\": "));
                let failure = if target.source.is_none() {
                    select::not_found_namespace(io, &namespace, &response)?
                } else {
                    status_failure(&answer, context.as_deref())
                };
                return Ok(Err(failure));
            }
            if uid.is_empty() {
                let own = answer.at(&["metadata", "uid"]).str();
                uid = if own.is_empty() { answer.at(&["details", "uid"]).str().into() } else { own.into() };
            }
        }
        if args.get("output") == "name" {
            io.line(format!("{}/{name}", target.mapping.word()));
        } else {
            let verb = if grace == 0 { "force deleted" } else { "deleted" };
            let place = if target.mapping.namespaced && !namespace.is_empty() {
                format!(" from {namespace} namespace")
            } else {
                String::new()
            };
            io.line(format!("{} \"{name}\" {verb}{place}{}", target.mapping.word(), dry_run.suffix()));
        }
        Ok(Ok(Some(Going { mapping: target.mapping.clone(), namespace, name, uid })))
    })?;
    let mut failures: Vec<Failure> = asked.iter().filter_map(|asked| asked.as_ref().err().cloned()).collect();
    let errors = manifest::beside(fetched.1.clone(), &failures);
    failures.extend(errors);
    if !found_any && failures.is_empty() {
        if !manifest::given(args) {
            io.out("No resources found\n");
        }
        return Ok(());
    }
    let wait = args.is("wait") && !(force && !args.changed("wait") && grace == 0);
    if dry_run != DryRun::None || !wait {
        return select::finish(failures);
    }
    let span = args.span("timeout");
    let until = (span.0 > 0).then(|| io.now() + span);
    let late = io.over(&asked, |io, asked, failures| {
        let Ok(Some(one)) = asked else { return Ok(()) };
        if !gone(io, one, until)? {
            failures.push(Failure::Plain(format!(
                "timed out waiting for the condition on {}/{}",
                one.mapping.resource, one.name
            )));
        }
        Ok(())
    })?;
    failures.extend(late);
    select::finish(failures)
}

fn selecting(args: &Args) -> bool {
    !args.get("selector").is_empty() || !args.get("field-selector").is_empty()
}

/// What is wrong with the words before anything is asked for.
fn check_words(args: &Args, mapper: &Mapper) -> Outcome {
    if manifest::given(args) {
        return match args.words.is_empty() {
            true => Ok(()),
            false => {
                fail("when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well")
            }
        };
    }
    let chosen = args.is("all") || selecting(args);
    if args.words.is_empty() {
        return fail(if chosen {
            "at least one resource must be specified to use a selector"
        } else {
            select::NOTHING
        });
    }
    let wanted = select::read(&args.words, mapper)?;
    match (chosen, wanted.named(), wanted.slashed) {
        (false, false, _) => fail("resource(s) were provided, but no name was specified"),
        (true, true, true) => fail("selectors and the all flag cannot be used when passing resource/name arguments"),
        (true, true, false) => fail("name cannot be provided when a selector is specified"),
        _ => Ok(()),
    }
}

fn targets(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<(Vec<Found>, Vec<Failure>)> {
    if manifest::given(args) {
        let (documents, failures) = manifest::load(args, io, mapper)?;
        let found = documents.into_iter().map(|document| {
            let mut object = document.object;
            if !document.mapping.namespaced {
                object.remove(&["metadata", "namespace"]);
            }
            Found { mapping: document.mapping, object, source: Some(document.source) }
        });
        return Ok((found.collect(), failures));
    }
    let wanted = select::read(&args.words, mapper)?;
    if !wanted.named() {
        let (found, mut failures) = select::fetch(args, io, mapper, Rules { whole_types: true })?;
        // Lists of what is no longer served are as empty ones.
        failures.retain(|failure| !failure.text().starts_with("Error from server (NotFound): Unable to list "));
        return Ok((found, failures));
    }
    let mut found = Vec::new();
    for (mapping, names) in wanted.parts {
        for name in names {
            let mut object = map! { "metadata" => map! { "name" => name } };
            if mapping.namespaced {
                object.set(&["metadata", "namespace"], io.namespace.as_str());
            }
            found.push(Found { mapping: mapping.clone(), object, source: None });
        }
    }
    Ok((found, Vec::new()))
}

fn confirmed(io: &mut Io<'_, '_>, targets: &[Found]) -> Outcome<bool> {
    io.out(format!("You are about to delete the following {} resource(s):\n", targets.len()));
    for target in targets {
        io.line(target.title());
    }
    io.out("Do you want to continue? (y/N): ");
    let mut answer = String::new();
    while !answer.contains('\n') {
        match io.hear(&[], true, None)? {
            Heard::Input(bytes) => answer.push_str(&String::from_utf8_lossy(&bytes)),
            _ => break,
        }
    }
    let yes = matches!(answer.trim(), "y" | "Y");
    if !yes {
        io.out("deletion is cancelled\n");
    }
    Ok(yes)
}

/// Waits until an object is gone (or another has its name); false when time is up.
fn gone(io: &mut Io<'_, '_>, one: &Going, until: Option<Time>) -> Outcome<bool> {
    let field = format!("metadata.name={}", one.name);
    let path = one.mapping.path(&one.namespace, "");
    let request = io.request(Method::Get, path.clone()).with_query("fieldSelector", field.clone());
    let response = io.send(request)?;
    if !response.ok() {
        return Ok(true);
    }
    let list = body(&response);
    let same = |object: &Value| one.uid.is_empty() || object.at(&["metadata", "uid"]).str() == one.uid;
    if !list["items"].items().iter().any(same) {
        return Ok(true);
    }
    let request = io
        .request(Method::Get, path)
        .with_query("fieldSelector", field)
        .with_query("resourceVersion", list.at(&["metadata", "resourceVersion"]).str())
        .with_query("watch", "true");
    let (call, response) = io.open(request)?;
    if !response.ok() {
        return Ok(true);
    }
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        match io.hear(&[call], false, until)? {
            Heard::Frame(_, Frame::Event(event)) if event["type"].str() == "DELETED" => break,
            Heard::Frame(_, Frame::End) => break,
            Heard::Timeout => {
                io.hang_up(call);
                return Ok(false);
            }
            _ => {}
        }
    }
    io.hang_up(call);
    Ok(true)
}
