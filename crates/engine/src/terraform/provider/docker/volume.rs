//! `docker_volume`.

use super::client::Client;
use super::network::{DELAY, wait_on};
use super::object::{Data, entries, items, json_map, map, object, text};
use super::table::VOLUME;
use super::{failed, gone, made};
use crate::base::Value as Json;
use crate::base::http::Method;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::provider::{Doing, Done, Job};
use crate::terraform::value::Value;

pub fn run(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    match job.action {
        Doing::Create => {
            let mut data = Data::planned(VOLUME, &job.planned);
            let wanted = data.value();
            let mut body = Json::empty_map();
            for (name, key) in [("name", "Name"), ("driver", "Driver")] {
                if !text(&wanted, name).is_empty() {
                    body.set(&[key], text(&wanted, name));
                }
            }
            if !entries(&wanted, "driver_opts").is_empty() {
                body.set(&["DriverOpts"], json_map(entries(&wanted, "driver_opts")));
            }
            let labels = items(&wanted, "labels").iter().map(|label| (text(label, "label"), text(label, "value")));
            body.set(&["Labels"], json_map(labels.collect()));
            let name = match client.post(io, "/volumes/create", body)? {
                Ok(made) => made["Name"].str().to_string(),
                Err(why) => return Ok(failed(format!("Unable to create volume: {why}"))),
            };
            data.set_text("id", name.as_str());
            Ok(match read(io, client, &mut data, &name)? {
                Ok(true) => made(data.done()),
                Ok(false) => gone(),
                Err(why) => failed(why),
            })
        }
        Doing::Delete => delete(io, client, &text(&job.prior, "id")),
        Doing::Update => Ok(made(Data::planned(VOLUME, &job.planned).done())),
        Doing::Import => Ok(made(Data::named(VOLUME, &job.id).value())),
        Doing::Read | Doing::ReadData => see(io, client, Data::known(VOLUME, &job.prior), &text(&job.prior, "id")),
    }
}

fn see(io: &mut Io<'_, '_>, client: &Client, mut data: Data, id: &str) -> Outcome<Done> {
    Ok(match read(io, client, &mut data, id)? {
        Ok(true) => made(data.seen()),
        Ok(false) => gone(),
        Err(why) => failed(why),
    })
}

fn read(io: &mut Io<'_, '_>, client: &Client, data: &mut Data, id: &str) -> Outcome<Result<bool, String>> {
    let found = match client.get(io, &format!("/volumes/{id}"))? {
        Ok(found) => found,
        Err(why) if why.contains("no such volume") => return Ok(Ok(false)),
        Err(why) => return Ok(Err(format!("Unable to inspect volume: {why}"))),
    };
    let was = data.value();
    data.set_text("name", found["Name"].smol());
    data.set_text("driver", found["Driver"].smol());
    data.set_text("mountpoint", found["Mountpoint"].smol());
    data.set("driver_opts", map(&found["Options"]));
    let labels = found["Labels"].entries().iter().map(|(label, value)| {
        object(vec![("label", Value::string(label.clone())), ("value", Value::string(value.smol()))])
    });
    let element = was.get("labels").map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
    data.set("labels", Value::set(element, labels.collect()));
    Ok(Ok(true))
}

fn delete(io: &mut Io<'_, '_>, client: &Client, id: &str) -> Outcome<Done> {
    let path = format!("/volumes/{id}");
    let start = io.now();
    io.sleep(DELAY)?;
    loop {
        match client.ask(io, Method::Delete, &path, &[("force", "1")], Json::Null)? {
            Ok(_) => return Ok(gone()),
            Err(why) if why.contains("volume is in use") => {}
            Err(why) if why.contains("no such volume") => return Ok(gone()),
            Err(why) => return Ok(failed(why)),
        }
        if let Some(late) = wait_on(io, start, "in_use")? {
            return Ok(late);
        }
    }
}
