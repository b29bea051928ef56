//! Pods: their containers, volumes and conditions.

use super::{Page, amount, date};
use crate::base::{Time, Value, duration};

pub fn pod(page: &mut Page, pod: &Value, now: Time) {
    let (meta, spec, status) = (&pod["metadata"], &pod["spec"], &pod["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    if !spec["priority"].is_null() {
        page.put(0, format!("Priority:\t{}", spec["priority"].int()));
    }
    for (title, field) in [
        ("Priority Class Name", "priorityClassName"),
        ("Runtime Class Name", "runtimeClassName"),
        ("Service Account", "serviceAccountName"),
    ] {
        if !spec[field].str().is_empty() {
            page.put(0, format!("{title}:\t{}", spec[field].str()));
        }
    }
    match spec["nodeName"].str() {
        "" => page.put(0, "Node:\t<none>"),
        node => page.put(0, format!("Node:\t{node}/{}", status["hostIP"].str())),
    }
    if !status["startTime"].is_null() {
        page.put(0, format!("Start Time:\t{}", date(status["startTime"].str())));
    }
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    let phase = status["phase"].str();
    if !meta["deletionTimestamp"].is_null() && !matches!(phase, "Failed" | "Succeeded") {
        let at = Time::parse(meta["deletionTimestamp"].str()).unwrap_or(now);
        page.put(0, format!("Status:\tTerminating (lasts {})", duration::human(now - at)));
        page.put(0, format!("Termination Grace Period:\t{}s", meta["deletionGracePeriodSeconds"].int()));
    } else {
        page.put(0, format!("Status:\t{phase}"));
    }
    for (title, field) in [("Reason", "reason"), ("Message", "message")] {
        if !status[field].str().is_empty() {
            page.put(0, format!("{title}:\t{}", status[field].str()));
        }
    }
    let seccomp = &spec["securityContext"]["seccompProfile"];
    if !seccomp.is_null() {
        page.put(0, format!("SeccompProfile:\t{}", seccomp["type"].str()));
        if seccomp["type"].str() == "Localhost" {
            page.put(0, format!("LocalhostProfile:\t{}", seccomp["localhostProfile"].str()));
        }
    }
    page.put(0, format!("IP:\t{}", status["podIP"].str()));
    let ips = status["podIPs"].items();
    if ips.is_empty() {
        page.put(0, "IPs:\t<none>");
    } else {
        page.put(0, "IPs:");
        for ip in ips {
            page.put(1, format!("IP:\t{}", ip["ip"].str()));
        }
    }
    if let Some(owner) = crate::api::object::controller_of(pod) {
        page.put(0, format!("Controlled By:\t{}/{}", owner["kind"].str(), owner["name"].str()));
    }
    if !status["nominatedNodeName"].str().is_empty() {
        page.put(0, format!("NominatedNodeName:\t{}", status["nominatedNodeName"].str()));
    }
    if !spec["resources"].entries().is_empty() {
        page.put(0, "Resources:");
        resources(page, &spec["resources"], 1);
    }
    if !spec["initContainers"].items().is_empty() {
        containers(page, "Init Containers", &spec["initContainers"], &status["initContainerStatuses"], pod, "");
    }
    containers(page, "Containers", &spec["containers"], &status["containerStatuses"], pod, "");
    if !spec["ephemeralContainers"].items().is_empty() {
        let statuses = &status["ephemeralContainerStatuses"];
        containers(page, "Ephemeral Containers", &spec["ephemeralContainers"], statuses, pod, "");
    }
    let gates = spec["readinessGates"].items();
    if !gates.is_empty() {
        page.put(0, "Readiness Gates:\n  Type\tStatus");
        for gate in gates {
            let kind = gate["conditionType"].str();
            let state = crate::api::object::condition(pod, kind).map_or("<none>", |c| c["status"].str());
            page.put(1, format!("{kind} \t{state} "));
        }
    }
    let conditions = status["conditions"].items();
    if !conditions.is_empty() {
        page.put(0, "Conditions:\n  Type\tStatus");
        for condition in conditions {
            page.put(1, format!("{} \t{} ", condition["type"].str(), condition["status"].str()));
        }
    }
    volumes(page, &spec["volumes"], "");
    page.put(0, format!("QoS Class:\t{}", status["qosClass"].str()));
    page.labels("Node-Selectors", &spec["nodeSelector"]);
    tolerations(page, 0, &spec["tolerations"]);
    let spread = spec["topologySpreadConstraints"].items();
    for (index, term) in spread.iter().enumerate() {
        let lead = if index == 0 { "Topology Spread Constraints:" } else { "" };
        let labels = term["labelSelector"]["matchLabels"].entries();
        let selector: Vec<String> = labels.iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
        page.put(
            0,
            format!(
                "{lead}\t{}:{} when max skew {} is exceeded for selector {}",
                term["topologyKey"].str(),
                term["whenUnsatisfiable"].str(),
                term["maxSkew"].int(),
                selector.join(",")
            ),
        );
    }
}

pub fn tolerations(page: &mut Page, level: usize, tolerations: &Value) {
    let mut all: Vec<&Value> = tolerations.items().iter().collect();
    all.sort_by(|a, b| a["key"].str().cmp(b["key"].str()));
    if all.is_empty() {
        page.put(level, "Tolerations:\t<none>");
    }
    for (index, toleration) in all.into_iter().enumerate() {
        let mut text = toleration["key"].str().to_string();
        if !toleration["value"].str().is_empty() {
            text.push_str(&format!("={}", toleration["value"].str()));
        }
        if !toleration["effect"].str().is_empty() {
            text.push_str(&format!(":{}", toleration["effect"].str()));
        }
        if toleration["operator"].str() == "Exists" && toleration["value"].str().is_empty() {
            text.push_str(if text.is_empty() { "op=Exists" } else { " op=Exists" });
        }
        if let Some(seconds) = toleration["tolerationSeconds"].as_int() {
            text.push_str(&format!(" for {}", duration::human(crate::base::Span::seconds(seconds))));
        }
        page.put(level, format!("{}\t{text}", if index == 0 { "Tolerations:" } else { "" }));
    }
}

/// Containers of a pod or (with `space` one blank wider) of a template.
pub fn containers(page: &mut Page, title: &str, list: &Value, statuses: &Value, pod: &Value, space: &str) {
    if list.items().is_empty() {
        page.put(0, format!("{space}{title}: <none>"));
        return;
    }
    page.put(0, format!("{space}{title}:"));
    for container in list.items() {
        let name = container["name"].str();
        let status = statuses.items().iter().find(|status| status["name"].str() == name);
        one(page, container, status, pod, space);
    }
}

fn one(page: &mut Page, container: &Value, status: Option<&Value>, pod: &Value, space: &str) {
    page.put(1, format!("{space}{}:", container["name"].str()));
    if let Some(status) = status {
        page.put(2, format!("Container ID:\t{}", status["containerID"].str()));
    }
    page.put(2, format!("Image:\t{}", container["image"].str()));
    if let Some(status) = status {
        page.put(2, format!("Image ID:\t{}", status["imageID"].str()));
    }
    let ports = container["ports"].items();
    for (title, field) in [("Port", "containerPort"), ("Host Port", "hostPort")] {
        let texts: Vec<String> = ports
            .iter()
            .map(|port| {
                let name = match port["name"].str() {
                    "" => String::new(),
                    name => format!(" ({name})"),
                };
                format!("{}/{}{name}", port[field].int(), port["protocol"].str())
            })
            .collect();
        let plural = if texts.len() > 1 { "s" } else { "" };
        let text = if texts.is_empty() { "<none>".to_string() } else { texts.join(", ") };
        page.put(2, format!("{title}{plural}:\t{text}"));
    }
    if container["securityContext"]["seccompProfile"].as_map().is_some() {
        let profile = &container["securityContext"]["seccompProfile"];
        page.put(2, format!("SeccompProfile:\t{}", profile["type"].str()));
    }
    for (title, field) in [("Command", "command"), ("Args", "args")] {
        if !container[field].items().is_empty() {
            page.put(2, format!("{title}:"));
            for word in container[field].items() {
                for line in word.str().split('\n') {
                    page.put(3, line);
                }
            }
        }
    }
    if let Some(status) = status {
        state(page, "State", &status["state"]);
        if !status["lastState"]["terminated"].is_null() {
            state(page, "Last State", &status["lastState"]);
        }
        let ready = if status["ready"].is_true() { "True" } else { "False" };
        page.put(2, format!("Ready:\t{ready}"));
        page.put(2, format!("Restart Count:\t{}", status["restartCount"].int()));
    }
    resources(page, &container["resources"], 2);
    for (title, field) in [("Liveness", "livenessProbe"), ("Readiness", "readinessProbe"), ("Startup", "startupProbe")]
    {
        if !container[field].is_null() {
            page.put(2, format!("{title}:\t{}", probe(&container[field])));
        }
    }
    environment(page, container, pod);
    let mut mounts: Vec<&Value> = container["volumeMounts"].items().iter().collect();
    mounts.sort_by(|a, b| a["mountPath"].str().cmp(b["mountPath"].str()));
    if mounts.is_empty() {
        page.put(2, "Mounts:\t<none>");
    } else {
        page.put(2, "Mounts:");
    }
    for mount in mounts {
        let mut flags = vec![if mount["readOnly"].is_true() { "ro".to_string() } else { "rw".into() }];
        if !mount["subPath"].str().is_empty() {
            flags.push(format!("path=\"{}\"", mount["subPath"].str()));
        }
        let text = format!("{} from {} ({})", mount["mountPath"].str(), mount["name"].str(), flags.join(","));
        page.put(3, text);
    }
    let devices = container["volumeDevices"].items();
    if !devices.is_empty() {
        page.put(2, "Devices:");
        for device in devices {
            page.put(3, format!("{} from {}", device["devicePath"].str(), device["name"].str()));
        }
    }
}

fn state(page: &mut Page, title: &str, state: &Value) {
    if let Some(running) = state["running"].as_map().map(|_| &state["running"]) {
        page.put(2, format!("{title}:\tRunning"));
        page.put(3, format!("Started:\t{}", date(running["startedAt"].str())));
    } else if !state["terminated"].is_null() {
        let ended = &state["terminated"];
        page.put(2, format!("{title}:\tTerminated"));
        for (label, field) in [("Reason", "reason"), ("Message", "message")] {
            if !ended[field].str().is_empty() {
                page.put(3, format!("{label}:\t{}", ended[field].str()));
            }
        }
        page.put(3, format!("Exit Code:\t{}", ended["exitCode"].int()));
        if ended["signal"].int() > 0 {
            page.put(3, format!("Signal:\t{}", ended["signal"].int()));
        }
        page.put(3, format!("Started:\t{}", date(ended["startedAt"].str())));
        page.put(3, format!("Finished:\t{}", date(ended["finishedAt"].str())));
    } else {
        page.put(2, format!("{title}:\tWaiting"));
        if !state["waiting"]["reason"].str().is_empty() {
            page.put(3, format!("Reason:\t{}", state["waiting"]["reason"].str()));
        }
    }
}

fn resources(page: &mut Page, resources: &Value, level: usize) {
    for (title, field) in [("Limits", "limits"), ("Requests", "requests")] {
        let entries = resources[field].entries();
        if entries.is_empty() {
            continue;
        }
        page.put(level, format!("{title}:"));
        for (name, value) in entries.iter() {
            page.put(level + 1, format!("{name}:\t{}", amount(value)));
        }
    }
}

fn probe(probe: &Value) -> String {
    let attributes = format!(
        "delay={}s timeout={}s period={}s successThreshold={} failureThreshold={}",
        probe["initialDelaySeconds"].int(),
        probe["timeoutSeconds"].int(),
        probe["periodSeconds"].int(),
        probe["successThreshold"].int(),
        probe["failureThreshold"].int()
    );
    let port = |value: &Value| crate::base::goquote::plain(value);
    if !probe["exec"].is_null() {
        let words: Vec<&str> = probe["exec"]["command"].items().iter().map(Value::str).collect();
        format!("exec [{}] {attributes}", words.join(" "))
    } else if !probe["httpGet"].is_null() {
        let get = &probe["httpGet"];
        let scheme = get["scheme"].str().to_lowercase();
        let port = if get["port"].is_null() { String::new() } else { port(&get["port"]) };
        format!("http-get {scheme}://{}:{port}{} {attributes}", get["host"].str(), get["path"].str())
    } else if !probe["tcpSocket"].is_null() {
        let socket = &probe["tcpSocket"];
        format!("tcp-socket {}:{} {attributes}", socket["host"].str(), port(&socket["port"]))
    } else if !probe["grpc"].is_null() {
        let grpc = &probe["grpc"];
        format!("grpc <pod>:{} {} {attributes}", port(&grpc["port"]), grpc["service"].str())
    } else {
        format!("unknown {attributes}")
    }
}

fn environment(page: &mut Page, container: &Value, pod: &Value) {
    let from = container["envFrom"].items();
    if !from.is_empty() {
        page.put(2, "Environment Variables from:");
        for source in from {
            let (kind, reference) = match source["configMapRef"].is_null() {
                false => ("ConfigMap", &source["configMapRef"]),
                true => ("Secret", &source["secretRef"]),
            };
            let prefix = match source["prefix"].str() {
                "" => String::new(),
                prefix => format!(" with prefix '{prefix}'"),
            };
            let optional = reference["optional"].is_true();
            page.put(3, format!("{}\t{kind}{prefix}\tOptional: {optional}", reference["name"].str()));
        }
    }
    let env = container["env"].items();
    if env.is_empty() {
        page.put(2, "Environment:\t<none>");
        return;
    }
    page.put(2, "Environment:");
    for variable in env {
        let name = variable["name"].str();
        let source = &variable["valueFrom"];
        if source.is_null() {
            for (index, line) in variable["value"].str().split('\n').enumerate() {
                if index == 0 {
                    page.put(3, format!("{name}:\t{line}"));
                } else {
                    page.put(3, format!("\t{line}"));
                }
            }
        } else if !source["fieldRef"].is_null() {
            let path = source["fieldRef"]["fieldPath"].str();
            // kubectl itself can read no other fields.
            let value = match path {
                "metadata.name" | "metadata.namespace" => pod.at(&path.split('.').collect::<Vec<_>>()).str(),
                _ => "",
            };
            page.put(3, format!("{name}:\t{value} ({}:{path})", source["fieldRef"]["apiVersion"].str()));
        } else if !source["resourceFieldRef"].is_null() {
            let resource = source["resourceFieldRef"]["resource"].str();
            let value = resource_value(container, resource, &source["resourceFieldRef"]["divisor"]);
            page.put(3, format!("{name}:\t{value} ({resource})"));
        } else if !source["secretKeyRef"].is_null() {
            let r = &source["secretKeyRef"];
            let (key, of, optional) = (r["key"].str(), r["name"].str(), r["optional"].is_true());
            page.put(3, format!("{name}:\t<set to the key '{key}' in secret '{of}'>\tOptional: {optional}"));
        } else if !source["configMapKeyRef"].is_null() {
            let r = &source["configMapKeyRef"];
            let (key, of, optional) = (r["key"].str(), r["name"].str(), r["optional"].is_true());
            page.put(3, format!("{name}:\t<set to the key '{key}' of config map '{of}'>\tOptional: {optional}"));
        }
    }
}

fn resource_value(container: &Value, resource: &str, divisor: &Value) -> String {
    let Some((field, name)) = resource.split_once('.') else { return String::new() };
    let value = container["resources"][field].get(name);
    if value.is_null() {
        return if matches!(resource, "limits.cpu" | "limits.memory") { "node allocatable".into() } else { "0".into() };
    }
    let quantity = crate::base::quantity::Quantity::of(value);
    let divisor = crate::base::quantity::Quantity::of(divisor);
    let unit = if divisor.milli() <= 0 { 1000 } else { divisor.milli() };
    (quantity.milli().saturating_add(unit - 1) / unit).to_string()
}

pub fn volumes(page: &mut Page, volumes: &Value, space: &str) {
    if volumes.items().is_empty() {
        page.put(0, format!("{space}Volumes:\t<none>"));
        return;
    }
    page.put(0, format!("{space}Volumes:"));
    for volume in volumes.items() {
        page.put(1, format!("{space}{}:", volume["name"].str()));
        source(page, volume);
    }
}

pub fn source(page: &mut Page, volume: &Value) {
    let optional = |v: &Value| v["optional"].is_true();
    let mut put = |line: String| page.put(2, line);
    let or_unset = |text: String| if text.is_empty() { "<unset>".to_string() } else { text };
    for (kind, body) in volume.entries().iter() {
        match kind.as_str() {
            "emptyDir" => {
                put("Type:\tEmptyDir (a temporary directory that shares a pod's lifetime)".into());
                put(format!("Medium:\t{}", body["medium"].str()));
                let size = if body["sizeLimit"].is_null() { String::new() } else { amount(&body["sizeLimit"]) };
                put(format!("SizeLimit:\t{}", or_unset(size)));
            }
            "configMap" => {
                put("Type:\tConfigMap (a volume populated by a ConfigMap)".into());
                put(format!("Name:\t{}", body["name"].str()));
                put(format!("Optional:\t{}", optional(body)));
            }
            "secret" => {
                put("Type:\tSecret (a volume populated by a Secret)".into());
                put(format!("SecretName:\t{}", body["secretName"].str()));
                put(format!("Optional:\t{}", optional(body)));
            }
            "hostPath" => {
                put("Type:\tHostPath (bare host directory volume)".into());
                put(format!("Path:\t{}", body["path"].str()));
                put(format!("HostPathType:\t{}", body["type"].str()));
            }
            "persistentVolumeClaim" => {
                put("Type:\tPersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)"
                    .into());
                put(format!("ClaimName:\t{}", body["claimName"].str()));
                put(format!("ReadOnly:\t{}", body["readOnly"].is_true()));
            }
            "nfs" => {
                put("Type:\tNFS (an NFS mount that lasts the lifetime of a pod)".into());
                put(format!("Server:\t{}", body["server"].str()));
                put(format!("Path:\t{}", body["path"].str()));
                put(format!("ReadOnly:\t{}", body["readOnly"].is_true()));
            }
            "image" => {
                put("Type:\tImage (a container image or OCI artifact)".into());
                put(format!("Reference:\t{}", body["reference"].str()));
                put(format!("PullPolicy:\t{}", body["pullPolicy"].str()));
            }
            "downwardAPI" => {
                put("Type:\tDownwardAPI (a volume populated by information about the pod)".into());
                put("Items:".into());
                for item in body["items"].items() {
                    let path = item.at(&["fieldRef", "fieldPath"]).str();
                    let path = if path.is_empty() { item.at(&["resourceFieldRef", "resource"]).str() } else { path };
                    put(format!("  {path} -> {}", item["path"].str()));
                }
            }
            "projected" => {
                put("Type:\tProjected (a volume that contains injected data from multiple sources)".into());
                for source in body["sources"].items() {
                    if !source["secret"].is_null() {
                        put(format!("SecretName:\t{}", source["secret"]["name"].str()));
                        put(format!("Optional:\t{}", optional(&source["secret"])));
                    } else if !source["downwardAPI"].is_null() {
                        put("DownwardAPI:\ttrue".into());
                    } else if !source["configMap"].is_null() {
                        put(format!("ConfigMapName:\t{}", source["configMap"]["name"].str()));
                        put(format!("Optional:\t{}", optional(&source["configMap"])));
                    } else if !source["serviceAccountToken"].is_null() {
                        let seconds = source["serviceAccountToken"]["expirationSeconds"].int();
                        put(format!("TokenExpirationSeconds:\t{seconds}"));
                    }
                }
            }
            _ => {}
        }
    }
}
