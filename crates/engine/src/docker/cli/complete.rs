//! What may follow on a command line: commands, flags, names of objects.

use super::args::{COMMANDS, children, find, is_group};
use super::request;
use crate::base::Value;
use crate::base::http::{Method, Request, Response};

/// Candidates for the last of the words; `ask` reads from the Engine.
pub fn complete(words: &[String], ask: &mut dyn FnMut(&Request) -> Response) -> Vec<String> {
    let last = words.last().map_or("", String::as_str);
    let before: Vec<&str> = words.iter().skip(1).take(words.len().saturating_sub(2)).map(String::as_str).collect();
    let mut found: Vec<String> = match before.as_slice() {
        [] => {
            let names = COMMANDS.iter().flat_map(|c| std::iter::once(&c.name).chain(&c.aliases));
            let plain = names.filter(|name| !name.contains(' ')).map(|name| name.to_string());
            plain.chain(["container", "image", "network", "system", "volume"].map(str::to_string)).collect()
        }
        [group] if is_group(group) => {
            children(group).filter_map(|c| c.name.rsplit(' ').next()).map(str::to_string).collect()
        }
        [first, rest @ ..] => {
            let two = rest.first().map(|second| format!("{first} {second}"));
            let Some(command) = two.as_deref().and_then(find).or_else(|| find(first)) else { return Vec::new() };
            if last.starts_with('-') {
                command.flags.iter().filter(|flag| !flag.hidden).map(|flag| format!("--{}", flag.name)).collect()
            } else {
                names(command.name, ask)
            }
        }
    };
    found.retain(|name| name.starts_with(last));
    found.sort();
    found.dedup();
    found
}

fn names(command: &str, ask: &mut dyn FnMut(&Request) -> Response) -> Vec<String> {
    let mut list = |path: &str| ask(&request(Method::Get, path).with_query("all", "1")).value().clone();
    let text = |value: &Value| value.str().trim_start_matches('/').to_string();
    match command.split(' ').next().unwrap_or_default() {
        "image" => list("/images/json")
            .items()
            .iter()
            .flat_map(|i| i["RepoTags"].items().to_vec())
            .map(|tag| text(&tag))
            .collect(),
        "network" => list("/networks").items().iter().map(|network| text(&network["Name"])).collect(),
        "volume" => list("/volumes")["Volumes"].items().iter().map(|volume| text(&volume["Name"])).collect(),
        _ if matches!(command, "container run" | "container create") => names("image", ask),
        "container" | "inspect" => list("/containers/json").items().iter().map(|c| text(&c["Names"][0])).collect(),
        _ => Vec::new(),
    }
}
