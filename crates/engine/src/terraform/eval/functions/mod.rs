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

pub use files::read_text;

use super::Scope;
use crate::terraform::value::{Type, Value};

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

/// The function of a name, with or without `core::`.
pub fn find(name: &str) -> Option<&'static Function> {
    let name = name.strip_prefix("core::").unwrap_or(name);
    table::FUNCTIONS.iter().find(|function| function.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    table::FUNCTIONS.iter().map(|function| function.name)
}
