//! Operators: operands converted, unknown values carried along, `&&` and `||` decided by one side where that is enough.

use std::cmp::Ordering;

use super::machine::Machine;
use crate::terraform::hcl::{BinaryOp, Diagnostic, Expr, UnaryOp};
use crate::terraform::value::{Kind, Number, Type, Value, convert};

impl Machine<'_> {
    fn operand(&mut self, operand: &Expr, which: &str, ty: &Type, whole: &Expr, value: Value) -> Option<Value> {
        match convert(&value, ty) {
            Ok(value) => Some(value),
            Err(error) => {
                let detail = format!("Unsuitable value for {which} operand: {error}.");
                let diagnostic = Diagnostic::error("Invalid operand", detail, &operand.range).in_context(&whole.range);
                self.fail(diagnostic, operand);
                None
            }
        }
    }

    pub fn unary(&mut self, op: UnaryOp, operand: &Expr, whole: &Expr) -> Value {
        let ty = if op == UnaryOp::Not { Type::Bool } else { Type::Number };
        let before = self.diagnostics.len();
        let given = self.value(operand);
        let value = self.operand(operand, "unary", &ty, whole, given);
        let Some(value) = value.filter(|_| !self.failed_since(before)) else { return Value::unknown(ty) };
        let (value, marks) = value.unmark();
        let result = match &value.kind {
            Kind::Bool(truth) => Value::bool(!truth),
            Kind::Number(number) => Value::number(number.negate()),
            Kind::Null(_) => return self.operation_failed(whole, "argument must not be null", ty),
            _ => Value::unknown_not_null(ty),
        };
        result.with_marks(marks)
    }

    fn operation_failed(&mut self, whole: &Expr, reason: &str, ty: Type) -> Value {
        let detail = format!("Error during operation: {reason}.");
        self.fail(Diagnostic::error("Operation failed", detail, &whole.range), whole);
        Value::unknown(ty)
    }

    pub fn binary(&mut self, op: BinaryOp, sides: &(Expr, Expr), whole: &Expr) -> Value {
        use BinaryOp::*;
        let (wants, gives) = match op {
            Or | And => (Type::Bool, Type::Bool),
            Equal | NotEqual => (Type::Dynamic, Type::Bool),
            Greater | GreaterOrEqual | Less | LessOrEqual => (Type::Number, Type::Bool),
            _ => (Type::Number, Type::Number),
        };
        let start = self.diagnostics.len();
        // Whether they are equal is a question about all that is in them.
        let look = matches!(op, Equal | NotEqual);
        if matches!(op, Divide | Modulo) {
            self.budget.spend(50);
        }
        let left = if look { self.looked(&sides.0) } else { self.value(&sides.0) };
        let left_told = self.diagnostics.split_off(start);
        let right = if look { self.looked(&sides.1) } else { self.value(&sides.1) };
        let right_told = self.diagnostics.split_off(start);
        let left = self.operand(&sides.0, "left", &wants, whole, left);
        let right = self.operand(&sides.1, "right", &wants, whole, right);
        let (Some(left), Some(right)) = (left, right) else {
            self.diagnostics.extend(left_told);
            self.diagnostics.extend(right_told);
            return Value::unknown(gives);
        };
        let (left, left_marks) = left.unmark();
        let (right, right_marks) = right.unmark();
        let marks = left_marks | right_marks;
        if matches!(op, Or | And) {
            // A known null counts as false here.
            let is = |value: &Value, truth: bool| value.is_known() && (value.as_bool() == Some(true)) == truth;
            let decides = |value: &Value| is(value, op == Or);
            let passes = |value: &Value| is(value, op == And);
            let unknown = Value::unknown_not_null(Type::Bool);
            let left_failed = left_told.iter().any(Diagnostic::is_error);
            let decided = if !left.is_known() && !right.is_known() {
                (!left_failed).then_some((unknown, &left_told))
            } else if decides(&left) {
                Some((Value::bool(op == Or), &left_told))
            } else if decides(&right) {
                Some((Value::bool(op == Or), &right_told))
            } else if !left.is_known() && passes(&right) {
                Some((unknown, &left_told))
            } else if !right.is_known() && passes(&left) {
                Some((unknown, &right_told))
            } else {
                None
            };
            if let Some((value, told)) = decided {
                self.diagnostics.extend(told.iter().cloned());
                return value.with_marks(marks);
            }
        }
        self.diagnostics.extend(left_told);
        self.diagnostics.extend(right_told);
        if self.failed_since(start) {
            return Value::unknown(gives).with_marks(marks);
        }
        match operate(op, &left, &right) {
            Ok(value) => value.with_marks(marks),
            Err(reason) => self.operation_failed(whole, reason, gives),
        }
    }
}

fn operate(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, &'static str> {
    use BinaryOp::*;
    if matches!(op, Equal | NotEqual) {
        let equal = equals(left, right);
        return Ok(match op {
            NotEqual => negated(equal),
            _ => equal,
        });
    }
    if left.is_null() || right.is_null() {
        return Err("argument must not be null");
    }
    if matches!(op, Or | And) {
        let (Some(a), Some(b)) = (left.as_bool(), right.as_bool()) else {
            return Ok(Value::unknown_not_null(Type::Bool));
        };
        return Ok(Value::bool(if op == Or { a || b } else { a && b }));
    }
    let compares = matches!(op, Greater | GreaterOrEqual | Less | LessOrEqual);
    let (Some(a), Some(b)) = (left.as_number(), right.as_number()) else {
        return Ok(Value::unknown_not_null(if compares { Type::Bool } else { Type::Number }));
    };
    if compares {
        let order = a.compare(b);
        return Ok(Value::bool(match op {
            Greater => order == Ordering::Greater,
            GreaterOrEqual => order != Ordering::Less,
            Less => order == Ordering::Less,
            _ => order != Ordering::Greater,
        }));
    }
    let result: Option<Number> = match op {
        Add => a.add(b),
        Subtract => a.subtract(b),
        Multiply => a.multiply(b),
        Divide => a.divide(b),
        _ => a.modulo(b),
    };
    result.map(Value::number).ok_or(match op {
        Add => "can't compute sum of opposing infinities",
        Subtract => "can't subtract infinity from itself",
        Multiply => "can't multiply zero by infinity",
        Divide => "can't divide zero by zero or infinity by infinity",
        _ => "can't use modulo with zero and infinity",
    })
}

fn negated(value: Value) -> Value {
    match value.as_bool() {
        Some(truth) => Value::bool(!truth).with_marks(value.marks),
        None => value,
    }
}

/// Whether two values are equal; unknown when that is not decided yet. Marks anywhere in them mark the answer.
pub fn equals(left: &Value, right: &Value) -> Value {
    let (left, left_marks) = left.clone().unmark_deep();
    let (right, right_marks) = right.clone().unmark_deep();
    let answer = match equal(&left, &right) {
        Some(truth) => Value::bool(truth),
        None => Value::unknown_not_null(Type::Bool),
    };
    answer.with_marks(left_marks | right_marks)
}

fn equal(left: &Value, right: &Value) -> Option<bool> {
    if let Some(answer) = decided(left, right) {
        return answer;
    }
    let (a, b) = (left.ty(), right.ty());
    if a != b {
        let open = |value: &Value, ty: &Type| !value.is_known() && ty.has_dynamic();
        if open(left, &a) || open(right, &b) {
            return None;
        }
    }
    let open = open_inside(left) || open_inside(right);
    if left.is_known() && right.is_known() && open {
        // A bare null inside leaves its type open: only what can never become one type is decided.
        return if conforms(&a, &b) || conforms(&b, &a) { None } else { Some(false) };
    }
    if a != b {
        return Some(false);
    }
    alike(left, right)
}

/// What null and a known prefix decide.
fn decided(left: &Value, right: &Value) -> Option<Option<bool>> {
    match (&left.kind, &right.kind) {
        (Kind::Null(_), Kind::Null(_)) => Some(Some(true)),
        (Kind::Null(_), Kind::Unknown(_, refinement)) | (Kind::Unknown(_, refinement), Kind::Null(_)) => {
            Some(if refinement.not_null { Some(false) } else { None })
        }
        (Kind::Null(_), _) | (_, Kind::Null(_)) => Some(Some(false)),
        (Kind::Unknown(_, refinement), Kind::String(text)) | (Kind::String(text), Kind::Unknown(_, refinement))
            if !text.starts_with(refinement.prefix.as_str()) =>
        {
            Some(Some(false))
        }
        _ => None,
    }
}

/// Two values of one type that leaves nothing open; so what stands in them has one type too.
fn alike(left: &Value, right: &Value) -> Option<bool> {
    if let Some(answer) = decided(left, right) {
        return answer;
    }
    if !left.is_known() || !right.is_known() {
        return None;
    }
    match (&left.kind, &right.kind) {
        (Kind::Set(..), Kind::Set(..)) => (left.is_wholly_known() && right.is_wholly_known()).then_some(left == right),
        (Kind::Map(_, a), Kind::Map(_, b)) | (Kind::Object(a), Kind::Object(b)) => {
            if !a.keys().eq(b.keys()) {
                return Some(false);
            }
            all_equal(a.values().zip(b.values()))
        }
        _ => match (left.items(), right.items()) {
            (Some(a), Some(b)) if a.len() != b.len() => Some(false),
            (Some(a), Some(b)) => all_equal(a.iter().zip(b)),
            _ => Some(left == right),
        },
    }
}

/// Whether a bare null stands in it.
fn open_inside(value: &Value) -> bool {
    matches!(&value.kind, Kind::Null(Type::Dynamic) | Kind::Unknown(Type::Dynamic, _))
        || value.children().any(open_inside)
}

/// Whether a type is the other one, where that leaves nothing open.
fn conforms(ty: &Type, to: &Type) -> bool {
    match (ty, to) {
        (_, Type::Dynamic) => true,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => conforms(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| conforms(a, b)),
        (Type::Object(a), Type::Object(b)) => {
            a.attributes.keys().eq(b.attributes.keys())
                && a.attributes.values().zip(b.attributes.values()).all(|(a, b)| conforms(a, b))
        }
        _ => ty == to,
    }
}

fn all_equal<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Option<bool> {
    let mut decided = true;
    for (a, b) in pairs {
        match alike(a, b) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => decided = false,
        }
    }
    decided.then_some(true)
}
