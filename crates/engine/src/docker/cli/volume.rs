//! `docker volume …`.

use super::args::Args;
use super::format::{LABELS, List, filters};
use super::simple::told;
use super::{ask, confirmed, each, exit_with, must, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::docker::wire::size;
use crate::map;
use crate::process::rerun::{Io, Outcome};

const LIST: List<'static> = List {
    kind: "*formatter.volumeContext",
    headers: &[
        ("Name", "VOLUME NAME"),
        ("Driver", "DRIVER"),
        ("Scope", "SCOPE"),
        ("Mountpoint", "MOUNTPOINT"),
        ("Labels", "LABELS"),
        ("Links", "LINKS"),
        ("Size", "SIZE"),
        ("Availability", "AVAILABILITY"),
        ("Group", "GROUP"),
        ("Status", "STATUS"),
    ],
    default: "table {{.Driver}}\t{{.Name}}",
    quiet: "{{.Name}}",
    raw: "name: {{.Name}}\\ndriver: {{.Driver}}\\n",
};

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.name {
        "volume create" => {
            let pairs = |name: &str| {
                let mut out = Value::empty_map();
                for text in args.list(name) {
                    let (key, value) = text.split_once('=').unwrap_or((text, ""));
                    out.set(&[key], value);
                }
                out
            };
            if args.has("name") && !args.words.is_empty() {
                return exit_with(
                    1,
                    "conflicting options: cannot specify a volume-name through both --name and as a positional arg",
                );
            }
            let name = if args.has("name") { args.get("name") } else { args.word(0) };
            let driver = if args.has("driver") { args.get("driver") } else { "local" };
            let body =
                map! { "Name" => name, "Driver" => driver, "DriverOpts" => pairs("opt"), "Labels" => pairs("label") };
            let made = must(io, request(Method::Post, "/volumes/create").with_body(body))?;
            io.line(made["Name"].str());
            Ok(())
        }
        "volume ls" => list(args, io),
        "volume rm" => each(io, &args.words, |io, name| {
            if name.is_empty() {
                return Ok(Err("invalid volume name or ID: value is empty".into()));
            }
            let mut delete = request(Method::Delete, &format!("/volumes/{name}"));
            if args.is("force") {
                delete = delete.with_query("force", "1");
            }
            Ok(ask(io, delete)?.map(|_| format!("{name}\n")))
        }),
        _ => {
            let warning = if args.is("all") {
                "This will remove all local volumes not used by at least one container."
            } else {
                "This will remove anonymous local volumes not used by at least one container."
            };
            if !confirmed(io, args, warning)? {
                return Ok(());
            }
            let mut wanted = args.list("filter").to_vec();
            if args.is("all") {
                wanted.push("all=true".into());
            }
            let mut post = request(Method::Post, "/volumes/prune");
            if !wanted.is_empty() {
                post = post.with_query("filters", filters(&wanted));
            }
            let done = must(io, post)?;
            told(io, "Deleted Volumes:", &done["VolumesDeleted"]);
            io.line(format!("Total reclaimed space: {}", size(done["SpaceReclaimed"].int(), 4)));
            Ok(())
        }
    }
}

fn list(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut ask = request(Method::Get, "/volumes");
    if args.has("filter") {
        ask = ask.with_query("filters", filters(args.list("filter")));
    }
    let found = must(io, ask)?;
    let rows: Vec<Value> = found["Volumes"]
        .items()
        .iter()
        .map(|volume| {
            let labels: Vec<String> =
                volume["Labels"].entries().iter().map(|(key, value)| format!("{key}={}", value.str())).collect();
            map! {
                "Name" => &volume["Name"], "Driver" => &volume["Driver"], "Scope" => &volume["Scope"],
                "Mountpoint" => &volume["Mountpoint"], "Labels" => labels.join(","), "Links" => "N/A", "Size" => "N/A",
                "Availability" => "N/A", "Group" => "N/A", "Status" => "N/A", LABELS => if volume["Labels"].is_null() { Value::empty_map() } else { volume["Labels"].clone() },
            }
        })
        .collect();
    LIST.print(io, args.get("format"), args.is("quiet"), &rows)
}
