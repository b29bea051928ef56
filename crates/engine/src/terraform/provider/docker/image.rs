//! `docker_image`, and of `docker_registry_image` the refusal that stands before every push.

use super::client::Client;
use super::object::{Data, flag, items, text};
use super::table::IMAGE;
use super::{failed, gone, made};
use crate::base::http::Method;
use crate::base::{Value as Json, gap};
use crate::process::rerun::{Io, Outcome};
use crate::terraform::provider::{Doing, Done, Job};

pub fn run(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    match job.action {
        Doing::Create | Doing::Update => {
            let mut data = Data::planned(IMAGE, &job.planned);
            let name = text(&job.planned, "name");
            if !items(&job.planned, "build").is_empty() {
                return Ok(failed(gap::line("building images (docker_image with a build block)", "")));
            }
            match client.image(io, &name)? {
                Ok(found) => {
                    note(&mut data, &found, &name);
                    Ok(made(data.done()))
                }
                Err(why) => Ok(failed(format!("Unable to read Docker image into resource: {why}"))),
            }
        }
        Doing::Delete => {
            let name = text(&job.prior, "name");
            if flag(&job.prior, "keep_locally") {
                return Ok(gone());
            }
            let force = if flag(&job.prior, "force_remove") { "1" } else { "0" };
            let path = format!("/images/{name}");
            match client.ask(io, Method::Delete, &path, &[("force", force)], Json::Null)? {
                Err(why) if !why.contains("No such image") => {
                    Ok(failed(format!("Unable to remove Docker image: {why}")))
                }
                _ => Ok(gone()),
            }
        }
        _ => {
            let mut data = Data::known(IMAGE, &job.prior);
            let name = text(&job.prior, "name");
            match client.get(io, &format!("/images/{name}/json"))? {
                Ok(found) => {
                    note(&mut data, &found, &name);
                    Ok(made(data.seen()))
                }
                Err(_) => Ok(gone()),
            }
        }
    }
}

fn note(data: &mut Data, found: &Json, name: &str) {
    let id = found["Id"].str();
    data.set_text("id", format!("{id}{name}"));
    data.set_text("image_id", id);
    data.set_text("repo_digest", digest(found, name));
}

/// The digest under which a repository has the image.
pub fn digest(found: &Json, name: &str) -> String {
    let all: Vec<&str> = found["RepoDigests"].items().iter().map(Json::str).collect();
    let last = name.rfind('/').map_or(0, |at| at + 1);
    let end = name.get(last..).and_then(|rest| rest.find([':', '@'])).map_or(name.len(), |at| last + at);
    let plain = name.get(..end).unwrap_or(name);
    let own = all.iter().find(|digest| digest.starts_with(plain)).or_else(|| all.first());
    own.map(|digest| digest.to_string()).unwrap_or_default()
}

pub fn registry(job: &Job) -> Outcome<Done> {
    Ok(match job.action {
        Doing::Create | Doing::Update => {
            let name = text(&job.planned, "name");
            let host = match name.split_once('/') {
                Some((host, _)) if host.contains(['.', ':']) || host == "localhost" => host.to_string(),
                _ => "registry-1.docker.io".into(),
            };
            failed(format!(
                "resourceDockerRegistryImageCreate: Unable to get authConfig for registry: no auth config found for registry {host} in auth configs: map[string]registry.AuthConfig{{}}"
            ))
        }
        Doing::Delete => gone(),
        _ => made(job.prior.clone()),
    })
}
