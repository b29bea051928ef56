//! Reading and writing the objects of resources: what the SDK's `Get` and `Set` do.

use super::change::{filled, normal};
use super::field::Field;
use crate::base::Value as Json;
use crate::base::{BTreeMap, SmolStr};
use crate::terraform::value::{Kind, Type, Value};

pub fn text(object: &Value, name: &str) -> String {
    object.get(name).and_then(Value::as_str).unwrap_or_default().to_string()
}

pub fn number(object: &Value, name: &str) -> i64 {
    object.get(name).and_then(Value::as_int).unwrap_or_default()
}

pub fn flag(object: &Value, name: &str) -> bool {
    object.get(name).and_then(Value::as_bool).unwrap_or_default()
}

pub fn has(object: &Value, name: &str) -> bool {
    object.get(name).is_some_and(|value| value.is_known() && !value.is_null())
}

/// Elements of a list or set, blocks of a type; none where there is nothing.
pub fn items<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object.get(name).and_then(Value::items).unwrap_or_default()
}

pub fn texts(object: &Value, name: &str) -> Vec<String> {
    items(object, name).iter().map(|item| item.as_str().unwrap_or_default().to_string()).collect()
}

pub fn entries(object: &Value, name: &str) -> Vec<(String, String)> {
    let all = object.get(name).and_then(Value::entries).into_iter().flatten();
    all.map(|(key, value)| (key.to_string(), value.as_str().unwrap_or_default().to_string())).collect()
}

/// Texts of an answer as a list or set.
pub fn list(json: &Json) -> Value {
    Value::list(Type::String, json.items().iter().map(|item| Value::string(item.smol())).collect())
}

pub fn set(json: &Json) -> Value {
    Value::set(Type::String, json.items().iter().map(|item| Value::string(item.smol())).collect())
}

pub fn map(json: &Json) -> Value {
    let all = json.entries().iter().map(|(key, value)| (key.clone(), Value::string(value.smol())));
    Value::map(Type::String, all.collect())
}

pub fn object(fields: Vec<(&str, Value)>) -> Value {
    Value::object(fields.into_iter().map(|(name, value)| (SmolStr::from(name), value)).collect())
}

/// Texts as the Engine takes them.
pub fn json_texts(texts: Vec<String>) -> Json {
    Json::list(texts.into_iter().map(Json::from).collect())
}

pub fn json_map(entries: Vec<(String, String)>) -> Json {
    let mut map = Json::empty_map();
    for (key, value) in entries {
        map.set(&[&key], value);
    }
    map
}

/// An object while the provider works on it.
#[derive(Clone, Debug)]
pub struct Data {
    fields: &'static [Field],
    start: Value,
    values: BTreeMap<SmolStr, Value>,
}

impl Data {
    /// Of a plan: what is not known yet is nothing.
    pub fn planned(fields: &'static [Field], planned: &Value) -> Data {
        let mut values = planned.entries().cloned().unwrap_or_default();
        for value in values.values_mut() {
            *value = value.map_deep(&mut |value| match &value.kind {
                Kind::Unknown(Type::Set(element), _) => Value::set(element.as_ref().clone(), Vec::new()),
                Kind::Unknown(ty, _) => Value::null(ty.clone()),
                _ => value,
            });
        }
        Data { fields, start: planned.clone(), values }
    }

    /// Of the state.
    pub fn known(fields: &'static [Field], state: &Value) -> Data {
        Data { fields, start: state.clone(), values: filled(fields, state).entries().cloned().unwrap_or_default() }
    }

    /// With nothing but an id, as an import begins.
    pub fn named(fields: &'static [Field], id: &str) -> Data {
        let mut values: BTreeMap<SmolStr, Value> = fields
            .iter()
            .map(|field| {
                let value = match field.shape {
                    super::field::Shape::Blocks(crate::terraform::schema::Nesting::Set, _) => {
                        Value::set(field.ty().element().cloned().unwrap_or_default(), Vec::new())
                    }
                    super::field::Shape::Blocks(crate::terraform::schema::Nesting::List, _) => {
                        Value::list(field.ty().element().cloned().unwrap_or_default(), Vec::new())
                    }
                    _ => Value::null(field.ty()),
                };
                (field.name.into(), value)
            })
            .collect();
        values.insert("id".into(), Value::string(id));
        Data { fields, start: Value::object(values.clone()), values }
    }

    pub fn value(&self) -> Value {
        Value::object(self.values.clone())
    }

    pub fn set(&mut self, name: &str, value: Value) {
        self.values.insert(name.into(), value);
    }

    pub fn set_text(&mut self, name: &str, text: impl Into<SmolStr>) {
        self.set(name, Value::string(text));
    }

    pub fn set_number(&mut self, name: &str, number: i64) {
        self.set(name, Value::int(number));
    }

    pub fn set_flag(&mut self, name: &str, flag: bool) {
        self.set(name, Value::bool(flag));
    }

    /// After a create or update.
    pub fn done(self) -> Value {
        normal(&filled(self.fields, &Value::object(self.values)), &self.start, true)
    }

    /// After a read.
    pub fn seen(self) -> Value {
        normal(&Value::object(self.values), &self.start, false)
    }
}
