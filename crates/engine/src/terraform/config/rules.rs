//! Rules of the language that hold for a block before anything is evaluated: quoted references, what conditions,
//! destroy provisioners, moves, removals and imports may name.

use super::blocks::check;
use crate::base::SmolStr;
use crate::terraform::address::Mode;
use crate::terraform::config::ResourceName;
use crate::terraform::core::{Subject, subject};
use crate::terraform::hcl::{Body, Diagnostic, Expr, ExprKind, Range, Traversal, parse_traversal_at};
use crate::terraform::value::{self, Type, Value};

pub type Found = Vec<Diagnostic>;

const STATIC: &str = "A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.";

/// A constant as a value of the type, as settings of the language itself are read.
pub fn constant(expr: &Expr, ty: &Type, found: &mut Found) -> Option<Value> {
    let (value, diagnostics) = crate::terraform::eval::eval_constant(expr);
    let known = value.is_wholly_known();
    found.extend(diagnostics);
    let reason = match value::convert(&value, ty) {
        Ok(value) if known => return Some(value),
        Ok(_) => "value must be known".to_string(),
        Err(error) => error.with_path(),
    };
    let error = Diagnostic::error("Unsuitable value type", format!("Unsuitable value: {reason}"), &expr.start_range());
    found.push(error.in_context(&expr.range));
    None
}

/// The text of a quoted string as it was written, quotes and all.
fn quoted(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Template(_) => expr.literal_str(),
        ExprKind::Literal(value) => value.as_str(),
        _ => None,
    }
}

/// A reference, or one in quotes as older configurations have it.
pub fn reference(expr: &Expr, found: &mut Found) -> Option<Traversal> {
    if let Some(text) = quoted(expr) {
        let mut start = expr.range.start;
        (start.column, start.byte) = (start.column + 1, start.byte + 1);
        let parsed = parse_traversal_at(&expr.range.file, text, start);
        let detail = "In this context, references are expected literally rather than in quotes. Terraform 0.11 and earlier required quotes, but quoted references are now deprecated and will be removed in a future version of Terraform. Remove the quotes surrounding this reference to silence this warning.";
        let warning = Diagnostic::warning("Quoted references are deprecated", detail, &expr.range);
        return match parsed {
            Ok(traversal) => {
                found.push(warning);
                Some(traversal)
            }
            Err(error) => {
                found.extend([*error, warning]);
                None
            }
        };
    }
    let traversal = expr.traversal();
    if traversal.is_none() {
        found.push(Diagnostic::error("Invalid expression", STATIC, &expr.range));
    }
    traversal.cloned()
}

/// A list written as one.
pub fn list<'a>(expr: &'a Expr, found: &mut Found) -> &'a [Expr] {
    match &expr.kind {
        ExprKind::Tuple(items) => items,
        _ => {
            found.push(Diagnostic::error(
                "Invalid expression",
                "A static list expression is required.",
                &expr.start_range(),
            ));
            &[]
        }
    }
}

/// A keyword, which older configurations have in quotes.
pub fn keyword(body: &Body, name: &str, words: [&str; 2], found: &mut Found) -> Option<SmolStr> {
    let expr = &body.attribute(name)?.expression;
    let word = match quoted(expr) {
        Some(text) => {
            let detail = "In this context, keywords are expected literally rather than in quotes. Terraform 0.11 and earlier required quotes, but quoted keywords are now deprecated and will be removed in a future version of Terraform. Remove the quotes surrounding this keyword to silence this warning.";
            found.push(Diagnostic::warning("Quoted keywords are deprecated", detail, &expr.range));
            Some(SmolStr::from(text))
        }
        None => expr.keyword().cloned(),
    };
    let fits = word.filter(|word| words.contains(&word.as_str()));
    if fits.is_none() {
        let [first, second] = words;
        let detail = format!("The \"{name}\" argument requires one of the following keywords: {first} or {second}.");
        found.push(Diagnostic::error(format!("Invalid \"{name}\" keyword"), detail, &expr.range));
    }
    fits
}

/// A provider's source and version as required.
pub fn requirement(expr: &Expr, source: &str, version: Option<&str>, found: &mut Found) {
    let part = |name: &str| match &expr.kind {
        ExprKind::Object(items) => {
            items.iter().find(|item| item.key.literal_str() == Some(name)).map(|item| &item.value)
        }
        _ => None,
    };
    let parts = source.split('/').count();
    if parts > 3 || source.split('/').any(str::is_empty) {
        let detail = "The \"source\" attribute must be in the format \"[hostname/][namespace/]name\"";
        let at = part("source").unwrap_or(expr);
        found.push(Diagnostic::error("Invalid provider source string", detail, &at.range));
    }
    if let Some(version) = version {
        constraint(version, part("version").unwrap_or(expr), found);
    }
}

/// A version constraint.
pub fn constraint(text: &str, expr: &Expr, found: &mut Found) {
    if !crate::terraform::command::version::is_constraint(text) {
        let detail = "This string does not use correct version constraint syntax.";
        found.push(Diagnostic::error("Invalid version constraint", detail, &expr.range));
    }
}

/// A condition that names nothing checks nothing.
pub fn condition(kind: &str, expr: &Expr, found: &mut Found) {
    if expr.references().is_empty() {
        let detail = "The condition expression must refer to at least one object from elsewhere in the configuration, or else its result would not be checking anything.";
        found.push(Diagnostic::error(format!("Invalid {kind} expression"), detail, &expr.range));
    }
}

/// A validation looks at its variable.
pub fn validation(name: &str, expr: &Expr, found: &mut Found) {
    let own = |r: &&Traversal| r.root == "var" && r.names().next().is_some_and(|first| first == name);
    if !expr.references().iter().any(own) {
        let detail =
            format!("The condition for variable \"{name}\" must refer to var.{name} in order to test incoming values.");
        found.push(Diagnostic::error("Invalid variable validation condition", detail, &expr.range));
    }
}

/// Conditions of a resource may not name it.
pub fn no_self(kind: &str, name: &ResourceName, exprs: [&Expr; 2], found: &mut Found) {
    for expr in exprs {
        if expr.references().iter().any(|r| crate::terraform::core::is_resource(r, name)) {
            let data = if name.mode == Mode::Data { "data." } else { "" };
            let detail = format!("Configuration for {data}{}.{} may not refer to itself.", name.kind, name.name);
            found.push(Diagnostic::error(format!("Invalid reference in {kind}"), detail, &expr.range));
        }
    }
}

/// What runs when an object is destroyed knows that object alone.
pub fn only_self(body: &Body, found: &mut Found) {
    for attribute in &body.attributes {
        for reference in attribute.expression.references() {
            let mut names = reference.names().map(SmolStr::as_str);
            let alone = reference.steps.len() == 1;
            let fits = match reference.root.as_str() {
                "self" | "path" | "terraform" => true,
                "count" => alone && names.next() == Some("index"),
                "each" => alone && names.next() == Some("key"),
                _ => false,
            };
            if !fits {
                let detail = "Destroy-time provisioners and their connection configurations may only reference attributes of the related resource, via 'self', 'count.index', or 'each.key'.\n\nReferences to other resources during the destroy phase can cause dependency cycles and interact poorly with create_before_destroy.";
                let summary = "Invalid reference from destroy provisioner";
                found.push(Diagnostic::error(summary, detail, &attribute.expression.range));
            }
        }
    }
}

/// `replace_triggered_by`: each entry names one resource.
pub fn triggers(exprs: &[Expr], found: &mut Found) {
    let before = found.len();
    for expr in exprs {
        // One that is wrong is the last that is looked at.
        if found.len() > before {
            return;
        }
        let mut resources = 0;
        let mut tell = |summary: &str, detail: &str| found.push(Diagnostic::error(summary, detail, &expr.range));
        for reference in expr.references() {
            let first = reference.names().next().map(SmolStr::as_str);
            match reference.root.as_str() {
                "count" if first == Some("index") => {}
                "each" if first == Some("key") => {}
                "count" => tell(
                    "Invalid count reference in replace_triggered_by expression",
                    "Only count.index may be used in replace_triggered_by.",
                ),
                "each" => tell(
                    "Invalid each reference in replace_triggered_by expression",
                    "Only each.key may be used in replace_triggered_by.",
                ),
                "var" | "local" | "module" | "path" | "terraform" | "self" => tell(
                    "Invalid reference in replace_triggered_by expression",
                    "Only resources, count.index, and each.key may be used in replace_triggered_by.",
                ),
                _ => resources += 1,
            }
        }
        let detail = match resources {
            0 => "Missing resource reference in replace_triggered_by expression.",
            1 => continue,
            _ => "Multiple resource references in replace_triggered_by expression.",
        };
        tell("Invalid replace_triggered_by expression", detail);
    }
}

/// Both ends of a move are resources, or both are modules.
pub fn moved(from: &Traversal, to: &Traversal, range: &Range, found: &mut Found) {
    let (Some(from), Some(to)) = (subject(from), subject(to)) else { return };
    if from.resource.is_some() != to.resource.is_some() {
        let detail = "The \"from\" and \"to\" addresses must either both refer to resources or both refer to modules.";
        found.push(Diagnostic::error("Invalid \"moved\" addresses", detail, range));
    }
}

/// What is removed is a whole resource or module, and no data source.
pub fn removed(from: &Traversal, found: &mut Found) {
    let Some(Subject { module, resource }) = subject(from) else { return };
    let keyed = module.0.iter().any(|step| step.key.is_some());
    let (summary, detail) = match resource {
        Some((Mode::Data, ..)) => (
            "Data source address not allowed",
            "Data sources are never destroyed, so they are not valid targets of removed blocks. To remove the data source from state, remove the data source block from configuration.",
        ),
        Some((.., Some(_))) => (
            "Resource instance keys not allowed",
            "Resource address must be a resource (e.g. \"test_instance.foo\"), not a resource instance (e.g. \"test_instance.foo[1]\").",
        ),
        _ if keyed => (
            "Module instance keys not allowed",
            "Module address must be a module (e.g. \"module.foo\"), not a module instance (e.g. \"module.foo[1]\").",
        ),
        _ => return,
    };
    let whole = from.range();
    let key = from.steps.last().filter(|_| summary.starts_with("Resource instance"));
    found.push(Diagnostic::error(summary, detail, key.map_or(&whole, |step| &step.range)));
}

/// What a `backend "local"` says: path and folder of workspaces, and what is wrong with it.
pub fn local_backend(body: &Body) -> (Option<String>, Option<String>, Vec<Diagnostic>) {
    let mut wrong = Vec::new();
    check(body, &["path", "workspace_dir"], &[], &mut wrong);
    let mut texts = Vec::new();
    for name in ["path", "workspace_dir"] {
        let mut text = None;
        if let Some(attribute) = body.attribute(name) {
            let range = &attribute.expression.range;
            let (value, found) = crate::terraform::eval::eval_constant(&attribute.expression);
            if found.is_empty() {
                match value::convert(&value, &Type::String) {
                    Ok(value) => text = value.as_str().map(str::to_string),
                    Err(error) => {
                        let reason = error.with_path();
                        let detail = format!("Inappropriate value for attribute \"{name}\": {reason}.");
                        wrong.push(Diagnostic::error("Incorrect attribute value type", detail, range));
                    }
                }
            }
            wrong.extend(found);
            if text.as_deref() == Some("") {
                let detail = format!("The \"{name}\" attribute value must not be empty.");
                let summary = if name == "path" {
                    "Invalid local state file path"
                } else {
                    "Invalid local workspace directory path"
                };
                wrong.push(Diagnostic::error(summary, detail, range));
            }
        }
        texts.push(text);
    }
    let workspaces = texts.pop().flatten();
    (texts.pop().flatten(), workspaces, wrong)
}
