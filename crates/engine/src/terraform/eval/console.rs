//! A line of `terraform console`: an expression, or `type(…)`, which is known there alone.

use super::{Scope, eval};
use crate::terraform::hcl::{Call, Diagnostic, Expr, ExprKind, has_errors, parse_expression};
use crate::terraform::value::text;

/// What the console prints for a line, without the newline at its end, or what is wrong with it. Warnings come with
/// either.
pub fn console(line: &str, scope: &dyn Scope) -> (Option<String>, Vec<Diagnostic>) {
    let (expr, found) = parse_expression("<console-input>", line);
    if has_errors(&found) {
        return (None, found);
    }
    if let Some(call) = type_call(&expr) {
        let [argument] = call.arguments.as_slice() else {
            let detail = match call.arguments.is_empty() {
                true => "Function \"type\" expects 1 argument(s). Missing value for \"value\".",
                false => "Function \"type\" expects only 1 argument(s).",
            };
            let summary = if call.arguments.is_empty() { "Not enough" } else { "Too many" };
            let summary = format!("{summary} function arguments");
            return (None, vec![Diagnostic::error(summary, detail, &call.close_range)]);
        };
        let (value, found) = eval(argument, scope);
        return ((!has_errors(&found)).then(|| text::type_name(&value.ty())), found);
    }
    if mentions_type(&expr) {
        let detail = "The console-only \"type\" function cannot be used as part of an expression.";
        return (None, vec![Diagnostic::sourceless("Invalid use of type function", detail)]);
    }
    let (value, found) = eval(&expr, scope);
    ((!has_errors(&found)).then(|| text::console(&value)), found)
}

/// The call of `type`, in parentheses or not.
fn type_call(expr: &Expr) -> Option<&Call> {
    match &expr.kind {
        ExprKind::Call(call) if call.name == "type" => Some(call),
        ExprKind::Parentheses(inner) | ExprKind::TemplateWrap(inner) => type_call(inner),
        _ => None,
    }
}

fn mentions_type(expr: &Expr) -> bool {
    let mut found = matches!(&expr.kind, ExprKind::Call(call) if call.name == "type");
    expr.for_each_child(&mut |child| found = found || mentions_type(child));
    found
}
