//! Help and the answers to unknown commands. The full texts (`help.txt`, what kubectl 1.37 prints) come with the
//! feature `texts`; without it help tells what the table of flags knows.

use super::args::{self, Args};
use super::io::{Io, Outcome, fail};

const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Basic Commands (Beginner):",
        &[
            ("create", "Create a resource from a file or from stdin"),
            (
                "expose",
                "Take a replication controller, service, deployment or pod and expose it as a new Kubernetes service",
            ),
            ("run", "Run a particular image on the cluster"),
            ("set", "Set specific features on objects"),
        ],
    ),
    (
        "Basic Commands (Intermediate):",
        &[
            ("explain", "Get documentation for a resource"),
            ("get", "Display one or many resources"),
            ("edit", "Edit a resource on the server"),
            (
                "delete",
                "Delete resources by file names, stdin, resources and names, or by resources and label selector",
            ),
        ],
    ),
    (
        "Deploy Commands:",
        &[
            ("rollout", "Manage the rollout of a resource"),
            ("scale", "Set a new size for a deployment, replica set, or replication controller"),
            ("autoscale", "Auto-scale a deployment, replica set, stateful set, or replication controller"),
        ],
    ),
    (
        "Cluster Management Commands:",
        &[
            ("certificate", "Modify certificate resources"),
            ("cluster-info", "Display cluster information"),
            ("top", "Display resource (CPU/memory) usage"),
            ("cordon", "Mark node as unschedulable"),
            ("uncordon", "Mark node as schedulable"),
            ("drain", "Drain node in preparation for maintenance"),
            ("taint", "Update the taints on one or more nodes"),
        ],
    ),
    (
        "Troubleshooting and Debugging Commands:",
        &[
            ("describe", "Show details of a specific resource or group of resources"),
            ("logs", "Print the logs for a container in a pod"),
            ("attach", "Attach to a running container"),
            ("exec", "Execute a command in a container"),
            ("port-forward", "Forward one or more local ports to a pod"),
            ("proxy", "Run a proxy to the Kubernetes API server"),
            ("cp", "Copy files and directories to and from containers"),
            ("auth", "Inspect authorization"),
            ("debug", "Create debugging sessions for troubleshooting workloads and nodes"),
            ("events", "List events"),
        ],
    ),
    (
        "Advanced Commands:",
        &[
            ("diff", "Diff the live version against a would-be applied version"),
            ("apply", "Apply a configuration to a resource by file name or stdin"),
            ("patch", "Update fields of a resource"),
            ("replace", "Replace a resource by file name or stdin"),
            ("wait", "Wait for a specific condition on one or many resources"),
            ("kustomize", "Build a kustomization target from a directory or URL"),
        ],
    ),
    (
        "Settings Commands:",
        &[
            ("label", "Update the labels on a resource"),
            ("annotate", "Update the annotations on a resource"),
            ("completion", "Output shell completion code for the specified shell (bash, zsh, fish, or powershell)"),
        ],
    ),
    ("Subcommands provided by plugins:", &[]),
    (
        "Other Commands:",
        &[
            ("api-resources", "Print the supported API resources on the server"),
            ("api-versions", "Print the supported API versions on the server, in the form of \"group/version\""),
            ("config", "Modify kubeconfig files"),
            ("kuberc", "Manage kuberc configuration files"),
            ("plugin", "Provides utilities for interacting with plugins"),
            ("version", "Print the client and server version information"),
        ],
    ),
];

fn groups_text() -> String {
    let mut out = String::new();
    for (title, commands) in GROUPS {
        out.push_str(title);
        out.push('\n');
        for (name, text) in *commands {
            out.push_str(&format!("  {name:<15} {text}\n"));
        }
        out.push('\n');
    }
    out.push_str(
        "Usage:\n  kubectl [flags] [options]\n\nUse \"kubectl <command> --help\" for more information about a given \
         command.\nUse \"kubectl options\" for a list of global command-line options (applies to all commands).\n",
    );
    out
}

pub fn root(io: &mut Io<'_, '_>) {
    io.out(
        "kubectl controls the Kubernetes cluster manager.\n\n Find more information at: \
         https://kubernetes.io/docs/reference/kubectl/\n\n",
    );
    io.out(groups_text());
}

fn one_line(name: &str) -> &'static str {
    GROUPS.iter().flat_map(|(_, commands)| commands.iter()).find(|(n, _)| *n == name).map_or("", |(_, text)| text)
}

/// `kubectl CMD -h`, `kubectl help CMD`.
pub fn help(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mut name = args.command.clone();
    if name == "help" {
        name = args.words.join(" ");
        // What follows a command is not looked at.
        let known = |count: usize| Some(args.words.get(..count)?.join(" ")).filter(|n| args::command(n).is_some());
        if let Some(command) = (1..=args.words.len()).rev().find_map(known) {
            name = command;
        } else if !name.is_empty() {
            io.err(format!("Unknown help topic [`{}`]\n\n\n{}", args.words.join("` `"), groups_text()));
            return Ok(());
        }
    }
    if name.is_empty() {
        root(io);
        return Ok(());
    }
    let home = io.sys.env.get("HOME").map_or("/root", String::as_str).to_string();
    io.out(text(&name).replace("$HOME/", &format!("{home}/")));
    Ok(())
}

#[cfg(feature = "texts")]
const TEXTS: &str = include_str!("help.txt");
#[cfg(not(feature = "texts"))]
const TEXTS: &str = "";

/// What kubectl itself prints; each text stands behind a line `@command`.
fn recorded(name: &str) -> Option<String> {
    let start = TEXTS.find(&format!("@{name}\n"))? + name.len() + 2;
    let rest = TEXTS.get(start..)?;
    Some(rest.get(..rest.find("\n@").map_or(rest.len(), |end| end + 1))?.to_string())
}

/// What a command is for, its sub-commands, its options.
pub fn text(name: &str) -> String {
    if let Some(text) = recorded(name) {
        return text;
    }
    let mut out = String::new();
    let what = one_line(name);
    if !what.is_empty() {
        out.push_str(&format!("{what}.\n\n"));
    }
    let children = args::children(name);
    if !children.is_empty() {
        let width = children.iter().map(|c| c.len()).max().unwrap_or(0).max(11);
        out.push_str("Available Commands:\n");
        for child in &children {
            out.push_str(format!("  {child:<width$}").trim_end());
            out.push('\n');
        }
        out.push('\n');
    }
    if let Some(command) = args::command(name)
        && !command.flags.is_empty()
    {
        out.push_str("Options:\n");
        for flag in &command.flags {
            let short = flag.short.map_or("    ".to_string(), |s| format!("-{s}, "));
            let number =
                crate::base::float::parse(flag.default).is_some() || matches!(flag.default, "true" | "false" | "[]");
            let span = flag.default.ends_with('s') && crate::base::duration::parse(flag.default).is_ok();
            let default = if number || span { flag.default.to_string() } else { format!("'{}'", flag.default) };
            out.push_str(&format!("    {short}--{}={default}\n\n", flag.name));
        }
    }
    let tail = if children.is_empty() { "[options]" } else { "COMMAND [options]" };
    out.push_str(&format!("Usage:\n  kubectl {name} {tail}\n\n"));
    if !children.is_empty() {
        out.push_str(&format!("Use \"kubectl {name} <command> --help\" for more information about a given command.\n"));
    }
    out.push_str("Use \"kubectl options\" for a list of global command-line options (applies to all commands).\n");
    out
}

/// `error: unknown command "fooo" for "kubectl"`, with near names.
pub fn unknown_command<T>(word: &str) -> Outcome<T> {
    let mut text = format!("unknown command \"{word}\" for \"kubectl\"");
    let all: Vec<&str> = GROUPS.iter().flat_map(|(_, commands)| commands.iter().map(|(name, _)| *name)).collect();
    let lower = word.to_lowercase();
    let near: Vec<&str> = all
        .into_iter()
        .filter(|name| distance(&lower, name) <= 2 || name.starts_with(&lower) || (lower == "list" && *name == "get"))
        .collect();
    if !near.is_empty() {
        text.push_str("\n\nDid you mean this?");
        for name in near {
            text.push_str(&format!("\n\t{name}"));
        }
    }
    fail(text)
}

/// Levenshtein distance of short words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(40).collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or_default();
            let new = (diagonal + usize::from(x != y)).min(above + 1).min(left + 1);
            diagonal = above;
            left = new;
            if let Some(slot) = row.get_mut(j + 1) {
                *slot = new;
            }
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}
