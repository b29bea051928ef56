//! kubectl 1.37: arguments to requests to text, one file per verb and one per output format.
//!
//! A program like any other: it reads its kubeconfig from the machine's files, sends requests under the identity found
//! there, and prints. It never sees the store. Left out (told as gaps): completion scripts.

mod args;
mod complete;
mod config;
mod describe;
mod discovered;
mod help;
mod io;
mod kustomize;
mod log;
mod manifest;
mod mapper;
pub mod output;
mod print;
mod select;
mod verbs;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::base::{Span, Time};
use crate::process::{Program, Signal, Sys, Turn, Wait};

use crate::sim::Weather;

use args::Args;
use io::{Failure, Io, Memory, Outcome, Stop};

pub use complete::{Surroundings, complete};
pub use config::default_config;

/// kubectl with its arguments (`args[0]` is the program's own name).
#[inline(never)]
pub fn program(args: &[String]) -> Box<dyn Program> {
    Box::new(Kubectl { args: args.get(1..).unwrap_or_default().to_vec(), ..Kubectl::default() })
}

#[derive(Clone, Default)]
struct Kubectl {
    args: Vec<String>,
    /// What the words mean, once they are read.
    read: Option<Arc<Args>>,
    start: Option<Time>,
    memory: Memory,
    exit: Option<i32>,
    end: Option<Time>,
}

impl Program for Kubectl {
    fn resume(&mut self, sys: &mut Sys<'_>) -> Turn {
        let ready = *self.start.get_or_insert(sys.now + start(&self.args));
        while let Some(signal) = sys.signal() {
            match signal {
                Signal::Winch => {}
                signal => {
                    let _ = io::flush(sys, &mut self.memory);
                    return Turn::Exit(self.memory.interrupt.unwrap_or(128 + signal as i32));
                }
            }
        }
        if sys.now < ready {
            return Turn::Wait(vec![Wait::Until(ready)]);
        }
        let mut waits = Vec::new();
        if self.exit.is_none() {
            let mut io = Io::new(sys, &mut self.memory, ready);
            match run(&self.args, &mut self.read, &mut io) {
                Ok(()) => self.exit = Some(0),
                Err(Stop::Exit(code)) => self.exit = Some(code),
                Err(Stop::Wait(on)) => waits = on,
                Err(Stop::Fail(failures, code)) => {
                    for failure in &failures {
                        io.err(complaint(failure, failures.len()));
                    }
                    self.exit = Some(code);
                }
            }
        }
        match (io::flush(sys, &mut self.memory), self.exit) {
            (Err(()), _) => Turn::Exit(141),
            (Ok(false), _) => Turn::Wait(vec![Wait::Room]),
            (Ok(true), Some(code)) => {
                let end = *self.end.get_or_insert(sys.now + Weather::default().kubectl_exit);
                if sys.now < end { Turn::Wait(vec![Wait::Until(end)]) } else { Turn::Exit(code) }
            }
            (Ok(true), None) => Turn::Wait(waits),
        }
    }
}

/// How long it takes to the first request.
fn start(args: &[String]) -> Span {
    let weather = Weather::default();
    let watches = args.windows(2).any(|pair| pair == ["rollout", "status"]);
    if watches { weather.kubectl_start + weather.rollout_start } else { weather.kubectl_start }
}

fn complaint(failure: &Failure, of: usize) -> String {
    match failure {
        Failure::Plain(text) if of == 1 && text.starts_with("error: ") => format!("{}\n", text.trim_end_matches('\n')),
        Failure::Plain(text) if of == 1 && !text.starts_with("error: ") => format!("error: {text}\n"),
        Failure::Among { alone, .. } if of == 1 => format!("{alone}\n"),
        Failure::Plain(text) | Failure::Full(text) | Failure::Among { text, .. } => format!("{text}\n"),
    }
}

/// The plug-in that words no command knows mean: `kubectl hello-you x` runs `kubectl-hello_you-x` or
/// `kubectl-hello_you x`, whichever is in the path.
fn plugin(words: &[String], io: &Io<'_, '_>) -> Option<(String, Vec<String>)> {
    let named: Vec<String> =
        words.iter().take_while(|word| !word.starts_with('-')).map(|word| word.replace('-', "_")).collect();
    if args::command(words.first()?).is_some() || named.is_empty() {
        return None;
    }
    let path = io.sys.env.get("PATH").cloned().unwrap_or_default();
    (1..=named.len()).rev().find_map(|count| {
        let name = format!("kubectl-{}", named.get(..count)?.join("-"));
        let folder = path.split(':').find(|folder| io.sys.files.exists(io.sys.cwd, &format!("{folder}/{name}")))?;
        Some((format!("{folder}/{name}"), words.get(count..)?.to_vec()))
    })
}

fn run(words: &[String], read: &mut Option<Arc<Args>>, io: &mut Io<'_, '_>) -> Outcome {
    if let Some((plugin, rest)) = plugin(words, io) {
        let command = std::iter::once(plugin).chain(rest).collect();
        return match io.execute(command)? {
            Ok(0) => Ok(()),
            Ok(code) => Err(Stop::Exit(code)),
            Err(_) => io::fail("exec format error"),
        };
    }
    if words.first().is_some_and(|word| word == "alpha") {
        io.err("No alpha commands are available in this version of kubectl\n");
        return Ok(());
    }
    let args = match read {
        Some(args) => args.clone(),
        None => read.insert(Arc::new(Args::parse(words)?)).clone(),
    };
    for notice in &args.notices {
        io.err(format!("{notice}\n"));
    }
    if args.help || args.command == "help" {
        return help::help(&args, io);
    }
    if args.command.is_empty() {
        help::root(io);
        return Ok(());
    }
    if !args.command.starts_with("config") {
        let connection = io.once(|io| {
            config::connect(&args, io)?;
            Ok((io.user.clone(), io.namespace.clone(), io.namespace_forced, io.server.clone()))
        })?;
        (io.user, io.namespace, io.namespace_forced, io.server) = connection.as_ref().clone();
        io.verbosity = args.int("v");
        io.words = (args.command.clone(), args.words.clone());
    }
    let missing = args.missing();
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|name| format!("\"{name}\"")).collect();
        return io::fail(format!("required flag(s) {} not set", names.join(", ")));
    }
    if io.verbosity >= 1 {
        log::start(&args, io)?;
    }
    let old = match args.get("dry-run") {
        "true" | "t" | "T" | "TRUE" | "True" | "1" => Some(("helpers.go:728", "client")),
        "false" | "f" | "F" | "FALSE" | "False" | "0" => Some(("helpers.go:731", "none")),
        _ => None,
    };
    if let Some((place, new)) = old {
        let given = args.get("dry-run");
        let text = format!("--dry-run={given} is deprecated (boolean value) and can be replaced with --dry-run={new}.");
        io.klog('W', place, &text);
    }
    if args.get("dry-run") == "unchanged" {
        io.klog('W', "helpers.go:714", "--dry-run is deprecated and can be replaced with --dry-run=client.");
    }
    verbs::run(&args, io)
}
