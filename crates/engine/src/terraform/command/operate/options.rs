//! What the flags of plan, apply, destroy and refresh ask of a plan.

use super::Verb;
use crate::base::goquote;
use crate::terraform::command::arguments::Arguments;
use crate::terraform::command::target;
use crate::terraform::core::Options;
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
    if let Some(count) = arguments.number("parallelism").filter(|count| *count > 0) {
        options.parallelism = usize::try_from(count).unwrap_or(usize::MAX);
    }
    let mut found = Vec::new();
    for (flag, text) in &arguments.flags {
        match flag.as_str() {
            "target" => match target::parse("", text) {
                Ok(target) => options.targets.push(target),
                Err(error) => found.push(bad_address(text, "target", error)),
            },
            "replace" => match target::replaced(text) {
                Ok(address) => options.replace.push(address),
                Err(error) => found.push(bad_address(text, "force-replace address", error)),
            },
            _ => {}
        }
    }
    if found.is_empty() { Ok(options) } else { Err(found) }
}

fn bad_address(text: &str, what: &str, error: Box<Diagnostic>) -> Diagnostic {
    Diagnostic::sourceless(format!("Invalid {what} {}", goquote::quote(text)), error.detail)
}
