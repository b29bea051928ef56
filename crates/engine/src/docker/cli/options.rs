//! The options of `run` and `create` as the body of a request.

use super::args::{Args, bytes, nano};
use crate::base::duration;
use crate::base::goquote::quote;
use crate::base::{Value, order};
use crate::process::rerun::Io;
use crate::{list, map};

pub struct Options {
    pub body: Value,
}

fn texts(values: &[String]) -> Value {
    Value::list(values.iter().map(Value::from).collect())
}

/// What a command line asks for; the error is complete but for `docker: `.
pub fn wanted(args: &Args, io: &Io<'_, '_>, detach: bool) -> Result<Options, String> {
    for option in args.list("security-opt") {
        let file = option.strip_prefix("seccomp=").unwrap_or("unconfined");
        if !matches!(file, "unconfined" | "builtin")
            && let Err(error) = io.sys.files.read_text(io.sys.cwd, file)
        {
            let why = error.text().to_lowercase();
            return Err(format!("opening seccomp profile ({file}) failed: open {file}: {why}"));
        }
    }
    let interactive = args.is("interactive");
    let streams: Vec<String> = args.list("attach").iter().map(|name| name.to_ascii_lowercase()).collect();
    if args.has("cidfile") && io.sys.files.exists(io.sys.cwd, args.get("cidfile")) && io.is_fresh() {
        let file = args.get("cidfile");
        return Err(format!("container ID file found, make sure the other container isn't running or delete {file}"));
    }
    let on = |name: &str| !detach && (streams.is_empty() || streams.iter().any(|own| own == name));
    let stdin = !detach && if streams.is_empty() { interactive } else { streams.iter().any(|own| own == "stdin") };
    let command: Vec<Value> = args.words.iter().skip(1).map(Value::from).collect();
    let mut body = map! {
        "Hostname" => args.get("hostname"), "Domainname" => args.get("domainname"), "User" => args.get("user"),
        "AttachStdin" => stdin, "AttachStdout" => on("stdout"), "AttachStderr" => on("stderr"), "Tty" => args.is("tty"),
        "OpenStdin" => interactive, "StdinOnce" => stdin && interactive, "Image" => args.word(0),
        "WorkingDir" => args.get("workdir"),
    };
    if !command.is_empty() {
        body.set(&["Cmd"], command);
    }
    if args.has("entrypoint") {
        body.set(&["Entrypoint"], list![args.get("entrypoint")]);
    }
    if args.has("stop-signal") {
        body.set(&["StopSignal"], args.get("stop-signal"));
    }
    if args.has("stop-timeout") {
        body.set(&["StopTimeout"], args.int("stop-timeout"));
    }
    body.set(&["Env"], Value::list(environment(args, io, false)?));
    let lines = file_lines(io, args.list("label-file"))?;
    for label in lines.iter().filter(|line| line.contains('=')).chain(args.list("label")) {
        let (key, value) = label.split_once('=').unwrap_or((label, ""));
        body.set(&["Labels", key], value);
    }
    health(args, &mut body)?;
    for port in args.list("expose") {
        let (numbers, protocol) = port.split_once('/').unwrap_or((port, "tcp"));
        let Some((first, last)) = range(numbers) else {
            let bad = numbers.split('-').find(|part| part.parse::<u16>().is_err()).unwrap_or(numbers);
            let why = number_error(bad, bad.parse::<u16>().err());
            return Err(format!("invalid range format for --expose: {port}, error: {why}"));
        };
        for number in first..=last {
            body.set(&["ExposedPorts", &format!("{number}/{protocol}")], Value::empty_map());
        }
    }
    let mut host = host_config(args)?;
    let (mut binds, mut mounts) = (Vec::new(), Vec::new());
    for volume in args.list("volume") {
        if check_volume(volume)? < 2 {
            body.set(&["Volumes", volume], Value::empty_map());
            continue;
        }
        let (source, rest) = volume.split_once(':').unwrap_or(("", volume));
        let relative = source == "."
            || source == ".."
            || source.starts_with("./")
            || source.starts_with("../")
            || source.starts_with('~');
        let source = if relative { crate::process::clean(io.sys.cwd, source) } else { source.to_string() };
        binds.push(Value::from(format!("{source}:{rest}")));
    }
    for text in args.list("mount") {
        mounts.push(mount(text, io.sys.cwd)?);
    }
    if !binds.is_empty() {
        host.set(&["Binds"], binds);
    }
    if !mounts.is_empty() {
        host.set(&["Mounts"], mounts);
    }
    for text in args.list("tmpfs") {
        let (path, rest) = text.split_once(':').unwrap_or((text, ""));
        host.set(&["Tmpfs", path], rest);
    }
    let mut all = Vec::new();
    for text in args.list("publish") {
        all.extend(publish(text)?);
    }
    // In the order of the map they go into: a range may have all ports there are.
    for (port, ip, number) in order::sorted(all, &|a, b| a.0.cmp(&b.0)) {
        body.set(&["ExposedPorts", &port], Value::empty_map());
        let binding = map! { "HostIp" => ip, "HostPort" => number };
        host.at_mut(&["PortBindings", &port]).list_mut().push(binding);
    }
    let networking = networks(args, &mut host)?;
    body.set(&["HostConfig"], host);
    body.set(&["NetworkingConfig", "EndpointsConfig"], networking);
    Ok(Options { body })
}

fn file_lines(io: &Io<'_, '_>, files: &[String]) -> Result<Vec<String>, String> {
    let mut out = Vec::new();
    for file in files {
        let text = io.sys.files.read_text(io.sys.cwd, file).map_err(|error| match error.text() {
            "Is a directory" => format!("invalid env file ({file}): read {file}: is a directory"),
            text => format!("open {file}: {}", text.to_lowercase()),
        })?;
        for line in text.lines().map(|line| line.trim_start()).filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let name = line.split('=').next().unwrap_or_default();
            if name.contains(char::is_whitespace) {
                return Err(format!("invalid env file ({file}): variable '{name}' contains whitespaces"));
            }
            if name.is_empty() {
                return Err(format!("invalid env file ({file}): no variable name on line '{line}'"));
            }
            out.push(line.to_string());
        }
    }
    Ok(out)
}

/// Of files first, then as given; a name alone takes its value from here.
pub fn environment(args: &Args, io: &Io<'_, '_>, bare: bool) -> Result<Vec<Value>, String> {
    let mut env = Vec::new();
    for entry in file_lines(io, args.list("env-file"))?.iter().chain(args.list("env")) {
        if entry.contains('=') {
            env.push(Value::from(entry));
        } else if let Some(value) = io.sys.env.get(entry.as_str()) {
            env.push(format!("{entry}={value}").into());
        } else if bare {
            env.push(Value::from(entry));
        }
    }
    Ok(env)
}

fn health(args: &Args, body: &mut Value) -> Result<(), String> {
    let spans = [
        ("health-interval", "Interval"),
        ("health-timeout", "Timeout"),
        ("health-start-period", "StartPeriod"),
        ("health-start-interval", "StartInterval"),
    ];
    let any = args.has("health-cmd") || args.has("health-retries") || spans.iter().any(|(flag, _)| args.has(flag));
    if args.is("no-healthcheck") {
        if any {
            return Err("--no-healthcheck conflicts with --health-* options".into());
        }
        body.set(&["Healthcheck"], map! { "Test" => list!["NONE"] });
        return Ok(());
    }
    if !any {
        return Ok(());
    }
    let mut check = Value::empty_map();
    if !args.get("health-cmd").is_empty() {
        check.set(&["Test"], list!["CMD-SHELL", args.get("health-cmd")]);
    }
    for (flag, key) in spans {
        let nanos = duration::parse_nanos(args.get(flag)).unwrap_or(0);
        if nanos < 0 {
            return Err(format!("--{flag} cannot be negative"));
        }
        if nanos != 0 {
            check.set(&[key], nanos);
        }
    }
    let retries = args.int("health-retries");
    if retries < 0 {
        return Err("--health-retries cannot be negative".into());
    }
    if retries > 0 {
        check.set(&["Retries"], retries);
    }
    body.set(&["Healthcheck"], check);
    Ok(())
}

/// `on-failure:3`
pub fn restart_policy(text: &str) -> Result<(&str, i64), String> {
    let (name, count) = text.split_once(':').unwrap_or((text, ""));
    let start = "invalid restart policy format: ";
    if name.is_empty() && text.contains(':') {
        return Err(format!("{start}no policy provided before colon"));
    }
    match count {
        "" => Ok((name, 0)),
        count => match count.parse() {
            Ok(count) => Ok((name, count)),
            Err(_) => Err(format!("{start}maximum retry count must be an integer")),
        },
    }
}

fn host_config(args: &Args) -> Result<Value, String> {
    let (name, count) = restart_policy(args.get("restart"))?;
    if args.is("rm") && !matches!(name, "" | "no") {
        return Err("conflicting options: cannot specify both --restart and --rm".into());
    }
    let name = if name.is_empty() { "no" } else { name };
    for (flag, mode, known) in [
        ("pid", "PID", &["host"][..]),
        ("uts", "UTS", &["host"]),
        ("userns", "USER", &["host"]),
        ("cgroupns", "CGROUP", &["host", "private"]),
    ] {
        let given = args.get(flag);
        let other = flag == "pid" && given.strip_prefix("container:").is_some_and(|name| !name.is_empty());
        if !given.is_empty() && !known.contains(&given) && !other {
            return Err(format!("--{flag}: invalid {mode} mode"));
        }
    }
    let bare = |option: &&String| !option.contains(['=', ':']) && *option != "no-new-privileges";
    if let Some(option) = args.list("security-opt").iter().find(bare) {
        return Err(format!("Invalid --security-opt: {}", quote(option)));
    }
    let mut security: Vec<String> = args.list("security-opt").to_vec();
    let open = security.iter().any(|option| option == "systempaths=unconfined");
    security.retain(|option| option != "systempaths=unconfined");
    if args.has("memory-swappiness") && !(-1..=100).contains(&args.int("memory-swappiness")) {
        let given = args.int("memory-swappiness");
        return Err(format!("invalid value: {given}. Valid memory swappiness range is 0-100"));
    }
    if let Some(option) = args.list("storage-opt").iter().find(|option| !option.contains('=')) {
        let _ = option;
        return Err("invalid storage option".into());
    }
    if args.get("log-driver") == "none" && args.has("log-opt") {
        return Err("invalid logging opts for driver none".into());
    }
    let mut host = map! {
        "RestartPolicy" => map! { "Name" => name, "MaximumRetryCount" => count }, "AutoRemove" => args.is("rm"),
        "Privileged" => args.is("privileged"), "PublishAllPorts" => args.is("publish-all"),
        "ReadonlyRootfs" => args.is("read-only"), "PortBindings" => Value::empty_map(),
    };
    limits(args, &mut host);
    if args.has("shm-size") {
        host.set(&["ShmSize"], bytes(args.get("shm-size")).unwrap_or(0));
    }
    for (flag, key) in [("oom-score-adj", "OomScoreAdj"), ("memory-swappiness", "MemorySwappiness")] {
        if args.has(flag) {
            host.set(&[key], args.int(flag));
        }
    }
    for (flag, key) in [
        ("cpuset-cpus", "CpusetCpus"),
        ("cpuset-mems", "CpusetMems"),
        ("cgroup-parent", "CgroupParent"),
        ("cgroupns", "CgroupnsMode"),
        ("pid", "PidMode"),
        ("ipc", "IpcMode"),
        ("uts", "UTSMode"),
        ("userns", "UsernsMode"),
        ("runtime", "Runtime"),
        ("volume-driver", "VolumeDriver"),
        ("isolation", "Isolation"),
    ] {
        if args.has(flag) {
            host.set(&[key], args.get(flag));
        }
    }
    for (flag, key) in [
        ("dns", "Dns"),
        ("dns-option", "DnsOptions"),
        ("dns-search", "DnsSearch"),
        ("group-add", "GroupAdd"),
        ("volumes-from", "VolumesFrom"),
        ("device-cgroup-rule", "DeviceCgroupRules"),
        ("link", "Links"),
    ] {
        if args.has(flag) {
            host.set(&[key], texts(args.list(flag)));
        }
    }
    if args.has("dns-opt") {
        let both: Vec<String> = args.list("dns-option").iter().chain(args.list("dns-opt")).cloned().collect();
        host.set(&["DnsOptions"], texts(&both));
    }
    if args.has("security-opt") {
        host.set(&["SecurityOpt"], texts(&security));
    }
    if open {
        host.set(&["MaskedPaths"], Value::list(Vec::new()));
        host.set(&["ReadonlyPaths"], Value::list(Vec::new()));
    }
    if args.has("oom-kill-disable") {
        host.set(&["OomKillDisable"], args.is("oom-kill-disable"));
    }
    if let Some(text) = args.list("gpus").last() {
        host.set(&["DeviceRequests"], list![gpus(text)?]);
    }
    for (flag, key) in [
        ("device-read-bps", "BlkioDeviceReadBps"),
        ("device-write-bps", "BlkioDeviceWriteBps"),
        ("device-read-iops", "BlkioDeviceReadIOps"),
        ("device-write-iops", "BlkioDeviceWriteIOps"),
    ] {
        let rates: Vec<Value> = args.list(flag).iter().map(|text| throttle(flag, text)).collect::<Result<_, _>>()?;
        if !rates.is_empty() {
            host.set(&[key], rates);
        }
    }
    for (flag, key) in [("cap-add", "CapAdd"), ("cap-drop", "CapDrop")] {
        if args.has(flag) {
            let mut names: Vec<String> = args
                .list(flag)
                .iter()
                .map(|name| {
                    let upper = name.to_ascii_uppercase();
                    if upper == "ALL" || upper.starts_with("CAP_") { upper } else { format!("CAP_{upper}") }
                })
                .collect();
            names.sort();
            host.set(&[key], texts(&names));
        }
    }
    if args.has("add-host") {
        let mut hosts = Vec::new();
        for text in args.list("add-host") {
            let (name, address) = text.split_once(['=', ':']).unwrap_or((text, ""));
            hosts.push(Value::from(format!("{name}:{}", address.trim_start_matches('[').trim_end_matches(']'))));
        }
        host.set(&["ExtraHosts"], hosts);
    }
    if args.has("cpus") {
        host.set(&["NanoCpus"], nano(args.get("cpus")).unwrap_or(0));
    }
    if args.has("init") {
        host.set(&["Init"], args.is("init"));
    }
    for (flag, key) in [("sysctl", "Sysctls"), ("storage-opt", "StorageOpt"), ("annotation", "Annotations")] {
        for text in args.list(flag) {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            host.set(&[key, name], value);
        }
    }
    if args.has("log-driver") || args.has("log-opt") {
        let driver = if args.has("log-driver") { args.get("log-driver") } else { "json-file" };
        host.set(&["LogConfig"], map! { "Type" => driver, "Config" => Value::empty_map() });
        for text in args.list("log-opt") {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            host.set(&["LogConfig", "Config", name], value);
        }
    }
    let mut ulimits = Vec::new();
    for text in args.list("ulimit") {
        let (name, soft, hard) = ulimit(text)?;
        ulimits.push(map! { "Name" => name, "Hard" => hard, "Soft" => soft });
    }
    if !ulimits.is_empty() {
        host.set(&["Ulimits"], ulimits);
    }
    let mut devices = Vec::new();
    for text in args.list("device") {
        let parts: Vec<&str> = text.split(':').collect();
        let rights = |text: &str| !text.is_empty() && text.chars().all(|c| "rwm".contains(c));
        let (on_host, inside, rights) = match parts.as_slice() {
            [path] => (*path, *path, "rwm"),
            [path, mode] if rights(mode) && !mode.starts_with('/') => (*path, *path, *mode),
            [path, inside] => (*path, *inside, "rwm"),
            [path, inside, mode] if rights(mode) => (*path, *inside, *mode),
            [_, _, mode] => return Err(format!("bad mode specified: {mode}")),
            _ => return Err(format!("bad format for path: {text}")),
        };
        if text.is_empty() {
            return Err(format!("bad format for path: {text}"));
        }
        if !inside.starts_with('/') {
            return Err(format!("{inside} is not an absolute path"));
        }
        devices.push(map! { "PathOnHost" => on_host, "PathInContainer" => inside, "CgroupPermissions" => rights });
    }
    if !devices.is_empty() {
        host.set(&["Devices"], devices);
    }
    Ok(host)
}

fn range(text: &str) -> Option<(u16, u16)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some((first, last))
}

/// `[ip:][host:]container[/protocol]` with ranges: container port, address, host port.
fn publish(text: &str) -> Result<Vec<(String, String, String)>, String> {
    let long = fields(text);
    if !long.is_empty() {
        return published(&long);
    }
    let (rest, protocol) = text.split_once('/').unwrap_or((text, ""));
    let protocol = if protocol.is_empty() { "tcp".to_string() } else { protocol.to_ascii_lowercase() };
    let (before, container) = rest.rsplit_once(':').unwrap_or(("", rest));
    let (ip, host) = match before.rsplit_once(':') {
        Some((ip, host)) => (ip, host),
        None => ("", before),
    };
    let ip = ip.trim_start_matches('[').trim_end_matches(']');
    if !ip.is_empty() && ip.parse::<std::net::IpAddr>().is_err() {
        return Err(format!("invalid IP address: {ip}"));
    }
    if container.is_empty() {
        return Err(format!("no port specified: {text}<empty>"));
    }
    let Some((first, last)) = range(container) else { return Err(format!("invalid containerPort: {container}")) };
    let host_range = match host {
        "" => None,
        host => Some(range(host).ok_or_else(|| format!("invalid hostPort: {host}"))?),
    };
    if !matches!(protocol.as_str(), "tcp" | "udp" | "sctp") {
        return Err(format!("invalid proto: {protocol}"));
    }
    if let Some((host_first, host_last)) = host_range
        && host_last - host_first != last - first
    {
        // A range outside for one port inside: one of them.
        if first != last {
            return Err(format!("invalid ranges specified for container and host Ports: {container} and {host}"));
        }
        return Ok(vec![(format!("{first}/{protocol}"), ip.into(), format!("{host_first}-{host_last}"))]);
    }
    Ok((first..=last)
        .map(|port| {
            let number = host_range.map_or(String::new(), |(host_first, _)| (host_first + (port - first)).to_string());
            (format!("{port}/{protocol}"), ip.to_string(), number)
        })
        .collect())
}

/// `target=80,published=8080`: the fields, where a text begins so.
fn fields(text: &str) -> Vec<(&str, &str)> {
    let word = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let long = text
        .split_once('=')
        .is_some_and(|(key, value)| word(value) && key.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
    if !long {
        return Vec::new();
    }
    text.split(',').map(|field| field.split_once('=').unwrap_or((field, ""))).collect()
}

fn published(fields: &[(&str, &str)]) -> Result<Vec<(String, String, String)>, String> {
    let (mut target, mut outside, mut protocol) = (0, "", "tcp");
    for (key, value) in fields {
        if value.is_empty() {
            return Err(format!("invalid field: {key}"));
        }
        match *key {
            "protocol" if !matches!(*value, "tcp" | "udp" | "sctp") => {
                return Err(format!("invalid protocol value '{value}'"));
            }
            "protocol" => protocol = value,
            "mode" if !matches!(*value, "host" | "ingress") => {
                return Err(format!("invalid publish mode value ({value}): must be either '' or 'host'"));
            }
            "mode" => {}
            "target" | "published" => {
                let number = value.parse::<u16>();
                if let Err(error) = &number {
                    let why = number_error(value, Some(error.clone()));
                    return Err(format!("invalid {key} port ({value}): {why}"));
                }
                if *key == "target" {
                    target = number.unwrap_or(0);
                } else {
                    outside = value;
                }
            }
            _ => return Err(format!("invalid field key: {key}")),
        }
    }
    if target == 0 {
        return Err("missing mandatory field 'target'".into());
    }
    Ok(vec![(format!("{target}/{protocol}"), String::new(), outside.to_string())])
}

pub fn number_error(text: &str, error: Option<std::num::ParseIntError>) -> String {
    use std::num::IntErrorKind::PosOverflow;
    let over = error.is_some_and(|error| *error.kind() == PosOverflow);
    format!(
        "strconv.ParseUint: parsing {}: {}",
        quote(text),
        if over { "value out of range" } else { "invalid syntax" }
    )
}

/// How many sections `-v` has, as the command looks at them before the Engine does.
fn check_volume(text: &str) -> Result<usize, String> {
    if text.is_empty() {
        return Err("invalid empty volume spec".into());
    }
    if text.len() <= 2 {
        return Ok(1);
    }
    let mut sections: Vec<String> = Vec::new();
    let mut open = String::new();
    for c in text.chars() {
        // A single letter before a colon may be a drive.
        if c == ':' && !(open.len() == 1 && open.chars().all(char::is_alphabetic)) {
            sections.push(std::mem::take(&mut open));
        } else {
            open.push(c);
        }
    }
    sections.push(open);
    if sections.iter().any(String::is_empty) {
        return Err(format!("invalid spec: {text}: empty section between colons"));
    }
    if sections.len() > 3 {
        return Err(format!("invalid spec: {text}: too many colons"));
    }
    Ok(sections.len())
}

/// A value of a list as the flag itself takes it.
pub fn check(flag: &str, text: &str) -> Result<(), String> {
    let is_address = |text: &str| text.parse::<std::net::IpAddr>().is_ok();
    match flag {
        "label" if text.is_empty() || text.starts_with('=') => Err(format!("invalid label '{text}': empty name")),
        "env" if text.is_empty() || text.starts_with('=') => Err(format!("invalid environment variable: {text}")),
        "attach" if !["stdin", "stdout", "stderr"].iter().any(|own| text.eq_ignore_ascii_case(own)) => {
            Err("valid streams are STDIN, STDOUT and STDERR".into())
        }
        "mount" => mount(text, "/").map(|_| ()),
        "gpus" => gpus(text).map(|_| ()),
        "device-read-bps" | "device-write-bps" | "device-read-iops" | "device-write-iops" => {
            throttle(flag, text).map(|_| ())
        }
        "blkio-weight-device" => {
            let (_, weight) = device_of(text)?;
            match weight.parse::<u16>() {
                Ok(0 | 10..=1000) => Ok(()),
                _ => Err(format!("invalid weight for device: {text}")),
            }
        }
        "network" | "net" => {
            const KEYS: &str = "name alias ip ip6 mac-address link-local-ip driver-opt gw-priority";
            let fields = fields(text);
            if let Some((key, _)) = fields.iter().find(|(key, _)| !KEYS.split(' ').any(|own| own == *key)) {
                return Err(format!("invalid field key {key}"));
            }
            if !fields.is_empty() && !fields.iter().any(|(key, name)| *key == "name" && !name.is_empty()) {
                return Err("network name/id is not specified".into());
            }
            Ok(())
        }
        "link" if text.is_empty() => Err("empty string specified for links".into()),
        "link" if text.split(':').count() > 2 => Err(format!("bad format for links: {text}")),
        "device-cgroup-rule" => {
            // `c 1:3 mr`
            let words: Vec<&str> = text.split(' ').collect();
            let number = |text: &str| text == "*" || !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let good = match words.as_slice() {
                [kind, numbers, rights] => {
                    matches!(*kind, "a" | "b" | "c")
                        && numbers.split_once(':').is_some_and(|(major, minor)| number(major) && number(minor))
                        && (1..=3).contains(&rights.len())
                        && rights.chars().all(|c| "rwm".contains(c))
                }
                _ => false,
            };
            if good { Ok(()) } else { Err(format!("invalid device cgroup format '{text}'")) }
        }
        "ulimit" => ulimit(text).map(|_| ()),
        "add-host" => {
            match text.split_once(['=', ':']).filter(|(name, address)| !name.is_empty() && !address.is_empty()) {
                None => Err(format!("bad format for add-host: {}", quote(text))),
                Some((_, address)) if address != "host-gateway" && !is_address(address.trim_matches(['[', ']'])) => {
                    Err(format!("invalid IP address in add-host: {}", quote(address)))
                }
                Some(_) => Ok(()),
            }
        }
        "dns" if !is_address(text.trim()) => Err(format!("IP address is not correctly formatted: {text}")),
        "sysctl" => {
            const KNOWN: &str = "kernel.msgmax kernel.msgmnb kernel.msgmni kernel.sem kernel.shmall kernel.shmmax \
                kernel.shmmni kernel.shm_rmid_forced";
            let name = text.split_once('=').map_or("", |(name, _)| name);
            let known = KNOWN.split_whitespace().any(|own| own == name);
            if known || name.starts_with("net.") || name.starts_with("fs.mqueue.") {
                Ok(())
            } else {
                Err(format!("sysctl '{text}' is not allowed"))
            }
        }
        _ => Ok(()),
    }
}

fn ulimit(text: &str) -> Result<(&str, i64, i64), String> {
    let bad = || format!("invalid ulimit argument: {text}");
    let (name, values) = text.split_once('=').ok_or_else(bad)?;
    const KINDS: &str =
        "core cpu data fsize locks memlock msgqueue nice nofile nproc rss rtprio rttime sigpending stack";
    if !KINDS.split(' ').any(|own| own == name) {
        return Err(format!("invalid ulimit type: {name}"));
    }
    if values.split(':').count() > 2 {
        return Err(format!("too many limit value arguments - {values}, can only have up to two, `soft[:hard]`"));
    }
    let number = |text: &str| {
        text.parse::<i64>().map_err(|_| format!("strconv.ParseInt: parsing {}: invalid syntax", quote(text)))
    };
    let (soft, hard) = values.split_once(':').map_or((values, None), |(soft, hard)| (soft, Some(hard)));
    let soft = number(soft)?;
    let hard = hard.map_or(Ok(soft), number)?;
    if soft > hard && hard != -1 {
        return Err(format!("ulimit soft limit must be less than or equal to hard limit: {soft} > {hard}"));
    }
    Ok((name, soft, hard))
}

/// `device:rest`
fn device_of(text: &str) -> Result<(&str, &str), String> {
    let (path, rest) = text.split_once(':').ok_or_else(|| format!("bad format: {text}"))?;
    if !path.starts_with("/dev/") {
        return Err(format!("bad format for device path: {text}"));
    }
    Ok((path, rest))
}

/// `/dev/sda:1mb`, or for operations a plain number.
fn throttle(flag: &str, text: &str) -> Result<Value, String> {
    let (path, rate) = device_of(text)?;
    let start = format!("invalid rate for device: {text}. The correct format is <device-path>:<number>");
    let rate = if flag.ends_with("bps") {
        let end = "Number must be a positive integer. Unit is optional and can be kb, mb, or gb";
        bytes(rate).ok().filter(|rate| *rate >= 0).ok_or_else(|| format!("{start}[<unit>]. {end}"))?
    } else {
        let number = rate.parse::<u64>().ok().and_then(|rate| i64::try_from(rate).ok());
        number.ok_or_else(|| format!("{start}. Number must be a positive integer"))?
    };
    Ok(map! { "Path" => path, "Rate" => rate })
}

/// `all`, `2`, `device=0,"capabilities=utility"`.
fn gpus(text: &str) -> Result<Value, String> {
    if text.is_empty() {
        return Err("EOF".into());
    }
    let mut fields: Vec<String> = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().map(|last| last.push(c)).unwrap_or_default(),
        }
    }
    let count = |text: &str| match text {
        "all" => Ok(-1),
        text => text
            .parse::<i64>()
            .map_err(|_| format!("invalid count ({text}): value must be either \"all\" or an integer: invalid syntax")),
    };
    let words = |text: &str| text.split(',').map(Value::from).collect::<Vec<_>>();
    let mut out = map! { "Driver" => "", "Count" => 0, "DeviceIDs" => Value::Null, "Options" => Value::empty_map() };
    let (mut seen, mut abilities): (Vec<&str>, Vec<Value>) = (Vec::new(), Vec::new());
    for field in &fields {
        let (key, value) = field.split_once('=').map_or((field.as_str(), None), |(key, value)| (key, Some(value)));
        if seen.contains(&key) {
            return Err(format!("gpu request key '{key}' can be specified only once"));
        }
        seen.push(key);
        match (key, value) {
            (key, None) => {
                seen.push("count");
                out.set(&["Count"], count(key)?);
            }
            ("driver", Some(value)) => out.set(&["Driver"], value),
            ("count", Some(value)) => out.set(&["Count"], count(value)?),
            ("device", Some(value)) => out.set(&["DeviceIDs"], words(value)),
            ("capabilities", Some(value)) => abilities = words(value),
            ("options", Some(value)) => {
                for option in value.split(',') {
                    let (name, value) = option.split_once('=').unwrap_or((option, ""));
                    out.set(&["Options", name], value);
                }
            }
            _ => return Err(format!("unexpected key '{key}' in '{field}'")),
        }
    }
    if !seen.contains(&"count") && out["DeviceIDs"].is_null() {
        out.set(&["Count"], 1);
    }
    abilities.push("gpu".into());
    out.set(&["Capabilities"], list![Value::list(abilities)]);
    Ok(out)
}

fn mount(text: &str, cwd: &str) -> Result<Value, String> {
    let mut out = map! { "Type" => "volume" };
    if text.is_empty() {
        return Err("EOF".into());
    }
    for field in text.split(',') {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let has_value = field.contains('=');
        let yes = || match value {
            "" if !has_value => Ok(true),
            "1" | "true" => Ok(true),
            "0" | "false" => Ok(false),
            _ => Err(format!("invalid value for {key}: {value}")),
        };
        match key.to_ascii_lowercase().as_str() {
            "readonly" | "ro" => out.set(&["ReadOnly"], yes()?),
            "volume-nocopy" => out.set(&["VolumeOptions", "NoCopy"], yes()?),
            _ if !has_value => return Err(format!("invalid field '{field}' must be a key=value pair")),
            "type" => out.set(&["Type"], value.to_ascii_lowercase()),
            "source" | "src" => {
                let relative = value.starts_with("./") || value.starts_with("../") || value == ".";
                out.set(&["Source"], if relative { crate::process::clean(cwd, value) } else { value.to_string() });
            }
            "target" | "dst" | "destination" => out.set(&["Target"], value),
            "bind-propagation" => out.set(&["BindOptions", "Propagation"], value),
            "volume-driver" => out.set(&["VolumeOptions", "DriverConfig", "Name"], value),
            "volume-subpath" => out.set(&["VolumeOptions", "Subpath"], value),
            "volume-label" => {
                let (name, label) = value.split_once('=').unwrap_or((value, ""));
                out.set(&["VolumeOptions", "Labels", name], label);
            }
            "tmpfs-size" | "tmpfs-mode" => {
                let size = key == "tmpfs-size";
                let number = if size { bytes(value).ok() } else { i64::from_str_radix(value, 8).ok() };
                let number = number.ok_or_else(|| format!("invalid value for {key}: {value}"))?;
                out.set(&["TmpfsOptions", if size { "SizeBytes" } else { "Mode" }], number);
            }
            "consistency" => out.set(&["Consistency"], value),
            key => return Err(format!("unexpected key '{key}' in '{field}'")),
        }
    }
    if out["Target"].is_empty() {
        return Err("target is required".into());
    }
    for (key, kind) in [("VolumeOptions", "volume"), ("BindOptions", "bind"), ("TmpfsOptions", "tmpfs")] {
        let own = out["Type"].str();
        if out.has(key) && own != kind {
            return Err(format!("cannot mix '{kind}-*' options with mount type '{own}'"));
        }
    }
    Ok(out)
}

const NO_ALIASES: &str = "network-scoped aliases are only supported for user-defined networks";

/// Networks with the settings of the endpoint in each; the first is the container's own.
fn networks(args: &Args, host: &mut Value) -> Result<Value, String> {
    let mut out = Value::empty_map();
    let given: Vec<&String> = args.list("network").iter().chain(args.list("net")).collect();
    let mut settings = Value::empty_map();
    let aliases: Vec<Value> =
        args.list("network-alias").iter().chain(args.list("net-alias")).map(Value::from).collect();
    if !aliases.is_empty() {
        settings.set(&["Aliases"], aliases);
    }
    if args.has("ip") {
        settings.set(&["IPAMConfig", "IPv4Address"], args.get("ip"));
    }
    if args.has("ip6") {
        settings.set(&["IPAMConfig", "IPv6Address"], args.get("ip6"));
    }
    if args.has("link-local-ip") {
        settings.set(&["IPAMConfig", "LinkLocalIPs"], texts(args.list("link-local-ip")));
    }
    if args.has("mac-address") {
        let mac = args.get("mac-address");
        let parts: Vec<&str> = mac.split([':', '-']).collect();
        let pair = |part: &&str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_hexdigit());
        if parts.len() != 6 || !parts.iter().all(pair) {
            return Err(format!("{mac} is not a valid mac address"));
        }
        settings.set(&["MacAddress"], args.get("mac-address"));
    }
    if given.is_empty() {
        host.set(&["NetworkMode"], "bridge");
        if !settings["Aliases"].is_empty() {
            return Err(NO_ALIASES.into());
        }
        if !settings.is_empty() {
            out.set(&["bridge"], settings);
        }
        return Ok(out);
    }
    let mut apart = [false; 2];
    let mut names: Vec<String> = Vec::new();
    for (index, text) in given.iter().enumerate() {
        let mut own = if index == 0 { settings.clone() } else { Value::empty_map() };
        let mut name = text.to_string();
        if text.contains('=') {
            name.clear();
            for field in text.split(',') {
                let (key, value) = field.split_once('=').unwrap_or((field, ""));
                match key {
                    "name" => name = value.to_string(),
                    "alias" => own.at_mut(&["Aliases"]).list_mut().push(value.into()),
                    "ip" => own.set(&["IPAMConfig", "IPv4Address"], value),
                    "ip6" => own.set(&["IPAMConfig", "IPv6Address"], value),
                    "mac-address" => own.set(&["MacAddress"], value),
                    "gw-priority" => own.set(&["GwPriority"], value.parse::<i64>().unwrap_or(0)),
                    "driver-opt" => {
                        let (option, value) = value.split_once('=').unwrap_or((value, ""));
                        own.set(&["DriverOpts", option], value);
                    }
                    key => return Err(format!("invalid field '{key}' in '{text}'")),
                }
            }
        }
        if name.is_empty() {
            return Err("no name set for network".into());
        }
        if index == 0 {
            host.set(&["NetworkMode"], name.as_str());
        }
        if names.contains(&name) {
            return Err(format!("network {} is specified multiple times", quote(&name)));
        }
        names.push(name.clone());
        let given = matches!(name.as_str(), "host" | "none" | "bridge" | "default");
        if !own["Aliases"].is_empty() && (given || name.starts_with("container:")) {
            return Err(NO_ALIASES.into());
        }
        if index == 0 && !given && args.has("link") && !name.starts_with("container:") {
            own.set(&["Links"], texts(args.list("link")));
        }
        apart[usize::from(given)] = true;
        if apart == [true, true] {
            return Err(
                "conflicting options: cannot attach both user-defined and non-user-defined network-modes".into()
            );
        }
        if !own.is_empty() || index > 0 {
            out.set(&[&name], own);
        }
    }
    Ok(out)
}

/// The limits on memory, processors and processes that both `run` and `update` know.
pub fn limits(args: &Args, host: &mut Value) {
    for (flag, key) in
        [("memory", "Memory"), ("memory-swap", "MemorySwap"), ("memory-reservation", "MemoryReservation")]
    {
        if args.has(flag) {
            host.set(&[key], bytes(args.get(flag)).unwrap_or(0));
        }
    }
    for (flag, key) in [
        ("cpu-shares", "CpuShares"),
        ("cpu-period", "CpuPeriod"),
        ("cpu-quota", "CpuQuota"),
        ("cpu-rt-period", "CpuRealtimePeriod"),
        ("cpu-rt-runtime", "CpuRealtimeRuntime"),
        ("blkio-weight", "BlkioWeight"),
        ("pids-limit", "PidsLimit"),
    ] {
        if args.has(flag) {
            host.set(&[key], args.int(flag));
        }
    }
}
