//! `cargo xtask schema`: writes the table of Kubernetes types that the engine carries
//! (`crates/engine/src/api/schema/table.txt`; its form is described in `engine::api::schema::parse`).
//!
//! Sources, all in `crates/xtask/data`: the recorded OpenAPI facts (`schema.json`), recorded discovery
//! (`resources.tsv`), the Go structs of pod templates (`go-structs.txt`) and what is left to say about the
//! other Go fields (`go-fields.txt`, and their order in `go-order.txt`). The table is committed; a test tells when it is stale.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

type Result<T> = std::result::Result<T, String>;

/// Writes the table.
pub fn run() -> Result<()> {
    let path = table_path();
    let table = build()?;
    std::fs::write(&path, &table).map_err(|error| format!("{}: {error}", path.display()))
}

fn table_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/api/schema/table.txt")
}

fn data(name: &str) -> Result<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A field of a Go struct, as far as OpenAPI does not tell.
#[derive(Clone, Debug, Default)]
struct GoField {
    name: String,
    /// Without pointer; empty when only marks are known.
    ty: String,
    /// `*`, `!`, `?`.
    marks: String,
    embedded: String,
}

struct Sources {
    types: Map<String, Value>,
    structs: BTreeMap<String, Vec<GoField>>,
    fields: BTreeMap<String, BTreeMap<String, GoField>>,
    order: BTreeMap<String, Vec<String>>,
}

fn build() -> Result<String> {
    let types = match serde_json::from_str(&data("schema.json")?) {
        Ok(Value::Object(types)) => types,
        other => return Err(format!("schema.json is not an object: {other:?}")),
    };
    let sources = Sources {
        types,
        structs: read_structs(&data("go-structs.txt")?),
        fields: read_fields(&data("go-fields.txt")?),
        order: read_order(&data("go-order.txt")?),
    };
    sources.check()?;
    let mut out = String::new();
    let mut package = "";
    for (name, ty) in &sources.types {
        let (of, short) = split(name);
        if ty.get("fields").is_none() && any_name(name, ty).is_some() {
            continue;
        }
        if of != package {
            package = of;
            let group = sources.group(of);
            let _ = writeln!(out, "@{} {of} {group}", package_name(of));
        }
        sources.write_type(&mut out, name, short, ty);
    }
    write_resources(&mut out, &data("resources.tsv")?);
    Ok(out)
}

/// `io.k8s.api.core.v1.Pod` → (`io.k8s.api.core.v1`, `Pod`).
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

/// The last two parts: `core.v1`, `meta.v1`.
fn package_name(package: &str) -> &str {
    let mut dots = package.rmatch_indices('.');
    match (dots.next(), dots.next()) {
        (Some(_), Some((at, _))) => &package[at + 1..],
        _ => package,
    }
}

/// The letter of a type that is a value of its own kind.
fn any_name(name: &str, ty: &Value) -> Option<String> {
    let (_, short) = split(name);
    let letter = match short {
        "Quantity" => "q",
        "IntOrString" => "x",
        "Time" => "t",
        "MicroTime" => "u",
        "JSON" | "JSONSchemaPropsOrArray" | "JSONSchemaPropsOrBool" | "JSONSchemaPropsOrStringArray" => "j",
        "FieldsV1" | "RawExtension" | "Patch" => "j",
        _ => return None,
    };
    let _ = ty;
    Some(if letter == "j" { format!("j:{short}") } else { letter.into() })
}

fn read_order(text: &str) -> BTreeMap<String, Vec<String>> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "));
    lines.map(|(name, fields)| (name.to_owned(), fields.split(' ').map(str::to_owned).collect())).collect()
}

fn read_structs(text: &str) -> BTreeMap<String, Vec<GoField>> {
    let mut raw = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, fields)) = line.split_once(": ") else {
            continue;
        };
        let fields: Vec<GoField> = fields
            .split(", ")
            .map(|field| {
                let mut words = field.split(' ');
                let name = words.next().unwrap_or_default().to_owned();
                let ty = words.next().unwrap_or_default();
                let embedded = if words.next().is_some() { name.clone() } else { String::new() };
                let marks = if ty.starts_with('*') { "*" } else { "" };
                GoField { name, ty: ty.trim_start_matches('*').to_owned(), marks: marks.into(), embedded }
            })
            .collect();
        raw.insert(name.to_owned(), fields);
    }
    let flat = |fields: &Vec<GoField>| -> Vec<GoField> {
        fields
            .iter()
            .flat_map(|field| match raw.get(&field.embedded) {
                Some(inner) => {
                    let embedded = field.embedded.clone();
                    inner.iter().map(|f| GoField { embedded: embedded.clone(), ..f.clone() }).collect()
                }
                None => vec![field.clone()],
            })
            .collect()
    };
    raw.iter().map(|(name, fields)| (name.clone(), flat(fields))).collect()
}

fn read_fields(text: &str) -> BTreeMap<String, BTreeMap<String, GoField>> {
    let mut out: BTreeMap<String, BTreeMap<String, GoField>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, fields)) = line.split_once(": ") else {
            continue;
        };
        for field in fields.split(' ') {
            let (field, embedded) = field.split_once('(').unwrap_or((field, ""));
            let (field, ty) = field.split_once('=').unwrap_or((field, ""));
            let json = field.trim_end_matches(['*', '!', '?']);
            let go = GoField {
                name: String::new(),
                ty: ty.to_owned(),
                marks: field[json.len()..].to_owned(),
                embedded: embedded.trim_end_matches(')').to_owned(),
            };
            out.entry(name.to_owned()).or_default().insert(json.to_owned(), go);
        }
    }
    out
}

/// JSON names that are not the Go name without regard to case.
const RENAMED: &[(&str, &str)] = &[
    ("ObjectMeta", "metadata"),
    ("DeprecatedServiceAccount", "serviceAccount"),
    ("CephMonitors", "monitors"),
    ("RBDImage", "image"),
    ("RBDPool", "pool"),
    ("RadosUser", "user"),
    ("DiscoveryCHAPAuth", "chapAuthDiscovery"),
    ("SessionCHAPAuth", "chapAuthSession"),
    ("DataDiskURI", "diskURI"),
    ("EndpointsName", "endpoints"),
];

fn is_named(go: &str, json: &str) -> bool {
    go.eq_ignore_ascii_case(json) || RENAMED.contains(&(go, json))
}

impl Sources {
    /// Every Go fact must meet its OpenAPI field.
    fn check(&self) -> Result<()> {
        for (name, fields) in &self.fields {
            let ty = self
                .types
                .iter()
                .find(|(full, _)| {
                    let (package, short) = split(full);
                    format!("{}.{short}", package_name(package)) == *name
                })
                .ok_or_else(|| format!("go-fields.txt: no type {name}"))?;
            for field in fields.keys() {
                if ty.1["fields"].get(field).is_none() {
                    return Err(format!("go-fields.txt: no field {name}.{field}"));
                }
            }
        }
        for (name, fields) in &self.structs {
            let full = ["io.k8s.api.core.v1", "io.k8s.apimachinery.pkg.apis.meta.v1"].map(|p| format!("{p}.{name}"));
            let Some(ty) = full.iter().find_map(|full| self.types.get(full)) else {
                continue;
            };
            let known: Vec<&String> = ty["fields"].as_object().map(|m| m.keys().collect()).unwrap_or_default();
            for json in &known {
                if !fields.iter().any(|go| is_named(&go.name, json)) {
                    return Err(format!("go-structs.txt: {name} has no {json}"));
                }
            }
            if known.len() != fields.len() {
                return Err(format!("go-structs.txt: {name} has {} fields, OpenAPI {}", fields.len(), known.len()));
            }
        }
        Ok(())
    }

    /// The API group/version whose kinds live in a package, `-` when it has none.
    fn group(&self, package: &str) -> String {
        self.types
            .iter()
            .filter(|(name, _)| split(name).0 == package)
            .find_map(|(_, ty)| match ty["kinds"].as_array()?.as_slice() {
                [one] => Some(one.as_str()?.rsplit_once('/')?.0.to_owned()),
                _ => None,
            })
            .unwrap_or_else(|| "-".into())
    }

    fn write_type(&self, out: &mut String, name: &str, short: &str, ty: &Value) {
        out.push_str(short);
        match ty["kinds"].as_array().map_or(0, Vec::len) {
            0 => {}
            1 => out.push_str(" +"),
            _ => out.push_str(" *"),
        }
        if ty["mapType"] == "atomic" {
            out.push_str(" a");
        }
        out.push('\n');
        let empty = Map::new();
        let fields = ty["fields"].as_object().unwrap_or(&empty);
        let (package, _) = split(name);
        let templates = matches!(package_name(package), "core.v1" | "meta.v1");
        let declared = self.structs.get(short).filter(|_| templates);
        let mut names: Vec<&String> = fields.keys().collect();
        if let Some(order) = self.order.get(name) {
            names.sort_by_key(|json| order.iter().position(|one| one == *json));
        }
        if let Some(declared) = declared {
            names.sort_by_key(|json| declared.iter().position(|go| is_named(&go.name, json)));
        }
        let marked = self.fields.get(&format!("{}.{short}", package_name(package)));
        for json in names {
            let mut go =
                declared.and_then(|all| all.iter().find(|go| is_named(&go.name, json)).cloned()).unwrap_or_default();
            if let Some(mark) = marked.and_then(|fields| fields.get(json)) {
                go.marks.push_str(&mark.marks);
                if !mark.ty.is_empty() {
                    go.ty = mark.ty.clone();
                }
                if !mark.embedded.is_empty() {
                    go.embedded = mark.embedded.clone();
                }
            }
            let required = ty["required"].as_array().is_some_and(|all| all.iter().any(|r| r == json));
            self.write_field(out, package, json, &fields[json], &go, required);
        }
    }

    fn write_field(&self, out: &mut String, package: &str, json: &str, field: &Value, go: &GoField, required: bool) {
        let element = go.ty.trim_start_matches("[]").trim_start_matches("map[string]");
        let ty = self.type_text(package, field, element);
        let _ = write!(out, " {json} {ty}");
        let mark = mark(field, go, required, &ty);
        if !mark.is_empty() {
            let _ = write!(out, " {mark}");
        }
        if required {
            out.push_str(" r");
        }
        let words = |value: &Value| -> String {
            let all = value.as_array().map(|all| all.iter().filter_map(Value::as_str).collect::<Vec<_>>());
            all.unwrap_or_default().join(",")
        };
        match field["listType"].as_str() {
            Some("map") => {
                let _ = write!(out, " m={}", words(&field["listKeys"]));
            }
            Some("set") => out.push_str(" s"),
            _ => {}
        }
        if field["mapType"] == "atomic" {
            out.push_str(" a");
        }
        if let Some(strategy) = field.get("patchStrategy") {
            let _ = write!(out, " p={}", words(strategy));
        }
        if let Some(key) = field["mergeKey"].as_str() {
            let _ = write!(out, " k={key}");
        }
        if !go.embedded.is_empty() {
            let _ = write!(out, " e={}", go.embedded);
        }
        if !go.name.is_empty() && go.name != capital(json) {
            let _ = write!(out, " g={}", go.name);
        }
        match &field["default"] {
            Value::String(text) if !text.is_empty() => {
                let _ = write!(out, " v={text}");
            }
            Value::Number(n) if n.as_i64() != Some(0) => {
                let _ = write!(out, " v={n}");
            }
            _ => {}
        }
        let enumeration = [field, &field["items"], &field["values"]].into_iter().find_map(|at| at.get("enum"));
        if let Some(values) = enumeration {
            // Last on the line: the values may hold blanks.
            let _ = write!(out, " E={}", words(values));
        }
        out.push('\n');
    }

    fn type_text(&self, package: &str, field: &Value, go: &str) -> String {
        if let Some(items) = field.get("items") {
            return format!("[]{}", self.type_text(package, items, go));
        }
        if let Some(values) = field.get("values") {
            return format!("{{}}{}", self.type_text(package, values, go));
        }
        if let Some(full) = field["ref"].as_str() {
            if let Some(name) = self.types.get(full).and_then(|ty| any_name(full, ty)) {
                return name;
            }
            let (of, short) = split(full);
            return if of == package { format!(".{short}") } else { format!(".{}.{short}", package_name(of)) };
        }
        match (field["type"].as_str(), field["format"].as_str()) {
            (Some("string"), Some("byte")) => "y".into(),
            (Some("string"), _) if go.is_empty() || go == "string" => "s".into(),
            (Some("string"), _) => format!("s:{go}"),
            (Some("boolean"), _) => "b".into(),
            (Some("integer"), Some("int32")) => "i".into(),
            (Some("integer"), _) => "l".into(),
            (Some("number"), _) => "d".into(),
            (Some("object"), _) => "j:object".into(),
            _ => "j:JSON".into(),
        }
    }
}

/// What happens to an empty value: `*` kept unless null, `!` written even when absent, nothing: left out.
fn mark(field: &Value, go: &GoField, required: bool, ty: &str) -> &'static str {
    let zero = match &field["default"] {
        Value::String(text) => text.is_empty(),
        Value::Number(n) => n.as_i64() == Some(0),
        Value::Bool(b) => !b,
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    let container = ty.starts_with("[]") || ty.starts_with("{}");
    match ty {
        _ if go.marks.contains('?') => "",
        _ if go.marks.contains('!') => "!",
        _ if go.marks.contains('*') => "*",
        _ if zero => "!",
        _ if container && required => "!",
        "t" | "u" => "!",
        // Quantities and IntOrStrings are structs: written when no pointer; a declared struct tells, else `required`.
        "q" | "x" => {
            if required || !go.ty.is_empty() {
                "!"
            } else {
                "*"
            }
        }
        _ if ty.starts_with('.') || ty.starts_with('j') => "*",
        _ => "",
    }
}

fn capital(json: &str) -> String {
    let mut chars = json.chars();
    chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

/// Discovery: `%group/version`, then a line for each resource, a blank before its subresources.
fn write_resources(out: &mut String, tsv: &str) {
    let mut group = String::new();
    for line in tsv.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [group_name, version, resource, singular, kind, scope, shorts, categories, verbs] = cells[..] else {
            continue;
        };
        let gv = if group_name.is_empty() { version.to_owned() } else { format!("{group_name}/{version}") };
        if gv != group {
            let _ = writeln!(out, "%{gv}");
            group = gv;
        }
        let verbs: String = verbs.split(',').map(verb_letter).collect();
        match resource.split_once('/') {
            Some((_, sub)) => {
                let _ = writeln!(out, " {sub} {kind} {verbs}");
            }
            None => {
                let scope = if scope == "Namespaced" { "n" } else { "c" };
                let or = |text: &str| {
                    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
                };
                let _ = writeln!(out, "{resource} {singular} {kind} {scope} {verbs} {} {}", or(shorts), or(categories));
            }
        }
    }
}

fn verb_letter(verb: &str) -> char {
    match verb {
        "create" => 'c',
        "delete" => 'd',
        "deletecollection" => 'D',
        "get" => 'g',
        "list" => 'l',
        "patch" => 'p',
        "update" => 'u',
        "watch" => 'w',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_fresh() {
        let committed = std::fs::read_to_string(table_path()).unwrap();
        assert!(build().unwrap() == committed, "stale: run `cargo xtask schema` and commit");
    }
}
