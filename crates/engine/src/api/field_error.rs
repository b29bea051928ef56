//! Errors of single fields (apimachinery's `field.Error`, `field.Path`): what validation finds, word for word.
//!
//! An error is kept as its parts: the path, the body (all that follows the path) and the reason its cause carries.
//! How a list of them becomes a Status is `status`' matter. Left out: Go's %#v forms, which no served error uses.

use std::fmt;

use crate::base::{Value, goquote, json};

/// `spec.containers[0].name: Required value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    pub kind: FieldErrorKind,
    /// The path of the field.
    pub field: String,
    /// The text without the path: `Invalid value: "x": must be …`.
    pub body: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldErrorKind {
    NotFound,
    Required,
    Duplicate,
    Invalid,
    NotSupported,
    Forbidden,
    TooLong,
    TooMany,
    Internal,
    TypeInvalid,
}

impl FieldErrorKind {
    /// The words an error of this kind begins with.
    pub const fn text(self) -> &'static str {
        match self {
            FieldErrorKind::NotFound => "Not found",
            FieldErrorKind::Required => "Required value",
            FieldErrorKind::Duplicate => "Duplicate value",
            FieldErrorKind::Invalid | FieldErrorKind::TypeInvalid => "Invalid value",
            FieldErrorKind::NotSupported => "Unsupported value",
            FieldErrorKind::Forbidden => "Forbidden",
            FieldErrorKind::TooLong => "Too long",
            FieldErrorKind::TooMany => "Too many",
            FieldErrorKind::Internal => "Internal error",
        }
    }

    /// The `reason` of the cause.
    pub const fn reason(self) -> &'static str {
        match self {
            FieldErrorKind::NotFound => "FieldValueNotFound",
            FieldErrorKind::Required => "FieldValueRequired",
            FieldErrorKind::Duplicate => "FieldValueDuplicate",
            FieldErrorKind::Invalid => "FieldValueInvalid",
            FieldErrorKind::NotSupported => "FieldValueNotSupported",
            FieldErrorKind::Forbidden => "FieldValueForbidden",
            FieldErrorKind::TooLong => "FieldValueTooLong",
            FieldErrorKind::TooMany => "FieldValueTooMany",
            FieldErrorKind::Internal => "InternalError",
            FieldErrorKind::TypeInvalid => "FieldValueTypeInvalid",
        }
    }
}

impl FieldError {
    fn new(kind: FieldErrorKind, path: &Path, shown: Option<&str>, detail: &str) -> FieldError {
        let mut body = kind.text().to_owned();
        for part in shown.into_iter().chain((!detail.is_empty()).then_some(detail)) {
            body.push_str(": ");
            body.push_str(part);
        }
        FieldError { kind, field: path.to_string(), body }
    }

    pub fn required(path: &Path, detail: &str) -> FieldError {
        FieldError::new(FieldErrorKind::Required, path, None, detail)
    }

    pub fn invalid(path: &Path, value: impl Into<Value>, detail: &str) -> FieldError {
        FieldError::shown(path, &show(&value.into()), detail)
    }

    /// An invalid value whose text is ready: a struct of the server's internal types.
    pub fn shown(path: &Path, shown: &str, detail: &str) -> FieldError {
        FieldError::new(FieldErrorKind::Invalid, path, Some(shown), detail)
    }

    /// An invalid value that is not shown.
    pub fn omitted(path: &Path, detail: &str) -> FieldError {
        FieldError::new(FieldErrorKind::Invalid, path, None, detail)
    }

    pub fn forbidden(path: &Path, detail: &str) -> FieldError {
        FieldError::new(FieldErrorKind::Forbidden, path, None, detail)
    }

    pub fn duplicate(path: &Path, value: impl Into<Value>) -> FieldError {
        FieldError::new(FieldErrorKind::Duplicate, path, Some(&show(&value.into())), "")
    }

    pub fn duplicate_shown(path: &Path, shown: &str) -> FieldError {
        FieldError::new(FieldErrorKind::Duplicate, path, Some(shown), "")
    }

    pub fn not_found(path: &Path, value: impl Into<Value>) -> FieldError {
        FieldError::new(FieldErrorKind::NotFound, path, Some(&show(&value.into())), "")
    }

    /// The supported values come in the order the server tells them (sorted for most fields).
    pub fn not_supported(path: &Path, value: impl Into<Value>, supported: &[&str]) -> FieldError {
        FieldError::not_supported_shown(path, &show(&value.into()), supported)
    }

    pub fn not_supported_shown(path: &Path, shown: &str, supported: &[&str]) -> FieldError {
        let all: Vec<String> = supported.iter().map(|text| goquote::quote(text)).collect();
        let detail = if all.is_empty() { String::new() } else { format!("supported values: {}", all.join(", ")) };
        FieldError::new(FieldErrorKind::NotSupported, path, Some(shown), &detail)
    }

    pub fn too_long(path: &Path, most: usize) -> FieldError {
        FieldError::new(FieldErrorKind::TooLong, path, None, &format!("may not be more than {most} bytes"))
    }

    pub fn too_many(path: &Path, count: usize, most: usize) -> FieldError {
        let items = if most == 1 { "item" } else { "items" };
        let detail = format!("must have at most {most} {items}");
        FieldError::new(FieldErrorKind::TooMany, path, Some(&count.to_string()), &detail)
    }

    pub fn internal(path: &Path, detail: &str) -> FieldError {
        FieldError::new(FieldErrorKind::Internal, path, None, detail)
    }

    /// The `reason` of the cause.
    pub fn reason(&self) -> &'static str {
        self.kind.reason()
    }

    /// Path, body and reason, as `Status::invalid` takes them.
    pub fn parts(self) -> (String, String, &'static str) {
        let reason = self.reason();
        (self.field, self.body, reason)
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.body)
    }
}

/// Several errors as one text: the only one bare, more in brackets, equal ones once.
pub fn aggregate(errors: &[FieldError]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for error in errors {
        let text = error.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    match texts.as_slice() {
        [one] => one.clone(),
        many => format!("[{}]", many.join(", ")),
    }
}

/// A value as errors show it: texts quoted as Go quotes them, all else as JSON.
fn show(value: &Value) -> String {
    match value {
        Value::Text(text) => goquote::quote(text),
        other => json::compact(other),
    }
}

/// The way to a field: `spec.containers[0].env`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(String);

impl Path {
    /// The path of the object itself; errors of it show `[]`, as a nil path of the server does.
    pub fn root() -> Path {
        Path::default()
    }

    pub fn new(name: &str) -> Path {
        Path(name.to_owned())
    }

    pub fn child(&self, name: &str) -> Path {
        if self.0.is_empty() { Path::new(name) } else { Path(format!("{}.{name}", self.0)) }
    }

    pub fn index(&self, index: usize) -> Path {
        Path(format!("{}[{index}]", self.0))
    }

    pub fn key(&self, key: &str) -> Path {
        Path(format!("{}[{key}]", self.0))
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "[]" } else { &self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{list, map};

    #[test]
    fn bodies_of_every_kind() {
        let path = Path::new("spec").child("containers").index(0).child("requests").key("cpu");
        let check = |error: FieldError, want: &str| {
            assert_eq!(error.to_string(), format!("spec.containers[0].requests[cpu]: {want}"));
        };
        check(FieldError::required(&path, ""), "Required value");
        check(FieldError::required(&path, "why"), "Required value: why");
        check(FieldError::invalid(&path, "a\"b", "why"), r#"Invalid value: "a\"b": why"#);
        check(FieldError::invalid(&path, "日本語", ""), "Invalid value: \"日本語\"");
        check(FieldError::invalid(&path, -1, "why"), "Invalid value: -1: why");
        check(FieldError::invalid(&path, map! { "a" => list!["x"] }, "why"), r#"Invalid value: {"a":["x"]}: why"#);
        check(FieldError::invalid(&path, Value::Null, "why"), "Invalid value: null: why");
        check(
            FieldError::not_supported(&path, "x", &["A", "B"]),
            r#"Unsupported value: "x": supported values: "A", "B""#,
        );
        check(FieldError::too_long(&path, 63), "Too long: may not be more than 63 bytes");
        check(FieldError::too_many(&path, 5, 3), "Too many: 5: must have at most 3 items");
        let two = [FieldError::required(&path, ""), FieldError::duplicate(&Path::root(), "a")];
        assert_eq!(aggregate(&two), r#"[spec.containers[0].requests[cpu]: Required value, []: Duplicate value: "a"]"#);
        assert_eq!(aggregate(&[two[0].clone(), two[0].clone()]), two[0].to_string());
    }
}
