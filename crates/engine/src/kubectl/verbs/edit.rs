//! `kubectl edit` and `create --edit`: objects as a text, an editor on it, patches for what changed. A text the server
//! refuses is opened again with the reasons on top. Left out: line endings of Windows.

use super::apply::{MERGE, STRATEGIC};
use super::create::{LAST_APPLIED, post, validation, with_last_applied};
use crate::api::patch;
use crate::base::http::Method;
use crate::base::{Value, json, yaml, yaml_emit};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, Stop, body, fail, status_failure};
use crate::kubectl::manifest::gap;
use crate::kubectl::mapper::Mapper;
use crate::kubectl::output::ordered;
use crate::kubectl::print;
use crate::kubectl::select::{self, Found, Rules};
use crate::map;

/// How often a refused text is opened again at most.
const MOST_ROUNDS: usize = 20;

const INSTEAD: &str = "kubectl patch, set and apply -f change objects, and KUBE_EDITOR may be a command as sed -i …";

const HEADER: &str = "# Please edit the object below. Lines beginning with a '#' will be ignored,\n# and an empty file \
                      will abort the edit. If an error occurs while saving this file will be\n# reopened with the \
                      relevant failures.\n#\n";

pub fn edit(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.is_empty() && !crate::kubectl::manifest::given(args) {
        return fail(select::NOTHING);
    }
    check_output(args)?;
    let mapper = Mapper::discover(io)?;
    let (mut found, failures) = select::fetch(args, io, &mapper, Rules { whole_types: true })?;
    if !failures.is_empty() || found.is_empty() {
        return select::finish(failures);
    }
    let part = args.get("subresource");
    for item in found.iter_mut().filter(|_| !part.is_empty()) {
        let request = io.request(Method::Get, format!("{}/{part}", item.path()));
        item.object = io.must(request)?;
    }
    rounds(args, io, &mapper, &found, Mode::Live)
}

/// What is edited, and what becomes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Live,
    New,
    LastApplied,
}

/// `apply edit-last-applied`: the text is the last-applied annotation, and so is what is written.
pub fn last_applied(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.is_empty() && !crate::kubectl::manifest::given(args) {
        return fail(select::NOTHING);
    }
    check_output(args)?;
    let mapper = Mapper::discover(io)?;
    let (mut found, mut failures) = select::fetch(args, io, &mapper, Rules { whole_types: true })?;
    for item in &mut found {
        match json::parse(item.object.at(&["metadata", "annotations", LAST_APPLIED]).str()) {
            Ok(applied) => item.object = applied,
            Err(_) => failures.push(Failure::Plain(format!(
                "no last-applied-configuration annotation found on resource: {}, to create the annotation, run the \
                 command with --create-annotation",
                item.name()
            ))),
        }
    }
    if !failures.is_empty() || found.is_empty() {
        return select::finish(failures);
    }
    rounds(args, io, &mapper, &found, Mode::LastApplied)
}

/// `create -f FILE --edit`: the same on objects that are not there yet.
pub fn create(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, found: &[Found]) -> Outcome {
    rounds(args, io, mapper, found, Mode::New)
}

fn check_output(args: &Args) -> Outcome {
    let output = args.get("output");
    if matches!(output.to_lowercase().as_str(), "" | "yaml" | "json" | "kyaml") {
        return Ok(());
    }
    fail(format!(
        "unable to match a printer suitable for the output format \"{output}\", allowed formats are: json,kyaml,yaml"
    ))
}

fn rounds(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, found: &[Found], mode: Mode) -> Outcome {
    let words = editor(io);
    let format = args.get("output").to_lowercase();
    let plain: Vec<Value> = found.iter().map(|item| print::shown(&item.object, args)).collect();
    let whole = match plain.as_slice() {
        [one] => one.clone(),
        many => map! { "apiVersion" => "v1", "items" => many.to_vec(), "kind" => "List" },
    };
    let original = match format.as_str() {
        "json" => json::pretty(&whole, 4) + "\n",
        "kyaml" => ordered::kyaml(&whole, false),
        _ => yaml_emit::emit(&whole),
    };
    let header = if format == "json" { "" } else { HEADER };
    let name = if format == "json" { "kubectl-edit-.json" } else { "kubectl-edit-.yaml" };
    let mut text = original.clone();
    let mut reasons = String::new();
    let mut refused = false;
    for _ in 0..MOST_ROUNDS {
        let (path, end) = io.edit(name, &format!("{header}{reasons}{text}"), &words)?;
        let edited = match end {
            Ok((0, edited)) => without_comments(&edited),
            Ok(_) => return fail(format!("there was a problem with the editor \"{}\"", words.join(" "))),
            Err(_) if ["vi", "vim", "nano", "emacs", "ed"].contains(&words.first().map_or("", String::as_str)) => {
                return gap("an editor for kubectl edit", INSTEAD);
            }
            Err(_) => {
                return fail(format!("unable to launch the editor \"{}\"", words.first().map_or("", String::as_str)));
            }
        };
        if refused && edited == text {
            return preserved(io, &path, "Edit cancelled, no valid changes were saved.");
        }
        if edited == without_comments(&original) {
            io.err("Edit cancelled, no changes made.\n");
            return Ok(());
        }
        text = edited;
        let objects = match objects(&text) {
            Ok(objects) => objects,
            Err(why) => {
                refused = true;
                reasons = invalid(io, found.first(), &[format!("The edited file failed validation: {why}")]);
                continue;
            }
        };
        // A kind that nothing is made of (Scale) is as good as a syntax error, which is told in the file alone.
        let unknown = objects.iter().find(|object| mode != Mode::New && mapper.of(object).is_none());
        if let Some(object) = unknown {
            let (kind, version) = (object["kind"].str(), object["apiVersion"].str());
            let why =
                format!("unable to recognize \"edited-file\": no matches for kind \"{kind}\" in version \"{version}\"");
            reasons = format!("# The edited file had a syntax error: {why}\n#\n");
            refused = true;
            continue;
        }
        let mut again = Vec::new();
        let mut retryable = false;
        for (index, object) in objects.iter().enumerate() {
            let done = match (mode, found.get(index)) {
                (Mode::New, _) => made(args, io, mapper, object)?,
                (_, Some(item)) => {
                    let same = |path: &[&str]| item.object.at(path) == object.at(path);
                    if !(same(&["apiVersion"]) && same(&["kind"]) && same(&["metadata", "name"])) {
                        return preserved(io, &path, "At least one of apiVersion, kind and name was changed");
                    }
                    changed(args, io, mapper, mode, item, plain.get(index).unwrap_or(&item.object), object)?
                }
                (_, None) => return preserved(io, &path, "The number of objects was changed"),
            };
            let Err(status) = done else { continue };
            let item = found.get(index).or(found.first());
            match status["reason"].str() {
                "Invalid" => again.push(invalid(io, item, &causes(&status))),
                "NotFound" => {
                    io.err(format!("{}\n", status_failure(&status, None).text()));
                    io.err(format!("The edits you made on deleted resources have been saved to \"{path}\"\n"));
                    return Err(Stop::Exit(1));
                }
                _ => {
                    let subject = item.map_or(String::new(), subject);
                    io.err(format!("error: {subject} could not be patched: {}\n", status["message"].str()));
                    retryable = true;
                }
            }
        }
        if retryable {
            io.err(format!("You can run `kubectl replace -f {path}` to try this update again.\n"));
            return Err(Stop::Exit(1));
        }
        if again.is_empty() {
            return Ok(());
        }
        refused = true;
        reasons = again.concat();
    }
    fail("Edit cancelled, no valid changes were saved.")
}

/// The command of KUBE_EDITOR or EDITOR; with quotes in it, the shell takes it apart.
fn editor(io: &Io<'_, '_>) -> Vec<String> {
    let env = |name: &str| io.sys.env.get(name).filter(|text| !text.is_empty()).cloned();
    let command = env("KUBE_EDITOR").or_else(|| env("EDITOR")).unwrap_or_else(|| "vi".into());
    if command.contains(['"', '\'', '\\']) {
        return vec!["/bin/bash".into(), "-c".into(), format!("{command} \"$0\"")];
    }
    command.split(' ').map(str::to_string).collect()
}

fn without_comments(text: &str) -> String {
    let lines = text.split_inclusive('\n').filter(|line| !line.trim_start().starts_with('#'));
    lines.collect()
}

fn preserved(io: &mut Io<'_, '_>, path: &str, why: &str) -> Outcome {
    io.err(format!("A copy of your changes has been stored to \"{path}\"\n"));
    fail(why)
}

/// `configmaps "story"`
fn subject(item: &Found) -> String {
    format!("{} \"{}\"", item.mapping.qualified(), item.name())
}

/// Says that an object is refused, and the reasons as the next text has them on top.
fn invalid(io: &mut Io<'_, '_>, item: Option<&Found>, causes: &[String]) -> String {
    let subject = item.map_or(String::new(), subject);
    io.err(format!("error: {subject} is invalid\n"));
    let list: String = causes.iter().map(|cause| format!("# * {}\n", cause.replace('\n', "\n# "))).collect();
    format!("# {subject} was not valid:\n{list}#\n")
}

fn causes(status: &Value) -> Vec<String> {
    let causes = status.at(&["details", "causes"]).items().iter();
    causes.map(|cause| format!("{}: {}", cause["field"].str(), cause["message"].str())).collect()
}

/// The objects of the text, or why it is none.
fn objects(text: &str) -> Result<Vec<Value>, String> {
    let value = yaml::parse(text).map_err(|error| error.text)?;
    if value.as_map().is_none() {
        return Err("invalid object to validate".into());
    }
    if value["kind"].str() == "List" {
        return Ok(value["items"].items().to_vec());
    }
    match (value["apiVersion"].str(), value["kind"].str()) {
        ("", "") => Err("[apiVersion not set, kind not set]".into()),
        ("", _) => Err("apiVersion not set".into()),
        (_, "") => Err("kind not set".into()),
        _ => Ok(vec![value]),
    }
}

type Done = Result<(), Value>;

/// Sends what was changed as a patch, so that what others change meanwhile stays.
fn changed(
    args: &Args,
    io: &mut Io<'_, '_>,
    mapper: &Mapper,
    mode: Mode,
    item: &Found,
    before: &Value,
    after: &Value,
) -> Outcome<Done> {
    if before == after {
        io.line(format!("{} skipped", item.title()));
        return Ok(Ok(()));
    }
    let mut after = if args.is("save-config") { with_last_applied(after) } else { after.clone() };
    args.record(&mut after);
    let ty = item.mapping.schema().map(|kind| kind.ty);
    let ty = if mode == Mode::LastApplied { None } else { ty };
    let text = json::compact(&after) + "\n";
    let change = match patch::three_way(ty, before, &after, before, true) {
        Ok(_) if mode == Mode::LastApplied => {
            map! { "metadata" => map! { "annotations" => map! { LAST_APPLIED => text } } }
        }
        Ok(change) => change,
        Err(error) => return Err(Stop::Fail(vec![Failure::Plain(error.message)], 1)),
    };
    let part = args.get("subresource");
    let path = if part.is_empty() { item.path() } else { format!("{}/{part}", item.path()) };
    let mut request = io.request(Method::Patch, path).with_body(change);
    request.content_type = if ty.is_some() { STRATEGIC.into() } else { MERGE.into() };
    let manager = if args.get("field-manager").is_empty() { "kubectl-edit" } else { args.get("field-manager") };
    request = request.with_query("fieldManager", manager).with_query("fieldValidation", validation(args));
    let response = io.send(request)?;
    let answer = body(&response);
    if !response.ok() {
        return Ok(Err(answer));
    }
    print::action(&answer, "edited", args, io, mapper)?;
    Ok(Ok(()))
}

fn made(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, object: &Value) -> Outcome<Done> {
    let Some(mapping) = mapper.of(object) else {
        let (kind, version) = (object["kind"].str(), object["apiVersion"].str());
        return fail(format!("no matches for kind \"{kind}\" in version \"{version}\""));
    };
    let namespace = match (mapping.namespaced, object.at(&["metadata", "namespace"]).str()) {
        (false, _) => String::new(),
        (true, "") => io.namespace.clone(),
        (true, own) => own.to_string(),
    };
    let response = post(args, io, mapping, &namespace, object.clone(), DryRun::None)?;
    let answer = body(&response);
    if !response.ok() {
        return Ok(Err(answer));
    }
    print::action(&answer, "created", args, io, mapper)?;
    Ok(Ok(()))
}
