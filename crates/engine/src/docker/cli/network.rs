//! `docker network …`.

use super::args::Args;
use super::format::{LABELS, List, filters};
use super::simple::told;
use super::{confirmed, must, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::docker::wire::{go_time, short};
use crate::map;
use crate::process::rerun::{Failure, Io, Outcome, Stop};

const LIST: List<'static> = List {
    kind: "*network.networkContext",
    headers: &[
        ("ID", "NETWORK ID"),
        ("Name", "NAME"),
        ("Driver", "DRIVER"),
        ("Scope", "SCOPE"),
        ("IPv4", "IPV4"),
        ("IPv6", "IPV6"),
        ("Internal", "INTERNAL"),
        ("Labels", "LABELS"),
        ("CreatedAt", "CREATED AT"),
    ],
    default: "table {{.ID}}\t{{.Name}}\t{{.Driver}}\t{{.Scope}}",
    quiet: "{{.ID}}",
    raw: "network_id: {{.ID}}\\nname: {{.Name}}\\ndriver: {{.Driver}}\\nscope: {{.Scope}}\\n",
};

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.name {
        "network create" => create(args, io),
        "network ls" => list(args, io),
        "network rm" => remove(args, io),
        "network connect" => {
            let mut settings = Value::empty_map();
            if args.has("alias") {
                settings.set(&["Aliases"], Value::list(args.list("alias").iter().map(Value::from).collect()));
            }
            settings.set(&["IPAMConfig"], Value::empty_map());
            if args.has("ip") {
                settings.set(&["IPAMConfig", "IPv4Address"], args.get("ip"));
            }
            for option in args.list("driver-opt") {
                let (key, value) = option.split_once('=').unwrap_or((option, ""));
                settings.set(&["DriverOpts", key], value);
            }
            named(args.word(0), args.word(1))?;
            if args.has("link") {
                settings.set(&["Links"], Value::list(args.list("link").iter().map(Value::from).collect()));
            }
            if args.has("gw-priority") {
                settings.set(&["GwPriority"], args.int("gw-priority"));
            }
            let body = map! { "Container" => args.word(1), "EndpointConfig" => settings };
            must(io, request(Method::Post, &format!("/networks/{}/connect", args.word(0))).with_body(body)).map(|_| ())
        }
        "network disconnect" => {
            named(args.word(0), args.word(1))?;
            let body = map! { "Container" => args.word(1), "Force" => args.is("force") };
            must(io, request(Method::Post, &format!("/networks/{}/disconnect", args.word(0))).with_body(body))
                .map(|_| ())
        }
        _ => {
            if !confirmed(io, args, "This will remove all custom networks not used by at least one container.")? {
                return Ok(());
            }
            let mut post = request(Method::Post, "/networks/prune");
            if args.has("filter") {
                post = post.with_query("filters", filters(args.list("filter")));
            }
            let done = must(io, post)?;
            told(io, "Deleted Networks:", &done["NetworksDeleted"]);
            Ok(())
        }
    }
}

/// Both the network and the container have names.
fn named(network: &str, container: &str) -> Outcome {
    let what = match (network, container) {
        ("", _) => "network",
        (_, "") => "container",
        _ => return Ok(()),
    };
    super::exit_with(1, format!("invalid {what} name or ID: value is empty"))
}

fn create(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let split = |name: &str| -> Vec<String> {
        args.list(name).iter().flat_map(|text| text.split(',')).map(str::to_string).collect()
    };
    let pairs = |name: &str| {
        let mut out = Value::empty_map();
        for text in args.list(name) {
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            out.set(&[key], value);
        }
        out
    };
    let (subnets, gateways, ranges) = (split("subnet"), split("gateway"), split("ip-range"));
    let mut config = Vec::new();
    for (index, subnet) in subnets.iter().enumerate() {
        let mut one = map! { "Subnet" => subnet };
        if let Some(range) = ranges.get(index) {
            one.set(&["IPRange"], range);
        }
        if let Some(gateway) = gateways.get(index) {
            one.set(&["Gateway"], gateway);
        }
        if args.has("aux-address") && index == 0 {
            one.set(&["AuxiliaryAddresses"], pairs("aux-address"));
        }
        config.push(one);
    }
    if subnets.is_empty() && !(gateways.is_empty() && ranges.is_empty()) {
        return super::exit_with(1, "every ip-range or gateway must have a corresponding subnet");
    }
    if let Some(bad) = ranges.iter().find(|range| !range.contains('/')) {
        return super::exit_with(1, format!("invalid CIDR address: {bad}"));
    }
    let inside = |address: &str| subnets.iter().any(|subnet| crate::docker::networks::holds(subnet, address));
    for (what, list) in [("range", &ranges), ("gateway", &gateways)] {
        if let Some(bad) = list.iter().find(|address| !inside(address.split('/').next().unwrap_or(address))) {
            return super::exit_with(1, format!("no matching subnet for {what} {bad}"));
        }
    }
    for text in args.list("aux-address") {
        let address = text.split_once('=').map_or("", |(_, address)| address);
        if !inside(address) {
            return super::exit_with(1, format!("no matching subnet for aux-address {address}"));
        }
    }
    let driver = if args.has("driver") { args.get("driver") } else { "bridge" };
    let body = map! {
        "Name" => args.word(0), "Driver" => driver, "Scope" => args.get("scope"), "Internal" => args.is("internal"),
        "Attachable" => args.is("attachable"), "Ingress" => args.is("ingress"),
        "EnableIPv6" => args.is("ipv6"), "ConfigOnly" => args.is("config-only"),
        "ConfigFrom" => map! { "Network" => args.get("config-from") },
        "IPAM" => map! { "Driver" => if args.has("ipam-driver") { args.get("ipam-driver") } else { "default" }, "Options" => pairs("ipam-opt"), "Config" => config },
        "Options" => pairs("opt"), "Labels" => pairs("label"),
    };
    let made = must(io, request(Method::Post, "/networks/create").with_body(body))?;
    io.line(made["Id"].str());
    Ok(())
}

fn list(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut ask = request(Method::Get, "/networks");
    if args.has("filter") {
        ask = ask.with_query("filters", filters(args.list("filter")));
    }
    let mut found = must(io, ask)?.items().to_vec();
    found.sort_by_key(|network| network["Name"].smol());
    let rows: Vec<Value> = found
        .iter()
        .map(|network| {
            let id = network["Id"].str();
            let labels: Vec<String> =
                network["Labels"].entries().iter().map(|(key, value)| format!("{key}={}", value.str())).collect();
            let created = crate::base::Time::parse(network["Created"].str()).map_or(0, |at| at.as_seconds());
            map! {
                "ID" => if args.is("no-trunc") { id } else { short(id) }, "Name" => &network["Name"],
                "Driver" => &network["Driver"], "Scope" => &network["Scope"],
                "IPv4" => network["EnableIPv4"].is_true().to_string(), "IPv6" => network["EnableIPv6"].is_true().to_string(),
                "Internal" => network["Internal"].is_true().to_string(), "Labels" => labels.join(","),
                "CreatedAt" => go_time(created), LABELS => &network["Labels"],
            }
        })
        .collect();
    LIST.print(io, args.get("format"), args.is("quiet"), &rows)
}

/// Complaints come as they arise; a line at the end says that there were some.
fn remove(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut failed = false;
    for name in &args.words {
        if name.is_empty() {
            io.err("invalid network name or ID: value is empty\n");
            failed = true;
            continue;
        }
        let response = io.send(request(Method::Delete, &format!("/networks/{name}")))?;
        if response.ok() && response.code != 0 {
            io.line(name);
        } else if !(args.is("force") && response.code == 404) {
            io.err(format!("{}\n", super::complaint(&response)));
            failed = true;
        }
    }
    if failed { Err(Stop::Fail(vec![Failure::Full("exit status 1".into())], 1)) } else { Ok(()) }
}
