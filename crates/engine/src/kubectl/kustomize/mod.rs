//! `kubectl kustomize` and `-k`: a directory's kustomization file built into objects.
//!
//! Left out (told as gaps): components, vars, own generators and transformers, Helm charts, remote resources.

mod generate;
mod labels;
mod patch;
mod references;
mod replace;

use crate::base::{Value, yaml, yaml_emit};
use crate::process::Files;

use super::args::Args;
use super::io::{Io, Outcome, fail};
use super::manifest::gap;

const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
/// Fields that are understood and not simulated.
const ABSENT: [&str; 12] = [
    "components",
    "vars",
    "generators",
    "transformers",
    "validators",
    "crds",
    "configurations",
    "helmCharts",
    "helmGlobals",
    "helmChartInflationGenerator",
    "openapi",
    "sortOptions",
];
const FIELDS: [&str; 17] = [
    "resources",
    "bases",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "commonAnnotations",
    "patches",
    "patchesStrategicMerge",
    "patchesJson6902",
    "images",
    "replicas",
    "configMapGenerator",
    "secretGenerator",
    "generatorOptions",
    "replacements",
];
/// Directories inside directories.
const DEPTH: usize = 20;

/// Why nothing was built.
#[derive(Clone, Debug, PartialEq)]
enum Trouble {
    Text(String),
    /// The text of a file that is no manifest: told as it is, without where it was wanted.
    Malformed(String),
    Gap(String),
}

fn text<T>(text: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Text(text.into()))
}

/// An object on its way, with what it was called before.
#[derive(Clone, Debug)]
struct Resource {
    object: Value,
    /// Names and namespaces it had, the first one first.
    former: Vec<(String, String)>,
    /// Its name gets a hash of its content.
    hashed: bool,
}

impl Resource {
    fn new(object: Value) -> Resource {
        let mut resource = Resource { object, former: Vec::new(), hashed: false };
        resource.remember();
        resource
    }

    fn kind(&self) -> &str {
        self.object["kind"].str()
    }

    fn name(&self) -> &str {
        self.object.at(&["metadata", "name"]).str()
    }

    fn namespace(&self) -> &str {
        self.object.at(&["metadata", "namespace"]).str()
    }

    fn group_version(&self) -> (&str, &str) {
        let version = self.object["apiVersion"].str();
        version.split_once('/').unwrap_or(("", version))
    }

    fn remember(&mut self) {
        let now = (self.name().to_string(), self.namespace().to_string());
        if !self.former.contains(&now) {
            self.former.push(now);
        }
    }

    fn was_called(&self, name: &str) -> bool {
        self.name() == name || self.former.iter().any(|(former, _)| former == name)
    }

    /// As errors show it: `ConfigMap.v1.[noGrp]/a.[noNs]`.
    fn id(&self) -> String {
        id(&self.object)
    }

    fn is_namespaced(&self) -> bool {
        const CLUSTER: [&str; 22] = [
            "APIService",
            "CSIDriver",
            "CSINode",
            "CertificateSigningRequest",
            "ClusterRole",
            "ClusterRoleBinding",
            "CustomResourceDefinition",
            "FlowSchema",
            "IngressClass",
            "MutatingAdmissionPolicy",
            "MutatingWebhookConfiguration",
            "Namespace",
            "Node",
            "PersistentVolume",
            "PriorityClass",
            "PriorityLevelConfiguration",
            "RuntimeClass",
            "StorageClass",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration",
            "VolumeAttachment",
        ];
        !CLUSTER.contains(&self.kind())
    }
}

fn id(object: &Value) -> String {
    let version = object["apiVersion"].str();
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    let or = |text: &str, other: &str| if text.is_empty() { other.to_string() } else { text.to_string() };
    let meta = &object["metadata"];
    format!(
        "{}.{}.{}/{}.{}",
        object["kind"].str(),
        or(version, "[noVer]"),
        or(group, "[noGrp]"),
        or(meta["name"].str(), "[noName]"),
        or(meta["namespace"].str(), "[noNs]")
    )
}

/// The command.
pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.len() > 1 {
        return fail("specify one path to kustomization.yaml");
    }
    let directory = args.words.first().map_or(".", String::as_str).to_string();
    let objects = objects(&directory, io)?;
    let output = args.get("output").to_string();
    if output.is_empty() {
        io.out(stream(&objects));
        return Ok(());
    }
    let (now, cwd) = (io.now(), io.sys.cwd.clone());
    if !io.sys.files.is_directory(&cwd, &output) {
        return match io.sys.files.write(now, &cwd, &output, stream(&objects).as_bytes()) {
            Ok(()) => Ok(()),
            Err(error) => fail(format!("open {output}: {}", error.text())),
        };
    }
    for object in &objects {
        let version = object["apiVersion"].str().replace('/', "_");
        let (kind, name) = (object["kind"].str().to_lowercase(), object.at(&["metadata", "name"]).str());
        let file = format!("{}/{version}_{kind}_{name}.yaml", output.trim_end_matches('/'));
        let _ = io.sys.files.write(now, &cwd, &file, yaml_emit::emit(object).as_bytes());
    }
    Ok(())
}

/// What `-k DIR` stands for: the objects as one text.
pub fn manifest(directory: &str, io: &mut Io<'_, '_>) -> Outcome<String> {
    objects(directory, io).map(|objects| stream(&objects))
}

fn stream(objects: &[Value]) -> String {
    objects.iter().map(yaml_emit::emit).collect::<Vec<_>>().join("---\n")
}

fn objects(directory: &str, io: &mut Io<'_, '_>) -> Outcome<Vec<Value>> {
    if directory.contains("://") || directory.starts_with("github.com/") {
        return gap("kustomizations from the network", "save the directory first");
    }
    let root = crate::process::clean(io.sys.cwd, directory);
    let mut warnings = Vec::new();
    let built = match io.sys.files.is_directory("/", &root) {
        true => build(io.sys.files, &root, &mut vec![root.clone()], &mut warnings).and_then(|mut resources| {
            finish(&mut resources);
            Ok(resources)
        }),
        false => text(no_directory(io.sys.files, directory, &root)),
    };
    for old in warnings {
        let (field, new) = old;
        io.err(format!(
            "# Warning: '{field}' is deprecated. Please use '{new}' instead. Run 'kustomize edit fix' to update your \
             Kustomization automatically.\n"
        ));
    }
    match built {
        Ok(resources) => Ok(resources.into_iter().map(|resource| resource.object).collect()),
        Err(Trouble::Text(text) | Trouble::Malformed(text)) => fail(text),
        Err(Trouble::Gap(what)) => gap(&what, ""),
    }
}

/// Why a path cannot be built at.
fn no_directory(files: &Files, shown: &str, path: &str) -> String {
    if files.exists("/", path) {
        return format!("must build at directory: '{path}': file is not directory");
    }
    format!("must build at directory: not a valid directory: {}", missing(shown, path))
}

fn missing(shown: &str, path: &str) -> String {
    format!("evalsymlink failure on '{shown}' : lstat {path}: no such file or directory")
}

type Warnings = Vec<(&'static str, &'static str)>;

fn build(
    files: &Files,
    root: &str,
    visited: &mut Vec<String>,
    warnings: &mut Warnings,
) -> Result<Vec<Resource>, Trouble> {
    let file = kustomization(files, root)?;
    for (field, new) in [("bases", "resources"), ("commonLabels", "labels"), ("patchesStrategicMerge", "patches")] {
        if file.has(field) && !warnings.contains(&(field, new)) {
            warnings.push((field, new));
        }
    }
    let mut resources: Vec<Resource> = Vec::new();
    for path in file["resources"].items().iter().chain(file["bases"].items()) {
        let more = accumulate(files, root, path.str(), visited, warnings, &resources)?;
        resources.extend(more);
    }
    for (field, kind) in [("configMapGenerator", "ConfigMap"), ("secretGenerator", "Secret")] {
        for entry in file[field].items() {
            generate::generate(files, root, kind, entry, &file["generatorOptions"], &mut resources)?;
        }
    }
    patch::patches(files, root, &file, &mut resources)?;
    transform(&file, &mut resources)?;
    replace::replacements(&file, &mut resources)?;
    Ok(resources)
}

fn kustomization(files: &Files, root: &str) -> Result<Value, Trouble> {
    let found: Vec<String> =
        NAMES.iter().map(|name| format!("{root}/{name}")).filter(|path| files.exists("/", path)).collect();
    let path = match found.as_slice() {
        [one] => one,
        [] => {
            return text(format!(
                "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '{root}'"
            ));
        }
        _ => return text(format!("Found multiple kustomization files under: {root}")),
    };
    let content = files.read_text("/", path).unwrap_or_default();
    let file = match yaml::parse(&content) {
        Ok(file) => file,
        Err(error) => return text(format!("invalid Kustomization: {}", error.text)),
    };
    let plain = ["apiVersion", "kind", "metadata", "buildMetadata"];
    for key in file.entries().keys() {
        if ABSENT.contains(&key.as_str()) {
            return Err(Trouble::Gap(format!("{key} of kustomizations")));
        }
        if !FIELDS.contains(&key.as_str()) && !plain.contains(&key.as_str()) {
            return text(format!("invalid Kustomization: json: unknown field \"{key}\""));
        }
    }
    if !file.entries().keys().any(|key| FIELDS.contains(&key.as_str())) {
        return text("kustomization.yaml is empty");
    }
    Ok(file)
}

/// The objects one entry of `resources` stands for.
fn accumulate(
    files: &Files,
    root: &str,
    path: &str,
    visited: &mut Vec<String>,
    warnings: &mut Warnings,
    known: &[Resource],
) -> Result<Vec<Resource>, Trouble> {
    let full = crate::process::clean(root, path);
    let wrong = |inner: String, outer: String| {
        text(format!("accumulating resources: accumulation err='accumulating resources from '{path}': {inner}': {outer}"))
    };
    if path.contains("://") || path.starts_with("github.com/") {
        return Err(Trouble::Gap("kustomizations from the network".into()));
    }
    if !files.exists("/", &full) {
        return wrong(missing(&full, &full), no_directory(files, &full, &full));
    }
    if files.is_directory("/", &full) {
        let inner = format!("'{full}' must resolve to a file");
        if path.starts_with('/') {
            return wrong(inner, format!("new root '{path}' cannot be absolute"));
        }
        if let Some(seen) = visited.iter().find(|seen| **seen == full || seen.starts_with(&format!("{full}/"))) {
            return wrong(inner, format!("cycle detected: candidate root '{full}' contains visited root '{seen}'"));
        }
        if visited.len() >= DEPTH {
            return Err(Trouble::Gap("kustomizations nested that deep".into()));
        }
        visited.push(full.clone());
        let built = build(files, &full, visited, warnings);
        visited.pop();
        let built = match built {
            Err(Trouble::Text(outer)) => return wrong(inner, outer),
            other => other?,
        };
        return match built.iter().find(|one| known.iter().any(|other| other.id() == one.id())) {
            Some(twice) => wrong(inner, format!("merging resources from '{path}': {}", registered(twice))),
            None => Ok(built),
        };
    }
    if !full.starts_with(&format!("{}/", root.trim_end_matches('/'))) {
        let outer = match path.starts_with('/') {
            true => format!("new root '{path}' cannot be absolute"),
            false => no_directory(files, &full, &full),
        };
        return wrong(format!("security; file '{full}' is not in or below '{root}'"), outer);
    }
    let mut out: Vec<Resource> = Vec::new();
    for object in parse(&files.read_text("/", &full).unwrap_or_default(), path)? {
        let one = Resource::new(object);
        if known.iter().chain(&out).any(|other| other.id() == one.id()) {
            return wrong(registered(&one), no_directory(files, &full, &full));
        }
        out.push(one);
    }
    Ok(out)
}

fn registered(resource: &Resource) -> String {
    format!("may not add resource with an already registered id: {}", resource.id())
}

/// The objects of a text; lists are taken apart.
fn parse(content: &str, path: &str) -> Result<Vec<Value>, Trouble> {
    let stream = yaml::read(content);
    let mut out = Vec::new();
    for document in &stream.documents {
        let twice = document.repeated();
        if !twice.is_empty() {
            let lines: String = twice
                .iter()
                .map(|(key, line, first)| {
                    format!("\n  line {line}: mapping key \"{key}\" already defined at line {first}")
                })
                .collect();
            return Err(Trouble::Malformed(format!("map[string]interface {{}}(nil): yaml: unmarshal errors:{lines}")));
        }
        let value = &document.value;
        if value["kind"].str().ends_with("List") && value["items"].as_list().is_some() {
            out.extend(value["items"].items().iter().cloned());
            continue;
        }
        if value["kind"].str().is_empty() {
            return Err(Trouble::Malformed(format!("missing Resource metadata in '{path}'")));
        }
        out.push(value.clone());
    }
    match stream.error {
        Some(error) => Err(Trouble::Malformed(format!("MalformedYAMLError: {} in File: {path}", error.text))),
        None => Ok(out),
    }
}

/// Namespace, names, labels, annotations, counts and images, in this order.
fn transform(file: &Value, resources: &mut [Resource]) -> Result<(), Trouble> {
    let namespace = file["namespace"].str();
    let (prefix, suffix) = (file["namePrefix"].str(), file["nameSuffix"].str());
    for resource in resources.iter_mut() {
        if !namespace.is_empty() {
            set_namespace(resource, namespace);
        }
        if !["CustomResourceDefinition", "APIService", "Namespace"].contains(&resource.kind())
            && !(prefix.is_empty() && suffix.is_empty())
        {
            resource.remember();
            let name = format!("{prefix}{}{suffix}", resource.name());
            resource.object.set(&["metadata", "name"], name);
        }
        labels::apply(file, resource);
    }
    for entry in file["replicas"].items() {
        let scaled = ["Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"];
        let mut met = false;
        for resource in resources.iter_mut() {
            if scaled.contains(&resource.kind()) && resource.was_called(entry["name"].str()) {
                resource.object.set(&["spec", "replicas"], entry["count"].int());
                met = true;
            }
        }
        if !met {
            return text(format!(
                "resource with name {} does not match a config with the following GVK [Deployment.[noVer].[noGrp] \
                 ReplicationController.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] StatefulSet.[noVer].[noGrp]]",
                entry["name"].str()
            ));
        }
    }
    for resource in resources.iter_mut() {
        for path in references::POD_SPECS {
            if resource.object.at(path).as_map().is_some() {
                let spec = resource.object.at_mut(path);
                for list in ["containers", "initContainers"].iter().filter(|list| spec.has(list)).collect::<Vec<_>>() {
                    for container in spec.at_mut(&[list]).list_mut() {
                        set_image(container, file["images"].items());
                    }
                }
            }
        }
    }
    Ok(())
}

fn set_namespace(resource: &mut Resource, namespace: &str) {
    resource.remember();
    if resource.kind() == "Namespace" {
        resource.object.set(&["metadata", "name"], namespace);
    }
    if resource.is_namespaced() {
        resource.object.set(&["metadata", "namespace"], namespace);
    }
    if ["RoleBinding", "ClusterRoleBinding"].contains(&resource.kind()) && resource.object.has("subjects") {
        for subject in resource.object.at_mut(&["subjects"]).list_mut() {
            if subject["kind"].str() == "ServiceAccount" && subject["name"].str() == "default" {
                subject.set(&["namespace"], namespace);
            }
        }
    }
}

fn set_image(container: &mut Value, images: &[Value]) {
    let image = container["image"].str().to_string();
    let (rest, digest) = image.split_once('@').map_or((image.as_str(), None), |(rest, digest)| (rest, Some(digest)));
    let at = rest.rfind(':').filter(|at| !rest[*at..].contains('/'));
    let (name, tag) = at.map_or((rest, None), |at| (&rest[..at], Some(&rest[at + 1..])));
    let Some(entry) = images.iter().find(|entry| entry["name"].str() == name) else { return };
    let mut out = if entry["newName"].is_empty() { name } else { entry["newName"].str() }.to_string();
    let suffix = entry["tagSuffix"].str();
    match (entry["newTag"].str(), entry["digest"].str()) {
        ("", "") => {
            out.push_str(&tag.map(|tag| format!(":{tag}{suffix}")).unwrap_or_default());
            out.push_str(&digest.map(|digest| format!("@{digest}")).unwrap_or_default());
        }
        ("", new) => out.push_str(&format!("@{new}")),
        (new, "") => out.push_str(&format!(":{new}{suffix}")),
        (new, digest) => out.push_str(&format!(":{new}{suffix}@{digest}")),
    }
    container.set(&["image"], out);
}

/// Hashes, references to what was renamed, and the order in which a cluster likes to get them.
fn finish(resources: &mut Vec<Resource>) {
    for resource in resources.iter_mut().filter(|resource| resource.hashed) {
        resource.remember();
        let name = format!("{}-{}", resource.name(), generate::hash(&resource.object));
        resource.object.set(&["metadata", "name"], name);
    }
    references::follow(resources);
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
    resources.sort_by_key(|resource| {
        let kind = resource.kind();
        let place = FIRST.iter().position(|first| *first == kind).unwrap_or(FIRST.len());
        let place = LAST.iter().position(|last| *last == kind).map_or(place, |at| FIRST.len() + 1 + at);
        let (group, version) = resource.group_version();
        let names = (resource.namespace().to_string(), resource.name().to_string());
        (place, group.to_string(), version.to_string(), kind.to_string(), names)
    });
}
