//! Bodies to objects by a schema: arguments converted, blocks gathered, `dynamic` blocks expanded (upstream:
//! hashicorp/hcl's hcldec and dynblock).

use crate::base::BTreeMap;

use super::blocks::unexpected;
use crate::base::SmolStr;
use crate::terraform::eval::{self, Scope};
use crate::terraform::hcl::{Attribute, Block, Body, Diagnostic, Expr, Range, Traversal, has_errors};
use crate::terraform::schema::{BlockSchema, NestedSchema, Nesting};
use crate::terraform::value::{self, Kind, Marks, Type, Value};

/// How many blocks a `dynamic` block may make.
const MOST_BLOCKS: usize = 10_000;

/// The object a body means. What is wrong is told; the parts concerned are unknown then.
pub fn decode(body: &Body, schema: &BlockSchema, scope: &dyn Scope) -> (Value, Vec<Diagnostic>) {
    let mut decoder = Decoder { diagnostics: Vec::new(), late: Vec::new() };
    let value = decoder.body(body, schema, scope);
    let mut found = decoder.diagnostics;
    if !has_errors(&found) {
        found.extend(decoder.late);
    }
    (value, found)
}

/// Everything a body refers to, `dynamic` iterators left out.
pub fn references(body: &Body) -> Vec<Traversal> {
    borrowed(body).into_iter().cloned().collect()
}

pub fn borrowed(body: &Body) -> Vec<&Traversal> {
    let mut found = Vec::new();
    body_references(body, &mut Vec::new(), &mut found);
    found
}

fn body_references<'a>(body: &'a Body, bound: &mut Vec<SmolStr>, found: &mut Vec<&'a Traversal>) {
    let add = |expr: &'a Expr, bound: &[SmolStr], found: &mut Vec<&'a Traversal>| {
        found.extend(expr.references().into_iter().filter(|r| !bound.contains(&r.root)));
    };
    for attribute in &body.attributes {
        add(&attribute.expression, bound, found);
    }
    for block in &body.blocks {
        if block.kind != "dynamic" {
            body_references(&block.body, bound, found);
            continue;
        }
        for attribute in &block.body.attributes {
            if attribute.name != "iterator" {
                add(&attribute.expression, bound, found);
            }
        }
        bound.push(iterator(block));
        for content in block.body.blocks_of("content") {
            body_references(&content.body, bound, found);
        }
        bound.pop();
    }
}

fn iterator(block: &Block) -> SmolStr {
    let named = block.body.attribute("iterator").and_then(|attribute| attribute.expression.keyword().cloned());
    named.or_else(|| block.labels.first().cloned()).unwrap_or_default()
}

struct Decoder {
    diagnostics: Vec<Diagnostic>,
    /// What the provider would say, which is asked only about bodies without faults.
    late: Vec<Diagnostic>,
}

/// One block of a type, with the scope its `dynamic` iterator adds.
struct Found<'a> {
    body: &'a Body,
    labels: Vec<SmolStr>,
    range: Range,
    bound: Vec<(SmolStr, Value)>,
    marks: Marks,
}

impl Decoder {
    fn body(&mut self, body: &Body, schema: &BlockSchema, scope: &dyn Scope) -> Value {
        let arguments: Vec<String> =
            schema.attributes.iter().filter(|a| a.required || a.optional).map(|a| a.name.to_string()).collect();
        let mut blocks: Vec<String> = schema.blocks.iter().map(|nested| nested.name.to_string()).collect();
        if !schema.blocks.is_empty() {
            blocks.push("dynamic".into());
        }
        let computed: Vec<&str> =
            schema.attributes.iter().filter(|a| !(a.required || a.optional)).map(|a| a.name.as_str()).collect();
        let is_computed = |attribute: &&Attribute| computed.contains(&attribute.name.as_str());
        for attribute in body.attributes.iter().filter(is_computed) {
            let detail = format!(
                "Can't configure a value for \"{}\": its value will be decided automatically based on the result of applying this configuration.",
                attribute.name
            );
            self.late.push(Diagnostic::error("Value for unconfigurable attribute", detail, &attribute.name_range));
        }
        let mut plain = body.attributes.iter().filter(|attribute| !is_computed(attribute));
        unexpected(body, &mut plain, &arguments, &blocks, &mut self.diagnostics);
        let mut values = BTreeMap::new();
        for attribute in &schema.attributes {
            let value = match body.attribute(&attribute.name) {
                Some(given) if attribute.required || attribute.optional => {
                    let describe = |reason: &str| {
                        let detail = format!("Inappropriate value for attribute \"{}\": {reason}.", attribute.name);
                        Diagnostic::error("Incorrect attribute value type", detail, &given.expression.range)
                    };
                    let (value, found) = eval::eval_as(&given.expression, scope, &attribute.ty, &describe);
                    let failed = has_errors(&found);
                    self.diagnostics.extend(found);
                    if attribute.required && value.is_null() && !failed {
                        let detail =
                            format!("The argument \"{}\" is required, but no definition was found.", attribute.name);
                        self.diagnostics.push(Diagnostic::error("Missing required argument", detail, &given.range));
                    }
                    value
                }
                _ => {
                    if attribute.required {
                        super::blocks::missing_at(&body.missing_range(), &attribute.name, &mut self.diagnostics);
                    }
                    Value::null(attribute.ty.clone())
                }
            };
            values.insert(attribute.name.clone(), value);
        }
        for nested in &schema.blocks {
            values.insert(nested.name.clone(), self.nested(body, nested, scope));
        }
        Value::object(values)
    }

    fn nested(&mut self, body: &Body, nested: &NestedSchema, scope: &dyn Scope) -> Value {
        let mut found = Vec::new();
        let mut unknown = false;
        for block in &body.blocks {
            if block.kind == nested.name {
                let range = block.header_range();
                found.push(Found {
                    body: &block.body,
                    labels: block.labels.clone(),
                    range,
                    bound: Vec::new(),
                    marks: Marks::NONE,
                });
            } else if block.kind == "dynamic" && block.labels.first() == Some(&nested.name) {
                unknown |= !self.dynamic(block, scope, &mut found);
            }
        }
        if unknown {
            return Value::unknown(nested.implied_type());
        }
        let limit = if nested.nesting == Nesting::Single { 1 } else { nested.max as usize };
        if limit > 0
            && let Some(extra) = found.get(limit)
        {
            let (summary, detail) = if nested.nesting == Nesting::Single {
                let detail = format!(
                    "Only one block of type \"{}\" is allowed. Previous definition was at {}.",
                    nested.name,
                    found.first().map(|f| f.range.text()).unwrap_or_default()
                );
                (format!("Duplicate {} block", nested.name), detail)
            } else {
                let detail = format!("No more than {limit} \"{}\" blocks are allowed", nested.name);
                (format!("Too many {} blocks", nested.name), detail)
            };
            self.diagnostics.push(Diagnostic::error(summary, detail, &extra.range));
        }
        if found.len() < nested.min as usize {
            let detail = format!("At least {} \"{}\" blocks are required.", nested.min, nested.name);
            let range = body.missing_range();
            self.diagnostics.push(Diagnostic::error(format!("Insufficient {} blocks", nested.name), detail, &range));
        }
        let mut items = Vec::with_capacity(found.len());
        let mut marks = Marks::NONE;
        for block in &found {
            let inner = Bound { outer: scope, bound: &block.bound };
            items.push(self.body(block.body, &nested.block, &inner));
            marks = marks | block.marks;
        }
        let element = nested.block.implied_type();
        let value = match nested.nesting {
            Nesting::Single => items.into_iter().next().unwrap_or_else(|| Value::null(element)),
            Nesting::List => Value::list(element, items),
            Nesting::Set => Value::set(element, items),
            Nesting::Map => {
                let key = |block: &Found<'_>| block.labels.first().cloned().unwrap_or_default();
                Value::map(element, found.iter().map(key).zip(items).collect())
            }
        };
        value.with_marks(marks)
    }

    /// The blocks a `dynamic` block makes; whether they are known.
    fn dynamic<'a>(&mut self, block: &'a Block, scope: &dyn Scope, out: &mut Vec<Found<'a>>) -> bool {
        let Some(each) = block.body.attribute("for_each") else {
            super::blocks::missing(&block.body, "for_each", &mut self.diagnostics);
            return true;
        };
        let Some(content) = block.body.blocks_of("content").next() else {
            let detail = "A dynamic block must have a nested block of type \"content\" to describe the body of each generated block.";
            self.diagnostics.push(Diagnostic::error("Missing \"content\" block", detail, &block.body.end));
            return true;
        };
        let (value, diagnostics) = eval::eval(&each.expression, scope);
        let failed = has_errors(&diagnostics);
        self.diagnostics.extend(diagnostics);
        if failed {
            return true;
        }
        let (value, marks) = value.unmark();
        if !value.is_known() {
            return false;
        }
        let Some(elements) = value.elements().filter(|_| !value.is_null()) else {
            let detail = if value.is_null() {
                "Cannot use a null value in for_each.".to_string()
            } else {
                format!("Cannot use a {} value in for_each. An iterable collection is required.", value.ty().friendly())
            };
            let error = Diagnostic::error("Invalid dynamic for_each value", detail, &each.expression.range);
            self.diagnostics.push(eval::blame(error, &each.expression, scope));
            return true;
        };
        if elements.len() + out.len() > MOST_BLOCKS {
            let detail = format!("More than {MOST_BLOCKS} blocks are not simulated here.");
            self.diagnostics.push(Diagnostic::error("Too many blocks", detail, &each.expression.range));
            return true;
        }
        let name = iterator(block);
        for (key, element) in elements {
            let pair = BTreeMap::from([("key".into(), key), ("value".into(), element)]);
            out.push(Found {
                body: &content.body,
                labels: Vec::new(),
                range: block.header_range(),
                bound: vec![(name.clone(), Value::object(pair))],
                marks,
            });
        }
        true
    }
}

/// A scope with some names more.
pub struct Bound<'a> {
    pub outer: &'a dyn Scope,
    pub bound: &'a [(SmolStr, Value)],
}

impl Scope for Bound<'_> {
    fn lookup(&self, reference: &Traversal) -> Result<Option<(Value, usize)>, Vec<Diagnostic>> {
        match self.bound.iter().find(|(name, _)| *name == reference.root) {
            Some((_, value)) => Ok(Some((value.clone(), 0))),
            None => self.outer.lookup(reference),
        }
    }

    fn files(&self) -> Option<&dyn eval::Files> {
        self.outer.files()
    }

    fn impure(&self, function: &str) -> Option<Value> {
        self.outer.impure(function)
    }

    fn budget(&self) -> Option<&eval::Budget> {
        self.outer.budget()
    }
}

/// The value as one of the type, which it fits or nearly fits; null of the type where it does not.
pub fn conform(value: &Value, ty: &Type) -> Value {
    match &value.kind {
        Kind::Null(_) => Value::null(ty.clone()).with_marks(value.marks),
        _ => value::convert(value, ty).unwrap_or_else(|_| Value::null(ty.clone())),
    }
}
