//! Objects as the API server writes them: the fields of a Go struct in the order of its declaration, free maps and
//! custom resources in that of the alphabet.

use super::{Type, group_version, named, type_of};
use crate::base::Value;
use crate::base::json;

/// The JSON of an object.
pub fn json_of(object: &Value) -> String {
    json_after(object, &[])
}

/// The same after a JSON patch, whose library leaves every map it opened on the way to one of these pointers sorted.
pub fn json_after(object: &Value, opened: &[&str]) -> String {
    let mut out = String::new();
    let opened: Vec<&str> = opened.iter().filter_map(|pointer| pointer.strip_prefix('/')).collect();
    write(object, None, &opened, &mut out);
    out
}

fn type_of_object(object: &Value) -> Option<&'static Type> {
    let kind = object["kind"].as_str()?;
    let (group, version) = group_version(object["apiVersion"].str());
    type_of(group, version, kind).or_else(|| if group.is_empty() { named("meta.v1", kind) } else { None })
}

fn write(value: &Value, ty: Option<&'static Type>, opened: &[&str], out: &mut String) {
    match value {
        Value::List(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                out.push(if at == 0 { '[' } else { ',' });
                write(item, ty, &below(opened, &at.to_string()), out);
            }
            out.push(']');
        }
        Value::Map(map) if !map.is_empty() => {
            let ty = type_of_object(value).or(ty);
            let declared = ty.filter(|_| opened.is_empty()).map_or(&[][..], |ty| &ty.fields);
            let first = declared.iter().filter_map(|field| map.get(field.name).map(|item| (field.name, item)));
            let rest = map.iter().map(|(key, item)| (key.as_str(), item));
            let rest = rest.filter(|(key, _)| !declared.iter().any(|field| *key == field.name));
            for (at, (key, item)) in first.chain(rest).enumerate() {
                out.push(if at == 0 { '{' } else { ',' });
                json::quote(key, out);
                out.push(':');
                let of = ty.and_then(|ty| ty.field(key)).and_then(|field| field.ty.inner());
                write(item, of, &below(opened, key), out);
            }
            out.push('}');
        }
        other => out.push_str(&json::compact(other)),
    }
}

/// What was opened inside a member.
fn below<'a>(opened: &[&'a str], key: &str) -> Vec<&'a str> {
    let inside = |pointer: &&'a str| pointer.split_once('/').filter(|(first, _)| *first == key).map(|(_, rest)| rest);
    opened.iter().filter_map(inside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a real API server of 1.37 answers `kubectl get --raw`, and quotes what a JSON patch has made.
    #[test]
    fn fields_come_in_the_order_of_their_declaration() {
        let check = |text: &str, opened: &[&str], want: &str| {
            let value = json::parse(text).unwrap();
            assert_eq!(json_after(&value, opened), want);
        };
        let map = r#"{"apiVersion":"v1","data":{"b":"1","a":"2"},"kind":"ConfigMap","metadata":{"creationTimestamp":null,
            "labels":{"z":"","b":""},"managedFields":[{"fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{}}},"manager":"m"}],
            "name":"a","namespace":"n","uid":"u"}}"#;
        let meta = r#"{"name":"a","namespace":"n","uid":"u","creationTimestamp":null,"labels":{"b":"","z":""},"managedFields":[{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{}}}}]}"#;
        let data = r#""data":{"a":"2","b":"1"}"#;
        check(map, &[], &format!(r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{meta},{data}}}"#));
        check(map, &["/data"], &format!(r#"{{"apiVersion":"v1",{data},"kind":"ConfigMap","metadata":{meta}}}"#));
        check(
            map,
            &["/metadata/labels"],
            &format!(
                r#"{{"apiVersion":"v1",{data},"kind":"ConfigMap","metadata":{{"creationTimestamp":null,"labels":{{"b":"","z":""}},"managedFields":[{{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{{"f:data":{{".":{{}}}}}}}}],"name":"a","namespace":"n","uid":"u"}}}}"#
            ),
        );
        let pods = r#"{"apiVersion":"v1","items":[{"spec":{"containers":[{"image":"i","name":"c"}]}}],"kind":"PodList","metadata":{}}"#;
        check(
            pods,
            &[],
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"spec":{"containers":[{"name":"c","image":"i"}]}}]}"#,
        );
        let own = r#"{"spec":{"b":1,"a":[{"y":1,"x":{}}]},"kind":"Widget","apiVersion":"example.com/v1"}"#;
        check(own, &[], r#"{"apiVersion":"example.com/v1","kind":"Widget","spec":{"a":[{"x":{},"y":1}],"b":1}}"#);
    }
}
