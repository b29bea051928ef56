//! Named and unnamed volumes: small file trees that outlive the containers they are mounted in.

use super::filter::{Filters, name_fits};
use super::{Container, Cx, Engine, Failed, Outcome, fail};
use crate::base::http::Request;
use crate::base::{Time, Value};
use crate::map;
use crate::process::Node;

const ANONYMOUS: &str = "com.docker.volume.anonymous";

#[derive(Clone, Debug)]
pub struct Volume {
    pub created: Time,
    pub driver: String,
    pub labels: Value,
    pub options: Value,
    /// Paths below the root of the volume.
    pub content: Vec<(String, Node)>,
    pub filled: bool,
}

/// Where something is mounted in a container.
#[derive(Clone, Debug)]
pub struct Mount {
    /// `volume`, `bind` or `tmpfs`.
    pub kind: String,
    /// The volume's name, or the path on the machine.
    pub source: String,
    pub target: String,
    pub mode: String,
    pub read_only: bool,
    /// Goes with its container (`--rm`, `rm -v`).
    pub anonymous: bool,
    pub no_copy: bool,
}

fn path_of(name: &str) -> String {
    format!("/var/lib/docker/volumes/{name}/_data")
}

impl Mount {
    pub fn inspect(&self) -> Value {
        let mut value = map! {
            "Type" => self.kind.as_str(), "Source" => self.source.as_str(), "Destination" => self.target.as_str(),
            "Mode" => self.mode.as_str(), "RW" => !self.read_only, "Propagation" => if self.kind == "bind" { "rprivate" } else { "" },
        };
        match self.kind.as_str() {
            "volume" => {
                value.set(&["Name"], self.source.as_str());
                value.set(&["Source"], path_of(&self.source));
                value.set(&["Driver"], "local");
            }
            "tmpfs" => value.set(&["Source"], ""),
            _ => {}
        }
        value
    }
}

pub fn no_such(name: &str) -> Failed {
    (404, format!("get {name}: no such volume"))
}

impl Engine {
    fn volume_value(&self, name: &str) -> Option<Value> {
        let volume = self.volumes.get(name)?;
        Some(map! {
            "CreatedAt" => volume.created.rfc3339(), "Driver" => volume.driver.as_str(), "Labels" => &volume.labels,
            "Mountpoint" => path_of(name), "Name" => name, "Options" => &volume.options, "Scope" => "local",
        })
    }

    fn users(&self, name: &str) -> Vec<String> {
        let uses = |c: &&Container| c.mounts.iter().any(|mount| mount.kind == "volume" && mount.source == name);
        self.containers.values().filter(uses).map(|c| c.id.clone()).collect()
    }

    pub(super) fn volume_create(&mut self, cx: &mut Cx<'_>, body: &Value) -> Outcome<Value> {
        let mut name = body["Name"].str().to_string();
        let mut labels = body["Labels"].clone();
        if name.is_empty() {
            name = self.new_id(cx);
            labels.set(&[ANONYMOUS], "");
        }
        self.check_driver(&name, body["Driver"].str())?;
        check_name(&name)?;
        let option_key = |key: &str| matches!(key, "type" | "o" | "device" | "size");
        if let Some(key) = body["DriverOpts"].entries().keys().find(|key| !option_key(key)) {
            return fail(400, format!("create {name}: invalid option: \"{key}\""));
        }
        if !self.volumes.contains_key(&name) {
            let options = &body["DriverOpts"];
            let (mounted, device) = (options.has("type") || options.has("o"), options.has("device"));
            if mounted && !device {
                return fail(400, format!("create {name}: missing required option: \"device\""));
            }
            if device && !options.has("type") {
                return fail(400, format!("create {name}: missing required option: \"type\""));
            }
            if options.has("size") {
                return fail(500, format!("create {name}: quota size requested but no quota support"));
            }
            let options = if options.is_empty() { Value::Null } else { options.clone() };
            self.make_volume(cx, &name, labels, options);
        }
        self.volume_value(&name).ok_or_else(|| no_such(&name))
    }

    /// Where something in a volume is on the machine, and whether it is there.
    pub(super) fn volume_path(&self, name: &str, part: &str) -> (String, bool) {
        let there = self.volumes.get(name).is_some_and(|own| own.content.iter().any(|(path, _)| path == part));
        let path = path_of(name);
        (if part.is_empty() { path } else { format!("{path}/{part}") }, there || part.is_empty())
    }

    /// The path of the machine that a volume stands for.
    pub(super) fn volume_device(&self, name: &str) -> String {
        let options = self.volumes.get(name).map(|own| &own.options);
        let bound = options.filter(|options| options["o"].str().split(',').any(|word| word == "bind"));
        bound.map_or(String::new(), |options| options["device"].str().to_string())
    }

    /// Volumes of other drivers than our own there are none.
    pub(super) fn check_driver(&self, name: &str, driver: &str) -> Outcome<()> {
        if matches!(driver, "" | "local") || self.volumes.contains_key(name) {
            return Ok(());
        }
        fail(404, format!("create {name}: error looking up volume plugin {driver}: plugin \"{driver}\" not found"))
    }

    pub(super) fn make_volume(&mut self, cx: &mut Cx<'_>, name: &str, labels: Value, options: Value) {
        let labels = if labels.is_empty() && !labels.has(ANONYMOUS) { Value::Null } else { labels };
        let volume =
            Volume { created: cx.now, driver: "local".into(), labels, options, content: Vec::new(), filled: false };
        self.volumes.insert(name.to_string(), volume);
        self.event(cx, "volume", "create", name, &[("driver", "local".into())]);
    }

    pub(super) fn volume_inspect(&self, name: &str) -> Outcome<Value> {
        self.volume_value(name).ok_or_else(|| no_such(name))
    }

    pub(super) fn volume_list(&self, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["dangling", "label", "name", "driver"])?;
        let dangling_only = filters.switch("dangling")?;
        let fits = |name: &&String| {
            self.volumes.get(*name).is_some_and(|volume| {
                let dangling = self.users(name).is_empty();
                filters.any("name", |pattern| name_fits(pattern, name))
                    && filters.any("driver", |wanted| wanted == volume.driver)
                    && dangling_only.is_none_or(|wanted| wanted == dangling)
                    && filters.labels(&volume.labels)
            })
        };
        let found = self.volumes.keys().filter(fits).filter_map(|name| self.volume_value(name)).collect();
        Ok(map! { "Volumes" => Value::list(found), "Warnings" => Value::Null })
    }

    pub(super) fn volume_remove(&mut self, cx: &mut Cx<'_>, name: &str, force: bool) -> Outcome<Value> {
        if !self.volumes.contains_key(name) {
            return if force { Ok(Value::Null) } else { Err(no_such(name)) };
        }
        let users = self.users(name);
        if !users.is_empty() {
            return fail(409, format!("remove {name}: volume is in use - [{}]", users.join(", ")));
        }
        self.volumes.remove(name);
        self.event(cx, "volume", "destroy", name, &[("driver", "local".into())]);
        Ok(Value::Null)
    }

    pub(super) fn volume_prune(&mut self, cx: &mut Cx<'_>, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["all", "label", "label!"])?;
        let mut all = false;
        for value in filters.of("all") {
            all |= match value.as_str() {
                "1" | "t" | "T" | "TRUE" | "true" | "True" => true,
                "0" | "f" | "F" | "FALSE" | "false" | "False" => false,
                _ => {
                    let quoted = crate::base::goquote::quote(&value);
                    return fail(
                        400,
                        format!("invalid filter 'all': strconv.ParseBool: parsing {quoted}: invalid syntax"),
                    );
                }
            };
        }
        let gone: Vec<String> = self
            .volumes
            .iter()
            .filter(|(name, volume)| {
                let plain = volume.options.is_empty();
                plain
                    && (all || volume.labels.has(ANONYMOUS))
                    && filters.labels(&volume.labels)
                    && self.users(name).is_empty()
            })
            .map(|(name, _)| name.clone())
            .collect();
        let mut bytes = 0;
        for name in &gone {
            bytes += self.volumes.get(name).map_or(0, Volume::size);
            self.volume_remove(cx, name, false)?;
        }
        self.prune_event(cx, "volume", bytes);
        let gone = Value::list(gone.into_iter().map(Value::from).collect());
        Ok(map! { "VolumesDeleted" => gone, "SpaceReclaimed" => bytes })
    }

    pub(super) fn volumes_usage(&self) -> Vec<Value> {
        let one = |name: &String| {
            let mut value = self.volume_value(name)?;
            let size = self.volumes.get(name).map_or(0, Volume::size);
            value.set(&["UsageData"], map! { "RefCount" => self.users(name).len(), "Size" => size });
            Some(value)
        };
        self.volumes.keys().filter_map(one).collect()
    }

    /// Takes away the unnamed volumes of a container that is gone.
    pub(super) fn drop_anonymous(&mut self, cx: &mut Cx<'_>, mounts: &[Mount]) {
        for mount in mounts.iter().filter(|mount| mount.anonymous) {
            let _ = self.volume_remove(cx, &mount.source, true);
        }
    }

    /// Puts what is mounted into a container's files as it stands now.
    pub(super) fn mount_all(&mut self, id: &str, now: Time) {
        let Some(container) = self.containers.get_mut(id) else { return };
        let mounts = container.mounts.clone();
        for mount in mounts.iter().filter(|mount| mount.kind != "tmpfs") {
            let content = match mount.kind.as_str() {
                "bind" => subtree(&self.host, &mount.source),
                _ => {
                    let Some(volume) = self.volumes.get_mut(&mount.source) else { continue };
                    // A volume used for the first time takes over what the image has there.
                    if !volume.filled {
                        volume.filled = true;
                        if !mount.no_copy && volume.content.is_empty() {
                            volume.content = subtree(container.files(), &mount.target);
                        }
                    }
                    volume.content.clone()
                }
            };
            let files = container.files_mut();
            if subtree(files, &mount.target) != content {
                files.unmount(&mount.target);
                files.mount(&mount.target, Node::Directory { modified: now, read_only: mount.read_only });
                for (path, node) in &content {
                    let path = if path.is_empty() { mount.target.clone() } else { format!("{}/{path}", mount.target) };
                    files.mount(&path, with_lock(node, mount.read_only));
                }
            } else if !files.exists("/", &mount.target) {
                files.mount(&mount.target, Node::Directory { modified: now, read_only: mount.read_only });
            }
        }
    }

    /// Takes what a container wrote below its mounts back to where it belongs.
    pub(super) fn unmount_all(&mut self, id: &str) {
        let Some(container) = self.containers.get(id) else { return };
        let mut changed = false;
        for mount in container.mounts.iter().filter(|mount| !mount.read_only) {
            let content = subtree(container.files(), &mount.target);
            match mount.kind.as_str() {
                "volume" => {
                    if let Some(volume) = self.volumes.get_mut(&mount.source).filter(|v| v.content != content) {
                        volume.content = content;
                    }
                }
                "bind" => {
                    let before = subtree(&self.host, &mount.source);
                    if before == content {
                        continue;
                    }
                    changed = true;
                    for (path, _) in before.iter().rev().filter(|(path, _)| !content.iter().any(|(own, _)| own == path))
                    {
                        let _ = self.host.remove("/", &joined(&mount.source, path));
                    }
                    for (path, node) in content {
                        self.host.mount(&joined(&mount.source, &path), node);
                    }
                }
                _ => {}
            }
        }
        self.host_changed |= changed;
    }
}

impl Volume {
    fn size(&self) -> i64 {
        let of = |node: &Node| if let Node::File { content, .. } = node { content.len() as i64 } else { 0 };
        self.content.iter().map(|(_, node)| of(node)).sum()
    }
}

fn joined(root: &str, path: &str) -> String {
    if path.is_empty() { root.to_string() } else { format!("{}/{path}", root.trim_end_matches('/')) }
}

fn with_lock(node: &Node, lock: bool) -> Node {
    let mut node = node.clone();
    match &mut node {
        Node::Directory { read_only, .. } | Node::File { read_only, .. } => *read_only = lock,
        Node::Link { .. } => {}
    }
    node
}

/// Everything below a path, by relative path; a file is itself under the empty path.
pub fn subtree(files: &crate::process::Files, root: &str) -> Vec<(String, Node)> {
    let root = files.resolve("/", root).unwrap_or_else(|_| root.to_string());
    if let Ok(node @ Node::File { .. }) = files.node("/", &root) {
        return vec![(String::new(), with_lock(node, false))];
    }
    files.below(&root).map(|(path, node)| (path.to_string(), with_lock(node, false))).collect()
}

pub fn check_name(name: &str) -> Outcome<()> {
    let good = name.len() >= 2
        && name.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'));
    if good {
        return Ok(());
    }
    if name.len() == 1 {
        return fail(
            400,
            format!("create {name}: volume name is too short, names should be at least two alphanumeric characters"),
        );
    }
    fail(
        400,
        format!(
            "create {name}: \"{name}\" includes invalid characters for a local volume name, only \"[a-zA-Z0-9][a-zA-Z0-9_.-]\" are allowed. If you intended to pass a host directory, use absolute path"
        ),
    )
}
