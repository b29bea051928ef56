//! Making a container: what is checked, what the image adds, the files it begins with.

use super::container::{Container, State};
use super::networks::{Attachment, wrong_address};
use super::volumes::{self, Mount};
use super::wire::short;
use super::{Cx, Engine, Outcome, check, fail, images};
use crate::base::http::Request;
use crate::base::{Span, Value, json};
use crate::process::{Files, Node};
use crate::runtime::{Image, Log};
use crate::{list, map};

/// What stands in `HostConfig` when nobody says otherwise.
const HOST: &str = r#"{"Binds":null,"ContainerIDFile":"","LogConfig":{"Type":"json-file","Config":{}},"NetworkMode":"bridge",
"PortBindings":{},"RestartPolicy":{"Name":"no","MaximumRetryCount":0},"AutoRemove":false,"VolumeDriver":"",
"VolumesFrom":null,"ConsoleSize":[0,0],"CapAdd":null,"CapDrop":null,"CgroupnsMode":"host","Dns":[],"DnsOptions":[],
"DnsSearch":[],"ExtraHosts":null,"GroupAdd":null,"IpcMode":"private","Cgroup":"","Links":null,"OomScoreAdj":0,
"PidMode":"","Privileged":false,"PublishAllPorts":false,"ReadonlyRootfs":false,"SecurityOpt":null,"UTSMode":"",
"UsernsMode":"","ShmSize":67108864,"Runtime":"runc","Isolation":"","CpuShares":0,"Memory":0,"NanoCpus":0,
"CgroupParent":"","BlkioWeight":0,"BlkioWeightDevice":[],"BlkioDeviceReadBps":[],"BlkioDeviceWriteBps":[],
"BlkioDeviceReadIOps":[],"BlkioDeviceWriteIOps":[],"CpuPeriod":0,"CpuQuota":0,"CpuRealtimePeriod":0,
"CpuRealtimeRuntime":0,"CpusetCpus":"","CpusetMems":"","Devices":[],"DeviceCgroupRules":null,"DeviceRequests":null,
"MemoryReservation":0,"MemorySwap":0,"MemorySwappiness":null,"OomKillDisable":false,"PidsLimit":null,"Ulimits":[],
"CpuCount":0,"CpuPercent":0,"IOMaximumIOps":0,"IOMaximumBandwidth":0,
"MaskedPaths":["/proc/asound","/proc/acpi","/proc/interrupts","/proc/kcore","/proc/keys","/proc/latency_stats",
"/proc/timer_list","/proc/timer_stats","/proc/sched_debug","/proc/scsi","/sys/firmware","/sys/devices/virtual/powercap"],
"ReadonlyPaths":["/proc/bus","/proc/fs","/proc/irq","/proc/sys","/proc/sysrq-trigger"]}"#;

/// Processors of the machine.
pub const CPUS: i64 = 2;
const MOST_CONTAINERS: usize = 4000;

impl Engine {
    pub(super) fn container_create(&mut self, cx: &mut Cx<'_>, request: &Request, body: &Value) -> Outcome<Value> {
        let name = request.query("name");
        let platform = match request.query("platform") {
            "" => Ok(String::new()),
            text => check::platform(text),
        };
        if !name.is_empty() && !good_name(name) {
            return fail(400, format!("Invalid container name ({name}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed"));
        }
        if self.containers.len() >= MOST_CONTAINERS {
            return fail(500, format!("this simulated machine holds at most {MOST_CONTAINERS} containers"));
        }
        let mut host = json::parse(HOST).unwrap_or_default();
        for (key, value) in body["HostConfig"].entries().iter().filter(|(_, value)| !value.is_null()) {
            let kept = value.is_empty()
                && matches!(
                    key.as_str(),
                    "CgroupnsMode" | "IpcMode" | "Runtime" | "ShmSize" | "LogConfig" | "NetworkMode"
                );
            if !kept {
                host.set(&[key], value.clone());
            }
        }
        if host.at(&["LogConfig", "Type"]).is_empty() {
            host.set(&["LogConfig", "Type"], "json-file");
            if host.at(&["LogConfig", "Config"]).is_null() {
                host.set(&["LogConfig", "Config"], Value::empty_map());
            }
        }
        check::check_modes(&host, body)?;
        for key in ["CapAdd", "CapDrop"] {
            let full =
                host[key].items().iter().map(|name| Value::from(check::capability(name.str()))).collect::<Vec<_>>();
            if !full.is_empty() {
                host.set(&[key], Value::list(full));
            }
        }
        // What clients send for "not set".
        for (key, unset) in [("MemorySwappiness", -1), ("PidsLimit", 0)] {
            if host[key].as_int() == Some(unset) {
                host.set(&[key], Value::Null);
            }
        }
        if host["ShmSize"].int() < 0 {
            return fail(400, "SHM size can not be less than 0");
        }
        check::check_limits(&mut host)?;
        check::check_names(&host, body)?;
        let asked = platform.map_err(|text| (400, text))?;
        let image_name = body["Image"].str();
        let Some(local) = self.find_image(image_name).and_then(|at| self.images.get(at)).cloned() else {
            return Err(images::no_such(image_name));
        };
        if !check::is_own_platform(&asked) {
            let text = images::other_platform(image_name, &asked);
            return fail(404, text);
        }
        check::check_options(&host)?;
        if host["Privileged"].is_true() {
            if host["SecurityOpt"].is_empty() {
                host.set(&["SecurityOpt"], list!["label=disable"]);
            }
            host.set(&["MaskedPaths"], Value::Null);
            host.set(&["ReadonlyPaths"], Value::Null);
        }
        let mut config = merged(local.config(), body);
        config.set(&["Image"], image_name);
        let id = self.new_id(cx);
        let mode = match host["NetworkMode"].str() {
            "default" | "" => "bridge".to_string(),
            mode => mode.to_string(),
        };
        if config["Hostname"].is_empty() {
            let own = if mode == "host" { MACHINE } else { short(&id) };
            config.set(&["Hostname"], own);
        }
        let name = if name.is_empty() { self.new_name(cx) } else { name.trim_start_matches('/').to_string() };
        if let Some(other) = self.names.get(&name) {
            return fail(
                409,
                format!(
                    "Conflict. The container name \"/{name}\" is already in use by container \"{}\". You have to remove (or rename) that container to be able to reuse that name.",
                    other
                ),
            );
        }
        let mut container = Container {
            id: id.clone(),
            name: name.clone(),
            order: 0,
            created: cx.now,
            image_id: local.id.clone(),
            image: local.image.clone(),
            config,
            host,
            networks: Vec::new(),
            published: Vec::new(),
            mounts: Vec::new(),
            state: State::Created,
            started: None,
            finished: None,
            exit_code: 0,
            error: String::new(),
            oom: false,
            restarts: 0,
            backoff: Span::ZERO,
            stopped: false,
            run: 0,
            running: None,
            resting: Files::default(),
            original: Files::default(),
            log: Log::default(),
            health: None,
            pid: 0,
            planned: None,
        };
        if container.path_and_args().is_empty() {
            return fail(400, "no command specified");
        }
        self.attach_networks(&mut container, &mode, body)?;
        self.attach_mounts(cx, &mut container)?;
        self.attach_links(&mut container, &mode)?;
        let files = match &local.committed {
            Some(own) => own.files.clone(),
            None => self.trees.entry(local.id.clone()).or_insert_with(|| base_files(&local.image)).clone(),
        };
        let directory = container.config["WorkingDir"].str().to_string();
        if !directory.is_empty() {
            if files.exists("/", &directory) && !files.is_directory("/", &directory) {
                return fail(400, format!("Cannot mkdir: {directory} is not a directory"));
            }
            container.config.set(&["WorkingDir"], crate::process::clean("/", &directory));
        }
        container.original = files.clone();
        container.resting = files;
        container.health = super::health::Health::of(&container.config);
        self.serial += 1;
        container.order = self.serial;
        self.names.insert(name, id.clone());
        self.containers.insert(id.clone(), container);
        self.container_event(cx, &id, "create", &[]);
        let warnings = self.containers.get(&id).map_or_else(Vec::new, |own| check::warnings(&own.host));
        Ok(map! { "Id" => id, "Warnings" => warnings })
    }

    fn attach_networks(&self, container: &mut Container, mode: &str, body: &Value) -> Outcome<()> {
        let endpoints = &body["NetworkingConfig"]["EndpointsConfig"];
        let mut mode = mode.to_string();
        if let Some(other) = mode.strip_prefix("container:") {
            // Whether there is such a container is asked when it starts.
            if let Ok(other) = self.container(other) {
                container.config.set(&["Hostname"], other.config["Hostname"].clone());
                mode = format!("container:{}", other.id);
            } else {
                container.config.set(&["Hostname"], "");
            }
            container.host.set(&["NetworkMode"], mode.as_str());
            return Ok(());
        }
        container.host.set(&["NetworkMode"], mode.as_str());
        let mut wanted = vec![mode.clone()];
        wanted.extend(
            endpoints.entries().keys().map(|key| key.to_string()).filter(|key| *key != mode && key != "default"),
        );
        for name in wanted {
            let mut settings = endpoints[name.as_str()].clone();
            if settings.is_null() && name == "bridge" {
                settings = endpoints["default"].clone();
            }
            let found = self.find_network(&name);
            if let Some(network) = found {
                let wrong = wrong_address(network, &settings);
                if !wrong.is_empty() {
                    return fail(
                        400,
                        format!("invalid config for network {name}: invalid endpoint settings:\n{wrong}"),
                    );
                }
            }
            if name == mode && !settings["MacAddress"].is_empty() {
                container.config.set(&["MacAddress"], settings["MacAddress"].clone());
            }
            let shown = found.map_or(name.as_str(), |network| network.name.as_str()).to_string();
            let network_id = String::new();
            container.networks.push(Attachment { network: shown, settings, network_id, endpoint: None });
        }
        Ok(())
    }

    /// `Binds`, `Mounts`, `Volumes`, `Tmpfs`, `VolumesFrom`.
    fn attach_mounts(&mut self, cx: &mut Cx<'_>, container: &mut Container) -> Outcome<()> {
        let host = container.host.clone();
        let mut mounts: Vec<Mount> = Vec::new();
        let mount = |kind: &str, source: &str, target: &str| Mount {
            kind: kind.into(),
            source: source.into(),
            target: crate::process::clean("/", target),
            mode: String::new(),
            read_only: false,
            anonymous: false,
            no_copy: false,
        };
        for from in host["VolumesFrom"].items() {
            let (name, mode) = from.str().split_once(':').unwrap_or((from.str(), "rw"));
            if name.is_empty() {
                return fail(400, "volumes-from specification cannot be an empty string");
            }
            if !matches!(mode, "rw" | "ro" | "z" | "Z") {
                return fail(400, format!("invalid mode: {mode}"));
            }
            let other = self.container(name).map_err(|(_, why)| (400, why))?.mounts.clone();
            mounts.extend(other.into_iter().filter(|own| own.kind != "tmpfs").map(|own| Mount {
                read_only: own.read_only || mode == "ro",
                anonymous: false,
                ..own
            }));
        }
        let inherited = mounts.len();
        for bind in host["Binds"].items() {
            let (source, target, mode) = check::check_bind(bind.str())?;
            let kind = if source.starts_with('/') { "bind" } else { "volume" };
            if kind == "volume" {
                self.check_driver(source, host["VolumeDriver"].str())?;
                volumes::check_name(source)?;
            } else if !self.host.exists("/", source) {
                let _ = self.host.make_directories(cx.now, "/", source);
                self.host_changed = true;
            }
            let mut one = mount(kind, source, target);
            one.read_only = mode.split(',').any(|word| word == "ro");
            one.no_copy = mode.split(',').any(|word| word == "nocopy");
            one.mode = if kind == "volume" && mode.is_empty() { "z".into() } else { mode.into() };
            if mounts.iter().skip(inherited).any(|own| own.target == one.target) {
                return fail(400, format!("Duplicate mount point: {target}"));
            }
            mounts.retain(|own| own.target != one.target);
            mounts.push(one);
        }
        for asked in host["Mounts"].items() {
            check::check_mount(self, asked)?;
            let (kind, source, target) = (asked["Type"].str(), asked["Source"].str(), asked["Target"].str());
            let part = asked.at(&["VolumeOptions", "Subpath"]).str();
            if part.starts_with('/') || part.split('/').any(|word| word == "..") {
                let text =
                    "invalid mount config for type \"volume\": subpath must be a relative path within the volume";
                return fail(400, text);
            }
            if kind == "volume" && !source.is_empty() {
                self.check_driver(source, asked.at(&["VolumeOptions", "DriverConfig", "Name"]).str())?;
                volumes::check_name(source)?;
            }
            let mut one = mount(kind, source, target);
            one.read_only = asked["ReadOnly"].is_true();
            one.no_copy = asked.at(&["VolumeOptions", "NoCopy"]).is_true();
            if kind == "volume" {
                one.mode = "z".into();
                let labels = asked.at(&["VolumeOptions", "Labels"]);
                if !labels.is_empty() && !source.is_empty() && !self.volumes.contains_key(source) {
                    self.make_volume(cx, source, labels.clone(), Value::Null);
                }
            }
            if mounts.iter().any(|own| own.target == one.target) {
                return fail(400, format!("Duplicate mount point: {target}"));
            }
            mounts.push(one);
        }
        for target in host["Tmpfs"].entries().keys() {
            check::check_tmpfs(target)?;
            if mounts.iter().any(|own| own.target == *target) {
                return fail(400, format!("Duplicate mount point: {target}"));
            }
            // Not among the mounts that `inspect` shows.
            mounts.push(Mount { anonymous: true, ..mount("tmpfs", "", target) });
        }
        for target in container.config["Volumes"].entries().keys() {
            // A path that begins with a letter and a colon stays as it is.
            let clean = if target.starts_with('/') { crate::process::clean("/", target) } else { target.to_string() };
            if !mounts.iter().any(|own| own.target == clean) {
                mounts.push(Mount { target: clean, ..mount("volume", "", "/") });
            }
        }
        for one in mounts.iter_mut().filter(|one| one.kind == "volume") {
            if one.source.is_empty() {
                one.source = self.new_id(cx);
                one.anonymous = true;
                self.make_volume(cx, &one.source, map! { "com.docker.volume.anonymous" => "" }, Value::Null);
            } else if !self.volumes.contains_key(&one.source) {
                self.make_volume(cx, &one.source, Value::Null, Value::Null);
            }
        }
        container.mounts = mounts;
        Ok(())
    }

    fn new_name(&self, cx: &mut Cx<'_>) -> String {
        for _ in 0..1000 {
            let mut pick = |words: &str| {
                let words: Vec<&str> = words.split_whitespace().collect();
                let at = cx.chance.below("docker name", words.len() as u64);
                words.get(at as usize).copied().unwrap_or("quiet").to_string()
            };
            let name = format!("{}_{}", pick(ADJECTIVES), pick(SURNAMES));
            if !self.names.contains_key(&name) {
                return name;
            }
        }
        format!("container_{}", self.serial)
    }
}

/// The machine's own name.
pub const MACHINE: &str = "workstation";
const ADJECTIVES: &str = "admiring agitated amazing blissful bold brave busy charming clever cool dazzling determined eager \
    ecstatic elastic elegant epic fervent focused friendly frosty gallant gifted goofy gracious happy hopeful hungry \
    infallible inspiring jolly jovial keen kind laughing loving lucid magical modest mystifying naughty nervous nifty nice \
    objective optimistic peaceful pensive practical priceless quirky quizzical relaxed reverent romantic serene sharp \
    silly sleepy stoic strange stupefied sweet tender thirsty trusting upbeat vibrant vigilant wizardly wonderful \
    xenodochial youthful zealous zen";
const SURNAMES: &str = "agnesi allen archimedes babbage banach banzai bardeen bartik bell benz bohr booth borg bose brown buck \
    cannon carson cerf chaplygin clarke colden cori cray curie darwin davinci dewdney diffie dijkstra easley edison \
    einstein elion euclid euler faraday fermat fermi feynman franklin galileo gates gauss goldberg golick goodall \
    hamilton hawking heisenberg hellman hermann heyrovsky hodgkin hopper hugle hypatia jackson jang jennings jepsen \
    johnson joliot jones kalam kepler khorana kilby knuth kowalevski lalande lamarr lamport leakey lehmann liskov \
    lovelace lumiere mahavira mayer mccarthy mcclintock mclean meitner mendel mendeleev merkle moore morse murdock \
    newton nightingale nobel noether northcutt noyce panini pare pasteur payne perlman pike poincare ptolemy raman \
    ramanujan ritchie roentgen rosalind saha sammet shannon shockley sinoussi snyder spence stallman swanson swartz \
    swirles tesla thompson torvalds turing vaughan villani visvesvaraya volhard wescoff wiles williams wilson wing \
    wozniak wright yalow yonath";

pub fn good_name(name: &str) -> bool {
    let name = name.strip_prefix('/').unwrap_or(name);
    name.len() >= 2
        && name.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

/// The image's configuration with what was asked for on top.
fn merged(image: Value, body: &Value) -> Value {
    let mut config = image.clone();
    let keys = [
        "Hostname",
        "Domainname",
        "User",
        "AttachStdin",
        "AttachStdout",
        "AttachStderr",
        "Tty",
        "OpenStdin",
        "StdinOnce",
        "WorkingDir",
        "StopSignal",
        "StopTimeout",
        "NetworkDisabled",
        "MacAddress",
    ];
    for key in keys {
        if !body[key].is_empty() || (key == "StopTimeout" && !body[key].is_null()) {
            config.set(&[key], body[key].clone());
        }
    }
    let entrypoint = &body["Entrypoint"];
    if entrypoint.is_empty() {
        if !body["Cmd"].is_empty() {
            config.set(&["Cmd"], body["Cmd"].clone());
        }
    } else {
        let reset = entrypoint.items().len() == 1 && entrypoint[0].is_empty();
        let command = if body["Cmd"].is_empty() { Value::Null } else { body["Cmd"].clone() };
        config.set(&["Cmd"], command);
        config.set(&["Entrypoint"], if reset { Value::Null } else { entrypoint.clone() });
    }
    let name = |entry: &Value| entry.str().split('=').next().unwrap_or_default().to_string();
    // The last of a name counts, at the place of the first.
    let mut env: Vec<Value> = Vec::new();
    for entry in body["Env"].items() {
        match env.iter_mut().find(|own| name(own) == name(entry)) {
            Some(own) => *own = entry.clone(),
            None => env.push(entry.clone()),
        }
    }
    for own in image["Env"].items() {
        if !env.iter().any(|entry| name(entry) == name(own)) {
            env.push(own.clone());
        }
    }
    config.set(&["Env"], Value::list(env));
    for key in ["ExposedPorts", "Volumes", "Labels"] {
        for (name, value) in body[key].entries().iter() {
            config.set(&[key, name], value.clone());
            if value.is_null() {
                config.set(&[key, name], Value::empty_map());
            }
        }
    }
    for port in body["HostConfig"]["PortBindings"].entries().keys() {
        config.set(&["ExposedPorts", port], Value::empty_map());
    }
    if config["Labels"].is_null() {
        config.set(&["Labels"], Value::empty_map());
    }
    if !body["Healthcheck"].is_empty() {
        config.set(&["Healthcheck"], body["Healthcheck"].clone());
    }
    config
}

/// The files of an image, as far as there are any.
pub fn base_files(image: &Image) -> Files {
    let mut files = Files::default();
    crate::runtime::image_files(image, &mut files);
    files
}

/// Everything read-only but what is mounted.
pub fn lock(files: &mut Files, mounts: &[Mount]) {
    let open = |path: &str| {
        let below = |root: &str| path == root || path.starts_with(&format!("{root}/"));
        below("/dev") || below("/proc") || mounts.iter().any(|mount| below(&mount.target))
    };
    let all: Vec<(String, Node)> =
        files.iter().filter(|(path, _)| !open(path)).map(|(p, n)| (p.clone(), n.clone())).collect();
    for (path, mut node) in all {
        match &mut node {
            Node::Directory { read_only, .. } | Node::File { read_only, .. } => *read_only = true,
            Node::Link { .. } => continue,
        }
        files.mount(&path, node);
    }
}
