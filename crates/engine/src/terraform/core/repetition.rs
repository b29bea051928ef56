//! `count` and `for_each`: how often something stands, and what each instance sees of it.

use super::scope::{Expansion, Place};
use crate::base::{BTreeMap, SmolStr, gap};
use crate::terraform::address::Key;
use crate::terraform::eval;
use crate::terraform::hcl::{Diagnostic, Expr, has_errors};
use crate::terraform::value::{Kind, Marks, Type, Value, convert};

/// The largest `count` and the most keys of a `for_each`.
const MOST_INSTANCES: usize = 5_000;

fn too_many() -> String {
    gap::line("more than 5000 instances of a resource or module", "")
}

/// `each` and `count` for one instance.
pub fn set_repetition(
    place: &mut Place<'_>,
    expansion: Option<&Expansion>,
    key: Option<&Key>,
    count: bool,
    each: bool,
) {
    match (key, expansion) {
        (Some(Key::Int(index)), _) => place.count = Some(Value::int(*index)),
        (Some(Key::Text(text)), Some(Expansion::Each(map))) => {
            place.each = Some((Value::string(text.clone()), map.get(text).cloned().unwrap_or_else(Value::dynamic)));
        }
        _ => {
            if count {
                place.count = Some(Value::unknown_not_null(Type::Number));
            }
            if each {
                place.each = Some((Value::unknown_not_null(Type::String), Value::dynamic()));
            }
        }
    }
}

/// How often something stands.
pub fn expand(count: &Option<Expr>, for_each: &Option<Expr>, place: &Place<'_>) -> (Expansion, Vec<Diagnostic>) {
    let (expansion, mut found) = match (count, for_each) {
        (Some(expr), _) => expand_count(expr, place),
        (_, Some(expr)) => expand_each(expr, place),
        _ => (Expansion::Single, Vec::new()),
    };
    let instances = match &expansion {
        Expansion::Count(count) => *count,
        Expansion::Each(map) => map.len(),
        _ => 1,
    };
    place.values.budget.spend(eval::INSTANCE * instances as u64);
    if let Some(expr) = count.as_ref().or(for_each.as_ref()) {
        found.extend(place.values.budget.excess(&expr.range));
    }
    (expansion, found)
}

fn expand_count(expr: &Expr, place: &Place<'_>) -> (Expansion, Vec<Diagnostic>) {
    let (value, mut found) = eval::eval(expr, place);
    if has_errors(&found) {
        return (Expansion::Unknown, found);
    }
    let bad = |detail: String| Diagnostic::error("Invalid count argument", detail, &expr.range);
    let (value, marks) = value.unmark();
    if marks.has(Marks::EPHEMERAL) {
        let detail = "The given \"count\" is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify the number of resource instances.";
        found.push(bad(detail.into()));
        return (Expansion::Unknown, found);
    }
    if value.is_null() {
        found.push(bad("The given \"count\" argument value is null. An integer is required.".into()));
        return (Expansion::Unknown, found);
    }
    let number = match convert(&value, &Type::Number) {
        Ok(number) => number,
        Err(error) => {
            let detail = format!("Invalid expression value: {}.", error.with_path());
            let wrong = Diagnostic::error("Incorrect value type", detail, &expr.range);
            found.push(eval::blame(wrong, expr, place));
            return (Expansion::Unknown, found);
        }
    };
    if !number.is_known() {
        if !place.values.checking {
            let detail = "The \"count\" value depends on resource attributes that cannot be determined until apply, so Terraform cannot predict how many instances will be created. To work around this, use the -target argument to first apply only the resources that the count depends on.";
            found.push(Diagnostic::error("Invalid count argument", detail, &expr.range));
        }
        return (Expansion::Unknown, found);
    }
    let reason = match number.as_int() {
        None => "value must be a whole number, between -9223372036854775808 and 9223372036854775807".to_string(),
        Some(count) if count < 0 => "must be greater than or equal to zero".into(),
        Some(count) if count as usize > MOST_INSTANCES => too_many(),
        Some(count) => return (Expansion::Count(count as usize), found),
    };
    found.push(bad(format!("The given \"count\" argument value is unsuitable: {reason}.")));
    (Expansion::Unknown, found)
}

fn expand_each(expr: &Expr, place: &Place<'_>) -> (Expansion, Vec<Diagnostic>) {
    let (value, mut found) = eval::eval(expr, place);
    if has_errors(&found) {
        return (Expansion::Unknown, found);
    }
    let summary = "Invalid for_each argument";
    let bad = |detail: String| eval::blame(Diagnostic::error(summary, detail, &expr.range), expr, place);
    let hidden = |detail: &str| eval::blame_hidden(Diagnostic::error(summary, detail, &expr.range), expr, place);
    let (value, marks) = value.unmark();
    if marks.has(Marks::EPHEMERAL) {
        found.push(hidden("The given \"for_each\" value is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify a resource's instance keys."));
        return (Expansion::Unknown, found);
    }
    if marks.has(Marks::SENSITIVE) {
        found.push(hidden("Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key."));
        return (Expansion::Unknown, found);
    }
    let ty = value.ty();
    if value.is_null() {
        found.push(bad("The given \"for_each\" argument value is unsuitable: the given \"for_each\" argument value is null. A map, or set of strings is allowed.".into()));
        return (Expansion::Unknown, found);
    }
    let fits = matches!(ty, Type::Map(_) | Type::Object(_) | Type::Dynamic)
        || matches!(&ty, Type::Set(element) if **element == Type::String || **element == Type::Dynamic);
    if !value.is_known() && !place.values.checking {
        found.push(hidden(if matches!(ty, Type::Set(_)) { UNKNOWN_SET } else { UNKNOWN_MAP }));
        return (Expansion::Unknown, found);
    }
    if !fits {
        let detail = match &ty {
            Type::Set(element) => format!(
                "The given \"for_each\" argument value is unsuitable: \"for_each\" supports maps and sets of strings, but you have provided a set containing type {}.",
                element.friendly()
            ),
            other => format!(
                "The given \"for_each\" argument value is unsuitable: the \"for_each\" argument must be a map, or set of strings, and you have provided a value of type {}.",
                other.friendly()
            ),
        };
        let mut error = bad(detail);
        if matches!(ty, Type::Set(_)) {
            error.summary = "Invalid for_each set argument".into();
        }
        found.push(error);
        return (Expansion::Unknown, found);
    }
    let items = value.items().unwrap_or_default();
    if !value.is_known() || items.iter().any(|item| !item.is_known()) {
        if !place.values.checking {
            found.push(hidden(if matches!(ty, Type::Set(_)) { UNKNOWN_SET } else { UNKNOWN_MAP }));
        }
        return (Expansion::Unknown, found);
    }
    let map: BTreeMap<SmolStr, Value> = match &value.kind {
        Kind::Map(_, entries) | Kind::Object(entries) => (**entries).clone(),
        _ => {
            if items.iter().any(Value::is_null) {
                let mut error = bad("The given \"for_each\" argument value is unsuitable: \"for_each\" sets must not contain null values.".into());
                error.summary = "Invalid for_each set argument".into();
                found.push(error);
                return (Expansion::Unknown, found);
            }
            items.iter().filter_map(|item| item.as_str().map(|text| (text.into(), item.clone()))).collect()
        }
    };
    if map.len() > MOST_INSTANCES {
        found.push(bad(format!("The given \"for_each\" argument value is unsuitable: {}.", too_many())));
        return (Expansion::Unknown, found);
    }
    (Expansion::Each(map), found)
}

const UNKNOWN_SET: &str = "The \"for_each\" set includes values derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys that will identify the instances of this resource.\n\nWhen working with unknown values in for_each, it's better to use a map value where the keys are defined statically in your configuration and where only the values contain apply-time results.\n\nAlternatively, you could use the -target planning option to first apply only the resources that the for_each value depends on, and then apply a second time to fully converge.";
const UNKNOWN_MAP: &str = "The \"for_each\" map includes keys derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys that will identify the instances of this resource.\n\nWhen working with unknown values in for_each, it's better to define the map keys statically in your configuration and place apply-time results only in the map values.\n\nAlternatively, you could use the -target planning option to first apply only the resources that the for_each value depends on, and then apply a second time to fully converge.";
