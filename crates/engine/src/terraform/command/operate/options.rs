//! What the flags of plan, apply, destroy and refresh ask of a plan.

use super::Verb;
use crate::terraform::command::arguments::Arguments;
use crate::terraform::command::target::{bad_address, parse_target};
use crate::terraform::core::{Options, Target};
use crate::terraform::hcl::Diagnostic;
use crate::terraform::plan::PlanMode;

pub fn options(arguments: &Arguments, verb: Verb) -> Result<Options, Vec<Diagnostic>> {
    let mode = match (verb, arguments.has("destroy"), arguments.has("refresh-only")) {
        (_, true, true) => {
            let detail = "The -destroy and -refresh-only options are mutually-exclusive.";
            return Err(vec![Diagnostic::sourceless("Incompatible plan mode options", detail)]);
        }
        (Verb::Destroy, ..) | (_, true, _) => PlanMode::Destroy,
        (Verb::Refresh, ..) | (_, _, true) => PlanMode::RefreshOnly,
        _ => PlanMode::Normal,
    };
    let refresh = arguments.get("refresh") != Some("false");
    if mode == PlanMode::RefreshOnly && !refresh {
        let detail = "It doesn't make sense to use -refresh-only at the same time as -refresh=false, because Terraform would have nothing to do.";
        return Err(vec![Diagnostic::sourceless("Incompatible refresh options", detail)]);
    }
    let mut options = Options { mode, refresh, ..Options::default() };
    if let Some(count) = arguments.get("parallelism").and_then(|text| text.parse().ok()) {
        options.parallelism = count;
    }
    let mut found = Vec::new();
    for (flag, text) in &arguments.flags {
        match flag.as_str() {
            "target" => match parse_target(text) {
                Some(target) => options.targets.push(target),
                None => found.push(bad_address(text, "target")),
            },
            "replace" => match parse_target(text) {
                Some(Target::Instance(address)) => options.replace.push(address),
                Some(Target::Resource(resource)) => options.replace.push(resource.instance(None)),
                _ => found.push(bad_address(text, "replace")),
            },
            _ => {}
        }
    }
    if found.is_empty() { Ok(options) } else { Err(found) }
}
