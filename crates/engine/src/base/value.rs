//! The untyped tree every object is made of: JSON's data model with shared subtrees.
//!
//! A clone is a pointer copy. Writing copies only the path that changes, so old revisions, caches, snapshots and
//! ten thousand pods of one template share what is equal. Maps are sorted by key: there is one order, everywhere.
//! Reading never fails: a missing key is `Null`, and `Null` has no children.

use std::ops::Index;
use std::sync::Arc;

use crate::base::SmolStr;

#[derive(Clone, Default)]
pub enum Value {
    #[default]
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(SmolStr),
    List(Arc<Vec<Value>>),
    Map(Arc<Map>),
}

/// Keys in ascending byte order, apart from the values: maps with the same keys share one list of them.
#[derive(Clone, Default)]
pub struct Map {
    names: Option<Names>,
    values: Vec<Value>,
}

/// The keys of a map.
pub(super) type Names = Arc<Vec<SmolStr>>;

pub static NULL: Value = Value::Null;
/// Up to this many entries a map is searched from front to back.
const SMALL: usize = 16;
static EMPTY: Map = Map { names: None, values: Vec::new() };

impl Value {
    pub fn text(text: impl Into<SmolStr>) -> Value {
        Value::Text(text.into())
    }

    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(items))
    }

    pub fn empty_map() -> Value {
        Value::Map(Arc::new(Map::default()))
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Null, "", 0, false, empty list or empty map: what Go's `omitempty` leaves out.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Bool(b) => !b,
            Value::Int(n) => *n == 0,
            Value::Float(n) => *n == 0.0,
            Value::Text(t) => t.is_empty(),
            Value::List(l) => l.is_empty(),
            Value::Map(m) => m.is_empty(),
        }
    }

    pub fn get(&self, key: &str) -> &Value {
        match self {
            Value::Map(map) => map.get(key).unwrap_or(&NULL),
            _ => &NULL,
        }
    }

    pub fn has(&self, key: &str) -> bool {
        matches!(self, Value::Map(map) if map.get(key).is_some())
    }

    /// The value at a path of keys.
    pub fn at(&self, path: &[&str]) -> &Value {
        path.iter().fold(self, |value, key| value.get(key))
    }

    /// The text, or "" for anything else.
    pub fn str(&self) -> &str {
        match self {
            Value::Text(text) => text,
            _ => "",
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn smol(&self) -> SmolStr {
        match self {
            Value::Text(text) => text.clone(),
            _ => SmolStr::default(),
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            Value::Float(n) if n.fract() == 0.0 && n.abs() < 9e15 => Some(*n as i64),
            _ => None,
        }
    }

    /// The integer, or 0 for anything else.
    pub fn int(&self) -> i64 {
        self.as_int().unwrap_or(0)
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Value::Bool(true))
    }

    /// The items, or none for anything but a list.
    pub fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The entries, or none for anything but a map.
    pub fn entries(&self) -> &Map {
        match self {
            Value::Map(map) => map,
            _ => &EMPTY,
        }
    }

    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The map to write into; anything else becomes an empty one first.
    pub fn map_mut(&mut self) -> &mut Map {
        if !matches!(self, Value::Map(_)) {
            *self = Value::empty_map();
        }
        match self {
            Value::Map(map) => Arc::make_mut(map),
            _ => unreachable!("made a map above"),
        }
    }

    /// The list to write into; anything else becomes an empty one first.
    pub fn list_mut(&mut self) -> &mut Vec<Value> {
        if !matches!(self, Value::List(_)) {
            *self = Value::list(Vec::new());
        }
        match self {
            Value::List(list) => Arc::make_mut(list),
            _ => unreachable!("made a list above"),
        }
    }

    /// The place at a path, made where it is missing.
    pub fn at_mut(&mut self, path: &[&str]) -> &mut Value {
        path.iter().fold(self, |value, key| value.map_mut().entry(key))
    }

    /// Writes at a path; equal content is left alone, so sharing survives.
    pub fn set(&mut self, path: &[&str], value: impl Into<Value>) {
        self.set_value(path, value.into());
    }

    fn set_value(&mut self, path: &[&str], value: Value) {
        if *self.at(path) != value || value.is_null() {
            *self.at_mut(path) = value;
        }
    }

    /// Takes a key out; says what stood there.
    pub fn remove(&mut self, path: &[&str]) -> Option<Value> {
        let (last, parents) = path.split_last()?;
        if !self.at(parents).has(last) {
            return None;
        }
        self.at_mut(parents).map_mut().remove(last)
    }

    /// Whether both are the same piece of memory (or equal small values): a cheap "nothing changed".
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b),
            (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b),
            (Value::List(_) | Value::Map(_), _) | (_, Value::List(_) | Value::Map(_)) => false,
            (a, b) => a == b,
        }
    }

    /// JSON's name of the type: what the decoder's errors call it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Float(_) => "number",
            Value::Text(_) => "string",
            Value::List(_) => "array",
            Value::Map(_) => "object",
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => Arc::ptr_eq(a, b) || a == b,
            (Value::Map(a), Value::Map(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.has_names_of(other) && self.values == other.values
    }
}

impl Eq for Value {}
impl Eq for Map {}

impl Map {
    pub fn new() -> Map {
        Map::default()
    }

    pub fn with_capacity(count: usize) -> Map {
        let names = (count > 0).then(|| Arc::new(Vec::with_capacity(count)));
        Map { names, values: Vec::with_capacity(count) }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    #[inline]
    fn names(&self) -> &[SmolStr] {
        match &self.names {
            Some(names) => names,
            None => &[],
        }
    }

    fn has_names_of(&self, other: &Map) -> bool {
        match (&self.names, &other.names) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => true,
            _ => self.names() == other.names(),
        }
    }

    /// The list of keys, to be made one with equal ones elsewhere.
    pub(super) fn names_mut(&mut self) -> Option<&mut Names> {
        self.names.as_mut()
    }

    fn find(&self, key: &str) -> Result<usize, usize> {
        let names = self.names();
        // What is written in order goes to the end.
        match names.last() {
            Some(last) if last.as_str() < key => Err(names.len()),
            _ => names.binary_search_by(|k| k.as_str().cmp(key)),
        }
    }

    /// Where a key stands. In a small map lengths and last bytes tell nearly all keys apart without a comparison.
    #[inline]
    fn place(&self, key: &str) -> Option<usize> {
        let names = self.names();
        if names.len() > SMALL {
            return self.find(key).ok();
        }
        let (key, last) = (key.as_bytes(), key.as_bytes().last());
        names.iter().position(|k| {
            let k = k.as_bytes();
            k.len() == key.len() && k.last() == last && k == key
        })
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.place(key).map(|i| &self.values[i])
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.place(key).map(|i| &mut self.values[i])
    }

    pub fn contains(&self, key: &str) -> bool {
        self.place(key).is_some()
    }

    /// The place of a key, `Null` when it is new.
    pub fn entry(&mut self, key: &str) -> &mut Value {
        let index = match self.place(key).ok_or_else(|| self.find(key)) {
            Ok(index) | Err(Ok(index)) => index,
            Err(Err(index)) => {
                self.add(index, SmolStr::new(key), Value::Null);
                index
            }
        };
        &mut self.values[index]
    }

    #[inline(never)]
    fn add(&mut self, index: usize, key: SmolStr, value: Value) {
        Arc::make_mut(self.names.get_or_insert_default()).insert(index, key);
        self.values.insert(index, value);
    }

    /// Puts a value in place of the old one, if any.
    pub fn insert(&mut self, key: impl Into<SmolStr>, value: impl Into<Value>) {
        self.put(key.into(), value.into());
    }

    fn put(&mut self, key: SmolStr, value: Value) {
        match self.find(&key) {
            Ok(index) => self.values[index] = value,
            Err(index) => self.add(index, key, value),
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let index = self.place(key)?;
        match &mut self.names {
            Some(_) if self.values.len() == 1 => self.names = None,
            Some(names) => drop(Arc::make_mut(names).remove(index)),
            None => {}
        }
        Some(self.values.remove(index))
    }

    pub fn shrink_to_fit(&mut self) {
        if let Some(names) = self.names.as_mut().and_then(Arc::get_mut) {
            names.shrink_to_fit();
        }
        self.values.shrink_to_fit();
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&str, &mut Value) -> bool) {
        let kept: Vec<bool> = self.iter_mut().map(|(key, value)| keep(key, value)).collect();
        if kept.iter().all(|kept| *kept) {
            return;
        }
        let (mut name, mut value) = (kept.iter(), kept.iter());
        if let Some(names) = &mut self.names {
            Arc::make_mut(names).retain(|_| name.next() == Some(&true));
        }
        self.values.retain(|_| value.next() == Some(&true));
        if self.values.is_empty() {
            self.names = None;
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&SmolStr, &Value)> + ExactSizeIterator {
        self.names().iter().zip(&self.values)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&SmolStr, &mut Value)> {
        let names: &[SmolStr] = match &self.names {
            Some(names) => names,
            None => &[],
        };
        names.iter().zip(&mut self.values)
    }

    pub fn keys(&self) -> impl Iterator<Item = &SmolStr> {
        self.names().iter()
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.values.iter()
    }
}

impl FromIterator<(SmolStr, Value)> for Map {
    /// Later entries of one key win.
    fn from_iter<I: IntoIterator<Item = (SmolStr, Value)>>(iter: I) -> Map {
        let iter = iter.into_iter();
        let mut names: Vec<SmolStr> = Vec::with_capacity(iter.size_hint().0);
        let mut values = Vec::with_capacity(iter.size_hint().0);
        for (key, value) in iter {
            let place = match names.last() {
                Some(last) if *last >= key => names.binary_search(&key),
                _ => Err(names.len()),
            };
            match place {
                Ok(index) => values[index] = value,
                Err(index) => {
                    names.insert(index, key);
                    values.insert(index, value);
                }
            }
        }
        Map { names: (!names.is_empty()).then(|| Arc::new(names)), values }
    }
}

impl Index<&str> for Value {
    type Output = Value;
    fn index(&self, key: &str) -> &Value {
        self.get(key)
    }
}

impl Index<usize> for Value {
    type Output = Value;
    fn index(&self, index: usize) -> &Value {
        self.items().get(index).unwrap_or(&NULL)
    }
}

macro_rules! from {
    ($($type:ty => |$x:ident| $value:expr;)*) => {
        $(impl From<$type> for Value { fn from($x: $type) -> Value { $value } })*
    };
}
from! {
    bool => |x| Value::Bool(x);
    i32 => |x| Value::Int(x.into());
    i64 => |x| Value::Int(x);
    u16 => |x| Value::Int(x.into());
    u32 => |x| Value::Int(x.into());
    usize => |x| Value::Int(x as i64);
    f64 => |x| Value::Float(x);
    &str => |x| Value::Text(SmolStr::new(x));
    &String => |x| Value::Text(SmolStr::new(x));
    String => |x| Value::Text(SmolStr::from(x));
    SmolStr => |x| Value::Text(x);
    &SmolStr => |x| Value::Text(x.clone());
    Vec<Value> => |x| Value::list(x);
    Map => |x| Value::Map(Arc::new(x));
    &Value => |x| x.clone();
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

/// `map! { "kind" => "Pod", "metadata" => map! { "name" => name } }`
#[macro_export]
macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut map = $crate::base::Map::with_capacity(<[&str]>::len(&[$(stringify!($key)),*]));
        $(map.insert($key, $value);)*
        $crate::base::value::Value::from(map)
    }};
}

/// `list!["a", 1, map! {}]`
#[macro_export]
macro_rules! list {
    ($($value:expr),* $(,)?) => { $crate::base::Value::list(vec![$($crate::base::Value::from($value)),*]) };
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&super::json::compact(self))
    }
}

impl std::fmt::Debug for Map {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_never_fail_and_writes_share() {
        let mut a = map! { "metadata" => map! { "name" => "x" }, "spec" => map! { "n" => 1 } };
        let b = a.clone();
        a.set(&["metadata", "labels", "app"], "web");
        assert_eq!(a["metadata"]["labels"]["app"].str(), "web");
        assert!(b["metadata"]["labels"].is_null());
        assert!(a["spec"].same(&b["spec"]));
        assert_eq!(a["no"]["such"][3].int(), 0);
        assert_eq!(a.remove(&["metadata", "labels"]), Some(map! { "app" => "web" }));
        assert_eq!(a, b);
        assert!(size_of::<Value>() <= 24 && size_of::<SmolStr>() <= 16);
    }
}
