//! Requests and limits of containers, summed as the kubelet reports them.

use super::worker::Worker;
use crate::base::Value;
use crate::base::quantity::Quantity;
use crate::map;
use crate::runtime::Image;

/// `resources` of a container status.
pub fn of(spec: &Value) -> Value {
    filled(&spec["resources"])
}

/// Limits and requests, where there are any.
pub fn filled(resources: &Value) -> Value {
    let mut value = Value::empty_map();
    for part in ["limits", "requests"] {
        let amounts = &resources[part];
        if !amounts.is_empty() {
            value.set(&[part], amounts.clone());
        }
    }
    value
}

fn sum(pod: &Value, part: &str, has: &dyn Fn(&Value) -> Value) -> Value {
    let mut total = Value::empty_map();
    let init = pod.at(&["spec", "initContainers"]).items().iter().filter(|c| c["restartPolicy"].str() == "Always");
    for container in pod.at(&["spec", "containers"]).items().iter().chain(init) {
        for (name, amount) in has(container)[part].entries().iter() {
            let mut quantity = Quantity::of(amount);
            if total.has(name) {
                let so_far = Quantity::of(&total[name.as_str()]);
                let more = quantity;
                quantity = so_far;
                quantity.add(&more);
            }
            total.set(&[name], quantity.canonical());
        }
    }
    total
}

/// What a pod's containers ask for together.
pub fn requests(pod: &Value) -> Value {
    sum(pod, "requests", &|container| container["resources"].clone())
}

/// `status.resources`: while a resize is made, with what the containers have yet. Nothing but the scheduler knows of
/// requested memory.
pub fn pod_resources(worker: &Worker) -> Value {
    let has = |container: &Value| {
        let slot = worker.slots.iter().find(|slot| container["name"].str() == slot.name);
        let Some(actual) = slot.and_then(|slot| slot.actual.as_ref()) else { return container["resources"].clone() };
        let mut actual = actual.clone();
        let memory = container.at(&["resources", "requests", "memory"]);
        if !memory.is_null() {
            actual.set(&["requests", "memory"], memory);
        }
        actual
    };
    let (limits, requests) = (sum(&worker.pod, "limits", &has), sum(&worker.pod, "requests", &has));
    filled(&map! { "limits" => limits, "requests" => requests })
}

pub fn qos(pod: &Value) -> &'static str {
    let init = pod.at(&["spec", "initContainers"]).items();
    let all: Vec<&Value> = pod.at(&["spec", "containers"]).items().iter().chain(init).collect();
    let has = |part: &str| all.iter().any(|container| !container.at(&["resources", part]).is_empty());
    if !has("limits") && !has("requests") {
        return "BestEffort";
    }
    let guaranteed = all.iter().all(|container| {
        ["cpu", "memory"].iter().all(|name| {
            let (limit, request) =
                (container.at(&["resources", "limits", name]), container.at(&["resources", "requests", name]));
            !limit.is_null() && (request.is_null() || Quantity::of(limit) == Quantity::of(request))
        })
    });
    if guaranteed { "Guaranteed" } else { "Burstable" }
}

/// The user part of a container status.
pub fn user(image_user: u32, pod: &Value, spec: &Value) -> Value {
    let pick = |field: &str| {
        let own = spec.at(&["securityContext", field]);
        let own = if own.is_null() { pod.at(&["spec", "securityContext", field]) } else { own };
        own.as_int()
    };
    let uid = pick("runAsUser").unwrap_or(i64::from(image_user));
    let gid = pick("runAsGroup").unwrap_or(0);
    let mut groups = vec![Value::from(gid)];
    if let Some(extra) = pod.at(&["spec", "securityContext", "fsGroup"]).as_int().filter(|extra| *extra != gid) {
        groups.insert(0, Value::from(extra));
    }
    map! { "linux" => map! { "gid" => gid, "supplementalGroups" => Value::list(groups), "uid" => uid } }
}

/// What `id` reads in a container.
pub fn account(image: &Image, pod: &Value, spec: &Value) -> String {
    let user = user(image.user, pod, spec);
    let linux = &user["linux"];
    let (uid, gid) = (linux["uid"].int(), linux["gid"].int());
    let groups: Vec<String> = linux["supplementalGroups"].items().iter().map(|id| id.int().to_string()).collect();
    let bounding = capabilities(spec.at(&["securityContext", "capabilities"]));
    let own = if uid == 0 { bounding } else { 0 };
    let none = 0;
    format!(
        "Uid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{gid}\t{gid}\t{gid}\t{gid}\nGroups:\t{}\n\
         CapInh:\t{none:016x}\nCapPrm:\t{own:016x}\nCapEff:\t{own:016x}\nCapBnd:\t{bounding:016x}\n\
         CapAmb:\t{none:016x}\n",
        groups.join(" ")
    )
}

/// The capabilities containerd gives, less those dropped, and those added, as the kernel's bits.
fn capabilities(change: &Value) -> u64 {
    const NAMES: [&str; 41] = [
        "CHOWN",
        "DAC_OVERRIDE",
        "DAC_READ_SEARCH",
        "FOWNER",
        "FSETID",
        "KILL",
        "SETGID",
        "SETUID",
        "SETPCAP",
        "LINUX_IMMUTABLE",
        "NET_BIND_SERVICE",
        "NET_BROADCAST",
        "NET_ADMIN",
        "NET_RAW",
        "IPC_LOCK",
        "IPC_OWNER",
        "SYS_MODULE",
        "SYS_RAWIO",
        "SYS_CHROOT",
        "SYS_PTRACE",
        "SYS_PACCT",
        "SYS_ADMIN",
        "SYS_BOOT",
        "SYS_NICE",
        "SYS_RESOURCE",
        "SYS_TIME",
        "SYS_TTY_CONFIG",
        "MKNOD",
        "LEASE",
        "AUDIT_WRITE",
        "AUDIT_CONTROL",
        "SETFCAP",
        "MAC_OVERRIDE",
        "MAC_ADMIN",
        "SYSLOG",
        "WAKE_ALARM",
        "BLOCK_SUSPEND",
        "AUDIT_READ",
        "PERFMON",
        "BPF",
        "CHECKPOINT_RESTORE",
    ];
    let bits = |list: &Value| {
        list.items().iter().fold(0u64, |bits, name| {
            let name = name.str().trim_start_matches("CAP_");
            match NAMES.iter().position(|known| *known == name) {
                _ if name == "ALL" => u64::MAX >> 23,
                Some(at) => bits | 1 << at,
                None => bits,
            }
        })
    };
    (0xa804_25fb & !bits(&change["drop"])) | bits(&change["add"])
}
