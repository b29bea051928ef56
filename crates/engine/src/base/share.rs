//! One piece of memory for what is equal in many objects: a thousand pods of one template have the same conditions,
//! container specs and managed fields. A table of the pieces met last, by the hash of their content; what it does not
//! find stays as it is, so nothing but memory depends on it.

use std::sync::Arc;

use super::Value;
use super::value::Names;

/// Places in the table; a piece stands where its hash says, and gives way to another of that place unless it has been
/// met again meanwhile.
const PLACES: usize = 1024;
/// How many others a piece that was met again outlives.
const LIVES: u8 = 7;
/// How far down an object is looked at.
const DEPTH: usize = 24;

#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// Each with the lives it has left.
    pieces: Vec<(Value, u8)>,
    /// Lists of keys.
    names: Vec<Names>,
}

/// What the table holds never shows.
impl PartialEq for Shared {
    fn eq(&self, _: &Shared) -> bool {
        true
    }
}

impl Shared {
    /// Puts pieces met before in place of equal ones, and gives back room nobody needs. What `value` has in common
    /// with `before` is shared already.
    pub fn take_in(&mut self, value: &mut Value, before: &Value) {
        if self.pieces.is_empty() {
            self.pieces.resize(PLACES, (Value::Null, 0));
            self.names.resize(PLACES, Names::default());
        }
        self.visit(value, before, DEPTH);
    }

    fn visit(&mut self, value: &mut Value, before: &Value, depth: usize) {
        let is_piece = matches!(value, Value::List(_) | Value::Map(_));
        let Some(depth) = depth.checked_sub(1).filter(|_| is_piece && !value.same(before)) else { return };
        let place = hash(value);
        if let Some((piece, lives)) = self.pieces.get_mut(place)
            && *piece == *value
        {
            *lives = LIVES;
            *value = piece.clone();
            return;
        }
        match value {
            Value::List(items) => match Arc::get_mut(items) {
                Some(own) => {
                    own.shrink_to_fit();
                    own.iter_mut().enumerate().for_each(|(at, item)| self.visit(item, &before[at], depth));
                }
                None => {
                    for at in 0..items.len() {
                        let mut item = items[at].clone();
                        self.visit(&mut item, &before[at], depth);
                        if !item.same(&items[at]) {
                            Arc::make_mut(items)[at] = item;
                        }
                    }
                }
            },
            Value::Map(map) => match Arc::get_mut(map) {
                Some(own) => {
                    own.shrink_to_fit();
                    own.iter_mut().for_each(|(key, item)| self.visit(item, before.get(key), depth));
                    if let Some(names) = own.names_mut() {
                        self.share_names(names);
                    }
                }
                None => {
                    let mut other = Vec::new();
                    for (at, (key, item)) in map.iter().enumerate() {
                        let mut new = item.clone();
                        self.visit(&mut new, before.get(key), depth);
                        if !new.same(item) {
                            other.push((at, new));
                        }
                    }
                    for (at, new) in other {
                        if let Some((_, item)) = Arc::make_mut(map).iter_mut().nth(at) {
                            *item = new;
                        }
                    }
                }
            },
            _ => {}
        }
        match self.pieces.get_mut(place) {
            Some((_, lives @ 1..)) => *lives -= 1,
            Some(place) => *place = (value.clone(), 0),
            None => {}
        }
    }

    fn share_names(&mut self, names: &mut Names) {
        let mut hash = names.len();
        for name in names.iter() {
            let (first, last) = (name.as_bytes().first(), name.as_bytes().last());
            let of = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or(0));
            hash = hash.wrapping_mul(31) ^ (of(first) << 5 | of(last)) ^ name.len() << 3;
        }
        match self.names.get_mut(hash % PLACES) {
            Some(known) if Arc::ptr_eq(known, names) => {}
            Some(known) if *known == *names => *names = known.clone(),
            Some(known) => *known = names.clone(),
            None => {}
        }
    }
}

/// A place in the table by what stands at the top of a piece.
fn hash(value: &Value) -> usize {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    mix(&mut hash, value, 3);
    ((hash ^ (hash >> 32)) % PLACES as u64) as usize
}

fn mix(hash: &mut u64, value: &Value, depth: usize) {
    let mut add = |n: u64| {
        *hash = (*hash ^ n).wrapping_mul(0x0000_0100_0000_01b3);
        *hash ^= *hash >> 32;
    };
    match value {
        Value::Null => add(1),
        Value::Bool(yes) => add(2 + u64::from(*yes)),
        Value::Int(n) => add(*n as u64),
        Value::Float(n) => add(n.to_bits()),
        Value::Text(text) => {
            add(text.len() as u64);
            text.as_bytes().chunks(8).take(6).for_each(|part| {
                let mut word = [0; 8];
                word.iter_mut().zip(part).for_each(|(to, byte)| *to = *byte);
                add(u64::from_le_bytes(word));
            });
        }
        Value::List(items) => {
            add(items.len() as u64);
            if depth > 0 {
                items.iter().take(16).for_each(|item| mix(hash, item, depth - 1));
            }
        }
        Value::Map(map) => {
            add(map.len() as u64);
            for (key, item) in map.iter().take(32).filter(|_| depth > 0) {
                let (first, last) = (key.as_bytes().first(), key.as_bytes().last());
                let of = |byte: Option<&u8>| u64::from(byte.copied().unwrap_or(0));
                *hash =
                    (*hash ^ (of(first) << 16 | of(last) << 8 | key.len() as u64)).wrapping_mul(0x0000_0100_0000_01b3);
                mix(hash, item, depth - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{list, map};

    #[test]
    fn equal_pieces_become_one() {
        let pod = |name: &str| {
            map! { "name" => name, "spec" => map! { "containers" => list![map! { "name" => "c" }] } }
        };
        let mut shared = Shared::default();
        let (mut a, mut b) = (pod("a"), pod("b"));
        shared.take_in(&mut a, &Value::Null);
        let held = b.clone();
        shared.take_in(&mut b, &Value::Null);
        assert!(a["spec"].same(&b["spec"]));
        assert_eq!((a, b), (pod("a"), held));
    }
}
