//! Resource arguments (`TYPE NAME…`, `TYPE/NAME…`, `T1,T2`, `-f`, `-l`) to objects of the server.

use super::args::Args;
use super::io::{Failure, Io, Outcome, Stop, body, fail, fail_full, is_page, server_failure, status_failure};
use super::manifest;
use super::mapper::{Mapper, Mapping};
use crate::base::Value;
use crate::base::http::{Method, Request, Response};

pub const NOTHING: &str = "You must provide one or more resources by argument or filename.\nExample resource \
                           specifications include:\n   '-f rsrc.yaml'\n   '--filename=rsrc.json'\n   '<resource> \
                           <name>'\n   '<resource>'";
const MIXED: &str = "there is no need to specify a resource type as a separate argument when passing arguments in \
                     resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource \
                     resource/<resource_name>'";

/// What the words name: types, and names of each (none means all of it).
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub parts: Vec<(Mapping, Vec<String>)>,
    /// `TYPE/NAME` form.
    pub slashed: bool,
}

impl Wanted {
    pub fn named(&self) -> bool {
        self.parts.iter().any(|(_, names)| !names.is_empty())
    }
}

pub fn read(words: &[String], mapper: &Mapper) -> Outcome<Wanted> {
    let wanted = parts(words, mapper)?;
    for name in wanted.parts.iter().flat_map(|(_, names)| names) {
        if let Some(why) = not_a_path_segment(name) {
            return fail(format!("invalid resource name {}: [{why}]", crate::base::goquote::quote(name)));
        }
    }
    Ok(wanted)
}

/// Why a name cannot stand in a path, as the real client words it.
fn not_a_path_segment(name: &str) -> Option<String> {
    if name == "." || name == ".." {
        return Some(format!("may not be '{name}'"));
    }
    let found: Vec<String> = ["/", "%"]
        .iter()
        .filter(|mark| name.contains(**mark))
        .map(|mark| format!("may not contain '{mark}'"))
        .collect();
    (!found.is_empty()).then(|| found.join(" "))
}

fn parts(words: &[String], mapper: &Mapper) -> Outcome<Wanted> {
    let Some(first) = words.first() else { return fail(NOTHING) };
    if words.iter().any(|word| word.contains('/')) {
        let mut parts: Vec<(Mapping, Vec<String>)> = Vec::new();
        for word in words {
            let Some((kind, name)) = word.split_once('/') else { return fail(MIXED) };
            if name.contains('/') {
                return fail("arguments in resource/name form may not have more than one slash");
            }
            if kind.is_empty() || name.is_empty() || kind.contains(',') {
                return fail("arguments in resource/name form must have a single resource and name");
            }
            let mapping = mapper.find(kind)?;
            parts.push((mapping.clone(), vec![name.to_string()]));
        }
        return Ok(Wanted { parts, slashed: true });
    }
    let names: Vec<String> = words.iter().skip(1).cloned().collect();
    let mut parts = Vec::new();
    for word in first.split(',').filter(|word| !word.is_empty()) {
        let members = mapper.category(word);
        if members.is_empty() {
            parts.push((mapper.find(word)?.clone(), names.clone()));
        } else {
            parts.extend(members.into_iter().map(|mapping| (mapping.clone(), names.clone())));
        }
    }
    Ok(Wanted { parts, slashed: false })
}

/// One object a verb works on.
#[derive(Clone, Debug)]
pub struct Found {
    pub mapping: Mapping,
    pub object: Value,
    /// The file it came from, for `-f`.
    pub source: Option<String>,
}

impl Found {
    pub fn name(&self) -> &str {
        self.object.at(&["metadata", "name"]).str()
    }

    pub fn namespace(&self) -> &str {
        self.object.at(&["metadata", "namespace"]).str()
    }

    /// `deployment.apps/web`
    pub fn title(&self) -> String {
        format!("{}/{}", self.mapping.word(), self.name())
    }

    pub fn path(&self) -> String {
        self.mapping.path(self.namespace(), self.name())
    }
}

/// GET of one object; a 404 in a namespace that is not there speaks of the namespace.
pub fn get_one(io: &mut Io<'_, '_>, mapping: &Mapping, name: &str) -> Outcome<Result<Value, Failure>> {
    let namespace = if mapping.namespaced { io.namespace.clone() } else { String::new() };
    let request = io.request(Method::Get, mapping.path(&namespace, name));
    let response = io.send(request)?;
    if response.ok() {
        return Ok(Ok(body(&response)));
    }
    not_found(io, mapping, &namespace, name, &response).map(Err)
}

/// Of a resource that is no longer served kubectl tells what it has asked for.
fn unserved(mapping: &Mapping, name: &str, context: &str) -> Failure {
    let asked = format!("get {} {name}", mapping.qualified());
    Failure::Full(format!(
        "Error from server (NotFound): {context}the server could not find the requested resource ({})",
        asked.trim_end()
    ))
}

pub fn not_found(
    io: &mut Io<'_, '_>,
    mapping: &Mapping,
    namespace: &str,
    name: &str,
    response: &Response,
) -> Outcome<Failure> {
    match response.code == 404 && is_page(&body(response)) && !mapping.version.is_empty() {
        true => Ok(unserved(mapping, name, "")),
        false => not_found_namespace(io, namespace, response),
    }
}

pub fn not_found_namespace(io: &mut Io<'_, '_>, namespace: &str, response: &Response) -> Outcome<Failure> {
    if response.code == 404 && !namespace.is_empty() && namespace != "default" {
        let request = io.request(Method::Get, format!("/api/v1/namespaces/{namespace}"));
        let answer = io.send(request)?;
        if answer.code == 404 {
            return Ok(server_failure(&answer));
        }
    }
    Ok(server_failure(response))
}

/// The objects of a list.
pub fn list(
    io: &mut Io<'_, '_>,
    mapping: &Mapping,
    namespace: &str,
    labels: &str,
    fields: &str,
) -> Outcome<Result<Vec<Value>, Failure>> {
    chunked(io, mapping, namespace, (labels, fields), None)
}

/// As `list`, so many at a time (`--chunk-size`).
fn chunked(
    io: &mut Io<'_, '_>,
    mapping: &Mapping,
    namespace: &str,
    (labels, fields): (&str, &str),
    chunk: Option<&str>,
) -> Outcome<Result<Vec<Value>, Failure>> {
    let mut request = io.request(Method::Get, mapping.path(namespace, ""));
    if !fields.is_empty() {
        request = request.with_query("fieldSelector", fields);
    }
    if !labels.is_empty() {
        request = request.with_query("labelSelector", labels);
    }
    let chunk = chunk.unwrap_or(CHUNK);
    if chunk != "0" {
        request = request.with_query("limit", chunk);
    }
    let list = match whole(io, request)? {
        Ok(list) => list,
        Err(response) => return Ok(Err(selector_failure(&body(&response), mapping, labels, fields))),
    };
    Ok(Ok(items(&list)))
}

/// The items of a list with the kind that the list says for all of them.
pub fn items(list: &Value) -> Vec<Value> {
    let kind = list["kind"].str().trim_end_matches("List");
    let complete = |item: &Value| {
        let mut item = item.clone();
        if item["kind"].is_null() {
            item.set(&["apiVersion"], list["apiVersion"].clone());
            item.set(&["kind"], kind);
        }
        item
    };
    list["items"].items().iter().map(complete).collect()
}

/// The objects of an answer: a list's items, or the one it is.
pub fn members(answer: &Value) -> Vec<Value> {
    if answer["items"].is_null() { vec![answer.clone()] } else { items(answer) }
}

/// How many objects kubectl asks for at a time.
pub const CHUNK: &str = "500";

/// A list (or table) with all its chunks: the first as it came, with the items (rows) of those that follow.
pub fn whole(io: &mut Io<'_, '_>, request: Request) -> Outcome<Result<Value, Response>> {
    let response = io.send(request.clone())?;
    if !response.ok() {
        return Ok(Err(response));
    }
    let mut list = body(&response);
    if list.at(&["metadata", "continue"]).str().is_empty() {
        return Ok(Ok(list));
    }
    let field = if list["kind"].str() == "Table" { "rows" } else { "items" };
    let mut items = list[field].items().to_vec();
    loop {
        let token = list.at(&["metadata", "continue"]).str().to_string();
        if token.is_empty() {
            break;
        }
        let mut next = request.clone();
        // What was given with the first request is in the token, but for selectors and the limit.
        next.query.retain(|(key, _)| key.as_str() != "resourceVersion");
        let response = io.send(next.with_query("continue", token))?;
        if response.code == 410 {
            // A chunk that can no longer be had starts it over, in one piece.
            let mut at_once = request.clone();
            at_once.query.retain(|(key, _)| key.as_str() != "limit");
            let response = io.send(at_once)?;
            return Ok(if response.ok() { Ok(body(&response)) } else { Err(response) });
        }
        if !response.ok() {
            return Ok(Err(response));
        }
        let more = body(&response);
        items.extend(more[field].items().iter().cloned());
        list.set(&["metadata"], more["metadata"].clone());
    }
    list.set(&[field], items);
    Ok(Ok(list))
}

/// `Unable to find "/v1, Resource=pods" that match label selector …`
pub fn selector_failure(status: &Value, mapping: &Mapping, labels: &str, fields: &str) -> Failure {
    if is_page(status) {
        let context =
            format!("Unable to list {}: ", crate::base::goquote::quote(mapping.gvr().trim_start_matches(' ')));
        return unserved(mapping, "", &context);
    }
    if status["reason"].str() == "BadRequest" {
        let context = format!(
            "Unable to find {} that match label selector {}, field selector {}: ",
            crate::base::goquote::quote(mapping.gvr().trim_start_matches(' ')),
            crate::base::goquote::quote(labels),
            crate::base::goquote::quote(fields),
        );
        return status_failure(status, Some(&context));
    }
    status_failure(status, None)
}

/// What the selection of a verb allows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// A type alone means all of it (`get`, `wait -l`); else a name is needed.
    pub whole_types: bool,
}

/// As `fetch` by default; with `--local` what files hold, in a namespace only when one is asked for.
pub fn fetch_or_local(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<(Vec<Found>, Vec<Failure>)> {
    if !(args.is("local") && manifest::given(args)) {
        return fetch(args, io, mapper, Rules::default());
    }
    let (documents, errors) = manifest::load(args, io, mapper)?;
    let own = |document: manifest::Document| {
        let mut object = document.object;
        if !io.namespace_forced {
            object.remove(&["metadata", "namespace"]);
        }
        Found { mapping: document.mapping, object, source: Some(document.source) }
    };
    Ok((documents.into_iter().map(own).collect(), errors))
}

/// The objects that words, files and selectors name, as the server has them now.
pub fn fetch(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, rules: Rules) -> Outcome<(Vec<Found>, Vec<Failure>)> {
    let mut found = Vec::new();
    let mut failures = Vec::new();
    if manifest::given(args) {
        if !args.words.is_empty() && rules.whole_types {
            return fail(
                "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as \
                         well",
            );
        }
        let read = manifest::load_in_order(args, io, mapper)?;
        let answers = io.each(read.len(), |io, at| {
            let document = match read.get(at) {
                Some(Ok(document)) => document,
                Some(Err(failure)) => return Ok(Err(failure.clone())),
                None => return Ok(Ok(Value::Null)),
            };
            let own = document.namespace(io);
            let kept = std::mem::replace(&mut io.namespace, own);
            let answer = get_one(io, &document.mapping, document.name());
            io.namespace = kept;
            answer
        })?;
        for (document, answer) in read.into_iter().zip(answers.iter().cloned()) {
            match (document, answer) {
                (Ok(document), Ok(object)) => {
                    found.push(Found { mapping: document.mapping, object, source: Some(document.source) });
                }
                (Err(failure), _) | (_, Err(failure)) => failures.push(failure),
            }
        }
        return Ok((found, failures));
    }
    let labels = args.get("selector").to_string();
    let fields = args.get("field-selector").to_string();
    let everything = args.is("all") || args.is("all-namespaces");
    let wanted = read(&args.words, mapper)?;
    if wanted.named() && !labels.is_empty() {
        return match wanted.slashed {
            true => fail("selectors and the all flag cannot be used when passing resource/name arguments"),
            false => fail("name cannot be provided when a selector is specified"),
        };
    }
    if wanted.named() && args.is("all-namespaces") {
        return fail("a resource cannot be retrieved by name across all namespaces");
    }
    for (mapping, names) in &wanted.parts {
        if names.is_empty() {
            if labels.is_empty() && fields.is_empty() && !everything && !rules.whole_types {
                return fail("resource(s) were provided, but no name was specified");
            }
            let namespace = if args.is("all-namespaces") { String::new() } else { io.namespace.clone() };
            let chunk = Some(args.get("chunk-size")).filter(|chunk| !chunk.is_empty());
            match chunked(io, mapping, &namespace, (&labels, &fields), chunk)? {
                Ok(objects) => found.extend(objects.into_iter().map(|object| Found {
                    mapping: mapping.clone(),
                    object,
                    source: None,
                })),
                Err(failure) => failures.push(failure),
            }
        }
        let answers = io.each(names.len(), |io, at| get_one(io, mapping, names.get(at).map_or("", String::as_str)))?;
        for answer in answers.iter().cloned() {
            match answer {
                Ok(object) => found.push(Found { mapping: mapping.clone(), object, source: None }),
                Err(failure) => failures.push(failure),
            }
        }
    }
    Ok((found, failures))
}

/// Ends a verb with the errors met on the way.
/// Nothing is there to work on in the namespace.
pub fn tell_nothing(io: &mut Io<'_, '_>) {
    let text = format!("No resources found in {} namespace.\n", io.namespace);
    io.err(text);
}

pub fn finish(failures: Vec<Failure>) -> Outcome {
    if failures.is_empty() { Ok(()) } else { Err(Stop::Fail(failures, 1)) }
}

/// The one pod or workload a word of `logs`, `exec`, `attach` names.
pub fn one(word: &str, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<Found> {
    let (kind, name) = word.split_once('/').unwrap_or(("pods", word));
    if name.is_empty() || kind.is_empty() {
        return fail("arguments in resource/name form must have a single resource and name");
    }
    let mapping = mapper.find(kind)?.clone();
    match get_one(io, &mapping, name)? {
        Ok(object) => Ok(Found { mapping, object, source: None }),
        Err(failure) => fail_full(failure.text()),
    }
}
