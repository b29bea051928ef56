//! Conditions of variables, checks and lifecycles: whether they hold, and what they say where they do not.

use crate::terraform::config::Condition;
use crate::terraform::eval::{self, Scope};
use crate::terraform::hcl::{Diagnostic, has_errors};
use crate::terraform::value::{Marks, Type, Value, convert};

/// Whether a condition holds; `None` while that is unknown or after an error.
pub fn holds(condition: &Condition, scope: &dyn Scope) -> (Option<bool>, Vec<Diagnostic>) {
    let (value, mut found) = eval::eval(&condition.condition, scope);
    if has_errors(&found) {
        return (None, found);
    }
    let (value, _) = value.unmark();
    if !value.is_known() {
        return (None, found);
    }
    match convert(&value, &Type::Bool).ok().filter(|value| !value.is_null()) {
        Some(value) => (value.as_bool(), found),
        None => {
            let detail = if value.is_null() {
                "Condition expression must return either true or false, not null.".to_string()
            } else {
                "Invalid condition result value: a bool is required.".to_string()
            };
            found.push(eval::blame(
                Diagnostic::error("Invalid condition result", detail, &condition.condition.range),
                &condition.condition,
                scope,
            ));
            (None, found)
        }
    }
}

/// What a condition says of itself where it does not hold, and what is wrong with that.
pub fn message(condition: &Condition, scope: &dyn Scope) -> (String, Option<Diagnostic>) {
    let (value, _) = eval::eval(&condition.message, scope);
    let kinds = [(Marks::SENSITIVE, "sensitive"), (Marks::EPHEMERAL, "ephemeral")];
    if let Some((_, kind)) = kinds.into_iter().find(|(mark, _)| value.marks_deep().has(*mark)) {
        let careful = match kind {
            "sensitive" => {
                ", or by carefully using the nonsensitive() function if the expression will not reveal the sensitive data"
            }
            _ => "",
        };
        let detail = format!(
            "The error expression used to explain this condition refers to {kind} values. Terraform will not display the resulting message.\n\nYou can correct this by removing references to {kind} values{careful}."
        );
        let summary = format!("Error message refers to {kind} values");
        let article = if kind == "sensitive" { "a" } else { "an" };
        return (
            format!("The error message included {article} {kind} value, so it will not be displayed."),
            Some(Diagnostic::error(summary, detail, &condition.message.range)),
        );
    }
    let text = convert(&value, &Type::String).ok().filter(Value::is_known);
    let text = text.as_ref().and_then(Value::as_str).unwrap_or("Failed to evaluate condition error message.");
    (text.trim().to_string(), None)
}
