//! One scenario was recorded on simulated nodes: "compare the scheduler's and controllers' words and writes, not the
//! kubelet's" (the README of the recordings). What their kubelet said is taken out of both sides.

use std::sync::OnceLock;

use fancy_regex::Regex;
use serde_json::{Value, json};

use super::normalise::{regex, replaced, replacements};
use super::timeline::Write;

/// An output without what the kubelet reports of its node and of the addresses of its pods.
pub fn words(text: &str) -> String {
    static RULES: OnceLock<Vec<(Regex, &'static str)>> = OnceLock::new();
    static NODE: OnceLock<Regex> = OnceLock::new();
    let rules = RULES.get_or_init(|| {
        replacements(&[
            (r"\b10\.10\.\d+\.\d+\b|<pod-ip-\d+>", "<pod-ip>"),
            (r"(?m)^  (?:oracle/fake|volumes\.kubernetes\.io/controller-managed-attach-detach): true\n", ""),
            (r"(?m)^  hugepages-\dM?G?i  .*\n", ""),
        ])
    });
    let node = NODE.get_or_init(|| regex(r"(?s)\nAddresses:\n.*?\n(?=Non-terminated Pods:)"));
    node.replace_all(&replaced(text, rules), "\n").into_owned()
}

/// The writes to a pod without the kubelet's.
pub fn writes(all: &[Write]) -> Vec<Write> {
    let mut out: Vec<Write> = Vec::new();
    for write in all {
        let by: Vec<String> = write.by.iter().filter(|by| !is_kubelet(by)).cloned().collect();
        let last_word = write.verb != "DELETED" && write.state["metadata"]["deletionGracePeriodSeconds"] == 0;
        if by.is_empty() || last_word {
            continue;
        }
        let mut state = write.state.clone();
        let status = &write.state["status"];
        let conditions = status["conditions"].as_array().cloned().unwrap_or_default();
        // Of a lost node the controllers say that its pods are not ready.
        let lost = by.iter().any(|by| by == "kube-controller-manager/status");
        let by_others = |condition: &Value| match condition["type"].as_str() {
            Some("PodScheduled" | "DisruptionTarget") => Some(condition.clone()),
            Some("Ready") if lost => Some(json!({"type": "Ready", "status": condition["status"]})),
            _ => None,
        };
        state["status"] = json!({
            "conditions": conditions.iter().filter_map(by_others).collect::<Vec<_>>(),
            "nominatedNodeName": status["nominatedNodeName"],
        });
        if write.verb == "DELETED"
            && let Some(meta) = state["metadata"].as_object_mut()
        {
            meta.remove("deletionGracePeriodSeconds");
        }
        out.push(Write { by, state, ..write.clone() });
    }
    out
}

fn is_kubelet(by: &str) -> bool {
    ["kubelet", "kubelet/status", "unknown", "unknown/status"].contains(&by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_kubelet_are_taken_out() {
        let told = |address: &str, system: &str| {
            format!(
                "Name:  w\n  a: b\n{system}Taints:  <none>\nPodCIDRs:  x\nNon-terminated Pods:  (0 in total)\n{address}\n"
            )
        };
        let (ours, theirs) = (told("<pod-ip-3>", "\nAddresses:\n  a\n"), told("10.10.0.8", "\nAddresses:\n  b\n  c\n"));
        assert_eq!(words(&ours), words(&theirs));
        assert_ne!(words("worker-1  <pod-ip-1>"), words("worker-2  10.10.0.8"));
    }

    #[test]
    fn writes_of_others_stay() {
        let write = |by: &str, grace: Value, ready: &str| Write {
            t: 0.0,
            verb: "MODIFIED".into(),
            by: vec![by.into()],
            state: json!({"metadata": {"deletionGracePeriodSeconds": grace}, "status": {"phase": "Running", "conditions":
                [{"type": "Ready", "status": ready}, {"type": "PodScheduled", "status": "True"}]}}),
        };
        let null = || Value::Null;
        let all = [write("-", null(), "x"), write("unknown/status", null(), "y"), write("-", json!(0), "y")];
        let kept = writes(&all);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].state["status"]["conditions"], json!([{"type": "PodScheduled", "status": "True"}]));
    }
}
