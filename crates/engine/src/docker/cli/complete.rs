//! What may stand at the end of a command line: commands, flags and their values, names of objects.

use super::args::{COMMANDS, Command, Flag, children, find, is_group};
use super::{help, request};
use crate::base::Value;
use crate::base::http::{Method, Request, Response};

type Ask<'a> = &'a mut dyn FnMut(&Request) -> Response;

/// Candidates for the last of `words` (the words after `docker`; the last one is being typed). `ask` reads from the Engine.
pub fn complete(words: &[String], ask: Ask<'_>) -> Vec<String> {
    let Some((typed, before)) = words.split_last() else { return Vec::new() };
    let line = Line::read(before);
    let inline = typed.split_once('=').filter(|(flag, _)| flag.starts_with("--"));
    let mut found = match (inline, line.open, line.command) {
        (Some((flag, value)), ..) => values(flag.trim_start_matches('-'), &line, value, ask),
        (_, Some(flag), _) => values(flag, &line, typed, ask),
        (_, _, None) if typed.starts_with('-') => help::global_flags().map(|flag| format!("--{flag}")).collect(),
        (_, _, None) => commands(line.group),
        (_, _, Some(command)) if typed.starts_with('-') && !line.is_handed_on() => {
            command.flags.iter().filter(|flag| !flag.hidden).map(|flag| format!("--{}", flag.name)).collect()
        }
        (_, _, Some(command)) => places(command, &line, typed, ask),
    };
    let typed = match inline {
        Some((_, value)) => value,
        None => typed,
    };
    // A filter's value begins behind its key.
    let typed = if typed.starts_with('-') { typed } else { typed.rsplit('=').next().unwrap_or(typed) };
    found.retain(|name| name.starts_with(typed));
    found.sort();
    found.dedup();
    found
}

/// The words before the one that is typed.
#[derive(Default)]
struct Line<'a> {
    group: &'a str,
    command: Option<&'static Command>,
    places: Vec<&'a str>,
    /// A flag that waits for its value.
    open: Option<&'static str>,
    force: bool,
}

impl<'a> Line<'a> {
    fn read(words: &'a [String]) -> Line<'a> {
        let mut line = Line::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let Some(command) = line.command else {
                let name = if line.group.is_empty() { word.to_string() } else { format!("{} {word}", line.group) };
                if matches!(word, "-H" | "--host" | "-c" | "--context" | "--config" | "-l" | "--log-level") {
                    words.next();
                } else if line.group.is_empty() && is_group(word) {
                    line.group = word;
                } else if !word.starts_with('-') {
                    line.command = find(&name);
                }
                continue;
            };
            if !word.starts_with('-') || line.is_handed_on() {
                line.places.push(word);
                continue;
            }
            line.force |= matches!(word, "-f" | "--force");
            let short = word.chars().last().filter(|_| !word.starts_with("--"));
            let is = |flag: &&Flag| match word.strip_prefix("--") {
                Some(name) => flag.name == name,
                None => flag.short == short,
            };
            if let Some(flag) = command.flags.iter().find(is).filter(|flag| !flag.kind.is_empty())
                && words.next().is_none()
            {
                line.open = Some(flag.name);
            }
        }
        line
    }

    /// What follows belongs to the program that is to run.
    fn is_handed_on(&self) -> bool {
        let runs = |command: &Command| {
            matches!(command.name, "container run" | "container create" | "container exec" | "container top")
        };
        !self.places.is_empty() && self.command.is_some_and(runs)
    }
}

fn commands(group: &str) -> Vec<String> {
    if !group.is_empty() {
        return children(group).filter_map(|command| command.name.rsplit(' ').next()).map(str::to_string).collect();
    }
    let names = COMMANDS.iter().flat_map(|command| std::iter::once(&command.name).chain(&command.aliases));
    let plain = names.filter(|name| !name.contains(' ')).copied();
    plain.chain(["container", "image", "network", "system", "volume"]).map(str::to_string).collect()
}

/// Names of objects, and whether a container of that name runs.
fn objects(kind: &str, ask: Ask<'_>) -> Vec<(String, bool)> {
    let mut list = |path: &str| ask(&request(Method::Get, path).with_query("all", "1")).value().clone();
    let named = |found: &Value| found.items().iter().map(|one| (one["Name"].str().to_string(), true)).collect();
    match kind {
        "image" => {
            let found = list("/images/json");
            let tags = found.items().iter().flat_map(|image| image["RepoTags"].items().to_vec());
            tags.map(|tag| (tag.str().to_string(), true)).collect()
        }
        "network" => named(&list("/networks")),
        "volume" => named(&list("/volumes")["Volumes"]),
        _ => {
            let one = |one: &Value| {
                let lives = matches!(one["State"].str(), "running" | "paused" | "restarting");
                (one["Names"][0].str().trim_start_matches('/').to_string(), lives)
            };
            list("/containers/json").items().iter().map(one).collect()
        }
    }
}

/// What may stand as an argument.
fn places(command: &Command, line: &Line<'_>, typed: &str, ask: Ask<'_>) -> Vec<String> {
    let at = line.places.len();
    let (kind, verb) = command.name.split_once(' ').unwrap_or(("", command.name));
    let names = |found: Vec<(String, bool)>, running: Option<bool>| -> Vec<String> {
        let new = |(name, lives): &(String, bool)| {
            running.is_none_or(|wanted| wanted == *lives) && !line.places.contains(&name.as_str())
        };
        found.into_iter().filter(new).map(|(name, _)| name).collect()
    };
    match (kind, verb) {
        ("container", "run" | "create") if at == 0 => names(objects("image", ask), None),
        ("container", "run" | "create" | "ls" | "prune") => Vec::new(),
        ("container", "exec" | "attach" | "port" | "top") if at == 0 => names(objects(kind, ask), Some(true)),
        ("container", "exec" | "attach" | "port" | "top") => Vec::new(),
        ("container", "stop" | "kill" | "pause" | "unpause" | "stats" | "wait") => {
            names(objects(kind, ask), Some(true))
        }
        ("container", "start") => names(objects(kind, ask), Some(false)),
        ("container", "rm") => names(objects(kind, ask), (!line.force).then_some(false)),
        ("container", "rename" | "commit" | "logs" | "diff" | "export") if at > 0 => Vec::new(),
        // A path of the machine may stand there as well.
        ("container", "cp") if typed.contains(['/', '.', ':']) => Vec::new(),
        ("container", "cp") => names(objects(kind, ask), None).into_iter().map(|name| format!("{name}:")).collect(),
        ("container", _) => names(objects(kind, ask), None),
        ("image", "pull" | "load" | "import" | "prune") => Vec::new(),
        ("image", "tag" | "history" | "ls" | "push") if at > 0 => Vec::new(),
        ("image", _) => names(objects(kind, ask), None),
        ("network", "connect" | "disconnect") if at == 1 => names(objects("container", ask), None),
        ("network" | "volume", "create" | "ls" | "prune") => Vec::new(),
        ("network", "connect" | "disconnect") if at > 1 => Vec::new(),
        ("network" | "volume", _) => names(objects(kind, ask), None),
        ("", "inspect") => {
            let kinds = ["container", "image", "network", "volume"];
            kinds.into_iter().flat_map(|kind| names(objects(kind, ask), None)).collect()
        }
        _ => Vec::new(),
    }
}

/// Values of flags that have a fixed few, or keys of filters.
const VALUES: [(&str, &str); 10] = [
    ("pull", "always missing never"),
    ("restart", "always no on-failure unless-stopped"),
    ("signal", "SIGHUP SIGINT SIGKILL SIGQUIT SIGTERM SIGUSR1 SIGUSR2"),
    ("stop-signal", "SIGHUP SIGINT SIGKILL SIGQUIT SIGTERM SIGUSR1 SIGUSR2"),
    ("type", "container image network volume"),
    ("format", "json table"),
    ("log-driver", "json-file local none"),
    ("driver", "bridge local"),
    ("status", "created exited paused restarting running"),
    ("health", "healthy none starting unhealthy"),
];
const FILTERS: [(&str, &str); 5] = [
    (
        "container ls",
        "ancestor= before= exited= expose= health= id= label= name= network= publish= since= status= volume=",
    ),
    ("image ls", "before= dangling= label= reference= since= until="),
    ("network ls", "dangling= driver= id= label= name= scope= type="),
    ("volume ls", "dangling= driver= label= name="),
    ("system events", "container= event= image= label= network= type= volume="),
];

fn values(flag: &str, line: &Line<'_>, typed: &str, ask: Ask<'_>) -> Vec<String> {
    let kind = match flag {
        "network" | "net" => "network",
        "volume" => "volume",
        "volumes-from" | "link" => "container",
        _ => "",
    };
    if !kind.is_empty() {
        return objects(kind, ask).into_iter().map(|(name, _)| name).collect();
    }
    let of = |table: &[(&str, &'static str)], name: &str| -> Vec<String> {
        let found = table.iter().find(|(own, _)| *own == name).map_or("", |(_, values)| *values);
        found.split_whitespace().map(str::to_string).collect()
    };
    match (flag, typed.split_once('=')) {
        ("filter", None) => of(&FILTERS, line.command.map_or("", |command| command.name)),
        ("filter", Some((key @ ("network" | "volume"), _))) => values(key, line, "", ask),
        ("filter", Some(("ancestor", _))) => objects("image", ask).into_iter().map(|(name, _)| name).collect(),
        ("filter", Some((key, _))) => of(&VALUES, key),
        _ => of(&VALUES, flag),
    }
}
