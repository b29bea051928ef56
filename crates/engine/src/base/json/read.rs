//! JSON text to values, as Go's encoding/json reads it: what is wrong is said in its words.

use super::super::{Map, SmolStr, Value, float};
use super::text::{self, Problem};

/// Deeper texts are refused: what walks a value later does so by calling itself.
const DEPTH: usize = 128;

/// Reads one value; rubbish after it is an error.
pub fn parse(text: &str) -> Result<Value, String> {
    check(text)?;
    Reader { text, at: 0, path: String::new(), twice: None }.value(0)
}

/// `duplicate field "spec.replicas"`, each once, in the order of the text: a tree cannot hold them.
pub fn duplicates(text: &str) -> Vec<String> {
    let mut reader = Reader { text, at: 0, path: String::new(), twice: Some(Vec::new()) };
    // A text that is no JSON has been refused before.
    let _ = check(text).and_then(|()| reader.value(0));
    reader.twice.unwrap_or_default()
}

fn check(text: &str) -> Result<(), String> {
    let said = |problem: Problem| match problem.offset {
        Some(_) => problem.text,
        None => "unexpected end of JSON input".into(),
    };
    let end = text::value_end(text, 0).map_err(said)?;
    let rest = text.as_bytes().iter().enumerate().skip(end).find(|(_, byte)| !text::is_space(**byte));
    rest.map_or(Ok(()), |(at, _)| Err(text::wrong(text.as_bytes(), at, "after top-level value").text))
}

/// Walks over a text that `check` found good: a comma or colon needs no second look.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Where it stands, while fields written twice are looked for.
    path: String,
    twice: Option<Vec<String>>,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEPTH {
            return Err("exceeded max depth".into());
        }
        match self.peek() {
            b'{' => self.map(depth),
            b'[' => self.list(depth),
            b'"' => Ok(Value::from(self.string())),
            b't' => Ok(self.word(4, Value::Bool(true))),
            b'f' => Ok(self.word(5, Value::Bool(false))),
            b'n' => Ok(self.word(4, Value::Null)),
            _ => self.number(),
        }
    }

    /// The next byte that is no blank, comma or colon.
    fn peek(&mut self) -> u8 {
        let rest = self.text.as_bytes().iter().skip(self.at);
        let skipped = rest.take_while(|byte| text::is_space(**byte) || matches!(byte, b',' | b':')).count();
        self.at += skipped;
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    fn word(&mut self, length: usize, value: Value) -> Value {
        self.at += length;
        value
    }

    fn map(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut map = Map::new();
        while self.peek() == b'"' {
            let key = SmolStr::from(self.string());
            let length = self.path.len();
            if self.twice.is_some() {
                self.enter(&key, map.contains(&key));
            }
            let value = self.value(depth + 1)?;
            self.path.truncate(length);
            map.insert(key, value);
        }
        self.at += 1;
        Ok(map.into())
    }

    fn enter(&mut self, key: &str, known: bool) {
        if !self.path.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(key);
        let text = format!("duplicate field \"{}\"", self.path);
        match &mut self.twice {
            Some(twice) if known && !twice.contains(&text) => twice.push(text),
            _ => {}
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut items = Vec::new();
        while !matches!(self.peek(), b']' | 0) {
            let length = self.path.len();
            if self.twice.is_some() {
                self.path.push_str(&format!("[{}]", items.len()));
            }
            items.push(self.value(depth + 1)?);
            self.path.truncate(length);
        }
        self.at += 1;
        Ok(Value::list(items))
    }

    fn number(&mut self) -> Result<Value, String> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let digits = rest.get(..end).unwrap_or_default();
        // Never stays in place, whatever stands here.
        self.at += end.max(1);
        if let (Ok(number), false) = (digits.parse(), digits == "-0") {
            return Ok(Value::Int(number));
        }
        let number = float::parse(digits).filter(|number| number.is_finite());
        let number =
            number.ok_or_else(|| format!("json: cannot unmarshal number {digits} into Go value of type float64"))?;
        // What is written of 1.0 is 1.
        let is_whole =
            number.fract() == 0.0 && number.abs() < i64::MAX as f64 && !(number == 0.0 && number.is_sign_negative());
        Ok(if is_whole { Value::Int(number as i64) } else { Value::Float(number) })
    }

    fn string(&mut self) -> String {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            out.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain + 1;
            if rest.as_bytes().get(plain) != Some(&b'\\') {
                return out;
            }
            let escaped = self.text.as_bytes().get(self.at).copied().unwrap_or_default();
            self.at += 1;
            out.push(match escaped {
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.unicode(),
                other => other.into(),
            });
        }
    }

    /// What four hexadecimal digits stand for, or eight as a pair of surrogates; half a pair is U+FFFD.
    fn unicode(&mut self) -> char {
        let first = self.hex(self.at);
        self.at += 4;
        if (0xd800..0xdc00).contains(&first) && self.text.get(self.at..self.at + 2) == Some("\\u") {
            let second = self.hex(self.at + 2);
            if (0xdc00..0xe000).contains(&second) {
                self.at += 6;
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
        }
        char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    fn hex(&self, at: usize) -> u32 {
        self.text.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0xfffd)
    }
}
