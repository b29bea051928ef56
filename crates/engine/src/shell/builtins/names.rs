//! What a name stands for: type, command -v.

use super::{done, find};
use crate::process::{Files, Sys};
use crate::shell::machine::Flow;
use crate::shell::state::Shell;

const KEYWORDS: [&str; 12] = ["if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "[["];

pub fn kind_of(shell: &mut Shell, sys: &mut Sys<'_>, args: &[String]) -> Flow {
    let short = args.first().is_some_and(|name| name == "command") && args.get(1).is_some_and(|flag| flag == "-v");
    let mut status = 0;
    for name in args.iter().skip(1).filter(|arg| !arg.starts_with('-')) {
        let text = if KEYWORDS.contains(&name.as_str()) {
            if short { name.clone() } else { format!("{name} is a shell keyword") }
        } else if let Some(text) = shell.aliases.get(name) {
            if short { format!("alias {name}='{text}'") } else { format!("{name} is aliased to `{text}'") }
        } else if shell.functions.contains_key(name) {
            if short { name.clone() } else { format!("{name} is a function") }
        } else if find(name, shell.flavour).is_some() {
            if short { name.clone() } else { format!("{name} is a shell builtin") }
        } else if let Some(path) = path_of(sys, shell.get("PATH").unwrap_or(PATH), name) {
            if short { path } else { format!("{name} is {path}") }
        } else {
            status = 1;
            if !short {
                let text =
                    if shell.is_bash() { format!("type: {name}: not found") } else { format!("{name}: not found") };
                shell.complain(&text);
            }
            continue;
        };
        shell.out(format!("{text}\n"));
    }
    done(shell, status)
}

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Where a program of that name would be found.
pub fn path_of(sys: &Sys<'_>, path: &str, name: &str) -> Option<String> {
    if name.contains('/') {
        return sys.has(&[name.to_string()]).is_ok().then(|| name.to_string());
    }
    let in_files = |files: &Files| {
        path.split(':').map(|directory| format!("{directory}/{name}")).find(|path| files.exists("/", path))
    };
    in_files(sys.files).or_else(|| sys.has(&[name.to_string()]).is_ok().then(|| format!("/usr/bin/{name}")))
}
