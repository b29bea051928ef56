//! What the Engine says of itself: version, info, disk usage, and the processes of a container.

use super::container::{Container, State};
use super::create::{CPUS, MACHINE};
use super::session::MEMORY;
use super::{Cx, Engine, Outcome, fail};
use crate::base::{Time, Value};
use crate::{list, map};

pub const VERSION: &str = "28.4.0";
pub const API: &str = "1.51";
pub const KERNEL: &str = "6.12.0";
/// Of the process that starts containers, as `top` numbers them.
const SHIM: i64 = 28_802;

pub fn version() -> Value {
    let engine = map! {
        "Name" => "Engine", "Version" => VERSION,
        "Details" => map! {
            "ApiVersion" => API, "Arch" => "amd64", "BuildTime" => "2025-01-01T00:00:00.000000000+00:00",
            "Experimental" => "false", "GitCommit" => "0000000", "GoVersion" => "go1.26.8", "KernelVersion" => KERNEL,
            "MinAPIVersion" => "1.24", "Os" => "linux",
        },
    };
    let part = |name: &str, version: &str| map! { "Name" => name, "Version" => version, "Details" => map! { "GitCommit" => "" } };
    map! {
        "Platform" => map! { "Name" => "Docker Engine - Community" }, "Version" => VERSION, "ApiVersion" => API,
        "MinAPIVersion" => "1.24", "GitCommit" => "0000000", "GoVersion" => "go1.26.8", "Os" => "linux", "Arch" => "amd64",
        "KernelVersion" => KERNEL, "BuildTime" => "2025-01-01T00:00:00.000000000+00:00",
        "Components" => list![engine, part("containerd", "v2.3.7"), part("runc", "1.5.1"), part("docker-init", "0.19.0")],
    }
}

/// What is always the same.
const INFO: &str = r#"{"DriverStatus":[["Backing Filesystem","extfs"],["Supports d_type","true"],["Using metacopy","false"],
["Native Overlay Diff","true"],["userxattr","false"]],"Plugins":{"Volume":["local"],"Network":["bridge","host","ipvlan",
"macvlan","null","overlay"],"Authorization":null,"Log":["awslogs","fluentd","gcplogs","gelf","journald","json-file","local",
"splunk","syslog"]},"MemoryLimit":true,"SwapLimit":true,"CpuCfsPeriod":true,"CpuCfsQuota":true,"CPUShares":true,"CPUSet":true,
"PidsLimit":true,"IPv4Forwarding":true,"NFd":0,"OomKillDisable":true,"NGoroutines":0,"NEventsListener":0,"OSVersion":"12",
"RegistryConfig":{"InsecureRegistryCIDRs":["::1/128","127.0.0.0/8"],"IndexConfigs":{"docker.io":{"Name":"docker.io",
"Mirrors":[],"Secure":true,"Official":true}},"Mirrors":null},"GenericResources":null,"HttpProxy":"","HttpsProxy":"",
"NoProxy":"","Labels":[],"Runtimes":{"io.containerd.runc.v2":{"path":"runc"},"runc":{"path":"runc"}},
"Swarm":{"NodeID":"","NodeAddr":"","LocalNodeState":"inactive","ControlAvailable":false,"Error":"","RemoteManagers":null},
"Isolation":"","ContainerdCommit":{"ID":""},"RuncCommit":{"ID":""},"InitCommit":{"ID":""},
"SecurityOptions":["name=seccomp,profile=builtin"],"CDISpecDirs":["/etc/cdi","/var/run/cdi"],"Warnings":null}"#;

/// Processes in a container: nginx has a worker for each processor.
pub fn process_count(container: &Container) -> i64 {
    processes(container).len() as i64
}

/// Pid within `top`, parent, command line.
fn processes(container: &Container) -> Vec<(i64, i64, String)> {
    let Some(running) = &container.running else { return Vec::new() };
    let mut out = Vec::new();
    for (pid, args) in running.processes() {
        let outside = |pid: crate::process::Pid| container.pid + i64::from(pid) * 3;
        let number = outside(pid);
        let parent = running.parent_of(pid).map_or(SHIM, outside);
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let plain = match words.as_slice() {
            [script, rest @ ..] if script.ends_with("docker-entrypoint.sh") => rest,
            all => all,
        };
        if plain.first() == Some(&"nginx") {
            out.push((number, parent, format!("nginx: master process {}", plain.join(" "))));
            for worker in 0..CPUS {
                out.push((number + 28 + worker, number, "nginx: worker process".into()));
            }
        } else {
            out.push((number, parent, words.join(" ")));
        }
    }
    out
}

impl Engine {
    pub(super) fn info(&self, cx: &Cx<'_>) -> Value {
        let count = |is: &dyn Fn(State) -> bool| self.containers.values().filter(|c| is(c.state)).count();
        let running = count(&|state| state == State::Running);
        let paused = count(&|state| state == State::Paused);
        let mut info = crate::base::json::parse(INFO).unwrap_or_default();
        let counted = map! {
            "ID" => "3b5f3b2e-7c1d-4f0a-9d55-2f6a1c0e8b71", "Containers" => self.containers.len(), "ContainersRunning" => running, "ContainersPaused" => paused,
            "ContainersStopped" => self.containers.len() - running - paused, "Images" => self.images.len(),
            "Driver" => "overlay2", "LoggingDriver" => "json-file", "CgroupDriver" => "cgroupfs", "CgroupVersion" => "1",
            concat!("System", "Time") => super::wire::stamp(Some(cx.now)), "KernelVersion" => KERNEL,
            "OperatingSystem" => "Debian GNU/Linux 12 (bookworm)", "OSType" => "linux", "Architecture" => "x86_64",
            "NCPU" => CPUS, "MemTotal" => MEMORY, "Name" => MACHINE, "ServerVersion" => VERSION,
            "DockerRootDir" => "/var/lib/docker", "IndexServerAddress" => "https://index.docker.io/v1/", "Debug" => false,
            "DefaultRuntime" => "runc", "LiveRestoreEnabled" => false, "ExperimentalBuild" => false, "InitBinary" => "docker-init",
        };
        for (key, value) in counted.entries().iter() {
            info.set(&[key], value.clone());
        }
        info
    }

    pub(super) fn disk_usage(&self, now: Time) -> Value {
        let request = |path: &str| {
            crate::base::http::Request::new(
                &crate::base::http::User { name: "".into(), groups: Vec::new() },
                "",
                crate::base::http::Method::Get,
                path,
            )
        };
        let containers =
            self.container_list(now, &request("").with_query("all", "1").with_query("size", "1")).unwrap_or_default();
        let mut images = self.image_list(now, &request("")).unwrap_or_default();
        for image in images.list_mut() {
            let id = image["Id"].str().to_string();
            let users = self.containers.values().filter(|c| c.image_id == id).count();
            image.set(&["Containers"], users);
            let layer = self.images.iter().find(|own| own.id == id).map(|own| own.layer.clone());
            let shared = self.images.iter().filter(|own| Some(&own.layer) == layer.as_ref()).count() > 1;
            let size = image["Size"].clone();
            image.set(&["SharedSize"], if shared { size } else { 0.into() });
        }
        map! {
            "LayersSize" => self.layers_size(), "Images" => images, "Containers" => containers,
            "Volumes" => Value::list(self.volumes_usage()), "BuildCache" => Value::list(Vec::new()),
        }
    }

    pub(super) fn top(&self, name: &str, options: &str, now: Time) -> Outcome<Value> {
        let container = self.container(name)?;
        match container.state {
            State::Running | State::Paused => {}
            State::Restarting => {
                return fail(
                    409,
                    format!("Container {} is restarting, wait until the container is running", container.id),
                );
            }
            _ => return fail(409, format!("container {} is not running", container.id)),
        }
        let user = match container.config["User"].str() {
            "" => "root",
            user => user.split(':').next().unwrap_or("root"),
        };
        let (.., hour, minute, _) = container.started.unwrap_or(now).civil();
        let list = processes(container);
        let chosen = options.strip_prefix("-eo").or(options.strip_prefix("-o")).or(options.strip_prefix("o"));
        let columns: Vec<String> = match chosen {
            Some(columns) => columns.trim().split([',', ' ']).map(str::to_string).collect(),
            None if options == "-x" || options == "x" => {
                ["pid", "tty", "stat", "time", "command"].map(str::to_string).into()
            }
            None if options.contains("aux") => {
                ["user", "pid", "%cpu", "%mem", "vsz", "rss", "tty", "stat", "start", "time", "command"]
                    .map(str::to_string)
                    .into()
            }
            None => ["uid", "pid", "ppid", "c", "stime", "tty", "time", "cmd"].map(str::to_string).into(),
        };
        const COLUMNS: &str = "uid user pid ppid c %cpu %mem stime start tty tt time comm cmd args command stat vsz rss pgid sid ni pri nlwp wchan etime lstart group gid state euser ruser cputime";
        if let Some(bad) = columns.iter().find(|column| !COLUMNS.split(' ').any(|own| own == column.as_str())) {
            return fail(500, format!("ps: error: unknown user-defined format specifier \"{bad}\""));
        }
        if !columns.iter().any(|column| column == "pid") {
            return fail(500, "Couldn't find PID field in ps output");
        }
        let title = |column: &String| match column.as_str() {
            "comm" | "args" | "command" => "COMMAND".to_string(),
            column => column.to_uppercase(),
        };
        let cell = |column: &str, (pid, parent, command): &(i64, i64, String)| -> String {
            match column {
                "uid" | "user" => user.into(),
                "pid" => pid.to_string(),
                "ppid" => parent.to_string(),
                "c" => "0".into(),
                "%cpu" | "%mem" => "0.0".into(),
                "stime" | "start" => format!("{hour:02}:{minute:02}"),
                "tty" | "tt" => "?".into(),
                "time" => "00:00:00".into(),
                "comm" => {
                    command.split([' ', ':']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default().into()
                }
                "cmd" | "args" | "command" => command.clone(),
                "stat" => "Ss".into(),
                "vsz" | "rss" => "4096".into(),
                _ => "-".into(),
            }
        };
        let rows = list.iter().map(|row| Value::list(columns.iter().map(|c| cell(c, row).into()).collect())).collect();
        Ok(
            map! { "Titles" => Value::list(columns.iter().map(|c| title(c).into()).collect()), "Processes" => Value::list(rows) },
        )
    }
}
