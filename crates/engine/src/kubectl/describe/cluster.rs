//! Pages of storage, policy, autoscaling and access.

use super::{Page, amount, date, generic, pod, workload};
use crate::base::{Value, goquote};
use crate::kubectl::io::{Io, Outcome};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::select;

fn access_modes(modes: &Value) -> String {
    let short = |mode: &Value| match mode.str() {
        "ReadWriteOnce" => "RWO",
        "ReadOnlyMany" => "ROX",
        "ReadWriteMany" => "RWX",
        _ => "RWOP",
    };
    let mut all: Vec<&str> = modes.items().iter().map(short).collect();
    let order = ["RWO", "ROX", "RWX", "RWOP"];
    all.sort_by_key(|mode| order.iter().position(|known| known == mode));
    all.dedup();
    all.join(",")
}

/// `key=value,…` on one line; the last-applied annotation is not hidden here.
fn flat(map: &Value) -> String {
    let pairs: Vec<String> = map.entries().iter().map(|(key, value)| format!("{key}={}", value.str())).collect();
    if pairs.is_empty() { "<none>".into() } else { pairs.join(",") }
}

fn finalizers(page: &mut Page, meta: &Value) {
    let all: Vec<&str> = meta["finalizers"].items().iter().map(Value::str).collect();
    page.put(0, format!("Finalizers:\t[{}]", all.join(" ")));
}

/// The phase, or since when the object is being deleted.
fn phase(io: &Io<'_, '_>, object: &Value) -> String {
    match crate::base::Time::parse(object.at(&["metadata", "deletionTimestamp"]).str()) {
        Some(at) => format!("Terminating (lasts {})", crate::base::duration::human(io.now() - at)),
        None => object.at(&["status", "phase"]).str().to_string(),
    }
}

pub fn claim(page: &mut Page, io: &mut Io<'_, '_>, mapper: &Mapper, object: &Value) -> Outcome {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, format!("StorageClass:\t{}", spec["storageClassName"].str()));
    page.put(0, format!("Status:\t{}", phase(io, object)));
    page.put(0, format!("Volume:\t{}", spec["volumeName"].str()));
    page.labels("Labels", &meta["labels"]);
    page.annotations(&meta["annotations"]);
    finalizers(page, meta);
    let bound = !spec["volumeName"].str().is_empty();
    let capacity = status.at(&["capacity", "storage"]);
    page.put(0, format!("Capacity:\t{}", if bound && !capacity.is_null() { amount(capacity) } else { String::new() }));
    let modes = if bound { access_modes(&status["accessModes"]) } else { String::new() };
    page.put(0, format!("Access Modes:\t{modes}"));
    if !spec["volumeMode"].is_null() {
        page.put(0, format!("VolumeMode:\t{}", spec["volumeMode"].str()));
    }
    let source = &spec["dataSource"];
    if !source.is_null() {
        page.put(0, "DataSource:");
        if !source["apiGroup"].is_null() {
            page.put(1, format!("APIGroup:\t{}", source["apiGroup"].str()));
        }
        page.put(1, format!("Kind:\t{}", source["kind"].str()));
        page.put(1, format!("Name:\t{}", source["name"].str()));
    }
    let pods = mapper.find("pods")?.clone();
    let pods = select::list(io, &pods, meta["namespace"].str(), "", "")?.unwrap_or_default();
    let uses = |pod: &&Value| {
        let volumes = pod.at(&["spec", "volumes"]).items().iter();
        volumes.into_iter().any(|v| v.at(&["persistentVolumeClaim", "claimName"]).str() == meta["name"].str())
    };
    let users: Vec<&str> = pods.iter().filter(uses).map(|pod| pod.at(&["metadata", "name"]).str()).collect();
    if users.is_empty() {
        page.put(0, "Used By:\t<none>");
    }
    for (index, user) in users.iter().enumerate() {
        page.put(0, format!("{}\t{user}", if index == 0 { "Used By:" } else { "" }));
    }
    if !status["conditions"].items().is_empty() {
        page.put(0, "Conditions:\n  Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage");
        page.put(1, "----\t------\t-----------------\t------------------\t------\t-------");
    }
    for c in status["conditions"].items() {
        let (probed, changed) = (date(c["lastProbeTime"].str()), date(c["lastTransitionTime"].str()));
        let (kind, value, reason) = (c["type"].str(), c["status"].str(), c["reason"].str());
        page.put(1, format!("{kind} \t{value} \t{probed} \t{changed} \t{reason} \t{}", c["message"].str()));
    }
    Ok(())
}

pub fn volume(page: &mut Page, io: &Io<'_, '_>, object: &Value) {
    let (meta, spec) = (&object["metadata"], &object["spec"]);
    page.head(meta);
    finalizers(page, meta);
    page.put(0, format!("StorageClass:\t{}", spec["storageClassName"].str()));
    page.put(0, format!("Status:\t{}", phase(io, object)));
    let claim = &spec["claimRef"];
    match claim.is_null() {
        true => page.put(0, "Claim:\t"),
        false => page.put(0, format!("Claim:\t{}/{}", claim["namespace"].str(), claim["name"].str())),
    }
    page.put(0, format!("Reclaim Policy:\t{}", spec["persistentVolumeReclaimPolicy"].str()));
    page.put(0, format!("Access Modes:\t{}", access_modes(&spec["accessModes"])));
    if !spec["volumeMode"].is_null() {
        page.put(0, format!("VolumeMode:\t{}", spec["volumeMode"].str()));
    }
    page.put(0, format!("Capacity:\t{}", amount(spec.at(&["capacity", "storage"]))));
    let terms = spec.at(&["nodeAffinity", "required", "nodeSelectorTerms"]);
    if spec["nodeAffinity"].is_null() {
        page.put(0, "Node Affinity:\t<none>");
    } else {
        page.put(0, "Node Affinity:\t");
        page.put(1, if terms.items().is_empty() { "Required Terms:\t<none>" } else { "Required Terms:\t" });
    }
    for (index, term) in terms.items().iter().enumerate() {
        let parts: Vec<String> = term["matchExpressions"].items().iter().map(requirement).collect();
        if parts.is_empty() {
            page.put(2, format!("Term {index}:\t<none>"));
        }
        for (place, part) in parts.iter().enumerate() {
            let lead = if place == 0 { format!("Term {index}:") } else { String::new() };
            page.put(2, format!("{lead}\t{part}"));
        }
    }
    page.put(0, format!("Message:\t{}", object.at(&["status", "message"]).str()));
    page.put(0, "Source:");
    pod::source(page, spec);
}

fn requirement(term: &Value) -> String {
    let values: Vec<&str> = term["values"].items().iter().map(Value::str).collect();
    let operator = match term["operator"].str() {
        "In" => "in",
        "NotIn" => "not in",
        "Exists" => "exists",
        "DoesNotExist" => "does not exist",
        "Gt" => ">",
        "Lt" => "<",
        other => other,
    };
    let text = format!("{} {operator}", term["key"].str());
    if values.is_empty() { text } else { format!("{text} [{}]", values.join(", ")) }
}

pub fn storage_class(page: &mut Page, object: &Value) {
    let meta = &object["metadata"];
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    let annotations = &meta["annotations"];
    let default = annotations.get("storageclass.kubernetes.io/is-default-class").str() == "true";
    page.put(0, format!("IsDefaultClass:\t{}", if default { "Yes" } else { "No" }));
    page.put(0, format!("Annotations:\t{}", flat(annotations)));
    page.put(0, format!("Provisioner:\t{}", object["provisioner"].str()));
    page.put(0, format!("Parameters:\t{}", flat(&object["parameters"])));
    let expands = match object["allowVolumeExpansion"].as_bool() {
        None => "<unset>",
        Some(true) => "True",
        Some(false) => "False",
    };
    page.put(0, format!("AllowVolumeExpansion:\t{expands}"));
    let options = object["mountOptions"].items();
    if options.is_empty() {
        page.put(0, "MountOptions:\t<none>");
    } else {
        page.put(0, "MountOptions:");
        for option in options {
            page.put(1, option.str());
        }
    }
    page.put(0, format!("ReclaimPolicy:\t{}", object["reclaimPolicy"].str()));
    page.put(0, format!("VolumeBindingMode:\t{}", object["volumeBindingMode"].str()));
    for topology in object["allowedTopologies"].items().iter().take(1) {
        page.put(0, "AllowedTopologies:\t");
        let parts: Vec<String> = topology["matchLabelExpressions"].items().iter().map(requirement).collect();
        page.put(1, format!("Term 0:\t{}", parts.join(" ")));
    }
}

pub fn volume_attributes_class(page: &mut Page, object: &Value) {
    page.put(0, format!("Name:\t{}", object.at(&["metadata", "name"]).str()));
    page.put(0, format!("Annotations:\t{}", flat(object.at(&["metadata", "annotations"]))));
    page.put(0, format!("DriverName:\t{}", object["driverName"].str()));
    page.put(0, format!("Parameters:\t{}", flat(&object["parameters"])));
}

pub fn priority_class(page: &mut Page, object: &Value) {
    page.put(0, format!("Name:\t{}", object.at(&["metadata", "name"]).str()));
    page.put(0, format!("Value:\t{}", object["value"].int()));
    page.put(0, format!("GlobalDefault:\t{}", object["globalDefault"].is_true()));
    page.put(0, format!("PreemptionPolicy:\t{}", object["preemptionPolicy"].str()));
    page.put(0, format!("Description:\t{}", object["description"].str()));
    page.put(0, format!("Annotations:\t{}", flat(object.at(&["metadata", "annotations"]))));
}

pub fn quota(page: &mut Page, object: &Value) {
    let (meta, status) = (&object["metadata"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    let scopes = object.at(&["spec", "scopes"]).items();
    if !scopes.is_empty() {
        let names: Vec<&str> = scopes.iter().map(Value::str).collect();
        page.put(0, format!("Scopes:\t{}", names.join(", ")));
        for name in names {
            page.put(0, format!(" * {}", scope_help(name)));
        }
    }
    page.put(0, "Resource\tUsed\tHard");
    page.put(0, "--------\t----\t----");
    for (key, hard) in status["hard"].entries().iter() {
        page.put(0, format!("{key}\t{}\t{}", amount(status["used"].get(key)), amount(hard)));
    }
}

fn scope_help(scope: &str) -> &'static str {
    match scope {
        "Terminating" => {
            "Matches all pods that have an active deadline. These pods have a limited lifespan on a node \
                          before being actively terminated by the system."
        }
        "NotTerminating" => {
            "Matches all pods that do not have an active deadline. These pods usually include long \
                             running pods whose container command is not expected to terminate."
        }
        "BestEffort" => {
            "Matches all pods that do not have resource requirements set. These pods have a best effort \
                         quality of service."
        }
        "NotBestEffort" => {
            "Matches all pods that have at least one resource requirement set. These pods have a \
                            burstable or guaranteed quality of service."
        }
        _ => "",
    }
}

pub fn limit_range(page: &mut Page, object: &Value) {
    let meta = &object["metadata"];
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    page.put(0, "Type\tResource\tMin\tMax\tDefault Request\tDefault Limit\tMax Limit/Request Ratio");
    page.put(0, "----\t--------\t---\t---\t---------------\t-------------\t-----------------------");
    generic::limits(page, "", object);
}

pub fn disruption_budget(page: &mut Page, object: &Value) {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    page.put(0, format!("Name:\t{}", meta["name"].str()));
    page.put(0, format!("Namespace:\t{}", meta["namespace"].str()));
    if !spec["minAvailable"].is_null() {
        page.put(0, format!("Min available:\t{}", goquote::plain(&spec["minAvailable"])));
    } else if !spec["maxUnavailable"].is_null() {
        page.put(0, format!("Max unavailable:\t{}", goquote::plain(&spec["maxUnavailable"])));
    }
    match spec["selector"].is_null() {
        true => page.put(0, "Selector:\t<unset>"),
        false => page.put(0, format!("Selector:\t{}", workload::selector(&spec["selector"]))),
    }
    page.put(0, "Status:");
    for (title, field) in [
        ("Allowed disruptions", "disruptionsAllowed"),
        ("Current", "currentHealthy"),
        ("Desired", "desiredHealthy"),
        ("Total", "expectedPods"),
    ] {
        page.put(2, format!("{title}:\t{}", status[field].int()));
    }
}

pub fn autoscaler(page: &mut Page, object: &Value) {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    generic::head(page, object);
    page.put(0, format!("CreationTimestamp:\t{}", date(meta["creationTimestamp"].str())));
    let target = &spec["scaleTargetRef"];
    page.put(0, format!("Reference:\t{}/{}", target["kind"].str(), target["name"].str()));
    page.put(0, "Metrics:\t( current / target )");
    for (index, metric) in spec["metrics"].items().iter().enumerate() {
        autoscaler_metric(page, metric, status["currentMetrics"].items().get(index).unwrap_or(&Value::Null));
    }
    let least = spec["minReplicas"].as_int().map_or("<unset>".to_string(), |n| n.to_string());
    page.put(0, format!("Min replicas:\t{least}"));
    page.put(0, format!("Max replicas:\t{}", spec["maxReplicas"].int()));
    let behavior = &spec["behavior"];
    if !behavior.is_null() {
        page.put(0, "Behavior:");
        direction(page, "Scale Up", &behavior["scaleUp"]);
        direction(page, "Scale Down", &behavior["scaleDown"]);
    }
    let (have, want) = (status["currentReplicas"].int(), status["desiredReplicas"].int());
    page.put(0, format!("{} pods:\t{have} current / {want} desired", target["kind"].str()));
    if !status["conditions"].items().is_empty() {
        page.put(0, "Conditions:\n  Type\tStatus\tReason\tMessage\n  ----\t------\t------\t-------");
    }
    for c in status["conditions"].items() {
        let (kind, value, reason) = (c["type"].str(), c["status"].str(), c["reason"].str());
        page.put(1, format!("{kind}\t{value}\t{reason}\t{}", c["message"].str()));
    }
}

fn autoscaler_metric(page: &mut Page, metric: &Value, now: &Value) {
    let (field, name) = match metric["type"].str() {
        "Resource" => ("resource", format!("resource {} on pods", metric["resource"]["name"].str())),
        "ContainerResource" => {
            let source = &metric["containerResource"];
            let (name, container) = (source["name"].str(), source["container"].str());
            ("containerResource", format!("resource {name} of container \"{container}\" on pods"))
        }
        "Pods" => ("pods", format!("\"{}\" on pods", metric["pods"]["metric"]["name"].str())),
        "Object" => {
            let source = &metric["object"];
            let (kind, name) = (source["describedObject"]["kind"].str(), source["describedObject"]["name"].str());
            let metric = source["metric"]["name"].str();
            ("object", format!("\"{metric}\" on {kind}/{name}"))
        }
        _ => ("external", format!("\"{}\" (target average value)", metric["external"]["metric"]["name"].str())),
    };
    let (target, current) = (&metric[field]["target"], &now[field]["current"]);
    let value = |value: &Value| if value.is_null() { "<unknown>".to_string() } else { amount(value) };
    match (&target["averageValue"], &target["averageUtilization"]) {
        (Value::Null, Value::Null) => {
            page.put(1, format!("{name}:\t{} / {}", value(&current["value"]), value(&target["value"])));
        }
        (Value::Null, share) => {
            let have = match current["averageUtilization"].as_int() {
                Some(have) => format!("{have}% ({})", amount(&current["averageValue"])),
                None => "<unknown>".into(),
            };
            page.put(1, format!("{name}  (as a percentage of request):\t{have} / {}%", share.int()));
        }
        (average, _) => {
            page.put(1, format!("{name}:\t{} / {}", value(&current["averageValue"]), amount(average)));
        }
    }
}

fn direction(page: &mut Page, title: &str, rules: &Value) {
    if rules.is_null() {
        return;
    }
    page.put(1, format!("{title}:"));
    if let Some(seconds) = rules["stabilizationWindowSeconds"].as_int() {
        page.put(2, format!("Stabilization Window: {seconds} seconds"));
    }
    if rules["policies"].items().is_empty() {
        return;
    }
    let choice = rules["selectPolicy"].str();
    page.put(2, format!("Select Policy: {}", if choice.is_empty() { "Max" } else { choice }));
    page.put(2, "Policies:");
    for policy in rules["policies"].items() {
        let (kind, value, period) = (policy["type"].str(), policy["value"].int(), policy["periodSeconds"].int());
        page.put(3, format!("- Type: {kind}\tValue: {value}\tPeriod: {period} seconds"));
    }
}

pub fn role(page: &mut Page, object: &Value) {
    page.head(&object["metadata"]);
    page.put(0, "PolicyRule:\n  Resources\tNon-Resource URLs\tResource Names\tVerbs");
    page.put(1, "---------\t-----------------\t--------------\t-----");
    let mut rows: Vec<(String, String)> = Vec::new();
    let words = |value: &Value| {
        let all: Vec<&str> = value.items().iter().map(Value::str).collect();
        format!("[{}]", all.join(" "))
    };
    for rule in object["rules"].items() {
        let verbs = words(&rule["verbs"]);
        let names = words(&rule["resourceNames"]);
        if !rule["nonResourceURLs"].items().is_empty() {
            let urls = words(&rule["nonResourceURLs"]);
            rows.push((format!("{verbs} {urls}"), format!("\t{urls}\t{names}\t{verbs}")));
        }
        for group in rule["apiGroups"].items() {
            for resource in rule["resources"].items() {
                let (resource, group) = (resource.str(), group.str());
                let full = match (group, resource.split_once('/')) {
                    ("", _) => resource.to_string(),
                    (group, Some((resource, sub))) => format!("{resource}.{group}/{sub}"),
                    (group, None) => format!("{resource}.{group}"),
                };
                rows.push((format!("{verbs} [{group}] [{resource}] {names}"), format!("{full}\t[]\t{names}\t{verbs}")));
            }
        }
    }
    rows.sort();
    for (_, row) in rows {
        page.put(1, row);
    }
}

pub fn role_binding(page: &mut Page, object: &Value) {
    let (meta, role) = (&object["metadata"], &object["roleRef"]);
    page.head(meta);
    page.put(0, "Role:");
    page.put(1, format!("Kind:\t{}", role["kind"].str()));
    page.put(1, format!("Name:\t{}", role["name"].str()));
    page.put(0, "Subjects:\n  Kind\tName\tNamespace");
    page.put(1, "----\t----\t---------");
    for subject in object["subjects"].items() {
        let (kind, name, namespace) = (subject["kind"].str(), subject["name"].str(), subject["namespace"].str());
        page.put(1, format!("{kind}\t{name}\t{namespace}"));
    }
}

pub fn csi_node(page: &mut Page, object: &Value) {
    page.head(&object["metadata"]);
    page.put(0, format!("CreationTimestamp:\t{}", date(object["metadata"]["creationTimestamp"].str())));
    page.put(0, "Spec:");
    let drivers = object.at(&["spec", "drivers"]).items();
    if !drivers.is_empty() {
        page.put(1, "Drivers:");
    }
    for driver in drivers {
        page.put(2, format!("{}:", driver["name"].str()));
        page.put(3, format!("Node ID:\t{}", driver["nodeID"].str()));
        if let Some(count) = driver.at(&["allocatable", "count"]).as_int() {
            page.put(3, "Allocatables:");
            page.put(4, format!("Count:\t{count}"));
        }
        let keys: Vec<&str> = driver["topologyKeys"].items().iter().map(Value::str).collect();
        if !keys.is_empty() {
            page.put(3, format!("Topology Keys:\t[{}]", keys.join(" ")));
        }
    }
}
