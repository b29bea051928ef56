//! What may stand at the end of a command line: verbs, resource types, flags.

use super::args;

/// Candidates for the last of `words` (the words after `kubectl`; the last one is being typed).
pub fn complete(words: &[String]) -> Vec<String> {
    let Some((typed, before)) = words.split_last() else { return Vec::new() };
    let mut command = String::new();
    let mut place = 0usize;
    for word in before.iter().filter(|word| !word.starts_with('-')) {
        let name = if command.is_empty() { word.clone() } else { format!("{command} {word}") };
        if place == 0 && args::command(&name).is_some() {
            command = name;
        } else {
            place += 1;
        }
    }
    let mut out: Vec<String> = if let Some(flag) = typed.strip_prefix("--") {
        let names = [command.as_str(), "(global)"].into_iter().filter_map(args::command);
        let flags = names.flat_map(|command| &command.flags).filter(|f| f.name.starts_with(flag));
        flags.map(|f| format!("--{}", f.name)).collect()
    } else if place > 0 {
        Vec::new()
    } else {
        let mut out: Vec<String> = args::children(&command).into_iter().map(str::to_string).collect();
        let types = ["get", "describe", "delete", "edit", "label", "annotate", "patch", "scale", "explain", "wait"];
        if types.contains(&command.as_str()) {
            out.extend(crate::api::schema::kinds().iter().map(|kind| kind.qualified_resource()));
        }
        out.retain(|word| word.starts_with(typed.as_str()));
        out
    };
    out.sort();
    out.dedup();
    out
}
