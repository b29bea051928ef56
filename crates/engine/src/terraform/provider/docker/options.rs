//! A container's configuration as the Engine takes it.

use super::object::{entries, flag, has, items, json_map, json_texts, number, text, texts};
use crate::base::Value as Json;
use crate::base::duration;
use crate::map;
use crate::process::rerun::Io;
use crate::terraform::value::Value;

const MEGA: i64 = 1 << 20;

/// What `/containers/create` gets.
pub fn body(wanted: &Value) -> Result<Json, String> {
    let mut body = map! {
        "Image" => text(wanted, "image"), "Hostname" => text(wanted, "hostname"),
        "Domainname" => text(wanted, "domainname"), "User" => text(wanted, "user"),
        "WorkingDir" => text(wanted, "working_dir"), "Tty" => flag(wanted, "tty"),
        "OpenStdin" => flag(wanted, "stdin_open"), "AttachStdin" => flag(wanted, "attach"),
        "AttachStdout" => flag(wanted, "attach"), "AttachStderr" => flag(wanted, "attach"),
        "StopSignal" => text(wanted, "stop_signal"), "Labels" => labels(wanted),
    };
    for (name, key) in [("command", "Cmd"), ("entrypoint", "Entrypoint"), ("env", "Env")] {
        if !items(wanted, name).is_empty() {
            body.set(&[key], json_texts(texts(wanted, name)));
        }
    }
    if items(wanted, "command").iter().any(|word| word.as_str().unwrap_or_default().is_empty()) {
        return Err("values for command may not be empty".into());
    }
    if number(wanted, "stop_timeout") != 0 {
        body.set(&["StopTimeout"], number(wanted, "stop_timeout"));
    }
    if let Some(check) = items(wanted, "healthcheck").first() {
        let nanos = |name: &str| duration::parse_nanos(&text(check, name)).unwrap_or_default();
        body.set(
            &["Healthcheck"],
            map! {
                "Test" => json_texts(texts(check, "test")), "Interval" => nanos("interval"),
                "Timeout" => nanos("timeout"), "StartPeriod" => nanos("start_period"),
                "StartInterval" => nanos("start_interval"), "Retries" => number(check, "retries"),
            },
        );
    }
    let mut host = host(wanted)?;
    let mut volumes = Json::empty_map();
    let mut binds = Vec::new();
    let mut from = Vec::new();
    for volume in items(wanted, "volumes") {
        let start = "Unable to parse volumes: ";
        let (path, source) = (text(volume, "container_path"), text(volume, "from_container"));
        match (path.is_empty(), source.is_empty()) {
            (true, true) => return Err(format!("{start}volume entry without container path or source container")),
            (false, false) => return Err(format!("{start}both a container and a path specified in a volume entry")),
            (_, false) => from.push(Json::from(source)),
            _ => {
                let place = [text(volume, "host_path"), text(volume, "volume_name")];
                volumes.set(&[&path], Json::empty_map());
                if let Some(place) = place.into_iter().find(|place| !place.is_empty()) {
                    let mode = if flag(volume, "read_only") { "ro" } else { "rw" };
                    let label = text(volume, "selinux_relabel");
                    let label = if label.is_empty() { label } else { format!(",{label}") };
                    binds.push(Json::from(format!("{place}:{path}:{mode}{label}")));
                }
            }
        }
    }
    if !volumes.is_empty() {
        body.set(&["Volumes"], volumes);
    }
    host.set(&["Binds"], Json::list(binds));
    host.set(&["VolumesFrom"], Json::list(from));
    let mut exposed = Json::empty_map();
    let mut published = Json::empty_map();
    for port in items(wanted, "ports") {
        let key = format!("{}/{}", number(port, "internal"), text(port, "protocol"));
        let outer = number(port, "external");
        let outer = if outer == 0 { String::new() } else { outer.to_string() };
        let binding = map! { "HostIp" => text(port, "ip"), "HostPort" => outer };
        let mut all = published[key.as_str()].items().to_vec();
        all.push(binding);
        published.set(&[&key], Json::list(all));
        exposed.set(&[&key], Json::empty_map());
    }
    if !exposed.is_empty() {
        body.set(&["ExposedPorts"], exposed);
        host.set(&["PortBindings"], published);
    }
    body.set(&["HostConfig"], host);
    Ok(body)
}

fn labels(object: &Value) -> Json {
    json_map(items(object, "labels").iter().map(|label| (text(label, "label"), text(label, "value"))).collect())
}

fn host(wanted: &Value) -> Result<Json, String> {
    let mut host = limits(wanted);
    let texts_of = |name: &str| json_texts(texts(wanted, name));
    for (name, key) in [("rm", "AutoRemove"), ("read_only", "ReadonlyRootfs")] {
        host.set(&[key], flag(wanted, name));
    }
    for (name, key) in [("privileged", "Privileged"), ("publish_all_ports", "PublishAllPorts"), ("init", "Init")] {
        if has(wanted, name) {
            host.set(&[key], flag(wanted, name));
        }
    }
    for (name, key) in [
        ("network_mode", "NetworkMode"),
        ("ipc_mode", "IpcMode"),
        ("pid_mode", "PidMode"),
        ("userns_mode", "UsernsMode"),
        ("cgroup_parent", "CgroupParent"),
        ("runtime", "Runtime"),
    ] {
        if !text(wanted, name).is_empty() {
            host.set(&[key], text(wanted, name));
        }
    }
    for (name, key) in [
        ("dns", "Dns"),
        ("dns_opts", "DnsOptions"),
        ("dns_search", "DnsSearch"),
        ("group_add", "GroupAdd"),
        ("security_opts", "SecurityOpt"),
    ] {
        if !items(wanted, name).is_empty() {
            host.set(&[key], texts_of(name));
        }
    }
    for (name, key) in [("sysctls", "Sysctls"), ("storage_opts", "StorageOpt"), ("tmpfs", "Tmpfs")] {
        let all = entries(wanted, name);
        if !all.is_empty() {
            host.set(&[key], json_map(all));
        }
    }
    if number(wanted, "shm_size") != 0 {
        host.set(&["ShmSize"], number(wanted, "shm_size").saturating_mul(MEGA));
    }
    let driver = text(wanted, "log_driver");
    if !driver.is_empty() || has(wanted, "log_opts") {
        let driver = if driver.is_empty() { "json-file".to_string() } else { driver };
        host.set(&["LogConfig"], map! { "Type" => driver, "Config" => json_map(entries(wanted, "log_opts")) });
    }
    let cpus = text(wanted, "cpus");
    if !cpus.is_empty() {
        match cpus.parse::<f64>() {
            Ok(cpus) if cpus.is_finite() => host.set(&["NanoCpus"], (cpus * 1e9) as i64),
            _ => return Err(format!("Error setting cpus: failed to parse {cpus} as a rational number")),
        }
    }
    match text(wanted, "cgroupns_mode").as_str() {
        "" => {}
        mode @ ("private" | "host") => host.set(&["CgroupnsMode"], mode),
        _ => return Err("cgroupns_mode: invalid CGROUP mode, must be either 'private', 'host' or empty".into()),
    }
    if let Some(own) = items(wanted, "capabilities").first() {
        for (name, key) in [("add", "CapAdd"), ("drop", "CapDrop")] {
            if !items(own, name).is_empty() {
                host.set(&[key], json_texts(texts(own, name)));
            }
        }
    }
    let hosts: Vec<String> =
        items(wanted, "host").iter().map(|one| format!("{}:{}", text(one, "host"), text(one, "ip"))).collect();
    if !hosts.is_empty() {
        host.set(&["ExtraHosts"], json_texts(hosts));
    }
    let limits = items(wanted, "ulimit").iter().map(|one| {
        map! { "Name" => text(one, "name"), "Hard" => number(one, "hard"), "Soft" => number(one, "soft") }
    });
    host.set(&["Ulimits"], Json::list(limits.collect()));
    let devices = items(wanted, "devices").iter().map(|one| {
        let inner = text(one, "container_path");
        map! {
            "PathOnHost" => text(one, "host_path"),
            "PathInContainer" => if inner.is_empty() { text(one, "host_path") } else { inner },
            "CgroupPermissions" => text(one, "permissions"),
        }
    });
    host.set(&["Devices"], Json::list(devices.collect()));
    if !items(wanted, "mounts").is_empty() {
        host.set(&["Mounts"], Json::list(items(wanted, "mounts").iter().map(mount).collect()));
    }
    if !text(wanted, "gpus").is_empty() {
        let request = map! { "Driver" => "", "Count" => -1, "Capabilities" => crate::list![crate::list!["gpu"]] };
        host.set(&["DeviceRequests"], crate::list![request]);
    }
    Ok(host)
}

fn mount(own: &Value) -> Json {
    let mut mount = map! {
        "Type" => text(own, "type"), "Target" => text(own, "target"), "ReadOnly" => flag(own, "read_only"),
    };
    if !text(own, "source").is_empty() {
        mount.set(&["Source"], text(own, "source"));
    }
    match text(own, "type").as_str() {
        "bind" => {
            if let Some(options) = items(own, "bind_options").first() {
                mount.set(&["BindOptions"], map! { "Propagation" => text(options, "propagation") });
            }
        }
        "volume" => {
            if let Some(options) = items(own, "volume_options").first() {
                let mut given = map! { "NoCopy" => flag(options, "no_copy"), "Labels" => labels(options) };
                if !text(options, "driver_name").is_empty() {
                    let driver = map! {
                        "Name" => text(options, "driver_name"),
                        "Options" => json_map(entries(options, "driver_options")),
                    };
                    given.set(&["DriverConfig"], driver);
                }
                if !text(options, "subpath").is_empty() {
                    given.set(&["Subpath"], text(options, "subpath"));
                }
                mount.set(&["VolumeOptions"], given);
            }
        }
        _ => {
            if let Some(options) = items(own, "tmpfs_options").first() {
                let given = map! { "SizeBytes" => number(options, "size_bytes"), "Mode" => number(options, "mode") };
                mount.set(&["TmpfsOptions"], given);
            }
        }
    }
    mount
}

/// What can be changed while a container runs: also the body of an update.
pub fn limits(wanted: &Value) -> Json {
    let mut host = map! {
        "RestartPolicy" => map! {
            "Name" => text(wanted, "restart"), "MaximumRetryCount" => number(wanted, "max_retry_count"),
        },
        "CpuShares" => number(wanted, "cpu_shares"), "CpusetCpus" => text(wanted, "cpu_set"),
        "CpuPeriod" => number(wanted, "cpu_period"), "CpuQuota" => number(wanted, "cpu_quota"),
        "Memory" => number(wanted, "memory").saturating_mul(MEGA),
        "MemoryReservation" => number(wanted, "memory_reservation").saturating_mul(MEGA),
    };
    let swap = number(wanted, "memory_swap");
    host.set(&["MemorySwap"], if swap > 0 { swap.saturating_mul(MEGA) } else { swap });
    for (name, key) in [
        ("device_read_bps", "BlkioDeviceReadBps"),
        ("device_read_iops", "BlkioDeviceReadIOps"),
        ("device_write_bps", "BlkioDeviceWriteBps"),
        ("device_write_iops", "BlkioDeviceWriteIOps"),
    ] {
        let all =
            items(wanted, name).iter().map(|one| map! { "Path" => text(one, "path"), "Rate" => number(one, "rate") });
        host.set(&[key], Json::list(all.collect()));
    }
    host
}

/// How a container takes part in a network.
pub fn endpoint(network: &Value) -> Json {
    let mut settings = map! { "Aliases" => json_texts(texts(network, "aliases")) };
    let mut own = Json::empty_map();
    for (name, key) in [("ipv4_address", "IPv4Address"), ("ipv6_address", "IPv6Address")] {
        if !text(network, name).is_empty() {
            own.set(&[key], text(network, name));
        }
    }
    if !items(network, "link_local_ips").is_empty() {
        own.set(&["LinkLocalIPs"], json_texts(texts(network, "link_local_ips")));
    }
    if !own.is_empty() {
        settings.set(&["IPAMConfig"], own);
    }
    if !text(network, "mac_address").is_empty() {
        settings.set(&["MacAddress"], text(network, "mac_address"));
    }
    if number(network, "gw_priority") != 0 {
        settings.set(&["GwPriority"], number(network, "gw_priority"));
    }
    let options = texts(network, "driver_opts")
        .into_iter()
        .filter_map(|option| option.split_once('=').map(|(key, value)| (key.to_string(), value.to_string())));
    let options: Vec<(String, String)> = options.collect();
    if !options.is_empty() {
        settings.set(&["DriverOpts"], json_map(options));
    }
    settings
}

/// The entries of the archive that brings a file into a container.
pub fn upload(io: &mut Io<'_, '_>, upload: &Value) -> Result<Json, String> {
    let start = "error with upload content: ";
    let parts = [text(upload, "content"), text(upload, "content_base64"), text(upload, "source")];
    let given = parts.iter().filter(|part| !part.is_empty()).count();
    if given == 0 {
        return Err(format!("{start}one of 'content', 'content_base64', or 'source' must be set"));
    }
    if given > 1 {
        return Err(format!("{start}only one of 'content', 'content_base64', or 'source' can be set"));
    }
    let [content, encoded, source] = parts;
    let bytes = if !content.is_empty() {
        content.into_bytes()
    } else if !encoded.is_empty() {
        crate::terraform::eval::functions::from_base64(&encoded).unwrap_or_default()
    } else {
        io.read_file(&source)
            .map_err(|why| format!("could not read file: open {source}: {}", why.text().to_lowercase()))?
    };
    let permissions = text(upload, "permissions");
    let mode = match i64::from_str_radix(permissions.trim_start_matches('0'), 8) {
        Ok(mode) if !permissions.is_empty() => mode,
        _ if flag(upload, "executable") => 0o744,
        _ => 0o644,
    };
    let file = text(upload, "file");
    let path = crate::process::clean("/", &file);
    let path = path.trim_start_matches('/');
    let mut all = Vec::new();
    for (at, _) in path.match_indices('/') {
        all.push(map! { "path" => path.get(..at).unwrap_or_default(), "directory" => true });
    }
    all.push(map! { "path" => path, "text" => String::from_utf8_lossy(&bytes).as_ref(), "mode" => mode });
    Ok(Json::list(all))
}
