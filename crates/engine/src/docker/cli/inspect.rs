//! `docker inspect`, of objects of one kind or of any.

use super::args::Args;
use super::{complaint, format, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::docker::wire;
use crate::process::rerun::{self, Failure, Io, Outcome, Stop};

/// Fields that Go's types have though the Engine leaves them out, and whether they are texts.
const UNSAID: [(&str, &str, bool); 10] = [
    ("", "ImageManifestDescriptor", false),
    ("Config", "MacAddress", true),
    ("HostConfig", "Sysctls", false),
    ("HostConfig", "Mounts", false),
    ("State", "Health", false),
    ("Config", "Healthcheck", false),
    ("Config", "ExposedPorts", false),
    ("Config", "StopSignal", true),
    ("Config", "StopTimeout", false),
    ("HostConfig", "Init", false),
];

pub fn inspect(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let kind = args.command.name.split_once(' ').map_or(args.get("type"), |(kind, _)| kind).to_string();
    if !matches!(kind.as_str(), "" | "container" | "image" | "network" | "volume") {
        if matches!(kind.as_str(), "node" | "service" | "task" | "secret" | "config" | "plugin") {
            return super::exit_with(1, crate::base::gap::line(&format!("docker inspect --type {kind}"), ""));
        }
        const KINDS: &str = "\"config\", \"container\", \"image\", \"network\", \"node\", \"plugin\", \"secret\", \"service\", \"task\", \"volume\"";
        return super::exit_with(1, format!("unknown type: {}: must be one of {KINDS}", format::quoted(&kind)));
    }
    if args.command.name == "inspect" && args.has("type") && kind.is_empty() {
        const KINDS: &str = "\"config\", \"container\", \"image\", \"network\", \"node\", \"plugin\", \"secret\", \"service\", \"task\", \"volume\"";
        return super::exit_with(1, format!("type is empty: must be one of {KINDS}"));
    }
    let is_list = matches!(args.get("format"), "" | "json");
    let template = match format::template(args.get("format")) {
        Ok(template) => template,
        Err(error) => return super::exit_with(64, format!("template parsing error: {error}")),
    };
    let mut found: Vec<Value> = Vec::new();
    let mut failures: Vec<String> = Vec::new();
    let mut out = String::new();
    if args.has("platform")
        && let Err(why) = crate::docker::check::platform(args.get("platform"))
    {
        return super::exit_with(1, why);
    }
    for name in &args.words {
        let answer = one(args, io, &kind, name)?;
        if let (true, Ok(value)) = (args.is("size"), &answer) {
            let kind = match value {
                value if value.has("State") => "",
                value if value.has("RootFS") => "image",
                value if value.has("IPAM") => "network",
                _ => "volume",
            };
            if !kind.is_empty() {
                io.err(format!("WARNING: --size ignored for {kind}\n"));
            }
        }
        match answer {
            Ok(value) if is_list => found.push(value),
            Ok(value) => {
                let mut typed = value.clone();
                for (parent, key, is_text) in UNSAID {
                    if typed.has("RootFS") {
                        // An image says less of its configuration than its type has.
                        for key in ["Entrypoint", "Cmd", "Env", "Labels", "Volumes", "OnBuild", "User", "WorkingDir"] {
                            if !typed["Config"].has(key) {
                                let text = matches!(key, "User" | "WorkingDir");
                                typed.set(&["Config", key], if text { "".into() } else { Value::Null });
                            }
                        }
                    }
                    if parent.is_empty() && typed.has("State") {
                        typed.set(&[key], Value::Null);
                    } else if typed.has(parent) && !typed[parent].has(key) {
                        *typed.at_mut(&[parent, key]) = if is_text { "".into() } else { Value::Null };
                    }
                }
                let more: &[&str] = if typed.has("State") {
                    &["SizeRw", "SizeRootFs"]
                } else if typed.has("Mountpoint") {
                    &["UsageData", "Status", "ClusterVolume"]
                } else if typed.has("IPAM") {
                    &["Peers", "Services"]
                } else {
                    &["Variant", "OsVersion", "DockerVersion"]
                };
                for key in more.iter().filter(|key| !value.has(key)) {
                    let unset = if typed.has("RootFS") { "".into() } else { Value::Null };
                    typed.set(&[key], unset);
                }
                if typed.has("Mounts") {
                    for mount in typed.at_mut(&["Mounts"]).list_mut() {
                        for key in ["Name", "Driver"] {
                            if !mount.has(key) {
                                mount.set(&[key], "");
                            }
                        }
                    }
                }
                match format::object(&template, &typed, &value) {
                    Ok(text) => out.push_str(&text),
                    Err(text) => {
                        io.out(if out.is_empty() { "\n".to_string() } else { out });
                        // What a volume says is read into its type at once.
                        let volume = typed.has("Mountpoint");
                        let text = if volume { format::typed(&text, "volume.Volume") } else { text };
                        return super::exit_with(1, format!("template parsing error: {text}"));
                    }
                }
            }
            Err(text) => failures.push(text),
        }
    }
    if is_list {
        let indent = args.get("format").is_empty().then_some(4);
        out = format!("{}\n", wire::json(&Value::list(found), indent));
    }
    io.out(if out.is_empty() && !failures.is_empty() { "\n".to_string() } else { out });
    if failures.is_empty() {
        return Ok(());
    }
    Err(Stop::Fail(failures.into_iter().map(Failure::Full).collect(), 1))
}

fn one(args: &Args, io: &mut Io<'_, '_>, kind: &str, name: &str) -> Outcome<Result<Value, String>> {
    let kinds: &[&str] = match kind {
        "" => &["container", "image", "network", "volume"],
        "container" => &["container"],
        "image" => &["image"],
        "network" => &["network"],
        _ => &["volume"],
    };
    let mut why = String::new();
    for kind in kinds {
        let path = match *kind {
            "container" => format!("/containers/{name}/json"),
            "image" => format!("/images/{name}/json"),
            kind => format!("/{kind}s/{name}"),
        };
        let mut ask = request(Method::Get, &path);
        if args.has("platform") {
            ask = ask.with_query("platform", args.get("platform"));
        }
        if args.is("size") {
            ask = ask.with_query("size", "1");
        }
        if let Some(why) = super::nameless(&path) {
            return Ok(Err(why));
        }
        let response = io.send(ask)?;
        if response.ok() && response.code != 0 {
            return Ok(Ok(rerun::body(&response)));
        }
        why = complaint(&response);
        if response.code != 404 {
            return Ok(Err(why));
        }
    }
    Ok(Err(if kind.is_empty() { format!("Error: No such object: {name}") } else { why }))
}
