use crate::base::BTreeMap;

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
        let mut old = stored.get(base).unwrap().clone();
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

/// A pod with one thing wrong.
fn pod_says(change: &str, want: &str) {
    let base =
        r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"x"}]}}"#;
    let sent = patch::merge(&json::parse(base).unwrap(), &json::parse(change).unwrap());
    let kind = kind(&sent).unwrap();
    let got = prepared(&kind, &sent).map(|object| aggregate(&create("pods", &object)));
    assert_eq!(got.unwrap_or_else(|text| text), want, "{change}");
}

#[test]
fn texts_of_the_sheets() {
    const NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    let meta = |body: &str| format!("{{\"metadata\":{body}}}");
    let spec = |body: &str| format!("{{\"spec\":{body}}}");
    let container = |body: &str| format!("{{\"spec\":{{\"containers\":[{{\"name\":\"c\",\"image\":\"x\",{body}}}]}}}}");
    pod_says(
        &meta(r#"{"labels":{"":"x"}}"#),
        &format!(
            "[metadata.labels: Invalid value: \"\": name part must be non-empty, metadata.labels: Invalid value: \"\": name part {NAME}]"
        ),
    );
    pod_says(
        &meta(r#"{"labels":{"a/b/c":"x"}}"#),
        &format!(
            "metadata.labels: Invalid value: \"a/b/c\": a valid label key {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        ),
    );
    pod_says(
        &meta(r#"{"finalizers":["x"]}"#),
        "metadata.finalizers[0]: Invalid value: \"x\": name is neither a standard finalizer name nor is it fully qualified",
    );
    pod_says(
        &meta(r#"{"ownerReferences":[{"apiVersion":"v1","kind":"Event","name":"a","uid":"x"}]}"#),
        r#"metadata.ownerReferences[0]: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"x"}: /v1, Kind=Event is disallowed from being an owner"#,
    );
    pod_says(
        &meta(
            r#"{"ownerReferences":[{"apiVersion":"v1","kind":"A","name":"x","uid":"1","controller":true},{"apiVersion":"v1","kind":"B","name":"y","uid":"2","controller":true}]}"#,
        ),
        r#"metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"A","name":"x","uid":"1","controller":true},{"apiVersion":"v1","kind":"B","name":"y","uid":"2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for A/x and B/y"#,
    );
    pod_says(
        &spec(r#"{"tolerations":[{"value":"x"}]}"#),
        r#"spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys""#,
    );
    pod_says(
        &spec(
            r#"{"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":"ScheduleAnyway","minDomains":2}]}"#,
        ),
        "spec.topologySpreadConstraints[0].minDomains: Invalid value: 2: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
    );
    pod_says(
        &spec(r#"{"dnsPolicy":"None"}"#),
        "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
    );
    pod_says(
        &container(r#""resources":{"requests":{"gpu":"1"}}"#),
        r#"[spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified, spec.containers[0].resources.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers]"#,
    );
    pod_says(
        &container(r#""resources":{"requests":{"example.com/gpu":"1"}}"#),
        "spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
    );
    pod_says(
        &container(r#""ports":[{"containerPort":80,"hostPort":80},{"containerPort":81,"hostPort":80}]"#),
        r#"spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80""#,
    );
    pod_says(
        &container(r#""lifecycle":{"postStart":{"sleep":{"seconds":-1}}}"#),
        "spec.containers[0].lifecycle.postStart.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)",
    );
    pod_says(
        &container(r#""volumeMounts":[{}]"#),
        r#"[spec.containers[0].volumeMounts[0].name: Required value, spec.containers[0].volumeMounts[0].name: Not found: "", spec.containers[0].volumeMounts[0].mountPath: Required value]"#,
    );
    pod_says(
        &container(r#""env":[{"name":"A","value":"x","valueFrom":{"fieldRef":{"fieldPath":"spec.nope"}}}]"#),
        r#"[spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.nope": error converting fieldPath: field label not supported: spec.nope, spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty]"#,
    );
    pod_says(&container(r#""resources":{"limits":{"cpu":1.5,"memory":12}}"#), "[]");
}

/// What a real cluster holds is valid, and so is leaving it as it is.
#[test]
fn nothing_stored_is_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/system");
    let mut objects: Vec<Value> = VALID.lines().map(|line| json::parse(line).unwrap()["stored"].clone()).collect();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "jsonl")) {
        #[expect(clippy::disallowed_methods, reason = "a folder of recordings")]
        let text = std::fs::read_to_string(file).unwrap();
        let resource = file.file_stem().unwrap().to_string_lossy();
        let kind = schema::kinds().iter().find(|kind| kind.qualified_resource() == resource).unwrap();
        objects.extend(text.lines().map(|line| {
            let mut object = json::parse(line).unwrap();
            object.set(&["apiVersion"], kind.api_version());
            object.set(&["kind"], kind.kind);
            // The recording leaves the uids of owners out.
            if object["metadata"].has("ownerReferences") {
                for owner in object.at_mut(&["metadata", "ownerReferences"]).list_mut() {
                    owner.set(&["uid"], "u");
                }
            }
            object
        }));
    }
    let (mut seen, mut wrong) = (0, Vec::new());
    for object in &objects {
        let Some(kind) = kind(object) else { continue };
        seen += 1;
        for errors in [create(&kind.resource, object), update(&kind.resource, object, object)] {
            if !errors.is_empty() {
                wrong.push(told(&kind, object, &errors));
            }
        }
        let decoded = decode::decode(&kind.group, &kind.version, &kind.kind, object, FieldValidation::Strict);
        let again = decoded.map(|(decoded, _)| {
            let mut decoded = decoded;
            defaults::apply(&kind.resource, &mut decoded);
            decode::encode(&kind.group, &kind.version, &kind.kind, &decoded)
        });
        if again.as_ref() != Ok(object) {
            wrong.push(format!("{} {}\n  {again:?}\n  {object:?}", kind.kind, object["metadata"]["name"].str()));
        }
    }
    assert!(seen > 28 && wrong.is_empty(), "{} of {seen}\n{}", wrong.len(), wrong.join("\n"));
}
