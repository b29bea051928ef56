//! docs/GAPS.md lists every gap the sources can tell. `UPDATE=1 cargo test -p drydock-engine --test engine` writes it.

use std::collections::BTreeMap;
use std::fs;

use crate::sources::{sources, src};

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
