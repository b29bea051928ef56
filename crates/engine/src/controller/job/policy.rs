//! podFailurePolicy: what the first rule that matches a failed pod does. FailIndex counts as Count.

use crate::api::object;
use crate::base::Value;

/// The action of the rule that matches, and why.
fn rule(job: &Value, pod: &Value) -> Option<(String, String)> {
    if pod["status"]["phase"].str() != "Failed" {
        return None;
    }
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

fn by_condition<'a>(rule: &'a Value, pod: &Value) -> Option<&'a str> {
    let fits = |pattern: &&Value| {
        let status = pattern["status"].as_str().unwrap_or("True");
        object::condition_is(pod, pattern["type"].str(), status)
    };
    rule["onPodConditions"].items().iter().find(fits).map(|pattern| pattern["type"].str())
}

pub fn ignores(job: &Value, pod: &Value) -> bool {
    rule(job, pod).is_some_and(|(action, _)| action == "Ignore")
}

/// Why the pod's failure ends the Job.
pub fn ends(job: &Value, pod: &Value) -> Option<String> {
    rule(job, pod).filter(|(action, _)| action == "FailJob").map(|(_, why)| why)
}
