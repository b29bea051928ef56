//! Data sources: what is looked up and never made.

use super::client::Client;
use super::field::Field;
use super::image::digest;
use super::object::{Data, flag, list, map, object, text};
use super::{failed, made, network};
use crate::base::Value as Json;
use crate::base::http::Method;
use crate::process::rerun::{Io, Outcome};
use crate::runtime::{self, Reference};
use crate::terraform::provider::{Done, Job};
use crate::terraform::value::{Type, Value};

pub fn run(io: &mut Io<'_, '_>, client: &Client, name: &str, fields: &'static [Field], job: &Job) -> Outcome<Done> {
    // Presets stand in for what the configuration leaves out.
    let (planned, _) = super::change::plan(fields, &Value::null(Type::Dynamic), &job.config);
    let mut data = Data::planned(fields, &planned);
    let wanted = data.value();
    let given = text(&wanted, "name");
    match name {
        "docker_image" => match client.get(io, &format!("/images/{given}/json"))? {
            Ok(found) => {
                data.set_text("id", found["Id"].smol());
                data.set_text("repo_digest", digest(&found, &given));
            }
            Err(why) if why.contains("No such image") => {
                return Ok(failed(format!("did not find docker image '{given}'")));
            }
            Err(why) => return Ok(failed(why)),
        },
        "docker_network" => match client.get(io, &format!("/networks/{given}"))? {
            Ok(found) => fill_network(&mut data, &found, &wanted),
            Err(why) => return Ok(failed(format!("Could not find docker network: {why}"))),
        },
        "docker_registry_image" => match registry_digest(&given) {
            Ok(found) => {
                data.set_text("id", found.as_str());
                data.set_text("sha256_digest", found);
            }
            Err(why) => return Ok(failed(why)),
        },
        "docker_containers" => match client.ask(io, Method::Get, "/containers/json", &[("all", "1")], Json::Null)? {
            Ok(found) => fill_containers(&mut data, &found, &wanted),
            Err(why) => return Ok(failed(why)),
        },
        _ => {
            let path = format!("/containers/{given}/json");
            let found = match client.get(io, &path)? {
                Ok(found) => found,
                Err(why) => return Ok(failed(why)),
            };
            let one = |name: &str| if flag(&wanted, name) { "1" } else { "0" };
            let (since, until, tail) = (text(&wanted, "since"), text(&wanted, "until"), text(&wanted, "tail"));
            let mut query = vec![("stdout", one("show_stdout")), ("stderr", one("show_stderr"))];
            query.push(("timestamps", one("timestamps")));
            query.push(("details", one("details")));
            for (key, value) in [("since", &since), ("until", &until), ("tail", &tail)] {
                if !value.is_empty() {
                    query.push((key, value));
                }
            }
            match client.logs(io, found["Id"].str(), &query)? {
                Ok(bytes) => {
                    let all = String::from_utf8_lossy(&bytes).lines().map(Value::string).collect();
                    data.set("logs_list_string", Value::list(Type::String, all));
                    data.set_text("id", given.as_str());
                }
                Err(why) => return Ok(failed(why)),
            }
        }
    }
    Ok(made(data.done()))
}

fn element(object: &Value, name: &str) -> Type {
    object.get(name).map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default()
}

fn fill_network(data: &mut Data, found: &Json, wanted: &Value) {
    data.set_text("id", found["Id"].smol());
    data.set_text("name", found["Name"].smol());
    data.set_text("driver", found["Driver"].smol());
    data.set_text("scope", found["Scope"].smol());
    data.set_flag("internal", found["Internal"].is_true());
    data.set("options", map(&found["Options"]));
    data.set("ipam_config", Value::set(element(wanted, "ipam_config"), network::configs(found)));
    let containers = found["Containers"].entries().iter().map(|(id, one)| {
        let text = |key: &str| Value::string(one[key].smol());
        object(vec![
            ("container_id", Value::string(id.clone())),
            ("endpoint_id", text("EndpointID")),
            ("ipv4_address", text("IPv4Address")),
            ("ipv6_address", text("IPv6Address")),
            ("mac_address", text("MacAddress")),
            ("name", text("Name")),
        ])
    });
    data.set("containers", Value::set(element(wanted, "containers"), containers.collect()));
}

fn fill_containers(data: &mut Data, found: &Json, wanted: &Value) {
    let all = found.items().iter().map(|one| {
        let text = |key: &str| Value::string(one[key].smol());
        object(vec![
            ("command", text("Command")),
            ("created", Value::int(one["Created"].int())),
            ("id", text("Id")),
            ("image", text("Image")),
            ("image_id", text("ImageID")),
            ("labels", map(&one["Labels"])),
            ("names", list(&one["Names"])),
            ("state", text("State")),
            ("status", text("Status")),
        ])
    });
    data.set("containers", Value::list(element(wanted, "containers"), all.collect()));
    data.set_text("id", "docker_containers");
}

/// What the registry has under a name.
fn registry_digest(name: &str) -> Result<String, String> {
    let refused = |path: &str, tag: &str, why: &str| {
        format!("Got error when attempting to fetch image version {path}:{tag} from registry: {why}")
    };
    let reference = Reference::parse(name).map_err(|why| refused(name, "latest", &why))?;
    let tag = if reference.tag.is_empty() { &reference.digest } else { &reference.tag };
    match runtime::find(&reference) {
        Ok(image) => Ok(image.digest.to_string()),
        Err(_) => Err(refused(&reference.path, tag, "got bad response from registry: 404 Not Found")),
    }
}
