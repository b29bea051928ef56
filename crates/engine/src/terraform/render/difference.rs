//! What changes between two values, as a tree that `human` writes out (upstream: terraform's jsonformat/differ).

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;
use crate::terraform::plan::Action;
use crate::terraform::schema::{BlockSchema, NestedSchema, Nesting};
use crate::terraform::value::{self, Kind, Path, PathStep, Type, Value};

/// One node: what is done to it, whether it forces a replacement, and what it consists of.
#[derive(Clone, Debug)]
pub struct Difference {
    pub action: Action,
    pub replace: bool,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub enum Shape {
    /// A string, number or bool, or null, before and after.
    Primitive(Value, Value),
    /// Known after apply; what stood there before, as if deleted.
    Unknown(Option<Box<Difference>>),
    Sensitive {
        before: bool,
        after: bool,
        same: bool,
    },
    WriteOnly,
    Elements {
        items: Vec<Difference>,
        kind: ElementsKind,
    },
    Entries {
        items: Vec<(SmolStr, Difference)>,
        kind: EntriesKind,
    },
    TypeChange(Box<Difference>, Box<Difference>),
    Block {
        attributes: Vec<(SmolStr, Difference)>,
        blocks: Vec<(SmolStr, Group)>,
    },
    /// A string that holds JSON, compared by content.
    Json(Box<Difference>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementsKind {
    List,
    Set,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntriesKind {
    Object,
    Map,
}

/// The blocks of one name.
#[derive(Clone, Debug)]
pub struct Group {
    pub items: Vec<(Option<SmolStr>, Difference)>,
    pub replace: bool,
}

/// Compares values of one resource or output.
#[derive(Clone, Copy)]
pub struct Differ<'a> {
    pub replace_paths: &'a [Path],
    /// Empty strings count as null.
    pub legacy: bool,
    /// Where given, only these paths may show as changed.
    pub relevant: Option<&'a [Path]>,
}

impl Differ<'_> {
    pub fn block(&self, schema: &BlockSchema, before: &Value, after: &Value, path: &mut Path) -> Difference {
        let null = Value::null(Type::Dynamic);
        let mut attributes = Vec::new();
        for attribute in &schema.attributes {
            let (b, a) = (before.get(&attribute.name).unwrap_or(&null), after.get(&attribute.name).unwrap_or(&null));
            path.push(PathStep::Attribute(attribute.name.clone()));
            let difference = if attribute.write_only && !(b.is_null() && a.is_null()) {
                Difference { action: action_between(b, a), replace: false, shape: Shape::WriteOnly }
            } else if attribute.sensitive && !(b.is_null() && a.is_null()) {
                self.sensitive(b, a, true, true)
            } else {
                self.value(&attribute.ty, b, a, path)
            };
            path.pop();
            if !(difference.action == Action::NoOp && b.is_null() && a.is_null()) {
                attributes.push((attribute.name.clone(), difference));
            }
        }
        let mut blocks = Vec::new();
        for nested in &schema.blocks {
            let (b, a) = (before.get(&nested.name).unwrap_or(&null), after.get(&nested.name).unwrap_or(&null));
            path.push(PathStep::Attribute(nested.name.clone()));
            let group = self.group(nested, b, a, path);
            path.pop();
            if !group.items.is_empty() {
                blocks.push((nested.name.clone(), group));
            }
        }
        let changed = |action: &Action| *action != Action::NoOp;
        let inner = attributes.iter().map(|(_, d)| d.action);
        let any =
            inner.chain(blocks.iter().flat_map(|(_, g)| g.items.iter().map(|(_, d)| d.action))).any(|a| changed(&a));
        let action = match (before.is_null(), after.is_null()) {
            (true, false) => Action::Create,
            (false, true) => Action::Delete,
            _ if any => Action::Update,
            _ => Action::NoOp,
        };
        Difference { action, replace: self.replaces(path), shape: Shape::Block { attributes, blocks } }
    }

    fn group(&self, nested: &NestedSchema, before: &Value, after: &Value, path: &mut Path) -> Group {
        let replace = self.replaces(path);
        let mut items = Vec::new();
        if !after.is_known() {
            let old = before.items().map(<[Value]>::len).unwrap_or_default();
            let action = if old == 0 { Action::Create } else { Action::Update };
            items.push((None, Difference { action, replace, shape: Shape::Unknown(None) }));
            return Group { items, replace };
        }
        let null = Value::null(Type::Dynamic);
        match nested.nesting {
            Nesting::Single => {
                if !(before.is_null() && after.is_null()) {
                    items.push((None, self.block(&nested.block, before, after, path)));
                }
            }
            Nesting::Map => {
                for key in keys(before, after) {
                    let (b, a) = (before.get(&key).unwrap_or(&null), after.get(&key).unwrap_or(&null));
                    path.push(PathStep::Index(Value::string(key.clone())));
                    items.push((Some(key), self.block(&nested.block, b, a, path)));
                    path.pop();
                }
            }
            Nesting::List | Nesting::Set => {
                let (b, a) = (before.items().unwrap_or_default(), after.items().unwrap_or_default());
                let pairs = if nested.nesting == Nesting::Set { pair_set(b, a) } else { pair_list(b, a, true) };
                for (i, j) in pairs {
                    let (old, new) = (i.and_then(|i| b.get(i)), j.and_then(|j| a.get(j)));
                    path.push(step(nested.nesting == Nesting::Set, i, j, old, new));
                    items.push((None, self.block(&nested.block, old.unwrap_or(&null), new.unwrap_or(&null), path)));
                    path.pop();
                }
            }
        }
        Group { items, replace }
    }

    /// Two values of an attribute of this type; `Dynamic` compares by what the values are.
    pub fn value(&self, ty: &Type, before: &Value, after: &Value, path: &mut Path) -> Difference {
        if before.is_sensitive() || after.is_sensitive() {
            return self.sensitive(before, after, before.is_sensitive(), after.is_sensitive());
        }
        let empty = |value: &Value| value.is_null() || (self.legacy && value.as_str() == Some(""));
        if !after.is_known() {
            let replace = *ty != Type::Dynamic && self.replaces(path);
            if empty(before) {
                return Difference { action: Action::Create, replace, shape: Shape::Unknown(None) };
            }
            let old = self.value(ty, before, &Value::null(Type::Dynamic), &mut Vec::new());
            return Difference { action: Action::Update, replace, shape: Shape::Unknown(Some(Box::new(old))) };
        }
        if self.relevant.is_some_and(|paths| !paths.iter().any(|p| p.starts_with(path) || path.starts_with(p))) {
            return self.value_shape(ty, after, after, path);
        }
        self.value_shape(ty, before, after, path)
    }

    fn value_shape(&self, ty: &Type, before: &Value, after: &Value, path: &mut Path) -> Difference {
        // Of a value of any type nothing is said to force a replacement.
        let replace = *ty != Type::Dynamic && self.replaces(path);
        let sort = match ty {
            Type::Dynamic => {
                let (b, a) = (sort_of(before), sort_of(after));
                if b != Sort::Null && a != Sort::Null && b != a {
                    let null = Value::null(Type::Dynamic);
                    let old = self.value(ty, before, &null, &mut Vec::new());
                    let new = self.value(ty, &null, after, &mut Vec::new());
                    let shape = Shape::TypeChange(Box::new(old), Box::new(new));
                    return Difference { action: Action::Update, replace, shape };
                }
                if b == Sort::Null { a } else { b }
            }
            Type::Bool | Type::Number => Sort::Primitive,
            Type::String => Sort::Text,
            Type::List(_) | Type::Tuple(_) => Sort::List,
            Type::Set(_) => Sort::Set,
            Type::Map(_) => Sort::Map,
            Type::Object(_) => Sort::Object,
        };
        let null = Value::null(Type::Dynamic);
        match sort {
            Sort::Null | Sort::Primitive | Sort::Text => {
                let visible = |v: &Value| if self.legacy && v.as_str() == Some("") { null.clone() } else { v.clone() };
                let (b, a) = (visible(before), visible(after));
                let action = action_between(&b, &a);
                if let Some(inner) = self.json(&b, &a) {
                    return Difference { action, replace, shape: Shape::Json(Box::new(inner)) };
                }
                Difference { action, replace, shape: Shape::Primitive(b, a) }
            }
            Sort::List | Sort::Set => {
                let element = |i: usize| match ty {
                    Type::Tuple(items) => items.get(i).cloned().unwrap_or_default(),
                    other => other.element().cloned().unwrap_or_default(),
                };
                let (b, a) = (before.items().unwrap_or_default(), after.items().unwrap_or_default());
                let set = sort == Sort::Set;
                let object = matches!(ty.element(), Some(Type::Object(_)));
                let pairs = if set { pair_set(b, a) } else { pair_list(b, a, object) };
                let mut items = Vec::with_capacity(pairs.len());
                for (i, j) in pairs {
                    let (old, new) = (i.and_then(|i| b.get(i)), j.and_then(|j| a.get(j)));
                    path.push(step(set, i, j, old, new));
                    let ty = element(j.or(i).unwrap_or_default());
                    let mut item = self.value(&ty, old.unwrap_or(&null), new.unwrap_or(&null), path);
                    path.pop();
                    present(&mut item, old.is_some(), new.is_some());
                    items.push(item);
                }
                let action = whole(before, after, items.iter().map(|item| item.action));
                let kind = if set { ElementsKind::Set } else { ElementsKind::List };
                Difference { action, replace, shape: Shape::Elements { items, kind } }
            }
            Sort::Map | Sort::Object => {
                let mut items = Vec::new();
                for key in keys(before, after) {
                    let (b, a) = (before.get(&key).unwrap_or(&null), after.get(&key).unwrap_or(&null));
                    let inner = match ty {
                        Type::Object(object) => object.attributes.get(&key).cloned().unwrap_or_default(),
                        other => other.element().cloned().unwrap_or_default(),
                    };
                    path.push(match sort {
                        Sort::Map => PathStep::Index(Value::string(key.clone())),
                        _ => PathStep::Attribute(key.clone()),
                    });
                    let mut difference = self.value(&inner, b, a, path);
                    path.pop();
                    let (was, is) = (before.get(&key).is_some(), after.get(&key).is_some());
                    if *ty == Type::Dynamic {
                        present(&mut difference, was, is);
                    } else if difference.action == Action::NoOp && b.is_null() && a.is_null() {
                        continue;
                    }
                    items.push((key, difference));
                }
                let action = whole(before, after, items.iter().map(|(_, item)| item.action));
                let kind = if sort == Sort::Map { EntriesKind::Map } else { EntriesKind::Object };
                Difference { action, replace, shape: Shape::Entries { items, kind } }
            }
        }
    }

    /// An output value: compared by what it is, not by its type.
    pub fn output(&self, before: &Value, after: &Value, sensitive: bool) -> Difference {
        if sensitive {
            return self.sensitive(before, after, true, true);
        }
        self.value(&Type::Dynamic, before, after, &mut Vec::new())
    }

    fn sensitive(&self, before: &Value, after: &Value, was: bool, is: bool) -> Difference {
        let (b, a) = (before.clone().unmark_deep().0, after.clone().unmark_deep().0);
        let same = b == a;
        let (was, is) = if before.is_null() {
            (is, is)
        } else if after.is_null() {
            (was, was)
        } else {
            (was, is)
        };
        let action = match action_between(&b, &a) {
            Action::NoOp if was != is => Action::Update,
            action => action,
        };
        Difference { action, replace: false, shape: Shape::Sensitive { before: was, after: is, same } }
    }

    fn replaces(&self, path: &Path) -> bool {
        self.replace_paths.iter().any(|p| p == path)
    }

    /// Both sides as JSON documents, where they are.
    fn json(&self, before: &Value, after: &Value) -> Option<Difference> {
        let read = |value: &Value| match &value.kind {
            Kind::Null(_) => Some(None),
            Kind::String(text) if text.trim_start().starts_with(['{', '[']) => {
                let value = value::decode(text).ok()?;
                value.len().map(|_| Some(value))
            }
            _ => None,
        };
        let (b, a) = (read(before)?, read(after)?);
        if b.is_none() && a.is_none() {
            return None;
        }
        let null = || Value::null(Type::Dynamic);
        let plain = Differ { replace_paths: &[], legacy: false, relevant: None };
        Some(plain.value(&Type::Dynamic, &b.unwrap_or_else(null), &a.unwrap_or_else(null), &mut Vec::new()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Null,
    Primitive,
    Text,
    List,
    Set,
    Map,
    Object,
}

/// What a value is when its type does not matter: lists, sets and tuples are one, maps and objects are one.
fn sort_of(value: &Value) -> Sort {
    match &value.kind {
        Kind::Null(_) | Kind::Unknown(..) => Sort::Null,
        Kind::Bool(_) | Kind::Number(_) => Sort::Primitive,
        Kind::String(_) => Sort::Text,
        Kind::List(..) | Kind::Set(..) | Kind::Tuple(_) => Sort::List,
        Kind::Map(..) | Kind::Object(_) => Sort::Object,
    }
}

fn action_between(before: &Value, after: &Value) -> Action {
    match (before.is_null(), after.is_null()) {
        (true, true) => Action::NoOp,
        (true, false) => Action::Create,
        (false, true) => Action::Delete,
        _ if before == after => Action::NoOp,
        _ => Action::Update,
    }
}

/// What is there with the value null is made, changed and taken away like any other value.
fn present(difference: &mut Difference, was: bool, is: bool) {
    if !matches!(difference.shape, Shape::Primitive(..)) {
        return;
    }
    difference.action = match (was, is, difference.action) {
        (false, true, _) => Action::Create,
        (true, false, _) => Action::Delete,
        (true, true, Action::Create | Action::Delete) => Action::Update,
        (_, _, action) => action,
    };
}

fn whole(before: &Value, after: &Value, mut inner: impl Iterator<Item = Action>) -> Action {
    match action_between(before, after) {
        Action::NoOp | Action::Update if inner.any(|action| action != Action::NoOp) => Action::Update,
        Action::Update => Action::NoOp,
        action => action,
    }
}

fn keys(before: &Value, after: &Value) -> BTreeSet<SmolStr> {
    let empty = BTreeMap::new();
    let of = |value: &Value| value.entries().unwrap_or(&empty).keys().cloned().collect::<Vec<_>>();
    of(before).into_iter().chain(of(after)).collect()
}

fn step(set: bool, before: Option<usize>, after: Option<usize>, old: Option<&Value>, new: Option<&Value>) -> PathStep {
    PathStep::Index(match (set, new.or(old)) {
        (true, Some(element)) => element.clone(),
        _ => Value::int(after.or(before).unwrap_or_default() as i64),
    })
}

type Pair = (Option<usize>, Option<usize>);

/// Elements of two sets: those of the first in order, gone or kept, then the new ones.
fn pair_set(before: &[Value], after: &[Value]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut taken = vec![false; after.len()];
    for (i, old) in before.iter().enumerate() {
        let twin = after.iter().zip(&taken).position(|(new, taken)| !taken && new == old);
        if let Some(flag) = twin.and_then(|j| taken.get_mut(j)) {
            *flag = true;
        }
        pairs.push((Some(i), twin));
    }
    pairs.extend(taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(j, _)| (None, Some(j))));
    pairs
}

/// Elements of two lists, by their longest common subsequence; pairwise where the lengths are equal and the one is
/// not just the other in another order.
pub fn pair_list(before: &[Value], after: &[Value], objects: bool) -> Vec<Pair> {
    if before.len() == after.len() && !reordered(before, after) {
        return (0..before.len()).map(|i| (Some(i), Some(i))).collect();
    }
    pair_by_common(before, after, objects)
}

pub fn pair_by_common(before: &[Value], after: &[Value], objects: bool) -> Vec<Pair> {
    let common = common(before, after);
    let mut pairs = Vec::with_capacity(before.len().max(after.len()));
    let (mut i, mut j) = (0, 0);
    for &(ci, cj) in common.iter().chain([&(before.len(), after.len())]) {
        while i < ci {
            let pair = objects && j < cj;
            pairs.push((Some(i), pair.then_some(j)));
            i += 1;
            j += usize::from(pair);
        }
        while j < cj {
            pairs.push((None, Some(j)));
            j += 1;
        }
        if ci < before.len() && cj < after.len() {
            pairs.push((Some(ci), Some(cj)));
        }
        (i, j) = (ci + 1, cj + 1);
    }
    pairs
}

fn reordered(before: &[Value], after: &[Value]) -> bool {
    before != after
        && pair_set(before, after).len() == before.len()
        && pair_set(before, after).iter().all(|p| p.1.is_some())
}

/// Index pairs of the longest common subsequence; beyond a limit of work only equal heads and tails.
fn common(before: &[Value], after: &[Value]) -> Vec<(usize, usize)> {
    let equal = |i: usize, j: usize| before.get(i).is_some_and(|b| Some(b) == after.get(j) && b.is_wholly_known());
    let head = (0..before.len().min(after.len())).take_while(|&i| equal(i, i)).count();
    let longest = before.len().min(after.len()) - head;
    let tail = (0..longest).take_while(|&k| equal(before.len() - 1 - k, after.len() - 1 - k)).count();
    let (rows, columns) = (before.len() - head - tail, after.len() - head - tail);
    let mut found: Vec<(usize, usize)> = (0..head).map(|i| (i, i)).collect();
    if rows.saturating_mul(columns) <= 4_000_000 {
        let width = columns + 1;
        let mut best = vec![0u32; (rows + 1) * width];
        let at = |best: &[u32], i: usize, j: usize| best.get(i * width + j).copied().unwrap_or(0);
        for i in (0..rows).rev() {
            for j in (0..columns).rev() {
                let value = if equal(head + i, head + j) {
                    at(&best, i + 1, j + 1) + 1
                } else {
                    at(&best, i + 1, j).max(at(&best, i, j + 1))
                };
                if let Some(cell) = best.get_mut(i * width + j) {
                    *cell = value;
                }
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < rows && j < columns {
            if equal(head + i, head + j) {
                found.push((head + i, head + j));
                (i, j) = (i + 1, j + 1);
            } else if at(&best, i + 1, j) >= at(&best, i, j + 1) {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    found.extend((0..tail).rev().map(|k| (before.len() - 1 - k, after.len() - 1 - k)));
    found
}
