//! The walk over an expression's tree.

use crate::base::BTreeMap;

use super::budget::{Budget, ELEMENT, STEP};
use super::{Scope, access};
use crate::base::SmolStr;
use crate::terraform::hcl::{Diagnostic, Expr, ExprKind, Item, Range, Step, StepKind, Traversal, did_you_mean};
use crate::terraform::value::{Kind, Marks, Refinement, Type, Value, convert, text};

pub struct Machine<'a> {
    pub scope: &'a dyn Scope,
    /// Names that `for` binds, the innermost last.
    pub bound: Vec<(SmolStr, Value)>,
    /// The elements at hand of the splats around.
    pub anonymous: Vec<Value>,
    pub diagnostics: Vec<Diagnostic>,
    /// How many templates are being evaluated inside templates.
    pub templates: u32,
    pub budget: &'a Budget,
}

impl<'a> Machine<'a> {
    pub fn new(scope: &'a dyn Scope, budget: &'a Budget) -> Machine<'a> {
        Machine { scope, bound: Vec::new(), anonymous: Vec::new(), diagnostics: Vec::new(), templates: 0, budget }
    }

    pub fn value(&mut self, expr: &Expr) -> Value {
        if !self.budget.spend(STEP) {
            return Value::dynamic();
        }
        match &expr.kind {
            ExprKind::Literal(value) => {
                self.budget.look(value);
                value.clone()
            }
            ExprKind::Template(parts) => {
                let value = self.template(parts, &expr.range);
                self.made(value)
            }
            ExprKind::TemplateWrap(inner) | ExprKind::Parentheses(inner) => self.value(inner),
            ExprKind::TemplateJoin(tuple) => {
                let value = self.join(tuple, expr);
                self.made(value)
            }
            ExprKind::Variable(traversal) => {
                let before = self.diagnostics.len();
                let value = self.variable(traversal);
                self.blame_since(before, expr);
                value
            }
            ExprKind::Relative(source, steps) => {
                let value = self.value(source);
                let before = self.diagnostics.len();
                let value = self.follow(value, steps);
                self.blame_since(before, expr);
                value
            }
            ExprKind::Call(call) => self.call(call, expr),
            ExprKind::Conditional(conditional) => self.conditional(conditional, expr),
            ExprKind::Index(index) => {
                let collection = self.value(&index.collection);
                let key = self.value(&index.key);
                match access::index(&collection, &key, &index.bracket_range) {
                    Ok(value) => value,
                    Err(diagnostic) => self.fail(*diagnostic, expr),
                }
            }
            ExprKind::Tuple(items) => {
                let value = Value::tuple(items.iter().map(|item| self.value(item)).collect());
                self.gathered(value)
            }
            ExprKind::Object(items) => {
                let value = self.object(items);
                self.gathered(value)
            }
            ExprKind::For(it) => {
                let value = self.for_each(it, expr);
                self.gathered(value)
            }
            ExprKind::Splat(splat) => {
                let value = self.splat(splat, expr);
                self.gathered(value)
            }
            ExprKind::Anonymous => self.anonymous.last().cloned().unwrap_or_else(Value::dynamic),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr),
            ExprKind::Binary(op, sides) => self.binary(*op, sides, expr),
            ExprKind::Broken => Value::dynamic(),
        }
    }

    /// The value, made with all that is in it, if that is within the budget.
    pub fn made(&self, value: Value) -> Value {
        if self.budget.made(&value) { value } else { Value::dynamic() }
    }

    /// A collection made of values that there were.
    fn gathered(&self, value: Value) -> Value {
        let elements = value.len().unwrap_or(0) as u64;
        if self.budget.spend(ELEMENT * elements) && self.budget.look(&value) { value } else { Value::dynamic() }
    }

    /// The value, whose type is asked for, if that is within the budget.
    pub fn looked(&mut self, expr: &Expr) -> Value {
        let value = self.value(expr);
        if self.budget.asked(&value) { value } else { Value::dynamic() }
    }

    pub fn tell(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Tells an error about a part of the expression at hand; the result is unknown then.
    pub fn fail(&mut self, diagnostic: Diagnostic, about: &Expr) -> Value {
        let diagnostic = self.blame(diagnostic, about);
        self.tell(diagnostic);
        Value::dynamic()
    }

    pub fn failed_since(&self, before: usize) -> bool {
        self.diagnostics.iter().skip(before).any(Diagnostic::is_error)
    }

    fn blame_since(&mut self, before: usize, about: &Expr) {
        if self.diagnostics.len() > before {
            let values = self.values_of(about, false, false);
            for diagnostic in self.diagnostics.iter_mut().skip(before) {
                if diagnostic.values.is_empty() {
                    diagnostic.values = values.clone();
                }
            }
        }
    }

    pub fn blame(&mut self, mut diagnostic: Diagnostic, about: &Expr) -> Diagnostic {
        diagnostic.values = self.values_of(about, false, false);
        diagnostic
    }

    /// The lines that say what the references of an expression are.
    pub fn values_of(&mut self, about: &Expr, of_unknown: bool, of_sensitive: bool) -> Vec<(String, String)> {
        let kept = std::mem::take(&mut self.diagnostics);
        let mut lines: BTreeMap<String, String> = BTreeMap::new();
        for reference in about.references() {
            let mut short = reference.clone();
            while !short.steps.is_empty() {
                self.diagnostics.clear();
                let value = self.variable(&short);
                if self.diagnostics.is_empty() {
                    let name = reference_text(&short);
                    // What is quoted again and again is paid for each time.
                    let statement = text::statement(&value, of_unknown, of_sensitive);
                    if let Some(statement) = statement.filter(|text| self.budget.spend(text.len() as u64)) {
                        lines.entry(name).or_insert(statement);
                    }
                    break;
                }
                short.steps.pop();
            }
        }
        self.diagnostics = kept;
        lines.into_iter().collect()
    }

    pub fn variable(&mut self, traversal: &Traversal) -> Value {
        if let Some((_, value)) = self.bound.iter().rev().find(|(name, _)| *name == traversal.root) {
            let value = value.clone();
            return self.follow(value, &traversal.steps);
        }
        match self.scope.lookup(traversal) {
            Ok(Some((value, taken))) => self.follow(value, traversal.steps.get(taken..).unwrap_or_default()),
            Ok(None) => {
                let hint = did_you_mean(&traversal.root, self.bound.iter().map(|(name, _)| name.as_str()));
                let detail = format!("There is no variable named \"{}\".{hint}", traversal.root);
                self.tell(Diagnostic::error("Unknown variable", detail, &traversal.root_range));
                Value::dynamic()
            }
            Err(found) => {
                self.diagnostics.extend(found);
                Value::dynamic()
            }
        }
    }

    pub fn follow(&mut self, value: Value, steps: &[Step]) -> Value {
        let mut value = value;
        for step in steps {
            let next = match &step.kind {
                StepKind::Attribute(name) => access::attribute(&value, name, &step.range),
                StepKind::Index(key) => access::index(&value, key, &step.range),
            };
            match next {
                Ok(next) => value = next,
                Err(diagnostic) => {
                    self.tell(*diagnostic);
                    return Value::dynamic();
                }
            }
        }
        value
    }

    fn object(&mut self, items: &[Item]) -> Value {
        let mut entries = BTreeMap::new();
        let mut known = true;
        let mut marks = Marks::NONE;
        for item in items {
            if let ExprKind::Variable(traversal) = &item.key.kind
                && !traversal.steps.is_empty()
            {
                let detail = "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as a literal name containing periods, wrap it in quotes to create a string literal.";
                self.tell(Diagnostic::error("Ambiguous attribute key", detail, &item.key.range));
                self.value(&item.value);
                known = false;
                continue;
            }
            let before = self.diagnostics.len();
            let key = self.value(&item.key);
            let key_failed = self.failed_since(before);
            let value = self.value(&item.value);
            if key_failed {
                known = false;
                continue;
            }
            if key.is_null() {
                let diagnostic =
                    Diagnostic::error("Null value as key", "Can't use a null value as a key.", &item.value.range);
                self.fail(diagnostic, &item.key);
                known = false;
                continue;
            }
            let (key, key_marks) = key.unmark();
            marks = marks | key_marks;
            match convert(&key, &Type::String) {
                Ok(key) => match key.as_str() {
                    Some(text) => {
                        entries.insert(SmolStr::from(text), value);
                    }
                    None => known = false,
                },
                Err(error) => {
                    let detail = format!("Can't use this value as a key: {error}.");
                    self.fail(Diagnostic::error("Incorrect key type", detail, &item.key.range), &item.key);
                    known = false;
                }
            }
        }
        if known { Value::object(entries).with_marks(marks) } else { Value::dynamic() }
    }

    fn template(&mut self, parts: &[Expr], whole: &Range) -> Value {
        let summary = "Invalid template interpolation value";
        let before = self.diagnostics.len();
        let mut text = String::new();
        let mut known = true;
        let mut marks = Marks::NONE;
        for part in parts {
            let value = self.value(part);
            if value.is_null() {
                let detail = "The expression result is null. Cannot include a null value in a string template.";
                self.fail(Diagnostic::error(summary, detail, &part.range).in_context(whole), part);
                continue;
            }
            let (value, own) = value.unmark();
            marks = marks | own;
            if !value.is_known() {
                if let Kind::Unknown(_, refinement) = &value.kind
                    && known
                {
                    text.push_str(&refinement.prefix);
                }
                known = false;
                continue;
            }
            match convert(&value, &Type::String) {
                Ok(piece) => {
                    if known {
                        text.push_str(piece.as_str().unwrap_or_default());
                    }
                }
                Err(error) => {
                    let detail = format!("Cannot include the given value in a string template: {error}.");
                    self.fail(Diagnostic::error(summary, detail, &part.range).in_context(whole), part);
                }
            }
        }
        if known && !self.failed_since(before) {
            return Value::string(text).with_marks(marks);
        }
        if known {
            return Value::string(text).with_marks(marks);
        }
        // The last character may yet be joined by what follows, but for signs that nothing joins.
        let closed = |c: char| c == '\t' || c == ' ' || c.is_ascii_punctuation() && !"<=>`".contains(c);
        if !text.ends_with(closed) {
            text.pop();
        }
        let prefix =
            if self.failed_since(before) { "".into() } else { text.chars().take(128).collect::<String>().into() };
        let kind = Kind::Unknown(Type::String, Refinement { not_null: true, prefix });
        Value { kind, marks }
    }

    fn join(&mut self, tuple: &Expr, expr: &Expr) -> Value {
        let summary = "Invalid template interpolation value";
        let value = self.value(tuple);
        let (value, mut marks) = value.unmark();
        let Kind::Tuple(items) = &value.kind else { return Value::unknown(Type::String).with_marks(marks) };
        let mut text = String::new();
        for item in items.iter() {
            if item.is_null() {
                let detail = "An iteration result is null. Cannot include a null value in a string template.";
                self.fail(Diagnostic::error(summary, detail, &expr.range), expr);
                continue;
            }
            match convert(item, &Type::String) {
                Ok(piece) => match piece.as_str() {
                    Some(own) => {
                        text.push_str(own);
                        marks = marks | piece.marks;
                    }
                    None => return Value::unknown(Type::String).with_marks(marks),
                },
                Err(error) => {
                    let detail =
                        format!("Cannot include one of the interpolation results into the string template: {error}.");
                    self.fail(Diagnostic::error(summary, detail, &expr.range), expr);
                }
            }
        }
        Value::string(text).with_marks(marks)
    }
}

/// A reference as error texts name it.
pub fn reference_text(reference: &Traversal) -> String {
    let mut out = reference.root.to_string();
    for step in &reference.steps {
        match &step.kind {
            StepKind::Attribute(name) => {
                out.push('.');
                out.push_str(name);
            }
            StepKind::Index(key) => {
                out.push('[');
                out.push_str(&text::short(key));
                out.push(']');
            }
        }
    }
    out
}
