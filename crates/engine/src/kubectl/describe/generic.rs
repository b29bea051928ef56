//! Services, configuration, namespaces, nodes, and every kind without a page of its own.

use super::{Page, amount, date, list_or_none};
use crate::base::SmolStr;
use crate::base::quantity::Quantity;
use crate::base::{Time, Value, duration, goquote};
use crate::kubectl::io::{Io, Outcome};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select;

pub fn head(page: &mut Page, object: &Value) {
    let meta = &object["metadata"];
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
}

pub fn service(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, object: &Value) -> Outcome {
    head(page, object);
    let (spec, meta) = (&object["spec"], &object["metadata"]);
    let pairs: Vec<String> = spec["selector"].entries().iter().map(|(k, v)| format!("{k}={}", v.str())).collect();
    page.put(0, format!("Selector:\t{}", list_or_none(&pairs)));
    page.put(0, format!("Type:\t{}", spec["type"].str()));
    if !spec["ipFamilyPolicy"].is_null() {
        page.put(0, format!("IP Family Policy:\t{}", spec["ipFamilyPolicy"].str()));
    }
    let texts = |value: &Value| value.items().iter().map(|v| v.str().to_string()).collect::<Vec<_>>();
    page.put(0, format!("IP Families:\t{}", list_or_none(&texts(&spec["ipFamilies"]))));
    page.put(0, format!("IP:\t{}", spec["clusterIP"].str()));
    page.put(0, format!("IPs:\t{}", list_or_none(&texts(&spec["clusterIPs"]))));
    if !spec["externalIPs"].items().is_empty() {
        page.put(0, format!("External IPs:\t{}", texts(&spec["externalIPs"]).join(",")));
    }
    if !spec["loadBalancerIP"].str().is_empty() {
        page.put(0, format!("Desired LoadBalancer IP:\t{}", spec["loadBalancerIP"].str()));
    }
    if !spec["externalName"].str().is_empty() {
        page.put(0, format!("External Name:\t{}", spec["externalName"].str()));
    }
    let balancers = object.at(&["status", "loadBalancer", "ingress"]).items();
    if !balancers.is_empty() {
        let shown: Vec<String> = balancers
            .iter()
            .map(|b| {
                let (ip, mode) = (b["ip"].str(), b["ipMode"].str());
                match (ip, mode) {
                    ("", _) => b["hostname"].str().to_string(),
                    (ip, "") => ip.to_string(),
                    (ip, mode) => format!("{ip} ({mode})"),
                }
            })
            .collect();
        page.put(0, format!("LoadBalancer Ingress:\t{}", shown.join(", ")));
    }
    let slices = mapper.find("endpointslices.discovery.k8s.io")?.clone();
    let label = format!("kubernetes.io/service-name={}", meta["name"].str());
    let found = select::list(io, &slices, meta["namespace"].str(), &label, "")?.unwrap_or_default();
    for port in spec["ports"].items() {
        let name = match port["name"].str() {
            "" => "<unset>",
            name => name,
        };
        let protocol = port["protocol"].str();
        page.put(0, format!("Port:\t{name}\t{}/{protocol}", port["port"].int()));
        page.put(0, format!("TargetPort:\t{}/{protocol}", goquote::plain(&port["targetPort"])));
        if !port["appProtocol"].is_null() {
            page.put(0, format!("AppProtocol:\t{}", port["appProtocol"].str()));
        }
        if port["nodePort"].int() != 0 {
            page.put(0, format!("NodePort:\t{name}\t{}/{protocol}", port["nodePort"].int()));
        }
        page.put(0, format!("Endpoints:\t{}", endpoints(&found, port["name"].str())));
    }
    page.put(0, format!("Session Affinity:\t{}", spec["sessionAffinity"].str()));
    for (title, field) in
        [("External Traffic Policy", "externalTrafficPolicy"), ("Internal Traffic Policy", "internalTrafficPolicy")]
    {
        if !spec[field].str().is_empty() {
            page.put(0, format!("{title}:\t{}", spec[field].str()));
        }
    }
    if spec["healthCheckNodePort"].int() != 0 {
        page.put(0, format!("HealthCheck NodePort:\t{}", spec["healthCheckNodePort"].int()));
    }
    if !spec["loadBalancerSourceRanges"].items().is_empty() {
        page.put(0, format!("LoadBalancer Source Ranges:\t{}", texts(&spec["loadBalancerSourceRanges"]).join(",")));
    }
    if !spec["trafficDistribution"].str().is_empty() {
        page.put(0, format!("Traffic Distribution:\t{}", spec["trafficDistribution"].str()));
    }
    Ok(())
}

pub fn endpoints(slices: &[Value], port_name: &str) -> String {
    if slices.is_empty() {
        return "<none>".into();
    }
    let mut all = Vec::new();
    for slice in slices {
        let ports = slice["ports"].items();
        let ready = slice["endpoints"].items().iter();
        let ready = ready.filter(|endpoint| endpoint["conditions"]["ready"].as_bool() != Some(false));
        let addresses = || ready.clone().flat_map(|endpoint| endpoint["addresses"].items());
        if ports.is_empty() {
            all.extend(addresses().map(|address| address.str().to_owned()));
        }
        for port in ports.iter().filter(|port| port["name"].str() == port_name) {
            all.extend(addresses().map(|address| format!("{}:{}", address.str(), port["port"].int())));
        }
    }
    let more = all.len().saturating_sub(3);
    all.truncate(3);
    let text = all.join(",");
    if more > 0 { format!("{text} + {more} more...") } else { text }
}

pub fn config_map(page: &mut Page, object: &Value) {
    head(page, object);
    page.put(0, "\nData\n====");
    for (key, value) in object["data"].entries().iter() {
        page.put(0, format!("{key}:\n----"));
        page.put(0, format!("{}\n", value.str()));
    }
    page.put(0, "\nBinaryData\n====");
    for (key, value) in object["binaryData"].entries().iter() {
        page.put(0, format!("{key}: {} bytes", decoded(value.str())));
    }
    page.put(0, "");
}

/// How many bytes a base64 text stands for.
fn decoded(text: &str) -> usize {
    let digits = text.bytes().filter(|b| !b.is_ascii_whitespace() && *b != b'=').count();
    digits * 3 / 4
}

pub fn secret(page: &mut Page, object: &Value) {
    head(page, object);
    page.put(0, format!("\nType:\t{}\n\nData\n====", object["type"].str()));
    for (key, value) in object["data"].entries().iter() {
        page.put(0, format!("{key}:\t{} bytes", decoded(value.str())));
    }
}

pub fn service_account(page: &mut Page, object: &Value) {
    head(page, object);
    let names: Vec<String> = object["imagePullSecrets"].items().iter().map(|s| s["name"].str().to_string()).collect();
    if names.is_empty() {
        page.put(0, "Image pull secrets:\t<none>");
    }
    for (index, name) in names.iter().enumerate() {
        page.put(0, format!("{}\t{name}", if index == 0 { "Image pull secrets:" } else { "" }));
    }
}

pub fn namespace(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, object: &Value) -> Outcome {
    page.head(&object["metadata"]);
    page.put(0, format!("Status:\t{}", object.at(&["status", "phase"]).str()));
    let conditions = object.at(&["status", "conditions"]).items();
    if !conditions.is_empty() {
        page.put(0, "Conditions:\n  Type\tStatus\tLastTransitionTime\tReason\tMessage");
        page.put(1, "----\t------\t------------------\t------\t-------");
        for c in conditions {
            page.put(
                1,
                format!(
                    "{}\t{}\t{}\t{}\t{}",
                    c["type"].str(),
                    c["status"].str(),
                    date(c["lastTransitionTime"].str()),
                    c["reason"].str(),
                    c["message"].str()
                ),
            );
        }
    }
    let name = object["metadata"]["name"].str();
    let quotas = match mapper.look("resourcequotas") {
        Some(mapping) => select::list(io, &mapping.clone(), name, "", "")?.unwrap_or_default(),
        None => Vec::new(),
    };
    if quotas.is_empty() {
        page.put(0, "\nNo resource quota.");
    } else {
        page.put(0, "\nResource Quotas");
        for quota in quotas {
            page.put(1, format!("Name:\t{}", quota["metadata"]["name"].str()));
            page.put(1, "Resource\tUsed\tHard");
            page.put(1, "--------\t---\t---");
            for (key, hard) in quota.at(&["status", "hard"]).entries().iter() {
                let used = quota.at(&["status", "used"]).get(key);
                page.put(1, format!("{key}\t{}\t{}", amount(used), amount(hard)));
            }
        }
    }
    let ranges = match mapper.look("limitranges") {
        Some(mapping) => select::list(io, &mapping.clone(), name, "", "")?.unwrap_or_default(),
        None => Vec::new(),
    };
    if ranges.is_empty() {
        page.put(0, "\nNo LimitRange resource.");
        return Ok(());
    }
    page.put(0, "\nResource Limits");
    page.put(0, " Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio");
    page.put(0, " ----\t--------\t---\t---\t---------------\t-------------\t-----------------------");
    for range in &ranges {
        limits(page, " ", range);
    }
    Ok(())
}

/// The rows of a LimitRange, one per resource and kind.
pub fn limits(page: &mut Page, space: &str, range: &Value) {
    let fields = ["min", "max", "defaultRequest", "default", "maxLimitRequestRatio"];
    for limit in range.at(&["spec", "limits"]).items() {
        let mut names: Vec<&str> =
            fields.iter().flat_map(|field| limit[*field].entries().keys()).map(|key| key.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let cells: Vec<String> = fields
                .iter()
                .map(|field| match limit[*field].get(name) {
                    Value::Null => "-".to_string(),
                    value => amount(value),
                })
                .collect();
            page.put(0, format!("{space}{}\t{name}\t{}", limit["type"].str(), cells.join("\t")));
        }
    }
}

pub fn node(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, object: &Value) -> Outcome {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    let name = meta["name"].str();
    page.put(0, format!("Name:\t{name}"));
    let roles: Vec<String> = meta["labels"]
        .entries()
        .keys()
        .filter_map(|key| key.strip_prefix("node-role.kubernetes.io/"))
        .filter(|role| !role.is_empty())
        .map(str::to_string)
        .collect();
    page.put(0, format!("Roles:\t{}", list_or_none(&roles)));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    page.put(0, format!("CreationTimestamp:\t{}", date(meta["creationTimestamp"].str())));
    let mut taints: Vec<&Value> = spec["taints"].items().iter().collect();
    taints.sort_by_key(|t| (t["effect"].str(), t["key"].str()));
    if taints.is_empty() {
        page.put(0, "Taints:\t<none>");
    }
    for (index, taint) in taints.iter().enumerate() {
        let value = match taint["value"].str() {
            "" => String::new(),
            value => format!("={value}"),
        };
        let lead = if index == 0 { "Taints:" } else { "" };
        page.put(0, format!("{lead}\t{}{value}:{}", taint["key"].str(), taint["effect"].str()));
    }
    page.put(0, format!("Unschedulable:\t{}", spec["unschedulable"].is_true()));
    let leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";
    let request = io.request(crate::base::http::Method::Get, format!("{leases}{name}"));
    let response = io.send(request)?;
    if response.ok() {
        let lease = &crate::kubectl::io::body(&response)["spec"];
        let time = |text: &str| if text.is_empty() { "<unset>".to_string() } else { date(text) };
        let holder = lease["holderIdentity"].str();
        page.put(0, "Lease:");
        page.put(1, format!("HolderIdentity:\t{}", if holder.is_empty() { "<unset>" } else { holder }));
        page.put(1, format!("AcquireTime:\t{}", time(lease["acquireTime"].str())));
        page.put(1, format!("RenewTime:\t{}", time(lease["renewTime"].str())));
    } else {
        let message = crate::kubectl::io::body(&response)["message"].str().to_string();
        page.put(0, format!("Lease:\tFailed to get lease: {message}"));
    }
    if !status["conditions"].items().is_empty() {
        page.put(0, "Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage");
        page.put(1, "----\t------\t-----------------\t------------------\t------\t-------");
        for c in status["conditions"].items() {
            page.put(
                1,
                format!(
                    "{} \t{} \t{} \t{} \t{} \t{}",
                    c["type"].str(),
                    c["status"].str(),
                    date(c["lastHeartbeatTime"].str()),
                    date(c["lastTransitionTime"].str()),
                    c["reason"].str(),
                    c["message"].str()
                ),
            );
        }
    }
    page.put(0, "Addresses:");
    for address in status["addresses"].items() {
        page.put(1, format!("{}:\t{}", address["type"].str(), address["address"].str()));
    }
    for (title, field) in [("Capacity", "capacity"), ("Allocatable", "allocatable")] {
        if !status[field].entries().is_empty() {
            page.put(0, format!("{title}:"));
            for (key, value) in status[field].entries().iter() {
                page.put(1, format!("{key}:\t{}", amount(value)));
            }
        }
    }
    let system = &status["nodeInfo"];
    page.put(0, "System Info:");
    for (title, field) in [
        ("Machine ID", "machineID"),
        ("System UUID", "systemUUID"),
        ("Boot ID", "bootID"),
        ("Kernel Version", "kernelVersion"),
        ("OS Image", "osImage"),
        ("Operating System", "operatingSystem"),
        ("Architecture", "architecture"),
        ("Container Runtime Version", "containerRuntimeVersion"),
        ("Kubelet Version", "kubeletVersion"),
    ] {
        page.put(1, format!("{title}:\t{}", system[field].str()));
    }
    if !spec["podCIDR"].str().is_empty() {
        page.put(0, format!("PodCIDR:\t{}", spec["podCIDR"].str()));
    }
    if !spec["podCIDRs"].items().is_empty() {
        let all: Vec<&str> = spec["podCIDRs"].items().iter().map(Value::str).collect();
        page.put(0, format!("PodCIDRs:\t{}", all.join(",")));
    }
    if !spec["providerID"].str().is_empty() {
        page.put(0, format!("ProviderID:\t{}", spec["providerID"].str()));
    }
    let pods = mapper.find("pods")?.clone();
    let field = format!("spec.nodeName={name},status.phase!=Succeeded,status.phase!=Failed");
    let pods = select::list(io, &pods, "", "", &field)?.unwrap_or_default();
    node_pods(page, status, &pods, io.now());
    Ok(())
}

const RESOURCES: [&str; 5] = ["cpu", "memory", "ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi"];

/// What a pod asks for: the sum of its containers, or its largest init container.
fn pod_total(pod: &Value, field: &str, resource: &str) -> Quantity {
    let mut total = Quantity::default();
    for container in pod.at(&["spec", "containers"]).items() {
        total.add(&Quantity::of(container["resources"][field].get(resource)));
    }
    for container in pod.at(&["spec", "initContainers"]).items() {
        let own = Quantity::of(container["resources"][field].get(resource));
        if container["restartPolicy"].str() == "Always" {
            total.add(&own);
        } else if own.as_f64() > total.as_f64() {
            total = own;
        }
    }
    total
}

fn share(quantity: &Quantity, of: &Value, resource: &str) -> String {
    let all = Quantity::of(of.get(resource));
    let percent = if all.is_zero() {
        0
    } else if resource == "cpu" {
        (quantity.milli() as f64 / all.milli() as f64 * 100.0) as i64
    } else {
        (quantity.as_f64() / all.as_f64() * 100.0) as i64
    };
    format!("{} ({percent}%)", quantity.canonical())
}

fn node_pods(page: &mut Page, status: &Value, pods: &[Value], now: Time) {
    let allocatable =
        if status["allocatable"].entries().is_empty() { &status["capacity"] } else { &status["allocatable"] };
    page.put(0, format!("Non-terminated Pods:\t({} in total)", pods.len()));
    page.put(1, "Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge");
    page.put(1, "---------\t----\t\t------------\t----------\t---------------\t-------------\t---");
    for pod in pods {
        let meta = &pod["metadata"];
        let cell = |field: &str, resource: &str| share(&pod_total(pod, field, resource), allocatable, resource);
        let age =
            Time::parse(meta["creationTimestamp"].str()).map_or("<unknown>".into(), |at| duration::human(now - at));
        page.put(
            1,
            format!(
                "{}\t{}\t\t{}\t{}\t{}\t{}\t{age}",
                meta["namespace"].str(),
                meta["name"].str(),
                cell("requests", "cpu"),
                cell("limits", "cpu"),
                cell("requests", "memory"),
                cell("limits", "memory")
            ),
        );
    }
    page.put(0, "Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)");
    page.put(1, "Resource\tRequests\tLimits");
    page.put(1, "--------\t--------\t------");
    let sum = |field: &str, resource: &str| {
        let mut total = Quantity::default();
        for pod in pods {
            total.add(&pod_total(pod, field, resource));
        }
        total
    };
    for resource in RESOURCES {
        if resource.starts_with("hugepages") && allocatable.get(resource).is_null() {
            continue;
        }
        let (requests, limits) = (sum("requests", resource), sum("limits", resource));
        page.put(
            1,
            format!(
                "{resource}\t{}\t{}",
                share(&requests, allocatable, resource),
                share(&limits, allocatable, resource)
            ),
        );
    }
    for resource in allocatable.entries().keys() {
        if resource.contains('/') {
            let (requests, limits) = (sum("requests", resource), sum("limits", resource));
            page.put(1, format!("{resource}\t{}\t{}", requests.canonical(), limits.canonical()));
        }
    }
}

/// Every field, with its name split into words.
pub fn dump(page: &mut Page, object: &Value) {
    head(page, object);
    let mut rest = object.clone();
    for field in ["name", "namespace", "labels", "annotations", "managedFields"] {
        rest.remove(&["metadata", field]);
    }
    fields(page, &rest, 0, 0);
}

fn fields(page: &mut Page, map: &Value, level: usize, depth: usize) {
    if depth > 60 {
        return;
    }
    let mut entries: Vec<(&SmolStr, &Value)> = map.entries().iter().collect();
    entries.sort_by(|a, b| a.0.cmp(b.0));
    let entries = entries.into_iter().map(|(key, value)| (words(key), value));
    for (key, value) in entries {
        match value {
            Value::Map(_) => {
                page.put(level, format!("{key}:"));
                fields(page, value, level + 1, depth + 1);
            }
            Value::List(items) => {
                page.put(level, format!("{key}:"));
                for item in items.iter() {
                    match item {
                        Value::Map(_) => fields(page, item, level + 1, depth + 1),
                        simple => page.put(level + 1, scalar(simple)),
                    }
                }
            }
            simple => page.put(level, format!("{key}:\t{}", scalar(simple))),
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "<nil>".into(),
        other => goquote::plain(other),
    }
}

/// `creationTimestamp` to `Creation Timestamp`; keys with other characters stay as they are.
fn words(key: &str) -> String {
    if !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return key.to_string();
    }
    let chars: Vec<char> = key.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    for (index, c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|i| chars.get(i));
        let after = chars.get(index + 1);
        // The s of a plural stays with its capitals.
        let plural = after == Some(&'s') && chars.get(index + 2).is_none_or(char::is_ascii_uppercase);
        let starts = c.is_ascii_uppercase()
            && (before.is_some_and(|b| !b.is_ascii_uppercase())
                || (after.is_some_and(char::is_ascii_lowercase) && !plural));
        match parts.last_mut() {
            Some(part) if !starts => part.push(*c),
            _ => parts.push(c.to_string()),
        }
    }
    for part in &mut parts {
        if ["API", "URL", "UID", "OSB", "GUID"].iter().any(|known| part.eq_ignore_ascii_case(known)) {
            part.make_ascii_uppercase();
        } else if let Some(first) = part.get_mut(..1) {
            first.make_ascii_uppercase();
        }
    }
    parts.join(" ")
}
