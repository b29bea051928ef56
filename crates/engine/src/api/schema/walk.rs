//! Walking a value along its type: what strategic merge, server-side apply and explain share.

use super::{Field, ListType, Ty, Type, TypeId};

/// A place in a type: the type of what stands there, and the field that holds it (merge rules live on fields).
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub ty: Ty,
    /// The field whose value (not item) stands here; `None` for roots, items and map values.
    pub field: Option<&'static Field>,
}

/// How server-side apply takes the content of a place apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Owned as a whole: scalars, atomic lists, maps and objects.
    Leaf,
    /// Each field or key by itself.
    Granular,
    /// Items by their value.
    Set,
    /// Items by these keys.
    Keyed(&'static [&'static str]),
}

impl Place {
    pub fn root(ty: TypeId) -> Place {
        Place { ty: Ty::Struct(ty), field: None }
    }

    pub fn of(ty: Ty) -> Place {
        Place { ty, field: None }
    }

    /// The struct standing here.
    pub fn object(self) -> Option<&'static Type> {
        match self.ty {
            Ty::Struct(id) => Some(id.get()),
            _ => None,
        }
    }

    /// The place under a key: of a field, or of a map's value. `None` when the type does not know the key.
    pub fn key(self, key: &str) -> Option<Place> {
        match self.ty {
            Ty::Struct(id) => {
                let field = id.get().field(key)?;
                Some(Place { ty: field.ty, field: Some(field) })
            }
            Ty::Map(value) => Some(Place::of(*value)),
            Ty::Any(_) => Some(self.anything()),
            _ => None,
        }
    }

    /// The place of a list's items.
    pub fn item(self) -> Option<Place> {
        match self.ty {
            Ty::List(item) => Some(Place::of(*item)),
            Ty::Any(_) => Some(self.anything()),
            _ => None,
        }
    }

    fn anything(self) -> Place {
        Place { ty: self.ty, field: None }
    }

    pub fn topology(self) -> Topology {
        let atomic = self.field.is_some_and(|field| field.atomic);
        match self.ty {
            Ty::Struct(id) if !atomic && !id.get().atomic => Topology::Granular,
            Ty::Map(_) if !atomic => Topology::Granular,
            Ty::List(_) => match self.field {
                Some(field) if field.list == ListType::Set => Topology::Set,
                Some(field) if field.list == ListType::Map => Topology::Keyed(field.keys),
                _ => Topology::Leaf,
            },
            _ => Topology::Leaf,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::schema::type_of;

    #[test]
    fn topology_of_places() {
        let check = |path: &str, want: &str| {
            let root = Place::root(type_of("apps", "v1", "Deployment").unwrap().id);
            let place = path.split('.').try_fold(root, |at, key| if key == "[]" { at.item() } else { at.key(key) });
            assert_eq!(place.map_or("unknown".into(), |place| format!("{:?}", place.topology())), want, "{path}");
        };
        check("spec", "Granular");
        check("spec.selector", "Leaf");
        check("metadata.labels", "Granular");
        check("metadata.finalizers", "Set");
        check("spec.template.spec.containers", r#"Keyed(["name"])"#);
        check("spec.template.spec.containers.[]", "Granular");
        check("spec.template.spec.containers.[].ports", r#"Keyed(["containerPort", "protocol"])"#);
        check("spec.template.spec.containers.[].resources.limits", "Granular");
        check("spec.template.spec.containers.[].args", "Leaf");
        check("spec.template.spec.nodeSelector", "Leaf");
        check("spec.template.spec.nope", "unknown");
    }
}
