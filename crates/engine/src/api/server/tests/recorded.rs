//! The server against what a real one said of some thousand manifests.

use super::*;
use crate::api::schema;

macro_rules! golden {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/", $name))
    };
}

fn collection(sent: &Value) -> Option<String> {
    let api_version = sent["apiVersion"].str();
    let (group, version) = schema::group_version(api_version);
    let kind = schema::kind(group, version, sent["kind"].str())?;
    let root = if group.is_empty() { "api" } else { "apis" };
    Some(match kind.namespaced {
        true => format!("/{root}/{api_version}/namespaces/default/{}", kind.resource),
        false => format!("/{root}/{api_version}/{}", kind.resource),
    })
}

/// The differences between two answers to one request: code, message, details.
fn difference(got: &Response, want: &Value) -> Option<String> {
    let code = want["code"].int();
    if i64::from(got.code) == code && (code < 300 || got.value()["message"] == want["message"]) {
        if code < 300 || got.value()["details"] == want["details"] {
            return None;
        }
        return Some(format!("details {:?}\n  not {:?}", got.value()["details"], want["details"]));
    }
    let text = |value: &Value| value["message"].str().chars().take(400).collect::<String>();
    Some(format!("{} {}\n  not {code} {}", got.code, text(got.value()), text(want)))
}

fn lab() -> Lab {
    let mut lab = Lab::new();
    {
        let name = "default";
        lab.ask(&format!("POST /api/v1/namespaces/default/serviceaccounts\n{{\"metadata\":{{\"name\":\"{name}\"}}}}"));
    }
    for name in ["standard", "manual", "immediate"] {
        lab.ask(&format!(
            "POST /apis/storage.k8s.io/v1/storageclasses\n{{\"metadata\":{{\"name\":\"{name}\"}},\"provisioner\":\"a/b\"}}"
        ));
    }
    lab
}

fn endpoints() -> BTreeMap<String, String> {
    let lines = golden!("valid-manifests.jsonl").lines().map(|line| json::parse(line).unwrap());
    lines.filter_map(|line| Some((line["base"].str().to_owned(), collection(&line["sent"])?))).collect()
}

fn score(codes: &[i64]) -> (usize, Vec<String>) {
    let mut lab = lab();
    let endpoints = endpoints();
    let (mut right, mut wrong) = (0, Vec::new());
    for line in golden!("wrong-manifests.jsonl").lines() {
        let line = json::parse(line).unwrap();
        if !codes.contains(&line["code"].int()) {
            continue;
        }
        let sent = &line["sent"];
        let Some(path) = endpoints.get(line["base"].str()).cloned().or_else(|| collection(sent)) else { continue };
        let request = format!("POST {path}?fieldValidation=Strict&dryRun=All\n{}", json::compact(sent));
        match difference(&lab.ask(&request), &line) {
            None => right += 1,
            Some(difference) => wrong.push(format!("{} {}: {difference}", line["id"].str(), line["path"].str())),
        }
    }
    (right, wrong)
}

#[test]
fn answers_wrong_manifests_as_recorded() {
    let (right, wrong) = score(&[201, 400, 403, 409, 422]);
    assert!(right >= 1142, "{right} right, {} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Less what chance and the clock made.
fn bare(value: &Value) -> Value {
    let mut value = value.clone();
    let uid = value["metadata"]["uid"].str().to_owned();
    for key in ["uid", "resourceVersion", "creationTimestamp", "managedFields"] {
        value.remove(&["metadata", key]);
    }
    value.remove(&["status", "lastPhaseTransitionTime"]);
    let mut text = json::compact(&value);
    if !uid.is_empty() {
        text = text.replace(&uid, "UID");
    }
    if let Some(at) = text.find("kube-api-access-") {
        let name = text[at..at + 21].to_owned();
        text = text.replace(&name, "kube-api-access");
    }
    json::parse(&text).unwrap()
}

#[test]
fn stores_valid_manifests_with_all_defaults() {
    let mut lab = lab();
    for line in golden!("valid-manifests.jsonl").lines() {
        let line = json::parse(line).unwrap();
        let Some(path) = collection(&line["sent"]) else { continue };
        let response = lab.ask(&format!("POST {path}?dryRun=All\n{}", json::compact(&line["sent"])));
        assert_eq!(bare(response.value()), bare(&line["stored"]), "{}", line["base"].str());
    }
}

#[test]
fn answers_forbidden_updates_as_recorded() {
    let mut lab = lab();
    let mut places = BTreeMap::new();
    for line in golden!("valid-manifests.jsonl").lines() {
        let line = json::parse(line).unwrap();
        let Some(path) = collection(&line["sent"]) else { continue };
        let mut sent = line["sent"].clone();
        let name = format!("w-{}", line["base"].str());
        sent.set(&["metadata", "name"], &name);
        lab.ask(&format!("POST {path}\n{}", json::compact(&sent)));
        places.insert(line["base"].str().to_owned(), format!("{path}/{name}"));
    }
    let (mut right, mut wrong) = (0, Vec::new());
    for line in golden!("forbidden-updates.jsonl").lines() {
        let line = json::parse(line).unwrap();
        let Some(path) = places.get(line["base"].str()) else { continue };
        let request =
            format!("PATCH {path}?dryRun=All application/merge-patch+json\n{}", json::compact(&line["patch"]));
        match difference(&lab.ask(&request), &line) {
            None => right += 1,
            Some(difference) => wrong.push(format!("{path} {:?}: {difference}", line["patch"])),
        }
    }
    // The others quote a uid or the name of a token volume.
    assert!(right >= 32, "{right} right\n{}", wrong.join("\n"));
}
