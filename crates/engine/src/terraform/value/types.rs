//! Types of the language: what `variable "x" { type = … }` names and what every value has.

use crate::base::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::SmolStr;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Type {
    /// `any`: not yet decided.
    #[default]
    Dynamic,
    Bool,
    Number,
    String,
    List(Arc<Type>),
    Set(Arc<Type>),
    Map(Arc<Type>),
    Tuple(Arc<[Type]>),
    Object(Arc<ObjectType>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectType {
    pub attributes: BTreeMap<SmolStr, Type>,
    /// Attributes that a conversion may fill with null; only in type constraints, never in the type of a value.
    pub optional: BTreeSet<SmolStr>,
}

impl Type {
    pub fn list(element: Type) -> Type {
        Type::List(Arc::new(element))
    }

    pub fn set(element: Type) -> Type {
        Type::Set(Arc::new(element))
    }

    pub fn map(element: Type) -> Type {
        Type::Map(Arc::new(element))
    }

    pub fn tuple(elements: Vec<Type>) -> Type {
        Type::Tuple(elements.into())
    }

    pub fn object(attributes: BTreeMap<SmolStr, Type>) -> Type {
        Type::Object(Arc::new(ObjectType { attributes, optional: BTreeSet::new() }))
    }

    pub fn is_primitive(&self) -> bool {
        matches!(self, Type::Bool | Type::Number | Type::String)
    }

    pub fn is_collection(&self) -> bool {
        matches!(self, Type::List(_) | Type::Set(_) | Type::Map(_))
    }

    pub fn is_structural(&self) -> bool {
        matches!(self, Type::Tuple(_) | Type::Object(_))
    }

    /// The element type of a list, set or map.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::List(element) | Type::Set(element) | Type::Map(element) => Some(element),
            _ => None,
        }
    }

    pub fn attributes(&self) -> Option<&BTreeMap<SmolStr, Type>> {
        match self {
            Type::Object(object) => Some(&object.attributes),
            _ => None,
        }
    }

    /// Whether `any` stands in it anywhere.
    pub fn has_dynamic(&self) -> bool {
        match self {
            Type::Dynamic => true,
            Type::Bool | Type::Number | Type::String => false,
            Type::List(element) | Type::Set(element) | Type::Map(element) => element.has_dynamic(),
            Type::Tuple(elements) => elements.iter().any(Type::has_dynamic),
            Type::Object(object) => object.attributes.values().any(Type::has_dynamic),
        }
    }

    /// The type that values get: without the notes on optional attributes.
    pub fn without_optional(&self) -> Type {
        match self {
            Type::List(element) => Type::list(element.without_optional()),
            Type::Set(element) => Type::set(element.without_optional()),
            Type::Map(element) => Type::map(element.without_optional()),
            Type::Tuple(elements) => Type::tuple(elements.iter().map(Type::without_optional).collect()),
            Type::Object(object) => {
                Type::object(object.attributes.iter().map(|(k, t)| (k.clone(), t.without_optional())).collect())
            }
            other => other.clone(),
        }
    }

    /// The name for a reader: `list of string`, `object`, `tuple`, `dynamic`.
    pub fn friendly(&self) -> String {
        match self {
            Type::Dynamic => "dynamic".into(),
            Type::Bool => "bool".into(),
            Type::Number => "number".into(),
            Type::String => "string".into(),
            Type::List(element) => format!("list of {}", element.friendly()),
            Type::Set(element) => format!("set of {}", element.friendly()),
            Type::Map(element) => format!("map of {}", element.friendly()),
            Type::Tuple(_) => "tuple".into(),
            Type::Object(_) => "object".into(),
        }
    }

    /// As `friendly`, but for a constraint: what is undecided reads `any`.
    pub fn constraint_name(&self) -> String {
        match self {
            Type::Dynamic => "any type".into(),
            Type::List(element) if **element == Type::Dynamic => "list of any single type".into(),
            Type::Set(element) if **element == Type::Dynamic => "set of any single type".into(),
            Type::Map(element) if **element == Type::Dynamic => "map of any single type".into(),
            Type::List(element) => format!("list of {}", element.constraint_name()),
            Type::Set(element) => format!("set of {}", element.constraint_name()),
            Type::Map(element) => format!("map of {}", element.constraint_name()),
            other => other.friendly(),
        }
    }
}
