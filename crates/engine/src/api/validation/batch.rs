//! Jobs and CronJobs.

use super::common::{Errors, same};
use super::{cron, internal, job_policy, names, pod, selector, workload};
use crate::api::field_error::{FieldError, Path};
use crate::api::object;
use crate::base::Value;

/// A Job.
pub fn job(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    generated_selector(errors, object);
    if spec["selector"].is_null() {
        errors.required(&at.child("selector"), "");
    } else {
        selector::label_selector(errors, &at.child("selector"), &spec["selector"]);
    }
    let labels = spec.at(&["template", "metadata", "labels"]);
    if !object::matches(&spec["selector"], labels) {
        let at = at.child("template").child("metadata").child("labels");
        errors.invalid(&at, labels, "`selector` does not match template `labels`");
    }
    job_spec(errors, &at, spec);
}

/// Without `manualSelector` the selector is the one the server makes.
fn generated_selector(errors: &mut Errors, object: &Value) {
    let spec = &object["spec"];
    if spec["manualSelector"].is_true() {
        return;
    }
    let mut wanted = Value::empty_map();
    wanted.set(&["matchLabels", "batch.kubernetes.io/controller-uid"], &object["metadata"]["uid"]);
    if spec["selector"] != wanted {
        let shown = workload::selector_text(&spec["selector"]);
        errors.push(FieldError::shown(&Path::new("spec").child("selector"), &shown, "`selector` not auto-generated"));
    }
}

fn job_spec(errors: &mut Errors, at: &Path, spec: &Value) {
    for key in ["parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"] {
        errors.not_negative(&at.child(key), &spec[key]);
    }
    for key in ["backoffLimitPerIndex", "maxFailedIndexes"] {
        errors.not_negative(&at.child(key), &spec[key]);
    }
    if !spec["maxFailedIndexes"].is_null() && spec["backoffLimitPerIndex"].is_null() {
        errors.required(&at.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
    }
    if let Some(by) = spec["managedBy"].as_str() {
        let sound =
            by.split_once('/').is_some_and(|(domain, path)| names::subdomain(domain).is_empty() && !path.is_empty());
        if !sound {
            let detail = "must be a domain-prefixed path (such as \"acme.io/foo\")";
            errors.invalid(&at.child("managedBy"), by, detail);
        }
    }
    let indexed = spec["completionMode"].str() == "Indexed";
    errors.one_of_if_set(&at.child("completionMode"), &spec["completionMode"], &["NonIndexed", "Indexed"]);
    if indexed {
        if spec["completions"].is_null() {
            errors.required(&at.child("completions"), "when completion mode is Indexed");
        }
        if spec["parallelism"].int() > 100_000 {
            let detail = "must be less than or equal to 100000 when completion mode is Indexed";
            errors.invalid(&at.child("parallelism"), &spec["parallelism"], detail);
        }
        let most = &spec["maxFailedIndexes"];
        if spec["completions"].as_int().is_some_and(|completions| most.int() > completions) {
            errors.invalid(&at.child("maxFailedIndexes"), most, "must be less than or equal to completions");
        }
    } else {
        for key in ["backoffLimitPerIndex", "maxFailedIndexes"] {
            if !spec[key].is_null() {
                errors.invalid(&at.child(key), &spec[key], "requires indexed completion mode");
            }
        }
    }
    let policy = &spec["podFailurePolicy"];
    if !policy.is_null() {
        failure_policy(errors, &at.child("podFailurePolicy"), spec);
    }
    if !spec["successPolicy"].is_null() && !indexed {
        let shown = internal::compact("batch.v1", "SuccessPolicy", &spec["successPolicy"]);
        errors.push(FieldError::shown(&at.child("successPolicy"), &shown, "requires indexed completion mode"));
    } else if let (false, Some(completions)) = (spec["successPolicy"].is_null(), spec["completions"].as_int()) {
        job_policy::success(errors, &at.child("successPolicy"), &spec["successPolicy"], completions);
    }
    let replace = &spec["podReplacementPolicy"];
    let known: &[&str] = if policy.is_null() { &["Failed", "TerminatingOrFailed"] } else { &["Failed"] };
    errors.one_of_if_set(&at.child("podReplacementPolicy"), replace, known);
    let at = at.child("template");
    pod::template(errors, &at, &spec["template"]);
    let restart = spec.at(&["template", "spec", "restartPolicy"]).str();
    let at = at.child("spec").child("restartPolicy");
    match restart {
        "" | "Always" => errors.required(&at, "valid values: \"OnFailure\", \"Never\""),
        "OnFailure" if !policy.is_null() => {
            errors.invalid(&at, restart, "only \"Never\" is supported when podFailurePolicy is specified");
        }
        "OnFailure" | "Never" => {}
        other => errors.push(FieldError::not_supported(&at, other, &["OnFailure", "Never"])),
    }
}

fn failure_policy(errors: &mut Errors, at: &Path, spec: &Value) {
    for (index, rule) in spec["podFailurePolicy"]["rules"].items().iter().enumerate() {
        let at = at.child("rules").index(index);
        match rule["action"].str() {
            "" => {
                errors.required(&at.child("action"), "valid values: \"Count\", \"FailIndex\", \"FailJob\", \"Ignore\"")
            }
            _ => {
                let actions = ["Count", "FailIndex", "FailJob", "Ignore"];
                errors.one_of(&at.child("action"), &rule["action"], &actions);
            }
        }
        if rule["action"].str() == "FailIndex" && spec["backoffLimitPerIndex"].is_null() {
            errors.invalid(&at.child("action"), "FailIndex", "requires the backoffLimitPerIndex to be set");
        }
        let (codes, conditions) = (&rule["onExitCodes"], &rule["onPodConditions"]);
        if !codes.is_null() && !conditions.is_empty() {
            errors.push(FieldError::omitted(&at, "specifying both OnExitCodes and OnPodConditions is not supported"));
        } else if codes.is_null() && conditions.is_empty() {
            errors.push(FieldError::omitted(&at, "specifying one of OnExitCodes and OnPodConditions is required"));
        }
        if !codes.is_null() {
            let at = at.child("onExitCodes");
            errors.one_of(&at.child("operator"), &codes["operator"], &["In", "NotIn"]);
            if codes["values"].is_empty() {
                errors.push(FieldError::shown(&at.child("values"), "null", "at least one value is required"));
            }
            exit_codes(errors, &at.child("values"), codes);
        }
        for (index, condition) in conditions.items().iter().enumerate() {
            let at = at.child("onPodConditions").index(index);
            errors.label_key(&at.child("type"), condition["type"].str());
            errors.one_of(&at.child("status"), &condition["status"], &["False", "True", "Unknown"]);
        }
    }
}

fn exit_codes(errors: &mut Errors, at: &Path, codes: &Value) {
    let values: Vec<i64> = codes["values"].items().iter().map(Value::int).collect();
    for (index, value) in values.iter().enumerate() {
        if *value == 0 && codes["operator"].str() == "In" {
            errors.invalid(&at.index(index), 0_i64, "must not be 0 for the In operator");
        }
        if values.iter().take(index).any(|before| before == value) {
            errors.push(FieldError::duplicate(&at.index(index), *value));
        }
    }
    if !values.is_sorted() {
        errors.invalid(at, &codes["values"], "must be ordered");
    }
}

pub fn job_update(errors: &mut Errors, new: &Value, old: &Value) {
    let at = Path::new("spec");
    let labels = new["spec"].at(&["template", "metadata", "labels"]);
    if !object::matches(&new["spec"]["selector"], labels) {
        let at = at.child("template").child("metadata").child("labels");
        errors.invalid(&at, labels, "`selector` does not match template `labels`");
    }
    job_spec(errors, &at, &new["spec"]);
    let (new, old) = (&new["spec"], &old["spec"]);
    if new["completions"] != old["completions"] {
        let at = at.child("completions");
        let indexed = new["completionMode"].str() == "Indexed";
        if !indexed {
            errors.invalid(&at, &new["completions"], names::IMMUTABLE);
        } else if new["completions"] != new["parallelism"] {
            errors.invalid(&at, &new["completions"], "can only be modified in tandem with spec.parallelism");
        }
    }
    if !same(&new["selector"], &old["selector"]) {
        let shown = workload::selector_text(&new["selector"]);
        errors.push(FieldError::shown(&at.child("selector"), &shown, names::IMMUTABLE));
    }
    job_template_update(errors, &at.child("template"), new, old);
    for key in ["completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"] {
        errors.immutable(&at.child(key), &new[key], &old[key]);
    }
}

/// A suspended Job may change where its pods go, and what they ask for.
fn job_template_update(errors: &mut Errors, at: &Path, new: &Value, old: &Value) {
    let mut was = old["template"].clone();
    let now = &new["template"];
    let suspended = old["suspend"].is_true();
    if suspended {
        for key in ["nodeSelector", "tolerations", "schedulingGates", "affinity"] {
            was.set(&["spec", key], &now["spec"][key]);
            if now["spec"][key].is_null() {
                was.remove(&["spec", key]);
            }
        }
        for key in ["labels", "annotations"] {
            was.set(&["metadata", key], &now["metadata"][key]);
        }
        for list in ["containers", "initContainers"] {
            let same = was["spec"][list].items().len() == now["spec"][list].items().len();
            for index in 0..(if same { now["spec"][list].items().len() } else { 0 }) {
                if let Some(container) = was.at_mut(&["spec", list]).list_mut().get_mut(index) {
                    container.set(&["resources"], &now["spec"][list][index]["resources"]);
                }
            }
        }
        if !same(&was["spec"], &now["spec"]) {
            let shown = internal::compact("core.v1", "PodSpec", &now["spec"]);
            errors.push(FieldError::shown(&at.child("spec"), &shown, names::IMMUTABLE));
        }
    } else if !same(&was, now) {
        let shown = internal::compact("core.v1", "PodTemplateSpec", now);
        errors.push(FieldError::shown(at, &shown, names::IMMUTABLE));
    }
}

pub fn cron_job(errors: &mut Errors, object: &Value) {
    let name = object["metadata"]["name"].str();
    if name.len() > 52 {
        errors.invalid(&Path::new("metadata").child("name"), name, "must be no more than 52 characters");
    }
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let schedule = spec["schedule"].str();
    if !schedule.is_empty() {
        let path = at.child("schedule");
        if schedule.starts_with("TZ=") || schedule.starts_with("CRON_TZ=") {
            errors.invalid(&path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        } else if let Err(detail) = cron::check(schedule) {
            errors.invalid(&path, schedule, &detail);
        }
    }
    errors.not_negative(&at.child("startingDeadlineSeconds"), &spec["startingDeadlineSeconds"]);
    let zone = &spec["timeZone"];
    if !zone.is_null() {
        let detail = match zone.str() {
            "" => Some("timeZone must be nil or non-empty string".to_owned()),
            "Local" => {
                Some("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones".to_owned())
            }
            name if !cron::is_time_zone(name) => Some(format!("unknown time zone {name}")),
            _ => None,
        };
        if let Some(detail) = detail {
            errors.invalid(&at.child("timeZone"), zone, &detail);
        }
    }
    errors.one_of(&at.child("concurrencyPolicy"), &spec["concurrencyPolicy"], &["Allow", "Forbid", "Replace"]);
    for key in ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"] {
        errors.not_negative(&at.child(key), &spec[key]);
    }
    let job = &spec["jobTemplate"]["spec"];
    let job_at = at.child("jobTemplate").child("spec");
    if !job["selector"].is_null() && !job["manualSelector"].is_true() {
        let shown = workload::selector_text(&job["selector"]);
        errors.push(FieldError::shown(&job_at.child("selector"), &shown, "`selector` will be auto-generated"));
    }
    job_spec(errors, &job_at, job);
    if schedule.is_empty() {
        errors.required(&at.child("schedule"), "");
    }
}
