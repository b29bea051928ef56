//! The local store of images (the classic one: an image's id is the digest of its configuration). Every image here has
//! one layer, shared within a family of images.
//!
//! Not simulated: pushing, building, platforms other than linux/amd64.

use super::filter::Filters;
use super::wire::{self, short};
use super::{Cx, Engine, Failed, Outcome, fail};
use crate::base::http::Request;
use crate::base::{Span, Time, Value};
use crate::map;
use crate::process::Files;
use crate::runtime::{self, Image, Reference, hex64};

/// Images of the machine the recordings were made on, newest first; their bytes on disk are those of its images.
const KNOWN: [(&str, i64); 10] = [
    ("busybox:1.36", 3_012_000),
    ("busybox:1.35", 3_012_000),
    ("busybox:1.37", 3_012_000),
    ("busybox:latest", 3_012_000),
    ("alpine:3.20", 3_012_000),
    ("nginx:1.29.0", 10_670_000),
    ("nginx:1.28", 10_670_000),
    ("nginx:1.26", 10_670_000),
    ("nginx:1.25", 10_670_000),
    ("curlimages/curl:8.10.1", 19_900_000),
];
const CREATED: Time = Time::from_seconds(1_735_689_600);
/// Begins the file that `save` writes; what follows is a key of the Engine's.
const ARCHIVE: &str = "drydock image archive ";
const PATH: &str = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// An image in the store.
#[derive(Clone, Debug)]
pub struct Local {
    pub id: String,
    /// As people write them: `nginx:1.29.0`.
    pub tags: Vec<String>,
    pub digests: Vec<String>,
    pub image: Image,
    pub created: Time,
    pub size: i64,
    pub layer: String,
    /// What `commit` made of a container, on top of the image it came from.
    pub committed: Option<Box<Committed>>,
}

#[derive(Clone, Debug)]
pub struct Committed {
    pub config: Value,
    pub files: Files,
    pub layer: String,
    pub written: i64,
    pub by: String,
    pub comment: String,
    pub author: String,
    pub from: Local,
}

/// `docker.io/library/nginx` as people write it.
pub fn familiar(repository: &str) -> &str {
    let name = repository.strip_prefix("docker.io/").unwrap_or(repository);
    name.strip_prefix("library/").unwrap_or(name)
}

impl Local {
    pub(super) fn new(image: Image) -> Local {
        let repository = image.reference.repository();
        let name = familiar(&repository).to_string();
        let tag = format!("{name}:{}", image.reference.tag);
        let rank = KNOWN.iter().position(|(known, _)| *known == tag);
        let same = KNOWN.iter().find(|(known, _)| known.split(':').next() == Some(name.as_str()));
        let size = same.map_or(image.size as i64 * 5 / 2, |(_, size)| *size);
        let family = if matches!(name.as_str(), "busybox" | "alpine") { "busybox" } else { &name };
        Local {
            id: format!("sha256:{}", hex64(&format!("config {repository} {}", image.digest))),
            tags: if image.reference.tag.is_empty() { Vec::new() } else { vec![tag] },
            digests: vec![format!("{name}@{}", image.digest)],
            created: Time(CREATED.0 - Span::seconds(rank.unwrap_or(20) as i64).0),
            size,
            layer: hex64(&format!("layer {family}")),
            committed: None,
            image,
        }
    }

    /// The variables its containers start with.
    pub fn env(&self) -> Vec<String> {
        let mut env = vec![PATH.to_string()];
        env.extend(runtime::image_env(&self.image).into_iter().map(|(name, value)| format!("{name}={value}")));
        env
    }

    /// The image's part of a container's configuration.
    pub fn config(&self) -> Value {
        if let Some(committed) = &self.committed {
            return committed.config.clone();
        }
        let words = |words: &[crate::base::SmolStr]| -> Value {
            if words.is_empty() { Value::Null } else { Value::list(words.iter().map(Value::from).collect()) }
        };
        let env: Vec<Value> = self.env().into_iter().map(Value::from).collect();
        let mut config = map! {
            "Hostname" => "", "Domainname" => "", "User" => self.user(), "AttachStdin" => false, "AttachStdout" => false,
            "AttachStderr" => false, "Tty" => false, "OpenStdin" => false, "StdinOnce" => false, "Env" => env,
            "Cmd" => words(&self.image.command), "Image" => "", "Volumes" => self.volumes(), "WorkingDir" => "", "Entrypoint" =>
            words(&self.image.entrypoint), "OnBuild" => Value::Null, "Labels" => Value::Null,
        };
        if !self.image.ports.is_empty() {
            for port in &self.image.ports {
                config.set(&["ExposedPorts", &format!("{port}/tcp")], Value::empty_map());
            }
        }
        if self.image.stop_signal != "SIGTERM" {
            config.set(&["StopSignal"], &self.image.stop_signal);
        }
        config
    }

    /// The lowest first.
    pub fn layers(&self) -> Vec<String> {
        match &self.committed {
            Some(committed) if committed.layer.is_empty() => committed.from.layers(),
            Some(committed) => [committed.from.layers(), vec![committed.layer.clone()]].concat(),
            None => vec![self.layer.clone()],
        }
    }

    fn user(&self) -> &str {
        if self.image.user == 0 { "" } else { &self.image.user_name }
    }

    fn volumes(&self) -> Value {
        let path = match self.image.reference.path.as_str() {
            "library/redis" => "/data",
            "library/postgres" => "/var/lib/postgresql/data",
            "library/mysql" | "library/mariadb" => "/var/lib/mysql",
            "library/mongo" => "/data/db",
            _ => return Value::Null,
        };
        map! { path => Value::empty_map() }
    }

    fn summary(&self) -> Value {
        let texts = |texts: &[String]| {
            // By their names in full.
            let full = |tag: &String| Reference::parse(tag).map_or_else(|_| tag.clone(), |reference| reference.full());
            let mut sorted: Vec<&String> = texts.iter().collect();
            sorted.sort_by_key(|tag| full(tag));
            Value::list(sorted.into_iter().map(Value::from).collect())
        };
        map! {
            "Containers" => -1, "Created" => self.created.as_seconds(), "Id" => &self.id, "Labels" => Value::Null,
            "ParentId" => "", "RepoDigests" => texts(&self.digests), "RepoTags" => texts(&self.tags),
            "SharedSize" => -1, "Size" => self.size,
        }
    }

    fn inspect(&self) -> Value {
        let mut value = self.summary();
        for gone in ["Containers", "Labels", "ParentId", "SharedSize"] {
            value.remove(&[gone]);
        }
        // Of a container's configuration an image has only what it says.
        const SAID: [&str; 11] = [
            "User",
            "ExposedPorts",
            "Env",
            "Entrypoint",
            "Cmd",
            "Volumes",
            "WorkingDir",
            "Labels",
            "StopSignal",
            "Healthcheck",
            "OnBuild",
        ];
        let mut config = self.config();
        config.map_mut().retain(|key, value| SAID.contains(&key) && !value.is_empty());
        for key in ["Cmd", "Entrypoint", "Env", "Labels", "OnBuild", "User", "Volumes", "WorkingDir"] {
            if !config.has(key) {
                config.set(&[key], if matches!(key, "User" | "WorkingDir") { Value::from("") } else { Value::Null });
            }
        }
        let id = hex64(&format!("cache {}", self.layer));
        let layers = self.layers().iter().map(|layer| format!("sha256:{layer}").into()).collect();
        let under = |part: &str| format!("/var/lib/docker/overlay2/{id}/{part}");
        for (key, part) in [
            ("Parent", Value::from("")),
            ("Comment", self.committed.as_ref().map_or("buildkit.dockerfile.v0", |own| own.comment.as_str()).into()),
            ("Created", wire::stamp(Some(self.created)).into()),
            ("DockerVersion", "".into()),
            ("Author", self.committed.as_ref().map_or("", |own| own.author.as_str()).into()),
            ("Config", config),
            ("Architecture", "amd64".into()),
            ("Os", "linux".into()),
            (
                "GraphDriver",
                map! { "Data" => map! { "MergedDir" => under("merged"), "UpperDir" => under("diff"), "WorkDir" => under("work") },
                "Name" => "overlay2" },
            ),
            ("RootFS", map! { "Type" => "layers", "Layers" => Value::list(layers) }),
            ("Metadata", map! { "LastTagTime" => wire::stamp(None) }),
        ] {
            value.set(&[key], part);
        }
        value
    }
}

/// An image of ours is asked for as one of another platform.
pub fn other_platform(name: &str, platform: &str) -> String {
    let full = Reference::parse(name)
        .map(|reference| format!("{}:{}", familiar(&reference.repository()), reference.tag))
        .unwrap_or_else(|_| name.to_string());
    format!(
        "image with reference {full} was found but its platform (linux/amd64) does not match the specified platform ({platform})"
    )
}

pub fn no_such(name: &str) -> Failed {
    let full = match Reference::parse(name) {
        Ok(reference) if reference.digest.is_empty() => {
            format!("{}:{}", familiar(&reference.repository()), reference.tag)
        }
        _ => name.to_string(),
    };
    (404, format!("No such image: {full}"))
}

impl Engine {
    /// Puts images into the store as if they had been pulled before.
    pub fn preload(&mut self, names: &[&str]) {
        for name in names {
            if let Ok(image) = Reference::parse(name).map_err(|_| ()).and_then(|r| runtime::find(&r).map_err(|_| ())) {
                self.images.push(Local::new(image));
            }
        }
    }

    /// The place of an image by name or id.
    pub fn find_image(&self, name: &str) -> Option<usize> {
        if let Ok(reference) = Reference::parse(name) {
            let plain = familiar(&reference.repository()).to_string();
            let digest = format!("{plain}@{}", reference.digest);
            let tag = format!("{plain}:{}", reference.tag);
            let by_name = self.images.iter().position(|image| match reference.digest.is_empty() {
                true => image.tags.contains(&tag),
                false => image.digests.contains(&digest),
            });
            if by_name.is_some() {
                return by_name;
            }
        }
        let hex = name.strip_prefix("sha256:").unwrap_or(name);
        let is_hex = hex.len() >= 2 && hex.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hex {
            return None;
        }
        let mut fitting =
            self.images.iter().enumerate().filter(|(_, i)| i.id.get(7..).is_some_and(|id| id.starts_with(hex)));
        fitting.next().map(|(at, _)| at).filter(|_| fitting.next().is_none())
    }

    pub(super) fn image(&self, name: &str) -> Outcome<&Local> {
        self.find_image(name).and_then(|at| self.images.get(at)).ok_or_else(|| no_such(name))
    }

    pub(super) fn image_inspect(&self, name: &str) -> Outcome<Value> {
        Ok(self.image(name)?.inspect())
    }

    pub(super) fn image_list(&self, now: Time, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["reference", "dangling", "label", "before", "since", "until"])?;
        let (dangling_only, until) = (filters.switch("dangling")?, filters.until(now)?);
        if filters.of("reference").iter().any(|pattern| pattern.contains('[') && !pattern.contains(']')) {
            return fail(400, "syntax error in pattern");
        }
        let mut found: Vec<&Local> = self.images.iter().collect();
        found.sort_by_key(|image| std::cmp::Reverse(image.created));
        let created = |name: &str| self.image(name).map(|image| image.created);
        for (key, before) in [("before", true), ("since", false)] {
            for name in filters.of(key) {
                let at = created(&name)?;
                found.retain(|image| if before { image.created < at } else { image.created > at });
            }
        }
        let mut out = Vec::new();
        for image in found {
            let mut image = image.clone();
            let patterns = filters.of("reference");
            if !patterns.is_empty() {
                image.tags.retain(|tag| patterns.iter().any(|pattern| reference_fits(pattern, tag)));
                image.digests.retain(|digest| {
                    let name = digest.split('@').next().unwrap_or_default();
                    patterns.iter().any(|pattern| reference_fits(pattern, &format!("{name}:")))
                });
                if image.tags.is_empty() {
                    continue;
                }
            }
            let dangling = image.tags.is_empty();
            let old = until.is_none_or(|until| image.created <= until);
            if dangling_only.is_some_and(|wanted| wanted != dangling)
                || !filters.labels(&image.config()["Labels"])
                || !old
            {
                continue;
            }
            out.push(image.summary());
        }
        Ok(Value::list(out))
    }

    pub(super) fn image_history(&self, name: &str) -> Outcome<Value> {
        let mut image = self.image(name)?;
        let mut rows = Vec::new();
        loop {
            let tags = Value::list(image.tags.iter().map(Value::from).collect());
            let here = rows.is_empty() || self.images.iter().any(|own| own.id == image.id);
            let id = if here { image.id.as_str() } else { "<missing>" };
            let repository = image.image.reference.path.rsplit('/').next().unwrap_or_default().to_string();
            let (by, size, comment) = match &image.committed {
                Some(own) => (own.by.clone(), own.written, own.comment.as_str()),
                None => {
                    let by = format!("COPY {repository}-{} / # buildkit", image.image.reference.tag);
                    (by, image.size, "buildkit.dockerfile.v0")
                }
            };
            rows.push(map! {
                "Comment" => comment, "Created" => image.created.as_seconds(), "CreatedBy" => by, "Id" => id,
                "Size" => size, "Tags" => if rows.is_empty() { tags } else { Value::Null },
            });
            match &image.committed {
                Some(own) => image = &own.from,
                None => return Ok(Value::list(rows)),
            }
        }
    }

    /// Images put aside for an archive: the text that stands for them in its file.
    pub(super) fn image_save(&mut self, cx: &mut Cx<'_>, request: &Request) -> Outcome<Value> {
        let mut saved = Vec::new();
        let all = request.query.iter().filter(|(key, _)| key == "names").flat_map(|(_, names)| names.split(','));
        let platform = request.query("platform");
        for name in all {
            let Some(mut image) = self.find_image(name).and_then(|at| self.images.get(at)).cloned() else {
                return fail(404, format!("No such image: {name}"));
            };
            if !super::check::is_own_platform(platform) {
                return fail(404, format!("no suitable export target found for platform {platform}"));
            }
            let by_tag =
                Reference::parse(name).map(|r| format!("{}:{}", familiar(&r.repository()), r.tag)).unwrap_or_default();
            image.tags.retain(|tag| *tag == by_tag);
            saved.push(image);
        }
        for image in &saved {
            let id = image.id.clone();
            self.image_event(cx, "save", &id, &id);
        }
        let key = self.new_id(cx);
        self.saved.insert(key.clone(), saved);
        Ok(format!("{ARCHIVE}{key}\n").into())
    }

    pub(super) fn image_load(&mut self, cx: &mut Cx<'_>, text: &str) -> Outcome<Value> {
        let key = text.trim().strip_prefix(ARCHIVE.trim_end()).map(str::trim).unwrap_or_default();
        let Some(images) = self.saved.get(key).cloned() else { return fail(500, "archive/tar: invalid tar header") };
        let mut loaded = Vec::new();
        for image in images {
            let names = image.tags.clone();
            for other in &mut self.images {
                other.tags.retain(|own| !names.contains(own));
            }
            match self.images.iter_mut().find(|own| own.id == image.id) {
                Some(own) => own.tags.extend(names.clone()),
                None => self.images.push(Local { digests: Vec::new(), ..image.clone() }),
            }
            self.image_event(cx, "load", &image.id, &image.id);
            if names.is_empty() {
                loaded.push(Value::from(format!("Loaded image ID: {}", image.id)));
            }
            loaded.extend(names.iter().map(|name| Value::from(format!("Loaded image: {name}"))));
        }
        Ok(Value::list(loaded))
    }

    pub(super) fn image_tag(&mut self, cx: &mut Cx<'_>, name: &str, repository: &str, tag: &str) -> Outcome<Value> {
        let at = self.find_image(name).ok_or_else(|| no_such(name))?;
        let full = if tag.is_empty() { repository.to_string() } else { format!("{repository}:{tag}") };
        let reference = Reference::parse(&full).map_err(|error| (400, error))?;
        let tag = format!("{}:{}", familiar(&reference.repository()), reference.tag);
        for image in &mut self.images {
            image.tags.retain(|own| *own != tag);
        }
        let Some(image) = self.images.get_mut(at) else { return Err(no_such(name)) };
        image.tags.push(tag.clone());
        let id = image.id.clone();
        self.image_event(cx, "tag", &id, &tag);
        Ok(Value::Null)
    }

    /// Untags or deletes; what happened, as the API tells it.
    pub(super) fn image_remove(&mut self, cx: &mut Cx<'_>, name: &str, force: bool) -> Outcome<Value> {
        if name.is_empty() {
            return fail(404, "page not found");
        }
        if let Err(error) = Reference::parse(name)
            && !name.trim_start_matches("sha256:").bytes().all(|b| b.is_ascii_hexdigit())
        {
            return fail(400, error);
        }
        let at = self.find_image(name).ok_or_else(|| no_such(name))?;
        let Some(image) = self.images.get(at).cloned() else { return Err(no_such(name)) };
        let by_id = !Reference::parse(name).is_ok_and(|reference| {
            let plain = format!("{}:{}", familiar(&reference.repository()), reference.tag);
            image.tags.contains(&plain) || !reference.digest.is_empty()
        });
        let short_id = short(&image.id).to_string();
        let users: Vec<(String, bool)> = self
            .containers
            .values()
            .filter(|c| c.image_id == image.id)
            .map(|c| (short(&c.id).to_string(), c.is_running()))
            .collect();
        let mut done = Vec::new();
        if by_id {
            if image.tags.len() > 1 && !force {
                let text = format!(
                    "conflict: unable to delete {short_id} (must be forced) - image is referenced in multiple repositories"
                );
                return fail(409, text);
            }
            if let Some((id, _)) = users.iter().find(|(_, running)| *running) {
                let text = format!(
                    "conflict: unable to delete {short_id} (cannot be forced) - image is being used by running container {id}"
                );
                return fail(409, text);
            }
            if let Some((id, _)) = users.first().filter(|_| !force) {
                let text = format!(
                    "conflict: unable to delete {short_id} (must be forced) - image is being used by stopped container {id}"
                );
                return fail(409, text);
            }
        } else {
            let reference = Reference::parse(name).map_err(|error| (400, error))?;
            let tag = format!("{}:{}", familiar(&reference.repository()), reference.tag);
            if image.tags.len() <= 1
                && let Some((id, _)) = users.first().filter(|_| !force)
            {
                let text = format!(
                    "conflict: unable to remove repository reference \"{name}\" (must force) - container {id} is using its referenced image {short_id}"
                );
                return fail(409, text);
            }
            let Some(own) = self.images.get_mut(at) else { return Err(no_such(name)) };
            own.tags.retain(|other| *other != tag);
            let rest = own.tags.clone();
            done.push(map! { "Untagged" => &tag });
            self.image_event(cx, "untag", &image.id, &image.id);
            let repository = tag.rsplit_once(':').map_or(tag.as_str(), |(name, _)| name);
            let is_of = |other: &String| other.rsplit_once(':').is_some_and(|(name, _)| name == repository);
            if !rest.iter().any(is_of) {
                let prefix = format!("{repository}@");
                if let Some(own) = self.images.get_mut(at) {
                    for digest in own.digests.iter().filter(|d| d.starts_with(&prefix)) {
                        done.push(map! { "Untagged" => digest });
                    }
                    own.digests.retain(|d| !d.starts_with(&prefix));
                }
            }
            if !rest.is_empty() || users.iter().any(|(_, running)| *running) {
                return Ok(Value::list(done));
            }
        }
        let Some(gone) = self.images.get(at).cloned() else { return Err(no_such(name)) };
        for text in gone.tags.iter().chain(&gone.digests) {
            done.push(map! { "Untagged" => text });
            self.image_event(cx, "untag", &gone.id, &gone.id);
        }
        self.images.remove(at);
        done.push(map! { "Deleted" => &gone.id });
        for layer in gone.layers().iter().rev() {
            if !self.images.iter().any(|other| other.layers().contains(layer)) {
                done.push(map! { "Deleted" => format!("sha256:{layer}") });
            }
        }
        self.event(cx, "image", "delete", &gone.id, &[("name", gone.id.clone())]);
        Ok(Value::list(done))
    }

    /// Images nobody uses: dangling ones, or all.
    pub(super) fn image_prune(&mut self, cx: &mut Cx<'_>, request: &Request) -> Outcome<Value> {
        let filters = Filters::read(request, &["dangling", "until", "label", "label!"])?;
        let until = filters.until(cx.now)?;
        let all = filters.of("dangling").iter().any(|value| value == "false" || value == "0");
        let used = |engine: &Engine, image: &Local| engine.containers.values().any(|c| c.image_id == image.id);
        let gone: Vec<Local> =
            self.images.iter().filter(|i| (all || i.tags.is_empty()) && !used(self, i)).cloned().collect();
        let fits = |image: &Local| {
            until.is_none_or(|until| image.created <= until) && filters.labels(&image.config()["Labels"])
        };
        let gone: Vec<Local> = gone.into_iter().filter(fits).collect();
        let (mut done, mut bytes) = (Vec::new(), 0);
        for image in gone {
            let names = if image.tags.is_empty() { vec![image.id.clone()] } else { image.tags.clone() };
            for name in names {
                if let Ok(list) = self.image_remove(cx, &name, true) {
                    done.extend(list.items().to_vec());
                }
            }
            if !self.images.iter().any(|other| other.layer == image.layer) {
                bytes += image.size;
            }
        }
        self.prune_event(cx, "image", bytes);
        let done = if done.is_empty() { Value::Null } else { Value::list(done) };
        Ok(map! { "ImagesDeleted" => done, "SpaceReclaimed" => bytes })
    }

    /// The store's bytes, every layer once.
    pub(super) fn layers_size(&self) -> i64 {
        let mut sizes: crate::base::BTreeMap<&str, i64> = crate::base::BTreeMap::new();
        for image in &self.images {
            let mut image = image;
            while let Some(own) = &image.committed {
                sizes.insert(&own.layer, own.written);
                image = &own.from;
            }
            sizes.insert(&image.layer, image.size);
        }
        sizes.values().sum()
    }
}

/// A pattern of names: `nginx`, `nginx:1.2*`, `*/curl`.
fn reference_fits(pattern: &str, tag: &str) -> bool {
    let (name, version) = tag.rsplit_once(':').unwrap_or((tag, ""));
    match pattern.rsplit_once(':').filter(|(_, version)| !version.contains('/')) {
        Some((own, own_version)) => glob(own, name) && (version.is_empty() || glob(own_version, version)),
        None => glob(pattern, name),
    }
}

/// `*` within a part of a path, `?` for one character.
fn glob(pattern: &str, text: &str) -> bool {
    let (own, other): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), text.split('/').collect());
    own.len() == other.len() && own.iter().zip(other).all(|(p, t)| crate::shell::Pattern::new(p).matches(t))
}
