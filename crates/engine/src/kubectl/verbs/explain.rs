//! `explain`: what a field is, from the schema (or a custom resource's own schema, as the server has it).
//!
//! Stands for the plaintext template over OpenAPI v3. Left out: `--output=plaintext-openapiv2`; the descriptions of
//! built-in types are only there with the engine's feature `texts`.

use crate::api::schema::{self, Field, Ty, Type};
use crate::base::http::Method;
use crate::base::{Value, json};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Io, Outcome, Stop, fail, fail_full};
use crate::kubectl::manifest::gap;
use crate::kubectl::mapper::{Mapper, Mapping};

pub fn explain(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mapper = Mapper::discover(io)?;
    let word = match args.words.as_slice() {
        [] => {
            return fail(
                "You must specify the type of resource to explain. Use \"kubectl api-resources\" for a complete list \
                 of supported resources.",
            );
        }
        [word] => word.trim_end_matches('.'),
        _ => return fail("We accept only this format: explain RESOURCE"),
    };
    let depth = args.int("max-depth");
    if depth > 0 && !args.is("recursive") {
        return fail("--max-depth requires --recursive");
    }
    if depth < 0 {
        return fail("--max-depth must be non-negative");
    }
    let (mapping, path) = split(word, args.get("api-version").is_empty(), &mapper)?;
    if args.get("output") == "plaintext-openapiv2" {
        return gap("kubectl explain --output=plaintext-openapiv2", "the default format says the same");
    }
    let (mut group, mut version) = (mapping.group.as_str(), mapping.version.as_str());
    if !args.get("api-version").is_empty() {
        (group, version) = schema::group_version(args.get("api-version"));
        if group.contains('/') || version.contains('/') {
            return fail(format!("unexpected GroupVersion string: {}", args.get("api-version")));
        }
    }
    let gvr = format!("{group}/{version}, Resource={}", mapping.resource);
    let served = if group.is_empty() { version.to_string() } else { format!("{group}/{version}") };
    if !mapper.versions.contains(&served) {
        return fail(format!("couldn't find resource for \"{gvr}\""));
    }
    if args.get("output") != "plaintext" {
        return fail(format!("unrecognized format: {}", args.get("output")));
    }
    let Some(found) =
        mapper.all.iter().find(|m| m.group == group && m.version == version && m.resource == mapping.resource)
    else {
        return fail(format!("GVR ({gvr}) not found in OpenAPI schema"));
    };
    let root = root(found, io)?;
    let group = if group.is_empty() { String::new() } else { format!("GROUP:      {group}\n") };
    io.out(format!("{group}KIND:       {}\nVERSION:    {version}\n\n", found.kind));
    let mut node = root;
    for (at, name) in path.iter().enumerate() {
        let Some((_, next)) = node.fields().into_iter().find(|(field, _)| field == name) else {
            return fail(format!("field \"{}\" does not exist", path.last().map_or("", String::as_str)));
        };
        node = next;
        if at + 1 == path.len() {
            let values = node.enumeration();
            let list: String = values.iter().map(|value| format!("\n    {value}")).collect();
            let list = if values.is_empty() { String::new() } else { format!("ENUM:{list}") };
            io.out(format!("FIELD: {name} <{}>\n{list}\n\n", node.type_name()));
        }
    }
    let mut told = true;
    let text = node.texts();
    let text = if !text.is_empty() {
        wrap(&text, 76)
    } else if node.untold() {
        told = false;
        crate::base::gap::line("descriptions in kubectl explain", "")
    } else {
        "<empty>".into()
    };
    io.out(format!("DESCRIPTION:\n{}\n", indent(&text, 4)));
    io.out(external(&node, 0));
    let mut list = String::new();
    field_list(&node, 1, args.is("recursive").then_some(depth), &mut Vec::new(), &mut list);
    if !list.is_empty() {
        io.out("FIELDS:\n");
        io.out(list);
    }
    io.out("\n");
    if told { Ok(()) } else { Err(Stop::Exit(1)) }
}

/// The resource that starts the word, and the fields that follow it.
fn split<'a>(word: &str, whole: bool, mapper: &'a Mapper) -> Outcome<(&'a Mapping, Vec<String>)> {
    let name = word.split(['.', '[']).next().unwrap_or_default();
    let lower = name.to_lowercase();
    let all = mapper.all.iter();
    let mut named: Vec<&Mapping> =
        all.clone().filter(|m| m.resource == lower || m.singular == lower || m.kind.to_lowercase() == lower).collect();
    if named.is_empty() {
        named = all.filter(|m| m.short_names.contains(&lower)).collect();
    }
    let Some(first) = named.first() else {
        return fail_full(format!("the server doesn't have a resource type \"{name}\""));
    };
    let prefixed = named.iter().filter(|_| whole).find_map(|m| Some((*m, word.strip_prefix(&m.qualified())?)));
    let (mapping, rest) = prefixed.unwrap_or((*first, word.get(name.len()..).unwrap_or_default()));
    if rest.contains('[') {
        return fail("invalid jsonpath syntax, all nodes must be field nodes");
    }
    Ok((mapping, rest.split('.').skip(1).map(str::to_string).collect()))
}

/// A place in the schema.
enum Node {
    Built {
        ty: Ty,
        of: Option<(&'static Type, &'static Field)>,
    },
    /// A custom resource's schema; `true` for the whole object.
    Custom(Value, bool),
}

fn root(mapping: &Mapping, io: &mut Io<'_, '_>) -> Outcome<Node> {
    if let Some(kind) = mapping.schema() {
        return Ok(Node::Built { ty: Ty::Struct(kind.ty), of: None });
    }
    let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}", mapping.qualified());
    let request = io.request(Method::Get, path);
    let definition = io.must(request)?;
    let versions = definition.at(&["spec", "versions"]).items();
    let own = versions.iter().find(|version| version["name"].str() == mapping.version);
    let schema = own.map_or(Value::Null, |version| version.at(&["schema", "openAPIV3Schema"]).clone());
    Ok(Node::Custom(schema, true))
}

impl Node {
    fn fields(&self) -> Vec<(String, Node)> {
        match self {
            Node::Built { ty, .. } => ty.inner().map_or(Vec::new(), |ty| {
                let node = |field: &'static Field| Node::Built { ty: field.ty, of: Some((ty, field)) };
                ty.sorted().map(|field| (field.name.to_string(), node(field))).collect()
            }),
            Node::Custom(schema, root) => {
                let inner = inner(schema);
                let mut out: Vec<(String, Node)> = Vec::new();
                for (name, field) in inner["properties"].entries().iter() {
                    out.push((name.to_string(), Node::Custom(field.clone(), false)));
                }
                if *root && let Some(pod) = schema::named("core.v1", "Pod") {
                    out.retain(|(name, _)| !matches!(name.as_str(), "apiVersion" | "kind" | "metadata"));
                    for field in ["apiVersion", "kind", "metadata"].iter().filter_map(|name| pod.field(name)) {
                        out.push((field.name.into(), Node::Built { ty: field.ty, of: Some((pod, field)) }));
                    }
                    out.sort_by(|a, b| a.0.cmp(&b.0));
                }
                out
            }
        }
    }

    fn required(&self, name: &str) -> bool {
        match self {
            Node::Built { ty, .. } => ty.inner().and_then(|ty| ty.field(name)).is_some_and(|field| field.required),
            Node::Custom(schema, _) => inner(schema)["required"].items().iter().any(|item| item.str() == name),
        }
    }

    /// The struct it is or holds, against running in circles.
    fn struct_name(&self) -> Option<String> {
        match self {
            Node::Built { ty, .. } => ty.inner().map(Type::go),
            Node::Custom(..) => None,
        }
    }

    fn type_name(&self) -> String {
        match self {
            Node::Built { ty, .. } => type_name(*ty),
            Node::Custom(schema, _) => custom_type(schema),
        }
    }

    fn enumeration(&self) -> Vec<String> {
        let shown = |text: &str| if text.is_empty() { "\"\"".to_string() } else { text.to_string() };
        match self {
            Node::Built { ty: Ty::Text(_), of: Some((_, field)) } => {
                field.enumeration.iter().map(|value| shown(value)).collect()
            }
            Node::Built { .. } => Vec::new(),
            Node::Custom(schema, _) => schema["enum"]
                .items()
                .iter()
                .map(|value| shown(value.as_str().map_or_else(|| json::compact(value), str::to_string).as_str()))
                .collect(),
        }
    }

    /// Its own description.
    fn text(&self) -> String {
        match self {
            Node::Built { of: Some((ty, field)), .. } => {
                schema::description(&format!("{}.{}", ty.short_package, ty.name), field.name)
            }
            Node::Built { .. } => String::new(),
            Node::Custom(schema, _) => schema["description"].str().to_string(),
        }
    }

    /// Its own description and those of what it is made of, a line end after each.
    fn texts(&self) -> String {
        let mut out = Vec::new();
        match self {
            Node::Built { ty, .. } => {
                let mut ty = *ty;
                while let Some(element) = ty.element() {
                    ty = element;
                }
                let key = match ty {
                    Ty::Struct(id) => format!("{}.{}", id.get().short_package, id.get().name),
                    ty => reference(ty).into(),
                };
                out.extend([self.text(), schema::description(&key, "")]);
            }
            Node::Custom(schema, _) => {
                let mut next = Some(schema.clone());
                while let Some(schema) = next {
                    out.push(schema["description"].str().to_string());
                    next = below(&schema);
                }
            }
        }
        out.iter().filter(|text| !text.is_empty()).map(|text| format!("{text}\n")).collect()
    }

    /// A description is missing here that the real kubectl shows.
    fn untold(&self) -> bool {
        matches!(self, Node::Built { .. }) && !schema::HAS_DESCRIPTIONS
    }
}

/// What the items of a list or the values of a map are.
fn below(schema: &Value) -> Option<Value> {
    [&schema["items"], &schema["additionalProperties"]].into_iter().find(|inner| !inner.entries().is_empty()).cloned()
}

fn inner(schema: &Value) -> Value {
    let mut schema = schema.clone();
    while schema["properties"].is_null()
        && let Some(next) = below(&schema)
    {
        schema = next;
    }
    schema
}

fn custom_type(schema: &Value) -> String {
    match (below(schema), schema["type"].str()) {
        (Some(element), "array") => format!("[]{}", custom_type(&element)),
        (Some(element), _) => format!("map[string]{}", custom_type(&element)),
        (None, "" | "object") => "Object".into(),
        (None, name) => name.into(),
    }
}

/// The name of a type OpenAPI refers to, or nothing.
fn reference(ty: Ty) -> &'static str {
    match ty {
        Ty::Quantity => "Quantity",
        Ty::IntOrString => "IntOrString",
        Ty::Time => "Time",
        Ty::MicroTime => "MicroTime",
        Ty::Any(name) => name,
        _ => "",
    }
}

fn type_name(ty: Ty) -> String {
    match ty {
        Ty::List(element) => format!("[]{}", type_name(*element)),
        Ty::Map(element) => format!("map[string]{}", type_name(*element)),
        Ty::Struct(id) => id.get().name.into(),
        Ty::Bool => "boolean".into(),
        Ty::Int32 | Ty::Int64 => "integer".into(),
        Ty::Double => "number".into(),
        Ty::Text(_) | Ty::Bytes | Ty::Time | Ty::MicroTime => "string".into(),
        ty => reference(ty).into(),
    }
}

/// The fields below a node; `depth` (0: all) when they are listed with the fields of fields.
fn field_list(node: &Node, level: usize, depth: Option<i64>, above: &mut Vec<String>, out: &mut String) {
    let own = node.struct_name();
    if own.as_ref().is_some_and(|own| above.contains(own)) || level > 40 {
        return;
    }
    above.extend(own.clone());
    let pad = "  ".repeat(level);
    for (name, field) in node.fields() {
        let required = if node.required(&name) { " -required-" } else { "" };
        out.push_str(&format!("{pad}{name}\t<{}>{required}", field.type_name()));
        let values = field.enumeration();
        if !values.is_empty() {
            let more = if values.len() > 4 { ", ...." } else { "" };
            let shown: Vec<&str> = values.iter().take(4).map(String::as_str).collect();
            out.push_str(&format!("\n{pad}enum: {}{more}", shown.join(", ")));
        }
        out.push('\n');
        match depth {
            None if field.untold() => {}
            None => {
                let text = field.text();
                let text = if text.is_empty() { "<no description>" } else { &text };
                out.push_str(&indent(&wrap(text, 78 - 2 * level), 2 * level + 2));
                out.push('\n');
                out.push_str(&external(&field, 2 * level + 2));
                out.push('\n');
            }
            Some(depth) if depth == 0 || (level as i64) < depth => {
                field_list(&field, level + 1, Some(depth), above, out)
            }
            Some(_) => {}
        }
    }
    if own.is_some() {
        above.pop();
    }
}

/// The `externalDocs` of a custom resource's field.
fn external(node: &Node, pad: usize) -> String {
    let Node::Custom(schema, _) = node else { return String::new() };
    let docs = &schema["externalDocs"];
    if docs.entries().is_empty() {
        return String::new();
    }
    let mut out = format!("\n{}\n", indent("EXTERNAL DOCS:", pad));
    if !docs["description"].str().is_empty() {
        out.push_str(&format!("{}\n", indent(&wrap(docs["description"].str(), 76), pad + 4)));
    }
    if !docs["url"].str().is_empty() {
        out.push_str(&format!("{}\n", indent(&format!("URL: {}", docs["url"].str()), pad + 4)));
    }
    out
}

fn indent(text: &str, by: usize) -> String {
    let pad = " ".repeat(by);
    format!("{pad}{}", text.replace('\n', &format!("\n{pad}")))
}

/// Breaks lines at blanks so that none is longer than `limit`, where words allow it.
fn wrap(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let (mut width, mut blanks, mut word) = (0, String::new(), String::new());
    let mut word_width = 0;
    for c in text.chars() {
        let blank = c.is_whitespace() && c != '\u{a0}';
        if c == '\n' || (blank && (blanks.is_empty() || !word.is_empty())) {
            width += blanks.chars().count() + word_width;
            // Blanks at the end of a full line are dropped.
            if !word.is_empty() || c != '\n' || width <= limit {
                out.push_str(&blanks);
            }
            out.push_str(&word);
            blanks.clear();
            word.clear();
            word_width = 0;
        }
        if c == '\n' {
            out.push(c);
            width = 0;
        } else if blank {
            blanks.push(c);
        } else {
            word.push(c);
            word_width += 1;
            if width + word_width + blanks.chars().count() > limit && word_width < limit {
                out.push('\n');
                width = 0;
                blanks.clear();
            }
        }
    }
    if !word.is_empty() || width + blanks.chars().count() <= limit {
        out.push_str(&blanks);
    }
    out.push_str(&word);
    out
}
