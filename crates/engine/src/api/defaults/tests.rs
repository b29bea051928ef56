use super::*;
use crate::api::decode::{self, FieldValidation};
use crate::api::schema;
use crate::base::{Chance, json};
use crate::map;

const VALID: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/valid-manifests.jsonl"));
const TEMPLATES: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/template-hashes.jsonl"));

fn served(sent: &Value, stored: &Value) -> Value {
    let (group, version) = schema::group_version(sent["apiVersion"].str());
    let kind = schema::kind(group, version, sent["kind"].str()).unwrap();
    let resource = kind.qualified_resource();
    let (mut object, _) = decode::decode(group, version, kind.kind, sent, FieldValidation::Strict).unwrap();
    apply(&resource, &mut object);
    if resource == "pods" {
        service_account_volume(&mut object, &Value::Null, &mut Chance::new(1));
        preemption_and_priority(&mut object, &Value::Null);
        default_tolerations(&mut object);
    }
    object.set(&["metadata", "uid"], &stored["metadata"]["uid"]);
    if resource == "jobs.batch" {
        job_selector(&mut object);
    }
    decode::encode(group, version, kind.kind, &object)
}

/// A volume's random end stands for itself.
fn comparable(value: &Value) -> String {
    let text = json::compact(value);
    match text.find("kube-api-access-") {
        Some(at) => text.replace(&text[at..at + 21], "kube-api-access-xxxxx"),
        None => text,
    }
}

#[test]
fn every_kind_is_stored_as_recorded() {
    for line in VALID.lines() {
        let line = json::parse(line).unwrap();
        let (got, want) = (served(&line["sent"], &line["stored"]), &line["stored"]);
        // Metadata, status and the cluster's addresses are filled in by others.
        for (key, want) in want.entries().iter().filter(|(key, _)| !["metadata", "status"].contains(&key.as_str())) {
            let (mut got, mut want) = (got[key.as_str()].clone(), want.clone());
            if line["sent"]["kind"].str() == "Namespace" {
                continue;
            }
            for key in ["clusterIP", "clusterIPs"] {
                got.remove(&[key]);
                want.remove(&[key]);
            }
            assert_eq!(comparable(&got), comparable(&want), "{}", line["base"].str());
        }
    }
}

#[test]
fn templates_are_stored_as_recorded() {
    let mut unlike = Vec::new();
    for line in TEMPLATES.lines() {
        let line = json::parse(line).unwrap();
        let template = &line["sent"];
        let sent = map! {
            "apiVersion" => "apps/v1", "kind" => &line["kind"],
            "spec" => map! { "template" => template },
        };
        let got = served(&sent, &Value::Null);
        let (got, want) = (&got["spec"]["template"], &line["stored"]["spec"]["template"]);
        let want = if want.is_null() { line["revision"].at(&["revision", "data", "spec", "template"]) } else { want };
        let mut want = want.clone();
        want.remove(&["$patch"]);
        if comparable(got) != comparable(&want) {
            unlike.push(format!("{}\n  {got:?}\n  {want:?}", line["label"].str()));
        }
    }
    assert!(unlike.is_empty(), "{} unlike\n{}", unlike.len(), unlike[..unlike.len().min(4)].join("\n"));
}
