//! Values of expressions: variables from a scope, functions from the table, unknown values and marks carried along.

mod access;
mod budget;
mod call;
mod console;
pub mod constraint;
mod control;
pub mod functions;
mod machine;
mod operators;

pub use access::{attribute, index};
pub use budget::{Budget, INSTANCE};
pub use console::console;
pub use functions::base64;
use machine::Machine;

use crate::terraform::hcl::{Diagnostic, Expr, Range, Traversal};
use crate::terraform::value::{Type, Value, convert};

/// What an expression may refer to.
pub trait Scope {
    /// The value of the leading part of a reference, and how many of its steps (after the root) that part took;
    /// the remaining steps are applied to the value. `Ok(None)`: there is no such name.
    fn lookup(&self, reference: &Traversal) -> Result<Option<(Value, usize)>, Vec<Diagnostic>>;

    /// The files that `file` and its like read.
    fn files(&self) -> Option<&dyn Files> {
        None
    }

    /// What functions that depend on more than their arguments answer: `timestamp`, `plantimestamp`, `uuid`. Unknown
    /// values while planning. `None` is a gap.
    fn impure(&self, function: &str) -> Option<Value> {
        let _ = function;
        None
    }

    /// What the walk may still evaluate; without one each expression has its own.
    fn budget(&self) -> Option<&Budget> {
        None
    }
}

/// The workstation's files, as functions see them.
pub trait Files {
    /// The bytes of a file; relative paths start at `folder`.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
    /// Paths of all files below a folder, relative to it.
    fn list(&self, folder: &str) -> Vec<String>;
    fn is_folder(&self, path: &str) -> bool;
    /// The absolute path of the working folder.
    fn folder(&self) -> String;
    fn home(&self) -> String;
}

/// A scope without names: constants and functions only.
pub struct Empty;

impl Scope for Empty {
    fn lookup(&self, reference: &Traversal) -> Result<Option<(Value, usize)>, Vec<Diagnostic>> {
        let detail = "Variables may not be used here.";
        Err(vec![Diagnostic::error("Variables not allowed", detail, &reference.root_range)])
    }
}

/// The value of an expression. After an error it is unknown, as far as it could not be told.
pub fn eval(expr: &Expr, scope: &dyn Scope) -> (Value, Vec<Diagnostic>) {
    // References that cannot be resolved are all told, and nothing else is.
    let mut unresolved = Vec::new();
    for reference in expr.references() {
        if let Err(found) = scope.lookup(reference) {
            unresolved.extend(found.into_iter().filter(|each| each.is_error()));
        }
    }
    if !unresolved.is_empty() {
        return (Value::dynamic(), unresolved);
    }
    let own = Budget::default();
    let budget = scope.budget().unwrap_or(&own);
    let mut machine = Machine::new(scope, budget);
    let value = machine.value(expr);
    budget.look(&value);
    if budget.is_spent() {
        return (Value::dynamic(), budget.excess(&expr.range).into_iter().collect());
    }
    (value, machine.diagnostics)
}

/// The value of an expression where nothing may be named and nothing called.
pub fn eval_constant(expr: &Expr) -> (Value, Vec<Diagnostic>) {
    let mut called = Vec::new();
    calls(expr, &mut called);
    let (value, mut found) = eval(expr, &Empty);
    if called.is_empty() {
        return (value, found);
    }
    found.retain(|each| each.summary == "Variables not allowed");
    found.extend(called);
    (Value::dynamic(), found)
}

fn calls(expr: &Expr, found: &mut Vec<Diagnostic>) {
    if matches!(expr.kind, crate::terraform::hcl::ExprKind::Call(_)) {
        let diagnostic =
            Diagnostic::error("Function calls not allowed", "Functions may not be called here.", &expr.range);
        found.push(diagnostic);
    }
    expr.for_each_child(&mut |child| calls(child, found));
}

/// The value of an expression as one of the type; `describe` makes the diagnostic from the reason why it cannot be.
pub fn eval_as(
    expr: &Expr,
    scope: &dyn Scope,
    ty: &Type,
    describe: &dyn Fn(&str) -> Diagnostic,
) -> (Value, Vec<Diagnostic>) {
    let (value, mut diagnostics) = eval(expr, scope);
    // It is kept and shown.
    if let Some(budget) = scope.budget()
        && !budget.shown(&value)
    {
        diagnostics.extend(budget.excess(&expr.range));
        return (Value::unknown(ty.without_optional()), diagnostics);
    }
    match convert(&value, ty) {
        Ok(value) => (value, diagnostics),
        Err(error) => {
            diagnostics.push(blame(describe(&error.with_path()), expr, scope));
            (Value::unknown(ty.without_optional()), diagnostics)
        }
    }
}

/// The diagnostic with the values of what the expression refers to.
pub fn blame(diagnostic: Diagnostic, expr: &Expr, scope: &dyn Scope) -> Diagnostic {
    Machine::new(scope, scope.budget().unwrap_or(&Budget::default())).blame(diagnostic, expr)
}

/// As `blame`, for an error that unknown or sensitive values caused: these are named then.
pub fn blame_hidden(mut diagnostic: Diagnostic, expr: &Expr, scope: &dyn Scope) -> Diagnostic {
    diagnostic.values = Machine::new(scope, scope.budget().unwrap_or(&Budget::default())).values_of(expr, true, true);
    diagnostic
}

/// The value of a reference alone.
pub fn eval_reference(reference: &Traversal, scope: &dyn Scope) -> (Value, Vec<Diagnostic>) {
    let budget = Budget::default();
    let mut machine = Machine::new(scope, &budget);
    let value = machine.variable(reference);
    (value, machine.diagnostics)
}

/// A value that stands for an expression that could not be read.
pub fn placeholder(range: &Range) -> Expr {
    Expr::new(crate::terraform::hcl::ExprKind::Broken, range.clone())
}
