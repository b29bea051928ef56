//! What kubectl adds to Go's templates: `exists` and `base64decode`.

use crate::base::Value;
use crate::base::template::{Dialect, go_type};

pub static KUBECTL: Dialect = Dialect {
    name: "output",
    functions: &[("exists", 1, usize::MAX), ("base64decode", 1, 1)],
    call,
    method: |_, _, _| None,
    shown: |_, _| None,
};

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    let first = arguments.first().cloned().unwrap_or_default();
    if name == "exists" {
        return Ok(exists(&first, arguments.get(1..).unwrap_or_default()).into());
    }
    let Value::Text(text) = &first else {
        return Err(format!("wrong type for value; expected string; got {}", go_type(&first)));
    };
    crate::base::yaml::base64(text).map(|bytes| String::from_utf8_lossy(&bytes).into_owned().into()).ok_or_else(|| {
        let symbol = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\r' | b'\n');
        let at = text.bytes().position(|b| !symbol(b)).unwrap_or(text.len());
        format!("base64 decode failed: illegal base64 data at input byte {at}")
    })
}

fn exists(value: &Value, path: &[Value]) -> bool {
    let mut value = value.clone();
    for key in path {
        let found = match (&value, key) {
            (Value::Map(map), Value::Text(key)) => map.get(key).cloned(),
            (Value::List(items), Value::Int(at)) => usize::try_from(*at).ok().and_then(|at| items.get(at)).cloned(),
            _ => None,
        };
        let Some(found) = found else { return false };
        value = found;
    }
    !value.is_null()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{json, template::GoTemplate};

    #[test]
    fn templates() {
        let object = json::parse(
            r#"{"kind":"List","items":[{"name":"a","n":1},{"name":"b","n":2,"l":{"y":"2","x":"1"}}],"s":"aGk=","nul":null}"#,
        )
        .unwrap();
        let check = |template: &str, want: &str| {
            let got = match GoTemplate::parse(template, &KUBECTL) {
                Err(error) => error,
                Ok(parsed) => parsed.print(&object, true).unwrap_or_else(|(out, error)| out + &error),
            };
            assert_eq!(got, want, "for {template}");
        };
        check(r#"{{range .items}}{{.name}}{{"\n"}}{{end}}"#, "a\nb\n");
        check("{{range $i, $e := .items}}{{if $i}}, {{end}}{{$i}}={{$e.name}}{{end}}", "0=a, 1=b");
        check(
            "{{.no}} {{.no.such}} {{.nul}} {{.items}}",
            "<no value> <no value> <no value> [map[n:1 name:a] map[l:map[x:1 y:2] n:2 name:b]]",
        );
        check(r#"{{if and (eq .kind "List") (gt (len .items) 1)}}yes{{else}}no{{end}}"#, "yes");
        check(r#"{{printf "%-5s|%03d|%q|%v" .kind 7 "x" .nul}}"#, "List |007|\"x\"|<nil>");
        check("{{ .s | base64decode }}{{- /* gone */ -}}  !", "hi!");
        check("{{range $k, $v := (index .items 1).l}}{{$k}}{{$v}} {{else}}none{{end}}", "x1 y2 ");
        check("{{with .nul}}a{{else}}b{{end}}{{range .no}}{{else}}c{{end}}", "bc");
        check("{{define \"t\"}}[{{.}}]{{end}}{{template \"t\" .kind}}", "[List]");
        check("{{.kind", "template: output:1: unclosed action");
        check("{{shout .kind}}", "template: output:1: function \"shout\" not defined");
        check(
            "{{index .no 0}}",
            "template: output:1:2: executing \"output\" at <index .no 0>: error calling index: index of untyped nil",
        );
        check("{{if exists . \"items\" 0 \"name\"}}e{{end}}{{html \"<a>\"}}", "e&lt;a&gt;");
    }
}
