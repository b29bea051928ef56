//! Reads the table. Its lines:
//!
//! * `@core.v1 io.k8s.api.core.v1 v1`: a package, its short name, and the group version of its kinds (`-`: none).
//! * `Pod + a`: a type; `+` a kind, `*` a kind in every version, `a` atomic.
//! * ` name type marks…`: a field. Types: `s` string (`s:RestartPolicy` named), `b` bool, `i` int32, `l` int64,
//!   `d` double, `y` bytes, `q` Quantity, `x` IntOrString, `t` Time, `u` MicroTime, `j:Name` anything, `.Name` and
//!   `.package.Name` structs, `[]` lists, `{}` maps. Marks: `*` kept when empty, `!` written when absent, `r`
//!   required, `m=keys` map list, `s` set, `a` atomic, `p=` patch strategies, `k=` merge key, `e=` embedded struct,
//!   `g=` Go name, `v=` default, `E=` enumeration (last on the line).
//! * `%apps/v1`: resources of a group version, then
//!   `resource singular Kind scope verbs shorts categories` and ` subresource kind verbs`.
//!
//! The table is our own file: what cannot be read is skipped here and found by the tests.

use crate::base::BTreeMap;

use super::{Empty, Field, Kind, KindId, ListType, Registered, Schema, Subresource, Ty, Type, TypeId};

pub(super) fn read(text: &'static str) -> Schema {
    let mut schema = Schema::default();
    let names = names(text);
    let mut package = ("", "", None);
    let mut group = ("", "");
    let mut resources = false;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix('@') {
            let mut words = rest.split(' ');
            let (short, full, of) = (word(&mut words), word(&mut words), word(&mut words));
            package = (short, full, (of != "-").then(|| super::group_version(of)));
        } else if let Some(rest) = line.strip_prefix('%') {
            group = super::group_version(rest);
            resources = true;
        } else if let Some(rest) = line.strip_prefix(' ') {
            if resources {
                let sub = subresource(rest, group);
                if let Some(kind) = schema.kinds.last_mut() {
                    kind.subresources.push(sub);
                }
            } else if let Some(ty) = schema.types.last_mut() {
                ty.fields.push(field(rest, package.0, &names));
            }
        } else if resources {
            schema.kinds.push(kind(line, group, schema.kinds.len()));
        } else {
            schema.types.push(ty(line, package, schema.types.len()));
        }
    }
    finish(&mut schema);
    schema
}

type Names = BTreeMap<(&'static str, &'static str), TypeId>;

fn word(words: &mut impl Iterator<Item = &'static str>) -> &'static str {
    words.next().unwrap_or_default()
}

/// A first pass, so that fields may refer to later types.
fn names(text: &'static str) -> Names {
    let mut names = Names::new();
    let mut package = "";
    for line in text.lines().take_while(|line| !line.starts_with('%')) {
        if let Some(rest) = line.strip_prefix('@') {
            package = word(&mut rest.split(' '));
        } else if !line.starts_with(' ') {
            let id = TypeId(names.len() as u16);
            names.insert((package, word(&mut line.split(' '))), id);
        }
    }
    names
}

type Package = (&'static str, &'static str, Option<(&'static str, &'static str)>);

fn ty(line: &'static str, package: Package, index: usize) -> Type {
    let mut words = line.split(' ');
    let name = word(&mut words);
    let mut ty = Type {
        id: TypeId(index as u16),
        name,
        short_package: package.0,
        package: package.1,
        group_version: package.2,
        registered: Registered::No,
        atomic: false,
        fields: Vec::new(),
        by_name: Vec::new(),
    };
    for mark in words {
        match mark {
            "+" => ty.registered = Registered::Own,
            "*" => ty.registered = Registered::Every,
            "a" => ty.atomic = true,
            _ => {}
        }
    }
    // Status is a kind of core's v1, though it lives with the meta types.
    if ty.registered == Registered::Own && ty.group_version.is_none() {
        ty.group_version = Some(("", "v1"));
    }
    ty
}

fn field(line: &'static str, package: &'static str, names: &Names) -> Field {
    let (line, enumeration) = line.split_once(" E=").unwrap_or((line, ""));
    let mut words = line.split(' ');
    let name = word(&mut words);
    let mut field = Field {
        name,
        ty: parse_type(word(&mut words), package, names),
        empty: Empty::Omitted,
        required: false,
        list: ListType::Atomic,
        keys: &[],
        atomic: false,
        merge: false,
        retain_keys: false,
        replace: false,
        merge_key: "",
        default: None,
        enumeration: split(enumeration),
        go: "",
        embedded: "",
    };
    for mark in words {
        let (mark, value) = mark.split_once('=').unwrap_or((mark, ""));
        match mark {
            "*" => field.empty = Empty::Kept,
            "!" => field.empty = Empty::Written,
            "r" => field.required = true,
            "s" => field.list = ListType::Set,
            "m" => {
                field.list = ListType::Map;
                field.keys = split(value);
            }
            "a" => field.atomic = true,
            "p" => {
                let has = |strategy: &str| value.split(',').any(|s| s == strategy);
                (field.merge, field.retain_keys, field.replace) = (has("merge"), has("retainKeys"), has("replace"));
            }
            "k" => field.merge_key = value,
            "e" => field.embedded = value,
            "g" => field.go = value,
            "v" => field.default = Some(value),
            _ => {}
        }
    }
    if field.go.is_empty() {
        let mut go = name.to_owned();
        // Of the initials only these stand at the beginning of a name.
        let first = if go.starts_with("api") { 3 } else { 1 };
        if let Some(initial) = go.get_mut(..first) {
            initial.make_ascii_uppercase();
        }
        field.go = Box::leak(go.into_boxed_str());
    }
    field
}

fn split(text: &'static str) -> &'static [&'static str] {
    if text.is_empty() {
        return &[];
    }
    Box::leak(text.split(',').collect::<Vec<_>>().into_boxed_slice())
}

fn parse_type(text: &'static str, package: &'static str, names: &Names) -> Ty {
    let inner = |rest| -> &'static Ty { Box::leak(Box::new(parse_type(rest, package, names))) };
    if let Some(rest) = text.strip_prefix("[]") {
        return Ty::List(inner(rest));
    }
    if let Some(rest) = text.strip_prefix("{}") {
        return Ty::Map(inner(rest));
    }
    if let Some(rest) = text.strip_prefix('.') {
        let key = rest.rsplit_once('.').unwrap_or((package, rest));
        return names.get(&key).map_or(Ty::Any("Unknown"), |id| Ty::Struct(*id));
    }
    match text.split_once(':').unwrap_or((text, "")) {
        ("s", name) => Ty::Text(name),
        ("b", _) => Ty::Bool,
        ("i", _) => Ty::Int32,
        ("l", _) => Ty::Int64,
        ("d", _) => Ty::Double,
        ("y", _) => Ty::Bytes,
        ("q", _) => Ty::Quantity,
        ("x", _) => Ty::IntOrString,
        ("t", _) => Ty::Time,
        ("u", _) => Ty::MicroTime,
        (_, name) => Ty::Any(name),
    }
}

fn kind(line: &'static str, group: (&'static str, &'static str), index: usize) -> Kind {
    let mut words = line.split(' ');
    let (resource, singular, kind) = (word(&mut words), word(&mut words), word(&mut words));
    let (scope, verbs) = (word(&mut words), word(&mut words));
    let mut list = || match word(&mut words) {
        "-" => &[],
        text => split(text),
    };
    Kind {
        id: KindId(index as u16),
        group: group.0,
        version: group.1,
        kind,
        resource,
        singular,
        namespaced: scope == "n",
        verbs: spell(verbs),
        short_names: list(),
        categories: list(),
        subresources: Vec::new(),
        ty: TypeId(0),
    }
}

fn subresource(line: &'static str, group: (&'static str, &'static str)) -> Subresource {
    let mut words = line.split(' ');
    let (name, kind, verbs) = (word(&mut words), word(&mut words), word(&mut words));
    let (group, kind) = match kind.rsplit_once('/') {
        Some((group, kind)) => (super::group_version(group), kind),
        None => (group, kind),
    };
    Subresource { name, group: group.0, version: group.1, kind, verbs: spell(verbs), ty: None }
}

fn spell(letters: &str) -> Vec<&'static str> {
    letters
        .chars()
        .filter_map(|c| {
            Some(match c {
                'c' => "create",
                'd' => "delete",
                'D' => "deletecollection",
                'g' => "get",
                'l' => "list",
                'p' => "patch",
                'u' => "update",
                'w' => "watch",
                _ => return None,
            })
        })
        .collect()
}

/// Indices and the types of the kinds, once all types are there.
fn finish(schema: &mut Schema) {
    for ty in &mut schema.types {
        let mut order: Vec<u16> = (0..ty.fields.len() as u16).collect();
        order.sort_by_key(|i| ty.fields[usize::from(*i)].name);
        ty.by_name = order;
    }
    schema.by_name = schema.types.iter().map(|ty| (ty.short_package, ty.name, ty.id)).collect();
    schema.by_name.sort();
    let types = &schema.types;
    let find = |group: &str, version: &str, kind: &str| {
        types.iter().find(|ty| ty.name == kind && ty.group_version == Some((group, version))).map(|ty| ty.id)
    };
    for kind in &mut schema.kinds {
        kind.ty = find(kind.group, kind.version, kind.kind).unwrap_or(TypeId(0));
        for sub in &mut kind.subresources {
            sub.ty = find(sub.group, sub.version, sub.kind);
        }
    }
}
