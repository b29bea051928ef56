//! Claims, volumes, storage classes.

use super::common::{Errors, same};
use super::{internal, names, scheduling, selector, volume as volumes};
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;
use crate::base::diff::unified as difference;
use crate::base::quantity::Quantity;

const MODES: [&str; 4] = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

pub fn claim(errors: &mut Errors, object: &Value) {
    claim_spec(errors, &Path::new("spec"), &object["spec"]);
}

pub fn claim_spec(errors: &mut Errors, at: &Path, spec: &Value) {
    let modes = spec["accessModes"].items();
    if modes.is_empty() {
        errors.required(&at.child("accessModes"), "at least 1 access mode is required");
    }
    if !spec["selector"].is_null() {
        selector::label_selector(errors, &at.child("selector"), &spec["selector"]);
    }
    access_modes(errors, &at.child("accessModes"), modes);
    let storage = spec.at(&["resources", "requests", "storage"]);
    let path = at.child("resources").key("storage");
    if storage.is_null() {
        errors.required(&path, "");
    } else if Quantity::of(storage).sign() <= 0 {
        errors.invalid(&path, storage, "must be greater than zero");
    }
    let class = spec["storageClassName"].str();
    if !class.is_empty() {
        errors.complain(&at.child("storageClassName"), class, names::subdomain(class));
    }
    errors.one_of_if_set(&at.child("volumeMode"), &spec["volumeMode"], &["Block", "Filesystem"]);
}

fn access_modes(errors: &mut Errors, at: &Path, modes: &[Value]) {
    for mode in modes {
        errors.one_of(at, mode, &MODES);
    }
    if modes.len() > 1 && modes.iter().any(|mode| mode.str() == "ReadWriteOncePod") {
        errors.forbidden(at, "may not use ReadWriteOncePod with other access modes");
    }
}

pub fn claim_update(errors: &mut Errors, new: &Value, old: &Value) {
    claim(errors, new);
    let at = Path::new("spec");
    let (now, mut was) = (&new["spec"], old["spec"].clone());
    let bound = old["status"]["phase"].str() == "Bound";
    // The binder fills these in once.
    for key in ["volumeName", "storageClassName"] {
        if was[key].is_empty() && !now[key].is_empty() && (key == "volumeName" || !was.has(key)) {
            was.set(&[key], &now[key]);
        }
    }
    if bound {
        was.set(&["resources"], &now["resources"]);
        if !now["volumeAttributesClassName"].is_null() {
            was.set(&["volumeAttributesClassName"], &now["volumeAttributesClassName"]);
        }
    }
    if !same(&was, now) {
        let shown = |spec: &Value| internal::indented("core.v1", "PersistentVolumeClaimSpec", spec);
        let detail = format!(
            "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n{}",
            difference(&shown(&was), &shown(now))
        );
        errors.forbidden(&at, &detail);
    }
    let size = |spec: &Value| Quantity::of(spec.at(&["resources", "requests", "storage"]));
    if bound && size(now) < size(&old["spec"]) {
        let capacity = Quantity::of(old["status"].at(&["capacity", "storage"]));
        if size(now) <= capacity {
            let at = at.child("resources").child("requests").child("storage");
            errors.forbidden(&at, "field can not be less than status.capacity");
        }
    }
    errors.immutable(&Path::new("volumeMode"), &now["volumeMode"], &old["spec"]["volumeMode"]);
}

/// The kinds of volumes in the order the server looks at them.
const SOURCES: [&str; 22] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
    "flexVolume",
];

pub fn volume(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let modes = spec["accessModes"].items();
    if modes.is_empty() {
        errors.required(&at.child("accessModes"), "");
    }
    access_modes(errors, &at.child("accessModes"), modes);
    let (path, capacity) = (at.child("capacity"), &spec["capacity"]);
    if capacity.is_empty() {
        errors.required(&path, "");
    }
    if !capacity.has("storage") || capacity.entries().len() > 1 {
        let shown = crate::base::json::compact(capacity);
        errors.push(FieldError::not_supported_shown(&path, &shown, &["storage"]));
    }
    for (name, quantity) in capacity.entries().iter() {
        if Quantity::of(quantity).sign() <= 0 {
            errors.invalid(&path.key(name), quantity, "must be greater than zero");
        }
    }
    let policy = &spec["persistentVolumeReclaimPolicy"];
    let policies = ["Delete", "Recycle", "Retain"];
    if !policy.is_null() {
        errors.one_of(&at.child("persistentVolumeReclaimPolicy"), policy, &policies);
    }
    let affinity = &spec["nodeAffinity"];
    if !affinity.is_null() {
        let at = at.child("nodeAffinity").child("required");
        match &affinity["required"] {
            Value::Null => errors.required(&at, "must specify required node constraints"),
            required => scheduling::node_selector(errors, &at, required),
        }
    }
    let mut count = 0;
    for key in SOURCES {
        let (at, source) = (at.child(key), &spec[key]);
        if source.is_null() {
            continue;
        }
        count += 1;
        if count > 1 {
            errors.forbidden(&at, "may not specify more than 1 volume type");
            continue;
        }
        match key {
            "hostPath" => volumes::host_path(errors, &at, source),
            "nfs" => volumes::nfs(errors, &at, source),
            "local" => {
                if source["path"].is_empty() {
                    errors.required(&at.child("path"), "");
                }
                if affinity.is_null() {
                    errors.required(&Path::new("spec").child("nodeAffinity"), "Local volume requires node affinity");
                }
            }
            "csi" => {
                for key in ["driver", "volumeHandle"] {
                    if source[key].is_empty() {
                        errors.required(&at.child(key), "");
                    }
                }
            }
            _ => {}
        }
    }
    if count == 0 {
        errors.required(&at, "must specify a volume type");
    }
    let class = spec["storageClassName"].str();
    if !class.is_empty() {
        errors.complain(&at.child("storageClassName"), class, names::subdomain(class));
    }
    errors.one_of_if_set(&at.child("volumeMode"), &spec["volumeMode"], &["Block", "Filesystem"]);
}

/// The fields of the internal source, in their order, with the types behind them.
const SOURCE_FIELDS: [(&str, &str, &str); 22] = [
    ("GCEPersistentDisk", "gcePersistentDisk", "GCEPersistentDiskVolumeSource"),
    ("AWSElasticBlockStore", "awsElasticBlockStore", "AWSElasticBlockStoreVolumeSource"),
    ("HostPath", "hostPath", "HostPathVolumeSource"),
    ("Glusterfs", "glusterfs", "GlusterfsPersistentVolumeSource"),
    ("NFS", "nfs", "NFSVolumeSource"),
    ("RBD", "rbd", "RBDPersistentVolumeSource"),
    ("Quobyte", "quobyte", "QuobyteVolumeSource"),
    ("ISCSI", "iscsi", "ISCSIPersistentVolumeSource"),
    ("FlexVolume", "flexVolume", "FlexPersistentVolumeSource"),
    ("Cinder", "cinder", "CinderPersistentVolumeSource"),
    ("CephFS", "cephfs", "CephFSPersistentVolumeSource"),
    ("FC", "fc", "FCVolumeSource"),
    ("Flocker", "flocker", "FlockerVolumeSource"),
    ("AzureFile", "azureFile", "AzureFilePersistentVolumeSource"),
    ("VsphereVolume", "vsphereVolume", "VsphereVirtualDiskVolumeSource"),
    ("AzureDisk", "azureDisk", "AzureDiskVolumeSource"),
    ("PhotonPersistentDisk", "photonPersistentDisk", "PhotonPersistentDiskVolumeSource"),
    ("PortworxVolume", "portworxVolume", "PortworxVolumeSource"),
    ("ScaleIO", "scaleIO", "ScaleIOPersistentVolumeSource"),
    ("Local", "local", "LocalVolumeSource"),
    ("StorageOS", "storageos", "StorageOSPersistentVolumeSource"),
    ("CSI", "csi", "CSIPersistentVolumeSource"),
];

fn source_text(spec: &Value) -> String {
    let all: Vec<String> = SOURCE_FIELDS
        .iter()
        .map(|(go, key, ty)| match &spec[*key] {
            Value::Null => format!(" \"{go}\": null"),
            source => {
                let text = internal::indented("core.v1", ty, source).replace('\n', "\n ");
                format!(" \"{go}\": {text}")
            }
        })
        .collect();
    format!("{{\n{}\n}}", all.join(",\n"))
}

pub fn volume_update(errors: &mut Errors, new: &Value, old: &Value) {
    let (was, now) = (&old["spec"], &new["spec"]);
    if SOURCES.iter().any(|key| !same(&was[*key], &now[*key])) {
        let at = Path::new("spec").child("persistentvolumesource");
        let difference = difference(&source_text(was), &source_text(now));
        errors.forbidden(&at, &format!("spec.persistentvolumesource is immutable after creation\n{difference}"));
    }
    errors.immutable(&Path::new("volumeMode"), &now["volumeMode"], &was["volumeMode"]);
}

pub fn class(errors: &mut Errors, object: &Value) {
    if object["provisioner"].is_empty() {
        errors.required(&Path::new("provisioner"), "");
    }
    let keys = ["reclaimPolicy", "volumeBindingMode"];
    errors.one_of_if_set(&Path::new(keys[0]), &object[keys[0]], &["Delete", "Retain"]);
    errors.one_of_if_set(&Path::new(keys[1]), &object[keys[1]], &["Immediate", "WaitForFirstConsumer"]);
}

pub fn class_update(errors: &mut Errors, new: &Value, old: &Value) {
    for key in ["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"] {
        if new[key] != old[key] && !(new[key].is_empty() && old[key].is_empty()) {
            // The server shows no value here.
            errors.invalid(&Path::new(key), Value::Null, names::IMMUTABLE);
        }
    }
}
