//! `kubectl kustomize` and `-k`: a folder with a kustomization to the objects it describes.
//!
//! Stands for kustomize 5.8. Left out (told as gaps): helm charts, plug-ins (`generators`, `transformers`,
//! `validators`), `vars`, `configurations`, `crds`, `openapi`, folders from the network.

mod fields;
mod generate;
mod merge;
mod read;
mod references;
mod replace;
mod transform;

use std::cell::RefCell;

use crate::base::gap;
use crate::base::{Value, yaml_emit};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Io, Outcome, fail};
use crate::process::Files;

pub use generate::hash_suffix;

/// An object on its way, and what it was called before.
#[derive(Clone)]
struct Item {
    value: Value,
    /// Names and namespaces it had, the first first.
    was: Vec<(String, String)>,
    /// Prefixes and suffixes it got, to tell namesakes apart.
    affixes: Vec<String>,
    /// Its name shall end in a hash of its content.
    hashed: bool,
}

impl Item {
    fn new(value: Value) -> Item {
        Item { value, was: Vec::new(), affixes: Vec::new(), hashed: false }
    }

    fn kind(&self) -> &str {
        self.value["kind"].str()
    }

    fn group_version(&self) -> (&str, &str) {
        crate::api::schema::group_version(self.value["apiVersion"].str())
    }

    fn name(&self) -> &str {
        self.value.at(&["metadata", "name"]).str()
    }

    fn namespace(&self) -> &str {
        self.value.at(&["metadata", "namespace"]).str()
    }

    fn remember(&mut self) {
        let now = (self.name().to_string(), self.namespace().to_string());
        if self.was.last() != Some(&now) {
            self.was.push(now);
        }
    }

    fn rename(&mut self, name: String) {
        self.remember();
        self.value.set(&["metadata", "name"], name);
    }

    /// All names and namespaces, the first first, the present one last.
    fn ids(&self) -> impl Iterator<Item = (&str, &str)> {
        let was = self.was.iter().map(|(name, namespace)| (name.as_str(), namespace.as_str()));
        was.chain(std::iter::once((self.name(), self.namespace())))
    }

    fn is_cluster_scoped(&self) -> bool {
        let (group, version) = self.group_version();
        crate::api::schema::kind(group, version, self.kind()).is_some_and(|kind| !kind.namespaced)
    }

    /// `ConfigMap.v1.[noGrp]/a.[noNs]`
    fn id(&self) -> String {
        let (group, version) = self.group_version();
        let or = |text: &str, none: &str| if text.is_empty() { none.to_string() } else { text.to_string() };
        let (group, namespace) = (or(group, "[noGrp]"), or(self.namespace(), "[noNs]"));
        format!("{}.{version}.{group}/{}.{namespace}", self.kind(), self.name())
    }

    fn same_id(&self, other: &Item) -> bool {
        self.kind() == other.kind()
            && self.group_version() == other.group_version()
            && self.name() == other.name()
            && self.namespace() == other.namespace()
    }
}

/// What a build sees of the machine, and what it has to say beside its result.
pub struct Build<'a> {
    files: &'a Files,
    cwd: &'a str,
    env: &'a crate::process::Env,
    pub warnings: Vec<String>,
    /// Keys given twice in a file: an object of it cannot be made a map, which is found when all are together.
    repeated: RefCell<Option<String>>,
}

impl<'a> Build<'a> {
    /// The objects of a folder, in the order they are printed in.
    pub fn run(io: &'a Io<'_, '_>, folder: &str) -> (Result<Vec<Value>, String>, Vec<String>) {
        let mut build = Build {
            files: io.sys.files,
            cwd: io.sys.cwd,
            env: io.sys.env,
            warnings: Vec::new(),
            repeated: RefCell::default(),
        };
        let result = build.objects(folder);
        (result, build.warnings)
    }

    fn objects(&mut self, folder: &str) -> Result<Vec<Value>, String> {
        if folder.contains("://") {
            return Err(gap::line("kustomizations from the network", "save the folder first"));
        }
        let root = self.folder(self.cwd, folder)?;
        let mut items = Vec::new();
        let file = self.target(&root, &[], &mut items, false)?;
        if let Some(lines) = self.repeated.take() {
            return Err(format!("map[string]interface {{}}(nil): yaml: unmarshal errors:{lines}"));
        }
        for item in &mut items {
            if item.hashed {
                let name = format!("{}-{}", item.name(), hash_suffix(&item.value, ""));
                item.rename(name);
            }
        }
        references::fix(&mut items);
        items.retain(|item| !item.value.at(&["metadata", "annotations"]).has("config.kubernetes.io/local-config"));
        if file.at(&["sortOptions", "order"]).str() != "fifo" {
            items.sort_by_cached_key(order);
        }
        if file["buildMetadata"].items().iter().any(|word| word.str() == "managedByLabel") {
            for item in &mut items {
                item.value.set(&["metadata", "labels", "app.kubernetes.io/managed-by"], "kustomize-v5.8.1");
            }
        }
        Ok(items.into_iter().map(|item| item.value).collect())
    }
}

const FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];
const LAST: [&str; 2] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

fn order(item: &Item) -> (usize, String, String) {
    let place = match FIRST.iter().position(|kind| *kind == item.kind()) {
        Some(place) => place,
        None => FIRST.len() + LAST.iter().position(|kind| *kind == item.kind()).map_or(0, |place| place + 1),
    };
    let (group, version) = item.group_version();
    // Empty parts come after all letters.
    let or = |text: &str, none: &str| if text.is_empty() { none.to_string() } else { text.to_string() };
    let group = or(group, "~G");
    let namespace = or(item.namespace(), "~X");
    (place, format!("{group}_{version}_{}", item.kind()), format!("{namespace}|{}", item.name()))
}

pub fn kustomize(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let folder = match args.words.as_slice() {
        [] => ".",
        [folder] => folder,
        _ => return fail("specify one path to kustomization.yaml"),
    };
    let (result, warnings) = Build::run(io, folder);
    for warning in warnings {
        io.err(format!("{warning}\n"));
    }
    let objects = match result {
        Ok(objects) => objects,
        Err(text) if text.starts_with("not simulated") => return crate::kubectl::io::fail_full(text),
        Err(text) => return fail(text),
    };
    let output = args.get("output").to_string();
    let texts: Vec<String> = objects.iter().map(yaml_emit::emit).collect();
    if output.is_empty() {
        io.out(texts.join("---\n"));
        return Ok(());
    }
    let (now, cwd) = (io.now(), io.sys.cwd.clone());
    let mut written = Ok(());
    if io.sys.files.is_directory(&cwd, &output) {
        for (object, text) in objects.iter().zip(&texts) {
            let kind = object["kind"].str().to_lowercase();
            let version = object["apiVersion"].str().replace('/', "_");
            let name = object.at(&["metadata", "name"]).str();
            let path = format!("{}/{version}_{kind}_{name}.yaml", output.trim_end_matches('/'));
            written = written.and(io.sys.files.write(now, &cwd, &path, text.as_bytes()));
        }
    } else {
        written = io.sys.files.write(now, &cwd, &output, texts.join("---\n").as_bytes());
    }
    match written {
        Ok(()) => Ok(()),
        Err(error) => fail(format!("open {output}: {}", error.text().to_lowercase())),
    }
}
