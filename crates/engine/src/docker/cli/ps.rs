//! `docker ps`.

use super::args::Args;
use super::format::{CONTAINERS, LABELS, List, ellipsis, filters, quoted};
use super::{must, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::docker::wire::{go_time, human, short, size};
use crate::map;
use crate::process::rerun::{Io, Outcome};

const LIST: List<'static> = List {
    kind: CONTAINERS,
    headers: &[
        ("ID", "CONTAINER ID"),
        ("Names", "NAMES"),
        ("Image", "IMAGE"),
        ("Command", "COMMAND"),
        ("CreatedAt", "CREATED AT"),
        ("RunningFor", "CREATED"),
        ("Ports", "PORTS"),
        ("State", "STATE"),
        ("Status", "STATUS"),
        ("Size", "SIZE"),
        ("Labels", "LABELS"),
        ("Mounts", "MOUNTS"),
        ("LocalVolumes", "LOCAL VOLUMES"),
        ("Networks", "NETWORKS"),
        ("Platform", "PLATFORM"),
    ],
    default: "table {{.ID}}\t{{.Image}}\t{{.Command}}\t{{.RunningFor}}\t{{.Status}}\t{{.Ports}}\t{{.Names}}",
    quiet: "{{.ID}}",
    raw: "container_id: {{.ID}}\\nimage: {{.Image}}\\ncommand: {{.Command}}\\ncreated_at: {{.CreatedAt}}\\nstate: {{.State}}\\nstatus: {{.Status}}\\nnames: {{.Names}}\\nlabels:{{pad .Labels 1 0}}\\nports:{{pad .Ports 1 0}}\\n",
};
const WITH_SIZE: &str =
    "table {{.ID}}\t{{.Image}}\t{{.Command}}\t{{.RunningFor}}\t{{.Status}}\t{{.Ports}}\t{{.Names}}\t{{.Size}}";

pub fn ps(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut given = args.get("format");
    if args.is("quiet") && !given.is_empty() {
        io.err("WARNING: Ignoring custom format, because both --format and --quiet are set.\n");
        given = "";
    }
    let with_size = args.is("size") && matches!(given, "" | "table") && !args.is("quiet");
    let format = if with_size { WITH_SIZE } else { given };
    let mut ask = request(Method::Get, "/containers/json");
    let last = if args.is("latest") {
        1
    } else if args.has("last") {
        args.int("last")
    } else {
        -1
    };
    if args.is("all") {
        ask = ask.with_query("all", "1");
    }
    if last > 0 {
        ask = ask.with_query("limit", last.to_string());
    }
    if args.is("size") || format.contains(".Size") || format.contains("json .}}") {
        ask = ask.with_query("size", "1");
    }
    if args.has("filter") {
        ask = ask.with_query("filters", filters(args.list("filter")));
    }
    let list = must(io, ask)?;
    let rows: Vec<Value> =
        list.items().iter().map(|one| row(one, !args.is("no-trunc"), io.now().as_seconds())).collect();
    LIST.print(io, format, args.is("quiet"), &rows)
}

pub fn row(one: &Value, trunc: bool, now: i64) -> Value {
    let id = one["Id"].str();
    let cut = |text: &str, most| if trunc { ellipsis(text, most) } else { text.to_string() };
    let names: Vec<&str> = one["Names"]
        .items()
        .iter()
        .map(|name| name.str().trim_start_matches('/'))
        // What others call it is of the long form.
        .filter(|name| !trunc || !name.contains('/'))
        .collect();
    let created = one["Created"].int();
    let image = one["Image"].str();
    let image = match image.strip_prefix("sha256:") {
        Some(hex) if trunc => short(hex),
        _ => image,
    };
    let labels: Vec<String> =
        one["Labels"].entries().iter().map(|(key, value)| format!("{key}={}", value.str())).collect();
    let mounts: Vec<String> = one["Mounts"]
        .items()
        .iter()
        .map(|mount| if mount["Name"].is_empty() { &mount["Source"] } else { &mount["Name"] })
        .map(|name| cut(name.str(), 15))
        .collect();
    let volumes = one["Mounts"].items().iter().filter(|mount| mount["Driver"].str() == "local").count();
    let networks: Vec<&str> = one["NetworkSettings"]["Networks"].entries().keys().map(|key| key.as_str()).collect();
    let mut bytes = size(one["SizeRw"].int(), 3);
    if one["SizeRootFs"].int() > 0 {
        bytes = format!("{bytes} (virtual {})", size(one["SizeRootFs"].int(), 3));
    }
    map! {
        "ID" => if trunc { short(id) } else { id }, "Names" => names.join(","), "Image" => image,
        "Command" => quoted(&cut(one["Command"].str(), 20)), "CreatedAt" => go_time(created),
        "RunningFor" => format!("{} ago", human(now - created)), "Ports" => ports(&one["Ports"]),
        "State" => &one["State"], "Status" => &one["Status"], "Size" => bytes, "Labels" => labels.join(","),
        "Mounts" => mounts.join(","), "LocalVolumes" => volumes.to_string(), "Networks" => networks.join(","),
        "Platform" => Value::Null, LABELS => &one["Labels"],
    }
}

/// Neighbouring ports that are the same inside and outside stand together; others follow.
fn ports(list: &Value) -> String {
    let mut all: Vec<(i64, &str, i64, &str)> = list
        .items()
        .iter()
        .map(|p| (p["PrivatePort"].int(), p["IP"].str(), p["PublicPort"].int(), p["Type"].str()))
        .collect();
    all.sort_unstable();
    let joined =
        |ip: &str, rest: String| if ip.contains(':') { format!("[{ip}]:{rest}") } else { format!("{ip}:{rest}") };
    let group = |(ip, kind, first, last): &(String, String, i64, i64)| {
        let numbers = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let shown = if ip.is_empty() { numbers } else { format!("{}->{numbers}", joined(ip, numbers.clone())) };
        format!("{shown}/{kind}")
    };
    let (mut groups, mut out, mut mapped): (Vec<(String, String, i64, i64)>, Vec<String>, Vec<String>) =
        Default::default();
    for (private, ip, public, kind) in all {
        if !ip.is_empty() && public != private {
            mapped.push(format!("{}->{private}/{kind}", joined(ip, public.to_string())));
            continue;
        }
        match groups.iter_mut().find(|own| own.0 == ip && own.1 == kind) {
            None => groups.push((ip.to_string(), kind.to_string(), private, private)),
            Some(own) if private == own.3 + 1 => own.3 = private,
            Some(own) => {
                out.push(group(own));
                (own.2, own.3) = (private, private);
            }
        }
    }
    out.extend(groups.iter().map(group));
    out.extend(mapped);
    out.join(", ")
}
