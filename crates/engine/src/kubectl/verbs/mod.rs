//! One file per verb.

mod create;
mod get;

use super::args::Args;
use super::io::{Io, Outcome, usage};
use super::manifest::gap;

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.as_str() {
        "get" => get::get(args, io),
        "create" => create::create(args, io),
        "options" => {
            io.out(super::help::text("(global)"));
            usage("", "")
        }
        other => gap(&format!("kubectl {other}"), ""),
    }
}
