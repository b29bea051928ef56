//! Type constraints: `object({ name = string, port = optional(number, 80) })` as written in `type` arguments, with the
//! defaults of optional attributes.

use crate::base::BTreeMap;

use super::{Empty, eval};
use crate::base::SmolStr;
use crate::terraform::hcl::{Call, Diagnostic, Expr, ExprKind, Range};
use crate::terraform::value::{Kind, ObjectType, Type, Value, convert, unify_values};

#[derive(Clone, Debug, Default)]
pub struct Constraint {
    pub ty: Type,
    defaults: Defaults,
}

/// Values for attributes that are missing or null, by the place in the type.
#[derive(Clone, Debug, Default)]
struct Defaults {
    values: BTreeMap<SmolStr, Value>,
    /// By attribute name, by index of a tuple, or for all elements of a collection.
    inner: BTreeMap<Place, Defaults>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Attribute(SmolStr),
    Item(usize),
    Element,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Of a variable: `any` and `optional(type, default)` are known.
    Variable,
    /// Of the function `convert`.
    Function,
}

impl Constraint {
    pub fn any() -> Constraint {
        Constraint::default()
    }

    /// The value with defaults in the places of missing attributes; it still wants conversion to `ty`.
    pub fn apply_defaults(&self, value: &Value) -> Value {
        self.defaults.apply(value)
    }

    /// Defaults first, then the type.
    pub fn convert(&self, value: &Value) -> Result<Value, crate::terraform::value::ConvertError> {
        convert(&self.apply_defaults(value), &self.ty)
    }
}

impl Defaults {
    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.inner.is_empty()
    }

    fn apply(&self, value: &Value) -> Value {
        if self.is_empty() || !value.is_known() || value.is_null() {
            return value.clone();
        }
        let within =
            |place: Place, item: &Value| match self.inner.get(&place).or_else(|| self.inner.get(&Place::Element)) {
                Some(defaults) => defaults.apply(item),
                None => item.clone(),
            };
        let new = match &value.kind {
            Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => {
                let items: Vec<Value> =
                    items.iter().enumerate().map(|(index, item)| within(Place::Item(index), item)).collect();
                match (&value.kind, unify_values(&items, true)) {
                    (Kind::List(element, _), None) if items.is_empty() => Value::list(element.clone(), items),
                    (Kind::Set(element, _), None) if items.is_empty() => Value::set(element.clone(), items),
                    (Kind::List(..), Some((element, items))) => Value::list(element, items),
                    (Kind::Set(..), Some((element, items))) => Value::set(element, items),
                    _ => Value::tuple(items),
                }
            }
            Kind::Map(_, items) | Kind::Object(items) => {
                let mut items: BTreeMap<SmolStr, Value> = items
                    .iter()
                    .map(|(key, item)| (key.clone(), within(Place::Attribute(key.clone()), item)))
                    .collect();
                for (key, default) in &self.values {
                    if items.get(key).is_none_or(Value::is_null) {
                        items.insert(key.clone(), within(Place::Attribute(key.clone()), default));
                    }
                }
                let (keys, values): (Vec<SmolStr>, Vec<Value>) =
                    items.iter().map(|(key, value)| (key.clone(), value.clone())).unzip();
                match (&value.kind, unify_values(&values, true)) {
                    (Kind::Map(element, _), None) if items.is_empty() => Value::map(element.clone(), items),
                    (Kind::Map(..), Some((element, values))) => {
                        Value::map(element, keys.into_iter().zip(values).collect())
                    }
                    _ => Value::object(items),
                }
            }
            _ => return value.clone(),
        };
        new.with_marks(value.marks)
    }
}

/// Reads a type constraint; after an error it is `any`.
pub fn read(expr: &Expr, form: Form) -> (Constraint, Vec<Diagnostic>) {
    if form == Form::Variable {
        if let ExprKind::Template(_) | ExprKind::Literal(_) = &expr.kind
            && let Some(text) = expr.literal_str()
        {
            return (Constraint::any(), vec![in_quotes(text, &expr.range)]);
        }
        // What is left of an older form: collections of anything.
        match expr.keyword().map(SmolStr::as_str) {
            Some("list") => return (Constraint { ty: Type::list(Type::Dynamic), ..Constraint::default() }, Vec::new()),
            Some("map") => return (Constraint { ty: Type::map(Type::Dynamic), ..Constraint::default() }, Vec::new()),
            _ => {}
        }
    }
    let mut reader = Reader { found: Vec::new() };
    let (ty, defaults) = reader.read(expr);
    (Constraint { ty, defaults }, reader.found)
}

/// A type in quotes, as older configurations have it.
fn in_quotes(text: &str, range: &Range) -> Diagnostic {
    let instead = match text {
        "string" => "",
        "list" => " and write list(string) instead to explicitly indicate that the list elements are strings",
        "map" => " and write map(string) instead to explicitly indicate that the map elements are strings",
        _ => {
            let detail = "To provide a full type expression, remove the surrounding quotes and give the type expression directly.";
            return Diagnostic::error("Invalid legacy variable type hint", detail, range);
        }
    };
    let detail = format!(
        "Terraform 0.11 and earlier required type constraints to be given in quotes, but that form is now deprecated and will be removed in a future version of Terraform. Remove the quotes around \"{text}\"{instead}."
    );
    Diagnostic::error("Invalid quoted type constraints", detail, range)
}

struct Reader {
    found: Vec<Diagnostic>,
}

impl Reader {
    fn refuse<T: Default>(&mut self, detail: impl Into<String>, range: &Range) -> T {
        self.found.push(Diagnostic::error("Invalid type specification", detail, range));
        T::default()
    }

    fn refuse_in<T: Default>(&mut self, detail: impl Into<String>, range: &Range, context: &Range) -> T {
        let diagnostic = Diagnostic::error("Invalid type specification", detail, range);
        self.found.push(diagnostic.in_context(context));
        T::default()
    }

    fn read(&mut self, expr: &Expr) -> (Type, Defaults) {
        if let Some(word) = expr.keyword() {
            return (self.keyword(word, &expr.range), Defaults::default());
        }
        match &expr.kind {
            ExprKind::Call(call) => self.constructor(call, expr),
            _ => self.refuse(
                "A type specification is either a primitive type keyword (bool, number, string) or a complex type constructor call, like list(string).",
                &expr.range,
            ),
        }
    }

    fn keyword(&mut self, word: &str, range: &Range) -> Type {
        match word {
            "bool" => Type::Bool,
            "string" => Type::String,
            "number" => Type::Number,
            "any" => Type::Dynamic,
            other => {
                let detail = match needed(other) {
                    Some(needed) => needed,
                    None => format!("The keyword \"{other}\" is not a valid type specification."),
                };
                self.refuse(detail, range)
            }
        }
    }

    fn constructor(&mut self, call: &Call, expr: &Expr) -> (Type, Defaults) {
        let within = call.open_range.to(&call.close_range);
        let name = call.name.as_str();
        match name {
            "bool" | "string" | "number" => {
                return self.refuse(format!("Primitive type keyword \"{name}\" does not expect arguments."), &within);
            }
            "any" => {
                let detail = format!("Type constraint keyword \"{name}\" does not expect arguments.");
                return self.refuse(detail, &within);
            }
            _ => {}
        }
        if let (Some(needed), true) = (needed(name), call.arguments.len() != 1) {
            let subject = match (call.arguments.get(1), call.arguments.last()) {
                (Some(second), Some(last)) => second.range.to(&last.range),
                _ => within.clone(),
            };
            return self.refuse_in(needed, &subject, &within);
        }
        let Some(argument) = call.arguments.first() else { return self.not_a_constructor(call, expr) };
        match name {
            "list" | "set" | "map" => {
                let (element, defaults) = self.read(argument);
                let ty = match name {
                    "list" => Type::list(element),
                    "set" => Type::set(element),
                    _ => Type::map(element),
                };
                let mut own = Defaults::default();
                if !defaults.is_empty() {
                    own.inner.insert(Place::Element, defaults);
                }
                (ty, own)
            }
            "object" => self.object(argument, expr),
            "tuple" => {
                let ExprKind::Tuple(items) = &argument.kind else {
                    let detail = "Tuple type constructor requires a list of element types.";
                    return self.refuse_in(detail, &argument.range, &expr.range);
                };
                let mut own = Defaults::default();
                let mut types = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let (ty, defaults) = self.read(item);
                    types.push(ty);
                    if !defaults.is_empty() {
                        own.inner.insert(Place::Item(index), defaults);
                    }
                }
                (Type::tuple(types), own)
            }
            _ => self.not_a_constructor(call, expr),
        }
    }

    fn not_a_constructor(&mut self, call: &Call, expr: &Expr) -> (Type, Defaults) {
        if call.name == "optional" {
            let detail = "Keyword \"optional\" is valid only as a modifier for object type attributes.";
            return self.refuse(detail, &call.name_range);
        }
        self.refuse(format!("Keyword \"{}\" is not a valid type constructor.", call.name), &expr.range)
    }

    fn object(&mut self, argument: &Expr, expr: &Expr) -> (Type, Defaults) {
        let ExprKind::Object(items) = &argument.kind else {
            let detail = "Object type constructor requires a map whose keys are attribute names and whose values are the corresponding attribute types.";
            return self.refuse_in(detail, &argument.range, &expr.range);
        };
        let mut object = ObjectType::default();
        let mut own = Defaults::default();
        for item in items {
            let name: SmolStr = match &item.key.kind {
                ExprKind::Literal(value) if value.as_str().is_some() => value.as_str().unwrap_or_default().into(),
                _ => {
                    let detail = "Object constructor map keys must be attribute names.";
                    self.refuse_in::<()>(detail, &item.key.range, &expr.range);
                    continue;
                }
            };
            if object.attributes.contains_key(&name) {
                let detail = "Object constructor map keys must be unique.";
                self.refuse_in::<()>(detail, &item.key.range, &expr.range);
                continue;
            }
            let mut ty_expr = &item.value;
            let mut default = None;
            if let ExprKind::Call(call) = &item.value.kind
                && call.name == "optional"
            {
                let within = call.open_range.to(&call.close_range);
                let Some(first) = call.arguments.first() else {
                    let detail = "Optional attribute modifier requires the attribute type as its argument.";
                    self.refuse_in::<()>(detail, &within, &item.value.range);
                    continue;
                };
                ty_expr = first;
                match call.arguments.as_slice() {
                    [_] => {
                        object.optional.insert(name.clone());
                    }
                    [_, value] => {
                        let (given, found) = eval(value, &Empty);
                        if !crate::terraform::hcl::has_errors(&found) {
                            object.optional.insert(name.clone());
                            default = Some((given, value));
                        }
                        self.found.extend(found);
                    }
                    _ => {
                        let detail = "Optional attribute modifier expects at most two arguments: the attribute type, and a default value.";
                        self.refuse_in::<()>(detail, &within, &item.value.range);
                    }
                }
            }
            let (ty, defaults) = self.read(ty_expr);
            if let Some((given, at)) = default {
                match convert(&given, &ty) {
                    Ok(value) => {
                        own.values.insert(name.clone(), value);
                    }
                    Err(error) => {
                        let detail = format!(
                            "This default value is not compatible with the attribute's type constraint: {error}."
                        );
                        let summary = "Invalid default value for optional attribute";
                        self.found.push(Diagnostic::error(summary, detail, &at.range));
                    }
                }
            }
            if !defaults.is_empty() {
                own.inner.insert(Place::Attribute(name.clone()), defaults);
            }
            object.attributes.insert(name, ty);
        }
        (Type::Object(object.into()), own)
    }
}

/// What a constructor without its argument lacks.
fn needed(name: &str) -> Option<String> {
    Some(match name {
        "list" | "set" | "map" => {
            format!("The {name} type constructor requires one argument specifying the element type.")
        }
        "object" => {
            "The object type constructor requires one argument specifying the attribute types and values as a map."
                .into()
        }
        "tuple" => "The tuple type constructor requires one argument specifying the element types as a list.".into(),
        _ => return None,
    })
}
