//! The state: what Terraform knows of the objects it made (upstream: terraform's states and statefile, version 4).

mod check;

use crate::base::BTreeMap;

use crate::base::SmolStr;
use crate::terraform::address::{InstanceAddress, Key, Mode, ModulePath, ModuleStep, ResourceAddress};
use crate::terraform::hcl::Diagnostic;
use crate::terraform::json::Json;
use crate::terraform::value::{self, Marks, Path, PathStep, Type, Value};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    pub lineage: String,
    pub serial: u64,
    pub outputs: BTreeMap<SmolStr, OutputValue>,
    pub resources: BTreeMap<ResourceAddress, ResourceState>,
    /// As JSON text; `null` without checks.
    pub checks: Option<String>,
    /// An attribute that no schema has.
    pub unknown: Option<SmolStr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OutputValue {
    pub value: Value,
    pub sensitive: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceState {
    /// `registry.terraform.io/kreuzwerker/docker`
    pub provider: SmolStr,
    pub alias: Option<SmolStr>,
    pub each: Each,
    pub instances: BTreeMap<Option<Key>, InstanceState>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Each {
    #[default]
    None,
    List,
    Map,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceState {
    pub current: Option<Object>,
    /// Left over from replacements, by eight hex digits.
    pub deposed: BTreeMap<SmolStr, Object>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Sensitive parts are marked.
    pub value: Value,
    pub schema_version: u64,
    pub tainted: bool,
    /// What the provider keeps for itself, in base64.
    pub private: Option<String>,
    /// Resources this object was made from, sorted.
    pub dependencies: Vec<String>,
    pub create_before_destroy: bool,
}

/// The type of a resource's object, by mode and type name: what reads attributes.
pub type TypeOf<'a> = &'a dyn Fn(Mode, &str) -> Option<Type>;

impl State {
    pub fn get(&self, address: &InstanceAddress) -> Option<&Object> {
        self.resources.get(&address.resource)?.instances.get(&address.key)?.current.as_ref()
    }

    /// All current and deposed objects in order.
    pub fn objects(&self) -> Vec<(InstanceAddress, Option<SmolStr>, &Object)> {
        let mut found = Vec::new();
        for (resource, state) in &self.resources {
            for (key, instance) in &state.instances {
                let address = resource.instance(key.clone());
                found.extend(instance.current.as_ref().map(|object| (address.clone(), None, object)));
                found.extend(instance.deposed.iter().map(|(id, object)| (address.clone(), Some(id.clone()), object)));
            }
        }
        found
    }

    /// Puts an object in place, or takes it away; empty resources go.
    pub fn set(
        &mut self,
        address: &InstanceAddress,
        deposed: Option<&SmolStr>,
        object: Option<Object>,
        of: &ResourceState,
    ) {
        let resource = self
            .resources
            .entry(address.resource.clone())
            .or_insert_with(|| ResourceState { instances: BTreeMap::new(), ..of.clone() });
        resource.provider = of.provider.clone();
        resource.alias = of.alias.clone();
        if object.is_some() && deposed.is_none() {
            resource.each = match &address.key {
                None => Each::None,
                Some(Key::Int(_)) => Each::List,
                Some(Key::Text(_)) => Each::Map,
            };
        }
        let instance = resource.instances.entry(address.key.clone()).or_default();
        match (deposed, object) {
            (None, object) => instance.current = object,
            (Some(id), Some(object)) => {
                instance.deposed.insert(id.clone(), object);
            }
            (Some(id), None) => {
                instance.deposed.remove(id);
            }
        }
        if instance.current.is_none() && instance.deposed.is_empty() {
            resource.instances.remove(&address.key);
        }
        if resource.instances.is_empty() {
            self.resources.remove(&address.resource);
        }
    }

    /// Whether another state says the same, the serial aside.
    pub fn same(&self, other: &State) -> bool {
        self.outputs == other.outputs && self.resources == other.resources && self.checks == other.checks
    }

    pub fn to_json(&self, version: &str, type_of: TypeOf<'_>) -> String {
        let outputs = self.outputs.iter().map(|(name, output)| {
            let plain = output.value.clone().unmark_deep().0;
            let mut fields = vec![
                ("value".to_string(), Json::Value(plain.clone())),
                ("type".to_string(), Json::Value(value::type_json(&plain.ty()))),
            ];
            if output.sensitive {
                fields.push(("sensitive".into(), Json::Raw("true".into())));
            }
            (name.to_string(), Json::Object(fields))
        });
        let outputs = Json::Object(outputs.collect());
        let mut all: Vec<(&ResourceAddress, &ResourceState)> = self.resources.iter().collect();
        // The file has modules in the order of their texts.
        all.sort_by_key(|(address, _)| (address.module.to_string(), address.mode != Mode::Managed));
        let resources = Json::Array(all.into_iter().map(|(a, r)| resource_json(a, r, type_of)).collect());
        let all = Json::Object(vec![
            ("version".into(), Json::Raw("4".into())),
            ("terraform_version".into(), Json::text(version)),
            ("serial".into(), Json::Raw(self.serial.to_string())),
            ("lineage".into(), Json::text(&self.lineage)),
            ("outputs".into(), outputs),
            ("resources".into(), resources),
            (
                "check_results".into(),
                Json::Raw(self.checks.as_ref().map_or_else(|| "null".into(), |text| text.replace('\n', "\n  "))),
            ),
        ]);
        all.pretty() + "\n"
    }

    /// Reads a state file; or all that is wrong with it.
    pub fn from_json(text: &str, type_of: TypeOf<'_>) -> Result<State, Vec<Diagnostic>> {
        let json = check::sound(text)?;
        let number = |name: &str| json.get(name).and_then(Value::as_int);
        let text = |name: &str| json.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
        let mut state = State {
            lineage: text("lineage"),
            serial: number("serial").unwrap_or_default().max(0) as u64,
            ..State::default()
        };
        state.checks = json.get("check_results").filter(|checks| !checks.is_null()).map(value::encode_pretty);
        for (name, output) in json.get("outputs").and_then(Value::entries).into_iter().flatten() {
            let ty = output.get("type").and_then(value::type_from_json).unwrap_or_default();
            let inner = output.get("value").cloned().unwrap_or_else(Value::dynamic);
            let value = value::convert(&inner, &ty).unwrap_or(inner);
            let sensitive = output.get("sensitive").and_then(Value::as_bool).unwrap_or(false);
            state.outputs.insert(name.clone(), OutputValue { value, sensitive });
        }
        for resource in json.get("resources").and_then(Value::items).into_iter().flatten() {
            read_resource(resource, &mut state, type_of);
        }
        Ok(state)
    }
}

fn read_resource(json: &Value, state: &mut State, type_of: TypeOf<'_>) {
    let text = |name: &str| json.get(name).and_then(Value::as_str).unwrap_or_default();
    let mode = if text("mode") == "data" { Mode::Data } else { Mode::Managed };
    let address = ResourceAddress {
        module: parse_module(text("module")).unwrap_or_default(),
        mode,
        kind: text("type").into(),
        name: text("name").into(),
    };
    let (provider, alias) = parse_provider(text("provider"));
    let mut resource = ResourceState { provider, alias, ..ResourceState::default() };
    resource.each = match text("each") {
        "list" => Each::List,
        "map" => Each::Map,
        _ => Each::None,
    };
    let ty = type_of(mode, &address.kind).unwrap_or_default();
    for instance in json.get("instances").and_then(Value::items).into_iter().flatten() {
        let key = match instance.get("index_key") {
            Some(key) => key.as_int().map(Key::Int).or_else(|| key.as_str().map(|text| Key::Text(text.into()))),
            None => None,
        };
        let given = instance.get("attributes").cloned().unwrap_or_else(|| Value::null(Type::Dynamic));
        if let Type::Object(object) = &ty {
            let mut names = given.entries().into_iter().flatten().map(|(name, _)| name);
            let unknown = names.find(|name| !object.attributes.contains_key(*name) && *name != "store");
            state.unknown = state.unknown.take().or(unknown.cloned());
        }
        let mut value = read_value(&given, &ty);
        for path in instance.get("sensitive_attributes").and_then(Value::items).into_iter().flatten() {
            value = mark(value, &read_path(path));
        }
        let strings = |name: &str| {
            let items = instance.get(name).and_then(Value::items).unwrap_or_default();
            items.iter().filter_map(Value::as_str).map(str::to_string).collect::<Vec<_>>()
        };
        let object = Object {
            value,
            schema_version: instance.get("schema_version").and_then(Value::as_int).unwrap_or_default().max(0) as u64,
            tainted: instance.get("status").and_then(Value::as_str) == Some("tainted"),
            private: instance.get("private").and_then(Value::as_str).map(str::to_string),
            dependencies: strings("dependencies"),
            create_before_destroy: instance.get("create_before_destroy").and_then(Value::as_bool).unwrap_or(false),
        };
        let entry = resource.instances.entry(key).or_default();
        match instance.get("deposed").and_then(Value::as_str) {
            Some(id) => {
                entry.deposed.insert(id.into(), object);
            }
            None => entry.current = Some(object),
        }
    }
    state.resources.insert(address, resource);
}

/// A value as a schema's type has it; what is of any type stands as `{"value": …, "type": …}`.
fn read_value(json: &Value, ty: &Type) -> Value {
    match ty {
        Type::Dynamic => match (json.get("value"), json.get("type").and_then(value::type_from_json)) {
            (Some(inner), Some(ty)) => value::convert(inner, &ty).unwrap_or_else(|_| inner.clone()),
            _ => json.clone(),
        },
        Type::Object(object) if json.entries().is_some() => {
            let read = |(name, ty): (&SmolStr, &Type)| {
                let inner = json.get(name).map(|inner| read_value(inner, ty));
                (name.clone(), inner.unwrap_or_else(|| Value::null(ty.clone())))
            };
            Value::object(object.attributes.iter().map(read).collect())
        }
        ty => value::convert(json, ty).unwrap_or_else(|_| Value::null(ty.clone())),
    }
}

fn resource_json(address: &ResourceAddress, resource: &ResourceState, type_of: TypeOf<'_>) -> Json {
    let mut fields = Vec::new();
    let mut add = |name: &str, value: Json| fields.push((name.to_string(), value));
    if !address.module.is_root() {
        add("module", Json::text(&address.module.to_string()));
    }
    add("mode", Json::text(if address.mode == Mode::Data { "data" } else { "managed" }));
    add("type", Json::text(&address.kind));
    add("name", Json::text(&address.name));
    add("provider", Json::text(&provider_text(&resource.provider, resource.alias.as_deref())));
    let ty = type_of(address.mode, &address.kind).unwrap_or_default();
    let mut instances = Vec::new();
    for (key, instance) in &resource.instances {
        let deposed = instance.deposed.iter().map(|(id, object)| (Some(id), object));
        for (id, object) in instance.current.iter().map(|object| (None, object)).chain(deposed) {
            instances.push(object_json(key.as_ref(), id, object, &ty));
        }
    }
    add("instances", Json::Array(instances));
    Json::Object(fields)
}

fn object_json(key: Option<&Key>, deposed: Option<&SmolStr>, object: &Object, ty: &Type) -> Json {
    let mut fields = Vec::new();
    let mut add = |name: &str, value: Json| fields.push((name.to_string(), value));
    match key {
        Some(Key::Int(index)) => add("index_key", Json::Raw(index.to_string())),
        Some(Key::Text(text)) => add("index_key", Json::text(text)),
        None => {}
    }
    if object.tainted {
        add("status", Json::text("tainted"));
    }
    if let Some(id) = deposed {
        add("deposed", Json::text(id));
    }
    add("schema_version", Json::Raw(object.schema_version.to_string()));
    add("attributes", attributes_json(&object.value, ty));
    let marked = object.value.marked_paths();
    let paths = marked.iter().filter(|(_, marks)| marks.has(Marks::SENSITIVE)).map(|(path, _)| path_json(path));
    add("sensitive_attributes", Json::Array(paths.collect()));
    if let Some(private) = &object.private {
        add("private", Json::text(private));
    }
    if !object.dependencies.is_empty() {
        add("dependencies", Json::Array(object.dependencies.iter().map(|text| Json::text(text)).collect()));
    }
    if object.create_before_destroy {
        add("create_before_destroy", Json::Raw("true".into()));
    }
    Json::Object(fields)
}

/// An object's attributes: with its type each value whose type the schema leaves open.
fn attributes_json(value: &Value, ty: &Type) -> Json {
    let raw = |value: &Value| Json::Value(value.clone());
    let (Some(entries), Type::Object(object)) = (value.entries(), ty) else { return raw(value) };
    let fields = entries.iter().map(|(name, inner)| {
        let json = match object.attributes.get(name) {
            Some(Type::Dynamic) if !inner.is_null() => {
                let plain = inner.clone().unmark_deep().0;
                let ty = value::type_json(&plain.ty());
                Json::Object(vec![("value".into(), raw(&plain)), ("type".into(), raw(&ty))])
            }
            _ => raw(inner),
        };
        (name.to_string(), json)
    });
    Json::Object(fields.collect())
}

fn path_json(path: &Path) -> Json {
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => {
            Json::Object(vec![("type".into(), Json::text("get_attr")), ("value".into(), Json::text(name))])
        }
        PathStep::Index(key) => Json::Object(vec![
            ("type".into(), Json::text("index")),
            (
                "value".into(),
                Json::Object(vec![
                    ("value".into(), Json::Value(key.clone())),
                    ("type".into(), Json::Value(value::type_json(&key.ty()))),
                ]),
            ),
        ]),
    };
    Json::Array(path.iter().map(step).collect())
}

fn read_path(json: &Value) -> Path {
    let step = |step: &Value| {
        let value = step.get("value")?;
        match step.get("type")?.as_str()? {
            "get_attr" => Some(PathStep::Attribute(value.as_str()?.into())),
            _ => Some(PathStep::Index(value.get("value")?.clone())),
        }
    };
    json.items().unwrap_or_default().iter().filter_map(step).collect()
}

/// The value with the part at this path marked sensitive.
pub fn mark(value: Value, path: &[PathStep]) -> Value {
    let Some((step, rest)) = path.split_first() else { return value.sensitive() };
    use crate::terraform::value::Kind;
    let marks = value.marks;
    let inner = |items: &[Value], at: &Value| -> Vec<Value> {
        let wanted = at.as_int();
        let all = items.iter().enumerate();
        all.map(|(i, item)| if Some(i as i64) == wanted { mark(item.clone(), rest) } else { item.clone() }).collect()
    };
    let named = |items: &BTreeMap<SmolStr, Value>, name: &str| {
        let mut items = items.clone();
        if let Some(item) = items.get_mut(name) {
            *item = mark(item.clone(), rest);
        }
        items
    };
    let changed = match (&value.kind, step) {
        (Kind::Object(items), PathStep::Attribute(name)) => Value::object(named(items, name)),
        (Kind::Map(ty, items), PathStep::Index(key)) => {
            Value::map(ty.clone(), named(items, key.as_str().unwrap_or_default()))
        }
        (Kind::Object(items), PathStep::Index(key)) => Value::object(named(items, key.as_str().unwrap_or_default())),
        (Kind::List(ty, items), PathStep::Index(at)) => Value::list(ty.clone(), inner(items, at)),
        (Kind::Tuple(items), PathStep::Index(at)) => Value::tuple(inner(items, at)),
        (Kind::Set(..), _) => return value.sensitive(),
        _ => return value,
    };
    changed.with_marks(marks)
}

/// `provider["registry.terraform.io/hashicorp/null"].alias`
pub fn provider_text(source: &str, alias: Option<&str>) -> String {
    let tail = alias.map(|alias| format!(".{alias}")).unwrap_or_default();
    format!("provider[\"{source}\"]{tail}")
}

fn parse_provider(text: &str) -> (SmolStr, Option<SmolStr>) {
    let inner = text.split_once("provider[\"").map_or(text, |(_, rest)| rest);
    let (source, rest) = inner.split_once("\"]").unwrap_or((inner, ""));
    (source.into(), rest.strip_prefix('.').map(SmolStr::from))
}

/// `module.a["k"].module.b[0]`
pub fn parse_module(text: &str) -> Option<ModulePath> {
    let mut path = ModulePath::default();
    let mut rest = text;
    while !rest.is_empty() {
        rest = rest.strip_prefix("module.")?;
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, tail) = rest.split_at(end);
        let (key, tail) = parse_key(tail)?;
        path.0.push(ModuleStep { name: name.into(), key });
        rest = match tail.strip_prefix('.') {
            Some(tail) => tail,
            None if tail.is_empty() => tail,
            None => return None,
        };
    }
    Some(path)
}

/// `[0]` or `["k"]` at the head of a text, if there.
pub fn parse_key(text: &str) -> Option<(Option<Key>, &str)> {
    let Some(inner) = text.strip_prefix('[') else { return Some((None, text)) };
    if let Some(quoted) = inner.strip_prefix('"') {
        let mut escaped = false;
        let end = quoted.char_indices().find(|(_, c)| {
            let closes = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            closes
        })?;
        let (key, rest) = quoted.split_at(end.0);
        let key = crate::base::goquote::unescape(key, '"')?;
        return Some((Some(Key::Text(key.into())), rest.strip_prefix("\"]")?));
    }
    let (digits, rest) = inner.split_once(']')?;
    Some((Some(Key::Int(digits.parse().ok()?)), rest))
}
