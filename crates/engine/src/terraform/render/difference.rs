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
        // What does not matter stands as it was.
        let matters = |name: &SmolStr| {
            let first = |path: &Path| matches!(path.first(), Some(PathStep::Attribute(own)) if own == name);
            !path.is_empty()
                || self.relevant.is_none_or(|paths| paths.iter().any(|path| path.is_empty() || first(path)))
        };
        let wanted: Vec<bool> = schema.attributes.iter().map(|attribute| matters(&attribute.name)).collect();
        let wanted_blocks: Vec<bool> = schema.blocks.iter().map(|nested| matters(&nested.name)).collect();
        for (attribute, wanted) in schema.attributes.iter().zip(wanted) {
            let (b, a) = (before.get(&attribute.name).unwrap_or(&null), after.get(&attribute.name).unwrap_or(&null));
            let a = if wanted { a } else { b };
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
        for (nested, wanted) in schema.blocks.iter().zip(wanted_blocks) {
            let (b, a) = (before.get(&nested.name).unwrap_or(&null), after.get(&nested.name).unwrap_or(&null));
            let a = if wanted { a } else { b };
            path.push(PathStep::Attribute(nested.name.clone()));
            let group = self.group(nested, b, a, path, before.is_null());
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

    fn group(&self, nested: &NestedSchema, before: &Value, after: &Value, path: &mut Path, new: bool) -> Group {
        let replace = self.replaces(path);
        let mut items = Vec::new();
        if !after.is_known() {
            let action = if new { Action::Create } else { Action::Update };
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
                let within = |i: usize, of: &[Value]| (i < of.len()).then_some(i);
                let pairs = match nested.nesting {
                    Nesting::Set => pair_set(b, a),
                    _ => (0..b.len().max(a.len())).map(|i| (within(i, b), within(i, a))).collect(),
                };
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
        if *ty == Type::Dynamic {
            let there = |value: &Value| (!value.is_null()).then(|| value.clone());
            return self.dynamic(there(before).as_ref(), there(after).as_ref(), path);
        }
        if before.is_sensitive() || after.is_sensitive() {
            let sensitive = self.sensitive(before, after, before.is_sensitive(), after.is_sensitive());
            return Difference { replace: self.replaces(path), ..sensitive };
        }
        let empty = |value: &Value| value.is_null() || (self.legacy && value.as_str() == Some(""));
        if !after.is_known() {
            let replace = self.replaces(path);
            if empty(before) {
                return Difference { action: Action::Create, replace, shape: Shape::Unknown(None) };
            }
            let old = self.value(ty, before, &Value::null(Type::Dynamic), &mut Vec::new());
            return Difference { action: Action::Update, replace, shape: Shape::Unknown(Some(Box::new(old))) };
        }
        self.value_shape(ty, before, after, path)
    }

    fn is_relevant(&self, path: &Path) -> bool {
        self.relevant.is_none_or(|paths| paths.iter().any(|p| p.starts_with(path) || path.starts_with(p)))
    }

    /// A value of any type, compared by what it is. What is not there at all is no null.
    fn dynamic(&self, before: Option<&Value>, after: Option<&Value>, path: &mut Path) -> Difference {
        let null = Value::null(Type::Dynamic);
        let (b, a) = (before.unwrap_or(&null), after.unwrap_or(&null));
        if b.is_sensitive() || a.is_sensitive() {
            let bare = |value: Option<&Value>| value.map(|value| value.clone().unmark_deep().0);
            let inner = self.dynamic(bare(before).as_ref(), bare(after).as_ref(), path);
            let (was, is) = (b.is_sensitive(), a.is_sensitive());
            let same = inner.action == Action::NoOp;
            let (was, is) = match inner.action {
                Action::Create => (is, is),
                Action::Delete => (was, was),
                _ => (was, is),
            };
            let action = if same && was != is { Action::Update } else { inner.action };
            return Difference { action, replace: false, shape: Shape::Sensitive { before: was, after: is, same } };
        }
        let of = |action: Action, shape: Shape| Difference { action, replace: false, shape };
        if !a.is_known() {
            if b.is_null() {
                return of(Action::Create, Shape::Unknown(None));
            }
            let old = self.dynamic(before, None, path);
            return of(Action::Update, Shape::Unknown(Some(Box::new(old))));
        }
        let (after, a) = if self.is_relevant(path) { (after, a) } else { (before, b) };
        let (was, is) = (sort_of(b), sort_of(a));
        if was == is || before.is_none() || after.is_none() {
            return self.dynamic_shape(if was == Sort::Null { is } else { was }, before, after, path);
        }
        let old = self.dynamic_shape(was, before, None, path);
        let new = self.dynamic_shape(is, None, after, path);
        of(Action::Update, Shape::TypeChange(Box::new(old), Box::new(new)))
    }

    fn dynamic_shape(&self, sort: Sort, before: Option<&Value>, after: Option<&Value>, path: &mut Path) -> Difference {
        let null = Value::null(Type::Dynamic);
        let (b, a) = (before.unwrap_or(&null), after.unwrap_or(&null));
        match sort {
            Sort::List => {
                let (old, new) = (b.items().unwrap_or_default(), a.items().unwrap_or_default());
                let whole_list = Differ { relevant: None, ..*self };
                let pairs = pair_list(old, new, &|value| value.entries().is_some());
                let items: Vec<Difference> = pairs
                    .into_iter()
                    .map(|(i, j)| whole_list.dynamic(i.and_then(|i| old.get(i)), j.and_then(|j| new.get(j)), path))
                    .collect();
                let action = whole(b, a, items.iter().map(|item| item.action));
                Difference { action, replace: false, shape: Shape::Elements { items, kind: ElementsKind::List } }
            }
            Sort::Object => {
                let mut items = Vec::new();
                for key in keys(b, a) {
                    path.push(PathStep::Attribute(key.clone()));
                    let item = self.dynamic(b.get(&key), a.get(&key), path);
                    path.pop();
                    items.push((key, item));
                }
                let action = whole(b, a, items.iter().map(|(_, item)| item.action));
                Difference { action, replace: false, shape: Shape::Entries { items, kind: EntriesKind::Object } }
            }
            _ => {
                let action = match (before, after) {
                    (None, Some(_)) => Action::Create,
                    (Some(_), None) => Action::Delete,
                    _ if b == a => Action::NoOp,
                    _ => Action::Update,
                };
                self.primitive(b, a, action, false)
            }
        }
    }

    /// A scalar; of strings that hold JSON, what changes in them.
    fn primitive(&self, before: &Value, after: &Value, action: Action, replace: bool) -> Difference {
        if let Some(inner) = self.json(before, after) {
            return Difference { action, replace, shape: Shape::Json(Box::new(inner)) };
        }
        if action == Action::Update && document(before).is_some() != document(after).is_some() {
            let null = Value::null(Type::Dynamic);
            if !before.is_null() && !after.is_null() {
                let old = self.primitive(before, &null, Action::Delete, false);
                let new = self.primitive(&null, after, Action::Create, false);
                return Difference { action, replace, shape: Shape::TypeChange(Box::new(old), Box::new(new)) };
            }
        }
        Difference { action, replace, shape: Shape::Primitive(before.clone(), after.clone()) }
    }

    fn value_shape(&self, ty: &Type, before: &Value, after: &Value, path: &mut Path) -> Difference {
        let replace = self.replaces(path);
        let sort = match ty {
            Type::Dynamic => return self.value(ty, before, after, path),
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
                self.primitive(&b, &a, action, replace)
            }
            Sort::List | Sort::Set => {
                let element = |i: usize| match ty {
                    Type::Tuple(items) => items.get(i).cloned().unwrap_or_default(),
                    other => other.element().cloned().unwrap_or_default(),
                };
                let (b, a) = (before.items().unwrap_or_default(), after.items().unwrap_or_default());
                let set = sort == Sort::Set;
                let object = matches!(ty.element(), Some(Type::Object(_)));
                let pairs = if set { pair_set(b, a) } else { pair_list(b, a, &|_| object) };
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
                    if sort == Sort::Map {
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
        let read = |value: &Value| if value.is_null() { Some(None) } else { document(value).map(Some) };
        let (b, a) = (read(before)?, read(after)?);
        if b.is_none() && a.is_none() {
            return None;
        }
        let plain = Differ { replace_paths: &[], legacy: false, relevant: None };
        Some(plain.dynamic(b.as_ref(), a.as_ref(), &mut Vec::new()))
    }
}

/// A string that holds a JSON object or array, read.
fn document(value: &Value) -> Option<Value> {
    let text = value.as_str().filter(|text| text.starts_with(['{', '[']))?;
    value::decode(text).ok().filter(|value| value.len().is_some())
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
pub fn pair_list(before: &[Value], after: &[Value], is_object: &dyn Fn(&Value) -> bool) -> Vec<Pair> {
    let reordered = before.iter().all(|old| after.contains(old));
    if before.len() == after.len() && !reordered {
        return (0..before.len()).map(|i| (Some(i), Some(i))).collect();
    }
    let common = common(before, after);
    let mut pairs = Vec::with_capacity(before.len().max(after.len()));
    let (mut i, mut j) = (0, 0);
    let mut next = common.iter().copied();
    loop {
        let both = next.next().and_then(|at| before.get(at));
        let is_common = |value: &Value| Some(value) == both;
        while let Some(old) = before.get(i).filter(|old| !is_common(old)) {
            let twin = after.get(j).filter(|new| is_object(old) && is_object(new) && !is_common(new));
            pairs.push((Some(i), twin.map(|_| j)));
            i += 1;
            j += usize::from(twin.is_some());
        }
        while after.get(j).is_some_and(|new| !is_common(new)) {
            pairs.push((None, Some(j)));
            j += 1;
        }
        if both.is_none() {
            return pairs;
        }
        pairs.push((Some(i), Some(j)));
        (i, j) = (i + 1, j + 1);
    }
}

/// Indexes in the first list of the longest common subsequence; beyond a limit of work only equal heads.
fn common(before: &[Value], after: &[Value]) -> Vec<usize> {
    let equal = |x: usize, y: usize| before.get(x).is_some_and(|b| Some(b) == after.get(y) && b.is_wholly_known());
    let (columns, rows) = (before.len(), after.len());
    if rows.saturating_mul(columns) > 4_000_000 {
        return (0..columns.min(rows)).take_while(|&i| equal(i, i)).collect();
    }
    let mut lengths = vec![0u32; rows * columns];
    let at = |lengths: &[u32], x: Option<usize>, y: Option<usize>| match (x, y) {
        (Some(x), Some(y)) => lengths.get(columns * y + x).copied().unwrap_or(0),
        _ => 0,
    };
    for y in 0..rows {
        for x in 0..columns {
            let (left, up) = (x.checked_sub(1), y.checked_sub(1));
            let value = if equal(x, y) {
                at(&lengths, left, up) + 1
            } else {
                at(&lengths, left, Some(y)).max(at(&lengths, Some(x), up))
            };
            if let Some(cell) = lengths.get_mut(columns * y + x) {
                *cell = value;
            }
        }
    }
    let mut found = Vec::new();
    let (mut x, mut y) = (columns.checked_sub(1), rows.checked_sub(1));
    while let (Some(column), Some(row)) = (x, y) {
        let (left, up) = (column.checked_sub(1), row.checked_sub(1));
        if equal(column, row) {
            found.push(column);
            (x, y) = (left, up);
        } else if at(&lengths, left, y) > at(&lengths, x, up) {
            x = left;
        } else {
            y = up;
        }
    }
    found.reverse();
    found
}
