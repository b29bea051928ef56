//! Volumes and their mounts.

use crate::base::BTreeSet;

use super::common::Errors;
use super::{container, names, storage};
use crate::api::field_error::{FieldError, Path};
use crate::base::quantity::Quantity;
use crate::base::{SmolStr, Value};

const FIELDS: [&str; 5] =
    ["metadata.name", "metadata.namespace", "metadata.uid", "metadata.labels", "metadata.annotations"];
/// The sources in the order the server looks at them.
const SOURCES: [&str; 31] = [
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "flocker",
    "downwardAPI",
    "fc",
    "azureFile",
    "configMap",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "quobyte",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "csi",
    "ephemeral",
    "image",
    "flexVolume",
    "",
];

/// All volumes; the names of the sound ones.
pub fn all(errors: &mut Errors, at: &Path, volumes: &Value) -> BTreeSet<SmolStr> {
    let mut sound = BTreeSet::new();
    for (index, volume) in volumes.items().iter().enumerate() {
        let at = at.index(index);
        let before = errors.0.len();
        source(errors, &at, volume);
        let name = volume["name"].smol();
        if name.is_empty() {
            errors.required(&at.child("name"), "");
        } else {
            errors.complain(&at.child("name"), &name, names::label(&name));
            if sound.contains(&name) {
                errors.push(FieldError::duplicate(&at.child("name"), name.clone()));
            }
        }
        if errors.0.len() == before {
            sound.insert(name);
        }
    }
    sound
}

fn source(errors: &mut Errors, at: &Path, volume: &Value) {
    let mut count = 0;
    for key in SOURCES {
        let (here, source) = (at.child(key), &volume[key]);
        if source.is_null() {
            continue;
        }
        count += 1;
        if count > 1 {
            errors.forbidden(&here, "may not specify more than 1 volume type");
            continue;
        }
        one(errors, &here, key, source);
    }
    if count == 0 {
        errors.required(at, "must specify a volume type");
    }
}

fn one(errors: &mut Errors, at: &Path, key: &str, source: &Value) {
    match key {
        "emptyDir" if Quantity::of(&source["sizeLimit"]).sign() < 0 => {
            errors.forbidden(&at.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
        }
        "hostPath" => host_path(errors, at, source),
        "secret" => {
            if source["secretName"].is_empty() {
                errors.required(&at.child("secretName"), "");
            }
            mode(errors, &at.child("defaultMode"), &source["defaultMode"]);
            items(errors, &at.child("items"), &source["items"]);
        }
        "configMap" => {
            if source["name"].is_empty() {
                errors.required(&at.child("name"), "");
            }
            mode(errors, &at.child("defaultMode"), &source["defaultMode"]);
            items(errors, &at.child("items"), &source["items"]);
        }
        "nfs" => nfs(errors, at, source),
        "persistentVolumeClaim" if source["claimName"].is_empty() => errors.required(&at.child("claimName"), ""),
        "downwardAPI" => {
            mode(errors, &at.child("defaultMode"), &source["defaultMode"]);
            downward_items(errors, at, &source["items"]);
        }
        "projected" => {
            mode(errors, &at.child("defaultMode"), &source["defaultMode"]);
            projected(errors, at, &source["sources"]);
        }
        "csi" if source["driver"].is_empty() => errors.required(&at.child("driver"), ""),
        "ephemeral" => {
            let at = at.child("volumeClaimTemplate");
            match &source["volumeClaimTemplate"] {
                Value::Null => errors.required(&at, ""),
                template => storage::claim_spec(errors, &at.child("spec"), &template["spec"]),
            }
        }
        _ => {}
    }
}

pub fn host_path(errors: &mut Errors, at: &Path, source: &Value) {
    let path = source["path"].str();
    if path.is_empty() {
        errors.required(&at.child("path"), "");
        return;
    }
    if path.split('/').any(|part| part == "..") {
        errors.invalid(&at.child("path"), path, "must not contain '..'");
    }
    let types = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
    errors.one_of_if_set(&at.child("type"), &source["type"], &types);
}

pub fn nfs(errors: &mut Errors, at: &Path, source: &Value) {
    if source["server"].is_empty() {
        errors.required(&at.child("server"), "");
    }
    let path = source["path"].str();
    if path.is_empty() {
        errors.required(&at.child("path"), "");
    }
    if !path.starts_with('/') {
        errors.invalid(&at.child("path"), path, "must be an absolute path");
    }
}

fn mode(errors: &mut Errors, at: &Path, mode: &Value) {
    if !mode.is_null() && !(0..=0o777).contains(&mode.int()) {
        errors.invalid(at, mode, "must be a number between 0 and 0777 (octal), both inclusive");
    }
}

fn items(errors: &mut Errors, at: &Path, items: &Value) {
    for (index, item) in items.items().iter().enumerate() {
        let at = at.index(index);
        if item["key"].is_empty() {
            errors.required(&at.child("key"), "");
        }
        local_path(errors, &at.child("path"), item["path"].str());
        mode(errors, &at.child("mode"), &item["mode"]);
    }
}

/// A path that stays below its directory.
fn local_path(errors: &mut Errors, at: &Path, path: &str) {
    if path.is_empty() {
        return errors.required(at, "");
    }
    relative(errors, at, path);
    if path.starts_with("..") && !path.starts_with("../") && path != ".." {
        errors.invalid(at, path, "must not start with '..'");
    }
}

fn relative(errors: &mut Errors, at: &Path, path: &str) {
    if path.starts_with('/') {
        errors.invalid(at, path, "must be a relative path");
    }
    if path.split('/').any(|part| part == "..") {
        errors.invalid(at, path, "must not contain '..'");
    }
}

fn downward_items(errors: &mut Errors, at: &Path, items: &Value) {
    for item in items.items() {
        // The server names no index here.
        local_path(errors, &at.child("path"), item["path"].str());
        let (field, resource) = (&item["fieldRef"], &item["resourceFieldRef"]);
        if !field.is_null() {
            container::field_ref(errors, &at.child("fieldRef"), field, &FIELDS);
            if !resource.is_null() {
                errors.invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else if !resource.is_null() {
            container::resource_field(errors, &at.child("resourceFieldRef"), resource, true);
        } else {
            errors.required(at, "one of fieldRef and resourceFieldRef is required");
        }
        mode(errors, &at.child("mode"), &item["mode"]);
    }
}

fn projected(errors: &mut Errors, at: &Path, sources: &Value) {
    for (index, source) in sources.items().iter().enumerate() {
        let at = at.child("sources").index(index);
        for key in ["secret", "configMap"] {
            if !source[key].is_null() {
                let at = at.child(key);
                if source[key]["name"].is_empty() {
                    errors.required(&at.child("name"), "");
                }
                items(errors, &at.child("items"), &source[key]["items"]);
            }
        }
        if !source["downwardAPI"].is_null() {
            downward_items(errors, &at.child("downwardAPI"), &source["downwardAPI"]["items"]);
        }
        let token = &source["serviceAccountToken"];
        if !token.is_null() {
            let at = at.child("serviceAccountToken");
            if token["expirationSeconds"].int() < 600 {
                let at = at.child("expirationSeconds");
                errors.invalid(&at, &token["expirationSeconds"], "may not specify a duration less than 10 minutes");
            }
            if token["path"].is_empty() {
                errors.required(&at.child("path"), "");
            }
        }
    }
}

/// Mounts of a container.
pub fn mounts(errors: &mut Errors, at: &Path, container: &Value, volumes: &BTreeSet<SmolStr>) {
    let mut paths: BTreeSet<&str> = BTreeSet::new();
    for (index, mount) in container["volumeMounts"].items().iter().enumerate() {
        let here = at.index(index);
        let name = mount["name"].str();
        if name.is_empty() {
            errors.required(&here.child("name"), "");
        }
        if !volumes.contains(name) {
            errors.push(FieldError::not_found(&here.child("name"), name));
        }
        let path = mount["mountPath"].str();
        if path.is_empty() {
            errors.required(&here.child("mountPath"), "");
        }
        if !paths.insert(path) {
            errors.invalid(&here.child("mountPath"), path, "must be unique");
        }
        let (sub, expression) = (mount["subPath"].str(), mount["subPathExpr"].str());
        if !sub.is_empty() {
            relative(errors, &at.child("subPath"), sub);
        }
        if !expression.is_empty() {
            if !sub.is_empty() {
                errors.invalid(
                    &here.child("subPathExpr"),
                    expression,
                    "subPathExpr and subPath are mutually exclusive",
                );
            }
            relative(errors, &at.child("subPathExpr"), expression);
        }
    }
}
