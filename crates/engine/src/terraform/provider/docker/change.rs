//! What a resource will be, and whether for that a new object is needed: the comparison of the plugin SDK, with all it
//! takes for equal (upstream: helper/schema's diff and the shims of terraform's plugin SDK 2).

use super::field::{Field, Shape, object_type};
use crate::base::{BTreeMap, SmolStr};
use crate::terraform::schema::Nesting;
use crate::terraform::value::{Kind, Path, PathStep, Type, Value};

/// The planned object, and the paths that force a new one.
pub fn plan(fields: &[Field], prior: &Value, proposed: &Value) -> (Value, Vec<Path>) {
    let mut plan = Comparison { creating: prior.is_null(), changed: false, forces: Vec::new() };
    let mut path = Path::new();
    let planned = plan.object(fields, prior, proposed, false, &mut path);
    if !plan.changed && !plan.creating {
        return (prior.clone(), Vec::new());
    }
    let mut planned = normal(&planned, proposed, false);
    if plan.creating {
        planned = with_unknowns(fields, &planned);
    }
    (planned, plan.forces)
}

struct Comparison {
    creating: bool,
    changed: bool,
    forces: Vec<Path>,
}

fn part(object: &Value, field: &Field) -> Value {
    object.get(field.name).cloned().unwrap_or_else(|| Value::null(field.ty()))
}

fn as_text(value: &Value) -> String {
    match &value.kind {
        Kind::String(text) => text.to_string(),
        Kind::Number(number) => number.short(),
        Kind::Bool(true) => "1".into(),
        Kind::Bool(false) => "0".into(),
        _ => String::new(),
    }
}

impl Comparison {
    fn differs(&mut self, field: &Field, path: &Path) {
        self.changed = true;
        if field.forced {
            self.forces.push(path.clone());
        }
    }

    fn object(&mut self, fields: &[Field], old: &Value, config: &Value, all: bool, path: &mut Path) -> Value {
        let mut values: BTreeMap<SmolStr, Value> = BTreeMap::new();
        for field in fields {
            let (before, wanted) = (part(old, field), part(config, field));
            path.push(PathStep::Attribute(field.name.into()));
            let value = match field.shape {
                Shape::Text | Shape::Number | Shape::Flag => self.scalar(field, before, wanted, all, path),
                Shape::Texts | Shape::Objects(Nesting::List, _) => self.list(field, before, wanted, path),
                Shape::TextSet | Shape::Objects(..) => self.set(field, before, wanted, all, path),
                Shape::TextMap => self.map(field, before, wanted, path),
                Shape::Blocks(Nesting::Single, _) => wanted,
                Shape::Blocks(Nesting::Set, inner) => self.block_set(field, inner, before, wanted, path),
                Shape::Blocks(_, inner) => self.block_list(field, inner, before, wanted, all, path),
            };
            path.pop();
            values.insert(field.name.into(), value);
        }
        Value::object(values)
    }

    fn scalar(&mut self, field: &Field, old: Value, config: Value, all: bool, path: &Path) -> Value {
        if !config.is_known() {
            self.differs(field, path);
            return Value::unknown(field.ty());
        }
        let new = if config.is_null() { field.preset() } else { config };
        let silent = new.is_null();
        let (before, after) = match (silent, old.is_null()) {
            (true, false) => (as_text(&old), as_text(&field.zero())),
            _ => (as_text(&old), as_text(&new)),
        };
        if field.lenient && matches!(after.as_str(), "") && !old.is_null() {
            return old;
        }
        if before == after && !all && (!before.is_empty() || !self.creating || !field.computed) {
            return if old.is_null() && field.required { Value::string("") } else { old };
        }
        let removed = silent && !old.is_null();
        if field.computed && !before.is_empty() && (removed || after.is_empty()) {
            return old;
        }
        let unknown = field.computed && after.is_empty();
        if before != after || unknown {
            self.differs(field, path);
        }
        match (unknown, removed, after.as_str()) {
            (true, ..) => Value::unknown(field.ty()),
            (_, true, _) => Value::null(field.ty()),
            (.., "") if matches!(field.shape, Shape::Text) => Value::string(""),
            (.., "") => Value::null(field.ty()),
            _ => new,
        }
    }

    fn list(&mut self, field: &Field, old: Value, config: Value, path: &mut Path) -> Value {
        if let Some(value) = self.whole(field, &old, &config, path) {
            return value;
        }
        if old == config {
            return old;
        }
        self.differs(field, path);
        config
    }

    fn set(&mut self, field: &Field, old: Value, config: Value, all: bool, path: &Path) -> Value {
        let config = if config.is_wholly_known() { config } else { Value::unknown(field.ty()) };
        if all && config.is_null() && !field.computed {
            return Value::set(element(field), Vec::new());
        }
        if let Some(value) = self.whole(field, &old, &config, path) {
            return value;
        }
        if old == config || old.is_null() && config.is_empty() {
            return old;
        }
        self.differs(field, path);
        config
    }

    fn map(&mut self, field: &Field, old: Value, config: Value, path: &mut Path) -> Value {
        if let Some(value) = self.whole(field, &old, &config, path) {
            return value;
        }
        let none = BTreeMap::new();
        let (before, after) = (old.entries().unwrap_or(&none), config.entries().unwrap_or(&none));
        if before == after {
            return old;
        }
        self.differs(field, path);
        config
    }

    /// What holds for all collections: silence of the configuration, and values not yet known.
    fn whole(&mut self, field: &Field, old: &Value, config: &Value, path: &Path) -> Option<Value> {
        if !config.is_known() {
            self.differs(field, path);
            return Some(Value::unknown(field.ty()));
        }
        if !config.is_null() {
            return None;
        }
        match (old.is_null(), field.computed) {
            (false, true) => Some(old.clone()),
            (true, true) => {
                self.differs(field, path);
                Some(Value::unknown(field.ty()))
            }
            (true, false) => Some(old.clone()),
            (false, false) if old.is_empty() => Some(old.clone()),
            (false, false) => {
                self.differs(field, path);
                Some(Value::null(field.ty()))
            }
        }
    }

    fn block_list(
        &mut self,
        field: &Field,
        inner: &'static [Field],
        old: Value,
        config: Value,
        all: bool,
        path: &mut Path,
    ) -> Value {
        if !config.is_known() {
            self.differs(field, path);
            return Value::unknown(field.ty());
        }
        let (before, after) = (old.items().unwrap_or_default(), config.items().unwrap_or_default());
        if after.is_empty() && field.computed {
            if self.creating && !all {
                self.differs(field, path);
                return Value::unknown(field.ty());
            }
            return old;
        }
        if before.len() != after.len() {
            self.differs(field, path);
        }
        let null = Value::null(object_type(inner));
        let mut items = Vec::with_capacity(after.len());
        for index in 0..before.len().max(after.len()) {
            path.push(PathStep::Index(Value::int(index as i64)));
            let (was, new) = (before.get(index).unwrap_or(&null), after.get(index).unwrap_or(&null));
            if index < after.len() {
                items.push(self.object(inner, was, new, all, path));
            } else {
                self.gone(inner, was, path);
            }
            path.pop();
        }
        Value::list(object_type(inner), items)
    }

    /// The fields of a block that is no more.
    fn gone(&mut self, fields: &[Field], old: &Value, path: &mut Path) {
        for field in fields {
            if !part(old, field).is_null() {
                path.push(PathStep::Attribute(field.name.into()));
                self.differs(field, path);
                path.pop();
            }
        }
    }

    fn block_set(
        &mut self,
        field: &Field,
        inner: &'static [Field],
        old: Value,
        config: Value,
        path: &mut Path,
    ) -> Value {
        let ty = object_type(inner);
        if !config.is_known() {
            self.differs(field, path);
            return Value::unknown(field.ty());
        }
        let (before, after) = (old.items().unwrap_or_default(), config.items().unwrap_or_default());
        if after.is_empty() && field.computed {
            if self.creating {
                self.differs(field, path);
                return Value::unknown(field.ty());
            }
            return if old.is_null() { Value::set(ty, Vec::new()) } else { old };
        }
        let plain = |items: &[Value], preset: bool| {
            Value::set(ty.clone(), items.iter().map(|item| canonical(inner, item, preset)).collect())
        };
        if config.is_wholly_known() && plain(before, false) == plain(after, true) {
            return if old.is_null() { Value::set(ty, Vec::new()) } else { old };
        }
        self.changed = true;
        let forced = field.forced || inner.iter().any(|field| field.forced);
        if forced {
            self.forces.push(path.clone());
        }
        let null = Value::null(ty.clone());
        // Elements are made anew from the configuration; what they force was said for the whole set.
        let mut own = Comparison { creating: true, changed: false, forces: Vec::new() };
        let items = after.iter().map(|item| own.object(inner, &null, item, true, path)).collect();
        Value::set(ty, items)
    }
}

fn element(field: &Field) -> Type {
    field.ty().element().cloned().unwrap_or_default()
}

/// An element of a set as its identity counts: nothing and zero are the same.
fn canonical(fields: &[Field], item: &Value, preset: bool) -> Value {
    let value = |field: &Field| {
        let value = part(item, field);
        match field.shape {
            Shape::Blocks(nesting, inner) => {
                let ty = object_type(inner);
                let items = value.items().unwrap_or_default().iter().map(|item| canonical(inner, item, preset));
                match nesting {
                    Nesting::Set => Value::set(ty, items.collect()),
                    _ => Value::list(ty, items.collect()),
                }
            }
            _ if !value.is_null() => value,
            Shape::TextMap => Value::map(Type::String, BTreeMap::new()),
            Shape::Texts => Value::list(Type::String, Vec::new()),
            Shape::TextSet => Value::set(Type::String, Vec::new()),
            _ => match field.preset() {
                own if preset && !own.is_null() => own,
                _ => field.zero(),
            },
        }
    };
    Value::object(fields.iter().map(|field| (field.name.into(), value(field))).collect())
}

/// What nobody has said is not known before the object is there.
fn with_unknowns(fields: &[Field], value: &Value) -> Value {
    let Some(entries) = value.entries() else { return value.clone() };
    let mut values = entries.clone();
    for field in fields {
        let now = part(value, field);
        let new = match field.shape {
            Shape::Blocks(_, inner) => match &now.kind {
                Kind::List(ty, items) => {
                    Value::list(ty.clone(), items.iter().map(|item| with_unknowns(inner, item)).collect())
                }
                Kind::Set(ty, items) => {
                    Value::set(ty.clone(), items.iter().map(|item| with_unknowns(inner, item)).collect())
                }
                _ => now,
            },
            _ if field.computed && now.is_null() => Value::unknown(field.ty()),
            _ => now,
        };
        values.insert(field.name.into(), new);
    }
    Value::object(values)
}

/// An object with the difference between nothing and null that another has: the SDK itself knows none. `done`: after
/// the provider's work, where the other is the plan; before it is what was proposed or known.
pub fn normal(value: &Value, other: &Value, done: bool) -> Value {
    if !other.is_known() {
        return if value.is_null() && !done { other.clone() } else { value.clone() };
    }
    let collection = matches!(value.ty(), Type::List(_) | Type::Set(_) | Type::Map(_));
    if collection && done && (other.is_null() && value.is_empty() || other.is_empty() && value.is_null()) {
        return other.clone();
    }
    if other.is_null() || !value.is_known() {
        return value.clone();
    }
    match (&value.kind, &other.kind) {
        (Kind::Object(own), Kind::Object(theirs)) => {
            let mut values = own.as_ref().clone();
            for (name, other) in theirs.iter() {
                let own = values.get(name).cloned().unwrap_or_else(|| Value::null(other.ty()));
                values.insert(name.clone(), normal(&own, other, done));
            }
            Value::object(values)
        }
        (_, Kind::Set(..)) if done && other.is_wholly_known() => other.clone(),
        (Kind::Null(_), Kind::List(..) | Kind::Map(..)) if !done && other.is_empty() => other.clone(),
        (Kind::Null(_), Kind::String(text)) if !done && text.is_empty() => other.clone(),
        (Kind::Null(_), Kind::String(_) | Kind::Number(_) | Kind::Bool(_)) if done => other.clone(),
        _ => value.clone(),
    }
}

/// Zeros in nested blocks where nothing stood: a block that the SDK wrote has them.
pub fn filled(fields: &[Field], value: &Value) -> Value {
    let Some(entries) = value.entries() else { return value.clone() };
    let mut values = entries.clone();
    for field in fields {
        let Shape::Blocks(nesting, inner) = field.shape else { continue };
        let now = part(value, field);
        let item = |item: &Value| {
            let item = filled(inner, item);
            let mut values = item.entries().cloned().unwrap_or_default();
            for field in inner {
                let now = part(&item, field);
                let new = match field.shape {
                    _ if !now.is_null() => now,
                    Shape::Text | Shape::Number | Shape::Flag => field.zero(),
                    Shape::TextSet => Value::set(Type::String, Vec::new()),
                    Shape::Texts => Value::list(Type::String, Vec::new()),
                    Shape::TextMap => Value::map(Type::String, BTreeMap::new()),
                    _ => now,
                };
                values.insert(field.name.into(), new);
            }
            Value::object(values)
        };
        let new = match (nesting, &now.kind) {
            (Nesting::List, Kind::List(ty, items)) => Value::list(ty.clone(), items.iter().map(item).collect()),
            (Nesting::Set, Kind::Set(ty, items)) => Value::set(ty.clone(), items.iter().map(item).collect()),
            _ => now,
        };
        values.insert(field.name.into(), new);
    }
    Value::object(values)
}
