//! Cells of nodes, namespaces, events, configuration, storage, access control and the rest.

use super::cells::{age, ago, joined, limited, name, none, number, or, or_none, since, text};
use crate::api::object;
use crate::base::{Time, Value};

pub fn cells(resource: &str, object: &Value, default: Option<&str>, now: Time) -> Vec<Value> {
    let spec = &object["spec"];
    let status = &object["status"];
    let count = |list: &str| Value::from(object[list].items().len() as i64);
    let name = name(object);
    match resource {
        "nodes" => node(object, now),
        "events" | "events.events.k8s.io" => event(object, now),
        "namespaces" => vec![name, status["phase"].clone(), age(object, now)],
        "configmaps" => {
            let data = object["data"].entries().len() + object["binaryData"].entries().len();
            vec![name, Value::from(data as i64), age(object, now)]
        }
        "secrets" => {
            let data = object["data"].entries().len() as i64;
            vec![name, object["type"].clone(), Value::from(data), age(object, now)]
        }
        "persistentvolumes" => volume(object, now),
        "persistentvolumeclaims" => claim(object, now),
        "storageclasses.storage.k8s.io" => {
            let mark = if default.is_some_and(|default| default == name.str()) { " (default)" } else { "" };
            vec![
                text(format!("{}{mark}", name.str())),
                object["provisioner"].clone(),
                or(&object["reclaimPolicy"], "Delete"),
                or(&object["volumeBindingMode"], "Immediate"),
                Value::Bool(object["allowVolumeExpansion"].is_true()),
                age(object, now),
            ]
        }
        "volumeattributesclasses.storage.k8s.io" => vec![name, object["driverName"].clone(), age(object, now)],
        "csinodes.storage.k8s.io" => vec![name, Value::from(spec["drivers"].items().len() as i64), age(object, now)],
        "csidrivers.storage.k8s.io" => {
            let flag = |field: &str| Value::Bool(spec[field].is_true());
            let tokens = joined(spec["tokenRequests"].items().iter().map(|request| request["audience"].str()), ",");
            let modes = joined(spec["volumeLifecycleModes"].items().iter().map(Value::str), ",");
            vec![
                name,
                Value::Bool(spec["attachRequired"].as_bool().unwrap_or(true)),
                flag("podInfoOnMount"),
                flag("storageCapacity"),
                or(&text(tokens), "<unset>"),
                flag("requiresRepublish"),
                or(&text(modes), "<unset>"),
                age(object, now),
            ]
        }
        "volumeattachments.storage.k8s.io" => vec![
            name,
            spec["attacher"].clone(),
            or(spec.at(&["source", "persistentVolumeName"]), ""),
            spec["nodeName"].clone(),
            Value::Bool(status["attached"].is_true()),
            age(object, now),
        ],
        "resourcequotas" => quota(object, now),
        "rolebindings.rbac.authorization.k8s.io" | "clusterrolebindings.rbac.authorization.k8s.io" => {
            binding(object, now)
        }
        "runtimeclasses.node.k8s.io" => vec![name, object["handler"].clone(), age(object, now)],
        "leases.coordination.k8s.io" => vec![name, or(&spec["holderIdentity"], ""), age(object, now)],
        "certificatesigningrequests.certificates.k8s.io" => signing_request(object, now),
        "componentstatuses" => component(object),
        "mutatingwebhookconfigurations.admissionregistration.k8s.io"
        | "validatingwebhookconfigurations.admissionregistration.k8s.io" => {
            vec![name, count("webhooks"), age(object, now)]
        }
        "validatingadmissionpolicies.admissionregistration.k8s.io"
        | "mutatingadmissionpolicies.admissionregistration.k8s.io" => {
            let list = if resource.starts_with('v') { "validations" } else { "mutations" };
            let rules = Value::from(spec[list].items().len() as i64);
            let param = &spec["paramKind"];
            let shown = if param.is_null() {
                "<unset>".to_string()
            } else {
                format!("{}/{}", param["apiVersion"].str(), param["kind"].str())
            };
            vec![name, rules, text(shown), age(object, now)]
        }
        "validatingadmissionpolicybindings.admissionregistration.k8s.io"
        | "mutatingadmissionpolicybindings.admissionregistration.k8s.io" => {
            let param = &spec["paramRef"];
            let shown = match (param.is_null(), param["namespace"].str()) {
                (true, _) => "<unset>".to_string(),
                (_, "") => format!("*/{}", param["name"].str()),
                (_, namespace) => format!("{namespace}/{}", param["name"].str()),
            };
            vec![name, spec["policyName"].clone(), text(shown), age(object, now)]
        }
        "flowschemas.flowcontrol.apiserver.k8s.io" => vec![
            name,
            spec.at(&["priorityLevelConfiguration", "name"]).clone(),
            number(&spec["matchingPrecedence"]),
            or_none(spec.at(&["distinguisherMethod", "type"])),
            age(object, now),
            text(object::condition(object, "Dangling").map_or("?", |condition| match condition["status"].str() {
                "" => "?",
                "True" => "True",
                "False" => "False",
                _ => "Unknown",
            })),
        ],
        "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io" => priority_level(object, now),
        "clustertrustbundles.certificates.k8s.io" => vec![name, or(&spec["signerName"], "")],
        "podcertificaterequests.certificates.k8s.io" => {
            let field = |field: &str| or(&spec[field], "");
            let state =
                ["Issued", "Denied", "Failed"].into_iter().find(|kind| object::condition_is(object, kind, "True"));
            vec![
                name,
                field("podName"),
                field("serviceAccountName"),
                field("nodeName"),
                field("signerName"),
                text(state.unwrap_or("Pending")),
                super::cells::labels(&spec["unverifiedUserAnnotations"]),
            ]
        }
        "resourceclaims.resource.k8s.io" => {
            let state = if object::is_deleting(object) {
                "deleted"
            } else if status["allocation"].is_null() {
                "pending"
            } else if status["reservedFor"].items().is_empty() {
                "allocated"
            } else {
                "allocated,reserved"
            };
            vec![name, text(state), age(object, now)]
        }
        "resourceslices.resource.k8s.io" => vec![
            name,
            or(&spec["nodeName"], "<unset>"),
            or(&spec["driver"], ""),
            or(spec.at(&["pool", "name"]), ""),
            age(object, now),
        ],
        "devicetaintrules.resource.k8s.io" => {
            let taint = &spec["taint"];
            let field = |field: &str| or(&taint[field], "");
            vec![name, field("key"), field("value"), field("effect"), ago(&taint["timeAdded"], now), age(object, now)]
        }
        "storageversionmigrations.storagemigration.k8s.io" => {
            let of = &spec["resource"];
            let group = of["group"].str();
            let dot = if group.is_empty() { "" } else { "." };
            let state =
                ["Succeeded", "Failed", "Running"].into_iter().find(|k| object::condition_is(object, k, "True"));
            vec![name, text(format!("{}{dot}{group}", of["resource"].str())), text(state.unwrap_or_default())]
        }
        "apiservices.apiregistration.k8s.io" => {
            let of = &spec["service"];
            let service =
                if of.is_null() { "Local".into() } else { format!("{}/{}", of["namespace"].str(), of["name"].str()) };
            let available = object::condition(object, "Available").map_or("Unknown".to_string(), |condition| {
                match condition["status"].str() {
                    "True" => "True".into(),
                    other => format!("{other} ({})", condition["reason"].str()),
                }
            });
            vec![name, text(service), text(available), age(object, now)]
        }
        "customresourcedefinitions.apiextensions.k8s.io" => definition(object),
        "serviceaccounts" | "resourceclaimtemplates.resource.k8s.io" | "deviceclasses.resource.k8s.io" => {
            vec![name, age(object, now)]
        }
        _ => vec![name, or(object.at(&["metadata", "creationTimestamp"]), "")],
    }
}

fn node(object: &Value, now: Time) -> Vec<Value> {
    let mut ready = object::condition(object, "Ready")
        .map_or("Unknown", |condition| if condition["status"].str() == "True" { "Ready" } else { "NotReady" })
        .to_string();
    if object.at(&["spec", "unschedulable"]).is_true() {
        ready += ",SchedulingDisabled";
    }
    let mut roles: Vec<&str> = Vec::new();
    for (key, value) in object.at(&["metadata", "labels"]).entries().iter() {
        match key.strip_prefix("node-role.kubernetes.io/") {
            Some(role) if !role.is_empty() => roles.push(role),
            _ if key == "kubernetes.io/role" && !value.is_empty() => roles.push(value.str()),
            _ => {}
        }
    }
    roles.sort_unstable();
    roles.dedup();
    let address = |kind: &str| {
        let all = object.at(&["status", "addresses"]).items();
        all.iter().find(|address| address["type"].str() == kind).map_or_else(none, |address| address["address"].clone())
    };
    let info = object.at(&["status", "nodeInfo"]);
    let mut kernel = or(&info["kernelVersion"], "<unknown>");
    if !info["architecture"].is_empty() {
        kernel = text(format!("{} ({})", kernel.str(), info["architecture"].str()));
    }
    vec![
        name(object),
        text(ready),
        or_none(&text(roles.join(","))),
        age(object, now),
        or(&info["kubeletVersion"], ""),
        address("InternalIP"),
        address("ExternalIP"),
        or(&info["osImage"], "<unknown>"),
        kernel,
        or(&info["containerRuntimeVersion"], "<unknown>"),
    ]
}

/// Both forms of an Event: core/v1, and events.k8s.io/v1 with its own names.
fn event(object: &Value, now: Time) -> Vec<Value> {
    let either = |a: &str, b: &str| if object[a].is_null() { object[b].clone() } else { object[a].clone() };
    let involved = either("involvedObject", "regarding");
    let mut on = involved["kind"].str().to_lowercase();
    if !involved["name"].is_empty() {
        on = format!("{on}/{}", involved["name"].str());
    }
    let source = either("source", "deprecatedSource");
    let of = |a: &Value, b: &str| if a.is_empty() { object[b].str().to_string() } else { a.str().to_string() };
    let component = {
        let reporting = if object.has("reportingController") { "reportingController" } else { "reportingComponent" };
        of(&source["component"], reporting)
    };
    let host = of(&source["host"], "reportingInstance");
    let first = {
        let first = either("firstTimestamp", "deprecatedFirstTimestamp");
        if first.is_null() { object["eventTime"].clone() } else { first }
    };
    let last = {
        let series = object.at(&["series", "lastObservedTime"]);
        let last = either("lastTimestamp", "deprecatedLastTimestamp");
        if !series.is_null() {
            series.clone()
        } else if last.is_null() {
            first.clone()
        } else {
            last
        }
    };
    let count = match (object.at(&["series", "count"]).int(), either("count", "deprecatedCount").int()) {
        (0, 0) => 1,
        (0, count) => count,
        (series, _) => series,
    };
    let message = either("message", "note");
    vec![
        ago(&last, now),
        or(&object["type"], ""),
        or(&object["reason"], ""),
        text(on),
        or(&involved["fieldPath"], ""),
        text(if host.is_empty() { component } else { format!("{component}, {host}") }),
        text(message.str().trim()),
        ago(&first, now),
        Value::from(count),
        name(object),
    ]
}

/// Access modes in their fixed order.
fn access_modes(modes: &Value) -> Value {
    let known =
        [("ReadWriteOnce", "RWO"), ("ReadOnlyMany", "ROX"), ("ReadWriteMany", "RWX"), ("ReadWriteOncePod", "RWOP")];
    let has = |mode: &str| modes.items().iter().any(|have| have.str() == mode);
    text(joined(known.iter().filter(|(mode, _)| has(mode)).map(|(_, short)| *short), ","))
}

fn phase(object: &Value) -> Value {
    if object::is_deleting(object) { text("Terminating") } else { or(object.at(&["status", "phase"]), "") }
}

fn volume(object: &Value, now: Time) -> Vec<Value> {
    let spec = &object["spec"];
    let claim = &spec["claimRef"];
    let claim =
        if claim.is_null() { String::new() } else { format!("{}/{}", claim["namespace"].str(), claim["name"].str()) };
    vec![
        name(object),
        or(spec.at(&["capacity", "storage"]), ""),
        access_modes(&spec["accessModes"]),
        or(&spec["persistentVolumeReclaimPolicy"], ""),
        phase(object),
        text(claim),
        storage_class(object),
        or(&spec["volumeAttributesClassName"], "<unset>"),
        or(object.at(&["status", "reason"]), ""),
        age(object, now),
        or(&spec["volumeMode"], "<unset>"),
    ]
}

fn claim(object: &Value, now: Time) -> Vec<Value> {
    let (spec, status) = (&object["spec"], &object["status"]);
    let is_bound = !spec["volumeName"].is_empty();
    vec![
        name(object),
        phase(object),
        or(&spec["volumeName"], ""),
        if is_bound { or(status.at(&["capacity", "storage"]), "") } else { text("") },
        if is_bound { access_modes(&status["accessModes"]) } else { text("") },
        storage_class(object),
        or(&spec["volumeAttributesClassName"], "<unset>"),
        age(object, now),
        or(&spec["volumeMode"], "<unset>"),
    ]
}

fn storage_class(object: &Value) -> Value {
    match object::annotation(object, "volume.beta.kubernetes.io/storage-class") {
        "" => or(object.at(&["spec", "storageClassName"]), ""),
        class => text(class),
    }
}

fn quota(object: &Value, now: Time) -> Vec<Value> {
    let status = &object["status"];
    let quantity = |value: &Value| match value {
        Value::Null => "0".to_string(),
        Value::Int(n) => n.to_string(),
        other => other.str().into(),
    };
    let (mut requests, mut limits) = (Vec::new(), Vec::new());
    for (key, hard) in status["hard"].entries().iter() {
        let entry = format!("{key}: {}/{}", quantity(&status["used"][key.as_str()]), quantity(hard));
        if key.starts_with("limits.") { limits.push(entry) } else { requests.push(entry) }
    }
    vec![name(object), text(requests.join(", ")), text(limits.join(", ")), age(object, now)]
}

fn binding(object: &Value, now: Time) -> Vec<Value> {
    let role = &object["roleRef"];
    let of = |kind: &str| {
        let subjects = object["subjects"].items().iter().filter(|subject| subject["kind"].str() == kind);
        let names = subjects.map(|subject| match subject["namespace"].str() {
            namespace if kind == "ServiceAccount" => format!("{namespace}/{}", subject["name"].str()),
            _ => subject["name"].str().to_string(),
        });
        text(names.collect::<Vec<_>>().join(", "))
    };
    vec![
        name(object),
        text(format!("{}/{}", role["kind"].str(), role["name"].str())),
        age(object, now),
        of("User"),
        of("Group"),
        of("ServiceAccount"),
    ]
}

fn signing_request(object: &Value, now: Time) -> Vec<Value> {
    let spec = &object["spec"];
    let has = |kind: &str| object::condition(object, kind).is_some();
    let mut state = if has("Denied") {
        "Denied"
    } else if has("Approved") {
        "Approved"
    } else {
        "Pending"
    }
    .to_string();
    if has("Failed") {
        state += ",Failed";
    }
    if !object.at(&["status", "certificate"]).is_empty() {
        state += ",Issued";
    }
    let duration = spec["expirationSeconds"].as_int().map(|n| since(Time(0), Time(n.saturating_mul(1_000_000))));
    vec![
        name(object),
        age(object, now),
        or(&spec["signerName"], ""),
        or(&spec["username"], ""),
        duration.map_or_else(none, text),
        text(state),
    ]
}

fn component(object: &Value) -> Vec<Value> {
    let condition = object["conditions"].items().iter().find(|condition| condition["type"].str() == "Healthy");
    let (status, message, error) = condition.map_or(("Unknown", "", ""), |condition| {
        let status = match condition["status"].str() {
            "True" => "Healthy",
            "False" => "Unhealthy",
            _ => "Unknown",
        };
        (status, condition["message"].str(), condition["error"].str())
    });
    vec![name(object), text(status), text(message), text(error)]
}

fn priority_level(object: &Value, now: Time) -> Vec<Value> {
    let spec = &object["spec"];
    let limited = &spec["limited"];
    let queuing = limited.at(&["limitResponse", "queuing"]);
    let shown = |value: &Value| value.as_int().map_or_else(none, |n| text(n.to_string()));
    vec![
        name(object),
        spec["type"].clone(),
        shown(&limited["nominalConcurrencyShares"]),
        shown(&queuing["queues"]),
        shown(&queuing["handSize"]),
        shown(&queuing["queueLengthLimit"]),
        age(object, now),
    ]
}

fn definition(object: &Value) -> Vec<Value> {
    let spec = &object["spec"];
    let mut versions: Vec<String> = spec["versions"]
        .items()
        .iter()
        .filter(|version| version["served"].is_true())
        .map(|version| {
            let mark = if version["storage"].is_true() { "(storage)" } else { "" };
            format!("{}{mark}", version["name"].str())
        })
        .collect();
    versions.sort();
    let names = &spec["names"];
    let short: Vec<String> = names["shortNames"].items().iter().map(|name| name.str().to_string()).collect();
    let established = object::condition_is(object, "Established", "True");
    vec![
        name(object),
        or(&spec["scope"], ""),
        text(versions.join(",")),
        or(object.at(&["metadata", "creationTimestamp"]), ""),
        or(&spec["group"], ""),
        or(&names["kind"], ""),
        text(limited(&short, usize::MAX, ",", "")),
        if established { Value::Bool(true) } else { Value::Bool(false) },
    ]
}
