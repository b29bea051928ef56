//! Conversion of values to types, the type that several have in common, and what is said when there is none.

use crate::base::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{Kind, Marks, Number, ObjectType, Path, PathStep, Refinement, Type, Value};
use crate::base::{SmolStr, order};

#[derive(Clone, Debug, PartialEq)]
pub struct ConvertError {
    pub path: Path,
    pub message: String,
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl ConvertError {
    fn at(path: &[PathStep], message: impl Into<String>) -> ConvertError {
        ConvertError { path: path.to_vec(), message: message.into() }
    }

    /// The message after the place in the value: `.ports[0]: a number is required`.
    pub fn with_path(&self) -> String {
        if self.path.is_empty() { self.message.clone() } else { format!("{}: {}", path_text(&self.path), self.message) }
    }
}

/// `.name["key"][0]`
pub fn path_text(path: &[PathStep]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            PathStep::Attribute(name) => out.push_str(&format!(".{name}")),
            PathStep::Index(key) => match &key.kind {
                Kind::String(text) => out.push_str(&format!("[{}]", crate::base::goquote::quote(text))),
                Kind::Number(number) => out.push_str(&format!("[{number}]")),
                _ => out.push_str("[...]"),
            },
        }
    }
    out
}

/// The value as one of the type, if that can be.
pub fn convert(value: &Value, to: &Type) -> Result<Value, ConvertError> {
    let from = value.ty();
    if from == to.without_optional() {
        return Ok(value.clone());
    }
    if !can_convert(&from, to, true) {
        return Err(ConvertError { path: Vec::new(), message: mismatch(&from, to) });
    }
    apply(value, to, true, &mut Vec::new())
}

/// Whether values of the type can become such of another: certainly, or (`hopefully`) depending on the value.
pub fn can_convert(from: &Type, to: &Type, hopefully: bool) -> bool {
    let can = |from: &Type, to: &Type| from == to || can_convert(from, to, hopefully);
    match (from, to) {
        (_, Type::Dynamic) => true,
        (Type::Dynamic, _) => hopefully,
        (Type::Number | Type::Bool, Type::String) => true,
        (Type::String, Type::Number | Type::Bool) => hopefully,
        (Type::Bool | Type::Number | Type::String, _) => from == to,
        (Type::Object(have), Type::Object(want)) => want
            .attributes
            .iter()
            .all(|(name, ty)| have.attributes.get(name).map_or(want.optional.contains(name), |own| can(own, ty))),
        (Type::Tuple(have), Type::Tuple(want)) => {
            have.len() == want.len() && have.iter().zip(want.iter()).all(|(have, want)| can(have, want))
        }
        (Type::List(_), Type::Set(_)) if !hopefully => false,
        (Type::List(have) | Type::Set(have), Type::List(want) | Type::Set(want)) => can(have, want),
        (Type::Map(have), Type::Map(want)) => can(have, want),
        (Type::Tuple(have), Type::List(want) | Type::Set(want)) => can_all(have.iter(), want, hopefully),
        (Type::Object(have), Type::Map(want)) => can_all(have.attributes.values(), want, hopefully),
        (Type::Map(have), Type::Object(want)) => {
            hopefully && want.attributes.iter().all(|(name, ty)| want.optional.contains(name) || can(have, ty))
        }
        _ => false,
    }
}

/// Whether types can all become one: the given, or any.
fn can_all<'a>(types: impl ExactSizeIterator<Item = &'a Type> + Clone, want: &Type, hopefully: bool) -> bool {
    if types.len() == 0 {
        return true;
    }
    let common;
    let want = if *want == Type::Dynamic {
        let all: Vec<Type> = types.clone().cloned().collect();
        match unify(&all, hopefully) {
            Some(Type::Dynamic) => return all.iter().all(|ty| *ty == Type::Dynamic),
            Some(ty) => {
                common = ty;
                &common
            }
            None => return false,
        }
    } else {
        want
    };
    types.clone().all(|ty| ty == want || can_convert(ty, want, hopefully))
}

fn apply(value: &Value, to: &Type, hopefully: bool, path: &mut Path) -> Result<Value, ConvertError> {
    let out = apply_unmarked(value, to, hopefully, path)?;
    Ok(out.with_marks(value.marks))
}

fn apply_unmarked(value: &Value, to: &Type, hopefully: bool, path: &mut Path) -> Result<Value, ConvertError> {
    let from = value.ty();
    if *to == Type::Dynamic || from == *to {
        return Ok(value.clone());
    }
    match &value.kind {
        Kind::Null(_) => return Ok(Value::null(resolve(&from, &to.without_optional()))),
        Kind::Unknown(_, refinement) => {
            let ty = resolve(&from, &to.without_optional());
            let keep = Refinement { not_null: refinement.not_null, prefix: SmolStr::default() };
            return Ok(Kind::Unknown(ty, keep).into());
        }
        _ => {}
    }
    if !can_convert(&from, to, true) {
        return Err(ConvertError::at(path, mismatch(&from, to)));
    }
    match (&value.kind, to) {
        (Kind::Number(number), Type::String) => Ok(Value::string(number.to_string())),
        (Kind::Bool(truth), Type::String) => Ok(Value::string(truth.to_string())),
        (Kind::String(text), Type::Number) => match Number::parse(text) {
            Some(number) => Ok(Value::number(number)),
            None => Err(ConvertError::at(path, "a number is required")),
        },
        (Kind::String(text), Type::Bool) => match text.as_str() {
            "true" | "1" => Ok(Value::bool(true)),
            "false" | "0" => Ok(Value::bool(false)),
            other => {
                let lower = other.to_lowercase();
                let hint = if matches!(lower.as_str(), "true" | "false") {
                    format!("; to convert from string, use lowercase \"{lower}\"")
                } else {
                    String::new()
                };
                Err(ConvertError::at(path, format!("a bool is required{hint}")))
            }
        },
        (_, Type::Object(want)) => to_object(value, want, hopefully, path),
        (Kind::Tuple(items), Type::Tuple(want)) => {
            let mut out = Vec::with_capacity(items.len());
            for (index, (item, ty)) in items.iter().zip(want.iter()).enumerate() {
                path.push(PathStep::Index(Value::int(index as i64)));
                out.push(apply(item, ty, hopefully, path)?);
                path.pop();
            }
            Ok(Value::tuple(out))
        }
        (_, Type::List(want) | Type::Set(want)) => {
            let given = value.items().unwrap_or_default();
            let depth = path.len();
            let made = to_elements(given, &from, want, hopefully, path).map_err(|mut error| {
                // Elements of a set have no place.
                if matches!(to, Type::Set(_)) && error.path.len() > depth {
                    error.path.remove(depth);
                }
                error
            });
            let (ty, items) = made?;
            Ok(if matches!(to, Type::List(_)) { Value::list(ty, items) } else { Value::set(ty, items) })
        }
        (_, Type::Map(want)) => {
            let entries = value.entries().cloned().unwrap_or_default();
            let (keys, given): (Vec<SmolStr>, Vec<Value>) = entries.into_iter().unzip();
            let want = common_element(&given, &from, want, hopefully);
            let mut items = Vec::with_capacity(given.len());
            for (key, item) in keys.iter().zip(&given) {
                path.push(PathStep::Index(Value::string(key.clone())));
                items.push(apply(item, &want, hopefully, path)?);
                path.pop();
            }
            let (ty, items) = same_type(items, &want, &from, hopefully, path)?;
            Ok(Value::map(ty, keys.into_iter().zip(items).collect()))
        }
        _ => Err(ConvertError::at(path, mismatch(&from, to))),
    }
}

/// The element type to convert to: the given one, or the one that elements of different types have in common.
fn common_element(items: &[Value], from: &Type, want: &Type, hopefully: bool) -> Type {
    if *want != Type::Dynamic || !from.is_structural() {
        return want.clone();
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    unify(&types, hopefully).unwrap_or_default()
}

fn to_elements(
    given: &[Value],
    from: &Type,
    want: &Type,
    hopefully: bool,
    path: &mut Path,
) -> Result<(Type, Vec<Value>), ConvertError> {
    let want = common_element(given, from, want, hopefully);
    let mut items = Vec::with_capacity(given.len());
    for (index, item) in given.iter().enumerate() {
        path.push(PathStep::Index(Value::int(index as i64)));
        items.push(apply(item, &want, hopefully, path)?);
        path.pop();
    }
    same_type(items, &want, from, hopefully, path)
}

/// Elements of one type, when the wanted one left something open.
fn same_type(
    items: Vec<Value>,
    want: &Type,
    from: &Type,
    hopefully: bool,
    path: &[PathStep],
) -> Result<(Type, Vec<Value>), ConvertError> {
    if !want.has_dynamic() {
        return Ok((want.without_optional(), items));
    }
    if items.is_empty() {
        let own = from.element().filter(|_| *want == Type::Dynamic);
        return Ok((own.cloned().unwrap_or_else(|| want.without_optional()), items));
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let Some(common) = unify(&types, hopefully) else {
        return Err(ConvertError::at(path, "cannot find a common base type for all elements"));
    };
    let mut out = Vec::with_capacity(items.len());
    for item in &items {
        out.push(apply(item, &common, true, &mut path.to_vec())?);
    }
    Ok((common, out))
}

fn to_object(value: &Value, want: &Arc<ObjectType>, hopefully: bool, path: &mut Path) -> Result<Value, ConvertError> {
    let is_map = matches!(value.kind, Kind::Map(..));
    let mut out = BTreeMap::new();
    for (name, ty) in &want.attributes {
        let Some(own) = value.get(name) else {
            if !want.optional.contains(name) {
                let message = format!("map has no element for required attribute \"{name}\"");
                return Err(ConvertError::at(path, message));
            }
            out.insert(name.clone(), Value::null(ty.without_optional()));
            continue;
        };
        if is_map && own.ty() != *ty && !can_convert(&own.ty(), ty, hopefully) {
            let message =
                format!("map element type is incompatible with attribute \"{name}\": {}", mismatch(&own.ty(), ty));
            return Err(ConvertError::at(path, message));
        }
        path.push(if is_map {
            PathStep::Index(Value::string(name.clone()))
        } else {
            PathStep::Attribute(name.clone())
        });
        let new = apply(own, ty, hopefully, path)?;
        path.pop();
        out.insert(name.clone(), new);
    }
    Ok(Value::object(out))
}

/// The type a null or unknown value gets: what the wanted one leaves open is taken from its own.
fn resolve(from: &Type, to: &Type) -> Type {
    let common = |types: Vec<Type>| unify(&types, true).unwrap_or_default();
    match (from, to) {
        (Type::Dynamic, _) => to.clone(),
        (_, Type::Dynamic) => from.clone(),
        (Type::Map(from), Type::Map(to)) => Type::map(resolve(from, to)),
        (Type::Object(from), Type::Map(to)) => {
            Type::map(resolve(&common(from.attributes.values().cloned().collect()), to))
        }
        (Type::Map(from), Type::Object(to)) => {
            Type::object(to.attributes.iter().map(|(name, ty)| (name.clone(), resolve(from, ty))).collect())
        }
        (Type::Object(from), Type::Object(to)) => Type::object(
            to.attributes
                .iter()
                .map(|(name, ty)| (name.clone(), from.attributes.get(name).map_or(ty.clone(), |own| resolve(own, ty))))
                .collect(),
        ),
        (Type::List(from) | Type::Set(from), Type::List(to)) => Type::list(resolve(from, to)),
        (Type::List(from) | Type::Set(from), Type::Set(to)) => Type::set(resolve(from, to)),
        (Type::Tuple(from), Type::List(to)) => Type::list(resolve(&common(from.to_vec()), to)),
        (Type::Tuple(from), Type::Set(to)) => Type::set(resolve(&common(from.to_vec()), to)),
        (Type::Tuple(from), Type::Tuple(to)) => {
            Type::tuple(from.iter().zip(to.iter()).map(|(from, to)| resolve(from, to)).collect())
        }
        _ => to.clone(),
    }
}

/// The one type that all can become; `hopefully` allows conversions that depend on the value.
pub fn unify(types: &[Type], hopefully: bool) -> Option<Type> {
    let first = types.first()?;
    if types.iter().all(|ty| ty == first) {
        return Some(first.clone());
    }
    let count = |is: fn(&Type) -> bool| types.iter().filter(|ty| is(ty)).count();
    let dynamic = count(|ty| *ty == Type::Dynamic);
    let maps = count(|ty| matches!(ty, Type::Map(_)));
    let lists = count(|ty| matches!(ty, Type::List(_)));
    let sets = count(|ty| matches!(ty, Type::Set(_)));
    let objects = count(|ty| matches!(ty, Type::Object(_)));
    let tuples = count(|ty| matches!(ty, Type::Tuple(_)));
    let all = |kinds: usize| kinds > 0 && kinds + dynamic == types.len();
    let elements = |make: fn(Type) -> Type| {
        if dynamic > 0 {
            return Some(Type::Dynamic);
        }
        let elements: Vec<Type> = types.iter().filter_map(Type::element).cloned().collect();
        unify(&elements, hopefully).map(make)
    };
    if all(maps) {
        return elements(Type::map);
    } else if maps > 0 && all(maps + objects) {
        if let Some(ty) = unify_with(types, hopefully, |ty| matches!(ty, Type::Object(_)), objects_as_map) {
            return Some(ty);
        }
    } else if all(lists) {
        return elements(Type::list);
    } else if lists > 0 && all(lists + tuples) {
        if let Some(ty) = unify_with(types, hopefully, |ty| matches!(ty, Type::Tuple(_)), tuples_as_list) {
            return Some(ty);
        }
    } else if all(sets) {
        return elements(Type::set);
    } else if all(objects) {
        return if dynamic > 0 { Some(Type::Dynamic) } else { unify_objects(types, hopefully) };
    } else if all(tuples) {
        return if dynamic > 0 { Some(Type::Dynamic) } else { unify_tuples(types, hopefully) };
    } else if objects > 0 && tuples > 0 {
        return None;
    }
    let ordered = order::sorted(types.iter().collect(), &|a: &&Type, b| preference(a).cmp(&preference(b)));
    ordered.into_iter().find(|want| types.iter().all(|ty| ty == *want || can_convert(ty, want, hopefully))).cloned()
}

fn preference(ty: &Type) -> u8 {
    match ty {
        Type::String | Type::List(_) | Type::Map(_) => 0,
        Type::Tuple(_) => 1,
        Type::Set(_) => 2,
        Type::Dynamic => 9,
        _ => 3,
    }
}

/// Structural types among collections: first what they have in common as a collection, then that with the others.
fn unify_with(
    types: &[Type],
    hopefully: bool,
    is: fn(&Type) -> bool,
    common: fn(&[Type], bool) -> Option<Type>,
) -> Option<Type> {
    let structural: Vec<Type> = types.iter().filter(|ty| is(ty)).cloned().collect();
    let collection = common(&structural, hopefully)?;
    let replaced: Vec<Type> = types.iter().map(|ty| if is(ty) { collection.clone() } else { ty.clone() }).collect();
    unify(&replaced, hopefully).filter(Type::is_collection)
}

fn objects_as_map(types: &[Type], hopefully: bool) -> Option<Type> {
    let all: Vec<Type> = types.iter().filter_map(Type::attributes).flat_map(|a| a.values().cloned()).collect();
    let map = Type::map(unify(&all, hopefully)?);
    types.iter().all(|ty| can_convert(ty, &map, hopefully)).then_some(map)
}

fn tuples_as_list(types: &[Type], hopefully: bool) -> Option<Type> {
    let all: Vec<Type> = types
        .iter()
        .flat_map(|ty| match ty {
            Type::Tuple(elements) => elements.to_vec(),
            _ => Vec::new(),
        })
        .collect();
    let list = Type::list(unify(&all, hopefully)?);
    types.iter().all(|ty| can_convert(ty, &list, hopefully)).then_some(list)
}

fn unify_objects(types: &[Type], hopefully: bool) -> Option<Type> {
    let all: Vec<&BTreeMap<SmolStr, Type>> = types.iter().filter_map(Type::attributes).collect();
    let first = *all.first()?;
    if all.iter().any(|other| !other.keys().eq(first.keys())) {
        return objects_as_map(types, hopefully);
    }
    let mut attributes = BTreeMap::new();
    for name in first.keys() {
        let across: Vec<Type> = all.iter().filter_map(|attributes| attributes.get(name)).cloned().collect();
        attributes.insert(name.clone(), unify(&across, hopefully)?);
    }
    let object = Type::object(attributes);
    let fits = types.iter().all(|ty| can_convert(ty, &object, hopefully));
    if fits { Some(object) } else { objects_as_map(types, hopefully) }
}

fn unify_tuples(types: &[Type], hopefully: bool) -> Option<Type> {
    let all: Vec<&Arc<[Type]>> = types
        .iter()
        .filter_map(|ty| match ty {
            Type::Tuple(elements) => Some(elements),
            _ => None,
        })
        .collect();
    let length = all.first()?.len();
    if all.iter().any(|other| other.len() != length) {
        return tuples_as_list(types, hopefully);
    }
    let mut elements = Vec::with_capacity(length);
    for index in 0..length {
        let across: Vec<Type> = all.iter().filter_map(|elements| elements.get(index)).cloned().collect();
        elements.push(unify(&across, hopefully)?);
    }
    let tuple = Type::tuple(elements);
    let fits = types.iter().all(|ty| can_convert(ty, &tuple, hopefully));
    if fits { Some(tuple) } else { tuples_as_list(types, hopefully) }
}

/// Values converted to the type they have in common; unknown ones when that stays open.
pub fn unify_values(values: &[Value], hopefully: bool) -> Option<(Type, Vec<Value>)> {
    let types: Vec<Type> = values.iter().map(Value::ty).collect();
    let common = unify(&types, hopefully)?;
    let open = common == Type::Dynamic && types.iter().any(|ty| *ty != Type::Dynamic);
    let convert_one = |value: &Value| {
        if open { Some(Value::dynamic().with_marks(value.marks_deep())) } else { convert(value, &common).ok() }
    };
    let values = values.iter().map(convert_one).collect::<Option<Vec<Value>>>()?;
    Some((common, values))
}

/// Why a value of one type cannot be one of another.
pub fn mismatch(got: &Type, want: &Type) -> String {
    match (got, want) {
        (Type::Object(got), Type::Object(want)) => mismatch_objects(got, want),
        (Type::Tuple(_), Type::List(element)) if **element == Type::Dynamic => {
            "all list elements must have the same type".into()
        }
        (Type::Tuple(_), Type::Set(element)) if **element == Type::Dynamic => {
            "all set elements must have the same type".into()
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            "all map elements must have the same type".into()
        }
        (Type::Tuple(items), Type::List(element) | Type::Set(element)) => {
            items.iter().enumerate().find(|(_, item)| !can_convert(item, element, true)).map_or_else(
                || format!("all elements must be {}", element.constraint_name()),
                |(index, item)| format!("element {index}: {}", mismatch(item, element)),
            )
        }
        (Type::Object(object), Type::Map(element)) => {
            object.attributes.iter().find(|(_, ty)| !can_convert(ty, element, true)).map_or_else(
                || format!("all elements must be {}", element.constraint_name()),
                |(name, ty)| format!("element \"{name}\": {}", mismatch(ty, element)),
            )
        }
        (Type::List(got) | Type::Set(got), Type::List(element) | Type::Set(element)) => {
            let noun = if matches!(want, Type::List(_)) { "list" } else { "set" };
            format!("incorrect {noun} element type: {}", mismatch(got, element))
        }
        (Type::Map(got), Type::Map(element)) => {
            format!("incorrect map element type: {}", mismatch(got, element))
        }
        (got, want) if want.is_collection() && (got.is_structural() || got.is_collection()) => {
            format!("{} required", want.constraint_name())
        }
        (got, want) if !confusing(got, want) => format!("{} required, but have {}", want.friendly(), got.friendly()),
        _ => match want {
            Type::Number => "number required".into(),
            _ => format!("{} required", want.constraint_name()),
        },
    }
}

/// Whether naming both types would lead a reader astray.
fn confusing(got: &Type, want: &Type) -> bool {
    let one_sided = got.is_primitive() != want.is_primitive();
    let truth = matches!((got, want), (Type::Bool, Type::Number) | (Type::Number, Type::Bool));
    let bare = matches!((got, want), (Type::Tuple(_), Type::Object(_)));
    !(one_sided || *want == Type::String || truth || bare)
}

fn mismatch_objects(got: &ObjectType, want: &ObjectType) -> String {
    let missing: Vec<String> = want
        .attributes
        .keys()
        .filter(|name| !got.attributes.contains_key(*name) && !want.optional.contains(*name))
        .map(|name| format!("\"{name}\""))
        .collect();
    match missing.as_slice() {
        [] => {}
        [one] => return format!("attribute {one} is required"),
        [one, two] => return format!("attributes {one} and {two} are required"),
        [most @ .., last] => return format!("attributes {}, and {last} are required", most.join(", ")),
    }
    for hopefully in [true, false] {
        for (name, ty) in &want.attributes {
            if let Some(own) = got.attributes.get(name)
                && own != ty
                && !can_convert(own, ty, hopefully)
            {
                return format!("attribute \"{name}\": {}", mismatch(own, ty));
            }
        }
    }
    "incorrect object attributes".into()
}

/// All marks of several values.
pub fn marks_of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Marks {
    values.into_iter().fold(Marks::NONE, |marks, value| marks | value.marks)
}
