//! `docker_tag`: one more name for an image; taken away it stays.

use super::client::Client;
use super::object::{Data, text};
use super::table::TAG;
use super::{failed, gone, made};
use crate::base::Value as Json;
use crate::base::http::Method;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::provider::{Doing, Done, Job};

pub fn run(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    match job.action {
        Doing::Create | Doing::Update => {
            let mut data = Data::planned(TAG, &job.planned);
            let (source, target) = (text(&job.planned, "source_image"), text(&job.planned, "target_image"));
            let (repository, tag) = match target.rsplit_once(':') {
                Some((repository, tag)) if !tag.contains('/') => (repository, tag),
                _ => (target.as_str(), "latest"),
            };
            let path = format!("/images/{source}/tag");
            let query = [("repo", repository), ("tag", tag)];
            if let Err(why) = client.ask(io, Method::Post, &path, &query, Json::Null)? {
                return Ok(failed(format!("failed to create docker tag: {why}")));
            }
            data.set_text("id", format!("{source}.{target}"));
            if let Ok(found) = client.get(io, &format!("/images/{source}/json"))? {
                data.set_text("source_image_id", found["Id"].smol());
            }
            Ok(made(data.done()))
        }
        Doing::Delete => Ok(gone()),
        _ => {
            let mut data = Data::known(TAG, &job.prior);
            let (source, target) = (text(&job.prior, "source_image"), text(&job.prior, "target_image"));
            let (Ok(from), Ok(to)) = (
                client.get(io, &format!("/images/{source}/json"))?,
                client.get(io, &format!("/images/{target}/json"))?,
            ) else {
                return Ok(gone());
            };
            if from["Id"] != to["Id"] {
                return Ok(gone());
            }
            data.set_text("source_image_id", from["Id"].smol());
            Ok(made(data.seen()))
        }
    }
}
