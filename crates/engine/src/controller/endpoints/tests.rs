//! Syncs that remember against syncs that do not.

use super::*;
use crate::list;

fn put(see: &mut Caches, resource: &str, name: &str, object: Value) {
    let namespace = if resource == "nodes" { "" } else { "default" };
    let key = Key { resource: resource.into(), namespace: namespace.into(), name: name.into() };
    let before = see.get(&key).cloned().unwrap_or_default();
    see.apply(&Change { revision: see.revision() + 1, key, before, after: object, entry: 0 });
}

fn pod(name: &str, n: u64) -> Value {
    let ready = map! {
        "type" => "Ready", "status" => if n.is_multiple_of(3) { "True" } else { "False" },
        "lastTransitionTime" => format!("2026-01-05T09:00:{:02}Z", n % 60),
    };
    let port = map! { "name" => "web", "containerPort" => 80 + (n % 2) as i64 };
    let mut pod = map! {
        "metadata" => map! {
            "name" => name, "namespace" => "default", "uid" => format!("{}-{name}", name.len() % 3),
            "labels" => map! { "app" => if n.is_multiple_of(5) { "other" } else { "web" } },
        },
        "spec" => map! { "nodeName" => format!("n{}", n % 2), "containers" => list![map! { "ports" => list![port] }] },
        "status" => map! { "phase" => "Running", "conditions" => list![ready] },
    };
    if !n.is_multiple_of(4) {
        pod.set(&["status", "podIP"], format!("10.0.{}.{}", n % 7, n % 250));
    }
    if n.is_multiple_of(11) {
        pod.set(&["metadata", "deletionTimestamp"], "2026-01-05T09:00:00Z");
    }
    pod
}

/// What a sync writes, but for the time that depends on what was seen before.
fn writes(sets: &mut EndpointSets, see: &Caches, key: &Key) -> Vec<(&'static str, Value)> {
    sets.expected.clear();
    let Some(Inputs::Writes(writes)) = sets.inputs(see, key, Time::default()) else { return Vec::new() };
    let mut all = Vec::new();
    for write in writes {
        let (what, mut object) = match write {
            Write::Create(object) => ("create", object),
            Write::Update(object) => ("update", object),
            Write::Delete(object) => ("delete", object),
        };
        object.remove(&["metadata", "annotations"]);
        all.push((what, object));
    }
    all
}

/// Pods come, change and go; nodes move between zones; the Service is written anew.
#[test]
fn what_was_seen_before_changes_nothing() {
    for flavour in [Flavour::Slices, Flavour::Endpoints] {
        let (mut see, mut kept) = (Caches::default(), EndpointSets::new(flavour));
        let key = Key { resource: SERVICES, namespace: "default".into(), name: "web".into() };
        let resource = if flavour == Flavour::Slices { ENDPOINT_SLICES } else { ENDPOINTS };
        let (mut state, mut made, mut written) = (7u64, 0, 0);
        for step in 0..400 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (n, name) = (state >> 40, format!("p{}", (state >> 33) % 130));
            match state >> 61 {
                0 if step > 0 => put(&mut see, PODS.as_str(), &name, Value::Null),
                1 => {
                    let labels = map! { "topology.kubernetes.io/zone" => format!("z{}", n % 3) };
                    let node = map! { "metadata" => map! { "labels" => labels } };
                    put(&mut see, NODES.as_str(), &format!("n{}", n % 2), node);
                }
                2 if step % 8 == 0 => {
                    let port =
                        map! { "port" => 80, "targetPort" => if n % 2 == 0 { "web".into() } else { Value::Int(8080) } };
                    let spec = map! { "selector" => map! { "app" => "web" }, "ports" => list![port] };
                    let meta = map! { "name" => "web", "namespace" => "default" };
                    put(&mut see, SERVICES.as_str(), "web", map! { "metadata" => meta, "spec" => spec });
                }
                _ => put(&mut see, PODS.as_str(), &name, pod(&name, n)),
            }
            let got = writes(&mut kept, &see, &key);
            assert_eq!(got, writes(&mut EndpointSets::new(flavour), &see, &key), "{flavour:?} {step}");
            written += got.len();
            for (what, mut object) in got.into_iter().take(1 + step % 2) {
                if what == "create" && object["metadata"]["name"].is_null() {
                    made += 1;
                    object.set(&["metadata", "name"], format!("web-{made}"));
                }
                let name = object::name(&object).to_owned();
                put(&mut see, resource.as_str(), &name, if what == "delete" { Value::Null } else { object });
            }
        }
        assert!(written > 100, "{written}");
    }
}

/// The orders in which recorded clusters keep ports of several names.
#[test]
fn ports_come_in_the_order_of_their_hashes() {
    let check = |flavour: Flavour, want: &[(&str, i64, &str)]| {
        let mut ports: Vec<Value> =
            want.iter().map(|(n, p, t)| map! { "name" => *n, "port" => *p, "protocol" => *t }).collect();
        let recorded = ports.clone();
        ports.reverse();
        ports.sort_by_cached_key(|port| port_hash(port, flavour));
        assert_eq!(ports, recorded);
    };
    check(Flavour::Slices, &[("alt", 80, "TCP"), ("http", 80, "TCP")]);
    check(Flavour::Endpoints, &[("http", 80, "TCP"), ("alt", 80, "TCP")]);
    check(Flavour::Slices, &[("dns", 53, "UDP"), ("dns-tcp", 53, "TCP"), ("metrics", 9153, "TCP")]);
    check(Flavour::Endpoints, &[("metrics", 9153, "TCP"), ("dns-tcp", 53, "TCP"), ("dns", 53, "UDP")]);
}
