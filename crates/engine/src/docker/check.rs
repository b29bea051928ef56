//! What the Engine refuses of a container that is to be made or changed, and what it warns of.

use super::create::CPUS;
use super::{Engine, Outcome, fail};
use crate::base::Value;
use crate::base::gap;
use crate::map;

fn lists(list: &str, word: &str) -> bool {
    list.split(' ').any(|own| own == word)
}

/// A list of processors or of memory's nodes: `0-1,3`. What is wrong with it, if anything is.
fn set_of(text: &str, most: i64, word: &str, name: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let mut last = 0;
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        match (from.trim().parse::<u32>(), to.trim().parse::<u32>()) {
            (Ok(from), Ok(to)) if from <= to => last = last.max(i64::from(to)),
            _ => return Some(format!("Invalid value {text} for cpuset {word}: invalid format: {text}")),
        }
    }
    let available = if most == 0 { "0".to_string() } else { format!("0-{most}") };
    (last > most).then(|| format!("Requested {name} are not available - requested {text}, available: {available}"))
}

/// Options that exclude each other, of containers that share another's network or the machine's.
pub fn check_modes(host: &Value, body: &Value) -> Outcome<()> {
    let mode = host["NetworkMode"].str();
    let other = mode.strip_prefix("container:");
    let given = |value: &Value| !value.is_empty();
    let (named, links) = (given(&body["Hostname"]), given(&host["Links"]));
    if other == Some("") {
        return fail(400, "invalid network mode: invalid container format container:<name|id>");
    }
    let shared = other.is_some();
    let published = given(&host["PortBindings"]) || host["PublishAllPorts"].is_true();
    let rules = [
        (named && host["UTSMode"].str() == "host", "hostname and the UTS mode"),
        (named && shared, "hostname and the network mode"),
        (
            links && mode == "host",
            "host type networking can't be used with links. This would result in undefined behavior",
        ),
        (links && shared, "container type network can't be used with links. This would result in undefined behavior"),
        (shared && given(&host["Dns"]), "dns and the network mode"),
        (shared && given(&host["ExtraHosts"]), "custom host-to-IP mapping and the network mode"),
        (shared && published, "port publishing and the container type network mode"),
        (shared && given(&body["ExposedPorts"]), "port exposing and the container type network mode"),
    ];
    if let Some((_, text)) = rules.iter().find(|(holds, _)| *holds) {
        return fail(400, format!("conflicting options: {text}"));
    }
    let isolation = host["Isolation"].str();
    if !matches!(isolation, "" | "default") {
        return fail(400, format!("invalid isolation ({isolation}): linux only supports 'default'"));
    }
    Ok(())
}

/// Options whose values the Engine looks at once the image is known.
pub fn check_options(host: &Value) -> Outcome<()> {
    for option in host["SecurityOpt"].items() {
        let text = option.str();
        let (key, value) = text.split_once(['=', ':']).unwrap_or((text, ""));
        let known = match key {
            "label" | "apparmor" | "seccomp" | "writable-cgroups" => true,
            "no-new-privileges" => matches!(value, "" | "true" | "false" | "1" | "0" | "t" | "f"),
            "disable" => value.is_empty(),
            _ => false,
        };
        if !known {
            return fail(400, format!("invalid --security-opt 2: \"{text}\""));
        }
    }
    if let Some(key) = host["StorageOpt"].entries().keys().next() {
        if key != "size" {
            return fail(500, format!("Unknown option {key}"));
        }
        return fail(500, "--storage-opt is supported only for overlay over xfs with 'pquota' mount option");
    }
    Ok(())
}

/// What the Engine does, but says that it had better not.
pub fn warnings(host: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    if host["OomKillDisable"].is_true() && host["Memory"].int() == 0 {
        out.push(Value::from(
            "OOM killer is disabled for the container, but no memory limit is set, this can result in the system running out of resources.",
        ));
    }
    if host["NetworkMode"].str() == "host" && !host["PortBindings"].is_empty() {
        out.push(Value::from("Published ports are discarded when using host network mode"));
    }
    out
}

/// What a platform is, in full (`linux/amd64`), or what is wrong with its text.
pub fn platform(text: &str) -> Result<String, String> {
    const SYSTEMS: &str =
        "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris windows zos";
    const MACHINES: &str = "386 amd64 amd64p32 arm armbe arm64 arm64be ppc64 ppc64le loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc riscv riscv64 s390 s390x sparc sparc64 wasm";
    let quoted = |text: &str| crate::base::goquote::quote(text);
    let bad = |what: &str| Err(format!("{}: {what}: invalid argument", quoted(text)));
    if text.contains('*') {
        return bad("wildcards not yet supported");
    }
    let parts: Vec<&str> = text.split('/').collect();
    for (index, part) in parts.iter().enumerate() {
        let plain =
            |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b));
        let system = |text: &str| {
            let (name, version) = text.split_once('(').unwrap_or((text, ")"));
            plain(name) && !name.contains('.') && version.strip_suffix(')').is_some_and(|v| v.is_empty() || plain(v))
        };
        let (good, what, pattern) = match index {
            0 => (
                system(part),
                "an invalid OS component",
                "OSAndVersion specifier component must match \"^([A-Za-z0-9_-]+)(?:\\\\(([A-Za-z0-9_.-]*)\\\\))?$\"",
            ),
            _ => (plain(part), "an invalid component", "platform specifier component must match \"^[A-Za-z0-9_.-]+$\""),
        };
        if !good {
            return Err(format!("{} is {what} of {}: {pattern}: invalid argument", quoted(part), quoted(text)));
        }
    }
    let machine = |name: &str| match name.to_ascii_lowercase().as_str() {
        "x86_64" | "x86-64" => "amd64".to_string(),
        "aarch64" => "arm64".into(),
        "i386" => "386".into(),
        "armhf" | "armel" => "arm".into(),
        name => name.to_string(),
    };
    let first = parts.first().map_or("", |part| part.split('(').next().unwrap_or_default()).to_ascii_lowercase();
    match parts.as_slice() {
        [_] if lists(SYSTEMS, &first) => Ok(format!("{first}/amd64")),
        [_] if lists(MACHINES, &machine(&first)) => Ok(format!("linux/{}", machine(&first))),
        [_] => bad("unknown operating system or architecture"),
        [_, second] => Ok(format!("{first}/{}", machine(second))),
        [_, second, variant] => Ok(format!("{first}/{}/{variant}", machine(second))),
        _ => bad("cannot parse platform specifier"),
    }
}

/// Whether an image, all of which are for this machine, is of the platform.
pub fn is_own_platform(text: &str) -> bool {
    matches!(platform(text).as_deref(), Ok("linux/amd64" | "linux/amd64/v1")) || text.is_empty()
}

/// Devices of the machine.
const DEVICES: &str = "null zero full random urandom tty console kmsg fuse ptmx net/tun kvm mem vda loop0 loop-control rtc0 stdin stdout stderr fd pts shm mqueue";

/// What only a start finds out.
pub fn check_start(engine: &Engine, container: &super::Container) -> Outcome<()> {
    let host = &container.host;
    for key in ["IpcMode", "PidMode"] {
        match host[key].str().strip_prefix("container:") {
            Some("") => return fail(400, "failed to join IPC namespace: invalid name or ID supplied: \"\""),
            Some(other) => engine.container(other).map(|_| ())?,
            None => {}
        }
    }
    check_mounted(engine, container)?;
    check_devices(engine, host)?;
    check_groups(container)?;
    check_kernel(host)?;
    check_tmpfs_options(host)
}

fn not_begun(text: String) -> Outcome<()> {
    fail(
        400,
        format!(
            "failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: {text}"
        ),
    )
}

/// Volumes and folders, where they are and where they go.
fn check_mounted(engine: &Engine, container: &super::Container) -> Outcome<()> {
    let host = &container.host;
    for asked in host["Mounts"].items() {
        let part = asked.at(&["VolumeOptions", "Subpath"]).str();
        if !part.is_empty() {
            let (path, there) = engine.volume_path(asked["Source"].str(), part);
            if !there {
                return fail(500, format!("cannot access path {path}: lstat {path}: no such file or directory"));
            }
            return fail(501, gap::line("docker --mount volume-subpath", "mount the whole volume"));
        }
    }
    for mount in &container.mounts {
        let (path, device) = (engine.volume_path(&mount.source, "").0, engine.volume_device(&mount.source));
        if mount.kind == "volume" && !device.is_empty() && !engine.host.exists("/", &device) {
            return fail(
                500,
                format!(
                    "error while mounting volume '{path}': failed to mount local volume: mount {device}:{path}, flags: 0x1000: no such file or directory"
                ),
            );
        }
        let source = match mount.kind.as_str() {
            "volume" => path,
            "bind" => mount.source.clone(),
            _ => continue,
        };
        let files = container.files();
        let from_file =
            mount.kind == "bind" && engine.host.exists("/", &source) && !engine.host.is_directory("/", &source);
        let target = mount.target.as_str();
        if files.exists("/", target) && files.is_directory("/", target) == from_file {
            return not_begun(format!(
                "error mounting \"{source}\" to rootfs at \"{target}\": mount src={source}, dst={target}, dstFd=/proc/thread-self/fd/16, flags=MS_BIND|MS_REC: not a directory: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type"
            ));
        }
    }
    Ok(())
}

fn check_devices(engine: &Engine, host: &Value) -> Outcome<()> {
    for device in host["Devices"].items() {
        let path = device["PathOnHost"].str();
        let known = path.strip_prefix("/dev/").is_some_and(|name| lists(DEVICES, name))
            || engine.host.exists("/", path) && path.starts_with('/');
        if !known {
            return fail(
                500,
                format!(
                    "error gathering device information while adding custom device \"{path}\": no such file or directory"
                ),
            );
        }
    }
    if let Some(wanted) = host["DeviceRequests"].items().first() {
        let sets = wanted["Capabilities"].items().iter().map(|set| {
            let words: Vec<&str> = set.items().iter().map(Value::str).collect();
            format!("[{}]", words.join(" "))
        });
        let sets: Vec<String> = sets.collect();
        let driver = wanted["Driver"].str();
        return fail(
            500,
            format!("could not select device driver \"{driver}\" with capabilities: [{}]", sets.join(" ")),
        );
    }
    Ok(())
}

fn check_groups(container: &super::Container) -> Outcome<()> {
    let groups = container.files().read_text("/", "/etc/group").unwrap_or_default();
    for group in container.host["GroupAdd"].items().iter().map(Value::str) {
        let found = !group.is_empty()
            && (group.bytes().all(|b| b.is_ascii_digit())
                || groups.lines().any(|line| line.split(':').next() == Some(group)));
        if !found {
            return fail(500, format!("Unable to find group {group}: no matching entries in group file"));
        }
    }
    Ok(())
}

/// Kernel parameters and the shares of processors.
fn check_kernel(host: &Value) -> Outcome<()> {
    for (name, _) in host["Sysctls"].entries().iter() {
        const NETS: &str = "ipv4 ipv6 core netfilter unix bridge";
        let of_net = name.strip_prefix("net.");
        let missing = of_net.is_some_and(|rest| !NETS.split(' ').any(|own| rest.split('.').next() == Some(own)));
        if of_net.is_some() && host["NetworkMode"].str() == "host" {
            return not_begun(format!("sysctl \"{name}\" not allowed in host network namespace"));
        }
        if missing {
            let path = name.replace('.', "/");
            return not_begun(format!(
                "open sysctl {name} file: unsafe procfs detected: openat2 fsmount:fscontext:proc/./sys/{path}: no such file or directory"
            ));
        }
    }
    if host["CpuShares"].int() == 1 {
        return not_begun(
            "error setting cgroup config for procHooks process: the minimum allowed cpu-shares is 2".into(),
        );
    }
    Ok(())
}

const MOUNT_FLAGS: &str = "ro rw exec noexec suid nosuid dev nodev sync async remount dirsync mand nomand atime noatime \
                           diratime nodiratime bind rbind private rprivate shared rshared slave rslave unbindable \
                           runbindable relatime norelatime strictatime nostrictatime defaults";

fn check_tmpfs_options(host: &Value) -> Outcome<()> {
    for (target, options) in host["Tmpfs"].entries().iter() {
        let good = |option: &str| match option.split_once('=') {
            Some(("size", value)) => {
                let value = value.strip_suffix(['k', 'm', 'g', 't', '%', 'K', 'M', 'G', 'T']).unwrap_or(value);
                value.parse::<u64>().is_ok()
            }
            Some(("mode", value)) => u32::from_str_radix(value, 8).is_ok(),
            Some(("uid" | "gid" | "nr_inodes" | "nr_blocks", value)) => {
                value.trim_end_matches(['k', 'm', 'g']).parse::<u64>().is_ok()
            }
            Some((key, _)) => matches!(key, "mpol" | "huge"),
            None => lists(MOUNT_FLAGS, option),
        };
        let left: Vec<&str> = options.str().split(',').filter(|option| !option.is_empty()).collect();
        if left.iter().any(|option| !good(option)) {
            let data: Vec<&str> = left.into_iter().filter(|option| option.contains('=') || !good(option)).collect();
            return not_begun(format!(
                "error mounting \"tmpfs\" to rootfs at \"{target}\": mount src=tmpfs, dst={target}, dstFd=/proc/thread-self/fd/13, flags=MS_NOSUID|MS_NODEV|MS_NOEXEC, data={}: invalid argument",
                data.join(",")
            ));
        }
    }
    Ok(())
}

/// One entry of `Mounts`: what is wrong with it.
pub fn check_mount(engine: &Engine, asked: &Value) -> Outcome<()> {
    let (kind, source, target) = (asked["Type"].str(), asked["Source"].str(), asked["Target"].str());
    let has = |key: &str| !asked[key].is_null();
    let propagation = asked.at(&["BindOptions", "Propagation"]).str();
    let extra =
        |keys: &[&str]| keys.iter().find(|key| has(key)).map(|key| format!("field {key} must not be specified"));
    let relative = |path: &str| {
        (!path.starts_with('/')).then(|| format!("invalid mount path: '{path}' mount path must be absolute"))
    };
    let missing = |name: &str, text: &str| text.is_empty().then(|| format!("field {name} must not be empty"));
    let why = missing("Target", target)
        .or_else(|| {
            (crate::process::clean("/", target) == "/" && target.starts_with('/'))
                .then(|| "invalid specification: destination can't be '/'".into())
        })
        .or_else(|| relative(target))
        .or_else(|| match kind {
            "bind" => missing("Source", source)
                .or_else(|| {
                    let known = propagation.is_empty()
                        || MODES.iter().any(|(group, names)| *group == 'p' && lists(names, propagation));
                    (!known).then(|| format!("invalid propagation mode: {propagation}"))
                })
                .or_else(|| extra(&["VolumeOptions"]))
                .or_else(|| relative(source))
                .or_else(|| {
                    let made =
                        engine.host.exists("/", source) || asked.at(&["BindOptions", "CreateMountpoint"]).is_true();
                    (!made).then(|| format!("bind source path does not exist: {source}"))
                }),
            "volume" if source.is_empty() && asked["ReadOnly"].is_true() => {
                Some("must not set ReadOnly mode when using anonymous volumes".into())
            }
            "volume" => extra(&["BindOptions"]),
            "tmpfs" if !source.is_empty() => Some("field Source must not be specified".into()),
            "tmpfs" => extra(&["BindOptions", "VolumeOptions"]),
            "image" => missing("Source", source),
            _ => Some("mount type unknown".into()),
        });
    match why {
        Some(why) => fail(400, format!("invalid mount config for type \"{kind}\": {why}")),
        None if kind == "image" && engine.find_image(source).is_none() => Err(super::images::no_such(source)),
        None if kind == "image" => fail(501, gap::line("docker --mount type=image", "")),
        None => Ok(()),
    }
}

/// Words of the third part of `-v`, of each group one: access, label, propagation, copying, consistency.
const MODES: [(char, &str); 5] = [
    ('a', "rw ro"),
    ('l', "z Z"),
    ('p', "private rprivate slave rslave shared rshared"),
    ('c', "nocopy"),
    ('t', "consistent cached delegated default"),
];

/// One of `Binds`: source, target, mode.
pub fn check_bind(text: &str) -> Outcome<(&str, &str, &str)> {
    let whole = |why: &str| {
        let colon = if why.is_empty() { "" } else { ": " };
        fail(400, format!("invalid volume specification: '{text}'{colon}{why}"))
    };
    let valid = |mode: &str| {
        let mut seen = Vec::new();
        mode.is_empty()
            || mode.split(',').all(|word| {
                let group = MODES.iter().find(|(_, names)| lists(names, word)).map(|(group, _)| *group);
                let fresh = group.is_some_and(|group| !seen.contains(&group));
                seen.extend(group);
                fresh
            })
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (source, target, mode) = match parts.as_slice() {
        ["", ..] => return whole(""),
        // Rights are of what is mounted, not of a place alone.
        [_, mode] if !mode.is_empty() && valid(mode) => return whole(""),
        [source, target] => (*source, *target, ""),
        [source, target, mode] => (*source, *target, *mode),
        _ => return whole(""),
    };
    if !valid(mode) {
        return fail(400, format!("invalid mode: {mode}"));
    }
    let kind = if source.starts_with('/') { "bind" } else { "volume" };
    let has =
        |group: char| mode.split(',').any(|word| MODES.iter().any(|(own, names)| *own == group && lists(names, word)));
    let start = format!("invalid mount config for type \"{kind}\": ");
    if crate::process::clean("/", target) == "/" && target.starts_with('/') {
        return whole(&format!("{start}invalid specification: destination can't be '/'"));
    }
    if !target.starts_with('/') {
        return whole(&format!("{start}invalid mount path: '{target}' mount path must be absolute"));
    }
    match kind {
        "bind" if has('c') => whole(&format!("{start}field VolumeOptions must not be specified")),
        "volume" if has('p') => whole(&format!("{start}field BindOptions must not be specified")),
        _ => Ok((source, target, mode)),
    }
}

/// A path of `Tmpfs`.
pub fn check_tmpfs(path: &str) -> Outcome<()> {
    if !path.starts_with('/') {
        return fail(400, format!("invalid mount path: '{path}' mount path must be absolute"));
    }
    if crate::process::clean("/", path) == "/" {
        return fail(400, "invalid specification: destination can't be '/'");
    }
    Ok(())
}

/// A capability by its full name.
pub fn capability(name: &str) -> String {
    let name = name.to_uppercase();
    if name == "ALL" || name.starts_with("CAP_") { name } else { format!("CAP_{name}") }
}

/// Memory, processors and restarts as the Engine accepts them.
pub fn check_limits(host: &mut Value) -> Outcome<()> {
    let policy = &host["RestartPolicy"];
    let (name, count) = (policy["Name"].str().to_string(), policy["MaximumRetryCount"].int());
    match name.as_str() {
        "" => host.set(&["RestartPolicy"], map! { "Name" => "no", "MaximumRetryCount" => 0 }),
        "no" | "always" | "unless-stopped" if count != 0 => {
            return fail(400, "invalid restart policy: maximum retry count can only be used with 'on-failure'");
        }
        "no" | "always" | "unless-stopped" => {}
        "on-failure" if count < 0 => {
            return fail(400, "invalid restart policy: maximum retry count cannot be negative");
        }
        "on-failure" => {}
        other => {
            return fail(
                400,
                format!(
                    "invalid restart policy: unknown policy '{other}'; use one of 'no', 'always', 'on-failure', or 'unless-stopped'"
                ),
            );
        }
    }
    if host["AutoRemove"].is_true() && !matches!(host.at(&["RestartPolicy", "Name"]).str(), "" | "no") {
        return fail(400, "can't create 'AutoRemove' container with restart policy");
    }
    let (memory, swap, reservation) = (host["Memory"].int(), host["MemorySwap"].int(), host["MemoryReservation"].int());
    if memory != 0 && memory < 6 << 20 {
        return fail(400, "Minimum memory limit allowed is 6MB");
    }
    if memory > 0 && swap > 0 && swap < memory {
        return fail(400, "Minimum memoryswap limit should be larger than memory limit, see usage");
    }
    if memory == 0 && swap > 0 {
        return fail(400, "You should always set the Memory limit when using Memoryswap limit, see usage");
    }
    if reservation != 0 && reservation < 6 << 20 {
        return fail(400, "Minimum memory reservation allowed is 6MB");
    }
    if memory > 0 && reservation > memory {
        return fail(400, "Minimum memory limit can not be less than memory reservation limit, see usage");
    }
    if memory > 0 && swap == 0 {
        host.set(&["MemorySwap"], memory.saturating_mul(2));
    }
    let (cpus, period, quota) = (host["NanoCpus"].int(), host["CpuPeriod"].int(), host["CpuQuota"].int());
    if cpus > 0 && (period > 0 || quota > 0) {
        let what = if period > 0 { "Period" } else { "Quota" };
        return fail(400, format!("Conflicting options: Nano CPUs and CPU {what} cannot both be set"));
    }
    if !(0..=CPUS * 1_000_000_000).contains(&cpus) {
        return fail(400, format!("range of CPUs is from 0.01 to {CPUS}.00, as there are only {CPUS} CPUs available"));
    }
    let shares = host["CpuShares"].int();
    if shares < 0 {
        return fail(400, format!("invalid CPU shares ({shares}): value must be a positive integer"));
    }
    if period != 0 && !(1000..=1_000_000).contains(&period) {
        return fail(400, "CPU cfs period can not be less than 1ms (i.e. 1000) or larger than 1s (i.e. 1000000)");
    }
    if quota > 0 && quota < 1000 {
        return fail(400, "CPU cfs quota can not be less than 1ms (i.e. 1000)");
    }
    let (cpus, nodes) = (host["CpusetCpus"].str(), host["CpusetMems"].str());
    let wrong = set_of(cpus, CPUS - 1, "cpus", "CPUs").or_else(|| set_of(nodes, 0, "mems", "memory nodes"));
    match wrong {
        Some(text) => fail(400, text),
        None => Ok(()),
    }
}

/// Names of things the Engine has a fixed list of.
pub fn check_names(host: &Value, body: &Value) -> Outcome<()> {
    let text = |key: &str| host[key].str();
    if !matches!(text("Runtime"), "" | "runc" | "io.containerd.runc.v2") {
        return fail(400, format!("unknown or invalid runtime name: {}", text("Runtime")));
    }
    let other = |mode: &str| mode.starts_with("container:");
    if !matches!(text("IpcMode"), "" | "none" | "host" | "private" | "shareable") && !other(text("IpcMode")) {
        return fail(400, format!("invalid IPC mode: {}", text("IpcMode")));
    }
    for key in ["CapAdd", "CapDrop"] {
        let known =
            |name: &str| name == "ALL" || CAPABILITIES.split(' ').any(|own| name.strip_prefix("CAP_") == Some(own));
        if let Some(bad) = host[key].items().iter().find(|name| !known(name.str())) {
            return fail(400, format!("invalid {key}: unknown capability: \"{}\"", bad.str()));
        }
    }
    let score = host["OomScoreAdj"].int();
    if !(-1000..=1000).contains(&score) {
        return fail(400, format!("Invalid value {score}, range for oom score adj is [-1000, 1000]"));
    }
    let weight = host["BlkioWeight"].int();
    if weight != 0 && !(10..=1000).contains(&weight) {
        return fail(400, "Range of blkio weight is from 10 to 1000");
    }
    let driver = host.at(&["LogConfig", "Type"]).str();
    const DRIVERS: &str = "awslogs fluentd gcplogs gelf journald json-file local none splunk syslog";
    if !lists(DRIVERS, driver) {
        return fail(400, format!("error looking up logging plugin {driver}: plugin \"{driver}\" not found"));
    }
    let options = match driver {
        "json-file" => "max-file max-size compress labels labels-regex env env-regex tag mode max-buffer-size",
        "local" => "max-file max-size compress mode max-buffer-size",
        "syslog" => {
            "env env-regex labels labels-regex syslog-address syslog-facility syslog-tls-ca-cert syslog-tls-cert syslog-tls-key syslog-tls-skip-verify tag syslog-format mode max-buffer-size"
        }
        _ => "",
    };
    let given = host.at(&["LogConfig", "Config"]);
    let mode = given["mode"].str();
    if !matches!(mode, "" | "blocking" | "non-blocking") {
        return fail(400, format!("logger: logging mode not supported: {mode}"));
    }
    let unknown = |name: &&crate::base::SmolStr| !lists(options, name);
    if let Some(bad) = given.entries().keys().find(unknown).filter(|_| !options.is_empty()) {
        let place = if driver == "local" { "log driver local".into() } else { format!("{driver} log driver") };
        return fail(400, format!("unknown log opt '{bad}' for {place}"));
    }
    if host["Annotations"].has("") {
        return fail(400, "invalid Annotations: the empty string is not permitted as an annotation key");
    }
    for key in ["Interval", "Timeout", "StartPeriod", "StartInterval"] {
        let nanos = body["Healthcheck"][key].int();
        if nanos != 0 && nanos < 1_000_000 {
            return fail(400, format!("{key} in Healthcheck cannot be less than 1ms"));
        }
    }
    let signal = body["StopSignal"].str();
    if !signal.is_empty()
        && !signal.parse::<u32>().is_ok_and(|number| number > 0)
        && super::stop::signal_number(signal).is_none()
    {
        return fail(400, format!("invalid signal: {signal}"));
    }
    let directory = body["WorkingDir"].str();
    if !directory.is_empty() && !directory.starts_with('/') {
        return fail(400, format!("the working directory '{directory}' is invalid, it needs to be an absolute path"));
    }
    Ok(())
}

const CAPABILITIES: &str = "AUDIT_CONTROL AUDIT_READ AUDIT_WRITE BLOCK_SUSPEND BPF CHECKPOINT_RESTORE CHOWN DAC_OVERRIDE \
    DAC_READ_SEARCH FOWNER FSETID IPC_LOCK IPC_OWNER KILL LEASE LINUX_IMMUTABLE MAC_ADMIN MAC_OVERRIDE MKNOD NET_ADMIN \
    NET_BIND_SERVICE NET_BROADCAST NET_RAW PERFMON SETFCAP SETGID SETPCAP SETUID SYSLOG SYS_ADMIN SYS_BOOT SYS_CHROOT \
    SYS_MODULE SYS_NICE SYS_PACCT SYS_PTRACE SYS_RAWIO SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG WAKE_ALARM";
