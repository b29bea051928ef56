//! Volumes of pods: what their sources hold, what is missing, and how they appear in a container's files.
//!
//! Not simulated: attach and detach, sockets and devices.

use std::sync::Arc;

use crate::base::SmolStr;

use crate::api::decode::decode_base64;
use crate::api::{object, resource};
use crate::base::{BTreeMap, Time, Value};
use crate::informer::Caches;
use crate::map;
use crate::process::{Files, Node};

use super::worker::Worker;

/// One file of a volume: path, content, mode.
type Entry = (String, Vec<u8>, u32);

/// What containers have written into the volumes of a pod that keep it: by volume, then by path.
pub type Kept = BTreeMap<SmolStr, BTreeMap<String, Node>>;

/// Kinds of volumes whose content comes from their source.
const FOLLOWING: [&str; 4] = ["configMap", "secret", "projected", "downwardAPI"];

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
        return Ok(downward(see, pod, source, mode(&source["defaultMode"], 0o644)));
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

fn downward(see: &Caches, pod: &Value, source: &Value, default_mode: u32) -> Vec<Entry> {
    let node = see.find(&resource::NODES, "", pod.at(&["spec", "nodeName"]).str()).cloned().unwrap_or_default();
    let all = &node["status"]["allocatable"];
    let (cpu, memory) = (all["cpu"].str(), all["memory"].str());
    let items = source["items"].items().iter().map(|item| {
        let text = if item.has("fieldRef") {
            super::env::field(pod, item.at(&["fieldRef", "fieldPath"]).str(), "", "")
        } else {
            let reference = &item["resourceFieldRef"];
            let containers = pod.at(&["spec", "containers"]).items();
            let container = containers.iter().find(|c| c["name"].str() == reference["containerName"].str());
            container.map(|container| super::env::resource_field(container, reference, cpu, memory)).unwrap_or_default()
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
            Ok(downward(see, pod, &part["downwardAPI"], default_mode))
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

/// Puts a container's volumes into its files. Without `kept` only what follows its source is written again.
pub fn mount(
    see: &Caches,
    pod: &Value,
    spec: &Value,
    files: &mut Files,
    now: Time,
    kept: Option<&Kept>,
) -> Result<Option<String>, String> {
    let mut clash = None;
    let volumes = pod.at(&["spec", "volumes"]).items();
    let mut mounts: Vec<&Value> = spec["volumeMounts"].items().iter().collect();
    // What is mounted below another mount comes after it.
    mounts.sort_by_key(|mount| mount["mountPath"].str().trim_end_matches('/').matches('/').count());
    for mount in mounts {
        let name = mount["name"].str();
        let Some(volume) = volumes.iter().find(|volume| volume["name"].str() == name) else { continue };
        let sub_path = mount["subPath"].str();
        let follows = follows(volume);
        if kept.is_none() && (!follows || !sub_path.is_empty()) {
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
        let is_file = !sub_path.is_empty() && entries.iter().any(|(name, ..)| name == sub_path);
        let stands = files.exists("/", path);
        let known = follows || (volume.has("emptyDir") && sub_path.is_empty());
        if known && kept.is_some() && clash.is_none() && stands && files.is_directory("/", path) == is_file {
            clash = Some(refused(pod, spec, mount, volume));
        }
        if !sub_path.is_empty()
            && let Some((_, content, mode)) = entries.iter().find(|(name, _, _)| name == sub_path)
        {
            parents(files, path);
            files.mount(path, file(content, *mode));
            continue;
        }
        if kept.is_some() {
            parents(files, path);
            // What the image has there is hidden.
            if path != "/" {
                files.unmount(path);
            }
            files.mount(path, Node::Directory { modified: now, read_only });
        }
        if !follows {
            if let Some(kept) = kept.and_then(|kept| kept.get(name)) {
                fill(files, path, sub_path, kept, read_only);
            }
            continue;
        }
        if sub_path.is_empty() {
            write_at_once(files, path, &entries, now);
            continue;
        }
        for (name, content, mode) in &entries {
            let Some(name) = name.strip_prefix(sub_path).and_then(|rest| rest.strip_prefix('/')) else { continue };
            let full = format!("{}/{name}", path.trim_end_matches('/'));
            directories(files, path, &full, now, read_only);
            files.mount(&full, file(content, *mode));
        }
    }
    Ok(clash)
}

/// runc's words when a directory is to be mounted over a file, or a file over a directory.
fn refused(pod: &Value, spec: &Value, mount: &Value, volume: &Value) -> String {
    const KINDS: [(&str, &str); 5] = [
        ("configMap", "configmap"),
        ("secret", "secret"),
        ("emptyDir", "empty-dir"),
        ("projected", "projected"),
        ("downwardAPI", "downward-api"),
    ];
    let (uid, name, to) = (pod.at(&["metadata", "uid"]).str(), mount["name"].str(), mount["mountPath"].str());
    let root = format!("/var/lib/kubelet/pods/{uid}");
    let kind = KINDS.iter().find(|(kind, _)| volume.has(kind));
    let from = match (mount["subPath"].str(), kind) {
        ("", Some((_, kind))) => format!("{root}/volumes/kubernetes.io~{kind}/{name}"),
        ("", None) => volume.at(&["hostPath", "path"]).str().to_string(),
        _ => {
            let index = spec["volumeMounts"].items().iter().position(|one| one == mount).unwrap_or(0);
            format!("{root}/volume-subpaths/{name}/{}/{index}", spec["name"].str())
        }
    };
    let read_only = if mount["readOnly"].is_true() || follows(volume) { "MS_RDONLY|" } else { "" };
    format!(
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: \
         unable to start container process: error during container init: error mounting \"{from}\" to rootfs at \
         \"{to}\": mount src={from}, dst={to}, dstFd=/proc/thread-self/fd/16, flags={read_only}MS_BIND|MS_REC: not a \
         directory"
    )
}

fn follows(volume: &Value) -> bool {
    FOLLOWING.iter().any(|kind| volume.has(kind))
}

/// The kubelet's atomic writer: the files lie in a directory named after the moment, `..data` points to it, and each
/// name points through `..data`. Content that has not changed is left alone.
fn write_at_once(files: &mut Files, root: &str, entries: &[Entry], now: Time) {
    let root = root.trim_end_matches('/');
    let data = format!("{root}/..data");
    let same = |files: &Files| {
        let known = files.below(&files.resolve("/", &data).unwrap_or_default());
        let count = known.filter(|(_, node)| matches!(node, Node::File { .. })).count();
        count == entries.len()
            && entries.iter().all(|(name, content, mode)| {
                let node = files.node("/", &format!("{data}/{name}"));
                matches!(node, Ok(Node::File { content: known, mode: of, .. }) if **known == *content && of == mode)
            })
    };
    if files.exists("/", &data) && same(files) {
        return;
    }
    for name in files.list("/", root).unwrap_or_default() {
        files.unmount(&format!("{root}/{name}"));
    }
    let (year, month, day, hour, minute, second) = now.civil();
    let nanos = now.0.rem_euclid(1_000_000) * 1000 + 7;
    let stamp = format!("..{year}_{month:02}_{day:02}_{hour:02}_{minute:02}_{second:02}.{nanos}");
    files.mount(&format!("{root}/{stamp}"), Node::Directory { modified: now, read_only: true });
    files.mount(&data, Node::Link { to: stamp.clone() });
    for (name, content, mode) in entries {
        let top = name.split('/').next().unwrap_or(name);
        files.mount(&format!("{root}/{top}"), Node::Link { to: format!("..data/{top}") });
        let full = format!("{root}/{stamp}/{name}");
        directories(files, root, &full, now, true);
        let content = Arc::new(content.clone());
        files.mount(&full, Node::File { content, modified: now, mode: *mode, read_only: true });
    }
}

/// Puts what a volume keeps below `sub_path` at a path; a file there is mounted as a file.
fn fill(files: &mut Files, path: &str, sub_path: &str, kept: &BTreeMap<String, Node>, read_only: bool) {
    let closed = |node: &Node| match node.clone() {
        Node::Directory { modified, .. } => Node::Directory { modified, read_only },
        Node::File { content, modified, mode, .. } => Node::File { content, modified, mode, read_only },
        link @ Node::Link { .. } => link,
    };
    let sub_path = sub_path.trim_matches('/');
    if let Some(file @ Node::File { .. }) = kept.get(sub_path) {
        files.mount(path, closed(file));
        return;
    }
    for (name, node) in kept {
        let Some(rest) = below(name, sub_path) else { continue };
        files.mount(&format!("{}/{rest}", path.trim_end_matches('/')), closed(node));
    }
}

/// The rest of a path below a directory; all of it for the root.
fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    match directory {
        "" => Some(path),
        directory => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

/// A container may have run: what it wrote into volumes is kept, and is there for the pod's other containers. The names
/// of the volumes that changed come back.
pub fn share(worker: &mut Worker, index: usize) -> Vec<SmolStr> {
    let mut changed: Vec<SmolStr> = Vec::new();
    let Some(slot) = worker.slots.get_mut(index) else { return changed };
    let Some(container) = &mut slot.container else { return changed };
    // One that has not run since knows nothing new; what it has may be out of date.
    if !std::mem::take(&mut container.has_run) {
        return changed;
    }
    let volumes = worker.pod.at(&["spec", "volumes"]).items();
    let mounts = slot.spec["volumeMounts"].items();
    for mount in mounts.iter().filter(|mount| !mount["readOnly"].is_true()) {
        let name = mount["name"].smol();
        if !volumes.iter().any(|volume| volume["name"].str() == name && !follows(volume)) {
            continue;
        }
        let path = mount["mountPath"].str().trim_end_matches('/');
        if !container.files.is_directory("/", path) {
            continue;
        }
        let inner = |at: &str| {
            let full = format!("{path}/{at}");
            mounts
                .iter()
                .map(|other| other["mountPath"].str().trim_end_matches('/'))
                .any(|other| other.len() > path.len() && (full == other || below(&full, other).is_some()))
        };
        let sub_path = mount["subPath"].str().trim_matches('/');
        let own = |rest: &str| if sub_path.is_empty() { rest.to_string() } else { format!("{sub_path}/{rest}") };
        let found: Vec<_> = container.files.below(path).filter(|(rest, _)| !inner(rest)).collect();
        let kept = worker.kept.entry(name.clone()).or_default();
        let known = kept.iter().filter_map(|(at, node)| Some((below(at, sub_path)?, node)));
        if known.filter(|(rest, _)| !inner(rest)).eq(found.iter().copied()) {
            continue;
        }
        kept.retain(|at, _| below(at, sub_path).is_none_or(inner));
        kept.extend(found.into_iter().map(|(rest, node)| (own(rest), node.clone())));
        changed.push(name);
    }
    if changed.is_empty() {
        return changed;
    }
    for (_, slot) in worker.slots.iter_mut().enumerate().filter(|(at, _)| *at != index) {
        let Some(container) = slot.container.as_mut().filter(|container| container.is_running()) else { continue };
        for mount in slot.spec["volumeMounts"].items() {
            let Some(kept) = worker.kept.get(mount["name"].str()).filter(|_| changed.contains(&mount["name"].smol()))
            else {
                continue;
            };
            let path = mount["mountPath"].str();
            for name in container.files.list("/", path).unwrap_or_default() {
                container.files.unmount(&format!("{}/{name}", path.trim_end_matches('/')));
            }
            fill(&mut container.files, path, mount["subPath"].str(), kept, mount["readOnly"].is_true());
        }
    }
    changed
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
            let _ = mount(see, &worker.pod, &spec, &mut container.files, now, None);
        }
    }
}
