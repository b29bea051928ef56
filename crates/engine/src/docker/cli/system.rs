//! `docker version`, `info`, `events`, `system df` and `system prune`.

use super::args::Args;
use super::format::{self, List, filters};
use super::simple::told;
use super::{ask, complaint, confirmed, exit_with, moment, must, request};
use crate::base::columns::align;
use crate::base::http::{Frame, Method};
use crate::base::{Value, json};
use crate::docker::system::{API, VERSION};
use crate::docker::wire::{binary_size, human, short, size};
use crate::map;
use crate::process::rerun::{Heard, Io, Outcome};

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.name {
        "version" => version(args, io),
        "system info" => info(args, io),
        "system df" => disk_usage(args, io),
        "system events" => events(args, io),
        _ => prune(args, io),
    }
}

pub const CLIENT_INFO: &str = "Client:\n Version:    28.4.0\n Context:    default\n Debug Mode: false\n\nServer:\n";

fn client() -> Value {
    map! {
        "Version" => VERSION, "ApiVersion" => API, "DefaultAPIVersion" => API, "GitCommit" => "d8eb465",
        "GoVersion" => "go1.24.7", "Os" => "linux", "Arch" => "amd64", "BuildTime" => "Wed Sep  3 20:57:32 2025",
        "Context" => "default", "APIVersion" => API,
    }
}

/// The client's part of `docker version`.
pub fn client_version() -> String {
    let client = client();
    let line = |name: &str, value: &str| format!(" {:<18}{value}\n", format!("{name}:"));
    let mut out = "Client:\n".to_string();
    for (name, key) in [
        ("Version", "Version"),
        ("API version", "ApiVersion"),
        ("Go version", "GoVersion"),
        ("Git commit", "GitCommit"),
        ("Built", "BuildTime"),
    ] {
        out.push_str(&line(name, client[key].str()));
    }
    out + &line("OS/Arch", "linux/amd64") + &line("Context", "default")
}

fn version(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let named = |text: &str| {
        text.replacen("template: :", "template: version:", 1).replace("executing \"\"", "executing \"version\"")
    };
    let template = match format::template(args.get("format")) {
        Ok(template) => template,
        Err(error) => return exit_with(64, format!("template parsing error: {}", named(&error))),
    };
    let server = ask(io, request(Method::Get, "/version"))?;
    if !args.get("format").is_empty() {
        let mut one = server.clone().unwrap_or_default();
        let api = one["ApiVersion"].clone();
        if !one.is_null() {
            one.set(&["APIVersion"], api);
        }
        let value = map! { "Client" => client(), "Server" => one };
        let mut typed = value.clone();
        typed.set(&["Server", "Experimental"], false);
        match format::object(&template, &typed, &value) {
            Ok(text) => io.out(text),
            Err(text) => {
                let kind = match text.split_once("at <.").map_or("", |(_, path)| path) {
                    path if path.starts_with("Server.") => "*types.Version",
                    path if path.starts_with("Client.") => "system.clientVersion",
                    _ => "system.versionInfo",
                };
                io.out("\n");
                return exit_with(1, named(&format::typed(&text, kind)));
            }
        }
        return server.map(|_| ()).or_else(|text| exit_with(1, text));
    }
    io.out(client_version());
    let server = server.or_else(|text| exit_with(1, text))?;
    let mut out = format!("\nServer: {}\n", server.at(&["Platform", "Name"]).str());
    for part in server["Components"].items() {
        let details = &part["Details"];
        let line = |name: &str, value: &str| format!("  {:<17}{value}\n", format!("{name}:"));
        out.push_str(&format!(" {}:\n{}", part["Name"].str(), line("Version", part["Version"].str())));
        if part["Name"].str() == "Engine" {
            let api = format!("{} (minimum version {})", details["ApiVersion"].str(), details["MinAPIVersion"].str());
            out.push_str(&line("API version", &api));
            out.push_str(&line("Go version", details["GoVersion"].str()));
            out.push_str(&line("Git commit", details["GitCommit"].str()));
            out.push_str(&line("Built", "Wed Jan  1 00:00:00 2025"));
            out.push_str(&line("OS/Arch", "linux/amd64"));
            out.push_str(&line("Experimental", "false"));
        } else {
            out.push_str(&line("GitCommit", details["GitCommit"].str()));
        }
    }
    io.out(out);
    Ok(())
}

fn info(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let answer = ask(io, request(Method::Get, "/info"))?;
    if !args.get("format").is_empty() {
        let value = answer.or_else(|text| exit_with(1, text))?;
        let template = match format::template(args.get("format")) {
            Ok(template) => template,
            Err(error) => return exit_with(64, format!("template parsing error: {error}")),
        };
        let mut typed = value.clone();
        typed.set(&["ClientErrors"], Value::Null);
        typed.set(
            &["ClientInfo"],
            map! { "Debug" => false, "Context" => "default", "Plugins" => Value::list(Vec::new()), "Warnings" => Value::Null },
        );
        return match format::object(&template, &typed, &value) {
            Ok(text) => {
                io.out(text);
                Ok(())
            }
            Err(text) => {
                io.out("\n");
                exit_with(1, format::typed(&text, "system.dockerInfo"))
            }
        };
    }
    io.out(CLIENT_INFO);
    let info = answer.or_else(|text| exit_with(1, text))?;
    let n = |key: &str| info[key].int();
    let t = |key: &str| info[key].str();
    io.out(format!(
        " Containers: {}\n  Running: {}\n  Paused: {}\n  Stopped: {}\n Images: {}\n Server Version: {}\n Storage Driver: {}\n",
        n("Containers"), n("ContainersRunning"), n("ContainersPaused"), n("ContainersStopped"), n("Images"), t("ServerVersion"), t("Driver")
    ));
    io.out(format!(
        "  Backing Filesystem: extfs\n  Supports d_type: true\n  Using metacopy: false\n  Native Overlay Diff: true\n  userxattr: false\n Logging Driver: {}\n Cgroup Driver: {}\n Cgroup Version: {}\n",
        t("LoggingDriver"), t("CgroupDriver"), t("CgroupVersion")
    ));
    io.out(" Plugins:\n  Volume: local\n  Network: bridge host ipvlan macvlan null overlay\n  Log: awslogs fluentd gcplogs gelf journald json-file local splunk syslog\n CDI spec directories:\n  /etc/cdi\n  /var/run/cdi\n Swarm: inactive\n Runtimes: io.containerd.runc.v2 runc\n Default Runtime: runc\n Init Binary: docker-init\n containerd version: \n runc version: \n init version: \n Security Options:\n  seccomp\n   Profile: builtin\n");
    io.out(format!(
        " Kernel Version: {}\n Operating System: {}\n OSType: {}\n Architecture: {}\n CPUs: {}\n Total Memory: {}\n Name: {}\n ID: {}\n Docker Root Dir: {}\n Debug Mode: false\n Experimental: false\n Insecure Registries:\n  ::1/128\n  127.0.0.0/8\n Live Restore Enabled: false\n\n",
        t("KernelVersion"), t("OperatingSystem"), t("OSType"), t("Architecture"), n("NCPU"), binary_size(n("MemTotal")), t("Name"), t("ID"), t("DockerRootDir")
    ));
    Ok(())
}

const USAGE: List<'static> = List {
    kind: "*formatter.diskUsageImagesContext",
    headers: &[
        ("Type", "TYPE"),
        ("TotalCount", "TOTAL"),
        ("Active", "ACTIVE"),
        ("Size", "SIZE"),
        ("Reclaimable", "RECLAIMABLE"),
    ],
    default: "table {{.Type}}\t{{.TotalCount}}\t{{.Active}}\t{{.Size}}\t{{.Reclaimable}}",
    quiet: "",
    raw: "",
};

fn disk_usage(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let usage = must(io, request(Method::Get, "/system/df"))?;
    if args.is("verbose") {
        return spelled_out(args, io, &usage);
    }
    let share = |free: i64, all: i64| {
        let text = size(free, 4);
        if all > 0 { format!("{text} ({}%)", free * 100 / all) } else { text }
    };
    let row = |kind: &str, total: usize, active: usize, all: i64, free: i64| {
        map! {
            "Type" => kind, "TotalCount" => total.to_string(), "Active" => active.to_string(), "Size" => size(all, 4),
            "Reclaimable" => share(free, all),
        }
    };
    let images = usage["Images"].items();
    let layers = usage["LayersSize"].int();
    let is_used = |image: &&Value| image["Containers"].int() > 0;
    let used: i64 = images.iter().filter(is_used).map(|image| image["Size"].int() - image["SharedSize"].int()).sum();
    let containers = usage["Containers"].items();
    let live = |one: &&Value| matches!(one["State"].str(), "running" | "paused" | "restarting");
    let written = |one: &Value| one["SizeRw"].int();
    let volumes = usage["Volumes"].items();
    let of = |volume: &Value, key: &str| volume.at(&["UsageData", key]).int();
    let rows = vec![
        row("Images", images.len(), images.iter().filter(is_used).count(), layers, layers - used),
        row(
            "Containers",
            containers.len(),
            containers.iter().filter(live).count(),
            containers.iter().map(written).sum(),
            containers.iter().filter(|one| !live(one)).map(written).sum(),
        ),
        row(
            "Local Volumes",
            volumes.len(),
            volumes.iter().filter(|v| of(v, "RefCount") > 0).count(),
            volumes.iter().map(|v| of(v, "Size")).sum(),
            volumes.iter().filter(|v| of(v, "RefCount") == 0).map(|v| of(v, "Size")).sum(),
        ),
        row("Build Cache", 0, 0, 0, 0),
    ];
    USAGE.print(io, args.get("format"), false, &rows)
}

/// `system df -v`: every image, container and volume.
fn spelled_out(args: &Args, io: &mut Io<'_, '_>, usage: &Value) -> Outcome {
    if !args.get("format").is_empty() {
        return exit_with(1, crate::base::gap::line("docker system df -v --format", ""));
    }
    let now = io.now().as_seconds();
    let ago = |created: i64| format!("{} ago", human(now - created));
    let mut images = "REPOSITORY\tTAG\tIMAGE ID\tCREATED\tSIZE\tSHARED SIZE\tUNIQUE SIZE\tCONTAINERS\n".to_string();
    for image in usage["Images"].items() {
        let (repository, tag) = image["RepoTags"][0].str().rsplit_once(':').unwrap_or(("<none>", "<none>"));
        let (all, shared) = (image["Size"].int(), image["SharedSize"].int());
        images.push_str(&format!(
            "{repository}\t{tag}\t{}\t{}\t{}\t{}\t{}\t{}\n",
            short(image["Id"].str()),
            ago(image["Created"].int()),
            size(all, 3),
            size(shared, 4),
            size(all - shared, 4),
            image["Containers"].int()
        ));
    }
    let mut containers = "CONTAINER ID\tIMAGE\tCOMMAND\tLOCAL VOLUMES\tSIZE\tCREATED\tSTATUS\tNAMES\n".to_string();
    for one in usage["Containers"].items() {
        let row = super::ps::row(one, true, now);
        let written = size(one["SizeRw"].int(), 3);
        let cells = ["ID", "Image", "Command", "LocalVolumes", "Size", "RunningFor", "Status", "Names"];
        let cells = cells.map(|cell| if cell == "Size" { written.as_str() } else { row[cell].str() });
        containers.push_str(&format!("{}\n", cells.join("\t")));
    }
    let mut volumes = "VOLUME NAME\tLINKS\tSIZE\n".to_string();
    for one in usage["Volumes"].items() {
        let of = |key: &str| one.at(&["UsageData", key]).int();
        volumes.push_str(&format!("{}\t{}\t{}\n", one["Name"].str(), of("RefCount"), size(of("Size"), 4)));
    }
    let cache = "CACHE ID\tCACHE TYPE\tSIZE\tCREATED\tLAST USED\tUSAGE\tSHARED\n";
    for (title, table) in [
        ("Images space usage:\n\n", images.as_str()),
        ("\nContainers space usage:\n\n", &containers),
        ("\nLocal Volumes space usage:\n\n", &volumes),
        ("\nBuild cache usage: 0B\n\n", cache),
    ] {
        io.out(title);
        io.out(align(table, format::TABLE));
    }
    Ok(())
}

fn events(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let template = match format::template(args.get("format")) {
        Ok(template) => template,
        Err(error) => return exit_with(64, format!("Error parsing format: {error}")),
    };
    // The template is tried before anything is heard.
    if !args.get("format").is_empty()
        && let empty = message(&map! { "Actor" => map! { "ID" => "", "Attributes" => Value::empty_map() } })
        && let Err(text) = format::object(&template, &empty, &empty)
    {
        return exit_with(64, format!("Error parsing format: {}", format::typed(&text, "*events.Message")));
    }
    let mut ask = request(Method::Get, "/events");
    for flag in ["since", "until"] {
        if !args.get(flag).is_empty() {
            match moment(io, args.get(flag)) {
                Ok(at) => ask = ask.with_query(if flag == "since" { "since" } else { "until" }, at),
                Err(why) => return exit_with(1, why),
            }
        }
    }
    if args.has("filter") {
        ask = ask.with_query("filters", filters(args.list("filter")));
    }
    io.memory.interrupt = Some(130);
    let (call, response) = io.open(ask)?;
    if response.stream.is_none() {
        return exit_with(1, complaint(&response));
    }
    let plain = args.get("format").is_empty();
    io.resume(Value::Null);
    loop {
        match io.hear(&[call], false, None)? {
            Heard::Frame(_, Frame::Data(_, bytes)) => {
                for line in String::from_utf8_lossy(&bytes).lines() {
                    let event = json::parse(line).unwrap_or_default();
                    if plain {
                        io.line(shown(&event));
                    } else {
                        let typed = message(&event);
                        match format::object(&template, &typed, &typed) {
                            Ok(text) => io.out(text),
                            Err(text) => {
                                let text = format::typed(&text, "*events.Message");
                                return exit_with(64, format!("Error parsing format: {text}"));
                            }
                        }
                    }
                }
            }
            Heard::Frame(_, Frame::End) => return Ok(()),
            _ => {}
        }
        io.keep(Value::Null);
    }
}

/// An event with the names of Go's fields.
fn message(event: &Value) -> Value {
    let mut typed = map! { format::RAW => event };
    for (field, key, unset) in [
        ("Status", "status", ""),
        ("ID", "id", ""),
        ("From", "from", ""),
        ("Type", "Type", ""),
        ("Action", "Action", ""),
        ("Scope", "scope", ""),
        ("Actor", "Actor", ""),
        ("Time", "time", ""),
        ("TimeNano", "timeNano", ""),
    ] {
        let value = &event[key];
        typed.set(&[field], if value.is_null() { unset.into() } else { value.clone() });
    }
    typed
}

fn shown(event: &Value) -> String {
    let at = crate::base::Time(event["timeNano"].int() / 1000);
    let stamp = at.rfc3339_micros().replace('Z', "000Z");
    let attributes: Vec<String> = event
        .at(&["Actor", "Attributes"])
        .entries()
        .iter()
        .map(|(key, value)| format!("{key}={}", value.str()))
        .collect();
    format!(
        "{stamp} {} {} {} ({})",
        event["Type"].str(),
        event["Action"].str(),
        event.at(&["Actor", "ID"]).str(),
        attributes.join(", ")
    )
}

fn prune(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let all = args.is("all");
    let mut warning =
        "This will remove:\n  - all stopped containers\n  - all networks not used by at least one container\n"
            .to_string();
    if args.is("volumes") {
        warning.push_str("  - all anonymous volumes not used by at least one container\n");
    }
    warning.push_str(if all {
        "  - all images without at least one container associated to them\n"
    } else {
        "  - all dangling images\n"
    });
    warning.push_str(if all { "  - all build cache\n" } else { "  - unused build cache\n" });
    if args.has("filter") {
        warning.push_str("\n  Items to be pruned will be filtered with:\n");
        args.list("filter").iter().for_each(|filter| warning.push_str(&format!("  - {filter}\n")));
    }
    if args.is("volumes") && args.list("filter").iter().any(|filter| filter.starts_with("until=")) {
        return exit_with(1, "ERROR: The \"until\" filter is not supported with \"--volumes\"");
    }
    if !confirmed(io, args, &warning)? {
        return Ok(());
    }
    let post = |path: &str| {
        let post = request(Method::Post, path);
        if args.has("filter") { post.with_query("filters", filters(args.list("filter"))) } else { post }
    };
    let done = must(io, post("/containers/prune"))?;
    told(io, "Deleted Containers:", &done["ContainersDeleted"]);
    let mut bytes = done["SpaceReclaimed"].int();
    let done = must(io, post("/networks/prune"))?;
    told(io, "Deleted Networks:", &done["NetworksDeleted"]);
    if args.is("volumes") {
        let done = must(io, post("/volumes/prune"))?;
        told(io, "Deleted Volumes:", &done["VolumesDeleted"]);
        bytes += done["SpaceReclaimed"].int();
    }
    let wanted = filters(&[args.list("filter"), &[format!("dangling={}", !all)]].concat());
    let done = must(io, request(Method::Post, "/images/prune").with_query("filters", wanted))?;
    if !done["ImagesDeleted"].is_empty() {
        io.line("Deleted Images:");
        for one in done["ImagesDeleted"].items() {
            match one["Deleted"].str() {
                "" => io.line(format!("untagged: {}", one["Untagged"].str())),
                id => io.line(format!("deleted: {id}")),
            }
        }
        io.line("");
    }
    bytes += done["SpaceReclaimed"].int();
    must(io, request(Method::Post, "/build/prune"))?;
    io.line(format!("Total reclaimed space: {}", size(bytes, 4)));
    Ok(())
}
