//! `-o custom-columns` and `custom-columns-file`: a table whose cells are jsonpath results.

use crate::base::{Value, columns, goquote};

use super::jsonpath::JsonPath;

#[derive(Clone, Debug)]
pub struct CustomColumns {
    columns: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    header: String,
    path: String,
}

/// What was printed before it failed, and the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub printed: String,
    pub error: String,
}

impl CustomColumns {
    /// `NAME:.metadata.name,KIND:kind`. Errors are what follows `error: `.
    pub fn parse(spec: &str) -> Result<CustomColumns, String> {
        if spec.is_empty() {
            return Err("custom-columns format specified but no custom columns given".into());
        }
        let column = |part: &str| {
            let (header, path) = part
                .split_once(':')
                .ok_or_else(|| format!("unexpected custom-columns spec: {part}, expected <header>:<json-path-expr>"))?;
            Ok(Column { header: header.into(), path: relaxed(path)? })
        };
        Ok(CustomColumns { columns: spec.split(',').map(column).collect::<Result<_, String>>()? })
    }

    /// A file of two lines: headers and paths, separated by blanks.
    pub fn parse_file(text: &str) -> Result<CustomColumns, String> {
        let mut lines = text.lines();
        let mut words = || lines.next().unwrap_or_default().split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let (headers, paths) = (words(), words());
        if headers.len() != paths.len() {
            let (headers, paths) = (headers.len(), paths.len());
            return Err(format!("number of headers ({headers}) and field specifications ({paths}) don't match"));
        }
        let column = |(header, path): (String, String)| Ok(Column { header, path: relaxed(&path)? });
        Ok(CustomColumns { columns: headers.into_iter().zip(paths).map(column).collect::<Result<_, String>>()? })
    }

    /// One row for each object. `widths` starts empty and keeps a watch's columns in place.
    pub fn print(&self, objects: &[Value], headers: bool, widths: &mut Vec<usize>) -> Result<String, Failure> {
        let mut rows = Vec::new();
        if headers {
            rows.push(self.columns.iter().map(|column| column.header.clone()).collect());
        }
        let paths = self.columns.iter().map(|column| JsonPath::parse(&column.path)).collect::<Result<Vec<_>, _>>();
        let row = |paths: &[JsonPath], object: &Value| -> Result<Vec<String>, String> {
            paths.iter().map(|path| cell(path, object)).collect()
        };
        let filled = paths.and_then(|paths| {
            objects.iter().try_for_each(|object| {
                rows.push(row(&paths, object)?);
                Ok(())
            })
        });
        let text: String = rows.iter().map(|row: &Vec<String>| row.join("\t") + "\n").collect();
        let printed = columns::align_remembering(&text, columns::TABLE, widths);
        filled.map_or_else(|error| Err(Failure { printed: printed.clone(), error }), |()| Ok(printed.clone()))
    }
}

fn cell(path: &JsonPath, object: &Value) -> Result<String, String> {
    let groups = path.find(object, true)?;
    let mut texts: Vec<String> = Vec::new();
    if groups.first().is_none_or(Vec::is_empty) {
        texts.push("<none>".into());
    }
    texts.extend(groups.iter().flatten().map(|value| columns::escape_terminal(&goquote::plain(value))));
    Ok(texts.join(","))
}

/// `a.b`, `.a.b`, `{a.b}` and `{.a.b}` all mean `{.a.b}`.
pub fn relaxed(path: &str) -> Result<String, String> {
    if path.is_empty() {
        return Ok(String::new());
    }
    let inner = path.strip_prefix('{').and_then(|path| path.strip_suffix('}')).unwrap_or(path);
    let inner = inner.strip_prefix('.').filter(|inner| !inner.is_empty()).unwrap_or(inner);
    if inner.is_empty() || inner.contains(['{', '}']) {
        return Err("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or \
                    '{.name1.name2}'"
            .into());
    }
    Ok(format!("{{.{inner}}}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{list, map};

    #[test]
    fn rows() {
        let object =
            map! { "metadata" => map! { "name" => "web", "labels" => map! { "app" => "x" } }, "l" => list![1, 2] };
        let check = |spec: &str, want: &str| {
            let got = CustomColumns::parse(spec)
                .map(|columns| columns.print(std::slice::from_ref(&object), true, &mut Vec::new()));
            let got = match got {
                Ok(Ok(text)) => text,
                Ok(Err(failure)) => failure.printed + "error: " + &failure.error,
                Err(error) => format!("error: {error}"),
            };
            assert_eq!(got, want);
        };
        check(
            "NAME:.metadata.name,L:metadata.labels,ALL:{.l[*]},NO:.x",
            "NAME   L            ALL   NO\nweb    map[app:x]   1,2   <none>\n",
        );
        check("NAME", "error: unexpected custom-columns spec: NAME, expected <header>:<json-path-expr>");
        check("A:.l[9]", "A\nerror: array index out of bounds: index 9, length 2");
    }
}
