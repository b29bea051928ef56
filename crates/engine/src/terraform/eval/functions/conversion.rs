//! Conversion functions, marks, and what is not simulated.

use super::{Arguments, Fault, Outcome, fail, wrong};
use crate::base::goquote;
use crate::terraform::value::{Kind, Marks, Type, Value, can_convert, convert, mismatch};

/// Evaluated elsewhere (`try`), or not simulated.
pub fn gap(_: &mut Arguments) -> Outcome {
    Err(Fault::Gap)
}

/// What the scope answers, if it does.
fn ask(arguments: &Arguments, function: &str) -> Outcome {
    arguments.scope.impure(function).ok_or(Fault::Gap)
}

pub fn impure(arguments: &mut Arguments) -> Outcome {
    if arguments.values.len() > 2 {
        return fail("bcrypt() takes no more than two arguments");
    }
    if let Some(cost) = arguments.values.get(1).and_then(Value::as_int).filter(|cost| *cost > 31) {
        return fail(format!(
            "error occured generating password crypto/bcrypt: cost {cost} is outside allowed inclusive range 4..31"
        ));
    }
    ask(arguments, "bcrypt")
}

pub fn timestamp(arguments: &mut Arguments) -> Outcome {
    ask(arguments, "timestamp")
}

pub fn plantimestamp(arguments: &mut Arguments) -> Outcome {
    ask(arguments, "plantimestamp")
}

pub fn uuid(arguments: &mut Arguments) -> Outcome {
    ask(arguments, "uuid")
}

pub fn tobool(arguments: &mut Arguments) -> Outcome {
    to(arguments, &Type::Bool)
}

pub fn tonumber(arguments: &mut Arguments) -> Outcome {
    to(arguments, &Type::Number)
}

pub fn tostring(arguments: &mut Arguments) -> Outcome {
    to(arguments, &Type::String)
}

pub fn tolist(arguments: &mut Arguments) -> Outcome {
    to(arguments, &Type::list(Type::Dynamic))
}

pub fn toset(arguments: &mut Arguments) -> Outcome {
    to(arguments, &Type::set(Type::Dynamic))
}

pub fn tomap(arguments: &mut Arguments) -> Outcome {
    to(arguments, &Type::map(Type::Dynamic))
}

fn to(arguments: &Arguments, want: &Type) -> Outcome {
    let value = arguments.value(0);
    let got = value.ty();
    if got == *want {
        return Ok(value.clone());
    }
    let cannot = || format!("cannot convert {} to {}", got.friendly(), want.constraint_name());
    if !can_convert(&got, want, true) {
        return match (&got, want) {
            (Type::Tuple(_), Type::Tuple(_)) => {
                wrong(0, format!("incompatible tuple type for conversion: {}", mismatch(&got, want)))
            }
            (Type::Object(_), Type::Object(_)) => {
                wrong(0, format!("incompatible object type for conversion: {}", mismatch(&got, want)))
            }
            _ => wrong(0, cannot()),
        };
    }
    if let Ok(value) = convert(value, want) {
        return Ok(value);
    }
    if value.marks_deep().has(Marks::SENSITIVE) {
        return wrong(0, format!("cannot convert this sensitive {} to {}", got.friendly(), want.constraint_name()));
    }
    let what = value.as_str().map_or("string".to_owned(), goquote::quote);
    match (&got, want) {
        (Type::String, Type::Bool) => {
            wrong(0, format!("cannot convert {what} to bool; only the strings \"true\" or \"false\" are allowed"))
        }
        (Type::String, Type::Number) => wrong(
            0,
            format!("cannot convert {what} to number; given string must be a decimal representation of a number"),
        ),
        _ => wrong(0, cannot()),
    }
}

pub fn sensitive(arguments: &mut Arguments) -> Outcome {
    Ok(arguments.value(0).clone().sensitive())
}

pub fn nonsensitive(arguments: &mut Arguments) -> Outcome {
    let (value, marks) = arguments.value(0).clone().unmark();
    Ok(value.with_marks(marks.without(Marks::SENSITIVE)))
}

pub fn issensitive(arguments: &mut Arguments) -> Outcome {
    let value = arguments.value(0);
    if value.is_sensitive() {
        return Ok(Value::bool(true));
    }
    // What is not known may yet turn out to be sensitive.
    Ok(if value.is_known() { Value::bool(false) } else { Value::unknown_not_null(Type::Bool) })
}

pub fn ephemeralasnull(arguments: &mut Arguments) -> Outcome {
    Ok(arguments.value(0).map_deep(&mut |value| {
        if !value.is_ephemeral() {
            return value;
        }
        let ty = value.ty();
        let kept = value.marks.without(Marks::EPHEMERAL);
        Value { kind: Kind::Null(ty), marks: kept }
    }))
}
