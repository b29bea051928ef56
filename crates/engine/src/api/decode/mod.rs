//! Decoding: a tree someone sent becomes an object of its Go type, or a refusal in the server's words.
//!
//! Stands for the server's JSON decoder (sigs.k8s.io/json) with strict mode, and for the encoder that writes what is
//! stored and served. `decode` takes the tree apart along the schema: unknown fields go (and are told), nulls go,
//! zero scalars of fields without a pointer go, quantities and times get their canonical text. Empty lists and maps
//! stay, because validation tells them from absent ones; `encode` then leaves them out and writes what Go always
//! writes. Left out: custom resources, and the order of keys in the text sent (ours is sorted, as kubectl's is).

mod base64;
mod converter;

pub use crate::base::json::duplicates;
pub use base64::{decode as decode_base64, encode as encode_base64};

use crate::api::schema::{Empty, Field, Ty, Type, type_of};
use crate::base::quantity::Quantity;
use crate::base::value::NULL;
use crate::base::{Map, SmolStr, Time, Value, goquote};

/// How unknown and repeated fields are met (`fieldValidation`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldValidation {
    Strict,
    Warn,
    Ignore,
}

/// The object and the warnings; or the end of the refusal (what follows `… cannot be handled as a Pod: `).
pub fn decode(
    group: &str,
    version: &str,
    kind: &str,
    sent: &Value,
    validation: FieldValidation,
) -> Result<(Value, Vec<String>), String> {
    let Some(ty) = type_of(group, version, kind) else { return Ok((sent.clone(), Vec::new())) };
    let mut walk = Walk { unknown: Vec::new(), deepest: 0 };
    let whole = Ty::Struct(ty.id);
    let decoded = walk.value(sent, whole, &Place::default())?.unwrap_or_else(Value::empty_map);
    match validation {
        FieldValidation::Strict if !walk.unknown.is_empty() => Err(strict(&walk.unknown)),
        FieldValidation::Warn => Ok((decoded, walk.unknown)),
        _ => Ok((decoded, Vec::new())),
    }
}

/// Why the patched object is refused, as the converter that strategic merge patches go through words it.
pub fn conversion_refusal(group: &str, version: &str, kind: &str, object: &Value) -> Option<String> {
    converter::refusal(object, type_of(group, version, kind)?)
}

/// `strict decoding error: unknown field "spec.a", duplicate field "spec.b"`
pub fn strict(problems: &[String]) -> String {
    format!("strict decoding error: {}", problems.join(", "))
}

/// The object as the server stores and serves it: empty fields left out, others written though empty.
pub fn encode(group: &str, version: &str, kind: &str, object: &Value) -> Value {
    encode_beside(group, version, kind, object, &NULL)
}

/// The same for an object made from `known`, which is encoded: what they share is not looked at.
pub fn encode_beside(group: &str, version: &str, kind: &str, object: &Value, known: &Value) -> Value {
    match type_of(group, version, kind) {
        Some(ty) => encoded(object, Ty::Struct(ty.id), known, DEPTH),
        None => object.clone(),
    }
}

const DEPTH: usize = 160;

fn encoded(value: &Value, ty: Ty, known: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return value.clone() };
    if matches!(value, Value::Map(_) | Value::List(_)) && value.same(known) {
        return value.clone();
    }
    match (ty, value) {
        (Ty::Struct(id), _) => {
            let ty = id.get();
            let mut out = Vec::new();
            for field in ty.sorted() {
                let given = value.get(field.name);
                let content = match field.empty {
                    Empty::Kept if given.is_null() => continue,
                    Empty::Omitted if given.is_empty() => continue,
                    Empty::Written if given.is_null() => zero(field.ty, depth),
                    _ => encoded(given, field.ty, known.get(field.name), depth),
                };
                out.push((field.name, content));
            }
            let same = value.as_map().is_some_and(|map| map.len() == out.len())
                && out.iter().all(|(name, content)| value.get(name) == content);
            if same {
                value.clone()
            } else {
                out.into_iter().map(|(name, content)| (name.into(), content)).collect::<Map>().into()
            }
        }
        (Ty::List(item), Value::List(items)) => {
            let out: Vec<Value> =
                items.iter().enumerate().map(|(at, each)| encoded(each, *item, &known[at], depth)).collect();
            if out == **items { value.clone() } else { Value::list(out) }
        }
        (Ty::Map(item), Value::Map(map)) => {
            let out: Map = map.iter().map(|(k, v)| (k.clone(), encoded(v, *item, known.get(k), depth))).collect();
            if out == **map { value.clone() } else { out.into() }
        }
        _ => value.clone(),
    }
}

fn zero(ty: Ty, depth: usize) -> Value {
    match ty {
        Ty::Text(_) => "".into(),
        Ty::Bool => false.into(),
        Ty::Int32 | Ty::Int64 | Ty::Double | Ty::IntOrString => 0.into(),
        Ty::Quantity => "0".into(),
        Ty::Struct(_) => encoded(&NULL, ty, &NULL, depth),
        Ty::Bytes | Ty::Time | Ty::MicroTime | Ty::Any(_) | Ty::List(_) | Ty::Map(_) => Value::Null,
    }
}

/// Where the decoder stands.
#[derive(Clone, Default)]
struct Place {
    /// `spec.containers[0].ports`, as strict errors name it.
    path: String,
    /// `spec.containers.ports`, as type errors name it.
    go: String,
    /// The struct that holds the field (`Container`), and its package (`v1`).
    holder: &'static str,
    package: &'static str,
}

impl Place {
    fn field(&self, holder: &'static Type, field: &Field) -> Place {
        let mut go = self.go.clone();
        for part in field.embedded.split('.').chain([field.name]).filter(|part| !part.is_empty()) {
            push(&mut go, part);
        }
        let mut path = self.path.clone();
        push(&mut path, field.name);
        Place { path, go, holder: holder.name, package: holder.go_package() }
    }

    fn index(&self, index: usize) -> Place {
        Place { path: format!("{}[{index}]", self.path), ..self.clone() }
    }

    fn key(&self, key: &str) -> Place {
        let mut path = self.path.clone();
        push(&mut path, key);
        Place { path, ..self.clone() }
    }

    fn wrong(&self, value: &Value, number: bool, ty: &str) -> String {
        let mut given = value.type_name().to_owned();
        if number && let Value::Int(_) | Value::Float(_) = value {
            given = format!("number {value:?}");
        }
        match self.holder {
            "" => format!("json: cannot unmarshal {given} into Go value of type {ty}"),
            holder => format!("json: cannot unmarshal {given} into Go struct field {holder}.{} of type {ty}", self.go),
        }
    }
}

fn push(path: &mut String, part: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(part);
}

struct Walk {
    unknown: Vec<String>,
    deepest: usize,
}

impl Walk {
    /// The decoded value; `None` for null.
    fn value(&mut self, value: &Value, ty: Ty, at: &Place) -> Result<Option<Value>, String> {
        if value.is_null() {
            return Ok(None);
        }
        self.deepest += 1;
        let out = if self.deepest > DEPTH { Err("exceeded max depth".to_owned()) } else { self.typed(value, ty, at) };
        self.deepest -= 1;
        out.map(Some)
    }

    fn typed(&mut self, value: &Value, ty: Ty, at: &Place) -> Result<Value, String> {
        let wrong = |number: bool| Err(at.wrong(value, number, &ty.go(at.package)));
        match (ty, value) {
            (Ty::Text(_), Value::Text(_)) | (Ty::Bool, Value::Bool(_)) | (Ty::Any(_), _) => Ok(value.clone()),
            (Ty::Int32 | Ty::Int64, Value::Int(_) | Value::Float(_)) => match value.as_int() {
                Some(n) if ty == Ty::Int64 || i32::try_from(n).is_ok() => Ok(n.into()),
                _ => wrong(true),
            },
            (Ty::Double, Value::Int(_) | Value::Float(_)) => Ok(value.clone()),
            (Ty::Bytes, Value::Text(text)) => match base64::check(text) {
                Ok(()) => Ok(value.clone()),
                Err(offset) => Err(format!("illegal base64 data at input byte {offset}")),
            },
            (Ty::Quantity, _) => {
                let mut quantity = Quantity::from_value(value)?;
                quantity.round_up_to_milli();
                Ok(quantity.canonical().into())
            }
            (Ty::IntOrString, Value::Text(_)) => Ok(value.clone()),
            (Ty::IntOrString, _) => match value.as_int() {
                Some(n) if i32::try_from(n).is_ok() => Ok(n.into()),
                _ => Err(at.wrong(value, true, "int32")),
            },
            (Ty::Time | Ty::MicroTime, _) => time(value, ty),
            (Ty::Struct(id), Value::Map(map)) => self.fields(map, id.get(), at),
            (Ty::List(item), Value::List(items)) => {
                let mut out = Vec::with_capacity(items.len());
                for (index, each) in items.iter().enumerate() {
                    let decoded = self.value(each, *item, &at.index(index))?;
                    out.push(decoded.unwrap_or_else(|| zero_item(*item)));
                }
                Ok(if out == **items { value.clone() } else { Value::list(out) })
            }
            (Ty::Map(item), Value::Map(map)) => {
                let mut out: Vec<(SmolStr, Value)> = Vec::with_capacity(map.len());
                for (key, each) in map.iter() {
                    let decoded = self.value(each, *item, &at.key(key))?;
                    out.push((key.clone(), decoded.unwrap_or_else(|| zero_item(*item))));
                }
                let out: Map = out.into_iter().collect();
                Ok(if out == **map { value.clone() } else { out.into() })
            }
            _ => wrong(false),
        }
    }

    fn fields(&mut self, map: &Map, ty: &'static Type, at: &Place) -> Result<Value, String> {
        let mut out = Map::new();
        for (key, each) in map.iter() {
            let Some(field) = ty.field(key) else {
                let mut path = at.path.clone();
                push(&mut path, key);
                self.unknown.push(format!("unknown field {}", goquote::quote(&path)));
                continue;
            };
            let Some(decoded) = self.value(each, field.ty, &at.field(ty, field))? else { continue };
            let scalar = !matches!(decoded, Value::List(_) | Value::Map(_));
            if field.empty == Empty::Omitted && scalar && decoded.is_empty() {
                continue;
            }
            out.insert(key.clone(), decoded);
        }
        Ok(out.into())
    }
}

/// What null stands for in a list or as a map's value.
fn zero_item(ty: Ty) -> Value {
    match ty {
        Ty::Struct(_) => Value::empty_map(),
        Ty::Bytes => "".into(),
        _ => zero(ty, DEPTH),
    }
}

fn time(value: &Value, ty: Ty) -> Result<Value, String> {
    let Value::Text(text) = value else {
        return Err(format!("json: cannot unmarshal {} into Go value of type string", value.type_name()));
    };
    let layout = if ty == Ty::Time { "2006-01-02T15:04:05Z07:00" } else { "2006-01-02T15:04:05.000000Z07:00" };
    match Time::parse(text) {
        Some(time) if ty == Ty::Time => Ok(time.rfc3339().into()),
        Some(time) => Ok(time.rfc3339_micros().into()),
        None => {
            let text = goquote::quote(text);
            Err(format!("parsing time {text} as \"{layout}\": cannot parse {text} as \"2006\""))
        }
    }
}

#[cfg(test)]
mod tests;
