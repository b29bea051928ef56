//! docs/GAPS.md lists every gap the sources can tell. `UPDATE=1 cargo test -p drydock-engine --test engine` writes it.

use std::collections::BTreeMap;
use std::fs;

use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::Lab;

use crate::sources::{sources, src};

const POD: &str = "{metadata: {labels: {a: b}}, spec: {restartPolicy: R, containers: [{name: c, image: nginx}]}}";

/// Kinds nobody acts on: an object of each, and what is told.
const UNATTENDED: [(&str, &str, &str); 9] = [
    (
        "batch/v1 CronJob",
        "{schedule: '1 1 1 1 *', timeZone: Asia/Colombo, jobTemplate: {spec: {template: NEVER}}}",
        "time zones that few people use",
    ),
    (
        "networking.k8s.io/v1 Ingress",
        "{defaultBackend: {service: {name: a, port: {number: 80}}}}",
        "ingress controllers",
    ),
    ("networking.k8s.io/v1 NetworkPolicy", "{podSelector: {}}", "network policies"),
    ("admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration", "", "admission webhooks"),
    ("admissionregistration.k8s.io/v1 MutatingWebhookConfiguration", "", "admission webhooks"),
    (
        "admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy",
        "{matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}, \
         validations: [{expression: 'timestamp(object.at) < now'}]}",
        "rare CEL functions, audit annotations in admission policies",
    ),
    (
        "apiextensions.k8s.io/v1 CustomResourceDefinition",
        "{group: b.c, names: {kind: A, plural: a}, scope: Cluster, versions: [{name: v1, served: true, storage: true, \
         schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string, format: isbn}}}}}]}",
        "rare formats and CEL functions in schemas of custom resources",
    ),
    ("storage.k8s.io/v1 CSIDriver", "{attachRequired: false}", "CSI drivers"),
    ("v1 Service", "{type: LoadBalancer, ports: [{port: 80}]}", "load balancers outside the cluster"),
];

#[test]
fn kinds_without_a_controller_are_told_once() {
    let fresh = Lab::new(Setup::new(Preset::Kind));
    let mut wrong = Vec::new();
    for (kind, spec, gap) in UNATTENDED {
        let (version, kind) = kind.split_once(' ').unwrap();
        let spec = spec.replace("NEVER", &POD.replace('R', "Never"));
        let name = if kind == "CustomResourceDefinition" { "a.b.c" } else { "a" };
        let object = |name: &str| {
            let spec = if spec.is_empty() { String::new() } else { format!("spec: {spec}\n") };
            format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: {name}}}\n{spec}")
        };
        let mut lab = fresh.clone();
        let script = format!(
            "kubectl apply -f - <<'END'\n{}END\nkubectl delete {kind} {name}\nkubectl create -f - <<'END'\n{}END\n",
            object(name),
            object(name)
        );
        let job = lab.start_script(&script, false);
        let limit = lab.now() + Span::seconds(60);
        lab.run_while(limit, |lab| lab.exit_code(job).is_none());
        let text: String =
            lab.take_output().iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()).collect();
        let notices = lab.take_notices();
        let told = notices.len() == 1 && notices[0].starts_with(&format!("not simulated here: {gap}"));
        if !told || text.matches(" created\n").count() != 2 {
            wrong.push(format!("{kind}: {notices:?} {text}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_gap_is_documented() {
    let mut gaps: BTreeMap<String, String> = BTreeMap::new();
    for source in sources() {
        let text: String = source.lines.iter().map(|(_, line)| line.trim()).collect();
        for call in ["gap::line(", "Status::gap(", "gap("] {
            for (at, _) in text.match_indices(call) {
                let before = text[..at].chars().next_back();
                let defined = text[..at].ends_with("fn ");
                if defined
                    || call == "gap(" && before.is_some_and(|c| c.is_alphanumeric() || c == '_' || "!".contains(c))
                {
                    continue;
                }
                let rest = text[at + call.len()..].trim_start_matches(['&', ' ']);
                let rest = rest.strip_prefix("format!(").unwrap_or(rest);
                let Some((what, rest)) = literal(rest) else { continue };
                let rest = rest.trim_start_matches([',', ')', ' ']);
                let instead = literal(rest).map(|(instead, _)| instead).unwrap_or_default();
                gaps.insert(plain(&what), plain(&instead));
            }
        }
    }
    assert!(gaps.len() > 10, "the sources tell their gaps by base::gap");
    let mut text = String::from(
        "# Gaps\n\nWhat is deliberately not simulated. Whoever meets a gap is told `not simulated here: …`, a command \
         ends with exit\ncode 1, and nothing passes for the real thing. This list is made from the sources \
         (`crates/engine/tests/engine/gaps.rs`);\n… stands for a name that is only known while running.\n\n\
         | not simulated | instead |\n|---|---|\n",
    );
    for (what, instead) in &gaps {
        text.push_str(&format!("| {what} | {instead} |\n"));
    }
    let file = src().join("../../../docs/GAPS.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, text).unwrap();
        return;
    }
    let have = fs::read_to_string(&file).unwrap_or_default();
    assert!(have == text, "docs/GAPS.md is not what the sources say; UPDATE=1 writes it");
}

/// A string literal at the start of a text, and what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let end = inside.match_indices('"').map(|(at, _)| at).find(|at| !inside[..*at].ends_with('\\'))?;
    Some((inside[..end].replace("\\\"", "\""), &inside[end + 1..]))
}

/// Places of format arguments become `…`; a bar would end the table's cell.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    out.push('…');
                }
            }
            '|' => out.push_str("\\|"),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
