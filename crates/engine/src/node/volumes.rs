//! Volumes of pods: what their sources hold, what is missing, and how they appear in a container's files.
//!
//! Not simulated: claims' data beyond the pod, attach and detach, sockets and devices.

use std::sync::Arc;

use crate::api::decode::decode_base64;
use crate::api::object;
use crate::base::{Time, Value};
use crate::informer::Caches;
use crate::map;
use crate::process::{Files, Node};

use super::worker::Worker;

/// One file of a volume: path, content, mode.
type Entry = (String, Vec<u8>, u32);

/// `volumeMounts` of a container status.
pub fn mounts(spec: &Value) -> Vec<Value> {
    let mounts = spec["volumeMounts"].items().iter().map(|mount| {
        let mut value = map! { "mountPath" => &mount["mountPath"], "name" => &mount["name"] };
        if mount["readOnly"].is_true() {
            value.set(&["readOnly"], true);
            let recursive = mount["recursiveReadOnly"].str();
            value.set(&["recursiveReadOnly"], if recursive.is_empty() { "Disabled" } else { recursive });
        }
        value
    });
    mounts.collect()
}

pub fn any(pod: &Value) -> bool {
    !pod.at(&["spec", "volumes"]).is_empty()
}

/// The FailedMount messages of volumes that cannot be set up now.
pub fn missing(see: &Caches, pod: &Value) -> Vec<String> {
    let volumes = pod.at(&["spec", "volumes"]).items().iter();
    let failed = volumes.filter_map(|volume| {
        let error = entries(see, pod, volume).err()?;
        Some(format!("MountVolume.SetUp failed for volume \"{}\" : {error}", volume["name"].str()))
    });
    failed.collect()
}

/// The files of a volume, or why it cannot be set up.
fn entries(see: &Caches, pod: &Value, volume: &Value) -> Result<Vec<Entry>, String> {
    if volume.has("configMap") {
        let source = &volume["configMap"];
        return from_object(see, pod, "configmaps", source["name"].str(), source, mode(&source["defaultMode"], 0o644));
    }
    if volume.has("secret") {
        let source = &volume["secret"];
        return from_object(
            see,
            pod,
            "secrets",
            source["secretName"].str(),
            source,
            mode(&source["defaultMode"], 0o644),
        );
    }
    if volume.has("downwardAPI") {
        let source = &volume["downwardAPI"];
        return Ok(downward(pod, source, mode(&source["defaultMode"], 0o644)));
    }
    if volume.has("projected") {
        return projected(see, pod, &volume["projected"]);
    }
    if volume.has("hostPath") {
        return host_path(&volume["hostPath"]);
    }
    Ok(Vec::new())
}

fn mode(value: &Value, other: u32) -> u32 {
    value.as_int().and_then(|mode| u32::try_from(mode).ok()).unwrap_or(other)
}

/// A node has its usual directories and nothing else.
fn host_path(source: &Value) -> Result<Vec<Entry>, String> {
    const DIRECTORIES: [&str; 14] = [
        "/", "/bin", "/dev", "/etc", "/home", "/opt", "/proc", "/root", "/run", "/sys", "/tmp", "/usr", "/var",
        "/var/log",
    ];
    let path = source["path"].str();
    let exists = DIRECTORIES.contains(&path);
    match source["type"].str() {
        "Directory" if !exists => Err(unknown(path, "a directory")),
        "File" if exists => Err(format!("hostPath type check failed: {path} is not a file, it's a Directory")),
        "File" => Err(unknown(path, "a file")),
        "Socket" => Err(unknown(path, "a socket file")),
        "CharDevice" => Err(unknown(path, "a character device")),
        "BlockDevice" => Err(unknown(path, "a block device")),
        _ => Ok(Vec::new()),
    }
}

fn unknown(path: &str, what: &str) -> String {
    format!(
        "hostPath type check failed, {path} is not {what}, unable to determine its type: path \"{path}\" does not exist"
    )
}

fn from_object(
    see: &Caches,
    pod: &Value,
    resource: &str,
    name: &str,
    source: &Value,
    default_mode: u32,
) -> Result<Vec<Entry>, String> {
    let word = if resource == "secrets" { "secret" } else { "configmap" };
    let optional = source["optional"].is_true();
    let Some(found) = see.find(resource, object::namespace(pod), name) else {
        return if optional { Ok(Vec::new()) } else { Err(format!("{word} \"{name}\" not found")) };
    };
    let data = contents(found, resource);
    if source["items"].is_empty() {
        return Ok(data.into_iter().map(|(key, bytes)| (key, bytes, default_mode)).collect());
    }
    let mut all = Vec::new();
    for item in source["items"].items() {
        let key = item["key"].str();
        match data.iter().find(|(known, _)| known == key) {
            Some((_, bytes)) => all.push((item["path"].str().into(), bytes.clone(), mode(&item["mode"], default_mode))),
            None if optional => {}
            None if resource == "secrets" => return Err(format!("references non-existent secret key: {key}")),
            None => return Err(format!("configmap references non-existent config key: {key}")),
        }
    }
    Ok(all)
}

/// Keys and contents of a ConfigMap or Secret.
pub fn contents(found: &Value, resource: &str) -> Vec<(String, Vec<u8>)> {
    let decode = |value: &Value| decode_base64(value.str()).unwrap_or_default();
    let data = found["data"].entries().iter().map(|(key, value)| {
        let bytes = if resource == "secrets" { decode(value) } else { value.str().as_bytes().to_vec() };
        (key.to_string(), bytes)
    });
    let binary = found["binaryData"].entries().iter().map(|(key, value)| (key.to_string(), decode(value)));
    data.chain(binary).collect()
}

fn downward(pod: &Value, source: &Value, default_mode: u32) -> Vec<Entry> {
    let items = source["items"].items().iter().map(|item| {
        let text = if item.has("fieldRef") {
            super::env::field(pod, item.at(&["fieldRef", "fieldPath"]).str(), "", "")
        } else {
            let reference = &item["resourceFieldRef"];
            let containers = pod.at(&["spec", "containers"]).items();
            let container = containers.iter().find(|c| c["name"].str() == reference["containerName"].str());
            container.map(|container| super::env::resource_field(container, reference, "", "")).unwrap_or_default()
        };
        (item["path"].str().to_string(), text.into_bytes(), mode(&item["mode"], default_mode))
    });
    items.collect()
}

fn projected(see: &Caches, pod: &Value, source: &Value) -> Result<Vec<Entry>, String> {
    let default_mode = mode(&source["defaultMode"], 0o644);
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for part in source["sources"].items() {
        let found = if part.has("configMap") {
            let source = &part["configMap"];
            from_object(see, pod, "configmaps", source["name"].str(), source, default_mode)
        } else if part.has("secret") {
            let source = &part["secret"];
            from_object(see, pod, "secrets", source["name"].str(), source, default_mode)
        } else if part.has("downwardAPI") {
            Ok(downward(pod, &part["downwardAPI"], default_mode))
        } else if part.has("serviceAccountToken") {
            let path = match part.at(&["serviceAccountToken", "path"]).str() {
                "" => "token",
                path => path,
            };
            let token = crate::runtime::hex64(&format!("token/{}", object::uid(pod)));
            Ok(vec![(path.to_string(), token.into_bytes(), default_mode)])
        } else {
            Ok(Vec::new())
        };
        match found {
            Ok(mut found) => all.append(&mut found),
            Err(error) => errors.push(error),
        }
    }
    match errors.len() {
        0 => Ok(all),
        1 => Err(errors.remove(0)),
        _ => Err(format!("[{}]", errors.join(", "))),
    }
}

/// Puts a container's volumes into its files. With `update` only what follows its source is written again.
pub fn mount(
    see: &Caches,
    pod: &Value,
    spec: &Value,
    files: &mut Files,
    now: Time,
    update: bool,
) -> Result<(), String> {
    let volumes = pod.at(&["spec", "volumes"]).items();
    for mount in spec["volumeMounts"].items() {
        let name = mount["name"].str();
        let Some(volume) = volumes.iter().find(|volume| volume["name"].str() == name) else { continue };
        let sub_path = mount["subPath"].str();
        let follows = ["configMap", "secret", "projected", "downwardAPI"].iter().any(|kind| volume.has(kind));
        if update && (!follows || !sub_path.is_empty()) {
            continue;
        }
        let path = mount["mountPath"].str().trim_end_matches('/');
        let path = if path.is_empty() { "/" } else { path };
        let entries = entries(see, pod, volume)?;
        let read_only = mount["readOnly"].is_true() || follows;
        let file = |content: &[u8], mode: u32| Node::File {
            content: Arc::new(content.to_vec()),
            modified: now,
            mode,
            read_only,
        };
        if !sub_path.is_empty()
            && let Some((_, content, mode)) = entries.iter().find(|(name, _, _)| name == sub_path)
        {
            parents(files, path);
            files.mount(path, file(content, *mode));
            continue;
        }
        if update {
            let stale: Vec<String> = files.list("/", path).unwrap_or_default();
            for name in stale.iter().filter(|name| !entries.iter().any(|(known, _, _)| known == *name)) {
                files.unmount(&format!("{path}/{name}"));
            }
        } else {
            parents(files, path);
            files.mount(path, Node::Directory { modified: now, read_only });
        }
        for (name, content, mode) in &entries {
            let full = format!("{}/{name}", path.trim_end_matches('/'));
            directories(files, path, &full, now, read_only);
            files.mount(&full, file(content, *mode));
        }
    }
    Ok(())
}

fn parents(files: &mut Files, path: &str) {
    if let Some((parent, _)) = path.rsplit_once('/')
        && !parent.is_empty()
    {
        // A directory on the way that is a file leaves the mount hidden, as it would be.
        let _ = files.make_directories(Time::default(), "/", parent);
    }
}

/// The directories between a volume's root and one of its files.
fn directories(files: &mut Files, root: &str, full: &str, now: Time, read_only: bool) {
    for (at, _) in full.match_indices('/').filter(|(at, _)| *at > root.len()) {
        let Some(directory) = full.get(..at) else { continue };
        if !files.is_directory("/", directory) {
            files.mount(directory, Node::Directory { modified: now, read_only });
        }
    }
}

/// The periodic sync brings volumes that follow their source up to date.
pub fn refresh(see: &Caches, worker: &mut Worker, now: Time) {
    if !any(&worker.pod) {
        return;
    }
    for slot in &mut worker.slots {
        let spec = slot.spec.clone();
        if let Some(container) = slot.container.as_mut().filter(|container| container.is_running()) {
            // What cannot be read now stays as it was.
            let _ = mount(see, &worker.pod, &spec, &mut container.files, now, true);
        }
    }
}
