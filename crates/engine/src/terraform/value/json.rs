//! Values and types as JSON: what `jsonencode`, state files and `terraform output -json` hold. Numbers keep all digits.

use crate::base::BTreeMap;

use super::{ConvertError, Kind, Number, ObjectType, Type, Value, convert};
use crate::base::SmolStr;

const DEPTH_LIMIT: usize = 200;

/// Without blanks; keys in order. Marks are left out, unknown values are null.
pub fn encode(value: &Value) -> String {
    let mut out = String::new();
    write(value, None, &mut out);
    out
}

/// With two blanks a level, as state files are written.
pub fn encode_pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, Some(0), &mut out);
    out
}

fn write(value: &Value, indent: Option<usize>, out: &mut String) {
    match &value.kind {
        Kind::Null(_) | Kind::Unknown(..) => out.push_str("null"),
        Kind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Kind::Number(number) => out.push_str(&number.to_string()),
        Kind::String(text) => quote(text, out),
        Kind::List(_, items) | Kind::Set(_, items) | Kind::Tuple(items) => {
            let items: Vec<(Option<&SmolStr>, &Value)> = items.iter().map(|item| (None, item)).collect();
            write_all(&items, '[', ']', indent, out);
        }
        Kind::Map(_, items) | Kind::Object(items) => {
            let items: Vec<(Option<&SmolStr>, &Value)> = items.iter().map(|(key, item)| (Some(key), item)).collect();
            write_all(&items, '{', '}', indent, out);
        }
    }
}

fn write_all(items: &[(Option<&SmolStr>, &Value)], open: char, close: char, indent: Option<usize>, out: &mut String) {
    let inner = indent.map(|indent| indent + 2);
    let line = |indent: Option<usize>, out: &mut String| {
        if let Some(indent) = indent {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
        }
    };
    out.push(open);
    for (index, (key, item)) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        line(inner, out);
        if let Some(key) = key {
            quote(key, out);
            out.push_str(if indent.is_some() { ": " } else { ":" });
        }
        write(item, inner, out);
    }
    if !items.is_empty() {
        line(indent, out);
    }
    out.push(close);
}

/// As Go writes JSON strings: `<`, `>` and `&` are escaped.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A type as JSON names it: `"string"`, `["list","string"]`, `["object",{"a":"number"}]`.
pub fn type_json(ty: &Type) -> Value {
    let pair = |name: &str, of: Value| Value::tuple(vec![Value::string(name), of]);
    match ty {
        Type::Dynamic => Value::string("dynamic"),
        Type::Bool => Value::string("bool"),
        Type::Number => Value::string("number"),
        Type::String => Value::string("string"),
        Type::List(element) => pair("list", type_json(element)),
        Type::Set(element) => pair("set", type_json(element)),
        Type::Map(element) => pair("map", type_json(element)),
        Type::Tuple(elements) => pair("tuple", Value::tuple(elements.iter().map(type_json).collect())),
        Type::Object(object) => {
            let all = object.attributes.iter().map(|(name, ty)| (name.clone(), type_json(ty))).collect();
            pair("object", Value::object(all))
        }
    }
}

pub fn type_from_json(json: &Value) -> Option<Type> {
    if let Some(name) = json.as_str() {
        return Some(match name {
            "dynamic" => Type::Dynamic,
            "bool" => Type::Bool,
            "number" => Type::Number,
            "string" => Type::String,
            _ => return None,
        });
    }
    let [name, of] = json.items()? else { return None };
    Some(match name.as_str()? {
        "list" => Type::list(type_from_json(of)?),
        "set" => Type::set(type_from_json(of)?),
        "map" => Type::map(type_from_json(of)?),
        "tuple" => Type::tuple(of.items()?.iter().map(type_from_json).collect::<Option<Vec<Type>>>()?),
        "object" => {
            let mut object = ObjectType::default();
            for (key, ty) in of.entries()? {
                object.attributes.insert(key.clone(), type_from_json(ty)?);
            }
            Type::Object(object.into())
        }
        _ => return None,
    })
}

/// The value of a JSON text, of the types that JSON shows (objects and tuples).
pub fn decode(text: &str) -> Result<Value, String> {
    decode_at(text).map_err(|(error, _)| error)
}

/// The same; an error with how many bytes were read, the wrong one too.
pub fn decode_at(text: &str) -> Result<Value, (String, usize)> {
    let mut reader = Reader { text, at: 0 };
    reader.whole().map_err(|error| (error, text.len().min(reader.at + 1)))
}

/// The value of a JSON text as one of the type.
pub fn decode_as(text: &str, ty: &Type) -> Result<Value, String> {
    let value = decode(text)?;
    convert(&value, ty).map_err(|error: ConvertError| error.with_path())
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<Value, String> {
        self.blank();
        if self.at >= self.text.len() {
            return Err("EOF".into());
        }
        let value = self.value(0)?;
        self.blank();
        if self.at < self.text.len() {
            return Err("extraneous data after JSON object".into());
        }
        Ok(value)
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..).and_then(|rest| rest.chars().next())
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\r' | '\n')) {
            self.at += 1;
        }
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, String> {
        // Upstream shows one byte.
        Err(match self.text.as_bytes().get(self.at) {
            Some(byte) => format!("invalid character {} {wanted}", crate::base::goquote::quote_rune(char::from(*byte))),
            None => "EOF".into(),
        })
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEPTH_LIMIT {
            return Err("exceeded max depth".into());
        }
        self.blank();
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.array(depth),
            Some('"') => Ok(Value::string(self.string()?)),
            Some('-' | '0'..='9') => self.number(),
            _ => {
                let words =
                    [("true", Value::bool(true)), ("false", Value::bool(false)), ("null", Value::null(Type::Dynamic))];
                let found = words.into_iter().find(|(word, _)| word.chars().next() == self.peek());
                if let Some((word, value)) = found {
                    for wanted in word.chars() {
                        if self.peek() != Some(wanted) {
                            return match self.peek() {
                                Some(_) => self.unexpected(&format!("in literal {word} (expecting '{wanted}')")),
                                None => Err("unexpected EOF".into()),
                            };
                        }
                        self.at += 1;
                    }
                    return Ok(value);
                }
                self.unexpected("looking for beginning of value")
            }
        }
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some('-'));
        // A zero at the front stands alone.
        match self.peek() {
            Some('0') => self.at += 1,
            _ => self.digits("in numeric literal")?,
        }
        if self.peek() == Some('.') {
            self.at += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some('+' | '-')));
            self.digits("in exponent of numeric literal")?;
        }
        let text = self.text.get(start..self.at).unwrap_or("");
        Number::parse(text).map(Value::number).ok_or_else(|| format!("invalid number literal {text}"))
    }

    /// One at least.
    fn digits(&mut self, place: &str) -> Result<(), String> {
        match self.peek() {
            Some('0'..='9') => {}
            Some(_) => return self.unexpected(place),
            None => return Err("unexpected EOF".into()),
        }
        while matches!(self.peek(), Some('0'..='9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn array(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.blank();
        if self.peek() == Some(']') {
            self.at += 1;
            return Ok(Value::tuple(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blank();
            match self.peek() {
                Some(',') => self.at += 1,
                Some(']') => {
                    self.at += 1;
                    return Ok(Value::tuple(items));
                }
                _ => return self.unexpected("after array element"),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut entries = BTreeMap::new();
        self.blank();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(Value::object(entries));
        }
        loop {
            self.blank();
            if self.peek() != Some('"') {
                // Nothing but the first key of an object is waited for by the reader of words, which says less.
                return match (entries.is_empty(), self.text.as_bytes().get(self.at)) {
                    (true, Some(byte)) => {
                        let rune = crate::base::goquote::quote_rune(char::from(*byte));
                        Err(format!("invalid character {rune}"))
                    }
                    _ => self.unexpected("looking for beginning of object key string"),
                };
            }
            let key = self.string()?;
            self.blank();
            if self.peek() != Some(':') {
                return self.unexpected("after object key");
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            entries.insert(SmolStr::from(key), value);
            self.blank();
            match self.peek() {
                Some(',') => self.at += 1,
                Some('}') => {
                    self.at += 1;
                    return Ok(Value::object(entries));
                }
                _ => return self.unexpected("after object key:value pair"),
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else { return Err("unexpected EOF".into()) };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    self.escape(&mut out)?;
                }
                c if (c as u32) < 0x20 => return self.unexpected("in string literal"),
                c => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
            }
        }
    }

    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let plain = match self.peek() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                self.at += 1;
                let first = self.hex()?;
                let pair = (0xd800..0xdc00).contains(&first)
                    && self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u"));
                let code = if pair {
                    self.at += 2;
                    let second = self.hex()?;
                    0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    first
                };
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                return Ok(());
            }
            _ => return self.unexpected("in string escape code"),
        };
        self.at += 1;
        out.push(plain);
        Ok(())
    }

    fn hex(&mut self) -> Result<u32, String> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let digits = rest.get(..4).unwrap_or(rest);
        match u32::from_str_radix(digits, 16) {
            Ok(code) if digits.len() == 4 && !digits.starts_with('+') => {
                self.at += 4;
                Ok(code)
            }
            _ => {
                self.at += digits.bytes().take_while(u8::is_ascii_hexdigit).count();
                self.unexpected("in \\u hexadecimal character escape")
            }
        }
    }
}
