//! What may stand at the end of a `terraform` command line: subcommands, options, addresses of the state, workspaces.
//! It stands here because the program itself may be in a module that is not loaded yet.

use crate::base::http::{Request, Response};
use crate::base::{BTreeSet, json};
use crate::process::Files;

const PLANNING: &str = "-compact-warnings -destroy -input= -json -lock= -lock-timeout= -no-color -parallelism= -refresh= \
    -refresh-only -replace= -target= -var -var-file=";
/// Subcommands and the options of each; those under another one have two words.
const COMMANDS: [(&str, &str); 41] = [
    (
        "init",
        "-backend= -backend-config= -force-copy -from-module= -get= -input= -json -lock= -lockfile= -migrate-state \
      -no-color -plugin-dir= -reconfigure -upgrade",
    ),
    ("validate", "-json -no-color -no-tests -test-directory="),
    ("plan", "-detailed-exitcode -generate-config-out= -out="),
    ("apply", "-auto-approve -backup= -state= -state-out="),
    ("destroy", "-auto-approve -backup= -state= -state-out="),
    ("console", "-plan -state= -var -var-file="),
    ("fmt", "-check -diff -list= -no-color -recursive -write="),
    ("force-unlock", "-force"),
    ("get", "-json -no-color -update"),
    ("graph", "-draw-cycles -plan= -type="),
    ("import", "-config= -input= -lock= -no-color -var -var-file="),
    ("login", ""),
    ("logout", ""),
    ("metadata", ""),
    ("modules", "-json"),
    ("output", "-json -no-color -raw -state="),
    ("providers", ""),
    ("query", ""),
    ("refresh", "-input= -lock= -no-color -target= -var -var-file="),
    ("show", "-json -no-color"),
    ("stacks", ""),
    ("state", ""),
    ("taint", "-allow-missing -lock="),
    ("test", "-filter= -json -no-color -test-directory= -var -var-file= -verbose"),
    ("untaint", "-allow-missing -lock="),
    ("version", "-json"),
    ("workspace", ""),
    ("metadata functions", "-json"),
    ("providers lock", "-platform="),
    ("providers mirror", "-platform="),
    ("providers schema", "-json"),
    ("state list", "-id= -state="),
    ("state mv", "-dry-run -lock= -state="),
    ("state pull", ""),
    ("state push", "-force -lock="),
    ("state rm", "-dry-run -lock= -state="),
    ("state show", "-state="),
    ("workspace delete", "-force -lock="),
    ("workspace list", ""),
    ("workspace new", "-lock= -state="),
    ("workspace select", "-or-create="),
];
const MOST: usize = 500;

/// Candidates for the last of `words` (the words after `terraform`).
pub fn complete(words: &[String], files: &Files, cwd: &str, _: &mut dyn FnMut(&Request) -> Response) -> Vec<String> {
    let Some((typed, before)) = words.split_last() else { return Vec::new() };
    let mut plain = before.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let (first, second) = (plain.next().unwrap_or_default(), plain.next().unwrap_or_default());
    let two = format!("{first} {second}");
    let known = |name: &str| COMMANDS.iter().find(|(own, _)| *own == name);
    let command = known(&two).or_else(|| known(first)).map(|(name, _)| *name);
    let below = |group: &str| -> Vec<String> {
        let start = format!("{group} ");
        COMMANDS.iter().filter_map(|(name, _)| name.strip_prefix(&start)).map(str::to_string).collect()
    };
    let value = typed.strip_prefix('-').and_then(|option| option.split_once('='));
    let (start, mut found) = match (value, command) {
        (Some((option, start)), _) => (start, values(option.trim_start_matches('-'), files, cwd)),
        (_, None) if first.is_empty() && typed.starts_with('-') => {
            (typed.as_str(), ["-chdir=", "-help", "-version"].map(str::to_string).into())
        }
        (_, None) if first.is_empty() => {
            let top = COMMANDS.iter().map(|(name, _)| *name).filter(|name| !name.contains(' '));
            (typed.as_str(), top.map(str::to_string).collect())
        }
        (_, None) => return Vec::new(),
        (_, Some(name)) if typed.starts_with('-') => {
            let own = known(name).map_or("", |(_, options)| *options);
            let more = if matches!(name, "plan" | "apply" | "destroy") { PLANNING } else { "" };
            (typed.as_str(), own.split_whitespace().chain(more.split_whitespace()).map(str::to_string).collect())
        }
        (_, Some("state show" | "state rm" | "state mv" | "state list" | "taint" | "untaint")) => {
            (typed.as_str(), addresses(files, cwd))
        }
        (_, Some("workspace select" | "workspace delete")) => (typed.as_str(), workspaces(files, cwd)),
        (_, Some("output")) => (typed.as_str(), outputs(files, cwd)),
        (_, Some(name)) => (typed.as_str(), below(name)),
    };
    found.retain(|name| name.starts_with(start));
    found.sort();
    found.truncate(MOST);
    found
}

fn values(option: &str, files: &Files, cwd: &str) -> Vec<String> {
    match option {
        "target" | "replace" => addresses(files, cwd),
        "input" | "lock" | "refresh" | "write" | "list" | "backend" | "get" | "or-create" => {
            ["true", "false"].map(str::to_string).into()
        }
        _ => Vec::new(),
    }
}

/// The state of the chosen workspace.
fn state(files: &Files, cwd: &str) -> crate::base::Value {
    let workspace = files.read_text(cwd, ".terraform/environment").unwrap_or_default();
    let path = match workspace.trim() {
        "" | "default" => "terraform.tfstate".to_string(),
        name => format!("terraform.tfstate.d/{name}/terraform.tfstate"),
    };
    files.read_text(cwd, &path).ok().and_then(|text| json::parse(&text).ok()).unwrap_or_default()
}

/// Resources by address.
fn addresses(files: &Files, cwd: &str) -> Vec<String> {
    let mut out = BTreeSet::new();
    for resource in state(files, cwd)["resources"].items() {
        let data = if resource["mode"].str() == "data" { "data." } else { "" };
        let module = resource["module"].str();
        let dot = if module.is_empty() { "" } else { "." };
        let base = format!("{module}{dot}{data}{}.{}", resource["type"].str(), resource["name"].str());
        for instance in resource["instances"].items() {
            let key = &instance["index_key"];
            let index = if key.is_null() { String::new() } else { format!("[{}]", json::compact(key)) };
            out.insert(format!("{base}{index}"));
        }
    }
    out.into_iter().collect()
}

fn outputs(files: &Files, cwd: &str) -> Vec<String> {
    state(files, cwd)["outputs"].entries().keys().map(|name| name.to_string()).collect()
}

fn workspaces(files: &Files, cwd: &str) -> Vec<String> {
    let own = files.list(cwd, "terraform.tfstate.d").unwrap_or_default();
    std::iter::once("default".to_string()).chain(own).collect()
}
