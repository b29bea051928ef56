//! Values of the Terraform language (upstream: go-cty): typed, possibly unknown or null, possibly marked sensitive or
//! ephemeral at any depth.
//!
//! Left out: refinements of unknown values other than "not null" and a known string prefix; capsule types.

mod convert;
mod json;
mod natural;
mod number;
pub mod text;
mod types;
mod unicode;
mod unicode_tables;

use crate::base::BTreeMap;
use std::ops::BitOr;
use std::sync::Arc;

pub use convert::{ConvertError, can_convert, convert, marks_of, mismatch, path_text, unify, unify_values};
pub use json::{decode, decode_as, decode_at, encode, encode_pretty, type_from_json, type_json};
pub use natural::Natural;
pub use number::{Number, go_general};
pub use types::{ObjectType, Type};
pub use unicode::clusters;

use crate::base::{SmolStr, order};

#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub kind: Kind,
    /// Marks of this value itself; those of elements stand at the elements.
    pub marks: Marks,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Null(Type),
    Unknown(Type, Refinement),
    Bool(bool),
    Number(Number),
    String(SmolStr),
    List(Type, Arc<Vec<Value>>),
    /// Elements in the order of iteration, each once, unmarked.
    Set(Type, Arc<Vec<Value>>),
    Map(Type, Arc<BTreeMap<SmolStr, Value>>),
    Tuple(Arc<Vec<Value>>),
    Object(Arc<BTreeMap<SmolStr, Value>>),
}

/// What is known of an unknown value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refinement {
    pub not_null: bool,
    /// A string starts with this.
    pub prefix: SmolStr,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u8);

impl Marks {
    pub const NONE: Marks = Marks(0);
    pub const SENSITIVE: Marks = Marks(1);
    pub const EPHEMERAL: Marks = Marks(2);

    pub fn has(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn only(self, other: Marks) -> Marks {
        Marks(self.0 & other.0)
    }

    pub fn without(self, other: Marks) -> Marks {
        Marks(self.0 & !other.0)
    }
}

impl BitOr for Marks {
    type Output = Marks;
    fn bitor(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

/// One step from a value into its inside.
#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    Attribute(SmolStr),
    Index(Value),
}

pub type Path = Vec<PathStep>;

impl From<Kind> for Value {
    fn from(kind: Kind) -> Value {
        Value { kind, marks: Marks::NONE }
    }
}

impl Value {
    pub const NULL: Value = Value { kind: Kind::Null(Type::Dynamic), marks: Marks::NONE };

    pub fn null(ty: Type) -> Value {
        Kind::Null(ty).into()
    }

    pub fn unknown(ty: Type) -> Value {
        Kind::Unknown(ty, Refinement::default()).into()
    }

    /// Unknown, but certainly not null.
    pub fn unknown_not_null(ty: Type) -> Value {
        if ty == Type::Dynamic {
            return Value::unknown(ty);
        }
        Kind::Unknown(ty, Refinement { not_null: true, prefix: SmolStr::default() }).into()
    }

    /// Unknown of unknown type: what stands for the result of an expression that failed.
    pub fn dynamic() -> Value {
        Value::unknown(Type::Dynamic)
    }

    pub fn bool(value: bool) -> Value {
        Kind::Bool(value).into()
    }

    pub fn int(value: i64) -> Value {
        Kind::Number(Number::from(value)).into()
    }

    pub fn number(value: Number) -> Value {
        Kind::Number(value).into()
    }

    pub fn string(text: impl Into<SmolStr>) -> Value {
        let text: SmolStr = text.into();
        Kind::String(unicode::composed(&text).map_or(text, SmolStr::from)).into()
    }

    pub fn tuple(items: Vec<Value>) -> Value {
        Kind::Tuple(Arc::new(items)).into()
    }

    pub fn object(attributes: BTreeMap<SmolStr, Value>) -> Value {
        Kind::Object(Arc::new(attributes)).into()
    }

    pub fn list(element: Type, items: Vec<Value>) -> Value {
        Kind::List(element, Arc::new(items)).into()
    }

    pub fn map(element: Type, items: BTreeMap<SmolStr, Value>) -> Value {
        Kind::Map(element, Arc::new(items)).into()
    }

    /// A set: equal elements fall together, marks of elements move to the set.
    pub fn set(element: Type, items: Vec<Value>) -> Value {
        let mut marks = Marks::NONE;
        let mut plain: Vec<(Vec<u8>, Value)> = Vec::with_capacity(items.len());
        for item in items {
            let (item, inner) = item.unmark_deep();
            marks = marks | inner;
            plain.push((set_order(&item), item));
        }
        let mut plain = order::sorted(plain, &|a, b| {
            let ranks = element_rank(&a.1).cmp(&element_rank(&b.1));
            ranks.then_with(|| element_order(&a.1, &b.1).unwrap_or_else(|| a.0.cmp(&b.0)))
        });
        plain.dedup_by(|a, b| a.1 == b.1 && a.1.is_wholly_known());
        Value { kind: Kind::Set(element, Arc::new(plain.into_iter().map(|(_, item)| item).collect())), marks }
    }

    pub fn ty(&self) -> Type {
        match &self.kind {
            Kind::Null(ty) | Kind::Unknown(ty, _) => ty.clone(),
            Kind::Bool(_) => Type::Bool,
            Kind::Number(_) => Type::Number,
            Kind::String(_) => Type::String,
            Kind::List(element, _) => Type::list(element.clone()),
            Kind::Set(element, _) => Type::set(element.clone()),
            Kind::Map(element, _) => Type::map(element.clone()),
            Kind::Tuple(items) => Type::tuple(items.iter().map(Value::ty).collect()),
            Kind::Object(items) => Type::object(items.iter().map(|(k, v)| (k.clone(), v.ty())).collect()),
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null(_))
    }

    pub fn is_known(&self) -> bool {
        !matches!(self.kind, Kind::Unknown(..))
    }

    /// Known with all that is inside.
    pub fn is_wholly_known(&self) -> bool {
        self.is_known() && self.children().all(Value::is_wholly_known)
    }

    /// Whether it is known not to be null.
    pub fn is_certainly_not_null(&self) -> bool {
        match &self.kind {
            Kind::Null(_) => false,
            Kind::Unknown(_, refinement) => refinement.not_null,
            _ => true,
        }
    }

    pub fn is_sensitive(&self) -> bool {
        self.marks.has(Marks::SENSITIVE)
    }

    pub fn is_ephemeral(&self) -> bool {
        self.marks.has(Marks::EPHEMERAL)
    }

    /// All marks in it, at any depth.
    pub fn marks_deep(&self) -> Marks {
        self.children().fold(self.marks, |marks, child| marks | child.marks_deep())
    }

    pub fn with_marks(mut self, marks: Marks) -> Value {
        self.marks = self.marks | marks;
        self
    }

    pub fn sensitive(self) -> Value {
        self.with_marks(Marks::SENSITIVE)
    }

    /// Without its own marks; those of elements stay.
    pub fn unmark(mut self) -> (Value, Marks) {
        let marks = std::mem::take(&mut self.marks);
        (self, marks)
    }

    /// Without any marks; the second is all that stood in it.
    pub fn unmark_deep(self) -> (Value, Marks) {
        let marks = self.marks_deep();
        if marks.is_empty() {
            return (self, marks);
        }
        (
            self.map_deep(&mut |mut value| {
                value.marks = Marks::NONE;
                value
            }),
            marks,
        )
    }

    /// Where marks stand, outermost first.
    pub fn marked_paths(&self) -> Vec<(Path, Marks)> {
        let mut found = Vec::new();
        collect_marks(self, &mut Vec::new(), &mut found);
        found
    }

    /// Every value in it replaced, innermost first.
    pub fn map_deep(&self, change: &mut dyn FnMut(Value) -> Value) -> Value {
        let kind = match &self.kind {
            Kind::List(t, items) => Kind::List(t.clone(), Arc::new(items.iter().map(|v| v.map_deep(change)).collect())),
            Kind::Set(t, items) => {
                let set = Value::set(t.clone(), items.iter().map(|v| v.map_deep(change)).collect());
                return change(set.with_marks(self.marks));
            }
            Kind::Map(t, items) => {
                Kind::Map(t.clone(), Arc::new(items.iter().map(|(k, v)| (k.clone(), v.map_deep(change))).collect()))
            }
            Kind::Tuple(items) => Kind::Tuple(Arc::new(items.iter().map(|v| v.map_deep(change)).collect())),
            Kind::Object(items) => {
                Kind::Object(Arc::new(items.iter().map(|(k, v)| (k.clone(), v.map_deep(change))).collect()))
            }
            other => other.clone(),
        };
        change(Value { kind, marks: self.marks })
    }

    /// Elements of a collection, items of a tuple, values of an object; none for anything else.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match &self.kind {
            Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => Box::new(items.iter()),
            Kind::Map(_, items) | Kind::Object(items) => Box::new(items.values()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Keys and elements in the order of iteration, as `for` sees them; `None` when it cannot be iterated.
    pub fn elements(&self) -> Option<Vec<(Value, Value)>> {
        Some(match &self.kind {
            Kind::List(_, items) | Kind::Tuple(items) => {
                items.iter().enumerate().map(|(i, v)| (Value::int(i as i64), v.clone())).collect()
            }
            Kind::Set(_, items) => items.iter().map(|v| (v.clone(), v.clone())).collect(),
            Kind::Map(_, items) | Kind::Object(items) => {
                items.iter().map(|(k, v)| (Value::string(k.clone()), v.clone())).collect()
            }
            _ => return None,
        })
    }

    /// How many elements, for what has them.
    pub fn len(&self) -> Option<usize> {
        match &self.kind {
            Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => Some(items.len()),
            Kind::Map(_, items) | Kind::Object(items) => Some(items.len()),
            _ => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// An attribute of an object or an element of a map.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match &self.kind {
            Kind::Map(_, items) | Kind::Object(items) => items.get(name),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<&Number> {
        match &self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The whole number, when it is one.
    pub fn as_int(&self) -> Option<i64> {
        self.as_number().and_then(Number::to_i64)
    }

    pub fn entries(&self) -> Option<&BTreeMap<SmolStr, Value>> {
        match &self.kind {
            Kind::Map(_, items) | Kind::Object(items) => Some(items),
            _ => None,
        }
    }

    pub fn items(&self) -> Option<&[Value]> {
        match &self.kind {
            Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => Some(items),
            _ => None,
        }
    }
}

fn collect_marks(value: &Value, path: &mut Path, found: &mut Vec<(Path, Marks)>) {
    if !value.marks.is_empty() {
        found.push((path.clone(), value.marks));
    }
    let attributes = matches!(value.kind, Kind::Object(_));
    for (key, child) in value.elements().unwrap_or_default() {
        path.push(match key.as_str() {
            Some(name) if attributes => PathStep::Attribute(name.into()),
            _ => PathStep::Index(key),
        });
        collect_marks(&child, path, found);
        path.pop();
    }
}

/// The order of two elements of a set where their type has a natural one.
fn element_order(a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
    match (&a.kind, &b.kind) {
        (Kind::String(a), Kind::String(b)) => Some(a.cmp(b)),
        (Kind::Number(a), Kind::Number(b)) => Some(a.compare(b)),
        (Kind::Bool(a), Kind::Bool(b)) => Some(a.cmp(b)),
        _ => None,
    }
}

/// Known elements stand before unknown ones, and these before null.
fn element_rank(value: &Value) -> u8 {
    match value.kind {
        Kind::Null(_) => 2,
        Kind::Unknown(..) => 1,
        _ => 0,
    }
}

/// What elements without a natural order are ordered by: a serialisation that tells types apart.
fn set_order(value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    write_set_order(value, &mut out);
    out
}

fn write_set_order(value: &Value, out: &mut Vec<u8>) {
    let (open, close) = match &value.kind {
        Kind::Unknown(..) => return out.push(b'?'),
        Kind::Null(_) => return out.push(b'~'),
        Kind::Bool(truth) => return out.push(if *truth { b'T' } else { b'F' }),
        Kind::Number(number) => return out.extend_from_slice(number.short().as_bytes()),
        Kind::String(text) => return out.extend_from_slice(crate::base::goquote::quote(text).as_bytes()),
        Kind::Map(..) => (b'{', b'}'),
        Kind::List(..) | Kind::Set(..) => (b'[', b']'),
        Kind::Tuple(_) | Kind::Object(_) => (b'<', b'>'),
    };
    out.push(open);
    if let Kind::Map(_, items) = &value.kind {
        for (key, item) in items.iter() {
            out.extend_from_slice(crate::base::goquote::quote(key).as_bytes());
            out.push(b':');
            write_set_order(item, out);
            out.push(b';');
        }
    } else {
        for item in value.children() {
            write_set_order(item, out);
            out.push(b';');
        }
    }
    out.push(close);
}
