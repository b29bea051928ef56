//! `--format`: Go templates over the rows of a list, as a table with headers, as JSON, or as they are.

use super::{Outcome, exit_with};
use crate::base::columns::{Layout, align};
use crate::base::template::{Dialect, GoTemplate};
use crate::base::{Value, json};
use crate::docker::wire;
use crate::map;
use crate::process::rerun::Io;

pub const TABLE: Layout = Layout { min_width: 10, tab_width: 1, padding: 3, pad: ' ' };
/// Where a row keeps what the method `Label` looks into.
pub const LABELS: &str = "\0labels";

/// Where an object with the names of Go's fields keeps what `json` makes of it.
pub const RAW: &str = "\0raw";

/// As Go prints it: structs are values between braces, what is nil depends on its type.
fn typed_text(value: &Value, name: &str) -> String {
    const LISTS: &str = "Binds VolumesFrom CapAdd CapDrop ExtraHosts GroupAdd Links SecurityOpt DeviceCgroupRules \
        DeviceRequests Entrypoint Cmd OnBuild Env Aliases DNSNames SecondaryIPAddresses SecondaryIPv6Addresses ExecIDs \
        Mounts Config Shell Peers";
    const NONE: &str = "Healthcheck StopTimeout Health ClusterVolume UsageData";
    const MAPS: &str =
        "AuxiliaryAddresses Status Labels Options Volumes ExposedPorts Sysctls StorageOpt Tmpfs DriverOpts Annotations";
    let is = |list: &str| list.split_whitespace().any(|own| own == name);
    match value {
        Value::Null if is(LISTS) => "[]".into(),
        Value::Null if is(MAPS) => "map[]".into(),
        Value::List(items) => {
            format!("[{}]", items.iter().map(|item| typed_text(item, "")).collect::<Vec<_>>().join(" "))
        }
        Value::Map(map) => match wire::type_of(value) {
            Some(fields) => {
                let text = |field: &&str| match (*field, value.has(field)) {
                    (field, true) => typed_text(&value[field], field),
                    // What the answer leaves out the type has none the less.
                    ("ArgsEscaped" | "NetworkDisabled", false) => "false".into(),
                    (field, false) => {
                        let known =
                            [LISTS, MAPS, NONE].iter().any(|list| list.split_whitespace().any(|own| own == field));
                        if known { typed_text(&Value::Null, field) } else { String::new() }
                    }
                };
                let texts: Vec<String> = fields.iter().map(text).collect();
                format!("{{{}}}", texts.join(" "))
            }
            None => {
                let set = matches!(name, "ExposedPorts" | "Volumes");
                // What is bound to a port is a list, if of nothing.
                let inner = if matches!(name, "Ports" | "PortBindings") { "Config" } else { "" };
                let text = |item: &Value| if set { "{}".into() } else { typed_text(item, inner) };
                let texts: Vec<String> = map.iter().map(|(key, item)| format!("{key}:{}", text(item))).collect();
                format!("map[{}]", texts.join(" "))
            }
        },
        value => crate::base::goquote::plain(value),
    }
}

/// docker's functions besides Go's own.
pub static DOCKER: Dialect = Dialect {
    name: "",
    functions: &[
        ("json", 1, 1),
        ("join", 2, 2),
        ("lower", 1, 1),
        ("upper", 1, 1),
        ("title", 1, 1),
        ("split", 2, 2),
        ("pad", 3, 3),
        ("truncate", 2, 2),
    ],
    call,
    shown: |value, name| matches!(value, Value::Null | Value::List(_) | Value::Map(_)).then(|| typed_text(value, name)),
    method: |object, name, arguments| {
        let labels = object.get(LABELS);
        let key = arguments.first()?.str();
        match (name, labels) {
            ("Label", Value::Null) => None,
            // The header of a label is the label's name.
            ("Label", Value::Bool(_)) => Some(key.into()),
            ("Label", labels) => Some(labels[key].str().into()),
            _ => None,
        }
    },
};

/// As `DOCKER`, for the line of headers: what would change a value leaves them alone.
static HEADERS: Dialect = Dialect {
    call: |name, arguments| match name {
        "json" | "lower" | "upper" | "title" | "truncate" | "pad" => Ok(arguments.first().cloned().unwrap_or_default()),
        _ => call(name, arguments),
    },
    ..DOCKER
};

/// JSON without the escapes that keep it from being taken for HTML.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let plain =
            [("\\u003c", '<'), ("\\u003e", '>'), ("\\u0026", '&')].into_iter().find(|(own, _)| escape.starts_with(own));
        let taken = match plain {
            Some((own, c)) => {
                out.push(c);
                own.len()
            }
            None => {
                let end = escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end);
                out.push_str(escape.get(..end).unwrap_or_default());
                end
            }
        };
        rest = escape.get(taken..).unwrap_or_default();
    }
    out + rest
}

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let first = arguments.first().cloned().unwrap_or_default();
    let second = arguments.get(1).cloned().unwrap_or_default();
    let text = first.str();
    Ok(match name {
        "json" => {
            let mut value = if first.has(RAW) { first[RAW].clone() } else { first.clone() };
            if value.has(LABELS) {
                value.remove(&[LABELS]);
            }
            // A row of a list is written for web pages, what is in it is not.
            let row = first.has(LABELS) || first.has(RAW) || first.entries().len() > 4;
            let text = wire::json(&value, None);
            if row { text.into() } else { unescaped(&text).into() }
        }
        "join" => first.items().iter().map(crate::base::goquote::plain).collect::<Vec<_>>().join(second.str()).into(),
        "lower" => text.to_lowercase().into(),
        "upper" => text.to_uppercase().into(),
        "title" => {
            let mut start = true;
            text.chars()
                .map(|c| {
                    let shown = if start { c.to_uppercase().next().unwrap_or(c) } else { c };
                    start = !c.is_alphanumeric();
                    shown
                })
                .collect::<String>()
                .into()
        }
        "split" if second.str().is_empty() => Value::list(text.chars().map(|c| c.to_string().into()).collect()),
        "split" => Value::list(text.split(second.str()).map(Value::from).collect()),
        "pad" => {
            let blanks = |value: Option<&Value>| {
                " ".repeat(value.map_or(0, Value::int).clamp(0, 10_000).try_into().unwrap_or(0))
            };
            if text.is_empty() {
                Value::from("")
            } else {
                format!("{}{text}{}", blanks(arguments.get(1)), blanks(arguments.get(2))).into()
            }
        }
        _ => {
            let most = usize::try_from(second.int()).unwrap_or(0);
            text.chars().take(most).collect::<String>().into()
        }
    })
}

/// A list to print: the type Go's errors name, columns as `Field=HEADER`, what is shown when nobody says how.
pub struct List<'a> {
    pub kind: &'a str,
    pub headers: &'a [(&'a str, &'a str)],
    pub default: &'a str,
    pub quiet: &'a str,
    /// What `--format raw` stands for.
    pub raw: &'a str,
}

impl List<'_> {
    /// The template in force for a `--format`.
    pub fn template<'t>(&'t self, format: &'t str, quiet: bool) -> &'t str {
        match format {
            "" | "table" if quiet => self.quiet,
            "" | "table" => self.default,
            "raw" if !self.raw.is_empty() => self.raw,
            format => format,
        }
    }

    /// Prints rows: maps with a text for every field.
    pub fn print(&self, io: &mut Io<'_, '_>, format: &str, quiet: bool, rows: &[Value]) -> Outcome {
        let text = self.template(format, quiet);
        let (table, template) = match text.strip_prefix("table") {
            Some(rest) => (true, rest.trim_matches(' ')),
            None if text == "json" => (false, "{{json .}}"),
            None => (false, text),
        };
        let tried = if self.kind == CONTAINERS { GoTemplate::parse(text, &DOCKER).ok() } else { None };
        if let Some(tried) = tried {
            // ps looks at its template before it asks, as it stands.
            let mut row = map! { LABELS => Value::empty_map() };
            for (field, _) in self.headers {
                row.set(&[field], "");
            }
            self.one(&tried, &row)?;
        }
        let template = template.replace("\\t", "\t").replace("\\n", "\n");
        let parsed = match GoTemplate::parse(&template, &DOCKER) {
            Ok(parsed) => parsed,
            Err(error) if self.kind == CONTAINERS => return exit_with(1, format!("failed to parse template: {error}")),
            Err(error) => return exit_with(1, format!("template parsing error: {error}")),
        };
        let mut out = String::new();
        if table {
            let mut header = map! { LABELS => true };
            for (field, title) in self.headers {
                header.set(&[field], *title);
            }
            let titles = GoTemplate::parse(&template, &HEADERS).unwrap_or_else(|_| parsed.clone());
            out.push_str(&self.one(&titles, &header)?);
        }
        for row in rows {
            out.push_str(&self.one(&parsed, row)?);
        }
        if table {
            out = align(&out, TABLE);
        }
        io.out(out);
        Ok(())
    }

    fn one(&self, template: &GoTemplate, row: &Value) -> Outcome<String> {
        match template.print(row, false) {
            Ok(text) => Ok(text + "\n"),
            Err((_, error)) => {
                let start =
                    if self.kind == CONTAINERS { "failed to execute template" } else { "template parsing error" };
                exit_with(1, format!("{start}: {}", typed(&error, self.kind)))
            }
        }
    }
}

/// The rows of `ps`, whose template is tried before.
pub const CONTAINERS: &str = "*formatter.ContainerContext";

/// A missing key is a missing field of a Go type.
pub fn typed(error: &str, kind: &str) -> String {
    match error.split_once(": map has no entry for key \"") {
        Some((start, "Label\"")) => format!("{start}: wrong number of args for Label: want 1 got 0"),
        Some((start, key)) => format!("{start}: can't evaluate field {} in type {kind}", key.trim_end_matches('"')),
        None => error.replace("in type interface {}", "in type string"),
    }
}

/// The template of a `--format` of one object.
pub fn template(format: &str) -> Result<GoTemplate, String> {
    GoTemplate::parse(if format == "json" { "{{json .}}" } else { format }, &DOCKER)
}

/// Keys of maps a template may name that are not there.
const MOST_MISSING: usize = 20;

/// What a template says of one object, on a line of its own.
pub fn object(template: &GoTemplate, typed: &Value, raw: &Value) -> Result<String, String> {
    // What the answer leaves out is asked of the type that has it.
    let error = match template.print(raw, false) {
        Ok(text) => return Ok(text + "\n"),
        Err((_, error)) => error,
    };
    let mut typed = typed.clone();
    for _ in 0..MOST_MISSING {
        let (_, why) = match template.print(&typed, false) {
            Ok(text) => return Ok(text + "\n"),
            Err(why) => why,
        };
        // Of a map that people fill, what is not in it is no fault.
        let path = why.split_once(" at <.").and_then(|(_, rest)| rest.split_once(">: map has no entry for key"));
        let keys: Vec<&str> = path.map_or_else(Vec::new, |(path, _)| path.split('.').collect());
        let of_people =
            keys.iter().rev().nth(1).is_some_and(|map| matches!(*map, "Labels" | "Networks" | "Ports" | "Attributes"));
        if !of_people {
            break;
        }
        typed.set(&keys, "<no value>");
    }
    Err(error)
}

/// A text between double quotes, as Go quotes.
pub fn quoted(text: &str) -> String {
    crate::base::goquote::quote(text)
}

/// Cut to a number of characters, the last of them an ellipsis.
pub fn ellipsis(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// `--filter` values as the API wants them.
pub fn filters(values: &[String]) -> String {
    let mut out = Value::empty_map();
    for value in values.iter().filter(|value| !value.is_empty()) {
        let (key, wanted) = value.split_once('=').unwrap_or((value, ""));
        out.set(&[&key.trim().to_lowercase(), wanted.trim()], true);
    }
    json::compact(&out)
}
