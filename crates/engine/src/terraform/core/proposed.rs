//! The new object a configuration asks for, with what the old one has where the provider decides (upstream:
//! terraform's objchange).

use crate::base::BTreeMap;

use crate::terraform::schema::{BlockSchema, NestedSchema, Nesting};
use crate::terraform::value::{Kind, Path, PathStep, Type, Value};

pub fn proposed(schema: &BlockSchema, prior: &Value, config: &Value) -> Value {
    let Some(given) = config.entries() else { return config.clone() };
    let mut values = BTreeMap::new();
    for attribute in &schema.attributes {
        let config = given.get(&attribute.name).cloned().unwrap_or_else(|| Value::null(attribute.ty.clone()));
        let value = if config.is_null() && attribute.computed {
            match prior.get(&attribute.name) {
                Some(old) => old.clone(),
                None => Value::unknown(attribute.ty.clone()),
            }
        } else {
            config
        };
        values.insert(attribute.name.clone(), value);
    }
    for nested in &schema.blocks {
        let config = given.get(&nested.name).cloned().unwrap_or_else(|| Value::null(nested.implied_type()));
        values.insert(nested.name.clone(), blocks(nested, prior.get(&nested.name), config));
    }
    Value::object(values)
}

fn blocks(nested: &NestedSchema, prior: Option<&Value>, config: Value) -> Value {
    let null = Value::null(Type::Dynamic);
    match (&config.kind, nested.nesting) {
        (Kind::Object(_), Nesting::Single) => proposed(&nested.block, prior.unwrap_or(&null), &config),
        (Kind::List(ty, items), Nesting::List) => {
            let old = prior.and_then(Value::items).unwrap_or_default();
            let new =
                items.iter().enumerate().map(|(i, item)| proposed(&nested.block, old.get(i).unwrap_or(&null), item));
            Value::list(ty.clone(), new.collect())
        }
        (Kind::Map(ty, items), Nesting::Map) => {
            let new = items.iter().map(|(key, item)| {
                let old = prior.and_then(|prior| prior.get(key));
                (key.clone(), proposed(&nested.block, old.unwrap_or(&null), item))
            });
            Value::map(ty.clone(), new.collect())
        }
        (Kind::Set(ty, items), Nesting::Set) => {
            let old = prior.and_then(Value::items).unwrap_or_default();
            let matches = |item: &Value, old: &&Value| {
                nested.block.attributes.iter().all(|attribute| {
                    let given = item.get(&attribute.name);
                    given.is_none_or(|given| {
                        given.is_null() && attribute.computed || Some(given) == old.get(&attribute.name)
                    })
                })
            };
            let new = items
                .iter()
                .map(|item| proposed(&nested.block, old.iter().find(|old| matches(item, old)).unwrap_or(&null), item));
            Value::set(ty.clone(), new.collect())
        }
        _ => config,
    }
}

/// The value with the part at a path taken from another; nothing where the path leads nowhere.
pub fn graft(value: &Value, path: &[PathStep], from: &Value) -> Value {
    let Some((step, rest)) = path.split_first() else { return from.clone() };
    let (name, index) = match step {
        PathStep::Attribute(name) => (Some(name.clone()), None),
        PathStep::Index(key) => (key.as_str().map(Into::into), key.as_int()),
    };
    let null = Value::null(Type::Dynamic);
    match &value.kind {
        Kind::Object(items) | Kind::Map(_, items) => {
            let Some(name) = name else { return value.clone() };
            let mut items = items.clone();
            let changed = std::sync::Arc::make_mut(&mut items);
            match (changed.get(&name), from.get(&name)) {
                (Some(old), Some(new)) => {
                    let inner = graft(old, rest, new);
                    changed.insert(name, inner);
                }
                (None, Some(new)) if rest.is_empty() => {
                    changed.insert(name, new.clone());
                }
                (Some(_), None) if rest.is_empty() && matches!(value.kind, Kind::Map(..)) => {
                    changed.remove(&name);
                }
                _ => {}
            }
            match &value.kind {
                Kind::Map(ty, _) => Value::map(ty.clone(), changed.clone()),
                _ => Value::object(changed.clone()),
            }
        }
        Kind::List(ty, items) => {
            let from = from.items().unwrap_or_default();
            let changed = |(i, item): (usize, &Value)| match Some(i as i64) == index {
                true => graft(item, rest, from.get(i).unwrap_or(&null)),
                false => item.clone(),
            };
            Value::list(ty.clone(), items.iter().enumerate().map(changed).collect())
        }
        _ => value.clone(),
    }
}

/// The part of a value at a path.
pub fn at<'a>(value: &'a Value, path: &Path) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, step| match step {
        PathStep::Attribute(name) => value.get(name),
        PathStep::Index(key) => match key.as_str() {
            Some(name) => value.get(name),
            None => value.items()?.get(usize::try_from(key.as_int()?).ok()?),
        },
    })
}
