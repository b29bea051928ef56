//! Chores: `cargo xtask <command>`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line talks")]

mod build;
mod chance;
mod fuzz;
mod golden;
mod in_wasm;
mod parts;
mod run;
mod schema;
mod serve;
mod size;
mod split;
mod test;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <command>

  serve [--port N]   builds the page and serves it on 127.0.0.1 (port 8080)
  build              builds the page into dist/
  test [PART…]       everything CI checks: fmt, clippy, native, wasm, page, browser (or only these parts)
  size [--update]    sizes of the page against the budgets of docs/SIZES.md
  parts [NAME]       what the parts of the page are made of, in bytes; why the first one has a function
  golden [--filter TEXT] [--show FILE] [--json] [--update] [DIR]
                     compares the engine with recordings of a real cluster
  terraform-peer [--count N] [--seed N] [--filter TEXT] [--show] [--write FOLDER] [DIR]
                     compares random configurations (or recorded ones) with a real Terraform
  docker-peer [--filter TEXT] [--show] [--write]
                     gives the commands of tests/golden/docker-peer to a real docker client, with our Engine, and to ours
  fuzz [TARGET…] [--seconds N] [--seed N] [--input FILE]
                     gives almost right texts to the readers: yaml, api, shell, jsonpath
  schema             writes the engine's table of Kubernetes types";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let result = match args.first().map(String::as_str) {
        Some("serve") => serve::run(rest),
        Some("build") => build::build().map(drop),
        Some("test") => test::test(rest),
        Some("size") => size::run(rest),
        Some("golden") => golden::run(rest),
        Some("terraform-peer") => golden::peer::run(rest),
        Some("docker-peer") => golden::docker_peer::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("schema") => schema::run(),
        Some("parts") => parts::run(rest),
        Some(compiler) if compiler.ends_with("rustc") => tools::compile(compiler, rest),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
