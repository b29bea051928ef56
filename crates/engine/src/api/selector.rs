//! Label and field selectors of list and watch requests: parsing with the server's texts, and matching.
//!
//! Stands for apimachinery's `labels` and `fields` packages. Selectors inside objects are matched by
//! `object::matches`.

use super::validation::names;
use crate::base::goquote::quote;
use crate::base::{SmolStr, Value};

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Labels {
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
struct Term {
    key: SmolStr,
    test: Test,
    /// Written with `=` or `==`.
    equal: bool,
    values: Vec<SmolStr>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    In,
    NotIn,
    Exists,
    Missing,
    Above,
    Below,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Fields {
    /// Field, whether it must be equal, value.
    pub terms: Vec<(SmolStr, bool, SmolStr)>,
}

impl Labels {
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn matches(&self, labels: &Value) -> bool {
        self.terms.iter().all(|term| {
            let have = labels.get(&term.key).as_str();
            let listed = have.is_some_and(|have| term.values.iter().any(|value| value == have));
            let number = |text: &str| text.parse::<i64>().ok();
            let than = || Some((number(have?)?, number(term.values.first()?)?));
            match term.test {
                Test::In => listed,
                Test::NotIn => !listed,
                Test::Exists => have.is_some(),
                Test::Missing => have.is_none(),
                Test::Above => than().is_some_and(|(a, b)| a > b),
                Test::Below => than().is_some_and(|(a, b)| a < b),
            }
        })
    }

    /// As the selector of an object has them: labels that must be equal, and the other terms as Go prints a
    /// LabelSelectorRequirement (`ParseToLabelSelector`).
    pub fn equals_and_others(&self) -> (Vec<(&str, &str)>, Vec<String>) {
        let mut equals = Vec::new();
        let mut others = Vec::new();
        for term in &self.terms {
            let word = match (term.test, term.values.as_slice()) {
                (Test::In, [one]) if term.equal => {
                    equals.push((term.key.as_str(), one.as_str()));
                    continue;
                }
                (Test::In, _) => "In",
                (Test::NotIn, _) => "NotIn",
                (Test::Exists, _) => "Exists",
                (Test::Missing, _) => "DoesNotExist",
                (Test::Above, _) => "Gt",
                (Test::Below, _) => "Lt",
            };
            others.push(format!("{{{} {word} [{}]}}", term.key, term.values.join(" ")));
        }
        (equals, others)
    }

    /// Reads `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`.
    pub fn parse(text: &str) -> Result<Labels, String> {
        let mut reader = Reader { tokens: scan(text), at: 0 };
        let terms = reader.selector()?;
        Ok(Labels { terms })
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(SmolStr),
    Sign(&'static str),
}

impl Token {
    fn text(&self) -> &str {
        match self {
            Token::Word(word) => word,
            Token::Sign(sign) => sign,
        }
    }
}

fn scan(text: &str) -> Vec<Token> {
    const SIGNS: [&str; 10] = ["==", "!=", "=", "!", "<", ">", "(", ")", ",", ""];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).copied().unwrap_or("");
        let length = if sign.is_empty() {
            rest.find(|c: char| c.is_whitespace() || "=!<>(),".contains(c)).unwrap_or(rest.len())
        } else {
            sign.len()
        };
        let (token, after) = rest.split_at(length);
        tokens.push(if sign.is_empty() { Token::Word(token.into()) } else { Token::Sign(sign) });
        rest = after.trim_start();
    }
    tokens
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

/// The words `in` and `notin` are plain identifiers where a value may stand.
impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(have)) if *have == sign)
    }

    fn found(&self) -> &str {
        self.peek().map_or("", Token::text)
    }

    fn selector(&mut self) -> Result<Vec<Term>, String> {
        let mut terms = Vec::new();
        loop {
            match self.peek() {
                None => return Ok(terms),
                Some(Token::Word(_)) => {}
                Some(Token::Sign("!")) => {}
                Some(_) => {
                    return Err(format!("found '{}', expected: !, identifier, or 'end of string'", self.found()));
                }
            }
            terms.push(self.requirement().map_err(|why| format!("unable to parse requirement: {why}"))?);
            match self.peek() {
                None => return Ok(terms),
                Some(Token::Sign(",")) => {
                    self.at += 1;
                    if !matches!(self.peek(), Some(Token::Word(_) | Token::Sign("!"))) {
                        return Err(format!("found '{}', expected: identifier after ','", self.found()));
                    }
                }
                Some(_) => return Err(format!("found '{}', expected: ',' or 'end of string'", self.found())),
            }
        }
    }

    fn requirement(&mut self) -> Result<Term, String> {
        let missing = self.is("!");
        if missing {
            self.at += 1;
        }
        let key = match self.take() {
            Some(Token::Word(word)) => word,
            other => return Err(format!("found '{}', expected: identifier", other.as_ref().map_or("", Token::text))),
        };
        check_key(&key)?;
        let plain = |test| Term { key: key.clone(), test, equal: false, values: Vec::new() };
        if missing {
            return Ok(plain(Test::Missing));
        }
        if self.peek().is_none() || self.is(",") {
            return Ok(plain(Test::Exists));
        }
        let operator = self.take();
        let (test, set) = match operator.as_ref().map_or("", Token::text) {
            "=" | "==" => (Test::In, false),
            "!=" => (Test::NotIn, false),
            ">" => (Test::Above, false),
            "<" => (Test::Below, false),
            "in" => (Test::In, true),
            "notin" => (Test::NotIn, true),
            found => {
                return Err(format!("found '{found}', expected: in, notin, =, ==, !=, gt, lt"));
            }
        };
        let values = if set { self.set()? } else { vec![self.value()?] };
        for value in &values {
            check_value(&key, value)?;
        }
        if matches!(test, Test::Above | Test::Below) && values.first().is_none_or(|value| value.parse::<i64>().is_err())
        {
            let value = values.first().map(SmolStr::as_str).unwrap_or_default();
            return Err(format!(
                "values[0]: Invalid value: {}: for 'Gt', 'Lt' operators, the value must be an integer",
                quote(value)
            ));
        }
        Ok(Term { key, test, equal: test == Test::In && !set, values })
    }

    /// After `=`: a word, or nothing (the empty value).
    fn value(&mut self) -> Result<SmolStr, String> {
        match self.peek() {
            None | Some(Token::Sign(",")) => Ok(SmolStr::default()),
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            Some(token) => Err(format!("found '{}', expected: identifier", token.text())),
        }
    }

    fn set(&mut self) -> Result<Vec<SmolStr>, String> {
        if !self.is("(") {
            return Err(format!("found '{}' expected: '('", self.found()));
        }
        self.at += 1;
        let mut values: Vec<SmolStr> = Vec::new();
        let mut after_value = false;
        loop {
            match self.take() {
                Some(Token::Word(word)) if !after_value => {
                    values.push(word);
                    after_value = true;
                }
                Some(Token::Sign(",")) => {
                    if !after_value {
                        values.push(SmolStr::default());
                    }
                    after_value = false;
                }
                Some(Token::Sign(")")) => {
                    if !after_value {
                        values.push(SmolStr::default());
                    }
                    values.sort();
                    values.dedup();
                    return Ok(values);
                }
                other => {
                    let found = other.as_ref().map_or("", Token::text);
                    let expected = match (after_value, values.is_empty()) {
                        (true, _) => "',' or ')'",
                        (false, true) => "',', ')' or identifier",
                        (false, false) => "',', or identifier",
                    };
                    return Err(format!("found '{found}', expected: {expected}"));
                }
            }
        }
    }
}

fn check_key(key: &str) -> Result<(), String> {
    complain("<nil>", key, names::qualified(key))
}

fn check_value(key: &str, value: &str) -> Result<(), String> {
    complain(&format!("values[0][{key}]"), value, names::label_value(value))
}

fn complain(at: &str, value: &str, complaints: names::Complaints) -> Result<(), String> {
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!("{at}: Invalid value: {}: {}", quote(value), complaints.join("; ")))
}

impl Fields {
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Reads `f=v,g!=w`; `\` escapes `=`, `,` and itself in values.
    pub fn parse(text: &str) -> Result<Fields, String> {
        let mut terms = Vec::new();
        for part in split(text) {
            if part.is_empty() {
                continue;
            }
            let sign = ["!=", "==", "="].iter().filter_map(|sign| Some((part.find(sign)?, *sign)));
            let Some((at, sign)) = sign.min_by_key(|(at, sign)| (*at, std::cmp::Reverse(sign.len()))) else {
                return Err(format!("invalid selector: '{text}'; can't understand '{part}'"));
            };
            let (field, value) = (part.get(..at).unwrap_or_default(), part.get(at + sign.len()..).unwrap_or_default());
            let value = unescape(value).map_err(|_| format!("invalid field selector: {text}"))?;
            terms.push((field.into(), sign != "!=", value));
        }
        Ok(Fields { terms })
    }

    /// Whether every term holds, where `read` gives a field's text.
    pub fn matches(&self, read: impl Fn(&str) -> SmolStr) -> bool {
        self.terms.iter().all(|(field, equal, value)| (read(field) == *value) == *equal)
    }

    /// The value a field must have.
    pub fn exact(&self, field: &str) -> Option<&SmolStr> {
        self.terms.iter().find(|(name, equal, _)| *equal && name == field).map(|(_, _, value)| value)
    }
}

fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut escaped) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ',' => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

fn unescape(text: &str) -> Result<SmolStr, ()> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\\' | ',' | '=')) => out.push(c),
                _ => return Err(()),
            },
            ',' | '=' => return Err(()),
            c => out.push(c),
        }
    }
    Ok(out.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map;

    #[test]
    fn label_selectors() {
        let labels = map! { "app" => "web", "n" => "5", "e" => "" };
        let check = |text: &str, want: &str| {
            let got = Labels::parse(text).map_or_else(|error| error, |s| s.matches(&labels).to_string());
            assert_eq!(got, want, "{text}");
        };
        for yes in [
            "",
            "app=web",
            "app==web",
            "app!=db",
            "x!=y",
            "app in (web, db)",
            "app notin (db)",
            "app",
            "!x",
            "n>4",
            "n<6,app",
            "e in ()",
            "e=",
        ] {
            check(yes, "true");
        }
        for no in ["app=db", "!app", "x", "app in (a,b)", "n>5", "app=web,x=1"] {
            check(no, "false");
        }
        check("a=b=c", "found '=', expected: ',' or 'end of string'");
        check("app in (w", "unable to parse requirement: found '', expected: ',' or ')'");
        check("app in front", "unable to parse requirement: found 'front' expected: '('");
        check("a=b,", "found '', expected: identifier after ','");
        check("=x", "found '=', expected: !, identifier, or 'end of string'");
        assert!(
            Labels::parse("名前")
                .unwrap_err()
                .starts_with("unable to parse requirement: <nil>: Invalid value: \"名前\": name part must")
        );
    }

    #[test]
    fn field_selectors() {
        let check = |text: &str, want: &str| {
            let read = |field: &str| if field == "a" { "1,2".into() } else { SmolStr::default() };
            let got = Fields::parse(text).map_or_else(|error| error, |s| s.matches(read).to_string());
            assert_eq!(got, want, "{text}");
        };
        check(r"a=1\,2", "true");
        check("a!=1,b=", "true");
        check("a==1,", "false");
        check("status.phase", "invalid selector: 'status.phase'; can't understand 'status.phase'");
    }
}
