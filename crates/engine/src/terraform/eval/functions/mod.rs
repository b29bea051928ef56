//! The language's functions: a table of signatures, one file a family.
//!
//! A function sees arguments that are converted, not null and known unless its parameter allows otherwise, and without
//! marks unless it asks for them.

mod collections;
mod conversion;
mod dates;
mod encoding;
mod files;
mod format;
mod hash;
mod network;
mod numbers;
mod sequences;
mod strings;
mod table;
mod yaml;

pub use encoding::{base64, from_base64};
pub use files::read_text;

use super::{Budget, Scope};
use crate::base::go_regex::Regex;
use crate::terraform::json::Json;
use crate::terraform::value::{Type, Value, type_json, unify};

/// What a parameter takes beside plain values.
pub const NULL: u8 = 1;
pub const UNKNOWN: u8 = 2;
pub const MARKED: u8 = 4;
pub const DYNAMIC: u8 = 8;
/// What is inside may be unknown; the function passes it on.
pub const INSIDE: u8 = 16;

pub struct Function {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// Of all arguments after the others.
    pub rest: Option<Parameter>,
    pub gives: Want,
    pub run: fn(&mut Arguments) -> Result<Value, Fault>,
}

pub struct Parameter {
    pub name: &'static str,
    pub want: Want,
    pub allows: u8,
}

/// The types that signatures name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    Any,
    Str,
    Num,
    Bool,
    ListAny,
    ListStr,
    ListBool,
    ListNum,
    SetAny,
    SetStr,
    MapListStr,
}

impl Want {
    pub fn ty(self) -> Type {
        match self {
            Want::Any => Type::Dynamic,
            Want::Str => Type::String,
            Want::Num => Type::Number,
            Want::Bool => Type::Bool,
            Want::ListAny => Type::list(Type::Dynamic),
            Want::ListStr => Type::list(Type::String),
            Want::ListBool => Type::list(Type::Bool),
            Want::ListNum => Type::list(Type::Number),
            Want::SetAny => Type::set(Type::Dynamic),
            Want::SetStr => Type::set(Type::String),
            Want::MapListStr => Type::map(Type::list(Type::String)),
        }
    }
}

pub enum Fault {
    /// What is wrong with one argument.
    Argument(usize, String),
    Call(String),
    /// Not simulated.
    Gap,
    /// Nothing is left of the walk's budget, which is told elsewhere.
    Spent,
}

pub type Outcome = Result<Value, Fault>;

pub fn fail<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Call(reason.into()))
}

pub fn wrong<T>(argument: usize, reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Argument(argument, reason.into()))
}

pub struct Arguments<'a> {
    pub values: &'a [Value],
    pub scope: &'a dyn Scope,
    pub budget: &'a Budget,
}

/// What the types alone make impossible, asked when a value is not known yet.
pub fn check_types(function: &str, values: &[Value]) -> Result<(), Fault> {
    let sequence = |ty: &Type| matches!(ty, Type::List(_) | Type::Tuple(_));
    let mapping = |ty: &Type| matches!(ty, Type::Map(_) | Type::Object(_));
    for (index, ty) in values.iter().map(Value::ty).enumerate() {
        let name = ty.friendly();
        if ty == Type::Dynamic {
            continue;
        }
        match (function, index) {
            ("concat", _) if !sequence(&ty) => {
                return wrong(index, format!("all arguments must be lists or tuples; got {name}"));
            }
            ("element", 0) if !sequence(&ty) => return fail(format!("cannot read elements from {name}")),
            ("values", 0) if !mapping(&ty) => return fail("values() requires a map as the first argument"),
            ("merge", _) if !mapping(&ty) => {
                return fail(format!("arguments must be maps or objects, got {}", crate::base::goquote::quote(&name)));
            }
            ("reverse", 0) if !sequence(&ty) && !matches!(ty, Type::Set(_)) => {
                return wrong(0, format!("can only reverse list or tuple values, not {name}"));
            }
            ("slice", 0) if !sequence(&ty) => return sequences::unsliceable(&ty),
            ("setproduct", _) if !sequence(&ty) && !matches!(ty, Type::Set(_)) => {
                return wrong(index, "a set or a list is required");
            }
            ("zipmap", 1) if !sequence(&ty) => return fail("values argument must be a list or tuple value"),
            ("one", 0) if !sequence(&ty) && !matches!(ty, Type::Set(_)) => {
                return wrong(0, "must be a list, set, or tuple value with either zero or one elements");
            }
            ("matchkeys", 1)
                if unify(&[ty.clone(), values.get(2).map(Value::ty).unwrap_or_default()], true).is_none() =>
            {
                return fail("keys and searchset must be of the same type");
            }
            ("parseint", 0) if ty != Type::String => {
                return wrong(0, format!("first argument must be a string, not {name}"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The result of a function whose arguments are not known yet, as far as their types tell it.
pub fn open_result(function: &Function, values: &[Value]) -> Value {
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let first = types.first().cloned().unwrap_or_default();
    let element = first.element().cloned();
    let ty = match function.name {
        "element" | "one" => return Value::unknown(element.unwrap_or_default()),
        "reverse" => element.map(Type::list),
        "slice" | "distinct" | "matchkeys" | "setunion" | "setintersection" | "setsubtract" => {
            first.is_collection().then_some(first)
        }
        "values" => element.map(Type::list),
        "chunklist" => Some(Type::list(first)),
        "concat" if types.iter().all(|ty| matches!(ty, Type::List(_))) => unify(&types, true),
        "merge" if types.iter().all(|ty| *ty == first) => Some(first),
        "zipmap" => types.get(1).and_then(Type::element).cloned().map(Type::map),
        _ => Some(function.gives.ty()),
    };
    Value::unknown_not_null(ty.unwrap_or_default())
}

/// A text as an error may show it.
pub fn redacted(value: &Value) -> String {
    if value.is_sensitive() {
        return "(sensitive value)".into();
    }
    crate::base::goquote::quote(value.as_str().unwrap_or_default())
}

/// The whole number of an argument.
pub fn whole(value: &Value) -> Result<i64, String> {
    value.as_int().ok_or_else(|| format!("value must be a whole number, between {} and {}", i64::MIN, i64::MAX))
}

impl<'a> Arguments<'a> {
    /// Pays for what is about to be made, before it is: bytes of text, or steps.
    pub fn spend(&self, units: usize) -> Result<(), Fault> {
        if self.budget.spend(units as u64) { Ok(()) } else { Err(Fault::Spent) }
    }

    /// What a search finds; its steps are paid for.
    pub fn searched<T>(&self, regex: &Regex, search: impl FnOnce(&Regex) -> T) -> Result<T, Fault> {
        let left = self.budget.left();
        regex.left.set(left);
        let found = search(regex);
        let used = left - regex.left.get();
        if self.budget.spend(used) { Ok(found) } else { Err(Fault::Spent) }
    }

    pub fn value(&self, index: usize) -> &'a Value {
        static NOTHING: Value = Value::NULL;
        self.values.get(index).unwrap_or(&NOTHING)
    }

    pub fn str(&self, index: usize) -> &'a str {
        self.value(index).as_str().unwrap_or_default()
    }
}

impl Function {
    pub fn parameter(&self, index: usize) -> Option<&Parameter> {
        self.parameters.get(index).or(self.rest.as_ref())
    }

    /// `substr(str, offset, length)`, `max(numbers...)`
    pub fn signature(&self) -> String {
        let mut names: Vec<String> = self.parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
        names.extend(self.rest.as_ref().map(|parameter| format!("{}...", parameter.name)));
        format!("{}({})", self.name, names.join(", "))
    }
}

impl Function {
    /// The signature as diagnostics in JSON show it.
    pub fn json(&self) -> Json {
        let ty = |want: Want| Json::Value(type_json(&want.ty()));
        let parameter = |it: &Parameter| Json::of([("name", Json::text(it.name)), ("type", ty(it.want))]);
        let parameters = self.parameters.iter().map(parameter).collect();
        let mut json = Json::of([("name", Json::text(self.name)), ("params", Json::Array(parameters))]);
        if let Some(rest) = &self.rest {
            json.push("variadic_param", parameter(rest));
        }
        json.push("return_type", ty(self.gives));
        json
    }
}

/// The function of a name, with or without `core::`.
pub fn find(name: &str) -> Option<&'static Function> {
    let name = name.strip_prefix("core::").unwrap_or(name);
    table::FUNCTIONS.iter().find(|function| function.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    table::FUNCTIONS.iter().map(|function| function.name)
}
