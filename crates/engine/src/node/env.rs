//! What a container is started with: arguments, environment from all its sources, files and host name.

use std::sync::Arc;

use crate::base::SmolStr;

use super::worker::Worker;
use super::{NodeConfig, volumes};
use crate::api::{object, resource};
use crate::base::quantity::Quantity;
use crate::base::{Time, Value};
use crate::informer::Caches;
use crate::process::{Env, FileError, Files, Node};
use crate::runtime::Image;

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

#[derive(Clone, Debug, Default)]
pub struct Built {
    pub args: Vec<String>,
    pub env: Env,
    pub files: Files,
    pub hostname: String,
    /// The runtime's refusal to mount a volume where it is to be.
    pub clash: Option<String>,
    /// Messages about keys that are no names of variables.
    pub skipped: Vec<String>,
}

/// Everything a container is made from, or the text of CreateContainerConfigError.
pub fn build(
    see: &Caches,
    worker: &Worker,
    config: &NodeConfig,
    spec: &Value,
    image: &Image,
    now: Time,
) -> Result<Built, String> {
    let pod = &worker.pod;
    let hostname = hostname(pod, config);
    let mut built = Built { hostname, ..Built::default() };
    let (mut own, mut links) = (Env::new(), Env::new());
    if pod.at(&["spec", "enableServiceLinks"]).as_bool().unwrap_or(true) {
        services(see, object::namespace(pod), &mut links);
    } else {
        kubernetes_only(see, &mut links);
    }
    for source in spec["envFrom"].items() {
        from_source(see, pod, source, &mut own, &mut built.skipped)?;
    }
    for entry in spec["env"].items() {
        let name = entry["name"].str();
        let value = if entry.has("valueFrom") {
            match from_reference(see, worker, config, spec, &entry["valueFrom"])? {
                Some(value) => value,
                None => continue,
            }
        } else {
            expand(entry["value"].str(), &[&own, &links])
        };
        own.insert(name.into(), value);
    }
    let words = |field: &str| -> Vec<String> {
        spec[field].items().iter().map(|word| expand(word.str(), &[&own, &links])).collect()
    };
    let (command, args) = (words("command"), words("args"));
    let plain = |words: &[SmolStr]| words.iter().map(SmolStr::to_string).collect::<Vec<_>>();
    built.args = match (command.is_empty(), args.is_empty()) {
        (false, _) => [command, args].concat(),
        (true, false) => [plain(&image.entrypoint), args].concat(),
        (true, true) => [plain(&image.entrypoint), plain(&image.command)].concat(),
    };
    // The image's first, what the container asks for, the services it does not name itself, and what runc adds.
    built.env.insert("PATH".into(), PATH.into());
    built.env.extend(crate::runtime::image_env(image));
    built.env.insert("HOSTNAME".into(), built.hostname.clone());
    built.env.extend(own.iter().map(|(name, value)| (name.clone(), value.clone())));
    built.env.extend(links.into_iter().filter(|(name, _)| !own.contains_key(name)));
    if !built.env.contains_key("HOME") {
        built.env.insert("HOME".into(), "/root".into());
    }
    (built.files, built.clash) = files(see, worker, config, spec, image, &built.hostname, now)?;
    let words = built.args.iter().flat_map(|word| word.bytes().chain([0])).collect::<Vec<u8>>();
    let _ = built.files.write(now, "/", "/proc/1/cmdline", &words);
    Ok(built)
}

fn hostname(pod: &Value, config: &NodeConfig) -> String {
    let spec = &pod["spec"];
    if spec["hostNetwork"].is_true() {
        return config.name.to_string();
    }
    let name = if spec["hostname"].is_empty() { object::name(pod) } else { spec["hostname"].str() };
    name.chars().take(63).collect::<String>().trim_end_matches(['-', '.']).to_string()
}

fn files(
    see: &Caches,
    worker: &Worker,
    config: &NodeConfig,
    spec: &Value,
    image: &Image,
    hostname: &str,
    now: Time,
) -> Result<(Files, Option<String>), String> {
    let mut files = Files::default();
    let start = Time::default();
    let namespace = object::namespace(&worker.pod);
    let dns = see
        .find(&resource::SERVICES, "kube-system", "kube-dns")
        .map_or("10.96.0.10", |service| service.at(&["spec", "clusterIP"]).str());
    crate::runtime::image_files(image, &mut files);
    for directory in ["/etc", "/proc/1", "/proc/self"] {
        let _ = files.make_directories(start, "/", directory);
    }
    let asked = &worker.pod["spec"];
    let mut hosts = format!(
        "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n\
         fe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\nfe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n{}\t",
        worker.ip
    );
    if !asked["subdomain"].is_empty() {
        hosts += &format!("{hostname}.{}.{namespace}.svc.cluster.local\t", asked["subdomain"].str());
    }
    hosts += &format!("{hostname}\n");
    if !asked["hostAliases"].items().is_empty() {
        hosts += "\n# Entries added by HostAliases.\n";
    }
    for alias in asked["hostAliases"].items() {
        let names: Vec<&str> = alias["hostnames"].items().iter().map(Value::str).collect();
        hosts += &format!("{}\t{}\n", alias["ip"].str(), names.join("\t"));
    }
    let resolv = format!(
        "search {namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver {dns}\noptions ndots:5\n"
    );
    for (path, text) in
        [("/etc/hosts", hosts), ("/etc/resolv.conf", resolv), ("/etc/hostname", format!("{hostname}\n"))]
    {
        let _ = files.write(start, "/", path, text.as_bytes());
    }
    let directory = spec["workingDir"].str();
    let is_program = |path: &str| path.rsplit_once('/').is_some_and(|(parent, _)| parent.ends_with("bin"));
    if !directory.is_empty() && !is_program(directory) {
        let _ = files.make_directories(start, "/", directory);
    }
    for (path, text) in [
        ("/proc/sys/kernel/osrelease", format!("{}\n", config.kernel)),
        ("/proc/self/status", super::resources::account(image, &worker.pod, spec)),
    ] {
        let content = Arc::new(text.into_bytes());
        files.mount(path, Node::File { content, modified: start, mode: 0o444, read_only: true });
    }
    if spec.at(&["securityContext", "readOnlyRootFilesystem"]).is_true() {
        files.close(FileError::ReadOnly, &["/dev", "/proc"]);
    }
    let mounted = Arc::new(mount_table(&worker.pod, spec).into_bytes());
    files.mount("/proc/mounts", Node::File { content: mounted, modified: start, mode: 0o444, read_only: true });
    let clash = volumes::mount(see, &worker.pod, spec, &mut files, now, Some(&worker.kept))?;
    let user = super::resources::user(image.user, &worker.pod, spec);
    if user["linux"]["uid"].int() != 0 && !spec.at(&["securityContext", "readOnlyRootFilesystem"]).is_true() {
        // Root owns everything but these.
        let volumes = spec["volumeMounts"].items().iter().filter(|mount| !mount["readOnly"].is_true());
        let mut open: Vec<&str> = volumes.map(|mount| mount["mountPath"].str().trim_end_matches('/')).collect();
        open.extend(["/dev", "/proc", "/tmp", "/var/tmp", "/var/cache", "/var/run", "/usr/share"]);
        files.close(FileError::Denied, &open);
    }
    Ok((files, clash))
}

/// What `mount` shows: secrets and what is projected live in memory, other volumes on the node's disk.
fn mount_table(pod: &Value, spec: &Value) -> String {
    let mut text =
        "overlay on / type overlay (rw,relatime)\nproc on /proc type proc (rw,nosuid,nodev,noexec,relatime)\n\
                    tmpfs on /dev type tmpfs (rw,nosuid,size=65536k,mode=755)\n"
            .to_string();
    for mount in spec["volumeMounts"].items() {
        let volume = pod.at(&["spec", "volumes"]).items().iter().find(|volume| volume["name"] == mount["name"]);
        let Some(volume) = volume else { continue };
        let in_memory = ["secret", "projected", "downwardAPI"].iter().any(|kind| volume.has(kind))
            || volume.at(&["emptyDir", "medium"]).str() == "Memory";
        let (device, kind) = if in_memory { ("tmpfs", "tmpfs") } else { ("/dev/vda", "ext4") };
        let way = if mount["readOnly"].is_true() { "ro" } else { "rw" };
        let path = mount["mountPath"].str();
        text.push_str(&format!("{device} on {path} type {kind} ({way},relatime)\n"));
    }
    text
}

/// One item of envFrom.
fn from_source(
    see: &Caches,
    pod: &Value,
    item: &Value,
    env: &mut Env,
    skipped: &mut Vec<String>,
) -> Result<(), String> {
    let (resource, source, word) = if item.has("secretRef") {
        ("secrets", &item["secretRef"], "secret")
    } else {
        ("configmaps", &item["configMapRef"], "configMap")
    };
    let (namespace, name) = (object::namespace(pod), source["name"].str());
    let Some(found) = see.find(resource, namespace, name) else {
        if source["optional"].is_true() {
            return Ok(());
        }
        return Err(format!("{} \"{name}\" not found", word.to_lowercase()));
    };
    let mut bad = Vec::new();
    for (key, bytes) in volumes::contents(found, resource) {
        let full = format!("{}{key}", item["prefix"].str());
        let good = !full.is_empty() && full.bytes().all(|b| (0x20..0x7f).contains(&b) && b != b'=');
        if good {
            env.insert(full, String::from_utf8_lossy(&bytes).into_owned());
        } else {
            bad.push(key);
        }
    }
    if !bad.is_empty() {
        skipped.push(format!(
            "Keys [{}] from the EnvFrom {word} {namespace}/{name} were skipped since they are considered invalid \
             environment variable names.",
            bad.join(", ")
        ));
    }
    Ok(())
}

/// `valueFrom`; nothing when an optional source is not there.
fn from_reference(
    see: &Caches,
    worker: &Worker,
    config: &NodeConfig,
    spec: &Value,
    from: &Value,
) -> Result<Option<String>, String> {
    let pod = &worker.pod;
    if from.has("fieldRef") {
        return Ok(Some(field(pod, from.at(&["fieldRef", "fieldPath"]).str(), &worker.ip, &config.address)));
    }
    if from.has("resourceFieldRef") {
        return Ok(Some(resource_field(spec, &from["resourceFieldRef"], &config.cpu, &config.memory)));
    }
    let (resource, source, kind) = if from.has("secretKeyRef") {
        ("secrets", &from["secretKeyRef"], "Secret")
    } else {
        ("configmaps", &from["configMapKeyRef"], "ConfigMap")
    };
    let (namespace, name, key) = (object::namespace(pod), source["name"].str(), source["key"].str());
    let optional = source["optional"].is_true();
    let Some(found) = see.find(resource, namespace, name) else {
        return if optional { Ok(None) } else { Err(format!("{} \"{name}\" not found", kind.to_lowercase())) };
    };
    match volumes::contents(found, resource).into_iter().find(|(known, _)| known == key) {
        Some((_, bytes)) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        None if optional => Ok(None),
        None => Err(format!("couldn't find key {key} in {kind} {namespace}/{name}")),
    }
}

/// A field of the downward API.
pub fn field(pod: &Value, path: &str, ip: &str, host: &str) -> String {
    if let Some((map, rest)) = path.split_once("['") {
        let key = rest.trim_end_matches("']");
        return pod.at(&["metadata", map.trim_start_matches("metadata.")]).get(key).str().into();
    }
    match path {
        "metadata.labels" | "metadata.annotations" => {
            let map = pod.at(&["metadata", path.trim_start_matches("metadata.")]);
            let lines =
                map.entries().iter().map(|(key, value)| format!("{key}={}", crate::base::goquote::quote(value.str())));
            lines.collect::<Vec<_>>().join("\n")
        }
        "status.podIP" | "status.podIPs" => ip.into(),
        "status.hostIP" | "status.hostIPs" => host.into(),
        path => {
            let parts: Vec<&str> = path.split('.').collect();
            pod.at(&parts).str().into()
        }
    }
}

/// A request or limit in units of the divisor, rounded up; the node's amount stands for a missing limit.
pub fn resource_field(spec: &Value, reference: &Value, cpu: &str, memory: &str) -> String {
    let name = reference["resource"].str();
    let (part, what) = name.split_once('.').unwrap_or(("limits", name));
    let written = spec.at(&["resources", part, what]);
    let amount = match (written.is_null(), what) {
        (false, _) => Quantity::of(written),
        (true, "cpu") if part == "limits" => Quantity::parse(cpu).unwrap_or_default(),
        (true, "memory") if part == "limits" => Quantity::parse(memory).unwrap_or_default(),
        _ => Quantity::default(),
    };
    let divisor = Quantity::of(&reference["divisor"]);
    if what == "cpu" {
        let by = if divisor.is_zero() { 1000 } else { divisor.milli().max(1) };
        return ceiling(amount.milli(), by).to_string();
    }
    ceiling(amount.value(), if divisor.is_zero() { 1 } else { divisor.value().max(1) }).to_string()
}

fn ceiling(amount: i64, by: i64) -> i64 {
    amount.div_euclid(by) + i64::from(amount.rem_euclid(by) != 0)
}

fn kubernetes_only(see: &Caches, env: &mut Env) {
    if let Some(service) = see.find(&resource::SERVICES, "default", "kubernetes") {
        one_service(service, env);
    }
}

/// The variables of the services that are there, `kubernetes` always among them.
fn services(see: &Caches, namespace: &str, env: &mut Env) {
    kubernetes_only(see, env);
    for (_, service) in see.list(&resource::SERVICES, Some(namespace)) {
        one_service(service, env);
    }
}

fn one_service(service: &Value, env: &mut Env) {
    let ip = service.at(&["spec", "clusterIP"]).str();
    if ip.is_empty() || ip == "None" {
        return;
    }
    let upper = |text: &str| text.to_uppercase().replace('-', "_");
    let name = upper(object::name(service));
    let ports = service.at(&["spec", "ports"]).items();
    let mut set = |key: String, value: String| {
        env.insert(key, value);
    };
    set(format!("{name}_SERVICE_HOST"), ip.into());
    for (index, entry) in ports.iter().enumerate() {
        let port = entry["port"].int();
        let protocol = match entry["protocol"].str() {
            "" => "TCP",
            protocol => protocol,
        };
        let lower = protocol.to_lowercase();
        if index == 0 {
            set(format!("{name}_SERVICE_PORT"), port.to_string());
            set(format!("{name}_PORT"), format!("{lower}://{ip}:{port}"));
        }
        if !entry["name"].is_empty() {
            set(format!("{name}_SERVICE_PORT_{}", upper(entry["name"].str())), port.to_string());
        }
        let prefix = format!("{name}_PORT_{port}_{protocol}");
        set(prefix.clone(), format!("{lower}://{ip}:{port}"));
        set(format!("{prefix}_PROTO"), lower);
        set(format!("{prefix}_PORT"), port.to_string());
        set(format!("{prefix}_ADDR"), ip.into());
    }
}

/// `$(NAME)` of known variables, `$$` as `$`.
fn expand(text: &str, known: &[&Env]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(tail) = after.strip_prefix('$') {
            out.push('$');
            rest = tail;
        } else if let Some((name, tail)) = after.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
            match known.iter().find_map(|env| env.get(name)) {
                Some(value) => out.push_str(value),
                None => out.push_str(&format!("$({name})")),
            }
            rest = tail;
        } else {
            out.push('$');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// runAsNonRoot against the user the container would have.
pub fn user_is_allowed(pod: &Value, spec: &Value, image: &Image) -> Result<(), String> {
    let pick = |field: &str| {
        let own = spec.at(&["securityContext", field]);
        if own.is_null() { pod.at(&["spec", "securityContext", field]).clone() } else { own.clone() }
    };
    if !pick("runAsNonRoot").is_true() {
        return Ok(());
    }
    let name = spec["name"].str();
    let who =
        format!("(pod: \"{}_{}({})\", container: {name})", object::name(pod), object::namespace(pod), object::uid(pod));
    match pick("runAsUser").as_int() {
        Some(0) => Err(format!("container's runAsUser breaks non-root policy {who}")),
        Some(_) => Ok(()),
        None if image.user == 0 => Err(format!("container has runAsNonRoot and image will run as root {who}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_expand_to_what_is_known() {
        let env = Env::from([("A".to_string(), "1".to_string())]);
        let check = |text: &str, want: &str| assert_eq!(expand(text, &[&env]), want, "{text}");
        check("$(A)-$(B)", "1-$(B)");
        check("$$(A) $$ $A $", "$(A) $ $A $");
        check("$(A", "$(A");
    }
}
