//! Help texts: of the program, of groups, of commands, from the table of commands.

use super::args::{self, COMMANDS, Command, Flag, children, unescaped, usage_line};

const FORMAT: &str = "Format output using a custom template:\n'table':            Print output in table format with column headers (default)\n'table TEMPLATE':   Print output in table format using the given Go template\n'json':             Print in JSON format\n'TEMPLATE':         Print output using the given Go template.\nRefer to https://docs.docker.com/go/formatting/ for more information about formatting output with templates";
const INSPECT: &str = "Format output using a custom template:\n'json':             Print in JSON format\n'TEMPLATE':         Print output using the given Go template.\nRefer to https://docs.docker.com/go/formatting/ for more information about formatting output with templates";

const COMMON: [&str; 12] =
    ["run", "exec", "ps", "build", "pull", "push", "images", "login", "logout", "search", "version", "info"];
const MANAGEMENT: [(&str, &str); 10] = [
    ("builder", "Manage builds"),
    ("container", "Manage containers"),
    ("context", "Manage contexts"),
    ("image", "Manage images"),
    ("manifest", "Manage Docker image manifests and manifest lists"),
    ("network", "Manage networks"),
    ("plugin", "Manage plugins"),
    ("system", "Manage Docker"),
    ("trust", "Manage trust on Docker images"),
    ("volume", "Manage volumes"),
];
const OPTIONS: &str = "- config string Location of client config files (default \"HOME/.docker\")
c context string Name of the context to use to connect to the daemon (overrides DOCKER_HOST env var and default context set with \"docker context use\")
D debug . Enable debug mode
H host list Daemon socket to connect to
l log-level string Set the logging level (\"debug\", \"info\", \"warn\", \"error\", \"fatal\") (default \"info\")
- tls . Use TLS; implied by --tlsverify
- tlscacert string Trust certs signed only by this CA (default \"HOME/.docker/ca.pem\")
- tlscert string Path to TLS certificate file (default \"HOME/.docker/cert.pem\")
- tlskey string Path to TLS key file (default \"HOME/.docker/key.pem\")
- tlsverify . Use TLS and verify the remote
v version . Print version information and quit";

/// Names of the options before a command.
pub fn global_flags() -> impl Iterator<Item = &'static str> {
    OPTIONS.lines().filter_map(|line| line.split(' ').nth(1))
}

/// `docker --help`
pub fn root(home: &str) -> String {
    let mut out = "Usage:  docker [OPTIONS] COMMAND\n\nA self-sufficient runtime for containers\n\nCommon Commands:\n"
        .to_string();
    let about = |name: &str| args::find(name).map_or("", |command| first_line(command.about));
    for name in COMMON {
        out.push_str(&format!("  {name:<12}{}\n", about(name)));
    }
    out.push_str("\nManagement Commands:\n");
    for (name, about) in MANAGEMENT {
        out.push_str(&format!("  {name:<12}{about}\n"));
    }
    out.push_str("\nSwarm Commands:\n  swarm       Manage Swarm\n\nCommands:\n");
    let mut rest: Vec<&str> = Vec::new();
    for command in COMMANDS.iter() {
        rest.extend(std::iter::once(&command.name).chain(&command.aliases).filter(|name| !name.contains(' ')).copied());
    }
    let apart = |name: &&str| {
        COMMON.contains(name)
            || MANAGEMENT.iter().any(|(own, _)| own == name)
            || matches!(*name, "swarm" | "compose" | "buildx")
    };
    rest.retain(|name| !apart(name));
    rest.sort_unstable();
    for name in rest {
        out.push_str(&format!("  {name:<12}{}\n", about(name)));
    }
    let options = OPTIONS.replace("HOME", home);
    let flags: Vec<(String, String)> = options
        .lines()
        .filter_map(|line| {
            let mut parts = line.splitn(4, ' ');
            let (short, name, kind, usage) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
            Some((
                head(short.chars().next().filter(|c| *c != '-'), name, if kind == "." { "" } else { kind }),
                usage.to_string(),
            ))
        })
        .collect();
    out.push_str(&format!(
        "\nGlobal Options:\n{}\nRun 'docker COMMAND --help' for more information on a command.\n\nFor more help on how to use Docker, head to https://docs.docker.com/go/guides/\n",
        options_text(&flags)
    ));
    out
}

fn first_line(about: &str) -> &str {
    let line = about.split_once(".\\n").map_or(about, |(first, _)| first);
    let line = line.split("\\n").next().unwrap_or(line);
    // A second sentence is for the command's own help.
    line.split_once(". ").map_or(line, |(first, _)| first)
}

/// `docker network --help`
pub fn group(name: &str) -> String {
    let about = MANAGEMENT.iter().find(|(own, _)| *own == name).map_or("", |(_, about)| about);
    let mut all: Vec<&Command> = children(name).collect();
    all.sort_by_key(|command| command.name);
    let word = |command: &Command| command.name.rsplit(' ').next().unwrap_or_default();
    let width = all.iter().map(|command| word(command).len()).max().unwrap_or(0) + 2;
    let width = width.max(12);
    let lines: String =
        all.iter().map(|command| format!("  {:<width$}{}\n", word(command), first_line(command.about))).collect();
    format!(
        "Usage:  docker {name} COMMAND\n\n{about}\n\nCommands:\n{lines}\nRun 'docker {name} COMMAND --help' for more information on a command.\n"
    )
}

/// `docker ps --help`
pub fn command(called: &str, command: &Command) -> String {
    let mut out = format!("{}\n\n{}\n", usage_line(called, command), unescaped(command.about));
    if !command.aliases.is_empty() {
        let names: Vec<String> =
            std::iter::once(&command.name).chain(&command.aliases).map(|name| format!("docker {name}")).collect();
        out.push_str(&format!("\nAliases:\n  {}\n", names.join(", ")));
    }
    let mut shown: Vec<&Flag> = command.flags.iter().filter(|flag| !flag.hidden).collect();
    shown.sort_by_key(|flag| flag.name);
    if !shown.is_empty() {
        let flags: Vec<(String, String)> = shown
            .iter()
            .map(|flag| {
                let usage = match flag.usage {
                    "FORMAT" => FORMAT.to_string(),
                    "INSPECT" => INSPECT.to_string(),
                    usage => unescaped(usage),
                };
                (head(flag.short, flag.name, flag.kind), usage)
            })
            .collect();
        out.push_str(&format!("\nOptions:\n{}", options_text(&flags)));
    }
    out
}

fn head(short: Option<char>, name: &str, kind: &str) -> String {
    let start = short.map_or("      ".to_string(), |short| format!("  -{short}, "));
    let space = if kind.is_empty() { "" } else { " " };
    format!("{start}--{name}{space}{kind}")
}

/// Flags and usages in two columns, wrapped one short of 80.
fn options_text(flags: &[(String, String)]) -> String {
    let width = flags.iter().map(|(head, _)| head.len()).max().unwrap_or(0) + 3;
    flags.iter().map(|(head, usage)| format!("{head:<width$}{}\n", wrap(width, 79, usage))).collect()
}

/// pflag's way of wrapping: a little over is better than an orphan.
fn wrap(mut indent: usize, width: usize, text: &str) -> String {
    const SLOP: usize = 5;
    let mut out = String::new();
    let mut room = width.saturating_sub(indent);
    if room < 24 {
        indent = 16;
        room = width - indent;
        out = format!("\n{}", " ".repeat(indent));
    }
    let room = room - SLOP;
    let margin = format!("\n{}", " ".repeat(indent));
    let (line, mut rest) = wrap_once(room, SLOP, text);
    out.push_str(&line.replace('\n', &margin));
    while !rest.is_empty() {
        let (line, next) = wrap_once(room, SLOP, rest);
        out.push_str(&margin);
        out.push_str(&line.replace('\n', &margin));
        rest = next;
    }
    out
}

fn wrap_once(room: usize, slop: usize, text: &str) -> (&str, &str) {
    if room + slop > text.len() {
        return (text, "");
    }
    let head = text.get(..room).unwrap_or(text);
    let Some(at) = head.rfind([' ', '\t', '\n']).filter(|at| *at > 0) else { return (text, "") };
    let cut = match head.rfind('\n') {
        Some(line) if line > 0 && line < at => line,
        _ => at,
    };
    (text.get(..cut).unwrap_or_default(), text.get(cut + 1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the real command printed, between `$ docker … --help` and `[exit 0]`.
    fn recorded(text: &str) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for part in text.split("$ docker ").skip(1) {
            let (line, rest) = part.split_once('\n').unwrap();
            let (answer, _) = rest.split_once("[exit").unwrap();
            out.push((line.trim_end_matches("--help").trim().to_string(), answer.to_string()));
        }
        out
    }

    #[test]
    fn helps_are_as_recorded() {
        let container = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/golden/docker/28-help-of-the-container-verbs/expected.txt"
        ));
        let program = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/golden/docker/27-help-of-the-program/expected.txt"
        ));
        for (name, want) in recorded(container).into_iter().chain(recorded(program)) {
            let got = match name.as_str() {
                "" | "help" => root("/demo"),
                name if args::is_group(name) => group(name),
                name => command(&format!("docker {name}"), args::find(name).unwrap()),
            };
            assert_eq!(got, want, "docker {name} --help");
        }
    }
}
