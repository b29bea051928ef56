//! Files of containers from outside: `cp`, `diff`. Entries travel as objects, not as a tar archive.

use super::{Engine, Outcome, fail, volumes};
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
        _ => map! { "path" => path, "directory" => true },
    }
}

/// A file or tree as entries by relative path; the first says what the root is.
pub fn pack(files: &Files, root: &str) -> Option<Value> {
    let node = files.node("/", root).ok()?;
    let mut out = vec![entry("", node)];
    if matches!(node, Node::Directory { .. }) {
        out.extend(volumes::subtree(files, root).iter().map(|(path, node)| entry(path, node)));
    }
    Some(Value::list(out))
}

/// Writes entries at a path; what stands there already is written over.
pub fn unpack(files: &mut Files, now: Time, root: &str, entries: &Value) -> Result<(), String> {
    for one in entries.items() {
        let path = match one["path"].str() {
            "" => root.to_string(),
            path => format!("{}/{path}", root.trim_end_matches('/')),
        };
        let done = if one["directory"].is_true() {
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
        match pack(container.files(), path) {
            Some(entries) => Ok(map! { "entries" => entries }),
            None => fail(404, format!("Could not find the file {path} in container {name}")),
        }
    }

    /// `path` is where the first entry goes, or the directory it goes into (ending in `/`).
    pub(super) fn copy_in(&mut self, now: Time, name: &str, path: &str, body: &Value) -> Outcome<Value> {
        let id = self.container(name)?.id.clone();
        let Some(container) = self.containers.get_mut(&id) else { return fail(404, "No such container") };
        if container.host["ReadonlyRootfs"].is_true() {
            return fail(400, "container rootfs is marked read-only");
        }
        let files = container.files_mut();
        let mut target = path.to_string();
        let into = body["name"].str();
        if files.is_directory("/", path) {
            if !into.is_empty() {
                target = format!("{}/{into}", path.trim_end_matches('/'));
            }
        } else {
            let parent = path
                .trim_end_matches('/')
                .rsplit_once('/')
                .map_or("/", |(parent, _)| if parent.is_empty() { "/" } else { parent });
            if !files.is_directory("/", parent) {
                return fail(404, format!("Could not find the file {parent} in container {name}"));
            }
        }
        if let Err(text) = unpack(files, now, &target, &body["entries"]) {
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
