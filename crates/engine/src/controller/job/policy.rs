//! podFailurePolicy: what the first rule that matches a failed pod does.

use crate::api::object;
use crate::base::Value;

/// The action of the rule that matches, and why.
fn rule(job: &Value, pod: &Value) -> Option<(String, String)> {
    let rules = job["spec"]["podFailurePolicy"]["rules"].items().iter().enumerate();
    let whole = format!("{}/{}", object::namespace(pod), object::name(pod));
    for (index, rule) in rules {
        let action = rule["action"].str();
        let end = format!("matching {action} rule at index {index}");
        let codes = &rule["onExitCodes"];
        let why = match codes.is_null() {
            false => by_code(codes, pod).map(|(container, code)| {
                format!("Container {container} for pod {whole} failed with exit code {code} {end}")
            }),
            true => by_condition(rule, pod).map(|kind| format!("Pod {whole} has condition {kind} {end}")),
        };
        if let Some(why) = why {
            return Some((action.to_owned(), why));
        }
    }
    None
}

fn by_code<'a>(codes: &Value, pod: &'a Value) -> Option<(&'a str, i64)> {
    let status = &pod["status"];
    let all = status["containerStatuses"].items().iter().chain(status["initContainerStatuses"].items());
    let wanted = codes["containerName"].str();
    let ended = all
        .filter(|one| wanted.is_empty() || one["name"].str() == wanted)
        .filter_map(|one| Some((one["name"].str(), one["state"]["terminated"]["exitCode"].as_int()?)));
    let holds = |code: i64| {
        let listed = codes["values"].items().iter().any(|value| value.as_int() == Some(code));
        code != 0 && listed == (codes["operator"].str() == "In")
    };
    ended.into_iter().find(|(_, code)| holds(*code))
}

fn by_condition<'a>(rule: &Value, pod: &'a Value) -> Option<&'a str> {
    let fits = |condition: &&Value| {
        rule["onPodConditions"].items().iter().any(|pattern| {
            let status = pattern["status"].as_str().unwrap_or("True");
            condition["type"] == pattern["type"] && condition["status"].str() == status
        })
    };
    pod["status"]["conditions"].items().iter().find(fits).map(|condition| condition["type"].str())
}

/// What the policy does about the pod's failure; empty when no rule matches.
pub fn action(job: &Value, pod: &Value) -> String {
    rule(job, pod).map(|(action, _)| action).unwrap_or_default()
}

pub fn ignores(job: &Value, pod: &Value) -> bool {
    action(job, pod) == "Ignore"
}

/// Why the pod's failure ends the Job.
pub fn ends(job: &Value, pod: &Value) -> Option<String> {
    rule(job, pod).filter(|(action, _)| action == "FailJob").map(|(_, why)| why)
}
