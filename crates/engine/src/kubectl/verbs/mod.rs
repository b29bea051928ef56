//! One file per verb, or per family of verbs that share their ways.

mod apply;
mod change;
mod create;
mod delete;
mod generate;
mod get;
mod logs;
mod wait;

use super::args::Args;
use super::io::{Io, Outcome};
use super::manifest::gap;

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.as_str() {
        "get" => get::get(args, io),
        "create" => create::create(args, io),
        "apply" => apply::apply(args, io),
        "apply view-last-applied" => apply::view_last_applied(args, io),
        "apply set-last-applied" => apply::set_last_applied(args, io),
        "delete" => delete::delete(args, io),
        "label" | "annotate" => change::label(args, io),
        "scale" => change::scale(args, io),
        "patch" => change::patch(args, io),
        "replace" => change::replace(args, io),
        "set image" | "set env" | "set resources" | "set serviceaccount" | "set selector" => change::set(args, io),
        "cordon" | "uncordon" => change::cordon(args, io),
        "taint" => change::taint(args, io),
        "logs" => logs::logs(args, io),
        "exec" => logs::exec(args, io),
        "attach" => logs::attach(args, io),
        "wait" => wait::wait(args, io),
        "rollout status" => wait::rollout_status(args, io),
        "run" => generate::run(args, io),
        "expose" => generate::expose(args, io),
        "autoscale" => generate::autoscale(args, io),
        name if name.starts_with("create ") => generate::create(args, io),
        "options" => {
            io.out(super::help::text("(global)"));
            Ok(())
        }
        other => gap(&format!("kubectl {other}"), ""),
    }
}
