//! Takes what chance and the clock decide out of a text, by the rules the recordings were normalised with, and then
//! renumbers placeholders by first appearance, so that both sides of a comparison count alike.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use fancy_regex::{Captures, Regex};

/// Names made from generateName, in order of creation: name → (base, number).
#[derive(Default, Clone, Debug)]
pub struct Names {
    /// The nodes were simulated there too: what their kubelets say is not compared.
    pub simulated_nodes: bool,
    made: BTreeMap<String, String>,
    count: BTreeMap<String, usize>,
    /// The working directory, shown as `<cwd>`.
    pub folder: String,
    /// Hashes of templates with the time of a restart in them.
    pub restarts: Vec<String>,
    /// Texts in which a node port counts as asked for.
    pub asked: String,
}

impl Names {
    pub fn add(&mut self, base: &str, name: &str) {
        if base.is_empty() || self.made.contains_key(name) {
            return;
        }
        let number = self.count.entry(base.to_string()).or_default();
        *number += 1;
        self.made.insert(name.to_string(), format!("{base}{{{number}}}"));
    }

    /// Notes the hash in an object's labels when its template says when it was restarted.
    pub fn note_restart(&mut self, object: &serde_json::Value) {
        // ReplicaSets, and the ControllerRevisions of StatefulSets and DaemonSets.
        let templates = [&object["spec"]["template"], &object["data"]["spec"]["template"]];
        let labels = ["pod-template-hash", "controller.kubernetes.io/hash", "controller-revision-hash"];
        let restarted = |template: &&serde_json::Value| {
            template["metadata"]["annotations"]["kubectl.kubernetes.io/restartedAt"].is_string()
        };
        if templates.iter().any(restarted)
            && let Some(hash) = labels.iter().find_map(|label| object["metadata"]["labels"][*label].as_str())
            && !self.restarts.iter().any(|known| known == hash)
        {
            self.restarts.push(hash.to_string());
        }
    }

    /// Takes up what an earlier section made.
    pub fn join(&mut self, earlier: &Names) {
        self.made.extend(earlier.made.iter().map(|(name, shown)| (name.clone(), shown.clone())));
    }

    /// A text with such hashes numbered in order of creation.
    pub fn without_restarts(&self, mut text: String) -> String {
        for (index, hash) in self.restarts.iter().enumerate() {
            if text.contains(hash.as_str()) {
                text = in_order_of_creation(&text.replace(hash.as_str(), &format!("restart{}", index + 1)));
            }
        }
        text
    }
}

/// Numbers of placeholders, by kind and text.
#[derive(Default)]
pub struct Numbers(BTreeMap<(String, String), usize>, BTreeMap<String, usize>);

impl Numbers {
    fn of(&mut self, kind: &str, text: &str) -> String {
        let next = self.1.entry(kind.to_string()).or_default();
        let number = *self.0.entry((kind.to_string(), text.to_string())).or_insert_with(|| {
            *next += 1;
            *next
        });
        format!("<{kind}-{number}>")
    }
}

const DIGITS: &str = r"(?:\d+[dhms])+";

fn rules() -> &'static [(Regex, &'static str)] {
    static RULES: OnceLock<Vec<(Regex, &'static str)>> = OnceLock::new();
    RULES.get_or_init(|| {
        [
            (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "uid"),
            (r"\b(?:containerd|docker)://[0-9a-f]{64}\b", "container"),
            (r"\bsha256:[0-9a-f]{64}\b", "digest"),
            (r"\b[0-9a-f]{64}\b", "id"),
            (r"\b10\.244\.\d+\.\d+\b", "pod-ip"),
            (r"\b10\.96\.\d+\.\d+\b", "svc-ip"),
            (r"\b172\.18\.\d+\.\d+\b", "node-ip"),
            (r"kube-api-access-[a-z0-9]{5}", "kube-api-access"),
        ]
        .map(|(pattern, kind)| (regex(pattern), kind))
        .into()
    })
}

/// A replacement: `Some` text with `$n`, or `None` for the rules that mark quantities.
fn plain() -> &'static [(Regex, String)] {
    static PLAIN: OnceLock<Vec<(Regex, String)>> = OnceLock::new();
    PLAIN.get_or_init(|| {
        let rules: Vec<(String, &str)> = vec![
            (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| ?[+-]\d{2}:?\d{2}(?: UTC)?)?".into(), "<t>"),
            (r"\b\d{4}/\d\d/\d\d \d\d:\d\d:\d\d".into(), "<t>"),
            (r"\.\.\d{4}(?:_\d\d){5}\.\d+".into(), "..<t>"),
            (r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}".into(), "<t>"),
            (r#"(resourceVersion: )"\d+""#.into(), "${1}\"<rv>\""),
            (r"(resourceVersion:)\d+\b".into(), "${1}<rv>"),
            (r"(Resource Version:\s+)\d+\b".into(), "${1}<rv>"),
            (r#"(\\*"resourceVersion\\*": ?\\*)"\d+"#.into(), "${1}\"<rv>"),
            (r"(\.)[0-9a-f]{16}\b".into(), "${1}<event>"),
            (r"(resource version to be \d+, was )\d+".into(), "${1}<rv>"),
            (r"LS0tLS1CRUdJTi[A-Za-z0-9+/=]{100,}".into(), "<pem>"),
            (r"\bin \d[\d.hmsµ]*s \(\d[\d.hmsµ]*s including waiting\)".into(), "in <took> (<took> including waiting)"),
            (r"(?m)^\s*(?:\w+ +cpu|(?:requests|limits)\.cpu) .*$".into(), "MARK"),
            (r"(?m)((?:cpu|memory|storage|averageValue|value|ephemeral-storage): +)(\d+m)$".into(), "${1}${2}\u{e000}"),
            (r"(\b\d+m)( \(\d+%\))".into(), "${1}\u{e000}${2}"),
            (format!(r"\(x(\d+) over {DIGITS}\)"), "(x${1} over <age>)"),
            (format!(r"(?m)(?<!\S){DIGITS}(?=\s|$)"), "<age>"),
            (format!(r"\({DIGITS} ago\)"), "(<age> ago)"),
            (r"<age>\s+ago".into(), "<age> ago"),
            (r"(?m)^([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ ".into(), "${1}<klog> "),
            (r"/tmp/(LIVE|MERGED)-\d+".into(), "/tmp/${1}-<n>"),
            (r"/tmp/kubectl-edit-\d+".into(), "/tmp/kubectl-edit-<n>"),
            (r"\bdebugger-[a-z0-9]{5}\b".into(), "debugger-<n>"),
            (r"\b(node-debugger-[a-z0-9.-]+)-[a-z0-9]{5}\b".into(), "${1}-<n>"),
            (r"(127\.0\.0\.1|\[::1\]):[345]\d{4} -> ".into(), "${1}:<port> -> "),
            (r"milliseconds=\d+".into(), "milliseconds=<n>"),
            ("\u{e000}".into(), ""),
            (r"[ \t]{2,}".into(), "  "),
        ];
        rules.into_iter().map(|(pattern, to)| (regex(&pattern), to.to_string())).collect()
    })
}

pub fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a rule of ours compiles")
}

/// What is put in place of what, one after the other; compiled when it is first used.
pub type Replacements = LazyLock<Vec<(Regex, &'static str)>>;

pub fn replacements(rules: &[(&str, &'static str)]) -> Vec<(Regex, &'static str)> {
    rules.iter().map(|(pattern, to)| (regex(pattern), *to)).collect()
}

pub fn replaced(text: &str, rules: &[(Regex, &'static str)]) -> String {
    rules.iter().fold(text.to_string(), |text, (pattern, to)| pattern.replace_all(&text, *to).into_owned())
}

/// A recorded or simulated text without what chance and clock decide.
pub fn text(names: &Names, numbers: &mut Numbers, text: &str) -> String {
    let mut text = text.to_string();
    if !names.folder.is_empty() {
        text = text.replace(&names.folder, "<cwd>");
    }
    static PORT: OnceLock<Regex> = OnceLock::new();
    let port = PORT.get_or_init(|| {
        regex(r#"((?:\d:|NodePort: .*\s|nodePort\"?: ?|healthCheckNodePort\"?: ?))(3[0-2]\d{3})(?!\d)"#)
    });
    text = port
        .replace_all(&text, |m: &Captures<'_>| {
            if names.asked.contains(&m[2]) {
                m[0].to_string()
            } else {
                format!("{}{}", &m[1], numbers.of("node-port", &m[2]))
            }
        })
        .into_owned();
    // Longest first, so that a name that begins with another is not cut.
    let mut made: Vec<_> = names.made.iter().collect();
    made.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    for (name, to) in made {
        if text.contains(name.as_str()) {
            text = text.replace(name.as_str(), to);
        }
    }
    text = names.without_restarts(listing(&text));
    for (pattern, kind) in rules() {
        text = pattern.replace_all(&text, |m: &Captures<'_>| numbers.of(kind, &m[0])).into_owned();
    }
    plain_rules(text)
}

fn plain_rules(mut text: String) -> String {
    static MILLI: OnceLock<Regex> = OnceLock::new();
    let milli = MILLI.get_or_init(|| regex(r"\b(\d+m)\b"));
    for (pattern, to) in plain() {
        text = if to == "MARK" {
            pattern
                .replace_all(&text, |m: &Captures<'_>| milli.replace_all(&m[0], "${1}\u{e000}").into_owned())
                .into_owned()
        } else {
            pattern.replace_all(&text, to.as_str()).into_owned()
        };
    }
    text
}

/// Rows of one base stand in the order of their hashes, and one that holds the time of a restart is chance: such rows
/// come last among their neighbours, in order of creation.
fn in_order_of_creation(text: &str) -> String {
    let base = |line: &&str| line.split_once("-restart").map(|(base, _)| format!("{base}-"));
    let lines: Vec<&str> = text.split('\n').collect();
    let mut out: Vec<&str> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        let of_base = |base: &String| rest.iter().take_while(|line| line.starts_with(base.as_str())).count();
        // The base of the first restarted row in a run of rows that all begin with it.
        let bases: Vec<String> = rest.iter().filter_map(base).filter(|base| !base.contains(' ')).collect();
        let many = bases.iter().map(of_base).max().unwrap_or(0).max(1);
        let mut rows = rest[..many].to_vec();
        rows.sort_by_key(|row| base(row).is_some());
        out.extend(rows);
        at += many;
    }
    out.join("\n")
}

/// Rows that differ in a generated name only stand in the order of its random end: puts them in order of creation.
fn listing(text: &str) -> String {
    static NAME: OnceLock<Regex> = OnceLock::new();
    let name =
        NAME.get_or_init(|| regex(r#"^((?:[a-z.]+ ?/?"?|\[pod/|evicting pod \S+/)?[a-z0-9][a-z0-9.-]*-)\{(\d+)\}"#));
    let lines: Vec<&str> = text.split('\n').collect();
    let key = |line: &str| -> Option<(String, usize)> {
        let m = name.captures(line).ok()??;
        Some((m[1].to_string(), m[2].parse().ok()?))
    };
    let mut out: Vec<&str> = Vec::new();
    let mut i = 0;
    while i < lines.len() {
        let mut rows: Vec<(usize, &str)> = Vec::new();
        let mut base = None;
        let mut j = i;
        while j < lines.len()
            && let Some((b, n)) = key(lines[j])
            && base.as_ref().is_none_or(|known| *known == b)
        {
            base = Some(b);
            rows.push((n, lines[j]));
            j += 1;
        }
        let mut numbers: Vec<usize> = rows.iter().map(|row| row.0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if rows.len() > 1 && numbers.len() == rows.len() {
            rows.sort_by_key(|row| row.0);
        }
        if rows.is_empty() {
            out.push(lines[i]);
            j = i + 1;
        } else {
            out.extend(rows.iter().map(|row| row.1));
        }
        i = j;
    }
    out.join("\n")
}

/// Renumbers `<kind-n>` and `base-{n}` by first appearance, as the comparison goes on.
#[derive(Default)]
pub struct Renumber {
    numbers: Numbers,
}

impl Renumber {
    pub fn text(&mut self, text: &str) -> String {
        static MARK: OnceLock<Regex> = OnceLock::new();
        let mark = MARK.get_or_init(|| {
            regex(r"<(uid|container|digest|id|pod-ip|svc-ip|node-ip|kube-api-access|node-port)-(\d+)>|([a-z0-9][a-z0-9.-]*-)\{(\d+)\}")
        });
        mark.replace_all(text, |m: &Captures<'_>| match (m.get(1), m.get(3)) {
            (Some(kind), _) => self.numbers.of(kind.as_str(), &m[2]),
            (_, Some(base)) => format!("{}{{{}}}", base.as_str(), self.numbers.of(base.as_str(), &m[4])),
            _ => m[0].to_string(),
        })
        .into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_chance_and_clock_out() {
        let mut names = Names::default();
        names.add("web-b48d44d4d-", "web-b48d44d4d-5f8h8");
        names.restarts = vec!["59dd4746db".into()];
        let check = |input: &str, want: &str| assert_eq!(text(&names, &mut Numbers::default(), input), want);
        check(
            "web-b48d44d4d-5f8h8   0/1     Pending   0          21s\n",
            "web-b48d44d4d-{1}  0/1  Pending  0  <age>\n",
        );
        check("IP: 10.244.0.7 and 10.244.0.9, 10.244.0.7", "IP: <pod-ip-1> and <pod-ip-2>, <pod-ip-1>");
        check(
            "NAME\nreef-59dd4746db  4\nreef-6f94c9c8b9  2\nzoo\n",
            "NAME\nreef-6f94c9c8b9  2\nreef-restart1  4\nzoo\n",
        );
        check("lastTransition=2026-11-29T17:00:41Z", "lastTransition=<t>");
        check("  cpu        100m (5%)  0 (0%)", "  cpu  100m (5%)  0 (0%)");
    }
}
