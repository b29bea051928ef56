use super::*;
use crate::api::schema::{self, type_of};
use crate::base::{Map, Value, json};

fn parse(text: &str) -> Value {
    json::parse(text).unwrap()
}

fn root(object: &Value) -> Root {
    let (group, version) = schema::group_version(object["apiVersion"].str());
    type_of(group, version, object["kind"].str()).map(|ty| ty.id)
}

fn writer<'a>(manager: &'a str, subresource: &'a str) -> Writer<'a> {
    Writer { manager, api_version: "apps/v1", subresource, now: Time::parse("2026-01-02T03:04:05Z").unwrap() }
}

/// Fields that strategies, allocators and admission plug-ins add after ownership was settled: nobody owns them.
const ADDED: [&str; 17] = [
    ".metadata.finalizers",
    ".metadata.labels",
    ".spec.clusterIP",
    ".spec.finalizers",
    ".spec.ipFamilies",
    ".spec.ipFamilyPolicy",
    ".spec.preemptionPolicy",
    ".spec.priority",
    ".spec.selector",
    ".spec.serviceAccount",
    ".spec.template.metadata.labels",
    ".spec.tolerations",
    ".spec.volumes[name=\"kube-api-access",
    ".spec.containers[name=\"c\"].volumeMounts[mountPath=\"/var/run/secrets/kubernetes.io",
    ".spec.clusterIPs",
    ".spec.volumes",
    ".spec.containers[name=\"c\"].volumeMounts",
];

#[test]
fn creating_every_kind_owns_what_the_real_server_says() {
    let recorded =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/valid-manifests.jsonl"));
    let mut wrong = Vec::new();
    for line in recorded.lines() {
        let record = parse(line);
        let stored = &record["stored"];
        let managed = stored.at(&["metadata", "managedFields"]);
        let mut after = stored.clone();
        after.remove(&["metadata", "managedFields"]);
        let first = &managed[0];
        if managed.is_null() {
            continue;
        }
        let writer = Writer {
            manager: first["manager"].str(),
            api_version: first["apiVersion"].str(),
            subresource: "",
            now: Time::parse(first["time"].str()).unwrap_or_default(),
        };
        update_managed_fields(root(stored), None, &mut after, &writer);
        let got = after.at(&["metadata", "managedFields"]);
        let (want, have) = (&first["fieldsV1"], &got[0]["fieldsV1"]);
        let extra = fields::paths(&fields::difference(have, want));
        let extra: Vec<_> = extra.iter().filter(|path| !ADDED.iter().any(|added| path.starts_with(added))).collect();
        let missing = fields::paths(&fields::difference(want, have));
        if !extra.is_empty() || !missing.is_empty() {
            wrong.push(format!("{}: missing {missing:?} extra {extra:?}", record["base"].str()));
        }
        let mut entry = got[0].clone();
        entry.set(&["fieldsV1"], &first["fieldsV1"]);
        assert_eq!(&entry, first);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const BOAT: &str = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"boat","labels":{"crew":"a"}},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"boat"}},"template":{"metadata":{"labels":{"app":"boat"}},"spec":{"containers":[{"name":"c","image":"nginx:1","env":[{"name":"A","value":"1"}]}]}}}}"#;

#[test]
fn apply_as_recorded() {
    let mut config = parse(BOAT);
    let ty = root(&config);
    let live = apply(ty, None, &config, false, &writer("kubectl", "")).unwrap();
    config.set(&["metadata", "labels", "crew"], "b");
    config.set(&["spec", "replicas"], 2);
    config.at_mut(&["spec", "template", "spec", "containers"]).list_mut()[0].set(&["image"], "nginx:2");
    let Err(ApplyError::Conflicts { message, causes }) = apply(ty, Some(&live), &config, false, &writer("second", ""))
    else {
        panic!("no conflict")
    };
    assert_eq!(
        message,
        "Apply failed with 3 conflicts: conflicts with \"kubectl\":\n- .metadata.labels.crew\n- .spec.replicas\n- .spec.template.spec.containers[name=\"c\"].image"
    );
    assert_eq!(causes[1].message, "conflict with \"kubectl\"");
    config.set(&["spec", "replicas"], 0);
    let live = apply(ty, Some(&live), &config, true, &writer("second", "")).unwrap();
    let fields = |object: &Value, index: usize| {
        json::compact(&object.at(&["metadata", "managedFields"])[index]["fieldsV1"]["f:spec"])
    };
    assert_eq!(
        fields(&live, 0),
        r#"{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:env":{"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}}},"f:name":{}}}}}}"#
    );
    assert_eq!(
        fields(&live, 1),
        r#"{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{"f:app":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:env":{"k:{\"name\":\"A\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:name":{}}}}}}"#
    );
    // The first manager still states env, so the second one's silence does not remove it.
    config.at_mut(&["spec", "template", "spec", "containers"]).list_mut()[0].remove(&["env"]);
    let live = apply(ty, Some(&live), &config, false, &writer("second", "")).unwrap();
    assert_eq!(live["spec"]["template"]["spec"]["containers"][0]["env"][0]["value"].str(), "1");
    let live = apply(ty, Some(&live), &config, true, &writer("kubectl", "")).unwrap();
    assert!(live["spec"]["template"]["spec"]["containers"][0]["env"].is_null());
}

#[test]
fn apply_over_an_update_conflicts_with_its_version() {
    let config = parse(BOAT);
    let ty = root(&config);
    let mut live = config.clone();
    live.set(&["spec", "replicas"], 3);
    update_managed_fields(ty, None, &mut live, &writer("kubectl-client-side-apply", ""));
    let Err(ApplyError::Conflicts { message, .. }) = apply(ty, Some(&live), &config, false, &writer("me", "")) else {
        panic!("no conflict")
    };
    assert_eq!(
        message,
        "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using apps/v1: .spec.replicas"
    );
}

#[test]
fn apply_refuses_what_the_schema_does_not_know() {
    let check = |config: &str, want: &str| {
        let config = parse(config);
        let writer = Writer { api_version: "v1", ..writer("kubectl", "") };
        assert_eq!(apply(root(&config), None, &config, false, &writer), Err(ApplyError::Internal(want.into())));
    };
    check(
        r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"dup","namespace":"default"},"data":{"a":"1"},"nope":1}"#,
        "failed to create typed patch object (default/dup; /v1, Kind=ConfigMap): .nope: field not declared in schema",
    );
    check(
        r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"dup","namespace":"default"},"spec":{"containers":[{"name":"c","image":"x"},{"name":"c","image":true}]}}"#,
        "failed to create typed patch object (default/dup; /v1, Kind=Pod): errors:\n  .spec.containers: duplicate entries for key [name=\"c\"]\n  .spec.containers[name=\"c\"].image: expected string, got &value.valueUnstructured{Value:true}",
    );
}

#[test]
fn other_writes_move_ownership() {
    let mut live = parse(BOAT);
    let ty = root(&live);
    update_managed_fields(ty, None, &mut live, &writer("a", ""));
    let mut next = live.clone();
    next.set(&["status"], parse(r#"{"replicas":1,"conditions":[{"type":"Available","status":"True"}]}"#));
    update_managed_fields(ty, Some(&live), &mut next, &writer("kcm", "status"));
    let list = next.at(&["metadata", "managedFields"]);
    assert_eq!(
        json::compact(&list[1]),
        r#"{"apiVersion":"apps/v1","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Available\"}":{".":{},"f:status":{},"f:type":{}}},"f:replicas":{}}},"manager":"kcm","operation":"Update","subresource":"status","time":"2026-01-02T03:04:05Z"}"#
    );
    assert!(list[0].same(&live.at(&["metadata", "managedFields"])[0]));
    let mut third = next.clone();
    third.remove(&["spec", "replicas"]);
    update_managed_fields(ty, Some(&next), &mut third, &writer("b", ""));
    let list = third.at(&["metadata", "managedFields"]);
    assert_eq!(list.items().len(), 2);
    assert!(!list[0]["fieldsV1"]["f:spec"].has("f:replicas"));
    // Nothing but stripped fields: nobody's entry moves.
    let mut fourth = third.clone();
    fourth.set(&["metadata", "generation"], 2);
    update_managed_fields(ty, Some(&third), &mut fourth, &writer("b", ""));
    assert!(fourth.at(&["metadata", "managedFields"]).same(list));
}

#[test]
fn the_oldest_updaters_are_merged() {
    let mut live = parse(r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","uid":"u"},"data":{}}"#);
    let ty = root(&live);
    let start = Time::parse("2026-01-02T03:04:05Z").unwrap();
    for n in 0..13i64 {
        let before = live.clone();
        live.set(&["data", &format!("k{n}")], "v");
        let manager = format!("m{n:02}");
        let writer = Writer {
            manager: &manager,
            api_version: "v1",
            subresource: "",
            now: start + crate::base::Span::seconds(n),
        };
        update_managed_fields(ty, (n > 0).then_some(&before), &mut live, &writer);
    }
    let list = live.at(&["metadata", "managedFields"]);
    let names: Vec<&str> = list.items().iter().map(|entry| entry["manager"].str()).collect();
    assert_eq!(names, ["ancient-changes", "m04", "m05", "m06", "m07", "m08", "m09", "m10", "m11", "m12"]);
    assert_eq!(json::compact(&list[0]["fieldsV1"]["f:data"]), r#"{".":{},"f:k0":{},"f:k1":{},"f:k2":{},"f:k3":{}}"#);
    assert_eq!(list[0]["time"].str(), "2026-01-02T03:04:08Z");
}

#[test]
fn sets_agree_with_sets_of_paths() {
    use super::fields::{difference, intersection, paths, union};
    use std::collections::BTreeSet;
    let mut seed = 7u64;
    let mut next = move |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    fn tree(next: &mut impl FnMut(u64) -> u64, depth: u64) -> Value {
        let mut map = Map::new();
        for name in ["f:a", "f:b", "k:{\"n\":1}"] {
            if next(2) == 0 {
                let inner = if depth == 0 { Value::Null } else { tree(next, depth - 1) };
                let member = next(2) == 0 || inner.is_null();
                map.insert(name, fields::built(member, inner.entries().clone()));
            }
        }
        if map.is_empty() { Value::Null } else { map.into() }
    }
    for _ in 0..2000 {
        let (a, b) = (tree(&mut next, 2), tree(&mut next, 2));
        let model = |set: &Value| paths(set).into_iter().collect::<BTreeSet<_>>();
        let (left, right) = (model(&a), model(&b));
        assert_eq!(model(&union(&a, &b)), left.union(&right).cloned().collect());
        assert_eq!(model(&difference(&a, &b)), left.difference(&right).cloned().collect());
        assert_eq!(model(&intersection(&a, &b)), left.intersection(&right).cloned().collect());
    }
}

#[test]
fn kubectl_takes_over_its_client_side_fields() {
    let managed = parse(
        r#"[{"manager":"kubectl","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{"f:a":{}}}},
            {"manager":"kubectl-client-side-apply","operation":"Update","apiVersion":"v1","fieldsV1":{"f:data":{".":{},"f:b":{}},"f:metadata":{"f:annotations":{".":{},"f:kubectl.kubernetes.io/last-applied-configuration":{}}}}}]"#,
    );
    let names = ["kubectl-client-side-apply"];
    assert_eq!(
        json::compact(&upgraded(&managed, &names, "kubectl", "")),
        r#"[{"apiVersion":"v1","fieldsV1":{"f:data":{".":{},"f:a":{},"f:b":{}},"f:metadata":{"f:annotations":{}}},"manager":"kubectl","operation":"Apply"}]"#
    );
    assert!(upgraded(&managed, &["other"], "kubectl", "").same(&managed));
}

/// Without what says nothing: typed Go objects write some empty fields, others not.
fn lean(value: &Value) -> Value {
    match value {
        Value::Map(map) => {
            let kept = map.iter().map(|(key, item)| (key.clone(), lean(item))).filter(|(_, item)| !item.is_empty());
            kept.collect::<Map>().into()
        }
        Value::List(items) => Value::list(items.iter().map(lean).collect()),
        other => other.clone(),
    }
}

/// The entries, with whether they have a time instead of which.
fn entries(object: &Value) -> Value {
    let list = object.at(&["metadata", "managedFields"]).items();
    let timed = |entry: &Value| {
        let mut entry = entry.clone();
        let has = entry.has("time");
        entry.set(&["time"], has);
        entry
    };
    Value::list(list.iter().map(timed).collect())
}

#[test]
fn rounds_of_writes_end_as_with_the_real_field_manager() {
    let recorded = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/api/field-managers.jsonl"));
    let ty = type_of("apps", "v1", "Deployment").map(|ty| ty.id);
    let mut wrong = Vec::new();
    for (round, line) in recorded.lines().enumerate() {
        let mut live: Option<Value> = None;
        for (number, step) in parse(line)["steps"].items().iter().enumerate() {
            let times =
                step["result"].at(&["metadata", "managedFields"]).items().iter().map(|entry| entry["time"].str());
            let now = Time::parse(times.max().unwrap_or_default()).unwrap_or_default();
            let writer = Writer { now, ..writer(step["manager"].str(), "") };
            let got = if step["op"].str() == "update" {
                let mut after = step["object"].clone();
                after.remove(&["metadata", "managedFields"]);
                update_managed_fields(ty, live.as_ref(), &mut after, &writer);
                Ok(after)
            } else {
                apply(ty, live.as_ref(), &step["object"], step["force"].is_true(), &writer)
            };
            let bare = |object: &Value| {
                let mut object = object.clone();
                object.remove(&["metadata", "managedFields"]);
                object.remove(&["metadata", "uid"]);
                lean(&object)
            };
            let show = |object: &Value| format!("{:?}\n    {:?}", bare(object), entries(object));
            let got = match &got {
                Ok(object) => show(object),
                Err(ApplyError::Conflicts { message, .. } | ApplyError::Internal(message)) => message.clone(),
                Err(ApplyError::BadRequest(message)) => message.clone(),
            };
            let want = if step.has("error") { step["error"].str().to_owned() } else { show(&step["result"]) };
            if got != want {
                wrong.push(format!(
                    "{round}.{number} {}\n  want {want}\n  got  {got}\n  live {live:?}\n  sent {:?}",
                    step["op"].str(),
                    step["object"]
                ));
            }
            if !step.has("error") {
                live = Some(step["result"].clone());
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
