//! Verbs that send one request for each container: stop, restart, kill, pause, unpause, rm, wait, rename, update, port,
//! diff, top, prune.

use super::args::Args;
use super::{ask, confirmed, each, exit_with, must, request};
use crate::base::Value;
use crate::base::columns::{Layout, align};
use crate::base::http::Method;
use crate::docker::ports::port_number;
use crate::docker::wire::size;
use crate::map;
use crate::process::rerun::{Failure, Io, Outcome, Stop};

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let verb = args.command.name.rsplit(' ').next().unwrap_or_default();
    if args.has("time") {
        io.line("Flag --time has been deprecated, use --timeout instead");
    }
    match verb {
        "stop" | "restart" | "kill" | "pause" | "unpause" => each(io, &args.words, |io, name| {
            let mut post = request(Method::Post, &format!("/containers/{name}/{verb}"));
            if args.has("signal") {
                post = post.with_query("signal", args.get("signal"));
            }
            for flag in ["time", "timeout"] {
                if args.has(flag) {
                    post = post.with_query("t", args.get(flag));
                }
            }
            Ok(ask(io, post)?.map(|_| format!("{name}\n")))
        }),
        "rm" => remove(args, io),
        "wait" => each(io, &args.words, |io, name| {
            let answer = ask(io, request(Method::Post, &format!("/containers/{name}/wait")))?;
            Ok(answer.map(|value| format!("{}\n", value["StatusCode"].int())))
        }),
        "rename" => {
            let (old, new) = (args.word(0).trim(), args.word(1).trim());
            if old.is_empty() || new.is_empty() {
                return exit_with(1, "Error: Neither old nor new names may be empty");
            }
            match ask(io, request(Method::Post, &format!("/containers/{old}/rename")).with_query("name", new))? {
                Ok(_) => Ok(()),
                Err(text) => exit_with(1, format!("{text}\nError: failed to rename container named {old}")),
            }
        }
        "update" => update(args, io),
        "port" => port(args, io),
        "diff" => {
            let changes = must(io, request(Method::Get, &format!("/containers/{}/changes", args.word(0))))?;
            for one in changes.items() {
                let kind = match one["Kind"].int() {
                    0 => "C",
                    1 => "A",
                    _ => "D",
                };
                io.line(format!("{kind} {}", one["Path"].str()));
            }
            Ok(())
        }
        "top" => top(args, io),
        _ => {
            if !confirmed(io, args, "This will remove all stopped containers.")? {
                return Ok(());
            }
            let mut post = request(Method::Post, "/containers/prune");
            if args.has("filter") {
                post = post.with_query("filters", super::format::filters(args.list("filter")));
            }
            let done = must(io, post)?;
            told(io, "Deleted Containers:", &done["ContainersDeleted"]);
            io.line(format!("Total reclaimed space: {}", size(done["SpaceReclaimed"].int(), 4)));
            Ok(())
        }
    }
}

/// A list of what is gone, with a title, if there is any.
pub fn told(io: &mut Io<'_, '_>, title: &str, gone: &Value) {
    if !gone.is_empty() {
        io.line(title);
        for one in gone.items() {
            io.line(one.str());
        }
        io.line("");
    }
}

fn remove(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let force = args.is("force");
    let mut failures = Vec::new();
    for name in &args.words {
        let name = name.trim_matches('/');
        if name.is_empty() {
            failures.push("container name cannot be empty".to_string());
            continue;
        }
        let mut delete = request(Method::Delete, &format!("/containers/{name}"));
        if force {
            delete = delete.with_query("force", "1");
        }
        if args.is("volumes") {
            delete = delete.with_query("v", "1");
        }
        if args.is("link") {
            delete = delete.with_query("link", "1");
        }
        let response = io.send(delete)?;
        if response.ok() && response.code != 0 {
            io.line(name);
        } else if force && response.code == 404 {
            // What is not there is gone as wished.
            io.err(format!("{}\n", super::complaint(&response)));
        } else {
            failures.push(super::complaint(&response));
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(Stop::Fail(failures.into_iter().map(Failure::Full).collect(), 1))
}

fn update(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut body = Value::empty_map();
    super::options::limits(args, &mut body);
    for (flag, key) in [("cpuset-cpus", "CpusetCpus"), ("cpuset-mems", "CpusetMems")] {
        if args.has(flag) {
            body.set(&[key], args.get(flag));
        }
    }
    if args.has("cpus") {
        body.set(&["NanoCpus"], super::args::nano(args.get("cpus")).unwrap_or(0));
    }
    if args.has("restart") {
        let (name, count) = match super::options::restart_policy(args.get("restart")) {
            Ok(policy) => policy,
            Err(why) => return exit_with(1, why),
        };
        body.set(&["RestartPolicy"], map! { "Name" => name, "MaximumRetryCount" => count });
    }
    if body.is_empty() {
        return exit_with(1, "you must provide one or more flags when using this command");
    }
    each(io, &args.words, |io, name| {
        let post = request(Method::Post, &format!("/containers/{name}/update")).with_body(body.clone());
        Ok(ask(io, post)?.map(|_| format!("{name}\n")))
    })
}

fn port(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let name = args.word(0);
    let container = must(io, request(Method::Get, &format!("/containers/{name}/json")))?;
    let ports = container.at(&["NetworkSettings", "Ports"]);
    let address = |binding: &Value| {
        let (ip, number) = (binding["HostIp"].str(), binding["HostPort"].str());
        if ip.contains(':') { format!("[{ip}]:{number}") } else { format!("{ip}:{number}") }
    };
    let asked = args.word(1);
    if !asked.is_empty() {
        let full = if asked.contains('/') { asked.to_string() } else { format!("{asked}/tcp") };
        let number = asked.split('/').next().unwrap_or(asked);
        if let Err(error) = number.parse::<u16>() {
            let why = super::options::number_error(number, Some(error));
            return exit_with(1, format!("Error: invalid port ({number}): {why}"));
        }
        let bindings = &ports[full.as_str()];
        if bindings.is_empty() {
            return exit_with(1, format!("Error: No public port '{asked}' published for {name}"));
        }
        for binding in bindings.items() {
            io.line(address(binding));
        }
        return Ok(());
    }
    let mut all: Vec<(&str, &Value)> = ports.entries().iter().map(|(port, list)| (port.as_str(), list)).collect();
    all.sort_by_key(|(port, _)| port_number(port));
    for (port, bindings) in all {
        let mut lines: Vec<String> = bindings.items().iter().map(address).collect();
        lines.sort();
        for line in lines {
            io.line(format!("{port} -> {line}"));
        }
    }
    Ok(())
}

fn top(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let options: Vec<&str> = args.words.iter().skip(1).map(String::as_str).collect();
    let ask =
        request(Method::Get, &format!("/containers/{}/top", args.word(0))).with_query("ps_args", options.join(" "));
    let list = must(io, ask)?;
    let line = |row: &Value| row.items().iter().map(Value::str).collect::<Vec<_>>().join("\t") + "\n";
    let text: String =
        std::iter::once(line(&list["Titles"])).chain(list["Processes"].items().iter().map(line)).collect();
    io.out(align(&text, Layout { min_width: 20, tab_width: 1, padding: 3, pad: ' ' }));
    Ok(())
}
