//! The docker provider (upstream: kreuzwerker/docker 4.6): containers, images, networks, volumes and tags of one Engine,
//! reached by its HTTP API alone.
//!
//! Left out: swarm (services, secrets, configs), plugins, compose, building, pushing to registries (always refused for
//! want of credentials), actions, TLS and SSH to other Engines.

mod change;
mod check;
mod client;
mod container;
mod data;
mod field;
mod image;
mod network;
mod object;
mod options;
mod read;
mod table;
mod tag;
mod volume;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{Change, Complaint, Doing, Done, Job, Planned, Provider};
use crate::base::BTreeMap;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::address::Mode;
use crate::terraform::schema::{BlockSchema, Schema};
use crate::terraform::value::{Type, Value};

use client::Client;
use field::{Field, block};

/// What the provider keeps with an object: limits of time and the version of its schema, as JSON in base64.
const LIMITS_AND_2: &str = "eyJlMmJmYjczMC1lY2FhLTExZTYtOGY4OC0zNDM2M2JjN2M0YzAiOnsiY3JlYXRlIjoxMjAwMDAwMDAwMDAwLCJkZWxldGUiOjEyMDAwMDAwMDAwMDAsInVwZGF0ZSI6MTIwMDAwMDAwMDAwMH0sInNjaGVtYV92ZXJzaW9uIjoiMiJ9";
const LIMITS: &str = "eyJlMmJmYjczMC1lY2FhLTExZTYtOGY4OC0zNDM2M2JjN2M0YzAiOnsiY3JlYXRlIjoxMjAwMDAwMDAwMDAwLCJkZWxldGUiOjEyMDAwMDAwMDAwMDAsInVwZGF0ZSI6MTIwMDAwMDAwMDAwMH19";
const VERSION_1: &str = "eyJzY2hlbWFfdmVyc2lvbiI6IjEifQ==";

/// One resource type or data source.
struct Kind {
    mode: Mode,
    name: &'static str,
    version: u64,
    fields: &'static [Field],
    private: Option<&'static str>,
}

const fn kind(name: &'static str, version: u64, fields: &'static [Field], private: Option<&'static str>) -> Kind {
    Kind { mode: Mode::Managed, name, version, fields, private }
}

const fn source(name: &'static str, fields: &'static [Field]) -> Kind {
    Kind { mode: Mode::Data, name, version: 0, fields, private: None }
}

const KINDS: &[Kind] = &[
    kind("docker_container", 2, table::CONTAINER, Some(LIMITS_AND_2)),
    kind("docker_image", 0, table::IMAGE, Some(LIMITS)),
    kind("docker_network", 1, table::NETWORK, Some(VERSION_1)),
    kind("docker_registry_image", 0, table::REGISTRY_IMAGE, Some(LIMITS)),
    kind("docker_tag", 0, table::TAG, None),
    kind("docker_volume", 1, table::VOLUME, Some(VERSION_1)),
    source("docker_containers", table::CONTAINERS_DATA),
    source("docker_image", table::IMAGE_DATA),
    source("docker_logs", table::LOGS_DATA),
    source("docker_network", table::NETWORK_DATA_SOURCE),
    source("docker_registry_image", table::REGISTRY_IMAGE_DATA),
];

fn find(mode: Mode, name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.mode == mode && kind.name == name)
}

pub struct Docker {
    schemas: BTreeMap<(Mode, &'static str), Arc<Schema>>,
}

impl Default for Docker {
    fn default() -> Docker {
        let schema = |kind: &Kind| Arc::new(Schema { version: kind.version, block: block(kind.fields), legacy: true });
        Docker { schemas: KINDS.iter().map(|kind| ((kind.mode, kind.name), schema(kind))).collect() }
    }
}

impl Provider for Docker {
    fn source(&self) -> &'static str {
        "registry.terraform.io/kreuzwerker/docker"
    }

    fn version(&self) -> &'static str {
        "4.6.0"
    }

    fn configuration(&self) -> BlockSchema {
        block(table::PROVIDER)
    }

    fn schema(&self, mode: Mode, kind: &str) -> Option<Arc<Schema>> {
        self.schemas.get(&(mode, find(mode, kind)?.name)).cloned()
    }

    fn kinds(&self, mode: Mode) -> Vec<&'static str> {
        KINDS.iter().filter(|kind| kind.mode == mode).map(|kind| kind.name).collect()
    }

    fn absent(&self, mode: Mode) -> &'static [&'static str] {
        match mode {
            Mode::Managed => &[
                "docker_buildx_builder",
                "docker_compose",
                "docker_config",
                "docker_plugin",
                "docker_secret",
                "docker_service",
            ],
            Mode::Data => &["docker_plugin", "docker_registry_image_manifests", "docker_registry_image_tags"],
        }
    }

    fn validate(&self, mode: Mode, kind: &str, config: &Value) -> Vec<Complaint> {
        find(mode, kind).map(|kind| check::check(kind.name, kind.fields, config)).unwrap_or_default()
    }

    fn plan(&self, asked: &Change<'_>) -> Planned {
        let Some(kind) = find(Mode::Managed, asked.kind) else { return Planned::default() };
        let (value, replace) = change::plan(kind.fields, asked.prior, asked.proposed);
        Planned { value: Some(value), replace, ..Planned::default() }
    }

    fn run(&self, io: &mut Io<'_, '_>, job: &Job) -> Outcome<Done> {
        let mode = if job.action == Doing::ReadData { Mode::Data } else { Mode::Managed };
        let Some(kind) = find(mode, &job.kind) else { return Ok(Done::default()) };
        if job.action == Doing::Import && !matches!(kind.name, "docker_container" | "docker_network" | "docker_volume")
        {
            return Ok(failed(format!("resource {} doesn't support import", kind.name)));
        }
        let client = match Client::open(io, &job.settings)? {
            Ok(client) => client,
            Err(why) => return Ok(failed(why)),
        };
        let mut done = match (mode, kind.name) {
            (Mode::Managed, "docker_container") => container::run(io, &client, job),
            (Mode::Managed, "docker_image") => image::run(io, &client, job),
            (Mode::Managed, "docker_network") => network::run(io, &client, job),
            (Mode::Managed, "docker_volume") => volume::run(io, &client, job),
            (Mode::Managed, "docker_tag") => tag::run(io, &client, job),
            (Mode::Managed, _) => image::registry(job),
            (Mode::Data, name) => data::run(io, &client, name, kind.fields, job),
        }?;
        if matches!(job.action, Doing::Create | Doing::Import) {
            done.private = kind.private.map(str::to_string);
        }
        Ok(done)
    }
}

fn failed(why: impl Into<String>) -> Done {
    Done { complaints: vec![Complaint::error(why)], ..Done::default() }
}

/// The object as it is now, and what went wrong meanwhile.
fn failed_with(value: Value, why: impl Into<String>) -> Done {
    Done { value: Some(value), ..failed(why) }
}

fn made(value: Value) -> Done {
    Done { value: Some(value), ..Done::default() }
}

fn gone() -> Done {
    made(Value::null(Type::Dynamic))
}
