//! Apply sets (`KUBECTL_APPLYSET=true`, `apply --prune --applyset`): a parent object that remembers what was applied.
//!
//! Left out: custom resources as parents, warnings about unfinished sets.

use crate::base::http::Method;
use crate::base::{Value, digest};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Io, Outcome, body, fail, server_failure};
use crate::kubectl::manifest::Document;
use crate::kubectl::mapper::{Mapper, Mapping};
use crate::kubectl::select;
use crate::map;

const TOOLING: &str = "applyset.kubernetes.io/tooling";
const KINDS: &str = "applyset.kubernetes.io/contains-group-kinds";
const NAMESPACES: &str = "applyset.kubernetes.io/additional-namespaces";
const ID: &str = "applyset.kubernetes.io/id";
const PART_OF: &str = "applyset.kubernetes.io/part-of";
const OWN_TOOL: &str = "kubectl/v1.37.2";

pub struct ApplySet {
    parent: Mapping,
    name: String,
    namespace: String,
    id: String,
    /// What the parent lists so far: kinds (`Deployment.apps`) and namespaces.
    kinds: Vec<String>,
    namespaces: Vec<String>,
}

/// What goes against the flags, before anything is asked.
pub fn check(args: &Args, io: &Io<'_, '_>) -> Outcome {
    if !args.changed("applyset") {
        return Ok(());
    }
    if io.sys.env.get("KUBECTL_APPLYSET").map(String::as_str) != Some("true") {
        return fail("unknown flag: --applyset\nSee 'kubectl apply --help' for usage.");
    }
    if !args.is("prune") {
        return fail("--applyset requires --prune");
    }
    for (flag, given) in [
        ("all", args.is("all")),
        ("selector", !args.get("selector").is_empty()),
        ("prune-allowlist", !args.list("prune-allowlist").is_empty()),
    ] {
        if given {
            return fail(format!("--{flag} is incompatible with --applyset"));
        }
    }
    Ok(())
}

impl ApplySet {
    /// The set the flags name; its documents get the set's label.
    pub fn open(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<Option<ApplySet>> {
        if !args.changed("applyset") {
            return Ok(None);
        }
        let reference = args.get("applyset");
        let (kind, name) = reference.split_once('/').unwrap_or(("secrets", reference));
        if name.is_empty() {
            return fail(format!("invalid parent reference \"{reference}\": name cannot be blank"));
        }
        let parent = mapper.find(kind)?.clone();
        if parent.namespaced && !io.namespace_forced {
            return fail("namespace is required to use namespace-scoped ApplySet");
        }
        if !(parent.group.is_empty() && matches!(parent.resource.as_str(), "secrets" | "configmaps")) {
            return fail(format!("resource \"{}\" is not permitted as an ApplySet parent", parent.gvr()));
        }
        let namespace = io.namespace.clone();
        let text = format!("{name}.{namespace}.{}.{}", parent.kind, parent.group);
        let bytes = digest::sha256_of(text.as_bytes());
        let encoded = crate::api::decode::encode_base64(&bytes).replace('+', "-").replace('/', "_");
        let id = format!("applyset-{}-v1", encoded.trim_end_matches('='));
        let mut set = ApplySet { parent, name: name.into(), namespace, id, kinds: Vec::new(), namespaces: Vec::new() };
        set.read(io)?;
        Ok(Some(set))
    }

    fn read(&mut self, io: &mut Io<'_, '_>) -> Outcome {
        let shown = format!("{}.{}/{}", self.parent.resource, self.parent.group, self.name);
        let request = io.request(Method::Get, self.parent.path(&self.namespace, &self.name));
        let response = io.send(request)?;
        if response.code == 404 {
            return Ok(());
        }
        if !response.ok() {
            let text = server_failure(&response);
            return fail(format!("failed to fetch ApplySet parent object \"{shown}\": {}", text.text()));
        }
        let meta = body(&response)["metadata"].clone();
        let tool = meta["annotations"].get(TOOLING).str();
        if meta["annotations"].get(TOOLING).is_null() {
            return fail(format!(
                "ApplySet parent object \"{shown}\" already exists and is missing required annotation \"{TOOLING}\""
            ));
        }
        if !tool.starts_with("kubectl/") {
            return fail(format!(
                "ApplySet parent object \"{shown}\" already exists and is managed by tooling \"{tool}\" instead of \
                 \"kubectl\""
            ));
        }
        let own = meta["labels"].get(ID).str();
        if own.is_empty() {
            return fail(format!("ApplySet parent object \"{shown}\" exists and does not have required label {ID}"));
        }
        if own != self.id {
            return fail(format!(
                "ApplySet parent object \"{shown}\" exists and has incorrect value for label \"{ID}\" (got: {own}, want: \
                 {})",
                self.id
            ));
        }
        let list = |key: &str| {
            let text = meta["annotations"].get(key).str().to_string();
            text.split(',').filter(|part| !part.is_empty()).map(str::to_string).collect::<Vec<_>>()
        };
        self.kinds = list(KINDS);
        self.namespaces = list(NAMESPACES);
        Ok(())
    }

    pub fn label(&self, documents: &mut [Document]) -> Outcome {
        for document in documents {
            let labels = document.object.at(&["metadata", "labels"]);
            if labels.has(PART_OF) {
                return fail(format!("ApplySet label \"{PART_OF}\" already set in input data"));
            }
            document.object.set(&["metadata", "labels", PART_OF], self.id.as_str());
        }
        Ok(())
    }

    fn now(&self, io: &Io<'_, '_>, documents: &[Document]) -> (Vec<String>, Vec<String>) {
        let kinds = documents.iter().map(|document| document.mapping.qualified_kind()).collect();
        let namespaces = documents.iter().map(|document| document.namespace(io)).collect();
        (sorted(kinds), sorted(namespaces).into_iter().filter(|n| !n.is_empty() && *n != self.namespace).collect())
    }

    /// Before applying, the parent lists what was and what will be.
    pub fn announce(&self, args: &Args, io: &mut Io<'_, '_>, documents: &[Document], dry_run: DryRun) -> Outcome {
        let (mut kinds, mut namespaces) = self.now(io, documents);
        kinds.extend(self.kinds.iter().cloned());
        namespaces.extend(self.namespaces.iter().cloned());
        self.write(args, io, sorted(kinds), sorted(namespaces), dry_run)
    }

    fn write(
        &self,
        _args: &Args,
        io: &mut Io<'_, '_>,
        kinds: Vec<String>,
        namespaces: Vec<String>,
        dry_run: DryRun,
    ) -> Outcome {
        if dry_run == DryRun::Client {
            return Ok(());
        }
        let object = map! {
            "apiVersion" => self.parent.api_version(), "kind" => self.parent.kind.as_str(),
            "metadata" => map! {
                "name" => self.name.as_str(), "namespace" => self.namespace.as_str(),
                "labels" => map! { ID => self.id.as_str() },
                "annotations" => map! {
                    TOOLING => OWN_TOOL, KINDS => kinds.join(","), NAMESPACES => namespaces.join(","),
                },
            },
        };
        let mut request = io.request(Method::Patch, self.parent.path(&self.namespace, &self.name)).with_body(object);
        request.content_type = "application/apply-patch+yaml".into();
        request = request.with_query("fieldManager", "kubectl-applyset").with_query("force", "true");
        if dry_run == DryRun::Server {
            request = request.with_query("dryRun", "All");
        }
        let response = io.send(request)?;
        if response.ok() {
            return Ok(());
        }
        fail(format!("failed to update ApplySet: {}", body(&response)["message"].str()))
    }

    /// After applying: what is in the set no more goes, and the parent lists the rest.
    pub fn prune(
        &self,
        args: &Args,
        io: &mut Io<'_, '_>,
        mapper: &Mapper,
        documents: &[Document],
        applied: &[Value],
        dry_run: DryRun,
    ) -> Outcome {
        let (kinds, namespaces) = self.now(io, documents);
        let kept: Vec<&str> = applied.iter().map(|object| object.at(&["metadata", "uid"]).str()).collect();
        let mut every = vec![self.namespace.clone()];
        every.extend(self.namespaces.iter().cloned());
        for kind in &self.kinds {
            let (word, group) = kind.split_once('.').unwrap_or((kind, ""));
            let found = mapper.all.iter().find(|mapping| mapping.kind == word && mapping.group == group);
            let Some(mapping) = found.cloned() else { continue };
            let places = if mapping.namespaced { every.clone() } else { vec![String::new()] };
            for namespace in places {
                let selector = format!("{PART_OF}={}", self.id);
                let Ok(objects) = select::list(io, &mapping, &namespace, &selector, "")? else { continue };
                for object in objects {
                    let meta = &object["metadata"];
                    if kept.contains(&meta["uid"].str()) {
                        continue;
                    }
                    let name = meta["name"].str();
                    if dry_run != DryRun::Client {
                        let request = io.request(Method::Delete, mapping.path(&namespace, name));
                        io.must(request.with_body(map! { "propagationPolicy" => "Background" }))?;
                    }
                    io.line(format!("{}/{name} pruned{}", mapping.word(), dry_run.suffix()));
                }
            }
        }
        if self.kinds != kinds || self.namespaces != namespaces {
            self.write(args, io, kinds, namespaces, dry_run)?;
        }
        Ok(())
    }
}

fn sorted(mut all: Vec<String>) -> Vec<String> {
    all.sort();
    all.dedup();
    all
}
