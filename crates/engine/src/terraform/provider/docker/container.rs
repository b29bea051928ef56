//! `docker_container`: made, started and waited for; changed; stopped and removed.

use super::client::Client;
use super::object::{Data, flag, items, number, text};
use super::table::CONTAINER;
use super::{failed, failed_with, gone, made, options, read};
use crate::base::http::Method;
use crate::base::{Span, Value as Json};
use crate::map;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::provider::{Doing, Done, Job};
use crate::terraform::value::Value;

/// The provider's own work before it asks for a container, and from the start to its look at it: with what the Engine
/// takes about a second in all.
const MAKING: Span = Span::millis(200);
const LOOK: Span = Span::millis(600);

pub fn run(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    match job.action {
        Doing::Create => create(io, client, job),
        Doing::Update => update(io, client, job),
        Doing::Delete => delete(io, client, &job.prior),
        Doing::Import => Ok(made(Data::named(CONTAINER, &job.id).value())),
        Doing::Read | Doing::ReadData => {
            refresh(io, client, || Data::known(CONTAINER, &job.prior), &text(&job.prior, "id"))
        }
    }
}

fn refresh(io: &mut Io<'_, '_>, client: &Client, data: impl FnOnce() -> Data, id: &str) -> Outcome<Done> {
    Ok(match read::find(io, client, id)? {
        Ok(Some(found)) => {
            let mut data = data();
            read::take(&mut data, id, &found);
            made(data.seen())
        }
        Ok(None) => gone(),
        Err(why) => failed(why),
    })
}

/// What is wanted, and the request that asks for it: worked out once, however often the answers make it go on.
type Wanted = (Data, Value, Result<Json, String>);

fn create(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    let known = match io.made::<Wanted>() {
        Ok(known) => known,
        Err(at) => {
            let data = Data::planned(CONTAINER, &job.planned);
            let wanted = data.value();
            let body = options::body(&wanted);
            io.make(at, (data, wanted, body))
        }
    };
    let (data, wanted, body) = known.as_ref();
    let image = text(wanted, "image");
    if let Err(why) = client.image(io, &image)? {
        return Ok(failed(format!("Unable to create container with image {image}: {why}")));
    }
    let body = match body {
        Ok(body) => body.clone(),
        Err(why) => return Ok(failed(why.clone())),
    };
    let name = text(wanted, "name");
    io.sleep(MAKING)?;
    let id = match client.ask(io, Method::Post, "/containers/create", &[("name", &name)], body)? {
        Ok(answer) => answer["Id"].str().to_string(),
        Err(why) => return Ok(failed(format!("Unable to create container: {why}"))),
    };
    let mut logs = None;
    let with_id = |logs: Option<String>| {
        let mut data = data.clone();
        data.set_text("id", id.as_str());
        if let Some(logs) = logs {
            data.set_text("container_logs", logs);
        }
        data
    };
    if let Err(why) = bring_up(io, client, &mut logs, wanted, &id, job.cancelled)? {
        return Ok(failed_with(with_id(logs).done(), why));
    }
    // What ends at once has ended by the time the provider looks; who has waited needs no more patience.
    if !flag(wanted, "attach") && !flag(wanted, "wait") {
        io.sleep(LOOK)?;
    }
    Ok(match read::find(io, client, &id)? {
        Ok(Some(found)) => {
            let mut data = with_id(logs);
            read::take(&mut data, &id, &found);
            made(data.done())
        }
        Ok(None) => gone(),
        Err(why) => failed_with(with_id(logs).done(), why),
    })
}

/// Everything between the making of a container and the reading of what became of it.
fn bring_up(
    io: &mut Io<'_, '_>,
    client: &Client,
    logs: &mut Option<String>,
    wanted: &Value,
    id: &str,
    cancelled: bool,
) -> Outcome<Result<(), String>> {
    if let Err(why) = join_networks(io, client, wanted, id)? {
        return Ok(Err(why));
    }
    for upload in items(wanted, "upload") {
        let entries = match options::upload(io, upload) {
            Ok(entries) => entries,
            Err(why) => return Ok(Err(why)),
        };
        let path = format!("/containers/{id}/archive");
        let body = map! { "entries" => entries };
        if let Err(why) = client.ask(io, Method::Put, &path, &[("path", "/")], body)? {
            return Ok(Err(format!("Unable to upload volume content: {why}")));
        }
    }
    if !flag(wanted, "start") {
        return Ok(Ok(()));
    }
    if let Err(why) = client.post(io, &format!("/containers/{id}/start"), Json::Null)? {
        return Ok(Err(format!("Unable to start container: {why}")));
    }
    if flag(wanted, "wait")
        && let Err(why) = until_healthy(io, client, number(wanted, "wait_timeout"), id, cancelled)?
    {
        return Ok(Err(why));
    }
    if !flag(wanted, "attach") {
        return Ok(Ok(()));
    }
    if cancelled {
        return Ok(Err("Unable to wait container end of execution: context canceled".into()));
    }
    let ended = client.begin(io, Method::Post, &format!("/containers/{id}/wait"));
    if flag(wanted, "logs") {
        let query = [("follow", "1"), ("stdout", "1"), ("stderr", "1")];
        match client.logs(io, id, &query)? {
            Ok(bytes) => *logs = Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(why) => return Ok(Err(format!("Unable to read container logs: {why}"))),
        }
    }
    Ok(match client.finish(io, ended)? {
        Ok(_) => Ok(()),
        Err(why) => Err(format!("Unable to wait container end of execution: {why}")),
    })
}

fn join_networks(io: &mut Io<'_, '_>, client: &Client, wanted: &Value, id: &str) -> Outcome<Result<(), String>> {
    let networks = items(wanted, "networks_advanced");
    if networks.is_empty() {
        return Ok(Ok(()));
    }
    let leave = map! { "Container" => id, "Force" => false };
    if let Err(why) = client.post(io, "/networks/bridge/disconnect", leave)?
        && !why.contains("is not connected to the network bridge")
        && !why.contains("is not connected to network bridge")
    {
        return Ok(Err(format!("Unable to disconnect the default network: {why}")));
    }
    for network in networks {
        let name = text(network, "name");
        let settings = options::endpoint(network);
        let join = map! { "Container" => id, "EndpointConfig" => settings };
        if let Err(why) = client.post(io, &format!("/networks/{name}/connect"), join)? {
            return Ok(Err(format!("Unable to connect to network '{name}': {why}")));
        }
    }
    Ok(Ok(()))
}

/// Looks every second whether the health check has been passed.
fn until_healthy(
    io: &mut Io<'_, '_>,
    client: &Client,
    seconds: i64,
    id: &str,
    cancelled: bool,
) -> Outcome<Result<(), String>> {
    const TOO_LATE: &str = "container failed to be in healthy state";
    const NO_CHECK: &str = "you have supplied a 'wait' argument, but the container does not have a healthcheck defined. Please remove the 'wait' argument or add a 'healthcheck' attribute";
    let deadline = io.now() + Span::seconds(seconds.clamp(0, 1 << 30));
    let mut state = io.resume(map! { "deadline" => deadline.0 });
    let deadline = crate::base::Time(state["deadline"].int());
    loop {
        let found = match client.get(io, &format!("/containers/{id}/json"))? {
            Ok(found) => found,
            Err(why) => return Ok(Err(format!("error inspecting container state: {why}"))),
        };
        let health = &found["State"]["Health"];
        if health.is_null() {
            return Ok(Err(NO_CHECK.into()));
        }
        if health["Status"].str() == "healthy" {
            return Ok(Ok(()));
        }
        if cancelled {
            return Ok(Err(TOO_LATE.into()));
        }
        let next = io.now() + Span::seconds(1);
        if next > deadline {
            let left = Span((deadline.0 - io.now().0).max(0));
            io.sleep(left)?;
            return Ok(Err(TOO_LATE.into()));
        }
        io.sleep(Span::seconds(1))?;
        state.set(&["rounds"], state["rounds"].int() + 1);
        io.keep(state.clone());
    }
}

/// What can be changed in a container that is there.
const LIVE: [&str; 12] = [
    "restart",
    "max_retry_count",
    "cpu_shares",
    "memory",
    "memory_reservation",
    "cpu_set",
    "memory_swap",
    "device_read_bps",
    "device_read_iops",
    "device_write_bps",
    "device_write_iops",
    "device_requests",
];

fn update(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    let data = Data::planned(CONTAINER, &job.planned);
    let wanted = data.value();
    let id = text(&job.prior, "id");
    let differs = |name: &str| job.prior.get(name) != wanted.get(name);
    if !flag(&job.prior, "must_run")
        && flag(&wanted, "must_run")
        && flag(&wanted, "start")
        && let Err(why) = client.post(io, &format!("/containers/{id}/start"), Json::Null)?
    {
        return Ok(failed_with(job.prior.clone(), format!("Unable to start container: {why}")));
    }
    if LIVE.iter().any(|name| differs(name)) {
        let body = options::limits(&wanted);
        if let Err(why) = client.post(io, &format!("/containers/{id}/update"), body)? {
            return Ok(failed_with(job.prior.clone(), format!("Unable to update a container: {why}")));
        }
    }
    Ok(made(data.done()))
}

fn delete(io: &mut Io<'_, '_>, client: &Client, object: &Value) -> Outcome<Done> {
    let id = text(object, "id");
    let missing = |why: &str| why.contains("No such container") || why.contains("is already in progress");
    if !flag(object, "attach") {
        let grace = number(object, "destroy_grace_seconds").max(0).to_string();
        let path = format!("/containers/{id}/stop");
        if let Err(why) = client.ask(io, Method::Post, &path, &[("t", &grace)], Json::Null)?
            && !missing(&why)
        {
            return Ok(failed(format!("Error stopping container {id}: {why}")));
        }
    }
    let volumes = if flag(object, "remove_volumes") { "1" } else { "0" };
    let query = [("force", "1"), ("v", volumes)];
    if let Err(why) = client.ask(io, Method::Delete, &format!("/containers/{id}"), &query, Json::Null)?
        && !missing(&why)
    {
        return Ok(failed(format!("Error deleting container {id}: {why}")));
    }
    Ok(gone())
}
