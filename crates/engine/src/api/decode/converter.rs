//! apimachinery's unstructured converter: what a strategic merge patch is read by, in place of the JSON decoder. Only its
//! refusals are told here; they name Go's kinds and not the field.

use super::{Place, Walk};
use crate::api::schema::{Ty, Type};
use crate::base::Value;

const DEEPEST: usize = 160;

/// The first thing that does not fit, in Go's order of fields.
pub(super) fn refusal(value: &Value, ty: &'static Type) -> Option<String> {
    check(value, Ty::Struct(ty.id), 0).err()
}

fn check(value: &Value, ty: Ty, depth: usize) -> Result<(), String> {
    if value.is_null() || depth > DEEPEST {
        return Ok(());
    }
    let unlike = |kind: &str| Err(format!("unrecognized type: {kind}"));
    match (ty, value) {
        (Ty::Text(_), Value::Text(_)) | (Ty::Bool, Value::Bool(_)) | (Ty::Any(_), _) => Ok(()),
        (Ty::Text(name), Value::Int(_)) => {
            let name = if name.is_empty() { "string" } else { name };
            Err(format!("cannot convert int64 to {name}"))
        }
        (Ty::Text(_), _) => unlike("string"),
        (Ty::Bool, _) => unlike("bool"),
        (Ty::Int32 | Ty::Int64, Value::Int(_)) | (Ty::Double, Value::Int(_) | Value::Float(_)) => Ok(()),
        (Ty::Int32 | Ty::Int64, Value::Float(number)) if number.fract() == 0.0 => Ok(()),
        (Ty::Int32, Value::Float(_)) => Err("cannot convert float64 to int32".into()),
        (Ty::Int64, Value::Float(_)) => Err("cannot convert float64 to int64".into()),
        (Ty::Int32, _) => unlike("int32"),
        (Ty::Int64, _) => unlike("int64"),
        (Ty::Double, _) => unlike("float64"),
        (Ty::Bytes, Value::Text(_)) => decoded(value, ty).map_err(|why| format!("error decoding from json: {why}")),
        (Ty::Quantity | Ty::IntOrString | Ty::Time | Ty::MicroTime, _) => decoded(value, ty),
        (Ty::Struct(id), Value::Map(_)) => {
            id.get().fields.iter().try_for_each(|field| check(value.get(field.name), field.ty, depth + 1))
        }
        (Ty::Struct(_), _) => Err(format!("cannot restore struct from: {}", kind(value))),
        (Ty::List(item), Value::List(items)) => items.iter().try_for_each(|each| check(each, *item, depth + 1)),
        (Ty::List(_) | Ty::Bytes, _) => Err(format!("cannot restore slice from {}", kind(value))),
        (Ty::Map(item), Value::Map(map)) => map.iter().try_for_each(|(_, each)| check(each, *item, depth + 1)),
        (Ty::Map(_), _) => Err(format!("cannot restore map from {}", kind(value))),
    }
}

/// Types with a reader of their own read JSON even here.
fn decoded(value: &Value, ty: Ty) -> Result<(), String> {
    Walk { unknown: Vec::new(), deepest: 0 }.value(value, ty, &Place::default()).map(|_| ())
}

/// `reflect.Kind` of what JSON became.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "invalid",
        Value::Bool(_) => "bool",
        Value::Int(_) => "int64",
        Value::Float(_) => "float64",
        Value::Text(_) => "string",
        Value::List(_) => "slice",
        Value::Map(_) => "map",
    }
}
