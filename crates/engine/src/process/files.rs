//! A small file system in memory: directories, regular files, symbolic links. Paths are absolute after `resolve`.
//! No owners and no devices; sizes are limited, and reaching the limit is "No space left on device".

use crate::base::BTreeMap;
use std::sync::Arc;

use crate::base::Time;

pub const TOTAL_LIMIT: usize = 16 << 20;
const NODES_LIMIT: usize = 20_000;
const LINKS_LIMIT: usize = 16;

#[derive(Clone, Debug, PartialEq)]
pub struct Files {
    /// Shared until somebody writes.
    nodes: Arc<BTreeMap<String, Node>>,
    bytes: usize,
    /// Why what is read-only cannot be written.
    refusal: FileError,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Directory { modified: Time, read_only: bool },
    File { content: Arc<Vec<u8>>, modified: Time, mode: u32, read_only: bool },
    Link { to: String },
}

/// The texts of errno as programs print them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    NotFound,
    IsDirectory,
    NotDirectory,
    Exists,
    NotEmpty,
    ReadOnly,
    Denied,
    NoSpace,
    Loop,
    TooLong,
}

impl FileError {
    pub fn text(self) -> &'static str {
        match self {
            FileError::NotFound => "No such file or directory",
            FileError::IsDirectory => "Is a directory",
            FileError::NotDirectory => "Not a directory",
            FileError::Exists => "File exists",
            FileError::NotEmpty => "Directory not empty",
            FileError::ReadOnly => "Read-only file system",
            FileError::Denied => "Permission denied",
            FileError::NoSpace => "No space left on device",
            FileError::Loop => "Too many levels of symbolic links",
            FileError::TooLong => "File name too long",
        }
    }
}

impl Default for Files {
    fn default() -> Files {
        let root = Node::Directory { modified: Time::default(), read_only: false };
        Files { nodes: Arc::new(BTreeMap::from([("/".to_string(), root)])), bytes: 0, refusal: FileError::ReadOnly }
    }
}

/// Joins and cleans a path: no `.`, `..`, `//` or trailing `/` is left.
pub fn clean(cwd: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { cwd };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(at) => &path[..at],
    }
}

impl Files {
    /// The absolute path with every link on the way followed; the last part need not exist.
    pub fn resolve(&self, cwd: &str, path: &str) -> Result<String, FileError> {
        if path.len() > 4096 {
            return Err(FileError::TooLong);
        }
        let mut full = clean(cwd, path);
        for _ in 0..LINKS_LIMIT {
            match self.first_link(&full) {
                None => return Ok(full),
                Some((at, to)) => {
                    let target = clean(parent(&full[..at]), to);
                    full = clean(&target, full[at..].trim_start_matches('/'));
                }
            }
        }
        Err(FileError::Loop)
    }

    /// The first link on a clean path: where its name ends, and where it points.
    fn first_link(&self, full: &str) -> Option<(usize, &str)> {
        let ends = full.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0).chain([full.len()]);
        ends.into_iter().find_map(|at| match self.nodes.get(&full[..at]) {
            Some(Node::Link { to }) => Some((at, to.as_str())),
            _ => None,
        })
    }

    /// The node at a path, links followed.
    pub fn node(&self, cwd: &str, path: &str) -> Result<&Node, FileError> {
        let full = self.resolve(cwd, path)?;
        match self.nodes.get(&full) {
            Some(Node::File { .. }) if path.ends_with('/') => Err(FileError::NotDirectory),
            Some(node) => Ok(node),
            None if matches!(self.nodes.get(parent(&full)), Some(Node::File { .. })) => Err(FileError::NotDirectory),
            None => Err(FileError::NotFound),
        }
    }

    pub fn exists(&self, cwd: &str, path: &str) -> bool {
        self.node(cwd, path).is_ok()
    }

    pub fn is_directory(&self, cwd: &str, path: &str) -> bool {
        matches!(self.node(cwd, path), Ok(Node::Directory { .. }))
    }

    pub fn read(&self, cwd: &str, path: &str) -> Result<Arc<Vec<u8>>, FileError> {
        match self.node(cwd, path)? {
            Node::File { content, .. } => Ok(content.clone()),
            Node::Directory { .. } => Err(FileError::IsDirectory),
            Node::Link { .. } => Err(FileError::Loop),
        }
    }

    pub fn read_text(&self, cwd: &str, path: &str) -> Result<String, FileError> {
        Ok(String::from_utf8_lossy(&self.read(cwd, path)?).into_owned())
    }

    pub fn write(&mut self, now: Time, cwd: &str, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        self.put(now, cwd, path, bytes, false)
    }

    pub fn append(&mut self, now: Time, cwd: &str, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        self.put(now, cwd, path, bytes, true)
    }

    fn put(&mut self, now: Time, cwd: &str, path: &str, bytes: &[u8], append: bool) -> Result<(), FileError> {
        let full = self.resolve(cwd, path)?;
        self.check_parent(&full)?;
        let (old, mode) = match self.nodes.get(&full) {
            Some(Node::Directory { .. }) => return Err(FileError::IsDirectory),
            Some(Node::File { read_only: true, .. }) => return Err(self.refusal),
            Some(Node::File { content, mode, .. }) => (content.clone(), *mode),
            _ => (Arc::default(), 0o644),
        };
        let new_size = bytes.len() + if append { old.len() } else { 0 };
        if self.bytes + new_size > TOTAL_LIMIT + old.len() || self.nodes.len() >= NODES_LIMIT {
            return Err(FileError::NoSpace);
        }
        self.bytes = self.bytes + new_size - old.len();
        let content = if append {
            Arc::make_mut(&mut self.nodes).remove(&full);
            let mut content = old;
            Arc::make_mut(&mut content).extend_from_slice(bytes);
            content
        } else {
            Arc::new(bytes.to_vec())
        };
        Arc::make_mut(&mut self.nodes).insert(full, Node::File { content, modified: now, mode, read_only: false });
        Ok(())
    }

    fn check_parent(&self, full: &str) -> Result<(), FileError> {
        match self.nodes.get(parent(full)) {
            Some(Node::Directory { read_only: false, .. }) => Ok(()),
            Some(Node::Directory { .. }) => Err(self.refusal),
            Some(_) => Err(FileError::NotDirectory),
            None => Err(FileError::NotFound),
        }
    }

    pub fn make_directory(&mut self, now: Time, cwd: &str, path: &str) -> Result<(), FileError> {
        let full = self.resolve(cwd, path)?;
        if self.nodes.contains_key(&full) {
            return Err(FileError::Exists);
        }
        self.check_parent(&full)?;
        if self.nodes.len() >= NODES_LIMIT {
            return Err(FileError::NoSpace);
        }
        Arc::make_mut(&mut self.nodes).insert(full, Node::Directory { modified: now, read_only: false });
        Ok(())
    }

    /// `mkdir -p`
    pub fn make_directories(&mut self, now: Time, cwd: &str, path: &str) -> Result<(), FileError> {
        let full = self.resolve(cwd, path)?;
        let ends: Vec<usize> =
            full.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0).chain([full.len()]).collect();
        for end in ends {
            match self.make_directory(now, "/", &full[..end]) {
                Err(FileError::Exists) if self.is_directory("/", &full[..end]) => {}
                other => other?,
            }
        }
        Ok(())
    }

    pub fn link(&mut self, cwd: &str, path: &str, to: &str) -> Result<(), FileError> {
        let full = clean(cwd, path);
        if self.nodes.contains_key(&full) {
            return Err(FileError::Exists);
        }
        self.check_parent(&full)?;
        Arc::make_mut(&mut self.nodes).insert(full, Node::Link { to: to.to_string() });
        Ok(())
    }

    /// Removes a file, a link or an empty directory.
    pub fn remove(&mut self, cwd: &str, path: &str) -> Result<(), FileError> {
        let full = self.without_last_link(cwd, path)?;
        self.check_parent(&full)?;
        match self.nodes.get(&full) {
            None => return Err(FileError::NotFound),
            Some(Node::Directory { .. }) if self.children(&full).next().is_some() => return Err(FileError::NotEmpty),
            Some(Node::Directory { read_only: true, .. } | Node::File { read_only: true, .. }) => {
                return Err(self.refusal);
            }
            Some(_) => {}
        }
        if let Some(Node::File { content, .. }) = Arc::make_mut(&mut self.nodes).remove(&full) {
            self.bytes -= content.len();
        }
        Ok(())
    }

    /// `rm -r`
    pub fn remove_all(&mut self, cwd: &str, path: &str) -> Result<(), FileError> {
        let full = self.without_last_link(cwd, path)?;
        let prefix = format!("{}/", full.trim_end_matches('/'));
        let below: Vec<String> =
            self.nodes.range(prefix.clone()..).map(|(p, _)| p.clone()).take_while(|p| p.starts_with(&prefix)).collect();
        for path in below.iter().rev() {
            self.remove("/", path)?;
        }
        self.remove("/", &full)
    }

    /// Follows links of the directory part only.
    fn without_last_link(&self, cwd: &str, path: &str) -> Result<String, FileError> {
        let full = clean(cwd, path);
        let directory = self.resolve("/", parent(&full))?;
        let name = full.rsplit('/').next().unwrap_or_default();
        Ok(clean(&directory, name))
    }

    /// Names directly inside a directory, sorted.
    pub fn list(&self, cwd: &str, path: &str) -> Result<Vec<String>, FileError> {
        let full = self.resolve(cwd, path)?;
        match self.nodes.get(&full) {
            None => Err(FileError::NotFound),
            Some(Node::Directory { .. }) => Ok(self.children(&full).map(str::to_string).collect()),
            Some(_) => Err(FileError::NotDirectory),
        }
    }

    fn children<'a>(&'a self, full: &str) -> impl Iterator<Item = &'a str> + 'a {
        let prefix = format!("{}/", full.trim_end_matches('/'));
        let start = prefix.clone();
        self.nodes
            .range(start..)
            .map(|(path, _)| path.as_str())
            .take_while({
                let prefix = prefix.clone();
                move |path| path.starts_with(&prefix)
            })
            .filter_map(move |path| path.get(prefix.len()..).filter(|rest| !rest.is_empty() && !rest.contains('/')))
    }

    pub fn set_mode(&mut self, cwd: &str, path: &str, new: u32) -> Result<(), FileError> {
        let full = self.resolve(cwd, path)?;
        match Arc::make_mut(&mut self.nodes).get_mut(&full) {
            Some(Node::File { mode, .. }) => {
                *mode = new;
                Ok(())
            }
            Some(_) => Ok(()),
            None => Err(FileError::NotFound),
        }
    }

    /// Puts a node where it belongs whatever its parents are (mounts, images); parents are made.
    pub fn mount(&mut self, path: &str, node: Node) {
        let full = self.without_last_link("/", path).unwrap_or_else(|_| clean("/", path));
        let ends: Vec<usize> = full.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0).collect();
        for end in ends {
            let directory = Node::Directory { modified: Time::default(), read_only: false };
            Arc::make_mut(&mut self.nodes).entry(full[..end].to_string()).or_insert(directory);
        }
        if let Node::File { content, .. } = &node {
            self.bytes += content.len();
        }
        if let Some(Node::File { content, .. }) = Arc::make_mut(&mut self.nodes).insert(full, node) {
            self.bytes -= content.len();
        }
    }

    /// Takes a mounted node and all below it away, read-only or not.
    pub fn unmount(&mut self, path: &str) {
        let full = self.without_last_link("/", path).unwrap_or_else(|_| clean("/", path));
        let prefix = format!("{}/", full.trim_end_matches('/'));
        let below = self.nodes.range(prefix.clone()..).map(|(path, _)| path);
        let below = below.take_while(|path| path.starts_with(&prefix)).cloned();
        let gone: Vec<String> = below.chain(self.nodes.get(&full).map(|_| full.clone())).collect();
        for path in gone {
            if let Some(Node::File { content, .. }) = Arc::make_mut(&mut self.nodes).remove(&path) {
                self.bytes -= content.len();
            }
        }
    }

    /// The node at a path itself: a link at its end is not followed.
    pub fn raw(&self, cwd: &str, path: &str) -> Option<&Node> {
        self.nodes.get(&self.without_last_link(cwd, path).ok()?)
    }

    pub fn is_link(&self, cwd: &str, path: &str) -> bool {
        matches!(self.raw(cwd, path), Some(Node::Link { .. }))
    }

    /// Makes everything read-only but these directories and what is below them.
    pub fn close(&mut self, refusal: FileError, but: &[&str]) {
        self.refusal = refusal;
        let open = |path: &str| {
            but.iter().any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        };
        for (_, node) in Arc::make_mut(&mut self.nodes).iter_mut().filter(|(path, _)| !open(path)) {
            match node {
                Node::Directory { read_only, .. } | Node::File { read_only, .. } => *read_only = true,
                Node::Link { .. } => {}
            }
        }
    }

    /// Everything below a directory, by the path from there.
    pub fn below<'a>(&'a self, path: &str) -> impl Iterator<Item = (&'a str, &'a Node)> + use<'a> {
        let full = self.resolve("/", path).unwrap_or_else(|_| clean("/", path));
        let prefix = format!("{}/", full.trim_end_matches('/'));
        let all = self.nodes.range(prefix.clone()..);
        all.map_while(move |(path, node)| Some((path.strip_prefix(&prefix)?, node)))
            .filter(|(path, _)| !path.is_empty())
    }

    /// Every path with its node, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Node)> {
        self.nodes.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_with_links() {
        let mut files = Files::default();
        let now = Time::default();
        files.make_directories(now, "/", "/etc/nginx/conf.d").unwrap();
        files.write(now, "/etc/nginx", "a.conf", b"hello").unwrap();
        files.link("/", "/etc/alias", "nginx").unwrap();
        assert_eq!(files.read_text("/", "/etc/alias/a.conf").unwrap(), "hello");
        files.append(now, "/", "/etc/alias/a.conf", b"!").unwrap();
        assert_eq!(files.read_text("/etc", "nginx/../alias/./a.conf").unwrap(), "hello!");
        assert_eq!(files.list("/", "/etc").unwrap(), ["alias", "nginx"]);
        assert_eq!(files.remove("/", "/etc/nginx"), Err(FileError::NotEmpty));
        files.remove("/", "/etc/alias").unwrap();
        files.remove_all("/", "/etc/nginx").unwrap();
        assert!(files.list("/", "/etc").unwrap().is_empty());
        files.link("/", "/loop", "loop").unwrap();
        assert_eq!(files.read("/", "/loop/x"), Err(FileError::Loop));
        assert_eq!(files.write(now, "/", "/big", &vec![0; TOTAL_LIMIT + 1]), Err(FileError::NoSpace));
        assert_eq!(files.bytes, 0);
    }
}
