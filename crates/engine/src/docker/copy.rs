//! Files of containers from outside: `cp`, `diff`, `export`. Entries travel as objects; whoever speaks with the outside
//! makes tar archives of them.

use super::container::Container;
use super::{Engine, Outcome, fail, volumes, wire};
use crate::base::tar::{self, What};
use crate::base::{Time, Value};
use crate::map;
use crate::process::{Files, Node};

/// Paths that are not the image's: written by the Engine or the kernel.
pub fn is_apart(path: &str) -> bool {
    matches!(path, "/etc/hosts" | "/etc/resolv.conf" | "/etc/hostname" | "/proc" | "/sys" | "/dev")
        || ["/proc/", "/sys/", "/dev/"].iter().any(|start| path.starts_with(start))
}

fn entry(path: &str, node: &Node) -> Value {
    match node {
        Node::File { content, mode, .. } => {
            let text = String::from_utf8_lossy(content).into_owned();
            map! { "path" => path, "text" => text, "mode" => i64::from(*mode) }
        }
        Node::Link { to } => map! { "path" => path, "link" => to.as_str() },
        Node::Directory { .. } => map! { "path" => path, "directory" => true },
    }
}

/// A file or tree as entries by relative path; the first says what the root is.
pub fn pack(files: &Files, root: &str) -> Option<Value> {
    if let Some(link @ Node::Link { .. }) = files.raw("/", root)
        && !root.ends_with(['/', '.'])
    {
        return Some(Value::list(vec![entry("", link)]));
    }
    let node = files.node("/", root).ok()?;
    let mut out = vec![entry("", node)];
    if matches!(node, Node::Directory { .. }) {
        out.extend(volumes::subtree(files, root).iter().map(|(path, node)| entry(path, node)));
    }
    Some(Value::list(out))
}

/// All files of a container.
pub fn export(container: &Container) -> Value {
    let all = pack(container.files(), "/").unwrap_or_default();
    // What the kernel shows there is none of its files.
    let own = |entry: &&Value| {
        let path = entry["path"].str().trim_start_matches('/');
        !["proc/", "sys/", "dev/"].iter().any(|start| path.starts_with(start))
    };
    map! { "entries" => all.items().iter().filter(own).cloned().collect::<Vec<_>>() }
}

/// Entries as a tar archive, the root of them under a name.
pub fn to_tar(entries: &Value, name: &str) -> Vec<u8> {
    let one = |entry: &Value| -> tar::Entry {
        let path = match (name, entry["path"].str().trim_start_matches('/')) {
            (name, "") => name.to_string(),
            ("", path) => path.to_string(),
            (name, path) => format!("{name}/{path}"),
        };
        let directory = entry["directory"].is_true();
        let mode = entry["mode"].as_int().and_then(|mode| u32::try_from(mode).ok());
        let what = match entry["link"].as_str() {
            Some(to) => What::Link(to.to_string()),
            None if directory => What::Directory,
            None => What::File(entry["text"].str().as_bytes().to_vec()),
        };
        tar::Entry { path, mode: mode.unwrap_or(0o755), what }
    };
    tar::pack(&entries.items().iter().map(one).filter(|entry| !entry.path.is_empty()).collect::<Vec<_>>())
}

/// What a tar archive holds, as entries.
pub fn from_tar(bytes: &[u8]) -> Option<Value> {
    let one = |entry: tar::Entry| {
        let path = entry.path.trim_start_matches("./").to_string();
        match entry.what {
            What::Directory => map! { "path" => path, "directory" => true },
            What::File(content) => {
                map! { "path" => path, "text" => String::from_utf8_lossy(&content).into_owned(), "mode" => i64::from(entry.mode) }
            }
            What::Link(to) => map! { "path" => path, "link" => to },
        }
    };
    Some(Value::list(tar::unpack(bytes)?.into_iter().map(one).collect()))
}

/// Writes entries at a path; what stands there already is written over.
pub fn unpack(files: &mut Files, now: Time, root: &str, entries: &Value) -> Result<(), String> {
    for one in entries.items() {
        let path = match one["path"].str() {
            "" => root.to_string(),
            path => format!("{}/{path}", root.trim_end_matches('/')),
        };
        let done = if let Some(to) = one["link"].as_str() {
            let _ = files.remove("/", &path);
            files.link("/", &path, to)
        } else if one["directory"].is_true() {
            files.make_directories(now, "/", &path)
        } else {
            files.write(now, "/", &path, one["text"].str().as_bytes()).and_then(|()| {
                let mode = u32::try_from(one["mode"].as_int().unwrap_or(0o644)).unwrap_or(0o644);
                files.set_mode("/", &path, mode)
            })
        };
        done.map_err(|error| error.text().to_lowercase())?;
    }
    Ok(())
}

impl Engine {
    pub(super) fn copy_out(&mut self, name: &str, path: &str) -> Outcome<Value> {
        let id = self.container(name)?.id.clone();
        let Some(container) = self.containers.get(&id) else { return fail(404, "No such container") };
        if path.is_empty() {
            return fail(400, "bad parameter: pathcannot be empty");
        }
        let files = container.files();
        let of_file = path.match_indices('/').any(|(at, _)| {
            let above = path.get(..at).unwrap_or_default();
            !above.is_empty() && files.exists("/", above) && !files.is_directory("/", above)
        });
        if of_file {
            return fail(500, format!("lstat {path}: not a directory"));
        }
        let link = files.raw("/", path).filter(|node| matches!(node, Node::Link { .. }));
        let Some(node) = link.or_else(|| files.node("/", path).ok()) else {
            return fail(404, format!("Could not find the file {path} in container {name}"));
        };
        let target = link.and_then(|_| files.resolve("/", path).ok()).unwrap_or_default();
        // As Go's FileMode has it: the highest bit is a directory's.
        let (size, mode, modified) = match node {
            Node::File { content, mode, modified, .. } => (content.len() as i64, i64::from(*mode), *modified),
            Node::Directory { modified, .. } => (4096, (1 << 31) | 0o755, *modified),
            Node::Link { .. } => (0, (1 << 27) | 0o777, Time::default()),
        };
        let base = path.trim_end_matches('/').rsplit('/').next().filter(|base| !base.is_empty()).unwrap_or("/");
        let stat = map! {
            "name" => base, "size" => size, "mode" => mode, "mtime" => wire::stamp(Some(modified)), "linkTarget" => target,
        };
        match pack(container.files(), path) {
            Some(entries) => Ok(map! { "entries" => entries, "stat" => stat }),
            None => fail(404, format!("Could not find the file {path} in container {name}")),
        }
    }

    /// The entries go into a directory that is there.
    pub(super) fn copy_in(&mut self, now: Time, name: &str, path: &str, body: &Value) -> Outcome<Value> {
        let id = self.container(name)?.id.clone();
        let Some(container) = self.containers.get_mut(&id) else { return fail(404, "No such container") };
        if container.host["ReadonlyRootfs"].is_true() {
            return fail(400, "container rootfs is marked read-only");
        }
        let below = |mount: &&volumes::Mount| path == mount.target || path.starts_with(&format!("{}/", mount.target));
        if container.mounts.iter().find(below).is_some_and(|mount| mount.read_only) {
            return fail(403, "mounted volume is marked read-only");
        }
        let files = container.files_mut();
        if !files.exists("/", path) {
            return fail(404, format!("Could not find the file {path} in container {name}"));
        }
        if !files.is_directory("/", path) {
            return fail(400, "extraction point is not a directory");
        }
        if let Err(text) = unpack(files, now, path, &body["entries"]) {
            return fail(500, text);
        }
        self.unmount_all(&id);
        Ok(Value::Null)
    }

    pub(super) fn changes(&self, name: &str) -> Outcome<Value> {
        let container = self.container(name)?;
        let (now, before) = (container.files(), &container.original);
        let mounted = |path: &str| container.mounts.iter().any(|m| path.starts_with(&format!("{}/", m.target)));
        let plain = |node: &Node| match node {
            Node::File { content, .. } => Some(content.clone()),
            _ => None,
        };
        let old: crate::base::BTreeMap<&String, &Node> = before.iter().collect();
        let new: crate::base::BTreeMap<&String, &Node> = now.iter().collect();
        let mut found: crate::base::BTreeMap<String, i64> = crate::base::BTreeMap::new();
        let parents = |path: &str, found: &mut crate::base::BTreeMap<String, i64>| {
            for (at, _) in path.match_indices('/').filter(|(at, _)| *at > 0) {
                found.entry(path.get(..at).unwrap_or_default().to_string()).or_insert(0);
            }
        };
        for (path, node) in &new {
            if is_apart(path) || mounted(path) {
                continue;
            }
            match old.get(path) {
                None => {
                    parents(path, &mut found);
                    found.insert((*path).clone(), 1);
                }
                Some(other) if plain(other) != plain(node) => {
                    parents(path, &mut found);
                    found.insert((*path).clone(), 0);
                }
                Some(_) => {}
            }
        }
        for path in old.keys().filter(|path| !new.contains_key(*path) && !is_apart(path) && !mounted(path)) {
            parents(path, &mut found);
            found.insert((*path).clone(), 2);
        }
        let list = found.into_iter().map(|(path, kind)| map! { "Path" => path, "Kind" => kind }).collect();
        Ok(Value::list(list))
    }
}
