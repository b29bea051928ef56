//! Kustomization files and the resources they name.

use super::{Build, Item};
use crate::base::{Value, gap, yaml};
use crate::process::clean;

const NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const KNOWN: [&str; 33] = [
    "apiVersion",
    "kind",
    "metadata",
    "openapi",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "commonAnnotations",
    "patchesStrategicMerge",
    "patchesJson6902",
    "patches",
    "images",
    "imageTags",
    "replacements",
    "replicas",
    "vars",
    "sortOptions",
    "resources",
    "components",
    "crds",
    "bases",
    "configMapGenerator",
    "secretGenerator",
    "helmGlobals",
    "helmCharts",
    "helmChartInflationGenerator",
    "generatorOptions",
    "configurations",
    "generators",
    "transformers",
    "validators",
];
const GAPS: [&str; 10] = [
    "openapi",
    "vars",
    "crds",
    "helmGlobals",
    "helmCharts",
    "helmChartInflationGenerator",
    "configurations",
    "generators",
    "transformers",
    "validators",
];
const OLD: [(&str, &str); 5] = [
    ("bases", "resources"),
    ("commonLabels", "labels"),
    ("imageTags", "images"),
    ("patchesJson6902", "patches"),
    ("patchesStrategicMerge", "patches"),
];

/// How a missing file is told.
pub fn missing(path: &str) -> String {
    format!("evalsymlink failure on '{path}' : lstat {path}: no such file or directory")
}

impl Build<'_> {
    /// The absolute path of a folder.
    pub fn folder(&self, from: &str, path: &str) -> Result<String, String> {
        let full = clean(from, path);
        if !self.files.exists("/", &full) {
            let shown = if from == self.cwd {
                format!("evalsymlink failure on '{path}' : lstat {full}: no such file or directory")
            } else {
                missing(&full)
            };
            return Err(format!("must build at directory: not a valid directory: {shown}"));
        }
        if !self.files.is_directory("/", &full) {
            return Err(format!("must build at directory: '{full}': file is not directory"));
        }
        Ok(full)
    }

    /// A file in or below a folder.
    pub fn file(&self, root: &str, path: &str) -> Result<Vec<u8>, String> {
        let full = clean(root, path);
        if !self.files.exists("/", &full) {
            return Err(missing(&full));
        }
        if self.files.is_directory("/", &full) {
            return Err(format!("'{full}' must resolve to a file"));
        }
        if !full.starts_with(&format!("{}/", root.trim_end_matches('/'))) {
            return Err(format!("security; file '{full}' is not in or below '{root}'"));
        }
        match self.files.read("/", &full) {
            Ok(bytes) => Ok(bytes.as_ref().clone()),
            Err(_) => Err(format!("'{full}' must resolve to a file")),
        }
    }

    pub fn text(&self, root: &str, path: &str) -> Result<String, String> {
        self.file(root, path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn kustomization(&mut self, root: &str) -> Result<Value, String> {
        let found: Vec<String> = NAMES.iter().filter_map(|name| self.text(root, name).ok()).collect();
        let text = match found.as_slice() {
            [text] => text,
            [] => {
                return Err(format!(
                    "unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory \
                     '{root}'"
                ));
            }
            _ => return Err(format!("Found multiple kustomization files under: {root}\n")),
        };
        let file = yaml::parse(text).map_err(|error| {
            format!("invalid Kustomization: {}", error.text.trim_start_matches("error converting YAML to JSON: "))
        })?;
        if let Some(unknown) =
            file.entries().keys().find(|key| !KNOWN.contains(&key.as_str()) && key.as_str() != "buildMetadata")
        {
            return Err(format!("invalid Kustomization: json: unknown field \"{unknown}\""));
        }
        if let Some(why) = mistyped(&file) {
            return Err(format!("invalid Kustomization: json: cannot unmarshal {why}"));
        }
        if let Some(field) = GAPS.iter().find(|field| !file[**field].is_empty()) {
            return Err(gap::line(&format!("the field {field} of a kustomization"), ""));
        }
        for (old, new) in OLD.iter().filter(|(old, _)| file.has(old)) {
            self.warnings.push(format!(
                "# Warning: '{old}' is deprecated. Please use '{new}' instead. Run 'kustomize edit fix' to update your \
                 Kustomization automatically."
            ));
        }
        let own = file.entries().iter().filter(|(key, _)| !matches!(key.as_str(), "kind" | "apiVersion" | "metadata"));
        if own.count() == 0 {
            return Err("kustomization.yaml is empty".into());
        }
        Ok(file)
    }

    /// Everything a folder describes; a component works on what is there.
    pub(super) fn target(
        &mut self,
        root: &str,
        visited: &[String],
        items: &mut Vec<Item>,
        component: bool,
    ) -> Result<Value, String> {
        let file = self.kustomization(root)?;
        let is_component = file["kind"].str() == "Component";
        let nested = !visited.is_empty();
        if component && !is_component {
            let kind = if file["kind"].str().is_empty() { "Kustomization" } else { file["kind"].str() };
            return Err(format!("expected kind 'Component' for path '{root}' but got '{kind}'"));
        }
        if !component && is_component && nested {
            return Err(format!("expected kind != 'Component' for path '{root}'"));
        }
        let mut visited = visited.to_vec();
        visited.push(root.to_string());
        if visited.len() > 50 {
            return Err("kustomizations are nested too deeply".into());
        }
        let texts = |list: &str| file[list].items().iter().map(|item| item.str().to_string()).collect::<Vec<_>>();
        for path in texts("resources").into_iter().chain(texts("bases")) {
            self.resource(root, &path, &visited, items).map_err(|why| format!("accumulating resources: {why}"))?;
        }
        self.generators(root, &file, items)?;
        for path in texts("components") {
            let folder = self
                .folder(root, &path)
                .map_err(|why| format!("accumulating components: loader.New {}", crate::base::goquote::quote(&why)))?;
            self.target(&folder, &visited, items, true).map_err(|why| {
                let why = if why.starts_with("expected kind") {
                    why
                } else {
                    format!("recursed accumulation of path '{folder}': {why}")
                };
                format!("accumulating components: accumulateDirectory: {}", crate::base::goquote::quote(&why))
            })?;
        }
        self.transform(root, &file, items)?;
        Ok(file)
    }

    fn resource(&mut self, root: &str, path: &str, visited: &[String], items: &mut Vec<Item>) -> Result<(), String> {
        if path.contains("://") {
            return Err(gap::line("kustomize resources from the network", "save the file first"));
        }
        let mut malformed = false;
        let why = match self.objects_of(root, path, &mut malformed) {
            Ok(found) => match add(items, found) {
                Ok(()) => return Ok(()),
                Err(why) => format!("merging resources from '{path}': {why}"),
            },
            Err(why) => format!("accumulating resources from '{path}': {why}"),
        };
        let after = |error: String| format!("accumulation err='{why}': {error}");
        if path.starts_with('/') {
            return Err(after(format!("new root '{path}' cannot be absolute")));
        }
        let folder = match self.folder(root, path) {
            Ok(folder) => folder,
            Err(_) if malformed => return Err(why),
            Err(error) => return Err(after(error)),
        };
        if visited.contains(&folder) || visited.iter().any(|root| root.starts_with(&format!("{folder}/"))) {
            let own = visited.last().map_or("", String::as_str);
            let inner =
                visited.iter().find(|root| **root == folder || root.starts_with(&folder)).map_or(own, String::as_str);
            return Err(after(format!("cycle detected: candidate root '{folder}' contains visited root '{inner}'")));
        }
        let mut own = Vec::new();
        self.target(&folder, visited, &mut own, false).map_err(|error| {
            if error.starts_with("expected kind") {
                after(error)
            } else if error.starts_with("unable to find one of")
                || error.starts_with("invalid Kust")
                || error.ends_with("is empty")
            {
                after(format!("couldn't make target for path '{folder}': {error}"))
            } else {
                after(format!("recursed accumulation of path '{folder}': {error}"))
            }
        })?;
        add(items, own).map_err(|error| after(format!("recursed merging from path '{folder}': {error}")))
    }

    /// The objects of a file.
    fn objects_of(&self, root: &str, path: &str, malformed: &mut bool) -> Result<Vec<Item>, String> {
        let text = self.text(root, path)?;
        let stream = yaml::read(&text);
        if let Some(error) = stream.error {
            *malformed = true;
            let why = error.text.trim_start_matches("error converting YAML to JSON: ");
            return Err(format!("MalformedYAMLError: {why} in File: {path}"));
        }
        let mut out = Vec::new();
        for document in stream.documents {
            let repeated = document.repeated();
            if !repeated.is_empty() && self.repeated.borrow().is_none() {
                let line = |(key, line, first): &(crate::base::SmolStr, u32, u32)| {
                    format!("\n  line {line}: mapping key \"{key}\" already defined at line {first}")
                };
                *self.repeated.borrow_mut() = Some(repeated.iter().map(line).collect());
            }
            let value = document.value;
            if value.is_null() {
                continue;
            }
            match (&value["items"], value["kind"].str().ends_with("List")) {
                (Value::List(list), true) => out.extend(list.iter().cloned().map(Item::new)),
                _ => out.push(Item::new(value)),
            }
        }
        for item in &out {
            if item.kind().is_empty() {
                return Err("missing Resource metadata".into());
            }
            if item.name().is_empty() {
                return Err(format!(
                    "missing metadata.name in object {{{{{} {}}} {{{{ }} map[] map[]}}}}",
                    item.value["apiVersion"].str(),
                    item.kind()
                ));
            }
        }
        Ok(out)
    }
}

/// Texts that are none: `number into Go struct field Image.images.newTag of type string`.
fn mistyped(file: &Value) -> Option<String> {
    let bad = |value: &Value, place: &str| {
        let wrong = value.as_str().is_none() && !value.is_null();
        wrong.then(|| format!("{} into Go struct field {place} of type string", value.type_name()))
    };
    for field in ["namePrefix", "nameSuffix", "namespace"] {
        if let Some(why) = bad(&file[field], &format!("Kustomization.{field}")) {
            return Some(why);
        }
    }
    for field in ["commonLabels", "commonAnnotations"] {
        let place = format!("Kustomization.{field}");
        if let Some(why) = file[field].entries().values().find_map(|value| bad(value, &place)) {
            return Some(why);
        }
    }
    for entry in file["labels"].items() {
        if let Some(why) = entry["pairs"].entries().values().find_map(|value| bad(value, "Label.labels.pairs")) {
            return Some(why);
        }
    }
    for (list, of, fields) in [
        ("images", "Image", &["name", "newName", "newTag", "digest"][..]),
        ("replicas", "Replica", &["name"]),
        ("patches", "Patch", &["path", "patch"]),
        ("configMapGenerator", "ConfigMapArgs", &["name", "behavior", "namespace"]),
        ("secretGenerator", "SecretArgs", &["name", "behavior", "namespace", "type"]),
    ] {
        for entry in file[list].items() {
            for field in fields {
                if let Some(why) = bad(&entry[*field], &format!("{of}.{list}.{field}")) {
                    return Some(why);
                }
            }
            for field in ["literals", "files", "envs"] {
                let place = format!("{of}.{list}.{field}");
                if let Some(why) = entry[field].items().iter().find_map(|value| bad(value, &place)) {
                    return Some(why);
                }
            }
        }
    }
    None
}

/// Adds objects; one may not be there twice.
pub(super) fn add(items: &mut Vec<Item>, new: Vec<Item>) -> Result<(), String> {
    for item in new {
        if items.iter().any(|known| known.same_id(&item)) {
            return Err(format!("may not add resource with an already registered id: {}", item.id()));
        }
        items.push(item);
    }
    Ok(())
}
