//! `value.name` and `value[key]`, with what is said when there is no such thing.

use crate::terraform::hcl::{Diagnostic, Range};
use crate::terraform::value::{Kind, Type, Value, convert};

type Answer = Result<Value, Box<Diagnostic>>;

fn refuse(summary: &str, detail: impl Into<String>, range: &Range) -> Answer {
    Err(Box::new(Diagnostic::error(summary, detail, range)))
}

pub fn attribute(value: &Value, name: &str, range: &Range) -> Answer {
    let unsupported = "Unsupported attribute";
    if value.is_null() {
        let detail = "This value is null, so it does not have any attributes.";
        return refuse("Attempt to get attribute from null value", detail, range);
    }
    let marks = value.marks;
    let ty;
    match &value.kind {
        Kind::Object(items) => match items.get(name) {
            Some(item) => return Ok(item.clone().with_marks(marks)),
            None => ty = Type::object(Default::default()),
        },
        Kind::Map(_, items) => {
            return match items.get(name) {
                Some(item) => Ok(item.clone().with_marks(marks)),
                None => {
                    let detail = format!("This map does not have an element with the key \"{name}\".");
                    refuse("Missing map element", detail, range)
                }
            };
        }
        Kind::Unknown(Type::Dynamic, _) => return Ok(Value::dynamic().with_marks(marks)),
        Kind::Unknown(Type::Map(element), _) => return Ok(Value::unknown((**element).clone()).with_marks(marks)),
        Kind::Unknown(Type::Object(object), _) if object.attributes.contains_key(name) => {
            let ty = object.attributes.get(name).cloned().unwrap_or_default();
            return Ok(Value::unknown(ty).with_marks(marks));
        }
        _ => ty = value.ty(),
    }
    let detail = match &ty {
        Type::Object(_) => format!("This object does not have an attribute named \"{name}\"."),
        Type::List(element) if matches!(**element, Type::Object(_)) => {
            let attribute = if element.attributes().is_some_and(|attributes| attributes.contains_key(name)) {
                format!("attribute \"{name}\"")
            } else {
                "an attribute".into()
            };
            format!(
                "Can't access attributes on a list of objects. Did you mean to access {attribute} for a specific element of the list, or across all elements of the list?"
            )
        }
        Type::Set(element) if matches!(**element, Type::Object(_)) => {
            "Can't access attributes on a set of objects. Did you mean to access an attribute across all elements of the set?".into()
        }
        ty if ty.is_primitive() => {
            format!("Can't access attributes on a primitive-typed value ({}).", ty.friendly())
        }
        _ => "This value does not have any attributes.".into(),
    };
    refuse(unsupported, detail, range)
}

pub fn index(collection: &Value, key: &Value, range: &Range) -> Answer {
    let invalid = "Invalid index";
    let no_element = "The given key does not identify an element in this collection value";
    if collection.is_null() {
        let detail = "This value is null, so it does not have any indices.";
        return refuse("Attempt to index null value", detail, range);
    }
    if key.is_null() {
        return refuse(invalid, "Can't use a null value as an indexing key.", range);
    }
    // Not all that is in it is asked for its type.
    let ty = match &collection.kind {
        Kind::Tuple(_) => Type::tuple(Vec::new()),
        Kind::Object(_) => Type::object(Default::default()),
        _ => collection.ty(),
    };
    let key_type = key.ty();
    let marks = collection.marks;
    if ty == Type::Dynamic || key_type == Type::Dynamic {
        return Ok(Value::dynamic().with_marks(marks));
    }
    let want = match &ty {
        Type::List(_) | Type::Tuple(_) => Type::Number,
        Type::Map(_) | Type::Object(_) => Type::String,
        Type::Set(_) => {
            let detail = "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.";
            return refuse(invalid, detail, range);
        }
        _ => return refuse(invalid, "This value does not have any indices.", range),
    };
    let key = match convert(key, &want) {
        Ok(key) => key,
        Err(error) => return refuse(invalid, format!("{no_element}: {error}."), range),
    };
    // A sensitive key makes what it selects sensitive.
    let marks = if matches!(ty, Type::Object(_)) { marks } else { marks | key.marks };
    if let Type::Object(object) = &ty {
        let Some(name) = key.as_str() else { return Ok(Value::dynamic().with_marks(marks)) };
        return match (collection.get(name), object.attributes.get(name)) {
            (Some(item), _) => Ok(item.clone().with_marks(marks)),
            (None, Some(ty)) => Ok(Value::unknown(ty.clone()).with_marks(marks)),
            (None, None) => {
                let hint = if key_type == Type::Number {
                    " An object only supports looking up attributes by name, not by numeric index."
                } else {
                    ""
                };
                refuse(invalid, format!("{no_element}.{hint}"), range)
            }
        };
    }
    let element = ty.element().cloned().unwrap_or_default();
    if !key.is_known() {
        return Ok(Value::unknown(element).with_marks(marks));
    }
    if let (Type::Tuple(types), Kind::Unknown(..)) = (&ty, &collection.kind) {
        let found = key.as_int().and_then(|at| usize::try_from(at).ok()).and_then(|at| types.get(at));
        return match found {
            Some(ty) => Ok(Value::unknown(ty.clone()).with_marks(marks)),
            None => refuse(invalid, format!("{no_element}."), range),
        };
    }
    if !collection.is_known() {
        return Ok(Value::unknown(element).with_marks(marks));
    }
    if let Some(name) = key.as_str() {
        return match collection.get(name) {
            Some(item) => Ok(item.clone().with_marks(marks)),
            None => refuse(invalid, format!("{no_element}."), range),
        };
    }
    let items = collection.items().unwrap_or_default();
    let number = key.as_number();
    if let Some(item) = key.as_int().and_then(|at| usize::try_from(at).ok()).and_then(|at| items.get(at)) {
        return Ok(item.clone().with_marks(marks));
    }
    let reason = if number.is_some_and(|number| !number.is_whole()) {
        ": indexing a sequence requires a whole number, but the given index has a fractional part"
    } else if number.is_some_and(|number| number.is_negative()) {
        ": a negative number is not a valid index for a sequence"
    } else if items.is_empty() && key.as_int() == Some(0) {
        ": the collection has no elements"
    } else if key.as_int() == Some(items.len() as i64) {
        ": the given index is greater than or equal to the length of the collection"
    } else {
        ""
    };
    refuse(invalid, format!("{no_element}{reason}."), range)
}
