//! `docker_network`: made, read after a fixed delay, removed with patience.

use super::client::Client;
use super::object::{Data, entries, flag, has, items, json_map, map, object, text};
use super::table::NETWORK;
use super::{Complaint, failed, gone, made};
use crate::base::http::Method;
use crate::base::{Span, Value as Json};
use crate::map as json;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::provider::{Doing, Done, Job};
use crate::terraform::value::Value;

/// Before it looks for the first time at what it made or removes.
pub const DELAY: Span = Span::seconds(2);
/// Between two tries to remove what is in use, and how long it tries.
pub const RETRY: Span = Span::seconds(5);
pub const PATIENCE: Span = Span::seconds(30);

pub fn run(io: &mut Io<'_, '_>, client: &Client, job: &Job) -> Outcome<Done> {
    match job.action {
        Doing::Create => {
            let mut data = Data::planned(NETWORK, &job.planned);
            let body = body(&data.value());
            let id = match client.post(io, "/networks/create", body)? {
                Ok(answer) => answer["Id"].str().to_string(),
                Err(why) => return Ok(failed(format!("Unable to create network: {why}"))),
            };
            data.set_text("id", id.as_str());
            Ok(if read(io, client, &mut data, &id)? { made(data.done()) } else { gone() })
        }
        Doing::Delete => delete(io, client, &text(&job.prior, "id")),
        Doing::Update => Ok(made(Data::planned(NETWORK, &job.planned).done())),
        Doing::Import => Ok(made(Data::named(NETWORK, &job.id).value())),
        Doing::Read | Doing::ReadData => see(io, client, Data::known(NETWORK, &job.prior), &text(&job.prior, "id")),
    }
}

fn see(io: &mut Io<'_, '_>, client: &Client, mut data: Data, id: &str) -> Outcome<Done> {
    Ok(if read(io, client, &mut data, id)? { made(data.seen()) } else { gone() })
}

fn body(wanted: &Value) -> Json {
    let mut body = json! { "Name" => text(wanted, "name"), "Driver" => text(wanted, "driver") };
    for (name, key) in [("internal", "Internal"), ("attachable", "Attachable"), ("ingress", "Ingress")] {
        body.set(&[key], flag(wanted, name));
    }
    if has(wanted, "ipv6") {
        body.set(&["EnableIPv6"], flag(wanted, "ipv6"));
    }
    if !entries(wanted, "options").is_empty() {
        body.set(&["Options"], json_map(entries(wanted, "options")));
    }
    let labels = items(wanted, "labels").iter().map(|label| (text(label, "label"), text(label, "value")));
    body.set(&["Labels"], json_map(labels.collect()));
    let configs = items(wanted, "ipam_config").iter().map(|own| {
        let mut config = Json::empty_map();
        for (name, key) in [("subnet", "Subnet"), ("gateway", "Gateway"), ("ip_range", "IPRange")] {
            if !text(own, name).is_empty() {
                config.set(&[key], text(own, name));
            }
        }
        if !entries(own, "aux_address").is_empty() {
            config.set(&["AuxiliaryAddresses"], json_map(entries(own, "aux_address")));
        }
        config
    });
    let mut ipam = json! { "Driver" => text(wanted, "ipam_driver"), "Config" => Json::list(configs.collect()) };
    if !entries(wanted, "ipam_options").is_empty() {
        ipam.set(&["Options"], json_map(entries(wanted, "ipam_options")));
    }
    body.set(&["IPAM"], ipam);
    body
}

/// Whether the network is there; looks after the delay.
fn read(io: &mut Io<'_, '_>, client: &Client, data: &mut Data, id: &str) -> Outcome<bool> {
    io.sleep(DELAY)?;
    let Ok(found) = client.get(io, &format!("/networks/{id}"))? else { return Ok(false) };
    let was = data.value();
    data.set_text("name", found["Name"].smol());
    data.set_text("driver", found["Driver"].smol());
    data.set_text("scope", found["Scope"].smol());
    for (name, key) in
        [("internal", "Internal"), ("attachable", "Attachable"), ("ingress", "Ingress"), ("ipv6", "EnableIPv6")]
    {
        data.set_flag(name, found[key].is_true());
    }
    data.set("options", map(&found["Options"]));
    data.set_text("ipam_driver", found["IPAM"]["Driver"].smol());
    data.set("ipam_options", map(&found["IPAM"]["Options"]));
    let element = |name: &str| was.get(name).map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
    data.set("ipam_config", Value::set(element("ipam_config"), configs(&found)));
    let labels = found["Labels"].entries().iter().map(|(label, value)| {
        object(vec![("label", Value::string(label.clone())), ("value", Value::string(value.smol()))])
    });
    data.set("labels", Value::set(element("labels"), labels.collect()));
    Ok(true)
}

/// Address ranges of a network.
pub fn configs(found: &Json) -> Vec<Value> {
    let all = found["IPAM"]["Config"].items().iter().map(|own| {
        let text = |key: &str| Value::string(own[key].smol());
        object(vec![
            ("aux_address", map(&own["AuxiliaryAddresses"])),
            ("gateway", text("Gateway")),
            ("ip_range", text("IPRange")),
            ("subnet", text("Subnet")),
        ])
    });
    all.collect()
}

fn delete(io: &mut Io<'_, '_>, client: &Client, id: &str) -> Outcome<Done> {
    let path = format!("/networks/{id}");
    let start = io.now();
    io.sleep(DELAY)?;
    loop {
        match client.ask(io, Method::Delete, &path, &[], Json::Null)? {
            Ok(_) => return Ok(gone()),
            Err(why) if why.contains("not found") => return Ok(gone()),
            Err(why) if why.contains("has active endpoints") => {}
            Err(why) => return Ok(failed(why)),
        }
        if let Some(late) = wait_on(io, start, "pending")? {
            return Ok(late);
        }
    }
}

/// Sleeps until the next try; the complaint when its time is over.
pub fn wait_on(io: &mut Io<'_, '_>, start: crate::base::Time, state: &str) -> Outcome<Option<Done>> {
    let end = start + PATIENCE;
    io.sleep(RETRY)?;
    if io.now() < end {
        return Ok(None);
    }
    let text = format!("timeout while waiting for state to become 'removed' (last state: '{state}', timeout: 30s)");
    Ok(Some(Done { complaints: vec![Complaint::error(text)], ..Done::default() }))
}
