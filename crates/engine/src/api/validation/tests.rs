use std::collections::BTreeMap;

use super::*;
use crate::api::decode::{self, FieldValidation};
use crate::api::field_error::aggregate;
use crate::api::{defaults, patch, schema};
use crate::base::{Chance, json};

macro_rules! golden {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/", $name))
    };
}
const WRONG: &str = golden!("wrong-manifests.jsonl");
const FORBIDDEN: &str = golden!("forbidden-updates.jsonl");
const VALID: &str = golden!("valid-manifests.jsonl");

/// How many of the recorded answers come out; these numbers only grow.
const WRONG_EQUAL: usize = 803;
const FORBIDDEN_EQUAL: usize = 36;

struct Kind {
    group: String,
    version: String,
    kind: String,
    resource: String,
}

fn kind(object: &Value) -> Option<Kind> {
    let (group, version) = schema::group_version(object["apiVersion"].str());
    let kind = schema::kind(group, version, object["kind"].str())?;
    Some(Kind {
        group: group.into(),
        version: version.into(),
        kind: kind.kind.into(),
        resource: kind.qualified_resource(),
    })
}

/// An object as validation meets it on create.
fn prepared(kind: &Kind, sent: &Value) -> Result<Value, String> {
    let (mut object, _) = decode::decode(&kind.group, &kind.version, &kind.kind, sent, FieldValidation::Strict)?;
    defaults::apply(&kind.resource, &mut object);
    if kind.resource == "pods" {
        defaults::service_account_volume(&mut object, &Value::Null, &mut Chance::new(1));
        defaults::preemption_and_priority(&mut object, &Value::Null);
        defaults::default_tolerations(&mut object);
    }
    object.set(&["metadata", "uid"], "u");
    if kind.resource == "namespaces" {
        object.set(&["spec", "finalizers"], crate::list!["kubernetes"]);
    }
    if kind.resource == "jobs.batch" {
        defaults::job_selector(&mut object);
    }
    Ok(object)
}

fn told(kind: &Kind, object: &Value, errors: &[FieldError]) -> String {
    let dot = if kind.group.is_empty() { "" } else { "." };
    let name = object["metadata"]["name"].str();
    format!("{}{dot}{} \"{name}\" is invalid: {}", kind.kind, kind.group, aggregate(errors))
}

fn report(unlike: &BTreeMap<String, Vec<String>>) -> String {
    let mut out = String::new();
    for (base, texts) in unlike {
        out.push_str(&format!("== {base}: {}\n", texts.len()));
        for text in texts {
            out.push_str(text);
        }
    }
    out
}

#[test]
fn wrong_manifests_are_refused_as_recorded() {
    let (mut equal, mut unlike) = (0, BTreeMap::<String, Vec<String>>::new());
    for line in WRONG.lines() {
        let line = json::parse(line).unwrap();
        let code = line["code"].int();
        let Some(kind) = kind(&line["sent"]) else { continue };
        // Bodies are `decode`'s; quota, accounts and what exists already are the server's.
        if !matches!(code, 201 | 422) {
            continue;
        }
        let got = match prepared(&kind, &line["sent"]) {
            Err(text) => text,
            Ok(object) => match create(&kind.resource, &object) {
                errors if errors.is_empty() => String::new(),
                errors => told(&kind, &object, &errors),
            },
        };
        let want = line["message"].str();
        if got == want {
            equal += 1;
        } else {
            let change = json::compact(&line["change"]);
            let text = format!("{} {} {change}\n  got  {got}\n  want {want}\n", line["id"].str(), line["path"].str());
            unlike.entry(line["base"].str().to_owned()).or_default().push(text);
        }
    }
    assert!(equal >= WRONG_EQUAL, "{equal} equal\n{}", report(&unlike));
    assert!(equal <= WRONG_EQUAL, "now {equal} are equal: raise the number\n{}", report(&unlike));
}

#[test]
fn updates_are_refused_as_recorded() {
    let (mut equal, mut unlike) = (0, BTreeMap::<String, Vec<String>>::new());
    let mut stored = BTreeMap::new();
    for line in VALID.lines() {
        let line = json::parse(line).unwrap();
        let base = line["base"].str();
        let mut object = line["stored"].clone();
        match base {
            // The pod of the updates had a selector no node meets, the Job another uid.
            "pod" => object.set(&["spec", "nodeSelector", "no"], "node"),
            "job" => {
                let text = json::compact(&object);
                let uid = object["metadata"]["uid"].str();
                let text = text.replace(uid, "405632d6-bd7c-44cd-9e53-aff7858cc9bf");
                object = json::parse(&text.replace("job-name\":\"w\"", "job-name\":\"w-job\"")).unwrap();
            }
            _ => {}
        }
        stored.insert(base.to_owned(), object);
    }
    for line in FORBIDDEN.lines() {
        let line = json::parse(line).unwrap();
        let base = line["base"].str();
        let mut old = stored[base].clone();
        old.set(&["metadata", "name"], format!("w-{base}"));
        let kind = kind(&old).unwrap();
        let patched = patch::merge(&old, &line["patch"]);
        let (mut new, _) =
            decode::decode(&kind.group, &kind.version, &kind.kind, &patched, FieldValidation::Warn).unwrap();
        defaults::apply(&kind.resource, &mut new);
        let errors = update(&kind.resource, &new, &old);
        let got = if errors.is_empty() { String::new() } else { told(&kind, &new, &errors) };
        let want = line["message"].str();
        if got == want {
            equal += 1;
        } else {
            unlike
                .entry(base.to_owned())
                .or_default()
                .push(format!("{:?}\n  got  {got}\n  want {want}\n", line["patch"]));
        }
    }
    assert!(equal >= FORBIDDEN_EQUAL, "{equal} equal\n{}", report(&unlike));
    assert!(equal <= FORBIDDEN_EQUAL, "now {equal} are equal: raise the number\n{}", report(&unlike));
}
