//! Maps and sets in key order, with the interface of the standard library's.
//!
//! Every pair of types makes the compiler write a map's code anew, and the standard B-tree's node splitting, stealing
//! and merging is several kilobytes each time. These are two levels of sorted vectors: as quick up to hundreds of
//! thousands of entries, and a tenth of the code in what a reader downloads.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::iter::{Flatten, Map};
use std::ops::{Bound, RangeBounds};
use std::{slice, vec};

/// How many entries one vector holds before it is split.
const FULL: usize = 64;

#[derive(Clone)]
pub struct BTreeMap<K, V> {
    /// None of them is empty.
    chunks: Vec<Vec<(K, V)>>,
    len: usize,
}

pub type IterMut<'a, K, V> = Map<Flatten<slice::IterMut<'a, Vec<(K, V)>>>, fn(&'a mut (K, V)) -> (&'a K, &'a mut V)>;

/// Chunk and index inside it. The end is one past the last chunk.
type Place = (usize, usize);

impl<K, V> BTreeMap<K, V> {
    pub const fn new() -> BTreeMap<K, V> {
        BTreeMap { chunks: Vec::new(), len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn clear(&mut self) {
        *self = BTreeMap::new();
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { chunks: &self.chunks, at: (0, 0), end: (self.chunks.len(), 0) }
    }

    pub fn keys(&self) -> Keys<'_, K, V> {
        Keys(self.iter())
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        self.chunks.iter_mut().flatten().map(|(key, value)| (&*key, value))
    }

    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> {
        self.chunks.iter_mut().flatten().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> {
        self.into_iter().map(|(key, _)| key)
    }

    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }

    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next_back()
    }

    pub fn pop_first(&mut self) -> Option<(K, V)> {
        (self.len > 0).then(|| self.take((0, 0)))
    }

    pub fn pop_last(&mut self) -> Option<(K, V)> {
        let chunk = self.chunks.len().checked_sub(1)?;
        Some(self.take((chunk, self.chunks[chunk].len() - 1)))
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.len = 0;
        for chunk in &mut self.chunks {
            chunk.retain_mut(|(key, value)| keep(key, value));
            self.len += chunk.len();
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
    }

    fn take(&mut self, (chunk, index): Place) -> (K, V) {
        self.len -= 1;
        let taken = self.chunks[chunk].remove(index);
        if self.chunks[chunk].is_empty() {
            self.chunks.remove(chunk);
        }
        taken
    }

    /// Puts an entry before the one at a place that `find` gave for its key.
    #[inline(never)]
    fn put(&mut self, (mut chunk, mut index): Place, key: K, value: V) -> &mut V {
        self.len += 1;
        if self.chunks.is_empty() {
            self.chunks.push(Vec::new());
        } else if self.chunks[chunk].len() >= FULL {
            // What is written in order fills its chunks.
            let at = if index == FULL && chunk + 1 == self.chunks.len() { FULL } else { FULL / 2 };
            let rest = self.chunks[chunk].split_off(at);
            self.chunks.insert(chunk + 1, rest);
            if index >= at {
                (chunk, index) = (chunk + 1, index - at);
            }
        }
        self.chunks[chunk].insert(index, (key, value));
        &mut self.chunks[chunk][index].1
    }
}

impl<K: Ord, V> BTreeMap<K, V> {
    /// The key's place, or where it would be put (which may be the end of a chunk).
    #[inline(never)]
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<Place, Place>
    where
        K: Borrow<Q>,
    {
        let after = self.chunks.partition_point(|chunk| chunk[0].0.borrow() <= key);
        let Some(chunk) = after.checked_sub(1) else { return Err((0, 0)) };
        match self.chunks[chunk].binary_search_by(|(known, _)| known.borrow().cmp(key)) {
            Ok(index) => Ok((chunk, index)),
            Err(index) => Err((chunk, index)),
        }
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|(chunk, index)| &self.chunks[chunk][index].1)
    }

    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let (chunk, index) = self.find(key).ok()?;
        let (key, value) = &self.chunks[chunk][index];
        Some((key, value))
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|(chunk, index)| &mut self.chunks[chunk][index].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok((chunk, index)) => Some(std::mem::replace(&mut self.chunks[chunk][index].1, value)),
            Err(place) => {
                self.put(place, key, value);
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.remove_entry(key).map(|(_, value)| value)
    }

    pub fn remove_entry<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<(K, V)>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|place| self.take(place))
    }

    /// Takes everything out of another map; its entries win.
    pub fn append(&mut self, other: &mut BTreeMap<K, V>) {
        self.extend(std::mem::take(other));
    }

    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let place = self.find(&key);
        Entry { map: self, key, place }
    }

    pub fn range<Q: Ord + ?Sized>(&self, range: impl RangeBounds<Q>) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let at = match range.start_bound() {
            Bound::Included(key) => self.edge(key, false),
            Bound::Excluded(key) => self.edge(key, true),
            Bound::Unbounded => (0, 0),
        };
        let end = match range.end_bound() {
            Bound::Included(key) => self.edge(key, true),
            Bound::Excluded(key) => self.edge(key, false),
            Bound::Unbounded => (self.chunks.len(), 0),
        };
        Iter { chunks: &self.chunks, at, end: end.max(at) }
    }

    /// The place of the first entry at or after (or only after) a key.
    fn edge<Q: Ord + ?Sized>(&self, key: &Q, after: bool) -> Place
    where
        K: Borrow<Q>,
    {
        let (chunk, index) = match self.find(key) {
            Ok((chunk, index)) => (chunk, index + usize::from(after)),
            Err(place) => place,
        };
        let past = self.chunks.get(chunk).is_some_and(|entries| index >= entries.len());
        if past { (chunk + 1, 0) } else { (chunk, index) }
    }
}

/// A key's place in a map, filled or not.
pub struct Entry<'a, K, V> {
    map: &'a mut BTreeMap<K, V>,
    key: K,
    place: Result<Place, Place>,
}

impl<'a, K: Ord, V> Entry<'a, K, V> {
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        match self.place {
            Ok((chunk, index)) => &mut self.map.chunks[chunk][index].1,
            Err(place) => self.map.put(place, self.key, make()),
        }
    }

    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    pub fn and_modify(self, modify: impl FnOnce(&mut V)) -> Self {
        if let Ok((chunk, index)) = self.place {
            modify(&mut self.map.chunks[chunk][index].1);
        }
        self
    }
}

pub struct Iter<'a, K, V> {
    chunks: &'a [Vec<(K, V)>],
    at: Place,
    end: Place,
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter { ..*self }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    #[inline(never)]
    fn next(&mut self) -> Option<(&'a K, &'a V)> {
        if self.at >= self.end {
            return None;
        }
        let (chunk, index) = self.at;
        let chunk = self.chunks.get(chunk)?;
        let (key, value) = chunk.get(index)?;
        self.at.1 += 1;
        if self.at.1 >= chunk.len() {
            self.at = (self.at.0 + 1, 0);
        }
        Some((key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        if self.at >= self.end {
            return (0, Some(0));
        }
        let before: usize = self.chunks.iter().take(self.end.0).skip(self.at.0).map(Vec::len).sum();
        let len = (before + self.end.1).saturating_sub(self.at.1);
        (len, Some(len))
    }
}

impl<'a, K, V> DoubleEndedIterator for Iter<'a, K, V> {
    fn next_back(&mut self) -> Option<(&'a K, &'a V)> {
        if self.at >= self.end {
            return None;
        }
        if self.end.1 == 0 {
            self.end.0 -= 1;
            self.end.1 = self.chunks.get(self.end.0)?.len();
        }
        self.end.1 -= 1;
        let (key, value) = self.chunks.get(self.end.0)?.get(self.end.1)?;
        Some((key, value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

pub struct Keys<'a, K, V>(Iter<'a, K, V>);

impl<K, V> Clone for Keys<'_, K, V> {
    fn clone(&self) -> Self {
        Keys(self.0.clone())
    }
}

impl<'a, K, V> Iterator for Keys<'a, K, V> {
    type Item = &'a K;

    fn next(&mut self) -> Option<&'a K> {
        self.0.next().map(|(key, _)| key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<'a, K, V> DoubleEndedIterator for Keys<'a, K, V> {
    fn next_back(&mut self) -> Option<&'a K> {
        self.0.next_back().map(|(key, _)| key)
    }
}

impl<K, V> ExactSizeIterator for Keys<'_, K, V> {}

impl<'a, K, V> IntoIterator for &'a BTreeMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut BTreeMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}

impl<K, V> IntoIterator for BTreeMap<K, V> {
    type Item = (K, V);
    type IntoIter = Flatten<vec::IntoIter<Vec<(K, V)>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.chunks.into_iter().flatten()
    }
}

impl<K, V> Default for BTreeMap<K, V> {
    fn default() -> Self {
        BTreeMap::new()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for BTreeMap<K, V> {
    /// Later entries of one key win.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(iter: I) -> Self {
        let mut map = BTreeMap::new();
        map.extend(iter);
        map
    }
}

impl<K: Ord, V> Extend<(K, V)> for BTreeMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, iter: I) {
        for (key, value) in iter {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for BTreeMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for BTreeMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: Eq, V: Eq> Eq for BTreeMap<K, V> {}

impl<K: PartialOrd, V: PartialOrd> PartialOrd for BTreeMap<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Ord, V: Ord> Ord for BTreeMap<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for BTreeMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BTreeSet<T> {
    map: BTreeMap<T, ()>,
}

impl<T> BTreeSet<T> {
    pub const fn new() -> BTreeSet<T> {
        BTreeSet { map: BTreeMap::new() }
    }

    pub fn len(&self) -> usize {
        self.map.len()
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    pub fn clear(&mut self) {
        self.map.clear();
    }

    pub fn iter(&self) -> Keys<'_, T, ()> {
        self.map.keys()
    }

    pub fn first(&self) -> Option<&T> {
        self.iter().next()
    }

    pub fn last(&self) -> Option<&T> {
        self.iter().next_back()
    }

    pub fn pop_first(&mut self) -> Option<T> {
        self.map.pop_first().map(|(item, ())| item)
    }

    pub fn pop_last(&mut self) -> Option<T> {
        self.map.pop_last().map(|(item, ())| item)
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.map.retain(|item, ()| keep(item));
    }
}

impl<T: Ord> BTreeSet<T> {
    /// Whether the item is new.
    pub fn insert(&mut self, item: T) -> bool {
        self.map.insert(item, ()).is_none()
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.remove_entry(item).is_some()
    }

    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.map.contains_key(item)
    }

    pub fn range<Q: Ord + ?Sized>(&self, range: impl RangeBounds<Q>) -> Keys<'_, T, ()>
    where
        T: Borrow<Q>,
    {
        Keys(self.map.range(range))
    }

    pub fn difference<'a>(&'a self, other: &'a BTreeSet<T>) -> impl DoubleEndedIterator<Item = &'a T> {
        self.iter().filter(|item| !other.contains(*item))
    }

    pub fn intersection<'a>(&'a self, other: &'a BTreeSet<T>) -> impl DoubleEndedIterator<Item = &'a T> {
        self.iter().filter(|item| other.contains(*item))
    }

    pub fn is_subset(&self, other: &BTreeSet<T>) -> bool {
        self.iter().all(|item| other.contains(item))
    }
}

impl<'a, T> IntoIterator for &'a BTreeSet<T> {
    type Item = &'a T;
    type IntoIter = Keys<'a, T, ()>;

    fn into_iter(self) -> Keys<'a, T, ()> {
        self.iter()
    }
}

impl<T> IntoIterator for BTreeSet<T> {
    type Item = T;
    type IntoIter = Map<Flatten<vec::IntoIter<Vec<(T, ())>>>, fn((T, ())) -> T>;

    fn into_iter(self) -> Self::IntoIter {
        self.map.into_iter().map(|(item, ())| item)
    }
}

impl<T> Default for BTreeSet<T> {
    fn default() -> Self {
        BTreeSet::new()
    }
}

impl<T: Ord> FromIterator<T> for BTreeSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        let mut set = BTreeSet::new();
        set.extend(iter);
        set
    }
}

impl<T: Ord> Extend<T> for BTreeSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        for item in iter {
            self.insert(item);
        }
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for BTreeSet<T> {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T: fmt::Debug> fmt::Debug for BTreeSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{BTreeMap, BTreeSet};
    use std::collections::BTreeMap as Model;

    /// Random operations against the standard library's map.
    #[test]
    fn behaves_like_the_standard_map() {
        let (mut ours, mut model) = (BTreeMap::new(), Model::new());
        let mut state = 1u64;
        for step in 0..60_000u64 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (what, key) = (state >> 61, (state >> 33) % 1500);
            match what {
                0..=2 => assert_eq!(ours.insert(key, step), model.insert(key, step)),
                3 | 4 => assert_eq!(ours.remove(&key), model.remove(&key)),
                5 => *ours.entry(key).or_insert(0) += *model.entry(key).and_modify(|n| *n += 1).or_insert(1),
                6 => assert_eq!(ours.get(&key), model.get(&key)),
                _ if step % 50 == 0 => {
                    let to = key + step % 90;
                    assert!(ours.range(key..to).eq(model.range(key..to)));
                    assert_eq!(ours.range(key..to).len(), model.range(key..to).count());
                    assert!(ours.range(..=key).rev().eq(model.range(..=key).rev()));
                    model.retain(|key, _| key % 37 != step % 37);
                    ours.retain(|key, _| key % 37 != step % 37);
                }
                _ if step % 2 == 0 => assert_eq!(ours.pop_first(), model.pop_first()),
                _ => assert_eq!(ours.pop_last(), model.pop_last()),
            }
            if what == 5 {
                model.insert(key, *ours.get(&key).unwrap());
            }
            assert_eq!(ours.len(), model.len());
            if step % 500 == 0 {
                assert!(ours.iter().eq(model.iter()) && ours.keys().rev().eq(model.keys().rev()));
                assert!(ours.clone().into_iter().eq(model.clone()));
                assert_eq!(ours, model.clone().into_iter().rev().collect::<BTreeMap<_, _>>());
            }
        }
        assert_eq!(BTreeSet::from([3, 1, 2, 3]).into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    }
}
