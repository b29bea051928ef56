//! Deployments, ReplicaSets, ReplicationControllers, StatefulSets, DaemonSets.

use super::common::{Errors, same};
use super::{internal, names, pod, selector, storage};
use crate::api::field_error::{FieldError, Path};
use crate::api::object;
use crate::base::Value;

/// Which texts a workload uses for its selector.
struct Rules {
    /// `deployment`: who cannot have an empty selector.
    name: &'static str,
    /// Whether a missing selector is told.
    required: bool,
    /// What is told of an unsound selector as a whole, if anything.
    unsound: Option<&'static str>,
}

/// Selector and labels, in this order; whether the template is to be looked at, which waits for a sound selector.
fn selectors(errors: &mut Errors, spec: &Value, rules: &Rules) -> bool {
    let at = Path::new("spec").child("selector");
    let given = &spec["selector"];
    let mut sound = true;
    if given.is_null() {
        if rules.required {
            errors.required(&at, "");
        }
    } else {
        sound = selector::label_selector(errors, &at, given);
        if given["matchLabels"].is_empty() && given["matchExpressions"].is_empty() {
            errors.push(FieldError::shown(&at, "{}", &format!("empty selector is invalid for {}", rules.name)));
        }
    }
    if !sound {
        if let Some(detail) = rules.unsound {
            errors.push(FieldError::shown(&at, &selector_text(given), detail));
        }
        return rules.unsound.is_none();
    }
    let labels = spec.at(&["template", "metadata", "labels"]);
    let empty = given["matchLabels"].is_empty() && given["matchExpressions"].is_empty();
    if given.is_null() || (!empty && !object::matches(given, labels)) {
        let at = Path::new("spec").child("template").child("metadata").child("labels");
        errors.invalid(&at, labels, "`selector` does not match template `labels`");
    }
    true
}

pub fn selector_text(selector: &Value) -> String {
    if selector.is_null() { "null".into() } else { internal::compact("meta.v1", "LabelSelector", selector) }
}

pub fn selector_immutable(errors: &mut Errors, new: &Value, old: &Value) {
    let (new, old) = (&new["spec"]["selector"], &old["spec"]["selector"]);
    if !same(new, old) {
        let at = Path::new("spec").child("selector");
        errors.push(FieldError::shown(&at, &selector_text(new), names::IMMUTABLE));
    }
}

fn template(errors: &mut Errors, spec: &Value, owner: &str) {
    let at = Path::new("spec").child("template");
    pod::template(errors, &at, &spec["template"]);
    let pod = &spec["template"]["spec"];
    let policy = &pod["restartPolicy"];
    if policy.str() != "Always" {
        errors.push(FieldError::not_supported(&at.child("spec").child("restartPolicy"), policy.str(), &["Always"]));
    }
    if !pod["activeDeadlineSeconds"].is_null() {
        let detail = format!("activeDeadlineSeconds in {owner} is not Supported");
        errors.forbidden(&at.child("spec").child("activeDeadlineSeconds"), &detail);
    }
}

const REPLICAS: Rules = Rules { name: "deployment", required: true, unsound: Some("invalid label selector") };

pub fn deployment(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    errors.not_negative(&at.child("replicas"), &spec["replicas"]);
    if selectors(errors, spec, &REPLICAS) {
        template(errors, spec, "ReplicaSet");
    }
    strategy(errors, &at.child("strategy"), &spec["strategy"]);
    errors.not_negative(&at.child("minReadySeconds"), &spec["minReadySeconds"]);
    errors.not_negative(&at.child("revisionHistoryLimit"), &spec["revisionHistoryLimit"]);
    let deadline = &spec["progressDeadlineSeconds"];
    errors.not_negative(&at.child("progressDeadlineSeconds"), deadline);
    if !deadline.is_null() && deadline.int() <= spec["minReadySeconds"].int() {
        errors.invalid(&at.child("progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds");
    }
}

fn strategy(errors: &mut Errors, at: &Path, strategy: &Value) {
    let rolling = &strategy["rollingUpdate"];
    let rolling_at = at.child("rollingUpdate");
    match strategy["type"].str() {
        "Recreate" => {
            if !rolling.is_null() {
                errors.forbidden(&rolling_at, "may not be specified when strategy `type` is 'Recreate'");
            }
        }
        "RollingUpdate" => {
            let (unavailable, surge) = (&rolling["maxUnavailable"], &rolling["maxSurge"]);
            errors.count_or_percent(&rolling_at.child("maxUnavailable"), unavailable);
            errors.count_or_percent(&rolling_at.child("maxSurge"), surge);
            if is_zero(unavailable) && is_zero(surge) {
                let detail = "may not be 0 when `maxSurge` is 0";
                errors.invalid(&rolling_at.child("maxUnavailable"), unavailable, detail);
            }
            errors.at_most_full(&rolling_at.child("maxUnavailable"), unavailable);
        }
        _ => {
            let shown = internal::compact("apps.v1", "DeploymentStrategy", strategy);
            errors.push(FieldError::not_supported_shown(at, &shown, &["Recreate", "RollingUpdate"]));
        }
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Text(text) => names::percent(text) == Some(0),
        other => other.int() == 0,
    }
}

pub fn replica_set(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    errors.not_negative(&at.child("replicas"), &spec["replicas"]);
    errors.not_negative(&at.child("minReadySeconds"), &spec["minReadySeconds"]);
    if selectors(errors, spec, &REPLICAS) {
        template(errors, spec, "ReplicaSet");
    }
}

pub fn replication_controller(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    errors.not_negative(&at.child("minReadySeconds"), &spec["minReadySeconds"]);
    let selector = &spec["selector"];
    if selector.is_empty() {
        errors.required(&at.child("selector"), "");
    }
    errors.not_negative(&at.child("replicas"), &spec["replicas"]);
    let labels = spec.at(&["template", "metadata", "labels"]);
    if !object::contains(selector, labels) {
        let at = at.child("template").child("metadata").child("labels");
        errors.invalid(&at, labels, "`selector` does not match template `labels`");
    }
    template(errors, spec, "ReplicationController");
}

pub fn stateful_set(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    if !matches!(spec["podManagementPolicy"].str(), "OrderedReady" | "Parallel") {
        let detail = "must be 'OrderedReady' or 'Parallel'";
        errors.invalid(&at.child("podManagementPolicy"), &spec["podManagementPolicy"], detail);
    }
    let (strategy_at, strategy) = (at.child("updateStrategy"), &spec["updateStrategy"]);
    let (rolling_at, rolling) = (strategy_at.child("rollingUpdate"), &strategy["rollingUpdate"]);
    match strategy["type"].str() {
        "" => errors.required(&strategy_at, ""),
        "OnDelete" => {
            if !rolling.is_null() {
                let shown = internal::compact("apps.v1", "RollingUpdateStatefulSetStrategy", rolling);
                errors.push(FieldError::shown(&rolling_at, &shown, "only allowed for updateStrategy 'RollingUpdate'"));
            }
        }
        "RollingUpdate" => {
            errors.not_negative(&rolling_at.child("partition"), &rolling["partition"]);
            let most = &rolling["maxUnavailable"];
            if !most.is_null() {
                let at = rolling_at.child("maxUnavailable");
                errors.count_or_percent(&at, most);
                if is_zero(most) {
                    errors.invalid(&at, most, "cannot be 0");
                }
                errors.at_most_full(&at, most);
            }
        }
        other => errors.invalid(&strategy_at, other, "must be 'RollingUpdate' or 'OnDelete'"),
    }
    let (keep_at, keep) =
        (at.child("persistentVolumeClaimRetentionPolicy"), &spec["persistentVolumeClaimRetentionPolicy"]);
    for key in ["whenDeleted", "whenScaled"] {
        errors.one_of(&keep_at.child(key), &keep[key], &["Retain", "Delete"]);
    }
    errors.not_negative(&at.child("replicas"), &spec["replicas"]);
    errors.not_negative(&at.child("minReadySeconds"), &spec["minReadySeconds"]);
    errors.not_negative(&at.child("ordinals").child("start"), &spec["ordinals"]["start"]);
    errors.not_negative(&at.child("revisionHistoryLimit"), &spec["revisionHistoryLimit"]);
    let service = spec["serviceName"].str();
    if !service.is_empty() {
        errors.complain(&at.child("serviceName"), service, names::label(service));
    }
    selectors(errors, spec, &Rules { name: "statefulset", required: true, unsound: Some("") });
    let claims = spec["volumeClaimTemplates"].items();
    for (index, claim) in claims.iter().enumerate() {
        let at = at.child("volumeClaimTemplates").index(index);
        storage::claim_spec(errors, &at.child("spec"), &claim["spec"]);
    }
    template(errors, &with_claims(spec), "StatefulSet");
}

/// The spec with its claims as volumes of the template, as the validator looks at it.
fn with_claims(spec: &Value) -> Value {
    let claims = spec["volumeClaimTemplates"].items();
    if claims.is_empty() {
        return spec.clone();
    }
    let mut volumes: Vec<Value> = Vec::new();
    for claim in claims {
        let name = &claim["metadata"]["name"];
        volumes.push(crate::map! {
            "name" => name, "persistentVolumeClaim" => crate::map! { "claimName" => name },
        });
    }
    let own = spec.at(&["template", "spec", "volumes"]).items();
    volumes.extend(
        own.iter().filter(|volume| !claims.iter().any(|claim| claim["metadata"]["name"] == volume["name"])).cloned(),
    );
    let mut spec = spec.clone();
    spec.set(&["template", "spec", "volumes"], volumes);
    spec
}

pub fn stateful_set_update(errors: &mut Errors, new: &Value, old: &Value) {
    stateful_set(errors, new);
    let at = Path::new("spec");
    let (new, old) = (&new["spec"], &old["spec"]);
    for key in ["serviceName", "podManagementPolicy"] {
        errors.immutable(&at.child(key), &new[key], &old[key]);
    }
    if !same(&new["selector"], &old["selector"]) {
        let shown = selector_text(&new["selector"]);
        errors.push(FieldError::shown(&at.child("selector"), &shown, names::IMMUTABLE));
    }
    let claims = &new["volumeClaimTemplates"];
    if !same(claims, &old["volumeClaimTemplates"]) {
        let shown = internal::compact_list("core.v1", "PersistentVolumeClaim", claims);
        errors.push(FieldError::shown(&at.child("volumeClaimTemplates"), &shown, names::IMMUTABLE));
    }
}

pub fn daemon_set(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    selectors(errors, spec, &Rules { name: "daemonset", required: false, unsound: None });
    template(errors, spec, "DaemonSet");
    errors.not_negative(&at.child("minReadySeconds"), &spec["minReadySeconds"]);
    let (strategy_at, strategy) = (at.child("updateStrategy"), &spec["updateStrategy"]);
    let (rolling_at, rolling) = (strategy_at.child("rollingUpdate"), &strategy["rollingUpdate"]);
    match strategy["type"].str() {
        "OnDelete" => {}
        "RollingUpdate" => {
            let (unavailable, surge) = (&rolling["maxUnavailable"], &rolling["maxSurge"]);
            errors.count_or_percent(&rolling_at.child("maxUnavailable"), unavailable);
            errors.at_most_full(&rolling_at.child("maxUnavailable"), unavailable);
            errors.count_or_percent(&rolling_at.child("maxSurge"), surge);
            errors.at_most_full(&rolling_at.child("maxSurge"), surge);
            match (is_zero(unavailable), is_zero(surge)) {
                (true, true) => {
                    errors.required(&rolling_at.child("maxUnavailable"), "cannot be 0 when maxSurge is 0");
                }
                (false, false) => {
                    let detail = "may not be set when maxUnavailable is non-zero";
                    errors.invalid(&rolling_at.child("maxSurge"), surge, detail);
                }
                _ => {}
            }
        }
        _ => {
            let shown = internal::compact("apps.v1", "DaemonSetUpdateStrategy", strategy);
            errors.push(FieldError::not_supported_shown(&strategy_at, &shown, &["RollingUpdate", "OnDelete"]));
        }
    }
    errors.not_negative(&at.child("revisionHistoryLimit"), &spec["revisionHistoryLimit"]);
}
