//! `kubectl get`: the server's tables, or objects in any output format; `-w`.

use crate::base::http::{Frame, Method, Request};
use crate::base::quantity::Quantity;
use crate::base::{Time, Value, columns, goquote};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Failure, Heard, Io, Outcome, Stop, body, fail, fail_full, server_failure};
use crate::kubectl::manifest;
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::output::custom_columns::relaxed;
use crate::kubectl::output::jsonpath::JsonPath;
use crate::kubectl::print::{self, Format};
use crate::kubectl::select::{self, Wanted};
use crate::list;

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,\
                     application/json";

/// One request of a `get`: all of a type, or one name of it.
struct Ask {
    mapping: Mapping,
    name: String,
    namespace: String,
}

pub fn get(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.get("raw").is_empty() {
        return raw(Method::Get, None, args, io);
    }
    if args.words.is_empty() && !manifest::given(args) {
        io.err(
            "You must specify the type of resource to get. Use \"kubectl api-resources\" for a complete list of \
             supported resources.\n\n",
        );
        return fail(
            "Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that \
             resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples",
        );
    }
    let format = Format::read(args, io, true)?;
    if matches!(format, Format::Columns(_)) {
        for flag in ["label-columns", "show-labels"] {
            if args.changed(flag) {
                return fail(format!("--{flag} option cannot be used with {} printer", args.get("output")));
            }
        }
    }
    if args.is("output-watch-events") && !args.is("watch") && !args.is("watch-only") {
        return fail("--output-watch-events option can only be used with --watch or --watch-only");
    }
    let mapper = Mapper::discover(io)?;
    let wanted = io.once(|io| asks(args, io, &mapper))?;
    let (asks, mut failures, single) = (&wanted.0, wanted.1.clone(), wanted.2);
    if args.is("watch") || args.is("watch-only") {
        let kinds = asks.iter().map(|ask| ask.mapping.qualified()).collect::<crate::base::BTreeSet<_>>();
        if kinds.len() != 1 || asks.len() != 1 {
            return fail("you may only specify a single resource type");
        }
        let Some(ask) = asks.first() else { return Ok(()) };
        return watch(args, io, ask, &format);
    }
    match &format {
        Format::Table(wide) => tables(args, io, asks, &mut failures, *wide)?,
        format => objects(args, io, asks, &mut failures, format, single)?,
    }
    select::finish(failures)
}

pub fn raw(method: Method, sent: Option<Value>, args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let path = args.get("raw").to_string();
    if !args.words.is_empty() {
        return fail("arguments may not be passed when --raw is specified");
    }
    if !args.get("output").is_empty() {
        return fail("--raw and --output are mutually exclusive");
    }
    if !path.starts_with('/') {
        return fail(format!("--raw must be a valid URL path: parse \"{path}\": invalid URI for request"));
    }
    let (path, query) = path.split_once('?').unwrap_or((&path, ""));
    // What follows two slashes is a host to Go's parser, and kubectl asks the host it knows.
    let path = path.strip_prefix("//").map_or(path, |rest| rest.find('/').map_or("/", |at| &rest[at..]));
    // As Go's server reads it; an ending `/` stays.
    let end = if path.ends_with('/') && path.len() > 1 { "/" } else { "" };
    let mut request = io.request(method, crate::process::clean("/", path) + end);
    if let Some(sent) = sent {
        request = request.with_body(sent);
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        // Go's parser leaves out what it cannot read.
        if let (Some(key), Some(value)) = (goquote::query_unescape(key), goquote::query_unescape(value)) {
            request.query.push((key.into(), value));
        }
    }
    let response = io.send(request)?;
    if !response.ok() {
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    match &response.body {
        crate::base::http::Body::Text(text) => io.out(text.clone()),
        crate::base::http::Body::Value(value) => {
            io.out(crate::api::schema::json_of(value));
            io.out("\n");
        }
        crate::base::http::Body::None => {}
    }
    Ok(())
}

/// What to ask for; errors on the way; whether exactly one object was named.
fn asks(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<(Vec<Ask>, Vec<Failure>, bool)> {
    let all = args.is("all-namespaces");
    if manifest::given(args) {
        if !args.words.is_empty() {
            return fail(
                "when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well",
            );
        }
        let (documents, failures) = manifest::load(args, io, mapper)?;
        let asks: Vec<Ask> = documents
            .iter()
            .map(|d| Ask { mapping: d.mapping.clone(), name: d.name().into(), namespace: d.namespace(io) })
            .collect();
        let single = asks.len() == 1;
        return Ok((asks, failures, single));
    }
    let wanted: Wanted = select::read(&args.words, mapper)?;
    if args.words.first().is_some_and(|word| word.split(',').any(|part| part == "ev")) {
        io.warn("short name \"ev\" could also match lower priority resource events.events.k8s.io");
    }
    let selected = !args.get("selector").is_empty() || !args.get("field-selector").is_empty();
    if wanted.named() && selected {
        return match wanted.slashed {
            true => fail("selectors and the all flag cannot be used when passing resource/name arguments"),
            false => fail("name cannot be provided when a selector is specified"),
        };
    }
    if wanted.named() && all {
        return fail("a resource cannot be retrieved by name across all namespaces");
    }
    if !wanted.named() && !args.get("subresource").is_empty() {
        return fail("subresource cannot be used when bulk resources are specified");
    }
    let mut asks = Vec::new();
    for (mapping, names) in wanted.parts {
        let namespace = if all || !mapping.namespaced { String::new() } else { io.namespace.clone() };
        if names.is_empty() {
            asks.push(Ask { mapping: mapping.clone(), name: String::new(), namespace: namespace.clone() });
        }
        for name in names {
            asks.push(Ask { mapping: mapping.clone(), name, namespace: namespace.clone() });
        }
    }
    let single = asks.len() == 1 && asks.iter().all(|ask| !ask.name.is_empty());
    Ok((asks, Vec::new(), single))
}

fn request(args: &Args, io: &Io<'_, '_>, ask: &Ask, accept: &'static str) -> Request {
    let mut path = ask.mapping.path(&ask.namespace, &ask.name);
    let subresource = args.get("subresource");
    if !subresource.is_empty() && !ask.name.is_empty() {
        path = format!("{path}/{subresource}");
    }
    let mut request = io.request(Method::Get, path);
    request.accept = accept.into();
    if ask.name.is_empty() {
        if !args.get("field-selector").is_empty() {
            request = request.with_query("fieldSelector", args.get("field-selector"));
        }
        if !args.get("selector").is_empty() {
            request = request.with_query("labelSelector", args.get("selector"));
        }
        let chunk = args.get("chunk-size");
        if chunk != "0" {
            request = request.with_query("limit", if chunk.is_empty() { "500" } else { chunk });
        }
    }
    request
}

/// Sends one ask; a failed one is noted.
fn answer(
    args: &Args,
    io: &mut Io<'_, '_>,
    ask: &Ask,
    accept: &'static str,
    failures: &mut Vec<Failure>,
) -> Outcome<Option<Value>> {
    let mut request = request(args, io, ask, accept);
    if !accept.is_empty() && !args.get("sort-by").is_empty() {
        request = request.with_query("includeObject", "Object");
    }
    let response = match select::whole(io, request)? {
        Ok(answer) => return Ok(Some(answer)),
        Err(response) => response,
    };
    if response.code == 404 && args.is("ignore-not-found") {
        return Ok(None);
    }
    let failure = if ask.name.is_empty() {
        select::selector_failure(&body(&response), &ask.mapping, args.get("selector"), args.get("field-selector"))
    } else {
        select::not_found(io, &ask.mapping, &ask.namespace, &ask.name, &response)?
    };
    failures.push(failure);
    Ok(None)
}

/// Sends all asks, one after the other.
fn answers(
    args: &Args,
    io: &mut Io<'_, '_>,
    asks: &[Ask],
    accept: &'static str,
    failures: &mut Vec<Failure>,
) -> Outcome<Vec<Option<Value>>> {
    let all = io.each(asks.len(), |io, at| {
        let mut failures = Vec::new();
        let value = match asks.get(at) {
            Some(ask) => answer(args, io, ask, accept, &mut failures)?,
            None => None,
        };
        Ok((value, failures))
    })?;
    failures.extend(all.iter().flat_map(|(_, failures)| failures.iter().cloned()));
    Ok(all.iter().map(|(value, _)| value.clone()).collect())
}

/// Rows of one kind with the columns they stand under.
struct Block {
    mapping: Mapping,
    columns: Vec<Value>,
    rows: Vec<Value>,
}

fn tables(args: &Args, io: &mut Io<'_, '_>, asks: &[Ask], failures: &mut Vec<Failure>, wide: bool) -> Outcome {
    let mut blocks: Vec<Block> = Vec::new();
    let server = args.get("server-print") != "false";
    let accept = if server { TABLE } else { "" };
    let answers = answers(args, io, asks, accept, failures)?;
    let by = args.get("sort-by");
    // Several answers are sorted as the objects they are: tables themselves have none of their rows' fields.
    if !by.is_empty() {
        let mut objects: Vec<Value> = answers.iter().flatten().cloned().collect();
        let several = objects.len() > 1;
        if !server {
            objects = objects.iter().flat_map(select::members).collect();
        }
        if several || !server && objects.len() > 1 {
            sort_objects(io, by, &mut objects)?;
        }
    }
    for (ask, value) in asks.iter().zip(answers) {
        let Some(value) = value else { continue };
        let (columns, rows) = table_of(&value, io.now());
        if rows.is_empty() {
            continue;
        }
        match blocks.iter_mut().find(|block| block.mapping == ask.mapping) {
            Some(block) => block.rows.extend(rows),
            None => blocks.push(Block { mapping: ask.mapping.clone(), columns, rows }),
        }
    }
    if !args.get("sort-by").is_empty() {
        for block in &mut blocks {
            match sort_rows(args.get("sort-by"), &mut block.rows) {
                Ok(()) => {}
                Err(Unsorted::Kind(path, kind)) => {
                    return fail_full(unsorted(io, &path, "sorter.go:375", "[][][]reflect.Value", kind));
                }
                Err(Unsorted::Missing) => block.rows.clear(),
            }
        }
        blocks.retain(|block| !block.rows.is_empty());
    }
    if blocks.is_empty() {
        if failures.is_empty() && !args.is("ignore-not-found") {
            nothing(args, io, asks);
        }
        return Ok(());
    }
    let prefix = blocks.len() > 1 || args.is("show-kind") || {
        let kinds: crate::base::BTreeSet<String> = asks.iter().map(|ask| ask.mapping.qualified()).collect();
        kinds.len() > 1 && args.words.first().is_some_and(|w| !w.contains('/'))
    };
    let all = args.is("all-namespaces");
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 && !args.is("no-headers") {
            io.out("\n");
        }
        let layout = Layout::new(args, &block.columns, wide, all && block.mapping.namespaced, prefix);
        let mut rows = Vec::new();
        if !args.is("no-headers") {
            rows.push(layout.header());
        }
        rows.extend(block.rows.iter().map(|row| layout.row(row, &block.mapping, None)));
        io.out(columns::table(&rows, &mut Vec::new()));
    }
    Ok(())
}

fn klog_time(now: Time) -> String {
    let (_, month, day, hour, minute, second) = now.civil();
    format!("{month:02}{day:02} {hour:02}:{minute:02}:{second:02}.{:06}", now.0.rem_euclid(1_000_000))
}

fn nothing(args: &Args, io: &mut Io<'_, '_>, asks: &[Ask]) {
    let namespaced = asks.iter().all(|ask| ask.mapping.namespaced);
    if args.is("all-namespaces") || !namespaced {
        io.err("No resources found\n");
    } else {
        select::tell_nothing(io);
    }
}

/// Columns and rows of an answer; an object that is no table gets NAME and AGE.
fn table_of(value: &Value, now: Time) -> (Vec<Value>, Vec<Value>) {
    if value["kind"].str() == "Table" {
        return (value["columnDefinitions"].items().to_vec(), value["rows"].items().to_vec());
    }
    let items: Vec<Value> = match &value["items"] {
        Value::List(items) => items.to_vec(),
        _ => vec![value.clone()],
    };
    let columns = vec![
        crate::map! { "name" => "Name", "type" => "string", "format" => "name", "priority" => 0 },
        crate::map! { "name" => "Age", "type" => "string", "format" => "", "priority" => 0 },
    ];
    let rows = items
        .iter()
        .map(|item| {
            let created = Time::parse(item.at(&["metadata", "creationTimestamp"]).str());
            let age = created.map_or("<unknown>".into(), |at| crate::base::duration::human(now - at));
            crate::map! { "cells" => list![item.at(&["metadata", "name"]), age], "object" => item }
        })
        .collect();
    (columns, rows)
}

/// Which columns are shown, and what kubectl adds.
struct Layout {
    headers: Vec<String>,
    /// Index of each shown cell, and whether it is the name.
    cells: Vec<(usize, bool)>,
    namespace: bool,
    prefix: bool,
    labels: Vec<String>,
    show_labels: bool,
    event: bool,
}

impl Layout {
    fn new(args: &Args, columns: &[Value], wide: bool, namespace: bool, prefix: bool) -> Layout {
        let shown = columns.iter().enumerate().filter(|(_, column)| wide || column["priority"].int() == 0);
        let mut headers = Vec::new();
        let mut cells = Vec::new();
        for (index, column) in shown {
            headers.push(column["name"].str().to_uppercase());
            cells.push((index, column["format"].str() == "name"));
        }
        Layout {
            headers,
            cells,
            namespace,
            prefix,
            labels: args.split("label-columns"),
            show_labels: args.is("show-labels"),
            event: args.is("output-watch-events"),
        }
    }

    fn header(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        if self.event {
            out.push("EVENT".into());
        }
        if self.namespace {
            out.push("NAMESPACE".into());
        }
        out.extend(self.headers.iter().cloned());
        out.extend(self.labels.iter().map(|key| key.rsplit('/').next().unwrap_or_default().to_uppercase()));
        if self.show_labels {
            out.push("LABELS".into());
        }
        out
    }

    fn row(&self, row: &Value, mapping: &Mapping, event: Option<&str>) -> Vec<String> {
        let meta = row.at(&["object", "metadata"]);
        let mut out = Vec::new();
        if self.event {
            out.push(format!("{:<8}", event.unwrap_or("ADDED")).trim_end().to_string());
        }
        if self.namespace {
            out.push(meta["namespace"].str().to_string());
        }
        for (index, is_name) in &self.cells {
            let text = columns::cell(&row["cells"][*index]);
            out.push(if *is_name && self.prefix { format!("{}/{text}", mapping.word()) } else { text });
        }
        out.extend(self.labels.iter().map(|key| meta["labels"].get(key).str().to_string()));
        if self.show_labels {
            let pairs: Vec<String> = meta["labels"].entries().iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
            out.push(if pairs.is_empty() { "<none>".into() } else { pairs.join(",") });
        }
        out
    }
}

enum Unsorted {
    Missing,
    Kind(String, &'static str),
}

fn sort_path(text: &str) -> Option<(String, JsonPath)> {
    let path = relaxed(text).ok()?;
    JsonPath::parse(&path).ok().map(|parsed| (path, parsed))
}

/// Sorts whole objects, and says what is wrong with the path.
fn sort_objects(io: &Io<'_, '_>, by: &str, objects: &mut [Value]) -> Outcome {
    let path = match relaxed(by) {
        Ok(path) => path,
        Err(error) => return fail(error),
    };
    let parsed = match JsonPath::parse(&path) {
        Ok(parsed) => parsed,
        Err(error) => return fail(error),
    };
    let mut keys: Vec<Option<Value>> = Vec::new();
    for object in objects.iter() {
        match parsed.find(object, true) {
            Ok(found) => keys.push(found.into_iter().flatten().next().filter(|value| !value.is_null())),
            Err(error) => return fail(error),
        }
    }
    if keys.iter().all(Option::is_none) {
        return fail(format!("couldn't find any field with path \"{path}\" in the list of objects"));
    }
    if objects.len() > 1
        && let Some(kind) = keys.iter().flatten().find_map(unsortable)
    {
        return fail_full(unsorted(io, &path, "sorter.go:329", "*unstructured.Unstructured", kind));
    }
    sort(objects, keys);
    Ok(())
}

/// What Go calls what has no order.
fn unsortable(value: &Value) -> Option<&'static str> {
    match value {
        Value::Map(_) => Some("map[string]interface {}"),
        Value::List(_) => Some("[]interface {}"),
        _ => None,
    }
}

fn unsorted(io: &Io<'_, '_>, path: &str, place: &str, holder: &str, kind: &str) -> String {
    let (time, pid) = (klog_time(io.sys.now), io.sys.pid);
    format!(
        "F{time} {pid:>7} {place}] Field {path} in {holder} is an unsortable type: interface, err: unsortable type: {kind}"
    )
}

fn sort_rows(by: &str, rows: &mut [Value]) -> Result<(), Unsorted> {
    if rows.len() < 2 {
        return Ok(());
    }
    let (path, parsed) = sort_path(by).ok_or(Unsorted::Missing)?;
    let key = |row: &Value| first(&parsed, &row["object"]);
    let keys: Vec<Option<Value>> = rows.iter().map(key).collect();
    if keys.iter().all(Option::is_none) {
        return Err(Unsorted::Missing);
    }
    if let Some(kind) = keys.iter().flatten().find_map(unsortable) {
        return Err(Unsorted::Kind(path, kind));
    }
    sort(rows, keys);
    Ok(())
}

fn first(path: &JsonPath, object: &Value) -> Option<Value> {
    path.find(object, true).ok()?.into_iter().flatten().next().filter(|value| !value.is_null())
}

/// Missing values first, in reverse order of the list (as the real insertion sort leaves them); else stable.
fn sort(rows: &mut [Value], keys: Vec<Option<Value>>) {
    let mut order: Vec<(Option<Value>, usize)> = keys.into_iter().zip(0..).collect();
    order.sort_by(|(a, i), (b, j)| match (a, b) {
        (None, None) => j.cmp(i),
        (None, Some(_)) => std::cmp::Ordering::Less,
        (Some(_), None) => std::cmp::Ordering::Greater,
        (Some(a), Some(b)) => compare(a, b),
    });
    let old = rows.to_vec();
    for (slot, (_, from)) in rows.iter_mut().zip(order) {
        if let Some(row) = old.get(from) {
            *slot = row.clone();
        }
    }
}

fn compare(a: &Value, b: &Value) -> std::cmp::Ordering {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => match (Quantity::parse(a), Quantity::parse(b)) {
            (Ok(x), Ok(y)) => x.as_f64().total_cmp(&y.as_f64()),
            _ => a.as_str().cmp(b.as_str()),
        },
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => a.len().cmp(&b.len()),
        _ => {
            let number = |value: &Value| match value {
                Value::Float(n) => *n,
                value => value.int() as f64,
            };
            number(a).total_cmp(&number(b))
        }
    }
}

fn objects(
    args: &Args,
    io: &mut Io<'_, '_>,
    asks: &[Ask],
    failures: &mut Vec<Failure>,
    format: &Format,
    single: bool,
) -> Outcome {
    let mut found: Vec<Value> = Vec::new();
    let answers = answers(args, io, asks, "", failures)?;
    for (ask, value) in asks.iter().zip(answers) {
        let Some(value) = value else { continue };
        match &value["items"] {
            Value::List(_) if ask.name.is_empty() => found.extend(select::items(&value)),
            _ => found.push(value),
        }
    }
    if !args.get("sort-by").is_empty() && found.len() > 1 {
        sort_objects(io, args.get("sort-by"), &mut found)?;
    }
    let mut widths = Vec::new();
    match format {
        Format::Name | Format::Columns(_) => {
            for (index, object) in found.iter().enumerate() {
                if index > 0 && matches!(format, Format::Columns(_)) {
                    break;
                }
                if matches!(format, Format::Name) {
                    print::object(object, format, args, io, &mut widths, true)?;
                } else {
                    print::object(&print::list_of(found.clone()), format, args, io, &mut widths, true)?;
                }
            }
            if found.is_empty() && failures.is_empty() && matches!(format, Format::Columns(_)) {
                if args.is("no-headers") {
                    return Ok(());
                }
                print::object(&print::list_of(Vec::new()), format, args, io, &mut widths, true)?;
            }
            Ok(())
        }
        _ if single => match found.first() {
            Some(object) => print::object(object, format, args, io, &mut widths, true),
            None => Ok(()),
        },
        _ if found.is_empty() && !failures.is_empty() && asks.iter().all(|ask| ask.name.is_empty()) => Ok(()),
        _ => print::object(&print::list_of(found), format, args, io, &mut widths, true),
    }
}

fn watch(args: &Args, io: &mut Io<'_, '_>, ask: &Ask, format: &Format) -> Outcome {
    io.memory.interrupt = Some(1);
    let mut failures = Vec::new();
    let accept = if format.is_table() { TABLE } else { "" };
    let Some(value) = answer(args, io, ask, accept, &mut failures)? else { return select::finish(failures) };
    let mut columns = value["columnDefinitions"].items().to_vec();
    let mut widths = Vec::new();
    let mut headed = args.is("no-headers");
    let wide = matches!(format, Format::Table(true));
    let namespace = args.is("all-namespaces") && ask.mapping.namespaced;
    let show = |io: &mut Io<'_, '_>,
                columns: &[Value],
                rows: &[Value],
                event: &str,
                headed: &mut bool,
                widths: &mut Vec<usize>| {
        let layout = Layout::new(args, columns, wide, namespace, args.is("show-kind"));
        let mut lines = Vec::new();
        if !*headed && !rows.is_empty() {
            *headed = true;
            lines.push(layout.header());
        }
        lines.extend(rows.iter().map(|row| layout.row(row, &ask.mapping, Some(event))));
        io.out(columns::table(&lines, widths));
    };
    let mut column_widths = Vec::new();
    if !args.get("sort-by").is_empty() {
        io.err("warning: --watch requested, --sort-by will be ignored for watch events received\n");
    }
    if !args.is("watch-only") {
        if format.is_table() {
            let mut rows = value["rows"].items().to_vec();
            if !args.get("sort-by").is_empty() {
                let _ = sort_rows(args.get("sort-by"), &mut rows);
            }
            show(io, &columns, &rows, "ADDED", &mut headed, &mut widths);
        } else {
            let items = if ask.name.is_empty() { select::items(&value) } else { vec![value.clone()] };
            for item in &items {
                event_object(args, io, format, "ADDED", item, &mut column_widths)?;
            }
        }
    }
    let version = value.at(&["metadata", "resourceVersion"]).str().to_string();
    let mut request = io.request(Method::Get, ask.mapping.path(&ask.namespace, "")).with_query("watch", "true");
    request.accept = accept.into();
    if !ask.name.is_empty() {
        request = request.with_query("fieldSelector", format!("metadata.name={}", ask.name));
    } else {
        if !args.get("field-selector").is_empty() {
            request = request.with_query("fieldSelector", args.get("field-selector"));
        }
        if !args.get("selector").is_empty() {
            request = request.with_query("labelSelector", args.get("selector"));
        }
    }
    let (call, response) = io.open(request.with_query("resourceVersion", version))?;
    if !response.ok() {
        return Err(Stop::Fail(vec![server_failure(&response)], 1));
    }
    let until = match args.get("request-timeout") {
        "0" | "" => None,
        text => crate::base::duration::parse(text).ok().map(|span| io.now() + span),
    };
    // Kept between frames: the columns, whether the header stands, and the widths learnt.
    let numbers = |widths: &[usize]| Value::list(widths.iter().map(|width| Value::from(*width as i64)).collect());
    let learnt = |value: &Value| value.items().iter().map(|n| n.int().max(0) as usize).collect::<Vec<usize>>();
    let state = |columns: &[Value], headed: bool, widths: &[usize], column_widths: &[usize]| {
        crate::map! { "columns" => columns.to_vec(), "headed" => headed, "widths" => numbers(widths),
        "columnWidths" => numbers(column_widths) }
    };
    let kept = io.resume(state(&columns, headed, &widths, &column_widths));
    columns = kept["columns"].items().to_vec();
    headed = kept["headed"].is_true();
    widths = learnt(&kept["widths"]);
    column_widths = learnt(&kept["columnWidths"]);
    loop {
        io.keep(state(&columns, headed, &widths, &column_widths));
        match io.hear(&[call], false, until)? {
            Heard::Frame(_, Frame::Event(event)) => {
                let kind = event["type"].str();
                let object = &event["object"];
                if matches!(kind, "BOOKMARK") {
                    continue;
                }
                if kind == "ERROR" {
                    return Err(Stop::Fail(vec![crate::kubectl::io::status_failure(object, None)], 1));
                }
                if format.is_table() {
                    if !object["columnDefinitions"].items().is_empty() {
                        columns = object["columnDefinitions"].items().to_vec();
                    }
                    show(io, &columns, object["rows"].items(), kind, &mut headed, &mut widths);
                } else {
                    event_object(args, io, format, kind, object, &mut column_widths)?;
                }
            }
            Heard::Frame(_, Frame::Data(..)) | Heard::Input(_) | Heard::InputEnd => {}
            Heard::Frame(_, Frame::End) | Heard::Timeout => return Ok(()),
        }
    }
}

fn event_object(
    args: &Args,
    io: &mut Io<'_, '_>,
    format: &Format,
    kind: &str,
    object: &Value,
    widths: &mut Vec<usize>,
) -> Outcome {
    if args.is("output-watch-events") && matches!(format, Format::Json | Format::Yaml) {
        let event = crate::map! { "type" => kind, "object" => object };
        match format {
            Format::Json => {
                io.line(format!("{{\"type\":\"{kind}\",\"object\":{}}}", crate::base::json::compact(object)))
            }
            _ => print::object(&event, format, args, io, widths, false)?,
        }
        return Ok(());
    }
    print::object(object, format, args, io, widths, kind == "ADDED" && widths.is_empty())
}
