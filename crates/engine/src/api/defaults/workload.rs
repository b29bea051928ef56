//! Defaults of workloads and of what scales them.

use super::{Lists, fill, fill_at, pod, under};
use crate::base::Value;
use crate::{list, map};

fn template(object: &mut Value) {
    let spec = object.at_mut(&["spec", "template", "spec"]);
    pod::spec(spec);
}

pub fn replication_controller(object: &mut Value) {
    let labels = object.at(&["spec", "template", "metadata", "labels"]).clone();
    if !labels.is_empty() {
        for path in [&["spec", "selector"][..], &["metadata", "labels"]] {
            if object.at(path).is_empty() {
                object.set(path, &labels);
            }
        }
    }
    fill_at(object, &["spec", "replicas"], 1);
    template(object);
}

pub fn replica_set(object: &mut Value) {
    fill_at(object, &["spec", "replicas"], 1);
    template(object);
}

pub fn deployment(object: &mut Value) {
    template(object);
    let spec = object.at_mut(&["spec"]);
    fill(spec, "replicas", 1);
    fill_at(spec, &["strategy", "type"], "RollingUpdate");
    if spec["strategy"]["type"].str() == "RollingUpdate" {
        let rolling = spec.at_mut(&["strategy", "rollingUpdate"]);
        for key in ["maxUnavailable", "maxSurge"] {
            if rolling[key].is_null() {
                rolling.set(&[key], "25%");
            }
        }
    }
    fill(spec, "revisionHistoryLimit", 10);
    fill(spec, "progressDeadlineSeconds", 600);
}

pub fn stateful_set(object: &mut Value) {
    template(object);
    let spec = object.at_mut(&["spec"]);
    fill(spec, "podManagementPolicy", "OrderedReady");
    fill_at(spec, &["updateStrategy", "type"], "RollingUpdate");
    if spec["updateStrategy"]["type"].str() == "RollingUpdate" {
        let rolling = spec.at_mut(&["updateStrategy", "rollingUpdate"]);
        for (key, value) in [("partition", 0), ("maxUnavailable", 1)] {
            if rolling[key].is_null() {
                rolling.set(&[key], value);
            }
        }
    }
    fill_at(spec, &["persistentVolumeClaimRetentionPolicy", "whenDeleted"], "Retain");
    fill_at(spec, &["persistentVolumeClaimRetentionPolicy", "whenScaled"], "Retain");
    fill(spec, "replicas", 1);
    fill(spec, "revisionHistoryLimit", 10);
    for claim in spec.at_mut_list(&["volumeClaimTemplates"]) {
        fill(claim, "apiVersion", "v1");
        fill(claim, "kind", "PersistentVolumeClaim");
        fill_at(claim, &["spec", "volumeMode"], "Filesystem");
        fill_at(claim, &["status", "phase"], "Pending");
    }
}

pub fn daemon_set(object: &mut Value) {
    template(object);
    let spec = object.at_mut(&["spec"]);
    fill_at(spec, &["updateStrategy", "type"], "RollingUpdate");
    if spec["updateStrategy"]["type"].str() == "RollingUpdate" {
        let rolling = spec.at_mut(&["updateStrategy", "rollingUpdate"]);
        for (key, value) in [("maxUnavailable", 1), ("maxSurge", 0)] {
            if rolling[key].is_null() {
                rolling.set(&[key], value);
            }
        }
    }
    fill(spec, "revisionHistoryLimit", 10);
}

pub fn job(object: &mut Value) {
    template(object);
    let labels = object.at(&["spec", "template", "metadata", "labels"]).clone();
    if !labels.is_empty() && object.at(&["metadata", "labels"]).is_empty() {
        object.set(&["metadata", "labels"], labels);
    }
    job_spec(object.at_mut(&["spec"]));
}

fn job_spec(spec: &mut Value) {
    if spec["completions"].is_null() && spec["parallelism"].is_null() {
        spec.set(&["completions"], 1);
    }
    fill(spec, "parallelism", 1);
    let limit = if spec["backoffLimitPerIndex"].is_null() { 6 } else { i64::from(i32::MAX) };
    fill(spec, "backoffLimit", limit);
    fill(spec, "completionMode", "NonIndexed");
    fill(spec, "suspend", false);
    fill(spec, "manualSelector", false);
    let replace = if spec["podFailurePolicy"].is_null() { "TerminatingOrFailed" } else { "Failed" };
    fill(spec, "podReplacementPolicy", replace);
    for rule in spec.at_mut_list(&["podFailurePolicy", "rules"]) {
        for condition in rule.at_mut_list(&["onPodConditions"]) {
            fill(condition, "status", "True");
        }
    }
}

/// The selector and labels a new Job gets from its uid, unless it brings its own (`manualSelector`).
pub fn job_selector(job: &mut Value) {
    if job.at(&["spec", "manualSelector"]).is_true() {
        return;
    }
    let uid = job.at(&["metadata", "uid"]).clone();
    let name = job.at(&["metadata", "name"]).clone();
    let key = "batch.kubernetes.io/controller-uid";
    if job.at(&["metadata", "labels"]).is_empty() {
        // Without labels of its own the Job carries those of its template, the generated ones too.
        let _ = job.remove(&["metadata", "labels"]);
    }
    let pairs = [("batch.kubernetes.io/job-name", &name), ("job-name", &name), (key, &uid), ("controller-uid", &uid)];
    for (label, value) in pairs {
        job.set(&["spec", "template", "metadata", "labels", label], value);
    }
    if job.at(&["metadata", "labels"]).is_null() {
        let labels = job.at(&["spec", "template", "metadata", "labels"]).clone();
        job.set(&["metadata", "labels"], labels);
    }
    let selector = job.at_mut(&["spec", "selector"]).map_mut();
    let mut labels = selector.get("matchLabels").cloned().unwrap_or_default();
    labels.map_mut().insert(key, uid);
    selector.insert("matchLabels", labels);
}

pub fn cron_job(object: &mut Value) {
    let spec = object.at_mut(&["spec"]);
    fill(spec, "concurrencyPolicy", "Allow");
    fill(spec, "suspend", false);
    fill(spec, "successfulJobsHistoryLimit", 3);
    fill(spec, "failedJobsHistoryLimit", 1);
    pod::spec(spec.at_mut(&["jobTemplate", "spec", "template", "spec"]));
}

pub fn autoscaler(object: &mut Value) {
    // v1 carries its target as a number and has neither metrics nor behavior.
    if object["apiVersion"].str() == "autoscaling/v1" {
        return fill_at(object, &["spec", "minReplicas"], 1);
    }
    let spec = object.at_mut(&["spec"]);
    fill(spec, "minReplicas", 1);
    if spec["metrics"].is_empty() {
        let target = map! { "type" => "Utilization", "averageUtilization" => 80 };
        let metric = map! { "type" => "Resource", "resource" => map! { "name" => "cpu", "target" => target } };
        spec.set(&["metrics"], list![metric]);
    }
    let policy = |kind: &str, value: i64| map! { "type" => kind, "value" => value, "periodSeconds" => 15 };
    under(spec, &["behavior"], |behavior| {
        let mut rules = |name: &str, policies: Value| {
            let rules = behavior.at_mut(&[name]);
            if name == "scaleUp" {
                fill(rules, "stabilizationWindowSeconds", 0);
            }
            fill(rules, "selectPolicy", "Max");
            if rules["policies"].is_null() {
                rules.set(&["policies"], policies);
            }
        };
        rules("scaleUp", list![policy("Pods", 4), policy("Percent", 100)]);
        rules("scaleDown", list![policy("Percent", 100)]);
    });
}
