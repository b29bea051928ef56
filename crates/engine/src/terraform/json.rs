//! JSON whose fields keep their order: what Go writes of a struct.

use crate::base::SmolStr;
use crate::terraform::value::{self, Value};

#[derive(Clone, Debug)]
pub enum Json {
    /// Written as it is.
    Raw(String),
    Value(Value),
    Object(Vec<(String, Json)>),
    Array(Vec<Json>),
}

impl Json {
    pub fn text(text: &str) -> Json {
        Json::Value(Value::string(text))
    }

    pub fn number(number: impl ToString) -> Json {
        Json::Raw(number.to_string())
    }

    pub fn bool(value: bool) -> Json {
        Json::Raw(value.to_string())
    }

    pub fn null() -> Json {
        Json::Raw("null".into())
    }

    /// An object of these fields.
    pub fn of<const N: usize>(fields: [(&str, Json); N]) -> Json {
        Json::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    /// An object whose fields are sorted by name.
    pub fn map(fields: impl IntoIterator<Item = (SmolStr, Json)>) -> Json {
        let mut fields: Vec<(String, Json)> =
            fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        Json::Object(fields)
    }

    pub fn push(&mut self, name: &str, value: Json) {
        if let Json::Object(fields) = self {
            fields.push((name.to_string(), value));
        }
    }

    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, None);
        out
    }

    /// Indented by two.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out
    }

    fn write(&self, out: &mut String, depth: Option<usize>) {
        let inner = depth.map(|depth| depth + 1);
        let line = |out: &mut String, depth: Option<usize>| {
            if let Some(depth) = depth {
                out.push('\n');
                out.extend(std::iter::repeat_n("  ", depth));
            }
        };
        match self {
            Json::Raw(text) => out.push_str(text),
            Json::Value(value) => match depth {
                Some(depth) => {
                    out.push_str(&value::encode_pretty(value).replace('\n', &format!("\n{}", "  ".repeat(depth))));
                }
                None => out.push_str(&value::encode(value)),
            },
            Json::Object(fields) if fields.is_empty() => out.push_str("{}"),
            Json::Array(items) if items.is_empty() => out.push_str("[]"),
            Json::Object(fields) => {
                for (i, (name, value)) in fields.iter().enumerate() {
                    out.push(if i == 0 { '{' } else { ',' });
                    line(out, inner);
                    out.push_str(&value::encode(&Value::string(name.as_str())));
                    out.push_str(if depth.is_some() { ": " } else { ":" });
                    value.write(out, inner);
                }
                line(out, depth);
                out.push('}');
            }
            Json::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    out.push(if i == 0 { '[' } else { ',' });
                    line(out, inner);
                    item.write(out, inner);
                }
                line(out, depth);
                out.push(']');
            }
        }
    }
}
