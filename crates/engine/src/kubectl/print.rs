//! Output formats for objects: names, YAML, JSON, jsonpath, templates, custom columns.

use super::args::Args;
use super::io::{Io, Outcome, fail};
use super::mapper::Mapper;
use super::output::custom_columns::CustomColumns;
use super::output::go_template::KUBECTL;
use super::output::jsonpath::JsonPath;
use super::output::ordered;
use crate::base::template::GoTemplate;
use crate::base::{Value, json, yaml_emit};
use crate::map;

const ALLOWED: &str = "custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,\
                       jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile";

#[derive(Clone, Debug)]
pub enum Format {
    /// The server's table; `true` for wide.
    Table(bool),
    Name,
    Yaml,
    Json,
    /// JSON-like YAML.
    Kyaml,
    JsonPath(JsonPath),
    JsonPathAsJson(JsonPath),
    Template(GoTemplate),
    Columns(CustomColumns),
}

impl Format {
    /// The format of `-o` (and `--template`); `table` says whether `wide` and no format mean the server's table.
    pub fn read(args: &Args, io: &mut Io<'_, '_>, table: bool) -> Outcome<Format> {
        let output = args.get("output");
        let template = args.get("template");
        let (name, mut text) = match output.split_once('=') {
            Some((name, text)) => (name.to_string(), text.to_string()),
            None => (output.to_string(), template.to_string()),
        };
        let mut lower = name.to_lowercase();
        if lower.is_empty() && !template.is_empty() {
            lower = "go-template".into();
        }
        let file = match lower.as_str() {
            "jsonpath-file" | "go-template-file" | "templatefile" | "custom-columns-file" => true,
            _ => false,
        };
        if file {
            match io.read_file(&text) {
                Ok(bytes) => text = String::from_utf8_lossy(&bytes).into_owned(),
                Err(_) if lower == "custom-columns-file" => {
                    return fail(format!("error reading template {text}, open {text}: no such file or directory"));
                }
                Err(_) => {
                    return fail(format!("error reading --template {text}, open {text}: no such file or directory"));
                }
            }
        }
        let kind = lower.trim_end_matches("-file").to_string();
        // These take nothing behind a `=`.
        let kind = match kind.as_str() {
            "" | "wide" | "name" | "yaml" | "json" | "kyaml" if output.contains('=') => String::from("?"),
            _ => kind,
        };
        match kind.as_str() {
            "" | "wide" if table => Ok(Format::Table(kind == "wide")),
            "name" => Ok(Format::Name),
            "yaml" => Ok(Format::Yaml),
            "json" => Ok(Format::Json),
            "kyaml" => Ok(Format::Kyaml),
            "jsonpath" | "jsonpath-as-json" | "go-template" | "template" | "templatefile" if text.is_empty() => {
                fail("template format specified but no template given")
            }
            "jsonpath" | "jsonpath-as-json" => match JsonPath::parse(&text) {
                Ok(path) if kind == "jsonpath" => Ok(Format::JsonPath(path)),
                Ok(path) => Ok(Format::JsonPathAsJson(path)),
                Err(error) => fail(format!("error parsing jsonpath {text}, {error}")),
            },
            "go-template" | "template" | "templatefile" => match GoTemplate::parse(&text, &KUBECTL) {
                Ok(template) => Ok(Format::Template(template)),
                Err(error) => fail(format!("error parsing template {text}, {error}")),
            },
            "custom-columns" => {
                let columns = if file { CustomColumns::parse_file(&text) } else { CustomColumns::parse(&text) };
                columns.map(Format::Columns).or_else(fail)
            }
            _ => {
                let wide = if table { ",wide,yaml" } else { ",yaml" };
                fail(format!(
                    "unable to match a printer suitable for the output format \"{output}\", allowed formats are: \
                     {ALLOWED}{wide}"
                ))
            }
        }
    }

    pub fn is_table(&self) -> bool {
        matches!(self, Format::Table(_))
    }
}

/// Without managedFields unless they are asked for.
pub fn shown(object: &Value, args: &Args) -> Value {
    let mut object = object.clone();
    if !args.is("show-managed-fields") {
        object.remove(&["metadata", "managedFields"]);
        if !object["items"].is_null() {
            let items: Vec<Value> = object["items"].items().iter().map(|item| shown(item, args)).collect();
            object.set(&["items"], items);
        }
    }
    object
}

/// `pod/web`, `deployment.apps/web`
pub fn title(object: &Value) -> String {
    let kind = object["kind"].str().to_lowercase();
    let name = object.at(&["metadata", "name"]).str();
    match object["apiVersion"].str().split_once('/') {
        Some((group, _)) => format!("{kind}.{group}/{name}"),
        None => format!("{kind}/{name}"),
    }
}

/// Many objects as the one `List` that formats see.
pub fn list_of(objects: Vec<Value>) -> Value {
    map! { "apiVersion" => "v1", "items" => objects, "kind" => "List", "metadata" => map! { "resourceVersion" => "" } }
}

/// Prints one object (or a `List`). YAML documents after the first are separated by `---`.
pub fn object(
    object: &Value,
    format: &Format,
    args: &Args,
    io: &mut Io<'_, '_>,
    widths: &mut Vec<usize>,
    first: bool,
) -> Outcome {
    let allow = args.get("allow-missing-template-keys") != "false";
    match format {
        Format::Table(_) => {}
        Format::Name => {
            let items: Vec<Value> =
                if object["kind"].str() == "List" { object["items"].items().to_vec() } else { vec![object.clone()] };
            for item in &items {
                io.line(title(item));
            }
        }
        Format::Yaml => {
            if !first {
                io.out("---\n");
            }
            io.out(yaml_emit::emit(&shown(object, args)));
        }
        Format::Json => io.out(json::pretty(&shown(object, args), 4) + "\n"),
        Format::Kyaml => io.out(ordered::kyaml(&shown(object, args), false)),
        Format::JsonPath(path) => match path.print(object, allow) {
            Ok(text) => io.out(text),
            Err(error) => return fail(path.complaint(&error, object)),
        },
        Format::JsonPathAsJson(path) => match path.print_as_json(object, allow) {
            Ok(text) => io.out(text),
            Err(error) => return fail(path.complaint(&error, object)),
        },
        Format::Template(template) => match template.print(object, allow) {
            Ok(text) => io.out(text),
            Err((printed, error)) => {
                io.out(printed);
                let (out, err) = template.complaint(&error, object);
                io.out(out);
                return fail(err);
            }
        },
        Format::Columns(columns) => {
            let objects: Vec<Value> =
                if object["kind"].str() == "List" { object["items"].items().to_vec() } else { vec![object.clone()] };
            let headers = widths.is_empty() && !args.is("no-headers");
            match columns.print(&objects, headers, widths) {
                Ok(text) => io.out(text),
                Err(failure) => {
                    io.out(failure.printed);
                    return fail(failure.error);
                }
            }
        }
    }
    Ok(())
}

/// After a change: `deployment.apps/web created`, or the object in the format asked for.
pub fn action(result: &Value, verb: &str, args: &Args, io: &mut Io<'_, '_>, _mapper: &Mapper) -> Outcome {
    if args.get("output").is_empty() && args.get("template").is_empty() {
        let suffix = args.dry_run()?.suffix();
        io.line(format!("{} {verb}{suffix}", title(result)));
        return Ok(());
    }
    let format = Format::read(args, io, false)?;
    object(result, &format, args, io, &mut Vec::new(), true)
}

/// As `action` for an object kubectl made itself: its fields keep the order of its type.
pub fn made(result: &Value, verb: &str, args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome {
    if args.get("output").is_empty() && args.get("template").is_empty() {
        return action(result, verb, args, io, mapper);
    }
    match Format::read(args, io, false)? {
        Format::Json => io.out(ordered::json(&shown(result, args), Some(4)) + "\n"),
        Format::Kyaml => io.out(ordered::kyaml(&shown(result, args), true)),
        format => return object(result, &format, args, io, &mut Vec::new(), true),
    }
    Ok(())
}
