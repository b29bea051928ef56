//! JSON patch: a list of operations, applied in order, all or nothing.
//!
//! As the library in the API server: negative indices count from the end, `replace` adds a missing key of a map,
//! `test` against null passes for a missing key, `copy` of a missing key gives null.

use super::{PatchError, PatchReason};
use crate::base::Value;

/// More operations than this are refused.
const OPERATIONS: usize = 10_000;

/// The target after all operations.
pub fn json(target: &Value, patch: &Value) -> Result<Value, PatchError> {
    decode(patch)?;
    let operations = patch.items();
    if operations.len() > OPERATIONS {
        let message =
            format!("The allowed maximum operations in a JSON patch is {OPERATIONS}, got {}", operations.len());
        return Err(PatchError::new(PatchReason::TooLarge, message));
    }
    let mut document = target.clone();
    for operation in operations {
        apply(&mut document, operation).map_err(|message| PatchError::new(PatchReason::Unprocessable, message))?;
    }
    Ok(document)
}

/// Fields no operation has: what `fieldValidation` warns about or refuses.
pub fn check(patch: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for (index, operation) in patch.items().iter().enumerate() {
        for key in operation.entries().keys() {
            if !["op", "path", "from", "value"].contains(&key.as_str()) {
                out.push(format!("json patch unknown field \"[{index}].{key}\""));
            }
        }
    }
    out
}

fn decode(patch: &Value) -> Result<(), PatchError> {
    let refuse = |got: &str, place: &str| {
        let message = format!("error decoding patch: json: cannot unmarshal {got} into Go {place}");
        Err(PatchError::new(PatchReason::BadRequest, message))
    };
    if patch.is_null() {
        return Ok(());
    }
    let Some(operations) = patch.as_list() else {
        return refuse(patch.type_name(), "value of type []handlers.jsonPatchOp");
    };
    for operation in operations {
        if operation.is_null() {
            continue;
        }
        if operation.as_map().is_none() {
            return refuse(operation.type_name(), "value of type handlers.jsonPatchOp");
        }
        for field in ["op", "path", "from"] {
            let value = operation.get(field);
            if !value.is_null() && value.as_str().is_none() {
                let place = format!("struct field jsonPatchOp.{field} of type string");
                return refuse(value.type_name(), &place);
            }
        }
    }
    Ok(())
}

type Outcome = Result<(), String>;

fn apply(document: &mut Value, operation: &Value) -> Outcome {
    match operation["op"].as_str() {
        Some("add") => add(document, operation),
        Some("remove") => remove(document, operation),
        Some("replace") => replace(document, operation),
        Some("move") => relocate(document, operation),
        Some("test") => test(document, operation),
        Some("copy") => copy(document, operation),
        kind => Err(format!("Unexpected kind: {}", kind.unwrap_or("unknown"))),
    }
}

fn path(operation: &Value) -> Result<&str, &'static str> {
    operation["path"].as_str().ok_or("operation missing path field: missing value")
}

fn from(operation: &Value) -> Result<&str, &'static str> {
    operation["from"].as_str().ok_or("operation, missing from field: missing value")
}

fn add(document: &mut Value, operation: &Value) -> Outcome {
    let path = path(operation).map_err(|_| "add operation failed to decode path: missing value")?;
    let (place, key) = find_mut(document, path)
        .ok_or_else(|| format!("add operation does not apply: doc is missing path: \"{path}\": missing value"))?;
    insert(place, &key, operation["value"].clone()).map_err(|error| format!("error in add for path: '{path}': {error}"))
}

fn remove(document: &mut Value, operation: &Value) -> Outcome {
    let path = path(operation).map_err(|_| "remove operation failed to decode path: missing value")?;
    let (place, key) = find_mut(document, path)
        .ok_or_else(|| format!("remove operation does not apply: doc is missing path: \"{path}\": missing value"))?;
    take(place, &key).map_err(|error| format!("error in remove for path: '{path}': {error}"))
}

fn replace(document: &mut Value, operation: &Value) -> Outcome {
    let path = path(operation).map_err(|error| format!("replace operation failed to decode path: {error}"))?;
    let value = operation["value"].clone();
    if path.is_empty() {
        // Anything but an object or a list is passed over without an error.
        if matches!(value, Value::Map(_) | Value::List(_)) {
            *document = value;
        }
        return Ok(());
    }
    let missing =
        |what: &str| format!("replace operation does not apply: doc is missing {what}: {path}: missing value");
    let (place, key) = find_mut(document, path).ok_or_else(|| missing("path"))?;
    read(place, &key).map_err(|_| missing("key"))?;
    match place {
        Value::List(_) => {
            let items = place.list_mut();
            let at = index(&key, items.len())?;
            if let Some(item) = items.get_mut(at) {
                *item = value;
            }
        }
        _ => {
            place.map_mut().insert(key, value);
        }
    }
    Ok(())
}

fn relocate(document: &mut Value, operation: &Value) -> Outcome {
    let from = from(operation).map_err(|error| format!("move operation failed to decode from: {error}"))?;
    let (place, key) = find_mut(document, from)
        .ok_or_else(|| format!("move operation does not apply: doc is missing from path: {from}: missing value"))?;
    let wrap = |error: String| format!("error in move for path: '{key}': {error}");
    let value = read(place, &key).map_err(wrap)?.clone();
    take(place, &key).map_err(wrap)?;
    let path = path(operation).map_err(|error| format!("move operation failed to decode path: {error}"))?;
    let (place, key) = find_mut(document, path).ok_or_else(|| {
        format!("move operation does not apply: doc is missing destination path: {path}: missing value")
    })?;
    insert(place, &key, value).map_err(|error| format!("error in move for path: '{path}': {error}"))
}

fn test(document: &mut Value, operation: &Value) -> Outcome {
    let path = path(operation).map_err(|error| format!("test operation failed to decode path: {error}"))?;
    let want = &operation["value"];
    let failed = || format!("testing value {path} failed: test failed");
    if path.is_empty() {
        return if document == want { Ok(()) } else { Err(failed()) };
    }
    let (place, key) = find(document, path)
        .ok_or_else(|| format!("test operation does not apply: is missing path: {path}: missing value"))?;
    let have = read(place, &key).map_err(|error| format!("error in test for path: '{path}': {error}"))?;
    if have == want { Ok(()) } else { Err(failed()) }
}

fn copy(document: &mut Value, operation: &Value) -> Outcome {
    let from = from(operation).map_err(|error| format!("copy operation failed to decode from: {error}"))?;
    let (place, key) = find(document, from)
        .ok_or_else(|| format!("copy operation does not apply: doc is missing from path: {from}: missing value"))?;
    let value = read(place, &key).map_err(|error| format!("error in copy for from: '{from}': {error}"))?.clone();
    let path = path(operation).map_err(|_| "copy operation failed to decode path: missing value")?;
    let (place, key) = find_mut(document, path).ok_or_else(|| {
        format!("copy operation does not apply: doc is missing destination path: {path}: missing value")
    })?;
    insert(place, &key, value).map_err(|error| format!("error while adding value during copy: {error}"))
}

/// The container a pointer leads into, and the last word of the pointer.
fn find<'a>(document: &'a Value, path: &str) -> Option<(&'a Value, String)> {
    let (parents, key) = split(path)?;
    let mut place = document;
    for part in parents {
        place = read(place, &part).ok()?;
        if !matches!(place, Value::Map(_) | Value::List(_)) {
            return None;
        }
    }
    Some((place, key))
}

fn find_mut<'a>(document: &'a mut Value, path: &str) -> Option<(&'a mut Value, String)> {
    // Look first: a pointer that leads nowhere must not copy anything.
    find(document, path)?;
    let (parents, key) = split(path)?;
    let mut place = document;
    for part in parents {
        place = match place {
            Value::List(_) => {
                let items = place.list_mut();
                let at = index(&part, items.len()).ok()?;
                items.get_mut(at)?
            }
            _ => place.map_mut().get_mut(&part)?,
        };
    }
    Some((place, key))
}

fn split(path: &str) -> Option<(Vec<String>, String)> {
    let (_, rest) = path.split_once('/')?;
    let mut parts: Vec<String> = rest.split('/').map(unescape).collect();
    let key = parts.pop()?;
    Some((parts, key))
}

/// `~1` is `/`, `~0` is `~`, in one pass.
fn unescape(part: &str) -> String {
    let mut out = String::new();
    let mut rest = part;
    while let Some((before, after)) = rest.split_once('~') {
        out.push_str(before);
        match after.chars().next() {
            Some('1') => out.push('/'),
            Some('0') => out.push('~'),
            _ => {
                out.push('~');
                rest = after;
                continue;
            }
        }
        rest = after.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn read<'a>(place: &'a Value, key: &str) -> Result<&'a Value, String> {
    match place {
        Value::List(items) => {
            let at = index(key, items.len())?;
            items.get(at).ok_or_else(|| invalid_index(at as i64))
        }
        _ => Ok(place.get(key)),
    }
}

fn insert(place: &mut Value, key: &str, value: Value) -> Outcome {
    let Value::List(_) = place else {
        place.map_mut().insert(key, value);
        return Ok(());
    };
    let length = place.items().len();
    if key == "-" {
        place.list_mut().push(value);
        return Ok(());
    }
    let number = atoi(key).map_err(|error| format!("value was not a proper array index: '{key}': {error}"))?;
    let at = within(number, length.saturating_add(1))?;
    place.list_mut().insert(at, value);
    Ok(())
}

fn take(place: &mut Value, key: &str) -> Outcome {
    if matches!(place, Value::List(_)) {
        let at = index(key, place.items().len())?;
        place.list_mut().remove(at);
        return Ok(());
    }
    if place.remove(&[key]).is_none() {
        return Err(format!("Unable to remove nonexistent key: {key}: missing value"));
    }
    Ok(())
}

fn index(key: &str, length: usize) -> Result<usize, String> {
    within(atoi(key)?, length)
}

/// An index of a list of this length; negative ones count from the end.
fn within(number: i64, length: usize) -> Result<usize, String> {
    let length = length as i64;
    let at = if number < 0 { number.saturating_add(length) } else { number };
    if (0..length).contains(&at) { Ok(at as usize) } else { Err(invalid_index(number)) }
}

fn invalid_index(number: i64) -> String {
    format!("Unable to access invalid index: {number}: invalid index referenced")
}

fn atoi(key: &str) -> Result<i64, String> {
    let digits = key.strip_prefix(['+', '-']).unwrap_or(key);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("strconv.Atoi: parsing {key:?}: invalid syntax"));
    }
    key.parse().map_err(|_| format!("strconv.Atoi: parsing {key:?}: value out of range"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::json as text;

    fn check(target: &str, patch: &str, want: &str) {
        let got = match json(&text::parse(target).unwrap(), &text::parse(patch).unwrap()) {
            Ok(value) => text::compact(&value),
            Err(error) => format!("{:?}: {}", error.reason, error.message),
        };
        assert_eq!(got, want, "{patch}");
    }

    #[test]
    fn operations() {
        let target = r#"{"a":[1,2,3],"m":{"x/y":1,"t~":2}}"#;
        check(target, r#"[{"op":"add","path":"/a/1","value":9}]"#, r#"{"a":[1,9,2,3],"m":{"t~":2,"x/y":1}}"#);
        check(target, r#"[{"op":"add","path":"/a/-","value":null}]"#, r#"{"a":[1,2,3,null],"m":{"t~":2,"x/y":1}}"#);
        check(target, r#"[{"op":"add","path":"/a/-1","value":4}]"#, r#"{"a":[1,2,3,4],"m":{"t~":2,"x/y":1}}"#);
        check(target, r#"[{"op":"remove","path":"/a/-1"}]"#, r#"{"a":[1,2],"m":{"t~":2,"x/y":1}}"#);
        check(target, r#"[{"op":"move","from":"/m/x~1y","path":"/a/0"}]"#, r#"{"a":[1,1,2,3],"m":{"t~":2}}"#);
        check(target, r#"[{"op":"copy","from":"/m/t~0","path":"/b"}]"#, r#"{"a":[1,2,3],"b":2,"m":{"t~":2,"x/y":1}}"#);
        check(
            target,
            r#"[{"op":"replace","path":"/m/new","value":{"k":1}}]"#,
            r#"{"a":[1,2,3],"m":{"new":{"k":1},"t~":2,"x/y":1}}"#,
        );
        check(target, r#"[{"op":"test","path":"/m/none","value":null},{"op":"replace","path":"","value":{}}]"#, "{}");
        check(target, "[]", r#"{"a":[1,2,3],"m":{"t~":2,"x/y":1}}"#);
    }

    #[test]
    fn refusals() {
        let check = |patch: &str, want: &str| check(r#"{"a":[1],"s":"x"}"#, patch, want);
        check(
            r#"{"op":"remove","path":"/spec"}"#,
            "BadRequest: error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
        );
        check(r#"[{"op":"fly","path":"/a"}]"#, "Unprocessable: Unexpected kind: fly");
        check(r#"[{"path":"/a"}]"#, "Unprocessable: Unexpected kind: unknown");
        check(
            r#"[{"op":"remove","path":"/a/9"}]"#,
            "Unprocessable: error in remove for path: '/a/9': Unable to access invalid index: 9: invalid index referenced",
        );
        check(
            r#"[{"op":"remove","path":"/b"}]"#,
            "Unprocessable: error in remove for path: '/b': Unable to remove nonexistent key: b: missing value",
        );
        check(
            r#"[{"op":"add","path":"/b/c","value":1}]"#,
            "Unprocessable: add operation does not apply: doc is missing path: \"/b/c\": missing value",
        );
        check(
            r#"[{"op":"add","path":"/a/x","value":1}]"#,
            "Unprocessable: error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
        );
        check(r#"[{"op":"test","path":"/s","value":"y"}]"#, "Unprocessable: testing value /s failed: test failed");
        check(
            r#"[{"op":"replace","path":"/s/t","value":"y"}]"#,
            "Unprocessable: replace operation does not apply: doc is missing path: /s/t: missing value",
        );
    }
}
