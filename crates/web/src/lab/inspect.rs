//! One object as the inspector shows it: spec beside status, and for every line the field managers that wrote it, as
//! metadata.managedFields says.

use engine::api::object;
use engine::base::{Time, Value, json};
use engine::trace::ObjectRef;

#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    pub kind: String,
    pub name: String,
    pub namespace: String,
    pub is_deleting: bool,
    /// Since when it is gone; what is shown is as it was last.
    pub gone: Option<Time>,
    /// metadata.generation and what status says to have seen, where the kind has them.
    pub generation: Option<(i64, Option<i64>)>,
    /// The controller that made it.
    pub owner: Option<(String, String)>,
    pub metadata: Vec<Row>,
    pub spec: Vec<Row>,
    pub status: Vec<Row>,
    /// Of each entry of managedFields.
    pub managers: Vec<Writer>,
    /// The whole object as kubectl prints it, without managedFields.
    pub yaml: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub path: String,
    pub depth: usize,
    pub is_item: bool,
    pub key: String,
    pub value: Option<String>,
    pub writers: Vec<Writer>,
}

/// Who wrote a field: a letter and a role's colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Writer {
    pub letter: char,
    pub role: &'static str,
    pub name: String,
    /// Which of the controllers, as managedFields does not tell; else "".
    pub part: &'static str,
    /// The entry's operation, subresource and time.
    pub entry: String,
}

const MOST_ROWS: usize = 400;
const DEEPEST: usize = 24;

pub fn writer(manager: &str) -> Writer {
    let (letter, role) = match manager {
        "kube-controller-manager" => ('C', "recon"),
        "kube-scheduler" => ('S', "place"),
        "kubelet" => ('L', "node"),
        "kube-apiserver" => ('A', "api"),
        _ if manager.starts_with("kubectl") => ('K', "client"),
        _ => (manager.chars().next().unwrap_or('?').to_ascii_uppercase(), "client"),
    };
    Writer { letter, role, name: manager.to_string(), part: "", entry: String::new() }
}

/// The writer of an entry of managedFields. All controllers share one name there; whose turn it was follows from the
/// kind (for a status) or the kind of the owner (for the rest).
fn entry_writer(entry: &Value, kind: &str, owner: &str) -> Writer {
    let mut by = writer(entry["manager"].str());
    let subresource = entry["subresource"].str();
    if by.letter == 'C' {
        (by.letter, by.part) = match if subresource == "status" { kind } else { owner } {
            "Deployment" => ('D', "deployment-controller"),
            "ReplicaSet" => ('R', "replicaset-controller"),
            "StatefulSet" => ('C', "statefulset-controller"),
            "DaemonSet" => ('C', "daemonset-controller"),
            "Job" => ('J', "job-controller"),
            _ if kind == "Deployment" => ('D', "deployment-controller"),
            _ => ('C', ""),
        };
    }
    let facts = [entry["operation"].str(), subresource, entry["time"].str()];
    by.entry = facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
    by
}

/// The writer of what nobody sent: defaults are filled in by the API server, but credited to whoever wrote the object.
pub fn defaulted() -> Writer {
    Writer { letter: 'A', role: "api", name: String::new(), part: "", entry: String::new() }
}

pub fn inspect(reference: &ObjectRef, value: &Value, with_yaml: bool) -> Inspection {
    let metadata = &value["metadata"];
    let managed = metadata["managedFields"].items();
    let applied = object::annotation(value, "kubectl.kubernetes.io/last-applied-configuration");
    let applied = json::parse(applied).ok();
    let owner = object::controller_of(value);
    let owner_kind = owner.map_or("", |owner| owner["kind"].str());
    let managers: Vec<Writer> =
        managed.iter().map(|entry| entry_writer(entry, value["kind"].str(), owner_kind)).collect();
    let look = Look { managers: &managers, applied: applied.as_ref(), is_pod: reference.resource == "pods" };
    let part = |name: &str| {
        let mut rows = Vec::new();
        let sets: Vec<(usize, &Value)> = managed
            .iter()
            .enumerate()
            .map(|(at, entry)| (at, &entry["fieldsV1"][format!("f:{name}").as_str()]))
            .collect();
        let sent = applied.as_ref().map(|applied| &applied[name]);
        look.rows(&value[name], Place { path: name.to_string(), depth: 0 }, &sets, sent, &mut rows);
        rows
    };
    let generation = metadata["generation"].as_int();
    let shown = |key: &str| !matches!(key, "managedFields" | "annotations" | "generation");
    let mut rows = Vec::new();
    let kept: engine::base::Map = metadata
        .entries()
        .iter()
        .filter(|(key, _)| shown(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    look.rows(&kept.into(), Place { path: "metadata".into(), depth: 0 }, &[], None, &mut rows);
    Inspection {
        kind: value["kind"].str().to_string(),
        name: object::name(value).to_string(),
        namespace: object::namespace(value).to_string(),
        is_deleting: object::is_deleting(value),
        gone: None,
        generation: generation.map(|generation| (generation, value["status"]["observedGeneration"].as_int())),
        owner: owner.map(|owner| (owner["kind"].str().into(), owner["name"].str().into())),
        metadata: rows,
        spec: part("spec"),
        status: part("status"),
        yaml: if with_yaml { yaml(value) } else { String::new() },
        managers,
    }
}

fn yaml(value: &Value) -> String {
    let mut shown = value.clone();
    shown.remove(&["metadata", "managedFields"]);
    engine::base::yaml_emit::emit(&shown)
}

struct Look<'a> {
    managers: &'a [Writer],
    /// What the person sent last, when kubectl remembered it.
    applied: Option<&'a Value>,
    is_pod: bool,
}

#[derive(Clone)]
struct Place {
    path: String,
    depth: usize,
}

impl Place {
    fn below(&self, key: &str) -> Place {
        Place { path: format!("{}.{key}", self.path), depth: self.depth + 1 }
    }
}

impl Look<'_> {
    fn rows(&self, value: &Value, place: Place, sets: &[(usize, &Value)], sent: Option<&Value>, rows: &mut Vec<Row>) {
        if place.depth > DEEPEST || rows.len() >= MOST_ROWS {
            return;
        }
        for (key, child) in value.entries().iter() {
            let below: Vec<(usize, &Value)> =
                sets.iter().filter_map(|(at, set)| Some((*at, descend(set, &format!("f:{key}"))?))).collect();
            let sent = sent.map(|sent| &sent[key.as_str()]);
            self.row(key, false, child, place.below(key), &below, sent, rows);
        }
        for (index, child) in value.items().iter().enumerate() {
            let below: Vec<(usize, &Value)> =
                sets.iter().filter_map(|(at, set)| Some((*at, item(set, child)?))).collect();
            let sent = sent.map(|sent| &sent[index]);
            let name = ["name", "type", "key", "ip"].iter().find_map(|key| child[*key].as_str()).unwrap_or_default();
            self.row(name, true, child, place.below(&index.to_string()), &below, sent, rows);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn row(
        &self,
        key: &str,
        is_item: bool,
        child: &Value,
        place: Place,
        sets: &[(usize, &Value)],
        sent: Option<&Value>,
        rows: &mut Vec<Row>,
    ) {
        if rows.len() >= MOST_ROWS {
            return;
        }
        let is_branch = !child.entries().is_empty() || !child.items().is_empty();
        let value = (!is_branch).then(|| shown(child));
        let writers = if is_branch { Vec::new() } else { self.writers(&place.path, sets, sent) };
        let depth = place.depth - 1;
        rows.push(Row { path: place.path.clone(), depth, is_item, key: key.to_string(), value, writers });
        self.rows(child, place, sets, sent, rows);
    }

    fn writers(&self, path: &str, sets: &[(usize, &Value)], sent: Option<&Value>) -> Vec<Writer> {
        let mut writers: Vec<Writer> = Vec::new();
        for (at, _) in sets {
            let Some(mut by) = self.managers.get(*at).cloned() else { continue };
            if by.letter == 'K' && self.applied.is_some() && sent.is_some_and(Value::is_null) {
                by = defaulted();
            }
            if !writers.contains(&by) {
                writers.push(by);
            }
        }
        // A binding is a request of its own, which leaves no trace in managedFields.
        if writers.is_empty() && self.is_pod && path == "spec.nodeName" {
            writers.push(writer("kube-scheduler"));
        }
        writers
    }
}

/// The field set below a step; a set without members covers everything below it.
fn descend<'a>(set: &'a Value, step: &str) -> Option<&'a Value> {
    let members = set.as_map()?;
    if members.iter().all(|(key, _)| key == ".") {
        return Some(set);
    }
    members.get(step)
}

/// The field set of a list's item: by key (`k:{"name":"web"}`), by value (`v:"x"`).
fn item<'a>(set: &'a Value, child: &Value) -> Option<&'a Value> {
    let members = set.as_map()?;
    if members.iter().all(|(key, _)| key == ".") {
        return Some(set);
    }
    members.iter().find(|(key, _)| fits(key, child)).map(|(_, set)| set)
}

fn fits(step: &str, child: &Value) -> bool {
    let Some((kind, text)) = step.split_once(':') else { return false };
    let Ok(value) = json::parse(text) else { return false };
    match kind {
        "k" => value.entries().iter().all(|(key, wanted)| child[key.as_str()].same(wanted)),
        "v" => value.same(child),
        _ => false,
    }
}

fn shown(value: &Value) -> String {
    match value.as_str() {
        Some(text) => text.to_string(),
        None => json::compact(value),
    }
}
