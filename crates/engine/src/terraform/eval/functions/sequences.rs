//! Functions on lists and tuples.

use super::{Arguments, Fault, Outcome, fail, whole, wrong};
use crate::base::{BTreeSet, order};
use crate::terraform::value::{Kind, Marks, Number, Type, Value, convert, unify};

const PRODUCT_LIMIT: usize = 100_000;

/// The items of a list, set or tuple, with the value to make of others.
fn like(value: &Value, items: Vec<Value>) -> Value {
    match &value.kind {
        Kind::List(element, _) => Value::list(element.clone(), items),
        Kind::Set(element, _) => Value::list(element.clone(), items),
        _ => Value::tuple(items),
    }
    .with_marks(value.marks)
}

pub fn chunklist(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let size = match whole(arguments.value(1)) {
        Ok(size) if size < 0 => return fail("the size argument must be positive"),
        Ok(size) => size as usize,
        Err(reason) => return fail(format!("invalid size: {reason}")),
    };
    let items = list.items().unwrap_or_default();
    let element = list.ty().element().cloned().unwrap_or_default();
    let size = if size == 0 { items.len().max(1) } else { size };
    let chunks = items.chunks(size).map(|chunk| Value::list(element.clone(), chunk.to_vec())).collect();
    Ok(Value::list(Type::list(element), chunks).with_marks(list.marks))
}

pub fn concat(arguments: &mut Arguments) -> Outcome {
    let Some(first) = arguments.values.first() else { return fail("at least one argument is required") };
    let types: Vec<Type> = arguments.values.iter().map(Value::ty).collect();
    arguments.spend(arguments.values.iter().filter_map(Value::len).sum::<usize>().saturating_mul(16))?;
    let mut marks = Marks::NONE;
    let mut items = Vec::new();
    let common = if types.iter().all(|ty| matches!(ty, Type::List(_))) { unify(&types, true) } else { None };
    let _ = first;
    for (index, value) in arguments.values.iter().enumerate() {
        let converted = match &common {
            Some(ty) => match convert(value, ty) {
                Ok(converted) => converted,
                Err(error) => return wrong(index, error.to_string()),
            },
            None => value.clone(),
        };
        marks = marks | converted.marks;
        match &converted.kind {
            Kind::List(_, own) | Kind::Tuple(own) => items.extend(own.iter().cloned()),
            _ => {
                let got = value.ty().friendly();
                return wrong(index, format!("all arguments must be lists or tuples; got {got}"));
            }
        }
    }
    Ok(match common {
        Some(Type::List(element)) => Value::list((*element).clone(), items),
        _ => Value::tuple(items),
    }
    .with_marks(marks))
}

pub fn distinct(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let mut kept: Vec<Value> = Vec::new();
    // Texts are found again by themselves; other values are compared one by one.
    let mut texts = BTreeSet::new();
    for item in list.items().unwrap_or_default() {
        let new = match item.as_str() {
            Some(text) => texts.insert(text),
            None => {
                arguments.spend(kept.len() * 2)?;
                !kept.contains(item)
            }
        };
        if new {
            kept.push(item.clone());
        }
    }
    Ok(Value::list(list.ty().element().cloned().unwrap_or_default(), kept))
}

pub fn element(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let items = match &list.kind {
        Kind::List(_, items) | Kind::Tuple(items) => items,
        _ => return fail(format!("cannot read elements from {}", list.ty().friendly())),
    };
    let at = match whole(arguments.value(1)) {
        Ok(at) => at,
        Err(reason) => return fail(format!("invalid index: {reason}")),
    };
    if items.is_empty() {
        return fail("cannot use element function with an empty list");
    }
    match items.get(at.rem_euclid(items.len() as i64) as usize) {
        Some(item) => Ok(item.clone().with_marks(list.marks)),
        None => fail("cannot use element function with an empty list"),
    }
}

pub fn flatten(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    // Even its kind is not asked for as long as anything inside is open.
    if matches!(list.kind, Kind::Map(..) | Kind::Object(_)) && !list.is_wholly_known() {
        return Ok(Value::dynamic());
    }
    if !matches!(list.kind, Kind::List(..) | Kind::Set(..) | Kind::Tuple(_)) {
        return fail("can only flatten lists, sets and tuples");
    }
    let mut items = Vec::new();
    let mut marks = Marks::NONE;
    let known = flatten_into(list, &mut items, &mut marks);
    Ok(if known { Value::tuple(items) } else { Value::dynamic() }.with_marks(marks))
}

fn flatten_into(list: &Value, items: &mut Vec<Value>, marks: &mut Marks) -> bool {
    *marks = *marks | list.marks;
    let mut known = true;
    for item in list.items().unwrap_or_default() {
        let sequence = matches!(item.ty(), Type::List(_) | Type::Set(_) | Type::Tuple(_));
        match &item.kind {
            Kind::Unknown(Type::Dynamic, _) => known = false,
            Kind::Unknown(..) if sequence => {
                *marks = *marks | item.marks;
                known = false;
            }
            Kind::Null(_) => items.push(item.clone()),
            _ if sequence => known = flatten_into(item, items, marks) && known,
            _ => items.push(item.clone()),
        }
    }
    known
}

pub fn one(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    match list.items() {
        Some([]) => Ok(Value::null(list.ty().element().cloned().unwrap_or_default())),
        Some([item]) => Ok(item.clone()),
        _ => wrong(0, "must be a list, set, or tuple value with either zero or one elements"),
    }
}

pub fn range(arguments: &mut Arguments) -> Outcome {
    let numbers: Vec<&Number> = arguments.values.iter().filter_map(Value::as_number).collect();
    let zero = Number::from(0);
    let (start, end, step) = match numbers.as_slice() {
        [end] => (&zero, *end, None),
        [start, end] => (*start, *end, None),
        [start, end, step] => (*start, *end, Some(*step)),
        _ => return fail("must have one, two, or three arguments"),
    };
    let downwards = end.compare(start).is_lt();
    let one = Number::from(if downwards { -1 } else { 1 });
    let step = step.unwrap_or(&one);
    let down = step.is_negative();
    if down && end.compare(start).is_gt() {
        return wrong(1, "end must be less than start when step is negative");
    }
    if !down && downwards {
        return wrong(1, "end must be greater than start when step is positive");
    }
    let mut items = Vec::new();
    let mut at = start.clone();
    while if down { at.compare(end).is_gt() } else { at.compare(end).is_lt() } {
        if items.len() >= 1024 {
            return fail(
                "more than 1024 values were generated; either decrease the difference between start and end or use a smaller step",
            );
        }
        items.push(Value::number(at.clone()));
        match at.add(step) {
            Some(next) => at = next,
            None => break,
        }
    }
    Ok(Value::list(Type::Number, items))
}

pub fn reverse(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    match &list.kind {
        Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => {
            Ok(like(list, items.iter().rev().cloned().collect()))
        }
        _ => wrong(0, format!("can only reverse list or tuple values, not {}", list.ty().friendly())),
    }
}

pub fn setproduct(arguments: &mut Arguments) -> Outcome {
    if arguments.values.len() < 2 {
        return fail("at least two arguments are required");
    }
    let mut types = Vec::new();
    let mut marks = Marks::NONE;
    let mut as_list = true;
    let mut total = 1usize;
    for (index, value) in arguments.values.iter().enumerate() {
        types.push(match value.ty() {
            Type::List(element) => (*element).clone(),
            Type::Set(element) => {
                as_list = false;
                (*element).clone()
            }
            Type::Tuple(items) if items.is_empty() => Type::Dynamic,
            Type::Tuple(items) => match unify(&items, true) {
                Some(ty) => ty,
                None => return wrong(index, "all elements must be of the same type"),
            },
            _ => return wrong(index, "a set or a list is required"),
        });
        marks = marks | value.marks;
        total = total.saturating_mul(value.len().unwrap_or(0));
    }
    arguments.spend(total.min(PRODUCT_LIMIT) * arguments.values.len() * 64)?;
    if total > PRODUCT_LIMIT {
        return fail(crate::base::gap::line("products of more than 100000 elements", ""));
    }
    let tuple = Type::tuple(types.clone());
    let mut products: Vec<Vec<Value>> = vec![Vec::new()];
    for (value, ty) in arguments.values.iter().zip(&types) {
        let items = value.items().unwrap_or_default();
        let mut next = Vec::with_capacity(products.len() * items.len());
        for product in &products {
            for item in items {
                let mut longer = product.clone();
                longer.push(convert(item, ty).unwrap_or_else(|_| item.clone()));
                next.push(longer);
            }
        }
        products = next;
    }
    let products = products.into_iter().map(Value::tuple).collect();
    Ok(if as_list { Value::list(tuple, products) } else { Value::set(tuple, products) }.with_marks(marks))
}

pub fn unsliceable<T>(ty: &Type) -> Result<T, Fault> {
    if matches!(ty, Type::Set(_)) {
        return wrong(
            0,
            "cannot slice a set, because its elements do not have indices; explicitly convert to a list if the ordering of the result is not important",
        );
    }
    wrong(0, "must be a list or tuple value")
}

pub fn slice(arguments: &mut Arguments) -> Outcome {
    let list = arguments.value(0);
    let items = match &list.kind {
        Kind::List(_, items) | Kind::Tuple(items) => items,
        _ => return unsliceable(&list.ty()),
    };
    let mut bounds = [0usize; 2];
    for (at, (bound, name)) in bounds.iter_mut().zip(["start", "end"]).enumerate() {
        *bound = match whole(arguments.value(at + 1)) {
            Err(reason) => return wrong(at + 1, format!("invalid {name} index: {reason}")),
            Ok(index) if index < 0 => return wrong(at + 1, format!("{name} index must not be less than zero")),
            Ok(index) if index > items.len() as i64 => {
                return wrong(at + 1, format!("{name} index must not be greater than the length of the list"));
            }
            Ok(index) => index as usize,
        };
    }
    let [start, end] = bounds;
    match items.get(start..end) {
        Some(part) => Ok(like(list, part.to_vec())),
        None => wrong(1, "start index must not be greater than end index"),
    }
}

pub fn sort(arguments: &mut Arguments) -> Outcome {
    let mut items = arguments.value(0).items().unwrap_or_default().to_vec();
    if let Some(at) = items.iter().position(Value::is_null) {
        return fail(format!("given list element {at} is null; a null string cannot be sorted"));
    }
    // What is not known may come to stand anywhere.
    if items.iter().any(|item| !item.is_known()) {
        items.fill(Value::unknown(Type::String));
    }
    let items = order::sorted(items, &|a, b| a.as_str().cmp(&b.as_str()));
    Ok(Value::list(Type::String, items))
}
