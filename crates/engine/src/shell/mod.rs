//! The shell language and the small tools, used in containers (sh, busybox, coreutils) and at the workstation (bash).
//!
//! A shell is a stack of things to do (`machine`), so it can stop anywhere, be cloned and go on. Left out: job control
//! with stopped jobs, back-references, associative arrays.

mod arithmetic;
mod ast;
mod brace;
mod builtins;
mod escape;
mod expand;
mod machine;
mod parse;
mod pattern;
mod print;
mod regex;
mod state;
mod test;
mod tools;
mod word;

pub use expand::glob;
pub use pattern::Pattern;
pub use regex::Regex;
pub use tools::gather_files;

use crate::base::gap;
use crate::process::{Files, NoProgram, Node, Program};
use state::{Frame, Shell, Text};

/// Stands before and after a command that a script tells before it runs.
pub const ECHO_MARK: &[u8] = b"\x1b]133;C\x07";

/// What stands in /etc of a Debian machine.
pub const SYSTEM_FILES: [(&str, &str); 3] = [
    (
        "/etc/passwd",
        "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n\
         bin:x:2:2:bin:/bin:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    ),
    ("/etc/group", "root:x:0:\ndaemon:x:1:\nbin:x:2:\nnogroup:x:65534:\n"),
    (
        "/etc/os-release",
        "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n\
         VERSION=\"12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\nHOME_URL=\"https://www.debian.org/\"\n\
         SUPPORT_URL=\"https://www.debian.org/support\"\nBUG_REPORT_URL=\"https://bugs.debian.org/\"\n",
    ),
];

/// Whose texts and habits a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flavour {
    /// bash and GNU tools.
    Bash,
    Busybox,
    /// GNU tools; `sh` is dash.
    Coreutils,
}

/// The program of that name, if it is one of ours.
pub fn program(args: &[String], flavour: Flavour) -> Result<Box<dyn Program>, NoProgram> {
    let name = args.first().map_or("", |name| base_name(name));
    match name {
        "bash" if flavour == Flavour::Busybox => Err(NoProgram::NotFound),
        "sh" | "bash" | "ash" | "dash" => shell(args, if name == "bash" { Flavour::Bash } else { flavour }),
        "busybox" if flavour == Flavour::Busybox && args.len() > 1 => {
            program(args.get(1..).unwrap_or_default(), flavour)
        }
        "kill" if flavour != Flavour::Bash => Ok(Box::new(kill(name, args, flavour))),
        _ => tools::program(name, args, flavour),
    }
}

/// `kill` outside a shell does what a shell's own does.
fn kill(name: &str, args: &[String], flavour: Flavour) -> Shell {
    let mut shell = Shell::new(name, flavour);
    shell.positional = args.get(1..).unwrap_or_default().to_vec();
    shell.command_text = true;
    let text = "kill \"$@\"".into();
    shell.frames.push(Frame::Text(Text { text, at: 0, line: 1, name: Some("-c".into()), top: true }));
    shell
}

/// The program these arguments mean on a machine with these files: a script with `#!`, or one of ours in the usual
/// directories. `installed` knows the machine's other programs by their plain name.
pub fn resolve(
    files: &Files,
    cwd: &str,
    args: &[String],
    flavour: Flavour,
    installed: &dyn Fn(&str, &[String]) -> Option<Result<Box<dyn Program>, NoProgram>>,
) -> Result<Box<dyn Program>, NoProgram> {
    let Some(name) = args.first() else { return Err(NoProgram::NotFound) };
    let plain = base_name(name);
    if name.contains('/') {
        match files.node(cwd, name) {
            Ok(Node::Directory { .. }) => return Err(NoProgram::IsDirectory),
            Ok(Node::File { mode, .. }) if mode & 0o111 == 0 => return Err(NoProgram::NotExecutable),
            Ok(Node::File { content, .. }) if !content.is_empty() => {
                return script(files, cwd, args, &String::from_utf8_lossy(content), flavour, installed);
            }
            _ => {}
        }
        let directory = name.rsplit_once('/').map_or("", |(directory, _)| directory);
        if !["/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"].contains(&directory) {
            return installed(name, args).unwrap_or(Err(NoProgram::NotFound));
        }
    }
    installed(plain, args).unwrap_or_else(|| program(args, flavour))
}

fn script(
    files: &Files,
    cwd: &str,
    args: &[String],
    content: &str,
    flavour: Flavour,
    installed: &dyn Fn(&str, &[String]) -> Option<Result<Box<dyn Program>, NoProgram>>,
) -> Result<Box<dyn Program>, NoProgram> {
    let first = content.lines().next().unwrap_or_default();
    let mut line: Vec<String> = match first.strip_prefix("#!") {
        Some(rest) => rest.split_whitespace().map(str::to_string).collect(),
        None => vec!["sh".into()],
    };
    if line.first().is_some_and(|name| base_name(name) == "env") {
        line.remove(0);
    }
    line.extend(args.iter().cloned());
    // An interpreter is a program of the machine, never another script.
    let name = line.first().cloned().unwrap_or_default();
    let plain = base_name(&name).to_string();
    match installed(&plain, &line) {
        Some(found) => found,
        None => match program(&line, flavour) {
            Ok(program) => Ok(program),
            Err(NoProgram::NotFound) => {
                let _ = (files, cwd);
                Err(NoProgram::Gap(gap::line(&format!("program: {plain}"), "")))
            }
            Err(reason) => Err(reason),
        },
    }
}

fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// `curl` and the like for images that have them.
pub fn network(name: &str, args: &[String], flavour: Flavour) -> Option<Box<dyn Program>> {
    tools::network(name, args, flavour)
}

/// A shell that reads a terminal; its prompts are marked (OSC 133 A and B).
pub fn interactive(flavour: Flavour) -> Box<dyn Program> {
    let mut shell = Shell::new(if flavour == Flavour::Bash { "bash" } else { "sh" }, flavour);
    shell.options.interactive = true;
    shell.options.marks = true;
    Box::new(shell)
}

/// A shell that runs a script's text as `bash NAME` would; with `echo` it tells each top-level command first.
pub fn script_text(name: &str, text: &str, echo: bool) -> Box<dyn Program> {
    let mut shell = Shell::new(name, Flavour::Bash);
    shell.options.echo = echo;
    let name = Some(name.to_string());
    shell.frames.push(Frame::Text(Text { text: text.into(), at: 0, line: 1, name, top: true }));
    Box::new(shell)
}

fn shell(args: &[String], flavour: Flavour) -> Result<Box<dyn Program>, NoProgram> {
    let name = args.first().map_or("sh", String::as_str);
    let mut shell = Shell::new(name, flavour);
    let mut rest = args.iter().skip(1).peekable();
    let mut command = false;
    while let Some(arg) = rest.peek() {
        let on = arg.starts_with('-');
        let Some(flags) = arg.strip_prefix(['-', '+']).filter(|flags| !flags.is_empty()) else { break };
        if flags == "-" {
            rest.next();
            break;
        }
        let flags = flags.to_string();
        rest.next();
        if flags.starts_with('-') {
            continue;
        }
        for flag in flags.chars() {
            match flag {
                'c' => command = true,
                'e' => shell.options.errexit = on,
                'u' => shell.options.nounset = on,
                'x' => shell.options.xtrace = on,
                'f' => shell.options.noglob = on,
                'i' => shell.options.interactive = on,
                'o' if rest.next().is_some_and(|name| name == "pipefail") => {
                    shell.options.pipefail = on;
                }
                _ => {}
            }
        }
    }
    if command {
        let text = rest.next().cloned().unwrap_or_default();
        if let Some(name) = rest.next() {
            shell.name = name.clone();
        }
        shell.command_text = true;
        shell.positional = rest.cloned().collect();
        shell.frames.push(Frame::Text(Text { text: text.into(), at: 0, line: 1, name: Some("-c".into()), top: true }));
    } else if let Some(path) = rest.next() {
        shell.positional = rest.cloned().collect();
        return Ok(Box::new(tools::ScriptFile::new(path.clone(), shell)));
    }
    Ok(Box::new(shell))
}
