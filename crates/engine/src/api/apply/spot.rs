//! A place in an object as field ownership sees it: typed, or deduced from the value (custom resources).

use crate::api::schema::{Empty, Place, Topology, Ty, TypeId, named};
use crate::base::{Map, SmolStr, Value, format_smolstr, json};

/// The type of an object; `None` is a custom resource: only its metadata is typed, its maps are taken apart, its lists
/// are owned as a whole.
pub type Root = Option<TypeId>;

#[derive(Clone, Copy)]
pub(super) enum Spot {
    Typed(Place),
    Deduced { root: bool },
}

/// How a value at a spot is taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Leaf,
    /// A map or object, by key.
    Map,
    /// A list, by value.
    Set,
    /// A list, by these keys.
    Keyed(&'static [&'static str]),
}

impl Spot {
    pub fn root(root: Root) -> Spot {
        root.map_or(Spot::Deduced { root: true }, |ty| Spot::Typed(Place::root(ty)))
    }

    /// The shape of one or the other value (null and absent say nothing).
    pub fn shape(self, value: &Value) -> Shape {
        match self {
            Spot::Typed(place) => match place.topology() {
                Topology::Leaf => Shape::Leaf,
                Topology::Granular => Shape::Map,
                Topology::Set => Shape::Set,
                Topology::Keyed(keys) => Shape::Keyed(keys),
            },
            Spot::Deduced { .. } if matches!(value, Value::Map(_)) => Shape::Map,
            Spot::Deduced { .. } => Shape::Leaf,
        }
    }

    /// The spot under a key; `None` when the schema does not declare it.
    pub fn key(self, key: &str) -> Option<Spot> {
        match self {
            Spot::Typed(place) => place.key(key).map(Spot::Typed),
            Spot::Deduced { root: true } if key == "metadata" => {
                named("meta.v1", "ObjectMeta").map(|ty| Spot::Typed(Place::root(ty.id)))
            }
            Spot::Deduced { .. } => Some(Spot::Deduced { root: false }),
        }
    }

    pub fn item(self) -> Spot {
        match self {
            Spot::Typed(place) => place.item().map_or(Spot::Deduced { root: false }, Spot::Typed),
            Spot::Deduced { .. } => Spot::Deduced { root: false },
        }
    }

    /// Whether the server always writes the field: its absence is the empty value.
    pub fn is_written(self) -> bool {
        matches!(self, Spot::Typed(place) if place.field.is_some_and(|field| field.empty == Empty::Written))
    }

    /// Whether keys here are fields of an object, not keys of a map.
    pub fn has_fields(self) -> bool {
        match self {
            Spot::Typed(place) => matches!(place.ty, Ty::Struct(_)),
            Spot::Deduced { root } => root,
        }
    }

    /// The set key of a list item: `k:{"name":"c"}`, `v:"x"`.
    pub fn item_name(self, shape: Shape, item: &Value) -> SmolStr {
        let Shape::Keyed(keys) = shape else { return format_smolstr!("v:{}", json::compact(item)) };
        let mut map = Map::new();
        for key in keys {
            let value = item.entries().get(key).cloned().unwrap_or_else(|| self.default_of(key));
            map.insert(*key, value);
        }
        format_smolstr!("k:{}", json::compact(&map.into()))
    }

    /// The default of a key field of the list's items: the schema's, else the zero value.
    fn default_of(self, key: &str) -> Value {
        let Some(Spot::Typed(place)) = self.item().key(key) else { return Value::Null };
        let default = place.field.and_then(|field| field.default);
        match place.ty {
            Ty::Int32 | Ty::Int64 => Value::Int(default.and_then(|text| text.parse().ok()).unwrap_or(0)),
            _ => Value::text(default.unwrap_or_default()),
        }
    }
}
