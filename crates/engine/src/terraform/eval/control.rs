//! Conditionals, `for` and splats.

use crate::base::BTreeMap;

use super::machine::Machine;
use crate::base::SmolStr;
use crate::terraform::hcl::{Conditional, Diagnostic, Expr, For, Splat};
use crate::terraform::value::{Kind, Marks, Type, Value, convert, unify};

/// What an `if` clause says of one element.
enum Included {
    Yes,
    No,
    /// Unknown, or an error that was told.
    Open,
}

impl Machine<'_> {
    pub fn conditional(&mut self, it: &Conditional, whole: &Expr) -> Value {
        let start = self.diagnostics.len();
        let yes = self.looked(&it.yes);
        let yes_told = self.diagnostics.split_off(start);
        let no = self.looked(&it.no);
        let no_told = self.diagnostics.split_off(start);
        let bare_null = |value: &Value| value.kind == Kind::Null(Type::Dynamic) && value.marks.is_empty();
        let (yes_type, no_type) = (yes.ty(), no.ty());
        let ty = if bare_null(&yes) {
            Some(no_type.clone())
        } else if bare_null(&no) {
            Some(yes_type.clone())
        } else if yes_type == Type::Dynamic || no_type == Type::Dynamic {
            Some(Type::Dynamic)
        } else {
            unify(&[yes_type.clone(), no_type.clone()], true)
        };
        let inconsistent = "Inconsistent conditional result types";
        let Some(ty) = ty else {
            let detail = format!(
                "The true and false result expressions must have consistent types. {}.",
                describe_difference(&yes_type, &no_type)
            );
            let range = it.yes.range.to(&it.no.range);
            return self.fail(Diagnostic::error(inconsistent, detail, &range).in_context(&whole.range), whole);
        };
        let condition = self.value(&it.condition);
        if condition.is_null() {
            let detail = "The condition value is null. Conditions must either be true or false.";
            let diagnostic = Diagnostic::error("Null condition", detail, &it.condition.range).in_context(&whole.range);
            self.fail(diagnostic, &it.condition);
            return Value::unknown(ty);
        }
        let (condition, marks) = condition.unmark();
        let (yes, yes_marks) = yes.unmark();
        let (no, no_marks) = no.unmark();
        let marks = marks | yes_marks | no_marks;
        if !condition.is_known() {
            if yes.is_null() && no.is_null() {
                return Value::null(ty).with_marks(marks);
            }
            let certain = yes.is_certainly_not_null() && no.is_certainly_not_null();
            return if certain { Value::unknown_not_null(ty) } else { Value::unknown(ty) }.with_marks(marks);
        }
        let Some(truth) = convert(&condition, &Type::Bool).ok().and_then(|condition| condition.as_bool()) else {
            let detail = "The condition expression must be of type bool.";
            let diagnostic =
                Diagnostic::error("Incorrect condition type", detail, &it.condition.range).in_context(&whole.range);
            self.fail(diagnostic, &it.condition);
            return Value::unknown(ty);
        };
        let (value, told, taken, name) =
            if truth { (yes, yes_told, &it.yes, "true") } else { (no, no_told, &it.no, "false") };
        self.diagnostics.extend(told);
        if ty == Type::Dynamic {
            return value.with_marks(marks);
        }
        match convert(&value, &ty) {
            Ok(value) => value.with_marks(marks),
            Err(error) => {
                let detail = format!("The {name} result value has the wrong type: {error}.");
                self.fail(Diagnostic::error(inconsistent, detail, &taken.range).in_context(&whole.range), taken);
                Value::unknown(ty).with_marks(marks)
            }
        }
    }

    pub fn for_each(&mut self, it: &For, whole: &Expr) -> Value {
        let collection = self.looked(&it.collection);
        let refuse = |machine: &mut Self, summary: &str, detail: &str| {
            let diagnostic = Diagnostic::error(summary, detail, &it.collection.range).in_context(&whole.range);
            machine.fail(diagnostic, &it.collection)
        };
        if collection.is_null() {
            let detail = "A null value cannot be used as the collection in a 'for' expression.";
            return refuse(self, "Iteration over null value", detail);
        }
        let ty = collection.ty();
        if ty == Type::Dynamic {
            return Value::dynamic();
        }
        let (collection, mut marks) = collection.unmark();
        if ty.is_primitive() {
            let detail =
                format!("A value of type {} cannot be used as the collection in a 'for' expression.", ty.friendly());
            return refuse(self, "Iteration over non-iterable value", &detail);
        }
        if let Some(condition) = &it.condition {
            match self.probe_condition(it, condition, whole) {
                Some(own) if !collection.is_known() => marks = marks | own,
                Some(_) => {}
                None => return Value::dynamic(),
            }
        }
        let Some(elements) = collection.elements() else { return Value::dynamic().with_marks(marks) };
        let mut items = Vec::new();
        let mut groups: BTreeMap<SmolStr, Vec<Value>> = BTreeMap::new();
        let mut known = true;
        for (key, value) in elements {
            if self.budget.is_spent() {
                return Value::dynamic();
            }
            let depth = self.bound.len();
            if let Some(name) = &it.key_name {
                self.bound.push((name.clone(), key));
            }
            self.bound.push((it.value_name.clone(), value));
            match self.included(it, whole, &mut marks, known) {
                Included::Open => known = false,
                Included::No => {}
                Included::Yes => match &it.key {
                    None => items.push(self.value(&it.value)),
                    Some(key) => known = self.keyed(it, key, whole, &mut groups, &mut marks, known) && known,
                },
            }
            self.bound.truncate(depth);
        }
        let value = if !known {
            Value::dynamic()
        } else if it.key.is_none() {
            Value::tuple(items)
        } else if it.group {
            Value::object(groups.into_iter().map(|(key, values)| (key, Value::tuple(values))).collect())
        } else {
            let first = |(key, mut values): (SmolStr, Vec<Value>)| Some((key, values.drain(..).next()?));
            Value::object(groups.into_iter().filter_map(first).collect())
        };
        value.with_marks(marks)
    }

    /// The condition with unknown names: errors of its type are told once, not for every element.
    fn probe_condition(&mut self, it: &For, condition: &Expr, whole: &Expr) -> Option<Marks> {
        let depth = self.bound.len();
        let before = self.diagnostics.len();
        if let Some(name) = &it.key_name {
            self.bound.push((name.clone(), Value::dynamic()));
        }
        self.bound.push((it.value_name.clone(), Value::dynamic()));
        let result = self.value(condition);
        self.bound.truncate(depth);
        let failed = self.failed_since(before);
        let (summary, detail) = if result.is_null() {
            ("Condition is null", "The value of the 'if' clause must not be null.".to_owned())
        } else if let Err(error) = convert(&result, &Type::Bool) {
            ("Invalid 'for' condition", format!("The 'if' clause value is invalid: {error}."))
        } else {
            return (!failed).then_some(result.marks);
        };
        self.fail(Diagnostic::error(summary, detail, &condition.range).in_context(&whole.range), condition);
        None
    }

    fn included(&mut self, it: &For, whole: &Expr, marks: &mut Marks, tell: bool) -> Included {
        let Some(condition) = &it.condition else { return Included::Yes };
        let result = self.value(condition);
        let detail = if result.is_null() {
            "The value of the 'if' clause must not be null.".to_owned()
        } else {
            *marks = *marks | result.marks;
            match convert(&result, &Type::Bool) {
                Ok(value) => {
                    return match value.as_bool() {
                        Some(true) => Included::Yes,
                        Some(false) => Included::No,
                        None => Included::Open,
                    };
                }
                Err(error) => format!("The 'if' clause value is invalid: {error}."),
            }
        };
        if tell {
            let diagnostic = Diagnostic::error("Invalid 'for' condition", detail, &condition.range);
            self.fail(diagnostic.in_context(&whole.range), condition);
        }
        Included::Open
    }

    /// One element of an object; false when its key is not known.
    fn keyed(
        &mut self,
        it: &For,
        key_expr: &Expr,
        whole: &Expr,
        groups: &mut BTreeMap<SmolStr, Vec<Value>>,
        marks: &mut Marks,
        tell: bool,
    ) -> bool {
        let (key, own) = self.value(key_expr).unmark();
        let refuse = |machine: &mut Self, summary: &str, detail: String| {
            let diagnostic = Diagnostic::error(summary, detail, &key_expr.range).in_context(&whole.range);
            machine.fail(diagnostic, key_expr);
        };
        if key.is_null() {
            if tell {
                let detail = "Key expression in 'for' expression must not produce a null value.";
                refuse(self, "Invalid object key", detail.into());
            }
            return false;
        }
        *marks = *marks | own;
        if !key.is_known() {
            return false;
        }
        let name: SmolStr = match convert(&key, &Type::String) {
            Ok(key) => key.as_str().unwrap_or_default().into(),
            Err(error) => {
                if tell {
                    let detail = format!("The key expression produced an invalid result: {error}.");
                    refuse(self, "Invalid object key", detail);
                }
                return false;
            }
        };
        let value = self.value(&it.value);
        if !it.group && groups.contains_key(&name) {
            let detail = format!(
                "Two different items produced the key {} in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.",
                crate::base::goquote::quote(&name)
            );
            refuse(self, "Duplicate object key", detail);
        } else {
            groups.entry(name).or_default().push(value);
        }
        true
    }

    pub fn splat(&mut self, it: &Splat, whole: &Expr) -> Value {
        let before = self.diagnostics.len();
        let source = self.looked(&it.source);
        if self.failed_since(before) {
            return Value::dynamic();
        }
        let ty = source.ty();
        let sequence = matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_));
        let marks = source.marks;
        if source.is_null() {
            if !sequence {
                return Value::tuple(Vec::new()).with_marks(marks);
            }
            let detail = "Splat expressions (with the * symbol) cannot be applied to null sequences.";
            let context = it.source.range.to(&it.marker_range);
            let diagnostic = Diagnostic::error("Splat of null value", detail, &it.source.range).in_context(&context);
            return self.fail(diagnostic, &it.source);
        }
        if ty == Type::Dynamic {
            return Value::dynamic().with_marks(marks);
        }
        if !sequence {
            // One value counts as a list of it, unless it may yet turn out to be null.
            let open = !source.is_certainly_not_null();
            let before = self.diagnostics.len();
            let item = self.each(it, source);
            if self.failed_since(before) {
                return Value::unknown(Type::tuple(vec![item.ty()])).with_marks(marks);
            }
            return if open { Value::dynamic().with_marks(marks) } else { Value::tuple(vec![item]).with_marks(marks) };
        }
        let (source, _) = source.unmark();
        let Some(items) = source.items() else {
            let ty = self.splat_type(it, &ty);
            return Value::unknown_not_null(ty).with_marks(marks);
        };
        let before = self.diagnostics.len();
        let values: Vec<Value> = items.iter().map(|item| self.each(it, item.clone())).collect();
        if self.failed_since(before) {
            let told = self.diagnostics.len();
            let ty = self.splat_type(it, &ty);
            self.diagnostics.truncate(told);
            return Value::unknown(ty).with_marks(marks);
        }
        if matches!(ty, Type::Tuple(_)) {
            return Value::tuple(values).with_marks(marks);
        }
        let Some(first) = values.first() else {
            let element = self.splat_type(it, &ty).element().cloned().unwrap_or_default();
            return Value::list(element, values).with_marks(marks);
        };
        let element = first.ty();
        if values.iter().any(|value| value.ty() != element) {
            let detail = "The second level of splat expression produced elements of different types, so it isn't possible to construct a valid list to represent the top-level result.\n\nConsider using a for expression instead, to produce a tuple-typed result which can therefore have non-homogenous element types.";
            let diagnostic = Diagnostic::error("Invalid nested splat expressions", detail, &it.each.range);
            self.tell(diagnostic.in_context(&whole.range));
            return Value::dynamic();
        }
        Value::list(element, values).with_marks(marks)
    }

    fn each(&mut self, it: &Splat, item: Value) -> Value {
        self.anonymous.push(item);
        let value = self.value(&it.each);
        self.anonymous.pop();
        value
    }

    /// The type of a splat whose elements are not known.
    fn splat_type(&mut self, it: &Splat, source: &Type) -> Type {
        match source {
            Type::Tuple(types) => {
                Type::tuple(types.iter().map(|ty| self.each(it, Value::unknown(ty.clone())).ty()).collect())
            }
            _ => {
                let element = source.element().cloned().unwrap_or_default();
                Type::list(self.each(it, Value::unknown(element)).ty())
            }
        }
    }
}

/// What differs between the results of a conditional, the outermost first.
fn describe_difference(yes: &Type, no: &Type) -> String {
    match (yes, no) {
        (Type::Object(a), Type::Object(b)) => {
            for (name, ty) in &a.attributes {
                match b.attributes.get(name) {
                    None => {
                        return format!(
                            "The 'true' value includes object attribute \"{name}\", which is absent in the 'false' value"
                        );
                    }
                    Some(other) if other != ty => {
                        return format!(
                            "Type mismatch for object attribute \"{name}\": {}",
                            describe_difference(ty, other)
                        );
                    }
                    Some(_) => {}
                }
            }
            if let Some(name) = b.attributes.keys().find(|name| !a.attributes.contains_key(*name)) {
                return format!(
                    "The 'false' value includes object attribute \"{name}\", which is absent in the 'true' value"
                );
            }
        }
        (Type::Tuple(a), Type::Tuple(b)) => {
            if a.len() != b.len() {
                return format!(
                    "The 'true' tuple has length {}, but the 'false' tuple has length {}",
                    a.len(),
                    b.len()
                );
            }
            if let Some((index, (a, b))) = a.iter().zip(b.iter()).enumerate().find(|(_, (a, b))| a != b) {
                return format!("Type mismatch for tuple element {index}: {}", describe_difference(a, b));
            }
        }
        (Type::List(a), Type::List(b)) | (Type::Map(a), Type::Map(b)) | (Type::Set(a), Type::Set(b))
            if matches!((&**a, &**b), (Type::Object(_), Type::Object(_)) | (Type::Tuple(_), Type::Tuple(_))) =>
        {
            let noun = match yes {
                Type::List(_) => "list",
                Type::Set(_) => "set",
                _ => "map",
            };
            return format!("Mismatched {noun} element types: {}", describe_difference(a, b));
        }
        _ => {}
    }
    let (yes, no) = (yes.friendly(), no.friendly());
    if yes == no {
        return "At least one deeply-nested attribute or element is not compatible across both the 'true' and the 'false' value".into();
    }
    format!("The 'true' value is {yes}, but the 'false' value is {no}")
}
