//! What a container looks like now, as the provider's `Read` writes it down.

use super::client::{Answer, Client};
use super::object::{Data, flag, items, list, map, object, set, text};
use crate::base::Value as Json;
use crate::base::duration;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::value::{Type, Value};

const MEGA: i64 = 1 << 20;

/// The container as the Engine tells of it, if it is still there.
pub fn find(io: &mut Io<'_, '_>, client: &Client, id: &str) -> Outcome<Answer<Option<Json>>> {
    // Asked for alone: among a thousand, each would be told of all the others.
    let known = id.bytes().all(|byte| byte.is_ascii_hexdigit());
    let filters = if known { format!("{{\"id\":[\"{id}\"]}}") } else { String::new() };
    let query = [("all", "1"), ("filters", filters.as_str())];
    let all = match client.ask(io, crate::base::http::Method::Get, "/containers/json", &query, Json::Null)? {
        Ok(all) => all,
        Err(why) => return Ok(Err(why)),
    };
    if !all.items().iter().any(|one| one["Id"].str() == id) {
        return Ok(Ok(None));
    }
    Ok(match client.get(io, &format!("/containers/{id}/json"))? {
        Ok(found) => Ok(Some(found)),
        Err(why) => Err(format!("Error inspecting container {id}: {why}")),
    })
}

/// Writes down what was found.
pub fn take(data: &mut Data, id: &str, found: &Json) {
    data.set_text("id", id);
    state(data, found);
    names(data, found);
    limits(data, &found["HostConfig"]);
    host(data, &found["HostConfig"]);
    blocks(data, found);
}

fn state(data: &mut Data, found: &Json) {
    let was = data.value();
    let running = found["State"]["Running"].is_true();
    let must_run = flag(&was, "must_run");
    if !running {
        data.set_number("exit_code", found["State"]["ExitCode"].int());
        if must_run {
            data.set_flag("must_run", false);
        }
    }
    if !items(&was, "ports").is_empty() && (running || must_run) {
        data.set("ports", ports(&found["NetworkSettings"]["Ports"], &was));
    }
    data.set_text("bridge", found["NetworkSettings"]["Bridge"].smol());
    let networks = found["NetworkSettings"]["Networks"].entries();
    let networks = networks.iter().map(|(name, one)| {
        let text = |key: &str| Value::string(one[key].smol());
        object(vec![
            ("gateway", text("Gateway")),
            ("global_ipv6_address", text("GlobalIPv6Address")),
            ("global_ipv6_prefix_length", Value::int(one["GlobalIPv6PrefixLen"].int())),
            ("ip_address", text("IPAddress")),
            ("ip_prefix_length", Value::int(one["IPPrefixLen"].int())),
            ("ipv6_gateway", text("IPv6Gateway")),
            ("mac_address", text("MacAddress")),
            ("network_name", Value::string(name.clone())),
        ])
    });
    let networks: Vec<Value> = networks.collect();
    let ty = was.get("network_data").map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
    data.set("network_data", Value::list(ty, networks));
}

/// Published ports in the order of the ports inside.
fn ports(published: &Json, was: &Value) -> Value {
    let mut all: Vec<(i64, String, Json)> = Vec::new();
    for (key, bindings) in published.entries().iter() {
        let (port, protocol) = key.split_once('/').unwrap_or((key, "tcp"));
        for binding in bindings.items() {
            all.push((port.parse().unwrap_or_default(), protocol.to_string(), binding.clone()));
        }
    }
    all.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let items = all.into_iter().map(|(port, protocol, binding)| {
        object(vec![
            ("external", Value::int(binding["HostPort"].str().parse().unwrap_or_default())),
            ("internal", Value::int(port)),
            ("ip", Value::string(binding["HostIp"].smol())),
            ("protocol", Value::string(protocol)),
        ])
    });
    let ty = was.get("ports").map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
    Value::list(ty, items.collect())
}

fn names(data: &mut Data, found: &Json) {
    let was = data.value();
    let config = &found["Config"];
    data.set_text("name", found["Name"].str().trim_start_matches('/'));
    // By id where an id was asked for, else by the name.
    let shown = text(&was, "image");
    let by_id = shown.starts_with("sha256:");
    let image = if by_id { found["Image"].smol() } else { config["Image"].smol() };
    data.set_text("image", image);
    data.set_text("hostname", config["Hostname"].smol());
    data.set_text("domainname", config["Domainname"].smol());
    data.set("command", list(&config["Cmd"]));
    data.set("entrypoint", list(&config["Entrypoint"]));
    data.set_text("user", config["User"].smol());
    data.set_text("working_dir", config["WorkingDir"].smol());
    data.set_flag("tty", config["Tty"].is_true());
    data.set_flag("stdin_open", config["OpenStdin"].is_true());
    data.set_text("stop_signal", config["StopSignal"].smol());
    data.set_number("stop_timeout", config["StopTimeout"].int());
    data.set_text("platform", found["Platform"].smol());
}

fn limits(data: &mut Data, host: &Json) {
    let was = data.value();
    let mega = |key: &str| match host[key].int() {
        -1 => -1,
        bytes => bytes / MEGA,
    };
    for (name, key) in [
        ("memory", "Memory"),
        ("memory_swap", "MemorySwap"),
        ("memory_reservation", "MemoryReservation"),
        ("shm_size", "ShmSize"),
    ] {
        data.set_number(name, mega(key));
    }
    data.set_number("cpu_shares", host["CpuShares"].int());
    data.set_text("cpu_set", host["CpusetCpus"].smol());
    if host["NanoCpus"].int() != 0 && !text(&was, "cpus").is_empty() {
        let cpus = format!("{:.9}", host["NanoCpus"].int() as f64 / 1e9);
        let same = text(&was, "cpus").parse::<f64>().ok() == cpus.parse::<f64>().ok();
        let cpus = if same { text(&was, "cpus") } else { cpus.trim_end_matches('0').trim_end_matches('.').to_string() };
        data.set_text("cpus", cpus);
    }
    data.set_text("restart", host["RestartPolicy"]["Name"].smol());
    data.set_number("max_retry_count", host["RestartPolicy"]["MaximumRetryCount"].int());
}

fn host(data: &mut Data, host: &Json) {
    let was = data.value();
    for (name, key) in [
        ("rm", "AutoRemove"),
        ("read_only", "ReadonlyRootfs"),
        ("publish_all_ports", "PublishAllPorts"),
        ("privileged", "Privileged"),
        ("init", "Init"),
    ] {
        data.set_flag(name, host[key].is_true());
    }
    for (name, key) in [
        ("runtime", "Runtime"),
        ("network_mode", "NetworkMode"),
        ("userns_mode", "UsernsMode"),
        ("ipc_mode", "IpcMode"),
    ] {
        data.set_text(name, host[key].smol());
    }
    for (name, key) in [("pid_mode", "PidMode"), ("cgroup_parent", "CgroupParent"), ("cgroupns_mode", "CgroupnsMode")] {
        if !text(&was, name).is_empty() {
            data.set_text(name, host[key].smol());
        }
    }
    for (name, key) in [
        ("dns", "Dns"),
        ("dns_opts", "DnsOptions"),
        ("dns_search", "DnsSearch"),
        ("group_add", "GroupAdd"),
        ("security_opts", "SecurityOpt"),
    ] {
        data.set(name, set(&host[key]));
    }
    for (name, key) in [("storage_opts", "StorageOpt"), ("sysctls", "Sysctls"), ("tmpfs", "Tmpfs")] {
        data.set(name, map(&host[key]));
    }
    data.set_text("log_driver", host["LogConfig"]["Type"].smol());
    let options = if was.get("log_opts").is_some_and(|own| !own.is_null() && !own.is_empty()) {
        map(&host["LogConfig"]["Config"])
    } else {
        Value::map(Type::String, Default::default())
    };
    data.set("log_opts", options);
}

fn blocks(data: &mut Data, found: &Json) {
    let was = data.value();
    let host = &found["HostConfig"];
    let mut set_blocks = |name: &str, all: Vec<Value>| {
        let ty = was.get(name).map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
        data.set(name, Value::set(ty, all));
    };
    if !host["CapAdd"].is_empty() || !host["CapDrop"].is_empty() {
        set_blocks("capabilities", vec![object(vec![("add", set(&host["CapAdd"])), ("drop", set(&host["CapDrop"]))])]);
    }
    let hosts = host["ExtraHosts"].items().iter().filter_map(|entry| {
        let (name, address) = entry.str().split_once(':')?;
        Some(object(vec![("host", Value::string(name)), ("ip", Value::string(address))]))
    });
    set_blocks("host", hosts.collect());
    if !items(&was, "ulimit").is_empty() {
        let all = host["Ulimits"].items().iter().map(|own| {
            object(vec![
                ("hard", Value::int(own["Hard"].int())),
                ("name", Value::string(own["Name"].smol())),
                ("soft", Value::int(own["Soft"].int())),
            ])
        });
        set_blocks("ulimit", all.collect());
    }
    if !items(&was, "devices").is_empty() {
        let all = host["Devices"].items().iter().map(|own| {
            object(vec![
                ("container_path", Value::string(own["PathInContainer"].smol())),
                ("host_path", Value::string(own["PathOnHost"].smol())),
                ("permissions", Value::string(own["CgroupPermissions"].smol())),
            ])
        });
        set_blocks("devices", all.collect());
    }
    for (name, key) in [
        ("device_read_bps", "BlkioDeviceReadBps"),
        ("device_read_iops", "BlkioDeviceReadIOps"),
        ("device_write_bps", "BlkioDeviceWriteBps"),
        ("device_write_iops", "BlkioDeviceWriteIOps"),
    ] {
        let all = host[key].items().iter().map(|own| {
            object(vec![("path", Value::string(own["Path"].smol())), ("rate", Value::int(own["Rate"].int()))])
        });
        set_blocks(name, all.collect());
    }
    set_blocks("mounts", host["Mounts"].items().iter().map(|own| mount(own, &was)).collect());
    let check = &found["Config"]["Healthcheck"];
    if !check["Test"].is_empty() {
        let span = |key: &str| Value::string(duration::go_nanos(i128::from(check[key].int())));
        let ty = was.get("healthcheck").map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
        let block = object(vec![
            ("interval", span("Interval")),
            ("retries", Value::int(check["Retries"].int())),
            ("start_interval", span("StartInterval")),
            ("start_period", span("StartPeriod")),
            ("test", list(&check["Test"])),
            ("timeout", span("Timeout")),
        ]);
        data.set("healthcheck", Value::list(ty, vec![block]));
    }
}

fn mount(own: &Json, was: &Value) -> Value {
    let element = was.get("mounts").map(Value::ty).and_then(|ty| ty.element().cloned()).unwrap_or_default();
    let none = |name: &str| {
        let ty = element.attributes().and_then(|all| all.get(name)).and_then(|ty| ty.element().cloned());
        ty.unwrap_or_default()
    };
    let one = |name: &str, block: Option<Value>| Value::list(none(name), block.into_iter().collect());
    let bind = &own["BindOptions"];
    let bind = (!bind.is_empty()).then(|| object(vec![("propagation", Value::string(bind["Propagation"].smol()))]));
    let volume = &own["VolumeOptions"];
    let labels = volume["Labels"].entries().iter().map(|(label, value)| {
        object(vec![("label", Value::string(label.clone())), ("value", Value::string(value.smol()))])
    });
    let label = none("volume_options").attributes().and_then(|all| all.get("labels")?.element().cloned());
    let volume = (!volume.is_empty()).then(|| {
        object(vec![
            ("driver_name", Value::string(volume["DriverConfig"]["Name"].smol())),
            ("driver_options", map(&volume["DriverConfig"]["Options"])),
            ("labels", Value::set(label.unwrap_or_default(), labels.collect())),
            ("no_copy", Value::bool(volume["NoCopy"].is_true())),
            ("subpath", Value::string(volume["Subpath"].smol())),
        ])
    });
    let memory = &own["TmpfsOptions"];
    let memory = (!memory.is_empty()).then(|| {
        object(vec![("mode", Value::int(memory["Mode"].int())), ("size_bytes", Value::int(memory["SizeBytes"].int()))])
    });
    object(vec![
        ("bind_options", one("bind_options", bind)),
        ("read_only", Value::bool(own["ReadOnly"].is_true())),
        ("source", Value::string(own["Source"].smol())),
        ("target", Value::string(own["Target"].smol())),
        ("tmpfs_options", one("tmpfs_options", memory)),
        ("type", Value::string(own["Type"].smol())),
        ("volume_options", one("volume_options", volume)),
    ])
}
