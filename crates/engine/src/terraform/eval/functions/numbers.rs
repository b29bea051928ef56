//! Numeric functions.

use super::{Arguments, Outcome, fail, redacted, whole, wrong};
use crate::terraform::value::{Kind, Natural, Number, Type, Value, convert};

fn number<'a>(arguments: &Arguments<'a>, index: usize) -> Result<&'a Number, super::Fault> {
    match arguments.value(index).as_number() {
        Some(number) => Ok(number),
        None => wrong(index, "a number is required"),
    }
}

pub fn abs(arguments: &mut Arguments) -> Outcome {
    Ok(Value::number(number(arguments, 0)?.absolute()))
}

pub fn ceil(arguments: &mut Arguments) -> Outcome {
    Ok(Value::number(number(arguments, 0)?.ceil()))
}

pub fn floor(arguments: &mut Arguments) -> Outcome {
    Ok(Value::number(number(arguments, 0)?.floor()))
}

pub fn signum(arguments: &mut Arguments) -> Outcome {
    let number = number(arguments, 0)?;
    if let Err(reason) = whole(arguments.value(0)) {
        return fail(reason);
    }
    Ok(Value::int(if number.is_zero() {
        0
    } else if number.is_negative() {
        -1
    } else {
        1
    }))
}

fn extreme(arguments: &Arguments, wanted: std::cmp::Ordering) -> Outcome {
    let mut best: Option<&Number> = None;
    for value in arguments.values {
        if let Some(number) = value.as_number()
            && best.is_none_or(|best| number.compare(best) == wanted)
        {
            best = Some(number);
        }
    }
    match best {
        Some(best) => Ok(Value::number(best.clone())),
        None => fail("must pass at least one number"),
    }
}

pub fn max(arguments: &mut Arguments) -> Outcome {
    extreme(arguments, std::cmp::Ordering::Greater)
}

pub fn min(arguments: &mut Arguments) -> Outcome {
    extreme(arguments, std::cmp::Ordering::Less)
}

fn from_float(value: f64) -> Outcome {
    match Number::from_f64(value) {
        Some(number) => Ok(Value::number(number)),
        None => fail("the result is not a finite number"),
    }
}

pub fn log(arguments: &mut Arguments) -> Outcome {
    from_float(number(arguments, 0)?.to_f64().ln() / number(arguments, 1)?.to_f64().ln())
}

pub fn pow(arguments: &mut Arguments) -> Outcome {
    from_float(number(arguments, 0)?.to_f64().powf(number(arguments, 1)?.to_f64()))
}

pub fn parseint(arguments: &mut Arguments) -> Outcome {
    let given = arguments.value(0);
    let Some(text) = given.as_str() else {
        return wrong(0, format!("first argument must be a string, not {}", given.ty().friendly()));
    };
    let base = match whole(arguments.value(1)) {
        Ok(base) => base,
        Err(reason) => return wrong(1, reason),
    };
    if !(2..=62).contains(&base) {
        return wrong(1, "base must be a whole number between 2 and 62 inclusive");
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = (!digits.is_empty() && digits.len() <= 4096).then(|| parse(digits, base as u32)).flatten();
    match value {
        Some(value) => {
            Ok(Value::number(Number::from_natural(negative, value)).with_marks(given.marks | arguments.value(1).marks))
        }
        None => wrong(0, format!("cannot parse {} as a base {base} integer", redacted(given))),
    }
}

/// Up to base 36 letters of both cases are one; above, small letters come first.
fn parse(digits: &str, base: u32) -> Option<Natural> {
    if base <= 36 {
        return Natural::parse(digits, base);
    }
    let mut value = Natural::default();
    for c in digits.chars() {
        let digit = match c {
            'A'..='Z' => c as u32 - 'A' as u32 + 36,
            _ => c.to_digit(36)?,
        };
        if digit >= base {
            return None;
        }
        value = value.multiply(&Natural::from(u64::from(base))).add(&Natural::from(u64::from(digit)));
    }
    Some(value)
}

pub fn sum(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let Some(elements) = list.elements() else { return wrong(0, "cannot sum noniterable") };
    if elements.is_empty() {
        return wrong(0, "cannot sum an empty list");
    }
    if matches!(list.kind, Kind::Map(..) | Kind::Object(_)) {
        let detail = format!("argument must be list, set, or tuple. Received {}", list.ty().friendly());
        return wrong(0, detail);
    }
    // The first of them alone keeps its sign, where it is nothing.
    let mut total = Number::from(0).negate();
    for (_, element) in elements {
        let number = convert(&element, &Type::Number).ok();
        let sum = number.as_ref().and_then(Value::as_number).and_then(|number| total.add(number));
        match sum {
            Some(sum) => total = sum,
            None => return wrong(0, "argument must be list, set, or tuple of number values"),
        }
    }
    Ok(Value::number(total))
}
