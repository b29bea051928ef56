//! Calls: arguments counted, converted and checked by the function's signature before the function sees them.

use super::budget::Budget;
use super::functions::{self, DYNAMIC, Fault, Function, INSIDE, MARKED, NULL, Parameter, UNKNOWN};
use super::machine::Machine;
use super::{Scope, constraint};
use crate::terraform::hcl::{
    Call, Diagnostic, Expr, ExprKind, Range, Traversal, did_you_mean, has_errors, parse_template,
};
use crate::terraform::value::{Marks, Type, Value, convert};

const TEMPLATES_DEEP: u32 = 16;

impl Machine<'_> {
    pub fn call(&mut self, call: &Call, whole: &Expr) -> Value {
        // A console has no plan, and so no time of one.
        let has = |name: &str| name != "plantimestamp" || self.scope.impure(name).is_some();
        let Some(function) = functions::find(&call.name).filter(|function| has(function.name)) else {
            return self.unknown_function(call, whole);
        };
        let start = self.diagnostics.len();
        let mut arguments: Vec<Expr> = Vec::new();
        if call.expand {
            match self.expanded(call, function, whole) {
                Ok(expanded) => arguments = expanded,
                Err(value) => return value,
            }
        }
        let arguments: &[Expr] = if call.expand { &arguments } else { &call.arguments };
        if let Some(value) = self.miscounted(call, function, arguments, start, whole) {
            return value;
        }
        match function.name {
            "try" => return self.try_each(call, function, arguments, whole),
            "can" => return self.can(arguments),
            "convert" => return self.convert_to(call, function, arguments, whole),
            _ => {}
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let Some(parameter) = function.parameter(index) else { break };
            let value = self.looked(argument);
            match convert(&value, &parameter.want.ty()) {
                Ok(value) => values.push(value),
                Err(error) => {
                    self.refuse_argument(call, function, parameter, argument, &error.to_string(), whole);
                    values.push(value);
                }
            }
        }
        if self.failed_since(start) {
            return Value::dynamic();
        }
        if self.budget.is_spent() {
            return Value::dynamic();
        }
        match self.run(function, &values, arguments) {
            Ok(value) => self.made(value),
            Err(fault) => self.tell_fault(call, function, arguments, fault, whole),
        }
    }

    fn unknown_function(&mut self, call: &Call, whole: &Expr) -> Value {
        let (summary, detail) = match call.name.split_once("::") {
            Some(("provider", rest)) => {
                let (provider, name) = rest.split_once("::").unwrap_or(("", rest));
                let detail = if provider.is_empty() {
                    "The function call must include the provider name after the \"provider::\" prefix.".into()
                } else {
                    format!(
                        "There is no function named \"{}\". Ensure that provider name \"{provider}\" is declared in this module's required_providers block, and that this provider offers a function named \"{name}\".",
                        call.name
                    )
                };
                ("Unknown provider function", detail)
            }
            Some((namespace, _)) => (
                "Unknown provider function",
                format!(
                    "The function namespace \"{namespace}\" is not valid. Provider function calls must use the \"provider::\" namespace prefix."
                ),
            ),
            None => {
                let names = functions::names().filter(|name| *name != call.name);
                let hint = did_you_mean(&call.name, names);
                ("Call to unknown function", format!("There is no function named \"{}\".{hint}", call.name))
            }
        };
        let diagnostic = Diagnostic::error(summary, detail, &call.name_range).in_context(&whole.range);
        self.fail(diagnostic, whole)
    }

    /// The arguments with the elements of the last one in its place.
    fn expanded(&mut self, call: &Call, function: &Function, whole: &Expr) -> Result<Vec<Expr>, Value> {
        let Some((last, first)) = call.arguments.split_last() else { return Ok(Vec::new()) };
        let before = self.diagnostics.len();
        let value = self.value(last);
        if self.failed_since(before) {
            return Err(Value::dynamic());
        }
        let detail = if value.is_null() {
            "The expanding argument (indicated by ...) must not be null."
        } else if !value.is_known()
            && matches!(value.ty(), Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_))
        {
            return Err(Value::dynamic());
        } else if let Some(items) = value.items() {
            let literal =
                |item: &Value| Expr::new(ExprKind::Literal(item.clone().with_marks(value.marks)), last.range.clone());
            return Ok(first.iter().cloned().chain(items.iter().map(literal)).collect());
        } else {
            "The expanding argument (indicated by ...) must be of a tuple, list, or set type."
        };
        let mut diagnostic = Diagnostic::error("Invalid expanding argument value", detail, &last.range);
        diagnostic.calling = function.signature();
        let _ = call;
        Err(self.fail(diagnostic.in_context(&whole.range), last))
    }

    fn miscounted(
        &mut self,
        call: &Call,
        function: &Function,
        arguments: &[Expr],
        start: usize,
        whole: &Expr,
    ) -> Option<Value> {
        let count = function.parameters.len();
        let mut diagnostic = if let Some(missing) = function.parameters.get(arguments.len()) {
            let at_least = if function.rest.is_some() { " at least" } else { "" };
            let detail = format!(
                "Function \"{}\" expects{at_least} {count} argument(s). Missing value for \"{}\".",
                call.name, missing.name
            );
            Diagnostic::error("Not enough function arguments", detail, &call.close_range)
        } else if let Some(extra) = arguments.get(count).filter(|_| function.rest.is_none()) {
            let detail = format!("Function \"{}\" expects only {count} argument(s).", call.name);
            Diagnostic::error("Too many function arguments", detail, &extra.start_range())
        } else {
            return None;
        };
        // This error stands alone.
        self.diagnostics.truncate(start);
        diagnostic.calling = function.signature();
        Some(self.fail(diagnostic.in_context(&whole.range), whole))
    }

    fn refuse_argument(
        &mut self,
        _: &Call,
        function: &Function,
        parameter: &Parameter,
        argument: &Expr,
        reason: &str,
        whole: &Expr,
    ) {
        let detail = format!("Invalid value for \"{}\" parameter: {reason}.", parameter.name);
        let mut diagnostic = Diagnostic::error("Invalid function argument", detail, &argument.start_range());
        diagnostic.calling = function.signature();
        self.fail(diagnostic.in_context(&whole.range), argument);
    }

    fn tell_fault(
        &mut self,
        call: &Call,
        function: &Function,
        arguments: &[Expr],
        fault: Fault,
        whole: &Expr,
    ) -> Value {
        match fault {
            Fault::Argument(index, reason) => match (function.parameter(index), arguments.get(index)) {
                (Some(parameter), Some(argument)) => {
                    self.refuse_argument(call, function, parameter, argument, &reason, whole);
                }
                (Some(parameter), None) => {
                    let detail = format!("Invalid value for \"{}\" parameter: {reason}.", parameter.name);
                    let mut diagnostic = Diagnostic::error("Invalid function argument", detail, &whole.range);
                    diagnostic.calling = function.signature();
                    self.fail(diagnostic, whole);
                }
                (None, _) => return self.tell_fault(call, function, arguments, Fault::Call(reason), whole),
            },
            Fault::Call(reason) => {
                let detail = format!("Call to function \"{}\" failed: {reason}.", call.name);
                let range = call.name_range.to(&call.open_range);
                let mut diagnostic = Diagnostic::error("Error in function call", detail, &range);
                diagnostic.calling = function.signature();
                self.fail(diagnostic.in_context(&whole.range), whole);
            }
            Fault::Spent => {}
            Fault::Gap => {
                let detail = crate::base::gap::line(&format!("the function {}", call.name), "");
                self.fail(Diagnostic::error("Function not simulated", detail, &call.name_range), whole);
            }
        }
        Value::dynamic()
    }

    /// Checks the values against the signature, takes marks off, and runs the function.
    fn run(&mut self, function: &Function, values: &[Value], arguments: &[Expr]) -> Result<Value, Fault> {
        let mut marks = Marks::NONE;
        let mut plain = Vec::with_capacity(values.len());
        let mut open = false;
        let mut dynamic = false;
        for (index, value) in values.iter().enumerate() {
            let Some(parameter) = function.parameter(index) else { break };
            let allows = |what: u8| parameter.allows & what != 0;
            let mut value = value.clone();
            if !allows(MARKED) {
                let (unmarked, own) = value.unmark_deep();
                marks = marks | own;
                value = unmarked;
            }
            if value.is_null() && !allows(NULL) {
                return Err(Fault::Argument(index, "argument must not be null".into()));
            }
            let hidden = !value.is_known() || !allows(INSIDE) && !value.is_wholly_known();
            // A bare null has no type yet either.
            let untyped = value.ty() == Type::Dynamic && !allows(DYNAMIC);
            if hidden && !allows(UNKNOWN) || untyped {
                open = true;
                dynamic |= untyped;
            }
            plain.push(value);
        }
        if open {
            if dynamic {
                return Ok(Value::dynamic().with_marks(marks));
            }
            functions::check_types(function.name, &plain)?;
            return Ok(functions::open_result(function, &plain).with_marks(marks));
        }
        let result = match function.name {
            "templatestring" => self.template_string(&plain, arguments),
            "templatefile" => self.template_file(&plain),
            _ => (function.run)(&mut functions::Arguments { values: &plain, scope: self.scope, budget: self.budget }),
        };
        result.map(|value| value.with_marks(marks))
    }

    fn try_each(&mut self, call: &Call, function: &Function, arguments: &[Expr], whole: &Expr) -> Value {
        let start = self.diagnostics.len();
        let mut failures = Vec::new();
        for argument in arguments {
            let value = self.value(argument);
            if !self.failed_since(start) {
                // What is not known yet may still fail, and another argument be taken then.
                return if value.is_wholly_known() { value } else { Value::dynamic() };
            }
            failures.extend(self.diagnostics.split_off(start));
        }
        let mut reason = String::from("at least one argument is required");
        if !failures.is_empty() {
            reason = "no expression succeeded:\n".into();
            for failure in &failures {
                let at = failure.subject.as_ref().map(place).unwrap_or_default();
                reason.push_str(&format!("- {} (at {at})\n  {}\n", failure.summary, failure.detail));
            }
            reason.push_str("\nAt least one expression must produce a successful result");
        }
        self.tell_fault(call, function, arguments, Fault::Call(reason), whole)
    }

    fn can(&mut self, arguments: &[Expr]) -> Value {
        let Some(argument) = arguments.first() else { return Value::bool(false) };
        let start = self.diagnostics.len();
        let value = self.value(argument);
        let failed = self.failed_since(start);
        self.diagnostics.truncate(start);
        if failed || value.is_wholly_known() { Value::bool(!failed) } else { Value::unknown(Type::Bool) }
    }

    fn convert_to(&mut self, call: &Call, function: &Function, arguments: &[Expr], whole: &Expr) -> Value {
        let [value, ty] = arguments else { return Value::dynamic() };
        let start = self.diagnostics.len();
        let given = self.looked(value);
        let (constraint, found) = constraint::read(ty, constraint::Form::Function);
        self.diagnostics.extend(found);
        if self.failed_since(start) {
            return Value::dynamic();
        }
        match convert(&constraint.apply_defaults(&given), &constraint.ty) {
            Ok(value) => value,
            Err(error) => self.tell_fault(call, function, arguments, Fault::Argument(0, error.with_path()), whole),
        }
    }

    fn template_string(&mut self, values: &[Value], arguments: &[Expr]) -> Result<Value, Fault> {
        let [template, variables] = values else { return Err(Fault::Gap) };
        let is_reference = arguments.first().is_some_and(|argument| {
            matches!(argument.kind, ExprKind::Variable(_) | ExprKind::Relative(..) | ExprKind::Index(_))
        });
        if !is_reference {
            let reason = "invalid template expression: templatestring is only for rendering templates retrieved dynamically from elsewhere, and so does not support providing a literal template; consider using a template string expression instead";
            return Err(Fault::Argument(0, reason.into()));
        }
        let text = template.as_str().unwrap_or_default();
        self.render("<templatestring argument>", text, variables, "templatestring")
    }

    fn template_file(&mut self, values: &[Value]) -> Result<Value, Fault> {
        let [path, variables] = values else { return Err(Fault::Gap) };
        let path = path.as_str().unwrap_or_default();
        let text = functions::read_text(self.scope, path)?;
        self.render(path, &text, variables, "templatefile")
    }

    fn render(&mut self, name: &str, text: &str, variables: &Value, function: &str) -> Result<Value, Fault> {
        if !matches!(variables.ty(), Type::Object(_) | Type::Map(_)) {
            return Err(Fault::Argument(1, "invalid vars value: must be a map".into()));
        }
        for key in variables.entries().into_iter().flat_map(|entries| entries.keys()) {
            if !crate::terraform::hcl::is_name(key) {
                let reason = format!(
                    "invalid template variable name {}: must start with a letter, followed by zero or more letters, digits, and underscores",
                    crate::base::goquote::quote(key)
                );
                return Err(Fault::Argument(1, reason));
            }
        }
        if self.templates >= TEMPLATES_DEEP {
            return Err(Fault::Call(format!("maximum template recursion depth reached in {function}")));
        }
        let (expr, found) = parse_template(name, text);
        if has_errors(&found) {
            return Err(Fault::Argument(0, first_error(&found)));
        }
        for reference in expr.references() {
            if variables.get(&reference.root).is_none() {
                let reason = format!(
                    "vars map does not contain key {}, referenced at {}",
                    crate::base::goquote::quote(&reference.root),
                    place(&reference.root_range)
                );
                return Err(Fault::Argument(1, reason));
            }
        }
        let scope = TemplateScope { variables, outer: self.scope };
        let mut machine = Machine::new(&scope, self.budget);
        machine.templates = self.templates + 1;
        let value = machine.value(&expr);
        if has_errors(&machine.diagnostics) {
            return Err(Fault::Argument(0, first_error(&machine.diagnostics)));
        }
        Ok(value)
    }
}

/// The names of a template: keys of the map it was given.
struct TemplateScope<'a> {
    variables: &'a Value,
    outer: &'a dyn Scope,
}

impl Scope for TemplateScope<'_> {
    fn lookup(&self, reference: &Traversal) -> Result<Option<(Value, usize)>, Vec<Diagnostic>> {
        Ok(self.variables.get(&reference.root).map(|value| (value.clone(), 0)))
    }

    fn files(&self) -> Option<&dyn super::Files> {
        self.outer.files()
    }

    fn impure(&self, function: &str) -> Option<Value> {
        self.outer.impure(function)
    }

    fn budget(&self) -> Option<&Budget> {
        self.outer.budget()
    }
}

fn first_error(found: &[Diagnostic]) -> String {
    let errors: Vec<&Diagnostic> = found.iter().filter(|each| each.is_error()).collect();
    let Some(first) = errors.first() else { return String::new() };
    let at = first.subject.as_ref().map(|range| range.text().to_string()).unwrap_or_default();
    let more = match errors.len() {
        1 => String::new(),
        count => format!(", and {} other diagnostic(s)", count - 1),
    };
    format!("{at}: {}; {}{more}", first.summary, first.detail)
}

/// `main.tf:2,5-8`
fn place(range: &Range) -> String {
    range.text().to_string()
}
