//! `docker stats`.

use super::args::Args;
use super::format::List;
use super::{ask, exit_with, must, request};
use crate::base::http::{Frame, Method};
use crate::base::{Span, Value, json};
use crate::docker::wire::{binary_size, short, size};
use crate::map;
use crate::process::rerun::{Heard, Io, Outcome};

const LIST: List<'static> = List {
    kind: "*container.statsContext",
    headers: &[
        ("Container", "CONTAINER"),
        ("ID", "CONTAINER ID"),
        ("Name", "NAME"),
        ("CPUPerc", "CPU %"),
        ("MemUsage", "MEM USAGE / LIMIT"),
        ("MemPerc", "MEM %"),
        ("NetIO", "NET I/O"),
        ("BlockIO", "BLOCK I/O"),
        ("PIDs", "PIDS"),
    ],
    default: "table {{.ID}}\t{{.Name}}\t{{.CPUPerc}}\t{{.MemUsage}}\t{{.MemPerc}}\t{{.NetIO}}\t{{.BlockIO}}\t{{.PIDs}}",
    quiet: "{{.ID}}",
    raw: "",
};

pub fn stats(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let once = args.is("no-stream");
    io.memory.interrupt = Some(0);
    if once {
        let rows = all(args, io)?;
        return LIST.print(io, args.get("format"), false, &rows);
    }
    io.resume(Value::Null);
    loop {
        let rows = all(args, io)?;
        io.out("\x1b[H\x1b[J");
        LIST.print(io, args.get("format"), false, &rows)?;
        io.sleep(Span::millis(500))?;
        io.keep(Value::Null);
    }
}

fn all(args: &Args, io: &mut Io<'_, '_>) -> Outcome<Vec<Value>> {
    let mut names = args.words.clone();
    if names.is_empty() {
        let mut list = request(Method::Get, "/containers/json");
        if args.is("all") {
            list = list.with_query("all", "1");
        }
        names = must(io, list)?.items().iter().map(|one| one["Id"].str().to_string()).collect();
    } else {
        for name in &names {
            if let Err(text) = ask(io, request(Method::Get, &format!("/containers/{name}/json")))? {
                return exit_with(1, text);
            }
        }
    }
    // All are asked at once: the longest answer is the wait.
    let asks: Vec<usize> = names
        .iter()
        .map(|name| io.begin(request(Method::Get, &format!("/containers/{name}/stats")).with_query("stream", "0")))
        .collect();
    let mut rows = Vec::new();
    for (index, name) in asks.into_iter().zip(&names) {
        let (call, response) = io.finish_open(index)?;
        if response.stream.is_none() {
            continue;
        }
        loop {
            match io.hear(&[call], false, None)? {
                Heard::Frame(_, Frame::Data(_, bytes)) => {
                    let one = json::parse(String::from_utf8_lossy(&bytes).trim()).unwrap_or_default();
                    let mut row = row(&one, !args.is("no-trunc"));
                    row.set(&["Container"], name.as_str());
                    rows.push(row);
                }
                Heard::Frame(_, Frame::End) => break,
                _ => {}
            }
        }
    }
    Ok(rows)
}

fn row(one: &Value, trunc: bool) -> Value {
    let id = one["id"].str();
    let (usage, limit) = (one.at(&["memory_stats", "usage"]).int(), one.at(&["memory_stats", "limit"]).int());
    let share = if limit > 0 { usage as f64 / limit as f64 * 100.0 } else { 0.0 };
    let net = one.at(&["networks", "eth0"]);
    map! {
        "Container" => id, "ID" => if trunc { short(id) } else { id }, "Name" => one["name"].str().trim_start_matches('/'),
        "CPUPerc" => "0.00%", "MemUsage" => format!("{} / {}", binary_size(usage), binary_size(limit)),
        "MemPerc" => format!("{share:.2}%"),
        "NetIO" => format!("{} / {}", size(net["rx_bytes"].int(), 3), size(net["tx_bytes"].int(), 3)),
        "BlockIO" => "0B / 0B", "PIDs" => one.at(&["pids_stats", "current"]).int().to_string(),
    }
}
