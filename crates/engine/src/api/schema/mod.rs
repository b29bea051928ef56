//! What the API server knows about types: every kind of Kubernetes 1.37, its fields, and how each is merged.
//!
//! Stands for OpenAPI, the Go type registry and discovery's static part in one table, which `cargo xtask schema`
//! writes (`table.txt`) and `parse` reads once, on first use. Everything handed out is `'static`; identifiers are
//! small integers. Not here: behaviour (`decode`, `defaults`), custom resources.

mod describe;
mod find;
mod parse;
mod text;
mod walk;

use std::sync::LazyLock;

pub use describe::{HAS_DESCRIPTIONS, description};
pub use find::{Argument, category, resolve};
pub use text::{json_after, json_of};
pub use walk::{Place, Topology};

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| parse::read(include_str!("table.txt")));

/// The whole table.
#[derive(Debug, Default)]
pub struct Schema {
    types: Vec<Type>,
    kinds: Vec<Kind>,
    /// Type names in order, for look-ups.
    by_name: Vec<(&'static str, &'static str, TypeId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u16);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u16);

/// A Go struct.
#[derive(Debug)]
pub struct Type {
    pub id: TypeId,
    /// `Pod`; the OpenAPI name is `package.name`.
    pub name: &'static str,
    /// `io.k8s.api.core.v1`
    pub package: &'static str,
    /// `core.v1`
    pub short_package: &'static str,
    /// The group and version whose kinds live in this package; `None` for meta types.
    pub group_version: Option<(&'static str, &'static str)>,
    pub registered: Registered,
    /// Server-side apply owns the object as a whole.
    pub atomic: bool,
    /// In Go's order of declaration.
    pub fields: Vec<Field>,
    /// Indices of `fields` by name.
    by_name: Vec<u16>,
}

/// In which versions a type is a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registered {
    No,
    /// In its package's version.
    Own,
    /// In every version (DeleteOptions, WatchEvent).
    Every,
}

#[derive(Debug)]
pub struct Field {
    /// The JSON name.
    pub name: &'static str,
    pub ty: Ty,
    pub empty: Empty,
    /// What explain marks `-required-`; not what the server demands.
    pub required: bool,
    /// How server-side apply sees a list.
    pub list: ListType,
    /// Keys of a `ListType::Map`.
    pub keys: &'static [&'static str],
    /// Server-side apply owns the field's map or object as a whole.
    pub atomic: bool,
    /// Strategic merge: `merge`, `retainKeys`, `replace`.
    pub merge: bool,
    pub retain_keys: bool,
    pub replace: bool,
    /// Strategic merge: the key of a merged list of objects; empty for a merged list of scalars.
    pub merge_key: &'static str,
    /// A default of the schema that is no zero value (`TCP`); most defaults are code.
    pub default: Option<&'static str>,
    /// Allowed values, sorted (of the items, for a list).
    pub enumeration: &'static [&'static str],
    /// The Go field name.
    pub go: &'static str,
    /// The embedded Go struct it belongs to (`ProbeHandler`); empty for the type's own fields.
    pub embedded: &'static str,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A string; the Go name when it is a named type (`RestartPolicy`, `types.UID`), else "".
    Text(&'static str),
    Bool,
    Int32,
    Int64,
    Double,
    /// base64
    Bytes,
    Quantity,
    IntOrString,
    Time,
    MicroTime,
    /// Anything goes; the Go name (`RawExtension`, `FieldsV1`, `JSON`).
    Any(&'static str),
    Struct(TypeId),
    List(&'static Ty),
    /// A map with any string keys.
    Map(&'static Ty),
}

/// What the server makes of a field without content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// `omitempty`: "", 0, false, [] and {} are left out.
    Omitted,
    /// A pointer: an empty value is kept, only null is left out.
    Kept,
    /// Written even when absent (the zero value; null for lists, maps and times).
    Written,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    Atomic,
    Set,
    Map,
}

/// A resource of discovery.
#[derive(Debug)]
pub struct Kind {
    pub id: KindId,
    /// "" for core.
    pub group: &'static str,
    pub version: &'static str,
    pub kind: &'static str,
    /// The plural: `deployments`.
    pub resource: &'static str,
    pub singular: &'static str,
    pub namespaced: bool,
    pub short_names: &'static [&'static str],
    pub categories: &'static [&'static str],
    pub verbs: Vec<&'static str>,
    pub subresources: Vec<Subresource>,
    pub ty: TypeId,
}

#[derive(Debug)]
pub struct Subresource {
    /// `status`
    pub name: &'static str,
    /// The group, version and kind it speaks.
    pub group: &'static str,
    pub version: &'static str,
    pub kind: &'static str,
    pub verbs: Vec<&'static str>,
    /// `None` for option kinds without a schema (PodExecOptions).
    pub ty: Option<TypeId>,
}

/// All resources in the order of discovery (preferred version of a group first).
pub fn kinds() -> &'static [Kind] {
    &SCHEMA.kinds
}

/// All types, sorted by package and name.
pub fn types() -> &'static [Type] {
    &SCHEMA.types
}

/// The resource of a kind.
pub fn kind(group: &str, version: &str, kind: &str) -> Option<&'static Kind> {
    kinds().iter().find(|k| k.kind == kind && k.group == group && k.version == version)
}

/// The kind of a resource (plural name).
pub fn resource(group: &str, version: &str, resource: &str) -> Option<&'static Kind> {
    kinds().iter().find(|k| k.resource == resource && k.group == group && k.version == version)
}

/// The type of a group, version and kind, resources or not (lists, Scale, Eviction, DeleteOptions).
pub fn type_of(group: &str, version: &str, kind: &str) -> Option<&'static Type> {
    types().iter().find(|ty| {
        ty.name == kind
            && match ty.registered {
                Registered::No => false,
                Registered::Own => ty.group_version == Some((group, version)),
                Registered::Every => kinds().iter().any(|k| k.group == group && k.version == version),
            }
    })
}

/// The type of a short package and name: `core.v1`, `PodSpec`.
pub fn named(short_package: &str, name: &str) -> Option<&'static Type> {
    let all = &SCHEMA.by_name;
    let at = all.binary_search_by(|(p, n, _)| (*p, *n).cmp(&(short_package, name))).ok()?;
    all.get(at).map(|(_, _, id)| id.get())
}

/// `apps/v1` → (`apps`, `v1`); `v1` → (``, `v1`).
pub fn group_version(api_version: &str) -> (&str, &str) {
    api_version.split_once('/').unwrap_or(("", api_version))
}

impl TypeId {
    pub fn get(self) -> &'static Type {
        &SCHEMA.types[usize::from(self.0)]
    }
}

impl KindId {
    pub fn get(self) -> &'static Kind {
        &SCHEMA.kinds[usize::from(self.0)]
    }
}

impl Type {
    /// The field of a JSON name (exact case).
    pub fn field(&self, name: &str) -> Option<&Field> {
        let at = self.by_name.binary_search_by(|i| self.fields[usize::from(*i)].name.cmp(name)).ok()?;
        self.by_name.get(at).map(|i| &self.fields[usize::from(*i)])
    }

    /// Fields sorted by name.
    pub fn sorted(&self) -> impl Iterator<Item = &Field> {
        self.by_name.iter().map(|i| &self.fields[usize::from(*i)])
    }

    /// The Go name with its package: `v1.PodSpec`.
    pub fn go(&self) -> String {
        format!("{}.{}", self.go_package(), self.name)
    }

    /// `v1`, `v2`.
    pub fn go_package(&self) -> &'static str {
        self.package.rsplit('.').next().unwrap_or_default()
    }
}

impl Kind {
    /// `apps/v1`, `v1`
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.to_owned() } else { format!("{}/{}", self.group, self.version) }
    }

    /// `deployments.apps`, `pods`
    pub fn qualified_resource(&self) -> String {
        if self.group.is_empty() { self.resource.to_owned() } else { format!("{}.{}", self.resource, self.group) }
    }

    /// `Deployment.apps`, `Pod`
    pub fn qualified_kind(&self) -> String {
        if self.group.is_empty() { self.kind.to_owned() } else { format!("{}.{}", self.kind, self.group) }
    }

    pub fn subresource(&self, name: &str) -> Option<&Subresource> {
        self.subresources.iter().find(|sub| sub.name == name)
    }

    pub fn can(&self, verb: &str) -> bool {
        self.verbs.contains(&verb)
    }
}

impl Ty {
    /// The type of an item or of a map's value.
    pub fn element(self) -> Option<Ty> {
        match self {
            Ty::List(element) | Ty::Map(element) => Some(*element),
            _ => None,
        }
    }

    /// The struct itself, or that of the items or values.
    pub fn inner(self) -> Option<&'static Type> {
        match self {
            Ty::Struct(id) => Some(id.get()),
            Ty::List(element) | Ty::Map(element) => element.inner(),
            _ => None,
        }
    }

    /// Go's text for the type, in a package with version `package` (`v1`): `[]v1.Container`, `map[string]string`.
    pub fn go(self, package: &str) -> String {
        match self {
            Ty::Text("") => "string".into(),
            Ty::Text(name) if name.contains('.') => name.into(),
            Ty::Text(name) => format!("{package}.{name}"),
            Ty::Bool => "bool".into(),
            Ty::Int32 => "int32".into(),
            Ty::Int64 => "int64".into(),
            Ty::Double => "float64".into(),
            Ty::Bytes => "[]uint8".into(),
            Ty::Quantity => "resource.Quantity".into(),
            Ty::IntOrString => "intstr.IntOrString".into(),
            Ty::Time => "v1.Time".into(),
            Ty::MicroTime => "v1.MicroTime".into(),
            Ty::Any(name) => format!("v1.{name}"),
            Ty::Struct(id) => id.get().go(),
            Ty::List(element) => format!("[]{}", element.go(package)),
            Ty::Map(Ty::Quantity) => "v1.ResourceList".into(),
            Ty::Map(element) => format!("map[string]{}", element.go(package)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_holds_what_discovery_serves() {
        assert_eq!((types().len(), kinds().len()), (613, 72));
        let deployment = kind("apps", "v1", "Deployment").unwrap();
        assert_eq!(
            (deployment.resource, deployment.short_names, deployment.categories),
            ("deployments", &["deploy"][..], &["all"][..])
        );
        assert_eq!(deployment.subresource("scale").unwrap().kind, "Scale");
        assert_eq!(deployment.subresource("scale").unwrap().ty, type_of("autoscaling", "v1", "Scale").map(|t| t.id));
        assert!(resource("", "v1", "pods").unwrap().can("watch"));
        assert_eq!(
            kinds().iter().filter(|k| k.resource == "horizontalpodautoscalers").map(|k| k.version).collect::<Vec<_>>(),
            ["v2", "v1"]
        );
        for kind in kinds() {
            assert_eq!(kind.ty.get().name, kind.kind);
        }
    }

    #[test]
    fn fields_know_how_they_are_merged() {
        let check = |package: &str, ty: &str, field: &str, want: &str| {
            let field = named(package, ty).unwrap().field(field).unwrap();
            let got = format!(
                "{:?} {:?} {:?} {}{}",
                field.list,
                field.keys,
                field.empty,
                if field.merge { "merge " } else { "" },
                field.merge_key
            );
            assert_eq!(got, want, "{ty}.{}", field.name);
        };
        check("core.v1", "PodSpec", "containers", r#"Map ["name"] Written merge name"#);
        check("core.v1", "Container", "ports", r#"Map ["containerPort", "protocol"] Omitted merge containerPort"#);
        check("core.v1", "PodSpec", "tolerations", "Atomic [] Omitted ");
        check("meta.v1", "ObjectMeta", "finalizers", "Set [] Omitted merge ");
        check("apps.v1", "DeploymentSpec", "replicas", "Atomic [] Kept ");
        check("core.v1", "Container", "resources", "Atomic [] Written ");
        let names: Vec<_> = named("core.v1", "Container").unwrap().fields.iter().take(4).map(|f| f.name).collect();
        assert_eq!(names, ["name", "image", "command", "args"]);
        assert_eq!(named("core.v1", "Probe").unwrap().field("httpGet").unwrap().go, "HTTPGet");
    }
}
