//! Files of single requests: each line is sent to a fresh API server and the answer compared whole.

use std::collections::BTreeMap;
use std::path::Path;

use engine::base::http::{Body, Method, Request, Response, User};
use engine::cluster::{Preset, Setup};
use engine::lab::Lab;
use serde_json::{Value, json};

use super::Score;
use super::normalise::{Names, Numbers, text};
use crate::run::Result;

pub fn check(folder: &Path, name: &str, text: &str) -> Result<Option<Score>> {
    let one: fn(&mut Door, &Value) -> std::result::Result<(), String> = match name {
        "wrong-manifests" => wrong,
        "forbidden-updates" => forbidden,
        "valid-manifests" => valid,
        "template-hashes" => hash,
        _ => return Ok(None),
    };
    let mut door = Door::new(folder)?;
    let mut score = Score { file: name.into(), ..Score::default() };
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("{name}:{}: {error}", n + 1))?;
        score.total += 1;
        match one(&mut door, &value) {
            Ok(()) => score.equal += 1,
            Err(difference) => score.differences.push(format!("{name}:{} {}\n{difference}", n + 1, value["id"])),
        }
    }
    Ok(Some(score))
}

/// The API server of a recorded cluster, and the good manifest of each name.
struct Door {
    lab: Lab,
    good: BTreeMap<String, Value>,
}

impl Door {
    fn new(folder: &Path) -> Result<Door> {
        let mut good = BTreeMap::new();
        let file = folder.join("valid-manifests.jsonl");
        if file.is_file() {
            for line in super::read(&file)?.lines() {
                let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
                good.insert(value["base"].as_str().unwrap_or_default().to_string(), value["sent"].clone());
            }
        }
        Ok(Door { lab: Lab::new(Setup::new(Preset::Bare)), good })
    }

    fn send(
        &mut self,
        method: Method,
        path: String,
        query: &[(&'static str, &str)],
        kind: &str,
        body: &Value,
    ) -> (u16, Value) {
        let groups = ["system:masters", "system:authenticated"].map(Into::into).into();
        let user = User { name: "kubernetes-admin".into(), groups };
        let mut request = Request::new(&user, "kubectl", method, path);
        for (key, value) in query {
            request = request.with_query(key, *value);
        }
        request.content_type = kind.into();
        request.body = Body::Text(body.to_string());
        let response = self.lab.write_past_the_clock(&request);
        (response.code, json_of(&response))
    }

    fn post(&mut self, sent: &Value, dry: bool) -> (u16, Value) {
        let path = match collection(sent) {
            Some(path) => path,
            None => return (404, Value::Null),
        };
        let mut query = vec![("fieldValidation", "Strict"), ("fieldManager", "kubectl-create")];
        if dry {
            query.push(("dryRun", "All"));
        }
        self.send(Method::Post, path, &query, "application/json", sent)
    }
}

fn json_of(response: &Response) -> Value {
    match &response.body {
        Body::Value(value) => serde_json::from_str(&engine::base::json::compact(value)).unwrap_or_default(),
        Body::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone())),
        Body::None => Value::Null,
    }
}

fn collection(object: &Value) -> Option<String> {
    let api_version = object["apiVersion"].as_str()?;
    let (group, version) = engine::api::schema::group_version(api_version);
    let kind = engine::api::schema::kind(group, version, object["kind"].as_str()?)?;
    let root = if group.is_empty() { "/api" } else { "/apis" };
    let namespace = object["metadata"]["namespace"].as_str().unwrap_or("default");
    Some(if kind.namespaced {
        format!("{root}/{api_version}/namespaces/{namespace}/{}", kind.resource)
    } else {
        format!("{root}/{api_version}/{}", kind.resource)
    })
}

fn compare(line: &Value, code: u16, answer: &Value) -> std::result::Result<(), String> {
    let want =
        json!({"code": line["code"], "reason": line["reason"], "message": line["message"], "details": line["details"]});
    let refused = code >= 400;
    let field = |key: &str| if refused { answer[key].clone() } else { Value::Null };
    let have =
        json!({"code": code, "reason": field("reason"), "message": field("message"), "details": field("details")});
    let plain = |value: &Value| text(&Names::default(), &mut Numbers::default(), &value.to_string());
    if plain(&want) == plain(&have) { Ok(()) } else { Err(format!("  want {want}\n  have {have}")) }
}

fn wrong(door: &mut Door, line: &Value) -> std::result::Result<(), String> {
    let sent = match &line["sent"] {
        Value::String(text) => serde_json::from_str(text).unwrap_or_default(),
        other => other.clone(),
    };
    // The recorder posted to the place of the good manifest.
    let base = door.good.get(line["base"].as_str().unwrap_or_default()).cloned().unwrap_or_default();
    let path = collection(&base).or_else(|| collection(&sent)).ok_or("no such kind")?;
    let query = [("fieldValidation", "Strict"), ("dryRun", "All"), ("fieldManager", "kubectl-create")];
    let (code, answer) = door.send(Method::Post, path, &query, "application/json", &sent);
    compare(line, code, &answer)
}

fn forbidden(door: &mut Door, line: &Value) -> std::result::Result<(), String> {
    let name = line["base"].as_str().unwrap_or_default();
    let mut base = door.good.get(name).cloned().ok_or("no such base")?;
    // The recorder gave each object a name of its own.
    base["metadata"]["name"] = format!("w-{name}").into();
    if base["kind"] == "Pod" {
        // … and kept pods off the node.
        base["spec"]["nodeSelector"] = json!({"no": "node"});
    }
    let before = door.lab.clone();
    let (code, answer) = door.post(&base, false);
    if code >= 300 {
        door.lab = before;
        return Err(format!("  the base was refused: {}", answer["message"]));
    }
    let path = collection(&base).ok_or("no such kind")?;
    let path = format!("{path}/{}", base["metadata"]["name"].as_str().unwrap_or_default());
    let patch = if line["patch"].is_null() { &line["sent"] } else { &line["patch"] };
    let query = [("dryRun", "All"), ("fieldManager", "kubectl-patch")];
    let (code, answer) = door.send(Method::Patch, path, &query, "application/merge-patch+json", patch);
    door.lab = before;
    compare(line, code, &answer)
}

fn valid(door: &mut Door, line: &Value) -> std::result::Result<(), String> {
    let (code, mut answer) = door.post(&line["sent"], true);
    if u64::from(code) != line["code"].as_u64().unwrap_or(201) {
        return Err(format!("  {code}: {}", answer["message"]));
    }
    let mut want = line["stored"].clone();
    for side in [&mut want, &mut answer] {
        plain(side);
    }
    if want == answer { Ok(()) } else { Err(format!("  want {want}\n  have {answer}")) }
}

/// Without uid, resourceVersion, times and names drawn by chance.
fn plain(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in [
                "uid",
                "resourceVersion",
                "creationTimestamp",
                "time",
                "lastTransitionTime",
                "lastPhaseTransitionTime",
                "managedFields",
            ] {
                map.remove(key);
            }
            map.values_mut().for_each(plain);
        }
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::String(text) if text.starts_with("kube-api-access-") => *text = "kube-api-access-".into(),
        Value::String(text) if is_uid(text) => *text = "<uid>".into(),
        _ => {}
    }
}

fn is_uid(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// The template is sent inside its owner; what is stored and the hash made of that are compared.
fn hash(door: &mut Door, line: &Value) -> std::result::Result<(), String> {
    let kind = line["kind"].as_str().unwrap_or_default();
    let want = &line["stored"]["spec"];
    let mut owner = json!({
        "apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "t"},
        "spec": {"replicas": 0, "selector": want["selector"], "template": line["sent"]},
    });
    if kind == "StatefulSet" {
        owner["spec"]["serviceName"] = want["serviceName"].clone();
    }
    let (code, mut answer) = door.post(&owner, true);
    if code != 201 {
        return Err(format!("  {code}: {}", answer["message"]));
    }
    let spec = &mut answer["spec"];
    if spec != want {
        return Err(format!("  want {want}\n  have {spec}"));
    }
    let template = engine::base::json::parse(&spec["template"].to_string())?;
    let have = match kind {
        "StatefulSet" => {
            let data: Value =
                serde_json::from_str(&engine::base::json::compact(&engine::controller::hash::revision_data(&template)))
                    .unwrap_or_default();
            let recorded = &line["revision"]["revision"]["data"];
            if data != *recorded {
                return Err(format!("  want {recorded}\n  have {data}"));
            }
            engine::controller::hash::of_revision(&template, Some(0))
        }
        _ => engine::controller::hash::of_template(&template, None),
    };
    if have == line["hash"] { Ok(()) } else { Err(format!("  want {}, have {have}", line["hash"])) }
}
